"""Reading job files and manifests."""

from __future__ import annotations

import os

from kron._kron import TzDatabase, _load
from kron._records import Loaded


def loads(text: str, /, *, namespace: str | None = None, tz_database: TzDatabase | None = None) -> Loaded:
    """Reads jobs from the text of a job file, or of KronJob manifests in YAML or JSON.

    ``namespace`` is that of manifests that name none; without it ``default`` is assumed, and a finding says so. Time
    zones are looked up in ``tz_database``, by default the compiled-in one. Raises ``LoadError`` with all errors of the text.

    >>> import kron
    >>> loaded = kron.loads("@daily @win(after,1h) name=db/backup owner=storage")
    >>> loaded.jobs[0].job.name, dict(loaded.jobs[0].fields)
    ('db/backup', {'owner': 'storage'})
    """
    loaded: Loaded = _load(text, namespace, tz_database)
    return loaded


def load(
    path: str | os.PathLike[str], /, *, namespace: str | None = None, tz_database: TzDatabase | None = None
) -> Loaded:
    """Reads jobs from a file, as ``loads`` does from a text. The file is UTF-8."""
    with open(path, encoding="utf-8", newline="") as file:
        return loads(file.read(), namespace=namespace, tz_database=tz_database)
