//! Which starts are made side by side.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, timeout_at};

/// For how long a start keeps others waiting. It takes some milliseconds, unless a file system does not answer.
pub(crate) const TURN: Duration = Duration::from_secs(1);
/// How many starts may take longer beside the others. Each of them has a thread.
const SLOW: usize = 200;

/// Makes a start.
type Start = Box<dyn FnOnce() + Send>;

/// The turns of starts. A thread that has made one goes on with the next one that waits. Clones share them.
#[derive(Clone)]
pub(crate) struct Turns {
    side_by_side: usize,
    turn: Duration,
    most_slow: usize,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    /// How many starts there were.
    count: u64,
    waiting: VecDeque<(u64, Start)>,
    /// Those that are being made, each by a thread.
    made: BTreeMap<u64, Made>,
}

/// A start that is being made.
struct Made {
    since: Instant,
    /// Whether it has given its turn to others.
    slow: bool,
}

impl State {
    fn slow(&self) -> usize {
        self.made.values().filter(|made| made.slow).count()
    }

    /// Gives its turn to the start that has waited longest, if a turn is free.
    fn next(&mut self, side_by_side: usize) -> Option<(u64, Start)> {
        if self.made.len() - self.slow() >= side_by_side {
            return None;
        }
        let (id, start) = self.waiting.pop_front()?;
        self.made.insert(id, Made { since: Instant::now(), slow: false });
        Some((id, start))
    }
}

impl fmt::Debug for Turns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Turns").field("side_by_side", &self.side_by_side).finish_non_exhaustive()
    }
}

impl Turns {
    /// So many starts are made side by side.
    pub(crate) fn new(side_by_side: u64) -> Turns {
        let side_by_side = usize::try_from(side_by_side).unwrap_or(usize::MAX);
        Turns { side_by_side, turn: TURN, most_slow: SLOW, state: Arc::default() }
    }

    /// Makes a start once it has a turn, on a thread that may wait, and gives its result. One that takes long gives its turn to others,
    /// after `slow`. One that nobody waits for when its turn comes is not made. If it panics, so does this: what it had done is unknown.
    pub(crate) async fn take<T: Send + 'static>(
        &self,
        start: impl FnOnce() -> T + Send + 'static,
        slow: impl FnOnce(),
    ) -> T {
        let (send, mut result) = oneshot::channel();
        let id = self.push(Box::new(move || {
            if !send.is_closed() {
                // It fails if nobody waits any more.
                _ = send.send(start());
            }
        }));
        self.go_on();
        let mut look = Instant::now() + self.turn;
        loop {
            if let Ok(ended) = timeout_at(look, &mut result).await {
                return ended.unwrap_or_else(|_| panicked());
            }
            let now = Instant::now();
            look = match self.since(id).map(|since| since + self.turn) {
                Some(over) if over > now => over,
                Some(_) if self.take_turn_from(id) => break,
                Some(_) | None => now + self.turn,
            };
        }
        slow();
        self.go_on();
        result.await.unwrap_or_else(|_| panicked())
    }

    fn push(&self, start: Start) -> u64 {
        let mut state = self.lock();
        state.count += 1;
        let id = state.count;
        state.waiting.push_back((id, start));
        id
    }

    /// Since when a start is being made.
    fn since(&self, id: u64) -> Option<Instant> {
        self.lock().made.get(&id).map(|made| made.since)
    }

    /// A start takes long. Says whether others have its turn from now on.
    fn take_turn_from(&self, id: u64) -> bool {
        let mut state = self.lock();
        if state.slow() >= self.most_slow {
            return false;
        }
        state.made.get_mut(&id).map(|made| made.slow = true).is_some()
    }

    /// Lets a thread begin for each start that waits and has a turn.
    fn go_on(&self) {
        loop {
            // The lock is free again: a runtime that ends drops what it gets, and with it a thread's turn.
            let next = self.lock().next(self.side_by_side);
            let Some((id, start)) = next else { return };
            let mut thread = Thread { turns: self.clone(), id };
            spawn_blocking(move || {
                start();
                while let Some(next) = thread.next() {
                    next();
                }
            });
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it holds the lock, and the state is whole at all times.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The message of the panic is printed where it began.
fn panicked() -> ! {
    resume_unwind(Box::new("the start panicked"))
}

/// A thread that makes starts, and the one that it makes now.
struct Thread {
    turns: Turns,
    id: u64,
}

impl Thread {
    /// The start is made. Gives the next one.
    fn next(&mut self) -> Option<Start> {
        let mut state = self.turns.lock();
        state.made.remove(&self.id);
        let (id, start) = state.next(self.turns.side_by_side)?;
        self.id = id;
        Some(start)
    }
}

/// Also if a start panics, others have its turn.
impl Drop for Thread {
    fn drop(&mut self) {
        self.turns.lock().made.remove(&self.id);
        self.turns.go_on();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;

    use tokio::task::JoinHandle;

    use super::*;

    struct Test {
        turns: Turns,
        slow: Arc<AtomicUsize>,
    }

    impl Test {
        fn new(side_by_side: u64, most_slow: usize) -> Test {
            let turn = Duration::from_millis(50);
            Test { turns: Turns { turn, most_slow, ..Turns::new(side_by_side) }, slow: Arc::default() }
        }

        fn take(&self, start: impl FnOnce() + Send + 'static) -> JoinHandle<()> {
            let (turns, slow) = (self.turns.clone(), Arc::clone(&self.slow));
            tokio::spawn(async move { turns.take(start, || _ = slow.fetch_add(1, Ordering::Relaxed)).await })
        }

        /// One that ends with its sender.
        fn hang(&self) -> (mpsc::Sender<()>, JoinHandle<()>) {
            let (end, ended) = mpsc::channel();
            (end, self.take(move || _ = ended.recv()))
        }

        fn slow(&self) -> usize {
            self.slow.load(Ordering::Relaxed)
        }
    }

    #[tokio::test]
    async fn starts_that_do_not_end_give_their_turns_to_others() {
        let test = Test::new(2, 3);
        let mut hung: Vec<_> = (0..3).map(|_| test.hang()).collect();
        test.take(|| ()).await.unwrap();
        while test.slow() < 3 {
            tokio::task::yield_now().await;
        }
        // Their number is bounded: these keep their turns.
        let kept = [test.hang(), test.hang()];
        let last = test.take(|| ());
        tokio::time::sleep(4 * test.turns.turn).await;
        assert!(!last.is_finished() && test.slow() == 3);
        let (end, start) = hung.remove(0);
        drop(end);
        // As soon as one has ended, another one that takes long gives its turn away.
        start.await.unwrap();
        last.await.unwrap();
        drop((hung, kept));
    }

    #[tokio::test]
    async fn a_start_that_nobody_waits_for_is_not_made() {
        let test = Test::new(1, 0);
        let (end, hung) = test.hang();
        let made = Arc::new(AtomicUsize::new(0));
        let makes = Arc::clone(&made);
        let given_up = test.take(move || _ = makes.fetch_add(1, Ordering::Relaxed));
        while test.turns.lock().waiting.is_empty() {
            tokio::task::yield_now().await;
        }
        given_up.abort();
        assert!(given_up.await.is_err());
        drop(end);
        hung.await.unwrap();
        test.take(|| ()).await.unwrap();
        assert_eq!(made.load(Ordering::Relaxed), 0);
    }

    #[tokio::test]
    async fn a_start_that_panics_gives_its_turn_back() {
        let test = Test::new(1, 0);
        // Whoever waits for it must not take it for a start that was not made.
        let waiting = test.take(|| panic!("this start panics, as the test wants it"));
        assert!(waiting.await.unwrap_err().is_panic());
        test.take(|| ()).await.unwrap();
    }

    #[test]
    fn a_runtime_that_ends_does_not_hold_the_turns() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let test = Test::new(1, 0);
        let (end, ended) = mpsc::channel::<()>();
        let (begin, begun) = mpsc::channel();
        runtime.block_on(async {
            test.take(move || {
                _ = begin.send(());
                _ = ended.recv();
                panic!("this start panics, as the test wants it")
            });
            test.take(|| ());
            while test.turns.lock().waiting.is_empty() {
                tokio::task::yield_now().await;
            }
        });
        begun.recv().unwrap();
        runtime.shutdown_background();
        drop(end);
        // It would never be free again.
        while !test.turns.lock().made.is_empty() {
            std::thread::yield_now();
        }
    }
}
