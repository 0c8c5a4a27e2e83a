//! The search in rounds: each tries other salts, and keeps the best choice so far.

use alloc::vec;
use alloc::vec::Vec;

use super::SpreadPlan;
use super::bound::{Bounds, PeakBound};
use super::job::SpreadJob;
use super::options::{Further, Maker, Salt, smallest_salt};
use super::search::{Choice, Loads, break_out, improve, reduce, restore};
use crate::limits::{SPREAD_ROUNDS, SPREAD_TRIES};

/// A round tries salts with other numbers than the rounds before it.
const SALTS_OF_A_ROUND: u32 = 20_000;
/// A round tries at most this many salts of a job.
const TRIES_OF_A_JOB: usize = 15_000;

/// The choices of all jobs that are not suspended, and the best ones so far.
pub(super) struct Search<'a> {
    jobs: Vec<(usize, &'a SpreadJob<'a>)>,
    /// The number of all jobs.
    all: usize,
    maker: &'a Maker<'a>,
    choices: Vec<Choice>,
    loads: Loads,
    pub(super) best_peak: u32,
    best: Vec<Salt>,
    best_starts: Vec<u32>,
    /// One of so many parts of the salts is tried.
    pub(super) share: usize,
}

impl<'a> Search<'a> {
    /// Each job has the salt that it has now.
    pub(super) fn new<E>(
        jobs: &'a [SpreadJob<'a>],
        of_jobs: &[Option<u32>],
        maker: &'a Maker<'a>,
        base: &[u32],
        check: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<Search<'a>, E> {
        let mut search = Search {
            jobs: Vec::new(),
            all: jobs.len(),
            maker,
            choices: Vec::new(),
            loads: Loads::new(base, maker.range.len()),
            best_peak: u32::MAX,
            best: Vec::new(),
            best_starts: Vec::new(),
            share: 1,
        };
        for (index, (job, class)) in jobs.iter().zip(of_jobs).enumerate() {
            let Some(class) = *class else { continue };
            check()?;
            let choice =
                Choice { class, options: maker.options(job, class, &[Salt::PRESENT], None), taken: 0 };
            search.loads.add(&choice, 0, maker.windows);
            search.jobs.push((index, job));
            search.choices.push(choice);
        }
        search.keep_if_best();
        Ok(search)
    }

    /// Whether some jobs were added, and others were there before.
    pub(super) fn has_added_and_others(&self) -> bool {
        let added = self.jobs.iter().filter(|(_, job)| job.is_new).count();
        added > 0 && added < self.jobs.len()
    }

    /// The most starts in one bucket without the jobs that were added.
    pub(super) fn peak_of_others(&mut self) -> u32 {
        let windows = self.maker.windows;
        let Search { jobs, choices, loads, .. } = self;
        let added = || jobs.iter().zip(choices.iter()).filter(|((_, job), _)| job.is_new);
        added().for_each(|(_, choice)| loads.remove(choice, choice.taken, windows));
        let peak = loads.peak();
        added().for_each(|(_, choice)| loads.add(choice, choice.taken, windows));
        peak
    }

    /// Moves only the jobs that were added, until no bucket has more starts than `peak`.
    pub(super) fn place_added<E>(
        &mut self,
        peak: u32,
        work: &mut u64,
        check: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        if self.best_peak <= peak {
            return Ok(());
        }
        self.renew(0, |job| job.is_new, check)?;
        self.improve(peak, work, check)?;
        while self.best_peak > peak + 1 && self.improve(self.best_peak - 1, work, check)? {}
        while self.best_peak > peak && self.break_out(work, check)? {}
        Ok(())
    }

    /// Lowers the peak while at most some jobs change beside those that were added.
    pub(super) fn run_limited<E>(
        &mut self,
        bounds: &mut Bounds<'_>,
        wanted: u32,
        moves: usize,
        work: &mut u64,
        check: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        self.renew(0, |_| true, check)?;
        let may_move = |index: usize| self.jobs[index].1.is_new;
        let windows = self.maker.windows;
        let is_added: Vec<bool> = (0..self.jobs.len()).map(may_move).collect();
        while self.best_peak > wanted.max(bounds.peak()) {
            let peak = self.best_peak - 1;
            let (choices, loads) = (&mut self.choices, &mut self.loads);
            if !reduce(choices, loads, windows, &is_added, moves, peak, work, check)? {
                break;
            }
            self.keep_if_best();
        }
        bounds.try_loads(&self.best_starts, check)
    }

    /// The salts of all jobs as they are.
    fn salts(&self) -> Vec<Salt> {
        self.choices.iter().map(|choice| choice.options.salt(choice.taken)).collect()
    }

    /// Gives jobs the options of a round, the salts that they have now among them; the others keep their salts.
    fn renew<E>(
        &mut self,
        round: u32,
        may_move: impl Fn(&SpreadJob<'_>) -> bool,
        check: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let tries = if round == 0 { 0 } else { SPREAD_TRIES / self.jobs.len().max(1) };
        let tries = tries.min(TRIES_OF_A_JOB) / self.share;
        let further = Further { first: 1 + round * SALTS_OF_A_ROUND, tries };
        for ((_, job), choice) in self.jobs.iter().zip(&mut self.choices) {
            check()?;
            let salt = choice.options.salt(choice.taken);
            let present = [Salt::PRESENT, salt];
            let present = if salt == Salt::PRESENT { &present[..1] } else { &present[..] };
            let further = Some(further).filter(|_| may_move(job));
            choice.options = self.maker.options(job, choice.class, present, further);
            // A salt that is left out has the same starts as the first.
            let same = (0..choice.options.len()).find(|option| choice.options.salt(*option) == salt);
            choice.taken = same.unwrap_or(0);
        }
        Ok(())
    }

    /// Looks for a peak up to the wanted one, in rounds that aim at another or at the bound.
    pub(super) fn run<E>(
        &mut self,
        bounds: &mut Bounds<'_>,
        wanted: u32,
        aim: u32,
        work: &mut u64,
        check: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        for round in 0..SPREAD_ROUNDS {
            let bound = bounds.peak();
            if self.best_peak <= wanted.max(bound) {
                return Ok(());
            }
            self.renew(round, |_| true, check)?;
            let goal = aim.max(bound);
            self.improve(goal, work, check)?;
            // A target that cannot be reached misleads the search, so it continues with the smallest step.
            while self.best_peak > wanted.max(goal + 1) && self.improve(self.best_peak - 1, work, check)? {}
            bounds.try_loads(&self.best_starts, check)?;
            while self.best_peak > wanted.max(bounds.peak()) && self.break_out(work, check)? {}
        }
        Ok(())
    }

    /// Looks for a peak. Returns whether a lower one than the best so far was found.
    fn improve<E>(
        &mut self,
        peak: u32,
        work: &mut u64,
        check: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<bool, E> {
        improve(&mut self.choices, &mut self.loads, self.maker.windows, peak, work, check)?;
        Ok(self.keep_if_best())
    }

    /// Looks for the next lower peak in a way that goes through higher ones. Returns whether it was found.
    fn break_out<E>(&mut self, work: &mut u64, check: &mut impl FnMut() -> Result<(), E>) -> Result<bool, E> {
        let (loads, windows) = (&mut self.loads, self.maker.windows);
        let peak = self.best_peak - 1;
        Ok(break_out(&mut self.choices, loads, windows, peak, work, check)? && self.keep_if_best())
    }

    fn keep_if_best(&mut self) -> bool {
        let peak = self.loads.peak();
        if peak >= self.best_peak {
            return false;
        }
        self.best_peak = peak;
        self.best = self.salts();
        self.best_starts.clone_from(&self.loads.starts);
        true
    }

    /// The plan with the best choices. Jobs keep their salts where the wanted peak allows it.
    pub(super) fn finish<E>(
        mut self,
        bound: PeakBound,
        present_peak: u64,
        wanted: u32,
        check: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<SpreadPlan, E> {
        for (((_, job), choice), salt) in self.jobs.iter().zip(&mut self.choices).zip(&self.best) {
            check()?;
            choice.options = self.maker.options(job, choice.class, &[Salt::PRESENT, *salt], None);
            choice.taken = choice.options.len() - 1;
        }
        self.loads.starts.clone_from(&self.best_starts);
        restore(&mut self.choices, &mut self.loads, self.maker.windows, self.best_peak.max(wanted));
        let mut seeds = vec![None; self.all];
        for ((index, job), choice) in self.jobs.iter().zip(&self.choices) {
            let salt = smallest_salt(job, choice.options.salt(choice.taken));
            let seed = salt.seed(job, self.maker.fixed);
            // A placed job that keeps its salt keeps its text.
            let is_kept = salt == Salt::PRESENT && job.candidates.is_some();
            seeds[*index] = Some(seed).filter(|seed| !is_kept && seed != job.job.spec().seed());
        }
        let peak = self.loads.peak();
        let peak_bucket = self.loads.starts.iter().position(|starts| *starts == peak).unwrap_or(0);
        Ok(SpreadPlan { seeds, present_peak, peak: peak.into(), peak_bucket, bound })
    }
}
