//! A rule of the resource.

use serde::ser::{Serialize, SerializeMap, Serializer};

/// One rule of `x-kubernetes-validations`. Expressions may be broken into lines at a blank.
pub(in crate::crd) struct Rule {
    /// A CEL expression that must be true.
    pub(in crate::crd) rule: &'static str,
    /// What is wrong where it is not.
    pub(in crate::crd) message: &'static str,
    /// A CEL expression that makes a better message.
    pub(in crate::crd) message_expression: Option<&'static str>,
    /// The field that the message is about, relative to this one.
    pub(in crate::crd) field_path: Option<&'static str>,
    /// The kind of the refusal, where it is not `FieldValueInvalid`.
    pub(in crate::crd) reason: Option<&'static str>,
    /// `oldSelf` is an optional, and the rule runs without an old value too.
    pub(in crate::crd) optional_old_self: bool,
}

impl Rule {
    pub(in crate::crd) const NEW: Rule = Rule {
        rule: "",
        message: "",
        message_expression: None,
        field_path: None,
        reason: None,
        optional_old_self: false,
    };
}

/// An expression on one line: no blank of these expressions has a meaning at the break of a line.
fn one_line(expression: &str) -> String {
    expression.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("rule", &one_line(self.rule))?;
        map.serialize_entry("message", self.message)?;
        if let Some(expression) = self.message_expression {
            map.serialize_entry("messageExpression", &one_line(expression))?;
        }
        if let Some(path) = self.field_path {
            map.serialize_entry("fieldPath", path)?;
        }
        if let Some(reason) = self.reason {
            map.serialize_entry("reason", reason)?;
        }
        if self.optional_old_self {
            map.serialize_entry("optionalOldSelf", &true)?;
        }
        map.end()
    }
}
