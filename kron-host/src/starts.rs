//! From starts that are due to requests: claim, check what is active, start. One start after the other, in order.

use alloc::boxed::Box;

use kron_core::plan::Action;
use kron_core::planted_bugs::is_planted;
use kron_core::{Concurrency, Outcome};

use crate::dispatcher::{CheckedExecution, DecidedOutcome, Dispatcher, UnsettledExecution};
use crate::limits::{CLOCK_DIFFERENCE, arrived_at};
use crate::list_proof::ListNeed;
use crate::record::{NextStart, Record, order};
use crate::report::{Cause, HandledStart};
use crate::request::{ExecutionState, HostRequest, NextRequest, Trigger};
use crate::start::{Start, StartClaim, State};
use crate::view::HostView;

/// What a start that is due waits for.
pub(super) enum Admission {
    /// Nothing.
    Admitted,
    /// Something has to be known or done first.
    After(HostRequest),
    /// The record has to be written first.
    AfterWrite,
    /// That Unix second: what it replaces must not be stopped before it, or a list would not show what may be started until then.
    NotBefore(i64),
    /// The policy decides against it.
    Refused(Outcome),
}

impl Dispatcher {
    /// What to do next for the starts of the job, given the record that is [wanted](Dispatcher::record), and when to look
    /// again. While a request is under way, no other one is named. The record can be written at the same time.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_host::{Dispatcher, HostView, Record};
    /// let job = Job::parse("web/ping", "*/5 * * * *")?;
    /// let view = HostView {
    ///     job: &job, revision: 1, configuration: "*/5 * * * *", created: 0, record: &Record::default(), executions: &[],
    ///     retention: None, requested_retention: None, claim_ahead: 60, run_now: None, now: 10_000,
    /// };
    /// let mut dispatcher = Dispatcher::new("host-1");
    /// dispatcher.advance(&view);
    /// let search = dispatcher.search(&view).unwrap();
    /// dispatcher.searched(search.run(&job));
    /// let next = dispatcher.next(&view, &dispatcher.record(&view));
    /// // Nothing is due, and the claim is written a minute before the start at the latest.
    /// assert_eq!((next.request, next.wake_up), (None, Some(240_000)));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn next(&self, view: &HostView<'_>, wanted: &Record) -> NextRequest {
        let mut next = NextRequest::default();
        next.wake_at_second(self.decide_at);
        next.wake_at_second(self.claim_due(view, wanted));
        next.wake_at_second(self.unanswered_until(view, !self.alone));
        // The next start remains in the record, even after its time, until something else happens.
        let shown = wanted.next.filter(|_| view.suspended()).map(|start| start.chosen.saturating_mul(1000));
        next.wake_at(shown.filter(|at| *at > view.now));
        if let Some(start) = self.current_start().filter(|_| !self.waits_for_an_answer(view)) {
            self.step(view, start, &mut next);
        }
        next
    }

    /// Whether a request to start something has no answer yet. What it starts cannot be seen before, so no other start is made
    /// beside it; a request of a user delays no start that may overlap with it.
    fn waits_for_an_answer(&self, view: &HostView<'_>) -> bool {
        let overlaps = view.job.spec().policy().concurrency() == Concurrency::Allow;
        let counts = |start: &&Start| start.token().is_none() || !overlaps || self.due.is_empty();
        self.starts().filter(counts).any(|start| start.attempt.under_way)
    }

    /// The state of a start.
    fn state(&self, view: &HostView<'_>, start: &Start) -> State {
        if start.done.is_some() {
            State::Done
        } else if start.attempt.under_way {
            State::Requested
        } else if start.may_have_started(view) {
            State::Unknown
        } else if self.may_start(view, start) {
            State::Claimed
        } else {
            State::Waiting
        }
    }

    /// Whether a start is claimed: by this process, or a token by another one whose execution would still be found.
    fn may_start(&self, view: &HostView<'_>, start: &Start) -> bool {
        match start.period() {
            Some(period) => self.holds(view, period.nominal),
            None => start.is_claimed(view) && matches!(start.claim, StartClaim::Mine | StartClaim::Another),
        }
    }

    /// What to do for a start now, and when to look again. Gives its outcome if there is nothing more to be done.
    pub(super) fn step(
        &self,
        view: &HostView<'_>,
        start: &Start,
        next: &mut NextRequest,
    ) -> Option<(Outcome, Cause)> {
        let Start { trigger, attempt, .. } = start;
        let state = self.state(view, start);
        if matches!(state, State::Requested | State::Done) || !start.is_wanted(view) {
            return None;
        }
        let others = start.others_arrived_at(view).filter(|_| !self.alone);
        let has_to_be_looked_up = state == State::Unknown && !attempt.looked_up;
        if let Some(cause) = self.no_more_starts(view, start) {
            if !has_to_be_looked_up || start.is_refused() && is_planted("refused-not-looked-up") {
                return Some((Outcome::Missed, cause));
            }
            look_up(view, start, others, next);
            return None;
        }
        let policy = view.job.spec().policy();
        // After the limit it is missed, no matter what it waits for.
        next.wake_at_second(Some(attempt.limit(policy, start.decided).saturating_add(1)));
        if let Some(second) = others.filter(|second| start.token().is_some() && view.second() < *second) {
            // Its holder may have decided it a moment ago, and the record may show that soon: no claim of this process replaces the
            // record before.
            next.wake_at_second(Some(second));
        } else if !self.may_start(view, start) {
            // The record must be written first.
            let lists = is_planted("list-before-claim") && start.token().is_none();
            if lists && !self.list.holds() && self.check.is_none() {
                next.request = Some(HostRequest::List);
            }
        } else if let Some(until) = attempt.backoff.wait(view.now) {
            next.wake_at(Some(until));
        } else {
            match self.admit(view, trigger) {
                Admission::Admitted => next.request = Some(HostRequest::Start(trigger.clone())),
                Admission::After(request) => next.request = Some(request),
                Admission::NotBefore(second) => next.wake_at_second(Some(second)),
                Admission::Refused(_) if has_to_be_looked_up => look_up(view, start, others, next),
                Admission::Refused(outcome) => {
                    return Some((outcome, Cause::ActiveExecution { concurrency: policy.concurrency() }));
                }
                Admission::AfterWrite => {}
            }
        }
        None
    }

    /// Gives outcomes to the starts at the head of the queue that are not made any more.
    pub(super) fn finish_starts(&mut self, view: &HostView<'_>) {
        self.due.iter_mut().for_each(|start| start.note(view));
        while self.due.first().is_some_and(|first| !first.attempt.under_way) {
            self.notice_claim(view);
            let start = self.due[0].clone();
            let Some((outcome, mut cause)) = self.step(view, &start, &mut NextRequest::default()) else {
                return;
            };
            if outcome != Outcome::Missed {
                self.check = None;
            } else if let (Cause::MaybeRemovedBeforeEdit { retention }, Some(period)) =
                (&cause, start.period())
            {
                let NextStart { nominal, chosen } = period;
                let known = view.least_retention(&start.trigger);
                let retention = known.map_or(*retention, |known| known.min(*retention));
                // The look-up did not find it, and nothing can have removed it.
                let unmade = view.second() < chosen.saturating_add(retention);
                if unmade && self.is_in_force(view, nominal) {
                    // The edited job decides again.
                    self.due.remove(0);
                    self.ruled_out = Some(Box::new(period));
                    self.stop_counting(view, nominal.saturating_sub(1));
                    self.decide_at = Some(view.second());
                    continue;
                }
                cause = if unmade { Cause::Edited } else { Cause::MaybeRemovedBeforeEdit { retention } };
            }
            self.decide_outcome(&start, start.handled(outcome, None, cause));
        }
    }

    /// A process that sees another holder in the claim of its first start has no claim.
    fn notice_claim(&mut self, view: &HostView<'_>) {
        let Some(start) = self.due.first_mut() else { return };
        let claim = start.period().and_then(|period| view.claim_of(period.nominal));
        let Some(claim) = claim.filter(|claim| self.claims.is_of_another(claim)) else { return };
        let recovered = start.claim == StartClaim::Another;
        let seen = start.seen.filter(|_| recovered).unwrap_or(view.second());
        // The clock of that process may be ahead, by more than a minute only if it is wrong.
        let claimed = Some(claim.time).filter(|at| *at <= view.second().saturating_add(CLOCK_DIFFERENCE));
        // A look-up from before that claim says nothing.
        start.attempt.looked_up &= recovered;
        (start.claim, start.seen) = (StartClaim::Another, claimed.max(Some(seen)));
    }

    /// Whether the job has that period, and nothing has passed it.
    fn is_in_force(&self, view: &HostView<'_>, nominal: i64) -> bool {
        let handled = self.stored_handled(view);
        view.job.is_on_schedule(nominal)
            && order(view.job, nominal).is_some_and(|order| order > handled.since())
            && !handled.contains(nominal)
    }

    /// The cause for which a start cannot be made any more, if there is one.
    fn no_more_starts(&self, view: &HostView<'_>, start: &Start) -> Option<Cause> {
        let Start { ended, attempt, .. } = start;
        if ended.is_some() {
            return ended.clone();
        }
        let policy = view.job.spec().policy();
        let recovered = start.is_recovered(view);
        let sent = attempt.sent.filter(|_| attempt.uncertain);
        let sent = match start.period() {
            // A request was sent before the suspension; another one would start something while the job is suspended.
            Some(_) if view.suspended() => return Some(Cause::Suspended),
            None if start.is_taken_back(view) => return Some(Cause::TakenBack),
            Some(_) if is_planted("removed-job-forgotten") => None,
            // No request of this process prolongs the time in which another one's execution would still be there.
            Some(period) => recovered.then_some(period.chosen).or(sent),
            None if !recovered || is_planted("token-claim-forgotten") => sent,
            // It is not known since when another process has had the claim.
            None => Some(i64::MIN),
        };
        // A first request may have started an execution that has ended and was removed: this would be a second one.
        let retention = attempt.least_retention(view.least_retention(&start.trigger));
        if let (Some(sent), Some(retention)) = (sent, retention)
            && view.second() >= sent.saturating_add(retention)
        {
            return Some(Cause::MaybeRemoved { retention });
        }
        if sent == Some(i64::MIN) && policy.concurrency() == Concurrency::Replace {
            return Some(Cause::MaybeReplaced);
        }
        (view.second() > attempt.limit(policy, start.decided)).then(|| attempt.given_up(policy))
    }

    /// What the next start lacks of a list of the executions, which its policy may need. A host that lists the executions of many
    /// jobs at once, for those that have [claimed](ListNeed::Claimed) a start, calls [`listing`](Dispatcher::listing) for each of
    /// them before. As long as a request for the execution of a token may arrive, a list says too little.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_host::{Dispatcher, HostView, ListKind, ListNeed, Record};
    /// let job = Job::parse("web/ping", "*/5 * * * *")?;
    /// let mut view = HostView {
    ///     job: &job, revision: 1, configuration: "*/5 * * * *", created: 0, record: &Record::default(), executions: &[],
    ///     retention: None, requested_retention: None, claim_ahead: 60, run_now: None, now: 300_000,
    /// };
    /// let mut dispatcher = Dispatcher::new("host-1");
    /// dispatcher.advance(&view);
    /// let record = dispatcher.record(&view);
    /// dispatcher.writing(&record);
    /// view.record = &record;
    /// assert_eq!(dispatcher.list_need(&view), ListNeed::OnceClaimed, "the claim may not be stored yet");
    /// dispatcher.written();
    /// assert_eq!(dispatcher.list_need(&view), ListNeed::Claimed(300));
    /// dispatcher.listing(ListKind::Shared);
    /// assert_eq!(dispatcher.list_need(&view), ListNeed::Served);
    /// let job = Job::parse("web/ping", "*/5 * * * * @policy(concurrency=allow)")?;
    /// assert_eq!(Dispatcher::new("host-1").list_need(&HostView { job: &job, ..view }), ListNeed::None);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn list_need(&self, view: &HostView<'_>) -> ListNeed {
        if self.list.is_served() {
            return ListNeed::Served;
        }
        let overlaps = view.job.spec().policy().concurrency() == Concurrency::Allow;
        let doubtful = self.unanswered_until(view, !self.alone).is_some();
        if overlaps || view.suspended() || doubtful || self.list.holds() {
            return ListNeed::None;
        }
        let is_mine = |start: &NextStart| self.holds(view, start.nominal) || is_planted("list-before-claim");
        match view.claimed().filter(is_mine) {
            Some(start) => ListNeed::Claimed(start.chosen),
            None if self.due.is_empty() => ListNeed::None,
            None => ListNeed::OnceClaimed,
        }
    }

    /// Applies the policy. Executions that the host sees as active are read in the store. If it sees none, the claim,
    /// which was written on the newest record, proves that there are none, except for the first start of a process.
    pub(super) fn admit(&self, view: &HostView<'_>, trigger: &Trigger) -> Admission {
        let policy = view.job.spec().policy();
        if policy.concurrency() == Concurrency::Allow {
            return Admission::Admitted;
        }
        let check = self.check.as_ref().filter(|check| check.before == *trigger);
        let complete = check.is_some_and(|check| check.complete);
        if !complete && !self.list.holds() && !is_planted("list-forgotten") {
            // The start of the token itself makes no other execution.
            let is_period = matches!(trigger, Trigger::Period { .. });
            return match self.unanswered_until(view, false).filter(|_| is_period) {
                Some(second) => Admission::NotBefore(second),
                None => Admission::After(HostRequest::List),
            };
        }
        let known = check.map_or(&[][..], |check| &check.executions);
        // A list may be older than what the host has seen since.
        let seen = view.executions.iter().filter(|execution| execution.state != ExecutionState::Ended);
        let unknown = seen
            .filter(|seen| known.iter().all(|known| *known.id != *seen.id))
            .min_by_key(|execution| execution.name);
        let mut active = known.iter().filter(|execution| execution.state != ExecutionState::Ended).peekable();
        // One active execution is enough to skip a start.
        let enough = policy.concurrency() == Concurrency::Forbid && active.peek().is_some();
        if let Some(execution) = unknown.filter(|_| !enough) {
            let (id, name) = (execution.id.into(), execution.name.into());
            return Admission::After(HostRequest::Check { id, name });
        }
        match policy.admit(active.peek().is_some()) {
            Action::Record(outcome) => Admission::Refused(outcome),
            Action::Replace if is_planted("replaced-job-not-deleted") => Admission::Admitted,
            Action::Replace => match active.find(|execution| execution.state == ExecutionState::Active) {
                // A run-now execution that is gone before its outcome is stored would be started again.
                Some(execution) if self.is_unstored_run_now(&execution.name) => Admission::AfterWrite,
                Some(CheckedExecution { id, name, .. }) => match self.unsettled_until(view, name) {
                    Some(until) => Admission::NotBefore(until),
                    None => Admission::After(HostRequest::Stop { id: id.clone(), name: name.clone() }),
                },
                None => Admission::Admitted,
            },
            _ => Admission::Admitted,
        }
    }

    /// Another request for that execution may be on its way. If the execution were removed, that request would start it again.
    pub(super) fn unsettle(&mut self, name: &str) {
        self.unsettled = Some(Box::new(UnsettledExecution { name: name.into(), until: None }));
    }

    /// No request is expected to be on its way for more than ten seconds.
    pub(super) fn settle(&mut self, view: &HostView<'_>) {
        // Another process took the claim while this one was starting the execution, and may be starting it, too.
        let is_taken =
            |decided: &&DecidedOutcome| decided.requested && self.claims.was_lost(decided.period.nominal);
        let taken = self.outcomes.iter().find(is_taken).filter(|_| self.unsettled.is_none());
        if let Some(name) = taken.and_then(|decided| decided.handled.execution.clone()) {
            self.unsettle(&name);
        }
        let Some(execution) = &mut self.unsettled else { return };
        let until = *execution.until.get_or_insert(arrived_at(view.second()));
        if view.second() >= until {
            self.unsettled = None;
        }
    }

    /// The Unix second until which that execution must not be stopped, if there is one.
    fn unsettled_until(&self, view: &HostView<'_>, name: &str) -> Option<i64> {
        let execution = self.unsettled.as_ref().filter(|_| !is_planted("unsettled-job-replaced"))?;
        (execution.name == name).then_some(execution.until.unwrap_or(arrived_at(view.second())))
    }

    /// Gives a start its outcome. That of a period is due no more, if it was.
    pub(super) fn decide_outcome(&mut self, start: &Start, handled: HandledStart) {
        if let Some(name) = handled.execution.as_ref().filter(|_| start.is_unsettled()) {
            self.unsettle(name);
        }
        let Some(period) = start.period() else {
            if let Some(run) = self.run_now.as_mut().filter(|run| run.is(&start.trigger)) {
                run.done = Some(handled);
            }
            return;
        };
        self.due.retain(|other| !other.is_of(period.nominal));
        // Its execution may still appear.
        let recovered = start.claim == StartClaim::Another;
        let unknown = handled.outcome != Outcome::Executed && (recovered || start.attempt.uncertain);
        if unknown && !is_planted("missed-keeps-list") {
            self.list.end();
        }
        // Most jobs have one or two until they are written, so no room is made for more.
        self.outcomes.reserve_exact(1);
        self.outcomes.push(DecidedOutcome {
            period,
            requested: start.attempt.sent.is_some(),
            looked_up: handled.outcome == Outcome::Missed && (start.is_missed() || start.attempt.looked_up),
            // The record already says that it is handled.
            sent: start.passed,
            handled,
        });
    }
}

/// Looks up an execution that may exist. As long as a request for it may arrive, it proves nothing that it is not there. `others`:
/// until when one of another process may.
fn look_up(view: &HostView<'_>, start: &Start, others: Option<i64>, next: &mut NextRequest) {
    let Start { trigger, attempt, .. } = start;
    let arrived = attempt.arrived_at().max(others).filter(|second| view.second() < *second);
    if let Some(second) = arrived {
        next.wake_at_second(Some(second));
    } else if let Some(until) = attempt.backoff.wait(view.now) {
        next.wake_at(Some(until));
    } else {
        next.request = Some(HostRequest::LookUp(trigger.clone()));
    }
}
