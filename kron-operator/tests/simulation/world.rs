//! What there is in the world, and its dice.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use kron_api_model::{Background, Run, Server, SimulatedClock};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::e2e::cluster::{Cluster, Replica};
use crate::e2e::manifest::template;
use crate::observer::Observer;
use crate::runs;

/// SplitMix64.
pub struct Dice(pub u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from `from` up to, and without, `to`.
    pub fn number(&mut self, from: u64, to: u64) -> u64 {
        from + self.roll() % (to - from)
    }

    pub fn percent(&mut self, p: u64) -> bool {
        self.number(0, 100) < p
    }

    pub fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.number(0, of.len() as u64) as usize].clone()
    }

    pub fn millis(&mut self, from: u64, to: u64) -> Duration {
        Duration::from_millis(self.number(from, to))
    }
}

pub struct World<'c> {
    pub cluster: &'c Cluster,
    pub server: &'c Server,
    pub seed: u64,
    pub dice: Dice,
    pub replicas: [Option<Replica>; 2],
    /// The clocks of the replicas; that of the cluster is the API server's.
    pub clocks: [Arc<SimulatedClock>; 2],
    /// Whether the replicas have two Leases by mistake, so that both lead.
    pub two_leases: bool,
    /// The KronJobs, in the order of their names.
    pub names: Vec<String>,
    pub observer: Observer,
    /// What was done; a failed test prints it.
    pub diary: Vec<String>,
    /// Names of the Jobs that a user deleted.
    pub deleted: BTreeSet<String>,
    /// When each KronJob was created.
    pub made_at: BTreeMap<String, Instant>,
    /// From when on nothing failed any more, in Unix seconds.
    pub calm_since: i64,
    /// Periods that had an outcome by then, by UID of the KronJob.
    pub decided_before: BTreeSet<(String, String)>,
    _controllers: [Background; 2],
}

const NAMES: [&str; 6] = ["j0", "j1", "j2", "j3", "j4", "j5"];
/// KronJobs of a herd have names that begin with this.
const OF_HERD: &str = "herd-";
/// How many they are.
const HERD: usize = 1000;
pub const REPLICAS: [&str; 2] = ["a", "b"];

/// Specs of every policy, with windows that overlap and such that do not.
fn specs() -> Vec<Value> {
    let policy =
        |concurrency: &str, deadline: &str| json!({"concurrency": concurrency, "deadline": deadline});
    let with_ttl = |ttl: i64| {
        let mut template = template();
        template["spec"]["ttlSecondsAfterFinished"] = json!(ttl);
        template
    };
    vec![
        json!({"schedule": "*/2 * * * *", "window": {"duration": "90s"}, "primer": {"lead": "45s"}}),
        json!({"window": {"duration": "50s"}, "policy": policy("allow", "30s"), "primer": {"lead": "24h"}}),
        json!({"schedule": "*/3 * * * *", "window": {"duration": "10m"}, "policy": policy("allow", "2m")}),
        json!({"schedule": "*/5 * * * *", "window": {"duration": "4m"}, "policy": policy("replace", "5m"), "primer": {"lead": "1m"}}),
        json!({"schedule": "*/2 * * * *", "window": {"mode": "around", "duration": "3m"}, "policy": policy("forbid", "1m"), "primer": {"lead": "3m"}}),
        json!({"schedule": "*/4 * * * *", "window": {"duration": "2m"}, "policy": policy("allow", "20s"),
            "constraints": {"avoid": [{"between": "12:20-12:50"}, {"between": "13:33-13:40"}]}}),
        json!({"schedule": "*/30 * * * *", "window": {"duration": "20m"}, "policy": policy("allow", "1h"), "primer": {"lead": "10m"}}),
        json!({"schedule": "*/3 * * * *", "window": {"duration": "5m"}, "policy": policy("replace", "30s"), "jobTemplate": with_ttl(0)}),
        json!({"schedule": "*/2 * * * *", "window": {"duration": "1m"}, "policy": policy("allow", "10m"), "jobTemplate": with_ttl(30)}),
        json!({"policy": policy("forbid", "45s"), "successfulJobsHistoryLimit": 0, "failedJobsHistoryLimit": 0}),
        json!({"schedule": "*/10 * * * *", "timezone": "Europe/Paris", "window": {"duration": "25m"}, "seed": {"strategy": "daily"},
            "policy": policy("forbid", "5m"), "primer": {"lead": "5m"}}),
    ]
}

/// The spec of each KronJob of a herd: all of them start in the same second.
fn of_herd(dice: &mut Dice) -> Value {
    let concurrency = dice.pick(&["allow", "forbid", "replace"]);
    json!({"schedule": "*/5 * * * *", "window": {"duration": "0s"}, "policy": {"concurrency": concurrency}})
}

/// In every 512th run a thousand KronJobs start in the same second.
fn has_herd(seed: u64) -> bool {
    seed % 512 == 43
}

impl<'c> World<'c> {
    pub async fn new(cluster: &'c Cluster, server: &'c Server, seed: u64) -> World<'c> {
        server.set_log_limit(10_000_000);
        let clocks = REPLICAS.map(|_| SimulatedClock::new(cluster.clock.now()));
        let herd = (0..if has_herd(seed) { HERD } else { 0 }).map(|number| format!("{OF_HERD}{number:03}"));
        let names: Vec<String> = herd.chain(NAMES.map(str::to_string)).collect();
        let two_leases = seed % 8 == 7;
        let at_once = 2000 * names.len().div_ceil(NAMES.len());
        let observer = Observer::start(cluster, server, &clocks, at_once, two_leases);
        // The fate of a Job hangs on its name.
        let job_controller = server.start_job_controller(|job| {
            if !job["metadata"]["labels"]["kron.io/primer-for"].is_null() {
                // A pause image waits until it is deleted.
                return None;
            }
            let name = job["metadata"]["name"].as_str().unwrap();
            let fate = name.bytes().fold(7u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
            (fate % 50 != 0).then(|| Run {
                time: Duration::from_secs(5 + if fate % 3 == 0 { fate % 400 } else { fate % 40 }),
                succeeds: fate % 5 != 0,
            })
        });
        let controllers = [job_controller, server.start_ttl_controller()];
        let dice = Dice(seed.wrapping_mul(0x1234_5678_9ABC_DEF1));
        let mut world = World {
            cluster,
            server,
            seed,
            dice,
            replicas: [None, None],
            clocks,
            two_leases,
            names,
            observer,
            diary: Vec::new(),
            deleted: BTreeSet::new(),
            made_at: BTreeMap::new(),
            calm_since: 0,
            decided_before: BTreeSet::new(),
            _controllers: controllers,
        };
        (0..REPLICAS.len()).for_each(|index| world.start(index));
        world.make_all().await;
        world
    }

    /// Whether things go wrong for an hour and a half.
    pub fn is_long(&self) -> bool {
        self.seed.is_multiple_of(32)
    }

    /// Whether a thousand KronJobs start in the same second.
    pub fn has_herd(&self) -> bool {
        has_herd(self.seed)
    }

    /// Whether users edit labels of Jobs, and machines are suspended.
    pub fn edits_labels(&self) -> bool {
        self.seed % 8 == 5
    }

    /// How many times as many KronJobs as usual there are, rounded up.
    pub fn size(&self) -> usize {
        self.names.len().div_ceil(NAMES.len())
    }

    /// One of the KronJobs.
    pub fn any_name(&mut self) -> String {
        self.dice.pick(&self.names)
    }

    /// Starts a replica, unless it is running.
    pub fn start(&mut self, index: usize) {
        let (Some(name), Some(clock)) = (REPLICAS.get(index), self.clocks.get(index)) else { return };
        let lease = if self.two_leases { format!("kron-operator-{name}") } else { "kron-operator".into() };
        let replica = || self.cluster.replica_on(name, &lease, clock.of_operator());
        self.replicas[index].get_or_insert_with(replica);
    }

    /// Sets the clock of a replica to that of the API server.
    pub fn correct_clock(&mut self, index: usize) {
        self.observer.clocks_are_set(&self.clocks);
        let ahead = self.clocks[index].now() - self.cluster.clock.now();
        self.clocks[index].step(-ahead);
    }

    /// Creates a KronJob of some kind.
    pub async fn make(&mut self, name: &str) {
        let spec = if name.starts_with(OF_HERD) { of_herd(&mut self.dice) } else { self.dice.pick(&specs()) };
        self.note(format!("{name} is {spec}"));
        self.made_at.insert(name.to_string(), Instant::now());
        // The one before may not be gone yet.
        drop(self.cluster.try_create(name, spec).await);
    }

    /// Creates the KronJobs that are not there.
    pub async fn make_all(&mut self) {
        for name in self.names.clone() {
            if self.stored(&name).is_none() {
                self.make(&name).await;
            }
        }
    }

    /// A KronJob, as the API server has it.
    pub fn stored(&self, name: &str) -> Option<Value> {
        self.server.get("kron.io/v1alpha1", "kronjobs", &self.cluster.namespace, name)
    }

    pub fn note(&mut self, text: String) {
        let time = self.cluster.clock.now().format("%H:%M:%S%.3f");
        let line = format!("{time} {text}");
        if runs::only_one() {
            println!("{line}");
        }
        self.diary.push(line);
    }
}
