//! `kron.Window`.

use std::fmt;

use kron_core::{Duration, WindowMode};
use pyo3::prelude::*;
use pyo3::types::PyDelta;

use crate::convert::{Arg, class_or_text, literal, timedelta, word};
use crate::error::raise;

/// The closed interval around a nominal time in which the start may be chosen.
///
/// `mode` is `'after'`, `'around'` or `'before'` the nominal time; `duration` is a timedelta or a text such as `'3h'`, from
/// 0 to 8784h (366 days).
///
/// >>> import kron
/// >>> kron.Window("after", "90m")
/// kron.Window('after', '1h30m0s')
/// >>> str(kron.Window("around", "40m"))
/// 'around,40m0s'
#[pyclass(frozen, eq, hash, str, module = "kron")]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Window(pub(crate) kron_core::Window);

class_or_text!(Window);

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[pymethods]
impl Window {
    #[new]
    #[pyo3(signature = (mode = "after", duration = Arg(Duration::ZERO)), text_signature = "(mode='after', duration='0s')")]
    fn new(mode: &str, duration: Arg<Duration>) -> PyResult<Window> {
        kron_core::Window::new(word::<WindowMode>(mode)?, duration.0).map(Window).map_err(raise)
    }

    /// Reads the text form, as in `@win(...)`.
    ///
    /// >>> import kron
    /// >>> kron.Window.parse("after,3h").duration
    /// datetime.timedelta(seconds=10800)
    #[classmethod]
    #[pyo3(signature = (text, /))]
    fn parse(_cls: &Bound<'_, pyo3::types::PyType>, text: &str) -> PyResult<Window> {
        word(text).map(Window)
    }

    /// On which side of the nominal time it lies.
    #[getter]
    fn mode(&self) -> &'static str {
        self.0.mode().as_str()
    }

    /// How long it is, rounded down to microseconds; the text has the nanoseconds.
    #[getter]
    fn duration<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDelta>> {
        timedelta(py, self.0.duration())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let duration = literal(py, &self.0.duration().to_string())?;
        Ok(format!("kron.Window('{}', {duration})", self.0.mode()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.get_type::<Window>().getattr("parse")?, (self.to_string(),)))
    }
}
