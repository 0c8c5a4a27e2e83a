//! From starts that are due to requests: claim, check what is active, start. One start after the other, in order.

use alloc::boxed::Box;
use alloc::string::String;

use kron_core::plan::Action;
use kron_core::planted_bugs::is_planted;
use kron_core::{Concurrency, Outcome};

use crate::attempt::{Attempt, retry_seconds};
use crate::dispatcher::{
    CheckedExecution, DecidedOutcome, Dispatcher, DueStart, HostView, UnsettledExecution,
};
use crate::limits::{CLOCK_DIFFERENCE, HOLDER_SECONDS, QUEUE_SECONDS, arrived_at};
use crate::list_proof::ListNeed;
use crate::record::{NextStart, Record};
use crate::report::Cause;
use crate::request::{ExecutionState, HostRequest, NextRequest, Trigger};

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

/// The least retention that the execution of a start before an edit can have, as far as it is known now; `None` for other starts.
fn retention_before_edit(view: &HostView<'_>, start: &DueStart) -> Option<i64> {
    let Some(Cause::MaybeRemovedBeforeEdit { retention }) = start.missed else { return None };
    view.least_retention(start.nominal).into_iter().chain([retention]).min()
}

/// Looks up an execution that may exist. As long as a request for it may arrive, it proves nothing that it is not there. `others`:
/// until when one of another process may.
pub(super) fn look_up(
    view: &HostView<'_>,
    trigger: Trigger,
    attempt: &Attempt,
    others: Option<i64>,
    next: &mut NextRequest,
) {
    let arrived = attempt.arrived_at().max(others).filter(|second| view.second() < *second);
    if let Some(second) = arrived {
        next.wake_at_second(second);
    } else if let Some(until) = attempt.backoff.wait(view.now) {
        next.wake_at(Some(until));
    } else {
        next.request = Some(HostRequest::LookUp(trigger));
    }
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
        next.wake_at(self.decide_at.map(|second| second.saturating_mul(1000)));
        next.wake_at(self.claim_due(view, wanted).map(|second| second.saturating_mul(1000)));
        // The next start remains in the record, even after its time, until something else happens.
        let shown = wanted.next.filter(|_| view.suspended()).map(|start| start.chosen.saturating_mul(1000));
        next.wake_at(shown.filter(|at| *at > view.now));
        let doubtful = self.doubtful_until(view);
        next.wake_at(doubtful.map(|second| second.saturating_mul(1000)));
        if self.waits_for_an_answer(view) {
            return next;
        }
        match self.due.first() {
            Some(start) => self.next_for_start(view, start, &mut next),
            None => self.next_for_run_now(view, &mut next),
        }
        next
    }

    /// Whether a request to start something has no answer yet. What it starts cannot be seen before, so no other start is made
    /// beside it; a request of a user delays no start that may overlap with it.
    fn waits_for_an_answer(&self, view: &HostView<'_>) -> bool {
        let overlaps = view.job.spec().policy().concurrency() == Concurrency::Allow;
        let run_now = self.run_now.iter().filter(|_| !overlaps || self.due.is_empty());
        let mut all = self.due.iter().map(|start| &start.attempt).chain(run_now.map(|run| &run.attempt));
        all.any(|attempt| attempt.under_way)
    }

    fn next_for_start(&self, view: &HostView<'_>, start: &DueStart, next: &mut NextRequest) {
        let DueStart { attempt, decided, .. } = start;
        if self.no_more_starts(view, start).is_some() {
            // A start that needs no look-up has its outcome already.
            look_up(view, start.trigger(), attempt, self.others_arrived_at(view, start), next);
            return;
        }
        // After the limit it is missed, no matter what it waits for.
        next.wake_at_second(attempt.limit(view.job.spec().policy(), *decided).saturating_add(1));
        // Without a claim, the record must be written first.
        if self.holds(view, start.nominal) {
            let others = self.others_arrived_at(view, start);
            self.request_start(view, start.trigger(), attempt, others, next);
        } else if is_planted("list-before-claim") && !self.list.holds() && self.check.is_none() {
            next.request = Some(HostRequest::List);
        }
    }

    /// The Unix second from which on no request of another process to make that start is expected to arrive any more.
    fn others_arrived_at(&self, view: &HostView<'_>, start: &DueStart) -> Option<i64> {
        let claimed = view.claim_of(start.nominal).map_or(start.chosen, |claim| claim.time.max(start.chosen));
        // A process decides it within the deadline, has its turn within minutes, and tries for as long as the deadline at least. It
        // does not try later, so nothing waits for one that was gone before.
        let tries = HOLDER_SECONDS + QUEUE_SECONDS + 2 * retry_seconds(view.job.spec().policy());
        let last = claimed.saturating_add(tries);
        (start.recovered && !self.alone).then(|| arrived_at(start.seen.unwrap_or(view.second()).min(last)))
    }

    /// The request for a start that is claimed: to start it, or what has to be done before. `others`: until when a request of another
    /// process for it may arrive.
    pub(super) fn request_start(
        &self,
        view: &HostView<'_>,
        trigger: Trigger,
        attempt: &Attempt,
        others: Option<i64>,
        next: &mut NextRequest,
    ) {
        if let Some(until) = attempt.backoff.wait(view.now) {
            next.wake_at(Some(until));
            return;
        }
        match self.admit(view, &trigger) {
            Admission::Admitted => next.request = Some(HostRequest::Start(trigger)),
            Admission::After(request) => next.request = Some(request),
            Admission::NotBefore(second) => next.wake_at_second(second),
            // A start that is refused and needs no look-up has its outcome already.
            Admission::Refused(_) => look_up(view, trigger, attempt, others, next),
            Admission::AfterWrite => {}
        }
    }

    /// Gives outcomes to the starts at the head of the queue that are not made any more.
    pub(super) fn finish_starts(&mut self, view: &HostView<'_>) {
        for start in &mut self.due {
            start.attempt.note(view.second(), view.least_retention(start.nominal));
            start.seen.get_or_insert(view.second());
        }
        while let Some(first) = self.due.first() {
            if first.attempt.under_way {
                return;
            }
            // A process that sees another holder in the claim has no claim.
            let mut start = first.clone();
            if let Some(claim) = self.foreign_claim(view, start.nominal) {
                let seen = start.seen.filter(|_| start.recovered).unwrap_or(view.second());
                // The clock of that process may be ahead, by more than a minute only if it is wrong.
                let claimed =
                    Some(claim.time).filter(|at| *at <= view.second().saturating_add(CLOCK_DIFFERENCE));
                // A look-up from before that claim says nothing.
                start.attempt.looked_up &= start.recovered;
                (start.recovered, start.seen) = (true, claimed.max(Some(seen)));
                self.due[0] = start.clone();
            }
            if let Some(cause) = self.no_more_starts(view, &start) {
                let refused = start.attempt.refused.is_some() && is_planted("refused-not-looked-up");
                if start.has_to_be_looked_up() && !refused {
                    return;
                }
                let retention = retention_before_edit(view, &start);
                // The look-up did not find it, and nothing can have removed it.
                let unmade = retention.is_some_and(|kept| view.second() < start.chosen.saturating_add(kept));
                if unmade && self.is_in_force(view, start.nominal) {
                    // The edited job decides again.
                    self.due.remove(0);
                    let DueStart { nominal, chosen, .. } = start;
                    self.ruled_out = Some(Box::new(NextStart { nominal, chosen }));
                    self.stop_counting(view, nominal.saturating_sub(1));
                    self.decide_at = Some(view.second());
                    continue;
                }
                let cause = match retention {
                    Some(_) if unmade => Cause::Edited,
                    Some(retention) => Cause::MaybeRemovedBeforeEdit { retention },
                    None => cause,
                };
                self.decide_outcome(&start, Outcome::Missed, None, cause);
                continue;
            }
            if !self.holds(view, start.nominal) || start.attempt.backoff.wait(view.now).is_some() {
                return;
            }
            let Admission::Refused(outcome) = self.admit(view, &start.trigger()) else { return };
            if start.has_to_be_looked_up() {
                return;
            }
            self.check = None;
            let concurrency = view.job.spec().policy().concurrency();
            self.decide_outcome(&start, outcome, None, Cause::ActiveExecution { concurrency });
        }
    }

    /// Whether the job has that period, and nothing has passed it.
    fn is_in_force(&self, view: &HostView<'_>, nominal: i64) -> bool {
        let handled = self.stored_handled(view);
        let period = view.job.periods(nominal..nominal.saturating_add(1)).next();
        period.is_some_and(|period| period.order_timestamp() > handled.since()) && !handled.contains(nominal)
    }

    /// The cause for which a period cannot be started any more, if there is one.
    fn no_more_starts(&self, view: &HostView<'_>, start: &DueStart) -> Option<Cause> {
        let DueStart { nominal, chosen, attempt, missed, .. } = start;
        if let Some(cause) = missed.as_ref().or(attempt.refused.as_ref()) {
            return Some(cause.clone());
        }
        // A request was sent before the suspension; another one would start something while the job is suspended.
        if view.suspended() {
            return Some(Cause::Suspended);
        }
        // A first request may have started an execution that has ended and was removed: this would be a second one.
        let sent = attempt.sent.filter(|_| attempt.uncertain).or(start.recovered.then_some(*chosen));
        let sent = sent.filter(|_| !is_planted("removed-job-forgotten"));
        if let (Some(sent), Some(retention)) = (sent, attempt.least_retention(view.least_retention(*nominal)))
            && view.second() >= sent.saturating_add(retention)
        {
            return Some(Cause::MaybeRemoved { retention });
        }
        let policy = view.job.spec().policy();
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
        if overlaps || view.suspended() || self.doubtful_until(view).is_some() || self.list.holds() {
            return ListNeed::None;
        }
        let claimed = view.record.claim.as_ref().map(|claim| claim.nominal);
        let claimed = claimed.filter(|nominal| self.holds(view, *nominal) || is_planted("list-before-claim"));
        match claimed.and_then(|nominal| view.claimed_chosen(nominal)) {
            Some(chosen) => ListNeed::Claimed(chosen),
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
            return match self.unanswered_until(view).filter(|_| is_period) {
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
        // One active execution is enough to skip a start.
        let enough = policy.concurrency() == Concurrency::Forbid
            && known.iter().any(|execution| execution.state != ExecutionState::Ended);
        if let Some(execution) = unknown.filter(|_| !enough) {
            let (id, name) = (execution.id.into(), execution.name.into());
            return Admission::After(HostRequest::Check { id, name });
        }
        let mut active = known.iter().filter(|execution| execution.state != ExecutionState::Ended).peekable();
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
            |outcome: &&DecidedOutcome| outcome.requested && self.claim_lost == Some(outcome.nominal);
        let taken = self.outcomes.iter().find(is_taken);
        if let (None, Some(name)) = (&self.unsettled, taken.and_then(|outcome| outcome.execution.clone())) {
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
        let execution = self.unsettled.as_ref().filter(|execution| execution.name == name)?;
        if is_planted("unsettled-job-replaced") {
            return None;
        }
        Some(execution.until.unwrap_or(arrived_at(view.second())))
    }

    /// Gives a period its outcome: a start that was due, or one that is due no more.
    pub(super) fn decide_outcome(
        &mut self,
        start: &DueStart,
        outcome: Outcome,
        execution: Option<String>,
        cause: Cause,
    ) {
        self.due.retain(|other| other.nominal != start.nominal);
        // Its execution may still appear.
        let unknown = outcome != Outcome::Executed && start.may_have_started();
        if unknown && !is_planted("missed-keeps-list") {
            self.list.end();
        }
        if let Some(name) = execution.as_ref().filter(|_| start.is_unsettled()) {
            self.unsettle(name);
        }
        // Most jobs have one or two until they are written, so no room is made for more.
        self.outcomes.reserve_exact(1);
        self.outcomes.push(DecidedOutcome {
            nominal: start.nominal,
            order: start.chosen,
            outcome,
            execution,
            cause,
            requested: start.attempt.sent.is_some(),
            looked_up: start.missed.is_some() || start.attempt.looked_up,
            // The record already says that it is handled.
            sent: start.passed,
        });
    }
}
