//! A host that is asked to run a job at the moment at which a period is due.

use kron_core::{Job, Outcome};
use kron_host::{
    Dispatcher, Execution, ExecutionState, HostRequest, HostView, ListKind, Record, StartAnswer, Trigger,
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
    let (mut dispatcher, mut record) = (Dispatcher::new("host-1"), Record::default());
    dispatcher.listing(ListKind::Own);
    dispatcher.listed(&[]);
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
    let second = request(&mut dispatcher, &mut record, &asked(BEGIN + 60));
    assert_eq!(second, Some(HostRequest::List));
    dispatcher.listing(ListKind::Own);
    request(&mut dispatcher, &mut record, &asked(BEGIN + 60));
    let state = ExecutionState::Active;
    let found = [Execution { id: "1", name: "a", nominal: None, run_now: Some("token"), state }];
    dispatcher.listed(&found);
    assert_eq!(request(&mut dispatcher, &mut record, &asked(BEGIN + 60)), None);
    assert_eq!((record.last_nominal, record.last_outcome), (Some(BEGIN + 60), Some(Outcome::Skipped)));
}

#[test]
fn a_request_that_is_taken_back_while_it_is_under_way_is_not_forgotten() {
    let job = Job::parse("run/now", "* * * * * @policy(concurrency=forbid)").unwrap();
    let (mut dispatcher, mut record) = (Dispatcher::new("host-1"), Record::default());
    dispatcher.listing(ListKind::Own);
    dispatcher.listed(&[]);
    let before = Record::default();
    let asked = |second, run_now| HostView { run_now, ..view(&job, &before, second) };
    let run_now = Trigger::RunNow { token: "token".into() };
    let first = request(&mut dispatcher, &mut record, &asked(BEGIN + 58, Some("token")));
    assert_eq!(first, Some(HostRequest::Start(run_now.clone())));
    dispatcher.starting(&run_now, BEGIN + 58);
    for token in [None, Some("another")] {
        assert_eq!(request(&mut dispatcher, &mut record, &asked(BEGIN + 60, token)), None, "{token:?}");
    }
    let lost = StartAnswer::Failed { error: "timed out".into(), uncertain: true, retry_at: None };
    dispatcher.start_answered(&run_now, lost, BEGIN + 60, job.spec().policy());
    assert_eq!(request(&mut dispatcher, &mut record, &asked(BEGIN + 60, None)), Some(HostRequest::List));
}

/// A request of this process without an answer may arrive for ten seconds. That its execution is not there says nothing before.
#[test]
fn a_token_is_not_missed_while_its_request_may_arrive() {
    let job = Job::parse("run/now", "0 * * * * @policy(concurrency=forbid)").unwrap();
    let (mut dispatcher, mut record) = (Dispatcher::new("host-1"), Record::default());
    dispatcher.listing(ListKind::Own);
    dispatcher.listed(&[]);
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
