//! `kron.Policy` and `kron.plan`.

use std::fmt;

use kron_core::plan::PolicyKey;
use kron_core::{Concurrency, Duration};
use pyo3::prelude::*;
use pyo3::types::{PyDelta, PyDict, PyType};

use crate::any_period::period_of;
use crate::argument::{Arg, expected, flag, text};
use crate::convert::{class_or_text, literal, word};
use crate::duration::timedelta;
use crate::error::raise;
use crate::guidance::refuse;
use crate::instant::{Time, or_now};
use crate::records;

/// How a host treats a job's periods.
///
/// `concurrency` says what happens while an earlier execution is active: `'forbid'`, `'allow'` or `'replace'`. `deadline`, a
/// timedelta or a text, is how late a start may be; with `'0s'` a job starts in its chosen second or not at all. With `suspend`
/// nothing is started.
///
/// >>> import kron
/// >>> kron.Policy(deadline="10m")
/// kron.Policy(deadline='10m0s')
#[pyclass(frozen, eq, hash, str, module = "kron")]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Policy(pub(crate) kron_core::Policy);

class_or_text!(Policy);

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[pymethods]
impl Policy {
    #[new]
    #[pyo3(
        signature = (*, concurrency = "forbid", deadline = Arg(Duration::ZERO), suspend = false, **unknown),
        text_signature = "(*, concurrency='forbid', deadline='0s', suspend=False)"
    )]
    fn new(
        #[pyo3(from_py_with = text)] concurrency: &str,
        deadline: Arg<Duration>,
        #[pyo3(from_py_with = flag)] suspend: bool,
        unknown: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Policy> {
        refuse("Policy", unknown)?;
        let policy = PolicyKey::ALL.iter().try_fold(kron_core::Policy::default(), |policy, key| {
            Ok::<_, PyErr>(match key {
                PolicyKey::Concurrency => policy.with_concurrency(word::<Concurrency>(concurrency)?),
                PolicyKey::Deadline => policy.with_deadline(deadline.0).map_err(raise)?,
                PolicyKey::Suspend => policy.with_suspend(suspend),
            })
        });
        policy.map(Policy)
    }

    /// Reads the text form, as in `@policy(...)`. The text of the default policy is empty.
    ///
    /// >>> import kron
    /// >>> kron.Policy.parse("concurrency=replace,deadline=1m").concurrency
    /// 'replace'
    #[classmethod]
    #[pyo3(signature = (text, /))]
    fn parse(_cls: &Bound<'_, PyType>, #[pyo3(from_py_with = text)] text: &str) -> PyResult<Policy> {
        word(text).map(Policy)
    }

    /// What happens while an earlier execution is active.
    #[getter]
    fn concurrency(&self) -> &'static str {
        self.0.concurrency().as_str()
    }

    /// How long after its chosen time a period may still start, rounded down to microseconds.
    #[getter]
    fn deadline<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDelta>> {
        timedelta(py, self.0.deadline())
    }

    /// Whether nothing is started. Periods then get no outcome.
    #[getter]
    fn suspend(&self) -> bool {
        self.0.suspend()
    }

    /// What to do with one period at `now`, by default the present time: the first rule that applies decides. `period` is a
    /// `kron.Decision` or a `kron.Period`. Returns a `kron.Action`.
    ///
    /// `handled` says whether the period has its outcome, `active` whether an execution of the job is active.
    ///
    /// >>> import datetime, kron
    /// >>> job = kron.Job("0 0 * * * @win(after,3h) @policy(deadline=10m)", name="prod/db-backup")
    /// >>> decision = job.decide(datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc))
    /// >>> late = decision.chosen_time + datetime.timedelta(minutes=11)
    /// >>> job.policy.evaluate(decision, late)
    /// kron.Action('record', outcome='missed')
    #[pyo3(signature = (period, now = None, *, handled = false, active = false))]
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        period: &Bound<'py, PyAny>,
        now: Option<Time>,
        #[pyo3(from_py_with = flag)] handled: bool,
        #[pyo3(from_py_with = flag)] active: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (period, now) = (period_of(period)?, or_now(py, now)?);
        records::action(py, &self.0.evaluate(period, now, handled, active))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let arg = |(key, value): (PolicyKey, String)| {
            Ok(match key {
                PolicyKey::Concurrency | PolicyKey::Deadline => format!("{key}={}", literal(py, &value)?),
                // It is printed if it is true.
                PolicyKey::Suspend => format!("{key}=True"),
            })
        };
        let args: PyResult<Vec<String>> = self.0.canonical().map(arg).collect();
        Ok(format!("kron.Policy({})", args?.join(", ")))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.get_type::<Policy>().getattr("parse")?, (self.to_string(),)))
    }
}

/// An open period of the caller, and its Python object.
#[derive(Debug)]
struct Open<'py> {
    period: kron_core::Period,
    given: Bound<'py, PyAny>,
}

impl AsRef<kron_core::Period> for Open<'_> {
    fn as_ref(&self) -> &kron_core::Period {
        &self.period
    }
}

/// Plans one evaluation of open periods: those in force, not handled, and with a window that has begun. Returns a `kron.Plan`.
///
/// `periods` are `kron.Decision`s or `kron.Period`s, in any order; the steps contain the same objects. `active` says whether an
/// execution of the job is active. `Job.plan` finds the open periods itself.
#[pyfunction]
#[pyo3(signature = (periods, policy, now = None, *, active = false))]
pub(crate) fn plan<'py>(
    py: Python<'py>,
    periods: &Bound<'py, PyAny>,
    policy: Arg<kron_core::Policy>,
    now: Option<Time>,
    #[pyo3(from_py_with = flag)] active: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let now = or_now(py, now)?;
    let one = |given: PyResult<Bound<'py, PyAny>>| {
        let given = given?;
        Ok(Open { period: period_of(&given)?, given })
    };
    let all =
        periods.try_iter().map_err(|_| expected("an iterable of kron.Period or kron.Decision", periods))?;
    let open = all.map(one).collect::<PyResult<Vec<Open<'py>>>>()?;
    records::plan(py, kron_core::plan::plan(open, &policy.0, now, active), |open| open.given)
}
