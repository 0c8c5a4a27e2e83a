//! The queue and its writer against an API server that answers by a script.

use std::collections::VecDeque;

use http::{Request, Response};
use kron_api_model::SimulatedClock;
use kron_crd::reason::Reason;
use kube::client::Body;
use serde_json::{Value, json};

use chrono::DateTime;

use super::*;
use crate::object::Key;
use crate::plan::Message;
use crate::random::Random;

/// Answers requests from a list, then with success.
#[derive(Default)]
struct Server {
    script: Mutex<VecDeque<Option<(u16, &'static str)>>>,
    requests: Mutex<Vec<(Instant, String, Value)>>,
    latency: Mutex<Duration>,
    /// Requests of paths with this are answered 500.
    failing: Mutex<Option<&'static str>>,
    /// Requests of paths with this are never answered.
    hanging: Mutex<Option<&'static str>>,
}

impl Server {
    fn client(self: &Arc<Server>) -> Client {
        let server = self.clone();
        let service = tower::service_fn(move |request: Request<Body>| {
            let server = server.clone();
            async move {
                let (head, body) = request.into_parts();
                let sent: Value = serde_json::from_slice(&body.collect_bytes().await.unwrap()).unwrap();
                let line = format!("{} {}", head.method, head.uri.path());
                server.requests.lock().push((Instant::now(), line, sent.clone()));
                let latency = *server.latency.lock();
                sleep(latency).await;
                let path = head.uri.path().to_string();
                if server.hanging.lock().is_some_and(|hanging| path.contains(hanging)) {
                    std::future::pending::<()>().await;
                }
                if server.failing.lock().is_some_and(|failing| path.contains(failing)) {
                    return Ok(Response::builder().status(500).body(Body::empty()).unwrap());
                }
                let scripted = server.script.lock().pop_front();
                let (code, answer) = match scripted {
                    Some(None) => return Err(std::io::Error::other("the connection broke")),
                    Some(Some((code, reason))) => {
                        (code, json!({"kind": "Status", "code": code, "reason": reason, "message": ""}))
                    }
                    None => (201, event_of(sent)),
                };
                let body = Body::from(serde_json::to_vec(&answer).unwrap());
                Ok(Response::builder().status(code).body(body).unwrap())
            }
        });
        Client::new(service, "default")
    }

    fn lines(&self) -> Vec<String> {
        self.requests.lock().iter().map(|(_, line, _)| line.clone()).collect()
    }

    fn bodies(&self) -> Vec<Value> {
        self.requests.lock().iter().map(|(_, _, body)| body.clone()).collect()
    }
}

/// A patch is answered with the whole Event.
fn event_of(mut sent: Value) -> Value {
    if sent["metadata"].is_null() {
        sent["metadata"] = json!({});
        sent["eventTime"] = Value::Null;
    }
    sent
}

struct Setup {
    server: Arc<Server>,
    events: Events,
    metrics: Arc<Metrics>,
    clock: Arc<SimulatedClock>,
    cancel: CancellationToken,
    ended: tokio::task::JoinHandle<()>,
}

fn setup(script: impl IntoIterator<Item = Option<(u16, &'static str)>>) -> Setup {
    let server = Arc::new(Server { script: Mutex::new(script.into_iter().collect()), ..Server::default() });
    let clock = SimulatedClock::new(DateTime::from_timestamp(1_772_323_200, 0).unwrap());
    let metrics = Arc::<Metrics>::default();
    let events = Events::new(
        server.client(),
        "kron-operator-0",
        clock.of_operator(),
        metrics.clone(),
        Random::default(),
    );
    let (running, cancel) = (events.clone(), CancellationToken::new());
    let token = cancel.clone();
    let ended = tokio::spawn(async move { running.run(token).await });
    Setup { server, events, metrics, clock, cancel, ended }
}

impl Setup {
    fn event(&self, text: &str) -> PendingEvent {
        PendingEvent {
            kronjob: Key::new("here", "backup"),
            uid: "k".into(),
            message: Message::new(Reason::SuccessfulCreate, text),
            time: self.clock.now(),
        }
    }
}

const POST: &str = "POST /apis/events.k8s.io/v1/namespaces/here/events";

#[tokio::test(start_paused = true)]
async fn notes_are_posted_in_order_and_repeats_patched() {
    let setup = setup([]);
    for text in ["one", "two", "one"] {
        setup.events.publish(setup.event(text));
    }
    sleep(Duration::from_secs(1)).await;
    let (lines, bodies) = (setup.server.lines(), setup.server.bodies());
    assert_eq!(lines.len(), 3);
    assert_eq!((lines[0].as_str(), lines[1].as_str()), (POST, POST));
    assert_eq!((&bodies[0]["note"], &bodies[1]["note"]), (&json!("one"), &json!("two")));
    let name = bodies[0]["metadata"]["name"].as_str().unwrap();
    assert_eq!(lines[2], format!("PATCH {}/{name}", &POST[5..]));
    let series = json!({"count": 2, "lastObservedTime": "2026-03-01T00:00:00.000000Z"});
    assert_eq!(bodies[2], json!({"series": series}));
    let metrics = setup.metrics.encode();
    assert!(metrics.contains("kron_operator_api_requests_total{verb=\"create_event\",code=\"ok\"} 2\n"));
    assert!(metrics.contains("kron_operator_api_requests_total{verb=\"patch_event\",code=\"ok\"} 1\n"));
}

#[tokio::test(start_paused = true)]
async fn what_may_have_been_written_is_sent_again_under_one_name() {
    let setup = setup([None, Some((503, "ServiceUnavailable")), Some((409, "AlreadyExists"))]);
    setup.events.publish(setup.event("one"));
    sleep(Duration::from_secs(20)).await;
    let names: Vec<Value> =
        setup.server.bodies().iter().map(|body| body["metadata"]["name"].clone()).collect();
    assert_eq!(names, vec![names[0].clone(); 3], "an API server that lost its answer has the Event once");
    setup.events.publish(setup.event("one"));
    sleep(Duration::from_secs(1)).await;
    let repeat = format!("PATCH {}/{}", &POST[5..], names[0].as_str().unwrap());
    assert_eq!(setup.server.lines()[3], repeat, "what already exists is ours");
    assert_eq!(setup.metrics.events_dropped.get(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_series_whose_event_is_gone_begins_with_a_new_event() {
    let setup = setup([]);
    setup.events.publish(setup.event("one"));
    sleep(Duration::from_secs(1)).await;
    setup.server.script.lock().push_front(Some((404, "NotFound")));
    setup.events.publish(setup.event("one"));
    sleep(Duration::from_secs(1)).await;
    let methods: Vec<String> =
        setup.server.lines().iter().map(|line| line[..line.find(' ').unwrap()].to_string()).collect();
    assert_eq!(methods, ["POST", "PATCH", "POST"]);
}

#[tokio::test(start_paused = true)]
async fn refusals_are_dropped_at_once_and_counted() {
    let setup = setup([Some((403, "Forbidden")), Some((422, "Invalid")), Some((404, "NotFound"))]);
    for text in ["one", "two", "three", "four"] {
        setup.events.publish(setup.event(text));
    }
    sleep(Duration::from_secs(1)).await;
    assert_eq!(setup.server.lines().len(), 4);
    assert_eq!(setup.metrics.events_dropped.get(), 3);
    assert!(setup.metrics.encode().contains("kron_operator_events_dropped_total 3\n"));
}

#[tokio::test(start_paused = true)]
async fn attempts_are_limited_and_wait_longer_and_longer() {
    let setup = setup(std::iter::repeat_n(Some((500, "InternalError")), 6));
    setup.events.publish(setup.event("one"));
    setup.events.publish(setup.event("two"));
    sleep(Duration::from_secs(120)).await;
    let times: Vec<Instant> = setup.server.requests.lock().iter().map(|(time, ..)| *time).collect();
    assert_eq!(times.len(), 7, "six for the first, one for the second");
    for (attempt, pair) in times.windows(2).take(5).enumerate() {
        let wait = pair[1] - pair[0];
        let base = BACK_OFF * 2u32.pow(attempt as u32);
        assert!(wait >= base / 2 && wait < base * 2, "{attempt}: {wait:?}");
    }
    assert_eq!(setup.metrics.events_dropped.get(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_namespace_whose_events_fail_holds_up_no_other() {
    let setup = setup([]);
    *setup.server.failing.lock() = Some("/namespaces/broken/");
    for number in 0..20 {
        let mut event = setup.event(&number.to_string());
        event.kronjob.namespace = "broken".into();
        setup.events.publish(event);
    }
    for number in 0..20 {
        setup.events.publish(setup.event(&number.to_string()));
    }
    sleep(Duration::from_secs(1)).await;
    let sent = setup.server.lines().iter().filter(|line| *line == POST).count();
    assert_eq!(sent, 20);
    assert_eq!(setup.events.waiting(), 20);
}

#[tokio::test(start_paused = true)]
async fn events_give_way() {
    let setup = setup([]);
    setup.events.give_way(true);
    setup.events.publish(setup.event("one"));
    sleep(Duration::from_secs(60)).await;
    assert!(setup.server.lines().is_empty());
    setup.events.give_way(false);
    sleep(Duration::from_secs(1)).await;
    assert_eq!(setup.server.lines().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_full_queue_drops_the_oldest_and_nobody_waits() {
    let setup = setup([]);
    let before = Instant::now();
    for number in 0..QUEUE + 25 {
        setup.events.publish(setup.event(&number.to_string()));
    }
    assert_eq!(Instant::now(), before);
    assert_eq!((setup.events.waiting(), setup.metrics.events_dropped.get()), (QUEUE, 25));
    sleep(Duration::from_secs(1)).await;
    assert_eq!(setup.server.bodies()[0]["note"], "25");
    let sent = setup.server.lines().len();
    assert!((95..=105).contains(&sent), "{sent} in a second");
}

#[tokio::test(start_paused = true)]
async fn what_is_too_old_is_not_sent() {
    let setup = setup([]);
    let mut old = setup.event("old");
    old.time -= TimeDelta::minutes(61);
    setup.events.publish(old);
    setup.events.publish(setup.event("new"));
    sleep(Duration::from_secs(1)).await;
    assert_eq!(setup.server.bodies().iter().map(|body| &body["note"]).collect::<Vec<_>>(), ["new"]);
    assert_eq!(setup.metrics.events_dropped.get(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_namespace_that_is_answered_slowly_holds_up_no_other() {
    let setup = setup([]);
    *setup.server.hanging.lock() = Some("/namespaces/slow/");
    let slow = |number: u32| {
        let mut event = setup.event(&number.to_string());
        event.kronjob.namespace = "slow".into();
        event
    };
    (0..20).for_each(|number| setup.events.publish(slow(number)));
    (0..20).for_each(|number| setup.events.publish(setup.event(&number.to_string())));
    sleep(Duration::from_secs(1)).await;
    let sent = setup.server.lines().iter().filter(|line| *line == POST).count();
    assert_eq!((sent, setup.events.waiting()), (20, 19));
}

#[tokio::test(start_paused = true)]
async fn a_stop_sends_all_that_waits() {
    let setup = setup([]);
    *setup.server.latency.lock() = Duration::from_millis(10);
    for number in 0..5000 {
        setup.events.publish(setup.event(&number.to_string()));
    }
    setup.cancel.cancel();
    setup.ended.await.unwrap();
    let notes: std::collections::BTreeSet<String> =
        setup.server.bodies().iter().map(|body| body["note"].to_string()).collect();
    assert_eq!((notes.len(), setup.server.lines().len()), (5000, 5000));
    assert_eq!((setup.events.waiting(), setup.metrics.events_dropped.get()), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn a_stop_is_limited_and_counts_what_it_leaves() {
    let setup = setup([]);
    *setup.server.hanging.lock() = Some("/namespaces/slow/");
    for number in 0..100 {
        let mut event = setup.event(&number.to_string());
        setup.events.publish(event.clone());
        event.kronjob.namespace = "slow".into();
        setup.events.publish(event);
    }
    setup.cancel.cancel();
    let begun = Instant::now();
    setup.ended.await.unwrap();
    assert_eq!(begun.elapsed().as_secs(), DRAIN_LIMIT.as_secs());
    let sent = setup.server.lines().iter().filter(|line| *line == POST).count();
    assert_eq!((sent, setup.metrics.events_dropped.get()), (100, 100));
    assert!(setup.metrics.encode().contains("kron_operator_events_dropped_total 100\n"));
}

#[tokio::test(start_paused = true)]
async fn notes_are_cut_between_characters() {
    let setup = setup([]);
    let long = ["x".repeat(1024), "x".repeat(1025), "é".repeat(600)];
    long.iter().for_each(|text| setup.events.publish(setup.event(text)));
    sleep(Duration::from_secs(1)).await;
    let cut = ["x".repeat(1024), format!("{}…", "x".repeat(1021)), format!("{}…", "é".repeat(510))];
    assert!(cut.iter().all(|text| text.len() <= 1024));
    let sent: Vec<Value> = setup.server.bodies().into_iter().map(|body| body["note"].clone()).collect();
    assert_eq!(sent, cut);
}
