//! The log of requests.

use std::collections::VecDeque;

use chrono::{DateTime, Utc};

use crate::call::Call;
use crate::matcher::Match;

/// A request that arrived.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Record {
    /// When it arrived, by the injected clock.
    pub time: DateTime<Utc>,
    /// Who wanted what; without the body.
    pub call: Call,
    /// Whether it reached the store: rejected and refused ones did not.
    pub executed: bool,
    /// The status code that the caller saw; none if no answer arrived (yet).
    pub code: Option<u16>,
}

impl std::fmt::Display for Record {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let call = &self.call;
        write!(
            f,
            "{} {} {} {} {}/{}{} {}",
            self.time.to_rfc3339_opts(chrono::SecondsFormat::Millis, true),
            call.caller,
            call.verb.as_str(),
            call.resource_path(),
            call.namespace,
            call.name,
            if call.dry_run { " (dry run)" } else { "" },
            self.code.map_or_else(|| "no answer".to_owned(), |code| code.to_string())
        )
    }
}

/// All requests, oldest first, as many as are kept.
#[derive(Debug)]
pub(crate) struct Log {
    records: VecDeque<Record>,
    /// Number of the first record that is kept.
    first: u64,
    limit: usize,
}

impl Default for Log {
    fn default() -> Log {
        Log { records: VecDeque::new(), first: 0, limit: 100_000 }
    }
}

impl Log {
    pub(crate) fn arrive(&mut self, record: Record) -> u64 {
        self.records.push_back(record);
        let number = self.first + self.records.len() as u64 - 1;
        self.set_limit(self.limit);
        number
    }

    pub(crate) fn amend(&mut self, number: u64, change: impl FnOnce(&mut Record)) {
        let index = number.checked_sub(self.first).and_then(|index| usize::try_from(index).ok());
        if let Some(record) = index.and_then(|index| self.records.get_mut(index)) {
            change(record);
        }
    }

    pub(crate) fn find(&self, requests: &Match) -> impl Iterator<Item = &Record> {
        self.records.iter().filter(|record| requests.matches(&record.call))
    }

    pub(crate) fn clear(&mut self) {
        self.first += self.records.len() as u64;
        self.records.clear();
    }

    pub(crate) fn set_limit(&mut self, limit: usize) {
        self.limit = limit;
        while self.records.len() > limit {
            self.records.pop_front();
            self.first += 1;
        }
    }
}
