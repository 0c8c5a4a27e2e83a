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

    /// The note that counts them, if there are any.
    pub(crate) fn finding(&self) -> Option<Finding> {
        let all = match self.kinds.values().sum() {
            0 => return None,
            1 => format!("1 object is not a {KIND}, and is ignored"),
            count => format!("{count} objects are not {KIND}s, and are ignored"),
        };
        let named = self.kinds.iter().take(KINDS_NAMED).map(|(kind, count)| match count {
            1 => kind.clone(),
            _ => format!("{kind} ({count})"),
        });
        let rest = if self.kinds.len() > KINDS_NAMED { ", ..." } else { "" };
        let message = format!("{all}: {}{rest}", named.collect::<Vec<_>>().join(", "));
        let finding = Finding::new(Severity::Note, LoadCode::ForeignDocument, message);
        let has_cronjob =
            self.kinds.keys().any(|kind| kind.starts_with("batch/") && kind.ends_with(" CronJob"));
        Some(if has_cronjob {
            finding.with_help("`kron convert` makes KronJobs of CronJobs")
        } else {
            finding
        })
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
            others.finding().map(|finding| finding.message)
        };
        assert_eq!(said(&[]), None);
        assert_eq!(said(&["v1 Pod"]).as_deref(), Some("1 object is not a KronJob, and is ignored: v1 Pod"));
        assert_eq!(
            said(&["f/v1 F", "e/v1 E", "v1 A", "v1 A", "v1 B", "v1 C", "v1 D"]).as_deref(),
            Some("7 objects are not KronJobs, and are ignored: e/v1 E, f/v1 F, v1 A (2), v1 B, v1 C, ...")
        );
    }
}
