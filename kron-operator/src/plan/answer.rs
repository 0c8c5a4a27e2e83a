//! What the answers to requests mean: what this process knows from then on, which Jobs they show, and which request follows.
//!
//! No request is made here and no clock is read, so a check of every interleaving gives answers the same meaning as the
//! engine.

use std::fmt;
use std::sync::Arc;

use kron_core::Policy;
use kron_crd::KronJobStatus;
use kron_crd::reason::Reason;
use kron_formats::names::name_of;
use kron_host::{Cause, ExecutionState, StartAnswer, Trigger};

use super::messages::{Message, of_start, what as in_words};
use super::objects::{execution_of, state_of};
use super::observed::{DryRunResult, Observed, Scheduling};
use super::request::{Deleted, Purpose, Request, Sought};
use crate::client::{Failure, Refusal};
use crate::object::{JobView, KronJobView};
use crate::planted_bugs::is_planted;

/// How many seconds after its time a start is late.
const LATE: i64 = 10;
/// After so many conflicts in a row, a status is not written again at once: something else keeps writing it.
const CONFLICTS: u32 = 5;
/// The back-off of deletions of finished Jobs begins as if so many had failed, as nothing waits for them.
const HISTORY_FAILURES: u32 = 3;
/// The same for a status that the server stored differently from what was sent.
const ALTERED_FAILURES: u32 = 3;
/// After how many failures a dry run is not made again.
const DRY_RUNS: u32 = 5;

/// What a request was answered.
#[derive(Clone, Debug)]
pub enum Response {
    /// The Job that was got or created, if there is one.
    Job(Option<Arc<JobView>>),
    /// The Jobs that were listed.
    Jobs(Vec<JobView>),
    /// The KronJob as the server keeps it, if it does.
    KronJob(Option<Arc<KronJobView>>),
    /// It is done.
    Done,
    /// It is not done, or nobody knows.
    Refused(Refusal),
    /// It was not sent, as the template for it could not be read.
    NotSent(Refusal),
}

/// How soon a request that failed is made again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// A start waits for it, which has not failed.
    Urgent,
    /// A start that may still be in time failed.
    Start,
    /// A late start failed, and may fail for hours.
    LateStart,
    /// No start waits for it.
    Other,
}

/// What follows from an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answered {
    /// Jobs that exist. The watch may have shown them already, or their end.
    pub jobs: Vec<JobView>,
    /// The request that follows, before any other one of its lane.
    pub follow_up: Option<Request>,
    /// The failure to count.
    pub failure: Option<Failure>,
    /// Whether a status is not there as it was written, and is not written again at once.
    pub is_delayed: bool,
}

/// When an answer arrives.
#[derive(Clone, Copy)]
pub struct Moment<'a> {
    /// The Unix second.
    pub now: i64,
    /// The millisecond of Unix time at which a request is made again, after so many failures before this one.
    pub retry_at: &'a dyn Fn(u32, Pace, Failure) -> i64,
}

impl fmt::Debug for Moment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Moment").field("now", &self.now).finish_non_exhaustive()
    }
}

impl Answered {
    fn showing(job: Option<&JobView>) -> Answered {
        Answered { jobs: job.cloned().into_iter().collect(), ..Answered::default() }
    }

    fn counting(failure: Failure) -> Answered {
        Answered { failure: Some(failure), ..Answered::default() }
    }
}

fn policy(kronjob: &KronJobView) -> Policy {
    kronjob.spec.as_ref().map_or_else(|_| Policy::default(), |spec| *spec.job.spec().policy())
}

impl Observed {
    /// Enters the answer to a request for a KronJob.
    pub fn answered(
        &mut self,
        kronjob: &KronJobView,
        request: &Request,
        response: &Response,
        at: Moment<'_>,
    ) -> Answered {
        let own = |job: &'_ &JobView| *job.owner == *kronjob.uid;
        match (request, response) {
            (_, Response::Refused(refusal)) => return self.refused(kronjob, request, refusal, at),
            (_, Response::NotSent(refusal)) => return self.not_sent(kronjob, request, refusal, at),
            (Request::List, Response::Jobs(jobs)) => {
                self.listed(kronjob, jobs);
                return Answered { jobs: jobs.iter().filter(own).cloned().collect(), ..Answered::default() };
            }
            (Request::Get { why: Sought::Created(trigger), .. }, Response::Job(job)) => {
                let job = job.as_deref().filter(own);
                if let Some(job) = job {
                    self.job_exists(kronjob, job);
                }
                self.dispatcher.looked_up(trigger, job.map(|job| &*job.name));
                return Answered::showing(job);
            }
            (Request::Get { why: Sought::Active(uid), name }, Response::Job(job)) => {
                let job = job.as_deref().filter(own).filter(|job| *job.uid == **uid);
                self.dispatcher.checked(uid, name, job.map_or(ExecutionState::Ended, state_of));
            }
            (Request::Get { why: Sought::Taken(what), name }, Response::Job(job)) => {
                match (job.as_deref().filter(own), what) {
                    (Some(job), _) => return self.exists(kronjob, what, name, job, at),
                    (None, Purpose::Primer(period)) => self.primer_found(*period, name, false),
                    (None, Purpose::Start(trigger)) => {
                        let answer =
                            if job.is_some() { StartAnswer::NameTaken } else { StartAnswer::Removed };
                        self.not_created(kronjob, trigger, answer, at.now);
                    }
                }
            }
            // The plan knows it at once, before the watch shows it.
            (Request::Create { what, name }, Response::Job(Some(job))) => {
                return self.exists(kronjob, what, name, job, at);
            }
            (Request::DryRun { generation, trigger, repeats, .. }, Response::Job(Some(job))) => {
                if *repeats {
                    self.tried_again = Some(Box::new(trigger.clone()));
                }
                self.template_accepted(*generation, job.ttl);
            }
            (Request::Delete { what, name, uid }, Response::Done) => self.deleted(*what, name, uid),
            (Request::UpdateStatus { status, .. }, Response::KronJob(Some(kept))) => {
                return self.status_kept(status, kept, at);
            }
            (Request::GetKronJob, Response::KronJob(_)) => {}
            _ => debug_assert!(false, "{request:?} is answered {response:?}"),
        }
        Answered::default()
    }

    fn refused(
        &mut self,
        kronjob: &KronJobView,
        request: &Request,
        refusal: &Refusal,
        at: Moment<'_>,
    ) -> Answered {
        let Refusal { failure, message } = refusal;
        match request {
            Request::List | Request::Get { why: Sought::Created(_) | Sought::Active(_), .. } => {
                return self.start_delayed(kronjob, refusal, at);
            }
            Request::Get { why: Sought::Taken(Purpose::Start(trigger)), .. } => {
                let error = format!("it exists, but could not be read: {message}");
                let retry_at = Some(self.retry_start_at(*failure, at));
                // As long as it exists, another create does no harm.
                let answer = StartAnswer::Failed { error, uncertain: true, retry_at };
                self.not_created(kronjob, trigger, answer, at.now);
                return Answered::default();
            }
            Request::Get { why: Sought::Taken(Purpose::Primer(period)), name } => {
                self.primer_failed(*period, name, message, None);
                return Answered::default();
            }
            Request::Create { what, name } if *failure == Failure::AlreadyExists => {
                let follow_up = Request::Get { why: Sought::Taken(what.clone()), name: name.clone() };
                let failure = matches!(what, Purpose::Start(_)).then_some(*failure);
                return Answered { follow_up: Some(follow_up), failure, ..Answered::default() };
            }
            Request::Create { what: Purpose::Start(trigger), .. } => {
                let answer = match failure {
                    Failure::NamespaceTerminating => StartAnswer::Closed,
                    failure => StartAnswer::Failed {
                        error: message.clone(),
                        uncertain: !failure.not_executed(),
                        retry_at: failure.passing().then(|| self.retry_start_at(*failure, at)),
                    },
                };
                self.not_created(kronjob, trigger, answer, at.now);
            }
            Request::Create { what: Purpose::Primer(_), .. } => {
                // A request is sent again only if it was certainly not carried out.
                let again = failure.passing() && failure.not_executed();
                self.primer_refused(request, refusal, again, at);
            }
            Request::DryRun { trigger, repeats: true, .. } => match failure {
                Failure::Ambiguous | Failure::Refused | Failure::TooManyRequests { .. } => {
                    return self.start_delayed(kronjob, refusal, at);
                }
                // The create is answered alike: the Job exists, or is refused. Or a webhook allows no dry run.
                Failure::Conflict
                | Failure::AlreadyExists
                | Failure::NotFound
                | Failure::Invalid
                | Failure::Forbidden
                | Failure::NamespaceTerminating
                | Failure::Other => {
                    self.tried_again = Some(Box::new(trigger.clone()));
                    return Answered::default();
                }
            },
            Request::DryRun { generation, .. } => match failure {
                // A Job of that name exists, so the template was accepted before.
                Failure::AlreadyExists => {
                    self.template_accepted(*generation, None);
                    return Answered::default();
                }
                Failure::Invalid => {
                    if self.dry_run.generation == *generation {
                        self.dry_run.result = DryRunResult::Refused(message.clone());
                    }
                    return Answered::default();
                }
                _ => self.dry_run_failed(*generation, refusal, at),
            },
            // It is gone, and maybe another one has its name.
            Request::Delete { what, name, uid }
                if matches!(failure, Failure::NotFound | Failure::Conflict) =>
            {
                self.deleted(*what, name, uid);
                return Answered::default();
            }
            Request::Delete { what: Deleted::Active, .. } => {
                return self.start_delayed(kronjob, refusal, at);
            }
            Request::Delete { what, name, .. } => {
                let of_primers = *what == Deleted::Primer;
                let failures = match of_primers {
                    true => self.primer_mut().deletions.backoff.failures(),
                    false => HISTORY_FAILURES,
                };
                let retry_at = (at.retry_at)(failures, Pace::Other, *failure);
                self.not_deleted(of_primers, name, message, retry_at);
            }
            Request::UpdateStatus { .. } => return self.status_not_written(*failure, at),
            Request::GetKronJob => return Answered::default(),
        }
        Answered::counting(*failure)
    }

    fn not_sent(
        &mut self,
        kronjob: &KronJobView,
        request: &Request,
        refusal: &Refusal,
        at: Moment<'_>,
    ) -> Answered {
        match request {
            Request::Create { what: Purpose::Primer(_), .. } => {
                self.primer_refused(request, refusal, refusal.failure.passing(), at);
            }
            Request::DryRun { generation, repeats: false, .. } => {
                self.dry_run_failed(*generation, refusal, at);
            }
            _ => return self.start_delayed(kronjob, refusal, at),
        }
        Answered::counting(refusal.failure)
    }

    /// The Job of a create exists.
    fn exists(
        &mut self,
        kronjob: &KronJobView,
        what: &Purpose,
        name: &str,
        job: &JobView,
        at: Moment<'_>,
    ) -> Answered {
        match what {
            Purpose::Start(trigger) => {
                self.job_exists(kronjob, job);
                let answer = StartAnswer::Started { execution: job.name.to_string() };
                self.dispatcher.start_answered(trigger, answer, at.now, &policy(kronjob));
            }
            Purpose::Primer(period) => self.primer_found(*period, name, true),
        }
        Answered::showing(Some(job))
    }

    fn not_created(&mut self, kronjob: &KronJobView, trigger: &Trigger, answer: StartAnswer, now: i64) {
        // The watch may have shown the Job before its answer came; then a failure says nothing.
        let waits = self.dispatcher.waits_for(trigger);
        let cause = match &answer {
            StartAnswer::Started { .. } => None,
            StartAnswer::NameTaken => Some(Cause::NameTaken),
            StartAnswer::Removed => Some(Cause::Removed),
            StartAnswer::Closed => Some(Cause::Closed),
            StartAnswer::Failed { error, .. } => {
                let name = name_of(trigger, &kronjob.key.name);
                if waits {
                    self.failed(Reason::FailedCreate.as_str(), format!("Job {name}: {error}"));
                }
                let note = format!("{}: Job {name} could not be created yet: {error}", in_words(trigger));
                if self.dispatcher.start_answered(trigger, answer, now, &policy(kronjob)) {
                    self.report(Message::new(Reason::FailedCreate, note));
                }
                return;
            }
        };
        if let Some(cause) = cause.filter(|_| waits) {
            let Message { reason, note, .. } = of_start(kronjob, trigger, None, &cause);
            self.failed(reason.as_str(), note);
        }
        self.dispatcher.start_answered(trigger, answer, now, &policy(kronjob));
    }

    /// A Job of the template exists, which proves that the template is accepted.
    fn job_exists(&mut self, kronjob: &KronJobView, job: &JobView) {
        self.scheduling = Some(Box::new(Scheduling::Created));
        self.template_accepted(kronjob.generation, job.ttl);
    }

    /// The template of a generation is accepted, and its Jobs get this TTL.
    fn template_accepted(&mut self, generation: i64, ttl: Option<i64>) {
        if self.dry_run.generation == generation {
            (self.dry_run.result, self.dry_run.ttl) = (DryRunResult::Accepted, ttl);
        }
    }

    /// After a few failures it is not tried again: the create of its first Job is the test.
    fn dry_run_failed(&mut self, generation: i64, refusal: &Refusal, at: Moment<'_>) {
        let Refusal { failure, message } = refusal;
        let retry_at = (at.retry_at)(self.dry_run.backoff.failures(), Pace::Other, *failure);
        if self.dry_run.generation != generation {
            return;
        }
        let passing = failure.passing();
        self.dry_run.backoff.failed(if passing { retry_at } else { 0 });
        let failures = self.dry_run.backoff.failures();
        if failures == 1 {
            let reason = if passing { Reason::DryRunDeferred } else { Reason::DryRunFailed };
            let note = format!("the job template could not be tried: {message}");
            self.report(Message::new(reason, note));
        }
        if !passing || failures >= DRY_RUNS {
            self.dry_run.result = DryRunResult::NotTried(message.clone());
        }
    }

    fn primer_refused(&mut self, request: &Request, refusal: &Refusal, again: bool, at: Moment<'_>) {
        let Request::Create { what: Purpose::Primer(period), name } = request else { return };
        let failures = self.primer_mut().create.failures();
        let retry_at = again.then(|| (at.retry_at)(failures, Pace::Other, refusal.failure));
        self.primer_failed(*period, name, &refusal.message, retry_at);
    }

    fn listed(&mut self, kronjob: &KronJobView, jobs: &[JobView]) {
        let ours = |job: &&JobView| *job.owner == *kronjob.uid || is_planted("uid-not-checked");
        let own = jobs.iter().filter(ours).filter(|job| !job.is_primer_of(&kronjob.key.name));
        let executions: Vec<_> = own.clone().map(|job| execution_of(kronjob, job)).collect();
        let found = self.dispatcher.listed(&executions);
        if let Some(job) = own.clone().find(|job| Some(&*job.name) == found) {
            self.job_exists(kronjob, job);
        }
    }

    /// A request on the way to a start failed, or the read of the template before it.
    fn start_delayed(&mut self, kronjob: &KronJobView, refusal: &Refusal, at: Moment<'_>) -> Answered {
        let retry_at = self.retry_start_at(refusal.failure, at);
        self.dispatcher.request_failed(&refusal.message, at.now, retry_at, &policy(kronjob));
        Answered::counting(refusal.failure)
    }

    fn retry_start_at(&self, failure: Failure, at: Moment<'_>) -> i64 {
        let is_late = self.dispatcher.current_due().is_some_and(|due| at.now > due.saturating_add(LATE));
        let pace = if is_late { Pace::LateStart } else { Pace::Start };
        (at.retry_at)(self.dispatcher.current_failures(), pace, failure)
    }

    /// The status was written. The server may keep another one: then the next write would be answered alike.
    fn status_kept(&mut self, status: &KronJobStatus, kept: &KronJobView, at: Moment<'_>) -> Answered {
        let failures = self.write.failures();
        self.dispatcher.written();
        if let Some(primer) = &mut self.primer {
            primer.written();
        }
        // The condition is written: from now on another operator may change it.
        if self.scheduling == self.scheduling_writing.take() {
            self.scheduling = None;
        }
        (self.write, self.urgent_write) = Default::default();
        for message in std::mem::take(&mut self.ended) {
            self.report(message);
        }
        let is_altered = kept.status.as_ref() != Ok(status);
        if is_altered {
            let retry_at = (at.retry_at)(failures.max(ALTERED_FAILURES), Pace::Other, Failure::Other);
            self.write.failed(retry_at);
            self.urgent_write.failed(retry_at);
        }
        Answered { is_delayed: is_altered, ..Answered::default() }
    }

    fn status_not_written(&mut self, failure: Failure, at: Moment<'_>) -> Answered {
        // A conflict means that a newer version exists. It is fetched, and the next write follows at once.
        let overtaken = matches!(failure, Failure::Conflict);
        let uncertain = !failure.not_executed();
        let failures = self.write.failures();
        let at_once = overtaken && failures < CONFLICTS;
        let retry_at = |pace| if at_once { 0 } else { (at.retry_at)(failures, pace, failure) };
        self.dispatcher.not_written(uncertain, overtaken);
        if let Some(primer) = &mut self.primer {
            primer.writing = None;
        }
        self.scheduling_writing = None;
        self.write.failed(retry_at(Pace::Other));
        self.urgent_write.failed(retry_at(Pace::Urgent));
        Answered {
            follow_up: (overtaken || uncertain).then_some(Request::GetKronJob),
            is_delayed: !at_once,
            ..Answered::counting(failure)
        }
    }
}
