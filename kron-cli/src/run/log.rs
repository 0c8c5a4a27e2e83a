//! The log of `kron run`: the thread that writes what commands print and what happens to jobs, and the lines that wait for it.

use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use super::log_line::{Event, Level, Line, LogForm, Source};
use super::log_stream::LogStream;
use super::unread::{Unread, UnreadStream};
use crate::output::plural::plural;

/// How many lines of commands may wait for the writer before commands that print have to wait.
const LINES_WAITING: usize = 1024;
/// How many bytes the lines of the runner may take that wait for the writer. More of them are left out: 60,000 of the usual length.
const OWN_WAITING: usize = 16 * 1024 * 1024;
/// Lines are written together up to so many bytes.
const AT_ONCE: usize = 16 * 1024;

/// The log. Clones write to the same streams, each line as a whole.
#[derive(Clone, Debug)]
pub(crate) struct Log {
    lines: mpsc::Sender<Queued>,
    /// Room for lines of commands that wait for the writer.
    room: Arc<Semaphore>,
    /// The bytes of the runner's lines that wait for the writer.
    own: Arc<AtomicUsize>,
    /// How many lines of the runner were left out since the last one that was not.
    left_out: Arc<AtomicUsize>,
    /// How many lines have not been written.
    unwritten: Arc<AtomicUsize>,
    unread: Unread,
}

/// A line that waits for the writer.
#[derive(Debug)]
struct Queued {
    line: Line,
    /// The room of a line of a command.
    room: Option<OwnedSemaphorePermit>,
    /// The bytes of a line of the runner.
    own: usize,
    /// The lines that it stands for: itself, and those whose absence it reports.
    lines: usize,
}

/// The thread that writes the log. It ends when all clones of the log are gone.
#[derive(Debug)]
pub(crate) struct LogWriter {
    /// Ends with the thread.
    ended: oneshot::Receiver<()>,
    unwritten: Arc<AtomicUsize>,
    unread: Unread,
}

impl Log {
    /// A log that a thread writes to these streams; in JSON all of it goes to the first. Where a stream takes no line, as one that is
    /// closed or on a full disk, the jobs go on.
    pub(crate) fn new(
        form: LogForm,
        out: impl Write + Send + 'static,
        err: impl Write + Send + 'static,
    ) -> (Log, LogWriter) {
        let (lines, waiting) = mpsc::channel::<Queued>();
        let (running, ended) = oneshot::channel::<()>();
        let unwritten = Arc::<AtomicUsize>::default();
        let left = Arc::clone(&unwritten);
        let own = Arc::<AtomicUsize>::default();
        let own_left = Arc::clone(&own);
        std::thread::spawn(move || {
            let _running = running;
            let mut out = LogStream::new(Box::new(out) as Box<dyn Write>);
            let mut err = LogStream::new(Box::new(err) as Box<dyn Write>);
            let mut next = None;
            while let Some(first) = next.take().or_else(|| waiting.recv().ok()) {
                let is_stderr = first.line.is_stderr(form);
                let (mut bytes, mut taken, mut ends) = (Vec::new(), Vec::new(), Vec::new());
                next = Some(first);
                // Lines that follow one another on one stream are written at once. A terminal shows both streams in their order.
                while let Some(queued) = next.take_if(|queued| queued.line.is_stderr(form) == is_stderr) {
                    let now = chrono::DateTime::<chrono::Utc>::from(std::time::SystemTime::now());
                    let time = now.to_rfc3339_opts(chrono::SecondsFormat::Millis, true);
                    bytes.extend(queued.line.bytes(form, time));
                    ends.push(bytes.len());
                    taken.push(queued);
                    next = waiting.try_recv().ok();
                    if bytes.len() >= AT_ONCE {
                        break;
                    }
                }
                let written = if is_stderr { &mut err } else { &mut out }.write(&bytes);
                let whole = ends.partition_point(|end| *end <= written);
                let lines = taken[..whole].iter().map(|queued| queued.lines).sum();
                left.fetch_sub(lines, Ordering::Relaxed);
                for Queued { own, room, .. } in taken {
                    own_left.fetch_sub(own, Ordering::Relaxed);
                    drop(room);
                }
            }
        });
        let room = Arc::new(Semaphore::new(LINES_WAITING));
        let unread = Unread::default();
        let left_out = Arc::default();
        let log =
            Log { lines, room, own, left_out, unwritten: Arc::clone(&unwritten), unread: unread.clone() };
        (log, LogWriter { ended, unwritten, unread })
    }

    /// A stream of a command has output, until what this returns is dropped.
    pub(super) fn unread(&self) -> UnreadStream {
        self.unread.stream()
    }

    /// Writes a line of a command. While the reader of the streams is slow, the command waits.
    pub(crate) async fn output(&self, line: Line) {
        // The semaphore is never closed.
        let room = Arc::clone(&self.room).acquire_owned().await.ok();
        self.unwritten.fetch_add(1, Ordering::Relaxed);
        let _ = self.lines.send(Queued { line, room, own: 0, lines: 1 });
    }

    /// Writes a line of the runner, which does not wait: starts must not depend on the reader of the streams. If too much waits, the
    /// line is left out, and the next one that is not has the number of those before it.
    fn line(&self, line: Line) {
        self.unwritten.fetch_add(1, Ordering::Relaxed);
        let size = size_of::<Queued>() + line.size();
        if self.own.fetch_add(size, Ordering::Relaxed) + size > OWN_WAITING {
            self.own.fetch_sub(size, Ordering::Relaxed);
            self.left_out.fetch_add(1, Ordering::Relaxed);
            return;
        }
        let left_out = self.left_out.swap(0, Ordering::Relaxed);
        if left_out > 0 {
            let line = Line::Message { level: Level::Warning, text: left_out_here(left_out) };
            self.unwritten.fetch_add(1, Ordering::Relaxed);
            let _ = self.lines.send(Queued { line, room: None, own: 0, lines: left_out + 1 });
        }
        let _ = self.lines.send(Queued { line, room: None, own: size, lines: 1 });
    }

    pub(crate) fn event(&self, source: &Source, event: Event, text: String) {
        self.line(Line::Event { source: source.clone(), text, event });
    }

    pub(crate) fn message(&self, level: Level, text: impl Into<String>) {
        self.line(Line::Message { level, text: text.into() });
    }

    /// Writes errors and warnings about files.
    pub(crate) fn report(&self, text: String) {
        if !text.is_empty() {
            self.line(Line::Report { text });
        }
    }
}

/// What stands in the place of so many lines of the runner.
fn left_out_here(lines: usize) -> String {
    let are = if lines == 1 { "is" } else { "are" };
    let lines = plural(lines, "line");
    format!("{lines} of the runner {are} left out here: too many waited for the reader of its output")
}

impl LogWriter {
    /// Waits until the output of commands is in the log, as far as they have printed it, but no longer than `enough`. Returns how many
    /// streams have more.
    pub(crate) async fn read(&self, enough: impl Future<Output = ()>) -> usize {
        self.unread.read(enough).await
    }

    /// Waits until everything is written, but no longer than `enough`, as the reader of the streams may not read any more. All
    /// clones of the log must be dropped before. Returns how many lines were not written.
    pub(crate) async fn finish(self, enough: impl Future<Output = ()>) -> usize {
        tokio::select! {
            biased;
            _ = self.ended => {}
            () = enough => {}
        }
        self.unwritten.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;
    use crate::run::log_line::tests::{output, source};

    /// A stream that several owners can look at.
    #[derive(Clone, Default)]
    struct Shared(std::sync::Arc<std::sync::Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    /// A stream whose reader has gone.
    struct Closed;

    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[tokio::test]
    async fn everything_is_written_before_the_end() {
        let (out, err) = (Shared::default(), Shared::default());
        let (log, writer) = Log::new(LogForm::Text, out.clone(), err.clone());
        for number in 0..100 {
            log.output(output(number.to_string().as_bytes(), false)).await;
            log.event(&source(), Event::NotStarted, number.to_string());
        }
        drop(log);
        assert_eq!(writer.finish(pending()).await, 0);
        let lines = |stream: Shared| String::from_utf8(stream.0.lock().unwrap().clone()).unwrap();
        let (out, err) = (lines(out), lines(err));
        assert_eq!((out.lines().count(), err.lines().count()), (100, 100));
        assert!(out.ends_with("db/backup: 99\n") && err.ends_with("db/backup | 99\n"));
        let (log, writer) = Log::new(LogForm::Text, Closed, Closed);
        log.message(Level::Info, "nobody reads this");
        drop(log);
        assert_eq!(writer.finish(pending()).await, 0);
    }

    /// A stream whose reader reads nothing until it is allowed to.
    struct Stalled(mpsc::Receiver<()>, Shared);

    impl Write for Stalled {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            // Ends with the sender.
            let _ = self.0.recv();
            self.1.write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn one_line_that_is_left_out_is_singular() {
        assert!(left_out_here(1).starts_with("1 line of the runner is left out here: "));
        assert!(left_out_here(2).starts_with("2 lines of the runner are left out here: "));
    }

    #[tokio::test]
    async fn a_slow_reader_delays_commands_and_not_the_runner() {
        let (read, stalled) = mpsc::channel();
        let out = Shared::default();
        let (log, writer) = Log::new(LogForm::Json, Stalled(stalled, out.clone()), Closed);
        let printing = tokio::spawn({
            let log = log.clone();
            async move {
                for _ in 0..LINES_WAITING + 10 {
                    log.output(output(b"x", false)).await;
                }
            }
        });
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        assert!(!printing.is_finished());
        for _ in 0..2 * LINES_WAITING {
            log.event(&source(), Event::NotStarted, String::new());
        }
        drop(read);
        printing.await.unwrap();
        drop(log);
        assert_eq!(writer.finish(pending()).await, 0);
        let lines = out.0.lock().unwrap().iter().filter(|byte| **byte == b'\n').count();
        assert_eq!(lines, 3 * LINES_WAITING + 10);
    }

    #[tokio::test]
    async fn what_nobody_reads_does_not_fill_the_memory() {
        let (read, stalled) = mpsc::channel();
        let out = Shared::default();
        let (log, writer) = Log::new(LogForm::Json, Stalled(stalled, out.clone()), Closed);
        let text = "x".repeat(1000);
        let fill = |log: &Log| {
            (0..OWN_WAITING / 1000).for_each(|_| log.event(&source(), Event::NotStarted, text.clone()))
        };
        fill(&log);
        assert!(log.own.load(Ordering::Relaxed) <= OWN_WAITING);
        let left_out = log.left_out.load(Ordering::Relaxed);
        assert!((1..OWN_WAITING / 1000 / 2).contains(&left_out), "{left_out}");
        // The reader reads again, and the next line is not left out.
        drop(read);
        while log.own.load(Ordering::Relaxed) > 0 {
            tokio::task::yield_now().await;
        }
        log.message(Level::Info, "read again");
        assert_eq!(log.left_out.load(Ordering::Relaxed), 0);
        drop(log);
        assert_eq!(writer.finish(pending()).await, 0);
        let log = String::from_utf8(out.0.lock().unwrap().clone()).unwrap();
        let last: Vec<&str> = log.lines().rev().take(2).collect();
        assert!(last[0].contains("read again"), "{last:?}");
        assert!(
            last[1].contains(&format!("\"{} of the runner are left out here: ", plural(left_out, "line"))),
            "{last:?}"
        );
        assert_eq!(log.lines().count() + left_out, OWN_WAITING / 1000 + 2);

        // What is left out until the end counts as not written.
        let (_read, stalled) = mpsc::channel();
        let (log, writer) = Log::new(LogForm::Json, Stalled(stalled, Shared::default()), Closed);
        fill(&log);
        drop(log);
        assert_eq!(writer.finish(std::future::ready(())).await, OWN_WAITING / 1000);
    }

    #[tokio::test]
    async fn a_reader_that_never_reads_is_not_waited_for() {
        let (_read, stalled) = mpsc::channel();
        let (log, writer) = Log::new(LogForm::Json, Stalled(stalled, Shared::default()), Closed);
        for _ in 0..3 {
            log.message(Level::Info, "nobody reads this");
        }
        drop(log);
        assert_eq!(writer.finish(std::future::ready(())).await, 3);
    }

    /// A stream on a full disk.
    struct Full;

    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[tokio::test]
    async fn lines_without_room_on_the_disk_count_as_not_written() {
        let out = Shared::default();
        let (log, writer) = Log::new(LogForm::Text, out.clone(), Full);
        for number in 0..100 {
            log.output(output(b"lost", false)).await;
            log.event(&source(), Event::NotStarted, number.to_string());
        }
        drop(log);
        assert_eq!(writer.finish(pending()).await, 100);
        assert_eq!(out.0.lock().unwrap().iter().filter(|byte| **byte == b'\n').count(), 100);
    }
}
