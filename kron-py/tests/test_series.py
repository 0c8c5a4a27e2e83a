"""Series of decisions: sequences that can be read any number of times."""

from __future__ import annotations

import datetime
import itertools
import typing

import kron
import numpy
import pandas
import pytest
from conftest import at
from hypothesis import given, settings
from hypothesis import strategies as st

START, END = at("2026-03-01T00:00:00Z"), at("2026-03-08T00:00:00Z")
WEEK = datetime.timedelta(days=7)
JOB = kron.Job("0 */5 * * * @tz(Europe/Paris) @win(around,9h) @avoid(dow=SUN)", name="etl/orders")
FLEET = kron.Fleet([JOB, kron.Job("0 3 * * *", name="web/a"), kron.Job("0 3 * * * @win(before,2h)", name="web/b")])

Make = typing.Callable[[], kron.Decisions]
SERIES: dict[str, Make] = {
    "starts": lambda: JOB.starts(START, END),
    "starts in reverse": lambda: JOB.starts(START, END, reverse=True),
    "starts up to a count": lambda: JOB.starts(START, count=9),
    "periods": lambda: JOB.periods(START, END),
    "periods in reverse": lambda: JOB.periods(START, END, reverse=True),
    "periods up to a count": lambda: JOB.periods(START, END, count=9),
    "the last ones": lambda: JOB.starts(end=END, count=9, reverse=True),
    "fleet starts": lambda: FLEET.starts(START, END),
    "fleet starts in reverse": lambda: FLEET.starts(START, END, reverse=True),
    "fleet starts up to a count": lambda: FLEET.starts(START, count=9),
    "fleet periods": lambda: FLEET.periods(START, END),
    "fleet periods in reverse": lambda: FLEET.periods(START, END, reverse=True),
    "next starts": lambda: FLEET.next_starts(START),
    "a slice": lambda: JOB.starts(START, END)[3:20:2],
    "a slice in reverse": lambda: FLEET.periods(START)[20:3:-3],
    "none": lambda: JOB.starts(START, START),
    "none of them": lambda: JOB.starts(START, count=0),
}


@pytest.fixture(params=list(SERIES))
def series(request: pytest.FixtureRequest) -> kron.Decisions:
    """Each series in turn."""
    return SERIES[request.param]()


class TestSequence:
    def test_can_be_read_again(self, series: kron.Decisions) -> None:
        first = [decision for decision in series]
        assert list(series) == first == series.to_list() == list(iter(series)) and len(series) == len(first)
        assert bool(series) == bool(first)

    def test_indices(self, series: kron.Decisions) -> None:
        want = series.to_list()
        for index in range(-len(want), len(want)):
            assert series[index] == want[index]
        for index in (len(want), -len(want) - 1, 2**63, -(2**63), 10**30, -(10**30)):
            with pytest.raises(IndexError, match="index out of range"):
                series[index]
        assert series[numpy.int64(0) : numpy.int64(1)].to_list() == want[:1]
        with pytest.raises(TypeError, match=r"expected an int or a slice, not str '0'"):
            series["0"]  # type: ignore[call-overload]
        with pytest.raises(TypeError, match=r"expected an int or a slice, not float 0\.5"):
            series[0.5]  # type: ignore[call-overload]

    def test_slices(self, series: kron.Decisions) -> None:
        want = series.to_list()
        bounds = [None, 0, 1, 3, 100, -1, -2, -100]
        for start, stop, step in itertools.product(bounds, bounds, [None, 1, 2, 7, -1, -3]):
            part = series[start:stop:step]
            assert part.to_list() == want[start:stop:step], (start, stop, step)
            assert len(part) == len(want[start:stop:step])
        with pytest.raises(ValueError, match="step"):
            series[::0]
        with pytest.raises(TypeError):
            series["a":]  # type: ignore[misc]

    @settings(max_examples=60, deadline=None, derandomize=True)
    @given(st.lists(st.slices(12), min_size=2, max_size=4), st.sampled_from(list(SERIES)))
    def test_slices_of_slices(self, slices: list[slice], name: str) -> None:
        series, want = SERIES[name](), SERIES[name]().to_list()
        for it in slices:
            series, want = series[it], want[it]
        assert series.to_list() == want and len(series) == len(want) and list(reversed(series)) == want[::-1]

    def test_reversed(self, series: kron.Decisions) -> None:
        want = series.to_list()[::-1]
        assert list(reversed(series)) == series[::-1].to_list() == want and series[::-1][::-1].to_list() == want[::-1]

    def test_membership(self, series: kron.Decisions) -> None:
        want = series.to_list()
        times = [it.chosen_time if "starts" in repr(series) else it.nominal_time for it in want]
        assert all(it in series for it in want) and all(time in series for time in times if time is not None)
        stranger = JOB.replace(name="other").decide(START)
        assert stranger not in series and at("2020-02-02T02:02:02Z") not in series
        assert START + datetime.timedelta(microseconds=1) not in series
        with pytest.raises(TypeError, match=r"expected a kron.Decision, or an instant such as an aware datetime, not int 3"):
            3 in series  # type: ignore[operator]  # noqa: B015
        with pytest.raises(TypeError, match="naive"):
            START.replace(tzinfo=None) in series  # noqa: B015

    def test_an_unschedulable_period_is_no_start(self) -> None:
        (period,) = (it for it in JOB.periods(START, "6h") if it.chosen_time is None)
        assert period in JOB.periods(START, END) and period not in JOB.starts(START, END)

    def test_arrays(self, series: kron.Decisions) -> None:
        want = [it.chosen_timestamp for it in series]
        array = series.to_numpy()
        assert array.dtype == "datetime64[s]" and kron.Timestamps(array).tolist() == want
        assert numpy.array_equal(numpy.asarray(series), array, equal_nan=True)
        assert numpy.array(series, copy=True).flags.writeable and numpy.asarray(series, dtype="datetime64[ms]").dtype == "datetime64[ms]"
        assert len(pandas.Series(series)) == len(want)

    def test_is_no_iterator(self, series: kron.Decisions) -> None:
        with pytest.raises(TypeError, match=r"write series\[0\]"):
            next(series)  # type: ignore[call-overload]


class TestWithoutEnd:
    @pytest.mark.parametrize("make", [lambda: JOB.starts(START), lambda: JOB.periods(START), lambda: FLEET.starts(START), lambda: FLEET.periods(START),
                                      lambda: JOB.starts(START)[5:], lambda: JOB.starts(end=END, reverse=True), lambda: FLEET.starts(end=END, reverse=True)])
    def test_it_is_lazy(self, make: Make) -> None:
        series = make()
        first = list(itertools.islice(series, 5))
        assert series[:5].to_list() == first and series[4] == first[-1] and series and first[2] in series
        assert list(reversed(series[:5])) == first[::-1] and series[4::-1].to_list() == first[::-1]
        for call in (len, lambda it: it[-1], lambda it: it[-3:], reversed, lambda it: it[::-1], lambda it: it.to_list(), lambda it: it.to_numpy(),
                     lambda it: it.to_pandas(), lambda it: it.to_polars()):
            with pytest.raises(TypeError, match=r"the series has no end.*count=10.*series\[:10\]"):
                call(series)

    def test_it_ends_with_2099(self) -> None:
        last = kron.Job("@yearly", name="x").periods(at("2090-06-01T00:00:00Z"))
        assert [it.nominal_time.year for it in last] == list(range(2091, 2100))

    def test_back_to_1970(self) -> None:
        assert len(list(kron.Job("@yearly", name="x").periods(end=at("1979-06-01T00:00:00Z"), reverse=True))) == 10


class TestArguments:
    def test_an_end_is_an_instant_or_a_duration(self) -> None:
        want = JOB.starts(START, END).to_list()
        for end in (WEEK, "168h", pandas.Timedelta(7, "D"), numpy.timedelta64(7, "D"), "2026-03-08T00:00:00Z", numpy.datetime64("2026-03-08")):
            assert JOB.starts(START, end).to_list() == want and JOB.starts(start=START, end=end).to_list() == want
            assert FLEET.periods(START, end).to_list() == FLEET.periods(START, END).to_list()
            assert JOB.chosen_times(START, end) == JOB.chosen_times(START, END)
            assert FLEET.nominal_times(START, end) == FLEET.nominal_times(START, END)
            assert FLEET.forecast(START, end).total == FLEET.forecast(START, END).total
            assert kron.diff(FLEET, FLEET[:1], START, end) == kron.diff(FLEET, FLEET[:1], START, END)
            assert JOB.clock_changes(START, end) == []
        assert JOB.starts(START, WEEK, reverse=True).to_list() == want[::-1]

    def test_now_is_the_start(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("time.time_ns", lambda: int(START.timestamp()) * 10**9)
        assert JOB.starts(count=3).to_list() == JOB.starts(START, count=3).to_list() and JOB.periods(end="1h").to_list() == JOB.periods(START, "1h").to_list()

    def test_a_count(self) -> None:
        assert len(JOB.starts(START, END, count=3)) == 3 and len(JOB.starts(START, END, count=10**6)) == len(JOB.starts(START, END))
        assert JOB.starts(START, END, count=2**64 - 1).to_list() == JOB.starts(START, END).to_list()
        for bad in (-1, 1.5, "3", True, 2**64):
            with pytest.raises(TypeError, match="expected an int from 0 on"):
                JOB.starts(START, count=bad)  # type: ignore[arg-type]

    def test_reverse_needs_an_end(self) -> None:
        with pytest.raises(TypeError, match=r"begins at its end; give it one, as in starts\(start, end, reverse=True\)"):
            JOB.starts(START, reverse=True)
        last = JOB.starts(end=END, count=3, reverse=True)
        assert last.to_list() == JOB.starts(START, END)[-3:].to_list()[::-1]

    @pytest.mark.parametrize(("end", "error", "message"), [
        (3600, TypeError, r"expected an instant .* or a duration .*, not int 3600; write the unit, as in '3600s' for seconds"),
        (-WEEK, ValueError, "a sign is not allowed"), ("2026-03-08", ValueError, "2026-03-08T00:00:00Z"), ("7d", ValueError, "write `168h`"),
        (datetime.date(2026, 3, 8), TypeError, "a date is a whole day"), (END.replace(tzinfo=None), TypeError, "naive"), ([], TypeError, "expected an instant"),
        (numpy.timedelta64(1, "M"), ValueError, "no fixed length"), (numpy.timedelta64("NaT"), ValueError, "no fixed length"),
        (numpy.timedelta64("NaT", "s"), ValueError, "NaT is no duration"), (numpy.datetime64("NaT"), ValueError, "NaT is no instant"),
    ])
    def test_what_is_no_end(self, end: object, error: type[Exception], message: str) -> None:
        with pytest.raises(error, match=message):
            JOB.starts(START, end)  # type: ignore[arg-type]


class TestText:
    def test_str_shows_the_first_ten(self) -> None:
        lines = str(JOB.periods(START, END)).splitlines()
        assert lines[:10] == [str(it) for it in JOB.periods(START)[:10]] and lines[10:] == ["..."]
        assert str(JOB.periods(START, END)[:2]).splitlines() == lines[:2] and str(JOB.periods(START, START)) == ""
        assert len(str(JOB.periods(START)[:10]).splitlines()) == 10

    @pytest.mark.parametrize(("make", "text"), [
        (lambda: JOB.starts(START, END), 'starts of "etl/orders" from 2026-03-01T00:00:00Z until 2026-03-08T00:00:00Z'),
        (lambda: FLEET.periods(START, count=3), "periods of 3 jobs from 2026-03-01T00:00:00Z [:3]"),
        (lambda: FLEET.next_starts(START), "next starts of 3 jobs after 2026-03-01T00:00:00Z"),
        (lambda: JOB.starts(end=END, reverse=True)[2::3], 'starts of "etl/orders" until 2026-03-08T00:00:00Z, last first [2::3]'),
    ])
    def test_repr(self, make: Make, text: str) -> None:
        assert repr(make()) == f"<kron.Decisions: {text}>"


def test_work_is_as_little_as_can_be() -> None:
    """A pass over a large range reads what it is asked for."""
    minutely = kron.Job("* * * * * @win(after,1h)", name="x")
    century = minutely.starts(at("1970-01-01T00:00:00Z"), at("2099-12-31T00:00:00Z"))
    assert century and century[0].chosen_time is not None and century[-1].chosen_time is not None
    assert len(century[:1000]) == 1000 and len(minutely.periods(at("1970-01-01T00:00:00Z"), at("2099-12-31T00:00:00Z"))) > 68_000_000
