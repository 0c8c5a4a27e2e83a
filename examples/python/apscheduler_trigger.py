"""Jitter for APScheduler 3: a trigger that fires at the chosen times of a kron job.

    scheduler.add_job(backup, KronTrigger("0 0 * * * @win(after,3h)", name="prod/db-backup"))

APScheduler's own jitter is random; this one is the same on every machine and after every restart.
"""

from __future__ import annotations

import datetime
import typing

import kron

try:
    from apscheduler.triggers.base import BaseTrigger
except ImportError:  # the trigger's protocol is one method
    BaseTrigger = object


class KronTrigger(BaseTrigger):  # type: ignore[misc]
    """Fires when the job starts. Takes what `kron.Job` takes."""

    def __init__(self, text: str, **parts: typing.Any) -> None:
        self.job = kron.Job(text, **parts)

    def get_next_fire_time(
        self, previous_fire_time: datetime.datetime | None, now: datetime.datetime
    ) -> datetime.datetime | None:
        """The next start after the previous one; `None` if there is none in sight."""
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
        return f"KronTrigger({str(self.job)!r}, name={self.job.name!r})"
