//! Durations: texts, and the types of the standard library, pandas, NumPy and whenever.

use kron_core::Duration;
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDelta, PyString};

use crate::argument::{
    Arg, class_of_whenever, described, expected, expected_with_help, is_nan, is_number, nanoseconds,
    numpy_seconds, type_name,
};
use crate::error::raise;

impl<'py> FromPyObject<'_, 'py> for Arg<Duration> {
    type Error = PyErr;

    fn extract(obj: Borrowed<'_, 'py, PyAny>) -> PyResult<Arg<Duration>> {
        duration_of(&obj)?
            .map(Arg)
            .ok_or_else(|| no_duration("a duration such as '10m' or a timedelta", &obj))
    }
}

/// The error of an argument that is no duration, with the way to write a number.
#[cold]
pub(crate) fn no_duration(what: &str, obj: &Bound<'_, PyAny>) -> PyErr {
    match obj.str() {
        Ok(_) if is_nan(obj) => expected_with_help(what, obj, "NaN is a missing value: write None for it"),
        Ok(number) if is_number(obj) => {
            expected_with_help(what, obj, &format!("write the unit, as in '{number}s' for seconds"))
        }
        _ => expected(what, obj),
    }
}

/// The duration that an object is; `None` for an object of another type.
pub(crate) fn duration_of(obj: &Bound<'_, PyAny>) -> PyResult<Option<Duration>> {
    let py = obj.py();
    if let Ok(text) = obj.cast::<PyString>() {
        return Duration::parse(&text.to_cow()?).map(Some).map_err(raise);
    }
    let nanos = if let Ok(delta) = obj.cast::<PyDelta>() {
        let (seconds, micros) = seconds(delta)?;
        let beyond = nanoseconds::<PyDelta>(obj, intern!(py, "nanoseconds"))?;
        (i128::from(seconds) * 1_000_000 + i128::from(micros)) * 1000 + i128::from(beyond)
    } else if type_name(obj) == "numpy.timedelta64" {
        of_numpy(obj)?
    } else {
        match class_of_whenever(obj).as_deref() {
            Some("TimeDelta") => of_whenever(obj)?,
            _ => return Ok(None),
        }
    };
    match i64::try_from(nanos).ok().and_then(Duration::from_nanos) {
        Some(duration) => Ok(Some(duration)),
        // The core's parser reports what is wrong with it.
        None => Duration::parse(&format!("{nanos}ns")).map(Some).map_err(raise),
    }
}

fn of_numpy(obj: &Bound<'_, PyAny>) -> PyResult<i128> {
    let dtype: String = obj.getattr("dtype")?.str()?.extract()?;
    // Months and years have no fixed length, and a number without a unit says nothing.
    if ["timedelta64", "timedelta64[Y]", "timedelta64[M]"].contains(&&*dtype) {
        let message =
            format!("{} has no fixed length; write it in another unit, such as '10m'", described(obj));
        return Err(PyValueError::new_err(message));
    }
    match numpy_seconds(obj, "timedelta64")? {
        Some((seconds, nanos)) => Ok(i128::from(seconds) * 1_000_000_000 + i128::from(nanos)),
        None => Err(PyValueError::new_err("NaT is no duration")),
    }
}

fn of_whenever(obj: &Bound<'_, PyAny>) -> PyResult<i128> {
    match obj.getattr_opt("in_nanoseconds")? {
        Some(method) => method.call0(),
        // Since whenever 0.10.
        None => obj.call_method1("total", ("nanoseconds",)),
    }?
    .extract()
}

/// Whole seconds of a timedelta, rounded down, and microseconds beyond them.
pub(crate) fn seconds(delta: &Bound<'_, PyDelta>) -> PyResult<(i64, u32)> {
    let py = delta.py();
    // As 32 bits, which every real timedelta fits; a subclass may return anything.
    let (days, seconds): (i32, i32) =
        (delta.getattr(intern!(py, "days"))?.extract()?, delta.getattr(intern!(py, "seconds"))?.extract()?);
    Ok((
        i64::from(days) * 86_400 + i64::from(seconds),
        delta.getattr(intern!(py, "microseconds"))?.extract()?,
    ))
}

/// A duration as a timedelta, rounded down to microseconds.
pub(crate) fn timedelta(py: Python<'_>, duration: Duration) -> PyResult<Bound<'_, PyDelta>> {
    let (seconds, micros) = (duration.as_secs(), duration.as_nanos() % 1_000_000_000 / 1000);
    // OK because 2^63 nanoseconds are fewer than 2^17 days.
    PyDelta::new(py, (seconds / 86_400) as i32, (seconds % 86_400) as i32, micros as i32, false)
}

/// An offset from UTC, which is shorter than a day, as a timedelta.
pub(crate) fn offset(py: Python<'_>, seconds: i32) -> PyResult<Bound<'_, PyDelta>> {
    PyDelta::new(py, 0, seconds, 0, true)
}
