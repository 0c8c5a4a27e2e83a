//! The search for salts: each job in turn takes the option that adds least to the peak.
//!
//! A start in a bucket costs more the more starts the bucket has already, and far more above the peak that is looked for. A
//! job moves only to an option that costs less, so the sum of all costs falls with each move and the search ends.
//!
//! It can end with a few buckets above the peak. Then these buckets cost more and more until a job leaves them, although
//! others get above the peak, from which jobs move on in the same way.

use alloc::vec;
use alloc::vec::Vec;

use super::options::{Options, Windows, each_bucket};

/// The additional cost of a start above the peak.
const EXCESS: u64 = 1 << 20;
/// Loads above this cost no more.
const LOAD: u64 = 1 << 24;
/// Passes over all jobs in one search.
const PASSES: usize = 40;
/// Times that the buckets above the peak get a higher cost.
const RAISES: u32 = 600;

/// A job in a search.
#[derive(Debug)]
pub(super) struct Choice {
    pub(super) class: u32,
    pub(super) options: Options,
    /// Which option the job has.
    pub(super) taken: usize,
}

/// The starts in each bucket, and the cost of one more.
#[derive(Debug)]
pub(super) struct Loads {
    pub(super) starts: Vec<u32>,
    costs: Vec<u64>,
    /// By what the additional cost of each bucket is multiplied.
    factors: Vec<u32>,
    peak: u32,
}

impl Loads {
    /// The loads without a job: what is there already, if anything is.
    pub(super) fn new(base: &[u32], buckets: usize) -> Loads {
        let mut starts = base.to_vec();
        starts.resize(buckets, 0);
        Loads { starts, costs: vec![0; buckets], factors: vec![1; buckets], peak: u32::MAX }
    }

    pub(super) fn peak(&self) -> u32 {
        self.starts.iter().copied().max().unwrap_or(0)
    }

    /// Sets the peak to look for.
    pub(super) fn look_for(&mut self, peak: u32) {
        self.peak = peak;
        self.factors.fill(1);
        for bucket in 0..self.starts.len() {
            self.set_cost(bucket);
        }
    }

    /// Makes the buckets above the peak cost more.
    fn raise(&mut self) {
        for bucket in 0..self.starts.len() {
            if self.starts[bucket] > self.peak {
                self.factors[bucket] += 1;
                self.set_cost(bucket);
            }
        }
    }

    fn set_cost(&mut self, bucket: usize) {
        let starts = self.starts[bucket];
        let above = |least: u32| 2 * u64::from(starts - least).min(LOAD) + 1;
        let excess =
            if starts >= self.peak { EXCESS * u64::from(self.factors[bucket]) * above(self.peak) } else { 0 };
        self.costs[bucket] = above(0) + excess;
    }

    pub(super) fn add(&mut self, choice: &Choice, option: usize, windows: &[Windows]) {
        self.change(choice, option, windows, 1);
    }

    pub(super) fn remove(&mut self, choice: &Choice, option: usize, windows: &[Windows]) {
        // Adding this number subtracts one.
        self.change(choice, option, windows, u32::MAX);
    }

    fn change(&mut self, choice: &Choice, option: usize, windows: &[Windows], by: u32) {
        let buckets = self.starts.len();
        each_bucket(&choice.options, option, &windows[choice.class as usize], buckets, |bucket| {
            self.starts[bucket] = self.starts[bucket].wrapping_add(by);
            self.set_cost(bucket);
        });
    }

    /// What an option costs.
    fn cost(&self, choice: &Choice, option: usize, windows: &[Windows]) -> u64 {
        let mut cost = 0_u64;
        each_bucket(&choice.options, option, &windows[choice.class as usize], self.starts.len(), |bucket| {
            cost = cost.saturating_add(self.costs[bucket]);
        });
        cost
    }

    /// Whether an option has a bucket with more starts than a peak.
    fn is_above(&self, choice: &Choice, option: usize, windows: &[Windows], peak: u32) -> bool {
        let mut above = false;
        each_bucket(&choice.options, option, &windows[choice.class as usize], self.starts.len(), |bucket| {
            above |= self.starts[bucket] > peak;
        });
        above
    }
}

/// Moves jobs until the peak is reached, or until no move helps. `work` is the limit for all searches of a call.
pub(super) fn improve<E>(
    choices: &mut [Choice],
    loads: &mut Loads,
    windows: &[Windows],
    peak: u32,
    work: &mut u64,
    check: &mut impl FnMut() -> Result<(), E>,
) -> Result<(), E> {
    loads.look_for(peak);
    // At first only jobs of buckets above the peak move, so that the others keep their salts.
    let mut all = false;
    for _ in 0..PASSES {
        let mut moved = false;
        for choice in choices.iter_mut().filter(|choice| choice.options.len() > 1) {
            if !all && !loads.is_above(choice, choice.taken, windows, peak) {
                continue;
            }
            let cost = choice.options.len().saturating_mul(windows_of(choice, windows));
            let Some(left) = work.checked_sub(cost as u64) else { return Ok(()) };
            *work = left;
            check()?;
            moved |= take_best(choice, loads, windows);
        }
        if loads.peak() <= peak || !moved && all {
            return Ok(());
        }
        all = !moved || !all;
    }
    Ok(())
}

/// Moves jobs out of the buckets above the peak, also where others then get above it. Returns whether the peak is reached.
pub(super) fn break_out<E>(
    choices: &mut [Choice],
    loads: &mut Loads,
    windows: &[Windows],
    peak: u32,
    work: &mut u64,
    check: &mut impl FnMut() -> Result<(), E>,
) -> Result<bool, E> {
    loads.look_for(peak);
    for _ in 0..RAISES {
        loads.raise();
        for choice in choices.iter_mut().filter(|choice| choice.options.len() > 1) {
            let starts = windows_of(choice, windows);
            let above = loads.is_above(choice, choice.taken, windows, peak);
            let cost = if above { choice.options.len().saturating_mul(starts) } else { starts };
            let Some(left) = work.checked_sub(cost as u64) else { return Ok(false) };
            *work = left;
            check()?;
            if above {
                take_best(choice, loads, windows);
            }
        }
        if loads.peak() <= peak {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Moves jobs out of the buckets above the peak, each time the one whose move saves most, while at most `moves` of them have another
/// option than their first. Those that were added may move beside these. Returns whether the peak is reached.
#[expect(clippy::too_many_arguments, reason = "as the other searches, with two more")]
pub(super) fn reduce<E>(
    choices: &mut [Choice],
    loads: &mut Loads,
    windows: &[Windows],
    is_added: &[bool],
    moves: usize,
    peak: u32,
    work: &mut u64,
    check: &mut impl FnMut() -> Result<(), E>,
) -> Result<bool, E> {
    loads.look_for(peak);
    while loads.peak() > peak {
        let moved = choices.iter().zip(is_added).filter(|(choice, added)| !**added && choice.taken != 0);
        let may_more = moved.count() < moves;
        let mut best: Option<(u64, usize, usize)> = None;
        for (index, choice) in choices.iter_mut().enumerate().filter(|(_, choice)| choice.options.len() > 1) {
            let may_move = may_more || is_added[index] || choice.taken != 0;
            if !may_move || !loads.is_above(choice, choice.taken, windows, peak) {
                continue;
            }
            let cost = choice.options.len().saturating_mul(windows_of(choice, windows));
            let Some(left) = work.checked_sub(cost as u64) else { return Ok(false) };
            *work = left;
            check()?;
            let present = choice.taken;
            loads.remove(choice, present, windows);
            let now = loads.cost(choice, present, windows);
            let options =
                (0..choice.options.len()).map(|option| (loads.cost(choice, option, windows), option));
            let (least, option) = options.min().unwrap_or((now, present));
            loads.add(choice, present, windows);
            let saved = now.saturating_sub(least);
            if saved > 0 && best.is_none_or(|(most, ..)| saved > most) {
                best = Some((saved, index, option));
            }
        }
        let Some((_, index, option)) = best else { return Ok(false) };
        let choice = &mut choices[index];
        loads.remove(choice, choice.taken, windows);
        choice.taken = option;
        loads.add(choice, option, windows);
    }
    Ok(true)
}

/// The number of starts of an option.
fn windows_of(choice: &Choice, windows: &[Windows]) -> usize {
    match &choice.options {
        Options::Shifted(_) => windows[choice.class as usize].buckets.len(),
        Options::Listed(salts, buckets) => buckets.len() / salts.len().max(1),
        Options::Placed(places) => {
            let candidate = places.get(choice.taken).map_or(0, |(_, candidate)| *candidate as usize);
            windows[choice.class as usize].tables().get(candidate).map_or(0, |starts| starts.len())
        }
    }
}

/// Takes the option that costs least: of equal ones the present, then the first. Returns whether it is another one.
fn take_best(choice: &mut Choice, loads: &mut Loads, windows: &[Windows]) -> bool {
    let present = choice.taken;
    loads.remove(choice, present, windows);
    let mut best = (loads.cost(choice, present, windows), present);
    for option in (0..choice.options.len()).filter(|option| *option != present) {
        let cost = loads.cost(choice, option, windows);
        if cost < best.0 {
            best = (cost, option);
        }
    }
    choice.taken = best.1;
    loads.add(choice, best.1, windows);
    best.1 != present
}

/// Returns jobs to their first option if no bucket then gets more starts than the peak.
pub(super) fn restore(choices: &mut [Choice], loads: &mut Loads, windows: &[Windows], peak: u32) {
    for choice in choices.iter_mut().filter(|choice| choice.taken != 0) {
        let taken = choice.taken;
        loads.remove(choice, taken, windows);
        loads.add(choice, 0, windows);
        if loads.is_above(choice, 0, windows, peak) {
            loads.remove(choice, 0, windows);
            loads.add(choice, taken, windows);
        } else {
            choice.taken = 0;
        }
    }
}
