//! Waiting in the queue is no failure; what fails is tried again from its first failure on.

use serde_json::json;

use super::*;
use kron_crd::reason::Reason;

/// A world at the second of its first start, with the claim written.
pub(super) fn at_start(spec: Value) -> World {
    let mut world = World::new(spec, 1, 0);
    world.run_to(START + 3599, 60);
    world.millis = (START + 3600) * 1000;
    world.plan();
    world
}

#[test]
fn a_start_waits_in_the_queue_for_five_minutes() {
    for (waited, outcome) in [(11, Outcome::Executed), (299, Outcome::Executed), (302, Outcome::Missed)] {
        let mut world = at_start(json!({}));
        world.millis += waited * 1000;
        world.run_until_idle();
        assert_eq!(world.outcomes.get(&Time(START + 3600)), Some(&outcome), "{waited} s");
        let note = world.messages.iter().find(|message| message.reason == Reason::FailedCreate);
        assert_eq!(note.is_some_and(|message| message.note.contains("its turn")), outcome == Outcome::Missed);
    }
}

#[test]
fn what_fails_is_tried_for_ten_seconds_from_its_first_failure() {
    let mut world = at_start(json!({}));
    world.millis += 100_000;
    let fail = |world: &mut World| loop {
        match world.plan().requests.into_iter().next() {
            Some(create @ Request::Create { .. }) => {
                world.refuse(&create, Failure::Refused, world.millis + 1000);
                return true;
            }
            Some(request) => world.carry_out(request),
            None => return false,
        }
    };
    let mut tried = 0;
    for _ in 0..20 {
        tried += u32::from(fail(&mut world));
        world.millis += 1000;
    }
    assert_eq!(tried, 11);
    assert_eq!(world.outcomes.get(&Time(START + 3600)), Some(&Outcome::Missed));
}

#[test]
fn an_error_ends_with_the_job_even_if_the_watch_shows_it_first() {
    let mut world = at_start(json!({"policy": {"concurrency": "allow", "deadline": "1m"}}));
    let error = |world: &World| {
        let all = &world.status().conditions;
        all.iter().find(|condition| condition.type_ == "SchedulingError").unwrap().clone()
    };
    let create = world.plan().requests.remove(0);
    world.refuse(&create, Failure::Forbidden, world.millis);
    let write =
        world.plan().requests.into_iter().find(|request| matches!(request, Request::UpdateStatus { .. }));
    world.carry_out(write.unwrap());
    assert_eq!((&*error(&world).status, &*error(&world).reason), ("True", "FailedCreate"));

    // The next request succeeds, and the watch is faster than its answer.
    world.observe(Observation::Sending(&create));
    let created = answers::job_of(&world.kronjob, &create);
    world.jobs.push(created.clone());
    world.plan();
    world.answer(&create, &Response::Job(Some(created.into())), 0);
    world.run_until_idle();
    assert_eq!(error(&world).status, "False");
    assert_eq!(world.status().conditions[0].status, "True");
}

#[test]
fn whatever_keeps_a_job_from_being_created_is_in_the_conditions() {
    for (failure, found, reason) in [
        (Failure::AlreadyExists, Some("other"), "NameTaken"),
        (Failure::AlreadyExists, None, "ClaimLost"),
        (Failure::NamespaceTerminating, None, "FailedCreate"),
    ] {
        let mut world = at_start(json!({"policy": {"concurrency": "allow"}}));
        let create = world.plan().requests.remove(0);
        if let Some(get) = world.refuse(&create, failure, 0).follow_up {
            let found = found.map(|uid| answers::job_of(&answers::with_uid(&world, uid), &create).into());
            world.answer(&get, &Response::Job(found), 0);
        }
        world.run_until_idle();
        let ready = &world.status().conditions[0];
        assert_eq!((&*ready.status, &*ready.reason), ("False", "SchedulingError"));
        let all = &world.status().conditions;
        let error = all.iter().find(|condition| condition.type_ == "SchedulingError").unwrap();
        assert_eq!((&*error.status, &*error.reason), ("True", reason));
        // The next Job clears it.
        world.run_to(START + 7210, 60);
        assert_eq!(world.status().conditions[0].status, "True");
    }
}

#[test]
fn finished_jobs_stay_for_a_minute() {
    let mut world = World::new(json!({"successfulJobsHistoryLimit": 0}), 1, 0);
    world.run_to(START + 3610, 5);
    assert!(world.jobs[0].finished.is_some());
    world.run_to(START + 3664, 5);
    assert_eq!(world.jobs.len(), 1);
    world.run_to(START + 3667, 5);
    assert!(world.jobs.is_empty());
}
