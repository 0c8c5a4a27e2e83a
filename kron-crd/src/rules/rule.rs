//! A rule of the resource.

use serde::Serialize;

/// One rule of `x-kubernetes-validations`. Expressions may be broken into lines at a blank.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Rule {
    /// A CEL expression that must be true.
    rule: String,
    /// What is wrong where it is not.
    message: String,
    /// A CEL expression that makes a better message.
    #[serde(skip_serializing_if = "Option::is_none")]
    message_expression: Option<String>,
    /// The field that the message is about, relative to this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    field_path: Option<&'static str>,
    /// The kind of the refusal, where it is not `FieldValueInvalid`.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    /// `oldSelf` is an optional, and the rule runs without an old value too.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    optional_old_self: bool,
}

impl Rule {
    pub(super) fn new(rule: &str, message: impl Into<String>) -> Rule {
        Rule { rule: one_line(rule), message: message.into(), ..Rule::default() }
    }

    pub(super) fn saying(self, message_expression: &str) -> Rule {
        Rule { message_expression: Some(one_line(message_expression)), ..self }
    }

    pub(super) fn at(self, field_path: &'static str) -> Rule {
        Rule { field_path: Some(field_path), ..self }
    }

    pub(super) fn forbidding(self) -> Rule {
        Rule { reason: Some("FieldValueForbidden"), ..self }
    }

    pub(super) fn with_optional_old_self(self) -> Rule {
        Rule { optional_old_self: true, ..self }
    }
}

/// An expression on one line: no blank of these expressions has a meaning at the break of a line.
fn one_line(expression: &str) -> String {
    expression.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}
