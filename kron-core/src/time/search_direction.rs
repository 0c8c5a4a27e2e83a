//! The two directions of a search in time.

/// Forwards or backwards in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i64)]
pub(crate) enum SearchDirection {
    /// No bit is set.
    Forward = 0,
    /// All bits are set: XOR with it inverts all bits of two numbers, which reverses their order.
    Backward = -1,
}

impl SearchDirection {
    /// Whether a search in this direction comes to `one` after `other`.
    #[inline(always)]
    pub(crate) fn is_beyond(self, one: i64, other: i64) -> bool {
        (one ^ self as i64) > (other ^ self as i64)
    }

    /// The instant this many seconds further in this direction.
    #[inline(always)]
    pub(crate) fn advance(self, from: i64, seconds: i64) -> i64 {
        match self {
            SearchDirection::Forward => from.saturating_add(seconds),
            SearchDirection::Backward => from.saturating_sub(seconds),
        }
    }

    /// The ends of an interval, given in order of time, in the order in which a search comes to them.
    #[inline(always)]
    pub(crate) fn ends(self, first: i64, last: i64) -> (i64, i64) {
        match self {
            SearchDirection::Forward => (first, last),
            SearchDirection::Backward => (last, first),
        }
    }
}
