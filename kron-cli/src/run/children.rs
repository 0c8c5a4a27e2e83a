//! The children of the runner: its commands, and orphans that it inherits as process 1 of a container.

use std::collections::BTreeMap;
use std::io;
use std::process::{Child, Command};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, TryLockError};
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::sleep;

use super::proc_fs;

/// How often a moment is looked for in which no command is being started, and the time between two looks.
const ATTEMPTS: u32 = 100;
const AGAIN: Duration = Duration::from_millis(50);

/// The commands that run, by their process ids. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Children(Arc<Known>);

#[derive(Debug, Default)]
struct Known {
    /// Read while a process is being started, and written while orphans are reaped.
    starting: RwLock<()>,
    running: Mutex<BTreeMap<i32, Running>>,
}

/// A command that runs.
#[derive(Debug)]
struct Running {
    job: String,
    /// Whether this runner started it, and not an earlier one.
    own: bool,
}

impl Children {
    /// Starts a process of a job, whose end its owner waits for.
    pub(crate) fn spawn(&self, mut command: Command, job: &str) -> io::Result<Child> {
        // While this is locked, no orphan is reaped, so a child that is not in the map yet is not taken for one.
        let _starting = self.0.starting.read().unwrap_or_else(PoisonError::into_inner);
        let child = command.spawn()?;
        self.lock().insert(raw(Pid::from_child(&child)), Running { job: job.to_string(), own: true });
        Ok(child)
    }

    /// A process of a job that an earlier runner started is active.
    pub(crate) fn adopt(&self, pid: Pid, job: &str) {
        self.lock().insert(raw(pid), Running { job: job.to_string(), own: false });
    }

    /// The process has ended, and `fetch` takes its exit code. Until then no other process has its number.
    pub(crate) fn forget<T>(&self, pid: Pid, fetch: impl FnOnce() -> T) -> T {
        let mut known = self.lock();
        known.remove(&raw(pid));
        fetch()
    }

    /// Kills the commands that this runner started and whose ends it has not seen. It does not wait.
    pub(crate) fn kill(&self) {
        let known = self.try_lock();
        let own = known.iter().flat_map(|known| known.iter()).filter(|(_, running)| running.own);
        for pid in own.filter_map(|(pid, _)| Pid::from_raw(*pid)) {
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }

    /// The jobs and process ids of the commands whose ends were not seen. `None` if one is just being started. It does not wait.
    pub(crate) fn left(&self) -> Option<Vec<(String, i32)>> {
        let _starting = match self.0.starting.try_write() {
            Ok(none) => none,
            Err(TryLockError::Poisoned(none)) => none.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        let known = self.try_lock()?;
        Some(known.iter().map(|(pid, running)| (running.job.clone(), *pid)).collect())
    }

    /// Takes the exit codes of orphans, so that they do not stay as zombies. It never ends. Only process 1 has orphans.
    pub(crate) async fn reap_orphans(self) -> io::Result<()> {
        let mut ended = signal(SignalKind::child())?;
        loop {
            let mut attempts = 1;
            while !self.reap_once(attempts == ATTEMPTS) {
                attempts += 1;
                sleep(AGAIN).await;
            }
            if ended.recv().await.is_none() {
                return Ok(());
            }
        }
    }

    /// Takes the exit codes of the orphans that have ended. Says whether it did, as a command may just be being started.
    ///
    /// With `always` it does so all the same: a start may never end, and then nothing else can end either. The list of children does
    /// not have what is being started, as long as the threads that start commands stay.
    fn reap_once(&self, always: bool) -> bool {
        // Whoever waited for this lock would hold up all starts.
        let reaping = match self.0.starting.try_write() {
            Ok(none) => Some(none),
            Err(TryLockError::Poisoned(none)) => Some(none.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        };
        if reaping.is_none() && !always {
            return false;
        }
        // While this is locked, nobody waits for a command, so the list is complete.
        let known = self.lock();
        let orphans =
            proc_fs::children().into_iter().filter(|pid| !known.get(pid).is_some_and(|running| running.own));
        for pid in orphans.filter_map(Pid::from_raw) {
            // One that is active has no exit code yet.
            let _ = waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOHANG);
        }
        true
    }

    fn try_lock(&self) -> Option<MutexGuard<'_, BTreeMap<i32, Running>>> {
        match self.0.running.try_lock() {
            Ok(known) => Some(known),
            Err(TryLockError::Poisoned(known)) => Some(known.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<i32, Running>> {
        // Nothing panics while it holds the lock, and the map is whole at all times.
        self.0.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn raw(pid: Pid) -> i32 {
    pid.as_raw_nonzero().get()
}
