//! The tasks of an engine from its beginning to its end, and in between the changes of leadership and of the clock.

use std::collections::BTreeSet;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::reading::{Progress, Reading};
use super::shared::Engine;
use super::tasks::{EndedEarly, Tasks};
use super::watches::Watching;
use crate::clock::watch_steps;
use crate::namespaces::Scope;
use crate::plan::Observation;

impl Engine {
    /// Works until cancelled, and then until the requests under way are answered. If the future is dropped, everything
    /// ends at once.
    ///
    /// # Errors
    ///
    /// If a task ends without a request to end: then the process must not go on.
    pub async fn run(&self, cancel: CancellationToken) -> Result<(), EndedEarly> {
        let mut tasks = Tasks::new(self.shared.options.hold.clone());
        let scopes = self.shared.options.namespaces.scopes();
        let reading = Reading::new(&scopes);
        let mut spawn = |name, task: std::pin::Pin<Box<dyn Future<Output = ()> + Send>>| {
            let cancel = cancel.clone();
            tasks.spawn(name, async move {
                cancel.run_until_cancelled(task).await;
            });
        };
        let share = scopes.len();
        for (place, scope) in scopes.into_iter().enumerate() {
            let of = Watching { place, scope, share, reading: reading.clone() };
            let (engine, of_jobs) = (self.clone(), of.clone());
            spawn("watch of KronJobs", Box::pin(async move { engine.watch_kronjobs(&of).await }));
            let engine = self.clone();
            spawn("watch of Jobs", Box::pin(async move { engine.watch_jobs(&of_jobs).await }));
        }
        let engine = self.clone();
        spawn("leadership", Box::pin(async move { engine.follow_leadership(&reading).await }));
        let engine = self.clone();
        spawn("timers", Box::pin(async move { engine.run_timers().await }));
        let engine = self.clone();
        spawn("shared lists", Box::pin(async move { engine.read_shared_lists().await }));
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

    /// Makes the engine active in each term of the Lease, once everything of a scope has been read. The KronJobs of another scope
    /// are looked at once that is read, too.
    async fn follow_leadership(&self, reading: &Reading) {
        let mut progress = reading.subscribe();
        // OK because the sender lives as long as `reading`.
        let _ = progress.wait_for(|progress| progress.read().next().is_some()).await;
        let mut lease = self.shared.lease.subscribe();
        let mut active = None;
        // The scopes whose KronJobs were looked at in this term.
        let mut begun = BTreeSet::new();
        loop {
            let (read, complete) = {
                let progress: &Progress = &progress.borrow_and_update();
                (progress.read().cloned().collect::<BTreeSet<Scope>>(), progress.is_complete())
            };
            self.shared.health.synced(complete);
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
                }
                (active, begun) = (term, BTreeSet::new());
            }
            if term.is_some() {
                for scope in read.difference(&begun) {
                    self.touch_all(scope, &lease).await;
                }
                begun = read;
            }
            self.shared.metrics.leader.set(term.is_some().into());
            let changed = tokio::select! {
                biased;
                changed = lease.changed() => changed,
                changed = progress.changed() => changed,
            };
            if changed.is_err() {
                return;
            }
        }
    }

    /// Looks at all KronJobs of a scope at the beginning of a term, until it ends.
    async fn touch_all(&self, scope: &Scope, lease: &watch::Receiver<Option<u64>>) {
        let keys = self.state().keys_in(scope);
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
        self.shared.metrics.clock_steps.inc();
        let mut state = self.state();
        state.observe_all(&Observation::ClockSet, self.shared.clock.now());
        let keys = state.keys();
        drop(state);
        keys.iter().for_each(|key| self.touch(key));
    }
}
