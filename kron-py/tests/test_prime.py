"""Primed schedules: `Cron.prime`, `Job.prime` and `lead_changes`."""

from __future__ import annotations

import copy
import datetime
import pathlib
import pickle
from collections.abc import Sequence

import kron
import pytest

UTC = datetime.timezone.utc
MARCH = datetime.datetime(2026, 3, 1, tzinfo=UTC)
MINUTES = datetime.timedelta(minutes=10)
CASES = pathlib.Path(__file__).resolve().parents[2] / "testing" / "data" / "prime" / "cases.txt"


def cases() -> list[tuple[str, str, str]]:
    lines = [line for line in CASES.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return [(text, lead, answer) for text, lead, answer in (line.split(" | ") for line in lines)]


def test_the_committed_cases() -> None:
    found = cases()
    assert len(found) >= 200
    for text, lead, answer in found:
        cron = kron.Cron(text)
        if answer == "none":
            with pytest.raises(kron.KronError) as caught:
                cron.prime(lead)
            assert caught.value.code == 700
            assert cron.prime(lead, cover=True).surplus > 0
        else:
            primed = cron.prime(lead)
            assert sorted(primed.texts) == sorted(answer.split("; ")) and primed.minimal, text
            assert cron.prime(lead, cover=True) == primed


def test_it_is_a_sequence() -> None:
    primed = kron.Cron("0/15 0 * * MON-FRI").prime(MINUTES)
    assert isinstance(primed, kron.Primed) and isinstance(primed, Sequence)
    assert primed.texts == ("50 23 * * 0-4", "20,35,5 0 * * 1-5")
    assert list(primed) == [kron.Cron(text) for text in primed.texts] == list(primed.expressions)
    assert len(primed) == 2 and primed[-1] == kron.Cron("20,35,5 0 * * 1-5") and primed[:1] == (primed[0],)
    assert primed[0] in primed and primed.index(primed[1]) == 1
    assert [cron.shortest_text for cron in primed] == list(primed.texts)
    with pytest.raises(IndexError):
        primed[2]
    assert primed == kron.Cron("*/15 0 * * 1-5").prime("10m") and hash(primed) == hash(copy.copy(primed))
    assert pickle.loads(pickle.dumps(primed)) == primed
    assert eval(repr(primed), {"kron": kron}) == primed


def test_the_firings_are_those_of_the_schedule_moved_back() -> None:
    lead = datetime.timedelta(days=1, minutes=7)
    cron = kron.Cron("*/25 0,7 1,15 */2 FRI")
    at, starts = MARCH, set()
    while (found := cron.next(at)) is not None and found < MARCH + datetime.timedelta(days=400):
        starts.add(found - lead)
        at = found
    fires = set()
    for expression in cron.prime(lead, cover=True):
        at = MARCH - lead
        while (found := expression.next(at)) is not None and found < MARCH + datetime.timedelta(days=400) - lead:
            fires.add(found)
            at = found
    assert starts and starts <= fires


def test_a_cover_has_a_surplus() -> None:
    cover = kron.Cron("0 0 1 3 *").prime(MINUTES, cover=True)
    assert (cover.texts, cover.surplus, cover.surplus_per_year) == (("50 23 28/1 2 *",), 32, 32 / 130)
    with pytest.raises(kron.KronError, match="2001-02-28 but not on 2000-02-28") as caught:
        kron.Cron("0 0 1 3 *").prime(MINUTES)
    assert caught.value.code == 700 and caught.value.field == "schedule"


@pytest.mark.parametrize("lead", ["0s", "90s", "745h", datetime.timedelta(0), datetime.timedelta(days=32), datetime.timedelta(minutes=-1)])
def test_leads_that_are_none(lead: datetime.timedelta | str) -> None:
    with pytest.raises(kron.KronError):
        kron.Cron("@daily").prime(lead)
    with pytest.raises(kron.KronError):
        kron.Cron("@daily").prime(lead, cover=True)
    with pytest.raises(kron.KronError):
        kron.Cron("@daily").lead_changes(lead, MARCH)


def test_arguments_of_other_types() -> None:
    with pytest.raises(TypeError):
        kron.Cron("@daily").prime(10)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        kron.Cron("@daily").prime("10m", cover="no")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        kron.Cron("@daily").prime("10m", True)  # type: ignore[misc]


def test_jobs_that_start_at_their_cron_times() -> None:
    job = kron.Job("0 9-17 * * MON-FRI @tz(Europe/Paris)", name="prod/report")
    assert job.prime(MINUTES) == kron.Cron("0 9-17 * * 1-5").prime(MINUTES)
    for text in ("@daily @win(after,1h)", "@daily @only(dow=MON)"):
        for cover in (False, True):
            with pytest.raises(kron.KronError) as caught:
                kron.Job(text, name="prod/report").prime(MINUTES, cover=cover)
            assert caught.value.code == 701


def test_changes_of_the_clocks() -> None:
    cron = kron.Cron("0 3 * * *")
    changes = cron.lead_changes(MINUTES, MARCH, timezone="Europe/Paris")
    assert len(changes) == 6  # three years
    assert changes[0] == kron.LeadChange(
        datetime.datetime(2026, 3, 29, 1, tzinfo=UTC), "skipped", "2026-03-29T03:00", "2026-03-29T02:50", None,
        "2026-03-29T02:50 is skipped: nothing fires before the start at 2026-03-29T03:00",
    )
    assert changes[1].kind == "twice" and changes[1].lead == datetime.timedelta(minutes=70)
    assert str(changes[0]) == changes[0].message
    assert pickle.loads(pickle.dumps(changes)) == changes
    assert kron.Job("0 3 * * * @tz(Europe/Paris)", name="a/b").lead_changes("10m", MARCH) == changes
    assert cron.lead_changes("10m", MARCH) == []
    assert cron.lead_changes("10m", MARCH, changes[1].time, timezone="Europe/Paris") == changes[:1]
    # From now on, by default.
    assert len(cron.lead_changes("10m", timezone="Europe/Paris")) == 6
