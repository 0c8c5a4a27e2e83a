//! A finding as an object, for JSON.

use kron_core::Finding;
use kron_core::error::FindingCode;
use serde::Serialize;

/// A finding as the object that `kron lint -o json` prints.
///
/// ```
/// use kron_core::Job;
/// use kron_fleet::lint::{FindingObject, LintOptions, lint};
/// let text = "0 */7 * * * @policy(deadline=1h)";
/// let job = Job::parse("web/report", text)?;
/// let findings = lint(&job, Some(text), 0, &LintOptions::default());
/// let object = FindingObject { name: Some(job.name()), ..FindingObject::new(&findings[0], Some(text)) };
/// let json = serde_json::to_value(&object).unwrap();
/// assert_eq!((&json["severity"], &json["code"]), (&"warning".into(), &"uneven-step".into()));
/// assert_eq!((&json["name"], &json["column"]), (&"web/report".into(), &3.into()));
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FindingObject<'a> {
    /// The word of its severity.
    pub severity: &'static str,
    /// Its kind. Errors of arguments have none.
    pub code: Option<&'static str>,
    /// The name of the job.
    pub name: Option<&'a str>,
    /// The file.
    pub file: Option<&'a str>,
    /// The line of the file, from 1.
    pub line: Option<usize>,
    /// The column in characters, from 1.
    pub column: Option<usize>,
    /// The bytes of the text: the first, and the one after the last.
    pub span: Option<[usize; 2]>,
    /// The finding as a sentence.
    pub message: &'a str,
    /// What to do about it.
    pub help: Option<&'a str>,
}

impl<'a> FindingObject<'a> {
    /// The object of a finding about a text of one line, without name, file and line. The place is left out without the text.
    ///
    /// ```
    /// use kron_core::{Finding, JobSpec};
    /// use kron_fleet::lint::FindingObject;
    /// let finding = Finding::from_error(&JobSpec::parse("0 61 * * *").unwrap_err());
    /// let object = FindingObject::new(&finding, Some("0 61 * * *"));
    /// assert_eq!((object.column, object.span), (Some(3), Some([2, 4])));
    /// assert_eq!(FindingObject::new(&finding, None).column, None);
    /// ```
    pub fn new(finding: &'a Finding, text: Option<&str>) -> FindingObject<'a> {
        let place = text.and_then(|text| {
            let span = finding.span.clone()?;
            Some((1 + text.get(..span.start)?.chars().count(), [span.start, span.end]))
        });
        FindingObject {
            severity: finding.severity.as_str(),
            code: Some(FindingCode::as_str(finding.code)),
            name: None,
            file: None,
            line: None,
            column: place.map(|(column, _)| column),
            span: place.map(|(_, span)| span),
            message: &finding.message,
            help: finding.help.as_deref(),
        }
    }
}
