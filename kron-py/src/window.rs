//! `kron.Window`.

use std::fmt;

use kron_core::{Duration, WindowMode};
use pyo3::prelude::*;
use pyo3::types::{PyDelta, PyDict, PyString, PyType};

use crate::argument::{Arg, text};
use crate::convert::{literal, word};
use crate::duration::{duration_of, no_duration, timedelta};
use crate::error::raise;
use crate::guidance::refuse;

/// The closed interval in which the start is chosen.
///
/// `mode` is its position: `'after'`, `'around'` or `'before'` the nominal time. `duration` is its length, a timedelta or a text
/// such as `'3h'`, from 0 to 8784h (366 days). Raises `KronError` for a longer one.
///
/// >>> import kron
/// >>> kron.Window("after", "90m")
/// kron.Window('after', '1h30m0s')
/// >>> str(kron.Window("around", "40m"))
/// 'around,40m0s'
#[pyclass(frozen, eq, hash, str, module = "kron")]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Window(pub(crate) kron_core::Window);

/// An argument for a window: the class, its text, or only a duration, which is the length of a window `after`.
impl<'py> FromPyObject<'_, 'py> for Arg<kron_core::Window> {
    type Error = PyErr;

    fn extract(obj: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(window) = obj.cast::<Window>() {
            return Ok(Arg(window.get().0));
        }
        if let Ok(text) = obj.cast::<PyString>() {
            let text = text.to_cow()?;
            // A mode begins with a letter.
            if !text.starts_with(|first: char| first.is_ascii_digit() || ".+-".contains(first)) {
                return word(&text).map(Arg);
            }
        }
        let what = "a kron.Window, its text, or a duration such as '3h' or a timedelta";
        let duration = duration_of(&obj)?.ok_or_else(|| no_duration(what, &obj))?;
        kron_core::Window::new(WindowMode::default(), duration).map(Arg).map_err(raise)
    }
}

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Window {
    fn of(mode: WindowMode, duration: Arg<Duration>) -> PyResult<Window> {
        kron_core::Window::new(mode, duration.0).map(Window).map_err(raise)
    }
}

#[pymethods]
impl Window {
    #[new]
    #[pyo3(
        signature = (mode = "after", duration = Arg(Duration::ZERO), **unknown),
        text_signature = "(mode='after', duration='0s')"
    )]
    fn new(
        #[pyo3(from_py_with = text)] mode: &str,
        duration: Arg<Duration>,
        unknown: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Window> {
        refuse("Window", unknown)?;
        Window::of(word::<WindowMode>(mode)?, duration)
    }

    /// A window of this length from the nominal time on.
    ///
    /// >>> import kron
    /// >>> kron.Window.after("3h")
    /// kron.Window('after', '3h0m0s')
    #[classmethod]
    #[pyo3(signature = (duration, /))]
    fn after(_cls: &Bound<'_, PyType>, duration: Arg<Duration>) -> PyResult<Window> {
        Window::of(WindowMode::After, duration)
    }

    /// A window of this length with the nominal time in its middle.
    #[classmethod]
    #[pyo3(signature = (duration, /))]
    fn around(_cls: &Bound<'_, PyType>, duration: Arg<Duration>) -> PyResult<Window> {
        Window::of(WindowMode::Around, duration)
    }

    /// A window of this length that ends at the nominal time.
    #[classmethod]
    #[pyo3(signature = (duration, /))]
    fn before(_cls: &Bound<'_, PyType>, duration: Arg<Duration>) -> PyResult<Window> {
        Window::of(WindowMode::Before, duration)
    }

    /// Reads the text form, as in `@win(...)`.
    ///
    /// >>> import kron
    /// >>> kron.Window.parse("after,3h").duration
    /// datetime.timedelta(seconds=10800)
    #[classmethod]
    #[pyo3(signature = (text, /))]
    fn parse(_cls: &Bound<'_, PyType>, #[pyo3(from_py_with = text)] text: &str) -> PyResult<Window> {
        word(text).map(Window)
    }

    /// The position of the window: `after`, `around` or `before` the nominal time.
    #[getter]
    fn mode(&self) -> &'static str {
        self.0.mode().as_str()
    }

    /// The length, rounded down to microseconds; the text has the nanoseconds.
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
