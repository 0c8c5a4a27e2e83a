//! What is written of a job, and what becomes of it.

use kron_host::Trigger;

use super::{Slot, Written};
use crate::engine::execution::{Known, Phase};
use crate::record::{OlderMissed, OutcomeRecord, execution_name};
use crate::store::{Change, HistoryLimits};

/// The history of a job is cut to its limits once it has grown by this share of them.
const TRIMMED_SHARE: u32 = 16;

impl Slot {
    /// Whether something is to be written.
    pub(in crate::engine) fn is_dirty(&self) -> bool {
        self.wanted.is_some()
            || self.changed
            || self.older_missed > 0
            || !self.unrecorded.is_empty()
            || !self.unbegun.is_empty()
            || self.executions.values().any(Known::is_dirty)
    }

    /// Whether the store does not have the job as it is.
    pub(in crate::engine) fn is_changed(&self) -> bool {
        self.changed
    }

    /// What is to be written, all at once.
    pub(in crate::engine) fn write(&mut self, changes: &mut Vec<Change>, now: i64) -> Written {
        let name = self.job.name().to_string();
        let mut written = Written { row: self.changed, ..Written::default() };
        let mut history = 0;
        let unbegun = std::mem::take(&mut self.unbegun);
        for execution in &unbegun {
            changes.push(Change::RemoveExecution { job: name.clone(), name: execution.clone() });
        }
        written.unbegun = unbegun.into_iter().collect();
        for (name, known) in self.executions.iter().filter(|(_, known)| known.is_dirty()) {
            changes.push(Change::Execution(Box::new(known.record.clone())));
            written.executions.push((name.clone(), known.version));
            history += u32::from(known.phase == Phase::Ended);
        }
        if let Some(wanted) = self.wanted.take() {
            let outcomes = self.dispatcher.unwritten().into_iter();
            let outcomes = outcomes.map(|mut handled| {
                self.say_what_is_known(&mut handled);
                OutcomeRecord::new(&name, handled, now)
            });
            for outcome in outcomes {
                written.recorded.extend(outcome.trigger().as_ref().map(execution_name));
                changes.push(Change::Outcome(Box::new(outcome)));
                history += 1;
            }
            self.dispatcher.writing(&wanted);
            written.record = Some(wanted);
        }
        if written.record.is_some() || self.changed {
            let record = written.record.clone().unwrap_or_else(|| self.stored.clone());
            changes.push(Change::Job(Box::new(self.row(record))));
        }
        written.unrecorded = std::mem::take(&mut self.unrecorded);
        for outcome in &written.unrecorded {
            changes.push(Change::Outcome(Box::new(outcome.clone())));
            history += 1;
        }
        let older_missed = std::mem::take(&mut self.older_missed);
        if older_missed > 0 {
            let (job, count) = (name.clone(), older_missed);
            changes.push(Change::OlderMissed(OlderMissed { job, count, recorded: now }));
            history += 1;
        }
        self.untrimmed = self.untrimmed.saturating_add(history);
        let HistoryLimits { successful, failed, outcomes } = self.history;
        let room = successful.min(failed).min(outcomes) / TRIMMED_SHARE;
        if history > 0 && self.untrimmed > room {
            self.untrimmed = 0;
            changes.push(Change::Trim { job: name, limits: self.history });
        }
        written.older_missed = older_missed;
        written.run_now_waits = std::mem::take(&mut self.run_now_waits);
        written.suspend_waits = std::mem::take(&mut self.suspend_waits);
        self.changed = false;
        self.writing = true;
        written
    }

    /// A write succeeded. Gives the executions that can be started now.
    pub(in crate::engine) fn written(&mut self, written: Written) -> Vec<String> {
        let Written { record, executions, run_now_waits, suspend_waits, recorded, .. } = written;
        self.writing = false;
        self.recorded = recorded;
        if let Some(record) = record {
            self.stored = record;
            self.dispatcher.written();
            for (nominal, chosen) in std::mem::take(&mut self.entered) {
                let name = execution_name(&Trigger::Period { nominal, chosen });
                if self.stored.enter_executed(nominal, Some(chosen), &name) {
                    self.changed = true;
                    self.entered.push((nominal, chosen));
                }
            }
        }
        for wait in run_now_waits {
            let token = self.run_now.clone().unwrap_or_default();
            // It fails if the sender no longer waits.
            _ = wait.send(Ok(token));
        }
        for wait in suspend_waits {
            _ = wait.send(Ok(()));
        }
        let mut ready = Vec::new();
        for (name, version) in executions {
            let Some(known) = self.executions.get_mut(&name) else { continue };
            known.stored = version;
            if known.phase == Phase::Storing {
                known.phase = Phase::Starting;
                ready.push(name);
            }
        }
        ready
    }

    /// A write failed, or its result is unknown. Starts that wait for it are tried again at `retry_at`.
    pub(in crate::engine) fn not_written(&mut self, written: Written, error: &str, retry_at: i64, now: i64) {
        let Written { record, unbegun, older_missed, row, run_now_waits, suspend_waits, unrecorded, .. } =
            written;
        self.writing = false;
        if record.is_some() {
            // Whether or not it was written, no other process writes the record: the next write has all of it.
            self.dispatcher.not_written(false, false);
        }
        // The record is wanted again, as it differs from the stored one, or as its claim is not confirmed.
        self.changed |= row || record.is_some();
        self.older_missed += older_missed;
        self.unrecorded.splice(0..0, unrecorded);
        self.run_now_waits.extend(run_now_waits);
        self.suspend_waits.extend(suspend_waits);
        let again = unbegun.into_iter().filter(|name| !self.executions.contains_key(name));
        self.unbegun.extend(again);
        let storing = self.executions.iter().filter(|(_, known)| known.phase == Phase::Storing);
        let storing: Vec<String> = storing.map(|(name, _)| name.clone()).collect();
        for name in storing {
            self.failed(&name, error.into(), Some(retry_at), now);
        }
    }
}
