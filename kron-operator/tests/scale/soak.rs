//! An hour of real time at fifty starts a second, while users create, delete, edit, suspend and run KronJobs: whether memory
//! or queues of the operator grow. The operator runs as a process of its own.

use std::sync::Arc;
use std::time::Duration;

use chrono::Utc;
use kron_api_model::{Run, Server};
use kron_crd::custom_resource_definition;
use kron_formats::names::RUN_NOW;
use kube::Api;
use kube::api::{ApiResource, DeleteParams, DynamicObject, GroupVersionKind, Patch, PatchParams, PostParams};
use serde_json::{Value, json};
use tokio::time::{MissedTickBehavior, interval, sleep};

use crate::process::Replica;

/// Each starts once a minute, somewhere in the minute.
const KRONJOBS: usize = 3_000;
const NAMESPACES: usize = 100;
const STARTS_PER_SECOND: f64 = KRONJOBS as f64 / 60.0;
/// How long a Job runs.
const RUN_TIME: Duration = Duration::from_secs(3);

fn namespace(number: usize) -> String {
    format!("team-{}", number % NAMESPACES)
}

fn kronjob(number: usize) -> Value {
    let concurrency = ["forbid", "allow", "replace"][number % 3];
    let mut template = json!({"template": {"spec": {"restartPolicy": "Never", "containers": [{
        "name": "main", "image": "registry.example/team/some-job:1.2.3", "args": ["x".repeat(500)],
    }]}}});
    if number.is_multiple_of(2) {
        template["ttlSecondsAfterFinished"] = json!(30);
    }
    json!({
        "apiVersion": "kron.io/v1alpha1", "kind": "KronJob",
        "metadata": {"name": format!("job-{number}"), "namespace": namespace(number)},
        "spec": {
            "schedule": "* * * * *", "window": {"duration": "1m"},
            "policy": {"concurrency": concurrency, "deadline": "30s"},
            "jobTemplate": {"spec": template},
        },
    })
}

/// A user with a few KronJobs: each call does one thing to one of them.
struct User {
    server: Server,
    resource: ApiResource,
    /// The KronJobs that are there are these numbers and the `KRONJOBS` - 1 that follow.
    oldest: usize,
    acts: usize,
}

impl User {
    fn new(server: &Server) -> User {
        let kind = GroupVersionKind::gvk("kron.io", "v1alpha1", "KronJob");
        let resource = ApiResource::from_gvk_with_plural(&kind, "kronjobs");
        User { server: server.clone(), resource, oldest: 0, acts: 0 }
    }

    fn api(&self, number: usize) -> Api<DynamicObject> {
        Api::namespaced_with(self.server.client("user"), &namespace(number), &self.resource)
    }

    async fn create(&self, number: usize) {
        let object: DynamicObject = serde_json::from_value(kronjob(number)).unwrap();
        self.api(number).create(&PostParams::default(), &object).await.unwrap();
    }

    async fn patch(&self, number: usize, patch: Value) {
        let api = self.api(number);
        api.patch(&format!("job-{number}"), &PatchParams::default(), &Patch::Merge(patch)).await.unwrap();
    }

    /// Replaces a KronJob by a new one, edits one, suspends one, resumes it, or asks for a run, in turns.
    async fn act(&mut self) {
        self.acts += 1;
        let any = self.oldest + self.acts * 7919 % KRONJOBS;
        let round = self.acts / 5;
        let turn = self.oldest + round * 31 % (KRONJOBS - 100) + 50;
        match self.acts % 5 {
            0 => {
                let (gone, new) = (self.oldest, self.oldest + KRONJOBS);
                self.api(gone).delete(&format!("job-{gone}"), &DeleteParams::default()).await.unwrap();
                self.create(new).await;
                self.oldest += 1;
            }
            1 => {
                let seconds = 30 + round % 30;
                self.patch(any, json!({"spec": {"window": {"duration": format!("{seconds}s")}}})).await;
            }
            2 => self.patch(turn, json!({"spec": {"policy": {"suspend": true}}})).await,
            3 => self.patch(turn, json!({"spec": {"policy": {"suspend": false}}})).await,
            _ => {
                let token = format!("soak-{}", self.acts);
                self.patch(any, json!({"metadata": {"annotations": {RUN_NOW: token}}})).await;
            }
        }
    }
}

/// A row of the operator's metrics, all labels added up that match.
fn metric(page: &str, name: &str, label: &str) -> f64 {
    let rows = page.lines().filter(|line| line.starts_with(name) && line.contains(label));
    rows.filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok()).sum()
}

/// What was seen at the end of a minute.
struct Sample {
    resident: f64,
    /// KronJobs that wait for requests.
    queued: f64,
}

fn median(samples: &[Sample]) -> f64 {
    let mut resident: Vec<f64> = samples.iter().map(|sample| sample.resident).collect();
    resident.sort_by(f64::total_cmp);
    resident[resident.len() / 2]
}

async fn soak(minutes: usize) {
    let server = Server::new(Arc::new(Utc::now));
    // What the model keeps of the past is its own.
    server.set_history_limit(1000);
    server.set_log_limit(10_000);
    server.create(custom_resource_definition(false)).unwrap();
    (0..NAMESPACES).for_each(|number| drop(server.create_namespace(&namespace(number)).unwrap()));
    (0..KRONJOBS).for_each(|number| drop(server.create(kronjob(number)).unwrap()));
    let _jobs = server.start_job_controller(|_| Some(Run { time: RUN_TIME, succeeds: true }));
    let _ttl = server.start_ttl_controller();
    let replica = Replica::start(&server, "soak", &["--dry-runs", "1000"]).await;

    let churn = tokio::spawn({
        let mut user = User::new(&server);
        async move {
            let mut second = interval(Duration::from_millis(200));
            second.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                second.tick().await;
                user.act().await;
            }
        }
    });
    let mut samples: Vec<Sample> = Vec::new();
    let mut started = 0.0;
    println!("minute, starts in it, MiB, KronJobs that wait for requests, Events that wait, Jobs");
    for minute in 1..=minutes {
        sleep(Duration::from_secs(60)).await;
        let page = replica.page("/metrics").await;
        let depth = |lane: &str| metric(&page, "kron_operator_queue_depth", &format!("lane=\"{lane}\""));
        let (events, all) = (depth("events"), metric(&page, "kron_operator_queue_depth", ""));
        let executed = metric(&page, "kron_outcomes_total", "outcome=\"executed\"");
        let sample = Sample { resident: replica.resident("VmRSS"), queued: all - events };
        println!(
            "{minute}, {:.0}, {:.1}, {:.0}, {events:.0}, {:.0}",
            executed - started,
            sample.resident,
            sample.queued,
            metric(&page, "kron_executions", "")
        );
        // The first minute has the first starts of KronJobs that were just created.
        assert!(minute == 1 || executed - started > 0.9 * 60.0 * STARTS_PER_SECOND, "{}", executed - started);
        started = executed;
        let missed = metric(&page, "kron_outcomes_total", "outcome=\"missed\"");
        assert_eq!(missed, 0.0, "periods were missed");
        assert!(sample.queued < STARTS_PER_SECOND * 10.0, "{} KronJobs wait for requests", sample.queued);
        samples.push(sample);
    }
    assert!(!churn.is_finished(), "the user's requests fail");
    churn.abort();
    // In the first third the histories of Jobs fill, and the queue of Events: there are 150 a second, and at most 100 are sent.
    let third = minutes / 3;
    let (before, after) = (median(&samples[third..2 * third]), median(&samples[2 * third..]));
    println!("resident memory in the second third: {before:.1} MiB, in the last: {after:.1} MiB");
    assert!(after < before * 1.05, "the memory grows");
}

/// `KRON_SOAK_MINUTES` makes it shorter.
#[test]
#[ignore = "takes an hour"]
fn an_hour_of_fifty_starts_a_second() {
    let _turn = crate::TURN.lock();
    let minutes = std::env::var("KRON_SOAK_MINUTES").map_or(60, |number| number.parse().unwrap());
    assert!(minutes >= 6, "6 minutes are the least");
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(soak(minutes));
}
