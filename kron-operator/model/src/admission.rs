//! What checks custom resources: the structural schema of their definition with its defaults and CEL rules.

use std::sync::Arc;

use serde_json::Value;

use crate::status::Cause;

/// A compiled schema.
pub(crate) trait Admission: Send + Sync {
    /// Takes out the fields that the schema does not know, and says so of each: `unknown field "spec.colour"`.
    fn prune(&self, object: &mut Value) -> Vec<String>;

    /// Puts in defaults.
    fn default(&self, object: &mut Value);

    /// Judges an object that is pruned and has its defaults. `old` is the stored object of an update. What is given back are
    /// warnings that refuse nothing, however strict the caller is.
    fn validate(&self, object: &Value, old: Option<&Value>) -> Result<Vec<String>, Vec<Cause>>;
}

/// Compiles the `openAPIV3Schema` of a version of a CustomResourceDefinition. This is the one place that knows which
/// engine does it.
pub(crate) fn compile(schema: &Value) -> Result<Arc<dyn Admission>, String> {
    if schema.get("type").and_then(Value::as_str) != Some("object") {
        return Err("must be object at the root".into());
    }
    Ok(Arc::new(AnyObject))
}

/// Takes every object as it is.
struct AnyObject;

impl Admission for AnyObject {
    fn prune(&self, _: &mut Value) -> Vec<String> {
        Vec::new()
    }

    fn default(&self, _: &mut Value) {}

    fn validate(&self, _: &Value, _: Option<&Value>) -> Result<Vec<String>, Vec<Cause>> {
        Ok(Vec::new())
    }
}
