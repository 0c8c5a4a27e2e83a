"""Laws that hold for every job."""

from __future__ import annotations

import datetime
import pickle
import typing

import kron
from conftest import UTC
from generators import CRONS, INSTANTS, JOBS, NAMES, PARTS, ZONES
from hypothesis import given, settings
from hypothesis import strategies as st

settings.register_profile("kron", deadline=None, max_examples=150, derandomize=True)
settings.load_profile("kron")

DAY = datetime.timedelta(days=1)
SECOND = datetime.timedelta(seconds=1)


def try_start(job: kron.Job, after: datetime.datetime) -> kron.Decision | None:
    try:
        return job.next_start(after)
    except kron.KronError as error:
        assert error.code in (601, 602, 603)
        return None


class TestClauses:
    @given(PARTS)
    def test_every_part(self, parts: dict[str, typing.Any]) -> None:
        clause = kron.Clause(**parts)
        assert clause.parts.keys() == parts.keys()
        assert eval(repr(clause)) == clause == pickle.loads(pickle.dumps(clause)) == kron.Clause.from_parts(parts)
        constraints = kron.Constraints(avoid=[clause])
        assert kron.Constraints.parse(str(constraints), constraints.calendars) == constraints


class TestJobs:
    @given(JOBS)
    def test_text_repr_and_pickle(self, job: kron.Job) -> None:
        assert kron.Job(str(job), name=job.name) == job
        assert eval(repr(job)) == job == pickle.loads(pickle.dumps(job)) and hash(eval(repr(job))) == hash(job)

    @given(JOBS, INSTANTS)
    def test_a_decision_lies_in_its_window(self, job: kron.Job, instant: datetime.datetime) -> None:
        decision = job.decide(instant.replace(microsecond=0))
        assert decision.window_start <= decision.nominal_time <= decision.window_end
        assert decision.window_end - decision.window_start <= job.window.duration
        if decision.chosen_time is None:
            assert job.explain(decision.nominal_time).allowed == 0
        else:
            assert decision.window_start <= decision.chosen_time <= decision.window_end
            assert any(first <= decision.chosen_time <= last for first, last in job.explain(decision.nominal_time).allowed_runs[:1000])
        assert kron.verify(decision.receipt()).agrees and pickle.loads(pickle.dumps(decision)) == decision

    @given(JOBS, INSTANTS)
    def test_next_and_prev_start(self, job: kron.Job, after: datetime.datetime) -> None:
        start = try_start(job, after)
        if start is None:
            return
        assert start.chosen_time is not None and start.chosen_time > after
        assert job.prev_start(start.chosen_time).chosen_time == start.chosen_time
        assert job.next_start(start.chosen_time - SECOND) == start
        assert job.next_start_timestamp(int(after.timestamp())) == start.chosen_timestamp
        assert job.starts(after + datetime.timedelta(microseconds=1), start.chosen_time + SECOND)[0] == start

    @given(JOBS, INSTANTS)
    def test_bulk_is_the_same(self, job: kron.Job, start: datetime.datetime) -> None:
        end = start + DAY
        periods = list(job.periods(start, end))
        assert job.chosen_times(start, end).tolist() == [period.chosen_timestamp for period in periods]
        assert job.decide_many(job.nominal_times(start, end)) == job.chosen_times(start, end)

    @given(JOBS, st.sampled_from(ZONES), INSTANTS)
    def test_the_zone_of_an_argument_means_nothing(self, job: kron.Job, zone: str, instant: datetime.datetime) -> None:
        local = instant.astimezone(job.replace(timezone=zone).timezone)
        assert job.next_period(local) == job.next_period(instant)


class TestNumbers:
    @given(CRONS, NAMES, st.integers())
    def test_any_integer(self, text: str, name: str, second: int) -> None:
        job = kron.Job(text, name=name)
        try:
            assert job.next_start_timestamp(second) > second
        except kron.KronError as error:
            assert error.code in (601, 603)
        try:
            assert job.prev_start_timestamp(second) <= second
        except kron.KronError as error:
            assert error.code in (601, 603)

    @given(st.lists(st.one_of(st.none(), st.integers(-(2**63) + 1, 2**63 - 1))))
    def test_timestamps_keep_integers(self, seconds: list[int | None]) -> None:
        times = kron.Timestamps(seconds)
        assert times.tolist() == list(times) == [times[index] for index in range(len(times))] == seconds
        assert eval(repr(times)) == times == pickle.loads(pickle.dumps(times)) == kron.Timestamps(times.data)

    @given(st.datetimes(timezones=st.timezones()))
    def test_instants_are_exact(self, time: datetime.datetime) -> None:
        """Whatever a datetime says, the period after it begins after it, and not a minute later."""
        micros = (time - datetime.datetime(1970, 1, 1, tzinfo=UTC)) // datetime.timedelta(microseconds=1)
        job = kron.Job("* * * * *", name="x")
        try:
            nominal = job.next_period(time).nominal_timestamp
        except kron.KronError:
            assert micros >= 4_102_444_740 * 10**6
            return
        assert nominal == max(0, (micros // 60_000_000 + 1) * 60)


class TestTexts:
    @given(st.text())
    def test_any_text_reads_or_is_refused(self, text: str) -> None:
        for parse in (kron.Cron, kron.Window.parse, kron.Seed.parse, kron.Policy.parse, kron.Constraints.parse, kron.Distribution.parse):
            try:
                value = parse(text)
            except (kron.KronError, UnicodeEncodeError):
                continue
            assert parse(str(value)) == value  # type: ignore[operator]
