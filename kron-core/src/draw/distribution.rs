//! Distributions: how the start is spread over the window.
//!
//! A distribution is given by its quantile function `Q` on the unit interval; a draw `u` becomes the position `Q(u)` in
//! the window. All functions are Kron's own and use the frozen mathematics of `math/`: a library may change the last
//! bit of a result, and with a sampler that rejects draws, every later draw would depend on how the sampler works.
//!
//! To add a distribution: a variant of [`DistributionName`] and one of [`Kind`]. To add a parameter: a variant of
//! [`DistributionParam`] and a field of [`Kind`] and of [`Params`]. The compiler names the other places.

use alloc::{boxed::Box, string::String, vec::Vec};
use core::fmt;
use core::hash::{Hash, Hasher};

use crate::draw::stream::Stream;
use crate::draw::window::{Window, WindowMode};
use crate::error::{Error, Snippet, ValueError};
use crate::math;
use crate::time::duration::Duration;
use crate::word_enum;

word_enum! {
    in "kron_core::draw";
    /// Where the peak of a normal distribution lies in the window.
    Mu, "distribution.params.mu" {
        /// At the nominal time: the window's start for `after`, its middle for `around`, its end for `before`.
        #[default]
        Nominal = "nominal",
        /// At the window's start.
        Start = "start",
        /// In the window's middle.
        Mid = "mid",
        /// At the window's end.
        End = "end",
    }
}

word_enum! {
    in "kron_core::draw";
    /// On which side of the window an exponential distribution is densest.
    Direction, "distribution.params.dir" {
        /// At the start, the default.
        #[default]
        Early = "early",
        /// At the end.
        Late = "late",
    }
}

word_enum! {
    in "kron_core::draw";
    /// The name of a distribution.
    DistributionName, "distribution.name" {
        /// Every second of the window is equally likely, the default.
        #[default]
        Uniform = "uniform",
        /// A normal distribution truncated to the window.
        Normal = "normal",
        /// Early seconds are likelier.
        SkewEarly = "skewEarly",
        /// Late seconds are likelier.
        SkewLate = "skewLate",
        /// An exponential distribution truncated to the window.
        Exponential = "exponential",
    }
}

word_enum! {
    in "kron_core::draw";
    /// A parameter of a distribution.
    pub DistributionParam {
        /// The exponent of `skewEarly` and `skewLate`, a decimal.
        Shape = "shape",
        /// The peak of `normal`, a [`Mu`].
        Mu = "mu",
        /// The standard deviation of `normal`, a duration.
        Sigma = "sigma",
        /// The rate of `exponential`, a decimal.
        Lambda = "lambda",
        /// The densest side of `exponential`, a [`Direction`].
        Dir = "dir",
    }
}

impl DistributionName {
    /// The parameters that the distribution takes.
    ///
    /// ```
    /// use kron_core::draw::{DistributionName, DistributionParam};
    /// assert_eq!(DistributionName::Normal.params(), [DistributionParam::Mu, DistributionParam::Sigma]);
    /// ```
    pub const fn params(self) -> &'static [DistributionParam] {
        match self {
            DistributionName::Uniform => &[],
            DistributionName::SkewEarly | DistributionName::SkewLate => &[DistributionParam::Shape],
            DistributionName::Normal => &[DistributionParam::Mu, DistributionParam::Sigma],
            DistributionName::Exponential => &[DistributionParam::Lambda, DistributionParam::Dir],
        }
    }
}

/// How the start is spread over the window.
///
/// ```
/// use kron_core::Distribution;
/// assert_eq!(Distribution::default(), Distribution::uniform());
/// let skewed = Distribution::from_params("skewEarly", [("shape", "2.50")])?;
/// assert_eq!(skewed, Distribution::skew_early(2.5)?);
/// assert_eq!(skewed.to_string(), "skewEarly,shape=2.5");
/// let error = Distribution::from_params("normal", [("sigma", "0s")]).unwrap_err();
/// assert_eq!(error.to_string(), "distribution.params.sigma: `sigma` at column 1 must be above zero");
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Default)]
pub struct Distribution {
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Default)]
enum Kind {
    #[default]
    Uniform,
    SkewEarly {
        shape: f64,
    },
    SkewLate {
        shape: f64,
    },
    /// A `mu` of `None` and a `sigma` of zero mean the defaults, which depend on the window.
    Normal {
        mu: Option<Mu>,
        sigma: Duration,
    },
    Exponential {
        lambda: f64,
        dir: Direction,
    },
}

const SHAPE: f64 = 2.0;
const LAMBDA: f64 = 1.0;

/// Below this rate an exponential distribution is computed as a uniform one: they differ by less than 1e-9 of the window.
const LAMBDA_UNIFORM: f64 = 1e-9;

impl Distribution {
    /// Every second of the window is equally likely.
    ///
    /// ```
    /// use kron_core::{Distribution, JobSpec};
    /// assert_eq!(JobSpec::parse("@daily @win(after,3h)")?.distribution(), &Distribution::uniform());
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub const fn uniform() -> Distribution {
        Distribution { kind: Kind::Uniform }
    }

    /// `Q(u) = u^shape`: for shapes above 1, early seconds are likelier.
    ///
    /// # Errors
    ///
    /// [`Number`](crate::ErrorCode::Number) unless the shape is finite and above 0.
    ///
    /// ```
    /// let distribution = kron_core::Distribution::skew_early(2.5)?;
    /// assert_eq!(distribution.to_string(), "skewEarly,shape=2.5");
    /// assert!(kron_core::Distribution::skew_early(0.0).is_err());
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn skew_early(shape: f64) -> Result<Distribution, Error> {
        positive("distribution.params.shape", shape)?;
        Ok(Distribution { kind: Kind::SkewEarly { shape } })
    }

    /// `Q(u) = 1 - (1-u)^shape`: for shapes above 1, late seconds are likelier.
    ///
    /// # Errors
    ///
    /// [`Number`](crate::ErrorCode::Number) unless the shape is finite and above 0.
    ///
    /// ```
    /// let distribution = kron_core::Distribution::skew_late(3.0)?;
    /// assert_eq!(distribution.to_string(), "skewLate,shape=3");
    /// assert!(kron_core::Distribution::skew_late(f64::INFINITY).is_err());
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn skew_late(shape: f64) -> Result<Distribution, Error> {
        positive("distribution.params.shape", shape)?;
        Ok(Distribution { kind: Kind::SkewLate { shape } })
    }

    /// A normal distribution truncated to the window. `mu` is by default [`Nominal`](Mu::Nominal) in windows `around`,
    /// else [`Mid`](Mu::Mid); `sigma`, the standard deviation before truncation, is by default a sixth of the window.
    ///
    /// # Errors
    ///
    /// [`OutOfBounds`](crate::ErrorCode::OutOfBounds) for a sigma of 0.
    ///
    /// ```
    /// use kron_core::{Distribution, Duration};
    /// use kron_core::draw::Mu;
    /// let distribution = Distribution::normal(Some(Mu::Start), Some(Duration::parse("15m")?))?;
    /// assert_eq!(distribution.to_string(), "normal,mu=start,sigma=15m0s");
    /// assert_eq!(Distribution::normal(None, None)?.to_string(), "normal");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn normal(mu: Option<Mu>, sigma: Option<Duration>) -> Result<Distribution, Error> {
        if sigma.is_some_and(Duration::is_zero) {
            return Err(Error::of("distribution.params.sigma", ValueError::Zero { what: "`sigma`" }));
        }
        Ok(Distribution { kind: Kind::Normal { mu, sigma: sigma.unwrap_or_default() } })
    }

    /// An exponential distribution truncated to the window, with rate `lambda` per window length.
    ///
    /// # Errors
    ///
    /// [`Number`](crate::ErrorCode::Number) unless lambda is finite and above 0.
    ///
    /// ```
    /// use kron_core::Distribution;
    /// use kron_core::draw::Direction;
    /// let distribution = Distribution::exponential(4.0, Direction::Late)?;
    /// assert_eq!(distribution.to_string(), "exponential,lambda=4,dir=late");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn exponential(lambda: f64, dir: Direction) -> Result<Distribution, Error> {
        positive("distribution.params.lambda", lambda)?;
        Ok(Distribution { kind: Kind::Exponential { lambda, dir } })
    }

    /// A distribution from its name and its parameters as text, as in a manifest.
    ///
    /// # Errors
    ///
    /// Names the parameter and the allowed range or words.
    ///
    /// ```
    /// use kron_core::{Distribution, Duration};
    /// let read = Distribution::from_params("normal", [("sigma", "15m")])?;
    /// assert_eq!(read, Distribution::normal(None, Some(Duration::parse("15m")?))?);
    /// let error = Distribution::from_params("normal", [("shape", "2")]).unwrap_err();
    /// assert_eq!(error.code(), kron_core::ErrorCode::Parameter);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn from_params<'a>(
        name: &str,
        params: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Distribution, Error> {
        let mut builder = Builder::new(name)?;
        for (key, value) in params {
            builder.set(key, value).map_err(|bad| match bad {
                BadParam::Key(error) => error.located(key),
                BadParam::Value(error) => error.located(value),
            })?;
        }
        Ok(builder.build())
    }

    /// The name.
    ///
    /// ```
    /// let distribution: kron_core::Distribution = "normal,sigma=15m".parse()?;
    /// assert_eq!(distribution.name().as_str(), "normal");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub const fn name(&self) -> DistributionName {
        match self.kind {
            Kind::Uniform => DistributionName::Uniform,
            Kind::SkewEarly { .. } => DistributionName::SkewEarly,
            Kind::SkewLate { .. } => DistributionName::SkewLate,
            Kind::Normal { .. } => DistributionName::Normal,
            Kind::Exponential { .. } => DistributionName::Exponential,
        }
    }

    /// The parameters that differ from their defaults, as text.
    ///
    /// ```
    /// use kron_core::Distribution;
    /// use kron_core::draw::{Direction, DistributionParam};
    /// let distribution = Distribution::exponential(8.0, Direction::Late)?;
    /// let params = [(DistributionParam::Lambda, "8".to_string()), (DistributionParam::Dir, "late".to_string())];
    /// assert_eq!(distribution.params(), params);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn params(&self) -> Vec<(DistributionParam, String)> {
        let mut params = Vec::new();
        match self.kind {
            Kind::Uniform => {}
            Kind::SkewEarly { shape } | Kind::SkewLate { shape } if shape == SHAPE => {}
            Kind::SkewEarly { shape } | Kind::SkewLate { shape } => {
                params.push((DistributionParam::Shape, decimal(shape)));
            }
            Kind::Normal { mu, sigma } => {
                params.extend(mu.map(|mu| (DistributionParam::Mu, mu.as_str().into())));
                params.extend(
                    (!sigma.is_zero()).then(|| (DistributionParam::Sigma, alloc::format!("{sigma}"))),
                );
            }
            Kind::Exponential { lambda, dir } => {
                params.extend((lambda != LAMBDA).then(|| (DistributionParam::Lambda, decimal(lambda))));
                params
                    .extend((dir != Direction::Early).then(|| (DistributionParam::Dir, dir.as_str().into())));
            }
        }
        params
    }

    /// The same distribution without the parameters that are the defaults for this window.
    pub(crate) fn normalized(mut self, window: Window) -> Distribution {
        match &mut self.kind {
            Kind::Normal { mu, sigma } => {
                *mu = mu.filter(|mu| *mu != default_mu(window.mode()));
                if sigma.as_nanos().checked_mul(6) == Some(window.duration().as_nanos()) {
                    *sigma = Duration::default();
                }
            }
            // Their defaults do not depend on the window.
            Kind::Uniform | Kind::SkewEarly { .. } | Kind::SkewLate { .. } | Kind::Exponential { .. } => {}
        }
        self
    }

    /// Whether `sha256-splitmix64/1` can compute it.
    pub(crate) const fn is_of_first_algorithm(&self) -> bool {
        match self.kind {
            Kind::Uniform | Kind::SkewEarly { .. } | Kind::SkewLate { .. } => true,
            Kind::Normal { .. } | Kind::Exponential { .. } => false,
        }
    }

    /// The probability that a draw lies before a position in a window, from 0 at its start to 1 at its end. It is for pictures: no
    /// decision uses it, and its last digits may change.
    ///
    /// ```
    /// use kron_core::{Distribution, Window};
    /// let before = Distribution::skew_early(2.0)?.cumulative(Window::after("1h")?);
    /// assert_eq!((before(0.25) * 1000.0).round(), 500.0); // half of the starts lie in the first quarter
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    // Compiled where it is called: one more call of the quantile functions in this crate costs each draw.
    #[inline]
    pub fn cumulative(&self, window: Window) -> impl Fn(f64) -> f64 + use<> {
        let (distribution, quantile) = (*self, self.quantile(window));
        move |position| {
            // The quantile function is monotone: halving finds where it reaches the position.
            let halve = |(before, half): (f64, f64), _| {
                let middle = before + half;
                (if quantile.at(&distribution, middle) < position { middle } else { before }, half / 2.0)
            };
            (0..48).fold((0.0, 0.5), halve).0
        }
    }

    /// Its quantile function over a window.
    pub(crate) fn quantile(&self, window: Window) -> Quantile {
        let Kind::Normal { mu, sigma } = self.kind else { return Quantile { normal: None } };
        let m = match (mu.unwrap_or(default_mu(window.mode())), window.mode()) {
            (Mu::Start, _) | (Mu::Nominal, WindowMode::After) => 0.0,
            (Mu::Mid, _) | (Mu::Nominal, WindowMode::Around) => 0.5,
            (Mu::End, _) | (Mu::Nominal, WindowMode::Before) => 1.0,
        };
        let s = if sigma.is_zero() {
            1.0 / 6.0
        } else {
            sigma.as_nanos() as f64 / window.duration().as_nanos() as f64
        };
        Quantile { normal: Some(Box::new(TruncatedNormal::new(m, s))) }
    }
}

fn default_mu(mode: WindowMode) -> Mu {
    match mode {
        WindowMode::Around => Mu::Nominal,
        WindowMode::After | WindowMode::Before => Mu::Mid,
    }
}

fn positive(path: &'static str, number: f64) -> Result<(), Error> {
    if number.is_finite() && number > 0.0 {
        return Ok(());
    }
    let text = Snippet::of(&alloc::format!("{number}"));
    Err(Error::of(path, ValueError::Number { text, range: "a finite number above 0" }))
}

/// The shortest decimal that reads back the same, with an exponent for very small and very large numbers.
fn decimal(number: f64) -> String {
    if (1e-5..1e16).contains(&number) { alloc::format!("{number}") } else { alloc::format!("{number:e}") }
}

/// Reads a decimal: digits with an optional point and an exponent of up to three digits; no sign, no words, no hex.
fn parse_decimal(path: &'static str, text: &str) -> Result<f64, Error> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))),
        None => (text, None),
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let well_formed = digits(whole)
        && digits(fraction)
        && !(whole.is_empty() && fraction.is_empty())
        && exponent.is_none_or(|exponent| digits(exponent) && (1..=3).contains(&exponent.len()));
    match text.parse::<f64>() {
        Ok(number) if well_formed && number.is_finite() && number > 0.0 => Ok(number),
        _ => {
            let kind =
                ValueError::Number { text: Snippet::of(text), range: "a finite decimal number above 0" };
            Err(Error::of(path, kind).at(0..text.len()))
        }
    }
}

/// Whether the key or the value of a parameter is wrong. The span of the error is within that word.
pub(crate) enum BadParam {
    Key(Error),
    Value(Error),
}

/// Collects parameters one by one, so that a parser can place each error.
pub(crate) struct Builder {
    name: DistributionName,
    params: Params,
    seen: Vec<DistributionParam>,
}

/// The values of the parameters that were given.
#[derive(Default)]
struct Params {
    shape: Option<f64>,
    mu: Option<Mu>,
    sigma: Option<Duration>,
    lambda: Option<f64>,
    dir: Option<Direction>,
}

impl Builder {
    pub(crate) fn new(name: &str) -> Result<Builder, Error> {
        let name = DistributionName::parse(name)?;
        Ok(Builder { name, params: Params::default(), seen: Vec::new() })
    }

    pub(crate) fn set(&mut self, key: &str, value: &str) -> Result<(), BadParam> {
        let known = self.name.params();
        let Some(param) = DistributionParam::from_word(key).filter(|param| known.contains(param)) else {
            let kind = ValueError::Parameter {
                text: Snippet::of(key),
                distribution: self.name.as_str(),
                allowed: known.iter().map(|param| param.as_str()).collect(),
            };
            return Err(BadParam::Key(Error::of("distribution.params", kind).at(0..key.len())));
        };
        if self.seen.contains(&param) {
            let kind = crate::error::TextError::RepeatedKey { text: Snippet::of(key) };
            return Err(BadParam::Key(Error::of("distribution.params", kind).at(0..key.len())));
        }
        self.seen.push(param);
        self.params.read(param, value).map_err(BadParam::Value)
    }

    pub(crate) fn build(self) -> Distribution {
        let Params { shape, mu, sigma, lambda, dir } = self.params;
        let shape = shape.unwrap_or(SHAPE);
        let kind = match self.name {
            DistributionName::Uniform => Kind::Uniform,
            DistributionName::SkewEarly => Kind::SkewEarly { shape },
            DistributionName::SkewLate => Kind::SkewLate { shape },
            DistributionName::Normal => Kind::Normal { mu, sigma: sigma.unwrap_or_default() },
            DistributionName::Exponential => {
                Kind::Exponential { lambda: lambda.unwrap_or(LAMBDA), dir: dir.unwrap_or_default() }
            }
        };
        Distribution { kind }
    }
}

impl Params {
    fn read(&mut self, param: DistributionParam, value: &str) -> Result<(), Error> {
        match param {
            DistributionParam::Shape => {
                self.shape = Some(parse_decimal("distribution.params.shape", value)?);
            }
            DistributionParam::Mu => self.mu = Some(Mu::parse(value)?),
            DistributionParam::Sigma => {
                let sigma = Duration::parse_field(value, "distribution.params.sigma")?;
                if sigma.is_zero() {
                    let kind = ValueError::Zero { what: "`sigma`" };
                    return Err(Error::of("distribution.params.sigma", kind).at(0..value.len()));
                }
                self.sigma = Some(sigma);
            }
            DistributionParam::Lambda => {
                self.lambda = Some(parse_decimal("distribution.params.lambda", value)?);
            }
            DistributionParam::Dir => self.dir = Some(Direction::parse(value)?),
        }
        Ok(())
    }
}

impl fmt::Display for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name().as_str())?;
        self.params().iter().try_for_each(|(key, value)| write!(f, ",{key}={value}"))
    }
}

impl fmt::Debug for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Distribution({self})")
    }
}

// OK because parameters are never NaN.
impl Eq for Distribution {}

impl Hash for Distribution {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
        match self.kind {
            Kind::Uniform => {}
            Kind::SkewEarly { shape } | Kind::SkewLate { shape } => shape.to_bits().hash(state),
            Kind::Normal { mu, sigma } => (mu, sigma).hash(state),
            Kind::Exponential { lambda, dir } => (lambda.to_bits(), dir).hash(state),
        }
    }
}

/// One draw: its uniform number, if it has exactly one, and its position in the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Draw {
    /// `None` for custom distributions, which take any number of words from the stream.
    pub(crate) u: Option<f64>,
    /// Position in the window, 0 to 1.
    pub(crate) position: f64,
}

pub(crate) mod sealed {
    use super::{Distribution, Draw, Quantile, Stream};

    pub trait Sample {
        /// Whether this is a distribution from outside Kron, so that decisions do not name an algorithm.
        const CUSTOM: bool;

        fn sample(&self, distribution: &Distribution, stream: &mut Stream) -> Draw;

        /// The quantile function, if a sample is that of one uniform number.
        fn quantile(&self) -> Option<&Quantile>;
    }
}

/// A function from a stream to positions in the window: the quantile function of a [`Distribution`], or a custom
/// distribution.
///
/// Sealed: [`Quantile`] and, with feature `rand_distr`, `Custom` implement it.
pub trait Sampler: sealed::Sample {}

/// The quantile function of a [`Distribution`] over a window, with its precomputed parts.
#[derive(Clone, Debug)]
pub struct Quantile {
    /// One pointer wide: most jobs have none.
    normal: Option<Box<TruncatedNormal>>,
}

impl Quantile {
    /// `Q(u)` for `u` from 0 to 1, itself from 0 to 1.
    #[inline]
    pub(crate) fn at(&self, distribution: &Distribution, u: f64) -> f64 {
        match distribution.kind {
            Kind::Uniform => u,
            Kind::SkewEarly { shape } => math::pow(u, shape),
            Kind::SkewLate { shape } => 1.0 - math::pow(1.0 - u, shape),
            Kind::Normal { .. } => self.normal.as_ref().map_or(u, |normal| normal.quantile(u)),
            Kind::Exponential { lambda, dir: Direction::Early } => exponential(lambda, u),
            Kind::Exponential { lambda, dir: Direction::Late } => 1.0 - exponential(lambda, 1.0 - u),
        }
    }
}

impl Sampler for Quantile {}

impl sealed::Sample for Quantile {
    const CUSTOM: bool = false;

    #[inline]
    fn sample(&self, distribution: &Distribution, stream: &mut Stream) -> Draw {
        let u = stream.uniform();
        Draw { u: Some(u), position: self.at(distribution, u) }
    }

    fn quantile(&self) -> Option<&Quantile> {
        Some(self)
    }
}

/// Quantile of the exponential distribution with rate `lambda`, truncated to [0, 1]: the inverse of
/// `F(x) = (1 - e^(-lambda x)) / (1 - e^(-lambda))`.
fn exponential(lambda: f64, u: f64) -> f64 {
    if u >= 1.0 {
        1.0
    } else if lambda < LAMBDA_UNIFORM {
        u
    } else {
        -math::ln_1p(u * math::expm1(-lambda)) / lambda
    }
}

/// The normal distribution with mean `m` and deviation `s` in window lengths, truncated to [0, 1].
///
/// Probabilities are stored as distances from the nearest of 0, 1/2 and 1, where floating-point numbers are dense. This
/// keeps the precision for a peak on a bound and for a deviation far larger or smaller than the window.
#[derive(Clone, Debug)]
struct TruncatedNormal {
    m: f64,
    s: f64,
    /// Phi - 1/2 at the window's start and end.
    center_start: f64,
    center_end: f64,
    /// Probability before the window's start and after its end.
    tail_start: f64,
    tail_end: f64,
}

/// Up to this distance of a probability from 1/2 AS 241 uses its central formula.
const CENTRAL: f64 = 0.425;

impl TruncatedNormal {
    fn new(m: f64, s: f64) -> TruncatedNormal {
        let (start, end) = (-m / s, (1.0 - m) / s);
        TruncatedNormal {
            m,
            s,
            center_start: math::normal_center(start),
            center_end: math::normal_center(end),
            tail_start: math::normal_tail(-start),
            tail_end: math::normal_tail(end),
        }
    }

    fn quantile(&self, u: f64) -> f64 {
        let mass = self.center_end - self.center_start;
        let (before, after) = (u * mass, (1.0 - u) * mass);
        // From the nearer end, so that a small distance from it is not lost in the sum.
        let center = if u <= 0.5 { self.center_start + before } else { self.center_end - after };
        let z = if center.abs() <= CENTRAL {
            math::normal_quantile_center(center)
        } else if center < 0.0 {
            -math::normal_quantile_tail(self.tail_start + before)
        } else {
            math::normal_quantile_tail(self.tail_end + after)
        };
        (self.m + self.s * z).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    fn parse(name: &str, params: &[(&'static str, &'static str)]) -> Result<Distribution, Error> {
        Distribution::from_params(name, params.iter().copied())
    }

    #[test]
    fn parameters_read_and_print() {
        let p = |name, params: &[_]| parse(name, params).unwrap().to_string();
        assert_eq!(p("skewEarly", &[("shape", "2.0")]), "skewEarly");
        assert_eq!(p("skewLate", &[("shape", ".5")]), "skewLate,shape=0.5");
        assert_eq!(p("skewLate", &[("shape", "1e-300")]), "skewLate,shape=1e-300");
        assert_eq!(p("skewLate", &[("shape", "1.5E+3")]), "skewLate,shape=1500");
        assert_eq!(p("exponential", &[("dir", "late")]), "exponential,dir=late");
        assert_eq!(p("exponential", &[("lambda", "1.")]), "exponential");
        assert_eq!(p("normal", &[("sigma", "90s"), ("mu", "end")]), "normal,mu=end,sigma=1m30s");
    }

    #[test]
    fn err_parameters() {
        let p = |name, params: &[_]| parse(name, params).unwrap_err().to_string();
        assert_eq!(
            p("gauss", &[]),
            "distribution.name: expected `uniform`, `normal`, `skewEarly`, `skewLate` or `exponential`, but found `gauss`"
        );
        assert_eq!(
            p("uniform", &[("shape", "2")]),
            "distribution.params: unknown parameter `shape` at column 1; `uniform` takes none"
        );
        assert_eq!(
            p("normal", &[("shape", "2")]),
            "distribution.params: unknown parameter `shape` at column 1; `normal` takes `mu` or `sigma`"
        );
        assert_eq!(
            p("skewLate", &[("shape", "2"), ("shape", "3")]),
            "distribution.params: key `shape` at column 1 appears twice"
        );
        for bad in [
            "0", "-1", "+1", "inf", "NaN", "0x1p3", "1e400", "1e-400", "", ".", "1e", "1e0001", "1 ", "1_0",
            "２",
        ] {
            let message = parse("skewLate", &[("shape", bad)]).unwrap_err().to_string();
            assert!(message.contains("is not a finite decimal number above 0"), "{bad}: {message}");
        }
        assert_eq!(
            p("normal", &[("mu", "Start")]),
            "distribution.params.mu: expected `nominal`, `start`, `mid` or `end`, but found `Start` at column 1; did you mean `start`?"
        );
        assert!(
            Distribution::skew_early(f64::NAN).is_err()
                && Distribution::exponential(0.0, Direction::Early).is_err()
        );
    }

    /// Every quantile function is monotone and stays in the window, whatever its parameters.
    #[test]
    fn quantiles_are_monotone_and_bounded() {
        let hour = Duration::from_secs(3600);
        let mut all = alloc::vec![Distribution::uniform()];
        for x in [1e-300, 1e-12, 1e-9, 0.3, 1.0, 2.0, 40.0, 800.0, 1e9, 1e300] {
            all.push(Distribution::skew_early(x).unwrap());
            all.push(Distribution::skew_late(x).unwrap());
            all.push(Distribution::exponential(x, Direction::Early).unwrap());
            all.push(Distribution::exponential(x, Direction::Late).unwrap());
        }
        for mu in [None, Some(Mu::Nominal), Some(Mu::Start), Some(Mu::Mid), Some(Mu::End)] {
            for sigma in [1, 1_000_000_000, 600_000_000_000, 3_600_000_000_000, i64::MAX] {
                all.push(Distribution::normal(mu, Duration::from_nanos(sigma)).unwrap());
            }
        }
        for distribution in all {
            for mode in [WindowMode::After, WindowMode::Around, WindowMode::Before] {
                let quantile = distribution.quantile(Window::new(mode, hour).unwrap());
                let mut last = 0.0;
                for i in 0..=2000 {
                    let u = f64::from(i) / 2000.0;
                    let x = quantile.at(&distribution, u);
                    assert!((0.0..=1.0).contains(&x), "{distribution} at {u}: {x}");
                    assert!(x >= last - 1e-15, "{distribution} at {u}: {x} after {last}");
                    last = x;
                }
            }
        }
    }

    /// The probability before a position is the inverse of the quantile function.
    #[test]
    fn cumulative_probabilities_invert_quantiles() {
        let window = Window::new(WindowMode::After, Duration::from_secs(3600)).unwrap();
        for text in
            ["uniform", "skewEarly,shape=3", "skewLate", "normal,mu=start", "exponential,lambda=8,dir=late"]
        {
            let distribution: Distribution = text.parse().unwrap();
            let (quantile, before) = (distribution.quantile(window), distribution.cumulative(window));
            for u in [0.001, 0.1, 0.5, 0.9, 0.999] {
                let found = before(quantile.at(&distribution, u));
                assert!((found - u).abs() < 1e-9, "{text} at {u}: {found}");
            }
            assert!(before(0.0) < 1e-9 && (before(1.0) - 1.0).abs() < 1e-7, "{text}");
        }
    }

    #[test]
    fn a_huge_sigma_is_uniform_and_a_tiny_one_is_a_point() {
        let window = Window::new(WindowMode::After, Duration::from_secs(3600)).unwrap();
        for mu in [Mu::Start, Mu::Mid, Mu::End] {
            let normal = |nanos| {
                let normal = Distribution::normal(Some(mu), Duration::from_nanos(nanos)).unwrap();
                let quantile = normal.quantile(window);
                move |u| quantile.at(&normal, u)
            };
            let (wide, narrow) = (normal(i64::MAX), normal(1));
            let peak = match mu {
                Mu::Start => 0.0,
                Mu::End => 1.0,
                _ => 0.5,
            };
            for i in 1..1000 {
                let u = f64::from(i) / 1000.0;
                assert!((wide(u) - u).abs() < 1e-9, "{mu} at {u}: {}", wide(u));
                assert!((narrow(u) - peak).abs() < 1e-9, "{mu} at {u}: {}", narrow(u));
            }
        }
    }
}
