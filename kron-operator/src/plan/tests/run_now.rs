//! Jobs on request: one for each token.

use serde_json::json;

use super::*;

#[test]
fn run_now_makes_one_job_for_a_token() {
    let mut world = World::new(json!({}), 1, 0);
    world.run_to(START + 100, 60);
    for token in ["a", "a", "b"] {
        world.kronjob.run_now = Some(token.into());
        world.observed = Observed::default();
        world.run_until_idle();
        world.millis += 100_000;
        world.finish_jobs(60);
    }
    world.run_until_idle();
    let tokens: Vec<_> = world.jobs.iter().filter_map(|job| job.run_now.as_deref()).collect();
    assert_eq!(tokens, ["a", "b"]);
    assert_eq!(world.status().last_run_now.as_ref().unwrap().token, "b");

    world.kronjob.run_now = Some("not a label".into());
    world.run_until_idle();
    world.run_until_idle();
    let reported = world
        .messages
        .iter()
        .filter(|message| message.reason == kron_crd::reason::Reason::InvalidRunNow)
        .count();
    assert_eq!(reported, 1);
}

#[test]
fn run_now_is_skipped_while_a_job_is_active() {
    let mut world = World::new(json!({}), 1, 0);
    world.run_to(START + 3600 + 5, 60);
    world.kronjob.run_now = Some("x".into());
    world.run_until_idle();
    let last = world.status().last_run_now.clone().unwrap();
    assert_eq!((last.outcome, last.job_name), (Some(Outcome::Skipped), None));
}

#[test]
fn run_now_replaces_no_job_whose_outcome_is_not_written() {
    let mut world = World::new(json!({"policy": {"concurrency": "replace"}}), 1, 0);
    world.run_to(START + 3590, 600);
    world.millis = (START + 3600) * 1000;
    // The Job is created, and the status cannot be written.
    for _ in 0..10 {
        let request = world
            .plan()
            .requests
            .into_iter()
            .find(|request| !matches!(request, Request::UpdateStatus { .. }));
        let Some(request) = request else { break };
        world.carry_out(request);
    }
    assert_eq!(world.jobs.len(), 1);
    world.kronjob.run_now = Some("x".into());
    let plan = world.plan();
    assert!(
        plan.requests.iter().all(|request| matches!(request, Request::UpdateStatus { .. })),
        "{:?}",
        plan.requests
    );
    world.run_until_idle();
    assert_eq!(world.status().last_outcome, Some(Outcome::Executed));
    assert_eq!(world.status().last_run_now.as_ref().unwrap().outcome, Some(Outcome::Executed));
}

/// A KronJob that is restored with an old token, or made again with one, has no status.
#[test]
fn a_token_from_before_the_first_status_is_spent_without_a_job() {
    for suspend in [false, true] {
        let mut world = World::new(json!({"policy": {"suspend": suspend}}), 1, 0);
        world.kronjob.run_now = Some("old".into());
        world.run_until_idle();
        let last = world.status().last_run_now.clone().unwrap();
        assert_eq!((&*last.token, last.outcome, last.job_name), ("old", Some(Outcome::Skipped), None));
        let reported = |world: &World| {
            let spent =
                |message: &&crate::plan::Message| message.reason == kron_crd::reason::Reason::RunNowSpent;
            world.messages.iter().filter(spent).count()
        };
        assert_eq!(reported(&world), 1);
        // Another process knows it from the status.
        world.observed = Observed::default();
        world.millis += 100_000;
        world.run_until_idle();
        assert_eq!((world.jobs.len(), reported(&world)), (0, 1));
        // A later token makes its Job, unless the KronJob is suspended.
        world.kronjob.run_now = Some("new".into());
        world.run_until_idle();
        let tokens: Vec<_> = world.jobs.iter().filter_map(|job| job.run_now.as_deref()).collect();
        assert_eq!(tokens, if suspend { &[][..] } else { &["new"][..] });
    }
}
