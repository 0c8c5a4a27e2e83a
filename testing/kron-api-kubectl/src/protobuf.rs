//! Bodies of requests in protobuf, as far as kubectl and Helm send them: Namespaces, ConfigMaps and Secrets of a name, a
//! namespace, labels, annotations, data and a type. A body with any other field is not read.

use k8s_openapi::ByteString;
use serde_json::{Map, Value, json};

/// The content type of these bodies.
pub(crate) const MEDIA_TYPE: &str = "application/vnd.kubernetes.protobuf";
/// What every body begins with.
const MAGIC: &[u8] = b"k8s\0";

/// The fields of a message: their numbers and what they hold. Only those with a length have bytes.
fn fields(mut bytes: &[u8]) -> Option<Vec<(u64, &[u8])>> {
    let mut fields = Vec::new();
    while !bytes.is_empty() {
        let tag = number(&mut bytes)?;
        match tag & 7 {
            // A number that is zero is absent, and `metadata.generation` is the server's own.
            0 if number(&mut bytes)? == 0 || tag >> 3 == 7 => {}
            2 => {
                let length = usize::try_from(number(&mut bytes)?).ok()?;
                let (content, rest) = bytes.split_at_checked(length)?;
                fields.push((tag >> 3, content));
                bytes = rest;
            }
            _ => return None,
        }
    }
    Some(fields)
}

/// A number of variable length.
fn number(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

/// Whether nothing in a message is set.
fn is_blank(bytes: &[u8]) -> bool {
    fields(bytes).is_some_and(|fields| fields.iter().all(|(_, content)| content.is_empty()))
}

fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}

/// Puts the text of a field in its place, unless it is empty, which means that it is absent.
fn put(object: &mut Map<String, Value>, key: &str, bytes: &[u8]) -> Option<()> {
    let text = text(bytes)?;
    if !text.is_empty() {
        object.insert(key.to_owned(), text.into());
    }
    Some(())
}

/// Puts an entry of a map in its place; bytes are base64 in JSON.
fn put_entry(object: &mut Map<String, Value>, key: &str, bytes: &[u8], is_text: bool) -> Option<()> {
    let (mut name, mut value): (&str, &[u8]) = ("", &[]);
    for (number, content) in fields(bytes)? {
        match number {
            1 => name = text(content)?,
            2 => value = content,
            _ => return None,
        }
    }
    let map = object.entry(key).or_insert_with(|| json!({}));
    map[name] = if is_text { text(value)?.into() } else { json!(ByteString(value.to_vec())) };
    Some(())
}

fn metadata(bytes: &[u8]) -> Option<Value> {
    let mut metadata = Map::new();
    for (number, content) in fields(bytes)? {
        match number {
            1 => put(&mut metadata, "name", content)?,
            2 => put(&mut metadata, "generateName", content)?,
            3 => put(&mut metadata, "namespace", content)?,
            5 => put(&mut metadata, "uid", content)?,
            6 => put(&mut metadata, "resourceVersion", content)?,
            11 => put_entry(&mut metadata, "labels", content, true)?,
            12 => put_entry(&mut metadata, "annotations", content, true)?,
            // creationTimestamp: an update leaves it as it is.
            8 => {}
            4 if content.is_empty() => {}
            _ => return None,
        }
    }
    Some(metadata.into())
}

/// Reads a body, or nothing if it is of another kind or has other fields.
pub(crate) fn read(body: &[u8]) -> Option<Value> {
    let mut object = Map::new();
    let mut raw: &[u8] = &[];
    for (number, content) in fields(body.strip_prefix(MAGIC)?)? {
        match number {
            1 => {
                for (number, content) in fields(content)? {
                    put(&mut object, if number == 1 { "apiVersion" } else { "kind" }, content)?;
                }
            }
            2 => raw = content,
            // Content encoding and content type.
            _ if content.is_empty() => {}
            _ => return None,
        }
    }
    let kind = object.get("kind").and_then(Value::as_str).unwrap_or_default().to_owned();
    if object.get("apiVersion").and_then(Value::as_str) != Some("v1") {
        return None;
    }
    for (number, content) in fields(raw)? {
        match (&*kind, number) {
            ("Namespace" | "ConfigMap" | "Secret", 1) => {
                drop(object.insert("metadata".into(), metadata(content)?))
            }
            // Its spec and its status.
            ("Namespace", 2 | 3) if is_blank(content) => {}
            ("ConfigMap", 2) => put_entry(&mut object, "data", content, true)?,
            ("Secret", 2) => put_entry(&mut object, "data", content, false)?,
            ("Secret", 3) => put(&mut object, "type", content)?,
            _ => return None,
        }
    }
    Some(object.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(number: u8, content: &[u8]) -> Vec<u8> {
        [&[number << 3 | 2, u8::try_from(content.len()).unwrap()], content].concat()
    }

    fn body(kind: &str, raw: &[u8]) -> Vec<u8> {
        let kind = [field(1, b"v1"), field(2, kind.as_bytes())].concat();
        [MAGIC.to_vec(), field(1, &kind), field(2, raw), field(3, b""), field(4, b"")].concat()
    }

    #[test]
    fn bodies_of_known_fields_are_read_and_no_others() {
        let entry = [field(1, b"k"), field(2, b"v")].concat();
        let metadata = [field(1, b"name"), field(3, b"space"), field(8, b""), field(11, &entry)].concat();
        let raw = [field(1, &metadata), field(2, &entry)].concat();
        let wanted = json!({
            "apiVersion": "v1", "kind": "ConfigMap", "data": {"k": "v"},
            "metadata": {"name": "name", "namespace": "space", "labels": {"k": "v"}},
        });
        assert_eq!(read(&body("ConfigMap", &raw)), Some(wanted));
        // The phase of a status, without a text.
        let namespace = [field(1, &field(1, b"name")), field(2, b""), field(3, &field(1, b""))].concat();
        assert_eq!(
            read(&body("Namespace", &namespace)).map(|object| object["metadata"].clone()),
            Some(json!({"name": "name"}))
        );
        // binaryData
        assert_eq!(read(&body("ConfigMap", &[raw.clone(), field(3, &entry)].concat())), None);
        assert_eq!(
            read(&body("Secret", &raw)).map(|secret| secret["data"]["k"].clone()),
            Some("dg==".into())
        );
        assert_eq!(read(&body("Service", &raw)), None);
        assert_eq!(read(&raw), None);
        assert_eq!(read(&body("ConfigMap", &raw)[..40]), None);
    }
}
