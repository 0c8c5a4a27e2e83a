//! The Events that belong to the reports of the core.

use kron_crd::reason::Reason;
use kron_crd::{Outcome, Time};
use kron_fleet::HumanLength;
use kron_formats::audit::MissCause;
use kron_formats::names::name_of;
use kron_host::{Cause, HandledStart, HostReport, Trigger};

use crate::object::KronJobView;

/// An Event to be sent: its reason and its note.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Message {
    /// The Event's reason.
    pub reason: Reason,
    /// The Event's note.
    pub note: String,
    /// The period that the Event is about, if it says what became of one.
    pub period: Option<PeriodResult>,
}

/// The outcome of a period, for programs that read Events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PeriodResult {
    /// The period.
    pub period: Time,
    /// Its outcome.
    pub outcome: Outcome,
    /// Why it was not executed.
    pub cause: Option<MissCause>,
}

impl Message {
    pub(crate) fn new(reason: Reason, note: impl Into<String>) -> Message {
        Message { reason, note: note.into(), period: None }
    }
}

/// What a Job is made for, in words.
pub(super) fn what(trigger: &Trigger) -> String {
    match trigger {
        Trigger::Period { nominal, chosen } => {
            format!("period {}, chosen start {}", Time(*nominal), Time(*chosen))
        }
        Trigger::RunNow { token } => format!("run-now {token}"),
    }
}

/// The reason of the Event of a start with that cause.
const fn reason_of(cause: &Cause) -> Reason {
    match MissCause::of(cause) {
        None => Reason::SuccessfulCreate,
        Some(MissCause::Forbid) => Reason::JobAlreadyActive,
        Some(MissCause::Unschedulable) => Reason::Unschedulable,
        Some(MissCause::Deadline | MissCause::CatchUp) => Reason::MissSchedule,
        Some(MissCause::Queue | MissCause::FailedCreate) => Reason::FailedCreate,
        Some(MissCause::NameTaken) => Reason::NameTaken,
        Some(MissCause::ClaimLost) => Reason::ClaimLost,
        // Audits alone have these.
        Some(MissCause::Suspended | MissCause::NotInForce | MissCause::NoJobs | MissCause::Unexplained) => {
            Reason::MissSchedule
        }
    }
}

/// The Event of a start that has this outcome.
pub(super) fn of_start(
    kronjob: &KronJobView,
    trigger: &Trigger,
    execution: Option<&str>,
    cause: &Cause,
) -> Message {
    let (short, chosen) = match trigger {
        Trigger::Period { nominal, chosen } => (format!("period {}", Time(*nominal)), Time(*chosen)),
        Trigger::RunNow { token } => (format!("run-now {token}"), Time(0)),
    };
    let (what, name) = (what(trigger), name_of(trigger, &kronjob.key.name));
    let length = |seconds: &i64| HumanLength::of_seconds(*seconds);
    let lost = |claimed: &bool| match claimed {
        true => format!("; it was claimed, but there is no Job {name}"),
        false => String::new(),
    };
    let note = match cause {
        Cause::Started => format!("created Job {} for {what}", execution.unwrap_or(&name)),
        Cause::ActiveExecution { concurrency } => format!(
            "skipped {short}: an earlier Job is active, and the policy is {concurrency}; shorten the Job, or start \
             it less often"
        ),
        Cause::NoAllowedSecond { window_end } => format!(
            "{short} had no allowed second up to the end of its window, {}; widen the window or loosen the constraints",
            Time(*window_end)
        ),
        Cause::DeadlinePassed { late, deadline, claimed } => format!(
            "missed {short}: its start at {chosen} is {} ago, and the deadline is {}{}",
            length(late),
            HumanLength::of(*deadline),
            lost(claimed)
        ),
        Cause::CaughtUp { claimed } => {
            format!("missed {short}: a later missed period is executed instead{}", lost(claimed))
        }
        Cause::MaybeRemoved { retention } => format!(
            "missed {short}: Job {name} may have been created before and removed {} after it finished, so it is not \
             created again",
            length(retention)
        ),
        Cause::MaybeReplaced => format!(
            "missed {short}: Job {name} may have been created before and replaced since, so it is not created again"
        ),
        Cause::MaybeRemovedBeforeEdit { retention } => format!(
            "missed {short}: Job {name} may have been created at {chosen} and removed {} after it finished, so an edit \
             does not start it again",
            length(retention)
        ),
        Cause::Suspended | Cause::Edited => {
            let change = if *cause == Cause::Edited { "edit" } else { "suspension" };
            format!(
                "missed {short}: it was claimed for {chosen} before the {change}, but there is no Job {name}"
            )
        }
        Cause::TakenBack => {
            format!(
                "missed {short}: its token was taken back after it was claimed, and there is no Job {name}"
            )
        }
        Cause::NoTurn { waited } => {
            format!("missed {short}: its turn to create Job {name} did not come within {}", length(waited))
        }
        Cause::Failed { failures, tried, error } => format!(
            "missed {short}: Job {name} could not be created in {failures} attempts within {}: {error}",
            length(tried)
        ),
        Cause::Refused { error } => format!("missed {what}: Job {name} was refused: {error}"),
        Cause::NameTaken => {
            let owner = &kronjob.key;
            format!("missed {what}: there is a Job {name} already, and it does not belong to {owner}")
        }
        Cause::Removed => format!("missed {what}: there was a Job {name} already, and now it is gone"),
        Cause::Closed => format!("missed {what}: the namespace is being deleted"),
    };
    Message::new(reason_of(cause), note)
}

/// The Event of a report, if it has one.
pub(super) fn of_report(kronjob: &KronJobView, report: &HostReport) -> Option<Message> {
    let message = match report {
        HostReport::Handled(handled) => {
            let HandledStart { trigger, outcome, execution, cause } = handled;
            let miss = MissCause::of(cause);
            let result = |period| PeriodResult { period: Time(period), outcome: *outcome, cause: miss };
            let period = handled.nominal().map(result);
            Message { period, ..of_start(kronjob, trigger, execution.as_deref(), cause) }
        }
        HostReport::OlderMissed(count) => {
            Message::new(Reason::TooManyMissedTimes, format!("{count} older periods were missed, too"))
        }
        HostReport::ConfigurationChanged { since } => Message::new(
            Reason::ConfigurationChanged,
            format!(
                "schedule, time zone or seed strategy has changed: only periods that start after {} count",
                Time(*since)
            ),
        ),
        HostReport::Resumed { since } => Message::new(
            Reason::Resumed,
            format!("the suspension has ended: only periods that start after {} count", Time(*since)),
        ),
        HostReport::ClaimedByAnother { holder } => {
            Message::new(Reason::ClaimedByAnother, format!("{TWO_OPERATORS} (the other one is {holder})"))
        }
        HostReport::ExecutionFound => return None,
    };
    Some(message)
}

/// The message of condition SchedulingError: both operators write the same, so neither corrects the other.
pub(super) const TWO_OPERATORS: &str =
    "two operators work on this KronJob; stop one of them, or let them share a Lease";

#[cfg(test)]
mod tests {
    use kron_core::{Concurrency, Parser};
    use serde_json::json;

    use super::*;

    #[test]
    fn events_say_what_to_do() {
        let object = json!({"apiVersion": "kron.io/v1alpha1", "kind": "KronJob",
            "metadata": {"name": "db", "namespace": "prod", "uid": "u"}, "spec": {"schedule": "@daily"}});
        let kronjob = KronJobView::read(&serde_json::from_value(object).unwrap(), &Parser::new());
        let p = |chosen, outcome, cause| {
            let trigger = Trigger::Period { nominal: 0, chosen };
            let handled = HandledStart { trigger, outcome, execution: None, cause };
            of_report(&kronjob, &HostReport::Handled(handled)).unwrap().note
        };
        let active = Cause::ActiveExecution { concurrency: Concurrency::Forbid };
        assert_eq!(
            p(5, kron_core::Outcome::Skipped, active),
            "skipped period 1970-01-01T00:00:00Z: an earlier Job is active, and the policy is forbid; shorten the Job, or \
             start it less often"
        );
        assert_eq!(
            p(60, kron_core::Outcome::Unschedulable, Cause::NoAllowedSecond { window_end: 60 }),
            "period 1970-01-01T00:00:00Z had no allowed second up to the end of its window, 1970-01-01T00:01:00Z; widen \
             the window or loosen the constraints"
        );
    }
}
