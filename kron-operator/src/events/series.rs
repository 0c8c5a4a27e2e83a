//! Which pending Events become Events of their own and which are repeats of one.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hasher};
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use hashlink::LruCache;
use k8s_openapi::api::core::v1::ObjectReference;
use k8s_openapi::api::events::v1::Event;
use kron_crd::text::first_bytes;
use kron_formats::audit::MissCause;
use kron_formats::names::annotations_of;
use kube::api::ObjectMeta;
use serde_json::{Value, json};
use siphasher::sip128::{Hasher128, SipHasher24};
use tokio::time::Instant;

use crate::clock::micro_time;
use crate::object;
use crate::plan::{Message, PeriodResult};

/// The controller that Events name.
pub const CONTROLLER: &str = "kron.io/kron-operator";

/// An Event that comes again within this time is a repeat.
const WINDOW: Duration = Duration::from_secs(6 * 60);
/// How many Events are remembered.
const REMEMBERED: usize = 10_000;
/// As long as the name of an object may be.
const NAME_BYTES: usize = 253;

/// An Event that is to be written.
#[derive(Clone, Debug, PartialEq)]
pub struct PendingEvent {
    /// The KronJob.
    pub kronjob: object::Key,
    /// Its UID.
    pub uid: Arc<str>,
    /// What the Event says; what is over 1024 bytes is cut.
    pub message: Message,
    /// When it happened.
    pub time: DateTime<Utc>,
}

/// The Events of the last minutes, and older ones as long as there are few.
#[derive(Debug)]
pub(super) struct Series {
    instance: String,
    /// Distinguishes Events that two processes made in the same microsecond.
    suffix: String,
    last_micros: i64,
    recent: LruCache<Key, Recent>,
}

/// Hash of object, reason and note: a note may have 1024 bytes.
type Key = u64;

#[derive(Debug)]
struct Recent {
    name: String,
    count: i32,
    last: Instant,
}

/// What to send.
#[derive(Clone, Debug)]
pub(super) struct Post {
    key: Key,
    /// Name of the Event.
    pub(super) name: String,
    /// How many there are now.
    pub(super) count: i32,
    /// A new Event, or nothing for a repeat.
    pub(super) created: Option<Box<Event>>,
}

impl Series {
    pub(super) fn new(instance: &str) -> Series {
        let mut hasher = SipHasher24::new();
        hasher.write(instance.as_bytes());
        let suffix = format!("{:04x}", hasher.finish128().as_u128() as u16);
        Series {
            instance: if instance.is_empty() { "kron-operator".to_string() } else { instance.to_string() },
            suffix,
            last_micros: i64::MIN,
            recent: LruCache::new(REMEMBERED),
        }
    }

    /// What to send for a pending Event. Nothing is remembered until it is [`Series::posted`].
    pub(super) fn post(&mut self, pending: &PendingEvent, now: Instant) -> Post {
        let key = key(pending);
        let is_recent = |recent: &&Recent| now.saturating_duration_since(recent.last) <= WINDOW;
        match self.recent.get(&key).filter(is_recent) {
            Some(Recent { name, count, .. }) => {
                Post { key, name: name.clone(), count: count.saturating_add(1), created: None }
            }
            None => {
                let name = self.name(pending);
                let created = Some(Box::new(self.event(&name, pending)));
                Post { key, name, count: 1, created }
            }
        }
    }

    /// Remembers that the API server has it.
    pub(super) fn posted(&mut self, Post { key, name, count, .. }: Post, now: Instant) {
        self.recent.insert(key, Recent { name, count, last: now });
    }

    /// Remembers that an Event is not there any more.
    pub(super) fn forget(&mut self, post: &Post) {
        self.recent.remove(&post.key);
    }

    fn event(&self, name: &str, pending: &PendingEvent) -> Event {
        let PendingEvent { kronjob, uid, message, time } = pending;
        let Message { reason, note, period } = message;
        let text = |text: &str| Some(text.to_string());
        Event {
            metadata: ObjectMeta {
                namespace: text(&kronjob.namespace),
                name: text(name),
                annotations: period.map(|PeriodResult { period, outcome, cause }| {
                    annotations_of(period.0, outcome, cause.map(MissCause::as_str)).into_iter().collect()
                }),
                ..ObjectMeta::default()
            },
            event_time: Some(micro_time(*time)),
            regarding: Some(ObjectReference {
                api_version: text(kron_formats::kronjob::API_VERSION),
                kind: text(kron_formats::kronjob::KIND),
                namespace: text(&kronjob.namespace),
                name: text(&kronjob.name),
                uid: text(uid),
                ..ObjectReference::default()
            }),
            reason: text(reason.as_str()),
            action: text(reason.action()),
            note: text(note),
            type_: text(reason.event_type()),
            reporting_controller: text(CONTROLLER),
            reporting_instance: Some(self.instance.clone()),
            ..Event::default()
        }
    }

    /// `<name>.<microseconds><process>`, where no two Events of a process have the same microseconds.
    fn name(&mut self, pending: &PendingEvent) -> String {
        self.last_micros = pending.time.timestamp_micros().max(self.last_micros.saturating_add(1));
        let end = format!(".{:x}{}", self.last_micros, self.suffix);
        let kept = first_bytes(&pending.kronjob.name, NAME_BYTES - end.len()).trim_end_matches(['.', '-']);
        format!("{kept}{end}")
    }
}

/// What a repeat changes.
pub(super) fn repeat(count: i32, time: DateTime<Utc>) -> Value {
    json!({"series": {"count": count, "lastObservedTime": micro_time(time)}})
}

/// Known to this process only, so another version of the operator may hash otherwise.
fn key(pending: &PendingEvent) -> Key {
    let PendingEvent { kronjob, uid, message, .. } = pending;
    let hasher = BuildHasherDefault::<DefaultHasher>::default();
    hasher.hash_one((kronjob, uid, message.reason, &message.note))
}

#[cfg(test)]
mod tests {
    use kron_crd::{Outcome, Time};

    use super::*;
    use kron_crd::reason::Reason;

    fn event(name: &str, text: &str) -> PendingEvent {
        let time = DateTime::from_timestamp(1_772_323_200, 0).unwrap();
        let message = Message::new(Reason::MissSchedule, text);
        PendingEvent {
            kronjob: crate::object::Key::new("here", name),
            uid: format!("uid-{name}").into(),
            message,
            time,
        }
    }

    fn send(series: &mut Series, pending: &PendingEvent, now: Instant) -> Post {
        let post = series.post(pending, now);
        series.posted(post.clone(), now);
        post
    }

    fn created(post: &Post) -> &Event {
        post.created.as_ref().unwrap_or_else(|| panic!("{post:?}"))
    }

    #[tokio::test(start_paused = true)]
    async fn an_event_has_every_field_that_the_server_wants() {
        let mut series = Series::new("kron-operator-abc");
        let event = serde_json::to_value(created(&series.post(&event("a", "late"), Instant::now()))).unwrap();
        let name = event["metadata"]["name"].as_str().unwrap();
        let end = name.strip_prefix("a.").unwrap();
        assert!(end.len() > 10 && end.chars().all(|c| c.is_ascii_hexdigit()), "{name}");
        let wanted = json!({
            "apiVersion": "events.k8s.io/v1",
            "kind": "Event",
            "metadata": {"namespace": "here", "name": name},
            "eventTime": "2026-03-01T00:00:00.000000Z",
            "regarding": {"apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "namespace": "here", "name": "a",
                "uid": "uid-a"},
            "reason": "MissSchedule",
            "action": "Schedule",
            "note": "late",
            "type": "Warning",
            "reportingController": "kron.io/kron-operator",
            "reportingInstance": "kron-operator-abc",
        });
        assert_eq!(event, wanted);
    }

    #[tokio::test(start_paused = true)]
    async fn annotations_say_what_became_of_a_period() {
        let result = |cause| PeriodResult { period: Time(1_772_323_200), outcome: Outcome::Missed, cause };
        let annotations = |event: PendingEvent| {
            created(&Series::new("i").post(&event, Instant::now())).metadata.annotations.clone()
        };
        let mut missed = event("a", "late");
        missed.message.period = Some(result(Some(MissCause::Deadline)));
        let about = annotations(missed).unwrap();
        let wanted = json!({
            "kron.io/period-id": "20260301T000000Z", "kron.io/outcome": "missed", "kron.io/cause": "deadline",
        });
        assert_eq!(json!(about), wanted);
        assert_eq!(annotations(event("a", "late")), None);
    }

    #[tokio::test(start_paused = true)]
    async fn repeats_within_six_minutes_are_a_series() {
        let mut series = Series::new("i");
        let start = Instant::now();
        let first = send(&mut series, &event("a", "late"), start);
        let name = created(&first).metadata.name.clone().unwrap();
        let mut now = start;
        for count in 2..5 {
            now += WINDOW;
            let post = send(&mut series, &event("a", "late"), now);
            assert_eq!((&post.name, post.count, post.created.is_none()), (&name, count, true));
        }
        let series_of = json!({"series": {"count": 7, "lastObservedTime": "2026-03-01T00:00:00.000000Z"}});
        assert_eq!(repeat(7, event("a", "late").time), series_of);
        now += WINDOW + Duration::from_nanos(1);
        let second = send(&mut series, &event("a", "late"), now);
        assert_ne!(created(&second).metadata.name.as_ref(), Some(&name));
    }

    #[tokio::test(start_paused = true)]
    async fn other_objects_reasons_and_texts_are_other_events() {
        let mut series = Series::new("i");
        let now = Instant::now();
        let mut other_reason = event("a", "late");
        other_reason.message.reason = Reason::FailedCreate;
        let mut other_uid = event("a", "late");
        other_uid.uid = "another".into();
        let mut names = std::collections::BTreeSet::new();
        for pending in [event("a", "late"), event("b", "late"), event("a", "later"), other_reason, other_uid]
        {
            names.insert(created(&send(&mut series, &pending, now)).metadata.name.clone());
        }
        assert_eq!(names.len(), 5);
    }

    #[tokio::test(start_paused = true)]
    async fn what_was_not_posted_or_is_gone_is_not_repeated() {
        let mut series = Series::new("i");
        let now = Instant::now();
        created(&series.post(&event("a", "late"), now));
        created(&send(&mut series, &event("a", "late"), now));
        let repeat = series.post(&event("a", "late"), now);
        assert_eq!((repeat.count, repeat.created.is_none()), (2, true));
        series.forget(&repeat);
        created(&series.post(&event("a", "late"), now));
    }

    #[tokio::test(start_paused = true)]
    async fn memory_is_bounded() {
        let mut series = Series::new("i");
        let now = Instant::now();
        for number in 0..REMEMBERED + 500 {
            send(&mut series, &event("a", &number.to_string()), now);
        }
        assert_eq!(series.recent.len(), REMEMBERED);
    }

    #[tokio::test(start_paused = true)]
    async fn names_are_subdomains_and_differ_between_processes() {
        let long = event(&format!("{}.-{}", "a".repeat(230), "b".repeat(20)), "late");
        let one = created(&Series::new("one").post(&long, Instant::now())).metadata.name.clone().unwrap();
        let two = created(&Series::new("two").post(&long, Instant::now())).metadata.name.clone().unwrap();
        assert_ne!(one, two);
        assert!(one.len() <= 253 && !one.contains("-.") && !one.contains(".."), "{one}");
    }
}
