//! The command of a service, as fields of a job.

use kron_core::Finding;

use super::span;
use super::unit::Unit;
use crate::convert::conversion::Conversion;
use crate::convert::job_line::{RESERVED, Variables, shell_word};
use crate::error::convert::job_line::reserved_variable;
use crate::error::convert::systemd as messages;

/// Keys of a service that do not change what it runs.
const HARMLESS: [&str; 6] =
    ["Type", "RemainAfterExit", "SyslogIdentifier", "StandardOutput", "StandardError", "TimeoutStopSec"];
/// Limits of a service, and whether they limit its command if it has `Type=oneshot`, or else if it has another type: a service
/// of one command is started until that has ended, and any other one runs once it was started.
const LIMITS: [(&str, bool); 3] = [("TimeoutStartSec", true), ("TimeoutSec", true), ("RuntimeMaxSec", false)];

type Fields = Vec<(String, String)>;

/// The fields of the job that starts a unit. Without the service, its command asks systemd to start the unit. An error has its
/// source and its line.
pub(super) fn of(
    target: &str,
    service: Option<(usize, &Unit<'_>)>,
    conversion: &mut Conversion<'_>,
) -> Result<Fields, (Finding, (usize, usize))> {
    let ask = || vec![("command".to_string(), format!("systemctl start --wait {}", shell_word(target)))];
    let Some((source, unit)) = service else { return Ok(ask()) };
    let mut commands = Vec::new();
    for (value, line) in unit.list("Service", "ExecStart") {
        commands.push(command(value).map_err(|finding| (finding, (source, line)))?);
    }
    if commands.is_empty() {
        return Ok(ask());
    }
    let mut fields = vec![("command".to_string(), commands.join(" && "))];
    let mut variables = Variables::default();
    let oneshot = unit.last("Service", "Type").is_some_and(|(kind, _)| kind == "oneshot");
    for (key, value, line) in unit.entries("Service") {
        match key {
            "ExecStart" => {}
            "WorkingDirectory" if value.starts_with('/') => {
                set(&mut fields, "cwd", value);
            }
            "User" => {
                set(&mut fields, "user", value);
                conversion.report_at((source, line), messages::user());
            }
            "Environment" => match words(value) {
                Some(words) if words.iter().all(|word| is_setting(word)) => {
                    for (name, value) in words.iter().filter_map(|word| word.split_once('=')) {
                        if name.starts_with(RESERVED) {
                            conversion.report_at((source, line), reserved_variable(name, RESERVED));
                            continue;
                        }
                        variables.set(name, value);
                    }
                }
                _ => conversion.report_at((source, line), messages::environment(value)),
            },
            key if let Some((_, of_oneshot)) = LIMITS.iter().find(|(limit, _)| *limit == key) => {
                match span::seconds(value) {
                    // Neither limits anything.
                    _ if value.eq_ignore_ascii_case("infinity") => {}
                    Some(0) => {}
                    Some(_) if *of_oneshot != oneshot => {
                        conversion.report_at((source, line), messages::limit(key, oneshot));
                    }
                    Some(seconds) => set(&mut fields, "timeout", &format!("{seconds}s")),
                    None => conversion.report_at((source, line), messages::limit_span(key)),
                }
            }
            key if HARMLESS.contains(&key) => {}
            key => conversion.report_at((source, line), messages::service_setting(key)),
        }
    }
    fields.extend(variables.in_order().map(|(name, value)| (format!("env.{name}"), value.to_string())));
    Ok(fields)
}

/// Sets a field in place of one with the same key, which is an error in a job file.
fn set(fields: &mut Fields, key: &str, value: &str) {
    fields.retain(|(known, _)| known != key);
    fields.push((key.to_string(), value.to_string()));
}

fn is_setting(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

/// A command line of systemd as one of a shell.
fn command(text: &str) -> Result<String, Finding> {
    let (text, fails) = match text.strip_prefix('-') {
        Some(rest) => (rest, true),
        None => (text, false),
    };
    if text.starts_with(['@', '+', '!', ':', '|']) {
        // OK because the prefixes are ASCII.
        return Err(messages::command_prefix(&text[..1]));
    }
    let words = words(text).ok_or_else(messages::command_syntax)?;
    if words.is_empty() {
        return Err(messages::no_command());
    }
    let words: Vec<String> = words.iter().map(|word| word_for_shell(word)).collect();
    let command = words.join(" ");
    Ok(if fails { format!("({command} || true)") } else { command })
}

/// A word in which systemd puts the values of variables: `${A}` inside of words; `$A` as a word of its own is split.
fn word_for_shell(word: &str) -> String {
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    if word.strip_prefix('$').is_some_and(is_name) {
        return word.to_string();
    }
    if !word.contains('$') {
        return shell_word(word);
    }
    let mut out = String::new();
    let mut rest = word;
    while let Some(at) = rest.find('$') {
        let (before, after) = rest.split_at(at);
        if !before.is_empty() {
            out += &shell_word(before);
        }
        let braced = after
            .strip_prefix("${")
            .and_then(|inner| inner.split_once('}'))
            .filter(|(name, _)| is_name(name));
        if let Some((name, tail)) = braced {
            out += &format!("\"${{{name}}}\"");
            rest = tail;
        } else {
            // `$$` is a dollar sign.
            out += "'$'";
            rest = after.strip_prefix("$$").unwrap_or(&after[1..]);
        }
    }
    if !rest.is_empty() {
        out += &shell_word(rest);
    }
    out
}

/// The words of a line of systemd; `None` for what needs systemd.
fn words(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (_, '\\') => return None,
            (_, '%') if chars.peek() == Some(&'%') => {
                chars.next();
                word.get_or_insert_default().push('%');
            }
            (_, '%') => return None,
            (Some(open), c) if c == open => quote = None,
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '"' | '\'') if word.is_none() => {
                quote = Some(c);
                word = Some(String::new());
            }
            (None, '"' | '\'') => return None,
            (None, ' ' | '\t') => words.extend(word.take()),
            (None, ';') if word.is_none() => return None,
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word.take());
    quote.is_none().then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ok_commands() {
        let p = |text: &str| command(text).map_err(|finding| finding.message);
        assert_eq!(p("/usr/bin/a --b 'c d' \"e\""), Ok("/usr/bin/a --b 'c d' e".into()));
        assert_eq!(p("-/bin/a x=${B}/c $D $$"), Ok("(/bin/a x=\"${B}\"/c $D '$' || true)".into()));
        assert_eq!(p("/bin/date +%%F"), Ok("/bin/date +%F".into()));
        assert!(p("/bin/a %h").is_err());
        assert!(p("+/bin/a").is_err());
        assert!(p("/bin/a ; /bin/b").is_err());
        assert!(p("").is_err());
    }
}
