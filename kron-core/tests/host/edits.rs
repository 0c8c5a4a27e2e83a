//! What an edit or a suspension of a job changes on its host.

use kron_core::{Dispatcher, HostView, Job, Record, Trigger};

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

/// Before the first record is written, no new configuration cancels a start that is due; the edited schedule does.
#[test]
fn a_start_that_an_edit_takes_off_the_schedule_is_not_made_without_a_record() {
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
        (&same, "*/60 * * * *", false, Some(&due)),
    ] {
        let mut edited = first.clone();
        if sent {
            edited.starting(&due, BEGIN + HOUR);
        }
        edited.advance(&view(job, 2, configuration));
        assert_eq!(edited.current().as_ref(), expected, "{configuration}, sent: {sent}");
    }
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
