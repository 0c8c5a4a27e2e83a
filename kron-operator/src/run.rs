//! `kron-operator run`: a replica in a process, until a signal.

use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::args::RunArgs;
use crate::client::{ClientOptions, client};
use crate::clock::{Clock, SystemClock};
use crate::engine::Options;
use crate::lease::LeaseConfig;
use crate::operator::Operator;
use crate::{telemetry, web};

/// Why the operator did not run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The log cannot be set up.
    #[error(transparent)]
    Log(#[from] telemetry::Error),
    /// There is no client.
    #[error(transparent)]
    Client(#[from] crate::client::Error),
    /// The tz database cannot be read.
    #[error(transparent)]
    Tzdb(#[from] crate::tzdb::Error),
    /// The address is taken, or not ours.
    #[error("--listen {address}: {source}")]
    Listen {
        /// The address.
        address: std::net::SocketAddr,
        /// Why.
        source: std::io::Error,
    },
    /// A part of the operator ended early, by a panic for example. Another process begins again in a sound state.
    #[error(transparent)]
    EndedEarly(#[from] crate::engine::EndedEarly),
    /// The web server ended early.
    #[error("the web server ended early")]
    Web,
    /// The system gives no runtime, or no signals.
    #[error(transparent)]
    System(#[from] std::io::Error),
}

/// Runs until SIGTERM or SIGINT, and then until what is under way has its end. A second signal ends it at once.
///
/// # Errors
///
/// What keeps it from beginning. What happens later is logged, and tried again.
pub fn run(args: RunArgs) -> Result<(), Error> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(serve(args))
}

async fn serve(args: RunArgs) -> Result<(), Error> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    telemetry::init(args.log_format, &args.log, clock.clone())?;
    // First of all: a replica that cannot look zones up must not try to lead.
    let tzdb = crate::tzdb::read(args.tzdb)?;
    let client = client(&ClientOptions { kubeconfig: args.kubeconfig, context: args.context }).await?;
    let listener = TcpListener::bind(args.listen)
        .await
        .map_err(|source| Error::Listen { address: args.listen, source })?;
    let lease = LeaseConfig::new(args.lease_namespace, args.lease_name, &args.identity);
    let lease = args.leader_elect.then_some(lease);
    let options = Options {
        namespace: args.watch_namespace,
        concurrency: args.concurrency.into(),
        dry_runs: args.dry_runs,
        parser: tzdb.parser(),
        ..Options::default()
    };
    tracing::info!(version = env!("CARGO_PKG_VERSION"), "kron-operator runs");
    tzdb.log(clock.now());
    let operator = Operator::new(client, clock, &args.identity, lease, options);

    let (stop, web_stop) = (CancellationToken::new(), CancellationToken::new());
    let (mut terminated, mut interrupted) =
        (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let mut signalled = async || {
        tokio::select! {
            _ = terminated.recv() => {}
            _ = interrupted.recv() => {}
        }
    };
    let pages = web::serve(listener, operator.health().clone(), operator.metrics().clone(), web_stop.clone());
    let mut pages = tokio::spawn(pages);
    let ending = stop.clone();
    let mut working = std::pin::pin!(operator.run(stop));
    tokio::select! {
        ended = &mut working => return Ok(ended?),
        _ = &mut pages => return Err(Error::Web),
        () = signalled() => {
            tracing::info!("stopping: what is under way is brought to its end");
            ending.cancel();
            tokio::select! {
                ended = &mut working => ended?,
                () = signalled() => tracing::warn!("stopped at once by a second signal"),
            }
        }
    }
    web_stop.cancel();
    if let Ok(Err(error)) = pages.await {
        tracing::warn!(%error, "the web server ended early");
    }
    tracing::info!("stopped");
    Ok(())
}
