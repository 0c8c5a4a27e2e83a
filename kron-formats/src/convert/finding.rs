//! A finding and the place in a source that it is about.

use std::fmt;

use kron_core::Finding;

use crate::error::convert::shown;

/// A finding of a conversion or an export, and the place that it is about. It displays as one line.
///
/// Its severity is [`Error`](kron_core::Severity::Error) where a job or one of its schedules is not in the result,
/// [`Warning`](kron_core::Severity::Warning) where something of it is lost or different, and
/// [`Note`](kron_core::Severity::Note) where it says how something was converted. Its code is that of a [`ConvertCode`], or for a
/// job that Kron refuses of an [`ErrorCode`](kron_core::ErrorCode).
///
/// ```
/// use kron_core::Severity;
/// use kron_formats::convert::{ConvertCode, Format, Options, Source, convert};
/// let text = "# start\n@reboot /usr/bin/clean\n";
/// let converted = convert(&[Source { name: "crontab", text }], &Options { format: Some(Format::Crontab), ..Options::default() })?;
/// let found = &converted.findings[0];
/// assert_eq!((found.finding.severity, found.line), (Severity::Error, Some(2)));
/// assert_eq!(found.finding.code, ConvertCode::NotATime.into());
/// assert_eq!(
///     found.to_string(),
///     "line 2: `@reboot` is not a time; start the command by the system's service manager"
/// );
/// # Ok::<(), Box<kron_formats::convert::ConvertFinding>>(())
/// ```
///
/// [`ConvertCode`]: crate::convert::ConvertCode
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConvertFinding {
    /// What was found.
    pub finding: Finding,
    /// In which source, from 0. For an export, see [`Exported::findings`](crate::convert::Exported::findings).
    pub source: usize,
    /// The line in the source, from 1.
    pub line: Option<usize>,
    /// The job that the place belongs to.
    pub job: Option<String>,
}

impl ConvertFinding {
    /// A finding about a whole source. Texts of the source that it quotes lose their control characters, for a terminal.
    pub(crate) fn new(source: usize, mut finding: Finding) -> ConvertFinding {
        finding.message = printable(finding.message);
        finding.help = finding.help.map(printable);
        // An error of a job has a span in the text of the job, which is not that of the source.
        finding.span = None;
        ConvertFinding { finding, source, line: None, job: None }
    }

    #[must_use]
    pub(crate) fn at(mut self, line: impl Into<Option<usize>>) -> ConvertFinding {
        self.line = line.into();
        self
    }

    #[must_use]
    pub(crate) fn of_job(mut self, job: Option<String>) -> ConvertFinding {
        self.job = job;
        self
    }
}

impl fmt::Display for ConvertFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if let Some(job) = &self.job {
            write!(f, "{}: ", shown(job))?;
        }
        f.write_str(&self.finding.message)?;
        self.finding.help.as_ref().map_or(Ok(()), |help| write!(f, "; {help}"))
    }
}

impl std::error::Error for ConvertFinding {}

fn printable(text: String) -> String {
    if text.contains(char::is_control) { text.replace(char::is_control, "\u{fffd}") } else { text }
}
