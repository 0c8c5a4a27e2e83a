"""Time zone databases: where they come from, who takes them, and what is kept of them."""

from __future__ import annotations

import datetime
import importlib.resources
import json
import pathlib
import pickle
import subprocess
import sys
import typing
import zoneinfo

import kron
import pytest
import tzdata
from conftest import UTC, at
from test_threads import WORKERS, together

MARCH, DECEMBER = at("2026-03-01T00:00:00Z"), at("2026-12-01T00:00:00Z")
HOUR = datetime.timedelta(hours=1)
COMPILED_IN = kron.TzDatabase.compiled_in()
PACKAGE = importlib.resources.files(tzdata)
HAVANA = "0 8 * * * @tz(America/Havana) @win(after,1h)"


def tzif(name: str) -> bytes:
    """The data of a zone in 2026f."""
    return PACKAGE.joinpath("zoneinfo", *name.split("/")).read_bytes()


#: The rules of Paris, under a name that only this database has.
MARS = kron.TzDatabase.from_tzif({"Mars/Olympus": tzif("Europe/Paris")}, "2026x")


@pytest.fixture
def tzpath() -> typing.Iterator[typing.Callable[[list[pathlib.Path]], None]]:
    """Sets zoneinfo's search path for one test."""
    before = zoneinfo.TZPATH
    yield lambda paths: zoneinfo.reset_tzpath([str(path) for path in paths])
    zoneinfo.reset_tzpath(before)


def write(folder: pathlib.Path, files: dict[str, bytes]) -> pathlib.Path:
    for name, data in files.items():
        path = folder.joinpath(*name.split("/"))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


class TestCompiledIn:
    def test_is_the_default(self) -> None:
        assert COMPILED_IN.version == kron.TZDB_VERSION and COMPILED_IN.is_compiled_in
        job = kron.Job(HAVANA, name="x")
        assert job.tzdb_version == kron.TZDB_VERSION
        assert job.timezone_fingerprint == COMPILED_IN.fingerprint("America/Havana")
        assert repr(kron.Job(HAVANA, name="x", tz_database=COMPILED_IN)) == repr(job)

    def test_there_is_no_constructor(self) -> None:
        with pytest.raises(TypeError):
            kron.TzDatabase()

    def test_repr(self) -> None:
        assert repr(COMPILED_IN) == "kron.TzDatabase.compiled_in()"
        assert repr(MARS) == "<kron.TzDatabase 2026x, 1 zones>"
        assert repr(kron.TzDatabase.from_tzif({})) == "<kron.TzDatabase of unknown version, 0 zones>"

    def test_is_immutable(self) -> None:
        for name in ("version", "is_compiled_in", "brand_new"):
            with pytest.raises(AttributeError):
                setattr(MARS, name, None)
        with pytest.raises(TypeError):
            type("Sub", (kron.TzDatabase,), {})


class TestFromTzif:
    def test_has_the_zones(self) -> None:
        assert (MARS.version, MARS.is_compiled_in, MARS.zone_names()) == ("2026x", False, ["Mars/Olympus"])
        assert MARS.fingerprint("Mars/Olympus") == COMPILED_IN.fingerprint("Europe/Paris")
        assert MARS.changes("Mars/Olympus", MARCH) == COMPILED_IN.changes("Europe/Paris", MARCH)

    def test_version_is_optional(self) -> None:
        assert kron.TzDatabase.from_tzif({"Europe/Paris": tzif("Europe/Paris")}).version is None

    def test_aliases(self) -> None:
        data = {name: tzif(name) for name in ("Asia/Kolkata", "Asia/Calcutta", "Europe/Paris")}
        assert kron.TzDatabase.from_tzif(data).aliases("Asia/Calcutta") == ["Asia/Kolkata"]

    @pytest.mark.parametrize(("zones", "version", "field"), [
        ({"Europe/Paris": b"TZif"}, None, "tzdb.Europe/Paris"), ({"Europe/Paris": b""}, None, "tzdb.Europe/Paris"),
        ({"../Paris": b""}, None, "tzdb"), ({}, "two words", "tzdb.version"), ({}, "", "tzdb.version"),
        ({"UTC": tzif("Europe/Paris")}, None, "tzdb.UTC"),
    ])
    def test_refuses_bad_data(self, zones: dict[str, bytes], version: str | None, field: str) -> None:
        with pytest.raises(kron.KronError) as caught:
            kron.TzDatabase.from_tzif(zones, version)
        assert (caught.value.code, caught.value.field) == (309, field)

    @pytest.mark.parametrize("cut", [1, 43, 44, 100, -1])
    def test_refuses_every_torn_file(self, cut: int) -> None:
        with pytest.raises(kron.KronError):
            kron.TzDatabase.from_tzif({"Europe/Paris": tzif("Europe/Paris")[:cut]})

    @pytest.mark.parametrize(("zones", "match"), [
        (None, "a mapping of names"), ([("a", b"")], "a mapping of names"), ({1: b""}, "the name of a zone as a str, not int"),
        ({"Europe/Paris": "TZif"}, "as bytes, not str"),
    ])
    def test_types(self, zones: typing.Any, match: str) -> None:
        with pytest.raises(TypeError, match=match):
            kron.TzDatabase.from_tzif(zones)


class TestFromDirectory:
    def test_reads_zones_and_version(self, tmp_path: pathlib.Path) -> None:
        files = {name: tzif(name) for name in ("Europe/Paris", "America/Argentina/Ushuaia", "UTC")}
        write(tmp_path, {**files, "localtime": tzif("Asia/Tokyo"), "tzdata.zi": b"# version 2031b\n# more\n"})
        for path in (tmp_path, str(tmp_path)):
            database = kron.TzDatabase.from_directory(path)
            assert database.zone_names() == sorted(files) and database.version == "2031b"
        (tmp_path / "+VERSION").write_text("2031c\n")
        assert kron.TzDatabase.from_directory(tmp_path).version == "2031c"

    def test_a_missing_directory(self, tmp_path: pathlib.Path) -> None:
        with pytest.raises(FileNotFoundError) as caught:
            kron.TzDatabase.from_directory(tmp_path / "none")
        assert caught.value.filename == str(tmp_path / "none") and caught.value.errno

    def test_a_file(self, tmp_path: pathlib.Path) -> None:
        (tmp_path / "file").write_bytes(tzif("Europe/Paris"))
        with pytest.raises(OSError, match="file"):
            kron.TzDatabase.from_directory(tmp_path / "file")

    def test_a_directory_without_zones(self, tmp_path: pathlib.Path) -> None:
        with pytest.raises(kron.KronError, match="no TZif file is in this directory") as caught:
            kron.TzDatabase.from_directory(tmp_path)
        error = caught.value
        assert (error.code, error.field) == (309, "tzdb") and str(tmp_path) in str(error) and error.help
        assert str(error).endswith(error.help) and vars(pickle.loads(pickle.dumps(error))) == vars(error)

    def test_a_damaged_zone(self, tmp_path: pathlib.Path) -> None:
        write(tmp_path, {"Europe/Paris": tzif("Europe/Paris")[:100]})
        with pytest.raises(kron.KronError) as caught:
            kron.TzDatabase.from_directory(tmp_path)
        assert str(caught.value).startswith(f"{tmp_path}: tzdb.Europe/Paris: the data is not valid TZif")
        assert (caught.value.code, caught.value.field) == (309, "tzdb.Europe/Paris")

    @pytest.mark.parametrize("bad", [None, 1, b"/usr"])
    def test_types(self, bad: typing.Any) -> None:
        with pytest.raises(TypeError):
            kron.TzDatabase.from_directory(bad)


class TestFromTzdata:
    def test_is_the_package(self) -> None:
        database = kron.TzDatabase.from_tzdata()
        assert database.version == tzdata.IANA_VERSION and not database.is_compiled_in
        names = PACKAGE.joinpath("zones").read_text().split()
        assert database.zone_names() == sorted(set(names) - {"Factory"})

    def test_without_the_package(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "tzdata", None)
        with pytest.raises(ModuleNotFoundError, match="from_tzdata needs the package tzdata; install it: pip install tzdata") as caught:
            kron.TzDatabase.from_tzdata()
        assert caught.value.name == "tzdata"


@pytest.mark.usefixtures("tzpath")
class TestFromZoneinfo:
    def test_has_the_rules_of_zoneinfo(self) -> None:
        """With whatever data this machine has."""
        database = kron.TzDatabase.from_zoneinfo()
        assert set(database.zone_names()) == {key for key in zoneinfo.available_timezones() if key[0].isupper()} - {"Factory"}
        instants = [datetime.datetime(year, month, 1, tzinfo=UTC) for year in range(1970, 2100, 3) for month in (1, 7)]
        for name in database.zone_names():
            zone = zoneinfo.ZoneInfo.no_cache(name)
            for instant in instants:
                assert database.offset(name, instant) == instant.astimezone(zone).utcoffset(), (name, instant)

    def test_of_the_package_alone(self, tzpath: typing.Callable[[list[pathlib.Path]], None]) -> None:
        tzpath([])
        database = kron.TzDatabase.from_zoneinfo()
        assert database.version == tzdata.IANA_VERSION
        assert database.zone_names() == kron.TzDatabase.from_tzdata().zone_names()

    def test_of_a_directory_alone(
        self, tzpath: typing.Callable[[list[pathlib.Path]], None], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(sys.modules, "tzdata", None)
        write(tmp_path, {"Europe/Paris": tzif("Europe/Paris"), "localtime": tzif("UTC"), "Europe/notes": b"text"})
        tzpath([tmp_path])
        database = kron.TzDatabase.from_zoneinfo()
        assert database.zone_names() == ["Europe/Paris"] and database.version is None
        (tmp_path / "tzdata.zi").write_text("# version 2031b\n")
        assert kron.TzDatabase.from_zoneinfo().version == "2031b"
        (tmp_path / "+VERSION").write_text("2031c\n")
        assert kron.TzDatabase.from_zoneinfo().version == "2031c"

    def test_the_first_place_counts(self, tzpath: typing.Callable[[list[pathlib.Path]], None], tmp_path: pathlib.Path) -> None:
        """Two directories and the package, in this order; zoneinfo agrees."""
        first = write(tmp_path / "first", {"Europe/Paris": tzif("Asia/Tokyo"), "+VERSION": b"2031a"})
        second = write(tmp_path / "second", {"Europe/Paris": tzif("UTC"), "Europe/Rome": tzif("Asia/Dubai"), "+VERSION": b"2031b"})
        tzpath([first, second])
        database = kron.TzDatabase.from_zoneinfo()
        want = {"Europe/Paris": "Asia/Tokyo", "Europe/Rome": "Asia/Dubai", "Europe/Berlin": "Europe/Berlin"}
        for name, rules in want.items():
            assert database.fingerprint(name) == COMPILED_IN.fingerprint(rules)
            assert database.offset(name, DECEMBER) == DECEMBER.astimezone(zoneinfo.ZoneInfo.no_cache(name)).utcoffset()
        assert database.version is None  # they disagree

    def test_places_of_one_version(self, tzpath: typing.Callable[[list[pathlib.Path]], None], tmp_path: pathlib.Path) -> None:
        write(tmp_path, {"Europe/Paris": tzif("Europe/Paris"), "+VERSION": tzdata.IANA_VERSION.encode()})
        tzpath([tmp_path])
        assert kron.TzDatabase.from_zoneinfo().version == tzdata.IANA_VERSION

    def test_without_data(self, tzpath: typing.Callable[[list[pathlib.Path]], None], monkeypatch: pytest.MonkeyPatch) -> None:
        tzpath([])
        monkeypatch.setitem(sys.modules, "tzdata", None)
        with pytest.raises(ModuleNotFoundError, match="Python has no time zone data.*pip install tzdata"):
            kron.TzDatabase.from_zoneinfo()


class TestQuestions:
    @pytest.mark.parametrize("ask", [
        COMPILED_IN.fingerprint, COMPILED_IN.aliases, COMPILED_IN.offset, COMPILED_IN.changes,
    ])
    def test_unknown_names(self, ask: typing.Callable[[str], object]) -> None:
        with pytest.raises(kron.KronError, match="did you mean `Europe/Paris`") as caught:
            ask("Europe/Pariss")
        assert caught.value.code == 301

    def test_changes(self) -> None:
        spring, autumn, *_ = COMPILED_IN.changes("Europe/Paris", after=MARCH)
        assert spring == (at("2026-03-29T01:00:00Z"), HOUR, 2 * HOUR) and spring.time.tzinfo is UTC
        assert autumn == kron.OffsetChange(at("2026-10-25T01:00:00Z"), 2 * HOUR, HOUR)
        assert COMPILED_IN.changes("Europe/Paris", spring.time)[0] == autumn
        assert COMPILED_IN.changes("Europe/Paris", spring.time - HOUR / 3600)[0] == spring
        assert COMPILED_IN.changes("Asia/Tokyo", MARCH) == []
        assert pickle.loads(pickle.dumps(spring)) == spring and type(spring) is kron.OffsetChange

    def test_offset(self) -> None:
        second = datetime.timedelta(seconds=1)
        spring = at("2026-03-29T01:00:00Z")
        assert COMPILED_IN.offset("Europe/Paris", spring - second / 1000) == HOUR
        assert COMPILED_IN.offset("Europe/Paris", at=spring) == 2 * HOUR
        assert COMPILED_IN.offset("America/St_Johns", MARCH) == -3.5 * HOUR

    def test_the_present_is_the_default(self) -> None:
        later = datetime.datetime.now(UTC) + datetime.timedelta(days=1)
        assert COMPILED_IN.offset("Asia/Tokyo") == 9 * HOUR
        assert COMPILED_IN.changes("Europe/Paris")[1:] == COMPILED_IN.changes("Europe/Paris", COMPILED_IN.changes("Europe/Paris")[0].time)
        assert COMPILED_IN.changes("Europe/Paris", later)[-1] == COMPILED_IN.changes("Europe/Paris")[-1]

    def test_naive_datetimes_are_refused(self) -> None:
        for ask in (COMPILED_IN.offset, COMPILED_IN.changes):
            with pytest.raises(TypeError, match="naive"):
                ask("Europe/Paris", MARCH.replace(tzinfo=None))


class TestWhoTakesOne:
    """Every call that reads a zone has the argument `tz_database`."""

    @pytest.mark.parametrize("make", [
        lambda **given: kron.Job(HAVANA, name="x", **given),
        lambda **given: kron.Job("0 8 * * *", name="x", timezone="America/Havana", window="after,1h", **given),
        lambda **given: kron.Job("0 8 * * *", name="x", timezone=zoneinfo.ZoneInfo("America/Havana"), window="after,1h", **given),
        lambda **given: kron.Job(kron.Cron("0 8 * * *"), name="x", timezone="America/Havana", window="after,1h", **given),
        lambda **given: kron.Job(HAVANA, name="x").replace(**given),
        lambda **given: kron.Job("0 8 * * *", name="x", window="after,1h").replace(timezone="America/Havana", **given),
        lambda **given: kron.decide(HAVANA, DECEMBER, name="x", **given).job,
        lambda **given: kron.loads(f"{HAVANA} name=x", **given).jobs[0].job,
        lambda **given: kron.loads(f"{HAVANA} name=x", **given).fleet[0],
    ])
    def test_jobs(self, make: typing.Callable[..., kron.Job], database_2026e: kron.TzDatabase) -> None:
        want = {None: "2026-12-01T12", COMPILED_IN: "2026-12-01T12", database_2026e: "2026-12-01T13"}
        for database, hour in want.items():
            job = make(tz_database=database)
            nominal = job.next_period(DECEMBER).period_id
            assert nominal.startswith(hour) and str(job) == "0 8 * * * @tz(America/Havana) @win(after,1h0m0s)"
            used = database or COMPILED_IN
            assert (job.tzdb_version, job.timezone_fingerprint) == (used.version, used.fingerprint("America/Havana"))

    def test_files_and_manifests(self, tmp_path: pathlib.Path, database_2026e: kron.TzDatabase) -> None:
        (tmp_path / "jobs.kron").write_text(f"{HAVANA} name=x\n")
        (loaded,) = kron.load(tmp_path / "jobs.kron", tz_database=database_2026e).jobs
        assert loaded.job.tzdb_version == "2026e"
        pod = {"restartPolicy": "Never", "containers": [{"name": "c"}]}
        manifest = {
            "apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "metadata": {"name": "x", "namespace": "y"},
            "spec": {"schedule": "@daily", "timezone": "Mars/Olympus", "jobTemplate": {"spec": {"template": {"spec": pod}}}},
        }
        (loaded,) = kron.loads(json.dumps(manifest), tz_database=MARS).jobs
        assert loaded.job.tzdb_version == "2026x"
        with pytest.raises(kron.LoadError, match="Mars/Olympus"):
            kron.loads(json.dumps(manifest))

    def test_cron(self, database_2026e: kron.TzDatabase) -> None:
        eight = kron.Cron("0 8 * * *")
        for database, hour in ((None, 12), (COMPILED_IN, 12), (database_2026e, 13)):
            want = DECEMBER + hour * HOUR
            assert eight.next(DECEMBER, timezone="America/Havana", tz_database=database) == want
            assert eight.prev(want, timezone="America/Havana", tz_database=database) == want
        assert eight.next(DECEMBER, tz_database=MARS) == DECEMBER + 8 * HOUR

    def test_names_are_looked_up_there_and_nowhere_else(self) -> None:
        with pytest.raises(kron.KronError, match="unknown time zone `Mars/Olympus`"):
            kron.Job("@daily @tz(Mars/Olympus)", name="x")
        for make in (
            lambda: kron.Job("@daily @tz(Europe/Paris)", name="x", tz_database=MARS),
            lambda: kron.Job("@daily", name="x", timezone="Europe/Paris", tz_database=MARS),
            lambda: kron.Job("@daily", name="x", timezone="Europe/Paris").replace(tz_database=MARS),
            lambda: kron.Cron("@daily").next(timezone="Europe/Paris", tz_database=MARS),
        ):
            with pytest.raises(kron.KronError, match="unknown time zone `Europe/Paris`") as caught:
                make()
            assert caught.value.code == 301

    def test_utc_is_in_every_database(self, database_2026e: kron.TzDatabase) -> None:
        for zone in ("UTC", datetime.timezone.utc, None):
            job = kron.Job("@daily", name="x", timezone=zone, tz_database=MARS)
            assert job.timezone.key == "UTC" and job.next_start(MARCH).chosen_time == MARCH + 24 * HOUR
            assert kron.Job("@daily", name="x", timezone=zone, tz_database=database_2026e).tzdb_version == "2026e"
        assert kron.Job(kron.Cron("@daily"), name="x", tz_database=database_2026e).tzdb_version == "2026e"

    def test_replace_without_a_zone_keeps_the_rules(self, database_2026e: kron.TzDatabase) -> None:
        job = kron.Job(HAVANA, name="x", tz_database=database_2026e).replace(name="y", window="after,2h")
        assert job.tzdb_version == "2026e" and job.name == "y"

    @pytest.mark.parametrize("bad", ["2026f", 1, kron.TzDatabase, b""])
    def test_types(self, bad: typing.Any) -> None:
        receipt = kron.Job(HAVANA, name="x").next_start(MARCH).receipt()
        for call in (
            lambda: kron.Job("@daily", name="x", tz_database=bad), lambda: kron.Job("@daily", name="x").replace(tz_database=bad),
            lambda: kron.loads("", tz_database=bad), lambda: kron.Cron("@daily").next(tz_database=bad),
            lambda: receipt.verify(tz_database=bad), lambda: kron.verify(receipt, tz_database=bad),
            lambda: kron.decide("@daily", MARCH, name="x", tz_database=bad),
        ):
            with pytest.raises(TypeError, match="tz_database|a kron.TzDatabase, not"):
                call()

    def test_a_part_is_given_once(self) -> None:
        with pytest.raises(TypeError, match="`timezone` is given twice"):
            kron.Job("@daily @tz(Mars/Olympus)", name="x", timezone="Mars/Olympus", tz_database=MARS)


class TestEqualStarts:
    def test_given_and_compiled_in(self) -> None:
        """On the same data, the way in which it was given makes no difference."""
        given = kron.TzDatabase.from_tzdata()
        end = MARCH + datetime.timedelta(days=300)
        for name in COMPILED_IN.zone_names():
            text = f"30 2,12 * * * @tz({name}) @win(around,4h) @dist(normal) @avoid(hours=3)"
            ours, theirs = kron.Job(text, name=name), kron.Job(text, name=name, tz_database=given)
            assert ours == theirs and hash(ours) == hash(theirs) and ours.timezone_fingerprint == theirs.timezone_fingerprint
            assert ours.nominal_times(MARCH, end) == theirs.nominal_times(MARCH, end), name
            assert ours.chosen_times(MARCH, end) == theirs.chosen_times(MARCH, end), name

    def test_other_rules_are_another_job(self, database_2026e: kron.TzDatabase) -> None:
        ours, theirs = kron.Job(HAVANA, name="x"), kron.Job(HAVANA, name="x", tz_database=database_2026e)
        assert ours != theirs and ours == kron.Job(HAVANA, name="x", tz_database=kron.TzDatabase.from_tzdata())


class TestTimezone:
    def test_is_python_s_zone_of_that_name(self, database_2026e: kron.TzDatabase) -> None:
        assert kron.Job(HAVANA, name="x", tz_database=database_2026e).timezone is zoneinfo.ZoneInfo("America/Havana")

    def test_python_has_no_such_zone(self) -> None:
        job = kron.Job("0 8 * * * @tz(Mars/Olympus)", name="x", tz_database=MARS)
        assert job.next_start(MARCH).chosen_time == MARCH + 7 * HOUR
        with pytest.raises(zoneinfo.ZoneInfoNotFoundError, match="Python's zoneinfo has no time zone `Mars/Olympus`.* 2026x; install") as caught:
            job.timezone  # noqa: B018
        assert isinstance(caught.value.__cause__, zoneinfo.ZoneInfoNotFoundError)

    def test_a_name_that_is_a_directory_to_python(self) -> None:
        database = kron.TzDatabase.from_tzif({"America": tzif("Europe/Paris")})
        with pytest.raises(zoneinfo.ZoneInfoNotFoundError, match="`America`.* of unknown version"):
            kron.Job("@daily @tz(America)", name="x", tz_database=database).timezone  # noqa: B018


class TestReceipts:
    def test_other_release_with_the_same_rules(self, database_2026e: kron.TzDatabase) -> None:
        receipt = kron.Job("@daily @tz(Europe/Paris)", name="x", tz_database=database_2026e).next_start(MARCH).receipt()
        assert json.loads(receipt.to_json())["tzdbVersion"] == "2026e"
        for found in (receipt.verify(), kron.verify(receipt.to_json())):
            assert found.agrees and found == kron.Verification(
                (), "other-release", ("other times of the schedule",), versions=("2026e", "2026f"))
            assert eval(repr(found)) == found == pickle.loads(pickle.dumps(found))
        for found in (receipt.verify(database_2026e), kron.verify(receipt, tz_database=database_2026e)):
            assert found == kron.Verification((), "same", ("other times of the schedule",))

    def test_different_rules(self, database_2026e: kron.TzDatabase) -> None:
        receipt = kron.Job(HAVANA, name="x").next_start(MARCH).receipt()
        assert receipt.verify().zone_rules == "same"
        found = receipt.verify(tz_database=database_2026e)
        assert [it.field for it in found.differences] == ["timezoneFingerprint"] and not found.agrees
        assert (found.zone_rules, found.first_difference) == ("different", at("2026-11-01T05:00:00Z"))
        assert eval(repr(found)) == found

    def test_different_rules_that_nobody_has_here(self, database_2026e: kron.TzDatabase) -> None:
        receipt = kron.Job(HAVANA, name="x", tz_database=database_2026e).next_start(DECEMBER).receipt()
        found = receipt.verify()
        assert (found.zone_rules, found.first_difference) == ("different", None)
        assert "decision.nominalTime" not in {it.field for it in found.differences} and not found.agrees
        assert receipt.verify(database_2026e).agrees

    def test_a_zone_that_the_database_lacks(self) -> None:
        receipt = kron.Job("@daily @tz(Mars/Olympus)", name="x", tz_database=MARS).next_start(MARCH).receipt()
        with pytest.raises(kron.KronError, match="Mars/Olympus"):
            receipt.verify()
        assert receipt.verify(MARS).agrees


class TestPickles:
    """The rules are in the pickle, so another process computes the same starts."""

    def test_databases(self, database_2026e: kron.TzDatabase) -> None:
        for database in (MARS, database_2026e, kron.TzDatabase.from_tzif({}), kron.TzDatabase.from_tzdata()):
            again = pickle.loads(pickle.dumps(database))
            assert (again.version, again.is_compiled_in, again.zone_names()) == (database.version, False, database.zone_names())
            for name in database.zone_names():
                assert again.fingerprint(name) == database.fingerprint(name)
        assert pickle.loads(pickle.dumps(COMPILED_IN)).is_compiled_in

    @pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
    def test_jobs(self, protocol: int, database_2026e: kron.TzDatabase) -> None:
        job = kron.Job(HAVANA, name="x", tz_database=database_2026e)
        again = pickle.loads(pickle.dumps(job, protocol))
        assert again == job and hash(again) == hash(job) and again != kron.Job(HAVANA, name="x")
        assert (again.tzdb_version, again.timezone_fingerprint) == ("2026e", job.timezone_fingerprint)
        assert again.next_start(DECEMBER) == job.next_start(DECEMBER)
        assert len(pickle.dumps(job)) < 6_000

    def test_every_zone(self, database_2026e: kron.TzDatabase) -> None:
        for name in database_2026e.zone_names():
            job = kron.Job("@daily", name="x", timezone=name, tz_database=database_2026e)
            again = pickle.loads(pickle.dumps(job))
            assert again == job and again.timezone_fingerprint == job.timezone_fingerprint and again.tzdb_version == "2026e"

    def test_all_that_has_jobs(self, database_2026e: kron.TzDatabase) -> None:
        job = kron.Job(HAVANA, name="x", tz_database=database_2026e)
        fleet, decision = kron.Fleet([job, job.replace(name="y")]), job.next_start(DECEMBER)
        values = [fleet, decision, job.explain(decision.nominal_time), job.plan(kron.HostState(MARCH), DECEMBER), kron.loads(f"{HAVANA} name=x", tz_database=database_2026e)]
        assert pickle.loads(pickle.dumps(values)) == values
        assert {job.tzdb_version for job in pickle.loads(pickle.dumps(fleet))} == {"2026e"}

    def test_without_a_version(self) -> None:
        database = kron.TzDatabase.from_tzif({"America/Havana": tzif("Europe/Paris")})
        job = kron.Job(HAVANA, name="x", tz_database=database)
        again = pickle.loads(pickle.dumps(job))
        assert again == job and again.tzdb_version is None

    def test_given_rules_stay_given(self) -> None:
        """A later version of the package can have other rules, even if this one has the same."""
        given = kron.Job(HAVANA, name="x", tz_database=kron.TzDatabase.from_tzdata())
        assert len(pickle.dumps(given)) > 1_000 > len(pickle.dumps(kron.Job(HAVANA, name="x")))

    def test_in_another_process(self, database_2026e: kron.TzDatabase) -> None:
        job = kron.Job(HAVANA, name="x", tz_database=database_2026e)
        code = "import pickle, sys; job = pickle.load(sys.stdin.buffer); print(job.next_start_timestamp(1796083200), job.tzdb_version)"
        ran = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(job), capture_output=True, check=True)
        assert ran.stdout.split() == [str(job.next_start_timestamp(1796083200)).encode(), b"2026e"]

    def test_repr_names_the_version(self, database_2026e: kron.TzDatabase) -> None:
        job = kron.Job(HAVANA, name="x", tz_database=database_2026e)
        assert repr(job) == "kron.Job('0 8 * * * @tz(America/Havana) @win(after,1h0m0s)', name='x', tz_database=<2026e>)"
        assert "tz_database=<2026e>" in repr(job.next_start(DECEMBER))


def test_threads_share_a_database(database_2026e: kron.TzDatabase) -> None:
    def work(_: int) -> object:
        jobs = [kron.Job("@daily", name=name, timezone=name, tz_database=database_2026e) for name in database_2026e.zone_names()[::20]]
        found = [(job.next_start(DECEMBER), job.timezone_fingerprint, pickle.loads(pickle.dumps(job))) for job in jobs]
        return found, database_2026e.aliases("Asia/Kolkata"), kron.TzDatabase.from_tzdata().fingerprint("Europe/Paris")

    results = together(work)
    assert len(results) == WORKERS and all(result == results[0] for result in results)
