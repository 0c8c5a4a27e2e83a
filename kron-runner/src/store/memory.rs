//! The store in memory.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kron_core::Outcome;
use kron_host::Trigger;

use super::{Change, HistoryLimits, LATE, Store, StoreError, StoredJob};
use crate::handler::BoxFuture;
use crate::record::{ClockAhead, ExecutionRecord, JobRecord, OlderMissed, OutcomeRecord, RunnerRecord};
use crate::result::ExecutionStatus;

/// Keeps the state of the jobs in memory: it lasts as long as the process. Clones share one state, so that a program can
/// read what its runner writes.
///
/// ```
/// use kron_runner::MemoryStore;
/// let store = MemoryStore::new();
/// assert!(store.jobs().is_empty() && store.outcomes("web/ping").is_empty());
/// ```
#[derive(Clone, Debug, Default)]
pub struct MemoryStore {
    tables: Arc<Mutex<Tables>>,
}

#[derive(Debug, Default)]
struct Tables {
    jobs: BTreeMap<String, JobRecord>,
    /// By job and name.
    executions: BTreeMap<(String, String), ExecutionRecord>,
    outcomes: Vec<OutcomeRecord>,
    older_missed: Vec<OlderMissed>,
    clock_ahead: Vec<ClockAhead>,
    runners: Vec<RunnerRecord>,
}

impl MemoryStore {
    /// An empty store.
    pub fn new() -> MemoryStore {
        MemoryStore::default()
    }

    fn tables(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All jobs, by name.
    pub fn jobs(&self) -> Vec<JobRecord> {
        self.tables().jobs.values().cloned().collect()
    }

    /// The executions of a job, in the order in which they were started.
    pub fn executions(&self, job: &str) -> Vec<ExecutionRecord> {
        let tables = self.tables();
        let mut found: Vec<ExecutionRecord> =
            tables.executions.values().filter(|execution| execution.job == job).cloned().collect();
        found.sort_by_key(|execution| (execution.created, execution.name.clone()));
        found
    }

    /// The outcomes of a job, in the order in which they were recorded.
    pub fn outcomes(&self, job: &str) -> Vec<OutcomeRecord> {
        self.tables().outcomes.iter().filter(|outcome| outcome.job == job).cloned().collect()
    }

    /// The missed periods of a job that were counted and not listed.
    pub fn older_missed(&self, job: &str) -> Vec<OlderMissed> {
        self.tables().older_missed.iter().filter(|missed| missed.job == job).cloned().collect()
    }

    /// The runners that had the store, in order.
    pub fn runners(&self) -> Vec<RunnerRecord> {
        self.tables().runners.clone()
    }
}

impl Tables {
    fn load(&mut self, runner: &RunnerRecord) -> Vec<StoredJob> {
        self.runners.push(runner.clone());
        let stored = |job: &JobRecord| {
            let all = self.executions.values().filter(|execution| execution.job == job.name);
            let executions = all.filter(|execution| StoredJob::needs(job, execution)).cloned().collect();
            StoredJob { job: job.clone(), executions }
        };
        self.jobs.values().map(stored).collect()
    }

    fn apply(&mut self, change: Change) {
        match change {
            Change::Job(job) => _ = self.jobs.insert(job.name.clone(), *job),
            Change::Execution(execution) => {
                let key = (execution.job.clone(), execution.name.clone());
                self.executions.insert(key, *execution);
            }
            Change::RemoveExecution { job, name } => _ = self.executions.remove(&(job, name)),
            Change::Outcome(outcome) => {
                let of =
                    |outcome: &OutcomeRecord| (outcome.job.clone(), outcome.nominal, outcome.token.clone());
                match self.outcomes.iter_mut().find(|known| of(known) == of(&outcome)) {
                    None => self.outcomes.push(*outcome),
                    Some(known) if outcome.replaces(known) => *known = *outcome,
                    Some(_) => {}
                }
            }
            Change::OlderMissed(missed) => self.older_missed.push(missed),
            Change::Trim { job, limits } => self.trim(&job, limits),
            Change::Reopened { now, recorded_from, ahead } => {
                self.outcomes.retain(|outcome| {
                    let later = outcome.chosen.is_some_and(|chosen| chosen > now);
                    let opened = matches!(outcome.outcome, Outcome::Missed | Outcome::Skipped);
                    !(later && opened && outcome.recorded >= recorded_from && !outcome.is_lost())
                });
                self.older_missed.retain(|missed| missed.recorded < recorded_from.max(now * 1000));
                self.clock_ahead.retain(|ahead| ahead.through > now);
                for ahead in ahead {
                    if !self.clock_ahead.contains(&ahead) {
                        self.clock_ahead.push(ahead);
                    }
                }
            }
            Change::RunnerStopped { name, at } => {
                let all = self.runners.iter_mut().filter(|runner| runner.name == name);
                all.for_each(|runner| runner.stopped = Some(at));
            }
        }
    }

    fn trim(&mut self, job: &str, limits: HistoryLimits) {
        let row = self.jobs.get(job);
        let is_late = |execution: &ExecutionRecord| match execution.trigger {
            Trigger::Period { chosen, .. } => execution.created - chosen * 1000 > LATE,
            Trigger::RunNow { .. } => false,
        };
        let of_job = self.executions.values().filter(|execution| execution.job == job);
        let late = of_job.filter(|execution| is_late(execution)).max_by_key(|execution| execution.created);
        let late = late.map(|execution| execution.name.clone());
        for (successful, kept) in [(true, limits.successful), (false, limits.failed)] {
            let all = self.executions.values().filter(|execution| {
                let status = execution.result.as_ref().map(|result| result.status);
                let of_kind = successful == (status == Some(ExecutionStatus::Succeeded));
                let needed = row.is_some_and(|row| StoredJob::needs(row, execution));
                let needed = needed || late.as_ref() == Some(&execution.name);
                execution.job == job && of_kind && !needed && execution.ended.is_some()
            });
            let mut all: Vec<(i64, String)> =
                all.map(|execution| (execution.created, execution.name.clone())).collect();
            all.sort();
            let beyond = all.len().saturating_sub(kept as usize);
            for (_, name) in all.into_iter().take(beyond) {
                self.executions.remove(&(job.to_string(), name));
            }
        }
        let count = self.outcomes.iter().filter(|outcome| outcome.job == job).count();
        let mut beyond = count.saturating_sub(limits.outcomes as usize);
        self.outcomes.retain(|outcome| {
            let remove = outcome.job == job && beyond > 0;
            beyond -= usize::from(remove);
            !remove
        });
    }
}

impl Store for MemoryStore {
    fn load(&self, runner: &RunnerRecord) -> BoxFuture<'_, Result<Vec<StoredJob>, StoreError>> {
        let loaded = self.tables().load(runner);
        Box::pin(std::future::ready(Ok(loaded)))
    }

    fn executions_after(&self, after: i64) -> BoxFuture<'_, Result<Vec<ExecutionRecord>, StoreError>> {
        let tables = self.tables();
        let later = |execution: &&ExecutionRecord| {
            let Trigger::Period { nominal, chosen } = execution.trigger else { return false };
            let job = tables.jobs.get(&execution.job);
            let through = job.map(|job| job.record.configuration.as_ref()?.handled_through);
            chosen > after
                || through.is_some_and(|through| through.is_none_or(|through| nominal > through.min(after)))
        };
        let lost = tables.outcomes.iter().filter_map(OutcomeRecord::lost_execution);
        let found = tables.executions.values().cloned().chain(lost).filter(|found| later(&found)).collect();
        Box::pin(std::future::ready(Ok(found)))
    }

    fn clock_ahead(&self, now: i64) -> BoxFuture<'_, Result<Vec<ClockAhead>, StoreError>> {
        let mut found = self.tables().clock_ahead.clone();
        found.retain(|ahead| ahead.through > now);
        found.sort_by_key(|ahead| (ahead.after, ahead.through));
        Box::pin(std::future::ready(Ok(found)))
    }

    fn commit(&self, changes: Vec<Change>) -> BoxFuture<'_, Result<(), StoreError>> {
        let mut tables = self.tables();
        changes.into_iter().for_each(|change| tables.apply(change));
        Box::pin(std::future::ready(Ok(())))
    }
}
