//! The requests: each is made, and what its answer means is entered.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use http::uri::InvalidUri;
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
use crate::object::{JobView, KronJobView, WatchedJob, job_resource};
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

/// A request that a plan asks for, or that follows from an answer.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    /// The KronJob it is for.
    pub(super) kronjob: KronJobView,
    /// The term of the plan.
    pub(super) term: u64,
    pub(super) request: Request,
}

impl Engine {
    fn jobs(&self, kronjob: &KronJobView) -> Api<WatchedJob> {
        Api::namespaced_with(self.shared.client.clone(), &kronjob.key.namespace, &job_resource())
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
    fn enter(&self, Asked { kronjob, term, request }: &Asked, response: &Response) -> Answered {
        let retry_at =
            |failures, pace, failure| self.retry_at(&kronjob.key.namespace, failures, pace, failure);
        let at = Moment { now: self.shared.clock.now().timestamp(), retry_at: &retry_at };
        let answered = self.state().answered(kronjob, *term, request, response, at);
        if let Some(failure) = answered.failure {
            self.shared.metrics.error(failure.code());
        }
        answered
    }

    /// Makes a request and those that follow from its answer, and enters what becomes of them.
    pub(super) async fn carry_out(&self, mut asked: Asked) {
        loop {
            let answer = match self.make(&asked).await {
                Ok(None) => return,
                Ok(Some(response)) => response,
                Err(refusal) => Response::Refused(refusal),
            };
            let answered = self.enter(&asked, &answer);
            if answered.is_delayed {
                self.log_status(&asked.kronjob, &answer);
            }
            let Some(follow_up) = answered.follow_up else { return };
            asked.request = follow_up;
        }
    }

    /// Makes a request. `None`: it is not sent, and planned again.
    async fn make(&self, asked: &Asked) -> Answer<Option<Response>> {
        let Asked { kronjob, term, request } = asked;
        match request {
            Request::List => {
                self.observe(asked, Observation::Sending(request));
                self.list(kronjob).await.map(Some)
            }
            Request::Get { name, .. } => {
                let found = self.ask("get", self.jobs(kronjob).get_opt(name)).await?;
                Ok(Some(Response::Job(found.map(|job| Arc::new(JobView::read(&job))))))
            }
            Request::Delete { name, uid, .. } => {
                if !self.may_write(*term).await {
                    return Ok(None);
                }
                self.delete(kronjob, name, uid).await.map(Some)
            }
            Request::Create { .. } | Request::DryRun { .. } => self.send_job(asked).await,
            Request::UpdateStatus { status, .. } => self.update_status(asked, status).await,
            Request::GetKronJob => {
                let found = self.get_kronjob(kronjob).await?;
                Ok(Some(Response::KronJob(found.map(|object| Arc::new(self.read_kronjob(&object))))))
            }
        }
    }

    /// Enters what becomes of a request before it is answered, or without an answer.
    fn observe(&self, Asked { kronjob, term, .. }: &Asked, observation: Observation<'_>) {
        let now = self.shared.clock.now();
        self.state().observe(&kronjob.key, &kronjob.uid, *term, observation, now);
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
    async fn send_job(&self, asked: &Asked) -> Answer<Option<Response>> {
        let Asked { kronjob, term, request } = asked;
        if matches!(request, Request::DryRun { repeats: false, .. })
            && let Err(wait) = self.shared.dry_runs.take()
        {
            let millis = i64::try_from(wait.as_millis()).unwrap_or(i64::MAX).max(1);
            let until = self.shared.clock.now().timestamp_millis().saturating_add(millis);
            self.observe(asked, Observation::Postponed(request, until));
            return Ok(None);
        }
        let body = match self.body(kronjob, request).await {
            Ok(body) => body,
            Err(refusal) => return Ok(Some(Response::NotSent(refusal))),
        };
        // Without a body, the KronJob was edited meanwhile, or is gone, which the watch or the answer shows.
        let Some(body) = body else { return Ok(None) };
        if !self.may_write(*term).await || !self.is_still_wanted(kronjob, request) {
            return Ok(None);
        }
        let creates = matches!(request, Request::Create { .. });
        let params = PostParams { dry_run: !creates, field_manager: Some(MANAGER.into()) };
        let (mut verb, mut limit) = ("dry_run", REQUEST_LIMIT);
        if creates {
            self.observe(asked, Observation::Sending(request));
            (verb, limit) = ("create", limit.min(self.shared.lease.remaining(*term)));
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
        let (Request::Create { name, .. } | Request::DryRun { name, .. }) = request else { return Ok(None) };
        let Ok(spec) = &kronjob.spec else { return Ok(None) };
        let of_primer = match request {
            Request::Create { what: Purpose::Primer(period), .. } => Some(*period),
            _ => None,
        };
        let has_own = spec.primer.as_ref().is_some_and(|primer| primer.has_job_template);
        let (kept, pointer) = match of_primer.filter(|_| has_own) {
            Some(_) => (&spec.primer_template, "/spec/primer/jobTemplate"),
            None => (&spec.template, "/spec/jobTemplate"),
        };
        let template = match kept {
            Some(template) => Some(Cow::Borrowed(&**template)),
            None => self.read_template(kronjob, pointer).await?.map(Cow::Owned),
        };
        let image = &self.shared.options.primer_image;
        Ok(template.and_then(|template| match (request, of_primer) {
            (_, Some(period)) => Some(primer_job(kronjob, &template, period, name, image)),
            (
                Request::Create { what: Purpose::Start(trigger), .. } | Request::DryRun { trigger, .. },
                None,
            ) => Some(job(kronjob, &template, trigger, name)),
            _ => None,
        }))
    }

    /// Reads a template that is too large to be kept. `None`: there is another one by now.
    async fn read_template(&self, kronjob: &KronJobView, pointer: &str) -> Answer<Option<String>> {
        let found = self.get_kronjob(kronjob).await?;
        let read = found.as_ref().map(|object| self.read_kronjob(object));
        let is_same = read
            .as_ref()
            .is_some_and(|read| (&read.uid, read.generation) == (&kronjob.uid, kronjob.generation));
        self.state().refresh_kronjob(&kronjob.key, &kronjob.uid, read);
        let template = found.as_ref().filter(|_| is_same).and_then(|object| object.data.pointer(pointer));
        Ok(template.map(Value::to_string))
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
            let taken_back =
                matches!(trigger, Trigger::RunNow { token } if now.run_now.as_ref() != Some(token));
            now.generation == kronjob.generation && !taken_back
        })
    }

    /// Logs that a Job was created, a start with all that its decision follows from, so that it can be decided again from the log
    /// alone. Counts how late it is.
    fn log_create(&self, kronjob: &KronJobView, what: &Purpose, job: &str) {
        let trigger = match what {
            Purpose::Start(trigger) => trigger,
            Purpose::Primer(period) => {
                tracing::info!(kronjob = %kronjob.key, job, %period, "created a primer");
                return;
            }
        };
        let (Trigger::Period { nominal, chosen }, Ok(spec)) = (trigger, &kronjob.spec) else {
            tracing::info!(kronjob = %kronjob.key, job, ?trigger, "created a Job");
            return;
        };
        let now = self.shared.clock.now().timestamp_millis();
        let since = |second: &i64| TimeDelta::milliseconds(now.saturating_sub(second.saturating_mul(1000)));
        self.shared.metrics.created(since(chosen), since(nominal));
        let Ok(decision) = spec.job.decide(*nominal) else { return };
        tracing::info!(
            kronjob = %kronjob.key, job, period = %Time(*nominal), spec = %spec.job.spec(),
            chosen = decision.chosen_time().map(|time| time.to_rfc3339()),
            algorithm = decision.algorithm(), seed_hash = %decision.seed_hash(), draws = decision.draws(),
            tzdb = crate::tzdb::version(self.shared.options.parser.tz_database()), "created a Job"
        );
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

    async fn delete(&self, kronjob: &KronJobView, name: &str, uid: &str) -> Answer<Response> {
        let params = DeleteParams {
            propagation_policy: Some(PropagationPolicy::Background),
            preconditions: Some(Preconditions { uid: Some(uid.to_string()), resource_version: None }),
            ..DeleteParams::default()
        };
        self.ask("delete", self.jobs(kronjob).delete(name, &params)).await?;
        Ok(Response::Done)
    }

    async fn update_status(&self, asked: &Asked, status: &KronJobStatus) -> Answer<Option<Response>> {
        let Asked { kronjob, term, request } = asked;
        if !self.may_write(*term).await {
            return Ok(None);
        }
        let now = self.shared.clock.now().timestamp_millis();
        let counted = self.state().count_status_write(&kronjob.key, &kronjob.uid, now);
        if let Err(until) = counted {
            self.shared.metrics.error("status_contended");
            self.shared.log.line("contended", |others| {
                let hint = "does another operator write it, too?";
                tracing::warn!(kronjob = %kronjob.key, others, "the status changes again and again: {hint}");
            });
            self.observe(asked, Observation::Postponed(request, until));
            return Ok(None);
        }
        let mut object = DynamicObject::new(&kronjob.key.name, &resource()).within(&kronjob.key.namespace);
        object.metadata.uid = Some(kronjob.uid.to_string());
        object.metadata.resource_version = Some(kronjob.resource_version.clone());
        object.data = json!({"status": status});
        self.observe(asked, Observation::Sending(request));
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
}
