//! Which format a text is in.

use crate::FILE_BYTES;

use crate::convert::message::{Message, Severity};
use crate::convert::options::{Format, Options, Source};
use crate::convert::{crontab, jenkins};

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
/// ```
#[must_use]
pub fn recognize(text: &str) -> Option<Format> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    if lines().any(|line| line == "[Timer]")
        || lines().next() == Some("[Unit]")
        || lines().any(|line| line == "[Service]")
    {
        return Some(Format::Systemd);
    }
    if has_kind(text, "CronWorkflow") {
        return Some(Format::Argo);
    }
    if has_kind(text, "CronJob") {
        return Some(Format::CronJob);
    }
    if jenkins::is_jenkins(text) {
        return Some(Format::Jenkins);
    }
    let mut jobs = lines().filter(|line| !crontab::is_setting(line)).map(crontab::after_times).peekable();
    jobs.peek()?;
    // Every line is one of a crontab; the sixth word shows whether there are users.
    let rests: Vec<&str> = jobs.filter_map(|rest| rest.filter(|rest| !rest.is_empty())).collect();
    let words = |rest: &&str| {
        let mut words = rest.split_whitespace();
        (words.next().unwrap_or_default().to_string(), words.next().unwrap_or_default().to_string())
    };
    let pairs: Vec<(String, String)> = rests.iter().map(words).collect();
    let user = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
            && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "_-".contains(c))
    };
    let is_command =
        |(first, second): &(String, String)| !user(first) || second.is_empty() || second.starts_with('-');
    let is_of_root = |pair: &(String, String)| pair.0 == "root" && !is_command(pair);
    if pairs.iter().any(is_command) {
        // One line without its user does not make users commands.
        (!pairs.iter().any(is_of_root)).then_some(Format::Crontab)
    } else if !pairs.is_empty() && pairs.iter().all(is_of_root) {
        Some(Format::CronD)
    } else {
        None
    }
}

/// Whether a text has a line of a job file: after the times, a modifier or a name.
fn is_job_file(text: &str) -> bool {
    const MODIFIERS: [&str; 7] = ["@tz(", "@win(", "@dist(", "@seed(", "@only(", "@avoid(", "@policy("];
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut rests = lines.filter(|line| !crontab::is_setting(line)).filter_map(crontab::after_times);
    // A command can begin with a variable called `name`.
    let has_fields = |rest: &str| rest.starts_with("name=") && rest.contains(" command=");
    rests.any(|rest| MODIFIERS.iter().any(|modifier| rest.starts_with(modifier)) || has_fields(rest))
}

/// Whether a text in YAML or JSON has an object of a kind, or a list of them.
fn has_kind(text: &str, kind: &str) -> bool {
    text.match_indices(kind).any(|(at, _)| {
        let key = text[..at].trim_end_matches([' ', '"', '\'']).strip_suffix(':');
        key.is_some_and(|key| key.trim_end_matches(['"', '\'', ' ']).ends_with("kind"))
    })
}

/// The formats of sources.
pub(crate) fn formats(sources: &[Source<'_>], options: &Options) -> Result<Vec<Format>, Message> {
    let mut formats = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        let failed = |reason: String| Message::new(Severity::Refusal, index, reason);
        if source.text.len() > FILE_BYTES {
            return Err(failed(format!("the text is longer than {FILE_BYTES} bytes")));
        }
        if options.format.is_none() && is_job_file(source.text) {
            let message = failed("this is a job file of Kron".to_string());
            return Err(message.help("it needs no conversion; add `--format FORMAT` if it is something else"));
        }
        let format = options.format.or_else(|| recognize(source.text));
        let format = format
            .ok_or_else(|| failed("the format is not clear".to_string()).help("add `--format FORMAT`"))?;
        formats.push(format);
    }
    let different =
        formats.iter().position(|format| format.makes_manifests() != formats[0].makes_manifests());
    if let Some(index) = different {
        let reason = format!("`{}` and `{}` do not go into one file", formats[0], formats[index]);
        return Err(Message::new(Severity::Refusal, index, reason).help("convert them separately"));
    }
    Ok(formats)
}
