//! The signals that end the runner.

use std::io;
use std::pin::pin;
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
    /// How long a shutdown may take.
    patience: Duration,
    heard: bool,
    at_once: bool,
    last: Option<Instant>,
}

impl Ends {
    /// From now on these signals do not end the process by themselves. After the first one, it has so long to end.
    ///
    /// # Errors
    ///
    /// If the system refuses it.
    pub(crate) fn new(patience: Duration) -> io::Result<Ends> {
        let (terminate, interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
        Ok(Ends { terminate, interrupt, patience, heard: false, at_once: false, last: None })
    }

    /// Waits for the next signal.
    pub(crate) async fn next(&mut self) -> End {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
        self.heard(Instant::now())
    }

    fn heard(&mut self, now: Instant) -> End {
        if !std::mem::replace(&mut self.heard, true) {
            // Too far in the future, it means nothing.
            self.last = now.checked_add(self.patience);
            return End::Shutdown;
        }
        if !std::mem::replace(&mut self.at_once, true) {
            let last = now + AT_ONCE;
            self.last = Some(self.last.map_or(last, |patience| patience.min(last)));
        }
        End::AtOnce
    }

    /// When the process has to end, whatever it does; `None` before the first signal.
    pub(crate) fn last(&self) -> Option<Instant> {
        self.last
    }

    /// Whether there was a second signal.
    pub(crate) fn at_once(&self) -> bool {
        self.at_once
    }

    /// Waits for something, but no longer than the process may go on.
    pub(crate) async fn wait_for(&mut self, what: impl Future<Output = ()>) {
        let mut what = pin!(what);
        loop {
            let last = self.last;
            tokio::select! {
                () = &mut what => return,
                () = until(last) => return,
                _ = self.next() => {}
            }
        }
    }
}

/// Waits until a time; for ever if there is none.
pub(crate) async fn until(time: Option<Instant>) {
    match time {
        Some(time) => sleep_until(time).await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn nothing_is_waited_for_longer_than_the_signals_allow() {
        let patience = Duration::from_secs(60);
        let begin = Instant::now();
        let ends = || Ends::new(patience).unwrap();
        let mut never = ends();
        never.wait_for(std::future::ready(())).await;
        assert_eq!((never.last(), never.at_once()), (None, false));

        let mut first = ends();
        assert_eq!(first.heard(begin), End::Shutdown);
        first.wait_for(std::future::pending()).await;
        assert_eq!((begin.elapsed().as_secs(), first.at_once()), (60, false));

        let (mut second, begin) = (ends(), Instant::now());
        assert_eq!(
            [second.heard(begin), second.heard(begin), second.heard(begin + patience)],
            [End::Shutdown, End::AtOnce, End::AtOnce]
        );
        second.wait_for(std::future::pending()).await;
        assert_eq!((begin.elapsed().as_secs(), second.at_once()), (2, true));

        // A second signal never makes it longer.
        let (mut late, begin) = (ends(), Instant::now());
        assert_eq!([late.heard(begin), late.heard(begin + patience)], [End::Shutdown, End::AtOnce]);
        late.wait_for(std::future::pending()).await;
        assert_eq!(begin.elapsed().as_secs(), 60);
    }
}
