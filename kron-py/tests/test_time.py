"""Python's types at the edge: datetimes, durations, zones, dates, integers."""

from __future__ import annotations

import datetime
import zoneinfo

import kron
import numpy
import pytest
from conftest import UTC, at

JOB = kron.Job("0 0 * * * @win(after,3h) @seed(stable,salt=backup)", name="prod/db-backup")
MIDNIGHT = datetime.datetime(2026, 3, 1, tzinfo=UTC)
CALLS = ["decide", "next_start", "prev_start", "next_period", "prev_period", "explain"]


class TestDatetimesIn:
    @pytest.mark.parametrize("call", CALLS)
    @pytest.mark.parametrize("zone", [
        zoneinfo.ZoneInfo("Europe/Paris"), zoneinfo.ZoneInfo("UTC"), datetime.timezone(datetime.timedelta(hours=-7, minutes=-30)),
        datetime.timezone(datetime.timedelta(seconds=1)),
    ])
    def test_any_zone_names_the_same_instant(self, call: str, zone: datetime.tzinfo) -> None:
        assert getattr(JOB, call)(MIDNIGHT.astimezone(zone)) == getattr(JOB, call)(MIDNIGHT)

    @pytest.mark.parametrize("call", CALLS)
    @pytest.mark.parametrize("bad", [MIDNIGHT.replace(tzinfo=None), MIDNIGHT.date(), 0, 0.0, b"2026-03-01T00:00:00Z", MIDNIGHT.time()])
    def test_nothing_else_is_an_instant(self, call: str, bad: object) -> None:
        with pytest.raises(TypeError, match="naive|aware"):
            getattr(JOB, call)(bad)

    def test_a_zone_that_knows_no_offset_is_naive(self) -> None:
        class Nowhere(datetime.tzinfo):
            def utcoffset(self, _: datetime.datetime | None) -> None:
                return None

            tzname = dst = utcoffset  # type: ignore[assignment]

        with pytest.raises(TypeError, match="naive"):
            JOB.decide(MIDNIGHT.replace(tzinfo=Nowhere()))

    def test_an_error_of_the_zone_comes_through(self) -> None:
        class Broken(datetime.tzinfo):
            def utcoffset(self, _: datetime.datetime | None) -> datetime.timedelta:
                raise RuntimeError("no offset today")

            tzname = dst = utcoffset  # type: ignore[assignment]

        with pytest.raises(RuntimeError, match="no offset today"):
            JOB.decide(MIDNIGHT.replace(tzinfo=Broken()))

    @pytest.mark.parametrize(("name", "value"), [("hour", 2**62), ("hour", -(2**62)), ("microsecond", 2**40), ("minute", "1")])
    def test_fields_that_no_datetime_has(self, name: str, value: object) -> None:
        lying = type("Lying", (datetime.datetime,), {name: property(lambda _: value)})
        with pytest.raises((OverflowError, TypeError)):
            JOB.next_start(lying(2026, 3, 1, tzinfo=UTC))

    @pytest.mark.parametrize("day", [2**62, 2**31 - 1, -(2**31), -(10**30)])
    def test_days_that_no_datetime_has(self, day: int) -> None:
        lying = type("Lying", (datetime.datetime,), {"toordinal": lambda _: day})
        with pytest.raises(OverflowError):
            JOB.next_start(lying(2026, 3, 1, tzinfo=UTC))

    def test_a_duration_that_no_timedelta_has(self) -> None:
        lying = type("Lying", (datetime.timedelta,), {"days": property(lambda _: 2**62)})
        with pytest.raises(OverflowError):
            kron.Window("after", lying(1))

    def test_both_sides_of_a_fold(self) -> None:
        paris = zoneinfo.ZoneInfo("Europe/Paris")
        times = [datetime.datetime(2026, 10, 25, 2, 30, fold=fold, tzinfo=paris) for fold in (0, 1)]
        assert [JOB.decide(time).period_id for time in times] == ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"]

    @pytest.mark.parametrize("year", [1, 1969, 2100, 9999])
    def test_far_years(self, year: int) -> None:
        far = datetime.datetime(year, 1, 1, tzinfo=UTC)
        with pytest.raises(kron.KronError) as error:
            JOB.decide(far)
        assert error.value.code == 600
        if year > 2099:
            assert JOB.prev_period(far).period_id == "2099-12-31T00:00:00Z"
        else:
            assert JOB.next_period(far).period_id == "1970-01-01T00:00:00Z"

    def test_a_bound_of_time_itself(self) -> None:
        assert JOB.prev_period(datetime.datetime.max.replace(tzinfo=UTC)).period_id == "2099-12-31T00:00:00Z"
        assert JOB.next_period(datetime.datetime.min.replace(tzinfo=UTC)).period_id == "1970-01-01T00:00:00Z"
        early = datetime.datetime.min.replace(tzinfo=datetime.timezone(datetime.timedelta(hours=23)))
        assert JOB.next_period(early).period_id == "1970-01-01T00:00:00Z"

    @pytest.mark.parametrize("call", ["starts", "periods"])
    def test_a_range_of_all_time(self, call: str) -> None:
        whole = datetime.datetime.min.replace(tzinfo=UTC), datetime.datetime.max.replace(tzinfo=UTC)
        yearly = kron.Job("@yearly @win(after,3h)", name="prod/db-backup")
        ids = [f"{year}-01-01T00:00:00Z" for year in range(1970, 2100)]
        assert [decision.period_id for decision in getattr(yearly, call)(*whole)] == ids
        assert [decision.period_id for decision in getattr(yearly, call)(*whole, reverse=True)] == ids[::-1]

    @pytest.mark.parametrize("call", ["next_start", "next_period"])
    def test_fractions_round_down(self, call: str) -> None:
        chosen = JOB.decide(MIDNIGHT).chosen_time
        assert chosen is not None
        instant = chosen if call == "next_start" else MIDNIGHT
        micro = datetime.timedelta(microseconds=1)
        assert getattr(JOB, call)(instant - micro).nominal_time == MIDNIGHT
        assert getattr(JOB, call)(instant + micro) == getattr(JOB, call)(instant) > JOB.decide(MIDNIGHT)

    def test_bounds_of_ranges_round_up(self) -> None:
        micro = datetime.timedelta(microseconds=1)
        day = datetime.timedelta(days=1)
        assert len(list(JOB.periods(MIDNIGHT, MIDNIGHT + day))) == 1
        assert len(list(JOB.periods(MIDNIGHT + micro, MIDNIGHT + day))) == 0
        assert len(list(JOB.periods(MIDNIGHT, MIDNIGHT + day + micro))) == 2
        assert len(JOB.chosen_times(MIDNIGHT, MIDNIGHT + day + micro)) == 2
        assert len(JOB.nominal_times(MIDNIGHT + micro, MIDNIGHT + day)) == 0

    @pytest.mark.parametrize("second", [0, 1, 999_999_999, 2**31, 2**32 - 1, 2**32, 4_102_444_799, 2**33, -1, -(2**32), 253_402_300_798])
    def test_every_microsecond_counts(self, second: int) -> None:
        """A second has a fraction or it has none, however far away it is."""
        whole = datetime.datetime(1970, 1, 1, tzinfo=UTC) + datetime.timedelta(seconds=second)
        in_range = 0 <= second <= 4_102_444_799
        for micros in (0, 1, 2, 499_999, 500_000, 999_998, 999_999):
            message = "whole second" if micros else "lies from 1970"
            try:
                decision = JOB.decide(whole + datetime.timedelta(microseconds=micros))
            except kron.KronError as error:
                assert message in str(error) and (micros or not in_range)
            else:
                assert in_range and not micros and decision.nominal_timestamp == second

    def test_a_nominal_time_is_a_whole_second(self) -> None:
        half = MIDNIGHT + datetime.timedelta(microseconds=500_000)
        for call in (JOB.decide, JOB.explain, lambda time: JOB.decide_many([time])):
            with pytest.raises(kron.KronError, match="a nominal time is a whole second"):
                call(half)


class TestNow:
    @pytest.mark.parametrize("call", ["next_start", "prev_start", "next_period", "prev_period"])
    def test_left_out_means_now(self, call: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("time.time_ns", lambda: 1_772_323_200_500_000_000)
        assert getattr(JOB, call)() == getattr(JOB, call)(MIDNIGHT) == getattr(JOB, call)(None)

    def test_cron_and_policy_and_lint(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("time.time_ns", lambda: 1_772_323_200_000_000_000)
        assert kron.Cron("@daily").next() == MIDNIGHT + datetime.timedelta(days=1)
        assert kron.Cron("@daily").prev() == MIDNIGHT
        assert JOB.policy.evaluate(JOB.decide(MIDNIGHT)).kind == "wait"
        assert kron.lint(JOB) == kron.lint(JOB, at=MIDNIGHT)

    def test_the_clock_is_the_present(self) -> None:
        before = datetime.datetime.now(UTC)
        assert kron.Job("* * * * *", name="x").next_start().nominal_time > before - datetime.timedelta(minutes=1)


class TestDatetimesOut:
    def test_they_are_in_utc(self) -> None:
        decision = kron.Job("@daily @tz(Asia/Tokyo) @win(around,3h)", name="x").next_start(MIDNIGHT)
        for name in ("nominal_time", "window_start", "window_end", "chosen_time"):
            time = getattr(decision, name)
            assert type(time) is datetime.datetime and time.tzinfo is UTC
            assert time.timestamp() == getattr(decision, name.replace("_time", "") + "_timestamp")

    def test_the_whole_range(self) -> None:
        for text in ("1970-01-01T00:00:00Z", "2000-02-29T23:59:59Z", "2099-12-31T23:59:59Z"):
            assert JOB.decide(at(text)).nominal_time == at(text)
        wide = kron.Job("@daily @win(around,8784h)", name="x")
        assert wide.decide(at("1970-01-01T00:00:00Z")).window_start == at("1969-07-02T00:00:00Z")
        assert wide.decide(at("2099-12-31T00:00:00Z")).window_end == at("2100-07-02T00:00:00Z")


class TestDurations:
    @pytest.mark.parametrize(("given", "text"), [
        ("90m", "after,1h30m0s"), (datetime.timedelta(hours=3), "after,3h0m0s"), (datetime.timedelta(), "after,0s"),
        (datetime.timedelta(microseconds=1), "after,1\u00b5s"), (datetime.timedelta(days=366), "after,8784h0m0s"),
    ])
    def test_good(self, given: datetime.timedelta | str, text: str) -> None:
        assert str(kron.Window("after", given)) == text

    @pytest.mark.parametrize(("given", "code", "message"), [
        (datetime.timedelta(seconds=-1), 300, "a sign is not allowed"),
        (datetime.timedelta(microseconds=-1), 300, "a sign is not allowed"),
        (datetime.timedelta.max, 300, "too long|longer|exceed|2562047h"),
        (datetime.timedelta(days=366, microseconds=1), 305, "longer than 8784h"),
        ("90", 300, "every number needs one of the units"), ("", 300, "not a duration"),
    ])
    def test_bad(self, given: datetime.timedelta | str, code: int, message: str) -> None:
        with pytest.raises(kron.KronError, match=message) as error:
            kron.Window("after", given)
        assert error.value.code == code

    @pytest.mark.parametrize("given", [90, 1.5, None, b"3h"])
    def test_other_types(self, given: object) -> None:
        with pytest.raises(TypeError, match=r"a duration such as '10m' or a timedelta"):
            kron.Window("after", given)  # type: ignore[arg-type]

    def test_out(self) -> None:
        assert kron.Window("after", "8784h").duration == datetime.timedelta(days=366)
        assert kron.Policy(deadline="2562047h47m16.854775807s").deadline == datetime.timedelta(
            days=106751, seconds=85636, microseconds=854775)


class TestZones:
    @pytest.mark.parametrize("zone", ["Europe/Paris", zoneinfo.ZoneInfo("Europe/Paris")])
    def test_names_and_zone_infos(self, zone: zoneinfo.ZoneInfo | str) -> None:
        assert kron.Job("@daily", name="x", timezone=zone).timezone == zoneinfo.ZoneInfo("Europe/Paris")

    def test_utc(self) -> None:
        assert kron.Job("@daily", name="x", timezone=UTC) == kron.Job("@daily", name="x")
        assert kron.Job("@daily", name="x").timezone.key == "UTC"
        named = datetime.timezone(datetime.timedelta(0), "Zulu")
        assert named is not UTC and kron.Job("@daily", name="x", timezone=named) == kron.Job("@daily", name="x")

    @pytest.mark.parametrize("zone", [datetime.timezone(datetime.timedelta(hours=1)), 1, b"UTC", object()])
    def test_others(self, zone: object) -> None:
        with pytest.raises(TypeError, match="ZoneInfo"):
            kron.Job("@daily", name="x", timezone=zone)  # type: ignore[arg-type]

    def test_unknown(self) -> None:
        with pytest.raises(kron.KronError, match=r"did you mean `Europe/Paris`\?") as error:
            kron.Job("@daily", name="x", timezone="Europe/Pariss")
        assert error.value.code == 301

    def test_the_zones_of_python_are_known(self) -> None:
        known = [zone for zone in zoneinfo.available_timezones() if _is_known(zone)]
        assert len(known) > 590


def _is_known(zone: str) -> bool:
    try:
        kron.Job("@daily", name="x", timezone=zoneinfo.ZoneInfo(zone))
    except kron.KronError:
        return False
    return True


class TestIntegers:
    HOURLY = kron.Job("@hourly", name="x")

    @pytest.mark.parametrize("huge", [2**63, 2**64, 10**100])
    def test_huge_ones_have_nothing_beyond(self, huge: int) -> None:
        with pytest.raises(kron.KronError) as error:
            self.HOURLY.next_start_timestamp(huge)
        assert error.value.code == 603
        with pytest.raises(kron.KronError) as error:
            self.HOURLY.prev_start_timestamp(-huge)
        assert error.value.code == 603
        with pytest.raises(kron.KronError) as error:
            self.HOURLY.decide_many([huge])
        assert error.value.code == 600

    def test_objects_that_are_indices(self) -> None:
        def index(value: int) -> object:
            return type("Index", (), {"__index__": lambda _: value})()

        assert self.HOURLY.next_start_timestamp(index(5)) == 3600  # type: ignore[arg-type]
        with pytest.raises(kron.KronError):
            self.HOURLY.next_start_timestamp(index(2**70))  # type: ignore[arg-type]
        broken = type("Broken", (), {"__index__": lambda _: 1 // 0})()
        with pytest.raises(ZeroDivisionError):
            self.HOURLY.next_start_timestamp(broken)

    def test_as_datetimes_do(self) -> None:
        for seconds in (0, 1, 3599, 3600, 1_772_323_200):
            time = datetime.datetime.fromtimestamp(seconds, UTC)
            assert self.HOURLY.next_start_timestamp(seconds) == self.HOURLY.next_start(time).chosen_timestamp
            assert self.HOURLY.prev_start_timestamp(seconds) == self.HOURLY.prev_start(time).chosen_timestamp

    @pytest.mark.parametrize("bad", [1.0, "1", None, MIDNIGHT])
    def test_others(self, bad: object) -> None:
        with pytest.raises(TypeError, match="int"):
            self.HOURLY.next_start_timestamp(bad)  # type: ignore[arg-type]


class TestDates:
    CHRISTMAS = datetime.date(2026, 12, 25)

    def test_dates(self) -> None:
        assert kron.Clause(date=self.CHRISTMAS) == kron.Clause(date="2026-12-25")
        assert kron.Clause(dates=(self.CHRISTMAS, datetime.date(2027, 1, 1))) == kron.Clause(dates="2026-12-25..2027-01-01")
        assert kron.Constraints(avoid=[{"date": self.CHRISTMAS}]).avoid == (kron.Clause(date=self.CHRISTMAS),)

    @pytest.mark.parametrize(("part", "bad"), [
        ("date", MIDNIGHT), ("date", 20261225), ("date", [CHRISTMAS]), ("dates", CHRISTMAS), ("dates", (CHRISTMAS,)),
        ("dates", (CHRISTMAS, MIDNIGHT)), ("hours", 1.5), ("hours", [1.5]), ("hours", True), ("hours", b"1"), ("hours", CHRISTMAS),
        ("between", 9), ("between", [9]), ("dow", [None]), ("hours", [True]), ("hours", numpy.array([[1]])), ("hours", numpy.float64(1)),
    ])
    def test_others(self, part: str, bad: object) -> None:
        with pytest.raises(TypeError, match=f"{part}: expected"):
            kron.Clause(**{part: bad})  # type: ignore[arg-type]

    @pytest.mark.parametrize(("given", "text"), [(3, "3"), ([3, "5-7"], "3,5-7"), (range(9, 18), "9-17"), ({1}, "1"), ("22-5", "22-5"), (numpy.int64(3), "3"), (numpy.arange(9, 18), "9-17")])
    def test_lists(self, given: object, text: str) -> None:
        assert kron.Clause(hours=given).parts == {"hours": text}  # type: ignore[arg-type]
