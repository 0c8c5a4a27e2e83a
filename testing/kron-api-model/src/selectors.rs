//! Label selectors and field selectors.

use serde_json::Value;

use crate::json;
use crate::names;
use crate::status::Status;

/// Which objects of a collection are meant.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selection {
    labels: Vec<Requirement>,
    fields: Vec<(String, String, bool)>,
}

#[derive(Clone, Debug)]
enum Requirement {
    In(String, Vec<String>),
    NotIn(String, Vec<String>),
    Exists(String),
    Missing(String),
}

impl Selection {
    /// Reads both selectors. The fields that a selector may name depend on the resource.
    pub(crate) fn parse(
        labels: &str,
        fields: &str,
        allowed: &[(&str, &[&str])],
    ) -> Result<Selection, Status> {
        let labels = split_outside_parentheses(labels)
            .into_iter()
            .map(|text| requirement(text).map_err(|cause| unreadable_labels(labels, &cause)))
            .collect::<Result<_, _>>()?;
        let mut selection = Selection { labels, fields: Vec::new() };
        for text in fields.split(',').map(str::trim).filter(|text| !text.is_empty()) {
            let (field, value, equal) = if let Some((field, value)) = text.split_once("!=") {
                (field, value, false)
            } else if let Some((field, value)) = text.split_once("==").or_else(|| text.split_once('=')) {
                (field, value, true)
            } else {
                return Err(Status::bad_request(format!(
                    "invalid selector: '{text}'; can't understand '{text}'"
                )));
            };
            if !allowed.iter().any(|(name, _)| *name == field) {
                return Err(Status::bad_request(format!("field label not supported: {field}")));
            }
            selection.fields.push((field.to_owned(), value.to_owned(), equal));
        }
        Ok(selection)
    }

    pub(crate) fn is_everything(&self) -> bool {
        self.labels.is_empty() && self.fields.is_empty()
    }

    /// The name that a selector fixes by `metadata.name=..`: access rules for single names see it.
    pub(crate) fn single_name(fields: &str) -> Option<&str> {
        let mut names = fields
            .split(',')
            .filter_map(|text| text.trim().strip_prefix("metadata.name="))
            .map(|name| name.strip_prefix('=').unwrap_or(name));
        let name = names.next()?;
        names.next().is_none().then_some(name)
    }

    /// A label and its value, if objects without it cannot match.
    pub(crate) fn required_label(&self) -> Option<(&str, &str)> {
        self.labels.iter().find_map(|requirement| match requirement {
            Requirement::In(label, values) => match values.as_slice() {
                [value] => Some((label.as_str(), value.as_str())),
                _ => None,
            },
            _ => None,
        })
    }

    pub(crate) fn matches(&self, object: &Value, allowed: &[(&str, &[&str])]) -> bool {
        let label = |key: &String| json::text(object, &["metadata", "labels", key]);
        self.labels.iter().all(|requirement| match requirement {
            Requirement::In(key, values) => label(key).is_some_and(|value| values.iter().any(|v| v == value)),
            Requirement::NotIn(key, values) => {
                label(key).is_none_or(|value| values.iter().all(|v| v != value))
            }
            Requirement::Exists(key) => label(key).is_some(),
            Requirement::Missing(key) => label(key).is_none(),
        }) && self.fields.iter().all(|(field, wanted, equal)| {
            let path = allowed.iter().find(|(name, _)| name == field).map_or(&[][..], |(_, path)| path);
            let value = match json::at(object, path) {
                Some(Value::String(text)) => text.clone(),
                Some(Value::Number(number)) => number.to_string(),
                _ => String::new(),
            };
            (value == *wanted) == *equal
        })
    }
}

fn unreadable_labels(text: &str, cause: &str) -> Status {
    Status::bad_request(format!("unable to parse requirement: {cause} (label selector {text:?})"))
}

fn split_outside_parentheses(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_usize, 0);
    for (index, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.extend(text.get(start..index));
                start = index + 1;
            }
            _ => {}
        }
    }
    parts.extend(text.get(start..));
    if text.trim().is_empty() { Vec::new() } else { parts.into_iter().map(str::trim).collect() }
}

fn requirement(text: &str) -> Result<Requirement, String> {
    let key = |text: &str| {
        let text = text.trim();
        match names::qualified_name(text) {
            None => Ok(text.to_owned()),
            Some(cause) => Err(format!("<nil>: Invalid value: {text:?}: {cause}")),
        }
    };
    let value = |text: &str| {
        let text = text.trim();
        match names::label_value(text) {
            None => Ok(text.to_owned()),
            Some(cause) => Err(format!("values: Invalid value: {text:?}: {cause}")),
        }
    };
    let values = |text: &str| {
        let text = text.trim().strip_prefix('(').and_then(|text| text.strip_suffix(')'));
        text.ok_or("found '', expected: '('".to_owned())?.split(',').map(value).collect::<Result<Vec<_>, _>>()
    };
    if let Some(text) = text.strip_prefix('!') {
        Ok(Requirement::Missing(key(text)?))
    } else if let Some((label, set)) = text.split_once(" notin ").or_else(|| text.split_once(" notin(")) {
        let set = if set.trim_start().starts_with('(') { set.to_owned() } else { format!("({set}") };
        Ok(Requirement::NotIn(key(label)?, values(&set)?))
    } else if let Some((label, set)) = text.split_once(" in ").or_else(|| text.split_once(" in(")) {
        let set = if set.trim_start().starts_with('(') { set.to_owned() } else { format!("({set}") };
        Ok(Requirement::In(key(label)?, values(&set)?))
    } else if let Some((label, text)) = text.split_once("!=") {
        Ok(Requirement::NotIn(key(label)?, vec![value(text)?]))
    } else if let Some((label, text)) = text.split_once("==").or_else(|| text.split_once('=')) {
        Ok(Requirement::In(key(label)?, vec![value(text)?]))
    } else {
        Ok(Requirement::Exists(key(text)?))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const FIELDS: &[(&str, &[&str])] = &[("metadata.name", &["metadata", "name"])];

    #[test]
    fn labels_are_matched() {
        let object = json!({"metadata": {"name": "a", "labels": {"app": "web", "kron.io/name": "backup"}}});
        for (labels, wanted) in [
            ("", true),
            ("app", true),
            ("!app", false),
            ("!tier", true),
            ("app=web", true),
            ("app==web,kron.io/name=backup", true),
            ("app=web,kron.io/name=other", false),
            ("app!=web", false),
            ("tier!=web", true),
            ("app in (db, web)", true),
            ("app in (db),kron.io/name", false),
            ("app notin (db)", true),
            ("app notin (db,web)", false),
            ("tier notin (db,web)", true),
            ("app in(web)", true),
        ] {
            let selection = Selection::parse(labels, "", FIELDS).unwrap();
            assert_eq!(selection.matches(&object, FIELDS), wanted, "{labels}");
        }
    }

    #[test]
    fn fields_are_matched() {
        let object = json!({"metadata": {"name": "a"}});
        for (fields, wanted) in
            [("metadata.name=a", true), ("metadata.name==b", false), ("metadata.name!=b", true)]
        {
            let selection = Selection::parse("", fields, FIELDS).unwrap();
            assert_eq!(selection.matches(&object, FIELDS), wanted, "{fields}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        for labels in ["app=a b", "-app", "app in web", "app in (we b)", "a=b=c", "app,,web"] {
            assert_eq!(Selection::parse(labels, "", FIELDS).unwrap_err().code, 400, "{labels}");
        }
        let status = Selection::parse("", "spec.suspend=true", FIELDS).unwrap_err();
        assert_eq!(status.message, "field label not supported: spec.suspend");
        assert_eq!(Selection::parse("", "metadata.name", FIELDS).unwrap_err().code, 400);
    }

    #[test]
    fn a_single_name_is_seen() {
        assert_eq!(Selection::single_name("metadata.name=a"), Some("a"));
        assert_eq!(Selection::single_name("metadata.namespace=b,metadata.name==a"), Some("a"));
        assert_eq!(Selection::single_name("metadata.namespace=b"), None);
        assert_eq!(Selection::single_name("metadata.name=a,metadata.name=b"), None);
    }
}
