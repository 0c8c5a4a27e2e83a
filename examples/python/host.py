"""A small host: runs the commands of a job file at the starts of its jobs. What it must know after a restart is in a file.

python examples/python/host.py jobs.kron state.json

The policy of each job decides: about late starts after a restart, and about starts while an execution is active. A host that is killed
and started again runs the command of no period twice. If it is killed between the store of its state and the start of the command,
that period does not run: each runs at most once.
"""

from __future__ import annotations

import dataclasses
import datetime
import json
import os
import pathlib
import shlex
import subprocess
import sys
import time
import typing

import kron


@dataclasses.dataclass
class Entry:
    """A job of the host."""

    job: kron.Job
    command: list[str]
    state: kron.HostState
    #: The command that was started last: by this process, or the number of one of an earlier process.
    process: subprocess.Popen[bytes] | None = None
    pid: int | None = None

    def is_active(self) -> bool:
        """Whether the command runs."""
        if self.process is not None:
            return self.process.poll() is None
        # After a restart. Another program may have the number by now: then starts are skipped until that one has ended.
        return self.pid is not None and pathlib.Path(f"/proc/{self.pid}").exists()

    def stop(self) -> None:
        """Ends the command, for concurrency=replace."""
        if self.process is not None:
            self.process.terminate()
            self.process.wait()
        elif self.pid is not None and self.is_active():
            os.kill(self.pid, 15)

    def start(self, period: kron.Decision) -> None:
        """Starts the command. It finds its name and period in the environment."""
        environment = {**os.environ, "KRON_JOB": period.name, "KRON_PERIOD_ID": period.period_id}
        try:
            self.process = subprocess.Popen(self.command, env=environment)
        except OSError as error:
            print(f"{period}: {error}", file=sys.stderr, flush=True)
            return
        self.pid = self.process.pid


class Host:
    """The jobs of a file and their states."""

    def __init__(self, jobs: pathlib.Path, path: pathlib.Path, now: datetime.datetime) -> None:
        self.path = path
        stored: dict[str, typing.Any] = json.loads(path.read_text()) if path.exists() else {}
        self.entries = [self._entry(loaded, stored.get(loaded.job.name), now) for loaded in kron.load(jobs).jobs]
        # The beginning of a new job is stored too: its starts up to now are not in force, now and after a restart.
        self.save()

    @staticmethod
    def _entry(loaded: kron.LoadedJob, known: dict[str, typing.Any] | None, now: datetime.datetime) -> Entry:
        command = shlex.split(dict(loaded.fields).get("command", f"echo {loaded.job.name}"))
        if known is None:
            return Entry(loaded.job, command, kron.HostState(now))
        entry = Entry(loaded.job, command, kron.HostState.from_json(known["state"]), pid=known["pid"])
        if known["text"] != text(loaded.job):
            entry.state.reconfigure(now)
        return entry

    def save(self) -> None:
        """Stores all states, as a whole or not at all."""
        states = {
            entry.job.name: {"text": text(entry.job), "state": entry.state.to_json(), "pid": entry.pid} for entry in self.entries
        }
        temporary = self.path.with_suffix(".new")
        with temporary.open("w") as file:
            json.dump(states, file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(self.path)
        folder = os.open(self.path.parent, os.O_RDONLY)
        os.fsync(folder)  # the name, too
        os.close(folder)

    def evaluate(self, now: datetime.datetime) -> datetime.datetime | None:
        """Does what is to be done now. Returns when to evaluate again."""
        wake_ups = []
        for entry in self.entries:
            entry.state.active = entry.is_active()
            plan = entry.job.plan(entry.state, now)
            for step in plan.steps:
                if step.action.outcome is None:
                    continue  # it waits
                if step.action.kind == "replace":
                    entry.stop()
                entry.state.record(step)
                # Before the command: a host that is killed now starts it neither now nor after its restart.
                self.save()
                if step.action.starts:
                    entry.start(step.period)
                    self.save()  # its number
                print(f"{now:%Y-%m-%dT%H:%M:%SZ} {step.period.name} {step.period.period_id}: {step.action.outcome}", flush=True)
            if plan.wake_up is not None:
                wake_ups.append(plan.wake_up)
        return min(wake_ups, default=None)


def text(job: kron.Job) -> str:
    """The configuration of a job. Its policy is none: it applies to all periods, whenever it was changed."""
    return str(job.replace(policy=kron.Policy()))


class Clock:
    """The clock of the machine. The test has another one."""

    def now(self) -> datetime.datetime:
        """The time now."""
        return datetime.datetime.now(datetime.timezone.utc)

    def sleep_until(self, when: datetime.datetime) -> None:
        """Waits until a time, at most a minute at once: the clock may be set meanwhile."""
        time.sleep(min(60.0, max(0.0, (when - self.now()).total_seconds())))


def run(jobs: pathlib.Path, path: pathlib.Path, clock: Clock) -> None:
    """Runs the jobs until no period is left."""
    host = Host(jobs, path, clock.now())
    while (wake_up := host.evaluate(clock.now())) is not None:
        clock.sleep_until(wake_up)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(f"usage: {sys.argv[0]} JOBS STATE")
    run(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), Clock())
