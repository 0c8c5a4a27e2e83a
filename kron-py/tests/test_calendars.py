"""Named calendars: against clauses with the same dates, and against the command."""

from __future__ import annotations

import datetime
import json
import pathlib
import pickle
import subprocess
import typing

import kron
import pytest
from conftest import at

START = at("2026-12-20T00:00:00Z")
DAY = datetime.timedelta(days=1)
DATES: list[datetime.date | tuple[datetime.date, datetime.date] | str] = [
    datetime.date(2026, 12, 25), (datetime.date(2026, 12, 31), datetime.date(2027, 1, 2)), "2026-12-26",
]
HOLIDAYS = kron.Calendar("holidays-fr", DATES)
TEXT = "0 3 * * * @tz(Europe/Paris) @win(after,2h) @avoid(calendar=holidays-fr)"


def starts(job: kron.Job) -> list[str]:
    return [start.period_id for start in job.starts(START, START + 20 * DAY)]


def test_dates_are_dates_pairs_and_texts() -> None:
    assert HOLIDAYS.dates == (
        (datetime.date(2026, 12, 25), datetime.date(2026, 12, 26)), (datetime.date(2026, 12, 31), datetime.date(2027, 1, 2)))
    assert str(HOLIDAYS) == "holidays-fr = 2026-12-25..2026-12-26, 2026-12-31..2027-01-02" and HOLIDAYS.name == "holidays-fr"
    assert kron.Calendar("holidays-fr", "2026-12-31..2027-01-02, 2026-12-25..2026-12-26") == HOLIDAYS
    assert kron.Calendar("x", "2026-12-25").content_hash != HOLIDAYS.content_hash
    assert kron.Calendar("x", DATES).content_hash == HOLIDAYS.content_hash and kron.Calendar("x", DATES) != HOLIDAYS


def test_a_job_avoids_the_dates() -> None:
    job = kron.Job(TEXT, name="db/backup", calendars=[HOLIDAYS])
    avoid = [{"date": "2026-12-25"}, {"date": "2026-12-26"}, {"dates": "2026-12-31..2027-01-02"}]
    same = kron.Job("0 3 * * * @tz(Europe/Paris) @win(after,2h)", name="db/backup", constraints=kron.Constraints(avoid=avoid))
    assert starts(job) == starts(same) and len(starts(job)) == 15
    # In every way in which a job is made.
    clause = kron.Clause(calendar=HOLIDAYS)
    assert (str(clause), clause.parts, clause.calendar) == ("calendar=holidays-fr", {"calendar": "holidays-fr"}, HOLIDAYS)
    assert kron.Clause(hours=1).calendar is None
    plain = same.replace(constraints=kron.Constraints())
    for constraints in (kron.Constraints(avoid=[clause]), kron.Constraints(avoid=[{"calendar": HOLIDAYS}]),
                        kron.Constraints.parse("@avoid(calendar=holidays-fr)", [HOLIDAYS])):
        assert plain.replace(constraints=constraints) == job and constraints.calendars == (HOLIDAYS,)
    assert plain.replace(constraints="@avoid(calendar=holidays-fr)", calendars=[HOLIDAYS]) == job
    assert kron.loads(f"{TEXT} name=db/backup", calendars=(it for it in [HOLIDAYS])).fleet[0] == job
    first = job.next_start(START)
    assert kron.decide(TEXT, first.nominal_time, name="db/backup", calendars=[HOLIDAYS]) == first


def test_other_dates_replace_those_of_a_job() -> None:
    job = kron.Job(TEXT, name="db/backup", calendars=[HOLIDAYS])
    other = kron.Calendar("holidays-fr", "2027-01-01")
    moved = job.replace(calendars=[other])
    assert moved.constraints.calendars == (other,) and moved != job and len(starts(moved)) == 19
    assert job.replace(name="b").constraints.calendars == (HOLIDAYS,)
    with pytest.raises(kron.KronError, match="no calendar `holidays-fr`"):
        job.replace(calendars=[])


def test_a_job_keeps_its_calendars() -> None:
    job = kron.Job(TEXT, name="db/backup", calendars=[HOLIDAYS, kron.Calendar("unused", "2026-12-25")])
    assert job.constraints.calendars == (HOLIDAYS,)
    database = kron.TzDatabase.from_tzdata()
    for value in (HOLIDAYS, job, job.constraints, job.constraints.avoid[0], job.next_start(START), job.replace(tz_database=database)):
        assert pickle.loads(pickle.dumps(value)) == value
    for value in (HOLIDAYS, job, job.constraints, job.constraints.avoid[0], job.next_start(START)):
        assert eval(repr(value), {"kron": kron, "datetime": datetime}) == value
    assert hash(HOLIDAYS) == hash(kron.Calendar("holidays-fr", DATES))


def test_receipts_have_the_hash_of_the_dates() -> None:
    receipt = kron.Job(TEXT, name="db/backup", calendars=[HOLIDAYS]).next_start(START).receipt()
    assert json.loads(receipt.to_json())["calendars"] == {"holidays-fr": HOLIDAYS.content_hash}
    assert receipt.verify(calendars=[HOLIDAYS]).agrees and kron.verify(receipt.to_json(), calendars=[HOLIDAYS]).agrees
    other = kron.Calendar("holidays-fr", "2027-05-01")
    (difference,) = kron.verify(receipt, calendars=[other]).differences
    assert (difference.field, difference.computed) == ("calendars.holidays-fr", other.content_hash)
    with pytest.raises(kron.KronError, match="calendars=") as error:
        receipt.verify()
    assert error.value.code == 800
    page = str(kron.Job(TEXT, name="db/backup", calendars=[HOLIDAYS]).explain(receipt_time(receipt)))
    assert HOLIDAYS.content_hash in page


def receipt_time(receipt: kron.Receipt) -> datetime.datetime:
    return at(json.loads(receipt.to_json())["decision"]["nominalTime"])


def test_files(tmp_path: pathlib.Path, command: str) -> None:
    plain, ics = tmp_path / "dates.txt", tmp_path / "company.ics"
    plain.write_text(f"# France\n{HOLIDAYS}\nb = 2026-12-24\n")
    ics.write_text(
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y//EN\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTAMP:20260101T000000Z\r\n"
        "DTSTART;VALUE=DATE:20261222\r\nDTEND;VALUE=DATE:20261224\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n", newline="")
    assert kron.load_calendars(plain) == (kron.Calendar("b", "2026-12-24"), HOLIDAYS)
    assert kron.load_calendars(str(ics)) == (kron.Calendar("company", "2026-12-22..2026-12-23"),)
    text = "@daily @win(after,1h) @avoid(calendar=company) @avoid(calendar=holidays-fr)"
    job = kron.Job(text, name="a", calendars=[*kron.load_calendars(plain), *kron.load_calendars(ics)])
    arguments = ["next", text, "--name", "a", "--from", "2026-12-20", "--until", "2027-01-09", "-o", "ndjson"]
    ran = subprocess.run(
        [command, *arguments, "--calendar", str(plain), "--calendar", str(ics)], check=True, capture_output=True, text=True)
    printed = [json.loads(line)["periodId"] for line in ran.stdout.splitlines()]
    assert printed == starts(job) and len(printed) < 16


def test_errors_say_what_is_wrong() -> None:
    with pytest.raises(kron.LoadError) as errors:
        kron.loads_calendars("x = 2026-02-30\ny\n")
    assert [(error.line, error.field) for error in errors.value.errors] == [(1, "x"), (2, "calendar")]
    wrong: list[tuple[typing.Callable[[], object], type[Exception], str]] = [
        (lambda: kron.Calendar("a b", "2026-12-25"), kron.KronError, "is not a name of a calendar"),
        (lambda: kron.Calendar("x", []), kron.KronError, "no dates"),
        (lambda: kron.Calendar("x", "2026-12-25 # Christmas"), kron.KronError, "is not a date such as"),
        (lambda: kron.Calendar("x", [START]), TypeError, "expected datetime.dates, pairs of them, or texts"),
        (lambda: kron.Calendar("x", 7), TypeError, "expected datetime.dates"),  # type: ignore[arg-type]
        (lambda: kron.Clause(calendar="x"), TypeError, "expected a kron.Calendar, not str 'x'"),  # type: ignore[arg-type]
        (lambda: kron.Job(TEXT, name="a"), kron.KronError, "there is no calendar `holidays-fr`.*`calendars=` in Python"),
        (lambda: kron.Job(TEXT, name="a", calendars="holidays-fr"), TypeError, "expected an iterable of kron.Calendar"),  # type: ignore[arg-type]
        (lambda: kron.Job(TEXT, name="a", calendars=[1]), TypeError, "expected a kron.Calendar, not int 1"),  # type: ignore[list-item]
        (lambda: kron.Job(TEXT, name="a", calendars=[HOLIDAYS, HOLIDAYS]), kron.KronError, "there are two calendars `holidays-fr`"),
        (lambda: kron.Constraints(avoid=[{"calendar": HOLIDAYS}, {"calendar": kron.Calendar("holidays-fr", "2027-01-01")}]),
         kron.KronError, "there are two calendars"),
    ]
    for make, kind, message in wrong:
        with pytest.raises(kind, match=message):
            make()
