//! A decision for serde.

use alloc::string::ToString;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::constraint::Forbidden;
use crate::decision::Decision;
use crate::time::rfc3339::Rfc3339;

/// The record as an object, times in RFC 3339, UTC; `chosenTime` and `unschedulable` are null where they do not apply.
impl Serialize for Decision<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let time = |timestamp| Rfc3339(timestamp).to_string();
        let mut object = serializer.serialize_struct("Decision", 12)?;
        object.serialize_field("name", self.name())?;
        object.serialize_field("algorithm", self.algorithm())?;
        object.serialize_field("periodId", &self.period_id())?;
        object.serialize_field("periodKey", &self.period_key())?;
        object.serialize_field("nominalTime", &time(self.nominal_timestamp()))?;
        object.serialize_field("windowStart", &time(self.window_start_timestamp()))?;
        object.serialize_field("windowEnd", &time(self.window_end_timestamp()))?;
        object.serialize_field("chosenTime", &self.chosen_timestamp().map(time))?;
        object.serialize_field("seedInput", &self.seed_input())?;
        object.serialize_field("seedHash", &self.seed_hash().to_string())?;
        object.serialize_field("draws", &self.draws())?;
        object.serialize_field("unschedulable", &self.unschedulable().map(|why| why.as_str()))?;
        object.end()
    }
}

impl Serialize for Forbidden {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Forbidden::NoOnlyClause => serializer.serialize_str("only"),
            Forbidden::AvoidClause(index) => serializer.collect_str(&format_args!("avoid[{index}]")),
        }
    }
}
