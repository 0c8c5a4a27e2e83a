//! Random numbers, injected: only the times of retries and the names of processes depend on them, and simulations repeat them.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

/// Where random numbers come from: the system, unless a seed fixes them. Cheap to clone; all clones share their numbers.
///
/// ```
/// use kron_operator::random::Random;
///
/// let (one, two) = (Random::seeded(7), Random::seeded(7));
/// assert_eq!(one.fraction(), two.fraction());
/// assert!((0.0..1.0).contains(&Random::default().fraction()));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Random {
    seeded: Option<Arc<Mutex<Xoshiro256PlusPlus>>>,
}

impl Random {
    /// The same numbers for each run with one seed.
    pub fn seeded(seed: u64) -> Random {
        Random { seeded: Some(Arc::new(Mutex::new(Xoshiro256PlusPlus::seed_from_u64(seed)))) }
    }

    /// A number from 0 on, below 1.
    pub fn fraction(&self) -> f64 {
        match &self.seeded {
            Some(random) => random.lock().random(),
            None => rand::random(),
        }
    }

    /// A time between two shares of another one.
    pub(crate) fn share_of(&self, time: Duration, from: f64, to: f64) -> Duration {
        time.mul_f64(from + (to - from) * self.fraction())
    }

    /// Random letters from a to z.
    pub(crate) fn letters(&self, count: usize) -> String {
        (0..count).map(|_| char::from(b'a'.saturating_add((self.fraction() * 26.0) as u8))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_and_letters_are_within_their_bounds() {
        let random = Random::seeded(1);
        for _ in 0..1000 {
            let share = random.share_of(Duration::from_secs(10), 0.5, 1.5);
            assert!((Duration::from_secs(5)..Duration::from_secs(15)).contains(&share));
        }
        let letters = random.letters(1000);
        assert_eq!(letters.len(), 1000);
        assert!(('a'..='z').all(|letter| letters.contains(letter)), "{letters}");
        assert_ne!(random.letters(10), random.letters(10));
    }
}
