//! Which part of the module answers a request.

use kron_core::Job;

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
    let request: serde_json::Value = serde_json::from_str(request).map_err(Failure::request)?;
    // One enum of all requests would not say what is wrong with the one that is meant.
    #[cfg(feature = "fleet")]
    if request["ask"].as_str().is_some_and(|ask| fleet::WORDS.contains(&ask)) {
        let request = serde_json::from_value(request).map_err(Failure::request)?;
        return fleet::answer(&mut kept.fleets, request);
    }
    answers::answer(&mut kept.jobs, serde_json::from_value(request).map_err(Failure::request)?)
}
