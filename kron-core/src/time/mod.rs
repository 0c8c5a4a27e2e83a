//! Time: civil dates, durations, instants, their texts, and time zones.

pub(crate) mod calendar_field;
pub(crate) mod civil;
pub(crate) mod direction;
pub(crate) mod duration;
pub(crate) mod instant;
pub(crate) mod rfc3339;
pub(crate) mod zone;
