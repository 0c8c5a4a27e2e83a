//! Measures a forecast of many hourly jobs over a month, on one core, and prints a table of `docs/explain/benchmarks.md`. Linux only: it
//! reads its time and its memory from `/proc`.

use kron_benches::fleet::{NOW, setting};
use kron_benches::table;
use kron_core::{Duration, Job};
use kron_fleet::forecast::{ForecastBy, ForecastJob, ForecastRange, forecast};

const DAY: i64 = 86_400;
/// Jobs whose starts are also listed one by one, to check the counts.
const CHECKED: usize = 200;

fn main() {
    let jobs: Vec<Job> = (0..setting("KRON_BENCH_JOBS", 100_000)).map(job).collect();
    let jobs: Vec<ForecastJob<'_>> = jobs.iter().map(ForecastJob::new).collect();
    check(&jobs[..CHECKED.min(jobs.len())]);
    let month = range(31);
    let before = seconds();
    let found = forecast(&jobs, &month, ForecastBy::ChosenTime).expect("all durations are short");
    let row = vec![
        jobs.len().to_string(),
        found.total().to_string(),
        format!("{:.1}", seconds() - before),
        (peak_memory() >> 10).to_string(),
    ];
    table::print(&["jobs", "starts", "CPU time, s", "peak memory, MiB"], [row]);
}

fn job(i: usize) -> Job {
    let text = format!("{} * * * * @win(after,{}m)", i % 60, [10, 20, 30, 50][i % 4]);
    Job::parse(&format!("team-{}/job-{i}", i % 97), &text).expect("a good job")
}

fn range(days: i64) -> ForecastRange {
    ForecastRange::new(NOW..NOW + days * DAY, Duration::from_secs(60)).expect("a good range")
}

/// Compares the counts of a week with the starts of each job.
fn check(jobs: &[ForecastJob<'_>]) {
    let week = range(7);
    let mut starts = vec![0; week.len()];
    for job in jobs {
        for start in job.job.starts(week.from_timestamp()..week.to_timestamp()) {
            let chosen = start.expect("no search fails").chosen_timestamp().expect("no constraints");
            starts[((chosen - NOW) / 60) as usize] += 1;
        }
    }
    let found = forecast(jobs, &week, ForecastBy::ChosenTime).expect("all durations are short");
    assert!(found.buckets().iter().map(|bucket| bucket.starts).eq(starts));
}

/// The processor time of this process in user mode, in seconds.
fn seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux");
    // After the name in parentheses, the 12th field is the time in ticks, of which Linux has 100 a second.
    let fields = stat.rsplit_once(')').expect("a name").1;
    let ticks = fields.split_whitespace().nth(11).and_then(|ticks| ticks.parse::<f64>().ok());
    ticks.expect("a number of ticks") / 100.0
}

/// The highest resident memory of this process, in KiB.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a line");
    line.split_whitespace().next().and_then(|number| number.parse().ok()).expect("a number")
}
