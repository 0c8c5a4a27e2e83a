//! A stand-in for the Job controller and everything below it: Jobs start, take their time and end.

use std::time::Duration;

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use serde_json::{Value, json};

use crate::background::Background;
use crate::json;
use crate::kinds::job_status;
use crate::meta;
use crate::objects::Objects;

/// How a Job goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// How long it takes from its start to its end.
    pub time: Duration,
    /// Whether it completes or fails.
    pub succeeds: bool,
}

impl Objects {
    /// Starts what runs Jobs. `run` is asked once for each Job when it starts (suspended Jobs wait) and says how it goes;
    /// None: it runs for ever. The status is written as the Job controller writes it, in two steps: `startTime` and
    /// `active` first; the counts, the end and the conditions (`SuccessCriteriaMet` and `Complete`, or `FailureTarget`
    /// and `Failed`) last. There are no pods. It runs until the handle is dropped.
    pub fn start_job_controller(
        &self,
        run: impl Fn(&Value) -> Option<Run> + Send + Sync + 'static,
    ) -> Background {
        let objects = self.clone();
        let mut changes = self.follow("batch/v1", "jobs");
        Background::spawn(async move {
            let mut running = FuturesUnordered::new();
            loop {
                tokio::select! {
                    job = changes.next() => match job {
                        Some(job) => if let Some(job) = start(&objects, &job) && let Some(run) = run(&job) {
                            running.push(async move {
                                tokio::time::sleep(run.time).await;
                                (job, run)
                            });
                        },
                        None => return,
                    },
                    Some((job, run)) = running.next() => end(&objects, &job, run),
                }
            }
        })
    }
}

/// Writes the start of a Job that has none yet, and gives back what was written.
fn start(objects: &Objects, job: &Value) -> Option<Value> {
    edit(objects, job, |job| {
        let suspended = json::at(job, &["spec", "suspend"]) == Some(&Value::Bool(true));
        let started = json::at(job, &["status", "startTime"]).is_some();
        if suspended || started || job_status::is_finished(job) {
            return false;
        }
        json::set(
            job,
            &["status"],
            json!({"startTime": meta::time(objects.now()), "active": 1, "ready": 0,
            "terminating": 0, "uncountedTerminatedPods": {}}),
        );
        true
    })
}

fn end(objects: &Objects, job: &Value, run: Run) {
    edit(objects, job, |job| {
        if job_status::is_finished(job) {
            return false;
        }
        let now = meta::time(objects.now());
        let condition = |kind: &str, reason: &str, message: &str| {
            json!({"type": kind, "status": "True", "lastProbeTime": now, "lastTransitionTime": now,
                "reason": reason, "message": message})
        };
        let (conditions, count) = if run.succeeds {
            let (reason, message) = ("CompletionsReached", "Reached expected number of succeeded pods");
            json::set(job, &["status", "completionTime"], now.as_str());
            (
                [condition("SuccessCriteriaMet", reason, message), condition("Complete", reason, message)],
                "succeeded",
            )
        } else {
            let (reason, message) = ("BackoffLimitExceeded", "Job has reached the specified backoff limit");
            ([condition("FailureTarget", reason, message), condition("Failed", reason, message)], "failed")
        };
        json::set(job, &["status", "conditions"], conditions.to_vec());
        json::set(job, &["status", count], 1);
        json::remove(job, &["status", "active"]);
        true
    });
}

/// Edits a Job if it is still the same one and `change` says that it changed it.
fn edit(objects: &Objects, job: &Value, change: impl FnOnce(&mut Value) -> bool) -> Option<Value> {
    let text = |key| json::text_or_empty(job, &["metadata", key]);
    let (namespace, name, uid) = (text("namespace"), text("name"), text("uid"));
    objects.edit_if("batch/v1", "jobs", namespace, name, |current| {
        json::text(current, &["metadata", "uid"]) == Some(uid)
            && json::at(current, &["metadata", "deletionTimestamp"]).is_none()
            && change(current)
    })
}
