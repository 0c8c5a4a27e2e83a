//! Limits how often the status of one KronJob is written. Two operators that see different things, because the watch of one is late
//! or its clock is wrong, would otherwise undo each other's writes as fast as the API server answers.

use std::collections::BTreeMap;

use parking_lot::Mutex;

use crate::object::Key;

/// The span of time in which writes are counted, in milliseconds.
const SPAN: i64 = 10_000;
/// How many writes of one status are made in it. A start needs two or three.
const IN_A_SPAN: u8 = 20;
/// From so many KronJobs on, those without a write in the last span are forgotten.
const SWEPT_FROM: usize = 1024;

/// The writes of the last span, for each KronJob.
#[derive(Debug, Default)]
pub(super) struct StatusWrites {
    counts: Mutex<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    /// When a span began, in Unix milliseconds, and how many writes there were since.
    of: BTreeMap<Key, (i64, u8)>,
    /// How many KronJobs were left by the last sweep.
    swept: usize,
}

impl StatusWrites {
    /// Counts a write at a Unix time in milliseconds, or says from when on one may be made.
    pub(super) fn take(&self, key: &Key, now: i64) -> Result<(), i64> {
        let mut counts = self.counts.lock();
        // A clock that was set back begins a span, too.
        let is_over = |since: i64| !(0..SPAN).contains(&now.saturating_sub(since));
        if counts.of.len() >= SWEPT_FROM.max(counts.swept.saturating_mul(2)) {
            counts.of.retain(|_, (since, _)| !is_over(*since));
            counts.swept = counts.of.len();
        }
        let (since, count) = counts.of.entry(key.clone()).or_insert((now, 0));
        if is_over(*since) {
            (*since, *count) = (now, 0);
        }
        if *count >= IN_A_SPAN {
            return Err(since.saturating_add(SPAN));
        }
        *count += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &str) -> Key {
        Key { namespace: "n".into(), name: name.into() }
    }

    #[test]
    fn a_status_that_is_written_again_and_again_waits_for_the_next_span() {
        let writes = StatusWrites::default();
        let (one, other) = (key("one"), key("other"));
        for write in 0..i64::from(IN_A_SPAN) {
            assert_eq!(writes.take(&one, 1_000_000 + write), Ok(()));
        }
        assert_eq!(writes.take(&one, 1_000_500), Err(1_010_000));
        assert_eq!(writes.take(&one, 1_009_999), Err(1_010_000));
        assert_eq!(writes.take(&other, 1_009_999), Ok(()));
        assert_eq!(writes.take(&one, 1_010_000), Ok(()));
        // The clock was set back.
        for _ in 0..IN_A_SPAN {
            assert_eq!(writes.take(&one, 500), Ok(()));
        }
        assert_eq!(writes.take(&one, 500), Err(10_500));
    }

    #[test]
    fn kronjobs_without_writes_are_forgotten() {
        let writes = StatusWrites::default();
        for index in 0..100_000 {
            assert_eq!(writes.take(&key(&index.to_string()), index * 100), Ok(()));
        }
        assert!(writes.counts.lock().of.len() <= 2 * SWEPT_FROM);
    }
}
