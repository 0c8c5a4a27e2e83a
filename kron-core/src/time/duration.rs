//! Durations in Go's notation, which KronJob manifests use.
//!
//! ```text
//! duration = "0" | number unit { number unit }
//! number   = digits [ "." [ digits ] ] | "." digits
//! unit     = "ns" | "us" | "µs" | "μs" | "ms" | "s" | "m" | "h"      micro sign U+00B5 or Greek mu U+03BC
//! ```
//!
//! Values and rounding are those of Go's `time.ParseDuration` and `Duration.String`; signs are refused.

use alloc::format;
use alloc::string::{String, ToString};
use core::{fmt, str::FromStr, time::Duration as CoreDuration};

use chrono::TimeDelta;

use crate::error::{DurationWhy, Error, Snippet, ValueError};

/// A span of time from 0 to 2^63-1 nanoseconds, written and read in Go's notation.
///
/// ```
/// use kron_core::Duration;
/// let duration: Duration = "1.5h".parse()?;
/// assert_eq!(duration.to_string(), "1h30m0s");
/// assert_eq!(duration.as_nanos(), 5_400_000_000_000);
/// assert_eq!(Duration::from_secs(90).to_string(), "1m30s");
/// # Ok::<(), kron_core::Error>(())
/// ```
///
/// It converts without loss into [`core::time::Duration`] and [`chrono::TimeDelta`], with the feature `jiff_1` into
/// `jiff::SignedDuration`, and from them where the value is in range; also from a `jiff::Span` of hours and smaller units. Whatever
/// takes a duration, such as [`Window::after`](crate::Window::after), takes these types and texts.
///
/// ```
/// use kron_core::Duration;
/// use std::time::Duration as StdDuration;
/// let duration = Duration::try_from(StdDuration::from_secs(5400))?;
/// assert_eq!(duration.to_string(), "1h30m0s");
/// assert_eq!(StdDuration::from(duration), StdDuration::from_secs(5400));
/// assert_eq!(chrono::TimeDelta::from(duration), chrono::TimeDelta::minutes(90));
///
/// let error = Duration::try_from(chrono::TimeDelta::milliseconds(-1500)).unwrap_err();
/// assert_eq!(error.to_string(), "duration: `-1.5s` is not a duration: it is below zero; give 0s or more");
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Duration {
    nanos: i64,
}

/// Units in nanoseconds.
static UNITS: [(&str, u64); 8] = [
    ("ns", 1),
    ("us", 1_000),
    ("\u{b5}s", 1_000),
    ("\u{3bc}s", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

/// 2^63: Go's parser allows this sum before it checks the sign.
const LIMIT: u64 = 1 << 63;

impl Duration {
    /// The duration 0.
    pub const ZERO: Duration = Duration { nanos: 0 };

    /// Reads Go's notation, without sign or blanks.
    ///
    /// # Errors
    ///
    /// [`Duration`](crate::ErrorCode::Duration), with what is wrong.
    ///
    /// ```
    /// let error = kron_core::Duration::parse("90").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "duration: `90` at column 1 is not a duration: every number needs one of the units `ns`, `us`, `ms`, `s`, `m`, \
    ///      `h`; write `1m30s`",
    /// );
    /// ```
    pub fn parse(text: &str) -> Result<Duration, Error> {
        Duration::parse_field(text, "duration").map_err(|error| error.located(text))
    }

    /// Reads a duration for a field of that path.
    ///
    /// # Errors
    ///
    /// As [`parse`](Duration::parse). The span is the whole text; there is no column.
    ///
    /// ```
    /// let error = kron_core::Duration::parse_field("90", "primer.lead").unwrap_err();
    /// assert_eq!((error.field(), error.span()), ("primer.lead", Some(0..2)));
    /// ```
    pub fn parse_field(text: &str, field: &'static str) -> Result<Duration, Error> {
        parse(text).map(|nanos| Duration { nanos }).map_err(|why| {
            Error::of(field, ValueError::Duration { text: Snippet::of(text), why }).at(0..text.len())
        })
    }

    /// A duration of nanoseconds; `None` if negative.
    ///
    /// ```
    /// assert_eq!(kron_core::Duration::from_nanos(-1), None);
    /// ```
    pub const fn from_nanos(nanos: i64) -> Option<Duration> {
        if nanos < 0 { None } else { Some(Duration { nanos }) }
    }

    /// A duration of whole seconds.
    ///
    /// ```
    /// assert_eq!(kron_core::Duration::from_secs(60).as_secs(), 60);
    /// ```
    pub const fn from_secs(seconds: u32) -> Duration {
        Duration { nanos: seconds as i64 * 1_000_000_000 }
    }

    /// Nanoseconds, never negative.
    pub const fn as_nanos(self) -> i64 {
        self.nanos
    }

    /// Whole seconds, rounded down.
    ///
    /// ```
    /// assert_eq!(kron_core::Duration::parse("1m59.9s")?.as_secs(), 119);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub const fn as_secs(self) -> i64 {
        self.nanos / 1_000_000_000
    }

    /// Whether it is zero.
    ///
    /// ```
    /// use kron_core::Duration;
    /// assert!(Duration::ZERO.is_zero());
    /// assert!(!Duration::parse("1ns")?.is_zero());
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub const fn is_zero(self) -> bool {
        self.nanos == 0
    }
}

/// The error of a value that is out of range, written in seconds.
#[cold]
fn out_of_range(value: CoreDuration, why: DurationWhy) -> Error {
    let sign = if why == DurationWhy::Negative { "-" } else { "" };
    let text = format!("{sign}{}", Seconds(value));
    Error::of("duration", ValueError::Duration { text: Snippet::of(&text), why })
}

impl From<Duration> for CoreDuration {
    fn from(duration: Duration) -> CoreDuration {
        // OK because it is never negative.
        CoreDuration::from_nanos(duration.nanos as u64)
    }
}

/// Fails with [`Duration`](crate::ErrorCode::Duration) above 2^63-1 nanoseconds, about 292 years.
impl TryFrom<CoreDuration> for Duration {
    type Error = Error;

    fn try_from(duration: CoreDuration) -> Result<Duration, Error> {
        match i64::try_from(duration.as_nanos()) {
            Ok(nanos) => Ok(Duration { nanos }),
            Err(_) => Err(out_of_range(duration, DurationWhy::Overflow)),
        }
    }
}

impl From<Duration> for TimeDelta {
    fn from(duration: Duration) -> TimeDelta {
        TimeDelta::nanoseconds(duration.nanos)
    }
}

/// Fails with [`Duration`](crate::ErrorCode::Duration) below 0 and above 2^63-1 nanoseconds, about 292 years.
impl TryFrom<TimeDelta> for Duration {
    type Error = Error;

    fn try_from(delta: TimeDelta) -> Result<Duration, Error> {
        match delta.to_std() {
            Ok(duration) => Duration::try_from(duration),
            // OK because every `TimeDelta` has its opposite.
            Err(_) => Err(out_of_range(delta.abs().to_std().unwrap_or_default(), DurationWhy::Negative)),
        }
    }
}

#[cfg(feature = "jiff_1")]
impl From<Duration> for jiff::SignedDuration {
    fn from(duration: Duration) -> jiff::SignedDuration {
        jiff::SignedDuration::from_nanos(duration.nanos)
    }
}

/// Fails with [`Duration`](crate::ErrorCode::Duration) below 0 and above 2^63-1 nanoseconds, about 292 years.
#[cfg(feature = "jiff_1")]
impl TryFrom<jiff::SignedDuration> for Duration {
    type Error = Error;

    fn try_from(duration: jiff::SignedDuration) -> Result<Duration, Error> {
        match CoreDuration::try_from(duration) {
            Ok(duration) => Duration::try_from(duration),
            Err(_) => Err(out_of_range(duration.unsigned_abs(), DurationWhy::Negative)),
        }
    }
}

/// Fails with [`Duration`](crate::ErrorCode::Duration) below 0, above 2^63-1 nanoseconds, and with units whose length depends on
/// the date: days, weeks, months and years.
#[cfg(feature = "jiff_1")]
impl TryFrom<jiff::Span> for Duration {
    type Error = Error;

    fn try_from(span: jiff::Span) -> Result<Duration, Error> {
        match jiff::SignedDuration::try_from(span) {
            Ok(duration) => Duration::try_from(duration),
            Err(_) => {
                let text = alloc::format!("{span}");
                let why = DurationWhy::Calendar;
                Err(Error::of("duration", ValueError::Duration { text: Snippet::of(&text), why }))
            }
        }
    }
}

/// The number of seconds of a time span, with as many decimals as it needs.
struct Seconds(CoreDuration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.as_secs())?;
        write_fraction(f, self.0.subsec_nanos().into(), 9)?;
        f.write_str("s")
    }
}

fn parse(text: &str) -> Result<i64, DurationWhy> {
    if text.starts_with(['+', '-']) {
        return Err(DurationWhy::Sign);
    }
    if text == "0" {
        return Ok(0);
    }
    let mut rest = text;
    let mut total: u64 = 0;
    while !rest.is_empty() {
        let (whole, after) = digits(rest);
        let (fraction, after) = match after.strip_prefix('.') {
            Some(after) => digits(after),
            None => ("", after),
        };
        if whole.is_empty() && fraction.is_empty() {
            return Err(DurationWhy::Syntax);
        }
        let end = after.find(|c: char| c == '.' || c.is_ascii_digit()).unwrap_or(after.len());
        let (unit, after) = after.split_at(end);
        let unit = UNITS.iter().find(|(name, _)| *name == unit).ok_or(DurationWhy::Unit)?.1;
        let mut value = whole_number(whole).ok_or(DurationWhy::Overflow)?;
        if value > LIMIT / unit {
            return Err(DurationWhy::Overflow);
        }
        value = value * unit + fraction_of(fraction, unit);
        total = total.checked_add(value).filter(|total| *total <= LIMIT).ok_or(DurationWhy::Overflow)?;
        rest = after;
    }
    if text.is_empty() {
        return Err(DurationWhy::Syntax);
    }
    i64::try_from(total).map_err(|_| DurationWhy::Overflow)
}

fn digits(text: &str) -> (&str, &str) {
    text.split_at(text.bytes().take_while(u8::is_ascii_digit).count())
}

fn whole_number(digits: &str) -> Option<u64> {
    digits.bytes().try_fold(0u64, |value, digit| {
        value.checked_mul(10)?.checked_add(u64::from(digit - b'0')).filter(|value| *value <= LIMIT)
    })
}

/// Nanoseconds of `0.digits` units, in floating point exactly as Go rounds them: digits beyond 63 bits are dropped.
fn fraction_of(digits: &str, unit: u64) -> u64 {
    let (mut value, mut scale) = (0u64, 1f64);
    for digit in digits.bytes() {
        if value > (LIMIT - 1) / 10 {
            break;
        }
        let next = value * 10 + u64::from(digit - b'0');
        if next > LIMIT {
            break;
        }
        value = next;
        scale *= 10.0;
    }
    (value as f64 * (unit as f64 / scale)) as u64
}

impl Duration {
    /// The text without its zeros at the end, for people: `1h`.
    pub(crate) fn short(&self) -> String {
        let text = self.to_string();
        let text = text.strip_suffix("m0s").map_or(text.clone(), |minutes| format!("{minutes}m"));
        text.strip_suffix("h0m").map_or(text.clone(), |hours| format!("{hours}h"))
    }
}

impl FromStr for Duration {
    type Err = Error;

    fn from_str(text: &str) -> Result<Duration, Error> {
        Duration::parse(text)
    }
}

impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // OK because it is never negative.
        let nanos = self.nanos as u64;
        match nanos {
            0 => return f.write_str("0s"),
            1..1_000 => return write!(f, "{nanos}ns"),
            1_000..1_000_000 => return write!(f, "{}µs", Decimal(nanos, 3)),
            1_000_000..1_000_000_000 => return write!(f, "{}ms", Decimal(nanos, 6)),
            _ => {}
        }
        let minutes = nanos / 60_000_000_000;
        if minutes >= 60 {
            write!(f, "{}h", minutes / 60)?;
        }
        if minutes >= 1 {
            write!(f, "{}m", minutes % 60)?;
        }
        write!(f, "{}s", Decimal(nanos % 60_000_000_000, 9))
    }
}

impl fmt::Debug for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Duration({self})")
    }
}

/// A number divided by a power of ten, without trailing zeros.
struct Decimal(u64, u32);

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scale = 10u64.pow(self.1);
        write!(f, "{}", self.0 / scale)?;
        write_fraction(f, self.0 % scale, self.1 as usize)
    }
}

/// Writes the point and the digits after it, without trailing zeros.
fn write_fraction(f: &mut fmt::Formatter<'_>, mut fraction: u64, mut places: usize) -> fmt::Result {
    if fraction == 0 {
        return Ok(());
    }
    while fraction.is_multiple_of(10) {
        (fraction, places) = (fraction / 10, places - 1);
    }
    write!(f, ".{fraction:0places$}")
}

#[cfg(feature = "serde")]
crate::serde_support::serde_by_text!(Duration);

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn ok_values() {
        let p = |text: &str| Duration::parse(text).unwrap().as_nanos();
        assert_eq!(p("0"), 0);
        assert_eq!(p("0s"), 0);
        assert_eq!(p("1h30m"), 5_400_000_000_000);
        assert_eq!(p(".5h"), 1_800_000_000_000);
        assert_eq!(p("1.h"), 3_600_000_000_000);
        assert_eq!(p("1us1µs1μs"), 3_000);
        assert_eq!(p("3ns2h3ns"), 7_200_000_000_006);
        assert_eq!(p("9223372036854775807ns"), i64::MAX);
        assert_eq!(p("0.3333333333333333333h"), 1_200_000_000_000);
        assert_eq!(p("0.9223372036854775807h"), 3_320_413_933_267);
    }

    #[test]
    fn err_values() {
        let p = |text: &str| super::parse(text).unwrap_err();
        assert_eq!(p("-1s"), DurationWhy::Sign);
        assert_eq!(p("+0"), DurationWhy::Sign);
        for text in ["", ".", ".s", " 1s", "s", "1s ", "１s", "1s-1s"] {
            assert!(matches!(p(text), DurationWhy::Syntax | DurationWhy::Unit), "{text}");
        }
        for text in ["1", "1.5", "1d", "1s2", "1 s", "1S", "00", "1e3s"] {
            assert_eq!(p(text), DurationWhy::Unit, "{text}");
        }
        for text in ["9223372036854775808ns", "2562048h", "99999999999999999999s", "2562047h47m16.854775808s"]
        {
            assert_eq!(p(text), DurationWhy::Overflow, "{text}");
        }
    }

    #[test]
    fn other_types_in_both_directions() {
        let edges = [0, 1, 999_999_999, 1_000_000_000, 5_400_000_000_001, i64::MAX];
        for nanos in edges {
            let duration = Duration::from_nanos(nanos).unwrap();
            let (core, delta) = (CoreDuration::from(duration), TimeDelta::from(duration));
            assert_eq!((core.as_nanos(), delta.num_nanoseconds()), (nanos as u128, Some(nanos)));
            assert_eq!((Duration::try_from(core), Duration::try_from(delta)), (Ok(duration), Ok(duration)));
        }
        let message = |error: Result<Duration, Error>| error.unwrap_err().to_string();
        let too_long =
            "is not a duration: it is longer than 2562047h47m16.854775807s, what 64 bits of nanoseconds hold";
        let above = CoreDuration::from_nanos(1 << 63);
        assert_eq!(message(above.try_into()), format!("duration: `9223372036.854775808s` {too_long}"));
        assert_eq!(
            message(CoreDuration::MAX.try_into()),
            format!("duration: `18446744073709551615.999999999s` {too_long}")
        );
        assert_eq!(
            message(TimeDelta::MAX.try_into()),
            format!("duration: `9223372036854775.807s` {too_long}")
        );
        let below = "is not a duration: it is below zero; give 0s or more";
        assert_eq!(
            message(TimeDelta::nanoseconds(-1).try_into()),
            format!("duration: `-0.000000001s` {below}")
        );
        assert_eq!(message(TimeDelta::MIN.try_into()), format!("duration: `-9223372036854775.807s` {below}"));
    }

    #[test]
    fn prints_as_go_does() {
        let p = |nanos| Duration::from_nanos(nanos).unwrap().to_string();
        assert_eq!(p(0), "0s");
        assert_eq!(p(1), "1ns");
        assert_eq!(p(1100), "1.1µs");
        assert_eq!(p(2_200_000), "2.2ms");
        assert_eq!(p(3_300_000_000), "3.3s");
        assert_eq!(p(245_000_000_000), "4m5s");
        assert_eq!(p(245_001_000_000), "4m5.001s");
        assert_eq!(p(18_367_001_000_000), "5h6m7.001s");
        assert_eq!(p(480_000_000_001), "8m0.000000001s");
        assert_eq!(p(i64::MAX), "2562047h47m16.854775807s");
    }
}
