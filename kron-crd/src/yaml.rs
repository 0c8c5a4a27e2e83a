//! The resource as YAML, for `kubectl` and for people.

use serde_json::Value;

/// A JSON value as one YAML document: keys in their order, long texts folded.
///
/// ```
/// let text = kron_crd::to_yaml(&serde_json::json!({"a": [1, "no"], "b": {}}));
/// assert_eq!(text, "a:\n- 1\n- \"no\"\nb: {}\n");
/// ```
pub fn to_yaml(value: &Value) -> String {
    let options = serde_saphyr::ser_options! { folded_wrap_chars: 110 };
    // OK because every JSON value can be written as YAML, and writing to a String does not fail.
    serde_saphyr::to_string_with_options(value, options).unwrap_or_default()
}
