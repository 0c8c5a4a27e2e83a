//! Booleans of YAML.

use crate::convert::message::{Refusal, shown};

/// Reads a boolean, given as the text of a scalar and whether it is plain.
pub(crate) fn boolean(field: &str, (text, plain): (&str, bool)) -> Result<bool, Refusal> {
    let value = match text {
        "true" | "True" | "TRUE" => Some(true),
        "false" | "False" | "FALSE" => Some(false),
        _ => None,
    };
    let help = match (value, text.to_ascii_lowercase().as_str()) {
        (Some(value), _) if plain => return Ok(value),
        (Some(_), _) => {
            let refusal =
                Refusal::new(format!("{field}: `{}` is in quotes, which make it a text", shown(text)));
            return Err(refusal.help("write it without quotes"));
        }
        // Booleans of YAML 1.1, which some readers still take and others read as texts.
        (None, "yes" | "y" | "on") => "write `true`",
        (None, "no" | "n" | "off") => "write `false`",
        (None, _) => "write one of them",
    };
    Err(Refusal::new(format!("{field}: `{}` is not `true` or `false`", shown(text))).help(help))
}
