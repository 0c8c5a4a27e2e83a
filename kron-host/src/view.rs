//! What the state machine of a job looks at.

use kron_core::Job;
use kron_core::planted_bugs::is_planted;

use crate::limits::HOLDER_SECONDS;
use crate::record::{Claim, NextStart, Record};
use crate::request::{Execution, Trigger};

/// What a [`Dispatcher`](crate::Dispatcher) looks at: the job, what is stored of it, its executions and the time.
#[derive(Clone, Copy, Debug)]
pub struct HostView<'v> {
    /// The job.
    pub job: &'v Job,
    /// A number that changes with each edit of the job.
    pub revision: i64,
    /// A hash of what decides nominal times and draws: schedule, time zone, seed strategy. Where it changes, a new
    /// configuration begins.
    pub configuration: &'v str,
    /// When the job was created, in Unix seconds: the beginning of its first configuration.
    pub created: i64,
    /// The stored record, [without times in the future](Record::without_future). A host must not start anything on an
    /// old record: as long as a process does not see that another one has taken its claim, both may make the same
    /// start, and only the name of the execution prevents a second one.
    pub record: &'v Record,
    /// The executions of the job that the host sees, perhaps with a delay. Those of its own that were started for the
    /// period or token that they name, and others that are active.
    pub executions: &'v [Execution<'v>],
    /// For how many seconds after its end an execution that is started now can be found, as the host knows from its last
    /// answers; `None` if nothing removes it by time.
    pub retention: Option<i64>,
    /// The same, as the job asks for it.
    pub requested_retention: Option<i64>,
    /// How many seconds before a start the claim of another process is replaced, at least 5. A host with many jobs spreads
    /// these writes by different numbers.
    pub claim_ahead: i64,
    /// The token of the run-now request, if there is one.
    pub run_now: Option<&'v str>,
    /// Unix time in milliseconds.
    pub now: i64,
}

impl<'v> HostView<'v> {
    pub(super) fn second(&self) -> i64 {
        self.now.div_euclid(1000)
    }

    pub(super) fn suspended(&self) -> bool {
        self.job.spec().policy().suspend() && !is_planted("suspension-ignored")
    }

    /// The start of a period, if the schedule has it.
    pub(super) fn scheduled(&self, nominal: i64) -> Option<NextStart> {
        NextStart::of(&self.job.periods(nominal..nominal.saturating_add(1)).next()?)
    }

    /// The claim of a period, if the record has one.
    pub(super) fn claim_of(&self, nominal: i64) -> Option<&'v Claim> {
        self.record.claim.as_ref().filter(|claim| claim.nominal == nominal)
    }

    /// The period that the record claims, with its chosen time as it was when it was claimed.
    pub(super) fn claimed(&self) -> Option<NextStart> {
        let nominal = self.record.claim.as_ref()?.nominal;
        let stored = self.record.next.filter(|next| next.nominal == nominal);
        stored.or_else(|| NextStart::of(&self.job.decide(nominal).ok()?))
    }

    /// The Unix second until which the process that holds the claim of a start may be about to make it. It claims a late start
    /// after the chosen time.
    pub(super) fn holder_until(&self, nominal: i64, chosen: i64) -> i64 {
        let claimed = self.claim_of(nominal).map(|claim| claim.time);
        // The clock of that process may be wrong.
        let claimed = claimed.filter(|claimed| *claimed <= self.second());
        chosen.max(claimed.unwrap_or(chosen)).saturating_add(HOLDER_SECONDS)
    }

    /// The least retention that the execution of a start can have, as far as it is known now.
    pub(super) fn least_retention(&self, trigger: &Trigger) -> Option<i64> {
        let claim = trigger.period().and_then(|period| self.claim_of(period.nominal));
        let claimed = claim.and_then(|claim| claim.retention);
        claimed.into_iter().chain(self.retention).chain(self.requested_retention).min()
    }
}
