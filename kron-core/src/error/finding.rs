//! Findings: what a program reports about a valid or invalid job, and the stable names of their kinds.

use alloc::{format, string::String};
use core::fmt;
use core::ops::Range;

use crate::error::{Error, ErrorCode};
use crate::word_enum;

word_enum! {
    in "kron_core";
    /// The severity of a finding.
    Severity, "severity" {
        /// Good to know.
        #[default]
        Note = "note",
        /// Probably not meant.
        Warning = "warning",
        /// Refused.
        Error = "error",
    }
}

/// The kind of a finding, by its stable name: an [`ErrorCode`], or a kind of warning or note of the crate that reports it.
///
/// ```
/// use kron_core::ErrorCode;
/// use kron_core::error::FindingCode;
/// assert_eq!(FindingCode::from(ErrorCode::TimeZone).as_str(), "time-zone");
/// assert_eq!(FindingCode::new("never-fires").to_string(), "never-fires");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FindingCode(&'static str);

impl FindingCode {
    /// The kind of that name, in lower case with hyphens.
    ///
    /// ```
    /// assert_eq!(kron_core::error::FindingCode::new("never-fires").as_str(), "never-fires");
    /// ```
    pub const fn new(name: &'static str) -> FindingCode {
        FindingCode(name)
    }

    /// The stable name.
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

impl From<ErrorCode> for FindingCode {
    fn from(code: ErrorCode) -> FindingCode {
        FindingCode(code.as_str())
    }
}

impl fmt::Display for FindingCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One finding about a job or a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// Its severity.
    pub severity: Severity,
    /// Its kind.
    pub code: FindingCode,
    /// The finding as a sentence.
    pub message: String,
    /// The bytes of the text that the finding is about, if it is about a part and the text is known.
    pub span: Option<Range<usize>>,
    /// What to do about it, if anything.
    pub help: Option<String>,
}

impl Finding {
    /// A finding without place and help.
    ///
    /// ```
    /// use kron_core::error::FindingCode;
    /// use kron_core::{Finding, Severity};
    /// let code = FindingCode::new("no-owner");
    /// let finding = Finding::new(Severity::Note, code, "the job has no owner").at(Some(0..6)).with_help("write `owner=team`");
    /// assert_eq!((finding.span, finding.help.as_deref()), (Some(0..6), Some("write `owner=team`")));
    /// ```
    pub fn new(severity: Severity, code: impl Into<FindingCode>, message: impl Into<String>) -> Finding {
        Finding { severity, code: code.into(), message: message.into(), span: None, help: None }
    }

    /// The same finding, about these bytes of the text.
    ///
    /// ```
    /// use kron_core::{ErrorCode, Finding, Severity};
    /// let finding = Finding::new(Severity::Note, ErrorCode::Name, "the name is long");
    /// assert_eq!(finding.at(Some(0..4)).span, Some(0..4));
    /// ```
    #[must_use]
    pub fn at(mut self, span: Option<Range<usize>>) -> Finding {
        self.span = span;
        self
    }

    /// The same finding, with what to do about it.
    ///
    /// ```
    /// use kron_core::{ErrorCode, Finding, Severity};
    /// let finding = Finding::new(Severity::Note, ErrorCode::Name, "the name is long");
    /// assert_eq!(finding.with_help("cut it").help.as_deref(), Some("cut it"));
    /// ```
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Finding {
        self.help = Some(help.into());
        self
    }

    /// An error as a finding.
    ///
    /// ```
    /// use kron_core::{Finding, JobSpec, Severity};
    /// let error = JobSpec::parse("61 * * * *").unwrap_err();
    /// let finding = Finding::from_error(&error);
    /// assert_eq!((finding.severity, finding.code.as_str()), (Severity::Error, "cron-out-of-range"));
    /// ```
    pub fn from_error(error: &Error) -> Finding {
        Finding {
            severity: Severity::Error,
            code: error.code().into(),
            message: match error.field() {
                "" => error.reason(),
                field => format!("{field}: {}", error.reason()),
            },
            span: error.span(),
            help: error.help(),
        }
    }
}
