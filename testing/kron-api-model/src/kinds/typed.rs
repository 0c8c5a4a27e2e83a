//! Checking bodies of built-in kinds against their types: what has the wrong type is refused, what is unknown is named.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Fields that newer servers know and the types here do not. They are kept and not checked.
const NEWER: &[&str] = &[
    "bindMountOptions",
    "defaultUser",
    "evictionResponders",
    "fileKeyRef",
    "hostnameOverride",
    "mode",
    "podCertificate",
    "protocol",
    "restartPolicyRules",
    "scheduling",
    "schedulingGroup",
    "user",
];

/// Reads an object as its type, removes the fields that the type does not have, and names them.
pub(crate) fn prune<T: DeserializeOwned + Serialize>(object: &mut Value) -> Result<Vec<String>, String> {
    // Types of the API read null as the zero value.
    crate::json::drop_nulls(object);
    let typed = T::deserialize(&*object).map_err(|error| format!("json: cannot unmarshal: {error}"))?;
    let known = serde_json::to_value(&typed).map_err(|error| error.to_string())?;
    let mut unknown = Vec::new();
    prune_unknown(object, &known, "", &mut unknown);
    Ok(unknown)
}

fn prune_unknown(value: &mut Value, known: &Value, path: &str, unknown: &mut Vec<String>) {
    match (value, known) {
        (Value::Object(map), Value::Object(known)) => {
            map.retain(|key, value| {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                match known.get(key) {
                    Some(known) => prune_unknown(value, known, &path, unknown),
                    None if NEWER.contains(&key.as_str()) => {}
                    None => {
                        unknown.push(kron_api_schema::unknown_field(&path));
                        return false;
                    }
                }
                true
            });
        }
        (Value::Array(list), Value::Array(known)) => {
            for (index, (value, known)) in list.iter_mut().zip(known).enumerate() {
                prune_unknown(value, known, &format!("{path}[{index}]"), unknown);
            }
        }
        _ => {}
    }
}

/// Refuses times that are not written with exactly six digits of a second: servers read them no other way.
pub(crate) fn micro_time(object: &Value, path: &[&str]) -> Result<(), String> {
    let Some(text) = crate::json::text(object, path) else { return Ok(()) };
    let layout = "2006-01-02T15:04:05.000000Z07:00";
    let fraction = text.get(19..).unwrap_or_default();
    let digits = fraction.strip_prefix('.').map(|rest| rest.bytes().take_while(u8::is_ascii_digit).count());
    if digits == Some(6) && chrono::DateTime::parse_from_rfc3339(text).is_ok() {
        Ok(())
    } else {
        Err(format!("parsing time {text:?} as {layout:?}: cannot parse {fraction:?} as \".000000\""))
    }
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::batch::v1::Job;
    use serde_json::json;

    use super::*;

    #[test]
    fn unknown_fields_are_named_and_removed() {
        let mut job = json!({"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "a", "colour": 1},
            "spec": {"template": {"spec": {"schedulingGroup": {"x": 1}, "containers": [
                {"name": "a", "image": "b", "imagge": "c", "env": [{"name": "A", "valu": "b"}]}]}},
                "suspend": null, "paralelism": 2}});
        let mut unknown = prune::<Job>(&mut job).unwrap();
        unknown.sort();
        assert_eq!(
            unknown,
            [
                "unknown field \"metadata.colour\"",
                "unknown field \"spec.paralelism\"",
                "unknown field \"spec.template.spec.containers[0].env[0].valu\"",
                "unknown field \"spec.template.spec.containers[0].imagge\""
            ]
        );
        assert_eq!(
            job["spec"],
            json!({"template": {"spec": {"schedulingGroup": {"x": 1}, "containers": [
                {"name": "a", "image": "b", "env": [{"name": "A"}]}]}}})
        );
        let mut job = json!({"apiVersion": "batch/v1", "kind": "Job", "metadata": {"labels": {"a": true}}});
        assert!(prune::<Job>(&mut job).is_err());
    }

    #[test]
    fn times_have_six_digits() {
        let time = |text: &str| micro_time(&json!({"t": text}), &["t"]);
        assert_eq!(time("2026-03-01T00:00:00.123456Z"), Ok(()));
        assert_eq!(time("2026-03-01T00:00:00.123456+01:00"), Ok(()));
        for wrong in
            ["2026-03-01T00:00:00Z", "2026-03-01T00:00:00.123Z", "2026-03-01T00:00:00.123456789Z", "now"]
        {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }
}
