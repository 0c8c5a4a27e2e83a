//! JSON Schema as schemars derives it becomes the structural schema that a CustomResourceDefinition takes.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};

/// The structural schema of a type: no references, no `null` among types, enums as plain lists of values.
pub(super) fn schema_of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let schema: Schema = settings.into_generator().into_root_schema_for::<T>();
    let mut schema = Value::from(schema);
    make_structural(&mut schema);
    schema
}

fn make_structural(schema: &mut Value) {
    let Value::Object(object) = schema else { return };
    object.remove("title");
    unwrap_option(object);
    list_values(object);
    if let Some(Value::String(text)) = object.get_mut("description") {
        // For users of the resource: without the examples in Rust, the marks of code and the breaks of lines.
        let prose = text.split("```").next().unwrap_or_default().replace('`', "");
        *text = prose.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    // `null` is never a value: a server prunes it, and then puts the default in its place.
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|name| name != "null");
        if let [name] = &types[..] {
            let name = name.clone();
            object.insert("type".to_owned(), name);
        }
    }
    if object.get("default") == Some(&Value::Null) {
        object.remove("default");
    }
    for value in
        object.get_mut("properties").and_then(Value::as_object_mut).into_iter().flat_map(Map::values_mut)
    {
        make_structural(value);
    }
    for key in ["items", "additionalProperties"] {
        object.get_mut(key).into_iter().for_each(make_structural);
    }
}

/// `anyOf: [T, null]`, an optional enum, becomes `T`. Keywords next to it are about the field and take precedence.
fn unwrap_option(object: &mut Map<String, Value>) {
    let Some(Value::Array(choices)) = object.remove("anyOf") else { return };
    let some = choices.into_iter().find(|choice| choice.get("type") != Some(&Value::from("null")));
    let Some(Value::Object(inner)) = some else { return };
    for (key, value) in inner {
        object.entry(key).or_insert(value);
    }
}

/// `oneOf: [{const: a}, {const: b}]`, an enum whose values are documented, becomes `enum: [a, b]`.
fn list_values(object: &mut Map<String, Value>) {
    let Some(Value::Array(choices)) = object.remove("oneOf") else { return };
    let values: Vec<Value> = choices.iter().filter_map(|choice| choice.get("const").cloned()).collect();
    object.insert("type".to_owned(), "string".into());
    object.insert("enum".to_owned(), values.into());
}
