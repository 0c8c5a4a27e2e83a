//! Unix seconds as numbers of JavaScript, which have fractions.

use serde::Deserialize;

use crate::failure::Failure;

/// An instant: Unix seconds, perhaps with a fraction. Whatever lies outside an `i64` is its end.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(transparent)]
pub(crate) struct UnixTime(f64);

impl UnixTime {
    /// The instant of a number.
    pub(crate) fn new(seconds: f64) -> Result<UnixTime, Failure> {
        if seconds.is_nan() {
            return Err(Failure::request("an instant is not a number"));
        }
        Ok(UnixTime(seconds))
    }

    /// The last whole second that is not later.
    pub(crate) fn floor(self) -> i64 {
        self.0.floor() as i64
    }

    /// The first whole second that is not earlier.
    pub(crate) fn ceil(self) -> i64 {
        self.0.ceil() as i64
    }

    /// The instant as a nominal time, which is a whole second.
    pub(crate) fn whole(self) -> Result<i64, Failure> {
        if self.0.fract() != 0.0 {
            return Err(Failure::request("a nominal time is a whole second"));
        }
        Ok(self.floor())
    }
}
