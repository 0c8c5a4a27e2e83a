//! What goes wrong, and what users do meanwhile.

use std::collections::BTreeSet;
use std::time::Duration;

use chrono::TimeDelta;
use kron_api_model::{Cut, Fault, FaultId, FaultKind, Match, Partition, StallId, Status, Verb};
use kron_crd::custom_resource_definition;
use kube::api::{DeleteParams, PropagationPolicy};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::observer::SeenJob;
use crate::world::{Dice, REPLICAS, World};

/// The shortest TTL that the webhook gives to Jobs. No template has the same.
pub const SHORTENED: i64 = 5;

/// What ends something that was begun.
enum End {
    Fault(FaultId),
    Partition(&'static str),
    Stall(StallId),
    Freeze(&'static str),
    Start(usize),
    Frozen(usize),
    Skew(usize),
    Mutation,
}

impl World<'_> {
    /// Lets things go wrong for so many seconds, and then ends all that is wrong.
    pub async fn chaos(&mut self, seconds: u64) {
        // They begin in peace.
        tokio::time::sleep(Duration::from_secs(20)).await;
        let over = Instant::now() + Duration::from_secs(seconds);
        let mut ends: Vec<(Instant, End)> = Vec::new();
        while Instant::now() < over {
            if let Some((after, end)) = self.act().await {
                ends.push((Instant::now() + after, end));
            }
            let pause = self.dice.millis(10, 20_000);
            tokio::time::sleep(pause).await;
            let due =
                ends.extract_if(.., |(at, _)| *at <= Instant::now()).map(|(_, end)| end).collect::<Vec<_>>();
            due.into_iter().for_each(|end| self.end(end));
        }
        ends.into_iter().for_each(|(_, end)| self.end(end));
    }

    /// Does something, and says after what time to end it.
    async fn act(&mut self) -> Option<(Duration, End)> {
        let replica = self.dice.pick(&REPLICAS);
        let a_while = self.dice.millis(100, 60_000);
        if self.edits_labels() && self.dice.percent(12) {
            if self.dice.percent(20) {
                self.suspend_all_machines(a_while);
            } else {
                self.edit_a_label();
            }
            return None;
        }
        if self.has_herd() && self.dice.percent(15) {
            return Some(self.answer_slowly());
        }
        let what = self.dice.number(0, 100);
        match what {
            0..42 => {
                let (requests, on) = requests(&mut self.dice, replica);
                let fault = fault(&mut self.dice, on);
                let times = self.dice.number(1, 7) as usize;
                self.note(format!("{fault:?} for {times} of {requests:?}"));
                return Some((a_while * 3, End::Fault(self.server.inject(requests, fault, times))));
            }
            42..44 => return self.freeze_a_process(a_while),
            44..45 => match self.dice.number(0, 10) {
                0..4 => self.delete_the_namespace().await,
                4..8 => self.restore_a_backup().await,
                _ => {}
            },
            45..52 => {
                let partition = self.dice.pick(Partition::ALL);
                self.note(format!("partition {replica} {partition:?} for {a_while:?}"));
                self.server.partition(replica, Some(partition));
                return Some((a_while, End::Partition(replica)));
            }
            52..56 => {
                let cut = self.dice.pick(Cut::ALL);
                self.note(format!("cut {replica} {cut:?}"));
                self.server.cut_watches(&Match::any().caller(replica), cut);
            }
            56..60 => {
                let resource = self.dice.pick(&["jobs", "kronjobs"]);
                self.note(format!("stall {resource} of {replica} for {a_while:?}"));
                let stall = self.server.stall_watches(Match::any().caller(replica).resource(resource));
                return Some((a_while, End::Stall(stall)));
            }
            60..62 => {
                self.note("compact".to_string());
                self.server.compact();
                self.server.cut_watches(&Match::any().caller(replica), Cut::Break);
            }
            62..64 => {
                self.note(format!("freeze {replica} for {a_while:?}"));
                self.server.freeze_reads(replica);
                return Some((a_while, End::Freeze(replica)));
            }
            64..72 => return self.stop_a_replica(a_while).await,
            72..75 => {
                if self.dice.percent(40) {
                    let by = TimeDelta::seconds(self.step_of_a_clock());
                    self.note(format!("all clocks are set by {} s", by.num_seconds()));
                    self.observer.clocks_are_set(&self.clocks);
                    self.observer.clocks_are_set_back((-by).to_std().unwrap_or_default());
                    self.cluster.simulated_clock().step(by);
                    self.clocks.iter().for_each(|clock| clock.step(by));
                    return None;
                }
                // Both can be wrong at a time. Replicas know what is handled up to a minute ahead of their clocks; two that lead
                // at a time look for each other's Jobs after ten seconds. See docs/explain/design.md.
                let most = if self.two_leases { 2_000 } else { 29_500 };
                let by = TimeDelta::milliseconds(self.dice.number(0, 2 * most) as i64 - most as i64);
                let index = self.dice.number(0, 2) as usize;
                self.correct_clock(index);
                self.note(format!("the clock of {} goes wrong by {by}", REPLICAS[index]));
                self.observer.clocks_are_set(&self.clocks);
                self.clocks[index].step(by);
                self.observer.clocks_differ(&self.clocks);
                return Some((a_while * 5, End::Skew(index)));
            }
            75..76 => self.remove_the_definition().await,
            76..78 => {
                let ttl = self.dice.pick(&[Some(SHORTENED), Some(600), None]);
                self.note(format!("a webhook changes Jobs, TTL {ttl:?}"));
                self.observer.webhook_changes();
                self.server.mutate_creates(move |resource, object| {
                    if resource == "jobs" {
                        object["metadata"]["labels"]["example.com/team"] = json!("a");
                        object["spec"]["template"]["metadata"]["labels"]["example.com/team"] = json!("a");
                        if let Some(ttl) = ttl {
                            object["spec"]["ttlSecondsAfterFinished"] = json!(ttl);
                        }
                    }
                });
                return Some((a_while * 5, End::Mutation));
            }
            78..82 => self.delete_a_job(),
            82..94 => self.edit().await,
            94..96 => self.forge_a_job(),
            96..98 => {
                let (name, token) = (self.any_name(), format!("t{}", self.dice.number(0, 1_000_000)));
                self.note(format!("run {name} now: {token}"));
                if self.cluster.kronjobs().get_opt(&name).await.unwrap().is_some() {
                    self.cluster.run_now(&name, &token).await;
                }
            }
            _ => {
                let name = self.any_name();
                let policy = self.dice.pick(&[PropagationPolicy::Background, PropagationPolicy::Foreground]);
                self.note(format!("delete {name} {policy:?}"));
                let how = DeleteParams { propagation_policy: Some(policy), ..DeleteParams::default() };
                drop(self.cluster.kronjobs().delete(&name, &how).await);
                tokio::time::sleep(self.dice.millis(0, 3000)).await;
                self.make(&name).await;
            }
        }
        None
    }

    fn end(&mut self, end: End) {
        match end {
            End::Fault(fault) => self.server.end_fault(fault),
            End::Partition(replica) => {
                self.note(format!("{replica} is connected"));
                self.server.partition(replica, None);
            }
            End::Stall(stall) => self.server.release_watches(stall),
            End::Freeze(replica) => self.server.thaw_reads(replica),
            End::Start(index) => {
                self.note(format!("{} starts", REPLICAS[index]));
                self.start(index);
            }
            End::Frozen(index) => {
                self.note(format!("the process of {} goes on", REPLICAS[index]));
                if let Some(replica) = &self.replicas[index] {
                    replica.freezer.thaw();
                }
            }
            End::Mutation => {
                self.note("no webhook changes Jobs any more".to_string());
                self.observer.webhook_changes();
                self.server.end_mutation();
            }
            End::Skew(index) => {
                self.note(format!("the clock of {} is corrected", REPLICAS[index]));
                self.correct_clock(index);
            }
        }
    }

    fn step_of_a_clock(&mut self) -> i64 {
        if self.dice.percent(70) { self.dice.number(1, 90) as i64 } else { -(self.dice.number(1, 45) as i64) }
    }

    /// Somebody removes the definition of the resource, and with it all KronJobs, and puts it back.
    async fn remove_the_definition(&mut self) {
        self.note("the definition is removed".to_string());
        self.server.delete("apiextensions.k8s.io/v1", "customresourcedefinitions", "", "kronjobs.kron.io");
        tokio::time::sleep(self.dice.millis(0, 30_000)).await;
        while let Err(status) = self.server.create(custom_resource_definition(false)) {
            assert_eq!(status.code, 409, "{status}");
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        self.note("the definition is back".to_string());
        self.make_all().await;
    }

    /// Somebody deletes the namespace, and with it all KronJobs, their Jobs and the Leases of the replicas, and makes it again.
    async fn delete_the_namespace(&mut self) {
        self.note("the namespace is deleted".to_string());
        self.server.delete("v1", "namespaces", "", &self.cluster.namespace);
        tokio::time::sleep(self.dice.millis(0, 30_000)).await;
        while let Err(status) = self.server.create_namespace(&self.cluster.namespace) {
            assert_eq!(status.code, 409, "{status}");
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        self.note("the namespace is there again".to_string());
        self.make_all().await;
    }

    /// Somebody restores a backup of etcd and restarts the operator, as Kubernetes asks for after that. All that was written since
    /// the backup is lost, and so is what was seen of it.
    async fn restore_a_backup(&mut self) {
        let (backup, seen) = loop {
            let version = self.server.version();
            tokio::time::sleep(Duration::from_millis(1)).await;
            let backup = self.server.backup();
            // The observer has seen all that is in it.
            if self.server.version() == version {
                break (backup, self.observer.seen().clone());
            }
        };
        let a_while = self.dice.millis(1000, 60_000);
        tokio::time::sleep(a_while).await;
        self.note(format!("a backup of {a_while:?} ago is restored"));
        let killed: Vec<usize> =
            (0..REPLICAS.len()).filter(|index| self.replicas[*index].is_some()).collect();
        for index in &killed {
            if let Some(replica) = self.replicas[*index].take() {
                replica.kill().await;
            }
        }
        self.server.restore(&backup);
        self.observer.restored(self.cluster, self.server, seen);
        killed.into_iter().for_each(|index| self.start(index));
        self.make_all().await;
    }

    /// A process does nothing for a while, and its timers expire meanwhile. What it has sent goes on.
    fn freeze_a_process(&mut self, a_while: Duration) -> Option<(Duration, End)> {
        let index = self.dice.number(0, 2) as usize;
        let replica = self.replicas[index].as_ref()?;
        replica.freezer.freeze();
        self.note(format!("the process of {} is frozen for {a_while:?}", REPLICAS[index]));
        Some((a_while, End::Frozen(index)))
    }

    /// Every machine is suspended for a while, also that of the API server: time goes on, and no timer shows it.
    fn suspend_all_machines(&mut self, a_while: Duration) {
        self.note(format!("all machines are suspended for {a_while:?}"));
        self.observer.clocks_are_set(&self.clocks);
        self.cluster.simulated_clock().suspend(a_while);
        self.clocks.iter().for_each(|clock| clock.suspend(a_while));
    }

    /// The API server carries out each request at once, or each only after some time, and its answers take time.
    fn answer_slowly(&mut self) -> (Duration, End) {
        let (time, a_while) = (self.dice.millis(20, 3000), self.dice.millis(60_000, 400_000));
        let slow = self.dice.pick(&[Fault::DelayBefore(time), Fault::DelayAfter(time)]);
        self.note(format!("{slow:?} for all requests, for {a_while:?}"));
        let asked = Match::any().when(|call| call.verb != Verb::Watch && REPLICAS.contains(&&*call.caller));
        (a_while, End::Fault(self.server.inject(asked, slow, None)))
    }

    async fn stop_a_replica(&mut self, a_while: Duration) -> Option<(Duration, End)> {
        let index = self.dice.number(0, 2) as usize;
        let replica = self.replicas[index].take()?;
        if self.dice.percent(70) {
            self.note(format!("kill {}", REPLICAS[index]));
            replica.kill().await;
        } else {
            self.note(format!("stop {}", REPLICAS[index]));
            // One that is cut off has nobody to say farewell to; a kubelet waits for so long.
            drop(tokio::time::timeout(Duration::from_secs(30), replica.stop()).await);
        }
        Some((a_while, End::Start(index)))
    }

    /// A user deletes a Job: one whose outcome is written, and not right after its start. What vanishes before anybody could
    /// see it may be created again.
    fn delete_a_job(&mut self) {
        let now = self.cluster.now();
        let jobs: Vec<String> = {
            let seen = self.observer.seen();
            let written = |owner: &str, nominal: i64| {
                let period = crate::e2e::cluster::text_of(nominal);
                seen.outcomes.contains_key(&(owner.to_string(), period))
            };
            let over = |job: &SeenJob| {
                let old = job.created + 90 < now;
                old && job.period.is_some_and(|(nominal, _)| written(&job.owner, nominal))
            };
            // A primer may vanish at any time, and is not made again.
            let jobs = seen.present.iter().map(|uid| &seen.jobs[uid]);
            jobs.filter(|job| over(job) || job.primer_for.is_some()).map(|job| job.name.clone()).collect()
        };
        if !jobs.is_empty() {
            let name = self.dice.pick(&jobs);
            self.note(format!("a user deletes Job {name}"));
            self.deleted.insert(name.clone());
            self.server.delete("batch/v1", "jobs", &self.cluster.namespace, &name);
        }
    }

    async fn edit(&mut self) {
        let name = self.any_name();
        let always = [
            json!({"primer": {"lead": "2m"}}),
            json!({"primer": null}),
            json!({"policy": {"concurrency": "allow"}}),
            json!({"policy": {"concurrency": "replace"}}),
            json!({"policy": {"deadline": "0s"}}),
            json!({"policy": {"deadline": "3m"}}),
        ];
        let configuration = [
            json!({"schedule": "*/3 * * * *"}),
            json!({"schedule": "1-59/2 * * * *"}),
            json!({"policy": {"suspend": true}}),
            json!({"policy": {"suspend": false}}),
            json!({"policy": {"suspend": false}}),
        ];
        let starts = [
            json!({"window": {"duration": "7m"}}),
            json!({"window": {"duration": "40s"}}),
            json!({"seed": {"salt": "other"}}),
        ];
        let edits: Vec<Value> = [&always[..], &configuration, &starts].concat();
        let edit = self.dice.pick(&edits);
        self.note(format!("edit {name}: {edit}"));
        drop(self.cluster.try_edit(&name, edit).await);
    }
}

/// What a fault may be on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum On {
    Reads,
    Writes,
    Watches,
    Deletes,
    Everything,
}

fn requests(dice: &mut Dice, replica: &str) -> (Match, On) {
    let of = |verb| Match::any().caller(replica).verb(verb);
    match dice.number(0, 12) {
        0..4 => (of(Verb::Create).resource("jobs"), On::Writes),
        4..6 => (of(Verb::Update).resource("kronjobs"), On::Writes),
        6 => (of(Verb::Update).resource("leases"), On::Writes),
        7 => (of(Verb::Delete).resource("jobs"), On::Deletes),
        8 => (of(Verb::Get), On::Reads),
        9 => (of(Verb::List), On::Watches),
        10 => (of(Verb::Watch), On::Watches),
        _ => (Match::any().caller(replica), On::Everything),
    }
}

/// The faults of requests, each as often as it happens. The first ones are the refusals of [`refusal`].
///
/// A new entry changes what every seed does: empty `FAILED_BEFORE` in `runs.rs`, and run the seeds again.
const FAULTS: &[FaultKind] = &[
    FaultKind::Reject,
    FaultKind::Reject,
    FaultKind::Reject,
    FaultKind::Reject,
    FaultKind::Reject,
    FaultKind::Reject,
    FaultKind::Refuse,
    FaultKind::DelayBefore,
    FaultKind::DelayAfter,
    FaultKind::LoseAnswer,
    FaultKind::LoseAnswer,
    FaultKind::Hang,
];

fn fault(dice: &mut Dice, on: On) -> Fault {
    let time = dice.millis(10, 20_000);
    let number = dice.number(0, FAULTS.len() as u64);
    match FAULTS[number as usize] {
        FaultKind::Reject => Fault::Reject(refusal(dice, number, on)),
        FaultKind::Refuse => Fault::Refuse,
        FaultKind::DelayBefore => Fault::DelayBefore(time),
        FaultKind::DelayAfter => Fault::DelayAfter(time),
        FaultKind::LoseAnswer => Fault::LoseAnswer,
        // What hangs, hangs for ever; who begins a watch cannot tell that from a cluster where nothing happens.
        FaultKind::Hang | FaultKind::HangAfter if matches!(on, On::Watches | On::Everything) => {
            Fault::LoseAnswer
        }
        FaultKind::Hang | FaultKind::HangAfter => dice.pick(&[Fault::Hang, Fault::HangAfter]),
        FaultKind::Before | FaultKind::After => {
            unreachable!("the observer's hooks are no faults of requests")
        }
    }
}

/// One of six refusals.
fn refusal(dice: &mut Dice, number: u64, on: On) -> Status {
    match number {
        0 => Status::too_many_requests(dice.number(0, 4) as u32),
        1 => Status::internal_error("etcdserver: request timed out"),
        2 => Status::service_unavailable(),
        3 => Status::gateway_timeout(""),
        4 => match on {
            On::Watches => Status::expired("too old resource version"),
            // A delete conflicts only with the precondition on the UID: then the Job is another one.
            On::Deletes | On::Everything => Status::service_unavailable(),
            On::Reads | On::Writes => {
                Status::conflict("", "resourcequotas", "q", "the object has been modified")
            }
        },
        _ => Status::quota_exceeded("batch", "jobs", "x", "q"),
    }
}

/// Every fault of the model happens in the simulation, but for the hooks, with which the observer watches.
#[test]
fn every_fault_of_the_model_happens() {
    let mut dice = Dice(0);
    let drawn: BTreeSet<FaultKind> = (0..1000).map(|_| fault(&mut dice, On::Writes).kind()).collect();
    let missing: Vec<&FaultKind> = FaultKind::ALL.iter().filter(|kind| !drawn.contains(kind)).collect();
    assert_eq!(missing, [&FaultKind::Before, &FaultKind::After]);
}
