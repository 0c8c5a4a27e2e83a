//! Lower bounds of the peak, by weights of buckets.
//!
//! Let each bucket have a weight. For any draw, each start adds at least the least weight in its window, and periods
//! that share a draw add at least the least sum for one place of their windows. So the sum over all starts is at least
//! the sum of these, and it is at most the peak times the sum of the weights. Any weights give a bound; checking it
//! needs only the weights.

use alloc::vec;
use alloc::vec::Vec;

use super::class::Class;
use super::interval::{densest, usable};
use super::minima::Minima;
use crate::forecast::ForecastRange;
use crate::limits::SPREAD_BOUND_WORK;

/// The greatest weight.
const WEIGHT: f64 = 1000.0;
/// Steps of the iteration that finds weights.
const STEPS: usize = 60;
/// How steeply the weights fall with the distance from the greatest load.
const STEEP: f64 = 40.0;

/// Some buckets in a row and the weight that each of them has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BucketWeight {
    /// The first bucket.
    pub first: usize,
    /// The last bucket.
    pub last: usize,
    /// The weight of each of them, above zero.
    pub weight: u32,
}

/// A number of starts that some bucket has, whatever salts the jobs have; with the weights that prove it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PeakBound {
    /// Some bucket has at least this many starts.
    pub peak: u64,
    /// The weights of buckets, in order; all other buckets have the weight 0.
    pub weights: Vec<BucketWeight>,
}

/// Finds bounds for the same classes.
#[derive(Debug)]
pub(super) struct Bounds<'a> {
    classes: &'a [Class],
    /// The starts that are there already, in each bucket; none of them if it is empty.
    base: &'a [u32],
    range: &'a ForecastRange,
    usable: Vec<bool>,
    /// The most buckets that a run of allowed seconds reaches into.
    longest: usize,
    pub(super) best: PeakBound,
    /// One of so many parts of the work is done.
    pub(super) share: usize,
}

impl<'a> Bounds<'a> {
    /// The bounds of all usable buckets and of the densest interval.
    pub(super) fn new<E>(
        classes: &'a [Class],
        base: &'a [u32],
        range: &'a ForecastRange,
        check: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<Bounds<'a>, E> {
        let usable = usable(classes, range);
        let seconds = classes.iter().map(|class| class.seconds).max().unwrap_or(0);
        // OK because a window has at most 366 days.
        let longest = (seconds / range.per_seconds()) as usize + 2;
        let mut bounds =
            Bounds { classes, base, range, usable, longest, best: PeakBound::default(), share: 1 };
        // What is there already is a bound by itself.
        if let Some((bucket, most)) =
            (base.iter().enumerate()).max_by_key(|(_, starts)| **starts).filter(|(_, most)| **most > 0)
        {
            let weights = vec![BucketWeight { first: bucket, last: bucket, weight: 1 }];
            bounds.best = PeakBound { peak: (*most).into(), weights };
        }
        bounds.try_weights(&|_| 1, check)?;
        if let Some((first, last)) = densest(classes, &bounds.usable, range) {
            bounds.try_weights(&|bucket| u32::from((first..=last).contains(&bucket)), check)?;
        }
        Ok(bounds)
    }

    /// The highest bound so far.
    pub(super) fn peak(&self) -> u32 {
        // OK because starts are counted in 32 bits.
        self.best.peak as u32
    }

    /// Tries the buckets that are full in a good choice: if no start can leave them, they prove that no choice is
    /// better.
    pub(super) fn try_loads<E>(
        &mut self,
        loads: &[u32],
        check: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let peak = loads.iter().copied().max().unwrap_or(0);
        for below in [0, 1, 2, peak / 50, peak / 20, peak / 10] {
            if self.best.peak >= peak.into() {
                return Ok(());
            }
            self.try_weights(&|bucket| u32::from(loads[bucket] >= peak - below.min(peak)), check)?;
        }
        let loads: Vec<f64> = loads.iter().copied().map(f64::from).collect();
        for steep in [4.0, 16.0, 64.0] {
            self.try_weights(&exponential(&loads, steep), check)?;
        }
        // Full hours are tried before full minutes: a start that cannot leave its hour can often leave its minute.
        for hours in [12, 3, 1] {
            let mut means = self.means(&loads, hours);
            let most = means.iter().copied().fold(0.0, f64::max);
            for below in [0.005, 0.01, 0.02, 0.04, 0.08, 0.15] {
                if self.best.peak >= peak.into() {
                    return Ok(());
                }
                self.try_weights(&|bucket| u32::from(means[bucket] >= most * (1.0 - below)), check)?;
            }
            if hours == 1 {
                self.learn(&mut means, peak.into(), check)?;
            }
        }
        Ok(())
    }

    /// The mean of the loads around each bucket, over some hours.
    fn means(&self, loads: &[f64], hours: i64) -> Vec<f64> {
        // OK because a bucket has at most an hour.
        let half = (hours * 1800 / self.range.per_seconds()) as usize;
        let mut sums = vec![0.0];
        for load in loads {
            sums.push(sums.last().unwrap_or(&0.0) + load);
        }
        let mean = |bucket: usize| {
            let (first, end) = (bucket.saturating_sub(half), (bucket + half + 1).min(loads.len()));
            (sums[end] - sums[first]) / (end - first) as f64
        };
        (0..loads.len()).map(mean).collect()
    }

    /// Tries weights of an iteration: all starts go where the weights are least, which makes the weights there greater.
    /// The mean of the loads has heavy buckets where starts cannot avoid them.
    fn learn<E>(
        &mut self,
        loads: &mut [f64],
        peak: u64,
        check: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let is_grouped = |class: &Class| class.placed.is_some() || class.groups.len() < class.whole.len();
        let grouped = self.classes.iter().any(is_grouped);
        let places = |class: &Class| {
            let placed = class.tables().iter().map(|starts| starts.len()).sum::<usize>();
            class.len() * (class.seconds / self.range.per_seconds() + 2) as usize + placed
        };
        let work = self.classes.iter().map(places).fold(1, usize::saturating_add);
        // Where no periods share a draw, the densest interval has the best bound already, apart from holes in windows.
        let steps = if grouped { (SPREAD_BOUND_WORK / self.share / work).min(STEPS / self.share) } else { 0 };
        for step in 0..steps {
            if self.best.peak >= peak {
                return Ok(());
            }
            let Some(table) = self.try_weights(&exponential(loads, STEEP), check)? else { return Ok(()) };
            let mut answer: Vec<f64> = self.base.iter().copied().map(f64::from).collect();
            answer.resize(loads.len(), 0.0);
            for class in self.classes {
                check()?;
                table.answer(class, &mut answer);
            }
            let share = 1.0 / (step + 8) as f64;
            loads.iter_mut().zip(&answer).for_each(|(load, answer)| *load += share * (answer - *load));
        }
        Ok(())
    }

    /// Keeps the bound of these weights if it is higher.
    fn try_weights<E>(
        &mut self,
        weight: &dyn Fn(usize) -> u32,
        check: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<Option<Minima>, E> {
        let weights = self.usable.iter().enumerate();
        let weights: Vec<u32> =
            weights.map(|(bucket, usable)| if *usable { weight(bucket) } else { 0 }).collect();
        let all: u128 = weights.iter().map(|weight| u128::from(*weight)).sum();
        if all == 0 {
            return Ok(None);
        }
        let products =
            weights.iter().zip(self.base).map(|(weight, base)| u128::from(*weight) * u128::from(*base));
        let mut sum: u128 = products.sum();
        let table = Minima::new(weights, self.longest, self.range);
        for class in self.classes {
            check()?;
            sum += u128::from(class.members) * table.least(class);
        }
        // OK because it is at most the number of starts.
        let peak = sum.div_ceil(all) as u64;
        if peak > self.best.peak {
            self.best = PeakBound { peak, weights: runs(table.weights()) };
        }
        Ok(Some(table))
    }
}

/// Weights that fall with the distance of a load from the greatest one.
fn exponential(loads: &[f64], steep: f64) -> impl Fn(usize) -> u32 {
    let peak = loads.iter().copied().fold(1.0, f64::max);
    // OK because the weight is at most WEIGHT.
    move |bucket| (WEIGHT * libm::exp(steep * (loads[bucket] - peak) / peak) + 0.5) as u32
}

/// Merges equal neighbours, without those that are 0.
pub(super) fn runs(weights: &[u32]) -> Vec<BucketWeight> {
    let mut runs: Vec<BucketWeight> = Vec::new();
    for (bucket, weight) in weights.iter().copied().enumerate().filter(|(_, weight)| *weight > 0) {
        match runs.last_mut() {
            Some(run) if run.weight == weight && run.last + 1 == bucket => run.last = bucket,
            _ => runs.push(BucketWeight { first: bucket, last: bucket, weight }),
        }
    }
    runs
}
