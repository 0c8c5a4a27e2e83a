//! The one cron expression of a line.

use std::ops::Range;

use kron_core::Cron;

use super::comment::words;
use crate::convert::can_be_field;

/// Why a line has no expression that could be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoExpression {
    Missing,
    Several,
    /// A field of seconds or of years.
    SixFields,
}

/// The expression at the beginning of a crontab's line, before user and command.
pub(super) fn of_crontab(line: &str) -> Result<Range<usize>, NoExpression> {
    let start = line.len() - line.trim_start_matches([' ', '\t']).len();
    let first = line[start..].split([' ', '\t']).next().unwrap_or_default();
    if first.starts_with('@') {
        let range = start..start + first.len();
        // The placed schedule has five fields, behind which this word would be a sixth.
        let next = words(&line[range.end..]).next();
        return match Cron::parse(first) {
            Ok(_) if next.is_some_and(can_be_field) => Err(NoExpression::SixFields),
            Ok(_) => Ok(range),
            Err(_) => Err(NoExpression::Missing),
        };
    }
    let mut ends = words(&line[start..])
        .map(|word| (word, word.as_ptr() as usize - line.as_ptr() as usize + word.len()));
    let Some((_, end)) = ends.nth(4) else { return Err(NoExpression::Missing) };
    if ends.next().is_some_and(|(sixth, _)| can_be_field(sixth)) {
        return Err(NoExpression::SixFields);
    }
    if Cron::parse(&line[start..end]).is_ok() { Ok(start..end) } else { Err(NoExpression::Missing) }
}

/// The expression in the part of a line before its comment of ours: the whole value, or the only quoted text that is one.
pub(super) fn of_value(line: &str) -> Result<Range<usize>, NoExpression> {
    let whole = value(line);
    let mut found = Err(NoExpression::Missing);
    if let Some(range) = whole.clone() {
        match kind(&line[range.clone()]) {
            Kind::Cron => return Ok(range),
            Kind::SixFields => found = Err(NoExpression::SixFields),
            Kind::Other => {}
        }
    }
    // A line of a crontab has its schedule before the command, in which another one may be quoted.
    let is_entry = of_crontab(line).is_ok();
    for range in quoted(line) {
        match (kind(&line[range.clone()]), &found) {
            (Kind::Cron, _) if is_entry => return Err(NoExpression::Several),
            (Kind::Cron, Ok(_) | Err(NoExpression::Several)) => return Err(NoExpression::Several),
            (Kind::Cron, Err(_)) => found = Ok(range),
            (Kind::SixFields, Err(NoExpression::Missing)) => found = Err(NoExpression::SixFields),
            _ => {}
        }
    }
    found
}

enum Kind {
    Cron,
    SixFields,
    Other,
}

fn kind(text: &str) -> Kind {
    if Cron::parse(text).is_ok() {
        return Kind::Cron;
    }
    let fields = words(text).take(8).filter(|word| can_be_field(word)).count();
    if matches!(fields, 6 | 7) && words(text).count() == fields { Kind::SixFields } else { Kind::Other }
}

/// The value of a line: behind blanks, `- ` and a key, without quotes, closing punctuation and a comment.
fn value(line: &str) -> Option<Range<usize>> {
    let skip = |from: usize| line.len() - line[from..].trim_start_matches([' ', '\t']).len();
    let mut at = skip(0);
    while line[at..].starts_with("- ") || line[at..].starts_with("-\t") {
        at = skip(at + 1);
    }
    if let Some(end) = key_end(&line[at..]) {
        at = skip(at + end);
    }
    let rest = &line[at..];
    if let Some(quote) = rest.chars().next().filter(|c| QUOTES.contains(c)) {
        let end = at + 1 + rest[1..].find(quote)?;
        let after = line[end + 1..].trim_start_matches([' ', '\t', ',', ';', ')', ']', '}']);
        return (after.is_empty() || is_comment(after)).then(|| trimmed(line, at + 1..end));
    }
    let mut end = line.len();
    for (index, _) in rest.match_indices([' ', '\t']) {
        if is_comment(rest[index..].trim_start_matches([' ', '\t'])) {
            end = at + index;
            break;
        }
    }
    Some(trimmed(line, at..end)).filter(|range| !range.is_empty())
}

const QUOTES: [char; 3] = ['"', '\'', '`'];

fn is_comment(text: &str) -> bool {
    ["#", "//", "--", ";"].iter().any(|mark| text.starts_with(mark))
}

/// A range without outer blanks and the commas or semicolons at its end.
fn trimmed(line: &str, range: Range<usize>) -> Range<usize> {
    let text = &line[range.clone()];
    let start = range.start + text.len() - text.trim_start_matches([' ', '\t']).len();
    start..start.max(range.start + text.trim_end_matches([' ', '\t', ',', ';', '\r']).len())
}

/// The key of a line such as `key: value`, behind blanks and `- `, without its quotes.
pub(super) fn key(line: &str) -> Option<&str> {
    let text = line.trim_start_matches([' ', '\t', '-']);
    let end = key_end(text)?;
    Some(text[..end - 1].trim_end_matches([' ', '\t']).trim_matches(QUOTES))
}

/// The length of `key:` or `key =` at the beginning of a text.
fn key_end(text: &str) -> Option<usize> {
    let end = match text.chars().next()? {
        quote if QUOTES.contains(&quote) => 2 + text[1..].find(quote)?,
        _ => text.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '.' | '/'))?,
    };
    let rest = text[end..].trim_start_matches([' ', '\t']);
    (end > 0 && rest.starts_with([':', '='])).then(|| text.len() - rest.len() + 1)
}

/// The quoted texts of a line, without their quotes. A quote that does not close ends them.
fn quoted(line: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(start) = line[at..].find(QUOTES).map(|start| at + start) {
        let quote = &line[start..start + 1];
        let Some(end) = line[start + 1..].find(quote).map(|end| start + 1 + end) else { break };
        out.push(trimmed(line, start + 1..end));
        at = end + 1;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_quoted_texts() {
        let p = |line: &'static str| of_value(line).map(|range| &line[range]);
        for line in [
            "0 0 * * *",
            "    0 0 * * *  ",
            "- 0 0 * * *",
            "  - - '0 0 * * *'",
            "schedule: 0 0 * * *",
            "schedule:   \"0 0 * * *\"  # nightly",
            "\"schedule\": \"0 0 * * *\",",
            "schedule = '0 0 * * *';",
            "    - cron: '0 0 * * *'",
            "    - {cron: '0 0 * * *'}",
            "cron(\"0 0 * * *\", run)",
            "@Scheduled(cron = \"0 0 * * *\")",
            "x: 0 0 * * *, // comma",
            "a.b/c: 0 0 * * *\r",
            "const AT: &str = `0 0 * * *`;",
        ] {
            assert_eq!(p(line), Ok("0 0 * * *"), "{line}");
        }
        assert_eq!(p("schedule: \"@daily\""), Ok("@daily"));
        assert_eq!(p("schedule:"), Err(NoExpression::Missing));
        assert_eq!(p("run 0 0 * * *"), Err(NoExpression::Missing));
        assert_eq!(p("run('0 0 * * *', '0 1 * * *')"), Err(NoExpression::Several));
        assert_eq!(p("cron: '0 0 0 * * *'"), Err(NoExpression::SixFields));
        assert_eq!(p("0 5 * * * run --at \"0 5 * * *\""), Err(NoExpression::Several));
        assert_eq!(p("schedule: 0 0 * * * 2026"), Err(NoExpression::SixFields));
        assert_eq!(p("schedule: \"0 0 * * *\" and more"), Ok("0 0 * * *"));
        assert_eq!(p("é: 'ü'"), Err(NoExpression::Missing));
    }

    #[test]
    fn lines_of_crontabs() {
        let p = |line: &'static str| of_crontab(line).map(|range| &line[range]);
        assert_eq!(p("0 0 * * * root /usr/bin/backup"), Ok("0 0 * * *"));
        assert_eq!(p("  */5\t* *  * sun   x"), Ok("*/5\t* *  * sun"));
        assert_eq!(p("@daily root x"), Ok("@daily"));
        assert_eq!(p("@reboot x"), Err(NoExpression::Missing));
        // The user `jan` would be a sixth field behind the placed schedule.
        assert_eq!(p("@daily jan x"), Err(NoExpression::SixFields));
        assert_eq!(p("@daily"), Ok("@daily"));
        assert_eq!(p("MAILTO=root"), Err(NoExpression::Missing));
        assert_eq!(p("0 0 0 * * * x"), Err(NoExpression::SixFields));
        assert_eq!(p("0 0 * *"), Err(NoExpression::Missing));
    }
}
