//! The whole text that says what a schedule of another dialect means, with the modifiers that follow it.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::modifier::Parts;
use super::scan::Scanner;
use crate::job::lookup::Lookup;

/// Longer texts are not written again.
const BYTES: usize = 400;

/// The help of an error about a schedule of another dialect, with the modifiers of the text. A day must then meet the clauses of both.
pub(super) fn with_modifiers(text: &str, help: &str, lookup: Lookup<'_>) -> Option<String> {
    let meaning = help.split_once("write `")?.1.split_once('`')?.0;
    let strange = |c: char| c == '`' || c.is_control() && c != '\t';
    let own = modifiers(text, lookup).filter(|own| !own.is_empty())?;
    if text.len() > BYTES || text.contains(strange) {
        return None;
    }
    let name = |modifier: &str| modifier.find('(').map(|end| modifier[..end].to_string());
    let (mut words, mut joined) = (meaning.split(" @"), None);
    let mut whole = words.next()?.to_string();
    for modifier in words.map(|word| format!("@{word}")) {
        let clauses: Vec<&str> = own.iter().filter_map(|other| clause(other)).collect();
        match clause(&modifier) {
            Some(mine) if !clauses.is_empty() => {
                clauses.iter().for_each(|other| whole += &format!(" @days({mine};{other})"));
                joined = joined.or(Some(modifier));
            }
            _ if own.iter().any(|other| name(other) == name(&modifier)) => {}
            _ => whole += &format!(" {modifier}"),
        }
    }
    let others = own.iter().filter(|other| joined.is_none() || clause(other).is_none());
    others.for_each(|other| whole += &format!(" {other}"));
    match (modifiers(&whole, lookup), joined) {
        (Some(_), _) => Some(help.replacen(meaning, &whole, 1)),
        (None, Some(joined)) => {
            let other = own.iter().find(|other| clause(other).is_some())?;
            Some(format!("one clause must say what `{joined}` and `{other}` say; both have the same part"))
        }
        (None, None) => None,
    }
}

/// The help that has a modifier instead of a field of the schedule.
pub(super) fn instead_of_field(text: &str, word: &str, modifier: &str, lookup: Lookup<'_>) -> Option<String> {
    let end = [" @", "\t@"].into_iter().filter_map(|blank| text.find(blank)).min().unwrap_or(text.len());
    let fields = text[..end].split([' ', '\t']).filter(|field| !field.is_empty());
    let fields: Vec<&str> = fields.map(|field| if field == word { "*" } else { field }).collect();
    let schedule = fields.join(" ");
    crate::Cron::parse(&schedule).ok()?;
    let help = format!("write `{schedule} {modifier}`");
    Some(with_modifiers(text, &help, lookup).unwrap_or(help))
}

/// What is in the brackets of `@days`.
fn clause(modifier: &str) -> Option<&str> {
    modifier.strip_prefix("@days(")?.strip_suffix(')')
}

/// The modifiers behind a schedule, up to the first word that is none, if they read.
fn modifiers<'t>(text: &'t str, lookup: Lookup<'_>) -> Option<Vec<&'t str>> {
    let text = text.trim_matches([' ', '\t']);
    let at = [" @", "\t@"].into_iter().filter_map(|blank| text.find(blank)).min()? + 1;
    let (mut scanner, mut parts, mut found) = (Scanner { text, at }, Parts::new(lookup), Vec::new());
    while scanner.peek() == Some('@') {
        let start = scanner.at;
        parts.read(&mut scanner).ok()?;
        found.push(&text[start..scanner.at]);
        scanner.skip_blanks();
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use crate::JobSpec;

    /// The text to paste has everything that the text with the error has.
    #[test]
    fn help_keeps_the_modifiers() {
        for (text, want) in [
            ("0 0 L * * @tz(Europe/Berlin)", "0 0 * * * @days(last=1) @tz(Europe/Berlin)"),
            ("0 0 L * * @days(months=1-6)", "0 0 * * * @days(last=1;months=1-6)"),
            (
                "0 0 L,15 * * @days(dow=MON)\t@tz(Asia/Tokyo) @days(dow=FRI) @nodays(months=8)",
                "0 0 * * * @days(dom=15;dow=MON) @days(dom=15;dow=FRI) @days(last=1;dow=MON) @days(last=1;dow=FRI) \
                 @tz(Asia/Tokyo) @nodays(months=8)",
            ),
            (" 0 0 L * * @nodays(months=8) ", "0 0 * * * @days(last=1) @nodays(months=8)"),
            ("@every 48h @win(after,1h)", "0 0 * * * @days(every=2d;from=2026-01-01) @win(after,1h)"),
            ("@every 2w @days(dow=TUE)", "0 0 * * * @days(every=2w;from=2026-01-05;dow=TUE)"),
            ("@every 15m @tz(UTC)", "*/15 * * * * @tz(UTC)"),
            ("0 0 9 * * MON-FRI @win(after,1h)", "0 9 * * MON-FRI @win(after,1h)"),
            ("0 12 ? * 2 * @tz(UTC)", "0 12 * * MON @tz(UTC)"),
            ("H 3 * * * @seed(fixed,salt=7)", "0 3 * * * @win(after,59m59s) @seed(fixed,salt=7)"),
            ("H 3 * * * @win(after,10m)", "0 3 * * * @seed(fixed) @win(after,10m)"),
        ] {
            let help = JobSpec::parse(text).unwrap_err().help().unwrap();
            assert_eq!(help.split('`').nth(1), Some(want), "{text}: {help}");
            JobSpec::parse(want).unwrap();
        }
        for (text, want) in [
            ("0 0 LAST * *", "0 0 * * * @days(last=1)"),
            ("0 0 last * * @tz(UTC)", "0 0 * * * @days(last=1) @tz(UTC)"),
            ("0 0 * * FRI#L", "0 0 * * * @days(dow=FRI;last=1-7)"),
        ] {
            assert_eq!(JobSpec::parse(text).unwrap_err().help(), Some(format!("write `{want}`")), "{text}");
        }
        // Another program has the last day of the week here, Saturday.
        assert_eq!(JobSpec::parse("0 9 * * L").unwrap_err().help(), None);
        let help = |text: &str| JobSpec::parse(text).unwrap_err().help().unwrap();
        assert_eq!(
            help("0 0 * * 5L @days(dow=MON)"),
            "one clause must say what `@days(dow=FRI;last=1-7)` and `@days(dow=MON)` say; both have the same part"
        );
        // Modifiers that do not read are left to the next error.
        assert_eq!(help("0 0 L * * @days(last=0)"), "write `0 0 * * * @days(last=1)`");
        assert_eq!(help("0 0 L * * @seed(fixed,salt=\"`\")"), "write `0 0 * * * @days(last=1)`");
    }
}
