//! `kron.Spread`.

use std::sync::Arc;

use kron_core::Duration;
use kron_fleet::forecast::ForecastRange;
use kron_fleet::spread::{SpreadOptions, SpreadPlan};
use pyo3::prelude::*;
use pyo3::types::{PyDelta, PyDict};

use crate::bulk::checked;
use crate::duration::timedelta;
use crate::error::raise;
use crate::instant::datetime;
use crate::seed::Seed;

/// Salts with which few jobs start in the same bucket of time, and a proof of how few are possible. Made by `Fleet.spread`.
///
/// >>> import datetime, json, kron
/// >>> day = datetime.datetime(2026, 3, 2, tzinfo=datetime.timezone.utc)
/// >>> fleet = kron.Fleet(kron.Job("@daily @win(after,1h)", name=f"report/{i}") for i in range(60))
/// >>> spread = fleet.spread(day, day + datetime.timedelta(days=1), fixed=True)
/// >>> spread.present_peak, spread.peak, spread.bound
/// (4, 1, 1)
/// >>> spread.fleet["report/0"].seed == spread.seeds["report/0"]
/// True
/// >>> json.loads(spread.certificate())["bound"]
/// 1
#[pyclass(frozen, module = "kron")]
pub(crate) struct Spread {
    /// The jobs before.
    old: Arc<kron_fleet::Fleet>,
    /// The jobs with the seeds of the plan.
    new: Arc<kron_fleet::Fleet>,
    /// The same as a `kron.Fleet`, which this file does not know.
    fleet: Py<PyAny>,
    range: ForecastRange,
    plan: SpreadPlan,
}

impl Spread {
    /// Searches without the GIL, and checks for signals meanwhile.
    pub(crate) fn search(
        py: Python<'_>,
        fleet: Arc<kron_fleet::Fleet>,
        range: ForecastRange,
        options: &SpreadOptions,
        class: impl FnOnce(Arc<kron_fleet::Fleet>) -> PyResult<Py<PyAny>>,
    ) -> PyResult<Spread> {
        let jobs: Vec<&kron_core::Job> = fleet.jobs().iter().collect();
        let plan = py.detach(|| kron_fleet::spread::spread_with(&jobs, &range, options, checked()))?;
        let new = plan.jobs(&jobs).and_then(kron_fleet::Fleet::new).map_err(raise)?;
        drop(jobs);
        let new = Arc::new(new);
        Ok(Spread { old: fleet, fleet: class(new.clone())?, new, range, plan })
    }
}

#[pymethods]
impl Spread {
    /// The jobs with the seeds that the search found.
    #[getter]
    fn fleet(&self, py: Python<'_>) -> Py<PyAny> {
        self.fleet.clone_ref(py)
    }

    /// The seeds that the search found: by name, those of the jobs that get another one.
    #[getter]
    fn seeds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let seeds = PyDict::new(py);
        for (job, seed) in self.old.jobs().iter().zip(&self.plan.seeds) {
            if let Some(seed) = seed {
                seeds.set_item(job.name(), Bound::new(py, Seed(seed.clone()))?)?;
            }
        }
        Ok(seeds)
    }

    /// The most starts in one bucket with the seeds that the jobs had.
    #[getter]
    fn present_peak(&self) -> u64 {
        self.plan.present_peak
    }

    /// The most starts in one bucket with the seeds of `fleet`.
    #[getter]
    fn peak(&self) -> u64 {
        self.plan.peak
    }

    /// The first bucket with `peak` starts, by its first instant.
    #[getter]
    fn peak_time<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        datetime(py, self.range.bucket(self.plan.peak_bucket).0)
    }

    /// A lower bound: no salts give a peak below it.
    #[getter]
    fn bound(&self) -> u64 {
        self.plan.bound.peak
    }

    /// The first instant of the range.
    #[getter]
    fn start<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        datetime(py, self.range.from_timestamp())
    }

    /// The instant after the range.
    #[getter]
    fn end<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        datetime(py, self.range.to_timestamp())
    }

    /// The length of a bucket.
    #[getter]
    fn per<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDelta>> {
        // OK because a bucket has at most an hour.
        timedelta(py, Duration::from_secs(self.range.per_seconds() as u32))
    }

    /// The proof of `peak` and `bound` as JSON, which `scripts/check_spread.py` checks without Kron. Its lines of jobs are those
    /// of `fleet.to_job_file()`.
    ///
    /// Raises `KronError` if two jobs name calendars of one name with different dates.
    fn certificate(&self) -> PyResult<String> {
        let jobs: Vec<&kron_core::Job> = self.new.jobs().iter().collect();
        let lines: Vec<String> = self.new.jobs().iter().map(kron_core::Job::to_line).collect();
        self.plan.certificate(&jobs, &self.range, &lines.join("\n")).map_err(raise)
    }

    fn __repr__(&self) -> String {
        let SpreadPlan { seeds, present_peak, peak, bound, .. } = &self.plan;
        let changed = seeds.iter().flatten().count();
        format!(
            "<kron.Spread of {} jobs: peak {present_peak} before, {peak} after, at least {}, {changed} other seeds>",
            seeds.len(),
            bound.peak
        )
    }
}
