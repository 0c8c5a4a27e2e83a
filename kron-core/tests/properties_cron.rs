//! The calendar search against oracles: minute by minute around changes of offset, day by day over years.

use kron_core::{Cron, Schedule, Zone};
use proptest::prelude::*;

use crate::generators::*;
use crate::oracle::CronOracle;

fn schedule(model: &CronModel, zone: Zone) -> Schedule {
    model.cron().in_zone(zone.clone())
}

/// Checks every way to search against the nominal times in `[from, to)`.
fn check(schedule: &Schedule, want: &[i64], from: i64, to: i64) -> Result<(), TestCaseError> {
    let mut up = schedule.series(from - 1);
    let mut series = Vec::new();
    while let Some(at) = up.next_timestamp().filter(|at| *at < to) {
        series.push(at);
    }
    prop_assert_eq!(&series, want, "series of {:?} in {}..{}", schedule, from, to);
    let mut down = schedule.series_back(to - 1);
    let mut back = Vec::new();
    while let Some(at) = down.next_timestamp().filter(|at| *at >= from) {
        back.push(at);
    }
    back.reverse();
    prop_assert_eq!(&back, want, "series_back of {:?} in {}..{}", schedule, from, to);

    // From any second, the neighbours are those of the list.
    let mut probes = vec![from, to - 1, (from + to) / 2];
    for at in want.iter().step_by(want.len() / 50 + 1) {
        probes.extend([at - 1, *at, at + 1]);
    }
    for probe in probes.into_iter().filter(|probe| (from..to).contains(probe)) {
        let next = want.iter().copied().find(|at| *at > probe);
        let prev = want.iter().copied().rfind(|at| *at <= probe);
        match (schedule.next_timestamp(probe), next) {
            (found, Some(_)) => prop_assert_eq!(found, next, "next of {}", probe),
            (found, None) => {
                prop_assert!(found.is_none_or(|at| at >= to), "next of {} is {:?}", probe, found)
            }
        }
        match (schedule.prev_timestamp(probe), prev) {
            (found, Some(_)) => prop_assert_eq!(found, prev, "prev of {}", probe),
            (found, None) => {
                prop_assert!(found.is_none_or(|at| at < from), "prev of {} is {:?}", probe, found)
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(400))]

    /// Three days around changes of offset and elsewhere.
    #[test]
    fn search_equals_minutes((model, (zone, at)) in (dense_cron(), place())) {
        let (from, to) = ((at - 36 * 3600).max(FIRST), (at + 36 * 3600).min(LAST + 1));
        let want = CronOracle::parse(&model.plain()).in_minutes(&crate::oracle::tz(&zone), from, to);
        check(&schedule(&model, zone), &want, from, to)?;
    }

    /// Three years at a time.
    #[test]
    fn search_equals_days((model, (zone, at)) in (sparse_cron(), place())) {
        let (from, to) = ((at - 500 * DAY).max(FIRST), (at + 500 * DAY).min(LAST + 1));
        let want = CronOracle::parse(&model.plain()).in_days(&crate::oracle::tz(&zone), from, to);
        check(&schedule(&model, zone), &want, from, to)?;
    }

    /// Next and previous are each other's inverse, and the series are repeated steps, over the whole range of time.
    #[test]
    fn next_and_prev_are_inverse((model, (zone, at)) in (cron(), place())) {
        let schedule = schedule(&model, zone.clone());
        let oracle = CronOracle::parse(&model.plain());
        let mut after = at;
        let mut series = schedule.series(at);
        for _ in 0..40 {
            let next = schedule.next_timestamp(after);
            prop_assert_eq!(series.next_timestamp(), next);
            let Some(next) = next else { break };
            prop_assert!(next > after);
            prop_assert!(oracle.matches(&crate::oracle::civil(&crate::oracle::tz(&zone), next)), "{} does not match", next);
            prop_assert_eq!(schedule.prev_timestamp(next), Some(next));
            let before = schedule.prev_timestamp(next - 1);
            prop_assert!(before.is_none_or(|before| before <= after));
            if let Some(before) = before {
                prop_assert_eq!(schedule.next_timestamp(before), Some(next));
            }
            after = next;
        }
        let (mut until, mut back) = (at, schedule.series_back(at));
        for _ in 0..40 {
            let prev = schedule.prev_timestamp(until);
            prop_assert_eq!(back.next_timestamp(), prev);
            let Some(prev) = prev else { break };
            prop_assert!(prev <= until);
            prop_assert!(schedule.next_timestamp(prev).is_none_or(|next| next > until));
            until = prev - 1;
        }
    }

    /// The count of nominal times in an interval, as if every day matched.
    #[test]
    fn most_nominal_times_in_an_interval((model, seconds) in (cron(), prop_oneof![0..200_000u64, 0..40_000_000u64])) {
        let mut every_day = model.clone();
        every_day.fields[2] = vec![Item::Star(1)];
        every_day.fields[3] = vec![Item::Star(1)];
        every_day.fields[4] = vec![Item::Star(1)];
        let length = i64::try_from(seconds).unwrap();
        let days = length / DAY;
        // The pattern repeats daily, so whole days may be cut out.
        let day = CronOracle::parse(&every_day.plain()).in_minutes(&jiff::tz::TimeZone::UTC, 0, 3 * DAY);
        let per_day = day.len() as u64 / 3;
        let rest = length % DAY;
        let most = day.iter().filter(|at| **at < DAY).map(|start| {
            day.iter().filter(|at| (*start..=*start + rest).contains(*at)).count() as u64
        });
        prop_assert_eq!(model.cron().most_nominal_times_in(seconds), days as u64 * per_day + most.max().unwrap());
    }

    /// An expression is refused as never matching if and only if it never does.
    #[test]
    fn never_matching((dom, months) in (proptest::collection::vec(1..32u8, 1..3), proptest::collection::vec(1..13u8, 1..3))) {
        let list = |values: &[u8]| values.iter().map(u8::to_string).collect::<Vec<_>>().join(",");
        let text = format!("0 0 {} {} *", list(&dom), list(&months));
        let oracle = CronOracle::parse(&text);
        match Cron::parse(&text) {
            Ok(cron) => {
                prop_assert!(!oracle.never_matches());
                prop_assert!(cron.in_zone(Zone::UTC).next_timestamp(0).is_some());
            }
            Err(error) => {
                prop_assert!(oracle.never_matches(), "{}", error);
                prop_assert_eq!(error.code(), kron_core::ErrorCode::CronNeverMatches);
                // With a weekday as well, it matches.
                prop_assert!(Cron::parse(&text.replace(" *", " MON")).is_ok());
            }
        }
    }
}

/// Every day of the notable changes of every notable zone, with the expression that shows them all.
#[test]
fn every_minute_around_notable_changes() {
    let cron = Cron::parse("*/5 * * * *").unwrap();
    let oracle = CronOracle::parse("*/5 * * * *");
    for name in ZONES {
        let zone = Zone::parse(name).unwrap();
        let changes = transitions(&zone);
        for at in changes.iter().step_by(changes.len() / 12 + 1) {
            let (from, to) = ((at - 8 * 3600).max(FIRST), at + 8 * 3600);
            let want = oracle.in_minutes(&crate::oracle::tz(&zone), from, to);
            check(&cron.in_zone(zone.clone()), &want, from, to)
                .unwrap_or_else(|error| panic!("{name} {at}: {error}"));
        }
    }
}
