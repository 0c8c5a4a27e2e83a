//! The parts of a job as keyword arguments, alone or together with a text.

use kron_core::job::{Modifier, Modifiers};
use kron_core::{Algorithm, Calendars, Distribution, JobSpec, Parser, Policy, Seed, TzDatabase, Window};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::argument::{Arg, expected};
use crate::calendar::or_none;
use crate::constraints::{self, ConstraintsArg};
use crate::convert::ZoneName;
use crate::cron::Cron;
use crate::days;
use crate::error::raise;
use crate::tzdb::or_compiled_in;

/// The keyword arguments of `Job`, `Job.replace` and `decide`.
pub(crate) struct Parts<'py> {
    pub(crate) timezone: Option<ZoneName>,
    pub(crate) days: Option<Bound<'py, PyAny>>,
    pub(crate) nodays: Option<Bound<'py, PyAny>>,
    pub(crate) window: Option<Arg<Window>>,
    pub(crate) distribution: Option<Arg<Distribution>>,
    pub(crate) seed: Option<Arg<Seed>>,
    pub(crate) only: Option<Bound<'py, PyAny>>,
    pub(crate) avoid: Option<Bound<'py, PyAny>>,
    pub(crate) constraints: Option<ConstraintsArg>,
    pub(crate) policy: Option<Arg<Policy>>,
    pub(crate) algorithm: Option<Arg<Algorithm>>,
    /// Where zones are looked up.
    pub(crate) tz_database: Option<Arg<TzDatabase>>,
    /// Where names of calendars are looked up.
    pub(crate) calendars: Option<Arg<Calendars>>,
}

impl Parts<'_> {
    /// A spec of a job's text, or of a `Cron`, and these parts.
    pub(crate) fn spec(self, text: &Bound<'_, PyAny>) -> PyResult<JobSpec> {
        let spec = if let Ok(cron) = text.cast::<Cron>() {
            JobSpec::builder(cron.get().0).build().map_err(raise)?
        } else {
            let Ok(text) = text.cast::<PyString>() else {
                return Err(expected("a job's text or a kron.Cron", text));
            };
            let text = text.to_cow()?;
            let calendars = self.calendars.as_ref().map_or_else(Calendars::new, |Arg(it)| it.clone());
            let parser = Parser::new().with_tz_database(self.tz_database()).with_calendars(calendars);
            let (spec, modifiers) = parser.spec_with_modifiers(&text).map_err(raise)?;
            self.refuse_twice(modifiers)?;
            spec
        };
        self.on(&spec)
    }

    fn tz_database(&self) -> TzDatabase {
        self.tz_database.as_ref().map_or(TzDatabase::COMPILED_IN, |Arg(database)| database.clone())
    }

    /// The spec with these parts in place of its own.
    pub(crate) fn on(self, spec: &JobSpec) -> PyResult<JobSpec> {
        let mut builder = spec.to_builder();
        match (self.timezone, self.tz_database) {
            (Some(name), database) => {
                builder = builder.timezone(name.in_database(&or_compiled_in(database))?)
            }
            (None, Some(Arg(database))) => {
                builder = builder.timezone(database.zone(spec.timezone().name()).map_err(raise)?);
            }
            (None, None) => {}
        }
        if let Some(Arg(window)) = self.window {
            builder = builder.window(window);
        }
        if let Some(Arg(distribution)) = self.distribution {
            builder = builder.distribution(distribution);
        }
        if let Some(Arg(seed)) = self.seed {
            builder = builder.seed(seed);
        }
        let calendars = self.calendars.as_ref().map(|Arg(calendars)| calendars);
        builder =
            builder.days(days::rules(self.days.as_ref(), self.nodays.as_ref(), calendars, spec.days())?);
        let mut constraints = None;
        let own = spec.constraints();
        match (self.constraints, self.calendars) {
            (Some(_), _) if self.only.is_some() || self.avoid.is_some() => {
                return Err(PyTypeError::new_err(
                    "`constraints` has both kinds of clauses; leave out `only` and `avoid`, or `constraints`",
                ));
            }
            (Some(given), calendars) => constraints = Some(given.read(or_none(calendars))?),
            // The job names the same calendars, with these dates.
            (None, Some(Arg(calendars))) if !own.calendars().is_empty() => {
                let parser = Parser::new().with_calendars(calendars);
                constraints = Some(parser.constraints(&own.to_string()).map_err(raise)?);
            }
            (None, _) => {}
        }
        if self.only.is_some() || self.avoid.is_some() {
            let kept = constraints.as_ref().unwrap_or(own);
            constraints = Some(constraints::of_arguments(self.only.as_ref(), self.avoid.as_ref(), kept)?);
        }
        if let Some(constraints) = constraints {
            builder = builder.constraints(constraints);
        }
        if let Some(Arg(policy)) = self.policy {
            builder = builder.policy(policy);
        }
        if let Some(Arg(algorithm)) = self.algorithm {
            builder = builder.algorithm(algorithm);
        }
        builder.build().map_err(raise)
    }

    /// A part may be in the text or an argument, not both.
    fn refuse_twice(&self, modifiers: Modifiers) -> PyResult<()> {
        match modifiers.iter().find_map(|modifier| self.given(modifier)) {
            None => Ok(()),
            Some(name) => Err(PyTypeError::new_err(format!(
                "`{name}` is given twice, in the text and as an argument; leave one of them out"
            ))),
        }
    }

    /// The argument that says the same as a modifier, if it is given.
    fn given(&self, modifier: Modifier) -> Option<&'static str> {
        let (given, name) = match modifier {
            Modifier::Timezone => (self.timezone.is_some(), "timezone"),
            Modifier::Days => (self.days.is_some(), "days"),
            Modifier::Nodays => (self.nodays.is_some(), "nodays"),
            Modifier::Window => (self.window.is_some(), "window"),
            Modifier::Distribution => (self.distribution.is_some(), "distribution"),
            Modifier::Seed => (self.seed.is_some(), "seed"),
            Modifier::Policy => (self.policy.is_some(), "policy"),
            Modifier::Algorithm => (self.algorithm.is_some(), "algorithm"),
            Modifier::Only if self.only.is_some() => (true, "only"),
            Modifier::Avoid if self.avoid.is_some() => (true, "avoid"),
            Modifier::Only | Modifier::Avoid => (self.constraints.is_some(), "constraints"),
        };
        given.then_some(name)
    }
}
