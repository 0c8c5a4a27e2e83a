//! Certificates of [`spread`](fn@crate::spread::spread): everything from which a program that is not Kron can check a peak and its lower
//! bound.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use kron_core::error::Snippet;
use kron_core::time::Rfc3339;
use kron_core::{Calendar, Error, Job};
use serde_json::{Value, json};

use crate::error::DifferentCalendar;
use crate::forecast::ForecastRange;
use crate::spread::bound::runs;
use crate::spread::{SpreadJob, SpreadPlan};

/// The format of jobs alone.
const JOBS: &str = "kron-spread/1";
/// The format that also has schedules of other systems, and starts that are there already.
const PLACED: &str = "kron-spread/2";

/// What a certificate is about.
#[derive(Clone, Copy, Debug, Default)]
pub struct CertificateParts<'a> {
    /// The jobs that Kron starts and whose salts are chosen.
    pub jobs: &'a [&'a Job],
    /// A job file of these jobs, with the seeds of the plan.
    pub file: &'a str,
    /// The schedules of other systems.
    pub placed: &'a [PlacedPart<'a>],
    /// Jobs whose starts are counted as they are.
    pub others: &'a [&'a Job],
    /// The starts in each bucket beside all jobs, from the first on; none in buckets that it lacks.
    pub base: &'a [u32],
}

/// A schedule of another system in a certificate.
#[derive(Clone, Debug)]
pub struct PlacedPart<'a> {
    /// What was searched, with the zone in which the other system reads the schedule.
    pub job: &'a SpreadJob<'a>,
    /// The text of the declaration, with the seed of the plan.
    pub declaration: &'a str,
    /// The placed schedule.
    pub expression: &'a str,
}

impl SpreadPlan {
    /// Whether jobs can have a certificate.
    ///
    /// # Errors
    ///
    /// [`CalendarRepeated`](kron_core::ErrorCode::CalendarRepeated) if two jobs name calendars of one name with different dates, because
    /// a certificate has one list of dates for a name.
    ///
    /// ```
    /// use kron_core::{Calendars, ErrorCode, Job, Parser};
    /// use kron_fleet::spread::SpreadPlan;
    /// assert!(SpreadPlan::check_certifiable(&[&Job::parse("db/backup", "@daily @win(after,1h)")?]).is_ok());
    /// let job = |name, dates| {
    ///     let parser = Parser::new().with_calendars(Calendars::parse(dates)?);
    ///     Ok::<Job, Box<dyn std::error::Error>>(parser.job(name, "@daily @win(after,1h) @avoid(calendar=holidays)")?)
    /// };
    /// let (a, b) = (job("a", "holidays = 2026-12-25")?, job("b", "holidays = 2026-12-26")?);
    /// assert!(SpreadPlan::check_certifiable(&[&a]).is_ok());
    /// let error = SpreadPlan::check_certifiable(&[&a, &b]).unwrap_err();
    /// assert_eq!(error.code(), ErrorCode::CalendarRepeated);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check_certifiable(jobs: &[&Job]) -> Result<(), Error> {
        calendars(jobs).map(drop)
    }

    /// The proof of the peak and of the lower bound, as JSON; `docs/guide/spread.md` describes its fields.
    ///
    /// `file` is a job file of the jobs with the seeds of this plan: [`Parser::job_file_with_seeds`] edits one, and
    /// [`Job::to_line`] prints each of the jobs of [`jobs`](SpreadPlan::jobs). `jobs` and `range` are those of the search.
    ///
    /// # Errors
    ///
    /// As [`check_certifiable`](SpreadPlan::check_certifiable).
    ///
    /// [`Parser::job_file_with_seeds`]: kron_core::Parser::job_file_with_seeds
    ///
    /// ```
    /// use kron_core::{Duration, Job};
    /// use kron_fleet::forecast::ForecastRange;
    /// use kron_fleet::spread::{SpreadOptions, spread};
    /// let (job, day) = (Job::parse("db/backup", "@daily @win(after,1h)")?, ForecastRange::new(0..86_400, Duration::from_secs(60))?);
    /// let plan = spread(&[&job], &day, &SpreadOptions::default());
    /// let file = plan.jobs(&[&job])?[0].to_line();
    /// let certificate = plan.certificate(&[&job], &day, &file)?;
    /// assert!(certificate.starts_with(r#"{"bound":1,"certificate":"kron-spread/1","from":"1970-01-01T00:00:00Z","#));
    /// assert!(certificate.ends_with("\"jobs\":[\n\"0 0 * * * @win(after,1h0m0s) name=db/backup\"\n]}\n"));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn certificate(&self, jobs: &[&Job], range: &ForecastRange, file: &str) -> Result<String, Error> {
        self.certificate_of(&CertificateParts { jobs, file, ..CertificateParts::default() }, range)
    }

    /// [`certificate`](SpreadPlan::certificate) of a plan of [`spread_beside`](crate::spread::spread_beside). The base of that search is
    /// the starts of `others` and those of `base`.
    ///
    /// # Errors
    ///
    /// As [`check_certifiable`](SpreadPlan::check_certifiable), about `jobs` and `others` together.
    ///
    /// ```
    /// use kron_core::{Duration, Error, Job};
    /// use kron_fleet::forecast::ForecastRange;
    /// use kron_fleet::spread::{CertificateParts, PlacedPart, SpreadJob, SpreadOptions, spread_beside};
    /// let job = Job::parse("ops/backup", "0 0 * * * @win(after,2m) @seed(fixed)")?;
    /// let (day, placed) = (ForecastRange::new(0..86_400, Duration::from_secs(60))?, SpreadJob::placed(&job, "0 0 * * *")?);
    /// let plan = spread_beside(&[placed.clone()], &[1], &day, &SpreadOptions::default(), || Ok::<(), Error>(()))?;
    /// let part = PlacedPart { job: &placed, declaration: "0 0 * * * @win(after,2m) name=ops/backup", expression: "2 0 * * *" };
    /// let parts = CertificateParts { placed: &[part], base: &[1], ..CertificateParts::default() };
    /// assert!(plan.certificate_of(&parts, &day)?.contains(r#""certificate":"kron-spread/2""#));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn certificate_of(
        &self,
        parts: &CertificateParts<'_>,
        range: &ForecastRange,
    ) -> Result<String, Error> {
        let CertificateParts { jobs, file, placed, others, base } = *parts;
        let of_kron: Vec<&Job> = jobs.iter().chain(others).copied().collect();
        let all: Vec<&Job> =
            of_kron.iter().copied().chain(placed.iter().map(|part| part.job.job())).collect();
        let calendars = calendars(&of_kron)?;
        let weights = self.bound.weights.iter().map(|run| json!([run.first, run.last, run.weight]));
        let is_jobs_alone = placed.is_empty() && others.is_empty() && base.iter().all(|starts| *starts == 0);
        let mut head = json!({
            "certificate": if is_jobs_alone { JOBS } else { PLACED },
            "from": Rfc3339(range.from_timestamp()).to_string(),
            "until": Rfc3339(range.to_timestamp()).to_string(),
            "perSeconds": range.per_seconds(),
            "tzdb": tzdb_version(&all),
            "peak": self.peak,
            "bound": self.bound.peak,
            "weights": weights.collect::<Vec<_>>(),
        });
        if !calendars.is_empty() {
            let dates = calendars.into_iter().map(|(name, calendar)| (name, dates_of(calendar)));
            head["calendars"] = json!(dates.collect::<BTreeMap<_, _>>());
        }
        if !is_jobs_alone {
            let base = base.get(..range.len()).unwrap_or(base);
            head["base"] =
                json!(runs(base).iter().map(|run| (run.first, run.last, run.weight)).collect::<Vec<_>>());
        }
        // With what is about each job on a line of its own, as the last fields of the object.
        let mut out = head.to_string();
        out.truncate(out.len() - 1);
        let lines = file.lines().map(|line| line.trim_matches([' ', '\t']));
        let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(|line| json!(line));
        if !is_jobs_alone {
            list(&mut out, "placed", placed.iter().map(of_placed));
            let counted = others.iter().filter(|job| !job.spec().policy().suspend());
            list(&mut out, "others", counted.map(|job| json!(job.to_line())));
        }
        list(&mut out, "jobs", lines);
        out.push_str("}\n");
        Ok(out)
    }
}

/// Adds a field with a list, of which each item has a line.
fn list(out: &mut String, key: &str, items: impl Iterator<Item = Value>) {
    out.push_str(&format!(",\n\"{key}\":["));
    for (index, item) in items.enumerate() {
        out.push_str(if index == 0 { "\n" } else { ",\n" });
        out.push_str(&item.to_string());
    }
    out.push_str("\n]");
}

fn of_placed(part: &PlacedPart<'_>) -> Value {
    let shifts = part.job.shifts();
    let mut candidates: Vec<(i16, i16)> = Vec::new();
    for shift in shifts {
        match candidates.last_mut() {
            Some((_, last)) if *last + 1 == *shift => *last = *shift,
            _ => candidates.push((*shift, *shift)),
        }
    }
    let job = part.job.job();
    json!({
        "name": job.name(),
        "declaration": part.declaration,
        "timezone": job.spec().timezone().name(),
        "expression": part.expression,
        "candidates": candidates,
        "suspended": job.spec().policy().suspend(),
    })
}

/// The calendars that jobs name, by name.
fn calendars<'a>(jobs: &[&'a Job]) -> Result<BTreeMap<&'a str, &'a Calendar>, Error> {
    let mut found: BTreeMap<&str, &Calendar> = BTreeMap::new();
    for job in jobs {
        for calendar in job.spec().calendars() {
            if *found.entry(calendar.name()).or_insert(calendar) != calendar {
                let text = Snippet::of(calendar.name());
                return Err(Error::new(job.name().to_string(), DifferentCalendar(text)));
            }
        }
    }
    Ok(found)
}

/// The dates of a calendar, as `FIRST..LAST` in ascending order.
fn dates_of(calendar: &Calendar) -> Vec<String> {
    calendar.dates().map(|dates| format!("{}..{}", dates.start(), dates.end())).collect()
}

/// The version of the time zone database of all jobs, if it is one and known.
fn tzdb_version<'a>(jobs: &[&'a Job]) -> Option<&'a str> {
    let mut versions = jobs.iter().map(|job| job.spec().timezone().tzdb_version());
    let first = versions.next()??;
    versions.all(|version| version == Some(first)).then_some(first)
}
