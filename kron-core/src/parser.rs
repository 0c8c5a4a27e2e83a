//! Reading texts and manifests with a time zone database and calendars of the caller's choice.

use alloc::{string::String, vec::Vec};
use core::str::FromStr;

#[cfg(feature = "manifest")]
use serde_json::Value;

use crate::constraint::{Calendars, Constraints};
use crate::draw::seed::Seed;
use crate::error::Error;
use crate::error::list::Errors;
use crate::job::Job;
use crate::job::lookup::Lookup;
use crate::job::modifier::Modifiers;
use crate::job::spec::JobSpec;
#[cfg(feature = "manifest")]
use crate::job::spec_fields::SpecFields;
#[cfg(feature = "manifest")]
use crate::json;
#[cfg(feature = "manifest")]
use crate::manifest::{self, KronJob, LoadError, LoadOptions, Loaded, Snapshot};
#[cfg(feature = "manifest")]
use crate::serde_support::Object;
use crate::text::{self, JobLine};
use crate::time::zone::TzDatabase;

/// Reads texts and manifests with a time zone database and with calendars.
///
/// [`Job::parse`], [`JobSpec::parse`], [`parse_job_file`](crate::parse_job_file) and the other reading functions of the
/// crate use the compiled-in database and no calendars. A parser does the same with any database and calendars.
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
    calendars: Calendars,
}

impl Parser {
    /// A parser with the compiled-in database and without calendars.
    ///
    /// ```
    /// use kron_core::{Parser, TzDatabase};
    /// assert_eq!(Parser::new().tz_database().version(), Some(TzDatabase::COMPILED_IN_VERSION));
    /// ```
    pub const fn new() -> Parser {
        Parser { tz_database: TzDatabase::COMPILED_IN, calendars: Calendars::new() }
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

    /// A parser with calendars, which texts can name: `@avoid(calendar=holidays-fr)`.
    ///
    /// ```
    /// use kron_core::{Calendars, ErrorCode, Parser};
    /// let calendars = Calendars::parse("holidays-fr = 2026-12-25, 2027-01-01")?;
    /// let parser = Parser::new().with_calendars(calendars);
    /// let spec = parser.spec("@daily @avoid(calendar=holidays-fr)")?;
    /// assert_eq!(spec.to_string(), "0 0 * * * @avoid(calendar=holidays-fr)");
    /// // A name without dates is an error.
    /// let error = Parser::new().spec("@daily @avoid(calendar=holidays-fr)").unwrap_err();
    /// assert_eq!(error.code(), ErrorCode::CalendarUnknown);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_calendars(mut self, calendars: Calendars) -> Parser {
        self.calendars = calendars;
        self
    }

    /// The calendars that texts can name.
    pub const fn calendars(&self) -> &Calendars {
        &self.calendars
    }

    const fn lookup(&self) -> Lookup<'_> {
        Lookup { tz_database: &self.tz_database, calendars: &self.calendars }
    }

    /// Reads the text form of a job; see [`JobSpec::parse`].
    ///
    /// # Errors
    ///
    /// Those of [`JobSpec::parse`].
    ///
    /// ```
    /// let spec = kron_core::Parser::new().spec("@hourly @tz(Asia/Tokyo) @win(after,10m)")?;
    /// assert_eq!(spec.timezone().name(), "Asia/Tokyo");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn spec(&self, text: &str) -> Result<JobSpec, Error> {
        text::parse(text, self.lookup()).map(|(spec, _)| spec)
    }

    /// Reads the text form of a job as [`spec`](Parser::spec) does, and returns the modifiers of the text.
    ///
    /// # Errors
    ///
    /// Those of [`JobSpec::parse`].
    ///
    /// ```
    /// use kron_core::{Modifier, Parser};
    /// let (spec, modifiers) = Parser::new().spec_with_modifiers("@daily @tz(UTC) @only(hours=1)")?;
    /// assert_eq!(spec.to_string(), "0 0 * * * @only(hours=1)");
    /// assert!(modifiers.contains(Modifier::Timezone) && !modifiers.contains(Modifier::Window));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn spec_with_modifiers(&self, text: &str) -> Result<(JobSpec, Modifiers), Error> {
        text::parse(text, self.lookup())
    }

    /// Reads the text that a spec printed; see [`JobSpec::parse_canonical`].
    ///
    /// # Errors
    ///
    /// Those of [`JobSpec::parse_canonical`].
    ///
    /// ```
    /// let parser = kron_core::Parser::new();
    /// let spec = parser.spec("@hourly @tz(Asia/Tokyo) @win(after,10m)")?;
    /// assert_eq!(parser.canonical_spec(&spec.to_string())?, spec);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[cfg(feature = "serde")]
    pub fn canonical_spec(&self, text: &str) -> Result<JobSpec, Error> {
        text::parse_canonical(text, self.lookup())
    }

    /// Reads constraints: modifiers `@only(...)` and `@avoid(...)`.
    ///
    /// # Errors
    ///
    /// As for the text of a job.
    ///
    /// ```
    /// use kron_core::{Calendars, Constraints, Parser};
    /// let parser = Parser::new().with_calendars(Calendars::parse("holidays-fr = 2026-12-25")?);
    /// let constraints = parser.constraints("@only(hours=9-17) @avoid(calendar=holidays-fr)")?;
    /// assert_eq!(constraints.to_string(), "@only(hours=9-17) @avoid(calendar=holidays-fr)");
    /// assert!("@avoid(calendar=holidays-fr)".parse::<Constraints>().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn constraints(&self, text: &str) -> Result<Constraints, Error> {
        text::parse_constraints(text, self.lookup())
    }

    /// Reads a job from its name and its text form; see [`Job::parse`].
    ///
    /// # Errors
    ///
    /// Those of [`Job::parse`].
    ///
    /// ```
    /// let job = kron_core::Parser::new().job("web/report", "0 6 * * MON @tz(Asia/Tokyo)")?;
    /// assert_eq!((job.name(), job.spec().timezone().name()), ("web/report", "Asia/Tokyo"));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn job(&self, name: &str, text: &str) -> Result<Job, Error> {
        Job::new(name, self.spec(text)?)
    }

    /// Reads a job file; see [`parse_job_file`](crate::parse_job_file).
    ///
    /// # Errors
    ///
    /// Those of [`parse_job_file`](crate::parse_job_file).
    ///
    /// ```
    /// let lines = kron_core::Parser::new().job_file("@daily @tz(Asia/Tokyo) name=web/report")?;
    /// assert_eq!(lines[0].job.spec().timezone().name(), "Asia/Tokyo");
    /// # Ok::<(), kron_core::Errors>(())
    /// ```
    pub fn job_file(&self, text: &str) -> Result<Vec<JobLine>, Errors> {
        let (lines, errors) = text::read_job_file(text, self.lookup());
        Errors::of(errors).map_or(Ok(lines), Err)
    }

    /// The text of a job file in which some jobs have other seeds. All other text stays as it is, comments too. The jobs are
    /// given by their lines, as in [`JobLine::line`], in ascending order; a line without a job of the file may not be among
    /// them.
    ///
    /// # Errors
    ///
    /// Those of [`parse_job_file`](crate::parse_job_file), about the lines of these jobs.
    ///
    /// ```
    /// use kron_core::{Parser, Seed, SeedStrategy};
    /// let text = "# nightly\n0 3 * * *  @win(after,1h) name=db/backup owner=me\n";
    /// let seed = Seed::new(SeedStrategy::Fixed, "7")?;
    /// assert_eq!(
    ///     Parser::new().job_file_with_seeds(text, &[(2, &seed)])?,
    ///     "# nightly\n0 3 * * *  @win(after,1h) @seed(fixed,salt=7) name=db/backup owner=me\n"
    /// );
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn job_file_with_seeds(&self, text: &str, seeds: &[(usize, &Seed)]) -> Result<String, Error> {
        text::with_seeds(text, seeds, self.lookup())
    }

    /// Reads jobs from the text of a job file or of manifests; see [`load`](crate::load).
    ///
    /// # Errors
    ///
    /// Those of [`load`](crate::load).
    ///
    /// ```
    /// use kron_core::{LoadOptions, Parser};
    /// let loaded = Parser::new().load("@daily @tz(Asia/Tokyo) name=web/report", &LoadOptions::default())?;
    /// assert_eq!(loaded.jobs[0].job.spec().timezone().name(), "Asia/Tokyo");
    /// # Ok::<(), kron_core::LoadError>(())
    /// ```
    #[cfg(feature = "manifest")]
    pub fn load(&self, text: &str, options: &LoadOptions) -> Result<Loaded, LoadError> {
        manifest::load_with(text, options, self.lookup())
    }

    /// Reads objects of a cluster for an audit: what `kubectl get kronjobs,jobs,events -A -o json` (or `-o yaml`) prints, in one
    /// text or several. Objects of other kinds are left out.
    ///
    /// # Errors
    ///
    /// A text that is neither YAML nor JSON, is longer than 64 MiB, or holds something else than objects. A KronJob with an
    /// invalid spec is not an error: its audit says so.
    ///
    /// ```
    /// use kron_core::Parser;
    /// let text = r#"{"apiVersion": "v1", "kind": "List", "items": [
    ///     {"apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "metadata": {"name": "db", "namespace": "prod", "uid": "1"}}
    /// ]}"#;
    /// let snapshot = Parser::new().snapshot(&[text])?;
    /// assert_eq!(snapshot.kronjobs[0].name(), "prod/db");
    /// assert!(snapshot.kronjobs[0].job().is_err());
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[cfg(feature = "manifest")]
    pub fn snapshot(&self, texts: &[&str]) -> Result<Snapshot, Error> {
        manifest::read_snapshot(texts, self.lookup())
    }

    /// Reads one JSON object with the fields that decide times; see [`JobSpec::from_json`].
    ///
    /// # Errors
    ///
    /// Those of [`JobSpec::from_json`].
    ///
    /// ```
    /// let spec = kron_core::Parser::new().spec_from_json(r#"{"schedule": "@daily", "timezone": "Asia/Tokyo"}"#)?;
    /// assert_eq!(spec.to_string(), "0 0 * * * @tz(Asia/Tokyo)");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[cfg(feature = "manifest")]
    pub fn spec_from_json(&self, text: &str) -> Result<JobSpec, Error> {
        json::read_json::<Object<SpecFields>>(text)?.0.into_spec(self.lookup())
    }

    /// Reads a KronJob from a JSON value; see [`KronJob::from_value`].
    ///
    /// # Errors
    ///
    /// Those of [`KronJob::from_value`].
    ///
    /// ```
    /// let manifest = serde_json::json!({
    ///     "apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "metadata": {"name": "report"},
    ///     "spec": {"schedule": "@daily", "timezone": "Asia/Tokyo", "jobTemplate": {"spec": {"template": {"spec": {
    ///         "restartPolicy": "Never", "containers": [{"name": "report", "image": "report:1"}],
    ///     }}}}},
    /// });
    /// let kronjob = kron_core::Parser::new().kronjob(&manifest)?;
    /// assert_eq!((kronjob.name.as_str(), kronjob.namespace), ("report", None));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[cfg(feature = "manifest")]
    pub fn kronjob(&self, value: &Value) -> Result<KronJob, Error> {
        KronJob::read(value, self.lookup())
    }

    /// Reads only the spec of a KronJob from a JSON value; see [`KronJob::spec_from_value`].
    ///
    /// # Errors
    ///
    /// Those of [`KronJob::spec_from_value`].
    ///
    /// ```
    /// let spec = serde_json::json!({
    ///     "schedule": "@daily", "timezone": "Asia/Tokyo", "jobTemplate": {"spec": {"template": {"spec": {
    ///         "restartPolicy": "Never", "containers": [{"name": "report", "image": "report:1"}],
    ///     }}}},
    /// });
    /// let spec = kron_core::Parser::new().kronjob_spec(&spec)?;
    /// assert_eq!(spec.to_string(), "0 0 * * * @tz(Asia/Tokyo)");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[cfg(feature = "manifest")]
    pub fn kronjob_spec(&self, value: &Value) -> Result<JobSpec, Error> {
        KronJob::read_spec(value, self.lookup()).map(|(spec, _)| spec)
    }

    /// Reads only the spec of a KronJob from one JSON object; see [`KronJob::spec_from_json`].
    ///
    /// # Errors
    ///
    /// Those of [`KronJob::spec_from_json`].
    ///
    /// ```
    /// let spec = r#"{"schedule": "@daily", "timezone": "Asia/Tokyo", "jobTemplate": {"spec": {"template": {"spec": {
    ///     "restartPolicy": "Never", "containers": [{"name": "report", "image": "report:1"}]
    /// }}}}}"#;
    /// let spec = kron_core::Parser::new().kronjob_spec_from_json(spec)?;
    /// assert_eq!(spec.to_string(), "0 0 * * * @tz(Asia/Tokyo)");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[cfg(feature = "manifest")]
    pub fn kronjob_spec_from_json(&self, text: &str) -> Result<JobSpec, Error> {
        json::read_json::<Value>(text).and_then(|value| self.kronjob_spec(&value))
    }
}

impl JobSpec {
    /// Reads the text form; see `docs/reference/syntax.md`.
    ///
    /// # Errors
    ///
    /// Names the field, the column, the text and the help.
    ///
    /// ```
    /// use kron_core::JobSpec;
    /// let spec = JobSpec::parse("0 0 * * * @tz(Europe/Paris) @win(after,3h) @avoid(dow=SUN)")?;
    /// assert_eq!(spec.to_string(), "0 0 * * * @tz(Europe/Paris) @win(after,3h0m0s) @avoid(dow=0)");
    /// let error = JobSpec::parse("@daily @win(3h)").unwrap_err();
    /// assert_eq!(error.help().as_deref(), Some("write `@win(after,3h)`"));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn parse(text: &str) -> Result<JobSpec, Error> {
        Parser::new().spec(text)
    }

    /// Reads one JSON object with the fields of a KronJob spec that decide times: the same as `Deserialize`, with
    /// errors of this crate. A field that is absent or null has its default. See
    /// [`KronJob::spec_from_json`](crate::KronJob::spec_from_json) for the spec of a manifest.
    ///
    /// # Errors
    ///
    /// Names the field by its path within the spec. Unknown fields are errors.
    ///
    /// ```
    /// use kron_core::JobSpec;
    /// let spec = JobSpec::from_json(r#"{"schedule": "@daily", "window": {"duration": "3h"}}"#)?;
    /// assert_eq!(spec, JobSpec::parse("@daily @win(after,3h)")?);
    /// let error = JobSpec::from_json(r#"{"schedule": "@daily", "window": {"duration": "3"}}"#).unwrap_err();
    /// assert_eq!(error.field(), "window.duration");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[cfg(feature = "manifest")]
    pub fn from_json(text: &str) -> Result<JobSpec, Error> {
        Parser::new().spec_from_json(text)
    }

    /// Reads the text that a spec printed. It may be twice as long as one that people write, because the canonical form
    /// of a manifest's clauses can be.
    ///
    /// # Errors
    ///
    /// As [`parse`](JobSpec::parse).
    ///
    /// ```
    /// let spec = kron_core::JobSpec::parse("@daily @win(after,3h)")?;
    /// assert_eq!(kron_core::JobSpec::parse_canonical(&spec.to_string())?, spec);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[cfg(feature = "serde")]
    pub fn parse_canonical(text: &str) -> Result<JobSpec, Error> {
        Parser::new().canonical_spec(text)
    }
}

impl FromStr for JobSpec {
    type Err = Error;

    fn from_str(text: &str) -> Result<JobSpec, Error> {
        JobSpec::parse(text)
    }
}

impl Job {
    /// A job from its name and its text form.
    ///
    /// # Errors
    ///
    /// An error of the name or of the text.
    ///
    /// ```
    /// assert!(kron_core::Job::parse("", "@daily").is_err());
    /// ```
    pub fn parse(name: &str, text: &str) -> Result<Job, Error> {
        Job::new(name, JobSpec::parse(text)?)
    }
}

/// Reads a job file: `#` lines are comments, every other line that is not blank is a job.
///
/// # Errors
///
/// The [`Errors`] of the bad lines, in order, each with its line. Of more than 1,000, the first 1,000 are kept, and a last
/// one without a line says how many more there are.
///
/// ```
/// let lines = kron_core::parse_job_file("# backups\n@daily @win(after,1h) name=db/backup owner=\"team db\"\n")?;
/// assert_eq!(lines[0].job.name(), "db/backup");
/// assert_eq!(lines[0].fields, [("owner".to_string(), "team db".to_string())]);
/// # Ok::<(), kron_core::Errors>(())
/// ```
pub fn parse_job_file(text: &str) -> Result<Vec<JobLine>, Errors> {
    Parser::new().job_file(text)
}

/// Reads jobs from the text of a job file, or of KronJob manifests in YAML or JSON (several documents, and lists as
/// `kubectl get -o yaml` prints them). Documents of other APIs are skipped with a note.
///
/// # Errors
///
/// The errors of the file, in order: what cannot be read, and names that occur twice. Of more than 1,000, the first 1,000 are
/// kept, and a last one says how many more there are.
///
/// ```
/// use kron_core::{LoadOptions, load};
/// let loaded = load("@daily name=db/backup\n@hourly name=web/ping\n", &LoadOptions::default())?;
/// assert_eq!(loaded.jobs.len(), 2);
/// # Ok::<(), kron_core::LoadError>(())
/// ```
#[cfg(feature = "manifest")]
pub fn load(text: &str, options: &LoadOptions) -> Result<Loaded, LoadError> {
    Parser::new().load(text, options)
}

#[cfg(feature = "manifest")]
impl KronJob {
    /// Reads a KronJob from a JSON value.
    ///
    /// # Errors
    ///
    /// Names the field by its path from the top, `spec.window.duration`. Unknown fields are errors.
    ///
    /// ```
    /// let manifest = serde_json::json!({
    ///     "apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "metadata": {"name": "report"},
    ///     "spec": {"schedule": "61 * * * *", "timezone": "Asia/Tokyo", "jobTemplate": {"spec": {"template": {"spec": {
    ///         "restartPolicy": "Never", "containers": [{"name": "report", "image": "report:1"}],
    ///     }}}}},
    /// });
    /// let error = kron_core::KronJob::from_value(&manifest).unwrap_err();
    /// assert_eq!(error.field(), "spec.schedule.minute");
    /// ```
    pub fn from_value(value: &Value) -> Result<KronJob, Error> {
        Parser::new().kronjob(value)
    }

    /// Reads only the spec of a KronJob, by the resource's rules. Paths of errors begin within the spec.
    ///
    /// # Errors
    ///
    /// As [`from_value`](KronJob::from_value).
    ///
    /// ```
    /// let spec = serde_json::json!({
    ///     "schedule": "@daily", "timezone": "Asia/Tokyo", "jobTemplate": {"spec": {"template": {"spec": {
    ///         "restartPolicy": "Never", "containers": [{"name": "report", "image": "report:1"}],
    ///     }}}},
    /// });
    /// assert_eq!(kron_core::KronJob::spec_from_value(&spec)?.timezone().name(), "Asia/Tokyo");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn spec_from_value(value: &Value) -> Result<JobSpec, Error> {
        Parser::new().kronjob_spec(value)
    }

    /// Reads only the spec of a KronJob from one JSON object, as [`spec_from_value`](KronJob::spec_from_value) does.
    ///
    /// # Errors
    ///
    /// As [`spec_from_value`](KronJob::spec_from_value), and for text that is not one JSON document.
    ///
    /// ```
    /// let error = kron_core::KronJob::spec_from_json(r#"{"schedule": "@daily"}"#).unwrap_err();
    /// assert_eq!(error.code(), kron_core::ErrorCode::ManifestMissingField); // the job template
    /// ```
    pub fn spec_from_json(text: &str) -> Result<JobSpec, Error> {
        Parser::new().kronjob_spec_from_json(text)
    }
}
