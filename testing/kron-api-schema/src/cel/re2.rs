//! Regular expressions as Go's RE2 reads them, for the crate `regex`. The two agree but for these: in Go `\d`, `\w`, `\s`
//! and `\b` mean ASCII, `[` inside a class is a character, and classes have no operators.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use regex::Regex;

/// The expressions of rules are few and fixed; more than these can only come from expressions that build expressions.
const CACHED: usize = 512;

static CACHE: Mutex<BTreeMap<String, Arc<Regex>>> = Mutex::new(BTreeMap::new());

/// The compiled expression, from the cache where it has been used before.
///
/// # Errors
///
/// What is wrong with it, or what of RE2 is not known here.
pub(crate) fn compile(pattern: &str) -> Result<Arc<Regex>, String> {
    let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(regex) = cache.get(pattern) {
        return Ok(Arc::clone(regex));
    }
    let regex = Regex::new(&translate(pattern)?).map_err(|error| format!("error parsing regexp: {error}"))?;
    let regex = Arc::new(regex);
    if cache.len() >= CACHED {
        cache.clear();
    }
    cache.insert(pattern.to_owned(), Arc::clone(&regex));
    Ok(regex)
}

fn translate(pattern: &str) -> Result<String, String> {
    let mut out = String::with_capacity(pattern.len());
    let mut chars = pattern.chars().peekable();
    // Where a class began: there `]` and `^` are special.
    let mut class: Option<usize> = None;
    while let Some(c) = chars.next() {
        match (c, class) {
            ('\\', _) => {
                let Some(next) = chars.next() else {
                    return Err("error parsing regexp: trailing backslash".to_owned());
                };
                match (next, class.is_some()) {
                    ('d', false) => out.push_str("[0-9]"),
                    ('d', true) => out.push_str("0-9"),
                    ('w', false) => out.push_str("[0-9A-Za-z_]"),
                    ('w', true) => out.push_str("0-9A-Za-z_"),
                    ('s', false) => out.push_str(r"[\t\n\f\r ]"),
                    ('s', true) => out.push_str(r"\t\n\f\r "),
                    ('D', _) => out.push_str("[^0-9]"),
                    ('W', _) => out.push_str("[^0-9A-Za-z_]"),
                    ('S', _) => out.push_str(r"[^\t\n\f\r ]"),
                    ('b', false) => out.push_str(r"(?-u:\b)"),
                    // A place that is not a boundary may lie inside a character; `regex` refuses that for text.
                    ('B' | 'C' | 'Q' | 'E', false) => {
                        return Err(format!("error parsing regexp: \\{next} is not known to this model"));
                    }
                    ('Z', false) => {
                        return Err(r"error parsing regexp: invalid escape sequence: `\Z`".to_owned());
                    }
                    _ => out.extend([c, next]),
                }
                class = class.map(|at| at + 1);
            }
            ('[', None) => {
                out.push('[');
                if chars.next_if_eq(&'^').is_some() {
                    out.push('^');
                }
                // `]` right after the beginning is a character.
                if chars.next_if_eq(&']').is_some() {
                    out.push_str(r"\]");
                }
                class = Some(0);
            }
            (']', Some(_)) => {
                out.push(']');
                class = None;
            }
            ('[', Some(_)) if chars.peek() == Some(&':') => {
                // An ASCII class, `[:alpha:]`.
                out.push('[');
                for c in chars.by_ref() {
                    out.push(c);
                    if c == ']' {
                        break;
                    }
                }
            }
            ('[' | '&' | '~', Some(_)) => out.extend(['\\', c]),
            ('-', Some(at)) => {
                // One hyphen next to a bracket is a character in both syntaxes; two of them are an operator in one.
                out.push(c);
                while chars.next_if_eq(&'-').is_some() {
                    out.push_str(r"\-");
                }
                class = Some(at + 1);
            }
            (_, Some(at)) => {
                out.push(c);
                class = Some(at + 1);
            }
            ('(', None) if chars.peek() == Some(&'?') => {
                let rest: String = chars.clone().skip(1).take_while(|c| !")>:".contains(*c)).collect();
                if !rest.starts_with(['P', '<']) && rest.contains(['x', 'u', 'R']) {
                    return Err(format!(
                        "error parsing regexp: invalid or unsupported Perl syntax: `(?{rest}`"
                    ));
                }
                out.push('(');
            }
            (_, None) => out.push(c),
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn perl_classes_are_ascii() {
        let is = |pattern: &str, text: &str| compile(pattern).unwrap().is_match(text);
        assert!(is(r"^\d$", "5") && !is(r"^\d$", "٥"));
        assert!(is(r"^[\w.]+$", "a.b_1") && !is(r"^\w$", "é"));
        assert!(is(r"\b1", "é1"), "é is not a word character, so a word begins after it");
        assert!(is(r"^[^\s]$", "\u{a0}"));
        assert!(is(r"(?i)^k$", "\u{212a}"), "case folding is Unicode's in both");
        assert!(is("^[[:alpha:]]$", "a") && !is("^[[:alpha:]]$", "["));
    }

    #[test]
    fn classes_have_no_operators() {
        let is = |pattern: &str, text: &str| compile(pattern).unwrap().is_match(text);
        assert!(is("^[a[]+$", "[a") && is("^[]a]+$", "]a") && is("^[^]]$", "a"));
        assert!(is("^[a&&b]+$", "&ab") && is("^[+--]+$", ",-") && is("^[A-Za-z0-9_+-]*$", "a-Z"));
    }

    #[test]
    fn err_syntax() {
        for pattern in ["(", r"\", "[", r"\Qa\E", "(?x)a", "(?u)a", r"a\Z", r"\B", r"(?=a)"] {
            assert!(compile(pattern).is_err(), "{pattern}");
        }
    }
}
