//! The state machine and the record: what is to be written, and what a written record confirms.

use alloc::boxed::Box;
use alloc::vec::Vec;

use kron_core::planted_bugs::is_planted;

use crate::claims::Holder;
use crate::dispatcher::Dispatcher;
use crate::handled::Handled;
use crate::limits::{CLAIM_SECONDS, HANDLED_LISTED};
use crate::record::{Claim, Configuration, HandledPeriod, NextStart, Record, RunNow};
use crate::report::{HandledStart, HostReport};
use crate::start::{Start, StartClaim};
use crate::view::HostView;

impl Dispatcher {
    /// The configuration as it is to be written, except for its watermark.
    fn configuration(&self, view: &HostView<'_>) -> Configuration {
        let first =
            || Configuration { since: view.created, hash: view.configuration.into(), handled_through: None };
        let known = self.change.as_deref().or(view.record.configuration.as_ref());
        known.cloned().unwrap_or_else(first)
    }

    /// The handled periods according to the record.
    pub(super) fn stored_handled(&self, view: &HostView<'_>) -> Handled {
        let stored = view.record.handled(view.created);
        match &self.change {
            Some(change) => stored.restarted(change.since),
            None => stored,
        }
    }

    /// The same, with the outcomes that are decided and not written yet.
    pub(super) fn handled(&self, view: &HostView<'_>) -> Handled {
        self.handled_with(view, &[])
    }

    /// The same, with starts that are due, which are not decided again.
    pub(super) fn decided(&self, view: &HostView<'_>) -> Handled {
        self.handled_with(view, &self.due)
    }

    fn handled_with(&self, view: &HostView<'_>, due: &[Start]) -> Handled {
        let mut handled = self.stored_handled(view);
        let decided = self.outcomes.iter().map(|decided| decided.period);
        let periods = decided.chain(due.iter().filter_map(Start::period));
        periods.for_each(|period| handled.insert(period.nominal));
        let counted = self.counted.as_ref().map(|counted| counted.handled_through(&handled));
        handled.raise(counted);
        handled.advance(view.job);
        handled
    }

    /// The record as it is to be written, after [`advance`](Dispatcher::advance) and the [`search`](Dispatcher::search): with
    /// the outcomes, the next start and its claim.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_host::{Dispatcher, HostView, NextStart, Record};
    /// let job = Job::parse("web/ping", "*/5 * * * *")?;
    /// let view = HostView {
    ///     job: &job, revision: 1, configuration: "*/5 * * * *", created: 0, record: &Record::default(), executions: &[],
    ///     retention: None, requested_retention: None, claim_ahead: 5, run_now: None, now: 10_000,
    /// };
    /// let mut dispatcher = Dispatcher::new("host-1");
    /// dispatcher.advance(&view);
    /// let search = dispatcher.search(&view).unwrap();
    /// dispatcher.searched(search.run(&job));
    /// let record = dispatcher.record(&view);
    /// assert_eq!(record.next, Some(NextStart { nominal: 300, chosen: 300 }));
    /// assert_eq!(record.claim.map(|claim| claim.holder), Some("host-1".to_string()));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn record(&self, view: &HostView<'_>) -> Record {
        let next = self.next_start(view);
        let mut record = Record {
            configuration: Some(self.configuration(view)),
            suspended: view.suspended(),
            next,
            claim: next.and_then(|next| self.claim(view, next)),
            ..view.record.clone()
        };
        self.enter_outcomes(view, &mut record);
        let is_named = |run: &&Start| (run.done.is_some() || run.has_turn) && !run.is_displaced(view);
        if let Some(run) = self.run_now.as_deref().filter(is_named) {
            let token = run.token().unwrap_or_default().into();
            let outcome = run.done.as_ref().map(|done| done.outcome);
            let execution = run.done.as_ref().and_then(|done| done.execution.clone());
            record.run_now = Some(RunNow { token, outcome, execution });
        }
        record
    }

    /// Enters the outcomes that are not written yet.
    fn enter_outcomes(&self, view: &HostView<'_>, record: &mut Record) {
        let (handled, mut known) = (self.handled(view), view.record.outcomes());
        let mut last = view.record.last_order(view.job);
        // The watermark cannot pass a start without an outcome. Those after it are listed, as many as a record lists; further
        // ones are written with the outcome of that start.
        let due = self.due.iter().filter_map(Start::period).map(|period| period.nominal);
        let open = due.filter(|nominal| !handled.contains(*nominal)).min();
        let after_open = |nominal: i64| open.is_some_and(|open| nominal > open);
        let listed = known.keys().filter(|nominal| after_open(**nominal)).count();
        let mut room = HANDLED_LISTED.saturating_sub(listed);
        for decided in &self.outcomes {
            let NextStart { nominal, chosen: order } = decided.period;
            if after_open(nominal) {
                if room == 0 {
                    continue;
                }
                room -= 1;
            }
            let (chosen, outcome) = (decided.handled.chosen(), decided.handled.outcome);
            let execution = decided.handled.execution.clone();
            known.insert(nominal, HandledPeriod { nominal, chosen, outcome, execution });
            if last.is_none_or(|last| (order, nominal) > last) {
                last = Some((order, nominal));
                record.last_nominal = Some(nominal);
                record.last_chosen = chosen;
                record.last_outcome = Some(outcome);
            }
        }
        record.enter(handled, &known, view.second());
    }

    /// The claim that the record should have for the next start.
    fn claim(&self, view: &HostView<'_>, next: NextStart) -> Option<Claim> {
        let NextStart { nominal, chosen } = next;
        let start = self.due(nominal);
        // A claim that may have been used gets an outcome, and is never replaced.
        if view.suspended() && !start.is_some_and(|start| start.is_settled_only(&self.claims)) {
            return None;
        }
        let mut retention = view.retention;
        if let Some(claim) = view.claim_of(nominal) {
            let missed = start.is_some_and(Start::is_missed);
            // There is time: its holder is gone, or this process has to confirm it after a pause.
            let far = view.second() < chosen.saturating_sub(view.claim_ahead);
            // Another process is alive, and has taken it from this one.
            let lost = self.claims.is_lost(claim);
            let left = far || lost && view.second() < view.holder_until(nominal, chosen);
            if missed || left || self.holds(view, nominal) {
                return Some(claim.clone());
            }
            // It may have been used, and its execution is removed as it was to be then.
            let used = claim.retention.filter(|_| chosen <= view.second());
            retention = used.into_iter().chain(retention).min();
        }
        Some(Claim { nominal, holder: (*self.claims.name).into(), time: view.second(), retention })
    }

    /// Whether this process holds the claim of a period: the record names it, and its write was answered.
    pub(super) fn holds(&self, view: &HostView<'_>, nominal: i64) -> bool {
        is_planted("claim-not-checked") || self.claims.holder(view.claim_of(nominal)) == Holder::Mine
    }

    /// Whether a period is claimed by another process, or by this one in a write that it does not remember.
    pub(super) fn is_claimed_by_another(&self, view: &HostView<'_>, nominal: i64) -> bool {
        match self.claims.holder(view.claim_of(nominal)) {
            Holder::Another => true,
            Holder::Unsent => !is_planted("own-claim-forgotten"),
            Holder::Nobody | Holder::Mine | Holder::Sent => false,
        }
    }

    /// Whether a start waits for this record to be written: it is due, or within 5 s, and not claimed. A claim whose write
    /// was not answered may be stored already, and is written again to know that it is.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_host::{Dispatcher, HostView, Record};
    /// let job = Job::parse("web/ping", "*/5 * * * *")?;
    /// for (second, urgent) in [(290, false), (295, true)] {
    ///     let view = HostView {
    ///         job: &job, revision: 1, configuration: "*/5 * * * *", created: 0, record: &Record::default(), executions: &[],
    ///         retention: None, requested_retention: None, claim_ahead: 5, run_now: None, now: second * 1000,
    ///     };
    ///     let mut dispatcher = Dispatcher::new("host-1");
    ///     let search = dispatcher.search(&view).unwrap();
    ///     dispatcher.searched(search.run(&job));
    ///     assert_eq!(dispatcher.claim_is_urgent(&view, &dispatcher.record(&view)), urgent);
    /// }
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn claim_is_urgent(&self, view: &HostView<'_>, wanted: &Record) -> bool {
        let soon = view.second().saturating_add(CLAIM_SECONDS);
        wanted.next.is_some_and(|next| next.chosen <= soon)
            && matches!(self.claims.holder(wanted.claim.as_ref()), Holder::Sent | Holder::Unsent)
    }

    /// The next second at which there is something to be done about the claim.
    pub(super) fn claim_due(&self, view: &HostView<'_>, wanted: &Record) -> Option<i64> {
        let claim = wanted.claim.as_ref()?;
        let chosen = wanted.next?.chosen;
        let confirmed = self.claims.holder(Some(claim)) == Holder::Mine;
        let replaced = chosen.saturating_sub(view.claim_ahead);
        let urgent = chosen.saturating_sub(CLAIM_SECONDS);
        let left = view.holder_until(claim.nominal, chosen);
        [replaced, urgent, left].into_iter().filter(|second| !confirmed && *second > view.second()).min()
    }

    /// The outcomes that are decided and not written yet. They will be [reported](HostReport::Handled) once the [record](Dispatcher::record) is
    /// written, in the order in which they were decided. A host with a history writes them together with the record, so that
    /// both or neither are stored. Missed periods that are only counted are not among them.
    ///
    /// ```
    /// use kron_core::{Job, Outcome};
    /// use kron_host::{Dispatcher, HostView, Record};
    /// let job = Job::parse("web/ping", "*/5 * * * *")?;
    /// let view = HostView {
    ///     job: &job, revision: 1, configuration: "*/5 * * * *", created: 0, record: &Record::default(), executions: &[],
    ///     retention: None, requested_retention: None, claim_ahead: 5, run_now: None, now: 301_000,
    /// };
    /// let mut dispatcher = Dispatcher::new("host-1");
    /// dispatcher.advance(&view);
    /// let unwritten = dispatcher.unwritten();
    /// assert_eq!((unwritten[0].nominal(), unwritten[0].outcome), (Some(300), Outcome::Missed));
    /// assert!(dispatcher.take_reports().is_empty());
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn unwritten(&self) -> Vec<HandledStart> {
        let periods = self.outcomes.iter().map(|decided| &decided.handled);
        let handled = periods.chain(self.run_now.iter().filter_map(|run| run.done.as_ref()));
        handled.cloned().collect()
    }

    /// A record is about to be written.
    ///
    /// ```
    /// use kron_host::{Dispatcher, Record};
    /// let mut dispatcher = Dispatcher::new("host-1");
    /// dispatcher.writing(&Record::default());
    /// dispatcher.written();
    /// assert_eq!(dispatcher, Dispatcher::new("host-1"));
    /// ```
    pub fn writing(&mut self, record: &Record) {
        self.outcomes.iter_mut().for_each(|outcome| outcome.sent = true);
        for start in &mut self.due {
            start.passed |=
                start.period().is_some_and(|period| Some(period.nominal) <= record.handled_through());
        }
        self.claims.write(record.claim.as_ref());
        if let Some(run) = &mut self.run_now {
            let named = record.run_now.as_ref().is_some_and(|stored| Some(&*stored.token) == run.token());
            // A claim of another process that stays in the record is not a claim of this one.
            if named && run.claim == StartClaim::Nobody && run.done.is_none() {
                run.claim = StartClaim::Sent { shown: false };
            }
        }
    }

    /// The record was written, and replaced the version that was read.
    ///
    /// ```
    /// use kron_host::{Claim, Dispatcher, Record};
    /// let claim = Claim { nominal: 300, holder: "host-1".into(), time: 0, retention: None };
    /// let mut dispatcher = Dispatcher::new("host-1");
    /// dispatcher.writing(&Record { claim: Some(claim), ..Record::default() });
    /// dispatcher.written();
    /// assert_ne!(dispatcher, Dispatcher::new("host-1"));
    /// ```
    pub fn written(&mut self) {
        self.claims.written();
        if let Some(run) = self.run_now.as_mut().filter(|run| matches!(run.claim, StartClaim::Sent { .. })) {
            run.claim = StartClaim::Mine;
        }
    }

    /// The record could not be written. `uncertain`: it may have been written nevertheless. `overtaken`: another writer
    /// has changed it since it was read.
    ///
    /// ```
    /// use kron_host::{Claim, Dispatcher, Record};
    /// let claim = Claim { nominal: 300, holder: "host-1".into(), time: 0, retention: None };
    /// let mut dispatcher = Dispatcher::new("host-1");
    /// dispatcher.writing(&Record { claim: Some(claim), ..Record::default() });
    /// dispatcher.not_written(false, true);
    /// assert_eq!(dispatcher, Dispatcher::new("host-1"));
    /// ```
    pub fn not_written(&mut self, uncertain: bool, overtaken: bool) {
        self.claims.not_written(uncertain, overtaken);
        if !uncertain {
            self.outcomes.iter_mut().for_each(|outcome| outcome.sent = false);
        }
        if let Some(run) = self.run_now.as_mut() {
            run.claim = run.claim.not_written();
        }
    }

    /// Removes the outcomes that the record now shows, and reports them; removes those that another process decided
    /// differently, and starts that are handled.
    pub(super) fn confirm(&mut self, view: &HostView<'_>) {
        let stored = self.stored_handled(view);
        let known = view.record.outcomes();
        // A record with the claim of another process was written by that process, after or instead of a write without
        // an answer.
        let foreign = view.record.claim.as_ref().is_some_and(|claim| self.claims.is_of_another(claim));
        self.outcomes.retain(|decided| {
            let nominal = decided.period.nominal;
            let entry = known.get(&nominal);
            // Of several outcomes of one write the record may name only the last.
            let same = match entry {
                Some(entry) => entry.outcome == decided.handled.outcome,
                None => decided.sent && stored.contains(nominal) && !foreign,
            };
            if same {
                self.reports.push(HostReport::Handled(decided.handled.clone()));
            }
            entry.is_none() && !stored.contains(nominal)
        });
        // What another process has handled, or this one before it saw an old record, is over.
        let is_over = |start: &Start| start.period().is_none_or(|period| stored.contains(period.nominal));
        self.due.retain(|start| start.passed || !is_over(start));
        if self.outcomes.is_empty() && self.older_missed > 0 {
            self.reports.push(HostReport::OlderMissed(core::mem::take(&mut self.older_missed)));
        }
        if let Some(run) = self.run_now.take_if(|run| run.has_stored_outcome(view)) {
            self.reports.extend(run.done.map(HostReport::Handled));
        }
    }

    /// What was listed does not show the execution of a token that another process has claimed, or given its outcome.
    pub(super) fn notice_another_token(&mut self, view: &HostView<'_>) {
        let stored = view.record.run_now.as_ref();
        if stored == self.token_seen.as_deref() {
            return;
        }
        self.token_seen = stored.cloned().map(Box::new);
        let Some(stored) = stored else { return };
        let run = self.run_now.as_ref().filter(|run| run.token() == Some(&stored.token));
        let ours = run.is_some_and(|run| match stored.outcome {
            None => matches!(run.claim, StartClaim::Sent { .. } | StartClaim::Mine),
            Some(outcome) => run.done.as_ref().is_some_and(|done| done.outcome == outcome),
        });
        if !ours && !is_planted("token-keeps-list") {
            self.list.end();
        }
    }

    /// Records that another process took a claim of this one, and that what was listed does not show its executions.
    pub(super) fn notice_another_holder(&mut self, view: &HostView<'_>) {
        let claim = view.record.claim.as_ref();
        let Some(claim) = claim.filter(|claim| self.claims.is_of_another(claim)) else { return };
        if self.due(claim.nominal).is_none() {
            self.list.end_for_later_starts();
        } else if !is_planted("list-before-claim") {
            self.list.end();
            self.check = None;
        }
        if self.claims.notice(claim) {
            self.reports.push(HostReport::ClaimedByAnother { holder: claim.holder.clone() });
        }
    }
}
