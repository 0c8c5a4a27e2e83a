//! Reading texts and manifests with a time zone database and calendars of the caller's choice.

use alloc::{string::String, vec::Vec};
use core::str::FromStr;

use crate::constraint::{Calendars, Constraints};
use crate::days::DayRules;
use crate::draw::seed::Seed;
use crate::error::Error;
use crate::error::list::Errors;
use crate::job::Job;
use crate::job::lookup::Lookup;
use crate::job::modifier::Modifiers;
use crate::job::spec::JobSpec;
#[cfg(feature = "json")]
use crate::job::spec_fields::SpecFields;
#[cfg(feature = "json")]
use crate::serde_support::Object;
#[cfg(feature = "json")]
use crate::text::json;
use crate::text::{self, JobLine};
use crate::time::zone::TzDatabase;

/// Reads texts and manifests with a time zone database and with calendars.
///
/// [`Job::parse`], [`JobSpec::parse`], [`parse_job_file`] and the other reading functions of the
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

    /// The same parser for a text that already has more errors than anybody reads: its errors about zones name no similar zone,
    /// which takes most of the time of such an error.
    ///
    /// ```
    /// let parser = kron_core::Parser::new();
    /// let help = |parser: &kron_core::Parser| parser.spec("@daily @tz(Europe/Pariss)").unwrap_err().help();
    /// assert_eq!(help(&parser).as_deref(), Some("did you mean `Europe/Paris`?"));
    /// assert_eq!(help(&parser.without_suggestions()).as_deref(), Some("use an IANA name such as `Europe/Paris`"));
    /// ```
    #[must_use]
    pub fn without_suggestions(&self) -> Parser {
        Parser { tz_database: self.tz_database.without_suggestions(), calendars: self.calendars.clone() }
    }

    pub(crate) const fn lookup(&self) -> Lookup<'_> {
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
    /// use kron_core::Parser;
    /// use kron_core::job::Modifier;
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

    /// Reads rules of days: modifiers `@days(...)` and `@nodays(...)`.
    ///
    /// # Errors
    ///
    /// As for the text of a job.
    ///
    /// ```
    /// use kron_core::{Calendars, Parser};
    /// let parser = Parser::new().with_calendars(Calendars::parse("de = 2026-12-25")?);
    /// let rules = parser.day_rules("@days(workday=1;holidays=de)")?;
    /// assert_eq!(rules.to_string(), "@days(workday=1;holidays=de)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn day_rules(&self, text: &str) -> Result<DayRules, Error> {
        text::parse_day_rules(text, self.lookup())
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

    /// Reads a job file; see [`parse_job_file`].
    ///
    /// # Errors
    ///
    /// Those of [`parse_job_file`].
    ///
    /// ```
    /// let lines = kron_core::Parser::new().job_file("@daily @tz(Asia/Tokyo) name=web/report")?;
    /// assert_eq!(lines[0].job.spec().timezone().name(), "Asia/Tokyo");
    /// # Ok::<(), kron_core::Errors>(())
    /// ```
    pub fn job_file(&self, text: &str) -> Result<Vec<JobLine>, Errors> {
        let (lines, errors) = self.job_file_lines(text);
        Errors::new(errors).map_or(Ok(lines), Err)
    }

    /// Reads a job file as [`job_file`](Parser::job_file) does, and returns the jobs of the lines that can be read beside the errors of
    /// the others, for tools that examine the whole file.
    ///
    /// ```
    /// let (lines, errors) = kron_core::Parser::new().job_file_lines("@daily name=web/report\n@daly name=web/ping\n");
    /// assert_eq!((lines.len(), errors[0].line()), (1, Some(2)));
    /// ```
    pub fn job_file_lines(&self, text: &str) -> (Vec<JobLine>, Vec<Error>) {
        text::read_job_file(text, self.lookup())
    }

    /// The text of a job file in which some jobs have other seeds. All other text stays as it is, comments too. The jobs are
    /// given by their lines, as in [`JobLine::line`], in ascending order; a line without a job of the file may not be among
    /// them.
    ///
    /// # Errors
    ///
    /// Those of [`parse_job_file`], about the lines of these jobs.
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

    /// The text of a [declaration](crate::place::Declaration) with another seed. All other text stays as it is.
    ///
    /// # Errors
    ///
    /// Those of [`declaration`](Parser::declaration) about the modifiers.
    ///
    /// ```
    /// use kron_core::{Parser, Seed, SeedStrategy};
    /// let seed = Seed::new(SeedStrategy::Fixed, "7")?;
    /// assert_eq!(
    ///     Parser::new().declaration_with_seed("@daily  @win(after,1h) name=db/backup", &seed)?,
    ///     "@daily  @win(after,1h) @seed(fixed,salt=7) name=db/backup"
    /// );
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn declaration_with_seed(&self, text: &str, seed: &Seed) -> Result<String, Error> {
        text::with_seed(text, seed, self.lookup()).map_err(|error| error.located(text))
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
    #[cfg(feature = "json")]
    pub fn spec_from_json(&self, text: &str) -> Result<JobSpec, Error> {
        json::read_json::<Object<SpecFields>>(text)?.0.into_spec(self.lookup())
    }

    /// Reads the fields that decide times from any deserializer, such as a JSON value that was read before. Errors have the path of
    /// the field.
    ///
    /// # Errors
    ///
    /// Those of [`JobSpec::from_json`].
    ///
    /// ```
    /// use kron_core::Parser;
    /// let value = serde_json::json!({"schedule": "@daily", "window": {"duration": "3"}});
    /// let error = Parser::new().spec_from_deserializer(value).unwrap_err();
    /// assert_eq!(error.field(), "window.duration");
    /// ```
    #[cfg(feature = "json")]
    pub fn spec_from_deserializer<'de, D: serde::Deserializer<'de>>(
        &self,
        deserializer: D,
    ) -> Result<JobSpec, Error> {
        json::read::<Object<SpecFields>, D>(deserializer)?.0.into_spec(self.lookup())
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
    /// errors of this crate. A field that is absent or null has its default.
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
    #[cfg(feature = "json")]
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
/// let lines = kron_core::text::parse_job_file("# backups\n@daily @win(after,1h) name=db/backup owner=\"team db\"\n")?;
/// assert_eq!(lines[0].job.name(), "db/backup");
/// assert_eq!(lines[0].fields, [("owner".to_string(), "team db".to_string())]);
/// # Ok::<(), kron_core::Errors>(())
/// ```
pub fn parse_job_file(text: &str) -> Result<Vec<JobLine>, Errors> {
    Parser::new().job_file(text)
}
