//! Questions about many jobs, and about files of other systems.

mod adopt;
mod coming;
mod convert;
mod diff;
mod forecast;
mod job_file;
mod jobs;
mod lint;
mod prime;
mod read;
mod request;
mod sources;
mod spread;

use crate::answers::json;
use crate::failure::Failure;
use crate::handles::Handles;

pub(crate) use self::jobs::Fleet;
pub(crate) use self::request::{FleetRequest, WORDS};

/// The answer to a request about a fleet.
pub(crate) fn answer(fleets: &mut Handles<Fleet>, request: FleetRequest) -> Result<String, Failure> {
    match request {
        FleetRequest::Read(asked) => read::answer(fleets, asked),
        FleetRequest::Forecast(asked) => forecast::answer(fleets.get(asked.fleet)?, &asked),
        FleetRequest::Coming(asked) => coming::answer(fleets.get(asked.fleet)?, &asked),
        FleetRequest::JobFile(asked) => job_file::answer(fleets.get(asked.fleet)?, &asked),
        FleetRequest::LintFleet { fleet, at } => lint::answer(fleets.get(fleet)?, at.floor()),
        FleetRequest::Spread(asked) => spread::answer(fleets, &asked),
        FleetRequest::Adopt(asked) => adopt::answer(fleets, &asked),
        FleetRequest::Convert(asked) => convert::answer(&asked),
        FleetRequest::Diff(asked) => diff::answer(fleets, &asked),
        FleetRequest::Prime(asked) => prime::answer(&asked),
        FleetRequest::FreeFleet { fleet } => {
            fleets.free(fleet);
            json(&())
        }
    }
}
