//! Conversions of Python's own types: zones, dates, words.

use std::str::FromStr;

use kron_core::{TzDatabase, Zone};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDate, PyDateTime, PyString, PyTzInfo};

use crate::argument::{Arg, expected, type_name};
use crate::error::raise;

/// A zone as an argument names it. A time zone database has its rules.
pub(crate) enum ZoneName {
    Utc,
    Iana(PyBackedStr),
}

impl ZoneName {
    /// The zone of this name in a database.
    pub(crate) fn in_database(&self, database: &TzDatabase) -> PyResult<Zone> {
        let name = match self {
            ZoneName::Utc => "UTC",
            ZoneName::Iana(name) => name,
        };
        database.zone(name).map_err(raise)
    }
}

impl<'py> FromPyObject<'_, 'py> for ZoneName {
    type Error = PyErr;

    fn extract(obj: Borrowed<'_, 'py, PyAny>) -> PyResult<ZoneName> {
        let py = obj.py();
        if obj.is_instance_of::<PyString>() {
            return obj.extract().map(ZoneName::Iana);
        }
        // By equality: a `timezone` of no offset that was given a name is another object.
        if obj.is_instance_of::<PyTzInfo>() && obj.eq(&*PyTzInfo::utc(py)?)? {
            return Ok(ZoneName::Utc);
        }
        let key = if obj.is_instance(zone_info(py)?)? {
            obj.getattr("key")?
        } else if type_name(&obj).starts_with("pytz.") {
            // Its zones have names too; those of fixed offsets have none.
            obj.getattr("zone")?
        } else {
            py.None().into_bound(py)
        };
        match key.cast::<PyString>() {
            Ok(key) => key.extract().map(ZoneName::Iana),
            Err(_) => Err(expected("a zoneinfo.ZoneInfo with a key, or an IANA name", &obj)),
        }
    }
}

fn zone_info(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    static ZONE_INFO: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    ZONE_INFO.import(py, "zoneinfo", "ZoneInfo")
}

/// The `zoneinfo.ZoneInfo` of a zone's name, with Python's own rules.
pub(crate) fn timezone<'py>(py: Python<'py>, zone: &Zone) -> PyResult<Bound<'py, PyAny>> {
    zone_info(py)?.call1((zone.name(),)).map_err(|error| {
        let not_found = py.import("zoneinfo").and_then(|it| it.getattr("ZoneInfoNotFoundError"));
        // Some versions of Python answer a name that is a directory with another exception.
        let about_the_key = not_found.as_ref().is_ok_and(|class| error.is_instance(py, class))
            || error.is_instance_of::<PyOSError>(py)
            || error.is_instance_of::<PyValueError>(py);
        let Ok(class) = not_found else { return error };
        if !about_the_key {
            return error;
        }
        let version = zone.tzdb_version().unwrap_or("of unknown version");
        let message = format!(
            "Python's zoneinfo has no time zone `{zone}`, which the job has from time zone database {version}; install a newer \
             tzdata, or use the job's times in UTC"
        );
        match class.call1((message,)) {
            Ok(clear) => {
                let clear = PyErr::from_value(clear);
                clear.set_cause(py, Some(error));
                clear
            }
            Err(broken) => broken,
        }
    })
}

/// A date as `YYYY-MM-DD`; `None` if it is not a date. To Python a datetime is a date, too, but a calendar has no times of day.
pub(crate) fn date(obj: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if !obj.is_instance_of::<PyDate>() || obj.is_instance_of::<PyDateTime>() {
        return Ok(None);
    }
    obj.call_method0("isoformat")?.extract().map(Some)
}

/// A pair of dates as `YYYY-MM-DD..YYYY-MM-DD`; `None` if it is not one.
pub(crate) fn date_range(obj: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    let Ok([first, last]) = obj.extract::<[Bound<'_, PyAny>; 2]>() else { return Ok(None) };
    Ok(date(&first)?.zip(date(&last)?).map(|(first, last)| format!("{first}..{last}")))
}

/// Reads one of the core's words.
pub(crate) fn word<T: FromStr<Err = kron_core::Error>>(text: &str) -> PyResult<T> {
    text.parse().map_err(raise)
}

/// Lets an argument be the Python class or its text.
macro_rules! class_or_text {
    ($($class:ident),*) => {
        $(impl<'py> pyo3::FromPyObject<'_, 'py> for $crate::argument::Arg<kron_core::$class> {
            type Error = pyo3::PyErr;

            fn extract(obj: pyo3::Borrowed<'_, 'py, pyo3::PyAny>) -> pyo3::PyResult<Self> {
                use pyo3::prelude::*;
                if let Ok(value) = obj.cast::<$class>() {
                    return Ok($crate::argument::Arg(value.get().0.clone()));
                }
                match obj.cast::<pyo3::types::PyString>() {
                    Ok(text) => $crate::convert::word(&text.to_cow()?).map($crate::argument::Arg),
                    Err(_) => Err($crate::argument::expected(concat!("a kron.", stringify!($class), " or its text"), &obj)),
                }
            }
        })*
    };
}

pub(crate) use class_or_text;

impl<'py> FromPyObject<'_, 'py> for Arg<kron_core::Algorithm> {
    type Error = PyErr;

    fn extract(obj: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match obj.cast::<PyString>() {
            Ok(text) => word(&text.to_cow()?).map(Arg),
            Err(_) => Err(expected("the name of an algorithm", &obj)),
        }
    }
}

/// A text as a Python literal.
pub(crate) fn literal(py: Python<'_>, text: &str) -> PyResult<String> {
    PyString::new(py, text).repr()?.extract()
}
