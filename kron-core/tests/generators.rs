//! Strategies for everything that can be said about a job, as models: plain values that know how to spell themselves in
//! many ways, and which the oracles read without Kron's parsers.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Mutex;

use chrono::{Datelike, NaiveDate};
use kron_core::{
    Algorithm, Clause, ClausePart, Concurrency, Constraints, Cron, Direction, Distribution, DistributionName,
    Duration, JobSpec, Mu, Policy, Seed, SeedStrategy, TzDatabase, Window, WindowMode, Zone,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::Union;
use proptest::test_runner::{Config, RngAlgorithm, RngSeed};

use crate::oracle;

/// First and last second in which nominal times may lie.
pub const FIRST: i64 = 0;
pub const LAST: i64 = 4_102_444_799;
pub const DAY: i64 = 86_400;

/// Every run draws the same cases, leaves no files, and shrinks a bounded time.
pub fn config(cases: u32) -> Config {
    Config {
        cases,
        failure_persistence: None,
        rng_algorithm: RngAlgorithm::ChaCha,
        rng_seed: RngSeed::Fixed(0x6b72_6f6e),
        max_shrink_iters: 2_000,
        max_global_rejects: 100_000,
        ..Config::default()
    }
}

/// A small generator for the choices that need no shrinking: spellings.
pub struct Pick(u64);

impl Pick {
    pub fn new(seed: u64) -> Pick {
        Pick(seed)
    }

    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.word() % end as u64) as usize
    }

    pub fn coin(&mut self) -> bool {
        self.below(2) == 0
    }

    pub fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    pub fn shuffle<T>(&mut self, all: &mut [T]) {
        for i in (1..all.len()).rev() {
            all.swap(i, self.below(i + 1));
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------- cron

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

/// Blanks and tabs, at least so many.
fn blanks(pick: &mut Pick, least: usize) -> String {
    let more = if pick.below(3) == 0 { pick.below(3) } else { 0 };
    (0..least + more).map(|_| if pick.below(4) == 0 { '\t' } else { ' ' }).collect()
}

fn any_case(word: &str, pick: &mut Pick) -> String {
    word.chars().map(|c| if pick.coin() { c.to_ascii_lowercase() } else { c }).collect()
}

fn digits(value: impl std::fmt::Display, pick: &mut Pick) -> String {
    format!("{}{value}", "0".repeat(if pick.below(4) == 0 { pick.below(3) } else { 0 }))
}

/// A value of a field in digits or as a name; `as_is` keeps Sunday's two numbers apart.
fn spell_value(index: usize, value: u8, as_is: bool, pick: &mut Pick) -> String {
    let (min, _, names) = FIELDS[index];
    let value = if index == 4 && !as_is && value.is_multiple_of(7) { *pick.of(&[0, 7]) } else { value };
    let name = if index == 4 && !as_is {
        names.get(usize::from(value % 7))
    } else {
        value.checked_sub(min).and_then(|i| names.get(usize::from(i)))
    };
    match name {
        Some(name) if pick.coin() => any_case(name, pick),
        _ => digits(value, pick),
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

// --------------------------------------------------------------------------------------------------- zones and instants

/// Zones with every kind of trouble.
pub static ZONES: [&str; 24] = [
    "UTC",
    "Europe/Paris",
    "Europe/London",       // stayed on summer time from 1968 to 1971
    "Europe/Dublin",       // winter time is the exception
    "America/New_York",    // rules changed in 1974, 1987, 2007
    "America/St_Johns",    // -3:30; changes at 00:01; two hours in 1988
    "America/Sao_Paulo",   // changes at midnight
    "America/Havana",      // changes at midnight
    "America/Caracas",     // -4:30 for some years
    "Asia/Kolkata",        // +5:30
    "Asia/Kathmandu",      // +5:30, then +5:45
    "Asia/Tehran",         // +3:30, changes at midnight
    "Asia/Pyongyang",      // half an hour off for three years
    "Asia/Gaza",           // Ramadan rules
    "Africa/Casablanca",   // falls back for Ramadan
    "Africa/Monrovia",     // -0:44:30 until 1972
    "Africa/Cairo",        // changes at midnight
    "Antarctica/Troll",    // two hours
    "Australia/Lord_Howe", // half an hour
    "Australia/Eucla",     // +8:45
    "Pacific/Chatham",     // +12:45
    "Pacific/Apia",        // skipped 2011-12-30
    "Pacific/Kwajalein",   // skipped 1993-08-21
    "Pacific/Kiritimati",  // skipped 1994-12-31; +14:00
];

pub fn zone() -> impl Strategy<Value = Zone> {
    let all: Vec<Zone> = TzDatabase::COMPILED_IN.zones().collect();
    let notable: Vec<Zone> = ZONES.iter().map(|name| Zone::parse(name).unwrap()).collect();
    prop_oneof![3 => proptest::sample::select(notable), 1 => proptest::sample::select(all)]
}

/// The instants at which a zone changes its offset, from 1970 to 2100.
pub fn transitions(zone: &Zone) -> Vec<i64> {
    static KNOWN: Mutex<BTreeMap<String, Vec<i64>>> = Mutex::new(BTreeMap::new());
    if let Some(known) = KNOWN.lock().unwrap().get(zone.name()) {
        return known.clone();
    }
    let found = oracle::transitions(&oracle::tz(zone), FIRST, LAST);
    KNOWN.lock().unwrap().insert(zone.name().to_string(), found.clone());
    found
}

/// A zone and an instant in it: often near a change of offset, sometimes near the ends of time.
pub fn place() -> impl Strategy<Value = (Zone, i64)> {
    (zone(), 0..10u8, any::<prop::sample::Index>(), -2 * DAY..2 * DAY, FIRST..LAST).prop_map(
        |(zone, kind, index, near, anywhere)| {
            let changes = if kind < 6 { transitions(&zone) } else { Vec::new() };
            let at = match kind {
                0..6 if !changes.is_empty() => *index.get(&changes) + near,
                6 => FIRST + near.abs(),
                7 => LAST - near.abs(),
                _ => anywhere,
            };
            (zone, at.clamp(FIRST, LAST))
        },
    )
}

// -------------------------------------------------------------------------------------------------------------- windows

pub fn mode() -> impl Strategy<Value = WindowMode> {
    proptest::sample::select(WindowMode::ALL)
}

/// Windows up to so many seconds, in nanoseconds: none, a fraction of a second, odd ones, whole hours.
pub fn window_nanos(seconds: i64) -> impl Strategy<Value = i64> {
    let most = seconds * 1_000_000_000;
    prop_oneof![
        1 => Just(0),
        1 => 0..4_000_000_000i64,
        3 => 0..=most,
        4 => (0..=seconds).prop_map(|seconds| seconds * 1_000_000_000),
        3 => (0..=seconds / 900).prop_map(|quarters| quarters * 900_000_000_000),
    ]
}

pub fn duration(nanos: i64) -> Duration {
    Duration::from_nanos(nanos).unwrap()
}

/// Any spelling of a duration.
pub fn spell_duration(nanos: i64, pick: &mut Pick) -> String {
    static UNITS: [(&str, i64); 8] = [
        ("h", 3_600_000_000_000),
        ("m", 60_000_000_000),
        ("s", 1_000_000_000),
        ("ms", 1_000_000),
        ("us", 1_000),
        ("\u{b5}s", 1_000),
        ("\u{3bc}s", 1_000),
        ("ns", 1),
    ];
    if nanos == 0 {
        return (*pick.of(&["0", "0s", "0h0ns", "00m", ".0s", "0.h"])).to_string();
    }
    let mut parts = Vec::new();
    let mut rest = nanos;
    while rest > 0 {
        let (name, unit) = pick.of(&UNITS);
        if rest < *unit && *unit > 1 {
            continue;
        }
        // Decimals are exact where the unit is a power of ten.
        if *name == "s" && pick.coin() {
            parts.push(format!("{}.{:09}s", rest / unit, rest % unit));
            rest = 0;
            continue;
        }
        parts.push(format!("{}{name}", digits(rest / unit, pick)));
        rest %= unit;
    }
    pick.shuffle(&mut parts);
    parts.concat()
}

// -------------------------------------------------------------------------------------------------------- distributions

#[derive(Clone, Debug, PartialEq)]
pub enum DistModel {
    Uniform,
    SkewEarly(f64),
    SkewLate(f64),
    /// Sigma in nanoseconds.
    Normal(Option<Mu>, Option<i64>),
    Exponential(f64, Direction),
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => proptest::sample::select(vec![1.0, 2.0, 0.5, 2.5, 1e-9, 0.1, 8.0, 1e-300, 1e300, 1e15, 1e16, 1e-5, 9e-6]),
        3 => 0.05..20.0f64,
        1 => proptest::num::f64::POSITIVE | proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL,
    ]
    .prop_map(f64::abs)
}

fn mu() -> impl Strategy<Value = Mu> {
    proptest::sample::select(Mu::ALL)
}

/// Distributions of all names: a new one does not compile here until it has a model.
pub fn distribution() -> impl Strategy<Value = DistModel> {
    let sigma = || prop_oneof![1..10_000_000_000i64, 1..30_000i64, 1..=i64::MAX];
    Union::new(DistributionName::ALL.iter().map(|name| {
        match name {
            DistributionName::Uniform => Just(DistModel::Uniform).boxed(),
            DistributionName::SkewEarly => number().prop_map(DistModel::SkewEarly).boxed(),
            DistributionName::SkewLate => number().prop_map(DistModel::SkewLate).boxed(),
            DistributionName::Normal => (proptest::option::of(mu()), proptest::option::of(sigma()))
                .prop_map(|(mu, sigma)| DistModel::Normal(mu, sigma))
                .boxed(),
            DistributionName::Exponential => (number(), proptest::sample::select(Direction::ALL))
                .prop_map(|(lambda, dir)| DistModel::Exponential(lambda, dir))
                .boxed(),
        }
    }))
}

/// Any spelling of a number that reads back the same.
fn spell_number(number: f64, pick: &mut Pick) -> String {
    let plain = format!("{number}");
    match pick.below(4) {
        0 => format!("{number:e}"),
        1 => format!("{number:E}"),
        _ if plain.len() > 40 => format!("{number:e}"),
        2 if plain.contains('.') => plain + "00",
        2 => plain + ".",
        3 if plain.starts_with("0.") => plain[1..].to_string(),
        _ => "0".to_string() + &plain,
    }
}

impl DistModel {
    pub fn build(&self) -> Distribution {
        match self {
            DistModel::Uniform => Ok(Distribution::uniform()),
            DistModel::SkewEarly(shape) => Distribution::skew_early(*shape),
            DistModel::SkewLate(shape) => Distribution::skew_late(*shape),
            DistModel::Normal(mu, sigma) => Distribution::normal(*mu, sigma.map(duration)),
            DistModel::Exponential(lambda, dir) => Distribution::exponential(*lambda, *dir),
        }
        .unwrap()
    }

    pub fn of_first_algorithm(&self) -> bool {
        !matches!(self, DistModel::Normal(..) | DistModel::Exponential(..))
    }

    /// Name and parameters; defaults may be left out.
    fn spell(&self, window: (WindowMode, i64), pick: &mut Pick) -> Vec<(String, String)> {
        let mut params = Vec::new();
        let mut param = |key: &str, value: String, default: bool, pick: &mut Pick| {
            if !default || pick.coin() {
                params.push((key.to_string(), value));
            }
        };
        match self {
            DistModel::Uniform => {}
            DistModel::SkewEarly(shape) | DistModel::SkewLate(shape) => {
                param("shape", spell_number(*shape, pick), *shape == 2.0, pick);
            }
            DistModel::Normal(mu, sigma) => {
                let implied = if window.0 == WindowMode::Around { Mu::Nominal } else { Mu::Mid };
                let mu = mu.unwrap_or(implied);
                param("mu", mu.to_string(), mu == implied, pick);
                match sigma {
                    Some(sigma) => param("sigma", spell_duration(*sigma, pick), false, pick),
                    None if window.1 > 0 && window.1 % 6 == 0 => {
                        param("sigma", spell_duration(window.1 / 6, pick), true, pick);
                    }
                    None => {}
                }
            }
            DistModel::Exponential(lambda, dir) => {
                param("lambda", spell_number(*lambda, pick), *lambda == 1.0, pick);
                param("dir", dir.to_string(), *dir == Direction::Early, pick);
            }
        }
        pick.shuffle(&mut params);
        params.insert(0, (self.build().name().to_string(), String::new()));
        params
    }
}

// ---------------------------------------------------------------------------------------------------------- constraints

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
    let parts = ClausePart::ALL.iter().map(|part| {
        let (weight, part) = match part {
            ClausePart::Hours => (0.4, ranges(0..24u8, true).prop_map(Part::Hours).boxed()),
            ClausePart::DayOfWeek => (0.3, ranges(0..7u8, true).prop_map(Part::Dow).boxed()),
            ClausePart::DayOfMonth => (0.2, ranges(1..32u8, false).prop_map(Part::Dom).boxed()),
            ClausePart::Months => (0.2, ranges(1..13u8, true).prop_map(Part::Months).boxed()),
            ClausePart::Between => (0.4, ranges(0..1440u16, true).prop_map(Part::Between).boxed()),
            ClausePart::Date => (0.05, date().prop_map(Part::Date).boxed()),
            ClausePart::Dates => (0.1, dates().boxed()),
        };
        proptest::option::weighted(weight, part)
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
    Constraints::new(build(only), build(avoid)).unwrap()
}

// ----------------------------------------------------------------------------------------------------------------- jobs

/// Any name: no control characters, some with characters of several bytes.
pub fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,8}/[a-z-]{1,12}",
        vec(any::<char>().prop_filter("control", |c| !c.is_control()), 1..40).prop_map(String::from_iter),
    ]
}

/// Any text.
pub fn salt() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => Just(String::new()),
        3 => "[a-z0-9.-]{1,12}",
        2 => vec(proptest::sample::select(" ,;&=()[]{}\"\\\n\t\0\u{7f}\u{85}\u{a0}\u{e9}a@#".chars().collect::<Vec<_>>()), 1..12)
            .prop_map(String::from_iter),
        2 => vec(any::<char>(), 0..40).prop_map(String::from_iter),
    ]
}

pub fn policy() -> impl Strategy<Value = Policy> {
    let concurrency = proptest::sample::select(Concurrency::ALL);
    let deadline = prop_oneof![Just(0), 0..5_000_000_000_000i64, 0..=i64::MAX];
    (concurrency, deadline, proptest::bool::weighted(0.2)).prop_map(|(concurrency, deadline, suspend)| {
        Policy::default()
            .with_concurrency(concurrency)
            .with_deadline(duration(deadline))
            .with_suspend(suspend)
    })
}

pub fn strategy() -> impl Strategy<Value = SeedStrategy> {
    proptest::sample::select(SeedStrategy::ALL)
}

/// All of a job but its name.
#[derive(Clone, Debug)]
pub struct JobModel {
    pub cron: CronModel,
    pub zone: Zone,
    pub mode: WindowMode,
    pub nanos: i64,
    pub distribution: DistModel,
    pub strategy: SeedStrategy,
    pub salt: String,
    pub policy: Policy,
    pub algorithm: Algorithm,
    pub only: Vec<ClauseModel>,
    pub avoid: Vec<ClauseModel>,
}

/// Jobs with those schedules, windows of at most so many seconds and that many clauses of each kind.
pub fn job_with(
    cron: impl Strategy<Value = CronModel>,
    seconds: i64,
    clauses: std::ops::Range<usize>,
) -> impl Strategy<Value = JobModel> {
    let seed = (strategy(), salt());
    let rules = (vec(clause(), clauses.clone()), vec(clause(), clauses));
    let window = (mode(), window_nanos(seconds));
    (cron, zone(), window, distribution(), seed, policy(), proptest::bool::weighted(0.25), rules).prop_map(
        |(cron, zone, (mode, nanos), distribution, (strategy, salt), policy, old, (only, avoid))| {
            let fits = distribution.of_first_algorithm() && strategy != SeedStrategy::Fixed;
            let algorithm = if old && fits { Algorithm::Sha256SplitMix64 } else { Algorithm::SipHashChaCha8 };
            let nanos = if old && fits { nanos / 1_000_000_000 * 1_000_000_000 } else { nanos };
            JobModel { cron, zone, mode, nanos, distribution, strategy, salt, policy, algorithm, only, avoid }
        },
    )
}

/// Jobs of all kinds.
pub fn job() -> impl Strategy<Value = JobModel> {
    job_with(cron(), 366 * DAY, 0..4)
}

impl JobModel {
    /// The spec by the builder, without the text form.
    pub fn build(&self) -> JobSpec {
        JobSpec::builder(self.cron.cron())
            .timezone(self.zone.clone())
            .window(Window::new(self.mode, duration(self.nanos)).unwrap())
            .distribution(self.distribution.build())
            .seed(Seed::new(self.strategy, &self.salt).unwrap())
            .policy(self.policy)
            .algorithm(self.algorithm)
            .constraints(constraints(&self.only, &self.avoid))
            .build()
            .unwrap()
    }

    /// Any text form: modifiers and keys in any order, defaults written or left out, values in quotes or bare.
    pub fn spell(&self, pick: &mut Pick) -> String {
        let mut single: Vec<String> = Vec::new();
        let mut modifier = |name: &str, value: String, default: bool, pick: &mut Pick| {
            if !default || pick.coin() {
                single.push(format!("@{name}({value})"));
            }
        };
        modifier("tz", maybe_quote(self.zone.name(), pick), self.zone == Zone::UTC, pick);
        let nanos = spell_duration(self.nanos, pick);
        let window = format!("{},{}", maybe_quote(self.mode.as_str(), pick), maybe_quote(&nanos, pick));
        modifier("win", window, self.mode == WindowMode::After && self.nanos == 0, pick);

        let mut distribution = String::new();
        for (i, (key, value)) in self.distribution.spell((self.mode, self.nanos), pick).iter().enumerate() {
            let _ = match i {
                0 => write!(distribution, "{}", maybe_quote(key, pick)),
                _ => write!(distribution, ",{key}={}", maybe_quote(value, pick)),
            };
        }
        modifier("dist", distribution, self.distribution == DistModel::Uniform, pick);

        let mut seed = maybe_quote(self.strategy.as_str(), pick);
        if !self.salt.is_empty() || pick.below(4) == 0 {
            let simple = !self.salt.is_empty()
                && self.salt.chars().all(|c| c.is_ascii_alphanumeric() || "-./:".contains(c));
            seed += ",salt=";
            seed += &if simple && pick.coin() { self.salt.clone() } else { quote(&self.salt, pick) };
        }
        modifier("seed", seed, self.strategy == SeedStrategy::Stable && self.salt.is_empty(), pick);

        let mut keys = Vec::new();
        let mut key = |name: &str, value: String, default: bool, pick: &mut Pick| {
            if !default || pick.coin() {
                keys.push(format!("{name}={}", maybe_quote(&value, pick)));
            }
        };
        let concurrency = self.policy.concurrency();
        key("concurrency", concurrency.to_string(), concurrency == Concurrency::Forbid, pick);
        let deadline = self.policy.deadline().as_nanos();
        key("deadline", spell_duration(deadline, pick), deadline == 0, pick);
        key("suspend", self.policy.suspend().to_string(), !self.policy.suspend(), pick);
        pick.shuffle(&mut keys);
        if !keys.is_empty() {
            modifier("policy", keys.join(","), false, pick);
        }
        let algorithm = maybe_quote(self.algorithm.as_str(), pick);
        modifier("alg", algorithm, self.algorithm == Algorithm::SipHashChaCha8, pick);

        // Clauses keep their order among themselves, and lie anywhere between the others.
        let only: Vec<String> =
            self.only.iter().map(|clause| format!("@only({})", clause.spell(";", pick))).collect();
        let mut avoid: Vec<String> = Vec::new();
        for clause in &self.avoid {
            let clause = clause.spell("&", pick);
            match avoid.last_mut() {
                Some(last) if pick.coin() => *last = format!("{};{clause})", &last[..last.len() - 1]),
                _ => avoid.push(format!("@avoid({clause})")),
            }
        }
        pick.shuffle(&mut single);
        let mut queues = [single, only, avoid].map(std::collections::VecDeque::from);
        let mut text = self.cron.spell(pick);
        while queues.iter().any(|queue| !queue.is_empty()) {
            if let Some(word) = queues[pick.below(3)].pop_front() {
                text += &blanks(pick, 1);
                text += &word;
            }
        }
        text + &blanks(pick, 0)
    }
}

/// A value in quotes, some of its characters as escapes.
pub fn quote(value: &str, pick: &mut Pick) -> String {
    let mut out = String::from("\"");
    for c in value.chars() {
        match c {
            '"' => out += "\\\"",
            '\\' => out += "\\\\",
            '\n' if pick.coin() => out += "\\n",
            '\t' if pick.coin() => out += "\\t",
            c if c.is_control() || pick.below(20) == 0 => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out + "\""
}

fn maybe_quote(value: &str, pick: &mut Pick) -> String {
    if pick.below(8) == 0 { quote(value, pick) } else { value.to_string() }
}
