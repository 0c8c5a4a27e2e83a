"""Deterministic jitter for cron jobs.

A job is a cron expression with a window around each of its times. One start in the window is decided from a seed: spread
over a fleet, yet the same second on every machine, after every restart and in every language.

>>> import datetime, kron
>>> job = kron.Job("0 0 * * * @tz(Europe/Paris) @win(after,3h)", name="prod/db-backup")
>>> noon = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.timezone.utc)
>>> job.next_start(noon).chosen_time
datetime.datetime(2026, 3, 2, 0, 9, 23, tzinfo=datetime.timezone.utc)

Datetimes go in aware, with any zone, and come out in UTC. The rules are those of the Rust crate kron-core, which this
package calls; nothing is decided in Python.
"""

from kron._errors import KronError, LoadError
from kron._kron import (
    TZDB_VERSION,
    Calendar,
    Clause,
    Constraints,
    Cron,
    Decision,
    Decisions,
    Distribution,
    Fleet,
    Forecast,
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
    ClosedUp,
    Diff,
    Difference,
    DrawStep,
    Explanation,
    Finding,
    FleetFinding,
    JobDiff,
    LeadChange,
    Loaded,
    LoadedJob,
    OffsetChange,
    Peak,
    Plan,
    Primed,
    StartChange,
    Step,
    Verification,
)

__all__ = [
    "TZDB_VERSION",
    "Action",
    "Calendar",
    "Clause",
    "ClosedUp",
    "Constraints",
    "Cron",
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
    "Job",
    "JobDiff",
    "KronError",
    "LeadChange",
    "LoadError",
    "Loaded",
    "LoadedJob",
    "OffsetChange",
    "Peak",
    "Period",
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
