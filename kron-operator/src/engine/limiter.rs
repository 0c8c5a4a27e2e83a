//! How many requests are under way at once: fewer while the API server answers 429, more again as it answers. After a
//! 429, none is sent for a moment: refusals are answered at once, so each would make room for the next.

use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

/// How long no request goes out after a refusal.
const PAUSE: Duration = Duration::from_millis(100);
/// Requests that were under way together are refused together: the limit is halved once for all of them.
const HALVED_ONCE_IN: Duration = Duration::from_secs(1);

/// A limit that is halved when the server is busy, and grows by one whenever as many requests were answered as it allows.
#[derive(Debug)]
pub(super) struct Limiter {
    most: usize,
    state: Mutex<State>,
    freed: Notify,
}

#[derive(Debug)]
struct State {
    limit: usize,
    under_way: usize,
    /// Requests that were answered since the limit changed last.
    answered: usize,
    halved: Option<Instant>,
    /// No request is sent before this instant.
    paused_until: Option<Instant>,
}

/// The right to make requests, until it is dropped.
#[derive(Debug)]
pub(super) struct Permit<'l> {
    limiter: &'l Limiter,
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.limiter.state.lock().under_way -= 1;
        self.limiter.freed.notify_one();
    }
}

impl Limiter {
    pub(super) fn new(most: usize) -> Limiter {
        let state = State { limit: most.max(1), under_way: 0, answered: 0, halved: None, paused_until: None };
        Limiter { most: most.max(1), state: Mutex::new(state), freed: Notify::new() }
    }

    /// Waits until one more request may be under way.
    pub(super) async fn acquire(&self) -> Permit<'_> {
        loop {
            // Begins to listen before it looks, so that no signal in between is lost.
            let freed = self.freed.notified();
            let paused_until = {
                let mut state = self.state.lock();
                let paused_until = state.paused_until.filter(|until| *until > Instant::now());
                if state.under_way < state.limit && paused_until.is_none() {
                    state.under_way += 1;
                    return Permit { limiter: self };
                }
                paused_until
            };
            match paused_until {
                Some(until) => sleep_until(until).await,
                None => freed.await,
            }
        }
    }

    /// The server answered a request, and was not too busy for it.
    pub(super) fn answered(&self) {
        let mut state = self.state.lock();
        state.answered += 1;
        if state.answered >= state.limit && state.limit < self.most {
            state.limit += 1;
            state.answered = 0;
            drop(state);
            self.freed.notify_one();
        }
    }

    /// The server was too busy.
    pub(super) fn refused(&self) {
        let now = Instant::now();
        let mut state = self.state.lock();
        state.paused_until = Some(now + PAUSE);
        if state.halved.is_none_or(|halved| now.duration_since(halved) >= HALVED_ONCE_IN) {
            state.limit = (state.limit / 2).max(1);
            state.answered = 0;
            state.halved = Some(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_busy_server_gets_half_as_many_and_then_one_more_at_a_time() {
        let limiter = Limiter::new(8);
        let limit = || limiter.state.lock().limit;
        // Eight refusals of one moment count once.
        (0..8).for_each(|_| limiter.refused());
        assert_eq!(limit(), 4);
        tokio::time::sleep(Duration::from_secs(1)).await;
        (0..8).for_each(|_| limiter.refused());
        assert_eq!(limit(), 2);
        for (answers, expected) in [(1, 2), (1, 3), (2, 3), (1, 4), (1000, 8)] {
            (0..answers).for_each(|_| limiter.answered());
            assert_eq!(limit(), expected);
        }
        for _ in 0..10 {
            tokio::time::sleep(Duration::from_secs(1)).await;
            limiter.refused();
        }
        assert_eq!(limit(), 1, "never none");
    }

    #[tokio::test(start_paused = true)]
    async fn nothing_goes_out_right_after_a_refusal() {
        let limiter = Limiter::new(8);
        limiter.refused();
        let begun = Instant::now();
        let permits = (limiter.acquire().await, limiter.acquire().await);
        assert!(begun.elapsed() >= PAUSE && begun.elapsed() < 2 * PAUSE, "{:?}", begun.elapsed());
        drop(permits);
        assert_eq!(limiter.state.lock().under_way, 0);
    }

    #[tokio::test(start_paused = true)]
    async fn those_beyond_the_limit_wait() {
        let limiter = Limiter::new(2);
        let (one, two) = (limiter.acquire().await, limiter.acquire().await);
        let third = tokio::time::timeout(Duration::from_secs(1), limiter.acquire()).await;
        assert!(third.is_err());
        drop(one);
        let third = tokio::time::timeout(Duration::from_secs(1), limiter.acquire()).await.unwrap();
        drop((two, third));
        assert_eq!(limiter.state.lock().under_way, 0);
    }
}
