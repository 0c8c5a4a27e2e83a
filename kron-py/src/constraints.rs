//! `kron.Constraints` and the `kron.Clause`s they are made of.

use std::fmt;

use kron_core::constraint::{ClauseBuilder, ClausePart};
use kron_core::{Calendars, Parser};
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyBool, PyBytes, PyDict, PyMapping, PyString, PyTuple, PyType};

use crate::argument::{Arg, described, expected, instance, text};
use crate::calendar::{self, Calendar, or_none};
use crate::convert::{date, date_range, literal};
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

/// Adds a part to a clause.
fn add(builder: ClauseBuilder, part: ClausePart, value: &Bound<'_, PyAny>) -> PyResult<ClauseBuilder> {
    type Read = fn(&Bound<'_, PyAny>) -> PyResult<Option<String>>;
    // How the part reads a value that is not a text, and what it expects.
    let (read, wanted): (Read, &str) = match part {
        ClausePart::Hours | ClausePart::DayOfWeek | ClausePart::DayOfMonth | ClausePart::Months => {
            (integers, "a text, an int, or an iterable of both")
        }
        ClausePart::Between => (texts, "a text such as '09:30-11:30' or an iterable of such"),
        ClausePart::Date => (date, "a datetime.date or its text"),
        ClausePart::Dates => (date_range, "a pair of datetime.date or its text"),
        ClausePart::Calendar => return Ok(builder.calendar(&instance::<Calendar>(value)?.get().0)),
    };
    let text = match value.cast::<PyString>() {
        Ok(text) => Some(text.to_cow()?.into_owned()),
        Err(_) => read(value)?,
    };
    let wrong = || PyTypeError::new_err(format!("{part}: expected {wanted}, not {}", described(value)));
    Ok(builder.part(part.as_str(), &text.ok_or_else(wrong)?))
}

/// An integer, or an iterable of integers and texts.
fn integers(value: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    match integer(value)? {
        Some(text) => Ok(Some(text)),
        None => join(value, integer),
    }
}

/// An iterable of texts.
fn texts(value: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    join(value, |_| Ok(None))
}

/// The digits of an integer, also one of NumPy; `None` for anything else, including a `bool`.
fn integer(value: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if value.is_instance_of::<PyBool>() || value.is_instance_of::<PyString>() {
        return Ok(None);
    }
    // An array has the method too, and refuses to be an index.
    match value.call_method0(intern!(value.py(), "__index__")) {
        Ok(int) => int.str()?.extract().map(Some),
        Err(_) => Ok(None),
    }
}

/// The items of an iterable, converted by `text` and joined by commas; `None` for other values.
fn join(
    value: &Bound<'_, PyAny>,
    text: impl Fn(&Bound<'_, PyAny>) -> PyResult<Option<String>>,
) -> PyResult<Option<String>> {
    // Bytes are iterable too, and their items are integers.
    let Some(items) = (!value.is_instance_of::<PyBytes>()).then(|| value.try_iter().ok()).flatten() else {
        return Ok(None);
    };
    let mut list: Vec<String> = Vec::new();
    for item in items {
        let item = item?;
        match item.cast::<PyString>() {
            Ok(item) => list.push(item.to_cow()?.into_owned()),
            Err(_) => match text(&item)? {
                Some(text) => list.push(text),
                None => return Ok(None),
            },
        }
    }
    Ok(Some(list.join(",")))
}

/// A clause of parts by name.
fn clause<'py>(parts: impl IntoIterator<Item = (String, Bound<'py, PyAny>)>) -> PyResult<Clause> {
    let mut builder = kron_core::Clause::builder();
    for (name, value) in parts {
        builder = match part_named(&name) {
            Some(part) => add(builder, part, &value)?,
            // The core's error says which parts there are.
            None => builder.part(&name, ""),
        };
    }
    builder.build().map(Clause).map_err(raise)
}

fn part_named(name: &str) -> Option<ClausePart> {
    ClausePart::ALL.iter().find(|part| part.as_str() == name).copied()
}

#[pymethods]
impl Clause {
    #[new]
    #[pyo3(
        signature = (**parts),
        text_signature = "(*, hours=None, dow=None, dom=None, months=None, between=None, date=None, dates=None, calendar=None)"
    )]
    fn new(parts: Option<&Bound<'_, PyDict>>) -> PyResult<Clause> {
        let Some(parts) = parts else { return clause([]) };
        for name in parts.keys() {
            if part_named(&name.extract::<PyBackedStr>()?).is_none() {
                return Err(PyTypeError::new_err(format!(
                    "Clause.__new__() got an unexpected keyword argument '{name}'"
                )));
            }
        }
        let mut given = Vec::new();
        for part in ClausePart::ALL {
            let value = parts.get_item(part.as_str())?.filter(|value| !value.is_none());
            given.extend(value.map(|value| (part.to_string(), value)));
        }
        clause(given)
    }

    /// The parts by name, in canonical form. The part `calendar` is the name of the calendar.
    #[getter]
    fn parts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let parts = PyDict::new(py);
        self.0.canonical().try_for_each(|(part, value)| parts.set_item(part.as_str(), value))?;
        Ok(parts)
    }

    /// The calendar of the part `calendar`; `None` if the clause has none.
    #[getter]
    fn calendar(&self) -> Option<Calendar> {
        self.0.named_calendar().cloned().map(Calendar)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let part = |(part, value): (ClausePart, String)| {
            let value = match self.calendar().filter(|_| part == ClausePart::Calendar) {
                Some(calendar) => calendar.repr(py)?,
                None => literal(py, &value)?,
            };
            Ok(format!("{part}={value}"))
        };
        let parts: PyResult<Vec<String>> = self.0.canonical().map(part).collect();
        Ok(format!("kron.Clause({})", parts?.join(", ")))
    }

    /// Makes a clause from a mapping of its parts by name. Pickles call it.
    #[classmethod]
    #[pyo3(signature = (parts, /))]
    fn from_parts(
        _cls: &Bound<'_, PyType>,
        #[pyo3(from_py_with = mapping)] parts: &Bound<'_, PyMapping>,
    ) -> PyResult<Clause> {
        clause(pairs(parts)?)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyDict>,))> {
        let parts = self.parts(py)?;
        if let Some(calendar) = self.calendar() {
            parts.set_item(ClausePart::Calendar.as_str(), Bound::new(py, calendar)?)?;
        }
        Ok((py.get_type::<Clause>().getattr("from_parts")?, (parts,)))
    }
}

fn pairs<'py>(parts: &Bound<'py, PyMapping>) -> PyResult<Vec<(String, Bound<'py, PyAny>)>> {
    let pair = |item: Bound<'py, PyAny>| {
        let (name, value): (Bound<'py, PyAny>, Bound<'py, PyAny>) = item.extract()?;
        Ok((text(&name)?.to_string(), value))
    };
    parts.items()?.iter().map(pair).collect()
}

fn mapping<'a, 'py>(obj: &'a Bound<'py, PyAny>) -> PyResult<&'a Bound<'py, PyMapping>> {
    obj.cast().map_err(|_| expected("a mapping of parts by name", obj))
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

/// The clauses of an argument of that name: one clause, a mapping of its parts, or an iterable of these.
pub(crate) fn clauses(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Vec<kron_core::Clause>> {
    let one = |item: &Bound<'_, PyAny>| {
        if let Ok(clause) = item.cast::<Clause>() {
            return Ok(Some(clause.get().0.clone()));
        }
        item.cast::<PyMapping>().ok().map(|parts| Ok::<_, PyErr>(clause(pairs(parts)?)?.0)).transpose()
    };
    if let Some(clause) = one(given)? {
        return Ok(vec![clause]);
    }
    let wanted = |item: &Bound<'_, PyAny>| {
        let what = format!(
            "{name}: expected a kron.Clause, a mapping of its parts such as {{'dow': 'MON-FRI'}}, or an iterable of these"
        );
        match item.cast::<PyString>() {
            Ok(text) => {
                let help = format!("write the text as constraints='@{name}({text})'");
                PyTypeError::new_err(format!("{what}, not {}; {help}", described(item)))
            }
            Err(_) => PyTypeError::new_err(format!("{what}, not {}", described(item))),
        }
    };
    if given.is_instance_of::<PyString>() {
        return Err(wanted(given));
    }
    let items = given.try_iter().map_err(|_| wanted(given))?;
    items
        .map(|item| {
            let item = item?;
            one(&item)?.ok_or_else(|| wanted(&item))
        })
        .collect()
}

fn tuple<'py>(py: Python<'py>, clauses: &[kron_core::Clause]) -> PyResult<Bound<'py, PyTuple>> {
    let clauses: PyResult<Vec<_>> =
        clauses.iter().map(|clause| Bound::new(py, Clause(clause.clone()))).collect();
    PyTuple::new(py, clauses?)
}

#[pymethods]
impl Constraints {
    #[new]
    #[pyo3(signature = (*, only = None, avoid = None), text_signature = "(*, only=(), avoid=())")]
    fn new(only: Option<&Bound<'_, PyAny>>, avoid: Option<&Bound<'_, PyAny>>) -> PyResult<Constraints> {
        let list =
            |name, given: Option<_>| given.map_or_else(|| Ok(Vec::new()), |given| clauses(name, given));
        kron_core::Constraints::from_clauses(list("only", only)?, list("avoid", avoid)?)
            .map(Constraints)
            .map_err(raise)
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
        tuple(py, self.0.only())
    }

    /// The clauses of which none may match.
    #[getter]
    fn avoid<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        tuple(py, self.0.avoid())
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
