//! The TTL-after-finished controller.

use chrono::{DateTime, TimeDelta, Utc};
use futures::StreamExt;
use futures::stream::FuturesUnordered;
use serde_json::Value;

use crate::background::Background;
use crate::json;
use crate::kinds::job_status;
use crate::objects::Objects;

/// When a finished Job may go.
fn expiry(job: &Value) -> Option<DateTime<Utc>> {
    let ttl = json::integer(job, &["spec", "ttlSecondsAfterFinished"])?;
    let finished = json::list(job, &["status", "conditions"])
        .iter()
        .filter(|condition| {
            matches!(json::text(condition, &["type"]), Some("Complete" | "Failed"))
                && json::text(condition, &["status"]) == Some("True")
        })
        .find_map(|condition| json::text(condition, &["lastTransitionTime"]))?;
    let finished = DateTime::parse_from_rfc3339(finished).ok()?.to_utc();
    finished.checked_add_signed(TimeDelta::try_seconds(ttl)?)
}

impl Objects {
    /// Starts the controller that deletes finished Jobs with their dependents when `ttlSecondsAfterFinished` is over, by
    /// the injected clock. It runs until the handle is dropped.
    pub fn start_ttl_controller(&self) -> Background {
        let objects = self.clone();
        let mut changes = self.follow("batch/v1", "jobs");
        Background::spawn(async move {
            let mut waiting = FuturesUnordered::new();
            loop {
                tokio::select! {
                    job = changes.next() => match job {
                        Some(job) => if job_status::is_finished(&job) && let Some(expiry) = expiry(&job) {
                            let objects = objects.clone();
                            waiting.push(async move {
                                objects.sleep_until(expiry).await;
                                job
                            });
                        },
                        None => return,
                    },
                    Some(job) = waiting.next() => {
                        let (namespace, name) = (
                            json::text_or_empty(&job, &["metadata", "namespace"]),
                            json::text_or_empty(&job, &["metadata", "name"]),
                        );
                        // It may be another Job by now, or its TTL may have been raised.
                        let Some(current) = objects.get("batch/v1", "jobs", namespace, name) else { continue };
                        let same = json::at(&current, &["metadata", "uid"]) == json::at(&job, &["metadata", "uid"]);
                        if same && expiry(&current).is_some_and(|expiry| expiry <= objects.now()) {
                            objects.delete_foreground("batch/v1", "jobs", namespace, name);
                        }
                    }
                }
            }
        })
    }
}
