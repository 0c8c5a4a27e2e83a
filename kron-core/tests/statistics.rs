//! Chosen times follow their distribution. Every test draws fixed seeds, so it always answers the same; the thresholds
//! are those a right implementation exceeds once in a million, and the sizes such that a wrong shape exceeds them by far.

use kron_core::{Job, JobSpec};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rand_distr::{Beta, Distribution, Exp, Normal, Uniform};

use crate::generators::DAY;

/// Draws of each test.
const N: usize = 20_000;
/// The probability of a false alarm, per test.
const P: f64 = 1e-6;

/// Critical value of the one-sample Kolmogorov-Smirnov statistic for large samples: sqrt(-ln(p/2) / 2n).
fn critical(n: f64) -> f64 {
    (-(P / 2.0).ln() / (2.0 * n)).sqrt()
}

/// Greatest distance between a sample's distribution function and a continuous one.
fn ks_one(sample: &mut [f64], cdf: impl Fn(f64) -> f64) -> f64 {
    sample.sort_by(f64::total_cmp);
    let n = sample.len() as f64;
    sample.iter().enumerate().fold(0.0, |greatest: f64, (i, x)| {
        let (below, above) = (i as f64 / n, (i + 1) as f64 / n);
        greatest.max((cdf(*x) - below).abs()).max((above - cdf(*x)).abs())
    })
}

/// Greatest distance between the distribution functions of two samples.
fn ks_two(a: &mut [f64], b: &mut [f64]) -> f64 {
    a.sort_by(f64::total_cmp);
    b.sort_by(f64::total_cmp);
    let (mut i, mut j, mut greatest) = (0, 0, 0.0f64);
    while i < a.len() && j < b.len() {
        let x = a[i].min(b[j]);
        while i < a.len() && a[i] <= x {
            i += 1;
        }
        while j < b.len() && b[j] <= x {
            j += 1;
        }
        greatest = greatest.max((i as f64 / a.len() as f64 - j as f64 / b.len() as f64).abs());
    }
    greatest
}

#[track_caller]
fn assert_follows(name: &str, sample: &mut [f64], cdf: impl Fn(f64) -> f64) {
    let (distance, limit) = (ks_one(sample, cdf), critical(sample.len() as f64));
    assert!(distance < limit, "{name}: {distance} of {limit}");
}

#[track_caller]
fn assert_same(name: &str, a: &mut [f64], b: &mut [f64]) {
    let n = (a.len() * b.len()) as f64 / (a.len() + b.len()) as f64;
    let (distance, limit) = (ks_two(a, b), critical(n));
    assert!(distance < limit, "{name}: {distance} of {limit}");
}

/// Seconds in the windows of these tests: of 24 hours, both ends included.
const S: f64 = 86_401.0;

/// The distribution function of a place that is spread evenly over its second: exact at bounds of seconds, straight in
/// between. Some shapes give a single second several percent of all starts.
fn by_seconds(cdf: impl Fn(f64) -> f64) -> impl Fn(f64) -> f64 {
    move |x| {
        let (second, part) = ((x * S).floor(), (x * S).fract());
        cdf(second / S) * (1.0 - part) + cdf(((second + 1.0) / S).min(1.0)) * part
    }
}

/// A place within the second that a position falls into, another one for each `i`.
fn within_second(x: f64, i: usize) -> f64 {
    ((x * S).floor() + ((i * 37 % 97) as f64 + 0.5) / 97.0) / S
}

/// Places in the window, from 0 to 1, spread over the chosen seconds, for that many names.
fn positions(text: &str, n: usize) -> Vec<f64> {
    let spec = JobSpec::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    (0..n)
        .map(|i| {
            let job = Job::new(format!("fleet/job-{i}"), spec.clone()).unwrap();
            let decision = job.decide(DAY * 20_000).unwrap();
            let (first, last) = (decision.window_start_timestamp(), decision.window_end_timestamp());
            let chosen = decision.chosen_timestamp().unwrap();
            assert_eq!((last - first + 1) as f64, S);
            within_second(((chosen - first) as f64 + 0.5) / S, i)
        })
        .collect()
}

fn phi(x: f64) -> f64 {
    libm::erfc(-x / std::f64::consts::SQRT_2) / 2.0
}

/// A distribution: its text, its exact distribution function on the window, and a sampler by other means.
struct Shape {
    text: &'static str,
    cdf: Box<dyn Fn(f64) -> f64>,
    sample: Box<dyn Fn(&mut ChaCha8Rng) -> f64>,
}

/// Draws until one lies in the window.
fn truncated<D: Distribution<f64> + 'static>(distribution: D) -> Box<dyn Fn(&mut ChaCha8Rng) -> f64> {
    Box::new(move |random| {
        loop {
            let x = distribution.sample(random);
            if (0.0..1.0).contains(&x) {
                return x;
            }
        }
    })
}

fn normal(text: &'static str, m: f64, s: f64) -> Shape {
    let (low, high) = (phi(-m / s), phi((1.0 - m) / s));
    let cdf = Box::new(move |x: f64| (phi((x - m) / s) - low) / (high - low));
    Shape { text, cdf, sample: truncated(Normal::new(m, s).unwrap()) }
}

fn exponential(text: &'static str, lambda: f64, late: bool) -> Shape {
    let early = move |x: f64| (-lambda * x).exp_m1() / (-lambda).exp_m1();
    let cdf = Box::new(move |x: f64| if late { 1.0 - early(1.0 - x) } else { early(x) });
    let sample = truncated(Exp::new(lambda).unwrap());
    let sample: Box<dyn Fn(&mut ChaCha8Rng) -> f64> =
        Box::new(move |random| if late { 1.0 - sample(random) } else { sample(random) });
    Shape { text, cdf, sample }
}

/// A power of a uniform number is a beta variate: u^p has the distribution function x^(1/p).
fn skew(text: &'static str, shape: f64, late: bool) -> Shape {
    let cdf =
        Box::new(move |x: f64| if late { 1.0 - (1.0 - x).powf(1.0 / shape) } else { x.powf(1.0 / shape) });
    let (a, b) = if late { (1.0, 1.0 / shape) } else { (1.0 / shape, 1.0) };
    Shape { text, cdf, sample: truncated(Beta::new(a, b).unwrap()) }
}

/// Windows are of a day, so that a second is far below what the tests can see.
fn shapes() -> Vec<Shape> {
    vec![
        Shape {
            text: "@win(after,24h)",
            cdf: Box::new(|x| x),
            sample: truncated(Uniform::new(0.0, 1.0).unwrap()),
        },
        Shape {
            text: "@win(before,24h) @alg(sha256-splitmix64/1)",
            cdf: Box::new(|x| x),
            sample: truncated(Uniform::new(0.0, 1.0).unwrap()),
        },
        skew("@win(after,24h) @dist(skewEarly)", 2.0, false),
        skew("@win(around,24h) @dist(skewEarly,shape=0.4)", 0.4, false),
        skew("@win(after,24h) @dist(skewEarly,shape=3.7) @alg(sha256-splitmix64/1)", 3.7, false),
        skew("@win(before,24h) @dist(skewLate)", 2.0, true),
        skew("@win(after,24h) @dist(skewLate,shape=5)", 5.0, true),
        skew("@win(after,24h) @dist(skewLate,shape=0.7) @alg(sha256-splitmix64/1)", 0.7, true),
        normal("@win(after,24h) @dist(normal)", 0.5, 1.0 / 6.0),
        normal("@win(around,24h) @dist(normal,sigma=2h)", 0.5, 1.0 / 12.0),
        normal("@win(after,24h) @dist(normal,mu=nominal,sigma=6h)", 0.0, 0.25),
        normal("@win(before,24h) @dist(normal,mu=nominal,sigma=6h)", 1.0, 0.25),
        normal("@win(before,24h) @dist(normal,mu=start,sigma=10h)", 0.0, 10.0 / 24.0),
        normal("@win(after,24h) @dist(normal,mu=end,sigma=100h)", 1.0, 100.0 / 24.0),
        exponential("@win(after,24h) @dist(exponential)", 1.0, false),
        exponential("@win(after,24h) @dist(exponential,lambda=8)", 8.0, false),
        exponential("@win(around,24h) @dist(exponential,lambda=3,dir=late)", 3.0, true),
        exponential("@win(before,24h) @dist(exponential,lambda=0.2,dir=late)", 0.2, true),
    ]
}

#[test]
fn every_distribution_has_a_shape() {
    let shapes = shapes();
    for name in kron_core::draw::DistributionName::ALL {
        let found = shapes.iter().any(|shape| {
            let spec = kron_core::JobSpec::parse(&format!("@daily {}", shape.text)).unwrap();
            spec.distribution().name() == *name
        });
        assert!(found, "{name}");
    }
}

#[test]
fn chosen_times_follow_the_exact_distribution() {
    for shape in shapes() {
        let text = format!("0 0 * * * {}", shape.text);
        assert_follows(shape.text, &mut positions(&text, N), by_seconds(shape.cdf));
    }
}

#[test]
fn chosen_times_follow_samples_of_rand_distr() {
    for (i, shape) in shapes().into_iter().enumerate() {
        let text = format!("0 0 * * * @seed(stable,salt=two) {}", shape.text);
        let mut random = ChaCha8Rng::seed_from_u64(i as u64);
        let mut theirs: Vec<f64> = (0..N).map(|i| within_second((shape.sample)(&mut random), i)).collect();
        assert_same(shape.text, &mut positions(&text, N), &mut theirs);
    }
}

/// The tests above can fail: each shape is distinguished from its neighbours.
#[test]
fn wrong_shapes_are_seen() {
    let mut uniform = positions("0 0 * * * @win(after,24h)", N);
    assert!(ks_one(&mut uniform, |x| x.powf(1.1)) > critical(N as f64));
    let mut skewed = positions("0 0 * * * @win(after,24h) @dist(skewEarly)", N);
    assert!(ks_one(&mut skewed, |x| x.powf(1.0 / 2.15)) > critical(N as f64));
    let mut bell = positions("0 0 * * * @win(after,24h) @dist(normal)", N);
    // A normal distribution clamped to the window, or of another sigma.
    assert!(ks_one(&mut bell, |x| phi((x - 0.5) * 5.5)) > critical(N as f64));
    let mut late = positions("0 0 * * * @win(after,24h) @dist(exponential,lambda=8)", N);
    // Not truncated: what lies beyond the window is missing.
    let mut untruncated = positions("0 0 * * * @win(after,24h) @dist(exponential)", N);
    assert!(ks_one(&mut untruncated, |x| -(-x).exp_m1()) > critical(N as f64));
    assert!(ks_one(&mut late, |x| -(-7.5 * x).exp_m1()) > critical(N as f64));
}

/// Under constraints that leave a good part of the window, chosen times have the conditional distribution.
#[test]
fn constrained_times_follow_the_conditional_distribution() {
    // Hours of the day as places in the window, which begins at midnight UTC and ends with the first second of the next.
    let hours = |low: u32, high: u32| (f64::from(low) * 3600.0 / S, f64::from(high) * 3600.0 / S);
    for (rule, parts) in [
        ("@only(hours=3-8,15-20)", vec![hours(3, 9), hours(15, 21)]),
        ("@avoid(hours=6-17)", vec![hours(0, 6), (hours(18, 0).0, 1.0)]),
        (
            "@only(hours=2-9) @avoid(between=04:00-04:59) @only(hours=20-22)",
            vec![hours(2, 4), hours(5, 10), hours(20, 23)],
        ),
    ] {
        for (i, shape) in shapes().into_iter().enumerate() {
            // Windows that begin at midnight only.
            if !shape.text.contains("after") {
                continue;
            }
            let text = format!("0 0 * * * {} {rule}", shape.text);
            let mass: f64 = parts.iter().map(|(low, high)| (shape.cdf)(*high) - (shape.cdf)(*low)).sum();
            assert!((1.0 - mass).powi(64) < 1e-3, "so little that the closed-up choice would matter: {text}");
            let cdf = |x: f64| -> f64 {
                parts
                    .iter()
                    .map(|(low, high)| (shape.cdf)(x.clamp(*low, *high)) - (shape.cdf)(*low))
                    .sum::<f64>()
                    / mass
            };
            let mut ours = positions(&text, N);
            assert_follows(&text, &mut ours, by_seconds(cdf));

            let mut random = ChaCha8Rng::seed_from_u64(1000 + i as u64);
            let mut theirs: Vec<f64> = std::iter::repeat_with(|| (shape.sample)(&mut random))
                .filter(|x| parts.iter().any(|(low, high)| (*low..*high).contains(x)))
                .take(N)
                .enumerate()
                .map(|(i, x)| within_second(x, i))
                .collect();
            assert_same(&text, &mut ours, &mut theirs);
        }
    }
}

/// Where so little is allowed that 64 draws miss it, the allowed seconds, closed up, are the window.
#[test]
fn closed_up_times_follow_the_distribution_over_what_is_allowed() {
    for shape in shapes() {
        if shape.text.contains("sha256") {
            continue;
        }
        // Two pieces of a minute, far apart: 120 seconds of 86,401.
        let text = format!("0 0 * * * {} @only(between=05:00-05:00,17:00-17:00)", shape.text);
        let spec = JobSpec::parse(&text).unwrap();
        let mut ranks = Vec::new();
        for i in 0.. {
            let job = Job::new(format!("closed/{i}"), spec.clone()).unwrap();
            let decision = job.decide(DAY * 20_000).unwrap();
            if decision.draws() < 65 {
                continue;
            }
            let explanation = job.explain(DAY * 20_000).unwrap();
            assert_eq!(explanation.allowed, 120);
            let chosen = decision.chosen_timestamp().unwrap();
            let runs = &explanation.allowed_runs;
            let rank = if chosen < runs[1].0 { chosen - runs[0].0 } else { 60 + chosen - runs[1].0 };
            // Spread over its second, so that the sample is almost continuous.
            ranks.push((rank as f64 + (f64::from(i % 97) + 0.5) / 97.0) / 120.0);
            if ranks.len() == 4000 {
                break;
            }
        }
        // Within a second the density is taken as constant: compare at the bounds of seconds only.
        let cdf = |x: f64| {
            let (low, part) = ((x * 120.0).floor() / 120.0, (x * 120.0).fract());
            (shape.cdf)(low) * (1.0 - part) + (shape.cdf)((low + 1.0 / 120.0).min(1.0)) * part
        };
        assert_follows(&text, &mut ranks, cdf);
    }
}

/// Pearson's correlation of two samples.
fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len() as f64;
    let (mean_a, mean_b) = (a.iter().sum::<f64>() / n, b.iter().sum::<f64>() / n);
    let sum =
        |f: &dyn Fn(f64, f64) -> f64| a.iter().zip(b).map(|(x, y)| f(x - mean_a, y - mean_b)).sum::<f64>();
    sum(&|x, y| x * y) / (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt()
}

/// Five standard deviations of the correlation of independent samples.
#[track_caller]
fn assert_independent(name: &str, a: &[f64], b: &[f64]) {
    let found = correlation(a, b);
    assert!(found.abs() < 5.0 / (a.len() as f64).sqrt(), "{name}: {found}");
}

/// A fleet with one schedule is spread evenly: over minutes, and over seconds of the minute.
#[test]
fn a_fleet_is_spread_evenly() {
    let spec = JobSpec::parse("0 0 * * * @win(after,59m59s)").unwrap();
    let (mut minutes, mut seconds) = ([0u32; 60], [0u32; 60]);
    let n = 60_000;
    for i in 0..n {
        let job = Job::new(format!("team-{}/backup-{}", i % 40, i / 40), spec.clone()).unwrap();
        let decision = job.decide(DAY * 20_000).unwrap();
        let offset = decision.chosen_timestamp().unwrap() - decision.nominal_timestamp();
        minutes[usize::try_from(offset / 60).unwrap()] += 1;
        seconds[usize::try_from(offset % 60).unwrap()] += 1;
    }
    for counts in [minutes, seconds] {
        let expected = f64::from(n) / 60.0;
        let chi: f64 = counts.iter().map(|count| (f64::from(*count) - expected).powi(2) / expected).sum();
        // 59 degrees of freedom: 1e-6 beyond 125, and not suspiciously even either.
        assert!((20.0..125.0).contains(&chi), "{chi}");
    }
}

/// Jobs with names alike, salts alike, neighbouring periods: none of their draws says anything about another.
#[test]
fn draws_are_independent() {
    for algorithm in ["siphash-chacha8/1", "sha256-splitmix64/1"] {
        let job = |name: &str, seed: &str| {
            Job::parse(name, &format!("0 * * * * @win(after,59m) @seed({seed}) @alg({algorithm})")).unwrap()
        };
        let offsets = |job: &Job| -> Vec<f64> {
            job.periods(0..5000 * 3600)
                .map(|period| (period.chosen_timestamp().unwrap() - period.nominal_timestamp()) as f64)
                .collect()
        };
        let first = offsets(&job("db/backup-1", "stable"));
        assert_eq!(first.len(), 5000);
        assert_independent("names", &first, &offsets(&job("db/backup-2", "stable")));
        assert_independent("salts", &first, &offsets(&job("db/backup-1", "stable,salt=1")));
        assert_independent("neighbours", &first[1..], &first[..4999]);
        assert_independent("days", &first[24..], &first[..4976]);
        for (strategy, shared) in [("daily", 24), ("weekly", 168)] {
            let offsets = offsets(&job("db/backup-1", strategy));
            // Epoch was a Thursday: the first whole week begins four days later.
            let skip = if strategy == "weekly" { 96 } else { 0 };
            let groups: Vec<&[f64]> = offsets[skip..].chunks_exact(shared).collect();
            assert!(groups.iter().all(|group| group.iter().all(|offset| offset == &group[0])), "{strategy}");
            let heads: Vec<f64> = groups.iter().map(|group| group[0]).collect();
            let distinct: std::collections::BTreeSet<u64> = heads.iter().map(|head| head.to_bits()).collect();
            assert!(
                distinct.len() * 10 > heads.len() * 9,
                "{strategy}: {} of {}",
                distinct.len(),
                heads.len()
            );
            assert_independent(strategy, &heads[1..], &heads[..heads.len() - 1]);
            // Another strategy is another draw, although the name is the same.
            assert_independent("strategies", &offsets, &first);
        }
    }
}

#[cfg(feature = "rand_distr")]
mod custom {
    use super::*;

    fn sample_of<S, D: kron_core::draw::Sampler>(job: &Job<S, D>, n: i64) -> Vec<f64> {
        (0..n)
            .map(|i| {
                let decision = job.decide(i * DAY).unwrap();
                assert_eq!(decision.algorithm(), "custom");
                let (first, last) = (decision.window_start_timestamp(), decision.window_end_timestamp());
                ((decision.chosen_timestamp().unwrap() - first) as f64 + 0.5) / (last - first + 1) as f64
            })
            .collect()
    }

    #[test]
    fn a_custom_distribution_is_followed() {
        for (a, b) in [(2.0, 5.0), (0.6, 0.6), (8.0, 2.0)] {
            let beta = Beta::new(a, b).unwrap();
            let job = Job::parse("web/cache", "@daily @win(after,12h)").unwrap().with_distribution(beta);
            let mut random = ChaCha8Rng::seed_from_u64(7);
            let mut theirs: Vec<f64> = (0..N).map(|_| beta.sample(&mut random)).collect();
            assert_same("beta", &mut sample_of(&job, N as i64), &mut theirs);
        }
    }

    #[test]
    fn a_custom_distribution_obeys_constraints() {
        let beta = Beta::new(2.0, 5.0).unwrap();
        let text = "@daily @win(after,12h) @only(hours=2,3,7,8)";
        let job = Job::parse("web/cache", text).unwrap().with_distribution(beta);
        let mut random = ChaCha8Rng::seed_from_u64(8);
        let allowed = |x: &f64| matches!((x * 12.0) as u32, 2 | 3 | 7 | 8);
        let mut theirs: Vec<f64> =
            std::iter::repeat_with(|| beta.sample(&mut random)).filter(allowed).take(N).collect();
        assert_same("beta", &mut sample_of(&job, N as i64), &mut theirs);

        // What is drawn under the algorithm of the spec makes no difference: it is replaced.
        let old = Job::parse("web/cache", &format!("{text} @alg(sha256-splitmix64/1)"))
            .unwrap()
            .with_distribution(beta);
        assert_eq!(old.decide(0), job.decide(0));
        let why = job.explain(5 * DAY).unwrap();
        assert!(why.draws.iter().all(|draw| draw.u.is_none()));
        assert_eq!(why.decision, job.decide(5 * DAY).unwrap());
        // The closed-up choice too.
        let narrow = Job::parse("web/cache", "@daily @win(after,12h) @only(between=11:50-11:50)").unwrap();
        let narrow = narrow.with_distribution(beta);
        let decision = narrow.decide(0).unwrap();
        assert_eq!(decision.draws(), 65);
        assert!((42_600..42_660).contains(&decision.chosen_timestamp().unwrap()));
        assert!(narrow.explain(0).unwrap().closed_up.unwrap().u.is_none());
    }

    /// A second decision would draw again.
    #[test]
    fn an_explanation_decides_once() {
        struct Counted<'a>(&'a std::cell::Cell<u8>);
        impl Distribution<f64> for Counted<'_> {
            fn sample<R: rand_chacha::rand_core::Rng + ?Sized>(&self, random: &mut R) -> f64 {
                self.0.set(self.0.get() + 1);
                Uniform::new(0.0, 1.0).unwrap().sample(random)
            }
        }
        let count = std::cell::Cell::new(0);
        let job = Job::parse("web/cache", "@daily @win(after,12h) @only(hours=3)").unwrap();
        let job = job.with_distribution(Counted(&count));
        let explanation = job.explain(0).unwrap();
        assert_eq!(count.get(), explanation.decision.draws());
    }

    /// Samples outside [0, 1] are held in the window.
    #[test]
    fn a_custom_distribution_may_leave_the_unit_interval() {
        let job = |mean: f64| {
            let job = Job::parse("web/cache", "@daily @win(after,1h)").unwrap();
            job.with_distribution(Normal::new(mean, 1e-3).unwrap())
        };
        assert_eq!(job(-5.0).decide(0).unwrap().chosen_timestamp(), Some(0));
        assert_eq!(job(5.0).decide(0).unwrap().chosen_timestamp(), Some(3600));
        assert_eq!(job(f64::NAN).decide(0).unwrap().chosen_timestamp(), Some(0));
        assert_eq!(job(5.0).next_start(0).unwrap().chosen_timestamp(), Some(3600));
    }
}
