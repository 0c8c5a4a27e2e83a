//! What a conversion has made so far.

use kron_core::Severity;

use crate::convert::finding::ConvertFinding;

/// The result of a conversion.
///
/// ```
/// use kron_formats::convert::{Options, Source, convert};
/// let text = "CRON_TZ=Europe/Paris\n0 3 * * * /usr/bin/backup --full\n@reboot /usr/bin/clean\n";
/// let converted = convert(&[Source { name: "crontab", text }], &Options::default())?;
/// assert_eq!(
///     converted.text,
///     "0 3 * * * @tz(Europe/Paris) @policy(concurrency=allow,deadline=1m) name=backup \
///      command=\"/usr/bin/backup --full\"\n"
/// );
/// assert_eq!((converted.converted, converted.refused), (1, 1));
/// # Ok::<(), Box<kron_formats::convert::ConvertFinding>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Converted {
    /// A job file or KronJob manifests. Empty if nothing is converted.
    pub text: String,
    /// How many jobs it has.
    pub converted: usize,
    /// How many jobs of the sources it does not have, or without one of their schedules. Findings of severity
    /// [`Severity::Error`] give the reasons, of which a job can have several.
    pub refused: usize,
    /// What to know about it, in order of the sources and their lines. Findings about a whole source follow those about its
    /// lines.
    pub findings: Vec<ConvertFinding>,
}

impl Converted {
    pub(crate) fn report(&mut self, found: ConvertFinding) {
        if found.finding.severity == Severity::Error {
            self.refused += 1;
        }
        self.findings.push(found);
    }

    /// Puts findings in their order: those about a whole source have no line, and follow the others.
    pub(crate) fn sort(&mut self) {
        self.findings.sort_by_key(|found| (found.source, found.line.unwrap_or(usize::MAX)));
    }

    pub(crate) fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }
}
