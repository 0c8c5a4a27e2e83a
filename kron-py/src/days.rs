//! `kron.Days`, the clauses of the rules of days, and these rules as arguments of a job.

use std::fmt;

use kron_core::days::{DayRules, DaysPart};
use kron_core::{Calendars, Error, Parser};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PyString, PyTuple, PyType};

use crate::calendar::Calendar;
use crate::clause_class::{
    self, ClauseClass, Pairs, Values, calendar_value, clauses, mapping, of_keywords, of_mapping,
};
use crate::error::raise;

/// A group of parts that choose nominal days, such as `dow` and `last`, that must all match. They are compared with the civil date
/// of the nominal time in the job's zone; `kron.Clause` is for the chosen time.
///
/// `dow`, `dom`, `months`, `last`, `workday`, `lastworkday`, `near` and `week` are texts such as `'1-7'`, integers, or iterables
/// of both; `date` and `from_` are a `datetime.date` or its text, `dates` a pair of dates, both included, or its text. `calendar`
/// and `holidays` are a `kron.Calendar`. `every` is a text such as `'2w'`, and `roll` is `'next'`, `'previous'` or `'nearest'`. In
/// texts and mappings the part of `from_` is `from`. At least one part is needed. Raises `KronError` for a value out of range, and
/// for a part without another one that it needs.
///
/// >>> import datetime, kron
/// >>> kron.Days(dow="FRI", last=range(1, 8))  # the last Friday
/// kron.Days(dow='5', last='1-7')
/// >>> job = kron.Job("0 22 * * *", name="prod/db", days=kron.Days(every="2w", from_=datetime.date(2026, 1, 6)))
/// >>> job.next_period("2026-03-01T00:00:00Z").period_id
/// '2026-03-03T22:00:00Z'
#[pyclass(frozen, eq, hash, str, module = "kron")]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Days(kron_core::days::Days);

impl fmt::Display for Days {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl ClauseClass for Days {
    type Core = kron_core::days::Days;

    const PARTS: &'static [&'static str] = DaysPart::WORDS;
    const EXAMPLE: &'static str = "{'dow': 'FRI', 'last': '1-7'}";

    fn instead_of_text(argument: &str, text: &Bound<'_, PyString>) -> String {
        format!("write @{argument}({text}) in the text of the job")
    }

    fn of(core: kron_core::days::Days) -> Days {
        Days(core)
    }

    fn core(&self) -> &kron_core::days::Days {
        &self.0
    }

    fn build(parts: Pairs<'_>) -> PyResult<Result<kron_core::days::Days, Error>> {
        let mut builder = kron_core::days::Days::builder();
        for (name, value) in parts {
            let values = match DaysPart::ALL.iter().find(|part| part.as_str() == name) {
                Some(
                    DaysPart::DayOfWeek
                    | DaysPart::DayOfMonth
                    | DaysPart::Months
                    | DaysPart::Last
                    | DaysPart::Workday
                    | DaysPart::LastWorkday
                    | DaysPart::Near
                    | DaysPart::Week,
                ) => Values::Numbers,
                Some(DaysPart::Date | DaysPart::From) => Values::Date,
                Some(DaysPart::Dates) => Values::Dates,
                Some(DaysPart::Every) => Values::Text("2w"),
                Some(DaysPart::Roll) => Values::Text("previous"),
                Some(DaysPart::Calendar) => {
                    builder = builder.calendar(calendar_value(&value)?);
                    continue;
                }
                Some(DaysPart::Holidays) => {
                    builder = builder.holidays(calendar_value(&value)?);
                    continue;
                }
                None => {
                    // The core's error says which parts there are.
                    builder = builder.part(&name, "");
                    continue;
                }
            };
            builder = builder.part(&name, &values.read(&name, &value)?);
        }
        Ok(builder.build())
    }

    fn canonical(&self) -> Vec<(&'static str, String)> {
        self.0.canonical().map(|(part, value)| (part.as_str(), value)).collect()
    }

    fn calendar_of(&self, part: &str) -> Option<&kron_core::Calendar> {
        // The clause gives its calendars in the order of their parts.
        let parts = self.0.parts().filter(|part| matches!(part, DaysPart::Calendar | DaysPart::Holidays));
        parts.zip(self.0.calendars()).find_map(|(of, calendar)| (of.as_str() == part).then_some(calendar))
    }
}

#[pymethods]
impl Days {
    #[new]
    #[pyo3(
        signature = (**parts),
        text_signature = "(*, dow=None, dom=None, months=None, date=None, dates=None, calendar=None, last=None, workday=None, lastworkday=None, near=None, every=None, from_=None, roll=None, week=None, holidays=None)"
    )]
    fn new(parts: Option<&Bound<'_, PyDict>>) -> PyResult<Days> {
        of_keywords(parts)
    }

    /// The parts by name, in canonical form. The parts `calendar` and `holidays` are the names of the calendars.
    ///
    /// >>> import kron
    /// >>> kron.Days(dom=25, roll="previous").parts
    /// {'dom': '25', 'roll': 'previous'}
    #[getter]
    fn parts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        clause_class::parts(py, self)
    }

    /// The calendar of the part `calendar`; `None` if the clause has none.
    #[getter]
    fn calendar(&self) -> Option<Calendar> {
        self.calendar_of(DaysPart::Calendar.as_str()).cloned().map(Calendar)
    }

    /// The calendar of the part `holidays`; `None` if the clause has none.
    #[getter]
    fn holidays(&self) -> Option<Calendar> {
        self.calendar_of(DaysPart::Holidays.as_str()).cloned().map(Calendar)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        clause_class::repr(py, self)
    }

    /// Makes a clause from a mapping of its parts by name. Pickles call it.
    #[classmethod]
    #[pyo3(signature = (parts, /))]
    fn from_parts(
        _cls: &Bound<'_, PyType>,
        #[pyo3(from_py_with = mapping)] parts: &Bound<'_, PyMapping>,
    ) -> PyResult<Days> {
        of_mapping(parts)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyDict>,))> {
        Ok((py.get_type::<Days>().getattr("from_parts")?, (clause_class::state(py, self)?,)))
    }
}

/// Clauses of days as a tuple.
pub(crate) fn tuple<'py>(
    py: Python<'py>,
    clauses: &[kron_core::days::Days],
) -> PyResult<Bound<'py, PyTuple>> {
    clause_class::tuple::<Days>(py, clauses)
}

/// The rules of days of two arguments, each of which is a clause, a mapping of its parts, or an iterable of these. Without an argument
/// the clauses of `own` stay, and take the dates of their calendars from `calendars`, if these are given.
pub(crate) fn rules(
    days: Option<&Bound<'_, PyAny>>,
    nodays: Option<&Bound<'_, PyAny>>,
    calendars: Option<&Calendars>,
    own: &DayRules,
) -> PyResult<DayRules> {
    let keep = |given: bool, clauses: &[kron_core::days::Days]| match given {
        true => Vec::new(),
        false => clauses.to_vec(),
    };
    let mut kept =
        DayRules::from_clauses(keep(days.is_some(), own.days()), keep(nodays.is_some(), own.nodays()))
            .map_err(raise)?;
    if let Some(calendars) = calendars.filter(|_| !kept.calendars().is_empty()) {
        kept = Parser::new().with_calendars(calendars.clone()).day_rules(&kept.to_string()).map_err(raise)?;
    }
    let list = |name, given: Option<&Bound<'_, PyAny>>, kept: &[kron_core::days::Days]| match given {
        Some(given) => clauses::<Days>(name, name, given),
        None => Ok(kept.to_vec()),
    };
    let (days, nodays) = (list("days", days, kept.days())?, list("nodays", nodays, kept.nodays())?);
    DayRules::from_clauses(days, nodays).map_err(raise)
}
