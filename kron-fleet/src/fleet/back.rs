//! Merges in reverse: the same merge, on orders of the opposite sign.

use core::fmt;

use super::merge::{Merge, Ordered};

/// Many ordered series merged into one, latest first: the reverse of a [`Merge`]. Made by
/// [`Fleet::starts_back`](super::Fleet::starts_back) and [`Fleet::periods_back`](super::Fleet::periods_back).
pub struct MergeBack<I: Iterator> {
    merge: Merge<Back<I>>,
    /// The index of the last series, which comes first of equal ones.
    last: usize,
}

impl<I: Iterator> MergeBack<I>
where
    I::Item: Ordered,
{
    /// A merge of series that are latest first.
    pub(super) fn new(series: impl DoubleEndedIterator<Item = I> + ExactSizeIterator) -> MergeBack<I> {
        let last = series.len().saturating_sub(1);
        MergeBack { merge: Merge::new(series.rev().map(Back)), last }
    }
}

impl<I: Iterator> Iterator for MergeBack<I>
where
    I::Item: Ordered,
{
    type Item = (usize, I::Item);

    fn next(&mut self) -> Option<(usize, I::Item)> {
        let (place, BackItem(item)) = self.merge.next()?;
        // OK because a place is that of one of the series.
        Some((self.last - place, item))
    }
}

// The items need not be printable.
impl<I: Iterator> fmt::Debug for MergeBack<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MergeBack").field("last", &self.last).finish_non_exhaustive()
    }
}

/// A series whose items have the opposite order.
struct Back<I>(I);

struct BackItem<T>(T);

impl<I: Iterator> Iterator for Back<I> {
    type Item = BackItem<I::Item>;

    fn next(&mut self) -> Option<BackItem<I::Item>> {
        self.0.next().map(BackItem)
    }
}

impl<T: Ordered> Ordered for BackItem<T> {
    fn order(&self) -> Option<(i64, i64)> {
        let (first, second) = self.0.order()?;
        Some((-first, -second))
    }
}
