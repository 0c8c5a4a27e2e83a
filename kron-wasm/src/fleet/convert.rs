//! Files of other systems as jobs of Kron.

use kron_core::Duration;
use kron_formats::convert::{Options, Source, convert};
use serde::{Deserialize, Serialize};

use crate::answers::json;
use crate::failure::Failure;

use super::sources::{FoundObject, SourceText};

/// Converts files into a job file, or into KronJobs.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ConvertRequest {
    sources: Vec<SourceText>,
    /// The seconds of a window for each job.
    window_seconds: Option<u32>,
    timezone: Option<String>,
    namespace: Option<String>,
}

#[derive(Serialize)]
struct ConvertAnswer {
    text: String,
    findings: Vec<FoundObject>,
}

pub(super) fn answer(asked: &ConvertRequest) -> Result<String, Failure> {
    let sources: Vec<Source<'_>> =
        (asked.sources.iter()).map(|SourceText { path, text, .. }| Source { name: path, text }).collect();
    let options = Options {
        window: asked.window_seconds.map(Duration::from_secs),
        timezone: asked.timezone.clone(),
        namespace: asked.namespace.clone(),
        ..Options::default()
    };
    let (text, findings) = match convert(&sources, &options) {
        Ok(converted) => (converted.text, converted.findings),
        Err(found) => (String::new(), vec![*found]),
    };
    json(&ConvertAnswer { text, findings: findings.into_iter().map(FoundObject::of).collect() })
}
