//! The tables of `docs/syntax.md` say what the core does, and the pages name every word.

use kron_core::{
    Algorithm, ClausePart, Concurrency, Direction, DistributionName, DistributionParam, JobSpec, Modifier,
    Mu, PolicyKey, SeedStrategy, WindowMode,
};

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
    let text = include_str!("../../docs/syntax.md");
    let schedules = rows(text, "\nSchedules:\n");
    assert!(schedules.len() >= 15, "{} schedules", schedules.len());
    for (input, canonical) in schedules {
        assert_eq!(JobSpec::parse(&input).unwrap().to_string(), canonical, "{input}");
    }
    let modifiers = rows(text, "\nModifiers (each behind `0 0 * * *`):\n");
    assert!(modifiers.len() >= 25, "{} modifiers", modifiers.len());
    for (input, canonical) in modifiers {
        let spec = JobSpec::parse(&format!("0 0 * * * {input}")).unwrap();
        assert_eq!(spec.to_string(), format!("0 0 * * * {canonical}").trim_end(), "{input}");
    }
}

#[test]
fn every_word_is_on_the_page_of_the_syntax() {
    let text = include_str!("../../docs/syntax.md");
    for modifier in Modifier::ALL {
        assert!(text.contains(&format!("| [`@{modifier}`](#")), "{modifier}");
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
    let text = include_str!("../../docs/spec.md");
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
