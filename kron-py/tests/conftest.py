"""What the tests share."""

from __future__ import annotations

import datetime
import os
import pathlib
import signal

import pytest

import kron

ROOT = pathlib.Path(__file__).resolve().parents[2]
UTC = datetime.timezone.utc

# A shell starts jobs in the background with SIGINT ignored, and Python keeps that: a test of Ctrl-C would not end.
signal.signal(signal.SIGINT, signal.default_int_handler)

#: A value of each type, with what it prints.
VALUES: dict[str, object] = {
    "Cron": kron.Cron("0,30 9-17 * * MON-FRI"),
    "Window": kron.Window("around", "90m"),
    "Window of nanoseconds": kron.Window("after", "1h1ns"),
    "Distribution uniform": kron.Distribution.uniform(),
    "Distribution skewEarly": kron.Distribution.skew_early(1e-6),
    "Distribution skewLate": kron.Distribution.skew_late(),
    "Distribution normal": kron.Distribution.normal(mu="end", sigma="15m"),
    "Distribution exponential": kron.Distribution.exponential(1e17, dir="late"),
    "Seed": kron.Seed("weekly", salt="blue, 'green' \"\u00e9\u2603\"\n"),
    "Clause": kron.Clause(hours="22-5", dow=["SAT", 0], between="09:30-11:30", dates="2026-01-01..2026-02-01"),
    "Days": kron.Days(dow="MON,THU", every="2w", from_=datetime.date(2026, 1, 5), roll="previous", week="SUN-THU"),
    "Days of calendars": kron.Days(
        calendar=kron.Calendar("a", "2026-12-25"), lastworkday=1, holidays=kron.Calendar("b", "2026-12-26")
    ),
    "Constraints": kron.Constraints(only=[{"hours": 3}, {"dom": "1-7"}], avoid=[{"date": "2026-12-25"}]),
    "Constraints empty": kron.Constraints(),
    "Policy": kron.Policy(concurrency="replace", deadline="10m", suspend=True),
    "Policy default": kron.Policy(),
    "Job": kron.Job(
        "0 2 * * * @tz(Europe/Paris) @win(after,3h) @dist(normal,sigma=20m) @seed(daily,salt=x) @avoid(hours=4)",
        name="prod/db \u00fc",
    ),
    "Job on days": kron.Job(
        "0 2 * * *", name="x", days=[{"last": 1}, {"workday": 1}], nodays={"calendar": kron.Calendar("a", "2026-12-25")}
    ),
    "Decision": kron.Job("0 0 * * * @win(after,3h)", name="prod/db").decide(datetime.datetime(2026, 3, 1, tzinfo=UTC)),
    "Decision unschedulable": kron.Job("@daily @win(after,1h) @only(hours=9)", name="prod/db").decide(
        datetime.datetime(2026, 3, 1, tzinfo=UTC)
    ),
    "Period": kron.Period(
        datetime.datetime(2026, 3, 1, tzinfo=UTC),
        datetime.datetime(2026, 3, 1, tzinfo=UTC),
        datetime.datetime(2026, 3, 1, 3, tzinfo=UTC),
        datetime.datetime(2026, 3, 1, 1, 2, 3, tzinfo=UTC),
    ),
    "Period unschedulable": kron.Period(
        datetime.datetime(2026, 3, 1, tzinfo=UTC),
        datetime.datetime(2026, 3, 1, tzinfo=UTC),
        datetime.datetime(2026, 3, 1, 3, tzinfo=UTC),
        None,
    ),
    "Fleet": kron.Fleet([kron.Job("@daily", name="a"), kron.Job("@hourly @win(after,1m)", name="b")]),
    "Timestamps": kron.Timestamps([0, None, -1, 1 << 40]),
    "Calendar": kron.Calendar("holidays-fr", ["2026-12-25", (datetime.date(2026, 12, 31), datetime.date(2027, 1, 1))]),
    "Receipt": kron.Job("@daily @win(after,3h)", name="prod/db").decide(datetime.datetime(2026, 3, 1, tzinfo=UTC)).receipt(),
}


@pytest.fixture(params=list(VALUES))
def value(request: pytest.FixtureRequest) -> object:
    """Each value in turn."""
    return VALUES[request.param]


@pytest.fixture(scope="session")
def command() -> str:
    """The Rust command, which the test script builds."""
    path = os.environ.get("KRON_COMMAND")
    if not path:
        pytest.fail("KRON_COMMAND must name the built command; scripts/test_py.sh sets it")
    return path


@pytest.fixture(scope="session")
def release_2026e() -> pathlib.Path:
    """The PyPI package `tzdata` of 2026e, another release than the one that is compiled in. The test script downloads it."""
    path = os.environ.get("KRON_TZDATA_2026E")
    if not path:
        pytest.fail("KRON_TZDATA_2026E must name the package tzdata==2026.5; scripts/test_py.sh sets it")
    return pathlib.Path(path)


@pytest.fixture(scope="session")
def database_2026e(release_2026e: pathlib.Path) -> kron.TzDatabase:
    """The time zone database 2026e."""
    return kron.TzDatabase.from_directory(release_2026e)


def at(text: str) -> datetime.datetime:
    """An instant in RFC 3339."""
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
