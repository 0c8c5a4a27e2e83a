"""What the dataclasses of `_records.py`, `_diff.py` and `_audit.py` share."""

from __future__ import annotations

import dataclasses
import datetime
import importlib
import typing


class Record:
    """Prints the fields that differ from their defaults, as an expression that gives the record again."""

    __slots__ = ()

    def __repr__(self) -> str:
        fields = dataclasses.fields(self)  # type: ignore[arg-type]
        args = []
        for field in fields:
            if not field.repr:
                continue
            value = getattr(self, field.name)
            if field.default is dataclasses.MISSING:
                args.append(repr(value))
            elif value != field.default:
                args.append(f"{field.name}={value!r}")
        return f"kron.{type(self).__name__}({', '.join(args)})"

    if not typing.TYPE_CHECKING:  # with it, type checkers would take every name

        def __getattr__(self, name: str) -> typing.NoReturn:
            from kron._synonyms import no_attribute

            raise no_attribute(type(self).__name__, name)


def text(time: datetime.datetime) -> str:
    """A time in UTC, as the core prints it."""
    return f"{time:%Y-%m-%dT%H:%M:%SZ}"


def frames() -> typing.Any:
    """The module that makes tables."""
    return importlib.import_module("kron._frames")
