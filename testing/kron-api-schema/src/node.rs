//! A structural schema, compiled: one node for each place of an object.

use std::collections::BTreeMap;
use std::sync::Arc;

use regex::Regex;
use serde_json::{Map, Value};

use crate::cel::{Expression, compile_regex};
use crate::error::ErrorKind;

/// What a value may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Object,
    Array,
    String,
    Integer,
    Number,
    Boolean,
    /// Anything: `x-kubernetes-preserve-unknown-fields` without a type.
    Any,
}

impl Type {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Type::Object => "object",
            Type::Array => "array",
            Type::String => "string",
            Type::Integer => "integer",
            Type::Number => "number",
            Type::Boolean => "boolean",
            Type::Any => "",
        }
    }
}

/// The formats that are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    DateTime,
    Int32,
    Int64,
}

impl Format {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Format::DateTime => "date-time",
            Format::Int32 => "int32",
            Format::Int64 => "int64",
        }
    }
}

/// What distinguishes the items of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ListType {
    Atomic,
    Set,
    Map(Vec<String>),
}

/// One of `x-kubernetes-validations`.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) expression: Expression,
    /// The expression, for rules without a message.
    pub(crate) text: String,
    pub(crate) message: String,
    pub(crate) message_expression: Option<Expression>,
    /// Without the point that it begins with.
    pub(crate) field_path: String,
    pub(crate) reason: ErrorKind,
    pub(crate) optional_old_self: bool,
}

/// A place of the schema.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) kind: Type,
    pub(crate) format: Option<Format>,
    pub(crate) nullable: bool,
    pub(crate) default: Option<Value>,
    pub(crate) required: Vec<String>,
    pub(crate) properties: BTreeMap<String, Node>,
    pub(crate) additional: Option<Box<Node>>,
    pub(crate) items: Option<Box<Node>>,
    pub(crate) preserve: bool,
    /// The root of an object: its apiVersion, kind and metadata are left alone.
    pub(crate) embedded: bool,
    pub(crate) values: Vec<Value>,
    pub(crate) length: Bounds,
    pub(crate) item_count: Bounds,
    pub(crate) property_count: Bounds,
    pub(crate) minimum: Option<f64>,
    pub(crate) maximum: Option<f64>,
    pub(crate) pattern: Option<(String, Arc<Regex>)>,
    pub(crate) list_type: ListType,
    /// Whether a map is replaced as a whole: its fields have no old values.
    pub(crate) atomic_map: bool,
    pub(crate) rules: Vec<Rule>,
}

/// The least and the greatest of a count.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bounds {
    pub(crate) min: Option<u64>,
    pub(crate) max: Option<u64>,
}

/// Keywords that change nothing about a value.
const SILENT: [&str; 4] = ["description", "title", "externalDocs", "example"];

/// Reads the keywords of one schema, and knows which are left.
struct Keywords<'s> {
    path: &'s str,
    left: Map<String, Value>,
}

impl Keywords<'_> {
    fn wrong(&self, keyword: &str, want: &str) -> String {
        format!("{}: {keyword} must be {want}", place(self.path))
    }

    fn flag(&mut self, keyword: &str) -> Result<bool, String> {
        match self.left.remove(keyword) {
            None => Ok(false),
            Some(value) => value.as_bool().ok_or_else(|| self.wrong(keyword, "a boolean")),
        }
    }

    fn text(&mut self, keyword: &str) -> Result<Option<String>, String> {
        match self.left.remove(keyword) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(self.wrong(keyword, "a string")),
        }
    }

    fn count(&mut self, keyword: &str) -> Result<Option<u64>, String> {
        match self.left.remove(keyword) {
            None => Ok(None),
            Some(value) => value.as_u64().map(Some).ok_or_else(|| self.wrong(keyword, "a whole number")),
        }
    }

    fn number(&mut self, keyword: &str) -> Result<Option<f64>, String> {
        match self.left.remove(keyword) {
            None => Ok(None),
            Some(value) => value.as_f64().map(Some).ok_or_else(|| self.wrong(keyword, "a number")),
        }
    }

    fn list(&mut self, keyword: &str) -> Result<Vec<Value>, String> {
        match self.left.remove(keyword) {
            None => Ok(Vec::new()),
            Some(Value::Array(list)) => Ok(list),
            Some(_) => Err(self.wrong(keyword, "a list")),
        }
    }

    fn texts(&mut self, keyword: &str) -> Result<Vec<String>, String> {
        let list = self.list(keyword)?;
        let texts = list.iter().map(|item| item.as_str().map(ToOwned::to_owned)).collect::<Option<_>>();
        texts.ok_or_else(|| self.wrong(keyword, "a list of strings"))
    }

    fn bounds(&mut self, min: &str, max: &str) -> Result<Bounds, String> {
        Ok(Bounds { min: self.count(min)?, max: self.count(max)? })
    }
}

fn place(path: &str) -> &str {
    if path.is_empty() { "the schema" } else { path }
}

impl Node {
    /// Compiles a schema and all below it.
    ///
    /// # Errors
    ///
    /// What a server refuses in a schema, and keywords that this model does not know.
    pub(crate) fn compile(schema: &Value, path: &str) -> Result<Node, String> {
        let Value::Object(schema) = schema else { return Err(format!("{}: must be an object", place(path))) };
        let mut left = Keywords { path, left: schema.clone() };
        let preserve = left.flag("x-kubernetes-preserve-unknown-fields")?;
        let kind = match left.text("type")?.as_deref() {
            Some("object") => Type::Object,
            Some("array") => Type::Array,
            Some("string") => Type::String,
            Some("integer") => Type::Integer,
            Some("number") => Type::Number,
            Some("boolean") => Type::Boolean,
            None if preserve => Type::Any,
            None => return Err(format!("{}: type: Required value: must not be empty", place(path))),
            Some(other) => return Err(format!("{}: type `{other}` is not known", place(path))),
        };
        let format = match left.text("format")?.as_deref() {
            None => None,
            Some("date-time") => Some(Format::DateTime),
            Some("int32") => Some(Format::Int32),
            Some("int64") => Some(Format::Int64),
            Some(other) => return Err(format!("{}: format `{other}` is not modelled", place(path))),
        };
        let mut properties = BTreeMap::new();
        match left.left.remove("properties") {
            None => {}
            Some(Value::Object(map)) => {
                for (name, schema) in map {
                    let node = Node::compile(&schema, &child(path, &name))?;
                    properties.insert(name, node);
                }
            }
            Some(_) => return Err(left.wrong("properties", "an object")),
        }
        let nested = |schema: Option<Value>, path: String| -> Result<Option<Box<Node>>, String> {
            schema.map(|schema| Node::compile(&schema, &path).map(Box::new)).transpose()
        };
        let additional = nested(left.left.remove("additionalProperties"), format!("{path}[*]"))?;
        let items = nested(left.left.remove("items"), format!("{path}[*]"))?;
        let pattern = match left.text("pattern")? {
            None => None,
            Some(pattern) => {
                let regex = compile_regex(&pattern).map_err(|error| format!("{}: {error}", place(path)))?;
                Some((pattern, regex))
            }
        };
        let keys = left.texts("x-kubernetes-list-map-keys")?;
        let list_type = match left.text("x-kubernetes-list-type")?.as_deref() {
            None | Some("atomic") => ListType::Atomic,
            Some("set") => ListType::Set,
            Some("map") => ListType::Map(keys),
            Some(other) => return Err(format!("{}: list type `{other}` is not known", place(path))),
        };
        let atomic_map = left.text("x-kubernetes-map-type")?.is_some_and(|kind| kind == "atomic");
        let mut node = Node {
            kind,
            format,
            nullable: left.flag("nullable")?,
            default: left.left.remove("default"),
            required: left.texts("required")?,
            properties,
            additional,
            items,
            preserve,
            embedded: left.flag("x-kubernetes-embedded-resource")? || path.is_empty(),
            values: left.list("enum")?,
            length: left.bounds("minLength", "maxLength")?,
            item_count: left.bounds("minItems", "maxItems")?,
            property_count: left.bounds("minProperties", "maxProperties")?,
            minimum: left.number("minimum")?,
            maximum: left.number("maximum")?,
            pattern,
            list_type,
            atomic_map,
            rules: Vec::new(),
        };
        for rule in left.list("x-kubernetes-validations")? {
            node.rules.push(node.compile_rule(&rule, path)?);
        }
        left.left.retain(|keyword, _| !SILENT.contains(&keyword.as_str()));
        if let Some(keyword) = left.left.keys().next() {
            return Err(format!("{}: keyword `{keyword}` is not modelled", place(path)));
        }
        node.check_structure(path)?;
        Ok(node)
    }

    fn compile_rule(&self, rule: &Value, path: &str) -> Result<Rule, String> {
        let here = |error: String| format!("{}: {error}", place(path));
        let Value::Object(rule) = rule else { return Err(here("a rule must be an object".to_owned())) };
        let mut left = Keywords { path, left: rule.clone() };
        let text = left.text("rule")?.ok_or_else(|| here("rule: Required value".to_owned()))?;
        let field_path = left.text("fieldPath")?.unwrap_or_default();
        let field = field_path.strip_prefix('.').unwrap_or(&field_path);
        if !field.is_empty() && !self.declares(field) {
            return Err(here(format!(
                "fieldPath: Invalid value: {field_path}: does not refer to a valid field"
            )));
        }
        let reason = match left.text("reason")?.as_deref() {
            None | Some("FieldValueInvalid") => ErrorKind::Invalid,
            Some("FieldValueForbidden") => ErrorKind::Forbidden,
            Some("FieldValueRequired") => ErrorKind::Required,
            Some("FieldValueDuplicate") => ErrorKind::Duplicate,
            Some(other) => return Err(here(format!("reason `{other}` is not known"))),
        };
        let message = left.text("message")?.unwrap_or_default().trim().to_owned();
        if message.contains('\n') {
            return Err(here("message: must not contain line breaks".to_owned()));
        }
        let expression = Expression::compile(&text).map_err(here)?;
        let message_expression = left.text("messageExpression")?;
        let message_expression =
            message_expression.map(|text| Expression::compile(&text)).transpose().map_err(here)?;
        let optional_old_self = left.flag("optionalOldSelf")?;
        if optional_old_self && !expression.uses_old() {
            return Err(here(
                "optionalOldSelf: may not be set, since the rule does not mention oldSelf".to_owned(),
            ));
        }
        if let Some(keyword) = left.left.keys().next() {
            return Err(here(format!("keyword `{keyword}` of a rule is not modelled")));
        }
        Ok(Rule {
            expression,
            text: text.trim().to_owned(),
            message,
            message_expression,
            field_path: field.to_owned(),
            reason,
            optional_old_self,
        })
    }

    fn declares(&self, path: &str) -> bool {
        let (name, rest) = path.split_once('.').unwrap_or((path, ""));
        self.properties.get(name).is_some_and(|node| rest.is_empty() || node.declares(rest))
    }

    /// What makes a schema structural.
    fn check_structure(&self, path: &str) -> Result<(), String> {
        let here = |text: &str| Err(format!("{}: {text}", place(path)));
        if path.is_empty() && self.kind != Type::Object {
            return here("type: Invalid value: must be object at the root");
        }
        if !self.properties.is_empty() && self.additional.is_some() {
            return here(
                "additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive",
            );
        }
        if self.kind == Type::Array && self.items.is_none() {
            return here("items: Required value: must be specified");
        }
        if let ListType::Map(keys) = &self.list_type {
            let items = self.items.as_deref();
            if keys.is_empty() {
                return here("x-kubernetes-list-map-keys: Required value");
            }
            for key in keys {
                let node = items.and_then(|items| items.properties.get(key));
                let Some(node) = node else {
                    return here(
                        "x-kubernetes-list-map-keys: a key is not among the properties of the items",
                    );
                };
                let required = items.is_some_and(|items| items.required.contains(key));
                if !required && node.default.is_none() {
                    return here("x-kubernetes-list-map-keys: a key must be required or have a default");
                }
            }
        }
        let count =
            |bounds: Bounds, kind| (bounds.min.is_none() && bounds.max.is_none()) || self.kind == kind;
        if !count(self.length, Type::String)
            || !count(self.item_count, Type::Array)
            || !count(self.property_count, Type::Object)
        {
            return here("a bound that does not fit its type");
        }
        Ok(())
    }
}

/// The path of a field.
pub(crate) fn child(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}
