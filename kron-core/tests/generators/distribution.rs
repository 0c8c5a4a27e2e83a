//! Distributions and their parameters.

use kron_core::draw::{Direction, DistributionName, Mu};
use kron_core::{Distribution, WindowMode};
use proptest::prelude::*;
use proptest::strategy::Union;

use super::spelling::Pick;
use super::window::{duration, spell_duration};

#[derive(Clone, Debug, PartialEq)]
pub enum DistModel {
    Uniform,
    SkewEarly(f64),
    SkewLate(f64),
    /// Sigma in nanoseconds.
    Normal(Option<Mu>, Option<i64>),
    Exponential(f64, Direction),
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => proptest::sample::select(vec![1.0, 2.0, 0.5, 2.5, 1e-9, 0.1, 8.0, 1e-300, 1e300, 1e15, 1e16, 1e-5, 9e-6]),
        3 => 0.05..20.0f64,
        1 => proptest::num::f64::POSITIVE | proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL,
    ]
    .prop_map(f64::abs)
}

fn mu() -> impl Strategy<Value = Mu> {
    proptest::sample::select(Mu::ALL)
}

/// Distributions of all names: a new one does not compile here until it has a model.
pub fn distribution() -> impl Strategy<Value = DistModel> {
    let sigma = || prop_oneof![1..10_000_000_000i64, 1..30_000i64, 1..=i64::MAX];
    Union::new(DistributionName::ALL.iter().map(|name| {
        match name {
            DistributionName::Uniform => Just(DistModel::Uniform).boxed(),
            DistributionName::SkewEarly => number().prop_map(DistModel::SkewEarly).boxed(),
            DistributionName::SkewLate => number().prop_map(DistModel::SkewLate).boxed(),
            DistributionName::Normal => (proptest::option::of(mu()), proptest::option::of(sigma()))
                .prop_map(|(mu, sigma)| DistModel::Normal(mu, sigma))
                .boxed(),
            DistributionName::Exponential => (number(), proptest::sample::select(Direction::ALL))
                .prop_map(|(lambda, dir)| DistModel::Exponential(lambda, dir))
                .boxed(),
        }
    }))
}

/// Any spelling of a number that reads back the same.
fn spell_number(number: f64, pick: &mut Pick) -> String {
    let plain = format!("{number}");
    match pick.below(4) {
        0 => format!("{number:e}"),
        1 => format!("{number:E}"),
        _ if plain.len() > 40 => format!("{number:e}"),
        2 if plain.contains('.') => plain + "00",
        2 => plain + ".",
        3 if plain.starts_with("0.") => plain[1..].to_string(),
        _ => "0".to_string() + &plain,
    }
}

impl DistModel {
    pub fn build(&self) -> Distribution {
        match self {
            DistModel::Uniform => Ok(Distribution::uniform()),
            DistModel::SkewEarly(shape) => Distribution::skew_early(*shape),
            DistModel::SkewLate(shape) => Distribution::skew_late(*shape),
            DistModel::Normal(mu, sigma) => Distribution::normal(*mu, sigma.map(duration)),
            DistModel::Exponential(lambda, dir) => Distribution::exponential(*lambda, *dir),
        }
        .unwrap()
    }

    pub fn of_first_algorithm(&self) -> bool {
        match self {
            DistModel::Uniform | DistModel::SkewEarly(_) | DistModel::SkewLate(_) => true,
            DistModel::Normal(..) | DistModel::Exponential(..) => false,
        }
    }

    /// Name and parameters; defaults may be left out.
    pub(super) fn spell(&self, window: (WindowMode, i64), pick: &mut Pick) -> Vec<(String, String)> {
        let mut params = Vec::new();
        let mut param = |key: &str, value: String, default: bool, pick: &mut Pick| {
            if !default || pick.coin() {
                params.push((key.to_string(), value));
            }
        };
        match self {
            DistModel::Uniform => {}
            DistModel::SkewEarly(shape) | DistModel::SkewLate(shape) => {
                param("shape", spell_number(*shape, pick), *shape == 2.0, pick);
            }
            DistModel::Normal(mu, sigma) => {
                let implied = if window.0 == WindowMode::Around { Mu::Nominal } else { Mu::Mid };
                let mu = mu.unwrap_or(implied);
                param("mu", mu.to_string(), mu == implied, pick);
                match sigma {
                    Some(sigma) => param("sigma", spell_duration(*sigma, pick), false, pick),
                    None if window.1 > 0 && window.1 % 6 == 0 => {
                        param("sigma", spell_duration(window.1 / 6, pick), true, pick);
                    }
                    None => {}
                }
            }
            DistModel::Exponential(lambda, dir) => {
                param("lambda", spell_number(*lambda, pick), *lambda == 1.0, pick);
                param("dir", dir.to_string(), *dir == Direction::Early, pick);
            }
        }
        pick.shuffle(&mut params);
        params.insert(0, (self.build().name().to_string(), String::new()));
        params
    }
}
