//! What `kron forecast` prints, in its forms.

mod bars;
mod chart;
#[cfg(feature = "command")]
pub(crate) mod csv;
pub(crate) mod fullest;
#[cfg(feature = "page")]
pub(crate) mod html;
#[cfg(feature = "page")]
pub(crate) mod json;
pub(crate) mod pair;
pub(crate) mod picture;
pub(crate) mod plot;
pub(crate) mod start_list;
pub(crate) mod text;
mod week;
pub(crate) mod words;

use kron_core::Zone;
use kron_fleet::forecast::{Bucket, ClockChangeDay, Forecast, ForecastBy, ForecastJob, HeatMap, Summary};

#[cfg(feature = "page")]
use serde::Serialize;

/// The buckets whose jobs are listed for programs.
const WORST: usize = 5;
/// The days of a week, as heat maps list them.
const WEEKDAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/// Everything that programs read.
#[derive(Debug)]
pub(crate) struct Report<'a> {
    pub(crate) jobs: usize,
    /// The starts that each bucket has already, if they were asked for. All other numbers of starts include them.
    pub(crate) base: Option<&'a [u32]>,
    /// The jobs at their chosen times.
    pub(crate) kron: Side<'a>,
    /// The jobs at their nominal times, if they were asked for.
    pub(crate) cron: Option<Side<'a>>,
    pub(crate) groups: Option<Vec<Group>>,
    /// The unit of the load, unless the user chose it by the weights.
    pub(crate) load_unit: Option<&'static str>,
    /// The zone of the heat maps.
    pub(crate) zone: &'a Zone,
    /// The days of clock changes in the zones of the jobs, at their chosen times.
    pub(crate) clock_changes: Vec<ClockChangeDay>,
}

/// A forecast and its buckets with the most starts.
#[derive(Debug)]
pub(crate) struct Side<'a> {
    pub(crate) forecast: &'a Forecast,
    pub(crate) worst: Vec<WorstBucket>,
    pub(crate) heat_map: HeatMap,
}

/// A bucket and its jobs, by name, with their numbers of starts in it.
#[derive(Debug)]
pub(crate) struct WorstBucket {
    pub(crate) from: i64,
    pub(crate) starts: u32,
    pub(crate) jobs: Vec<(String, u64)>,
}

/// Some of the jobs.
#[derive(Debug)]
#[cfg_attr(feature = "page", derive(Serialize), serde(rename_all = "camelCase"))]
pub(crate) struct Group {
    pub(crate) name: String,
    pub(crate) jobs: usize,
    pub(crate) starts: u64,
    pub(crate) peak: u64,
    #[cfg_attr(feature = "page", serde(skip_serializing_if = "Option::is_none"))]
    pub(crate) cron_peak: Option<u64>,
}

impl<'a> Side<'a> {
    /// A forecast of jobs at these times.
    pub(crate) fn new(
        jobs: &[ForecastJob<'_>],
        forecast: &'a Forecast,
        by: ForecastBy,
        zone: &Zone,
    ) -> Side<'a> {
        let worst = fullest::members(jobs, forecast, by, forecast.worst(WORST)).into_iter();
        let worst = worst.map(|(index, members)| {
            let named = |(job, starts): (usize, u64)| (jobs[job].job.name().to_string(), starts);
            WorstBucket {
                from: forecast.range().bucket(index).0,
                starts: forecast.buckets()[index].starts,
                jobs: members.into_iter().map(named).collect(),
            }
        });
        Side { forecast, worst: worst.collect(), heat_map: forecast.heat_map(zone) }
    }
}

impl Report<'_> {
    /// What each bucket has already, as a summary sees it: a bucket with these starts and nothing else.
    fn summary_of_base(&self) -> Option<Summary> {
        let base = self.base?;
        Some(self.kron.forecast.clone().without_jobs().beside(base).summary(|bucket| bucket.starts.into()))
    }

    /// The sides with their names: cron first, as it is what happens without Kron.
    fn sides(&self) -> impl Iterator<Item = (&'static str, &Side<'_>)> {
        self.cron.iter().map(|side| ("cron", side)).chain([("kron", &self.kron)])
    }
}

/// The values of a bucket, with their names in the text.
type Value = (&'static str, fn(&Bucket) -> u64);
const VALUES: [Value; 3] = [
    ("starts", |bucket| u64::from(bucket.starts)),
    ("running", |bucket| u64::from(bucket.running)),
    ("load", |bucket| bucket.load),
];
