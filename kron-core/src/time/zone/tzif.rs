//! TZif data (RFC 9636) becomes the spans of constant offset that the searches work on.
//!
//! The build script compiles this file too, so that the compiled-in database and one that is given at run time go
//! through the same code. It therefore imports nothing from the crate. The format is read by jiff, which also applies
//! the rule in the footer; this file turns its result into spans and limits the cost of hostile data.

use alloc::vec::Vec;
use core::fmt;

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// The first second that the tables describe: 1968-12-01T00:00:00Z. A window of 366 days around the first nominal time,
/// 1970-01-01, reaches back to 1968-12-31.
pub(crate) const FIRST: i64 = -34_214_400;
/// The first second after the tables: 2101-02-01T00:00:00Z. The last nominal time is in 2099.
pub(crate) const END: i64 = 4_136_659_200;

/// The longest TZif file in bytes; the longest of the time zone database have about 4,000.
const BYTES: usize = 65_536;
/// Most spans of a zone; the database's busiest zone has about 300.
pub(crate) const SPANS: usize = 1024;
/// Offsets stay below a day, so that no two of a zone differ by two days, which the cron search relies on.
const OFFSET: i32 = 86_400;

/// What is wrong with TZif data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TzifError {
    /// Not TZif, or damaged.
    Damaged,
    TooLong {
        bytes: usize,
    },
    LeapSeconds,
    TooManyChanges,
    Offset {
        seconds: i32,
    },
    Contradiction {
        at: i64,
    },
}

impl fmt::Display for TzifError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TzifError::Damaged => f.write_str("the data is not valid TZif"),
            TzifError::TooLong { bytes } => write!(f, "the data has {bytes} bytes; at most {BYTES} are read"),
            TzifError::LeapSeconds => {
                f.write_str("the data counts leap seconds, so its times are not Unix times")
            }
            TzifError::TooManyChanges => {
                write!(f, "the offset changes more than {} times from 1968 to 2101", SPANS - 1)
            }
            TzifError::Offset { seconds } => {
                write!(f, "an offset of {seconds} seconds is not below 24 hours")
            }
            TzifError::Contradiction { at } => {
                write!(f, "the data contradicts itself about the offset at Unix time {at}")
            }
        }
    }
}

/// Spans of constant offset over `FIRST..END`: the first second of each and its offset from UTC in seconds. The first
/// span begins at `i64::MIN`; neighbours differ.
pub(crate) fn spans(data: &[u8]) -> Result<Vec<(i64, i32)>, TzifError> {
    if data.len() > BYTES {
        return Err(TzifError::TooLong { bytes: data.len() });
    }
    let damaged = |_: jiff::Error| TzifError::Damaged;
    let zone = TimeZone::tzif("", data).map_err(damaged)?;
    if counts_leap_seconds(data) {
        return Err(TzifError::LeapSeconds);
    }
    let below_a_day = |offset: jiff::tz::Offset| {
        let seconds = offset.seconds();
        if seconds.abs() < OFFSET { Ok(seconds) } else { Err(TzifError::Offset { seconds }) }
    };
    let first = Timestamp::from_second(FIRST).map_err(damaged)?;
    let mut offset = below_a_day(zone.to_offset(first))?;
    let mut spans = alloc::vec![(i64::MIN, offset)];
    let mut last = FIRST;
    for (changes, transition) in zone.following(first).enumerate() {
        let start = transition.timestamp().as_second();
        // Without a rule in the footer, the last transition is returned repeatedly.
        if start >= END || start <= last {
            break;
        }
        // Changes of the abbreviation alone count too, so that the work is bounded.
        if changes >= 4 * SPANS {
            return Err(TzifError::TooManyChanges);
        }
        last = start;
        let next = below_a_day(transition.offset())?;
        if next != offset {
            if spans.len() == SPANS {
                return Err(TzifError::TooManyChanges);
            }
            offset = next;
            spans.push((start, offset));
        }
    }
    // jiff has two ways to find an offset. They can differ for data that no tz compiler writes.
    for (index, (start, offset)) in spans.iter().enumerate() {
        let end = spans.get(index + 1).map_or(END, |next| next.0);
        for at in [(*start).max(FIRST), end - 1] {
            let found = zone.to_offset(Timestamp::from_second(at).map_err(damaged)?);
            if found.seconds() != *offset {
                return Err(TzifError::Contradiction { at });
            }
        }
    }
    Ok(spans)
}

/// Whether the file's times count leap seconds, as those of the directory `right` do. The layout is that of RFC 9636,
/// section 3.1: a header of 44 bytes with six counts, data of the old version, then a second header.
fn counts_leap_seconds(data: &[u8]) -> bool {
    let header = |at: usize| -> Option<[u64; 6]> {
        let mut counts = [0; 6];
        for (i, count) in counts.iter_mut().enumerate() {
            let start = at.checked_add(20 + 4 * i)?;
            let bytes: [u8; 4] = data.get(start..start.checked_add(4)?)?.try_into().ok()?;
            *count = u32::from_be_bytes(bytes).into();
        }
        Some(counts)
    };
    let Some([is_ut, is_standard, leap, times, types, chars]) = header(0) else { return false };
    if data.get(4) == Some(&0) {
        return leap > 0;
    }
    let skipped = 44 + times * 5 + types * 6 + chars + leap * 8 + is_standard + is_ut;
    usize::try_from(skipped).ok().and_then(header).is_some_and(|[_, _, leap, ..]| leap > 0)
}

/// Names of the database that are not time zones: `Factory` says that a machine was not set up.
pub(crate) fn is_placeholder(name: &str) -> bool {
    name == "Factory"
}
