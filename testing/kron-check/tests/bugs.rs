//! Errors that are put in on purpose are found, as docs/explain/proof.md lists them.

mod proof;

use std::collections::BTreeSet;

use clap::Parser as _;
use kron_check::args::Args;
use kron_check::explore::Found;

/// The first violation of the searches of a row. Without one they must have come to their ends.
fn violation(arguments: &str) -> Option<String> {
    let searches = Args::parse_from(proof::words(arguments)).searches();
    let found: Vec<Found> = searches.iter().map(|(_, search)| search.run()).collect();
    assert!(!found.is_empty() && found.iter().all(|found| found.complete || found.violation.is_some()));
    found.into_iter().find_map(|found| found.violation).map(|violation| violation.what)
}

#[test]
fn every_planted_bug_is_found() {
    let rows = proof::table("Planted bugs");
    let mut names: Vec<&str> = rows.iter().map(|row| row[0].trim_matches('`')).collect();
    let mut planted = kron_check::PLANTED_BUGS;
    names.sort_unstable();
    planted.sort_unstable();
    assert_eq!(names, planted);
    // These are made without errors by another test or by command, and others once for all rows that name them.
    let made = ["Bounds of every change", "Larger bounds"].into_iter().flat_map(proof::table);
    let mut good: BTreeSet<String> = made.map(|row| row[0].clone()).collect();
    for row in &rows {
        let [bug, _, arguments, expected] = &row[..] else { panic!("{row:?}") };
        let bug = bug.trim_matches('`');
        kron_core::planted_bugs::plant(None);
        if good.insert(arguments.clone()) {
            assert_eq!(violation(arguments), None, "{bug}: without it");
        }
        kron_core::planted_bugs::plant(Some(bug));
        let found = violation(arguments).unwrap_or_else(|| panic!("{bug}: not found"));
        // Periods and Jobs have other names in other bounds.
        let pattern: Vec<&str> = expected.split("...").map(str::trim).collect();
        assert!(pattern.iter().all(|part| found.contains(part)), "{bug}: {found}");
    }
    kron_core::planted_bugs::plant(None);
}
