//! The starts of a range that has few of them, each with its time.

use kron_core::Zone;
use kron_fleet::forecast::{Forecast, ForecastJob};
use unicode_width::UnicodeWidthStr as _;

use super::picture::in_force;
use super::words::{self, grouped};
use crate::output::table::printable;

/// How many starts are listed.
const FEW: std::ops::RangeInclusive<u64> = 1..=10;

/// A start of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StartLine {
    /// When it is, on the clocks of the zone.
    pub(crate) at: String,
    pub(crate) job: String,
}

/// The starts of these jobs at their chosen times; none if there are more than a reader takes in. Of one job alone, these are the first.
pub(crate) fn of_forecast(jobs: &[ForecastJob<'_>], forecast: &Forecast, zone: &Zone) -> Vec<StartLine> {
    let is_few = FEW.contains(&forecast.total()) || (in_force(jobs) == 1 && forecast.total() > 1);
    if !is_few {
        return Vec::new();
    }
    let range = forecast.range();
    let (from, to) = (range.from_timestamp(), range.to_timestamp());
    let counted = jobs.iter().filter(|found| !found.job.spec().policy().suspend());
    // What failed is reported beside the forecast.
    let starts = counted.flat_map(|found| {
        let starts = found.job.starts(from..to).filter_map(Result::ok).take(*FEW.end() as usize);
        starts.map(|start| (start.order_timestamp(), found.job.name()))
    });
    let mut starts: Vec<(i64, &str)> = starts.collect();
    starts.sort_unstable();
    let listed =
        |(at, job): (i64, &str)| StartLine { at: words::start_time(at, range, zone), job: printable(job) };
    starts.into_iter().map(listed).collect()
}

/// The lines below a caption. `all` are all starts.
pub(crate) fn lines(starts: &[StartLine], all: u64, caption: String) -> Vec<String> {
    if starts.is_empty() {
        return Vec::new();
    }
    let width = starts.iter().map(|start| start.at.width()).max().unwrap_or(0);
    let line = |start: &StartLine| format!("{:<width$}  {}", start.at, start.job);
    let more = all.saturating_sub(starts.len() as u64);
    let more = (more > 0).then(|| format!("and {} more", grouped(more)));
    std::iter::once(caption).chain(starts.iter().map(line)).chain(more).collect()
}

#[cfg(test)]
mod tests {
    use kron_core::{Duration, Job};
    use kron_fleet::forecast::{ForecastBy, ForecastRange, par_forecast};

    use super::*;

    #[test]
    fn few_starts_have_their_times() {
        let jobs = ["0 3 * * * @win(after,1h)", "30 4 * * 1", "0 5 * * * @policy(suspend=true)"];
        let jobs: Vec<Job> = jobs.iter().map(|text| Job::parse("prod/backup", text).unwrap()).collect();
        let jobs: Vec<ForecastJob<'_>> = jobs.iter().map(ForecastJob::new).collect();
        let p = |days: i64| {
            // From Monday, 2 March 2026.
            let range = 1_772_409_600..1_772_409_600 + days * 86_400;
            let range = ForecastRange::new(range, Duration::from_secs(60)).unwrap();
            let forecast = par_forecast(&jobs, &range, ForecastBy::ChosenTime).unwrap();
            lines(&of_forecast(&jobs, &forecast, &Zone::UTC), forecast.total(), "Starts".to_string())
        };
        let starts = jobs[0].job.starts(1_772_409_600..1_772_582_400).map(|start| {
            let start = start.unwrap();
            let at = start.chosen_timestamp().unwrap().rem_euclid(86_400);
            format!("{:02}:{:02}:{:02}", at / 3600, at / 60 % 60, at % 60)
        });
        let starts: Vec<String> = starts.collect();
        assert_eq!(
            p(2),
            [
                "Starts".to_string(),
                format!("Mon 2 {}  prod/backup", starts[0]),
                "Mon 2 04:30:00  prod/backup".to_string(),
                format!("Tue 3 {}  prod/backup", starts[1]),
            ]
        );
        assert_eq!(p(1)[2], "04:30:00  prod/backup");
        // More than ten of several jobs.
        assert_eq!(p(10), [""; 0]);
        let range = ForecastRange::new(1_772_409_600..1_773_446_400, Duration::from_secs(60)).unwrap();
        // One that starts, alone and beside a suspended one.
        for some in [vec![jobs[0]], vec![jobs[0], jobs[2]]] {
            let one = par_forecast(&some, &range, ForecastBy::ChosenTime).unwrap();
            let found = lines(&of_forecast(&some, &one, &Zone::UTC), one.total(), "Starts".to_string());
            assert_eq!((found.len(), found[11].as_str()), (12, "and 2 more"));
        }
    }
}
