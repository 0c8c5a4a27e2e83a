//! The structural schema of a resource: what an API server does to an object before it stores it.
//!
//! In its order: fields that the schema does not know are pruned; nulls that are not allowed are removed, and defaults
//! added; types, enums, bounds, patterns and formats are checked, and lists for duplicates; and if none of those
//! errors hides them, the CEL rules run. On an update, what did not change is not held against the object
//! ("ratcheting").
//!
//! The sentences are the server's own, so that a message proven on a server can be tested here.
//!
//! # What it is not
//!
//! * Costs of rules are neither estimated nor limited: a schema that compiles here may be refused by a server.
//! * Rules are not type checked when they are compiled; one of the wrong types fails when it runs.
//! * `allOf`, `anyOf`, `oneOf`, `not`, `multipleOf`, `x-kubernetes-int-or-string`, exclusive bounds and formats other than
//!   `date-time`, `int32` and `int64` are not known: a schema that has them does not compile.
//! * `metadata` is left alone.
//! * Errors come in the order of fields; a server's are in no order.
#![forbid(unsafe_code)]

mod cel;
mod check;
mod correlation;
mod error;
pub mod go;
mod lists;
mod node;
mod prune;
mod rules;
#[cfg(test)]
mod tests;
mod value;

use serde_json::Value;

use correlation::Correlation;
use node::Node;

pub use error::{ErrorKind, FieldError, aggregate, unknown_field};

/// A compiled structural schema.
#[derive(Debug)]
pub struct Schema {
    root: Node,
    has_rules: bool,
    satisfied: rules::Satisfied,
}

impl Schema {
    /// Compiles `spec.versions[].schema.openAPIV3Schema` of a CustomResourceDefinition.
    ///
    /// # Errors
    ///
    /// Names the place: what makes a schema not structural, defaults that it refuses itself, expressions that do not
    /// compile, and what this model does not know.
    ///
    /// ```
    /// use kron_api_schema::Schema;
    /// let error = Schema::compile(&serde_json::json!({"type": "object", "properties": {"a": {}}})).unwrap_err();
    /// assert_eq!(error, "a: type: Required value: must not be empty");
    /// ```
    pub fn compile(openapi_v3_schema: &Value) -> Result<Schema, String> {
        let root = Node::compile(openapi_v3_schema, "")?;
        check_defaults(&root, "")?;
        let has_rules = has_rules(&root);
        Ok(Schema { root, has_rules, satisfied: rules::Satisfied::default() })
    }

    /// Prepares and judges an object as a server does on a write; `old` is the stored object on an update, of any
    /// part. The answer is what the server warns of: unknown fields that were pruned, and rules that an unchanged value
    /// breaks.
    ///
    /// # Errors
    ///
    /// Everything that is wrong; the object has been pruned and defaulted all the same.
    ///
    /// ```
    /// use kron_api_schema::Schema;
    /// use serde_json::json;
    /// let schema = Schema::compile(&json!({"type": "object", "properties": {"spec": {
    ///     "type": "object", "default": {}, "properties": {"size": {"type": "integer", "default": 3,
    ///         "x-kubernetes-validations": [{"rule": "self % 2 == 1", "message": "must be odd"}]}},
    /// }}}))?;
    /// let mut object = json!({"spec": {"colour": "red"}});
    /// assert_eq!(schema.admit(&mut object, None), Ok(vec!["unknown field \"spec.colour\"".to_owned()]));
    /// assert_eq!(object, json!({"spec": {"size": 3}}));
    /// let errors = schema.admit(&mut json!({"spec": {"size": 4}}), None).unwrap_err();
    /// assert_eq!(errors[0].to_string(), "spec.size: Invalid value: 4: must be odd");
    /// # Ok::<(), String>(())
    /// ```
    pub fn admit(&self, object: &mut Value, old: Option<&Value>) -> Result<Vec<String>, Vec<FieldError>> {
        let mut warnings = self.prune(object);
        self.default(object);
        warnings.extend(self.validate(object, old)?);
        Ok(warnings)
    }

    /// Takes out the fields that the schema does not know; the answer is what a server says of each, as a warning or, under
    /// strict field validation, as an error.
    pub fn prune(&self, object: &mut Value) -> Vec<String> {
        let mut pruned = Vec::new();
        prune::prune(&self.root, object, "", &mut pruned);
        pruned.sort();
        pruned.iter().map(|path| unknown_field(path)).collect()
    }

    /// Takes out nulls and puts in defaults. A server does so on reads too: a later default shows in old objects at once.
    pub fn default(&self, object: &mut Value) {
        prune::default(&self.root, object);
    }

    /// Judges an object that is pruned and defaulted already. The answer is the rules that unchanged values break.
    ///
    /// # Errors
    ///
    /// Everything that is wrong.
    pub fn validate(&self, object: &Value, old: Option<&Value>) -> Result<Vec<String>, Vec<FieldError>> {
        let mut errors = Vec::new();
        check::check(&self.root, object, Correlation::of(old), "", &mut errors);
        let mut duplicates = Vec::new();
        lists::duplicates(&self.root, object, "", &mut duplicates);
        if let (Some(old), false) = (old, duplicates.is_empty()) {
            let mut before = Vec::new();
            lists::duplicates(&self.root, old, "", &mut before);
            // An object that held something twice may go on to.
            if !before.is_empty() {
                duplicates.clear();
            }
        }
        errors.append(&mut duplicates);
        if !self.has_rules {
            return if errors.is_empty() { Ok(Vec::new()) } else { Err(errors) };
        }
        if errors.iter().any(|error| error.kind.blocks_rules()) {
            let detail = "some validation rules were not checked because the object was invalid; correct the existing \
                          errors to complete validation";
            errors.push(FieldError::new(ErrorKind::Invalid, "", Some(Value::Null), detail));
            return Err(errors);
        }
        let mut verdict = rules::Verdict::default();
        rules::run(&self.root, object, Correlation::of(old), "", &self.satisfied, &mut verdict);
        errors.extend(verdict.errors);
        if errors.is_empty() {
            Ok(verdict.forgiven.iter().map(ToString::to_string).collect())
        } else {
            Err(errors)
        }
    }
}

fn has_rules(node: &Node) -> bool {
    let below = [node.additional.as_deref(), node.items.as_deref()];
    !node.rules.is_empty() || node.properties.values().chain(below.into_iter().flatten()).any(has_rules)
}

/// A default must be a value that its own place takes, with nothing unknown in it.
fn check_defaults(node: &Node, path: &str) -> Result<(), String> {
    if let Some(default) = &node.default {
        let mut value = default.clone();
        let mut pruned = Vec::new();
        prune::prune(node, &mut value, path, &mut pruned);
        prune::default(node, &mut value);
        let mut errors = Vec::new();
        check::check(node, &value, Correlation::of(None), path, &mut errors);
        let mut verdict = rules::Verdict::default();
        if errors.is_empty() {
            rules::run(node, &value, Correlation::of(None), path, &rules::Satisfied::default(), &mut verdict);
        }
        errors.extend(verdict.errors);
        if let Some(unknown) = pruned.first() {
            return Err(format!("{path}: default: unknown field `{unknown}`"));
        }
        if !errors.is_empty() {
            return Err(format!("{path}: default: {}", aggregate(&errors)));
        }
    }
    for (name, below) in &node.properties {
        check_defaults(below, &node::child(path, name))?;
    }
    for below in [node.additional.as_deref(), node.items.as_deref()].into_iter().flatten() {
        check_defaults(below, &format!("{path}[*]"))?;
    }
    Ok(())
}
