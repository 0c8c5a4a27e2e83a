//! Starts that are written into a buffer are those of the core, however a range is cut.

use kron_core::Job;
use kron_wasm::Instance;

use crate::Host;

/// 2026-03-01T00:00:00Z
const FROM: i64 = 1_772_323_200;

/// The starts of a range, with buffers of so many starts, and the number of calls.
fn starts(
    instance: &mut Instance,
    job: u32,
    from: f64,
    until: f64,
    slots: usize,
) -> (Vec<(i64, i64)>, usize) {
    let buffer = instance.allocate(16 * slots);
    let (mut found, mut place, mut calls) = (Vec::new(), Some((from, 0.0)), 0);
    while let Some((from, passed)) = place {
        let count = instance.starts(job, from, until, passed, buffer).unwrap();
        let bytes = instance.buffer(buffer).unwrap();
        let number = |at: usize| f64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as i64;
        found.extend((0..count).map(|index| (number(16 * index), number(16 * index + 8))));
        place = instance.rest().map(|(second, passed)| (second as f64, passed as f64));
        calls += 1;
    }
    instance.free(buffer);
    (found, calls)
}

#[test]
fn a_range_may_be_read_in_pieces() {
    for text in [
        "*/7 * * * * @tz(Europe/Paris) @win(around,1h)",
        // All starts of an hour at one second.
        "* * * * * @win(after,3h) @only(between=02:00-02:00) @dist(exponential,lambda=1e300)",
        "@hourly",
        "0 0 1 1 * @win(after,1h)",
    ] {
        let job = Job::parse("web/ping", text).unwrap();
        let until = FROM + 2 * 86_400;
        let want: Vec<(i64, i64)> = job
            .starts(FROM..until)
            .map(|start| start.unwrap())
            .map(|start| (start.order_timestamp(), start.nominal_timestamp()))
            .collect();
        let mut host = Host::default();
        let handle = host.job("web/ping", text);
        for slots in [1, 2, 7, 5000] {
            // A bound with a fraction is the next second.
            let (found, _) = starts(&mut host.instance, handle, FROM as f64 - 0.5, until as f64 - 0.5, slots);
            assert_eq!(found, want, "{text}");
        }
    }
}

#[test]
fn a_call_goes_through_a_limited_number_of_nominal_times() {
    let mut host = Host::default();
    // 68 million periods without a start.
    let handle = host.job("barren", "* * * * * @win(after,24h) @avoid(hours=0-23)");
    let (found, calls) = starts(&mut host.instance, handle, f64::NEG_INFINITY, f64::INFINITY, 10);
    assert_eq!(found, []);
    assert!((273..1100).contains(&calls), "{calls}");
    // A start of the last second of a piece is in it once.
    let text = "*/10 * * * * @only(date=2026-03-01)";
    let handle = host.job("rare", text);
    let (found, calls) = starts(&mut host.instance, handle, 0.0, 4.0e9, 1000);
    assert_eq!(found.len(), 144);
    assert!(calls > 1);
}

#[test]
fn bad_arguments_are_refused() {
    let mut host = Host::default();
    let handle = host.job("web/ping", "@hourly");
    let buffer = host.instance.allocate(64);
    let code = |host: &Host| host.answer().unwrap_err()["code"].clone();
    assert_eq!(host.instance.starts(handle + 1, 0.0, 1e9, 0.0, buffer), None);
    assert_eq!(code(&host), "handle");
    assert_eq!(host.instance.starts(handle, f64::NAN, 1e9, 0.0, buffer), None);
    assert_eq!(code(&host), "request");
    assert_eq!(host.instance.starts(handle, 0.0, 1e9, 0.0, buffer + 1), None);
    assert_eq!(code(&host), "request");
    // A host that calls again where the range goes on would never come to its end.
    let small = host.instance.allocate(15);
    assert_eq!(host.instance.starts(handle, 0.0, 1e9, 0.0, small), None);
    assert_eq!(
        host.answer().unwrap_err()["message"],
        "this is not a request: the buffer has no room for a start: 16 bytes"
    );
    assert!(host.instance.next(handle, f64::NAN).is_nan());
    assert_eq!(code(&host), "request");
    assert!(host.instance.next(handle, f64::INFINITY).is_nan());
    assert_eq!(code(&host), "no-period");
    assert!(host.instance.previous(handle, f64::NEG_INFINITY).is_nan());
    assert_eq!(code(&host), "no-period");
}
