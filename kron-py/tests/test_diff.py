"""Differences of two fleets: against the starts of both, and against the command."""

from __future__ import annotations

import datetime
import json
import pathlib
import pickle
import signal
import subprocess
import time

import kron
import pandas
import polars
import pytest
from conftest import at

START = at("2026-03-02T03:00:00Z")
END = START + datetime.timedelta(days=5)
OLD = kron.Fleet([
    kron.Job("0 1 * * * @win(after,4h) @only(hours=2)", name="a/repeated"),
    kron.Job("0 1 * * * @win(after,4h) @only(hours=4)", name="a/skipped"),
    kron.Job("*/20 * * * * @win(around,2h)", name="b/moved"),
    kron.Job("@weekly @win(after,1h)", name="c/old name"),
    kron.Job("0 6 * * *", name="d/gone"),
    kron.Job("@hourly", name="e/same"),
])
NEW = kron.Fleet([
    kron.Job("@hourly", name="e/same"),
    kron.Job("0 1 * * * @win(after,4h) @only(hours=4)", name="a/repeated"),
    kron.Job("0 1 * * * @win(after,4h) @only(hours=2)", name="a/skipped"),
    kron.Job("*/20 * * * * @win(around,2h) @seed(stable,salt=2)", name="b/moved"),
    kron.Job("@weekly @win(after,1h)", name="c/new name"),
    kron.Job("0 5 * * * @policy(suspend=true)", name="f/suspended"),
    kron.Job("0 7 * * *", name="g/added"),
])


def by_period(job: kron.Job | None) -> dict[datetime.datetime, datetime.datetime]:
    """The starts of a job by nominal time, from its periods."""
    if job is None or job.policy.suspend:
        return {}
    day = datetime.timedelta(days=1)
    return {it.nominal_time: it.chosen_time for it in job.periods(START - day, END + day) if it.chosen_time is not None}


def test_every_change_of_every_job() -> None:
    diff = kron.diff(OLD, NEW, START, END)
    assert [(job.change, job.name) for job in diff.jobs] == [
        ("changed", "a/repeated"), ("changed", "a/skipped"), ("changed", "b/moved"), ("renamed", "c/new name"),
        ("removed", "d/gone"), ("added", "f/suspended"), ("added", "g/added"),
    ]
    assert diff.unchanged == 1 and not diff.same_starts
    for job in diff.jobs:
        assert job.old == (OLD[job.old.name] if job.old else None) and job.new == (NEW[job.new.name] if job.new else None)
        old, new = by_period(job.old), by_period(job.new)
        wanted = {
            (nominal, old.get(nominal), new.get(nominal)) for nominal in old.keys() | new.keys()
            if old.get(nominal) != new.get(nominal)
            and any(START <= time < END for time in (old.get(nominal), new.get(nominal)) if time is not None)
        }
        assert {(it.nominal_time, it.old, it.new) for it in job.starts} == wanted and len(job.starts) == len(wanted), job.name
        for it in job.starts:
            assert it.kind == ("appears" if it.old is None else "vanishes" if it.new is None else "moves")
    repeated, skipped = diff.jobs[:2]
    (again,) = repeated.repeated
    assert again.old is not None and again.new is not None and again.old < START <= again.new and repeated.skipped == ()
    (never,) = skipped.skipped
    assert never.old is not None and never.new is not None and never.new < START <= never.old and skipped.repeated == ()
    assert str(again) == f"moves {again.old:%Y-%m-%dT%H:%M:%SZ} -> {again.new:%Y-%m-%dT%H:%M:%SZ}"
    assert pickle.loads(pickle.dumps(diff)) == diff
    assert kron.diff(OLD, OLD, START, END).same_starts
    with pytest.raises(ValueError, match="start must be before end"):
        kron.diff(OLD, NEW, END, START)


def test_the_same_as_the_command(tmp_path: pathlib.Path, command: str) -> None:
    for name, fleet in (("old", OLD), ("new", NEW)):
        (tmp_path / name).write_text(fleet.to_job_file())
    arguments = ["diff", "old", "new", "--from", "2026-03-02T03:00", "--for", "120h", "-o", "json"]
    ran = subprocess.run([command, *arguments], cwd=tmp_path, capture_output=True, text=True)
    printed, diff = json.loads(ran.stdout), kron.diff(OLD, NEW, START, END)
    for job, found in zip(printed["jobs"], diff.jobs, strict=True):
        assert job["change"] == found.change
        for starts, wanted in ((found.starts, job["starts"]), (found.skipped, job["edit"]["skipped"]["periods"]),
                               (found.repeated, job["edit"]["repeated"]["periods"])):
            assert [it.kind for it in starts] == [it["change"] for it in wanted]
            for it, want in zip(starts, wanted, strict=True):
                assert (it.old and it.old.strftime("%Y-%m-%dT%H:%M:%SZ")) == want["oldStart"]
                assert (it.new and it.new.strftime("%Y-%m-%dT%H:%M:%SZ")) == want["newStart"]
    for peak, name in ((diff.old_peak, "old"), (diff.new_peak, "new")):
        assert (peak.starts, peak.per_minute) == (printed["peak"][name]["starts"], printed["peak"][name]["startsPerMinute"])
        assert peak.minute == at(printed["peak"][name]["minute"])


def test_pandas_and_polars() -> None:
    diff = kron.diff(OLD, NEW, START, END)
    rows = [(job.name, it.kind, it.nominal_time, it.old, it.new) for job in diff.jobs for it in job.starts]
    frame, table = diff.to_pandas(), diff.to_polars()
    assert isinstance(frame, pandas.DataFrame) and list(frame.columns) == ["name", "change", "nominal_time", "old", "new"]
    assert [tuple(None if pandas.isna(cell) else cell for cell in row) for row in frame.itertuples(index=False)] == rows
    assert isinstance(table, polars.DataFrame) and table.rows() == rows
    assert (frame.new - frame.old)[frame.name == "b/moved"].abs().max() < pandas.Timedelta("4h")
    empty = kron.diff(OLD, OLD, START, END)
    assert len(empty.to_pandas()) == len(empty.to_polars()) == 0 and list(empty.to_pandas().columns) == list(frame.columns)


def test_errors_say_what_is_wrong() -> None:
    never = kron.Fleet([kron.Job("* * * * * @only(date=1999-01-01)", name="a")])
    # A search that has an end goes on to it.
    assert kron.diff(never, NEW, START, START + datetime.timedelta(days=366))
    with pytest.raises(TypeError, match="expected a kron.Fleet"):
        kron.diff([], NEW, START, END)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="naive"):
        kron.diff(OLD, NEW, START.replace(tzinfo=None), END)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer that signals")
def test_a_signal_ends_it() -> None:
    """In the midst of a call that would take minutes. Times are those of the processor, which no other process changes."""
    old, new = (kron.Fleet(kron.Job(f"* * * * * @win(after,{hours}h)", name=f"job/{i}") for i in range(1000)) for hours in (3, 4))
    before = signal.signal(signal.SIGVTALRM, signal.default_int_handler)
    began = time.process_time()
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.2)
        with pytest.raises(KeyboardInterrupt):
            kron.diff(old, new, START, START + datetime.timedelta(days=366))
    finally:
        signal.signal(signal.SIGVTALRM, before)
    assert time.process_time() - began < 5
