//! Reading and writing free JSON by path.

use serde_json::{Map, Value};

/// The value at a path of keys, if it is there and not null.
pub(crate) fn at<'a>(value: &'a Value, path: &[&str]) -> Option<&'a Value> {
    let mut value = value;
    for key in path {
        value = value.get(key)?;
    }
    (!value.is_null()).then_some(value)
}

/// The text at a path; absent and of another type are the same.
pub(crate) fn text<'a>(value: &'a Value, path: &[&str]) -> Option<&'a str> {
    at(value, path)?.as_str()
}

/// The text at a path, empty if there is none: the zero value of the API's own types.
pub(crate) fn text_or_empty<'a>(value: &'a Value, path: &[&str]) -> &'a str {
    text(value, path).unwrap_or_default()
}

/// The integer at a path.
pub(crate) fn integer(value: &Value, path: &[&str]) -> Option<i64> {
    at(value, path)?.as_i64()
}

/// The elements of the list at a path, none if there is no list.
pub(crate) fn list<'a>(value: &'a Value, path: &[&str]) -> &'a [Value] {
    at(value, path).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The map at a path. Anything else there is replaced by an empty map.
pub(crate) fn map_mut<'a>(value: &'a mut Value, path: &[&str]) -> &'a mut Map<String, Value> {
    let mut value = value;
    for key in path {
        value = as_map(value).entry(*key).or_insert(Value::Null);
    }
    as_map(value)
}

fn as_map(value: &mut Value) -> &mut Map<String, Value> {
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
    match value {
        Value::Object(map) => map,
        // The line above has made it a map.
        _ => unreachable!("a map"),
    }
}

/// Sets the last key of a path; the maps before it are made where they are missing.
pub(crate) fn set(value: &mut Value, path: &[&str], new: impl Into<Value>) {
    if let Some((last, parents)) = path.split_last() {
        map_mut(value, parents).insert((*last).to_owned(), new.into());
    }
}

/// Removes the last key of a path.
pub(crate) fn remove(value: &mut Value, path: &[&str]) -> Option<Value> {
    let (last, parents) = path.split_last()?;
    let mut value = value;
    for key in parents {
        value = value.get_mut(key)?;
    }
    value.as_object_mut()?.remove(*last)
}

/// Sets the last key of a path if it is absent or null.
pub(crate) fn default(value: &mut Value, path: &[&str], new: impl Into<Value>) {
    if at(value, path).is_none() {
        set(value, path, new);
    }
}

/// Copies a key from one object to another; what the source does not have is removed.
pub(crate) fn copy(from: &Value, to: &mut Value, path: &[&str]) {
    match at(from, path) {
        Some(value) => set(to, path, value.clone()),
        None => drop(remove(to, path)),
    }
}

/// Removes the keys whose value is null, everywhere but in lists: so the API's own types read them.
pub(crate) fn drop_nulls(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.retain(|_, value| !value.is_null());
            map.values_mut().for_each(drop_nulls);
        }
        Value::Array(list) => list.iter_mut().for_each(drop_nulls),
        _ => {}
    }
}
