"""What an edit of jobs changes, as frozen dataclasses: the answers of ``kron.diff``."""

from __future__ import annotations

import dataclasses
import datetime
import typing

from kron._kron import Job, Timestamps
from kron._record import Record, frames, text


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class StartChange(Record):
    """A period whose start an edit changes."""

    #: ``'appears'``: it has a start that it did not have; ``'vanishes'``: it loses its start; ``'moves'``: it starts at another second.
    kind: typing.Literal["appears", "vanishes", "moves"]
    #: The nominal time of the period.
    nominal_time: datetime.datetime
    #: The start before the edit; ``None`` without one.
    old: datetime.datetime | None
    #: The start after the edit; ``None`` without one.
    new: datetime.datetime | None

    def __str__(self) -> str:
        return f"{self.kind} {' -> '.join(text(time) for time in (self.old, self.new) if time is not None)}"


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class JobDiff(Record):
    """What an edit does to one job."""

    #: ``'changed'``: its text differs; ``'renamed'``: only its name differs; ``'added'``, ``'removed'``.
    change: typing.Literal["changed", "renamed", "added", "removed"]
    #: The job before the edit; ``None`` if it is added.
    old: Job | None
    #: The job after the edit; ``None`` if it is removed.
    new: Job | None
    #: The starts that appear, vanish or move, in order of their old times, or of the new one if the old one is not in the range.
    starts: tuple[StartChange, ...]
    #: The periods that never start because of the edit, in order of nominal time: their old start is after the edit, and their new
    #: start is not.
    skipped: tuple[StartChange, ...]
    #: The periods that start twice because of the edit, unless the host remembers which periods it has started: their new start is
    #: after the edit, and their old start is not.
    repeated: tuple[StartChange, ...]

    @property
    def name(self) -> str:
        """The name of the job: the new one, or the old one of a job that is removed."""
        job = self.old if self.new is None else self.new
        return "" if job is None else job.name

    def __str__(self) -> str:
        counts = ((len(self.starts), "starts change"), (len(self.skipped), "skipped"), (len(self.repeated), "repeated"))
        return f"{self.change} {self.name}: " + ", ".join(f"{count} {what}" for count, what in counts if count or what == "starts change")


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class Peak(Record):
    """The busiest minute of a fleet."""

    #: All starts in the range.
    starts: int
    #: The most starts in one minute of UTC.
    per_minute: int
    #: The first minute with this number; ``None`` if nothing starts.
    minute: datetime.datetime | None

    def __str__(self) -> str:
        busiest = "" if self.minute is None else f", at most {self.per_minute} in a minute, at {text(self.minute)}"
        return f"{self.starts} starts{busiest}"


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class Diff(Record):
    """What an edit of jobs changes. ``kron.diff`` returns it. It is true if a job is changed, renamed, added or removed."""

    #: The jobs that are changed, renamed, added or removed, in order of their names.
    jobs: tuple[JobDiff, ...]
    #: The number of unchanged jobs.
    unchanged: int
    #: The busiest minute before the edit.
    old_peak: Peak
    #: The busiest minute after the edit.
    new_peak: Peak

    @property
    def same_starts(self) -> bool:
        """Whether no start appears, vanishes or moves, and the edit skips and repeats no period."""
        return not any(job.starts or job.skipped or job.repeated for job in self.jobs)

    def __bool__(self) -> bool:
        return bool(self.jobs)

    def __str__(self) -> str:
        peaks = f"busiest minute: {self.old_peak.per_minute} starts before, {self.new_peak.per_minute} after"
        return "\n".join([*(str(job) for job in self.jobs), f"{self.unchanged} unchanged", peaks])

    def to_pandas(self) -> typing.Any:
        """The starts that change as a ``pandas.DataFrame`` with the columns ``name``, ``change``, ``nominal_time``, ``old`` and
        ``new``; NaT where there is no start. Needs pandas."""
        return frames().diff_to_pandas(*self._columns())

    def to_polars(self) -> typing.Any:
        """The same as a ``polars.DataFrame``, with null where there is no start. Needs polars."""
        return frames().diff_to_polars(*self._columns())

    def _columns(self) -> tuple[list[str], list[str], Timestamps, Timestamps, Timestamps]:
        rows = [(job.name, start) for job in self.jobs for start in job.starts]

        def times(of: typing.Callable[[StartChange], datetime.datetime | None]) -> Timestamps:
            found = [of(start) for _, start in rows]
            return Timestamps([None if time is None else int(time.timestamp()) for time in found])

        return (
            [name for name, _ in rows], [start.kind for _, start in rows],
            times(lambda start: start.nominal_time), times(lambda start: start.old), times(lambda start: start.new),
        )
