//! The first starts of a term, many in one second: their Jobs are listed for all at once. The clock is tokio's, as in `starts.rs`.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta};
use kron_api_model::{Fault, Match, Server, SimulatedClock, Verb};
use kron_crd::custom_resource_definition;
use kron_operator::engine::Options;
use kron_operator::lease::LeaseConfig;
use kron_operator::operator::Operator;
use serde_json::json;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::MIDNIGHT;
use crate::starts::{NAMESPACES, kronjob};

/// A cluster with so many KronJobs that start at each hour.
struct Cluster {
    server: Server,
    clock: Arc<SimulatedClock>,
}

/// What a replica is stopped by.
struct Running {
    stop: CancellationToken,
    task: JoinHandle<()>,
}

fn time(second: i64) -> DateTime<chrono::Utc> {
    DateTime::from_timestamp(second, 0).unwrap()
}

impl Cluster {
    fn new(kronjobs: usize) -> Cluster {
        let clock = SimulatedClock::new(time(MIDNIGHT + 60));
        let server = Server::new(clock.of_server());
        server.set_log_limit(20 * kronjobs + 10_000);
        server.create(custom_resource_definition(false)).unwrap();
        for team in 0..NAMESPACES {
            server.create_namespace(&format!("team-{team}")).unwrap();
        }
        for number in 0..kronjobs {
            let mut kronjob = kronjob(number, "forbid");
            kronjob["spec"]["policy"]["deadline"] = json!("10m");
            server.create(kronjob).unwrap();
        }
        Cluster { server, clock }
    }

    fn start(&self, name: &str) -> Running {
        let lease = LeaseConfig::new("default", "kron-operator", name);
        let options = Options::default();
        let client = self.server.client(name);
        let operator = Operator::new(client, self.clock.of_operator(), name, Some(lease), options);
        let stop = CancellationToken::new();
        let of_task = stop.clone();
        let task = tokio::spawn(async move { operator.run(of_task).await.unwrap() });
        Running { stop, task }
    }

    async fn reach(&self, second: i64) {
        while let Ok(left) = (time(second) - self.clock.now()).to_std() {
            tokio::time::sleep(left.max(Duration::from_millis(1))).await;
        }
    }

    /// From now on the server takes a latency for each request of that replica.
    fn slow(&self, name: &str, latency: Duration) {
        let asked = Match::any().caller(name).when(|call| call.verb != Verb::Watch);
        self.server.inject(asked, Fault::DelayBefore(latency), None);
    }

    /// How many lists of Jobs a replica began, but for those with which its watches begin.
    fn lists(&self, name: &str) -> usize {
        let first = Match::any().caller(name).verb(Verb::List).resource("jobs");
        self.server.count_requests(&first.when(|call| call.parameter("continue").is_none()))
    }

    /// When Jobs of a second were created, after that second.
    fn created(&self, second: i64) -> Vec<TimeDelta> {
        let creates = Match::any().verb(Verb::Create).resource("jobs").dry_run(false);
        let created = self.server.requests(&creates);
        created.iter().filter(|request| request.code == Some(201)).map(|r| r.time - time(second)).collect()
    }

    /// Each KronJob has executed the period of that second, by one Job.
    fn check(&self, second: i64, kronjobs: usize) {
        let period = time(second).format("%Y-%m-%dT%H:%M:%SZ").to_string();
        let all = self.server.list("kron.io/v1alpha1", "kronjobs");
        assert_eq!((all.len(), self.server.list("batch/v1", "jobs").len()), (kronjobs, kronjobs));
        for kronjob in all {
            let status = &kronjob["status"];
            assert_eq!(
                (status["lastPeriodID"].as_str(), status["lastOutcome"].as_str()),
                (Some(&*period), Some("executed"))
            );
        }
    }
}

fn simulate<T>(run: impl Future<Output = T>) -> T {
    let _turn = crate::TURN.lock();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build();
    runtime.unwrap().block_on(run)
}

/// A first leader has stored all claims. A second one takes over half a minute before they are due.
fn a_new_leader(kronjobs: usize, latency: Duration) {
    simulate(async {
        let cluster = Cluster::new(kronjobs);
        let second = MIDNIGHT + 3600;
        let first = cluster.start("first");
        cluster.reach(second - 30).await;
        first.stop.cancel();
        first.task.await.unwrap();
        let replica = cluster.start("second");
        cluster.reach(second - 25).await;
        cluster.slow("second", latency);
        cluster.server.clear_requests();
        cluster.reach(second + 1200).await;
        let lists = cluster.lists("second");
        let created = cluster.created(second);
        assert_eq!(created.len(), kronjobs);
        let (first, last) = (created.iter().min().unwrap(), created.iter().max().unwrap());
        assert!(*first >= TimeDelta::zero(), "none before its second");
        // As many creates at once as the operator makes, and nothing else.
        let bare = latency * u32::try_from(kronjobs).unwrap()
            / u32::try_from(Options::default().concurrency).unwrap();
        let took = (*last + TimeDelta::from_std(latency).unwrap()).to_std().unwrap();
        let ratio = took.as_secs_f64() / bare.as_secs_f64();
        println!(
            "| {kronjobs} | {} ms | {lists} | {:.2} s | {:.2} s | {ratio:.2} |",
            latency.as_millis(),
            bare.as_secs_f64(),
            took.as_secs_f64()
        );
        cluster.check(second, kronjobs);
        assert!(lists <= 4, "{lists} lists");
        assert!(ratio <= 1.2, "{ratio}");
        replica.stop.cancel();
        replica.task.await.unwrap();
    });
}

/// A leader is killed in the middle of the starts of one second. The next one makes the others, and lists few times.
fn a_killed_leader(kronjobs: usize, latency: Duration, most: usize) {
    simulate(async {
        let cluster = Cluster::new(kronjobs);
        let second = MIDNIGHT + 3600;
        let first = cluster.start("first");
        cluster.reach(second - 60).await;
        let replica = cluster.start("second");
        cluster.reach(second - 30).await;
        ["first", "second"].iter().for_each(|name| cluster.slow(name, latency));
        cluster.server.clear_requests();
        let creates = Match::any().verb(Verb::Create).resource("jobs").dry_run(false);
        while cluster.server.count_requests(&creates) < kronjobs / 2 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        first.task.abort();
        cluster.reach(second + 1200).await;
        let lists = cluster.lists("second");
        let last = cluster.created(second).into_iter().max().unwrap();
        println!("| {kronjobs} | {} ms | {lists} | {:.2} s |", latency.as_millis(), last.as_seconds_f64());
        cluster.check(second, kronjobs);
        assert!(lists <= most, "{lists} lists");
        replica.stop.cancel();
        replica.task.await.unwrap();
    });
}

#[test]
fn the_first_starts_of_a_term_share_their_lists() {
    println!("| first starts of a term | latency | lists | bare creates | last create answered | ÷ bare |");
    a_new_leader(320, Duration::from_millis(100));
}

#[test]
fn a_leader_killed_among_its_starts_costs_few_lists() {
    println!("| leader killed among starts | latency | lists | last create |");
    a_killed_leader(320, Duration::from_millis(100), 12);
}

#[test]
#[ignore = "takes minutes"]
fn first_starts_at_scale() {
    println!("| first starts of a term | latency | lists | bare creates | last create answered | ÷ bare |");
    for latency in [1, 20] {
        a_new_leader(10_000, Duration::from_millis(latency));
    }
    println!("| leader killed among starts | latency | lists | last create |");
    for latency in [1, 20] {
        a_killed_leader(10_000, Duration::from_millis(latency), 40);
    }
}
