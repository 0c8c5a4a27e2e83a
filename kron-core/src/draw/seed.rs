//! Seeds: how often a new draw is made, and the bytes that a draw starts from.
//!
//! The seed of a period is a hash of `name + "\n" + period key + "\n" + salt`. The period key says which periods
//! share a draw. The strategies and their keys are both here: to add a strategy, add a variant to [`SeedStrategy`] and to
//! [`PeriodKey`], and the compiler names the rest.

use alloc::boxed::Box;
use core::fmt;

use sha2::{Digest, Sha256};

use crate::draw::algorithm::Algorithm;
use crate::draw::siphash::SipPair;
use crate::error::{Error, ValueError};
use crate::limits::SALT_BYTES;
use crate::time::civil::{DAY, iso_week};
use crate::time::rfc3339::{Rfc3339, ShortText};
use crate::time::zone::Zone;
use crate::word_enum;

word_enum! {
    in "kron_core";
    /// How often a new draw is made.
    SeedStrategy, "seed.strategy" {
        /// A new draw for every period, the default. The starts are reproducible, but not at a constant place in the window.
        #[default]
        Stable = "stable",
        /// All periods of one local day share a draw.
        Daily = "daily",
        /// All periods of one local ISO week share a draw.
        Weekly = "weekly",
        /// All periods share one draw, so the job keeps its place in the window, unless a constraint forbids it there.
        Fixed = "fixed",
    }
}

word_enum! {
    in "kron_core::draw";
    /// The settings of a seed other than its strategy.
    pub SeedKey {
        /// The text that changes the draws.
        Salt = "salt",
    }
}

/// A seed strategy and a salt: any text up to 1024 bytes; another salt gives other starts.
///
/// ```
/// use kron_core::{Seed, SeedStrategy};
/// let seed = Seed::new(SeedStrategy::Daily, "blue")?;
/// assert_eq!((seed.strategy(), seed.salt()), (SeedStrategy::Daily, "blue"));
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Seed {
    /// `None` if it is empty.
    salt: Option<Box<str>>,
    strategy: SeedStrategy,
}

impl Seed {
    /// The default as a constant.
    pub(crate) const DEFAULT: Seed = Seed { salt: None, strategy: SeedStrategy::Stable };

    /// A seed of that strategy and salt.
    ///
    /// # Errors
    ///
    /// [`OutOfBounds`](crate::ErrorCode::OutOfBounds) for a salt over 1024 bytes.
    ///
    /// ```
    /// use kron_core::{Job, JobSpec, Seed, SeedStrategy};
    /// let spec = JobSpec::parse("@daily @win(after,3h)")?;
    /// let salted = spec.to_builder().seed(Seed::new(SeedStrategy::Stable, "blue")?).build()?;
    /// assert_eq!(salted.to_string(), "0 0 * * * @win(after,3h0m0s) @seed(stable,salt=blue)");
    /// let (plain, salted) = (Job::new("prod/db-backup", spec)?, Job::new("prod/db-backup", salted)?);
    /// assert_ne!(plain.next_start(0)?.chosen_time(), salted.next_start(0)?.chosen_time());
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn new(strategy: SeedStrategy, salt: &str) -> Result<Seed, Error> {
        if salt.len() > SALT_BYTES {
            let kind =
                ValueError::TooLong { what: "a salt", max: SALT_BYTES, unit: "bytes", found: salt.len() };
            return Err(Error::of("seed.salt", kind).at(0..salt.len()));
        }
        Ok(Seed { salt: (!salt.is_empty()).then(|| salt.into()), strategy })
    }

    pub(crate) const fn without_salt(strategy: SeedStrategy) -> Seed {
        Seed { salt: None, strategy }
    }

    /// The strategy.
    pub const fn strategy(&self) -> SeedStrategy {
        self.strategy
    }

    /// The salt.
    pub fn salt(&self) -> &str {
        self.salt.as_deref().unwrap_or_default()
    }
}

/// What periods must have in common to share a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PeriodKey {
    /// The period id: every period draws for itself.
    Period(i64),
    /// The local date, as a count of days.
    Day(i32),
    /// The local ISO week, as its year and, in the lowest six bits, its number.
    Week(i32),
    /// Nothing: all periods share one draw.
    Fixed,
}

impl PeriodKey {
    #[inline]
    pub(crate) fn new(strategy: SeedStrategy, zone: &Zone, nominal: i64) -> PeriodKey {
        match strategy {
            SeedStrategy::Stable => PeriodKey::Period(nominal),
            shared => PeriodKey::shared(shared, zone, nominal),
        }
    }

    /// The key of a strategy by which periods share a draw. Out of line, as for [`shared_text`](PeriodKey::shared_text).
    #[inline(never)]
    fn shared(strategy: SeedStrategy, zone: &Zone, nominal: i64) -> PeriodKey {
        let local_day = || (nominal + i64::from(zone.offset_at(nominal))).div_euclid(DAY);
        match strategy {
            SeedStrategy::Stable => PeriodKey::Period(nominal),
            // OK because nominal times lie in years of four digits.
            SeedStrategy::Daily => PeriodKey::Day(local_day() as i32),
            SeedStrategy::Weekly => {
                let (year, week) = iso_week(local_day());
                PeriodKey::Week(year << 6 | i32::from(week))
            }
            SeedStrategy::Fixed => PeriodKey::Fixed,
        }
    }

    /// The local day or week as a number. With strategy and nominal time it determines the key; see
    /// [`of_local`](PeriodKey::of_local).
    #[inline]
    pub(crate) fn local(self) -> i32 {
        match self {
            PeriodKey::Period(_) | PeriodKey::Fixed => 0,
            PeriodKey::Day(local) | PeriodKey::Week(local) => local,
        }
    }

    /// The key from its [`local`](PeriodKey::local) number.
    #[inline]
    pub(crate) fn of_local(strategy: SeedStrategy, nominal: i64, local: i32) -> PeriodKey {
        match strategy {
            SeedStrategy::Stable => PeriodKey::Period(nominal),
            SeedStrategy::Daily => PeriodKey::Day(local),
            SeedStrategy::Weekly => PeriodKey::Week(local),
            SeedStrategy::Fixed => PeriodKey::Fixed,
        }
    }

    /// `2026-03-01T00:00:00Z`, `2026-03-01`, `2026-W09` or `fixed`.
    #[inline]
    pub(crate) fn text(self) -> ShortText {
        match self {
            PeriodKey::Period(nominal) => Rfc3339(nominal).text(),
            PeriodKey::Day(_) | PeriodKey::Week(_) | PeriodKey::Fixed => self.shared_text(),
        }
    }

    /// The text of a key that several periods can have. Out of line: the hot path is that of the default strategy.
    #[inline(never)]
    fn shared_text(self) -> ShortText {
        match self {
            PeriodKey::Period(nominal) => Rfc3339(nominal).text(),
            PeriodKey::Day(day) => ShortText::date(day),
            // OK because no year here is below 0.
            PeriodKey::Week(year_and_week) => {
                ShortText::iso_week(year_and_week as u32 >> 6, year_and_week as u32 & 63)
            }
            PeriodKey::Fixed => ShortText::word(*b"fixed\0\0\0", 5),
        }
    }
}

impl fmt::Display for PeriodKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text().as_str())
    }
}

/// The state of SipHash after a name, from which the seeds of all its periods go on.
#[inline(always)]
pub(crate) fn hashed(name: &str) -> SipPair {
    let mut pair = SipPair::new([b"kron.seed.v1.a\0\0", b"kron.seed.v1.b\0\0"]);
    pair.write(name.as_bytes());
    pair
}

/// What a seed is hashed from: `name + "\n" + period key + "\n" + salt`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SeedInput<'a> {
    pub(crate) name: &'a str,
    pub(crate) key: PeriodKey,
    pub(crate) salt: &'a str,
}

impl SeedInput<'_> {
    /// The 32 bytes of a seed.
    #[inline]
    pub(crate) fn hash(&self, algorithm: Algorithm) -> SeedHash {
        match algorithm {
            Algorithm::SipHashChaCha8 => self.hash_after(hashed(self.name)),
            Algorithm::Sha256SplitMix64 => self.sha256(),
        }
    }

    /// The 32 bytes of a seed by SipHash, given what the name alone leads to: see [`hashed`].
    #[inline(always)]
    pub(crate) fn hash_after(&self, mut pair: SipPair) -> SeedHash {
        let (words, length) = self.key.text().between_line_feeds();
        for (i, word) in words.into_iter().enumerate() {
            pair.push(word, length.saturating_sub(8 * i).min(8));
        }
        pair.write(self.salt.as_bytes());
        SeedHash(pair.finish().map(u64::to_le_bytes))
    }

    /// Out of line: the hot path is that of the other algorithm.
    #[inline(never)]
    fn sha256(&self) -> SeedHash {
        let (key, end) = (self.key.text(), b"\n");
        let mut hasher = Sha256::new();
        for part in [self.name.as_bytes(), end, key.as_str().as_bytes(), end, self.salt.as_bytes()] {
            hasher.update(part);
        }
        let mut words = [[0; 8]; 4];
        words.as_flattened_mut().copy_from_slice(&hasher.finalize());
        SeedHash(words)
    }
}

impl fmt::Display for SeedInput<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{}\n{}", self.name, self.key, self.salt)
    }
}

/// The 32 bytes that seed a stream. Displays as 64 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SeedHash([[u8; 8]; 4]);

impl SeedHash {
    /// The bytes.
    ///
    /// ```
    /// let job = kron_core::Job::parse("prod/db-backup", "@daily")?;
    /// let hash = job.decide(0)?.seed_hash();
    /// assert_eq!(hash.to_string()[..2], format!("{:02x}", hash.as_bytes()[0]));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub const fn as_bytes(&self) -> &[u8; 32] {
        match self.0.as_flattened().first_chunk() {
            Some(bytes) => bytes,
            // OK because four times eight bytes are 32.
            None => unreachable!(),
        }
    }

    /// The 64 lower-case hex digits as ASCII, without allocation.
    ///
    /// ```
    /// let job = kron_core::Job::parse("prod/db-backup", "@daily")?;
    /// let hash = job.decide(0)?.seed_hash();
    /// assert_eq!(String::from_utf8(hash.to_hex().to_vec()).unwrap(), hash.to_string());
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[inline]
    pub fn to_hex(&self) -> [u8; 64] {
        let digit = |nibble: u8| nibble + b'0' + if nibble > 9 { b'a' - b'9' - 1 } else { 0 };
        let mut hex = [0; 64];
        // In this form the compiler vectorizes the loop to sixteen digits at a time.
        for (digits, byte) in hex.as_chunks_mut::<2>().0.iter_mut().zip(self.as_bytes()) {
            *digits = [digit(byte >> 4), digit(byte & 15)];
        }
        hex
    }

    /// The bytes as four words of eight.
    #[inline]
    pub(crate) const fn words(&self) -> [[u8; 8]; 4] {
        self.0
    }
}

impl fmt::Display for SeedHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_flattened().iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for SeedHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SeedHash({self})")
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn keys_are_local() {
        let key = |strategy, zone: &str, time: &str| {
            let nominal = chrono::DateTime::parse_from_rfc3339(time).unwrap().timestamp();
            PeriodKey::new(strategy, &Zone::parse(zone).unwrap(), nominal).to_string()
        };
        assert_eq!(key(SeedStrategy::Stable, "Asia/Tokyo", "2026-03-01T00:30:00Z"), "2026-03-01T00:30:00Z");
        assert_eq!(key(SeedStrategy::Daily, "America/Los_Angeles", "2026-03-01T00:30:00Z"), "2026-02-28");
        assert_eq!(key(SeedStrategy::Weekly, "Asia/Tokyo", "2026-12-31T23:30:00Z"), "2026-W53");
        assert_eq!(key(SeedStrategy::Weekly, "UTC", "2024-12-30T00:00:00Z"), "2025-W01");
        assert_eq!(key(SeedStrategy::Fixed, "Asia/Tokyo", "2026-03-01T00:30:00Z"), "fixed");
        assert_eq!(key(SeedStrategy::Weekly, "America/New_York", "1970-01-01T00:00:00Z"), "1970-W01");
    }
}
