//! Cron expressions.

use kron_core::Cron;
use proptest::collection::vec;
use proptest::prelude::*;

use super::spelling::{Pick, blanks, digits, spell_value};
use crate::oracle;

/// Least and greatest value of each field, and its names.
pub static FIELDS: [(u8, u8, &[&str]); 5] = [
    (0, 59, &[]),
    (0, 23, &[]),
    (1, 31, &[]),
    (1, 12, &["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]),
    (0, 6, &["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"]),
];

#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// `*` or `*/step`.
    Star(u64),
    One(u8),
    /// `n/step`.
    From(u8, u64),
    /// `a-b/step`.
    Range(u8, u8, u64),
}

#[derive(Clone, Debug)]
pub struct CronModel {
    pub fields: [Vec<Item>; 5],
}

fn step() -> impl Strategy<Value = u64> {
    prop_oneof![1 => Just(1), 8 => 2..20u64, 2 => 20..70u64, 1 => prop_oneof![Just(4_294_967_296), Just(u64::MAX)]]
}

fn item(field: usize) -> impl Strategy<Value = Item> {
    let (min, max, _) = FIELDS[field];
    // Sunday may be written 7.
    let top = if field == 4 { 7 } else { max };
    let pair = (min..=top, min..=top).prop_map(|(a, b)| (a.min(b), a.max(b)));
    prop_oneof![
        6 => (min..=top).prop_map(Item::One),
        1 => Just(Item::Star(1)),
        3 => step().prop_map(Item::Star),
        2 => (min..=top, step()).prop_map(|(low, step)| Item::From(low, step)),
        3 => pair.clone().prop_map(|(low, high)| Item::Range(low, high, 1)),
        2 => (pair, step()).prop_map(|((low, high), step)| Item::Range(low, high, step)),
    ]
}

fn field(index: usize, star: u32) -> impl Strategy<Value = Vec<Item>> {
    prop_oneof![star => Just(vec![Item::Star(1)]), 10 - star => vec(item(index), 1..4)]
}

/// Any expression that can match; `star` says how often, in tenths, each field is `*` alone.
fn cron_with(star: [u32; 5]) -> impl Strategy<Value = CronModel> {
    let [a, b, c, d, e] = star;
    (field(0, a), field(1, b), field(2, c), field(3, d), field(4, e)).prop_map(|(a, b, c, d, e)| {
        let mut model = CronModel { fields: [a, b, c, d, e] };
        if oracle::CronOracle::parse(&model.plain()).never_matches() {
            model.fields[3] = vec![Item::Star(1)];
        }
        model
    })
}

/// Expressions of all kinds.
pub fn cron() -> impl Strategy<Value = CronModel> {
    cron_with([1, 2, 4, 5, 5])
}

/// Expressions that match several times on most days.
pub fn dense_cron() -> impl Strategy<Value = CronModel> {
    cron_with([3, 6, 8, 9, 8])
}

/// Expressions that match at most a few times on a day.
pub fn sparse_cron() -> impl Strategy<Value = CronModel> {
    (cron_with([0, 0, 3, 3, 4]), 0..60u8, vec(0..24u8, 1..3)).prop_map(|(mut model, minute, hours)| {
        model.fields[0] = vec![Item::One(minute)];
        model.fields[1] = hours.into_iter().map(Item::One).collect();
        model
    })
}

impl CronModel {
    /// The plainest spelling.
    pub fn plain(&self) -> String {
        let field = |items: &Vec<Item>| {
            let item = |item: &Item| match item {
                Item::Star(1) => "*".to_string(),
                Item::Star(step) => format!("*/{step}"),
                Item::One(value) => value.to_string(),
                Item::From(low, step) => format!("{low}/{step}"),
                Item::Range(low, high, 1) => format!("{low}-{high}"),
                Item::Range(low, high, step) => format!("{low}-{high}/{step}"),
            };
            items.iter().map(item).collect::<Vec<_>>().join(",")
        };
        self.fields.each_ref().map(field).join(" ")
    }

    pub fn cron(&self) -> Cron {
        let text = self.plain();
        Cron::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    /// Any spelling of the same expression.
    pub fn spell(&self, pick: &mut Pick) -> String {
        let mut text = blanks(pick, 0);
        for (index, items) in self.fields.iter().enumerate() {
            let mut words: Vec<String> = items.iter().map(|item| spell_item(index, item, pick)).collect();
            if pick.below(4) == 0 {
                words.push(spell_item(index, pick.of(items), pick));
            }
            pick.shuffle(&mut words);
            text += &words.join(",");
            text += &blanks(pick, if index == 4 { 0 } else { 1 });
        }
        if text.len() <= 256 { text } else { self.plain() }
    }
}

fn spell_item(index: usize, item: &Item, pick: &mut Pick) -> String {
    let (min, max, _) = FIELDS[index];
    let day_field = index == 2 || index == 4;
    let star = if day_field && pick.coin() { "?" } else { "*" };
    let bound = |value: u8, pick: &mut Pick| spell_value(index, value, true, pick);
    match *item {
        Item::Star(1) => match pick.below(4) {
            0 => format!("{star}/{}", digits(1, pick)),
            // In a day field this would be a restriction.
            1 if !day_field => format!("{}-{}", bound(min, pick), bound(max, pick)),
            _ => star.to_string(),
        },
        Item::Star(step) if pick.coin() => format!("{star}/{}", digits(step, pick)),
        Item::Star(step) => format!("{}-{}/{}", bound(min, pick), bound(max, pick), digits(step, pick)),
        Item::One(value) => match pick.below(6) {
            0 => {
                let text = bound(value, pick);
                format!("{text}-{}", bound(value, pick))
            }
            1 => format!("{}-{}/{}", bound(value, pick), bound(value, pick), digits(1 + pick.below(9), pick)),
            _ => spell_value(index, value, false, pick),
        },
        Item::From(low, step) if low > max || pick.coin() => {
            format!("{}/{}", bound(low, pick), digits(step, pick))
        }
        Item::From(low, step) => format!("{}-{}/{}", bound(low, pick), bound(max, pick), digits(step, pick)),
        Item::Range(low, high, step) => {
            let values: Vec<u8> = (low..=high).step_by(usize::try_from(step).unwrap_or(usize::MAX)).collect();
            if values.len() <= 6 && pick.coin() {
                return values
                    .iter()
                    .map(|value| spell_value(index, *value, false, pick))
                    .collect::<Vec<_>>()
                    .join(",");
            }
            let range = format!("{}-{}", bound(low, pick), bound(high, pick));
            if step == 1 && pick.coin() { range } else { format!("{range}/{}", digits(step, pick)) }
        }
    }
}
