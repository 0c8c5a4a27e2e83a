//! The requests about one job, as JSON has them.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::instant::UnixTime;

/// A question about one job, by the word in `ask`. `job` is the handle of a parsed job, and instants are Unix seconds.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) enum JobRequest {
    /// Parses a job, and keeps it until its handle is freed. The zone is that of a text that names none. Calendars have names and dates.
    Job {
        name: String,
        text: String,
        timezone: Option<String>,
        #[serde(default)]
        calendars: BTreeMap<String, String>,
    },
    /// The first start after an instant.
    Next { job: u32, after: UnixTime },
    /// The last start at or before an instant.
    Previous { job: u32, at: UnixTime },
    /// The starts of a range, in order of chosen time. Without an end, `count` of them.
    Starts(Series),
    /// The periods of a range of nominal times.
    Periods(Series),
    /// The period of a nominal time.
    Decide { job: u32, nominal: UnixTime },
    /// Every step of the decision of a period.
    Explain(Decided),
    /// The decision of a period with all that is needed to compute it again.
    Receipt(Decided),
    /// Parts of a job's text that were probably not intended. Names and dates of calendars are those of `job`.
    Lint {
        name: String,
        text: String,
        timezone: Option<String>,
        #[serde(default)]
        calendars: BTreeMap<String, String>,
        at: UnixTime,
    },
    /// A receipt, as JSON text, computed again.
    Verify {
        receipt: String,
        #[serde(default)]
        calendars: BTreeMap<String, String>,
    },
    /// A cron expression in canonical form.
    Cron { text: String },
    /// The place of a schedule that another system runs.
    Place { name: Option<String>, text: String },
    /// A duration and its canonical form.
    Duration { text: String },
    /// A time zone at an instant, and its next changes: 5, unless `count` says otherwise.
    Zone { name: String, at: UnixTime, count: Option<usize> },
    /// The versions of the module.
    Version {},
}

/// A range of a job, from its first second to the second after its last one.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Series {
    pub(crate) job: u32,
    pub(crate) from: Option<UnixTime>,
    pub(crate) until: Option<UnixTime>,
    pub(crate) count: Option<usize>,
    /// Latest first.
    #[serde(default)]
    pub(crate) reverse: bool,
}

/// A period: that of a nominal time, or of the first start after an instant.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Decided {
    pub(crate) job: u32,
    pub(crate) nominal: Option<UnixTime>,
    pub(crate) after: Option<UnixTime>,
}
