"""kron.apscheduler on APScheduler itself."""

from __future__ import annotations

import datetime
import pickle
import typing

import apscheduler.schedulers.background
import kron
import kron.apscheduler
from conftest import UTC, at

DAY = datetime.timedelta(days=1)
JOB = kron.Job("0 0 * * * @win(after,3h)", name="prod/db", timezone="Europe/Paris")


def test_fires_at_the_starts() -> None:
    trigger = kron.apscheduler.KronTrigger(JOB)
    now, fired = at("2026-03-01T12:00:00Z"), []
    previous: datetime.datetime | None = None
    for _ in range(5):
        previous = trigger.get_next_fire_time(previous, now)
        fired.append(previous)
    assert fired == [start.chosen_time for start in JOB.starts(now, now + 5 * DAY)]
    zone: typing.Any = fired[0] and fired[0].tzinfo
    assert zone.key == "Europe/Paris"
    assert trigger.get_next_fire_time(at("2100-01-02T00:00:00Z"), now) is None


def test_in_a_scheduler() -> None:
    scheduler = apscheduler.schedulers.background.BackgroundScheduler(timezone=UTC)
    scheduler.start(paused=True)
    job = scheduler.add_job(print, kron.apscheduler.KronTrigger(JOB))
    assert job.next_run_time == JOB.next_start().chosen_time
    scheduler.shutdown()


def test_is_kept_by_job_stores() -> None:
    again = pickle.loads(pickle.dumps(kron.apscheduler.KronTrigger(JOB)))
    assert again.job == JOB and repr(again) == f"KronTrigger({JOB!r})"
