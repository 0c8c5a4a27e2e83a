//! One start, of a period or of a token, and its states: those of the diagram in docs/explain/protocol.md.

use alloc::string::String;

use kron_core::Outcome;
use kron_core::planted_bugs::is_planted;

use crate::attempt::{Attempt, retry_seconds};
use crate::claims::Claims;
use crate::limits::{HOLDER_SECONDS, QUEUE_SECONDS, arrived_at};
use crate::record::NextStart;
use crate::report::{Cause, HandledStart};
use crate::request::Trigger;
use crate::view::HostView;

/// The state of a start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// This process has no claim of it.
    Waiting,
    /// This process has claimed it, and no request may have started it.
    Claimed,
    /// A request to start it is under way: until it is answered, nothing is decided.
    Requested,
    /// A request without an answer, or another process, may have started it.
    Unknown,
    /// It has its outcome.
    Done,
}

/// Who has claimed a start. What this process wrote of a period is in [`Claims`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum StartClaim {
    /// Nobody, as far as is known.
    #[default]
    Nobody,
    /// This process, in the write that is under way. `shown`: the record has it already.
    Sent { shown: bool },
    /// This process, as an answer has confirmed.
    Mine,
    /// Another process, or this one in a write that it does not remember: it may have started it.
    Another,
}

impl StartClaim {
    /// The write that is under way was refused, or no answer says what became of it.
    pub(super) fn not_written(self) -> StartClaim {
        match self {
            StartClaim::Sent { shown: false } => StartClaim::Nobody,
            StartClaim::Sent { shown: true } => StartClaim::Another,
            known => known,
        }
    }
}

/// A start that is due or asked for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Start {
    pub(super) trigger: Trigger,
    /// Unix second at which it was decided, or at which the turn of a token came.
    pub(super) decided: i64,
    pub(super) claim: StartClaim,
    /// Unix second in which this process has first seen the token or that another process has claimed the period, or in which that
    /// process has claimed it later; `None` from a pause, or when the clock was set, to the next look.
    pub(super) seen: Option<i64>,
    /// The cause for which no request is made any more, if there is one: an answer, or what was found before the first request. It is
    /// missed, unless the store has its execution.
    pub(super) ended: Option<Cause>,
    /// Whether this process wrote a record whose watermark is after it: an edit took its period out of the schedule.
    pub(super) passed: bool,
    /// Whether the record is to name the token, as its turn has come.
    pub(super) has_turn: bool,
    pub(super) attempt: Attempt,
    /// The outcome of a token, once it is decided. A period that has one is due no more.
    pub(super) done: Option<HandledStart>,
}

impl Start {
    pub(super) fn new(trigger: Trigger, now: i64) -> Start {
        Start {
            trigger,
            decided: now,
            claim: StartClaim::Nobody,
            seen: Some(now),
            ended: None,
            passed: false,
            has_turn: false,
            attempt: Attempt::default(),
            done: None,
        }
    }

    /// Its period with its chosen time, unless it is of a token.
    pub(super) fn period(&self) -> Option<NextStart> {
        self.trigger.period()
    }

    /// Whether it is of that period.
    pub(super) fn is_of(&self, nominal: i64) -> bool {
        self.period().is_some_and(|period| period.nominal == nominal)
    }

    /// Whether it is of the same period or token.
    pub(super) fn is(&self, trigger: &Trigger) -> bool {
        match trigger {
            Trigger::Period { nominal, .. } => self.is_of(*nominal),
            Trigger::RunNow { .. } => self.trigger == *trigger,
        }
    }

    /// Its token, unless it is of a period.
    pub(super) fn token(&self) -> Option<&str> {
        if let Trigger::RunNow { token } = &self.trigger { Some(token) } else { None }
    }

    /// Whether another process may have started it, or this one without knowing it.
    pub(super) fn is_recovered(&self, view: &HostView<'_>) -> bool {
        self.claim == StartClaim::Another && (self.token().is_none() || self.is_claimed(view))
    }

    /// Whether a request without an answer, or another process, may have started it.
    pub(super) fn may_have_started(&self, view: &HostView<'_>) -> bool {
        self.attempt.uncertain || self.is_recovered(view)
    }

    /// Whether a request for it may be on its way although its execution is there: this process sent one after another that was
    /// not answered, or after another process had claimed the period.
    pub(super) fn is_unsettled(&self) -> bool {
        let recovered = self.token().is_none() && self.claim == StartClaim::Another;
        self.attempt.uncertain || recovered && self.attempt.sent.is_some()
    }

    /// Whether another process may have started the period, and this one has claimed it since. Nothing else says so any more.
    pub(super) fn is_taken(&self, claims: &Claims) -> bool {
        let claimed = self.period().is_some_and(|period| claims.sent(period.nominal));
        self.claim == StartClaim::Another && claimed && !is_planted("taken-claim-forgotten")
    }

    /// Whether an answer has ended it.
    pub(super) fn is_refused(&self) -> bool {
        self.ended.is_some() && self.attempt.sent.is_some()
    }

    /// Whether it was missed before the first request for it.
    pub(super) fn is_missed(&self) -> bool {
        self.ended.is_some() && self.attempt.sent.is_none()
    }

    /// Whether it may have been started, or has an outcome already: then an edit does not change it.
    pub(super) fn is_final(&self) -> bool {
        self.attempt.sent.is_some() || self.ended.is_some()
    }

    /// Whether its claim may have been used: it gets an outcome, and nothing replaces it.
    pub(super) fn is_settled_only(&self, claims: &Claims) -> bool {
        self.is_final() || self.is_taken(claims)
    }

    /// Whether the time has gone on, or the clock was set: what is not known any more is known from now on.
    pub(super) fn note(&mut self, view: &HostView<'_>) {
        self.attempt.note(view.second(), view.least_retention(&self.trigger));
        self.seen.get_or_insert(view.second());
    }

    /// The process did not run for a while.
    pub(super) fn paused(&mut self) {
        (self.seen, self.attempt.looked_up) = (None, false);
        self.claim = match self.claim.not_written() {
            StartClaim::Mine => StartClaim::Another,
            known => known,
        };
    }

    /// The clock was set.
    pub(super) fn clock_set(&mut self) {
        self.attempt.clock_set();
        self.seen = None;
    }

    /// The Unix second from which on no request of another process to make it is expected to arrive any more.
    pub(super) fn others_arrived_at(&self, view: &HostView<'_>) -> Option<i64> {
        if !self.is_recovered(view) {
            return None;
        }
        let seen = self.seen.unwrap_or(view.second());
        // The holder of a token may be starting it at this moment.
        let Some(NextStart { nominal, chosen }) = self.period() else { return Some(arrived_at(seen)) };
        let claimed = view.claim_of(nominal).map_or(chosen, |claim| claim.time.max(chosen));
        // A process decides it within the deadline, has its turn within minutes, and tries for as long as the deadline at least. It
        // does not try later, so nothing waits for one that was gone before.
        let tries = HOLDER_SECONDS + QUEUE_SECONDS + 2 * retry_seconds(view.job.spec().policy());
        Some(arrived_at(seen.min(claimed.saturating_add(tries))))
    }

    /// Its outcome, with an execution or without one.
    pub(super) fn handled(&self, outcome: Outcome, execution: Option<String>, cause: Cause) -> HandledStart {
        HandledStart { trigger: self.trigger.clone(), outcome, execution, cause }
    }
}
