"""Civil times that changes of the clocks skip or double: against the command and against zoneinfo."""

from __future__ import annotations

import datetime
import json
import subprocess
import time
import zoneinfo

import kron
import pytest
from conftest import at

JOBS = [
    kron.Job("*/30 * * * * @tz(Europe/Paris) @win(after,30m)", name="halves"),
    kron.Job("15 2 * * SUN @tz(Australia/Lord_Howe)", name="half an hour"),
    kron.Job("45 1 * * * @tz(America/New_York) @win(after,10m) @avoid(date=2026-11-01)", name="no second"),
    kron.Job("30 2 * * * @tz(Asia/Tokyo)", name="none"),
]
START, END = at("2026-01-01T00:00:00Z"), at("2028-01-01T00:00:00Z")


def test_the_same_as_the_command(command: str) -> None:
    lines = kron.Fleet(JOBS).to_job_file()
    arguments = [command, "tz-report", "-", "--from", "2026-01-01", "--years", "2", "-o", "json"]
    printed = json.loads(subprocess.run(arguments, input=lines, capture_output=True, text=True).stdout)
    found = [
        {
            "name": job.name, "timezone": str(job.timezone), "effect": it.effect, "civilTime": it.civil_time,
            "changeTime": f"{it.time:%Y-%m-%dT%H:%M:%SZ}", "offsetBefore": iso(it.offset_before), "offsetAfter": iso(it.offset_after),
            "periods": [
                {"periodId": p.period_id, "chosenTime": p.chosen_time and f"{p.chosen_time:%Y-%m-%dT%H:%M:%SZ}"} for p in it.periods
            ],
        }
        for job in JOBS for it in job.clock_changes(START, END)
    ]
    assert found == printed and {it["effect"] for it in found} == {"skipped", "doubled"}


def iso(offset: datetime.timedelta) -> str:
    """`+01:00`."""
    minutes = int(offset / datetime.timedelta(minutes=1))
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"


@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.name)
def test_the_same_as_zoneinfo(job: kron.Job) -> None:
    zone = zoneinfo.ZoneInfo(str(job.timezone))
    for change in job.clock_changes(START, END):
        civil = datetime.datetime.fromisoformat(change.civil_time)
        both = [civil.replace(tzinfo=zone, fold=fold).astimezone(datetime.timezone.utc) for fold in (0, 1)]
        exists = [instant.astimezone(zone).replace(tzinfo=None) == civil for instant in both]
        if change.effect == "skipped":
            assert exists == [False, False] and change.periods == ()
        else:
            assert exists == [True, True] and [it.nominal_time for it in change.periods] == both and both[0] != both[1]
        assert (change.time - datetime.timedelta(seconds=1)).astimezone(zone).utcoffset() == change.offset_before
        assert change.time.astimezone(zone).utcoffset() == change.offset_after


def test_sentences() -> None:
    sentences = {job.name: [str(it) for it in job.clock_changes(START, at("2027-01-01T00:00:00Z"))] for job in JOBS}
    assert sentences["no second"] == ["2026-11-01T01:45 is doubled: it starts at no allowed second"]
    # Clocks go from 02:00 to 02:30 there, and from 02:00 back to 01:30.
    assert sentences["half an hour"] == ["2026-10-04T02:15 is skipped"]
    assert sentences["none"] == [] and len(sentences["halves"]) == 4


def test_three_years_from_now_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time_ns", lambda: int(START.timestamp()) * 10**9)
    assert JOBS[0].clock_changes() == JOBS[0].clock_changes(START, at("2029-01-01T00:00:00Z"))
    with pytest.raises(TypeError, match="naive"):
        JOBS[0].clock_changes(START.replace(tzinfo=None))
