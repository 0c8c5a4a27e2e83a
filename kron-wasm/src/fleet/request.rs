//! The requests about many jobs, as JSON has them.

use serde::Deserialize;

use crate::instant::UnixTime;

use super::adopt::AdoptRequest;
use super::coming::ComingRequest;
use super::convert::ConvertRequest;
use super::diff::DiffRequest;
use super::forecast::ForecastRequest;
use super::job_file::JobFileRequest;
use super::prime::PrimeRequest;
use super::read::ReadRequest;
use super::spread::SpreadRequest;

/// The words of [`FleetRequest`] in `ask`.
pub(crate) const WORDS: [&str; 11] = [
    "read",
    "forecast",
    "coming",
    "jobFile",
    "lintFleet",
    "spread",
    "adopt",
    "convert",
    "diff",
    "prime",
    "freeFleet",
];

/// A question about many jobs or about files, by the word in `ask`. `fleet` is the handle of what was read.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) enum FleetRequest {
    /// Reads the jobs of files.
    Read(ReadRequest),
    /// Counts the starts of a fleet.
    Forecast(ForecastRequest),
    /// The coming starts of a job of a fleet.
    Coming(ComingRequest),
    /// The jobs of a fleet as a job file.
    JobFile(JobFileRequest),
    /// Parts of the jobs of a fleet that were probably not intended.
    LintFleet { fleet: u32, at: UnixTime },
    /// Chooses salts for the jobs of a fleet.
    Spread(SpreadRequest),
    /// Declares the schedules of files, and places them.
    Adopt(AdoptRequest),
    /// Makes jobs of Kron from the files of other systems.
    Convert(ConvertRequest),
    /// Which starts an edit of a fleet adds, removes and moves.
    Diff(DiffRequest),
    /// The cron expressions that fire some time before a schedule.
    Prime(PrimeRequest),
    /// Drops a fleet.
    FreeFleet { fleet: u32 },
}
