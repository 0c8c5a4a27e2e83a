//! The KronJobs of files, whole, and the objects at the end of a simulation.

use std::io::Read as _;
use std::path::Path;

use kron_core::Parser;
use kron_formats::LoadOptions;
use serde_json::{Value, json};

/// Reads KronJobs; the namespace is given to those that name none.
pub(super) fn read(
    files: &[impl AsRef<Path>],
    namespace: &str,
    parser: &Parser,
) -> Result<Vec<Value>, String> {
    let mut kronjobs = Vec::new();
    for file in files {
        let file = file.as_ref();
        let text = text(file).map_err(|error| format!("{}: {error}", file.display()))?;
        // The core says best what is wrong with a KronJob.
        let options = LoadOptions::default().with_namespace(namespace);
        let loaded = kron_formats::load(parser, &text, &options)
            .map_err(|error| format!("{}: {error}", file.display()))?;
        if loaded.jobs.iter().any(|job| job.line.is_some()) {
            return Err(format!("{}: a job file; a simulation runs manifests of KronJobs", file.display()));
        }
        let documents: Vec<Value> = serde_saphyr::from_multiple(&text)
            .map_err(|error| format!("{}: no YAML or JSON: {error}", file.display()))?;
        documents.into_iter().for_each(|document| collect(document, &mut kronjobs));
    }
    for kronjob in &mut kronjobs {
        if kronjob["metadata"]["namespace"].as_str().is_none_or(str::is_empty) {
            kronjob["metadata"]["namespace"] = json!(namespace);
        }
    }
    if kronjobs.is_empty() {
        return Err("there is no KronJob in the files".to_string());
    }
    Ok(kronjobs)
}

/// Writes objects as `kubectl -o json` prints several.
pub(super) fn write(file: &Path, objects: Vec<Value>) -> Result<(), String> {
    let list =
        json!({"apiVersion": "v1", "items": objects, "kind": "List", "metadata": {"resourceVersion": ""}});
    // OK because all keys are texts.
    let text = serde_json::to_string_pretty(&list).unwrap_or_default() + "\n";
    std::fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}

fn text(file: &Path) -> std::io::Result<String> {
    if file == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text)?;
        return Ok(text);
    }
    std::fs::read_to_string(file)
}

/// A document's KronJobs: itself, or the items of a list. What a cluster has given them is left out.
fn collect(mut document: Value, kronjobs: &mut Vec<Value>) {
    if let Some(items) = document.get_mut("items").and_then(Value::as_array_mut) {
        std::mem::take(items).into_iter().for_each(|item| collect(item, kronjobs));
    } else if document["kind"] == kron_formats::kronjob::KIND {
        if let Some(object) = document.as_object_mut() {
            object.remove("status");
        }
        if let Some(metadata) = document.get_mut("metadata").and_then(Value::as_object_mut) {
            metadata
                .retain(|field, _| ["name", "namespace", "labels", "annotations"].contains(&field.as_str()));
        }
        kronjobs.push(document);
    }
}
