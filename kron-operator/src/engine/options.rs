//! The settings of an engine.

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;

use crate::namespaces::Namespaces;
use crate::primer::PAUSE_IMAGE;
use crate::random::Random;

/// The time limit for the answer to a request.
pub const REQUEST_LIMIT: Duration = Duration::from_secs(8);

/// Holds up tasks, as those of a process that is frozen for a while.
pub trait Hold: Send + Sync + std::fmt::Debug {
    /// The task, which can be held up.
    fn hold(&self, task: BoxFuture<'static, ()>) -> BoxFuture<'static, ()>;
}

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
    /// What holds up the tasks of the engine, in simulations.
    pub hold: Option<Arc<dyn Hold>>,
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
            hold: None,
        }
    }
}
