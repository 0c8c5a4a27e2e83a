//! The plan in a small world of its own: time passes, requests succeed, fail or lose their answers, and the process
//! forgets everything now and then. Whatever happens, a period gets one outcome, and never a second Job.

use std::collections::BTreeMap;

use chrono::DateTime;
use serde_json::{Value, json};

use super::*;
use crate::crd::{Outcome, Time};
use crate::new_job::{job, primer_job};
use crate::object::{Finished, JobView, KronJobView, WatchedJob};

mod claims;
mod edges;
mod labels;
mod primers;
mod waiting;

const START: i64 = 1_772_323_200;

/// SplitMix64: the world's dice.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.roll() % n
    }

    fn percent(&mut self, p: u64) -> bool {
        self.below(100) < p
    }
}

struct World {
    kronjob: KronJobView,
    manifest: Value,
    jobs: Vec<JobView>,
    observed: Observed,
    millis: i64,
    dice: Dice,
    /// In percent of the requests.
    faults: u64,
    /// Outcomes as they were written.
    outcomes: BTreeMap<Time, Outcome>,
    /// How many Jobs each period ever had, and each token of run now.
    made: BTreeMap<Time, u32>,
    made_now: BTreeMap<String, u32>,
    /// How many primers each period ever had.
    primed: BTreeMap<Time, u32>,
    messages: Vec<Message>,
    /// How often the status was written, and how often Jobs were listed or read.
    writes: u32,
    reads: u32,
}

fn not_written(uncertain: bool, retry_at: i64) -> Observation<'static> {
    Observation::StatusNotWritten { uncertain, overtaken: false, retry_at, urgent_retry_at: retry_at }
}

fn manifest(spec: Value) -> Value {
    let mut whole = json!({"schedule": "0 * * * *", "jobTemplate": {"spec": {"template": {"spec": {
        "restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}],
    }}}}});
    for (key, value) in spec.as_object().unwrap() {
        whole[key] = value.clone();
    }
    json!({"apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "spec": whole, "metadata": {
        "name": "db", "namespace": "prod", "uid": "k", "resourceVersion": "1", "generation": 1,
        "creationTimestamp": Time(START).to_string(),
    }})
}

impl World {
    fn new(spec: Value, seed: u64, faults: u64) -> World {
        let manifest = manifest(spec);
        World {
            kronjob: KronJobView::read(
                &serde_json::from_value(manifest.clone()).unwrap(),
                &kron_core::Parser::new(),
            ),
            manifest,
            jobs: Vec::new(),
            observed: Observed::default(),
            millis: START * 1000,
            dice: Dice(seed),
            faults,
            outcomes: BTreeMap::new(),
            made: BTreeMap::new(),
            made_now: BTreeMap::new(),
            primed: BTreeMap::new(),
            messages: Vec::new(),
            writes: 0,
            reads: 0,
        }
    }

    fn status(&self) -> &KronJobStatus {
        self.kronjob.status.as_ref().unwrap()
    }

    fn edit(&mut self, field: &str, value: Value) {
        self.manifest["spec"][field] = value;
        let generation = self.kronjob.generation + 1;
        self.manifest["metadata"]["generation"] = json!(generation);
        let status = self.kronjob.status.clone();
        self.kronjob = KronJobView::read(
            &serde_json::from_value(self.manifest.clone()).unwrap(),
            &kron_core::Parser::new(),
        );
        self.kronjob.status = status;
    }

    /// What the process sees and wants, given the Jobs that its cache shows.
    fn plan_with(&mut self, jobs: &[&JobView]) -> KronJobPlan {
        let now = DateTime::from_timestamp_millis(self.millis).unwrap();
        let objects = Objects::new(&self.kronjob, jobs, &self.observed, now);
        if let Some(search) = self.observed.look(&objects) {
            self.observed.searched(search.run(&self.kronjob.spec.as_ref().unwrap().job));
        }
        let plan = plan(View { objects: &objects, observed: &self.observed });
        self.messages.append(&mut self.observed.take_reports().messages);
        plan
    }

    fn plan(&mut self) -> KronJobPlan {
        let jobs = std::mem::take(&mut self.jobs);
        let plan = self.plan_with(&jobs.iter().collect::<Vec<_>>());
        self.jobs = jobs;
        plan
    }

    fn observe(&mut self, observation: Observation<'_>) {
        self.observed.observe(&self.kronjob, observation, self.millis / 1000);
    }

    /// The same, while the cache shows older versions of some Jobs.
    fn run_with_cache(&mut self, stale: Vec<JobView>) {
        for _ in 0..100 {
            let all = self.jobs.clone();
            let fresh = all.iter().filter(|job| stale.iter().all(|stale| stale.uid != job.uid));
            let plan = self.plan_with(&fresh.chain(&stale).collect::<Vec<_>>());
            let Some(request) = plan.requests.into_iter().next() else { return };
            self.carry_out(request);
        }
        panic!("the plan never rests");
    }

    /// Carries out what is planned, until there is nothing to do at this time or luck runs out.
    fn run_until_idle(&mut self) -> Option<i64> {
        for _ in 0..1000 {
            let plan = self.plan();
            let Some(request) = plan.requests.into_iter().next() else { return plan.wake_up };
            self.carry_out(request);
            self.millis += self.dice.below(5) as i64;
            if self.dice.percent(self.faults / 4) {
                // The process dies; another one goes on.
                self.observed = Observed::default();
            }
        }
        panic!("the plan never rests");
    }

    fn carry_out(&mut self, request: Request) {
        let lost_request = self.dice.percent(self.faults);
        let lost_answer = self.dice.percent(self.faults);
        let retry_at = self.millis + 300;
        self.reads += u32::from(matches!(request, Request::List | Request::Check { .. }));
        match request {
            Request::Create { purpose, name } => {
                self.observe(Observation::Creating(&purpose));
                let failed = |uncertain| Created::Failed {
                    passing: true,
                    uncertain,
                    message: "no luck".into(),
                    retry_at,
                };
                let there = self.jobs.iter().find(|job| *job.name == *name).cloned();
                let answer = match there {
                    _ if lost_request => failed(true),
                    Some(job) => Created::Ours(Box::new(job)),
                    None => {
                        let template = self.kronjob.spec.as_ref().unwrap().template.as_deref();
                        let mut body = job(&self.kronjob, template.unwrap(), &purpose, &name);
                        let job = self.add_job(&mut body);
                        if let Some(period) = job.period {
                            *self.made.entry(period).or_default() += 1;
                        }
                        if let Some(token) = &job.run_now {
                            *self.made_now.entry(token.to_string()).or_default() += 1;
                        }
                        if lost_answer { failed(true) } else { Created::Ours(Box::new(job)) }
                    }
                };
                self.observe(Observation::Created { purpose: &purpose, answer });
            }
            Request::LookUp { .. } | Request::List | Request::Check { .. } | Request::DeleteActive { .. }
                if lost_request =>
            {
                self.observe(Observation::StartDelayed { error: "no luck", retry_at });
            }
            Request::LookUp { purpose, name } => {
                let found = self.jobs.iter().find(|job| *job.name == *name).cloned();
                self.observe(Observation::LookedUp { purpose: &purpose, job: found.as_ref() });
            }
            Request::List => {
                let jobs = self.jobs.clone();
                self.observe(Observation::Listed(&jobs));
            }
            Request::Check { name, uid } => {
                let found = self.jobs.iter().find(|job| *job.name == *name).cloned();
                self.observe(Observation::Checked { name: &name, uid: &uid, job: found.as_ref() });
            }
            Request::DeleteActive { name, uid } => {
                self.jobs.retain(|job| *job.uid != *uid);
                self.observe(Observation::DeletedActive { name: &name, uid: &uid });
            }
            Request::UpdateStatus { status, ended, .. } if lost_request => {
                self.observe(Observation::WritingStatus { status: &status, ended });
                let before = self.kronjob.status.clone().ok();
                self.observe(Observation::WritingFence { before: before.as_ref(), status: &status });
                self.observe(not_written(false, retry_at));
            }
            Request::UpdateStatus { status, ended, .. } => {
                self.observe(Observation::WritingStatus { status: &status, ended });
                let before = self.kronjob.status.clone().ok();
                self.observe(Observation::WritingFence { before: before.as_ref(), status: &status });
                self.writes += 1;
                self.note_outcomes(&status);
                assert!(status.periods.len() <= 100);
                self.kronjob.status = Ok(*status);
                self.observe(if lost_answer {
                    not_written(true, retry_at)
                } else {
                    Observation::StatusWritten
                });
            }
            Request::DeleteFinished { name, uid } => {
                self.jobs.retain(|job| *job.uid != *uid);
                self.observe(Observation::DeletedFinished { name: &name, uid: &uid });
            }
            Request::CreatePrimer { period, name } => {
                self.create_primer(period, &name, (lost_request, lost_answer), retry_at);
            }
            Request::DeletePrimer { name, .. } if lost_request => {
                self.observe(Observation::NotDeletedPrimer { name: &name, error: "no luck", retry_at });
            }
            Request::DeletePrimer { name, uid } => {
                self.jobs.retain(|job| *job.uid != *uid);
                self.observe(Observation::DeletedPrimer { name: &name, uid: &uid });
            }
            Request::DryRun { generation, .. } => {
                self.observe(Observation::DryRunAnswered { generation, answer: Ok(None) });
            }
        }
    }

    /// Notes the outcomes that a write has: no period ever has another one. A status lists only those that its watermark
    /// does not cover.
    fn note_outcomes(&mut self, status: &KronJobStatus) {
        let dispatcher = serde_json::to_value(&self.observed.dispatcher).unwrap();
        let decided = dispatcher["outcomes"].as_array().unwrap().iter().map(|decided| {
            let outcome = serde_json::from_value(decided["outcome"].clone()).unwrap();
            (Time(decided["nominal"].as_i64().unwrap()), outcome)
        });
        let last = status.last_period_id.zip(status.last_outcome);
        let listed = status.periods.iter().map(|entry| (entry.period_id, entry.outcome));
        for (period, outcome) in decided.chain(listed).chain(last) {
            let before = self.outcomes.insert(period, outcome);
            assert!(
                before.is_none_or(|before| before == outcome),
                "{period} is {outcome:?} and was {before:?}"
            );
        }
    }

    /// Carries out what is planned up to the first request of a kind, which it gives.
    #[track_caller]
    fn next(&mut self, wanted: fn(&Request) -> bool) -> Request {
        loop {
            match self.plan().requests.into_iter().next() {
                Some(request) if wanted(&request) => return request,
                Some(request) => self.carry_out(request),
                None => panic!("nothing is left to be done"),
            }
        }
    }

    /// The Job that the server makes of a body.
    fn add_job(&mut self, body: &mut Value) -> JobView {
        body["metadata"]["uid"] = json!(format!("uid-{}", self.dice.roll()));
        body["metadata"]["creationTimestamp"] = json!(Time(self.millis / 1000).to_string());
        let job: WatchedJob = serde_json::from_value(body.take()).unwrap();
        let job = JobView::read(&job);
        self.jobs.push(job.clone());
        job
    }

    fn create_primer(
        &mut self,
        period: Time,
        name: &str,
        (lost_request, lost_answer): (bool, bool),
        retry_at: i64,
    ) {
        self.observe(Observation::CreatingPrimer);
        let failed = |retry_at| PrimerCreated::Failed { retry_at, message: "no luck".into() };
        let answer = if self.jobs.iter().any(|job| *job.name == *name) {
            PrimerCreated::Ours
        } else if lost_request {
            // Half of those that are lost are known to be.
            failed(self.dice.percent(50).then_some(retry_at))
        } else {
            let spec = self.kronjob.spec.as_ref().unwrap();
            let chosen = spec.job.decide(period.0).unwrap().chosen_timestamp().unwrap();
            assert!(chosen - self.millis / 1000 >= 30, "{period}: its primer is late");
            assert!(!spec.job.spec().policy().suspend(), "{period}: primed while suspended");
            assert!(!self.made.contains_key(&period), "{period}: its Job was there before its primer");
            *self.primed.entry(period).or_default() += 1;
            let mut body = primer_job(&self.kronjob, spec.template.as_deref().unwrap(), period, name);
            self.add_job(&mut body);
            if lost_answer { failed(None) } else { PrimerCreated::Ours }
        };
        self.observe(Observation::PrimerCreated { period, name, answer });
    }

    fn finish_jobs(&mut self, after: i64) {
        let now = self.millis / 1000;
        // Primers wait until they are deleted.
        for job in self.jobs.iter_mut().filter(|job| job.primer_for.is_none()) {
            if job.finished.is_none() && now >= job.created.0 + after {
                job.finished = Some(Finished { successfully: true, time: Time(now) });
                job.started = Some(job.created);
            }
        }
    }

    /// Lets time pass up to a Unix second, with everything that happens until then.
    fn run_to(&mut self, end: i64, run_time: i64) {
        while self.millis < end * 1000 {
            let wake_up = self.run_until_idle().unwrap_or(i64::MAX);
            let ends = self
                .jobs
                .iter()
                .filter(|job| job.finished.is_none() && job.primer_for.is_none())
                .map(|job| (job.created.0 + run_time) * 1000);
            let next = wake_up.min(ends.min().unwrap_or(i64::MAX)).min(end * 1000);
            self.millis = next.max(self.millis + 1);
            if self.faults > 0 && self.dice.percent(self.faults / 8) {
                // Nobody is there for a while.
                self.observed = Observed::default();
                self.millis += self.dice.below(3 * 3600 * 1000) as i64;
            }
            self.finish_jobs(run_time);
        }
        self.run_until_idle();
    }

    /// Every period in force up to a second has its outcome, and none has two Jobs.
    #[track_caller]
    fn check(&self, end: i64, context: &str) {
        let spec = self.kronjob.spec.as_ref().unwrap();
        let patience = spec.job.spec().policy().deadline().as_secs().max(10);
        for decision in spec.job.periods(START - 40_000_000, end + 40_000_000) {
            let period = Time(decision.nominal_timestamp());
            let order = decision.order_timestamp();
            let outcome = self.outcomes.get(&period);
            if order <= START || order > end {
                assert_eq!(outcome, None, "{context}: {period} is not in force, or not due");
            } else if order + patience + 5 < end {
                assert!(outcome.is_some(), "{context}: {period} has no outcome");
            }
            let made = self.made.get(&period).copied().unwrap_or_default();
            assert!(made <= 1, "{context}: {period} has {made} Jobs");
            if outcome == Some(&Outcome::Executed) {
                assert_eq!(made, 1, "{context}: {period} is executed without a Job");
            }
        }
    }
}

fn specs() -> Vec<Value> {
    let policy =
        |concurrency: &str, deadline: &str| json!({"concurrency": concurrency, "deadline": deadline});
    vec![
        json!({}),
        json!({"window": {"duration": "10m"}}),
        json!({"window": {"duration": "10m"}, "policy": policy("allow", "5m")}),
        json!({"window": {"duration": "90m"}, "policy": policy("allow", "0s")}),
        json!({"window": {"duration": "5h"}, "policy": policy("forbid", "10m")}),
        json!({"window": {"mode": "around", "duration": "3h"}, "policy": policy("replace", "2h")}),
        json!({"schedule": "*/5 * * * *", "window": {"duration": "1h"}, "policy": policy("allow", "1m")}),
        json!({"schedule": "*/20 * * * *", "window": {"duration": "30m"}, "constraints": {"avoid": [{"hours": "3-9"}]}}),
        json!({"window": {"duration": "4h"}, "constraints": {"only": [{"between": "10:00-10:20"}]}, "policy": policy("forbid", "1h")}),
        json!({"schedule": "30 2 * * *", "timezone": "Europe/Paris", "window": {"duration": "36h"}, "policy": policy("allow", "1h")}),
    ]
}

#[test]
fn every_period_gets_one_outcome_without_faults() {
    for spec in specs() {
        let context = spec.to_string();
        let mut world = World::new(spec, 1, 0);
        let end = START + 2 * 86_400;
        world.run_to(end, 60);
        world.check(end, &context);
        let missed = world.outcomes.values().filter(|outcome| **outcome == Outcome::Missed).count();
        assert_eq!(missed, 0, "{context}");
    }
}

#[test]
fn every_period_gets_one_outcome_whatever_fails() {
    for seed in 0..40 {
        for spec in specs() {
            let context = format!("seed {seed}, {spec}");
            let mut world = World::new(spec, seed, [4, 12, 30][seed as usize % 3]);
            let (end, run_time) = (START + 86_400, 1 + (seed as i64 * 37) % 900);
            world.run_to(end, run_time);
            // What luck kept from being written is written now.
            world.faults = 0;
            world.run_to(world.millis / 1000 + 30, run_time);
            world.check(world.millis / 1000, &context);
        }
    }
}

#[test]
fn the_next_start_is_that_of_the_core() {
    for spec in specs() {
        let mut world = World::new(spec, 1, 0);
        for hour in 1..30 {
            world.run_to(START + hour * 3600 + 17, 60);
            let spec = world.kronjob.spec.as_ref().unwrap();
            let next = spec.job.next_start(world.millis / 1000).unwrap();
            assert_eq!(world.status().next_period_id, Some(Time(next.nominal_timestamp())));
            assert_eq!(world.status().next_chosen_time, next.chosen_timestamp().map(Time));
            assert_eq!(
                world.status().claim.as_ref().map(|claim| claim.period_id),
                world.status().next_period_id
            );
        }
    }
}

#[test]
fn an_edit_of_the_window_runs_nothing_twice() {
    for (before, after) in [("10m", "5h"), ("90m", "5h"), ("5h", "10m"), ("5h", "90m"), ("0s", "59m")] {
        for hours in 1..9 {
            for forget in [false, true] {
                let policy = json!({"concurrency": "allow", "deadline": "1m"});
                let mut world =
                    World::new(json!({"window": {"duration": before}, "policy": policy}), hours, 0);
                world.run_to(START + 43_200 + (hours as i64) * 700, 60);
                world.edit("window", json!({"duration": after}));
                if forget {
                    world.observed = Observed::default();
                }
                world.run_to(START + 2 * 86_400, 60);
                let context = format!("{before} to {after} at {hours}, {forget}");
                assert!(world.made.values().all(|made| *made == 1), "{context}: {:?}", world.made);
                // From the longest window after the edit on, all is as if it had always been so.
                let spec = world.kronjob.spec.as_ref().unwrap();
                for decision in spec.job.periods(START + 86_400, START + 2 * 86_400 - 40_000) {
                    let period = Time(decision.nominal_timestamp());
                    assert_eq!(world.outcomes.get(&period), Some(&Outcome::Executed), "{context}: {period}");
                }
            }
        }
    }
}

#[test]
fn an_edit_soon_after_the_creation_runs_nothing_twice() {
    for salt in 0..40 {
        // Two starts right after the creation; then the edit moves the first of them behind the second.
        let policy = json!({"concurrency": "allow", "deadline": "5m"});
        let mut world = World::new(
            json!({"schedule": "*/5 * * * *", "window": {"duration": "1m"}, "policy": policy}),
            1,
            0,
        );
        world.run_to(START + 370, 60);
        let before = world.outcomes.clone();
        world.edit("seed", json!({"salt": salt.to_string()}));
        world.edit("window", json!({"duration": "12m"}));
        // Their Jobs are gone, so nothing but the status says it.
        world.jobs.clear();
        world.run_to(START + 400, 60);
        world.edit("policy", json!({"concurrency": "allow", "deadline": "4m"}));
        world.run_to(START + 7200, 60);
        assert!(world.made.values().all(|made| *made == 1), "{salt}: {:?}", world.made);
        assert!(before.iter().all(|(period, outcome)| world.outcomes.get(period) == Some(outcome)), "{salt}");
    }
}

#[test]
fn a_new_schedule_starts_nothing_retroactively() {
    let mut world = World::new(json!({"policy": {"deadline": "24h"}}), 1, 0);
    world.run_to(START + 6 * 3600 + 600, 60);
    world.edit("schedule", json!("*/10 * * * *"));
    world.run_to(START + 6 * 3600 + 1100, 60);
    assert_eq!(world.outcomes.keys().last(), Some(&Time(START + 6 * 3600)));
    assert_eq!(world.status().configuration.as_ref().unwrap().since, Time(START + 6 * 3600 + 600));
    world.run_to(START + 6 * 3600 + 1300, 60);
    assert_eq!(world.outcomes.keys().last(), Some(&Time(START + 6 * 3600 + 1200)));
}

#[test]
fn what_passed_while_suspended_is_neither_started_nor_recorded() {
    let mut world = World::new(json!({"policy": {"deadline": "24h"}}), 1, 0);
    world.run_to(START + 2 * 3600 + 600, 60);
    world.edit("policy", json!({"deadline": "24h", "suspend": true}));
    world.run_to(START + 5 * 3600 + 600, 60);
    assert!(world.status().claim.is_none());
    let ready = &world.status().conditions[0];
    assert_eq!(
        (ready.type_.as_str(), ready.status.as_str(), ready.reason.as_str()),
        ("Ready", "False", "Suspended")
    );
    world.edit("policy", json!({"deadline": "24h"}));
    world.observed = Observed::default();
    world.run_to(START + 7 * 3600 + 600, 60);
    let hours: Vec<i64> = world.outcomes.keys().map(|time| (time.0 - START) / 3600).collect();
    assert_eq!(hours, [1, 2, 6, 7]);
}

#[test]
fn a_claimed_period_is_not_created_again_when_its_ttl_may_have_removed_the_first_job() {
    let template = |ttl: i64| {
        json!({"spec": {"ttlSecondsAfterFinished": ttl, "template": {"spec": {
        "restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]}}}})
    };
    for (ttl, outcome) in [(0, Outcome::Missed), (600, Outcome::Executed)] {
        let mut world = World::new(json!({"policy": {"deadline": "1h"}, "jobTemplate": template(ttl)}), 1, 0);
        world.run_to(START + 3590, 60);
        assert_eq!(world.status().claim.as_ref().unwrap().period_id, Time(START + 3600));
        // The process dies with the claim written, and another one comes 5 s late.
        world.observed = Observed::default();
        world.millis = (START + 3605) * 1000;
        world.run_until_idle();
        assert_eq!(world.outcomes.get(&Time(START + 3600)), Some(&outcome), "ttl {ttl}");
        let lost = world.messages.iter().any(|message| message.reason == crate::events::Reason::ClaimLost);
        assert_eq!(lost, outcome == Outcome::Missed);
    }
}

#[test]
fn the_next_start_of_a_suspended_job_goes_on() {
    let mut world = World::new(json!({"policy": {"suspend": true}}), 1, 0);
    for hour in 1..5 {
        world.run_to(START + hour * 3600 + 17, 60);
        assert_eq!(world.status().next_chosen_time, Some(Time(START + (hour + 1) * 3600)));
    }
}

#[test]
fn each_outcome_of_one_write_has_its_event() {
    for lost in [false, true] {
        let mut world = World::new(json!({"schedule": "*/10 * * * *", "policy": {"deadline": "1m"}}), 1, 0);
        world.run_to(START + 610, 60);
        world.observed = Observed::default();
        world.millis += 3 * 3_600_000;
        if lost {
            // The answer to the write is lost, and what was written is read.
            let Some(Request::UpdateStatus { status, .. }) = world.plan().requests.pop() else {
                panic!("nothing to write")
            };
            world.observe(Observation::WritingStatus { status: &status, ended: Vec::new() });
            world.observe(not_written(true, world.millis));
            world.kronjob.status = Ok(*status);
        }
        world.run_until_idle();
        let missed = |reason| world.messages.iter().filter(|message| message.reason == reason).count();
        use crate::events::Reason;
        // The first was claimed, and the last is ten seconds late only.
        assert_eq!((missed(Reason::ClaimLost), missed(Reason::MissSchedule)), (1, 16), "lost: {lost}");
    }
}

#[test]
fn a_claimed_period_that_an_edit_moves_is_not_created_again_when_its_ttl_may_have_removed_the_first_job() {
    let template = json!({"spec": {"ttlSecondsAfterFinished": 30, "template": {"spec": {
        "restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]}}}});
    for late in [20, 200] {
        let mut world = World::new(json!({"policy": {"deadline": "1h"}, "jobTemplate": template}), 1, 0);
        world.run_to(START + 3590, 60);
        assert_eq!(world.status().claim.as_ref().unwrap().period_id, Time(START + 3600));
        // The process may have created the Job and died. Before another one comes the start is moved.
        world.observed = Observed::default();
        world.edit("window", json!({"duration": "50m"}));
        let moved = world
            .kronjob
            .spec
            .as_ref()
            .unwrap()
            .job
            .decide(START + 3600)
            .unwrap()
            .chosen_timestamp()
            .unwrap();
        assert!(moved > START + 3800);
        world.millis = (START + 3600 + late) * 1000;
        world.run_to(moved + 20, 60);
        // As long as the Job could not be removed yet, its absence says that it was not created.
        let outcome = if late < 30 { Outcome::Executed } else { Outcome::Missed };
        assert_eq!(world.outcomes.get(&Time(START + 3600)), Some(&outcome), "{late}");
    }
}

#[test]
fn a_claimed_period_is_not_missed_before_the_server_was_asked_for_its_job() {
    let policy = json!({"deadline": "1m"});
    let mut world = World::new(json!({"policy": policy}), 1, 0);
    world.run_to(START + 3605, 600);
    // Nothing was written since the create, and the new process has not seen the Job yet.
    let mut world_before = World::new(json!({"policy": {"deadline": "1m"}}), 1, 0);
    world_before.run_to(START + 3590, 600);
    let unseen = std::mem::take(&mut world.jobs);
    world.kronjob.status = world_before.kronjob.status;
    world.outcomes.clear();
    world.observed = Observed::default();
    world.millis = (START + 3700) * 1000;
    let plan = world.plan();
    assert!(matches!(plan.requests.first(), Some(Request::LookUp { .. })), "{:?}", plan.requests);
    world.jobs = unseen;
    world.run_until_idle();
    assert_eq!(world.outcomes.get(&Time(START + 3600)), Some(&Outcome::Executed));
}

#[test]
fn run_now_replaces_no_job_whose_outcome_is_not_written() {
    let mut world = World::new(json!({"policy": {"concurrency": "replace"}}), 1, 0);
    world.run_to(START + 3590, 600);
    world.millis = (START + 3600) * 1000;
    // The Job is created, and the status cannot be written.
    for _ in 0..10 {
        let request = world
            .plan()
            .requests
            .into_iter()
            .find(|request| !matches!(request, Request::UpdateStatus { .. }));
        let Some(request) = request else { break };
        world.carry_out(request);
    }
    assert_eq!(world.jobs.len(), 1);
    world.kronjob.run_now = Some("x".into());
    let plan = world.plan();
    assert!(
        plan.requests.iter().all(|request| matches!(request, Request::UpdateStatus { .. })),
        "{:?}",
        plan.requests
    );
    world.run_until_idle();
    assert_eq!(world.status().last_outcome, Some(Outcome::Executed));
    assert_eq!(world.status().last_run_now.as_ref().unwrap().outcome, Outcome::Executed);
}

#[test]
fn nothing_is_decided_while_a_create_is_under_way() {
    let mut world = World::new(json!({"policy": {"concurrency": "allow", "deadline": "30s"}}), 1, 0);
    world.run_to(START + 3599, 60);
    world.millis = (START + 3600) * 1000;
    let Some(Request::Create { purpose, .. }) = world.plan().requests.into_iter().next() else {
        panic!("there is no create")
    };
    world.observe(Observation::Creating(&purpose));
    // Its time is over, and its answer still to come.
    world.millis += 40_000;
    assert!(world.plan().requests.iter().all(|request| !matches!(request, Request::UpdateStatus { .. })));
    world.observe(Observation::Created { purpose: &purpose, answer: Created::Taken });
    world.run_until_idle();
    assert!(world.messages.iter().any(|message| message.reason == crate::events::Reason::NameTaken));
}

#[test]
fn run_now_makes_one_job_for_a_token() {
    let mut world = World::new(json!({}), 1, 0);
    world.run_to(START + 100, 60);
    for token in ["a", "a", "b"] {
        world.kronjob.run_now = Some(token.into());
        world.observed = Observed::default();
        world.run_until_idle();
        world.millis += 100_000;
        world.finish_jobs(60);
    }
    world.run_until_idle();
    let tokens: Vec<_> = world.jobs.iter().filter_map(|job| job.run_now.as_deref()).collect();
    assert_eq!(tokens, ["a", "b"]);
    assert_eq!(world.status().last_run_now.as_ref().unwrap().token, "b");

    world.kronjob.run_now = Some("not a label".into());
    world.run_until_idle();
    world.run_until_idle();
    let reported = world
        .messages
        .iter()
        .filter(|message| message.reason == crate::events::Reason::InvalidRunNow)
        .count();
    assert_eq!(reported, 1);
}

#[test]
fn run_now_is_skipped_while_a_job_is_active() {
    let mut world = World::new(json!({}), 1, 0);
    world.run_to(START + 3600 + 5, 60);
    world.kronjob.run_now = Some("x".into());
    world.run_until_idle();
    let last = world.status().last_run_now.clone().unwrap();
    assert_eq!((last.outcome, last.job_name), (Outcome::Skipped, None));
}

#[test]
fn history_keeps_the_newest() {
    let mut world = World::new(json!({"successfulJobsHistoryLimit": 2}), 1, 0);
    world.run_to(START + 6 * 3600 + 600, 60);
    let hours: Vec<i64> = world.jobs.iter().map(|job| (job.period.unwrap().0 - START) / 3600).collect();
    assert_eq!(hours, [5, 6]);
    assert_eq!(world.status().last_successful_time, Some(Time(START + 6 * 3600 + 60)));
}

#[test]
fn a_host_that_was_down_for_months_counts_what_it_cannot_name() {
    let mut world = World::new(json!({"schedule": "*/5 * * * *", "policy": {"deadline": "10m"}}), 1, 0);
    world.run_to(START + 3600, 60);
    world.observed = Observed::default();
    world.millis += 90 * 86_400_000;
    let now = world.millis / 1000;
    world.run_until_idle();
    world.run_to(now + 3600, 60);
    let reported = world
        .messages
        .iter()
        .filter(|message| message.reason == crate::events::Reason::TooManyMissedTimes)
        .count();
    assert_eq!(reported, 1);
    let missed = world.outcomes.values().filter(|outcome| **outcome == Outcome::Missed).count();
    assert!((100..=103).contains(&missed), "{missed}");
    assert!(world.made.values().all(|made| *made == 1));
}
