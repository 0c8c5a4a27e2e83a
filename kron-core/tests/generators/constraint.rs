//! Constraints: clauses and their parts.

use chrono::{Datelike, NaiveDate};
use kron_core::constraint::ClausePart;
use kron_core::{Clause, Constraints};
use proptest::collection::vec;
use proptest::prelude::*;

use super::spelling::{Pick, digits, quote, spell_value};

/// Ranges of values; a range whose end is below its start wraps.
pub type Ranges<T> = Vec<(T, T)>;

#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    Hours(Ranges<u8>),
    /// 0 to 6.
    Dow(Ranges<u8>),
    Dom(Ranges<u8>),
    Months(Ranges<u8>),
    /// Minutes of the day.
    Between(Ranges<u16>),
    Date(NaiveDate),
    Dates(NaiveDate, NaiveDate),
}

/// Parts of different kinds, all of which must match.
#[derive(Clone, Debug, PartialEq)]
pub struct ClauseModel(pub Vec<Part>);

fn ranges<T: Copy + Ord + std::fmt::Debug + 'static>(
    value: impl Strategy<Value = T> + Clone,
    wraps: bool,
) -> impl Strategy<Value = Ranges<T>> {
    let pair = (value.clone(), value).prop_map(move |(a, b)| if wraps || a <= b { (a, b) } else { (b, a) });
    vec(pair, 1..4)
}

fn date() -> impl Strategy<Value = NaiveDate> {
    // Mostly days that periods can meet, and the ends of what can be written.
    prop_oneof![6 => 0..47_482i32, 1 => -719_528..2_932_897i32]
        .prop_map(|day| NaiveDate::from_ymd_opt(1970, 1, 1).unwrap() + chrono::Duration::days(i64::from(day)))
}

fn dates() -> impl Strategy<Value = Part> {
    (date(), 0..400i64).prop_map(|(first, days)| {
        let last = first.checked_add_signed(chrono::Duration::days(days)).filter(|last| last.year() <= 9999);
        Part::Dates(first, last.unwrap_or(first))
    })
}

/// Clauses with all parts: a new one does not compile here until it has a model.
pub fn clause() -> impl Strategy<Value = ClauseModel> {
    let parts = ClausePart::ALL.iter().filter_map(|part| {
        let (weight, part) = match part {
            ClausePart::Hours => (0.4, ranges(0..24u8, true).prop_map(Part::Hours).boxed()),
            ClausePart::DayOfWeek => (0.3, ranges(0..7u8, true).prop_map(Part::Dow).boxed()),
            ClausePart::DayOfMonth => (0.2, ranges(1..32u8, false).prop_map(Part::Dom).boxed()),
            ClausePart::Months => (0.2, ranges(1..13u8, true).prop_map(Part::Months).boxed()),
            ClausePart::Between => (0.4, ranges(0..1440u16, true).prop_map(Part::Between).boxed()),
            ClausePart::Date => (0.05, date().prop_map(Part::Date).boxed()),
            ClausePart::Dates => (0.1, dates().boxed()),
            // A text alone does not say its dates; `calendars.rs` compares it with `dates`.
            ClausePart::Calendar => return None,
        };
        Some(proptest::option::weighted(weight, part))
    });
    (parts.collect::<Vec<_>>(), ranges(0..24u8, true)).prop_map(|(parts, hours)| {
        let parts: Vec<Part> = parts.into_iter().flatten().collect();
        ClauseModel(if parts.is_empty() { vec![Part::Hours(hours)] } else { parts })
    })
}

fn spell_ranges<T: Copy + PartialEq>(
    ranges: &Ranges<T>,
    pick: &mut Pick,
    value: impl Fn(T, &mut Pick) -> String,
) -> String {
    let mut words: Vec<String> = ranges
        .iter()
        .map(|(a, b)| {
            let low = value(*a, pick);
            match (a == b, pick.coin()) {
                (true, true) => low,
                // The same word twice: Sunday to Sunday written `0-7` would be the whole week.
                (true, false) => format!("{low}-{low}"),
                (false, _) => format!("{low}-{}", value(*b, pick)),
            }
        })
        .collect();
    pick.shuffle(&mut words);
    words.join(",")
}

impl Part {
    pub fn name(&self) -> &'static str {
        match self {
            Part::Hours(_) => "hours",
            Part::Dow(_) => "dow",
            Part::Dom(_) => "dom",
            Part::Months(_) => "months",
            Part::Between(_) => "between",
            Part::Date(_) => "date",
            Part::Dates(..) => "dates",
        }
    }

    /// Any spelling of its value.
    pub fn spell(&self, pick: &mut Pick) -> String {
        match self {
            Part::Hours(ranges) => spell_ranges(ranges, pick, digits),
            Part::Dow(ranges) => spell_ranges(ranges, pick, |value, pick| match value {
                0 if pick.below(4) == 0 => "7".to_string(),
                value => spell_value(4, value, true, pick),
            }),
            Part::Dom(ranges) => spell_ranges(ranges, pick, digits),
            Part::Months(ranges) => {
                spell_ranges(ranges, pick, |value, pick| spell_value(3, value, true, pick))
            }
            Part::Between(ranges) => {
                let time = |minute: u16| format!("{:02}:{:02}", minute / 60, minute % 60);
                let mut words: Vec<String> =
                    ranges.iter().map(|(a, b)| format!("{}-{}", time(*a), time(*b))).collect();
                pick.shuffle(&mut words);
                words.join(",")
            }
            Part::Date(date) => date.format("%Y-%m-%d").to_string(),
            Part::Dates(first, last) => format!("{}..{}", first.format("%Y-%m-%d"), last.format("%Y-%m-%d")),
        }
    }
}

impl ClauseModel {
    pub fn build(&self) -> Clause {
        let mut pick = Pick::new(1);
        let builder = self
            .0
            .iter()
            .fold(Clause::builder(), |builder, part| builder.part(part.name(), &part.spell(&mut pick)));
        builder.build().unwrap_or_else(|error| panic!("{self:?}: {error}"))
    }

    /// Any spelling, its parts in any order, joined by `glue`.
    pub fn spell(&self, glue: &str, pick: &mut Pick) -> String {
        let mut parts: Vec<String> = self
            .0
            .iter()
            .map(|part| {
                let value = part.spell(pick);
                let value = if pick.below(4) == 0 { quote(&value, pick) } else { value };
                format!("{}={value}", part.name())
            })
            .collect();
        pick.shuffle(&mut parts);
        parts.join(glue)
    }
}

pub fn constraints(only: &[ClauseModel], avoid: &[ClauseModel]) -> Constraints {
    let build = |clauses: &[ClauseModel]| clauses.iter().map(ClauseModel::build).collect();
    Constraints::from_clauses(build(only), build(avoid)).unwrap()
}
