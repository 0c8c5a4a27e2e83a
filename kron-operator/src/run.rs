//! `kron-operator run`: a replica in a process, until a signal.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::args::RunArgs;
use crate::client::{ClientOptions, client};
use crate::clock::{Clock, system_clock};
use crate::engine::Options;
use crate::lease::LeaseConfig;
use crate::operator::Operator;
use crate::web::{Guard, GuardFiles};
use crate::{telemetry, web};

/// Why the operator did not run, as a sentence. Where a part of it ended early, by a panic for example, another process begins again in a
/// sound state.
pub type Error = Box<dyn std::error::Error>;

/// Runs until SIGTERM or SIGINT, and then until what is under way has its end. A second signal ends it at once.
///
/// # Errors
///
/// What keeps it from beginning. What happens later is logged, and tried again.
pub fn run(args: RunArgs) -> Result<(), Error> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(serve(args))
}

async fn bind(flag: &'static str, address: SocketAddr) -> Result<TcpListener, Error> {
    TcpListener::bind(address).await.map_err(|error| format!("{flag} {address}: {error}").into())
}

/// What guards the metrics and where they are, if they have a port of their own. The command line has all of this or nothing.
async fn guarded(args: &RunArgs) -> Result<Option<(TcpListener, Arc<Guard>)>, Error> {
    let RunArgs { metrics_listen, metrics_tls_cert, metrics_tls_key, metrics_token, .. } = args.clone();
    match (metrics_listen, metrics_tls_cert, metrics_tls_key, metrics_token) {
        (Some(address), Some(certificate), Some(key), Some(token)) => {
            let guard = Guard::new(GuardFiles { certificate, key, token })?;
            Ok(Some((bind("--metrics-listen", address).await?, Arc::new(guard))))
        }
        _ => Ok(None),
    }
}

async fn serve(args: RunArgs) -> Result<(), Error> {
    let clock: Arc<dyn Clock> = Arc::new(system_clock);
    telemetry::init(args.log_format, &args.log, clock.clone())?;
    // First of all: a replica that cannot look zones up must not try to lead.
    let tzdb = crate::tzdb::read(args.tzdb.clone())?;
    let access = ClientOptions { kubeconfig: args.kubeconfig.clone(), context: args.context.clone() };
    let client = client(&access).await?;
    let listener = bind("--listen", args.listen).await?;
    let guarded = guarded(&args).await?;
    let lease = LeaseConfig::new(args.lease_namespace, args.lease_name, &args.identity);
    let lease = args.leader_elect.then_some(lease);
    let defaults = Options::default();
    let options = Options {
        namespaces: args.namespaces.unwrap_or_default(),
        primer_image: args.primer_image.unwrap_or(defaults.primer_image),
        concurrency: args.concurrency.into(),
        dry_runs: args.dry_runs,
        parser: tzdb.parser(),
        ..defaults
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
    let metrics = operator.metrics().clone();
    let open = guarded.is_none().then(|| metrics.clone());
    let probes = web::serve(listener, operator.health().clone(), open, web_stop.clone());
    let secret_stop = web_stop.clone();
    let mut pages = tokio::spawn(async move {
        let metrics = async {
            let Some((listener, guard)) = guarded else { return Ok(()) };
            web::serve_guarded(listener, guard, metrics, secret_stop).await
        };
        tokio::try_join!(probes, metrics).map(|_| ())
    });
    let ending = stop.clone();
    let mut working = std::pin::pin!(operator.run(stop));
    tokio::select! {
        ended = &mut working => return Ok(ended?),
        _ = &mut pages => return Err("the web server ended early".into()),
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
