//! The operator as a whole: engine, Lease and Events over one client, put together for a process, a test or a simulation.

use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt as _;
use kube::Client;
use tokio_util::sync::CancellationToken;

use crate::clock::Clock;
use crate::engine::{EndedEarly, Engine, Options, Shared};
use crate::events::Events;
use crate::lease::{Lease, LeaseConfig};
use crate::metrics::Metrics;
use crate::tzdb;
use crate::web::Health;

/// A heartbeat older than this is a lane that has stopped.
const HEARTBEAT_LIMIT: Duration = Duration::from_secs(60);

/// One replica of the operator.
#[derive(Clone, Debug)]
pub struct Operator {
    engine: Engine,
}

impl Operator {
    /// A replica that does nothing yet. Without a Lease it assumes that it is the only one.
    pub fn new(
        client: Client,
        clock: Arc<dyn Clock>,
        instance: &str,
        lease: Option<LeaseConfig>,
        options: Options,
    ) -> Operator {
        let tz_database = options.parser.tz_database();
        let metrics = Arc::new(Metrics::new(tz_database));
        let lease = match lease {
            Some(config) => Lease::new(client.clone(), config, clock.clone(), tzdb::identify(tz_database)),
            None => Lease::always(instance),
        };
        let events =
            Events::new(client.clone(), instance, clock.clone(), metrics.clone(), options.random.clone());
        let health = Health::new(HEARTBEAT_LIMIT);
        Operator { engine: Engine::new(client, clock, lease, events, metrics, health, options) }
    }

    /// The metrics of this replica.
    pub fn metrics(&self) -> &Arc<Metrics> {
        &self.engine.shared.metrics
    }

    /// The health of this replica.
    pub fn health(&self) -> &Health {
        &self.engine.shared.health
    }

    /// Whether it may write now.
    pub fn leads(&self) -> bool {
        self.engine.shared.lease.held()
    }

    /// Works until cancelled. Then it brings the requests under way to their end, gives the Lease away, and sends the
    /// Events that wait, in this order: another replica starts only when this one writes no more.
    ///
    /// # Errors
    ///
    /// If a part of it ends without a request to end: then the process must not go on.
    pub async fn run(&self, cancel: CancellationToken) -> Result<(), EndedEarly> {
        let Shared { lease, events, .. } = &*self.engine.shared;
        let (lease_cancel, events_cancel) = (CancellationToken::new(), CancellationToken::new());
        let working = async { self.engine.run(cancel).await.map(|()| lease_cancel.cancel()) };
        let leading = lease.run(lease_cancel.clone()).inspect(|()| events_cancel.cancel()).map(Ok);
        let publishing = events.run(events_cancel.clone()).map(Ok);
        tokio::try_join!(working, leading, publishing).map(|_| ())
    }
}
