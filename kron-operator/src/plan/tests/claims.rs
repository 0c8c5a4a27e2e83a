//! The claim is a fence: a process that sees another one in it must not start anything.

use serde_json::json;

use super::*;
use kron_crd::reason::Reason;

fn with_ttl(ttl: i64) -> Value {
    json!({"policy": {"deadline": "1h"}, "jobTemplate": {"spec": {"ttlSecondsAfterFinished": ttl, "template": {"spec": {
        "restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]}}}}})
}

fn claim(world: &World) -> (String, Time) {
    let claim = world.status().claim.clone().unwrap();
    (claim.holder, claim.period_id)
}

/// Another process goes on with this world.
fn another(world: &mut World, name: &str) {
    world.observed = Observed::new(name);
}

#[test]
fn a_claim_names_its_holder_and_the_ttl() {
    let mut world = World::new(with_ttl(600), 1, 0);
    another(&mut world, "a");
    world.run_to(START + 60, 60);
    assert_eq!(claim(&world), ("a".into(), Time(START + 3600)));
    assert_eq!(world.status().claim.as_ref().unwrap().ttl_seconds, Some(600));
    // Admission gives the Jobs another one, as the dry run shows.
    let mut world = World::new(with_ttl(600), 1, 0);
    let mut requests = world.plan().requests.into_iter();
    let dry_run = requests.find(|request| matches!(request, Request::DryRun { .. })).unwrap();
    let job = json!({"metadata": {"name": "x", "namespace": "prod"}, "spec": {"ttlSecondsAfterFinished": 7}});
    let job = JobView::read(&serde_json::from_value(job).unwrap());
    world.answer(&dry_run, &Response::Job(Some(job.into())), 0);
    world.run_until_idle();
    assert_eq!(world.status().claim.as_ref().unwrap().ttl_seconds, Some(7));
}

/// A process has created a Job when it ends. Then nobody can read the spec, and the Job finishes and is removed.
#[test]
fn a_claim_that_may_have_been_used_outlives_a_spec_that_cannot_be_read() {
    let mut world = World::new(with_ttl(60), 1, 0);
    another(&mut world, "a");
    world.run_to(START + 3595, 30);
    world.millis = (START + 3600) * 1000;
    let create = world.next(|request| matches!(request, Request::Create { .. }));
    world.carry_out(create);
    another(&mut world, "b");
    world.edit("schedule", json!("every hour"));
    world.run_until_idle();
    assert_eq!(claim(&world), ("a".into(), Time(START + 3600)));
    assert_eq!(world.status().next_period_id, Some(Time(START + 3600)));
    world.jobs.clear();
    world.millis += 300_000;
    world.run_until_idle();
    // It can be read again.
    world.edit("schedule", json!("0 * * * *"));
    world.run_to(START + 5000, 30);
    assert_eq!(world.made.get(&Time(START + 3600)), Some(&1));
    assert_eq!(world.outcomes.get(&Time(START + 3600)), Some(&Outcome::Missed));
    // Before the second of the claim it is given up.
    world.run_to(START + 7100, 30);
    assert_eq!(claim(&world).1, Time(START + 7200));
    world.edit("schedule", json!("every hour"));
    world.run_until_idle();
    assert_eq!((world.status().claim.as_ref(), world.status().next_period_id), (None, None));
}

#[test]
fn two_that_are_active_at_once_make_one_job_although_it_is_removed_at_once() {
    let mut world = World::new(with_ttl(0), 1, 0);
    another(&mut world, "a");
    world.run_to(START + 3595, 60);
    let mut a = std::mem::replace(&mut world.observed, Observed::new("b"));
    // B has no Lease in common with A, and takes the claim.
    world.run_until_idle();
    assert_eq!(claim(&world).0, "b");
    world.millis = (START + 3600) * 1000;
    // A sees that, and neither creates the Job nor takes the claim back.
    std::mem::swap(&mut world.observed, &mut a);
    for request in world.plan().requests {
        // But it says that there are two of them.
        let Request::UpdateStatus { status, .. } = request else { panic!("{request:?}") };
        assert_eq!((&*status.claim.unwrap().holder, &*status.conditions[0].reason), ("b", "SchedulingError"));
    }
    let reported = world.messages.iter().filter(|message| message.reason == Reason::ClaimedByAnother);
    assert_eq!(reported.count(), 1);
    // B creates it; it runs and is removed before its outcome is written.
    std::mem::swap(&mut world.observed, &mut a);
    let create = world.next(|request| matches!(request, Request::Create { .. }));
    world.carry_out(create);
    world.jobs.clear();
    let before = world.kronjob.status.clone();
    for seconds in [18, 60, 600] {
        let mut late = world.observed.clone();
        world.kronjob.status = before.clone();
        std::mem::swap(&mut world.observed, &mut a);
        world.millis = (START + 3600 + seconds) * 1000;
        world.run_until_idle();
        assert_eq!(world.made.get(&Time(START + 3600)), Some(&1), "{seconds}");
        std::mem::swap(&mut world.observed, &mut late);
        world.outcomes.clear();
    }
}

#[test]
fn two_that_are_active_at_once_make_one_run_now_job_although_it_is_removed_at_once() {
    for seconds in [11, 60, 600] {
        let mut world = World::new(with_ttl(0), 1, 0);
        another(&mut world, "a");
        world.run_to(START + 100, 60);
        world.kronjob.run_now = Some("x".into());
        let create = world.next(|request| matches!(request, Request::Create { .. }));
        let claimed = world.status().last_run_now.clone().unwrap();
        let name = kron_formats::names::run_now_job_name("db", "x");
        assert_eq!((&*claimed.token, claimed.outcome, claimed.job_name), ("x", None, Some(name)));
        // B has no Lease in common with A, and sees the claim.
        let mut a = std::mem::replace(&mut world.observed, Observed::new("b"));
        world.run_until_idle();
        assert!(world.made_now.is_empty());
        // A creates the Job; it runs and is removed before its outcome is written.
        std::mem::swap(&mut world.observed, &mut a);
        world.carry_out(create);
        world.jobs.clear();
        // B does not find it, and makes no second one.
        std::mem::swap(&mut world.observed, &mut a);
        world.millis += seconds * 1000;
        world.run_until_idle();
        let missed = world.status().last_run_now.clone().unwrap();
        assert_eq!((missed.outcome, missed.job_name), (Some(Outcome::Missed), None));
        std::mem::swap(&mut world.observed, &mut a);
        world.run_until_idle();
        assert_eq!(world.made_now.get("x"), Some(&1), "{seconds}");
    }
}

#[test]
fn a_run_now_job_that_was_claimed_and_not_created_is_created_by_the_next_process() {
    for written in [true, false] {
        let mut world = World::new(json!({}), 1, 0);
        another(&mut world, "a");
        world.run_to(START + 100, 60);
        world.kronjob.run_now = Some("x".into());
        let create = world.next(|request| matches!(request, Request::Create { .. }));
        let claimed = world.kronjob.status.clone();
        if written {
            // The process dies after the create, and before its outcome is written.
            world.carry_out(create);
            world.kronjob.status = claimed;
        }
        another(&mut world, "b");
        world.run_until_idle();
        // The first process may have sent an outcome a moment ago.
        assert_eq!(world.made_now.contains_key("x"), written);
        world.millis += 11_000;
        world.run_until_idle();
        assert_eq!(world.made_now.get("x"), Some(&1));
        assert_eq!(world.status().last_run_now.as_ref().unwrap().outcome, Some(Outcome::Executed));
    }
}

#[test]
fn a_webhook_that_begins_to_shorten_the_ttl_makes_no_second_job() {
    for (seconds, made) in [(4, 1), (20, 0)] {
        let mut world = World::new(json!({"policy": {"deadline": "5m"}}), 1, 0);
        another(&mut world, "a");
        world.run_to(START + 3599, 60);
        world.webhook_ttl = Some(5);
        world.millis = (START + 3600) * 1000;
        // A creates the Job and dies before its status is written; the Job is removed five seconds after its end.
        let create = world.next(|request| matches!(request, Request::Create { .. }));
        let claimed = world.kronjob.status.clone();
        world.carry_out(create);
        world.kronjob.status = claimed;
        world.jobs.clear();
        world.made.clear();
        another(&mut world, "b");
        // After four seconds the Job cannot be gone, so nobody created it.
        world.millis = (START + 3600 + seconds) * 1000;
        world.run_to(START + 3640, 60);
        let (period, outcome) =
            (Time(START + 3600), if made == 1 { Outcome::Executed } else { Outcome::Missed });
        assert_eq!(world.made.get(&period).copied().unwrap_or_default(), made, "{seconds}");
        assert_eq!(world.outcomes.get(&period), Some(&outcome), "{seconds}");
        let lost = world.messages.iter().any(|message| message.note.contains("may have been created before"));
        assert_eq!(lost, made == 0, "{seconds}");
    }
}

/// Between the dry run and the create, the plan decides again.
#[test]
fn a_create_that_was_tried_again_is_not_sent_after_a_suspension() {
    for suspended in [false, true] {
        let mut world = World::new(json!({"policy": {"deadline": "5m"}}), 1, 0);
        another(&mut world, "a");
        world.run_to(START + 3599, 60);
        another(&mut world, "b");
        world.millis = (START + 3620) * 1000;
        let again = world.next(|request| matches!(request, Request::DryRun { repeats: true, .. }));
        if suspended {
            world.edit("policy", json!({"deadline": "5m", "suspend": true}));
        }
        world.carry_out(again);
        world.run_until_idle();
        assert_eq!(world.made.contains_key(&Time(START + 3600)), !suspended);
    }
}

#[test]
fn run_now_costs_one_create_and_two_writes() {
    let mut world = World::new(json!({"policy": {"concurrency": "allow"}}), 1, 0);
    world.run_to(START + 100, 60);
    let writes = world.writes;
    world.kronjob.run_now = Some("x".into());
    world.run_until_idle();
    assert_eq!((world.writes - writes, world.made_now.len()), (2, 1));
}

#[test]
fn a_process_that_did_not_run_for_a_while_holds_no_claim() {
    let mut world = World::new(with_ttl(0), 1, 0);
    world.run_to(START + 3595, 60);
    world.observe(Observation::Paused);
    // Not at once, for all KronJobs together.
    world.millis = (START + 3500) * 1000;
    assert!(world.plan().requests.is_empty());
    world.millis = (START + 3600) * 1000;
    let first = world.plan().requests.into_iter().next();
    assert!(matches!(first, Some(Request::UpdateStatus { urgent: true, .. })), "{first:?}");
    // No other process wrote, so the claim is confirmed, and the start is made.
    world.run_until_idle();
    assert_eq!(world.made.get(&Time(START + 3600)), Some(&1));
}

#[test]
fn a_change_of_leader_writes_nothing_about_starts_that_are_far_away() {
    let mut world = World::new(json!({"schedule": "0 0 * * *"}), 1, 0);
    another(&mut world, "a");
    world.run_to(START + 3600, 60);
    let writes = world.writes;
    another(&mut world, "b");
    world.run_to(START + 86_400 - 120, 60);
    assert_eq!((world.writes, claim(&world).0), (writes, "a".into()));
    // Shortly before the start the claim is replaced, once.
    world.run_to(START + 86_400 - 5, 60);
    assert_eq!((world.writes, claim(&world).0), (writes + 1, "b".into()));
    world.run_to(START + 86_400 + 30, 60);
    assert_eq!(world.made.get(&Time(START + 86_400)), Some(&1));
}

#[test]
fn a_claim_that_may_have_been_used_gets_an_outcome_although_the_kronjob_is_suspended() {
    for there in [true, false] {
        let mut world = World::new(with_ttl(600), 1, 0);
        another(&mut world, "a");
        world.run_to(START + 3599, 60);
        let status = world.kronjob.status.clone();
        world.run_to(START + 3601, 60);
        // A has created the Job, and died before it wrote so; meanwhile a user suspends the KronJob.
        world.kronjob.status = status;
        world.outcomes.clear();
        if !there {
            world.jobs.clear();
        }
        let unseen = std::mem::take(&mut world.jobs);
        another(&mut world, "b");
        world.edit("policy", json!({"suspend": true}));
        world.millis = (START + 3620) * 1000;
        world.run_until_idle();
        // What A has sent a moment ago has arrived.
        world.millis = (START + 3631) * 1000;
        let look = world.plan().requests.into_iter().next();
        assert!(matches!(look, Some(Request::Get { why: Sought::Created(_), .. })), "{look:?}");
        assert_eq!(claim(&world).0, "a");
        world.jobs = unseen;
        world.run_until_idle();
        let outcome = if there { Outcome::Executed } else { Outcome::Missed };
        assert_eq!(world.outcomes.get(&Time(START + 3600)), Some(&outcome));
        assert_eq!(world.status().claim, None);
        let lost = world.messages.iter().any(|message| message.reason == Reason::ClaimLost);
        assert_eq!(lost, !there);
    }
}

#[test]
fn a_start_costs_one_create_and_two_writes() {
    for policy in ["allow", "forbid", "replace"] {
        let mut world = World::new(json!({"policy": {"concurrency": policy}}), 1, 0);
        // The first start of a term lists what is active.
        world.run_to(START + 3600 + 600, 60);
        let (writes, reads) = (world.writes, world.reads);
        world.run_to(START + 10 * 3600 + 600, 60);
        // One with the outcome and the next claim, one with the end of the Job.
        assert_eq!((world.writes - writes, world.reads - reads, world.made.len()), (18, 0, 10), "{policy}");
    }
}

#[test]
fn a_job_that_only_the_cache_shows_as_active_makes_no_start_skip() {
    for policy in ["forbid", "replace"] {
        let mut world = World::new(json!({"policy": {"concurrency": policy}}), 1, 0);
        world.run_to(START + 3600 + 600, 60);
        let mut stale = world.jobs[0].clone();
        stale.finished = None;
        world.millis = (START + 7200) * 1000;
        world.run_with_cache(vec![stale]);
        assert_eq!(world.outcomes.get(&Time(START + 7200)), Some(&Outcome::Executed), "{policy}");
        assert!(
            world.jobs.iter().all(|job| job.period != Some(Time(START + 3600)) || job.finished.is_some())
        );
        assert_eq!(world.reads, 2, "{policy}: the list of the first start, and one Job");
    }
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
        // Until the last request of the first process can no longer arrive, nothing is missed.
        let at_once = (outcome != Outcome::Missed).then_some(&outcome);
        assert_eq!(world.outcomes.get(&Time(START + 3600)), at_once, "ttl {ttl}");
        world.millis = (START + 3616) * 1000;
        world.run_until_idle();
        assert_eq!(world.outcomes.get(&Time(START + 3600)), Some(&outcome), "ttl {ttl}");
        let lost = world.messages.iter().any(|message| message.reason == kron_crd::reason::Reason::ClaimLost);
        assert_eq!(lost, outcome == Outcome::Missed);
    }
}

#[test]
fn a_claimed_period_that_an_edit_moves_is_not_created_again_when_its_ttl_may_have_removed_the_first_job() {
    let template = json!({"spec": {"ttlSecondsAfterFinished": 60, "template": {"spec": {
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
        let outcome = if late < 60 { Outcome::Executed } else { Outcome::Missed };
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
    world.run_until_idle();
    world.millis = (START + 3711) * 1000;
    let plan = world.plan();
    assert!(
        matches!(plan.requests.first(), Some(Request::Get { why: Sought::Created(_), .. })),
        "{:?}",
        plan.requests
    );
    world.jobs = unseen;
    world.run_until_idle();
    assert_eq!(world.outcomes.get(&Time(START + 3600)), Some(&Outcome::Executed));
}
