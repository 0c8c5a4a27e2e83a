//! The timers' lane: at the second, and waiting for nothing else.

use std::time::Duration;

use super::Engine;
use crate::plan::Lane;

/// How long the lane sleeps at most, so that its heartbeat is seen.
const HEARTBEAT: Duration = Duration::from_secs(10);

impl Engine {
    /// Evaluates the KronJobs whose timers are due, for ever.
    pub(super) async fn run_timers(&self) {
        loop {
            self.shared.health.beat("timers");
            let set = self.shared.timers.notified();
            // One instant for all of one second: the last of ten thousand is as much in time as the first.
            let now = self.shared.clock.now();
            let due = self.state().due(now);
            self.shared.metrics.decided(due.len() as u64);
            for key in &due {
                self.state().evaluate(key, now);
            }
            for key in due {
                // What follows is planned by the workers.
                for lane in [Lane::Start, Lane::Settle] {
                    self.shared.queue.push(lane, key.clone());
                }
            }
            let next = self.state().next_timer();
            let wait = next.map(|at| at.saturating_sub(self.shared.clock.now().timestamp_millis()));
            let wait = wait.map_or(HEARTBEAT, |millis| Duration::from_millis(millis.try_into().unwrap_or(0)));
            tokio::select! {
                () = tokio::time::sleep(wait.min(HEARTBEAT)) => {}
                () = set => {}
            }
        }
    }
}
