//! `kron.Decisions`: the iterator over starts or periods of a job or a fleet.

use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, Utc};
use kron_core::Fleet;
use pyo3::prelude::*;
use self_cell::self_cell;

use crate::decision::Decision;
use crate::error::raise;
use crate::job_class::JobRef;

type Starts<'a> = kron_core::StartSeries<'a>;
type Periods<'a> = kron_core::PeriodSeries<'a>;
type FleetStarts<'a> = kron_core::FleetStarts<'a>;
type FleetPeriods<'a> = kron_core::FleetPeriods<'a>;

// The core's series borrow their job or fleet, and a Python object borrows nothing: it has to own both.
self_cell!(
    struct StartsCell {
        owner: JobRef,
        #[not_covariant]
        dependent: Starts,
    }
);
self_cell!(
    struct PeriodsCell {
        owner: JobRef,
        #[not_covariant]
        dependent: Periods,
    }
);
self_cell!(
    struct FleetStartsCell {
        owner: Arc<Fleet>,
        #[not_covariant]
        dependent: FleetStarts,
    }
);
self_cell!(
    struct FleetPeriodsCell {
        owner: Arc<Fleet>,
        #[not_covariant]
        dependent: FleetPeriods,
    }
);

enum Series {
    Starts(StartsCell),
    Periods(PeriodsCell),
    FleetStarts(FleetStartsCell),
    FleetPeriods(FleetPeriodsCell),
}

/// An iterator over decisions, made by `Job.starts`, `Job.periods`, `Fleet.starts` and `Fleet.periods`.
///
/// It computes each decision when it is asked for. Threads may share it: each decision goes to one of them.
#[pyclass(frozen, module = "kron")]
pub(crate) struct Decisions(Mutex<Series>);

impl Decisions {
    fn new(series: Series) -> Decisions {
        Decisions(Mutex::new(series))
    }

    pub(crate) fn starts(job: JobRef, from: DateTime<Utc>, to: DateTime<Utc>, back: bool) -> Decisions {
        let cell =
            StartsCell::new(job, |job| if back { job.starts_back(from, to) } else { job.starts(from, to) });
        Decisions::new(Series::Starts(cell))
    }

    pub(crate) fn periods(job: JobRef, from: DateTime<Utc>, to: DateTime<Utc>, back: bool) -> Decisions {
        let cell =
            PeriodsCell::new(
                job,
                |job| if back { job.periods_back(from, to) } else { job.periods(from, to) },
            );
        Decisions::new(Series::Periods(cell))
    }

    pub(crate) fn fleet_starts(fleet: Arc<Fleet>, from: DateTime<Utc>, to: DateTime<Utc>) -> Decisions {
        Decisions::new(Series::FleetStarts(FleetStartsCell::new(fleet, |fleet| fleet.starts(from, to))))
    }

    pub(crate) fn fleet_periods(fleet: Arc<Fleet>, from: DateTime<Utc>, to: DateTime<Utc>) -> Decisions {
        Decisions::new(Series::FleetPeriods(FleetPeriodsCell::new(fleet, |fleet| fleet.periods(from, to))))
    }
}

#[pymethods]
impl Decisions {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Decision>> {
        // `list` and its like ask for one decision after the other without a look at signals in between.
        py.check_signals()?;
        self.step().map_err(raise)
    }
}

impl Decisions {
    /// Holds the lock and runs no Python code, so that nobody who waits for it can keep it from being given back.
    fn step(&self) -> Result<Option<Decision>, kron_core::Error> {
        let mut series = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let member = |fleet: &Arc<Fleet>, index| JobRef::Member(fleet.clone(), index);
        match &mut *series {
            Series::Starts(cell) => cell.with_dependent_mut(|job, starts| {
                starts.next().map(|start| start.map(|decision| Decision::of(job, &decision))).transpose()
            }),
            Series::Periods(cell) => cell.with_dependent_mut(|job, periods| {
                Ok(periods.next().map(|decision| Decision::of(job, &decision)))
            }),
            Series::FleetStarts(cell) => cell.with_dependent_mut(|fleet, starts| {
                let start = starts.next();
                start.map(|(index, start)| Ok(Decision::of(&member(fleet, index), &start?))).transpose()
            }),
            Series::FleetPeriods(cell) => cell.with_dependent_mut(|fleet, periods| {
                Ok(periods.next().map(|(index, decision)| Decision::of(&member(fleet, index), &decision)))
            }),
        }
    }
}
