//! Why a period was not executed, as one word.

use kron_core::word_enum;
use kron_host::Cause;

word_enum! {
    in "kron_formats::audit";
    /// Why a period was not executed.
    MissCause, "cause" {
        /// It was decided after its deadline.
        Deadline = "deadline",
        /// A later period was started instead.
        CatchUp = "catchUp",
        /// An earlier execution was active, and the policy forbids two.
        Forbid = "forbid",
        /// The job is suspended.
        Suspended = "suspended",
        /// Its window has no allowed second.
        Unschedulable = "unschedulable",
        /// Its start is not after the beginning of the configuration.
        NotInForce = "notInForce",
        /// A process had claimed it and may have started it; the execution cannot be found.
        ClaimLost = "claimLost",
        /// It waited too long in the queue of its host.
        Queue = "queue",
        /// The host could not start it: its requests failed, or were rejected.
        FailedCreate = "failedCreate",
        /// The name of its execution belongs to something else.
        NameTaken = "nameTaken",
        /// No Job was read, so that nothing shows whether the period was executed.
        NoJobs = "noJobs",
        /// Nothing that was read tells why.
        #[default]
        Unexplained = "unexplained",
    }
}

impl MissCause {
    /// Why the period of a cause was not executed; `None` if it was.
    ///
    /// ```
    /// use kron_formats::audit::MissCause;
    /// use kron_host::Cause;
    /// assert_eq!(MissCause::of(&Cause::NoTurn { waited: 300 }), Some(MissCause::Queue));
    /// assert_eq!(MissCause::of(&Cause::Started), None);
    /// ```
    pub const fn of(cause: &Cause) -> Option<MissCause> {
        Some(match cause {
            Cause::Started => return None,
            Cause::ActiveExecution { .. } => MissCause::Forbid,
            Cause::NoAllowedSecond { .. } => MissCause::Unschedulable,
            Cause::DeadlinePassed { claimed: false, .. } => MissCause::Deadline,
            Cause::CaughtUp { claimed: false } => MissCause::CatchUp,
            Cause::DeadlinePassed { claimed: true, .. }
            | Cause::CaughtUp { claimed: true }
            | Cause::MaybeRemoved { .. }
            | Cause::MaybeReplaced
            | Cause::MaybeRemovedBeforeEdit { .. }
            | Cause::Suspended
            | Cause::Edited
            | Cause::TakenBack
            | Cause::Removed => MissCause::ClaimLost,
            Cause::NoTurn { .. } => MissCause::Queue,
            Cause::Failed { .. } | Cause::Refused { .. } | Cause::Closed => MissCause::FailedCreate,
            Cause::NameTaken => MissCause::NameTaken,
        })
    }
}
