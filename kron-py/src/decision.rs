//! `kron.Decision`.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use kron_core::{SeedHash, Unschedulable};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

use crate::convert::{Time, datetime, literal, whole_second};
use crate::error::raise;
use crate::job_class::{Job, JobRef};
use crate::receipt::Receipt;

/// The record of one period: when it starts and all that this follows from.
///
/// Jobs make decisions. The class itself can be called with a job, a nominal time and the chosen time that is expected of
/// them: it decides again and raises `ValueError` if they disagree. That is how decisions are printed and pickled.
///
/// Times are aware datetimes in UTC. Decisions are ordered as starts are: by chosen time (window end if there is none), then
/// nominal time, then name.
///
/// >>> import datetime, kron
/// >>> job = kron.Job("0 0 * * * @win(after,3h) @seed(stable,salt=backup)", name="prod/db-backup")
/// >>> decision = job.decide(datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc))
/// >>> decision.period_id, decision.chosen_time.isoformat(), decision.draws
/// ('2026-03-01T00:00:00Z', '2026-03-01T00:19:37+00:00', 1)
#[pyclass(frozen, eq, ord, hash, str, module = "kron")]
#[derive(Clone, Debug)]
pub(crate) struct Decision {
    source: Source,
    algorithm: &'static str,
    nominal: i64,
    first: i64,
    last: i64,
    choice: Result<i64, Unschedulable>,
    seed_hash: SeedHash,
    draws: u8,
}

/// What a decision follows from.
#[derive(Clone, Debug)]
enum Source {
    Job(JobRef),
    /// It was made elsewhere; this is the name.
    Known(Box<str>),
}

impl Decision {
    /// A decision that this job made.
    pub(crate) fn of(job: &JobRef, decision: &kron_core::Decision<'_>) -> Decision {
        Decision::new(Source::Job(job.clone()), decision)
    }

    fn new(source: Source, decision: &kron_core::Decision<'_>) -> Decision {
        Decision {
            source,
            algorithm: decision.algorithm(),
            nominal: decision.nominal_timestamp(),
            first: decision.window_start_timestamp(),
            last: decision.window_end_timestamp(),
            choice: match (decision.chosen_timestamp(), decision.unschedulable()) {
                (Some(chosen), _) => Ok(chosen),
                (None, why) => Err(why.unwrap_or_default()),
            },
            seed_hash: decision.seed_hash(),
            draws: decision.draws(),
        }
    }

    fn name(&self) -> &str {
        match &self.source {
            Source::Job(job) => job.name(),
            Source::Known(name) => name,
        }
    }

    /// As much of it as policies and plans look at, without deciding again.
    pub(crate) fn brief(&self) -> kron_core::Decision<'_> {
        kron_core::Decision::of_period(self.name(), self.nominal, (self.first, self.last), self.choice.ok())
    }

    /// All of it, decided again.
    fn full(&self) -> PyResult<kron_core::Decision<'_>> {
        match &self.source {
            Source::Job(job) => job.decide(self.nominal).map_err(raise),
            Source::Known(_) => Ok(self.brief()),
        }
    }

    fn order(&self) -> (i64, i64, &str) {
        (self.brief().order_timestamp(), self.nominal, self.name())
    }
}

impl PartialEq for Decision {
    fn eq(&self, other: &Decision) -> bool {
        self.brief() == other.brief()
            && (self.choice, self.algorithm) == (other.choice, other.algorithm)
            && (self.seed_hash, self.draws) == (other.seed_hash, other.draws)
    }
}

impl PartialOrd for Decision {
    fn partial_cmp(&self, other: &Decision) -> Option<Ordering> {
        // Two jobs of one name can decide alike in time and still differ; neither comes first.
        let order = self.order().cmp(&other.order());
        if order.is_eq() { (self == other).then_some(order) } else { Some(order) }
    }
}

impl Hash for Decision {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.name(), self.nominal, self.brief().chosen_timestamp()).hash(state);
    }
}

/// Name, period and start in a line.
impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let brief = self.brief();
        write!(f, "{} {}: ", self.name(), brief.period_id())?;
        match (brief.chosen_time(), self.choice) {
            (Some(chosen), _) => write!(f, "starts at {}", chosen.format("%Y-%m-%dT%H:%M:%SZ")),
            (None, Ok(_)) => Ok(()),
            (None, Err(why)) => write!(f, "unschedulable, {why}"),
        }
    }
}

#[pymethods]
impl Decision {
    #[new]
    #[pyo3(signature = (job, nominal_time, chosen_time, /))]
    fn decide(job: &Bound<'_, Job>, nominal_time: Time, chosen_time: Option<Time>) -> PyResult<Decision> {
        let job = &job.get().0;
        let decision = job.decide(nominal_time.0).map_err(raise)?;
        let chosen = chosen_time.map(|time| time.0);
        if chosen == decision.chosen_time() {
            return Ok(Decision::of(job, &decision));
        }
        let text = |time: Option<chrono::DateTime<chrono::Utc>>| {
            time.map_or("none".to_string(), |time| time.to_rfc3339())
        };
        Err(PyValueError::new_err(format!(
            "chosen_time: {} is not what the job decides for {}, which is {}",
            text(chosen),
            decision.period_id(),
            text(decision.chosen_time()),
        )))
    }

    /// A decision made elsewhere and before, such as one read back from a status: what policies and plans need of it.
    ///
    /// It has an empty seed and no job. All times are whole seconds. `chosen_time` is `None` for an unschedulable period.
    #[classmethod]
    #[pyo3(signature = (name, nominal_time, window_start, window_end, chosen_time))]
    fn of_period(
        _cls: &Bound<'_, PyType>,
        name: String,
        nominal_time: Time,
        window_start: Time,
        window_end: Time,
        chosen_time: Option<Time>,
    ) -> PyResult<Decision> {
        let nominal = whole_second("nominal_time", nominal_time.0)?;
        let window =
            (whole_second("window_start", window_start.0)?, whole_second("window_end", window_end.0)?);
        let chosen = chosen_time.map(|time| whole_second("chosen_time", time.0)).transpose()?;
        let decision = kron_core::Decision::of_period(&name, nominal, window, chosen);
        Ok(Decision::new(Source::Known(name.as_str().into()), &decision))
    }

    /// The job that decided; `None` if it was made elsewhere.
    #[getter]
    pub(crate) fn job(&self) -> Option<Job> {
        match &self.source {
            Source::Job(job) => Some(Job(job.clone())),
            Source::Known(_) => None,
        }
    }

    /// The name of the job.
    #[getter(name)]
    fn py_name(&self) -> &str {
        self.name()
    }

    /// The name of the algorithm that decided.
    #[getter]
    fn algorithm(&self) -> &'static str {
        self.algorithm
    }

    /// The period's name: its nominal time as RFC 3339 in UTC.
    #[getter]
    fn period_id(&self) -> String {
        self.brief().period_id()
    }

    /// What periods that share this draw have in common: the period id, the local date or the local ISO week.
    #[getter]
    fn period_key(&self) -> PyResult<String> {
        Ok(self.full()?.period_key())
    }

    /// The instant that the schedule names.
    #[getter]
    fn nominal_time<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        datetime(py, self.nominal)
    }

    /// The first candidate of the window.
    #[getter]
    fn window_start<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        datetime(py, self.first)
    }

    /// The last candidate of the window.
    #[getter]
    fn window_end<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        datetime(py, self.last)
    }

    /// The decided start; `None` if the period is unschedulable.
    #[getter]
    fn chosen_time<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.choice.ok().map(|chosen| datetime(py, chosen)).transpose()
    }

    /// `nominal_time` in Unix seconds.
    #[getter]
    fn nominal_timestamp(&self) -> i64 {
        self.nominal
    }

    /// `window_start` in Unix seconds.
    #[getter]
    fn window_start_timestamp(&self) -> i64 {
        self.first
    }

    /// `window_end` in Unix seconds.
    #[getter]
    fn window_end_timestamp(&self) -> i64 {
        self.last
    }

    /// `chosen_time` in Unix seconds.
    #[getter]
    fn chosen_timestamp(&self) -> Option<i64> {
        self.choice.ok()
    }

    /// Why there is no start, `'noAllowedSecond'` or `'drawsExhausted'`; `None` if there is one.
    #[getter]
    fn unschedulable(&self) -> Option<&'static str> {
        self.choice.err().map(Unschedulable::as_str)
    }

    /// The text that was hashed: name, period key and salt, one a line.
    #[getter]
    fn seed_input(&self) -> PyResult<String> {
        Ok(self.full()?.seed_input())
    }

    /// The 32 bytes that seeded the stream, as 64 lower-case hex digits.
    #[getter]
    fn seed_hash(&self) -> String {
        self.seed_hash.to_string()
    }

    /// How many draws were made, from 0 to 65.
    #[getter]
    fn draws(&self) -> u8 {
        self.draws
    }

    /// A receipt, from which anyone can make the decision again.
    ///
    /// >>> import kron
    /// >>> job = kron.Job("0 0 * * * @win(after,3h)", name="prod/db-backup")
    /// >>> kron.verify(job.next_start().receipt()).agrees
    /// True
    fn receipt(&self) -> PyResult<Receipt> {
        match &self.source {
            Source::Job(job) => Ok(Receipt(kron_core::Receipt::new(job, &self.full()?))),
            Source::Known(_) => {
                Err(PyValueError::new_err("a decision made elsewhere has no job to write a receipt of"))
            }
        }
    }

    /// The record as a dict: the attributes by name, without `job` and the Unix seconds.
    ///
    /// >>> import kron
    /// >>> decision = kron.Job("@daily @win(after,1h) @only(hours=9)", name="prod/db").next_period()
    /// >>> decision.to_dict()["unschedulable"], decision.to_dict()["nominal_time"] == decision.nominal_time
    /// ('noAllowedSecond', True)
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let full = self.full()?;
        let record = PyDict::new(py);
        record.set_item("name", full.name())?;
        record.set_item("algorithm", full.algorithm())?;
        record.set_item("period_id", full.period_id())?;
        record.set_item("period_key", full.period_key())?;
        record.set_item("nominal_time", self.nominal_time(py)?)?;
        record.set_item("window_start", self.window_start(py)?)?;
        record.set_item("window_end", self.window_end(py)?)?;
        record.set_item("chosen_time", self.chosen_time(py)?)?;
        record.set_item("seed_input", full.seed_input())?;
        record.set_item("seed_hash", full.seed_hash().to_string())?;
        record.set_item("draws", full.draws())?;
        record.set_item("unschedulable", full.unschedulable().map(Unschedulable::as_str))?;
        Ok(record)
    }

    /// The record as JSON, by the names that the command prints.
    fn to_json(&self) -> PyResult<String> {
        serde_json::to_string(&self.full()?).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let time = |timestamp| -> PyResult<String> { datetime(py, timestamp)?.repr()?.extract() };
        let chosen = self.choice.map_or(Ok("None".to_string()), time)?;
        match &self.source {
            Source::Job(job) => Ok(format!(
                "kron.Decision({}, {}, {chosen})",
                Job(job.clone()).repr(py)?,
                time(self.nominal)?
            )),
            Source::Known(name) => Ok(format!(
                "kron.Decision.of_period({}, {}, {}, {}, {chosen})",
                literal(py, name)?,
                time(self.nominal)?,
                time(self.first)?,
                time(self.last)?,
            )),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let class = py.get_type::<Decision>();
        let (nominal, chosen) = (self.nominal_time(py)?, self.chosen_time(py)?);
        match &self.source {
            Source::Job(job) => {
                Ok((class.into_any(), (Job(job.clone()), nominal, chosen).into_pyobject(py)?.into_any()))
            }
            Source::Known(name) => {
                let args = (&**name, nominal, self.window_start(py)?, self.window_end(py)?, chosen);
                Ok((class.getattr("of_period")?, args.into_pyobject(py)?.into_any()))
            }
        }
    }
}
