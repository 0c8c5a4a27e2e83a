//! Sets of values of a cron field: bit `n` is value `n`.

/// The values of a set in ascending order.
pub(super) fn values(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            // OK because a non-zero word has at most 63 trailing zeros.
            let value = set.trailing_zeros() as u8;
            set &= set - 1;
            value
        })
    })
}

/// The set of `low..=high`; empty if it runs backwards.
pub(super) const fn range(low: u8, high: u8) -> u64 {
    if low > high { 0 } else { (u64::MAX >> (63 - high)) & (u64::MAX << low) }
}
