//! Instants: the types of the standard library, pandas, NumPy and whenever, texts, and Unix seconds.

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, SecondsFormat, TimeDelta, Timelike, Utc};
use kron_core::Instant;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDate, PyDateTime, PyDelta, PyString, PyTzInfo};

use crate::argument::{
    Arg, class_of_whenever, expected, expected_with_help, is_number, nanoseconds, numpy_seconds, type_name,
};
use crate::duration::seconds;
use crate::error::raise_instant;

/// An instant: an aware datetime in any zone, or one of the types that [`other_type`] reads.
pub(crate) type Time = Arg<DateTime<Utc>>;

impl<'py> FromPyObject<'_, 'py> for Time {
    type Error = PyErr;

    fn extract(obj: Borrowed<'_, 'py, PyAny>) -> PyResult<Time> {
        if obj.is_instance_of::<PyDateTime>() {
            return of_datetime(&obj).map(Arg);
        }
        instant_of(&obj)?.map(Arg).ok_or_else(|| no_instant(WHAT, &obj))
    }
}

/// What an instant may be, in the message about something else.
const WHAT: &str = "an instant, as an aware datetime or a text in RFC 3339";

/// The error of an argument that is no instant, with the way to write one.
#[cold]
pub(crate) fn no_instant(what: &str, obj: &Bound<'_, PyAny>) -> PyErr {
    let help = if obj.is_instance_of::<PyDate>() {
        "a date is a whole day: write datetime(year, month, day, tzinfo=timezone.utc), or the zone's midnight"
    } else if is_number(obj) {
        "a number has no unit: write datetime.fromtimestamp(seconds, timezone.utc)"
    } else if class_of_whenever(obj).as_deref() == Some("PlainDateTime") {
        "it has no zone: write .assume_utc() or .assume_tz(...)"
    } else {
        return expected(what, obj);
    };
    expected_with_help(what, obj, help)
}

/// The instant that an object is; `None` for an object of another type.
pub(crate) fn instant_of(obj: &Bound<'_, PyAny>) -> PyResult<Option<DateTime<Utc>>> {
    if obj.is_instance_of::<PyDateTime>() {
        return of_datetime(obj).map(Some);
    }
    if let Ok(text) = obj.cast::<PyString>() {
        return of_text(&text.to_cow()?).map(Some);
    }
    if type_name(obj) == "numpy.datetime64" {
        return match numpy_seconds(obj, "datetime64")? {
            Some((seconds, nanos)) => in_range(DateTime::from_timestamp(seconds, nanos)).map(Some),
            None => Err(PyValueError::new_err("NaT is no instant")),
        };
    }
    match class_of_whenever(obj).as_deref() {
        Some("Instant" | "ZonedDateTime" | "OffsetDateTime" | "SystemDateTime") => of_whenever(obj).map(Some),
        _ => Ok(None),
    }
}

fn in_range(time: Option<DateTime<Utc>>) -> PyResult<DateTime<Utc>> {
    time.ok_or_else(|| PyOverflowError::new_err("the time is out of range"))
}

fn of_datetime(obj: &Bound<'_, PyAny>) -> PyResult<DateTime<Utc>> {
    let py = obj.py();
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
    let nanos = nanoseconds::<PyDateTime>(obj, intern!(py, "nanosecond"))?;
    let time = (local - offset)
        .checked_mul(1_000_000)
        .and_then(|whole| DateTime::from_timestamp_micros(whole + micros - i64::from(offset_micros)))
        .and_then(|time| time.checked_add_signed(TimeDelta::nanoseconds(i64::from(nanos))));
    in_range(time)
}

/// What `date.toordinal` gives for 1970-01-01.
const EPOCH_ORDINAL: i64 = 719_163;

#[cold]
fn naive() -> PyErr {
    PyTypeError::new_err(
        "the datetime is naive, so it names no instant; give it a zone, as in datetime(..., tzinfo=timezone.utc) or \
         datetime.now(timezone.utc)",
    )
}

/// An instant in RFC 3339; Python writes a blank instead of the `T`.
fn of_text(text: &str) -> PyResult<DateTime<Utc>> {
    DateTime::parse_from_rfc3339(text).map(|time| time.to_utc()).map_err(|_| {
        let local = ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"]
            .iter()
            .find_map(|form| NaiveDateTime::parse_from_str(text, form).ok())
            .or_else(|| NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?.and_hms_opt(0, 0, 0));
        let help = match local {
            Some(local) => {
                let utc = local.and_utc().to_rfc3339_opts(SecondsFormat::AutoSi, true);
                format!("give its zone, as in `{utc}` for UTC")
            }
            None => "write for example `2026-03-01T00:00:00Z`".to_string(),
        };
        raise_instant(text, &help)
    })
}

fn of_whenever(obj: &Bound<'_, PyAny>) -> PyResult<DateTime<Utc>> {
    let py = obj.py();
    let keywords = pyo3::types::PyDict::new(py);
    keywords.set_item("unit", "nanosecond")?;
    let nanos: i128 = match obj.call_method("timestamp", (), Some(&keywords)) {
        Ok(nanos) => nanos,
        // Before whenever 0.11.
        Err(error) if error.is_instance_of::<PyTypeError>(py) => obj.call_method0("timestamp_nanos")?,
        Err(error) => return Err(error),
    }
    .extract()?;
    let (seconds, beyond) = (nanos.div_euclid(1_000_000_000), nanos.rem_euclid(1_000_000_000));
    // OK because a remainder is below 10^9.
    in_range(i64::try_from(seconds).ok().and_then(|seconds| DateTime::from_timestamp(seconds, beyond as u32)))
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
