//! Booleans of YAML.

use kron_core::Finding;

use crate::error::convert::yaml as messages;

/// Reads a boolean, given as the text of a scalar and whether it is plain.
pub(crate) fn boolean(field: &str, (text, plain): (&str, bool)) -> Result<bool, Finding> {
    let value = match text {
        "true" | "True" | "TRUE" => true,
        "false" | "False" | "FALSE" => false,
        _ => return Err(messages::not_a_boolean(field, text)),
    };
    if plain { Ok(value) } else { Err(messages::quoted_boolean(field, text)) }
}
