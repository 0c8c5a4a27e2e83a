//! Measures everything and prints the tables of `docs/explain/benchmarks.md`. Every answer is asserted before it is timed.
//!
//! Arguments choose sections: `next changes iterate parse decide fleet costly prime memory`. `KRON_BENCH_JOBS` and `KRON_BENCH_STARTS` make
//! the fleet smaller than a million jobs and ten million starts.

use std::env;
use std::hint::black_box;
use std::process::Command;

use kron_benches::agreement::{agreeing, assert_cronp_agrees, disagreements};
use kron_benches::contender::{
    Contender, CronCrate, Croner, Cronexpr, Cronp, ExpressionParser, Kron, KronChrono, Saffron,
};
use kron_benches::decision::{self, DISTRIBUTIONS, Rule, WINDOWS};
use kron_benches::timing::{Entry, once, race};
use kron_benches::{Case, EXPRESSIONS, FROM, TIMED_ZONES, costly, fleet, instants, primed, table};
use kron_core::plan::HostState;
use kron_core::{Cron, Duration, Job, Zone};
use kron_fleet::Fleet;
use kron_formats::prime::{Prime as _, PrimedSchedule, shortest_text};

fn main() {
    let sections: [(&str, fn()); 9] = [
        ("next", next),
        ("changes", clock_changes),
        ("iterate", iterate),
        ("parse", parse),
        ("decide", decide),
        ("fleet", fleets),
        ("costly", costly_texts),
        ("prime", primed_schedules),
        ("memory", memory),
    ];
    let chosen: Vec<String> = env::args().skip(1).collect();
    for name in &chosen {
        assert!(sections.iter().any(|(known, _)| known == name), "there is no section `{name}`");
    }
    for (name, section) in sections {
        if chosen.is_empty() || chosen.iter().any(|chosen| chosen == name) {
            section();
        }
    }
}

/// The columns of tables of searches.
const SEARCHES: [&str; 9] = [
    "",
    "kron",
    "kron, `DateTime`",
    "cronexpr",
    "cron",
    "croner",
    "saffron",
    "fastest ÷ kron",
    "saffron ÷ kron",
];

/// The columns of the table of parsers.
const PARSERS: [&str; 9] =
    ["", "kron", "cronexpr", "cron", "croner", "saffron", "cronp", "fastest ÷ kron", "saffron ÷ kron"];

/// A row of such a table: nanoseconds, then how many times as long the fastest of some rivals takes, and saffron.
fn row(
    head: &[&str; 9],
    title: String,
    results: &[(&str, f64)],
    rivals: &[&str],
    (target, saffron_target): (f64, f64),
) -> Vec<String> {
    let of = |name: &str| results.iter().find(|(found, _)| *found == name).map(|(_, nanos)| *nanos);
    let kron = of("kron").expect("kron is always measured");
    let fastest = rivals.iter().filter_map(|name| of(name)).reduce(f64::min);
    let mut row = vec![title];
    row.extend(head[1..7].iter().map(|name| table::nanos(of(name))));
    row.push(table::ratio(fastest.map(|nanos| nanos / kron), |ratio| ratio >= target));
    row.push(table::ratio(of("saffron").map(|nanos| nanos / kron), |ratio| ratio >= saffron_target));
    row
}

/// The rivals that know every zone.
const IN_ZONES: [&str; 3] = ["cronexpr", "cron", "croner"];

fn next() {
    println!("### Next occurrence\n");
    let instants = instants(512);
    let rows = Case::timed().map(|case| {
        fn entry<C: Contender>(case: Case, instants: &[i64]) -> Option<Entry<'_>> {
            let contender = agreeing::<C>(case, instants)?;
            // By value: the batch owns it.
            Some(Entry::each(C::NAME, instants, move |at| contender.next(at)))
        }
        let entries = [
            entry::<Kron>(case, &instants),
            entry::<KronChrono>(case, &instants),
            entry::<Croner>(case, &instants),
            entry::<CronCrate>(case, &instants),
            entry::<Saffron>(case, &instants),
            entry::<Cronexpr>(case, &instants),
        ];
        let results = race(entries.into_iter().flatten().collect());
        row(&SEARCHES, format!("{} `{}`", case.zone, case.expression), &results, &IN_ZONES, (4.0, 2.0))
    });
    table::print(&SEARCHES, rows);
}

fn clock_changes() {
    println!("### Where answers differ: within three hours of a clock change\n");
    let shown = |found: Option<(usize, usize)>| match found {
        None => "–".into(),
        Some((0, _)) => "same".into(),
        Some((differing, asked)) => format!("{differing} of {asked}"),
    };
    let rows = Case::all().filter(|case| case.zone != "UTC").filter_map(|case| {
        let found = [
            disagreements::<Cronexpr>(case),
            disagreements::<CronCrate>(case),
            disagreements::<Croner>(case),
        ];
        let differs = found.iter().flatten().any(|(differing, _)| *differing > 0);
        let title = format!("{} `{}`", case.zone, case.expression);
        differs.then(|| core::iter::once(title).chain(found.map(shown)).collect())
    });
    table::print(&["", "cronexpr", "cron", "croner"], rows);
}

fn iterate() {
    println!("### Iterating, per occurrence\n");
    let rows = Case::timed().map(|case| {
        fn entry<C: Contender>(case: Case, want: u64) -> Option<Entry<'static>> {
            let (contender, count) = (C::new(case)?, case.occurrences());
            // One that skips or doubles an occurrence does not compete.
            (contender.iterate(FROM, count) == want)
                .then(|| Entry::whole(C::NAME, count, move || contender.iterate(FROM, count)))
        }
        let want = Kron::new(case).expect("Kron takes every case").iterate(FROM, case.occurrences());
        let entries = [
            entry::<Kron>(case, want),
            entry::<KronChrono>(case, want),
            entry::<Croner>(case, want),
            entry::<CronCrate>(case, want),
            entry::<Saffron>(case, want),
            entry::<Cronexpr>(case, want),
        ];
        let results = race(entries.into_iter().flatten().collect());
        let target = if case.zone == "UTC" { 0.0 } else { 20.0 };
        row(&SEARCHES, format!("{} `{}`", case.zone, case.expression), &results, &IN_ZONES, (target, 3.0))
    });
    table::print(&SEARCHES, rows);
}

fn parse() {
    println!("### Parsing\n");
    let rows = EXPRESSIONS.into_iter().map(|expression| {
        assert_cronp_agrees(expression);
        fn entry<C: ExpressionParser>(expression: &str) -> Option<Entry<'static>> {
            let own = C::expression(expression)?;
            Some(Entry::whole(C::NAME, 100, move || {
                (0..100).for_each(|_| drop(std::hint::black_box(C::parse(std::hint::black_box(&own)))));
            }))
        }
        let entries = [
            entry::<Kron>(expression),
            entry::<Croner>(expression),
            entry::<CronCrate>(expression),
            entry::<Saffron>(expression),
            entry::<Cronexpr>(expression),
            entry::<Cronp>(expression),
        ];
        let results = race(entries.into_iter().flatten().collect());
        row(&PARSERS, format!("`{expression}`"), &results, &PARSERS[2..7], (1.0, 1.0))
    });
    table::print(&PARSERS, rows);
}

fn decide() {
    println!("### One decision\n");
    let inputs = decision::inputs();
    let seeds: Vec<[u8; 32]> = inputs.iter().map(|input| decision::seed(input)).collect();
    let instants = instants(1024);
    let (zone, tz) = (Zone::parse(TIMED_ZONES[1]).expect("a zone"), chrono_tz::Europe::Paris);
    let in_chrono = |at| {
        let utc = chrono::DateTime::from_timestamp(at, 0).expect("in chrono's range");
        chrono::Offset::fix(utc.with_timezone(&tz).offset()).local_minus_utc()
    };
    assert!(instants.iter().all(|at| zone.offset_at(*at) == in_chrono(*at)));
    let at = instants[0];
    let floor = race(vec![
        Entry::each("seed: two keyed hashes (`siphasher`)", &inputs, |input| decision::seed(&input)),
        Entry::each("ChaCha8: seeding and first word (`rand_chacha`)", &seeds, decision::first_word),
        Entry::each("zone look-up by `chrono-tz`", &instants, in_chrono),
        Entry::each("zone look-up by kron", &instants, |at| zone.offset_at(at)),
        Entry::each("**floor**: seed, first word and zone look-up", &inputs, |input| {
            decision::floor(&input, &zone, black_box(at))
        }),
    ]);
    let rows: Vec<_> =
        floor.iter().map(|(name, nanos)| vec![name.to_string(), table::nanos(Some(*nanos))]).collect();
    table::print(&["", "ns"], rows);

    let floor = floor[4].1;
    let mut rows = Vec::new();
    for distribution in DISTRIBUTIONS {
        for rule in Rule::ALL {
            let jobs = WINDOWS.map(|(hours, name)| (decision::job(distribution, hours, rule), name));
            let entries = jobs.iter().map(|((job, nominals), name)| {
                Entry::each(name, nominals, |nominal| job.decide(nominal).expect("a nominal time"))
            });
            let results = race(entries.collect());
            let mut row = vec![format!("`{distribution}`, {}", rule.name())];
            row.extend(results.iter().map(|(window, nanos)| {
                table::ratio(Some(nanos / floor), |ratio| match (rule, *window) {
                    (Rule::None, _) => ratio <= 1.5,
                    (Rule::ClosedUp, "7 d") => ratio < 20.0,
                    _ => true,
                })
            }));
            rows.push(row);
        }
    }
    table::print(&["÷ floor", "3 h", "7 d", "366 d"], rows);
}

fn fleets() {
    println!("### Fleet\n");
    let (most, starts) =
        (fleet::setting("KRON_BENCH_JOBS", 1_000_000), fleet::setting("KRON_BENCH_STARTS", 10_000_000));
    let mut rows = Vec::new();
    for count in [1000, 10_000, 100_000, 1_000_000].into_iter().filter(|count| *count <= most) {
        let lines = fleet::lines(count);
        let (build, fleet) = median(|| once(|| Fleet::new(fleet::parse(&lines)).expect("distinct names")));
        if count == 1000 {
            assert_merged(&fleet);
        }
        let next = |job: &kron_core::Job| job.next_start(fleet::NOW).expect("a start").order_timestamp();
        let (each, _) = median(|| once(|| fleet.jobs().iter().map(next).max()));
        // Ten starts of each job.
        let starts = starts.min(10 * count);
        let (merge, _) = median(|| once(|| fleet.starts(fleet::NOW..)));
        let (stream, sorted) = median(|| {
            let stream = fleet.starts(fleet::NOW..).take(starts);
            let times = stream.map(|(_, start)| start.expect("a start").order_timestamp());
            once(|| times.is_sorted())
        });
        assert!(sorted, "starts come in time order");
        let per = |seconds: f64, calls: usize| table::nanos(Some(seconds * 1e9 / calls as f64));
        rows.push(vec![
            format!("{count} jobs"),
            per(build, count),
            per(each, count),
            format!("{each:.3}"),
            per(merge, count),
            per(stream, starts),
            starts.to_string(),
        ]);
    }
    let head = [
        "",
        "from text, ns a job",
        "next start, ns a job",
        "next of all, s",
        "merge begins, ns a job",
        "merge, ns a start",
        "starts",
    ];
    table::print(&head, rows);
}

/// Searches and plans of the costliest texts.
fn costly_texts() {
    println!("### Costly texts\n");
    let rows = costly::texts().into_iter().map(|(title, text)| {
        let (job, now) = (Job::parse("costly/text", &text).expect("a good job"), costly::NOW);
        let chosen = |start: Option<Result<kron_core::Decision<'_>, _>>| {
            start.expect("a start").expect("a start").order_timestamp()
        };
        let (next, first) = once(|| chosen(Some(job.next_start(now))));
        let (prev, last) = once(|| chosen(Some(job.prev_start(now))));
        assert!(last <= now && now < first, "the starts around an instant");
        let (series, hundredth) = once(|| chosen(job.starts(now..).nth(99)));
        assert!(first <= hundredth, "starts come in time order");
        let (explain, _) = once(|| job.explain(now).expect("a nominal time"));
        let state = HostState::new(now - 60 * 86_400);
        let (plan, _) = once(|| job.plan(&state, now));
        let seconds = [next, prev, series, explain, plan].map(|seconds| format!("{seconds:.3}"));
        core::iter::once(title.to_string()).chain(seconds).collect()
    });
    table::print(&["", "next start, s", "previous start, s", "100 starts, s", "explain, s", "plan, s"], rows);
}

fn primed_schedules() {
    println!("### Primed schedules\n");
    let prime = |(cron, lead): &(Cron, Duration)| match cron.prime(*lead) {
        Ok(primed) => primed,
        // What has no exact answer costs the refusal and the cover.
        Err(_) => cron.prime_cover(*lead).expect("a good lead"),
    };
    let mut tried: Vec<(f64, (Cron, Duration))> =
        primed::schedules(primed::TRIED).map(|schedule| (once(|| prime(&schedule)).0, schedule)).collect();
    let all = tried.iter().map(|(seconds, _)| seconds).sum::<f64>() / tried.len() as f64;
    tried.sort_by(|a, b| b.0.total_cmp(&a.0));
    // Other work on the machine may have slowed down single calls, so the slowest ones are measured again.
    let mut costly: Vec<_> = tried
        .into_iter()
        .take(200)
        .map(|(_, schedule)| (median(|| once(|| prime(&schedule))), schedule))
        .collect();
    costly.sort_by(|a, b| b.0.0.total_cmp(&a.0.0));
    let shown = |seconds: f64| format!("{:.3}", seconds * 1e3);
    let count = |found: &PrimedSchedule| found.expressions().len().to_string();
    let named = |(text, lead): (&str, &str)| {
        let schedule =
            (Cron::parse(text).expect("a good expression"), Duration::parse(lead).expect("a lead"));
        let (seconds, found) = median(|| once(|| prime(&schedule)));
        vec![format!("`{text}` by {lead}"), shown(seconds), count(&found)]
    };
    let usual = [("*/5 * * * *", "10m"), ("0 9 * * MON-FRI", "10m"), ("0/15 0 * 1 *", "10m")].map(named);
    let found = primed::COSTLIEST.map(named);
    let average = vec![format!("{} random schedules, on average", primed::TRIED), shown(all), String::new()];
    let rows = costly.iter().take(3).map(|((seconds, found), (cron, lead))| {
        vec![format!("`{}` by {lead}", shortest_text(cron)), shown(*seconds), count(found)]
    });
    table::print(&["", "ms", "expressions"], usual.into_iter().chain([average]).chain(rows).chain(found));
}

/// The middle one of three.
fn median<O>(mut call: impl FnMut() -> (f64, O)) -> (f64, O) {
    let mut runs = [call(), call(), call()];
    runs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let [_, middle, _] = runs;
    middle
}

/// The merged stream holds what the jobs hold one by one.
fn assert_merged(fleet: &Fleet) {
    let to = fleet::NOW + 86_400;
    let key = |index, start: Result<kron_core::Decision<'_>, kron_core::Error>| {
        let start = start.expect("a start");
        (start.order_timestamp(), start.nominal_timestamp(), index)
    };
    let merged: Vec<_> = fleet.starts(fleet::NOW..to).map(|(index, start)| key(index, start)).collect();
    let jobs = fleet.jobs().iter().enumerate();
    let mut sorted: Vec<_> = jobs
        .flat_map(|(index, job)| job.starts(fleet::NOW..to).map(move |start| key(index, start)))
        .collect();
    sorted.sort_unstable();
    assert_eq!(merged, sorted);
}

/// Counting allocations slows them down, so that is done by another program.
fn memory() {
    let cargo = env::var_os("CARGO").unwrap_or("cargo".into());
    let arguments =
        ["run", "--quiet", "--release", "--locked", "--package", "kron-benches", "--bin", "memory"];
    let status = Command::new(cargo).args(arguments).status().expect("cargo runs");
    assert!(status.success());
}
