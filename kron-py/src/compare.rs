//! `kron.compare_starts`.

use std::io;

use kron_fleet::compare::ListedStart;
use kron_fleet::diff::StartChange;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyMapping, PyString, PyTuple};

use crate::argument::expected;
use crate::dataclass::class;
use crate::decision::Decision;
use crate::instant::datetime;

/// Finds the starts that differ between two lists of decisions, as `kron compare-tz` does: what another time zone database changes.
/// Returns pairs of the name of the job and a `kron.StartChange`, in order of name, then of time.
///
/// A list is JSON as `kron next -o json` and `-o ndjson` print it, a file of the latter, or an iterable of decisions and of the
/// objects that `json.loads` returns for them. So the lists can come from two versions of Kron. Make both for the same range of
/// time. Starts belong together if their jobs have one name and their periods one nominal time.
///
/// Raises `ValueError` if a text or an object is not a list of decisions.
///
/// >>> import datetime, kron
/// >>> day = datetime.datetime(2026, 3, 2, tzinfo=datetime.timezone.utc)
/// >>> job = kron.Job("0 1 * * * @tz(Europe/Paris)", name="db/backup")
/// >>> old = job.periods(day, day + datetime.timedelta(days=1))
/// >>> new = '{"name": "db/backup", "nominalTime": "2026-03-02T01:00:00Z", "chosenTime": "2026-03-02T01:00:00Z"}'
/// >>> [(name, str(change)) for name, change in kron.compare_starts(old, new)]
/// [('db/backup', 'vanishes 2026-03-02T00:00:00Z'), ('db/backup', 'appears 2026-03-02T01:00:00Z')]
#[pyfunction]
#[pyo3(signature = (old, new, /))]
pub(crate) fn compare_starts<'py>(
    old: &Bound<'py, PyAny>,
    new: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyTuple>> {
    let py = old.py();
    let (old, new) = (list("old", old)?, list("new", new)?);
    let changes = py.detach(|| kron_fleet::compare::compare_starts(old, new));
    let class = class(py, "StartChange")?;
    let time = |second: Option<i64>| second.map(|second| datetime(py, second)).transpose();
    let pair = |(name, it): &(String, StartChange)| -> PyResult<(PyObject, PyObject)> {
        let change =
            class.call1((it.kind().as_str(), datetime(py, it.nominal)?, time(it.old)?, time(it.new)?))?;
        Ok((PyString::new(py, name).into_any().unbind(), change.unbind()))
    };
    PyTuple::new(py, changes.iter().map(pair).collect::<PyResult<Vec<_>>>()?)
}

type PyObject = Py<PyAny>;

/// The decisions of an argument.
fn list(argument: &str, obj: &Bound<'_, PyAny>) -> PyResult<Vec<ListedStart>> {
    let (mut starts, mut json) = (Vec::new(), String::new());
    if let Ok(text) = obj.cast::<PyString>() {
        json.push_str(&text.to_cow()?);
    } else {
        let wanted = || expected("JSON, or an iterable of decisions", obj);
        for item in obj.try_iter().map_err(|_| wanted())? {
            let item = item?;
            if let Ok(decision) = item.cast::<Decision>() {
                let decision = decision.get().core();
                starts.push(ListedStart {
                    name: decision.name().to_string(),
                    nominal: decision.nominal_timestamp(),
                    chosen: decision.chosen_timestamp(),
                });
                continue;
            }
            let text = match item.cast::<PyMapping>() {
                Ok(mapping) => item.py().import("json")?.call_method1("dumps", (mapping,))?,
                Err(_) => item.clone(),
            };
            let text = text.cast::<PyString>().map_err(|_| expected("a decision or its JSON", &item))?;
            json.push_str(&text.to_cow()?);
            json.push('\n');
        }
    }
    let read = obj.py().detach(|| ListedStart::read_list(json.as_bytes()));
    starts.extend(read.map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData => PyValueError::new_err(format!("{argument}: {error}")),
        _ => PyOSError::new_err(error.to_string()),
    })?);
    Ok(starts)
}
