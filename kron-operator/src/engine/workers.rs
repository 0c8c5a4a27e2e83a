//! The workers: each takes a KronJob from the queue, asks the plan for the next request, and makes it.

use std::sync::Arc;

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::requests::Asked;
use super::shared::Engine;
use super::state::{NeededSearch, Planned};
use crate::events::PendingEvent;
use crate::object::Key;
use crate::plan::{Lane, Reports, Request};
use kron_crd::reason::NORMAL;

/// How many requests are made for one start in a row.
const IN_A_ROW: u32 = 16;

/// Runs work that can take seconds while the other tasks of this thread go on. A runtime of one thread, as in
/// simulations, has no other thread for them, and the order of what happens does not depend on a second one.
fn without_blocking<T>(work: impl FnOnce() -> T) -> T {
    match Handle::current().runtime_flavor() {
        RuntimeFlavor::CurrentThread => work(),
        _ => tokio::task::block_in_place(work),
    }
}

/// What is to be done next for a KronJob.
enum Chosen {
    Search(Box<NeededSearch>),
    /// The request of the lane that was asked for, if there is one.
    Request(Option<Box<Asked>>),
}

impl Engine {
    pub(super) async fn work(&self, worker: usize, starts_only: bool, cancel: CancellationToken) {
        loop {
            let (lane, key) = tokio::select! {
                biased;
                () = cancel.cancelled() => return,
                next = self.shared.queue.pop(starts_only) => next,
            };
            let permit = self.shared.limiter.acquire().await;
            self.queue_changed();
            self.notice_pause();
            // The requests of one start are made in a row, so that a start that is ready does not wait for others.
            for _ in 0..IN_A_ROW {
                self.shared.health.beat("workers", worker);
                if !self.step(lane, &key).await || lane != Lane::Start {
                    break;
                }
            }
            self.shared.health.rests("workers", worker);
            drop(permit);
            self.touch(&key);
        }
    }

    /// Makes the next request of a KronJob in a lane. Returns whether there was one.
    async fn step(&self, lane: Lane, key: &Key) -> bool {
        let begun = Instant::now();
        let asked = loop {
            match self.choose(Some(lane), key) {
                None | Some(Chosen::Request(None)) => return false,
                Some(Chosen::Request(Some(asked))) => break *asked,
                // The requests of a start do not wait for it.
                Some(Chosen::Search(_)) if lane == Lane::Start => {
                    self.shared.queue.push(Lane::Status, key.clone());
                    return false;
                }
                Some(Chosen::Search(search)) => {
                    let NeededSearch { uid, job, search } = *search;
                    let result = without_blocking(|| search.run(&job));
                    self.state().searched(key, &uid, result);
                }
            }
        };
        let (lane, uid) = (asked.request.lane(), asked.kronjob.uid.clone());
        self.carry_out(asked).await;
        self.state().set_busy(key, &uid, lane, false);
        self.shared.metrics.request_took(begun.elapsed());
        true
    }

    /// Plans what to do for a KronJob, chooses the next request of a lane, and queues it for the other lanes.
    fn choose(&self, lane: Option<Lane>, key: &Key) -> Option<Chosen> {
        let (uid, reports, others, chosen) = {
            let mut state = self.state();
            let (plan, reports) = match state.plan(key, self.shared.clock.now())? {
                Planned::Search(search) => return Some(Chosen::Search(search)),
                Planned::Plan(planned) => *planned,
            };
            let (kronjob, term) = (state.kronjob(key)?, state.term()?);
            let uid = kronjob.uid.clone();
            let others = plan.requests.iter().map(Request::urgency).filter(|other| Some(*other) != lane);
            let others: Vec<Lane> = others.collect();
            let chosen = plan.requests.into_iter().find(|request| Some(request.urgency()) == lane);
            let chosen = chosen.map(|request| Box::new(Asked { kronjob: kronjob.clone(), term, request }));
            if let Some(asked) = &chosen {
                state.set_busy(key, &uid, asked.request.lane(), true);
            }
            (uid, reports, others, chosen)
        };
        self.publish(key, &uid, reports);
        // What belongs to other lanes waits there: a timer wakes only the urgent ones.
        others.into_iter().for_each(|other| self.shared.queue.push(other, key.clone()));
        Some(Chosen::Request(chosen))
    }

    /// Looks at a KronJob again, and queues it for what is to be done.
    pub(super) fn touch(&self, key: &Key) {
        match self.choose(None, key) {
            None => return,
            Some(Chosen::Search(_)) => self.shared.queue.push(Lane::Status, key.clone()),
            Some(Chosen::Request(_)) => {}
        }
        self.shared.timers.notify_one();
        self.shared.lists.notify_one();
        self.queue_changed();
    }

    /// Events give way while starts wait.
    pub(super) fn queue_changed(&self) {
        self.shared.events.give_way(self.shared.queue.has_starts());
        for (lane, depth) in self.shared.queue.depths() {
            self.shared.metrics.queue(lane.as_str(), depth);
        }
    }

    /// Publishes Events of a KronJob, and counts outcomes. Writes to the log, which can block, so it is not called under the
    /// lock of the state: the timers wait for that.
    fn publish(&self, key: &Key, uid: &Arc<str>, reports: Reports) {
        let time = self.shared.clock.now();
        for message in reports.messages {
            let (reason, note) = (message.reason.as_str(), &message.note);
            match message.reason.event_type() {
                NORMAL => tracing::info!(kronjob = %key, reason, "{note}"),
                _ => self.shared.log.line(reason, |others| {
                    tracing::warn!(kronjob = %key, reason, others, "{note}");
                }),
            }
            self.shared.events.publish(PendingEvent {
                kronjob: key.clone(),
                uid: uid.clone(),
                message,
                time,
            });
        }
        reports.outcomes.iter().for_each(|outcome| self.shared.metrics.outcome(*outcome));
        self.shared.metrics.missed_older.inc_by(reports.older_missed);
    }
}
