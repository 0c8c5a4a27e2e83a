//! `kron.Seed`.

use std::fmt;

use kron_core::SeedStrategy;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

use crate::argument::text;
use crate::convert::{class_or_text, literal, word};
use crate::error::raise;
use crate::guidance::refuse;

/// How often a new draw is made, and a salt.
///
/// `strategy` is `'stable'` (for every period), `'daily'` (for every day in the job's zone), `'weekly'` (for every ISO week in
/// the job's zone) or `'fixed'` (once for all periods). `salt` is any text of up to 1024 bytes in UTF-8; another salt gives other
/// starts.
///
/// >>> import kron
/// >>> kron.Seed("daily", salt="blue")
/// kron.Seed('daily', salt='blue')
#[pyclass(frozen, eq, hash, str, module = "kron")]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Seed(pub(crate) kron_core::Seed);

class_or_text!(Seed);

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[pymethods]
impl Seed {
    #[new]
    #[pyo3(signature = (strategy = "stable", *, salt = "", **unknown), text_signature = "(strategy='stable', *, salt='')")]
    fn new(
        #[pyo3(from_py_with = text)] strategy: &str,
        #[pyo3(from_py_with = text)] salt: &str,
        unknown: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Seed> {
        refuse("Seed", unknown)?;
        kron_core::Seed::new(word::<SeedStrategy>(strategy)?, salt).map(Seed).map_err(raise)
    }

    /// Reads the text form, as in `@seed(...)`.
    ///
    /// >>> import kron
    /// >>> kron.Seed.parse('weekly,salt="blue green"').salt
    /// 'blue green'
    #[classmethod]
    #[pyo3(signature = (text, /))]
    fn parse(_cls: &Bound<'_, PyType>, #[pyo3(from_py_with = text)] text: &str) -> PyResult<Seed> {
        word(text).map(Seed)
    }

    /// The seed strategy: how often a new draw is made.
    #[getter]
    fn strategy(&self) -> &'static str {
        self.0.strategy().as_str()
    }

    /// The salt.
    #[getter]
    fn salt(&self) -> &str {
        self.0.salt()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let salt = match self.0.salt() {
            "" => String::new(),
            salt => format!(", salt={}", literal(py, salt)?),
        };
        Ok(format!("kron.Seed('{}'{salt})", self.0.strategy()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.get_type::<Seed>().getattr("parse")?, (self.to_string(),)))
    }
}
