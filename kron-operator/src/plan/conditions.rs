//! Conditions: Ready, InvalidSpec, SchedulingError, Unschedulable.

use kron_core::Decision;

use super::View;
use super::observed::{DryRunResult, Scheduling};
use crate::crd::{Condition, KronJobStatus, Time};
use crate::events::cut;
use crate::object::Spec;

/// The reason of condition Ready while the job is suspended, by which the end of a suspension is known.
pub(super) const SUSPENDED: &str = "Suspended";
/// The reason of condition InvalidSpec if spec and template are known to be good.
pub(super) const VALID: &str = "Valid";
/// The reason of condition InvalidSpec if the API server refuses the Jobs of the template.
const TEMPLATE_REFUSED: &str = "TemplateRefused";

/// What a condition says.
struct Says {
    type_: &'static str,
    holds: bool,
    reason: String,
    message: String,
    /// The generation it speaks of.
    generation: i64,
}

/// The conditions, given the status that is written.
pub(super) fn wanted(view: View<'_>, written: &KronJobStatus) -> Vec<Condition> {
    let View { objects, observed } = view;
    let (kronjob, now) = (objects.kronjob, objects.second());
    let generation = kronjob.generation;
    let before = |name: &str| written.conditions.iter().find(|condition| condition.type_ == name);
    let says = |type_, holds, reason: &str, message: &str| Says {
        type_,
        holds,
        reason: reason.to_string(),
        message: message.to_string(),
        generation,
    };

    let invalid = match &kronjob.spec {
        Err(error) => Some(says("InvalidSpec", true, error.event_reason().as_str(), &error.message)),
        Ok(_) => match &observed.dry_run.result {
            DryRunResult::Refused(message) => Some(says("InvalidSpec", true, TEMPLATE_REFUSED, message)),
            DryRunResult::Accepted => {
                Some(says("InvalidSpec", false, VALID, "spec and job template are valid"))
            }
            DryRunResult::NotTried(error) => {
                let message = format!("the spec is valid; the job template could not be tried: {error}");
                Some(says("InvalidSpec", false, "TemplateNotTried", &message))
            }
            // Not known yet: what was said of an earlier generation is still right for that one.
            DryRunResult::Unknown => None,
        },
    };
    let failed = match &observed.scheduling {
        Some(Scheduling::Failed(reason, message)) => Some(says("SchedulingError", true, reason, message)),
        Some(Scheduling::Created) => {
            Some(says("SchedulingError", false, "Created", "the last Job was created"))
        }
        None if before("SchedulingError").is_some() => None,
        None => Some(says("SchedulingError", false, "NoError", "no create has failed")),
    };
    let failing = match &failed {
        Some(says) => says.holds.then(|| says.message.clone()),
        None => before("SchedulingError").filter(|c| c.status == "True").map(|c| c.message.clone()),
    };
    let refused = invalid.as_ref().is_some_and(|says| says.holds)
        || invalid.is_none() && before("InvalidSpec").is_some_and(|condition| condition.status == "True");
    // The end of a suspension is known by what is written, so it outranks the rest.
    let ready = if kronjob.suspended {
        says("Ready", false, SUSPENDED, "suspended: no Job is created and no period is handled")
    } else if refused {
        let message = invalid.as_ref().map(|says| says.message.clone());
        let message = message.or_else(|| before("InvalidSpec").map(|condition| condition.message.clone()));
        says("Ready", false, "InvalidSpec", &message.unwrap_or_default())
    } else if let Some(error) = failing {
        says("Ready", false, "SchedulingError", &error)
    } else {
        says("Ready", true, "Scheduled", "the next start is in status.nextChosenTime")
    };
    let unschedulable = kronjob.spec.as_ref().ok().map(|spec| match next_unschedulable(spec, now) {
        Some(period) => {
            let message = format!("the constraints allow no second in the window of period {period}");
            says("Unschedulable", true, "NoAllowedSecond", &message)
        }
        None => says("Unschedulable", false, "Schedulable", "the next period has an allowed second"),
    });

    let all = [
        ("Ready", Some(ready)),
        ("InvalidSpec", invalid),
        ("SchedulingError", failed),
        ("Unschedulable", unschedulable),
    ];
    let all = all.into_iter().filter_map(|(name, says)| match says {
        Some(says) => Some(says.after(before(name), now)),
        None => before(name).cloned(),
    });
    let ours = ["Ready", "InvalidSpec", "SchedulingError", "Unschedulable"];
    let others = written.conditions.iter().filter(|condition| !ours.contains(&condition.type_.as_str()));
    all.chain(others.cloned()).collect()
}

/// The next period by the end of its window, if it has no allowed second.
fn next_unschedulable(spec: &Spec, now: i64) -> Option<Time> {
    let next = next_to_end(spec, now)?;
    next.unschedulable().map(|_| Time(next.nominal_timestamp()))
}

/// When condition Unschedulable may change, whatever happens until then: the second after the next end of a window. `None` if
/// each period has an allowed second.
pub(super) fn may_change_at(spec: &Spec, now: i64) -> Option<i64> {
    if spec.job.spec().constraints().is_empty() {
        return None;
    }
    Some(next_to_end(spec, now)?.window_end_timestamp().saturating_add(1))
}

/// The next period by the end of its window.
fn next_to_end(spec: &Spec, now: i64) -> Option<Decision<'_>> {
    // Windows have the same length for all periods; any nominal time will do that is far from the bounds of time.
    let middle = 1_000_000_000;
    let end = spec.job.decide(middle).ok()?.window_end_timestamp().saturating_sub(middle);
    spec.job.next_period(now.saturating_sub(end).saturating_sub(1)).ok()
}

impl Says {
    /// The condition; the time of its last transition is kept while its status is.
    fn after(mut self, before: Option<&Condition>, now: i64) -> Condition {
        // What the server says of a template can be longer than the resource lets a message be.
        cut(&mut self.message);
        let status = if self.holds { "True" } else { "False" };
        let kept = before.filter(|before| before.status == status).map(|before| before.last_transition_time);
        Condition {
            type_: self.type_.to_string(),
            status: status.to_string(),
            observed_generation: Some(self.generation),
            reason: self.reason,
            message: self.message,
            last_transition_time: kept.unwrap_or(Time(now)),
        }
    }
}
