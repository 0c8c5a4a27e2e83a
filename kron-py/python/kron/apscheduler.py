"""A trigger for APScheduler 3 that fires at the starts of a job. Needs ``apscheduler``.

>>> import kron, kron.apscheduler
>>> from apscheduler.schedulers.background import BackgroundScheduler
>>> scheduler = BackgroundScheduler()
>>> trigger = kron.apscheduler.KronTrigger(kron.Job("0 0 * * * @win(after,3h)", name="prod/db-backup"))
>>> job = scheduler.add_job(print, trigger, args=["backup"])

It fires when the job starts:

>>> import datetime
>>> noon = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.timezone.utc)
>>> trigger.get_next_fire_time(None, noon) == trigger.job.next_start(noon).chosen_time
True

APScheduler's own jitter is random; these starts are the same on every machine and after every restart. The scheduler decides about
late and overlapping runs (``misfire_grace_time``, ``coalesce``, ``max_instances``); the policy of the job has no effect.
"""

from __future__ import annotations

import datetime
import typing

import kron

try:
    from apscheduler.triggers.base import BaseTrigger
except ImportError as _missing:
    raise ImportError("kron.apscheduler needs APScheduler 3: pip install 'apscheduler<4'") from _missing

__all__ = ["KronTrigger"]


class KronTrigger(BaseTrigger):  # type: ignore[misc]
    """Fires when the job starts."""

    def __init__(self, job: kron.Job) -> None:
        self.job = job

    def get_next_fire_time(
        self, previous_fire_time: datetime.datetime | None, now: datetime.datetime
    ) -> datetime.datetime | None:
        """The first start after the previous one; ``None`` if ``Job.next_start`` finds none."""
        try:
            start = self.job.next_start(previous_fire_time or now)
        except kron.KronError:
            return None
        assert start.chosen_time is not None
        return start.chosen_time.astimezone(self.job.timezone)

    def __getstate__(self) -> dict[str, typing.Any]:
        return {"job": self.job}

    def __setstate__(self, state: dict[str, typing.Any]) -> None:
        self.job = state["job"]

    def __repr__(self) -> str:
        return f"KronTrigger({self.job!r})"
