//! What becomes of a start, from its record to the end of its execution.

use kron_host::{StartAnswer, Trigger};

use super::Slot;
use crate::engine::execution::{Known, Phase};
use crate::engine::room::Announced;
use crate::record::{ClockAhead, ExecutionRecord, ProcessId, execution_name};
use crate::result::ExecutionResult;

impl Slot {
    /// Begins to write the record of an execution that is to be started. Says whether the start has its answer already.
    pub(super) fn begin(
        &mut self,
        trigger: Trigger,
        announced: Announced,
        now: i64,
        ahead: &[ClockAhead],
    ) -> bool {
        let name = execution_name(&trigger);
        self.dispatcher.starting(&trigger, now.div_euclid(1000));
        let answer = match self.executions.get(&name).map(|known| known.phase) {
            None if self.may_have_run_early(&trigger, now.div_euclid(1000), ahead) => StartAnswer::Removed,
            None => {
                self.unbegun.remove(&name);
                let record = ExecutionRecord {
                    job: self.job.name().into(),
                    name: name.clone(),
                    trigger,
                    runner: self.runner.to_string(),
                    created: now,
                    began: None,
                    process: None,
                    ended: None,
                    result: None,
                };
                self.executions.insert(name, Known::new(record, announced));
                return false;
            }
            // Only one start of a job is under way at a time.
            Some(Phase::Storing | Phase::Starting) => return false,
            Some(Phase::Running | Phase::Ended) => StartAnswer::Started { execution: name },
            Some(Phase::Lost) => StartAnswer::Removed,
        };
        self.answer(&trigger, answer, now);
        true
    }

    /// Enters the answer to a start.
    pub(in crate::engine) fn answer(&mut self, trigger: &Trigger, answer: StartAnswer, now: i64) {
        let policy = *self.job.spec().policy();
        self.dispatcher.start_answered(trigger, answer, now.div_euclid(1000), &policy);
    }

    /// A start failed, and nothing of it ran. It is tried again at `retry_at`, if at all.
    pub(in crate::engine) fn failed(&mut self, name: &str, error: String, retry_at: Option<i64>, now: i64) {
        let Some(known) = self.executions.remove(name) else { return };
        self.unbegun.insert(name.into());
        let answer = StartAnswer::Failed { error, uncertain: false, retry_at };
        self.answer(&known.record.trigger, answer, now);
    }

    /// An execution began. One that has ended already was entered with its end.
    pub(in crate::engine) fn began(&mut self, name: &str, process: Option<ProcessId>, now: i64) {
        let starting = self.executions.get_mut(name).filter(|known| known.phase == Phase::Starting);
        let Some(known) = starting else { return };
        known.began(now, process);
        let trigger = known.record.trigger.clone();
        self.answer(&trigger, StartAnswer::Started { execution: name.into() }, now);
    }

    /// An execution ended.
    pub(in crate::engine) fn ended(&mut self, name: &str, result: ExecutionResult, now: i64) {
        let Some(known) = self.executions.get_mut(name) else { return };
        known.ended(now, result);
        if known.replaced {
            self.dispatcher.stopped(name);
        }
    }
}
