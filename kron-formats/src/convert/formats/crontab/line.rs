//! The lines of a crontab: words, settings, and the command with its input.

use kron_core::Finding;

use crate::error::convert::crontab as messages;

/// What follows the times of a line.
#[derive(Debug)]
pub(super) struct Parts<'t> {
    pub(super) user: Option<&'t str>,
    /// The group and login class behind a user, as FreeBSD reads them.
    pub(super) class: Option<&'t str>,
    pub(super) flags: Vec<&'t str>,
    pub(super) command: String,
    pub(super) input: Option<String>,
}

/// Takes what follows the times apart; `users` if it begins with a user.
pub(super) fn parts(rest: &str, users: bool) -> Result<Parts<'_>, Finding> {
    let (mut rest, mut user, mut class) = (rest, None, None);
    if users {
        let (name, after) = word(rest);
        if name.is_empty() || after.is_empty() {
            return Err(messages::no_user_or_command());
        }
        let end = name.find([':', '/']).unwrap_or(name.len());
        user = Some(&name[..end]);
        class = name.get(end + 1..);
        rest = after;
    }
    let mut flags = Vec::new();
    while let Some(flag) = ["-n ", "-q ", "-s "].into_iter().find(|flag| rest.starts_with(flag)) {
        flags.push(flag.trim_end());
        rest = rest[flag.len()..].trim_start();
    }
    let (command, input) = split_input(rest);
    if command.trim().is_empty() {
        return Err(messages::no_command());
    }
    Ok(Parts { user, class, flags, command, input })
}

/// A short hash of a line, the same for any blanks in it: FNV-1a.
pub(super) fn hash(line: &str) -> String {
    let words = line.split_whitespace().collect::<Vec<_>>().join(" ");
    let hash = words.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{:08x}", (hash >> 32) ^ (hash & 0xffff_ffff))
}

/// The first word of a text, and what follows.
pub(super) fn word(text: &str) -> (&str, &str) {
    let end = text.find([' ', '\t']).unwrap_or(text.len());
    (&text[..end], text[end..].trim_start_matches([' ', '\t']))
}

/// A setting of the environment: `NAME = value`, either of them in quotes.
pub(super) fn setting(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once('=')?;
    let name = unquoted(name.trim());
    let fits = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    fits.then(|| (name, unquoted(value.trim())))
}

/// The name of a line that is a setting of the environment but for its name.
pub(super) fn odd_setting(line: &str) -> Option<&str> {
    let (name, _) = line.split_once('=')?;
    let name = unquoted(name.trim());
    (name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && !name.contains([' ', '\t']))
        .then_some(name)
}

/// Whether a line is a setting of the environment.
pub(crate) fn is_setting(line: &str) -> bool {
    setting(line).is_some()
}

pub(super) fn unquoted(text: &str) -> &str {
    let inner = |quote| text.strip_prefix(quote).and_then(|rest: &str| rest.strip_suffix(quote));
    inner('"').or_else(|| inner('\'')).unwrap_or(text)
}

/// The command of a line and its standard input, which follows the first `%` without a backslash.
pub(super) fn split_input(text: &str) -> (String, Option<String>) {
    let mut command = String::new();
    let mut chars = text.chars();
    let mut escaped = false;
    let mut found = false;
    for c in chars.by_ref() {
        if escaped && c == '%' {
            command.pop();
        } else if c == '%' {
            found = true;
            break;
        }
        escaped = !escaped && c == '\\';
        command.push(c);
    }
    if !found {
        return (command, None);
    }
    let (mut input, mut escaped) = (String::new(), false);
    for c in chars {
        let c = match (escaped, c) {
            (true, '%') => '%',
            (true, c) => {
                input.push('\\');
                c
            }
            (false, '%') => '\n',
            (false, c) => c,
        };
        escaped = c == '\\';
        if !escaped {
            input.push(c);
        }
    }
    if escaped {
        input.push('\\');
    }
    (command, Some(input))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names have these hashes in them.
    #[test]
    fn hashes_stay() {
        assert_eq!(hash("0 3 * * * x"), hash(" 0 3\t* * *  x "));
        assert_ne!(hash("0 3 * * * x"), hash("0 4 * * * x"));
        assert_eq!(hash("0 3 * * * x"), "74d5b8df");
    }

    #[test]
    fn ok_input() {
        let p = |text: &str| {
            let (command, input) = split_input(text);
            (command, input.unwrap_or("none".into()))
        };
        let pair = |command: &str, input: &str| (command.to_string(), input.to_string());
        assert_eq!(p("date +\\%F"), pair("date +%F", "none"));
        assert_eq!(p("cat%one%two\\%"), pair("cat", "one\ntwo%"));
        assert_eq!(p("a \\\\%b"), pair("a \\\\", "b"));
        assert_eq!(p("a%"), pair("a", ""));
        assert_eq!(p("a%x\\y\\"), pair("a", "x\\y\\"));
    }

    #[test]
    fn ok_settings() {
        assert_eq!(setting("A = 'b c' "), Some(("A", "b c")));
        assert_eq!(setting("\"A\"=x=y"), Some(("A", "x=y")));
        assert_eq!(setting("* * * * * A=b c"), None);
        assert_eq!(setting("@daily A=b"), None);
    }
}
