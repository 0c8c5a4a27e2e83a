//! Executions that users ask for now, outside the schedule: one for each token.

use alloc::boxed::Box;

use kron_core::planted_bugs::is_planted;
use kron_core::{Concurrency, Outcome};

use crate::attempt::Attempt;
use crate::dispatcher::{Dispatcher, HostView, RunNowOutcome, RunNowStart};
use crate::limits::arrived_at;
use crate::report::Cause;
use crate::request::{NextRequest, Trigger};
use crate::starts::{Admission, look_up};

impl RunNowStart {
    fn new(token: &str, now: i64) -> RunNowStart {
        RunNowStart { token: token.into(), seen: Some(now), decided: now, ..RunNowStart::default() }
    }

    /// Whether it may have been started, or a request for it has failed.
    fn has_begun(&self) -> bool {
        let attempt = &self.attempt;
        attempt.under_way || attempt.uncertain || attempt.refused.is_some() || attempt.backoff.failures() > 0
    }

    /// Whether a process has claimed the token: the record names it without an outcome.
    fn is_claimed(&self, view: &HostView<'_>) -> bool {
        let stored = view.record.run_now.as_ref();
        stored.is_some_and(|stored| stored.token == self.token && stored.outcome.is_none())
    }

    /// Whether another process claimed the token, or this one did without knowing it, and may have started the execution.
    fn is_recovered(&self, view: &HostView<'_>) -> bool {
        self.is_claimed(view) && !self.claim_confirmed && !self.claim_writing
    }

    /// Gives it the outcome `executed` if its execution exists.
    fn find(&mut self, view: &HostView<'_>) {
        let found = view.executions.iter().find(|execution| execution.run_now == Some(&*self.token));
        if let (Some(found), None) = (found, &self.decided_outcome) {
            let (outcome, execution) = (Outcome::Executed, Some(found.name.into()));
            self.decided_outcome = Some(RunNowOutcome { outcome, execution, cause: Cause::Started });
        }
    }

    /// The retention of its execution, as far as it is known now.
    fn retention(view: &HostView<'_>) -> Option<i64> {
        view.retention.into_iter().chain(view.requested_retention).min()
    }

    /// Why it cannot be started any more, if it cannot.
    fn no_more_starts(&self, view: &HostView<'_>) -> Option<Cause> {
        let attempt = &self.attempt;
        if attempt.refused.is_some() {
            return attempt.refused.clone();
        }
        if self.is_taken_back(view) {
            return Some(Cause::TakenBack);
        }
        // It is not known since when another process has had the claim.
        let recovered = self.is_recovered(view).then_some(i64::MIN);
        let recovered = recovered.filter(|_| !is_planted("token-claim-forgotten"));
        let sent = recovered.or(attempt.sent.filter(|_| attempt.uncertain));
        let retention = attempt.least_retention(RunNowStart::retention(view));
        if let (Some(sent), Some(retention)) = (sent, retention)
            && view.second() >= sent.saturating_add(retention)
        {
            return Some(Cause::MaybeRemoved { retention });
        }
        let policy = view.job.spec().policy();
        if recovered.is_some() && policy.concurrency() == Concurrency::Replace {
            return Some(Cause::MaybeReplaced);
        }
        (view.second() > attempt.limit(policy, self.decided)).then(|| attempt.given_up(policy))
    }

    /// Whether a request without an answer, or another process, may have started it.
    pub(super) fn may_have_started(&self, view: &HostView<'_>) -> bool {
        self.attempt.uncertain || self.is_recovered(view)
    }

    fn has_to_be_looked_up(&self, view: &HostView<'_>) -> bool {
        self.may_have_started(view) && !self.attempt.looked_up
    }

    /// Whether the record names another token that another process has claimed since. What becomes of this one cannot be stored.
    pub(super) fn is_displaced(&self, view: &HostView<'_>) -> bool {
        let stored = view.record.run_now.as_ref();
        stored.is_some_and(|stored| stored.token != self.token && stored.outcome.is_none())
    }

    /// Whether the user asks for it no more.
    fn is_taken_back(&self, view: &HostView<'_>) -> bool {
        view.run_now != Some(&*self.token)
    }

    /// Whether it has to be kept although it is taken back or has its outcome: until that is stored, and no request for it can arrive.
    fn is_open(&self, view: &HostView<'_>, alone: bool) -> bool {
        let Attempt { under_way, uncertain, .. } = self.attempt;
        let has_no_outcome = !is_spent(view, &self.token)
            && !self.is_displaced(view)
            && (self.decided_outcome.is_some() || uncertain || self.is_claimed(view));
        has_no_outcome || self.arrived_at(view, !alone).is_some() || under_way || self.claim_writing
    }

    /// The Unix second from which on no request of another process for it is expected to arrive any more.
    fn others_arrived_at(&self, view: &HostView<'_>) -> Option<i64> {
        // Its holder may be starting it at this moment.
        let seen = self.seen.unwrap_or(view.second());
        self.is_recovered(view).then(|| arrived_at(seen))
    }

    /// The same for all requests, or for those of this process, if one may start an execution that nothing has shown.
    fn arrived_at(&self, view: &HostView<'_>, others: bool) -> Option<i64> {
        let decided = self.decided_outcome.as_ref();
        let found = decided.is_some_and(|decided| decided.outcome == Outcome::Executed);
        let others = self.others_arrived_at(view).filter(|_| others);
        self.attempt.arrived_at().max(others).filter(|second| !found && view.second() < *second)
    }
}

/// Whether the record has the outcome of a token.
fn is_spent(view: &HostView<'_>, token: &str) -> bool {
    let stored = view.record.run_now.as_ref();
    stored.is_some_and(|stored| stored.token == token && stored.outcome.is_some())
}

impl Dispatcher {
    /// Enters the token of the view, if it has no outcome yet. Periods come first.
    pub(super) fn advance_run_now(&mut self, view: &HostView<'_>) {
        let had_outcome = self.run_now.as_ref().is_some_and(|run| run.decided_outcome.is_some());
        self.enter_run_now(view);
        // Its execution may just have been seen, while an earlier request for it is on its way.
        let found = self.run_now.as_ref().filter(|run| !had_outcome && run.attempt.uncertain);
        let outcome = found.and_then(|run| run.decided_outcome.as_ref());
        if let Some(name) = outcome.and_then(|outcome| outcome.execution.clone()) {
            self.unsettle(&name);
        }
    }

    fn enter_run_now(&mut self, view: &HostView<'_>) {
        let token = view.run_now.filter(|token| !token.is_empty() && !is_spent(view, token));
        // An execution without an outcome in the record must not be replaced: if this process ended, its outcome would
        // be lost.
        let waits = view.suspended() || !self.due.is_empty() || !self.outcomes.is_empty();
        // One that was begun gets its outcome before another one has its turn, also if the user has taken it back.
        let forgets = is_planted("taken-back-token-forgotten");
        let is_kept = |run: &RunNowStart| {
            (Some(&*run.token) == token && !run.is_displaced(view))
                || run.is_open(view, self.alone) && !forgets
        };
        let known = self.run_now.take().filter(|run| is_kept(run));
        let claimed = view.record.run_now.as_ref().filter(|stored| stored.outcome.is_none() && !forgets);
        let next = claimed.map(|stored| &*stored.token).or(token.filter(|_| !waits));
        let new = || {
            let token = next?;
            self.check = None;
            Some(Box::new(RunNowStart::new(token, view.second())))
        };
        let Some(mut run) = known.or_else(new) else { return };
        let named = view.record.run_now.as_ref().is_some_and(|stored| stored.token == run.token);
        if named && run.unclaimed && run.is_recovered(view) {
            // Another process has claimed it since.
            run.seen = None;
        }
        run.unclaimed = !named;
        run.claim_confirmed &= named;
        run.seen.get_or_insert(view.second());
        run.attempt.note(view.second(), RunNowStart::retention(view));
        let taken_back = run.is_taken_back(view);
        let has_turn = !waits && Some(&*run.token) == token;
        if has_turn && !run.claiming && !run.has_begun() {
            // Its deadline starts when its turn comes.
            run.decided = view.second();
        }
        run.claiming = has_turn;
        if is_spent(view, &run.token) {
            // Another process has given it its outcome, and a request of this one may still arrive.
            run.decided_outcome = None;
        } else if has_turn || taken_back {
            self.finish_run_now(view, &mut run);
        } else {
            // It gets its outcome before a start that is due replaces it.
            run.find(view);
            let begun = run.attempt.under_way || run.attempt.uncertain;
            if view.suspended() && !begun {
                run.attempt = Attempt::default();
            }
        }
        self.run_now = Some(run);
        if self.doubtful_until(view).is_some() {
            self.list.end_for_later_starts();
        }
    }

    /// The Unix second up to which no list proves what is active before later starts: a request for the execution of a token may
    /// arrive after it.
    pub(super) fn doubtful_until(&self, view: &HostView<'_>) -> Option<i64> {
        let run = self.run_now.as_ref().filter(|_| !is_planted("token-keeps-list"));
        run?.arrived_at(view, !self.alone)
    }

    /// The same for a start that is due, which waits for the requests of this process alone: a new leader makes no start late for a
    /// token of a process that has ended.
    pub(super) fn unanswered_until(&self, view: &HostView<'_>) -> Option<i64> {
        let run = self.run_now.as_ref().filter(|_| !is_planted("token-keeps-list"));
        run?.arrived_at(view, false)
    }

    /// Gives the request its outcome, if there is nothing more to be done for it.
    fn finish_run_now(&self, view: &HostView<'_>, run: &mut RunNowStart) {
        run.find(view);
        if run.decided_outcome.is_some() {
            return;
        }
        let decided = |outcome, execution, cause| Some(RunNowOutcome { outcome, execution, cause });
        if run.attempt.under_way {
            // Nothing is decided until the request is answered.
        } else if let Some(cause) = run.no_more_starts(view) {
            if !run.has_to_be_looked_up(view) {
                run.decided_outcome = decided(Outcome::Missed, None, cause);
            }
        } else if self.may_start(view, run) && run.attempt.backoff.wait(view.now).is_none() {
            let trigger = Trigger::RunNow { token: run.token.clone() };
            if let Admission::Refused(outcome) = self.admit(view, &trigger)
                && !run.has_to_be_looked_up(view)
            {
                let concurrency = view.job.spec().policy().concurrency();
                run.decided_outcome = decided(outcome, None, Cause::ActiveExecution { concurrency });
            }
        }
    }

    /// Whether that is the execution of a run-now request whose outcome the record does not show yet.
    pub(super) fn is_unstored_run_now(&self, execution: &str) -> bool {
        let decided = self.run_now.as_ref().and_then(|run| run.decided_outcome.as_ref());
        decided.is_some_and(|decided| decided.execution.as_deref() == Some(execution))
    }

    /// Whether the token is claimed: by this process, or by another one whose execution would still be found.
    fn may_start(&self, view: &HostView<'_>, run: &RunNowStart) -> bool {
        run.is_claimed(view) && (run.claim_confirmed || run.is_recovered(view))
    }

    pub(super) fn next_for_run_now(&self, view: &HostView<'_>, next: &mut NextRequest) {
        let Some(run) = &self.run_now else { return };
        let has_turn = run.claiming || run.is_taken_back(view) && !is_spent(view, &run.token);
        if !has_turn || run.decided_outcome.is_some() {
            return;
        }
        let trigger = Trigger::RunNow { token: run.token.clone() };
        let others = run.others_arrived_at(view).filter(|_| !self.alone);
        if run.no_more_starts(view).is_some() {
            look_up(view, trigger, &run.attempt, others, next);
            return;
        }
        let limit = run.attempt.limit(view.job.spec().policy(), run.decided);
        next.wake_at_second(limit.saturating_add(1));
        if let Some(second) = others.filter(|second| view.second() < *second) {
            // Its holder may have decided it a moment ago, and the record may show that soon: no claim of this process replaces the
            // record before.
            next.wake_at_second(second);
        } else if self.may_start(view, run) {
            self.request_start(view, trigger, &run.attempt, others, next);
        }
    }
}
