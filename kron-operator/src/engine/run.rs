//! The tasks of an engine from its beginning to its end, and in between the changes of leadership and of the clock.

use std::collections::BTreeSet;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::shared::Engine;
use super::state::Watched;
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
        let share = scopes.len();
        let [kronjobs, jobs] = Watched::ALL.map(Watched::watch);
        for (place, scope) in scopes.into_iter().enumerate() {
            let of = Watching { place, scope, share };
            let (engine, watching) = (self.clone(), of.clone());
            tasks.spawn_until(&cancel, kronjobs, async move { engine.watch_kronjobs(&watching).await });
            let engine = self.clone();
            tasks.spawn_until(&cancel, jobs, async move { engine.watch_jobs(&of).await });
        }
        let engine = self.clone();
        tasks.spawn_until(&cancel, "leadership", async move { engine.follow_leadership().await });
        let engine = self.clone();
        tasks.spawn_until(&cancel, "timers", async move { engine.run_timers().await });
        let engine = self.clone();
        tasks.spawn_until(&cancel, "shared lists", async move { engine.read_shared_lists().await });
        let (engine, clock) = (self.clone(), self.shared.clock.clone());
        let stepped = move |step| engine.clock_stepped(step);
        tasks.spawn_until(&cancel, "clock", async move { watch_steps(clock, stepped).await });
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
    async fn follow_leadership(&self) {
        let mut lease = self.shared.lease.subscribe();
        let mut active = None;
        // The scopes whose KronJobs were looked at in this term.
        let mut begun = BTreeSet::new();
        loop {
            let answered = self.shared.answered.notified();
            let (read, complete) = {
                let state = self.state();
                (state.read_scopes(), state.is_complete())
            };
            self.shared.health.synced(complete);
            // Several changes can have become one. A term is known by its number, so that none is taken for the one before it.
            let term = lease.borrow_and_update().filter(|_| !read.is_empty());
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
            tokio::select! {
                biased;
                changed = lease.changed() => if changed.is_err() { return },
                () = answered => {}
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
