//! Who waits for a list of Jobs, and when one list serves them all.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use kron_host::ListNeed;

use crate::namespaces::Scope;

/// Where so many starts wait within [`AHEAD`], one list serves all that wait. Fewer make a list each.
const MANY: usize = 32;
/// How many milliseconds before their starts a shared list begins: claims are stored five seconds before them.
const AHEAD: i64 = 4_000;
/// The least time between the beginnings of two shared lists, in milliseconds.
const APART: i64 = 2_000;
/// The same while a start is due.
const APART_IF_DUE: i64 = 1_000;
/// The shortest and the longest time before the next shared list after one that failed.
const PAUSE: [i64; 2] = [1_000, 60_000];
/// How long a start that is due waits for a shared list before it makes its own, in milliseconds.
pub(super) const PATIENCE: i64 = 2_000;

/// The KronJobs whose claims are stored and that no list has followed, and the lists that serve many of them. Times are in
/// milliseconds of Unix time.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    /// By UID.
    waiting: BTreeMap<Scope, BTreeSet<(ListNeed, Arc<str>)>>,
    /// Whether one is being read. There are never two.
    is_reading: bool,
    /// When the last one began.
    began: i64,
    /// When the next one may begin.
    not_before: i64,
    /// How many have failed in a row.
    failures: u32,
}

impl Lists {
    /// A KronJob waits for something else than before.
    pub(super) fn set(&mut self, scope: &Scope, uid: &Arc<str>, before: ListNeed, after: ListNeed) {
        if before == after {
            return;
        }
        if let Some(waiting) = self.waiting.get_mut(scope) {
            waiting.remove(&(before, uid.clone()));
        }
        if matches!(after, ListNeed::OnceClaimed | ListNeed::Claimed(_)) {
            self.waiting.entry(scope.clone()).or_default().insert((after, uid.clone()));
        }
    }

    /// Whether so many starts of a scope wait now or soon that one list serves them.
    pub(super) fn are_many(&self, scope: &Scope, now: i64) -> bool {
        self.waiting.get(scope).and_then(Lists::many_at).is_some_and(|at| at <= now)
    }

    /// From when on many starts wait, if so many do. Claims that are stored hours before their starts are no burst.
    fn many_at(waiting: &BTreeSet<(ListNeed, Arc<str>)>) -> Option<i64> {
        let (wait, _) = waiting.iter().nth(MANY - 1)?;
        match wait {
            ListNeed::Claimed(second) => Some(second.saturating_mul(1000).saturating_sub(AHEAD)),
            ListNeed::OnceClaimed | ListNeed::None | ListNeed::Served => Some(i64::MIN),
        }
    }

    /// Those that wait for a list, the earliest start first.
    fn claimed(waiting: &BTreeSet<(ListNeed, Arc<str>)>) -> impl Iterator<Item = (i64, &Arc<str>)> {
        let claimed = waiting.range((ListNeed::Claimed(i64::MIN), Arc::from(""))..);
        claimed.filter_map(
            |(wait, uid)| if let ListNeed::Claimed(second) = wait { Some((*second, uid)) } else { None },
        )
    }

    /// When the next shared list begins, and of which scope.
    pub(super) fn next(&self) -> Option<(i64, &Scope)> {
        let times = self.waiting.iter().filter(|_| !self.is_reading).filter_map(|(scope, waiting)| {
            let many = Lists::many_at(waiting)?;
            let start = Lists::claimed(waiting).next()?.0.saturating_mul(1000);
            let apart = (self.began + APART).min(start.max(self.began + APART_IF_DUE));
            Some((many.max(start.saturating_sub(AHEAD)).max(apart).max(self.not_before), scope))
        });
        times.min()
    }

    /// A shared list begins. Gives those that it serves.
    pub(super) fn begin(&mut self, scope: &Scope, now: i64) -> Vec<Arc<str>> {
        (self.is_reading, self.began) = (true, now);
        let Some(waiting) = self.waiting.get_mut(scope) else { return Vec::new() };
        let served: Vec<Arc<str>> = Lists::claimed(waiting).map(|(_, uid)| uid.clone()).collect();
        waiting.retain(|(wait, _)| *wait == ListNeed::OnceClaimed);
        served
    }

    /// It was read, or it failed.
    pub(super) fn end(&mut self, was_read: bool, now: i64) {
        self.is_reading = false;
        self.failures = if was_read { 0 } else { self.failures.saturating_add(1) };
        let [shortest, longest] = PAUSE;
        let pause = shortest.saturating_mul(1 << self.failures.saturating_sub(1).min(6)).min(longest);
        self.not_before = if was_read { now } else { now.saturating_add(pause) };
    }

    /// The term ends: nobody waits.
    pub(super) fn clear(&mut self) {
        *self = Lists::default();
    }

    /// The clock was set: times to wait for that were computed before are no longer valid.
    pub(super) fn clock_set(&mut self) {
        (self.began, self.not_before) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_772_323_200_000;

    /// So many KronJobs that wait for starts of a second.
    fn waiting(count: usize, second: i64) -> Lists {
        let mut lists = Lists::default();
        add(&mut lists, 0..count, second);
        lists
    }

    fn add(lists: &mut Lists, numbers: std::ops::Range<usize>, second: i64) {
        for number in numbers {
            let key = Arc::from(number.to_string());
            lists.set(&Scope::All, &key, ListNeed::None, ListNeed::Claimed(NOW / 1000 + second));
        }
    }

    fn next(lists: &Lists) -> Option<i64> {
        lists.next().map(|(at, _)| at - NOW)
    }

    #[test]
    fn few_make_a_list_each() {
        assert_eq!(next(&waiting(MANY - 1, 60)), None);
        let mut lists = waiting(MANY, 60);
        assert_eq!(next(&lists), Some(56_000));
        let key = Arc::from("7");
        lists.set(&Scope::All, &key, ListNeed::Claimed(NOW / 1000 + 60), ListNeed::None);
        assert_eq!(next(&lists), None);
        lists.set(&Scope::All, &key, ListNeed::None, ListNeed::Claimed(NOW / 1000 + 30));
        assert_eq!(next(&lists), Some(56_000), "one early start is no burst");
        add(&mut lists, MANY..2 * MANY, 40);
        assert_eq!(next(&lists), Some(36_000), "and one later is none either");
    }

    #[test]
    fn lists_are_never_two_at_a_time_and_have_their_pauses() {
        let mut lists = waiting(1000, 10);
        assert_eq!(lists.begin(&Scope::All, NOW + 6_000).len(), 1000);
        // The claims of these were stored after the list began.
        add(&mut lists, 1000..1500, 10);
        assert_eq!(next(&lists), None, "one is being read");
        lists.end(true, NOW + 6_500);
        assert_eq!(next(&lists), Some(8_000));
        lists.begin(&Scope::All, NOW + 9_500);
        lists.end(true, NOW + 9_600);
        add(&mut lists, 1500..2000, 10);
        assert_eq!(next(&lists), Some(10_500), "their start is due then");
        add(&mut lists, 2000..2001, 9);
        assert_eq!(next(&lists), Some(10_500));
    }

    #[test]
    fn one_that_fails_is_tried_again_after_longer_and_longer_pauses() {
        let mut pauses = Vec::new();
        let mut lists = waiting(MANY, -60);
        for round in 0..9 {
            let now = NOW + round * 100_000;
            lists.begin(&Scope::All, now);
            lists.end(false, now);
            add(&mut lists, 0..MANY, -60);
            pauses.push(next(&lists).unwrap() + NOW - now);
        }
        assert_eq!(pauses, [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
        lists.begin(&Scope::All, NOW);
        lists.end(true, NOW);
        add(&mut lists, 0..MANY, -60);
        assert_eq!(next(&lists), Some(1_000));
    }

    /// After a change of leader many starts are due and not claimed yet: a list each would begin as soon as each is.
    #[test]
    fn starts_that_are_due_and_not_claimed_yet_count() {
        let mut lists = waiting(1, 0);
        assert_eq!(next(&lists), None);
        for number in 1..MANY {
            let key = Arc::from(number.to_string());
            lists.set(&Scope::All, &key, ListNeed::None, ListNeed::OnceClaimed);
        }
        assert!(next(&lists).is_some_and(|at| at <= 0) && lists.are_many(&Scope::All, NOW));
        assert_eq!(lists.begin(&Scope::All, NOW), [Arc::from("0")]);
        lists.end(true, NOW + 100);
        assert_eq!(next(&lists), None, "no claim is stored");
        lists.set(&Scope::All, &Arc::from("1"), ListNeed::OnceClaimed, ListNeed::Claimed(NOW / 1000));
        add(&mut lists, MANY..MANY + 1, 0);
        assert_eq!(next(&lists), Some(1_000));
    }

    #[test]
    fn each_scope_has_its_own() {
        let [few, many] = ["few", "many"].map(|name| Scope::Namespace(name.into()));
        let mut lists = Lists::default();
        for (scope, count) in [(&few, MANY - 1), (&many, MANY)] {
            for number in 0..count {
                let key = Arc::from(format!("{scope:?} {number}"));
                lists.set(scope, &key, ListNeed::None, ListNeed::Claimed(NOW / 1000 + 60));
            }
        }
        assert_eq!(lists.next(), Some((NOW + 56_000, &many)));
        let are_many = |scope, at| lists.are_many(scope, NOW + at);
        assert!(!are_many(&few, 60_000) && !are_many(&many, 55_999) && are_many(&many, 56_000));
    }
}
