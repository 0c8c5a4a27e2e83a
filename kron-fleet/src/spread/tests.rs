//! Compares plans with forecasts of their jobs, and bounds of small fleets with all possible choices.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use alloc::{format, vec};

use kron_core::{Algorithm, Duration, SeedStrategy};
use proptest::prelude::*;

use super::*;
use crate::forecast::{ForecastBy, ForecastJob, forecast};

mod placed;

/// 2026-03-01T00:00:00Z, a Sunday.
const AT: i64 = 1_772_323_200;
const DAY: i64 = 86_400;

fn range(from: i64, to: i64, per: u32) -> ForecastRange {
    ForecastRange::new(from..to, Duration::from_secs(per)).unwrap()
}

fn jobs(texts: &[impl AsRef<str>]) -> Vec<Job> {
    texts.iter().enumerate().map(|(i, text)| Job::parse(&format!("a/{i}"), text.as_ref()).unwrap()).collect()
}

fn plan(jobs: &[Job], range: &ForecastRange, fixed: bool, peak: Option<u64>) -> SpreadPlan {
    spread(
        &jobs.iter().collect::<Vec<_>>(),
        range,
        &SpreadOptions { fixed, peak, ..SpreadOptions::default() },
    )
}

/// The peak of a forecast and its first bucket.
fn peak_of(jobs: &[Job], range: &ForecastRange) -> (u64, usize) {
    let jobs: Vec<ForecastJob<'_>> = jobs.iter().map(ForecastJob::new).collect();
    let found = forecast(&jobs, range, ForecastBy::ChosenTime).unwrap();
    assert!(found.failed().is_empty());
    let summary = found.summary(|bucket| bucket.starts.into());
    (summary.peak, summary.peak_bucket)
}

fn edited(jobs: &[Job], plan: &SpreadPlan) -> Vec<Job> {
    plan.jobs(&jobs.iter().collect::<Vec<_>>()).unwrap()
}

/// Checks everything about a plan that a forecast shows.
fn check(jobs: &[Job], range: &ForecastRange, fixed: bool, peak: Option<u64>) -> SpreadPlan {
    let plan = plan(jobs, range, fixed, peak);
    assert_eq!(plan.present_peak, peak_of(jobs, range).0);
    assert_eq!((plan.peak, plan.peak_bucket), peak_of(&edited(jobs, &plan), range));
    assert!(plan.bound.peak <= plan.peak, "{plan:?}");
    if !fixed {
        assert!(plan.peak <= plan.present_peak && plan.bound.peak <= plan.present_peak, "{plan:?}");
    }
    for (job, seed) in jobs.iter().zip(&plan.seeds) {
        let Some(seed) = seed else { continue };
        assert_ne!(seed, job.spec().seed());
        assert!(!job.spec().policy().suspend());
        let may_be_fixed = fixed && job.spec().algorithm() == Algorithm::SipHashChaCha8;
        let strategy = if may_be_fixed { SeedStrategy::Fixed } else { job.spec().seed().strategy() };
        assert_eq!(seed.strategy(), strategy);
    }
    plan
}

#[test]
fn plans_agree_with_forecasts() {
    let texts = [
        "@daily",
        "@daily @win(after,3h)",
        "*/7 * * * * @win(after,1h)",
        "0 * * * * @win(around,40m) @avoid(hours=2-4) @seed(fixed,salt=x)",
        "30 2 * * * @tz(Europe/Paris) @win(before,2h) @seed(daily)",
        "*/15 * * * * @tz(America/New_York) @win(after,5m) @only(dow=MON-FRI) @seed(weekly)",
        "* * * * * @policy(suspend=true) @win(after,1h)",
        "0 0 * * * @win(after,240h) @dist(normal) @only(hours=1-4)",
        "0 3 * * * @win(after,2h) @alg(sha256-splitmix64/1) @avoid(hours=3) @seed(daily)",
        "0 12 * * * @win(after,1.5s) @seed(fixed)",
    ];
    let jobs = jobs(&texts.iter().cycle().take(60).collect::<Vec<_>>());
    let mut lower = 0;
    // Over the clock changes of New York (8 March) and of Paris (29 March), with ranges and buckets of odd lengths.
    for (from, to, per) in [
        (AT + 6 * DAY + 17, AT + 9 * DAY + 5, 60),
        (AT + 28 * DAY, AT + 29 * DAY, 7),
        (AT - 1, AT + 4 * DAY, 3600),
    ] {
        for fixed in [false, true] {
            let range = range(from, to, per);
            let best = check(&jobs, &range, fixed, None);
            lower += usize::from(best.peak < best.present_peak);
            // The search ends once it has the peak.
            let enough = check(&jobs, &range, fixed, Some(best.peak + 1));
            assert!(enough.peak <= best.peak + 1);
        }
    }
    assert!(lower >= 4, "{lower}");
}

#[test]
fn a_peak_that_is_reached_changes_nothing() {
    let jobs = jobs(&["@daily @win(after,1h)"; 20]);
    let range = range(AT, AT + DAY, 60);
    let present = peak_of(&jobs, &range).0;
    let plan = check(&jobs, &range, false, Some(present));
    assert_eq!((plan.seeds, plan.peak, plan.bound.peak), (vec![None; 20], present, 1));
}

#[test]
fn fleets_of_fixed_jobs_come_close_to_the_bound() {
    let texts: Vec<String> = (0..1500)
        .map(|i| match i % 5 {
            0 => format!("0 * * * * @win(after,{}m) @seed(fixed)", [10, 20, 50][i / 5 % 3]),
            1 => "0 0 * * * @win(after,1h) @seed(fixed)".into(),
            2 => format!("0 0 * * * @tz(Europe/Paris) @win(around,{}h) @seed(fixed)", 1 + i / 5 % 6),
            3 => "30 1 * * MON-FRI @win(after,3h) @avoid(hours=2) @seed(fixed)".into(),
            _ => format!("15 {} * * SUN @win(after,24h) @seed(fixed)", i / 5 % 24),
        })
        .collect();
    let plan = check(&jobs(&texts), &range(AT, AT + 7 * DAY, 60), false, None);
    let near = plan.bound.peak + (plan.bound.peak / 20).max(1);
    assert!(
        plan.peak <= near && plan.present_peak > near,
        "{} {} {}",
        plan.present_peak,
        plan.peak,
        plan.bound.peak
    );
}

#[test]
fn jobs_leave_full_buckets_through_others() {
    // Moves that each lower the costs end at a peak of 3.
    let days = ["*", "MON-FRI", "SAT,SUN", "MON", "WED", "FRI"];
    let text = |i: usize| {
        format!("0 {} * * {} @win(after,{}h) @seed(fixed)", i % 2, days[i / 2 % 6], 1 + i / 12 % 3)
    };
    let texts: Vec<String> = (0..800).map(text).collect();
    let plan = check(&jobs(&texts), &range(AT + DAY, AT + 8 * DAY, 60), false, None);
    assert_eq!((plan.peak, plan.bound.peak), (2, 2));
}

#[test]
fn windows_without_freedom_have_no_better_salts() {
    let jobs = jobs(&["0 0 * * *", "0 0 * * * @win(after,10s)", "0 0 * * * @seed(fixed)", "0 0 1 1 *"]);
    let plan = check(&jobs, &range(AT, AT + DAY, 60), true, None);
    // The job with a window gets the strategy; its salt does not matter.
    let fixed = Seed::new(SeedStrategy::Fixed, "").unwrap();
    assert_eq!((plan.seeds, plan.peak, plan.bound.peak), (vec![None, Some(fixed), None, None], 3, 3));
    let empty = plan_of_nothing();
    assert_eq!((empty.peak, empty.present_peak, empty.bound), (0, 0, PeakBound::default()));
}

fn plan_of_nothing() -> SpreadPlan {
    plan(&[], &range(AT, AT + DAY, 60), false, None)
}

#[test]
fn the_bound_counts_what_constraints_leave() {
    // Two hours of three: 120 starts in 2 x 60 + 1 minutes, one hour of which is forbidden.
    let texts = vec!["0 0 * * * @win(after,3h) @avoid(hours=1) @seed(fixed)"; 122];
    let plan = check(&jobs(&texts), &range(AT, AT + DAY, 60), false, None);
    assert_eq!(plan.bound.peak, 2);
    let buckets: usize = plan.bound.weights.iter().map(|run| run.last - run.first + 1).sum();
    assert_eq!((plan.bound.weights.len(), buckets), (2, 121));
}

/// The seconds in which the starts of a job can be: for each draw, the lists of starts that it can give. A draw that several
/// periods share puts them at the same place of windows without forbidden seconds.
fn draws(job: &Job, range: &ForecastRange) -> Vec<Vec<Vec<i64>>> {
    let reach = 400;
    let periods = job.periods(range.from_timestamp() - reach..range.to_timestamp() + reach);
    let shared = |nominal: i64| match job.spec().seed().strategy() {
        SeedStrategy::Fixed => 0,
        SeedStrategy::Daily => nominal.div_euclid(DAY),
        _ => nominal,
    };
    let mut windows: BTreeMap<i64, Vec<(i64, i64)>> = BTreeMap::new();
    for period in periods {
        let window = (period.window_start_timestamp(), period.window_end_timestamp());
        windows.entry(shared(period.nominal_timestamp())).or_default().push(window);
    }
    if job.spec().constraints().is_empty() {
        let options = |windows: Vec<(i64, i64)>| {
            let seconds = windows.first().map_or(0, |(first, last)| last - first + 1);
            (0..seconds).map(|at| windows.iter().map(|(first, _)| first + at).collect()).collect()
        };
        return windows.into_values().map(options).collect();
    }
    let allowed = |second: &i64| {
        let mut found = false;
        let (constraints, zone) = (job.spec().constraints(), job.spec().timezone());
        constraints.each_allowed_run(zone, *second, *second, |_, _| {
            found = true;
            false
        });
        found
    };
    let starts =
        |(first, last): (i64, i64)| (first..=last).filter(allowed).map(|start| vec![start]).collect();
    windows.into_values().flatten().map(starts).filter(|starts: &Vec<Vec<i64>>| !starts.is_empty()).collect()
}

/// The lowest peak of all choices.
fn lowest_peak(jobs: &[Job], range: &ForecastRange) -> u64 {
    fn search(draws: &[Vec<Vec<i64>>], range: &ForecastRange, starts: &mut Vec<u64>, best: &mut u64) {
        let peak = starts.iter().copied().max().unwrap_or(0);
        if peak >= *best {
            return;
        }
        let Some((draw, rest)) = draws.split_first() else {
            *best = peak;
            return;
        };
        let bucket = |second: &i64| {
            let inside = (range.from_timestamp()..range.to_timestamp()).contains(second);
            inside.then(|| ((second - range.from_timestamp()) / range.per_seconds()) as usize)
        };
        for option in draw {
            let buckets: Vec<usize> = option.iter().filter_map(bucket).collect();
            buckets.iter().for_each(|bucket| starts[*bucket] += 1);
            search(rest, range, starts, best);
            buckets.iter().for_each(|bucket| starts[*bucket] -= 1);
        }
    }
    let draws: Vec<_> = jobs.iter().flat_map(|job| draws(job, range)).collect();
    let mut best = u64::MAX;
    search(&draws, range, &mut vec![0; range.len()], &mut best);
    best
}

/// A job with windows of some seconds. All of them are around the first minutes of a day.
fn small_job() -> impl Strategy<Value = String> {
    let window = (0..3_usize, 0..4_i64).prop_map(|(mode, length)| {
        format!("@win({},{}s)", ["after", "around", "before"][mode], length * [1, 2, 1][mode])
    });
    let schedule = prop_oneof![Just("0 0 * * *"), Just("0-1 0 * * *"), Just("0,2 0 * * *")];
    let seed = prop_oneof![Just(""), Just(" @seed(fixed)"), Just(" @seed(daily)")];
    let plain =
        (schedule, window, seed).prop_map(|(schedule, window, seed)| format!("{schedule} {window}{seed}"));
    prop_oneof![
        9 => plain,
        1 => Just("0 0 * * * @win(after,61s) @avoid(between=00:00-00:00) @seed(fixed)".to_string()),
        1 => Just("0 0 * * * @win(around,4s) @avoid(hours=23)".to_string()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn no_choice_is_below_the_bound(
        texts in prop::collection::vec(small_job(), 1..5),
        per in 1..4_u32,
        from in -5..5_i64,
        length in 1..130_i64,
    ) {
        let (jobs, range) = (jobs(&texts), range(AT + from, AT + from + length, per));
        let plan = check(&jobs, &range, false, None);
        let lowest = lowest_peak(&jobs, &range);
        prop_assert!(plan.bound.peak <= lowest && lowest <= plan.peak, "{} {lowest} {}", plan.bound.peak, plan.peak);
    }

    #[test]
    fn the_bound_of_single_windows_is_exact(
        windows in prop::collection::vec((0..3_usize, 0..5_i64), 1..7),
        per in 1..3_u32,
    ) {
        let text = |(mode, length): &(usize, i64)| {
            format!("0 0 * * * @win({},{}s)", ["after", "around", "before"][*mode], length * [1, 2, 1][*mode])
        };
        let texts: Vec<String> = windows.iter().map(text).collect();
        let (jobs, range) = (jobs(&texts), range(AT - 20, AT + 20, per));
        let plan = check(&jobs, &range, false, None);
        let lowest = lowest_peak(&jobs, &range);
        prop_assert_eq!(plan.bound.peak, lowest);
        prop_assert!(plan.peak <= lowest + 1);
    }
}

/// Each call of the callback can end the search, and none comes after it.
#[test]
fn a_search_ends_where_the_caller_wants() {
    let jobs = jobs(&["0 0 * * * @win(after,1h)"; 40]);
    let jobs: Vec<&Job> = jobs.iter().collect();
    let (day, options) =
        (range(AT, AT + DAY, 60), SpreadOptions { fixed: true, peak: Some(1), ..SpreadOptions::default() });
    let mut calls = 0;
    let whole = spread_with(&jobs, &day, &options, || {
        calls += 1;
        Ok::<(), u32>(())
    });
    assert_eq!(whole, Ok(spread(&jobs, &day, &options)));
    assert!(calls > 100, "{calls} calls");
    for end in (1..calls).step_by(7) {
        let mut call = 0;
        let found = spread_with(&jobs, &day, &options, || {
            call += 1;
            if call < end { Ok(()) } else { Err(call) }
        });
        assert_eq!((found, call), (Err(end), end));
    }
}

/// A quick search has a plan as the whole one has, with fewer steps.
#[test]
fn a_quick_search_finds_a_plan() {
    let jobs = jobs(&["0 * * * * @win(after,30m) @avoid(hours=2)"; 30]);
    let refs: Vec<&Job> = jobs.iter().collect();
    let day = range(AT, AT + DAY, 60);
    let found = |quick| {
        let (options, mut calls) = (SpreadOptions { quick, ..SpreadOptions::default() }, 0);
        let plan = spread_with(&refs, &day, &options, || {
            calls += 1;
            Ok::<(), u32>(())
        });
        (plan.unwrap(), calls)
    };
    let ((quick, quick_calls), (whole, whole_calls)) = (found(true), found(false));
    assert!(quick.peak < quick.present_peak && quick.peak >= whole.bound.peak);
    assert_eq!(peak_of(&quick.jobs(&refs).unwrap(), &day), (quick.peak, quick.peak_bucket));
    assert!(quick_calls <= whole_calls, "{quick_calls} {whole_calls}");
}
