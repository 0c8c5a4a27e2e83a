//! A cluster to test in: the model or a real API server, with a namespace that lives as long as the test.

use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use futures::FutureExt;
use kron_api_model::{Run, Server, SimulatedClock};
use kron_core::Parser;
use kron_crd::custom_resource_definition;
use kron_operator::client::{ClientOptions, client};
use kron_operator::clock::{Clock, system_clock};
use kron_operator::engine::Options;
use kron_operator::lease::LeaseConfig;
use kron_operator::namespaces::Namespaces;
use kron_operator::operator::Operator;
use kron_operator::random::Random;
use kron_operator::telemetry::log_of_this_thread;
use kube::Client;
use kube::api::{
    Api, ApiResource, DeleteParams, DynamicObject, GroupVersionKind, ListParams, ObjectMeta, Patch,
    PatchParams, PostParams,
};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tracing::subscriber::NoSubscriber;

use super::freezer::Freezer;
use super::manifest::{Manifest, kronjob};

/// Names the file with the way to a real API server.
const KUBECONFIG: &str = "KRON_TEST_KUBECONFIG";
/// Names the file with the credentials of the replicas there, if they are not those of the test.
const OPERATOR_KUBECONFIG: &str = "KRON_TEST_OPERATOR_KUBECONFIG";
/// Replaces the suffix of namespaces, which chosen times depend on: to repeat a run, or to vary those of the model.
const SUFFIX: &str = "KRON_TEST_SUFFIX";
/// Sets when tests begin on the model: somewhere within a minute, as on real servers.
const START: &str = "KRON_TEST_START";
const USUAL_START: &str = "2026-03-01T11:58:33.250Z";

/// Longer than any step that does not wait for a time.
pub const SOON: Duration = Duration::from_secs(20);

/// Where a test runs.
pub struct Cluster {
    pub client: Client,
    pub clock: Arc<dyn Clock>,
    pub namespace: String,
    /// The model, if it is one: for tests that are marked so.
    model: Option<(Server, Arc<SimulatedClock>)>,
    /// The client of the replicas on a real server.
    of_replicas: Client,
    /// The random numbers of the replicas.
    random: Random,
}

/// Runs a test on the model, once without nodes and once with nodes that run pods, or, if one is configured, on a real
/// server, which may have nodes.
pub fn on_cluster(test: impl AsyncFn(&Cluster)) {
    match std::env::var_os(KUBECONFIG) {
        None => {
            for nodes in [false, true] {
                println!("on a cluster {} nodes", if nodes { "with" } else { "without" });
                block_on(true, async {
                    let cluster = Cluster::model(start(), false);
                    let _job_controller =
                        nodes.then(|| cluster.server().start_job_controller(run_if_schedulable));
                    test(&cluster).await;
                });
            }
        }
        Some(file) => block_on(false, async {
            let cluster = Cluster::real(file.into()).await;
            // The namespaces are deleted even if the test fails.
            let outcome = AssertUnwindSafe(test(&cluster)).catch_unwind().await;
            let namespaces = cluster.api("v1", "Namespace", "namespaces", None);
            namespaces.delete(&cluster.namespace, &DeleteParams::background()).await.unwrap();
            // Most tests have none.
            let _ = namespaces.delete(&cluster.other_namespace(), &DeleteParams::background()).await;
            if let Err(panic) = outcome {
                std::panic::resume_unwind(panic);
            }
        }),
    }
}

/// Pods that fit a node run for a second and succeed; others wait for ever. No node has labels.
fn run_if_schedulable(job: &Value) -> Option<Run> {
    let selector = &job["spec"]["template"]["spec"]["nodeSelector"];
    let fits = selector.as_object().is_none_or(serde_json::Map::is_empty);
    fits.then_some(Run { time: Duration::from_secs(1), succeeds: true })
}

/// Runs a test on the model; on a real server it is skipped.
pub fn on_model(test: impl AsyncFnOnce(&Cluster, &Server)) {
    on_model_with(Random::default(), test);
}

/// [`on_model`] with replicas whose random numbers are given.
pub fn on_model_with(random: Random, test: impl AsyncFnOnce(&Cluster, &Server)) {
    on_model_of(false, random, test);
}

/// [`on_model`] with the strict variant of the resource.
pub fn on_strict_model(test: impl AsyncFnOnce(&Cluster, &Server)) {
    on_model_of(true, Random::default(), test);
}

fn on_model_of(strict: bool, random: Random, test: impl AsyncFnOnce(&Cluster, &Server)) {
    if std::env::var_os(KUBECONFIG).is_some() {
        println!("{}: on the model only", std::thread::current().name().unwrap_or_default());
        return;
    }
    block_on(true, async {
        let cluster = Cluster { random, ..Cluster::model(start(), strict) };
        let server = cluster.server().clone();
        test(&cluster, &server).await;
    });
}

fn start() -> DateTime<Utc> {
    std::env::var(START).unwrap_or_else(|_| USUAL_START.to_string()).parse().unwrap()
}

fn block_on(paused: bool, future: impl Future<Output = ()>) {
    let _no_log = log_of_this_thread(NoSubscriber::new());
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().start_paused(paused).build().unwrap();
    runtime.block_on(future);
}

async fn client_of(kubeconfig: PathBuf) -> Client {
    client(&ClientOptions { kubeconfig: Some(kubeconfig), context: None }).await.unwrap()
}

impl Cluster {
    /// A model with the resource and the test's namespace.
    pub fn model(start: DateTime<Utc>, strict: bool) -> Cluster {
        let clock = SimulatedClock::new(start);
        let server = Server::new(clock.of_server());
        server.create(custom_resource_definition(strict)).unwrap();
        let suffix = std::env::var(SUFFIX).unwrap_or_else(|_| "model".to_string());
        let namespace = format!("kron-e2e-{suffix}");
        server.create_namespace(&namespace).unwrap();
        let client = server.client("test");
        Cluster {
            client: client.clone(),
            of_replicas: client,
            clock: clock.of_operator(),
            namespace,
            model: Some((server, clock)),
            random: Random::default(),
        }
    }

    async fn real(kubeconfig: PathBuf) -> Cluster {
        let client = client_of(kubeconfig).await;
        let operator = std::env::var_os(OPERATOR_KUBECONFIG);
        let of_replicas = match &operator {
            Some(file) => client_of(file.into()).await,
            None => client.clone(),
        };
        let random: String = (0..8).map(|_| char::from(rand::random_range(b'a'..=b'z'))).collect();
        let namespace = format!("kron-e2e-{}", std::env::var(SUFFIX).unwrap_or(random));
        println!("namespace {namespace}");
        let (clock, random) = (Arc::new(system_clock), Random::default());
        let cluster = Cluster { client, clock, namespace, model: None, of_replicas, random };
        cluster.install().await;
        let namespaces = cluster.api("v1", "Namespace", "namespaces", None);
        let body = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": cluster.namespace}});
        namespaces.create(&PostParams::default(), &object(body)).await.unwrap();
        if operator.is_some() {
            cluster.allow_leases().await;
        }
        cluster
    }

    /// Binds in the test's namespace, where the Leases of its replicas are, the role that the installed operator has for its Lease.
    async fn allow_leases(&self) {
        let name = "kron-operator-leader-election";
        for (kind, plural) in [("Role", "roles"), ("RoleBinding", "rolebindings")] {
            let api = |namespace| self.api("rbac.authorization.k8s.io/v1", kind, plural, Some(namespace));
            let mut copy = api("kron-system").get(name).await.unwrap();
            copy.metadata = ObjectMeta { name: Some(name.to_string()), ..ObjectMeta::default() };
            api(&self.namespace).create(&PostParams::default(), &copy).await.unwrap();
        }
    }

    /// Installs the definition, or brings the installed one up to date, and waits until it is served. One that others use is
    /// not changed.
    async fn install(&self) {
        let kind = "CustomResourceDefinition";
        let definitions = self.api("apiextensions.k8s.io/v1", kind, "customresourcedefinitions", None);
        let (name, ours) = ("kronjobs.kron.io", Patch::Apply(custom_resource_definition(false)));
        let apply = PatchParams::apply("kron-e2e").force();
        let installed = definitions.get_opt(name).await.unwrap();
        let wanted = definitions.patch(name, &apply.clone().dry_run(), &ours).await.unwrap();
        if installed.as_ref().map(|installed| &installed.data["spec"]) != Some(&wanted.data["spec"]) {
            if installed.is_some() {
                let all = self.api("kron.io/v1alpha1", "KronJob", "kronjobs", None);
                let all = all.list(&ListParams::default()).await.unwrap();
                let others = all.iter().filter_map(|object| object.metadata.namespace.as_deref());
                let others: Vec<&str> = others.filter(|name| !name.starts_with("kron-e2e-")).collect();
                assert!(
                    others.is_empty(),
                    "the cluster has another definition of KronJob, which is used in {others:?}: apply ours yourself first"
                );
            }
            definitions.patch(name, &apply, &ours).await.unwrap();
        }
        self.until(SOON, "the resource is served", async || {
            let there = definitions.get("kronjobs.kron.io").await.ok()?;
            let conditions = there.data["status"]["conditions"].as_array()?.clone();
            conditions.iter().find(|c| c["type"] == "Established" && c["status"] == "True").map(|_| ())
        })
        .await;
    }

    /// The same cluster, through another client.
    pub fn as_client(&self, client: Client) -> Cluster {
        let (clock, namespace) = (self.clock.clone(), self.namespace.clone());
        let (model, of_replicas) = (self.model.clone(), self.of_replicas.clone());
        Cluster { client, clock, namespace, model, of_replicas, random: self.random.clone() }
    }

    /// The second namespace that a test may make.
    fn other_namespace(&self) -> String {
        format!("{}-other", self.namespace)
    }

    /// The same cluster, in a second namespace, which is not created by this.
    pub fn in_other_namespace(&self) -> Cluster {
        self.in_namespace(self.other_namespace())
    }

    /// The same cluster, in another namespace, which is not created by this.
    pub fn in_namespace(&self, namespace: String) -> Cluster {
        Cluster { namespace, ..self.as_client(self.client.clone()) }
    }

    /// Whether time passes only when all wait for it.
    pub fn is_model(&self) -> bool {
        self.model.is_some()
    }

    /// The model that this is.
    pub fn server(&self) -> &Server {
        &self.model.as_ref().expect("only on the model").0
    }

    /// The clock of the model.
    pub fn simulated_clock(&self) -> &Arc<SimulatedClock> {
        &self.model.as_ref().expect("only on the model").1
    }

    /// The time of the cluster, in Unix seconds.
    pub fn now(&self) -> i64 {
        self.clock.now().timestamp()
    }

    // ---- time

    /// Asks repeatedly until there is an answer, but not longer than the limit.
    #[track_caller]
    pub fn until<T>(
        &self,
        limit: Duration,
        what: &str,
        mut ask: impl AsyncFnMut() -> Option<T>,
    ) -> impl Future<Output = T> {
        let place = std::panic::Location::caller();
        async move {
            let end = tokio::time::Instant::now() + limit;
            let pause = (limit / 400).clamp(Duration::from_millis(100), Duration::from_secs(10));
            loop {
                if let Some(answer) = ask().await {
                    return answer;
                }
                assert!(tokio::time::Instant::now() < end, "{place}: not within {limit:?}: {what}");
                tokio::time::sleep(pause).await;
            }
        }
    }

    /// Waits until the clock of the cluster shows a Unix second.
    pub async fn reach(&self, second: i64) {
        let end = DateTime::from_timestamp(second, 0).unwrap();
        while let Ok(left) = (end - self.clock.now()).to_std() {
            tokio::time::sleep(left.max(Duration::from_millis(1))).await;
        }
    }

    /// Waits until at least so many seconds of the present minute are left, so that what follows happens within one.
    pub async fn with_time_in_this_minute(&self, seconds: i64) {
        let second = self.now().rem_euclid(60);
        if second + seconds >= 60 {
            self.reach(self.now() - second + 61).await;
        }
    }

    // ---- objects

    pub fn api(
        &self,
        api_version: &str,
        kind: &str,
        plural: &str,
        namespace: Option<&str>,
    ) -> Api<DynamicObject> {
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        let resource =
            ApiResource::from_gvk_with_plural(&GroupVersionKind::gvk(group, version, kind), plural);
        match namespace {
            Some(namespace) => Api::namespaced_with(self.client.clone(), namespace, &resource),
            None => Api::all_with(self.client.clone(), &resource),
        }
    }

    pub fn kronjobs(&self) -> Api<DynamicObject> {
        self.api("kron.io/v1alpha1", "KronJob", "kronjobs", Some(&self.namespace))
    }

    pub fn jobs_api(&self) -> Api<DynamicObject> {
        self.api("batch/v1", "Job", "jobs", Some(&self.namespace))
    }

    /// Creates a KronJob of the defaults with these fields of the spec.
    pub async fn create(&self, name: &str, spec: Value) -> Manifest {
        self.try_create(name, spec).await.unwrap()
    }

    pub async fn try_create(&self, name: &str, spec: Value) -> Result<Manifest, kube::Error> {
        let kronjob = object(kronjob(name, &self.namespace, &spec));
        self.kronjobs().create(&PostParams::default(), &kronjob).await.map(|object| Manifest::new(&object))
    }

    pub async fn get(&self, name: &str) -> Manifest {
        Manifest::new(&self.kronjobs().get(name).await.unwrap())
    }

    /// Changes fields of the spec by a merge patch.
    pub async fn edit(&self, name: &str, spec: Value) -> Manifest {
        self.try_edit(name, spec).await.unwrap()
    }

    pub async fn try_edit(&self, name: &str, spec: Value) -> Result<Manifest, kube::Error> {
        let patch = Patch::Merge(json!({"spec": spec}));
        self.kronjobs()
            .patch(name, &PatchParams::default(), &patch)
            .await
            .map(|object| Manifest::new(&object))
    }

    /// Asks for a Job now.
    pub async fn run_now(&self, name: &str, token: &str) {
        self.set_token(name, Some(token)).await;
    }

    /// Asks for it no more.
    pub async fn take_back(&self, name: &str) {
        self.set_token(name, None).await;
    }

    async fn set_token(&self, name: &str, token: Option<&str>) {
        let patch = Patch::Merge(json!({"metadata": {"annotations": {"kron.io/run-now": token}}}));
        self.kronjobs().patch(name, &PatchParams::default(), &patch).await.unwrap();
    }

    /// Waits until something holds of the status.
    #[track_caller]
    pub fn status(
        &self,
        name: &str,
        limit: Duration,
        what: &str,
        holds: impl Fn(&Value) -> bool,
    ) -> impl Future<Output = Value> {
        self.until(limit, what, async move || {
            let status = self.get(name).await.value["status"].take();
            holds(&status).then_some(status)
        })
    }

    /// Waits until the status speaks of the present spec.
    pub async fn observed(&self, name: &str) -> Value {
        let generation = self.get(name).await.value["metadata"]["generation"].clone();
        self.status(name, SOON, "the spec is observed", |status| status["observedGeneration"] == generation)
            .await
    }

    /// The Jobs of a KronJob, by name.
    pub async fn jobs(&self, kronjob: &Manifest) -> Vec<Value> {
        let all = self.jobs_api().list(&ListParams::default()).await.unwrap();
        let mut jobs: Vec<Value> = all.items.iter().map(|job| serde_json::to_value(job).unwrap()).collect();
        jobs.retain(|job| {
            let owners = job["metadata"]["ownerReferences"].as_array();
            owners.is_some_and(|owners| owners.iter().any(|owner| owner["uid"] == kronjob.uid()))
        });
        jobs.sort_by_key(|job| job["metadata"]["name"].to_string());
        jobs
    }

    /// The Job of a period, once it is there. It is waited for up to some seconds after the start.
    #[track_caller]
    pub fn job_of(&self, kronjob: &Manifest, start: Start) -> impl Future<Output = Value> {
        let left = (start.chosen - self.now()).max(0) as u64;
        let label = label_of(start.nominal);
        self.until(Duration::from_secs(left) + SOON, "the period becomes a Job", async move || {
            self.jobs(kronjob)
                .await
                .into_iter()
                .find(|job| job["metadata"]["labels"]["kron.io/period-id"] == label)
        })
    }

    /// Creates a Job of the test's own.
    pub async fn create_job(&self, job: Value) -> Value {
        let created = self.jobs_api().create(&PostParams::default(), &object(job)).await.unwrap();
        serde_json::to_value(created).unwrap()
    }

    /// Says of a Job that it completed or failed, as the Job controller does. Where there is one, it writes this status, too.
    pub async fn finish(&self, job: &Value, successfully: bool) {
        let name = job["metadata"]["name"].as_str().unwrap();
        self.until(SOON, "the Job has ended", async || {
            let mut there = self.jobs_api().get(name).await.unwrap();
            let now = self.clock.now().to_rfc3339_opts(chrono::SecondsFormat::Secs, true);
            let condition = |kind: &str| {
                json!({"type": kind, "status": "True", "lastProbeTime": now, "lastTransitionTime": now,
                    "reason": "Test", "message": "a test says so"})
            };
            let started = there.data["status"]["startTime"].take();
            let mut status = json!({
                "startTime": if started.is_null() { json!(now) } else { started },
                "active": 0, "ready": 0, "terminating": 0,
            });
            if successfully {
                status["succeeded"] = json!(1);
                status["completionTime"] = json!(now);
                status["conditions"] = json!([condition("SuccessCriteriaMet"), condition("Complete")]);
            } else {
                status["failed"] = json!(1);
                status["conditions"] = json!([condition("FailureTarget"), condition("Failed")]);
            }
            // A start time that the controller writes meanwhile may not change again.
            let version = there.metadata.resource_version;
            let patch = Patch::Merge(json!({"metadata": {"resourceVersion": version}, "status": status}));
            match self.jobs_api().patch_status(name, &PatchParams::default(), &patch).await {
                Ok(_) => Some(()),
                Err(kube::Error::Api(refusal)) if refusal.code == 409 => None,
                Err(error) => panic!("{error}"),
            }
        })
        .await;
    }

    /// The texts of the Events of a reason that a KronJob has.
    pub async fn events(&self, kronjob: &Manifest, reason: &str) -> Vec<String> {
        let api = self.api("events.k8s.io/v1", "Event", "events", Some(&self.namespace));
        let all = api.list(&ListParams::default()).await.unwrap();
        let ours = all.items.iter().map(|event| &event.data);
        let ours =
            ours.filter(|event| event["regarding"]["uid"] == kronjob.uid() && event["reason"] == reason);
        ours.map(|event| event["note"].as_str().unwrap_or_default().to_string()).collect()
    }

    /// Waits for an Event whose text holds all of these words.
    #[track_caller]
    pub fn event(&self, kronjob: &Manifest, reason: &str, words: &[&str]) -> impl Future<Output = String> {
        let what = format!("an Event {reason} with {words:?}");
        let place = std::panic::Location::caller();
        async move {
            let what = format!("{place}: {what}");
            self.until(SOON, &what, async || {
                let notes = self.events(kronjob, reason).await;
                notes.into_iter().find(|note| words.iter().all(|word| note.contains(word)))
            })
            .await
        }
    }

    // ---- replicas

    /// The only replica, which works in the test's namespace. It is up when this returns.
    pub async fn operator(&self) -> Replica {
        self.operator_with(Parser::new()).await
    }

    /// The only replica, with a tz database of its own.
    pub async fn operator_with(&self, parser: Parser) -> Replica {
        let options = Options { parser, ..self.options() };
        let replica = self.replica_of("operator", None, options, self.clock.clone());
        self.until(SOON, "the operator is up", async || replica.operator.health().ready().then_some(()))
            .await;
        replica
    }

    /// One of several replicas, which elect a leader. It may not be up yet.
    pub fn replica(&self, name: &str) -> Replica {
        self.replica_on(name, "kron-operator", self.clock.clone())
    }

    /// One of several replicas, with a tz database of its own.
    pub fn replica_with(&self, name: &str, parser: Parser) -> Replica {
        let options = Options { parser, ..self.options() };
        self.replica_of(name, Some(self.lease(name, "kron-operator")), options, self.clock.clone())
    }

    /// One of several replicas, which serves these namespaces; its Lease is in the test's.
    pub fn replica_for(&self, name: &str, namespaces: Namespaces) -> Replica {
        let options = Options { namespaces, ..self.options() };
        self.replica_of(name, Some(self.lease(name, "kron-operator")), options, self.clock.clone())
    }

    /// The settings of a replica that serves the test's namespace.
    pub fn options(&self) -> Options {
        let namespaces = self.namespace.parse().expect("the name of one namespace");
        Options { namespaces, random: self.random.clone(), ..Options::default() }
    }

    /// A replica with a Lease of that name and a clock of its own.
    pub fn replica_on(&self, name: &str, lease: &str, clock: Arc<dyn Clock>) -> Replica {
        self.replica_of(name, Some(self.lease(name, lease)), self.options(), clock)
    }

    fn lease(&self, replica: &str, name: &str) -> LeaseConfig {
        LeaseConfig {
            identity: format!("{replica}_{:.0}", self.random.fraction() * 1e12),
            random: self.random.clone(),
            ..LeaseConfig::new(&*self.namespace, name, replica)
        }
    }

    fn replica_of(
        &self,
        name: &str,
        lease: Option<LeaseConfig>,
        options: Options,
        clock: Arc<dyn Clock>,
    ) -> Replica {
        let client = match &self.model {
            Some((server, _)) => server.client(name),
            None => self.of_replicas.clone(),
        };
        let freezer = Freezer::default();
        let options = Options { hold: Some(Arc::new(freezer.clone())), ..options };
        Replica::start_with(Operator::new(client, clock, name, lease, options), freezer)
    }
}

/// A running replica. It is killed when this is dropped.
pub struct Replica {
    pub operator: Operator,
    pub freezer: Freezer,
    stop: CancellationToken,
    task: tokio::task::JoinHandle<Result<(), kron_operator::engine::EndedEarly>>,
}

impl Replica {
    pub fn start(operator: Operator) -> Replica {
        Replica::start_with(operator, Freezer::default())
    }

    fn start_with(operator: Operator, freezer: Freezer) -> Replica {
        let stop = CancellationToken::new();
        let running = (operator.clone(), stop.clone());
        let run = freezer.clone().freezable(async move { running.0.run(running.1).await });
        Replica { operator, freezer, stop, task: tokio::spawn(run) }
    }

    /// Ends as on SIGTERM, and says how long that took.
    pub async fn stop(mut self) -> Duration {
        let begun = tokio::time::Instant::now();
        self.stop.cancel();
        (&mut self.task).await.unwrap().unwrap();
        begun.elapsed()
    }

    /// Ends as on SIGKILL.
    pub async fn kill(mut self) {
        self.task.abort();
        drop((&mut self.task).await);
    }
}

impl Drop for Replica {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// A period with its chosen time, in Unix seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Start {
    pub nominal: i64,
    pub chosen: i64,
}

/// A time as the resource writes it.
pub fn text_of(second: i64) -> String {
    DateTime::from_timestamp(second, 0).unwrap().format("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// A time as labels write it.
pub fn label_of(second: i64) -> String {
    DateTime::from_timestamp(second, 0).unwrap().format("%Y%m%dT%H%M%SZ").to_string()
}

pub fn object(value: Value) -> DynamicObject {
    serde_json::from_value(value).unwrap()
}

/// A condition of a status.
pub fn condition<'v>(status: &'v Value, kind: &str) -> Option<&'v Value> {
    status["conditions"].as_array()?.iter().find(|condition| condition["type"] == kind)
}

/// Whether a condition of a status has this status and reason.
pub fn has_condition(status: &Value, kind: &str, holds: &str, reason: &str) -> bool {
    condition(status, kind).is_some_and(|found| found["status"] == holds && found["reason"] == reason)
}

/// The code and the message of a refusal.
#[track_caller]
pub fn refusal<T: std::fmt::Debug>(result: Result<T, kube::Error>) -> (u16, String) {
    match result {
        Err(kube::Error::Api(status)) => (status.code, status.message.clone()),
        other => panic!("expected a refusal, and found {other:?}"),
    }
}
