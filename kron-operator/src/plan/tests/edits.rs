//! Edits of the spec, and suspensions.

use serde_json::json;

use super::*;

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
                for decision in spec.job.periods(START + 86_400..START + 2 * 86_400 - 40_000) {
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
    assert_eq!((&*ready.type_, &*ready.status, &*ready.reason), ("Ready", "False", "Suspended"));
    world.edit("policy", json!({"deadline": "24h"}));
    world.observed = Observed::default();
    world.run_to(START + 7 * 3600 + 600, 60);
    let hours: Vec<i64> = world.outcomes.keys().map(|time| (time.0 - START) / 3600).collect();
    assert_eq!(hours, [1, 2, 6, 7]);
}

#[test]
fn the_next_start_of_a_suspended_job_goes_on() {
    let mut world = World::new(json!({"policy": {"suspend": true}}), 1, 0);
    for hour in 1..5 {
        world.run_to(START + hour * 3600 + 17, 60);
        assert_eq!(world.status().next_chosen_time, Some(Time(START + (hour + 1) * 3600)));
    }
}
