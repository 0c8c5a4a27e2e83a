//! The lines of the log, as text and as JSON. Every line names its job.

use std::time::Duration;

use clap::ValueEnum;
use kron_fleet::HumanLength;
use serde::Serialize;

use super::shown::shown;
use crate::output::table::printable;

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
    pub(super) fn bytes(&self, form: LogForm, time: String) -> Vec<u8> {
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

    /// How many bytes of memory its texts take, about.
    pub(super) fn size(&self) -> usize {
        let of = |source: &Source| source.job.len() + source.period.as_ref().map_or(0, String::len);
        match self {
            Line::Output { source, bytes, .. } => of(source) + bytes.len(),
            Line::Event { source, text, .. } => of(source) + text.len(),
            Line::Message { text, .. } | Line::Report { text } => text.len(),
        }
    }

    /// Whether it goes to standard error: what a command writes there, and messages of the runner. All JSON goes to standard
    /// output.
    pub(super) fn is_stderr(&self, form: LogForm) -> bool {
        match self {
            Line::Report { .. } => true,
            Line::Output { stream: Stream::Stderr, .. } | Line::Message { .. } => form == LogForm::Text,
            Line::Output { .. } | Line::Event { .. } => false,
        }
    }
}

/// A length of time for people: `less than 1ms`, `0.042s`, `5s`, `12.3s`, `1h 2m 3s`.
pub(crate) fn length(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match seconds {
        // The state file has milliseconds, and a command takes some time.
        0 if duration.subsec_millis() == 0 => "less than 1ms".to_string(),
        0..60 if duration.subsec_nanos() == 0 => format!("{seconds}s"),
        0..10 => format!("{:.3}s", duration.as_secs_f64()),
        10..60 => format!("{:.1}s", duration.as_secs_f64()),
        _ => HumanLength::of_seconds(i64::try_from(seconds).unwrap_or(i64::MAX)).to_string(),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::run) fn source() -> Source {
        Source { job: "db/backup".to_string(), period: Some("2026-03-01T00:00:00Z".to_string()) }
    }

    pub(in crate::run) fn output(bytes: &[u8], partial: bool) -> Line {
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

    #[test]
    fn lengths_for_people() {
        let p = |millis| length(Duration::from_millis(millis));
        assert_eq!((p(42), p(12_345), p(3_723_999)), ("0.042s".into(), "12.3s".into(), "1h 2m 3s".into()));
        assert_eq!((p(0), p(5_000), p(5_001)), ("less than 1ms".into(), "5s".into(), "5.001s".into()));
    }
}
