//! The requests: each is made, and what its answer means is entered.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use http::uri::InvalidUri;
use kron_core::TzDatabase;
use kron_crd::{KronJobStatus, Time};
use kron_formats::names::{NAME_LABEL, label_of_name};
use kron_host::Trigger;
use kube::Client;
use kube::api::{Api, DeleteParams, ListParams, PostParams, Preconditions, PropagationPolicy};
use kube::core::{DynamicObject, ListMeta, Request as HttpRequest};
use serde_json::{Value, json};

use super::options::REQUEST_LIMIT;
use super::shared::Engine;
use super::watches::resource;
use crate::client::{Failure, Refusal, within};
use crate::new_job::{job, primer_job};
use crate::object::{JobView, KronJobView, WatchedJob};
use crate::plan::{Answered, Moment, Observation, Pace, Purpose, Request, Response};

/// As fields that this operator writes name it.
const MANAGER: &str = "kron-operator";

/// A good answer, or why there is none.
type Answer<T> = Result<T, Refusal>;

/// How long a write waits that leadership does not allow.
const UNCLEAR: Duration = Duration::from_millis(100);

/// How many Jobs one answer to the list of a KronJob has. Each can have a megabyte and a half, and few KronJobs have more.
const LIST_PAGE: u32 = 20;

/// How long such a list may take, with all its pages: each is one request.
const LIST_LIMIT: Duration = Duration::from_secs(30);

/// The parameters for the next page of a list, if there is one.
pub(super) fn next_page(page: ListParams, answer: &ListMeta) -> Option<ListParams> {
    let token = answer.continue_.as_deref().filter(|token| !token.is_empty())?;
    Some(page.continue_token(token))
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

    async fn get_kronjob(&self, kronjob: &KronJobView) -> Answer<Option<DynamicObject>> {
        self.ask("get", self.kronjobs(kronjob).get_opt(&kronjob.key.name)).await
    }

    /// Makes a request, within the time limit; counts it.
    pub(super) async fn ask<T, E: Into<Refusal>>(
        &self,
        verb: &'static str,
        request: impl Future<Output = Result<T, E>>,
    ) -> Result<T, Refusal> {
        let answer = within(REQUEST_LIMIT, request).await;
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

    /// Enters an answer, and counts what has failed.
    fn enter(&self, kronjob: &KronJobView, term: u64, request: &Request, response: &Response) -> Answered {
        let retry_at =
            |failures, pace, failure| self.retry_at(&kronjob.key.namespace, failures, pace, failure);
        let at = Moment { now: self.shared.clock.now().timestamp(), retry_at: &retry_at };
        let answered = self.state().answered(kronjob, term, request, response, at);
        if let Some(failure) = answered.failure {
            self.shared.metrics.error(failure.code());
        }
        answered
    }

    /// Makes a request and those that follow from its answer, and enters what becomes of them.
    pub(super) async fn carry_out(&self, kronjob: &KronJobView, term: u64, request: Request) {
        let mut next = Some(request);
        while let Some(request) = next {
            let answer = match self.make(kronjob, term, &request).await {
                Ok(None) => return,
                Ok(Some(response)) => response,
                Err(refusal) => Response::Refused(refusal),
            };
            let answered = self.enter(kronjob, term, &request, &answer);
            if answered.is_delayed {
                self.log_status(kronjob, &answer);
            }
            next = answered.follow_up;
        }
    }

    /// Makes a request. `None`: it is not sent, and planned again.
    async fn make(&self, kronjob: &KronJobView, term: u64, request: &Request) -> Answer<Option<Response>> {
        match request {
            Request::List => {
                self.observe(kronjob, term, Observation::Sending(request));
                self.list(kronjob).await.map(Some)
            }
            Request::Get { name, .. } => {
                let found = self.ask("get", self.jobs(kronjob).get_opt(name)).await?;
                Ok(Some(Response::Job(found.map(|job| Arc::new(JobView::read(&job))))))
            }
            Request::Delete { name, uid, .. } => self.delete(kronjob, term, name, uid).await,
            Request::Create { .. } | Request::DryRun { .. } => self.send_job(kronjob, term, request).await,
            Request::UpdateStatus { status, .. } => self.update_status(kronjob, term, request, status).await,
            Request::GetKronJob => {
                let found = self.get_kronjob(kronjob).await?;
                Ok(Some(Response::KronJob(found.map(|object| Arc::new(self.read_kronjob(&object))))))
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

    /// Sends a Job, or a dry run of it, within a time limit that the server keeps, too: what a webhook holds up is not created when
    /// somebody else has decided that it is missing. A request that was not sent when the Lease ends must not be sent later.
    async fn send_job(
        &self,
        kronjob: &KronJobView,
        term: u64,
        request: &Request,
    ) -> Answer<Option<Response>> {
        if matches!(request, Request::DryRun { repeats: false, .. })
            && let Err(wait) = self.shared.dry_runs.take()
        {
            let millis = i64::try_from(wait.as_millis()).unwrap_or(i64::MAX).max(1);
            let until = self.shared.clock.now().timestamp_millis().saturating_add(millis);
            self.observe(kronjob, term, Observation::Postponed(request, until));
            return Ok(None);
        }
        let body = match self.body(kronjob, request).await {
            Ok(body) => body,
            Err(refusal) => return Ok(Some(Response::NotSent(refusal))),
        };
        // Without a body, the KronJob was edited meanwhile, or is gone, which the watch or the answer shows.
        let Some(body) = body else { return Ok(None) };
        if !self.may_write(term).await || !self.is_still_wanted(kronjob, request) {
            return Ok(None);
        }
        let creates = matches!(request, Request::Create { .. });
        let params = PostParams { dry_run: !creates, field_manager: Some(MANAGER.into()) };
        let (mut verb, mut limit) = ("dry_run", REQUEST_LIMIT);
        if creates {
            self.observe(kronjob, term, Observation::Sending(request));
            (verb, limit) = ("create", limit.min(self.shared.lease.remaining(term)));
        }
        let post = within(limit, self.post(kronjob, &body, &params, limit));
        let job = self.ask(verb, post).await?;
        if let Request::Create { what, name } = request {
            self.log_create(kronjob, what, name);
        }
        Ok(Some(Response::Job(Some(Arc::new(JobView::read(&job))))))
    }

    /// The Job to send. `None`: there is another template by now.
    async fn body(&self, kronjob: &KronJobView, request: &Request) -> Answer<Option<Value>> {
        Ok(match request {
            Request::Create { what: Purpose::Primer(period), name } => {
                let image = &self.shared.options.primer_image;
                let template = self.primer_template(kronjob).await?;
                template.map(|template| primer_job(kronjob, &template, *period, name, image))
            }
            Request::Create { what: Purpose::Start(trigger), name }
            | Request::DryRun { trigger, name, .. } => {
                self.template(kronjob).await?.map(|template| job(kronjob, &template, trigger, name))
            }
            _ => None,
        })
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

    /// Whether nobody has edited the KronJob since a create was planned, or taken the token back. Its template may have been read
    /// again meanwhile.
    fn is_still_wanted(&self, kronjob: &KronJobView, request: &Request) -> bool {
        let Request::Create { what: Purpose::Start(trigger), .. } = request else { return true };
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

    /// Logs that a Job was created, and counts how late.
    fn log_create(&self, kronjob: &KronJobView, what: &Purpose, name: &str) {
        let trigger = match what {
            Purpose::Start(trigger) => trigger,
            Purpose::Primer(period) => {
                tracing::info!(kronjob = %kronjob.key, job = name, %period, "created a primer");
                return;
            }
        };
        if let Trigger::Period { nominal, chosen } = trigger {
            let now = self.shared.clock.now();
            let since = |second: &i64| {
                chrono::DateTime::from_timestamp(*second, 0)
                    .map_or(chrono::TimeDelta::zero(), |time| now - time)
            };
            self.shared.metrics.created(since(chosen), since(nominal));
        }
        log(kronjob, trigger, name, self.shared.options.parser.tz_database());
    }

    /// Lists what is active at the server itself: a list without a version is never answered from a cache that lags, and all its pages
    /// show the same moment. Whoever has very many Jobs holds up nobody else for longer than [`LIST_LIMIT`].
    async fn list(&self, kronjob: &KronJobView) -> Answer<Response> {
        let selector = format!("{NAME_LABEL}={}", label_of_name(&kronjob.key.name));
        let api = self.jobs(kronjob);
        let pages = async {
            let mut jobs = Vec::new();
            let mut params = Some(ListParams::default().labels(&selector).limit(LIST_PAGE));
            while let Some(page) = params {
                let answer = self.ask("list", api.list(&page)).await?;
                jobs.extend(answer.items.iter().map(JobView::read));
                params = next_page(page, &answer.metadata);
            }
            Ok::<_, Refusal>(Response::Jobs(jobs))
        };
        within(LIST_LIMIT, pages).await
    }

    /// Deletes a Job, if something may be sent in this term.
    async fn delete(
        &self,
        kronjob: &KronJobView,
        term: u64,
        name: &str,
        uid: &str,
    ) -> Answer<Option<Response>> {
        if !self.may_write(term).await {
            return Ok(None);
        }
        let params = DeleteParams {
            propagation_policy: Some(PropagationPolicy::Background),
            preconditions: Some(Preconditions { uid: Some(uid.to_string()), resource_version: None }),
            ..DeleteParams::default()
        };
        self.ask("delete", self.jobs(kronjob).delete(name, &params)).await?;
        Ok(Some(Response::Done))
    }

    async fn update_status(
        &self,
        kronjob: &KronJobView,
        term: u64,
        request: &Request,
        status: &KronJobStatus,
    ) -> Answer<Option<Response>> {
        if let Err(until) =
            self.shared.status_writes.take(&kronjob.key, self.shared.clock.now().timestamp_millis())
        {
            self.shared.metrics.error("status_contended");
            self.shared.log.line("contended", |others| {
                let hint = "does another operator write it, too?";
                tracing::warn!(kronjob = %kronjob.key, others, "the status changes again and again: {hint}");
            });
            self.observe(kronjob, term, Observation::Postponed(request, until));
            return Ok(None);
        }
        if !self.may_write(term).await {
            return Ok(None);
        }
        let mut object = DynamicObject::new(&kronjob.key.name, &resource()).within(&kronjob.key.namespace);
        object.metadata.uid = Some(kronjob.uid.to_string());
        object.metadata.resource_version = Some(kronjob.resource_version.clone());
        object.data = json!({"status": status});
        self.observe(kronjob, term, Observation::Sending(request));
        let api = self.kronjobs(kronjob);
        let params = PostParams { field_manager: Some(MANAGER.into()), ..PostParams::default() };
        let update = api.replace_status(&kronjob.key.name, &params, &object);
        let kept = self.ask("update_status", update).await?;
        Ok(Some(Response::KronJob(Some(Arc::new(self.read_kronjob(&kept))))))
    }

    /// Logs a status that is not there as it was written, and is not written again at once.
    fn log_status(&self, kronjob: &KronJobView, answer: &Response) {
        if let Response::Refused(Refusal { message, .. }) = answer {
            self.shared.log.line("status", |others| {
                let error = message.as_str();
                tracing::warn!(kronjob = %kronjob.key, error, others, "the status could not be written");
            });
        } else {
            let hint = "is the KronJob resource of this operator's version installed?";
            tracing::error!(kronjob = %kronjob.key, "the server keeps another status than was written: {hint}");
            self.shared.metrics.error("status_altered");
        }
    }

    /// The template of a KronJob, which is read again if it is too large to be kept. `None`: there is another one by now.
    async fn template<'k>(&self, kronjob: &'k KronJobView) -> Answer<Option<Cow<'k, str>>> {
        let Ok(spec) = &kronjob.spec else { return Ok(None) };
        self.kept_or_read(kronjob, spec.template.as_deref(), "/spec/jobTemplate").await
    }

    /// The template that the primer of a KronJob is made of: its own, or that of the Jobs.
    async fn primer_template<'k>(&self, kronjob: &'k KronJobView) -> Answer<Option<Cow<'k, str>>> {
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
        let Some(object) = self.get_kronjob(kronjob).await? else {
            self.state().refresh_kronjob(&kronjob.key, &kronjob.uid, None);
            return Ok(None);
        };
        let read = self.read_kronjob(&object);
        let same = read.uid == kronjob.uid && read.generation == kronjob.generation;
        self.state().refresh_kronjob(&kronjob.key, &kronjob.uid, Some(read));
        let template = object.data.pointer(pointer).map(Value::to_string);
        Ok(template.filter(|_| same).map(Cow::Owned))
    }
}
