//! A screen that is drawn again each second, until a signal ends it.
//!
//! Files are read by a thread that nothing waits for: a file system may never answer, and the screen goes on.

pub(crate) mod apart;
pub(crate) mod marks;
mod screen;
mod signals;

use std::sync::mpsc;
use std::time::{Duration, Instant};

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::sleep;

use self::screen::Screen;
use self::signals::{Event, Signals};
use crate::exit_status::ExitStatus;
use crate::output::diagnostic::Diagnostic;
use crate::output::frame::Line;
use crate::session::{Session, Stop};

/// The least time between two looks at files.
const LOOK: Duration = Duration::from_secs(1);
/// A look takes at most one part of so many of the time.
const SHARE: u32 = 20;

/// Refuses to watch where nothing can be redrawn.
pub(crate) fn check_terminal(session: &Session<'_>) -> Result<(), Stop> {
    let is_dumb = session.variable("TERM").is_some_and(|kind| kind == "dumb");
    if session.terminal_size().is_some() && !is_dumb {
        return Ok(());
    }
    let error =
        Diagnostic::error("--watch needs a terminal that can be redrawn, and standard output is none");
    Err(error.help("leave it out, and run the command again for another look").into())
}

/// Draws until a signal ends it: Ctrl-C, SIGTERM, or the end of the terminal.
///
/// `look` gives what was read, if it is to be shown in place of what was there. It runs in another thread, once a second at most.
/// `lines` is called each second, and after each look that gives something: with that, the Unix second, and the numbers of columns and rows.
pub(crate) fn watch<R: Send + 'static>(
    look: impl FnMut() -> Option<R> + Send + 'static,
    mut lines: impl FnMut(Option<R>, i64, (usize, usize)) -> Vec<Line>,
    session: &mut Session<'_>,
) -> Result<ExitStatus, Stop> {
    let failed = |failed: std::io::Error| {
        Stop::from(Diagnostic::error(format!("the terminal cannot be watched: {failed}")))
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
    runtime.block_on(async {
        // Before the terminal changes: from here on, a signal ends this function only.
        let mut signals = Signals::new().map_err(failed)?;
        let mut looks = Looks::begin(look).map_err(failed)?;
        let colored = session.colored_out;
        let size = session.terminal_size_now();
        let (clock, out) = session.clock_and_out();
        let mut screen = Screen::new(out, colored);
        let mut read = None;
        loop {
            let now = clock();
            let Some((columns, rows)) = size() else { return Ok(ExitStatus::Success) };
            let (columns, rows) = (usize::from(columns), usize::from(rows));
            screen.draw(&lines(read.take(), now.timestamp(), (columns, rows)), (columns, rows))?;
            looks.ask();
            // The next second begins in so many nanoseconds.
            let left = 1_000_000_000 - now.timestamp_subsec_nanos().min(999_999_999);
            let second = sleep(Duration::from_nanos(left.into()));
            tokio::pin!(second);
            let event = loop {
                tokio::select! {
                    event = signals.next() => break event,
                    () = &mut second => break Event::Redraw,
                    // Without a thread, nothing is read again.
                    Some(found) = looks.found.recv() => {
                        read = looks.take(found);
                        if read.is_some() {
                            break Event::Redraw;
                        }
                    }
                }
            };
            match event {
                Event::End => return Ok(ExitStatus::Success),
                Event::Redraw => {}
                Event::Suspend => {
                    screen.leave()?;
                    // Returns when the process goes on.
                    signals::suspend();
                }
            }
        }
    })
}

/// The looks of another thread.
struct Looks<R> {
    requests: mpsc::Sender<()>,
    found: UnboundedReceiver<(Option<R>, Duration)>,
    /// Whether a look was asked for that has not ended.
    is_looking: bool,
    next: Instant,
}

impl<R: Send + 'static> Looks<R> {
    fn begin(mut look: impl FnMut() -> Option<R> + Send + 'static) -> std::io::Result<Looks<R>> {
        let (requests, asked) = mpsc::channel();
        let (give, found) = unbounded_channel();
        std::thread::Builder::new().spawn(move || {
            while asked.recv().is_ok() {
                let begin = Instant::now();
                let read = look();
                if give.send((read, begin.elapsed())).is_err() {
                    return;
                }
            }
        })?;
        Ok(Looks { requests, found, is_looking: false, next: Instant::now() + LOOK })
    }

    /// Asks for a look, if it is time for one.
    fn ask(&mut self) {
        if !self.is_looking && Instant::now() >= self.next {
            self.is_looking = self.requests.send(()).is_ok();
        }
    }

    /// Takes what was found.
    fn take(&mut self, (read, cost): (Option<R>, Duration)) -> Option<R> {
        self.is_looking = false;
        self.next = Instant::now() + LOOK.max(cost * SHARE);
        read
    }
}
