//! The web server for probes and Prometheus: `/livez`, `/readyz`, `/metrics`.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header::CONTENT_TYPE};
use axum::response::IntoResponse;
use axum::routing::get;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use kron_runner::{RunnerHandle, SqliteStore};
use tokio::net::TcpListener;
use tokio::time::{sleep, timeout};

use super::connections::Connections;
use super::metrics::{self, Metrics};
use super::store_health::StoreHealth;

/// A runner that does not answer for this long is stuck.
const LIVE: Duration = Duration::from_secs(10);
/// How long a client may take to send the header of a request, and a connection may be idle.
const SLOW: Duration = Duration::from_secs(10);
/// When a connection is accepted again after one could not be.
const AGAIN: Duration = Duration::from_millis(100);

#[derive(Clone)]
struct Served {
    runner: RunnerHandle,
    store: Arc<SqliteStore>,
    metrics: Arc<Metrics>,
    health: Arc<StoreHealth>,
}

/// Serves for ever. `axum::serve` has no limits for slow clients and for connections.
pub(crate) async fn serve(
    listener: TcpListener,
    runner: RunnerHandle,
    store: Arc<SqliteStore>,
    metrics: Arc<Metrics>,
    health: Arc<StoreHealth>,
) {
    let router = Router::new()
        .route("/livez", get(livez))
        .route("/readyz", get(readyz))
        .route("/metrics", get(exposition))
        .with_state(Served { runner, store, metrics, health });
    let service = TowerToHyperService::new(router);
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(SLOW);
    let mut connections = Connections::default();
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                let connection = server.serve_connection(TokioIo::new(stream), service.clone());
                // A client that has gone needs no answer.
                connections.serve(async move { drop(connection.await) }).await;
            }
            // The client has gone already, or the process has no more files.
            Err(_) => sleep(AGAIN).await,
        }
    }
}

impl Served {
    /// Why the state file cannot be written, if it cannot: no job is started then.
    fn store_failure(&self) -> Option<String> {
        let moved = self.store.check_place().err().map(|moved| moved.to_string());
        moved.or_else(|| self.health.failure())
    }
}

async fn livez(State(served): State<Served>) -> impl IntoResponse {
    if let Some(failure) = served.store_failure() {
        return (StatusCode::SERVICE_UNAVAILABLE, format!("{failure}\n"));
    }
    match timeout(LIVE, served.runner.report()).await {
        Ok(Ok(_)) => (StatusCode::OK, "ok\n".to_string()),
        Ok(Err(error)) => (StatusCode::SERVICE_UNAVAILABLE, format!("{error}\n")),
        Err(_) => {
            (StatusCode::SERVICE_UNAVAILABLE, format!("the runner has been silent for {}s\n", LIVE.as_secs()))
        }
    }
}

async fn readyz(State(served): State<Served>) -> impl IntoResponse {
    match served.store_failure() {
        Some(failure) => (StatusCode::SERVICE_UNAVAILABLE, format!("{failure}\n")),
        None if served.metrics.ready() => (StatusCode::OK, "ok\n".to_string()),
        None => (StatusCode::SERVICE_UNAVAILABLE, "the state file does not have the jobs yet\n".to_string()),
    }
}

async fn exposition(State(served): State<Served>) -> impl IntoResponse {
    if let Ok(Ok(report)) = timeout(LIVE, served.runner.report()).await {
        served.metrics.report(&report);
    }
    ([(CONTENT_TYPE, metrics::CONTENT_TYPE)], served.metrics.encode())
}
