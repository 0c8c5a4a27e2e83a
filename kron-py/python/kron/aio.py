"""Runs async functions at the starts of jobs, in one asyncio program.

>>> import asyncio, kron, kron.aio
>>> runner = kron.aio.Runner()
>>> @runner.job(kron.Job("0 0 * * * @win(after,3h) @policy(deadline=1m)", name="prod/db-backup"))
... async def backup(start):
...     print(f"backup of {start.nominal_time}")
>>> asyncio.run(runner.run(until=runner.clock.now()))  # without `until` it runs for ever

The runner follows the policy of each job: concurrency, deadline and suspension. Its state is in memory only: when the program is
started again, the runner begins with the starts after that moment, and does not catch up on earlier ones.
"""

from __future__ import annotations

import asyncio
import collections.abc
import datetime
import logging
import typing

import kron

__all__ = ["Clock", "Handler", "Runner"]

#: What a job runs: an async function that gets the decision of its start.
Handler = collections.abc.Callable[[kron.Decision], collections.abc.Coroutine[typing.Any, typing.Any, object]]

_Function = typing.TypeVar("_Function", bound=Handler)
_log = logging.getLogger(__name__)


class Clock:
    """The clock of a runner. Tests can replace it, for example by one that does not wait:

    >>> import asyncio, datetime, kron, kron.aio
    >>> class TestClock(kron.aio.Clock):
    ...     time = datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc)
    ...     def now(self):
    ...         return self.time
    ...     async def sleep_until(self, when):
    ...         self.time = when
    ...         await asyncio.sleep(0)
    >>> runner = kron.aio.Runner(clock=TestClock())
    >>> @runner.job(kron.Job("0 */6 * * *", name="web/report"))
    ... async def report(start):
    ...     print(f"report of {start.nominal_time}")
    >>> asyncio.run(runner.run(until=TestClock.time + datetime.timedelta(days=1)))
    report of 2026-03-01 06:00:00+00:00
    report of 2026-03-01 12:00:00+00:00
    report of 2026-03-01 18:00:00+00:00
    """

    def now(self) -> datetime.datetime:
        """The time now, aware."""
        return datetime.datetime.now(datetime.timezone.utc)

    async def sleep_until(self, when: datetime.datetime) -> None:
        """Waits until a time. It may return earlier; the runner then calls it again, so it must let time pass."""
        # At most a minute at once, so that it notices when the clock was set or the machine was suspended.
        await asyncio.sleep(min(60.0, max(0.0, (when - self.now()).total_seconds())))


class Runner:
    """Runs functions at the starts of jobs.

    ``on_outcome`` is called with job, decision and outcome for every period that gets its outcome. An exception of a function is
    logged by the logger ``kron.aio``, and the runner goes on.
    """

    def __init__(
        self,
        *,
        clock: Clock | None = None,
        on_outcome: collections.abc.Callable[[kron.Job, kron.Decision, str], object] | None = None,
    ) -> None:
        self.clock = clock or Clock()
        self._on_outcome = on_outcome
        self._jobs: dict[str, tuple[kron.Job, Handler]] = {}

    def job(self, job: kron.Job) -> collections.abc.Callable[[_Function], _Function]:
        """A decorator that runs the function at the starts of a job."""

        def decorate(function: _Function) -> _Function:
            self.add(job, function)
            return function

        return decorate

    def add(self, job: kron.Job, function: Handler) -> None:
        """Runs a function at the starts of a job. Raises ``ValueError`` if another job has its name."""
        if job.name in self._jobs:
            raise ValueError(f"two jobs have the name {job.name!r}; the name of a job must be unique")
        self._jobs[job.name] = (job, function)

    async def run(self, until: datetime.datetime | None = None) -> None:
        """Runs all jobs until a time, or until it is cancelled. Executions that are active then are cancelled, too."""
        forever = datetime.datetime.max.replace(tzinfo=datetime.timezone.utc)
        runs = [self._run(job, function, until or forever) for job, function in self._jobs.values()]
        tasks = [asyncio.create_task(run) for run in runs]
        try:
            await asyncio.gather(*tasks)
        finally:
            await _cancel(tasks)

    async def _run(self, job: kron.Job, function: Handler, until: datetime.datetime) -> None:
        state = kron.HostState(self.clock.now())
        active: set[asyncio.Task[None]] = set()
        try:
            while self.clock.now() < until:
                active = {task for task in active if not task.done()}
                state.active = bool(active)
                plan = job.plan(state, self.clock.now())
                for step in plan.steps:
                    if step.action.kind == "replace":
                        await _cancel(active)
                    if step.action.starts:
                        active.add(asyncio.create_task(_execute(job, function, step.period)))
                    state.record(step)
                    if step.action.outcome is not None and self._on_outcome is not None:
                        self._on_outcome(job, step.period, step.action.outcome)
                if plan.wake_up is None:
                    break
                await self.clock.sleep_until(min(plan.wake_up, until))
        finally:
            await _cancel(active)


async def _execute(job: kron.Job, function: Handler, start: kron.Decision) -> None:
    try:
        await function(start)
    except Exception:
        _log.exception("%s failed in period %s", job.name, start.period_id)


async def _cancel(tasks: collections.abc.Collection[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
