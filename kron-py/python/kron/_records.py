"""Plain data of the core, as frozen dataclasses; those of audits and differences are in files of
their own. Fields have the core's names; times are aware datetimes in UTC."""

from __future__ import annotations

import dataclasses
import datetime
import html
import importlib
import typing
from collections.abc import Iterator, Sequence

from kron._audit import Audit as Audit
from kron._audit import AuditedPeriod as AuditedPeriod
from kron._audit import AuditFinding as AuditFinding
from kron._audit import KronJobAudit as KronJobAudit
from kron._diff import Diff as Diff
from kron._diff import JobDiff as JobDiff
from kron._diff import Peak as Peak
from kron._diff import StartChange as StartChange
from kron._kron import Cron, Decision, Fleet, Job, Period, _explain_text
from kron._record import Record, text

_P = typing.TypeVar("_P", bound=Period | Decision)


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class Action(Record):
    """What to do with one period now."""

    #: ``'nothing'``, ``'wait'``, ``'execute'``, ``'replace'`` (stop the active execution, then start) or ``'record'``.
    kind: typing.Literal["nothing", "wait", "execute", "replace", "record"]
    #: When to evaluate the period again, for ``'wait'``.
    wait_until: datetime.datetime | None = None
    #: The outcome that this action gives the period, if it gives one.
    outcome: typing.Literal["executed", "skipped", "missed", "unschedulable"] | None = None

    @property
    def starts(self) -> bool:
        """Whether to start an execution: ``'execute'``, or ``'replace'``, which stops the active one first."""
        return self.kind in ("execute", "replace")

    def __str__(self) -> str:
        if self.kind == "wait" and self.wait_until is not None:
            return f"wait until {text(self.wait_until)}"
        return f"record {self.outcome}" if self.kind == "record" else self.kind


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class Step(Record, typing.Generic[_P]):
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
class Plan(Record, typing.Generic[_P]):
    """All actions and outcomes of one evaluation."""

    #: In order of chosen time (window end if unschedulable), ties by nominal time: to be carried out in this order.
    steps: tuple[Step[_P], ...]
    #: The number of missed periods that are not in ``steps``, which has the newest 100 past their deadline and the newest 100 that
    #: the catch-up rule drops. Unschedulable periods count here too beyond the newest 100,000 whose windows have ended.
    older_missed: int
    #: When to plan again; ``None`` if nothing is left to wait for.
    wake_up: datetime.datetime | None

    def __iter__(self) -> Iterator[Step[_P]]:
        return iter(self.steps)

    def __len__(self) -> int:
        return len(self.steps)

    def __str__(self) -> str:
        older = [f"{self.older_missed} older missed"] if self.older_missed else []
        again = "nothing to wait for" if self.wake_up is None else f"plan again at {text(self.wake_up)}"
        return "\n".join([*(str(step) for step in self.steps), *older, again])


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class DrawStep(Record):
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
class ClosedUp(Record):
    """The closed-up choice: the draw among the allowed seconds only, after 64 draws of which none was allowed."""

    #: The uniform number from the stream, from 0 to below 1.
    u: float | None
    #: The position among the allowed seconds, from 0 to 1.
    quantile: float
    #: The chosen time.
    chosen: datetime.datetime


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class Explanation(Record):
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

    def to_pandas(self) -> typing.Any:
        """The draws as a ``pandas.DataFrame`` with the columns ``u``, ``quantile``, ``candidate``, in UTC, and ``forbidden``."""
        return importlib.import_module("kron._frames").draws_to_pandas(self.draws)

    def to_polars(self) -> typing.Any:
        """The draws as a ``polars.DataFrame``, with the columns of ``to_pandas``."""
        return importlib.import_module("kron._frames").draws_to_polars(self.draws)

    def _repr_svg_(self) -> str:
        """The picture that ``kron explain -o svg`` prints. Notebooks show it."""
        return self.decision._repr_svg_()

    def _repr_html_(self) -> str:
        """The picture, and each step folded below it. Notebooks show it."""
        steps = html.escape(str(self), quote=False)
        return f"{self._repr_svg_()}<details><summary>Each step</summary><pre>{steps}</pre></details>"


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class Difference(Record):
    """A field of a receipt whose value is not the one that the core computes."""

    #: The field by its path, such as ``decision.chosenTime``.
    field: str
    #: The value in the receipt.
    receipt: str
    #: The value that the core computes.
    computed: str


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class Verification(Record):
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
class Placed(Record):
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
class Primed(Record, Sequence[Cron]):
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
class LeadChange(Record):
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
class ClockChange(Record):
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
        starts = [text(time) for time in (period.chosen_time for period in self.periods) if time is not None]
        return f"{self.civil_time} is doubled: it starts {'at ' + ' and '.join(starts) if starts else 'at no allowed second'}"


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class Finding(Record):
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
class FleetFinding(Record):
    """One finding about several jobs."""

    #: The finding.
    finding: Finding
    #: The jobs that it is about: their indexes in what ``kron.lint_fleet`` was given, in ascending order.
    jobs: tuple[int, ...]

    def __str__(self) -> str:
        return str(self.finding)


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class LoadedJob(Record):
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
class Loaded(Record):
    """The jobs of a file, and findings about it. ``kron.load`` and ``kron.loads`` return it."""

    #: The jobs, in order.
    jobs: tuple[LoadedJob, ...]
    #: What the user of the file should know: namespaces that were assumed, documents that are not KronJobs.
    findings: tuple[Finding, ...] = ()

    @property
    def fleet(self) -> Fleet:
        """The jobs as a fleet."""
        return Fleet([loaded.job for loaded in self.jobs])


for _record in (OffsetChange, *Record.__subclasses__()):
    _record.__module__ = "kron"
