//! Lines of job files.

use std::collections::{BTreeMap, BTreeSet};

use kron_core::text::quoted_value;
use kron_core::{Finding, JobSpec};

use crate::convert::duration::{short, short_seconds};
use crate::convert::options::Options;
use crate::convert::times::KronTimes;
use crate::error::convert::job_line as messages;

/// How late a start may be where the other program starts within the minute or not at all.
pub(crate) const WITHIN_THE_MINUTE: &str = "1m";

/// Variables that begin so are set by `kron run`.
pub(crate) const RESERVED: &str = "KRON_";

/// A job in a job file.
#[derive(Clone, Debug, Default)]
pub(crate) struct JobLine {
    pub(crate) cron: String,
    pub(crate) timezone: Option<String>,
    /// The window in seconds that its source gives it.
    pub(crate) window: Option<u64>,
    pub(crate) fixed: bool,
    /// The clauses of `@days`.
    pub(crate) days: Vec<String>,
    pub(crate) only: Option<String>,
    /// The text between the brackets of `@policy`.
    pub(crate) policy: String,
    pub(crate) name: String,
    /// The name of the object that it comes from, for errors.
    pub(crate) object: Option<String>,
    /// The line of its schedule, where its place is another one.
    pub(crate) schedule_line: Option<usize>,
    pub(crate) fields: Vec<(String, String)>,
}

impl JobLine {
    /// A job at these times. A random field gives it a place in its window.
    pub(crate) fn at(times: KronTimes) -> JobLine {
        let fixed = times.window.is_some();
        let KronTimes { cron, window, days, only } = times;
        JobLine { cron, window, fixed, days, only, ..JobLine::default() }
    }

    /// The line.
    pub(crate) fn text(&self, options: &Options) -> String {
        let mut text = self.cron.clone();
        let zone = self.timezone.as_ref().or(options.timezone.as_ref()).filter(|zone| *zone != "UTC");
        if let Some(zone) = zone {
            text += &format!(" @tz({})", quoted_value(zone));
        }
        for clause in &self.days {
            text += &format!(" @days({clause})");
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

/// Variables of the environment: each name once, in the order in which they were set last.
#[derive(Debug, Default)]
pub(crate) struct Variables {
    /// Place and value by name.
    values: BTreeMap<String, (usize, String)>,
    set: usize,
}

impl Variables {
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.set += 1;
        self.values.insert(name.to_string(), (self.set, value.to_string()));
    }

    /// Names and values.
    pub(crate) fn in_order(&self) -> impl Iterator<Item = (&str, &str)> {
        let mut places: Vec<(usize, &str, &str)> =
            self.values.iter().map(|(name, (at, value))| (*at, name.as_str(), value.as_str())).collect();
        places.sort_unstable();
        places.into_iter().map(|(_, name, value)| (name, value))
    }
}

/// A word for a shell: in single quotes where it needs them.
pub(crate) fn shell_word(word: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || "_-./:@%+,=".contains(c);
    if !word.is_empty() && word.chars().all(bare) {
        return word.to_string();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// A word as a part of a name: its first 64 characters, with `-` for those that names do not have.
pub(crate) fn clean_name(word: &str) -> String {
    let clean = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
    let word: String = word.chars().take(64).map(clean).collect();
    match word.trim_matches('-') {
        "" => "job".to_string(),
        word => word.to_string(),
    }
}

/// The names of the jobs of a conversion.
#[derive(Debug, Default)]
pub(crate) struct Names {
    taken: BTreeSet<String>,
    /// By the first part of a name, the number with which the search for a free one goes on.
    next: BTreeMap<String, u64>,
    #[cfg(test)]
    tried: usize,
}

impl Names {
    /// A name that no job has yet.
    pub(crate) fn free(&mut self, options: &Options, word: &str) -> String {
        let word = clean_name(word);
        self.numbered(
            options.namespace.as_ref().map_or(word.clone(), |namespace| format!("{namespace}/{word}")),
        )
    }

    /// A name, or the first with a number behind it that no job has yet.
    pub(crate) fn numbered(&mut self, base: String) -> String {
        let mut name = base.clone();
        let mut number = self.next.get(&base).copied().unwrap_or(2);
        // A file has fewer names than there are numbers.
        while self.taken.contains(&name) {
            name = format!("{base}-{number}");
            number += 1;
            #[cfg(test)]
            {
                self.tried += 1;
            }
        }
        self.next.insert(base, number);
        self.taken.insert(name.clone());
        name
    }

    /// Takes a name as it is; false if a job has it.
    pub(crate) fn take(&mut self, name: &str) -> bool {
        self.taken.insert(name.to_string())
    }

    /// Whether a job has a name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.taken.contains(name)
    }

    /// Gives a name back that no job has.
    pub(crate) fn release(&mut self, name: &str) {
        self.taken.remove(name);
        if let Some((base, number)) = name.rsplit_once('-')
            && let (Some(next), Ok(number)) = (self.next.get_mut(base), number.parse::<u64>())
            && *next == number + 1
        {
            *next = number;
        }
    }
}

/// The warning about a window that reaches the next time of its schedule.
pub(crate) fn overlapping(spec: &JobSpec) -> Option<Finding> {
    let window = spec.window().duration();
    // OK because durations are never negative.
    let most = spec.schedule().most_nominal_times_in(window.as_secs() as u64);
    (!window.is_zero() && most > 1).then(|| messages::window_longer_than_gap(&short(window)))
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
        let mut names = Names::default();
        let options = Options { namespace: Some("ops".into()), ..Options::default() };
        assert_eq!(
            [names.free(&options, "a b"), names.free(&options, "a b"), names.free(&options, "$")],
            ["ops/a-b", "ops/a-b-2", "ops/job"]
        );
        // A name that was given back is the next one.
        names.release("ops/a-b-2");
        assert_eq!(names.free(&options, "a b"), "ops/a-b-2");
        names.release("ops/a-b");
        assert_eq!([names.free(&options, "a b"), names.free(&options, "a b")], ["ops/a-b", "ops/a-b-3"]);
        assert_eq!([names.free(&options, "a-b-4"), names.free(&options, "a b")], ["ops/a-b-4", "ops/a-b-5"]);
    }

    #[test]
    fn equal_names_are_not_counted_from_the_beginning() {
        let mut names = Names::default();
        for count in 1..=1000 {
            let name = names.free(&Options::default(), "backup");
            assert_eq!(name, if count == 1 { "backup".to_string() } else { format!("backup-{count}") });
        }
        assert!(names.tried < 2000, "{}", names.tried);
    }
}
