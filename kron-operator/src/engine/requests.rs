//! The requests: each is made, and what its answer means is entered.

use std::borrow::Cow;
use std::time::Duration;

use http::uri::InvalidUri;
use kron_core::TzDatabase;
use kron_crd::{KronJobStatus, Time};
use kron_host::names::{NAME_LABEL, label_of_name};
use kron_host::{ListKind, Trigger};
use kube::Client;
use kube::api::{Api, DeleteParams, ListParams, PostParams, Preconditions, PropagationPolicy};
use kube::core::{DynamicObject, ListMeta, Request as HttpRequest};
use serde_json::{Value, json};

use super::answer::{Answer, Entry, FollowUp, Interpreter, Meaning, Pace, Refusal, got_kronjob};
use super::options::REQUEST_LIMIT;
use super::shared::Engine;
use super::watches::resource;
use crate::client::{Failure, sentence, within};
use crate::new_job::job;
use crate::object::{JobView, KronJobView, WatchedJob};
use crate::plan::{Deleted, Message, Observation, Request};

/// How many seconds after its time a start is late.
const LATE: i64 = 10;

/// How long a write waits that leadership does not allow.
const UNCLEAR: Duration = Duration::from_millis(100);

/// How many Jobs one answer to the list of a KronJob has. Each can have a megabyte and a half, and few KronJobs have more.
const LIST_PAGE: u32 = 20;

/// The parameters for the next page of a list, if there is one.
pub(super) fn next_page(page: ListParams, answer: &ListMeta) -> Option<ListParams> {
    let token = answer.continue_.as_deref().filter(|token| !token.is_empty())?;
    Some(page.continue_token(token))
}

impl From<kube::Error> for Refusal {
    fn from(error: kube::Error) -> Refusal {
        Refusal { failure: Failure::from(&error), message: sentence(&error) }
    }
}

/// A start that failed so often has been tried for a minute at least, with pauses of five seconds at most.
const FIRST_MINUTE: u32 = 30;

/// The shortest and the longest time between two attempts.
fn bounds(pace: Pace, failures: u32) -> (Duration, Duration) {
    let (soon, second) = (Duration::from_millis(200), Duration::from_secs(1));
    match pace {
        Pace::Urgent | Pace::Start => (soon, 2 * second),
        Pace::LateStart if failures < FIRST_MINUTE => (soon, 5 * second),
        Pace::LateStart => (soon, 120 * second),
        Pace::Other => (second, 120 * second),
    }
}

/// Logs a start with all that its decision follows from, so that it can be decided again from the log alone.
fn log(kronjob: &KronJobView, trigger: &Trigger, job: &str, tz_database: &TzDatabase) {
    match (trigger, &kronjob.spec) {
        (Trigger::Period { nominal, .. }, Ok(spec)) => {
            let Ok(decision) = spec.job.decide(*nominal) else { return };
            tracing::info!(
                kronjob = %kronjob.key, job, period = %Time(*nominal), spec = %spec.job.spec(),
                chosen = decision.chosen_time().map(|time| time.to_rfc3339()),
                algorithm = decision.algorithm(), seed_hash = %decision.seed_hash(), draws = decision.draws(),
                tzdb = crate::tzdb::version(tz_database), "created a Job"
            );
        }
        _ => tracing::info!(kronjob = %kronjob.key, job, ?trigger, "created a Job"),
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
        let answer = within(REQUEST_LIMIT, request).await.map_err(Refusal::from);
        match &answer {
            Err(Refusal { failure: Failure::TooManyRequests { .. }, .. }) => self.shared.limiter.refused(),
            _ => self.shared.limiter.answered(),
        }
        let code = answer.as_ref().map_or_else(|refusal| refusal.failure.code(), |_| "ok");
        self.shared.metrics.requested(verb, code);
        answer
    }

    /// The millisecond of Unix time at which to try again after so many failures: twice as long each time, with jitter, not
    /// before the server wants it, and of starts not too many in a second.
    fn retry_at(&self, namespace: &str, failures: u32, pace: Pace, failure: Failure) -> i64 {
        let (least, most) = bounds(pace, failures);
        let wait = least.saturating_mul(2u32.saturating_pow(failures.min(16))).min(most);
        let wait = self.shared.options.random.share_of(wait, 0.5, 1.0);
        let wanted = match failure {
            Failure::TooManyRequests { retry_after } => retry_after.unwrap_or_default(),
            _ => Duration::ZERO,
        };
        let wait = match pace {
            Pace::Start | Pace::LateStart => self.shared.retries.after(namespace, wait.max(wanted)),
            Pace::Urgent | Pace::Other => wait.max(wanted),
        };
        let wait = i64::try_from(wait.as_millis()).unwrap_or(i64::MAX);
        self.shared.clock.now().timestamp_millis().saturating_add(wait)
    }

    /// Enters what an answer means, and counts what has failed. Gives the request that follows, if one does.
    pub(super) fn enter<'m>(
        &self,
        kronjob: &KronJobView,
        term: u64,
        meaning: impl FnOnce(&Interpreter<'_>) -> Meaning<'m>,
    ) -> Option<FollowUp> {
        let (failures, due) = self.state().failures(&kronjob.key, &kronjob.uid, term);
        let now = self.shared.clock.now();
        let late = due.is_some_and(|due| now.timestamp() > due.saturating_add(LATE));
        let retry_at =
            |failures, pace, failure| self.retry_at(&kronjob.key.namespace, failures, pace, failure);
        let Meaning { entries, follow_up, failure } =
            meaning(&Interpreter { kronjob, failures, late, retry_at: &retry_at });
        if let Some(failure) = failure {
            self.shared.metrics.error(failure.code());
        }
        self.state().enter(&kronjob.key, &kronjob.uid, term, entries, now);
        follow_up
    }

    /// Makes a request, and enters what became of it.
    pub(super) async fn carry_out(&self, kronjob: &KronJobView, term: u64, request: Request) {
        match request {
            Request::Create { trigger, name } => self.create(kronjob, term, trigger, &name).await,
            Request::TryAgain { generation, trigger, name } => {
                self.try_again(kronjob, term, generation, &trigger, &name).await;
            }
            Request::List => self.list(kronjob, term).await,
            Request::Check { name, uid } => self.check(kronjob, term, &name, &uid).await,
            Request::Delete { what, name, uid } => self.delete(kronjob, term, what, &name, &uid).await,
            Request::LookUp { trigger, name } => self.look_up(kronjob, term, &trigger, &name).await,
            Request::UpdateStatus { status, ended, .. } => {
                self.update_status(kronjob, term, *status, ended).await;
            }
            Request::CreatePrimer { period, name } => self.create_primer(kronjob, term, period, &name).await,
            Request::DryRun { generation, trigger, name } => {
                self.dry_run(kronjob, term, generation, &trigger, &name).await;
            }
        }
    }

    /// Enters what becomes of a request before it is answered, or without an answer.
    pub(super) fn observe(&self, kronjob: &KronJobView, term: u64, observation: Observation<'_>) {
        let now = self.shared.clock.now();
        self.state().observe(&kronjob.key, &kronjob.uid, term, observation, now);
    }

    /// Whether a write of this term may go out at this very moment. One that may not is planned again when leadership is clear;
    /// until then it waits, so as not to go in circles.
    pub(super) async fn may_write(&self, term: u64) -> bool {
        let may = self.shared.lease.term() == Some(term);
        if !may {
            tokio::time::sleep(UNCLEAR).await;
        }
        may
    }

    /// Creates a Job, within a time limit that the server keeps, too: what a webhook holds up is not created when somebody else
    /// has decided that it is missing. A request that was not sent when the Lease ends must not be sent later.
    pub(super) async fn post_in_term(
        &self,
        term: u64,
        kronjob: &KronJobView,
        body: &Value,
    ) -> Result<WatchedJob, kube::Error> {
        let params = PostParams { field_manager: Some("kron-operator".into()), ..PostParams::default() };
        let limit = self.shared.lease.remaining(term).min(REQUEST_LIMIT);
        within(limit, self.post(kronjob, body, &params, limit)).await
    }

    async fn post_dry_run(&self, kronjob: &KronJobView, body: &Value) -> Answer<JobView> {
        let params = PostParams { dry_run: true, field_manager: Some("kron-operator".into()) };
        let post = self.post(kronjob, body, &params, REQUEST_LIMIT);
        self.ask("dry_run", post).await.map(|job| JobView::read(&job))
    }

    async fn post(
        &self,
        kronjob: &KronJobView,
        body: &Value,
        params: &PostParams,
        limit: Duration,
    ) -> Result<WatchedJob, kube::Error> {
        let url = HttpRequest::new(format!("/apis/batch/v1/namespaces/{}/jobs", kronjob.key.namespace));
        // As raw bytes: what is in the template and in none of our types arrives, too.
        let bytes = serde_json::to_vec(body).map_err(kube::Error::SerdeError)?;
        let mut request = url.create(params, bytes).map_err(kube::Error::BuildRequest)?;
        // kube's parameters have no time limit. Its URL has a query; a limit of 0 would be none.
        let limited = format!("{}&timeout={}ms", request.uri(), limit.as_millis().max(1));
        *request.uri_mut() = limited.parse().map_err(|error: InvalidUri| {
            kube::Error::BuildRequest(kube::core::request::Error::BuildRequest(error.into()))
        })?;
        let client: Client = self.shared.client.clone();
        client.request(request).await
    }

    async fn create(&self, kronjob: &KronJobView, term: u64, trigger: Trigger, name: &str) {
        let Some(template) = self.template_of_start(kronjob, term).await else { return };
        if !self.is_still_wanted(kronjob, &trigger) {
            return;
        }
        let body = job(kronjob, &template, &trigger, name);
        self.observe(kronjob, term, Observation::Creating(&trigger));
        let post = self.post_in_term(term, kronjob, &body);
        let answer = self.ask("create", post).await.map(|job| JobView::read(&job));
        if answer.is_ok() {
            self.skew(&trigger);
            log(kronjob, &trigger, name, self.shared.options.parser.tz_database());
        }
        let follow_up =
            self.enter(kronjob, term, |interpreter| interpreter.created(&trigger, answer.as_ref()));
        if follow_up == Some(FollowUp::GetJob) {
            let answer = self.get_job(kronjob, name).await;
            self.enter(kronjob, term, |interpreter| {
                interpreter.got_existing(&trigger, answer.as_ref().map(Option::as_ref))
            });
        }
    }

    /// Whether nobody has edited the KronJob since a create was planned, or taken the token back. Its template may have been read
    /// again meanwhile.
    fn is_still_wanted(&self, kronjob: &KronJobView, trigger: &Trigger) -> bool {
        let state = self.state();
        let now = state.kronjob(&kronjob.key).filter(|now| now.uid == kronjob.uid);
        now.is_some_and(|now| {
            let has_token = match trigger {
                Trigger::RunNow { token } => now.run_now.as_ref() == Some(token),
                Trigger::Period { .. } => true,
            };
            now.generation == kronjob.generation && has_token
        })
    }

    /// Tries a create that repeats another one. Then the plan decides again: an edit may have come meanwhile.
    async fn try_again(
        &self,
        kronjob: &KronJobView,
        term: u64,
        generation: i64,
        trigger: &Trigger,
        name: &str,
    ) {
        let Some(template) = self.template_of_start(kronjob, term).await else { return };
        let body = job(kronjob, &template, trigger, name);
        let answer = self.post_dry_run(kronjob, &body).await;
        self.enter(kronjob, term, |interpreter| {
            interpreter.tried_again(generation, trigger, answer.as_ref())
        });
    }

    /// How late a Job was created.
    fn skew(&self, trigger: &Trigger) {
        if let Trigger::Period { nominal, chosen } = trigger {
            let now = self.shared.clock.now();
            let since = |second: &i64| {
                chrono::DateTime::from_timestamp(*second, 0)
                    .map_or(chrono::TimeDelta::zero(), |time| now - time)
            };
            self.shared.metrics.created(since(chosen), since(nominal));
        }
    }

    /// Gets a Job from the server itself, if it is there.
    pub(super) async fn get_job(&self, kronjob: &KronJobView, name: &str) -> Answer<Option<JobView>> {
        let found = self.ask("get", self.jobs(kronjob).get_opt(name)).await?;
        Ok(found.map(|job| JobView::read(&job)))
    }

    async fn look_up(&self, kronjob: &KronJobView, term: u64, trigger: &Trigger, name: &str) {
        let answer = self.get_job(kronjob, name).await;
        self.enter(kronjob, term, |interpreter| {
            interpreter.looked_up(trigger, answer.as_ref().map(Option::as_ref))
        });
    }

    async fn check(&self, kronjob: &KronJobView, term: u64, name: &str, uid: &str) {
        let answer = self.get_job(kronjob, name).await;
        self.enter(kronjob, term, |interpreter| {
            interpreter.checked(name, uid, answer.as_ref().map(Option::as_ref))
        });
    }

    /// Lists what is active at the server itself: a list without a version is never answered from a cache that lags, and all its pages
    /// show the same moment. All of them have the time of one request, so that whoever has many large Jobs holds up nobody else.
    async fn list(&self, kronjob: &KronJobView, term: u64) {
        self.observe(kronjob, term, Observation::Listing(ListKind::Own));
        let selector = format!("{NAME_LABEL}={}", label_of_name(&kronjob.key.name));
        let api = self.jobs(kronjob);
        let pages = async {
            let mut jobs = Vec::new();
            let mut params = Some(ListParams::default().labels(&selector).limit(LIST_PAGE));
            while let Some(page) = params {
                let answer = api.list(&page).await?;
                jobs.extend(answer.items.iter().map(JobView::read));
                params = next_page(page, &answer.metadata);
            }
            Ok(jobs)
        };
        let answer = self.ask("list", pages).await;
        self.enter(kronjob, term, |interpreter| interpreter.listed(answer.as_deref()));
    }

    /// Deletes a Job, if something may be sent in this term.
    async fn delete(&self, kronjob: &KronJobView, term: u64, what: Deleted, name: &str, uid: &str) {
        if !self.may_write(term).await {
            return;
        }
        let params = DeleteParams {
            propagation_policy: Some(PropagationPolicy::Background),
            preconditions: Some(Preconditions { uid: Some(uid.to_string()), resource_version: None }),
            ..DeleteParams::default()
        };
        let answer = self.ask("delete", self.jobs(kronjob).delete(name, &params)).await.map(drop);
        self.enter(kronjob, term, |interpreter| {
            interpreter.deleted(what, name, uid, answer.as_ref().copied())
        });
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
        if !self.may_write(term).await {
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
        let update = api.replace_status(&kronjob.key.name, &params, &object);
        let answer = self.ask("update_status", update).await.map(|object| self.read_kronjob(&object));
        let follow_up = self.enter(kronjob, term, |interpreter| {
            let meaning = interpreter.status_written(&status, answer.as_ref());
            self.log_status(kronjob, &answer, &meaning);
            meaning
        });
        if follow_up == Some(FollowUp::GetKronJob) {
            let answer = self.ask("get", self.kronjobs(kronjob).get_opt(&kronjob.key.name)).await;
            let answer = answer.map(|found| found.map(|object| self.read_kronjob(&object)));
            self.enter(kronjob, term, |_| got_kronjob(answer.as_ref().map(Option::as_ref)));
        }
    }

    /// Logs a status that is not there as it was written, and is not written again at once.
    fn log_status(&self, kronjob: &KronJobView, answer: &Answer<KronJobView>, meaning: &Meaning<'_>) {
        for entry in &meaning.entries {
            match entry {
                Entry::Observed(Observation::StatusAltered { .. }) => {
                    let hint = "is the KronJob resource of this operator's version installed?";
                    tracing::error!(kronjob = %kronjob.key, "the server keeps another status than was written: {hint}");
                    self.shared.metrics.error("status_altered");
                }
                Entry::Observed(Observation::StatusNotWritten { retry_at, .. }) if *retry_at > 0 => {
                    let error = answer.as_ref().err().map(|refusal| &*refusal.message);
                    self.shared.log.line("status", |others| {
                        tracing::warn!(kronjob = %kronjob.key, error, others, "the status could not be written");
                    });
                }
                _ => {}
            }
        }
    }

    /// The template of a KronJob, which is read again if it is too large to be kept. `None`: there is another one by now.
    async fn template<'k>(&self, kronjob: &'k KronJobView) -> Answer<Option<Cow<'k, str>>> {
        let Ok(spec) = &kronjob.spec else { return Ok(None) };
        self.kept_or_read(kronjob, spec.template.as_deref(), "/spec/jobTemplate").await
    }

    /// The template of a start. A failure to read it delays the start.
    async fn template_of_start<'k>(&self, kronjob: &'k KronJobView, term: u64) -> Option<Cow<'k, str>> {
        let delayed = |refusal: &Refusal| {
            self.enter(kronjob, term, |interpreter| interpreter.start_delayed(refusal));
        };
        self.to_send(term, self.template(kronjob).await, delayed).await
    }

    /// A template that was read, to be sent in a term. `None`: it was edited meanwhile, or the KronJob is gone, which the watch or
    /// the answer shows; or it could not be read, which is entered; or nothing may be sent.
    pub(super) async fn to_send<'k>(
        &self,
        term: u64,
        read: Answer<Option<Cow<'k, str>>>,
        failed: impl FnOnce(&Refusal),
    ) -> Option<Cow<'k, str>> {
        let template = match read {
            Ok(template) => template?,
            Err(refusal) => {
                failed(&refusal);
                return None;
            }
        };
        self.may_write(term).await.then_some(template)
    }

    /// The template that the primer of a KronJob is made of: its own, or that of the Jobs.
    pub(super) async fn primer_template<'k>(&self, kronjob: &'k KronJobView) -> Answer<Option<Cow<'k, str>>> {
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
    ) -> Answer<Option<Cow<'k, str>>> {
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

    async fn dry_run(
        &self,
        kronjob: &KronJobView,
        term: u64,
        generation: i64,
        trigger: &Trigger,
        name: &str,
    ) {
        if let Err(wait) = self.shared.dry_runs.take() {
            let millis = i64::try_from(wait.as_millis()).unwrap_or(i64::MAX).max(1);
            let until = self.shared.clock.now().timestamp_millis().saturating_add(millis);
            self.observe(kronjob, term, Observation::DryRunPostponed { generation, until });
            return;
        }
        let failed = |refusal: &Refusal| {
            self.enter(kronjob, term, |interpreter| interpreter.dry_run_failed(generation, refusal));
        };
        let read = self.template(kronjob).await;
        let Some(template) = self.to_send(term, read, failed).await else { return };
        let body = job(kronjob, &template, trigger, name);
        let answer = self.post_dry_run(kronjob, &body).await;
        self.enter(kronjob, term, |interpreter| interpreter.dry_run(generation, answer.as_ref()));
    }
}
