//! What the answers of the API server teach the memory.

use super::memory::{Active, Attempt, Memory, Note, Read, TemplateVerdict};
use super::run_now;
use super::starting::patience;
use crate::crd::{Outcome, Time};
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
    /// No other request before that millisecond of Unix time; but once more before all is over.
    fn try_again(&mut self, retry_at: i64, last_try: Option<i64>) {
        let over = last_try.filter(|last| self.retry_at < *last);
        self.retry_at = retry_at.min(over.unwrap_or(i64::MAX));
    }
}

/// What a create leaves to be done.
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

    /// The attempt that a consistent read or a deletion is for.
    fn current(&mut self) -> Option<&mut Attempt> {
        match self.verdicts.first_mut() {
            Some(verdict) => Some(&mut verdict.attempt),
            None => self.run_now.as_mut().map(|run| &mut run.attempt),
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
        self.current().map_or(0, |attempt| attempt.failures)
    }

    /// How often writing the status has failed, for back-off.
    pub fn write_failures(&self) -> u32 {
        self.write_failures
    }

    /// How often the dry run of the template has failed, for back-off.
    pub fn verify_failures(&self) -> u32 {
        self.template.failures
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
    pub fn created(&mut self, kronjob: &KronJob, purpose: &Purpose, name: &str, created: Created) {
        self.read = None;
        let what = match purpose {
            Purpose::Period { period, chosen } => format!("period {period}, chosen start {chosen}"),
            Purpose::RunNow(token) => format!("run-now {token}"),
        };
        let missed = |reason, text: String| After::Settled(Outcome::Missed, None, Note { reason, text });
        let last_try = self.last_try(kronjob);
        let Some(attempt) = self.attempt(purpose) else { return };
        attempt.under_way = false;
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
                attempt.failures = attempt.failures.saturating_add(1);
                attempt.uncertain |= uncertain;
                attempt.try_again(retry_at, last_try);
                attempt.error.clone_from(&message);
                let first = attempt.failures == 1;
                self.scheduling_error = Some(Some(format!("Job {name}: {message}")));
                if !passing {
                    missed(Reason::FailedCreate, format!("missed {what}: Job {name} was refused: {message}"))
                } else {
                    if first {
                        let text = format!("{what}: Job {name} could not be created yet: {message}");
                        self.notes.push(Note { reason: Reason::FailedCreate, text });
                    }
                    After::Again
                }
            }
        };
        if let After::Settled(outcome, job_name, note) = after {
            if outcome == Outcome::Executed {
                self.scheduling_error = Some(None);
                if self.template.generation == kronjob.generation {
                    // Better than any dry run.
                    self.template.verdict = TemplateVerdict::Taken;
                }
            }
            self.finish(purpose, outcome, job_name, note);
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
    pub fn looked(&mut self, purpose: &Purpose, found: Option<&JobView>) {
        match found {
            Some(job) => {
                let text = format!("created Job {}", job.name);
                let note = Note { reason: Reason::SuccessfulCreate, text };
                self.scheduling_error = Some(None);
                self.finish(purpose, Outcome::Executed, Some(job.name.to_string()), note);
            }
            None => {
                if let Some(attempt) = self.attempt(purpose) {
                    attempt.looked = true;
                }
            }
        }
    }

    /// The Jobs of this KronJob were read from the server.
    pub fn read(&mut self, kronjob: &KronJob, jobs: Vec<JobView>) {
        let own: Vec<JobView> = jobs.into_iter().filter(|job| *job.owner == *kronjob.uid).collect();
        // The Job that is to be created may be among them: an answer was lost, or the watch lags.
        let purpose = match (self.verdicts.first(), &self.run_now) {
            (Some(verdict), _) => Some(Purpose::Period { period: verdict.period, chosen: verdict.chosen }),
            (None, Some(run)) => Some(Purpose::RunNow(run.token.clone())),
            (None, None) => None,
        };
        let is_for = |job: &&JobView| match &purpose {
            Some(Purpose::Period { period, .. }) => job.period == Some(*period),
            Some(Purpose::RunNow(token)) => job.run_now.as_deref() == Some(token),
            None => false,
        };
        let found = own.iter().find(is_for).cloned();
        if let (Some(purpose), Some(found)) = (&purpose, found) {
            self.looked(purpose, Some(&found));
            return;
        }
        let active = own.into_iter().filter(JobView::is_active).map(|job| Active { job, ending: false });
        self.read = purpose.map(|purpose| Read {
            before: match &purpose {
                Purpose::Period { period, .. } => job_name(&kronjob.key.name, *period),
                Purpose::RunNow(token) => run_now_job_name(&kronjob.key.name, token),
            },
            active: active.collect(),
        });
    }

    /// An active Job is gone, or going.
    pub fn stopped(&mut self, name: &str, uid: &str) {
        let text = format!("deleted Job {name}, which a newer start replaces");
        self.notes.push(Note { reason: Reason::SuccessfulDelete, text });
        let all = self.read.iter_mut().flat_map(|read| &mut read.active);
        all.filter(|active| &*active.job.uid == uid).for_each(|active| active.ending = true);
    }

    /// A request on the way to a start failed; it is made again at that millisecond of Unix time.
    pub fn held_up(&mut self, kronjob: &KronJob, message: String, retry_at: i64) {
        let last_try = self.last_try(kronjob);
        if let Some(attempt) = self.current() {
            attempt.failures = attempt.failures.saturating_add(1);
            attempt.try_again(retry_at, last_try);
            attempt.error = message;
        }
    }

    /// The millisecond of Unix time at which the current start is tried once more, however long its back-off; none for one
    /// that will not be made.
    fn last_try(&self, kronjob: &KronJob) -> Option<i64> {
        if self.verdicts.first().is_some_and(|verdict| verdict.doomed.is_some()) {
            return None;
        }
        let limit = self.due()?.saturating_add(patience(kronjob.spec.as_ref().ok()?));
        Some(limit.saturating_mul(1000))
    }

    /// A write of the status is about to be sent, with all that is settled.
    pub fn writing(&mut self) {
        self.settled.iter_mut().for_each(|settled| settled.sent = true);
        self.ending = std::mem::take(&mut self.ended);
    }

    /// The status was written, with this claim.
    pub fn written(&mut self, claim: Option<Time>) {
        self.holds = claim;
        self.write_failures = 0;
        self.write_at = 0;
        self.urgent_write_at = 0;
        self.notes.append(&mut self.ending);
    }

    /// The server took the status and keeps another one, so the next write would be answered alike: not before that
    /// millisecond of Unix time.
    pub fn written_in_vain(&mut self, retry_at: i64) {
        self.write_failures = self.write_failures.saturating_add(1);
        (self.write_at, self.urgent_write_at) = (retry_at, retry_at);
    }

    /// The status could not be written; not before those milliseconds of Unix time again, of which a start waits for the
    /// second. `uncertain`: it may have been written all the same. `overtaken`: somebody else wrote.
    pub fn not_written(&mut self, uncertain: bool, overtaken: bool, (retry_at, urgent_retry_at): (i64, i64)) {
        if !uncertain {
            self.settled.iter_mut().for_each(|settled| settled.sent = false);
        }
        if uncertain || overtaken {
            self.holds = None;
        }
        self.write_failures = self.write_failures.saturating_add(1);
        self.write_at = retry_at;
        self.urgent_write_at = urgent_retry_at;
    }

    /// The dry run of a generation's template was answered: it is taken, or refused with a message.
    pub fn verified(&mut self, generation: i64, refused: Option<String>) {
        if self.template.generation == generation {
            self.template.verdict = refused.map_or(TemplateVerdict::Taken, TemplateVerdict::Refused);
        }
    }

    /// The dry run of a generation's template could not be judged. After a few attempts it is not tried again: its periods
    /// will tell.
    pub fn not_verified(&mut self, generation: i64, message: &str, retry_at: Option<i64>) {
        if self.template.generation != generation {
            return;
        }
        self.template.failures = self.template.failures.saturating_add(1);
        if self.template.failures == 1 {
            let reason = if retry_at.is_some() { Reason::DryRunDeferred } else { Reason::DryRunFailed };
            self.notes.push(Note { reason, text: format!("the job template could not be tried: {message}") });
        }
        match retry_at {
            Some(retry_at) if self.template.failures < 5 => self.template.retry_at = retry_at,
            _ => self.template.verdict = TemplateVerdict::Untried(message.to_string()),
        }
    }

    /// A finished Job beyond the history limits was deleted, or could not be: not before that millisecond of Unix time again.
    pub fn cleaned(&mut self, name: &str, uid: &str, error: Option<&str>, retry_at: i64) {
        match error {
            None => {
                self.deleted.push(uid.into());
                self.clean_at = 0;
                self.notes
                    .push(Note { reason: Reason::SuccessfulDelete, text: format!("deleted Job {name}") });
            }
            Some(error) => {
                // Not a moment later again, and not told each time.
                let first = self.clean_at == 0;
                self.clean_at = retry_at;
                if !first {
                    return;
                }
                let text = format!("Job {name} could not be deleted: {error}");
                self.notes.push(Note { reason: Reason::FailedDelete, text });
            }
        }
    }

    /// The clock was set: what waits for a time waits no longer.
    pub fn clock_stepped(&mut self) {
        self.write_at = 0;
        self.urgent_write_at = 0;
        // Not 0, which says that no deletion has failed.
        self.clean_at = self.clean_at.min(1);
        self.template.retry_at = 0;
        self.verdicts.iter_mut().for_each(|verdict| verdict.attempt.retry_at = 0);
        if let Some(run) = &mut self.run_now {
            run.attempt.retry_at = 0;
        }
    }
}
