//! `kron.Cron`.

use std::fmt;

use kron_core::TzDatabase;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::convert::{Arg, Time, ZoneName, class_or_text, datetime, literal, or_now, text, word};
use crate::tzdb::or_compiled_in;

/// A cron expression of five fields, or one of the macros `@yearly @annually @monthly @weekly @daily @midnight @hourly`.
///
/// It names *nominal times*; windows belong to jobs.
///
/// >>> import kron
/// >>> kron.Cron("0,30 9-17 ? * MON-FRI")
/// kron.Cron('0,30 9-17 * * 1-5')
/// >>> kron.Cron("0 9 * * FRI-SUN")
/// Traceback (most recent call last):
///     ...
/// kron.KronError: schedule.dayOfWeek: range `FRI-SUN` at column 9 runs backwards; write `FRI-7`
#[pyclass(frozen, eq, hash, str, module = "kron")]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Cron(pub(crate) kron_core::Cron);

class_or_text!(Cron);

impl fmt::Display for Cron {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[pymethods]
impl Cron {
    #[new]
    #[pyo3(signature = (text, /))]
    fn new(#[pyo3(from_py_with = text)] text: &str) -> PyResult<Cron> {
        word(text).map(Cron)
    }

    /// The same as `Cron(text)`; every value type reads its text so.
    #[classmethod]
    #[pyo3(signature = (text, /))]
    fn parse(_cls: &Bound<'_, PyType>, #[pyo3(from_py_with = text)] text: &str) -> PyResult<Cron> {
        Cron::new(text)
    }

    /// The smallest nominal time after an instant, the present one by default; `None` if there is none up to 2099.
    ///
    /// >>> import datetime, kron
    /// >>> noon = datetime.datetime(2026, 3, 28, 12, tzinfo=datetime.timezone.utc)
    /// >>> kron.Cron("30 2 * * *").next(noon, timezone="Europe/Paris")  # 02:30 is skipped on the 29th
    /// datetime.datetime(2026, 3, 30, 0, 30, tzinfo=datetime.timezone.utc)
    #[pyo3(signature = (after = None, *, timezone = ZoneName::Utc, tz_database = None), text_signature = "($self, after=None, *, timezone='UTC', tz_database=None)")]
    fn next<'py>(
        &self,
        py: Python<'py>,
        after: Option<Time>,
        timezone: ZoneName,
        tz_database: Option<Arg<TzDatabase>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let next =
            self.0.in_zone(timezone.in_database(&or_compiled_in(tz_database))?).next(or_now(py, after)?);
        next.map(|next| datetime(py, next.timestamp())).transpose()
    }

    /// The greatest nominal time at or before an instant, the present one by default; `None` if there is none from 1970 on.
    ///
    /// >>> import datetime, kron
    /// >>> noon = datetime.datetime(2026, 3, 28, 12, tzinfo=datetime.timezone.utc)
    /// >>> kron.Cron("@daily").prev(noon)
    /// datetime.datetime(2026, 3, 28, 0, 0, tzinfo=datetime.timezone.utc)
    #[pyo3(signature = (at = None, *, timezone = ZoneName::Utc, tz_database = None), text_signature = "($self, at=None, *, timezone='UTC', tz_database=None)")]
    fn prev<'py>(
        &self,
        py: Python<'py>,
        at: Option<Time>,
        timezone: ZoneName,
        tz_database: Option<Arg<TzDatabase>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let prev = self.0.in_zone(timezone.in_database(&or_compiled_in(tz_database))?).prev(or_now(py, at)?);
        prev.map(|prev| datetime(py, prev.timestamp())).transpose()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("kron.Cron({})", literal(py, &self.to_string())?))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<Cron>(), (self.to_string(),))
    }
}
