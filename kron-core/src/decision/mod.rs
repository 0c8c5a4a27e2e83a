//! Decisions: the choice of one period's start, with the proof of its draws.

mod allowed_runs;
pub(crate) mod owned;
pub(crate) mod period;
#[cfg(feature = "serde")]
mod serialize;
mod shared;

use core::fmt;

use chrono::{DateTime, Utc};

use crate::constraint::{Allowed, Constraints, Forbidden};
use crate::decision::allowed_runs::{Runs, Sieve};
use crate::draw::algorithm::Algorithm;
use crate::draw::distribution::{Distribution, Draw, Sampler};
use crate::draw::seed::{PeriodKey, Seed, SeedHash, SeedInput, SeedStrategy, hashed};
use crate::draw::stream::Stream;
use crate::draw::window::Reach;
use crate::limits::DRAWS;
use crate::time::civil::DAY;
use crate::time::rfc3339::Rfc3339;
use crate::time::zone::Zone;
use crate::word_enum;

pub use self::owned::OwnedDecision;
pub use self::period::Period;

pub(crate) use shared::Shared;

word_enum! {
    in "kron_core";
    /// Why a period has no start.
    Unschedulable, "unschedulable" {
        /// The constraints allow no second of the window.
        #[default]
        NoAllowedSecond = "noAllowedSecond",
        /// None of the 64 draws was allowed, and `sha256-splitmix64/1` stops there.
        DrawsExhausted = "drawsExhausted",
    }
}

/// The decision of one period: its times, and the proof that they were drawn.
///
/// The times are a [`Period`]. The proof is the algorithm, the seed and the number of draws, from which anyone can compute
/// the times again. Only a [`Job`](crate::Job) makes decisions.
///
/// A decision borrows its job; [`OwnedDecision`] does not. Times are chrono's `DateTime<Utc>` or, by
/// `_timestamp`, Unix seconds; texts are formatted on demand.
///
/// ```
/// use kron_core::Job;
/// let job = Job::parse("prod/db-backup", "0 0 * * * @win(after,3h) @seed(stable,salt=backup)")?;
/// let decision = job.decide(chrono::DateTime::parse_from_rfc3339("2026-03-01T00:00:00Z").unwrap())?;
/// assert_eq!(decision.chosen_time().unwrap().to_rfc3339(), "2026-03-01T00:19:37+00:00");
/// assert_eq!(decision.period_id(), "2026-03-01T00:00:00Z");
/// assert_eq!(decision.draws(), 1);
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Decision<'a> {
    name: &'a str,
    seed: &'a Seed,
    period: Period,
    proof: Proof,
}

/// What shows how the times of a decision were drawn, together with the job's name and seed.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Proof {
    seed_hash: SeedHash,
    /// The part of the period key that does not follow from the seed strategy and the nominal time.
    local: i32,
    /// `None` for a custom distribution.
    algorithm: Option<Algorithm>,
    draws: u8,
    unschedulable: Option<Unschedulable>,
}

// Searches copy decisions, so the type is kept small.
const _: () = assert!(size_of::<Decision<'_>>() <= 104);

impl<'a> Decision<'a> {
    /// The times of the period.
    ///
    /// ```
    /// let job = kron_core::Job::parse("prod/db-backup", "@daily @win(after,3h)")?;
    /// let decision = job.decide(0)?;
    /// assert_eq!(decision.period().chosen_time(), decision.chosen_time());
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[inline]
    pub const fn period(&self) -> Period {
        self.period
    }

    /// The name of the job.
    pub const fn name(&self) -> &'a str {
        self.name
    }

    /// The name of the algorithm that decided: `siphash-chacha8/1`, `sha256-splitmix64/1` or `custom`.
    ///
    /// ```
    /// let job = kron_core::Job::parse("prod/db-backup", "@daily @win(after,3h)")?;
    /// assert_eq!(job.next_period(0)?.algorithm(), "siphash-chacha8/1");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub const fn algorithm(&self) -> &'static str {
        match self.proof.algorithm {
            Some(algorithm) => algorithm.as_str(),
            None => "custom",
        }
    }

    /// The period id: the nominal time in RFC 3339, UTC, for example `2026-03-01T00:00:00Z`.
    ///
    /// ```
    /// let job = kron_core::Job::parse("prod/db-backup", "0 2 * * * @tz(Europe/Paris) @win(around,1h)")?;
    /// let period = job.next_period(1_772_323_200)?; // 2026-03-01T00:00:00Z
    /// assert_eq!(period.period_id(), "2026-03-01T01:00:00Z");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn period_id(&self) -> alloc::string::String {
        self.period.period_id()
    }

    /// How often a new draw is made. With [`Stable`](SeedStrategy::Stable) the period key is the period id.
    ///
    /// ```
    /// let job = kron_core::Job::parse("prod/db-backup", "0 2 * * * @win(around,1h) @seed(weekly)")?;
    /// let decision = job.decide(1_772_330_400)?; // 2026-03-01T02:00:00Z
    /// assert_eq!(decision.seed_strategy(), kron_core::SeedStrategy::Weekly);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub const fn seed_strategy(&self) -> SeedStrategy {
        self.seed.strategy()
    }

    /// What periods that share this draw have in common: the period id, the local date, the local ISO week, or `fixed`.
    ///
    /// ```
    /// let job = kron_core::Job::parse("prod/db-backup", "@daily @tz(Europe/Paris) @seed(daily)")?;
    /// let period = job.next_period(1_772_323_200)?; // 2026-03-01T00:00:00Z
    /// assert_eq!(period.period_id(), "2026-03-01T23:00:00Z");
    /// assert_eq!(period.period_key(), "2026-03-02"); // the day in Paris
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn period_key(&self) -> alloc::string::String {
        alloc::format!("{}", self.key())
    }

    /// [`period_id`](Decision::period_id) as ASCII, without allocation.
    ///
    /// ```
    /// let job = kron_core::Job::parse("prod/db-backup", "@daily")?;
    /// assert_eq!(&job.decide(0)?.period_id_ascii(), b"1970-01-01T00:00:00Z");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[inline]
    pub fn period_id_ascii(&self) -> [u8; 20] {
        self.period.period_id_ascii()
    }

    /// [`period_key`](Decision::period_key) as ASCII, without allocation: the bytes, and how many of them count. The others
    /// are 0.
    ///
    /// ```
    /// let job = kron_core::Job::parse("prod/db-backup", "@daily @seed(weekly)")?;
    /// let (bytes, length) = job.decide(0)?.period_key_ascii();
    /// assert_eq!(&bytes[..length], b"1970-W01");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[inline]
    pub fn period_key_ascii(&self) -> ([u8; 20], usize) {
        self.key().text().padded()
    }

    #[inline]
    fn key(&self) -> PeriodKey {
        PeriodKey::of_local(self.seed.strategy(), self.period.nominal_timestamp(), self.proof.local)
    }

    /// The instant that the schedule names.
    ///
    /// ```
    /// let job = kron_core::Job::parse("prod/db-backup", "0 2 * * * @tz(Europe/Paris) @win(around,1h)")?;
    /// let period = job.next_period(1_772_323_200)?; // 2026-03-01T00:00:00Z
    /// assert_eq!(period.nominal_time().to_rfc3339(), "2026-03-01T01:00:00+00:00");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn nominal_time(&self) -> DateTime<Utc> {
        self.period.nominal_time()
    }

    /// [`nominal_time`](Decision::nominal_time) in Unix seconds.
    ///
    /// ```
    /// let job = kron_core::Job::parse("prod/db-backup", "0 2 * * * @win(around,1h) @seed(weekly)")?;
    /// let decision = job.decide(1_772_330_400)?; // 2026-03-01T02:00:00Z
    /// assert_eq!(decision.nominal_timestamp(), 1_772_330_400);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[inline]
    pub const fn nominal_timestamp(&self) -> i64 {
        self.period.nominal_timestamp()
    }

    /// The first candidate of the window.
    ///
    /// ```
    /// let job = kron_core::Job::parse("prod/db-backup", "0 2 * * * @tz(Europe/Paris) @win(around,1h)")?;
    /// let period = job.next_period(1_772_323_200)?; // 2026-03-01T00:00:00Z
    /// assert_eq!(period.window_start().to_rfc3339(), "2026-03-01T00:30:00+00:00");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn window_start(&self) -> DateTime<Utc> {
        self.period.window_start()
    }

    /// [`window_start`](Decision::window_start) in Unix seconds.
    ///
    /// ```
    /// let job = kron_core::Job::parse("prod/db-backup", "0 2 * * * @win(around,1h) @seed(weekly)")?;
    /// let decision = job.decide(1_772_330_400)?; // 2026-03-01T02:00:00Z
    /// assert_eq!(decision.window_start_timestamp(), 1_772_330_400 - 1800);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[inline]
    pub const fn window_start_timestamp(&self) -> i64 {
        self.period.window_start_timestamp()
    }

    /// The last candidate of the window.
    ///
    /// ```
    /// let job = kron_core::Job::parse("prod/db-backup", "0 2 * * * @tz(Europe/Paris) @win(around,1h)")?;
    /// let period = job.next_period(1_772_323_200)?; // 2026-03-01T00:00:00Z
    /// assert_eq!(period.window_end().to_rfc3339(), "2026-03-01T01:30:00+00:00");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn window_end(&self) -> DateTime<Utc> {
        self.period.window_end()
    }

    /// [`window_end`](Decision::window_end) in Unix seconds.
    ///
    /// ```
    /// let job = kron_core::Job::parse("prod/db-backup", "0 2 * * * @win(around,1h) @seed(weekly)")?;
    /// let decision = job.decide(1_772_330_400)?; // 2026-03-01T02:00:00Z
    /// assert_eq!(decision.window_end_timestamp(), 1_772_330_400 + 1800);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[inline]
    pub const fn window_end_timestamp(&self) -> i64 {
        self.period.window_end_timestamp()
    }

    /// The start; `None` if the period is unschedulable.
    ///
    /// ```
    /// use kron_core::Job;
    /// let job = Job::parse("prod/db-backup", "0 2 * * * @win(after,3h) @avoid(hours=4)")?;
    /// let start = job.decide(1_772_416_800)?; // 2026-03-02T02:00:00Z
    /// assert_eq!(start.chosen_time().unwrap().to_rfc3339(), "2026-03-02T02:26:56+00:00");
    ///
    /// let never = Job::parse("prod/db-backup", "0 2 * * * @win(after,3h) @only(hours=7)")?;
    /// assert_eq!(never.decide(1_772_416_800)?.chosen_time(), None);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn chosen_time(&self) -> Option<DateTime<Utc>> {
        self.period.chosen_time()
    }

    /// [`chosen_time`](Decision::chosen_time) in Unix seconds.
    ///
    /// ```
    /// let job = kron_core::Job::parse("prod/db-backup", "0 2 * * * @win(after,3h) @avoid(hours=4)")?;
    /// let nominal = 1_772_416_800; // 2026-03-02T02:00:00Z
    /// assert_eq!(job.decide(nominal)?.chosen_timestamp(), Some(nominal + 26 * 60 + 56));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[inline]
    pub const fn chosen_timestamp(&self) -> Option<i64> {
        self.period.chosen_timestamp()
    }

    /// Why there is no start; `None` if there is one.
    #[inline]
    pub const fn unschedulable(&self) -> Option<Unschedulable> {
        self.proof.unschedulable
    }

    /// The text that was hashed: name, period key and salt, one a line.
    ///
    /// ```
    /// let job = kron_core::Job::parse("prod/db-backup", "@daily @seed(weekly,salt=blue)")?;
    /// assert_eq!(job.decide(1_772_323_200)?.seed_input(), "prod/db-backup\n2026-W09\nblue");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn seed_input(&self) -> alloc::string::String {
        alloc::format!("{}", SeedInput { name: self.name, key: self.key(), salt: self.seed.salt() })
    }

    /// The 32 bytes that seeded the stream.
    #[inline]
    pub const fn seed_hash(&self) -> SeedHash {
        self.proof.seed_hash
    }

    /// How many draws were made: 0 where the window has one second, 1 to 64, or 65 for the closed-up choice.
    pub const fn draws(&self) -> u8 {
        self.proof.draws
    }

    /// The position in the order of starts, in Unix seconds: the chosen time, or the end of the window without one.
    ///
    /// ```
    /// let job = kron_core::Job::parse("prod/db-backup", "0 2 * * * @win(around,1h) @seed(weekly)")?;
    /// let decision = job.decide(1_772_330_400)?; // 2026-03-01T02:00:00Z
    /// assert_eq!(Some(decision.order_timestamp()), decision.chosen_timestamp());
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[inline]
    pub const fn order_timestamp(&self) -> i64 {
        self.period.order_timestamp()
    }
}

impl AsRef<Period> for Decision<'_> {
    fn as_ref(&self) -> &Period {
        &self.period
    }
}

impl fmt::Debug for Decision<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Decision({} {} -> ", self.name, Rfc3339(self.nominal_timestamp()))?;
        match self.unschedulable() {
            None => write!(f, "{}", Rfc3339(self.order_timestamp()))?,
            Some(why) => write!(f, "{why}")?,
        }
        write!(f, " after {} draws)", self.draws())
    }
}

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
            (0, self.choose_undrawn(first))
        } else {
            self.choose(first, last, &mut Stream::new(self.algorithm, &seed_hash), observer)
        };
        self.record(nominal, key, seed_hash, drawn)
    }

    /// The record of a period, given how many draws were made and what was chosen.
    #[inline(always)]
    fn record(
        &self,
        nominal: i64,
        key: PeriodKey,
        seed_hash: SeedHash,
        (draws, choice): (u8, Result<i64, Unschedulable>),
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
    fn key(&self, nominal: i64) -> PeriodKey {
        PeriodKey::new(self.seed.strategy(), self.zone, nominal)
    }

    #[inline]
    fn seed_hash(&self, key: PeriodKey) -> SeedHash {
        SeedInput { name: self.name, key, salt: self.seed.salt() }.hash(self.algorithm)
    }

    /// The first and the last candidate.
    #[inline]
    fn window(&self, nominal: i64) -> (i64, i64) {
        (nominal + self.reach.first, nominal + self.reach.last)
    }

    /// The choice in a window of one second.
    #[inline]
    fn choose_undrawn(&self, candidate: i64) -> Result<i64, Unschedulable> {
        self.forbids(candidate).map_or(Ok(candidate), |_| Err(Unschedulable::NoAllowedSecond))
    }

    /// Draws until a candidate is allowed. After 64 draws it makes the closed-up choice.
    fn choose<O: Observer>(
        &self,
        first: i64,
        last: i64,
        stream: &mut Stream,
        observer: &mut O,
    ) -> (u8, Result<i64, Unschedulable>) {
        // OK because the window's last candidate is not before its first.
        let candidates = (last - first + 1) as u64;
        let patience = patience(candidates);
        for drawn in 0..DRAWS {
            if !O::LOOKS_ON
                && u64::from(drawn) == patience
                && let Some(choice) = self.choose_by_runs(first, last, stream, drawn)
            {
                return choice;
            }
            let draw = self.spread.sample(self.distribution, stream);
            let candidate = first + pick(draw.position, candidates);
            let forbidden = self.forbids(candidate);
            observer.draw(draw, candidate, forbidden);
            if forbidden.is_none() {
                return (drawn + 1, Ok(candidate));
            }
        }
        if self.algorithm == Algorithm::Sha256SplitMix64 {
            return (DRAWS, Err(Unschedulable::DrawsExhausted));
        }
        let allowed = self.allowed(first, last);
        let count = allowed.count();
        if count == 0 {
            return (DRAWS, Err(Unschedulable::NoAllowedSecond));
        }
        let draw = self.spread.sample(self.distribution, stream);
        // OK because the index picked is below the count.
        let chosen = allowed.nth(pick(draw.position, count) as u64).unwrap_or(first);
        observer.closed_up(draw, count, chosen);
        (DRAWS + 1, Ok(chosen))
    }

    /// The same choice after `drawn` draws, computed from a list of the allowed seconds. `None`, with nothing drawn, if
    /// the list would cost more.
    #[inline(never)]
    fn choose_by_runs(
        &self,
        first: i64,
        last: i64,
        stream: &mut Stream,
        drawn: u8,
    ) -> Option<(u8, Result<i64, Unschedulable>)> {
        let quantile = self.spread.quantile().filter(|_| self.algorithm != Algorithm::Sha256SplitMix64)?;
        let mut runs = Runs::NONE;
        runs.fill(&self.allowed(first, last));
        let window = runs.window(first, last)?;
        let count = window.count();
        if count == 0 {
            return Some((DRAWS, Err(Unschedulable::NoAllowedSecond)));
        }
        // OK because the window's last candidate is not before its first.
        let candidates = (last - first + 1) as u64;
        let mut sieve = Sieve::new(window);
        for drawn in drawn..DRAWS {
            let candidate = |u| first + pick(quantile.at(self.distribution, u), candidates);
            if let Some(chosen) = sieve.pass(stream.uniform(), candidate) {
                return Some((drawn + 1, Ok(chosen)));
            }
        }
        // OK because the index picked is below the count.
        let chosen =
            window.nth(pick(quantile.at(self.distribution, stream.uniform()), count) as u64).unwrap_or(first);
        Some((DRAWS + 1, Ok(chosen)))
    }

    /// Whether a period is unschedulable, and why, without more draws than that needs.
    pub(crate) fn unschedulable(&self, nominal: i64) -> Option<Unschedulable> {
        if self.algorithm == Algorithm::Sha256SplitMix64 {
            return self.decide(nominal, &mut ()).unschedulable();
        }
        let allowed = self.allowed(nominal + self.reach.first, nominal + self.reach.last);
        allowed.nth(0).is_none().then_some(Unschedulable::NoAllowedSecond)
    }

    fn allowed(&self, first: i64, last: i64) -> Allowed<'a> {
        Allowed { constraints: self.constraints, zone: self.zone, first, last }
    }

    #[inline]
    fn forbids(&self, timestamp: i64) -> Option<Forbidden> {
        self.constraints.forbids(self.zone, timestamp)
    }
}

/// The number of forbidden draws after which a list of the allowed seconds is cheaper. The list costs more for a window
/// of more days.
#[inline]
fn patience(candidates: u64) -> u64 {
    2 + candidates / (8 * DAY as u64)
}

/// `floor(position * count)`, limited to `0..count`.
#[inline]
fn pick(position: f64, count: u64) -> i64 {
    // OK because counts are below 2^26 seconds, exact in floating point, and the cast turns NaN and negatives into 0.
    ((position * count as f64) as u64).min(count - 1) as i64
}
