//! The state of a period in each situation.

use kron_host::{Cause, Claim, Configuration};

use super::*;

/// Every hour, at the full hour.
const HOUR: i64 = 3600;

fn job(policy: &str) -> Job {
    Job::parse("web/ping", &format!("0 * * * * {policy}")).unwrap()
}

fn record(since: i64, through: Option<i64>) -> Record {
    let configuration = Configuration { since, hash: "h".into(), handled_through: through };
    Record { configuration: Some(configuration), ..Record::default() }
}

fn view<'a>(job: &'a Job, record: &'a Record, now: i64) -> AuditView<'a, 'a> {
    AuditView {
        job,
        record,
        configuration: "h",
        created: 0,
        executions: &[],
        outcomes: &[],
        kept_since: i64::MAX,
        now,
    }
}

fn states(view: &AuditView<'_, '_>, from: i64) -> Vec<(i64, PeriodState, Option<MissCause>)> {
    audit(view, from).map(|period| (period.nominal / HOUR, period.state, period.cause)).collect()
}

#[test]
fn a_handled_period_without_an_execution_is_unknown_unless_it_would_be_kept() {
    let (job, record) = (job(""), record(0, Some(3 * HOUR)));
    let mut view = view(&job, &record, 3 * HOUR);
    let unknown = |hour| (hour, PeriodState::Unknown, None);
    assert_eq!(states(&view, 1), [1, 2, 3].map(unknown));
    view.kept_since = 2 * HOUR;
    let not_executed = (3, PeriodState::NotExecuted, Some(MissCause::Unexplained));
    assert_eq!(states(&view, 1), [unknown(1), unknown(2), not_executed]);
}

/// Its host passed it when its start was before the configuration. An edit has moved the start since.
#[test]
fn a_period_that_may_not_have_been_in_force_before_an_edit_is_no_miss() {
    let job = job("@win(after,3h)");
    let record = record(2 * HOUR, Some(4 * HOUR));
    let view = AuditView { kept_since: i64::MIN, ..view(&job, &record, 9 * HOUR) };
    let found = states(&view, 2 * HOUR + 1);
    let of = |hours: std::ops::RangeInclusive<i64>| {
        found.iter().filter(move |(hour, ..)| hours.contains(hour)).map(|(_, state, _)| *state)
    };
    assert!(of(0..=2).count() > 0, "{found:?}");
    assert!(of(0..=2).all(|state| state == PeriodState::Unknown), "{found:?}");
    assert!(of(3..=4).eq([PeriodState::NotExecuted; 2]), "{found:?}");
}

#[test]
fn what_is_not_handled_is_pending_until_it_is_too_late() {
    let (job, record) = (job("@policy(deadline=5m)"), record(0, None));
    let limit = HOUR + 301 + HOLDER_SECONDS + QUEUE_SECONDS;
    assert_eq!(states(&view(&job, &record, limit), 1), [(1, PeriodState::Pending, None)]);
    let overdue = |cause| [(1, PeriodState::Overdue, Some(cause))];
    assert_eq!(states(&view(&job, &record, limit + 1), 1), overdue(MissCause::Unexplained));
    let claim = Claim { nominal: HOUR, holder: "a".into(), time: 0, retention: None };
    let claimed = Record { claim: Some(claim), ..record };
    assert_eq!(states(&view(&job, &claimed, limit + 1), 1), overdue(MissCause::ClaimLost));
}

#[test]
fn suspended_and_earlier_periods_are_no_misses() {
    let (job, record) = (job("@policy(suspend=true)"), record(2 * HOUR, Some(0)));
    let found = states(&view(&job, &record, 9 * HOUR), HOUR);
    let not_in_force = |hour| (hour, PeriodState::NotInForce, Some(MissCause::NotInForce));
    let suspended = |hour| (hour, PeriodState::Suspended, Some(MissCause::Suspended));
    let expected = [1, 2].map(not_in_force).into_iter().chain((3..=9).map(suspended));
    assert!(found.iter().copied().eq(expected), "{found:?}");
    assert!(found.iter().all(|(_, state, _)| !state.is_miss()));
}

#[test]
fn a_host_that_has_not_read_an_edit_is_not_blamed_for_its_periods() {
    let (job, record) = (job(""), record(0, None));
    let view = AuditView { configuration: "other", ..view(&job, &record, 2 * HOUR) };
    assert_eq!(states(&view, 1), [1, 2].map(|hour| (hour, PeriodState::Unknown, None)));
}

#[test]
fn the_record_outranks_a_report_and_a_report_an_execution() {
    let job = job("");
    let mut record = record(0, Some(2 * HOUR));
    let entry =
        HandledPeriod { nominal: HOUR, chosen: Some(HOUR), outcome: Outcome::Missed, execution: None };
    record.handled.push(entry);
    let outcome = |nominal, outcome, cause| KnownOutcome { nominal, outcome, cause };
    let outcomes =
        [outcome(HOUR, Outcome::Missed, Some(MissCause::Queue)), outcome(2 * HOUR, Outcome::Skipped, None)];
    let executions = [1, 2].map(|hour| KnownExecution { nominal: hour * HOUR, name: "x" });
    let view = AuditView { outcomes: &outcomes, executions: &executions, ..view(&job, &record, 2 * HOUR) };
    let found: Vec<AuditedPeriod<'_>> = audit(&view, 1).collect();
    assert_eq!((found[0].state, found[0].cause), (PeriodState::Missed, Some(MissCause::Queue)));
    assert_eq!((found[1].state, found[1].cause), (PeriodState::Skipped, Some(MissCause::Forbid)));
    assert!(found.iter().all(AuditedPeriod::is_contradictory));

    // A report that says another outcome than the record says nothing of its cause.
    let outcomes = [outcome(HOUR, Outcome::Skipped, Some(MissCause::Forbid))];
    let view = AuditView { outcomes: &outcomes, ..view };
    let found = audit(&view, 1).next().unwrap();
    assert_eq!((found.state, found.cause), (PeriodState::Missed, Some(MissCause::Unexplained)));
}

#[test]
fn executions_of_an_earlier_schedule_are_listed_apart() {
    let (job, record) = (job(""), record(5 * HOUR, None));
    let executions = [KnownExecution { nominal: HOUR + 60, name: "x" }];
    let view = AuditView { executions: &executions, ..view(&job, &record, 5 * HOUR) };
    let found = audit(&view, 5 * HOUR).collect::<Vec<_>>();
    assert_eq!(found.len(), 1, "it is before the span: {found:?}");
    let found = audit(&view, HOUR + 60).last().unwrap();
    assert_eq!((found.nominal, found.on_schedule, found.state), (HOUR + 60, false, PeriodState::Executed));
}

#[test]
fn unschedulable_periods_are_known_by_reports_only() {
    let job = Job::parse("web/ping", "0 * * * * @win(after,10m) @avoid(hours=2)").unwrap();
    let record = record(0, Some(3 * HOUR));
    let mut view = view(&job, &record, 4 * HOUR);
    view.kept_since = i64::MIN;
    let found = states(&view, HOUR);
    assert_eq!(found[1], (2, PeriodState::NotExecuted, Some(MissCause::Unschedulable)));
    let outcomes = [KnownOutcome { nominal: 2 * HOUR, outcome: Outcome::Unschedulable, cause: None }];
    view.outcomes = &outcomes;
    assert_eq!(states(&view, HOUR)[1], (2, PeriodState::Unschedulable, Some(MissCause::Unschedulable)));
}

#[test]
fn the_span_begins_where_something_is_known() {
    let (job, recorded) = (job(""), record(HOUR, Some(7 * HOUR)));
    assert_eq!(audit_since(&view(&job, &recorded, 9 * HOUR)), 7 * HOUR);
    let executions = [5, 6].map(|hour| KnownExecution { nominal: hour * HOUR, name: "x" });
    let with_executions = AuditView { executions: &executions, ..view(&job, &recorded, 9 * HOUR) };
    assert_eq!(audit_since(&with_executions), 5 * HOUR);
    let later = record(8 * HOUR, Some(8 * HOUR));
    assert_eq!(
        audit_since(&AuditView { executions: &executions, ..view(&job, &later, 9 * HOUR) }),
        8 * HOUR + 1
    );
}

#[test]
fn a_period_that_another_process_claimed_is_lost_with_its_claim() {
    let of = |claimed| MissCause::of(&Cause::CaughtUp { claimed });
    assert_eq!((of(true), of(false)), (Some(MissCause::ClaimLost), Some(MissCause::CatchUp)));
}
