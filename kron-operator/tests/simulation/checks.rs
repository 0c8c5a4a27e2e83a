//! What has to hold afterwards.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use kron_api_model::{Match, Record};
use kron_crd::KronJobStatus;
use kron_operator::object::{JobView, KronJobView, WatchedJob};
use kron_operator::plan::{Objects, Observed, Request, plan};
use serde_json::Value;

use crate::e2e::cluster::{object, text_of};
use crate::e2e::manifest::Manifest;
use crate::observer::Seen;
use crate::runs;
use crate::world::{REPLICAS, World};

/// Requests of one replica in a minute, at most: with faults, each of which takes retries, and without.
const BUSY: usize = 300;
const QUIET: usize = 120;
/// Replicas that undo each other's updates make that many more: those that are allowed for each KronJob, each with an Event.
const CONTENDED: usize = 2 * 6 * 120;

/// Whether a period was not in force when the watermark passed it. It has no outcome then, wherever edits move its start.
fn was_passed(seen: &Seen, uid: &str, nominal: i64) -> bool {
    let mut moves = seen.passed.get(uid).into_iter().flatten().rev();
    let Some(passed) = moves.find(|passed| passed.after < nominal && nominal <= passed.through) else {
        return false;
    };
    let specs = &seen.specs[uid];
    let spec = specs.iter().find(|version| version["metadata"]["generation"] == passed.generation);
    let Some(spec) = spec else { return false };
    let job = Manifest::new(&object(spec.clone())).job();
    let period = job.periods(nominal..nominal + 1).next();
    // An earlier schedule may not have had it.
    period.is_none_or(|period| period.order_timestamp() <= passed.since)
}

/// Whether a spec that the KronJob had chose a second for the period that was over then.
fn was_due_before(seen: &Seen, uid: &str, nominal: i64, then: i64) -> bool {
    seen.specs[uid].iter().any(|version| {
        let job = Manifest::new(&object(version.clone())).job();
        job.periods(nominal..nominal + 1).next().is_some_and(|decision| decision.order_timestamp() < then)
    })
}

/// The most requests of one replica in a minute of the clock.
fn busiest(requests: &[Record], from: i64, to: i64) -> usize {
    let mut minutes: BTreeMap<(&str, i64), usize> = BTreeMap::new();
    for record in requests {
        let second = record.time.timestamp();
        if (from..to).contains(&second) {
            *minutes.entry((record.call.caller.as_str(), second.div_euclid(60))).or_default() += 1;
        }
    }
    minutes.into_values().max().unwrap_or_default()
}

impl World<'_> {
    /// Nothing fails any more: everything comes to rest, and goes on as it should.
    pub async fn calm(&mut self, seconds: i64) {
        self.note("all is well again".to_string());
        for index in 0..REPLICAS.len() {
            self.correct_clock(index);
            self.start(index);
        }
        tokio::time::sleep(Duration::from_secs(300)).await;
        self.calm_since = self.cluster.now();
        self.decided_before = self.observer.seen().outcomes.keys().cloned().collect();
        tokio::time::sleep(Duration::from_secs(seconds as u64)).await;
    }

    pub async fn check(&mut self) {
        let mut violations = std::mem::take(&mut self.observer.seen().violations);
        self.decided_by_the_core(&mut violations);
        self.one_job_for_a_token(&mut violations);
        self.every_period_has_its_outcome(&mut violations).await;
        self.primers_are_of_starts_to_come(&mut violations).await;
        self.audits_agree(&mut violations);
        let requests =
            self.server.requests(&Match::any().when(|call| REPLICAS.contains(&call.caller.as_str())));
        let busiest =
            (busiest(&requests, i64::MIN, self.calm_since), busiest(&requests, self.calm_since, i64::MAX));
        self.no_hot_loop(busiest, &mut violations);
        self.at_rest(&mut violations).await;
        println!("{}", self.summary(&requests, busiest));
        if !violations.is_empty() {
            if runs::only_one() {
                println!("{}", self.transcript());
            }
            let (diary, violations) = (self.diary.join("\n"), violations.join("\n"));
            let seen = self.observer.seen();
            let concerned = seen.histories.iter().filter(|(uid, _)| violations.contains(uid.as_str()));
            let histories: Vec<String> =
                concerned.map(|(uid, lines)| format!("{uid}:\n{}", lines.join("\n"))).collect();
            panic!("seed {}:\n{diary}\n\n{}\n\n{violations}", self.seed, histories.join("\n"));
        }
    }

    /// What came of it, to see that something happened.
    fn summary(&self, requests: &[Record], (busiest, quiet): (usize, usize)) -> String {
        let seen = self.observer.seen();
        let mut outcomes: BTreeMap<&str, u32> = BTreeMap::new();
        seen.outcomes.values().for_each(|outcome| *outcomes.entry(outcome).or_default() += 1);
        let failed = requests.iter().filter(|record| record.code.is_none_or(|code| code >= 400)).count();
        format!(
            "seed {}: {} Jobs, {} of them primers, {outcomes:?}, {} requests, {failed} of them without success, at most {busiest} and {quiet} a minute",
            self.seed,
            seen.jobs.len(),
            seen.jobs.values().filter(|job| job.primer_for.is_some()).count(),
            requests.len(),
        )
    }

    /// All that happened: every request with its answer, what was done, and the objects at the end.
    pub fn transcript(&self) -> String {
        let requests = self.server.requests(&Match::any()).into_iter().map(|record| record.to_string());
        let kinds = [("kron.io/v1alpha1", "kronjobs"), ("batch/v1", "jobs"), ("v1", "events")];
        let objects = kinds.iter().flat_map(|(version, plural)| self.server.list(version, plural));
        let objects = objects.map(|object| object.to_string());
        self.diary.iter().cloned().chain(requests).chain(objects).collect::<Vec<_>>().join("\n")
    }

    /// Every Job's chosen time is the core's decision by a spec that the KronJob had, inside the window.
    fn decided_by_the_core(&self, violations: &mut Vec<String>) {
        let seen = self.observer.seen();
        let jobs: BTreeMap<&String, Vec<kron_core::Job>> = seen
            .specs
            .iter()
            .map(|(uid, versions)| {
                (uid, versions.iter().map(|version| Manifest::new(&object(version.clone())).job()).collect())
            })
            .collect();
        for job in seen.jobs.values() {
            let Some((nominal, chosen)) = job.period else { continue };
            let decided = jobs[&job.owner].iter().any(|core| {
                let decision = core.decide(nominal).unwrap();
                let window = decision.window_start_timestamp()..=decision.window_end_timestamp();
                decision.chosen_timestamp() == Some(chosen) && window.contains(&chosen)
            });
            if !decided {
                violations.push(format!("nobody decided {job:?}"));
            }
        }
    }

    /// A token makes one Job, but for the limits of docs/explain/design.md.
    fn one_job_for_a_token(&self, violations: &mut Vec<String>) {
        let seen = self.observer.seen();
        let mut tokens: BTreeMap<(&String, &String), u32> = BTreeMap::new();
        for job in seen.jobs.values() {
            if let Some(token) = &job.token {
                *tokens.entry((&job.owner, token)).or_default() += 1;
            }
        }
        let is_repeated =
            |owner: &str, token: &str| seen.repeated_tokens.contains(&(owner.to_string(), token.to_string()));
        tokens.retain(|(owner, token), count| *count > 1 && !is_repeated(owner, token));
        for ((owner, token), count) in tokens {
            violations.push(format!("{count} Jobs for token {token} of {owner}"));
        }
    }

    /// Every period of the calm time has an outcome, and none is missed.
    async fn every_period_has_its_outcome(&self, violations: &mut Vec<String>) {
        for name in &self.names {
            let Some(kronjob) = self.cluster.kronjobs().get_opt(name).await.unwrap() else {
                violations.push(format!("{name} is not there"));
                continue;
            };
            let kronjob = Manifest::new(&kronjob);
            if kronjob.value["spec"]["policy"]["suspend"] == true {
                continue;
            }
            let seen = self.observer.seen();
            let (from, to) = (self.calm_since, self.cluster.now() - 15);
            for decision in kronjob.job().periods(from - 3600..to + 3600) {
                let order = decision.order_timestamp();
                if order <= from || order >= to {
                    continue;
                }
                let period = text_of(decision.nominal_timestamp());
                let key = (kronjob.uid().to_string(), period.clone());
                let outcome = seen.outcomes.get(&key);
                let fits = match outcome.map(String::as_str) {
                    Some("executed" | "skipped") => decision.chosen_timestamp().is_some(),
                    Some("unschedulable") => decision.chosen_timestamp().is_none(),
                    None => was_passed(&seen, kronjob.uid(), decision.nominal_timestamp()),
                    // A start whose request was lost is not made up for if an edit then moves it.
                    Some(_) => {
                        self.decided_before.contains(&key)
                            && was_due_before(&seen, kronjob.uid(), decision.nominal_timestamp(), from)
                    }
                };
                if !fits {
                    violations.push(format!("{name}: {period}, due at {}, is {outcome:?}", text_of(order)));
                }
            }
        }
    }

    /// A primer that is there is that of the next start of a KronJob that has primers, and is not suspended.
    async fn primers_are_of_starts_to_come(&self, violations: &mut Vec<String>) {
        let mut wrong = Vec::new();
        // One that is not needed any more is deleted soon.
        for _ in 0..40 {
            wrong =
                self.server.list("batch/v1", "jobs").into_iter().filter(|job| self.is_stray(job)).collect();
            if wrong.is_empty() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(1300)).await;
        }
        violations.extend(wrong.iter().map(|job| format!("stray primer {}", job["metadata"])));
    }

    fn is_stray(&self, job: &Value) -> bool {
        let Some(label) = job["metadata"]["labels"]["kron.io/primer-for"].as_str() else { return false };
        let uid = &job["metadata"]["ownerReferences"][0]["uid"];
        let mut all = self.names.iter().filter_map(|name| self.stored(name));
        let Some(kronjob) = all.find(|kronjob| kronjob["metadata"]["uid"] == *uid) else {
            return true;
        };
        let next = kronjob["status"]["nextPeriodID"].as_str().map(|next| next.replace(['-', ':'], ""));
        kronjob["spec"]["primer"].is_null()
            || kronjob["spec"]["policy"]["suspend"] == true
            || next.as_deref() != Some(label)
    }

    fn no_hot_loop(&self, (busiest, quiet): (usize, usize), violations: &mut Vec<String>) {
        let more = if self.two_leases { CONTENDED } else { 0 };
        let (busy, calm) = (BUSY * self.size() + more, QUIET * self.size() + more);
        if busiest > busy || quiet > calm {
            violations.push(format!("up to {busiest} requests in a minute, and {quiet} without faults"));
        }
    }

    /// Another operator, that knows nothing but what is written, would write the same and do nothing.
    async fn at_rest(&self, violations: &mut Vec<String>) {
        let read = |job: Value| JobView::read(&serde_json::from_value::<WatchedJob>(job).unwrap());
        let mut left = Vec::new();
        for _ in 0..40 {
            let jobs = self.server.list("batch/v1", "jobs");
            // The operator watches those with the label of the name.
            let jobs = jobs.into_iter().filter(|job| !job["metadata"]["labels"]["kron.io/name"].is_null());
            let jobs: Vec<JobView> = jobs.map(read).collect();
            left = self.names.iter().filter_map(|name| self.unrest(name, &jobs)).collect();
            if left.is_empty() {
                return;
            }
            // Some period may be due in this very second.
            tokio::time::sleep(Duration::from_millis(1300)).await;
        }
        violations.append(&mut left);
    }

    fn unrest(&self, name: &str, jobs: &[JobView]) -> Option<String> {
        let kronjob = KronJobView::read(&object(self.stored(name)?), &kron_core::Parser::new());
        let mut observed = Observed::default();
        let jobs: Vec<&JobView> = jobs.iter().collect();
        let objects = Objects::new(&kronjob, &jobs, &observed, self.cluster.clock.now());
        while let (Some(search), Ok(spec)) = (observed.look(&objects), &kronjob.spec) {
            observed.searched(search.run(&spec.job));
        }
        let plan = plan(&objects, &observed);
        let unclaimed = |status: &KronJobStatus| {
            let mut status = status.clone();
            // Each process writes its own name and time, and the TTL that it was answered.
            status.claim.iter_mut().for_each(|claim| {
                claim.time = kron_crd::Time(0);
                claim.holder = String::new();
                claim.ttl_seconds = None;
            });
            status
        };
        let (mut written, wanted) =
            (unclaimed(kronjob.status.as_ref().ok()?), unclaimed(plan.status.as_ref()?));
        // Entries that are over go with the next write.
        written.periods.retain(|entry| wanted.periods.contains(entry));
        let (written, wanted) =
            (serde_json::to_value(written).unwrap(), serde_json::to_value(wanted).unwrap());
        let fields: BTreeSet<&String> =
            [&written, &wanted].iter().flat_map(|v| v.as_object().unwrap().keys()).collect();
        let differ = fields.into_iter().filter(|field| written[*field] != wanted[*field]);
        let differ: Vec<String> =
            differ.map(|field| format!("{field} is {}, not {}", written[field], wanted[field])).collect();
        // A process gives up a dry run that fails again and again; another one would try it, too.
        let given_up = written["conditions"].to_string().contains("TemplateNotTried");
        let expected = |request: &Request| match request {
            Request::UpdateStatus { .. } => true,
            Request::DryRun { repeats: false, .. } => given_up,
            _ => false,
        };
        let others: Vec<&Request> = plan.requests.iter().filter(|request| !expected(request)).collect();
        (!others.is_empty() || !differ.is_empty())
            .then(|| format!("{name}: {}, to do: {others:?}", differ.join(", ")))
    }
}
