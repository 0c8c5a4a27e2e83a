//! Time zones: a name and its offsets from UTC, from a time zone database.
//!
//! `tzif.rs` reads the data, `compiled.rs` has the zones that are compiled in, `offsets.rs` looks up offsets, `database.rs` has
//! all zones of a release, `fingerprint.rs` compares rules, `suggest.rs` suggests zones for unknown names, `calendar.rs`
//! implements chrono's time zone.
//!
//! A zone is a sorted slice of spans of constant offset from December 1968 to January 2101 (a year more than any window
//! around a nominal time reaches), with a coarse index. Within a span civil time runs evenly, so the cron search and
//! the constraints work span by span, without special cases for skipped and doubled hours.

mod calendar;
mod compiled;
mod database;
mod fingerprint;
mod offsets;
mod suggest;
mod tzif;
mod windows;

use alloc::boxed::Box;
use alloc::sync::Arc;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::str::FromStr;

use chrono_tz::Tz;

use crate::error::Error;

pub use calendar::ZoneOffset;
pub use database::TzDatabase;
pub use fingerprint::OffsetChange;
pub(crate) use offsets::{Offsets, Span};

use compiled::{CompiledZone, VERSION};
use offsets::Table;

/// A zone of a database that was given at run time.
struct GivenZone {
    name: Box<str>,
    /// The database's version, shared by its zones.
    version: Option<Arc<str>>,
    table: Table,
}

/// An IANA time zone: a name, and its offsets from UTC as a [`TzDatabase`] has them.
///
/// [`Zone::parse`] and `FromStr` look names up in the compiled-in database, [`TzDatabase::zone`] in another. Two zones are
/// equal if their names and their offsets are. A clone costs no allocation.
///
/// `Zone` implements chrono's `TimeZone`, so `DateTime<Zone>` has the offsets of this zone's database.
///
/// ```
/// use kron_core::Zone;
/// let zone: Zone = "Europe/Paris".parse()?;
/// assert_eq!(zone.name(), "Europe/Paris");
/// assert_eq!(Zone::default(), Zone::UTC);
/// let noon = chrono::DateTime::from_timestamp(1_788_264_000, 0).unwrap();
/// assert_eq!(noon.with_timezone(&zone).to_rfc3339(), "2026-09-01T14:00:00+02:00");
///
/// let error = Zone::parse("Europe/Pariss").unwrap_err();
/// assert_eq!(error.to_string(), "timezone: unknown time zone `Europe/Pariss` at column 1; did you mean `Europe/Paris`?");
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone)]
pub struct Zone(Source);

#[derive(Clone)]
enum Source {
    CompiledIn(&'static CompiledZone),
    Given(Arc<GivenZone>),
}

impl Zone {
    /// Coordinated Universal Time, the default.
    pub const UTC: Zone = Zone(Source::CompiledIn(&compiled::UTC));

    /// The number of `UTC`, see [`compiled_index`](Zone::compiled_index).
    pub(crate) const UTC_INDEX: u16 = compiled::UTC_INDEX;

    /// Finds a zone of the compiled-in database by its exact IANA name.
    ///
    /// # Errors
    ///
    /// [`TimeZone`](crate::ErrorCode::TimeZone), with a name of the same meaning where there is one.
    ///
    /// ```
    /// use kron_core::Zone;
    /// assert_eq!(Zone::parse("America/New_York")?.offset_at(1_772_323_200), -5 * 3600);
    /// let error = Zone::parse("america/new_york").unwrap_err();
    /// assert_eq!(error.help().as_deref(), Some("did you mean `America/New_York`?"));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn parse(name: &str) -> Result<Zone, Error> {
        TzDatabase::COMPILED_IN.zone(name)
    }

    /// The IANA name.
    ///
    /// ```
    /// // A zone keeps the name that it was looked up by.
    /// assert_eq!(kron_core::Zone::parse("Asia/Calcutta")?.name(), "Asia/Calcutta");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn name(&self) -> &str {
        match &self.0 {
            Source::CompiledIn(zone) => zone.name,
            Source::Given(zone) => &zone.name,
        }
    }

    /// The zone of this name in chrono-tz, or `None` if chrono-tz has no such name.
    ///
    /// chrono-tz carries its own copy of the time zone database, which may be older than this zone's; its offsets may then
    /// differ. Use `Zone` itself as chrono's time zone to get this zone's offsets.
    ///
    /// ```
    /// assert_eq!(kron_core::Zone::parse("Asia/Tokyo")?.tz(), Some(chrono_tz::Asia::Tokyo));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn tz(&self) -> Option<Tz> {
        self.name().parse().ok()
    }

    /// The version of the time zone database that this zone is from, such as `2026f`; `None` if the database has none.
    ///
    /// ```
    /// use kron_core::{TzDatabase, Zone};
    /// assert_eq!(Zone::UTC.tzdb_version(), TzDatabase::COMPILED_IN.version());
    /// ```
    pub fn tzdb_version(&self) -> Option<&str> {
        match &self.0 {
            Source::CompiledIn(_) => Some(VERSION),
            Source::Given(zone) => zone.version.as_deref(),
        }
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
    #[inline]
    pub fn offset_at(&self, timestamp: i64) -> i32 {
        self.offsets().at(timestamp)
    }

    /// The offsets of this zone.
    #[inline]
    pub(crate) fn offsets(&self) -> Offsets<'_> {
        match &self.0 {
            Source::CompiledIn(zone) => zone.offsets,
            Source::Given(zone) => zone.table.offsets(),
        }
    }

    /// A number for a zone of the compiled-in database, so that a job holds two bytes for it; `None` for other zones.
    pub(crate) fn compiled_index(&self) -> Option<u16> {
        match &self.0 {
            Source::CompiledIn(zone) => Some(zone.index),
            Source::Given(_) => None,
        }
    }

    /// The zone of such a number.
    #[inline]
    pub(crate) fn of_compiled_index(index: u16) -> &'static Zone {
        compiled::zone(usize::from(index))
    }

    /// Whether two zones have the same offsets at all times. Their names may differ.
    pub(crate) fn has_same_rules(&self, other: &Zone) -> bool {
        let (ours, theirs) = (self.offsets().spans, other.offsets().spans);
        core::ptr::eq(ours, theirs) || ours == theirs
    }
}

impl Default for Zone {
    fn default() -> Zone {
        Zone::UTC
    }
}

impl PartialEq for Zone {
    fn eq(&self, other: &Zone) -> bool {
        match (&self.0, &other.0) {
            (Source::CompiledIn(ours), Source::CompiledIn(theirs)) => ours.index == theirs.index,
            _ => self.name() == other.name() && self.has_same_rules(other),
        }
    }
}

impl Eq for Zone {}

impl Hash for Zone {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl PartialOrd for Zone {
    fn partial_cmp(&self, other: &Zone) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// By name, then by offsets.
impl Ord for Zone {
    fn cmp(&self, other: &Zone) -> Ordering {
        let by_name = self.name().cmp(other.name());
        by_name.then_with(|| self.offsets().spans.cmp(other.offsets().spans))
    }
}

impl FromStr for Zone {
    type Err = Error;

    fn from_str(name: &str) -> Result<Zone, Error> {
        Zone::parse(name)
    }
}

/// The zone of the same name in the compiled-in database.
impl TryFrom<Tz> for Zone {
    type Error = Error;

    fn try_from(tz: Tz) -> Result<Zone, Error> {
        Zone::parse(tz.name())
    }
}

/// The zone of the same name in the compiled-in database. A zone of jiff without a name of the IANA database is an error.
#[cfg(feature = "jiff_1")]
impl TryFrom<jiff::tz::TimeZone> for Zone {
    type Error = Error;

    fn try_from(zone: jiff::tz::TimeZone) -> Result<Zone, Error> {
        Zone::try_from(&zone)
    }
}

/// The zone of the same name in the compiled-in database. A zone of jiff without a name of the IANA database is an error.
#[cfg(feature = "jiff_1")]
impl TryFrom<&jiff::tz::TimeZone> for Zone {
    type Error = Error;

    fn try_from(zone: &jiff::tz::TimeZone) -> Result<Zone, Error> {
        match zone.iana_name() {
            Some(name) => Zone::parse(name),
            None => Zone::parse(&alloc::format!("{zone:?}")),
        }
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

// Read with the compiled-in database.
#[cfg(feature = "serde")]
crate::serde_support::serde_by_text!(Zone);

#[cfg(test)]
mod tests;
