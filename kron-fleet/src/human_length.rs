//! Lengths of time as people read them.

use core::fmt;

use kron_core::Duration;

/// The seconds of a day. Days begin at two of them: `47h` is easier to read than `1d 23h`.
const DAY: u64 = 86_400;

/// A length of time in a sentence: `19m 37s`, `3h`, `2d 4h`. JSON, CSV and canonical texts write a [`Duration`] instead. The form
/// `{:#}` is one that a person would write in a job text, without blanks and days.
///
/// ```
/// use kron_core::Duration;
/// use kron_fleet::HumanLength;
/// assert_eq!(HumanLength::of_seconds(3660).to_string(), "1h 1m");
/// assert_eq!(HumanLength::of(Duration::parse("30m")?).to_string(), "30m");
/// assert_eq!(format!("@win(after,{:#})", HumanLength::of_seconds(5400)), "@win(after,1h30m)");
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HumanLength(Length);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Length {
    Seconds(u64),
    /// One that is no whole number of seconds.
    Exact(Duration),
}

impl HumanLength {
    /// A length in seconds. Of a negative number, the length is that of the positive one.
    ///
    /// ```
    /// assert_eq!(kron_fleet::HumanLength::of_seconds(-45).to_string(), "45s");
    /// ```
    pub const fn of_seconds(seconds: i64) -> HumanLength {
        HumanLength(Length::Seconds(seconds.unsigned_abs()))
    }

    /// The length of a duration. One that is no whole number of seconds is written as in job texts.
    ///
    /// ```
    /// use kron_core::Duration;
    /// let half = Duration::parse("1m0.5s")?;
    /// assert_eq!(kron_fleet::HumanLength::of(half).to_string(), "1m0.5s");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn of(duration: Duration) -> HumanLength {
        match duration.as_nanos() % 1_000_000_000 {
            0 => HumanLength::of_seconds(duration.as_secs()),
            _ => HumanLength(Length::Exact(duration)),
        }
    }
}

impl fmt::Display for HumanLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = match self.0 {
            Length::Seconds(seconds) => seconds,
            Length::Exact(duration) => return duration.fmt(f),
        };
        let is_of_text = f.alternate();
        let days = if is_of_text || seconds < 2 * DAY { 0 } else { seconds / DAY };
        let rest = seconds - days * DAY;
        let units = [(days, "d"), (rest / 3600, "h"), (rest / 60 % 60, "m"), (rest % 60, "s")];
        let mut is_first = true;
        for (count, unit) in units.into_iter().filter(|(count, _)| *count > 0) {
            let blank = if is_first || is_of_text { "" } else { " " };
            write!(f, "{blank}{count}{unit}")?;
            is_first = false;
        }
        if is_first { f.write_str("0s") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn lengths_without_zeros() {
        let p = |seconds| HumanLength::of_seconds(seconds).to_string();
        let found = [0, 45, 600, 3600, 12_600, 3601, 90_061, 172_800, 187_261].map(p);
        assert_eq!(found, ["0s", "45s", "10m", "1h", "3h 30m", "1h 1s", "25h 1m 1s", "2d", "2d 4h 1m 1s"]);
        assert_eq!([p(-90), p(i64::MIN)], ["1m 30s", "106751991167300d 15h 30m 8s"]);
        for text in ["0s", "90ms", "1m30s", "30m", "3h", "1h30m", "1h5s", "10h10m10s", "20m", "100h"] {
            let duration = Duration::parse(text).unwrap();
            let short = format!("{:#}", HumanLength::of(duration));
            assert_eq!((short.as_str(), Duration::parse(&short).unwrap()), (text, duration));
        }
        let of = |text| HumanLength::of(Duration::parse(text).unwrap()).to_string();
        assert_eq!([of("10m"), of("1m0.5s"), of("0s")], ["10m", "1m0.5s", "0s"]);
    }
}
