//! Comparing the rules of zones: fingerprints, changes of the offset, and the first difference.

use alloc::string::String;
use core::fmt::Write as _;

use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};

use super::tzif::{END, FIRST};
use super::{Span, Zone};
use crate::time::instant::{Instant, to_utc};

/// A change of a zone's offset from UTC. Made by [`Zone::changes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OffsetChange {
    /// The Unix second from which on the new offset holds.
    pub timestamp: i64,
    /// Seconds east of UTC before it.
    pub offset_before: i32,
    /// Seconds east of UTC from it on.
    pub offset_after: i32,
}

impl OffsetChange {
    /// The instant of the change.
    ///
    /// ```
    /// let zone = kron_core::Zone::parse("Europe/Paris")?;
    /// let change = zone.changes(1_772_323_200).next().unwrap();
    /// assert_eq!(change.time().to_rfc3339(), "2026-03-29T01:00:00+00:00");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn time(&self) -> DateTime<Utc> {
        to_utc(self.timestamp)
    }
}

/// Bytes as lower-case hex digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    let mut hex = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // OK because writing to a string cannot fail.
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

impl Zone {
    /// A fingerprint of this zone's rules: two zones with the same one have the same offsets at all times from 1968-12-01 to
    /// 2101-02-01, whatever their names and whatever the versions of their databases.
    ///
    /// It is the SHA-256, in lower-case hex, over a line `<first Unix second> <offset in seconds>\n` for each span of
    /// constant offset. The first line is for -2^63 and the offset at 1968-12-01T00:00:00Z.
    ///
    /// ```
    /// use kron_core::Zone;
    /// // printf '%s\n' '-9223372036854775808 0' | sha256sum
    /// let utc = "c2437b73d116b1b924da60d537ecfc4fe268cfc53886c7761fb0db16b89a31fd";
    /// assert_eq!(Zone::UTC.fingerprint(), utc);
    /// assert_eq!(Zone::parse("Asia/Kolkata")?.fingerprint(), Zone::parse("Asia/Calcutta")?.fingerprint());
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn fingerprint(&self) -> String {
        let mut lines = String::new();
        for Span { start, offset } in self.offsets().spans {
            // OK because writing to a string cannot fail.
            let _ = writeln!(lines, "{start} {offset}");
        }
        hex(&Sha256::digest(lines))
    }

    /// The changes of the offset after an instant, in order, up to 2101-02-01.
    ///
    /// ```
    /// let paris = kron_core::Zone::parse("Europe/Paris")?;
    /// let next = paris.changes(1_772_323_200).next().unwrap();
    /// assert_eq!(next.time().to_rfc3339(), "2026-03-29T01:00:00+00:00");
    /// assert_eq!((next.offset_before, next.offset_after), (3600, 7200));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn changes(&self, after: impl Instant) -> impl Iterator<Item = OffsetChange> + '_ {
        let offsets = self.offsets();
        offsets.spans[offsets.span_index(after.floor())..].windows(2).map(|pair| OffsetChange {
            timestamp: pair[1].start,
            offset_before: pair[0].offset,
            offset_after: pair[1].offset,
        })
    }

    /// The first instant from `from` on, between 1968-12-01 and 2101-02-01, at which two zones have different offsets.
    ///
    /// ```
    /// use kron_core::Zone;
    /// let (paris, london) = (Zone::parse("Europe/Paris")?, Zone::parse("Europe/London")?);
    /// assert_eq!(paris.first_difference(&london, 0).unwrap().to_rfc3339(), "1971-10-31T02:00:00+00:00");
    /// assert_eq!(paris.first_difference(&paris, 0), None);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn first_difference(&self, other: &Zone, from: impl Instant) -> Option<DateTime<Utc>> {
        let (ours, theirs) = (self.offsets(), other.offsets());
        let mut at = from.ceil().max(FIRST);
        let (mut our, mut their) = (ours.span_index(at), theirs.span_index(at));
        while at < END {
            if ours.spans[our].offset != theirs.spans[their].offset {
                return Some(to_utc(at));
            }
            at = ours.span_end(our).min(theirs.span_end(their));
            our += usize::from(at == ours.span_end(our));
            their += usize::from(at == theirs.span_end(their));
        }
        None
    }
}
