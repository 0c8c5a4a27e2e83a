//! What runs Jobs and what clears them away.

use std::time::Duration;

use kron_api_model::{Match, Run, Verb};
use kube::api::{Patch, PatchParams, PostParams};
use serde_json::json;

use crate::world::{job, job_value, jobs, run_ready_tasks, server};

#[tokio::test(start_paused = true)]
async fn jobs_run_and_end() {
    let server = server();
    let minute = Duration::from_secs(60);
    let job_controller = server.start_job_controller(move |job| match job["metadata"]["name"].as_str() {
        Some("fails") => Some(Run { time: minute, succeeds: false }),
        Some("hangs") => None,
        _ => Some(Run { time: minute, succeeds: true }),
    });
    let jobs = jobs(&server.client("test"));
    let mut suspended = job_value("suspended");
    suspended["spec"]["suspend"] = json!(true);
    for value in [job_value("works"), job_value("fails"), job_value("hangs"), suspended] {
        server.create(value).unwrap();
    }
    run_ready_tasks().await;
    let status = |name: &str| server.get("batch/v1", "jobs", "default", name).unwrap()["status"].clone();
    for name in ["works", "fails", "hangs"] {
        assert_eq!(status(name)["startTime"], "2026-03-01T00:00:00Z");
        assert_eq!(status(name)["active"], 1);
    }
    assert_eq!(status("suspended"), json!({}));
    tokio::time::sleep(minute * 2).await;
    assert_eq!(status("works")["completionTime"], "2026-03-01T00:01:00Z");
    assert_eq!(status("works")["succeeded"], 1);
    assert_eq!(status("works")["conditions"][0]["type"], "SuccessCriteriaMet");
    assert_eq!(status("works")["conditions"][1]["type"], "Complete");
    assert_eq!(status("fails").get("completionTime"), None);
    assert_eq!(status("fails")["conditions"][1]["type"], "Failed");
    assert_eq!(status("hangs")["active"], 1);
    let resume = Patch::Merge(json!({"spec": {"suspend": false}}));
    jobs.patch("suspended", &PatchParams::default(), &resume).await.unwrap();
    tokio::time::sleep(minute * 2).await;
    assert_eq!(status("suspended")["startTime"], "2026-03-01T00:02:00Z");
    assert_eq!(status("suspended")["succeeded"], 1);
    drop(job_controller);
    run_ready_tasks().await;
    // A server would take what it writes from any caller.
    for name in ["works", "fails"] {
        let value = server.get("batch/v1", "jobs", "default", name).unwrap();
        jobs.create(&PostParams::default(), &job(&format!("{name}-again"))).await.unwrap();
        let patch = Patch::Merge(json!({"status": value["status"]}));
        jobs.patch_status(&format!("{name}-again"), &PatchParams::default(), &patch).await.unwrap();
    }
    server.create(job_value("late")).unwrap();
    tokio::time::sleep(minute).await;
    assert_eq!(status("late"), json!({}));
}

#[tokio::test(start_paused = true)]
async fn finished_jobs_live_as_long_as_their_ttl() {
    let server = server();
    let _job_controller =
        server.start_job_controller(|_| Some(Run { time: Duration::from_secs(10), succeeds: true }));
    let _ttl = server.start_ttl_controller();
    let mut short = job_value("short");
    short["spec"]["ttlSecondsAfterFinished"] = json!(100);
    server.create(short.clone()).unwrap();
    short["metadata"]["name"] = json!("raised");
    server.create(short).unwrap();
    server.create(job_value("kept")).unwrap();
    let jobs = jobs(&server.client("test"));
    tokio::time::sleep(Duration::from_secs(50)).await;
    let raise = Patch::Merge(json!({"spec": {"ttlSecondsAfterFinished": 1000}}));
    jobs.patch("raised", &PatchParams::default(), &raise).await.unwrap();
    tokio::time::sleep(Duration::from_secs(59)).await;
    assert_eq!(server.count("batch/v1", "jobs"), 3);
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(server.get("batch/v1", "jobs", "default", "short"), None);
    assert_eq!(server.count("batch/v1", "jobs"), 2);
    tokio::time::sleep(Duration::from_secs(1000)).await;
    assert_eq!(server.count("batch/v1", "jobs"), 1);
    assert_eq!(server.count_requests(&Match::any().verb(Verb::Delete)), 0, "the controller is not a caller");
}
