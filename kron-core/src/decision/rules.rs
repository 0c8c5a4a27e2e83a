//! What determines a decision, and decisions made by it, one at a time.

use crate::constraint::{Allowed, Constraints, Forbidden};
use crate::decision::allowed_runs::{ByRuns, Runs};
use crate::decision::choice::{
    Candidates, Choice, choose, choose_among_first, choose_undrawn, nothing_allowed, pick,
};
use crate::decision::period::Period;
use crate::decision::{Decision, Proof, Unschedulable};
use crate::draw::algorithm::Algorithm;
use crate::draw::distribution::{Distribution, Draw, Sampler};
use crate::draw::seed::{PeriodKey, Seed, SeedHash, SeedInput, SeedStrategy, hashed};
use crate::draw::stream::Stream;
use crate::draw::window::Reach;
use crate::limits::DRAWS;
use crate::time::civil::DAY;
use crate::time::zone::Zone;

/// Observes the steps of a decision. The observer of the hot path does nothing and costs nothing.
pub(crate) trait Observer {
    /// Whether every draw must be shown, with the rule that forbids it.
    const LOOKS_ON: bool;

    fn draw(&mut self, draw: Draw, candidate: i64, forbidden: Option<Forbidden>);
    fn closed_up(&mut self, draw: Draw, allowed: u64, chosen: i64);
}

impl Observer for () {
    const LOOKS_ON: bool = false;

    #[inline]
    fn draw(&mut self, _: Draw, _: i64, _: Option<Forbidden>) {}
    #[inline]
    fn closed_up(&mut self, _: Draw, _: u64, _: i64) {}
}

/// Everything that determines a decision except the nominal time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules<'a, D> {
    pub(crate) name: &'a str,
    pub(crate) zone: &'a Zone,
    pub(crate) reach: Reach,
    pub(crate) distribution: &'a Distribution,
    pub(crate) spread: &'a D,
    pub(crate) seed: &'a Seed,
    pub(crate) constraints: &'a Constraints,
    pub(crate) algorithm: Algorithm,
}

impl<'a, D: Sampler> Rules<'a, D> {
    /// Decides the period of a nominal time. Always inline: searches copy the result as a whole, and a copy right after
    /// a call wrote its fields stalls the processor.
    #[inline(always)]
    pub(crate) fn decide(&self, nominal: i64, observer: &mut impl Observer) -> Decision<'a> {
        let key = self.key(nominal);
        let seed_hash = self.seed_hash(key);
        let (first, last) = self.window(nominal);
        let drawn = if first == last {
            self.choose_undrawn(first)
        } else {
            self.choose(first, last, &mut Stream::new(self.algorithm, &seed_hash), observer)
        };
        self.record(nominal, key, seed_hash, drawn)
    }

    /// The record of a period, given how many draws were made and what was chosen.
    #[inline(always)]
    pub(super) fn record(
        &self,
        nominal: i64,
        key: PeriodKey,
        seed_hash: SeedHash,
        (draws, choice): Choice,
    ) -> Decision<'a> {
        let (first, last) = self.window(nominal);
        Decision {
            name: self.name,
            seed: self.seed,
            period: Period::new(nominal, (first, last), choice.ok()),
            proof: Proof {
                seed_hash,
                local: key.local(),
                algorithm: (!D::CUSTOM).then_some(self.algorithm),
                draws,
                unschedulable: choice.err(),
            },
        }
    }

    /// The chosen times of periods without constraints, one by one: what [`decide`](Rules::decide) chooses, without the record
    /// of it. The name is hashed once.
    #[inline(always)]
    pub(crate) fn chosen_freely(&self) -> impl FnMut(i64) -> i64 {
        let hashed = hashed(self.name);
        let mut shared: Option<(PeriodKey, Stream)> = None;
        move |nominal| {
            let (first, last) = self.window(nominal);
            if first == last {
                return first;
            }
            let key = self.key(nominal);
            let seed = SeedInput { name: self.name, key, salt: self.seed.salt() };
            let stream = || {
                let seed = match self.algorithm {
                    Algorithm::SipHashChaCha8 => seed.hash_after(hashed.clone()),
                    Algorithm::Sha256SplitMix64 => seed.hash(self.algorithm),
                };
                Stream::new(self.algorithm, &seed)
            };
            let mut stream = match &shared {
                _ if self.seed.strategy() == SeedStrategy::Stable => stream(),
                Some((same, stream)) if *same == key => stream.clone(),
                _ => shared.insert((key, stream())).1.clone(),
            };
            // OK because the window's last candidate is not before its first.
            let candidates = (last - first + 1) as u64;
            first + pick(self.spread.sample(self.distribution, &mut stream).position, candidates)
        }
    }

    #[inline]
    pub(super) fn key(&self, nominal: i64) -> PeriodKey {
        PeriodKey::new(self.seed.strategy(), self.zone, nominal)
    }

    #[inline]
    pub(super) fn seed_hash(&self, key: PeriodKey) -> SeedHash {
        SeedInput { name: self.name, key, salt: self.seed.salt() }.hash(self.algorithm)
    }

    /// The first and the last candidate.
    #[inline]
    pub(super) fn window(&self, nominal: i64) -> (i64, i64) {
        (nominal + self.reach.first, nominal + self.reach.last)
    }

    /// The choice in a window of one second.
    #[inline]
    pub(super) fn choose_undrawn(&self, candidate: i64) -> Choice {
        choose_undrawn(candidate, self.forbids(candidate).is_none())
    }

    /// The choice in a window of several seconds.
    pub(super) fn choose<O: Observer>(
        &self,
        first: i64,
        last: i64,
        stream: &mut Stream,
        observer: &mut O,
    ) -> Choice {
        // OK because the window's last candidate is not before its first.
        let candidates = (last - first + 1) as u64;
        let patience = if O::LOOKS_ON { DRAWS } else { patience(candidates) };
        let mut checked = Checked { rules: self, first, last, candidates, stream, observer };
        if let Some(choice) = choose_among_first(patience, &mut checked) {
            return choice;
        }
        self.choose_after(patience, checked)
    }

    /// The same after as many draws.
    #[inline(never)]
    fn choose_after<O: Observer>(&self, drawn: u8, mut checked: Checked<'_, 'a, D, O>) -> Choice {
        if drawn < DRAWS
            && let Some(choice) = self.choose_by_runs(drawn, &mut checked)
        {
            return choice;
        }
        choose(self.algorithm, drawn, &mut checked)
    }

    /// The same, computed from a list of the allowed seconds. `None`, with nothing drawn, if the list would cost more.
    fn choose_by_runs<O>(&self, drawn: u8, checked: &mut Checked<'_, 'a, D, O>) -> Option<Choice> {
        let quantile = self.spread.quantile().filter(|_| self.algorithm != Algorithm::Sha256SplitMix64)?;
        let (first, last) = (checked.first, checked.last);
        let mut runs = Runs::NONE;
        runs.fill(&self.allowed(first, last));
        let window = runs.window(first, last)?;
        if window.count() == 0 {
            return Some(nothing_allowed(self.algorithm));
        }
        let position = |u| quantile.at(self.distribution, u);
        Some(choose(self.algorithm, drawn, &mut ByRuns::new(window, position, checked.stream)))
    }

    /// Whether a period is unschedulable, and why, without more draws than that needs.
    pub(crate) fn unschedulable(&self, nominal: i64) -> Option<Unschedulable> {
        if self.algorithm == Algorithm::Sha256SplitMix64 {
            return self.decide(nominal, &mut ()).unschedulable();
        }
        let allowed = self.allowed(nominal + self.reach.first, nominal + self.reach.last);
        allowed.nth(0).is_none().then_some(Unschedulable::NoAllowedSecond)
    }

    pub(super) fn allowed(&self, first: i64, last: i64) -> Allowed<'a> {
        Allowed { constraints: self.constraints, zone: self.zone, first, last }
    }

    #[inline]
    fn forbids(&self, timestamp: i64) -> Option<Forbidden> {
        self.constraints.forbids(self.zone, timestamp)
    }
}

/// Candidates that are drawn and checked one by one.
struct Checked<'r, 'a, D, O> {
    rules: &'r Rules<'a, D>,
    first: i64,
    last: i64,
    candidates: u64,
    stream: &'r mut Stream,
    observer: &'r mut O,
}

impl<D: Sampler, O: Observer> Candidates for Checked<'_, '_, D, O> {
    #[inline(always)]
    fn draw(&mut self) -> Option<i64> {
        let draw = self.rules.spread.sample(self.rules.distribution, self.stream);
        let candidate = self.first + pick(draw.position, self.candidates);
        let forbidden = self.rules.forbids(candidate);
        self.observer.draw(draw, candidate, forbidden);
        forbidden.is_none().then_some(candidate)
    }

    fn allowed(&self) -> u64 {
        self.rules.allowed(self.first, self.last).count()
    }

    fn draw_allowed(&mut self, allowed: u64) -> i64 {
        let draw = self.rules.spread.sample(self.rules.distribution, self.stream);
        // OK because the index picked is below the count.
        let index = pick(draw.position, allowed) as u64;
        let chosen = self.rules.allowed(self.first, self.last).nth(index).unwrap_or(self.first);
        self.observer.closed_up(draw, allowed, chosen);
        chosen
    }
}

/// The number of forbidden draws after which a list of the allowed seconds is cheaper, at most 64. The list costs more for a
/// window of more days.
#[inline]
fn patience(candidates: u64) -> u8 {
    let patience = 2 + candidates / (8 * DAY as u64);
    // OK because it is limited.
    patience.min(DRAWS.into()) as u8
}
