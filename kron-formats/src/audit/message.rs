//! What became of a period that was not started, and why, in words.

use kron_core::time::Rfc3339;

use crate::audit::{AuditedPeriod, MissCause, PeriodState};

impl AuditedPeriod<'_> {
    /// What became of the period, and why, in words for people. `None` if nothing is wrong with it; see
    /// [`PeriodState::is_miss`].
    ///
    /// ```
    /// use kron_formats::audit::{AuditedPeriod, MissCause, PeriodState};
    /// let period = AuditedPeriod {
    ///     nominal: 0, chosen: Some(60), on_schedule: true, state: PeriodState::Missed, cause: Some(MissCause::Deadline),
    ///     execution: None,
    /// };
    /// let message = "missed, start 1970-01-01T00:01:00Z: it was decided after its deadline";
    /// assert_eq!(period.miss_message().as_deref(), Some(message));
    /// assert_eq!(AuditedPeriod { state: PeriodState::Executed, ..period }.miss_message(), None);
    /// ```
    pub fn miss_message(&self) -> Option<String> {
        if !self.state.is_miss() {
            return None;
        }
        let cause = self.cause.unwrap_or_default();
        let state = match self.state {
            PeriodState::NotExecuted => "not executed",
            state => state.as_str(),
        };
        let why = match (self.state, cause) {
            (_, MissCause::NoJobs) => words(cause),
            (PeriodState::NotExecuted, MissCause::Unexplained) => {
                "it is handled, but there is no Job, and no Event says why"
            }
            (PeriodState::Overdue, MissCause::ClaimLost) => "an operator claimed it and did not handle it",
            (PeriodState::Overdue, _) => "no operator has handled it",
            (_, cause) => words(cause),
        };
        Some(match self.chosen {
            Some(chosen) => format!("{state}, start {}: {why}", Rfc3339(chosen)),
            None => format!("{state}: {why}"),
        })
    }
}

/// A cause in words.
const fn words(cause: MissCause) -> &'static str {
    match cause {
        MissCause::Deadline => "it was decided after its deadline",
        MissCause::CatchUp => "a later period was started instead",
        MissCause::Forbid => "an earlier Job was active, and the policy is forbid",
        MissCause::Suspended => "the KronJob is suspended",
        MissCause::Unschedulable => "no second of its window is allowed",
        MissCause::NotInForce => "its start is not after the beginning of the configuration",
        MissCause::ClaimLost => "it was claimed, and its Job cannot be found",
        MissCause::Queue => "it waited too long in the queue of the operator",
        MissCause::FailedCreate => "its Job could not be created",
        MissCause::NameTaken => "the name of its Job belongs to another Job",
        MissCause::NoJobs => "the input has no Job, so it may have been executed",
        MissCause::Unexplained => "no Event says why",
    }
}
