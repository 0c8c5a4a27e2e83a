"""kron.celery on Celery itself: its beat runs on a clock of the test."""

from __future__ import annotations

import datetime
import pickle
import typing

import celery
import celery.beat
import kron
import kron.celery
import pytest
from conftest import at

DAY = datetime.timedelta(days=1)
BEGIN = at("2026-03-01T12:00:00Z")
JOB = kron.Job("0 0 * * * @win(after,3h) @policy(deadline=5m)", name="reports/nightly", timezone="Europe/Paris")


class Beat:
    """Celery's scheduler on a clock that jumps to the time at which it wants to be asked again."""

    def __init__(self, job: kron.Job, monkeypatch: pytest.MonkeyPatch) -> None:
        self.time = BEGIN
        self.sent: list[datetime.datetime] = []
        app = celery.Celery("test", set_as_current=False)
        app.conf.timezone = "Asia/Tokyo"
        app.conf.beat_schedule = {"x": {"task": "t", "schedule": kron.celery.KronSchedule(job, nowfun=lambda: self.time)}}
        test = self

        class Scheduler(celery.beat.Scheduler):
            def apply_async(self, entry: typing.Any, producer: typing.Any = None, advance: bool = True, **_: typing.Any) -> typing.Any:
                test.sent.append(test.time)

        monkeypatch.setattr(Scheduler, "producer", None)
        self.scheduler = Scheduler(app=app, max_interval=300)
        self.scheduler.merge_inplace(app.conf.beat_schedule)
        # Beat reads the system's clock here alone.
        monkeypatch.setattr(celery.beat.ScheduleEntry, "default_now", lambda _: self.time)
        monkeypatch.setattr(celery.beat.Scheduler, "_when", lambda _, entry, wait: self.time.timestamp() + (wait or 0))
        for entry in self.scheduler.schedule.values():
            entry.last_run_at = self.time

    def run(self, until: datetime.datetime) -> None:
        while self.time < until:
            wait = self.scheduler.tick()
            self.time += datetime.timedelta(seconds=max(wait, 0.001))


def test_beat_sends_at_the_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    beat = Beat(JOB, monkeypatch)
    beat.run(BEGIN + 7 * DAY)
    starts = [start.chosen_time for start in JOB.starts(BEGIN, BEGIN + 7 * DAY)]
    assert [sent.replace(microsecond=0) for sent in beat.sent] == starts and len(starts) == 7


def test_frequent_jobs_lose_no_start(monkeypatch: pytest.MonkeyPatch) -> None:
    job = kron.Job("* * * * * @win(after,30s)", name="x")
    beat = Beat(job, monkeypatch)
    beat.run(BEGIN + DAY / 12)
    starts = [start.chosen_time for start in job.starts(BEGIN + datetime.timedelta(seconds=1), BEGIN + DAY / 12)]
    assert [sent.replace(microsecond=0) for sent in beat.sent] == starts and len(starts) >= 119


@pytest.mark.parametrize("late, due", [(0, True), (299, True), (300, True), (301, False)])
def test_late_starts_follow_the_deadline(late: int, due: bool) -> None:
    start = JOB.next_start(BEGIN).chosen_time
    assert start is not None
    schedule = kron.celery.KronSchedule(JOB, nowfun=lambda: start + datetime.timedelta(seconds=late))
    found, wait = schedule.is_due(BEGIN)
    assert found is due
    following = JOB.next_start(start).chosen_time
    assert following is not None and wait == (following - start).total_seconds() - late


def test_after_an_absence_one_start_is_sent() -> None:
    job = kron.Job("0 * * * * @policy(deadline=24h)", name="x")
    now = BEGIN + 3 * DAY + datetime.timedelta(minutes=10)
    schedule = kron.celery.KronSchedule(job, nowfun=lambda: now)
    assert schedule.is_due(BEGIN) == (True, 50 * 60)
    assert schedule.is_due(now) == (False, 50 * 60)


def test_suspended_and_endless_waits() -> None:
    start = JOB.next_start(BEGIN).chosen_time
    suspended = kron.celery.KronSchedule(JOB.replace(policy="deadline=5m,suspend=true"), nowfun=lambda: start)
    assert suspended.is_due(BEGIN)[0] is False
    never = kron.celery.KronSchedule(kron.Job("0 0 * * * @only(date=2020-01-01)", name="x"), nowfun=lambda: BEGIN)
    assert never.is_due(BEGIN) == (False, 86400)


def test_remaining_estimate() -> None:
    schedule = kron.celery.KronSchedule(JOB, nowfun=lambda: BEGIN)
    start = JOB.next_start(BEGIN).chosen_time
    assert start is not None and schedule.remaining_estimate(BEGIN) == start - BEGIN


def test_is_kept_and_compared() -> None:
    schedule = kron.celery.KronSchedule(JOB)
    again = pickle.loads(pickle.dumps(schedule))
    assert again == schedule and hash(again) == hash(schedule) and again.job == JOB
    assert schedule != kron.celery.KronSchedule(JOB.replace(name="other"))
    assert repr(schedule) == f"<kron: {JOB} reports/nightly>"
