//! Seeds: how often a new draw is made, and the bytes that a draw starts from.
//!
//! The seed of a period is a hash of `identity + "\n" + period key + "\n" + salt`. The period key says which periods
//! share a draw; to change, say, what a week is, change [`PeriodKey`] in `period.rs` and its use here.

use alloc::boxed::Box;
use core::{fmt, hash::Hasher};

use sha2::{Digest, Sha256};
use siphasher::sip128::{Hasher128, SipHasher24};

use crate::algorithm::Algorithm;
use crate::bounds::SALT_BYTES;
use crate::error::{Error, ValueError};
use crate::period::PeriodKey;
use crate::words::words;

words! {
    /// How often a new draw is made.
    SeedStrategy, "seed.strategy" {
        /// Every period draws anew, the default.
        #[default]
        Stable = "stable",
        /// All periods of one local day share a draw.
        Daily = "daily",
        /// All periods of one local ISO week share a draw.
        Weekly = "weekly",
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
    salt: Box<str>,
    strategy: SeedStrategy,
}

impl Seed {
    /// A seed of that strategy and salt.
    ///
    /// # Errors
    ///
    /// [`OutOfBounds`](crate::ErrorCode::OutOfBounds) for a salt over 1024 bytes.
    pub fn new(strategy: SeedStrategy, salt: &str) -> Result<Seed, Error> {
        if salt.len() > SALT_BYTES {
            let kind =
                ValueError::TooLong { what: "a salt", max: SALT_BYTES, unit: "bytes", found: salt.len() };
            return Err(Error::new("seed.salt", kind).at(0..salt.len()));
        }
        Ok(Seed { salt: salt.into(), strategy })
    }

    /// The strategy.
    pub const fn strategy(&self) -> SeedStrategy {
        self.strategy
    }

    /// The salt.
    pub fn salt(&self) -> &str {
        &self.salt
    }
}

/// What a seed is hashed from: `identity + "\n" + period key + "\n" + salt`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SeedInput<'a> {
    pub(crate) identity: &'a str,
    pub(crate) key: PeriodKey,
    pub(crate) salt: &'a str,
}

impl SeedInput<'_> {
    /// The 32 bytes of a seed.
    pub(crate) fn hash(&self, algorithm: Algorithm) -> SeedHash {
        let key = self.key.text();
        let parts = [self.identity.as_bytes(), b"\n", key.as_bytes(), b"\n", self.salt.as_bytes()];
        match algorithm {
            Algorithm::SipHashChaCha8 => {
                let (a, b) = (sip(b"kron.seed.v1.a\0\0", parts), sip(b"kron.seed.v1.b\0\0", parts));
                let mut bytes = [0; 32];
                bytes[..16].copy_from_slice(&a);
                bytes[16..].copy_from_slice(&b);
                SeedHash(bytes)
            }
            Algorithm::Sha256SplitMix64 => {
                let mut hasher = Sha256::new();
                parts.iter().for_each(|part| hasher.update(part));
                SeedHash(hasher.finalize().into())
            }
        }
    }
}

impl fmt::Display for SeedInput<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{}\n{}", self.identity, self.key, self.salt)
    }
}

/// SipHash-2-4 with 128 bits of output (Aumasson and Bernstein, 2012), as two little-endian words, first word first.
fn sip(key: &[u8; 16], parts: [&[u8]; 5]) -> [u8; 16] {
    let mut hasher = SipHasher24::new_with_key(key);
    parts.iter().for_each(|part| hasher.write(part));
    let hash = hasher.finish128();
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&hash.h1.to_le_bytes());
    bytes[8..].copy_from_slice(&hash.h2.to_le_bytes());
    bytes
}

/// The 32 bytes that seed a stream. Displays as 64 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SeedHash(pub(crate) [u8; 32]);

impl SeedHash {
    /// The bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for SeedHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for SeedHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SeedHash({self})")
    }
}
