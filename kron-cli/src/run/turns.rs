//! Which starts are made side by side.

use std::pin::pin;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::timeout;

/// For how long a start keeps others waiting. It takes some milliseconds, unless a file system does not answer.
pub(crate) const TURN: Duration = Duration::from_secs(1);
/// How many starts may take longer beside the others. Each of them has a thread.
const SLOW: usize = 200;

/// The turns of starts.
#[derive(Debug)]
pub(crate) struct Turns {
    free: Semaphore,
    slow: Semaphore,
}

impl Turns {
    /// So many starts are made side by side.
    pub(crate) fn new(side_by_side: u64) -> Turns {
        Turns::with_slow(side_by_side, SLOW)
    }

    fn with_slow(side_by_side: u64, slow: usize) -> Turns {
        let free = usize::try_from(side_by_side)
            .map_or(Semaphore::MAX_PERMITS, |free| free.min(Semaphore::MAX_PERMITS));
        Turns { free: Semaphore::new(free), slow: Semaphore::new(slow) }
    }

    /// Begins a start once it has a turn, and waits for it. One that takes long gives its turn to others, after `slow`.
    pub(crate) async fn take<T, Start: Future<Output = T>>(
        &self,
        start: impl FnOnce() -> Start,
        slow: impl FnOnce(),
    ) -> T {
        // Neither of the two is ever closed.
        let turn = self.free.acquire().await.ok();
        let mut start = pin!(start());
        if let Ok(started) = timeout(TURN, &mut start).await {
            return started;
        }
        let beside = self.slow.try_acquire();
        if beside.is_ok() {
            slow();
            drop(turn);
        }
        start.await
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::task::JoinHandle;

    use super::*;

    struct Test {
        turns: Arc<Turns>,
        slow: Arc<AtomicUsize>,
    }

    impl Test {
        fn start(&self, ends: bool) -> JoinHandle<()> {
            let (turns, slow) = (Arc::clone(&self.turns), Arc::clone(&self.slow));
            let start = move || async move {
                if !ends {
                    pending().await
                }
            };
            tokio::spawn(async move { turns.take(start, || _ = slow.fetch_add(1, Ordering::Relaxed)).await })
        }

        fn slow(&self) -> usize {
            self.slow.load(Ordering::Relaxed)
        }
    }

    #[tokio::test(start_paused = true)]
    async fn starts_that_do_not_end_give_their_turns_to_others() {
        let turns = Arc::new(Turns::with_slow(2, 3));
        let test = Test { turns, slow: Arc::default() };
        let hung: Vec<_> = (0..3).map(|_| test.start(false)).collect();
        test.start(true).await.unwrap();
        test.start(true).await.unwrap();
        tokio::time::sleep(2 * TURN).await;
        assert_eq!(test.slow(), 3);
        // Their number is bounded: these keep their turns.
        let kept = [test.start(false), test.start(false)];
        let mut last = test.start(true);
        assert!(timeout(100 * TURN, &mut last).await.is_err());
        kept[0].abort();
        last.await.unwrap();
        assert_eq!(test.slow(), 3);
        hung.iter().chain(&kept).for_each(JoinHandle::abort);
    }
}
