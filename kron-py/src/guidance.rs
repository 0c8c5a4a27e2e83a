//! Errors about names that Kron does not have. They name the right word, which `python/kron/_synonyms.py` knows.

use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// Refuses keyword arguments that a function does not have. `call` is its name below `kron`, such as `Job.starts`.
#[inline]
pub(crate) fn refuse(call: &str, unknown: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
    // Without any, PyO3 makes no dict.
    match unknown {
        None => Ok(()),
        Some(unknown) => Err(error(unknown.py(), "unexpected_keyword", (call, unknown.keys()))),
    }
}

/// Refuses positional arguments that a function does not have.
#[inline]
pub(crate) fn refuse_positional(call: &str, more: &Bound<'_, PyTuple>) -> PyResult<()> {
    if more.is_empty() { Ok(()) } else { Err(error(more.py(), "unexpected_argument", (call, more))) }
}

/// The error of a function without an argument that it needs.
#[cold]
pub(crate) fn missing(py: Python<'_>, call: &str, argument: &str) -> PyErr {
    error(py, "missing_argument", (call, argument))
}

/// The `KeyError` of a fleet without a job of this name.
#[cold]
pub(crate) fn no_job(py: Python<'_>, name: &str, names: &Bound<'_, PyTuple>) -> PyErr {
    error(py, "no_job", (name, names))
}

/// The exception that a function of the module makes.
#[cold]
fn error<'py>(py: Python<'py>, function: &str, args: impl PyCallArgs<'py>) -> PyErr {
    let function = py.import("kron._synonyms").and_then(|module| module.getattr(function));
    let made = function.and_then(|function| function.call1(args));
    made.map_or_else(|broken| broken, PyErr::from_value)
}
