//! The settings of an engine.

use std::time::Duration;

use crate::freezer::Freezer;
use crate::namespaces::Namespaces;
use crate::primer::PAUSE_IMAGE;
use crate::random::Random;

/// The time limit for the answer to a request.
pub const REQUEST_LIMIT: Duration = Duration::from_secs(8);

/// The settings of an engine.
#[derive(Clone, Debug)]
pub struct Options {
    /// The namespaces to serve.
    pub namespaces: Namespaces,
    /// How many requests are under way at once; half of them are kept free for starts.
    pub concurrency: usize,
    /// How many dry runs of new templates are sent in a second.
    pub dry_runs: u32,
    /// The image of primers whose KronJobs name none.
    pub primer_image: String,
    /// Reads KronJobs, with the tz database that their time zones are looked up in.
    pub parser: kron_core::Parser,
    /// Spreads the times of retries.
    pub random: Random,
    /// Freezes all tasks of the replica, in simulations.
    pub freezer: Freezer,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            namespaces: Namespaces::default(),
            concurrency: 32,
            dry_runs: 20,
            primer_image: PAUSE_IMAGE.to_string(),
            parser: kron_core::Parser::new(),
            random: Random::default(),
            freezer: Freezer::default(),
        }
    }
}
