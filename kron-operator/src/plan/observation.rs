//! What happens to the requests of a plan, entered into what this process knows.

use kron_core::Policy;
use kron_crd::{KronJobStatus, Time};
use kron_host::{Cause, ListKind, StartAnswer, Trigger};

use super::messages::{Message, of_start, what};
use super::objects::{execution_of, state_of};
use super::observed::{DryRunResult, Observed, Scheduling};
use super::record::record_of;
use super::request::Deleted;
use crate::new_job::name_of;
use crate::object::{JobView, KronJobView};
use crate::planted_bugs::is_planted;
use crate::reason::Reason;

/// After how many failures a dry run is not made again.
const DRY_RUNS: u32 = 5;

/// Something that happened to a request. Times to try again are in milliseconds of Unix time.
#[derive(Clone, Debug)]
pub enum Observation<'a> {
    /// A create is about to be sent: from now on it may have been carried out.
    Creating(&'a Trigger),
    /// A create was answered, or was given up.
    Created {
        /// What the Job is for.
        trigger: &'a Trigger,
        /// The Job, if it is there and ours: by this request, or by an earlier one whose answer was lost. Or what became of the
        /// request.
        answer: Result<Box<JobView>, StartAnswer>,
    },
    /// A Job was got by its name. `None`: there is none, or it is not ours.
    LookedUp {
        /// What the Job is for.
        trigger: &'a Trigger,
        /// The Job.
        job: Option<&'a JobView>,
    },
    /// A list of Jobs is about to be asked for at the server.
    Listing(ListKind),
    /// The Jobs of this KronJob were listed at the server.
    Listed(&'a [JobView]),
    /// One list of the Jobs of many KronJobs was read at the server, and all of this one's are known.
    ListedWithOthers,
    /// It failed, or not all Jobs of this KronJob could be read.
    SharedListFailed,
    /// A Job that the cache shows as active was got from the server. `None`: it is gone.
    Checked {
        /// Its name.
        name: &'a str,
        /// Its UID.
        uid: &'a str,
        /// The Job.
        job: Option<&'a JobView>,
    },
    /// A Job is gone, or is being deleted.
    Deleted {
        /// Which kind of Job it was.
        what: Deleted,
        /// Its name.
        name: &'a str,
        /// Its UID.
        uid: &'a str,
    },
    /// A request on the way to a start failed.
    StartDelayed {
        /// Why.
        error: &'a str,
        /// When it is made again.
        retry_at: i64,
    },
    /// A status is about to be written.
    WritingStatus {
        /// The status.
        status: &'a KronJobStatus,
        /// The Events of what it says.
        ended: Vec<Message>,
    },
    /// The status was written.
    StatusWritten,
    /// The server accepted the status and keeps another one, so the next write would be answered alike.
    StatusAltered {
        /// When to write again.
        retry_at: i64,
    },
    /// The status was written too often, and waits.
    StatusPostponed {
        /// Until when.
        until: i64,
    },
    /// The status could not be written.
    StatusNotWritten {
        /// Whether it may have been written nevertheless.
        uncertain: bool,
        /// Whether somebody else wrote.
        overtaken: bool,
        /// When to write again.
        retry_at: i64,
        /// The same where a start waits for it.
        urgent_retry_at: i64,
    },
    /// The dry run of a generation's template was answered: it is accepted, by a Job with the TTL that its Jobs get, or
    /// refused with a message.
    DryRunAnswered {
        /// The generation.
        generation: i64,
        /// The answer.
        answer: Result<Option<&'a JobView>, String>,
    },
    /// The dry run before a create that repeats another one was answered.
    TriedAgain {
        /// The generation whose template was sent.
        generation: i64,
        /// What the Job is for.
        trigger: &'a Trigger,
        /// The Job that would be created. `None`: it exists, or the create will be refused, too, or no dry run is allowed.
        job: Option<&'a JobView>,
    },
    /// The dry run of a generation's template has to wait for its turn.
    DryRunPostponed {
        /// The generation.
        generation: i64,
        /// Until when.
        until: i64,
    },
    /// The dry run of a generation's template could not be made.
    DryRunFailed {
        /// The generation.
        generation: i64,
        /// Why.
        error: &'a str,
        /// When to try again; `None` if that changes nothing.
        retry_at: Option<i64>,
    },
    /// A Job that no start waits for could not be deleted.
    NotDeleted {
        /// Whether it is a primer.
        of_primers: bool,
        /// Its name.
        name: &'a str,
        /// Why.
        error: &'a str,
        /// When to try again.
        retry_at: i64,
    },
    /// A status is about to be written over that of the version that the write names. Only what changes the fence of the
    /// primer sets it.
    WritingFence {
        /// The status that is there.
        before: Option<&'a KronJobStatus>,
        /// The status.
        status: &'a KronJobStatus,
    },
    /// The create of the primer of a period is about to be sent: from now on it may have been carried out.
    CreatingPrimer,
    /// The create of a primer was answered, or was given up.
    PrimerCreated {
        /// The period.
        period: Time,
        /// The name of the Job.
        name: &'a str,
        /// What became of the request.
        answer: PrimerCreated,
    },
    /// The process did not run for a while: another one may have done its work, and the cache does not show it yet.
    Paused,
    /// The clock was set.
    ClockSet,
}

/// What became of a request to create a primer.
#[derive(Clone, Debug)]
pub enum PrimerCreated {
    /// It is there.
    Ours,
    /// Its name is taken by a Job that is not ours.
    Taken,
    /// It failed.
    Failed {
        /// When to try again, if it was certainly not carried out and may succeed.
        retry_at: Option<i64>,
        /// Why.
        message: String,
    },
}

impl Observed {
    /// Enters what happened in the Unix second `now`.
    pub fn observe(&mut self, kronjob: &KronJobView, observation: Observation<'_>, now: i64) {
        let policy =
            kronjob.spec.as_ref().map_or_else(|_| Policy::default(), |spec| *spec.job.spec().policy());
        match observation {
            Observation::Creating(trigger) => {
                self.tried_again = None;
                self.dispatcher.starting(trigger, now);
            }
            Observation::Created { trigger, answer } => self.created(kronjob, trigger, answer, now, &policy),
            Observation::LookedUp { trigger, job } => {
                if let Some(job) = job {
                    self.job_exists(kronjob, job);
                }
                self.dispatcher.looked_up(trigger, job.map(|job| &*job.name));
            }
            Observation::Listed(jobs) => {
                let ours = |job: &&JobView| *job.owner == *kronjob.uid || is_planted("uid-not-checked");
                let own = jobs.iter().filter(ours);
                let own = own.filter(|job| !job.is_primer_of(&kronjob.key.name));
                let executions: Vec<_> = own.clone().map(|job| execution_of(kronjob, job)).collect();
                let found = self.dispatcher.listed(&executions);
                if let Some(job) = own.clone().find(|job| Some(&*job.name) == found) {
                    self.job_exists(kronjob, job);
                }
            }
            Observation::Listing(kind) => self.dispatcher.listing(kind),
            Observation::ListedWithOthers => self.dispatcher.listed_with_others(),
            Observation::SharedListFailed => self.dispatcher.list_failed(ListKind::Shared),
            Observation::Checked { name, uid, job } => {
                let same = job.filter(|job| *job.uid == *uid);
                self.dispatcher.checked(uid, name, same.map_or(kron_host::ExecutionState::Ended, state_of));
            }
            Observation::Deleted { what, name, uid } => self.deleted(what, name, uid),
            Observation::NotDeleted { of_primers, name, error, retry_at } => {
                self.not_deleted(of_primers, name, error, retry_at);
            }
            Observation::StartDelayed { error, retry_at } => {
                self.dispatcher.request_failed(error, now, retry_at, &policy);
            }
            Observation::WritingStatus { status, ended } => {
                self.ended = ended;
                self.dispatcher.writing(&record_of(status));
                self.scheduling_writing.clone_from(&self.scheduling);
            }
            Observation::StatusWritten => {
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
            }
            Observation::StatusAltered { retry_at } => {
                self.write.failed(retry_at);
                self.urgent_write.failed(retry_at);
            }
            Observation::StatusPostponed { until } => {
                self.write.postpone(until);
                self.urgent_write.postpone(until);
            }
            Observation::StatusNotWritten { uncertain, overtaken, retry_at, urgent_retry_at } => {
                self.dispatcher.not_written(uncertain, overtaken);
                if let Some(primer) = &mut self.primer {
                    primer.writing = None;
                }
                self.scheduling_writing = None;
                self.write.failed(retry_at);
                self.urgent_write.failed(urgent_retry_at);
            }
            Observation::DryRunAnswered { generation, answer } => self.dry_run_answered(generation, answer),
            Observation::TriedAgain { generation, trigger, job } => {
                self.tried_again = Some(Box::new(trigger.clone()));
                if let Some(job) = job.filter(|_| self.dry_run.generation == generation) {
                    self.dry_run.result = DryRunResult::Accepted;
                    self.dry_run.ttl = job.ttl;
                }
            }
            Observation::DryRunPostponed { generation, until } => {
                if self.dry_run.generation == generation {
                    self.dry_run.backoff.postpone(until);
                }
            }
            Observation::DryRunFailed { generation, error, retry_at } => {
                self.dry_run_failed(generation, error, retry_at);
            }
            Observation::WritingFence { before, status } => self.writing_fence(before, status),
            Observation::CreatingPrimer => self.primer_mut().may_create = None,
            Observation::PrimerCreated { period, name, answer } => self.primer_created(period, name, answer),
            Observation::Paused => {
                self.tried_again = None;
                self.dispatcher.paused();
            }
            Observation::ClockSet => {
                self.tried_again = None;
                self.dispatcher.clock_set();
                if let Some(primer) = &mut self.primer {
                    primer.create.clock_set();
                    primer.deletions.backoff.clock_set();
                }
                let others = [
                    &mut self.write,
                    &mut self.urgent_write,
                    &mut self.history.backoff,
                    &mut self.dry_run.backoff,
                ];
                others.into_iter().for_each(kron_host::Backoff::clock_set);
            }
        }
    }

    fn created(
        &mut self,
        kronjob: &KronJobView,
        trigger: &Trigger,
        answer: Result<Box<JobView>, StartAnswer>,
        now: i64,
        policy: &Policy,
    ) {
        // The watch may have shown the Job before its answer came; then a failure says nothing.
        let waits = self.dispatcher.waits_for(trigger);
        let answer = match answer {
            Ok(job) => {
                self.job_exists(kronjob, &job);
                StartAnswer::Started { execution: job.name.to_string() }
            }
            Err(answer) => answer,
        };
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
                let note = format!("{}: Job {name} could not be created yet: {error}", what(trigger));
                if self.dispatcher.start_answered(trigger, answer, now, policy) {
                    self.report(Message::new(Reason::FailedCreate, note));
                }
                return;
            }
        };
        if let Some(cause) = cause.filter(|_| waits) {
            let Message { reason, note, .. } = of_start(kronjob, trigger, None, &cause);
            self.failed(reason.as_str(), note);
        }
        self.dispatcher.start_answered(trigger, answer, now, policy);
    }

    /// A Job of the template exists, which proves that the template is accepted.
    fn job_exists(&mut self, kronjob: &KronJobView, job: &JobView) {
        self.scheduling = Some(Box::new(Scheduling::Created));
        if self.dry_run.generation == kronjob.generation {
            self.dry_run.result = DryRunResult::Accepted;
            self.dry_run.ttl = job.ttl;
        }
    }

    fn dry_run_answered(&mut self, generation: i64, answer: Result<Option<&JobView>, String>) {
        if self.dry_run.generation != generation {
            return;
        }
        self.dry_run.result = match answer {
            Ok(job) => {
                self.dry_run.ttl = job.and_then(|job| job.ttl);
                DryRunResult::Accepted
            }
            Err(message) => DryRunResult::Refused(message),
        };
    }

    /// After a few failures it is not tried again: the create of its first Job is the test.
    fn dry_run_failed(&mut self, generation: i64, error: &str, retry_at: Option<i64>) {
        if self.dry_run.generation != generation {
            return;
        }
        self.dry_run.backoff.failed(retry_at.unwrap_or_default());
        let failures = self.dry_run.backoff.failures();
        if failures == 1 {
            let reason = if retry_at.is_some() { Reason::DryRunDeferred } else { Reason::DryRunFailed };
            let note = format!("the job template could not be tried: {error}");
            self.report(Message::new(reason, note));
        }
        if retry_at.is_none() || failures >= DRY_RUNS {
            self.dry_run.result = DryRunResult::NotTried(error.to_string());
        }
    }
}
