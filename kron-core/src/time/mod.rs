//! Time: civil dates, durations, instants, their texts, and time zones.

pub(crate) mod calendar_field;
pub(crate) mod civil;
pub(crate) mod duration;
pub(crate) mod instant;
pub(crate) mod rfc3339;
pub(crate) mod search_direction;
pub(crate) mod zone;

pub use self::duration::Duration;
pub use self::instant::{FromTimestamp, Instant, seconds_of, to_utc};
pub use self::rfc3339::Rfc3339;
pub use self::zone::{OffsetChange, TzDatabase, Zone, ZoneOffset};
