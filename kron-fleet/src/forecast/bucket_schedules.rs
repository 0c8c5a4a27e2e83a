//! The jobs of a bucket by their schedules and namespaces.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::ForecastJob;

/// The starts that one schedule has in a bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScheduleStarts<'a> {
    /// The cron expression.
    pub expression: String,
    /// The name of its zone.
    pub timezone: &'a str,
    /// How many times its jobs start.
    pub starts: u64,
    /// The namespaces of its jobs: those with the most starts first, then in order of their names.
    pub namespaces: Vec<NamespaceStarts<'a>>,
}

/// The starts that the jobs of one schedule in one namespace have in a bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NamespaceStarts<'a> {
    /// The part before the first slash of the jobs' names. Empty for names without a slash.
    pub namespace: &'a str,
    /// How many times its jobs start.
    pub starts: u64,
    /// The names of the jobs with their starts, in the order in which they were given.
    pub jobs: Vec<(&'a str, u64)>,
}

/// The jobs of one bucket of [`jobs_in_buckets`](super::jobs_in_buckets) by their schedules: those with the most starts first, then in order of their
/// expressions and zones.
///
/// ```
/// use kron_core::{Duration, Job};
/// use kron_fleet::forecast::{ForecastBy, ForecastJob, ForecastRange, jobs_in_buckets, schedules_in_bucket};
/// let jobs = [("a/x", "@daily"), ("a/y", "0 0 * * *"), ("b/z", "@daily"), ("a/w", "@hourly")];
/// let jobs = jobs.map(|(name, text)| Job::parse(name, text).unwrap());
/// let jobs = jobs.each_ref().map(ForecastJob::new);
/// let day = ForecastRange::new(0..86_400, Duration::from_secs(60))?;
/// let found = jobs_in_buckets(&jobs, &day, ForecastBy::NominalTime, &[0]);
/// let schedules = schedules_in_bucket(&jobs, &found[0]);
/// let expressions: Vec<_> = schedules.iter().map(|found| (found.expression.as_str(), found.starts)).collect();
/// assert_eq!(expressions, [("0 0 * * *", 3), ("0 * * * *", 1)]);
/// assert_eq!((schedules[0].namespaces[0].namespace, schedules[0].namespaces[0].starts), ("a", 2));
/// # Ok::<(), kron_core::Error>(())
/// ```
pub fn schedules_in_bucket<'a>(jobs: &[ForecastJob<'a>], bucket: &[(usize, u64)]) -> Vec<ScheduleStarts<'a>> {
    type Jobs<'a> = BTreeMap<&'a str, Vec<(&'a str, u64)>>;
    let mut found: BTreeMap<(String, &str), Jobs<'a>> = BTreeMap::new();
    for (job, starts) in bucket.iter().filter_map(|(index, starts)| Some((jobs.get(*index)?.job, *starts))) {
        let namespace = job.name().split_once('/').map_or("", |(namespace, _)| namespace);
        let schedule = (job.spec().schedule().to_string(), job.spec().timezone().name());
        found.entry(schedule).or_default().entry(namespace).or_default().push((job.name(), starts));
    }
    let sum = |jobs: &[(&str, u64)]| jobs.iter().map(|(_, starts)| starts).sum();
    let schedules = found.into_iter().map(|((expression, timezone), namespaces)| {
        let namespaces = namespaces.into_iter();
        let mut namespaces: Vec<NamespaceStarts<'a>> = namespaces
            .map(|(namespace, jobs)| NamespaceStarts { namespace, starts: sum(&jobs), jobs })
            .collect();
        // Stable, so equals stay in order of their names.
        namespaces.sort_by_key(|found| core::cmp::Reverse(found.starts));
        let starts = namespaces.iter().map(|found| found.starts).sum();
        ScheduleStarts { expression, timezone, starts, namespaces }
    });
    let mut schedules: Vec<ScheduleStarts<'a>> = schedules.collect();
    schedules.sort_by_key(|found| core::cmp::Reverse(found.starts));
    schedules
}
