//! A cluster to try the commands of a page in: the model behind a socket, an operator on it, and a copy of the repository's
//! files, in which a page may change what it tells its readers to change.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::extract::Path as UrlPath;
use axum::routing::get;
use kron_api_model::{Background, Run, Server, SimulatedClock};
use kron_operator::engine::Options;
use kron_operator::lease::LeaseConfig;
use kron_operator::operator::Operator;
use serde_json::{Value, json};

use super::page::root;
use crate::e2e::cluster::Replica;
use crate::installed::{self, Rights};
use crate::socket;

/// The folder of kubectl and helm.
pub fn programs() -> Option<PathBuf> {
    std::env::var_os("KUBECTL_DIR").filter(|folder| !folder.is_empty()).map(PathBuf::from)
}

/// A call of docker: its words, and what it read where it was told to read (`-`).
pub struct Docker {
    pub words: Vec<String>,
    pub input: String,
}

/// Runs for as long as it is kept.
pub struct World {
    pub server: Server,
    pub folder: PathBuf,
    clock: Arc<SimulatedClock>,
    /// What the pods have written, by their names.
    logs: Arc<Mutex<BTreeMap<String, String>>>,
    _jobs: Background,
}

impl World {
    /// A cluster with the namespaces of a new one; `start` is its time. Jobs take 30 seconds, and complete.
    pub async fn new(start: &str) -> World {
        let clock = SimulatedClock::new(start.parse().unwrap());
        let server = Server::new(clock.of_server());
        installed::serve_kinds(&server);
        let jobs =
            server.start_job_controller(|_| Some(Run { time: Duration::from_secs(30), succeeds: true }));

        let logs = Arc::new(Mutex::new(BTreeMap::new()));
        let of_pods = logs.clone();
        let log = get(async move |UrlPath((_, pod)): UrlPath<(String, String)>| {
            of_pods.lock().unwrap().get(&pod).cloned().unwrap_or_default()
        });
        let routes = axum::Router::new().route("/api/v1/namespaces/{namespace}/pods/{pod}/log", log);
        let address = socket::serve(kron_api_kubectl::client(&server, "user"), routes).await;

        let folder = copied();
        std::fs::write(folder.join("kubeconfig"), socket::kubeconfig(address)).unwrap();
        World { server, folder, clock, logs, _jobs: jobs }
    }

    /// [`World::new`], with the operator installed as docs/guide/kubernetes.md says, and running.
    pub async fn with_operator(start: &str) -> (World, Replica) {
        let world = World::new(start).await;
        world.run("kubectl apply -k kron-operator/deploy/crd").await;
        world.run("kubectl apply -k kron-operator/deploy").await;
        let operator = world.start_operator().await;
        (world, operator)
    }

    // ---- time

    /// Lets seconds pass. While a command runs, no time passes.
    pub async fn pass(&self, seconds: u64) {
        tokio::time::sleep(Duration::from_secs(seconds)).await;
    }

    /// Waits for a time.
    pub async fn reach(&self, time: &str) {
        let left = time.parse::<chrono::DateTime<chrono::Utc>>().unwrap() - self.clock.now();
        tokio::time::sleep(left.to_std().expect("the time is still to come")).await;
    }

    // ---- commands

    /// What a command prints. It must succeed.
    #[track_caller]
    pub fn run(&self, command: &str) -> impl Future<Output = String> {
        let place = std::panic::Location::caller();
        let (command, running) = (command.to_string(), self.try_run(command));
        async move {
            let (succeeded, output, errors) = running.await;
            assert!(succeeded, "{place}: {command}\n{output}{errors}");
            print!("$ {command}\n{output}{errors}");
            output
        }
    }

    /// Whether a command succeeds, and what it prints to each of the two streams.
    pub async fn try_run(&self, command: &str) -> (bool, String, String) {
        let own = self.folder.join("bin").display().to_string();
        let of_user = self.folder.join(".local/bin").display().to_string();
        let path = format!("{own}:{of_user}:{}", std::env::var("PATH").unwrap());
        let mut bash = Command::new("timeout");
        // The limit is for commands that wait for what never comes.
        bash.args(["600", "bash", "-euo", "pipefail", "-c", command])
            .current_dir(&self.folder)
            .env("PATH", path)
            .env("HOME", &self.folder)
            .env("KUBECONFIG", self.folder.join("kubeconfig"))
            .env_remove("KRON_TZDB")
            .env_remove("TZDIR")
            .stdin(Stdio::null());
        // Tokio's clock stands while a blocking task runs.
        let output = tokio::task::spawn_blocking(move || bash.output()).await.unwrap().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).to_string();
        (output.status.success(), text(&output.stdout), text(&output.stderr))
    }

    /// Asserts that a command prints what a page shows; blanks at the ends of lines do not count.
    #[track_caller]
    pub fn shows(&self, command: &str, shown: &str) -> impl Future<Output = ()> {
        let place = std::panic::Location::caller();
        let shown = trimmed(shown);
        let running = self.run(command);
        async move {
            let printed = trimmed(&running.await);
            assert_eq!(printed, shown, "{place}");
        }
    }

    /// The calls of docker so far.
    pub fn docker(&self) -> Vec<Docker> {
        let mut calls = Vec::new();
        for number in 1.. {
            let file =
                |name: &str| std::fs::read_to_string(self.folder.join(format!("docker-{number}-{name}")));
            let Ok(words) = file("words") else { return calls };
            calls.push(Docker {
                words: words.lines().map(str::to_string).collect(),
                input: file("input").unwrap_or_default(),
            });
        }
        calls
    }

    /// Changes a file as a reader does.
    pub fn edit(&self, file: &str, change: impl FnOnce(String) -> String) {
        let file = self.folder.join(file);
        let before = std::fs::read_to_string(&file).unwrap();
        let after = change(before.clone());
        assert_ne!(before, after, "{} is as before", file.display());
        std::fs::write(file, after).unwrap();
    }

    // ---- what a cluster does that the model does not

    /// Starts the operator in this process, with no rights but those of its role and of its Lease.
    pub async fn start_operator(&self) -> Replica {
        Rights::of(&self.server, "operator").follow();
        let lease = LeaseConfig::new("kron-system", "kron-operator", "operator");
        let client = self.server.client("operator");
        let operator =
            Operator::new(client, self.clock.of_operator(), "operator", Some(lease), Options::default());
        let replica = Replica::start(operator);
        // The first look at the Lease, and the first lists.
        self.pass(30).await;
        assert!(replica.operator.health().ready());
        replica
    }

    /// Writes the status of a Deployment whose pods are all there, as its controller does.
    pub fn roll_out(&self, namespace: &str, name: &str) -> Value {
        let edited = self.server.edit("apps/v1", "deployments", namespace, name, |deployment| {
            let replicas = deployment["spec"]["replicas"].clone();
            deployment["status"] = json!({
                "observedGeneration": deployment["metadata"]["generation"], "replicas": replicas,
                "updatedReplicas": replicas, "readyReplicas": replicas, "availableReplicas": replicas,
                "conditions": [{"type": "Available", "status": "True"}],
            });
        });
        edited.unwrap_or_else(|| panic!("no Deployment {namespace}/{name}"))
    }

    /// Makes one running pod of each object with a pod template that has none yet, as its controller does. `log` is what it
    /// writes.
    pub fn make_pods(&self, api_version: &str, resource: &str, log: &str) {
        let now = self.clock.now().to_rfc3339_opts(chrono::SecondsFormat::Secs, true);
        for owner in self.server.list(api_version, resource) {
            let (metadata, template) = (&owner["metadata"], &owner["spec"]["template"]);
            let name = format!("{}-pod", metadata["name"].as_str().unwrap());
            let namespace = metadata["namespace"].as_str().unwrap();
            if self.server.get("v1", "pods", namespace, &name).is_some() {
                continue;
            }
            let pod = json!({
                "apiVersion": "v1", "kind": "Pod",
                "metadata": {"name": name, "namespace": namespace, "labels": template["metadata"]["labels"]},
                "spec": template["spec"],
            });
            self.server.create(pod).unwrap();
            let condition = |kind: &str| json!({"type": kind, "status": "True", "lastTransitionTime": now});
            self.server.edit("v1", "pods", namespace, &name, |pod| {
                pod["status"] = json!({"phase": "Running", "conditions": [condition("PodScheduled"), condition("Ready")]});
            });
            self.logs.lock().unwrap().insert(name, log.to_string());
        }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        // What is left of a failure is in the output of the test.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Lines without the blanks at their ends.
fn trimmed(text: &str) -> String {
    text.lines().map(str::trim_end).collect::<Vec<&str>>().join("\n")
}

/// A folder with the files that the pages name, and a `bin` with the programs.
fn copied() -> PathBuf {
    static COUNT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let folder =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("pages-{}-{number}", std::process::id()));
    for part in
        ["kron-operator/deploy", "kron-operator/chart", "kron-operator/integrations", "examples/manifests"]
    {
        copy(&root().join(part), &folder.join(part));
    }
    let dockerfile = "kron-operator/Dockerfile";
    std::fs::copy(root().join(dockerfile), folder.join(dockerfile)).unwrap();

    let bin = folder.join("bin");
    std::fs::create_dir_all(&bin).unwrap();
    std::fs::create_dir_all(folder.join(".local/bin")).unwrap();
    let link = |program: &Path, name: &str| std::os::unix::fs::symlink(program, bin.join(name)).unwrap();
    let programs = programs().unwrap();
    link(&programs.join("kubectl"), "kubectl");
    link(&programs.join("helm"), "helm");
    let operator = Path::new(env!("CARGO_BIN_EXE_kron-operator"));
    link(operator, "kron-operator");
    // Another package builds it, into the same folder.
    let kron = operator.with_file_name("kron");
    assert!(kron.exists(), "{} is not there: cargo build -p kron-cli", kron.display());
    link(&kron, "kron");
    // There is no docker where the tests run: what it is told is written down.
    let docker = bin.join("docker");
    let script = "#!/bin/bash\nnumber=1\nwhile [ -e docker-$number-words ]; do number=$((number + 1)); done\n\
                  printf '%s\\n' \"$@\" > docker-$number-words\n\
                  [ \"${!#}\" != - ] || cat > docker-$number-input\n";
    std::fs::write(&docker, script).unwrap();
    std::fs::set_permissions(&docker, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    folder
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            std::fs::copy(from, to).unwrap();
        }
    }
}
