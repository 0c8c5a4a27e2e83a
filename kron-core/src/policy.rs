//! Policy: what a host does with a period when its time has come. Pure functions of decisions and `now`.

use core::cmp::Ordering;

use chrono::{DateTime, Utc};

use crate::decision::Decision;
use crate::duration::Duration;
use crate::instant::{Instant, to_utc};
use crate::words::words;

words! {
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

words! {
    /// What became of a period. A period gets exactly one outcome, for ever.
    Outcome, "outcome" {
        /// It was started.
        #[default]
        Executed = "executed",
        /// An earlier execution was active and the policy forbids two.
        Skipped = "skipped",
        /// Its time and its deadline had passed, or a later period caught up for it.
        Missed = "missed",
        /// No second of its window was allowed, and the window has passed.
        Unschedulable = "unschedulable",
    }
}

/// How a host treats a job's periods.
///
/// ```
/// use kron_core::{Concurrency, Duration, Policy};
/// let policy = Policy::default().with_deadline(Duration::parse("10m")?);
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

/// What to do with one period now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Action {
    /// Nothing: the period was handled before, or the job is suspended.
    Nothing,
    /// Look again at this Unix second: the chosen time, or the second after the window's end if it is unschedulable.
    Wait {
        /// Unix seconds.
        until: i64,
    },
    /// Start it; its outcome is then `executed`.
    Execute,
    /// Stop the active execution, then start this one; its outcome is then `executed`.
    Replace,
    /// Do not start it, and record this outcome.
    Record(Outcome),
}

/// How late a schedulable period is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lateness {
    /// Its time has not come.
    Early,
    /// Its time has come; so many seconds ago.
    Due(i64),
    /// Its deadline has passed.
    Past,
}

impl Policy {
    /// The default as a constant.
    pub(crate) const DEFAULT: Policy =
        Policy { deadline: Duration::ZERO, concurrency: Concurrency::Forbid, suspend: false };

    /// The same policy with another concurrency rule.
    #[must_use]
    pub const fn with_concurrency(mut self, concurrency: Concurrency) -> Policy {
        self.concurrency = concurrency;
        self
    }

    /// The same policy with another deadline: how long after its chosen time a period may still start. With the default,
    /// 0s, it starts at the chosen second or never.
    #[must_use]
    pub const fn with_deadline(mut self, deadline: Duration) -> Policy {
        self.deadline = deadline;
        self
    }

    /// The same policy, suspended or not.
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

    /// What to do with one period: the first rule that fits. `now` counts at whole seconds, rounded down; `handled` says
    /// whether the period has its outcome, `active` whether an execution of the job is.
    ///
    /// ```
    /// use kron_core::{Action, Duration, Job, Outcome};
    /// let job = Job::parse("prod/db-backup", "0 0 * * * @win(after,3h) @policy(deadline=10m)")?;
    /// let decision = job.decide(1_772_323_200)?;
    /// let chosen = decision.chosen_timestamp().unwrap();
    /// let policy = job.spec().policy();
    /// assert_eq!(policy.evaluate(&decision, chosen - 1, false, false), Action::Wait { until: chosen });
    /// assert_eq!(policy.evaluate(&decision, chosen + 600, false, false), Action::Execute);
    /// assert_eq!(policy.evaluate(&decision, chosen + 600, false, true), Action::Record(Outcome::Skipped));
    /// assert_eq!(policy.evaluate(&decision, chosen + 601, false, false), Action::Record(Outcome::Missed));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn evaluate(
        &self,
        decision: &Decision<'_>,
        now: impl Instant,
        handled: bool,
        active: bool,
    ) -> Action {
        let now = now.floor();
        if handled || self.suspend {
            return Action::Nothing;
        }
        let Some(chosen) = decision.chosen_timestamp() else {
            let end = decision.window_end_timestamp();
            return match now.cmp(&end) {
                Ordering::Greater => Action::Record(Outcome::Unschedulable),
                _ => Action::Wait { until: end.saturating_add(1) },
            };
        };
        match self.lateness(chosen, now) {
            Lateness::Early => Action::Wait { until: chosen },
            Lateness::Past => Action::Record(Outcome::Missed),
            Lateness::Due(_) => self.admit(active),
        }
    }

    /// What becomes of an execution that is due and in time, given whether an earlier one is active: the last rules of
    /// [`evaluate`](Policy::evaluate) alone, for a host that learns what is active only after it knows what is due, and for
    /// executions that belong to no period.
    ///
    /// ```
    /// use kron_core::{Action, Concurrency, Outcome, Policy};
    /// assert_eq!(Policy::default().admit(false), Action::Execute);
    /// assert_eq!(Policy::default().admit(true), Action::Record(Outcome::Skipped));
    /// assert_eq!(Policy::default().with_concurrency(Concurrency::Replace).admit(true), Action::Replace);
    /// ```
    pub const fn admit(&self, active: bool) -> Action {
        match self.concurrency {
            Concurrency::Forbid if active => Action::Record(Outcome::Skipped),
            Concurrency::Replace if active => Action::Replace,
            _ => Action::Execute,
        }
    }

    pub(crate) fn lateness(&self, chosen: i64, now: i64) -> Lateness {
        let late = now.saturating_sub(chosen);
        if late < 0 {
            Lateness::Early
        } else if i128::from(late) * 1_000_000_000 > i128::from(self.deadline.as_nanos()) {
            Lateness::Past
        } else {
            Lateness::Due(late)
        }
    }
}

/// The keys that differ from their defaults, as in `@policy(...)`.
impl core::fmt::Display for Policy {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let mut comma = "";
        if self.concurrency != Concurrency::default() {
            write!(f, "concurrency={}", self.concurrency)?;
            comma = ",";
        }
        if !self.deadline.is_zero() {
            write!(f, "{comma}deadline={}", self.deadline)?;
            comma = ",";
        }
        if self.suspend {
            write!(f, "{comma}suspend=true")?;
        }
        Ok(())
    }
}

impl Action {
    /// The outcome this action gives the period, if it gives one.
    pub const fn outcome(&self) -> Option<Outcome> {
        match self {
            Action::Nothing | Action::Wait { .. } => None,
            Action::Execute | Action::Replace => Some(Outcome::Executed),
            Action::Record(outcome) => Some(*outcome),
        }
    }

    /// When to look again, for a period that waits.
    pub fn wait_until(&self) -> Option<DateTime<Utc>> {
        match self {
            Action::Wait { until } => Some(to_utc(*until)),
            _ => None,
        }
    }
}
