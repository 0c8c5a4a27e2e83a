//! A `kron.Period` or a `kron.Decision` as an argument.

use pyo3::prelude::*;

use crate::argument::expected;
use crate::decision::Decision;
use crate::period::Period;

/// The period of a `kron.Period` or a `kron.Decision`.
pub(crate) fn period_of(value: &Bound<'_, PyAny>) -> PyResult<kron_core::Period> {
    if let Ok(decision) = value.cast::<Decision>() {
        return Ok(decision.get().core().period());
    }
    match value.cast::<Period>() {
        Ok(period) => Ok(period.get().0),
        Err(_) => Err(expected("a kron.Period or a kron.Decision", value)),
    }
}
