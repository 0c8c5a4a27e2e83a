//! Watches: nothing missing, nothing twice.

use std::time::Duration;

use futures::{Stream, StreamExt, TryStreamExt};
use http::Request;
use kron_api_model::{Cut, Match, Server, Verb};
use kube::runtime::{WatchStreamExt, watcher};
use serde_json::{Value, json};

use crate::world::{job_value, jobs, kronjob, kronjobs, run_ready_tasks, server, with_kronjobs};

/// The lines of a watch as they are sent.
async fn open(server: &Server, query: &str) -> impl Stream<Item = Result<Value, String>> + Unpin + use<> {
    let uri = format!("/apis/batch/v1/namespaces/default/jobs?watch=true&{query}");
    let request = Request::get(uri).body(kube::client::Body::empty()).unwrap();
    let answer = server.client("test").send(request).await.unwrap();
    assert_eq!(answer.status(), 200);
    let lines = http_body_util::BodyStream::new(answer.into_body()).map(|frame| match frame {
        Ok(frame) => Ok(serde_json::from_slice(&frame.into_data().unwrap()).unwrap()),
        Err(error) => Err(error.to_string()),
    });
    Box::pin(lines)
}

fn short(event: &Value) -> (String, String) {
    (
        event["type"].as_str().unwrap().to_owned(),
        event["object"]["metadata"]["name"].as_str().unwrap_or_default().to_owned(),
    )
}

fn pair(kind: &str, name: &str) -> (String, String) {
    (kind.to_owned(), name.to_owned())
}

async fn next(events: &mut (impl Stream<Item = Result<Value, String>> + Unpin)) -> Value {
    tokio::time::timeout(Duration::from_secs(1), events.next())
        .await
        .expect("an event")
        .expect("open")
        .expect("whole")
}

async fn nothing(events: &mut (impl Stream<Item = Result<Value, String>> + Unpin)) {
    let event = tokio::time::timeout(Duration::from_secs(1), events.next()).await;
    assert!(event.is_err(), "{event:?}");
}

#[tokio::test(start_paused = true)]
async fn from_a_version_each_change_once() {
    let server = server();
    server.create(job_value("a")).unwrap();
    let from = server.version();
    server.create(job_value("b")).unwrap();
    let mut events = open(&server, &format!("resourceVersion={from}")).await;
    server.edit("batch/v1", "jobs", "default", "a", |job| job["spec"]["parallelism"] = json!(2));
    server.delete("batch/v1", "jobs", "default", "b");
    let mut versions = Vec::new();
    for expected in [pair("ADDED", "b"), pair("MODIFIED", "a"), pair("DELETED", "b")] {
        let event = next(&mut events).await;
        assert_eq!(short(&event), expected);
        versions
            .push(event["object"]["metadata"]["resourceVersion"].as_str().unwrap().parse::<u64>().unwrap());
    }
    assert_eq!(versions, [from + 1, from + 2, from + 3], "a removal has a version of its own");
    nothing(&mut events).await;
    let events: Vec<_> = open(&server, &format!("resourceVersion={from}&timeoutSeconds=1"))
        .await
        .try_collect::<Vec<_>>()
        .await
        .unwrap();
    assert_eq!(events.len(), 3);
}

#[tokio::test(start_paused = true)]
async fn without_a_version_it_starts_with_what_is_there() {
    let server = server();
    server.create(job_value("a")).unwrap();
    for query in ["", "resourceVersion=0"] {
        let mut events = open(&server, query).await;
        assert_eq!(short(&next(&mut events).await), pair("ADDED", "a"));
        nothing(&mut events).await;
    }
    let query = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
    let mut events = open(&server, query).await;
    assert_eq!(short(&next(&mut events).await), pair("ADDED", "a"));
    let end = next(&mut events).await;
    assert_eq!(end["type"], "BOOKMARK");
    assert_eq!(end["object"]["metadata"]["annotations"], json!({"k8s.io/initial-events-end": "true"}));
    assert_eq!(end["object"]["metadata"]["resourceVersion"], server.version().to_string());
}

#[tokio::test(start_paused = true)]
async fn what_leaves_a_selection_is_deleted() {
    let server = server();
    let mut events = open(&server, "labelSelector=app%3Dx").await;
    server.create(job_value("a")).unwrap();
    nothing(&mut events).await;
    let label = |value: &'static str| {
        server.edit("batch/v1", "jobs", "default", "a", |job| {
            job["metadata"]["labels"] = json!({"app": value})
        });
    };
    label("x");
    assert_eq!(short(&next(&mut events).await), pair("ADDED", "a"));
    label("y");
    let left = next(&mut events).await;
    assert_eq!(short(&left), pair("DELETED", "a"));
    assert_eq!(left["object"]["metadata"]["labels"]["app"], "x", "as it was");
    assert_eq!(
        left["object"]["metadata"]["resourceVersion"],
        server.version().to_string(),
        "and when it left"
    );
    server.delete("batch/v1", "jobs", "default", "a");
    nothing(&mut events).await;
}

#[tokio::test(start_paused = true)]
async fn bookmarks_come_each_minute_and_at_the_end() {
    let server = server();
    let from = server.version();
    let began = tokio::time::Instant::now();
    let query = format!("resourceVersion={from}&allowWatchBookmarks=true&timeoutSeconds=150");
    let mut events = open(&server, &query).await;
    // What happens elsewhere moves bookmarks, too.
    server.create_namespace("other").unwrap();
    let mut seconds = Vec::new();
    while let Some(event) = events.next().await {
        let event = event.unwrap();
        assert_eq!(event["type"], "BOOKMARK");
        assert_eq!(event["object"]["kind"], "Job");
        assert_eq!(event["object"]["metadata"]["resourceVersion"], server.version().to_string());
        seconds.push(began.elapsed().as_secs());
    }
    assert_eq!(seconds, [60, 120, 150]);
}

#[tokio::test(start_paused = true)]
async fn a_forgotten_version_is_gone() {
    let server = server();
    let from = server.version();
    let mut running = open(&server, &format!("resourceVersion={from}")).await;
    server.create(job_value("a")).unwrap();
    server.compact();
    let events: Vec<Value> =
        open(&server, &format!("resourceVersion={from}")).await.try_collect().await.unwrap();
    let [event] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!(event["type"], "ERROR");
    assert_eq!((&event["object"]["code"], &event["object"]["reason"]), (&json!(410), &json!("Expired")));
    assert!(
        event["object"]["message"]
            .as_str()
            .unwrap()
            .starts_with(&format!("too old resource version: {from} ("))
    );
    assert_eq!(short(&next(&mut running).await), pair("ADDED", "a"), "running watches go on");

    server.set_history_limit(2);
    let from = server.version();
    for name in ["b", "c", "d"] {
        server.create(job_value(name)).unwrap();
    }
    let first = |from: u64| {
        let server = server.clone();
        async move { next(&mut open(&server, &format!("resourceVersion={from}")).await).await["type"].clone() }
    };
    assert_eq!(first(from).await, "ERROR");
    assert_eq!(first(from + 1).await, "ADDED");
}

#[tokio::test(start_paused = true)]
async fn watches_are_cut_and_stalled() {
    let server = server();
    let all = Match::any().verb(Verb::Watch).resource("jobs");
    let mut ended = open(&server, "").await;
    assert_eq!(server.cut_watches(&all, Cut::End), 1);
    assert!(ended.next().await.is_none());
    drop(ended);
    let mut broken = open(&server, "").await;
    assert_eq!(server.cut_watches(&all, Cut::Break), 1);
    assert!(broken.next().await.unwrap().is_err());
    assert!(broken.next().await.is_none());
    drop(broken);

    let mut running = open(&server, "").await;
    let stall = server.stall_watches(all);
    let mut later = open(&server, "").await;
    server.create(job_value("a")).unwrap();
    nothing(&mut running).await;
    nothing(&mut later).await;
    server.release_watches(stall);
    assert_eq!(short(&next(&mut running).await), pair("ADDED", "a"));
    assert_eq!(short(&next(&mut later).await), pair("ADDED", "a"));
    assert_eq!(server.running_watches().len(), 2);
    drop((running, later));
    assert_eq!(server.running_watches().len(), 0);
}

#[tokio::test(start_paused = true)]
async fn the_watcher_of_kube_sees_it_all() {
    for streaming in [false, true] {
        let server = with_kronjobs();
        let client = server.client("test");
        let config = watcher::Config::default();
        let config = if streaming { config.streaming_lists() } else { config.page_size(2) };
        for name in ["a", "b", "c"] {
            server.create(serde_json::to_value(kronjob(name)).unwrap()).unwrap();
        }
        let mut events = Box::pin(watcher(kronjobs(&client), config).default_backoff().touched_objects());
        let mut seen: Vec<String> = Vec::new();
        let mut until = async |name: &str, times: usize| {
            while seen.iter().filter(|found| *found == name).count() < times {
                let wait = tokio::time::timeout(Duration::from_secs(100), events.next());
                let event = wait.await.unwrap_or_else(|_| panic!("no {name} after {seen:?}")).unwrap();
                // The watcher reports a break and goes on.
                if let Ok(object) = event {
                    seen.push(object.metadata.name.unwrap());
                }
            }
        };
        until("c", 1).await;
        // Changed while there is no watch, and forgotten before the next one: all is listed once more.
        server.cut_watches(&Match::any(), Cut::End);
        server.create(serde_json::to_value(kronjob("d")).unwrap()).unwrap();
        server.compact();
        until("d", 1).await;
        server.delete("kron.io/v1alpha1", "kronjobs", "default", "a");
        until("a", 3).await;
        assert_eq!(seen, ["a", "b", "c", "a", "b", "c", "d", "a"]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_reflector_follows_through_faults() {
    let server = server();
    let client = server.client("test");
    let (reader, writer) = kube::runtime::reflector::store();
    let stream = watcher(jobs(&client), watcher::Config::default()).default_backoff();
    let follow = tokio::spawn(kube::runtime::reflector(writer, stream).for_each(|_| std::future::ready(())));
    for round in 0..40_u64 {
        server.create(job_value(&format!("a-{round}"))).unwrap();
        match round % 8 {
            1 => drop(server.cut_watches(&Match::any(), Cut::End)),
            3 => drop(server.cut_watches(&Match::any(), Cut::Break)),
            5 => drop(server.delete("batch/v1", "jobs", "default", &format!("a-{}", round - 2))),
            7 => {
                server.compact();
                server.cut_watches(&Match::any(), Cut::End);
            }
            _ => {}
        }
        tokio::time::sleep(Duration::from_secs(7)).await;
    }
    tokio::time::sleep(Duration::from_secs(300)).await;
    run_ready_tasks().await;
    let mut found: Vec<String> =
        reader.state().iter().map(|job| job.metadata.name.clone().unwrap()).collect();
    let mut expected: Vec<String> = server
        .list("batch/v1", "jobs")
        .iter()
        .map(|job| job["metadata"]["name"].as_str().unwrap().to_owned())
        .collect();
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
    assert_eq!(found.len(), 35);
    follow.abort();
}

#[tokio::test(start_paused = true)]
async fn a_definition_that_is_removed_ends_the_watches_of_its_objects() {
    let server = with_kronjobs();
    let api = kronjobs(&server.client("test"));
    let mut events = Box::pin(api.watch(&kube::api::WatchParams::default(), "0").await.unwrap());
    server.delete("apiextensions.k8s.io/v1", "customresourcedefinitions", "", "kronjobs.kron.io");
    run_ready_tasks().await;
    let ended = tokio::time::timeout(Duration::from_secs(1), events.try_next()).await;
    assert!(matches!(ended, Ok(Ok(None))), "{ended:?}");
    assert_eq!(server.running_watches().len(), 0);
}
