//! What answers mean: each failure of each request.

use std::cell::RefCell;

use serde_json::json;

use super::waiting::at_start;
use super::*;
use crate::new_job::job;
use kron_crd::reason::Reason;

const ALL: [Failure; 10] = [
    Failure::Conflict,
    Failure::AlreadyExists,
    Failure::NotFound,
    Failure::Invalid,
    Failure::Forbidden,
    Failure::NamespaceTerminating,
    Failure::TooManyRequests { retry_after: None },
    Failure::Refused,
    Failure::Ambiguous,
    Failure::Other,
];

/// The KronJob of a world, as if it had that UID.
pub(super) fn with_uid(world: &World, uid: &str) -> KronJobView {
    KronJobView { uid: uid.into(), ..world.kronjob.clone() }
}

/// The Job that a create makes for a KronJob.
pub(super) fn job_of(kronjob: &KronJobView, create: &Request) -> JobView {
    let Request::Create { what: Purpose::Start(trigger), name } = create else { panic!("{create:?}") };
    let template = kronjob.spec.as_ref().unwrap().template.as_deref().unwrap();
    let mut body = job(kronjob, template, trigger, name);
    body["metadata"]["uid"] = json!("j");
    JobView::read(&serde_json::from_value(body).unwrap())
}

/// A world whose first start is due, and its create.
fn creating() -> (World, Request) {
    let mut world = at_start(json!({"policy": {"concurrency": "allow"}}));
    let create = world.next(|request| matches!(request, Request::Create { .. }));
    (world, create)
}

/// What is asked for when a request is refused: how often it had failed, and the pace.
fn paces(world: &mut World, request: &Request, failure: Failure) -> (Answered, Vec<(u32, Pace)>) {
    let asked = RefCell::new(Vec::new());
    let retry_at = |failures, pace, _| {
        asked.borrow_mut().push((failures, pace));
        i64::MAX
    };
    let at = Moment { now: world.millis / 1000, retry_at: &retry_at };
    world.observe(Observation::Sending(request));
    let response = refused(failure, failure.code());
    let answered = world.observed.answered(&world.kronjob, request, &response, at);
    (answered, asked.into_inner())
}

#[test]
fn a_create_is_repeated_only_after_a_failure_that_passes() {
    for failure in ALL {
        let (mut world, create) = creating();
        let retry_at = world.millis + 2000;
        let answered = world.refuse(&create, failure, retry_at);
        assert_eq!(answered.failure, Some(failure));
        let Request::Create { what, name } = &create else { unreachable!() };
        let get = Request::Get { why: Sought::Taken(what.clone()), name: name.clone() };
        assert_eq!(answered.follow_up, (failure == Failure::AlreadyExists).then_some(get));
        if answered.follow_up.is_some() {
            continue;
        }
        let start = |world: &mut World| {
            let requests = world.plan().requests.into_iter();
            requests.filter(|request| request.lane() == Lane::Start).find(|request| *request != Request::List)
        };
        assert_eq!(start(&mut world), None, "{failure:?}");
        world.millis = retry_at;
        match start(&mut world) {
            Some(Request::DryRun { repeats: true, .. }) => assert_eq!(failure, Failure::Ambiguous),
            Some(again) => assert!(again == create && failure.passing(), "{failure:?}: {again:?}"),
            None => assert!(!failure.passing(), "{failure:?}"),
        }
    }
}

#[test]
fn a_late_start_has_a_pace_of_its_own() {
    for (late, pace) in [(10, Pace::Start), (11, Pace::LateStart)] {
        let (mut world, create) = creating();
        world.millis += late * 1000;
        let (_, asked) = paces(&mut world, &create, Failure::Refused);
        assert_eq!(asked, [(0, pace)]);
    }
}

#[test]
fn a_name_that_is_taken_is_ours_by_the_owner_of_the_job() {
    for (uid, outcome) in
        [(Some("k"), Outcome::Executed), (Some("other"), Outcome::Missed), (None, Outcome::Missed)]
    {
        let (mut world, create) = creating();
        let get = world.refuse(&create, Failure::AlreadyExists, 0).follow_up.unwrap();
        let job = uid.map(|uid| job_of(&with_uid(&world, uid), &create));
        let answered = world.answer(&get, &Response::Job(job.clone().map(Into::into)), 0);
        assert_eq!(answered.jobs, Vec::from_iter(job.filter(|_| uid == Some("k"))));
        world.run_until_idle();
        assert_eq!(world.outcomes.get(&Time(START + 3600)), Some(&outcome), "{uid:?}");
    }
    for failure in ALL {
        let (mut world, create) = creating();
        let get = world.refuse(&create, Failure::AlreadyExists, 0).follow_up.unwrap();
        let retry_at = world.millis + 2000;
        assert_eq!(world.refuse(&get, failure, retry_at), Answered::default());
        let plan = world.plan();
        assert!(plan.wake_up.is_some_and(|at| at <= retry_at), "{failure:?}");
        let status = serde_json::to_string(&plan.status).unwrap();
        assert!(status.contains("it exists, but could not be read: "), "{status}");
    }
}

#[test]
fn reads_show_only_jobs_of_the_kronjob() {
    for (uid, shown) in [("k", 1), ("other", 0)] {
        let (mut world, create) = creating();
        let Request::Create { what: Purpose::Start(trigger), name } = &create else { unreachable!() };
        let job = job_of(&with_uid(&world, uid), &create);
        let get = Request::Get { why: Sought::Created(trigger.clone()), name: name.clone() };
        assert_eq!(world.answer(&get, &Response::Job(Some(job.clone().into())), 0).jobs.len(), shown);
        assert_eq!(world.answer(&Request::List, &Response::Jobs(vec![job]), 0).jobs.len(), shown);
    }
}

#[test]
fn a_job_that_is_gone_or_another_one_is_deleted() {
    for failure in ALL {
        let gone = matches!(failure, Failure::NotFound | Failure::Conflict);
        for (what, asked) in [
            (Deleted::Active, (0, Pace::LateStart)),
            (Deleted::Finished, (3, Pace::Other)),
            (Deleted::Primer, (0, Pace::Other)),
        ] {
            let (mut world, _) = creating();
            world.millis += 11_000;
            let delete = Request::Delete { what, name: "db-x".into(), uid: "j".into() };
            let (answered, paces) = paces(&mut world, &delete, failure);
            assert_eq!(answered.failure, (!gone).then_some(failure));
            assert_eq!(paces, Vec::from_iter((!gone).then_some(asked)), "{what:?}");
            world.plan();
            let deleted = world.messages.iter().any(|note| note.reason == Reason::SuccessfulDelete);
            assert_eq!(deleted, gone, "{what:?} {failure:?}");
        }
    }
}

#[test]
fn a_status_that_was_overtaken_is_written_again_at_once_but_not_for_ever() {
    let write = |world: &World| {
        let status = Box::new(world.status().clone());
        Request::UpdateStatus { status, urgent: false, fence: None, ended: Vec::new() }
    };
    let (mut world, _) = creating();
    let write = write(&world);
    for failures in 0..8 {
        let (answered, asked) = paces(&mut world, &write, Failure::Conflict);
        let later = failures >= 5;
        assert_eq!((answered.is_delayed, answered.follow_up), (later, Some(Request::GetKronJob)));
        let expected = [(failures, Pace::Other), (failures, Pace::Urgent)];
        assert_eq!(asked, if later { expected.to_vec() } else { Vec::new() });
    }
    for failure in ALL {
        let (mut world, _) = creating();
        let answered = world.refuse(&write, failure, 0);
        let fetched = matches!(failure, Failure::Ambiguous | Failure::Conflict);
        assert_eq!((answered.follow_up.is_some(), answered.failure), (fetched, Some(failure)));
    }
    // The server keeps another status.
    let (mut world, _) = creating();
    for (kept, is_altered) in [(world.status().clone(), false), (KronJobStatus::default(), true)] {
        let kept = KronJobView { status: Ok(kept), ..world.kronjob.clone() };
        let answered = world.answer(&write, &Response::KronJob(Some(kept.into())), i64::MAX);
        assert_eq!(answered, Answered { is_delayed: is_altered, ..Answered::default() });
    }
    assert!(world.plan().requests.iter().all(|request| !matches!(request, Request::UpdateStatus { .. })));
}

#[test]
fn a_dry_run_says_what_it_can() {
    for failure in ALL {
        let mut world = World::new(json!({}), 1, 0);
        let dry_run = world.next(|request| matches!(request, Request::DryRun { .. }));
        let retry_at = world.millis + 1000;
        let counted = world.refuse(&dry_run, failure, retry_at).failure.is_some();
        world.run_until_idle();
        let says = world.status().conditions.iter().find(|condition| condition.type_ == "InvalidSpec");
        let expected = match failure {
            Failure::AlreadyExists => (Some("Valid"), false),
            Failure::Invalid => (Some("TemplateRefused"), false),
            _ if failure.passing() => (None, true),
            _ => (Some("TemplateNotTried"), true),
        };
        assert_eq!((says.map(|condition| &*condition.reason), counted), expected, "{failure:?}");

        let (mut world, create) = creating();
        let Request::Create { what: Purpose::Start(trigger), name } = create else { unreachable!() };
        let again = Request::DryRun { generation: 1, trigger, name, repeats: true };
        let passing =
            matches!(failure, Failure::TooManyRequests { .. } | Failure::Refused | Failure::Ambiguous);
        let (answered, asked) = paces(&mut world, &again, failure);
        assert_eq!((answered.failure.is_some(), asked.len()), (passing, usize::from(passing)), "{failure:?}");
    }
}

#[test]
fn a_primer_is_created_again_only_if_it_certainly_was_not() {
    let what = Purpose::Primer(Time(START + 3600));
    let create = Request::Create { what: what.clone(), name: "db-x".into() };
    for failure in ALL {
        let (mut world, _) = creating();
        let (answered, asked) = paces(&mut world, &create, failure);
        let taken = failure == Failure::AlreadyExists;
        assert_eq!((answered.follow_up.is_some(), answered.failure.is_some()), (taken, !taken));
        assert_eq!(!asked.is_empty(), failure.passing() && failure != Failure::Ambiguous, "{failure:?}");

        // Its template could not be read.
        let refusal = crate::client::Refusal { failure, message: "no".into() };
        let asked = RefCell::new(0);
        let retry_at = |_, _, _| {
            *asked.borrow_mut() += 1;
            0
        };
        let at = Moment { now: START, retry_at: &retry_at };
        world.observed.answered(&world.kronjob, &create, &Response::NotSent(refusal), at);
        assert_eq!(asked.take() == 1, failure.passing(), "{failure:?}");
    }
    for (uid, reason) in [("k", Reason::SuccessfulCreate), ("other", Reason::NameTaken)] {
        let (mut world, start) = creating();
        let job = job_of(&with_uid(&world, uid), &start);
        let get = Request::Get { why: Sought::Taken(what.clone()), name: "db-x".into() };
        world.answer(&get, &Response::Job(Some(job.into())), 0);
        world.plan();
        assert!(world.messages.iter().any(|note| note.reason == reason), "{uid}");
    }
}
