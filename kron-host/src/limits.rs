//! Every limit of this crate, defined once.

/// A start whose request fails is tried again for at least this many seconds from the first failure.
pub const RETRY_SECONDS: i64 = 10;
/// A start that was decided in time waits for its turn for at most this many seconds.
pub const QUEUE_SECONDS: i64 = 300;
/// A start whose claim another process holds is left to that process until this many seconds after the chosen time, and after the
/// claim of a late start. What that process asks for arrives within as many seconds.
pub const HOLDER_SECONDS: i64 = 10;
/// The Unix second from which on no request is expected to arrive any more that was sent up to the second `sent`.
pub(crate) fn arrived_at(sent: i64) -> i64 {
    // That second had begun.
    sent.saturating_add(HOLDER_SECONDS + 1)
}
/// A claim that is missing this many seconds before the start is written before anything else.
pub(crate) const CLAIM_SECONDS: i64 = 5;
/// The clocks of two machines may differ by this many seconds: a stored time that is further ahead is not used.
pub const CLOCK_DIFFERENCE: i64 = 60;
/// A search that found no start is made again after this many seconds.
pub(crate) const SEARCH_AGAIN: i64 = 86_400;
/// Periods whose windows have ended that a dispatcher decides in one step. More of them, after a long absence, are decided by
/// a search, which a host can run elsewhere.
pub(crate) const ENDED_AT_ONCE: u64 = 200;
/// Most handled periods beyond the watermark that a record lists.
pub(crate) const HANDLED_LISTED: usize = 100;
