//! `kron.Calendar`, and the calendars that an argument gives.

use std::fmt;

use chrono::{Datelike, NaiveDate};
use kron_core::Calendars;
use pyo3::prelude::*;
use pyo3::types::{PyDate, PyString, PyTuple, PyType};

use crate::argument::{Arg, expected, text};
use crate::convert::{date, date_range, literal};
use crate::error::{raise, raise_all};

/// A named list of dates, which the part `calendar` of a clause names.
///
/// `dates` is an iterable of `datetime.date`s, of pairs of a first and a last date, and of texts of both kinds; or one text with
/// commas between the dates. Both ends of a pair are included. The name has 1 to 64 ASCII letters, digits, `-`, `_` and `.`, and
/// begins with a letter or digit. Raises `KronError` for another name, without dates, and for more than 10,000 ranges of dates.
///
/// Jobs, `load` and `verify` take calendars as the argument `calendars`.
///
/// >>> import datetime, kron
/// >>> holidays = kron.Calendar("holidays-fr", [datetime.date(2026, 12, 25), "2027-01-01"])
/// >>> job = kron.Job("@daily @win(after,3h) @avoid(calendar=holidays-fr)", name="db/backup", calendars=[holidays])
/// >>> noon = datetime.datetime(2026, 12, 24, 12, tzinfo=datetime.timezone.utc)
/// >>> job.next_start(noon).period_id  # there is no start on the 25th
/// '2026-12-26T00:00:00Z'
/// >>> kron.Calendar("year-end", "2026-12-24..2026-12-26, 2026-12-31")
/// kron.Calendar('year-end', '2026-12-24..2026-12-26, 2026-12-31')
#[pyclass(frozen, eq, hash, str, module = "kron")]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Calendar(pub(crate) kron_core::Calendar);

/// A line of a calendar file.
impl fmt::Display for Calendar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Calendars as an argument: an iterable of them.
impl<'py> FromPyObject<'_, 'py> for Arg<Calendars> {
    type Error = PyErr;

    fn extract(obj: Borrowed<'_, 'py, PyAny>) -> PyResult<Arg<Calendars>> {
        let wrong = || expected("an iterable of kron.Calendar", &obj);
        if obj.is_instance_of::<PyString>() {
            return Err(wrong());
        }
        let mut calendars = Calendars::new();
        for item in obj.try_iter().map_err(|_| wrong())? {
            let item = item?;
            let calendar = item.cast::<Calendar>().map_err(|_| expected("a kron.Calendar", &item))?;
            calendars.add(calendar.get().0.clone()).map_err(raise)?;
        }
        Ok(Arg(calendars))
    }
}

/// The calendars of an argument, or none.
pub(crate) fn or_none(calendars: Option<Arg<Calendars>>) -> Calendars {
    calendars.map_or_else(Calendars::new, |Arg(calendars)| calendars)
}

/// Calendars as a tuple.
pub(crate) fn tuple<'py, 'a>(
    py: Python<'py>,
    calendars: impl IntoIterator<Item = &'a kron_core::Calendar>,
) -> PyResult<Bound<'py, PyTuple>> {
    let calendars = calendars.into_iter().map(|calendar| Bound::new(py, Calendar(calendar.clone())));
    PyTuple::new(py, calendars.collect::<PyResult<Vec<_>>>()?)
}

/// A list of calendars as an expression.
pub(crate) fn list_repr<'a>(
    py: Python<'_>,
    calendars: impl IntoIterator<Item = &'a kron_core::Calendar>,
) -> PyResult<String> {
    let calendars = calendars.into_iter().map(|calendar| Calendar(calendar.clone()).repr(py));
    Ok(format!("[{}]", calendars.collect::<PyResult<Vec<String>>>()?.join(", ")))
}

/// Dates with commas between them.
fn dates_text(dates: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = dates.cast::<PyString>() {
        return Ok(text.to_cow()?.into_owned());
    }
    let wrong = |obj: &Bound<'_, PyAny>| {
        expected("datetime.dates, pairs of them, or texts such as '2026-12-25'", obj)
    };
    let mut list: Vec<String> = Vec::new();
    for item in dates.try_iter().map_err(|_| wrong(dates))? {
        let item = item?;
        let text = match item.cast::<PyString>() {
            Ok(text) => Some(text.to_cow()?.into_owned()),
            Err(_) => date(&item)?.map_or_else(|| date_range(&item), |date| Ok(Some(date)))?,
        };
        list.push(text.ok_or_else(|| wrong(&item))?);
    }
    Ok(list.join(", "))
}

#[pymethods]
impl Calendar {
    #[new]
    #[pyo3(signature = (name, dates, /))]
    fn new(#[pyo3(from_py_with = text)] name: &str, dates: &Bound<'_, PyAny>) -> PyResult<Calendar> {
        kron_core::Calendar::parse(name, &dates_text(dates)?).map(Calendar).map_err(raise)
    }

    /// Reads the text of an iCalendar file (RFC 5545). The calendar has the days of its events, which must be all-day events.
    /// Raises `KronError` for other events and for text that is not iCalendar.
    ///
    /// >>> import kron
    /// >>> event = "BEGIN:VEVENT\r\nUID:1\r\nDTSTAMP:20260101T000000Z\r\nDTSTART;VALUE=DATE:20261225\r\nEND:VEVENT\r\n"
    /// >>> text = f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y//EN\r\n{event}END:VCALENDAR\r\n"
    /// >>> kron.Calendar.from_icalendar("holidays", text)
    /// kron.Calendar('holidays', '2026-12-25')
    #[classmethod]
    #[pyo3(signature = (name, text, /))]
    fn from_icalendar(
        cls: &Bound<'_, PyType>,
        #[pyo3(from_py_with = text)] name: &str,
        #[pyo3(from_py_with = text)] text: &str,
    ) -> PyResult<Calendar> {
        // A file can have thousands of events with rules.
        cls.py()
            .detach(|| kron_formats::icalendar::calendar_from_icalendar(name, text))
            .map(Calendar)
            .map_err(raise)
    }

    /// The name.
    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    /// The dates, as pairs of a first and a last date: in order, with at least one day between one pair and the next. Raises
    /// `ValueError` for the year 0, which `datetime.date` does not have.
    #[getter]
    fn dates<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let date = |date: &NaiveDate| PyDate::new(py, date.year(), date.month() as u8, date.day() as u8);
        let pairs = self.0.dates().map(|range| PyTuple::new(py, [date(range.start())?, date(range.end())?]));
        PyTuple::new(py, pairs.collect::<PyResult<Vec<_>>>()?)
    }

    /// A hash of the dates, 64 lower-case hex digits: two calendars with the same one have the same dates, whatever their names.
    /// Receipts contain it.
    ///
    /// It is the SHA-256 of the lines `YYYY-MM-DD..YYYY-MM-DD` of `dates`, each with a line feed at its end.
    ///
    /// >>> import hashlib, kron
    /// >>> wanted = hashlib.sha256(b"2026-12-25..2026-12-25\n").hexdigest()
    /// >>> kron.Calendar("christmas", "2026-12-25").content_hash == wanted
    /// True
    #[getter]
    fn content_hash(&self) -> String {
        self.0.content_hash()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.repr(py)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String, String)) {
        (py.get_type::<Calendar>(), self.parts())
    }
}

impl Calendar {
    /// An expression that gives the calendar again.
    pub(crate) fn repr(&self, py: Python<'_>) -> PyResult<String> {
        let (name, dates) = self.parts();
        Ok(format!("kron.Calendar({}, {})", literal(py, &name)?, literal(py, &dates)?))
    }

    /// The arguments that make this calendar.
    fn parts(&self) -> (String, String) {
        let line = self.to_string();
        // OK because a line is the name, ` = ` and the dates, and a name has neither blanks nor `=`.
        let dates = line.split_once(" = ").map_or("", |(_, dates)| dates);
        (self.0.name().to_string(), dates.to_string())
    }
}

/// Reads the calendars of a calendar file; `kron.loads_calendars` calls it.
#[pyfunction]
#[pyo3(signature = (text, /))]
pub(crate) fn _load_calendars<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = text)] text: &str,
) -> PyResult<Bound<'py, PyTuple>> {
    let calendars = py.detach(|| Calendars::parse(text));
    tuple(py, &calendars.map_err(|errors| raise_all(py, &errors.to_string(), errors.iter()))?)
}
