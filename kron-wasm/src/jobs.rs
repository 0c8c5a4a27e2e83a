//! The parsed jobs of an instance, by their handles.

use std::collections::BTreeMap;

use kron_core::Job;

use crate::failure::Failure;

#[derive(Default)]
pub(crate) struct Jobs {
    by_handle: BTreeMap<u32, Job>,
    /// The handle of the job that was parsed last.
    last: u32,
}

impl Jobs {
    pub(crate) fn get(&self, handle: u32) -> Result<&Job, Failure> {
        self.by_handle.get(&handle).ok_or_else(|| Failure::handle(handle))
    }

    /// Keeps a job, and returns its handle. No handle is given twice.
    pub(crate) fn keep(&mut self, job: Job) -> Result<u32, Failure> {
        let Some(handle) = self.last.checked_add(1) else {
            let message = String::from("this instance has parsed more jobs than it has handles");
            return Err(Failure::limit(message, "make another instance"));
        };
        self.last = handle;
        self.by_handle.insert(handle, job);
        Ok(handle)
    }

    pub(crate) fn free(&mut self, handle: u32) {
        self.by_handle.remove(&handle);
    }

    pub(crate) fn len(&self) -> usize {
        self.by_handle.len()
    }
}
