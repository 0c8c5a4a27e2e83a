//! What a plan looks at: a KronJob with its Jobs, as the core's state machine sees them.

use std::borrow::Cow;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use chrono::{DateTime, Utc};
use kron_crd::KronJobStatus;
use kron_formats::names::{is_label_value, run_now_job_name};
use kron_host::{Execution, ExecutionState, HostView, Record};

use super::observed::Observed;
use crate::object::{JobView, KronJobView, Spec};
use crate::planted_bugs::is_planted;

/// How many seconds before a start the claim of another process is replaced, at least.
const CLAIM_AHEAD: i64 = 5;
/// Over how many seconds before that the claims of starts in one second are spread.
const CLAIMS_SPREAD: u64 = 55;

/// A KronJob and its Jobs at one time.
#[derive(Clone, Debug)]
pub struct Objects<'a> {
    pub(super) kronjob: &'a KronJobView,
    /// The Jobs that this KronJob controls, but for its primers.
    pub(super) jobs: Vec<&'a JobView>,
    /// The primers that this KronJob controls.
    pub(super) primers: Vec<&'a JobView>,
    /// Unix time in milliseconds.
    pub(super) now: i64,
    /// The job and its record, if spec and status can be read.
    pub(super) scheduled: Option<Scheduled<'a>>,
}

/// A valid spec and its status, in the terms of the core.
#[derive(Clone, Debug)]
pub(super) struct Scheduled<'a> {
    pub(super) spec: &'a Spec,
    pub(super) status: &'a KronJobStatus,
    /// The status as a record, without times in the future.
    pub(super) record: Record,
    /// Whether the status had times in the future.
    pub(super) had_future: bool,
    kronjob: &'a KronJobView,
    executions: Vec<Execution<'a>>,
    retention: Option<i64>,
    run_now: Option<&'a str>,
    now: i64,
}

impl<'a> Objects<'a> {
    /// A KronJob with the Jobs that may be its.
    pub fn new(
        kronjob: &'a KronJobView,
        jobs: &[&'a JobView],
        observed: &Observed,
        now: DateTime<Utc>,
    ) -> Objects<'a> {
        let now = now.timestamp_millis();
        // Whatever its owner reference says, a Job of another namespace is none of them.
        let (uid, namespace) = (&*kronjob.uid, &*kronjob.key.namespace);
        let jobs = jobs.iter().copied();
        let own = jobs.filter(|job| &*job.owner == uid && &*job.namespace == namespace);
        let (primers, jobs): (Vec<&JobView>, Vec<&JobView>) =
            own.partition(|job| job.is_primer_of(&kronjob.key.name));
        let readable = kronjob.spec.as_ref().ok().zip(kronjob.status.as_ref().ok());
        let scheduled = readable.filter(|_| !kronjob.deleting).map(|(spec, status)| {
            let run_now = kronjob.run_now.as_deref().filter(|token| is_label_value(token));
            let written = status.record().without_old_request(run_now);
            let fixed = match written.without_future(&spec.job, now.div_euclid(1000)) {
                Cow::Owned(fixed) => Some(fixed),
                Cow::Borrowed(_) => None,
            };
            Scheduled {
                spec,
                status,
                had_future: fixed.is_some(),
                record: fixed.unwrap_or(written),
                kronjob,
                executions: jobs.iter().map(|job| execution_of(kronjob, job)).collect(),
                retention: observed.effective_ttl(kronjob.generation, spec),
                run_now,
                now,
            }
        });
        Objects { kronjob, jobs, primers, now, scheduled }
    }

    /// Unix time in seconds.
    pub(super) fn second(&self) -> i64 {
        self.now.div_euclid(1000)
    }
}

impl Scheduled<'_> {
    /// The same, as the core looks at it.
    pub(super) fn host_view(&self) -> HostView<'_> {
        HostView {
            job: &self.spec.job,
            revision: self.kronjob.generation,
            configuration: &self.spec.configuration,
            created: self.kronjob.created.0,
            record: &self.record,
            executions: &self.executions,
            retention: self.retention,
            requested_retention: self.spec.ttl,
            claim_ahead: claim_ahead(self.kronjob),
            run_now: self.run_now,
            now: self.now,
        }
    }
}

/// A Job as an execution. Only the name of its token makes it a run-now Job. The Job that the claim names is the execution of the
/// claimed period, whatever somebody has made of its labels.
pub(super) fn execution_of<'j>(kronjob: &KronJobView, job: &'j JobView) -> Execution<'j> {
    let named = |token: &&str| {
        *job.name == *run_now_job_name(&kronjob.key.name, token) || is_planted("run-now-label-trusted")
    };
    let claim = kronjob.status.as_ref().ok().and_then(|status| status.claim.as_ref());
    let claimed = claim.filter(|claim| *claim.job_name == *job.name).map(|claim| claim.period_id);
    Execution {
        id: &job.uid,
        name: &job.name,
        nominal: claimed.or(job.period).map(|period| period.0),
        run_now: job.run_now.as_deref().filter(named),
        state: state_of(job),
    }
}

pub(super) fn state_of(job: &JobView) -> ExecutionState {
    match (job.is_active(), job.deleting) {
        (false, _) => ExecutionState::Ended,
        (true, true) => ExecutionState::Stopping,
        (true, false) => ExecutionState::Active,
    }
}

/// How many seconds before its start a KronJob replaces the claim of another process: the same for a KronJob each time, and
/// spread over a minute for all of them.
fn claim_ahead(kronjob: &KronJobView) -> i64 {
    let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(&kronjob.uid);
    CLAIM_AHEAD + (hash % (CLAIMS_SPREAD + 1)) as i64
}
