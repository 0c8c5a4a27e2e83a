//! The choice in a window in which constraints allow few seconds.
//!
//! If many draws are forbidden, it is cheaper to list the allowed seconds of the whole window as runs. The list shows
//! whether a candidate is allowed, and how many seconds the closed-up choice has. The result is the same as with draws
//! that are checked one by one.

use crate::constraint::{Allowed, Run};
use crate::decision::choice::{Candidates, pick};
use crate::draw::stream::Stream;

/// Most runs in a list. Of a stretch with more runs, only the beginning is listed.
const RUNS: usize = 64;

/// The allowed seconds of a stretch of time, as runs in order.
#[derive(Debug)]
pub(crate) struct Runs {
    /// The stretch, both ends included. It is empty (its end is before its beginning) until the first list is made.
    first: i64,
    last: i64,
    runs: [Run; RUNS],
    length: usize,
}

impl Runs {
    pub(crate) const NONE: Runs =
        Runs { first: 0, last: -1, runs: [Run { first: 0, last: 0 }; RUNS], length: 0 };

    /// Lists the runs of a stretch, as far as they fit. It changes the list in place, because a copy of a kilobyte
    /// takes long.
    pub(crate) fn fill(&mut self, allowed: &Allowed<'_>) {
        (self.first, self.last, self.length) = (allowed.first, allowed.last, 0);
        allowed.each_run(|run| {
            let Some(slot) = self.runs.get_mut(self.length) else {
                self.last = run.first - 1;
                return false;
            };
            *slot = run;
            self.length += 1;
            true
        });
    }

    /// The list for a window; `None` unless the window lies in the stretch.
    #[inline]
    pub(crate) fn window(&self, first: i64, last: i64) -> Option<WindowRuns<'_>> {
        if first < self.first || last > self.last {
            return None;
        }
        let all = &self.runs[..self.length];
        let (from, until) =
            (all.partition_point(|run| run.last < first), all.partition_point(|run| run.first <= last));
        Some(WindowRuns { first, last, runs: &all[from..until] })
    }
}

/// The allowed seconds of a window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WindowRuns<'a> {
    first: i64,
    last: i64,
    /// The first and the last run may extend beyond the window.
    runs: &'a [Run],
}

impl WindowRuns<'_> {
    /// How many there are.
    pub(crate) fn count(&self) -> u64 {
        self.inside().map(Run::seconds).sum()
    }

    /// The `index`-th one in order, from 0.
    pub(crate) fn nth(&self, mut index: u64) -> Option<i64> {
        for run in self.inside() {
            if index < run.seconds() {
                // OK because the index lies within the run.
                return Some(run.first + index as i64);
            }
            index -= run.seconds();
        }
        None
    }

    fn inside(&self) -> impl Iterator<Item = Run> {
        let (first, last) = (self.first, self.last);
        self.runs.iter().map(move |run| Run { first: run.first.max(first), last: run.last.min(last) })
    }

    /// Whether a second of the window is allowed; if not, the number of the gap it lies in.
    fn gap_of(&self, second: i64) -> Result<(), usize> {
        let before = self.runs.partition_point(|run| run.last < second);
        match self.runs.get(before) {
            Some(run) if run.first <= second => Ok(()),
            _ => Err(before),
        }
    }

    /// Whether the neighbours of a second of a gap lie in it too.
    fn is_inside(&self, gap: usize, second: i64) -> bool {
        let before = gap.checked_sub(1).and_then(|before| self.runs.get(before));
        let after = self.runs.get(gap);
        before.is_none_or(|run| run.last < second - 1) && after.is_none_or(|run| second + 1 < run.first)
    }
}

/// Candidates of a window whose allowed seconds are listed, of a distribution that has a quantile function.
pub(crate) struct ByRuns<'a, 's, P> {
    sieve: Sieve<'a>,
    /// The quantile function: the position of a uniform number in the window.
    position: P,
    stream: &'s mut Stream,
}

impl<'a, 's, P: Fn(f64) -> f64> ByRuns<'a, 's, P> {
    pub(crate) fn new(window: WindowRuns<'a>, position: P, stream: &'s mut Stream) -> ByRuns<'a, 's, P> {
        ByRuns { sieve: Sieve::new(window), position, stream }
    }
}

impl<P: Fn(f64) -> f64> Candidates for ByRuns<'_, '_, P> {
    fn draw(&mut self) -> Option<i64> {
        let WindowRuns { first, last, .. } = self.sieve.window;
        // OK because the window's last candidate is not before its first.
        let candidates = (last - first + 1) as u64;
        self.sieve.pass(self.stream.uniform(), |u| first + pick((self.position)(u), candidates))
    }

    fn allowed(&self) -> u64 {
        self.sieve.window.count()
    }

    fn draw_allowed(&mut self, allowed: u64) -> i64 {
        // OK because the index picked is below the count.
        let index = pick((self.position)(self.stream.uniform()), allowed) as u64;
        self.sieve.window.nth(index).unwrap_or(self.sieve.window.first)
    }
}

/// Recognizes most forbidden draws by their uniform numbers alone.
///
/// Quantile functions are monotone: between two numbers that fall into one gap, all numbers do. Rounding can break this
/// in the last bits only, by far less than a second, so a number counts only if the neighbours of its second lie in the
/// gap too. This avoids a power or a logarithm for nearly every draw.
struct Sieve<'a> {
    window: WindowRuns<'a>,
    /// For each gap the least and the greatest number known to fall into it.
    gaps: [(f64, f64); RUNS + 1],
}

impl<'a> Sieve<'a> {
    fn new(window: WindowRuns<'a>) -> Sieve<'a> {
        let mut gaps = [(f64::INFINITY, f64::NEG_INFINITY); RUNS + 1];
        // A gap at the beginning of the window has all numbers below one of its numbers; likewise at the end.
        gaps[0].0 = f64::NEG_INFINITY;
        gaps[window.runs.len()].1 = f64::INFINITY;
        Sieve { window, gaps }
    }

    /// The second of a draw if it is allowed. `candidate` computes the second of a number.
    fn pass(&mut self, u: f64, candidate: impl FnOnce(f64) -> i64) -> Option<i64> {
        // All gaps are compared: which one matches is random, so a branch would be mispredicted.
        let known = self.gaps[..=self.window.runs.len()].iter();
        if known.fold(false, |known, (least, greatest)| known | (*least <= u) & (u <= *greatest)) {
            return None;
        }
        let second = candidate(u);
        let gap = match self.window.gap_of(second) {
            Ok(()) => return Some(second),
            Err(gap) => gap,
        };
        if self.window.is_inside(gap, second) {
            let (least, greatest) = &mut self.gaps[gap];
            (*least, *greatest) = (least.min(u), greatest.max(u));
        }
        None
    }
}
