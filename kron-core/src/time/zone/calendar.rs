//! Zones as time zones of chrono: `DateTime<Zone>`.

use core::fmt;

use chrono::{FixedOffset, MappedLocalTime, NaiveDate, NaiveDateTime, NaiveTime, Offset, TimeZone};

use super::Zone;
use crate::time::civil::DAY;

/// The offset of a [`Zone`] at some instant: what chrono keeps in a `DateTime<Zone>`. It prints as `+01:00`.
#[derive(Clone, PartialEq, Eq)]
pub struct ZoneOffset {
    zone: Zone,
    offset: FixedOffset,
}

impl ZoneOffset {
    /// The zone.
    pub const fn zone(&self) -> &Zone {
        &self.zone
    }
}

impl Offset for ZoneOffset {
    fn fix(&self) -> FixedOffset {
        self.offset
    }
}

impl fmt::Display for ZoneOffset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.offset.fmt(f)
    }
}

impl fmt::Debug for ZoneOffset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {}", self.offset, self.zone)
    }
}

impl Zone {
    fn zone_offset(&self, seconds: i32) -> ZoneOffset {
        // OK because offsets stay below a day.
        let offset = FixedOffset::east_opt(seconds).unwrap_or_else(|| FixedOffset::east_opt(0).unwrap());
        ZoneOffset { zone: self.clone(), offset }
    }
}

/// Civil times that a change of the offset skips map to no instant, those that it repeats to two.
///
/// ```
/// use chrono::TimeZone;
/// let vancouver = kron_core::Zone::parse("America/Vancouver")?;
/// // British Columbia stays on daylight saving time from November 2026 on.
/// let noon = vancouver.with_ymd_and_hms(2026, 12, 1, 12, 0, 0).unwrap();
/// assert_eq!(noon.to_rfc3339(), "2026-12-01T12:00:00-07:00");
///
/// let paris = kron_core::Zone::parse("Europe/Paris")?;
/// assert_eq!(paris.with_ymd_and_hms(2026, 3, 29, 2, 30, 0).single(), None); // skipped
/// assert!(paris.with_ymd_and_hms(2026, 10, 25, 2, 30, 0).latest().is_some()); // twice
/// # Ok::<(), kron_core::Error>(())
/// ```
impl TimeZone for Zone {
    type Offset = ZoneOffset;

    fn from_offset(offset: &ZoneOffset) -> Zone {
        offset.zone.clone()
    }

    fn offset_from_local_date(&self, local: &NaiveDate) -> MappedLocalTime<ZoneOffset> {
        self.offset_from_local_datetime(&local.and_time(NaiveTime::MIN))
    }

    fn offset_from_local_datetime(&self, local: &NaiveDateTime) -> MappedLocalTime<ZoneOffset> {
        let civil = local.and_utc().timestamp();
        let offsets = self.offsets();
        // No offset is a day or longer.
        let (first, last) = (offsets.span_index(civil - DAY), offsets.span_index(civil + DAY));
        let mut found = (first..=last).filter_map(|index| {
            let span = offsets.spans[index];
            let timestamp = civil - i64::from(span.offset);
            (span.start <= timestamp && timestamp < offsets.span_end(index)).then_some(span.offset)
        });
        match (found.next(), found.next_back()) {
            (None, _) => MappedLocalTime::None,
            (Some(offset), None) => MappedLocalTime::Single(self.zone_offset(offset)),
            (Some(first), Some(last)) => {
                MappedLocalTime::Ambiguous(self.zone_offset(first), self.zone_offset(last))
            }
        }
    }

    fn offset_from_utc_date(&self, utc: &NaiveDate) -> ZoneOffset {
        self.offset_from_utc_datetime(&utc.and_time(NaiveTime::MIN))
    }

    fn offset_from_utc_datetime(&self, utc: &NaiveDateTime) -> ZoneOffset {
        self.zone_offset(self.offset_at(utc.and_utc().timestamp()))
    }
}
