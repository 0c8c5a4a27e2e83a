//! Jobs grouped by their windows: jobs of one class have the same windows in the range, and differ in name, salt and
//! distribution only. A lower bound looks at classes, as it does not depend on what is drawn.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use kron_core::{Algorithm, Distribution, Job, Policy, Seed, SeedStrategy};

use super::job::{SpreadJob, Table, Tables};
use crate::forecast::ForecastRange;

/// A period of which constraints forbid some seconds. Times are seconds from the beginning of the range.
#[derive(Debug)]
pub(super) struct Partial {
    /// The first second of the window.
    pub(super) first: i64,
    /// The allowed seconds of the window: the first and the last of each run, in order.
    pub(super) runs: Vec<(i64, i64)>,
}

/// The windows of some jobs that reach into the range. Periods without an allowed second are left out.
#[derive(Debug)]
pub(super) struct Class {
    /// The number of jobs.
    pub(super) members: u64,
    /// The number of seconds of each window.
    pub(super) seconds: i64,
    /// The first seconds of the windows of which all seconds are allowed, from the beginning of the range, in order.
    pub(super) whole: Vec<i64>,
    /// Where in `whole` each group ends. The periods of a group share a draw, so all of them start at the same place of
    /// their windows.
    pub(super) groups: Vec<u32>,
    /// The other periods.
    pub(super) partial: Vec<Partial>,
    /// Whether each period of `partial` has a start: an algorithm may find none although a second is allowed.
    pub(super) always_starts: bool,
    /// What has to be added to the first second of a window to get its nominal time.
    pub(super) to_nominal: i64,
    /// The starts of jobs that another system runs. Their class has no periods of Kron.
    pub(super) placed: Option<Table>,
}

impl Class {
    /// The class of jobs that another system runs.
    fn placed(table: &Table) -> Class {
        Class {
            members: 0,
            seconds: 1,
            whole: Vec::new(),
            groups: Vec::new(),
            partial: Vec::new(),
            always_starts: true,
            to_nominal: 0,
            placed: Some(table.clone()),
        }
    }

    /// The starts of the candidates, which are none for jobs that Kron starts.
    pub(super) fn tables(&self) -> &[Box<[u32]>] {
        self.placed.as_deref().unwrap_or_default()
    }

    /// The number of periods.
    pub(super) fn len(&self) -> usize {
        self.whole.len() + self.partial.len()
    }

    /// Whether all periods start at the same place of their windows, whatever is drawn.
    pub(super) fn moves_as_one(&self) -> bool {
        self.groups.len() == 1 && self.partial.is_empty()
    }

    /// The nominal times.
    pub(super) fn nominal_times(&self) -> impl Iterator<Item = i64> {
        let partial = self.partial.iter().map(|partial| partial.first);
        self.whole.iter().copied().chain(partial).map(|first| first + self.to_nominal)
    }

    fn new(job: &Job, strategy: SeedStrategy, range: &ForecastRange) -> Class {
        let (spec, zone, from) = (job.spec(), job.spec().timezone(), range.from_timestamp());
        let reach = spec.reach();
        // OK because no salt is not too long.
        let seed = Seed::new(strategy, "").unwrap_or_default();
        let chooser = job.chooser().with_seed(&seed);
        let mut class = Class {
            members: 0,
            seconds: reach.last - reach.first + 1,
            whole: Vec::new(),
            groups: Vec::new(),
            partial: Vec::new(),
            always_starts: spec.algorithm() == Algorithm::SipHashChaCha8,
            to_nominal: from.saturating_sub(reach.first),
            placed: None,
        };
        let mut last_whole = None;
        let mut next = job.next_nominal_timestamp(from.saturating_sub(reach.last).saturating_sub(1));
        while let Some(nominal) = next {
            let (first, last) = (nominal + reach.first, nominal + reach.last);
            if first >= range.to_timestamp() {
                break;
            }
            let mut runs = Vec::new();
            if spec.constraints().is_empty() {
                runs.push((first - from, last - from));
            } else {
                spec.constraints().each_allowed_run(zone, first, last, |first, last| {
                    runs.push((first - from, last - from));
                    true
                });
            }
            if runs == [(first - from, last - from)] {
                if last_whole.is_some_and(|last| chooser.share_draw(last, nominal)) {
                    class.groups.pop();
                }
                last_whole = Some(nominal);
                class.whole.push(first - from);
                // OK because a job has fewer than 2^32 minutes up to 2099.
                class.groups.push(class.whole.len() as u32);
            } else if !runs.is_empty() {
                class.partial.push(Partial { first: first - from, runs });
            }
            next = job.next_nominal_timestamp(nominal);
        }
        class
    }
}

/// The classes of jobs, and for each job its class: none for a suspended job. With `fixed` the jobs have the strategy `fixed`
/// if their algorithm knows it.
pub(super) fn classes<E>(
    jobs: &[SpreadJob<'_>],
    tables: &Tables,
    fixed: bool,
    range: &ForecastRange,
    check: &mut impl FnMut() -> Result<(), E>,
) -> Result<(Vec<Class>, Vec<Option<u32>>), E> {
    let mut classes: Vec<(Class, &Job)> = Vec::new();
    let mut known: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    let mut placed: BTreeMap<u32, u32> = BTreeMap::new();
    let mut of_jobs = Vec::with_capacity(jobs.len());
    for (index, SpreadJob { job, .. }) in jobs.iter().enumerate() {
        check()?;
        if let Some((number, table)) = tables.of(index) {
            let index = *placed.entry(number).or_insert_with(|| {
                classes.push((Class::placed(table), job));
                // OK because a list of 2^32 jobs does not fit in memory.
                (classes.len() - 1) as u32
            });
            classes[index as usize].0.members += 1;
            of_jobs.push(Some(index));
            continue;
        }
        if job.spec().policy().suspend() {
            of_jobs.push(None);
            continue;
        }
        let strategy = strategy_of(job, fixed);
        // OK because no salt is not too long.
        let seed = Seed::new(strategy, "").unwrap_or_default();
        let spec = job.spec().to_builder().seed(seed).policy(Policy::default());
        let key = spec
            .distribution(Distribution::default())
            .build()
            .map_or_else(|_| job.spec().to_string(), |spec| spec.to_string());
        let same = known.entry(key).or_default();
        // Databases may have different rules for one name.
        let zone = job.spec().timezone();
        let found = same.iter().copied().find(|class| classes[*class as usize].1.spec().timezone() == zone);
        let index = found.unwrap_or_else(|| {
            // OK because a list of 2^32 jobs does not fit in memory.
            let index = classes.len() as u32;
            classes.push((Class::new(job, strategy, range), job));
            same.push(index);
            index
        });
        classes[index as usize].0.members += 1;
        of_jobs.push(Some(index));
    }
    Ok((classes.into_iter().map(|(class, _)| class).collect(), of_jobs))
}

/// The strategy of a job: with `fixed` that strategy, if the window has more than one second and the algorithm knows it.
pub(super) fn strategy_of(job: &Job, fixed: bool) -> SeedStrategy {
    let spec = job.spec();
    let reach = spec.reach();
    if fixed && reach.first < reach.last && spec.algorithm() == Algorithm::SipHashChaCha8 {
        SeedStrategy::Fixed
    } else {
        spec.seed().strategy()
    }
}
