//! Every period gets one outcome, with faults and without, and its Event.

use serde_json::json;

use super::*;

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
fn each_outcome_of_one_write_has_its_event() {
    for lost in [false, true] {
        let mut world = World::new(json!({"schedule": "*/10 * * * *", "policy": {"deadline": "1m"}}), 1, 0);
        world.run_to(START + 610, 60);
        world.observed = Observed::default();
        world.millis += 3 * 3_600_000;
        if lost {
            // The answer to the write is lost, and what was written is read.
            let write = world.plan().requests.pop().unwrap();
            world.refuse(&write, Failure::Ambiguous, world.millis);
            let Request::UpdateStatus { status, .. } = write else { panic!("nothing to write") };
            world.kronjob.status = Ok(*status);
        }
        world.run_until_idle();
        let missed = |reason| world.messages.iter().filter(|message| message.reason == reason).count();
        use kron_crd::reason::Reason;
        // The first was claimed, and the last is ten seconds late only.
        assert_eq!((missed(Reason::ClaimLost), missed(Reason::MissSchedule)), (1, 16), "lost: {lost}");
    }
}

#[test]
fn nothing_is_decided_while_a_create_is_under_way() {
    let mut world = World::new(json!({"policy": {"concurrency": "allow", "deadline": "30s"}}), 1, 0);
    world.run_to(START + 3599, 60);
    world.millis = (START + 3600) * 1000;
    let create = world.plan().requests.remove(0);
    world.observe(Observation::Sending(&create));
    // Its time is over, and its answer still to come.
    world.millis += 40_000;
    assert!(world.plan().requests.iter().all(|request| !matches!(request, Request::UpdateStatus { .. })));
    let answered = world.answer(&create, &refused(Failure::AlreadyExists, "no"), world.millis);
    let other = answers::job_of(&answers::with_uid(&world, "other"), &create);
    world.answer(&answered.follow_up.unwrap(), &Response::Job(Some(other.into())), world.millis);
    world.run_until_idle();
    assert!(world.messages.iter().any(|message| message.reason == kron_crd::reason::Reason::NameTaken));
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
        .filter(|message| message.reason == kron_crd::reason::Reason::TooManyMissedTimes)
        .count();
    assert_eq!(reported, 1);
    let missed = world.outcomes.values().filter(|outcome| **outcome == Outcome::Missed).count();
    assert!((100..=103).contains(&missed), "{missed}");
    assert!(world.made.values().all(|made| *made == 1));
}
