//! Policy: how a host treats the periods of a job. `action.rs` applies it to a period.

use alloc::string::{String, ToString};

use crate::error::Error;
use crate::time::duration::Duration;
use crate::word_enum;

word_enum! {
    in "kron_core";
    /// What happens when a period's time comes while an earlier execution is still active.
    Concurrency, "policy.concurrency" {
        /// The period is `skipped`, the default.
        #[default]
        Forbid = "forbid",
        /// Both run.
        Allow = "allow",
        /// The active one is stopped first.
        Replace = "replace",
    }
}

word_enum! {
    in "kron_core";
    /// The final result of a period. A period gets exactly one outcome, which never changes.
    Outcome, "outcome" {
        /// It was started.
        #[default]
        Executed = "executed",
        /// An earlier execution was active and the policy forbids two.
        Skipped = "skipped",
        /// Its time and its deadline had passed, or a later period was started instead.
        Missed = "missed",
        /// No second of its window was allowed, and the window has passed.
        Unschedulable = "unschedulable",
    }
}

#[cfg(feature = "serde")]
crate::serde_support::serde_by_text!(Concurrency);
#[cfg(feature = "serde")]
crate::serde_support::serde_by_text!(Outcome);

word_enum! {
    in "kron_core::plan";
    /// A key of a policy, in the order of the canonical form.
    ///
    /// ```
    /// use kron_core::plan::PolicyKey;
    /// assert_eq!(PolicyKey::WORDS, ["concurrency", "deadline", "suspend"]);
    /// ```
    pub PolicyKey {
        /// What happens when an earlier execution is active.
        Concurrency = "concurrency",
        /// How long after its chosen time a period may still start.
        Deadline = "deadline",
        /// Whether periods are neither started nor recorded.
        Suspend = "suspend",
    }
}

/// How a host treats a job's periods.
///
/// The default deadline is 0s: a period starts in its chosen second, and one that is a second late is missed. A host that may be
/// late, or down for a while, needs a deadline.
///
/// ```
/// use kron_core::{Concurrency, Policy};
/// use std::time::Duration;
/// let policy = Policy::default().with_deadline(Duration::from_secs(600))?;
/// assert_eq!((policy.concurrency(), policy.suspend()), (Concurrency::Forbid, false));
/// assert_eq!(policy.to_string(), "deadline=10m0s");
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Policy {
    deadline: Duration,
    concurrency: Concurrency,
    suspend: bool,
}

impl Policy {
    /// The default as a constant.
    pub(crate) const DEFAULT: Policy =
        Policy { deadline: Duration::ZERO, concurrency: Concurrency::Forbid, suspend: false };

    /// The same policy with another concurrency rule.
    ///
    /// ```
    /// use kron_core::{Concurrency, Policy};
    /// use kron_core::plan::Action;
    /// let policy = Policy::default().with_concurrency(Concurrency::Allow);
    /// assert_eq!(policy.admit(true), Action::Execute); // a second one, while one is active
    /// ```
    #[must_use]
    pub const fn with_concurrency(mut self, concurrency: Concurrency) -> Policy {
        self.concurrency = concurrency;
        self
    }

    /// The same policy with another deadline: how long after its chosen time a period may still start. With the default,
    /// 0s, it starts at the chosen second or never. The deadline is a duration of ours, of the standard library, of chrono, a text
    /// such as `10m`, or with the feature `jiff_1` one of jiff.
    ///
    /// # Errors
    ///
    /// [`Duration`](crate::ErrorCode::Duration) if it is not a duration from 0 on.
    ///
    /// ```
    /// use kron_core::{Job, Policy};
    /// use kron_core::plan::Action;
    /// use std::time::Duration;
    /// let job = Job::parse("prod/db-backup", "@daily @win(after,3h)")?;
    /// let start = job.next_start(0)?;
    /// let late = start.chosen_timestamp().unwrap() + 600;
    /// let policy = Policy::default().with_deadline(Duration::from_secs(600))?;
    /// assert_eq!(policy.evaluate(&start, late, false, false), Action::Execute);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[doc(alias = "starting_deadline_seconds")]
    #[doc(alias = "misfire_grace_time")]
    pub fn with_deadline<T>(mut self, deadline: T) -> Result<Policy, Error>
    where
        T: TryInto<Duration>,
        Error: From<T::Error>,
    {
        self.deadline = deadline.try_into()?;
        Ok(self)
    }

    /// The same policy, suspended or not.
    ///
    /// ```
    /// use kron_core::{Job, Policy};
    /// use kron_core::plan::Action;
    /// let job = Job::parse("prod/db-backup", "@daily @win(after,3h)")?;
    /// let start = job.next_start(0)?;
    /// let policy = Policy::default().with_suspend(true);
    /// assert_eq!(policy.evaluate(&start, start.chosen_time().unwrap(), false, false), Action::Nothing);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub const fn with_suspend(mut self, suspend: bool) -> Policy {
        self.suspend = suspend;
        self
    }

    /// What happens when an earlier execution is active.
    pub const fn concurrency(&self) -> Concurrency {
        self.concurrency
    }

    /// How long after its chosen time a period may still start.
    pub const fn deadline(&self) -> Duration {
        self.deadline
    }

    /// Whether periods are neither started nor recorded.
    pub const fn suspend(&self) -> bool {
        self.suspend
    }
}

impl Policy {
    /// The keys that differ from their defaults and their values, in the order of the canonical form.
    ///
    /// ```
    /// use kron_core::Policy;
    /// use kron_core::plan::PolicyKey;
    /// let policy = Policy::default().with_suspend(true);
    /// assert!(policy.canonical().eq([(PolicyKey::Suspend, "true".to_string())]));
    /// ```
    pub fn canonical(&self) -> impl Iterator<Item = (PolicyKey, String)> {
        PolicyKey::ALL.iter().filter_map(|key| Some((*key, self.value(*key)?)))
    }

    /// The value of a key as text, unless it is the default.
    fn value(&self, key: PolicyKey) -> Option<String> {
        let (differs, value) = match key {
            PolicyKey::Concurrency => {
                (self.concurrency != Concurrency::default(), self.concurrency.to_string())
            }
            PolicyKey::Deadline => (!self.deadline.is_zero(), self.deadline.to_string()),
            PolicyKey::Suspend => (self.suspend, self.suspend.to_string()),
        };
        differs.then_some(value)
    }
}

/// The keys that differ from their defaults, as in `@policy(...)`.
impl core::fmt::Display for Policy {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.canonical()
            .enumerate()
            .try_for_each(|(i, (key, value))| write!(f, "{}{key}={value}", if i == 0 { "" } else { "," }))
    }
}
