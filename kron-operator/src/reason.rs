//! The reasons of Events.

/// The reason of an Event, one word in the spelling of Kubernetes. Where CronJob has a reason for the same thing, it is
/// used here, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// A Job was created.
    SuccessfulCreate,
    /// A Job has finished.
    SawCompletedJob,
    /// A Job that was active is not there any more.
    MissingJob,
    /// A period is skipped as an earlier Job is active.
    JobAlreadyActive,
    /// A Job was deleted.
    SuccessfulDelete,
    /// A Job could not be created.
    FailedCreate,
    /// The status could not be read.
    FailedGet,
    /// A Job could not be deleted.
    FailedDelete,
    /// The time zone is not known.
    UnknownTimeZone,
    /// The schedule cannot be read.
    UnparseableSchedule,
    /// A period's deadline passed.
    MissSchedule,
    /// More periods were missed than are handled one by one.
    TooManyMissedTimes,
    /// The name of a Job is taken by one that is not ours.
    NameTaken,
    /// The constraints allow no second of a period's window.
    Unschedulable,
    /// The core refuses the spec.
    InvalidSpec,
    /// A label of a Job is ignored: the schedule has no such period, or its start is still to come.
    LabelsIgnored,
    /// Another operator took the claim of this one.
    ClaimedByAnother,
    /// A claimed period has no Job, and it is not certain that it had none.
    ClaimLost,
    /// The API server refuses the Job that the template makes.
    DryRunFailed,
    /// The Job template was tried and refused for now, for a reason that passes.
    DryRunDeferred,
    /// The value of `kron.io/run-now` is not a label's value.
    InvalidRunNow,
    /// The value of `kron.io/run-now` was there before the KronJob had a status: it makes no Job.
    RunNowSpent,
    /// A suspension has ended.
    Resumed,
    /// Schedule, time zone or seed strategy changed; new periods count from now on.
    ConfigurationChanged,
}

/// Whether an Event is about something usual.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Type `Normal`.
    Normal,
    /// Type `Warning`.
    Warning,
}

impl Severity {
    /// The Event's type: `Normal` or `Warning`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Severity::Normal => "Normal",
            Severity::Warning => "Warning",
        }
    }
}

impl Reason {
    /// Every reason.
    pub const ALL: [Reason; 24] = [
        Reason::SuccessfulCreate,
        Reason::SawCompletedJob,
        Reason::MissingJob,
        Reason::JobAlreadyActive,
        Reason::SuccessfulDelete,
        Reason::FailedCreate,
        Reason::FailedGet,
        Reason::FailedDelete,
        Reason::UnknownTimeZone,
        Reason::UnparseableSchedule,
        Reason::MissSchedule,
        Reason::TooManyMissedTimes,
        Reason::NameTaken,
        Reason::Unschedulable,
        Reason::InvalidSpec,
        Reason::LabelsIgnored,
        Reason::ClaimedByAnother,
        Reason::ClaimLost,
        Reason::DryRunFailed,
        Reason::DryRunDeferred,
        Reason::InvalidRunNow,
        Reason::RunNowSpent,
        Reason::Resumed,
        Reason::ConfigurationChanged,
    ];

    /// The word in the Event.
    pub const fn as_str(self) -> &'static str {
        match self {
            Reason::SuccessfulCreate => "SuccessfulCreate",
            Reason::SawCompletedJob => "SawCompletedJob",
            Reason::MissingJob => "MissingJob",
            Reason::JobAlreadyActive => "JobAlreadyActive",
            Reason::SuccessfulDelete => "SuccessfulDelete",
            Reason::FailedCreate => "FailedCreate",
            Reason::FailedGet => "FailedGet",
            Reason::FailedDelete => "FailedDelete",
            Reason::UnknownTimeZone => "UnknownTimeZone",
            Reason::UnparseableSchedule => "UnparseableSchedule",
            Reason::MissSchedule => "MissSchedule",
            Reason::TooManyMissedTimes => "TooManyMissedTimes",
            Reason::NameTaken => "NameTaken",
            Reason::Unschedulable => "Unschedulable",
            Reason::InvalidSpec => "InvalidSpec",
            Reason::LabelsIgnored => "LabelsIgnored",
            Reason::ClaimedByAnother => "ClaimedByAnother",
            Reason::ClaimLost => "ClaimLost",
            Reason::DryRunFailed => "DryRunFailed",
            Reason::DryRunDeferred => "DryRunDeferred",
            Reason::InvalidRunNow => "InvalidRunNow",
            Reason::RunNowSpent => "RunNowSpent",
            Reason::Resumed => "Resumed",
            Reason::ConfigurationChanged => "ConfigurationChanged",
        }
    }

    /// The type of its Events; CronJob's where the reason is.
    pub const fn severity(self) -> Severity {
        match self {
            Reason::SuccessfulCreate
            | Reason::SawCompletedJob
            | Reason::MissingJob
            | Reason::JobAlreadyActive
            | Reason::SuccessfulDelete
            | Reason::Resumed
            | Reason::ConfigurationChanged => Severity::Normal,
            Reason::FailedCreate
            | Reason::FailedGet
            | Reason::FailedDelete
            | Reason::UnknownTimeZone
            | Reason::UnparseableSchedule
            | Reason::MissSchedule
            | Reason::TooManyMissedTimes
            | Reason::NameTaken
            | Reason::Unschedulable
            | Reason::InvalidSpec
            | Reason::LabelsIgnored
            | Reason::ClaimedByAnother
            | Reason::ClaimLost
            | Reason::DryRunFailed
            | Reason::DryRunDeferred
            | Reason::InvalidRunNow
            | Reason::RunNowSpent => Severity::Warning,
        }
    }

    /// What the operator was about, which `events.k8s.io/v1` wants to know apart from the reason.
    pub const fn action(self) -> &'static str {
        match self {
            Reason::SuccessfulCreate
            | Reason::FailedCreate
            | Reason::NameTaken
            | Reason::ClaimLost
            | Reason::InvalidRunNow
            | Reason::RunNowSpent => "CreateJob",
            Reason::SuccessfulDelete | Reason::FailedDelete => "DeleteJob",
            Reason::SawCompletedJob | Reason::MissingJob | Reason::FailedGet | Reason::LabelsIgnored => {
                "WatchJob"
            }
            Reason::DryRunFailed | Reason::DryRunDeferred => "DryRunJob",
            Reason::JobAlreadyActive
            | Reason::UnknownTimeZone
            | Reason::UnparseableSchedule
            | Reason::MissSchedule
            | Reason::TooManyMissedTimes
            | Reason::Unschedulable
            | Reason::InvalidSpec
            | Reason::ClaimedByAnother
            | Reason::Resumed
            | Reason::ConfigurationChanged => "Schedule",
        }
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_the_variants_and_differ() {
        let mut words = std::collections::BTreeSet::new();
        for reason in Reason::ALL {
            assert_eq!(reason.as_str(), format!("{reason:?}"));
            assert!(words.insert(reason.as_str()));
            assert!(reason.as_str().len() <= 128 && !reason.action().is_empty());
        }
    }
}
