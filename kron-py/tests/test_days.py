"""Rules of days: against the texts, against dates that are counted by hand, and their errors."""

from __future__ import annotations

import datetime
import pickle
import typing

import kron
import pytest
from conftest import at
from generators import DAYS
from hypothesis import given

MARCH = at("2026-03-01T00:00:00Z")
DAY = datetime.timedelta(days=1)
CHRISTMAS = datetime.date(2026, 12, 25)
HOLIDAYS = kron.Calendar("de", ["2026-05-01", CHRISTMAS])
OTHER = kron.Calendar("de", ["2026-04-30"])
any_kron: typing.Any = kron


def dates(job: kron.Job, count: int = 3) -> list[str]:
    return [period.period_id[:10] for period in job.periods(MARCH, count=count)]


@given(DAYS)
def test_a_clause_comes_back(clause: kron.Days) -> None:
    assert eval(repr(clause)) == clause == pickle.loads(pickle.dumps(clause))
    assert kron.Days.from_parts({**clause.parts, **{name: it for name in ("calendar", "holidays") if (it := getattr(clause, name))}}) == clause
    assert str(clause) == ";".join(f"{name}={value}" for name, value in clause.parts.items())


@pytest.mark.parametrize(("days", "text"), [
    (kron.Days(dow="MON", dom="1-7"), "@days(dow=1;dom=1-7)"),
    ({"dow": "FRI", "last": range(1, 8)}, "@days(dow=5;last=1-7)"),
    ([{"last": 1}, kron.Days(workday=[1, "3-4"])], "@days(last=1) @days(workday=1,3,4)"),
    ({"lastworkday": 1, "week": ["SUN", "MON-WED"]}, "@days(lastworkday=1;week=0-3)"),
    ({"near": 15, "months": "NOV-FEB"}, "@days(months=11-2;near=15)"),
    ({"date": CHRISTMAS, "roll": "previous"}, "@days(date=2026-12-25;roll=previous)"),
    ({"dates": (CHRISTMAS, CHRISTMAS + DAY)}, "@days(dates=2026-12-25..2026-12-26)"),
    ({"every": "2w", "from": datetime.date(2026, 1, 6)}, "@days(every=2w;from=2026-01-06)"),
    ({"every": "10d", "from": "2026-01-06"}, "@days(every=10d;from=2026-01-06)"),
    (iter([{"calendar": HOLIDAYS}, {"dom": 25, "roll": "next", "holidays": HOLIDAYS}]), "@days(calendar=de) @days(dom=25;roll=next;holidays=de)"),
])
def test_arguments_say_what_the_text_says(days: typing.Any, text: str) -> None:
    job = kron.Job("0 9 * * *", name="x", days=days)
    assert str(job) == f"0 9 * * * {text}"
    assert job == kron.Job(f"0 9 * * * {text}", name="x", calendars=[HOLIDAYS]) == eval(repr(job)) == pickle.loads(pickle.dumps(job))
    assert job == kron.Job(kron.Cron("0 9 * * *"), name="x", days=job.days) and hash(job) == hash(eval(repr(job)))
    turned = kron.Job("0 9 * * *", name="x", nodays=job.days)
    assert (turned.days, turned.nodays) == ((), job.days) and turned != job
    assert turned == kron.Job(str(turned), name="x", calendars=[HOLIDAYS])


def test_the_dates_are_the_right_ones() -> None:
    every = kron.Job("0 9 * * *", name="x")
    assert (every.days, every.nodays) == ((), ())
    assert dates(every.replace(days={"dow": "MON", "dom": "1-7"})) == ["2026-03-02", "2026-04-06", "2026-05-04"]
    assert dates(every.replace(days=kron.Days(last=1), nodays=[{"months": 4}])) == ["2026-03-31", "2026-05-31", "2026-06-30"]
    assert dates(every.replace(days={"workday": 1, "holidays": HOLIDAYS})) == ["2026-03-02", "2026-04-01", "2026-05-04"]
    assert dates(every.replace(nodays=[{"dow": "SUN"}, {"dow": "MON"}]), 2) == ["2026-03-03", "2026-03-04"]
    # A nominal time that is asked for has a decision on every day.
    assert kron.decide("0 9 * * *", MARCH, name="x", days={"last": 1}) == every.replace(days={"last": 1}).decide(MARCH)


def test_replace_changes_one_kind() -> None:
    job = kron.Job("0 9 * * * @days(last=1) @nodays(months=8) @avoid(hours=3)", name="x")
    assert str(job.replace(days={"dom": 1})) == "0 9 * * * @days(dom=1) @nodays(months=8) @avoid(hours=3)"
    assert str(job.replace(nodays=[])) == "0 9 * * * @days(last=1) @avoid(hours=3)"
    assert str(job.replace(days=(), nodays=())) == "0 9 * * * @avoid(hours=3)"
    assert job.replace(name="x") == job == job.replace(days=job.days, nodays=job.nodays)


def test_other_dates_replace_those_of_a_job() -> None:
    job = kron.Job("0 9 * * *", name="x", days={"workday": "1", "holidays": HOLIDAYS}, nodays={"calendar": HOLIDAYS})
    (clause,), (never,) = job.days, job.nodays
    assert (clause.holidays, clause.calendar, never.calendar, never.holidays) == (HOLIDAYS, None, HOLIDAYS, None)
    moved = job.replace(calendars=[OTHER])
    assert (moved.days[0].holidays, moved.nodays[0].calendar) == (OTHER, OTHER) and moved != job
    assert dates(moved) == ["2026-03-02", "2026-04-01", "2026-05-01"] and dates(job)[2] == "2026-05-04"
    # What is given has its own dates, and what is kept takes the new ones.
    assert job.replace(days={"last": 1}, calendars=[OTHER]).nodays == moved.nodays
    assert job.replace(days={"last": 1}, nodays=(), calendars=[]).days == (kron.Days(last=1),)
    with pytest.raises(kron.KronError, match="no calendar `de`"):
        job.replace(calendars=[])
    with pytest.raises(kron.KronError, match="de"):
        job.replace(days={"calendar": OTHER})


@pytest.mark.parametrize(("modifier", "keyword"), [("@days(last=1)", {"days": {"last": 1}}), ("@nodays(last=1)", {"nodays": []})])
def test_a_kind_is_given_once(modifier: str, keyword: dict[str, typing.Any]) -> None:
    with pytest.raises(TypeError, match=f"`{next(iter(keyword))}` is given twice"):
        kron.Job(f"@daily {modifier}", name="x", **keyword)
    other = {"days": "nodays", "nodays": "days"}[next(iter(keyword))]
    assert str(kron.Job(f"@daily {modifier}", name="x", **{other: {"dow": 1}}))  # type: ignore[arg-type]


@pytest.mark.parametrize(("make", "code", "field", "message"), [
    (lambda: kron.Days(), 400, "", "a clause needs at least one part"),
    (lambda: kron.Days(last=32), 403, "last", "last: `32`"),
    (lambda: kron.Days.from_parts({"hours": "1"}), 401, "", "`hours`"),
    (lambda: kron.Days.from_parts({"from_": "2026-01-01"}), 401, "", "`from`"),
    (lambda: kron.Days(every="2w"), None, "every", "from=2026-01-05"),
    (lambda: kron.Job("@daily", name="x", days={"last": "32"}), 403, "days[0].last", "days[0].last: `32`"),
    (lambda: kron.Job("@daily", name="x", days=[{"last": 1}, {"every": "0d"}]), None, "days[1].every", "days[1].every: `0d`"),
    (lambda: kron.Job("@daily", name="x", nodays=[{"roll": "up"}]), None, "nodays[0].roll", "nodays[0].roll: `up`"),
    (lambda: kron.Job("@daily", name="x", days=[{"last": 1}] * 129), 405, "days", "days: "),
    (lambda: kron.Job("@daily", name="x", only=[{"hours": 1}, {"hours": 24}]), 403, "constraints.only[1].hours", "constraints.only[1].hours: `24`"),
])
def test_an_error_names_its_place(make: typing.Callable[[], object], code: int | None, field: str, message: str) -> None:
    with pytest.raises(kron.KronError) as caught:
        make()
    assert caught.value.field == field and message in str(caught.value), str(caught.value)
    assert code in (None, caught.value.code)


@pytest.mark.parametrize(("call", "message"), [
    (lambda: any_kron.Job("@daily", name="x", days="last=1"), "days: expected a kron.Days, a mapping of its parts such as {'dow': 'FRI', 'last': '1-7'}, or an iterable "
                                                              "of these, not str 'last=1'; write @days(last=1) in the text of the job"),
    (lambda: any_kron.Job("@daily", name="x", nodays=[1]), "nodays: expected a kron.Days, "),
    (lambda: any_kron.Job("@daily", name="x", days=kron.Clause(dow=1)), "days: expected a kron.Days, "),
    (lambda: any_kron.Job("@daily", name="x", only=kron.Days(dow=1)), "only: expected a kron.Clause, "),
    (lambda: any_kron.Days(hours=1), "Days.__new__() got an unexpected keyword argument 'hours'; it takes dow, dom, "),
    (lambda: any_kron.Days(**{"from": "2026-01-01"}), "Days.__new__() got an unexpected keyword argument 'from'; it takes dow, dom, months, date, dates, "
                                                      "calendar, last, workday, lastworkday, near, every, from_, "),
    (lambda: any_kron.Days(last=1.5), "last: expected a text, an int, or an iterable of both, not float 1.5"),
    (lambda: any_kron.Days(every=2), "every: expected a text such as '2w', not int 2"),
    (lambda: any_kron.Days(roll=True), "roll: expected a text such as 'previous', not bool True"),
    (lambda: any_kron.Days(from_=MARCH), "from: expected a datetime.date or its text, not datetime.datetime"),
    (lambda: any_kron.Days(holidays="de"), "expected a kron.Calendar, not str 'de'"),
    (lambda: any_kron.Days.from_parts("last=1"), "expected a mapping of parts by name, not str 'last=1'"),
    (lambda: any_kron.Job("@daily", name="x", last=1), "kron.Job() got an unexpected keyword argument 'last'; it is a part of a clause of days: write days={"),
    (lambda: any_kron.Job("@daily", name="x", dow=1), "kron.Job() got an unexpected keyword argument 'dow'; "),
])
def test_a_wrong_type_says_what_was_expected(call: typing.Callable[[], object], message: str) -> None:
    with pytest.raises(TypeError) as caught:
        call()
    assert str(caught.value).startswith(message), str(caught.value)
