"""Plain data of the core, as frozen dataclasses. Fields have the core's names; times are aware datetimes in UTC."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import importlib
import typing
from collections.abc import Sequence

from kron._kron import Cron, Decision, Fleet, Job, Period, Timestamps, _explain_text

_P = typing.TypeVar("_P", bound=Period | Decision)


class _Record:
    """Prints the fields that differ from their defaults, as an expression that gives the record again."""

    __slots__ = ()

    def __repr__(self) -> str:
        fields = dataclasses.fields(self)  # type: ignore[arg-type]
        args = []
        for field in fields:
            if not field.repr:
                continue
            value = getattr(self, field.name)
            if field.default is dataclasses.MISSING:
                args.append(repr(value))
            elif value != field.default:
                args.append(f"{field.name}={value!r}")
        return f"kron.{type(self).__name__}({', '.join(args)})"

    if not typing.TYPE_CHECKING:  # with it, type checkers would take every name

        def __getattr__(self, name: str) -> typing.NoReturn:
            from kron._synonyms import no_attribute

            raise no_attribute(type(self).__name__, name)


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class Action(_Record):
    """What to do with one period now."""

    #: ``'nothing'``, ``'wait'``, ``'execute'``, ``'replace'`` (stop the active execution, then start) or ``'record'``.
    kind: typing.Literal["nothing", "wait", "execute", "replace", "record"]
    #: When to evaluate the period again, for ``'wait'``.
    wait_until: datetime.datetime | None = None
    #: The outcome that this action gives the period, if it gives one.
    outcome: typing.Literal["executed", "skipped", "missed", "unschedulable"] | None = None

    def __str__(self) -> str:
        if self.kind == "wait" and self.wait_until is not None:
            return f"wait until {_text(self.wait_until)}"
        return f"record {self.outcome}" if self.kind == "record" else self.kind


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class Step(_Record, typing.Generic[_P]):
    """One period of a plan and what to do with it."""

    #: The period, as it was given to ``kron.plan``; from ``Job.plan`` its decision.
    period: _P
    #: What to do with it.
    action: Action
    #: The nominal time of the open period before it; ``None`` if none is open. ``HostState.record`` needs it to see that all periods up
    #: to one are handled.
    previous_open: datetime.datetime | None = None

    def __str__(self) -> str:
        return f"{self.action}: {self.period}"


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class Plan(_Record, typing.Generic[_P]):
    """All actions and outcomes of one evaluation."""

    #: In order of chosen time (window end if unschedulable), ties by nominal time: to be carried out in this order.
    steps: tuple[Step[_P], ...]
    #: The number of missed periods that are not in ``steps``, which has the newest 100 past their deadline and the newest 100 that
    #: the catch-up rule drops. Unschedulable periods count here too beyond the newest 100,000 whose windows have ended.
    older_missed: int
    #: When to plan again; ``None`` if nothing is left to wait for.
    wake_up: datetime.datetime | None

    def __str__(self) -> str:
        older = [f"{self.older_missed} older missed"] if self.older_missed else []
        again = "nothing to wait for" if self.wake_up is None else f"plan again at {_text(self.wake_up)}"
        return "\n".join([*(str(step) for step in self.steps), *older, again])


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class DrawStep(_Record):
    """One draw of a decision."""

    #: The uniform number from the stream, from 0 to below 1.
    u: float | None
    #: The position in the window, from 0 to 1.
    quantile: float
    #: The candidate.
    candidate: datetime.datetime
    #: The rule that forbade it, ``'only'`` or ``'avoid[0]'``; ``None`` if it was chosen.
    forbidden: str | None


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class ClosedUp(_Record):
    """The closed-up choice: the draw among the allowed seconds only, after 64 draws of which none was allowed."""

    #: The uniform number from the stream, from 0 to below 1.
    u: float | None
    #: The position among the allowed seconds, from 0 to 1.
    quantile: float
    #: The chosen time.
    chosen: datetime.datetime


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class Explanation(_Record):
    """A decision and every step that led to it. Its text is the page that ``kron explain`` prints."""

    #: The decision explained.
    decision: Decision
    #: Whether the nominal time is on the schedule.
    on_schedule: bool
    #: The number of candidates: whole seconds in the window.
    candidates: int
    #: The draws, in order.
    draws: tuple[DrawStep, ...]
    #: The closed-up choice, if it was made.
    closed_up: ClosedUp | None
    #: The number of candidates that the constraints allow.
    allowed: int
    #: Maximal runs of allowed seconds, first and last included, in order: the first 1000.
    allowed_runs: tuple[tuple[datetime.datetime, datetime.datetime], ...]
    #: The page of this explanation; one that was made from its fields alone has none.
    _page: str | None = dataclasses.field(default=None, repr=False, compare=False)

    def __str__(self) -> str:
        return _explain_text(self.decision) if self._page is None else self._page


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class Difference(_Record):
    """A field of a receipt whose value is not the one that the core computes."""

    #: The field by its path, such as ``decision.chosenTime``.
    field: str
    #: The value in the receipt.
    receipt: str
    #: The value that the core computes.
    computed: str


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class Verification(_Record):
    """What ``Receipt.verify`` and ``kron.verify`` found.

    It has no truth value, so that code cannot mistake "agrees" for "has differences": ``bool`` raises ``TypeError``. Use
    ``agrees`` or ``differences``.

    >>> import kron
    >>> receipt = kron.Job("@daily @tz(Europe/Paris)", name="prod/db").next_start().receipt()
    >>> kron.verify(receipt)
    kron.Verification((), 'same', ('other times of the schedule',))
    """

    #: The fields whose values are not those that the core computes; empty if the receipt agrees.
    differences: tuple[Difference, ...]
    #: How the rules of the receipt's time zone compare with those of the database: ``'same'``; ``'other-release'``, the same
    #: rules from a database of another version, with which the receipt still agrees; or ``'different'``.
    zone_rules: typing.Literal["same", "other-release", "different"]
    #: The parts of the receipt's text on which the decision does not depend, so that they can be changed in a receipt that still
    #: agrees: ``'other times of the schedule'``, and ``'policy'`` if the text has one.
    not_proven: tuple[str, ...]
    #: For ``'different'``, the first instant since 1968-12-01 at which the offsets differ. ``None`` if it is unknown: the
    #: receipt has only a fingerprint of its rules, and the compiled-in database has other rules too.
    first_difference: datetime.datetime | None = None
    #: For ``'other-release'``, the version in the receipt and that of the database.
    versions: tuple[str, str] | None = None

    @property
    def agrees(self) -> bool:
        """Whether the receipt agrees with what the core computes."""
        return not self.differences

    def __str__(self) -> str:
        differ = "\n".join(f"{it.field}: {it.receipt} in the receipt, {it.computed} computed" for it in self.differences)
        return differ or f"agrees; the zone's rules: {self.zone_rules}"

    def __bool__(self) -> typing.NoReturn:
        raise TypeError("a kron.Verification has no truth value; ask .agrees or .differences")


class OffsetChange(typing.NamedTuple):
    """A change of a zone's offset from UTC. ``TzDatabase.changes`` returns them."""

    #: The instant from which on the new offset holds.
    time: datetime.datetime
    #: The offset before it, positive to the east of UTC.
    offset_before: datetime.timedelta
    #: The offset from it on.
    offset_after: datetime.timedelta


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class Placed(_Record):
    """The place of a job in a system that runs plain cron expressions.

    ``Job.placed`` returns it.
    """

    #: Five fields, as every cron reads them.
    expression: str
    #: How many minutes after the declared times the placed ones are; negative if they are before.
    shift_minutes: int
    #: Among how many shifts this one was chosen.
    candidates: int


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class Primed(_Record, Sequence[Cron]):
    """The cron expressions that fire a lead before another one, in the order of their first firing from 2000-01-01 on.

    ``Cron.prime`` and ``Job.prime`` return it.

    >>> import kron
    >>> primed = kron.Cron("0/15 0 * * MON-FRI").prime("10m")
    >>> len(primed), primed[0]
    (2, kron.Cron('50 23 * * 0-4'))
    >>> primed.texts
    ('50 23 * * 0-4', '20,35,5 0 * * 1-5')
    """

    #: The expressions.
    expressions: tuple[Cron, ...]
    #: The same as texts, each field in the fewest characters.
    texts: tuple[str, ...]
    #: Whether no fewer expressions say the same. If the search for fewer ended at its limit of work, this is ``False``.
    minimal: bool
    #: How many times in the years 1970 to 2099 are not those of the primed schedule: 0 unless the expressions are a cover.
    surplus: int

    @property
    def surplus_per_year(self) -> float:
        """``surplus`` for each of the 130 years on average."""
        return self.surplus / 130

    @typing.overload
    def __getitem__(self, index: typing.SupportsIndex) -> Cron: ...
    @typing.overload
    def __getitem__(self, index: slice) -> tuple[Cron, ...]: ...
    def __getitem__(self, index: typing.SupportsIndex | slice) -> Cron | tuple[Cron, ...]:
        return self.expressions[index]

    def __len__(self) -> int:
        return len(self.expressions)


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class LeadChange(_Record):
    """The effect of a clock change on the primed firing of a start. ``Cron.lead_changes`` returns it; ``str`` gives ``message``."""

    #: The instant at which the clocks change.
    time: datetime.datetime
    #: ``'moved'``: it fires ``lead`` before the start, and this is not the lead that was given to ``prime``. ``'skipped'``: nothing
    #: fires before the start. ``'twice'``: it fires twice, the first time ``lead`` before the start. ``'noStart'``: the start is
    #: skipped, and the primed time is not.
    kind: typing.Literal["moved", "skipped", "twice", "noStart"]
    #: The civil time of the first start that is affected in this way, such as ``'2026-03-29T03:00'``.
    start: str
    #: The primed civil time of that start.
    primed: str
    #: From the primed firing, or the first of two, to the start; ``None`` if there is no firing or no start.
    lead: datetime.timedelta | None
    #: The effect in a sentence.
    message: str

    def __str__(self) -> str:
        return self.message


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class ClockChange(_Record):
    """A civil time of a schedule that a clock change skips or doubles. ``Job.clock_changes`` returns it; ``str`` gives a sentence."""

    #: ``'skipped'``: the clocks do not show it, and it has no period; ``'doubled'``: they show it twice, and it has two.
    effect: typing.Literal["skipped", "doubled"]
    #: The civil time, such as ``'2026-03-29T02:30'``.
    civil_time: str
    #: The instant at which the clocks change.
    time: datetime.datetime
    #: The offset from UTC before it, positive to the east of UTC.
    offset_before: datetime.timedelta
    #: The offset from it on.
    offset_after: datetime.timedelta
    #: The two periods of a doubled time, in order; empty for a skipped one.
    periods: tuple[Decision, ...]

    def __str__(self) -> str:
        if self.effect == "skipped":
            return f"{self.civil_time} is skipped"
        starts = [_text(time) for time in (period.chosen_time for period in self.periods) if time is not None]
        return f"{self.civil_time} is doubled: it starts {'at ' + ' and '.join(starts) if starts else 'at no allowed second'}"


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class Finding(_Record):
    """One finding about a job."""

    #: The severity.
    severity: typing.Literal["note", "warning", "error"]
    #: A stable name for the kind of finding.
    code: str
    #: The finding in a sentence.
    message: str
    #: First byte and the byte after the last one of the part of the text that the finding is about, in UTF-8, if there is one.
    span: tuple[int, int] | None = None
    #: What to do about it, if that is known.
    help: str | None = None

    def __str__(self) -> str:
        return f"{self.severity}: {self.message}" + ("" if self.help is None else f"; {self.help}")


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class FleetFinding(_Record):
    """One finding about several jobs."""

    #: The finding.
    finding: Finding
    #: The jobs that it is about: their indexes in what ``kron.lint_fleet`` was given, in ascending order.
    jobs: tuple[int, ...]

    def __str__(self) -> str:
        return str(self.finding)


def _text(time: datetime.datetime) -> str:
    """A time in UTC, as the core prints it."""
    return f"{time:%Y-%m-%dT%H:%M:%SZ}"


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class StartChange(_Record):
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
        return f"{self.kind} {' -> '.join(_text(time) for time in (self.old, self.new) if time is not None)}"


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class JobDiff(_Record):
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
class Peak(_Record):
    """The busiest minute of a fleet."""

    #: All starts in the range.
    starts: int
    #: The most starts in one minute of UTC.
    per_minute: int
    #: The first minute with this number; ``None`` if nothing starts.
    minute: datetime.datetime | None

    def __str__(self) -> str:
        busiest = "" if self.minute is None else f", at most {self.per_minute} in a minute, at {_text(self.minute)}"
        return f"{self.starts} starts{busiest}"


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class Diff(_Record):
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
        return _frames().diff_to_pandas(*self._columns())

    def to_polars(self) -> typing.Any:
        """The same as a ``polars.DataFrame``, with null where there is no start. Needs polars."""
        return _frames().diff_to_polars(*self._columns())

    def _columns(self) -> tuple[list[str], list[str], Timestamps, Timestamps, Timestamps]:
        rows = [(job.name, start) for job in self.jobs for start in job.starts]

        def times(of: typing.Callable[[StartChange], datetime.datetime | None]) -> Timestamps:
            found = [of(start) for _, start in rows]
            return Timestamps([None if time is None else int(time.timestamp()) for time in found])

        return (
            [name for name, _ in rows], [start.kind for _, start in rows],
            times(lambda start: start.nominal_time), times(lambda start: start.old), times(lambda start: start.new),
        )


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class AuditedPeriod(_Record):
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
        return _text(self.nominal_time)


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class AuditFinding(_Record):
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
class KronJobAudit(_Record):
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
class Audit(_Record):
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
        return _frames().audit_to_pandas(*self._columns())

    def to_polars(self) -> typing.Any:
        """The same as a ``polars.DataFrame``, with null where there is nothing. Needs polars."""
        return _frames().audit_to_polars(*self._columns())

    def _columns(self) -> tuple[dict[str, list[str | None]], Timestamps, Timestamps]:
        rows = [(kronjob.name, period) for kronjob in self.kronjobs for period in kronjob.periods]
        chosen = [period.chosen_time for _, period in rows]
        texts: dict[str, list[str | None]] = {
            "kronjob": [name for name, _ in rows], "state": [period.state for _, period in rows],
            "cause": [period.cause for _, period in rows], "job": [period.job for _, period in rows],
        }
        nominal = Timestamps([int(period.nominal_time.timestamp()) for _, period in rows])
        return texts, nominal, Timestamps([None if time is None else int(time.timestamp()) for time in chosen])


def _frames() -> typing.Any:
    """The module that makes tables."""
    return importlib.import_module("kron._frames")


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class LoadedJob(_Record):
    """A job and where it came from."""

    #: The job.
    job: Job
    #: Its text as it was written, in a job file.
    source: str | None = None
    #: Its line in a job file, from 1.
    line: int | None = None
    #: Its document in a manifest file, from 1.
    document: int | None = None
    #: The other fields of its line in a job file, such as ``command``; ``dict(fields)`` looks them up.
    fields: tuple[tuple[str, str], ...] = ()


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class Loaded(_Record):
    """The jobs of a file, and findings about it. ``kron.load`` and ``kron.loads`` return it."""

    #: The jobs, in order.
    jobs: tuple[LoadedJob, ...]
    #: What the user of the file should know: namespaces that were assumed, documents that are not KronJobs.
    findings: tuple[Finding, ...] = ()

    @property
    def fleet(self) -> Fleet:
        """The jobs as a fleet."""
        return Fleet([loaded.job for loaded in self.jobs])


for _record in (OffsetChange, *_Record.__subclasses__()):
    _record.__module__ = "kron"
