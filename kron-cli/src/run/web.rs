//! The web server for probes and Prometheus: `/livez`, `/readyz`, `/metrics`.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header::CONTENT_TYPE};
use axum::response::IntoResponse;
use axum::routing::get;
use kron_runner::{RunnerHandle, SqliteStore};
use tokio::net::TcpListener;
use tokio::time::timeout;

use super::metrics::{self, Metrics};
use super::store_health::StoreHealth;

/// A runner that does not answer for this long is stuck.
const LIVE: Duration = Duration::from_secs(10);

#[derive(Clone)]
struct Served {
    runner: RunnerHandle,
    store: Arc<SqliteStore>,
    metrics: Arc<Metrics>,
    health: Arc<StoreHealth>,
}

/// Serves for ever.
///
/// # Errors
///
/// If the listener fails.
pub(crate) async fn serve(
    listener: TcpListener,
    runner: RunnerHandle,
    store: Arc<SqliteStore>,
    metrics: Arc<Metrics>,
    health: Arc<StoreHealth>,
) -> std::io::Result<()> {
    let router = Router::new()
        .route("/livez", get(livez))
        .route("/readyz", get(readyz))
        .route("/metrics", get(exposition))
        .with_state(Served { runner, store, metrics, health });
    axum::serve(listener, router).await
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
            (StatusCode::SERVICE_UNAVAILABLE, format!("the runner is silent for {} s\n", LIVE.as_secs()))
        }
    }
}

async fn readyz(State(served): State<Served>) -> impl IntoResponse {
    match served.store_failure() {
        Some(failure) => (StatusCode::SERVICE_UNAVAILABLE, format!("{failure}\n")),
        None if served.metrics.ready() => (StatusCode::OK, "ok\n".to_string()),
        None => (StatusCode::SERVICE_UNAVAILABLE, "the state file has not been read\n".to_string()),
    }
}

async fn exposition(State(served): State<Served>) -> impl IntoResponse {
    if let Ok(Ok(report)) = timeout(LIVE, served.runner.report()).await {
        served.metrics.report(&report);
    }
    ([(CONTENT_TYPE, metrics::CONTENT_TYPE)], served.metrics.encode())
}
