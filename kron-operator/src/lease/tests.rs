//! Elections against a server that keeps one object, on tokio's paused clock, with late and lost answers.

use std::sync::atomic::{AtomicU64, Ordering};

use http::{Method, Request, Response, StatusCode};
use kron_api_model::SimulatedClock;
use kube::client::Body;
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use tokio::time::sleep_until;

use super::*;

impl Lease {
    /// A Lease that a test gives and takes.
    pub(crate) fn of_test() -> Lease {
        Lease::of("test".to_string(), None)
    }

    /// Begins a term in a test.
    pub(crate) fn give(&self) {
        self.hold((Instant::now() + FOREVER, FOREVER));
    }

    /// Ends a term in a test.
    pub(crate) fn take_away(&self) {
        self.end_term();
    }
}

/// The server: one Lease, or none.
#[derive(Default)]
struct Server {
    object: Mutex<Option<Value>>,
    version: AtomicU64,
    random: AtomicU64,
    /// In a thousand requests, how many are late, and how many have no answer.
    trouble: AtomicU64,
    writes: AtomicU64,
    /// How long every answer takes, in milliseconds.
    slowness: AtomicU64,
}

impl Server {
    fn new(seed: u64, trouble: u64) -> Arc<Server> {
        Arc::new(Server {
            random: AtomicU64::new(seed),
            trouble: AtomicU64::new(trouble),
            ..Server::default()
        })
    }

    /// SplitMix64.
    fn draw(&self, bound: u64) -> u64 {
        let step = 0x9e37_79b9_7f4a_7c15_u64;
        let mut z = self.random.fetch_add(step, Ordering::SeqCst).wrapping_add(step);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound
    }

    fn troubled(&self) -> bool {
        self.draw(1000) < self.trouble.load(Ordering::SeqCst)
    }

    async fn delay(&self) {
        let usual = self.draw(30);
        let late = if self.troubled() { self.draw(20_000) } else { 0 };
        sleep(Duration::from_millis(usual + late)).await;
    }

    fn execute(&self, method: &Method, body: &[u8]) -> (StatusCode, Value) {
        let status = |code: u16, reason: &str| json!({"kind": "Status", "code": code, "reason": reason, "message": ""});
        let mut object = self.object.lock();
        if method == Method::GET {
            return match &*object {
                Some(object) => (StatusCode::OK, object.clone()),
                None => (StatusCode::NOT_FOUND, status(404, "NotFound")),
            };
        }
        let mut sent: Value = serde_json::from_slice(body).unwrap();
        assert!(sent["spec"]["leaseDurationSeconds"].as_i64().unwrap() > 0);
        let held = object.as_ref().map(|object| object["metadata"]["resourceVersion"].clone());
        match (method == Method::POST, &held) {
            (true, Some(_)) => return (StatusCode::CONFLICT, status(409, "AlreadyExists")),
            (false, None) => return (StatusCode::NOT_FOUND, status(404, "NotFound")),
            (false, Some(held)) if *held != sent["metadata"]["resourceVersion"] => {
                return (StatusCode::CONFLICT, status(409, "Conflict"));
            }
            _ => {}
        }
        let version = self.version.fetch_add(1, Ordering::SeqCst) + 1;
        sent["metadata"]["resourceVersion"] = json!(version.to_string());
        *object = Some(sent.clone());
        self.writes.fetch_add(1, Ordering::SeqCst);
        (StatusCode::OK, sent)
    }

    fn client(self: &Arc<Server>) -> Client {
        let server = self.clone();
        let service = tower::service_fn(move |request: Request<Body>| {
            let server = server.clone();
            // A request takes effect even if its sender no longer waits for the answer.
            let task = tokio::spawn(async move {
                let (head, body) = request.into_parts();
                let body = body.collect_bytes().await.unwrap();
                server.delay().await;
                if server.troubled() {
                    return Err("lost on the way there");
                }
                let (code, answer) = server.execute(&head.method, &body);
                server.delay().await;
                sleep(Duration::from_millis(server.slowness.load(Ordering::SeqCst))).await;
                if server.troubled() {
                    return Err("lost on the way back");
                }
                let body = Body::from(serde_json::to_vec(&answer).unwrap());
                Ok(Response::builder().status(code).body(body).unwrap())
            });
            async move { task.await.unwrap().map_err(std::io::Error::other) }
        });
        Client::new(service, "default")
    }

    /// The tz database that the Lease names.
    fn tzdb(&self) -> Value {
        self.object.lock().as_ref().unwrap()["metadata"]["annotations"][TZDB_ANNOTATION].clone()
    }

    fn holder(&self) -> String {
        let object = self.object.lock();
        let holder = object.as_ref().map(|object| object["spec"]["holderIdentity"].clone());
        holder.and_then(|holder| holder.as_str().map(str::to_string)).unwrap_or_default()
    }
}

/// What is logged on this thread, from now on until the guard is dropped.
fn logged() -> (Arc<Mutex<Vec<u8>>>, tracing::subscriber::DefaultGuard) {
    #[derive(Clone, Default)]
    struct Buffer(Arc<Mutex<Vec<u8>>>);

    impl std::io::Write for Buffer {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    let buffer = Buffer::default();
    let writer = buffer.clone();
    let clock = Arc::new(crate::clock::system_clock);
    let format = crate::telemetry::LogFormat::Json;
    let subscriber =
        crate::telemetry::subscriber(format, "warn", clock, false, move || writer.clone()).unwrap();
    (buffer.0, crate::telemetry::log_of_this_thread(subscriber))
}

/// The messages of a log with the databases that they name.
fn messages(log: &Mutex<Vec<u8>>) -> Vec<[String; 3]> {
    let text = String::from_utf8(log.lock().clone()).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let field = |line: &Value, name: &str| line[name].as_str().unwrap_or_default().to_string();
    lines.map(|line| ["message", "theirs", "ours"].map(|name| field(&line, name))).collect()
}

struct Contender {
    lease: Lease,
    clock: Arc<SimulatedClock>,
    cancel: CancellationToken,
    task: JoinHandle<()>,
}

fn start(server: &Arc<Server>, identity: &str) -> Contender {
    start_with(server, identity, "2026e 00")
}

fn start_with(server: &Arc<Server>, identity: &str, tzdb: &str) -> Contender {
    let clock = SimulatedClock::new(chrono::DateTime::from_timestamp(1_772_323_200, 0).unwrap());
    let config = LeaseConfig { identity: identity.to_string(), ..LeaseConfig::new("kron", "kron", "h") };
    let lease = Lease::new(server.client(), config, clock.of_operator(), tzdb.to_string());
    let cancel = CancellationToken::new();
    let (running, token) = (lease.clone(), cancel.clone());
    let task = tokio::spawn(async move { running.run(token).await });
    Contender { lease, clock, cancel, task }
}

async fn seconds(count: u64) {
    sleep(Duration::from_secs(count)).await;
}

#[tokio::test(start_paused = true)]
async fn one_leads_and_a_release_hands_over_at_once() {
    let server = Server::new(1, 0);
    let one = start(&server, "one");
    seconds(1).await;
    assert!(one.lease.held());
    let two = start(&server, "two");
    let mut changes = two.lease.subscribe();
    seconds(60).await;
    assert!(one.lease.held() && !two.lease.held());

    one.cancel.cancel();
    one.task.await.unwrap();
    assert!(!one.lease.held());
    assert_eq!(server.holder(), "");
    assert_eq!(server.object.lock().as_ref().unwrap()["spec"]["leaseDurationSeconds"], 1);
    seconds(3).await;
    assert!(two.lease.held());
    assert_eq!(*changes.borrow_and_update(), Some(1));
    assert_eq!(server.object.lock().as_ref().unwrap()["spec"]["leaseTransitions"], 1);
}

#[tokio::test(start_paused = true)]
async fn a_holder_without_a_server_gives_up_before_the_others_take_over() {
    let server = Server::new(2, 0);
    let one = start(&server, "one");
    seconds(1).await;
    let mut changes = one.lease.subscribe();
    assert!(one.lease.held());
    server.trouble.store(1000, Ordering::SeqCst);
    let since = Instant::now();
    changes.changed().await.unwrap();
    assert!(changes.borrow().is_none() && !one.lease.held());
    assert!(since.elapsed() <= Duration::from_secs(12));
    assert_eq!(one.lease.remaining(1), Duration::ZERO);

    server.trouble.store(0, Ordering::SeqCst);
    seconds(10).await;
    assert_eq!(
        one.lease.term(),
        Some(2),
        "its own record is renewed without waiting, and that is another term"
    );
    assert_eq!(one.lease.remaining(1), Duration::ZERO);
    assert!(one.lease.remaining(2) > Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn held_is_false_by_the_clock_even_if_nobody_runs() {
    let server = Server::new(3, 0);
    let one = start(&server, "one");
    seconds(1).await;
    assert!(one.lease.held());
    one.task.abort();
    seconds(12).await;
    assert!(!one.lease.held());
}

#[tokio::test(start_paused = true)]
async fn a_lease_runs_out_while_the_machine_is_suspended() {
    let server = Server::new(4, 0);
    let one = start(&server, "one");
    seconds(1).await;
    assert!(one.lease.held() && one.lease.remaining(1) > Duration::ZERO);
    // No instant shows it: timers of the runtime do not advance meanwhile.
    one.clock.suspend(Duration::from_secs(18));
    assert!(!one.lease.held());
    assert_eq!(one.lease.remaining(1), Duration::ZERO);
    seconds(10).await;
    assert!(one.lease.held(), "nobody took it, and it is renewed");
}

#[tokio::test(start_paused = true)]
async fn validity_counts_from_before_the_request_was_sent() {
    let server = Server::new(6, 0);
    server.slowness.store(2000, Ordering::SeqCst);
    let one = start(&server, "one");
    let mut changes = one.lease.subscribe();
    let before = Instant::now();
    // Read at 2 s, written at 4 s, and every other delay is shorter than 60 ms.
    changes.changed().await.unwrap();
    assert!(before.elapsed() >= Duration::from_secs(4));
    one.task.abort();
    sleep_until(before + Duration::from_millis(13_950)).await;
    assert!(one.lease.held());
    sleep_until(before + Duration::from_millis(14_150)).await;
    assert!(!one.lease.held());
}

#[tokio::test(start_paused = true)]
async fn a_lease_taken_by_hand_is_lost_at_the_next_look() {
    let server = Server::new(4, 0);
    let one = start(&server, "one");
    seconds(1).await;
    {
        let mut object = server.object.lock();
        let object = object.as_mut().unwrap();
        object["spec"]["holderIdentity"] = json!("other");
        object["metadata"]["resourceVersion"] = json!("by-hand");
    }
    seconds(6).await;
    assert!(!one.lease.held());
}

#[tokio::test(start_paused = true)]
async fn without_election_it_is_held_until_cancelled() {
    let (lease, cancel) = (Lease::always("host"), CancellationToken::new());
    let changes = lease.subscribe();
    assert!(lease.held() && changes.borrow().is_some());
    cancel.cancel();
    lease.run(cancel).await;
    assert!(!lease.held() && changes.borrow().is_none());
}

#[tokio::test(start_paused = true)]
async fn a_holder_renews_about_every_five_seconds() {
    let server = Server::new(5, 0);
    let _one = start(&server, "one");
    seconds(601).await;
    let writes = server.writes.load(Ordering::SeqCst);
    assert!((105..=135).contains(&writes), "{writes}");
}

#[tokio::test(start_paused = true)]
async fn the_holder_names_its_tz_database_without_another_request() {
    let server = Server::new(7, 0);
    let one = start_with(&server, "one", "2026e 11");
    seconds(1).await;
    assert_eq!((server.tzdb(), server.writes.load(Ordering::SeqCst)), (json!("2026e 11"), 1));
    // Other annotations stay, and one that was removed comes back with the next renewal.
    {
        let mut object = server.object.lock();
        let metadata = &mut object.as_mut().unwrap()["metadata"];
        metadata["annotations"] = json!({"team": "a"});
        metadata["resourceVersion"] = json!("by-hand");
    }
    seconds(6).await;
    assert_eq!((server.tzdb(), server.writes.load(Ordering::SeqCst)), (json!("2026e 11"), 2));
    let annotations = server.object.lock().as_ref().unwrap()["metadata"]["annotations"].clone();
    assert_eq!(annotations, json!({"team": "a", TZDB_ANNOTATION: "2026e 11"}));
    assert!(one.lease.held());
}

#[tokio::test(start_paused = true)]
async fn replicas_with_different_tz_databases_say_so() {
    let server = Server::new(8, 0);
    let (log, _guard) = logged();
    let one = start_with(&server, "one", "2026e 11");
    seconds(1).await;
    let two = start_with(&server, "two", "2027a 22");
    let same = start_with(&server, "same", "2026e 11");
    seconds(60).await;
    let line = |message: &str, theirs: &str, ours: &str| [message, theirs, ours].map(str::to_string);
    let standby = "the leader has another tz database than this replica";
    let leader = "the leader before had another tz database than this replica";
    assert_eq!(messages(&log), [line(standby, "2026e 11", "2027a 22")], "once, however many renewals");

    // Two leads next.
    same.cancel.cancel();
    same.task.await.unwrap();
    one.cancel.cancel();
    one.task.await.unwrap();
    seconds(10).await;
    assert!(two.lease.held());
    assert_eq!(server.tzdb(), "2027a 22");
    assert_eq!(messages(&log)[1..], [line(leader, "2026e 11", "2027a 22")]);

    // Another replica sees that in turn, and one of the same database says nothing.
    let _three = start_with(&server, "three", "2026e 11");
    let _four = start_with(&server, "four", "2027a 22");
    seconds(60).await;
    assert_eq!(messages(&log)[2..], [line(standby, "2027a 22", "2026e 11")]);
}

#[tokio::test(start_paused = true)]
async fn a_holder_that_names_no_tz_database_is_not_warned_about() {
    let server = Server::new(9, 0);
    let (log, _guard) = logged();
    *server.object.lock() = Some(json!({
        "apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
        "metadata": {"name": "kron", "namespace": "kron", "resourceVersion": "1"},
        "spec": {"holderIdentity": "older", "leaseDurationSeconds": 15},
    }));
    let one = start_with(&server, "one", "2026e 11");
    seconds(30).await;
    assert!(one.lease.held());
    assert_eq!((server.tzdb(), messages(&log)), (json!("2026e 11"), Vec::new()));
}

/// Contenders come, go and crash while one request in three is late or lost.
#[tokio::test(start_paused = true)]
async fn never_do_two_hold_at_once() {
    let (mut led, mut leaders) = (0, 0);
    for seed in 0..40 {
        let server = Server::new(seed, 300);
        let mut contenders: Vec<Contender> =
            (0..3).map(|number| start(&server, &format!("first-{number}"))).collect();
        let mut last = None;
        for tick in 0..6000_u64 {
            sleep(Duration::from_millis(100)).await;
            let held: Vec<usize> = (0..contenders.len()).filter(|at| contenders[*at].lease.held()).collect();
            assert!(held.len() <= 1, "seed {seed}: {held:?} after {tick} tenths of a second");
            led += held.len();
            if !held.is_empty() && last != held.first().copied() {
                last = held.first().copied();
                leaders += 1;
            }
            if server.draw(300) == 0 {
                let at = server.draw(3) as usize;
                if server.draw(2) == 0 {
                    contenders[at].task.abort()
                } else {
                    contenders[at].cancel.cancel()
                }
                // What was the holder stays under watch.
                let gone = std::mem::replace(&mut contenders[at], start(&server, &format!("{seed}-{tick}")));
                contenders.push(gone);
            }
        }
        server.trouble.store(0, Ordering::SeqCst);
        // Requests of the dead are still on their way; what they take expires.
        seconds(60).await;
        assert!(contenders.iter().any(|contender| contender.lease.held()), "seed {seed}: nobody leads");
        for contender in contenders {
            contender.task.abort();
        }
    }
    // Otherwise the rule was not tested: there was a leader for a tenth of the time, and three leaders in each run.
    assert!(led > 40 * 6000 / 10 && leaders > 40 * 3, "led {led} tenths of a second, {leaders} leaders");
}
