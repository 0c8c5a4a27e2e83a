//! The children of the runner: its commands, and orphans that it inherits as process 1 of a container.

use std::collections::BTreeSet;
use std::io;
use std::process::{Child, Command};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use tokio::signal::unix::{SignalKind, signal};

use super::proc_fs;

/// The process ids of the commands that run. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Children(Arc<Known>);

#[derive(Debug, Default)]
struct Known {
    /// Read while a process is being started, and written while orphans are reaped.
    starting: RwLock<()>,
    pids: Mutex<BTreeSet<i32>>,
}

impl Children {
    /// Starts a process whose end its owner waits for.
    pub(crate) fn spawn(&self, mut command: Command) -> io::Result<Child> {
        // While this is locked, no orphan is reaped, so a child that is not in the set yet is not taken for one.
        let _starting = self.0.starting.read().unwrap_or_else(PoisonError::into_inner);
        let child = command.spawn()?;
        self.pids().insert(Pid::from_child(&child).as_raw_nonzero().get());
        Ok(child)
    }

    /// Its owner knows how it ended.
    pub(crate) fn forget(&self, pid: Pid) {
        self.pids().remove(&pid.as_raw_nonzero().get());
    }

    /// Takes the exit codes of orphans, so that they do not stay as zombies. It never ends. Only process 1 has orphans.
    pub(crate) async fn reap_orphans(self) -> io::Result<()> {
        let mut ended = signal(SignalKind::child())?;
        loop {
            self.reap_once();
            if ended.recv().await.is_none() {
                return Ok(());
            }
        }
    }

    /// Takes the exit codes of the orphans that have ended.
    fn reap_once(&self) {
        let _reaping = self.0.starting.write().unwrap_or_else(PoisonError::into_inner);
        let known = self.pids();
        let orphans = proc_fs::children().into_iter().filter(|pid| !known.contains(pid));
        for pid in orphans.filter_map(Pid::from_raw) {
            // One that is active has no exit code yet.
            let _ = waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOHANG);
        }
    }

    fn pids(&self) -> MutexGuard<'_, BTreeSet<i32>> {
        // Nothing panics while it holds the lock, and the set is whole at all times.
        self.0.pids.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
