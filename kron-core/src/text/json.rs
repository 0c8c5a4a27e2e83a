//! JSON values, read strictly: a repeated key is an error, and errors know their path.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use core::fmt;

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::error::Category;
use serde_json::{Map, Number, Value};

use crate::error::{Error, Snippet, StructureError, nearest};

/// Reads a type that names its fields, with the path of what does not fit.
pub(crate) fn read<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<T, Error> {
    serde_path_to_error::deserialize(deserializer).map_err(|error| {
        let path = error.path().to_string();
        structural(path, &error.inner().to_string())
    })
}

/// Reads one JSON document.
pub(crate) fn read_json<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    let values = json_documents(text)?;
    match <[Value; 1]>::try_from(values) {
        Ok([value]) => read(value),
        Err(values) => {
            let what = if values.is_empty() { "nothing" } else { "more than one document" };
            Err(Error::of(
                "",
                StructureError::Syntax { message: alloc::format!("expected one document, but found {what}") },
            ))
        }
    }
}

/// All JSON documents of a text, one after another. A key that appears twice in an object is an error.
///
/// # Errors
///
/// [`ManifestSyntax`](crate::ErrorCode::ManifestSyntax), with the line and the place in it.
///
/// ```
/// use kron_core::text::json_documents;
/// assert_eq!(json_documents(r#"{"a": 1} {"a": 2}"#)?.len(), 2);
/// assert!(json_documents(r#"{"a": 1, "a": 2}"#).is_err());
/// # Ok::<(), kron_core::Error>(())
/// ```
pub fn json_documents(text: &str) -> Result<Vec<Value>, Error> {
    let stream = serde_json::Deserializer::from_str(text).into_iter::<StrictJson>();
    stream
        .map(|value| value.map(|StrictJson(value)| value))
        .collect::<Result<_, _>>()
        .map_err(|error| syntax(text, &error))
}

/// The error of a text that is no JSON, in words of our own.
fn syntax(text: &str, error: &serde_json::Error) -> Error {
    let said = error.to_string();
    let (message, help) = match error.classify() {
        Category::Eof => ("the JSON ends too early", "write the rest of it"),
        // A message of the reader below: a key that appears twice.
        Category::Data => {
            (said.rsplit_once(" at line ").map_or(&*said, |(key, _)| key), "delete one of the two")
        }
        _ if said.starts_with("trailing comma") => ("a comma is one too many", "leave it out"),
        _ if said.starts_with("key must be") => ("a key is not in quotes", "put it in quotes"),
        _ if said.starts_with("trailing") => ("something follows the JSON", "leave it out"),
        _ => ("this is not JSON", "write \"text\", a number, true, false, null, [...] or {\"key\": ...}"),
    };
    let line = text.lines().nth(error.line().saturating_sub(1)).unwrap_or_default();
    let end = error.column().min(line.len());
    let place = end.saturating_sub(1)..end;
    Error::of("", StructureError::Syntax { message: message.to_string() })
        .at(place)
        .located(line)
        .on_line(error.line())
        .with_help(help.to_string())
}

/// Turns serde's message about a wrong structure into an error of this crate. Tests compare serde's messages.
fn structural(path: String, message: &str) -> Error {
    let quoted = message.split('`').nth(1).unwrap_or_default();
    let path = if path == "." { String::new() } else { path };
    if message.starts_with("unknown field") {
        // The path ends in the unknown field itself.
        let parent =
            path.strip_suffix(quoted).map(|parent| parent.trim_end_matches('.')).unwrap_or(&path).to_string();
        let allowed: Vec<&str> = message.split('`').skip(3).step_by(2).collect();
        let nearest = nearest(quoted, allowed.iter().copied()).map(ToString::to_string);
        return Error::of(parent, StructureError::Unknown { field: Snippet::of(quoted), nearest });
    }
    if message.starts_with("missing field") {
        return Error::of(path, StructureError::Missing { field: Snippet::of(quoted) });
    }
    // A message of our own without the value: YAML's `012` is the number 12, which is not what the file has.
    let kinds = message.strip_prefix("invalid type: ").and_then(|kinds| kinds.split_once(", expected "));
    if let Some((found, want)) = kinds.and_then(|(found, want)| Some((kind(found)?, kind(want)?))) {
        return Error::of(path, StructureError::Type { found, want });
    }
    Error::of(path, StructureError::Mismatch { message: Snippet::text(message) })
}

/// Serde's names for the kinds of values, and ours.
const KINDS: [(&str, &str); 8] = [
    ("null", "nothing"),
    ("boolean", "a boolean"),
    ("integer", "a number"),
    ("floating point", "a number"),
    ("string", "a string"),
    ("sequence", "a list"),
    ("map", "an object"),
    ("object", "an object"),
];

fn kind(serde: &str) -> Option<&'static str> {
    let name = serde.strip_prefix("an ").or_else(|| serde.strip_prefix("a ")).unwrap_or(serde);
    KINDS.iter().find(|(prefix, _)| name.starts_with(prefix)).map(|(_, kind)| *kind)
}

/// A JSON value that is read strictly, from any deserializer: a key that appears twice in an object is an error.
///
/// ```
/// use kron_core::text::StrictJson;
/// let read = |text: &str| serde_json::from_str::<StrictJson>(text).map(|StrictJson(value)| value);
/// assert_eq!(read(r#"{"a": 1}"#).unwrap(), serde_json::json!({"a": 1}));
/// assert!(read(r#"{"a": 1, "a": 2}"#).is_err());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct StrictJson(pub Value);

impl<'de> serde::Deserialize<'de> for StrictJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<StrictJson, D::Error> {
        deserializer.deserialize_any(Strict).map(StrictJson)
    }
}

struct Strict;

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("a number must be finite"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_string()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(StrictJson(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let StrictJson(value) = entries.next_value()?;
            if object.contains_key(&key) {
                return Err(A::Error::custom(format_args!("key {} appears twice", Snippet::of(&key))));
            }
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn err_a_text_that_is_no_json_has_own_words_and_a_place() {
        let p = |text: &str| json_documents(text).unwrap_err().to_string();
        assert_eq!(p("{\"a\": 1"), "line 1: the JSON ends too early at column 7; write the rest of it");
        assert_eq!(p("{\n  \"a\":"), "line 2: the JSON ends too early at column 6; write the rest of it");
        assert_eq!(p("[1,]"), "line 1: a comma is one too many at column 4; leave it out");
        assert_eq!(p("{a: 1}"), "line 1: a key is not in quotes at column 2; put it in quotes");
        let other = "; write \"text\", a number, true, false, null, [...] or {\"key\": ...}";
        assert_eq!(p("{\"a\": nil}"), alloc::format!("line 1: this is not JSON at column 8{other}"));
        assert_eq!(p("{\"ä\": ö}"), alloc::format!("line 1: this is not JSON at column 7{other}"));
        assert_eq!(p("{\"a\": 1 \"b\": 2}"), alloc::format!("line 1: this is not JSON at column 9{other}"));
        let twice = p("{\"a b\": 1,\n\"a b\": 2}");
        assert_eq!(twice, "line 2: key `a b` appears twice at column 9; delete one of the two");
    }
}
