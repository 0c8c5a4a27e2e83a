//! What a job knows of starts that were made while the clock was ahead, and of the time before it was set.

use kron_host::Trigger;

use super::{BeforeJump, Slot, is_early, is_handled};
use crate::engine::execution::{Known, Phase};
use crate::record::{ClockAhead, ExecutionRecord};
use crate::result::ExecutionStatus;

/// For how many times that the clock was set forwards a job can go back.
const JUMPS_KEPT: usize = 4;

impl Slot {
    /// Enters an execution that was made while the clock was ahead, or may have been.
    pub(in crate::engine) fn find_early(&mut self, execution: ExecutionRecord, now: i64) {
        let phase = match (execution.began, execution.ended) {
            (Some(_), _) => Phase::Ended,
            (None, Some(_)) => Phase::Lost,
            // It is being started.
            (None, None) => return,
        };
        // Only then is a period open that was started.
        if let (true, Phase::Ended, Trigger::Period { nominal, chosen }) =
            (self.went_back, phase, &execution.trigger)
            // A record does not keep what is still to come: that is known as long as its period is open.
            && *chosen <= now
            && self.stored.enter_executed(*nominal, Some(*chosen), &execution.name)
        {
            self.changed = true;
            // It is not in the history if the runner was killed then.
            self.unrecorded.extend(execution.outcome(now.saturating_mul(1000)));
            // The write that is under way does not have it.
            self.entered.push((*nominal, *chosen));
        }
        // What the record says of times that are still to come does not count.
        let record = self.stored.without_future(&self.job, now);
        let needed = is_early(&execution, now) || !is_handled(&record, &execution.trigger);
        if needed {
            let name = execution.name.clone();
            let found = || Known::stored(execution, phase);
            self.executions.entry(name).or_insert_with(found).early = true;
        }
    }

    /// The clock was set forwards, between these Unix seconds: what is decided from now on is open again if it goes back. No write
    /// is under way.
    pub(in crate::engine) fn clock_set_forwards(&mut self, from: i64, to: i64) {
        let record = self.wanted.as_ref().unwrap_or(&self.stored).clone();
        self.before_jumps.push(BeforeJump { from, to, record });
        if self.before_jumps.len() > JUMPS_KEPT {
            self.before_jumps.remove(0);
        }
    }

    /// The clock was set back to that Unix second. No write is under way.
    pub(in crate::engine) fn clock_set_back(&mut self, now: i64) {
        self.dispatcher.clock_went_back(now);
        self.due_at = None;
        // They are counted again when their time comes.
        self.older_missed = 0;
        let first = self.before_jumps.iter().position(|jump| jump.to > now);
        let Some(before) = first.and_then(|first| self.before_jumps.drain(first..).next()) else { return };
        self.stored = self.stored.back_to(&before.record);
        (self.changed, self.went_back) = (true, true);
        if now > before.from {
            // It may still be ahead, only less so.
            self.before_jumps.push(BeforeJump { to: now, ..before });
        }
    }

    /// Whether a period can have been started while the clock was ahead, although no execution of it is known: the history may
    /// have dropped the execution. What was dropped is older than what is kept.
    pub(super) fn may_have_run_early(&self, trigger: &Trigger, now: i64, ahead: &[ClockAhead]) -> bool {
        let Trigger::Period { chosen, .. } = trigger else { return false };
        if !ahead.iter().any(|ahead| ahead.contains(*chosen)) {
            return false;
        }
        // Those that are kept have not passed yet.
        let ended = self.executions.values().filter(|known| known.phase == Phase::Ended);
        let kept = ended.filter(|known| is_early(&known.record, now)).map(|known| {
            let result = known.record.result.as_ref();
            result.is_some_and(|result| result.status == ExecutionStatus::Succeeded)
        });
        let (successful, failed): (Vec<bool>, Vec<bool>) = kept.partition(|succeeded| *succeeded);
        successful.len() >= self.history.successful as usize || failed.len() >= self.history.failed as usize
    }
}
