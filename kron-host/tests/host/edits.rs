//! What an edit or a suspension of a job changes on its host.

use kron_core::{Job, Outcome};
use kron_host::{
    Cause, Claim, Configuration, Dispatcher, Execution, ExecutionState, HostReport, HostRequest, HostView,
    Record, StartAnswer, Trigger,
};

use super::alone::Alone;
use super::{BEGIN, HOUR, view};

#[test]
fn the_next_start_is_searched_once() {
    let parse = |date: &str| Job::parse("host/test", &format!("0 0 * * * @only(date={date})")).unwrap();
    let (first, second) = (parse("2031-01-01"), parse("2030-01-01"));
    let record = Record::default();
    let view = |job, revision, hours: i64| HostView { revision, ..view(job, &record, BEGIN + hours * HOUR) };
    let mut dispatcher = Dispatcher::new("a");
    let search = dispatcher.search(&view(&first, 1, 0)).unwrap();
    dispatcher.searched(search.run(&first));
    assert_eq!(dispatcher.search(&view(&first, 1, 1)), None);
    assert_eq!(dispatcher.next_start(&view(&first, 1, 1)).unwrap().chosen, 1_924_992_000);
    // After an edit, the next start is searched for again.
    assert_eq!(dispatcher.next_start(&view(&second, 2, 1)), None);
    let search = dispatcher.search(&view(&second, 2, 1)).unwrap();
    dispatcher.searched(search.run(&second));
    assert_eq!(dispatcher.next_start(&view(&second, 2, 1)).unwrap().chosen, 1_893_456_000);
}

/// Before the first record is written, an edit cancels a start that is due, as it does later, unless a request for it was sent.
#[test]
fn an_edit_before_the_first_record_cancels_starts_that_are_due() {
    let policy = "@policy(deadline=1h,concurrency=allow)";
    let [hourly, half, same] = ["0 * * * *", "30 * * * *", "*/60 * * * *"]
        .map(|schedule| Job::parse("host/test", &format!("{schedule} {policy}")).unwrap());
    let record = Record::default();
    let view = |job, revision, configuration| HostView {
        revision,
        configuration,
        created: BEGIN + 45 * 60,
        ..view(job, &record, BEGIN + HOUR + i64::from(revision > 1))
    };
    let due = Trigger::Period { nominal: BEGIN + HOUR, chosen: BEGIN + HOUR };
    let mut first = Dispatcher::new("a");
    first.advance(&view(&hourly, 1, "0 * * * *"));
    assert_eq!(first.current(), Some(due.clone()));
    for (job, configuration, sent, expected) in [
        (&half, "30 * * * *", false, None),
        (&half, "30 * * * *", true, Some(&due)),
        (&same, "*/60 * * * *", false, None),
        (&same, "*/60 * * * *", true, Some(&due)),
    ] {
        let mut edited = first.clone();
        if sent {
            edited.starting(&due, BEGIN + HOUR);
        }
        edited.advance(&view(job, 2, configuration));
        assert_eq!(edited.current().as_ref(), expected, "{configuration}, sent: {sent}");
        let stored = edited.record(&view(job, 2, configuration)).configuration.unwrap();
        assert_eq!((&*stored.hash, stored.since), (configuration, BEGIN + HOUR + 1));
    }
}

/// What this process saw before the first write says nothing of what is stored since.
#[test]
fn a_stored_configuration_outranks_what_was_seen_before_it() {
    let job = Job::parse("host/test", "*/5 * * * *").unwrap();
    let since = |dispatcher: &mut Dispatcher, record: &Record, configuration, created| {
        let view = HostView { configuration, created, ..view(&job, record, BEGIN + HOUR) };
        dispatcher.advance(&view);
        assert_eq!(dispatcher.take_reports(), []);
        dispatcher.record(&view).configuration.unwrap().since
    };
    let stored = |hash: &str, since| Record {
        configuration: Some(Configuration { since, hash: hash.into(), handled_through: None }),
        ..Record::default()
    };
    // The cache was late: another process saw the edit, and wrote it.
    let mut dispatcher = Dispatcher::new("a");
    assert_eq!(since(&mut dispatcher, &Record::default(), "one", BEGIN), BEGIN);
    assert_eq!(since(&mut dispatcher, &stored("two", BEGIN + 60), "two", BEGIN), BEGIN + 60);
    // The job was created in the future, by the clock of this process, which sets it back once it is stored.
    let future = BEGIN + HOUR + 300;
    let mut dispatcher = Dispatcher::new("a");
    assert_eq!(since(&mut dispatcher, &Record::default(), "one", future), future);
    assert_eq!(since(&mut dispatcher, &stored("one", BEGIN + HOUR), "one", future), BEGIN + HOUR);
}

/// Once the claim on the next start of a suspended job may have been used, that start is in the past: the process must
/// not wake up for it.
#[test]
fn a_suspended_job_does_not_wait_for_a_time_that_has_passed() {
    let mut host = Alone::new("*/5 * * * *");
    host.run(BEGIN + 298);
    assert!(host.record.claim.is_some());
    host.restart();
    host.job = Job::parse("host/test", "*/5 * * * * @policy(suspend=true)").unwrap();
    for second in [299, 300, 301, 330, 599, 600] {
        host.look(BEGIN + second);
        for after in [0, 287] {
            let view = HostView { now: (BEGIN + second) * 1000 + after, ..host.view(BEGIN + second) };
            let wanted = host.dispatcher.record(&view);
            let wake_up = host.dispatcher.next(&view, &wanted).wake_up;
            assert!(wake_up.is_none_or(|at| at > view.now), "{second}: {wake_up:?}");
        }
    }
}

/// A request to start was sent and not answered when the job is suspended. Nothing is started while it is suspended, so the
/// execution is looked up, once, when no request for it can arrive any more, and the period gets its outcome.
#[test]
fn a_start_without_an_answer_is_looked_up_when_the_job_is_suspended() {
    let [job, suspended] = ["deadline=1h", "deadline=1h,suspend=true"]
        .map(|policy| Job::parse("host/test", &format!("*/5 * * * * @policy({policy})")).unwrap());
    let (nominal, chosen) = (BEGIN + 300, BEGIN + 300);
    let start = Trigger::Period { nominal, chosen };
    let claim = Claim { nominal, holder: "a".into(), time: BEGIN, retention: None };
    let record = Record { claim: Some(claim), ..Record::default() };
    let mut claimed = Dispatcher::new("a");
    claimed.writing(&record);
    claimed.written();
    claimed.advance(&view(&job, &record, chosen));
    claimed.starting(&start, chosen);
    let own = Execution {
        id: "1",
        name: "run",
        nominal: Some(nominal),
        run_now: None,
        state: ExecutionState::Active,
    };
    for (exists, is_seen, uncertain) in
        [(true, true, true), (true, false, true), (false, false, true), (false, false, false)]
    {
        let mut dispatcher = claimed.clone();
        let retry_at = Some((chosen + 9) * 1000);
        let answer = StartAnswer::Failed { error: "timeout".into(), uncertain, retry_at };
        dispatcher.start_answered(&start, answer, chosen + 8, job.spec().policy());
        let executions = if is_seen { &[own][..] } else { &[] };
        let mut requests = Vec::new();
        for after in [9, 10, 11, 11, 12] {
            let view = HostView { revision: 2, executions, ..view(&suspended, &record, chosen + after) };
            dispatcher.advance(&view);
            match dispatcher.next(&view, &dispatcher.record(&view)).request {
                Some(HostRequest::LookUp(trigger)) => {
                    assert_eq!(after, 11);
                    dispatcher.looked_up(&trigger, exists.then_some("run"));
                    requests.push(trigger);
                }
                Some(other) => panic!("{other:?}"),
                None => {}
            }
        }
        assert_eq!(requests, if uncertain { vec![start.clone()] } else { Vec::new() });
        let unwritten = dispatcher.unwritten();
        assert!(unwritten.iter().all(|handled| handled.nominal() == Some(nominal)), "{unwritten:?}");
        let outcomes: Vec<Outcome> = unwritten.iter().map(|handled| handled.outcome).collect();
        assert_eq!(outcomes, [if exists { Outcome::Executed } else { Outcome::Missed }]);
    }
}

/// The process that claimed a start may have made it in the second of its claim. An edit that moves the
/// start to a later second would start it again if it is removed: it is looked up, and has an outcome.
#[test]
fn a_claim_that_may_have_been_used_is_settled_after_an_edit() {
    let edited = Job::parse("host/test", "0 * * * * @win(after,30m) @policy(deadline=1h)").unwrap();
    let nominal = BEGIN + HOUR;
    let moved = edited.decide(nominal).unwrap().chosen_timestamp().unwrap();
    assert!(moved > nominal + 60);
    let created = nominal - 60;
    // What is not there, and cannot have been removed yet, was not made: the edited job decides.
    for (retention, takes_over, looked_at, missed) in [
        (None, false, Some(31), false),
        (None, true, Some(31), false),
        (Some(30), false, Some(31), true),
        (Some(30), true, Some(31), true),
        (Some(600), false, Some(31), false),
        (Some(600), true, Some(31), false),
    ] {
        let job = Job::parse("host/test", "0 * * * * @policy(deadline=1h)").unwrap();
        let next = Some(kron_host::NextStart { nominal, chosen: nominal });
        let claim = Claim { nominal, holder: "b".into(), time: BEGIN, retention };
        let record = Record { claim: Some(claim), next, ..Record::default() };
        let mut process = Dispatcher::new("a");
        let mut record = if takes_over {
            // It has claimed the start before the edit, and the record names only this process.
            let view = HostView { retention, created, ..view(&job, &record, nominal + 20) };
            process.advance(&view);
            let wanted = process.record(&view);
            assert_eq!(wanted.claim.as_ref().unwrap().holder, "a");
            process.writing(&wanted);
            process.written();
            wanted
        } else {
            record
        };
        let mut looked_up = Vec::new();
        for second in 20..60 {
            let stored = record.clone();
            let view =
                HostView { revision: 2, retention, created, ..view(&edited, &stored, nominal + second) };
            process.advance(&view);
            while let Some(search) = process.search(&view) {
                process.searched(search.run(&edited));
                process.advance(&view);
            }
            let wanted = process.record(&view);
            match process.next(&view, &wanted).request {
                Some(HostRequest::LookUp(trigger)) => {
                    looked_up.push(second);
                    process.looked_up(&trigger, None);
                }
                Some(other) => panic!("{retention:?} {takes_over} {second}: {other:?}"),
                None => {}
            }
            process.writing(&wanted);
            process.written();
            record = wanted;
        }
        let what = format!("{retention:?}, takes over: {takes_over}");
        assert_eq!(looked_up, Vec::from_iter(looked_at), "{what}");
        let outcome = record.outcomes().get(&nominal).map(|period| period.outcome);
        assert_eq!(outcome, missed.then_some(Outcome::Missed), "{what}");
        let next = record.next.unwrap();
        assert_eq!(next.chosen == moved, !missed, "{what}");
    }
}

/// No edited job decides again what its schedule does not have, or what is not in force any more.
#[test]
fn a_claim_that_was_not_used_is_missed_if_an_edited_schedule_has_no_such_start() {
    let policy = "@policy(deadline=1h)";
    let nominal = BEGIN + HOUR;
    let claim = Claim { nominal, holder: "b".into(), time: BEGIN, retention: None };
    let configuration = Configuration { since: BEGIN, hash: "before".into(), handled_through: None };
    let first = Record { claim: Some(claim), configuration: Some(configuration), ..Record::default() };
    for (edited, takes_over) in
        [("30 * * * *", false), ("30 * * * *", true), ("*/10 * * * *", false), ("*/10 * * * *", true)]
    {
        let [job, edited] =
            ["0 * * * *", edited].map(|text| Job::parse("host/test", &format!("{text} {policy}")).unwrap());
        let (mut process, mut record) = (Dispatcher::new("a"), first.clone());
        let mut reports = Vec::new();
        for second in 20..60 {
            let (job, revision, configuration) = match takes_over && second == 20 {
                true => (&job, 1, "before"),
                false => (&edited, 2, "after"),
            };
            let stored = record.clone();
            let view = HostView { revision, configuration, ..view(job, &stored, nominal + second) };
            process.advance(&view);
            while let Some(search) = process.search(&view) {
                process.searched(search.run(job));
                process.advance(&view);
            }
            record = process.record(&view);
            if let Some(HostRequest::LookUp(trigger)) = process.next(&view, &record).request {
                process.looked_up(&trigger, None);
            }
            process.writing(&record);
            process.written();
            reports.append(&mut process.take_reports());
        }
        let handled: Vec<(i64, &Cause)> = reports
            .iter()
            .filter_map(|report| match report {
                HostReport::Handled(handled) => Some((handled.nominal()?, &handled.cause)),
                _ => None,
            })
            .collect();
        assert_eq!(handled, [(nominal, &Cause::Edited)], "takes over: {takes_over}");
        assert_eq!((record.last_nominal, record.last_outcome), (Some(nominal), Some(Outcome::Missed)));
    }
}

/// A process that has taken over a claim and sees a suspension keeps the claim until the start has its outcome: if it ended, the
/// next process would know of nothing to be looked up.
#[test]
fn a_suspension_leaves_a_claim_that_may_have_been_used() {
    let [job, suspended] = ["deadline=1h", "deadline=1h,suspend=true"]
        .map(|policy| Job::parse("host/test", &format!("0 * * * * @policy({policy})")).unwrap());
    let nominal = BEGIN + HOUR;
    let claim = Claim { nominal, holder: "b".into(), time: BEGIN, retention: None };
    let record = Record { claim: Some(claim), ..Record::default() };
    let mut process = Dispatcher::new("a");
    let before = view(&job, &record, nominal + 20);
    process.advance(&before);
    let record = process.record(&before);
    process.writing(&record);
    process.written();
    let claimed_by = |process: &Dispatcher, view: &HostView<'_>| {
        process.record(view).claim.map(|claim| (claim.nominal, claim.holder))
    };
    let after = HostView { revision: 2, ..view(&suspended, &record, nominal + 21) };
    process.advance(&after);
    assert_eq!(claimed_by(&process, &after), Some((nominal, "a".to_string())));
    let later = HostView { revision: 2, ..view(&suspended, &record, nominal + 31) };
    process.advance(&later);
    let trigger = Trigger::Period { nominal, chosen: nominal };
    let request = process.next(&later, &process.record(&later)).request;
    assert_eq!(request, Some(HostRequest::LookUp(trigger.clone())));
    process.looked_up(&trigger, None);
    process.advance(&later);
    let record = process.record(&later);
    assert_eq!((record.last_outcome, record.claim), (Some(Outcome::Missed), None));
}

/// Periods up to the beginning are not in force. An edit of the window moves starts of some of them to a later time. Those that
/// the watermark has passed are not started; before it passes them, the edit brings them into force.
#[test]
fn an_edit_starts_no_period_that_the_watermark_has_passed() {
    const EDITED: &str = "*/2 * * * * @win(after,20m) @policy(concurrency=allow)";
    let end = BEGIN + HOUR;
    for (handled, restarts) in [(true, false), (true, true), (false, false), (false, true)] {
        let mut host = Alone::new("*/2 * * * * @policy(concurrency=allow)");
        let edited_at = if handled { BEGIN + 121 } else { BEGIN + 1 };
        (BEGIN..edited_at).for_each(|second| host.run(second));
        assert_eq!(host.started, if handled { vec![BEGIN + 120] } else { Vec::new() });
        host.edit(EDITED);
        if restarts {
            host.restart();
        }
        (edited_at..=end).for_each(|second| host.run(second));

        let periods = host.job.periods(BEGIN - HOUR..end + 1);
        let expected: Vec<i64> = periods
            .filter(|period| (edited_at..=end).contains(&period.chosen_timestamp().unwrap()))
            .map(|period| period.nominal_timestamp())
            .collect();
        assert!(expected.iter().filter(|nominal| **nominal <= BEGIN).count() > 2, "{expected:?}");
        let mut started = host.started.clone();
        started.sort_unstable();
        let passed = |nominal: &i64| handled && *nominal <= BEGIN + 120;
        let expected = expected.iter().filter(|nominal| !passed(nominal)).copied();
        let first = handled.then_some(BEGIN + 120);
        assert!(
            started.iter().copied().eq(first.into_iter().chain(expected)),
            "{handled} {restarts} {started:?}"
        );
        assert_eq!(host.count(Outcome::Missed), 0, "{handled} {restarts}");
    }
}
