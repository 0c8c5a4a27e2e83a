//! Certificates of [`spread`](fn@crate::spread): everything from which a program that is not Kron can check a peak and its lower
//! bound.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::json;

use crate::error::{CalendarError, Error, Snippet};
use crate::forecast::range::ForecastRange;
use crate::job::Job;
use crate::spread::SpreadPlan;
use crate::time::rfc3339::Rfc3339;

/// The name of the format.
const FORMAT: &str = "kron-spread/1";

impl SpreadPlan {
    /// Whether jobs can have a certificate.
    ///
    /// # Errors
    ///
    /// [`CalendarUnsupported`](crate::ErrorCode::CalendarUnsupported) if a job names a calendar, because a certificate does not
    /// have its dates.
    ///
    /// ```
    /// use kron_core::{Calendars, ErrorCode, Job, Parser, SpreadPlan};
    /// assert!(SpreadPlan::check_certifiable(&[&Job::parse("db/backup", "@daily @win(after,1h)")?]).is_ok());
    /// let parser = Parser::new().with_calendars(Calendars::parse("holidays = 2026-12-25")?);
    /// let job = parser.job("db/backup", "@daily @win(after,1h) @avoid(calendar=holidays)")?;
    /// let error = SpreadPlan::check_certifiable(&[&job]).unwrap_err();
    /// assert_eq!(error.code(), ErrorCode::CalendarUnsupported);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check_certifiable(jobs: &[&Job]) -> Result<(), Error> {
        let named = jobs.iter().find_map(|job| Some((job, *job.spec().constraints().calendars().first()?)));
        named.map_or(Ok(()), |(job, calendar)| {
            let text = Snippet::of(calendar.name());
            Err(Error::new(job.name().to_string(), CalendarError::InCertificate { text }))
        })
    }

    /// The proof of the peak and of the lower bound, as JSON; `docs/spread.md` describes its fields.
    ///
    /// `file` is a job file of the jobs with the seeds of this plan: [`Parser::job_file_with_seeds`] edits one, and
    /// [`Job::to_line`] prints each of the jobs of [`jobs`](SpreadPlan::jobs). `jobs` and `range` are those of the search.
    ///
    /// # Errors
    ///
    /// As [`check_certifiable`](SpreadPlan::check_certifiable).
    ///
    /// [`Parser::job_file_with_seeds`]: crate::Parser::job_file_with_seeds
    ///
    /// ```
    /// use kron_core::{Duration, ForecastRange, Job, SpreadOptions, spread};
    /// let (job, day) = (Job::parse("db/backup", "@daily @win(after,1h)")?, ForecastRange::new(0, 86_400, Duration::from_secs(60))?);
    /// let plan = spread(&[&job], &day, &SpreadOptions::default());
    /// let file = plan.jobs(&[&job])?[0].to_line();
    /// let certificate = plan.certificate(&[&job], &day, &file)?;
    /// assert!(certificate.starts_with(r#"{"bound":1,"certificate":"kron-spread/1","from":"1970-01-01T00:00:00Z","#));
    /// assert!(certificate.ends_with("\"jobs\":[\n\"0 0 * * * @win(after,1h0m0s) name=db/backup\"\n]}\n"));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn certificate(&self, jobs: &[&Job], range: &ForecastRange, file: &str) -> Result<String, Error> {
        SpreadPlan::check_certifiable(jobs)?;
        let weights = self.bound.weights.iter().map(|run| json!([run.first, run.last, run.weight]));
        let head = json!({
            "certificate": FORMAT,
            "from": Rfc3339(range.from_timestamp()).to_string(),
            "until": Rfc3339(range.to_timestamp()).to_string(),
            "perSeconds": range.per_seconds(),
            "tzdb": tzdb_version(jobs),
            "peak": self.peak,
            "bound": self.bound.peak,
            "weights": weights.collect::<Vec<_>>(),
        });
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

/// The version of the time zone database of all jobs, if it is one and known.
fn tzdb_version<'a>(jobs: &[&'a Job]) -> Option<&'a str> {
    let mut versions = jobs.iter().map(|job| job.spec().timezone().tzdb_version());
    let first = versions.next()??;
    versions.all(|version| version == Some(first)).then_some(first)
}
