//! The forecasts of jobs at their nominal and their chosen times, as notebooks and pages show them: the picture of `kron forecast`, what
//! stands in its fullest buckets, and its page.

use kron_core::Zone;
use kron_fleet::forecast::{ClockChangeDay, Forecast, ForecastBy, ForecastJob, clock_change_days};

use super::fullest::{self, FullBucket};
#[cfg(feature = "page")]
use super::html::{Content, SideJobs};
use super::picture::{Picture, has_window, in_force, is_dispersed, is_one_start};
use super::plot;
use super::text::{Shown, WEEK, Week};
use super::words::Sides;
#[cfg(feature = "page")]
use super::{Report, Side, json};
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
/// let pair = ForecastPair { jobs: &jobs, declared: None, nominal: &nominal, chosen: &chosen, zone: &Zone::UTC };
/// assert_eq!(pair.sentence(), "Fullest hour, Thu 1 January: 2 starts as written, 1 as spread (2 times fewer)");
/// assert!(pair.svg().contains("Fullest hour, Thu 1 January: 2 starts as written, 1 as"));
/// assert_eq!(pair.fullest(), "00:00  2  2 x 0 0 * * *  x, y\n");
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ForecastPair<'a> {
    /// The jobs that are counted.
    pub jobs: &'a [ForecastJob<'a>],
    /// The same jobs as they are declared, where some are schedules in their places. `nominal` is then of these.
    pub declared: Option<&'a [ForecastJob<'a>]>,
    /// The jobs at their nominal times.
    pub nominal: &'a Forecast,
    /// The jobs at their chosen times.
    pub chosen: &'a Forecast,
    /// The zone of all times.
    pub zone: &'a Zone,
}

impl<'a> ForecastPair<'a> {
    /// The result in one sentence.
    pub fn sentence(&self) -> String {
        self.picture().headline().sentence()
    }

    /// How many jobs and starts there are, and the zone of all times: `300 jobs, 1,128 starts, UTC`.
    pub fn amount(&self) -> String {
        self.picture().amount()
    }

    /// The picture that `kron forecast -o svg` prints. It is light or dark as the reader's programs are.
    pub fn svg(&self) -> String {
        plot::svg(&self.shown())
    }

    /// Which schedules start in the fullest buckets, as `kron forecast` prints them; empty if none stands out.
    pub fn fullest(&self) -> String {
        let (lines, _) = fullest::lines(&self.fullest_buckets(), self.zone.name(), false, &TERMINAL);
        lines.iter().map(|line| format!("{line}\n")).collect()
    }

    /// What the page of `kron forecast -o html` says, without its style and its script.
    #[cfg(feature = "page")]
    pub fn page(&self) -> ForecastPage {
        let before = SideJobs { jobs: self.declared.unwrap_or(self.jobs), by: ForecastBy::NominalTime };
        let after = SideJobs { jobs: self.jobs, by: ForecastBy::ChosenTime };
        let Content { main, data } = Content::new(&self.shown(), before, after);
        ForecastPage { html: main.into_string(), data }
    }

    /// The object that `kron forecast --cron -o json` prints.
    #[cfg(feature = "page")]
    pub fn json(&self) -> serde_json::Value {
        let declared = self.declared.unwrap_or(self.jobs);
        json::object(&Report {
            jobs: self.jobs.len(),
            base: None,
            kron: Side::new(self.jobs, self.chosen, ForecastBy::ChosenTime, self.zone),
            cron: Some(Side::new(declared, self.nominal, ForecastBy::NominalTime, self.zone)),
            groups: None,
            load_unit: None,
            zone: self.zone,
            clock_changes: self.clock_changes(),
        })
    }

    fn shown(&self) -> Shown<'a> {
        let range = self.chosen.range();
        let is_week = range.to_timestamp() - range.from_timestamp() >= WEEK;
        Shown {
            picture: self.picture(),
            running: None,
            load: None,
            fullest: self.fullest_buckets(),
            minute: None,
            fullest_after: match self.by() {
                ForecastBy::NominalTime => fullest::one_in_words(self.jobs, self.chosen, self.zone),
                ForecastBy::ChosenTime => None,
            },
            starts: Vec::new(),
            fullest_side: self.before().map(|_| self.sides().of(self.by())),
            names: false,
            week: is_week.then(|| Week::new(self.before(), self.chosen, self.zone)).flatten(),
            clock_changes: self.clock_changes(),
            groups: None,
            next: None,
            page: "",
            rows: None,
        }
    }

    fn picture(&self) -> Picture<'a> {
        let before = self.before();
        Picture {
            sides: self.sides(),
            before,
            after: self.chosen,
            base: None,
            starts: (before.map(Forecast::total), self.chosen.total()),
            jobs: in_force(self.jobs),
            window: None,
            zone: self.zone,
        }
    }

    fn sides(&self) -> Sides {
        if has_window(self.jobs) { Sides::FORECAST } else { Sides::PLACED }
    }

    fn clock_changes(&self) -> Vec<ClockChangeDay> {
        clock_change_days(self.jobs, self.chosen.range(), ForecastBy::ChosenTime)
    }

    /// The side whose fullest buckets are shown: the herd, if it is dispersed; else what remains.
    fn by(&self) -> ForecastBy {
        match self.before() {
            Some(before) if is_dispersed(before, self.chosen) => ForecastBy::NominalTime,
            _ => ForecastBy::ChosenTime,
        }
    }

    fn fullest_buckets(&self) -> Vec<FullBucket<'a>> {
        match self.by() {
            by @ ForecastBy::NominalTime => {
                fullest::of_forecast(self.declared.unwrap_or(self.jobs), self.nominal, None, by, self.zone)
            }
            by => fullest::of_forecast(self.jobs, self.chosen, None, by, self.zone),
        }
    }

    /// What there is to compare: nothing if no job has a window or is placed, or if all there is is one start.
    fn before(&self) -> Option<&'a Forecast> {
        let compares = has_window(self.jobs) || self.declared.is_some();
        Some(self.nominal).filter(|nominal| compares && !is_one_start(nominal, self.chosen))
    }
}

/// What the page of a forecast says.
#[cfg(feature = "page")]
#[derive(Clone, Debug)]
pub struct ForecastPage {
    /// The elements of the page. Texts of jobs are escaped.
    pub html: String,
    /// What the page's script needs; nothing if no job starts.
    pub data: Option<serde_json::Value>,
}
