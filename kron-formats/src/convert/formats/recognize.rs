//! The format of a text whose format nobody named: its content shows it, or its place.

use kron_core::job::Modifier;
use kron_core::{Finding, Parser};

use super::table::reader;
use super::{crontab, expression, objects};
use crate::convert::format::Format;
use crate::convert::options::{Options, Source};
use crate::convert::reader::Evidence;
use crate::convert::yaml::{has_kind, has_object};
use crate::error::convert::source as messages;
use crate::kronjob::KIND;
use crate::load::is_yaml_or_json;

/// The format of a text, if its content leaves no doubt.
///
/// ```
/// use kron_formats::convert::{Format, recognize};
/// assert_eq!(recognize("apiVersion: batch/v1\nkind: CronJob\n"), Some(Format::CronJob));
/// assert_eq!(recognize("H/15 * * * *\n"), Some(Format::Jenkins));
/// assert_eq!(recognize("pipeline { triggers { cron('H 3 * * *') } }"), Some(Format::Jenkins));
/// assert_eq!(recognize("[Timer]\nOnCalendar=daily\n"), Some(Format::Systemd));
/// assert_eq!(recognize("0 3 * * * /usr/bin/backup\n"), Some(Format::Crontab));
/// assert_eq!(recognize("0 3 * * * root /usr/bin/backup\n"), Some(Format::CronD));
/// assert_eq!(recognize("cron(0 3 ? * 6L *)\n"), Some(Format::EventBridge));
/// assert_eq!(recognize("day='last fri', hour=3\n"), Some(Format::ApScheduler));
/// // For Quartz, day 6 is Friday, and for Spring it is Saturday.
/// assert_eq!(recognize("0 0 3 ? * 6L\n"), None);
/// // Is the sixth word a command or a user?
/// assert_eq!(recognize("0 3 * * * backup full\n"), None);
/// assert_eq!(recognize("0 3 * * * root backup full\n0 4 * * * /usr/bin/clean\n"), None);
/// // The manifest of a CronWorkflow stays as it is beside those of KronJobs.
/// assert_eq!(recognize("kind: CronJob\n---\nkind: CronWorkflow\n"), Some(Format::CronJob));
/// ```
#[must_use]
pub fn recognize(text: &str) -> Option<Format> {
    recognize_file("", text)
}

/// The format of a file, if its content or its place leaves no doubt.
///
/// ```
/// use kron_formats::convert::{Format, recognize_file};
/// assert_eq!(recognize_file("/etc/cron.d/backup", "0 3 * * * backup full\n"), Some(Format::CronD));
/// assert_eq!(recognize_file("/var/spool/cron/ann", "0 3 * * * backup full\n"), Some(Format::Crontab));
/// assert_eq!(recognize_file("/srv/jobs", "0 3 * * * backup full\n"), None);
/// ```
#[must_use]
pub fn recognize_file(path: &str, text: &str) -> Option<Format> {
    let text = without_mark(text);
    for evidence in Evidence::STRONGEST_FIRST {
        // A directory of crontabs says more than lines, and less than a section or a kind.
        let by_path = crontab::format_of_path(path).filter(|_| evidence == Evidence::Syntax);
        if by_path.is_some() {
            return by_path;
        }
        let recognizes = |format: &Format| {
            let reader = reader(*format);
            reader.evidence == evidence && (reader.recognizes)(text)
        };
        let found: Vec<Format> = Format::ALL.iter().copied().filter(recognizes).collect();
        match found[..] {
            [] => {}
            [format] => return Some(format),
            // A conversion reads one kind, and names the objects of the others.
            _ if evidence == Evidence::Kind => return objects::first_format(text),
            _ => return None,
        }
    }
    None
}

/// The format of a source that nobody named.
pub(super) fn format_of(source: &Source<'_>, options: &Options) -> Result<Format, Finding> {
    let text = without_mark(source.text);
    if is_job_file(text, &options.parser) {
        return Err(messages::job_file());
    }
    if source.name.rsplit('/').next() == Some("anacrontab") || crontab::is_anacrontab(text) {
        return Err(messages::anacrontab());
    }
    if let Some(format) = recognize_file(source.name, text) {
        return Ok(format);
    }
    if has_kind(text, KIND) && has_object(text, KIND) {
        return Err(messages::kronjobs());
    }
    if crontab::has_comments_only(text) {
        return Ok(Format::Crontab);
    }
    let candidates = candidates(text);
    Err(if candidates.is_empty() && crontab::has_lines(text) {
        messages::users_unclear()
    } else {
        messages::format_unclear(&candidates, Format::WORDS)
    })
}

/// The formats whose programs read the first schedule of a text, if it is one that several programs read.
pub(crate) fn candidates(text: &str) -> Vec<&'static str> {
    let mut lines = without_mark(text).lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with('#')).unwrap_or_default();
    expression::readers_of(first).map(Format::as_str).collect()
}

pub(crate) fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Whether a text has a line of a job file: after the times, a modifier or a name.
pub(crate) fn is_job_file(text: &str, parser: &Parser) -> bool {
    // Lines in texts of YAML, such as annotations, are none of a job file.
    if is_yaml_or_json(text) {
        return false;
    }
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.any(|line| {
        let Some(rest) = crontab::after_times(line).filter(|_| !crontab::is_setting(line)) else {
            return false;
        };
        // A command can begin with a variable called `name`.
        let has_fields = rest.contains("name=") && parser.job_file(line).is_ok();
        begins_with_modifier(rest) || has_fields || rest.starts_with("name=") && rest.contains(" command=")
    })
}

/// Whether a text begins with a modifier of Kron and its opening bracket.
fn begins_with_modifier(text: &str) -> bool {
    let word = text.strip_prefix('@').and_then(|rest| rest.split_once('('));
    word.is_some_and(|(word, _)| Modifier::WORDS.contains(&word))
}
