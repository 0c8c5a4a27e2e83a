//! JSON Schema as schemars derives it becomes the structural schema that a CustomResourceDefinition takes.

use schemars::generate::SchemaSettings;
use schemars::transform::transform_subschemas;
use schemars::{JsonSchema, Schema};
use serde_json::Value;

/// The structural schema of a type: no references, no `null` among types.
pub(super) fn schema_of<T: JsonSchema>() -> Value {
    let mut settings = SchemaSettings::draft2020_12().with_transform(make_structural);
    (settings.inline_subschemas, settings.meta_schema) = (true, None);
    settings.into_generator().into_root_schema_for::<T>().into()
}

fn make_structural(schema: &mut Schema) {
    schema.remove("title");
    if let Some(Value::String(text)) = schema.get_mut("description") {
        // For users of the resource: without the marks of code and the breaks of lines.
        let prose = text.replace('`', "");
        *text = prose.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    // `null` is never a value: a server prunes it, and then puts the default in its place.
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if let [name] = &types[..] {
            let name = name.clone();
            schema.insert("type".to_owned(), name);
        }
    }
    if schema.get("default") == Some(&Value::Null) {
        schema.remove("default");
    }
    transform_subschemas(&mut make_structural, schema);
}
