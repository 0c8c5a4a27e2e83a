//! What `kron run` prints: the output of commands, and what happens to jobs. Every line names its job.

use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use clap::ValueEnum;
use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use super::log_stream::LogStream;
use super::shown::shown;
use super::unread::{Unread, UnreadStream};
use crate::output::table::printable;

/// How many lines of commands may wait for the writer before commands that print have to wait.
const LINES_WAITING: usize = 1024;
/// Lines are written together up to so many bytes.
const AT_ONCE: usize = 16 * 1024;

/// The forms of the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogForm {
    /// Lines that begin with the name of the job
    #[default]
    Text,
    /// One JSON object a line
    Json,
}

/// Where a line of a command comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Stream {
    Stdout,
    Stderr,
}

/// The execution that a line belongs to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Source {
    pub(crate) job: String,
    /// The period id; `None` for run now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) period: Option<String>,
}

/// A line of the log.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Line {
    /// Output of a command. `partial` if the line is continued by the next one.
    Output { source: Source, stream: Stream, bytes: Vec<u8>, partial: bool },
    /// What happened to a job.
    Event { source: Source, text: String, event: Event },
    /// A message of the runner itself.
    Message { level: Level, text: String },
    /// Errors and warnings about files, in the form of all commands.
    Report { text: String },
}

/// What happened to an execution or a period, for programs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "event")]
pub(crate) enum Event {
    /// The command was started.
    Started { pid: u32 },
    /// The command ended.
    Ended {
        #[serde(skip_serializing_if = "Option::is_none")]
        exit_code: Option<i32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        signal: Option<i32>,
        duration_seconds: f64,
    },
    /// A command of an earlier runner is still active.
    Resumed { pid: u32 },
    /// The command could not be started.
    NotStarted,
    /// A period got an outcome without a start.
    Outcome { outcome: &'static str },
}

/// How important a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Level {
    Info,
    Warning,
    Error,
}

/// The object of a line in JSON.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Wire<'a> {
    time: String,
    #[serde(flatten)]
    source: Option<&'a Source>,
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<Level>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream: Option<Stream>,
    #[serde(flatten)]
    event: Option<&'a Event>,
    text: &'a str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    partial: bool,
}

impl Line {
    /// The line with its line feed; `time` is in RFC 3339.
    fn bytes(&self, form: LogForm, time: String) -> Vec<u8> {
        match (form, self) {
            (LogForm::Text, _) | (LogForm::Json, Line::Report { .. }) => self.text(),
            (LogForm::Json, _) => self.json(time),
        }
    }

    fn text(&self) -> Vec<u8> {
        let mut line = Vec::new();
        match self {
            Line::Output { source, bytes, .. } => {
                line.extend_from_slice(printable(&source.job).as_bytes());
                line.extend_from_slice(b" | ");
                line.extend_from_slice(&shown(bytes));
            }
            Line::Event { source, text, .. } => {
                line.extend_from_slice(format!("{}: {}", printable(&source.job), printable(text)).as_bytes());
            }
            Line::Message { level, text } => {
                let level = match level {
                    Level::Info => "",
                    Level::Warning => "warning: ",
                    Level::Error => "error: ",
                };
                line.extend_from_slice(format!("kron run: {level}{}", printable(text)).as_bytes());
            }
            // Its texts are printable already.
            Line::Report { text } => line.extend_from_slice(text.trim_end().as_bytes()),
        }
        line.push(b'\n');
        line
    }

    fn json(&self, time: String) -> Vec<u8> {
        let empty =
            Wire { time, source: None, level: None, stream: None, event: None, text: "", partial: false };
        let output;
        let wire = match self {
            Line::Output { source, stream, bytes, partial } => {
                output = String::from_utf8_lossy(bytes);
                Wire {
                    source: Some(source),
                    stream: Some(*stream),
                    text: &output,
                    partial: *partial,
                    ..empty
                }
            }
            Line::Event { source, text, event } => {
                Wire { source: Some(source), event: Some(event), text, ..empty }
            }
            Line::Message { level, text } => Wire { level: Some(*level), text, ..empty },
            Line::Report { text } => Wire { text, ..empty },
        };
        // Texts and numbers always have a JSON form.
        let mut line = serde_json::to_vec(&wire).unwrap_or_default();
        line.push(b'\n');
        line
    }

    /// Whether it goes to standard error: what a command writes there, and messages of the runner. All JSON goes to standard
    /// output.
    fn is_stderr(&self, form: LogForm) -> bool {
        match self {
            Line::Report { .. } => true,
            Line::Output { stream: Stream::Stderr, .. } | Line::Message { .. } => form == LogForm::Text,
            Line::Output { .. } | Line::Event { .. } => false,
        }
    }
}

/// The log. Clones write to the same streams, each line as a whole.
#[derive(Clone, Debug)]
pub(crate) struct Log {
    lines: mpsc::Sender<Queued>,
    /// Room for lines of commands that wait for the writer.
    room: Arc<Semaphore>,
    /// How many lines have not been written.
    unwritten: Arc<AtomicUsize>,
    unread: Unread,
}

/// A line that waits for the writer, with the room that it takes.
type Queued = (Line, Option<OwnedSemaphorePermit>);

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
        std::thread::spawn(move || {
            let _running = running;
            let mut out = LogStream::new(Box::new(out) as Box<dyn Write>);
            let mut err = LogStream::new(Box::new(err) as Box<dyn Write>);
            let mut next = None;
            while let Some(first) = next.take().or_else(|| waiting.recv().ok()) {
                let is_stderr = first.0.is_stderr(form);
                let (mut bytes, mut rooms, mut ends) = (Vec::new(), Vec::new(), Vec::new());
                next = Some(first);
                // Lines that follow one another on one stream are written at once. A terminal shows both streams in their order.
                while let Some((line, room)) = next.take_if(|(line, _)| line.is_stderr(form) == is_stderr) {
                    let now = chrono::DateTime::<chrono::Utc>::from(std::time::SystemTime::now());
                    bytes.extend(line.bytes(form, now.to_rfc3339_opts(chrono::SecondsFormat::Millis, true)));
                    rooms.extend(room);
                    ends.push(bytes.len());
                    next = waiting.try_recv().ok();
                    if bytes.len() >= AT_ONCE {
                        break;
                    }
                }
                let written = if is_stderr { &mut err } else { &mut out }.write(&bytes);
                let whole = ends.partition_point(|end| *end <= written);
                left.fetch_sub(whole, Ordering::Relaxed);
                drop(rooms);
            }
        });
        let room = Arc::new(Semaphore::new(LINES_WAITING));
        let unread = Unread::default();
        let log = Log { lines, room, unwritten: Arc::clone(&unwritten), unread: unread.clone() };
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
        self.queue(line, room);
    }

    /// Writes a line of the runner, which does not wait: starts must not depend on the reader of the streams.
    fn line(&self, line: Line) {
        self.queue(line, None);
    }

    fn queue(&self, line: Line, room: Option<OwnedSemaphorePermit>) {
        self.unwritten.fetch_add(1, Ordering::Relaxed);
        let _ = self.lines.send((line, room));
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

/// A length of time for people: `0.042s`, `5s`, `12.3s`, `1h2m3s`.
pub(crate) fn length(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match seconds {
        0..60 if duration.subsec_nanos() == 0 => format!("{seconds}s"),
        0..10 => format!("{:.3}s", duration.as_secs_f64()),
        10..60 => format!("{:.1}s", duration.as_secs_f64()),
        _ => kron_core::Duration::from_secs(u32::try_from(seconds).unwrap_or(u32::MAX)).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;

    fn source() -> Source {
        Source { job: "db/backup".to_string(), period: Some("2026-03-01T00:00:00Z".to_string()) }
    }

    fn output(bytes: &[u8], partial: bool) -> Line {
        Line::Output { source: source(), stream: Stream::Stderr, bytes: bytes.to_vec(), partial }
    }

    fn written(line: &Line, form: LogForm) -> String {
        String::from_utf8_lossy(&line.bytes(form, "T".to_string())).into_owned()
    }

    #[test]
    fn text_and_json() {
        let line = output(b"a \"b\" \xff", true);
        assert_eq!(line.bytes(LogForm::Text, String::new()), b"db/backup | a \"b\" \xff\n");
        assert_eq!(
            written(&line, LogForm::Json),
            "{\"time\":\"T\",\"job\":\"db/backup\",\"period\":\"2026-03-01T00:00:00Z\",\"stream\":\"stderr\",\
             \"text\":\"a \\\"b\\\" \u{fffd}\",\"partial\":true}\n"
        );
        let event = Event::Ended { exit_code: Some(3), signal: None, duration_seconds: 1.5 };
        let line = Line::Event { source: source(), text: "exit code 3".to_string(), event };
        assert_eq!(written(&line, LogForm::Text), "db/backup: exit code 3\n");
        assert_eq!(
            written(&line, LogForm::Json),
            "{\"time\":\"T\",\"job\":\"db/backup\",\"period\":\"2026-03-01T00:00:00Z\",\"event\":\"ended\",\
             \"exitCode\":3,\"durationSeconds\":1.5,\"text\":\"exit code 3\"}\n"
        );
        // A terminal gets no control characters; a program gets all of them.
        let line = output(b"a\x1b[2J\tb", false);
        assert_eq!(written(&line, LogForm::Text), "db/backup | a\\u{1b}[2J\tb\n");
        assert!(written(&line, LogForm::Json).contains("\"text\":\"a\\u001b[2J\\tb\""));
        let line = Line::Message { level: Level::Info, text: "\x1b[2J: suspended".to_string() };
        assert_eq!(written(&line, LogForm::Text), "kron run: \\u{1b}[2J: suspended\n");
        let line = Line::Report { text: "error: two\n  lines\n".to_string() };
        assert_eq!(written(&line, LogForm::Text), "error: two\n  lines\n");
        assert_eq!(written(&line, LogForm::Json), written(&line, LogForm::Text));
        let line = Line::Message { level: Level::Warning, text: "x".to_string() };
        assert_eq!(written(&line, LogForm::Text), "kron run: warning: x\n");
        assert_eq!(written(&line, LogForm::Json), "{\"time\":\"T\",\"level\":\"warning\",\"text\":\"x\"}\n");
    }

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

    #[test]
    fn lengths_for_people() {
        let p = |millis| length(Duration::from_millis(millis));
        assert_eq!((p(42), p(12_345), p(3_723_999)), ("0.042s".into(), "12.3s".into(), "1h2m3s".into()));
        assert_eq!((p(0), p(5_000), p(5_001)), ("0s".into(), "5s".into(), "5.001s".into()));
    }
}
