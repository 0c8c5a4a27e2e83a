//! The formats: each has a folder or a file, and a line in the table below.

mod argo;
mod controller_schedule;
mod cronjob;
mod crontab;
mod jenkins;
mod objects;
mod systemd;

use std::collections::BTreeMap;

use kron_core::job::Modifier;

use crate::convert::conversion::{Conversion, Input};
use crate::convert::finding::ConvertFinding;
use crate::convert::format::Format;
use crate::convert::options::{Options, Source};
use crate::convert::output::Converted;
use crate::convert::reader::{Convert, Evidence, Reader};
use crate::error::convert::source as messages;
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
/// // Is the sixth word a command or a user?
/// assert_eq!(recognize("0 3 * * * backup full\n"), None);
/// assert_eq!(recognize("0 3 * * * root backup full\n0 4 * * * /usr/bin/clean\n"), None);
/// // The manifest of a CronWorkflow stays as it is beside those of KronJobs.
/// assert_eq!(recognize("kind: CronJob\n---\nkind: CronWorkflow\n"), Some(Format::CronJob));
/// ```
#[must_use]
pub fn recognize(text: &str) -> Option<Format> {
    let text = without_mark(text);
    for evidence in Evidence::STRONGEST_FIRST {
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
    let mut together: BTreeMap<Format, Vec<Input<'_>>> = BTreeMap::new();
    for (index, (source, format)) in sources.iter().zip(formats).enumerate() {
        let input = Input { index, name: source.name, text: without_mark(source.text) };
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
    // Findings about a whole source have no line, and follow the others.
    conversion.out.findings.sort_by_key(|found| (found.source, found.line.unwrap_or(usize::MAX)));
    Ok(conversion.out)
}

/// The formats of sources, all of which make one kind of output.
fn formats(sources: &[Source<'_>], options: &Options) -> Result<Vec<Format>, Box<ConvertFinding>> {
    let mut formats: Vec<Format> = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        let failed = |finding| Box::new(ConvertFinding::new(index, finding));
        if source.text.len() > FILE_BYTES {
            return Err(failed(messages::too_long(FILE_BYTES)));
        }
        if options.format.is_none() && is_job_file(without_mark(source.text)) {
            return Err(failed(messages::job_file()));
        }
        let format = options.format.or_else(|| recognize(source.text));
        let format = format.ok_or_else(|| failed(messages::format_unclear()))?;
        if let Some(first) = formats.first().filter(|first| first.output() != format.output()) {
            return Err(failed(messages::mixed_outputs(first.as_str(), format.as_str())));
        }
        formats.push(format);
    }
    Ok(formats)
}

fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Whether a text has a line of a job file: after the times, a modifier or a name.
fn is_job_file(text: &str) -> bool {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut rests = lines.filter(|line| !crontab::is_setting(line)).filter_map(crontab::after_times);
    // A command can begin with a variable called `name`.
    let has_fields = |rest: &str| rest.starts_with("name=") && rest.contains(" command=");
    rests.any(|rest| begins_with_modifier(rest) || has_fields(rest))
}

/// Whether a text begins with a modifier of Kron and its opening bracket.
fn begins_with_modifier(text: &str) -> bool {
    let word = text.strip_prefix('@').and_then(|rest| rest.split_once('('));
    word.is_some_and(|(word, _)| Modifier::WORDS.contains(&word))
}
