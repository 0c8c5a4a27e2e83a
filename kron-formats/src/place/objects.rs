//! Declarations in the annotations of Kubernetes objects.

use std::borrow::Cow;
use std::ops::Range;

use super::pass::{Found, Pass};
use crate::convert::yaml::{Document, Edits, Kind, Lines, Node, read};
use crate::error::place as messages;

/// The annotation that holds a declaration.
pub(super) const ANNOTATION: &str = "kron.io/spread";

/// An object whose schedule can have a declaration.
pub(super) struct Object<'d> {
    pub(super) document: &'d Document,
    pub(super) root: &'d Node,
    /// Whether it is a CronWorkflow of Argo, not a CronJob.
    pub(super) is_workflow: bool,
}

impl<'d> Object<'d> {
    /// The objects of the documents of a text, those in lists included.
    pub(super) fn all(documents: &'d [Document]) -> Vec<Object<'d>> {
        let mut out = Vec::new();
        for document in documents {
            let root = &document.root;
            match root
                .get("items")
                .and_then(Node::items)
                .filter(|_| text_of(document, root, "kind").is_some())
            {
                Some(items) => out.extend(items.iter().filter_map(|item| Object::of(document, item))),
                None => out.extend(Object::of(document, root)),
            }
        }
        out
    }

    fn of(document: &'d Document, root: &'d Node) -> Option<Object<'d>> {
        let version = text_of(document, root, "apiVersion")?;
        let is_workflow = match text_of(document, root, "kind")? {
            "CronJob" if version.starts_with("batch/") => false,
            "CronWorkflow" if version.starts_with("argoproj.io/") => true,
            _ => return None,
        };
        Some(Object { document, root, is_workflow })
    }

    pub(super) fn text(&self, path: &[&str]) -> Option<&'d str> {
        let (last, parents) = path.split_last()?;
        let parent = parents.iter().try_fold(self.root, |node, key| node.get(key))?;
        text_of(self.document, parent, last)
    }

    /// `namespace/name`, if both are known.
    pub(super) fn name(&self, namespace: Option<&str>) -> Option<String> {
        let namespace = self.text(&["metadata", "namespace"]).or(namespace)?;
        Some(format!("{namespace}/{}", self.text(&["metadata", "name"])?))
    }

    /// Whether it is a part of an object: nothing says what it runs.
    pub(super) fn is_patch(&self) -> bool {
        let runs = if self.is_workflow { "workflowSpec" } else { "jobTemplate" };
        self.root.get("spec").is_none_or(|spec| spec.get(runs).is_none())
    }

    /// The node of its one schedule.
    pub(super) fn schedule(&self) -> Schedule<'d> {
        let spec = self.root.get("spec");
        let one = spec.and_then(|spec| spec.get("schedule"));
        let list = spec.and_then(|spec| spec.get("schedules")).filter(|_| self.is_workflow);
        match (one, list.map(|list| list.items().unwrap_or_default())) {
            (Some(node), None) => Schedule::One(node),
            (None, Some([node])) => Schedule::One(node),
            (None, None | Some([])) => Schedule::Missing,
            (Some(_), Some(_)) | (None, Some(_)) => Schedule::Several,
        }
    }

    /// The name of the zone in which its schedule is read, if it has one.
    pub(super) fn zone(&self) -> Option<&'d str> {
        self.text(&["spec", if self.is_workflow { "timezone" } else { "timeZone" }])
    }
}

/// The schedules of an object.
pub(super) enum Schedule<'d> {
    One(&'d Node),
    Missing,
    Several,
}

fn text_of<'d>(document: &'d Document, map: &'d Node, key: &str) -> Option<&'d str> {
    document.scalar(map.get(key)?).map(|(text, _)| text)
}

/// The bytes of a scalar without its quotes and outer blanks, if what is between the quotes is its value.
pub(super) fn bytes_of_value(text: &str, document: &Document, node: &Node) -> Option<Range<usize>> {
    let Kind::Scalar { value, .. } = &node.kind else { return None };
    let whole = text.get(node.start..node.end)?;
    let inner = match whole.as_bytes() {
        [b'"', .., b'"'] | [b'\'', .., b'\''] if whole.len() >= 2 => node.start + 1..node.end - 1,
        _ => node.start..node.end,
    };
    let is_value = text.get(inner.clone()) == Some(value) && !document.is_shared(node);
    is_value.then(|| {
        let start = inner.start + value.len() - value.trim_start_matches([' ', '\t']).len();
        start..start.max(inner.start + value.trim_end_matches([' ', '\t']).len())
    })
}

/// Takes the declarations of a text's objects.
pub(super) fn take_all(pass: &mut Pass<'_, '_>) {
    let text = pass.source.text;
    if !text.contains(ANNOTATION) {
        return;
    }
    // A text that is no YAML has no objects; comments are found in it all the same.
    let Ok(documents) = read(text) else { return };
    let lines = Lines::new(text);
    for object in Object::all(&documents) {
        let annotations = object.root.get("metadata").and_then(|metadata| metadata.get("annotations"));
        let entry = annotations.and_then(|map| map.entries().iter().find(|entry| entry.is(ANNOTATION)));
        let (Some(annotations), Some(entry)) = (annotations, entry) else { continue };
        let line = lines.of(entry.key.start) + 1;
        let Some((declared, _)) = object.document.scalar(&entry.value) else {
            pass.find(messages::no_text(), line);
            continue;
        };
        let node = match object.schedule() {
            Schedule::One(node) => node,
            Schedule::Missing => {
                pass.find(messages::object_without_schedule(), line);
                continue;
            }
            Schedule::Several => {
                pass.find(messages::object_with_several(), line);
                continue;
            }
        };
        let Some(schedule) = bytes_of_value(text, object.document, node) else {
            pass.find(messages::other_bytes(), lines.of(node.start) + 1);
            continue;
        };
        let zone = object.zone().and_then(|zone| pass.options.parser.tz_database().zone(zone).ok());
        let removal = removal(&object, annotations, &lines);
        pass.take(Found {
            declared: Cow::Borrowed(declared),
            bytes: bytes_of_value(text, object.document, &entry.value),
            name: object.name(pass.options.namespace.as_deref()),
            line: lines.of(schedule.start) + 1,
            schedule,
            declaration_line: line,
            zone,
            removal,
        });
    }
}

/// Takes the annotation away, and annotations that would be left empty.
fn removal(object: &Object<'_>, annotations: &Node, lines: &Lines<'_>) -> Edits {
    let mut edits = Edits::default();
    if annotations.entries().len() > 1 {
        edits.remove_entries(annotations, lines, |entry| entry.is(ANNOTATION));
    } else if let Some(metadata) = object.root.get("metadata") {
        edits.remove_entries(metadata, lines, |entry| entry.is("annotations"));
    }
    edits
}
