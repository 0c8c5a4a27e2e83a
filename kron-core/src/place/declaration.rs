//! Declarations: job texts with a name that say how the schedule of another system is wanted.

use alloc::string::{String, ToString};

use super::{Candidates, Placed};
use crate::draw::{Algorithm, SeedStrategy};
use crate::error::{Error, PlaceError, Snippet, TextError};
use crate::job::modifier::{Modifier, Modifiers};
use crate::job::{Job, JobSpec};
use crate::text::{Fields, Parser, parse_fields, with_meaning};

/// A job text with a name, written beside a schedule that another system runs. Made by
/// [`Parser::declaration`](crate::Parser::declaration).
///
/// ```
/// let declaration = kron_core::Parser::new().declaration("*/15 * * * * @win(after,10m) name=ops/mail", None)?;
/// assert_eq!(declaration.expression(), "*/15 * * * *");
/// assert_eq!(declaration.job().name(), "ops/mail");
/// assert_eq!(declaration.placed()?.expression(), "5-50/15 * * * *");
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Declaration {
    job: Job,
    expression: String,
    modifiers: Modifiers,
}

impl Declaration {
    /// A declaration of a spec that was read from a text. `expression` is its schedule as it was written.
    pub(crate) fn new(job: Job, modifiers: Modifiers, expression: &str) -> Result<Declaration, Error> {
        let strategy = job.spec().seed().strategy();
        if modifiers.contains(Modifier::Seed) && strategy != SeedStrategy::Fixed {
            return Err(refused_strategy(strategy));
        }
        check(job.spec())?;
        Ok(Declaration { job, expression: expression.to_string(), modifiers })
    }

    /// The same declaration with another name.
    ///
    /// # Errors
    ///
    /// [`Name`](crate::ErrorCode::Name) or [`OutOfBounds`](crate::ErrorCode::OutOfBounds) for a bad name.
    ///
    /// ```
    /// let declaration = kron_core::Parser::new().declaration("@daily @win(after,2h) name={host}/clean", None)?;
    /// assert_eq!(declaration.with_name("web-1/clean")?.job().name(), "web-1/clean");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn with_name(self, name: &str) -> Result<Declaration, Error> {
        Ok(Declaration { job: Job::new(name, self.job.into_spec())?, ..self })
    }

    /// The job: its name and what is wanted.
    pub const fn job(&self) -> &Job {
        &self.job
    }

    /// The schedule as it is written, a macro included.
    pub fn expression(&self) -> &str {
        &self.expression
    }

    /// Whether the text names its zone. Otherwise the zone is that of the other system, and the job's zone means nothing.
    ///
    /// ```
    /// let parser = kron_core::Parser::new();
    /// assert!(parser.declaration("@daily @tz(UTC) name=a", None)?.names_zone());
    /// assert!(!parser.declaration("@daily name=a", None)?.names_zone());
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub const fn names_zone(&self) -> bool {
        self.modifiers.contains(Modifier::Timezone)
    }

    /// The shifts that are possible.
    ///
    /// # Errors
    ///
    /// None for a declaration that could be read; those of [`Job::placed`] otherwise.
    ///
    /// ```
    /// let declaration = kron_core::Parser::new().declaration("0 23 * * MON @win(after,3h) name=a", None)?;
    /// // The civil day ends after an hour.
    /// assert_eq!(declaration.candidates()?.shifts().last(), Some(&59));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn candidates(&self) -> Result<Candidates, Error> {
        Candidates::new(self.job.spec(), &self.expression)
    }

    /// The schedule in its place.
    ///
    /// # Errors
    ///
    /// [`PlaceNowhere`](crate::ErrorCode::PlaceNowhere) if no shift is possible.
    ///
    /// ```
    /// let parser = kron_core::Parser::new();
    /// let declaration = parser.declaration("@daily @win(after,2h) name=ops/backup", None)?;
    /// assert_eq!(declaration.placed()?.expression(), "51 0 * * *");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[inline]
    pub fn placed(&self) -> Result<Placed, Error> {
        self.candidates()?.place(&self.job)
    }
}

fn refused_strategy(strategy: SeedStrategy) -> Error {
    let part = alloc::format!("the strategy `{strategy}`");
    Error::of(
        "seed.strategy",
        PlaceError::Refused { part, help: "write `@seed(fixed)`, or leave the strategy out" },
    )
}

/// Refuses what one place for all periods cannot keep.
pub(super) fn check(spec: &JobSpec) -> Result<(), Error> {
    let refused = |field: &'static str, part: &str, help| {
        Err(Error::of(field, PlaceError::Refused { part: part.to_string(), help }))
    };
    match spec.seed().strategy() {
        SeedStrategy::Fixed | SeedStrategy::Stable => {}
        strategy => return Err(refused_strategy(strategy)),
    }
    if spec.algorithm() != Algorithm::SipHashChaCha8 {
        return refused(
            "algorithm",
            &alloc::format!("the algorithm `{}`", spec.algorithm()),
            "leave `@alg` out",
        );
    }
    if !spec.constraints().calendars().is_empty() {
        return refused("constraints", "a calendar", "name days that come again, such as `@avoid(dow=SUN)`");
    }
    if !spec.days().is_empty() {
        let help = "write the days into the day fields of the expression, or let Kron run the job";
        return refused("days", "rules of days", help);
    }
    Ok(())
}

impl Parser {
    /// Reads a declaration: a job text, behind which `name=` may follow. `name` is the name where none follows.
    ///
    /// # Errors
    ///
    /// Those of a line of a job file; [`PlaceRefused`](crate::ErrorCode::PlaceRefused) for another field than `name=`, for a seed strategy
    /// that is written and is not `fixed`, for the algorithm `sha256-splitmix64/1`, for calendars and for rules of days.
    ///
    /// ```
    /// use kron_core::{ErrorCode, Parser};
    /// let parser = Parser::new();
    /// assert_eq!(parser.declaration("@daily @win(after,2h)", Some("ops/backup"))?.job().name(), "ops/backup");
    /// let error = parser.declaration("@daily @win(after,2h)", None).unwrap_err();
    /// assert_eq!(error.code(), ErrorCode::FileMissingName);
    /// let error = parser.declaration("@daily @win(after,2h) @seed(daily) name=a", None).unwrap_err();
    /// assert_eq!(error.code(), ErrorCode::PlaceRefused);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn declaration(&self, text: &str, name: Option<&str>) -> Result<Declaration, Error> {
        self.read_declaration(text, name)
            .map_err(|error| with_meaning(text, self.lookup(), error, |_| false).located(text))
    }

    fn read_declaration(&self, text: &str, name: Option<&str>) -> Result<Declaration, Error> {
        let Fields { spec, modifiers, spec_text, name: written, others } = parse_fields(text, self.lookup())?;
        if let Some((key, _, span)) = others.first() {
            return Err(Error::of("text", PlaceError::Field { text: Snippet::of(key) }).at(span.clone()));
        }
        let job = match (written, name) {
            (Some(written), _) => Job::new(&written.text, spec).map_err(|error| written.place(error))?,
            (None, Some(name)) => Job::new(name, spec)?,
            (None, None) => return Err(Error::of("text", TextError::MissingName).at(text.len()..text.len())),
        };
        // A macro is the first word, and no field has an `@`.
        let end = spec_text.find([' ', '\t']).filter(|_| spec_text.starts_with('@'));
        let end = end.or_else(|| spec_text.find('@').filter(|at| *at > 0)).unwrap_or(spec_text.len());
        Declaration::new(job, modifiers, spec_text[..end].trim_matches([' ', '\t']))
    }
}
