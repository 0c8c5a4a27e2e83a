//! Lengths of time: every argument that is one, `--for` included.

use kron_core::Duration;

/// The error of a text that is none, or that 64 bits of nanoseconds do not hold.
const LENGTH_FORMS: &str = "expected a length of time up to 292 years, such as 90s, 15m, 24h, 7d or 2w";
/// The units that arguments have beside those of job texts, with their hours.
const LONG_UNITS: [(&str, i64); 2] = [("d", 24), ("w", 7 * 24)];

/// Reads a length of time: a duration of job texts, also with the units `d`, 24 hours, and `w`, 7 days. The error is a sentence
/// for the user.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let plain = Duration::parse(text).ok();
    plain.or_else(|| Duration::from_nanos(nanos(text)?)).ok_or_else(|| LENGTH_FORMS.to_string())
}

/// The sum of all numbers with their units, in nanoseconds.
fn nanos(text: &str) -> Option<i64> {
    let in_number = |c: char| c == '.' || c.is_ascii_digit();
    let (mut sum, mut rest) = (0_i64, text);
    loop {
        let (number, after) = rest.split_at(rest.find(|c| !in_number(c))?);
        let (unit, after) = after.split_at(after.find(in_number).unwrap_or(after.len()));
        let long = LONG_UNITS.iter().find(|(long, _)| *long == unit);
        let (unit, factor) = long.map_or((unit, 1), |(_, hours)| ("h", *hours));
        let part = Duration::parse(&format!("{number}{unit}")).ok()?;
        sum = sum.checked_add(part.as_nanos().checked_mul(factor)?)?;
        if after.is_empty() {
            return Some(sum);
        }
        rest = after;
    }
}

/// The length of a range as an argument, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LengthArg(pub(crate) i64);

impl LengthArg {
    /// Reads a length in whole seconds, at least one. The error is a sentence for the user.
    pub(crate) fn parse(text: &str) -> Result<LengthArg, String> {
        let length = duration(text)?;
        if length.as_nanos() % 1_000_000_000 != 0 || length.is_zero() {
            return Err("a range has whole seconds, at least one".to_string());
        }
        Ok(LengthArg(length.as_secs()))
    }
}
