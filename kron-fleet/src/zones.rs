//! Time zones as objects, for JSON.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use kron_core::time::{OffsetChange, Rfc3339};
use kron_core::{Instant, TzDatabase, Zone};
use serde::Serialize;

/// A zone as the object that `kron zones NAME -o json` prints. Times are texts in RFC 3339, UTC, and offsets are seconds east of UTC.
///
/// ```
/// use kron_core::TzDatabase;
/// use kron_fleet::zones::ZoneObject;
/// let (database, paris) = (TzDatabase::COMPILED_IN, TzDatabase::COMPILED_IN.zone("Europe/Paris")?);
/// let object = ZoneObject::new(&paris, &database, 1_772_323_200, 1);
/// assert_eq!((object.at.as_str(), object.offset), ("2026-03-01T00:00:00Z", 3600));
/// assert_eq!(object.changes[0].time, "2026-03-29T01:00:00Z");
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ZoneObject<'a> {
    /// The name of the zone.
    pub name: &'a str,
    /// The version of its database, if that has one.
    pub tzdb_version: Option<&'a str>,
    /// The names of zones with the same rules.
    pub aliases: Vec<String>,
    /// Equal for equal rules.
    pub fingerprint: String,
    /// The instant of the offset.
    pub at: String,
    /// The offset at this instant.
    pub offset: i32,
    /// The changes after it.
    pub changes: Vec<OffsetChangeObject>,
}

/// A change of the offset of a zone, as in a [`ZoneObject`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct OffsetChangeObject {
    /// The first second of the new offset.
    pub time: String,
    /// The offset before it.
    pub offset_before: i32,
    /// The offset from it on.
    pub offset_after: i32,
}

impl<'a> ZoneObject<'a> {
    /// The zone at an instant, with at most so many changes after it.
    ///
    /// ```
    /// use kron_core::TzDatabase;
    /// use kron_fleet::zones::ZoneObject;
    /// let (database, utc) = (TzDatabase::COMPILED_IN, TzDatabase::COMPILED_IN.zone("UTC")?);
    /// assert!(ZoneObject::new(&utc, &database, 0, 5).changes.is_empty());
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn new(zone: &'a Zone, database: &TzDatabase, at: impl Instant, count: usize) -> ZoneObject<'a> {
        let at = at.floor();
        ZoneObject {
            name: zone.name(),
            tzdb_version: zone.tzdb_version(),
            aliases: database.aliases(zone).map(|alias| alias.name().to_string()).collect(),
            fingerprint: zone.fingerprint(),
            at: Rfc3339(at).to_string(),
            offset: zone.offset_at(at),
            changes: zone.changes(at).take(count).map(OffsetChangeObject::new).collect(),
        }
    }
}

impl OffsetChangeObject {
    fn new(change: OffsetChange) -> OffsetChangeObject {
        OffsetChangeObject {
            time: Rfc3339(change.timestamp).to_string(),
            offset_before: change.offset_before,
            offset_after: change.offset_after,
        }
    }
}
