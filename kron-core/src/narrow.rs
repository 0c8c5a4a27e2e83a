//! The choice in a window of which constraints leave little.
//!
//! Where draw after draw is forbidden, it pays to look at the window as a whole: its allowed seconds as a short list of runs
//! tell at once whether a candidate is allowed, and how many seconds the closed-up choice has. What is chosen is what
//! drawing and asking one by one would choose.

use crate::constraint::{Allowed, Run};

/// Windows of more runs are not looked at as a whole.
const RUNS: usize = 64;

/// The allowed seconds of a window, as runs in order.
pub(crate) struct Runs {
    first: i64,
    last: i64,
    runs: [Run; RUNS],
    length: usize,
}

impl Runs {
    pub(crate) const NONE: Runs =
        Runs { first: 0, last: 0, runs: [Run { first: 0, last: 0 }; RUNS], length: 0 };

    /// Puts those of a window here, and says whether they fit. In place, as a kilobyte is long to move.
    pub(crate) fn fill(&mut self, allowed: &Allowed<'_>) -> bool {
        (self.first, self.last, self.length) = (allowed.first, allowed.last, 0);
        let mut fit = true;
        allowed.each_run(|run| {
            fit = self.length < RUNS;
            if let Some(slot) = self.runs.get_mut(self.length) {
                *slot = run;
                self.length += 1;
            }
            fit
        });
        fit
    }

    /// How many seconds there are.
    pub(crate) fn count(&self) -> u64 {
        self.all().iter().map(|run| run.seconds()).sum()
    }

    /// The `index`-th second in order, from 0.
    pub(crate) fn nth(&self, mut index: u64) -> Option<i64> {
        for run in self.all() {
            if index < run.seconds() {
                // OK because the index lies within the run.
                return Some(run.first + index as i64);
            }
            index -= run.seconds();
        }
        None
    }

    /// Whether a second of the window is allowed; if not, the number of the gap it lies in.
    fn gap_of(&self, second: i64) -> Result<(), usize> {
        let before = self.all().iter().take_while(|run| run.last < second).count();
        match self.all().get(before) {
            Some(run) if run.first <= second => Ok(()),
            _ => Err(before),
        }
    }

    /// Whether a second and both its neighbours, as far as they are in the window, lie in a gap.
    fn is_inside(&self, gap: usize, second: i64) -> bool {
        let allowed =
            |second: i64| (self.first..=self.last).contains(&second) && self.gap_of(second) != Err(gap);
        !allowed(second - 1) && !allowed(second + 1)
    }

    fn all(&self) -> &[Run] {
        &self.runs[..self.length]
    }
}

/// Tells most forbidden draws by their uniform numbers alone.
///
/// Quantile functions rise: between two numbers that fall into one gap, all do. As computed they rise but for their last
/// bits, far less than a second, so a number only counts if its second's neighbours lie in the gap too. That spares a
/// power or a logarithm for nearly every draw.
pub(crate) struct Sieve<'a> {
    runs: &'a Runs,
    /// For each gap the least and the greatest number known to fall into it.
    gaps: [(f64, f64); RUNS + 1],
}

impl<'a> Sieve<'a> {
    pub(crate) fn new(runs: &'a Runs) -> Sieve<'a> {
        let mut gaps = [(f64::INFINITY, f64::NEG_INFINITY); RUNS + 1];
        // Whatever is less than a number in the first gap is there too, if there is such a gap; likewise at the end.
        gaps[0].0 = f64::NEG_INFINITY;
        gaps[runs.length].1 = f64::INFINITY;
        Sieve { runs, gaps }
    }

    /// Whether a draw is allowed, and then its second. `candidate` tells the second of a number.
    pub(crate) fn pass(&mut self, u: f64, candidate: impl FnOnce(f64) -> i64) -> Option<i64> {
        // All are asked, because which one answers is random and a branch would be predicted wrongly.
        let known = self.gaps[..=self.runs.length].iter();
        if known.fold(false, |known, (least, greatest)| known | (*least <= u) & (u <= *greatest)) {
            return None;
        }
        let second = candidate(u);
        let gap = match self.runs.gap_of(second) {
            Ok(()) => return Some(second),
            Err(gap) => gap,
        };
        if self.runs.is_inside(gap, second) {
            let (least, greatest) = &mut self.gaps[gap];
            (*least, *greatest) = (least.min(u), greatest.max(u));
        }
        None
    }
}
