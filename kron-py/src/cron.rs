//! `kron.Cron`.

use std::fmt;

use chrono::{DateTime, Months, Utc};
use kron_core::{Duration, Error, Schedule, TzDatabase};
use kron_formats::prime::{self, LeadChange, Prime as _, PrimedSchedule, shortest_text};
use pyo3::prelude::*;
use pyo3::types::{PyDelta, PyTuple, PyType};

use crate::argument::{Arg, flag, text};
use crate::convert::{ZoneName, class_or_text, literal, word};
use crate::dataclass::class;
use crate::error::raise;
use crate::instant::{Time, datetime, or_now};
use crate::tzdb::or_compiled_in;

/// A cron expression of five fields, or one of the macros `@yearly @annually @monthly @weekly @daily @midnight @hourly`.
///
/// It determines *nominal times*. Windows belong to jobs.
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

    /// The same as `Cron(text)`. The other types that have a text form have a classmethod of this name, too.
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

    /// The expression in few characters: each field is the shortest list that says the same. `str()` gives the canonical form
    /// instead, in which lists ascend.
    ///
    /// >>> import kron
    /// >>> kron.Cron("0,10,20,30,40,50 8 1-31/2 * 5,6,7").shortest_text
    /// '*/10 8 */2 * 5-7'
    #[getter]
    fn shortest_text(&self) -> String {
        shortest_text(&self.0)
    }

    /// The expressions that fire `lead` before this one. The lead is in whole minutes, from one minute to 31 days.
    ///
    /// Their civil times are those of this expression moved back, with none missing and none added, in the years 1970 to 2099.
    /// Where no such expressions exist, raises `KronError` with the code 700 and with the dates that show it. With `cover=True`
    /// it then returns expressions that also fire at other times: the smallest set that is found.
    ///
    /// >>> import datetime, kron
    /// >>> kron.Cron("*/20 0 * * MON").prime(datetime.timedelta(minutes=10)).texts
    /// ('50 23 * * 0', '10,30 0 * * 1')
    /// >>> march = kron.Cron("0 0 1 3 *")
    /// >>> try: march.prime("10m")
    /// ... except kron.KronError as error: error.code
    /// 700
    /// >>> march.prime("10m", cover=True).surplus
    /// 32
    #[pyo3(signature = (lead, *, cover = false))]
    fn prime<'py>(
        &self,
        py: Python<'py>,
        lead: Arg<Duration>,
        #[pyo3(from_py_with = flag)] cover: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        primed(py, py.detach(|| if cover { self.0.prime_cover(lead.0) } else { self.0.prime(lead.0) }))
    }

    /// The clock changes because of which the expressions of `prime` do not fire exactly `lead` before a start: a list of
    /// `kron.LeadChange`. For each clock change after `after` and before `until`, it has the first start affected in each way.
    /// `after` is the present time by default, and `until` is three years after it. Raises `KronError` for a lead that `prime`
    /// does not take.
    ///
    /// >>> import datetime, kron
    /// >>> spring = datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc)
    /// >>> changes = kron.Cron("0 3 * * *").lead_changes("10m", spring, timezone="Europe/Paris")
    /// >>> print(changes[0])
    /// 2026-03-29T02:50 is skipped: nothing fires before the start at 2026-03-29T03:00
    /// >>> changes[1].kind, changes[1].lead
    /// ('twice', datetime.timedelta(seconds=4200))
    #[pyo3(signature = (lead, after = None, until = None, *, timezone = ZoneName::Utc, tz_database = None), text_signature = "($self, lead, after=None, until=None, *, timezone='UTC', tz_database=None)")]
    fn lead_changes<'py>(
        &self,
        py: Python<'py>,
        lead: Arg<Duration>,
        after: Option<Time>,
        until: Option<Time>,
        timezone: ZoneName,
        tz_database: Option<Arg<TzDatabase>>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let schedule = self.0.in_zone(timezone.in_database(&or_compiled_in(tz_database))?);
        lead_changes(py, &schedule, lead.0, after, until)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("kron.Cron({})", literal(py, &self.to_string())?))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<Cron>(), (self.to_string(),))
    }
}

/// A `kron.Primed`.
pub(crate) fn primed<'py>(
    py: Python<'py>,
    primed: Result<PrimedSchedule, Error>,
) -> PyResult<Bound<'py, PyAny>> {
    let primed = primed.map_err(raise)?;
    let expressions = PyTuple::new(py, primed.expressions().iter().map(|cron| Cron(*cron)))?;
    let texts = PyTuple::new(py, primed.texts())?;
    class(py, "Primed")?.call1((expressions, texts, primed.is_minimal(), primed.surplus()))
}

/// A list of `kron.LeadChange`.
pub(crate) fn lead_changes<'py>(
    py: Python<'py>,
    schedule: &Schedule,
    lead: Duration,
    after: Option<Time>,
    until: Option<Time>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let (after, until) = three_years(py, after, until)?;
    let changes = py.detach(|| prime::lead_changes(schedule, lead, after, until)).map_err(raise)?;
    changes.iter().map(|change| lead_change(py, change)).collect()
}

/// The range of an argument, by default from the present time on and three years long.
pub(crate) fn three_years(
    py: Python<'_>,
    start: Option<Time>,
    end: Option<Time>,
) -> PyResult<(DateTime<Utc>, DateTime<Utc>)> {
    let start = or_now(py, start)?;
    let later = || start.checked_add_months(Months::new(36)).unwrap_or(DateTime::<Utc>::MAX_UTC);
    Ok((start, end.map_or_else(later, |end| end.0)))
}

fn lead_change<'py>(py: Python<'py>, change: &LeadChange) -> PyResult<Bound<'py, PyAny>> {
    // OK because a firing and its start are at most 31 days and a change of offset apart.
    let delta = |seconds: i64| PyDelta::new(py, 0, seconds as i32, 0, true);
    let lead = change.kind.seconds().map(delta).transpose()?;
    class(py, "LeadChange")?.call1((
        datetime(py, change.timestamp)?,
        change.kind.as_str(),
        change.start_text(),
        change.primed_text(),
        lead,
        change.to_string(),
    ))
}
