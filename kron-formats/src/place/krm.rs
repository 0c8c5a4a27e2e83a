//! The configuration of a KRM function, which kustomize and kpt call with a `ResourceList`.

use std::collections::BTreeMap;

use crate::convert::ConvertFinding;
use crate::convert::yaml::{Lines, read};
use crate::error::place as messages;

/// The entries of the `functionConfig` of a `ResourceList`, which is a `ConfigMap`: its `data`. Empty without a configuration.
///
/// # Errors
///
/// A text that is no YAML or no `ResourceList`, and a value that is no text.
///
/// ```
/// use kron_formats::place::function_config;
/// let text = "kind: ResourceList\nitems: []\nfunctionConfig:\n  kind: ConfigMap\n  data:\n    window: 1h\n";
/// assert_eq!(function_config(text)?["window"], "1h");
/// assert!(function_config("kind: List\n").is_err());
/// # Ok::<(), Box<kron_formats::convert::ConvertFinding>>(())
/// ```
pub fn function_config(text: &str) -> Result<BTreeMap<String, String>, Box<ConvertFinding>> {
    let documents = read(text).map_err(|broken| broken.of_source(0))?;
    let lines = Lines::new(text);
    let refused = |finding, at: usize| Box::new(ConvertFinding::new(0, finding).at(lines.of(at) + 1));
    let [document] = documents.as_slice() else { return Err(refused(messages::no_resource_list(), 0)) };
    let kind = document.root.get("kind").and_then(|kind| document.scalar(kind));
    if kind.is_none_or(|(kind, _)| kind != "ResourceList") {
        return Err(refused(messages::no_resource_list(), document.root.start));
    }
    let data = document.root.get("functionConfig").and_then(|config| config.get("data"));
    let entries = data.into_iter().flat_map(|data| data.entries());
    let texts = entries.map(|entry| {
        let value = document.scalar(&entry.value);
        let name = entry.name().unwrap_or_default();
        match value {
            Some((value, _)) => Ok((name.to_string(), value.to_string())),
            None => Err(refused(messages::no_function_text(name), entry.key.start)),
        }
    });
    texts.collect()
}
