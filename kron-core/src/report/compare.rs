//! Starts that differ between two lists from any source.

use alloc::string::String;
use alloc::vec::Vec;

use crate::report::diff::StartChange;

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

/// The starts that differ between two lists, with the names of their jobs: in order of name, then of the earlier of the two
/// times, then of nominal time. The lists may have any order; of repeated periods the one with the greatest start counts.
///
/// Starts belong together if their jobs have one name and their periods one nominal time. So if the offset of a zone differs,
/// a start at the same civil time vanishes at one instant and appears at another.
///
/// ```
/// use kron_core::{ListedStart, StartChangeKind, compare_starts};
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
