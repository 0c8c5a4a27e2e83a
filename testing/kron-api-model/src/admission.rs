//! What checks custom resources: the structural schema of their definition with its defaults and CEL rules.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

use crate::schema::{FieldError, Schema};
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

/// How many compiled schemas are kept.
const KEPT: usize = 8;

/// The schemas that were compiled last, as a program with many servers gives all of them the same definitions.
static COMPILED: Mutex<Vec<(Value, Arc<dyn Admission>)>> = Mutex::new(Vec::new());

/// Compiles the `openAPIV3Schema` of a version of a CustomResourceDefinition. This is the one place that knows which
/// engine does it.
pub(crate) fn compile(schema: &Value) -> Result<Arc<dyn Admission>, String> {
    if let Some(compiled) = compiled_before(schema) {
        return Ok(compiled);
    }
    let compiled: Arc<dyn Admission> = Arc::new(Schema::compile(schema)?);
    let mut kept = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    kept.truncate(KEPT - 1);
    kept.insert(0, (schema.clone(), compiled.clone()));
    Ok(compiled)
}

fn compiled_before(schema: &Value) -> Option<Arc<dyn Admission>> {
    // Nothing panics while it holds the lock.
    let kept = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    kept.iter().find(|(of, _)| of == schema).map(|(_, compiled)| compiled.clone())
}

impl Admission for Schema {
    fn prune(&self, object: &mut Value) -> Vec<String> {
        Schema::prune(self, object)
    }

    fn default(&self, object: &mut Value) {
        Schema::default(self, object);
    }

    fn validate(&self, object: &Value, old: Option<&Value>) -> Result<Vec<String>, Vec<Cause>> {
        let cause = |error: &FieldError| Cause {
            field: error.field.clone(),
            reason: error.kind.reason().to_owned(),
            message: error.body(),
        };
        Schema::validate(self, object, old).map_err(|errors| errors.iter().map(cause).collect())
    }
}
