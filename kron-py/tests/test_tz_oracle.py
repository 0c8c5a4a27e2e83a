"""Every zone against Python's zoneinfo, on the same release: all changes of the offset, from 1968-12-01 to 2101-02-01.

zoneinfo does not list its changes, so it is asked at many instants: every 12 hours until 2040, every 7 days after that, and
at each of our changes and the second before. Between two answers that differ, bisection finds the change. Any change that we
have and zoneinfo does not have is therefore found, wherever it is; so is any that only zoneinfo has, unless it is undone
before the next question.
"""

from __future__ import annotations

import datetime
import functools
import hashlib
import importlib.resources
import io
import pathlib
import typing
import zoneinfo

import kron
import pytest
from conftest import UTC, at

#: What databases describe, in Unix seconds.
FIRST, END = int(at("1968-12-01T00:00:00Z").timestamp()), int(at("2101-02-01T00:00:00Z").timestamp())
DAY = 86_400
FINE_UNTIL = int(at("2040-01-01T00:00:00Z").timestamp())
GRID = [*range(FIRST, FINE_UNTIL, DAY // 2), *range(FINE_UNTIL, END, 7 * DAY), END - 1]
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=UTC)
LONG_AGO = datetime.datetime(1900, 1, 1, tzinfo=UTC)

#: A Unix second and the offsets before it and from it on, in seconds.
Change: typing.TypeAlias = tuple[int, int, int]


def seconds(offset: datetime.timedelta) -> int:
    return offset // datetime.timedelta(seconds=1)


def by_kron(database: kron.TzDatabase, name: str) -> tuple[int, tuple[Change, ...]]:
    """The first offset and the changes."""
    changes = database.changes(name, LONG_AGO)
    return seconds(database.offset(name, LONG_AGO)), tuple(
        (seconds(it.time - EPOCH), seconds(it.offset_before), seconds(it.offset_after)) for it in changes
    )


# Many names share their data, and so do most zones of neighbouring releases.
@functools.cache
def by_zoneinfo(data: bytes, ours: tuple[Change, ...]) -> tuple[int, tuple[Change, ...]]:
    """The first offset and the changes, as zoneinfo has them; `ours` only says where else to ask."""
    zone = zoneinfo.ZoneInfo.from_file(io.BytesIO(data))
    ask = datetime.datetime.fromtimestamp

    def offset(second: int) -> datetime.timedelta:
        found = ask(second, zone).utcoffset()
        assert found is not None
        return found

    times = sorted(GRID + [second for change in ours for second in (change[0] - 1, change[0])])
    offsets = [ask(second, zone).utcoffset() for second in times]
    changes: list[Change] = []
    for index, (before, after) in enumerate(zip(offsets, offsets[1:])):
        known = times[index]
        while before != after:
            assert before is not None
            low, high = known, times[index + 1]
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if offset(middle) == before else (low, middle)
            changes.append((high, seconds(before), seconds(offset(high))))
            known, before = high, offset(high)
    return seconds(offset(FIRST)), tuple(changes)


def fingerprint(first: int, changes: tuple[Change, ...]) -> str:
    """As docs and stubs define it: SHA-256 over a line for each span of constant offset."""
    spans = [(-(2**63), first), *((second, after) for second, _, after in changes)]
    return hashlib.sha256("".join(f"{second} {offset}\n" for second, offset in spans).encode()).hexdigest()


def package_2026f() -> pathlib.Path:
    return pathlib.Path(str(importlib.resources.files("tzdata")))


class Release(typing.NamedTuple):
    """A database, and the data of the package that it is compared with."""

    database: kron.TzDatabase
    data: dict[str, bytes]


@pytest.fixture(scope="module", params=["2026f, compiled in", "2026e, given"])
def release(request: pytest.FixtureRequest, release_2026e: pathlib.Path, database_2026e: kron.TzDatabase) -> Release:
    if request.param == "2026e, given":
        package, database = release_2026e, database_2026e
    else:
        package, database = package_2026f(), kron.TzDatabase.compiled_in()
    # `Factory` says that a machine was not set up.
    names = set((package / "zones").read_text().split()) - {"Factory"}
    return Release(database, {name: (package / "zoneinfo" / name).read_bytes() for name in names})


@pytest.mark.oracle
def test_versions(release_2026e: pathlib.Path, database_2026e: kron.TzDatabase) -> None:
    """The comparison is of the same release, and the packages are the pinned ones."""
    import tzdata

    assert kron.TZDB_VERSION == tzdata.IANA_VERSION == "2026f"
    assert database_2026e.version == "2026e"
    assert (release_2026e / "zoneinfo" / "tzdata.zi").read_text().startswith("# version 2026e\n")


@pytest.mark.oracle
def test_names(release: Release) -> None:
    assert release.database.zone_names() == sorted(release.data) and len(release.data) > 590


@pytest.mark.oracle
def test_every_change_of_every_zone(release: Release) -> None:
    found = 0
    for name, data in release.data.items():
        ours = by_kron(release.database, name)
        assert ours == by_zoneinfo(data, ours[1]), name
        found += len(ours[1])
    assert found > 50_000


@pytest.mark.oracle
def test_every_fingerprint(release: Release) -> None:
    for name, data in release.data.items():
        theirs = by_zoneinfo(data, by_kron(release.database, name)[1])
        assert release.database.fingerprint(name) == fingerprint(*theirs), name


class TestTheOracle:
    """The comparison would notice a difference."""

    PARIS = (package_2026f() / "zoneinfo" / "Europe" / "Paris").read_bytes()
    LONDON = (package_2026f() / "zoneinfo" / "Europe" / "London").read_bytes()

    def test_finds_changes_without_a_hint(self) -> None:
        assert by_zoneinfo(self.PARIS, ()) == by_kron(kron.TzDatabase.compiled_in(), "Europe/Paris")

    def test_finds_other_rules(self) -> None:
        ours = by_kron(kron.TzDatabase.compiled_in(), "Europe/Paris")
        assert by_zoneinfo(self.LONDON, ours[1]) != ours

    def test_finds_a_change_that_zoneinfo_lacks(self) -> None:
        first, changes = by_kron(kron.TzDatabase.compiled_in(), "Europe/Paris")
        forged = tuple(sorted((*changes, (1_700_000_123, 3600, 7200))))
        assert by_zoneinfo(self.PARIS, forged) == (first, changes)


APRIL, DECEMBER = at("2026-04-01T00:00:00Z"), at("2026-12-01T00:00:00Z")
HOUR = datetime.timedelta(hours=1)


class TestNewRules:
    """The changes of autumn 2026."""

    @pytest.mark.parametrize(("name", "hours"), [
        ("America/Vancouver", -7), ("America/Edmonton", -6), ("America/Winnipeg", -5), ("Africa/Casablanca", 0), ("Africa/El_Aaiun", 0),
    ])
    def test_compiled_in(self, name: str, hours: int, database_2026e: kron.TzDatabase) -> None:
        job = kron.Job("0 12 * * *", name="x", timezone=name)
        noon = job.next_start(DECEMBER).chosen_time
        assert noon == at("2026-12-01T12:00:00Z") - hours * HOUR
        for database in (kron.TzDatabase.compiled_in(), kron.TzDatabase.from_tzdata(), database_2026e):
            assert database.offset(name, DECEMBER) == hours * HOUR
            assert job.replace(tz_database=database).next_start(DECEMBER).chosen_time == noon

    def test_havana_changes_in_2026f_only(self, database_2026e: kron.TzDatabase) -> None:
        name = "America/Havana"
        assert kron.TzDatabase.compiled_in().offset(name, DECEMBER) == -4 * HOUR
        assert database_2026e.offset(name, DECEMBER) == -5 * HOUR
        # Cuba stays on daylight saving time in the winter of 2026 only.
        assert kron.TzDatabase.compiled_in().changes(name, APRIL)[0].time == at("2027-11-07T05:00:00Z")
        assert database_2026e.changes(name, APRIL)[0].time == at("2026-11-01T05:00:00Z")
        old = kron.Job("0 12 * * *", name="x", timezone=name, tz_database=database_2026e)
        new = kron.Job("0 12 * * *", name="x", timezone=name)
        assert old.next_start(DECEMBER).chosen_time == at("2026-12-01T17:00:00Z")
        assert new.next_start(DECEMBER).chosen_time == at("2026-12-01T16:00:00Z")
        assert old != new and (old.tzdb_version, new.tzdb_version) == ("2026e", "2026f")
