//! Logs: text for people or JSON for collectors, one line for each event, on standard error.

use std::{io::IsTerminal, str::FromStr, sync::Arc};

use chrono::SecondsFormat;
use tracing::Subscriber;
use tracing::subscriber::{DefaultGuard, set_default, set_global_default};
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::FormatTime;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::{EnvFilter, registry};

use crate::clock::Clock;

/// How a line of the log looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// Text, for people.
    #[default]
    Text,
    /// A JSON object, its fields at the top: `{"timestamp":"…","level":"INFO","message":"…",…}`.
    Json,
}

struct Timer(Arc<dyn Clock>);

impl FormatTime for Timer {
    fn format_time(&self, writer: &mut Writer<'_>) -> std::fmt::Result {
        writer.write_str(&self.0.now().to_rfc3339_opts(SecondsFormat::Micros, true))
    }
}

/// A subscriber that writes what passes the filter, with the times of a clock.
///
/// # Errors
/// If the filter cannot be read.
pub fn subscriber<W>(
    format: LogFormat,
    filter: &str,
    clock: Arc<dyn Clock>,
    ansi: bool,
    writer: W,
) -> Result<Box<dyn Subscriber + Send + Sync>, String>
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let filter = EnvFilter::from_str(filter).map_err(|error| {
        format!("log filter `{filter}`: {error} (write it such as `info` or `info,kron_operator=debug`)")
    })?;
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_timer(Timer(clock))
        .with_ansi(ansi)
        .with_writer(writer);
    Ok(match format {
        LogFormat::Text => Box::new(builder.finish()),
        LogFormat::Json => Box::new(
            builder.json().flatten_event(true).with_current_span(true).with_span_list(false).finish(),
        ),
    })
}

/// Starts the log of the process on standard error.
///
/// # Errors
/// If the filter cannot be read, or the process logs already.
pub fn init(format: LogFormat, filter: &str, clock: Arc<dyn Clock>) -> Result<(), String> {
    let ansi = std::io::stderr().is_terminal();
    let subscriber = subscriber(format, filter, clock, ansi, std::io::stderr)?;
    set_global_default(subscriber).map_err(|error| error.to_string())
}

/// Gives what this thread logs to a subscriber, until the guard is dropped. For tests, which share a process.
///
/// While a process has a single subscriber, tracing asks only the thread that reaches a line of code first whether the line is
/// wanted, and keeps the answer for all threads. So a process that calls this has a second subscriber for all threads, which
/// drops what it gets.
pub fn log_of_this_thread(subscriber: impl Subscriber + Send + Sync + 'static) -> DefaultGuard {
    // It fails if it was called before, or if the process logs.
    let _ = set_global_default(registry().with(LevelFilter::INFO));
    set_default(subscriber)
}

/// Lets a kind of line into the log once a second, with the number of others since: when an API server is away, thousands
/// of KronJobs have the same to say.
#[derive(Debug, Default)]
pub struct Throttle {
    kinds: parking_lot::Mutex<std::collections::BTreeMap<&'static str, (tokio::time::Instant, u64)>>,
}

impl Throttle {
    /// Calls `write` with the number of lines of this kind that were left out since the last one, unless there was one within
    /// the last second.
    pub fn line(&self, kind: &'static str, write: impl FnOnce(u64)) {
        let now = tokio::time::Instant::now();
        let mut kinds = self.kinds.lock();
        let others = match kinds.get_mut(kind) {
            Some((last, others)) if now.duration_since(*last) < std::time::Duration::from_secs(1) => {
                *others += 1;
                return;
            }
            known => known.map_or(0, |(_, others)| *others),
        };
        kinds.insert(kind, (now, 0));
        drop(kinds);
        write(others);
    }
}

#[cfg(test)]
mod tests {
    use std::{io::Write, sync::Mutex};

    use chrono::{DateTime, Utc};

    use super::*;

    fn fixed() -> (DateTime<Utc>, std::time::Duration) {
        (DateTime::from_timestamp(1_772_323_200, 250_000_000).unwrap(), std::time::Duration::ZERO)
    }

    #[derive(Clone, Default)]
    struct Buffer(Arc<Mutex<Vec<u8>>>);

    impl Write for Buffer {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    fn logged(format: LogFormat, filter: &str) -> String {
        logged_by(format, filter, || {
            tracing::info!(kronjob = "backup", seed = "a1", "decided");
            tracing::debug!("too much");
        })
    }

    fn logged_by(format: LogFormat, filter: &str, logs: impl FnOnce()) -> String {
        let buffer = Buffer::default();
        let writer = buffer.clone();
        let subscriber = subscriber(format, filter, Arc::new(fixed), false, move || writer.clone()).unwrap();
        let guard = log_of_this_thread(subscriber);
        logs();
        drop(guard);
        let bytes = buffer.0.lock().unwrap().clone();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn a_line_that_another_thread_reaches_first_is_logged() {
        let log = || tracing::info!("reached");
        let text = logged_by(LogFormat::Text, "info", || {
            std::thread::spawn(log).join().unwrap();
            log();
        });
        assert_eq!(text.lines().count(), 1, "{text}");
    }

    #[test]
    fn json_has_every_field_at_the_top() {
        let text = logged(LogFormat::Json, "info");
        let line: serde_json::Value = serde_json::from_str(text.trim()).unwrap();
        assert_eq!(line["timestamp"], "2026-03-01T00:00:00.250000Z");
        assert_eq!(line["level"], "INFO");
        assert_eq!(line["message"], "decided");
        assert_eq!((&line["kronjob"], &line["seed"]), (&"backup".into(), &"a1".into()));
    }

    #[test]
    fn text_is_one_line() {
        let text = logged(LogFormat::Text, "info");
        assert!(text.starts_with("2026-03-01T00:00:00.250000Z  INFO "), "{text}");
        assert!(
            text.ends_with("decided kronjob=\"backup\" seed=\"a1\"\n") && text.lines().count() == 1,
            "{text}"
        );
        assert_eq!(logged(LogFormat::Text, "debug").lines().count(), 2);
        assert_eq!(logged(LogFormat::Text, "off"), "");
    }

    #[test]
    fn a_bad_filter_is_named() {
        let error =
            subscriber(LogFormat::Text, "a=loud", Arc::new(fixed), false, std::io::stderr).err().unwrap();
        assert!(error.starts_with("log filter `a=loud`: "), "{error}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_kind_of_line_is_written_once_a_second() {
        let (throttle, lines) = (Throttle::default(), std::cell::RefCell::new(Vec::new()));
        let line = |kind| throttle.line(kind, |others| lines.borrow_mut().push((kind, others)));
        for _ in 0..1000 {
            line("status");
        }
        line("FailedCreate");
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        line("status");
        assert_eq!(*lines.borrow(), [("status", 0), ("FailedCreate", 0), ("status", 999)]);
    }
}
