"""kron.airflow on Airflow itself, which scripts/test_py.sh installs in a separate venv."""

from __future__ import annotations

import datetime
import importlib.metadata
import os
import pickle
import typing

import kron
import pytest
from conftest import UTC, at

DAY = datetime.timedelta(days=1)


@pytest.fixture(scope="module")
def airflow() -> typing.Any:
    """The module. KRON_AIRFLOW says that Airflow is there."""
    if "KRON_AIRFLOW" not in os.environ:
        pytest.importorskip("airflow.timetables.base")
    import kron.airflow

    return kron.airflow


def kron_tzif() -> bytes:
    """Data of a zone with other rules than the compiled-in ones: UTC, always."""
    return b"TZif2" + bytes(15) + bytes(4 * 4) + b"\0\0\0\1\0\0\0\4" + bytes(6) + b"UTC\0" + b"TZif2" + bytes(15) + bytes(4 * 4) + (
        b"\0\0\0\1\0\0\0\4" + bytes(6) + b"UTC\0" + b"\nUTC0\n"
    )


class TestAirflowTimetable:
    TEXT = "0 2 * * * @tz(Europe/Paris) @win(after,3h) @avoid(dow=SUN)"
    START = at("2026-03-01T00:00:00Z")

    def timetable(self, airflow: typing.Any) -> typing.Any:
        return airflow.KronTimetable(kron.Job(self.TEXT, name="etl/orders"))

    def runs(self, airflow: typing.Any, restriction: typing.Any, count: int) -> list[typing.Any]:
        timetable, last, found = self.timetable(airflow), None, []
        for _ in range(count):
            info = timetable.next_dagrun_info(last_automated_data_interval=last, restriction=restriction)
            if info is None:
                break
            found.append(info)
            last = info.data_interval
        return found

    def test_catches_up(self, airflow: typing.Any) -> None:
        restriction = airflow.TimeRestriction(self.START, self.START + 14 * DAY, True)
        runs = self.runs(airflow, restriction, 100)
        job = kron.Job(self.TEXT, name="etl/orders")
        periods = [it for it in job.periods(self.START, self.START + 14 * DAY) if it.chosen_time]
        assert [info.data_interval.start for info in runs] == [it.nominal_time for it in periods] and len(runs) == 12
        assert [info.run_after for info in runs] == [it.chosen_time for it in periods]
        assert all(info.data_interval.end == info.data_interval.start for info in runs)

    def test_does_not_catch_up(self, airflow: typing.Any) -> None:
        now = datetime.datetime.now(UTC)
        runs = self.runs(airflow, airflow.TimeRestriction(self.START, None, False), 3)
        assert runs[0].run_after >= now and runs[0].run_after - now < 3 * DAY and len(runs) == 3
        assert runs[0].data_interval.start < runs[1].data_interval.start

    def test_bounds(self, airflow: typing.Any) -> None:
        assert self.runs(airflow, airflow.TimeRestriction(None, None, True), 1) == []
        assert self.runs(airflow, airflow.TimeRestriction(self.START, self.START + DAY / 24, True), 1) == []
        nominal = kron.Job(self.TEXT, name="etl/orders").next_period(self.START + 2 * DAY).nominal_time
        (only,) = self.runs(airflow, airflow.TimeRestriction(nominal, nominal, True), 3)
        assert only.data_interval.start == nominal

    def test_a_job_without_starts_holds_nothing_up(self, airflow: typing.Any) -> None:
        timetable = airflow.KronTimetable(kron.Job("* * * * * @only(hours=1) @avoid(hours=1)", name="x"))
        restriction = airflow.TimeRestriction(self.START, None, True)
        assert timetable.next_dagrun_info(last_automated_data_interval=None, restriction=restriction) is None

    def test_keeps_the_interface(self, airflow: typing.Any) -> None:
        timetable = self.timetable(airflow)
        assert isinstance(timetable, airflow.Timetable) and timetable.description.startswith(timetable.summary)
        # What a scheduler calls, by way of Airflow's base class.
        timetable.validate()
        restriction = airflow.TimeRestriction(self.START, None, True)
        info = timetable.next_dagrun_info_v2(last_dagrun_info=None, restriction=restriction)
        again = timetable.next_dagrun_info_v2(last_dagrun_info=info, restriction=restriction)
        assert info.logical_date == at("2026-03-02T01:00:00Z") and again.logical_date == at("2026-03-03T01:00:00Z")

    def test_serializes(self, airflow: typing.Any) -> None:
        timetable = self.timetable(airflow)
        again = airflow.KronTimetable.deserialize(timetable.serialize())
        assert again.job == timetable.job and again.summary == timetable.summary == str(timetable.job)
        assert pickle.loads(pickle.dumps(timetable.serialize())) == timetable.serialize()

    def test_by_hand(self, airflow: typing.Any) -> None:
        interval = self.timetable(airflow).infer_manual_data_interval(run_after=at("2026-03-03T12:00:00Z"))
        assert interval.start == interval.end == at("2026-03-03T01:00:00Z")

    def test_refuses_what_a_text_cannot_keep(self, airflow: typing.Any) -> None:
        database = kron.TzDatabase.from_tzif({"Europe/Paris": kron_tzif()}, "2026z")
        with pytest.raises(ValueError, match="make the job without tz_database"):
            airflow.KronTimetable(kron.Job(self.TEXT, name="x", tz_database=database))
        holidays = kron.Calendar("holidays-fr", "2026-12-25")
        with pytest.raises(ValueError, match="without calendars; write their dates as date or dates"):
            airflow.KronTimetable(kron.Job("@daily @avoid(calendar=holidays-fr)", name="x", calendars=[holidays]))

    def test_airflow_finds_the_plugin(self, airflow: typing.Any) -> None:
        entry = [it for it in importlib.metadata.entry_points(group="airflow.plugins") if it.name == "kron"]
        assert [it.load() for it in entry] == [airflow.KronPlugin]
        assert airflow.KronPlugin.timetables == [airflow.KronTimetable]
