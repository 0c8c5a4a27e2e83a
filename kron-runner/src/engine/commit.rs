//! Writes to the store: one at a time, each with everything that is to be written then.

use std::sync::Arc;

use super::Engine;
use super::slot::Written;
use crate::handler::{BoxFuture, ExecutionResult};
use crate::runner::RunnerEvent;
use crate::store::{Change, StoreError, StoredJob};

/// The first wait after a write that failed, in milliseconds; it doubles with each further failure.
const FIRST_RETRY: i64 = 250;
/// The longest wait between two writes that fail.
const LAST_RETRY: i64 = 10_000;
/// A runner that shuts down ends after this many failed writes in a row.
const LAST_FAILURES: u32 = 4;

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
    retry_at: Option<i64>,
}

/// Waits for a future; for ever if there is none.
pub(super) async fn wait_for<T>(future: &mut Option<BoxFuture<'static, T>>) -> T {
    match future {
        Some(future) => future.await,
        None => std::future::pending().await,
    }
}

impl Commit {
    /// Waits for the end of the write that is under way; for ever if there is none.
    pub(super) async fn wait(&mut self) -> Result<(), StoreError> {
        wait_for(&mut self.under_way).await
    }

    pub(super) fn retry_at(&self) -> Option<i64> {
        self.retry_at
    }

    /// Whether everything is written, or cannot be.
    pub(super) fn is_over(&self, clean: bool) -> bool {
        let written = clean && self.others.is_empty();
        self.under_way.is_none() && (written || self.failures >= LAST_FAILURES)
    }

    /// Writes that the runner does not have a job, and that its executions have ended.
    pub(super) fn remove(&mut self, mut stored: StoredJob, now: i64) {
        let executions = std::mem::take(&mut stored.executions);
        mark_removed(&mut stored);
        for mut execution in executions {
            if execution.began.is_none() {
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

/// A job that the runner does not have counts as suspended: if it returns, nothing starts retroactively.
pub(super) fn mark_removed(stored: &mut StoredJob) {
    stored.job.removed = true;
    stored.job.record.suspended = true;
    stored.executions.retain(|execution| execution.ended.is_some());
}

impl Engine {
    /// Begins to write what is to be written, unless a write is under way or failed a moment ago.
    pub(super) fn begin_commit(&mut self, now: i64) {
        let waits = self.commit.retry_at.is_some_and(|at| now < at);
        let nothing = self.dirty.is_empty() && self.commit.others.is_empty();
        if self.commit.under_way.is_some() || waits || nothing {
            return;
        }
        self.commit.retry_at = None;
        let mut changes = self.commit.others.clone();
        self.commit.others_under_way = changes.len();
        for name in std::mem::take(&mut self.dirty) {
            if let Some(slot) = self.slots.get_mut(&name).filter(|slot| slot.is_dirty()) {
                let written = slot.write(&mut changes, now);
                self.commit.jobs.push((name, written));
            }
        }
        if changes.is_empty() {
            return;
        }
        let store = self.store.clone();
        self.commit.under_way = Some(Box::pin(async move { store.commit(changes).await }));
    }

    /// A write ended.
    pub(super) fn end_commit(&mut self, result: Result<(), StoreError>) {
        self.commit.under_way = None;
        let jobs = std::mem::take(&mut self.commit.jobs);
        let others = std::mem::take(&mut self.commit.others_under_way);
        let now = self.now();
        self.report.store_works = result.is_ok();
        let names: Vec<Arc<str>> = jobs.iter().map(|(name, _)| name.clone()).collect();
        match result {
            Ok(()) => {
                self.commit.failures = 0;
                self.commit.others.drain(..others);
                for (name, written) in jobs {
                    let ready = self.slots.get_mut(&name).map(|slot| slot.written(written));
                    for execution in ready.into_iter().flatten() {
                        self.start(&name, &execution);
                    }
                }
            }
            Err(error) => {
                let wait = FIRST_RETRY.saturating_mul(1 << self.commit.failures.min(20)).min(LAST_RETRY);
                let retry_at = now.saturating_add(wait);
                self.commit.failures += 1;
                self.commit.retry_at = Some(retry_at);
                self.report.store_errors += 1;
                let message = error.to_string();
                for (name, written) in jobs {
                    if let Some(slot) = self.slots.get_mut(&name) {
                        slot.not_written(written, &message, retry_at, now);
                    }
                }
                self.emit(&RunnerEvent::StoreFailed { error, retry_at });
            }
        }
        for name in names {
            self.step(&name);
        }
    }
}
