//! Claims of several processes on the same starts, one process at a time.

use kron_core::{Job, Outcome};
use kron_host::{
    Cause, Claim, Configuration, Dispatcher, Execution, ExecutionState, HandledStart, HostReport,
    HostRequest, HostView, ListKind, Record, StartAnswer, Trigger,
};

use super::alone::Alone;
use super::{BEGIN, HOUR, view};

/// A process that was paused decides with an old record, and then sees that another process claimed the period.
#[test]
fn a_period_that_another_process_claimed_is_looked_up_before_it_is_missed() {
    let job = Job::parse("host/test", "0 * * * * @policy(deadline=1m)").unwrap();
    let due = BEGIN + HOUR;
    let view = |record, second: i64| view(&job, record, second);
    let (before, mut after) = (Record::default(), Record::default());
    after.claim = Some(Claim { nominal: due, holder: "b".into(), time: due - 5, retention: None });
    let mut process = Dispatcher::new("a");
    process.advance(&view(&before, due + 61));
    let outcomes = |process: &Dispatcher| -> Vec<Outcome> {
        let unwritten = process.unwritten();
        assert!(unwritten.iter().all(|handled| handled.nominal() == Some(due)), "{unwritten:?}");
        unwritten.iter().map(|handled| handled.outcome).collect()
    };
    assert_eq!(outcomes(&process), [Outcome::Missed]);
    process.advance(&view(&after, due + 62));
    assert_eq!(outcomes(&process), []);
    let trigger = Trigger::Period { nominal: due, chosen: due };
    let late = |claimed: i64| {
        let mut late = after.clone();
        late.claim = late.claim.map(|claim| Claim { time: due + claimed, ..claim });
        late
    };
    for (claimed, second, wake_up) in [
        // Its request may still be on its way: it may have been released from the lead a moment ago.
        (-5, 62, Some(73)),
        (-5, 72, Some(73)),
        (-5, 73, None),
        // It claimed the late start a moment ago.
        (63, 73, Some(74)),
        (63, 74, None),
        // Its clock is ahead.
        (132, 73, Some(143)),
        // Its clock is wrong.
        (134, 73, None),
    ] {
        let record = late(claimed);
        let view = |second: i64| super::view(&job, &record, due + second);
        let mut process = process.clone();
        process.advance(&view(62));
        process.advance(&view(second));
        let next = process.next(&view(second), &process.record(&view(second)));
        let look_up = wake_up.is_none().then(|| HostRequest::LookUp(trigger.clone()));
        assert_eq!(next.request, look_up, "claimed at {claimed}, at {second}");
        assert!(wake_up.is_none_or(|at| next.wake_up == Some((due + at) * 1000)), "{:?}", next.wake_up);
    }
    // It still may be on its way when this process has replaced the claim.
    let (seen, mut replaced) = (late(63), late(63));
    replaced.claim.as_mut().unwrap().holder = "a".into();
    for (second, look_up) in [(73, false), (74, true)] {
        let mut process = process.clone();
        process.advance(&super::view(&job, &seen, due + 62));
        let view = super::view(&job, &replaced, due + second);
        process.advance(&view);
        let next = process.next(&view, &process.record(&view));
        assert_eq!(next.request, look_up.then(|| HostRequest::LookUp(trigger.clone())), "at {second}");
    }
    process.advance(&view(&after, due + 72));
    for (found, outcome) in [(Some("x"), Outcome::Executed), (None, Outcome::Missed)] {
        let mut process = process.clone();
        process.looked_up(&trigger, found);
        process.advance(&view(&after, due + 72));
        assert_eq!(outcomes(&process), [outcome]);
        // It is looked up once.
        process.advance(&view(&after, due + 73));
        assert_eq!(outcomes(&process), [outcome]);
    }
}

/// A process tries to make a start for some minutes. After them nothing waits for what it may have sent.
#[test]
fn a_start_of_the_past_that_another_process_claimed_is_looked_up_at_once() {
    let job = Job::parse("host/test", "0 * * * * @policy(deadline=1m)").unwrap();
    let due = BEGIN + HOUR;
    let claim = Claim { nominal: due, holder: "b".into(), time: due - 5, retention: None };
    let record = Record { claim: Some(claim), ..Record::default() };
    // Within the deadline, five minutes, the deadline again and ten seconds it may have tried; what it sent arrives within 11 s.
    for (late, wake_up) in [(409, Some(420)), (435, Some(441)), (441, None), (1800, None)] {
        let mut process = Dispatcher::new("a");
        let view = view(&job, &record, due + late);
        process.advance(&view);
        let next = process.next(&view, &process.record(&view));
        let trigger = Trigger::Period { nominal: due, chosen: due };
        assert_eq!(next.request, wake_up.is_none().then_some(HostRequest::LookUp(trigger)), "{late}");
        assert!(
            wake_up.is_none_or(|at| next.wake_up == Some((due + at) * 1000)),
            "{late}: {:?}",
            next.wake_up
        );
    }
}

/// A period that another process claimed is missed although it is in time, because a later one is started instead.
#[test]
fn a_claimed_period_that_is_caught_up_for_is_not_said_to_be_past_its_deadline() {
    let job = Job::parse("host/test", "* * * * * @policy(deadline=2m)").unwrap();
    let due = BEGIN + 60;
    let claim = Claim { nominal: due, holder: "b".into(), time: due - 5, retention: None };
    let record = Record { claim: Some(claim), ..Record::default() };
    let mut process = Dispatcher::new("a");
    let view = view(&job, &record, due + 100);
    process.advance(&view);
    process.looked_up(&Trigger::Period { nominal: due, chosen: due }, None);
    process.advance(&view);
    let unwritten = process.unwritten().into_iter();
    let causes = unwritten.filter_map(|it| Some((it.nominal()?, it.outcome, it.cause)));
    let cause = Cause::CaughtUp { claimed: true };
    assert_eq!(causes.collect::<Vec<_>>(), [(due, Outcome::Missed, cause)]);
}

/// A record names only the last of several outcomes. It does not say who decided the others, if another process wrote it.
#[test]
fn an_outcome_that_another_process_decided_is_not_reported_as_its_own() {
    let job = Job::parse("host/test", "*/5 * * * * @policy(deadline=1s)").unwrap();
    let now = BEGIN + 700;
    for (holder, reported) in [("a", 2), ("b", 1)] {
        let before = Record::default();
        let mut process = Dispatcher::new("a");
        process.advance(&view(&job, &before, now));
        process.searched(process.search(&view(&job, &before, now)).unwrap().run(&job));
        let mut written = process.record(&view(&job, &before, now));
        assert_eq!((process.unwritten().len(), written.last_nominal), (2, Some(BEGIN + 600)));
        process.writing(&written);
        process.not_written(true, false);
        // Either this write was carried out, or another process, which missed the second period only, wrote instead.
        written.claim = written.claim.map(|claim| Claim { holder: holder.into(), ..claim });
        process.advance(&view(&job, &written, now + 1));
        let handled = |report: &&HostReport| matches!(report, HostReport::Handled(_));
        assert_eq!(process.take_reports().iter().filter(handled).count(), reported, "{holder}");
        assert!(process.unwritten().is_empty());
    }
}

/// A host that begins a list again can show an older record for a while. What the process decides by it is over once the host
/// shows the present one.
#[test]
fn a_start_that_an_old_record_shows_as_open_is_not_missed() {
    let mut host = Alone::new("*/5 * * * * @policy(concurrency=allow,deadline=30s)");
    host.run(BEGIN + 1);
    let old = host.record.clone();
    assert_eq!(old.claim.as_ref().map(|claim| claim.nominal), Some(BEGIN + 300));
    for second in [BEGIN + 300, BEGIN + 600] {
        host.run(second);
    }
    assert_eq!((&host.started[..], host.count(Outcome::Executed)), (&[BEGIN + 300, BEGIN + 600][..], 2));
    let now = BEGIN + 640;
    for answered in [false, true] {
        let mut process = host.dispatcher.clone();
        let stale = HostView { record: &old, ..host.view(now) };
        process.advance(&stale);
        let trigger = Trigger::Period { nominal: BEGIN + 300, chosen: BEGIN + 300 };
        let next = process.next(&stale, &process.record(&stale));
        // It may have sent a request until a moment ago.
        assert_eq!((next.request, next.wake_up), (None, Some((now + 11) * 1000)));
        let later = HostView { record: &old, ..host.view(now + 11) };
        process.advance(&later);
        let next = process.next(&later, &process.record(&later));
        assert_eq!(next.request, Some(HostRequest::LookUp(trigger.clone())));
        if answered {
            // Its execution has been removed meanwhile.
            process.looked_up(&trigger, None);
            process.advance(&later);
        }
        process.advance(&host.view(now));
        process.looked_up(&trigger, None);
        process.advance(&host.view(now));
        assert!(!process.has_due_starts() && process.unwritten().is_empty(), "{process:?}");
        let wanted = process.record(&host.view(now));
        assert_eq!((wanted.claim, wanted.last_nominal), (host.record.claim.clone(), Some(BEGIN + 600)));
        let handled = |report: &HostReport| matches!(report, HostReport::Handled(_));
        assert!(!process.take_reports().iter().any(handled));
    }
}

/// The watermark passes periods that an edit took out of the schedule, also one that is looked up, or seen meanwhile.
#[test]
fn a_start_that_an_edit_took_out_of_the_schedule_is_reported_by_the_process_that_passes_it() {
    let job = Job::parse("host/test", "30 * * * *").unwrap();
    let claim = Claim { nominal: BEGIN + 300, holder: "b".into(), time: BEGIN, retention: Some(5) };
    let configuration = Configuration { since: BEGIN, hash: "*/5 * * * *".into(), handled_through: None };
    let before = Record { claim: Some(claim), configuration: Some(configuration), ..Record::default() };
    fn view<'v>(job: &'v Job, record: &'v Record, second: i64) -> HostView<'v> {
        HostView { retention: Some(5), ..super::view(job, record, BEGIN + second) }
    }
    let found = Execution {
        id: "1",
        name: "run",
        nominal: Some(BEGIN + 300),
        run_now: None,
        state: ExecutionState::Ended,
    };
    for (ours, is_seen) in [(true, false), (false, false), (true, true), (false, true)] {
        let mut process = Dispatcher::new("a");
        process.advance(&view(&job, &before, 320));
        let trigger = Trigger::Period { nominal: BEGIN + 300, chosen: BEGIN + 300 };
        assert_eq!(process.current(), Some(trigger.clone()));
        let mut after = process.record(&view(&job, &before, 320));
        after.configuration.as_mut().unwrap().handled_through = Some(BEGIN + 1800);
        after.claim = after.claim.map(|claim| Claim { nominal: BEGIN + 5400, holder: "a".into(), ..claim });
        if ours {
            process.writing(&after);
        }
        if is_seen {
            // While the write is under way.
            process.advance(&HostView { executions: &[found], ..view(&job, &before, 321) });
            assert_eq!((process.current(), process.unwritten().len()), (None, 1));
        }
        if ours {
            process.written();
        }
        process.advance(&view(&job, &after, 1801));
        process.looked_up(&trigger, None);
        process.advance(&view(&job, &after, 1802));
        process.advance(&view(&job, &after, 1803));
        let handled = |report: &&HostReport| matches!(report, HostReport::Handled(it) if it.nominal() == Some(BEGIN + 300));
        assert_eq!(process.take_reports().iter().filter(handled).count(), usize::from(ours), "{is_seen}");
        assert!(!process.has_due_starts() && process.unwritten().is_empty(), "{process:?}");
    }
}

/// The execution of the first claim may exist, and is removed as it was to be then, whatever an edit has changed since.
#[test]
fn a_claim_that_replaces_a_used_one_keeps_the_shorter_retention() {
    let job = Job::parse("host/test", "*/5 * * * * @policy(concurrency=allow,deadline=1m)").unwrap();
    for (second, before, now, expected) in [
        (311, Some(20), None, Some(20)),
        (311, Some(20), Some(3600), Some(20)),
        (311, Some(20), Some(10), Some(10)),
        (311, None, Some(3600), Some(3600)),
        // It was not used.
        (299, Some(20), Some(3600), Some(3600)),
    ] {
        let claim = Claim { nominal: BEGIN + 300, holder: "b".into(), time: BEGIN, retention: before };
        let record = Record { claim: Some(claim), ..Record::default() };
        let mut process = Dispatcher::new("a");
        let view = HostView { retention: now, ..view(&job, &record, BEGIN + second) };
        process.advance(&view);
        while let Some(search) = process.search(&view) {
            process.searched(search.run(&job));
            process.advance(&view);
        }
        let claim = process.record(&view).claim.unwrap();
        assert_eq!((claim.holder.as_str(), claim.retention), ("a", expected), "{second} {before:?} {now:?}");
    }
}

/// An answer that a process reads after a pause may have been sent before the pause.
#[test]
fn a_claim_is_confirmed_after_a_pause_by_a_write_that_begins_after_it() {
    for paused in [false, true] {
        let mut host = Alone::new("*/5 * * * * @policy(concurrency=allow)");
        host.look(BEGIN + 1);
        let wanted = host.dispatcher.record(&host.view(BEGIN + 1));
        host.dispatcher.writing(&wanted);
        host.record = wanted;
        if paused {
            host.dispatcher.paused();
        }
        host.dispatcher.written();
        host.look(BEGIN + 300);
        let wanted = host.dispatcher.record(&host.view(BEGIN + 300));
        let next = host.dispatcher.next(&host.view(BEGIN + 300), &wanted);
        assert_eq!(next.request.is_none(), paused, "{next:?}");
        // It is written again, and then the start is made.
        assert_eq!(host.dispatcher.claim_is_urgent(&host.view(BEGIN + 300), &wanted), paused);
        host.run(BEGIN + 300);
        assert_eq!(host.started, [BEGIN + 300]);
    }
}

/// A list of executions lacks those that another process started later, and the host may not show them yet.
#[test]
fn executions_are_listed_again_after_the_claim_of_another_process() {
    let mut host = Alone::new("*/5 * * * *");
    host.run(BEGIN + 300);
    assert_eq!((host.started.len(), host.lists), (1, 1));
    let first = host.dispatcher.clone();
    host.restart();
    // The claim of a process that is gone is replaced shortly before the start.
    host.run(BEGIN + 595);
    host.run(BEGIN + 600);
    assert_eq!((host.started.len(), host.lists), (2, 2));
    host.dispatcher = first;
    host.look(BEGIN + 601);
    host.run(BEGIN + 895);
    host.run(BEGIN + 900);
    assert_eq!((host.started.len(), host.lists), (3, 3));
    // It is listed only once.
    host.run(BEGIN + 1200);
    assert_eq!((host.started.len(), host.lists), (4, 3));
}

/// What removes executions has changed since a request whose answer was lost: its execution may be gone all the same.
#[test]
fn a_start_is_not_repeated_if_its_execution_could_have_been_removed_at_any_time_since() {
    let mut host = Alone::new("*/5 * * * * @policy(concurrency=allow,deadline=1h)");
    host.run(BEGIN + 299);
    host.look(BEGIN + 300);
    let due = Trigger::Period { nominal: BEGIN + 300, chosen: BEGIN + 300 };
    let retry_at = Some((BEGIN + 301) * 1000);
    let lost = StartAnswer::Failed { error: "timeout".into(), uncertain: true, retry_at };
    let view = |retention, second| HostView { retention, ..view(&host.job, &host.record, second) };
    for (known, repeated) in [(None, true), (Some(60), true), (Some(5), false)] {
        let mut process = host.dispatcher.clone();
        process.starting(&due, BEGIN + 300);
        process.start_answered(&due, lost.clone(), BEGIN + 300, host.job.spec().policy());
        process.advance(&view(known, BEGIN + 302));
        let later = view(None, BEGIN + 320);
        process.advance(&later);
        let request = process.next(&later, &process.record(&later)).request;
        let trigger = due.clone();
        let expected = if repeated { HostRequest::Start(trigger) } else { HostRequest::LookUp(trigger) };
        assert_eq!(request, Some(expected), "{known:?}");
    }
}

/// A store refuses a request before it looks whether the execution is there: an earlier request may have started it.
#[test]
fn a_start_that_is_refused_is_looked_up_if_an_earlier_request_may_have_made_it() {
    let mut host = Alone::new("*/5 * * * * @policy(concurrency=allow,deadline=1h)");
    host.run(BEGIN + 299);
    host.look(BEGIN + 300);
    let due = Trigger::Period { nominal: BEGIN + 300, chosen: BEGIN + 300 };
    let policy = host.job.spec().policy();
    let view = host.view(BEGIN + 311);
    let failed = |uncertain, retry_at| StartAnswer::Failed { error: "no".into(), uncertain, retry_at };
    for (uncertain, found, outcome) in
        [(false, None, Outcome::Missed), (true, None, Outcome::Missed), (true, Some("x"), Outcome::Executed)]
    {
        let mut process = host.dispatcher.clone();
        // The second one was certainly not carried out, so it prolongs nothing.
        let answers = [failed(uncertain, Some((BEGIN + 301) * 1000)), failed(false, None)];
        for (second, answer) in [300, 305].into_iter().zip(answers) {
            process.starting(&due, BEGIN + second);
            process.start_answered(&due, answer, BEGIN + second, policy);
        }
        if uncertain {
            // The earlier one may still arrive.
            let early = host.view(BEGIN + 310);
            process.advance(&early);
            let next = process.next(&early, &process.record(&early));
            // It may have sent a request until a moment ago.
            assert_eq!((next.request, next.wake_up), (None, Some((BEGIN + 311) * 1000)));
        }
        process.advance(&view);
        let request = process.next(&view, &process.record(&view)).request;
        assert_eq!(request, uncertain.then(|| HostRequest::LookUp(due.clone())));
        if uncertain {
            process.looked_up(&due, found);
            process.advance(&view);
        }
        let [HandledStart { outcome: decided, execution, cause, .. }] = &process.unwritten()[..] else {
            panic!("{:?}", process.unwritten())
        };
        assert_eq!((*decided, execution.as_deref()), (outcome, found));
        let refused = Cause::Refused { error: "no".into() };
        assert_eq!(*cause == refused, outcome == Outcome::Missed, "{cause:?}");
    }
}

/// A request without an answer, or that of a process that has taken the claim, may still be on its way. It would start the
/// execution again if another start replaced it.
#[test]
fn an_execution_is_not_replaced_while_another_request_for_it_may_arrive() {
    let state = ExecutionState::Active;
    let executions = [Execution { id: "1", name: "x", nominal: Some(BEGIN + 300), run_now: None, state }];
    for (uncertain, taken, edited, replaced_at) in [
        (false, false, false, 302),
        (true, false, false, 313),
        (false, true, false, 313),
        // The policy forbids it until an edit.
        (true, false, true, 313),
    ] {
        let mut host = Alone::new("*/5 * * * * @policy(concurrency=replace)");
        host.run(BEGIN + 299);
        host.look(BEGIN + 300);
        let Alone { job, mut dispatcher, mut record, .. } = host;
        let due = Trigger::Period { nominal: BEGIN + 300, chosen: BEGIN + 300 };
        let policy = job.spec().policy();
        dispatcher.listing(ListKind::Own);
        dispatcher.listed(&[]);
        dispatcher.starting(&due, BEGIN + 300);
        let retry_at = Some((BEGIN + 301) * 1000);
        let lost = StartAnswer::Failed { error: "timeout".into(), uncertain, retry_at };
        dispatcher.start_answered(&due, lost, BEGIN + 300, policy);
        dispatcher.starting(&due, BEGIN + 302);
        let answer = StartAnswer::Started { execution: "x".into() };
        dispatcher.start_answered(&due, answer, BEGIN + 302, policy);
        if taken {
            record.claim = record.claim.map(|claim| Claim { holder: "b".into(), ..claim });
        }
        let mut second = BEGIN + 302;
        if edited {
            let forbids = Job::parse("host/test", "*/5 * * * *").unwrap();
            dispatcher.advance(&HostView { revision: 0, ..view(&forbids, &record, second) });
        }
        while second < BEGIN + 330 {
            let stored = record.clone();
            let run_now = Some("t");
            let seen = HostView { executions: &executions, run_now, ..view(&job, &stored, second) };
            dispatcher.advance(&seen);
            let wanted = dispatcher.record(&seen);
            if wanted != stored {
                dispatcher.writing(&wanted);
                dispatcher.written();
                record = wanted;
                continue;
            }
            dispatcher.listing(ListKind::Own);
            assert_eq!(dispatcher.listed(&executions), None);
            let next = dispatcher.next(&seen, &wanted);
            if let Some(HostRequest::Stop { .. }) = next.request {
                break;
            }
            // It looks again in time.
            second = next.wake_up.unwrap().div_euclid(1000).max(second + 1);
        }
        assert_eq!(second - BEGIN, replaced_at, "uncertain: {uncertain}, taken: {taken}, edited: {edited}");
    }
}

/// The first execution is perhaps that of the process that had the claim, made at the chosen second: no request of this one prolongs the
/// time in which it would still be there.
#[test]
fn a_request_without_an_answer_does_not_hide_that_another_process_may_have_started_before() {
    let job = Job::parse("host/test", "*/5 * * * * @policy(concurrency=allow,deadline=1h)").unwrap();
    let claim = Claim { nominal: BEGIN + 300, holder: "b".into(), time: BEGIN, retention: Some(20) };
    let before = Record { claim: Some(claim), ..Record::default() };
    let mut process = Dispatcher::new("a");
    let view = |record, second: i64| HostView { retention: Some(20), ..view(&job, record, BEGIN + second) };
    process.advance(&view(&before, 311));
    let stored = process.record(&view(&before, 311));
    process.writing(&stored);
    process.written();
    let start = Trigger::Period { nominal: BEGIN + 300, chosen: BEGIN + 300 };
    for (second, starts) in [(312, true), (319, true), (320, false), (331, false)] {
        let view = view(&stored, second);
        process.advance(&view);
        let request = process.next(&view, &process.record(&view)).request;
        assert_eq!(request == Some(HostRequest::Start(start.clone())), starts, "{second}: {request:?}");
        if starts {
            process.starting(&start, BEGIN + second);
            let lost = StartAnswer::Failed { error: "lost".into(), uncertain: true, retry_at: Some(0) };
            process.start_answered(&start, lost, BEGIN + second, job.spec().policy());
        }
    }
}
