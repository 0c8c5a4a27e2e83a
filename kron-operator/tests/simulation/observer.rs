//! Somebody who sees everything: each version of each KronJob, each Job, and each request to create one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use chrono::{DateTime, Utc};
use futures::StreamExt;
use kron_api_model::{Fault, Match, Server, SimulatedClock, Verb};
use serde_json::Value;
use tokio::time::Instant;

use crate::chaos::SHORTENED;
use crate::e2e::cluster::Cluster;
use crate::world::REPLICAS;

/// A primer is made only if so many seconds are left until its start.
const PRIMER_LEFT: i64 = 30;
/// A process that looks for a Job expects that no request for it is on its way for longer.
const ON_ITS_WAY: Duration = Duration::from_secs(10);

/// A Job that there was.
#[derive(Clone, Debug)]
pub struct SeenJob {
    pub name: String,
    pub owner: String,
    /// Nominal and chosen time, of Jobs that are no run-now Jobs.
    pub period: Option<(i64, i64)>,
    pub token: Option<String>,
    /// The nominal time of the start that it is a primer for.
    pub primer_for: Option<i64>,
    pub created: i64,
}

/// A Job whose labels a user edited.
#[derive(Clone, Debug, Default)]
pub struct Edited {
    pub owner: String,
    /// Nominal times of the periods that the labels were set to.
    pub periods: BTreeSet<i64>,
}

/// The watermark of a status went up.
#[derive(Clone, Copy, Debug)]
pub struct Passed {
    /// It passed the periods with nominal times after this one ...
    pub after: i64,
    /// ... and up to this one.
    pub through: i64,
    /// When the configuration began, as the status says.
    pub since: i64,
    /// The generation of the spec that the status speaks of.
    pub generation: i64,
}

/// What was seen.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// By UID.
    pub jobs: BTreeMap<String, SeenJob>,
    /// The last version of each Job by UID, also of those that are gone.
    pub objects: BTreeMap<String, Value>,
    /// UIDs of Jobs that are there.
    pub present: BTreeSet<String>,
    /// When each Job was seen first, by UID, and by how much all clocks had been set back until then.
    first_seen: BTreeMap<String, (Instant, Duration)>,
    /// For how long each Job that is gone was there, by UID.
    lived: BTreeMap<String, Duration>,
    /// Versions of KronJobs by UID, one for each generation.
    pub specs: BTreeMap<String, Vec<Value>>,
    /// By UID of the KronJob and period.
    pub outcomes: BTreeMap<(String, String), String>,
    /// By UID of the KronJob: the moves of the watermark, oldest first.
    pub passed: BTreeMap<String, Vec<Passed>>,
    /// By UID of the KronJob: the beginning of the configuration and the watermark.
    watermarks: BTreeMap<String, (i64, i64)>,
    /// By UID of the KronJob: what its status said, one line for each version.
    pub histories: BTreeMap<String, Vec<String>>,
    /// By UID of the Job.
    pub edited: BTreeMap<String, Edited>,
    /// A second, and how many requests the replicas made in it.
    pub requests: (i64, usize),
    /// What must not be.
    pub violations: Vec<String>,
    /// The latest second that the clock of each replica has shown: it may have been set back since.
    pub latest: [i64; 2],
    /// The most by which the clocks of the replicas have differed.
    differed: Duration,
    /// By how much all clocks have been set back, in all.
    set_back: Duration,
    /// When the webhook has changed what it does to Jobs for the last time.
    webhook_changed: Option<Instant>,
    /// Creates that were on their way for long, or whose KronJob was deleted meanwhile: UID of the KronJob and name of the Job.
    slow: BTreeSet<(String, String)>,
    orphaned: BTreeSet<(String, String)>,
    /// Periods that have two Jobs, for a reason that the limits name: UID of the KronJob and nominal time.
    pub repeated: BTreeSet<(String, i64)>,
    /// Tokens that have two Jobs, for such a reason: UID of the KronJob and token.
    pub repeated_tokens: BTreeSet<(String, String)>,
    /// Whether the replicas have two Leases by mistake.
    two_leases: bool,
}

/// Watches until it is dropped.
pub struct Observer {
    seen: Arc<Mutex<Seen>>,
    tasks: Vec<tokio::task::JoinHandle<()>>,
}

impl Drop for Observer {
    fn drop(&mut self) {
        self.tasks.iter().for_each(tokio::task::JoinHandle::abort);
    }
}

impl Observer {
    /// `at_once` is how many requests of the replicas in one second are a loop without end.
    pub fn start(
        cluster: &Cluster,
        server: &Server,
        clocks: &[Arc<SimulatedClock>; 2],
        at_once: usize,
        two_leases: bool,
    ) -> Observer {
        let seen = Arc::new(Mutex::new(Seen { two_leases, ..Seen::default() }));
        let (at_creates, of_replicas) = (seen.clone(), clocks.clone());
        let creates = Match::any().verb(Verb::Create).resource("jobs").dry_run(false);
        let early = Fault::before(move |server, call| {
            let mut seen = at_creates.lock().unwrap();
            let now = match REPLICAS.iter().position(|name| *name == call.caller) {
                Some(index) => seen.latest[index].max(of_replicas[index].now().timestamp()),
                None => server.now().timestamp(),
            };
            let owner = call.body["metadata"]["ownerReferences"][0]["uid"].as_str().unwrap_or_default();
            let primed = label(&call.body, "kron.io/primer-for").and_then(kron_formats::names::time_of_label);
            let late = seen.jobs.values().find(|job| {
                // One that a replica with another clock created early does not count for its period yet.
                let of_primed = job.period.filter(|(_, chosen)| *chosen < now + PRIMER_LEFT);
                job.owner == owner && primed.is_some() && of_primed.map(|(nominal, _)| nominal) == primed
            });
            if let Some(job) = late.cloned() {
                seen.violations
                    .push(format!("{} asked for the primer {} after {job:?}", call.caller, call.name));
            }
            let chosen =
                label(&call.body, "kron.io/chosen-time").and_then(kron_formats::names::time_of_label);
            if let Some(chosen) = chosen.filter(|chosen| *chosen > now) {
                seen.violations
                    .push(format!("{} asked for {} at {now}, before {chosen}", call.caller, call.name));
            }
        });
        server.inject(creates.clone(), early, None);
        let after_creates = seen.clone();
        let namespace = cluster.namespace.clone();
        let late = Fault::after(move |server, call| {
            let owner = &call.body["metadata"]["ownerReferences"][0];
            let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
            let (uid, job) = (text(&owner["uid"]), call.name.clone());
            let kronjob = server.get("kron.io/v1alpha1", "kronjobs", &namespace, &text(&owner["name"]));
            let mut seen = after_creates.lock().unwrap();
            if kronjob.is_none_or(|kronjob| kronjob["metadata"]["uid"] != uid) {
                seen.orphaned.insert((uid.clone(), job.clone()));
            }
            if call.sent.elapsed() > ON_ITS_WAY {
                seen.slow.insert((uid, job));
            }
        });
        server.inject(creates, late, None);
        let at_requests = seen.clone();
        let endless = Fault::before(move |server, call| {
            let mut seen = at_requests.lock().unwrap();
            let now = server.now().timestamp();
            seen.requests = if seen.requests.0 == now { (now, seen.requests.1 + 1) } else { (now, 1) };
            if seen.requests.1 == at_once {
                // It would go on for ever: time does not pass meanwhile.
                let violation = format!("{at_once} requests in one second, the last: {call:?}");
                seen.violations.push(violation.clone());
                drop(seen);
                panic!("{violation}");
            }
        });
        for replica in REPLICAS {
            server.inject(Match::any().caller(replica), endless.clone(), None);
        }
        let mut observer = Observer { seen, tasks: Vec::new() };
        observer.watch(cluster, server);
        observer
    }

    fn watch(&mut self, cluster: &Cluster, server: &Server) {
        self.tasks.iter().for_each(tokio::task::JoinHandle::abort);
        self.tasks = vec![
            self.follow(cluster, server, "kron.io/v1alpha1", "kronjobs", Seen::kronjob),
            self.follow(cluster, server, "batch/v1", "jobs", Seen::job),
        ];
    }

    /// A backup was restored of the time at which that was seen: what came after it is lost, but for what must not be.
    pub fn restored(&mut self, cluster: &Cluster, server: &Server, before: Seen) {
        {
            let mut seen = self.seen();
            let violations = std::mem::take(&mut seen.violations);
            let (requests, latest, differed) = (seen.requests, seen.latest, seen.differed);
            let (set_back, webhook_changed) = (seen.set_back, seen.webhook_changed);
            *seen = Seen { violations, requests, latest, differed, set_back, webhook_changed, ..before };
        }
        self.watch(cluster, server);
    }

    fn follow(
        &self,
        cluster: &Cluster,
        server: &Server,
        api_version: &'static str,
        resource: &'static str,
        take: fn(&mut Seen, Value, bool, DateTime<Utc>),
    ) -> tokio::task::JoinHandle<()> {
        let (seen, server, clock) = (self.seen.clone(), server.clone(), cluster.clock.clone());
        tokio::spawn(async move {
            loop {
                let mut changes = std::pin::pin!(server.changes(api_version, resource));
                while let Some((object, gone)) = changes.next().await {
                    take(&mut seen.lock().unwrap(), object, gone, clock.now());
                }
                // The definition was removed.
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
        })
    }

    /// To be called before a user edits a label.
    pub fn label_is_edited(&self, uid: &str, label: &str, value: &Value) {
        let mut seen = self.seen();
        let owner = seen.jobs[uid].owner.clone();
        let edited = seen.edited.entry(uid.to_string()).or_default();
        edited.owner = owner;
        if label == "kron.io/period-id" {
            edited.periods.extend(value.as_str().and_then(kron_formats::names::time_of_label));
        }
    }

    /// To be called before clocks are set.
    pub fn clocks_are_set(&self, clocks: &[Arc<SimulatedClock>; 2]) {
        let mut seen = self.seen();
        for (latest, clock) in seen.latest.iter_mut().zip(clocks) {
            *latest = clock.now().timestamp().max(*latest);
        }
    }

    /// To be called when all clocks have been set back.
    pub fn clocks_are_set_back(&self, by: Duration) {
        self.seen().set_back += by;
    }

    /// To be called when the clock of a replica has gone wrong.
    pub fn clocks_differ(&self, [first, second]: &[Arc<SimulatedClock>; 2]) {
        let differ = (first.now() - second.now()).abs().to_std().unwrap();
        let mut seen = self.seen();
        seen.differed = seen.differed.max(differ);
    }

    /// To be called when the webhook begins, or ends, to change Jobs.
    pub fn webhook_changes(&self) {
        self.seen().webhook_changed = Some(Instant::now());
    }

    pub fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap()
    }
}

fn second(time: &Value) -> Option<i64> {
    Some(DateTime::parse_from_rfc3339(time.as_str()?).ok()?.timestamp())
}

/// Whether somebody else made the Job. It counts for nothing, but is there.
pub fn is_forged(job: &Value) -> bool {
    job["metadata"]["name"].as_str().is_some_and(|name| name.starts_with("forged-"))
}

fn label<'v>(job: &'v Value, name: &str) -> Option<&'v str> {
    job["metadata"]["labels"][name].as_str()
}

impl Seen {
    fn job(&mut self, job: Value, gone: bool, _time: DateTime<Utc>) {
        let uid = job["metadata"]["uid"].as_str().unwrap().to_string();
        if gone {
            self.present.remove(&uid);
            if let Some((since, _)) = self.first_seen.get(&uid) {
                self.lived.insert(uid, since.elapsed());
            }
            return;
        }
        if is_forged(&job) {
            return;
        }
        self.present.insert(uid.clone());
        self.objects.insert(uid.clone(), job.clone());
        if self.jobs.contains_key(&uid) {
            return;
        }
        let time = |name: &str| label(&job, name).and_then(kron_formats::names::time_of_label);
        let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
        let created = text(&job["metadata"]["creationTimestamp"]);
        let found = SeenJob {
            name: text(&job["metadata"]["name"]),
            owner: text(&job["metadata"]["ownerReferences"][0]["uid"]),
            period: time("kron.io/period-id").zip(time("kron.io/chosen-time")),
            token: label(&job, "kron.io/run-now").map(str::to_string),
            primer_for: time("kron.io/primer-for"),
            created: chrono::DateTime::parse_from_rfc3339(&created).unwrap().timestamp(),
        };
        let (mut violations, mut repeated, mut repeated_token) = (Vec::new(), None, None);
        for (other_uid, other) in self.jobs.iter().filter(|(_, other)| other.owner == found.owner) {
            let (period, primed) = (found.period.map(|(nominal, _)| nominal), found.primer_for);
            if period.is_some() && period == other.period.map(|(nominal, _)| nominal) {
                match self.may_be_repeated(other_uid, &found) {
                    true => repeated = period,
                    false => violations.push(format!("two Jobs for one period: {other:?} and {found:?}")),
                }
            }
            if found.token.is_some() && found.token == other.token && self.may_be_repeated(other_uid, &found)
            {
                repeated_token = found.token.clone();
            }
            if primed.is_some() && primed == other.primer_for {
                violations.push(format!("two primers for one period: {other:?} and {found:?}"));
            }
        }
        self.violations.append(&mut violations);
        self.repeated.extend(repeated.map(|nominal| (found.owner.clone(), nominal)));
        self.repeated_tokens.extend(repeated_token.map(|token| (found.owner.clone(), token)));
        self.first_seen.insert(uid.clone(), (Instant::now(), self.set_back));
        self.jobs.insert(uid, found);
    }

    /// Whether a Job could not be known to the process that made another one for its period: see the limits in
    /// docs/explain/design.md.
    fn may_be_repeated(&self, uid: &str, again: &SeenJob) -> bool {
        // What is on its way when a KronJob is deleted is carried out, and removed with it.
        let job = (again.owner.clone(), again.name.clone());
        let orphaned = self.orphaned.contains(&job);
        let Some(lived) = self.lived.get(uid) else { return false };
        // It had ended before another process knew by its clock that it was due. That process expects it to be there for its TTL.
        let ttl = self.objects[uid]["spec"]["ttlSecondsAfterFinished"].as_u64().unwrap_or_default();
        let ran = lived.saturating_sub(Duration::from_secs(ttl));
        let unknown = again.period.is_some() && ran < self.behind(uid);
        // Nothing showed that a webhook had shortened its TTL.
        let shortened = self.objects[uid]["spec"]["ttlSecondsAfterFinished"] == SHORTENED
            && self.webhook_changed.is_some_and(|at| at > self.first_seen[uid].0);
        // Nobody expected a request to be on its way for so long.
        orphaned || unknown || shortened || self.slow.contains(&job)
    }

    /// For how long after a Job was made a clock can show an earlier second.
    fn behind(&self, uid: &str) -> Duration {
        self.differed + (self.set_back - self.first_seen[uid].1)
    }

    /// Whether a process could look for the Job of a period and not find it, although it was made nevertheless. Or an edit moved the
    /// start, and the process did not look for the Job, as its clock says that it could not have been made yet.
    fn may_be_overtaken(&self, uid: &str) -> bool {
        let job = &self.jobs[uid];
        // One of two that lead looks for the Job ten seconds after its second, by its clock.
        let settled = ON_ITS_WAY.saturating_sub(self.differed + Duration::from_secs(1)).as_secs() as i64;
        let late = job.period.is_some_and(|(_, chosen)| job.created >= chosen + settled);
        let moved = self.specs.get(&job.owner).is_some_and(|versions| versions.len() > 1);
        let unknown = moved && self.first_seen[uid].0.elapsed() < self.behind(uid);
        self.slow.contains(&(job.owner.clone(), job.name.clone())) || self.two_leases && late || unknown
    }

    fn kronjob(&mut self, kronjob: Value, _gone: bool, time: DateTime<Utc>) {
        let uid = kronjob["metadata"]["uid"].as_str().unwrap().to_string();
        let status = &kronjob["status"];
        let last = (&status["lastPeriodID"], &status["lastOutcome"]);
        let listed = status["periods"].as_array().into_iter().flatten();
        let listed = listed.map(|entry| (&entry["periodID"], &entry["outcome"]));
        for (period, outcome) in listed.chain([last]) {
            if let (Some(period), Some(outcome)) = (period.as_str(), outcome.as_str()) {
                self.outcome(&uid, period, outcome);
            }
        }
        let configuration = &status["configuration"];
        if let Some(since) = second(&configuration["since"]) {
            let through = second(&configuration["handledThrough"]).unwrap_or(i64::MIN);
            self.watermark(&uid, since, through, status["observedGeneration"].as_i64().unwrap_or_default());
        }
        let text = |value: &Value| value.as_str().unwrap_or("-").get(11..19).unwrap_or("-").to_string();
        let periods: Vec<String> = status["periods"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|entry| text(&entry["periodID"]))
            .collect();
        let line = format!(
            "{} generation {} of {}: since {}, last {} at {} {}, claim {}, next {} at {}, {periods:?}",
            time.format("%H:%M:%S%.3f"),
            kronjob["metadata"]["generation"],
            kronjob["metadata"]["name"],
            text(&status["configuration"]["since"]),
            text(&status["lastPeriodID"]),
            text(&status["lastChosenTime"]),
            status["lastOutcome"],
            text(&status["claim"]["periodID"]),
            text(&status["nextPeriodID"]),
            text(&status["nextChosenTime"]),
        );
        self.histories.entry(uid.clone()).or_default().push(line);
        let versions = self.specs.entry(uid).or_default();
        let generation = &kronjob["metadata"]["generation"];
        if versions.last().is_none_or(|last| last["metadata"]["generation"] != *generation) {
            versions.push(kronjob);
        }
    }

    fn watermark(&mut self, uid: &str, since: i64, through: i64, generation: i64) {
        let before = self.watermarks.insert(uid.to_string(), (since, through));
        let (old_since, old) = before.unwrap_or((since, i64::MIN));
        // A new configuration sets it back.
        let after = if old_since == since { old } else { old.min(since) };
        if through > after {
            let passed = Passed { after, through, since, generation };
            self.passed.entry(uid.to_string()).or_default().push(passed);
        }
    }

    fn outcome(&mut self, uid: &str, period: &str, outcome: &str) {
        let before = self.outcomes.insert((uid.to_string(), period.to_string()), outcome.to_string());
        match before {
            Some(before) if before == outcome => {}
            Some(before) => self.violations.push(format!("{period} of {uid} was {before} and is {outcome}")),
            None => {
                let nominal = chrono::DateTime::parse_from_rfc3339(period).unwrap().timestamp();
                let mut jobs = self.jobs.iter().filter(|(_, job)| job.owner == uid);
                let found = jobs.find(|(_, job)| job.period.is_some_and(|(period, _)| period == nominal));
                let mut edited = self.edited.values().filter(|edited| edited.owner == uid);
                let claimed = edited.any(|edited| edited.periods.contains(&nominal));
                match (outcome, found) {
                    ("executed", None) if !claimed => {
                        self.violations.push(format!("{period} of {uid} is executed without a Job"))
                    }
                    ("skipped" | "missed" | "unschedulable", Some((job, _)))
                        if self.present.contains(job)
                            && !self.edited.contains_key(job)
                            && !self.may_be_overtaken(job) =>
                    {
                        self.violations.push(format!("{period} of {uid} is {outcome}, and its Job is there"));
                    }
                    _ => {}
                }
            }
        }
    }
}
