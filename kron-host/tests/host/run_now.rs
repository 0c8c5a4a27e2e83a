//! A host that is asked to run a job at the moment at which a period is due.

use kron_core::{Job, Outcome};
use kron_host::{
    Cause, Dispatcher, Execution, ExecutionState, HandledStart, HostRequest, HostView, ListKind, ListNeed,
    Record, RunNow, StartAnswer, Trigger,
};

use super::{BEGIN, view};

/// Lets the dispatcher write its record, and gives the request that it names.
fn request(dispatcher: &mut Dispatcher, record: &mut Record, view: &HostView<'_>) -> Option<HostRequest> {
    loop {
        let view = HostView { record, ..*view };
        dispatcher.advance(&view);
        while let Some(search) = dispatcher.search(&view) {
            dispatcher.searched(search.run(view.job));
            dispatcher.advance(&view);
        }
        let wanted = dispatcher.record(&view);
        if wanted == *record && !dispatcher.claim_is_urgent(&view, &wanted) {
            return dispatcher.next(&view, &wanted).request;
        }
        dispatcher.writing(&wanted);
        *record = wanted;
        dispatcher.written();
    }
}

/// A dispatcher with the answer to a list: nothing is active.
fn with_list() -> Dispatcher {
    let mut dispatcher = Dispatcher::new("host-1");
    dispatcher.listing(ListKind::Own);
    dispatcher.listed(&[]);
    dispatcher
}

/// A dispatcher with its record, whose request for a token is under way.
fn with_request(view: &HostView<'_>, run_now: &Trigger) -> (Dispatcher, Record) {
    let (mut dispatcher, mut record) = (Dispatcher::new("host-1"), Record::default());
    let first = request(&mut dispatcher, &mut record, view);
    assert_eq!(first, Some(HostRequest::Start(run_now.clone())));
    dispatcher.starting(run_now, view.now.div_euclid(1000));
    (dispatcher, record)
}

#[test]
fn no_start_is_made_beside_a_request_without_an_answer() {
    for (concurrency, beside) in [("forbid", false), ("replace", false), ("allow", true)] {
        let job = Job::parse("run/now", &format!("* * * * * @policy(concurrency={concurrency})")).unwrap();
        let (mut dispatcher, mut record) = (Dispatcher::new("host-1"), Record::default());
        dispatcher.listing(ListKind::Own);
        dispatcher.listed(&[]);
        let before = Record::default();
        let asked = |second, executions| HostView {
            run_now: Some("token"),
            executions,
            ..view(&job, &before, second)
        };
        let first = request(&mut dispatcher, &mut record, &asked(BEGIN + 59, &[]));
        let run_now = Trigger::RunNow { token: "token".into() };
        assert_eq!(first, Some(HostRequest::Start(run_now.clone())), "{concurrency}");
        dispatcher.starting(&run_now, BEGIN + 59);
        // A period is due, and nobody knows yet whether the execution that was asked for began.
        let second = request(&mut dispatcher, &mut record, &asked(BEGIN + 60, &[]));
        let period = Trigger::Period { nominal: BEGIN + 60, chosen: BEGIN + 60 };
        assert_eq!(second, beside.then(|| HostRequest::Start(period.clone())), "{concurrency}");
        // It did, so the policy decides what becomes of the period.
        let answer = StartAnswer::Started { execution: "a".into() };
        dispatcher.start_answered(&run_now, answer, BEGIN + 60, job.spec().policy());
        let state = ExecutionState::Active;
        let active = [Execution { id: "1", name: "a", nominal: None, run_now: Some("token"), state }];
        let third = request(&mut dispatcher, &mut record, &asked(BEGIN + 60, &active));
        let check = HostRequest::Check { id: "1".into(), name: "a".into() };
        assert_eq!(third, Some(if beside { HostRequest::Start(period) } else { check }), "{concurrency}");
    }
}

#[test]
fn what_was_asked_for_without_an_answer_is_looked_for_before_a_period_starts() {
    let job = Job::parse("run/now", "* * * * * @policy(concurrency=forbid)").unwrap();
    let (mut dispatcher, mut record) = (with_list(), Record::default());
    let before = Record::default();
    let asked = |second| HostView { run_now: Some("token"), ..view(&job, &before, second) };
    let run_now = Trigger::RunNow { token: "token".into() };
    let first = request(&mut dispatcher, &mut record, &asked(BEGIN + 58));
    assert_eq!(first, Some(HostRequest::Start(run_now.clone())));
    dispatcher.starting(&run_now, BEGIN + 58);
    // The answer is given up in the second in which the period is due, or its turn comes before it is asked for again.
    let lost = StartAnswer::Failed {
        error: "timed out".into(),
        uncertain: true,
        retry_at: Some((BEGIN + 61) * 1000),
    };
    dispatcher.start_answered(&run_now, lost, BEGIN + 60, job.spec().policy());
    for (second, expected) in [(60, None), (68, None), (69, Some(HostRequest::List))] {
        // It may arrive after a list, which therefore waits for it.
        let view = asked(BEGIN + second);
        assert_eq!(request(&mut dispatcher, &mut record, &view), expected, "{second}");
        let view = HostView { record: &record, ..view };
        let need = if expected.is_some() { ListNeed::Claimed(BEGIN + 60) } else { ListNeed::None };
        assert_eq!(dispatcher.list_need(&view), need, "{second}");
    }
    dispatcher.listing(ListKind::Own);
    request(&mut dispatcher, &mut record, &asked(BEGIN + 69));
    let state = ExecutionState::Active;
    let found = [Execution { id: "1", name: "a", nominal: None, run_now: Some("token"), state }];
    dispatcher.listed(&found);
    let seen = HostView { executions: &found, ..asked(BEGIN + 69) };
    assert_eq!(request(&mut dispatcher, &mut record, &seen), None);
    assert_eq!((record.last_nominal, record.last_outcome), (Some(BEGIN + 60), Some(Outcome::Skipped)));
}

#[test]
fn a_request_that_is_taken_back_while_it_is_under_way_is_not_forgotten() {
    let job = Job::parse("run/now", "* * * * * @policy(concurrency=forbid)").unwrap();
    let (mut dispatcher, mut record) = (with_list(), Record::default());
    let before = Record::default();
    let asked = |second, run_now| HostView { run_now, ..view(&job, &before, second) };
    let run_now = Trigger::RunNow { token: "token".into() };
    let first = request(&mut dispatcher, &mut record, &asked(BEGIN + 58, Some("token")));
    assert_eq!(first, Some(HostRequest::Start(run_now.clone())));
    dispatcher.starting(&run_now, BEGIN + 58);
    for token in [None, Some("another")] {
        assert_eq!(request(&mut dispatcher, &mut record, &asked(BEGIN + 60, token)), None, "{token:?}");
    }
    let lost = StartAnswer::Failed { error: "timed out".into(), uncertain: true, retry_at: Some(0) };
    dispatcher.start_answered(&run_now, lost, BEGIN + 60, job.spec().policy());
    for (second, expected) in [(60, None), (68, None), (69, Some(HostRequest::List))] {
        assert_eq!(request(&mut dispatcher, &mut record, &asked(BEGIN + second, None)), expected, "{second}");
    }
    // It gets its outcome, too.
    dispatcher.listing(ListKind::Own);
    dispatcher.listed(&[]);
    let period = Trigger::Period { nominal: BEGIN + 60, chosen: BEGIN + 60 };
    let start = request(&mut dispatcher, &mut record, &asked(BEGIN + 69, None));
    assert_eq!(start, Some(HostRequest::Start(period.clone())));
    dispatcher.starting(&period, BEGIN + 69);
    let answer = StartAnswer::Started { execution: "p".into() };
    dispatcher.start_answered(&period, answer, BEGIN + 69, job.spec().policy());
    let look_up = request(&mut dispatcher, &mut record, &asked(BEGIN + 69, Some("another")));
    assert_eq!(look_up, Some(HostRequest::LookUp(run_now.clone())));
    dispatcher.looked_up(&run_now, None);
    dispatcher.advance(&HostView { record: &record, ..asked(BEGIN + 69, None) });
    let handled =
        HandledStart { trigger: run_now, outcome: Outcome::Missed, execution: None, cause: Cause::TakenBack };
    assert_eq!(dispatcher.unwritten(), [handled]);
}

#[test]
fn a_request_that_is_taken_back_after_its_start_has_an_outcome() {
    let job = Job::parse("run/now", "0 * * * *").unwrap();
    let (mut dispatcher, mut record) = (with_list(), Record::default());
    let before = Record::default();
    let asked = |run_now| HostView { run_now, ..view(&job, &before, BEGIN + 58) };
    let run_now = Trigger::RunNow { token: "token".into() };
    let first = request(&mut dispatcher, &mut record, &asked(Some("token")));
    assert_eq!(first, Some(HostRequest::Start(run_now.clone())));
    dispatcher.starting(&run_now, BEGIN + 58);
    let answer = StartAnswer::Started { execution: "a".into() };
    dispatcher.start_answered(&run_now, answer, BEGIN + 58, job.spec().policy());
    request(&mut dispatcher, &mut record, &asked(None));
    let stored =
        RunNow { token: "token".into(), outcome: Some(Outcome::Executed), execution: Some("a".into()) };
    assert_eq!(record.run_now, Some(stored));
}

/// Another process had claimed the token and has ended. The execution may be there, or appear.
#[test]
fn what_another_process_has_begun_has_an_outcome_before_it_is_removed() {
    let [job, suspended] = ["", "@policy(suspend=true)"]
        .map(|policy| Job::parse("run/now", &format!("0 * * * * {policy}")).unwrap());
    let claimed = RunNow { token: "token".into(), outcome: None, execution: None };
    let record = Record { run_now: Some(claimed), ..Record::default() };
    let state = ExecutionState::Ended;
    let ended = Execution { id: "1", name: "a", nominal: None, run_now: Some("token"), state };
    // It waits for the end of the suspension, for a start that is due, or for nothing, as it was taken back.
    for (job, second, run_now) in
        [(&suspended, 30, Some("token")), (&job, 3600, Some("token")), (&job, 30, None)]
    {
        let mut dispatcher = Dispatcher::new("host-1");
        let empty = HostView { run_now, ..view(job, &record, BEGIN + second) };
        dispatcher.advance(&empty);
        assert!(dispatcher.needs(&ended), "{run_now:?} {second}");
        let seen = HostView { executions: &[ended], ..empty };
        dispatcher.advance(&seen);
        assert!(dispatcher.needs(&ended), "{run_now:?} {second}");
        let stored = dispatcher.record(&seen).run_now.unwrap();
        assert_eq!((stored.outcome, stored.execution.as_deref()), (Some(Outcome::Executed), Some("a")));
    }
    // It is not started again.
    let mut dispatcher = Dispatcher::new("host-1");
    let empty = |second| view(&job, &record, BEGIN + second);
    for (second, expected) in [(30, false), (39, false), (41, true)] {
        let view = empty(second);
        dispatcher.advance(&view);
        let looks_up = matches!(
            dispatcher.next(&view, &dispatcher.record(&view)).request,
            Some(HostRequest::LookUp(Trigger::RunNow { .. }))
        );
        assert_eq!(looks_up, expected, "{second}");
    }
}

/// A list that was asked for before the request is made again says nothing of a period that is due when it is answered.
#[test]
fn a_list_that_was_asked_for_one_start_does_not_serve_the_next_one() {
    let job = Job::parse("run/now", "* * * * * @policy(concurrency=forbid)").unwrap();
    let (mut dispatcher, mut record) = (with_list(), Record::default());
    let before = Record::default();
    let asked = |second| HostView { run_now: Some("token"), ..view(&job, &before, BEGIN + second) };
    let run_now = Trigger::RunNow { token: "token".into() };
    request(&mut dispatcher, &mut record, &asked(58));
    dispatcher.starting(&run_now, BEGIN + 58);
    let lost = StartAnswer::Failed { error: "timed out".into(), uncertain: true, retry_at: Some(0) };
    dispatcher.start_answered(&run_now, lost, BEGIN + 59, job.spec().policy());
    assert_eq!(request(&mut dispatcher, &mut record, &asked(59)), Some(HostRequest::List));
    dispatcher.listing(ListKind::Own);
    request(&mut dispatcher, &mut record, &asked(60));
    dispatcher.listed(&[]);
    assert_eq!(request(&mut dispatcher, &mut record, &asked(60)), None);
}

/// A request of this process without an answer may arrive for ten seconds. That its execution is not there says nothing before.
#[test]
fn a_token_is_not_missed_while_its_request_may_arrive() {
    let job = Job::parse("run/now", "0 * * * * @policy(concurrency=forbid)").unwrap();
    let (mut dispatcher, mut record) = (with_list(), Record::default());
    let before = Record::default();
    let asked = |second| HostView { run_now: Some("token"), ..view(&job, &before, second) };
    let run_now = Trigger::RunNow { token: "token".into() };
    let failed = |uncertain, retry_at| StartAnswer::Failed { error: "no".into(), uncertain, retry_at };
    for (second, answer) in [(BEGIN + 58, failed(true, Some(0))), (BEGIN + 60, failed(false, None))] {
        while let Some(HostRequest::List) = request(&mut dispatcher, &mut record, &asked(second)) {
            dispatcher.listing(ListKind::Own);
            dispatcher.listed(&[]);
        }
        dispatcher.starting(&run_now, second);
        dispatcher.start_answered(&run_now, answer, second, job.spec().policy());
    }
    for (second, expected) in [(BEGIN + 60, None), (BEGIN + 71, Some(HostRequest::LookUp(run_now.clone())))] {
        assert_eq!(request(&mut dispatcher, &mut record, &asked(second)), expected, "{second}");
        assert_eq!(record.run_now.as_ref().unwrap().outcome, None);
    }
    dispatcher.looked_up(&run_now, None);
    request(&mut dispatcher, &mut record, &asked(BEGIN + 71));
    assert_eq!(record.run_now.unwrap().outcome, Some(Outcome::Missed));
}

/// Another process has stored the outcome of a token while this one was starting its execution: it stays.
#[test]
fn the_outcome_of_another_process_is_not_written_over() {
    let job = Job::parse("run/now", "0 * * * * @policy(concurrency=allow)").unwrap();
    let before = Record::default();
    let asked = HostView { run_now: Some("token"), ..view(&job, &before, BEGIN + 58) };
    let run_now = Trigger::RunNow { token: "token".into() };
    let (mut dispatcher, mut record) = with_request(&asked, &run_now);
    record.run_now.as_mut().unwrap().outcome = Some(Outcome::Skipped);
    let stored = record.clone();
    for answered in [false, true] {
        if answered {
            let answer = StartAnswer::Started { execution: "a".into() };
            dispatcher.start_answered(&run_now, answer, BEGIN + 58, job.spec().policy());
        }
        assert_eq!(request(&mut dispatcher, &mut record, &asked), None);
        assert_eq!(record, stored, "{answered}");
    }
}

/// Two processes lead. The other one has claimed a newer token, whose claim must not be lost.
#[test]
fn the_outcome_of_an_older_token_does_not_replace_the_claim_of_a_newer_one() {
    let job = Job::parse("run/now", "0 * * * * @policy(concurrency=allow)").unwrap();
    let before = Record::default();
    let asked = |second, token| HostView { run_now: Some(token), ..view(&job, &before, BEGIN + second) };
    let run_now = Trigger::RunNow { token: "old".into() };
    let (mut dispatcher, mut record) = with_request(&asked(58, "old"), &run_now);
    record.run_now = Some(RunNow { token: "new".into(), outcome: None, execution: None });
    let stored = record.clone();
    let answer = StartAnswer::Started { execution: "a".into() };
    dispatcher.start_answered(&run_now, answer, BEGIN + 58, job.spec().policy());
    // The newer one is continued as one that another process has begun.
    for (second, starts) in [(58, false), (68, false), (69, true)] {
        let next = request(&mut dispatcher, &mut record, &asked(second, "new"));
        let start = HostRequest::Start(Trigger::RunNow { token: "new".into() });
        assert_eq!(next, starts.then_some(start), "{second}");
        assert_eq!(record, stored);
    }
}

/// A token that has its outcome is kept as long as a request for it may arrive. Then the next one has its turn, without anything
/// else that happens.
#[test]
fn the_next_token_has_its_turn_when_no_request_for_the_last_one_can_arrive() {
    let job = Job::parse("run/now", "0 * * * * @policy(concurrency=allow)").unwrap();
    let before = Record::default();
    let asked = |second, token| HostView { run_now: Some(token), ..view(&job, &before, BEGIN + second) };
    let run_now = Trigger::RunNow { token: "old".into() };
    let (mut dispatcher, mut record) = with_request(&asked(58, "old"), &run_now);
    let lost = StartAnswer::Failed { error: "timed out".into(), uncertain: true, retry_at: Some(0) };
    dispatcher.start_answered(&run_now, lost, BEGIN + 58, job.spec().policy());
    // Another process says what became of it.
    record.run_now = Some(RunNow { token: "old".into(), outcome: Some(Outcome::Skipped), execution: None });
    let view = HostView { record: &record, ..asked(59, "new") };
    dispatcher.advance(&view);
    let next = dispatcher.next(&view, &dispatcher.record(&view));
    assert_eq!((next.request, next.wake_up), (None, Some((BEGIN + 69) * 1000)));
    let start = request(&mut dispatcher, &mut record, &asked(69, "new"));
    assert_eq!(start, Some(HostRequest::Start(Trigger::RunNow { token: "new".into() })));
}

/// After a list that could not be read, another one serves the start that asks for it.
#[test]
fn a_list_that_fails_is_asked_for_again() {
    let job = Job::parse("run/now", "* * * * * @policy(concurrency=forbid)").unwrap();
    let (mut dispatcher, mut record) = (Dispatcher::new("host-1"), Record::default());
    let before = Record::default();
    let asked = HostView { run_now: Some("token"), ..view(&job, &before, BEGIN + 30) };
    for answered in [false, true] {
        assert_eq!(request(&mut dispatcher, &mut record, &asked), Some(HostRequest::List));
        dispatcher.listing(ListKind::Own);
        match answered {
            false => dispatcher.list_failed(ListKind::Own),
            true => assert_eq!(dispatcher.listed(&[]), None),
        }
    }
    let run_now = Trigger::RunNow { token: "token".into() };
    assert_eq!(request(&mut dispatcher, &mut record, &asked), Some(HostRequest::Start(run_now)));
}
