//! `kron.Period`.

use std::fmt;

use pyo3::prelude::*;

use crate::instant::{Time, datetime, whole_second};

/// The times of one period, without the proof of how they were drawn: what policies and plans need.
///
/// `Decision.period` gives the period of a decision. A program that keeps the times elsewhere, for example in a database,
/// makes a period of them. `chosen_time` is `None` for an unschedulable period. A time that is not a whole second raises
/// `ValueError`.
///
/// >>> import datetime, kron
/// >>> noon = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.timezone.utc)
/// >>> period = kron.Period(noon, window_start=noon, window_end=noon, chosen_time=noon)
/// >>> period.period_id, kron.Policy().evaluate(period, noon).kind
/// ('2026-03-01T12:00:00Z', 'execute')
#[pyclass(frozen, eq, hash, str, module = "kron")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Period(pub(crate) kron_core::Period);

/// Period id and start in a line.
impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.0.period_id())?;
        match self.0.chosen_time() {
            Some(chosen) => write!(f, "starts at {}", chosen.format("%Y-%m-%dT%H:%M:%SZ")),
            None => f.write_str("is unschedulable"),
        }
    }
}

#[pymethods]
impl Period {
    #[new]
    #[pyo3(signature = (nominal_time, window_start, window_end, chosen_time))]
    fn new(
        nominal_time: Time,
        window_start: Time,
        window_end: Time,
        chosen_time: Option<Time>,
    ) -> PyResult<Period> {
        let nominal = whole_second("nominal_time", nominal_time.0)?;
        let window =
            (whole_second("window_start", window_start.0)?, whole_second("window_end", window_end.0)?);
        let chosen = chosen_time.map(|time| whole_second("chosen_time", time.0)).transpose()?;
        Ok(Period(kron_core::Period::new(nominal, window, chosen)))
    }

    /// The period id: the nominal time in RFC 3339, UTC.
    #[getter]
    fn period_id(&self) -> String {
        self.0.period_id()
    }

    /// The nominal time.
    #[getter]
    fn nominal_time<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        datetime(py, self.nominal_timestamp())
    }

    /// The first candidate of the window.
    #[getter]
    fn window_start<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        datetime(py, self.window_start_timestamp())
    }

    /// The last candidate of the window.
    #[getter]
    fn window_end<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        datetime(py, self.window_end_timestamp())
    }

    /// The start; `None` if the period is unschedulable.
    #[getter]
    fn chosen_time<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.chosen_timestamp().map(|chosen| datetime(py, chosen)).transpose()
    }

    /// `nominal_time` in Unix seconds.
    #[getter]
    fn nominal_timestamp(&self) -> i64 {
        self.0.nominal_timestamp()
    }

    /// `window_start` in Unix seconds.
    #[getter]
    fn window_start_timestamp(&self) -> i64 {
        self.0.window_start_timestamp()
    }

    /// `window_end` in Unix seconds.
    #[getter]
    fn window_end_timestamp(&self) -> i64 {
        self.0.window_end_timestamp()
    }

    /// `chosen_time` in Unix seconds.
    #[getter]
    fn chosen_timestamp(&self) -> Option<i64> {
        self.0.chosen_timestamp()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let time = |timestamp| -> PyResult<String> { datetime(py, timestamp)?.repr()?.extract() };
        let chosen = self.chosen_timestamp().map_or(Ok("None".to_string()), time)?;
        Ok(format!(
            "kron.Period({}, {}, {}, {chosen})",
            time(self.nominal_timestamp())?,
            time(self.window_start_timestamp())?,
            time(self.window_end_timestamp())?,
        ))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let args =
            (self.nominal_time(py)?, self.window_start(py)?, self.window_end(py)?, self.chosen_time(py)?);
        Ok((py.get_type::<Period>().into_any(), args.into_pyobject(py)?.into_any()))
    }
}
