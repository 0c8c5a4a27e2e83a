//! Work of a dispatcher that can take seconds: the search for the next start of a job, and the decision of the periods of a
//! long absence.

use alloc::vec::Vec;

use kron_core::plan::{Action, MISSED_LISTED};
use kron_core::{Job, Outcome};

use crate::handled::Handled;
use crate::record::NextStart;

/// A search for the starts of a job: the next one, or those among the periods of a long absence. See
/// [`Dispatcher::search`](crate::Dispatcher::search).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StartSearch {
    pub(super) revision: i64,
    pub(super) handled: Handled,
    pub(super) kind: SearchKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum SearchKind {
    /// The next start after that Unix second.
    Next { after: i64 },
    /// The periods that are open at that Unix second.
    Open { now: i64 },
}

/// The result of a [`StartSearch`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SearchResult(pub(super) Found);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Found {
    Next(FoundStart),
    Open(OpenPeriods),
}

/// What a search for the next start has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct FoundStart {
    pub(super) revision: i64,
    pub(super) after: i64,
    /// `None` if there is no start in the next years.
    pub(super) start: Option<NextStart>,
}

/// The open periods of a job, as they were decided at one time.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct OpenPeriods {
    pub(super) revision: i64,
    /// What was handled then: where something else is, the periods are decided again.
    pub(super) handled: Handled,
    /// The Unix second for which they were decided.
    pub(super) now: i64,
    /// In order of chosen time.
    pub(super) periods: Vec<OpenPeriod>,
    /// Periods that are over and are not listed.
    pub(super) older_missed: u64,
    /// All periods with nominal times up to this Unix second are handled with these, but for those that are to be started.
    pub(super) decided_through: i64,
    /// When to decide again, in Unix seconds.
    pub(super) wake_up: Option<i64>,
}

/// A period that is to be started now, or is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct OpenPeriod {
    /// With the end of its window in the place of its chosen time, if it is unschedulable.
    pub(super) period: NextStart,
    /// `None`: it is to be started, as far as the policy allows it when its turn comes.
    pub(super) outcome: Option<Outcome>,
}

impl StartSearch {
    /// Searches. `job` is that of the view.
    ///
    /// This is the only work of a dispatcher that can take seconds, where constraints allow few starts or none: as much as
    /// [`Job::next_start`](kron_core::Job::next_start) or, after an absence, one [`Job::plan`](kron_core::Job::plan). It needs only
    /// the job, so a host with many jobs can search in a thread on which no other job waits.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_host::{Dispatcher, HostView, Record};
    /// let job = Job::parse("web/ping", "*/5 * * * *")?;
    /// let view = HostView {
    ///     job: &job, revision: 1, configuration: "*/5 * * * *", created: 0, record: &Record::default(), executions: &[],
    ///     retention: None, requested_retention: None, claim_ahead: 5, run_now: None, now: 10_000,
    /// };
    /// let search = Dispatcher::new("host-1").search(&view).unwrap();
    /// assert_eq!(search.clone().run(&job), search.run(&job));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn run(self, job: &Job) -> SearchResult {
        let StartSearch { revision, handled, kind } = self;
        SearchResult(match kind {
            SearchKind::Next { after } => {
                Found::Next(FoundStart { revision, after, start: next_start(job, after, &handled) })
            }
            SearchKind::Open { now } => Found::Open(OpenPeriods::decide(job, revision, handled, now)),
        })
    }
}

fn next_start(job: &Job, after: i64, handled: &Handled) -> Option<NextStart> {
    // An error ends the search: there is no start in the next years.
    let decisions = job.starts(after.saturating_add(1)..).map_while(Result::ok);
    let mut starts = decisions.filter_map(|decision| NextStart::of(&decision));
    starts.find(|start| !handled.contains(start.nominal))
}

/// The last Unix second at which the windows of periods have ended that are named by it.
pub(super) fn ended_through(job: &Job, now: i64) -> i64 {
    now.saturating_sub(job.spec().reach().last).saturating_sub(1)
}

impl OpenPeriods {
    /// Decides the periods that are not handled and whose windows have begun.
    pub(super) fn decide(job: &Job, revision: i64, handled: Handled, now: i64) -> OpenPeriods {
        let plan = job.plan(&handled.host_state(), now);
        let ended = ended_through(job, now);
        // Up to the first one that has to be decided again, all are decided. (Those that the plan does not list are older
        // than the ones that it does.)
        let waits = |action| matches!(action, Action::Nothing | Action::Wait { .. });
        let waiting = plan.steps.iter().filter(|step| waits(step.action));
        let waiting = waiting.map(|step| step.period.nominal_timestamp()).min();
        let last = plan.steps.iter().map(|step| step.period.nominal_timestamp()).max();
        let decided_through = waiting.map_or(last.map_or(ended, |last| last.max(ended)), |first| first - 1);

        let unschedulable =
            plan.steps.iter().filter(|step| step.action == Action::Record(Outcome::Unschedulable)).count();
        let mut older_unschedulable = unschedulable.saturating_sub(MISSED_LISTED);
        let older_missed = plan.older_missed + older_unschedulable as u64;
        let mut periods = Vec::new();
        for step in &plan.steps {
            let outcome = match step.action {
                Action::Nothing | Action::Wait { .. } => continue,
                // What is active is read when its turn comes.
                Action::Execute | Action::Replace | Action::Record(Outcome::Skipped) => None,
                Action::Record(Outcome::Unschedulable) if older_unschedulable > 0 => {
                    older_unschedulable -= 1;
                    continue;
                }
                Action::Record(outcome) => Some(outcome),
            };
            let (nominal, chosen) = (step.period.nominal_timestamp(), step.period.order_timestamp());
            periods.push(OpenPeriod { period: NextStart { nominal, chosen }, outcome });
        }
        OpenPeriods { revision, handled, now, periods, older_missed, decided_through, wake_up: plan.wake_up }
    }
}
