//! The files of testing/data/adopt: what adopting finds in each, against expectations that were written from the rules alone.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use kron_core::place::WantedWindow;
use kron_core::{Duration, ErrorCode};
use kron_formats::place::{Adoption, Mode, Options, Source, adopt, place};
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    file: String,
    adopted: Vec<ExpectedSchedule>,
    left: Vec<ExpectedLeft>,
}

#[derive(Deserialize)]
struct ExpectedSchedule {
    line: usize,
    name: String,
    declaration: String,
}

#[derive(Deserialize)]
struct ExpectedLeft {
    line: usize,
    reason: String,
}

#[test]
fn files_are_adopted_as_expected_and_undone() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testing/data");
    let cases: Vec<Case> =
        serde_json::from_str(&fs::read_to_string(folder.join("adopt.json")).unwrap()).unwrap();
    let read = |case: &Case| fs::read(folder.join("adopt").join(&case.file)).unwrap();
    // Files that are not UTF-8 are passed over in a directory.
    let cases: Vec<(&Case, String)> =
        cases.iter().filter_map(|case| Some((case, String::from_utf8(read(case)).ok()?))).collect();
    assert!(cases.len() >= 100, "{}", cases.len());
    let names: Vec<String> = cases
        .iter()
        .map(|(case, _)| format!("fleet/{}", Path::new(&case.file).with_extension("").display()))
        .collect();
    let sources: Vec<Source<'_>> = cases
        .iter()
        .zip(&names)
        .map(|((case, text), name)| Source::new(&case.file, text).named(name))
        .collect();
    // 2026-11-01.
    let options = Options { from: Some(1_793_491_200), ..Options::default() };
    let half = Adoption::new(WantedWindow::Long(Duration::parse("30m").unwrap()));
    let out = adopt(&sources, &options, &half);
    let (mut found, mut expected) = (BTreeMap::new(), BTreeMap::new());
    for schedule in &out.adopted {
        let place = (cases[schedule.source].0.file.clone(), schedule.line, "adopted".to_string());
        found
            .entry(place)
            .or_insert_with(Vec::new)
            .push((schedule.name.clone(), schedule.declaration.clone()));
    }
    for schedule in &out.left {
        let place =
            (cases[schedule.source].0.file.clone(), schedule.line, schedule.reason.as_str().to_string());
        found.entry(place).or_insert_with(Vec::new).push(Default::default());
    }
    for (case, _) in &cases {
        for schedule in &case.adopted {
            let place = (case.file.clone(), schedule.line, "adopted".to_string());
            let named = (schedule.name.clone(), schedule.declaration.clone());
            expected.entry(place).or_insert_with(Vec::new).push(named);
        }
        for schedule in &case.left {
            let place = (case.file.clone(), schedule.line, schedule.reason.clone());
            expected.entry(place).or_insert_with(Vec::new).push(Default::default());
        }
    }
    let only = |ours: &BTreeMap<_, Vec<_>>, theirs: &BTreeMap<_, Vec<_>>| {
        let rows = ours.iter().filter(|(place, rows)| theirs.get(*place) != Some(*rows));
        rows.map(|row| format!("{row:?}")).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(
        found,
        expected,
        "\nfound only:\n{}\nexpected only:\n{}",
        only(&found, &expected),
        only(&expected, &found)
    );
    // Only declarations that stand in the corpus are wrong, on purpose.
    let placed = &out.placed;
    for found in placed.findings.iter().filter(|found| found.finding.severity == kron_core::Severity::Error) {
        let (case, text) = &cases[found.source];
        assert!(found.finding.code != ErrorCode::PlaceNowhere.into(), "{}: {found}", case.file);
        assert!(text.contains("kron"), "{}: {found}", case.file);
    }
    let undo = Options { mode: Mode::Undo, ..options };
    for (index, (case, text)) in cases.iter().enumerate() {
        if text.contains("kron") {
            continue;
        }
        let undone = place(&[Source::new(&case.file, &placed.texts[index])], &undo);
        assert_eq!(&undone.texts[0], text, "{}", case.file);
    }
}
