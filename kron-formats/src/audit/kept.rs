//! Which executions a store certainly still shows, given the rules by which it removes them.

/// The rules by which a store removes executions that have ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryRules {
    /// Seconds after its end for which an execution can be found; `None` if nothing removes it by time.
    pub retention: Option<i64>,
    /// How many successful executions are kept, the latest.
    pub successful: u32,
    /// How many failed executions are kept, the latest.
    pub failed: u32,
    /// Whether a start can stop and remove an earlier execution: the concurrency policy is `replace`.
    pub replaces: bool,
}

/// The Unix second after which every execution that was started is certainly still shown, unless a user removed it.
/// `ended` are the executions that are shown and have ended: when each was started, and whether it was successful.
///
/// ```
/// use kron_formats::audit::{HistoryRules, kept_since};
/// let rules = HistoryRules { retention: None, successful: 2, failed: 1, replaces: false };
/// // An execution from before 200 may have been removed: two later ones were successful.
/// assert_eq!(kept_since(rules, &[(100, true), (200, true), (300, true)], 400), 200);
/// assert_eq!(kept_since(rules, &[(300, true)], 400), i64::MIN);
/// // One may have been removed 50 seconds after its end, so it has started within the last 50 seconds.
/// assert_eq!(kept_since(HistoryRules { retention: Some(50), ..rules }, &[(300, true)], 400), 350);
/// ```
pub fn kept_since(rules: HistoryRules, ended: &[(i64, bool)], now: i64) -> i64 {
    if rules.replaces {
        return i64::MAX;
    }
    let of = |successful: bool, kept: u32| {
        let mut starts: Vec<i64> =
            ended.iter().filter(|(_, how)| *how == successful).map(|(at, _)| *at).collect();
        starts.sort_unstable_by(|a, b| b.cmp(a));
        match kept.checked_sub(1) {
            None => i64::MAX,
            // Fewer have ended than the limit keeps: none was removed.
            Some(last) => starts.get(last as usize).copied().unwrap_or(i64::MIN),
        }
    };
    let by_count = of(true, rules.successful).max(of(false, rules.failed));
    // It ended after it was started, so it is found until `retention` after that at least.
    rules.retention.map_or(by_count, |retention| by_count.max(now.saturating_sub(retention)))
}
