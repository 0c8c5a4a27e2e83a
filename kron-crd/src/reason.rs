//! The reasons of Events.

/// The type of Events about something usual.
pub const NORMAL: &str = "Normal";
/// The type of Events about something that may need a look.
pub const WARNING: &str = "Warning";

/// Declares the reasons: the word of each, the type of its Events, and what the operator was about.
macro_rules! reasons {
    ($($(#[$doc:meta])+ $name:ident: $event_type:ident, $action:literal;)+) => {
        /// The reason of an Event, one word in the spelling of Kubernetes. Where CronJob has a reason for the same thing, it is
        /// used here, too.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Reason {
            $($(#[$doc])+ $name,)+
        }

        impl Reason {
            /// The word in the Event.
            ///
            /// ```
            /// use kron_crd::reason::Reason;
            /// assert_eq!(Reason::MissSchedule.as_str(), "MissSchedule");
            /// ```
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Reason::$name => stringify!($name),)+
                }
            }

            /// The type of its Events; CronJob's where the reason is.
            ///
            /// ```
            /// use kron_crd::reason::{Reason, WARNING};
            /// assert_eq!(Reason::MissSchedule.event_type(), WARNING);
            /// ```
            pub const fn event_type(self) -> &'static str {
                match self {
                    $(Reason::$name => $event_type,)+
                }
            }

            /// What the operator was about, which `events.k8s.io/v1` wants to know apart from the reason.
            ///
            /// ```
            /// use kron_crd::reason::Reason;
            /// assert_eq!(Reason::MissSchedule.action(), "Schedule");
            /// ```
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
    SuccessfulCreate: NORMAL, "CreateJob";
    /// A Job has finished.
    SawCompletedJob: NORMAL, "WatchJob";
    /// A Job that was active is not there any more.
    MissingJob: NORMAL, "WatchJob";
    /// A period is skipped as an earlier Job is active.
    JobAlreadyActive: NORMAL, "Schedule";
    /// A Job was deleted.
    SuccessfulDelete: NORMAL, "DeleteJob";
    /// A Job could not be created.
    FailedCreate: WARNING, "CreateJob";
    /// The status could not be read.
    FailedGet: WARNING, "WatchJob";
    /// A Job could not be deleted.
    FailedDelete: WARNING, "DeleteJob";
    /// The time zone is not known.
    UnknownTimeZone: WARNING, "Schedule";
    /// The schedule cannot be read.
    UnparseableSchedule: WARNING, "Schedule";
    /// A period's deadline passed.
    MissSchedule: WARNING, "Schedule";
    /// More periods were missed than are handled one by one.
    TooManyMissedTimes: WARNING, "Schedule";
    /// The name of a Job is taken by one that is not ours.
    NameTaken: WARNING, "CreateJob";
    /// The constraints allow no second of a period's window.
    Unschedulable: WARNING, "Schedule";
    /// The core refuses the spec.
    InvalidSpec: WARNING, "Schedule";
    /// A label of a Job is ignored: the schedule has no such period, or its start is still to come.
    LabelsIgnored: WARNING, "WatchJob";
    /// Another operator took the claim of this one.
    ClaimedByAnother: WARNING, "Schedule";
    /// A claimed period has no Job, and it is not certain that it had none.
    ClaimLost: WARNING, "CreateJob";
    /// The API server refuses the Job that the template makes.
    DryRunFailed: WARNING, "DryRunJob";
    /// The Job template was tried and refused for now, for a reason that passes.
    DryRunDeferred: WARNING, "DryRunJob";
    /// The value of `kron.io/run-now` is not a label's value.
    InvalidRunNow: WARNING, "CreateJob";
    /// The value of `kron.io/run-now` was there before the KronJob had a status: it makes no Job.
    RunNowSpent: WARNING, "CreateJob";
    /// A suspension has ended.
    Resumed: NORMAL, "Schedule";
    /// Schedule, time zone or seed strategy changed; new periods count from now on.
    ConfigurationChanged: NORMAL, "Schedule";
}
