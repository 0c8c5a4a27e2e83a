"""Random jobs, as hypothesis strategies."""

from __future__ import annotations

import datetime
import re
import typing

from hypothesis import strategies as st

import kron

UTC = datetime.timezone.utc
ZONES = ["UTC", "Europe/Paris", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "America/St_Johns", "Pacific/Apia"]
FIRST, LAST = datetime.datetime(1990, 1, 1, tzinfo=UTC), datetime.datetime(2090, 1, 1, tzinfo=UTC)


def words(make: typing.Callable[[], object]) -> list[str]:
    """The words that the core names where it refuses `?`."""
    try:
        make()
    except kron.KronError as error:
        return [word for word in re.findall(r"`([^`]*)`", str(error).split("but found")[0]) if word != "?"]
    raise AssertionError("`?` was not refused")


def field(low: int, high: int) -> st.SearchStrategy[str]:
    """A field of a cron expression."""
    value = st.integers(low, high)
    spread = st.tuples(value, value).map(sorted).map("{0[0]}-{0[1]}".format)
    item = st.one_of(value.map(str), spread, st.tuples(spread, st.integers(1, 20)).map("{0[0]}/{0[1]}".format), st.integers(1, 31).map("*/{}".format))
    return st.one_of(st.just("*"), st.lists(item, min_size=1, max_size=3).map(",".join))


#: Day 1 to 28 always comes, so that no expression is one that never matches.
CRONS = st.tuples(field(0, 59), field(0, 23), st.one_of(st.just("*"), field(1, 28)), st.just("*"), field(0, 6)).map(" ".join)
SECONDS = st.one_of(st.integers(0, 90_000), st.integers(0, 30 * 86_400))
DURATIONS = SECONDS.map(lambda seconds: datetime.timedelta(seconds=seconds))
WINDOWS = st.builds(kron.Window, st.sampled_from(words(lambda: kron.Window("?", "1h"))), DURATIONS)
POSITIVE = st.floats(1e-3, 1e3)
#: By name: the line below fails for a new distribution until it is here.
BY_NAME: dict[str, st.SearchStrategy[kron.Distribution]] = {
    "uniform": st.just(kron.Distribution.uniform()),
    "skewEarly": POSITIVE.map(kron.Distribution.skew_early),
    "skewLate": POSITIVE.map(kron.Distribution.skew_late),
    "normal": st.builds(
        kron.Distribution.normal, mu=st.sampled_from([None, "nominal", "start", "mid", "end"]),
        sigma=st.one_of(st.none(), st.integers(1, 10**5).map(lambda seconds: datetime.timedelta(seconds=seconds)))),
    "exponential": st.builds(kron.Distribution.exponential, POSITIVE, dir=st.sampled_from(["early", "late"])),
}
DISTRIBUTIONS = st.one_of([BY_NAME[name] for name in words(lambda: kron.Distribution.from_params("?", {}))])
SALTS = st.text(st.characters(codec="utf-8"), max_size=20)
SEEDS = st.builds(kron.Seed, st.sampled_from(words(lambda: kron.Seed("?"))), salt=SALTS)
HOURS = st.lists(st.integers(0, 23), min_size=1, max_size=24)
PAIRS = st.tuples(st.dates(), st.dates()).map(lambda pair: (min(pair), max(pair)))
#: By name: the line below fails for a new part of clauses until it is here.
BY_PART: dict[str, st.SearchStrategy[object]] = {
    "hours": HOURS,
    "dow": st.lists(st.integers(0, 6), min_size=1, max_size=7),
    "dom": st.integers(1, 31),
    "months": st.lists(st.integers(1, 12), min_size=1, max_size=12),
    "between": st.tuples(st.times(), st.times()).filter(lambda pair: pair[0].strftime("%H:%M") != pair[1].strftime("%H:%M")).map(
        lambda pair: f"{pair[0]:%H:%M}-{pair[1]:%H:%M}"),
    "date": st.dates(),
    "dates": PAIRS,
    "calendar": st.builds(kron.Calendar, st.from_regex(r"[a-z0-9][a-z0-9._-]{0,9}", fullmatch=True), st.lists(st.one_of(st.dates(), PAIRS), min_size=1, max_size=9)),
}
PART_NAMES = words(lambda: kron.Clause.from_parts({"?": "1"}))
PARTS = st.fixed_dictionaries({}, optional={name: BY_PART[name] for name in PART_NAMES}).filter(bool)
CLAUSES = st.builds(kron.Clause, hours=HOURS, dow=st.one_of(st.none(), st.lists(st.integers(0, 6), min_size=1, max_size=7)))
CONSTRAINTS = st.one_of(st.just(kron.Constraints()), st.builds(
    kron.Constraints, only=st.lists(CLAUSES, max_size=2), avoid=st.lists(CLAUSES, max_size=1)))
CALENDARS = BY_PART["calendar"]
EVERY = st.tuples(st.integers(1, 3660), st.sampled_from("dw")).map("{0[0]}{0[1]}".format)
WORKDAYS = st.lists(st.integers(1, 23), min_size=1, max_size=5)
MONTH_DAYS = st.lists(st.integers(1, 31), min_size=1, max_size=5)
#: By name: the line below fails for a new part of clauses of days until it is here.
BY_DAYS_PART: dict[str, st.SearchStrategy[object]] = {
    **{name: BY_PART[name] for name in ("dow", "months", "date", "dates", "calendar")},
    "dom": MONTH_DAYS, "last": MONTH_DAYS, "near": MONTH_DAYS, "workday": WORKDAYS, "lastworkday": WORKDAYS,
    "every": EVERY, "from": st.dates(), "roll": st.sampled_from(words(lambda: kron.Days(roll="?"))),  # type: ignore[arg-type]
    "week": st.lists(st.integers(0, 6), min_size=1, max_size=7), "holidays": CALENDARS,
}
DAYS_PART_NAMES = words(lambda: kron.Days.from_parts({"?": "1"}))


def with_what_they_need(parts: dict[str, object]) -> dict[str, object]:
    """Parts of a clause of days, with those without which some of them are an error."""
    if "every" in parts or "from" in parts:
        parts = {"every": "2w", "from": "2026-01-05", **parts}
    if parts.keys() & {"week", "holidays"} and not parts.keys() & {"workday", "lastworkday", "near"}:
        parts = {"roll": "next", **parts}
    return parts


DAYS = st.fixed_dictionaries({}, optional={name: BY_DAYS_PART[name] for name in DAYS_PART_NAMES}).filter(bool).map(
    with_what_they_need).map(kron.Days.from_parts)
POLICIES = st.builds(kron.Policy, concurrency=st.sampled_from(words(lambda: kron.Policy(concurrency="?"))), deadline=DURATIONS)
NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1, max_size=30)
INSTANTS = st.datetimes(FIRST.replace(tzinfo=None), LAST.replace(tzinfo=None), timezones=st.just(UTC))
JOBS = st.builds(
    kron.Job, CRONS, name=NAMES, timezone=st.sampled_from(ZONES), window=WINDOWS, distribution=DISTRIBUTIONS, seed=SEEDS,
    constraints=CONSTRAINTS, policy=POLICIES,
    # Such that days of every expression are left.
    days=st.lists(st.builds(kron.Days, months=BY_PART["months"]), max_size=2), nodays=st.lists(st.builds(kron.Days, last=st.integers(1, 3)), max_size=2),
)
