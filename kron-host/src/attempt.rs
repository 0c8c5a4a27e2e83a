//! The requests for one start.

use alloc::string::String;

use kron_core::Policy;
use kron_core::planted_bugs::is_planted;

use crate::backoff::Backoff;
use crate::limits::{QUEUE_SECONDS, RETRY_SECONDS, arrived_at};
use crate::report::Cause;

/// The requests to start one execution, so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Attempt {
    /// Unix second of the first request to start it.
    pub(super) sent: Option<i64>,
    /// That of the last one; `None` from when the clock was set to the next look at the time.
    last_sent: Option<i64>,
    /// That of the last one without an answer, alike.
    unanswered: Option<i64>,
    /// The least retention that was known since the first request. It may have changed since then.
    retention: Option<i64>,
    /// Unix second of the first failure.
    pub(super) first_failure: Option<i64>,
    /// Whether a request to start it is under way: until it is answered, nothing is decided.
    pub(super) under_way: bool,
    /// Whether a request may have been carried out although no answer says so.
    pub(super) uncertain: bool,
    pub(super) backoff: Backoff,
    /// The last error.
    pub(super) error: String,
    /// Whether the execution was looked up after the last request, and not found.
    pub(super) looked_up: bool,
}

/// For how many seconds after its first failure a start is tried.
pub(super) fn retry_seconds(policy: &Policy) -> i64 {
    policy.deadline().as_secs().max(RETRY_SECONDS)
}

impl Attempt {
    /// A request is sent. `now` in Unix seconds.
    pub(super) fn send(&mut self, now: i64) {
        self.sent.get_or_insert(now);
        self.last_sent = Some(now);
        self.under_way = true;
        self.looked_up = false;
    }

    /// Takes note of the Unix second `now`, and of the retention that is known then.
    pub(super) fn note(&mut self, now: i64, known: Option<i64>) {
        if self.sent.is_some() {
            self.last_sent.get_or_insert(now);
            self.retention = self.least_retention(known);
        }
        if self.uncertain {
            self.unanswered.get_or_insert(now);
        }
    }

    /// The clock was set.
    pub(super) fn clock_set(&mut self) {
        self.backoff.clock_set();
        (self.last_sent, self.unanswered) = (None, None);
    }

    /// The last request may have been carried out, and no answer will say so.
    pub(super) fn remains_unanswered(&mut self) {
        self.uncertain = true;
        self.unanswered = self.last_sent;
    }

    /// The Unix second from which on no request without an answer is expected to arrive any more, if there was one.
    pub(super) fn arrived_at(&self) -> Option<i64> {
        let last = self.unanswered.filter(|_| self.uncertain && !is_planted("early-look-up-trusted"));
        last.map(arrived_at)
    }

    /// The least retention that an execution of one of the requests can have, given the one that is known now.
    pub(super) fn least_retention(&self, known: Option<i64>) -> Option<i64> {
        self.retention.into_iter().chain(known).min()
    }

    /// A request failed in the Unix second `now`. The next one is made in the millisecond `retry_at`; but once more before
    /// the time to try is over, unless there is no such limit.
    pub(super) fn fail(&mut self, error: String, now: i64, retry_at: i64, retry_seconds: Option<i64>) {
        let first = *self.first_failure.get_or_insert(now);
        let last = retry_seconds.map(|seconds| first.saturating_add(seconds).saturating_mul(1000));
        let last = last.filter(|last| self.backoff.wait(last.saturating_sub(1)).is_none());
        self.backoff.failed(last.map_or(retry_at, |last| retry_at.min(last)));
        self.error = error;
    }

    /// The last second in which it is tried. A start that waits for its turn has not failed: as long as no request has
    /// failed, a start that was decided in the Unix second `decided` is given up only after minutes.
    pub(super) fn limit(&self, policy: &Policy, decided: i64) -> i64 {
        match self.first_failure {
            Some(failed) => failed.saturating_add(retry_seconds(policy)),
            None => decided.saturating_add(QUEUE_SECONDS),
        }
    }

    /// The cause of giving it up after its [`limit`](Attempt::limit).
    pub(super) fn given_up(&self, policy: &Policy) -> Cause {
        match self.first_failure {
            None => Cause::NoTurn { waited: QUEUE_SECONDS },
            Some(_) => Cause::Failed {
                failures: self.backoff.failures(),
                tried: retry_seconds(policy),
                error: self.error.clone(),
            },
        }
    }
}
