//! Series that own the job or fleet that they read, so that C may free its handle first.

use std::sync::Arc;

/// A series, and the shared object that it borrows.
///
/// The items of the series borrow the object, too: callers convert them to owned values before they return.
#[derive(Debug)]
pub(crate) struct OwningSeries<O: 'static, S> {
    /// Dropped before the object, because fields are dropped in this order.
    series: S,
    _object: Arc<O>,
}

impl<O, S> OwningSeries<O, S> {
    pub(crate) fn new(object: Arc<O>, series: impl FnOnce(&'static O) -> S) -> OwningSeries<O, S> {
        // SAFETY: the object of an `Arc` does not move, is never written, and lives as long as this one's reference to
        // it, which outlives the series. The private modules that call this keep no other copy of the borrow.
        let borrowed: &'static O = unsafe { &*Arc::as_ptr(&object) };
        OwningSeries { series: series(borrowed), _object: object }
    }

    pub(crate) fn series(&mut self) -> &mut S {
        &mut self.series
    }
}
