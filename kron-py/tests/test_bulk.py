"""Timestamps, and the calls that make them."""

from __future__ import annotations

import array
import contextlib
import datetime
import io
import signal
import sys
import threading
import time
import typing
from unittest import mock

import kron
import numpy
import pandas
import polars
import pytest
from conftest import UTC, at

START, END = at("2026-03-01T00:00:00Z"), at("2026-04-01T00:00:00Z")
JOB = kron.Job("*/7 * * * * @tz(Europe/Paris) @win(around,1h) @avoid(hours=3-5)", name="web/ping")
FLEET = kron.Fleet(JOB.replace(name=f"web/{index}", window=f"after,{index}m") for index in range(50))


class TestTimestamps:
    TIMES = kron.Timestamps([0, None, 86_400, -1])

    def test_is_a_sequence(self) -> None:
        assert len(self.TIMES) == 4 and list(self.TIMES) == self.TIMES.tolist() == [0, None, 86_400, -1]
        assert [self.TIMES[index] for index in (0, 1, -1, -4)] == [0, None, -1, 0]
        assert self.TIMES[1:3] == kron.Timestamps([None, 86_400]) and self.TIMES[::-2] == kron.Timestamps([-1, None])
        assert self.TIMES[::-2].data.tolist() == [-1, -(2**63)]
        for index in (4, -5, 10**30, -(10**30)):
            with pytest.raises(IndexError, match="out of range"):
                self.TIMES[index]
        with pytest.raises(TypeError, match="an int or a slice, not str"):
            self.TIMES["0"]  # type: ignore[call-overload]

    def test_equality_asks_the_other_side_too(self) -> None:
        assert self.TIMES == mock.ANY and self.TIMES != [0, None, 86_400, -1]

    def test_data(self) -> None:
        view = self.TIMES.data
        assert view.readonly and view.format == "q" and view.tolist() == [0, -(2**63), 86_400, -1]

    def test_to_numpy(self) -> None:
        times = self.TIMES.to_numpy()
        assert times.dtype == "datetime64[s]" and not times.flags.writeable
        assert numpy.isnat(times).tolist() == [False, True, False, False]
        assert times[2] == numpy.datetime64("1970-01-02T00:00:00")
        assert numpy.shares_memory(times, self.TIMES.to_numpy())

    def test_numpy_goes_out_and_in(self) -> None:
        assert kron.Timestamps(self.TIMES.to_numpy()) == self.TIMES
        assert kron.Timestamps(self.TIMES.to_numpy()[::-2]) == self.TIMES[::-2]

    def test_arrays_and_frames_take_times_for_times(self) -> None:
        assert (numpy.asarray(self.TIMES) == self.TIMES.to_numpy())[[0, 2, 3]].all() and numpy.asarray(self.TIMES).dtype == "datetime64[s]"
        assert numpy.asarray(self.TIMES, dtype="datetime64[ms]")[2] == numpy.datetime64("1970-01-02T00:00:00.000")
        copy = numpy.array(self.TIMES, copy=True)
        copy[0] += 1
        assert self.TIMES[0] == 0
        assert pandas.Series(self.TIMES).dtype == "datetime64[s]" and pandas.Series(self.TIMES).isna().tolist() == [False, True, False, False]

    @pytest.mark.parametrize("second", [2**63, -(2**63), -(2**63) - 1, 10**30])
    def test_what_64_bits_do_not_hold_is_refused(self, second: int) -> None:
        with pytest.raises(OverflowError):
            kron.Timestamps([second])

    def test_to_datetimes_knows_the_years_of_datetimes(self) -> None:
        bounds = [datetime.datetime.min.replace(tzinfo=UTC), datetime.datetime.max.replace(microsecond=0, tzinfo=UTC)]
        seconds = [(bound - at("1970-01-01T00:00:00Z")) // datetime.timedelta(seconds=1) for bound in bounds]
        assert kron.Timestamps(seconds).to_datetimes() == bounds
        for beyond in (seconds[0] - 1, seconds[1] + 1, 1 << 40, 2**63 - 1, -(2**63) + 1):
            with pytest.raises(OverflowError, match="years 1 to 9999"):
                kron.Timestamps([beyond]).to_datetimes()

    def test_to_datetimes(self) -> None:
        assert self.TIMES.to_datetimes() == [at("1970-01-01T00:00:00Z"), None, at("1970-01-02T00:00:00Z"), at("1969-12-31T23:59:59Z")]

    @pytest.mark.parametrize("given", [
        [0, 5], (0, 5), iter([0, 5]), array.array("q", [0, 5]), numpy.array([0, 5]), memoryview(array.array("q", [0, 5])),
        kron.Timestamps([0, 5]), numpy.arange(0, 10, 5), numpy.arange(0, 20)[0:10:5], [numpy.int64(0), numpy.int32(5)],
    ])
    def test_new(self, given: object) -> None:
        assert kron.Timestamps(given).tolist() == [0, 5]

    @pytest.mark.parametrize("given", [
        1, None, "05", [1.5], ["0"], b"12345678", numpy.array([0.5]), numpy.array([0, 5], dtype="int32"), numpy.zeros((2, 2), dtype="int64"),
        numpy.array([0], dtype="uint64"), [[0]], numpy.array([0], dtype="datetime64[D]"), numpy.zeros((1, 1), dtype="datetime64[s]"),
    ])
    def test_new_of_others(self, given: object) -> None:
        with pytest.raises(TypeError):
            kron.Timestamps(given)


    @pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
    def test_finer_units_of_numpy(self, unit: str) -> None:
        array = numpy.array(["1970-01-01T00:01:00", "NaT", "1969-12-31T23:59:59"], dtype=f"datetime64[{unit}]")
        assert kron.Timestamps(array).tolist() == [60, None, -1]
        assert kron.Timestamps(array[::-1]).tolist() == [-1, None, 60]

    @pytest.mark.parametrize("unit", ["ms", "us", "ns"])
    @pytest.mark.parametrize("second", ["1970-01-01T00:01:00", "1969-12-31T23:59:59"])
    def test_a_fraction_of_a_second_is_not_dropped(self, unit: str, second: str) -> None:
        array = numpy.array(["2026-03-01T00:00:00", second], dtype=f"datetime64[{unit}]")
        array[1] += 1
        for make in (kron.Timestamps, JOB.decide_many):
            with pytest.raises(ValueError, match=r"item 1 is .*1, which is not a whole second"):
                make(array)


class TestPandas:
    """Timestamps and Timedeltas of pandas are datetimes and timedeltas with nanoseconds."""

    NANOSECOND = pandas.Timedelta(1, "ns")
    MIDNIGHT = pandas.Timestamp("2026-03-01", tz="UTC")
    DAILY = kron.Job("@daily", name="x")

    def test_instants_have_nanoseconds(self) -> None:
        assert self.DAILY.next_start(self.MIDNIGHT - self.NANOSECOND).chosen_time == self.MIDNIGHT
        assert self.DAILY.prev_start(self.MIDNIGHT + self.NANOSECOND).chosen_time == self.MIDNIGHT
        # A range begins with the first second that is not before its start.
        for start, ids in ((self.MIDNIGHT, ["2026-03-01T00:00:00Z"]), (self.MIDNIGHT + self.NANOSECOND, [])):
            assert [it.period_id for it in self.DAILY.periods(start, self.MIDNIGHT + pandas.Timedelta(1, "h"))] == ids

    def test_no_nominal_time_has_nanoseconds(self) -> None:
        time = self.MIDNIGHT + self.NANOSECOND
        assert self.DAILY.decide(self.MIDNIGHT).nominal_time == self.MIDNIGHT
        for call in (self.DAILY.decide, self.DAILY.explain, lambda time: self.DAILY.decide_many([time]),
                     lambda time: self.DAILY.decide_many(pandas.Series([time]))):
            with pytest.raises(kron.KronError, match="second"):
                call(time)
        with pytest.raises(ValueError, match="handled: expected whole seconds, not 2026-03-01T00:00:00.000000001"):
            kron.HostState(START, handled=[time])
        with pytest.raises(ValueError, match="window_end: expected whole seconds"):
            kron.Period(START, START, time, None)

    def test_durations_have_nanoseconds(self) -> None:
        assert kron.Window("after", pandas.Timedelta(1, "h") + self.NANOSECOND) == kron.Window("after", "1h1ns")
        assert kron.Policy(deadline=pandas.Timedelta(1500, "us")) == kron.Policy(deadline="1500us")


#: The columns of tables of decisions.
COLUMNS = ["name", "nominal_time", "window_start", "window_end", "chosen_time"]
#: The type of a column of texts.
TEXT = "str" if int(pandas.__version__.split(".")[0]) >= 3 else "object"


class TestTables:
    JOB = kron.Job("0 */6 * * * @win(around,2h) @avoid(dow=SUN)", name="etl/orders")
    FLEET = kron.Fleet([JOB, kron.Job("0 6 * * *", name="web/\u2603")])
    RANGE = at("2026-03-01T00:00:00Z"), at("2026-03-02T13:00:00Z")

    def test_to_pandas(self) -> None:
        frame, want = self.FLEET.periods(*self.RANGE).to_pandas(), list(self.FLEET.periods(*self.RANGE))
        assert list(frame) == COLUMNS and len(frame) == len(want) == 9
        assert [str(dtype) for dtype in frame.dtypes] == [
            TEXT, *["datetime64[s, UTC]"] * 4]
        assert frame.name.tolist() == [it.name for it in want] and frame.nominal_time.tolist() == [it.nominal_time for it in want]
        assert [None if pandas.isna(it) else it for it in frame.chosen_time] == [it.chosen_time for it in want]
        assert frame.chosen_time.isna().any() and not frame.chosen_time.isna().all()
        assert list(zip(frame.window_start, frame.window_end, strict=True)) == [(it.window_start, it.window_end) for it in want]

    def test_to_polars(self) -> None:
        frame, want = self.FLEET.periods(*self.RANGE).to_polars(), list(self.FLEET.periods(*self.RANGE))
        assert frame.rows() == [
            (it.name, it.nominal_time, it.window_start, it.window_end, it.chosen_time) for it in want]
        time = polars.Datetime("ms", "UTC")
        assert frame.schema == dict(zip(COLUMNS, [polars.String, time, time, time, time], strict=True))

    def test_every_series_makes_them(self) -> None:
        job, fleet = self.JOB, self.FLEET
        for make in (lambda: job.starts(*self.RANGE), lambda: job.starts(*self.RANGE, reverse=True), lambda: fleet.starts(*self.RANGE),
                     lambda: job.periods(*self.RANGE), lambda: fleet.next_starts(START), lambda: job.starts(START, START)):
            want = [(it.name, it.nominal_time) for it in make()]
            pandas_frame, polars_frame = make().to_pandas(), make().to_polars()
            assert list(zip(pandas_frame.name, pandas_frame.nominal_time, strict=True)) == want
            assert polars_frame.select("name", "nominal_time").rows() == want
            assert polars_frame.schema == fleet.periods(*self.RANGE).to_polars().schema
            assert (pandas_frame.dtypes == fleet.periods(*self.RANGE).to_pandas().dtypes).all()

    def test_a_table_can_be_made_again(self) -> None:
        series = self.FLEET.starts(*self.RANGE)
        assert next(iter(series)) == series[0]
        for make in (series.to_pandas, series.to_polars):
            assert len(make()) == len(make()) == len(list(series)) > 0

    def test_intervals_survive_a_csv(self) -> None:
        frame = self.FLEET.periods(*self.RANGE).to_pandas()
        again = pandas.read_csv(io.StringIO(frame.to_csv(index=False)), parse_dates=COLUMNS[1:])
        assert (again.window_end - again.window_start).tolist() == (frame.window_end - frame.window_start).tolist()
        assert again.chosen_time.isna().tolist() == frame.chosen_time.isna().tolist()
        polars_frame = self.FLEET.periods(*self.RANGE).to_polars()
        assert polars.read_csv(io.StringIO(polars_frame.write_csv()), try_parse_dates=True).columns == COLUMNS

    def test_more_than_a_chunk(self) -> None:
        minutely = kron.Job("* * * * *", name="x")
        frame = minutely.periods(START, START + datetime.timedelta(minutes=70_000)).to_pandas()
        assert (frame.nominal_time.dt.tz_localize(None) == minutely.nominal_times(
            START, START + datetime.timedelta(minutes=70_000)).to_numpy()).all() and len(frame) == 70_000

    def test_errors_come_through(self) -> None:
        never = kron.Job("* * * * * @only(hours=12) @avoid(hours=12)", name="never")
        with pytest.raises(kron.KronError):
            never.starts(START, count=3).to_pandas()


class TestJob:
    def test_chosen_times_are_those_of_the_periods(self) -> None:
        periods = list(JOB.periods(START, END))
        assert JOB.chosen_times(START, END).tolist() == [period.chosen_timestamp for period in periods]
        assert None in JOB.chosen_times(START, END).tolist()
        assert JOB.nominal_times(START, END).tolist() == [period.nominal_timestamp for period in periods]

    @pytest.mark.parametrize("form", [
        lambda times: times, lambda times: times.tolist(), lambda times: times.to_datetimes(), lambda times: times.data,
        lambda times: times.to_numpy(), lambda times: times.to_numpy().astype("int64"), lambda times: array.array("q", times.tolist()),
    ])
    def test_decide_many(self, form: typing.Callable[[kron.Timestamps], object]) -> None:
        assert JOB.decide_many(form(JOB.nominal_times(START, END))) == JOB.chosen_times(START, END)

    @pytest.mark.parametrize(("bad", "error"), [
        ([-1], kron.KronError), ([None], TypeError), ([0, 2**70], kron.KronError), ([1.0], TypeError), (3600, TypeError),
        ([START.replace(tzinfo=None)], TypeError), (kron.Timestamps([None]), kron.KronError),
        (numpy.array(["2026-03-01"], dtype="datetime64[D]"), TypeError), (numpy.array(["NaT"], dtype="datetime64[s]"), kron.KronError), (["2026-03-01T00:00:00Z"], TypeError),
    ])
    def test_decide_many_of_others(self, bad: object, error: type[Exception]) -> None:
        with pytest.raises(error):
            JOB.decide_many(bad)

    def test_more_than_a_chunk(self) -> None:
        minutely = kron.Job("* * * * * @win(after,1m)", name="x")
        end = START + datetime.timedelta(days=100)
        nominals = minutely.nominal_times(START, end)
        assert len(nominals) == 144_000 and nominals.to_numpy()[-1] == numpy.datetime64("2026-06-08T23:59:00")
        assert minutely.chosen_times(START, end) == minutely.decide_many(nominals)
        assert numpy.all(numpy.diff(nominals.to_numpy()) == numpy.timedelta64(60, "s"))

    #: A job whose next start is searched for among 100,000 periods, none of which has one.
    NEVER = kron.Job("* * * * * @only(hours=12) @avoid(hours=12)", name="x")
    #: Its windows overlap in 144,000 periods.
    OVERLAPPING = kron.Job("* * * * * @win(after,2400h)", name="x")
    #: All seconds of a year are looked at, by many clauses.
    FORBIDDEN = kron.Job("0 0 * * *", name="x", window="8784h", constraints=kron.Constraints(avoid=[
        kron.Clause(between=[f"{hour:02}:{minute:02}-{hour:02}:{minute + 1:02}" for minute in range(start, 59, 6)])
        for hour in range(24) for start in range(0, 5)]))
    LONG: typing.ClassVar[dict[str, typing.Callable[[], object]]] = {
        "bulk": lambda: kron.Job("* * * * *", name="x").chosen_times(at("1970-01-01T00:00:00Z"), at("1972-01-01T00:00:00Z")),
        "next_start": lambda: TestJob.NEVER.next_start(START),
        "prev_start": lambda: TestJob.NEVER.prev_start(START),
        "next_start_timestamp": lambda: TestJob.OVERLAPPING.next_start_timestamp(1_772_323_200),
        "prev_start_timestamp": lambda: TestJob.NEVER.prev_start_timestamp(1_772_323_200),
        "starts": lambda: TestJob.NEVER.starts(START, count=1)[0],
        "fleet": lambda: iter(kron.Fleet([TestJob.NEVER]).starts(START)),
        "next_starts": lambda: kron.Fleet([TestJob.NEVER]).next_starts(START)[0],
        "len": lambda: len(TestJob.OVERLAPPING.starts(START, END)),
        "explain": lambda: TestJob.FORBIDDEN.explain(START),
        "plan": lambda: kron.Job("* * * * *", name="x").plan(kron.HostState(START - datetime.timedelta(days=99)), START),
        "lint": lambda: kron.lint(TestJob.NEVER, at=START, years=70),
    }

    @pytest.mark.parametrize("name", list(LONG))
    def test_the_gil_is_free(self, name: str) -> None:
        """Another thread runs during a call that can take long: in one of many calls, as it depends on the system when."""
        entered, done = threading.Event(), threading.Event()
        ticks = [0]

        def tick() -> None:
            entered.set()
            while not done.is_set():
                ticks[0] += 1
                time.sleep(0)  # gives the GIL up, so that the call gets it back

        thread = threading.Thread(target=tick)
        interval = sys.getswitchinterval()
        # With this interval no thread is made to give the GIL up; it changes hands only where it is given.
        sys.setswitchinterval(100)
        thread.start()
        entered.wait()
        before = ticks[0]
        try:
            # Nothing here gives the GIL up but the call.
            for _ in range(1000):
                with contextlib.suppress(kron.KronError):
                    self.LONG[name]()
                if ticks[0] > before:
                    break
            after = ticks[0]
        finally:
            done.set()
            sys.setswitchinterval(interval)
            thread.join()
        assert after > before


class TestFleet:
    def test_job_by_job(self) -> None:
        for name in ("chosen_times", "nominal_times"):
            alone = [second for job in FLEET for second in getattr(job, name)(START, END)]
            assert getattr(FLEET, name)(START, END).tolist() == alone

    @pytest.mark.parametrize("name", ["chosen_times", "nominal_times"])
    def test_progress_adds_up(self, name: str) -> None:
        reported: list[int] = []
        getattr(FLEET, name)(START, END, progress=reported.append)
        assert sum(reported) == len(FLEET) and len(reported) > 1 and min(reported) > 0

    def test_tqdm_fits(self) -> None:
        tqdm = pytest.importorskip("tqdm")
        with tqdm.tqdm(total=len(FLEET), disable=None) as bar:
            FLEET.chosen_times(START, END, progress=bar.update)
            assert bar.n in (len(FLEET), 0)  # 0 if it is disabled because stderr is not a terminal

    def test_an_exception_of_progress_comes_through(self) -> None:
        def stop(_: int) -> None:
            raise RuntimeError("enough")

        with pytest.raises(RuntimeError, match="enough"):
            FLEET.chosen_times(START, END, progress=stop)

    @pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer that signals")
    @pytest.mark.parametrize("call", [
        list, len, lambda series: series.to_pandas(), lambda series: series.to_polars(), lambda series: series[10**9], lambda series: series[::2].to_list(),
    ])
    def test_ctrl_c_is_heard_by_series(self, call: typing.Callable[[kron.Decisions], object]) -> None:
        """These look for no signals themselves, and would need minutes."""
        before = signal.signal(signal.SIGALRM, signal.default_int_handler)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            with pytest.raises(KeyboardInterrupt):
                call(FLEET.starts(at("1970-01-01T00:00:00Z"), at("2099-01-01T00:00:00Z")))
        finally:
            signal.signal(signal.SIGALRM, before)

    def test_ctrl_c_is_heard(self) -> None:
        """A signal raises in the midst of a call that would take minutes."""
        import _thread

        many = kron.Fleet(kron.Job("* * * * *", name=f"{index}") for index in range(100))
        threading.Timer(0.2, _thread.interrupt_main).start()
        began = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            many.chosen_times(at("1970-01-01T00:00:00Z"), at("2099-01-01T00:00:00Z"))
        assert time.monotonic() - began < 30
