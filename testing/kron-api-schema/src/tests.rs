//! What the cases of the resource do not show of a schema.

use serde_json::{Value, json};

use super::{Schema, aggregate};

/// A schema whose `spec` has the properties given.
fn schema(properties: Value) -> Schema {
    Schema::compile(&around(properties)).unwrap()
}

fn around(properties: Value) -> Value {
    json!({"type": "object", "properties": {"spec": {"type": "object", "properties": properties}}})
}

fn object(spec: Value) -> Value {
    json!({"apiVersion": "a/v1", "kind": "A", "metadata": {"name": "n", "x": 1}, "spec": spec})
}

/// The text of the refusal, or nothing.
fn refusal(schema: &Schema, new: Value, old: Option<Value>) -> String {
    let old = old.map(object);
    schema.admit(&mut object(new), old.as_ref()).err().map(|errors| aggregate(&errors)).unwrap_or_default()
}

fn rule(rule: &str) -> Value {
    json!([{"rule": rule, "message": "bad"}])
}

#[test]
fn what_did_not_change_is_forgiven() {
    let schema = schema(json!({
        "a": {"type": "string", "maxLength": 3, "enum": ["x", "y"], "x-kubernetes-validations": rule("self != 'y'")},
        "b": {"type": "integer"},
        "zone": {"type": "string", "maxLength": 9,
            "x-kubernetes-validations": rule("timestamp('2024-01-01T00:00:00Z').getHours(self) >= 0")},
    }));
    // Lengths, enums and rules that are false: on creation and change refused, unchanged not.
    for bad in ["y", "long", "z"] {
        assert_ne!(refusal(&schema, json!({"a": bad}), None), "", "{bad}");
        assert_ne!(refusal(&schema, json!({"a": bad}), Some(json!({"a": "x"}))), "", "{bad}");
        assert_eq!(refusal(&schema, json!({"a": bad, "b": 2}), Some(json!({"a": bad, "b": 1}))), "", "{bad}");
    }
    let old = object(json!({"a": "y"}));
    let warnings = schema.admit(&mut object(json!({"a": "y", "b": 1})), Some(&old));
    assert_eq!(warnings, Ok(vec!["spec.a: Invalid value: \"y\": bad".to_owned()]), "a server warns of it");
    // An error of a rule is never forgiven.
    let text = "spec.zone: Invalid value: \"string\": unknown time zone X/Y evaluating rule: bad";
    assert_eq!(refusal(&schema, json!({"zone": "X/Y"}), Some(json!({"zone": "X/Y"}))), text);
}

#[test]
fn rules_on_transitions_need_an_old_value() {
    let schema = schema(json!({
        "a": {"type": "string", "x-kubernetes-validations": rule("self == oldSelf")},
        "b": {"type": "integer", "x-kubernetes-validations": [
            {"rule": "oldSelf.hasValue() ? self >= oldSelf.value() : self == 1", "optionalOldSelf": true, "message": "bad"}]},
        "list": {"type": "array", "items": {"type": "integer", "x-kubernetes-validations": rule("self == oldSelf")}},
        "map": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], "items": {
            "type": "object", "required": ["k"], "properties": {"k": {"type": "string"},
                "v": {"type": "integer", "x-kubernetes-validations": rule("self == oldSelf")}}}},
        "whole": {"type": "object", "x-kubernetes-map-type": "atomic", "properties":
            {"v": {"type": "integer", "x-kubernetes-validations": rule("self == oldSelf")}}},
    }));
    assert_eq!(refusal(&schema, json!({"a": "x"}), None), "");
    assert_eq!(refusal(&schema, json!({"a": "x"}), Some(json!({}))), "");
    assert_eq!(
        refusal(&schema, json!({"a": "x"}), Some(json!({"a": "y"}))),
        "spec.a: Invalid value: \"x\": bad"
    );
    assert_eq!(refusal(&schema, json!({"b": 2}), None), "spec.b: Invalid value: 2: bad");
    assert_eq!(refusal(&schema, json!({"b": 1}), None), "");
    assert_eq!(refusal(&schema, json!({"b": 1}), Some(json!({"b": 2}))), "spec.b: Invalid value: 1: bad");
    // Items of lists that are not maps, and fields of atomic maps, have no old values.
    assert_eq!(refusal(&schema, json!({"list": [2]}), Some(json!({"list": [1]}))), "");
    assert_eq!(refusal(&schema, json!({"whole": {"v": 2}}), Some(json!({"whole": {"v": 1}}))), "");
    let items = |a: i64, b: i64| json!({"map": [{"k": "a", "v": a}, {"k": "b", "v": b}]});
    let old = json!({"map": [{"k": "b", "v": 2}]});
    assert_eq!(refusal(&schema, items(1, 2), Some(old.clone())), "");
    assert_eq!(refusal(&schema, items(1, 3), Some(old)), "spec.map[1].v: Invalid value: 3: bad");
}

#[test]
fn messages_fall_back() {
    let message = |expression: &str| {
        let schema = schema(json!({"a": {"type": "string", "x-kubernetes-validations":
            [{"rule": "self == 'x'", "message": " plain ", "messageExpression": expression}]}}));
        refusal(&schema, json!({"a": "y"}), None)
    };
    assert_eq!(message("'it is ' + self"), "spec.a: Invalid value: \"y\": it is y");
    for expression in ["''", "'  '", "'a\\nb'", "self.split(',')[1]", "1"] {
        assert_eq!(message(expression), "spec.a: Invalid value: \"y\": plain", "{expression}");
    }
    let schema =
        schema(json!({"a": {"type": "integer", "x-kubernetes-validations": [{"rule": " self > 1 "}]}}));
    assert_eq!(refusal(&schema, json!({"a": 1}), None), "spec.a: Invalid value: 1: failed rule: self > 1");
}

#[test]
fn unknown_fields_nulls_and_defaults() {
    let schema = schema(json!({
        "open": {"type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties":
            {"shut": {"type": "object", "properties": {"a": {"type": "string"}}}}},
        "free": {"x-kubernetes-preserve-unknown-fields": true},
        "deep": {"type": "object", "default": {}, "properties":
            {"er": {"type": "object", "default": {}, "properties": {"a": {"type": "integer", "default": 1}}}}},
        "map": {"type": "object", "additionalProperties": {"type": "object", "properties": {"a": {"type": "string"}}}},
        "none": {"type": "string", "nullable": true, "default": "x"},
        "list": {"type": "array", "items": {"type": "string", "nullable": true}},
    }));
    let mut value = object(json!({
        "open": {"x": {"y": null}, "shut": {"a": "a", "b": 1}}, "free": [{"x": null}], "deep": null,
        "map": {"k": {"a": null, "b": 1}, "l": null}, "none": null, "list": [null], "other": 1,
    }));
    let warnings = schema.admit(&mut value, None).unwrap();
    let unknown = |path: &str| format!("unknown field \"spec.{path}\"");
    assert_eq!(warnings, [unknown("map.k.b"), unknown("open.shut.b"), unknown("other")]);
    let want = json!({
        "open": {"x": {"y": null}, "shut": {"a": "a"}}, "free": [{"x": null}], "deep": {"er": {"a": 1}},
        "map": {"k": {}}, "none": null, "list": [null],
    });
    assert_eq!(value["spec"], want);
    assert_eq!(value["metadata"]["x"], 1, "metadata is not judged here");
}

#[test]
fn types_bounds_and_lists() {
    let schema = schema(json!({
        "i": {"type": "integer", "format": "int32", "minimum": 0, "maximum": 9},
        "n": {"type": "number"},
        "s": {"type": "string", "minLength": 2, "pattern": "^\\d+$"},
        "set": {"type": "array", "x-kubernetes-list-type": "set", "maxItems": 2, "items": {"type": "string"}},
        "m": {"type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": {"type": "integer"}},
        "b": {"type": "boolean", "x-kubernetes-validations": rule("self")},
    }));
    let p = |spec: Value| refusal(&schema, spec, None);
    let hidden = "some validation rules were not checked because the object was invalid; correct the existing errors to \
                  complete validation";
    let hidden = format!("<nil>: Invalid value: null: {hidden}");
    assert_eq!(p(json!({"i": 1.0, "n": 1, "s": "12", "set": ["a"], "m": {"a": 1}, "b": true})), "");
    assert_eq!(
        p(json!({"i": 10})),
        "spec.i: Invalid value: 10: spec.i in body should be less than or equal to 9"
    );
    assert_eq!(
        p(json!({"i": 1.5})),
        format!(
            "[spec.i: Invalid value: \"float64\": spec.i in body must be of type int32: \"float64\", <nil>: Invalid value: \
             \"\": Checked value must be of type integer with format int32 in spec.i, {hidden}]"
        )
    );
    assert_eq!(
        p(json!({"b": "true"})),
        format!(
            "[spec.b: Invalid value: \"string\": spec.b in body must be of type boolean: \"string\", {hidden}]"
        )
    );
    assert_eq!(
        p(json!({"s": "1"})),
        "spec.s: Invalid value: \"1\": spec.s in body should be at least 2 chars long"
    );
    assert_eq!(p(json!({"s": "1٥"})), r#"spec.s: Invalid value: "1٥": spec.s in body should match '^\d+$'"#);
    assert_eq!(p(json!({"set": ["a", "a"]})), "spec.set[1]: Duplicate value: \"a\"");
    let twice = json!({"set": ["a", "a"]});
    let other = json!({"set": ["b", "b"]});
    assert_eq!(refusal(&schema, other, Some(twice)), "", "what held something twice may go on to");
    assert!(
        p(json!({"set": ["a", "b", "c"]})).starts_with("[spec.set: Too many: 3: must have at most 2 items")
    );
    assert_eq!(
        p(json!({"m": {}})),
        "spec.m: Invalid value: 0: spec.m in body should have at least 1 properties"
    );
    assert!(p(json!({"m": {"a": 1, "b": 2}})).starts_with("[spec.m: Too many: 2: must have at most 1 items"));
    assert!(p(json!({"set": [null]})).contains("spec.set[0] in body must be of type string: \"null\""));
}

#[test]
fn rules_see_what_the_schema_names() {
    let p = |kind: Value, text: &str, value: Value| {
        let mut place = kind;
        place["x-kubernetes-validations"] = rule(text);
        refusal(&schema(json!({"a": place})), json!({"a": value}), None)
    };
    let open = || {
        json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": {
            "in": {"type": "integer"}, "a-b": {"type": "string"}, "t": {"type": "string", "format": "date-time"},
            "n": {"type": "number"}}})
    };
    assert_eq!(p(open(), "!has(self.x) && self.__in__ == 1", json!({"in": 1, "x": 1})), "");
    assert_eq!(p(open(), "self.a__dash__b == 'c' && self.n == 1.0", json!({"a-b": "c", "n": 1})), "");
    let time = json!({"t": "2026-03-01T00:00:00Z"});
    assert_eq!(p(open(), "self.t == timestamp('2026-03-01T01:00:00+01:00')", time), "");
    let lacks = "spec.a: Invalid value: \"object\": no such key: __in__ evaluating rule: bad";
    assert_eq!(p(open(), "self.__in__ == 1", json!({})), lacks);
    assert_eq!(p(open(), "false", json!({})), "spec.a: Invalid value: bad", "an object is not shown");
    let list = || json!({"type": "array", "items": {"type": "integer"}});
    assert_eq!(p(list(), "self.all(i, i > 0) && self.size() == 2", json!([1, 2])), "");
    let beyond = "spec.a: Invalid value: \"array\": index out of bounds: 5 evaluating rule: bad";
    assert_eq!(p(list(), "self[5] == 1", json!([1])), beyond);
    let metadata = json!({"type": "object", "properties": {"spec": {"type": "object"}},
        "x-kubernetes-validations": rule("self.metadata.name == 'n' && !has(self.metadata.x)")});
    assert_eq!(refusal(&Schema::compile(&metadata).unwrap(), json!({}), None), "");
}

#[test]
fn err_schemas() {
    let p = |place: Value| Schema::compile(&around(json!({"a": place}))).unwrap_err();
    assert_eq!(p(json!({"type": "string", "anyOf": []})), "spec.a: keyword `anyOf` is not modelled");
    assert_eq!(p(json!({"type": "string", "format": "uuid"})), "spec.a: format `uuid` is not modelled");
    assert_eq!(p(json!({"type": "array"})), "spec.a: items: Required value: must be specified");
    assert_eq!(p(json!({"type": "string", "maxItems": 1})), "spec.a: a bound that does not fit its type");
    let of_map = json!({"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
        "items": {"type": "object", "properties": {"k": {"type": "string"}}}});
    assert_eq!(p(of_map), "spec.a: x-kubernetes-list-map-keys: a key must be required or have a default");
    assert_eq!(
        p(json!({"type": "integer", "minimum": 1, "default": 0})),
        "spec.a: default: spec.a: Invalid value: 0: spec.a in body should be greater than or equal to 1"
    );
    assert_eq!(
        p(json!({"type": "string", "default": "y", "x-kubernetes-validations": rule("self == 'x'")})),
        "spec.a: default: spec.a: Invalid value: \"y\": bad"
    );
    assert_eq!(
        p(json!({"type": "object", "default": {"b": 1}, "properties": {}})),
        "spec.a: default: unknown field `spec.a.b`"
    );
    let with =
        |rule: Value| p(json!({"type": "object", "properties": {}, "x-kubernetes-validations": [rule]}));
    assert!(
        with(json!({"rule": "self ==", "message": "m"})).starts_with("spec.a: `self ==` does not compile")
    );
    assert!(with(json!({"rule": "other == 1", "message": "m"})).contains("undeclared reference to 'other'"));
    assert!(with(json!({"rule": "[1].all(x, x == 1) && x == 1"})).contains("undeclared reference to 'x'"));
    let bound = json!({"type": "object", "properties": {}, "x-kubernetes-validations":
        rule("[1, 2].map(x, [x].exists(y, y == x)).all(z, z) && type('a') == string && optional.of(1).hasValue()")});
    assert_eq!(refusal(&schema(json!({"a": bound})), json!({"a": {}}), None), "");
    assert!(with(json!({"rule": "true", "fieldPath": ".b"})).contains("does not refer to a valid field"));
    assert!(with(json!({"rule": "true", "reason": "X"})).contains("reason `X` is not known"));
    assert!(with(json!({"rule": "true", "optionalOldSelf": true})).contains("does not mention oldSelf"));
}
