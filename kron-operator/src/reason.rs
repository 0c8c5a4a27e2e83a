//! The reasons of Events.

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

/// Declares the reasons: the word of each, the type of its Events, and what the operator was about.
macro_rules! reasons {
    ($($(#[$doc:meta])+ $name:ident: $severity:ident, $action:literal;)+) => {
        /// The reason of an Event, one word in the spelling of Kubernetes. Where CronJob has a reason for the same thing, it is
        /// used here, too.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Reason {
            $($(#[$doc])+ $name,)+
        }

        impl Reason {
            /// The word in the Event.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Reason::$name => stringify!($name),)+
                }
            }

            /// The type of its Events; CronJob's where the reason is.
            pub const fn severity(self) -> Severity {
                match self {
                    $(Reason::$name => Severity::$severity,)+
                }
            }

            /// What the operator was about, which `events.k8s.io/v1` wants to know apart from the reason.
            pub const fn action(self) -> &'static str {
                match self {
                    $(Reason::$name => $action,)+
                }
            }
        }
    };
}

reasons! {
    /// A Job was created.
    SuccessfulCreate: Normal, "CreateJob";
    /// A Job has finished.
    SawCompletedJob: Normal, "WatchJob";
    /// A Job that was active is not there any more.
    MissingJob: Normal, "WatchJob";
    /// A period is skipped as an earlier Job is active.
    JobAlreadyActive: Normal, "Schedule";
    /// A Job was deleted.
    SuccessfulDelete: Normal, "DeleteJob";
    /// A Job could not be created.
    FailedCreate: Warning, "CreateJob";
    /// The status could not be read.
    FailedGet: Warning, "WatchJob";
    /// A Job could not be deleted.
    FailedDelete: Warning, "DeleteJob";
    /// The time zone is not known.
    UnknownTimeZone: Warning, "Schedule";
    /// The schedule cannot be read.
    UnparseableSchedule: Warning, "Schedule";
    /// A period's deadline passed.
    MissSchedule: Warning, "Schedule";
    /// More periods were missed than are handled one by one.
    TooManyMissedTimes: Warning, "Schedule";
    /// The name of a Job is taken by one that is not ours.
    NameTaken: Warning, "CreateJob";
    /// The constraints allow no second of a period's window.
    Unschedulable: Warning, "Schedule";
    /// The core refuses the spec.
    InvalidSpec: Warning, "Schedule";
    /// A label of a Job is ignored: the schedule has no such period, or its start is still to come.
    LabelsIgnored: Warning, "WatchJob";
    /// Another operator took the claim of this one.
    ClaimedByAnother: Warning, "Schedule";
    /// A claimed period has no Job, and it is not certain that it had none.
    ClaimLost: Warning, "CreateJob";
    /// The API server refuses the Job that the template makes.
    DryRunFailed: Warning, "DryRunJob";
    /// The Job template was tried and refused for now, for a reason that passes.
    DryRunDeferred: Warning, "DryRunJob";
    /// The value of `kron.io/run-now` is not a label's value.
    InvalidRunNow: Warning, "CreateJob";
    /// The value of `kron.io/run-now` was there before the KronJob had a status: it makes no Job.
    RunNowSpent: Warning, "CreateJob";
    /// A suspension has ended.
    Resumed: Normal, "Schedule";
    /// Schedule, time zone or seed strategy changed; new periods count from now on.
    ConfigurationChanged: Normal, "Schedule";
}
