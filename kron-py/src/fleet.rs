//! `kron.Fleet`.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use kron_core::Duration;
use kron_fleet::forecast::{ForecastBy, ForecastRange};
use kron_fleet::spread::SpreadOptions;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyRange, PySlice, PyString, PyTuple};

use crate::bulk::{self, Timestamps, place};
use crate::convert::{Arg, Time, expected, flag, or_now};
use crate::error::raise;
use crate::forecast::{self, Demand, Forecast};
use crate::job_class::{Job, JobRef};
use crate::series::Decisions;
use crate::spread::Spread;

/// Jobs with distinct names, in order of insertion. `fleet[0]` is the first one, and `fleet["prod/db"]` the one of that name.
/// Raises `KronError` if two jobs have the same name.
///
/// >>> import datetime, kron
/// >>> fleet = kron.Fleet([kron.Job("0 1 * * *", name="a/early"), kron.Job("0 2 * * *", name="b/late")])
/// >>> day = datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc)
/// >>> [start.name for start in fleet.starts(day, day + datetime.timedelta(days=2))]
/// ['a/early', 'b/late', 'a/early', 'b/late']
#[pyclass(frozen, eq, hash, module = "kron", sequence)]
#[derive(Clone, Debug)]
pub(crate) struct Fleet {
    jobs: Arc<kron_fleet::Fleet>,
    /// The places of the jobs in order of their names, from the first look-up of a name on.
    by_name: OnceLock<Vec<usize>>,
}

impl PartialEq for Fleet {
    fn eq(&self, other: &Fleet) -> bool {
        let same = |(a, b): (&kron_core::Job, &kron_core::Job)| a.name() == b.name() && a.spec() == b.spec();
        self.jobs.jobs().len() == other.jobs.jobs().len()
            && self.jobs.jobs().iter().zip(other.jobs.jobs()).all(same)
    }
}

impl Hash for Fleet {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.jobs.jobs().iter().for_each(|job| (job.name(), job.spec()).hash(state));
    }
}

impl Fleet {
    fn of(jobs: Vec<kron_core::Job>) -> PyResult<Fleet> {
        kron_fleet::Fleet::new(jobs)
            .map(|fleet| Fleet { jobs: Arc::new(fleet), by_name: OnceLock::new() })
            .map_err(raise)
    }

    pub(crate) fn core(&self) -> &kron_fleet::Fleet {
        &self.jobs
    }

    fn member(&self, index: usize) -> Job {
        Job(JobRef::Member(self.jobs.clone(), index))
    }

    /// The place of the job of a name.
    fn named(&self, name: &str) -> Option<usize> {
        let jobs = self.jobs.jobs();
        let by_name = self.by_name.get_or_init(|| {
            let mut places: Vec<usize> = (0..jobs.len()).collect();
            places.sort_unstable_by_key(|place| jobs[*place].name());
            places
        });
        let found = by_name.binary_search_by_key(&name, |place| jobs[*place].name()).ok()?;
        Some(by_name[found])
    }

    fn all(&self) -> Vec<&kron_core::Job> {
        self.jobs.jobs().iter().collect()
    }
}

/// Calls a callback with how many more jobs are done.
fn report<'py>(progress: Option<Bound<'py, PyAny>>) -> impl FnMut(usize) -> PyResult<()> + use<'py> {
    move |jobs| progress.as_ref().map_or(Ok(()), |progress| progress.call1((jobs,)).map(drop))
}

#[pymethods]
impl Fleet {
    #[new]
    #[pyo3(signature = (jobs, /))]
    fn new(jobs: &Bound<'_, PyAny>) -> PyResult<Fleet> {
        let job = |job: PyResult<Bound<'_, PyAny>>| {
            let job = job?;
            Ok((*job.cast::<Job>().map_err(|_| expected("a kron.Job", &job))?.get().0).clone())
        };
        let jobs = jobs.try_iter().map_err(|_| expected("an iterable of kron.Job", jobs))?;
        Fleet::of(jobs.map(job).collect::<PyResult<_>>()?)
    }

    /// The jobs.
    #[getter]
    fn jobs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, (0..self.jobs.jobs().len()).map(|index| self.member(index)).collect::<Vec<_>>())
    }

    /// The starts of all jobs with chosen times from `start` on and before `end`: in order of chosen time, ties by
    /// nominal time, then by insertion. The attributes `name` and `job` of a decision are those of its job.
    ///
    /// If the search of a job fails, the iterator raises `KronError` at once and drops this job; a further `next` goes on with
    /// the others.
    #[pyo3(signature = (start, end))]
    fn starts(&self, py: Python<'_>, start: Time, end: Time) -> Decisions {
        Decisions::fleet_starts(py, self.jobs.clone(), start.0, end.0)
    }

    /// The periods of all jobs with nominal times from `start` on and before `end`: in order of nominal time, ties by insertion.
    #[pyo3(signature = (start, end))]
    fn periods(&self, py: Python<'_>, start: Time, end: Time) -> Decisions {
        Decisions::fleet_periods(py, self.jobs.clone(), start.0, end.0)
    }

    /// Each job's `next_start` after an instant, the present one by default, in order of insertion; `sorted` gives the order in
    /// which they start.
    ///
    /// For a job whose search fails, the iterator raises `KronError`; a further `next` goes on with the job after it.
    ///
    /// >>> import datetime, kron
    /// >>> fleet = kron.Fleet([kron.Job("0 2 * * *", name="b/late"), kron.Job("0 1 * * *", name="a/early")])
    /// >>> day = datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc)
    /// >>> [start.name for start in sorted(fleet.next_starts(day))]
    /// ['a/early', 'b/late']
    #[pyo3(signature = (after = None))]
    fn next_starts(&self, py: Python<'_>, after: Option<Time>) -> PyResult<Decisions> {
        Ok(Decisions::next_starts(self.jobs.clone(), or_now(py, after)?))
    }

    /// The chosen times of all periods with nominal times from `start` on and before `end`: job by job in order of insertion,
    /// each job's in order of nominal time, as from `Job.chosen_times`.
    ///
    /// `progress` is called with how many more jobs are done; `tqdm(total=len(fleet)).update` fits.
    #[pyo3(signature = (start, end, *, progress = None))]
    fn chosen_times(
        &self,
        py: Python<'_>,
        start: Time,
        end: Time,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Timestamps> {
        bulk::chosen_times(py, &self.all(), start.0, end.0, report(progress))
    }

    /// The nominal times from `start` on and before `end`: the same periods as those of `chosen_times`, in the same order.
    #[pyo3(signature = (start, end, *, progress = None))]
    fn nominal_times(
        &self,
        py: Python<'_>,
        start: Time,
        end: Time,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Timestamps> {
        bulk::nominal_times(py, &self.all(), start.0, end.0, report(progress))
    }

    /// Counts starts, executions that run at once, and their load from `start` on and before `end`, in buckets of the length
    /// `per`: whole seconds from 1s to 1h, at most 3,000,000 buckets. Suspended jobs start nothing.
    ///
    /// An execution runs for `duration`, at most 366 days, and has the weight 1. `durations` and `weights` have other values for
    /// jobs by name; a weight is an int from 0 to 2**32 - 1. With `nominal` the jobs start at their nominal times, as cron starts
    /// them. `progress` is called with the number of the parts of the range that are done and with the number of all parts.
    ///
    /// Raises `KronError` for a range, bucket or duration out of bounds and if the search of a job fails, and `KeyError` for a
    /// name that the fleet does not have.
    ///
    /// >>> import datetime, kron
    /// >>> day = datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc)
    /// >>> fleet = kron.Fleet([kron.Job("0 0 * * * @win(after,1h)", name=f"report/{i}") for i in range(60)])
    /// >>> cron, spread = (fleet.forecast(day, day + datetime.timedelta(days=1), nominal=n) for n in (True, False))
    /// >>> cron.peak(), spread.peak()
    /// (60, 4)
    #[pyo3(
        signature = (start, end, *, per = Arg(Duration::from_secs(60)), duration = Arg(Duration::from_secs(1)),
            durations = None, weights = None, nominal = false, progress = None),
        text_signature = "($self, start, end, *, per='1m', duration='1s', durations=None, weights=None, nominal=False, progress=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn forecast(
        &self,
        py: Python<'_>,
        start: Time,
        end: Time,
        per: Arg<Duration>,
        duration: Arg<Duration>,
        durations: Option<HashMap<String, Arg<Duration>>>,
        weights: Option<HashMap<String, u32>>,
        #[pyo3(from_py_with = flag)] nominal: bool,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Forecast> {
        let range = ForecastRange::new(start.0..end.0, per.0).map_err(raise)?;
        let by = if nominal { ForecastBy::NominalTime } else { ForecastBy::ChosenTime };
        let demand = Demand {
            duration: duration.0,
            durations: durations.unwrap_or_default(),
            weights: weights.unwrap_or_default(),
        };
        forecast::forecast(py, self.jobs.clone(), range, by, &demand, progress.as_ref())
    }

    /// Searches for salts with which few jobs start in the same bucket, from `start` on and before `end`, in buckets of the
    /// length `per`: whole seconds from 1s to 1h, at most 3,000,000 buckets. Returns a `kron.Spread`, with the jobs that have
    /// these salts, the peak, and a lower bound: no salts give a lower peak.
    ///
    /// With `fixed` the jobs get the seed strategy `fixed`, with which far lower peaks are possible. With `peak` the search ends
    /// when no bucket has more starts than that; otherwise it looks for the lowest peak. The result depends only on the fleet and
    /// the arguments. Suspended jobs are not counted and not changed.
    ///
    /// >>> import datetime, kron
    /// >>> day = datetime.datetime(2026, 3, 2, tzinfo=datetime.timezone.utc)
    /// >>> fleet = kron.Fleet(kron.Job("@daily @win(after,1h)", name=f"report/{i}") for i in range(60))
    /// >>> spread = fleet.spread(day, day + datetime.timedelta(days=1), peak=2)
    /// >>> spread.present_peak, spread.peak, len(spread.seeds)
    /// (4, 2, 6)
    #[pyo3(
        signature = (start, end, *, per = Arg(Duration::from_secs(60)), fixed = false, peak = None),
        text_signature = "($self, start, end, *, per='1m', fixed=False, peak=None)"
    )]
    fn spread(
        &self,
        py: Python<'_>,
        start: Time,
        end: Time,
        per: Arg<Duration>,
        #[pyo3(from_py_with = flag)] fixed: bool,
        peak: Option<u64>,
    ) -> PyResult<Spread> {
        let range = ForecastRange::new(start.0..end.0, per.0).map_err(raise)?;
        let options = SpreadOptions { fixed, peak };
        Spread::search(py, self.jobs.clone(), range, &options, |jobs| {
            Ok(Bound::new(py, Fleet { jobs, by_name: OnceLock::new() })?.into_any().unbind())
        })
    }

    /// The jobs as the text of a job file, which `kron.loads` and the command read: one line for each, in canonical form.
    ///
    /// >>> import kron
    /// >>> print(kron.Fleet([kron.Job("@daily", name="a"), kron.Job("@hourly", name="b c")]).to_job_file(), end="")
    /// 0 0 * * * name=a
    /// 0 * * * * name="b c"
    fn to_job_file(&self) -> String {
        self.jobs.jobs().iter().map(|job| job.to_line() + "\n").collect()
    }

    fn __len__(&self) -> usize {
        self.jobs.jobs().len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let jobs = self.jobs.jobs();
        if let Ok(name) = index.cast::<PyString>() {
            let place =
                self.named(&name.to_cow()?).ok_or_else(|| PyKeyError::new_err(name.clone().unbind()))?;
            return Ok(Bound::new(py, self.member(place))?.into_any());
        }
        if index.is_instance_of::<PySlice>() {
            // Python's own arithmetic of slices, on the places of the jobs.
            let all = py.get_type::<PyRange>().call1((jobs.len(),))?;
            let job = |place: PyResult<Bound<'_, PyAny>>| Ok(jobs[place?.extract::<usize>()?].clone());
            let part = all.get_item(index)?.try_iter()?.map(job).collect::<PyResult<_>>()?;
            return Ok(Bound::new(py, Fleet::of(part)?)?.into_any());
        }
        Ok(Bound::new(py, self.member(place(index, jobs.len(), "an int, a slice or the name of a job")?))?
            .into_any())
    }

    /// Whether the fleet has this job, or a job of this name.
    fn __contains__(&self, job: &Bound<'_, PyAny>) -> PyResult<bool> {
        if let Ok(name) = job.cast::<PyString>() {
            return Ok(self.named(&name.to_cow()?).is_some());
        }
        let Ok(job) = job.cast::<Job>() else { return Ok(false) };
        Ok(self.named(job.get().0.name()).is_some_and(|place| self.member(place) == *job.get()))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.jobs(py)?.try_iter()?.into_any())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let jobs: PyResult<Vec<String>> =
            (0..self.jobs.jobs().len()).map(|index| self.member(index).repr(py)).collect();
        Ok(format!("kron.Fleet([{}])", jobs?.join(", ")))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyTuple>,))> {
        Ok((py.get_type::<Fleet>().into_any(), (self.jobs(py)?,)))
    }
}
