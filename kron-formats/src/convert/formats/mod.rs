//! The formats: each has a folder or a file, and a line in `table.rs`.

mod argo;
mod controller_schedule;
mod cronjob;
pub(crate) mod crontab;
mod expression;
mod jenkins;
mod objects;
mod recognize;
mod systemd;
mod table;

use std::collections::{BTreeMap, BTreeSet};

use kron_core::Finding;

use self::recognize::format_of;
use self::table::reader;
use crate::convert::conversion::{Conversion, Input, Purpose};
use crate::convert::finding::ConvertFinding;
use crate::convert::format::{Format, Output};
use crate::convert::options::{Options, Source};
use crate::convert::output::Converted;
use crate::convert::reader::Convert;
use crate::error::convert::source as messages;
use crate::limits::FILE_BYTES;

pub(crate) use self::recognize::{candidates, is_job_file, without_mark};
pub use self::recognize::{recognize, recognize_file};

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
    let is_job_file = formats.iter().all(|format| format.output() == Output::JobFile);
    let sources: Vec<(usize, Source<'_>, Format)> = (0..)
        .zip(sources.iter().zip(formats))
        .map(|(index, (source, format))| (index, *source, format))
        .collect();
    let mut conversion = Conversion::new(options, Purpose::Text);
    if let Some(found) = convert_sources(&sources, &mut conversion).into_iter().next() {
        return Err(Box::new(found));
    }
    if is_job_file && conversion.out.converted == 0 {
        // Comments alone are not a job file.
        conversion.out.text.clear();
    }
    conversion.out.sort();
    Ok(conversion.out)
}

/// Converts sources of these formats, each with its place among all sources. Returns what is wrong with whole sources; the others are
/// converted all the same.
pub(crate) fn convert_sources(
    sources: &[(usize, Source<'_>, Format)],
    conversion: &mut Conversion<'_>,
) -> Vec<ConvertFinding> {
    let names: Vec<String> = sources.iter().map(|(_, source, _)| name_of_file(source.name)).collect();
    let inputs = sources.iter().zip(&names).map(|((index, source, format), name)| {
        let text = without_mark(source.text);
        (Input { index: *index, path: source.name, name, text }, *format)
    });
    let inputs: Vec<(Input<'_>, Format)> = inputs.collect();
    conversion.shared_names = shared_names(&inputs);
    let mut failed = Vec::new();
    let mut together: BTreeMap<Format, Vec<Input<'_>>> = BTreeMap::new();
    for (input, format) in inputs {
        conversion.format = format;
        match reader(format).convert {
            Convert::Each(convert) => failed.extend(convert(&input, conversion).err().map(|found| *found)),
            Convert::Together(_) => together.entry(format).or_default().push(input),
        }
        // A text has all sources or none of them.
        if conversion.purpose == Purpose::Text && !failed.is_empty() {
            return failed;
        }
    }
    for (format, inputs) in together {
        conversion.format = format;
        if let Convert::Together(convert) = reader(format).convert {
            failed.extend(convert(&inputs, conversion).err().map(|found| *found));
        }
    }
    failed
}

/// Refuses a source that is to be a unit of systemd and is none.
pub(crate) fn check_unit(source: &Source<'_>, format: Format) -> Result<(), Finding> {
    match format {
        Format::Systemd => systemd::check_text(&name_of_file(source.name), without_mark(source.text)),
        _ => Ok(()),
    }
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
