//! Certificates of [`spread`](fn@crate::spread::spread): everything from which a program that is not Kron can check a peak and its lower
//! bound.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use kron_core::error::Snippet;
use kron_core::time::Rfc3339;
use kron_core::{Calendar, Error, Job};
use serde_json::json;

use crate::error::DifferentCalendar;
use crate::forecast::ForecastRange;
use crate::spread::SpreadPlan;

/// The name of the format.
const FORMAT: &str = "kron-spread/1";

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
        let calendars = calendars(jobs)?;
        let weights = self.bound.weights.iter().map(|run| json!([run.first, run.last, run.weight]));
        let mut head = json!({
            "certificate": FORMAT,
            "from": Rfc3339(range.from_timestamp()).to_string(),
            "until": Rfc3339(range.to_timestamp()).to_string(),
            "perSeconds": range.per_seconds(),
            "tzdb": tzdb_version(jobs),
            "peak": self.peak,
            "bound": self.bound.peak,
            "weights": weights.collect::<Vec<_>>(),
        });
        if !calendars.is_empty() {
            let dates = calendars.into_iter().map(|(name, calendar)| (name, dates_of(calendar)));
            head["calendars"] = json!(dates.collect::<BTreeMap<_, _>>());
        }
        // With the line of each job on a line of its own, as the last field of the object.
        let mut out = head.to_string();
        out.truncate(out.len() - 1);
        out.push_str(",\n\"jobs\":[");
        let lines = file.lines().map(|line| line.trim_matches([' ', '\t']));
        for (index, line) in lines.filter(|line| !line.is_empty() && !line.starts_with('#')).enumerate() {
            out.push_str(if index == 0 { "\n" } else { ",\n" });
            out.push_str(&json!(line).to_string());
        }
        out.push_str("\n]}\n");
        Ok(out)
    }
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
