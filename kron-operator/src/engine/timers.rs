//! The timers' lane: it decides periods at their second and waits only for the clock.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::shared::Engine;
use crate::plan::{Lane, Observation};

/// How long the lane sleeps at most, so that its heartbeat is seen, and a pause of the whole process noticed.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// How long the lane can be silent before the process must have been paused.
const PAUSE: u64 = 8_000;

impl Engine {
    fn uptime_millis(&self) -> u64 {
        u64::try_from(self.shared.clock.uptime().as_millis()).unwrap_or(u64::MAX)
    }

    /// Notices that the machine was suspended, or the process stopped: what was known then may be wrong by now, and nothing
    /// is created on it.
    pub(super) fn notice_pause(&self) {
        let now = self.uptime_millis();
        let before = self.shared.pulse.load(Ordering::SeqCst);
        if before == 0 || now.saturating_sub(before) < PAUSE {
            return;
        }
        let Ok(_) = self.shared.pulse.compare_exchange(before, now, Ordering::SeqCst, Ordering::SeqCst)
        else {
            return;
        };
        let seconds = now.saturating_sub(before) / 1000;
        tracing::warn!(seconds, "this process was paused; claims are confirmed before anything is created");
        self.state().observe_all(&Observation::Paused, self.shared.clock.now());
    }

    /// Evaluates the KronJobs whose timers are due, for ever.
    pub(super) async fn run_timers(&self) {
        loop {
            self.shared.health.beat("timers", 0);
            self.notice_pause();
            self.shared.pulse.store(self.uptime_millis(), Ordering::SeqCst);
            let set = self.shared.timers.notified();
            // One instant for all of one second: the last of ten thousand is as much in time as the first.
            let now = self.shared.clock.now();
            let due = self.state().due(now);
            self.shared.metrics.evaluations.inc_by(due.len() as u64);
            for key in &due {
                self.state().evaluate(key, now);
            }
            for key in due {
                // What follows is planned by the workers.
                for lane in [Lane::Start, Lane::Status] {
                    self.shared.queue.push(lane, key.clone());
                }
            }
            self.queue_changed();
            let next = self.state().next_timer();
            let wait = next.map(|at| at.saturating_sub(self.shared.clock.now().timestamp_millis()));
            let wait = wait.map_or(HEARTBEAT, |millis| Duration::from_millis(millis.try_into().unwrap_or(0)));
            tokio::select! {
                biased;
                () = tokio::time::sleep(wait.min(HEARTBEAT)) => {}
                () = set => {}
            }
        }
    }
}
