//! The exception `kron.KronError`, made from the core's error.

use kron_core::{Error, ErrorCode};
use kron_formats::LoadError;
use kron_tzdb::ReadError;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyTuple, PyType};

/// The Python exception of a core error.
#[cold]
pub(crate) fn raise(error: Error) -> PyErr {
    Python::attach(|py| exception(py, &error).map_or_else(|broken| broken, PyErr::from_value))
}

/// The Python exception of a core error in a text that has a name among several.
#[cold]
pub(crate) fn raise_in(error: &Error, place: Option<&str>) -> PyErr {
    let message = place.map_or_else(|| error.to_string(), |place| format!("{place}: {error}"));
    Python::attach(|py| exception_with(py, error, message).map_or_else(|broken| broken, PyErr::from_value))
}

/// The Python exception of a file with errors.
#[cold]
pub(crate) fn raise_load(py: Python<'_>, error: &LoadError) -> PyErr {
    raise_all(py, &error.to_string(), &error.errors)
}

/// The Python exception of all errors of a text.
#[cold]
pub(crate) fn raise_all<'a>(
    py: Python<'_>,
    message: &str,
    errors: impl IntoIterator<Item = &'a Error>,
) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let make = || {
        let errors = errors.into_iter().map(|error| exception(py, error)).collect::<PyResult<Vec<_>>>()?;
        let class = CLASS.import(py, "kron._errors", "LoadError")?;
        class.call1((message, PyTuple::new(py, errors)?))
    };
    make().map_or_else(|broken| broken, PyErr::from_value)
}

/// The Python exception of a directory that is not a time zone database: `OSError` if the system refuses, otherwise `KronError`.
#[cold]
pub(crate) fn raise_read(py: Python<'_>, error: &ReadError) -> PyErr {
    let made = match error {
        ReadError::Io { path, error } => match error.raw_os_error() {
            // Python chooses `FileNotFoundError` and similar classes by the number. The number of Windows is another
            // argument.
            Some(number) => {
                py.import("os").and_then(|os| os.call_method1("strerror", (number,))).and_then(|why| {
                    let class = py.get_type::<PyOSError>();
                    if cfg!(windows) {
                        class.call1((0, why, path.as_os_str(), number))
                    } else {
                        class.call1((number, why, path.as_os_str()))
                    }
                })
            }
            None => return PyOSError::new_err(format!("{}: {error}", path.display())),
        },
        ReadError::Data { path, error } => exception_with(py, error, format!("{}: {error}", path.display())),
        other => {
            let (reason, help) = (other.to_string(), other.help());
            let message = help.as_ref().map_or_else(|| reason.clone(), |help| format!("{reason}; {help}"));
            let none = py.None();
            let args = (message, ErrorCode::TzData.number(), "tzdb", &none, &none, &none, reason, help);
            class(py).and_then(|class| class.call1(args))
        }
    };
    made.map_or_else(|broken| broken, PyErr::from_value)
}

/// The Python exception of a text that is no instant.
#[cold]
pub(crate) fn raise_instant(text: &str, help: &str) -> PyErr {
    // Of the text, as much as a line holds.
    let shown: String = text.chars().take(60).collect();
    let reason = format!("`{shown}` is not an instant in RFC 3339");
    let code = ErrorCode::Instant.number();
    Python::attach(|py| {
        let none = py.None();
        let args = (format!("{reason}; {help}"), code, "", (0, text.len()), &none, &none, &reason, help);
        class(py).and_then(|class| class.call1(args)).map_or_else(|broken| broken, PyErr::from_value)
    })
}

/// The reason for which long work ends early.
pub(crate) enum Ended {
    Core(Error),
    Python(PyErr),
}

impl From<Error> for Ended {
    fn from(error: Error) -> Ended {
        Ended::Core(error)
    }
}

impl From<PyErr> for Ended {
    fn from(error: PyErr) -> Ended {
        Ended::Python(error)
    }
}

impl From<Ended> for PyErr {
    fn from(ended: Ended) -> PyErr {
        match ended {
            Ended::Core(error) => raise(error),
            Ended::Python(error) => error,
        }
    }
}

fn class(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "kron._errors", "KronError")
}

fn exception<'py>(py: Python<'py>, error: &Error) -> PyResult<Bound<'py, PyAny>> {
    exception_with(py, error, error.to_string())
}

fn exception_with<'py>(py: Python<'py>, error: &Error, message: String) -> PyResult<Bound<'py, PyAny>> {
    let span = error.span().map(|span| (span.start, span.end));
    class(py)?.call1((
        message,
        error.code().number(),
        error.field(),
        span,
        error.line(),
        error.document(),
        error.reason(),
        error.help(),
    ))
}
