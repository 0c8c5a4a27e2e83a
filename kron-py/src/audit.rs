//! `kron.audit`.

use kron_core::{Instant as _, Parser, TzDatabase};
use kron_formats::audit::{AuditedPeriod, MissCause};
use kron_formats::snapshot::Snapshot;
use kron_formats::snapshot::{AuditSpan, KronJobAudit, ObjectFinding};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyString, PyTuple};

use crate::argument::{Arg, expected};
use crate::bulk::checked;
use crate::dataclass::class;
use crate::error::raise_in;
use crate::instant::{Time, datetime, or_now};
use crate::tzdb::or_compiled_in;

/// Texts of objects as an argument: one of them, or an iterable.
pub(crate) struct Texts(Vec<PyBackedStr>);

impl<'py> FromPyObject<'_, 'py> for Texts {
    type Error = PyErr;

    fn extract(obj: Borrowed<'_, 'py, PyAny>) -> PyResult<Texts> {
        if obj.is_instance_of::<PyString>() {
            return Ok(Texts(vec![obj.extract()?]));
        }
        let texts = obj.try_iter().map_err(|_| expected("a str or an iterable of str", &obj))?;
        let text = |item: PyResult<Bound<'py, PyAny>>| {
            let item = item?;
            if item.is_instance_of::<PyString>() { item.extract() } else { Err(expected("a str", &item)) }
        };
        texts.map(text).collect::<PyResult<_>>().map(Texts)
    }
}

/// Compares the periods of KronJobs with the Jobs of a cluster, as `kron audit` does. Returns a `kron.Audit`.
///
/// `objects` is what `kubectl get kronjobs,jobs,events -A -o json` prints, in JSON or YAML, or an iterable of such texts. `until`
/// is the time at which the objects were read, the present time by default. The audit covers the periods with chosen times from
/// `start` to `until`, both included; without `start`, those about which the objects prove something, at most 366 days back.
///
/// All periods are in memory. The function releases the GIL and reacts to Ctrl-C. It raises `ValueError` if there is no KronJob,
/// or if `start` is not before `until`, and `KronError` if a text cannot be read.
///
/// >>> import datetime, kron
/// >>> objects = """
/// ... apiVersion: kron.io/v1alpha1
/// ... kind: KronJob
/// ... metadata: {name: db, namespace: prod, uid: '1', creationTimestamp: '2026-03-01T00:00:00Z'}
/// ... spec:
/// ...   schedule: '@daily'
/// ...   jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: dump}]}}}}
/// ... """
/// >>> audit = kron.audit(objects, until=datetime.datetime(2026, 3, 2, 12, tzinfo=datetime.timezone.utc))
/// >>> print(audit.findings[0])  # no operator has read the KronJob, and no Job is in the text
/// prod/db 2026-03-02T00:00:00Z noJobs: overdue, start 2026-03-02T00:00:00Z: the input has no Job, so it may have been executed
#[pyfunction]
#[pyo3(signature = (objects, start = None, until = None, *, tz_database = None))]
pub(crate) fn audit<'py>(
    py: Python<'py>,
    objects: Texts,
    start: Option<Time>,
    until: Option<Time>,
    tz_database: Option<Arg<TzDatabase>>,
) -> PyResult<Bound<'py, PyAny>> {
    let now = or_now(py, until)?.floor();
    let from = start.map(|start| start.0.ceil());
    if from.is_some_and(|from| from >= now) {
        return Err(PyValueError::new_err("start must be before until"));
    }
    let parser = Parser::new().with_tz_database(or_compiled_in(tz_database));
    let Texts(texts) = objects;
    let read = || {
        let all: Vec<&str> = texts.iter().map(|text| &**text).collect();
        Snapshot::read(&parser, &all).map_err(|error| {
            // The text that is wrong by itself, if there are several.
            let wrong = all.iter().position(|text| Snapshot::read(&parser, &[text]).is_err());
            (error, wrong.filter(|_| all.len() > 1))
        })
    };
    let snapshot = py.detach(read).map_err(|(error, wrong)| {
        let place = wrong.map(|wrong| format!("objects[{wrong}]"));
        raise_in(&error, place.as_deref())
    })?;
    if snapshot.kronjobs.is_empty() {
        return Err(PyValueError::new_err(
            "there is no KronJob in the objects; `kubectl get kronjobs,jobs,events -A -o json` prints them",
        ));
    }
    let span = AuditSpan { from, now, has_all_jobs: false };
    let audits = py.detach(|| -> PyResult<Vec<(&str, KronJobAudit<'_>)>> {
        let mut check = checked();
        let one = |kronjob| kronjob_audit(kronjob, span, &mut check);
        snapshot.kronjobs.iter().map(one).collect()
    })?;
    let maker = Maker { py, period: class(py, "AuditedPeriod")?, finding: class(py, "AuditFinding")? };
    let class_of_kronjob = class(py, "KronJobAudit")?;
    let one = |(name, found): &(&str, KronJobAudit<'_>)| {
        let findings = found.periods.iter().filter_map(|period| maker.miss(name, period));
        let findings: PyResult<Vec<_>> = findings
            .chain(found.findings.iter().map(|finding| maker.object_finding(name, finding)))
            .collect();
        let periods: PyResult<Vec<_>> = found.periods.iter().map(|period| maker.period(period)).collect();
        class_of_kronjob.call1((
            *name,
            datetime(py, found.from)?,
            PyTuple::new(py, findings?)?,
            PyTuple::new(py, periods?)?,
        ))
    };
    let kronjobs = audits.iter().map(one).collect::<PyResult<Vec<_>>>()?;
    class(py, "Audit")?.call1((datetime(py, now)?, PyTuple::new(py, kronjobs)?, snapshot.other_jobs))
}

fn kronjob_audit<'a>(
    kronjob: &'a kron_formats::snapshot::KronJobSnapshot,
    span: AuditSpan,
    check: &mut impl FnMut() -> PyResult<()>,
) -> PyResult<(&'a str, KronJobAudit<'a>)> {
    Ok((kronjob.name(), kronjob.audit_with(span, check)?))
}

/// Makes the dataclasses of an audit.
struct Maker<'py> {
    py: Python<'py>,
    period: Bound<'py, PyAny>,
    finding: Bound<'py, PyAny>,
}

impl<'py> Maker<'py> {
    fn period(&self, it: &AuditedPeriod<'_>) -> PyResult<Bound<'py, PyAny>> {
        let chosen = it.chosen.map(|chosen| datetime(self.py, chosen)).transpose()?;
        let (nominal, cause) = (datetime(self.py, it.nominal)?, it.cause.map(MissCause::as_str));
        self.period.call1((nominal, chosen, it.on_schedule, it.state.as_str(), cause, it.execution))
    }

    /// The finding about a period; `None` if nothing is wrong with it.
    fn miss(&self, kronjob: &str, it: &AuditedPeriod<'_>) -> Option<PyResult<Bound<'py, PyAny>>> {
        let message = it.miss_message()?;
        let code = it.cause.unwrap_or_default().as_str();
        let period_id = kron_core::Period::new(it.nominal, (it.nominal, it.nominal), None).period_id();
        Some(self.finding.call1((kronjob, code, message, period_id)))
    }

    fn object_finding(&self, kronjob: &str, it: &ObjectFinding) -> PyResult<Bound<'py, PyAny>> {
        self.finding.call1((kronjob, it.code.as_str(), &it.message, None::<&str>, &it.job))
    }
}
