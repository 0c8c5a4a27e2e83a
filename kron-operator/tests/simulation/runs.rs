//! Runs seeds, on as many threads as there are cores, and says which of them failed.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::thread;

use kron_operator::random::Random;

use crate::e2e::cluster::on_model_with;
use crate::world::World;

/// What is left to do, and what came of the rest.
struct Runs {
    seeds: Vec<u64>,
    /// How many of the seeds are still to be run twice.
    repeated: usize,
    failed: BTreeSet<u64>,
    results: Option<fs::File>,
}

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable}={text} is not a number")))
}

/// Seeds that failed once, beyond those that every change runs, and what they showed: one for each fault. They show the same as
/// long as seeds decide the same worlds.
const FAILED_BEFORE: [(u64, &str); 18] = [
    (2341, "with `replace`, a Job was created again after its label had been changed"),
    (4623, "a create was repeated although an earlier dry run had shown a short TTL"),
    (4709, "a check did not know that a look-up can overtake a slow create"),
    (4711, "a check did not know that a Job can be gone before a clock that is behind shows its second"),
    (8465, "a check did not know that an edit can move a start that has been given up"),
    (15439, "with `replace`, a start waited while the other leader looked for it"),
    (24151, "a check did not know that a create can be on its way for longer than `replace` waits"),
    (24687, "a check did not know that one of two leaders can make a Job that the other one has looked for"),
    (26667, "a check did not know that a webhook can shorten the TTL of a run-now Job unseen"),
    (27847, "a check did not count the Events of two leaders that undo each other's updates"),
    (36907, "a check did not know that a forged Job counts for the history limit"),
    (49487, "with two leaders, a period was missed before its Job was made"),
    (52910, "an Event said that an executed period was missed, after a watch had shown an old list"),
    (56181, "a check did not know that clocks that are set back hide a Job that ends soon"),
    (59435, "a check did not know that a Job can be gone that the history had kept instead of another one"),
    (64927, "with two leaders, a create was on its way for so long that its token had another Job"),
    (
        74560,
        "a check did not know that a process with a wrong clock expects a Job for its TTL after it ended",
    ),
    (97320, "a check did not know that a process whose clock is behind does not look for a Job"),
];

/// Whether one seed is run, whose world says what happens in it.
pub fn only_one() -> bool {
    number("KRON_SIM_SEED").is_some()
}

pub fn run() {
    if let Some(seed) = number("KRON_SIM_SEED") {
        println!("{}", simulate(seed, true));
        return;
    }
    let (first, count) = (number("KRON_SIM_FIRST").unwrap_or(0), number("KRON_SIM_SEEDS").unwrap_or(60));
    let results = std::env::var_os("KRON_SIM_RESULTS");
    let passed: BTreeSet<u64> = results
        .as_ref()
        .and_then(|path| fs::read_to_string(path).ok())
        // A line that was being written when a run ended may lack its end.
        .map(|text| {
            text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n')?.parse().ok()).collect()
        })
        .unwrap_or_default();
    let results = results.map(|path| {
        let file = OpenOptions::new().create(true).append(true).open(&path);
        file.unwrap_or_else(|error| panic!("KRON_SIM_RESULTS={}: {error}", path.display()))
    });
    let repeated = number("KRON_SIM_REPEATED").unwrap_or(10) as usize;
    // The last is taken first.
    let seeds: Vec<u64> = (first..first + count).filter(|seed| !passed.contains(seed)).rev().collect();
    let total = seeds.len();
    let runs = Mutex::new(Runs { seeds, repeated, failed: BTreeSet::new(), results });
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| while run_one(&runs) {});
        }
    });
    let runs = runs.into_inner().unwrap();
    println!("{total} seeds, {} of them failed", runs.failed.len());
    assert!(
        runs.failed.is_empty(),
        "seeds failed: {:?}; KRON_SIM_SEED=N cargo test -p kron-operator --test simulation repeats one",
        runs.failed
    );
}

/// Runs the seeds that failed before.
pub fn run_failed_before() {
    // Who runs one seed wants no other one.
    if only_one() {
        return;
    }
    for (seed, showed) in FAILED_BEFORE {
        println!("seed {seed}: {showed}");
        simulate(seed, false);
    }
}

/// Runs one seed, if one is left.
fn run_one(runs: &Mutex<Runs>) -> bool {
    let (seed, twice) = {
        let mut runs = runs.lock().unwrap();
        let Some(seed) = runs.seeds.pop() else { return false };
        let twice = runs.repeated > 0;
        runs.repeated = runs.repeated.saturating_sub(1);
        (seed, twice)
    };
    let passed = catch_unwind(AssertUnwindSafe(|| {
        let first = simulate(seed, twice);
        if twice {
            same(seed, &first, &simulate(seed, true));
        }
    }));
    let mut runs = runs.lock().unwrap();
    match passed {
        Ok(()) => {
            if let Some(results) = &mut runs.results {
                writeln!(results, "{seed}").unwrap();
            }
        }
        Err(_) => {
            runs.failed.insert(seed);
        }
    }
    true
}

/// Simulates one world and returns all that happened in it, if that is wanted.
fn simulate(seed: u64, wanted: bool) -> String {
    let mut transcript = String::new();
    on_model_with(Random::seeded(seed), async |cluster, server| {
        let mut world = World::new(cluster, server, seed).await;
        let (chaos, calm) = if world.is_long() { (90, 20) } else { (20, 6) };
        world.chaos(chaos * 60).await;
        world.calm(calm * 60).await;
        world.check().await;
        if wanted {
            transcript = world.transcript();
        }
    });
    transcript
}

fn same(seed: u64, first: &str, second: &str) {
    let differs = first.lines().zip(second.lines()).position(|(first, second)| first != second);
    if let Some(line) = differs {
        let around =
            |text: &str| text.lines().skip(line.saturating_sub(5)).take(10).collect::<Vec<_>>().join("\n");
        panic!("seed {seed} does not repeat; first:\n{}\nsecond:\n{}", around(first), around(second));
    }
    assert_eq!(first.len(), second.len(), "seed {seed} does not repeat: one run is longer");
}
