//! Lines of job files.

use std::collections::{BTreeMap, BTreeSet};

use kron_core::text::quoted_value;
use kron_core::{Duration, JobSpec};

use crate::convert::message::{Message, Refusal, Severity, shown};
use crate::convert::options::{Options, short};
use crate::convert::output::Converted;
use crate::convert::times::KronTimes;

/// How late a start may be where the other program starts within the minute or not at all.
pub(crate) const WITHIN_THE_MINUTE: &str = "1m";

/// Variables that begin so are set by `kron run`.
pub(crate) const RESERVED: &str = "KRON_";

/// The warning about a variable that `kron run` sets.
pub(crate) fn reserved(source: usize, name: &str, line: usize) -> Message {
    let reason =
        format!("`{}` is left out: `kron run` sets the variables that begin with `{RESERVED}`", shown(name));
    Message::new(Severity::Warning, source, reason).at(line).help("choose another name")
}

/// A job in a job file.
#[derive(Clone, Debug, Default)]
pub(crate) struct JobLine {
    pub(crate) cron: String,
    pub(crate) timezone: Option<String>,
    /// The window in seconds that its source gives it.
    pub(crate) window: Option<u64>,
    pub(crate) fixed: bool,
    pub(crate) only: Option<String>,
    /// The text between the brackets of `@policy`.
    pub(crate) policy: String,
    pub(crate) name: String,
    /// The name of the object that it comes from, for errors.
    pub(crate) object: Option<String>,
    pub(crate) fields: Vec<(String, String)>,
}

impl JobLine {
    /// A job at these times. A random field gives it a place in its window.
    pub(crate) fn at(times: KronTimes) -> JobLine {
        let fixed = times.window.is_some();
        JobLine { cron: times.cron, window: times.window, only: times.only, fixed, ..JobLine::default() }
    }

    fn text(&self, options: &Options) -> String {
        let mut text = self.cron.clone();
        let zone = self.timezone.as_ref().or(options.timezone.as_ref()).filter(|zone| *zone != "UTC");
        if let Some(zone) = zone {
            text += &format!(" @tz({})", quoted_value(zone));
        }
        let window = match self.window {
            Some(seconds) => Some((short_seconds(seconds), self.fixed)),
            None => options.window.map(|window| (short(window), options.fixed)),
        };
        if let Some((window, fixed)) = window {
            text += &format!(" @win(after,{window})");
            if fixed {
                text += " @seed(fixed)";
            }
        }
        let mut policy = self.policy.clone();
        if options.suspend && !policy.contains("suspend=") {
            policy += if policy.is_empty() { "suspend=true" } else { ",suspend=true" };
        }
        if !policy.is_empty() {
            text += &format!(" @policy({policy})");
        }
        if let Some(only) = &self.only {
            text += &format!(" @only({only})");
        }
        text += &format!(" name={}", quoted_value(&self.name));
        for (key, value) in &self.fields {
            text += &format!(" {key}={}", quoted_value(value));
        }
        text
    }
}

fn short_seconds(seconds: u64) -> String {
    let text = format!("{seconds}s");
    Duration::parse(&text).map_or(text, short)
}

/// A word for a shell: in single quotes where it needs them.
pub(crate) fn shell_word(word: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || "_-./:@%+,=".contains(c);
    if !word.is_empty() && word.chars().all(bare) {
        return word.to_string();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// The job files that are written, and the names in them.
#[derive(Debug, Default)]
pub(crate) struct JobFile {
    names: BTreeSet<String>,
    /// By the first part of a name, the number with which the search for a free one goes on.
    next: BTreeMap<String, u64>,
    #[cfg(test)]
    tried: usize,
}

impl JobFile {
    /// A name that no job has yet.
    pub(crate) fn name(&mut self, options: &Options, word: &str) -> String {
        let clean = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
        let word: String = word.chars().take(64).map(clean).collect();
        let word = match word.trim_matches('-') {
            "" => "job",
            word => word,
        };
        let base =
            options.namespace.as_ref().map_or(word.to_string(), |namespace| format!("{namespace}/{word}"));
        let mut name = base.clone();
        let mut number = self.next.get(&base).copied().unwrap_or(2);
        // A file has fewer names than there are numbers.
        while self.names.contains(&name) {
            name = format!("{base}-{number}");
            number += 1;
            #[cfg(test)]
            {
                self.tried += 1;
            }
        }
        self.next.insert(base, number);
        self.names.insert(name.clone());
        name
    }

    /// Gives a name back that no job has.
    fn release(&mut self, name: &str) {
        self.names.remove(name);
        if let Some((base, number)) = name.rsplit_once('-')
            && let (Some(next), Ok(number)) = (self.next.get_mut(base), number.parse::<u64>())
            && *next == number + 1
        {
            *next = number;
        }
    }

    /// Writes a job, if it is valid.
    pub(crate) fn write(
        &mut self,
        job: &JobLine,
        place: (usize, usize),
        options: &Options,
        out: &mut Converted,
    ) {
        let text = job.text(options);
        match options.parser.job_file(&text) {
            Ok(lines) => {
                out.converted += 1;
                out.line(&text);
                let found = lines.iter().find_map(|line| overlapping(line.job.spec(), place));
                if let Some(warning) = found {
                    out.say(Message { job: Some(job.name.clone()), ..warning });
                }
            }
            Err(errors) => {
                // The next job may get its name.
                self.release(&job.name);
                let message = Refusal::from(&errors[0]).message(place.0, place.1);
                out.say(Message { job: job.object.clone(), ..message });
            }
        }
    }
}

/// The warning about a window that reaches the next time of its schedule.
pub(crate) fn overlapping(spec: &JobSpec, place: (usize, usize)) -> Option<Message> {
    let window = spec.window().duration();
    // OK because durations are never negative.
    let most = spec.schedule().most_nominal_times_in(window.as_secs() as u64);
    if window.is_zero() || most <= 1 {
        return None;
    }
    let reason = format!(
        "a window of {} is as long as a gap of its schedule or longer, so starts can change their order",
        short(window)
    );
    let message = Message::new(Severity::Warning, place.0, reason).at(place.1);
    Some(message.help("give it a shorter window"))
}

/// Says once that a source names no time zone, if the options name none either.
pub(crate) fn note_zone(source: usize, options: &Options, out: &mut Converted) {
    if options.timezone.is_none() {
        let reason = "times are read in UTC, because the source names no time zone";
        out.say(
            Message::new(Severity::Warning, source, reason)
                .help("add `--tz ZONE` with the time zone of its host"),
        );
    }
}

/// Says once that random times became windows.
pub(crate) fn note_random(source: usize, count: usize, out: &mut Converted) {
    if count > 0 {
        let jobs = if count == 1 {
            "1 job has a random time".to_string()
        } else {
            format!("{count} jobs have random times")
        };
        let reason = format!(
            "{jobs}, which became a window with `@seed(fixed)`: the frequency is the same, the minute is another"
        );
        out.say(Message::new(Severity::Note, source, reason));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ok_words() {
        assert_eq!(shell_word("it's"), r"'it'\''s'");
    }

    #[test]
    fn ok_names() {
        let mut file = JobFile::default();
        let options = Options { namespace: Some("ops".into()), ..Options::default() };
        assert_eq!(
            [file.name(&options, "a b"), file.name(&options, "a b"), file.name(&options, "$")],
            ["ops/a-b", "ops/a-b-2", "ops/job"]
        );
        // A name that was given back is the next one.
        file.release("ops/a-b-2");
        assert_eq!(file.name(&options, "a b"), "ops/a-b-2");
        file.release("ops/a-b");
        assert_eq!([file.name(&options, "a b"), file.name(&options, "a b")], ["ops/a-b", "ops/a-b-3"]);
        assert_eq!([file.name(&options, "a-b-4"), file.name(&options, "a b")], ["ops/a-b-4", "ops/a-b-5"]);
    }

    #[test]
    fn equal_names_are_not_counted_from_the_beginning() {
        let mut file = JobFile::default();
        for count in 1..=1000 {
            let name = file.name(&Options::default(), "backup");
            assert_eq!(name, if count == 1 { "backup".to_string() } else { format!("backup-{count}") });
        }
        assert!(file.tried < 2000, "{}", file.tried);
    }
}
