//! Times of the resource.

use chrono::DateTime;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A whole second of Unix time, written as RFC 3339 in UTC: `2026-03-01T00:00:00Z`.
///
/// ```
/// use kron_crd::Time;
/// let time: Time = serde_json::from_str("\"2026-03-01T00:00:00Z\"")?;
/// assert_eq!(time, Time(1_772_323_200));
/// assert_eq!(serde_json::to_string(&time)?, "\"2026-03-01T00:00:00Z\"");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Time(pub i64);

impl std::fmt::Display for Time {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        kron_core::time::Rfc3339(self.0).fmt(f)
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Time, D::Error> {
        let text = String::deserialize(deserializer)?;
        let time = DateTime::parse_from_rfc3339(&text).map_err(|error| {
            serde::de::Error::custom(format_args!("expected a time such as `2026-03-01T00:00:00Z`: {error}"))
        })?;
        Ok(Time(time.timestamp()))
    }
}

impl JsonSchema for Time {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Time".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "string", "format": "date-time", "pattern": "Z$"})
    }
}
