//! Jobs that were read together.

use kron_core::{Duration, Job, Window};
use kron_fleet::forecast::with_window;
use kron_formats::read::ReadJob;

use crate::failure::Failure;

/// Jobs that were read together.
pub(crate) struct Fleet {
    pub(super) jobs: Vec<ReadJob>,
}

impl Fleet {
    pub(super) fn jobs(&self) -> impl Iterator<Item = &Job> {
        self.jobs.iter().map(|read| &read.loaded.job)
    }

    /// A job with a window of so many seconds, if it has none and is not placed.
    pub(super) fn windowed(&self, read: &ReadJob, seconds: Option<u32>) -> Result<Option<Job>, Failure> {
        let Some(seconds) = seconds.filter(|_| read.loaded.declared.is_none()) else { return Ok(None) };
        Ok(with_window(&read.loaded.job, Window::after(Duration::from_secs(seconds))?)?)
    }
}
