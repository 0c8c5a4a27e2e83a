//! The CEL rules of the resource, field by field, as an API server runs them at admission.
//!
//! * A rule sits on the string it checks: the message then shows the value, and the server's estimate of its cost takes
//!   the size of the pieces that `split()` and `findAll()` give back from the string's `maxLength`. A list of such
//!   pieces, kept in a variable and indexed, has no size and breaks the budget: strings are kept in variables, not lists.
//! * `self.findAll(r'[^ \t]+')[i]` is field i of the schedule; `(field + ',').matches('^(item,)+$')` checks a comma list
//!   with the grammar of an item written once.
//! * A rule accepts what an earlier one refuses, so that one mistake gives one message.
//! * An error in a rule is not `false`: the server shows it instead of the message, and does not forgive it where an old
//!   object keeps its value. So everything that can fail (`duration()`, `double()`, `int()`) comes after a regular
//!   expression that lets only good texts reach it.
//! * A `messageExpression` that fails, or gives a line break, falls back to `message`: each must be complete.
//!
//! The cases of `testing/data/kronjob` tested these rules on API servers. After a change, run `scripts/run_corpus.py`
//! against a server again, because only a server knows its limits on cost.

pub(super) mod clause;
pub(super) mod distribution;
pub(super) mod duration;
pub(super) mod immutable;
pub(super) mod primer;
pub(super) mod schedule;
pub(super) mod seed;
pub(super) mod template;
pub(super) mod timezone;

use serde::ser::{Serialize, SerializeMap, Serializer};

/// One rule of `x-kubernetes-validations`. Expressions may be broken into lines at a blank.
pub(super) struct Rule {
    /// A CEL expression that must be true.
    pub(super) rule: &'static str,
    /// What is wrong where it is not.
    pub(super) message: &'static str,
    /// A CEL expression that says it better.
    pub(super) message_expression: Option<&'static str>,
    /// The field below that the message speaks of.
    pub(super) field_path: Option<&'static str>,
    /// The kind of the refusal, where it is not `FieldValueInvalid`.
    pub(super) reason: Option<&'static str>,
    /// `oldSelf` is an optional, and the rule runs without an old value too.
    pub(super) optional_old_self: bool,
}

impl Rule {
    pub(super) const NEW: Rule = Rule {
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
