//! The signals that end the runner.

use std::io;
use std::time::Duration;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::{Instant, sleep_until};

/// How long the process goes on after the second signal, whatever it does then.
const AT_ONCE: Duration = Duration::from_secs(2);

/// What a signal asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The first one: a shutdown.
    Shutdown,
    /// Every later one: an end at once.
    AtOnce,
}

/// SIGTERM and SIGINT.
#[derive(Debug)]
pub(crate) struct Ends {
    terminate: Signal,
    interrupt: Signal,
    heard: bool,
    last: Option<Instant>,
}

impl Ends {
    /// From now on these signals do not end the process by themselves.
    ///
    /// # Errors
    ///
    /// If the system refuses it.
    pub(crate) fn new() -> io::Result<Ends> {
        let (terminate, interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
        Ok(Ends { terminate, interrupt, heard: false, last: None })
    }

    /// Waits for the next signal.
    pub(crate) async fn next(&mut self) -> End {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
        if !std::mem::replace(&mut self.heard, true) {
            return End::Shutdown;
        }
        self.last.get_or_insert_with(|| Instant::now() + AT_ONCE);
        End::AtOnce
    }

    /// When the process has to end, whatever it does; `None` before the second signal.
    pub(crate) fn last(&self) -> Option<Instant> {
        self.last
    }
}

/// Waits until a time; for ever if there is none.
pub(crate) async fn until(time: Option<Instant>) {
    match time {
        Some(time) => sleep_until(time).await,
        None => std::future::pending().await,
    }
}
