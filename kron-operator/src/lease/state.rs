//! What to do about a Lease, from what was seen of it: no I/O, no clock but the instants that are passed in.

use std::time::Duration;

use k8s_openapi::api::coordination::v1::{Lease as LeaseObject, LeaseSpec};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::MicroTime;
use k8s_openapi::jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;

use super::config::{DURATION, LeaseConfig, SECONDS};

/// What was seen of the Lease so far.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// The record, and when it was first seen as it is.
    record: Option<(LeaseSpec, Instant)>,
    /// When the object was first seen to be gone.
    gone: Option<Instant>,
    /// Whether we ever sent a record: if not, one that names us is of another process.
    sent: bool,
    /// The tz database of the last holder that was not us, as its record identified it.
    tzdb: Option<String>,
}

/// What to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// There is no Lease: create it.
    Create,
    /// It is free, or its holder let it expire: take it.
    Take,
    /// It is ours: renew it.
    Renew,
    /// Another holds it, until this instant at least.
    Wait {
        /// Who.
        holder: String,
        /// When it expires if it is not renewed.
        until: Instant,
    },
}

impl Seen {
    /// What to do about a record that was just read, at an instant after it was read.
    pub(super) fn next(&mut self, config: &LeaseConfig, record: Option<&LeaseObject>, now: Instant) -> Step {
        let (spec, since, step) = match record {
            Some(record) => {
                self.gone = None;
                let spec = record.spec.clone().unwrap_or_default();
                let since = match &self.record {
                    // A renewal always changes the spec; other changes of the object are not renewals.
                    Some((seen, since)) if *seen == spec => *since,
                    _ => now,
                };
                self.record = Some((spec.clone(), since));
                let step = if self.is_ours(config, &spec) { Step::Renew } else { Step::Take };
                (spec, since, step)
            }
            // Somebody may have deleted the Lease that another still counts on.
            None => {
                let spec = self.record.as_ref().map(|(spec, _)| spec.clone()).unwrap_or_default();
                (spec, *self.gone.get_or_insert(now), Step::Create)
            }
        };
        let (holder, until) = (holder(&spec), since + duration(&spec));
        if holder.is_empty() || self.is_ours(config, &spec) || now >= until {
            return step;
        }
        Step::Wait { holder: holder.to_string(), until }
    }

    /// Takes note of the tz database of another holder. Returns it if it is not ours, once for each change: a holder renews
    /// every few seconds. A holder that names none is older than the annotation, and nothing is known of its database.
    pub(super) fn other_tzdb(&mut self, theirs: Option<&String>, ours: &str) -> Option<String> {
        if self.tzdb.as_ref() == theirs {
            return None;
        }
        self.tzdb = theirs.cloned();
        self.tzdb.clone().filter(|theirs| theirs != ours)
    }

    /// Takes note that a record is about to be sent.
    pub(super) fn sends(&mut self) {
        self.sent = true;
    }

    /// Takes note of the record that the server has now.
    pub(super) fn confirms(&mut self, spec: Option<&LeaseSpec>, now: Instant) {
        self.record = spec.map(|spec| (spec.clone(), now));
    }

    /// Whether a record names us, and can be one that we sent.
    pub(super) fn is_ours(&self, config: &LeaseConfig, spec: &LeaseSpec) -> bool {
        self.sent && holder(spec) == config.identity
    }
}

/// For how long a record counts. A holder that gave itself more time gets it.
fn duration(spec: &LeaseSpec) -> Duration {
    let seconds = u64::try_from(spec.lease_duration_seconds.unwrap_or(0)).unwrap_or(0);
    DURATION.max(Duration::from_secs(seconds))
}

fn holder(spec: &LeaseSpec) -> &str {
    spec.holder_identity.as_deref().unwrap_or_default()
}

/// The record to write for a step.
pub(super) fn written(
    config: &LeaseConfig,
    step: Step,
    before: Option<&LeaseSpec>,
    now: Timestamp,
) -> LeaseSpec {
    let before = before.cloned().unwrap_or_default();
    let time = MicroTime(after(before.renew_time.as_ref(), now));
    let (acquire_time, transitions) = match step {
        Step::Renew => (before.acquire_time, before.lease_transitions.unwrap_or(0)),
        // The first holder is not a transition.
        Step::Create => (Some(time.clone()), 0),
        Step::Take | Step::Wait { .. } => {
            (Some(time.clone()), before.lease_transitions.unwrap_or(0).saturating_add(1))
        }
    };
    LeaseSpec {
        holder_identity: Some(config.identity.clone()),
        lease_duration_seconds: Some(SECONDS.into()),
        acquire_time,
        renew_time: Some(time),
        lease_transitions: Some(transitions),
        ..before
    }
}

/// The record of a Lease that its holder gives back.
pub(super) fn released(before: LeaseSpec, now: Timestamp) -> LeaseSpec {
    let time = MicroTime(after(before.renew_time.as_ref(), now));
    LeaseSpec {
        holder_identity: Some(String::new()),
        lease_duration_seconds: Some(1),
        acquire_time: Some(time.clone()),
        renew_time: Some(time),
        ..before
    }
}

/// Now, or the microsecond after the last renewal, because a wall clock may step back: a record that stays the same does not renew.
fn after(last: Option<&MicroTime>, now: Timestamp) -> Timestamp {
    let next = last.and_then(|last| last.0.checked_add(SignedDuration::from_micros(1)).ok());
    next.map_or(now, |next| next.max(now))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(identity: &str) -> LeaseConfig {
        LeaseConfig { identity: identity.to_string(), ..LeaseConfig::new("n", "l", "h") }
    }

    fn record(spec: &LeaseSpec) -> LeaseObject {
        LeaseObject { spec: Some(spec.clone()), ..LeaseObject::default() }
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    #[tokio::test(start_paused = true)]
    async fn a_record_expires_when_it_was_not_seen_to_change() {
        let (one, two) = (config("one"), config("two"));
        let spec = written(&one, Step::Create, None, at(0));
        let (mut seen, start) = (Seen::default(), Instant::now());
        let wait = |from: Instant| Step::Wait { holder: "one".into(), until: from + seconds(15) };
        assert_eq!(seen.next(&two, Some(&record(&spec)), start), wait(start));
        assert_eq!(seen.next(&two, Some(&record(&spec)), start + seconds(14)), wait(start));

        // However old its time claims to be, a changed record counts from when it was seen.
        let renewed = written(&one, Step::Renew, Some(&spec), at(-1000));
        assert_ne!(renewed, spec);
        let later = start + seconds(14);
        assert_eq!(seen.next(&two, Some(&record(&renewed)), later), wait(later));
        let before = later + seconds(15) - Duration::from_nanos(1);
        assert_eq!(seen.next(&two, Some(&record(&renewed)), before), wait(later));
        assert_eq!(seen.next(&two, Some(&record(&renewed)), later + seconds(15)), Step::Take);
    }

    #[tokio::test(start_paused = true)]
    async fn labels_that_change_are_no_renewal() {
        let (one, two) = (config("one"), config("two"));
        let mut object = record(&written(&one, Step::Create, None, at(0)));
        let (mut seen, start) = (Seen::default(), Instant::now());
        seen.next(&two, Some(&object), start);
        object.metadata.resource_version = Some("2".into());
        object.metadata.labels = Some([("a".to_string(), "b".to_string())].into());
        assert_eq!(seen.next(&two, Some(&object), start + seconds(15)), Step::Take);
    }

    #[tokio::test(start_paused = true)]
    async fn a_predecessor_of_the_same_name_is_another() {
        let one = config("one");
        let spec = written(&one, Step::Create, None, at(0));
        let mut seen = Seen::default();
        let now = Instant::now();
        assert!(matches!(seen.next(&one, Some(&record(&spec)), now), Step::Wait { .. }));
        seen.sends();
        assert_eq!(seen.next(&one, Some(&record(&spec)), now), Step::Renew);
    }

    #[tokio::test(start_paused = true)]
    async fn a_longer_duration_of_the_holder_is_respected() {
        let mut spec = written(&config("one"), Step::Create, None, at(0));
        spec.lease_duration_seconds = Some(60);
        let (mut seen, start) = (Seen::default(), Instant::now());
        let two = config("two");
        seen.next(&two, Some(&record(&spec)), start);
        assert!(matches!(seen.next(&two, Some(&record(&spec)), start + seconds(59)), Step::Wait { .. }));
        assert_eq!(seen.next(&two, Some(&record(&spec)), start + seconds(60)), Step::Take);
    }

    #[tokio::test(start_paused = true)]
    async fn a_deleted_lease_of_another_is_waited_for() {
        let (one, two) = (config("one"), config("two"));
        let spec = written(&one, Step::Create, None, at(0));
        let (mut seen, start) = (Seen::default(), Instant::now());
        seen.next(&two, Some(&record(&spec)), start);
        let gone = start + seconds(10);
        let wait = Step::Wait { holder: "one".into(), until: gone + seconds(15) };
        assert_eq!(seen.next(&two, None, gone), wait);
        assert_eq!(seen.next(&two, None, gone + seconds(14)), wait);
        assert_eq!(seen.next(&two, None, gone + seconds(15)), Step::Create);

        let mut own = Seen::default();
        own.sends();
        own.confirms(Some(&spec), start);
        assert_eq!(own.next(&one, None, start), Step::Create);
    }

    #[test]
    fn another_tz_database_is_reported_once_for_each_change() {
        let mut seen = Seen::default();
        let mut reported =
            |theirs: Option<&str>| seen.other_tzdb(theirs.map(str::to_string).as_ref(), "2026e 00");
        assert_eq!(reported(None), None);
        assert_eq!(reported(Some("2026e 00")), None);
        assert_eq!(reported(Some("2026b 11")), Some("2026b 11".to_string()));
        assert_eq!(reported(Some("2026b 11")), None);
        assert_eq!(reported(Some("2026e 22")), Some("2026e 22".to_string()));
        assert_eq!(reported(Some("2026e 00")), None);
        assert_eq!(reported(Some("2026b 11")), Some("2026b 11".to_string()));
    }

    #[test]
    fn transitions_are_counted() {
        let (one, two) = (config("one"), config("two"));
        let first = written(&one, Step::Create, None, at(0));
        assert_eq!(first.lease_transitions, Some(0));
        let renewed = written(&one, Step::Renew, Some(&first), at(5));
        assert_eq!((renewed.lease_transitions, &renewed.acquire_time), (Some(0), &first.acquire_time));
        assert_eq!(renewed.renew_time, Some(MicroTime(at(5))));
        let free = released(renewed, at(6));
        assert_eq!(free.holder_identity.as_deref(), Some(""));
        assert_eq!((free.lease_duration_seconds, free.lease_transitions), (Some(1), Some(0)));
        let taken = written(&two, Step::Take, Some(&free), at(7));
        assert_eq!((taken.lease_transitions, taken.acquire_time), (Some(1), Some(MicroTime(at(7)))));
        assert_eq!(taken.lease_duration_seconds, Some(15));
    }

    #[tokio::test(start_paused = true)]
    async fn free_and_missing_leases_are_taken_at_once() {
        let one = config("one");
        let mut seen = Seen::default();
        assert_eq!(seen.next(&one, None, Instant::now()), Step::Create);
        let free = released(written(&config("two"), Step::Create, None, at(0)), at(1));
        assert_eq!(seen.next(&one, Some(&record(&free)), Instant::now()), Step::Take);
        assert_eq!(seen.next(&one, Some(&LeaseObject::default()), Instant::now()), Step::Take);
    }
}
