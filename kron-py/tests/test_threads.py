"""Threads share everything, with and without a GIL."""

from __future__ import annotations

import concurrent.futures
import datetime
import pickle
import threading
import typing

import kron
from conftest import VALUES, at

START = at("2026-03-01T00:00:00Z")
DAY = datetime.timedelta(days=1)
JOB = kron.Job("*/3 * * * * @tz(Europe/Paris) @win(around,2h) @dist(normal) @avoid(hours=3-5)", name="web/ping")
FLEET = kron.Fleet(JOB.replace(name=f"web/{index}") for index in range(20))
WORKERS = 8


def together(work: typing.Callable[[int], object]) -> list[object]:
    """Runs the work in all threads at once, and gives what they found."""
    barrier = threading.Barrier(WORKERS)

    def one(index: int) -> object:
        barrier.wait()
        return work(index)

    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        return [future.result() for future in [pool.submit(one, index) for index in range(WORKERS)]]


def test_shared_jobs_answer_alike() -> None:
    def work(_: int) -> object:
        found: list[object] = []
        after = START
        for _ in range(300):
            decision = JOB.next_start(after)
            assert decision.chosen_time is not None
            found.append((decision, JOB.decide(decision.nominal_time), repr(decision), hash(decision)))
            after = decision.chosen_time
        return found

    results = together(work)
    assert all(result == results[0] for result in results)


def test_a_shared_iterator_gives_each_decision_once() -> None:
    for make in (JOB.starts, JOB.periods, FLEET.starts, FLEET.periods):
        series = iter(make(START, START + DAY))
        parts = together(lambda _, series=series: list(series))
        together_found = sorted(decision for part in parts for decision in typing.cast("list[kron.Decision]", part))
        assert together_found == sorted(make(START, START + DAY))


def test_bulk_calls_side_by_side() -> None:
    want = FLEET.chosen_times(START, START + 30 * DAY)
    nominals = FLEET[0].nominal_times(START, START + 30 * DAY)
    many = JOB.decide_many(nominals)
    results = together(lambda _: (FLEET.chosen_times(START, START + 30 * DAY), JOB.decide_many(nominals)))
    assert results == [(want, many)] * WORKERS


def test_errors_and_values_side_by_side() -> None:
    def work(index: int) -> object:
        messages = set()
        for minute in range(60, 260):
            try:
                kron.Cron(f"{minute} * * * *")
            except kron.KronError as error:
                messages.add(str(error))
        return len(messages), [pickle.loads(pickle.dumps(value)) for value in VALUES.values()] == list(VALUES.values())

    assert together(work) == [(200, True)] * WORKERS
