//! The queue of KronJobs that have something to be done: by lane, first come first served within one.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Mutex, PoisonError};

use tokio::sync::Notify;

use crate::object::Key;
use crate::plan::Lane;

/// KronJobs by lane. A KronJob stands in a lane once.
#[derive(Debug, Default)]
pub(super) struct Queue {
    lanes: Mutex<[Waiting; Lane::ALL.len()]>,
    /// For workers that take anything, and for those that take starts alone.
    any: Notify,
    starts: Notify,
}

#[derive(Debug, Default)]
struct Waiting {
    order: VecDeque<Key>,
    members: BTreeSet<Key>,
}

impl Queue {
    fn lanes(&self) -> std::sync::MutexGuard<'_, [Waiting; Lane::ALL.len()]> {
        self.lanes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn push(&self, lane: Lane, key: Key) {
        let mut lanes = self.lanes();
        let waiting = &mut lanes[lane as usize];
        if waiting.members.insert(key.clone()) {
            waiting.order.push_back(key);
        }
        drop(lanes);
        self.any.notify_one();
        if lane == Lane::Start {
            self.starts.notify_one();
        }
    }

    fn try_pop(&self, starts_only: bool) -> Option<(Lane, Key)> {
        let mut lanes = self.lanes();
        let considered = if starts_only { &Lane::ALL[..1] } else { &Lane::ALL[..] };
        considered.iter().find_map(|lane| {
            let waiting = &mut lanes[*lane as usize];
            let key = waiting.order.pop_front()?;
            waiting.members.remove(&key);
            Some((*lane, key))
        })
    }

    /// The first of the most urgent lane; waits for one. With `starts_only`, from the lane of starts alone.
    pub(super) async fn pop(&self, starts_only: bool) -> (Lane, Key) {
        let signal = if starts_only { &self.starts } else { &self.any };
        loop {
            // Listening begins before looking, so that nothing is pushed unheard in between.
            let pushed = signal.notified();
            if let Some(found) = self.try_pop(starts_only) {
                // There may be more than signals: those for one kind of worker were heard by another.
                signal.notify_one();
                return found;
            }
            pushed.await;
        }
    }

    /// How many wait in each lane.
    pub(super) fn depths(&self) -> [(Lane, usize); Lane::ALL.len()] {
        let lanes = self.lanes();
        Lane::ALL.map(|lane| (lane, lanes[lane as usize].order.len()))
    }

    /// Drops all that waits.
    pub(super) fn clear(&self) {
        *self.lanes() = Default::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &str) -> Key {
        Key::new("n", name)
    }

    #[tokio::test]
    async fn starts_go_first_and_everyone_stands_once() {
        let queue = Queue::default();
        for (lane, name) in [
            (Lane::Tidy, "a"),
            (Lane::Settle, "b"),
            (Lane::Start, "c"),
            (Lane::Settle, "b"),
            (Lane::Start, "d"),
        ] {
            queue.push(lane, key(name));
        }
        assert_eq!(queue.depths().map(|(_, depth)| depth), [2, 1, 1]);
        assert_eq!(queue.pop(true).await, (Lane::Start, key("c")));
        for (lane, name) in [(Lane::Start, "d"), (Lane::Settle, "b"), (Lane::Tidy, "a")] {
            assert_eq!(queue.pop(false).await, (lane, key(name)));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn every_worker_that_is_needed_wakes_up() {
        let queue = std::sync::Arc::new(Queue::default());
        let workers: Vec<_> = [true, false, true, false]
            .into_iter()
            .map(|starts_only| {
                let queue = queue.clone();
                tokio::spawn(async move {
                    queue.pop(starts_only).await;
                    tokio::time::sleep(std::time::Duration::from_secs(3600)).await;
                })
            })
            .collect();
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        (0..4).for_each(|n| queue.push(Lane::Start, key(&n.to_string())));
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        assert_eq!(queue.depths().map(|(_, depth)| depth), [0, 0, 0]);
        workers.iter().for_each(tokio::task::JoinHandle::abort);
    }
}
