"""Reading job files and manifests."""

from __future__ import annotations

import os

from collections.abc import Iterable

from kron._kron import Calendar, TzDatabase, _load, _load_calendars
from kron._records import Loaded


def loads(
    text: str, /, *, namespace: str | None = None, tz_database: TzDatabase | None = None, calendars: Iterable[Calendar] | None = None
) -> Loaded:
    """Reads jobs from the text of a job file, or of KronJob manifests in YAML or JSON.

    ``namespace`` is the namespace of manifests that name none; without it, ``default`` is assumed, and a finding says so. Time
    zones are looked up in ``tz_database``, by default the compiled-in one, and names of calendars in ``calendars``. Raises
    ``LoadError`` with the errors of the text.

    >>> import kron
    >>> loaded = kron.loads("@daily @win(after,1h) name=db/backup owner=storage")
    >>> loaded.jobs[0].job.name, dict(loaded.jobs[0].fields)
    ('db/backup', {'owner': 'storage'})
    """
    loaded: Loaded = _load(text, namespace, tz_database, calendars)
    return loaded


def load(
    path: str | os.PathLike[str], /, *, namespace: str | None = None, tz_database: TzDatabase | None = None,
    calendars: Iterable[Calendar] | None = None,
) -> Loaded:
    """Reads jobs from a file in UTF-8, as ``loads`` does from a text. Raises ``OSError`` if the file cannot be read."""
    with open(path, encoding="utf-8", newline="") as file:
        return loads(file.read(), namespace=namespace, tz_database=tz_database, calendars=calendars)


def loads_calendars(text: str, /) -> tuple[Calendar, ...]:
    """Reads the calendars of the text of a calendar file, in order of their names.

    Raises ``LoadError`` with the errors of the text. ``Calendar.from_icalendar`` reads the text of an iCalendar file.

    >>> import kron
    >>> kron.loads_calendars("holidays-fr = 2026-12-25, 2027-01-01")
    (kron.Calendar('holidays-fr', '2026-12-25, 2027-01-01'),)
    """
    calendars: tuple[Calendar, ...] = _load_calendars(text)
    return calendars


def load_calendars(path: str | os.PathLike[str], /) -> tuple[Calendar, ...]:
    """Reads the calendars of a file in UTF-8: of a calendar file, as ``loads_calendars`` does, or of an iCalendar file ``NAME.ics``,
    which is one calendar with the name ``NAME``. Raises ``OSError`` if the file cannot be read."""
    name, extension = os.path.splitext(os.path.basename(path))
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read()
    return (Calendar.from_icalendar(name, text),) if extension.lower() == ".ics" else loads_calendars(text)
