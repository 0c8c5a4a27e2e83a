"""A scheduler in a page: an asyncio loop that starts jobs at their chosen times.

    python examples/python/asyncio_loop.py examples/fleet.kron

`Job.plan` says what to do now and when to look again; the loop carries it out and remembers what was handled. A clock is
handed in, so that tests can run a day in a moment.
"""

from __future__ import annotations

import asyncio
import datetime
import shlex
import sys
import typing
from collections.abc import Callable, Coroutine

import kron

Run = Callable[[kron.LoadedJob, kron.Decision], Coroutine[typing.Any, typing.Any, None]]


class Clock:
    """The time, and waiting for it."""

    def now(self) -> datetime.datetime:
        return datetime.datetime.now(datetime.timezone.utc)

    async def sleep_until(self, when: datetime.datetime) -> None:
        # Not longer than a minute at once: a suspended laptop or a set clock is then noticed.
        await asyncio.sleep(min(60.0, max(0.0, (when - self.now()).total_seconds())))


async def keep(loaded: kron.LoadedJob, run: Run, clock: Clock, until: datetime.datetime) -> list[tuple[str, str]]:
    """Keeps one job until an instant. The outcomes, by period."""
    job, since = loaded.job, clock.now()
    running: set[asyncio.Task[None]] = set()
    outcomes: list[tuple[str, str]] = []
    handled: dict[datetime.datetime, str] = {}
    # The windows of earlier periods ended before now.
    through = since - job.window.duration
    try:
        while clock.now() < until:
            running = {task for task in running if not task.done()}
            plan = job.plan(clock.now(), since=since, handled_through=through, handled=handled, active=bool(running))
            for step in plan.steps:
                if step.action.kind == "replace" and running:
                    for task in running:
                        task.cancel()
                    await asyncio.wait(running)
                if step.action.kind in ("execute", "replace"):
                    running.add(asyncio.create_task(run(loaded, step.period)))
                if step.action.outcome is not None:
                    handled[step.period.nominal_time] = step.action.outcome
                    outcomes.append((step.period.period_id, step.action.outcome))
            through = forget(job, since, through, handled)
            if plan.wake_up is None:
                break
            await clock.sleep_until(min(plan.wake_up, until))
    finally:
        for task in running:
            task.cancel()
    return outcomes


def forget(
    job: kron.Job, since: datetime.datetime, through: datetime.datetime, handled: dict[datetime.datetime, str]
) -> datetime.datetime:
    """Forgets the periods before the first that is open or still to come, so that a loop of years remembers but a few. Up to
    what nominal time all are settled."""
    second = datetime.timedelta(seconds=1)
    for period in job.periods(through + second, max(handled, default=since) + second):
        if period.nominal_time not in handled and (period.chosen_time or period.window_end) > since:
            break
        handled.pop(period.nominal_time, None)
        through = period.nominal_time
    return through


async def run_command(loaded: kron.LoadedJob, decision: kron.Decision) -> None:
    """Runs the job's `command` field."""
    command = dict(loaded.fields).get("command", f"echo {loaded.job.name}")
    print(f"{decision.chosen_time:%H:%M:%S}Z {loaded.job.name}: {command}", flush=True)
    try:
        process = await asyncio.create_subprocess_exec(*shlex.split(command))
    except (OSError, ValueError) as error:
        # One command that is not there must not end the loop of the others.
        print(f"{loaded.job.name}: {error}", file=sys.stderr, flush=True)
        return
    await process.wait()


async def main(path: str) -> None:
    forever = datetime.datetime(2099, 1, 1, tzinfo=datetime.timezone.utc)
    await asyncio.gather(*(keep(loaded, run_command, Clock(), forever) for loaded in kron.load(path).jobs))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} FILE")
    asyncio.run(main(sys.argv[1]))
