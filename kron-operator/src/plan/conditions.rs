//! What the conditions of a KronJob say: Ready, InvalidSpec, SchedulingError, Unschedulable.

use kron_core::Decision;
use kron_crd::condition::{self, Statement, types};
use kron_crd::{Condition, KronJobStatus, Time};

use super::objects::Objects;
use super::observed::{DryRunResult, Observed, Scheduling};
use crate::object::Spec;

/// The reason of condition InvalidSpec if the API server refuses the Jobs of the template.
const TEMPLATE_REFUSED: &str = "TemplateRefused";

/// The conditions, given the status that is written.
pub(super) fn wanted(objects: &Objects<'_>, observed: &Observed, written: &KronJobStatus) -> Vec<Condition> {
    let (kronjob, now) = (objects.kronjob, objects.second());
    let before = |name: &str| written.conditions.iter().find(|condition| condition.type_ == name);

    let invalid = match &kronjob.spec {
        Err(error) => Some(Statement::new(true, error.event_reason().as_str(), error.message.clone())),
        Ok(_) => match &observed.dry_run.result {
            DryRunResult::Refused(message) => Some(Statement::new(true, TEMPLATE_REFUSED, message.clone())),
            DryRunResult::Accepted => Some(Statement::common(false, condition::VALID)),
            DryRunResult::NotTried(error) => {
                let message = format!("the spec is valid; the job template could not be tried: {error}");
                Some(Statement::new(false, "TemplateNotTried", message))
            }
            // Not known yet: what was said of an earlier generation is still right for that one.
            DryRunResult::Unknown => None,
        },
    };
    let failed = match observed.scheduling.as_deref() {
        Some(Scheduling::Failed(reason, message)) => Some(Statement::new(true, *reason, message.clone())),
        Some(Scheduling::Created) => Some(Statement::common(false, condition::CREATED)),
        None if before(types::SCHEDULING_ERROR).is_some() => None,
        None => Some(Statement::common(false, condition::NO_ERROR)),
    };
    // The message of a condition that will hold.
    let holding = |now: &Option<Statement>, name| match now {
        Some(statement) => statement.holds.then(|| statement.message.clone()),
        None => before(name).filter(|before| before.status == "True").map(|before| before.message.clone()),
    };
    // The end of a suspension is known by what is written, so it outranks the rest. Only a spec that can be read ends one.
    let suspended = kronjob.suspended || kronjob.spec.is_err() && written.is_suspended();
    let ready = if suspended {
        Statement::common(false, condition::SUSPENDED)
    } else if let Some(error) = holding(&invalid, types::INVALID_SPEC) {
        Statement::new(false, types::INVALID_SPEC, error)
    } else if let Some(error) = holding(&failed, types::SCHEDULING_ERROR) {
        Statement::new(false, types::SCHEDULING_ERROR, error)
    } else {
        Statement::common(true, condition::SCHEDULED)
    };
    let unschedulable = kronjob.spec.as_ref().ok().map(|spec| match next_unschedulable(spec, now) {
        Some(period) => {
            let message = format!("the constraints allow no second in the window of period {period}");
            Statement::new(true, "NoAllowedSecond", message)
        }
        None => Statement::common(false, condition::SCHEDULABLE),
    });

    let statements = [Some(ready), invalid, failed, unschedulable];
    let ours = types::ALL.into_iter().zip(statements).filter_map(|(name, statement)| match statement {
        Some(statement) => Some(statement.into_condition(name, kronjob.generation, before(name), now)),
        None => before(name).cloned(),
    });
    let others = written.conditions.iter().filter(|condition| !types::ALL.contains(&&*condition.type_));
    ours.chain(others.cloned()).collect()
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
