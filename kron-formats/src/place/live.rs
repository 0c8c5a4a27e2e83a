//! Objects of a cluster: who keeps them, and their changes as apply configurations.

use serde_json::{Value, json};

use super::objects::{ANNOTATION, Object, Schedule};
use crate::convert::yaml::{Node, read};
use crate::error::place::LeftReason;

/// Whether an object was read from a cluster.
pub(super) fn is_live(object: &Object<'_>) -> bool {
    object.text(&["metadata", "uid"]).is_some()
}

/// Who keeps an object of a cluster, so that a change would not stay.
pub(super) fn keeper(object: &Object<'_>) -> Option<LeftReason> {
    let metadata = object.root.get("metadata").filter(|_| is_live(object))?;
    let has = |map: &str, is: &dyn Fn(&str) -> bool| {
        metadata.get(map).is_some_and(|map| map.entries().iter().filter_map(|entry| entry.name()).any(is))
    };
    let owners = metadata.get("ownerReferences").and_then(Node::items).unwrap_or_default();
    if !owners.is_empty() {
        return Some(LeftReason::Owned);
    }
    // Flux installs charts, so its labels come first.
    let of_flux = |key: &str| {
        key.starts_with("kustomize.toolkit.fluxcd.io/") || key.starts_with("helm.toolkit.fluxcd.io/")
    };
    if has("labels", &of_flux) {
        return Some(LeftReason::Flux);
    }
    if has("annotations", &|key| key == "meta.helm.sh/release-name") {
        return Some(LeftReason::Helm);
    }
    has("annotations", &|key| key == "argocd.argoproj.io/tracking-id").then_some(LeftReason::ArgoCd)
}

/// The objects of a cluster in a text, as apply configurations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ApplyConfigurations {
    /// One YAML document for each object that has a declaration, now or before.
    pub text: String,
    /// How many objects that have a declaration are left out, because something else keeps them.
    pub kept: usize,
    /// Whether a CronJob changes its schedule and has no `startingDeadlineSeconds`: Kubernetes starts it at once if its new time
    /// lies between its last run and now.
    pub may_start_at_once: bool,
}

/// The objects of a cluster with what [`place`](super::place) changed in them, for
/// `kubectl apply --server-side --field-manager=kron --force-conflicts -f -`. `None` if the text has no objects that were read from a
/// cluster, which have a `metadata.uid`.
///
/// ```
/// use kron_formats::place::{Options, Source, apply_configurations, place};
/// let text = r#"{"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": "backup", "namespace": "ops", "uid": "1",
///   "annotations": {"kron.io/spread": "0 0 * * * @win(after,2h)"}}, "spec": {"schedule": "0 0 * * *"}}"#;
/// let placed = place(&[Source::new("-", text)], &Options::default());
/// let applied = apply_configurations(text, &placed.texts[0]).unwrap();
/// assert!(applied.text.contains("\"schedule\":\"51 0 * * *\""));
/// assert!(applied.may_start_at_once);
/// assert_eq!(apply_configurations("a: 1", "a: 1"), None);
/// ```
#[must_use]
pub fn apply_configurations(before: &str, after: &str) -> Option<ApplyConfigurations> {
    let (old, new) = (read(before).ok()?, read(after).ok()?);
    let (old, new) = (Object::all(&old), Object::all(&new));
    if !old.iter().any(is_live) {
        return None;
    }
    let mut out = ApplyConfigurations::default();
    for (old, new) in old.iter().zip(&new).filter(|(old, _)| is_live(old)) {
        let declaration = new.text(&["metadata", "annotations", ANNOTATION]);
        if declaration.is_none() && old.text(&["metadata", "annotations", ANNOTATION]).is_none() {
            continue;
        }
        if keeper(old).is_some() {
            out.kept += 1;
            continue;
        }
        let (was, is) = (schedule(old), schedule(new));
        let deadline = old.root.get("spec").and_then(|spec| spec.get("startingDeadlineSeconds"));
        out.may_start_at_once |= was != is && !old.is_workflow && deadline.is_none();
        let document = configuration(new, declaration, is.unwrap_or_default());
        out.text.push_str("---\n");
        out.text.push_str(&document.to_string());
        out.text.push('\n');
    }
    Some(out)
}

fn schedule<'d>(object: &Object<'d>) -> Option<&'d str> {
    match object.schedule() {
        Schedule::One(node) => object.document.scalar(node).map(|(text, _)| text),
        Schedule::Missing | Schedule::Several => None,
    }
}

/// What kron owns of an object.
fn configuration(object: &Object<'_>, declaration: Option<&str>, schedule: &str) -> Value {
    let text = |path: &[&str]| object.text(path).unwrap_or_default();
    let mut metadata = json!({ "name": text(&["metadata", "name"]) });
    if let Some(namespace) = object.text(&["metadata", "namespace"]) {
        metadata["namespace"] = namespace.into();
    }
    if let Some(declaration) = declaration {
        metadata["annotations"] = json!({ ANNOTATION: declaration });
    }
    let is_list = object.root.get("spec").is_some_and(|spec| spec.get("schedule").is_none());
    let spec = if is_list { json!({ "schedules": [schedule] }) } else { json!({ "schedule": schedule }) };
    json!({ "apiVersion": text(&["apiVersion"]), "kind": text(&["kind"]), "metadata": metadata, "spec": spec })
}
