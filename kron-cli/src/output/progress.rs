//! The progress of long work, on a terminal.

use std::io::{self, IsTerminal as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work that is done sooner shows no progress.
const QUIET: Duration = Duration::from_millis(500);

/// A bar on stderr, if that is a terminal. It disappears when it is dropped; nothing else may be written meanwhile.
#[derive(Debug)]
pub(crate) struct Progress {
    begin: Instant,
    bar: ProgressBar,
    shown: AtomicBool,
}

impl Progress {
    /// `whole` is what the parts are of: `the range`.
    pub(crate) fn new(whole: &'static str) -> Progress {
        let bar = ProgressBar::hidden();
        // OK because the template is a literal. The default style would do, too.
        let style = ProgressStyle::with_template("{bar:40} {percent:>3} % of {msg}, {eta} left");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_message(whole);
        Progress { begin: Instant::now(), bar, shown: AtomicBool::new(false) }
    }

    /// As [`new`](Progress::new), for work that writes to stdout meanwhile. There is no bar if stdout is a terminal, which shows
    /// the progress by the output itself.
    pub(crate) fn beside_output(whole: &'static str) -> Progress {
        let progress = Progress::new(whole);
        progress.shown.store(io::stdout().is_terminal(), Ordering::Relaxed);
        progress
    }

    /// So many of all parts are done.
    pub(crate) fn show(&self, done: usize, all: usize) {
        self.bar.set_length(all as u64);
        self.bar.set_position(done as u64);
        let is_long = done < all && self.begin.elapsed() > QUIET;
        if is_long && !self.shown.swap(true, Ordering::Relaxed) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    /// Removes the bar. Needed before anything is written to stderr.
    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.end();
    }
}
