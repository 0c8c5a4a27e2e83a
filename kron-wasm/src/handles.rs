//! What an instance keeps for its host, by handles.

use std::collections::BTreeMap;

use crate::failure::Failure;

/// Values of one kind.
pub(crate) struct Handles<T> {
    by_handle: BTreeMap<u32, T>,
    /// The handle that was given last.
    last: u32,
    /// What a value is called.
    noun: &'static str,
}

impl<T> Handles<T> {
    pub(crate) const fn new(noun: &'static str) -> Handles<T> {
        Handles { by_handle: BTreeMap::new(), last: 0, noun }
    }

    pub(crate) fn get(&self, handle: u32) -> Result<&T, Failure> {
        self.by_handle.get(&handle).ok_or_else(|| Failure::handle(self.noun, handle))
    }

    /// Keeps a value, and returns its handle. No handle is given twice.
    pub(crate) fn keep(&mut self, value: T) -> Result<u32, Failure> {
        let Some(handle) = self.last.checked_add(1) else {
            let message = format!("this instance has parsed more {}s than it has handles", self.noun);
            return Err(Failure::limit(message, "make another instance"));
        };
        self.last = handle;
        self.by_handle.insert(handle, value);
        Ok(handle)
    }

    pub(crate) fn free(&mut self, handle: u32) {
        self.by_handle.remove(&handle);
    }

    pub(crate) fn len(&self) -> usize {
        self.by_handle.len()
    }
}
