//! Which part of the module answers a request.

use kron_core::Job;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::answers;
use crate::failure::Failure;
#[cfg(feature = "fleet")]
use crate::fleet::{self, Fleet};
use crate::handles::Handles;

/// What an instance keeps for its host.
pub(crate) struct Kept {
    pub(crate) jobs: Handles<Job>,
    #[cfg(feature = "fleet")]
    pub(crate) fleets: Handles<Fleet>,
}

impl Default for Kept {
    fn default() -> Kept {
        Kept {
            jobs: Handles::new("job"),
            #[cfg(feature = "fleet")]
            fleets: Handles::new("fleet"),
        }
    }
}

/// The answer to a request, as JSON text.
pub(crate) fn answer(kept: &mut Kept, request: &str) -> Result<String, Failure> {
    let mut fields: Map<String, Value> = serde_json::from_str(request).map_err(Failure::request)?;
    let ask = match fields.remove("ask") {
        Some(Value::String(ask)) => ask,
        Some(_) => return Err(Failure::request("`ask` is not a text")),
        None => return Err(Failure::request("missing field `ask`")),
    };
    // One enum of all requests would not say what is wrong with the one that is meant.
    #[cfg(feature = "fleet")]
    if fleet::WORDS.contains(&ask.as_str()) {
        return fleet::answer(&mut kept.fleets, tagged(ask, fields)?);
    }
    answers::answer(&mut kept.jobs, tagged(ask, fields)?)
}

/// A request of its word and its other fields. An enum with the word among the fields has a reader that copies all of them first, which
/// makes the module longer.
fn tagged<R: DeserializeOwned>(ask: String, fields: Map<String, Value>) -> Result<R, Failure> {
    let request = Map::from_iter([(ask, Value::Object(fields))]);
    serde_json::from_value(Value::Object(request)).map_err(Failure::request)
}
