//! Tables that the decisions of one search share, so that each decision costs little.
//!
//! Two tables answer most questions of a choice: which seconds near the window are allowed, and where in a window a
//! draw falls. Each is made only after as many forbidden draws as it costs, so a search takes at most about twice as
//! long as without tables. The result is the same as with draws that are checked one by one.

use alloc::{boxed::Box, vec::Vec};

use super::choice::{Candidates, Choice, choose, choose_undrawn, nothing_allowed, pick};
use super::rules::Rules;
use super::{Decision, Unschedulable};
use crate::constraint::{Allowed, AllowedTable};
use crate::draw::algorithm::Algorithm;
use crate::draw::distribution::{Distribution, Quantile, Sampler};
use crate::draw::seed::{PeriodKey, SeedStrategy};
use crate::draw::stream::Stream;
use crate::limits::DRAWS;
use crate::time::civil::DAY;
use crate::time::search_direction::SearchDirection;

/// A table is made after this number of forbidden draws, plus one for each day of the table.
const ENOUGH: i64 = 256;

/// What the decisions of one search share.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shared {
    /// Forbidden draws since the table of allowed seconds was made.
    forbidden: u32,
    tables: Option<Box<Tables>>,
    /// Steps of work, for tests that bound it.
    #[cfg(test)]
    pub(crate) work: Work,
}

/// Steps of work.
#[cfg(test)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Work {
    /// Periods decided without a table.
    pub(crate) alone: u64,
    /// Periods decided with one.
    pub(crate) by_table: u64,
    /// Days of all tables made.
    pub(crate) days: u64,
    /// Their forbidden draws whose quantile was computed.
    pub(crate) forbidden: u64,
}

#[derive(Clone, Debug)]
struct Tables {
    allowed: AllowedTable,
    /// None is made for a custom distribution.
    positions: Option<Positions>,
    /// Forbidden draws whose position was computed.
    computed: u32,
}

impl Shared {
    /// The tables for a window, if they have it, or if enough draws were forbidden to make them.
    #[inline]
    fn tables<D: Sampler>(&mut self, rules: &Rules<'_, D>, first: i64, last: i64) -> Option<&mut Tables> {
        let covered = self.tables.as_ref().is_some_and(|tables| tables.allowed.covers(first, last));
        if !covered {
            // Windows of starts that are pending lie one length back, those still to come one length ahead.
            let margin = (last - first).max(7 * DAY);
            let stretch = rules.allowed(first - margin, last + margin);
            let days = (stretch.last - stretch.first) / DAY;
            if i64::from(self.forbidden) < ENOUGH + days {
                return None;
            }
            self.make(&stretch);
        }
        self.tables.as_deref_mut()
    }

    #[inline(never)]
    fn make(&mut self, stretch: &Allowed<'_>) {
        self.forbidden = 0;
        #[cfg(test)]
        {
            self.work.days += ((stretch.last - stretch.first) / DAY) as u64;
        }
        match &mut self.tables {
            Some(tables) => tables.allowed.fill(stretch),
            None => {
                let allowed = AllowedTable::new(stretch);
                self.tables = Some(Box::new(Tables { allowed, positions: None, computed: 0 }));
            }
        }
    }

    /// Counts the forbidden draws of a choice.
    #[inline]
    fn note(&mut self, (draws, choice): &Choice) {
        // An unschedulable period also leads to a search for the next allowed second.
        let forbidden = if choice.is_ok() { draws.saturating_sub(1) } else { DRAWS };
        self.forbidden = self.forbidden.saturating_add(forbidden.into());
    }

    /// The first allowed second from `from` up to `until`, in the direction of a search.
    pub(crate) fn nearest_allowed<D: Sampler>(
        &self,
        rules: &Rules<'_, D>,
        direction: SearchDirection,
        mut from: i64,
        until: i64,
    ) -> Option<i64> {
        if let Some(tables) = self.tables.as_ref().filter(|tables| tables.allowed.covers(from, from)) {
            if let Some(found) = tables.allowed.nearest(from, direction) {
                return (!direction.is_beyond(found, until)).then_some(found);
            }
            from = direction.advance(tables.allowed.end(direction), 1);
        }
        let (first, last) = direction.ends(from, until);
        rules.allowed(first, last).nearest(direction)
    }
}

impl<'a, D: Sampler> Rules<'a, D> {
    /// The decision of one of many periods that share tables.
    #[inline(always)]
    pub(crate) fn decide_next(&self, nominal: i64, shared: &mut Shared) -> Decision<'a> {
        if self.constraints.is_empty() {
            return self.decide(nominal, &mut ());
        }
        self.decide_sharing(nominal, shared)
    }

    #[inline(never)]
    fn decide_sharing(&self, nominal: i64, shared: &mut Shared) -> Decision<'a> {
        let key = self.key(nominal);
        let seed_hash = self.seed_hash(key);
        let drawn = self.choose_sharing(nominal, &mut Stream::new(self.algorithm, &seed_hash), shared);
        self.record(nominal, key, seed_hash, drawn)
    }

    /// The choice of a period, without the other fields of a decision. It computes no hash if the window has one second,
    /// if a table shows that nothing is allowed, or if the period shares its draw with the previous period, whose stream
    /// is `drawn`.
    #[inline]
    pub(crate) fn choice(
        &self,
        nominal: i64,
        shared: &mut Shared,
        drawn: &mut Option<(PeriodKey, Stream)>,
    ) -> Result<i64, Unschedulable> {
        let (first, last) = self.window(nominal);
        if first == last {
            return self.choose_undrawn(first).1;
        }
        if let Some(tables) = shared.tables.as_ref().filter(|tables| tables.allowed.covers(first, last))
            && tables.allowed.count(first, last) == 0
        {
            return nothing_allowed(self.algorithm).1;
        }
        let key = self.key(nominal);
        let mut stream = match drawn {
            Some((same, stream)) if *same == key => stream.clone(),
            _ => {
                let stream = Stream::new(self.algorithm, &self.seed_hash(key));
                if self.seed.strategy() != SeedStrategy::Stable {
                    *drawn = Some((key, stream.clone()));
                }
                stream
            }
        };
        self.choose_sharing(nominal, &mut stream, shared).1
    }

    /// Whether a period is unschedulable.
    pub(crate) fn is_unschedulable(&self, nominal: i64, shared: &mut Shared) -> bool {
        // Every period that is checked needs the whole of its window, so the table is made at once.
        shared.forbidden = u32::MAX;
        let (first, last) = self.window(nominal);
        if self.algorithm == Algorithm::Sha256SplitMix64 {
            return self.decide_next(nominal, shared).unschedulable().is_some();
        }
        shared.tables(self, first, last).is_some_and(|tables| tables.allowed.count(first, last) == 0)
    }

    #[inline]
    fn choose_sharing(&self, nominal: i64, stream: &mut Stream, shared: &mut Shared) -> Choice {
        let (first, last) = self.window(nominal);
        let drawn = match shared.tables(self, first, last) {
            Some(tables) => {
                #[cfg(test)]
                let computed = tables.computed;
                let drawn = self.choose_by_table(first, last, stream, tables);
                #[cfg(test)]
                {
                    shared.work.forbidden +=
                        shared.tables.as_ref().map_or(0, |tables| u64::from(tables.computed - computed));
                    shared.work.by_table += 1;
                }
                drawn
            }
            None => {
                #[cfg(test)]
                {
                    shared.work.alone += 1;
                }
                match first == last {
                    true => self.choose_undrawn(first),
                    false => self.choose(first, last, stream, &mut ()),
                }
            }
        };
        shared.note(&drawn);
        drawn
    }

    fn choose_by_table(&self, first: i64, last: i64, stream: &mut Stream, tables: &mut Tables) -> Choice {
        let Tables { allowed, positions, computed } = tables;
        if first == last {
            return choose_undrawn(first, allowed.allows(first));
        }
        let count = allowed.count(first, last);
        if count == 0 {
            return nothing_allowed(self.algorithm);
        }
        // OK because the window's last candidate is not before its first.
        let candidates = (last - first + 1) as u64;
        let quantile = self.spread.quantile();
        if positions.is_none() && *computed >= CELLS as u32 {
            *positions = quantile.map(|quantile| Positions::new(quantile, self.distribution, candidates));
        }
        let positions = quantile.zip(positions.as_ref());
        let mut by_table =
            ByTable { rules: self, first, last, candidates, count, stream, allowed, positions, computed };
        choose(self.algorithm, 0, &mut by_table)
    }
}

/// Candidates of a window whose allowed seconds a table has.
struct ByTable<'t, 'a, D> {
    rules: &'t Rules<'a, D>,
    first: i64,
    last: i64,
    candidates: u64,
    /// How many are allowed.
    count: u64,
    stream: &'t mut Stream,
    allowed: &'t AllowedTable,
    positions: Option<(&'t Quantile, &'t Positions)>,
    computed: &'t mut u32,
}

impl<D: Sampler> Candidates for ByTable<'_, '_, D> {
    #[inline(always)]
    fn draw(&mut self) -> Option<i64> {
        let position = match self.positions {
            Some((quantile, positions)) => {
                let u = self.stream.uniform();
                let (low, high) = positions.around(u);
                if !self.allowed.may_allow(self.first + low, self.last.min(self.first + high)) {
                    return None;
                }
                quantile.at(self.rules.distribution, u)
            }
            None => self.rules.spread.sample(self.rules.distribution, self.stream).position,
        };
        let candidate = self.first + pick(position, self.candidates);
        if self.allowed.allows(candidate) {
            return Some(candidate);
        }
        *self.computed = self.computed.saturating_add(1);
        None
    }

    fn allowed(&self) -> u64 {
        self.count
    }

    fn draw_allowed(&mut self, allowed: u64) -> i64 {
        let draw = self.rules.spread.sample(self.rules.distribution, self.stream);
        // OK because the index picked is below the count.
        self.allowed.nth(self.first, pick(draw.position, allowed) as u64).unwrap_or(self.first)
    }
}

/// Parts into which [`Positions`] divides [0, 1).
const CELLS: usize = 1 << 15;

/// The position in the window of a distribution's draws, for each of many equal parts of [0, 1).
///
/// Quantile functions are monotone, so a draw between two numbers lies between their seconds. Rounding can break this
/// in the last bits only, by far less than a second: one more second on either side is enough.
#[derive(Clone, Debug)]
struct Positions {
    /// The candidates of the bounds of all parts, from the first candidate of the window on.
    bounds: Vec<u32>,
}

impl Positions {
    #[inline(never)]
    fn new(quantile: &Quantile, distribution: &Distribution, candidates: u64) -> Positions {
        let bound = |cell: usize| {
            let position = quantile.at(distribution, cell as f64 / CELLS as f64);
            // OK because windows have fewer seconds.
            pick(position, candidates) as u32
        };
        Positions { bounds: (0..=CELLS).map(bound).collect() }
    }

    /// The first and the last second of a window, from its first one on, into which a uniform number can fall. The last one may
    /// lie a second behind the window.
    #[inline]
    fn around(&self, u: f64) -> (i64, i64) {
        // OK because uniform numbers are below 1.
        let cell = (u * CELLS as f64) as usize;
        (i64::from(self.bounds[cell].saturating_sub(1)), i64::from(self.bounds[cell + 1]) + 1)
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::{String, ToString};

    use super::*;
    use crate::constraint::Forbidden;
    use crate::decision::Observer;
    use crate::draw::distribution::Draw;
    use crate::job::Job;

    /// An observer of all draws, so that every draw is made and checked one by one.
    struct Plain;

    impl Observer for Plain {
        const LOOKS_ON: bool = true;

        fn draw(&mut self, _: Draw, _: i64, _: Option<Forbidden>) {}
        fn closed_up(&mut self, _: Draw, _: u64, _: i64) {}
    }

    /// Numbers that look random.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, end: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % end
        }

        fn of<'t>(&mut self, texts: &[&'t str]) -> &'t str {
            texts[self.below(texts.len() as u64) as usize]
        }

        fn clock(&mut self) -> String {
            format!("{:02}:{:02}", self.below(24), self.below(60))
        }

        fn clause(&mut self) -> String {
            let (from, until) = (self.clock(), self.clock());
            let parts = [
                format!("between={from}-{from}"),
                format!("between={from}-{until}"),
                format!("hours={}", self.below(24)),
                format!("dow={}", self.below(7)),
                format!("dom={}", 1 + self.below(31)),
                format!("months={}", 1 + self.below(12)),
                "dates=2026-02-01..2026-11-30".to_string(),
            ];
            let mut chosen: alloc::vec::Vec<&str> = alloc::vec::Vec::new();
            for part in &parts[self.below(2) as usize..] {
                let name = part.split('=').next().unwrap_or_default();
                if self.below(3) == 0 && chosen.iter().all(|other| !other.starts_with(name)) {
                    chosen.push(part);
                }
            }
            if chosen.is_empty() { parts[0].clone() } else { chosen.join(";") }
        }

        fn job(&mut self) -> Job {
            let algorithm = self.below(5);
            let distributions =
                ["uniform", "skewEarly,shape=3.7", "skewLate,shape=0.2", "skewEarly,shape=1e300"];
            let further = [
                "normal",
                "normal,mu=start,sigma=1ns",
                "normal,mu=end,sigma=2000h",
                "exponential,lambda=1e300",
                "exponential,lambda=9,dir=late",
            ];
            let distribution = if algorithm == 0 || self.below(3) == 0 {
                self.of(&distributions)
            } else {
                self.of(&further)
            };
            let mut text = format!(
                "* * * * * @tz({}) @win({},{}) @dist({distribution}) @seed({})",
                self.of(&[
                    "UTC",
                    "Europe/Paris",
                    "Australia/Lord_Howe",
                    "Africa/Casablanca",
                    "Africa/Monrovia"
                ]),
                self.of(&["after", "around", "before"]),
                self.of(&["0s", "1s", "59s", "10m", "3h", "26h", "300h", "8784h"]),
                self.of(&["stable", "daily", "weekly"]),
            );
            if algorithm == 0 {
                text += " @alg(sha256-splitmix64/1)";
            }
            for _ in 0..=self.below(3) {
                text += &format!(" @only({})", self.clause());
            }
            for _ in 0..self.below(3) {
                text += &format!(" @avoid({})", self.clause());
            }
            Job::parse("shared/test", &text).unwrap_or_else(|error| panic!("{text}: {error}"))
        }
    }

    /// Shared tables change no decision: thousands of jobs, each with periods decided draw by draw, alone, and with
    /// tables.
    #[test]
    fn sharing_changes_no_decision() {
        let mut numbers = Numbers(2026);
        let (mut scheduled, mut unscheduled, mut closed_up) = (0, 0, 0);
        for round in 0..2500 {
            let job = numbers.job();
            let (rules, text) = (job.rules(), job.spec().to_string());
            // Around a change of offset by half a minute, and around two usual ones.
            let from = [63_593_070, 1_774_742_400, 1_792_886_400][numbers.below(3) as usize];
            let (mut shared, mut searched, mut drawn) = (Shared::default(), Shared::default(), None);
            for period in 0..12 {
                shared.forbidden = u32::MAX;
                if let Some(tables) = &mut shared.tables {
                    // Some jobs with their positions, and some without.
                    tables.computed = if round % 3 == 0 { u32::MAX } else { 0 };
                }
                let nominal = from - 3 * DAY + numbers.below(6 * 1440) as i64 * 60 + period;
                let plain = rules.decide(nominal, &mut Plain);
                assert_eq!(rules.decide(nominal, &mut ()), plain, "{text} {nominal}");
                assert_eq!(rules.decide_next(nominal, &mut shared), plain, "{text} {nominal}");
                assert_eq!(rules.decide_next(nominal, &mut searched), plain, "{text} {nominal}");
                let choice = plain.chosen_timestamp();
                assert_eq!(rules.choice(nominal, &mut shared, &mut drawn).ok(), choice, "{text} {nominal}");
                let is_unschedulable = rules.is_unschedulable(nominal, &mut shared);
                assert_eq!(is_unschedulable, choice.is_none(), "{text} {nominal}");
                scheduled += u32::from(choice.is_some());
                unscheduled += u32::from(choice.is_none());
                closed_up += u32::from(plain.draws() > DRAWS);
            }
        }
        assert!(
            scheduled > 3000 && unscheduled > 2000 && closed_up > 300,
            "{scheduled} {unscheduled} {closed_up}"
        );
    }
}
