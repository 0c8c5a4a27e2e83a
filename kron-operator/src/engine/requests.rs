//! The requests: each is made, and what became of it is observed.

use std::borrow::Cow;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kron_core::TzDatabase;
use kron_host::names::{NAME_LABEL, label_of_name};
use kube::Client;
use kube::api::{Api, DeleteParams, ListParams, PostParams, Preconditions, PropagationPolicy};
use kube::core::{DynamicObject, Request as HttpRequest};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::Engine;
use super::watches::resource;
use crate::client::{Failure, sentence, within};
use crate::crd::KronJobStatus;
use crate::new_job::{Purpose, job};
use crate::object::{JobView, KronJobView, WatchedJob};
use crate::plan::{Created, Failures, Message, Observation, Request};

/// Back-off of requests for a start that may still be in time.
const START: (Duration, Duration) = (Duration::from_millis(200), Duration::from_secs(2));
/// The same for a start that is late already, and may be for hours.
const LATE_START: (Duration, Duration) = (START.0, OTHERS.1);
/// How many seconds after its time a start is late.
const LATE: i64 = 10;
/// Back-off of everything else.
pub(super) const OTHERS: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(120));

/// How long a write waits that leadership does not allow.
const UNCLEAR: Duration = Duration::from_millis(100);

/// A bucket of tokens: so many in a second, and at most two at once.
#[derive(Debug)]
pub(super) struct Bucket {
    every: Duration,
    state: Mutex<BucketState>,
}

#[derive(Debug, Default)]
struct BucketState {
    /// When the next token is there.
    next: Option<Instant>,
    /// When the last of those that wait comes back.
    last_waiting: Option<Instant>,
}

impl Bucket {
    pub(super) fn new(per_second: u32) -> Bucket {
        Bucket { every: Duration::from_secs(1) / per_second.max(1), state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, BucketState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a token, or returns after which time to come back. Each caller comes back for a token of its own: if ten
    /// thousand came back for one token, all of them would be planned again for each. This never waits, because a worker
    /// has other work.
    fn take(&self) -> Result<(), Duration> {
        let now = Instant::now();
        let mut state = self.state();
        match state.next.filter(|next| *next > now + self.every) {
            Some(next) => {
                let slot = state.last_waiting.map_or(next, |last| next.max(last + self.every));
                state.last_waiting = Some(slot);
                Err(slot - now)
            }
            None => {
                state.next = Some(state.next.map_or(now, |next| next.max(now)) + self.every);
                Ok(())
            }
        }
    }

    /// Forgets those that wait.
    pub(super) fn forget_waiting(&self) {
        self.state().last_waiting = None;
    }
}

/// An error, as a sentence for users and as what it means.
pub(super) struct Refusal {
    pub(super) failure: Failure,
    pub(super) message: String,
}

impl From<kube::Error> for Refusal {
    fn from(error: kube::Error) -> Refusal {
        let failure = Failure::from(&error);
        Refusal { failure, message: sentence(&error) }
    }
}

/// Logs a start with all that its decision follows from, so that it can be decided again from the log alone.
fn log(kronjob: &KronJobView, purpose: &Purpose, job: &str, tz_database: &TzDatabase) {
    match (purpose, &kronjob.spec) {
        (Purpose::Period { period, .. }, Ok(spec)) => {
            let Ok(decision) = spec.job.decide(period.0) else { return };
            tracing::info!(
                kronjob = %kronjob.key, job, period = %period, spec = %spec.job.spec(),
                chosen = decision.chosen_time().map(|time| time.to_rfc3339()),
                algorithm = decision.algorithm(), seed_hash = %decision.seed_hash(), draws = decision.draws(),
                tzdb = crate::tzdb::version(tz_database), "created a Job"
            );
        }
        _ => tracing::info!(kronjob = %kronjob.key, job, purpose = ?purpose, "created a Job"),
    }
}

impl Engine {
    fn jobs(&self, kronjob: &KronJobView) -> Api<WatchedJob> {
        Api::namespaced(self.shared.client.clone(), &kronjob.key.namespace)
    }

    fn kronjobs(&self, kronjob: &KronJobView) -> Api<DynamicObject> {
        Api::namespaced_with(self.shared.client.clone(), &kronjob.key.namespace, &resource())
    }

    /// Makes a request, within the time limit; counts it.
    pub(super) async fn ask<T>(
        &self,
        verb: &'static str,
        request: impl Future<Output = Result<T, kube::Error>>,
    ) -> Result<T, Refusal> {
        let answer = within(self.shared.options.request_limit, request).await.map_err(Refusal::from);
        match &answer {
            Err(Refusal { failure: Failure::TooManyRequests { .. }, .. }) => self.shared.limiter.refused(),
            _ => self.shared.limiter.answered(),
        }
        let code = answer.as_ref().map_or_else(|refusal| refusal.failure.code(), |_| "ok");
        self.shared.metrics.requested(verb, code);
        answer
    }

    /// The millisecond of Unix time at which to try again after so many failures: twice as long each time, with jitter, and
    /// not before the server wants it.
    pub(super) fn retry_at(
        &self,
        failures: u32,
        (least, most): (Duration, Duration),
        failure: Failure,
    ) -> i64 {
        let wait = least.saturating_mul(2u32.saturating_pow(failures.min(16))).min(most);
        let wait = self.shared.options.random.share_of(wait, 0.5, 1.0);
        let wanted = match failure {
            Failure::TooManyRequests { retry_after } => retry_after.unwrap_or_default(),
            _ => Duration::ZERO,
        };
        let wait = i64::try_from(wait.max(wanted).as_millis()).unwrap_or(i64::MAX);
        self.shared.clock.now().timestamp_millis().saturating_add(wait)
    }

    /// The same for the start that is being made.
    fn retry_start_at(&self, kronjob: &KronJobView, term: u64, failure: Failure) -> i64 {
        let (failures, due) = self.state().failures(&kronjob.key, &kronjob.uid, term);
        let late = due.is_some_and(|due| self.shared.clock.now().timestamp() > due.saturating_add(LATE));
        self.retry_at(failures.start, if late { LATE_START } else { START }, failure)
    }

    /// Makes a request, and enters what became of it.
    pub(super) async fn carry_out(&self, kronjob: &KronJobView, term: u64, request: Request) {
        match request {
            Request::Create { purpose, name } => self.create(kronjob, term, purpose, &name).await,
            Request::TryAgain { generation, purpose, name } => {
                self.try_again(kronjob, term, generation, &purpose, &name).await;
            }
            Request::List => self.list(kronjob, term).await,
            Request::Check { name, uid } => self.check(kronjob, term, &name, &uid).await,
            Request::DeleteActive { name, uid } => self.delete_active(kronjob, term, &name, &uid).await,
            Request::LookUp { purpose, name } => self.look_up(kronjob, term, &purpose, &name).await,
            Request::UpdateStatus { status, ended, .. } => {
                self.update_status(kronjob, term, *status, ended).await;
            }
            Request::DeleteFinished { name, uid } => self.delete_finished(kronjob, term, &name, &uid).await,
            Request::CreatePrimer { period, name } => self.create_primer(kronjob, term, period, &name).await,
            Request::DeletePrimer { name, uid } => self.delete_primer(kronjob, term, &name, &uid).await,
            Request::DryRun { generation, purpose, name } => {
                self.dry_run(kronjob, term, generation, &purpose, &name).await;
            }
        }
    }

    /// Enters what became of a request.
    pub(super) fn observe(&self, kronjob: &KronJobView, term: u64, observation: Observation<'_>) {
        let now = self.shared.clock.now();
        self.state().observe(&kronjob.key, &kronjob.uid, term, observation, now);
    }

    pub(super) fn failures(&self, kronjob: &KronJobView, term: u64) -> Failures {
        self.state().failures(&kronjob.key, &kronjob.uid, term).0
    }

    /// Whether this process may write at this very moment. A write that may not go out is planned again when leadership
    /// is clear; until then it waits, so as not to go in circles.
    pub(super) async fn may_write(&self) -> bool {
        let held = self.shared.lease.held();
        if !held {
            tokio::time::sleep(UNCLEAR).await;
        }
        held
    }

    pub(super) async fn post(
        &self,
        kronjob: &KronJobView,
        body: &Value,
        params: &PostParams,
    ) -> Result<WatchedJob, kube::Error> {
        let url = HttpRequest::new(format!("/apis/batch/v1/namespaces/{}/jobs", kronjob.key.namespace));
        // As raw bytes: what is in the template and in none of our types arrives, too.
        let bytes = serde_json::to_vec(body).map_err(kube::Error::SerdeError)?;
        let request = url.create(params, bytes).map_err(kube::Error::BuildRequest)?;
        let client: Client = self.shared.client.clone();
        client.request(request).await
    }

    async fn create(&self, kronjob: &KronJobView, term: u64, purpose: Purpose, name: &str) {
        let template = match self.template(kronjob).await {
            Ok(Some(template)) => template,
            // It was edited meanwhile, or is gone; the watch or this answer shows it.
            Ok(None) => return,
            Err(refusal) => return self.start_delayed(kronjob, term, refusal),
        };
        if !self.may_write().await {
            return;
        }
        let body = job(kronjob, &template, &purpose, name);
        self.observe(kronjob, term, Observation::Creating(&purpose));
        let params = PostParams { field_manager: Some("kron-operator".into()), ..PostParams::default() };
        // A request that was not sent when the Lease ends must not be sent later.
        let post = within(self.shared.lease.remaining(), self.post(kronjob, &body, &params));
        let created = match self.ask("create", post).await {
            Ok(job) => {
                self.skew(&purpose);
                log(kronjob, &purpose, name, self.shared.options.parser.tz_database());
                Created::Ours(Box::new(JobView::read(&job)))
            }
            Err(refusal) => self.not_created(kronjob, term, name, refusal).await,
        };
        if let Created::Ours(job) = &created {
            // The status will name it at once, before the watch shows it.
            self.state().put_job_if_new((**job).clone());
        }
        self.observe(kronjob, term, Observation::Created { purpose: &purpose, answer: created });
    }

    /// Tries a create that repeats another one. Then the plan decides again: an edit may have come meanwhile.
    async fn try_again(
        &self,
        kronjob: &KronJobView,
        term: u64,
        generation: i64,
        purpose: &Purpose,
        name: &str,
    ) {
        let template = match self.template(kronjob).await {
            Ok(Some(template)) => template,
            Ok(None) => return,
            Err(refusal) => return self.start_delayed(kronjob, term, refusal),
        };
        if !self.may_write().await {
            return;
        }
        let body = job(kronjob, &template, purpose, name);
        let params = PostParams { dry_run: true, field_manager: Some("kron-operator".into()) };
        let job = match self.ask("dry_run", self.post(kronjob, &body, &params)).await {
            Ok(job) => Some(JobView::read(&job)),
            Err(refusal)
                if matches!(
                    refusal.failure,
                    Failure::Ambiguous | Failure::Refused | Failure::TooManyRequests { .. }
                ) =>
            {
                return self.start_delayed(kronjob, term, refusal);
            }
            // The create is answered alike: the Job exists, or is refused. Or a webhook allows no dry run.
            Err(_) => None,
        };
        let job = job.as_ref();
        self.observe(kronjob, term, Observation::TriedAgain { generation, purpose, job });
    }

    /// How late a Job was created.
    fn skew(&self, purpose: &Purpose) {
        if let Purpose::Period { period, chosen } = purpose {
            let now = self.shared.clock.now();
            let since = |time: &crate::crd::Time| {
                chrono::DateTime::from_timestamp(time.0, 0)
                    .map_or(chrono::TimeDelta::zero(), |time| now - time)
            };
            self.shared.metrics.created(since(chosen), since(period));
        }
    }

    async fn not_created(&self, kronjob: &KronJobView, term: u64, name: &str, refusal: Refusal) -> Created {
        self.shared.metrics.error(refusal.failure.code());
        let retry_at = self.retry_start_at(kronjob, term, refusal.failure);
        let failed = |refusal: Refusal| Created::Failed {
            passing: refusal.failure.passing(),
            uncertain: !refusal.failure.not_executed(),
            message: refusal.message,
            retry_at,
        };
        match refusal.failure {
            Failure::AlreadyExists => match self.ask("get", self.jobs(kronjob).get_opt(name)).await {
                Ok(Some(job)) => {
                    let job = JobView::read(&job);
                    if *job.owner == *kronjob.uid { Created::Ours(Box::new(job)) } else { Created::Taken }
                }
                Ok(None) => Created::Gone,
                // As long as it exists, another create does no harm.
                Err(refusal) => Created::Failed {
                    passing: true,
                    uncertain: true,
                    message: format!("it exists, but could not be read: {}", refusal.message),
                    retry_at,
                },
            },
            Failure::NamespaceTerminating => Created::Ending,
            _ => failed(refusal),
        }
    }

    /// Gets a Job from the server itself, if it is there and ours.
    pub(super) async fn get_job(
        &self,
        kronjob: &KronJobView,
        name: &str,
    ) -> Result<Option<JobView>, Refusal> {
        let found = self.ask("get", self.jobs(kronjob).get_opt(name)).await?;
        Ok(found.map(|job| JobView::read(&job)).filter(|job| *job.owner == *kronjob.uid))
    }

    async fn look_up(&self, kronjob: &KronJobView, term: u64, purpose: &Purpose, name: &str) {
        match self.get_job(kronjob, name).await {
            Ok(found) => {
                self.observe(kronjob, term, Observation::LookedUp { purpose, job: found.as_ref() });
            }
            Err(refusal) => self.start_delayed(kronjob, term, refusal),
        }
    }

    async fn check(&self, kronjob: &KronJobView, term: u64, name: &str, uid: &str) {
        match self.get_job(kronjob, name).await {
            Ok(found) => {
                self.observe(kronjob, term, Observation::Checked { name, uid, job: found.as_ref() });
            }
            Err(refusal) => self.start_delayed(kronjob, term, refusal),
        }
    }

    fn start_delayed(&self, kronjob: &KronJobView, term: u64, refusal: Refusal) {
        self.shared.metrics.error(refusal.failure.code());
        let retry_at = self.retry_start_at(kronjob, term, refusal.failure);
        self.observe(kronjob, term, Observation::StartDelayed { error: &refusal.message, retry_at });
    }

    /// Lists what is active at the server itself: a list without a version is never answered from a cache that lags.
    async fn list(&self, kronjob: &KronJobView, term: u64) {
        let selector = format!("{NAME_LABEL}={}", label_of_name(&kronjob.key.name));
        let params = ListParams::default().labels(&selector);
        match self.ask("list", self.jobs(kronjob).list(&params)).await {
            Ok(jobs) => {
                let jobs: Vec<JobView> = jobs.items.iter().map(JobView::read).collect();
                self.observe(kronjob, term, Observation::Listed(&jobs));
            }
            Err(refusal) => self.start_delayed(kronjob, term, refusal),
        }
    }

    pub(super) async fn delete(&self, kronjob: &KronJobView, name: &str, uid: &str) -> Result<(), Refusal> {
        let params = DeleteParams {
            propagation_policy: Some(PropagationPolicy::Background),
            preconditions: Some(Preconditions { uid: Some(uid.to_string()), resource_version: None }),
            ..DeleteParams::default()
        };
        match self.ask("delete", self.jobs(kronjob).delete(name, &params)).await {
            Ok(_) => Ok(()),
            // It is gone, and maybe another one has its name.
            Err(Refusal { failure: Failure::NotFound | Failure::Conflict, .. }) => Ok(()),
            Err(refusal) => Err(refusal),
        }
    }

    async fn delete_active(&self, kronjob: &KronJobView, term: u64, name: &str, uid: &str) {
        if !self.may_write().await {
            return;
        }
        match self.delete(kronjob, name, uid).await {
            Ok(()) => self.observe(kronjob, term, Observation::DeletedActive { name, uid }),
            Err(refusal) => self.start_delayed(kronjob, term, refusal),
        }
    }

    async fn delete_finished(&self, kronjob: &KronJobView, term: u64, name: &str, uid: &str) {
        if !self.may_write().await {
            return;
        }
        match self.delete(kronjob, name, uid).await {
            Ok(()) => self.observe(kronjob, term, Observation::DeletedFinished { name, uid }),
            Err(refusal) => {
                self.shared.metrics.error(refusal.failure.code());
                let retry_at = self.retry_at(3, OTHERS, refusal.failure);
                let error = &refusal.message;
                self.observe(kronjob, term, Observation::NotDeletedFinished { name, error, retry_at });
            }
        }
    }

    async fn update_status(
        &self,
        kronjob: &KronJobView,
        term: u64,
        status: KronJobStatus,
        ended: Vec<Message>,
    ) {
        if let Err(until) =
            self.shared.status_writes.take(&kronjob.key, self.shared.clock.now().timestamp_millis())
        {
            self.shared.metrics.error("status_contended");
            self.shared.log.line("contended", |others| {
                let hint = "does another operator write it, too?";
                tracing::warn!(kronjob = %kronjob.key, others, "the status changes again and again: {hint}");
            });
            self.observe(kronjob, term, Observation::StatusPostponed { until });
            return;
        }
        if !self.may_write().await {
            return;
        }
        let mut object = DynamicObject::new(&kronjob.key.name, &resource()).within(&kronjob.key.namespace);
        object.metadata.uid = Some(kronjob.uid.to_string());
        object.metadata.resource_version = Some(kronjob.resource_version.clone());
        object.data = json!({"status": status});
        self.observe(kronjob, term, Observation::WritingStatus { status: &status, ended });
        // Over the version that the request names, whatever the watch has shown since.
        let before = kronjob.status.as_ref().ok();
        self.observe(kronjob, term, Observation::WritingFence { before, status: &status });
        let api = self.kronjobs(kronjob);
        let params = PostParams { field_manager: Some("kron-operator".into()), ..PostParams::default() };
        match self.ask("update_status", api.replace_status(&kronjob.key.name, &params, &object)).await {
            Ok(object) => {
                let kept = self.read_kronjob(&object);
                let same = kept.status.as_ref() == Ok(&status);
                self.state().update_kronjob(kept);
                let failures = self.failures(kronjob, term).write;
                self.observe(kronjob, term, Observation::StatusWritten);
                if !same {
                    let hint = "is the KronJob resource of this operator's version installed?";
                    tracing::error!(kronjob = %kronjob.key, "the server keeps another status than was written: {hint}");
                    self.shared.metrics.error("status_altered");
                    let retry_at = self.retry_at(failures.max(3), OTHERS, Failure::Other);
                    self.observe(kronjob, term, Observation::StatusAltered { retry_at });
                }
            }
            Err(refusal) => {
                self.shared.metrics.error(refusal.failure.code());
                let failures = self.failures(kronjob, term).write;
                // A conflict means that a newer version exists. It is fetched, and the next write follows at once.
                let conflict = matches!(refusal.failure, Failure::Conflict);
                let uncertain = !refusal.failure.not_executed();
                let (retry_at, urgent_retry_at) = if conflict && failures < 5 {
                    (0, 0)
                } else {
                    self.shared.log.line("status", |others| {
                        let error = &refusal.message;
                        tracing::warn!(kronjob = %kronjob.key, error, others, "the status could not be written");
                    });
                    let retry_at = |bounds| self.retry_at(failures, bounds, refusal.failure);
                    (retry_at(OTHERS), retry_at(START))
                };
                let overtaken = conflict;
                let observation =
                    Observation::StatusNotWritten { uncertain, overtaken, retry_at, urgent_retry_at };
                self.observe(kronjob, term, observation);
                if conflict || uncertain {
                    self.refresh(kronjob).await;
                }
            }
        }
    }

    /// The template of a KronJob, which is read again if it is too large to be kept. `None`: there is another one by now.
    async fn template<'k>(&self, kronjob: &'k KronJobView) -> Result<Option<Cow<'k, str>>, Refusal> {
        let Ok(spec) = &kronjob.spec else { return Ok(None) };
        self.kept_or_read(kronjob, spec.template.as_deref(), "/spec/jobTemplate").await
    }

    /// The template that the primer of a KronJob is made of: its own, or that of the Jobs.
    pub(super) async fn primer_template<'k>(
        &self,
        kronjob: &'k KronJobView,
    ) -> Result<Option<Cow<'k, str>>, Refusal> {
        match &kronjob.spec {
            Ok(spec) if spec.primer.as_ref().is_some_and(|primer| primer.has_job_template) => {
                let kept = spec.primer_template.as_deref();
                self.kept_or_read(kronjob, kept, "/spec/primer/jobTemplate").await
            }
            _ => self.template(kronjob).await,
        }
    }

    async fn kept_or_read<'k>(
        &self,
        kronjob: &KronJobView,
        kept: Option<&'k str>,
        pointer: &str,
    ) -> Result<Option<Cow<'k, str>>, Refusal> {
        if let Some(template) = kept {
            return Ok(Some(Cow::Borrowed(template)));
        }
        let Some(object) = self.ask("get", self.kronjobs(kronjob).get_opt(&kronjob.key.name)).await? else {
            self.state().refresh_kronjob(&kronjob.key, &kronjob.uid, None);
            return Ok(None);
        };
        let read = self.read_kronjob(&object);
        let same = read.uid == kronjob.uid && read.generation == kronjob.generation;
        self.state().refresh_kronjob(&kronjob.key, &kronjob.uid, Some(read));
        let template = object.data.pointer(pointer).map(Value::to_string);
        Ok(template.filter(|_| same).map(Cow::Owned))
    }

    /// Reads a KronJob from the server itself.
    async fn refresh(&self, kronjob: &KronJobView) {
        // Where this fails, the watch brings it.
        if let Ok(found) = self.ask("get", self.kronjobs(kronjob).get_opt(&kronjob.key.name)).await {
            let found = found.map(|object| self.read_kronjob(&object));
            self.state().refresh_kronjob(&kronjob.key, &kronjob.uid, found);
        }
    }

    async fn dry_run(
        &self,
        kronjob: &KronJobView,
        term: u64,
        generation: i64,
        purpose: &Purpose,
        name: &str,
    ) {
        if let Err(wait) = self.shared.dry_runs.take() {
            let millis = i64::try_from(wait.as_millis()).unwrap_or(i64::MAX).max(1);
            let until = self.shared.clock.now().timestamp_millis().saturating_add(millis);
            self.observe(kronjob, term, Observation::DryRunPostponed { generation, until });
            return;
        }
        let template = match self.template(kronjob).await {
            Ok(Some(template)) => template,
            Ok(None) => return,
            Err(refusal) => return self.no_dry_run(kronjob, term, generation, refusal),
        };
        if !self.may_write().await {
            return;
        }
        let body = job(kronjob, &template, purpose, name);
        let params = PostParams { dry_run: true, field_manager: Some("kron-operator".into()) };
        match self.ask("dry_run", self.post(kronjob, &body, &params)).await {
            Ok(job) => {
                let job = JobView::read(&job);
                self.observe(
                    kronjob,
                    term,
                    Observation::DryRunAnswered { generation, answer: Ok(Some(&job)) },
                );
            }
            // One of its name being there says that the template was good before.
            Err(Refusal { failure: Failure::AlreadyExists, .. }) => {
                self.observe(kronjob, term, Observation::DryRunAnswered { generation, answer: Ok(None) });
            }
            Err(Refusal { failure: Failure::Invalid, message }) => {
                self.observe(kronjob, term, Observation::DryRunAnswered { generation, answer: Err(message) });
            }
            Err(refusal) => self.no_dry_run(kronjob, term, generation, refusal),
        }
    }

    fn no_dry_run(&self, kronjob: &KronJobView, term: u64, generation: i64, refusal: Refusal) {
        self.shared.metrics.error(refusal.failure.code());
        let failures = self.failures(kronjob, term).dry_run;
        let retry_at = self.retry_at(failures, OTHERS, refusal.failure);
        let retry_at = refusal.failure.passing().then_some(retry_at);
        let error = &refusal.message;
        self.observe(kronjob, term, Observation::DryRunFailed { generation, error, retry_at });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lets so many come for tokens, and says how often one came and how long it took until all had theirs.
    async fn come(bucket: &Bucket, many: usize) -> (usize, Duration) {
        let begun = Instant::now();
        let mut asked = 0;
        // When each of those that wait comes back, in milliseconds.
        let mut waiting: std::collections::BTreeMap<u64, usize> = [(0, many)].into();
        while let Some((at, count)) = waiting.pop_first() {
            tokio::time::sleep_until(begun + Duration::from_millis(at)).await;
            for _ in 0..count {
                asked += 1;
                if let Err(wait) = bucket.take() {
                    let back = (begun.elapsed() + wait).as_millis() as u64;
                    *waiting.entry(back).or_default() += 1;
                }
            }
        }
        (asked, begun.elapsed())
    }

    #[tokio::test(start_paused = true)]
    async fn each_that_waits_for_a_token_comes_back_once() {
        let bucket = Bucket::new(20);
        let (asked, took) = come(&bucket, 10_000).await;
        assert!(asked <= 20_000, "{asked}");
        assert!(took > Duration::from_secs(499) && took < Duration::from_secs(501), "{took:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn tokens_of_a_thousand_in_a_second_are_enough_for_a_thousand() {
        let (asked, took) = come(&Bucket::new(1000), 5000).await;
        assert!(asked <= 10_000 && took < Duration::from_secs(6), "{asked} {took:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_new_term_does_not_wait_for_those_of_the_one_before() {
        let bucket = Bucket::new(20);
        let waits: Vec<_> = (0..10_000).filter_map(|_| bucket.take().err()).collect();
        assert!(waits[9000] > Duration::from_secs(400));
        bucket.forget_waiting();
        tokio::time::sleep(Duration::from_secs(1)).await;
        let waits: Vec<_> = (0..4).map(|_| bucket.take()).collect();
        assert!(waits[..2].iter().all(Result::is_ok), "{waits:?}");
        assert!(waits[2..].iter().all(|wait| wait.unwrap_err() < Duration::from_secs(1)), "{waits:?}");
    }
}
