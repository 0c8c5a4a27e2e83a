//! The status as it should be.

use kron_crd::reason::Reason;
use kron_crd::{ActiveJob, KronJobStatus};
use kron_host::Record;

use super::messages::Message;
use super::objects::Objects;
use super::observed::Observed;
use super::{conditions, primer};
use crate::planted_bugs::is_planted;

/// The status as it should be, given what is written and the record that the core wants. Without a record the spec cannot be
/// read, and what follows from it is absent, but for a claim that may have been used.
pub(super) fn wanted(
    objects: &Objects<'_>,
    observed: &Observed,
    written: &KronJobStatus,
    record: Option<&Record>,
) -> KronJobStatus {
    let scheduled = objects.scheduled.as_ref().zip(record);
    let unfinished = objects.jobs.iter().filter(|job| job.finished.is_none());
    let mut active: Vec<ActiveJob> =
        unfinished.map(|job| ActiveJob::new(&job.namespace, &job.name, &job.uid)).collect();
    active.sort_by(|one, other| one.name.cmp(&other.name));
    let succeeded = objects.jobs.iter().filter_map(|job| job.finished).filter(|ended| ended.successfully);
    let beyond = KronJobStatus {
        observed_generation: Some(objects.kronjob.generation),
        active,
        last_successful_time: succeeded.map(|ended| ended.time).max().max(written.last_successful_time),
        primer: match scheduled {
            Some((_, record)) => primer::fence(objects, observed, written, record).map(Box::new),
            None => written.primer.clone(),
        },
        conditions: conditions::wanted(objects, observed, written),
        ..KronJobStatus::default()
    };
    let name = &objects.kronjob.key.name;
    let Some((scheduled, record)) = scheduled else {
        let Record { next, claim, .. } = written.record();
        // A claim that may have been used gets an outcome once the spec can be read again, and is never forgotten.
        let used = next.zip(claim).filter(|(next, claim)| {
            next.nominal == claim.nominal
                && next.chosen <= objects.second()
                && !is_planted("unreadable-claim-forgotten")
        });
        let (next, claim) = used.unzip();
        return beyond.with_record(Record { next, claim, ..written.record() }, name);
    };
    let mut status = beyond.with_record(record.clone(), name);
    if record.claim == scheduled.record.claim {
        status.claim.clone_from(&written.claim);
    }
    status
}

/// Whether nothing needs to be written: what is wanted is written, but for entries that are not needed any more. Those go
/// with the next write.
pub(super) fn says_the_same(written: &KronJobStatus, wanted: &KronJobStatus) -> bool {
    let superfluous = wanted.periods.iter().all(|entry| written.periods.contains(entry));
    wanted == written
        || superfluous && *wanted == KronJobStatus { periods: wanted.periods.clone(), ..written.clone() }
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
