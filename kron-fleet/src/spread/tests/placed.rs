//! Compares plans of placed schedules with forecasts of their plain expressions.

use super::*;

/// Placed schedules, each with its declared expression.
fn placed(texts: &[impl AsRef<str>]) -> (Vec<Job>, Vec<String>) {
    let texts = texts.iter().map(AsRef::as_ref);
    let expressions = texts.clone().map(|text| text.split(" @").next().unwrap_or_default().to_string());
    let jobs = texts.enumerate().map(|(i, text)| {
        let fixed = if text.contains("@seed") { "" } else { " @seed(fixed)" };
        Job::parse(&format!("p/{i}"), &format!("{text}{fixed}")).unwrap()
    });
    (jobs.collect(), expressions.collect())
}

/// The plain jobs that another system runs.
fn plain(jobs: &[Job]) -> Vec<Job> {
    let plain = |job: &Job| {
        let (placed, spec) = (job.placed().unwrap(), job.spec());
        let text = format!("{} @tz({})", placed.expression(), spec.timezone());
        let suspended = if spec.policy().suspend() { " @policy(suspend=true)" } else { "" };
        Job::parse(job.name(), &format!("{text}{suspended}")).unwrap()
    };
    jobs.iter().map(plain).collect()
}

/// The plan of placed schedules beside a base, checked against a forecast of the plain expressions.
fn check_placed(
    texts: &[impl AsRef<str>],
    added: impl Fn(usize) -> bool,
    base: &[u32],
    range: &ForecastRange,
    options: &SpreadOptions,
) -> (Vec<Job>, SpreadPlan) {
    let (jobs, expressions) = placed(texts);
    let all = jobs.iter().zip(&expressions).enumerate().map(|(i, (job, expression))| {
        let job = SpreadJob::placed(job, expression).unwrap();
        if added(i) { job.added() } else { job }
    });
    let all: Vec<SpreadJob<'_>> = all.collect();
    let plan = spread_beside(&all, base, range, options, || Ok::<(), Error>(())).unwrap();
    let peak = |jobs: &[Job]| {
        let jobs = plain(jobs);
        let jobs: Vec<ForecastJob<'_>> = jobs.iter().map(ForecastJob::new).collect();
        let found = forecast(&jobs, range, ForecastBy::ChosenTime).unwrap();
        let base = base.iter().copied().chain(core::iter::repeat(0));
        found.buckets().iter().zip(base).map(|(bucket, base)| u64::from(bucket.starts + base)).max().unwrap()
    };
    let new = edited(&jobs, &plan);
    assert_eq!((plan.present_peak, plan.peak), (peak(&jobs), peak(&new)));
    assert!(plan.bound.peak <= plan.peak, "{} {}", plan.bound.peak, plan.peak);
    for (job, seed) in jobs.iter().zip(&plan.seeds) {
        let Some(seed) = seed else { continue };
        assert!(seed.strategy() == SeedStrategy::Fixed && !job.spec().policy().suspend());
        // The smallest number that leads there.
        let salt: u32 = seed.salt().parse().unwrap();
        let place = |salt: &str| {
            let seed = Seed::new(SeedStrategy::Fixed, salt).unwrap();
            let spec = job.spec().to_builder().seed(seed).build().unwrap();
            Job::new(job.name(), spec).unwrap().placed().unwrap()
        };
        let there = place(seed.salt());
        assert!((1..salt).all(|other| place(&other.to_string()) != there));
        assert_ne!(place(job.spec().seed().salt()), there);
    }
    (new, plan)
}

const TO_PLACE: [&str; 8] = [
    "0 0 * * * @win(after,1h)",
    "0 * * * * @win(after,1h) @seed(fixed,salt=x)",
    "30 1 * * * @tz(Europe/Paris) @win(around,2h)",
    "*/20 8-18 * * MON-FRI @tz(America/New_York) @win(after,15m)",
    "0 3 * * * @win(before,6h) @avoid(hours=0) @dist(normal)",
    "15 4 1,15 * * @win(after,30m) @dist(exponential,lambda=200)",
    "0 23 * * * @tz(Pacific/Auckland) @win(after,3h)",
    "0 0 * * * @win(after,1h) @policy(suspend=true)",
];

#[test]
fn plans_of_placed_schedules_agree_with_forecasts() {
    let texts: Vec<&str> = TO_PLACE.iter().copied().cycle().take(120).collect();
    let mut lower = 0;
    // Over the clock changes of New York (8 March) and of Paris (29 March), with ranges and buckets of odd lengths.
    for (from, to, per) in [
        (AT + 6 * DAY + 17, AT + 9 * DAY + 5, 60),
        (AT + 28 * DAY, AT + 29 * DAY + 1, 7),
        (AT - 1, AT + 4 * DAY, 3600),
        (AT, AT + 7 * DAY, 60),
    ] {
        let range = range(from, to, per);
        let base: Vec<u32> = (0..range.len() / 2).map(|bucket| (bucket % 5 / 3) as u32).collect();
        for base in [&[][..], &base] {
            let (_, best) = check_placed(&texts, |_| false, base, &range, &SpreadOptions::default());
            lower += usize::from(best.peak < best.present_peak);
            let options = SpreadOptions { peak: Some(best.peak + 1), ..SpreadOptions::default() };
            let (_, enough) = check_placed(&texts, |_| false, base, &range, &options);
            assert!(enough.peak <= best.peak + 1);
        }
    }
    assert!(lower >= 6, "{lower}");
}

#[test]
fn the_bound_of_placed_schedules_is_below_all_choices() {
    // 3 * 3 * 2 places, all of them looked at.
    let texts = ["0 0 * * * @win(after,2m)", "1 0 * * * @win(around,2m)", "3 0 * * * @win(before,1m)"];
    let range = range(AT, AT + DAY, 60);
    for base in [[0, 0, 0, 0], [1, 0, 2, 0], [0, 3, 0, 1], [1, 1, 1, 1], [5, 0, 0, 0]] {
        let mut best = u32::MAX;
        for (a, b, c) in (0..18).map(|i| (i % 3, i / 3 % 3, 2 + i / 9)) {
            let mut starts = base;
            [a, b, c].iter().for_each(|bucket| starts[*bucket as usize] += 1);
            best = best.min(starts.into_iter().max().unwrap());
        }
        let (_, plan) = check_placed(&texts, |_| false, &base, &range, &SpreadOptions::default());
        assert_eq!((plan.peak, plan.bound.peak), (best.into(), best.into()), "{base:?}");
    }
}

#[test]
fn an_added_schedule_moves_no_other_unless_the_peak_would_grow() {
    let day = range(AT, AT + DAY, 60);
    let texts = vec!["0 0 * * * @win(after,20m)"; 62];
    let (jobs, plan) = check_placed(&texts, |_| false, &[], &day, &SpreadOptions::default());
    assert_eq!((plan.peak, plan.bound.peak), (3, 3));
    // One more has room beside them: 63 starts in 21 minutes.
    let salts =
        jobs.iter().map(|job| format!("{} @win(after,20m) @seed({})", "0 0 * * *", job.spec().seed()));
    let mut texts: Vec<String> = salts.collect();
    texts.push("0 0 * * * @win(after,20m) @seed(fixed,salt=a)".into());
    let added = SpreadOptions { added_first: true, ..SpreadOptions::default() };
    let (_, plan) = check_placed(&texts, |i| i == 62, &[], &day, &added);
    assert_eq!((plan.peak, plan.seeds[..62].iter().flatten().count()), (3, 0));
    // One that can only start at 00:00, where three start: another one leaves.
    texts[62] = "0 0 * * *".into();
    let (_, plan) = check_placed(&texts, |i| i == 62, &[], &day, &added);
    assert_eq!((plan.peak, plan.seeds.iter().flatten().count()), (3, 1));
    let (_, plan) =
        check_placed(&texts, |i| i == 62, &[], &day, &SpreadOptions { max_moves: Some(0), ..added });
    assert_eq!((plan.peak, plan.seeds.iter().flatten().count()), (4, 0));
}

#[test]
fn no_more_jobs_move_than_allowed() {
    let texts: Vec<&str> = TO_PLACE.iter().copied().cycle().take(120).collect();
    let week = range(AT, AT + 7 * DAY, 60);
    let mut peaks = Vec::new();
    for moves in [0, 1, 3, 10, 120] {
        let options = SpreadOptions { max_moves: Some(moves), ..SpreadOptions::default() };
        let (_, plan) = check_placed(&texts, |_| false, &[], &week, &options);
        assert!(plan.seeds.iter().flatten().count() <= moves, "{moves}");
        peaks.push(plan.peak);
    }
    let (_, best) = check_placed(&texts, |_| false, &[], &week, &SpreadOptions::default());
    assert!(peaks.is_sorted_by(|a, b| a >= b) && peaks[0] > peaks[4], "{peaks:?}");
    assert_eq!(peaks[4], best.peak, "{peaks:?}");
}

#[test]
fn too_many_starts_of_candidates_are_refused() {
    let (jobs, expressions) = placed(&["*/10 * * * * @win(after,9m)"]);
    let job = SpreadJob::placed(&jobs[0], &expressions[0]).unwrap();
    // 130 years have 6.8 million starts a candidate, which is allowed; ten candidates have more than 67 million.
    let years = ForecastRange::new(0..4_102_444_800, Duration::from_secs(3600)).unwrap();
    let error =
        spread_beside(&[job], &[], &years, &SpreadOptions::default(), || Ok::<(), Error>(())).unwrap_err();
    assert!(error.to_string().contains("choose a shorter range"), "{error}");
}

/// Plain schedules as people have them: half of them hourly, half daily, most at a few times, each with a window of an hour.
fn plain_fleet(jobs: usize) -> Vec<String> {
    let text = |i: usize| match i % 2 {
        0 => format!("{} * * * * @win(after,1h)", [0, 0, 30, 5][i / 2 % 4]),
        _ => format!(
            "{} {} * * * @win(after,1h)",
            [0, 0, 0, 15, 30][i / 2 % 5],
            [0, 0, 1, 2, 3, 4, 6, 12][i / 10 % 8]
        ),
    };
    (0..jobs).map(text).collect()
}

/// The peak is at most 5 % above the bound, or one start where 5 % are less.
fn is_near(jobs: usize) {
    let week = range(AT + DAY, AT + 8 * DAY, 60);
    let (_, plan) = check_placed(&plain_fleet(jobs), |_| false, &[], &week, &SpreadOptions::default());
    let near = plan.bound.peak + (plan.bound.peak / 20).max(1);
    assert!(plan.peak <= near && plan.present_peak > near, "{jobs}: {} {}", plan.peak, plan.bound.peak);
}

#[test]
fn fleets_of_placed_schedules_come_close_to_the_bound() {
    [200, 450, 1000].into_iter().for_each(is_near);
}

#[test]
#[ignore = "takes half a minute; scripts/test_all.sh runs it"]
fn large_fleets_of_placed_schedules_come_close_to_the_bound() {
    [3000, 10_000].into_iter().for_each(is_near);
}
