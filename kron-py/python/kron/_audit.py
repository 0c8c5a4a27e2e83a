"""What an audit found, as frozen dataclasses: the answer of ``kron.audit``."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import typing

from kron._kron import Timestamps
from kron._record import Record, frames, text


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class AuditedPeriod(Record):
    """A period of a KronJob and its state: what became of it."""

    #: Its nominal time.
    nominal_time: datetime.datetime
    #: Its chosen time by the present spec; ``None`` if it is unschedulable or not on the schedule.
    chosen_time: datetime.datetime | None
    #: Whether it is on the present schedule. If not, it is of an earlier configuration.
    on_schedule: bool
    #: What became of it, as far as the objects show; ``docs/guide/kubernetes-audit.md`` describes each state.
    state: typing.Literal[
        "executed", "skipped", "missed", "unschedulable", "notExecuted", "overdue", "pending", "suspended", "notInForce", "unknown"
    ]
    #: Why it was not started; ``None`` if it was, or may still be, or if that is not known.
    cause: typing.Literal[
        "deadline", "catchUp", "forbid", "suspended", "unschedulable", "notInForce", "claimLost", "queue", "failedCreate",
        "nameTaken", "noJobs", "unexplained"
    ] | None
    #: The name of its Job; ``None`` without one.
    job: str | None

    @property
    def period_id(self) -> str:
        """Its nominal time as text, which the labels of its Job name."""
        return text(self.nominal_time)


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class AuditFinding(Record):
    """A period that was not started, or something wrong with a KronJob or a Job. ``str`` gives all fields in a line."""

    #: The KronJob: ``namespace/name``.
    kronjob: str
    #: The cause for which a period was not started, or a code such as ``'twoJobs'``; ``docs/guide/kubernetes-audit.md`` lists them.
    code: str
    #: What is wrong, in words.
    message: str
    #: The period that it is about, if it is about one.
    period_id: str | None = None
    #: The name of the Job that it is about, if it is about one.
    job: str | None = None

    def __str__(self) -> str:
        about = self.period_id or self.job
        return f"{self.kronjob} {f'{about} ' if about else ''}{self.code}: {self.message}"


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class KronJobAudit(Record):
    """The audit of one KronJob."""

    #: ``namespace/name``.
    name: str
    #: The time from which on its periods were audited.
    start: datetime.datetime
    #: What is wrong: the periods that were not started, then the KronJob and its Jobs.
    findings: tuple[AuditFinding, ...]
    #: What became of each period, in order of nominal time; then the periods that are not on the present schedule.
    periods: tuple[AuditedPeriod, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many periods have each state."""
        counted = collections.Counter(period.state for period in self.periods)
        return dict(sorted(counted.items()))


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class Audit(Record):
    """The periods of KronJobs compared with the Jobs of a cluster. ``kron.audit`` returns it."""

    #: The time at which the objects were read.
    until: datetime.datetime
    #: The KronJobs, in order of their names.
    kronjobs: tuple[KronJobAudit, ...]
    #: How many Jobs belong to KronJobs that are not among the objects.
    other_jobs: int

    @property
    def findings(self) -> tuple[AuditFinding, ...]:
        """The findings of all KronJobs. Without any, nothing is wrong."""
        return tuple(finding for kronjob in self.kronjobs for finding in kronjob.findings)

    def to_pandas(self) -> typing.Any:
        """The periods as a ``pandas.DataFrame`` with the columns ``kronjob``, ``nominal_time``, ``chosen_time``, ``state``, ``cause``
        and ``job``; NaT and NA where there is nothing. Needs pandas."""
        return frames().audit_to_pandas(*self._columns())

    def to_polars(self) -> typing.Any:
        """The same as a ``polars.DataFrame``, with null where there is nothing. Needs polars."""
        return frames().audit_to_polars(*self._columns())

    def _columns(self) -> tuple[dict[str, list[str | None]], Timestamps, Timestamps]:
        rows = [(kronjob.name, period) for kronjob in self.kronjobs for period in kronjob.periods]
        chosen = [period.chosen_time for _, period in rows]
        texts: dict[str, list[str | None]] = {
            "kronjob": [name for name, _ in rows], "state": [period.state for _, period in rows],
            "cause": [period.cause for _, period in rows], "job": [period.job for _, period in rows],
        }
        nominal = Timestamps([int(period.nominal_time.timestamp()) for _, period in rows])
        return texts, nominal, Timestamps([None if time is None else int(time.timestamp()) for time in chosen])
