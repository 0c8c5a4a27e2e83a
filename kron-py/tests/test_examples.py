"""The examples do what they say."""

from __future__ import annotations

import asyncio
import datetime
import importlib.util
import os
import pickle
import subprocess
import sys
import types
import typing

import kron
import pytest
from conftest import ROOT, UTC, at

EXAMPLES = ROOT / "examples" / "python"
DAY = datetime.timedelta(days=1)


def load(name: str) -> typing.Any:
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


class TestAsyncioLoop:
    LOOP = load("asyncio_loop")
    BEGIN = at("2026-03-01T00:00:00Z")

    def run(self, text: str, length: datetime.timedelta, takes: datetime.timedelta) -> tuple[list[tuple[str, str]], list[kron.Decision], list[str]]:
        """Keeps a job on a clock that runs as fast as the loop does."""
        test, started, cancelled = self, [], []

        class Clock:
            time = test.BEGIN

            def now(self) -> datetime.datetime:
                return self.time

            async def sleep_until(self, when: datetime.datetime) -> None:
                await asyncio.sleep(0)
                self.time = max(self.time, when)
                await asyncio.sleep(0)

        clock = Clock()

        async def run(_: kron.LoadedJob, decision: kron.Decision) -> None:
            assert decision.chosen_time == clock.now()
            started.append(decision)
            end = clock.now() + takes
            try:
                while clock.now() < end:
                    await asyncio.sleep(0)
            except asyncio.CancelledError:
                cancelled.append(decision.period_id)
                raise

        loaded = kron.LoadedJob(kron.Job(text, name="a/b"))
        outcomes = asyncio.run(self.LOOP.keep(loaded, run, clock, self.BEGIN + length))
        return outcomes, started, cancelled

    def test_starts_every_job_at_its_second(self) -> None:
        text = "0 * * * * @win(after,40m)"
        outcomes, started, _ = self.run(text, DAY, datetime.timedelta(0))
        assert started == list(kron.Job(text, name="a/b").starts(self.BEGIN + datetime.timedelta(seconds=1), self.BEGIN + DAY))
        assert outcomes == [(decision.period_id, "executed") for decision in started] and len(started) == 24

    def test_forbids_and_replaces(self) -> None:
        long = datetime.timedelta(minutes=90)
        outcomes, started, _ = self.run("0 * * * * @win(after,10m)", DAY, long)
        assert {outcome for _, outcome in outcomes} == {"executed", "skipped"} and len(outcomes) == 24 and len(started) == 12
        outcomes, started, cancelled = self.run("0 * * * * @win(after,10m) @policy(concurrency=replace)", DAY, long)
        assert {outcome for _, outcome in outcomes} == {"executed"} and len(started) == 24 and len(cancelled) == 24


class TestAPSchedulerTrigger:
    def test_fires_at_the_starts(self) -> None:
        trigger = load("apscheduler_trigger").KronTrigger("0 0 * * * @win(after,3h)", name="prod/db", timezone="Europe/Paris")
        now, previous, fired = at("2026-03-01T12:00:00Z"), None, []
        for _ in range(5):
            previous = trigger.get_next_fire_time(previous, now)
            fired.append(previous)
        assert fired == [start.chosen_time for start in trigger.job.starts(now, now + 5 * DAY)]
        assert fired[0].tzinfo.key == "Europe/Paris"
        assert trigger.get_next_fire_time(at("2100-01-02T00:00:00Z"), now) is None

    def test_in_a_scheduler(self) -> None:
        base = pytest.importorskip("apscheduler.schedulers.background")
        scheduler = base.BackgroundScheduler(timezone=UTC)
        trigger = load("apscheduler_trigger").KronTrigger("0 0 * * * @win(after,3h)", name="prod/db")
        scheduler.start(paused=True)
        job = scheduler.add_job(print, trigger)
        assert job.next_run_time == trigger.job.next_start().chosen_time
        scheduler.shutdown()


class Interval(typing.NamedTuple):
    """Airflow's `DataInterval`, as its documentation has it."""

    start: datetime.datetime
    end: datetime.datetime

    @classmethod
    def exact(cls, at: datetime.datetime) -> Interval:
        return cls(at, at)


class RunInfo(typing.NamedTuple):
    """Airflow's `DagRunInfo`."""

    run_after: datetime.datetime
    data_interval: Interval


class Restriction(typing.NamedTuple):
    """Airflow's `TimeRestriction`."""

    earliest: datetime.datetime | None
    latest: datetime.datetime | None
    catchup: bool


@pytest.fixture(scope="module")
def airflow() -> typing.Any:
    """The example, on Airflow's own classes if it is installed, else on ones that follow its documentation.

    scripts/test_py.sh runs these tests both ways, and says by KRON_AIRFLOW when they must be Airflow's own.
    """
    try:
        import airflow.timetables.base  # noqa: F401
    except ImportError:
        assert "KRON_AIRFLOW" not in os.environ
        base = types.ModuleType("airflow.timetables.base")
        base.__dict__.update(DataInterval=Interval, DagRunInfo=RunInfo, TimeRestriction=Restriction, Timetable=object)
        pendulum = types.ModuleType("pendulum")
        pendulum.__dict__.update(instance=lambda time: time)
        for name, module in (("airflow", types.ModuleType("airflow")), ("airflow.timetables", types.ModuleType("airflow.timetables")),
                             ("airflow.timetables.base", base), ("pendulum", pendulum)):
            sys.modules.setdefault(name, module)
    return load("airflow_timetable")


class TestAirflowTimetable:
    TEXT = "0 2 * * * @tz(Europe/Paris) @win(after,3h) @avoid(dow=SUN)"
    START = at("2026-03-01T00:00:00Z")

    def runs(self, airflow: typing.Any, restriction: typing.Any, count: int) -> list[typing.Any]:
        timetable, last, found = airflow.KronTimetable(self.TEXT, name="etl/orders"), None, []
        for _ in range(count):
            info = timetable.next_dagrun_info(last_automated_data_interval=last, restriction=restriction)
            if info is None:
                break
            found.append(info)
            last = info.data_interval
        return found

    def test_catches_up(self, airflow: typing.Any) -> None:
        restriction = airflow.TimeRestriction(self.START, self.START + 14 * DAY, True)
        runs = self.runs(airflow, restriction, 100)
        job = kron.Job(self.TEXT, name="etl/orders")
        periods = [it for it in job.periods(self.START, self.START + 14 * DAY) if it.chosen_time]
        assert [info.data_interval.start for info in runs] == [it.nominal_time for it in periods] and len(runs) == 12
        assert [info.run_after for info in runs] == [it.chosen_time for it in periods]
        assert all(info.data_interval.end == info.data_interval.start for info in runs)

    def test_does_not_catch_up(self, airflow: typing.Any) -> None:
        now = datetime.datetime.now(UTC)
        runs = self.runs(airflow, airflow.TimeRestriction(self.START, None, False), 3)
        assert runs[0].run_after >= now and runs[0].run_after - now < 3 * DAY and len(runs) == 3
        assert runs[0].data_interval.start < runs[1].data_interval.start

    def test_bounds(self, airflow: typing.Any) -> None:
        assert self.runs(airflow, airflow.TimeRestriction(None, None, True), 1) == []
        assert self.runs(airflow, airflow.TimeRestriction(self.START, self.START + DAY / 24, True), 1) == []
        nominal = kron.Job(self.TEXT, name="etl/orders").next_period(self.START + 2 * DAY).nominal_time
        (only,) = self.runs(airflow, airflow.TimeRestriction(nominal, nominal, True), 3)
        assert only.data_interval.start == nominal

    def test_a_job_without_starts_holds_nothing_up(self, airflow: typing.Any) -> None:
        timetable = airflow.KronTimetable("* * * * * @only(hours=1) @avoid(hours=1)", name="x")
        restriction = airflow.TimeRestriction(self.START, None, True)
        assert timetable.next_dagrun_info(last_automated_data_interval=None, restriction=restriction) is None

    def test_keeps_the_interface(self, airflow: typing.Any) -> None:
        timetable = airflow.KronTimetable(self.TEXT, name="etl/orders")
        assert isinstance(timetable, airflow.Timetable) and timetable.description.startswith(timetable.summary)
        if "KRON_AIRFLOW" in os.environ:  # What a scheduler calls, by way of Airflow's base class.
            timetable.validate()
            restriction = airflow.TimeRestriction(self.START, None, True)
            info = timetable.next_dagrun_info_v2(last_dagrun_info=None, restriction=restriction)
            again = timetable.next_dagrun_info_v2(last_dagrun_info=info, restriction=restriction)
            assert info.logical_date == at("2026-03-02T01:00:00Z") and again.logical_date == at("2026-03-03T01:00:00Z")

    def test_serializes(self, airflow: typing.Any) -> None:
        timetable = airflow.KronTimetable(self.TEXT, name="etl/orders")
        again = airflow.KronTimetable.deserialize(timetable.serialize())
        assert again.job == timetable.job and again.summary == timetable.summary == str(timetable.job)
        assert pickle.loads(pickle.dumps(timetable.serialize())) == timetable.serialize()

    def test_by_hand(self, airflow: typing.Any) -> None:
        interval = airflow.KronTimetable(self.TEXT, name="x").infer_manual_data_interval(run_after=at("2026-03-03T12:00:00Z"))
        assert interval.start == interval.end == at("2026-03-03T01:00:00Z")


def test_herd(tmp_path: typing.Any) -> None:
    ran = subprocess.run([sys.executable, str(EXAMPLES / "herd.py"), str(tmp_path)], capture_output=True, text=True, check=True)
    words = ran.stdout.splitlines()[0].split()
    assert words[:3] == ["the", "worst", "minute:"] and int(words[3]) > 2 * int(words[9])
    for name in ("herd.png", "week.png", "density.png"):
        assert (tmp_path / name).read_bytes().startswith(b"\x89PNG") and (tmp_path / name).stat().st_size > 10_000
