"""What a host keeps: plans are recorded, stored and read again."""

from __future__ import annotations

import copy
import datetime
import itertools
import json
import pickle
import typing

import kron
import pytest
from conftest import at

BEGIN = at("2026-03-01T00:00:00Z")
MINUTE = datetime.timedelta(minutes=1)
OVERLAPPING = kron.Job("*/20 * * * * @win(after,1h) @policy(deadline=5m,concurrency=allow)", name="web/report")


def run(job: kron.Job, hours: int, keep: typing.Callable[[int], bool] = lambda _: True) -> list[str]:
    """The periods that a host starts which looks every ten seconds, and begins again from what it stored where `keep` is false."""
    state = kron.HostState(BEGIN - MINUTE)
    stored, started = state.to_json(), []
    for look in range(hours * 360):
        if not keep(look):
            state = kron.HostState.from_json(stored)
        for step in job.plan(state, BEGIN + look * MINUTE / 6).steps:
            state.record(step)
            stored = state.to_json()
            if step.action.starts:
                started.append(step.period.period_id)
    return started


def test_each_period_is_started_once() -> None:
    started = run(OVERLAPPING, 24)
    want = [it.period_id for it in OVERLAPPING.starts(BEGIN - MINUTE, 23 * 60 * MINUTE)]
    assert len(started) == len(set(started)) and set(want) <= set(started) and started != sorted(started)


def test_restarts_start_nothing_twice() -> None:
    assert run(OVERLAPPING, 6) == run(OVERLAPPING, 6, lambda look: look % 7 != 0) == run(OVERLAPPING, 6, lambda _: False)


def test_a_step_that_is_not_recorded_stays_open() -> None:
    state = kron.HostState(BEGIN - MINUTE)
    job = kron.Job("*/5 * * * * @policy(deadline=1h,concurrency=allow)", name="x")
    now = BEGIN + 10 * MINUTE + datetime.timedelta(seconds=30)
    steps = job.plan(state, now).steps
    assert [str(step.action) for step in steps] == ["record missed", "record missed", "execute"]
    state.record(steps[2])
    assert state.active and state.is_handled(steps[2].period.nominal_time) and not state.is_handled(BEGIN)
    assert [step.period for step in job.plan(state, now).steps] == [step.period for step in steps[:2]]
    for step in reversed(steps):
        state.record(step)
    assert job.plan(state, now).steps == () and all(state.is_handled(BEGIN + late * MINUTE) for late in (0, 5, 10))


def test_steps_that_settle_nothing_are_not_recorded() -> None:
    job = kron.Job("@daily @win(after,3h)", name="x")
    state = kron.HostState(BEGIN - MINUTE)
    (step,) = job.plan(state, BEGIN).steps
    state.record(step)
    assert step.action.kind == "wait" and state == kron.HostState(BEGIN - MINUTE)


def test_another_configuration() -> None:
    state, job = kron.HostState(BEGIN), kron.Job("0 * * * * @policy(deadline=10m)", name="x")
    for step in job.plan(state, BEGIN + 60 * MINUTE).steps:
        state.record(step)
    state.reconfigure(BEGIN + 65 * MINUTE)
    assert state.since == BEGIN + 65 * MINUTE
    # It would start again in the new window, and has started in the old one.
    moved = job.replace(window="1h")
    moved_start = moved.decide(BEGIN + 60 * MINUTE).chosen_time
    assert moved_start is not None and moved.plan(state, moved_start).steps == ()
    assert moved.plan(state, BEGIN + 180 * MINUTE).steps != ()


def test_since_is_not_in_force_and_the_start_of_starts_is_in_it() -> None:
    job = kron.Job("@daily @policy(deadline=1h)", name="x")
    assert job.plan(kron.HostState(BEGIN), BEGIN).steps == () and len(job.plan(kron.HostState(BEGIN - MINUTE), BEGIN).steps) == 1
    assert job.starts(BEGIN, "1s")[0].chosen_time == BEGIN


@pytest.mark.parametrize("state", [
    kron.HostState(BEGIN), kron.HostState(BEGIN, active=True), kron.HostState(BEGIN, handled_through=BEGIN - MINUTE),
    kron.HostState(BEGIN, handled=[BEGIN + 2 * MINUTE, BEGIN], handled_through=BEGIN - MINUTE, active=True),
])
class TestValue:
    def test_comes_back(self, state: kron.HostState) -> None:
        for again in (kron.HostState.from_json(state.to_json()), pickle.loads(pickle.dumps(state)), copy.copy(state), copy.deepcopy(state),
                      eval(repr(state), {"kron": kron, "datetime": datetime})):
            assert again == state and again is not state

    def test_copies_are_independent(self, state: kron.HostState) -> None:
        again = copy.deepcopy(state)
        again.active = not again.active
        assert again != state

    def test_is_not_hashable(self, state: kron.HostState) -> None:
        with pytest.raises(TypeError, match="unhashable"):
            hash(state)

    def test_json(self, state: kron.HostState) -> None:
        assert json.loads(state.to_json())["since"] == int(BEGIN.timestamp())


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"since":"now"}', '{"since":0,"more":1}', '{"since":1e99}', "null"])
def test_what_is_no_state(text: str) -> None:
    with pytest.raises(ValueError, match="the text is no host state: "):
        kron.HostState.from_json(text)


def test_arguments() -> None:
    state: typing.Any = kron.HostState
    with pytest.raises(TypeError, match="since"):
        state()
    with pytest.raises(ValueError, match="handled_through: expected whole seconds"):
        state(BEGIN, handled_through=BEGIN + datetime.timedelta(microseconds=1))
    with pytest.raises(TypeError, match="write active="):
        state(BEGIN, running=True)
    with pytest.raises(TypeError, match=r"write kron.HostState\(since\)"):
        typing.cast("typing.Any", OVERLAPPING).plan(kron.HostState(BEGIN), since=BEGIN)
    with pytest.raises(AttributeError, match=r"use to_json\(\)"):
        state(BEGIN).save("state.json")


def test_a_plan_of_given_periods_can_be_recorded() -> None:
    periods = [it.period for it in OVERLAPPING.periods(BEGIN, "2h")]
    state = kron.HostState(BEGIN - MINUTE)
    for now in itertools.count(BEGIN.timestamp(), 60):
        time = datetime.datetime.fromtimestamp(now, datetime.timezone.utc)
        left = [it for it in periods if not state.is_handled(it.nominal_time)]
        if not left:
            break
        for step in kron.plan(left, OVERLAPPING.policy, time).steps:
            state.record(step)
    assert state.handled_through == periods[-1].nominal_time
