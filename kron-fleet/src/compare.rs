//! Starts that differ between two lists from any source.

use alloc::string::String;
use alloc::vec::Vec;

use crate::diff::StartChange;
#[cfg(feature = "json")]
use alloc::format;
#[cfg(feature = "json")]
use chrono::DateTime;
#[cfg(feature = "json")]
use core::fmt;
#[cfg(feature = "json")]
use kron_core::error::Snippet;
#[cfg(feature = "json")]
use serde::{Deserialize, Deserializer, de};
#[cfg(feature = "json")]
use std::io::{self, BufRead, BufReader, Read};

/// An entry of a list: a period and its start.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ListedStart {
    /// The name of the job.
    pub name: String,
    /// The nominal time of the period, in Unix seconds.
    pub nominal: i64,
    /// The start, in Unix seconds; `None` if the period is unschedulable.
    pub chosen: Option<i64>,
}

/// Why a text is not a list of decisions: what [`ListedStart::read_list`] puts into its error.
#[cfg(feature = "json")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListError {
    /// What is wrong, without the place.
    pub message: String,
    /// Line and column of the place, from 1. A value that could be read, and means nothing, has none.
    pub place: Option<(usize, usize)>,
}

#[cfg(feature = "json")]
impl fmt::Display for ListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)?;
        match self.place {
            Some((line, column)) => write!(f, ", at line {line}, column {column}"),
            None => Ok(()),
        }
    }
}

#[cfg(feature = "json")]
impl core::error::Error for ListError {}

/// Reads a decision, as `kron next -o json` prints it. Only `name`, `nominalTime` and `chosenTime` are read; none may be absent.
#[cfg(feature = "json")]
impl<'de> Deserialize<'de> for ListedStart {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ListedStart, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Row {
            name: String,
            nominal_time: String,
            #[serde(deserialize_with = "Option::deserialize")]
            chosen_time: Option<String>,
        }

        let row = Row::deserialize(deserializer)?;
        let time = |text: String| {
            let time = DateTime::parse_from_rfc3339(&text);
            time.map(|time| time.timestamp())
                .map_err(|_| de::Error::custom(format!("{} is not a time in RFC 3339", Snippet::of(&text))))
        };
        let (nominal, chosen) = (time(row.nominal_time)?, row.chosen_time.map(time).transpose()?);
        Ok(ListedStart { name: row.name, nominal, chosen })
    }
}

#[cfg(feature = "json")]
impl ListedStart {
    /// Reads decisions in JSON, in an array or one after another, as `kron next -o json` and `-o ndjson` print them. The list is in
    /// memory, its text is not.
    ///
    /// # Errors
    ///
    /// Those of the reader, and [`InvalidData`](io::ErrorKind::InvalidData) with a [`ListError`] if the text is not a list of decisions.
    ///
    /// ```
    /// use kron_fleet::compare::{ListError, ListedStart};
    /// let decision = r#"{"name": "a", "nominalTime": "1970-01-01T00:00:00Z", "chosenTime": "1970-01-01T00:00:05Z"}"#;
    /// let start = ListedStart { name: "a".into(), nominal: 0, chosen: Some(5) };
    /// assert_eq!(ListedStart::read_list(format!("[{decision}]").as_bytes())?, [start.clone()]);
    /// assert_eq!(ListedStart::read_list(format!("{decision}\n{decision}\n").as_bytes())?, [start.clone(), start]);
    ///
    /// let error = ListedStart::read_list(&b"[1]"[..]).unwrap_err();
    /// let error = error.get_ref().and_then(|error| error.downcast_ref::<ListError>()).unwrap();
    /// assert_eq!(error.place, Some((1, 3)));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn read_list(reader: impl Read) -> io::Result<Vec<ListedStart>> {
        let mut reader = BufReader::new(reader);
        let first = loop {
            let buffer = reader.fill_buf()?;
            match buffer.iter().position(|byte| !byte.is_ascii_whitespace()) {
                Some(place) => break Some(buffer[place]),
                None if buffer.is_empty() => break None,
                None => {
                    let blanks = buffer.len();
                    reader.consume(blanks);
                }
            }
        };
        let list: serde_json::Result<Vec<ListedStart>> = match first {
            Some(b'[') => serde_json::from_reader(reader),
            _ => serde_json::Deserializer::from_reader(reader).into_iter().collect(),
        };
        list.map_err(|error| {
            if error.is_io() {
                return error.into();
            }
            let message = format!("this is not a list of decisions: {}", what_is_wrong(&error));
            let place = (error.line() > 0).then(|| (error.line(), error.column()));
            io::Error::new(io::ErrorKind::InvalidData, ListError { message, place })
        })
    }
}

/// What is wrong with an entry, without its place.
#[cfg(feature = "json")]
fn what_is_wrong(error: &serde_json::Error) -> String {
    let text = format!("{error}");
    let text = text.rsplit_once(" at line ").map_or(&*text, |(text, _)| text);
    match error.classify() {
        serde_json::error::Category::Eof => "the text ends too early".into(),
        serde_json::error::Category::Syntax => "it is no JSON".into(),
        _ => match text.strip_prefix("missing field ") {
            Some(field) => format!("an entry has no {field}"),
            // An entry with a value of another type, or with a field twice.
            None if text.starts_with("invalid ") || text.starts_with("duplicate ") => {
                "an entry is an object with the texts `name`, `nominalTime` and `chosenTime`, each once"
                    .into()
            }
            None => text.into(),
        },
    }
}

/// The starts that differ between two lists, with the names of their jobs: in order of name, then of the earlier of the two
/// times, then of nominal time. The lists may have any order; of repeated periods the one with the greatest start counts.
///
/// Starts belong together if their jobs have one name and their periods one nominal time. So if the offset of a zone differs,
/// a start at the same civil time vanishes at one instant and appears at another.
///
/// ```
/// use kron_fleet::compare::{ListedStart, compare_starts};
/// use kron_fleet::diff::StartChangeKind;
/// let start = |name: &str, nominal, chosen| ListedStart { name: name.into(), nominal, chosen };
/// let old = vec![start("a", 0, Some(5)), start("b", 0, Some(7)), start("c", 0, None)];
/// let new = vec![start("b", 0, Some(9)), start("a", 0, Some(5))];
/// let changes = compare_starts(old, new);
/// assert_eq!(changes.len(), 1); // "c" has no start in either list
/// assert_eq!((changes[0].0.as_str(), changes[0].1.kind()), ("b", StartChangeKind::Moves));
/// ```
pub fn compare_starts(mut old: Vec<ListedStart>, mut new: Vec<ListedStart>) -> Vec<(String, StartChange)> {
    for list in [&mut old, &mut new] {
        // The greatest start of a period comes first, and is kept.
        list.sort_unstable_by(|a, b| (&a.name, a.nominal, b.chosen).cmp(&(&b.name, b.nominal, a.chosen)));
        list.dedup_by(|a, b| (&a.name, a.nominal) == (&b.name, b.nominal));
        list.retain(|start| start.chosen.is_some());
    }
    let mut changes = Vec::new();
    let (mut olds, mut news) = (old.into_iter().peekable(), new.into_iter().peekable());
    loop {
        let period = |start: &ListedStart| (start.name.clone(), start.nominal);
        let (next_old, next_new) = (olds.peek().map(period), news.peek().map(period));
        let Some(next) = next_old.iter().chain(&next_new).min().cloned() else { break };
        let old = olds.next_if(|_| next_old.as_ref() == Some(&next)).and_then(|start| start.chosen);
        let new = news.next_if(|_| next_new.as_ref() == Some(&next)).and_then(|start| start.chosen);
        if old != new {
            changes.push((next.0, StartChange { nominal: next.1, old, new }));
        }
    }
    changes.sort_by(|a, b| (&a.0, a.1.first(), a.1.nominal).cmp(&(&b.0, b.1.first(), b.1.nominal)));
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_repetitions_do_not_matter() {
        let start = |name: &str, nominal, chosen| ListedStart { name: name.into(), nominal, chosen };
        let old = alloc::vec![
            start("b", 60, Some(70)),
            start("a", 120, Some(130)),
            start("a", 0, Some(10)),
            start("a", 0, Some(10)),
            start("c", 0, Some(3)),
            start("c", 0, None),
        ];
        let new = alloc::vec![
            start("a", 60, Some(65)),
            start("b", 60, None),
            start("a", 120, Some(131)),
            start("c", 0, Some(3))
        ];
        let changes = compare_starts(old, new);
        let rows: Vec<_> = changes
            .iter()
            .map(|(name, change)| (name.as_str(), change.nominal, change.old, change.new))
            .collect();
        let want = [
            ("a", 0, Some(10), None),
            ("a", 60, None, Some(65)),
            ("a", 120, Some(130), Some(131)),
            ("b", 60, Some(70), None),
        ];
        assert_eq!(rows, want);
        assert_eq!(compare_starts(Vec::new(), Vec::new()), []);
    }
}
