//! Writes to the store: one at a time, each with everything that is to be written then.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::Arc;

use kron_host::{HandledPeriod, Trigger};

use super::slot::{Slot, Written};
use crate::handler::BoxFuture;
use crate::record::{ClockAhead, ExecutionRecord, JobRecord};
use crate::result::ExecutionResult;
use crate::store::{Change, Store, StoreError, StoredJob};

/// The first wait after a write that failed, in milliseconds; it doubles with each further failure.
const FIRST_RETRY: i64 = 250;
/// The longest wait between two writes that fail.
const LAST_RETRY: i64 = 10_000;
/// A runner that shuts down ends after this many failed writes in a row.
const LAST_FAILURES: u32 = 4;

/// Most jobs in one write: further ones follow in the next one, so that the starts of the first need not wait for them.
const JOBS: usize = 256;
/// A write waits for so many jobs while many starts are under way, as each write has a cost of its own.
const GATHERED: usize = 64;
/// For so many milliseconds at most.
const GATHERING: i64 = 50;

/// The writes of a runner.
#[derive(Default)]
pub(super) struct Commit {
    /// The write that is under way.
    under_way: Option<BoxFuture<'static, Result<(), StoreError>>>,
    /// What it writes of which job.
    jobs: Vec<(Arc<str>, Written)>,
    /// Changes of jobs that the runner does not have.
    others: Vec<Change>,
    /// How many of `others` are in the write that is under way.
    others_under_way: usize,
    failures: u32,
    /// Why the last write failed, if it did.
    error: Option<StoreError>,
    retry_at: Option<i64>,
    /// Until when the next write waits for more jobs, in Unix milliseconds.
    gathers_until: Option<i64>,
    /// The last job of the last write. The next one goes on behind it, so that each job has its turn.
    last: Option<Arc<str>>,
}

/// What the engine has to do after a write.
pub(super) struct EndedCommit {
    /// The jobs of which something was to be written.
    pub(super) jobs: Vec<Arc<str>>,
    /// The executions whose records are stored now: they are to be started.
    pub(super) ready: Vec<(Arc<str>, String)>,
    /// Why the write failed, and when it is tried again in Unix milliseconds.
    pub(super) failure: Option<(StoreError, i64)>,
}

/// Waits for a future; for ever if there is none.
pub(super) async fn wait_for<T>(future: &mut Option<BoxFuture<'static, T>>) -> T {
    match future {
        Some(future) => future.await,
        None => std::future::pending().await,
    }
}

impl Commit {
    /// Begins to write what is to be written, unless a write is under way or failed a moment ago. `dirty` are the jobs of which
    /// something is to be written, `more` says whether more of them will have in a moment, and `now` is in Unix milliseconds.
    pub(super) fn begin(
        &mut self,
        store: &Arc<dyn Store>,
        slots: &mut BTreeMap<Arc<str>, Slot>,
        dirty: &mut BTreeSet<Arc<str>>,
        more: bool,
        now: i64,
    ) {
        // Whoever waits for the next write does not wait for a time that has passed.
        self.retry_at.take_if(|at| *at <= now);
        let waits = self.retry_at.is_some();
        let nothing = dirty.is_empty() && self.others.is_empty();
        if self.under_way.is_some() || waits || nothing || self.gathers(dirty.len(), more, now) {
            return;
        }
        self.gathers_until = None;
        let mut changes = self.others.clone();
        self.others_under_way = changes.len();
        for name in self.next_jobs(dirty) {
            if let Some(slot) = slots.get_mut(&name).filter(|slot| slot.is_dirty()) {
                let written = slot.write(&mut changes, now);
                self.jobs.push((name, written));
            }
        }
        if changes.is_empty() {
            return;
        }
        let store = store.clone();
        self.under_way = Some(Box::pin(async move { store.commit(changes).await }));
    }

    /// Whether the next write waits for more jobs.
    fn gathers(&mut self, jobs: usize, more: bool, now: i64) -> bool {
        if !more || jobs >= GATHERED {
            return false;
        }
        let until = *self.gathers_until.get_or_insert(now.saturating_add(GATHERING));
        // The clock may have been set meanwhile.
        (1..=GATHERING).contains(&until.saturating_sub(now))
    }

    /// Takes the jobs of the next write out of those that have something to be written.
    fn next_jobs(&mut self, dirty: &mut BTreeSet<Arc<str>>) -> Vec<Arc<str>> {
        let after = self.last.take().map_or(Bound::Unbounded, Bound::Excluded);
        let behind = dirty.range((after.clone(), Bound::Unbounded));
        let before = match &after {
            Bound::Excluded(last) => Some(dirty.range::<Arc<str>, _>(..=last)),
            _ => None,
        };
        let jobs: Vec<Arc<str>> = behind.chain(before.into_iter().flatten()).take(JOBS).cloned().collect();
        jobs.iter().for_each(|name| _ = dirty.remove(name));
        self.last = jobs.last().cloned();
        jobs
    }

    /// A write ended. `now` in Unix milliseconds.
    pub(super) fn end(
        &mut self,
        result: Result<(), StoreError>,
        slots: &mut BTreeMap<Arc<str>, Slot>,
        now: i64,
    ) -> EndedCommit {
        self.under_way = None;
        let jobs = std::mem::take(&mut self.jobs);
        let others = std::mem::take(&mut self.others_under_way);
        let names = jobs.iter().map(|(name, _)| name.clone()).collect();
        let mut ended = EndedCommit { jobs: names, ready: Vec::new(), failure: None };
        match result {
            Ok(()) => {
                (self.failures, self.error) = (0, None);
                self.others.drain(..others);
                for (name, written) in jobs {
                    let ready = slots.get_mut(&name).map(|slot| slot.written(written));
                    ended
                        .ready
                        .extend(ready.into_iter().flatten().map(|execution| (name.clone(), execution)));
                }
            }
            Err(error) => {
                let wait = FIRST_RETRY.saturating_mul(1 << self.failures.min(20)).min(LAST_RETRY);
                let retry_at = now.saturating_add(wait);
                self.failures += 1;
                self.error = Some(error.clone());
                self.retry_at = Some(retry_at);
                let message = error.to_string();
                for (name, written) in jobs {
                    if let Some(slot) = slots.get_mut(&name) {
                        slot.not_written(written, &message, retry_at, now);
                    }
                }
                ended.failure = Some((error, retry_at));
            }
        }
        ended
    }

    /// Waits for the end of the write that is under way; for ever if there is none.
    pub(super) async fn wait(&mut self) -> Result<(), StoreError> {
        wait_for(&mut self.under_way).await
    }

    pub(super) fn is_under_way(&self) -> bool {
        self.under_way.is_some()
    }

    /// The clock was set, so the time of the next attempt means nothing.
    pub(super) fn clock_set(&mut self) {
        (self.retry_at, self.gathers_until) = (None, None);
    }

    /// Writes that periods are decided again, as the clock went back. See [`Change::Reopened`].
    pub(super) fn reopened(&mut self, now: i64, recorded_from: i64, ahead: &[ClockAhead]) {
        self.others.push(Change::Reopened { now, recorded_from, ahead: ahead.to_vec() });
    }

    /// When the next write begins that waits now, in Unix milliseconds.
    pub(super) fn begins_at(&self) -> Option<i64> {
        self.retry_at.or(self.gathers_until)
    }

    /// Whether everything is written, or cannot be.
    pub(super) fn is_over(&self, clean: bool) -> bool {
        let written = clean && self.others.is_empty();
        self.under_way.is_none() && (written || self.failures >= LAST_FAILURES)
    }

    /// Why a runner that is over has not written everything; `None` if it has.
    pub(super) fn unwritten(&mut self, clean: bool) -> Option<StoreError> {
        self.error.take().filter(|_| !clean || !self.others.is_empty())
    }

    /// Writes that the runner does not have a job, and that its executions have ended.
    pub(super) fn remove(&mut self, mut stored: StoredJob, now: i64) {
        let executions = std::mem::take(&mut stored.executions);
        mark_removed(&mut stored);
        for mut execution in executions {
            if execution.began.is_none() {
                self.others.extend(lose_claim(&mut stored.job, &execution, now));
                self.others.push(Change::RemoveExecution { job: execution.job, name: execution.name });
            } else if execution.ended.is_none() {
                let message = "the runner ended before the execution did, and its job was removed";
                execution.ended = Some(now);
                execution.result = Some(ExecutionResult::unknown(message));
                self.others.push(Change::Execution(Box::new(execution)));
            }
        }
        self.others.push(Change::Job(Box::new(stored.job)));
    }
}

/// Enters that nobody knows whether the start of a claimed period was made. `now` is in Unix milliseconds.
fn lose_claim(job: &mut JobRecord, execution: &ExecutionRecord, now: i64) -> Option<Change> {
    let Trigger::Period { nominal, chosen } = execution.trigger else { return None };
    let record = &mut job.record;
    record.claim.take_if(|claim| claim.nominal == nominal)?;
    let lost = execution.outcome(now)?;
    if let Err(place) = record.handled.binary_search_by_key(&nominal, |period| period.nominal) {
        let (chosen, outcome) = (Some(chosen), lost.outcome);
        record.handled.insert(place, HandledPeriod { nominal, chosen, outcome, execution: None });
    }
    Some(Change::Outcome(Box::new(lost)))
}

/// A job that the runner does not have counts as suspended: if it returns, nothing starts retroactively.
pub(super) fn mark_removed(stored: &mut StoredJob) {
    stored.job.removed = true;
    stored.job.record.suspended = true;
    stored.executions.retain(|execution| execution.ended.is_some());
}
