//! The dataclasses of `python/kron/_records.py`, by name.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyModule;

/// A class of `kron._records`.
pub(crate) fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    static RECORDS: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let records = RECORDS.get_or_try_init(py, || py.import("kron._records").map(Bound::unbind))?;
    records.bind(py).getattr(name)
}
