"""The compiled module. Import from ``kron``."""

import datetime
import os
import typing
import zoneinfo
from collections.abc import Callable, Iterable, Iterator, Mapping

from kron._errors import KronError
from kron._records import (
    Action,
    Audit,
    ClockChange,
    Diff,
    Explanation,
    Finding,
    FleetFinding,
    LeadChange,
    Loaded,
    LoadedJob,
    OffsetChange,
    Plan,
    Placed,
    Primed,
    StartChange,
    Step,
    Verification,
)

_Concurrency: typing.TypeAlias = typing.Literal["forbid", "allow", "replace"]
_Direction: typing.TypeAlias = typing.Literal["early", "late"]
_DistributionName: typing.TypeAlias = typing.Literal["uniform", "normal", "skewEarly", "skewLate", "exponential"]
_Mode: typing.TypeAlias = typing.Literal["after", "around", "before"]
_Mu: typing.TypeAlias = typing.Literal["nominal", "start", "mid", "end"]
_Roll: typing.TypeAlias = typing.Literal["next", "previous", "nearest"]
_Strategy: typing.TypeAlias = typing.Literal["stable", "daily", "weekly", "fixed"]
_Algorithm: typing.TypeAlias = typing.Literal["siphash-chacha8/1", "sha256-splitmix64/1"]
_Unschedulable: typing.TypeAlias = typing.Literal["noAllowedSecond", "drawsExhausted"]

class _ScalarOfNumpy(typing.Protocol):
    @property
    def dtype(self) -> typing.Any: ...

class _InstantOfWhenever(typing.Protocol):
    def to_stdlib(self) -> datetime.datetime: ...

class _DurationOfWhenever(typing.Protocol):
    def to_stdlib(self) -> datetime.timedelta: ...

_Instant: typing.TypeAlias = datetime.datetime | str | _ScalarOfNumpy | _InstantOfWhenever
_Duration: typing.TypeAlias = datetime.timedelta | str | _ScalarOfNumpy | _DurationOfWhenever
_End: typing.TypeAlias = _Instant | _Duration
_Clauses: typing.TypeAlias = Clause | Mapping[str, object] | Iterable[Clause | Mapping[str, object]]
_DaysClauses: typing.TypeAlias = Days | Mapping[str, object] | Iterable[Days | Mapping[str, object]]
_JobOfName: typing.TypeAlias = str | Cron | Job
_Zone: typing.TypeAlias = zoneinfo.ZoneInfo | datetime.timezone | str
_P = typing.TypeVar("_P", bound=Period | Decision)
_Calendars: typing.TypeAlias = Iterable[Calendar] | None
_Values: typing.TypeAlias = str | int | Iterable[str | int]
_BucketValue: typing.TypeAlias = typing.Literal["starts", "running", "load"]
_Progress: typing.TypeAlias = Callable[[int], object]
_State: typing.TypeAlias = tuple[object, tuple[object, ...]]

__all__ = [
    "audit",
    "Timestamps",
    "_load_calendars",
    "Calendar",
    "_explain_text",
    "compare_starts",
    "Clause",
    "Constraints",
    "Cron",
    "Days",
    "Decision",
    "diff",
    "Distribution",
    "Fleet",
    "Forecast",
    "HostState",
    "Job",
    "decide",
    "Period",
    "Policy",
    "plan",
    "Receipt",
    "verify",
    "_load",
    "lint",
    "lint_fleet",
    "Seed",
    "Spread",
    "Decisions",
    "TzDatabase",
    "Window",
    "TZDB_VERSION",
    "__version__",
]

TZDB_VERSION: typing.Final[str]
__version__: typing.Final[str]

@typing.final
class Cron:
    """A cron expression of five fields, or one of the macros `@yearly @annually @monthly @weekly @daily @midnight @hourly`.

    It determines *nominal times*. Windows belong to jobs.

    >>> import kron
    >>> kron.Cron("0,30 9-17 ? * MON-FRI")
    kron.Cron('0,30 9-17 * * 1-5')
    >>> kron.Cron("0 9 * * FRI-SUN")
    Traceback (most recent call last):
        ...
    kron.KronError: schedule.dayOfWeek: range `FRI-SUN` at column 9 runs backwards; write `FRI-7`
    """
    def __new__(cls, text: str, /) -> Cron: ...
    @classmethod
    def parse(cls, text: str, /) -> Cron:
        """The same as `Cron(text)`. The other types that have a text form have a classmethod of this name, too."""
    def next(
        self, after: _Instant | None = None, *, timezone: _Zone = "UTC", tz_database: TzDatabase | None = None
    ) -> datetime.datetime | None:
        """The smallest nominal time after an instant, the present one by default; `None` if there is none up to 2099.

        >>> import datetime, kron
        >>> noon = datetime.datetime(2026, 3, 28, 12, tzinfo=datetime.timezone.utc)
        >>> kron.Cron("30 2 * * *").next(noon, timezone="Europe/Paris")  # 02:30 is skipped on the 29th
        datetime.datetime(2026, 3, 30, 0, 30, tzinfo=datetime.timezone.utc)
        """
    def prev(
        self, at: _Instant | None = None, *, timezone: _Zone = "UTC", tz_database: TzDatabase | None = None
    ) -> datetime.datetime | None:
        """The greatest nominal time at or before an instant, the present one by default; `None` if there is none from 1970 on.

        >>> import datetime, kron
        >>> noon = datetime.datetime(2026, 3, 28, 12, tzinfo=datetime.timezone.utc)
        >>> kron.Cron("@daily").prev(noon)
        datetime.datetime(2026, 3, 28, 0, 0, tzinfo=datetime.timezone.utc)
        """
    @property
    def shortest_text(self) -> str:
        """The expression in few characters: each field is the shortest list that says the same. `str()` gives the canonical form
        instead, in which lists ascend.

        >>> import kron
        >>> kron.Cron("0,10,20,30,40,50 8 1-31/2 * 5,6,7").shortest_text
        '*/10 8 */2 * 5-7'
        """
    def prime(self, lead: _Duration, *, cover: bool = False) -> Primed:
        """The expressions that fire `lead` before this one. The lead is in whole minutes, from one minute to 31 days.

        Their civil times are those of this expression moved back, with none missing and none added, in the years 1970 to 2099.
        Where no such expressions exist, raises `KronError` with the code 700 and with the dates that show it. With `cover=True`
        it then returns expressions that also fire at other times: the smallest set that is found.

        >>> import datetime, kron
        >>> kron.Cron("*/20 0 * * MON").prime(datetime.timedelta(minutes=10)).texts
        ('50 23 * * 0', '10,30 0 * * 1')
        >>> march = kron.Cron("0 0 1 3 *")
        >>> try: march.prime("10m")
        ... except kron.KronError as error: error.code
        700
        >>> march.prime("10m", cover=True).surplus
        32
        """
    def lead_changes(
        self,
        lead: _Duration,
        after: _Instant | None = None,
        until: _Instant | None = None,
        *,
        timezone: _Zone = "UTC",
        tz_database: TzDatabase | None = None,
    ) -> list[LeadChange]:
        """The clock changes because of which the expressions of `prime` do not fire exactly `lead` before a start: a list of
        `kron.LeadChange`. For each clock change after `after` and before `until`, it has the first start affected in each way.
        `after` is the present time by default, and `until` is three years after it. Raises `KronError` for a lead that `prime`
        does not take.

        >>> import datetime, kron
        >>> spring = datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc)
        >>> changes = kron.Cron("0 3 * * *").lead_changes("10m", spring, timezone="Europe/Paris")
        >>> print(changes[0])
        2026-03-29T02:50 is skipped: nothing fires before the start at 2026-03-29T03:00
        >>> changes[1].kind, changes[1].lead
        ('twice', datetime.timedelta(seconds=4200))
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> _State: ...

@typing.final
class Window:
    """The closed interval in which the start is chosen.

    `mode` is its position: `'after'`, `'around'` or `'before'` the nominal time. `duration` is its length, a timedelta or a text
    such as `'3h'`, from 0 to 8784h (366 days). Raises `KronError` for a longer one.

    >>> import kron
    >>> kron.Window("after", "90m")
    kron.Window('after', '1h30m0s')
    >>> str(kron.Window("around", "40m"))
    'around,40m0s'
    """
    def __new__(cls, mode: _Mode = "after", duration: _Duration = "0s") -> Window: ...
    @classmethod
    def after(cls, duration: _Duration, /) -> Window:
        """A window of this length from the nominal time on.

        >>> import kron
        >>> kron.Window.after("3h")
        kron.Window('after', '3h0m0s')
        """
    @classmethod
    def around(cls, duration: _Duration, /) -> Window:
        """A window of this length with the nominal time in its middle."""
    @classmethod
    def before(cls, duration: _Duration, /) -> Window:
        """A window of this length that ends at the nominal time."""
    @classmethod
    def parse(cls, text: str, /) -> Window:
        """Reads the text form, as in `@win(...)`.

        >>> import kron
        >>> kron.Window.parse("after,3h").duration
        datetime.timedelta(seconds=10800)
        """
    @property
    def mode(self) -> _Mode:
        """The position of the window: `after`, `around` or `before` the nominal time."""
    @property
    def duration(self) -> datetime.timedelta:
        """The length, rounded down to microseconds; the text has the nanoseconds."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> _State: ...

@typing.final
class Distribution:
    """How starts are spread over the window. There is a classmethod for each distribution. A parameter out of range raises
    `KronError`.

    >>> import kron
    >>> kron.Distribution.skew_early(2.5)
    kron.Distribution.skew_early(2.5)
    >>> str(kron.Distribution.normal(sigma="15m"))
    'normal,sigma=15m0s'
    """
    @classmethod
    def uniform(cls) -> Distribution:
        """Every second of the window is equally likely."""
    @classmethod
    def skew_early(cls, shape: float = 2.0) -> Distribution:
        """More often early: the quantile function is `u**shape`. The shape is finite and above 0."""
    @classmethod
    def skew_late(cls, shape: float = 2.0) -> Distribution:
        """More often late: the quantile function is `1 - (1 - u)**shape`. The shape is finite and above 0."""
    @classmethod
    def normal(cls, *, mu: _Mu | None = None, sigma: _Duration | None = None) -> Distribution:
        """A normal distribution cut off at the window's ends.

        `mu` is `'nominal'`, `'start'`, `'mid'` or `'end'`; left out, it is `'nominal'` in windows `around`, else `'mid'`.
        `sigma` is a timedelta or a text above 0; left out, it is a sixth of the window.
        """
    @classmethod
    def exponential(cls, lambda_: float = 1.0, *, dir: _Direction = "early") -> Distribution:
        """An exponential distribution cut off at the window's ends, densest at its start (`dir='early'`) or end (`'late'`).

        `lambda_` is the rate per window length, finite and above 0.
        """
    @classmethod
    def from_params(cls, name: str, params: Mapping[str, str], /) -> Distribution:
        """A distribution by its name and its parameters as text, as in a manifest.

        >>> import kron
        >>> kron.Distribution.from_params("exponential", {"lambda": "8", "dir": "late"})
        kron.Distribution.exponential(8.0, dir='late')
        """
    @classmethod
    def parse(cls, text: str, /) -> Distribution:
        """Reads the text form, as in `@dist(...)`.

        >>> import kron
        >>> kron.Distribution.parse("skewEarly,shape=2.50").params
        {'shape': '2.5'}
        """
    @property
    def name(self) -> _DistributionName:
        """The name: `uniform`, `normal`, `skewEarly`, `skewLate` or `exponential`."""
    @property
    def params(self) -> dict[str, str]:
        """The parameters that differ from their defaults, as text."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> _State: ...

@typing.final
class Seed:
    """How often a new draw is made, and a salt.

    `strategy` is `'stable'` (for every period), `'daily'` (for every day in the job's zone), `'weekly'` (for every ISO week in
    the job's zone) or `'fixed'` (once for all periods). `salt` is any text of up to 1024 bytes in UTF-8; another salt gives other
    starts.

    >>> import kron
    >>> kron.Seed("daily", salt="blue")
    kron.Seed('daily', salt='blue')
    """
    def __new__(cls, strategy: _Strategy = "stable", *, salt: str = "") -> Seed: ...
    @classmethod
    def parse(cls, text: str, /) -> Seed:
        """Reads the text form, as in `@seed(...)`.

        >>> import kron
        >>> kron.Seed.parse('weekly,salt="blue green"').salt
        'blue green'
        """
    @property
    def strategy(self) -> _Strategy:
        """The seed strategy: how often a new draw is made."""
    @property
    def salt(self) -> str:
        """The salt."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> _State: ...

@typing.final
class Calendar:
    """A named list of dates, which the part `calendar` of a clause names.

    `dates` is an iterable of `datetime.date`s, of pairs of a first and a last date, and of texts of both kinds; or one text with
    commas between the dates. Both ends of a pair are included. The name has 1 to 64 ASCII letters, digits, `-`, `_` and `.`, and
    begins with a letter or digit. Raises `KronError` for another name, without dates, and for more than 10,000 ranges of dates.

    Jobs, `load` and `verify` take calendars as the argument `calendars`.

    >>> import datetime, kron
    >>> holidays = kron.Calendar("holidays-fr", [datetime.date(2026, 12, 25), "2027-01-01"])
    >>> job = kron.Job("@daily @win(after,3h) @avoid(calendar=holidays-fr)", name="db/backup", calendars=[holidays])
    >>> noon = datetime.datetime(2026, 12, 24, 12, tzinfo=datetime.timezone.utc)
    >>> job.next_start(noon).period_id  # there is no start on the 25th
    '2026-12-26T00:00:00Z'
    >>> kron.Calendar("year-end", "2026-12-24..2026-12-26, 2026-12-31")
    kron.Calendar('year-end', '2026-12-24..2026-12-26, 2026-12-31')
    """
    def __new__(
        cls, name: str, dates: str | Iterable[datetime.date | tuple[datetime.date, datetime.date] | str], /
    ) -> Calendar: ...
    @classmethod
    def from_icalendar(cls, name: str, text: str, /) -> Calendar:
        """Reads the text of an iCalendar file (RFC 5545). The calendar has the days of its events, which must be all-day events.
        Raises `KronError` for other events and for text that is not iCalendar.

        >>> import kron
        >>> event = "BEGIN:VEVENT\\r\\nUID:1\\r\\nDTSTAMP:20260101T000000Z\\r\\nDTSTART;VALUE=DATE:20261225\\r\\nEND:VEVENT\\r\\n"
        >>> text = f"BEGIN:VCALENDAR\\r\\nVERSION:2.0\\r\\nPRODID:-//x//y//EN\\r\\n{event}END:VCALENDAR\\r\\n"
        >>> kron.Calendar.from_icalendar("holidays", text)
        kron.Calendar('holidays', '2026-12-25')
        """
    @property
    def name(self) -> str:
        """The name."""
    @property
    def dates(self) -> tuple[tuple[datetime.date, datetime.date], ...]:
        """The dates, as pairs of a first and a last date: in order, with at least one day between one pair and the next. Raises
        `ValueError` for the year 0, which `datetime.date` does not have.
        """
    @property
    def content_hash(self) -> str:
        """A hash of the dates, 64 lower-case hex digits: two calendars with the same one have the same dates, whatever their names.
        Receipts contain it.

        It is the SHA-256 of the lines `YYYY-MM-DD..YYYY-MM-DD` of `dates`, each with a line feed at its end.

        >>> import hashlib, kron
        >>> wanted = hashlib.sha256(b"2026-12-25..2026-12-25\\n").hexdigest()
        >>> kron.Calendar("christmas", "2026-12-25").content_hash == wanted
        True
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> _State: ...

@typing.final
class Clause:
    """A group of parts, such as `hours` and `dow`, that must all match. They are compared with the civil time in the job's zone.

    `hours`, `dow`, `dom` and `months` are texts such as `'9-17,20'`, integers, or iterables of both; `between` is a text such
    as `'09:30-11:30'` or an iterable of such; `date` is a `datetime.date` or its text, `dates` a pair of dates, both
    included, or its text. `calendar` is a `kron.Calendar`. At least one part is needed. Raises `KronError` for a value out of
    range.

    >>> import datetime, kron
    >>> kron.Clause(hours="22-5", dow=["SAT", "SUN"])
    kron.Clause(hours='22-5', dow='0,6')
    >>> kron.Clause(date=datetime.date(2026, 12, 25))
    kron.Clause(date='2026-12-25')
    """
    def __new__(
        cls,
        *,
        hours: _Values | None = None,
        dow: _Values | None = None,
        dom: _Values | None = None,
        months: _Values | None = None,
        between: str | Iterable[str] | None = None,
        date: datetime.date | str | None = None,
        dates: tuple[datetime.date, datetime.date] | str | None = None,
        calendar: Calendar | None = None,
    ) -> Clause: ...
    @classmethod
    def from_parts(cls, parts: Mapping[str, object], /) -> Clause:
        """Makes a clause from a mapping of its parts by name. Pickles call it."""
    @property
    def parts(self) -> dict[str, str]:
        """The parts by name, in canonical form. The part `calendar` is the name of the calendar."""
    @property
    def calendar(self) -> Calendar | None:
        """The calendar of the part `calendar`; `None` if the clause has none."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> _State: ...

@typing.final
class Days:
    """A group of parts that choose nominal days, such as `dow` and `last`, that must all match. They are compared with the civil date
    of the nominal time in the job's zone; `kron.Clause` is for the chosen time.

    `dow`, `dom`, `months`, `last`, `workday`, `lastworkday`, `near` and `week` are texts such as `'1-7'`, integers, or iterables
    of both; `date` and `from_` are a `datetime.date` or its text, `dates` a pair of dates, both included, or its text. `calendar`
    and `holidays` are a `kron.Calendar`. `every` is a text such as `'2w'`, and `roll` is `'next'`, `'previous'` or `'nearest'`. In
    texts and mappings the part of `from_` is `from`. At least one part is needed. Raises `KronError` for a value out of range, and
    for a part without another one that it needs.

    >>> import datetime, kron
    >>> kron.Days(dow="FRI", last=range(1, 8))  # the last Friday
    kron.Days(dow='5', last='1-7')
    >>> job = kron.Job("0 22 * * *", name="prod/db", days=kron.Days(every="2w", from_=datetime.date(2026, 1, 6)))
    >>> job.next_period("2026-03-01T00:00:00Z").period_id
    '2026-03-03T22:00:00Z'
    """
    def __new__(
        cls,
        *,
        dow: _Values | None = None,
        dom: _Values | None = None,
        months: _Values | None = None,
        date: datetime.date | str | None = None,
        dates: tuple[datetime.date, datetime.date] | str | None = None,
        calendar: Calendar | None = None,
        last: _Values | None = None,
        workday: _Values | None = None,
        lastworkday: _Values | None = None,
        near: _Values | None = None,
        every: str | None = None,
        from_: datetime.date | str | None = None,
        roll: _Roll | None = None,
        week: _Values | None = None,
        holidays: Calendar | None = None,
    ) -> Days: ...
    @classmethod
    def from_parts(cls, parts: Mapping[str, object], /) -> Days:
        """Makes a clause from a mapping of its parts by name. Pickles call it."""
    @property
    def parts(self) -> dict[str, str]:
        """The parts by name, in canonical form. The parts `calendar` and `holidays` are the names of the calendars.

        >>> import kron
        >>> kron.Days(dom=25, roll="previous").parts
        {'dom': '25', 'roll': 'previous'}
        """
    @property
    def calendar(self) -> Calendar | None:
        """The calendar of the part `calendar`; `None` if the clause has none."""
    @property
    def holidays(self) -> Calendar | None:
        """The calendar of the part `holidays`; `None` if the clause has none."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> _State: ...

@typing.final
class Constraints:
    """Calendar rules for chosen times: at least one `only` clause must match, if there are any, and no `avoid` clause may match.

    `only` and `avoid` are each a `kron.Clause`, a mapping of its parts, or an iterable of these, at most 128.

    >>> import kron
    >>> kron.Constraints(only={"hours": "9-17"}, avoid=[kron.Clause(dow="SUN")])
    kron.Constraints(only=[kron.Clause(hours='9-17')], avoid=[kron.Clause(dow='0')])
    """
    def __new__(
        cls, *, only: _Clauses = (), avoid: _Clauses = ()
    ) -> Constraints: ...
    @classmethod
    def parse(cls, text: str, /, calendars: _Calendars = None) -> Constraints:
        """Reads the text form: the modifiers `@only(...)` and `@avoid(...)`. `calendars` are the `kron.Calendar`s that the text may
        name.

        >>> import kron
        >>> kron.Constraints.parse("@only(hours=9-17;dow=MON-FRI)").only
        (kron.Clause(hours='9-17', dow='1-5'),)
        """
    @property
    def only(self) -> tuple[Clause, ...]:
        """The clauses of which one must match."""
    @property
    def avoid(self) -> tuple[Clause, ...]:
        """The clauses of which none may match."""
    @property
    def calendars(self) -> tuple[Calendar, ...]:
        """The calendars that the clauses name, each once, in order of their names."""
    def __bool__(self) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> _State: ...

@typing.final
class Policy:
    """How a host treats a job's periods.

    `concurrency` says what happens while an earlier execution is active: `'forbid'`, `'allow'` or `'replace'`. `deadline`, a
    timedelta or a text, is how late a start may be; with `'0s'` a job starts in its chosen second or not at all. With `suspend`
    nothing is started.

    >>> import kron
    >>> kron.Policy(deadline="10m")
    kron.Policy(deadline='10m0s')
    """
    def __new__(cls, *, concurrency: _Concurrency = "forbid", deadline: _Duration = "0s", suspend: bool = False) -> Policy: ...
    @classmethod
    def parse(cls, text: str, /) -> Policy:
        """Reads the text form, as in `@policy(...)`. The text of the default policy is empty.

        >>> import kron
        >>> kron.Policy.parse("concurrency=replace,deadline=1m").concurrency
        'replace'
        """
    @property
    def concurrency(self) -> _Concurrency:
        """What happens while an earlier execution is active."""
    @property
    def deadline(self) -> datetime.timedelta:
        """How long after its chosen time a period may still start, rounded down to microseconds."""
    @property
    def suspend(self) -> bool:
        """Whether nothing is started. Periods then get no outcome."""
    def evaluate(
        self, period: Period | Decision, now: _Instant | None = None, *, handled: bool = False, active: bool = False
    ) -> Action:
        """What to do with one period at `now`, by default the present time: the first rule that applies decides. `period` is a
        `kron.Decision` or a `kron.Period`. Returns a `kron.Action`.

        `handled` says whether the period has its outcome, `active` whether an execution of the job is active.

        >>> import datetime, kron
        >>> job = kron.Job("0 0 * * * @win(after,3h) @policy(deadline=10m)", name="prod/db-backup")
        >>> decision = job.decide(datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc))
        >>> late = decision.chosen_time + datetime.timedelta(minutes=11)
        >>> job.policy.evaluate(decision, late)
        kron.Action('record', outcome='missed')
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> _State: ...

@typing.final
class Period:
    """The times of one period, without the proof of how they were drawn: what policies and plans need.

    `Decision.period` gives the period of a decision. A program that keeps the times elsewhere, for example in a database,
    makes a period of them. `chosen_time` is `None` for an unschedulable period. A time that is not a whole second raises
    `ValueError`.

    >>> import datetime, kron
    >>> noon = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.timezone.utc)
    >>> period = kron.Period(noon, window_start=noon, window_end=noon, chosen_time=noon)
    >>> period.period_id, kron.Policy().evaluate(period, noon).kind
    ('2026-03-01T12:00:00Z', 'execute')
    """
    def __new__(
        cls,
        nominal_time: _Instant,
        window_start: _Instant,
        window_end: _Instant,
        chosen_time: _Instant | None,
    ) -> Period: ...
    @property
    def period_id(self) -> str:
        """The period id: the nominal time in RFC 3339, UTC."""
    @property
    def nominal_time(self) -> datetime.datetime:
        """The nominal time."""
    @property
    def window_start(self) -> datetime.datetime:
        """The first candidate of the window."""
    @property
    def window_end(self) -> datetime.datetime:
        """The last candidate of the window."""
    @property
    def chosen_time(self) -> datetime.datetime | None:
        """The start; `None` if the period is unschedulable."""
    @property
    def nominal_timestamp(self) -> int:
        """`nominal_time` in Unix seconds."""
    @property
    def window_start_timestamp(self) -> int:
        """`window_start` in Unix seconds."""
    @property
    def window_end_timestamp(self) -> int:
        """`window_end` in Unix seconds."""
    @property
    def chosen_timestamp(self) -> int | None:
        """`chosen_time` in Unix seconds."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> _State: ...

@typing.final
class Decision:
    """The decision of one period: its times, and the proof that they were drawn: algorithm, seed and number of draws.

    Jobs make decisions. The constructor is for `repr` and pickles: it takes a job, a nominal time and the expected chosen time,
    decides again, and raises `ValueError` if the result differs.

    Times are aware datetimes in UTC. Decisions are ordered by chosen time (window end if there is none), then nominal time, then
    name.

    >>> import datetime, kron
    >>> job = kron.Job("0 0 * * * @win(after,3h) @seed(stable,salt=backup)", name="prod/db-backup")
    >>> decision = job.decide(datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc))
    >>> decision.period_id, decision.chosen_time.isoformat(), decision.draws
    ('2026-03-01T00:00:00Z', '2026-03-01T00:19:37+00:00', 1)
    """
    def __new__(
        cls, job: Job, nominal_time: _Instant, chosen_time: _Instant | None, /
    ) -> Decision: ...
    @property
    def job(self) -> Job:
        """The job that decided."""
    @property
    def name(self) -> str:
        """The name of the job."""
    @property
    def period(self) -> Period:
        """The times of the period, without the proof."""
    @property
    def algorithm(self) -> _Algorithm:
        """The name of the algorithm that decided."""
    @property
    def period_id(self) -> str:
        """The period id: the nominal time in RFC 3339, UTC."""
    @property
    def period_key(self) -> str:
        """What periods that share this draw have in common: the period id, the local date, the local ISO week or `fixed`."""
    @property
    def nominal_time(self) -> datetime.datetime:
        """The nominal time."""
    @property
    def window_start(self) -> datetime.datetime:
        """The first candidate of the window."""
    @property
    def window_end(self) -> datetime.datetime:
        """The last candidate of the window."""
    @property
    def chosen_time(self) -> datetime.datetime | None:
        """The start; `None` if the period is unschedulable."""
    @property
    def nominal_timestamp(self) -> int:
        """`nominal_time` in Unix seconds."""
    @property
    def window_start_timestamp(self) -> int:
        """`window_start` in Unix seconds."""
    @property
    def window_end_timestamp(self) -> int:
        """`window_end` in Unix seconds."""
    @property
    def chosen_timestamp(self) -> int | None:
        """`chosen_time` in Unix seconds."""
    @property
    def unschedulable(self) -> _Unschedulable | None:
        """Why there is no start, `'noAllowedSecond'` or `'drawsExhausted'`; `None` if there is one."""
    @property
    def seed_input(self) -> str:
        """The text that was hashed: name, period key and salt, one a line."""
    @property
    def seed_hash(self) -> str:
        """The hash of `seed_input`, 32 bytes as 64 lower-case hex digits. It seeds the draws."""
    @property
    def draws(self) -> int:
        """How many draws were made, from 0 to 65."""
    def receipt(self) -> Receipt:
        """A receipt, from which anyone can compute the decision again.

        >>> import kron
        >>> job = kron.Job("0 0 * * * @win(after,3h)", name="prod/db-backup")
        >>> kron.verify(job.next_start().receipt()).agrees
        True
        """
    def to_dict(self) -> dict[str, typing.Any]:
        """The decision as a dict: the attributes by name, without `job`, `period` and the Unix seconds.

        >>> import kron
        >>> decision = kron.Job("@daily @win(after,1h) @only(hours=9)", name="prod/db").next_period()
        >>> decision.to_dict()["unschedulable"], decision.to_dict()["nominal_time"] == decision.nominal_time
        ('noAllowedSecond', True)
        """
    def to_json(self) -> str:
        """The decision as JSON, with the names of `kron next -o json`: `periodId`, `chosenTime` and so on."""
    def _repr_svg_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __lt__(self, other: Decision, /) -> bool: ...
    def __le__(self, other: Decision, /) -> bool: ...
    def __gt__(self, other: Decision, /) -> bool: ...
    def __ge__(self, other: Decision, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> _State: ...

@typing.final
class Decisions:
    """Starts or periods in order, made by `Job.starts`, `Job.periods`, `Fleet.starts`, `Fleet.periods` and `Fleet.next_starts`.

    It can be read any number of times and keeps no decisions in memory: each pass computes them again, one after the other.
    `for` and `list` read all of it, `series[0]` and `series[-1]` one, and `series[:10]` is a series, too. `bool` says whether there
    are any, and `len` counts them, once. `to_pandas`, `to_polars`, `to_numpy` and `to_list` compute all of them.

    `series[i]` computes the decisions up to the one of that index, and `series[-1]` the last one only. Other negative indices, and
    slices that count from the end, need `len` first. A series without an end goes on to the end of 2099; it has no `len` and no last
    decision, and asking for them raises `TypeError`.

    `decision in series` and `time in series` say whether it has this decision, or one of this time: the chosen time of a start, the
    nominal time of a period.

    >>> import datetime, kron
    >>> day = datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc)
    >>> starts = kron.Job("0 0 * * * @win(after,3h)", name="prod/db-backup").starts(day, datetime.timedelta(days=7))
    >>> len(starts), starts[0].period_id, starts[-1].period_id
    (7, '2026-03-01T00:00:00Z', '2026-03-07T00:00:00Z')
    >>> [start.draws for start in starts[:2]]
    [1, 1]
    """
    def __iter__(self) -> Iterator[Decision]: ...
    def __reversed__(self) -> Iterator[Decision]: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    @typing.overload
    def __getitem__(self, index: typing.SupportsIndex, /) -> Decision: ...
    @typing.overload
    def __getitem__(self, index: slice, /) -> Decisions: ...
    def __contains__(self, item: Decision | _Instant, /) -> bool: ...
    def to_list(self) -> list[Decision]:
        """A list of the decisions. `list(series)` is the same and takes longer, because Python asks for the length first."""
    # NumPy, pandas and polars are optional, and so are their types.
    def to_numpy(self) -> typing.Any:
        """The chosen times as a NumPy array of `datetime64[s]` in UTC; NaT for unschedulable periods. Needs NumPy, whose `asarray` gives
        the same.

        >>> import datetime, kron
        >>> day = datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc)
        >>> kron.Job("0 */12 * * *", name="prod/db").starts(day, "24h").to_numpy()
        array(['2026-03-01T00:00:00', '2026-03-01T12:00:00'],
              dtype='datetime64[s]')
        """
    def __array__(self, dtype: typing.Any = None, copy: bool | None = None) -> typing.Any: ...
    def to_pandas(self) -> typing.Any:
        """The decisions as a `pandas.DataFrame` with the columns `name`, `nominal_time`, `window_start`, `window_end` and `chosen_time`.

        `name` is the name of the job; the others are times in UTC. Window start and end are both included. `chosen_time` is NaT for
        unschedulable periods. Raises `KronError` if a search fails, `TypeError` for a series without an end, and
        `ModuleNotFoundError` without pandas.

        >>> import datetime, kron
        >>> day = datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc)
        >>> job = kron.Job("0 */12 * * * @win(after,1h)", name="prod/db")
        >>> job.starts(day, "24h").to_pandas()[["name", "nominal_time"]]
              name              nominal_time
        0  prod/db 2026-03-01 00:00:00+00:00
        1  prod/db 2026-03-01 12:00:00+00:00
        """
    def to_polars(self) -> typing.Any:
        """The decisions as a `polars.DataFrame` with the columns `name`, `nominal_time`, `window_start`, `window_end` and `chosen_time`,
        as those of `to_pandas`; `chosen_time` is null for unschedulable periods. Raises as `to_pandas`, without polars.

        >>> import datetime, kron
        >>> day = datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc)
        >>> job = kron.Job("0 */12 * * * @win(after,1h)", name="prod/db")
        >>> job.starts(day, "24h").to_polars().columns
        ['name', 'nominal_time', 'window_start', 'window_end', 'chosen_time']
        """
    def _repr_html_(self) -> str: ...

@typing.final
class Timestamps:
    """An immutable sequence of Unix seconds; `None` where a period is unschedulable.

    The argument is an iterable of Unix seconds and `None`, a NumPy array of `datetime64`, or a buffer of 64-bit integers.

    `data` is a read-only memoryview of 64-bit integers in the machine's byte order, without a copy; there -2**63 means
    `None`. `to_numpy` and `numpy.asarray` make a NumPy array of times on the same memory.

    >>> import kron
    >>> times = kron.Timestamps([0, None, 86400])
    >>> len(times), times[1], times[-1]
    (3, None, 86400)
    >>> times.to_datetimes()[0]
    datetime.datetime(1970, 1, 1, 0, 0, tzinfo=datetime.timezone.utc)
    """
    def __new__(cls, seconds: object, /) -> Timestamps: ...
    @property
    def data(self) -> memoryview[int]:
        """A read-only memoryview of the 64-bit integers."""
    # NumPy is optional, and so are its types.
    def to_numpy(self) -> typing.Any:
        """A NumPy array of `datetime64[s]` over the same memory, read-only; NaT where there is no start. Needs NumPy."""
    def __array__(self, dtype: typing.Any = None, copy: bool | None = None) -> typing.Any: ...
    def tolist(self) -> list[int | None]:
        """A list of Unix seconds, `None` where there is no start."""
    def to_datetimes(self) -> list[datetime.datetime | None]:
        """A list of aware datetimes in UTC, `None` where there is no start. Raises `OverflowError` beyond the years 1 to 9999."""
    def __len__(self) -> int: ...
    @typing.overload
    def __getitem__(self, index: typing.SupportsIndex, /) -> int | None: ...
    @typing.overload
    def __getitem__(self, index: slice, /) -> Timestamps: ...
    def __iter__(self) -> Iterator[int | None]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> _State: ...

@typing.final
class Job:
    """A job: a cron expression with modifiers, and a name.

    The text is a cron expression and modifiers, or a `kron.Cron`. Every modifier can be a keyword argument instead, but not both:
    a Python type or the text inside the modifier's brackets. `days` and `nodays` instead take a `kron.Days`, a mapping of its
    parts, or an iterable of these; `only` and `avoid` take the same with `kron.Clause`.
    `constraints` takes the modifiers `@only(...)` and `@avoid(...)` themselves as text; `window` also takes a duration alone, for
    a window `after`. `name` is the job's name, 1 to 1024 bytes without control characters; its start times depend on it.

    `tz_database` is the `kron.TzDatabase` in which the zone is looked up, by default the compiled-in one. The job keeps the
    rules of its zone, in pickles too. `calendars` are the `kron.Calendar`s that the text or `constraints` name; the job keeps
    their dates.

    Methods use the present time for an instant that is left out. They take aware datetimes of any zone, raise `TypeError` for
    naive ones, and return datetimes in UTC.

    >>> import kron
    >>> text = kron.Job("0 0 * * * @tz(Europe/Paris) @win(after,3h)", name="prod/db-backup")
    >>> text == kron.Job("@daily", name="prod/db-backup", timezone="Europe/Paris", window=kron.Window("after", "3h"))
    True
    >>> text
    kron.Job('0 0 * * * @tz(Europe/Paris) @win(after,3h0m0s)', name='prod/db-backup')
    """
    def __new__(
        cls,
        text: str | Cron,
        /,
        *,
        name: str,
        timezone: _Zone | None = None,
        days: _DaysClauses | None = None,
        nodays: _DaysClauses | None = None,
        window: Window | _Duration | None = None,
        distribution: Distribution | str | None = None,
        seed: Seed | str | None = None,
        only: _Clauses | None = None,
        avoid: _Clauses | None = None,
        constraints: Constraints | str | None = None,
        policy: Policy | str | None = None,
        algorithm: _Algorithm | None = None,
        tz_database: TzDatabase | None = None,
        calendars: _Calendars = None,
    ) -> Job: ...
    def replace(
        self,
        *,
        name: str | None = None,
        timezone: _Zone = ...,
        days: _DaysClauses = ...,
        nodays: _DaysClauses = ...,
        window: Window | _Duration = ...,
        distribution: Distribution | str = ...,
        seed: Seed | str = ...,
        only: _Clauses = ...,
        avoid: _Clauses = ...,
        constraints: Constraints | str = ...,
        policy: Policy | str = ...,
        algorithm: _Algorithm = ...,
        tz_database: TzDatabase | None = None,
        calendars: _Calendars = None,
    ) -> Job:
        """The same job with other parts, or another name.

        `timezone` is looked up in `tz_database`, which is the compiled-in database by default. With `tz_database` alone, the
        job keeps the name of its zone and takes the rules from that database. With `calendars`, the clauses of days and the
        constraints that the job keeps take the dates of the calendars that they name from these.

        A part that is left out stays. `None` is an error: `window="0s"` removes the window.

        >>> import kron
        >>> kron.Job("@daily", name="prod/db").replace(window="after,1h")
        kron.Job('0 0 * * * @win(after,1h0m0s)', name='prod/db')
        """
    @property
    def name(self) -> str:
        """The stable name of the job; in a cluster `namespace/name`."""
    @property
    def schedule(self) -> Cron:
        """The cron expression."""
    @property
    def timezone(self) -> zoneinfo.ZoneInfo:
        """The zone in which schedule and constraints are read, as the `zoneinfo.ZoneInfo` of that name.

        Its rules are those of Python's own data, which can be older than the rules that the job uses. Raises
        `zoneinfo.ZoneInfoNotFoundError` if Python has no zone of that name.
        """
    @property
    def tzdb_version(self) -> str | None:
        """The version of the time zone database that the zone's rules are from, such as `2026e`; `None` if it is unknown.

        >>> import kron
        >>> kron.Job("@daily", name="prod/db", timezone="Europe/Paris").tzdb_version == kron.TZDB_VERSION
        True
        """
    @property
    def timezone_fingerprint(self) -> str:
        """The fingerprint of the zone's rules, 64 lower-case hex digits, as from `TzDatabase.fingerprint`. Receipts contain it.

        >>> import kron
        >>> job = kron.Job("@daily", name="prod/db", timezone="Europe/Paris")
        >>> job.timezone_fingerprint == kron.TzDatabase.compiled_in().fingerprint("Europe/Paris")
        True
        """
    @property
    def days(self) -> tuple[Days, ...]:
        """The clauses of which one must match the date of a nominal time; none of them if every date does.

        >>> import kron
        >>> kron.Job("0 22 * * * @days(dow=FRI;last=1-7)", name="prod/db").days
        (kron.Days(dow='5', last='1-7'),)
        """
    @property
    def nodays(self) -> tuple[Days, ...]:
        """The clauses of which none may match the date of a nominal time."""
    @property
    def window(self) -> Window:
        """The window."""
    @property
    def distribution(self) -> Distribution:
        """How starts are spread over the window."""
    @property
    def seed(self) -> Seed:
        """How often a new draw is made, and the salt."""
    @property
    def constraints(self) -> Constraints:
        """Calendar rules for the chosen time."""
    @property
    def policy(self) -> Policy:
        """How a host treats the periods."""
    @property
    def algorithm(self) -> _Algorithm:
        """The name of the algorithm."""
    def decide(self, nominal: _Instant) -> Decision:
        """Decides the period of a nominal time: any whole second of the years 1970 to 2099 in UTC, on the schedule or not. Raises
        `KronError` for any other instant.
        """
    def next_start(self, after: _Instant | None = None) -> Decision:
        """The start with the smallest chosen time after an instant.

        Raises `KronError` if there is none within five years, after 100,000 unschedulable periods in a row, or at the end of
        2099.

        >>> import datetime, kron
        >>> job = kron.Job("0 0 * * * @tz(Europe/Paris) @win(after,3h)", name="prod/db-backup")
        >>> noon = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.timezone.utc)
        >>> print(job.next_start(noon))
        prod/db-backup 2026-03-01T23:00:00Z starts at 2026-03-02T00:09:23Z
        """
    def prev_start(self, at: _Instant | None = None) -> Decision:
        """The start with the greatest chosen time at or before an instant.

        Raises `KronError` if there is none within five years, after 100,000 unschedulable periods in a row, or at the beginning
        of 1970.
        """
    def next_period(self, after: _Instant | None = None) -> Decision:
        """The period with the smallest nominal time after an instant, schedulable or not. Raises `KronError` at the end of 2099."""
    def prev_period(self, at: _Instant | None = None) -> Decision:
        """The period with the greatest nominal time at or before an instant, schedulable or not. Raises `KronError` before 1970."""
    def current_period(self, now: _Instant | None = None) -> Decision | None:
        """The period whose window began last, at or before `now`. `None` if there is none, or if its window has ended and its
        deadline has passed; an unschedulable period has no deadline. A program that a crontab starts at the beginning of each
        window finds its period in this way.

        >>> import datetime, kron
        >>> job = kron.Job("@daily @win(after,3h)", name="prod/db-backup")
        >>> night = datetime.datetime(2026, 3, 1, 1, tzinfo=datetime.timezone.utc)
        >>> job.current_period(night).period_id
        '2026-03-01T00:00:00Z'
        >>> job.current_period(night + datetime.timedelta(hours=3)) is None
        True
        """
    def next_start_timestamp(self, after: typing.SupportsIndex) -> int:
        """`next_start` in Unix seconds: the smallest chosen time after a second. Raises as `next_start`.

        >>> import kron
        >>> kron.Job("@hourly", name="web/ping").next_start_timestamp(1)
        3600
        """
    def prev_start_timestamp(self, at: typing.SupportsIndex) -> int:
        """`prev_start` in Unix seconds: the greatest chosen time at or before a second. Raises as `prev_start`."""
    def starts(
        self, start: _Instant | None = None, end: _End | None = None, *, count: int | None = None, reverse: bool = False
    ) -> Decisions:
        """The starts with chosen times from `start` on and before `end`, in order of chosen time: `kron.Decisions`.

        `start` is the present time by default. `end` is an instant or a duration from `start`; without it the starts go on to the end
        of 2099. `count` is the greatest number of starts. With `reverse` the latest comes first; then `end` is needed, and `start` is
        1970 if `end` is an instant.

        Computes nothing until it is read. If a search fails, reading raises `KronError`.

        >>> import datetime, kron
        >>> job = kron.Job("0 0 * * * @win(after,3h)", name="prod/db-backup")
        >>> noon = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.timezone.utc)
        >>> [start.period_id for start in job.starts(noon, datetime.timedelta(days=2))]
        ['2026-03-02T00:00:00Z', '2026-03-03T00:00:00Z']
        >>> job.starts(noon, "48h").to_list() == job.starts(noon, count=2).to_list() == job.starts(noon)[:2].to_list()
        True
        """
    def periods(
        self, start: _Instant | None = None, end: _End | None = None, *, count: int | None = None, reverse: bool = False
    ) -> Decisions:
        """The periods with nominal times from `start` on and before `end`, in order of nominal time, with the arguments of `starts`."""
    def chosen_times(self, start: _Instant, end: _End) -> Timestamps:
        """The chosen times of the periods with nominal times from `start` on and before `end`, one for each period, in order of
        nominal time. `end` is an instant or a duration from `start`.
        """
    def nominal_times(self, start: _Instant, end: _End) -> Timestamps:
        """The nominal times from `start` on and before `end`: the same periods as those of `chosen_times`."""
    def decide_many(self, nominals: object) -> Timestamps:
        """The chosen times of many nominal times. They are given as `kron.Timestamps`, as a NumPy array of `datetime64` in seconds
        or a finer unit, as an object with a buffer of 64-bit integers (an array of `int64`, an `array('q')`), or as an iterable
        of aware datetimes or of Unix seconds. A time that is not a whole second raises `ValueError`.

        >>> import kron
        >>> kron.Job("@hourly", name="web/ping").decide_many([3600, 7200])
        kron.Timestamps([3600, 7200])
        """
    def plan(self, state: HostState, now: _Instant | None = None) -> Plan[Decision]:
        """Plans one evaluation of a host: finds the open periods, and applies the policy and the catch-up rule. `state` is the
        `kron.HostState` of the job, `now` the present time by default. Returns a `kron.Plan`.
        """
    def prime(self, lead: _Duration, *, cover: bool = False) -> Primed:
        """The cron expressions that fire `lead` before each start, in the job's time zone; see `Cron.prime`.

        Raises `KronError` with the code 701 if the job has a window or constraints, because its starts are then not the times of
        a cron expression.

        >>> import kron
        >>> kron.Job("0 9-17 * * MON-FRI", name="prod/report").prime("10m").texts
        ('50 8-16 * * 1-5',)
        """
    def placed(self) -> Placed:
        """The one plain cron expression that takes the place of this job in a system without windows, such as a `CronJob` of Kubernetes:
        its schedule, shifted by whole minutes to a place in its window, which follows from its name. Returns a `kron.Placed`.

        Raises `KronError` with the code 710 for what one place for all days cannot keep, and 711 if the constraints leave no minute.

        >>> import kron
        >>> kron.Job("0 0 * * * @win(after,2h)", name="ops/backup").placed()
        kron.Placed('51 0 * * *', 51, 121)
        """
    def lead_changes(
        self, lead: _Duration, after: _Instant | None = None, until: _Instant | None = None
    ) -> list[LeadChange]:
        """The clock changes because of which the expressions of `prime` do not fire exactly `lead` before a start, in the job's time
        zone; see `Cron.lead_changes`.
        """
    def clock_changes(
        self, start: _Instant | None = None, end: _End | None = None
    ) -> list[ClockChange]:
        """The civil times of the schedule that clock changes skip or double, for the clock changes from `start` on and before `end`:
        a list of `kron.ClockChange`, in order. `start` is the present time by default, and `end` is three years after it.

        >>> import datetime, kron
        >>> job = kron.Job("30 2 * * * @tz(Europe/Paris) @win(after,30m)", name="db/backup")
        >>> for change in job.clock_changes(datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc))[:2]:
        ...     print(change)
        2026-03-29T02:30 is skipped
        2026-10-25T02:30 is doubled: it starts at 2026-10-25T00:56:49Z and 2026-10-25T01:39:52Z
        """
    def explain(self, nominal: _Instant) -> Explanation:
        """Decides as `decide` does, and returns a `kron.Explanation` with each step."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @classmethod
    def _from_canonical(cls, text: str, name: str, tz_database: TzDatabase | None = None, calendars: _Calendars = None, /) -> Job: ...
    def __reduce__(self) -> _State: ...

@typing.final
class Fleet:
    """Jobs with distinct names, in order of insertion: `kron.Job`s, or a mapping of names to their texts.

    `fleet[0]` is the first job, `fleet["prod/db"]` the one of that name, and `"prod/db" in fleet` says whether there is one. A value of
    the mapping is a text, a `kron.Cron`, or a `kron.Job` of the same name; pairs of names and such values are accepted, too. A fleet is
    immutable: `with_job` and `without` return another one, and `fleet | other` has the jobs of both.

    Raises `KronError`, with the name of the job, for a text that is wrong and for two jobs of one name.

    >>> import datetime, kron
    >>> fleet = kron.Fleet({"a/early": "0 1 * * *", "b/late": "0 2 * * * @win(after,1h)"})
    >>> day = datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc)
    >>> [start.name for start in fleet.starts(day, "48h")]
    ['a/early', 'b/late', 'a/early', 'b/late']
    """
    def __new__(
        cls, jobs: Iterable[Job | LoadedJob | tuple[str, _JobOfName]] | Mapping[str, _JobOfName] = (), /
    ) -> Fleet: ...
    @typing.overload
    @classmethod
    def from_frame(
        cls,
        frame: typing.Any,
        /,
        *,
        name: str = "name",
        text: str = "text",
        on_error: typing.Literal["raise"] = "raise",
        timezone: str | None = None,
        days: str | None = None,
        nodays: str | None = None,
        window: str | None = None,
        distribution: str | None = None,
        seed: str | None = None,
        only: str | None = None,
        avoid: str | None = None,
        constraints: str | None = None,
        policy: str | None = None,
        algorithm: str | None = None,
    ) -> Fleet:
        """A fleet of the rows of a `pandas.DataFrame` or a `polars.DataFrame`, or of any mapping of columns: `name` and `text` are the
        columns with the names and the texts of the jobs. Each further keyword, such as `timezone` or `window`, names the column of that
        argument of `kron.Job`; a row without a value has the default.

        Raises `LoadError` with the errors of all rows; each message begins with the number of its row, from 0, and the name. With
        `on_error='collect'` returns the fleet of the rows without errors, and the list of the errors.

        >>> import kron
        >>> table = {"name": ["db/backup", "report"], "text": ["@daily @win(after,1h)", "61 * * * *"]}
        >>> fleet, errors = kron.Fleet.from_frame(table, on_error="collect")
        >>> fleet
        kron.Fleet([kron.Job('0 0 * * * @win(after,1h0m0s)', name='db/backup')])
        >>> print(errors[0])
        row 1, report: schedule.minute: `61` at column 1 is not in 0 to 59
        >>> zones = {"name": ["report"], "cron": ["@daily"], "tz": ["Europe/Paris"]}
        >>> kron.Fleet.from_frame(zones, text="cron", timezone="tz")
        kron.Fleet([kron.Job('0 0 * * * @tz(Europe/Paris)', name='report')])
        """
    @typing.overload
    @classmethod
    def from_frame(
        cls,
        frame: typing.Any,
        /,
        *,
        name: str = "name",
        text: str = "text",
        on_error: typing.Literal["collect"],
        timezone: str | None = None,
        days: str | None = None,
        nodays: str | None = None,
        window: str | None = None,
        distribution: str | None = None,
        seed: str | None = None,
        only: str | None = None,
        avoid: str | None = None,
        constraints: str | None = None,
        policy: str | None = None,
        algorithm: str | None = None,
    ) -> tuple[Fleet, list[KronError]]:
        """A fleet of the rows of a `pandas.DataFrame` or a `polars.DataFrame`, or of any mapping of columns: `name` and `text` are the
        columns with the names and the texts of the jobs. Each further keyword, such as `timezone` or `window`, names the column of that
        argument of `kron.Job`; a row without a value has the default.

        Raises `LoadError` with the errors of all rows; each message begins with the number of its row, from 0, and the name. With
        `on_error='collect'` returns the fleet of the rows without errors, and the list of the errors.

        >>> import kron
        >>> table = {"name": ["db/backup", "report"], "text": ["@daily @win(after,1h)", "61 * * * *"]}
        >>> fleet, errors = kron.Fleet.from_frame(table, on_error="collect")
        >>> fleet
        kron.Fleet([kron.Job('0 0 * * * @win(after,1h0m0s)', name='db/backup')])
        >>> print(errors[0])
        row 1, report: schedule.minute: `61` at column 1 is not in 0 to 59
        >>> zones = {"name": ["report"], "cron": ["@daily"], "tz": ["Europe/Paris"]}
        >>> kron.Fleet.from_frame(zones, text="cron", timezone="tz")
        kron.Fleet([kron.Job('0 0 * * * @tz(Europe/Paris)', name='report')])
        """
    @property
    def jobs(self) -> tuple[Job, ...]:
        """The jobs."""
    @property
    def names(self) -> tuple[str, ...]:
        """The names of the jobs."""
    def with_job(self, job: Job, /) -> Fleet:
        """A fleet with another job at its end. Raises `KronError` if there is a job of that name; `fleet | kron.Fleet([job])` replaces it.

        >>> import kron
        >>> fleet = kron.Fleet({"a": "@daily", "b": "@hourly"})
        >>> fleet.with_job(kron.Job("@weekly", name="c")).names
        ('a', 'b', 'c')
        """
    def without(self, /, *names: str) -> Fleet:
        """A fleet without the jobs of these names. Raises `KeyError` for a name that the fleet does not have.

        >>> import kron
        >>> kron.Fleet({"a": "@daily", "b": "@hourly"}).without("a").names
        ('b',)
        """
    def replace(
        self,
        *,
        timezone: _Zone = ...,
        days: _DaysClauses = ...,
        nodays: _DaysClauses = ...,
        window: Window | _Duration = ...,
        distribution: Distribution | str = ...,
        seed: Seed | str = ...,
        only: _Clauses = ...,
        avoid: _Clauses = ...,
        constraints: Constraints | str = ...,
        policy: Policy | str = ...,
        algorithm: _Algorithm = ...,
        tz_database: TzDatabase | None = None,
        calendars: _Calendars = None,
    ) -> Fleet:
        """A fleet with other parts of all jobs, as from `Job.replace` of each: the jobs keep their names.

        >>> import kron
        >>> kron.Fleet({"a": "@daily", "b": "@hourly"}).replace(window="10m")["b"]
        kron.Job('0 * * * * @win(after,10m0s)', name='b')
        """
    def __or__(self, other: Fleet, /) -> Fleet: ...
    def starts(
        self, start: _Instant | None = None, end: _End | None = None, *, count: int | None = None, reverse: bool = False
    ) -> Decisions:
        """The starts of all jobs with chosen times from `start` on and before `end`, in order of chosen time, ties by nominal time, then
        by insertion: `kron.Decisions`, with the arguments of `Job.starts`. The attributes `name` and `job` of a decision are those of
        its job.

        If the search of a job fails, a pass raises `KronError` and drops this job; a further `next` goes on with the others.
        """
    def periods(
        self, start: _Instant | None = None, end: _End | None = None, *, count: int | None = None, reverse: bool = False
    ) -> Decisions:
        """The periods of all jobs with nominal times from `start` on and before `end`, in order of nominal time, ties by insertion:
        `kron.Decisions`, with the arguments of `Job.starts`.
        """
    def next_starts(self, after: _Instant | None = None) -> Decisions:
        """Each job's `next_start` after an instant, the present one by default, in order of insertion: `kron.Decisions`. `min` finds the
        first one, and `sorted` gives the order in which they start.

        For a job whose search fails, a pass raises `KronError`; a further `next` goes on with the job after it.

        >>> import datetime, kron
        >>> fleet = kron.Fleet({"b/late": "0 2 * * *", "a/early": "0 1 * * *"})
        >>> day = datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc)
        >>> [start.name for start in sorted(fleet.next_starts(day))]
        ['a/early', 'b/late']
        """
    def chosen_times(
        self, start: _Instant, end: _End, *, progress: _Progress | None = None
    ) -> Timestamps:
        """The chosen times of all periods with nominal times from `start` on and before `end`: job by job in order of insertion,
        each job's in order of nominal time, as from `Job.chosen_times`.

        `progress` is called with how many more jobs are done; `tqdm(total=len(fleet)).update` fits.
        """
    def nominal_times(
        self, start: _Instant, end: _End, *, progress: _Progress | None = None
    ) -> Timestamps:
        """The nominal times from `start` on and before `end`: the same periods as those of `chosen_times`, in the same order."""
    def forecast(
        self,
        start: _Instant,
        end: _End,
        *,
        per: _Duration = "1m",
        duration: _Duration = "1s",
        durations: Mapping[str, _Duration] | None = None,
        weights: Mapping[str, int] | None = None,
        nominal: bool = False,
        progress: Callable[[int, int], object] | None = None,
    ) -> Forecast:
        """Counts starts, executions that run at once, and their load from `start` on and before `end`, in buckets of the length
        `per`: whole seconds from 1s to 24h, at most 3,000,000 buckets. Suspended jobs start nothing.

        An execution runs for `duration`, at most 366 days, and has the weight 1. `durations` and `weights` have other values for
        jobs by name; a weight is an int from 0 to 2**32 - 1. With `nominal` the jobs start at their nominal times, as cron starts
        them. `progress` is called with the number of the parts of the range that are done and with the number of all parts.

        Raises `KronError` for a range, bucket or duration out of bounds and if the search of a job fails, and `KeyError` for a
        name that the fleet does not have.

        >>> import datetime, kron
        >>> day = datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc)
        >>> fleet = kron.Fleet([kron.Job("0 0 * * * @win(after,1h)", name=f"report/{i}") for i in range(60)])
        >>> cron, spread = (fleet.forecast(day, day + datetime.timedelta(days=1), nominal=n) for n in (True, False))
        >>> cron.peak(), spread.peak()
        (60, 4)
        """
    def spread(
        self,
        start: _Instant,
        end: _End,
        *,
        per: _Duration = "1m",
        fixed: bool = False,
        peak: int | None = None,
    ) -> Spread:
        """Searches for salts with which few jobs start in the same bucket, from `start` on and before `end`, in buckets of the
        length `per`: whole seconds from 1s to 24h, at most 3,000,000 buckets. Returns a `kron.Spread`, with the jobs that have
        these salts, the peak, and a lower bound: no salts give a lower peak.

        With `fixed` the jobs get the seed strategy `fixed`, with which far lower peaks are possible. With `peak` the search ends
        when no bucket has more starts than that; otherwise it looks for the lowest peak. The result depends only on the fleet and
        the arguments. Suspended jobs are not counted and not changed.

        >>> import datetime, kron
        >>> day = datetime.datetime(2026, 3, 2, tzinfo=datetime.timezone.utc)
        >>> fleet = kron.Fleet(kron.Job("@daily @win(after,1h)", name=f"report/{i}") for i in range(60))
        >>> spread = fleet.spread(day, day + datetime.timedelta(days=1), peak=2)
        >>> spread.present_peak, spread.peak, len(spread.seeds)
        (4, 2, 6)
        """
    def to_job_file(self) -> str:
        """The jobs as the text of a job file, which `kron.loads` and the command read: one line for each, in canonical form.

        >>> import kron
        >>> print(kron.Fleet([kron.Job("@daily", name="a"), kron.Job("@hourly", name="b c")]).to_job_file(), end="")
        0 0 * * * name=a
        0 * * * * name="b c"
        """
    def _repr_html_(self) -> str: ...
    def __len__(self) -> int: ...
    @typing.overload
    def __getitem__(self, index: typing.SupportsIndex | str, /) -> Job: ...
    @typing.overload
    def __getitem__(self, index: slice, /) -> Fleet: ...
    def __contains__(self, job: object, /) -> bool: ...
    def __iter__(self) -> Iterator[Job]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> _State: ...

@typing.final
class HostState:
    """What a host knows of one job between two evaluations, and what it stores between two processes: since when the configuration is in
    force, which periods are handled, and whether an execution is active.

    `Job.plan` says what to do, and `record` enters each step that is carried out. Store the state before you carry the step out: a host
    that ends in between then starts no period twice. The state grows with the number of windows that overlap, and not with time.

    Starts up to `since` are not in force: a start at `since` itself is not, unlike a start at `start` of `Job.starts(start, end)`.
    `handled_through` says that all periods with nominal times up to it are handled, and `handled` has the nominal times of others.

    A state is mutable, so it has no hash. Threads may share it.

    >>> import datetime, kron
    >>> job = kron.Job("0 0 * * * @win(after,3h) @policy(deadline=10m)", name="prod/db-backup")
    >>> state = kron.HostState(since=datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc))
    >>> plan = job.plan(state, "2026-03-01T02:41:00Z")
    >>> print(plan)
    execute: prod/db-backup 2026-03-01T00:00:00Z starts at 2026-03-01T02:40:22Z
    plan again at 2026-03-02T00:00:00Z
    >>> state.record(plan.steps[0])
    >>> job.plan(state, "2026-03-01T02:41:00Z").steps, state.active
    ((), True)
    >>> kron.HostState.from_json(state.to_json()) == state
    True
    """
    def __new__(
        cls, since: _Instant, *, handled_through: _Instant | None = None, handled: Iterable[_Instant] = (), active: bool = False
    ) -> HostState: ...
    @classmethod
    def from_json(cls, text: str, /) -> HostState:
        """Reads the JSON of `to_json`. Raises `ValueError` for another text."""
    def to_json(self) -> str:
        """The state as JSON, with times in Unix seconds: the fields `since`, `handledThrough`, `handled` and `active`.

        >>> import kron
        >>> kron.HostState("2026-03-01T00:00:00Z").to_json()
        '{"since":1772323200,"handled":[],"active":false}'
        """
    def record(self, step: Step[Decision] | Step[Period], /) -> None:
        """Enters a step of a plan that is carried out: its period is handled if the action gives it its outcome, and an execution is
        active if the action starts one. A step that is not entered, such as one that waits or whose start failed, stays open. Steps may
        be entered in any order.
        """
    def reconfigure(self, since: _Instant | None = None) -> None:
        """Begins another configuration of the job at `since`, by default now: its text was edited in anything but the policy. Starts up to
        then are not in force any more. No handled period is open again, so none that has run runs again because it was moved.
        """
    def is_handled(self, nominal: _Instant, /) -> bool:
        """Whether the period of a nominal time is handled."""
    @property
    def since(self) -> datetime.datetime:
        """The time at which the configuration began: starts up to then are not in force."""
    @property
    def handled_through(self) -> datetime.datetime | None:
        """All periods with nominal times up to this one are handled, or were not in force; `None` if that cannot be said."""
    @property
    def handled(self) -> list[datetime.datetime]:
        """The nominal times of further handled periods, ascending."""
    @property
    def active(self) -> bool:
        """Whether an execution of the job is active. `record` sets it when one begins; set it to `False` when it has ended."""
    @active.setter
    def active(self, active: bool, /) -> None:
        """Whether an execution of the job is active. `record` sets it when one begins; set it to `False` when it has ended."""
    def __eq__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> _State: ...

@typing.final
class Forecast:
    """The starts, running executions and load of a fleet in each bucket of a range. Made by `Fleet.forecast`.

    `starts`, `running` and `load` are read-only memoryviews of 64-bit integers, one for each bucket, which
    `numpy.asarray` takes over without a copy. `forecast[i]` is the first instant of a bucket.

    >>> import datetime, kron
    >>> day = datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc)
    >>> jobs = [kron.Job("0 0 * * * @win(after,1h)", name=f"report/{i}") for i in range(60)]
    >>> forecast = kron.Fleet(jobs).forecast(day, day + datetime.timedelta(days=1), per="1h")
    >>> len(forecast), forecast.starts.tolist()[:3], forecast.peak()
    (24, [60, 0, 0], 60)
    """
    @property
    def start(self) -> datetime.datetime:
        """The first instant of the range."""
    @property
    def end(self) -> datetime.datetime:
        """The instant after the range."""
    @property
    def per(self) -> datetime.timedelta:
        """The length of a bucket."""
    @property
    def nominal(self) -> bool:
        """Whether the jobs start at their nominal times, as cron starts them."""
    @property
    def times(self) -> Timestamps:
        """The first instant of each bucket."""
    @property
    def starts(self) -> memoryview:
        """The number of starts in each bucket."""
    @property
    def running(self) -> memoryview:
        """The greatest number of executions that run in the same second of each bucket."""
    @property
    def load(self) -> memoryview:
        """The greatest sum of the weights of executions that run in the same second of each bucket."""
    @property
    def total(self) -> int:
        """The number of starts in the range."""
    def peak(self, value: _BucketValue = "starts") -> int:
        """The greatest value of all buckets: of `starts`, `running` or `load`. Raises `ValueError` for another name."""
    def peak_time(self, value: _BucketValue = "starts") -> datetime.datetime:
        """The first instant of the first bucket that has the peak."""
    def p99(self, value: _BucketValue = "starts") -> int:
        """The smallest value that at least 99 % of the buckets do not exceed."""
    def mean(self, value: _BucketValue = "starts") -> float:
        """The mean value of all buckets."""
    def worst(self, count: int = 5) -> list[datetime.datetime]:
        """The first instants of the `count` buckets with the most starts: most starts first, then in order of time. There are fewer
        if fewer buckets have a start.
        """
    def jobs(self, time: _Instant) -> list[tuple[str, int]]:
        """The names of the jobs that start in the bucket of an instant, each with its number of starts: most starts first.

        Raises `IndexError` for an instant that is not in the range.

        >>> import datetime, kron
        >>> day = datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc)
        >>> fleet = kron.Fleet([kron.Job("0 0 * * *", name="a"), kron.Job("*/20 * * * *", name="b")])
        >>> fleet.forecast(day, day + datetime.timedelta(hours=2), per="1h").jobs(day)
        [('b', 3), ('a', 1)]
        """
    def heat_map(self, timezone: _Zone = "UTC") -> list[list[int | None]]:
        """The most starts in one bucket of each hour of a week: seven lists of 24 numbers, Monday first, on the clocks of
        a zone of the compiled-in time zone database. An hour that is not in the range has `None`.
        """
    def to_pandas(self) -> typing.Any:
        """A `pandas.DataFrame` with the columns `starts`, `running` and `load`, and the first instants of the buckets as its index."""
    def to_polars(self) -> typing.Any:
        """A `polars.DataFrame` with the columns `time`, `starts`, `running` and `load`."""
    def _repr_svg_(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: typing.SupportsIndex, /) -> datetime.datetime: ...

@typing.final
class Spread:
    """Salts with which few jobs start in the same bucket of time, and a proof of how few are possible. Made by `Fleet.spread`.

    >>> import datetime, json, kron
    >>> day = datetime.datetime(2026, 3, 2, tzinfo=datetime.timezone.utc)
    >>> fleet = kron.Fleet(kron.Job("@daily @win(after,1h)", name=f"report/{i}") for i in range(60))
    >>> spread = fleet.spread(day, day + datetime.timedelta(days=1), fixed=True)
    >>> spread.present_peak, spread.peak, spread.bound
    (4, 1, 1)
    >>> spread.fleet["report/0"].seed == spread.seeds["report/0"]
    True
    >>> json.loads(spread.certificate())["bound"]
    1
    """
    @property
    def fleet(self) -> Fleet:
        """The jobs with the seeds that the search found."""
    @property
    def seeds(self) -> dict[str, Seed]:
        """The seeds that the search found: by name, those of the jobs that get another one."""
    @property
    def present_peak(self) -> int:
        """The most starts in one bucket with the seeds that the jobs had."""
    @property
    def peak(self) -> int:
        """The most starts in one bucket with the seeds of `fleet`."""
    @property
    def peak_time(self) -> datetime.datetime:
        """The first bucket with `peak` starts, by its first instant."""
    @property
    def bound(self) -> int:
        """A lower bound: no salts give a peak below it."""
    @property
    def start(self) -> datetime.datetime:
        """The first instant of the range."""
    @property
    def end(self) -> datetime.datetime:
        """The instant after the range."""
    @property
    def per(self) -> datetime.timedelta:
        """The length of a bucket."""
    def certificate(self) -> str:
        """The proof of `peak` and `bound` as JSON, which `scripts/check_spread.py` checks without Kron. Its lines of jobs are those
        of `fleet.to_job_file()`.

        Raises `KronError` if two jobs name calendars of one name with different dates.
        """

@typing.final
class TzDatabase:
    """A time zone database: the rules of all zones, of one release.

    The compiled-in database is part of this package. Another one comes from a directory, from the package `tzdata`, from
    Python's own data or from TZif bytes. Jobs, `load` and `verify` take it as the argument `tz_database`; by default they use the
    compiled-in database.

    A database does not change, and threads may share it. It keeps the offsets from 1968-12-01 to 2101-02-01, but not the
    bytes that it was made from. Databases compare by identity. Pickles of a database contain its rules.

    >>> import kron
    >>> database = kron.TzDatabase.compiled_in()
    >>> database.version == kron.TZDB_VERSION, database.is_compiled_in
    (True, True)
    >>> "Asia/Calcutta" in database.aliases("Asia/Kolkata")
    True
    """
    @classmethod
    def compiled_in(cls) -> TzDatabase:
        """The database that is part of this package, of the version `kron.TZDB_VERSION`."""
    @classmethod
    def from_directory(cls, path: str | os.PathLike[str], /) -> TzDatabase:
        """Reads a directory of TZif files, such as `/usr/share/zoneinfo`. The zones are named by their paths in it.

        The version is the content of the file `+VERSION`, or else that of the first line of `tzdata.zi`; it is `None` if there is
        neither file. Names that do not begin with a capital letter, such as `localtime`, are skipped.

        Raises `OSError` for a file that cannot be read, and `KronError` for a directory without zones and for damaged data.

        >>> import kron
        >>> kron.TzDatabase.from_directory("/does/not/exist")
        Traceback (most recent call last):
            ...
        FileNotFoundError: [Errno 2] No such file or directory: '/does/not/exist'
        """
    @classmethod
    def from_tzdata(cls) -> TzDatabase:
        """Reads the PyPI package `tzdata`. The version is its `IANA_VERSION`.

        Raises `ModuleNotFoundError` if the package is not installed.

        >>> import kron, tzdata
        >>> kron.TzDatabase.from_tzdata().version == tzdata.IANA_VERSION
        True
        """
    @classmethod
    def from_zoneinfo(cls) -> TzDatabase:
        """Reads the data that Python's `zoneinfo` uses: each key of `zoneinfo.available_timezones()` from the first directory of
        `zoneinfo.TZPATH` that has it, otherwise from the PyPI package `tzdata`. `zoneinfo` searches in the same order.

        The version is that of the directories or the package that the zones are from; it is `None` if it is unknown or if they
        disagree. Keys that do not begin with a capital letter, such as `localtime`, are skipped.

        Raises `ModuleNotFoundError` if Python has no data.

        >>> import kron
        >>> "Europe/Paris" in kron.TzDatabase.from_zoneinfo().zone_names()
        True
        """
    @classmethod
    def from_tzif(cls, zones: Mapping[str, bytes], version: str | None = None) -> TzDatabase:
        """Makes a database from the TZif data (RFC 9636) of each zone by name.

        The version is up to 64 printable ASCII characters without spaces, by convention that of the IANA release. There are at
        most 4,096 zones with at most 65,536 bytes and 1,024 offsets from 1968 to 2101 each. The IANA placeholder `Factory` is
        left out.

        Raises `KronError`, with the name of the zone, for data that is damaged or counts leap seconds.

        >>> import importlib.resources, kron
        >>> data = importlib.resources.files("tzdata").joinpath("zoneinfo", "Europe", "Paris").read_bytes()
        >>> database = kron.TzDatabase.from_tzif({"Mars/Olympus": data}, "2026x")
        >>> kron.Job("@daily @tz(Mars/Olympus)", name="prod/db", tz_database=database).tzdb_version
        '2026x'
        """
    @property
    def version(self) -> str | None:
        """The version, such as `2026e`; `None` if it is unknown."""
    @property
    def is_compiled_in(self) -> bool:
        """Whether this is the database that is part of this package."""
    def zone_names(self) -> list[str]:
        """The names of all zones, sorted.

        >>> import kron
        >>> kron.TzDatabase.compiled_in().zone_names()[0]
        'Africa/Abidjan'
        """
    def fingerprint(self, name: str, /) -> str:
        """The fingerprint of a zone's rules, 64 lower-case hex digits. Two zones have the same fingerprint if their offsets are the
        same at all times from 1968-12-01 to 2101-02-01. Raises `KronError` for an unknown name.

        It is the SHA-256 of a line `<first Unix second> <offset in seconds>`, with a line feed at its end, for each span of
        constant offset. The first span begins at -2**63.

        >>> import hashlib, kron
        >>> utc = hashlib.sha256(b"-9223372036854775808 0\\n").hexdigest()
        >>> kron.TzDatabase.compiled_in().fingerprint("UTC") == utc
        True
        """
    def aliases(self, name: str, /) -> list[str]:
        """The other names in this database with the same offsets from 1968-12-01 to 2101-02-01, sorted. Raises `KronError` for an
        unknown name.
        """
    def offset(self, name: str, at: _Instant | None = None) -> datetime.timedelta:
        """The offset from UTC of a zone at an instant, the present one by default, as a timedelta. Raises `KronError` for an
        unknown name.

        It is exact from 1968-12-01 to 2101-02-01. At other times it is the first or the last known offset.

        >>> import datetime, kron
        >>> december = datetime.datetime(2026, 12, 1, tzinfo=datetime.timezone.utc)
        >>> kron.TzDatabase.compiled_in().offset("America/Vancouver", december) / datetime.timedelta(hours=1)
        -7.0
        """
    def changes(self, name: str, after: _Instant | None = None) -> list[OffsetChange]:
        """The changes of a zone's offset after an instant, the present one by default, in order, up to 2101-02-01: a list of
        `kron.OffsetChange`. Raises `KronError` for an unknown name.

        >>> import datetime, kron
        >>> march = datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc)
        >>> change = kron.TzDatabase.compiled_in().changes("Europe/Paris", march)[0]
        >>> print(change.time, change.offset_before, change.offset_after)
        2026-03-29 01:00:00+00:00 1:00:00 2:00:00
        """
    def __reduce__(self) -> _State: ...

@typing.final
class Receipt:
    """A decision with what is needed to compute it again: canonical text, name, algorithm, the version of the time zone database,
    the fingerprint of the zone's rules, and the content hashes of calendars.

    `str` gives the JSON that `kron explain -o json` prints and `kron verify` reads.
    """
    @classmethod
    def from_json(cls, text: str, /) -> Receipt:
        """Reads a receipt from JSON. Raises `KronError` if the text is not a receipt."""
    def to_json(self) -> str:
        """The receipt as indented JSON."""
    def verify(self, tz_database: TzDatabase | None = None, calendars: _Calendars = None) -> Verification:
        """Computes the decision again with the zones of a database, by default the compiled-in one, and the dates of calendars, and
        returns a `kron.Verification`: whether the receipt agrees, what differs, how the rules of the zone compare, and what the
        receipt does not prove.

        Raises `KronError` if the receipt is of another schema, if its text, name or nominal time cannot be read, or if it names a
        calendar that is not given.

        >>> import kron
        >>> receipt = kron.Job("@daily @tz(Europe/Paris)", name="prod/db").next_start().receipt()
        >>> receipt.verify().agrees, receipt.verify().zone_rules
        (True, 'same')
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> _State: ...

def decide(
    text: str | Cron,
    nominal: _Instant,
    *,
    name: str,
    timezone: _Zone | None = None,
    days: _DaysClauses | None = None,
    nodays: _DaysClauses | None = None,
    window: Window | _Duration | None = None,
    distribution: Distribution | str | None = None,
    seed: Seed | str | None = None,
    only: _Clauses | None = None,
    avoid: _Clauses | None = None,
    constraints: Constraints | str | None = None,
    policy: Policy | str | None = None,
    algorithm: _Algorithm | None = None,
    tz_database: TzDatabase | None = None,
    calendars: _Calendars = None,
) -> Decision:
    """Decides one period of a job that is not kept: `Job(text, name=...).decide(nominal)`.

    >>> import datetime, kron
    >>> midnight = datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc)
    >>> kron.decide("@daily", midnight, name="prod/db-backup", window="after,3h", seed="stable,salt=backup").chosen_time
    datetime.datetime(2026, 3, 1, 0, 19, 37, tzinfo=datetime.timezone.utc)
    """
def plan(
    periods: Iterable[_P], policy: Policy | str, now: _Instant | None = None, *, active: bool = False
) -> Plan[_P]:
    """Plans one evaluation of open periods: those in force, not handled, and with a window that has begun. Returns a `kron.Plan`.

    `periods` are `kron.Decision`s or `kron.Period`s, in any order; the steps contain the same objects. `active` says whether an
    execution of the job is active. `Job.plan` finds the open periods itself.
    """
def verify(
    receipt: Receipt | str | Mapping[str, object], /, *, tz_database: TzDatabase | None = None, calendars: _Calendars = None
) -> Verification:
    """Computes a receipt's decision again and compares, as `Receipt.verify` does.

    The receipt is a `kron.Receipt`, its JSON, or the dict that `json.loads` returns for its JSON.

    >>> import kron
    >>> receipt = kron.Job("@daily @win(after,3h)", name="prod/db").next_start().receipt()
    >>> kron.verify(receipt).agrees
    True
    >>> forged = kron.verify(receipt.to_json().replace("prod/db", "prod/dc", 1))
    >>> [difference.field for difference in forged.differences][:3]
    ['decision.name', 'decision.chosenTime', 'decision.seedInput']
    """
def lint(
    job: Job, text: str | None = None, at: _Instant | None = None, *, years: int = 5
) -> tuple[Finding, ...]:
    """Finds probable mistakes in a valid job; the most severe findings come first.

    `text` is the job's text as it was written, if there is one; without it, findings about single steps of the schedule are left
    out. At most 10,000 periods are examined, from `at` on, by default the present time, and for `years` years of 366 days, at
    least one year. Returns a tuple of `kron.Finding`.

    >>> import kron
    >>> text = "0 * * * * @win(after,2h)"
    >>> kron.lint(kron.Job(text, name="web/report"), text)[0].code
    'window-longer-than-gap'
    """
def lint_fleet(
    jobs: Iterable[Job | LoadedJob], at: _Instant | None = None
) -> tuple[FleetFinding, ...]:
    """Finds probable mistakes in many jobs together: many starts in one second or one minute, windows with fewer seconds than jobs,
    and identical jobs.

    `jobs` are `kron.Job`s, or `kron.LoadedJob`s of a file, whose commands are compared too. Starts are examined from `at` on, the
    present time by default, for 366 days or a million nominal times, whichever ends first. Suspended jobs are left out. Returns a
    tuple of `kron.FleetFinding`.

    >>> import kron
    >>> (found,) = kron.lint_fleet(kron.Job("@daily", name=f"report/{i}") for i in range(60))
    >>> found.finding.code, len(found.jobs)
    ('same-second', 60)
    """
def _load(text: str, namespace: str | None, tz_database: TzDatabase | None, calendars: _Calendars, /) -> Loaded: ...
def _load_calendars(text: str, /) -> tuple[Calendar, ...]: ...
def audit(
    objects: str | Iterable[str], start: _Instant | None = None, until: _Instant | None = None, *,
    tz_database: TzDatabase | None = None,
) -> Audit:
    """Compares the periods of KronJobs with the Jobs of a cluster, as `kron audit` does. Returns a `kron.Audit`.

    `objects` is what `kubectl get kronjobs,jobs,events -A -o json` prints, in JSON or YAML, or an iterable of such texts. `until`
    is the time at which the objects were read, the present time by default. The audit covers the periods with chosen times from
    `start` to `until`, both included; without `start`, those about which the objects prove something, at most 366 days back.

    All periods are in memory. The function releases the GIL and reacts to Ctrl-C. It raises `ValueError` if there is no KronJob,
    or if `start` is not before `until`, and `KronError` if a text cannot be read.

    >>> import datetime, kron
    >>> objects = \"\"\"
    ... apiVersion: kron.io/v1alpha1
    ... kind: KronJob
    ... metadata: {name: db, namespace: prod, uid: '1', creationTimestamp: '2026-03-01T00:00:00Z'}
    ... spec:
    ...   schedule: '@daily'
    ...   jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: dump}]}}}}
    ... \"\"\"
    >>> audit = kron.audit(objects, until=datetime.datetime(2026, 3, 2, 12, tzinfo=datetime.timezone.utc))
    >>> print(audit.findings[0])  # no operator has read the KronJob, and no Job is in the text
    prod/db 2026-03-02T00:00:00Z noJobs: overdue, start 2026-03-02T00:00:00Z: the input has no Job, so it may have been executed
    """
def compare_starts(
    old: str | Iterable[str | Decision | Mapping[str, object]], new: str | Iterable[str | Decision | Mapping[str, object]], /
) -> tuple[tuple[str, StartChange], ...]:
    """Finds the starts that differ between two lists of decisions, as `kron compare-tz` does: what another time zone database changes.
    Returns pairs of the name of the job and a `kron.StartChange`, in order of name, then of time.

    A list is JSON as `kron next -o json` and `-o ndjson` print it, a file of the latter, or an iterable of decisions and of the
    objects that `json.loads` returns for them. So the lists can come from two versions of Kron. Make both for the same range of
    time. Starts belong together if their jobs have one name and their periods one nominal time.

    Raises `ValueError` if a text or an object is not a list of decisions.

    >>> import datetime, kron
    >>> day = datetime.datetime(2026, 3, 2, tzinfo=datetime.timezone.utc)
    >>> job = kron.Job("0 1 * * * @tz(Europe/Paris)", name="db/backup")
    >>> old = job.periods(day, day + datetime.timedelta(days=1))
    >>> new = '{"name": "db/backup", "nominalTime": "2026-03-02T01:00:00Z", "chosenTime": "2026-03-02T01:00:00Z"}'
    >>> [(name, str(change)) for name, change in kron.compare_starts(old, new)]
    [('db/backup', 'vanishes 2026-03-02T00:00:00Z'), ('db/backup', 'appears 2026-03-02T01:00:00Z')]
    """
def diff(old: Fleet, new: Fleet, start: _Instant, end: _End) -> Diff:
    """Finds which starts an edit of jobs adds, removes or moves, from `start` on and before `end`; the edit is made at `start`.
    Returns a `kron.Diff`.

    Two jobs are compared if they have the same name. A job is renamed if one job whose name is gone and one with a new name have
    the same text, and no other such job has it. Two starts are compared if their periods have the same nominal time. Suspended
    jobs start nothing. Raises `KronError` if the search for the starts of a job fails, and `ValueError`
    unless `start` is before `end`.

    >>> import datetime, kron
    >>> day = datetime.datetime(2026, 3, 2, tzinfo=datetime.timezone.utc)
    >>> old = kron.Fleet([kron.Job("0 1 * * * @win(after,3h)", name="db/backup")])
    >>> new = kron.Fleet([kron.Job("0 1 * * * @win(after,1h)", name="db/backup"), kron.Job("@daily", name="report")])
    >>> diff = kron.diff(old, new, day, day + datetime.timedelta(days=7))
    >>> [(job.change, len(job.starts)) for job in diff.jobs]
    [('changed', 7), ('added', 7)]
    >>> print(diff.jobs[0].starts[0])
    moves 2026-03-02T03:20:44Z -> 2026-03-02T01:46:55Z
    """
def _explain_text(decision: Decision, /) -> str: ...
