"""The host of `examples/python/host.py` is killed again and again, at every place, and starts no period twice."""

from __future__ import annotations

import collections
import datetime
import json
import pathlib
import signal
import subprocess
import sys

import kron
import pytest
from conftest import ROOT, at

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs processes of Unix")

BEGIN = at("2026-03-01T00:00:30Z")
#: The host on a clock that goes as fast as it is asked, which is in a file too. It kills itself at one of its steps.
DRIVER = """
import datetime, os, pathlib, signal, sys
sys.path.insert(0, sys.argv[1])
import host

folder, kill_at, begin, end = pathlib.Path(sys.argv[2]), int(sys.argv[3]), *(float(it) for it in sys.argv[4:6])
steps = 0

def step():
    global steps
    steps += 1
    if steps == kill_at:
        os.kill(os.getpid(), signal.SIGKILL)

class Clock(host.Clock):
    def __init__(self):
        file = folder / "clock"
        self.time = max(begin, float(file.read_text())) if file.exists() else begin

    def now(self):
        return datetime.datetime.fromtimestamp(self.time, datetime.timezone.utc)

    def sleep_until(self, when):
        # Commands end: that takes time of the machine, and none of this clock.
        for entry in running:
            entry.process is None or entry.process.wait()
        self.time = max(self.time + 1, when.timestamp())
        (folder / "clock").write_text(str(self.time))
        if self.time >= end:
            sys.exit()

running = []

class Host(host.Host):
    def __init__(self, *args):
        super().__init__(*args)
        running.extend(self.entries)

    def save(self):
        step()
        super().save()
        step()

class Entry(host.Entry):
    def start(self, period):
        step()
        super().start(period)
        self.process.wait()
        step()

host.Host, host.Entry = Host, Entry
host.run(folder / "jobs.kron", folder / "state.json", Clock())
"""


def run(folder: pathlib.Path, kill_at: int, begin: datetime.datetime = BEGIN, hours: float = 3) -> int:
    """Runs the host for some hours of its clock, or until it kills itself."""
    end = begin + datetime.timedelta(hours=hours)
    args = [sys.executable, "-c", DRIVER, ROOT / "examples" / "python", folder, str(kill_at), str(begin.timestamp()), str(end.timestamp())]
    return subprocess.run(args, stdout=subprocess.DEVNULL).returncode


def jobs(folder: pathlib.Path, *texts: str) -> None:
    log = folder / "log"
    command = f"sh -c 'echo $KRON_JOB $KRON_PERIOD_ID >> {log}'"
    lines = [f'{text} name=job/{index} command="{command}"' for index, text in enumerate(texts)]
    (folder / "jobs.kron").write_text("\n".join(lines) + "\n")


def started(folder: pathlib.Path) -> list[str]:
    log = folder / "log"
    return log.read_text().splitlines() if log.exists() else []


def periods(name: str, text: str, hours: float) -> list[str]:
    series = kron.Job(text, name=name).starts(BEGIN + datetime.timedelta(seconds=1), datetime.timedelta(hours=hours))
    return [f"{name} {it.period_id}" for it in series]


PLAIN = "*/10 * * * * @win(after,5m) @policy(deadline=30m)"
OVERLAPPING = "*/15 * * * * @win(after,1h) @policy(deadline=30m,concurrency=allow)"


def test_without_kills_all_run(tmp_path: pathlib.Path) -> None:
    jobs(tmp_path, PLAIN, OVERLAPPING)
    assert run(tmp_path, 0) == 0
    want = periods("job/0", PLAIN, 2.9) + periods("job/1", OVERLAPPING, 2.9)
    assert set(want) <= set(started(tmp_path)) and len(started(tmp_path)) == len(set(started(tmp_path)))


def test_a_host_that_is_killed_at_any_place_starts_nothing_twice(tmp_path: pathlib.Path) -> None:
    jobs(tmp_path, PLAIN, OVERLAPPING)
    # A little further each time: between all steps of a start, again and again.
    killed = 0
    for kill_at in (3, 4, 5, 6, 7, 8, 9, 10, 13, 16, 19, 22, 25, 28, 31):
        if run(tmp_path, kill_at) == 0:
            break
        killed += 1
        json.loads((tmp_path / "state.json").read_text())
    assert killed > 10 and run(tmp_path, 0) == 0
    counts = collections.Counter(started(tmp_path))
    assert counts.most_common(1)[0][1] == 1
    want = set(periods("job/0", PLAIN, 2.9) + periods("job/1", OVERLAPPING, 2.9))
    # Each kill loses at most the start that it interrupts, and one that is started instead of an older one.
    assert len(want - set(counts)) <= 2 * killed


def test_it_catches_up_by_the_policy(tmp_path: pathlib.Path) -> None:
    jobs(tmp_path, PLAIN, "*/10 * * * * @policy(deadline=1h)", "*/10 * * * *")
    assert run(tmp_path, 0, hours=1) == 0
    before = started(tmp_path)
    # Two hours later: the last of the periods that are not an hour late, and with the default deadline of 0 s none.
    assert run(tmp_path, 0, begin=at("2026-03-01T03:05:30Z"), hours=0.01) == 0
    caught_up = started(tmp_path)[len(before) :]
    assert [it.split()[0] for it in caught_up] == ["job/0", "job/1"] and caught_up[1] == "job/1 2026-03-01T03:00:00Z"


def test_a_new_configuration_starts_nothing_again(tmp_path: pathlib.Path) -> None:
    jobs(tmp_path, "0 * * * * @policy(deadline=30m)")
    assert run(tmp_path, 0, hours=2.1) == 0
    assert started(tmp_path) == ["job/0 2026-03-01T01:00:00Z", "job/0 2026-03-01T02:00:00Z"]
    # With the window, the period of 02:00 would start after this.
    edited = "0 * * * * @win(after,1h) @policy(deadline=30m)"
    jobs(tmp_path, edited)
    moved = kron.Job(edited, name="job/0").decide(at("2026-03-01T02:00:00Z")).chosen_time
    assert moved is not None and moved > at("2026-03-01T02:07:00Z")
    assert run(tmp_path, 0, begin=at("2026-03-01T02:06:30Z"), hours=3) == 0
    assert started(tmp_path)[2:] and "job/0 2026-03-01T02:00:00Z" not in started(tmp_path)[2:]
    # Times of a new schedule that have passed are not caught up, although they are not late for the deadline.
    before = len(started(tmp_path))
    jobs(tmp_path, "*/3 * * * * @policy(deadline=30m)")
    assert run(tmp_path, 0, begin=at("2026-03-01T06:07:30Z"), hours=0.05) == 0
    assert started(tmp_path)[before:] == ["job/0 2026-03-01T06:09:00Z"]
    jobs(tmp_path, edited)
    assert run(tmp_path, 0, begin=at("2026-03-01T06:11:00Z"), hours=0.01) == 0
    # Another policy is no other configuration: a period that is due stays due.
    state = json.loads((tmp_path / "state.json").read_text())["job/0"]
    jobs(tmp_path, edited.replace("30m", "31m"))
    assert run(tmp_path, 0, begin=at("2026-03-01T06:13:00Z"), hours=0.01) == 0
    assert json.loads(json.loads((tmp_path / "state.json").read_text())["job/0"]["state"])["since"] == json.loads(state["state"])["since"]
