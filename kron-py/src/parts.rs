//! The parts of a job as keyword arguments, alone or together with a text.

use kron_core::{
    Algorithm, Constraints, Distribution, ErrorCode, JobSpec, Parser, Policy, Seed, TzDatabase, Window,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::convert::{Arg, ZoneName, expected};
use crate::cron::Cron;
use crate::error::raise;
use crate::tzdb::or_compiled_in;

/// The keyword arguments of `Job`, `Job.replace` and `decide`.
pub(crate) struct Parts {
    pub(crate) timezone: Option<ZoneName>,
    pub(crate) window: Option<Arg<Window>>,
    pub(crate) distribution: Option<Arg<Distribution>>,
    pub(crate) seed: Option<Arg<Seed>>,
    pub(crate) constraints: Option<Arg<Constraints>>,
    pub(crate) policy: Option<Arg<Policy>>,
    pub(crate) algorithm: Option<Arg<Algorithm>>,
    /// Where zones are looked up.
    pub(crate) tz_database: Option<Arg<TzDatabase>>,
}

impl Parts {
    /// A spec of a job's text, or of a `Cron`, and these parts.
    pub(crate) fn spec(self, text: &Bound<'_, PyAny>) -> PyResult<JobSpec> {
        let spec = if let Ok(cron) = text.cast::<Cron>() {
            JobSpec::builder(cron.get().0).build().map_err(raise)?
        } else {
            let Ok(text) = text.cast::<PyString>() else {
                return Err(expected("a job's text or a kron.Cron", text));
            };
            let text = text.to_cow()?;
            let parser = Parser::new().with_tz_database(self.tz_database());
            let spec = parser.spec(&text).map_err(raise)?;
            self.refuse_twice(&parser, &text, &spec)?;
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
        if let Some(Arg(constraints)) = self.constraints {
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

    /// A part may be in the text or an argument, not both. Whether the text has it, the core's parser knows: it refuses
    /// the same modifier a second time.
    fn refuse_twice(&self, parser: &Parser, text: &str, spec: &JobSpec) -> PyResult<()> {
        let given = [
            (self.timezone.is_some(), "timezone", "@tz(UTC)"),
            (self.window.is_some(), "window", "@win(after,0s)"),
            (self.distribution.is_some(), "distribution", "@dist(uniform)"),
            (self.seed.is_some(), "seed", "@seed(stable)"),
            (self.policy.is_some(), "policy", "@policy(suspend=false)"),
            (self.algorithm.is_some(), "algorithm", "@alg(siphash-chacha8/1)"),
        ];
        let constraints = self.constraints.is_some() && !spec.constraints().is_empty();
        let mut twice = constraints.then_some("constraints");
        for (_, name, modifier) in given.into_iter().filter(|(given, ..)| *given) {
            match parser.spec(&format!("{text} {modifier}")) {
                Ok(_) => {}
                Err(error) if error.code() == ErrorCode::TextRepeated => twice = twice.or(Some(name)),
                // A text so long that there is no room for one more modifier.
                Err(error) => return Err(raise(error)),
            }
        }
        match twice {
            None => Ok(()),
            Some(name) => Err(PyTypeError::new_err(format!(
                "`{name}` is given twice, in the text and as an argument; leave one of them out"
            ))),
        }
    }
}
