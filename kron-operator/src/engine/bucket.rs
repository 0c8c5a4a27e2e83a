//! A limit of how many of something happen in a second.

use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

/// A bucket of tokens: so many in a second, and at most two at once.
#[derive(Debug)]
pub(super) struct Bucket {
    every: Duration,
    state: Mutex<BucketState>,
}

#[derive(Debug, Default)]
struct BucketState {
    /// When the next token is there.
    next: Option<Instant>,
    /// When the last of those that wait comes back.
    last_waiting: Option<Instant>,
}

impl Bucket {
    pub(super) fn new(per_second: u32) -> Bucket {
        Bucket { every: Duration::from_secs(1) / per_second.max(1), state: Mutex::default() }
    }

    /// Takes a token, or returns after which time to come back. Each caller comes back for a token of its own: if ten
    /// thousand came back for one token, all of them would be planned again for each. This never waits, because a worker
    /// has other work.
    pub(super) fn take(&self) -> Result<(), Duration> {
        let now = Instant::now();
        let mut state = self.state.lock();
        match state.next.filter(|next| *next > now + self.every) {
            Some(next) => {
                let slot = state.last_waiting.map_or(next, |last| next.max(last + self.every));
                state.last_waiting = Some(slot);
                Err(slot - now)
            }
            None => {
                state.next = Some(state.next.map_or(now, |next| next.max(now)) + self.every);
                Ok(())
            }
        }
    }

    /// Forgets those that wait.
    pub(super) fn forget_waiting(&self) {
        self.state.lock().last_waiting = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lets so many come for tokens, and says how often one came and how long it took until all had theirs.
    async fn come(bucket: &Bucket, many: usize) -> (usize, Duration) {
        let begun = Instant::now();
        let mut asked = 0;
        // When each of those that wait comes back, in milliseconds.
        let mut waiting: std::collections::BTreeMap<u64, usize> = [(0, many)].into();
        while let Some((at, count)) = waiting.pop_first() {
            tokio::time::sleep_until(begun + Duration::from_millis(at)).await;
            for _ in 0..count {
                asked += 1;
                if let Err(wait) = bucket.take() {
                    let back = (begun.elapsed() + wait).as_millis() as u64;
                    *waiting.entry(back).or_default() += 1;
                }
            }
        }
        (asked, begun.elapsed())
    }

    #[tokio::test(start_paused = true)]
    async fn each_that_waits_for_a_token_comes_back_once() {
        let bucket = Bucket::new(20);
        let (asked, took) = come(&bucket, 10_000).await;
        assert!(asked <= 20_000, "{asked}");
        assert!(took > Duration::from_secs(499) && took < Duration::from_secs(501), "{took:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn tokens_of_a_thousand_in_a_second_are_enough_for_a_thousand() {
        let (asked, took) = come(&Bucket::new(1000), 5000).await;
        assert!(asked <= 10_000 && took < Duration::from_secs(6), "{asked} {took:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_new_term_does_not_wait_for_those_of_the_one_before() {
        let bucket = Bucket::new(20);
        let waits: Vec<_> = (0..10_000).filter_map(|_| bucket.take().err()).collect();
        assert!(waits[9000] > Duration::from_secs(400));
        bucket.forget_waiting();
        tokio::time::sleep(Duration::from_secs(1)).await;
        let waits: Vec<_> = (0..4).map(|_| bucket.take()).collect();
        assert!(waits[..2].iter().all(Result::is_ok), "{waits:?}");
        assert!(waits[2..].iter().all(|wait| wait.unwrap_err() < Duration::from_secs(1)), "{waits:?}");
    }
}
