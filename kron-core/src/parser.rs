//! Reading texts and manifests with a tz database of the caller's choice.

#[cfg(feature = "manifest")]
use serde_json::Value;

use crate::error::Error;
use crate::job::Job;
#[cfg(feature = "manifest")]
use crate::manifest::{self, KronJob, LoadError, LoadOptions, Loaded};
use crate::spec::JobSpec;
use crate::text::{self, JobLine};
use crate::zone::TzDatabase;

/// Reads texts and manifests, and looks time zones up in a tz database.
///
/// [`Job::parse`], [`JobSpec::parse`], [`parse_job_file`](crate::parse_job_file) and the other reading functions of the
/// crate use the compiled-in database. A parser does the same with any.
///
/// ```
/// use kron_core::{Job, Parser};
/// let parser = Parser::new(); // with the compiled-in database
/// let job = parser.job("prod/db-backup", "@daily @tz(Europe/Paris)")?;
/// assert_eq!(job.spec(), Job::parse("prod/db-backup", "@daily @tz(Europe/Paris)")?.spec());
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Parser {
    tz_database: TzDatabase,
}

impl Parser {
    /// A parser with the compiled-in database.
    pub const fn new() -> Parser {
        Parser { tz_database: TzDatabase::COMPILED_IN }
    }

    /// A parser with another database.
    ///
    /// ```
    /// use kron_core::{Parser, TzDatabase};
    /// let empty = TzDatabase::from_tzif::<&str, &[u8]>(None, [])?;
    /// let parser = Parser::new().with_tz_database(empty);
    /// assert!(parser.spec("@daily @tz(UTC)").is_ok());
    /// assert!(parser.spec("@daily @tz(Europe/Paris)").is_err());
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub fn with_tz_database(mut self, tz_database: TzDatabase) -> Parser {
        self.tz_database = tz_database;
        self
    }

    /// The database in which zones are looked up.
    pub const fn tz_database(&self) -> &TzDatabase {
        &self.tz_database
    }

    /// Reads the text form of a job; see [`JobSpec::parse`].
    ///
    /// # Errors
    ///
    /// Those of [`JobSpec::parse`].
    pub fn spec(&self, text: &str) -> Result<JobSpec, Error> {
        text::parse(text, &self.tz_database)
    }

    /// Reads the text that a spec printed; see [`JobSpec::parse_canonical`].
    ///
    /// # Errors
    ///
    /// Those of [`JobSpec::parse_canonical`].
    #[cfg(feature = "serde")]
    pub fn canonical_spec(&self, text: &str) -> Result<JobSpec, Error> {
        text::parse_canonical(text, &self.tz_database)
    }

    /// Reads a job from its name and its text form; see [`Job::parse`].
    ///
    /// # Errors
    ///
    /// Those of [`Job::parse`].
    pub fn job(&self, name: &str, text: &str) -> Result<Job, Error> {
        Job::new(name, self.spec(text)?)
    }

    /// Reads a job file; see [`parse_job_file`](crate::parse_job_file).
    ///
    /// # Errors
    ///
    /// Those of [`parse_job_file`](crate::parse_job_file).
    pub fn job_file(&self, text: &str) -> Result<alloc::vec::Vec<JobLine>, alloc::vec::Vec<Error>> {
        let (lines, errors) = text::read_job_file(text, &self.tz_database);
        if errors.is_empty() { Ok(lines) } else { Err(errors) }
    }

    /// Reads jobs from the text of a job file or of manifests; see [`load`](crate::load).
    ///
    /// # Errors
    ///
    /// Those of [`load`](crate::load).
    #[cfg(feature = "manifest")]
    pub fn load(&self, text: &str, options: &LoadOptions) -> Result<Loaded, LoadError> {
        manifest::load_with(text, options, &self.tz_database)
    }

    /// Reads one JSON object with the fields that decide times; see [`JobSpec::from_json`].
    ///
    /// # Errors
    ///
    /// Those of [`JobSpec::from_json`].
    #[cfg(feature = "manifest")]
    pub fn spec_from_json(&self, text: &str) -> Result<JobSpec, Error> {
        use crate::wire::{Object, SpecWire};
        manifest::read_json::<Object<SpecWire>>(text)?.0.into_spec(&self.tz_database)
    }

    /// Reads a KronJob from a JSON value; see [`KronJob::from_value`].
    ///
    /// # Errors
    ///
    /// Those of [`KronJob::from_value`].
    #[cfg(feature = "manifest")]
    pub fn kronjob(&self, value: &Value) -> Result<KronJob, Error> {
        KronJob::read(value, &self.tz_database)
    }

    /// Reads the spec of a KronJob alone from a JSON value; see [`KronJob::spec_from_value`].
    ///
    /// # Errors
    ///
    /// Those of [`KronJob::spec_from_value`].
    #[cfg(feature = "manifest")]
    pub fn kronjob_spec(&self, value: &Value) -> Result<JobSpec, Error> {
        KronJob::read_spec(value, &self.tz_database)
    }

    /// Reads the spec of a KronJob alone from one JSON object; see [`KronJob::spec_from_json`].
    ///
    /// # Errors
    ///
    /// Those of [`KronJob::spec_from_json`].
    #[cfg(feature = "manifest")]
    pub fn kronjob_spec_from_json(&self, text: &str) -> Result<JobSpec, Error> {
        manifest::read_json::<Value>(text).and_then(|value| self.kronjob_spec(&value))
    }
}
