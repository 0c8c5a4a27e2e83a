"""kron.aio: functions run at the starts of jobs."""

from __future__ import annotations

import asyncio
import datetime
import logging
import typing

import kron
import kron.aio
import pytest
from conftest import at

DAY = datetime.timedelta(days=1)
BEGIN = at("2026-03-01T00:00:00Z")


class FastClock(kron.aio.Clock):
    """A clock that runs as fast as the loop does."""

    def __init__(self) -> None:
        self.time = BEGIN

    def now(self) -> datetime.datetime:
        return self.time

    async def sleep_until(self, when: datetime.datetime) -> None:
        await asyncio.sleep(0)
        self.time = max(self.time, when)
        await asyncio.sleep(0)


def run(
    text: str, length: datetime.timedelta, takes: datetime.timedelta
) -> tuple[list[tuple[str, str]], list[kron.Decision], list[str]]:
    """Runs one job: its outcomes, the starts, and the periods whose executions were cancelled."""
    clock, started, cancelled = FastClock(), [], []
    outcomes: list[tuple[str, str]] = []
    runner = kron.aio.Runner(clock=clock, on_outcome=lambda _, period, outcome: outcomes.append((period.period_id, outcome)))

    @runner.job(kron.Job(text, name="a/b"))
    async def execute(start: kron.Decision) -> None:
        assert start.chosen_time == clock.now()
        started.append(start)
        end = clock.now() + takes
        try:
            while clock.now() < end:
                await asyncio.sleep(0)
        except asyncio.CancelledError:
            cancelled.append(start.period_id)
            raise

    asyncio.run(runner.run(until=BEGIN + length))
    return outcomes, started, cancelled


def test_starts_every_job_at_its_second() -> None:
    text = "0 * * * * @win(after,40m)"
    outcomes, started, _ = run(text, DAY, datetime.timedelta(0))
    assert started == list(kron.Job(text, name="a/b").starts(BEGIN + datetime.timedelta(seconds=1), BEGIN + DAY))
    assert outcomes == [(decision.period_id, "executed") for decision in started] and len(started) == 24


def test_forbids_and_replaces() -> None:
    long = datetime.timedelta(minutes=90)
    outcomes, started, _ = run("0 * * * * @win(after,10m)", DAY, long)
    assert {outcome for _, outcome in outcomes} == {"executed", "skipped"} and len(outcomes) == 24 and len(started) == 12
    outcomes, started, cancelled = run("0 * * * * @win(after,10m) @policy(concurrency=replace)", DAY, long)
    assert {outcome for _, outcome in outcomes} == {"executed"} and len(started) == 24 and len(cancelled) == 24


def test_suspended_jobs_do_not_start() -> None:
    outcomes, started, _ = run("0 * * * * @policy(suspend=true)", DAY, datetime.timedelta(0))
    assert outcomes == [] and started == []


def test_memory_does_not_grow_with_time() -> None:
    """A month of minutes: every period is handled once, although the runner forgets them."""
    outcomes, started, _ = run("* * * * * @win(after,30s)", 30 * DAY, datetime.timedelta(0))
    assert len(outcomes) == len({period for period, _ in outcomes}) == len(started) == 30 * 24 * 60


def test_a_function_that_fails_ends_nothing(caplog: pytest.LogCaptureFixture) -> None:
    clock, started = FastClock(), []
    runner = kron.aio.Runner(clock=clock)

    async def fail(start: kron.Decision) -> None:
        started.append(start)
        raise RuntimeError("no disk")

    runner.add(kron.Job("0 * * * *", name="a/b"), fail)
    with caplog.at_level(logging.ERROR, "kron.aio"):
        asyncio.run(runner.run(until=BEGIN + DAY / 2))
    assert len(started) > 5 and len(caplog.records) == len(started)
    assert caplog.records[0].getMessage() == f"a/b failed in period {started[0].period_id}"


def test_names_are_unique() -> None:
    runner = kron.aio.Runner()

    async def nothing(_: kron.Decision) -> None: ...

    runner.add(kron.Job("0 * * * *", name="a/b"), nothing)
    with pytest.raises(ValueError, match="two jobs have the name 'a/b'"):
        runner.add(kron.Job("5 * * * *", name="a/b"), nothing)


def test_cancellation_ends_the_executions() -> None:
    """On the real clock: a job that is due at once would start; the run is cancelled like any task."""
    ended: list[str] = []
    clock = FastClock()
    runner = kron.aio.Runner(clock=clock)

    @runner.job(kron.Job("0 * * * *", name="a/b"))
    async def endless(_: kron.Decision) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("ended")

    async def main() -> None:
        task = asyncio.create_task(runner.run())
        while clock.now() < BEGIN + DAY:
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert ended == ["ended"]


def test_the_real_clock_waits() -> None:
    clock = kron.aio.Clock()
    began: typing.Any = clock.now()
    asyncio.run(clock.sleep_until(began + datetime.timedelta(milliseconds=50)))
    assert clock.now() - began >= datetime.timedelta(milliseconds=49)
