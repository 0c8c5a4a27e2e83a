//! Labels are hints: what a Job says of itself is believed only as far as the schedule, the claim and the clock go.

use serde_json::json;

use super::*;
use kron_crd::reason::Reason;

/// A Job that anybody with access to Jobs can make.
fn forged(name: &str, period: i64) -> JobView {
    JobView {
        namespace: "prod".into(),
        name: name.into(),
        uid: format!("forged-{name}").into(),
        version: crate::object::Version(0),
        owner: "k".into(),
        period: Some(Time(period)),
        primer_for: None,
        run_now: None,
        ttl: None,
        created: Time(START),
        started: None,
        finished: Some(Finished { successfully: true, time: Time(START) }),
        deleting: false,
    }
}

#[test]
fn a_label_of_a_period_to_come_is_ignored_and_said_once() {
    // 2099, in a year, tomorrow; on the schedule and off it.
    for period in [4_070_908_800, START + 365 * 86_400, START + 86_400, START + 86_400 + 17] {
        for finished in [true, false] {
            let policy = json!({"concurrency": "allow"});
            let mut world = World::new(json!({"policy": policy}), 1, 0);
            let mut job = forged("anything", period);
            if !finished {
                job.finished = None;
            }
            world.jobs.push(job);
            world.run_to(START + 3 * 3600 + 60, 60);
            let status = world.status();
            assert_eq!(status.last_chosen_time, Some(Time(START + 3 * 3600)));
            assert_eq!(status.next_chosen_time, Some(Time(START + 4 * 3600)));
            assert_eq!(status.configuration.as_ref().unwrap().handled_through, Some(Time(START + 3 * 3600)));
            let ignored =
                world.messages.iter().filter(|message| message.reason == Reason::LabelsIgnored).count();
            assert_eq!((ignored, world.made.len()), (1, 3), "{period}");
        }
    }
}

#[test]
fn a_label_counts_for_its_own_period_only() {
    let mut world = World::new(json!({}), 1, 0);
    world.jobs.push(forged("anything", START + 2 * 3600));
    world.run_to(START + 3 * 3600 + 60, 60);
    // Whatever its name, it is the execution of its period.
    let made: Vec<i64> = world.made.keys().map(|period| (period.0 - START) / 3600).collect();
    assert_eq!(made, [1, 3]);
    assert_eq!(world.outcomes.get(&Time(START + 2 * 3600)), Some(&Outcome::Executed));
}

#[test]
fn a_job_of_ours_that_is_relabelled_moves_nothing() {
    let mut world = World::new(json!({}), 1, 0);
    world.run_to(START + 3600 + 10, 60);
    world.jobs[0].period = Some(Time(4_070_908_800));
    world.observed = Observed::default();
    world.run_to(START + 2 * 3600 + 60, 60);
    assert_eq!(world.status().last_chosen_time, Some(Time(START + 2 * 3600)));
    assert_eq!(world.made.len(), 2);
}

/// A process creates a Job and dies before its status is written, and a user changes the labels of the Job. Its name is that of the
/// claim, so it is still the execution of its period: nothing replaces or skips it.
#[test]
fn the_job_of_the_claim_is_the_execution_of_its_period_whatever_its_labels_say() {
    for concurrency in ["allow", "forbid", "replace"] {
        for period in [None, Some(Time(START + 2 * 3600)), Some(Time(4_070_908_800))] {
            let mut world =
                World::new(json!({"policy": {"concurrency": concurrency, "deadline": "1m"}}), 1, 0);
            world.run_to(START + 3599, 60);
            world.millis = (START + 3600) * 1000;
            let create = world.next(|request| matches!(request, Request::Create { .. }));
            let claimed = world.kronjob.status.clone();
            world.carry_out(create);
            world.kronjob.status = claimed;
            world.jobs[0].period = period;
            world.jobs[0].finished = None;
            world.observed = Observed::default();
            world.run_to(START + 3600 + 30, 10);
            assert_eq!(world.made.get(&Time(START + 3600)), Some(&1), "{concurrency}, {period:?}");
            assert_eq!(world.outcomes.get(&Time(START + 3600)), Some(&Outcome::Executed));
            assert_eq!(world.jobs.len(), 1);
        }
    }
}

#[test]
fn a_job_of_another_namespace_is_none_of_ours() {
    let mut world = World::new(json!({}), 1, 0);
    let mut job = forged("anything", START + 3600);
    job.namespace = "other".into();
    job.finished = None;
    world.jobs.push(job);
    world.run_to(START + 3600 + 60, 30);
    assert_eq!(world.outcomes.get(&Time(START + 3600)), Some(&Outcome::Executed));
    assert!(world.status().active.is_empty());
}

#[test]
fn a_run_now_label_counts_under_the_name_of_its_token() {
    let mut world = World::new(json!({"policy": {"concurrency": "allow"}}), 1, 0);
    let mut job = forged("anything", START);
    (job.period, job.run_now) = (None, Some("x".into()));
    world.jobs.push(job);
    // A token that is there before the first status makes no Job.
    world.run_until_idle();
    world.kronjob.run_now = Some("x".into());
    world.run_until_idle();
    let job_name = world.status().last_run_now.as_ref().unwrap().job_name.clone();
    assert_eq!(job_name, Some(kron_formats::names::run_now_job_name("db", "x")));
}

#[test]
fn a_status_in_the_future_is_not_followed() {
    let future = Time(4_070_908_800);
    for field in ["since", "through", "last", "entry"] {
        let mut world = World::new(json!({}), 1, 0);
        world.run_to(START + 3600 + 60, 30);
        let mut status = world.status().clone();
        let configuration = status.configuration.as_mut().unwrap();
        match field {
            "since" => configuration.since = future,
            "through" => configuration.handled_through = Some(future),
            "last" => (status.last_chosen_time, status.last_period_id) = (Some(future), Some(future)),
            _ => status.periods.push(kron_crd::HandledPeriod {
                period_id: Time(START + 2 * 3600),
                outcome: Outcome::Executed,
                chosen_time: None,
                job_name: None,
            }),
        }
        world.kronjob.status = Ok(status);
        world.observed = Observed::default();
        world.run_until_idle();
        let failing = |world: &World| {
            let ready = &world.status().conditions[0];
            (ready.status.clone(), ready.reason.clone())
        };
        assert_eq!(failing(&world), ("False".into(), "SchedulingError".into()), "{field}");
        assert_eq!(world.status().next_chosen_time, Some(Time(START + 2 * 3600)), "{field}");
        world.run_to(START + 3 * 3600 + 60, 30);
        assert_eq!(world.made.len(), 3, "{field}");
        assert_eq!(world.status().last_chosen_time, Some(Time(START + 3 * 3600)), "{field}");
        assert_eq!(failing(&world).0, "True", "{field}");
    }
}

#[test]
fn a_clock_that_differs_a_little_changes_nothing() {
    let mut world = World::new(json!({"schedule": "* * * * *"}), 1, 0);
    world.run_to(START + 3600 + 5, 30);
    let before = world.status().clone();
    world.millis -= 45_000;
    world.observed = Observed::default();
    world.run_until_idle();
    assert_eq!(world.status().last_chosen_time, before.last_chosen_time);
    assert_eq!(world.status().conditions[0].status, "True");
    world.run_to(START + 3600 + 65, 30);
    assert!(world.made.values().all(|made| *made == 1));
}
