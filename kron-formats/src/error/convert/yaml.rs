//! Messages about YAML and JSON.

use granit_parser::ErrorKind;
use kron_core::Finding;

use super::{ConvertCode, refusal, shown};
use crate::error::yaml_syntax;

/// What to do with a template of YAML.
pub(crate) const RENDER: &str = "render templates first, for example by `helm template`";

/// What the parser refuses on a line, as the reader of KronJobs says it.
pub(crate) fn syntax(kind: &ErrorKind, line: &str) -> Finding {
    let (message, help) = yaml_syntax::words(kind, line);
    // Actions of a template are not YAML.
    let help = if line.contains("{{") { RENDER } else { help };
    refusal(ConvertCode::NotReadable, message.into_owned()).with_help(help)
}

pub(crate) fn too_many_nodes(max: usize) -> Finding {
    let message = format!("the file has more than {max} keys and values; split it into several files");
    refusal(ConvertCode::TooLong, message)
}

pub(crate) fn repeated_key(key: &str) -> Finding {
    let (message, help) = yaml_syntax::repeated_key(key);
    refusal(ConvertCode::NotReadable, message).with_help(help)
}

pub(crate) fn quoted_boolean(field: &str, text: &str) -> Finding {
    let message = format!("{field}: `{}` is in quotes, which make it a text", shown(text));
    refusal(ConvertCode::BadValue, message).with_help("write it without quotes")
}

/// A text that is no boolean. Those of YAML 1.1 get the word that means the same.
pub(crate) fn not_a_boolean(field: &str, text: &str) -> Finding {
    let help = match text.to_ascii_lowercase().as_str() {
        "yes" | "y" | "on" => "write `true`",
        "no" | "n" | "off" => "write `false`",
        _ => "write one of them",
    };
    let message = format!("{field}: `{}` is not `true` or `false`", shown(text));
    refusal(ConvertCode::BadValue, message).with_help(help)
}
