//! What the benches and the report have in common: the contenders, the cases, and the check that contenders agree.

pub mod agreement;
pub mod contender;
pub mod costly;
pub mod decision;
pub mod fleet;
pub mod primed;
pub mod table;
pub mod timing;

use std::fmt;

use kron_core::{Cron, Zone};

/// What is asked.
pub const EXPRESSIONS: [&str; 6] =
    ["* * * * *", "*/5 * * * *", "0 3 * * *", "15 9 * * MON-FRI", "0 0 29 2 *", "30 2 1,15 * 5"];

/// Where it is asked.
pub const ZONES: [&str; 4] = ["UTC", "America/New_York", "Europe/Paris", "Australia/Lord_Howe"];

/// The zones of tables with times. The others cost as much as the last one.
pub const TIMED_ZONES: [&str; 2] = ["UTC", "Europe/Paris"];

/// At most so many occurrences are iterated over. Fewer in tests: some rivals are slow.
pub const OCCURRENCES: usize = if cfg!(debug_assertions) { 200 } else { 10_000 };

/// 2020-01-01.
pub const FROM: i64 = 1_577_836_800;
/// 2036-01-01.
pub const TO: i64 = 2_082_758_400;
/// 2060-01-01, which no iteration passes: all libraries know the calendar up to here.
const ITERATED_TO: i64 = 2_840_140_800;

/// An expression in a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// As Kron writes it.
    pub expression: &'static str,
    /// IANA name.
    pub zone: &'static str,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.zone, self.expression)
    }
}

impl Case {
    /// Every expression in every zone.
    pub fn all() -> impl Iterator<Item = Case> {
        ZONES
            .into_iter()
            .flat_map(|zone| EXPRESSIONS.into_iter().map(move |expression| Case { expression, zone }))
    }

    /// Every expression in the zones of tables with times.
    pub fn timed() -> impl Iterator<Item = Case> {
        Case::all().filter(|case| TIMED_ZONES.contains(&case.zone))
    }

    /// Kron's schedule, which says what is right.
    pub fn schedule(self) -> kron_core::Schedule {
        let zone = Zone::parse(self.zone).expect("a zone of the list");
        Cron::parse(self.expression).expect("an expression of the list").in_zone(zone)
    }

    /// How many occurrences are iterated over: [`OCCURRENCES`], or as many as there are before 2060.
    pub fn occurrences(self) -> usize {
        let mut series = self.schedule().series(FROM);
        std::iter::from_fn(|| series.next_timestamp())
            .take_while(|at| *at < ITERATED_TO)
            .take(OCCURRENCES)
            .count()
    }
}

/// Random instants in 2020 to 2035, the same ones on every run.
pub fn instants(count: usize) -> Vec<i64> {
    let mut state = 20_200_101u64;
    let mut word = || {
        // SplitMix64.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = state;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ word >> 31
    };
    (0..count).map(|_| FROM + (word() % (TO - FROM) as u64) as i64).collect()
}
