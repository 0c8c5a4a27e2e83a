//! The answers of the API server, entered into the memory.

use super::memory::{Attempt, CheckedJob, JobState, Memory, Note, Scheduling, TemplateVerdict};
use super::run_now;
use super::starting::patience;
use crate::crd::{KronJobStatus, Outcome};
use crate::events::Reason;
use crate::names::{job_name, run_now_job_name};
use crate::object::{JobView, KronJob};
use crate::template::Purpose;

/// What became of a request to create a Job.
#[derive(Clone, Debug)]
pub enum Created {
    /// It is there, and it is ours: by this request, or by an earlier one whose answer was lost.
    Ours(Box<JobView>),
    /// Its name is taken by a Job that is not ours.
    Taken,
    /// Its name was taken, and a moment later it was not: whatever it was, it has had its time.
    Gone,
    /// It failed.
    Failed {
        /// Whether it is worth another try.
        passing: bool,
        /// Whether it may have been carried out all the same.
        uncertain: bool,
        /// Why.
        message: String,
        /// Milliseconds of Unix time before which it is not tried again.
        retry_at: i64,
    },
    /// The namespace is being deleted: nothing more will start in it.
    Ending,
}

impl Attempt {
    /// A request failed. No other one before that millisecond of Unix time; but once more before the time is over.
    fn failed(&mut self, message: String, now: i64, retry_at: i64, patience: Option<i64>) {
        let first = *self.first_failure.get_or_insert(now);
        let last = patience.map(|patience| first.saturating_add(patience).saturating_mul(1000));
        let last = last.filter(|last| self.backoff.until < *last).unwrap_or(i64::MAX);
        self.backoff.failed(retry_at.min(last));
        self.error = message;
    }
}

/// What an answer to a create leaves to be done.
enum After {
    Settled(Outcome, Option<String>, Note),
    Again,
}

impl Memory {
    fn attempt(&mut self, purpose: &Purpose) -> Option<&mut Attempt> {
        match purpose {
            Purpose::Period { period, .. } => {
                let verdict = self.verdicts.iter_mut().find(|verdict| verdict.period == *period);
                verdict.map(|verdict| &mut verdict.attempt)
            }
            Purpose::RunNow(token) => {
                self.run_now.as_mut().filter(|run| run.token == *token).map(|run| &mut run.attempt)
            }
        }
    }

    /// The start that is being made: what its Job is for, and its attempt.
    fn current(&mut self) -> Option<(Purpose, &mut Attempt)> {
        match self.verdicts.first_mut() {
            Some(verdict) => {
                let purpose = Purpose::Period { period: verdict.period, chosen: verdict.chosen };
                Some((purpose, &mut verdict.attempt))
            }
            None => self.run_now.as_mut().map(|run| (Purpose::RunNow(run.token.clone()), &mut run.attempt)),
        }
    }

    /// The Unix second at which the current start is due: when it was chosen, or asked for.
    pub fn due(&self) -> Option<i64> {
        match self.verdicts.first() {
            Some(verdict) => Some(verdict.chosen.0),
            None => self.run_now.as_ref().map(|run| run.seen),
        }
    }

    /// How often the current start has failed, for back-off.
    pub fn failures(&mut self) -> u32 {
        self.current().map_or(0, |(_, attempt)| attempt.backoff.failures)
    }

    /// How often updating the status has failed, for back-off.
    pub fn write_failures(&self) -> u32 {
        self.write.failures
    }

    /// How often the dry run of the template has failed, for back-off.
    pub fn dry_run_failures(&self) -> u32 {
        self.template.backoff.failures
    }

    /// A create is about to be sent: from now on it may have been carried out. `now` in Unix seconds.
    pub fn sending(&mut self, purpose: &Purpose, now: i64) {
        if let Some(attempt) = self.attempt(purpose) {
            attempt.first.get_or_insert(now);
            attempt.under_way = true;
            attempt.looked = false;
        }
    }

    /// A create was answered, or was not. `now` in Unix seconds.
    pub fn created(&mut self, kronjob: &KronJob, purpose: &Purpose, name: &str, created: Created, now: i64) {
        self.checked = None;
        if let Created::Ours(job) = &created {
            self.job_was_created(kronjob, job);
        }
        let what = match purpose {
            Purpose::Period { period, chosen } => format!("period {period}, chosen start {chosen}"),
            Purpose::RunNow(token) => format!("run-now {token}"),
        };
        let missed = |reason, text: String| After::Settled(Outcome::Missed, None, Note { reason, text });
        let patience = kronjob.spec.as_ref().ok().map(patience);
        // The watch may have shown the Job before its answer came; then nothing is left to be settled.
        let Some(attempt) = self.attempt(purpose) else { return };
        attempt.under_way = false;
        let failed = matches!(created, Created::Failed { .. });
        let after = match created {
            Created::Ours(job) => {
                let text = format!("created Job {} for {what}", job.name);
                let note = Note { reason: Reason::SuccessfulCreate, text };
                After::Settled(Outcome::Executed, Some(job.name.to_string()), note)
            }
            Created::Taken => {
                let owner = &kronjob.key;
                let text = format!(
                    "missed {what}: there is a Job {name} already, and it does not belong to {owner}"
                );
                missed(Reason::NameTaken, text)
            }
            Created::Gone => {
                let text = format!("missed {what}: there was a Job {name} already, and now it is gone");
                missed(Reason::ClaimLost, text)
            }
            Created::Ending => {
                missed(Reason::FailedCreate, format!("missed {what}: the namespace is being deleted"))
            }
            Created::Failed { passing, uncertain, message, retry_at } => {
                attempt.uncertain |= uncertain;
                attempt.failed(message.clone(), now, retry_at, patience);
                let first = attempt.backoff.failures == 1;
                let reason = Reason::FailedCreate;
                self.scheduling = Some(Scheduling::Failed(reason.as_str(), format!("Job {name}: {message}")));
                if !passing {
                    missed(reason, format!("missed {what}: Job {name} was refused: {message}"))
                } else {
                    if first {
                        let text = format!("{what}: Job {name} could not be created yet: {message}");
                        self.notes.push(Note { reason, text });
                    }
                    After::Again
                }
            }
        };
        if let After::Settled(outcome, job_name, note) = after {
            if let (Outcome::Missed, false) = (outcome, failed) {
                self.scheduling = Some(Scheduling::Failed(note.reason.as_str(), note.text.clone()));
            }
            self.finish(purpose, outcome, job_name, note);
        }
    }

    /// A Job of the template is there: nothing proves more that the template is accepted.
    fn job_was_created(&mut self, kronjob: &KronJob, job: &JobView) {
        self.scheduling = Some(Scheduling::Created);
        if self.template.generation == kronjob.generation {
            self.template.verdict = TemplateVerdict::Accepted;
            self.template.ttl = job.ttl;
        }
    }

    fn finish(&mut self, purpose: &Purpose, outcome: Outcome, job_name: Option<String>, note: Note) {
        match purpose {
            Purpose::Period { period, .. } => {
                let verdict = self.verdicts.iter().find(|verdict| verdict.period == *period).cloned();
                if let Some(verdict) = verdict {
                    self.settle(&verdict, outcome, job_name, note);
                }
            }
            Purpose::RunNow(_) => {
                if let Some(run) = &mut self.run_now {
                    run.done = Some(run_now::done(outcome, job_name, note));
                }
            }
        }
    }

    /// The server was asked for a Job by its name. `None`: there is none, or it is not ours.
    pub fn got_created(&mut self, kronjob: &KronJob, purpose: &Purpose, found: Option<&JobView>) {
        match found {
            Some(job) => {
                let text = format!("created Job {}", job.name);
                let note = Note { reason: Reason::SuccessfulCreate, text };
                self.job_was_created(kronjob, job);
                self.finish(purpose, Outcome::Executed, Some(job.name.to_string()), note);
            }
            None => {
                if let Some(attempt) = self.attempt(purpose) {
                    attempt.looked = true;
                }
            }
        }
    }

    /// The Jobs of this KronJob were listed at the server.
    pub fn listed(&mut self, kronjob: &KronJob, jobs: &[JobView]) {
        self.listed = true;
        let Some((purpose, _)) = self.current() else { return };
        let own = || jobs.iter().filter(|job| *job.owner == *kronjob.uid);
        let name = name_of(kronjob, &purpose);
        // The Job that is to be created may be among them: an answer was lost, or the watch lags.
        let found = own().find(|job| match &purpose {
            Purpose::Period { period, .. } => job.period == Some(*period),
            Purpose::RunNow(token) => job.run_now.as_deref() == Some(token) && *job.name == *name,
        });
        if let Some(found) = found {
            self.got_created(kronjob, &purpose, Some(found));
            return;
        }
        let checked = self.check(name);
        checked.complete = true;
        checked.jobs = own().map(CheckedJob::of).collect();
    }

    /// A Job that the cache shows as active was asked for at the server. `None`: it is gone.
    pub fn got_active(&mut self, kronjob: &KronJob, (name, uid): (&str, &str), found: Option<&JobView>) {
        let Some((purpose, _)) = self.current() else { return };
        let state = found.filter(|job| *job.uid == *uid).map_or(JobState::Over, JobState::of);
        let checked = self.check(name_of(kronjob, &purpose));
        checked.jobs.retain(|job| *job.uid != *uid);
        checked.jobs.push(CheckedJob { name: name.into(), uid: uid.into(), state });
    }

    /// An active Job is gone, or going.
    pub fn deleted_active(&mut self, name: &str, uid: &str) {
        let text = format!("deleted Job {name}, which a newer start replaces");
        self.notes.push(Note { reason: Reason::SuccessfulDelete, text });
        let all = self.checked.iter_mut().flat_map(|checked| &mut checked.jobs);
        all.filter(|job| *job.uid == *uid).for_each(|job| job.state = JobState::Ending);
    }

    /// A request on the way to a start failed; it is made again at that millisecond of Unix time. `now` in Unix seconds.
    pub fn held_up(&mut self, kronjob: &KronJob, message: String, now: i64, retry_at: i64) {
        let doomed = self.verdicts.first().is_some_and(|verdict| verdict.doomed.is_some());
        let patience = kronjob.spec.as_ref().ok().map(patience).filter(|_| !doomed);
        if let Some((_, attempt)) = self.current() {
            attempt.failed(message, now, retry_at, patience);
        }
    }

    /// A status is about to be written, with all that is settled.
    pub fn writing(&mut self, status: &KronJobStatus) {
        self.settled.iter_mut().for_each(|settled| settled.sent = true);
        self.ending = std::mem::take(&mut self.ended);
        let claim = status.claim.as_ref().filter(|claim| *claim.holder == *self.holder);
        self.claim_writing = claim.map(|claim| claim.period_id);
        self.scheduling_writing.clone_from(&self.scheduling);
    }

    /// The status was written.
    pub fn written(&mut self) {
        if let Some(claim) = self.claim_writing.take() {
            (self.claim_sent, self.claim_confirmed) = (Some(claim), Some(claim));
        }
        // From now on the condition speaks for itself: another operator may change it.
        if self.scheduling == self.scheduling_writing.take() {
            self.scheduling = None;
        }
        (self.write, self.urgent_write) = Default::default();
        self.notes.append(&mut self.ending);
    }

    /// The server accepted the status and keeps another one, so the next write would be answered alike: not before that
    /// millisecond of Unix time.
    pub fn written_in_vain(&mut self, retry_at: i64) {
        self.write.failed(retry_at);
        self.urgent_write.failed(retry_at);
    }

    /// The status could not be written; not before those milliseconds of Unix time again, of which a start waits for the
    /// second. `uncertain`: it may have been written all the same. `overtaken`: somebody else wrote.
    pub fn not_written(&mut self, uncertain: bool, overtaken: bool, (retry_at, urgent_retry_at): (i64, i64)) {
        let claim = self.claim_writing.take();
        if uncertain {
            self.claim_sent = claim.or(self.claim_sent);
        } else {
            self.settled.iter_mut().for_each(|settled| settled.sent = false);
        }
        if uncertain || overtaken {
            self.claim_confirmed = None;
        }
        self.scheduling_writing = None;
        self.write.failed(retry_at);
        self.urgent_write.failed(urgent_retry_at);
    }

    /// The dry run of a generation's template was answered: it is accepted, with the TTL that its Jobs get, or refused with
    /// a message.
    pub fn dry_run_answered(&mut self, generation: i64, answer: Result<Option<&JobView>, String>) {
        if self.template.generation != generation {
            return;
        }
        self.template.verdict = match answer {
            Ok(job) => {
                self.template.ttl = job.and_then(|job| job.ttl);
                TemplateVerdict::Accepted
            }
            Err(message) => TemplateVerdict::Refused(message),
        };
    }

    /// The dry run of a generation's template has to wait for its turn, until that millisecond of Unix time.
    pub fn dry_run_postponed(&mut self, generation: i64, until: i64) {
        if self.template.generation == generation {
            self.template.backoff.until = until;
        }
    }

    /// The dry run of a generation's template could not be judged. After a few attempts it is not tried again: its periods
    /// will tell.
    pub fn dry_run_failed(&mut self, generation: i64, message: &str, retry_at: Option<i64>) {
        if self.template.generation != generation {
            return;
        }
        let backoff = &mut self.template.backoff;
        backoff.failed(retry_at.unwrap_or_default());
        let failures = backoff.failures;
        if failures == 1 {
            let reason = if retry_at.is_some() { Reason::DryRunDeferred } else { Reason::DryRunFailed };
            self.notes.push(Note { reason, text: format!("the job template could not be tried: {message}") });
        }
        if retry_at.is_none() || failures >= 5 {
            self.template.verdict = TemplateVerdict::Untried(message.to_string());
        }
    }

    /// A finished Job beyond the history limits was deleted, or could not be: not before that millisecond of Unix time again.
    pub fn deleted_finished(&mut self, name: &str, uid: &str, error: Option<&str>, retry_at: i64) {
        match error {
            None => {
                self.deleted.push(uid.into());
                self.history = Default::default();
                self.notes
                    .push(Note { reason: Reason::SuccessfulDelete, text: format!("deleted Job {name}") });
            }
            Some(error) => {
                self.history.failed(retry_at);
                // Reported once.
                if self.history.failures == 1 {
                    let text = format!("Job {name} could not be deleted: {error}");
                    self.notes.push(Note { reason: Reason::FailedDelete, text });
                }
            }
        }
    }

    /// The clock was set: what waits for a time waits no longer.
    pub fn clock_stepped(&mut self) {
        let run_now = self.run_now.iter_mut().map(|run| &mut run.attempt);
        let attempts = self.verdicts.iter_mut().map(|verdict| &mut verdict.attempt).chain(run_now);
        let backoffs = attempts.map(|attempt| &mut attempt.backoff);
        let others = [&mut self.write, &mut self.urgent_write, &mut self.history, &mut self.template.backoff];
        backoffs.chain(others).for_each(|backoff| backoff.until = 0);
    }
}

/// The name of the Job for a purpose.
fn name_of(kronjob: &KronJob, purpose: &Purpose) -> String {
    match purpose {
        Purpose::Period { period, .. } => job_name(&kronjob.key.name, *period),
        Purpose::RunNow(token) => run_now_job_name(&kronjob.key.name, token),
    }
}

impl CheckedJob {
    fn of(job: &JobView) -> CheckedJob {
        CheckedJob { name: job.name.clone(), uid: job.uid.clone(), state: JobState::of(job) }
    }
}
