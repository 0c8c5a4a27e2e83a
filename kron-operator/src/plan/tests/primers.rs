//! Primers: at most one for a period, whatever fails; it is created before the Job of the period and deleted after it,
//! and changes no start.

use kron_crd::reason::Reason;
use kron_formats::names::{job_name, primer_job_name};
use serde_json::json;

use super::*;
use crate::new_job::primer_job;
use crate::primer::PAUSE_IMAGE;

/// The first period of the manifests below.
const FIRST: Time = Time(START + 3600);

fn primed(mut spec: Value, lead: &str) -> World {
    spec["primer"] = json!({ "lead": lead });
    World::new(spec, 1, 0)
}

/// The primers that are there.
fn primers(world: &World) -> Vec<Time> {
    world.jobs.iter().filter_map(|job| job.primer_for).collect()
}

#[test]
fn a_primer_is_made_lead_before_the_start_and_goes_when_the_job_is_made() {
    let mut world = primed(json!({}), "10m");
    world.run_to(START + 2999, 60);
    assert_eq!((primers(&world), &world.status().primer), (vec![], &None));
    world.run_to(START + 3001, 60);
    assert_eq!(primers(&world), [FIRST]);
    let primer = &world.jobs[0];
    assert_eq!((primer.created.0, &*primer.name), (START + 3000, &*primer_job_name("db", FIRST.0)));
    let fence = world.status().primer.clone().unwrap();
    assert_eq!((fence.period_id, fence.time, &*fence.job_name), (FIRST, Time(START + 3000), &*primer.name));
    assert!(world.status().active.is_empty(), "a primer is not active");

    world.run_to(START + 3601, 60);
    assert_eq!((primers(&world), world.made.get(&FIRST)), (vec![], Some(&1)));
    assert_eq!(world.status().last_outcome, Some(Outcome::Executed));
    let texts: Vec<&str> = world.messages.iter().map(|note| note.note.as_str()).collect();
    let name = primer_job_name("db", FIRST.0);
    assert!(texts.contains(&&*format!("created primer Job {name} for period {FIRST}")), "{texts:?}");
    assert!(texts.contains(&&*format!("deleted primer Job {name}")), "{texts:?}");
    assert!(world.messages.iter().all(|note| note.reason != Reason::SawCompletedJob), "it was never active");
}

#[test]
fn a_lead_longer_than_the_schedule_primes_once_the_previous_start_has_its_outcome() {
    let mut world = primed(json!({"schedule": "*/5 * * * *"}), "10m");
    let before = world.writes;
    world.run_to(START + 3600 + 5, 60);
    // One write records the outcome of a start, claims the next one and sets its fence; the end of a Job is another
    // write.
    let writes = world.writes - before;
    assert!(writes <= 2 * 12 + 2, "{writes} writes");
    for period in (START + 300..START + 3600).step_by(300) {
        assert_eq!(world.primed.get(&Time(period)), Some(&1), "{}", Time(period));
    }
    assert_eq!(primers(&world), [Time(START + 3900)]);
}

#[test]
fn with_less_than_thirty_seconds_left_there_is_none() {
    let mut world = primed(json!({}), "29s");
    world.run_to(START + 3 * 3600, 60);
    assert_eq!((world.primed.len(), &world.status().primer), (0, &None));
    // The operator comes too late.
    let mut world = primed(json!({}), "10m");
    world.millis = (START + 3600 - 29) * 1000;
    world.run_to(START + 3600 + 5, 60);
    assert_eq!((world.primed.len(), world.made.get(&FIRST)), (0, Some(&1)));
}

#[test]
fn a_primer_is_deleted_when_its_period_gets_another_outcome_or_its_start_moves() {
    let edits = [
        ("policy", json!({"suspend": true})),
        ("primer", Value::Null),
        ("schedule", json!("30 2 * * *")),
        ("schedule", json!("none")),
    ];
    for (field, value) in edits {
        let mut world = primed(json!({}), "10m");
        world.run_to(START + 3100, 60);
        assert_eq!(primers(&world), [FIRST]);
        world.edit(field, value);
        world.run_to(START + 3110, 60);
        assert_eq!(primers(&world), [], "{field}");
    }
    // Skipped: the Job of the start before is still active.
    let mut world = primed(json!({}), "10m");
    world.run_to(START + 2 * 3600 - 60, 5400);
    assert_eq!(primers(&world), [Time(START + 7200)]);
    world.run_to(START + 2 * 3600 + 5, 5400);
    assert_eq!(world.status().last_outcome, Some(Outcome::Skipped));
    assert_eq!(primers(&world), []);
}

#[test]
fn a_period_that_an_edit_takes_away_and_gives_back_has_no_second_primer() {
    let mut world = primed(json!({}), "20m");
    world.run_to(START + 2500, 60);
    assert_eq!(primers(&world), [FIRST]);
    world.edit("schedule", json!("50 * * * *"));
    world.run_to(START + 2510, 60);
    assert_eq!(primers(&world), [], "the fence of the first is not replaced before its period is over");
    world.edit("schedule", json!("0 * * * *"));
    world.run_to(START + 3605, 60);
    assert_eq!((world.primed.get(&FIRST), world.made.get(&FIRST)), (Some(&1), Some(&1)));
    // From then on it goes on as before.
    world.run_to(START + 7200, 60);
    assert_eq!(world.primed.get(&Time(START + 7200)), Some(&1));
}

#[test]
fn a_fence_of_another_process_is_left_to_it() {
    let mut world = primed(json!({}), "10m");
    world.run_to(START + 2990, 60);
    world.millis = (START + 3000) * 1000;
    // The fence is written, and the process dies before the create.
    let action = world.plan().requests.into_iter().next().unwrap();
    assert!(
        matches!(&action, Request::UpdateStatus { status, urgent: false, .. } if status.primer.is_some())
    );
    world.carry_out(action);
    world.observed = Observed::default();
    world.run_to(START + 3605, 60);
    assert_eq!((world.primed.len(), world.made.get(&FIRST)), (0, Some(&1)));
}

#[test]
fn an_answer_that_was_lost_ends_the_attempts() {
    let mut world = primed(json!({}), "10m");
    world.run_to(START + 2999, 60);
    world.millis = (START + 3000) * 1000;
    let mut creates = 0;
    for _ in 0..10 {
        let Some(action) = world.plan().requests.into_iter().next() else { break };
        if let Request::Create { what: Purpose::Primer(period), name } = &action {
            creates += 1;
            world.observe(Observation::Sending(&action));
            let response = world.create_primer(*period, name, (false, true));
            world.answer(&action, &response, 0);
            // Somebody deletes it at once, so that nothing shows that it was there.
            world.jobs.clear();
        } else {
            world.carry_out(action);
        }
    }
    world.run_to(START + 3500, 60);
    assert_eq!((creates, world.primed.get(&FIRST)), (1, Some(&1)));
    let warnings = world.messages.iter().filter(|note| note.reason == Reason::FailedCreate);
    let texts: Vec<&str> = warnings.map(|note| note.note.as_str()).collect();
    let name = primer_job_name("db", FIRST.0);
    assert_eq!(
        texts,
        [format!("period {FIRST} may have no primer: Job {name} could not be created: no luck")]
    );
}

#[test]
fn what_was_surely_not_carried_out_is_tried_again_and_reported_once() {
    let mut world = primed(json!({}), "2m");
    world.run_to(START + 3479, 60);
    world.millis = (START + 3480) * 1000;
    let mut tried = 0;
    while world.millis < (START + 3600) * 1000 {
        match world.plan().requests.into_iter().next() {
            Some(create @ Request::Create { what: Purpose::Primer(_), .. }) => {
                tried += 1;
                world.refuse(&create, Failure::Refused, world.millis + 1000);
            }
            Some(action) => world.carry_out(action),
            None => world.millis += 500,
        }
    }
    // From 120 s to 30 s before the start.
    assert!((85..=91).contains(&tried), "{tried}");
    assert_eq!(world.messages.iter().filter(|note| note.reason == Reason::FailedCreate).count(), 1);
    world.run_to(START + 3605, 60);
    assert_eq!(world.made.get(&FIRST), Some(&1));
    assert_eq!(
        world.status().conditions.iter().find(|c| c.type_ == "SchedulingError").unwrap().status,
        "False"
    );
}

/// A Job with the labels of a primer, and with a name.
fn forged(world: &mut World, name: &str, period: Time) {
    let template = world.kronjob.spec.as_ref().unwrap().template.clone().unwrap();
    world.kronjob.spec.as_mut().unwrap().primer =
        kron_formats::kronjob::Primer::from_spec(&json!({"primer": {"lead": "1h"}})).unwrap();
    let mut body = primer_job(&world.kronjob, &template, period, name, PAUSE_IMAGE);
    world.add_job(&mut body);
}

#[test]
fn a_job_with_the_label_of_a_primer_and_another_name_is_an_ordinary_active_job() {
    let mut world = World::new(json!({}), 1, 0);
    forged(&mut world, "mine", FIRST);
    world.run_to(START + 3605, 1_000_000);
    let active: Vec<&str> = world.status().active.iter().map(|job| job.name.as_str()).collect();
    assert_eq!(active, ["mine"]);
    assert_eq!(world.outcomes.get(&FIRST), Some(&Outcome::Skipped), "forbid counts it");
    assert!(world.jobs.iter().any(|job| &*job.name == "mine"), "it is never deleted as a primer");
}

#[test]
fn a_primer_delays_and_replaces_nothing() {
    for concurrency in ["forbid", "replace", "allow"] {
        let mut world = primed(json!({"policy": {"concurrency": concurrency}}), "10m");
        // The server cannot delete it in time.
        world.run_to(START + 3599, 60);
        let primer = world.jobs[0].clone();
        world.run_to(START + 3600, 60);
        assert_eq!(world.made.get(&FIRST), Some(&1), "{concurrency}");
        let job = world.jobs.iter().find(|job| *job.name == *job_name("db", FIRST.0)).unwrap();
        assert_eq!(job.created.0, FIRST.0, "{concurrency}");
        assert!(
            world.messages.iter().all(|note| !note.note.contains("replaces")),
            "{concurrency}: {primer:?}"
        );
    }
}

#[test]
fn a_primer_makes_room_for_a_start_that_is_refused() {
    let mut world = primed(json!({}), "10m");
    world.run_to(START + 3599, 60);
    assert_eq!(primers(&world), [FIRST]);
    world.millis = FIRST.0 * 1000;
    // A quota of Jobs that the primer uses up.
    while let Some(action) = world.plan().requests.into_iter().next() {
        match action {
            Request::Create { .. } if !primers(&world).is_empty() => {
                world.refuse(&action, Failure::Forbidden, world.millis + 200);
            }
            action => world.carry_out(action),
        }
    }
    assert_eq!(primers(&world), []);
    world.run_to(FIRST.0 + 5, 60);
    assert_eq!(world.outcomes.get(&FIRST), Some(&Outcome::Executed));
}

#[test]
fn a_primer_is_in_no_history() {
    let spec = json!({"failedJobsHistoryLimit": 0, "successfulJobsHistoryLimit": 0});
    let mut world = primed(spec, "50m");
    world.run_to(START + 700, 60);
    let primer = world.jobs.iter_mut().find(|job| job.primer_for == Some(FIRST)).unwrap();
    primer.finished = Some(Finished { successfully: false, time: Time(START + 600) });
    world.run_to(START + 3599, 60);
    assert_eq!(primers(&world), [FIRST], "it stays until its period has an outcome, though it has failed");
    assert_eq!(world.status().last_successful_time, None);
    world.run_to(START + 3601, 60);
    assert_eq!(primers(&world), []);
}

#[test]
fn the_fence_of_a_period_that_no_schedule_reaches_holds_up_nothing() {
    let mut world = primed(json!({}), "10m");
    let far = Time(4_000_000_000);
    let status = KronJobStatus {
        primer: Some(Box::new(kron_crd::PrimerStatus { period_id: far, job_name: "db-x".into(), time: far })),
        ..KronJobStatus::default()
    };
    world.kronjob.status = Ok(status);
    world.run_to(START + 3605, 60);
    assert_eq!(world.primed.get(&FIRST), Some(&1));
}

#[test]
fn one_primer_for_a_period_whatever_fails() {
    let mut primed = 0;
    for seed in 0..30 {
        for mut spec in specs() {
            let lead = ["45s", "10m", "3h"][seed as usize % 3];
            spec["primer"] = json!({ "lead": lead });
            let context = format!("seed {seed}, {spec}");
            let schedule = spec.get("schedule").cloned().unwrap_or(json!("0 * * * *"));
            let mut world = World::new(spec, seed, [0, 4, 12, 30][seed as usize % 4]);
            let mut end = START;
            for step in 0..8 {
                end += 3 * 3600;
                world.run_to(end, 1 + (seed as i64 * 37) % 900);
                // Users change their minds, and change them back.
                match (seed + step) % 5 {
                    0 => world.edit("schedule", json!("13 * * * *")),
                    1 => world.edit("schedule", schedule.clone()),
                    2 => world.edit("policy", json!({"suspend": true})),
                    3 => world.edit("policy", json!({"concurrency": "allow", "deadline": "1m"})),
                    _ => {
                        let minutes = 1 + world.dice.below(90);
                        world.edit("window", json!({"duration": format!("{minutes}m")}));
                    }
                }
            }
            world.faults = 0;
            world.edit("policy", json!({"suspend": true}));
            world.run_to(world.millis / 1000 + 30, 60);
            assert_eq!(primers(&world), [], "{context}: none while suspended");
            for (period, count) in &world.primed {
                assert_eq!(*count, 1, "{context}: {period} had {count} primers");
            }
            for (period, count) in &world.made {
                assert_eq!(*count, 1, "{context}: {period} had {count} Jobs");
            }
            primed += world.primed.len();
        }
    }
    assert!(primed > 3000, "{primed} primers in all");
}
