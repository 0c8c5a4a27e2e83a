//! The signals that end or redraw a screen.

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    End,
    Redraw,
    /// Ctrl-Z: the process stops, and the terminal is another program's.
    #[cfg_attr(not(unix), expect(dead_code, reason = "other systems have no such signal"))]
    Suspend,
}

#[cfg(unix)]
pub(super) use of_unix::{Signals, suspend};

#[cfg(unix)]
mod of_unix {
    use std::io;

    use rustix::process::{Signal as Number, getpid, kill_process};
    use tokio::signal::unix::{Signal, SignalKind, signal};

    use super::Event;

    /// The signals, from the time on at which this is made.
    pub(in crate::watch) struct Signals {
        interrupt: Signal,
        terminate: Signal,
        hang_up: Signal,
        resize: Signal,
        suspend: Signal,
    }

    impl Signals {
        pub(in crate::watch) fn new() -> io::Result<Signals> {
            Ok(Signals {
                interrupt: signal(SignalKind::interrupt())?,
                terminate: signal(SignalKind::terminate())?,
                hang_up: signal(SignalKind::hangup())?,
                resize: signal(SignalKind::window_change())?,
                suspend: signal(SignalKind::from_raw(Number::TSTP.as_raw()))?,
            })
        }

        /// The next one that matters.
        pub(in crate::watch) async fn next(&mut self) -> Event {
            tokio::select! {
                _ = self.interrupt.recv() => Event::End,
                _ = self.terminate.recv() => Event::End,
                _ = self.hang_up.recv() => Event::End,
                _ = self.resize.recv() => Event::Redraw,
                _ = self.suspend.recv() => Event::Suspend,
            }
        }
    }

    /// Stops the process, as Ctrl-Z does where nothing handles it.
    pub(in crate::watch) fn suspend() {
        // If it fails, the screen is drawn again.
        let _ = kill_process(getpid(), Number::STOP);
    }
}

#[cfg(not(unix))]
pub(super) use of_others::{Signals, suspend};

#[cfg(not(unix))]
mod of_others {
    use std::io;

    use super::Event;

    /// Ctrl-C.
    pub(in crate::watch) struct Signals;

    impl Signals {
        #[expect(clippy::unnecessary_wraps, reason = "other systems have signals that may fail")]
        pub(in crate::watch) fn new() -> io::Result<Signals> {
            Ok(Signals)
        }

        /// The next one. Without it, nothing but the system ends the process.
        pub(in crate::watch) async fn next(&mut self) -> Event {
            let _ = tokio::signal::ctrl_c().await;
            Event::End
        }
    }

    /// Does nothing.
    pub(in crate::watch) fn suspend() {}
}
