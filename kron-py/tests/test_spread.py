"""Spreads: against forecasts, the checker of certificates, and the command."""

from __future__ import annotations

import datetime
import json
import pathlib
import signal
import subprocess
import sys
import time

import kron
import pytest
from conftest import ROOT, at

START = at("2026-03-02T00:00:00Z")
DAY = datetime.timedelta(days=1)
FLEET = kron.Fleet([
    kron.Job("* * * * * @policy(suspend=true)", name="suspended"),
    *(kron.Job("0 0 * * * @tz(Europe/Paris) @win(after,1h)", name=f"night/{i}") for i in range(30)),
    *(kron.Job("30 * * * * @win(around,20m) @avoid(hours=3)", name=f"hourly {i}") for i in range(5)),
])
CHECKER = ROOT / "scripts" / "check_spread.py"


@pytest.mark.parametrize("fixed", [False, True])
def test_the_peak_is_that_of_a_forecast(fixed: bool, tmp_path: pathlib.Path) -> None:
    spread = FLEET.spread(START, START + 2 * DAY, fixed=fixed)
    before, after = (fleet.forecast(START, START + 2 * DAY) for fleet in (FLEET, spread.fleet))
    assert (before.peak(), after.peak(), after.peak_time()) == (spread.present_peak, spread.peak, spread.peak_time)
    assert spread.bound <= spread.peak < spread.present_peak
    assert (spread.start, spread.end, spread.per) == (START, START + 2 * DAY, datetime.timedelta(minutes=1))
    for old, new in zip(FLEET, spread.fleet, strict=True):
        assert new == (old.replace(seed=spread.seeds[old.name]) if old.name in spread.seeds else old)
    assert "suspended" not in spread.seeds and len(spread.seeds) > 0
    if fixed:
        assert spread.fleet["night/0"].seed.strategy == "fixed" and (spread.peak, spread.bound) == (1, 1)
    # A program that shares no code with Kron.
    (tmp_path / "peak.json").write_text(spread.certificate(), encoding="utf-8")
    (tmp_path / "jobs.kron").write_text(spread.fleet.to_job_file(), encoding="utf-8")
    arguments = [sys.executable, str(CHECKER), str(tmp_path / "peak.json"), str(tmp_path / "jobs.kron")]
    ran = subprocess.run(arguments, capture_output=True, text=True, check=True)
    assert ran.stdout == f"peak {spread.peak}, bound {spread.bound}\n"
    assert repr(spread).startswith(f"<kron.Spread of 36 jobs: peak {spread.present_peak} before, {spread.peak} after")


def test_the_same_as_the_command(tmp_path: pathlib.Path, command: str) -> None:
    (tmp_path / "jobs.kron").write_text(FLEET.to_job_file())
    arguments = ["spread", "jobs.kron", "--peak", "3", "--fixed", "--from", "2026-03-02", "--for", "24h", "--per", "5m"]
    ran = subprocess.run([command, *arguments], cwd=tmp_path, check=True, capture_output=True, text=True)
    spread = FLEET.spread(START, START + DAY, per="5m", fixed=True, peak=3)
    assert kron.loads(ran.stdout).fleet == spread.fleet and spread.peak <= 3


def test_a_peak_that_is_there_changes_nothing() -> None:
    spread = FLEET.spread(START, START + DAY, peak=1000)
    assert spread.seeds == {} and spread.fleet == FLEET and spread.peak == spread.present_peak


def test_a_job_file_has_the_fleet() -> None:
    assert kron.loads(FLEET.to_job_file()).fleet == FLEET
    assert kron.Fleet([]).to_job_file() == ""


def test_errors_say_what_is_wrong() -> None:
    with pytest.raises(kron.KronError, match="from 1s to 24h"):
        FLEET.spread(START, START + DAY, per="25h")
    with pytest.raises(TypeError, match="naive"):
        FLEET.spread(START.replace(tzinfo=None), START + DAY)
    with pytest.raises(TypeError, match="True or False"):
        FLEET.spread(START, START + DAY, fixed="yes")  # type: ignore[arg-type]
    with pytest.raises(OverflowError):
        FLEET.spread(START, START + DAY, peak=-1)
    def job(name: str, dates: str) -> kron.Job:
        return kron.Job("@daily @win(after,1h) @avoid(calendar=x)", name=name, calendars=[kron.Calendar("x", dates)])

    fleet = kron.Fleet([job("a/a", "2026-12-25"), job("a/b", "2026-12-26")])
    with pytest.raises(kron.KronError, match="a/b: the calendar `x` has other dates in another job"):
        fleet.spread(START, START + DAY).certificate()


def test_a_certificate_has_the_dates_of_calendars() -> None:
    dates = kron.Calendar("x", "2026-12-25, 2026-12-31..2027-01-02")
    fleet = kron.Fleet([kron.Job("@daily @win(after,1h) @avoid(calendar=x)", name="a/b", calendars=[dates])])
    certificate = json.loads(fleet.spread(START, START + DAY).certificate())
    assert certificate["calendars"] == {"x": ["2026-12-25..2026-12-25", "2026-12-31..2027-01-02"]}


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer that signals")
def test_a_signal_ends_the_search() -> None:
    """In the midst of a call that would take minutes. Times are those of the processor, which no other process changes."""
    large = kron.Fleet(kron.Job("*/5 * * * * @win(after,4m)", name=f"job/{i}") for i in range(2000))
    before = signal.signal(signal.SIGVTALRM, signal.default_int_handler)
    began = time.process_time()
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.2)
        with pytest.raises(KeyboardInterrupt):
            large.spread(START, START + 31 * DAY, per="1s")
    finally:
        signal.signal(signal.SIGVTALRM, before)
    assert time.process_time() - began < 5
