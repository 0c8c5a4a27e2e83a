//! Time zones: the tz database that chrono-tz compiles in, tabulated as spans of constant offset.
//!
//! The build script asks chrono-tz for every zone's offsets from December 1968 to January 2101 (a year more than any
//! window around a nominal time reaches) and writes them as sorted slices, with a coarse index beside each. Within a span civil time runs evenly, so the
//! cron search and the constraints work span by span and never meet a skipped or doubled hour.

use core::{fmt, str::FromStr};

use chrono_tz::Tz;

use crate::bounds::ZONE_BYTES;
use crate::error::{Error, Snippet, ValueError, nearest};

/// A stretch of time with one offset from UTC. It ends where the next one in its slice starts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    /// First Unix second; `i64::MIN` for the first span of a zone.
    pub(crate) start: i64,
    /// Seconds east of UTC.
    pub(crate) offset: i32,
}

pub(crate) struct ZoneData {
    name: &'static str,
    /// In order, at least one.
    pub(crate) spans: &'static [Span],
    /// The index of the span that holds the first second of each block of `1 << BLOCK_BITS` seconds from `FIRST` on.
    blocks: &'static [u16; BLOCKS],
}

impl ZoneData {
    /// Index of the span that holds a Unix time.
    #[inline]
    pub(crate) fn span_index(&self, timestamp: i64) -> usize {
        if self.spans.len() == 1 {
            return 0;
        }
        // The last second of all is beyond the tables anyway, and stands for "never" there.
        let timestamp = timestamp.min(i64::MAX - 1);
        let block = timestamp.saturating_sub(FIRST).max(0) >> BLOCK_BITS;
        // OK because the number of blocks fits any integer.
        let mut index = usize::from(self.blocks[(block as usize).min(BLOCKS - 1)]);
        // Twice without a branch that could be predicted wrongly: few blocks have more changes.
        index += usize::from(timestamp >= self.span_end(index));
        index += usize::from(timestamp >= self.span_end(index));
        while timestamp >= self.span_end(index) {
            index += 1;
        }
        index
    }

    /// First Unix second after span `index`; more than any for the last one.
    #[inline]
    pub(crate) fn span_end(&self, index: usize) -> i64 {
        self.spans.get(index + 1).map_or(i64::MAX, |next| next.start)
    }
}

include!(concat!(env!("OUT_DIR"), "/zones.rs"));

/// Version of the tz database that all zones are read from, such as `2025b`.
///
/// The same start times need the same version: receipts carry it.
///
/// ```
/// assert!(kron_core::TZDB_VERSION.starts_with("20"));
/// ```
pub const TZDB_VERSION: &str = chrono_tz::IANA_TZDB_VERSION;

/// An IANA time zone.
///
/// ```
/// use kron_core::Zone;
/// let zone: Zone = "Europe/Paris".parse()?;
/// assert_eq!(zone.name(), "Europe/Paris");
/// assert_eq!(Zone::default(), Zone::UTC);
/// let error = Zone::parse("Europe/Pariss").unwrap_err();
/// assert_eq!(error.to_string(), "timezone: unknown time zone `Europe/Pariss` at column 1; did you mean `Europe/Paris`?");
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Zone {
    /// Index into `ZONES`.
    index: u16,
}

impl Zone {
    /// Coordinated Universal Time, the default.
    pub const UTC: Zone = Zone { index: index_of_utc() };

    /// Finds a zone by its exact IANA name.
    ///
    /// # Errors
    ///
    /// [`TimeZone`](crate::ErrorCode::TimeZone) with the nearest name, if one is near.
    pub fn parse(name: &str) -> Result<Zone, Error> {
        match ZONES.binary_search_by(|zone| zone.name.cmp(name)) {
            // OK because there are fewer than 1000 zones.
            Ok(index) => Ok(Zone { index: index as u16 }),
            Err(_) => Err(unknown(name).at(0..name.len()).located(name)),
        }
    }

    /// The IANA name.
    pub fn name(self) -> &'static str {
        self.data().name
    }

    /// The same zone for chrono.
    ///
    /// ```
    /// assert_eq!(kron_core::Zone::parse("Asia/Tokyo")?.tz(), chrono_tz::Asia::Tokyo);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn tz(self) -> Tz {
        // OK because the table is made from chrono-tz's own names; the test below reads them all.
        self.name().parse().unwrap_or(Tz::UTC)
    }

    /// All zones, sorted by name.
    ///
    /// ```
    /// assert!(kron_core::Zone::all().any(|zone| zone.name() == "Pacific/Chatham"));
    /// ```
    pub fn all() -> impl Iterator<Item = Zone> {
        // OK because there are fewer than 1000 zones.
        (0..ZONES.len()).map(|index| Zone { index: index as u16 })
    }

    /// Seconds east of UTC at a Unix time.
    ///
    /// Exact from 1968-12-01 to 2101-02-01; before and after, the nearest known offset.
    ///
    /// ```
    /// let zone = kron_core::Zone::parse("Asia/Kathmandu")?;
    /// assert_eq!(zone.offset_at(1_772_323_200), 5 * 3600 + 45 * 60);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn offset_at(self, timestamp: i64) -> i32 {
        let data = self.data();
        data.spans[data.span_index(timestamp)].offset
    }

    /// The spans of this zone.
    #[inline]
    pub(crate) fn data(self) -> &'static ZoneData {
        &ZONES[usize::from(self.index)]
    }
}

const fn index_of_utc() -> u16 {
    let mut index = 0;
    while index < ZONES.len() {
        if let b"UTC" = ZONES[index].name.as_bytes() {
            return index as u16;
        }
        index += 1;
    }
    panic!("the tz database has UTC");
}

#[cold]
fn unknown(name: &str) -> Error {
    let names = || ZONES.iter().map(|zone| zone.name);
    let city = |name: &'static str| name.rsplit('/').next().unwrap_or(name);
    let wanted = name.replace(' ', "_");
    // `paris` means Europe/Paris; a slip of the pen anywhere else is found by distance.
    let nearest = names()
        .find(|full| full.eq_ignore_ascii_case(&wanted))
        .or_else(|| names().find(|full| city(full).eq_ignore_ascii_case(&wanted)))
        .or_else(|| nearest(&wanted, names()))
        .filter(|_| name.len() <= ZONE_BYTES);
    Error::new("timezone", ValueError::Zone { text: Snippet::of(name), nearest })
}

impl Default for Zone {
    fn default() -> Zone {
        Zone::UTC
    }
}

impl FromStr for Zone {
    type Err = Error;

    fn from_str(name: &str) -> Result<Zone, Error> {
        Zone::parse(name)
    }
}

impl From<Tz> for Zone {
    fn from(tz: Tz) -> Zone {
        // OK because the table has every name of chrono-tz; the test below looks each one up.
        Zone::parse(tz.name()).unwrap_or(Zone::UTC)
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Zone({})", self.name())
    }
}

impl fmt::Debug for ZoneData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;
    use alloc::vec::Vec;

    use super::*;
    use chrono::{DateTime, Offset, TimeZone};

    fn chrono_offset(tz: Tz, at: i64) -> i32 {
        tz.offset_from_utc_datetime(&DateTime::from_timestamp(at, 0).unwrap().naive_utc())
            .fix()
            .local_minus_utc()
    }

    #[test]
    fn every_name_of_chrono_tz_is_here_and_back() {
        assert_eq!(Zone::all().count(), chrono_tz::TZ_VARIANTS.len());
        for tz in chrono_tz::TZ_VARIANTS {
            assert_eq!(Zone::from(tz).name(), tz.name());
            assert_eq!(Zone::from(tz).tz(), tz);
            assert!(tz.name().len() <= ZONE_BYTES);
        }
        assert_eq!(Zone::UTC.name(), "UTC");
    }

    /// Every quarter of an hour in which any zone could have changed, in every distinct table: the build script's coarse
    /// probing may not have jumped over a short span.
    #[test]
    fn offsets_equal_chrono_tz_throughout() {
        let mut seen = BTreeSet::new();
        let mut zones: Vec<Zone> = Zone::all().collect();
        zones.retain(|zone| seen.insert(zone.data().spans.as_ptr() as usize));
        for zone in zones {
            let tz = zone.tz();
            // The cron search takes it that no two offsets of a zone differ by two days.
            assert!(zone.data().spans.iter().all(|span| span.offset.abs() < 86_400), "{zone}");
            for span in &zone.data().spans[1..] {
                assert_eq!(
                    zone.offset_at(span.start),
                    chrono_offset(tz, span.start),
                    "{zone} {}",
                    span.start
                );
                assert_eq!(
                    zone.offset_at(span.start - 1),
                    chrono_offset(tz, span.start - 1),
                    "{zone} {}",
                    span.start
                );
            }
            // From 2026 on rules repeat; until then look at every hour.
            for hour in -9_500..490_000 {
                let at = hour * 3600;
                assert_eq!(zone.offset_at(at), chrono_offset(tz, at), "{zone} {at}");
            }
            for day in 20_400..47_800 {
                let at = day * 86_400;
                assert_eq!(zone.offset_at(at), chrono_offset(tz, at), "{zone} {at}");
            }
        }
    }

    #[test]
    fn unknown_names_suggest_the_nearest() {
        let p = |name: &str| Zone::parse(name).unwrap_err().mend().unwrap();
        assert_eq!(p("europe/paris"), "did you mean `Europe/Paris`?");
        assert_eq!(p("Kathmandu"), "did you mean `Asia/Kathmandu`?");
        assert_eq!(p("new york"), "did you mean `America/New_York`?");
        assert_eq!(p("utc"), "did you mean `UTC`?");
        for none in ["", "Local", "+02:00", "Mars/Olympus_Mons", &"x".repeat(100_000)] {
            assert_eq!(p(none), "use an IANA name such as `Europe/Paris`", "{none}");
        }
    }
}
