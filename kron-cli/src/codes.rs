//! Codes of findings that the user allows or denies: by options, and by comments in job files.

use std::ops::Range;

use kron_core::ErrorCode;
use kron_core::error::FindingCode;
use kron_fleet::lint::LintCode;
use kron_formats::LoadCode;

/// The error of a text that is not a code, with its help.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NotACode {
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

/// The codes of all warnings and notes, each with its description: those of `lint`, and those of reading a file.
pub(crate) fn all() -> impl Iterator<Item = (FindingCode, &'static str)> {
    let of_lint = LintCode::ALL.iter().map(|code| (FindingCode::from(*code), code.summary()));
    of_lint.chain(LoadCode::ALL.iter().map(|code| (FindingCode::from(*code), code.summary())))
}

/// Whether a code is that of a warning or note, which a user can allow or deny.
pub(crate) fn is_of_lint(code: FindingCode) -> bool {
    all().any(|(known, _)| known == code)
}

/// The code of a warning or note that has this name.
pub(crate) fn find(text: &str) -> Result<FindingCode, NotACode> {
    if let Some((code, _)) = all().find(|(code, _)| code.as_str() == text) {
        return Ok(code);
    }
    if ErrorCode::ALL.iter().any(|code| code.as_str() == text) {
        let message = format!("`{text}` is the code of an error; only warnings and notes have a choice");
        return Err(NotACode { message, help: None });
    }
    // At most a third of the letters is wrong, as in the help of the core.
    let distance = |code: &&str| strsim::levenshtein(code, &text.to_lowercase());
    let near = |code: &&str| text.len() <= 64 && distance(code) <= code.len() / 3;
    let nearest = all().map(|(code, _)| code.as_str()).filter(near).min_by_key(distance);
    let help = match nearest {
        Some(code) => format!("did you mean `{code}`?"),
        None => "`kron lint --help` lists the codes".to_string(),
    };
    Err(NotACode { message: format!("there is no code `{text}`"), help: Some(help) })
}

/// Reads a code of an option. The error is a sentence for the user.
pub(crate) fn parse(text: &str) -> Result<FindingCode, String> {
    find(text).map_err(|NotACode { message, help }| match help {
        Some(help) => format!("{message}; {help}"),
        None => message,
    })
}

/// The codes in a comment line `# kron: allow(code, code)`, with their bytes in the line; `None` if it is another comment.
/// The error says which bytes are wrong.
#[expect(clippy::type_complexity, reason = "a place and what is wrong with it")]
pub(crate) fn of_comment(line: &str) -> Option<Result<Vec<FindingCode>, (Range<usize>, NotACode)>> {
    let comment = line.trim_start_matches([' ', '\t']).strip_prefix('#')?;
    // `Kron:` means the same.
    let (name, directive) = comment.trim_start_matches([' ', '\t']).split_once(':')?;
    let directive = name.eq_ignore_ascii_case("kron").then(|| directive.trim())?;
    let place = |part: &str| {
        let start = part.as_ptr() as usize - line.as_ptr() as usize;
        start..start + part.len()
    };
    let Some(codes) = directive.strip_prefix("allow(").and_then(|rest| rest.strip_suffix(')')) else {
        let message = "expected `# kron: allow(code)`".to_string();
        return Some(Err((place(directive), NotACode { message, help: None })));
    };
    let codes = codes.split(',').map(|code| {
        let code = code.trim();
        find(code).map_err(|error| (place(code), error))
    });
    Some(codes.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_code_is_named() {
        assert_eq!(parse("never-fires"), Ok(LintCode::NeverFires.into()));
        let error = |text: &str| parse(text).expect_err(text);
        assert_eq!(error("never-fire"), "there is no code `never-fire`; did you mean `never-fires`?");
        assert_eq!(error("No-Deadline"), "there is no code `No-Deadline`; did you mean `no-deadline`?");
        assert_eq!(error("x"), "there is no code `x`; `kron lint --help` lists the codes");
        assert_eq!(error(""), "there is no code ``; `kron lint --help` lists the codes");
        assert_eq!(
            error("cron-syntax"),
            "`cron-syntax` is the code of an error; only warnings and notes have a choice"
        );
        assert!(error(&"never-fires".repeat(10_000)).ends_with("lists the codes"));
    }

    #[test]
    fn comments_that_allow() {
        fn codes(line: &str) -> Option<Result<Vec<FindingCode>, &str>> {
            of_comment(line).map(|codes| codes.map_err(|(place, _)| &line[place]))
        }
        for other in [
            "",
            "# jobs",
            "#",
            "#kron",
            "# about kron: allow(x)",
            "@daily # kron: allow(x)",
            "kron: allow(x)",
        ] {
            assert_eq!(codes(other), None, "{other}");
        }
        for line in ["# kron: allow(never-fires)", "# Kron: allow(never-fires)"] {
            assert_eq!(codes(line), Some(Ok(vec![LintCode::NeverFires.into()])), "{line}");
        }
        assert_eq!(
            codes("\t#kron:allow( tzdb-old ,no-deadline)  "),
            Some(Ok(vec![LintCode::TzdbOld.into(), LintCode::NoDeadline.into()]))
        );
        assert_eq!(codes("# kron: allow(never-fires, é)"), Some(Err("é")));
        assert_eq!(codes("# kron: allow()"), Some(Err("")));
        assert_eq!(codes("# kron: alow(never-fires)"), Some(Err("alow(never-fires)")));
        assert_eq!(codes("# kron: allow(never-fires"), Some(Err("allow(never-fires")));
        assert_eq!(codes("# kron:"), Some(Err("")));
    }
}
