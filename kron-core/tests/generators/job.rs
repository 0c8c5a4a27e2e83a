//! Whole jobs: name, salt, policy and all parts of a spec.

use std::fmt::Write as _;

use kron_core::{Algorithm, Concurrency, JobSpec, Policy, Seed, SeedStrategy, Window, WindowMode, Zone};
use proptest::collection::vec;
use proptest::prelude::*;

use super::DAY;
use super::constraint::{ClauseModel, clause, constraints};
use super::cron::{CronModel, cron};
use super::distribution::{DistModel, distribution};
use super::spelling::{Pick, blanks, maybe_quote, quote};
use super::window::{duration, mode, spell_duration, window_nanos};
use super::zone::zone;

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
            .unwrap()
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
