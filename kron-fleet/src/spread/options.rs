//! The options of a job: each is a salt, with the buckets in which the job then starts.

use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec::Vec;

use kron_core::place::Candidates;
use kron_core::{Job, Seed, SeedStrategy};

use super::class::{Class, strategy_of};
use super::job::{SpreadJob, Table};
use crate::forecast::ForecastRange;
use crate::limits::{SPREAD_OPTIONS, SPREAD_STARTS};

/// No bucket: the start is not in the range, or there is none.
const OUTSIDE: u32 = u32::MAX;

/// Salts that are tried for each candidate that is wanted, so that nearly all of them are found.
const TRIES_OF_A_CANDIDATE: usize = 12;

/// A salt: that of the job as it is, or a number from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Salt(pub(super) u32);

impl Salt {
    pub(super) const PRESENT: Salt = Salt(0);

    /// The seed of a job with this salt. A schedule of another system has one place for all days.
    pub(super) fn seed(self, job: &SpreadJob<'_>, fixed: bool) -> Seed {
        let is_placed = job.candidates.is_some();
        let strategy = if is_placed { SeedStrategy::Fixed } else { strategy_of(job.job, fixed) };
        self.seed_of(job.job, strategy)
    }

    fn seed_of(self, job: &Job, strategy: SeedStrategy) -> Seed {
        let seed = match self {
            Salt::PRESENT => Seed::new(strategy, job.spec().seed().salt()),
            Salt(number) => Seed::new(strategy, &number.to_string()),
        };
        // OK because a number and the salt of a job are not too long.
        seed.unwrap_or_default()
    }
}

/// Salts that are tried in addition to the present one of a job.
#[derive(Clone, Copy, Debug)]
pub(super) struct Further {
    /// The first number.
    pub(super) first: u32,
    /// How many salts are tried to find all places of a window: some places have few seconds.
    pub(super) tries: usize,
}

/// The starts of a job by salt.
#[derive(Debug)]
pub(super) enum Options {
    /// The job starts at the same place of all its windows. Each option has another place: by how many buckets it is after
    /// the first bucket of the window.
    Shifted(Box<[(Salt, u32)]>),
    /// The buckets of all starts, for one salt after the other.
    Listed(Box<[Salt]>, Box<[u32]>),
    /// Another system runs the job. Each option has another candidate, whose starts the class has.
    Placed(Box<[(Salt, u32)]>),
}

impl Options {
    pub(super) fn len(&self) -> usize {
        match self {
            Options::Shifted(places) | Options::Placed(places) => places.len(),
            Options::Listed(salts, _) => salts.len(),
        }
    }

    pub(super) fn salt(&self, option: usize) -> Salt {
        match self {
            Options::Shifted(places) | Options::Placed(places) => places[option].0,
            Options::Listed(salts, _) => salts[option],
        }
    }
}

/// The first buckets of the windows of a class whose jobs start at the same place of all windows, in buckets after the
/// beginning of the range; and the seconds from the beginning of a bucket to a window, if they are the same for all.
#[derive(Debug, Default)]
pub(super) struct Windows {
    pub(super) buckets: Vec<i32>,
    pub(super) residue: Option<i64>,
    /// The starts by candidate, of jobs that another system runs.
    placed: Option<Table>,
}

impl Windows {
    /// The starts of the candidates, which are none for jobs that Kron starts.
    pub(super) fn tables(&self) -> &[Box<[u32]>] {
        self.placed.as_deref().unwrap_or_default()
    }

    pub(super) fn new(class: &Class, range: &ForecastRange) -> Windows {
        if class.placed.is_some() {
            return Windows { placed: class.placed.clone(), ..Windows::default() };
        }
        let per = range.per_seconds();
        let Some(first) = class.whole.first().filter(|_| class.moves_as_one()) else {
            return Windows::default();
        };
        let residue = first.rem_euclid(per);
        // In a shorter last bucket, some seconds of a place are in the range and others are not.
        let whole_buckets = (range.to_timestamp() - range.from_timestamp()) % per == 0;
        if !whole_buckets || class.whole.iter().any(|first| first.rem_euclid(per) != residue) {
            return Windows::default();
        }
        // OK because windows reach into a range of at most three million buckets, and are not longer than 366 days.
        let buckets = class.whole.iter().map(|first| first.div_euclid(per) as i32).collect();
        Windows { buckets, residue: Some(residue), placed: None }
    }
}

/// Makes the options of jobs.
#[derive(Debug)]
pub(super) struct Maker<'a> {
    pub(super) classes: &'a [Class],
    pub(super) windows: &'a [Windows],
    pub(super) range: &'a ForecastRange,
    pub(super) fixed: bool,
    /// Options of a job whose starts are listed.
    listed: usize,
}

impl<'a> Maker<'a> {
    pub(super) fn new(
        classes: &'a [Class],
        windows: &'a [Windows],
        range: &'a ForecastRange,
        fixed: bool,
    ) -> Maker<'a> {
        let listed = classes.iter().zip(windows).filter(|(_, windows)| windows.residue.is_none());
        // Placed jobs have no periods here, so they count nothing.
        let starts = listed.map(|(class, _)| class.len().saturating_mul(class.members as usize));
        let starts = starts.fold(0_usize, usize::saturating_add);
        let listed = (SPREAD_STARTS / starts.max(1)).clamp(2, SPREAD_OPTIONS);
        Maker { classes, windows, range, fixed, listed }
    }

    /// The options of a job: some salts, and further ones from a number on. Of salts with the same starts, the first is kept
    /// where that is known.
    pub(super) fn options(
        &self,
        job: &SpreadJob<'_>,
        class: u32,
        present: &[Salt],
        further: Option<Further>,
    ) -> Options {
        if let Some(candidates) = &job.candidates {
            return placed(job.job, candidates, present, further);
        }
        let job = job.job;
        let (class, windows) = (&self.classes[class as usize], &self.windows[class as usize]);
        let tries = further.map_or(0, |further| further.tries);
        let further = further.into_iter().flat_map(|further| further.first..).map(Salt);
        let salts = present.iter().copied().chain(further);
        match windows.residue {
            Some(residue) => self.shifted(job, class, residue, tries, salts),
            None if class.seconds == 1 => self.listed(job, class, present.iter().copied().take(1)),
            None => self.listed(job, class, salts.take(self.listed.max(present.len()))),
        }
    }

    fn shifted(
        &self,
        job: &Job,
        class: &Class,
        residue: i64,
        tries: usize,
        salts: impl Iterator<Item = Salt>,
    ) -> Options {
        let per = self.range.per_seconds();
        let places = (residue + class.seconds - 1) / per + 1;
        // OK because it is at most SPREAD_OPTIONS.
        let wanted = places.min(SPREAD_OPTIONS as i64) as usize;
        let mut found: Vec<(Salt, u32)> = Vec::with_capacity(wanted);
        let nominal = class.nominal_times().next().unwrap_or(0);
        let first = nominal - class.to_nominal;
        for salt in salts.take(tries.max(4 * wanted)) {
            let mut start = None;
            self.each_start(job, salt, [nominal].into_iter(), |found| start = found);
            // OK because all seconds of the window are allowed, and a window has at most 366 days.
            let place = ((residue + start.unwrap_or(first) - first) / per) as u32;
            if found.iter().all(|(_, known)| *known != place) {
                found.push((salt, place));
            }
            if found.len() == wanted {
                break;
            }
        }
        Options::Shifted(found.into())
    }

    fn listed(&self, job: &Job, class: &Class, salts: impl Iterator<Item = Salt>) -> Options {
        let salts: Vec<Salt> = salts.collect();
        let mut buckets = Vec::with_capacity(salts.len() * class.len());
        for salt in &salts {
            self.each_start(job, *salt, class.nominal_times(), |start| {
                buckets.push(start.map_or(OUTSIDE, |start| self.bucket(start)));
            });
        }
        Options::Listed(salts.into(), buckets.into())
    }

    fn bucket(&self, second: i64) -> u32 {
        let length = self.range.to_timestamp() - self.range.from_timestamp();
        // OK because there are at most three million buckets.
        if (0..length).contains(&second) { (second / self.range.per_seconds()) as u32 } else { OUTSIDE }
    }

    /// Calls `visit` with the start of each period of a job with another salt, from the beginning of the range.
    fn each_start(
        &self,
        job: &Job,
        salt: Salt,
        nominal_times: impl Iterator<Item = i64>,
        mut visit: impl FnMut(Option<i64>),
    ) {
        let seed = salt.seed_of(job, strategy_of(job, self.fixed));
        let mut chooser = job.chooser().with_seed(&seed);
        for nominal in nominal_times {
            // OK because these are nominal times.
            let start = chooser.choose(nominal).ok().flatten();
            visit(start.map(|start| start - self.range.from_timestamp()));
        }
    }
}

/// The options of a job that another system runs: for each candidate the first salt that leads to it.
fn placed(job: &Job, candidates: &Candidates, present: &[Salt], further: Option<Further>) -> Options {
    let wanted = candidates.shifts().len().min(SPREAD_OPTIONS);
    // Where all candidates are wanted, each gets its smallest salt in every round.
    let is_all = wanted == candidates.shifts().len();
    let tries = further.map_or(0, |further| further.tries.max(TRIES_OF_A_CANDIDATE * wanted));
    let further = further.into_iter().flat_map(|further| if is_all { 1.. } else { further.first.. });
    let mut found: Vec<(Salt, u32)> = Vec::with_capacity(wanted);
    for salt in present.iter().copied().chain(further.take(tries).map(Salt)) {
        if let Some(candidate) = candidate_of(job, candidates, salt)
            && found.iter().all(|(_, known)| *known != candidate)
        {
            found.push((salt, candidate));
        }
        if found.len() >= wanted.max(present.len()) {
            break;
        }
    }
    Options::Placed(found.into())
}

/// The candidate that a salt leads to.
fn candidate_of(job: &Job, candidates: &Candidates, salt: Salt) -> Option<u32> {
    let index = match salt {
        Salt::PRESENT => candidates.index_with_salt(job, job.spec().seed().salt()),
        Salt(number) => candidates.index_with_salt(job, &number.to_string()),
    };
    // OK because there are fewer than 2,880 candidates.
    index.map(|index| index as u32)
}

/// The smallest salt that leads to the same candidate as another one.
pub(super) fn smallest_salt(job: &SpreadJob<'_>, salt: Salt) -> Salt {
    let Some(candidates) = job.candidates.as_ref().filter(|_| salt != Salt::PRESENT) else { return salt };
    let wanted = candidate_of(job.job, candidates, salt);
    let first = (1..salt.0).map(Salt).find(|other| candidate_of(job.job, candidates, *other) == wanted);
    first.unwrap_or(salt)
}

/// Calls a function for each bucket of an option.
pub(super) fn each_bucket(
    options: &Options,
    option: usize,
    windows: &Windows,
    buckets: usize,
    mut visit: impl FnMut(usize),
) {
    match options {
        Options::Shifted(places) => {
            let place = i64::from(places[option].1);
            for first in &windows.buckets {
                // A bucket before the range has a negative number, which is not a `usize`.
                if let Some(bucket) =
                    usize::try_from(i64::from(*first) + place).ok().filter(|bucket| *bucket < buckets)
                {
                    visit(bucket);
                }
            }
        }
        Options::Placed(places) => {
            windows.tables()[places[option].1 as usize].iter().for_each(|bucket| visit(*bucket as usize));
        }
        Options::Listed(salts, all) => {
            let starts = all.len() / salts.len().max(1);
            for bucket in &all[option * starts..(option + 1) * starts] {
                if *bucket != OUTSIDE {
                    visit(*bucket as usize);
                }
            }
        }
    }
}
