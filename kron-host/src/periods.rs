//! From time to starts that are due: the periods whose time has come, as [`Job::plan`](kron_core::Job::plan) decides them.

use alloc::boxed::Box;
use alloc::vec::Vec;

use kron_core::Outcome;
use kron_core::planted_bugs::is_planted;

use crate::dispatcher::{Counted, DecidedOutcome, Dispatcher};
use crate::handled::Handled;
use crate::limits::{ENDED_AT_ONCE, SEARCH_AGAIN};
use crate::record::{Configuration, NextStart};
use crate::report::{Cause, HostReport};
use crate::request::{Execution, Trigger};
use crate::search::{
    Found, FoundStart, OpenPeriod, OpenPeriods, SearchKind, SearchResult, StartSearch, ended_through,
};
use crate::start::{Start, StartClaim};
use crate::view::HostView;

/// Why an execution does not count for the period that it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ignored {
    /// The start of the period is still to come.
    Coming {
        /// Its chosen time in Unix seconds.
        chosen: i64,
    },
    /// The schedule has no such period.
    Unknown,
}

impl Dispatcher {
    /// Enters the job, the record, the executions and the time: decides the periods whose time has come, and gives
    /// outcomes to starts that cannot be made any more. Whether a start is in time is decided here, and does not
    /// change, however long the requests for it take.
    ///
    /// Returns the Unix second at which to call it again if nothing happens before. The work is bounded, however long the job
    /// was left alone: periods of a long absence are left to a [`search`](Dispatcher::search). Once its result is
    /// [entered](Dispatcher::searched), call it again.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_host::{Dispatcher, HostView, Record};
    /// let job = Job::parse("web/ping", "*/5 * * * *")?;
    /// let view = HostView {
    ///     job: &job, revision: 1, configuration: "*/5 * * * *", created: 0, record: &Record::default(), executions: &[],
    ///     retention: None, requested_retention: None, claim_ahead: 5, run_now: None, now: 300_000,
    /// };
    /// let mut dispatcher = Dispatcher::new("host-1");
    /// assert_eq!(dispatcher.advance(&view), Some(600));
    /// assert!(dispatcher.has_due_starts());
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn advance(&mut self, view: &HostView<'_>) -> Option<i64> {
        self.configure(view);
        self.doubt_missed(view);
        self.decide_at = None;
        if view.suspended() {
            self.open = None;
            self.forget_unsent();
            // A claim that may have been used before the suspension gets an outcome, because no other claim replaces it.
            if let Some(period) = self.spent_claim(view) {
                self.miss_unless_found(view, period, Cause::Suspended);
            }
        } else {
            if self.revision != view.revision {
                self.revision = view.revision;
                self.keep_unchanged(view);
            }
            self.find_executions(view);
            self.give_up_before_edit(view);
            self.decide(view);
        }
        self.notice_another_token(view);
        self.confirm(view);
        self.notice_another_holder(view);
        self.settle(view);
        self.finish_starts(view);
        self.advance_run_now(view);
        // A host has many jobs that wait for hours: their empty lists take no memory.
        self.due.shrink_to_fit();
        self.outcomes.shrink_to_fit();
        self.decide_at
    }

    /// Records a change of the configuration: the job differs from the record, or a suspension has ended.
    fn configure(&mut self, view: &HostView<'_>) {
        let (now, hash) = (view.second(), view.configuration);
        let is_over = view.record.suspended && !view.suspended();
        let resumes = is_over && !self.resumed && !is_planted("resume-forgotten");
        self.resumed = is_over && (self.resumed || resumes);
        let stored = view.record.configuration.as_ref();
        self.change.take_if(|change| {
            stored.is_some_and(|stored| stored.hash == change.hash && stored.since >= change.since)
        });
        // An edit that this process sees before the first write is one, too.
        let first = self.first_configuration.take().filter(|_| stored.is_none());
        let known = self.change.as_deref().or(stored).map(|known| known.hash.as_str()).or(first.as_deref());
        let is_known = known.is_none_or(|known| known == hash);
        self.first_configuration = first.or_else(|| Some(hash.into())).filter(|_| stored.is_none());
        if is_known && !resumes {
            return;
        }
        self.drop_starts(view, |_| true, resumes);
        self.open = None;
        self.stop_counting(view, now);
        self.reports.push(match resumes {
            true => HostReport::Resumed { since: now },
            false => HostReport::ConfigurationChanged { since: now },
        });
        self.change = Some(Box::new(Configuration { since: now, hash: hash.into(), handled_through: None }));
    }

    /// After an edit, keeps the starts that the job would still decide in the same way, and those that are final.
    fn keep_unchanged(&mut self, view: &HostView<'_>) {
        self.stop_counting(view, i64::MAX);
        let changed = |before: NextStart| view.scheduled(before.nominal) != Some(before);
        self.drop_starts(view, |start| !is_planted("edit-ignored") && changed(start), false);
    }

    /// Drops starts that an edit or the end of a suspension takes away, but for those that are final. One that another process may
    /// have made is missed unless it is found, if the record names only this process any more.
    fn drop_starts(&mut self, view: &HostView<'_>, drops: impl Fn(NextStart) -> bool, resumes: bool) {
        self.check = None;
        self.due.retain_mut(|start| {
            if start.is_final() || !start.period().is_some_and(&drops) {
                return true;
            }
            let cause = if resumes { Cause::Suspended } else { before_edit(view, &start.trigger) };
            start.ended = Some(cause).filter(|_| start.is_taken(&self.claims));
            start.ended.is_some()
        });
    }

    /// Decides again what was counted after a start without an outcome, and everything after a Unix second.
    pub(super) fn stop_counting(&mut self, view: &HostView<'_>, latest: i64) {
        let handled = self.handled(view);
        if let Some(counted) = &mut self.counted {
            counted.through = counted.handled_through(&handled).min(latest);
            counted.open.clear();
        }
    }

    /// The period that an execution names, if it is not handled and not still to come, as the claim or else the schedule has it;
    /// otherwise why the execution does not count, unless the period is handled or an earlier configuration had it. The chosen time is
    /// never taken from an execution.
    fn named(
        &self,
        view: &HostView<'_>,
        handled: &Handled,
        execution: &Execution<'_>,
    ) -> Result<NextStart, Option<Ignored>> {
        let nominal = execution.nominal.filter(|nominal| !handled.contains(*nominal)).ok_or(None)?;
        if let Some(period) = self.due(nominal).and_then(Start::period) {
            return Ok(period);
        }
        let claimed = view.claimed().filter(|claimed| claimed.nominal == nominal);
        let period = claimed.or_else(|| view.scheduled(nominal)).ok_or(Some(Ignored::Unknown))?;
        if claimed.is_none() && period.chosen <= handled.since() {
            Err(None)
        } else if period.chosen <= view.second() || is_planted("future-label-trusted") {
            Ok(period)
        } else {
            Err(Some(Ignored::Coming { chosen: period.chosen }))
        }
    }

    /// An execution that names an unhandled period that is due is the execution of that period, and of nothing else.
    fn find_executions(&mut self, view: &HostView<'_>) {
        let mut handled = self.handled(view);
        for execution in view.executions {
            let Ok(period) = self.named(view, &handled, execution) else { continue };
            handled.insert(period.nominal);
            self.reports.push(HostReport::ExecutionFound);
            let new = || Start::new(period.into(), view.second());
            let start = self.due(period.nominal).cloned().unwrap_or_else(new);
            let found = start.handled(Outcome::Executed, Some(execution.name.into()), Cause::Started);
            self.decide_outcome(&start, found);
        }
    }

    /// The executions that do not count for the periods that they name, and why.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_host::{Dispatcher, Execution, ExecutionState, HostView, Ignored, Record};
    /// let job = Job::parse("web/ping", "*/5 * * * *")?;
    /// let state = ExecutionState::Active;
    /// let view = HostView {
    ///     job: &job, revision: 1, configuration: "*/5 * * * *", created: 0, record: &Record::default(),
    ///     executions: &[Execution { id: "1", name: "a", nominal: Some(7), run_now: None, state }],
    ///     retention: None, requested_retention: None, claim_ahead: 5, run_now: None, now: 300_000,
    /// };
    /// assert_eq!(Dispatcher::new("host-1").ignored(&view), [(view.executions[0], Ignored::Unknown)]);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn ignored<'v>(&self, view: &HostView<'v>) -> Vec<(Execution<'v>, Ignored)> {
        let handled = self.handled(view);
        let why =
            |execution: &Execution<'v>| Some((*execution, self.named(view, &handled, execution).err()??));
        view.executions.iter().filter_map(why).collect()
    }

    /// Another process may have used its claim if the second of the claim has passed, even if an edit has moved the
    /// start since. The claim is not forgotten: its execution may be removed, and starting it again would be a second start.
    fn give_up_before_edit(&mut self, view: &HostView<'_>) {
        let spent = self.spent_claim(view).filter(|_| !is_planted("edited-claim-forgotten"));
        let Some(period) = spent else { return };
        let decided = view.job.decide(period.nominal).ok().and_then(|decision| NextStart::of(&decision));
        if decided != Some(period) || period.chosen <= self.handled(view).since() {
            self.miss_unless_found(view, period, before_edit(view, &period.into()));
        }
    }

    /// The claim of another process whose second has passed and whose period is not handled, with that second.
    fn spent_claim(&self, view: &HostView<'_>) -> Option<NextStart> {
        let start = view.claimed().filter(|start| start.chosen <= view.second())?;
        let spent = self.is_claimed_by_another(view, start.nominal) && self.due(start.nominal).is_none();
        let ruled_out = self.ruled_out.as_deref() == Some(&start);
        (spent && !ruled_out && !self.handled(view).contains(start.nominal)).then_some(start)
    }

    /// Looks up a period that was decided as missed if the record now shows that another process has claimed it: the
    /// view was old, and the execution may exist.
    fn doubt_missed(&mut self, view: &HostView<'_>) {
        let is_doubtful = |decided: &DecidedOutcome| {
            let (nominal, settled) = (decided.period.nominal, decided.sent || decided.looked_up);
            decided.handled.outcome == Outcome::Missed
                && !settled
                && self.is_claimed_by_another(view, nominal)
                && !self.stored_handled(view).contains(nominal)
        };
        let Some(place) = self.outcomes.iter().position(is_doubtful) else { return };
        let DecidedOutcome { period, mut handled, .. } = self.outcomes.remove(place);
        if let Cause::DeadlinePassed { claimed, .. } | Cause::CaughtUp { claimed } = &mut handled.cause {
            *claimed = true;
        }
        self.miss_unless_found(view, period, handled.cause);
    }

    /// It is missed, unless the store has its execution.
    fn miss_unless_found(&mut self, view: &HostView<'_>, period: NextStart, cause: Cause) {
        let start = Start::new(period.into(), view.second());
        self.due.insert(0, Start { claim: StartClaim::Another, ended: Some(cause), ..start });
    }

    /// Decides the open periods.
    fn decide(&mut self, view: &HostView<'_>) {
        let now = view.second();
        let decided = self.decided(view);
        if let Some(open) =
            self.open.take().filter(|open| open.revision == view.revision && open.handled == decided)
        {
            self.enter_open(view, *open, true);
        }
        let decided = self.decided(view);
        if is_absence(view, &decided) {
            // A search decides them.
            return;
        }
        let open = OpenPeriods::decide(view.job, view.revision, decided, now);
        // When a window ends, another period is the next one that may be unschedulable.
        let constrained = !view.job.spec().constraints().is_empty();
        let unended = view.job.next_period(ended_through(view.job, now)).ok().filter(|_| constrained);
        let ends = unended.map(|period| period.window_end_timestamp().saturating_add(1));
        self.decide_at = open.wake_up.into_iter().chain(ends).min();
        self.enter_open(view, open, false);
    }

    /// Enters open periods that were decided. After a long absence, past periods are counted and not looked at again.
    fn enter_open(&mut self, view: &HostView<'_>, open: OpenPeriods, absence: bool) {
        let OpenPeriods { handled, now, periods, older_missed, decided_through: through, .. } = open;
        for open in periods.iter().filter(|open| !handled.contains(open.period.nominal)) {
            self.decide_period(view, *open, now);
        }
        self.older_missed += older_missed;
        if older_missed > 0 || absence {
            let before = self.counted.take().unwrap_or(Counted { through, open: Vec::new() });
            let to_start = periods.iter().filter(|open| open.outcome.is_none());
            let open = to_start.map(|open| open.period.nominal).chain(before.open);
            // Any other one was decided again just now.
            let open = open.filter(|open| self.due(*open).is_some()).collect();
            self.counted = Some(Counted { through: through.max(before.through), open });
        }
    }

    fn decide_period(&mut self, view: &HostView<'_>, OpenPeriod { period, outcome }: OpenPeriod, now: i64) {
        let recovered = self.is_claimed_by_another(view, period.nominal);
        let start = Start::new(period.into(), now);
        let Some(outcome) = outcome else {
            let claim = if recovered { StartClaim::Another } else { StartClaim::Nobody };
            self.due.push(Start { claim, ..start });
            return;
        };
        let deadline = view.job.spec().policy().deadline();
        let late = now.saturating_sub(period.chosen);
        let cause = if outcome == Outcome::Unschedulable {
            Cause::NoAllowedSecond { window_end: period.chosen }
        } else if i128::from(late) * 1_000_000_000 <= i128::from(deadline.as_nanos()) {
            Cause::CaughtUp { claimed: recovered }
        } else {
            Cause::DeadlinePassed { late, deadline, claimed: recovered }
        };
        if recovered && outcome == Outcome::Missed {
            // Its execution may exist although the host does not see it yet, so it is looked up.
            self.miss_unless_found(view, period, cause);
        } else {
            self.decide_outcome(&start, start.handled(outcome, None, cause));
        }
    }

    /// The search that is needed before the [`record`](Dispatcher::record) can be written: for the starts among the periods of a
    /// long absence, or for the next start, unless the last one still answers that. Enter its result by
    /// [`searched`](Dispatcher::searched), call [`advance`](Dispatcher::advance), and ask again.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_host::{Dispatcher, HostView, Record};
    /// let job = Job::parse("web/ping", "*/5 * * * *")?;
    /// let view = HostView {
    ///     job: &job, revision: 1, configuration: "*/5 * * * *", created: 0, record: &Record::default(), executions: &[],
    ///     retention: None, requested_retention: None, claim_ahead: 5, run_now: None, now: 10_000,
    /// };
    /// let mut dispatcher = Dispatcher::new("host-1");
    /// let search = dispatcher.search(&view).unwrap();
    /// dispatcher.searched(search.run(&job));
    /// assert_eq!(dispatcher.search(&view), None);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn search(&self, view: &HostView<'_>) -> Option<StartSearch> {
        let handled = self.decided(view);
        if !view.suspended() && self.open.is_none() && is_absence(view, &handled) {
            let kind = SearchKind::Open { now: view.second() };
            return Some(StartSearch { revision: view.revision, handled, kind });
        }
        if self.due.is_empty() { self.search_result(view).err() } else { None }
    }

    /// Enters the result of a [`search`](Dispatcher::search).
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_host::{Dispatcher, HostView, Record};
    /// let job = Job::parse("web/ping", "*/5 * * * *")?;
    /// let view = HostView {
    ///     job: &job, revision: 1, configuration: "*/5 * * * *", created: 0, record: &Record::default(), executions: &[],
    ///     retention: None, requested_retention: None, claim_ahead: 5, run_now: None, now: 10_000,
    /// };
    /// let mut dispatcher = Dispatcher::new("host-1");
    /// let search = dispatcher.search(&view).unwrap();
    /// dispatcher.searched(search.run(&job));
    /// assert_eq!(dispatcher.next_start(&view).map(|start| start.chosen), Some(300));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn searched(&mut self, result: SearchResult) {
        match result.0 {
            Found::Next(found) => self.search = Some(found),
            Found::Open(open) => self.open = Some(Box::new(open)),
        }
    }

    /// The earliest start that has no outcome: one that is due, or else the result of the last
    /// [`search`](Dispatcher::search). `None` if there is no start in the next years, or it was not searched for.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_host::{Dispatcher, HostView, Record};
    /// let job = Job::parse("web/ping", "*/5 * * * *")?;
    /// let view = HostView {
    ///     job: &job, revision: 1, configuration: "*/5 * * * *", created: 0, record: &Record::default(), executions: &[],
    ///     retention: None, requested_retention: None, claim_ahead: 5, run_now: None, now: 10_000,
    /// };
    /// assert_eq!(Dispatcher::new("host-1").next_start(&view), None);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn next_start(&self, view: &HostView<'_>) -> Option<NextStart> {
        match self.due.first() {
            Some(start) => start.period(),
            None => self.search_result(view).ok()?.start,
        }
    }

    /// The result of the last search, if it still answers what is the next start, or else the search that does.
    fn search_result(&self, view: &HostView<'_>) -> Result<FoundStart, StartSearch> {
        let handled = self.handled(view);
        // After the clock was set back, it may show a time before the configuration.
        let after = view.second().max(handled.since());
        let answers = |search: &FoundStart| {
            search.revision == view.revision
                && search.after <= after
                && match search.start {
                    Some(start) => start.chosen > after && !handled.contains(start.nominal),
                    // The answer is still valid a moment later.
                    None => after < search.after.saturating_add(SEARCH_AGAIN),
                }
        };
        let known = self.search.filter(answers);
        known.ok_or(StartSearch { revision: view.revision, handled, kind: SearchKind::Next { after } })
    }
}

/// Why a start that an edit has moved is missed if it may have been made before. Without a retention, users and the policy can still
/// remove what was made.
fn before_edit(view: &HostView<'_>, trigger: &Trigger) -> Cause {
    Cause::MaybeRemovedBeforeEdit { retention: view.least_retention(trigger).unwrap_or(i64::MAX) }
}

/// Whether so many windows have ended that their periods are decided by a search. Without constraints, those that are over
/// are counted without being decided.
fn is_absence(view: &HostView<'_>, decided: &Handled) -> bool {
    let job = view.job;
    let (first, last) = (decided.first_open(job), ended_through(job, view.second()));
    !job.spec().constraints().is_empty()
        && first <= last
        && job.count_nominal_times(first, last) > ENDED_AT_ONCE
}
