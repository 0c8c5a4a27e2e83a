"""Forecasts: against counts of the starts, and against the command."""

from __future__ import annotations

import datetime
import json
import os
import pathlib
import subprocess

import kron
import numpy
import pandas
import polars
import pytest
from conftest import at

START = at("2026-03-27T00:00:00Z")
DAY = datetime.timedelta(days=1)
MINUTE = datetime.timedelta(minutes=1)
FLEET = kron.Fleet([
    kron.Job("*/7 * * * * @win(after,1h)", name="a/often"),
    kron.Job("30 2 * * * @tz(Europe/Paris) @win(around,4h)", name="a/night"),
    kron.Job("0 * * * * @avoid(hours=3-5)", name="b/hourly"),
    kron.Job("* * * * * @policy(suspend=true)", name="b/suspended"),
])


@pytest.mark.parametrize("nominal", [False, True])
@pytest.mark.parametrize("per", [MINUTE, 7 * MINUTE, 60 * MINUTE])
def test_counts_every_start(nominal: bool, per: datetime.timedelta) -> None:
    end = START + 5 * DAY - 3 * MINUTE
    found = FLEET.forecast(START, end, per=per, nominal=nominal)
    wanted = [0] * -(-(end - START) // per)
    active = [job for job in FLEET if not job.policy.suspend]
    for job in active:
        times = [it.nominal_time for it in job.periods(START, end)] if nominal else [it.chosen_time for it in job.starts(START, end)]
        for time in times:
            assert time is not None
            wanted[(time - START) // per] += 1
    assert found.starts.tolist() == wanted and found.total == sum(wanted) > 0
    assert (len(found), found[0], found[-1]) == (len(wanted), START, START + (len(wanted) - 1) * per)
    assert (found.start, found.end, found.per, found.nominal) == (START, end, per, nominal)
    assert found.peak() == max(wanted) and found.peak_time() == START + wanted.index(max(wanted)) * per
    assert found.mean() == pytest.approx(sum(wanted) / len(wanted))
    assert sum(value <= found.p99() for value in wanted) >= 0.99 * len(wanted)
    worst = found.worst(3)
    assert [wanted[(time - START) // per] for time in worst] == sorted(wanted, reverse=True)[:3]
    for time in worst:
        jobs = found.jobs(time + per / 2 if time + per < end else time)
        assert sum(starts for _, starts in jobs) == wanted[(time - START) // per]


def test_durations_and_weights() -> None:
    fleet = kron.Fleet([kron.Job("0 0 * * *", name="long"), kron.Job("10 0 * * *", name="short")])
    found = fleet.forecast(
        START, START + 30 * MINUTE, per="10m", duration=5 * MINUTE, durations={"long": "25m"}, weights={"long": 500, "short": 3})
    assert found.running.tolist() == [1, 2, 1] and found.load.tolist() == [500, 503, 500]
    assert (found.peak("load"), found.peak_time("load")) == (503, START + 10 * MINUTE)


def test_the_same_as_the_command(tmp_path: pathlib.Path) -> None:
    jobs = "".join(f"{job} name={job.name}\n" for job in FLEET)
    (tmp_path / "jobs.kron").write_text(jobs)
    arguments = ["--from", "2026-03-27", "--until", "2026-04-04", "--per", "10m", "--cron", "--tz", "Europe/Paris", "-o", "json"]
    ran = subprocess.run(
        [os.environ["KRON_COMMAND"], "forecast", "jobs.kron", *arguments], cwd=tmp_path, check=True, capture_output=True, text=True)
    printed = json.loads(ran.stdout)
    start, end = at(printed["from"]), at(printed["until"])
    for name, nominal in [("cron", True), ("kron", False)]:
        found = FLEET.forecast(start, end, per="10m", nominal=nominal)
        assert found.starts.tolist() == printed[name]["buckets"]["starts"]
        assert found.heat_map("Europe/Paris") == printed[name]["heatMap"]["peak"]


def test_numpy_pandas_and_polars() -> None:
    found = FLEET.forecast(START, START + DAY, per="1h")
    array = numpy.asarray(found.starts)
    assert array.dtype == numpy.int64 and array.sum() == found.total and not array.flags.writeable
    frame = found.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and list(frame.columns) == ["starts", "running", "load"]
    assert frame["starts"].sum() == found.total and frame.index[0] == START and str(frame.index.tz) == "UTC"
    table = found.to_polars()
    assert isinstance(table, polars.DataFrame) and table.columns == ["time", "starts", "running", "load"]
    assert table["starts"].to_list() == found.starts.tolist() and table["time"][1] == START + 60 * MINUTE


def test_progress_is_reported_and_can_end_it() -> None:
    seen: list[tuple[int, int]] = []
    FLEET.forecast(START, START + 12 * DAY, progress=lambda done, all: seen.append((done, all)))
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]

    def stop(done: int, all: int) -> None:
        if done == 2:
            raise InterruptedError("enough")

    with pytest.raises(InterruptedError, match="enough"):
        FLEET.forecast(START, START + 12 * DAY, progress=stop)


def test_errors_say_what_is_wrong() -> None:
    with pytest.raises(kron.KronError, match="from 1s to 24h"):
        FLEET.forecast(START, START + DAY, per="25h")
    with pytest.raises(kron.KronError, match="is not after its beginning"):
        FLEET.forecast(START, START)
    with pytest.raises(KeyError, match="the fleet has no job of the name .*a/oftne"):
        FLEET.forecast(START, START + DAY, durations={"a/oftne": "1h"})
    with pytest.raises(TypeError, match="naive"):
        FLEET.forecast(START.replace(tzinfo=None), START + DAY)
    found = FLEET.forecast(START, START + DAY)
    with pytest.raises(ValueError, match="`starts`, `running` or `load`"):
        found.peak("cpu")  # type: ignore[arg-type]
    for outside in (START - MINUTE, START + DAY):
        with pytest.raises(IndexError, match="not in the range"):
            found.jobs(outside)
    with pytest.raises(IndexError):
        found[len(found)]
    assert repr(found) == f"<kron.Forecast of 4 jobs from 2026-03-27T00:00:00Z to 2026-03-28T00:00:00Z, {found.total} starts>"
