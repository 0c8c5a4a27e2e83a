//! YAML as `kubectl` and kustomize read it, for people who read it too.

use std::fmt::Write;

use serde_json::Value;

/// Lines of folded texts are broken at the first blank after this column.
const WIDTH: usize = 110;

/// A JSON value as one YAML document, keys in their order, long texts folded.
///
/// ```
/// let text = kron_operator::crd::to_yaml(&serde_json::json!({"a": [1, "no"], "b": {}}));
/// assert_eq!(text, "a:\n- 1\n- \"no\"\nb: {}\n");
/// ```
pub fn to_yaml(value: &Value) -> String {
    let mut out = String::new();
    block(&mut out, value, 0);
    out
}

/// A value whose first line begins where `out` ends; further lines are indented.
fn block(out: &mut String, value: &Value, indent: usize) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            for (i, (key, value)) in map.iter().enumerate() {
                let margin = if i == 0 { 0 } else { indent };
                // Writing to a String does not fail.
                let _ = write!(out, "{:margin$}{}:", "", scalar(key));
                match value {
                    Value::Object(map) if !map.is_empty() => {
                        let _ = write!(out, "\n{:1$}", "", indent + 2);
                        block(out, value, indent + 2);
                    }
                    Value::Array(list) if !list.is_empty() => {
                        let _ = write!(out, "\n{:indent$}", "");
                        block(out, value, indent);
                    }
                    _ => {
                        out.push(' ');
                        leaf(out, value, indent + 2);
                    }
                }
            }
        }
        Value::Array(list) if !list.is_empty() => {
            for (i, value) in list.iter().enumerate() {
                let margin = if i == 0 { 0 } else { indent };
                let _ = write!(out, "{:margin$}- ", "");
                block(out, value, indent + 2);
            }
        }
        _ => leaf(out, value, indent),
    }
}

/// What stands on one line, or a folded text.
fn leaf(out: &mut String, value: &Value, indent: usize) {
    match value {
        Value::String(text) if folds(text, indent) => fold(out, text, indent),
        Value::String(text) => out.push_str(&scalar(text)),
        // An empty list or map, a number, a boolean, null: JSON is YAML.
        other => out.push_str(&other.to_string()),
    }
    out.push('\n');
}

/// Whether a text can be folded and is long enough. Folding gives back single blanks only, and begins a line with none.
fn folds(text: &str, indent: usize) -> bool {
    let plain = |c: char| c == ' ' || (!c.is_whitespace() && !c.is_control());
    text.len() + indent > WIDTH
        && text.chars().all(plain)
        && !text.contains("  ")
        && !text.starts_with(' ')
        && !text.ends_with(' ')
}

fn fold(out: &mut String, text: &str, indent: usize) {
    out.push_str(">-");
    let mut column = usize::MAX;
    for word in text.split(' ') {
        if column.saturating_add(word.chars().count()) > WIDTH {
            let _ = write!(out, "\n{:indent$}", "");
            column = indent;
        } else {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += word.chars().count();
    }
}

/// A text as it is where no reader could take it for anything else, quoted otherwise.
fn scalar(text: &str) -> String {
    let first = text.chars().next().is_some_and(|c| c.is_ascii_alphabetic() || c == '.');
    let safe = |c: char| c.is_ascii_alphanumeric() || " .-_/()@,;$".contains(c);
    let word = text.to_ascii_lowercase();
    let taken = ["null", "true", "false", "yes", "no", "on", "off", "y", "n", ".nan", ".inf"];
    // `.5` and `1e3` are numbers; a first letter rules out all numbers but these words.
    let number = text.starts_with('.') && text.chars().nth(1).is_none_or(|c| !c.is_ascii_alphabetic());
    if first && text.chars().all(safe) && !text.ends_with(' ') && !number && !taken.contains(&word.as_str()) {
        text.to_owned()
    } else {
        Value::from(text).to_string()
    }
}
