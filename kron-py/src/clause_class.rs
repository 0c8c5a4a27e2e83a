//! What `kron.Clause` and `kron.Days` share: how their parts read values, how a clause prints, and lists of clauses as arguments.

use kron_core::{Calendar as CoreCalendar, Error};
use pyo3::PyClass;
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::pyclass::boolean_struct::True;
use pyo3::types::{PyBool, PyBytes, PyDict, PyMapping, PyString, PyTuple};

use crate::argument::{described, expected, instance, text};
use crate::calendar::Calendar;
use crate::convert::{date, date_range, literal};
use crate::error::raise;

/// Parts by name, as they are given.
pub(crate) type Pairs<'py> = Vec<(String, Bound<'py, PyAny>)>;

/// A class whose instances are clauses of the core.
pub(crate) trait ClauseClass: PyClass<Frozen = True> + Sync + Into<PyClassInitializer<Self>> {
    type Core: Clone;

    /// The names of the parts, in the order of the canonical form.
    const PARTS: &'static [&'static str];
    /// A mapping of a part, as an example for a message.
    const EXAMPLE: &'static str;
    /// Where a text can stand that says the clauses of an argument of that name, for a message.
    fn instead_of_text(argument: &str, text: &Bound<'_, PyString>) -> String;

    fn of(core: Self::Core) -> Self;
    fn core(&self) -> &Self::Core;
    /// Builds a clause; the outer error is a `TypeError`, the inner one is the core's.
    fn build(parts: Pairs<'_>) -> PyResult<Result<Self::Core, Error>>;
    /// The names and the values of its parts, in canonical form.
    fn canonical(&self) -> Vec<(&'static str, String)>;
    /// The calendar of a part.
    fn calendar_of(&self, part: &str) -> Option<&CoreCalendar>;
}

/// The keyword argument of a part.
fn keyword(part: &'static str) -> &'static str {
    // `from` is a keyword of Python.
    if part == "from" { "from_" } else { part }
}

/// What a part takes besides a text.
#[derive(Clone, Copy)]
pub(crate) enum Values {
    Numbers,
    /// Texts such as this one.
    Texts(&'static str),
    /// One text such as this one.
    Text(&'static str),
    Date,
    Dates,
}

impl Values {
    /// The text that a builder of the core reads.
    pub(crate) fn read(self, part: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
        if let Ok(text) = value.cast::<PyString>() {
            return Ok(text.to_cow()?.into_owned());
        }
        let (text, wanted) = match self {
            Values::Numbers => (integers(value)?, "a text, an int, or an iterable of both".to_string()),
            Values::Texts(example) => {
                (join(value, |_| Ok(None))?, format!("a text such as '{example}' or an iterable of such"))
            }
            Values::Text(example) => (None, format!("a text such as '{example}'")),
            Values::Date => (date(value)?, "a datetime.date or its text".to_string()),
            Values::Dates => (date_range(value)?, "a pair of datetime.date or its text".to_string()),
        };
        text.ok_or_else(|| {
            PyTypeError::new_err(format!("{part}: expected {wanted}, not {}", described(value)))
        })
    }
}

/// The calendar of a part.
pub(crate) fn calendar_value<'a>(value: &'a Bound<'_, PyAny>) -> PyResult<&'a CoreCalendar> {
    Ok(&instance::<Calendar>(value)?.get().0)
}

/// An integer, or an iterable of integers and texts.
fn integers(value: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    match integer(value)? {
        Some(text) => Ok(Some(text)),
        None => join(value, integer),
    }
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

/// A clause of keyword arguments; `None` leaves a part out.
pub(crate) fn of_keywords<C: ClauseClass>(given: Option<&Bound<'_, PyDict>>) -> PyResult<C> {
    let mut parts = Vec::new();
    if let Some(given) = given {
        for name in given.keys() {
            let known = name.extract::<PyBackedStr>()?;
            if !C::PARTS.iter().any(|part| *keyword(part) == *known) {
                return Err(PyTypeError::new_err(format!(
                    "{}.__new__() got an unexpected keyword argument '{name}'; it takes {}",
                    <C as PyClass>::NAME,
                    C::PARTS.iter().map(|part| keyword(part)).collect::<Vec<_>>().join(", ")
                )));
            }
        }
        for part in C::PARTS {
            let value = given.get_item(keyword(part))?.filter(|value| !value.is_none());
            parts.extend(value.map(|value| (part.to_string(), value)));
        }
    }
    C::build(parts)?.map(C::of).map_err(raise)
}

/// A clause of a mapping of parts.
pub(crate) fn of_mapping<C: ClauseClass>(parts: &Bound<'_, PyMapping>) -> PyResult<C> {
    C::build(pairs(parts)?)?.map(C::of).map_err(raise)
}

fn pairs<'py>(parts: &Bound<'py, PyMapping>) -> PyResult<Pairs<'py>> {
    let pair = |item: Bound<'py, PyAny>| {
        let (name, value): (Bound<'py, PyAny>, Bound<'py, PyAny>) = item.extract()?;
        Ok((text(&name)?.to_string(), value))
    };
    parts.items()?.iter().map(pair).collect()
}

/// A mapping as an argument; for `from_py_with`.
pub(crate) fn mapping<'a, 'py>(obj: &'a Bound<'py, PyAny>) -> PyResult<&'a Bound<'py, PyMapping>> {
    obj.cast().map_err(|_| expected("a mapping of parts by name", obj))
}

/// The parts by name. A calendar is its name.
pub(crate) fn parts<'py, C: ClauseClass>(py: Python<'py>, clause: &C) -> PyResult<Bound<'py, PyDict>> {
    let parts = PyDict::new(py);
    clause.canonical().into_iter().try_for_each(|(part, value)| parts.set_item(part, value))?;
    Ok(parts)
}

/// The parts by name with their calendars: what `from_parts` reads.
pub(crate) fn state<'py, C: ClauseClass>(py: Python<'py>, clause: &C) -> PyResult<Bound<'py, PyDict>> {
    let parts = parts(py, clause)?;
    for part in C::PARTS {
        if let Some(calendar) = clause.calendar_of(part) {
            parts.set_item(part, Bound::new(py, Calendar(calendar.clone()))?)?;
        }
    }
    Ok(parts)
}

/// An expression that gives the clause again.
pub(crate) fn repr<C: ClauseClass>(py: Python<'_>, clause: &C) -> PyResult<String> {
    let part = |(part, value): (&'static str, String)| {
        let value = match clause.calendar_of(part) {
            Some(calendar) => Calendar(calendar.clone()).repr(py)?,
            None => literal(py, &value)?,
        };
        Ok(format!("{}={value}", keyword(part)))
    };
    let parts: PyResult<Vec<String>> = clause.canonical().into_iter().map(part).collect();
    Ok(format!("kron.{}({})", <C as PyClass>::NAME, parts?.join(", ")))
}

/// The clauses of an argument of that name: one clause, a mapping of its parts, or an iterable of these. Errors of a mapping are in
/// the field `path` and its index.
pub(crate) fn clauses<C: ClauseClass>(
    argument: &str,
    path: &str,
    given: &Bound<'_, PyAny>,
) -> PyResult<Vec<C::Core>> {
    let one = |index: usize, item: &Bound<'_, PyAny>| -> PyResult<Option<C::Core>> {
        if let Ok(clause) = item.cast::<C>() {
            return Ok(Some(clause.get().core().clone()));
        }
        let Ok(parts) = item.cast::<PyMapping>() else { return Ok(None) };
        let within = |error: Error| raise(error.within(&format!("{path}[{index}]")));
        C::build(pairs(parts)?)?.map(Some).map_err(within)
    };
    if let Some(clause) = one(0, given)? {
        return Ok(vec![clause]);
    }
    let wanted = |item: &Bound<'_, PyAny>| {
        let what = format!(
            "{argument}: expected a kron.{}, a mapping of its parts such as {}, or an iterable of these, not {}",
            <C as PyClass>::NAME,
            C::EXAMPLE,
            described(item)
        );
        match item.cast::<PyString>() {
            Ok(text) => PyTypeError::new_err(format!("{what}; {}", C::instead_of_text(argument, text))),
            Err(_) => PyTypeError::new_err(what),
        }
    };
    if given.is_instance_of::<PyString>() {
        return Err(wanted(given));
    }
    let items = given.try_iter().map_err(|_| wanted(given))?;
    let item = |(index, item): (usize, PyResult<Bound<'_, PyAny>>)| {
        let item = item?;
        one(index, &item)?.ok_or_else(|| wanted(&item))
    };
    items.enumerate().map(item).collect()
}

/// Clauses as a tuple.
pub(crate) fn tuple<'py, C: ClauseClass>(
    py: Python<'py>,
    clauses: &[C::Core],
) -> PyResult<Bound<'py, PyTuple>> {
    let clauses: PyResult<Vec<_>> =
        clauses.iter().map(|clause| Bound::new(py, C::of(clause.clone()))).collect();
    PyTuple::new(py, clauses?)
}
