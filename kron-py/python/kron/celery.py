"""A schedule for Celery beat whose tasks are sent at the starts of a job. Needs ``celery``.

>>> import celery, kron, kron.celery
>>> app = celery.Celery("reports")
>>> app.conf.beat_schedule = {
...     "nightly": {
...         "task": "reports.nightly",
...         "schedule": kron.celery.KronSchedule(kron.Job("0 0 * * * @win(after,3h) @policy(deadline=5m)", name="reports/nightly")),
...     }
... }
>>> schedule = app.conf.beat_schedule["nightly"]["schedule"]
>>> schedule.job.name
'reports/nightly'

The policy of the job decides about late starts: with the deadline 0s, the default, a task is sent in its second or not at all, so
set a deadline. After beat was down, it sends at most one late task. ``suspend`` takes effect; ``concurrency`` does not, because
beat does not know which tasks are still running.
"""

from __future__ import annotations

import collections.abc
import datetime
import typing

import kron

try:
    from celery.schedules import BaseSchedule, schedstate
except ImportError as _missing:
    raise ImportError("kron.celery needs Celery: pip install celery") from _missing

__all__ = ["KronSchedule"]

#: Seconds after which beat asks again about a job that has no further start.
_DAY = 86400.0


class KronSchedule(BaseSchedule):  # type: ignore[misc]
    """Sends a task when the job starts. ``nowfun`` and ``app`` are Celery's."""

    def __init__(
        self,
        job: kron.Job,
        nowfun: collections.abc.Callable[[], datetime.datetime] | None = None,
        app: typing.Any = None,
    ) -> None:
        super().__init__(nowfun=nowfun, app=app)
        self.job = job

    def is_due(self, last_run_at: datetime.datetime) -> tuple[bool, float]:
        """Whether a task is to be sent now, and in how many seconds to ask again."""
        now = self.maybe_make_aware(self.now())
        last = self.maybe_make_aware(last_run_at)
        # What was chosen before the last run has its outcome: it was sent, or it was too late then.
        plan = self.job.plan(kron.HostState(last), now)
        due = any(step.action.starts for step in plan.steps)
        answer: tuple[bool, float] = schedstate(due, self._seconds_to_next_start(now, now))
        return answer

    def remaining_estimate(self, last_run_at: datetime.datetime) -> datetime.timedelta:
        """The time until the first start after the last run."""
        now = self.maybe_make_aware(self.now())
        return datetime.timedelta(seconds=self._seconds_to_next_start(self.maybe_make_aware(last_run_at), now))

    def _seconds_to_next_start(self, after: datetime.datetime, now: datetime.datetime) -> float:
        try:
            start = self.job.next_start(after)
        except kron.KronError:
            return _DAY
        assert start.chosen_time is not None
        return (start.chosen_time - now).total_seconds()

    def __eq__(self, other: object) -> bool:
        if isinstance(other, KronSchedule):
            return self.job == other.job
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self.job)

    def __reduce__(self) -> tuple[type[KronSchedule], tuple[kron.Job]]:
        # Without app and clock, as Celery's own schedules do it.
        return type(self), (self.job,)

    def __repr__(self) -> str:
        return f"<kron: {self.job} {self.job.name}>"
