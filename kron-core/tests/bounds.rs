//! The ends of everything: extreme instants, the first and the last year, searches that find nothing, sizes of inputs.

use chrono::{DateTime, Utc};
use kron_core::plan::{Action, plan};
use kron_core::{
    Clause, Constraints, Cron, Decision, ErrorCode, Job, JobSpec, Outcome, Period, Policy, Schedule, Seed,
    SeedStrategy, Window, WindowMode, Zone,
};
use proptest::prelude::*;

use crate::generators::*;

const HOUR: i64 = 3600;
/// How far a search for a start goes.
const HORIZON: i64 = 1827 * DAY;

fn job(text: &str) -> Job {
    Job::parse("bounds/test", text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn at(text: &str) -> i64 {
    DateTime::parse_from_rfc3339(text).unwrap().timestamp()
}

fn extremes() -> impl Strategy<Value = i64> {
    prop_oneof![
        proptest::sample::select(vec![
            i64::MIN,
            i64::MIN + 1,
            -HORIZON,
            -1,
            0,
            1,
            LAST,
            LAST + 1,
            i64::MAX - 1,
            i64::MAX
        ]),
        any::<i64>(),
        -1000 * DAY..1000 * DAY,
        LAST - 1000 * DAY..LAST + 1000 * DAY,
    ]
}

proptest! {
    #![proptest_config(config(300))]

    /// No instant makes anything panic, messages included, and nothing lies outside the years there are.
    #[test]
    fn extreme_instants(model in job_with(sparse_cron(), 366 * DAY, 0..2), a in extremes(), b in extremes()) {
        let job = Job::new("bounds/extreme", model.build()).unwrap();
        let schedule: Schedule = job.spec().schedule().in_zone(job.spec().timezone().clone());
        for found in [schedule.next_timestamp(a), schedule.prev_timestamp(a)].into_iter().flatten() {
            prop_assert!((FIRST..=LAST).contains(&found));
        }
        prop_assert!(schedule.series(a).take(3).all(|time| time.timestamp() > a));
        prop_assert!(schedule.series_back(a).take(3).all(|time| time.timestamp() <= a));
        let in_years = |decision: &Decision<'_>| (FIRST..=LAST).contains(&decision.nominal_timestamp());
        for found in [job.next_period(a), job.prev_period(a), job.next_start(a), job.prev_start(a), job.decide(a)] {
            match found {
                Ok(decision) => prop_assert!(in_years(&decision)),
                Err(error) => prop_assert!(!error.to_string().is_empty() && !error.reason().is_empty()),
            }
        }
        prop_assert_eq!(job.decide(a).is_ok(), (FIRST..=LAST).contains(&a));
        prop_assert_eq!(job.explain(a).is_ok(), (FIRST..=LAST).contains(&a));
        for series in [job.starts(a..b), job.starts_back(a..b)] {
            for start in series.take(3) {
                match start {
                    Ok(start) => prop_assert!((a..b).contains(&start.chosen_timestamp().unwrap()) && in_years(&start)),
                    Err(error) => prop_assert!(!error.to_string().is_empty()),
                }
            }
        }
        for mut series in [job.periods(a..b), job.periods_back(a..b)] {
            prop_assert!(series.by_ref().take(3).all(|period| in_years(&period) && (a..b).contains(&period.nominal_timestamp())));
        }
        let policy = job.spec().policy();
        let open: Vec<Decision<'_>> = job.periods(0..400 * DAY).take(3).collect();
        for decision in &open {
            let _ = policy.evaluate(decision, a, false, true);
        }
        prop_assert!(plan(open, policy, a, false).steps.len() <= 3);
    }

    /// chrono's own extremes.
    #[test]
    fn extreme_times_of_chrono(model in job_with(dense_cron(), DAY, 0..1), zone in zone()) {
        let job = Job::new("bounds/extreme", model.build()).unwrap();
        for time in [DateTime::<Utc>::MIN_UTC, DateTime::<Utc>::MAX_UTC] {
            let time = &time.with_timezone(&zone);
            prop_assert!(job.decide(time).is_err());
            for found in [job.next_start(time), job.prev_start(time), job.next_period(time), job.prev_period(time)] {
                let message = found.map_err(|error| error.to_string());
                prop_assert!(message.is_ok() || message != Err(String::new()));
            }
            prop_assert!(job.starts(time.clone()..time.clone()).next().is_none());
        }
    }
}

/// The errors of searches from the ends of 64 bits can be printed, too.
#[test]
fn messages_of_extreme_searches() {
    let job = job("0 0 1 1 * @only(date=2035-01-01)");
    for (found, code) in [
        (job.next_start(i64::MIN), ErrorCode::NoStartInSight),
        (job.next_start(i64::MAX), ErrorCode::NoPeriod),
        (job.prev_start(i64::MIN), ErrorCode::NoPeriod),
        (job.prev_start(i64::MAX), ErrorCode::NoStartInSight),
    ] {
        let error = found.unwrap_err();
        assert_eq!(error.code(), code);
        assert!(!error.to_string().is_empty());
    }
}

/// A search from before the first window, or from after the last one, begins there: the years without any period do not
/// count towards the limit.
#[test]
fn searches_begin_where_periods_do() {
    for text in ["0 0 1 1 *", "0 0 1 1 * @win(around,30h)", "0 0 1 1 * @win(before,30h) @dist(normal)"] {
        let job = job(text);
        let times = |start: Result<Decision<'_>, kron_core::Error>| start.unwrap().order_timestamp();
        let all: Vec<i64> = job.periods(i64::MIN..i64::MAX).map(|period| period.order_timestamp()).collect();
        assert_eq!(all.len(), 130, "{text}");
        assert_eq!(times(job.next_start(i64::MIN)), all[0], "{text}");
        assert_eq!(times(job.prev_start(i64::MAX)), all[129], "{text}");
        assert!(job.starts(i64::MIN..i64::MAX).map(times).eq(all.iter().copied()), "{text}");
        assert!(job.starts_back(i64::MIN..i64::MAX).map(times).eq(all.iter().rev().copied()), "{text}");
        let (first, last) = (DateTime::<Utc>::MIN_UTC, DateTime::<Utc>::MAX_UTC);
        assert!(job.starts(first..last).map(times).eq(all.iter().copied()), "{text}");
    }
    // To the second: the limit counts from the second before the first window.
    for (day, found) in [("1975-01-01", true), ("1975-01-02", false)] {
        let job = job(&format!("59 23 * * * @win(after,1m) @only(date={day};between=00:00-00:00)"));
        let start = at(&format!("{day}T00:00:00Z"));
        assert_eq!(job.decide(start - 60).unwrap().chosen_timestamp(), Some(start));
        assert_eq!(start < HORIZON, found);
        assert_eq!(job.next_start(i64::MIN).is_ok(), found, "{day}");
        assert_eq!(job.starts(i64::MIN..i64::MAX).next().unwrap().is_ok(), found, "{day}");
    }
}

/// Nominal times lie from the first second of 1970 to the last of 2099, both UTC, whatever the zone.
#[test]
fn the_first_and_the_last_year() {
    for name in ZONES {
        let schedule = Cron::parse("* * * * *").unwrap().in_zone(Zone::parse(name).unwrap());
        let first = schedule.next_timestamp(i64::MIN).unwrap();
        let last = schedule.prev_timestamp(i64::MAX).unwrap();
        // Monrovia's clocks were 30 s off the minute.
        assert_eq!(first, if name == "Africa/Monrovia" { 30 } else { 0 }, "{name}");
        assert_eq!(last, LAST - 59, "{name}");
        assert_eq!(
            (schedule.next_timestamp(last), schedule.prev_timestamp(first - 1)),
            (None, None),
            "{name}"
        );
        assert_eq!(schedule.next_timestamp(last - 1), Some(last), "{name}");
        assert_eq!(schedule.prev_timestamp(first), Some(first), "{name}");
        assert_eq!(schedule.series(last - 120).count(), 2);
        assert_eq!(schedule.series_back(first + 120).count(), 3);
    }
    // Midnights of the zone whose UTC instants lie outside are not nominal times.
    let daily = Cron::parse("@daily").unwrap();
    let tokyo = daily.in_zone(Zone::parse("Asia/Tokyo").unwrap());
    assert_eq!(tokyo.next_timestamp(-DAY), Some(15 * HOUR));
    assert_eq!(tokyo.prev_timestamp(i64::MAX), Some(at("2099-12-31T15:00:00Z")));
    let los_angeles = daily.in_zone(Zone::parse("America/Los_Angeles").unwrap());
    assert_eq!(los_angeles.next_timestamp(-DAY), Some(8 * HOUR));
    assert_eq!(los_angeles.prev_timestamp(i64::MAX), Some(at("2099-12-31T08:00:00Z")));

    let everyday = job("@daily @win(around,48h)");
    assert!(everyday.decide(FIRST).is_ok() && everyday.decide(LAST).is_ok());
    assert_eq!(everyday.decide(FIRST - 1).unwrap_err().code(), ErrorCode::NominalTime);
    assert_eq!(everyday.decide(LAST + 1).unwrap_err().code(), ErrorCode::NominalTime);
    assert_eq!(everyday.next_period(LAST).unwrap_err().code(), ErrorCode::NoPeriod);
    assert_eq!(everyday.prev_period(-1).unwrap_err().code(), ErrorCode::NoPeriod);
    // Starts may leave the years of nominal times, as far as windows reach.
    let all: Vec<i64> =
        everyday.starts(LAST - 3 * DAY..).map(|start| start.unwrap().chosen_timestamp().unwrap()).collect();
    assert_eq!(everyday.periods(LAST - 5 * DAY..).count(), 5);
    let last = *all.last().unwrap();
    assert_eq!(everyday.next_start(last).unwrap_err().code(), ErrorCode::NoPeriod);
    let first = everyday.starts(-3 * DAY..3 * DAY).next().unwrap().unwrap().chosen_timestamp().unwrap();
    assert_eq!(everyday.prev_start(first - 1).unwrap_err().code(), ErrorCode::NoPeriod);
}

/// A search looks 1827 days far, to the second, in both directions.
#[test]
fn the_horizon_is_1827_days() {
    // One allowed day in decades, and one start on it.
    let job = job("30 6 * * * @only(date=2035-05-05)");
    let start = at("2035-05-05T06:30:00Z");
    let found = |found: Result<Decision<'_>, kron_core::Error>| found.map(|d| d.chosen_timestamp().unwrap());
    assert_eq!(found(job.next_start(start - HORIZON)), Ok(start));
    assert_eq!(found(job.prev_start(start + HORIZON)), Ok(start));
    assert_eq!(job.next_start(start - HORIZON - 1).unwrap_err().code(), ErrorCode::NoStartInSight);
    assert_eq!(job.prev_start(start + HORIZON + 1).unwrap_err().code(), ErrorCode::NoStartInSight);
    let error = job.next_start(at("2020-01-01T00:00:00Z")).unwrap_err();
    assert!(error.to_string().contains("2025-01-01T00:00:00Z"), "{error}");
    let error = job.prev_start(at("2040-05-07T00:00:00Z")).unwrap_err();
    assert!(error.to_string().contains("2035-05-07T00:00:00Z"), "{error}");
    // The series give the same errors, once, and end.
    let mut series = job.starts(at("2020-01-01T00:00:00Z")..);
    assert_eq!(series.next().unwrap().unwrap_err().code(), ErrorCode::NoStartInSight);
    assert!(series.next().is_none());
    let mut series = job.starts(at("2034-01-01T00:00:00Z")..);
    assert_eq!(series.next().unwrap().unwrap().chosen_timestamp(), Some(start));
    assert_eq!(series.next().unwrap().unwrap_err().code(), ErrorCode::NoStartInSight);
    assert!(series.next().is_none());
    // A range that ends before the horizon has an answer: nothing.
    assert_eq!(job.starts(at("2020-01-01T00:00:00Z")..at("2024-01-01T00:00:00Z")).count(), 0);
    assert_eq!(job.starts_back(at("2037-01-01T00:00:00Z")..at("2040-01-01T00:00:00Z")).count(), 0);
}

/// The limit counts from the second asked about, in every call: `starts(from, to)` asks about the second before `from`, and
/// `starts_back(from, to)` about the one before `to`.
#[test]
fn the_horizon_is_alike_in_every_call() {
    for text in ["30 6 * * * @only(date=2035-05-05)", "30 6 * * * @win(after,12h) @only(date=2035-05-05)"] {
        let job = job(text);
        let start = job.decide(at("2035-05-05T06:30:00Z")).unwrap().chosen_timestamp().unwrap();
        for off in -2..=2 {
            let (after, before) = (start - HORIZON + off, start + HORIZON + off);
            let next = job.next_start(after);
            let first = job.starts(after + 1..).next().unwrap();
            assert_eq!(next.is_ok(), off >= 0, "{text} {off}");
            assert_eq!(first, next, "{text} {off}");
            let prev = job.prev_start(before);
            let last = job.starts_back(i64::MIN..before + 1).next().unwrap();
            assert_eq!(prev.is_ok(), off <= 0, "{text} {off}");
            assert_eq!(last, prev, "{text} {off}");
        }
    }
    // From one start to the next: 1827 days are found, 1828 are not.
    for (second, found) in [("2040-05-05", 2), ("2040-05-06", 1)] {
        let job = job(&format!("30 6 * * * @only(date=2035-05-05) @only(date={second})"));
        let forwards: Vec<_> = job.starts(at("2035-01-01T00:00:00Z")..).collect();
        let back: Vec<_> = job.starts_back(..at("2041-01-01T00:00:00Z")).collect();
        for series in [forwards, back] {
            // The series ends with an error in the gap, or behind the last start.
            assert_eq!(series.len(), found + 1, "{second}");
            assert!(series[..found].iter().all(Result::is_ok));
            assert_eq!(series[found].as_ref().unwrap_err().code(), ErrorCode::NoStartInSight);
        }
    }
}

/// A range that has an end is searched to it: neither a long gap nor any number of unschedulable periods ends it before.
#[test]
fn a_range_with_an_end_is_searched_to_it() {
    let (first, last) = (at("1970-01-01T00:00:00Z"), at("2100-01-01T00:00:00Z"));
    for text in [
        "0 12 * * * @only(date=1971-07-01) @only(date=2035-05-05) @only(date=2099-12-31)",
        "0 12 * * * @days(date=1971-07-01) @days(date=2035-05-05) @days(date=2099-12-31)",
        "* * * * * @only(date=1971-07-01;between=12:00-12:00) @only(date=2035-05-05;between=12:00-12:00) \
         @only(date=2099-12-31;between=12:00-12:00)",
    ] {
        let job = job(text);
        let want = ["1971-07-01T12:00:00Z", "2035-05-05T12:00:00Z", "2099-12-31T12:00:00Z"].map(at);
        let chosen =
            |start: Result<Decision<'_>, kron_core::Error>| start.unwrap().chosen_timestamp().unwrap();
        assert_eq!(job.starts(first..last).map(chosen).collect::<Vec<_>>(), want, "{text}");
        let back: Vec<i64> = job.starts_back(first..last).map(chosen).collect();
        assert!(back.iter().rev().eq(&want), "{text}");
        let mut found = Vec::new();
        job.each_start(first..last, |start| found.push(start)).unwrap();
        assert_eq!(found, want, "{text}");
        // The end is exclusive.
        assert_eq!(job.starts(first..want[2]).count(), 2, "{text}");
        assert_eq!(job.starts_back(want[0] + 1..last).count(), 2, "{text}");
    }
    // No second is allowed at all: nothing is decided a second time on the way to the end.
    let never = job("* * * * * @win(after,1h) @avoid(hours=0-23)");
    assert_eq!(never.starts(first..last).count(), 0);
    assert_eq!(never.starts_back(first..last).count(), 0);
    // The window of an earlier period reaches the second that the search goes on at.
    let early = job("0 0 1 1 * @win(after,8784h) @only(date=2030-12-30) @only(date=2050-01-02)");
    let days: Vec<_> = early.starts(first..last).map(|start| start.unwrap().period_id()).collect();
    assert_eq!(days, ["2030-01-01T00:00:00Z", "2049-01-01T00:00:00Z", "2050-01-01T00:00:00Z"]);
}

/// The message counts the unschedulable periods whose windows end within the limit, and no other.
#[test]
fn periods_beyond_the_horizon_do_not_count() {
    for mode in ["after", "around", "before"] {
        let job = job(&format!("0 6 * * * @win({mode},720h) @only(date=2099-01-01)"));
        let asked = at("2035-05-05T06:00:00Z");
        let periods = |from: i64, to: i64| -> Vec<(i64, i64)> {
            let window =
                |period: Decision<'_>| (period.window_start_timestamp(), period.window_end_timestamp());
            job.periods(from - 60 * DAY..to + 60 * DAY).map(window).collect()
        };
        let inside = periods(asked, asked + HORIZON);
        let count = inside.iter().filter(|(_, end)| (asked + 1..=asked + HORIZON).contains(end)).count();
        let message = job.next_start(asked).unwrap_err().to_string();
        assert!(message.contains(&format!(" {count} periods")), "{mode} {count}: {message}");
        let inside = periods(asked - HORIZON, asked);
        let count = inside.iter().filter(|(start, _)| (asked - HORIZON..=asked).contains(start)).count();
        let message = job.prev_start(asked).unwrap_err().to_string();
        assert!(message.contains(&format!(" {count} periods")), "{mode} {count}: {message}");
    }
}

/// More starts are pending than a series keeps: those forgotten are found again, in order, in both directions.
#[test]
fn more_starts_are_pending_than_are_kept() {
    let job = job("* * * * * @win(around,1800h) @avoid(hours=3)");
    let (from, to) = (at("2026-03-01T00:00:00Z"), at("2026-07-01T00:00:00Z"));
    let mut want: Vec<(i64, i64)> = job
        .periods(from - 80 * DAY..to + 80 * DAY)
        .map(|period| (period.order_timestamp(), period.nominal_timestamp()))
        .filter(|(chosen, _)| (from..to).contains(chosen))
        .collect();
    want.sort_unstable();
    let times = |start: Result<Decision<'_>, _>| {
        let start = start.unwrap();
        (start.order_timestamp(), start.nominal_timestamp())
    };
    assert!(job.starts(from..to).map(times).eq(want.iter().copied()));
    assert!(job.starts_back(from..to).map(times).eq(want.iter().rev().copied()));
}

/// 100,000 unschedulable periods in a row end a search; 99,999 do not. The answer is found by leaps, not by deciding each
/// period: this test would take minutes otherwise.
#[test]
fn a_hundred_thousand_unschedulable_periods() {
    let day = at("2035-05-05T00:00:00Z");
    for (text, seconds) in [
        ("* * * * * @only(date=2035-05-05)", 60),
        ("* * * * * @avoid(dates=1970-01-01..2035-05-04) @avoid(dates=2035-05-06..2099-12-31)", 60),
        ("*/2 * * * * @only(date=2035-05-05)", 120),
    ] {
        let job = job(text);
        // The first start is that of midnight; before it, so many periods have none.
        assert_eq!(job.next_start(day - 100_000 * seconds).unwrap().chosen_timestamp(), Some(day), "{text}");
        let error = job.next_start(day - 100_001 * seconds).unwrap_err();
        assert_eq!(error.code(), ErrorCode::NoSchedulablePeriod, "{text}");
        assert!(error.to_string().contains("100000 periods"), "{error}");
        // Backwards from the day's last period on.
        let last = day + DAY - seconds;
        assert_eq!(job.prev_start(last + 99_999 * seconds).unwrap().chosen_timestamp(), Some(last), "{text}");
        let error = job.prev_start(last + 100_000 * seconds).unwrap_err();
        assert_eq!(error.code(), ErrorCode::NoSchedulablePeriod, "{text}");
    }
    // With windows that overlap by the thousand, and never an allowed second.
    let job = job("* * * * * @win(after,720h) @avoid(hours=0-23)");
    for _ in 0..20 {
        assert_eq!(job.next_start(day).unwrap_err().code(), ErrorCode::NoSchedulablePeriod);
        assert_eq!(job.prev_start(day).unwrap_err().code(), ErrorCode::NoSchedulablePeriod);
    }
    assert_eq!(job.starts(day..).next().unwrap().unwrap_err().code(), ErrorCode::NoSchedulablePeriod);
}

/// A schedulable period starts the count again, also where draws alone met no allowed second.
#[test]
fn the_first_algorithm_finds_what_it_draws() {
    // One minute of a day, drawn by few of the day's periods: most are unschedulable though their windows hold it.
    let job = job("*/10 * * * * @win(after,24h) @only(between=12:00-12:00) @alg(sha256-splitmix64/1)");
    let (from, to) = (at("2026-03-01T00:00:00Z"), at("2026-04-01T00:00:00Z"));
    let mut want: Vec<(i64, i64)> = job
        .periods(from - DAY..to)
        .filter_map(|period| Some((period.chosen_timestamp()?, period.nominal_timestamp())))
        .filter(|(chosen, _)| (from..to).contains(chosen))
        .collect();
    want.sort_unstable();
    assert!(want.len() > 100, "{}", want.len());
    let found: Vec<(i64, i64)> = job
        .starts(from..to)
        .map(|start| start.unwrap())
        .map(|start| (start.chosen_timestamp().unwrap(), start.nominal_timestamp()))
        .collect();
    assert_eq!(found, want);
    let mut back: Vec<(i64, i64)> = job
        .starts_back(from..to)
        .map(|start| start.unwrap())
        .map(|start| (start.chosen_timestamp().unwrap(), start.nominal_timestamp()))
        .collect();
    back.reverse();
    assert_eq!(back, want);
    let mut after = from - 1;
    for (chosen, _) in &want {
        if *chosen > after {
            let next = job.next_start(after).unwrap();
            assert_eq!(next.chosen_timestamp(), Some(*chosen));
            after = *chosen;
        }
    }
}

/// A range of a day in which nothing is allowed has no starts, and that is not an error: it holds few periods.
#[test]
fn an_empty_range_is_no_error() {
    let job = job("* * * * * @avoid(hours=0-23)");
    let from = at("2026-03-01T00:00:00Z");
    assert_eq!(job.starts(from..from + DAY).count(), 0);
    assert_eq!(job.starts_back(from..from + DAY).count(), 0);
}

/// The series ends in time order with the error, after what was found before it.
#[test]
fn the_schedule_runs_out() {
    let job = job("0 0 29 2 * @win(after,1h)");
    let last = at("2096-02-29T00:00:00Z");
    assert_eq!(job.next_period(last - 1).unwrap().nominal_timestamp(), last);
    assert_eq!(job.next_period(last).unwrap_err().code(), ErrorCode::NoPeriod);
    assert_eq!(job.next_start(last + DAY).unwrap_err().code(), ErrorCode::NoPeriod);
    let nominals: Vec<i64> = job
        .starts(at("2084-01-01T00:00:00Z")..)
        .map_while(Result::ok)
        .map(|start| start.nominal_timestamp())
        .collect();
    assert_eq!(nominals.len(), 4);
    // The years 1900 and 2100 are not leap years; 2000 was one.
    assert!(
        job.spec()
            .schedule()
            .in_zone(Zone::UTC)
            .series(0)
            .any(|time| time.timestamp() == at("2000-02-29T00:00:00Z"))
    );
}

/// Each limit on lengths, at its last valid and its first invalid value.
#[test]
fn sizes() {
    let code = |text: &str| JobSpec::parse(text).err().map(|error| error.code());
    let padded = |length: usize| format!("* * * * *{}", " ".repeat(length - 9));
    assert_eq!(Cron::parse(&padded(256)).unwrap().to_string(), "* * * * *");
    assert_eq!(Cron::parse(&padded(257)).unwrap_err().code(), ErrorCode::CronTooLong);
    assert_eq!(code(&padded(65_536)), None);
    assert_eq!(code(&padded(65_537)), Some(ErrorCode::TextTooLong));

    assert!(
        Job::parse(&"x".repeat(1024), "@daily").is_ok() && Job::parse(&"é".repeat(512), "@daily").is_ok()
    );
    for bad in ["x".repeat(1025), "é".repeat(513)] {
        assert_eq!(Job::parse(&bad, "@daily").unwrap_err().code(), ErrorCode::OutOfBounds);
    }
    for bad in ["", "a\nb", "\0", "a\u{7f}", "\u{85}"] {
        assert_eq!(Job::parse(bad, "@daily").unwrap_err().code(), ErrorCode::Name, "{bad:?}");
    }
    assert!(Job::parse("\u{200b}\u{a0}", "@daily").is_ok());
    assert!(Seed::new(SeedStrategy::Daily, &"é".repeat(512)).is_ok());
    assert_eq!(Seed::new(SeedStrategy::Daily, &"x".repeat(1025)).unwrap_err().code(), ErrorCode::OutOfBounds);

    let longest = duration(8784 * HOUR * 1_000_000_000);
    let longer = duration(8784 * HOUR * 1_000_000_000 + 1);
    assert!(Window::new(WindowMode::After, longest).is_ok());
    assert_eq!(Window::new(WindowMode::After, longer).unwrap_err().code(), ErrorCode::OutOfBounds);

    let only = |count: usize| format!("@daily {}", "@only(hours=1) ".repeat(count));
    let avoid = |count: usize| format!("@daily @avoid({})", vec!["hours=1"; count].join(";"));
    assert_eq!((code(&only(128)), code(&avoid(128))), (None, None));
    assert_eq!(code(&only(129)), Some(ErrorCode::ConstraintTooLong));
    assert_eq!(code(&avoid(129)), Some(ErrorCode::ConstraintTooLong));
    let clause = Clause::builder().part("hours", "1").build().unwrap();
    assert!(Constraints::from_clauses(vec![clause.clone(); 128], vec![clause.clone(); 128]).is_ok());
    assert!(Constraints::from_clauses(vec![clause.clone(); 129], Vec::new()).is_err());
    assert!(Constraints::from_clauses(Vec::new(), vec![clause; 129]).is_err());

    let part =
        |name: &str, count: usize| Clause::builder().part(name, &format!("1{}", ",1".repeat(count))).build();
    assert!(part("hours", 63).is_ok() && part("dom", 47).is_ok());
    assert_eq!(part("hours", 64).unwrap_err().code(), ErrorCode::ConstraintTooLong);
    assert_eq!(part("dom", 48).unwrap_err().code(), ErrorCode::ConstraintTooLong);
}

/// An explanation lists a thousand runs and counts all.
#[test]
fn explanations_list_a_thousand_runs() {
    let minutes: Vec<String> = (0..12).map(|i| format!("{i:02}:00-{i:02}:00")).collect();
    let job = job(&format!("@yearly @win(after,8784h) @only(between={})", minutes[..10].join(",")));
    let explanation = job.explain(0).unwrap();
    assert_eq!(explanation.allowed_runs.len(), 1000);
    assert_eq!(explanation.candidates, 8784 * 3600 + 1);
    // Ten minutes on each of 366 days, and the window's very last second, a midnight.
    assert_eq!(explanation.allowed, 366 * 600 + 1);
    assert_eq!(explanation.allowed_runs[0], (0, 59));
}

/// Of a year of missed minutes a plan names the newest hundred and counts the others.
#[test]
fn plans_are_bounded() {
    let periods = (0..525_600).map(|i| Period::new(i * 60, (i * 60, i * 60), Some(i * 60)));
    let plan = plan(periods, &Policy::default(), 600_000_000, false);
    assert_eq!(plan.steps.len(), 100);
    assert_eq!(plan.older_missed, 525_500);
    assert!(plan.steps.iter().all(|step| step.action == Action::Record(Outcome::Missed)));
    assert_eq!(plan.steps[0].period.nominal_timestamp(), 525_500 * 60);
}

/// A period that a host kept may have any times.
#[test]
fn periods_of_a_host_may_be_extreme() {
    for (nominal, window, chosen) in [
        (i64::MAX, (i64::MIN, i64::MAX), None),
        (i64::MIN, (i64::MIN, i64::MAX), Some(i64::MAX)),
        (0, (i64::MAX, i64::MIN), Some(i64::MIN)),
    ] {
        let period = Period::new(nominal, window, chosen);
        for now in [i64::MIN, 0, i64::MAX] {
            for deadline in [0, i64::MAX] {
                let policy = Policy::default().with_deadline(duration(deadline)).unwrap();
                let _ = policy.evaluate(period, now, false, false);
                assert_eq!(plan([period], &policy, now, true).steps.len(), 1);
            }
        }
        assert!(!format!("{period:?} {}", period.period_id()).is_empty());
        let _ = (period.nominal_time(), period.window_start(), period.window_end(), period.chosen_time());
    }
}
