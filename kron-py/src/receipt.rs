//! `kron.Receipt` and `kron.verify`.

use std::fmt;
use std::hash::{Hash, Hasher};

use kron_core::proof::{Difference, Verification, ZoneRules};
use kron_core::{Calendars, TzDatabase};
use pyo3::prelude::*;
use pyo3::types::{PyMapping, PyString, PyTuple, PyType};

use crate::argument::{Arg, expected, text};
use crate::calendar::or_none;
use crate::convert::literal;
use crate::dataclass::class;
use crate::error::raise;
use crate::instant::datetime;
use crate::tzdb::or_compiled_in;

/// A decision with what is needed to compute it again: canonical text, name, algorithm, the version of the time zone database,
/// the fingerprint of the zone's rules, and the content hashes of calendars.
///
/// `str` gives the JSON that `kron explain -o json` prints and `kron verify` reads.
#[pyclass(frozen, eq, hash, str, module = "kron")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Receipt(pub(crate) kron_core::proof::Receipt);

impl Hash for Receipt {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_json().hash(state);
    }
}

impl fmt::Display for Receipt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.to_json())
    }
}

/// What a verification found, as the dataclass.
fn verification<'py>(py: Python<'py>, verification: &Verification) -> PyResult<Bound<'py, PyAny>> {
    let difference = class(py, "Difference")?;
    let one = |it: &Difference| difference.call1((&it.field, &it.receipt, &it.computed));
    let differences: PyResult<Vec<_>> = verification.differences.iter().map(one).collect();
    let (zone_rules, versions, first) = match &verification.zone_rules {
        ZoneRules::Same => ("same", None, None),
        ZoneRules::OtherRelease { receipt, computed } => ("other-release", Some((receipt, computed)), None),
        ZoneRules::Different { first_difference } => ("different", None, *first_difference),
    };
    let first = first.map(|first| datetime(py, first.timestamp())).transpose()?;
    let not_proven = PyTuple::new(py, &verification.not_proven)?;
    let differences = PyTuple::new(py, differences?)?;
    class(py, "Verification")?.call1((differences, zone_rules, not_proven, first, versions))
}

#[pymethods]
impl Receipt {
    /// Reads a receipt from JSON. Raises `KronError` if the text is not a receipt.
    #[classmethod]
    #[pyo3(signature = (text, /))]
    fn from_json(_cls: &Bound<'_, PyType>, #[pyo3(from_py_with = text)] text: &str) -> PyResult<Receipt> {
        kron_core::proof::Receipt::from_json(text).map(Receipt).map_err(raise)
    }

    /// The receipt as indented JSON.
    fn to_json(&self) -> String {
        self.0.to_json()
    }

    /// Computes the decision again with the zones of a database, by default the compiled-in one, and the dates of calendars, and
    /// returns a `kron.Verification`: whether the receipt agrees, what differs, how the rules of the zone compare, and what the
    /// receipt does not prove.
    ///
    /// Raises `KronError` if the receipt is of another schema, if its text, name or nominal time cannot be read, or if it names a
    /// calendar that is not given.
    ///
    /// >>> import kron
    /// >>> receipt = kron.Job("@daily @tz(Europe/Paris)", name="prod/db").next_start().receipt()
    /// >>> receipt.verify().agrees, receipt.verify().zone_rules
    /// (True, 'same')
    #[pyo3(signature = (tz_database = None, calendars = None))]
    fn verify<'py>(
        &self,
        py: Python<'py>,
        tz_database: Option<Arg<TzDatabase>>,
        calendars: Option<Arg<Calendars>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (database, calendars) = (or_compiled_in(tz_database), or_none(calendars));
        verification(py, &self.0.verify(&database, &calendars).map_err(raise)?)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("kron.Receipt.from_json({})", literal(py, &self.0.to_json())?))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.get_type::<Receipt>().getattr("from_json")?, (self.0.to_json(),)))
    }
}

/// Computes a receipt's decision again and compares, as `Receipt.verify` does.
///
/// The receipt is a `kron.Receipt`, its JSON, or the dict that `json.loads` returns for its JSON.
///
/// >>> import kron
/// >>> receipt = kron.Job("@daily @win(after,3h)", name="prod/db").next_start().receipt()
/// >>> kron.verify(receipt).agrees
/// True
/// >>> forged = kron.verify(receipt.to_json().replace("prod/db", "prod/dc", 1))
/// >>> [difference.field for difference in forged.differences][:3]
/// ['decision.name', 'decision.chosenTime', 'decision.seedInput']
#[pyfunction]
#[pyo3(signature = (receipt, /, *, tz_database = None, calendars = None))]
pub(crate) fn verify<'py>(
    receipt: &Bound<'py, PyAny>,
    tz_database: Option<Arg<TzDatabase>>,
    calendars: Option<Arg<Calendars>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = receipt.py();
    if let Ok(receipt) = receipt.cast::<Receipt>() {
        return receipt.get().verify(py, tz_database, calendars);
    }
    let text = match receipt.cast::<PyMapping>() {
        Ok(mapping) => py.import("json")?.call_method1("dumps", (mapping,))?,
        Err(_) => receipt.clone(),
    };
    match text.cast::<PyString>() {
        Ok(text) => {
            let receipt = kron_core::proof::Receipt::from_json(&text.to_cow()?).map_err(raise)?;
            Receipt(receipt).verify(py, tz_database, calendars)
        }
        Err(_) => Err(expected("a kron.Receipt or its JSON", receipt)),
    }
}
