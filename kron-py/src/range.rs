//! Ranges of time as arguments: `start`, and an `end` that is an instant or a duration from the start.

use chrono::{DateTime, TimeDelta, Utc};
use kron_core::{Duration, Instant};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDateTime, PyString};

use crate::argument::{expected, is_number};
use crate::duration::{duration_of, no_duration};
use crate::instant::{Time, instant_of, no_instant, or_now};
use crate::series::{Kind, Series, Source};

/// The end of a range.
#[derive(Clone, Copy, Debug)]
pub(crate) enum End {
    At(DateTime<Utc>),
    After(Duration),
}

/// What an end may be, in the message about something else.
const WHAT: &str =
    "an instant such as an aware datetime, or a duration from the start such as '24h' or a timedelta";

impl<'py> FromPyObject<'_, 'py> for End {
    type Error = PyErr;

    fn extract(obj: Borrowed<'_, 'py, PyAny>) -> PyResult<End> {
        if let Ok(text) = obj.cast::<PyString>() {
            // A text in RFC 3339 begins with a year and a hyphen, which no duration has.
            let text = text.to_cow()?;
            let is_instant = text.get(4..5) == Some("-");
            if !is_instant {
                // OK because every text is a duration or an error.
                return duration_of(&obj)?.map(End::After).ok_or_else(|| expected(WHAT, &obj));
            }
        } else if !obj.is_instance_of::<PyDateTime>()
            && let Some(duration) = duration_of(&obj)?
        {
            return Ok(End::After(duration));
        }
        match instant_of(&obj)? {
            Some(time) => Ok(End::At(time)),
            None if is_number(&obj) => Err(no_duration(WHAT, &obj)),
            None => Err(no_instant(WHAT, &obj)),
        }
    }
}

impl End {
    /// The instant of the end of a range that begins at `start`.
    pub(crate) fn from(self, start: DateTime<Utc>) -> PyResult<DateTime<Utc>> {
        match self {
            End::At(end) => Ok(end),
            End::After(duration) => start
                .checked_add_signed(TimeDelta::nanoseconds(duration.as_nanos()))
                .ok_or_else(|| PyOverflowError::new_err("the end of the range is out of range")),
        }
    }
}

/// How many decisions a series has at most.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Count(u64);

impl<'py> FromPyObject<'_, 'py> for Count {
    type Error = PyErr;

    fn extract(obj: Borrowed<'_, 'py, PyAny>) -> PyResult<Count> {
        match obj.extract::<u64>() {
            Ok(count) if !obj.is_instance_of::<PyBool>() => Ok(Count(count)),
            _ => Err(expected("an int from 0 on", &obj)),
        }
    }
}

/// The arguments of a series: a range of which either bound may be missing, a number of decisions, and the direction.
pub(crate) struct SeriesArgs {
    pub(crate) start: Option<Time>,
    pub(crate) end: Option<End>,
    pub(crate) count: Option<Count>,
    pub(crate) reverse: bool,
}

impl SeriesArgs {
    /// The series of a source, and how many of its decisions are wanted.
    pub(crate) fn series(
        self,
        py: Python<'_>,
        source: Source,
        kind: Kind,
    ) -> PyResult<(Series, Option<u64>)> {
        let back = self.reverse;
        let (start, end) = match (self.start, self.end) {
            // Latest first, a series needs no start: it goes back to 1970.
            (None, Some(End::At(end))) if back => (None, Some(end)),
            (start, end) => {
                let start = or_now(py, start)?;
                (Some(start), end.map(|end| end.from(start)).transpose()?)
            }
        };
        if back && end.is_none() {
            return Err(PyTypeError::new_err(
                "a series in reverse begins at its end; give it one, as in starts(start, end, reverse=True)",
            ));
        }
        let (from, to) = (start.map(|start| start.ceil()), end.map(|end| end.ceil()));
        Ok((Series { source, kind, from, to, back }, self.count.map(|Count(count)| count)))
    }
}
