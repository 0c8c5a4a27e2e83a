"""Runs the commands of a job file at the starts of its jobs.

python examples/python/asyncio_loop.py examples/fleet.kron
"""

from __future__ import annotations

import asyncio
import shlex
import sys

import kron
import kron.aio


def command_of(loaded: kron.LoadedJob) -> list[str]:
    """The job's field `command`."""
    return shlex.split(dict(loaded.fields).get("command", f"echo {loaded.job.name}"))


def fleet(path: str, runner: kron.aio.Runner) -> kron.aio.Runner:
    """The runner, with the jobs of a file."""
    for loaded in kron.load(path).jobs:

        async def run(start: kron.Decision, command: list[str] = command_of(loaded)) -> None:
            print(f"{start.chosen_time:%H:%M:%S}Z {start.name}: {shlex.join(command)}", flush=True)
            process = await asyncio.create_subprocess_exec(*command)
            await process.wait()

        runner.add(loaded.job, run)
    return runner


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} FILE")
    asyncio.run(fleet(sys.argv[1], kron.aio.Runner()).run())
