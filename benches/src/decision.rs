//! Decisions to time, and the floor under them: the hash and the generator that no decision can do without.

use std::hash::Hasher;

use kron_core::{Job, Zone};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use siphasher::sip128::{Hasher128, SipHasher24};

use crate::FROM;

/// The name of every job here.
pub const IDENTITY: &str = "prod/db-backup";

/// Distributions as the text form writes them.
pub const DISTRIBUTIONS: [&str; 5] =
    ["uniform", "skewEarly,shape=2.5", "skewLate,shape=2.5", "normal", "exponential"];

/// Windows in hours and their names.
pub const WINDOWS: [(u32, &str); 3] = [(3, "3 h"), (168, "7 d"), (8784, "366 d")];

/// What prevents a start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Nothing: one draw.
    None,
    /// Clauses that the first draw passes.
    FirstDraw,
    /// One minute of the day, once a week in windows that have a whole week: only the closed-up choice finds it.
    ClosedUp,
}

impl Rule {
    /// All of them.
    pub const ALL: [Rule; 3] = [Rule::None, Rule::FirstDraw, Rule::ClosedUp];

    /// Its name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Rule::None => "none",
            Rule::FirstDraw => "first draw",
            Rule::ClosedUp => "closed-up",
        }
    }

    /// Draws that a decision then takes.
    pub const fn draws(self) -> u8 {
        match self {
            Rule::None | Rule::FirstDraw => 1,
            Rule::ClosedUp => 65,
        }
    }
}

/// A job in Paris, and nominal times whose decisions take the rule's number of draws.
pub fn job(distribution: &str, hours: u32, rule: Rule) -> (Job, Vec<i64>) {
    let constraint = match (rule, hours) {
        (Rule::None, _) => "",
        (Rule::FirstDraw, _) => " @only(hours=0-12;dow=MON-SAT) @only(hours=12-23) @avoid(hours=3&dow=SUN)",
        (Rule::ClosedUp, 3) => " @only(between=01:17-01:17)",
        (Rule::ClosedUp, _) => " @only(dow=WED;between=01:17-01:17)",
    };
    let text = format!("0 0 * * * @tz(Europe/Paris) @win(after,{hours}h) @dist({distribution}){constraint}");
    let job = Job::parse(IDENTITY, &text).expect("a good job");
    let schedule = job.spec().schedule().in_zone(job.spec().timezone().clone());
    let mut series = schedule.series(FROM);
    let nominals: Vec<i64> = std::iter::from_fn(|| series.next_timestamp())
        .filter(|nominal| job.decide(*nominal).expect("a nominal time").draws() == rule.draws())
        .take(128)
        .collect();
    assert_eq!(nominals.len(), 128, "{text}");
    (job, nominals)
}

/// The least that a decision computes with the usual crates: the seed of an input by two keyed hashes, the generator with its
/// first word, and a zone look-up, for which Kron's own is the cheapest at hand.
pub fn floor(input: &[u8], zone: &Zone, at: i64) -> (ChaCha8Rng, u64, i32) {
    let (generator, word) = first_word(seed(input));
    (generator, word, zone.offset_at(at))
}

/// Two keyed hashes of one input.
pub fn seed(input: &[u8]) -> [u8; 32] {
    let mut seed = [0; 32];
    for (half, key) in seed.chunks_exact_mut(16).zip([b"kron.seed.v1.a\0\0", b"kron.seed.v1.b\0\0"]) {
        let mut hasher = SipHasher24::new_with_key(key);
        hasher.write(input);
        let hash = hasher.finish128();
        half[..8].copy_from_slice(&hash.h1.to_le_bytes());
        half[8..].copy_from_slice(&hash.h2.to_le_bytes());
    }
    seed
}

/// ChaCha with 8 rounds, seeded, and its first word, with the generator that a second draw would need.
pub fn first_word(seed: [u8; 32]) -> (ChaCha8Rng, u64) {
    let mut generator = ChaCha8Rng::from_seed(seed);
    let word = generator.next_u64();
    (generator, word)
}

/// Seed inputs as a decision makes them. Asserts that the floor computes the decision's own bits.
pub fn inputs() -> Vec<[u8; 36]> {
    let (job, nominals) = job("uniform", 3, Rule::None);
    let inputs = nominals.iter().map(|nominal| {
        let decision = job.decide(*nominal).expect("a nominal time");
        let input = decision.seed_input().into_bytes();
        assert_eq!(&seed(&input), decision.seed_hash().as_bytes());
        let u = (first_word(seed(&input)).1 >> 11) as f64 / (1u64 << 53) as f64;
        assert_eq!(decision.chosen_timestamp(), Some(nominal + (u * 10_801.0) as i64));
        input.try_into().expect("a name of 14 bytes, two line feeds and a period of 20 bytes")
    });
    inputs.collect()
}
