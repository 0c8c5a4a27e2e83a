//! The searches that every change runs, as docs/explain/proof.md lists them.

mod command;
mod imports;
mod proof;

#[path = "../../../kron-core/tests/import_graph.rs"]
mod import_graph;

use clap::Parser as _;
use kron_check::args::Args;
use kron_check::faults::Fault;

#[test]
fn the_page_describes_every_fault() {
    let rows = proof::table("Faults and events");
    let mut described: Vec<&str> = rows.iter().flat_map(|row| row[0].split(", ")).collect();
    described.iter_mut().for_each(|name| *name = name.trim_matches('`'));
    let mut names: Vec<&str> = Fault::ALL.iter().map(|fault| fault.name()).collect();
    described.sort_unstable();
    names.sort_unstable();
    assert_eq!(described, names);
}

/// Makes the searches that have so many states at most, as the page lists them. Returns how many there are.
fn every_state_is_good(limit: usize) -> usize {
    let mut made = 0;
    for row in proof::table("Bounds of every change") {
        let [arguments, states, ..] = &row[..] else { panic!("{row:?}") };
        let listed: usize = states.replace(',', "").parse().unwrap();
        if listed > limit {
            continue;
        }
        made += 1;
        let args = Args::parse_from(proof::words(arguments));
        let searches = args.searches();
        assert!(!searches.is_empty(), "{arguments}");
        let mut all = 0;
        for (bounds, search) in searches {
            let found = search.run();
            println!("{bounds}: {found}");
            if let Some(violation) = &found.violation {
                panic!("{bounds}: {}\n{}", violation.what, violation.trace.join("\n"));
            }
            assert!(found.complete, "{bounds}");
            all += found.states;
        }
        // A change of the operator changes the number a little. A search that has become empty is found.
        assert!(
            (listed / 2..=listed * 2).contains(&all),
            "{arguments}: {all} states, and the page says {listed}"
        );
    }
    made
}

#[test]
fn every_state_within_small_bounds_is_good() {
    assert!(every_state_is_good(12_500) >= 2);
}

#[test]
#[ignore = "takes a minute; scripts/test_all.sh runs it"]
fn every_state_within_the_bounds_is_good() {
    assert!(every_state_is_good(usize::MAX) >= 6);
}

#[test]
fn the_result_does_not_depend_on_threads() {
    let [one, three] = ["1", "3"].map(|threads| {
        let words =
            "kron-check --case deadline --periods 1 --faults 2 --fault lost,vanish --threads".split(' ');
        let found = Args::parse_from(words.chain([threads])).searches()[0].1.run();
        (found.states, found.transitions, found.depth)
    });
    assert_eq!(one, three);
}
