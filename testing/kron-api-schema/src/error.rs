//! Errors of fields, in the words of an API server.

use std::fmt;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

/// The kind of an error of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// A value that breaks a rule.
    Invalid,
    /// A value of the wrong type.
    TypeInvalid,
    /// A value that is missing.
    Required,
    /// A value that is not among those of an enum.
    NotSupported,
    /// A text that is too long.
    TooLong,
    /// Too many items or properties.
    TooMany,
    /// A value that must be there once.
    Duplicate,
    /// A value that is not allowed here.
    Forbidden,
}

impl ErrorKind {
    /// The `reason` of a cause in the details of a `Status`.
    pub const fn reason(self) -> &'static str {
        match self {
            ErrorKind::Invalid => "FieldValueInvalid",
            ErrorKind::TypeInvalid => "FieldValueTypeInvalid",
            ErrorKind::Required => "FieldValueRequired",
            ErrorKind::NotSupported => "FieldValueNotSupported",
            ErrorKind::TooLong => "FieldValueTooLong",
            ErrorKind::TooMany => "FieldValueTooMany",
            ErrorKind::Duplicate => "FieldValueDuplicate",
            ErrorKind::Forbidden => "FieldValueForbidden",
        }
    }

    const fn words(self) -> &'static str {
        match self {
            ErrorKind::Invalid | ErrorKind::TypeInvalid => "Invalid value",
            ErrorKind::Required => "Required value",
            ErrorKind::NotSupported => "Unsupported value",
            ErrorKind::TooLong => "Too long",
            ErrorKind::TooMany => "Too many",
            ErrorKind::Duplicate => "Duplicate value",
            ErrorKind::Forbidden => "Forbidden",
        }
    }

    /// Whether an error of this kind keeps a server from running CEL rules at all.
    pub(crate) const fn blocks_rules(self) -> bool {
        !matches!(self, ErrorKind::Invalid | ErrorKind::Duplicate | ErrorKind::Forbidden)
    }
}

/// What is wrong with a field. Its text is that of an API server: `spec.schedule: Invalid value: "x": ...`.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldError {
    /// Its kind.
    pub kind: ErrorKind,
    /// The path of the field, such as `spec.constraints.only[0].hours`; `<nil>` for an error of the whole object.
    pub field: String,
    /// The value, where the message shows one.
    pub value: Option<Value>,
    /// The sentence.
    pub detail: String,
}

impl FieldError {
    /// An error of any kind. The message shows the value, if there is one.
    pub fn new(
        kind: ErrorKind,
        field: impl Into<String>,
        value: Option<Value>,
        detail: impl Into<String>,
    ) -> FieldError {
        let mut field = field.into();
        if field.is_empty() {
            field.push_str("<nil>");
        }
        FieldError { kind, field, value, detail: detail.into() }
    }

    /// A value that is not allowed.
    pub fn invalid(
        field: impl Into<String>,
        value: impl Into<Value>,
        detail: impl Into<String>,
    ) -> FieldError {
        FieldError::new(ErrorKind::Invalid, field, Some(value.into()), detail)
    }

    /// A value that is missing.
    pub fn required(field: impl Into<String>, detail: impl Into<String>) -> FieldError {
        FieldError::new(ErrorKind::Required, field, None, detail)
    }

    /// A field that may not be set.
    pub fn forbidden(field: impl Into<String>, detail: impl Into<String>) -> FieldError {
        FieldError::new(ErrorKind::Forbidden, field, None, detail)
    }

    /// A value that is not among others.
    pub fn not_supported<'s>(
        field: impl Into<String>,
        value: impl Into<Value>,
        supported: impl IntoIterator<Item = &'s str>,
    ) -> FieldError {
        let supported: Vec<String> = supported.into_iter().map(quote).collect();
        let detail = format!("supported values: {}", supported.join(", "));
        FieldError::new(ErrorKind::NotSupported, field, Some(value.into()), detail)
    }

    /// The text without the field: the `message` of a cause in the details of a `Status`.
    pub fn body(&self) -> String {
        let mut text = self.kind.words().to_owned();
        if let Some(value) = &self.value {
            text.push_str(": ");
            match value {
                Value::String(value) => text.push_str(&quote(value)),
                other => text.push_str(&other.to_string()),
            }
        }
        if !self.detail.is_empty() {
            text.push_str(": ");
            text.push_str(&self.detail);
        }
        text
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.body())
    }
}

impl std::error::Error for FieldError {}

/// The errors of an object in one text, as the message of a `Status` has them: one as it is, several in brackets, none
/// twice.
///
/// ```
/// use kron_api_schema::{Schema, aggregate};
/// let schema = Schema::compile(&serde_json::json!({"type": "object", "required": ["a", "b"], "properties":
///     {"a": {"type": "string"}, "b": {"type": "string"}}}))?;
/// let errors = schema.admit(&mut serde_json::json!({}), None).unwrap_err();
/// assert_eq!(aggregate(&errors), "[a: Required value, b: Required value]");
/// # Ok::<(), String>(())
/// ```
pub fn aggregate(errors: &[FieldError]) -> String {
    let mut texts: Vec<String> = Vec::new();
    for error in errors {
        let text = error.to_string();
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    match &texts[..] {
        [text] => text.clone(),
        texts => format!("[{}]", texts.join(", ")),
    }
}

/// What a server says of a field that it does not know.
///
/// ```
/// assert_eq!(kron_api_schema::unknown_field("spec.colour"), "unknown field \"spec.colour\"");
/// ```
pub fn unknown_field(path: &str) -> String {
    format!("unknown field {}", quote(path))
}

/// A text in double quotes, as Go's `%q` prints it.
pub(crate) fn quote(text: &str) -> String {
    // What Go does not print as it is: control and format characters, and all blanks but one.
    static UNPRINTABLE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^[\p{C}\p{Z}]$").ok());
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{b}' => out.push_str("\\v"),
            ' '..='~' => out.push(c),
            _ => {
                let mut buffer = [0; 4];
                let hidden = c.is_ascii()
                    || UNPRINTABLE.as_ref().is_none_or(|regex| regex.is_match(c.encode_utf8(&mut buffer)));
                match u32::from(c) {
                    _ if !hidden => out.push(c),
                    code @ 0..0x80 => out.push_str(&format!("\\x{code:02x}")),
                    code @ 0x80..0x1_0000 => out.push_str(&format!("\\u{code:04x}")),
                    code => out.push_str(&format!("\\U{code:08x}")),
                }
            }
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_as_go() {
        assert_eq!(quote("a\"\\\t\u{1}é\u{a0}\u{200b}😀 \u{7f}"), r#""a\"\\\t\x01é\u00a0\u200b😀 \x7f""#);
    }

    #[test]
    fn texts() {
        let error = FieldError::new(ErrorKind::TooMany, "a[1]", Some(3.into()), "must have at most 2 items");
        assert_eq!(error.to_string(), "a[1]: Too many: 3: must have at most 2 items");
        assert_eq!(aggregate(&[error.clone(), error.clone()]), error.to_string());
        let whole = FieldError::new(ErrorKind::Invalid, "", Some(Value::Null), "x");
        assert_eq!(whole.to_string(), "<nil>: Invalid value: null: x");
    }
}
