//! The output of ended commands that is still read, because they left processes in the background that keep it open.
//!
//! Each costs the runner a file for each stream for as long as it lives, so their number is bounded.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::task::JoinHandle;

use super::log::Log;
use super::log_line::Level;

/// Of how many ended commands the output is read.
const MOST: usize = 200;

/// The ended commands whose output is still read, from the oldest to the newest. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Leftovers {
    most: usize,
    log: Log,
    read: Arc<Mutex<VecDeque<Leftover>>>,
}

/// An ended command whose output is still read.
#[derive(Debug)]
struct Leftover {
    job: String,
    /// The tasks that read it.
    streams: Vec<JoinHandle<()>>,
}

impl Leftover {
    fn is_read(&self) -> bool {
        self.streams.iter().any(|stream| !stream.is_finished())
    }
}

impl Leftovers {
    /// None so far. The log gets a warning for each one that is given up.
    pub(crate) fn new(log: Log) -> Leftovers {
        Leftovers::with_most(MOST, log)
    }

    /// The same with a bound of so many.
    pub(super) fn with_most(most: usize, log: Log) -> Leftovers {
        Leftovers { most, log, read: Arc::default() }
    }

    /// A command of a job has ended, and these tasks read its output, if they have not ended. If there are too many, the oldest is
    /// given up.
    pub(super) fn add(&self, job: &str, streams: Vec<JoinHandle<()>>) {
        // Nothing panics while it holds the lock, and the list is whole at all times.
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        read.push_back(Leftover { job: job.to_string(), streams });
        read.retain(Leftover::is_read);
        while read.len() > self.most {
            let Some(oldest) = read.pop_front() else { break };
            oldest.streams.iter().for_each(JoinHandle::abort);
            let text = format!(
                "{}: what an ended command left in the background is not read any more, because that of {} later ones is; \
                 it waits once its pipe is full",
                oldest.job, self.most
            );
            self.log.message(Level::Warning, text);
        }
    }
}
