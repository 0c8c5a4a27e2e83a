//! Faults, and what clients and logs see of them.

use std::time::Duration;

use kron_api_model::{Call, Fault, FaultKind, Match, Objects, Partition, Status, Verb};
use kube::api::PostParams;
use serde_json::json;

use crate::world::{job, jobs, kronjob, kronjobs, refusal, run_ready_tasks, server, with_kronjobs};

#[tokio::test(start_paused = true)]
async fn requests_are_rejected_so_many_times() {
    let server = server();
    let (a, b) = (jobs(&server.client("a")), jobs(&server.client("b")));
    let creates = Match::any().caller("a").verb(Verb::Create).resource("jobs");
    let fault = server.inject(creates.clone(), Fault::Reject(Status::too_many_requests(3)), 2);
    let post = PostParams::default();
    b.create(&post, &job("b")).await.unwrap();
    for _ in 0..2 {
        let error = a.create(&post, &job("a")).await.unwrap_err();
        let kube::Error::Api(status) = error else { panic!("{error}") };
        assert_eq!((status.code, status.details.unwrap().retry_after_seconds), (429, 3));
    }
    a.create(&post, &job("a")).await.unwrap();
    assert_eq!(server.hits(fault), 2);
    let log = server.requests(&creates);
    let codes: Vec<_> = log.iter().map(|record| (record.code, record.executed)).collect();
    assert_eq!(codes, [(Some(429), false), (Some(429), false), (Some(201), true)]);
    assert_eq!(log[0].to_string(), "2026-03-01T00:00:00.000Z a create jobs default/a 429");

    let quota = Status::quota_exceeded("batch", "jobs", "c", "jobs");
    let fault = server.inject(creates, Fault::Reject(quota), None);
    let (code, _, message) = refusal(a.create(&post, &job("c")).await);
    assert_eq!(code, 403);
    assert!(
        message.starts_with("jobs.batch \"c\" is forbidden: exceeded quota: jobs, requested: "),
        "{message}"
    );
    server.end_fault(fault);
    a.create(&post, &job("c")).await.unwrap();
}

/// What a create meets.
struct Met {
    fault: Fault,
    /// Whether the object is there before any time has passed.
    stored_at_once: bool,
    /// Whether the server executes it in the end.
    executed: bool,
    /// What the caller gets, and after how many seconds; none if it waits for ever.
    answer: Option<(Answer, u64)>,
}

#[derive(Debug, PartialEq, Eq)]
enum Answer {
    Created,
    Refused(u16),
    ConnectionLost,
}

fn met(kind: FaultKind) -> Met {
    const TEN: Duration = Duration::from_secs(10);
    let at_once = |answer| Some((answer, 0));
    let (fault, stored_at_once, executed, answer) = match kind {
        FaultKind::Reject => {
            (Fault::Reject(Status::service_unavailable()), false, false, at_once(Answer::Refused(503)))
        }
        FaultKind::Refuse => (Fault::Refuse, false, false, at_once(Answer::ConnectionLost)),
        FaultKind::LoseAnswer => (Fault::LoseAnswer, true, true, at_once(Answer::ConnectionLost)),
        FaultKind::DelayBefore => (Fault::DelayBefore(TEN), false, true, Some((Answer::Created, 10))),
        FaultKind::DelayAfter => (Fault::DelayAfter(TEN), true, true, Some((Answer::Created, 10))),
        FaultKind::Hang => (Fault::Hang, false, false, None),
        FaultKind::HangAfter => (Fault::HangAfter, true, true, None),
        // The object that was there before is in the way.
        FaultKind::Before => {
            let earlier =
                |objects: &Objects, call: &Call| drop(objects.create((*call.body).clone()).unwrap());
            (Fault::before(earlier), true, true, at_once(Answer::Refused(409)))
        }
        FaultKind::After => {
            let delete = |objects: &Objects, call: &Call| {
                assert!(objects.delete("batch/v1", "jobs", &call.namespace, &call.name));
            };
            (Fault::after(delete), false, true, at_once(Answer::Created))
        }
    };
    Met { fault, stored_at_once, executed, answer }
}

#[tokio::test(start_paused = true)]
async fn each_fault_does_what_it_says_once() {
    for kind in FaultKind::ALL {
        let server = server();
        let jobs = jobs(&server.client("a"));
        let creates = Match::any().verb(Verb::Create);
        let met = met(*kind);
        assert_eq!(met.fault.kind(), *kind);
        let injected = server.inject(creates.clone(), met.fault, 1);
        let began = tokio::time::Instant::now();
        let api = jobs.clone();
        let create = async move { api.create(&PostParams::default(), &job("a")).await };
        let task = tokio::spawn(async move { tokio::time::timeout(Duration::from_secs(3600), create).await });
        run_ready_tasks().await;
        let stored = server.get("batch/v1", "jobs", "default", "a").is_some();
        assert_eq!(stored, met.stored_at_once, "{kind:?}");
        let answer = task.await.unwrap().ok().map(|result| match result {
            Ok(_) => Answer::Created,
            Err(kube::Error::Api(status)) => Answer::Refused(status.code),
            Err(kube::Error::Service(_)) => Answer::ConnectionLost,
            Err(other) => panic!("{kind:?}: {other}"),
        });
        let code = match &answer {
            Some(Answer::Created) => Some(201),
            Some(Answer::Refused(code)) => Some(*code),
            Some(Answer::ConnectionLost) | None => None,
        };
        assert_eq!(answer.map(|answer| (answer, began.elapsed().as_secs())), met.answer, "{kind:?}");
        let record = &server.requests(&creates)[0];
        assert_eq!((record.executed, record.code), (met.executed, code), "{kind:?}");
        assert_eq!(server.hits(injected), 1, "{kind:?}");
        // The next one meets no fault.
        assert!(jobs.create(&PostParams::default(), &job("b")).await.is_ok(), "{kind:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_request_is_refused_when_its_time_limit_is_over() {
    let server = server();
    let client = server.client("a");
    let create = async |name: &str, limit: &str| {
        let url = format!("/apis/batch/v1/namespaces/default/jobs?timeout={limit}");
        let request = http::Request::post(url).header("content-type", "application/json");
        let body = serde_json::to_vec(&job(name)).unwrap();
        client.request::<serde_json::Value>(request.body(body).unwrap()).await
    };
    let creates = Match::any().verb(Verb::Create).resource("jobs");
    server.inject(creates.clone(), Fault::DelayBefore(Duration::from_secs(10)), 3);
    for (name, limit, seconds, code) in [("a", "3500ms", 3, 504), ("b", "10s", 10, 201), ("c", "0s", 10, 201)]
    {
        let began = tokio::time::Instant::now();
        let answer = create(name, limit).await;
        assert_eq!(began.elapsed().as_secs(), seconds, "{limit}");
        assert_eq!(answer.is_ok(), code == 201, "{limit}");
        let record = server.requests(&creates).pop().unwrap();
        assert_eq!((record.code, record.executed), (Some(code), code == 201), "{limit}");
        assert_eq!(server.get("batch/v1", "jobs", "default", name).is_some(), code == 201, "{limit}");
    }
    let (code, reason, message) = refusal(create("d", "soon").await);
    assert_eq!((code, &*reason), (400, "BadRequest"));
    assert!(message.ends_with("time: invalid duration \"soon\""), "{message}");
    assert_eq!(refusal(create("d", "-1s").await).0, 400);
    create("d", "1m").await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn hooks_race_with_requests() {
    let server = with_kronjobs();
    let api = kronjobs(&server.client("a"));
    let mut object = api.create(&PostParams::default(), &kronjob("k")).await.unwrap();
    let status_writes = Match::any().resource("kronjobs").subresource("status");
    let edit = Fault::before(|server, call| {
        server.edit("kron.io/v1alpha1", "kronjobs", &call.namespace, &call.name, |object| {
            object["metadata"]["labels"] = json!({"raced": "yes"});
        });
    });
    server.inject(status_writes.clone(), edit, 1);
    object.data["status"] = json!({"lastOutcome": "executed"});
    assert_eq!(refusal(api.replace_status("k", &PostParams::default(), &object).await).0, 409);
    let mut object = api.get("k").await.unwrap();
    assert_eq!(object.metadata.labels.as_ref().unwrap()["raced"], "yes");
    let delete = Fault::after(|server, call| {
        assert!(server.delete("kron.io/v1alpha1", "kronjobs", &call.namespace, &call.name));
    });
    server.inject(status_writes, delete, 1);
    object.data["status"] = json!({"lastOutcome": "executed"});
    api.replace_status("k", &PostParams::default(), &object).await.unwrap();
    assert_eq!(refusal(api.get("k").await).0, 404);
}

#[tokio::test(start_paused = true)]
async fn a_partition_cuts_one_caller_off() {
    let server = server();
    let (a, b) = (jobs(&server.client("a")), jobs(&server.client("b")));
    server.partition("a", Some(Partition::Refuse));
    assert!(matches!(a.get("x").await, Err(kube::Error::Service(_))));
    assert_eq!(refusal(b.get("x").await).0, 404);
    server.partition("a", Some(Partition::Hang));
    let waiting = tokio::spawn(async move { a.create(&PostParams::default(), &job("late")).await });
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert!(!waiting.is_finished());
    assert_eq!(server.count("batch/v1", "jobs"), 0);
    server.partition("a", None);
    waiting.await.unwrap().unwrap();
    assert_eq!(server.count("batch/v1", "jobs"), 1);
}

#[tokio::test(start_paused = true)]
async fn a_predicate_sees_the_body() {
    let server = server();
    let jobs = jobs(&server.client("a"));
    let suspended = Match::any().when(|call| call.body["spec"]["suspend"] == true);
    server.inject(suspended, Fault::Reject(Status::service_unavailable()), None);
    let mut object = job("a");
    jobs.create(&PostParams::default(), &object).await.unwrap();
    object.metadata.name = Some("b".into());
    object.spec.as_mut().unwrap().suspend = Some(true);
    assert_eq!(refusal(jobs.create(&PostParams::default(), &object).await).0, 503);
    server.end_faults();
    jobs.create(&PostParams::default(), &object).await.unwrap();
}
