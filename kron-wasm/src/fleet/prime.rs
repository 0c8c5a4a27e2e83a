//! Expressions that fire some time before a schedule.

use kron_core::Duration;
use kron_formats::prime::PrimeAnswer;
use serde::Deserialize;

use crate::answers::{json, spec};
use crate::failure::Failure;
use crate::instant::UnixTime;

/// The cron expressions that fire some time before a schedule.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct PrimeRequest {
    text: String,
    /// The zone of a text that names none.
    timezone: Option<String>,
    lead_seconds: u32,
    /// Whether the expressions may also fire at other times, where none fit exactly.
    #[serde(default)]
    cover: bool,
    /// Changes of the clocks are listed for the three years after it.
    at: UnixTime,
}

pub(super) fn answer(asked: &PrimeRequest) -> Result<String, Failure> {
    let spec = spec(&asked.text, asked.timezone.as_deref(), Default::default())?;
    let lead = Duration::from_secs(asked.lead_seconds);
    json(&PrimeAnswer::new(&spec, lead, asked.cover, asked.at.floor())?.object(None))
}
