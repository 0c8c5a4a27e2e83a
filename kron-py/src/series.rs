//! The core's series, owned: a Python object cannot borrow its job.

use std::fmt;
use std::sync::Arc;

use kron_core::Error;
use kron_core::time::Rfc3339;
use kron_fleet::Fleet;
use self_cell::self_cell;

use crate::decision::Decision;
use crate::job_class::{JobRef, searches_long};

type Starts<'a> = kron_core::job::StartSeries<'a>;
type Periods<'a> = kron_core::job::PeriodSeries<'a>;
type FleetStarts<'a> = kron_fleet::FleetStarts<'a>;
type FleetPeriods<'a> = kron_fleet::FleetPeriods<'a>;
type FleetStartsBack<'a> = kron_fleet::FleetStartsBack<'a>;
type FleetPeriodsBack<'a> = kron_fleet::FleetPeriodsBack<'a>;

self_cell!(
    pub(crate) struct StartsCell {
        owner: JobRef,
        #[not_covariant]
        dependent: Starts,
    }
);
self_cell!(
    pub(crate) struct PeriodsCell {
        owner: JobRef,
        #[not_covariant]
        dependent: Periods,
    }
);
self_cell!(
    pub(crate) struct FleetStartsCell {
        owner: Arc<Fleet>,
        #[not_covariant]
        dependent: FleetStarts,
    }
);
self_cell!(
    pub(crate) struct FleetPeriodsCell {
        owner: Arc<Fleet>,
        #[not_covariant]
        dependent: FleetPeriods,
    }
);

self_cell!(
    pub(crate) struct FleetStartsBackCell {
        owner: Arc<Fleet>,
        #[not_covariant]
        dependent: FleetStartsBack,
    }
);
self_cell!(
    pub(crate) struct FleetPeriodsBackCell {
        owner: Arc<Fleet>,
        #[not_covariant]
        dependent: FleetPeriodsBack,
    }
);

/// Whose decisions a series has.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    Job(JobRef),
    Fleet(Arc<Fleet>),
}

/// Which decisions a series has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The starts, by chosen time.
    Starts,
    /// The periods, by nominal time.
    Periods,
    /// The next start of each job after the second before the beginning, in the order of the jobs.
    NextStarts,
}

impl Kind {
    /// The second of a decision by which such series are bounded; `None` if a series of starts does not have it.
    pub(crate) fn time_of(self, decision: &Decision) -> Option<i64> {
        match self {
            Kind::Periods => Some(decision.core().nominal_timestamp()),
            Kind::Starts | Kind::NextStarts => decision.core().chosen_timestamp(),
        }
    }
}

/// Starts or periods from a Unix second on and before another one. Each walk computes them again.
#[derive(Clone, Debug)]
pub(crate) struct Series {
    pub(crate) source: Source,
    pub(crate) kind: Kind,
    /// `None` without a beginning: the series, which goes back, then ends in 1970.
    pub(crate) from: Option<i64>,
    /// `None` without an end: the series then goes on to the end of 2099.
    pub(crate) to: Option<i64>,
    /// Whether the last decision comes first.
    pub(crate) back: bool,
}

impl Series {
    pub(crate) fn jobs(&self) -> &[kron_core::Job] {
        match &self.source {
            Source::Job(job) => std::slice::from_ref(&**job),
            Source::Fleet(fleet) => fleet.jobs(),
        }
    }

    /// Whether a step may take long, so that it is taken without the GIL.
    pub(crate) fn is_long(&self) -> bool {
        self.jobs().iter().any(searches_long)
    }

    /// Whether it has a beginning and an end.
    pub(crate) fn is_bounded(&self) -> bool {
        (self.from.is_some() && self.to.is_some()) || self.kind == Kind::NextStarts
    }

    /// The same decisions, last first.
    pub(crate) fn reversed(&self) -> Series {
        Series { back: !self.back, ..self.clone() }
    }

    /// The same series up to the second of a decision.
    pub(crate) fn up_to(&self, last: &Decision) -> Series {
        let second = self.kind.time_of(last);
        match self.back {
            true => Series { from: second, ..self.clone() },
            false => Series { to: second.map(|second| second.saturating_add(1)), ..self.clone() },
        }
    }

    /// Its decisions of one second; `None` if that lies outside.
    pub(crate) fn of_second(&self, second: i64) -> Option<Series> {
        let is_in = self.from.is_none_or(|from| from <= second) && self.to.is_none_or(|to| second < to);
        is_in.then(|| Series { from: Some(second), to: Some(second.saturating_add(1)), ..self.clone() })
    }

    /// Whether no decision that follows this one can be of a second.
    pub(crate) fn is_beyond(&self, decision: &Decision, second: i64) -> bool {
        match (self.kind, self.kind.time_of(decision)) {
            (Kind::NextStarts, _) | (_, None) => false,
            (_, Some(time)) => {
                if self.back {
                    time < second
                } else {
                    time > second
                }
            }
        }
    }

    fn range(&self) -> (i64, i64) {
        (self.from.unwrap_or(i64::MIN), self.to.unwrap_or(i64::MAX))
    }

    /// Begins to walk it.
    pub(crate) fn walk(&self) -> Walk {
        let ((from, to), back) = (self.range(), self.back);
        match (&self.source, self.kind) {
            (Source::Job(job), Kind::Starts) => Walk::Starts(StartsCell::new(job.clone(), |job| {
                if back { job.starts_back(from..to) } else { job.starts(from..to) }
            })),
            (Source::Job(job), Kind::Periods) => Walk::Periods(PeriodsCell::new(job.clone(), |job| {
                if back { job.periods_back(from..to) } else { job.periods(from..to) }
            })),
            (Source::Fleet(fleet), Kind::Starts) if back => {
                Walk::FleetStartsBack(FleetStartsBackCell::new(fleet.clone(), |it| it.starts_back(from..to)))
            }
            (Source::Fleet(fleet), Kind::Periods) if back => {
                Walk::FleetPeriodsBack(FleetPeriodsBackCell::new(fleet.clone(), |it| {
                    it.periods_back(from..to)
                }))
            }
            (Source::Fleet(fleet), Kind::Starts) => {
                Walk::FleetStarts(FleetStartsCell::new(fleet.clone(), |fleet| fleet.starts(from..to)))
            }
            (Source::Fleet(fleet), Kind::Periods) => {
                Walk::FleetPeriods(FleetPeriodsCell::new(fleet.clone(), |fleet| fleet.periods(from..to)))
            }
            (_, Kind::NextStarts) => Walk::NextStarts { series: self.clone(), index: 0 },
        }
    }

    /// The number of its decisions, or `enough` if there are at least as many. It calls `check` often.
    pub(crate) fn count<E: From<Error>>(
        &self,
        enough: u64,
        mut check: impl FnMut() -> Result<(), E>,
    ) -> Result<u64, E> {
        let ((from, to), mut count) = (self.range(), 0);
        for job in self.jobs() {
            if count >= enough {
                break;
            }
            match self.kind {
                Kind::NextStarts => count += 1,
                Kind::Periods => count += job.count_nominal_times(from, to.saturating_sub(1)),
                Kind::Starts => {
                    for start in job.starts(from..to) {
                        start?;
                        check()?;
                        count += 1;
                        if count >= enough {
                            break;
                        }
                    }
                }
            }
            check()?;
        }
        Ok(count.min(enough))
    }
}

/// What it is, for `repr`.
impl fmt::Display for Series {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            Kind::Starts => "starts of ",
            Kind::Periods => "periods of ",
            Kind::NextStarts => "next starts of ",
        })?;
        match &self.source {
            Source::Job(job) => write!(f, "{:?}", job.name())?,
            Source::Fleet(fleet) => write!(f, "{} jobs", fleet.jobs().len())?,
        }
        if self.kind == Kind::NextStarts {
            let after = self.from.unwrap_or(0) - 1;
            write!(f, " after {}", Rfc3339(after))?;
        } else {
            if let Some(from) = self.from {
                write!(f, " from {}", Rfc3339(from))?;
            }
            if let Some(to) = self.to {
                write!(f, " until {}", Rfc3339(to))?;
            }
        }
        f.write_str(if self.back { ", last first" } else { "" })
    }
}

/// A walk over a series.
pub(crate) enum Walk {
    Starts(StartsCell),
    Periods(PeriodsCell),
    FleetStarts(FleetStartsCell),
    FleetPeriods(FleetPeriodsCell),
    FleetStartsBack(FleetStartsBackCell),
    FleetPeriodsBack(FleetPeriodsBackCell),
    /// From the job of an index on.
    NextStarts {
        series: Series,
        index: usize,
    },
}

impl Walk {
    /// The next decision. If the search of a job of a fleet fails, a further step goes on with the other jobs.
    pub(crate) fn step(&mut self) -> Result<Option<Decision>, Error> {
        let member = |fleet: &Arc<Fleet>, index| JobRef::Member(fleet.clone(), index);
        match self {
            Walk::Starts(cell) => cell.with_dependent_mut(|job, starts| {
                starts.next().map(|start| start.map(|decision| Decision::of(job, &decision))).transpose()
            }),
            Walk::Periods(cell) => cell.with_dependent_mut(|job, periods| {
                Ok(periods.next().map(|decision| Decision::of(job, &decision)))
            }),
            Walk::FleetStarts(cell) => cell.with_dependent_mut(|fleet, starts| {
                let start = starts.next();
                start.map(|(index, start)| Ok(Decision::of(&member(fleet, index), &start?))).transpose()
            }),
            Walk::FleetPeriods(cell) => cell.with_dependent_mut(|fleet, periods| {
                Ok(periods.next().map(|(index, decision)| Decision::of(&member(fleet, index), &decision)))
            }),
            Walk::FleetStartsBack(cell) => cell.with_dependent_mut(|fleet, starts| {
                let start = starts.next();
                start.map(|(index, start)| Ok(Decision::of(&member(fleet, index), &start?))).transpose()
            }),
            Walk::FleetPeriodsBack(cell) => cell.with_dependent_mut(|fleet, periods| {
                Ok(periods.next().map(|(index, decision)| Decision::of(&member(fleet, index), &decision)))
            }),
            Walk::NextStarts { series, index } => {
                let count = series.jobs().len();
                if *index >= count {
                    return Ok(None);
                }
                let place = if series.back { count - 1 - *index } else { *index };
                // The next step skips a job that fails.
                *index += 1;
                let job = match &series.source {
                    Source::Job(job) => job.clone(),
                    Source::Fleet(fleet) => member(fleet, place),
                };
                let start = job.next_start(series.from.unwrap_or(0) - 1)?;
                Ok(Some(Decision::of(&job, &start)))
            }
        }
    }

    /// Passes over decisions that it need not decide, and returns how many are left to pass over.
    pub(crate) fn skip(&mut self, count: u64) -> u64 {
        match self {
            Walk::NextStarts { index, .. } => {
                *index = index.saturating_add(usize::try_from(count).unwrap_or(usize::MAX));
                0
            }
            _ => count,
        }
    }
}
