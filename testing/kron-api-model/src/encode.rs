//! From stored objects to the JSON of answers.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::{Value, json};

use crate::kinds::events;
use crate::resource::{Form, View};

const METADATA_VERSION: &str = "meta.k8s.io/v1";

/// An object in the form of a view.
pub(crate) struct Shown<'a> {
    pub(crate) value: &'a Value,
    pub(crate) view: &'a View,
    /// Elements of lists of built-in kinds carry no `apiVersion` and no `kind`.
    pub(crate) item: bool,
}

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let view = self.view;
        if view.metadata_only {
            let mut map = serializer.serialize_map(Some(3))?;
            map.serialize_entry("kind", "PartialObjectMetadata")?;
            map.serialize_entry("apiVersion", METADATA_VERSION)?;
            map.serialize_entry("metadata", &self.value["metadata"])?;
            return map.end();
        }
        let bare = self.item && !view.typed_items;
        match view.form {
            Form::Stored if !bare => self.value.serialize(serializer),
            Form::EventsV1 => without_type(&events::to_events_v1(self.value), view, bare, serializer),
            _ => without_type(self.value, view, bare, serializer),
        }
    }
}

fn without_type<S: Serializer>(
    value: &Value,
    view: &View,
    bare: bool,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let Some(fields) = value.as_object() else { return value.serialize(serializer) };
    let mut map = serializer.serialize_map(None)?;
    if !bare {
        map.serialize_entry("apiVersion", &view.api_version)?;
        map.serialize_entry("kind", &view.kind)?;
    }
    for (key, value) in fields {
        if key != "apiVersion" && key != "kind" {
            map.serialize_entry(key, value)?;
        }
    }
    map.end()
}

/// An object as an answer or as part of a watch event.
pub(crate) fn object(value: &Value, view: &View) -> Vec<u8> {
    to_bytes(&Shown { value, view, item: false })
}

/// An object in the form of a view, to work on.
pub(crate) fn to_view(value: &Value, view: &View) -> Value {
    let view = View { metadata_only: false, ..view.clone() };
    serde_json::to_value(Shown { value, view: &view, item: false }).unwrap_or_default()
}

/// A list of objects.
pub(crate) fn list<'a>(
    items: impl Iterator<Item = &'a Value>,
    view: &View,
    version: u64,
    next: Option<(String, Option<usize>)>,
) -> Vec<u8> {
    let mut metadata = json!({"resourceVersion": version.to_string()});
    if let Some((token, remaining)) = next {
        crate::json::set(&mut metadata, &["continue"], token);
        if let Some(remaining) = remaining {
            crate::json::set(&mut metadata, &["remainingItemCount"], remaining);
        }
    }
    let (kind, api_version) = if view.metadata_only {
        ("PartialObjectMetadataList", METADATA_VERSION)
    } else {
        (view.list_kind.as_str(), view.api_version.as_str())
    };
    let head = json!({"kind": kind, "apiVersion": api_version, "metadata": metadata}).to_string();
    let mut bytes = head.into_bytes();
    // The closing brace makes room for the items.
    bytes.pop();
    bytes.extend_from_slice(b",\"items\":[");
    for (index, value) in items.enumerate() {
        if index > 0 {
            bytes.push(b',');
        }
        bytes.extend(to_bytes(&Shown { value, view, item: true }));
    }
    bytes.extend_from_slice(b"]}");
    bytes
}

/// Serializing free JSON to memory cannot fail.
fn to_bytes(shown: &Shown<'_>) -> Vec<u8> {
    serde_json::to_vec(shown).unwrap_or_default()
}
