//! The audit of the final objects against what the observer recorded while everything failed.

use std::collections::{BTreeMap, BTreeSet};

use kron_core::Parser;
use kron_formats::audit::{AuditedPeriod, PeriodState};
use kron_formats::names::PERIOD_ID_LABEL;
use kron_formats::snapshot::Snapshot;
use kron_formats::snapshot::{AuditSpan, KronJobSnapshot, ObjectFindingCode};
use serde_json::Value;

use crate::e2e::cluster::{object, text_of};
use crate::e2e::manifest::Manifest;
use crate::observer::{Seen, SeenJob, is_forged};
use crate::world::World;

/// What was recorded of one KronJob.
struct Recorded<'s> {
    outcomes: BTreeMap<i64, &'s str>,
    /// Periods that had a Job.
    jobs: BTreeSet<i64>,
    /// Periods with an Event that is there. Some Events are lost, as their requests fail.
    reported: BTreeSet<i64>,
    /// How many specs it had.
    specs: usize,
}

impl World<'_> {
    /// An audit of the KronJobs, all Jobs that there were and the Events says of each period what was recorded. An audit of
    /// what `kubectl` shows at the end says the same, or that it cannot know.
    pub fn audits_agree(&self, violations: &mut Vec<String>) {
        let seen = self.observer.seen();
        let events = self.server.list("v1", "events");
        let now = self.cluster.now();
        let mut states: BTreeMap<PeriodState, u32> = BTreeMap::new();
        let (names, kronjobs): (Vec<&str>, Vec<Value>) =
            self.names.iter().filter_map(|name| Some((&**name, self.stored(name)?))).unzip();
        let all = snapshot(&kronjobs, seen.objects.values(), &events);
        let now_there = seen.objects.iter().filter(|(uid, _)| seen.present.contains(*uid));
        let shown = snapshot(&kronjobs, now_there.map(|(_, job)| job), &events);
        assert_eq!((all.len(), shown.len()), (names.len(), names.len()));
        let mut reported: BTreeMap<&str, BTreeSet<i64>> = BTreeMap::new();
        for event in &events {
            let of = event["involvedObject"]["uid"].as_str().unwrap_or_default();
            let period = event["metadata"]["annotations"][PERIOD_ID_LABEL].as_str();
            reported.entry(of).or_default().extend(period.and_then(kron_formats::names::time_of_label));
        }
        let there = self.server.list("batch/v1", "jobs");
        let forged = there.iter().filter(|job| is_forged(job));
        let forged_for: BTreeSet<&str> =
            forged.filter_map(|job| job["metadata"]["ownerReferences"][0]["uid"].as_str()).collect();
        // Snapshots are in the order of names, too.
        for (((name, kronjob), all), shown) in names.iter().zip(&kronjobs).zip(&all).zip(&shown) {
            let uid = kronjob["metadata"]["uid"].as_str().unwrap().to_string();
            // An audit knows Jobs by their labels.
            if seen.edited.values().any(|edited| edited.owner == uid) {
                continue;
            }
            let recorded = Recorded::new(&seen, &uid, reported.remove(&*uid).unwrap_or_default());

            // It may have been created in the middle of a window.
            let created = kronjob["metadata"]["creationTimestamp"].as_str().unwrap();
            let from = Some(chrono::DateTime::parse_from_rfc3339(created).unwrap().timestamp() - 3600);
            let complete = all.audit(AuditSpan { from, now, has_all_jobs: true });
            for period in &complete.periods {
                *states.entry(period.state).or_default() += 1;
                if let Err(why) = recorded.agrees(period) {
                    violations.push(format!(
                        "audit of {uid}, {name}: {}: {why}: {period:?}",
                        text_of(period.nominal)
                    ));
                }
            }
            let job = Manifest::new(&object(kronjob.clone())).job();
            for (nominal, outcome) in &recorded.outcomes {
                let found = complete.periods.iter().find(|period| period.nominal == *nominal);
                // An edit can have moved its start to a time that is still to come.
                let comes = job.decide(*nominal).unwrap().order_timestamp() > now;
                if *outcome == "executed" && found.is_none() && !comes {
                    violations.push(format!("audit of {uid}, {name}: {} is left out", text_of(*nominal)));
                }
            }
            let mut set_back = self.diary.iter().filter(|line| line.contains("clock"));
            let set_back = set_back.next().is_some();
            for finding in &complete.findings {
                let explained = match finding.code {
                    ObjectFindingCode::ChosenTime | ObjectFindingCode::NotOnSchedule => recorded.specs > 1,
                    ObjectFindingCode::Early => set_back,
                    ObjectFindingCode::TwoJobs => seen.repeated.iter().any(|(owner, _)| *owner == uid),
                    // A Job that may have been removed is not created again, and the period is missed.
                    ObjectFindingCode::OtherOutcome => true,
                    _ => false,
                };
                if !explained {
                    violations.push(format!("audit of {uid}, {name}: {finding:?}"));
                }
            }
            let partial = shown.audit(AuditSpan { from, now, has_all_jobs: false });
            for period in &partial.periods {
                let of_all = complete.periods.iter().find(|other| other.nominal == period.nominal);
                let same = of_all.is_some_and(|other| other.state == period.state);
                let removed = period.state == PeriodState::NotExecuted
                    && self.deleted.contains(&kron_formats::names::job_name(name, period.nominal));
                let shortened = period.state == PeriodState::NotExecuted
                    && !recorded.reported.contains(&period.nominal)
                    && shortened_by_a_webhook(kronjob, &seen, period.nominal);
                // The history counts a forged Job that has ended, and the observer leaves it out.
                let crowded_out = period.state == PeriodState::NotExecuted && forged_for.contains(&*uid);
                let earlier = period.state == PeriodState::NotInForce;
                if !crowded_out
                    && !same
                    && !removed
                    && !shortened
                    && !earlier
                    && period.state != PeriodState::Unknown
                {
                    violations.push(format!("audit of {uid}, {name}: shown {period:?}, in all {of_all:?}"));
                }
            }
        }
        println!("seed {}: audited {states:?}", self.seed);
        let least = if !seen.edited.is_empty() {
            0
        } else if self.is_long() {
            5
        } else {
            1
        };
        if states.get(&PeriodState::Executed).copied().unwrap_or_default() < least {
            violations.push(format!("the audit found {states:?}"));
        }
    }
}

/// Whether the Job of the period is gone because a webhook gave it another TTL than the template has; or a later one, which
/// the history had kept instead of it.
fn shortened_by_a_webhook(kronjob: &Value, seen: &Seen, nominal: i64) -> bool {
    let uid = kronjob["metadata"]["uid"].as_str().unwrap();
    let from_period =
        |job: &SeenJob| job.owner == uid && job.period.is_some_and(|(period, _)| period >= nominal);
    let ttl = &kronjob["spec"]["jobTemplate"]["spec"]["ttlSecondsAfterFinished"];
    let mut removed = seen.jobs.iter().filter(|(uid, job)| from_period(job) && !seen.present.contains(*uid));
    removed.any(|(uid, _)| {
        let set = &seen.objects[uid]["spec"]["ttlSecondsAfterFinished"];
        !set.is_null() && set != ttl
    })
}

/// What `kubectl` prints of these objects, read as an audit reads it. In order of names.
fn snapshot<'v>(
    kronjobs: &'v [Value],
    jobs: impl Iterator<Item = &'v Value>,
    events: &'v [Value],
) -> Vec<KronJobSnapshot> {
    let items: Vec<&Value> = kronjobs.iter().chain(jobs).chain(events).collect();
    let items = serde_json::to_string(&items).unwrap();
    let text = format!(r#"{{"apiVersion": "v1", "kind": "List", "items": {items}}}"#);
    Snapshot::read(&Parser::new(), &[&text]).unwrap().kronjobs
}

impl<'s> Recorded<'s> {
    fn new(seen: &'s Seen, uid: &str, reported: BTreeSet<i64>) -> Recorded<'s> {
        let second = |text: &str| chrono::DateTime::parse_from_rfc3339(text).unwrap().timestamp();
        let outcomes = seen.outcomes.iter().filter(|((owner, _), _)| owner == uid);
        let jobs = seen.jobs.values().filter(|job| job.owner == uid);
        Recorded {
            outcomes: outcomes.map(|((_, period), outcome)| (second(period), outcome.as_str())).collect(),
            jobs: jobs.filter_map(|job| job.period.map(|(nominal, _)| nominal)).collect(),
            reported,
            specs: seen.specs[uid].len(),
        }
    }

    /// Whether the audit says what was recorded.
    fn agrees(&self, period: &AuditedPeriod<'_>) -> Result<(), String> {
        let outcome = self.outcomes.get(&period.nominal).copied();
        let (had_job, reported) =
            (self.jobs.contains(&period.nominal), self.reported.contains(&period.nominal));
        let fits = match (period.state, outcome) {
            (PeriodState::Executed, Some("executed")) => true,
            (PeriodState::Executed, None) => had_job || reported,
            // The Event is lost, and the status names the period no more.
            (PeriodState::Executed, Some("missed")) => had_job && !reported,
            (PeriodState::Skipped | PeriodState::Missed | PeriodState::Unschedulable, Some(outcome)) => {
                outcome == period.state.as_str()
            }
            (PeriodState::Skipped | PeriodState::Missed | PeriodState::Unschedulable, None) => reported,
            (PeriodState::NotExecuted | PeriodState::NotInForce | PeriodState::Unknown, outcome) => {
                outcome != Some("executed") && !had_job && !reported
            }
            (PeriodState::Pending | PeriodState::Suspended, outcome) => {
                outcome.is_none() && !had_job && !reported
            }
            (PeriodState::Overdue, _) => false,
            (PeriodState::Executed, Some(_)) => false,
        };
        fits.then_some(())
            .ok_or_else(|| format!("recorded {outcome:?}, a Job: {had_job}, an Event: {reported}"))
    }
}
