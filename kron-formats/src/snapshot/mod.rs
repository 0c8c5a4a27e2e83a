//! The objects of a cluster at one time, as `kubectl get kronjobs,jobs,events -o json` prints them, and their audit.

mod job_labels;
mod kronjob;
mod objects;

pub use self::job_labels::{ObjectFinding, ObjectFindingCode};
pub use self::kronjob::KronJobSnapshot;
pub use crate::limits::AUDIT_SPAN;

use std::collections::BTreeMap;
use std::convert::Infallible;

use kron_core::error::StructureError;
use kron_core::time::Rfc3339;
use kron_core::{Error, Parser};

use self::kronjob::Purpose;
use self::objects::{SnapshotJob, outcome_of_event, time};
use crate::audit::{
    AuditView, AuditedPeriod, HistoryRules, KnownExecution, MissCause, audit, audit_since, kept_since,
};
use crate::kronjob::{KIND, kind_of};
use crate::load::{documents_of, objects};

/// KronJobs with their Jobs and Events. See [`Snapshot::read`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Snapshot {
    /// The KronJobs, in order of their names.
    pub kronjobs: Vec<KronJobSnapshot>,
    /// How many Jobs belong to KronJobs that were not read.
    pub other_jobs: usize,
    /// The Unix second at which the newest of all KronJobs, Jobs and Events was created.
    pub newest: Option<i64>,
}

/// Over which time, and how, a KronJob is audited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AuditSpan {
    /// The Unix second from which on periods are audited, by their chosen times. `None`: from the first second on of which the
    /// objects prove something, at most [`AUDIT_SPAN`] before `now`; see
    /// [`audit_since`].
    pub from: Option<i64>,
    /// The Unix second at which the objects were read. Periods up to it are audited.
    pub now: i64,
    /// Whether the snapshot has all Jobs that there ever were, also those that were deleted.
    pub has_all_jobs: bool,
}

/// The audit of a KronJob.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KronJobAudit<'a> {
    /// The Unix second from which on periods were audited.
    pub from: i64,
    /// What became of each period.
    pub periods: Vec<AuditedPeriod<'a>>,
    /// What is wrong with the KronJob and its Jobs.
    pub findings: Vec<ObjectFinding>,
}

impl Snapshot {
    /// Reads objects of a cluster for an audit: what `kubectl get kronjobs,jobs,events -A -o json` (or `-o yaml`) prints, in one
    /// text or several. Objects of other kinds are left out. `parser` looks up zones.
    ///
    /// # Errors
    ///
    /// A text that is neither YAML nor JSON, is longer than 64 MiB, or holds something else than objects. A KronJob with an
    /// invalid spec is not an error: its audit says so.
    ///
    /// ```
    /// use kron_core::Parser;
    /// use kron_formats::snapshot::Snapshot;
    /// let text = r#"{"apiVersion": "v1", "kind": "List", "items": [
    ///     {"apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "metadata": {"name": "db", "namespace": "prod", "uid": "1"}}
    /// ]}"#;
    /// let snapshot = Snapshot::read(&Parser::new(), &[text])?;
    /// assert_eq!(snapshot.kronjobs[0].name(), "prod/db");
    /// assert!(snapshot.kronjobs[0].job().is_err());
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn read(parser: &Parser, texts: &[&str]) -> Result<Snapshot, Error> {
        read(parser, texts)
    }
}

fn read(parser: &Parser, texts: &[&str]) -> Result<Snapshot, Error> {
    let mut kronjobs: BTreeMap<String, KronJobSnapshot> = BTreeMap::new();
    let (mut jobs, mut has_jobs, mut outcomes) = (Vec::new(), false, Vec::new());
    let mut newest = None;
    let mut known_jobs: BTreeMap<(String, String), usize> = BTreeMap::new();
    for text in texts {
        let documents = documents_of(text)?;
        for (index, document) in documents.iter().enumerate() {
            if !document.is_object() && !document.is_null() {
                let kind = StructureError::Type { found: kind_of(document), want: "an object" };
                let error = Error::new("", kind);
                return Err(if documents.len() > 1 { error.in_document(index + 1) } else { error });
            }
            for object in objects(document) {
                newest = newest.max(time(&object["metadata"]["creationTimestamp"]));
                match object["kind"].as_str() {
                    Some(KIND) => {
                        let kronjob = KronJobSnapshot::read(parser, object);
                        // One that is in several texts counts once, as the last one shows it. A manifest, which says nothing of
                        // the past, does not take the place of an object of the cluster.
                        let known = kronjobs.get(&kronjob.name).and_then(KronJobSnapshot::since);
                        if kronjob.since().is_some() || known.is_none() {
                            kronjobs.insert(kronjob.name.clone(), kronjob);
                        }
                    }
                    Some("Job") => {
                        has_jobs = true;
                        let Some(job) = SnapshotJob::read(object) else { continue };
                        // One that is in several texts counts once, as the last one shows it.
                        let place = *known_jobs.entry(job.identity()).or_insert(jobs.len());
                        match jobs.get_mut(place) {
                            Some(known) => *known = job,
                            None => jobs.push(job),
                        }
                    }
                    Some("Event") => outcomes.extend(outcome_of_event(object)),
                    _ => {}
                }
            }
        }
    }
    let mut kronjobs: Vec<KronJobSnapshot> = kronjobs.into_values().collect();
    let places = kronjobs.iter().enumerate().filter(|(_, kronjob)| !kronjob.uid.is_empty());
    let places: BTreeMap<String, usize> =
        places.map(|(place, kronjob)| (kronjob.uid.clone(), place)).collect();
    let mut other_jobs = 0;
    for job in jobs {
        let place = places.get(&job.owner).copied();
        match place.filter(|place| kronjobs[*place].namespace == job.namespace) {
            Some(place) => kronjobs[place].jobs.push(job),
            None => other_jobs += 1,
        }
    }
    for (uid, outcome) in outcomes {
        if let Some(place) = places.get(&uid) {
            kronjobs[*place].outcomes.push(outcome);
        }
    }
    kronjobs.iter_mut().for_each(|kronjob| kronjob.jobs_read = has_jobs);
    Ok(Snapshot { kronjobs, other_jobs, newest })
}

impl KronJobSnapshot {
    /// Compares the periods of the KronJob with its Jobs.
    ///
    /// ```
    /// use kron_core::Parser;
    /// use kron_formats::snapshot::{AuditSpan, ObjectFindingCode, Snapshot};
    /// use kron_formats::audit::PeriodState;
    /// let text = "
    /// apiVersion: kron.io/v1alpha1
    /// kind: KronJob
    /// metadata: {name: db, namespace: prod, uid: '1', creationTimestamp: '2026-03-01T00:00:00Z'}
    /// spec:
    ///   schedule: '@daily'
    ///   jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: dump}]}}}}
    /// ";
    /// let snapshot = Snapshot::read(&Parser::new(), &[text])?;
    /// let span = AuditSpan { from: None, now: 1_772_500_000, has_all_jobs: false };
    /// let audit = snapshot.kronjobs[0].audit(span);
    /// // No operator has read the KronJob.
    /// assert!(audit.periods.iter().all(|period| period.state == PeriodState::Overdue));
    /// assert_eq!((audit.periods.len(), audit.findings.len()), (2, 0));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn audit(&self, span: AuditSpan) -> KronJobAudit<'_> {
        let Ok(audit) = self.audit_with(span, || Ok::<(), Infallible>(()));
        audit
    }

    /// [`audit`](KronJobSnapshot::audit) with a callback, which is called for each Job and for each period. An error of it ends
    /// the audit.
    ///
    /// # Errors
    ///
    /// Those of `proceed`.
    ///
    /// ```
    /// use kron_core::Parser;
    /// use kron_formats::snapshot::{AuditSpan, Snapshot};
    /// let text = "
    /// apiVersion: kron.io/v1alpha1
    /// kind: KronJob
    /// metadata: {name: db, namespace: prod, uid: '1', creationTimestamp: '2026-03-01T00:00:00Z'}
    /// spec:
    ///   schedule: '@daily'
    ///   jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: dump}]}}}}
    /// ";
    /// let snapshot = Snapshot::read(&Parser::new(), &[text])?;
    /// let span = AuditSpan { from: None, now: 1_772_500_000, has_all_jobs: false };
    /// let kronjob = &snapshot.kronjobs[0];
    /// assert_eq!(kronjob.audit_with(span, || Ok::<(), &str>(())), Ok(kronjob.audit(span)));
    /// assert_eq!(kronjob.audit_with(span, || Err("enough")), Err("enough"));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn audit_with<E>(
        &self,
        span: AuditSpan,
        mut proceed: impl FnMut() -> Result<(), E>,
    ) -> Result<KronJobAudit<'_>, E> {
        let job = match &self.job {
            Ok(job) => job,
            Err(error) => {
                let finding = ObjectFinding::of_kronjob(ObjectFindingCode::InvalidSpec, error.to_string());
                return Ok(not_audited(span, finding));
            }
        };
        let not_from_cluster = |lacks: &str| {
            let message = format!("it has {lacks}, as in a manifest: no period can be audited");
            let code = ObjectFindingCode::NotFromCluster;
            not_audited(span, ObjectFinding::of_kronjob(code, message))
        };
        // The start of a period depends on the namespace.
        if self.namespace.is_empty() {
            return Ok(not_from_cluster("no namespace"));
        }
        let Some(since) = self.since() else {
            return Ok(not_from_cluster("no creation time and no status"));
        };
        let mut executions: Vec<KnownExecution<'_>> = Vec::new();
        for it in self.jobs.iter().filter(|it| self.purpose(it) == Purpose::Period) {
            proceed()?;
            let nominal = it.period().filter(|nominal| self.is_execution(job, it, *nominal, span.now));
            executions.extend(nominal.map(|nominal| KnownExecution { nominal, name: &it.name }));
        }
        let view = AuditView {
            job,
            record: &self.record,
            configuration: &self.configuration,
            created: self.created.unwrap_or(since),
            executions: &executions,
            outcomes: &self.outcomes,
            kept_since: if span.has_all_jobs { i64::MIN } else { self.kept_since(span.now) },
            now: span.now,
        };
        let earliest = span.now.saturating_sub(AUDIT_SPAN);
        let from = span.from.unwrap_or_else(|| audit_since(&view).max(earliest));
        let mut findings = Vec::new();
        if !self.observed {
            let message = "the operator has not read the present spec";
            findings.push(ObjectFinding::of_kronjob(ObjectFindingCode::StaleStatus, message.to_string()));
        }
        findings.extend(self.job_findings(job, span.now, &mut proceed)?);
        let mut periods: Vec<AuditedPeriod<'_>> = Vec::new();
        for period in audit(&view, from) {
            proceed()?;
            periods.push(period);
        }
        if !self.jobs_read && !span.has_all_jobs {
            // What looks missed may have a Job that was not read.
            let unexplained = periods.iter_mut().filter(|it| it.cause == Some(MissCause::Unexplained));
            unexplained.for_each(|period| period.cause = Some(MissCause::NoJobs));
        }
        findings.extend(periods.iter().filter(|period| period.is_contradictory()).map(|period| {
            let message =
                format!("the outcome of its period {} is {}", Rfc3339(period.nominal), period.state);
            let job = period.execution.map(ToString::to_string);
            ObjectFinding { code: ObjectFindingCode::OtherOutcome, job, message }
        }));
        Ok(KronJobAudit { from, periods, findings })
    }

    /// The Unix second after which its Jobs are certainly still there.
    fn kept_since(&self, now: i64) -> i64 {
        let ended: Vec<(i64, bool)> = self
            .jobs
            .iter()
            .filter(|it| self.purpose(it) != Purpose::Primer)
            // One of which no time is known may be the latest.
            .filter_map(|it| Some((it.started.or(it.created).unwrap_or(i64::MAX), it.ended?)))
            .collect();
        // Admission may set another TTL than the template says.
        let claimed = self.record.claim.as_ref().and_then(|claim| claim.retention);
        let of_jobs = self.jobs.iter().filter_map(|it| it.ttl).min();
        let retention = self.rules.retention.into_iter().chain(claimed).chain(of_jobs).min();
        kept_since(HistoryRules { retention, ..self.rules }, &ended, now)
    }
}

/// The audit of a KronJob of which no period can be judged.
fn not_audited(span: AuditSpan, finding: ObjectFinding) -> KronJobAudit<'static> {
    KronJobAudit { from: span.from.unwrap_or(span.now), periods: Vec::new(), findings: [finding].into() }
}

#[cfg(test)]
mod tests;
