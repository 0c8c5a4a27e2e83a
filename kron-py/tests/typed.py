"""What type checkers must take, and what they must refuse; mypy --strict reads this file, nothing runs it."""

from __future__ import annotations

import datetime
import zoneinfo

import kron
import numpy
import whenever
from typing_extensions import assert_type

noon = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.timezone.utc)
database = kron.TzDatabase.from_tzif({"Europe/Paris": b""}, "2026e")
job = kron.Job(
    kron.Cron("@daily"),
    name="prod/db",
    timezone=zoneinfo.ZoneInfo("Europe/Paris"),
    window=kron.Window("after", datetime.timedelta(hours=3)),
    distribution=kron.Distribution.normal(mu="mid", sigma="15m"),
    seed="daily,salt=x",
    constraints=kron.Constraints(only=[{"hours": range(1, 3)}], avoid=[kron.Clause(date=noon.date())]),
    policy=kron.Policy(deadline="10m"),
    algorithm="siphash-chacha8/1",
    tz_database=database,
)
assert_type(job.next_start(), kron.Decision)
assert_type(job.next_start(noon).chosen_time, datetime.datetime | None)
assert_type(job.next_start_timestamp(0), int)
assert_type([start.draws for start in job.starts(noon, noon)], list[int])
times = job.chosen_times(noon, noon)
assert_type(times[0], int | None)
assert_type(times[:1], kron.Timestamps)
assert_type(times.data, memoryview[int])
assert_type(job.current_period(), kron.Decision | None)
holidays = kron.Calendar("holidays-fr", [noon.date(), (noon.date(), noon.date()), "2026-12-25"])
assert_type(holidays.dates, tuple[tuple[datetime.date, datetime.date], ...])
assert_type(kron.load_calendars("x"), tuple[kron.Calendar, ...])
assert_type(kron.Job("@daily", name="x", calendars=[holidays]).replace(calendars=(holidays,)).constraints.calendars, tuple[kron.Calendar, ...])
assert_type(kron.Constraints.parse("", [holidays]).only, tuple[kron.Clause, ...])
assert_type(kron.Clause(calendar=holidays).calendar, kron.Calendar | None)
assert_type(kron.verify("{}", calendars=[holidays]), kron.Verification)
spread = kron.Fleet([job]).spread(noon, noon, per="1m", fixed=True, peak=3)
assert_type(spread.fleet["x"], kron.Job)
assert_type(spread.seeds, dict[str, kron.Seed])
assert_type(spread.certificate(), str)
diff = kron.diff(spread.fleet, spread.fleet, noon, noon)
assert_type(diff.jobs[0].starts[0].new, datetime.datetime | None)
assert_type(diff.old_peak.minute, datetime.datetime | None)
assert_type(diff.jobs[0].change == "added", bool)
audit = kron.audit(["{}"], noon, tz_database=database)
assert_type(audit.kronjobs[0].counts, dict[str, int])
assert_type(audit.kronjobs[0].periods[0].chosen_time, datetime.datetime | None)
assert_type(audit.kronjobs[0].periods[0].state == "overdue", bool)
assert_type(audit.findings, tuple[kron.AuditFinding, ...])
assert_type(job.clock_changes(end=noon)[0].periods, tuple[kron.Decision, ...])
kron.Clause(calendar="x")  # type: ignore[arg-type]
state = kron.HostState(noon, handled_through=noon, handled=[noon, "2026-03-01T00:00:00Z"], active=True)
assert_type(job.plan(state, noon).steps[0].action.kind == "wait", bool)
assert_type(job.plan(state).steps[0].period, kron.Decision)
state.record(job.plan(state).steps[0])
state.active = False
state.reconfigure()
assert_type(state.handled, list[datetime.datetime])
assert_type(kron.HostState.from_json(state.to_json()).is_handled(noon), bool)
assert_type(kron.plan([job.next_start().period], "", noon).steps[0].period, kron.Period)
assert_type(kron.plan([job.next_start()], "", noon), kron.Plan[kron.Decision])
assert_type(kron.Period(noon, noon, noon, None).chosen_time, datetime.datetime | None)
assert_type(job.explain(noon).draws[0].u, float | None)
assert_type(kron.verify(job.next_start().receipt()).differences[0].field, str)
assert_type(job.next_start().receipt().verify(database), kron.Verification)
assert_type(kron.verify("{}", tz_database=database).first_difference, datetime.datetime | None)
assert_type(kron.verify("{}").zone_rules == "other-release", bool)
assert_type(job.tzdb_version, str | None)
assert_type(job.replace(tz_database=database).timezone_fingerprint, str)
assert_type(kron.load("x", tz_database=database), kron.Loaded)
assert_type(kron.Cron("@daily").next(noon, timezone="Asia/Tokyo", tz_database=database), datetime.datetime | None)
assert_type(database.version, str | None)
assert_type(database.zone_names(), list[str])
assert_type(job.placed(), kron.Placed)
assert_type(job.placed().shift_minutes, int)
primed = job.prime("10m", cover=True)
assert_type(primed, kron.Primed)
assert_type(primed[0], kron.Cron)
assert_type(primed[:1], tuple[kron.Cron, ...])
assert_type([cron.shortest_text for cron in kron.Cron("@daily").prime(datetime.timedelta(hours=1))], list[str])
assert_type(primed.surplus_per_year, float)
assert_type(kron.Cron("@daily").lead_changes("10m", noon, timezone="Europe/Paris")[0].lead, datetime.timedelta | None)
assert_type(job.lead_changes("10m")[0].kind == "moved", bool)
change = database.changes("Europe/Paris", noon)[0]
assert_type(change, kron.OffsetChange)
assert_type(change.time, datetime.datetime)
assert_type(change.offset_after - change.offset_before, datetime.timedelta)
assert_type(kron.load("x").fleet[0], kron.Job)
assert_type(kron.load("x").fleet[:2], kron.Fleet)
assert_type(kron.load("x").fleet["prod/db"], kron.Job)
assert_type(next(iter(kron.load("x").fleet.next_starts(noon))), kron.Decision)
starts = job.starts(noon, datetime.timedelta(days=1), count=3)
assert_type(starts[0], kron.Decision)
assert_type(starts[:2], kron.Decisions)
assert_type(starts.to_list(), list[kron.Decision])
assert_type(list(reversed(starts)), list[kron.Decision])
assert_type(noon in starts, bool)
assert_type(kron.Fleet({"a": "@daily"}) | kron.Fleet({"b": job}) | kron.Fleet({"c": kron.Cron("@daily")}) | kron.Fleet([("d", "@daily")]) | kron.Fleet([job]), kron.Fleet)
assert_type(kron.Fleet().with_job(job).without("prod/db").names, tuple[str, ...])
assert_type(kron.Fleet.from_frame({}, name="name"), kron.Fleet)
assert_type(kron.Fleet.from_frame({}, text="text", on_error="collect"), tuple[kron.Fleet, list[kron.KronError]])
assert_type(kron.Window.after("3h"), kron.Window)
job.next_start("2026-03-01T00:00:00Z")
job.starts(noon, "24h")
job.next_start(whenever.Instant.from_utc(2026, 3, 1))
kron.Window.after(whenever.TimeDelta(hours=3))
job.next_start(numpy.datetime64("2026-03-01"))
job.replace(only={"hours": "9-17"}, avoid=[kron.Clause(dow="SUN"), {"dom": 1}])
assert_type(job.replace(days={"last": 1}, nodays=[kron.Days(holidays=holidays, workday=range(1, 3)), {"dom": 1}]).days, tuple[kron.Days, ...])
assert_type(kron.Days(every="2w", from_=noon.date(), roll="next").holidays, kron.Calendar | None)
assert_type(job.replace(window="3h").replace(window=datetime.timedelta(hours=3)), kron.Job)
assert_type(kron.verify("{}").not_proven, tuple[str, ...])
assert_type(list(job.next_start().to_dict()), list[str])
assert_type(list(job.starts(start=noon, end=noon, reverse=True)), list[kron.Decision])
try:
    kron.Cron("x")
except kron.KronError as error:
    assert_type(error.span, tuple[int, int] | None)

kron.plan([noon], "", noon)  # type: ignore[type-var]
kron.Job("@daily")  # type: ignore[call-arg]
kron.Job("@daily", "prod/db")  # type: ignore[call-arg]
kron.Window("besides")  # type: ignore[arg-type]
kron.Window("after", 90)  # type: ignore[arg-type]
kron.Days(roll="up")  # type: ignore[arg-type]
job.replace(days="last=1")  # type: ignore[arg-type]
kron.Policy(concurrency="never")  # type: ignore[arg-type]
job.next_start(0)  # type: ignore[arg-type]
job.window = kron.Window()  # type: ignore[misc]
job.next_start(before=noon)  # type: ignore[call-arg]
kron.Job("@daily", name="x", tz_database="2026e")  # type: ignore[arg-type]


class Sub(kron.Job):  # type: ignore[misc]
    """Jobs are final."""
