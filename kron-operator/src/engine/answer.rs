//! What the answers to requests mean: which objects they show, what is observed, and which request follows.
//!
//! No request is made here and no clock is read, so a check of every interleaving gives answers the same meaning as the
//! engine.

use std::fmt;

use kron_crd::{KronJobStatus, Time};
use kron_host::{StartAnswer, Trigger};

use crate::client::Failure;
use crate::object::{JobView, KronJobView};
use crate::plan::{Deleted, Failures, Observation, PrimerCreated};

/// Why there is no good answer: what it means, and a sentence for users.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Refusal {
    /// What it means.
    pub failure: Failure,
    /// The sentence.
    pub message: String,
}

/// What a request was answered.
pub type Answer<T> = Result<T, Refusal>;

/// The same, borrowed.
pub type Answered<'a, T> = Result<T, &'a Refusal>;

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

/// A request that follows from an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FollowUp {
    /// Get the Job whose name was taken: it may be the one that was to be created.
    GetJob,
    /// Get the KronJob: there is a newer version, or may be.
    GetKronJob,
}

/// What an answer adds to the [`State`](super::state::State).
#[derive(Clone, Debug)]
pub enum Entry<'a> {
    /// A Job that exists. The watch may have shown it already, or its end.
    Job(JobView),
    /// A version of the KronJob.
    KronJob(KronJobView),
    /// The KronJob of its name that there is now, if there is one.
    Found(Option<KronJobView>),
    /// What became of the request.
    Observed(Observation<'a>),
}

/// What an answer means.
#[derive(Clone, Debug)]
pub struct Meaning<'a> {
    /// What is entered, in this order.
    pub entries: Vec<Entry<'a>>,
    /// The request that follows, before any other one of its lane.
    pub follow_up: Option<FollowUp>,
    /// The failure to count.
    pub failure: Option<Failure>,
}

/// Says what answers mean to a process, by what it knows when they arrive.
pub struct Interpreter<'a> {
    /// The KronJob, as it was when the request was planned.
    pub kronjob: &'a KronJobView,
    /// How often requests have failed in a row before.
    pub failures: Failures,
    /// Whether the start that is being made is late.
    pub late: bool,
    /// The millisecond of Unix time at which a request is made again, after so many failures before this one.
    pub retry_at: &'a dyn Fn(u32, Pace, Failure) -> i64,
}

impl fmt::Debug for Interpreter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Interpreter { kronjob, failures, late, retry_at: _ } = self;
        f.debug_struct("Interpreter")
            .field("kronjob", &kronjob.key)
            .field("failures", failures)
            .field("late", late)
            .finish_non_exhaustive()
    }
}

impl<'a> From<Observation<'a>> for Meaning<'a> {
    fn from(observation: Observation<'a>) -> Meaning<'a> {
        Meaning { entries: vec![Entry::Observed(observation)], follow_up: None, failure: None }
    }
}

impl Meaning<'_> {
    fn of_failure(self, failure: Failure) -> Self {
        Meaning { failure: Some(failure), ..self }
    }
}

/// After so many conflicts in a row, a status is not written again at once: something else keeps writing it.
const CONFLICTS: u32 = 5;
/// The back-off of deletions of finished Jobs begins as if so many had failed, as nothing waits for them.
const HISTORY_FAILURES: u32 = 3;
/// The same for a status that the server stored differently from what was sent.
const ALTERED_FAILURES: u32 = 3;

impl Interpreter<'_> {
    /// The answer to the create of a Job.
    pub fn created<'m>(&self, trigger: &'m Trigger, answer: Answered<'m, &JobView>) -> Meaning<'m> {
        let refusal = match answer {
            Ok(job) => return exists(trigger, job),
            Err(refusal) => refusal,
        };
        let answer = match refusal.failure {
            Failure::AlreadyExists => {
                let failure = Some(refusal.failure);
                return Meaning { entries: Vec::new(), follow_up: Some(FollowUp::GetJob), failure };
            }
            Failure::NamespaceTerminating => StartAnswer::Closed,
            failure => StartAnswer::Failed {
                error: refusal.message.clone(),
                uncertain: !failure.not_executed(),
                retry_at: failure.passing().then(|| self.retry_start_at(failure)),
            },
        };
        Meaning::from(Observation::Created { trigger, answer: Err(answer) }).of_failure(refusal.failure)
    }

    /// The answer to the get of the Job whose name was taken.
    pub fn got_existing<'m>(
        &self,
        trigger: &'m Trigger,
        answer: Answered<'m, Option<&'m JobView>>,
    ) -> Meaning<'m> {
        let answer = match answer {
            Ok(Some(job)) if self.owns(job) => return exists(trigger, job),
            Ok(Some(_)) => StartAnswer::NameTaken,
            Ok(None) => StartAnswer::Removed,
            // As long as it exists, another create does no harm.
            Err(refusal) => StartAnswer::Failed {
                error: format!("it exists, but could not be read: {}", refusal.message),
                uncertain: true,
                retry_at: Some(self.retry_start_at(refusal.failure)),
            },
        };
        Observation::Created { trigger, answer: Err(answer) }.into()
    }

    /// The answer to the dry run before a create that repeats another one.
    pub fn tried_again<'m>(
        &self,
        generation: i64,
        trigger: &'m Trigger,
        answer: Answered<'m, &'m JobView>,
    ) -> Meaning<'m> {
        let job = match answer {
            Ok(job) => Some(job),
            Err(refusal) => match refusal.failure {
                Failure::Ambiguous | Failure::Refused | Failure::TooManyRequests { .. } => {
                    return self.start_delayed(refusal);
                }
                // The create is answered alike: the Job exists, or is refused. Or a webhook allows no dry run.
                Failure::Conflict
                | Failure::AlreadyExists
                | Failure::NotFound
                | Failure::Invalid
                | Failure::Forbidden
                | Failure::NamespaceTerminating
                | Failure::Other => None,
            },
        };
        Observation::TriedAgain { generation, trigger, job }.into()
    }

    /// The answer to the get of a Job that may have been created.
    pub fn looked_up<'m>(
        &self,
        trigger: &'m Trigger,
        answer: Answered<'m, Option<&'m JobView>>,
    ) -> Meaning<'m> {
        match answer {
            Ok(job) => Observation::LookedUp { trigger, job: self.own(job) }.into(),
            Err(refusal) => self.start_delayed(refusal),
        }
    }

    /// The answer to the get of a Job that is shown as active.
    pub fn checked<'m>(
        &self,
        name: &'m str,
        uid: &'m str,
        answer: Answered<'m, Option<&'m JobView>>,
    ) -> Meaning<'m> {
        match answer {
            Ok(job) => Observation::Checked { name, uid, job: self.own(job) }.into(),
            Err(refusal) => self.start_delayed(refusal),
        }
    }

    /// The answer to the list of the Jobs.
    pub fn listed<'m>(&self, answer: Answered<'m, &'m [JobView]>) -> Meaning<'m> {
        match answer {
            Ok(jobs) => Observation::Listed(jobs).into(),
            Err(refusal) => self.start_delayed(refusal),
        }
    }

    /// The answer to the delete of a Job.
    pub fn deleted<'m>(
        &self,
        what: Deleted,
        name: &'m str,
        uid: &'m str,
        answer: Answered<'m, ()>,
    ) -> Meaning<'m> {
        let refusal = match answer {
            // It is gone, and maybe another one has its name.
            Ok(()) | Err(Refusal { failure: Failure::NotFound | Failure::Conflict, .. }) => {
                return Observation::Deleted { what, name, uid }.into();
            }
            Err(refusal) => refusal,
        };
        let failures = match what {
            Deleted::Active => return self.start_delayed(refusal),
            Deleted::Finished => HISTORY_FAILURES,
            Deleted::Primer => self.failures.delete_primer,
        };
        let Refusal { failure, message: error } = refusal;
        let retry_at = (self.retry_at)(failures, Pace::Other, *failure);
        let of_primers = what == Deleted::Primer;
        Meaning::from(Observation::NotDeleted { of_primers, name, error, retry_at }).of_failure(*failure)
    }

    /// A request on the way to a start failed, or the read of the template before it.
    pub fn start_delayed<'m>(&self, refusal: &'m Refusal) -> Meaning<'m> {
        let retry_at = self.retry_start_at(refusal.failure);
        let observation = Observation::StartDelayed { error: &refusal.message, retry_at };
        Meaning::from(observation).of_failure(refusal.failure)
    }

    /// The answer to an update of the status: the KronJob as the server keeps it.
    pub fn status_written<'m>(
        &self,
        status: &KronJobStatus,
        answer: Answered<'_, &KronJobView>,
    ) -> Meaning<'m> {
        let failures = self.failures.write;
        match answer {
            Ok(kept) => {
                let mut entries =
                    vec![Entry::KronJob(kept.clone()), Entry::Observed(Observation::StatusWritten)];
                if kept.status.as_ref() != Ok(status) {
                    let retry_at =
                        (self.retry_at)(failures.max(ALTERED_FAILURES), Pace::Other, Failure::Other);
                    entries.push(Entry::Observed(Observation::StatusAltered { retry_at }));
                }
                Meaning { entries, follow_up: None, failure: None }
            }
            Err(Refusal { failure, .. }) => {
                // A conflict means that a newer version exists. It is fetched, and the next write follows at once.
                let overtaken = matches!(failure, Failure::Conflict);
                let uncertain = !failure.not_executed();
                let (retry_at, urgent_retry_at) = if overtaken && failures < CONFLICTS {
                    (0, 0)
                } else {
                    let retry_at = |pace| (self.retry_at)(failures, pace, *failure);
                    (retry_at(Pace::Other), retry_at(Pace::Urgent))
                };
                let observation =
                    Observation::StatusNotWritten { uncertain, overtaken, retry_at, urgent_retry_at };
                let follow_up = (overtaken || uncertain).then_some(FollowUp::GetKronJob);
                Meaning { follow_up, ..Meaning::from(observation).of_failure(*failure) }
            }
        }
    }

    /// The answer to the dry run of a template.
    pub fn dry_run<'m>(&self, generation: i64, answer: Answered<'m, &'m JobView>) -> Meaning<'m> {
        let answer = match answer {
            Ok(job) => Ok(Some(job)),
            Err(refusal) => match refusal.failure {
                // A Job of that name exists, so the template was accepted before.
                Failure::AlreadyExists => Ok(None),
                Failure::Invalid => Err(refusal.message.clone()),
                _ => return self.dry_run_failed(generation, refusal),
            },
        };
        Observation::DryRunAnswered { generation, answer }.into()
    }

    /// A dry run could not be made, or the template could not be read for it.
    pub fn dry_run_failed<'m>(&self, generation: i64, refusal: &'m Refusal) -> Meaning<'m> {
        let Refusal { failure, message } = refusal;
        let retry_at = (self.retry_at)(self.failures.dry_run, Pace::Other, *failure);
        let retry_at = failure.passing().then_some(retry_at);
        Meaning::from(Observation::DryRunFailed { generation, error: message, retry_at }).of_failure(*failure)
    }

    /// The answer to the create of a primer.
    pub fn primer_created<'m>(
        &self,
        period: Time,
        name: &'m str,
        answer: Answered<'_, &JobView>,
    ) -> Meaning<'m> {
        match answer {
            Ok(job) => {
                // The plan knows it at once, before the watch shows it.
                let observation = Observation::PrimerCreated { period, name, answer: PrimerCreated::Ours };
                let entries = vec![Entry::Job(job.clone()), Entry::Observed(observation)];
                Meaning { entries, follow_up: None, failure: None }
            }
            Err(Refusal { failure: Failure::AlreadyExists, .. }) => {
                Meaning { entries: Vec::new(), follow_up: Some(FollowUp::GetJob), failure: None }
            }
            Err(refusal) => {
                // A request is sent again only if it was certainly not carried out.
                let again = refusal.failure.passing() && refusal.failure.not_executed();
                self.primer_not_created(period, name, refusal, again)
            }
        }
    }

    /// The answer to the get of the Job that has the name of a primer.
    pub fn got_existing_primer<'m>(
        &self,
        period: Time,
        name: &'m str,
        answer: Answered<'_, Option<&JobView>>,
    ) -> Meaning<'m> {
        let answer = match answer {
            Ok(job) if self.own(job).is_some() => PrimerCreated::Ours,
            Ok(_) => PrimerCreated::Taken,
            Err(refusal) => PrimerCreated::Failed { retry_at: None, message: refusal.message.clone() },
        };
        Observation::PrimerCreated { period, name, answer }.into()
    }

    /// The template of a primer could not be read.
    pub fn primer_delayed<'m>(&self, period: Time, name: &'m str, refusal: &Refusal) -> Meaning<'m> {
        self.primer_not_created(period, name, refusal, refusal.failure.passing())
    }

    fn primer_not_created<'m>(
        &self,
        period: Time,
        name: &'m str,
        refusal: &Refusal,
        again: bool,
    ) -> Meaning<'m> {
        let Refusal { failure, message } = refusal;
        let retry_at = again.then(|| (self.retry_at)(self.failures.create_primer, Pace::Other, *failure));
        let answer = PrimerCreated::Failed { retry_at, message: message.clone() };
        Meaning::from(Observation::PrimerCreated { period, name, answer }).of_failure(*failure)
    }

    fn retry_start_at(&self, failure: Failure) -> i64 {
        let pace = if self.late { Pace::LateStart } else { Pace::Start };
        (self.retry_at)(self.failures.start, pace, failure)
    }

    fn owns(&self, job: &JobView) -> bool {
        *job.owner == *self.kronjob.uid
    }

    /// The Job, if it is one of this KronJob.
    fn own<'m>(&self, job: Option<&'m JobView>) -> Option<&'m JobView> {
        job.filter(|job| self.owns(job))
    }
}

/// The answer to the get of a KronJob. Where it fails, the watch brings the KronJob.
pub fn got_kronjob(answer: Answered<'_, Option<&KronJobView>>) -> Meaning<'static> {
    let entries = answer.into_iter().map(|found| Entry::Found(found.cloned())).collect();
    Meaning { entries, follow_up: None, failure: None }
}

/// The Job of a create exists.
fn exists<'m>(trigger: &'m Trigger, job: &JobView) -> Meaning<'m> {
    let observation = Observation::Created { trigger, answer: Ok(Box::new(job.clone())) };
    // The status names it at once, before the watch shows it.
    let entries = vec![Entry::Job(job.clone()), Entry::Observed(observation)];
    Meaning { entries, follow_up: None, failure: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::time::Duration;

    use serde_json::json;

    fn kronjob(status: KronJobStatus) -> KronJobView {
        let manifest = json!({"metadata": {"name": "db", "namespace": "prod", "uid": "k"}, "spec": {}});
        let read = KronJobView::read(&serde_json::from_value(manifest).unwrap(), &kron_core::Parser::new());
        KronJobView { status: Ok(status), ..read }
    }

    fn job(owner: &str) -> JobView {
        let owners = json!([{"apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "name": "db", "uid": owner,
            "controller": true}]);
        let metadata = json!({"name": "db-x", "namespace": "prod", "uid": "j", "ownerReferences": owners});
        JobView::read(&serde_json::from_value(json!({"metadata": metadata})).unwrap())
    }

    fn refused(failure: Failure) -> Refusal {
        Refusal { failure, message: failure.code().to_string() }
    }

    const ALL: [Failure; 10] = [
        Failure::Conflict,
        Failure::AlreadyExists,
        Failure::NotFound,
        Failure::Invalid,
        Failure::Forbidden,
        Failure::NamespaceTerminating,
        Failure::TooManyRequests { retry_after: Some(Duration::from_secs(3)) },
        Failure::Refused,
        Failure::Ambiguous,
        Failure::Other,
    ];

    /// What an interpreter says whose requests are made again after as many milliseconds as they have failed before, 1000 times
    /// as many if no start waits for them, and 100 times as many if a late one does.
    fn interpret<T>(failures: u32, late: bool, say: impl FnOnce(&Interpreter<'_>) -> T) -> T {
        let kronjob = kronjob(KronJobStatus::default());
        let failures = Failures {
            start: failures,
            write: failures,
            dry_run: failures,
            create_primer: failures,
            delete_primer: failures,
        };
        let retry_at = |failures: u32, pace, _| match pace {
            Pace::Urgent | Pace::Start => i64::from(failures),
            Pace::LateStart => i64::from(failures) * 100,
            Pace::Other => i64::from(failures) * 1000,
        };
        say(&Interpreter { kronjob: &kronjob, failures, late, retry_at: &retry_at })
    }

    /// The names of what is entered, the request that follows, and whether a failure is counted.
    fn summary(meaning: &Meaning<'_>) -> String {
        let entries = meaning.entries.iter().map(|entry| match entry {
            Entry::Job(job) => format!("Job {}", job.name),
            Entry::KronJob(_) => "KronJob".to_string(),
            Entry::Found(found) => format!("Found {}", found.is_some()),
            Entry::Observed(Observation::Created { answer: Ok(_), .. }) => "Ours".to_string(),
            Entry::Observed(Observation::Created { answer: Err(answer), .. }) => format!("{answer:?}"),
            Entry::Observed(Observation::PrimerCreated { answer, .. }) => format!("primer {answer:?}"),
            Entry::Observed(observation) => format!("{observation:?}"),
        });
        let follow_up = meaning.follow_up.iter().map(|follow_up| format!("then {follow_up:?}"));
        let failure = meaning.failure.iter().map(|failure| format!("counted {}", failure.code()));
        entries.chain(follow_up).chain(failure).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn a_create_is_repeated_only_after_a_failure_that_passes() {
        let trigger = Trigger::RunNow { token: "x".into() };
        let created = |answer: Answer<JobView>| {
            interpret(2, false, |interpreter| summary(&interpreter.created(&trigger, answer.as_ref())))
        };
        assert_eq!(created(Ok(job("k"))), "Job db-x, Ours");
        for failure in ALL {
            let (retry_at, uncertain) = (failure.passing().then_some(2), failure == Failure::Ambiguous);
            let code = failure.code();
            let expected = match failure {
                Failure::AlreadyExists => "then GetJob, counted already_exists".to_string(),
                Failure::NamespaceTerminating => "Closed, counted namespace_terminating".to_string(),
                _ => format!(
                    "Failed {{ error: {code:?}, uncertain: {uncertain}, retry_at: {retry_at:?} }}, counted {code}"
                ),
            };
            assert_eq!(created(Err(refused(failure))), expected);
        }
        let late = interpret(2, true, |interpreter| {
            summary(&interpreter.created(&trigger, Err(&refused(Failure::Refused))))
        });
        assert!(late.contains("retry_at: Some(200)"), "{late}");
    }

    #[test]
    fn a_name_that_is_taken_is_ours_by_the_owner_of_the_job() {
        let trigger = Trigger::RunNow { token: "x".into() };
        let got = |answer: Answer<Option<JobView>>| {
            let answer = answer.as_ref().map(Option::as_ref);
            interpret(2, false, |interpreter| summary(&interpreter.got_existing(&trigger, answer)))
        };
        assert_eq!(got(Ok(Some(job("k")))), "Job db-x, Ours");
        assert_eq!(got(Ok(Some(job("other")))), "NameTaken");
        assert_eq!(got(Ok(None)), "Removed");
        for failure in ALL {
            let read = got(Err(refused(failure)));
            assert!(read.contains("uncertain: true, retry_at: Some(2)"), "{read}");
            assert!(read.contains("it exists, but could not be read: "), "{read}");
        }
        let primer = |job: Option<&JobView>| {
            interpret(0, false, |interpreter| {
                summary(&interpreter.got_existing_primer(Time(0), "db-x", Ok(job)))
            })
        };
        assert_eq!(primer(Some(&job("k"))), "primer Ours");
        assert_eq!(primer(Some(&job("other"))), "primer Taken");
        assert_eq!(primer(None), "primer Taken");
    }

    #[test]
    fn reads_show_only_jobs_of_the_kronjob() {
        let trigger = Trigger::RunNow { token: "x".into() };
        for (owner, shown) in [("k", true), ("other", false)] {
            let job = job(owner);
            let looked_up =
                interpret(0, false, |interpreter| summary(&interpreter.looked_up(&trigger, Ok(Some(&job)))));
            let checked =
                interpret(0, false, |interpreter| summary(&interpreter.checked("db-x", "j", Ok(Some(&job)))));
            for read in [looked_up, checked] {
                assert_eq!(read.contains("job: Some"), shown, "{read}");
            }
        }
    }

    #[test]
    fn a_job_that_is_gone_or_another_one_is_deleted() {
        for failure in ALL {
            let gone = matches!(failure, Failure::NotFound | Failure::Conflict);
            let refusal = refused(failure);
            let deletions = [Deleted::Active, Deleted::Finished, Deleted::Primer];
            let [active, finished, primer] = interpret(1, false, |interpreter| {
                deletions.map(|what| summary(&interpreter.deleted(what, "db-x", "j", Err(&refusal))))
            });
            for (read, retried) in [(active, "retry_at: 1 "), (finished, "3000"), (primer, "1000")] {
                assert_eq!(read.starts_with("Deleted"), gone, "{read}");
                assert_eq!(read.contains(retried), !gone, "{read}");
                assert_eq!(read.contains("counted"), !gone, "{read}");
            }
        }
    }

    #[test]
    fn a_status_that_was_overtaken_is_written_again_at_once_but_not_for_ever() {
        let status = KronJobStatus::default();
        let written = |failures, failure| {
            interpret(failures, false, |interpreter| {
                summary(&interpreter.status_written(&status, Err(&refused(failure))))
            })
        };
        let at = |at: &str| format!("overtaken: true, {at} }}, then GetKronJob, counted conflict");
        let first = written(CONFLICTS - 1, Failure::Conflict);
        assert!(first.ends_with(&at("retry_at: 0, urgent_retry_at: 0")), "{first}");
        let later = written(CONFLICTS, Failure::Conflict);
        assert!(later.ends_with(&at("retry_at: 5000, urgent_retry_at: 5")), "{later}");
        for failure in ALL {
            let read = written(1, failure);
            assert_eq!(read.contains("uncertain: true"), failure == Failure::Ambiguous, "{read}");
            let fetched = matches!(failure, Failure::Ambiguous | Failure::Conflict);
            assert_eq!(read.contains("then GetKronJob"), fetched, "{read}");
        }
    }

    #[test]
    fn a_status_that_the_server_alters_is_written_again_later() {
        let status = KronJobStatus { observed_generation: Some(1), ..KronJobStatus::default() };
        let written = |kept: KronJobStatus| {
            interpret(0, false, |interpreter| {
                summary(&interpreter.status_written(&status, Ok(&kronjob(kept))))
            })
        };
        assert_eq!(written(status.clone()), "KronJob, StatusWritten");
        let altered = "KronJob, StatusWritten, StatusAltered { retry_at: 3000 }";
        assert_eq!(written(KronJobStatus::default()), altered);
    }

    #[test]
    fn a_dry_run_says_what_it_can() {
        let trigger = Trigger::RunNow { token: "x".into() };
        for failure in ALL {
            let refusal = refused(failure);
            let [template, again] = interpret(1, false, |interpreter| {
                [interpreter.dry_run(7, Err(&refusal)), interpreter.tried_again(7, &trigger, Err(&refusal))]
                    .map(|meaning| summary(&meaning))
            });
            let expected = match failure {
                Failure::AlreadyExists => "answer: Ok(None)",
                Failure::Invalid => "answer: Err(\"invalid\")",
                _ if failure.passing() => "retry_at: Some(1000)",
                _ => "retry_at: None",
            };
            assert!(template.contains(expected), "{template}");
            let passing =
                matches!(failure, Failure::TooManyRequests { .. } | Failure::Refused | Failure::Ambiguous);
            let expected = if passing { "StartDelayed" } else { "TriedAgain" };
            assert!(again.starts_with(expected), "{again}");
        }
    }

    #[test]
    fn a_primer_is_created_again_only_if_it_certainly_was_not() {
        for failure in ALL.into_iter().filter(|failure| *failure != Failure::AlreadyExists) {
            let refusal = refused(failure);
            let [created, read] = interpret(1, false, |interpreter| {
                [
                    interpreter.primer_created(Time(0), "db-x", Err(&refusal)),
                    interpreter.primer_delayed(Time(0), "db-x", &refusal),
                ]
                .map(|meaning| summary(&meaning))
            });
            let again = failure.passing() && failure != Failure::Ambiguous;
            assert_eq!(created.contains("retry_at: Some(1000)"), again, "{created}");
            assert_eq!(read.contains("retry_at: Some(1000)"), failure.passing(), "{read}");
        }
    }

    #[test]
    fn a_kronjob_that_is_gone_is_forgotten_and_one_that_cannot_be_read_is_not() {
        assert_eq!(summary(&got_kronjob(Ok(None))), "Found false");
        assert_eq!(summary(&got_kronjob(Ok(Some(&kronjob(KronJobStatus::default()))))), "Found true");
        assert_eq!(summary(&got_kronjob(Err(&refused(Failure::Ambiguous)))), "");
    }
}
