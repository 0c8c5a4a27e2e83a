"""Jobs: what they are made of, and what they find."""

from __future__ import annotations

import datetime
import itertools
import json
import pickle
import re
import typing

import kron
import pytest
from conftest import UTC, at

MARCH = at("2026-03-01T00:00:00Z")
APRIL = at("2026-04-01T00:00:00Z")
HOUR = datetime.timedelta(hours=1)
SECOND = datetime.timedelta(seconds=1)
JOBS = {
    "plain": kron.Job("0 0 * * *", name="plain"),
    "zoned": kron.Job("30 2 * * * @tz(Europe/Paris) @win(after,3h)", name="zoned"),
    "overlapping": kron.Job("*/20 * * * * @win(around,5h) @dist(normal)", name="overlapping"),
    "before": kron.Job("0 6 * * MON-FRI @win(before,2h) @dist(exponential,lambda=3,dir=late)", name="before"),
    "constrained": kron.Job("0 */6 * * * @win(after,4h) @only(hours=1-2,7) @avoid(dow=SUN)", name="constrained"),
    "legacy": kron.Job("0 * * * * @win(after,1h) @alg(sha256-splitmix64/1) @avoid(hours=3-5)", name="legacy"),
}


class TestNew:
    TEXT = "0 2 * * * @tz(Asia/Tokyo) @win(around,40m) @dist(normal,sigma=5m) @seed(weekly,salt=x) " \
           "@policy(deadline=1m) @only(hours=1-3) @avoid(dow=SUN)"
    KEYWORDS: typing.ClassVar[dict[str, typing.Any]] = {
        "timezone": "Asia/Tokyo", "window": kron.Window("around", "40m"), "distribution": kron.Distribution.normal(sigma="5m"),
        "seed": kron.Seed("weekly", salt="x"), "policy": kron.Policy(deadline="1m"),
        "constraints": kron.Constraints(only=[{"hours": "1-3"}], avoid=[{"dow": "SUN"}]),
    }
    TEXTS: typing.ClassVar[dict[str, typing.Any]] = {
        "timezone": "Asia/Tokyo", "window": "around,40m", "distribution": "normal,sigma=5m", "seed": "weekly,salt=x",
        "policy": "deadline=1m", "constraints": "@only(hours=1-3) @avoid(dow=SUN)",
    }

    @pytest.mark.parametrize("keywords", [KEYWORDS, TEXTS])
    @pytest.mark.parametrize("cron", ["0 2 * * *", kron.Cron("0 2 * * *")])
    def test_keywords_do_what_the_text_does(self, cron: str | kron.Cron, keywords: dict[str, typing.Any]) -> None:
        assert kron.Job(cron, name="x", **keywords) == kron.Job(self.TEXT, name="x")

    def test_text_and_keywords_mix(self) -> None:
        assert kron.Job("0 2 * * * @win(after,3h)", name="x", timezone="Asia/Tokyo") == kron.Job(
            "0 2 * * * @tz(Asia/Tokyo) @win(after,3h)", name="x")

    @pytest.mark.parametrize(("modifier", "keyword"), [
        ("@tz(UTC)", {"timezone": "Asia/Tokyo"}), ("@win(after,0s)", {"window": "after,3h"}), ("@dist(uniform)", {"distribution": "normal"}),
        ("@seed(stable)", {"seed": "daily"}), ("@policy(suspend=false)", {"policy": "suspend=true"}),
        ("@alg(siphash-chacha8/1)", {"algorithm": "sha256-splitmix64/1"}), ("@only(hours=1)", {"constraints": ""}),
    ])
    def test_a_part_is_given_once(self, modifier: str, keyword: dict[str, typing.Any]) -> None:
        with pytest.raises(TypeError, match=f"`{next(iter(keyword))}` is given twice"):
            kron.Job(f"@daily {modifier}", name="x", **keyword)

    def test_a_text_of_full_length_takes_arguments(self) -> None:
        text = "@daily".ljust(65_536)
        assert kron.Job(text, name="x", window="after,3h") == kron.Job("@daily @win(after,3h)", name="x")

    def test_properties(self) -> None:
        job = kron.Job(self.TEXT, name="a/b")
        assert (job.name, job.timezone.key, job.algorithm) == ("a/b", "Asia/Tokyo", "siphash-chacha8/1")
        assert job.schedule == kron.Cron("0 2 * * *")
        for name in ("window", "distribution", "seed", "policy", "constraints"):
            assert getattr(job, name) == self.KEYWORDS[name]

    @pytest.mark.parametrize("length", ["3h", "2h60m", ".5h2.5h", "3h0m0s", 3 * HOUR, datetime.timedelta(minutes=180)])
    def test_a_duration_is_a_window_after(self, length: str | datetime.timedelta) -> None:
        want = kron.Job("@daily @win(after,3h)", name="x")
        assert kron.Job("@daily", name="x", window=length) == want == kron.Job("@daily", name="x").replace(window=length)
        assert kron.decide("@daily", MARCH, name="x", window=length) == want.decide(MARCH)

    @pytest.mark.parametrize(("window", "message"), [
        ("2d", "write `48h`"), ("-3h", "a sign"), ("3", "write `3s`"), ("8785h", "longer than 8784h"), (-HOUR, "a sign"),
        ("besides", "`after`, `around` or `before`"), ("after", "the duration of .* is missing"), ("3h,after", "3h,after"), ("", "is empty"),
    ])
    def test_what_is_no_window(self, window: typing.Any, message: str) -> None:
        with pytest.raises(kron.KronError, match=message):
            kron.Job("@daily", name="x", window=window)

    def test_the_name_is_the_name(self) -> None:
        """It is called so where it is given and where it is asked for."""
        job = kron.Job("@daily", name="prod/db")
        assert job.name == job.next_start().name == job.next_start().to_dict()["name"] == kron.Fleet([job])["prod/db"].name
        assert not [it for it in dir(job) + dir(job.next_start()) if "identity" in it]

    def test_replace(self) -> None:
        job = kron.Job(self.TEXT, name="a/b")
        assert job.replace() == job
        assert job.replace(name="c").name == "c"
        assert job.replace(window="after,1h").window == kron.Window("after", "1h")
        assert job.replace(constraints="", seed=kron.Seed()) == kron.Job(
            "0 2 * * * @tz(Asia/Tokyo) @win(around,40m) @dist(normal,sigma=5m) @policy(deadline=1m)", name="a/b")

    def test_decide_is_a_job_not_kept(self) -> None:
        assert kron.decide("0 2 * * *", MARCH, name="x", **self.KEYWORDS) == kron.Job(self.TEXT, name="x").decide(MARCH)

    def test_a_text_with_no_room_for_another_modifier(self) -> None:
        text = "@daily @win(after,3h)" + " " * 65_510
        assert kron.Job(text, name="x").window == kron.Window("after", "3h")
        with pytest.raises(TypeError, match="`window` is given twice"):
            kron.Job(text, name="x", window="after,1h")

    @pytest.mark.parametrize("bad", [{}, {"name": "x", "zone": "UTC"}, {"name": 1}, {"name": None}])
    def test_arguments(self, bad: dict[str, typing.Any]) -> None:
        with pytest.raises(TypeError):
            kron.Job("@daily", **bad)

    @pytest.mark.parametrize("bad", [1, None, b"@daily", ["@daily"]])
    def test_text_is_text(self, bad: typing.Any) -> None:
        with pytest.raises(TypeError, match=r"a job's text or a kron.Cron"):
            kron.Job(bad, name="x")

    @pytest.mark.parametrize("part", ["timezone", "window", "distribution", "seed", "constraints", "policy", "algorithm"])
    def test_parts_are_parts(self, part: str) -> None:
        with pytest.raises(TypeError, match="expected"):
            kron.Job("@daily", name="x", **{part: 1})


class TestSearches:
    @pytest.mark.parametrize("job", JOBS.values(), ids=list(JOBS))
    def test_next_start_is_the_first_of_the_starts(self, job: kron.Job) -> None:
        after = MARCH
        for start in itertools.islice(job.starts(MARCH + SECOND, APRIL), 30):
            assert job.next_start(after) == start
            assert start.chosen_time is not None and start.chosen_time > after
            assert job.prev_start(start.chosen_time).chosen_time == start.chosen_time
            if job.next_start(start.chosen_time).chosen_time == start.chosen_time:
                break
            after = start.chosen_time

    @pytest.mark.parametrize("job", JOBS.values(), ids=list(JOBS))
    def test_periods(self, job: kron.Job) -> None:
        after = MARCH - SECOND
        for period in itertools.islice(job.periods(MARCH, APRIL), 30):
            assert job.next_period(after) == period == job.prev_period(period.nominal_time) == job.decide(period.nominal_time)
            assert job.schedule.next(after, timezone=job.timezone) == period.nominal_time
            after = period.nominal_time

    @pytest.mark.parametrize("job", JOBS.values(), ids=list(JOBS))
    def test_reverse(self, job: kron.Job) -> None:
        for series in (job.starts, job.periods):
            assert list(series(MARCH, APRIL, reverse=True)) == list(series(MARCH, APRIL))[::-1]

    @pytest.mark.parametrize("job", JOBS.values(), ids=list(JOBS))
    def test_starts_are_the_schedulable_periods_by_chosen_time(self, job: kron.Job) -> None:
        reach = datetime.timedelta(days=2)
        periods = [it for it in job.periods(MARCH - reach, APRIL + reach) if it.chosen_time and MARCH <= it.chosen_time < APRIL]
        assert list(job.starts(MARCH, APRIL)) == sorted(periods)

    def test_empty_and_backward_ranges(self) -> None:
        for job in JOBS.values():
            for series in (job.starts, job.periods):
                assert list(series(MARCH, MARCH)) == list(series(APRIL, MARCH)) == []

    def test_iterators_end_for_good(self) -> None:
        series = iter(JOBS["plain"].starts(MARCH, MARCH + HOUR))
        assert iter(series) is series and len(list(series)) == 1
        assert next(series, None) is None and next(series, None) is None

    def test_nothing_in_sight(self) -> None:
        never = kron.Job("0 0 * * * @win(after,1h) @only(hours=12)", name="x")
        for search in (never.next_start, never.prev_start):
            with pytest.raises(kron.KronError, match="no second of the 182[78] periods is allowed") as error:
                search(MARCH)
            assert error.value.code == 601 and error.value.help == "widen the window or loosen the constraints"
        with pytest.raises(kron.KronError) as error:
            kron.Job("* * * * * @only(hours=12) @avoid(hours=12)", name="x").next_start(MARCH)
        assert error.value.code == 602
        with pytest.raises(kron.KronError) as error:
            JOBS["plain"].next_start(at("2099-12-31T00:00:00Z"))
        assert error.value.code == 603

    def test_a_failing_series_raises_once(self) -> None:
        never = kron.Job("* * * * * @only(hours=12) @avoid(hours=12)", name="x")
        series = iter(never.starts(MARCH))
        with pytest.raises(kron.KronError):
            next(series)
        assert next(series, None) is None


class TestDecision:
    def test_the_class_checks_what_is_claimed(self) -> None:
        decision = JOBS["zoned"].decide(MARCH)
        with pytest.raises(ValueError, match="chosen_time: .* is not what the job decides"):
            kron.Decision(JOBS["zoned"], MARCH, MARCH)
        with pytest.raises(ValueError, match="none is not what the job decides"):
            kron.Decision(JOBS["zoned"], MARCH, None)
        assert kron.Decision(JOBS["zoned"], MARCH, decision.chosen_time) == decision

    def test_order(self) -> None:
        starts = list(kron.Fleet(list(JOBS.values())[1:]).starts(MARCH, MARCH + 24 * HOUR))
        assert starts == sorted(starts, key=lambda start: (start.chosen_timestamp, start.nominal_timestamp))
        assert sorted(reversed(starts))[0] <= sorted(starts)[-1]
        with pytest.raises(TypeError):
            assert starts[0] < 1  # type: ignore[operator]

    def test_job(self) -> None:
        decision = JOBS["zoned"].decide(MARCH)
        assert decision.job == JOBS["zoned"] and decision.name == "zoned"
        fleet = kron.Fleet(JOBS.values())
        assert {start.job for start in fleet.starts(MARCH, MARCH + 24 * HOUR)} <= set(JOBS.values())

    def test_to_dict(self) -> None:
        for decision in (JOBS["zoned"].decide(MARCH), JOBS["constrained"].decide(MARCH)):
            record = decision.to_dict()
            for name, value in record.items():
                assert getattr(decision, name) == value
            # The same record as JSON has, whose names are written in another way.
            camel = {re.sub("_([a-z])", lambda it: it[1].upper(), name): value for name, value in record.items()}
            assert list(camel) == list(json.loads(decision.to_json()))

    def test_nothing_is_decided_again(self) -> None:
        # What a decision says of its seed comes from the decision, not from a second one.
        job = kron.Job("@daily @tz(Asia/Tokyo) @win(after,3h) @seed(weekly,salt=x)", name="prod/db")
        decision = job.decide(MARCH)
        assert decision.period_key == "2026-W09" and decision.seed_input == "prod/db\n2026-W09\nx"
        written = json.loads(decision.to_json())
        assert (written["seedInput"], written["seedHash"]) == (decision.seed_input, decision.seed_hash)
        assert written == json.loads(decision.receipt().to_json())["decision"]
        assert decision == pickle.loads(pickle.dumps(decision))

    def test_period(self) -> None:
        for job in JOBS.values():
            decision = job.decide(MARCH)
            names = [name for name in dir(kron.Period) if not name.startswith("_")]
            assert len(names) == 9 and all(getattr(decision, name) == getattr(decision.period, name) for name in names)
            times = (decision.nominal_time, decision.window_start, decision.window_end, decision.chosen_time)
            assert kron.Period(*times) == decision.period

    def test_str(self) -> None:
        assert str(JOBS["plain"].decide(MARCH)) == "plain 2026-03-01T00:00:00Z starts at 2026-03-01T00:00:00Z"
        sunday = JOBS["constrained"].decide(MARCH)
        assert str(sunday) == "constrained 2026-03-01T00:00:00Z is unschedulable: noAllowedSecond"


class TestPeriod:
    def test_times_are_whole_seconds(self) -> None:
        times = [MARCH, MARCH, APRIL, MARCH + HOUR]
        for index, name in enumerate(("nominal_time", "window_start", "window_end", "chosen_time")):
            bad = [time + datetime.timedelta(microseconds=index == place) for place, time in enumerate(times)]
            with pytest.raises(ValueError, match=f"{name}: expected whole seconds, not 20"):
                kron.Period(*bad)

    def test_what_is_no_time(self) -> None:
        for index in range(4):
            bad: list[typing.Any] = [MARCH, MARCH, APRIL, MARCH]
            bad[index] = ""
            with pytest.raises(kron.KronError, match="RFC 3339"):
                kron.Period(*bad)
        with pytest.raises(TypeError):
            kron.Period(MARCH, MARCH, APRIL)  # type: ignore[call-arg]

    def test_str(self) -> None:
        assert str(kron.Period(MARCH, MARCH, APRIL, MARCH)) == "2026-03-01T00:00:00Z starts at 2026-03-01T00:00:00Z"
        assert str(kron.Period(MARCH, MARCH, APRIL, None)) == "2026-03-01T00:00:00Z is unschedulable"


class TestFleet:
    FLEET = kron.Fleet(JOBS.values())

    def test_sequence(self) -> None:
        jobs = tuple(JOBS.values())
        assert len(self.FLEET) == len(jobs) and self.FLEET.jobs == tuple(self.FLEET) == jobs
        assert self.FLEET[0] == jobs[0] and self.FLEET[-1] == jobs[-1] and jobs[2] in self.FLEET
        assert self.FLEET[1:3].jobs == jobs[1:3] and self.FLEET[::-1].jobs == jobs[::-1] and self.FLEET[9:] == kron.Fleet([])
        for index in (len(jobs), -len(jobs) - 1, 10**30):
            with pytest.raises(IndexError, match="out of range"):
                self.FLEET[index]
        with pytest.raises(TypeError, match=r"expected an int, a slice or the name of a job, not float 1\.5"):
            self.FLEET[1.5]  # type: ignore[call-overload]

    def test_by_name(self) -> None:
        for name, job in JOBS.items():
            assert self.FLEET[name] == job and name in self.FLEET and job in self.FLEET
            assert job.replace(window="after,7m") not in self.FLEET
        for name in ("", "Plain", "plain ", "zzz"):
            assert name not in self.FLEET
            with pytest.raises(KeyError) as error:
                self.FLEET[name]
            assert f"the fleet has no job {name!r}" in str(error.value)
        assert None not in self.FLEET and 0 not in self.FLEET and "plain" not in kron.Fleet([])

    def test_next_starts(self) -> None:
        assert list(self.FLEET.next_starts(MARCH)) == [job.next_start(MARCH) for job in self.FLEET]
        assert list(self.FLEET.next_starts(after=MARCH)) == list(self.FLEET.next_starts(MARCH))
        now = datetime.datetime.now(UTC)
        assert all(start.chosen_time is not None and start.chosen_time > now for start in self.FLEET.next_starts())

    def test_a_job_without_a_next_start_raises_in_its_place(self) -> None:
        never = kron.Job("* * * * * @only(hours=12) @avoid(hours=12)", name="never")
        series = iter(kron.Fleet([JOBS["plain"], never, JOBS["zoned"]]).next_starts(MARCH))
        assert next(series).name == "plain"
        with pytest.raises(kron.KronError):
            next(series)
        assert [start.name for start in series] == ["zoned"] and next(series, None) is None

    def test_merges(self) -> None:
        starts = list(self.FLEET.starts(MARCH, MARCH + 48 * HOUR))
        alone = [start for job in self.FLEET for start in job.starts(MARCH, MARCH + 48 * HOUR)]
        assert sorted(map(str, starts)) == sorted(map(str, alone))
        times = [(start.chosen_timestamp, start.nominal_timestamp) for start in starts]
        assert times == sorted(times)  # type: ignore[type-var]
        periods = list(self.FLEET.periods(MARCH, MARCH + 48 * HOUR))
        assert [it.nominal_timestamp for it in periods] == sorted(it.nominal_timestamp for it in periods)
        assert len(periods) == sum(len(list(job.periods(MARCH, MARCH + 48 * HOUR))) for job in self.FLEET)

    def test_names_are_distinct(self) -> None:
        with pytest.raises(kron.KronError, match="`plain` is already the name of another job") as error:
            kron.Fleet([JOBS["plain"], JOBS["plain"]])
        assert error.value.code == 211

    @pytest.mark.parametrize("bad", [[1], ["@daily"], 1, "@daily", {"a": 1}, [("a",)], [("a", 1)], [(1, "@daily")], {1: "@daily"}])
    def test_of_jobs(self, bad: typing.Any) -> None:
        with pytest.raises(TypeError, match=r"expected .*kron\.Job\b.*, not"):
            kron.Fleet(bad)

    def test_of_names(self) -> None:
        text = str(JOBS["zoned"])
        want = kron.Fleet([JOBS["zoned"], kron.Job("@daily", name="b")])
        for values in ({"zoned": text, "b": "@daily"}, {"zoned": JOBS["zoned"], "b": kron.Cron("@daily")}):
            assert kron.Fleet(values) == kron.Fleet(values.items()) == kron.Fleet(kron.Fleet(values)) == want
        assert kron.Fleet() == kron.Fleet({}) == kron.Fleet([])
        assert kron.Fleet(kron.loads("@daily name=b").jobs) == kron.Fleet({"b": "@daily"})

    def test_an_error_names_the_job(self) -> None:
        with pytest.raises(kron.KronError, match=r"^web/ping: schedule\.minute: `61` at column 1") as error:
            kron.Fleet({"a": "@daily", "web/ping": "61 * * * *"})
        assert error.value.code == 103
        with pytest.raises(ValueError, match=r"under `a` has the name `plain`; write job.replace\(name=\"a\"\)"):
            kron.Fleet({"a": JOBS["plain"]})

    def test_with_and_without(self) -> None:
        names = list(self.FLEET.names)
        assert names == [job.name for job in self.FLEET]
        other = self.FLEET[0].replace(window="1h")
        with pytest.raises(kron.KronError, match="is already the name of another job"):
            self.FLEET.with_job(other)
        assert self.FLEET.with_job(kron.Job("@daily", name="new")).names == (*names, "new")
        assert self.FLEET.without("zoned", names[0]).names == tuple(name for name in names if name not in ("zoned", names[0]))
        assert self.FLEET.without() == self.FLEET
        with pytest.raises(KeyError, match="did you mean 'zoned'"):
            self.FLEET.without("plain", "zonde")
        both = self.FLEET | kron.Fleet([kron.Job("@daily", name="new"), other])
        assert both.names == (*names, "new") and both[0] == other
        with pytest.raises(TypeError):
            self.FLEET | {"a": "@daily"}  # type: ignore[operator]

    def test_is_immutable(self) -> None:
        fleet: typing.Any = self.FLEET
        with pytest.raises(TypeError, match=r"immutable; write fleet = fleet\.with_job\(job\)"):
            fleet["new"] = JOBS["plain"]
        with pytest.raises(TypeError, match=r"immutable; write fleet = fleet\.without"):
            del fleet["plain"]

    def test_empty(self) -> None:
        fleet = kron.Fleet([])
        assert len(fleet) == 0 and list(fleet.starts(MARCH, APRIL)) == [] and len(fleet.chosen_times(MARCH, APRIL)) == 0

    def test_a_job_that_fails_leaves_and_the_others_go_on(self) -> None:
        never = kron.Job("* * * * * @only(hours=12) @avoid(hours=12)", name="never")
        series = iter(kron.Fleet([JOBS["plain"], never]).starts(MARCH))
        with pytest.raises(kron.KronError):
            next(series)
        assert [next(series).name for _ in range(365)] == ["plain"] * 365
        # A range that has an end is searched to it.
        assert list(never.starts(MARCH, at("2099-01-01T00:00:00Z"))) == []


class TestNames:
    """Every instant can be given by its name."""

    @pytest.mark.parametrize(("call", "name"), [
        ("decide", "nominal"), ("explain", "nominal"), ("next_start", "after"), ("next_period", "after"), ("prev_start", "at"),
        ("prev_period", "at"),
    ])
    def test_one(self, call: str, name: str) -> None:
        job = JOBS["zoned"]
        assert getattr(job, call)(**{name: MARCH}) == getattr(job, call)(MARCH)

    def test_more(self) -> None:
        job, fleet = JOBS["zoned"], kron.Fleet(JOBS.values())
        assert job.next_start_timestamp(after=0) == job.next_start_timestamp(0)
        assert job.prev_start_timestamp(at=10**9) == job.prev_start_timestamp(10**9)
        assert kron.decide("@daily", nominal=MARCH, name="x") == kron.decide("@daily", MARCH, name="x")
        for it in (job, fleet):
            assert list(it.starts(start=MARCH, end=APRIL)) == list(it.starts(MARCH, APRIL))
            assert list(it.periods(start=MARCH, end=APRIL)) == list(it.periods(MARCH, APRIL))
            assert it.chosen_times(start=MARCH, end=APRIL) == it.chosen_times(MARCH, APRIL)
            assert it.nominal_times(start=MARCH, end=APRIL) == it.nominal_times(MARCH, APRIL)


class TestPlan:
    @pytest.mark.parametrize("bad", [[1], 1, None])
    def test_of_decisions(self, bad: typing.Any) -> None:
        with pytest.raises(TypeError, match=r"expected (a kron\.Period or a|an iterable of kron\.Period or) kron\.Decision, not"):
            kron.plan(bad, "", MARCH)

    def test_steps_hold_what_was_given(self) -> None:
        # Two jobs of one name with the same times, and their period: three objects that differ.
        one, two = (kron.Job(f"@daily @seed(stable,salt={salt})", name="x").decide(MARCH) for salt in "ab")
        given = [one, two, one.period]
        plan = kron.plan(given, "concurrency=allow", MARCH)
        assert [id(step.period) for step in plan.steps] == [id(period) for period in given]
        assert {step.action.kind for step in plan.steps} == {"execute"}

    @pytest.mark.parametrize("bad", [1, "", None, MARCH])
    def test_evaluate_takes_periods(self, bad: typing.Any) -> None:
        with pytest.raises(TypeError, match=r"expected a kron\.Period or a kron\.Decision, not"):
            kron.Policy().evaluate(bad, MARCH)

    JOB = kron.Job("0 * * * * @win(after,10m) @policy(deadline=24h)", name="plan/test")

    def test_a_host_that_was_down_starts_one(self) -> None:
        plan = self.JOB.plan(kron.HostState(MARCH, handled_through=MARCH), MARCH + 10 * HOUR + HOUR / 3)
        executed = [step.period.nominal_time for step in plan.steps if step.action.kind == "execute"]
        assert executed == [MARCH + 10 * HOUR] and len(plan.steps) == 10 and plan.wake_up == MARCH + 11 * HOUR
        assert {step.action.outcome for step in plan.steps} == {"executed", "missed"}

    def test_handled(self) -> None:
        handled = {MARCH + 2 * HOUR, MARCH + 1 * HOUR}
        plan = self.JOB.plan(kron.HostState(MARCH - SECOND, handled=handled), MARCH + 3 * HOUR - SECOND)
        assert [step.period.nominal_time for step in plan.steps] == [MARCH]

    def test_active_and_evaluate(self) -> None:
        decision = self.JOB.decide(MARCH)
        assert decision.chosen_time is not None
        for now, active, handled in itertools.product((decision.chosen_time - SECOND, decision.chosen_time), (False, True), (False, True)):
            action = self.JOB.policy.evaluate(decision, now, handled=handled, active=active)
            kind = "nothing" if handled else "wait" if now < decision.chosen_time else "record" if active else "execute"
            assert action.kind == kind
            assert (action.wait_until is not None) == (kind == "wait")
        plan = self.JOB.plan(kron.HostState(MARCH - SECOND, active=True), decision.chosen_time)
        assert plan.steps[0].action == kron.Action("record", outcome="skipped")

    def test_a_host_that_was_down_since_1970(self) -> None:
        plan = self.JOB.plan(kron.HostState("1970-01-01T00:00:00Z"), MARCH)
        assert plan.older_missed > 400_000 and len(plan.steps) <= 200

    def test_suspended(self) -> None:
        plan = self.JOB.replace(policy="suspend=true").plan(kron.HostState(MARCH), MARCH + 3 * HOUR)
        assert plan.wake_up is None and all(step.action.kind == "nothing" for step in plan.steps)
