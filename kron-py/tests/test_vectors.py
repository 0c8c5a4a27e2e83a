"""The shared golden vectors: an independent program computed them."""

from __future__ import annotations

import datetime
import json
import re
import typing

import kron
import pytest
from conftest import ROOT, at

Case: typing.TypeAlias = dict[str, typing.Any]


def cases(name: str, at_least: int) -> list[Case]:
    found: list[Case] = json.loads((ROOT / "testing" / "data" / "vectors" / f"{name}.json").read_text())["cases"]
    assert len(found) >= at_least
    return found


def rfc3339(time: datetime.datetime | None) -> str | None:
    return None if time is None else time.strftime("%Y-%m-%dT%H:%M:%SZ")


def job_of_parts(name: str, spec: Case) -> kron.Job:
    """The job by keyword arguments and Python types, from the spec's fields."""
    parts: dict[str, typing.Any] = {key: spec[key] for key in ("timezone", "algorithm") if key in spec}
    if "window" in spec:
        parts["window"] = kron.Window(**spec["window"])
    if "distribution" in spec:
        parts["distribution"] = kron.Distribution.from_params(spec["distribution"]["name"], spec["distribution"].get("params", {}))
    if "seed" in spec:
        parts["seed"] = kron.Seed(**spec["seed"])
    if "constraints" in spec:
        parts["constraints"] = kron.Constraints(**spec["constraints"])
    if "policy" in spec:
        parts["policy"] = kron.Policy(**spec["policy"])
    return kron.Job(kron.Cron(spec["schedule"]), name=name, **parts)


DECISIONS = cases("decisions", 200) + cases("legacy", 50)


class TestDecisions:
    @pytest.mark.parametrize("case", DECISIONS, ids=[f"{index}" for index in range(len(DECISIONS))])
    def test_decide(self, case: Case) -> None:
        nominal, want = at(case["nominal"]), case["decision"]
        job = kron.Job(case["text"], name=case["name"])
        decision = job.decide(nominal)
        assert json.loads(decision.to_json()) == {"name": case["name"], **want}
        assert decision.name == case["name"]
        assert decision.algorithm == want["algorithm"] == job.algorithm
        assert decision.period_id == want["periodId"]
        assert decision.period_key == want["periodKey"]
        assert rfc3339(decision.nominal_time) == want["nominalTime"]
        assert rfc3339(decision.window_start) == want["windowStart"]
        assert rfc3339(decision.window_end) == want["windowEnd"]
        assert rfc3339(decision.chosen_time) == want["chosenTime"]
        assert decision.seed_input == want["seedInput"]
        assert decision.seed_hash == want["seedHash"]
        assert decision.draws == want["draws"]
        assert decision.unschedulable == want["unschedulable"]
        assert job.decide_many([nominal])[0] == decision.chosen_timestamp

    @pytest.mark.parametrize("case", DECISIONS, ids=[f"{index}" for index in range(len(DECISIONS))])
    def test_keywords_mean_what_the_text_means(self, case: Case) -> None:
        job = kron.Job(case["text"], name=case["name"])
        assert job_of_parts(case["name"], case["spec"]) == job
        assert eval(repr(job)) == job

    @pytest.mark.parametrize("case", DECISIONS, ids=[f"{index}" for index in range(len(DECISIONS))])
    def test_explain(self, case: Case) -> None:
        explanation = kron.Job(case["text"], name=case["name"]).explain(at(case["nominal"]))
        assert (explanation.draws[0].u if explanation.draws else None) == case.get("u1")
        why = case["decision"]["unschedulable"]
        assert why if explanation.allowed == 0 else why != "noAllowedSecond"


class TestCron:
    def test_next_and_prev(self) -> None:
        for case in cases("cron", 120):
            cron, zone = kron.Cron(case["schedule"]), case["timezone"]
            for key, step in (("next", cron.next), ("prev", cron.prev)):
                time, found = at(case["after"]), []
                for _ in case[key]:
                    nominal = step(time, timezone=zone)
                    assert nominal is not None
                    found.append(rfc3339(nominal))
                    time = nominal if key == "next" else nominal - datetime.timedelta(seconds=1)
                assert found == case[key], case
                if len(found) < 5:
                    assert step(time, timezone=zone) is None


class TestDays:
    @staticmethod
    def arguments(text: str, calendars: dict[str, kron.Calendar]) -> dict[str, typing.Any]:
        """The clauses of a text as the arguments that say the same."""
        def parts(clause: list[str]) -> Case:
            named = dict(part.split("=", 1) for part in clause)
            return {name: calendars[value] if name in ("calendar", "holidays") else value for name, value in named.items()}

        groups = re.findall(r"@(days|nodays)\(([^)]*)\)", text)
        days = [parts(value.split(";")) for name, value in groups if name == "days"]
        nodays = [parts(clause.split("&")) for name, value in groups if name == "nodays" for clause in value.split(";")]
        return {"days": days, "nodays": nodays}

    @pytest.mark.parametrize("case", cases("days", 70), ids=lambda case: case["text"])
    def test_next_and_prev(self, case: Case) -> None:
        calendars = {name: kron.Calendar(name, dates) for name, dates in case.get("calendars", {}).items()}
        job = kron.Job(case["text"], name="x", calendars=calendars.values())
        without = re.sub(r" @(days|nodays)\([^)]*\)", "", case["text"])
        assert kron.Job(without, name="x", **self.arguments(case["text"], calendars)) == job
        after = at(case["after"])
        assert [period.period_id for period in job.periods(after + datetime.timedelta(seconds=1), count=5)] == case["next"]
        back = job.periods(end=after + datetime.timedelta(seconds=1), count=5, reverse=True)
        assert [period.period_id for period in back] == case["prev"]


class TestDurations:
    def test_texts(self) -> None:
        for case in cases("durations", 100):
            if case.get("error"):
                with pytest.raises(kron.KronError):
                    kron.Policy(deadline=case["text"])
                continue
            policy = kron.Policy(deadline=case["text"])
            assert str(policy) == ("" if case["ns"] == 0 else f"deadline={case['canonical']}")
            assert policy.deadline // datetime.timedelta(microseconds=1) == case["ns"] // 1000
            if case["ns"] % 1000 == 0:
                assert kron.Policy(deadline=policy.deadline) == policy


class TestPlans:
    @pytest.mark.parametrize("case", cases("plan", 100), ids=lambda case: case["title"])
    def test_plan(self, case: Case) -> None:
        policy = kron.Policy(**case["policy"])
        periods = [
            kron.Period(at(it["nominal"]), at(it["windowStart"]), at(it["windowEnd"]), at(it["chosen"]) if it["chosen"] else None)
            for it in case["periods"]
        ]
        plan = kron.plan(periods, policy, at(case["now"]), active=case["active"])
        steps = []
        for step in plan.steps:
            action = step.action.outcome if step.action.kind == "record" else step.action.kind
            until = {} if step.action.wait_until is None else {"until": rfc3339(step.action.wait_until)}
            steps.append({"nominal": step.period.period_id, "action": action, **until})
            assert any(step.period is period for period in periods)
        assert steps == case["want"]
        assert plan.older_missed == case["olderMissed"]
        assert eval(repr(plan)) == plan
        waits = [step.action.wait_until for step in plan.steps if step.action.wait_until]
        assert plan.wake_up == min(waits, default=None)


def test_places() -> None:
    # Declarations keep their spelling, and are refused for more reasons; a job has its schedule in the canonical form.
    placed = 0
    for case in cases("places", at_least=100):
        try:
            job = kron.Job(case["text"], name=case["name"])
            if not str(job).startswith(case["text"].split(" @")[0]):
                continue
            found = job.placed()
        except kron.KronError as error:
            assert case.get("error") is not None, (case, error)
            continue
        if case.get("error") is not None:
            # Only a declaration refuses a strategy because it is written.
            assert "@seed(" in case["text"], case
            continue
        assert (found.shift_minutes, found.candidates) == (case["shift"], case["candidates"]), case
        assert str(kron.Cron(found.expression)) == str(kron.Cron(case["expression"])), case
        placed += 1
    assert placed >= 60
