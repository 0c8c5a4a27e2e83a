//! What goes wrong rarely: long absences, writes that fail at the wrong moment, suspensions that overlap, answers that
//! are lost.

use serde_json::json;

use super::*;

/// A write of a status that no start waits for.
fn write_of(status: KronJobStatus) -> Request {
    let status = Box::new(status);
    Request::UpdateStatus { status, urgent: false, fence: None, ended: Vec::new() }
}

#[test]
fn after_a_long_absence_one_old_period_starts_however_many_there_are() {
    let policy = json!({"deadline": "3h", "concurrency": "allow"});
    let mut world = World::new(json!({"schedule": "* * * * *", "policy": policy}), 1, 0);
    world.run_to(START + 3600, 30);
    world.observed = Observed::default();
    let before: u32 = world.made.values().sum();
    // More than a hundred of the missed ones are past their deadline, and more than a hundred inside it.
    world.millis += 10 * 3_600_000 + 30_000;
    // The periods are decided twice before anything is written: by the timers, and by the plan.
    world.plan();
    world.plan();
    world.run_until_idle();
    assert_eq!(world.made.values().sum::<u32>(), before + 1);
    let (last, _) = world.made.last_key_value().unwrap();
    assert_eq!(last.0, (world.millis / 60_000) * 60);
}

#[test]
fn a_write_that_was_surely_refused_leaves_the_claim() {
    let template = json!({"spec": {"ttlSecondsAfterFinished": 0, "template": {"spec": {
        "restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]}}}});
    let mut world = World::new(json!({"jobTemplate": template}), 1, 0);
    world.run_to(START + 3590, 600);
    let status = world.status().clone();
    world.refuse(&write_of(status), Failure::Refused, world.millis + 60_000);
    world.millis = (START + 3600) * 1000;
    world.run_until_idle();
    assert_eq!(world.made.get(&Time(START + 3600)), Some(&1));
}

#[test]
fn a_claim_whose_write_was_not_answered_is_written_again() {
    let mut world = World::new(json!({}), 1, 0);
    world.millis = (START + 3598) * 1000;
    let write =
        world.plan().requests.into_iter().find(|request| matches!(request, Request::UpdateStatus { .. }));
    world.refuse(write.as_ref().unwrap(), Failure::Ambiguous, world.millis);
    let Some(Request::UpdateStatus { status, .. }) = write else { panic!("nothing to write") };
    // Within the same second the status that was written is read.
    world.kronjob.status = Ok(*status);
    let writes = world.plan().requests.iter().any(|request| matches!(request, Request::UpdateStatus { .. }));
    assert!(writes, "it is not known whether the claim is stored");
    world.run_to(START + 3601, 600);
    assert_eq!(world.made.get(&Time(START + 3600)), Some(&1));
}

#[test]
fn a_claim_does_not_wait_as_long_as_other_writes_do() {
    let mut world = World::new(json!({}), 1, 0);
    world.millis = (START + 3500) * 1000;
    let status = world.status().clone();
    let write = write_of(status);
    world.observe(Observation::Sending(&write));
    // The status could not be written for minutes, and is not tried again before the start is over.
    let later = |pace| if pace == Pace::Urgent { START * 1000 + 3_502_000 } else { (START + 3650) * 1000 };
    let at = Moment { now: world.millis / 1000, retry_at: &|_, pace, _| later(pace) };
    world.observed.answered(&world.kronjob, &write, &refused(Failure::Refused, "no"), at);
    world.run_to(START + 3601, 600);
    assert_eq!(world.made.get(&Time(START + 3600)), Some(&1));
}

#[test]
fn what_is_active_is_read_again_for_each_start() {
    let mut world = World::new(json!({"policy": {"concurrency": "replace"}}), 1, 0);
    world.run_to(START + 3610, 36_000);
    assert_eq!(world.jobs.len(), 1);
    world.millis = (START + 7200) * 1000;
    // The Job of the first hour is active and cannot be deleted until the second start is missed.
    let delete = world.next(|request| matches!(request, Request::Delete { what: Deleted::Active, .. }));
    world.refuse(&delete, Failure::Refused, (START + 7210) * 1000);
    world.millis = (START + 7211) * 1000;
    world.run_until_idle();
    assert_eq!(world.outcomes.get(&Time(START + 7200)), Some(&Outcome::Missed));
    // By the third start it has finished.
    world.finish_jobs(0);
    world.run_to(START + 10_800 + 5, 36_000);
    assert_eq!(world.outcomes.get(&Time(START + 10_800)), Some(&Outcome::Executed));
    assert!(world.messages.iter().all(|message| !message.note.contains("which a newer start replaces")));
}

#[test]
fn a_second_suspension_ends_for_itself() {
    let mut world = World::new(json!({"policy": {"suspend": true, "deadline": "24h"}}), 1, 0);
    world.run_to(START + 600, 60);
    // Nothing is written between these edits.
    for (hour, suspended) in [(1, false), (2, true), (5, false)] {
        world.edit("policy", json!({"suspend": suspended, "deadline": "24h"}));
        world.millis = (START + hour * 3600 + 1800) * 1000;
        world.plan();
    }
    world.run_until_idle();
    assert_eq!(world.status().configuration.as_ref().unwrap().since, Time(START + 5 * 3600 + 1800));
    assert!(world.made.is_empty() && world.outcomes.is_empty());
}

#[test]
fn a_suspension_is_not_forgotten_while_the_spec_cannot_be_read() {
    // The user ends the suspension in the edit that mends the spec, or in an earlier edit, while the spec is still invalid.
    for (was_readable, ends_unread) in [(true, false), (true, true), (false, false), (false, true)] {
        let schedule = if was_readable { "0 * * * *" } else { "61 * * * *" };
        let policy = json!({"suspend": true, "deadline": "24h"});
        let mut world = World::new(json!({"schedule": schedule, "policy": policy}), 1, 0);
        world.run_to(START + 600, 60);
        if ends_unread {
            world.manifest["spec"]["policy"] = json!({"deadline": "24h"});
        }
        world.edit("schedule", json!("61 * * * *"));
        world.run_until_idle();
        let ready = world.status().conditions.iter().find(|condition| condition.type_ == "Ready").unwrap();
        assert_eq!(ready.reason, "Suspended");
        world.millis += 5 * 3_600_000;
        world.manifest["spec"]["policy"] = json!({"deadline": "24h"});
        world.edit("schedule", json!("0 * * * *"));
        world.run_until_idle();
        assert!(world.made.is_empty() && world.outcomes.is_empty(), "{was_readable} {ends_unread}");
        let since = world.status().configuration.as_ref().unwrap().since.0;
        assert_eq!(since, world.millis / 1000, "{was_readable} {ends_unread}");
    }
}

#[test]
fn run_now_makes_no_second_job_where_the_first_may_have_been_removed() {
    let template = json!({"spec": {"ttlSecondsAfterFinished": 5, "template": {"spec": {
        "restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]}}}});
    let mut world = World::new(json!({"policy": {"deadline": "10m"}, "jobTemplate": template}), 1, 0);
    world.run_to(START + 100, 60);
    world.kronjob.run_now = Some("x".into());
    let create = world.next(|request| matches!(request, Request::Create { .. }));
    world.refuse(&create, Failure::Ambiguous, world.millis + 9000);
    // The request may still arrive.
    world.millis += 10_000;
    world.run_until_idle();
    assert_eq!(world.status().last_run_now.as_ref().unwrap().outcome, None);
    world.millis += 1000;
    world.run_until_idle();
    assert!(world.jobs.is_empty());
    assert_eq!(world.status().last_run_now.as_ref().unwrap().outcome, Some(Outcome::Missed));
}

#[test]
fn run_now_has_its_whole_time_after_a_suspension() {
    let mut world = World::new(json!({}), 1, 0);
    world.run_to(START + 100, 60);
    // An edit reads the whole manifest.
    world.manifest["metadata"]["annotations"] = json!({"kron.io/run-now": "x"});
    world.edit("policy", json!({}));
    let list = world.next(|request| matches!(request, Request::List));
    world.refuse(&list, Failure::Refused, world.millis + 1000);
    world.edit("policy", json!({"suspend": true}));
    world.run_until_idle();
    world.millis += 1_800_000;
    world.edit("policy", json!({"suspend": false}));
    world.run_until_idle();
    assert_eq!(world.status().last_run_now.as_ref().unwrap().outcome, Some(Outcome::Executed));
}

#[test]
fn conditions_speak_of_the_next_window_once_one_has_ended() {
    // 2026-03-01 is a Sunday.
    let constraints = json!({"avoid": [{"dow": "MON"}]});
    let mut world = World::new(
        json!({"schedule": "0 0 * * *", "window": {"duration": "1h"}, "constraints": constraints}),
        1,
        0,
    );
    world.run_to(START + 86_400 - 10, 60);
    let unschedulable = |world: &World| {
        let all = &world.status().conditions;
        all.iter().find(|condition| condition.type_ == "Unschedulable").unwrap().clone()
    };
    let condition = unschedulable(&world);
    assert_eq!((&*condition.status, condition.last_transition_time), ("True", Time(START + 3601)));
}

#[test]
fn a_template_that_could_not_be_tried_is_not_called_valid() {
    let mut world = World::new(json!({}), 1, 0);
    let dry_run = world.next(|request| matches!(request, Request::DryRun { .. }));
    world.refuse(&dry_run, Failure::Other, 0);
    world.run_until_idle();
    let invalid = |world: &World| {
        let all = &world.status().conditions;
        let found = all.iter().find(|condition| condition.type_ == "InvalidSpec").unwrap();
        (found.status.clone(), found.reason.clone())
    };
    assert_eq!(invalid(&world), ("False".into(), "TemplateNotTried".into()));
    // Another process tries again.
    world.observed = Observed::default();
    world.run_until_idle();
    assert_eq!(invalid(&world), ("False".into(), "Valid".into()));
    // A refusal ends with the first Job that is created.
    world.refuse(&dry_run, Failure::Invalid, 0);
    world.run_until_idle();
    assert_eq!(invalid(&world), ("True".into(), "TemplateRefused".into()));
    world.run_to(START + 3605, 60);
    assert_eq!(invalid(&world), ("False".into(), "Valid".into()));
}
