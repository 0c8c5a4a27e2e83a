//! A forecast as notebooks show it: the picture of `kron forecast`, and what stands in its fullest buckets.

use kron_core::Zone;
use kron_fleet::forecast::{Forecast, ForecastBy, ForecastJob};

use super::picture::{Picture, has_window, in_force, is_dispersed};
use super::text::{Shown, WEEK, Week};
use super::words::Sides;
use super::{fullest, plot};
use crate::output::terminal::Terminal;

/// The terminal that lines are made for.
const TERMINAL: Terminal = Terminal { columns: 100, colored: false, unicode: true };

/// The forecasts of the same jobs and the same buckets, at their nominal times and at their chosen times.
///
/// ```
/// use kron_cli::ForecastPair;
/// use kron_core::{Duration, Job, Zone};
/// use kron_fleet::forecast::{ForecastBy, ForecastJob, ForecastRange, forecast};
/// let jobs = ["x", "y"].map(|name| Job::parse(name, "0 0 * * * @win(after,3h)").unwrap());
/// let jobs: Vec<ForecastJob<'_>> = jobs.iter().map(ForecastJob::new).collect();
/// let range = ForecastRange::new(0..86_400, Duration::from_secs(3600))?;
/// let nominal = forecast(&jobs, &range, ForecastBy::NominalTime)?;
/// let chosen = forecast(&jobs, &range, ForecastBy::ChosenTime)?;
/// let pair = ForecastPair { jobs: &jobs, nominal: &nominal, chosen: &chosen, zone: &Zone::UTC };
/// assert!(pair.svg().contains("Fullest hour, Thu 1 January: 2 starts as written, 1 as"));
/// assert_eq!(pair.fullest(), "00:00  2  2 x 0 0 * * *  x, y\n");
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ForecastPair<'a> {
    /// The jobs that are counted.
    pub jobs: &'a [ForecastJob<'a>],
    /// The jobs at their nominal times.
    pub nominal: &'a Forecast,
    /// The jobs at their chosen times.
    pub chosen: &'a Forecast,
    /// The zone of all times.
    pub zone: &'a Zone,
}

impl<'a> ForecastPair<'a> {
    /// The picture that `kron forecast -o svg` prints. It is light or dark as the reader's programs are.
    pub fn svg(&self) -> String {
        let before = self.before();
        let range = self.chosen.range();
        let is_week = range.to_timestamp() - range.from_timestamp() >= WEEK;
        plot::svg(&Shown {
            picture: Picture {
                sides: Sides::FORECAST,
                before,
                after: self.chosen,
                base: None,
                starts: (before.map(Forecast::total), self.chosen.total()),
                jobs: in_force(self.jobs),
                window: None,
                zone: self.zone,
            },
            running: None,
            load: None,
            fullest: Vec::new(),
            fullest_are_after: false,
            names: false,
            week: is_week.then(|| Week::new(before, self.chosen, self.zone)).flatten(),
            clock_changes: Vec::new(),
            groups: None,
            try_window: None,
            page: "",
        })
    }

    /// Which schedules start in the fullest buckets, as `kron forecast` prints them; empty if none stands out.
    pub fn fullest(&self) -> String {
        let (forecast, by) = match self.before() {
            Some(before) if is_dispersed(before, self.chosen) => (before, ForecastBy::NominalTime),
            _ => (self.chosen, ForecastBy::ChosenTime),
        };
        let buckets = fullest::of_forecast(self.jobs, forecast, None, by, self.zone);
        let (lines, _) = fullest::lines(&buckets, self.zone.name(), false, &TERMINAL);
        lines.iter().map(|line| format!("{line}\n")).collect()
    }

    /// What there is to compare: nothing if no job has a window.
    fn before(&self) -> Option<&'a Forecast> {
        has_window(self.jobs).then_some(self.nominal)
    }
}
