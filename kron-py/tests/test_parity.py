"""Random jobs, decided here and by the Rust command."""

from __future__ import annotations

import datetime
import json
import pathlib
import subprocess
import tempfile

import kron
from generators import INSTANTS, JOBS
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

SECOND = datetime.timedelta(seconds=1)
FLEETS = st.lists(JOBS, min_size=1, max_size=8, unique_by=lambda job: job.name).map(kron.Fleet)


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def rfc3339(time: datetime.datetime) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


def ours(series: kron.Decisions) -> tuple[list[object], int]:
    """The records of a series as the command prints them, and how many jobs failed."""
    records, failed, left = [], 0, iter(series)
    while True:
        try:
            decision = next(left, None)
        except kron.KronError:
            failed += 1
            continue
        if decision is None:
            return records, failed
        records.append(json.loads(decision.to_json()))


@settings(max_examples=30, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(FLEETS, INSTANTS.map(lambda time: time.replace(microsecond=0)))
def test_fleets(command: str, fleet: kron.Fleet, begin: datetime.datetime) -> None:
    end = begin + datetime.timedelta(days=2)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "fleet.kron"
        path.write_text("".join(f"{job} name={quoted(job.name)}\n" for job in fleet), encoding="utf-8", newline="")
        assert kron.load(path).fleet == fleet
        for nominal, series in ((["--nominal"], fleet.periods), ([], fleet.starts)):
            args = [command, "next", "-f", str(path), "--at", rfc3339(begin), "--until", rfc3339(end), "-o", "ndjson", *nominal]
            ran = subprocess.run(args, capture_output=True, text=True, encoding="utf-8")
            records, failed = ours(series(begin + SECOND, end))
            assert [json.loads(line) for line in ran.stdout.split("\n") if line] == records, ran.stderr
            assert ran.returncode == (0 if records else 1), ran.stderr
            assert ran.stderr.count("no start in the five years") + ran.stderr.count("periods in a row") >= min(failed, 1)
