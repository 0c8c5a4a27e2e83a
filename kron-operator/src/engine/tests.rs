//! The engine on a model of the API server.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use kron_api_model::{Fault, Match, Server, SimulatedClock, Status, Verb};
use kron_crd::custom_resource_definition;
use serde_json::json;
use tokio_util::sync::CancellationToken;
use tracing::field::{Field, Visit};
use tracing::{Metadata, Subscriber, span};

use super::{Engine, Options};
use crate::events::Events;
use crate::lease::Lease;
use crate::metrics::Metrics;
use crate::random::Random;
use crate::telemetry::log_of_this_thread;
use crate::web::Health;

/// A log that looks at the lock of an engine whenever a line is written. A writer may block for as long as nobody reads what it
/// has written.
#[derive(Default)]
struct Log {
    engine: OnceLock<Engine>,
    lines: Mutex<Vec<Line>>,
}

struct Line {
    message: String,
    locked: bool,
}

/// Takes the message of a line.
struct Message<'a>(&'a mut String);

impl Visit for Message<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "message" {
            *self.0 = format!("{value:?}");
        }
    }
}

impl Subscriber for Log {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("kron_operator")
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, event: &tracing::Event<'_>) {
        let mut message = String::new();
        event.record(&mut Message(&mut message));
        let locked = self.engine.get().is_some_and(|engine| engine.shared.state.is_locked());
        self.lines.lock().unwrap().push(Line { message, locked });
    }

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

/// The timers' lane takes the lock of the state, so nothing that can block may be done while it is held.
#[tokio::test(start_paused = true)]
async fn no_line_of_the_log_is_written_under_the_lock_of_the_state() {
    let log = Arc::new(Log::default());
    let _guard = log_of_this_thread(log.clone());
    let clock = SimulatedClock::new("2026-03-01T11:58:33Z".parse().unwrap());
    let server = Server::new(clock.of_server());
    server.create(custom_resource_definition(false)).unwrap();
    server.create_namespace("prod").unwrap();
    let (client, metrics) = (server.client("test"), Arc::<Metrics>::default());
    let events = Events::new(client.clone(), "test", clock.of_operator(), metrics.clone(), Random::default());
    let health = Health::new(Duration::from_secs(60));
    let lease = Lease::always("test");
    let engine = Engine::new(client, clock.of_operator(), lease, events, metrics, health, Options::default());
    assert!(log.engine.set(engine.clone()).is_ok());
    let cancel = CancellationToken::new();
    let running = tokio::spawn({
        let (engine, cancel) = (engine.clone(), cancel.clone());
        async move { engine.run(cancel).await }
    });
    let template = json!({"spec": {"template": {"spec": {
        "restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}],
    }}}});
    let metadata = json!({"name": "db", "namespace": "prod", "annotations": {"kron.io/run-now": "no/label"}});
    let kronjob = json!({"apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "metadata": metadata,
        "spec": {"schedule": "* * * * *", "jobTemplate": template}});
    server.create(kronjob).unwrap();
    // Its first Job does not end, so later periods are skipped.
    tokio::time::sleep(Duration::from_secs(180)).await;
    clock.step(chrono::TimeDelta::hours(1));
    tokio::time::sleep(Duration::from_secs(60)).await;
    cancel.cancel();
    running.await.unwrap().unwrap();

    let lines = log.lines.lock().unwrap();
    for part in
        ["is not a label value", "created Job", "skipped period", "missed period", "the clock was set"]
    {
        assert!(lines.iter().any(|line| line.message.contains(part)), "no line says `{part}`");
    }
    let locked: Vec<&str> = lines.iter().filter(|line| line.locked).map(|line| &*line.message).collect();
    assert_eq!(locked, [""; 0], "these were written under the lock");
}

/// Another process may have led in between, so nothing of the first term holds in the second one.
#[tokio::test(start_paused = true)]
async fn a_lease_lost_and_won_again_before_anybody_looks_begins_a_term() {
    let clock = SimulatedClock::new("2026-03-01T11:58:33Z".parse().unwrap());
    let server = Server::new(clock.of_server());
    server.create(custom_resource_definition(false)).unwrap();
    let (client, metrics) = (server.client("test"), Arc::<Metrics>::default());
    let events = Events::new(client.clone(), "test", clock.of_operator(), metrics.clone(), Random::default());
    let health = Health::new(Duration::from_secs(60));
    let lease = Lease::of_test();
    let engine =
        Engine::new(client, clock.of_operator(), lease.clone(), events, metrics, health, Options::default());
    let cancel = CancellationToken::new();
    let running = tokio::spawn({
        let (engine, cancel) = (engine.clone(), cancel.clone());
        async move { engine.run(cancel).await }
    });
    lease.give();
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert_eq!(engine.state().term(), Some(1));
    assert!(engine.may_write(1).await);

    lease.take_away();
    lease.give();
    assert!(!engine.may_write(1).await, "a request of the first term goes out in the second one");
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert_eq!(engine.state().term(), Some(2));
    assert!(engine.may_write(2).await);
    cancel.cancel();
    running.await.unwrap().unwrap();
}

/// A namespace of many KronJobs whose quota is used up, until it is raised.
#[tokio::test(start_paused = true)]
async fn starts_follow_soon_after_a_quota_is_raised_and_are_few_in_a_second_before() {
    const KRONJOBS: usize = 60;
    let begin: DateTime<Utc> = "2026-03-01T11:58:33Z".parse().unwrap();
    let clock = SimulatedClock::new(begin);
    let server = Server::new(clock.of_server());
    server.create(custom_resource_definition(false)).unwrap();
    server.create_namespace("prod").unwrap();
    let template = json!({"spec": {"template": {"spec": {
        "restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}],
    }}}});
    for number in 0..KRONJOBS {
        let kronjob = json!({"apiVersion": "kron.io/v1alpha1", "kind": "KronJob",
            "metadata": {"name": format!("db-{number}"), "namespace": "prod"},
            "spec": {"schedule": "0 12 * * *", "jobTemplate": template, "policy": {"deadline": "10m"}}});
        server.create(kronjob).unwrap();
    }
    let creates = Match::any().verb(Verb::Create).resource("jobs").dry_run(false);
    let quota = Status::quota_exceeded("batch", "jobs", "db", "quota");
    let refusal = server.inject(creates.clone(), Fault::Reject(quota), None);
    let (client, metrics) = (server.client("test"), Arc::<Metrics>::default());
    let events = Events::new(client.clone(), "test", clock.of_operator(), metrics.clone(), Random::default());
    let health = Health::new(Duration::from_secs(60));
    let lease = Lease::always("test");
    let engine = Engine::new(client, clock.of_operator(), lease, events, metrics, health, Options::default());
    let cancel = CancellationToken::new();
    let running = tokio::spawn({
        let (engine, cancel) = (engine.clone(), cancel.clone());
        async move { engine.run(cancel).await }
    });
    let due: DateTime<Utc> = "2026-03-01T12:00:00Z".parse().unwrap();
    let raised = due + TimeDelta::seconds(45);
    tokio::time::sleep((raised - begin).to_std().unwrap()).await;
    let before = server.requests(&creates).len();
    server.end_fault(refusal);
    tokio::time::sleep(Duration::from_secs(20)).await;
    cancel.cancel();
    running.await.unwrap().unwrap();

    let requests = server.requests(&creates);
    assert_eq!(requests.len() - before, KRONJOBS, "each start is made once the quota allows it");
    let last = requests.iter().map(|request| request.time).max().unwrap();
    assert!(last - raised <= TimeDelta::seconds(6), "{last}");
    // Those that fail for the first time are not counted.
    let mut seconds: BTreeMap<i64, u32> = BTreeMap::new();
    for request in requests.iter().filter(|request| request.time > due + TimeDelta::seconds(1)) {
        *seconds.entry(request.time.timestamp()).or_default() += 1;
    }
    // Tries of two seconds can share one of the clock's.
    let most = seconds.values().max().unwrap();
    assert!((10..=2 * super::retries::OF_NAMESPACE).contains(most), "{most} tries in a second");
    assert!(seconds.len() > 30, "{seconds:?}");
}
