//! `kron.Constraints` and the `kron.Clause`s they are made of.

use std::fmt;

use kron_core::constraint::ClausePart;
use kron_core::{Calendars, Error, Parser};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyDict, PyMapping, PyString, PyTuple, PyType};

use crate::argument::{Arg, expected, text};
use crate::calendar::{self, Calendar, or_none};
use crate::clause_class::{
    self, ClauseClass, Pairs, Values, calendar_value, clauses, mapping, of_keywords, of_mapping, tuple,
};
use crate::error::raise;

/// A group of parts, such as `hours` and `dow`, that must all match. They are compared with the civil time in the job's zone.
///
/// `hours`, `dow`, `dom` and `months` are texts such as `'9-17,20'`, integers, or iterables of both; `between` is a text such
/// as `'09:30-11:30'` or an iterable of such; `date` is a `datetime.date` or its text, `dates` a pair of dates, both
/// included, or its text. `calendar` is a `kron.Calendar`. At least one part is needed. Raises `KronError` for a value out of
/// range.
///
/// >>> import datetime, kron
/// >>> kron.Clause(hours="22-5", dow=["SAT", "SUN"])
/// kron.Clause(hours='22-5', dow='0,6')
/// >>> kron.Clause(date=datetime.date(2026, 12, 25))
/// kron.Clause(date='2026-12-25')
#[pyclass(frozen, eq, hash, str, module = "kron")]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Clause(pub(crate) kron_core::Clause);

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl ClauseClass for Clause {
    type Core = kron_core::Clause;

    const PARTS: &'static [&'static str] = ClausePart::WORDS;
    const EXAMPLE: &'static str = "{'dow': 'MON-FRI'}";

    fn instead_of_text(argument: &str, text: &Bound<'_, PyString>) -> String {
        format!("write the text as constraints='@{argument}({text})'")
    }

    fn of(core: kron_core::Clause) -> Clause {
        Clause(core)
    }

    fn core(&self) -> &kron_core::Clause {
        &self.0
    }

    fn build(parts: Pairs<'_>) -> PyResult<Result<kron_core::Clause, Error>> {
        let mut builder = kron_core::Clause::builder();
        for (name, value) in parts {
            let values = match ClausePart::ALL.iter().find(|part| part.as_str() == name) {
                Some(
                    ClausePart::Hours | ClausePart::DayOfWeek | ClausePart::DayOfMonth | ClausePart::Months,
                ) => Values::Numbers,
                Some(ClausePart::Between) => Values::Texts("09:30-11:30"),
                Some(ClausePart::Date) => Values::Date,
                Some(ClausePart::Dates) => Values::Dates,
                Some(ClausePart::Calendar) => {
                    builder = builder.calendar(calendar_value(&value)?);
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
        self.0.named_calendar().filter(|_| part == ClausePart::Calendar.as_str())
    }
}

#[pymethods]
impl Clause {
    #[new]
    #[pyo3(
        signature = (**parts),
        text_signature = "(*, hours=None, dow=None, dom=None, months=None, between=None, date=None, dates=None, calendar=None)"
    )]
    fn new(parts: Option<&Bound<'_, PyDict>>) -> PyResult<Clause> {
        of_keywords(parts)
    }

    /// The parts by name, in canonical form. The part `calendar` is the name of the calendar.
    #[getter]
    fn parts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        clause_class::parts(py, self)
    }

    /// The calendar of the part `calendar`; `None` if the clause has none.
    #[getter]
    fn calendar(&self) -> Option<Calendar> {
        self.0.named_calendar().cloned().map(Calendar)
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
    ) -> PyResult<Clause> {
        of_mapping(parts)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyDict>,))> {
        Ok((py.get_type::<Clause>().getattr("from_parts")?, (clause_class::state(py, self)?,)))
    }
}

/// Calendar rules for chosen times: at least one `only` clause must match, if there are any, and no `avoid` clause may match.
///
/// `only` and `avoid` are each a `kron.Clause`, a mapping of its parts, or an iterable of these, at most 128.
///
/// >>> import kron
/// >>> kron.Constraints(only={"hours": "9-17"}, avoid=[kron.Clause(dow="SUN")])
/// kron.Constraints(only=[kron.Clause(hours='9-17')], avoid=[kron.Clause(dow='0')])
#[pyclass(frozen, eq, hash, str, module = "kron")]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Constraints(pub(crate) kron_core::Constraints);

/// Constraints as an argument: the class or its text, which is read when the calendars are known.
pub(crate) enum ConstraintsArg {
    Class(kron_core::Constraints),
    Text(PyBackedStr),
}

impl ConstraintsArg {
    pub(crate) fn read(self, calendars: Calendars) -> PyResult<kron_core::Constraints> {
        match self {
            ConstraintsArg::Class(constraints) => Ok(constraints),
            ConstraintsArg::Text(text) => {
                Parser::new().with_calendars(calendars).constraints(&text).map_err(raise)
            }
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for ConstraintsArg {
    type Error = PyErr;

    fn extract(obj: Borrowed<'_, 'py, PyAny>) -> PyResult<ConstraintsArg> {
        if let Ok(constraints) = obj.cast::<Constraints>() {
            return Ok(ConstraintsArg::Class(constraints.get().0.clone()));
        }
        match obj.is_instance_of::<PyString>() {
            true => obj.extract().map(ConstraintsArg::Text),
            false => Err(expected("a kron.Constraints or its text", &obj)),
        }
    }
}

impl fmt::Display for Constraints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The constraints of two arguments, each of which is a clause, a mapping of its parts, or an iterable of these; or of clauses that a
/// job has already.
pub(crate) fn of_arguments(
    only: Option<&Bound<'_, PyAny>>,
    avoid: Option<&Bound<'_, PyAny>>,
    kept: &kron_core::Constraints,
) -> PyResult<kron_core::Constraints> {
    let list = |name: &str, given: Option<&Bound<'_, PyAny>>, kept: &[kron_core::Clause]| match given {
        Some(given) => clauses::<Clause>(name, &format!("constraints.{name}"), given),
        None => Ok(kept.to_vec()),
    };
    let (only, avoid) = (list("only", only, kept.only())?, list("avoid", avoid, kept.avoid())?);
    kron_core::Constraints::from_clauses(only, avoid).map_err(raise)
}

#[pymethods]
impl Constraints {
    #[new]
    #[pyo3(signature = (*, only = None, avoid = None), text_signature = "(*, only=(), avoid=())")]
    fn new(only: Option<&Bound<'_, PyAny>>, avoid: Option<&Bound<'_, PyAny>>) -> PyResult<Constraints> {
        of_arguments(only, avoid, &kron_core::Constraints::default()).map(Constraints)
    }

    /// Reads the text form: the modifiers `@only(...)` and `@avoid(...)`. `calendars` are the `kron.Calendar`s that the text may
    /// name.
    ///
    /// >>> import kron
    /// >>> kron.Constraints.parse("@only(hours=9-17;dow=MON-FRI)").only
    /// (kron.Clause(hours='9-17', dow='1-5'),)
    #[classmethod]
    #[pyo3(signature = (text, /, calendars = None))]
    fn parse(
        _cls: &Bound<'_, PyType>,
        #[pyo3(from_py_with = text)] text: &str,
        calendars: Option<Arg<Calendars>>,
    ) -> PyResult<Constraints> {
        let parser = Parser::new().with_calendars(or_none(calendars));
        parser.constraints(text).map(Constraints).map_err(raise)
    }

    /// The clauses of which one must match.
    #[getter]
    fn only<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        tuple::<Clause>(py, self.0.only())
    }

    /// The clauses of which none may match.
    #[getter]
    fn avoid<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        tuple::<Clause>(py, self.0.avoid())
    }

    /// The calendars that the clauses name, each once, in order of their names.
    #[getter]
    fn calendars<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        calendar::tuple(py, self.0.calendars())
    }

    /// Whether there are any clauses.
    fn __bool__(&self) -> bool {
        !self.0.is_empty()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let list = |name: &str, clauses: &[kron_core::Clause]| -> PyResult<Option<String>> {
            let clauses: PyResult<Vec<String>> =
                clauses.iter().map(|clause| Clause(clause.clone()).__repr__(py)).collect();
            Ok(Some(clauses?)
                .filter(|clauses| !clauses.is_empty())
                .map(|clauses| format!("{name}=[{}]", clauses.join(", "))))
        };
        let (only, avoid) = (list("only", self.0.only())?, list("avoid", self.0.avoid())?);
        let args: Vec<String> = only.into_iter().chain(avoid).collect();
        Ok(format!("kron.Constraints({})", args.join(", ")))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let args = if self.0.calendars().is_empty() {
            (self.to_string(),).into_pyobject(py)?
        } else {
            (self.to_string(), self.calendars(py)?).into_pyobject(py)?
        };
        Ok((py.get_type::<Constraints>().getattr("parse")?, args))
    }
}
