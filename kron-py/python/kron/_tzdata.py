"""Finds the TZif data that Python itself uses. ``kron.TzDatabase`` makes databases from it."""

from __future__ import annotations

import importlib
import importlib.resources
import os
import types
import typing
import zoneinfo

#: The data of each zone by name, and the version.
_Found: typing.TypeAlias = tuple[dict[str, bytes], str | None]


def of_package() -> _Found:
    """The zones of the PyPI package ``tzdata``."""
    package = _package()
    if package is None:
        raise _missing("TzDatabase.from_tzdata needs the package tzdata")
    # The package lists its zones in this file; `zoneinfo` reads it too.
    names = importlib.resources.files(package).joinpath("zones").read_text(encoding="utf-8").split()
    return {name: _packaged(package, name) for name in names}, _version_of(package)


def of_zoneinfo() -> _Found:
    """The zones that ``zoneinfo`` finds, read from the same places."""
    package = _package()
    zones: dict[str, bytes] = {}
    # Where they are from: directories, or the package.
    places: set[str | types.ModuleType] = set()
    for key in sorted(zoneinfo.available_timezones()):
        # `localtime` and its like are settings of the machine.
        if not key[:1].isupper():
            continue
        folder = _folder(key)
        if folder is not None:
            with open(os.path.join(folder, *key.split("/")), "rb") as file:
                zones[key] = file.read()
            places.add(folder)
        elif package is not None:
            zones[key] = _packaged(package, key)
            places.add(package)
    if not zones:
        raise _missing("Python has no time zone data: zoneinfo.TZPATH has none, and the package tzdata is missing")
    versions = {_version_of(place) for place in places}
    return zones, versions.pop() if len(versions) == 1 else None


def _package() -> types.ModuleType | None:
    try:
        return importlib.import_module("tzdata")
    except ModuleNotFoundError:
        return None


def _packaged(package: types.ModuleType, name: str) -> bytes:
    return importlib.resources.files(package).joinpath("zoneinfo", *name.split("/")).read_bytes()


def _folder(key: str) -> str | None:
    """The first directory of the search path that has a file of this name."""
    return next((path for path in zoneinfo.TZPATH if os.path.isfile(os.path.join(path, *key.split("/")))), None)


def _version_of(place: str | types.ModuleType) -> str | None:
    """The version of the package, or of a directory: the file ``+VERSION``, else the first line of ``tzdata.zi``."""
    if isinstance(place, types.ModuleType):
        version: str = place.IANA_VERSION
        return version
    if version := _first_line(os.path.join(place, "+VERSION")):
        return version
    words = _first_line(os.path.join(place, "tzdata.zi")).split()  # `# version 2026e`
    return words[2] if words[:2] == ["#", "version"] and len(words) == 3 else None


def _first_line(path: str) -> str:
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            return file.readline(256).strip()
    except FileNotFoundError:
        return ""


def _missing(what: str) -> ModuleNotFoundError:
    return ModuleNotFoundError(f"{what}; install it: pip install tzdata", name="tzdata")
