//! Checks of the job template that an API server makes before any Job exists: the rules of the KronJob schema.
//!
//! The template is free-form. Only errors that would make every Job fail are checked: the shape down to the containers,
//! a restart policy that Jobs have, no selector (all Jobs of a template would share it), and scalars that YAML turns
//! from strings into numbers or booleans.

use kron_core::Error;
use kron_core::error::{Snippet, StructureError};
use serde_json::Value;

use super::kind_of;
use crate::error::ManifestError;

/// A value and its path.
struct At<'v> {
    path: String,
    value: &'v Value,
}

impl<'v> At<'v> {
    fn wrong(&self, want: &'static str) -> Error {
        Error::new(self.path.clone(), StructureError::Type { found: kind_of(self.value), want })
    }

    /// A field, if the object has it and it is not null.
    fn get(&self, field: &str) -> Option<At<'v>> {
        let value = self.value.get(field).filter(|value| !value.is_null())?;
        Some(At { path: format!("{}.{field}", self.path), value })
    }

    fn require(&self, field: &str) -> Result<At<'v>, Error> {
        self.get(field).ok_or_else(|| {
            Error::new(self.path.clone(), StructureError::Missing { field: Snippet::of(field) })
        })
    }

    fn object(self) -> Result<At<'v>, Error> {
        if self.value.is_object() { Ok(self) } else { Err(self.wrong("an object")) }
    }

    fn string(&self) -> Result<&'v str, Error> {
        self.value.as_str().ok_or_else(|| self.wrong("a string (write it in quotes)"))
    }

    fn items(&self) -> Result<impl Iterator<Item = At<'v>>, Error> {
        let items = self.value.as_array().ok_or_else(|| self.wrong("a list"))?;
        Ok(items.iter().enumerate().map(|(i, value)| At { path: format!("{}[{i}]", self.path), value }))
    }

    fn strings(&self) -> Result<(), Error> {
        self.items()?.try_for_each(|item| item.string().map(|_| ()))
    }

    /// Labels and annotations are maps of strings.
    fn check_metadata(&self) -> Result<(), Error> {
        let Some(metadata) = self.get("metadata") else { return Ok(()) };
        let metadata = metadata.object()?;
        for field in ["labels", "annotations"] {
            let Some(map) = metadata.get(field) else { continue };
            let map = map.object()?;
            for (key, value) in map.value.as_object().into_iter().flatten() {
                At { path: format!("{}.{key}", map.path), value }.string()?;
            }
        }
        Ok(())
    }

    fn check_container(&self) -> Result<(), Error> {
        for field in ["name", "image"] {
            self.get(field).map_or(Ok(()), |value| value.string().map(|_| ()))?;
        }
        for field in ["command", "args"] {
            self.get(field).map_or(Ok(()), |list| list.strings())?;
        }
        let Some(env) = self.get("env") else { return Ok(()) };
        for variable in env.items()? {
            let variable = variable.object()?;
            for field in ["name", "value"] {
                variable.get(field).map_or(Ok(()), |value| value.string().map(|_| ()))?;
            }
        }
        Ok(())
    }
}

/// Checks the job template at a path within the spec.
pub(super) fn check(path: &str, template: &Value) -> Result<(), Error> {
    let job_template = At { path: path.to_string(), value: template }.object()?;
    job_template.check_metadata()?;
    let job = job_template.require("spec")?.object()?;
    for field in ["selector", "manualSelector"] {
        if let Some(set) = job.get(field) {
            return Err(Error::new(set.path, ManifestError::Selector));
        }
    }
    let pod_template = job.require("template")?.object()?;
    pod_template.check_metadata()?;
    let pod = pod_template.require("spec")?.object()?;
    let policy = pod.require("restartPolicy")?;
    let text = policy.string()?;
    if !["Never", "OnFailure"].contains(&text) {
        return Err(Error::choice(policy.path, text, &["Never", "OnFailure"]));
    }
    let containers = pod.require("containers")?;
    if containers.items()?.next().is_none() {
        let want = "a list with at least one container";
        return Err(Error::new(containers.path, StructureError::Type { found: "an empty list", want }));
    }
    for list in [Some(containers), pod.get("initContainers")].into_iter().flatten() {
        list.items()?.try_for_each(|container| container.object()?.check_container())?;
    }
    Ok(())
}
