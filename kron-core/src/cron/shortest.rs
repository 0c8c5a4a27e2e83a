//! The shortest text of a cron field.
//!
//! A field is a list of items, and the search is for the list with the fewest characters; of equally short ones, the
//! first in byte order. It covers the values from the lowest on and remembers what is left to cover. The work is
//! limited: a list of many values without pattern may come out a few characters longer than it could be.

use alloc::{
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};

use super::Cron;
use crate::time::calendar_field::{DAY_OF_MONTH, DAY_OF_WEEK, Field, HOUR, MINUTE, MONTH, range, values};

/// Items that one search tries before it takes the best list so far.
const STEPS: u32 = 10_000;

impl Cron {
    /// The expression in few characters: each field is the shortest list that says the same, and of equally short ones
    /// the first in byte order. [`Display`](core::fmt::Display) gives the canonical form instead, in which lists ascend.
    ///
    /// ```
    /// let cron: kron_core::Cron = "0,10,20,30,40,50 8-8 1-31/2 * 5,6,7".parse()?;
    /// assert_eq!(cron.to_shortest_string(), "*/10 8 */2 * 5-7");
    /// assert_eq!(cron.to_shortest_string().parse::<kron_core::Cron>()?, cron);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn to_shortest_string(&self) -> String {
        let fields = [
            (&MINUTE, self.minutes(), true),
            (&HOUR, self.hours.into(), true),
            (&DAY_OF_MONTH, self.days_of_month.into(), !self.day_of_month_restricted()),
            (&MONTH, self.months.into(), true),
            (&DAY_OF_WEEK, self.days_of_week.into(), !self.day_of_week_restricted()),
        ];
        fields.map(|(field, set, star)| shortest(field, set, set, star)).join(" ")
    }
}

/// The shortest list of a field that has all values of `must` and none beyond `may`. `star` says whether a full set may be
/// written `*`: a restricted day field may not, it would change the day rule.
pub(super) fn shortest(field: &'static Field, must: u64, may: u64, star: bool) -> String {
    if may == field.all() {
        return if star { "*".to_string() } else { format!("{}-{}", field.min, field.max) };
    }
    Search::new(field, must, may).list()
}

/// One item of a list. Items order by their values, and those of the same values by length and byte order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Item {
    values: u64,
    length: u8,
    /// The text, then zeros.
    bytes: [u8; ITEM_BYTES],
}

/// The longest items are of the form `10-59/11`.
const ITEM_BYTES: usize = 8;

impl Item {
    fn new(values: u64, low: Option<u8>, high: Option<u8>, step: Option<u8>) -> Item {
        let mut item = Item { values, length: 0, bytes: [0; ITEM_BYTES] };
        match low {
            Some(low) => item.push_number(low),
            None => item.push(b'*'),
        }
        if let Some(high) = high {
            item.push(b'-');
            item.push_number(high);
        }
        if let Some(step) = step {
            item.push(b'/');
            item.push_number(step);
        }
        item
    }

    fn push(&mut self, byte: u8) {
        self.bytes[usize::from(self.length)] = byte;
        self.length += 1;
    }

    /// Writes a number below 100.
    fn push_number(&mut self, number: u8) {
        if number >= 10 {
            self.push(b'0' + number / 10);
        }
        self.push(b'0' + number % 10);
    }

    fn write(&self, out: &mut String) {
        out.extend(self.bytes[..usize::from(self.length)].iter().map(|byte| char::from(*byte)));
    }

    /// Characters, with a comma.
    fn cost(&self) -> usize {
        usize::from(self.length) + 1
    }

    /// Parts of characters for each of these values.
    fn cost_per(&self, values: u64) -> usize {
        self.cost() * SHARES / (values.count_ones().max(1) as usize)
    }
}

/// A list of items by their index, which is their rank in byte order; ascending.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct List {
    cost: usize,
    items: Vec<usize>,
}

/// What is known about the values that are left.
enum Known {
    /// The best list.
    Best(List),
    /// No list is as cheap as this.
    Above(usize),
}

struct Search {
    must: u64,
    /// In byte order.
    items: Vec<Item>,
    /// For each value the items that have it, the best for their length first.
    by_value: Vec<Vec<usize>>,
    /// For each value the least share of an item's characters that it must bear, in parts of [`SHARES`].
    shares: Vec<usize>,
    known: BTreeMap<u64, Known>,
    steps: u32,
}

/// Parts of a character.
const SHARES: usize = 1 << 16;

impl Search {
    fn new(field: &'static Field, must: u64, may: u64) -> Search {
        let items = items(field, must, may);
        let mut by_value = vec![Vec::new(); 64];
        let mut shares = vec![usize::MAX; 64];
        let mut cheapest: Vec<(usize, usize)> =
            items.iter().enumerate().map(|(i, item)| (item.cost_per(item.values), i)).collect();
        cheapest.sort_unstable();
        for (share, i) in cheapest {
            for value in values(items[i].values) {
                by_value[usize::from(value)].push(i);
                let least = &mut shares[usize::from(value)];
                *least = share.min(*least);
            }
        }
        Search { must, items, by_value, shares, known: BTreeMap::new(), steps: STEPS }
    }

    fn list(mut self) -> String {
        let quick = self.quick_list();
        let best = self.best(self.must, quick.cost).unwrap_or(quick);
        let mut text = String::new();
        for (i, item) in best.items.iter().enumerate() {
            text.push_str(if i == 0 { "" } else { "," });
            self.items[*item].write(&mut text);
        }
        text
    }

    /// A list that is found without a search: again and again the item with the most values for its characters.
    fn quick_list(&self) -> List {
        let (mut left, mut list) = (self.must, List { cost: 0, items: Vec::new() });
        while left != 0 {
            let per_value = |item: &usize| self.items[*item].cost_per(self.items[*item].values & left);
            let lowest = left.trailing_zeros() as usize;
            let Some(item) = self.by_value[lowest].iter().copied().min_by_key(per_value) else { break };
            left &= !self.items[item].values;
            list = self.with(list, item);
        }
        list
    }

    fn with(&self, mut list: List, item: usize) -> List {
        let at = list.items.partition_point(|other| *other < item);
        list.items.insert(at, item);
        list.cost += self.items[item].cost();
        list
    }

    /// The best list that covers `left` with at most so many characters.
    fn best(&mut self, left: u64, most: usize) -> Option<List> {
        if left == 0 {
            return Some(List { cost: 0, items: Vec::new() });
        }
        match self.known.get(&left) {
            Some(Known::Best(list)) => return (list.cost <= most).then(|| list.clone()),
            Some(Known::Above(known)) if most <= *known => return None,
            _ => {}
        }
        let (mut best, mut budget): (Option<List>, usize) = (None, most);
        let lowest = left.trailing_zeros() as usize;
        for i in 0..self.by_value[lowest].len() {
            let item = self.by_value[lowest][i];
            let (cost, rest) = (self.items[item].cost(), left & !self.items[item].values);
            if self.steps == 0 || cost + self.bound(rest) > budget {
                continue;
            }
            self.steps -= 1;
            if let Some(list) = self.best(rest, budget - cost) {
                let list = self.with(list, item);
                if best.as_ref().is_none_or(|best| list < *best) {
                    budget = list.cost;
                    best = Some(list);
                }
            }
        }
        if self.steps > 0 {
            let known = best.clone().map_or(Known::Above(most), Known::Best);
            self.known.insert(left, known);
        }
        best
    }

    /// At least so many characters are needed for these values.
    fn bound(&self, left: u64) -> usize {
        values(left).map(|value| self.shares[usize::from(value)]).sum::<usize>().div_ceil(SHARES)
    }
}

/// All items that have a value of `must` and none beyond `may`, in byte order. Of items with the same values of `must` the
/// shortest, and of these the first in byte order.
fn items(field: &'static Field, must: u64, may: u64) -> Vec<Item> {
    let mut items = Vec::new();
    let mut offer = |set: u64, low, high, step| {
        let set = field.fold(set) & must;
        if set != 0 {
            items.push(Item::new(set, low, high, step));
        }
    };
    // Sunday may be written 0 and 7.
    let written = if field.max_written > field.max { may | may << 7 & 1 << 7 } else { may };
    for low in values(written) {
        offer(1 << low, Some(low), None, None);
        for step in 1..=field.max_written.saturating_sub(low) {
            let mut set = 1u64 << low;
            let mut high = low + step;
            while high <= field.max_written && written >> high & 1 == 1 {
                set |= 1 << high;
                // Where nothing lies between the steps, the range without a step is shorter.
                if step == 1 || range(low, high) & !written != 0 {
                    offer(set, Some(low), Some(high), (step > 1).then_some(step));
                }
                high += step;
            }
            // `n/s` runs to the last value of the field.
            let holds_more = step == 1 || range(low, field.max) & !written != 0;
            if high > field.max && low <= field.max && holds_more {
                let open = set & range(low, field.max);
                offer(open, Some(low), None, Some(step));
                if low == field.min && step > 1 {
                    offer(open, None, None, Some(step));
                }
            }
        }
    }
    items.sort_unstable();
    items.dedup_by_key(|item| item.values);
    items.sort_unstable_by_key(|item| item.bytes);
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(field: &'static Field, must: &[u8], free: &[u8]) -> String {
        let mask = |values: &[u8]| values.iter().map(|value| 1u64 << value).sum::<u64>();
        shortest(field, mask(must), mask(must) | mask(free), true)
    }

    #[test]
    fn short_lists() {
        assert_eq!(text(&MINUTE, &[5, 20, 35, 50], &[]), "5/15");
        assert_eq!(text(&MINUTE, &[0, 15, 30, 45], &[]), "*/15");
        assert_eq!(text(&MINUTE, &[0, 30], &[]), "*/30");
        assert_eq!(text(&HOUR, &[1, 2], &[]), "1,2");
        assert_eq!(text(&HOUR, &[1, 2, 3], &[]), "1-3");
        assert_eq!(text(&HOUR, &[22, 23], &[]), "22/1");
        assert_eq!(text(&DAY_OF_WEEK, &[0, 5, 6], &[]), "5-7");
        assert_eq!(text(&DAY_OF_WEEK, &[0], &[]), "0");
        assert_eq!(text(&MONTH, &[1, 3, 5, 7, 8, 10, 12], &[2, 4, 6, 9, 11]), "*");
        assert_eq!(text(&DAY_OF_MONTH, &[30], &[31]), "30");
        // Of equally short lists the first in byte order.
        assert_eq!(text(&MINUTE, &[5, 35], &[]), "35,5");
        assert_eq!(text(&MINUTE, &[0, 1, 2, 3, 30], &[]), "0-3,30");
    }

    #[test]
    fn a_restricted_day_field_stays_restricted() {
        for cron in ["0 0 1-31 * 1", "0 0 * * 0-6", "* 0-23 1-31 1-12 0-6", "0 0 ? * 1", "0 0 */2 * */3"] {
            let cron = Cron::parse(cron).unwrap();
            assert_eq!(Cron::parse(&cron.to_shortest_string()).unwrap(), cron);
        }
    }

    /// All lists of up to three items, tried out.
    #[test]
    fn no_shorter_list_of_few_items_exists() {
        let field = &DAY_OF_WEEK;
        let all: Vec<String> = {
            let mut all = Vec::new();
            for a in 0..=7u8 {
                all.push(a.to_string());
                for s in 1..=7 {
                    all.push(format!("{a}/{s}"));
                    all.push(format!("*/{s}"));
                }
                for b in a..=7 {
                    all.push(format!("{a}-{b}"));
                    all.extend((1..=7).map(|s| format!("{a}-{b}/{s}")));
                }
            }
            all.sort();
            all.dedup();
            all
        };
        let mask = |list: &str| Cron::parse(&format!("0 0 * * {list}")).unwrap().days_of_week;
        let masks: Vec<u8> = all.iter().map(|item| mask(item)).collect();
        let mut best: Vec<Option<String>> = vec![None; 128];
        let mut offer = |set: u8, text: String| {
            let slot = &mut best[usize::from(set)];
            if slot.as_ref().is_none_or(|old| (text.len(), &text) < (old.len(), old)) {
                *slot = Some(text);
            }
        };
        for (i, a) in all.iter().enumerate() {
            offer(masks[i], a.clone());
            for (j, b) in all.iter().enumerate() {
                let two = format!("{a},{b}");
                if two.len() <= 9 {
                    for (k, c) in all.iter().enumerate().filter(|(_, c)| two.len() + c.len() < 8) {
                        offer(masks[i] | masks[j] | masks[k], format!("{two},{c}"));
                    }
                    offer(masks[i] | masks[j], two);
                }
            }
        }
        for set in 1..127u64 {
            let found = shortest(field, set, set, true);
            assert_eq!(u64::from(mask(&found)), set);
            // Lists of four items are not among those tried out.
            match &best[set as usize] {
                Some(best) if found.split(',').count() > 3 => {
                    assert!((found.len(), &found) < (best.len(), best), "{found} {best}");
                }
                Some(best) => assert_eq!(&found, best),
                None => assert!(found.split(',').count() > 3),
            }
        }
    }

    #[test]
    fn lists_read_as_their_values() {
        let mut seed = 3u64;
        for _ in 0..2000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let set = (seed >> 4) & range(0, 59);
            let set = if seed & 1 == 0 { set } else { set & set << 7 & range(0, 59) };
            if set != 0 {
                let text = shortest(&MINUTE, set, set, true);
                assert_eq!(Cron::parse(&format!("{text} * * * *")).unwrap().minutes(), set, "{text}");
            }
        }
    }
}
