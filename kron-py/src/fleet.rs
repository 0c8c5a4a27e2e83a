//! `kron.Fleet`.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use kron_core::{Duration, Instant as _};
use kron_fleet::forecast::{ForecastBy, ForecastRange};
use kron_fleet::spread::SpreadOptions;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PyRange, PySlice, PyString, PyTuple, PyType};

use crate::argument::{Arg, expected, expected_with_help, flag, instance, text};
use crate::bulk::{self, Timestamps, place};
use crate::decisions::Decisions;
use crate::error::raise;
use crate::fleet_items::job_of;
use crate::forecast::{self, Demand, Forecast};
use crate::guidance::{no_job, refuse};
use crate::instant::{Time, or_now};
use crate::job_class::{Job, JobRef};
use crate::notebook;
use crate::range::{Count, End, SeriesArgs};
use crate::series::{Kind, Series, Source};
use crate::spread::Spread;

/// Jobs with distinct names, in order of insertion: `kron.Job`s, or a mapping of names to their texts.
///
/// `fleet[0]` is the first job, `fleet["prod/db"]` the one of that name, and `"prod/db" in fleet` says whether there is one. A value of
/// the mapping is a text, a `kron.Cron`, or a `kron.Job` of the same name; pairs of names and such values are accepted, too. A fleet is
/// immutable: `with_job` and `without` return another one, and `fleet | other` has the jobs of both.
///
/// Raises `KronError`, with the name of the job, for a text that is wrong and for two jobs of one name.
///
/// >>> import datetime, kron
/// >>> fleet = kron.Fleet({"a/early": "0 1 * * *", "b/late": "0 2 * * * @win(after,1h)"})
/// >>> day = datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc)
/// >>> [start.name for start in fleet.starts(day, "48h")]
/// ['a/early', 'b/late', 'a/early', 'b/late']
#[pyclass(frozen, eq, hash, module = "kron", sequence)]
#[derive(Clone, Debug)]
pub(crate) struct Fleet {
    jobs: Arc<kron_fleet::Fleet>,
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
        kron_fleet::Fleet::new(jobs).map(|fleet| Fleet { jobs: Arc::new(fleet) }).map_err(raise)
    }

    pub(crate) fn core(&self) -> &kron_fleet::Fleet {
        &self.jobs
    }

    fn member(&self, index: usize) -> Job {
        Job(JobRef::Member(self.jobs.clone(), index))
    }

    /// The place of the job of a name, or `KeyError`.
    fn place_of(&self, name: &str, py: Python<'_>) -> PyResult<usize> {
        match self.jobs.index_of(name) {
            Some(place) => Ok(place),
            None => Err(no_job(py, name, &self.names(py)?)),
        }
    }

    fn series(&self, py: Python<'_>, kind: Kind, args: SeriesArgs) -> PyResult<Decisions> {
        let (series, count) = args.series(py, Source::Fleet(self.jobs.clone()), kind)?;
        Ok(Decisions::first(series, count))
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
    #[pyo3(signature = (jobs = None, /, **unknown), text_signature = "(jobs=(), /)")]
    fn new(jobs: Option<&Bound<'_, PyAny>>, unknown: Option<&Bound<'_, PyDict>>) -> PyResult<Fleet> {
        refuse("Fleet", unknown)?;
        let Some(jobs) = jobs else { return Fleet::of(Vec::new()) };
        if let Ok(fleet) = jobs.cast::<Fleet>() {
            return Ok(fleet.get().clone());
        }
        if let Ok(mapping) = jobs.cast::<PyMapping>() {
            return Fleet::of(mapping.items()?.iter().map(|item| job_of(&item)).collect::<PyResult<_>>()?);
        }
        let what = "an iterable of kron.Job, or a mapping of names to texts";
        if jobs.is_instance_of::<PyString>() {
            return Err(expected_with_help(
                what,
                jobs,
                "write kron.loads(text).fleet or kron.load(path).fleet",
            ));
        }
        if jobs.hasattr("columns")? {
            let help = "write kron.Fleet.from_frame(frame, name='name', text='text')";
            return Err(expected_with_help(what, jobs, help));
        }
        let jobs = jobs.try_iter().map_err(|_| expected(what, jobs))?;
        Fleet::of(jobs.map(|job| job_of(&job?)).collect::<PyResult<_>>()?)
    }

    /// A fleet of the rows of a `pandas.DataFrame` or a `polars.DataFrame`, or of any mapping of columns: `name` and `text` are the
    /// columns with the names and the texts of the jobs. Each further keyword, such as `timezone` or `window`, names the column of that
    /// argument of `kron.Job`; a row without a value has the default.
    ///
    /// Raises `LoadError` with the errors of all rows; each message begins with the number of its row, from 0, and the name. With
    /// `on_error='collect'` returns the fleet of the rows without errors, and the list of the errors.
    ///
    /// >>> import kron
    /// >>> table = {"name": ["db/backup", "report"], "text": ["@daily @win(after,1h)", "61 * * * *"]}
    /// >>> fleet, errors = kron.Fleet.from_frame(table, on_error="collect")
    /// >>> fleet
    /// kron.Fleet([kron.Job('0 0 * * * @win(after,1h0m0s)', name='db/backup')])
    /// >>> print(errors[0])
    /// row 1, report: schedule.minute: `61` at column 1 is not in 0 to 59
    /// >>> zones = {"name": ["report"], "cron": ["@daily"], "tz": ["Europe/Paris"]}
    /// >>> kron.Fleet.from_frame(zones, text="cron", timezone="tz")
    /// kron.Fleet([kron.Job('0 0 * * * @tz(Europe/Paris)', name='report')])
    #[classmethod]
    #[pyo3(
        signature = (frame, /, *, name = "name", text = "text", on_error = "raise", **columns),
        text_signature = "(frame, /, *, name='name', text='text', on_error='raise', timezone=None, days=None, nodays=None, window=None, distribution=None, seed=None, only=None, avoid=None, constraints=None, policy=None, algorithm=None)"
    )]
    fn from_frame<'py>(
        _cls: &Bound<'py, PyType>,
        frame: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = text)] name: &str,
        #[pyo3(from_py_with = text)] text: &str,
        #[pyo3(from_py_with = text)] on_error: &str,
        columns: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        frame.py().import("kron._frames")?.getattr("fleet")?.call1((frame, name, text, on_error, columns))
    }

    /// The jobs.
    #[getter]
    fn jobs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, (0..self.jobs.jobs().len()).map(|index| self.member(index)).collect::<Vec<_>>())
    }

    /// The names of the jobs.
    #[getter]
    fn names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.jobs.jobs().iter().map(kron_core::Job::name))
    }

    /// A fleet with another job at its end. Raises `KronError` if there is a job of that name; `fleet | kron.Fleet([job])` replaces it.
    ///
    /// >>> import kron
    /// >>> fleet = kron.Fleet({"a": "@daily", "b": "@hourly"})
    /// >>> fleet.with_job(kron.Job("@weekly", name="c")).names
    /// ('a', 'b', 'c')
    #[pyo3(signature = (job, /))]
    fn with_job(&self, #[pyo3(from_py_with = instance)] job: &Bound<'_, Job>) -> PyResult<Fleet> {
        let mut jobs = self.jobs.jobs().to_vec();
        jobs.push((*job.get().0).clone());
        Fleet::of(jobs)
    }

    /// A fleet without the jobs of these names. Raises `KeyError` for a name that the fleet does not have.
    ///
    /// >>> import kron
    /// >>> kron.Fleet({"a": "@daily", "b": "@hourly"}).without("a").names
    /// ('b',)
    #[pyo3(signature = (*names), text_signature = "($self, /, *names)")]
    fn without(&self, names: &Bound<'_, PyTuple>) -> PyResult<Fleet> {
        let mut left = vec![true; self.jobs.jobs().len()];
        for name in names {
            left[self.place_of(text(&name)?, name.py())?] = false;
        }
        let jobs = self.jobs.jobs().iter().zip(left).filter(|(_, left)| *left);
        Fleet::of(jobs.map(|(job, _)| job.clone()).collect())
    }

    /// A fleet with other parts of all jobs, as from `Job.replace` of each: the jobs keep their names.
    ///
    /// >>> import kron
    /// >>> kron.Fleet({"a": "@daily", "b": "@hourly"}).replace(window="10m")["b"]
    /// kron.Job('0 * * * * @win(after,10m0s)', name='b')
    #[pyo3(
        signature = (**parts),
        text_signature = "($self, *, timezone=..., days=..., nodays=..., window=..., distribution=..., seed=..., only=..., avoid=..., constraints=..., policy=..., algorithm=..., tz_database=None, calendars=None)"
    )]
    fn replace(&self, py: Python<'_>, parts: Option<&Bound<'_, PyDict>>) -> PyResult<Fleet> {
        if parts.map(|parts| parts.contains("name")).transpose()? == Some(true) {
            return Err(PyTypeError::new_err(
                "the jobs of a fleet have distinct names; write job.replace(name=...)",
            ));
        }
        let jobs = self.jobs(py)?;
        let replaced = jobs.iter().map(|job| job_of(&job.call_method("replace", (), parts)?));
        Fleet::of(replaced.collect::<PyResult<_>>()?)
    }

    /// The jobs of both fleets. Of two jobs of one name, that of the right fleet takes the place of the other.
    fn __or__(&self, other: &Bound<'_, Fleet>) -> PyResult<Fleet> {
        let (mut jobs, other) = (self.jobs.jobs().to_vec(), other.get());
        for job in other.jobs.jobs() {
            match self.jobs.index_of(job.name()) {
                Some(place) => jobs[place] = job.clone(),
                None => jobs.push(job.clone()),
            }
        }
        Fleet::of(jobs)
    }

    /// The starts of all jobs with chosen times from `start` on and before `end`, in order of chosen time, ties by nominal time, then
    /// by insertion: `kron.Decisions`, with the arguments of `Job.starts`. The attributes `name` and `job` of a decision are those of
    /// its job.
    ///
    /// If the search of a job fails, a pass raises `KronError` and drops this job; a further `next` goes on with the others.
    #[pyo3(signature = (start = None, end = None, *, count = None, reverse = false, **unknown), text_signature = "($self, start=None, end=None, *, count=None, reverse=False)")]
    fn starts(
        &self,
        py: Python<'_>,
        start: Option<Time>,
        end: Option<End>,
        count: Option<Count>,
        #[pyo3(from_py_with = flag)] reverse: bool,
        unknown: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Decisions> {
        refuse("Fleet.starts", unknown)?;
        self.series(py, Kind::Starts, SeriesArgs { start, end, count, reverse })
    }

    /// The periods of all jobs with nominal times from `start` on and before `end`, in order of nominal time, ties by insertion:
    /// `kron.Decisions`, with the arguments of `Job.starts`.
    #[pyo3(signature = (start = None, end = None, *, count = None, reverse = false, **unknown), text_signature = "($self, start=None, end=None, *, count=None, reverse=False)")]
    fn periods(
        &self,
        py: Python<'_>,
        start: Option<Time>,
        end: Option<End>,
        count: Option<Count>,
        #[pyo3(from_py_with = flag)] reverse: bool,
        unknown: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Decisions> {
        refuse("Fleet.periods", unknown)?;
        self.series(py, Kind::Periods, SeriesArgs { start, end, count, reverse })
    }

    /// Each job's `next_start` after an instant, the present one by default, in order of insertion: `kron.Decisions`. `min` finds the
    /// first one, and `sorted` gives the order in which they start.
    ///
    /// For a job whose search fails, a pass raises `KronError`; a further `next` goes on with the job after it.
    ///
    /// >>> import datetime, kron
    /// >>> fleet = kron.Fleet({"b/late": "0 2 * * *", "a/early": "0 1 * * *"})
    /// >>> day = datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc)
    /// >>> [start.name for start in sorted(fleet.next_starts(day))]
    /// ['a/early', 'b/late']
    #[pyo3(signature = (after = None, **unknown), text_signature = "($self, after=None)")]
    fn next_starts(
        &self,
        py: Python<'_>,
        after: Option<Time>,
        unknown: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Decisions> {
        refuse("Fleet.next_starts", unknown)?;
        let from = Some(or_now(py, after)?.floor().saturating_add(1));
        let (source, kind) = (Source::Fleet(self.jobs.clone()), Kind::NextStarts);
        Ok(Decisions::first(Series { source, kind, from, to: None, back: false }, None))
    }

    /// The chosen times of all periods with nominal times from `start` on and before `end`: job by job in order of insertion,
    /// each job's in order of nominal time, as from `Job.chosen_times`.
    ///
    /// `progress` is called with how many more jobs are done; `tqdm(total=len(fleet)).update` fits.
    #[pyo3(signature = (start, end, *, progress = None, **unknown), text_signature = "($self, start, end, *, progress=None)")]
    fn chosen_times(
        &self,
        py: Python<'_>,
        start: Time,
        end: End,
        progress: Option<Bound<'_, PyAny>>,
        unknown: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Timestamps> {
        refuse("Fleet.chosen_times", unknown)?;
        bulk::chosen_times(py, &self.all(), start.0, end.from(start.0)?, report(progress))
    }

    /// The nominal times from `start` on and before `end`: the same periods as those of `chosen_times`, in the same order.
    #[pyo3(signature = (start, end, *, progress = None, **unknown), text_signature = "($self, start, end, *, progress=None)")]
    fn nominal_times(
        &self,
        py: Python<'_>,
        start: Time,
        end: End,
        progress: Option<Bound<'_, PyAny>>,
        unknown: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Timestamps> {
        refuse("Fleet.nominal_times", unknown)?;
        bulk::nominal_times(py, &self.all(), start.0, end.from(start.0)?, report(progress))
    }

    /// Counts starts, executions that run at once, and their load from `start` on and before `end`, in buckets of the length
    /// `per`: whole seconds from 1s to 24h, at most 3,000,000 buckets. Suspended jobs start nothing.
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
            durations = None, weights = None, nominal = false, progress = None, **unknown),
        text_signature = "($self, start, end, *, per='1m', duration='1s', durations=None, weights=None, nominal=False, progress=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn forecast(
        &self,
        py: Python<'_>,
        start: Time,
        end: End,
        per: Arg<Duration>,
        duration: Arg<Duration>,
        durations: Option<HashMap<String, Arg<Duration>>>,
        weights: Option<HashMap<String, u32>>,
        #[pyo3(from_py_with = flag)] nominal: bool,
        progress: Option<Bound<'_, PyAny>>,
        unknown: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Forecast> {
        refuse("Fleet.forecast", unknown)?;
        let range = ForecastRange::new(start.0..end.from(start.0)?, per.0).map_err(raise)?;
        let by = if nominal { ForecastBy::NominalTime } else { ForecastBy::ChosenTime };
        let demand = Demand {
            duration: duration.0,
            durations: durations.unwrap_or_default(),
            weights: weights.unwrap_or_default(),
        };
        forecast::forecast(py, self.jobs.clone(), range, by, &demand, progress.as_ref())
    }

    /// Searches for salts with which few jobs start in the same bucket, from `start` on and before `end`, in buckets of the
    /// length `per`: whole seconds from 1s to 24h, at most 3,000,000 buckets. Returns a `kron.Spread`, with the jobs that have
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
        signature = (start, end, *, per = Arg(Duration::from_secs(60)), fixed = false, peak = None, **unknown),
        text_signature = "($self, start, end, *, per='1m', fixed=False, peak=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn spread(
        &self,
        py: Python<'_>,
        start: Time,
        end: End,
        per: Arg<Duration>,
        #[pyo3(from_py_with = flag)] fixed: bool,
        peak: Option<u64>,
        unknown: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Spread> {
        refuse("Fleet.spread", unknown)?;
        let range = ForecastRange::new(start.0..end.from(start.0)?, per.0).map_err(raise)?;
        let options = SpreadOptions { fixed, peak, ..SpreadOptions::default() };
        Spread::search(py, self.jobs.clone(), range, &options, |jobs| {
            Ok(Bound::new(py, Fleet { jobs })?.into_any().unbind())
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
            let place = self.place_of(&name.to_cow()?, py)?;
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

    fn __setitem__(&self, _index: &Bound<'_, PyAny>, _job: &Bound<'_, PyAny>) -> PyResult<()> {
        Err(PyTypeError::new_err("a kron.Fleet is immutable; write fleet = fleet.with_job(job)"))
    }

    fn __delitem__(&self, _index: &Bound<'_, PyAny>) -> PyResult<()> {
        Err(PyTypeError::new_err("a kron.Fleet is immutable; write fleet = fleet.without('name')"))
    }

    /// Whether the fleet has this job, or a job of this name.
    fn __contains__(&self, job: &Bound<'_, PyAny>) -> PyResult<bool> {
        if let Ok(name) = job.cast::<PyString>() {
            return Ok(self.jobs.contains(&name.to_cow()?));
        }
        let Ok(job) = job.cast::<Job>() else { return Ok(false) };
        let place = self.jobs.index_of(job.get().0.name());
        Ok(place.is_some_and(|place| self.member(place) == *job.get()))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.jobs(py)?.try_iter()?.into_any())
    }

    /// How many jobs there are, and the names of the first ones.
    fn __str__(&self) -> String {
        const SHOWN: usize = 3;
        let names: Vec<&str> = self.jobs.names().take(SHOWN).collect();
        match self.jobs.len() {
            0 => "no jobs".to_string(),
            1 => format!("1 job: {}", names.join(", ")),
            all => format!("{all} jobs: {}{}", names.join(", "), if all > SHOWN { ", ..." } else { "" }),
        }
    }

    /// The first jobs as a table. Notebooks show it.
    fn _repr_html_(&self) -> String {
        notebook::jobs(self.jobs.jobs().iter())
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
