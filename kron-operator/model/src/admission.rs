//! What checks custom resources: the structural schema of their definition with its defaults and CEL rules.

use std::sync::Arc;

use serde_json::Value;

use crate::schema::{FieldError, Schema};
use crate::status::Cause;

/// A compiled schema.
pub(crate) trait Admission: Send + Sync {
    /// Prunes unknown fields, applies defaults and validates. What is given back names the pruned fields:
    /// `spec.colour`. `old` is the stored object of an update.
    fn admit(&self, object: &mut Value, old: Option<&Value>) -> Result<Vec<String>, Vec<Cause>>;
}

/// Compiles the `openAPIV3Schema` of a version of a CustomResourceDefinition. This is the one place that knows which
/// engine does it.
pub(crate) fn compile(schema: &Value) -> Result<Arc<dyn Admission>, String> {
    Ok(Arc::new(Schema::compile(schema)?))
}

impl Admission for Schema {
    fn admit(&self, object: &mut Value, old: Option<&Value>) -> Result<Vec<String>, Vec<Cause>> {
        let unknown = self.take_unknown(object);
        self.default(object);
        // What an unchanged value breaks is forgiven without a word: the model has no warnings but those of unknown fields.
        self.validate(object, old).map_err(|errors| errors.iter().map(cause).collect::<Vec<_>>())?;
        Ok(unknown)
    }
}

fn cause(error: &FieldError) -> Cause {
    Cause { field: error.field.clone(), reason: error.kind.reason().to_string(), message: error.body() }
}
