//! A clock that is set while the runner runs: what the engine and its jobs hear of it, and what is looked up in the store.

use std::sync::Arc;
use std::time::Duration;

use kron_host::Trigger;
use tokio::time::Instant;

use super::Engine;
use super::slot::Slot;
use crate::event::RunnerEvent;
use crate::record::{ClockAhead, ExecutionRecord};

/// A clock that differs by more milliseconds than this from what has passed was set.
const CLOCK_SET: i64 = 1000;
/// When the store is read again after it could not be.
const READ_AGAIN: Duration = Duration::from_secs(1);
/// Starts that are under way are made within so many milliseconds.
const UNDER_WAY: i64 = 600_000;

impl Engine {
    /// Reads the clock. Whether or not the wait for the next time notices that it was set: if it went back, nothing is decided
    /// until the jobs have heard of it.
    pub(super) fn now(&mut self) -> i64 {
        let (now, read) = (self.clock.now(), Instant::now());
        let (latest, latest_read) = self.latest;
        let passed = i64::try_from((read - latest_read).as_millis()).unwrap_or(i64::MAX);
        let expected = latest.saturating_add(passed);
        if now < latest.saturating_sub(CLOCK_SET) {
            self.went_back_from = self.went_back_from.max(Some(expected));
        } else if now > expected.saturating_add(CLOCK_SET) && self.went_back_from.is_none() {
            let from = self.jumped.map_or(latest, |(from, _)| from);
            self.jumped = Some((from, now));
        }
        self.latest = (now, read);
        now
    }

    /// An earlier runner had a clock that was ahead, and it is unknown for which times it made all starts.
    pub(super) fn note_ahead(&mut self, early: &[ExecutionRecord], now: i64) {
        let chosen = early.iter().filter_map(|execution| match execution.trigger {
            Trigger::Period { chosen, .. } => Some(chosen),
            Trigger::RunNow { .. } => None,
        });
        let known = |chosen: i64| self.ahead.iter().any(|ahead| ahead.contains(chosen));
        if let Some(through) = chosen.filter(|chosen| *chosen > now && !known(*chosen)).max() {
            self.ahead.push(ClockAhead { after: now, through });
        }
    }

    /// Begins to read the executions of periods that are still to come, and of those chosen after `from`, in Unix milliseconds.
    pub(super) fn read_early(&mut self, from: i64) {
        // A read that has not ended is made again.
        self.read_from = match &self.reading {
            Some(_) => self.read_from.min(from),
            None => from,
        };
        let (store, clock, from) = (self.store.clone(), self.clock.clone(), self.read_from);
        self.reading = Some(Box::pin(async move {
            loop {
                match store.executions_after(clock.now().min(from).div_euclid(1000)).await {
                    Ok(early) => return early,
                    Err(_) => tokio::time::sleep(READ_AGAIN).await,
                }
            }
        }));
    }

    pub(super) fn enter_early(&mut self, early: Vec<ExecutionRecord>) {
        let now = self.clock.now().div_euclid(1000);
        for execution in early {
            if let Some(slot) = self.slots.get_mut(&*execution.job) {
                slot.find_early(execution, now);
            }
        }
    }

    /// The executions of periods that are still to come were read.
    pub(super) fn find_early(&mut self, early: Vec<ExecutionRecord>) {
        self.reading = None;
        self.enter_early(early);
        self.step_all(|_, _| {});
    }

    /// The wait for the next time says that the clock was set.
    pub(super) fn clock_set(&mut self) {
        self.now();
        // Otherwise it is looked at in the next round.
        if !self.is_clock_new() {
            self.clock_was_set();
        }
    }

    /// Whether the clock was set and the jobs have not heard of it.
    pub(super) fn is_clock_new(&self) -> bool {
        self.went_back_from.is_some() || self.jumped.is_some()
    }

    pub(super) fn clock_was_set(&mut self) {
        self.emit(&RunnerEvent::ClockSet);
        self.commit.clock_set();
        self.read_early(i64::MAX);
        self.step_all(|slot, _| slot.dispatcher.clock_set());
    }

    /// The clock was set forwards: the jobs keep what they know, in case it goes back.
    pub(super) fn clock_set_forwards(&mut self) {
        let Some((from, to)) = self.jumped.take() else { return };
        self.coverage.jumped(from, to);
        let (begin, end) = (from.div_euclid(1000), to.div_euclid(1000));
        self.slots.values_mut().for_each(|slot| slot.clock_set_forwards(begin, end));
        if self.went_back_from.is_none() {
            self.clock_was_set();
        }
    }

    /// The clock was set back: what was decided about times that come again is decided again.
    pub(super) fn clock_set_back(&mut self) {
        let to = self.now();
        let Some(from) = self.went_back_from.take() else { return };
        let recorded_from = self.coverage.since();
        // Starts that were under way then are made after it.
        let read_from = self.coverage.jump_from(to).saturating_sub(UNDER_WAY).min(to);
        let ahead = self.coverage.went_back(from, to);
        let now = to.div_euclid(1000);
        self.commit.clock_set();
        self.commit.reopened(now, recorded_from, &ahead);
        self.ahead.retain(|ahead| ahead.through > now);
        self.ahead.extend(&ahead);
        self.emit(&RunnerEvent::ClockSetBack { from, to, ahead });
        self.read_early(read_from);
        self.due.clear();
        self.step_all(|slot, now| slot.clock_set_back(now));
    }

    /// Looks at all jobs, after each has heard of something.
    pub(super) fn step_all(&mut self, mut tell: impl FnMut(&mut Slot, i64)) {
        let now = self.now();
        let names: Vec<Arc<str>> = self.slots.keys().cloned().collect();
        for name in names {
            if let Some(slot) = self.slots.get_mut(&name) {
                tell(slot, now.div_euclid(1000));
            }
            self.step(&name);
        }
    }
}
