//! The beginning of a runner: it reads the store, takes the jobs, and is ready once the store has them.

use std::sync::Arc;

use super::execution::{self, Ended};
use super::slot::Slot;
use super::{Engine, commit};
use crate::error::RunnerError;
use crate::event::RunnerEvent;
use crate::job::RunnerJob;
use crate::result::ExecutionResult;
use crate::store::StoredJob;

impl Engine {
    /// Reads the store and takes the jobs.
    pub(super) async fn load(&mut self, jobs: Vec<RunnerJob>) -> Result<(), RunnerError> {
        let stored = self.store.load(&self.runner).await?;
        let now = self.clock.now().div_euclid(1000);
        // A runner whose clock had gone back noted periods that had run as open.
        let early = self.store.executions_after(now).await?;
        self.ahead = self.store.clock_ahead(now).await?;
        self.note_ahead(&early, now);
        self.parked = stored.into_iter().map(|stored| (Arc::from(&*stored.job.name), stored)).collect();
        let names: Vec<Arc<str>> = jobs.into_iter().map(|job| self.add(job)).collect();
        self.park_others();
        self.enter_early(early);
        self.unstored = Some(names.iter().filter(|name| self.is_unstored(name)).cloned().collect());
        for name in names {
            self.step(&name);
        }
        Ok(())
    }

    /// Takes a job that it does not have.
    pub(super) fn add(&mut self, job: RunnerJob) -> Arc<str> {
        let name: Arc<str> = job.name().into();
        let stored = self.parked.remove(&name);
        let mut slot = Slot::new(job, stored, &self.name, self.clock.now());
        for execution in slot.resumable() {
            self.resume(&name, &mut slot, &execution);
        }
        if slot.suspend_requested {
            self.emit(&RunnerEvent::Suspended { job: name.to_string() });
        }
        self.slots.insert(name.clone(), slot);
        name
    }

    /// An execution had begun, and not ended, when an earlier runner ended.
    fn resume(&mut self, job: &Arc<str>, slot: &mut Slot, execution: &str) {
        let Some(known) = slot.executions.get(execution) else { return };
        let stop = known.stop.clone();
        match slot.handler.resume(&known.record, stop.clone()) {
            Some(running) => {
                let supervised = execution::supervise(running.result, stop, self.options.grace);
                let task = self.tasks.spawn(async move { Ended::Result(supervised.await) });
                self.task_of.insert(task.id(), (job.clone(), execution.into()));
                self.emit(&RunnerEvent::Resumed(known.record.clone()));
            }
            None => {
                let result = ExecutionResult::unknown("the runner ended before the execution did");
                slot.ended(execution, result, self.clock.now());
                if let Some(known) = slot.executions.get(execution) {
                    self.emit(&RunnerEvent::Ended(known.record.clone()));
                }
            }
        }
    }

    /// Notes the removal of the stored jobs that the runner does not have, as far as the store does not show it.
    fn park_others(&mut self) {
        let left: Vec<StoredJob> = self
            .parked
            .values()
            .filter(|stored| !stored.job.removed || !stored.executions.is_empty())
            .cloned()
            .collect();
        for stored in left {
            self.commit.remove(stored, self.clock.now());
        }
        for stored in self.parked.values_mut() {
            commit::mark_removed(stored);
        }
    }

    fn is_unstored(&self, name: &Arc<str>) -> bool {
        self.slots.get(name).is_some_and(Slot::is_changed)
    }

    /// These jobs were written. Once the store has all jobs, the runner is ready.
    pub(super) fn stored(&mut self, jobs: &[Arc<str>]) {
        let Some(mut unstored) = self.unstored.take() else { return };
        jobs.iter().for_each(|name| _ = unstored.remove(name));
        if unstored.is_empty() {
            self.emit(&RunnerEvent::Ready);
        } else {
            self.unstored = Some(unstored);
        }
    }
}
