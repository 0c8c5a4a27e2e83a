//! What a process decides after a long time in which none ran.

use kron_core::Outcome;
use kron_host::Dispatcher;

use super::alone::Alone;
use super::{BEGIN, HOUR};

/// After an absence, the start that is caught up can be followed by any number of periods that have ended.
#[test]
fn a_start_that_is_caught_up_for_is_made_whatever_is_over_behind_it() {
    for (text, hours) in [
        ("* * * * * @only(hours=8) @policy(deadline=24h)", 15),
        ("* * * * * @only(hours=8) @policy(deadline=24h,concurrency=allow)", 11),
        ("* * * * * @only(hours=8) @policy(deadline=400h,concurrency=allow)", 9 + 14 * 24),
        ("* * * * * @only(date=2026-03-01;hours=8) @policy(deadline=9000h)", 300 * 24),
    ] {
        let now = BEGIN + hours * HOUR;
        let day = if hours > 300 && text.contains("400h") { 14 } else { 0 };
        let last = BEGIN + day * 86_400 + 9 * HOUR - 60;
        // More periods end while the write and the claim are made.
        for pause in [0, 240] {
            let mut host = Alone::new(text);
            host.look(now);
            host.run(now + pause);
            assert_eq!(host.started, [last], "{text} {pause}");
            // The first one comes a minute after the beginning, and the window of the last one has not passed.
            let periods = ((now + pause - BEGIN) / 60 - 1) as u64;
            let named = host.count(Outcome::Unschedulable) + host.count(Outcome::Missed) + 1;
            assert_eq!(host.count(Outcome::Executed), 1, "{text} {pause}");
            // Each period is handled once, and only the newest of each kind are reported one by one.
            assert_eq!(named as u64 + host.counted(), periods, "{text} {pause}");
            assert!(named <= 1 + 3 * 100 + 4, "{text} {pause} {named}");
            // The next process finds nothing to do.
            host.restart();
            host.run(now + pause + 1);
            assert_eq!(host.started, [last], "{text} {pause}");
        }
    }
}

/// If the process ends after it wrote its claim, the next one makes the start, once.
#[test]
fn another_process_goes_on_after_an_absence() {
    let now = BEGIN + 15 * HOUR;
    let mut host = Alone::new("* * * * * @only(hours=8) @policy(deadline=24h)");
    host.look(now);
    // The claim is written, and the process ends.
    let wanted = host.dispatcher.record(&host.view(now));
    host.dispatcher.writing(&wanted);
    host.record = wanted;
    host.restart();
    host.run(now + 60);
    assert_eq!(host.started, [BEGIN + 9 * HOUR - 60]);
}

/// Deciding the periods of a long absence is left to a search, so that other jobs of the host do not wait for it.
#[test]
fn the_periods_of_a_long_absence_are_decided_by_a_search() {
    for (text, hours, searches) in [
        // One for the next start.
        ("* * * * * @only(hours=8-17) @policy(deadline=1h)", 3, 1),
        ("* * * * * @only(hours=8-17) @policy(deadline=1h)", 4, 2),
        ("* * * * * @only(hours=8-17) @policy(deadline=1h)", 20_012, 2),
        ("0 * * * * @win(after,90m) @avoid(dow=SUN)", 200, 1),
        ("0 * * * * @win(after,90m) @avoid(dow=SUN)", 210, 2),
        // Without constraints, they are counted.
        ("* * * * * @win(after,90m)", 20_000, 1),
        ("* * * * * @only(hours=8-17) @policy(deadline=1h,suspend=true)", 20_000, 1),
    ] {
        let now = BEGIN + hours * HOUR + 1;
        let mut host = Alone::new(text);
        let view = host.view(now);
        let mut dispatcher = Dispatcher::new("a");
        dispatcher.advance(&view);
        // Until the search is made, nothing was decided.
        let before = dispatcher.clone();
        dispatcher.advance(&view);
        assert_eq!(dispatcher, before, "{text} {hours}");
        assert!(searches == 1 || !dispatcher.has_due_starts(), "{text} {hours}");
        assert_eq!(host.look(now), searches, "{text} {hours}");
        // It is searched once, and a moment later at most one more search is needed.
        assert_eq!(host.look(now), 0, "{text} {hours}");
        assert!(host.look(now + 120) <= 1, "{text} {hours}");
    }
}
