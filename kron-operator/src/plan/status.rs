//! The status as it should be.

use kron_host::Record;

use super::messages::Message;
use super::objects::{Objects, View};
use super::record::enter;
use super::{conditions, primer};
use crate::crd::{ActiveJob, KronJobStatus};
use crate::object::JobView;
use crate::reason::Reason;

/// The status as it should be, given what is written and the record that the core wants. Without a record the spec cannot be
/// read, and what follows from it is absent.
pub(super) fn wanted(view: View<'_>, written: &KronJobStatus, record: Option<&Record>) -> KronJobStatus {
    let objects = view.objects;
    let mut status = observed(objects, written);
    if let (Some(scheduled), Some(record)) = (&objects.scheduled, record) {
        enter(record.clone(), &objects.kronjob.key.name, &mut status);
        status.primer = primer::fence(view, written, record).map(Box::new);
        if record.claim == scheduled.record.claim {
            status.claim.clone_from(&written.claim);
        }
    }
    status.conditions = conditions::wanted(view, written);
    status
}

/// What is written, with what the Jobs say. What follows from the spec is absent.
fn observed(objects: &Objects<'_>, written: &KronJobStatus) -> KronJobStatus {
    let mut status = KronJobStatus {
        observed_generation: Some(objects.kronjob.generation),
        active: Vec::new(),
        next_period_id: None,
        next_nominal_time: None,
        next_chosen_time: None,
        claim: None,
        ..written.clone()
    };
    for job in &objects.jobs {
        match job.finished {
            None => status.active.push(active_job(job)),
            Some(finished) if finished.successfully => {
                status.last_successful_time = status.last_successful_time.max(Some(finished.time));
            }
            Some(_) => {}
        }
    }
    status.active.sort_by(|a, b| a.name.cmp(&b.name));
    status
}

/// Whether nothing needs to be written: what is wanted is written, but for entries that are not needed any more. Those go
/// with the next write.
pub(super) fn says_the_same(written: &KronJobStatus, wanted: &KronJobStatus) -> bool {
    let superfluous = wanted.periods.iter().all(|entry| written.periods.contains(entry));
    wanted == written
        || superfluous && *wanted == KronJobStatus { periods: wanted.periods.clone(), ..written.clone() }
}

fn active_job(job: &JobView) -> ActiveJob {
    ActiveJob {
        api_version: "batch/v1".into(),
        kind: "Job".into(),
        namespace: job.namespace.to_string(),
        name: job.name.to_string(),
        uid: job.uid.to_string(),
    }
}

/// What Events say of the Jobs that are not active any more.
pub(super) fn ended(written: &KronJobStatus, wanted: &KronJobStatus, objects: &Objects<'_>) -> Vec<Message> {
    let gone = written.active.iter().filter(|job| wanted.active.iter().all(|other| other.uid != job.uid));
    gone.map(|active| {
        let finished = objects.jobs.iter().find(|job| *job.uid == *active.uid).and_then(|job| job.finished);
        let name = &active.name;
        match finished {
            Some(finished) => {
                let how = if finished.successfully { "Complete" } else { "Failed" };
                let note = format!("saw completed Job {name}, condition {how}");
                Message::new(Reason::SawCompletedJob, note)
            }
            None => Message::new(Reason::MissingJob, format!("Job {name} was active and is gone")),
        }
    })
    .collect()
}
