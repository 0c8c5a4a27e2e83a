//! A small world around the plan: time passes, requests succeed, fail or lose their answers, and the process loses its memory
//! now and then.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::DateTime;
use kron_host::Trigger;
use serde_json::{Value, json};

use super::*;
use crate::client::{Failure, Refusal};
use crate::new_job::{job, primer_job};
use crate::object::{Finished, WatchedJob};
use crate::primer::PAUSE_IMAGE;

/// SplitMix64: the world's dice.
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(super) fn below(&mut self, n: u64) -> u64 {
        self.roll() % n
    }

    pub(super) fn percent(&mut self, p: u64) -> bool {
        self.below(100) < p
    }
}

pub(super) struct World {
    pub(super) kronjob: KronJobView,
    pub(super) manifest: Value,
    pub(super) jobs: Vec<JobView>,
    pub(super) observed: Observed,
    pub(super) millis: i64,
    pub(super) dice: Dice,
    /// In percent of the requests.
    pub(super) faults: u64,
    /// Outcomes as they were written.
    pub(super) outcomes: BTreeMap<Time, Outcome>,
    /// How many Jobs each period ever had, and each token of run now.
    pub(super) made: BTreeMap<Time, u32>,
    pub(super) made_now: BTreeMap<String, u32>,
    /// The TTL that a webhook gives to Jobs from now on.
    pub(super) webhook_ttl: Option<i64>,
    /// How many primers each period ever had.
    pub(super) primed: BTreeMap<Time, u32>,
    pub(super) messages: Vec<Message>,
    /// How often the status was written, and how often Jobs were listed or read.
    pub(super) writes: u32,
    pub(super) reads: u32,
}

/// The answer of a server that does not do what it is asked for.
pub(super) fn refused(failure: Failure, message: &str) -> Response {
    Response::Refused(Refusal { failure, message: message.into() })
}

pub(super) fn manifest(spec: Value) -> Value {
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
    pub(super) fn new(spec: Value, seed: u64, faults: u64) -> World {
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
            webhook_ttl: None,
            primed: BTreeMap::new(),
            messages: Vec::new(),
            writes: 0,
            reads: 0,
        }
    }

    pub(super) fn status(&self) -> &KronJobStatus {
        self.kronjob.status.as_ref().unwrap()
    }

    pub(super) fn edit(&mut self, field: &str, value: Value) {
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
    pub(super) fn plan_with(&mut self, jobs: &[&JobView]) -> KronJobPlan {
        let now = DateTime::from_timestamp_millis(self.millis).unwrap();
        let objects = Objects::new(&self.kronjob, jobs, &self.observed, now);
        while let Some(search) = self.observed.look(&objects) {
            self.observed.searched(search.run(&self.kronjob.spec.as_ref().unwrap().job));
        }
        let plan = plan(&objects, &self.observed);
        self.messages.append(&mut self.observed.take_reports().messages);
        plan
    }

    pub(super) fn plan(&mut self) -> KronJobPlan {
        let jobs = std::mem::take(&mut self.jobs);
        let plan = self.plan_with(&jobs.iter().collect::<Vec<_>>());
        self.jobs = jobs;
        plan
    }

    pub(super) fn observe(&mut self, observation: Observation<'_>) {
        self.observed.observe(observation, self.millis / 1000);
    }

    /// An answer arrives. What has failed is made again at that millisecond.
    pub(super) fn answer(&mut self, request: &Request, response: &Response, retry_at: i64) -> Answered {
        let at = Moment { now: self.millis / 1000, retry_at: &|_, _, _| retry_at };
        self.observed.answered(&self.kronjob, request, response, at)
    }

    /// A request is sent, and the server does not do it.
    pub(super) fn refuse(&mut self, request: &Request, failure: Failure, retry_at: i64) -> Answered {
        self.observe(Observation::Sending(request));
        self.answer(request, &refused(failure, failure.code()), retry_at)
    }

    /// The same, while the cache shows older versions of some Jobs.
    pub(super) fn run_with_cache(&mut self, stale: Vec<JobView>) {
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
    pub(super) fn run_until_idle(&mut self) -> Option<i64> {
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

    pub(super) fn carry_out(&mut self, request: Request) {
        let lost_request = self.dice.percent(self.faults);
        let lost_answer = self.dice.percent(self.faults);
        let reads = matches!(request, Request::List | Request::Get { why: Sought::Active(_), .. });
        self.reads += u32::from(reads);
        self.observe(Observation::Sending(&request));
        let response = match &request {
            Request::Create { what: Purpose::Primer(period), name } => {
                self.create_primer(*period, name, (lost_request, lost_answer))
            }
            Request::DryRun { repeats: false, .. } => refused(Failure::AlreadyExists, "it exists"),
            Request::Create { .. } if lost_request => refused(Failure::Ambiguous, "no luck"),
            Request::Delete { what: Deleted::Finished, uid, .. } => self.delete(uid),
            _ if lost_request => refused(Failure::Refused, "no luck"),
            Request::DryRun { trigger, name, .. } => {
                let mut body = self.body(trigger, name);
                match self.found(name) {
                    Some(_) => refused(Failure::AlreadyExists, "it exists"),
                    None => Response::Job(Some(read_job(&mut body).into())),
                }
            }
            Request::Create { what: Purpose::Start(trigger), name } => match self.found(name) {
                Some(job) => Response::Job(Some(job)),
                None => {
                    let mut body = self.body(trigger, name);
                    let job = self.add_job(&mut body);
                    if let Some(period) = job.period {
                        *self.made.entry(period).or_default() += 1;
                    }
                    if let Some(token) = &job.run_now {
                        *self.made_now.entry(token.to_string()).or_default() += 1;
                    }
                    match lost_answer {
                        true => refused(Failure::Ambiguous, "no luck"),
                        false => Response::Job(Some(job.into())),
                    }
                }
            },
            Request::Get { name, .. } => Response::Job(self.found(name)),
            Request::List => Response::Jobs(self.jobs.clone()),
            Request::Delete { uid, .. } => self.delete(uid),
            Request::UpdateStatus { status, .. } => {
                self.writes += 1;
                self.note_outcomes(status);
                assert!(status.periods.len() <= 100);
                self.kronjob.status = Ok((**status).clone());
                match lost_answer {
                    true => refused(Failure::Ambiguous, "no luck"),
                    false => Response::KronJob(Some(self.kronjob.clone().into())),
                }
            }
            Request::GetKronJob => panic!("it follows from an answer"),
        };
        self.answer(&request, &response, self.millis + 300);
    }

    fn found(&self, name: &str) -> Option<Arc<JobView>> {
        self.jobs.iter().find(|job| *job.name == *name).map(|job| job.clone().into())
    }

    fn delete(&mut self, uid: &str) -> Response {
        self.jobs.retain(|job| *job.uid != *uid);
        Response::Done
    }

    /// The Job of a start, as the webhook makes it.
    fn body(&self, trigger: &Trigger, name: &str) -> Value {
        let template = self.kronjob.spec.as_ref().unwrap().template.as_deref();
        let mut body = job(&self.kronjob, template.unwrap(), trigger, name);
        if let Some(ttl) = self.webhook_ttl {
            body["spec"]["ttlSecondsAfterFinished"] = json!(ttl);
        }
        body
    }

    /// Notes the outcomes that a write has: no period ever has another one. A status lists only those that its watermark
    /// does not cover.
    pub(super) fn note_outcomes(&mut self, status: &KronJobStatus) {
        let unwritten = self.observed.dispatcher.unwritten().into_iter();
        let decided = unwritten.filter_map(|handled| Some((Time(handled.nominal()?), handled.outcome)));
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
    pub(super) fn next(&mut self, wanted: fn(&Request) -> bool) -> Request {
        loop {
            match self.plan().requests.into_iter().next() {
                Some(request) if wanted(&request) => return request,
                Some(request) => self.carry_out(request),
                None => panic!("nothing is left to be done"),
            }
        }
    }

    /// The Job that the server makes of a body.
    pub(super) fn add_job(&mut self, body: &mut Value) -> JobView {
        body["metadata"]["uid"] = json!(format!("uid-{}", self.dice.roll()));
        body["metadata"]["creationTimestamp"] = json!(Time(self.millis / 1000).to_string());
        let job = read_job(body);
        self.jobs.push(job.clone());
        job
    }

    pub(super) fn create_primer(
        &mut self,
        period: Time,
        name: &str,
        (lost_request, lost_answer): (bool, bool),
    ) -> Response {
        if let Some(job) = self.found(name) {
            Response::Job(Some(job))
        } else if lost_request {
            // Half of those that are lost are known to be.
            let known = self.dice.percent(50);
            refused(if known { Failure::Refused } else { Failure::Ambiguous }, "no luck")
        } else {
            let spec = self.kronjob.spec.as_ref().unwrap();
            let chosen = spec.job.decide(period.0).unwrap().chosen_timestamp().unwrap();
            assert!(chosen - self.millis / 1000 >= 30, "{period}: its primer is late");
            assert!(!spec.job.spec().policy().suspend(), "{period}: primed while suspended");
            assert!(!self.made.contains_key(&period), "{period}: its Job was there before its primer");
            *self.primed.entry(period).or_default() += 1;
            let mut body =
                primer_job(&self.kronjob, spec.template.as_deref().unwrap(), period, name, PAUSE_IMAGE);
            let job = self.add_job(&mut body);
            match lost_answer {
                true => refused(Failure::Ambiguous, "no luck"),
                false => Response::Job(Some(job.into())),
            }
        }
    }

    pub(super) fn finish_jobs(&mut self, after: i64) {
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
    pub(super) fn run_to(&mut self, end: i64, run_time: i64) {
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
                // No operator runs for a while.
                self.observed = Observed::default();
                self.millis += self.dice.below(3 * 3600 * 1000) as i64;
            }
            self.finish_jobs(run_time);
        }
        self.run_until_idle();
    }

    /// Every period in force up to a second has its outcome, and none has two Jobs.
    #[track_caller]
    pub(super) fn check(&self, end: i64, context: &str) {
        let spec = self.kronjob.spec.as_ref().unwrap();
        let patience = spec.job.spec().policy().deadline().as_secs().max(10);
        for decision in spec.job.periods(START - 40_000_000..end + 40_000_000) {
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

fn read_job(body: &mut Value) -> JobView {
    let job: WatchedJob = serde_json::from_value(body.take()).unwrap();
    JobView::read(&job)
}

/// Specs of all kinds.
pub(super) fn specs() -> Vec<Value> {
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
