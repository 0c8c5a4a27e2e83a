//! Conversions of Python's own types: datetimes, durations, zones, dates, words.

use std::str::FromStr;

use chrono::{DateTime, Datelike, TimeDelta, Timelike, Utc};
use kron_core::{Duration, Instant, TzDatabase, Zone};
use pyo3::exceptions::{PyOSError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDate, PyDateTime, PyDelta, PyString, PyTzInfo};
use pyo3::{PyClass, PyTypeInfo};

use crate::error::raise;

/// An argument for a `T`: the Python class or its text.
pub(crate) struct Arg<T>(pub(crate) T);

/// An instant: an aware datetime in any zone.
pub(crate) type Time = Arg<DateTime<Utc>>;

/// The name of an object's type, for messages.
pub(crate) fn type_name(obj: &Bound<'_, PyAny>) -> String {
    obj.get_type().fully_qualified_name().map_or_else(|_| "?".to_string(), |name| name.to_string())
}

/// `TypeError: expected this, not that`. PyO3 adds a note with the name of the argument.
#[cold]
pub(crate) fn expected(what: &str, obj: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!("expected {what}, not {}", described(obj)))
}

/// The type of an object, and its value if that is short.
pub(crate) fn described(obj: &Bound<'_, PyAny>) -> String {
    const LONGEST: usize = 60;
    let name = type_name(obj);
    match obj.repr().and_then(|repr| Ok(repr.to_cow()?.into_owned())) {
        _ if obj.is_none() => "None".to_string(),
        Ok(repr) if repr.starts_with('<') || repr.chars().nth(LONGEST).is_some() => name,
        // Such as `kron.Job(...)`.
        Ok(repr) if repr.starts_with(&name) => repr,
        Ok(repr) => format!("{name} {repr}"),
        Err(_) => name,
    }
}

/// An argument that is a text. This function and the following ones are for `from_py_with`.
pub(crate) fn text<'a>(obj: &'a Bound<'_, PyAny>) -> PyResult<&'a str> {
    obj.cast::<PyString>().map_err(|_| expected("a str", obj))?.to_str()
}

/// A text or `None`.
pub(crate) fn optional_text<'a>(obj: &'a Bound<'_, PyAny>) -> PyResult<Option<&'a str>> {
    if obj.is_none() { Ok(None) } else { text(obj).map(Some) }
}

/// A `bool`. Other objects have a truth value too, but `suspend="no"` would be true.
pub(crate) fn flag(obj: &Bound<'_, PyAny>) -> PyResult<bool> {
    obj.extract().map_err(|_| expected("True or False", obj))
}

/// A number.
pub(crate) fn number(obj: &Bound<'_, PyAny>) -> PyResult<f64> {
    obj.extract().map_err(|_| expected("a number", obj))
}

/// An instance of a class of this package.
pub(crate) fn instance<'a, 'py, T: PyClass>(obj: &'a Bound<'py, PyAny>) -> PyResult<&'a Bound<'py, T>> {
    obj.cast().map_err(|_| expected(&format!("a kron.{}", <T as PyClass>::NAME), obj))
}

/// Nanoseconds beyond the microseconds of a datetime or a timedelta: only subclasses have them, such as those of pandas.
fn nanoseconds<'py, T: PyTypeInfo>(
    obj: &Bound<'py, PyAny>,
    attribute: &Bound<'py, PyString>,
) -> PyResult<u32> {
    if obj.is_exact_instance_of::<T>() {
        return Ok(0);
    }
    obj.getattr_opt(attribute)?.map_or(Ok(0), |nanos| nanos.extract())
}

/// Whole seconds of a timedelta, rounded down, and microseconds beyond them.
fn seconds(delta: &Bound<'_, PyDelta>) -> PyResult<(i64, u32)> {
    let py = delta.py();
    // As 32 bits, which every real timedelta fits; a subclass may return anything.
    let (days, seconds): (i32, i32) =
        (delta.getattr(intern!(py, "days"))?.extract()?, delta.getattr(intern!(py, "seconds"))?.extract()?);
    Ok((
        i64::from(days) * 86_400 + i64::from(seconds),
        delta.getattr(intern!(py, "microseconds"))?.extract()?,
    ))
}

impl<'py> FromPyObject<'_, 'py> for Time {
    type Error = PyErr;

    fn extract(obj: Borrowed<'_, 'py, PyAny>) -> PyResult<Time> {
        let py = obj.py();
        if !obj.is_instance_of::<PyDateTime>() {
            return Err(expected("an aware datetime.datetime", &obj));
        }
        let zone = obj.getattr(intern!(py, "tzinfo"))?;
        // Offsets of zones can have microseconds too.
        let (offset, offset_micros) = if zone.is(&*PyTzInfo::utc(py)?) {
            (0, 0)
        } else if zone.is_none() {
            return Err(naive());
        } else {
            let offset = obj.call_method0(intern!(py, "utcoffset"))?;
            seconds(offset.cast::<PyDelta>().map_err(|_| naive())?)?
        };
        // This and not the difference to the epoch, which costs twice as much in zones with changing offsets. As 32
        // bits, which every real datetime fits; a subclass may return anything.
        let day: i32 = obj.call_method0(intern!(py, "toordinal"))?.extract()?;
        let field = |name| Ok::<_, PyErr>(i64::from(obj.getattr(name)?.extract::<i32>()?));
        let (hour, minute) = (field(intern!(py, "hour"))?, field(intern!(py, "minute"))?);
        let (second, micros) = (field(intern!(py, "second"))?, field(intern!(py, "microsecond"))?);
        let local = (i64::from(day) - EPOCH_ORDINAL) * 86_400 + hour * 3600 + minute * 60 + second;
        let nanos = nanoseconds::<PyDateTime>(&obj, intern!(py, "nanosecond"))?;
        (local - offset)
            .checked_mul(1_000_000)
            .and_then(|whole| DateTime::from_timestamp_micros(whole + micros - i64::from(offset_micros)))
            .and_then(|time| time.checked_add_signed(TimeDelta::nanoseconds(i64::from(nanos))))
            .map(Arg)
            .ok_or_else(|| PyOverflowError::new_err("the datetime is out of range"))
    }
}

/// What `date.toordinal` gives for 1970-01-01.
const EPOCH_ORDINAL: i64 = 719_163;

#[cold]
fn naive() -> PyErr {
    PyTypeError::new_err(
        "the datetime is naive, so it names no instant; give it a zone, as in datetime(..., tzinfo=timezone.utc)",
    )
}

/// The instant, or the present one if it is left out. The time is that of Python's clock, so that tests can replace the
/// clock.
pub(crate) fn or_now(py: Python<'_>, time: Option<Time>) -> PyResult<DateTime<Utc>> {
    match time {
        Some(Arg(time)) => Ok(time),
        None => {
            let nanos: i64 =
                py.import(intern!(py, "time"))?.call_method0(intern!(py, "time_ns"))?.extract()?;
            Ok(DateTime::from_timestamp_nanos(nanos))
        }
    }
}

/// A Unix second as an aware datetime in UTC.
///
/// The constructor takes the ten bytes that every pickle of a datetime holds, which costs a third of eight integers: year,
/// month, day, hour, minute, second and microsecond, big-endian. Python cannot change them and still read its pickles.
pub(crate) fn datetime(py: Python<'_>, timestamp: i64) -> PyResult<Bound<'_, PyAny>> {
    // OK because every second that Kron decides lies from 1968 to 2101, and all others came in as datetimes.
    let time = DateTime::from_timestamp(timestamp, 0).unwrap_or_default();
    let [.., high, low] = time.year().to_be_bytes();
    let (month, day, hour) = (time.month() as u8, time.day() as u8, time.hour() as u8);
    let state = [high, low, month, day, hour, time.minute() as u8, time.second() as u8, 0, 0, 0];
    py.get_type::<PyDateTime>().call1((PyBytes::new(py, &state), PyTzInfo::utc(py)?))
}

/// The Unix second of an argument that must be a whole second: without its fraction it would be another time.
pub(crate) fn whole_second(name: &str, time: DateTime<Utc>) -> PyResult<i64> {
    match (time.floor(), time.ceil()) {
        (second, same) if second == same => Ok(second),
        _ => Err(PyValueError::new_err(format!("{name}: expected whole seconds, not {}", time.to_rfc3339()))),
    }
}

/// A Unix second as a plain integer. Numbers beyond 64 bits count as the greatest or least number of 64 bits: nothing
/// lies beyond either.
pub(crate) fn second(obj: &Bound<'_, PyAny>) -> PyResult<i64> {
    match exact_second(obj) {
        Err(error) if error.is_instance_of::<PyOverflowError>(obj.py()) => {
            let below = obj.call_method0(intern!(obj.py(), "__index__"))?.lt(0)?;
            Ok(if below { i64::MIN } else { i64::MAX })
        }
        seconds => seconds,
    }
}

/// A Unix second given as a plain integer of 64 bits.
pub(crate) fn exact_second(obj: &Bound<'_, PyAny>) -> PyResult<i64> {
    obj.extract::<i64>().map_err(|error| match error.is_instance_of::<PyTypeError>(obj.py()) {
        true => expected("Unix seconds as an int", obj),
        false => error,
    })
}

impl<'py> FromPyObject<'_, 'py> for Arg<Duration> {
    type Error = PyErr;

    fn extract(obj: Borrowed<'_, 'py, PyAny>) -> PyResult<Arg<Duration>> {
        if let Ok(text) = obj.cast::<PyString>() {
            return Duration::parse(&text.to_cow()?).map(Arg).map_err(raise);
        }
        let Ok(delta) = obj.cast::<PyDelta>() else {
            return Err(expected("a datetime.timedelta or a text such as '1h30m'", &obj));
        };
        let (seconds, micros) = seconds(&delta)?;
        let beyond = nanoseconds::<PyDelta>(&obj, intern!(obj.py(), "nanoseconds"))?;
        let nanos = (i128::from(seconds) * 1_000_000 + i128::from(micros)) * 1000 + i128::from(beyond);
        match i64::try_from(nanos).ok().and_then(Duration::from_nanos) {
            Some(duration) => Ok(Arg(duration)),
            // The core's parser reports what is wrong with it.
            None => Duration::parse(&format!("{nanos}ns")).map(Arg).map_err(raise),
        }
    }
}

/// A duration as a timedelta, rounded down to microseconds.
pub(crate) fn timedelta(py: Python<'_>, duration: Duration) -> PyResult<Bound<'_, PyDelta>> {
    let (seconds, micros) = (duration.as_secs(), duration.as_nanos() % 1_000_000_000 / 1000);
    // OK because 2^63 nanoseconds are fewer than 2^17 days.
    PyDelta::new(py, (seconds / 86_400) as i32, (seconds % 86_400) as i32, micros as i32, false)
}

/// An offset from UTC, which is shorter than a day, as a timedelta.
pub(crate) fn offset(py: Python<'_>, seconds: i32) -> PyResult<Bound<'_, PyDelta>> {
    PyDelta::new(py, 0, seconds, 0, true)
}

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
        let key =
            if obj.is_instance(zone_info(py)?)? { obj.getattr("key")? } else { py.None().into_bound(py) };
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
        $(impl<'py> pyo3::FromPyObject<'_, 'py> for $crate::convert::Arg<kron_core::$class> {
            type Error = pyo3::PyErr;

            fn extract(obj: pyo3::Borrowed<'_, 'py, pyo3::PyAny>) -> pyo3::PyResult<Self> {
                use pyo3::prelude::*;
                if let Ok(value) = obj.cast::<$class>() {
                    return Ok($crate::convert::Arg(value.get().0.clone()));
                }
                match obj.cast::<pyo3::types::PyString>() {
                    Ok(text) => $crate::convert::word(&text.to_cow()?).map($crate::convert::Arg),
                    Err(_) => Err($crate::convert::expected(concat!("a kron.", stringify!($class), " or its text"), &obj)),
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
