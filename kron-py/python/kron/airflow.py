"""A timetable for Airflow 3 whose runs begin at the starts of a job. Needs ``apache-airflow-core``.

    @dag(schedule=KronTimetable(kron.Job("0 2 * * * @tz(Europe/Paris) @win(after,3h)", name="etl/orders")), start_date=...)

The logical date of a run is the nominal time, so it is what the cron expression says; `run_after` is the chosen time. A period
without a start has no run. The package registers the timetable with Airflow (entry point ``airflow.plugins``). Airflow decides about
late and overlapping runs (``catchup``, ``max_active_runs``); the policy of the job has no effect.
"""

from __future__ import annotations

import datetime
import itertools
import typing

import kron

try:
    import pendulum
    from airflow.plugins_manager import AirflowPlugin
    from airflow.timetables.base import DagRunInfo, DataInterval, TimeRestriction, Timetable
except ImportError as _missing:
    raise ImportError("kron.airflow needs Airflow 3: pip install apache-airflow-core") from _missing

__all__ = ["KronPlugin", "KronTimetable"]


class KronTimetable(Timetable):  # type: ignore[misc]
    """Runs at the starts of a job.

    Raises ``ValueError`` if the zone of the job is from another time zone database than the compiled-in one, or if the job names
    calendars: Airflow stores a timetable as the text and the name of its job.
    """

    def __init__(self, job: kron.Job) -> None:
        if job.constraints.calendars:
            raise ValueError("Airflow keeps the text of a timetable, without calendars; write their dates as date or dates")
        if kron.Job(str(job), name=job.name) != job:
            raise ValueError("Airflow keeps the text of a timetable, without a time zone database; make the job without tz_database")
        self.job = job
        self.description = f"{job}, decided by kron for {job.name}"

    @property
    def summary(self) -> str:
        """The text that the list of DAGs shows."""
        return str(self.job)

    def serialize(self) -> dict[str, typing.Any]:
        """The data that a serialized DAG stores."""
        return {"text": str(self.job), "name": self.job.name}

    @classmethod
    def deserialize(cls, data: dict[str, typing.Any]) -> KronTimetable:
        """The timetable of a serialized DAG."""
        return cls(kron.Job(data["text"], name=data["name"]))

    def infer_manual_data_interval(self, *, run_after: datetime.datetime) -> DataInterval:
        """A manual run belongs to the period before it."""
        return DataInterval.exact(pendulum.instance(self.job.prev_period(run_after).nominal_time))

    def next_dagrun_info(
        self, *, last_automated_data_interval: DataInterval | None, restriction: TimeRestriction
    ) -> DagRunInfo | None:
        """The next period that has a start; ``None`` if there is none up to the DAG's end or among the next 100,000 periods."""
        now = datetime.datetime.now(datetime.timezone.utc)
        if last_automated_data_interval is not None:
            begin = last_automated_data_interval.start + datetime.timedelta(seconds=1)
        elif restriction.earliest is not None or not restriction.catchup:
            begin = restriction.earliest or now
        else:
            return None
        if restriction.earliest is not None:
            begin = max(begin, restriction.earliest)
        if not restriction.catchup:
            # No window that ended before now holds a start that is still to come.
            begin = max(begin, now - self.job.window.duration)
        end = datetime.datetime(2100, 1, 1, tzinfo=datetime.timezone.utc)
        if restriction.latest is not None:
            end = min(end, restriction.latest + datetime.timedelta(microseconds=1))
        # As many as `Job.next_start` examines: a job whose constraints allow nothing must not hold up the scheduler.
        for period in itertools.islice(self.job.periods(begin, end), 100_000):
            if period.chosen_time is not None and (restriction.catchup or period.chosen_time >= now):
                nominal = pendulum.instance(period.nominal_time)
                return DagRunInfo(run_after=pendulum.instance(period.chosen_time), data_interval=DataInterval.exact(nominal))
        return None


class KronPlugin(AirflowPlugin):  # type: ignore[misc]
    """Registers the timetable with Airflow."""

    name = "kron"
    timetables: typing.ClassVar[list[type[Timetable]]] = [KronTimetable]
