//! The tasks of an engine from its beginning to its end, and in between the changes of leadership and of the clock.

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::shared::Engine;
use super::tasks::{EndedEarly, Tasks};
use super::watches::Synced;
use crate::clock::watch_steps;
use crate::plan::Observation;

impl Engine {
    /// Works until cancelled, and then until the requests under way are answered. If the future is dropped, everything
    /// ends at once.
    ///
    /// # Errors
    ///
    /// If a task ends without a request to end: then the process must not go on.
    pub async fn run(&self, cancel: CancellationToken) -> Result<(), EndedEarly> {
        let mut tasks = Tasks::new(self.shared.options.freezer.clone());
        let synced = Synced::default();
        let mut spawn = |name, task: std::pin::Pin<Box<dyn Future<Output = ()> + Send>>| {
            let cancel = cancel.clone();
            tasks.spawn(name, async move {
                tokio::select! {
                    biased;
                    () = cancel.cancelled() => {}
                    () = task => {}
                }
            });
        };
        let engine = self.clone();
        let on_kronjobs = synced.clone();
        spawn("watch of KronJobs", Box::pin(async move { engine.watch_kronjobs(&on_kronjobs).await }));
        let engine = self.clone();
        let on_jobs = synced.clone();
        spawn("watch of Jobs", Box::pin(async move { engine.watch_jobs(&on_jobs).await }));
        let engine = self.clone();
        spawn("leadership", Box::pin(async move { engine.follow_leadership(&synced).await }));
        let engine = self.clone();
        spawn("timers", Box::pin(async move { engine.run_timers().await }));
        let engine = self.clone();
        spawn(
            "clock",
            Box::pin(async move {
                let clock = engine.shared.clock.clone();
                watch_steps(clock, |step| engine.clock_stepped(step)).await;
            }),
        );
        let workers = self.shared.options.concurrency.max(2);
        for worker in 0..workers {
            let (engine, cancel) = (self.clone(), cancel.clone());
            // A request that is under way is brought to its end.
            tasks.spawn("workers", async move { engine.work(worker, worker < workers / 2, cancel).await });
        }
        tasks.join(&cancel).await
    }

    /// Makes the engine active in each term of the Lease, once everything has been read.
    async fn follow_leadership(&self, synced: &Synced) {
        synced.wait().await;
        self.shared.health.synced(true);
        let mut lease = self.shared.lease.subscribe();
        let mut active = None;
        loop {
            // Several changes can have become one. A term is known by its number, so that none is taken for the one before it.
            let term = *lease.borrow_and_update();
            if active != term {
                if active.is_some() {
                    tracing::info!("not leading any more");
                    self.state().deactivate();
                    self.shared.queue.clear();
                    self.queue_changed();
                }
                if let Some(term) = term {
                    tracing::info!("leading");
                    self.state().activate(term);
                    self.shared.dry_runs.forget_waiting();
                    self.touch_all(&lease).await;
                }
                active = term;
            }
            self.shared.metrics.leader(term.is_some());
            if lease.changed().await.is_err() {
                return;
            }
        }
    }

    /// Looks at all KronJobs at the beginning of a term, until it ends.
    async fn touch_all(&self, lease: &watch::Receiver<Option<u64>>) {
        let keys = self.state().keys();
        for key in keys {
            if lease.has_changed().unwrap_or(true) {
                return;
            }
            self.touch(&key);
            // Other tasks have their turn, too.
            tokio::task::yield_now().await;
        }
    }

    fn clock_stepped(&self, step: chrono::TimeDelta) {
        tracing::warn!(
            seconds = step.num_milliseconds() as f64 / 1000.0,
            "the clock was set; all timers are set again"
        );
        self.shared.metrics.clock_stepped();
        let mut state = self.state();
        state.observe_all(&Observation::ClockSet, self.shared.clock.now());
        let keys = state.keys();
        drop(state);
        keys.iter().for_each(|key| self.touch(key));
    }
}
