//! `kron.Forecast`.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use kron_cli::ForecastPair;
use kron_core::error::Snippet;
use kron_core::time::Rfc3339;
use kron_core::{Duration, Zone};
use kron_fleet::forecast::{Bucket, ForecastBy, ForecastJob, ForecastRange};
use pyo3::exceptions::{PyIndexError, PyKeyError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDelta, PyDict, PyMemoryView, PyTuple};

use crate::argument::Arg;
use crate::bulk::{Timestamps, place};
use crate::convert::ZoneName;
use crate::duration::timedelta;
use crate::error::{Ended, raise};
use crate::guidance::refuse;
use crate::instant::{Time, datetime};
use crate::notebook;

/// The values of a bucket, by their names.
type Value = fn(&Bucket) -> u64;
const VALUES: [(&str, Value); 3] = [
    ("starts", |bucket| u64::from(bucket.starts)),
    ("running", |bucket| u64::from(bucket.running)),
    ("load", |bucket| bucket.load),
];

/// The starts, running executions and load of a fleet in each bucket of a range. Made by `Fleet.forecast`.
///
/// `starts`, `running` and `load` are read-only memoryviews of 64-bit integers, one for each bucket, which
/// `numpy.asarray` takes over without a copy. `forecast[i]` is the first instant of a bucket.
///
/// >>> import datetime, kron
/// >>> day = datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc)
/// >>> jobs = [kron.Job("0 0 * * * @win(after,1h)", name=f"report/{i}") for i in range(60)]
/// >>> forecast = kron.Fleet(jobs).forecast(day, day + datetime.timedelta(days=1), per="1h")
/// >>> len(forecast), forecast.starts.tolist()[:3], forecast.peak()
/// (24, [60, 0, 0], 60)
#[pyclass(frozen, module = "kron", sequence)]
pub(crate) struct Forecast {
    fleet: Arc<kron_fleet::Fleet>,
    forecast: kron_fleet::forecast::Forecast,
    by: ForecastBy,
    /// The same by the other time, once a notebook has asked for a picture of both.
    other: OnceLock<kron_fleet::forecast::Forecast>,
}

/// The duration and the weight of each execution of a job.
pub(crate) struct Demand {
    pub(crate) duration: Duration,
    pub(crate) durations: HashMap<String, Arg<Duration>>,
    pub(crate) weights: HashMap<String, u32>,
}

/// Counts without the GIL. After each part of the range, signals are checked and progress is reported.
pub(crate) fn forecast(
    py: Python<'_>,
    fleet: Arc<kron_fleet::Fleet>,
    range: ForecastRange,
    by: ForecastBy,
    demand: &Demand,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Forecast> {
    let names = demand.durations.keys().chain(demand.weights.keys());
    let known: HashSet<&str> = fleet.jobs().iter().map(|job| job.name()).collect();
    if let Some(unknown) = names.into_iter().find(|name| !known.contains(name.as_str())) {
        return Err(PyKeyError::new_err(format!(
            "the fleet has no job of the name {}",
            Snippet::of(unknown)
        )));
    }
    let seen = |job| {
        let mut seen = ForecastJob { duration: demand.duration, ..ForecastJob::new(job) };
        if let Some(Arg(duration)) = demand.durations.get(job.name()) {
            seen.duration = *duration;
        }
        if let Some(weight) = demand.weights.get(job.name()) {
            seen.weight = *weight;
        }
        seen
    };
    let jobs: Vec<ForecastJob<'_>> = fleet.jobs().iter().map(seen).collect();
    let progress = progress.map(|progress| progress.clone().unbind());
    let counted = py.detach(|| {
        kron_fleet::forecast::forecast_with(&jobs, &range, by, |done, all| {
            Python::attach(|py| {
                py.check_signals()?;
                progress.as_ref().map_or(Ok(()), |progress| progress.call1(py, (done, all)).map(drop))
            })
            .map_err(Ended::Python)
        })
    });
    let counted = counted?;
    if let Some((_, error)) = counted.failed().first() {
        return Err(raise(error.clone()));
    }
    drop(jobs);
    Ok(Forecast { fleet, forecast: counted, by, other: OnceLock::new() })
}

impl Forecast {
    fn range(&self) -> &ForecastRange {
        self.forecast.range()
    }

    /// Shows the forecast and the one by the other time, without the GIL.
    fn show(&self, py: Python<'_>, show: impl FnOnce(ForecastPair<'_>) -> String + Send) -> PyResult<String> {
        py.detach(|| {
            let jobs: Vec<ForecastJob<'_>> = self.fleet.jobs().iter().map(ForecastJob::new).collect();
            let other_by = match self.by {
                ForecastBy::NominalTime => ForecastBy::ChosenTime,
                ForecastBy::ChosenTime => ForecastBy::NominalTime,
            };
            let other = match self.other.get() {
                Some(other) => other,
                None => {
                    let counted =
                        kron_fleet::forecast::forecast_with(&jobs, self.range(), other_by, |_, _| {
                            Python::attach(|py| py.check_signals()).map_err(Ended::Python)
                        })?;
                    self.other.get_or_init(|| counted)
                }
            };
            let (nominal, chosen) = match self.by {
                ForecastBy::NominalTime => (&self.forecast, other),
                ForecastBy::ChosenTime => (other, &self.forecast),
            };
            Ok(show(ForecastPair { jobs: &jobs, declared: None, nominal, chosen, zone: &Zone::UTC }))
        })
    }

    /// The values of all buckets, as Python reads numbers from memory.
    fn values<'py>(&self, py: Python<'py>, value: Value) -> PyResult<Bound<'py, PyAny>> {
        // Loads beyond 2^63 do not justify another type.
        let numbers =
            self.forecast.buckets().iter().map(|bucket| i64::try_from(value(bucket)).unwrap_or(i64::MAX));
        let bytes: Vec<u8> = numbers.flat_map(i64::to_ne_bytes).collect();
        PyMemoryView::from(PyBytes::new(py, &bytes).as_any())?.call_method1(intern!(py, "cast"), ("q",))
    }
}

/// The value of a name.
fn value_of(name: &str) -> PyResult<Value> {
    let found = VALUES.iter().find(|(known, _)| *known == name);
    found.map(|(_, value)| *value).ok_or_else(|| {
        PyValueError::new_err(format!(
            "{} is no value of a bucket: it is `starts`, `running` or `load`",
            Snippet::of(name)
        ))
    })
}

#[pymethods]
impl Forecast {
    /// The first instant of the range.
    #[getter]
    fn start<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        datetime(py, self.range().from_timestamp())
    }

    /// The instant after the range.
    #[getter]
    fn end<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        datetime(py, self.range().to_timestamp())
    }

    /// The length of a bucket.
    #[getter]
    fn per<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDelta>> {
        // OK because a bucket has at most an hour.
        timedelta(py, Duration::from_secs(self.range().per_seconds() as u32))
    }

    /// Whether the jobs start at their nominal times, as cron starts them.
    #[getter]
    fn nominal(&self) -> bool {
        self.by == ForecastBy::NominalTime
    }

    /// The first instant of each bucket.
    #[getter]
    fn times(&self, py: Python<'_>) -> PyResult<Timestamps> {
        let times: Vec<i64> = (0..self.range().len()).map(|index| self.range().bucket(index).0).collect();
        Timestamps::of(py, &times)
    }

    /// The number of starts in each bucket.
    #[getter]
    fn starts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.values(py, VALUES[0].1)
    }

    /// The greatest number of executions that run in the same second of each bucket.
    #[getter]
    fn running<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.values(py, VALUES[1].1)
    }

    /// The greatest sum of the weights of executions that run in the same second of each bucket.
    #[getter]
    fn load<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.values(py, VALUES[2].1)
    }

    /// The number of starts in the range.
    #[getter]
    fn total(&self) -> u64 {
        self.forecast.total()
    }

    /// The greatest value of all buckets: of `starts`, `running` or `load`. Raises `ValueError` for another name.
    #[pyo3(signature = (value = "starts", **unknown), text_signature = "($self, value='starts')")]
    fn peak(&self, value: &str, unknown: Option<&Bound<'_, PyDict>>) -> PyResult<u64> {
        refuse("Forecast.peak", unknown)?;
        Ok(self.forecast.summary(value_of(value)?).peak)
    }

    /// The first instant of the first bucket that has the peak.
    #[pyo3(signature = (value = "starts", **unknown), text_signature = "($self, value='starts')")]
    fn peak_time<'py>(
        &self,
        py: Python<'py>,
        value: &str,
        unknown: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        refuse("Forecast.peak_time", unknown)?;
        let bucket = self.forecast.summary(value_of(value)?).peak_bucket;
        datetime(py, self.range().bucket(bucket).0)
    }

    /// The smallest value that at least 99 % of the buckets do not exceed.
    #[pyo3(signature = (value = "starts"))]
    fn p99(&self, value: &str) -> PyResult<u64> {
        Ok(self.forecast.summary(value_of(value)?).p99)
    }

    /// The mean value of all buckets.
    #[pyo3(signature = (value = "starts"))]
    fn mean(&self, value: &str) -> PyResult<f64> {
        Ok(self.forecast.summary(value_of(value)?).mean)
    }

    /// The first instants of the `count` buckets with the most starts: most starts first, then in order of time. There are fewer
    /// if fewer buckets have a start.
    #[pyo3(signature = (count = 5))]
    fn worst<'py>(&self, py: Python<'py>, count: usize) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.forecast
            .worst(count)
            .into_iter()
            .map(|index| datetime(py, self.range().bucket(index).0))
            .collect()
    }

    /// The names of the jobs that start in the bucket of an instant, each with its number of starts: most starts first.
    ///
    /// Raises `IndexError` for an instant that is not in the range.
    ///
    /// >>> import datetime, kron
    /// >>> day = datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc)
    /// >>> fleet = kron.Fleet([kron.Job("0 0 * * *", name="a"), kron.Job("*/20 * * * *", name="b")])
    /// >>> fleet.forecast(day, day + datetime.timedelta(hours=2), per="1h").jobs(day)
    /// [('b', 3), ('a', 1)]
    fn jobs(&self, py: Python<'_>, time: Time) -> PyResult<Vec<(String, u64)>> {
        let range = self.range();
        let second = time.0.timestamp();
        if !(range.from_timestamp()..range.to_timestamp()).contains(&second) {
            return Err(PyIndexError::new_err("the instant is not in the range of the forecast"));
        }
        // OK because the second is in the range, which has at most three million buckets.
        let bucket = ((second - range.from_timestamp()) / range.per_seconds()) as usize;
        let found = py.detach(|| {
            let jobs: Vec<ForecastJob<'_>> = self.fleet.jobs().iter().map(ForecastJob::new).collect();
            kron_fleet::forecast::jobs_in_buckets(&jobs, range, self.by, &[bucket])
        });
        let name = |(job, starts): (usize, u64)| (self.fleet.jobs()[job].name().to_string(), starts);
        Ok(found.into_iter().flatten().map(name).collect())
    }

    /// The most starts in one bucket of each hour of a week: seven lists of 24 numbers, Monday first, on the clocks of
    /// a zone of the compiled-in time zone database. An hour that is not in the range has `None`.
    #[pyo3(signature = (timezone = ZoneName::Utc), text_signature = "($self, timezone='UTC')")]
    fn heat_map(&self, timezone: ZoneName) -> PyResult<Vec<Vec<Option<u32>>>> {
        let zone = timezone.in_database(&kron_core::TzDatabase::COMPILED_IN)?;
        let map = self.forecast.heat_map(&zone);
        let day = |day: &[kron_fleet::forecast::HeatMapCell; 24]| {
            day.iter().map(|cell| (cell.buckets > 0).then_some(cell.peak)).collect()
        };
        Ok(map.days().iter().map(day).collect())
    }

    /// A `pandas.DataFrame` with the columns `starts`, `running` and `load`, and the first instants of the buckets as its index.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        frame(slf, "forecast_to_pandas")
    }

    /// A `polars.DataFrame` with the columns `time`, `starts`, `running` and `load`.
    fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        frame(slf, "forecast_to_polars")
    }

    /// The picture that `kron forecast -o svg` prints, as written and as spread, in UTC. Notebooks show it.
    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        self.show(py, |pair| pair.svg())
    }

    /// The picture, and which schedules start in the fullest buckets.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        self.show(py, |pair| notebook::with_details(&pair.svg(), "Fullest buckets", &pair.fullest()))
    }

    fn __len__(&self) -> usize {
        self.range().len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let place = place(index, self.range().len(), "an int")?;
        datetime(py, self.range().bucket(place).0)
    }

    /// Its peak, in a sentence.
    fn __str__(&self) -> String {
        let (range, summary) = (self.range(), self.forecast.summary(VALUES[0].1));
        // OK because a bucket has at most an hour.
        let per = Duration::from_secs(range.per_seconds() as u32);
        let peak = match summary.peak {
            0 => String::new(),
            peak => format!(", at most {peak} in {per}, at {}", Rfc3339(range.bucket(summary.peak_bucket).0)),
        };
        format!(
            "{} starts of {} jobs from {} until {}{peak}",
            self.forecast.total(),
            self.fleet.jobs().len(),
            Rfc3339(range.from_timestamp()),
            Rfc3339(range.to_timestamp()),
        )
    }

    fn __repr__(&self) -> String {
        let range = self.range();
        format!(
            "<kron.Forecast of {} jobs from {} to {}, {} starts>",
            self.fleet.jobs().len(),
            Rfc3339(range.from_timestamp()),
            Rfc3339(range.to_timestamp()),
            self.forecast.total()
        )
    }
}

/// Calls a function of `kron._frames` with the columns.
fn frame<'py>(forecast: &Bound<'py, Forecast>, function: &str) -> PyResult<Bound<'py, PyAny>> {
    let (py, own) = (forecast.py(), forecast.get());
    let columns = VALUES.map(|(_, value)| own.values(py, value));
    let [starts, running, load] = columns;
    let times = Bound::new(py, own.times(py)?)?.into_any();
    py.import("kron._frames")?.call_method1(function, PyTuple::new(py, [times, starts?, running?, load?])?)
}
