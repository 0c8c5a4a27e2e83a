//! Starts and periods, in both orders and directions, against deciding every period around and sorting.

use chrono::{DateTime, TimeDelta, Utc};
use kron_core::{Decision, Job};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::generators::*;
use crate::oracle;

/// A job and a range of instants in which it has a few hundred periods at most.
#[derive(Clone, Debug)]
struct Case {
    model: JobModel,
    name: String,
    from: i64,
    to: i64,
}

impl Case {
    fn job(&self) -> Job {
        Job::new(&self.name, self.model.build()).unwrap()
    }
}

/// Whole seconds that a window reaches to either side, rounded up.
fn reach(model: &JobModel) -> i64 {
    model.nanos / 1_000_000_000 + 1
}

/// Every start with a chosen time in `[from, to)`, in order.
fn brute_starts(job: &Job, model: &JobModel, from: i64, to: i64) -> Vec<(i64, i64)> {
    let (reach, schedule) = (reach(model), job.spec().schedule().in_zone(job.spec().timezone().clone()));
    let mut starts = Vec::new();
    let mut nominal = schedule.next_timestamp(from - reach - 1);
    while let Some(at) = nominal.filter(|at| *at <= to + reach) {
        if let Some(chosen) =
            job.decide(at).unwrap().chosen_timestamp().filter(|chosen| (from..to).contains(chosen))
        {
            starts.push((chosen, at));
        }
        nominal = schedule.next_timestamp(at);
    }
    starts.sort_unstable();
    starts
}

fn place_of(decision: Decision<'_>) -> (i64, i64) {
    (decision.chosen_timestamp().unwrap(), decision.nominal_timestamp())
}

fn case_with(cron: impl Strategy<Value = CronModel>, window: i64, range: i64) -> impl Strategy<Value = Case> {
    let narrow = proptest::option::weighted(0.3, (0..1440u16, 0..30u16));
    (job_with(cron, window, 0..2), name(), place(), 1..range, narrow, any::<bool>()).prop_map(
        |(mut model, name, (zone, from), length, narrow, free)| {
            model.zone = zone.clone();
            if free {
                (model.only, model.avoid) = (Vec::new(), Vec::new());
            }
            if let Some((minute, width)) = narrow {
                model.only = vec![ClauseModel(vec![Part::Between(vec![(minute, (minute + width) % 1440)])])];
            }
            let schedule = model.cron.cron().in_zone(zone.clone());
            let end = schedule.series(from).nth(150).map_or(i64::MAX, |end| end.timestamp());
            Case { model, name, from, to: (from + length).min(end) }
        },
    )
}

/// Dense schedules with overlapping windows, sparse ones, and ones in between.
fn case() -> impl Strategy<Value = Case> {
    prop_oneof![
        case_with(dense_cron(), 8 * 3600, DAY),
        case_with(dense_cron(), 600, 7 * DAY),
        case_with(cron(), 3 * 3600, 40 * DAY),
        case_with(sparse_cron(), 10 * DAY, 100 * DAY),
    ]
}

fn collect<'a>(
    starts: impl Iterator<Item = Result<Decision<'a>, kron_core::Error>>,
) -> Result<Vec<(i64, i64)>, TestCaseError> {
    starts.map(|start| start.map(place_of).map_err(|error| TestCaseError::fail(error.to_string()))).collect()
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn starts_equal_brute_force(case in case()) {
        let job = case.job();
        let want = brute_starts(&job, &case.model, case.from, case.to);
        let found = collect(job.starts(case.from..case.to))?;
        prop_assert_eq!(&found, &want, "{}", job.spec());
        let mut back = collect(job.starts_back(case.from..case.to))?;
        back.reverse();
        prop_assert_eq!(&back, &want, "backwards: {}", job.spec());
    }

    #[test]
    fn next_and_prev_start_equal_brute_force(case in case(), probes in vec(any::<prop::sample::Index>(), 4)) {
        let job = case.job();
        let want = brute_starts(&job, &case.model, case.from, case.to);
        let mut at = vec![case.from - 1, case.from, case.to - 1];
        for probe in &probes {
            at.push(case.from + probe.index(usize::try_from(case.to - case.from).unwrap()) as i64);
            if !want.is_empty() {
                let (chosen, _) = want[probe.index(want.len())];
                at.extend([chosen - 1, chosen]);
            }
        }
        for at in at {
            let next = want.iter().copied().find(|(chosen, _)| *chosen > at);
            let found = job.next_start(at).ok().map(place_of);
            if next.is_some() || found.is_some_and(|(chosen, _)| chosen < case.to) {
                prop_assert_eq!(found, next, "next_start({}) of {}", at, job.spec());
            }
            let prev = want.iter().copied().rfind(|(chosen, _)| *chosen <= at);
            let found = job.prev_start(at).ok().map(place_of);
            if at >= case.from && (prev.is_some() || found.is_some_and(|(chosen, _)| chosen >= case.from)) {
                prop_assert_eq!(found, prev, "prev_start({}) of {}", at, job.spec());
            }
        }
    }

    #[test]
    fn periods_are_repeated_steps(case in case()) {
        let job = case.job();
        let mut want = Vec::new();
        let mut next = job.next_period(case.from - 1).ok();
        while let Some(period) = next.filter(|period| period.nominal_timestamp() < case.to) {
            want.push(period);
            next = job.next_period(period.nominal_timestamp()).ok();
        }
        prop_assert!(job.periods(case.from..case.to).eq(want.iter().copied()));
        prop_assert!(job.periods_back(case.from..case.to).eq(want.iter().rev().copied()));
        let oracle = oracle::CronOracle::parse(&case.model.cron.plain());
        for period in &want {
            prop_assert!(oracle.matches(&oracle::civil(&oracle::tz(&case.model.zone), period.nominal_timestamp())));
            prop_assert_eq!(job.decide(period.nominal_timestamp()), Ok(*period));
            prop_assert_eq!(job.prev_period(period.nominal_timestamp()), Ok(*period));
        }
    }

    /// Unschedulable periods are counted by the end of their windows.
    #[test]
    fn unschedulable_periods_are_counted(case in case(), cut in any::<prop::sample::Index>()) {
        let (job, reach) = (case.job(), reach(&case.model));
        let count = |from: i64, to: i64| {
            let periods = job.periods(from - reach..to + reach).filter(|period| period.unschedulable().is_some());
            periods.filter(|period| (from..to).contains(&period.window_end_timestamp())).count() as u64
        };
        let cut = case.from + cut.index(usize::try_from(case.to - case.from).unwrap()) as i64;
        for (from, to) in [(case.from, case.to), (case.from, cut), (cut, case.to), (cut, cut), (case.to, case.from)] {
            prop_assert_eq!(job.unschedulable_in(from..to), count(from, to), "{} from {} to {}", job.spec(), from, to);
        }
        let (last, first) = (i64::MAX, i64::MIN);
        prop_assert_eq!(job.unschedulable_in(last..first), 0);
    }

    /// `[from, to)`: an empty or backward range has nothing, adjoining ranges join.
    #[test]
    fn ranges_are_half_open(case in case(), cut in any::<prop::sample::Index>()) {
        let job = case.job();
        let all = collect(job.starts(case.from..case.to))?;
        let cut = match all.get(cut.index(all.len() + 1)) {
            Some((chosen, _)) => *chosen,
            None => case.to,
        };
        let (mut first, second) = (collect(job.starts(case.from..cut))?, collect(job.starts(cut..case.to))?);
        prop_assert!(first.iter().all(|(chosen, _)| *chosen < cut) && second.iter().all(|(chosen, _)| *chosen >= cut));
        first.extend(second);
        prop_assert_eq!(first, all);
        prop_assert_eq!(job.starts(cut..cut).count() + job.starts_back(cut..cut).count(), 0);
        prop_assert_eq!(job.periods(cut..cut).count() + job.periods_back(cut..cut).count(), 0);
        prop_assert_eq!(job.starts(case.to..case.from).count() + job.periods(case.to..case.from).count(), 0);
        prop_assert_eq!(job.starts_back(case.to..case.from).count() + job.periods_back(case.to..case.from).count(), 0);
    }

    /// `after` and `at` are rounded down, bounds of ranges up: what comparing the fractions would answer.
    #[test]
    fn fractions_of_a_second(case in case(), nanos in 1..1_000_000_000u32, zone in zone()) {
        let job = case.job();
        let instant = |second: i64| DateTime::from_timestamp(second, 0).unwrap().fixed_offset();
        let sub = |second: i64| DateTime::from_timestamp(second, nanos).unwrap().with_timezone(&zone).fixed_offset();
        let starts: Vec<DateTime<Utc>> = job.starts(case.from..case.to).map(|start| start.unwrap().chosen_time().unwrap()).collect();
        for start in starts.iter().take(5).chain(starts.last()) {
            let at = sub(start.timestamp());
            prop_assert!(job.next_start(at).ok().and_then(|next| next.chosen_time()).is_none_or(|next| next > at));
            prop_assert_eq!(job.prev_start(at).unwrap().chosen_time(), Some(*start));
            let before = at - TimeDelta::seconds(1);
            prop_assert_eq!(job.next_start(before).unwrap().chosen_time(), Some(*start));
            // A range from a fraction on does not hold the second that began before; one up to it does.
            prop_assert!(job.starts(at..instant(case.to)).all(|start| start.unwrap().chosen_time().unwrap() >= at));
            let until = job.starts(instant(case.from)..at).map(|start| start.unwrap().chosen_time().unwrap()).collect::<Vec<_>>();
            let want: Vec<_> = starts.iter().copied().filter(|start| *start < at).collect();
            prop_assert_eq!(until, want);
        }
        for period in job.periods(case.from..case.to).take(5) {
            let at = sub(period.nominal_timestamp());
            prop_assert_eq!(job.prev_period(at), Ok(period));
            prop_assert_eq!(job.next_period(at - TimeDelta::seconds(1)), Ok(period));
            prop_assert!(job.periods(instant(case.from)..at).last() == Some(period));
            prop_assert!(job.periods(at..instant(case.to)).all(|later| later.nominal_time() > at));
            prop_assert_eq!(job.periods_back(at..instant(case.to)).last(), job.periods(at..instant(case.to)).next());
            let schedule = job.spec().schedule().in_zone(job.spec().timezone().clone());
            prop_assert_eq!(schedule.prev(at), Some(period.nominal_time()));
            prop_assert_eq!(schedule.series_back(at).next(), Some(period.nominal_time()));
            prop_assert_eq!(schedule.series(at - TimeDelta::seconds(1)).next(), Some(period.nominal_time()));
        }
    }
}

/// Ties of the chosen time: the smaller nominal time is first, in every call.
#[test]
fn ties_go_by_nominal_time() {
    let text = "* * * * * @win(around,2m) @only(between=00:30-00:30)";
    let job = Job::parse("a/ties", text).unwrap();
    let starts: Vec<(i64, i64)> = job.starts(0..DAY).map(|start| place_of(start.unwrap())).collect();
    // Several hundred days bring ties among three periods that share sixty seconds.
    let many: Vec<(i64, i64)> = job.starts(0..400 * DAY).map(|start| place_of(start.unwrap())).collect();
    assert!(starts.len() >= 3 && many.is_sorted());
    let ties: Vec<_> = many.windows(2).filter(|pair| pair[0].0 == pair[1].0).collect();
    assert!(ties.len() >= 5, "{}", ties.len());
    for pair in ties {
        let chosen = pair[0].0;
        let alike: Vec<(i64, i64)> = many.iter().copied().filter(|start| start.0 == chosen).collect();
        assert_eq!(job.next_start(chosen - 1).map(place_of), Ok(alike[0]));
        assert_eq!(job.prev_start(chosen).map(place_of), Ok(alike[alike.len() - 1]));
        let back: Vec<(i64, i64)> =
            job.starts_back(chosen..chosen + 1).map(|start| place_of(start.unwrap())).collect();
        assert!(back.iter().rev().eq(&alike));
    }
}
