//! The objects of a file that are not KronJobs.

use std::collections::BTreeMap;

use kron_core::{Finding, Severity};

use super::code::LoadCode;
use crate::kronjob::KIND;

/// The most kinds that a finding names.
const KINDS_NAMED: usize = 5;

/// How many objects of other kinds there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Others {
    /// By version and kind, such as `v1 Service`.
    kinds: BTreeMap<String, usize>,
}

impl Others {
    /// Counts an object of this version and kind.
    pub(crate) fn add(&mut self, kind: String) {
        *self.kinds.entry(kind).or_default() += 1;
    }

    /// Counts those of another file, too.
    #[cfg(feature = "convert")]
    pub(crate) fn extend(&mut self, other: Others) {
        for (kind, count) in other.kinds {
            *self.kinds.entry(kind).or_default() += count;
        }
    }

    /// Leaves out the objects of a kind, whose version begins so. Returns whether there are any.
    #[cfg(feature = "convert")]
    pub(crate) fn remove(&mut self, version: &str, kind: &str) -> bool {
        let before = self.kinds.len();
        self.kinds.retain(|found, _| {
            found.split_once(' ').is_none_or(|(of, name)| !of.starts_with(version) || name != kind)
        });
        self.kinds.len() < before
    }

    /// The note that counts them where only KronJobs are read, if there are any.
    pub(crate) fn not_kronjobs(&self) -> Option<Finding> {
        let finding = self.finding(|count| match count {
            1 => format!("1 object is not a {KIND}, and is ignored"),
            _ => format!("{count} objects are not {KIND}s, and are ignored"),
        })?;
        let has_cronjob =
            self.kinds.keys().any(|kind| kind.starts_with("batch/") && kind.ends_with(" CronJob"));
        Some(if has_cronjob {
            finding.with_help("`kron convert` makes KronJobs of CronJobs")
        } else {
            finding
        })
    }

    /// The note that counts them where the schedules of other systems are read, too.
    #[cfg(feature = "convert")]
    pub(crate) fn not_jobs(&self) -> Option<Finding> {
        self.finding(|count| match count {
            1 => "1 object is not a job, and is ignored".to_string(),
            _ => format!("{count} objects are not jobs, and are ignored"),
        })
    }

    fn finding(&self, words: impl FnOnce(usize) -> String) -> Option<Finding> {
        let count = self.kinds.values().sum();
        if count == 0 {
            return None;
        }
        let named = self.kinds.iter().take(KINDS_NAMED).map(|(kind, count)| match count {
            1 => kind.clone(),
            _ => format!("{kind} ({count})"),
        });
        let rest = if self.kinds.len() > KINDS_NAMED { ", ..." } else { "" };
        let message = format!("{}: {}{rest}", words(count), named.collect::<Vec<_>>().join(", "));
        Some(Finding::new(Severity::Note, LoadCode::ForeignDocument, message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_counted() {
        let said = |kinds: &[&str]| {
            let mut others = Others::default();
            kinds.iter().for_each(|kind| others.add((*kind).to_string()));
            others.not_kronjobs().map(|finding| finding.message)
        };
        assert_eq!(said(&[]), None);
        assert_eq!(said(&["v1 Pod"]).as_deref(), Some("1 object is not a KronJob, and is ignored: v1 Pod"));
        assert_eq!(
            said(&["f/v1 F", "e/v1 E", "v1 A", "v1 A", "v1 B", "v1 C", "v1 D"]).as_deref(),
            Some("7 objects are not KronJobs, and are ignored: e/v1 E, f/v1 F, v1 A (2), v1 B, v1 C, ...")
        );
    }
}
