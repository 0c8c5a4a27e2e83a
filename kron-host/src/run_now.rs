//! Executions that users ask for now, outside the schedule: one for each token.

use alloc::boxed::Box;

use kron_core::Outcome;
use kron_core::planted_bugs::is_planted;

use crate::attempt::Attempt;
use crate::dispatcher::Dispatcher;
use crate::record::RunNow;
use crate::report::Cause;
use crate::request::{NextRequest, Trigger};
use crate::start::{Start, StartClaim};
use crate::view::HostView;

/// What a start of a token has beyond that of a period.
impl Start {
    /// What the record has of the token.
    fn stored<'v>(&self, view: &HostView<'v>) -> Option<&'v RunNow> {
        view.record.run_now.as_ref().filter(|stored| self.token() == Some(&stored.token))
    }

    /// Whether a process has claimed the token: the record names it without an outcome.
    pub(super) fn is_claimed(&self, view: &HostView<'_>) -> bool {
        self.stored(view).is_some_and(|stored| stored.outcome.is_none())
    }

    /// Whether the record has the outcome of the token.
    fn is_spent(&self, view: &HostView<'_>) -> bool {
        self.stored(view).is_some_and(|stored| stored.outcome.is_some())
    }

    /// Whether the record has the outcome of the token that this process has decided.
    pub(super) fn has_stored_outcome(&self, view: &HostView<'_>) -> bool {
        let decided = self.done.as_ref().map(|done| done.outcome);
        self.stored(view).is_some_and(|stored| decided.is_some() && stored.outcome == decided)
    }

    /// Whether the record names another token that another process has claimed since. What becomes of this one cannot be stored.
    pub(super) fn is_displaced(&self, view: &HostView<'_>) -> bool {
        let stored = view.record.run_now.as_ref();
        stored.is_some_and(|stored| self.token() != Some(&stored.token) && stored.outcome.is_none())
    }

    /// Whether the user asks for it no more.
    pub(super) fn is_taken_back(&self, view: &HostView<'_>) -> bool {
        view.run_now != self.token()
    }

    /// Whether something is to be done for it now: it is a start of a period, the token has its turn, or it gets its outcome as it is
    /// taken back.
    pub(super) fn is_wanted(&self, view: &HostView<'_>) -> bool {
        self.token().is_none() || self.has_turn || self.is_taken_back(view) && !self.is_spent(view)
    }

    /// Whether it may have been started, or a request for it has failed.
    fn has_begun(&self) -> bool {
        let attempt = &self.attempt;
        attempt.under_way || attempt.uncertain || self.ended.is_some() || attempt.backoff.failures() > 0
    }

    /// Gives it the outcome `executed` if its execution exists.
    fn find(&mut self, view: &HostView<'_>) {
        let found = view.executions.iter().find(|execution| execution.run_now == self.token());
        if let (Some(found), None) = (found, &self.done) {
            self.done = Some(self.handled(Outcome::Executed, Some(found.name.into()), Cause::Started));
        }
    }

    /// Whether it has to be kept although it is taken back or has its outcome: until that is stored, and no request for it can arrive.
    fn is_open(&self, view: &HostView<'_>, alone: bool) -> bool {
        let Attempt { under_way, uncertain, .. } = self.attempt;
        let has_no_outcome = !self.is_spent(view)
            && !self.is_displaced(view)
            && (self.done.is_some() || uncertain || self.is_claimed(view));
        let is_writing = matches!(self.claim, StartClaim::Sent { .. });
        has_no_outcome || self.arrived_at(view, !alone).is_some() || under_way || is_writing
    }

    /// The Unix second from which on no request for it is expected to arrive any more, also of other processes or of this one alone, if
    /// one may start an execution that nothing has shown.
    fn arrived_at(&self, view: &HostView<'_>, others: bool) -> Option<i64> {
        let found = self.done.as_ref().is_some_and(|done| done.outcome == Outcome::Executed);
        let others = self.others_arrived_at(view).filter(|_| others);
        self.attempt.arrived_at().max(others).filter(|second| !found && view.second() < *second)
    }

    /// Takes note of whether the record names it.
    fn notice_claim(&mut self, view: &HostView<'_>) {
        self.claim = match (self.claim, self.stored(view)) {
            (StartClaim::Sent { .. }, stored) => StartClaim::Sent { shown: stored.is_some() },
            (_, None) => StartClaim::Nobody,
            (StartClaim::Nobody, Some(stored)) => {
                if stored.outcome.is_none() {
                    // Another process has claimed it since.
                    self.seen = None;
                }
                StartClaim::Another
            }
            (known, Some(_)) => known,
        };
    }
}

impl Dispatcher {
    /// Enters the token of the view, if it has no outcome yet. Periods come first.
    pub(super) fn advance_run_now(&mut self, view: &HostView<'_>) {
        let had_outcome = self.run_now.as_ref().is_some_and(|run| run.done.is_some());
        self.enter_run_now(view);
        // Its execution may just have been seen, while an earlier request for it is on its way.
        let found = self.run_now.as_ref().filter(|run| !had_outcome && run.is_unsettled());
        if let Some(name) = found.and_then(|run| run.done.as_ref()?.execution.clone()) {
            self.unsettle(&name);
        }
    }

    fn enter_run_now(&mut self, view: &HostView<'_>) {
        let stored = view.record.run_now.as_ref();
        let spent = stored.filter(|stored| stored.outcome.is_some()).map(|stored| &*stored.token);
        let token = view.run_now.filter(|token| !token.is_empty() && spent != Some(token));
        // An execution without an outcome in the record must not be replaced: if this process ended, its outcome would
        // be lost.
        let waits = view.suspended() || !self.due.is_empty() || !self.outcomes.is_empty();
        // One that was begun gets its outcome before another one has its turn, also if the user has taken it back.
        let forgets = is_planted("taken-back-token-forgotten");
        let is_kept = |run: &Start| {
            (run.token() == token && !run.is_displaced(view)) || run.is_open(view, self.alone) && !forgets
        };
        let known = self.run_now.take().filter(|run| is_kept(run));
        let claimed = stored.filter(|stored| stored.outcome.is_none() && !forgets);
        let next = claimed.map(|stored| &*stored.token).or(token.filter(|_| !waits));
        let new = || {
            let trigger = Trigger::RunNow { token: next?.into() };
            self.check = None;
            Some(Box::new(Start::new(trigger, view.second())))
        };
        let Some(mut run) = known.or_else(new) else { return };
        run.notice_claim(view);
        run.note(view);
        let has_turn = !waits && run.token() == token;
        if has_turn && !run.has_turn && !run.has_begun() {
            // Its deadline starts when its turn comes.
            run.decided = view.second();
        }
        run.has_turn = has_turn;
        if run.is_spent(view) {
            // Another process has given it its outcome, and a request of this one may still arrive.
            run.done = None;
        } else {
            // It gets its outcome before a start that is due replaces it.
            run.find(view);
            if let Some((outcome, cause)) = self.step(view, &run, &mut NextRequest::default()) {
                run.done = Some(run.handled(outcome, None, cause));
            }
            let begun = run.attempt.under_way || run.attempt.uncertain;
            if view.suspended() && !begun && !run.is_wanted(view) {
                (run.attempt, run.ended) = (Attempt::default(), None);
            }
        }
        self.run_now = Some(run);
        if self.unanswered_until(view, !self.alone).is_some() {
            self.list.end_for_later_starts();
        }
    }

    /// The Unix second up to which no list proves what is active before later starts: a request for the execution of a token may
    /// arrive after it, of this process or of `others`. A start that is due waits for the requests of this process alone: a new leader
    /// makes no start late for a token of a process that has ended.
    pub(super) fn unanswered_until(&self, view: &HostView<'_>, others: bool) -> Option<i64> {
        let run = self.run_now.as_ref().filter(|_| !is_planted("token-keeps-list"));
        run?.arrived_at(view, others)
    }

    /// Whether that is the execution of a run-now request whose outcome the record does not show yet.
    pub(super) fn is_unstored_run_now(&self, execution: &str) -> bool {
        let done = self.run_now.as_ref().and_then(|run| run.done.as_ref());
        done.is_some_and(|done| done.execution.as_deref() == Some(execution))
    }
}
