//! The tables of `docs/reference/syntax.md` say what the core does, the pages name every word, and lists of words are complete.

use std::fs;
use std::path::Path;

use kron_core::constraint::ClausePart;
use kron_core::draw::{Direction, DistributionName, DistributionParam, Mu};
use kron_core::job::Modifier;
use kron_core::plan::PolicyKey;
use kron_core::{Algorithm, Calendars, Concurrency, JobSpec, Parser, SeedStrategy, WindowMode};

/// Rows of two cells in backticks, below a heading and above the next one.
fn rows(text: &'static str, heading: &str) -> Vec<(String, String)> {
    let section = text.split(heading).nth(1).unwrap_or_else(|| panic!("no {heading:?}"));
    let section = section.split("\n\n").next().unwrap();
    let cell =
        |cell: &str| cell.trim().strip_prefix('`').and_then(|cell| cell.strip_suffix('`')).map(str::to_owned);
    section
        .lines()
        .filter_map(|line| {
            let (input, canonical) = line.strip_prefix("| ")?.strip_suffix(" |")?.split_once(" | ")?;
            let canonical = if canonical == "(nothing)" { Some(String::new()) } else { cell(canonical) };
            Some((cell(input)?, canonical?))
        })
        .collect()
}

#[test]
fn canonical_forms_are_those_of_the_tables() {
    let text = include_str!("../../docs/reference/syntax.md");
    let schedules = rows(text, "\nSchedules:\n");
    assert!(schedules.len() >= 15, "{} schedules", schedules.len());
    for (input, canonical) in schedules {
        assert_eq!(JobSpec::parse(&input).unwrap().to_string(), canonical, "{input}");
    }
    let modifiers = rows(text, "\nModifiers (each after `0 0 * * *`):\n");
    assert!(modifiers.len() >= 25, "{} modifiers", modifiers.len());
    for (input, canonical) in modifiers {
        let spec = JobSpec::parse(&format!("0 0 * * * {input}")).unwrap();
        assert_eq!(spec.to_string(), format!("0 0 * * * {canonical}").trim_end(), "{input}");
    }
}

#[test]
fn every_word_is_on_the_page_of_the_syntax() {
    let text = include_str!("../../docs/reference/syntax.md");
    for modifier in Modifier::ALL {
        assert!(text.contains(&format!("| [`@{modifier}`](#")), "{modifier}");
    }
    let grammar = text.split("```ebnf\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    for part in ClausePart::WORDS {
        assert!(text.contains(&format!("\n| `{part}` | ")), "the table of parts has no {part}");
        assert!(grammar.contains(&format!("\"{part}")), "the grammar has no {part}");
    }
    let all = [
        ClausePart::WORDS,
        DistributionName::WORDS,
        DistributionParam::WORDS,
        PolicyKey::WORDS,
        SeedStrategy::WORDS,
        WindowMode::WORDS,
        Mu::WORDS,
        Direction::WORDS,
        Concurrency::WORDS,
        Algorithm::WORDS,
    ];
    for word in all.into_iter().flatten() {
        assert!(text.contains(&format!("`{word}`")), "{word}");
    }
}

#[test]
fn every_word_that_decides_is_in_the_specification() {
    let text = include_str!("../../docs/reference/spec.md");
    let all = [
        ClausePart::WORDS,
        DistributionName::WORDS,
        DistributionParam::WORDS,
        SeedStrategy::WORDS,
        WindowMode::WORDS,
        Direction::WORDS,
        Concurrency::WORDS,
        Algorithm::WORDS,
    ];
    for word in all.into_iter().flatten() {
        assert!(text.contains(&format!("`{word}")), "{word}");
    }
}

/// The text of the files below a path: pages, and the comments of code. Paragraphs end with an empty line.
#[allow(clippy::disallowed_methods, reason = "the core does no I/O, but this test reads its sources")]
fn prose(path: &Path, found: &mut Vec<(String, String)>) {
    if path.is_dir() {
        fs::read_dir(path).unwrap().for_each(|entry| prose(&entry.unwrap().path(), found));
        return;
    }
    let comment = |line: &str| {
        let text = line.trim_start();
        let text = ["///", "//!", "//"].iter().find_map(|mark| text.strip_prefix(mark));
        text.unwrap_or_default().trim().to_string()
    };
    let text = match path.extension().and_then(|extension| extension.to_str()) {
        Some("md") => fs::read_to_string(path).unwrap(),
        Some("rs") => {
            let text = fs::read_to_string(path).unwrap();
            text.lines().map(comment).collect::<Vec<_>>().join("\n")
        }
        _ => return,
    };
    found.push((path.display().to_string(), text));
}

/// The lists in a paragraph: words in backticks with nothing but commas and conjunctions between them.
fn lists(paragraph: &str) -> Vec<Vec<&str>> {
    let mut lists: Vec<Vec<&str>> = Vec::new();
    let mut parts = paragraph.split('`');
    let mut before = parts.next().unwrap_or_default();
    while let (Some(word), Some(after)) = (parts.next(), parts.next()) {
        let between = before.replace([',', '\n'], " ");
        let continues =
            !between.is_empty() && between.split_whitespace().all(|it| ["or", "and", "not"].contains(&it));
        match lists.last_mut() {
            Some(list) if continues => list.push(word),
            _ => lists.push(vec![word]),
        }
        before = after;
    }
    lists
}

/// A list that has all words but one was complete before the last word was added.
#[test]
fn no_list_of_words_leaves_one_out() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut texts = Vec::new();
    for path in ["docs", "README.md", "CONTRIBUTING.md", "kron-core/src", "kron-cli/src", "kron-ffi/src"] {
        prose(&root.join(path), &mut texts);
    }
    for path in
        ["kron-py/src", "kron-operator/src", "kron-core/README.md", "kron-ffi/README.md", "kron-py/README.md"]
    {
        prose(&root.join(path), &mut texts);
    }
    let mut complete = 0;
    for (path, text) in &texts {
        for list in text.split("\n\n").flat_map(lists) {
            for words in [
                ClausePart::WORDS,
                DistributionName::WORDS,
                DistributionParam::WORDS,
                SeedStrategy::WORDS,
                Mu::WORDS,
            ] {
                let named = words.iter().filter(|word| list.contains(word)).count();
                assert_ne!(named, words.len() - 1, "{path}: {list:?} is not {words:?}");
                complete += usize::from(named == words.len());
            }
        }
    }
    assert!(complete >= 8, "{complete} lists");
}

/// Each text of the page about days starts on the dates beside it.
#[test]
fn the_dates_of_the_page_about_days() {
    let page = include_str!("../../docs/guide/days.md");
    let calendar = page.split("```text\n").nth(1).unwrap().split("```").next().unwrap();
    let parser = Parser::new().with_calendars(Calendars::parse(calendar).unwrap());
    let mut rows = 0;
    for line in page.lines().filter(|line| line.contains(" | `") && line.contains("` | 20")) {
        let cells: Vec<&str> = line.trim_matches(['|', ' ']).split(" | ").collect();
        let [_, text, dates] = cells[..] else { panic!("{line}") };
        let job = parser.job("days/page", text.trim_matches('`')).unwrap();
        let found: Vec<String> =
            job.periods(1_772_323_200..).take(3).map(|period| period.period_id()[..10].to_string()).collect();
        assert_eq!(found.join(", "), dates, "{text}");
        rows += 1;
    }
    assert!(rows >= 40, "{rows} rows");
}
