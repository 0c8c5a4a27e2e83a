//! Properties of placing over random texts.

use std::collections::BTreeMap;

use kron_core::{Seed, SeedStrategy};
use kron_formats::place::{Mode, Options, Source, place, place_with_seeds};
use proptest::prelude::*;
use proptest::sample::select;

fn line() -> impl Strategy<Value = String> {
    let words = select(vec![
        "# kron: 0 0 * * * @win(after,2h) name=a",
        "# kron: */10 * * * * @win(around,1h) name=b/c",
        "// kron: 15 3,15 * * 1-5 @win(before,40m) @avoid(hours=2) name=\"x y\"",
        "; kron: @daily @win(after,30m) name=d",
        "# kron: 0 0 * * * @win(after,1h)",
        "# kron: keep",
        "# kron: prose",
        "cron: '0 0 * * *'",
        "schedule: \"*/10 * * * *\",",
        "- 15 3,15 * * 1-5",
        "x = `@daily`",
        "0 0 * * * root /bin/true",
        "  key: value # comment",
        "a: [\"0 0 * * *\", '@daily']",
        "é \u{2028} \u{feff}",
        "",
    ]);
    (
        words,
        select(vec!["", "  ", "\t"]),
        select(vec!["\n", "\r\n", " # kron: 0 0 * * * @win(after,3h) name=e\n", "\n\n"]),
    )
        .prop_map(|(words, before, end)| format!("{before}{words}{end}"))
}

fn text() -> impl Strategy<Value = String> {
    proptest::collection::vec(line(), 0..12).prop_map(|lines| lines.concat())
}

/// The first line is no comment in YAML, so that the second one begins a list once it is gone.
#[test]
fn a_declaration_that_could_not_be_undone_is_refused() {
    let text =
        "\t// kron: 15 3,15 * * 1-5 @win(before,40m) @avoid(hours=2) name=\"x y\"\n  - 15 3,15 * * 1-5\n";
    for mode in [Mode::Place, Mode::Undo] {
        let out = place(&[Source::new("a.yaml", text)], &Options { mode, ..Options::default() });
        assert!(out.is_refused() && out.texts[0] == text, "{out:?}");
        let said = out.findings[0].to_string();
        assert!(
            mode == Mode::Undo || said.starts_with("line 1: the declaration is no comment of YAML"),
            "{said}"
        );
    }
    // In a text of several lines it is a comment.
    let text = "a: |\n  // kron: 0 0 * * * @win(after,2h) name=a\n  const at = '0 0 * * *'\n";
    let placed = place(&[Source::new("a.yaml", text)], &Options::default());
    assert!(!placed.is_refused() && placed.schedules.len() == 1, "{placed:?}");
    let undo = Options { mode: Mode::Undo, ..Options::default() };
    let undone = place(&[Source::new("a.yaml", &placed.texts[0])], &undo);
    assert_eq!(undone.texts[0], "a: |\n  const at = '0 0 * * *'\n");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Placing twice is placing once; undoing gives the declared schedules without declarations; nothing else changes.
    #[test]
    fn places_are_stable_and_can_be_undone(text in text(), path in select(vec!["a.txt", "crontab", "a.yaml", ".github/workflows/a.yml"])) {
        let options = Options::default();
        let undo = Options { mode: Mode::Undo, ..Options::default() };
        let once = place(&[Source::new(path, &text)], &options);
        if once.is_refused() {
            prop_assert_eq!(&once.texts[0], &text);
            return Ok(());
        }
        let after = &once.texts[0];
        let again = place(&[Source::new(path, after)], &options);
        prop_assert!(!again.is_refused(), "{:?}", again.findings);
        prop_assert_eq!(&again.texts[0], after);
        prop_assert!(again.schedules.iter().all(|schedule| !schedule.changes()));
        // Lines differ only where a schedule is governed.
        let governed: Vec<usize> = once.schedules.iter().map(|schedule| schedule.line).collect();
        for (index, (old, new)) in text.split('\n').zip(after.split('\n')).enumerate() {
            prop_assert!(old == new || governed.contains(&(index + 1)), "{:?} {:?}", old, new);
        }
        let plain = place(&[Source::new(path, after)], &undo);
        prop_assert!(!plain.is_refused(), "{:?}", plain.findings);
        let from_declared = place(&[Source::new(path, &text)], &undo);
        prop_assert_eq!(&plain.texts[0], &from_declared.texts[0]);
        prop_assert_eq!(plain.schedules.len(), once.schedules.len());
        let none = place(&[Source::new(path, &plain.texts[0])], &undo);
        prop_assert!(none.schedules.is_empty(), "{:?}", none.schedules);
    }

    /// Other salts change salts and schedules alone; a text with them is placed as it is, and is undone like any other.
    #[test]
    fn salts_are_stable_and_can_be_undone(
        text in text(), path in select(vec!["a.txt", "crontab", "a.yaml"]), salts in proptest::collection::vec(1..99u8, 5),
    ) {
        let options = Options::default();
        let undo = Options { mode: Mode::Undo, ..Options::default() };
        let names = ["a", "b/c", "x y", "d", "e"].into_iter().zip(&salts);
        let seed = |(name, salt): (&str, &u8)| (name.to_string(), Seed::new(SeedStrategy::Fixed, &salt.to_string()).unwrap());
        let seeds: BTreeMap<String, Seed> = names.map(seed).collect();
        let salted = place_with_seeds(&[Source::new(path, &text)], &options, &seeds);
        if salted.is_refused() {
            return Ok(());
        }
        let after = &salted.texts[0];
        for schedule in &salted.schedules {
            let end = format!("@seed(fixed,salt={}) name=", seeds[&schedule.name].salt());
            prop_assert!(schedule.declaration.contains(&end), "{}", schedule.declaration);
            prop_assert!(after.contains(&schedule.declaration));
        }
        let again = place(&[Source::new(path, after)], &options);
        prop_assert!(!again.is_refused(), "{:?}", again.findings);
        prop_assert_eq!(&again.texts[0], after);
        let governed: Vec<usize> = salted.schedules.iter().map(|schedule| schedule.line).collect();
        for (index, (old, new)) in text.split('\n').zip(after.split('\n')).enumerate() {
            prop_assert!(old == new || governed.contains(&(index + 1)) || new.contains("salt="), "{:?} {:?}", old, new);
        }
        let plain = place(&[Source::new(path, after)], &undo);
        let from_declared = place(&[Source::new(path, &text)], &undo);
        prop_assert_eq!(&plain.texts[0], &from_declared.texts[0]);
    }

    /// No text makes it panic, and a refused text is unchanged.
    #[test]
    fn any_text(text in "(# kron: |[0-9*/, -]{1,12}|@win\\(after,1h\\)|@daily|name=a|['\"`:=\n é]){0,40}") {
        for path in ["a.txt", "crontab", "a.yaml", "a.json"] {
            for mode in [Mode::Place, Mode::Undo] {
                let out = place(&[Source::new(path, &text).by_content()], &Options { mode, ..Options::default() });
                prop_assert!(!out.is_refused() || out.texts[0] == text);
            }
        }
    }
}
