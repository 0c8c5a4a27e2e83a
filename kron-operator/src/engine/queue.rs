//! The queue of KronJobs that have something to be done: by lane, and within one the namespaces take turns.

use std::collections::BTreeSet;

use parking_lot::Mutex;
use tokio::sync::Notify;

use crate::object::Key;
use crate::plan::Lane;
use crate::turns::Turns;

/// KronJobs by lane. A KronJob is in a lane once.
#[derive(Debug, Default)]
pub(super) struct Queue {
    lanes: Mutex<[Waiting; Lane::ALL.len()]>,
    /// For workers that take anything, and for those that take starts alone.
    any: Notify,
    starts: Notify,
}

/// The KronJobs of one lane.
#[derive(Debug, Default)]
struct Waiting {
    order: Turns<Key>,
    members: BTreeSet<Key>,
}

impl Waiting {
    fn push(&mut self, key: Key) {
        if self.members.insert(key.clone()) {
            self.order.push(&key.namespace.clone(), key);
        }
    }

    fn pop(&mut self) -> Option<Key> {
        let key = self.order.pop(|_| true)?;
        self.members.remove(&key);
        Some(key)
    }
}

impl Queue {
    pub(super) fn push(&self, lane: Lane, key: Key) {
        self.lanes.lock()[lane as usize].push(key);
        self.any.notify_one();
        if lane == Lane::Start {
            self.starts.notify_one();
        }
    }

    fn try_pop(&self, starts_only: bool) -> Option<(Lane, Key)> {
        let mut lanes = self.lanes.lock();
        let considered = if starts_only { &Lane::ALL[..1] } else { &Lane::ALL[..] };
        considered.iter().find_map(|lane| Some((*lane, lanes[*lane as usize].pop()?)))
    }

    /// The first of the most urgent lane; waits for one. With `starts_only`, from the lane of starts alone.
    pub(super) async fn pop(&self, starts_only: bool) -> (Lane, Key) {
        let signal = if starts_only { &self.starts } else { &self.any };
        loop {
            // Begins to listen before it looks, so that no signal in between is lost.
            let pushed = signal.notified();
            if let Some(found) = self.try_pop(starts_only) {
                // There may be more KronJobs than signals, because another kind of worker may have taken a signal.
                signal.notify_one();
                return found;
            }
            pushed.await;
        }
    }

    /// How many wait in each lane.
    pub(super) fn depths(&self) -> [(Lane, usize); Lane::ALL.len()] {
        let lanes = self.lanes.lock();
        Lane::ALL.map(|lane| (lane, lanes[lane as usize].members.len()))
    }

    /// Whether starts wait.
    pub(super) fn has_starts(&self) -> bool {
        !self.lanes.lock()[Lane::Start as usize].members.is_empty()
    }

    /// Drops all that waits.
    pub(super) fn clear(&self) {
        *self.lanes.lock() = Default::default();
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
            (Lane::Background, "a"),
            (Lane::Status, "b"),
            (Lane::Start, "c"),
            (Lane::Status, "b"),
            (Lane::Start, "d"),
        ] {
            queue.push(lane, key(name));
        }
        assert_eq!(queue.depths().map(|(_, depth)| depth), [2, 1, 1]);
        assert_eq!(queue.pop(true).await, (Lane::Start, key("c")));
        for (lane, name) in [(Lane::Start, "d"), (Lane::Status, "b"), (Lane::Background, "a")] {
            assert_eq!(queue.pop(false).await, (lane, key(name)));
        }
    }

    #[tokio::test]
    async fn namespaces_take_turns() {
        let queue = Queue::default();
        for number in 0..100 {
            queue.push(Lane::Start, Key::new("large", &number.to_string()));
        }
        queue.push(Lane::Start, Key::new("small", "0"));
        queue.push(Lane::Start, Key::new("small", "1"));
        assert!(queue.has_starts());
        let mut popped = Vec::new();
        for _ in 0..102 {
            popped.push(queue.pop(true).await.1);
        }
        let places: Vec<usize> = (0..102).filter(|at| &*popped[*at].namespace == "small").collect();
        assert_eq!(places, [1, 3]);
        let large = popped.iter().filter(|key| &*key.namespace == "large").map(|key| key.name.to_string());
        assert!(large.eq((0..100).map(|number| number.to_string())));
        assert!(!queue.has_starts());
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
