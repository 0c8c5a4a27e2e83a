//! The CEL rules of an object, run as a server runs them.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use crate::cel::{Expression, Old};
use crate::correlation::Correlation;
use crate::error::{ErrorKind, FieldError};
use crate::node::{Node, Rule, Type, child};
use crate::value::to_cel;

/// The longest message that an expression may give.
const MESSAGE_BYTES: usize = 5 * 1024;

/// What the rules say.
#[derive(Debug, Default)]
pub(crate) struct Verdict {
    pub(crate) errors: Vec<FieldError>,
    /// Errors of values that are as they were.
    pub(crate) forgiven: Vec<FieldError>,
}

/// How many values are remembered.
const REMEMBERED: usize = 10_000;

/// Values that satisfy all rules of their place that do not speak of transitions, as hashes of place and value. Most writes
/// change the status alone, and a spec is judged once.
#[derive(Debug, Default)]
pub(crate) struct Satisfied(Mutex<HashSet<u64>>);

impl Satisfied {
    fn contains(&self, hash: u64) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains(&hash)
    }

    fn insert(&self, hash: u64) {
        let mut hashes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if hashes.len() >= REMEMBERED {
            hashes.clear();
        }
        hashes.insert(hash);
    }
}

/// Runs the rules of a value, then those below it.
pub(crate) fn run(
    node: &Node,
    value: &Value,
    old: Correlation<'_>,
    path: &str,
    satisfied: &Satisfied,
    verdict: &mut Verdict,
) {
    if value.is_null() {
        return;
    }
    let old = old.seen(value);
    let (of_transitions, lasting): (Vec<&Rule>, Vec<&Rule>) =
        node.rules.iter().partition(|rule| rule.expression.uses_old());
    if !lasting.is_empty() {
        let mut hasher = DefaultHasher::new();
        std::ptr::from_ref(node).hash(&mut hasher);
        value.hash(&mut hasher);
        let hash = hasher.finish();
        if !satisfied.contains(hash) {
            let before = (verdict.errors.len(), verdict.forgiven.len());
            lasting.iter().for_each(|rule| run_one(node, rule, value, old, path, verdict));
            if before == (verdict.errors.len(), verdict.forgiven.len()) {
                satisfied.insert(hash);
            }
        }
    }
    of_transitions.iter().for_each(|rule| run_one(node, rule, value, old, path, verdict));
    match value {
        Value::Object(map) => {
            for (name, value) in map {
                if let Some(below) = node.properties.get(name) {
                    run(below, value, old.field(node, name), &child(path, name), satisfied, verdict);
                } else if let Some(below) = node.additional.as_deref() {
                    run(below, value, old.field(node, name), &format!("{path}[{name}]"), satisfied, verdict);
                }
            }
        }
        Value::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                if let Some(below) = node.items.as_deref() {
                    run(below, item, old.item(node, item), &format!("{path}[{i}]"), satisfied, verdict);
                }
            }
        }
        _ => {}
    }
}

fn run_one(node: &Node, rule: &Rule, value: &Value, old: Correlation<'_>, path: &str, verdict: &mut Verdict) {
    let of_transition = rule.expression.uses_old();
    if of_transition && old.old().is_none() && !rule.optional_old_self {
        return;
    }
    let old_value = || old.old().map(|old| to_cel(node, old));
    let old_self = match (of_transition, rule.optional_old_self) {
        (false, _) => Old::Absent,
        (true, true) => Old::Optional(old_value()),
        (true, false) => old_value().map_or(Old::Absent, Old::Value),
    };
    let message = || {
        if rule.message.is_empty() { format!("failed rule: {}", rule.text) } else { rule.message.clone() }
    };
    match rule.expression.evaluate(to_cel(node, value), old_self) {
        Ok(cel::Value::Bool(true)) => {}
        Ok(_) => {
            let detail = rule
                .message_expression
                .as_ref()
                .and_then(|expression| say(expression, node, value, old))
                .unwrap_or_else(message);
            let path =
                if rule.field_path.is_empty() { path.to_owned() } else { child(path, &rule.field_path) };
            let shown = match (rule.reason, node.kind) {
                (ErrorKind::Forbidden | ErrorKind::Required, _)
                | (_, Type::Object | Type::Array | Type::Any) => None,
                _ => Some(value.clone()),
            };
            let detail = if rule.reason == ErrorKind::Duplicate { String::new() } else { detail };
            let error = FieldError::new(rule.reason, &path, shown, detail);
            // Rules on transitions speak of the change itself: they are never forgiven.
            if !of_transition && old.is(value) {
                verdict.forgiven.push(error)
            } else {
                verdict.errors.push(error)
            }
        }
        // An error is not `false`: no value, no field path, no expression for the message, and no forgiveness.
        Err(error) => {
            let rule_text = if rule.message.is_empty() { rule.text.clone() } else { rule.message.clone() };
            let detail = if error == "no such overload" {
                format!(
                    "'{error}': call arguments did not match a supported operator, function or macro signature for rule: \
                     {rule_text}"
                )
            } else {
                format!("{error} evaluating rule: {rule_text}")
            };
            let kind = Some(node.kind.as_str().into());
            verdict.errors.push(FieldError::new(ErrorKind::Invalid, path, kind, detail));
        }
    }
}

/// The message of an expression, if it gives one that a server takes.
fn say(expression: &Expression, node: &Node, value: &Value, old: Correlation<'_>) -> Option<String> {
    // Not the optional: it is a value here, or not there at all.
    let old_self = match old.old() {
        Some(old) if expression.uses_old() => Old::Value(to_cel(node, old)),
        _ => Old::Absent,
    };
    match expression.evaluate(to_cel(node, value), old_self) {
        Ok(cel::Value::String(text)) => {
            let text = text.trim();
            (!text.is_empty() && !text.contains('\n') && text.len() <= MESSAGE_BYTES).then(|| text.to_owned())
        }
        _ => None,
    }
}
