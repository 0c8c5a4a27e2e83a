"""Deterministic jitter for cron jobs.

A job is a cron expression with a window for each of its nominal times. The start in each window is computed from a seed:
starts of many jobs are spread out, and the start of a job is the same second on every machine, after every restart and in every
language.

>>> import datetime, kron
>>> job = kron.Job("0 0 * * * @tz(Europe/Paris) @win(after,3h)", name="prod/db-backup")
>>> noon = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.timezone.utc)
>>> job.next_start(noon).chosen_time
datetime.datetime(2026, 3, 2, 0, 9, 23, tzinfo=datetime.timezone.utc)

Functions take aware datetimes of any zone and return datetimes in UTC. The Rust crate kron-core, which this package calls,
computes every start; nothing is decided in Python.
"""

import typing as _typing

from kron import _synonyms
from kron._errors import KronError, LoadError
from kron._kron import (
    TZDB_VERSION,
    Calendar,
    Clause,
    Constraints,
    Cron,
    Days,
    Decision,
    Decisions,
    Distribution,
    Fleet,
    Forecast,
    HostState,
    Job,
    Period,
    Policy,
    Receipt,
    Seed,
    Spread,
    Timestamps,
    TzDatabase,
    Window,
    __version__,
    audit,
    compare_starts,
    decide,
    diff,
    lint,
    lint_fleet,
    plan,
    verify,
)
from kron._load import load, load_calendars, loads, loads_calendars
from kron._records import (
    Action,
    Audit,
    AuditedPeriod,
    AuditFinding,
    ClockChange,
    ClosedUp,
    Diff,
    Difference,
    DrawStep,
    Explanation,
    Finding,
    FleetFinding,
    JobDiff,
    KronJobAudit,
    LeadChange,
    Loaded,
    LoadedJob,
    OffsetChange,
    Peak,
    Placed,
    Plan,
    Primed,
    StartChange,
    Step,
    Verification,
)

__all__ = [
    "TZDB_VERSION",
    "Action",
    "Audit",
    "AuditFinding",
    "AuditedPeriod",
    "Calendar",
    "Clause",
    "ClockChange",
    "ClosedUp",
    "Constraints",
    "Cron",
    "Days",
    "Decision",
    "Decisions",
    "Diff",
    "Difference",
    "Distribution",
    "DrawStep",
    "Explanation",
    "Finding",
    "Fleet",
    "FleetFinding",
    "Forecast",
    "HostState",
    "Job",
    "JobDiff",
    "KronError",
    "KronJobAudit",
    "LeadChange",
    "LoadError",
    "Loaded",
    "LoadedJob",
    "OffsetChange",
    "Peak",
    "Period",
    "Placed",
    "Plan",
    "Policy",
    "Primed",
    "Receipt",
    "Seed",
    "Spread",
    "StartChange",
    "Step",
    "Timestamps",
    "TzDatabase",
    "Verification",
    "Window",
    "__version__",
    "audit",
    "compare_starts",
    "decide",
    "diff",
    "lint",
    "lint_fleet",
    "load",
    "load_calendars",
    "loads",
    "loads_calendars",
    "plan",
    "verify",
]


_synonyms.install((Decision, Decisions, Fleet, Forecast, HostState, Job))

if not _typing.TYPE_CHECKING:  # with it, type checkers would take every name

    def __getattr__(name: str) -> _typing.NoReturn:
        """Names that the package does not have: the error says which one is meant."""
        raise _synonyms.no_attribute("kron", name)
