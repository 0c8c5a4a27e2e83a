//! A fleet as a job file.

use kron_core::text::quoted_value;
use serde::{Deserialize, Serialize};

use crate::answers::json;
use crate::failure::Failure;

use super::jobs::Fleet;

/// The jobs of a fleet as a job file.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct JobFileRequest {
    pub(crate) fleet: u32,
    /// The seconds of a window for jobs that have none and are not placed.
    window_seconds: Option<u32>,
    /// Whether the fields of lines, such as `command=`, are left out.
    #[serde(default)]
    without_fields: bool,
}

#[derive(Serialize)]
struct JobFileAnswer {
    text: String,
}

pub(super) fn answer(fleet: &Fleet, asked: &JobFileRequest) -> Result<String, Failure> {
    let mut text = String::new();
    for read in &fleet.jobs {
        let windowed = fleet.windowed(read, asked.window_seconds)?;
        text.push_str(&windowed.as_ref().unwrap_or(&read.loaded.job).to_line());
        for (key, value) in read.loaded.fields.iter().filter(|_| !asked.without_fields) {
            text.push_str(&format!(" {key}={}", quoted_value(value)));
        }
        text.push('\n');
    }
    json(&JobFileAnswer { text })
}
