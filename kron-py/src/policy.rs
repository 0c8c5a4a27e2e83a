//! `kron.Policy` and `kron.plan`.

use std::collections::BTreeMap;
use std::fmt;

use kron_core::{Concurrency, Duration, PolicyKey};
use pyo3::prelude::*;
use pyo3::types::{PyDelta, PyType};

use crate::convert::{Arg, Time, class_or_text, expected, literal, or_now, timedelta, word};
use crate::decision::Decision;
use crate::records;

/// How a host treats a job's periods.
///
/// `concurrency` says what happens when an earlier execution is active: `'forbid'`, `'allow'` or `'replace'`. `deadline`, a
/// timedelta or a text, is how late a start may be. With `suspend` nothing is started.
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
        signature = (*, concurrency = "forbid", deadline = Arg(Duration::ZERO), suspend = false),
        text_signature = "(*, concurrency='forbid', deadline='0s', suspend=False)"
    )]
    fn new(concurrency: &str, deadline: Arg<Duration>, suspend: bool) -> PyResult<Policy> {
        let policy = PolicyKey::ALL.iter().try_fold(kron_core::Policy::default(), |policy, key| {
            Ok::<_, PyErr>(match key {
                PolicyKey::Concurrency => policy.with_concurrency(word::<Concurrency>(concurrency)?),
                PolicyKey::Deadline => policy.with_deadline(deadline.0),
                PolicyKey::Suspend => policy.with_suspend(suspend),
            })
        });
        policy.map(Policy)
    }

    /// Reads the text form, as in `@policy(...)`; the default policy's is empty.
    ///
    /// >>> import kron
    /// >>> kron.Policy.parse("concurrency=replace,deadline=1m").concurrency
    /// 'replace'
    #[classmethod]
    #[pyo3(signature = (text, /))]
    fn parse(_cls: &Bound<'_, PyType>, text: &str) -> PyResult<Policy> {
        word(text).map(Policy)
    }

    /// What happens when an earlier execution is active.
    #[getter]
    fn concurrency(&self) -> &'static str {
        self.0.concurrency().as_str()
    }

    /// How long after its chosen time a period may still start, rounded down to microseconds.
    #[getter]
    fn deadline<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDelta>> {
        timedelta(py, self.0.deadline())
    }

    /// Whether periods are neither started nor recorded.
    #[getter]
    fn suspend(&self) -> bool {
        self.0.suspend()
    }

    /// What to do with one period now: the first rule that fits.
    ///
    /// `handled` says whether the period has its outcome, `active` whether an execution of the job is running. Without `now`
    /// the present time counts.
    ///
    /// >>> import datetime, kron
    /// >>> job = kron.Job("0 0 * * * @win(after,3h) @policy(deadline=10m)", name="prod/db-backup")
    /// >>> decision = job.decide(datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc))
    /// >>> late = decision.chosen_time + datetime.timedelta(minutes=11)
    /// >>> job.policy.evaluate(decision, late)
    /// kron.Action('record', outcome='missed')
    #[pyo3(signature = (decision, now = None, *, handled = false, active = false))]
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        decision: &Bound<'py, Decision>,
        now: Option<Time>,
        handled: bool,
        active: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let now = or_now(py, now)?;
        records::action(py, &self.0.evaluate(&decision.get().brief(), now, handled, active))
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

/// Plans one evaluation of open periods, which may come in any order: in force, not handled, their window begun.
///
/// `Job.plan` finds the open periods itself.
#[pyfunction]
#[pyo3(signature = (decisions, policy, now = None, *, active = false))]
pub(crate) fn plan<'py>(
    py: Python<'py>,
    decisions: &Bound<'py, PyAny>,
    policy: Arg<kron_core::Policy>,
    now: Option<Time>,
    active: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let now = or_now(py, now)?;
    let one = |decision: PyResult<Bound<'py, PyAny>>| {
        decision?.cast_into::<Decision>().map_err(|other| expected("a kron.Decision", &other.into_inner()))
    };
    let all = decisions.try_iter().map_err(|_| expected("an iterable of kron.Decision", decisions))?;
    let open = all.map(one).collect::<PyResult<Vec<Bound<'py, Decision>>>>()?;
    let key =
        |it: &kron_core::Decision<'_>| (it.nominal_timestamp(), it.order_timestamp(), it.name().to_string());
    // A plan copies decisions; the ones handed in carry their jobs.
    let known: BTreeMap<_, _> = open.iter().map(|it| (key(&it.get().brief()), it)).collect();
    let plan = kron_core::plan(open.iter().map(|decision| decision.get().brief()), &policy.0, now, active);
    records::plan(py, &plan, |step| known.get(&key(&step.decision)).copied())
}
