//! The formats: each has a folder or a file, and a line in the table below.

mod argo;
mod controller_schedule;
mod cronjob;
pub(crate) mod crontab;
mod expression;
mod jenkins;
mod objects;
mod systemd;

use std::collections::{BTreeMap, BTreeSet};

use kron_core::job::Modifier;
use kron_core::{Finding, Parser};

use crate::convert::conversion::{Conversion, Input};
use crate::convert::finding::ConvertFinding;
use crate::convert::format::{Format, Output};
use crate::convert::options::{Options, Source};
use crate::convert::output::Converted;
use crate::convert::reader::{Convert, Evidence, Reader};
use crate::convert::yaml::{has_kind, has_object};
use crate::error::convert::source as messages;
use crate::kronjob::KIND;
use crate::limits::FILE_BYTES;

/// The table of formats.
const fn reader(format: Format) -> Reader {
    match format {
        Format::CronJob => cronjob::READER,
        Format::Crontab => crontab::OF_A_USER,
        Format::CronD => crontab::OF_THE_SYSTEM,
        Format::Jenkins => jenkins::READER,
        Format::Systemd => systemd::READER,
        Format::Argo => argo::READER,
        Format::Quartz => expression::QUARTZ,
        Format::Spring => expression::SPRING,
        Format::EventBridge => expression::EVENTBRIDGE,
        Format::Croner => expression::CRONER,
        Format::NodeCron => expression::NODE_CRON,
        Format::ApScheduler => expression::APSCHEDULER,
    }
}

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

/// Converts sources into one text: manifests or a job file.
///
/// # Errors
///
/// A source that is not in its format, or whose format is not clear from its content. YAML without an object of its kind,
/// and a unit without a timer or a service, are not in their format; a crontab or a source of Jenkins without a schedule
/// has a warning. Manifests and a job file in one call. Jobs with more than [`FILE_BYTES`](crate::FILE_BYTES) in all.
///
/// What is refused in a source that can be read is not an error: see [`Converted::refused`].
///
/// ```
/// use kron_formats::convert::{ConvertCode, Options, Source, convert};
/// let unclear = Source { name: "tab", text: "0 3 * * * backup full\n" };
/// let error = convert(&[unclear], &Options::default()).unwrap_err();
/// assert_eq!(error.finding.code, ConvertCode::FormatUnclear.into());
/// ```
pub fn convert(sources: &[Source<'_>], options: &Options) -> Result<Converted, Box<ConvertFinding>> {
    let formats = formats(sources, options)?;
    let mut conversion = Conversion::new(options);
    let names: Vec<String> = sources.iter().map(|source| name_of_file(source.name)).collect();
    let inputs = sources.iter().zip(&names).enumerate().map(|(index, (source, name))| Input {
        index,
        path: source.name,
        name,
        text: without_mark(source.text),
    });
    let inputs: Vec<(Input<'_>, Format)> = inputs.zip(formats).collect();
    let is_job_file = inputs.iter().all(|(_, format)| format.output() == Output::JobFile);
    conversion.shared_names = shared_names(&inputs);
    let mut together: BTreeMap<Format, Vec<Input<'_>>> = BTreeMap::new();
    for (input, format) in inputs {
        match reader(format).convert {
            Convert::Each(convert) => convert(&input, &mut conversion)?,
            Convert::Together(_) => together.entry(format).or_default().push(input),
        }
    }
    for (format, inputs) in together {
        if let Convert::Together(convert) = reader(format).convert {
            convert(&inputs, &mut conversion)?;
        }
    }
    if is_job_file && conversion.out.converted == 0 {
        // Comments alone are not a job file.
        conversion.out.text.clear();
    }
    // Findings about a whole source have no line, and follow the others.
    conversion.out.findings.sort_by_key(|found| (found.source, found.line.unwrap_or(usize::MAX)));
    Ok(conversion.out)
}

/// The name of a file. Jobs of Jenkins have their names in those of their directories.
fn name_of_file(path: &str) -> String {
    let mut parts = path.rsplit('/');
    let name = parts.next().unwrap_or_default();
    let extension = match name {
        "config.xml" => "xml",
        "Jenkinsfile" => "groovy",
        _ => return name.to_string(),
    };
    let directory = parts.next().filter(|directory| !directory.is_empty());
    directory.map_or(name.to_string(), |directory| format!("{directory}.{extension}"))
}

/// The names that several lines of crontabs would have.
fn shared_names(inputs: &[(Input<'_>, Format)]) -> BTreeSet<String> {
    let (mut known, mut shared) = (BTreeSet::new(), BTreeSet::new());
    let crontabs = inputs.iter().filter(|(_, format)| [Format::Crontab, Format::CronD].contains(format));
    for (_, name) in crontabs.flat_map(|(input, format)| crontab::names(input, *format == Format::CronD)) {
        if !known.insert(name.clone()) {
            shared.insert(name);
        }
    }
    shared
}

/// The formats of sources, all of which make one kind of output.
fn formats(sources: &[Source<'_>], options: &Options) -> Result<Vec<Format>, Box<ConvertFinding>> {
    let mut formats: Vec<Format> = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        let failed = |finding| Box::new(ConvertFinding::new(index, finding));
        if source.text.len() > FILE_BYTES {
            return Err(failed(messages::too_long(FILE_BYTES)));
        }
        let format = match options.format {
            Some(format) => format,
            None => format_of(source, options).map_err(failed)?,
        };
        if let Some(first) = formats.first().filter(|first| first.output() != format.output()) {
            return Err(failed(messages::mixed_outputs(first.as_str(), format.as_str())));
        }
        formats.push(format);
    }
    Ok(formats)
}

/// The format of a source that nobody named.
fn format_of(source: &Source<'_>, options: &Options) -> Result<Format, Finding> {
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
fn candidates(text: &str) -> Vec<&'static str> {
    let mut lines = without_mark(text).lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with('#')).unwrap_or_default();
    expression::readers_of(first).map(Format::as_str).collect()
}

fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Whether a text has a line of a job file: after the times, a modifier or a name.
fn is_job_file(text: &str, parser: &Parser) -> bool {
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
