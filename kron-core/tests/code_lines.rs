//! Counts lines of code, for tests of the size of a crate.

use std::fs;
use std::path::{Path, PathBuf};

/// The source files of a folder and the folders in it, with their texts. Files that only tests compile are left out: `tests.rs`.
#[allow(clippy::disallowed_methods, reason = "the core does no I/O, but this test reads its sources")]
pub fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|end| end == "rs") && !path.ends_with("tests.rs") {
            found.push((path.clone(), fs::read_to_string(&path).unwrap()));
        }
    }
    found
}

/// The lines of a source that have code: no blank lines, no comments, no documentation, and nothing that has the attribute
/// `cfg(test)`.
pub fn code_lines(source: &str) -> usize {
    without_tests(&bare_code(source)).lines().filter(|line| !line.trim().is_empty()).count()
}

/// The code without comments. Strings and characters have the same lines, but `x` for what is in them.
fn bare_code(source: &str) -> String {
    let mut code = String::new();
    let mut rest = source;
    while let Some(next) = rest.chars().next() {
        let before = code.chars().next_back();
        let is_in_word = before.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let (length, is_comment) = if rest.starts_with("//") {
            (rest.find('\n').unwrap_or(rest.len()), true)
        } else if rest.starts_with("/*") {
            (block_comment(rest), true)
        } else if let Some(length) = raw_string(rest).filter(|_| !is_in_word) {
            (length, false)
        } else if next == '"' {
            (quoted(rest, '"'), false)
        } else if let Some(length) = character(rest) {
            (length, false)
        } else {
            code.push(next);
            rest = &rest[next.len_utf8()..];
            continue;
        };
        let kept = rest[..length].chars().filter_map(|c| match c {
            c if c.is_whitespace() => Some(c),
            _ if is_comment => None,
            _ => Some('x'),
        });
        code.extend(kept);
        rest = &rest[length..];
    }
    code
}

/// The length of the block comment that a text begins with. There can be comments in it.
fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        let change = match &text.as_bytes()[at..] {
            [b'/', b'*', ..] => 1,
            [b'*', b'/', ..] => -1,
            _ => 0,
        };
        depth += change;
        at += if change == 0 { 1 } else { 2 };
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

/// The length of the raw string that a text begins with, such as `r#"..."#` and `br"..."`.
fn raw_string(text: &str) -> Option<usize> {
    let start = text.trim_start_matches(['b', 'c']).strip_prefix('r')?;
    let hashes = start.len() - start.trim_start_matches('#').len();
    let inside = start[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let length = inside.find(&end).map_or(inside.len(), |at| at + end.len());
    Some(text.len() - inside.len() + length)
}

/// The length of what is in quotes at the beginning of a text, with the quotes.
fn quoted(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of the character in quotes that a text begins with. A lifetime such as `'a` is none.
fn character(text: &str) -> Option<usize> {
    let inside = text.strip_prefix('\'')?;
    let first = inside.chars().next()?;
    let is_character = first == '\\' || inside[first.len_utf8()..].starts_with('\'');
    is_character.then(|| quoted(text, '\''))
}

/// The code without the items that have the attribute `cfg(test)`, alone or in `all`.
fn without_tests(code: &str) -> String {
    let mut left = String::new();
    let mut rest = code;
    let next = |rest: &str| ["#[cfg(test)]", "#[cfg(all(test"].iter().filter_map(|it| rest.find(it)).min();
    while let Some(at) = next(rest) {
        left.push_str(&rest[..at]);
        let end = item_end(&rest[at + 1..]);
        rest = &rest[at + 1 + end..];
    }
    left + rest
}

/// Where the item ends that a text begins with, after the `#` of its first attribute: after the braces of its body, or at the
/// first `;` or `,` outside all brackets.
fn item_end(text: &str) -> usize {
    // Brackets that are open, and `<` outside them. In a body, `<` is an operator.
    let (mut open, mut angles) = (0, 0);
    let mut is_body = false;
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => {
                is_body |= c == '{' && open == 0;
                open += 1;
            }
            // The bracket that the item is in.
            ')' | ']' | '}' if open == 0 => return at,
            ')' | ']' | '}' => {
                open -= 1;
                if open == 0 && is_body {
                    return at + 1 + usize::from(text[at + 1..].starts_with(';'));
                }
            }
            '<' if open == 0 => angles += 1,
            '>' if open == 0 && before != '-' && before != '=' => angles -= 1,
            ';' if open == 0 => return at + 1,
            ',' if open == 0 && angles == 0 => return at + 1,
            _ => {}
        }
        before = c;
    }
    text.len()
}

mod tests {
    use super::*;

    #[test]
    fn comments_and_blank_lines_do_not_count() {
        assert_eq!(code_lines(""), 0);
        assert_eq!(code_lines("//! Docs.\n\n/// Docs.\nfn a() {} // Why.\n\n    \nfn b() {}"), 2);
        assert_eq!(code_lines("/* One\n/* in */\nanother */\nfn a() {}\n/**/"), 1);
        assert_eq!(code_lines("fn a(/* b */) {\n    // c\n}"), 2);
    }

    #[test]
    fn what_looks_like_a_comment_or_a_bracket_in_a_string_is_none() {
        assert_eq!(code_lines("let a = \"// \\\" }\n  /* b\";\nlet c = 1;"), 3);
        assert_eq!(code_lines("let a = r#\"\"//\n\"#;\nlet b = 1;"), 3);
        assert_eq!(code_lines("let a = br\"\\\";\n// b"), 1);
        assert_eq!(code_lines("let a = ('\"', '\\'', b'/', '\\u{7d}');\n// b\nlet c: &'a str = d;"), 2);
        assert_eq!(code_lines("let bar = for_r\"\"; // b"), 1);
    }

    #[test]
    fn what_only_tests_compile_does_not_count() {
        let of = |item: &str| code_lines(&format!("fn a() {{}}\n{item}\nfn b() {{}}"));
        assert_eq!(of("#[cfg(test)]\nmod tests {\n    fn c() { \"}\" }\n}"), 2);
        assert_eq!(of("#[cfg(test)]\nmod tests;"), 2);
        assert_eq!(
            of("#[cfg(all(test, feature = \"std\"))]\n#[allow(c)]\nfn d() -> [u8; 3] {\n    '}'\n}"),
            2
        );
        assert_eq!(of("#[cfg(test)]\npub(crate) use c::{\n    d, e,\n};"), 2);
        assert_eq!(of("#[cfg(test)]\nfn d<E, F>(e: E) -> Map<E, F> {\n    e < f\n}"), 2);
        assert_eq!(of("// #[cfg(test)]\nmod c {\n}"), 4);
        assert_eq!(of("#[cfg(not(test))]\nmod c;"), 4);
        assert_eq!(code_lines("struct A {\n    #[cfg(test)]\n    b: [u8; 2],\n    c: u8,\n}"), 3);
        assert_eq!(code_lines("enum A {\n    #[cfg(test)]\n    B\n}\nfn c() {}"), 3);
    }

    #[test]
    fn files_of_tests_are_no_sources() {
        let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let found: Vec<PathBuf> = sources(&src).into_iter().map(|(path, _)| path).collect();
        assert!(found.contains(&src.join("lib.rs")) && found.contains(&src.join("time/civil.rs")));
        assert!(found.iter().all(|path| !path.ends_with("tests.rs")));
        assert!(src.join("text/tests.rs").exists());
    }
}
