//! An explanation for serde.

use alloc::{string::ToString, vec::Vec};

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::days::DayMatch;
use crate::proof::explain::{ClosedUp, DrawStep, Explanation};
use crate::time::rfc3339::Rfc3339;

impl Serialize for DrawStep {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("u", &self.u)?;
        object.serialize_entry("quantile", &self.quantile)?;
        object.serialize_entry("candidate", &Rfc3339(self.candidate).to_string())?;
        object.serialize_entry("forbiddenBy", &self.forbidden)?;
        object.end()
    }
}

impl Serialize for ClosedUp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("u", &self.u)?;
        object.serialize_entry("quantile", &self.quantile)?;
        object.serialize_entry("chosen", &Rfc3339(self.chosen).to_string())?;
        object.end()
    }
}

/// What the rules of days say of a date: which list of clauses decided, and which of its clauses, if it is one.
#[derive(Serialize)]
struct Verdict {
    chosen: bool,
    list: &'static str,
    clause: Option<usize>,
}

/// The decision and its steps as an object, times in RFC 3339, UTC.
impl Serialize for Explanation<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let run = |(first, last): &(i64, i64)| [Rfc3339(*first).to_string(), Rfc3339(*last).to_string()];
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("decision", &self.decision)?;
        object.serialize_entry("onSchedule", &self.on_schedule)?;
        let verdict = match self.day {
            DayMatch::EveryDay => None,
            DayMatch::DaysClause(index) => Some((true, "days", Some(index))),
            DayMatch::NoDaysClause => Some((false, "days", None)),
            DayMatch::NodaysClause(index) => Some((false, "nodays", Some(index))),
        };
        if let Some((chosen, list, clause)) = verdict {
            object.serialize_entry("day", &Verdict { chosen, list, clause })?;
        }
        object.serialize_entry("candidates", &self.candidates)?;
        object.serialize_entry("draws", &self.draws)?;
        object.serialize_entry("closedUp", &self.closed_up)?;
        object.serialize_entry("allowed", &self.allowed)?;
        object.serialize_entry("allowedRuns", &self.allowed_runs.iter().map(run).collect::<Vec<_>>())?;
        object.end()
    }
}
