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

/// A runner that does not answer for this long is stuck.
const LIVE: Duration = Duration::from_secs(10);

#[derive(Clone)]
struct Served {
    runner: RunnerHandle,
    store: Arc<SqliteStore>,
    metrics: Arc<Metrics>,
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
) -> std::io::Result<()> {
    let router = Router::new()
        .route("/livez", get(livez))
        .route("/readyz", get(readyz))
        .route("/metrics", get(exposition))
        .with_state(Served { runner, store, metrics });
    axum::serve(listener, router).await
}

async fn livez(State(served): State<Served>) -> impl IntoResponse {
    if let Err(moved) = served.store.check_place() {
        return (StatusCode::SERVICE_UNAVAILABLE, format!("{moved}\n"));
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
    if served.metrics.ready() {
        (StatusCode::OK, "ok\n")
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "the state file has not been read\n")
    }
}

async fn exposition(State(served): State<Served>) -> impl IntoResponse {
    if let Ok(Ok(report)) = timeout(LIVE, served.runner.report()).await {
        served.metrics.report(&report);
    }
    ([(CONTENT_TYPE, metrics::CONTENT_TYPE)], served.metrics.encode())
}
