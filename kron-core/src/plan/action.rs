//! What a host does with one period now: the rules of a policy, as a pure function of its times and `now`.

use core::fmt;

use chrono::{DateTime, Utc};

use crate::decision::period::Period;
use crate::plan::policy::{Concurrency, Outcome, Policy};
use crate::planted_bugs::is_planted;
use crate::time::instant::{Instant, to_utc};
use crate::time::rfc3339::Rfc3339;

/// What to do with one period now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// Its time came this many seconds ago.
    Due(i64),
    /// Its deadline has passed.
    Past,
}

impl Policy {
    /// What to do with one period, given as a [`Period`] or a [`Decision`](crate::Decision): the first rule that
    /// applies decides. `now` counts at whole seconds, rounded down; `handled` says whether the period has its outcome,
    /// `active` whether an execution of the job is active.
    ///
    /// ```
    /// use kron_core::{Duration, Job, Outcome};
    /// use kron_core::plan::Action;
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
        period: impl AsRef<Period>,
        now: impl Instant,
        handled: bool,
        active: bool,
    ) -> Action {
        let now = now.floor();
        if handled || self.suspend() {
            return Action::Nothing;
        }
        let period = period.as_ref();
        let Some(chosen) = period.chosen_timestamp() else {
            let end = period.window_end_timestamp();
            return if now > end {
                Action::Record(Outcome::Unschedulable)
            } else {
                Action::Wait { until: end.saturating_add(1) }
            };
        };
        match self.lateness(chosen, now) {
            Lateness::Early => Action::Wait { until: chosen },
            Lateness::Past => Action::Record(Outcome::Missed),
            Lateness::Due(_) => self.admit(active),
        }
    }

    /// The action for an execution that is due and in time, given whether an earlier one is active: the last rules of
    /// [`evaluate`](Policy::evaluate) alone, for a host that learns what is active only after it knows what is due, and for
    /// executions that belong to no period.
    ///
    /// ```
    /// use kron_core::{Concurrency, Outcome, Policy};
    /// use kron_core::plan::Action;
    /// assert_eq!(Policy::default().admit(false), Action::Execute);
    /// assert_eq!(Policy::default().admit(true), Action::Record(Outcome::Skipped));
    /// assert_eq!(Policy::default().with_concurrency(Concurrency::Replace).admit(true), Action::Replace);
    /// ```
    pub const fn admit(&self, active: bool) -> Action {
        match self.concurrency() {
            Concurrency::Forbid if active => Action::Record(Outcome::Skipped),
            Concurrency::Replace if active => Action::Replace,
            Concurrency::Forbid | Concurrency::Replace | Concurrency::Allow => Action::Execute,
        }
    }

    pub(crate) fn lateness(&self, chosen: i64, now: i64) -> Lateness {
        let mut late = now.saturating_sub(chosen);
        if late > 0 && is_planted("deadline-off-by-one") {
            late -= 1;
        }
        if is_planted("start-early") && (-200..0).contains(&late) {
            late = 0;
        }
        if late < 0 {
            Lateness::Early
        } else if i128::from(late) * 1_000_000_000 > i128::from(self.deadline().as_nanos()) {
            Lateness::Past
        } else {
            Lateness::Due(late)
        }
    }
}

impl Action {
    /// Whether to start an execution: `Execute`, or `Replace`, which stops the active one first.
    ///
    /// ```
    /// use kron_core::plan::Action;
    /// assert!(Action::Replace.starts() && !Action::Wait { until: 0 }.starts());
    /// ```
    pub const fn starts(&self) -> bool {
        matches!(self, Action::Execute | Action::Replace)
    }

    /// The outcome this action gives the period, if it gives one.
    ///
    /// ```
    /// use kron_core::Outcome;
    /// use kron_core::plan::Action;
    /// assert_eq!(Action::Replace.outcome(), Some(Outcome::Executed));
    /// assert_eq!(Action::Record(Outcome::Missed).outcome(), Some(Outcome::Missed));
    /// assert_eq!(Action::Wait { until: 0 }.outcome(), None);
    /// ```
    pub const fn outcome(&self) -> Option<Outcome> {
        match self {
            Action::Nothing | Action::Wait { .. } => None,
            Action::Execute | Action::Replace => Some(Outcome::Executed),
            Action::Record(outcome) => Some(*outcome),
        }
    }

    /// When to evaluate again a period that waits.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_core::plan::Action;
    /// let job = Job::parse("prod/db-backup", "0 2 * * * @win(after,3h)")?;
    /// let start = job.next_start(1_772_323_200)?;
    /// let action = job.spec().policy().evaluate(&start, start.nominal_time(), false, false);
    /// assert_eq!(action.wait_until(), start.chosen_time());
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn wait_until(&self) -> Option<DateTime<Utc>> {
        match self {
            Action::Wait { until } => Some(to_utc(*until)),
            Action::Nothing | Action::Execute | Action::Replace | Action::Record(_) => None,
        }
    }
}

/// `execute`, `record missed`, `wait until 2026-03-01T00:19:37Z`.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Nothing => f.write_str("nothing"),
            Action::Wait { until } => write!(f, "wait until {}", Rfc3339(*until)),
            Action::Execute => f.write_str("execute"),
            Action::Replace => f.write_str("replace"),
            Action::Record(outcome) => write!(f, "record {outcome}"),
        }
    }
}
