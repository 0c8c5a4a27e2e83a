//! Makes one hot call so many times, for `scripts/check_instructions.py`, which counts instructions under callgrind.
//!
//! Without arguments it lists the calls, and how many of each are to be counted.

use std::hint::black_box;

use kron_benches::decision::{self, Rule};
use kron_benches::{FROM, fleet, instants};
use kron_core::{Cron, Duration, Job, Parser, Schedule, Zone};
use kron_fleet::Fleet;
use kron_fleet::forecast::ForecastRange;
use kron_fleet::spread::{SpreadOptions, spread};
use kron_formats::{LoadOptions, load};

/// A call by its name, made so many times.
type Call = (&'static str, fn(usize));

/// Calls that take so long that one is enough.
const LONG: [&str; 1] = ["spread/10000-jobs"];

const CALLS: [Call; 12] = [
    ("parse", |count| {
        (0..count).for_each(|_| _ = black_box(Cron::parse(black_box("15 9 * * MON-FRI"))));
    }),
    ("next/utc", |count| next("15 9 * * MON-FRI", "UTC", count)),
    ("next/zone", |count| next("30 2 1,15 * 5", "America/New_York", count)),
    ("iterate/zone", |count| {
        let mut series = schedule("*/5 * * * *", "Europe/Paris").series(FROM);
        (0..count).for_each(|_| _ = black_box(series.next_timestamp()));
    }),
    ("decide/uniform", |count| decide("uniform", 3, Rule::None, count)),
    ("decide/skew", |count| decide("skewEarly,shape=2.5", 3, Rule::None, count)),
    ("decide/normal", |count| decide("normal", 3, Rule::None, count)),
    ("decide/first-draw", |count| decide("uniform", 3, Rule::FirstDraw, count)),
    ("decide/closed-up", |count| decide("exponential", 168, Rule::ClosedUp, count)),
    ("fleet/starts", |count| {
        let fleet = Fleet::new(fleet::parse(&fleet::lines(100))).expect("distinct names");
        fleet.starts(fleet::NOW..).take(count).for_each(|start| _ = black_box(start));
    }),
    ("manifest", |count| {
        // One text, as `kubectl get` prints all of a cluster.
        let manifests: String = fleet::lines(count).iter().map(manifest).collect();
        let loaded = load(&Parser::new(), black_box(&manifests), &LoadOptions::default())
            .map(|loaded| loaded.jobs.len());
        assert_eq!(loaded.unwrap_or_default(), count);
    }),
    ("spread/10000-jobs", |count| {
        let (jobs, minute) = (fleet::parse(&fleet::lines(10_000)), Duration::from_secs(60));
        let jobs: Vec<&Job> = jobs.iter().collect();
        let night = ForecastRange::new(fleet::NOW..fleet::NOW + 4 * 3_600, minute).expect("a range");
        // Above the lowest peak, so that the search ends soon.
        let options = SpreadOptions { peak: Some(40), ..SpreadOptions::default() };
        (0..count).for_each(|_| _ = black_box(spread(&jobs, &night, &options)));
    }),
];

/// A KronJob as people write it.
fn manifest((name, text): &(String, String)) -> String {
    let (namespace, name) = name.split_once('/').expect("a namespace");
    let cron = text.split(" @").next().expect("an expression");
    format!(
        "---\napiVersion: kron.io/v1alpha1\nkind: KronJob\nmetadata:\n  name: {name}\n  namespace: {namespace}\n\
         spec:\n  schedule: \"{cron}\"\n  timezone: Europe/Paris\n  window: {{mode: after, duration: 45m}}\n  \
         jobTemplate:\n    spec:\n      template:\n        spec:\n          restartPolicy: Never\n          \
         containers:\n          - name: main\n            image: registry.example/{name}:1\n"
    )
}

fn schedule(expression: &str, zone: &str) -> Schedule {
    Cron::parse(expression).expect("a good expression").in_zone(Zone::parse(zone).expect("a zone"))
}

fn next(expression: &str, zone: &str, count: usize) {
    let (schedule, instants) = (schedule(expression, zone), instants(512));
    instants.iter().cycle().take(count).for_each(|at| _ = black_box(schedule.next_timestamp(black_box(*at))));
}

fn decide(distribution: &str, hours: u32, rule: Rule, count: usize) {
    let (job, nominals): (Job, Vec<i64>) = decision::job(distribution, hours, rule);
    nominals.iter().cycle().take(count).for_each(|nominal| _ = black_box(job.decide(black_box(*nominal))));
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [] => CALLS
            .iter()
            .for_each(|(name, _)| println!("{name} {}", if LONG.contains(name) { 1 } else { 1000 })),
        [name, count] => {
            let count = count.parse().expect("the second argument is a number of calls");
            let (_, call) = CALLS.iter().find(|(call, _)| call == name).expect("a name from the list");
            call(count);
        }
        _ => panic!("usage: instructions [CALL COUNT]"),
    }
}
