//! The exception `kron.KronError`, made from the core's error.

use kron_core::{Error, LoadError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyTuple, PyType};

/// The Python exception of a core error.
#[cold]
pub(crate) fn raise(error: Error) -> PyErr {
    Python::attach(|py| exception(py, &error).map_or_else(|broken| broken, PyErr::from_value))
}

/// The Python exception of a file that does not read.
#[cold]
pub(crate) fn raise_load(py: Python<'_>, error: &LoadError) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let make = || {
        let errors = error.errors.iter().map(|error| exception(py, error)).collect::<PyResult<Vec<_>>>()?;
        let class = CLASS.import(py, "kron._errors", "LoadError")?;
        class.call1((error.to_string(), PyTuple::new(py, errors)?))
    };
    make().map_or_else(|broken| broken, PyErr::from_value)
}

fn exception<'py>(py: Python<'py>, error: &Error) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let span = error.span().map(|span| (span.start, span.end));
    CLASS.import(py, "kron._errors", "KronError")?.call1((
        error.to_string(),
        error.code().number(),
        error.field(),
        span,
        error.line(),
        error.document(),
        error.reason(),
        error.help(),
    ))
}
