//! Faults, and what clients and logs see of them.

use std::time::Duration;

use kron_api_model::{Effect, Match, Partition, Status, Verb};
use kube::api::{ListParams, PostParams};
use serde_json::json;

use crate::world::{job, jobs, kronjob, kronjobs, refusal, run_ready_tasks, server, with_kronjobs};

#[tokio::test(start_paused = true)]
async fn requests_are_rejected_so_many_times() {
    let server = server();
    let (a, b) = (jobs(&server.client("a")), jobs(&server.client("b")));
    let creates = Match::any().caller("a").verb(Verb::Create).resource("jobs");
    let fault = server.inject(creates.clone(), Effect::Reject(Status::too_many_requests(3)), 2);
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
    let fault = server.inject(creates, Effect::Reject(quota), None);
    let (code, _, message) = refusal(a.create(&post, &job("c")).await);
    assert_eq!(code, 403);
    assert!(
        message.starts_with("jobs.batch \"c\" is forbidden: exceeded quota: jobs, requested: "),
        "{message}"
    );
    server.end_fault(fault);
    a.create(&post, &job("c")).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn answers_are_lost_before_and_after() {
    let server = server();
    let jobs = jobs(&server.client("a"));
    let post = PostParams::default();
    let named = |name: &str| Match::any().verb(Verb::Create).name(name);
    server.inject(named("refused"), Effect::Refuse, 1);
    server.inject(named("lost"), Effect::LoseAnswer, 1);
    assert!(matches!(jobs.create(&post, &job("refused")).await, Err(kube::Error::Service(_))));
    assert!(matches!(jobs.create(&post, &job("lost")).await, Err(kube::Error::Service(_))));
    let names: Vec<_> = jobs.list(&ListParams::default()).await.unwrap().items;
    assert_eq!(names.len(), 1);
    assert_eq!(refusal(jobs.create(&post, &job("lost")).await).0, 409);
    let executed: Vec<bool> =
        server.requests(&Match::any().verb(Verb::Create)).iter().map(|record| record.executed).collect();
    assert_eq!(executed, [false, true, true]);
    assert_eq!(server.requests(&named("lost"))[0].code, None);
}

#[tokio::test(start_paused = true)]
async fn requests_take_time_or_for_ever() {
    let server = server();
    let jobs = jobs(&server.client("a"));
    let post = PostParams::default();
    let named = |name: &str| Match::any().verb(Verb::Create).name(name);
    let ten = Duration::from_secs(10);
    server.inject(named("before"), Effect::DelayBefore(ten), 1);
    server.inject(named("after"), Effect::DelayAfter(ten), 1);
    server.inject(named("never"), Effect::Hang, 1);
    server.inject(named("half"), Effect::HangAfter, 1);
    for (name, at_once, answered) in
        [("before", false, true), ("after", true, true), ("never", false, false), ("half", true, false)]
    {
        let began = tokio::time::Instant::now();
        let (api, request) = (jobs.clone(), job(name));
        let task = tokio::spawn(async move { api.create(&PostParams::default(), &request).await });
        run_ready_tasks().await;
        let there = server.get("batch/v1", "jobs", "default", name).is_some();
        assert_eq!(there, at_once, "{name}");
        let answer = tokio::time::timeout(Duration::from_secs(3600), task).await;
        assert_eq!(answer.is_ok(), answered, "{name}");
        if answered {
            assert_eq!(began.elapsed(), ten);
            answer.unwrap().unwrap().unwrap();
        }
    }
    assert!(jobs.create(&post, &job("never")).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn hooks_race_with_requests() {
    let server = with_kronjobs();
    let api = kronjobs(&server.client("a"));
    let mut object = api.create(&PostParams::default(), &kronjob("k")).await.unwrap();
    let status_writes = Match::any().resource("kronjobs").subresource("status");
    let edit = Effect::before(|server, call| {
        server.edit("kron.io/v1alpha1", "kronjobs", &call.namespace, &call.name, |object| {
            object["metadata"]["labels"] = json!({"raced": "yes"});
        });
    });
    server.inject(status_writes.clone(), edit, 1);
    object.data["status"] = json!({"lastOutcome": "executed"});
    assert_eq!(refusal(api.replace_status("k", &PostParams::default(), &object).await).0, 409);
    let mut object = api.get("k").await.unwrap();
    assert_eq!(object.metadata.labels.as_ref().unwrap()["raced"], "yes");
    let delete = Effect::after(|server, call| {
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
    server.inject(suspended, Effect::Reject(Status::service_unavailable()), None);
    let mut object = job("a");
    jobs.create(&PostParams::default(), &object).await.unwrap();
    object.metadata.name = Some("b".into());
    object.spec.as_mut().unwrap().suspend = Some(true);
    assert_eq!(refusal(jobs.create(&PostParams::default(), &object).await).0, 503);
    server.end_faults();
    jobs.create(&PostParams::default(), &object).await.unwrap();
}
