//! What a reader of a conversion must know.

use std::fmt;

/// What a message is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Something is not converted, and is left out of the result.
    Refusal,
    /// Something is converted, and something of it is lost or different.
    Warning,
    /// Something is converted, and this says how.
    Note,
}

/// A message about a place in a source. It displays as one line.
///
/// ```
/// use kron_formats::convert::{Format, Options, Severity, Source, convert};
/// let text = "# start\n@reboot /usr/bin/clean\n";
/// let converted = convert(&[Source { name: "crontab", text }], &Options { format: Some(Format::Crontab), ..Options::default() })?;
/// let message = &converted.messages[0];
/// assert_eq!((message.severity, message.line), (Severity::Refusal, Some(2)));
/// assert_eq!(
///     message.to_string(),
///     "line 2: `@reboot` is not a time; start the command by the system's service manager"
/// );
/// # Ok::<(), kron_formats::convert::Message>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Message {
    /// What it is about.
    pub severity: Severity,
    /// Which source, from 0.
    pub source: usize,
    /// The line in the source, from 1.
    pub line: Option<usize>,
    /// The job that the place belongs to.
    pub job: Option<String>,
    /// What was found.
    pub reason: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl Message {
    pub(crate) fn new(severity: Severity, source: usize, reason: impl Into<String>) -> Message {
        Message { severity, source, line: None, job: None, reason: printable(reason.into()), help: None }
    }

    pub(crate) fn at(mut self, line: usize) -> Message {
        self.line = Some(line);
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Message {
        self.help = Some(printable(help.into()));
        self
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if let Some(job) = &self.job {
            write!(f, "{}: ", shown(job))?;
        }
        f.write_str(&self.reason)?;
        self.help.as_ref().map_or(Ok(()), |help| write!(f, "; {help}"))
    }
}

impl std::error::Error for Message {}

/// Why something is not converted, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) reason: String,
    pub(crate) help: Option<String>,
}

impl Refusal {
    pub(crate) fn new(reason: impl Into<String>) -> Refusal {
        Refusal { reason: printable(reason.into()), help: None }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Refusal {
        self.help = Some(printable(help.into()));
        self
    }

    pub(crate) fn message(self, source: usize, line: usize) -> Message {
        Message { help: self.help, ..Message::new(Severity::Refusal, source, self.reason).at(line) }
    }
}

impl From<&kron_core::Error> for Refusal {
    fn from(error: &kron_core::Error) -> Refusal {
        let reason = match error.field() {
            "" => error.reason(),
            field => format!("{field}: {}", error.reason()),
        };
        Refusal { help: error.help().map(printable), ..Refusal::new(reason) }
    }
}

/// A sentence of a message for a terminal, whatever was quoted in it: without control characters.
fn printable(text: String) -> String {
    if text.contains(char::is_control) { text.replace(char::is_control, "\u{fffd}") } else { text }
}

/// A text of the user for a message: one line, without control characters, at most 64 characters.
pub(crate) fn shown(text: &str) -> String {
    const MOST: usize = 64;
    let mut out: String =
        text.chars().take(MOST).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(MOST).is_some() {
        out.push('…');
    }
    out
}
