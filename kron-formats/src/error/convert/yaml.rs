//! Messages about YAML and JSON.

use kron_core::Finding;

use super::{ConvertCode, refusal, shown};

/// What to do with a template of YAML.
pub(crate) const RENDER: &str = "render templates first, for example by `helm template`";

/// What the parser says about a line. Two mistakes are so common that they get a help.
pub(crate) fn syntax(reason: &str, line: &str) -> Finding {
    let finding = refusal(ConvertCode::NotReadable, format!("this is not YAML: {reason}"));
    let value = line.split_once(':').map_or("", |(_, value)| value.trim_start());
    if line.contains("{{") {
        finding.with_help(RENDER)
    } else if value.starts_with('*') {
        finding.with_help("put the schedule in quotes: schedule: \"*/5 * * * *\"")
    } else {
        finding
    }
}

pub(crate) fn too_many_nodes(max: usize) -> Finding {
    let message = format!("the file has more than {max} keys and values; split it into several files");
    refusal(ConvertCode::TooLong, message)
}

pub(crate) fn repeated_key(key: &str) -> Finding {
    refusal(ConvertCode::NotReadable, format!("`{}` is written twice in one map", shown(key)))
        .with_help("delete one of the two")
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
