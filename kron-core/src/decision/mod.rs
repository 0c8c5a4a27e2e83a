//! Decisions: the choice of one period's start, with the proof of its draws.

mod allowed_runs;
mod choice;
pub(crate) mod owned;
pub(crate) mod period;
mod rules;
#[cfg(feature = "serde")]
mod serialize;
mod shared;

use core::fmt;

use chrono::{DateTime, Utc};

use crate::draw::algorithm::Algorithm;
use crate::draw::seed::{PeriodKey, Seed, SeedHash, SeedInput, SeedStrategy};
use crate::time::instant::FromTimestamp;
use crate::time::rfc3339::Rfc3339;
use crate::word_enum;

pub use self::owned::OwnedDecision;
pub use self::period::{Period, Times};

pub(crate) use choice::pick;
pub(crate) use rules::{Observer, Rules};
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

    /// All times in a type of the caller's choice; see [`Period::times`].
    ///
    /// ```
    /// use std::time::SystemTime;
    /// let job = kron_core::Job::parse("prod/db-backup", "@daily @win(after,3h)")?;
    /// let times = job.next_start(SystemTime::UNIX_EPOCH)?.times::<SystemTime>();
    /// assert!(times.chosen_time > Some(SystemTime::UNIX_EPOCH));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[doc(alias = "to_chrono")]
    pub fn times<T: FromTimestamp>(&self) -> Times<T> {
        self.period.times()
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

/// One line: the name, the nominal time and the start, or why there is none.
impl fmt::Display for Decision<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} ", self.name, Rfc3339(self.nominal_timestamp()))?;
        match self.unschedulable() {
            None => write!(f, "starts at {}", Rfc3339(self.order_timestamp())),
            Some(why) => write!(f, "is unschedulable: {why}"),
        }
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
