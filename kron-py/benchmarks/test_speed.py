"""What a call costs, compared with croniter and cronsim. `report.py` runs this and prints the table.

A rival needs an object for each question that starts at a given time, so making it belongs to its cost; a kron job is made
once. What comes back is looked at: a datetime of the start.
"""

from __future__ import annotations

import datetime
import typing
import zoneinfo

import croniter  # type: ignore[import-untyped]
import cronsim
import kron
import pytest

CRONS = ["* * * * *", "*/5 * * * *", "0 3 * * *", "15 9 * * MON-FRI", "0 0 29 2 *", "30 2 1,15 * 5"]
ZONES = ["UTC", "Europe/Paris"]
DAY = datetime.timedelta(days=1)
AFTER = datetime.datetime(2026, 3, 1, 12, 34, 56, tzinfo=datetime.timezone.utc)


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("cron", CRONS)
class TestNextStart:
    """One next start, on datetimes and on integers."""

    @staticmethod
    def after(zone: str) -> datetime.datetime:
        return AFTER if zone == "UTC" else AFTER.astimezone(zoneinfo.ZoneInfo(zone))

    def test_kron(self, benchmark: typing.Any, cron: str, zone: str) -> None:
        job, after = kron.Job(cron, name="x", timezone=zone), self.after(zone)
        assert benchmark(lambda: job.next_start(after).chosen_time) > after

    def test_kron_window(self, benchmark: typing.Any, cron: str, zone: str) -> None:
        job, after = kron.Job(cron, name="x", timezone=zone, window="after,30s"), self.after(zone)
        assert benchmark(lambda: job.next_start(after).chosen_time) > after

    def test_kron_integers(self, benchmark: typing.Any, cron: str, zone: str) -> None:
        job, after = kron.Job(cron, name="x", timezone=zone), int(AFTER.timestamp())
        assert benchmark(job.next_start_timestamp, after) > after

    def test_croniter(self, benchmark: typing.Any, cron: str, zone: str) -> None:
        after = self.after(zone)
        assert benchmark(lambda: croniter.croniter(cron, after).get_next(datetime.datetime)) > after

    def test_cronsim(self, benchmark: typing.Any, cron: str, zone: str) -> None:
        after = self.after(zone)
        assert benchmark(lambda: next(cronsim.CronSim(cron, after))) > after


@pytest.mark.parametrize("text", [
    "* * * * *", "* * * * * @win(after,3h)", "* * * * * @tz(Europe/Paris) @win(after,3h)",
    "* * * * * @tz(Europe/Paris) @win(after,3h) @seed(daily)", "* * * * * @win(after,3h) @dist(normal)",
    "* * * * * @win(after,3h) @dist(skewEarly,shape=2.5)", "* * * * * @win(after,3h) @dist(exponential)",
    "* * * * * @win(after,3h) @alg(sha256-splitmix64/1)", "* * * * * @win(after,3h) @avoid(dow=SUN)",
    "* * * * * @win(after,3h) @only(hours=9-17)", "* * * * * @win(after,24h) @only(hours=1-4)",
    "* * * * * @win(after,24h) @dist(skewEarly,shape=2.5) @only(hours=1-4)",
])
class TestBulk:
    """Fifty thousand decisions in one call, on one core. Many short calls, so that some of them have a core for themselves."""

    DAYS = 35

    def test_chosen_times(self, benchmark: typing.Any, text: str) -> None:
        job = kron.Job(text, name="x")
        times = benchmark.pedantic(job.chosen_times, (AFTER, AFTER + self.DAYS * DAY), rounds=150, warmup_rounds=1)
        benchmark.extra_info["decisions"] = len(times)

    def test_fleet(self, benchmark: typing.Any, text: str) -> None:
        fleet = kron.Fleet(kron.Job(text, name=f"job/{index}") for index in range(self.DAYS))
        times = benchmark.pedantic(fleet.chosen_times, (AFTER, AFTER + DAY), rounds=150, warmup_rounds=1)
        benchmark.extra_info["decisions"] = len(times)

    def test_decide_many(self, benchmark: typing.Any, text: str) -> None:
        job = kron.Job(text, name="x")
        nominals = job.nominal_times(AFTER, AFTER + self.DAYS * DAY)
        times = benchmark.pedantic(job.decide_many, (nominals,), rounds=150, warmup_rounds=1)
        benchmark.extra_info["decisions"] = len(times)
