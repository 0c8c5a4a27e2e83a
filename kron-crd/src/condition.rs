//! A condition of a KronJob, and the words that the operator writes in conditions.

use std::borrow::Cow;
use std::hash::{Hash, Hasher};

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::text::cut;
use super::time::Time;

// Words and sentences that the operator writes for many KronJobs take no memory of their own in a condition, whether it was
// made here or read from the server.
/// A condition, as everywhere in Kubernetes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    /// `Ready`, `InvalidSpec`, `SchedulingError` or `Unschedulable`.
    #[serde(rename = "type", deserialize_with = "common")]
    #[schemars(length(min = 1, max = 316))]
    pub type_: Cow<'static, str>,
    /// `True`, `False` or `Unknown`.
    #[serde(deserialize_with = "common")]
    #[schemars(extend("enum" = ["True", "False", "Unknown"]))]
    pub status: Cow<'static, str>,
    /// The generation of the spec that this condition speaks of.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0))]
    pub observed_generation: Option<i64>,
    /// Why, in one word for programs.
    #[serde(deserialize_with = "common")]
    #[schemars(length(min = 1, max = 1024))]
    pub reason: Cow<'static, str>,
    /// Why, in a sentence for people.
    #[serde(deserialize_with = "common")]
    #[schemars(length(max = 32768))]
    pub message: Cow<'static, str>,
    /// When `status` last changed.
    #[schemars(schema_with = "any_offset")]
    pub last_transition_time: Time,
}

/// The time of the last transition adds nothing to a hash: it is for people, and nothing is decided by it.
impl Hash for Condition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Condition { type_, status, observed_generation, reason, message, last_transition_time: _ } = self;
        (type_, status, observed_generation, reason, message).hash(state);
    }
}

/// Conditions keep the schema that they have everywhere in Kubernetes: any offset, though the operator writes UTC.
fn any_offset(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"type": "string", "format": "date-time"})
}

/// The types of the conditions that the operator writes, in the order in which the status lists them.
pub mod types {
    /// Whether the next start is known.
    pub const READY: &str = "Ready";
    /// Whether spec or job template are wrong.
    pub const INVALID_SPEC: &str = "InvalidSpec";
    /// Whether the last create of a Job failed.
    pub const SCHEDULING_ERROR: &str = "SchedulingError";
    /// Whether the next period has no allowed second.
    pub const UNSCHEDULABLE: &str = "Unschedulable";
    /// All of them.
    pub const ALL: [&str; 4] = [READY, INVALID_SPEC, SCHEDULING_ERROR, UNSCHEDULABLE];
}

/// A reason with the message that always goes with it.
pub type Says = (&'static str, &'static str);

/// Condition Ready while the job is suspended, by which the end of a suspension is known.
pub const SUSPENDED: Says = ("Suspended", "suspended: no Job is created and no period is handled");
/// Condition Ready of a job that waits for its next start.
pub const SCHEDULED: Says = ("Scheduled", "the next start is in status.nextChosenTime");
/// Condition InvalidSpec if spec and template are known to be good.
pub const VALID: Says = ("Valid", "spec and job template are valid");
/// Condition SchedulingError after a Job was created.
pub const CREATED: Says = ("Created", "the last Job was created");
/// Condition SchedulingError before the first Job is created.
pub const NO_ERROR: Says = ("NoError", "no create has failed");
/// Condition Unschedulable if the constraints leave a start.
pub const SCHEDULABLE: Says = ("Schedulable", "the next period has an allowed second");

/// What a condition says: whether it holds, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Whether it holds.
    pub holds: bool,
    /// Why, in one word for programs.
    pub reason: Cow<'static, str>,
    /// Why, in a sentence for people.
    pub message: Cow<'static, str>,
}

impl Statement {
    /// A condition that holds or not, with its reason and its message.
    ///
    /// ```
    /// use kron_crd::condition::{Statement, VALID};
    /// assert_eq!(Statement::new(false, VALID.0, VALID.1), Statement::common(false, VALID));
    /// ```
    pub fn new(
        holds: bool,
        reason: impl Into<Cow<'static, str>>,
        message: impl Into<Cow<'static, str>>,
    ) -> Statement {
        Statement { holds, reason: reason.into(), message: message.into() }
    }

    /// The same, with a reason and the message that always goes with it.
    ///
    /// ```
    /// use kron_crd::condition::{Statement, SCHEDULED};
    /// assert_eq!(Statement::common(true, SCHEDULED).reason, "Scheduled");
    /// ```
    pub fn common(holds: bool, (reason, message): Says) -> Statement {
        Statement::new(holds, reason, message)
    }

    /// The condition of that type, of a spec of that generation, at a Unix second. The time of the last transition is kept while the
    /// status of the one before is the same. A message of more than 1024 bytes is cut.
    ///
    /// ```
    /// use kron_crd::Time;
    /// use kron_crd::condition::{Statement, SCHEDULED, SUSPENDED, types};
    /// let ready = Statement::common(true, SCHEDULED).into_condition(types::READY, 1, None, 60);
    /// let still = Statement::common(true, SCHEDULED).into_condition(types::READY, 2, Some(&ready), 120);
    /// assert_eq!((still.last_transition_time, still.observed_generation), (Time(60), Some(2)));
    /// let suspended = Statement::common(false, SUSPENDED).into_condition(types::READY, 2, Some(&still), 180);
    /// assert_eq!(suspended.last_transition_time, Time(180));
    /// ```
    #[must_use]
    pub fn into_condition(
        self,
        name: &'static str,
        generation: i64,
        before: Option<&Condition>,
        now: i64,
    ) -> Condition {
        let status = if self.holds { "True" } else { "False" };
        let kept = before.filter(|before| before.status == status).map(|before| before.last_transition_time);
        let mut message = self.message;
        // What the server says of a template can be longer than the resource lets a message be.
        if let Cow::Owned(message) = &mut message {
            cut(message);
        }
        Condition {
            type_: name.into(),
            status: status.into(),
            observed_generation: Some(generation),
            reason: self.reason,
            message,
            last_transition_time: kept.unwrap_or(Time(now)),
        }
    }
}

const SAYS: [Says; 6] = [SUSPENDED, SCHEDULED, VALID, CREATED, NO_ERROR, SCHEDULABLE];
const STATUSES: [&str; 3] = ["True", "False", "Unknown"];

fn common<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Cow<'static, str>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let said = SAYS.iter().flat_map(|(reason, message)| [reason, message]);
    let known = STATUSES.iter().chain(&types::ALL).chain(said).find(|known| ***known == *text);
    Ok(known.map_or(Cow::Owned(text), |known| Cow::Borrowed(known)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_words_are_shared() {
        let read = |reason: &str, message: &str| -> Condition {
            let value = serde_json::json!({
                "type": "Ready", "status": "True", "reason": reason, "message": message,
                "lastTransitionTime": "2026-03-01T00:00:00Z",
            });
            let condition: Condition = serde_json::from_value(value.clone()).unwrap();
            assert_eq!(serde_json::to_value(&condition).unwrap(), value);
            condition
        };
        let owned = |condition: &Condition| {
            [&condition.type_, &condition.status, &condition.reason, &condition.message]
                .map(|text| matches!(text, Cow::Owned(_)))
        };
        for (reason, message) in SAYS {
            assert_eq!(owned(&read(reason, message)), [false; 4], "{reason}");
        }
        assert_eq!(owned(&read("Other", "not ours")), [false, false, true, true]);
    }
}
