//! `kron.Decisions`: the iterator over starts or periods of a job or a fleet.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, Utc};
use kron_fleet::Fleet;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use self_cell::self_cell;

use crate::bulk::{NONE, Timestamps, Turn};
use crate::decision::Decision;
use crate::error::raise;
use crate::job_class::{JobRef, searches_long};

type Starts<'a> = kron_core::job::StartSeries<'a>;
type Periods<'a> = kron_core::job::PeriodSeries<'a>;
type FleetStarts<'a> = kron_fleet::FleetStarts<'a>;
type FleetPeriods<'a> = kron_fleet::FleetPeriods<'a>;

// The core's series borrow their job or fleet. A Python object cannot borrow, so it owns both.
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
    /// Each job's next start after a second, from the job of an index on.
    NextStarts {
        fleet: Arc<Fleet>,
        after: i64,
        index: usize,
    },
}

/// An iterator over decisions, made by `Job.starts`, `Job.periods`, `Fleet.starts`, `Fleet.periods` and `Fleet.next_starts`.
///
/// It computes each decision when it is asked for. Threads may share it: each decision goes to one of them. `to_pandas` and
/// `to_polars` make a table of the remaining decisions.
#[pyclass(frozen, module = "kron")]
pub(crate) struct Decisions {
    series: Mutex<Series>,
    /// Whether a step may take long, so that it is taken without the GIL.
    long: bool,
}

impl Decisions {
    fn of_job(job: &kron_core::Job, series: Series) -> Decisions {
        Decisions { long: searches_long(job), series: Mutex::new(series) }
    }

    fn of_fleet(fleet: &Fleet, series: Series) -> Decisions {
        Decisions { long: fleet.jobs().iter().any(searches_long), series: Mutex::new(series) }
    }

    pub(crate) fn starts(job: JobRef, from: DateTime<Utc>, to: DateTime<Utc>, back: bool) -> Decisions {
        let cell =
            StartsCell::new(
                job.clone(),
                |job| if back { job.starts_back(from..to) } else { job.starts(from..to) },
            );
        Decisions::of_job(&job, Series::Starts(cell))
    }

    pub(crate) fn periods(job: JobRef, from: DateTime<Utc>, to: DateTime<Utc>, back: bool) -> Decisions {
        let cell = PeriodsCell::new(job.clone(), |job| {
            if back { job.periods_back(from..to) } else { job.periods(from..to) }
        });
        Decisions::of_job(&job, Series::Periods(cell))
    }

    pub(crate) fn fleet_starts(
        py: Python<'_>,
        fleet: Arc<Fleet>,
        from: DateTime<Utc>,
        to: DateTime<Utc>,
    ) -> Decisions {
        // The first start of every job is searched for at once.
        let cell = py.detach(|| FleetStartsCell::new(fleet.clone(), |fleet| fleet.starts(from..to)));
        Decisions::of_fleet(&fleet, Series::FleetStarts(cell))
    }

    pub(crate) fn fleet_periods(
        py: Python<'_>,
        fleet: Arc<Fleet>,
        from: DateTime<Utc>,
        to: DateTime<Utc>,
    ) -> Decisions {
        let cell = py.detach(|| FleetPeriodsCell::new(fleet.clone(), |fleet| fleet.periods(from..to)));
        Decisions::of_fleet(&fleet, Series::FleetPeriods(cell))
    }

    pub(crate) fn next_starts(fleet: Arc<Fleet>, after: DateTime<Utc>) -> Decisions {
        Decisions::of_fleet(&fleet.clone(), Series::NextStarts { fleet, after: after.timestamp(), index: 0 })
    }
}

#[pymethods]
impl Decisions {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Decision>> {
        // `list` and similar functions take one decision after the other without a check for signals in between.
        py.check_signals()?;
        if self.long { py.detach(|| self.step()) } else { self.step() }.map_err(raise)
    }

    /// The remaining decisions as a `pandas.DataFrame` with the columns `job`, `nominal`, `chosen` and `window`.
    ///
    /// `job` is the name, `nominal` and `chosen` are times in UTC, and `window` is a closed interval of times. `chosen` is NaT
    /// for unschedulable periods. Raises `KronError` if a search fails, and `ModuleNotFoundError` without pandas.
    ///
    /// >>> import datetime, kron
    /// >>> day = datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc)
    /// >>> job = kron.Job("0 */12 * * * @win(after,1h)", name="prod/db")
    /// >>> job.starts(day, day + datetime.timedelta(days=1)).to_pandas()[["job", "nominal"]]
    ///        job                   nominal
    /// 0  prod/db 2026-03-01 00:00:00+00:00
    /// 1  prod/db 2026-03-01 12:00:00+00:00
    fn to_pandas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("kron._frames")?.call_method1("to_pandas", self.columns(py)?)
    }

    /// The remaining decisions as a `polars.DataFrame` with the columns `job`, `nominal`, `chosen` and `window`.
    ///
    /// `job` is the name, `nominal` and `chosen` are times in UTC, and `window` is a struct of the times `start` and `end`,
    /// both included. `chosen` is null for unschedulable periods. Raises `KronError` if a search fails, and
    /// `ModuleNotFoundError` without polars.
    ///
    /// >>> import datetime, kron
    /// >>> day = datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc)
    /// >>> job = kron.Job("0 */12 * * * @win(after,1h)", name="prod/db")
    /// >>> job.starts(day, day + datetime.timedelta(days=1)).to_polars().columns
    /// ['job', 'nominal', 'chosen', 'window']
    fn to_polars<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("kron._frames")?.call_method1("to_polars", self.columns(py)?)
    }
}

/// Names, nominal times, chosen times, window starts and window ends.
type Columns<'py> = (Bound<'py, PyList>, Timestamps, Timestamps, Timestamps, Timestamps);

impl Decisions {
    /// The remaining decisions, in columns.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Columns<'py>> {
        let mut names: BTreeMap<String, Bound<'py, PyString>> = BTreeMap::new();
        let mut jobs = Vec::new();
        let [mut nominal, mut chosen, mut start, mut end] = [const { Vec::new() }; 4];
        loop {
            let mut ended = false;
            let decisions = py.detach(|| {
                let (turn, mut decisions) = (Turn::begin(), Vec::new());
                while !ended && !turn.is_over() {
                    match self.step()? {
                        Some(decision) => decisions.push(decision),
                        None => ended = true,
                    }
                }
                Ok::<_, kron_core::Error>(decisions)
            });
            let decisions: Vec<Decision> = decisions.map_err(raise)?;
            py.check_signals()?;
            for decision in decisions.iter().map(Decision::core) {
                // One string for all rows of a job.
                let name = match names.get(decision.name()) {
                    Some(name) => name,
                    None => names
                        .entry(decision.name().to_string())
                        .or_insert_with_key(|name| PyString::new(py, name)),
                };
                jobs.push(name.clone());
                nominal.push(decision.nominal_timestamp());
                chosen.push(decision.chosen_timestamp().unwrap_or(NONE));
                start.push(decision.window_start_timestamp());
                end.push(decision.window_end_timestamp());
            }
            if ended {
                let times = |seconds: Vec<i64>| Timestamps::of(py, &seconds);
                let names = PyList::new(py, jobs)?;
                return Ok((names, times(nominal)?, times(chosen)?, times(start)?, times(end)?));
            }
        }
    }

    /// Holds the lock and runs no Python code, so that no thread that waits for the lock can prevent its release.
    fn step(&self) -> Result<Option<Decision>, kron_core::Error> {
        let mut series = self.series.lock().unwrap_or_else(PoisonError::into_inner);
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
            Series::NextStarts { fleet, after, index } => {
                let Some(job) = fleet.jobs().get(*index) else { return Ok(None) };
                let at = *index;
                // The next step skips a job that fails.
                *index += 1;
                Ok(Some(Decision::of(&member(fleet, at), &job.next_start(*after)?)))
            }
        }
    }
}
