//! The web server for kubelet and Prometheus: `/livez`, `/readyz`, `/metrics`. The metrics can have a port of their own, behind TLS
//! and a token.

mod guard;
mod tls;

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use axum::Router;
use axum::extract::State;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use kron_fleet::HumanLength;
use parking_lot::Mutex;
use tokio::net::TcpListener;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;
use tracing::{debug, info, warn};

pub use guard::{Guard, GuardFiles};

use crate::metrics::{self, Metrics};

/// How long a stopping server waits for requests that are being answered.
const DRAIN_LIMIT: Duration = Duration::from_secs(2);
/// How often the files of a guard are read again.
const REFRESH: Duration = Duration::from_secs(30);

/// Whether the operator lives and is ready. Cheap to clone; all clones are one.
#[derive(Clone, Debug)]
pub struct Health {
    bound: Duration,
    vitals: Arc<Mutex<Vitals>>,
}

#[derive(Debug, Default)]
struct Vitals {
    beats: BTreeMap<(&'static str, usize), Instant>,
    synced: bool,
}

impl Health {
    /// Nothing is synced yet, and no lane is known. A lane that is silent for longer than `bound` is taken for dead.
    pub fn new(bound: Duration) -> Health {
        Health { bound, vitals: Arc::default() }
    }

    /// A task of a lane is at work. From its first beat on it has to beat more often than once in the bound.
    pub fn beat(&self, lane: &'static str, task: usize) {
        self.vitals.lock().beats.insert((lane, task), Instant::now());
    }

    /// A task of a lane waits for work, or has ended as it should, and no longer beats.
    pub fn rests(&self, lane: &'static str, task: usize) {
        self.vitals.lock().beats.remove(&(lane, task));
    }

    /// Whether the watches show what the API server has. A replica that waits for the lease is ready, too: it is as good a
    /// target of a rolling update as the leader.
    pub fn synced(&self, synced: bool) {
        self.vitals.lock().synced = synced;
    }

    /// Why this process should be restarted, if it should.
    pub fn dead(&self) -> Option<String> {
        let now = Instant::now();
        let vitals = self.vitals.lock();
        let silent: Vec<String> = vitals
            .beats
            .iter()
            .map(|(lane, beat)| (lane, now.saturating_duration_since(*beat)))
            .filter(|(_, silence)| *silence > self.bound)
            .map(|((lane, task), silence)| {
                // OK because a process does not run for that long.
                let silence = HumanLength::of_seconds(silence.as_secs() as i64);
                format!("task {task} of `{lane}` has been silent for {silence}")
            })
            .collect();
        (!silent.is_empty()).then(|| silent.join(", "))
    }

    /// Whether the watches have synced.
    pub fn ready(&self) -> bool {
        self.vitals.lock().synced
    }
}

async fn livez(State(health): State<Health>) -> impl IntoResponse {
    match health.dead() {
        None => (StatusCode::OK, "ok\n".to_string()),
        Some(reason) => (StatusCode::SERVICE_UNAVAILABLE, reason + "\n"),
    }
}

async fn readyz(State(health): State<Health>) -> impl IntoResponse {
    if health.ready() {
        (StatusCode::OK, "ok\n")
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "the watches have not synced\n")
    }
}

/// The metrics, for those whom a guard admits, if there is one.
async fn exposition(
    State((guard, metrics)): State<(Option<Arc<Guard>>, Arc<Metrics>)>,
    headers: HeaderMap,
) -> Response {
    if guard.is_some_and(|guard| !guard.admits(headers.get(AUTHORIZATION))) {
        let needed = [(WWW_AUTHENTICATE, "Bearer")];
        return (StatusCode::UNAUTHORIZED, needed, "a bearer token is needed\n").into_response();
    }
    ([(CONTENT_TYPE, metrics::CONTENT_TYPE)], metrics.encode()).into_response()
}

/// Serves the probes until cancelled, and the metrics if they are given; then answers what was asked and returns within two seconds.
///
/// # Errors
/// If the listener fails for good.
pub async fn serve(
    listener: TcpListener,
    health: Health,
    metrics: Option<Arc<Metrics>>,
    cancel: CancellationToken,
) -> std::io::Result<()> {
    let mut router =
        Router::new().route("/livez", get(livez)).route("/readyz", get(readyz)).with_state(health);
    if let Some(metrics) = metrics {
        router = router.route("/metrics", get(exposition).with_state((None, metrics)));
    }
    answer(listener, router, cancel).await
}

/// Serves the metrics until cancelled, over TLS and to those who have the token; then as [`serve`]. The files of the guard are read
/// again every half minute.
///
/// # Errors
/// If the listener fails for good.
pub async fn serve_guarded(
    listener: TcpListener,
    guard: Arc<Guard>,
    metrics: Arc<Metrics>,
    cancel: CancellationToken,
) -> std::io::Result<()> {
    let listener = tls::TlsListener::new(listener, guard.clone());
    let router = Router::new().route("/metrics", get(exposition)).with_state((Some(guard.clone()), metrics));
    tokio::select! {
        served = answer(listener, router, cancel) => served,
        never = refresh(&guard) => never,
    }
}

/// Reads the files of a guard again and again.
async fn refresh(guard: &Guard) -> std::io::Result<()> {
    loop {
        sleep(REFRESH).await;
        match guard.refresh() {
            Ok(true) => info!("the certificate or the token of the metrics has changed"),
            Ok(false) => {}
            Err(error) => warn!(%error, "the certificate and the token of the metrics stay as they were"),
        }
    }
}

async fn answer<L>(listener: L, router: Router, cancel: CancellationToken) -> std::io::Result<()>
where
    L: axum::serve::Listener,
    L::Addr: std::fmt::Debug,
{
    let server =
        axum::serve(listener, router).with_graceful_shutdown(cancel.clone().cancelled_owned()).into_future();
    tokio::select! {
        served = server => served,
        () = async { cancel.cancelled().await; sleep(DRAIN_LIMIT).await } => {
            debug!("a connection was still open when the web server stopped");
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests;
