//! The web server for kubelet and Prometheus: `/livez`, `/readyz`, `/metrics`.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use axum::{
    Router,
    extract::State,
    http::{StatusCode, header::CONTENT_TYPE},
    response::IntoResponse,
    routing::get,
};
use tokio::{
    net::TcpListener,
    time::{Instant, sleep},
};
use tokio_util::sync::CancellationToken;
use tracing::debug;

use crate::metrics::{self, Metrics};

/// How long a stopping server waits for requests that are being answered.
const DRAIN_LIMIT: Duration = Duration::from_secs(2);

/// Whether the operator lives and is ready. Cheap to clone; all clones are one.
#[derive(Clone, Debug)]
pub struct Health {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    bound: Duration,
    state: Mutex<Vitals>,
}

#[derive(Debug, Default)]
struct Vitals {
    beats: BTreeMap<(&'static str, usize), Instant>,
    synced: bool,
}

impl Health {
    /// Nothing is synced yet, and no lane is known. A lane that is silent for longer than `bound` is taken for dead.
    pub fn new(bound: Duration) -> Health {
        Health { shared: Arc::new(Shared { bound, state: Mutex::default() }) }
    }

    /// A task of a lane is at work. From its first beat on it has to beat more often than once in the bound.
    pub fn beat(&self, lane: &'static str, task: usize) {
        self.state().beats.insert((lane, task), Instant::now());
    }

    /// A task of a lane waits for work, or has ended as it should, and no longer beats.
    pub fn rests(&self, lane: &'static str, task: usize) {
        self.state().beats.remove(&(lane, task));
    }

    /// Whether the watches show what the API server has. A replica that waits for the lease is ready, too: it is as good a
    /// target of a rolling update as the leader.
    pub fn synced(&self, synced: bool) {
        self.state().synced = synced;
    }

    /// Why this process should be restarted, if it should.
    pub fn dead(&self) -> Option<String> {
        let now = Instant::now();
        let state = self.state();
        let silent: Vec<String> = state
            .beats
            .iter()
            .map(|(lane, beat)| (lane, now.saturating_duration_since(*beat)))
            .filter(|(_, silence)| *silence > self.shared.bound)
            .map(|((lane, task), silence)| {
                format!("task {task} of `{lane}` is silent for {} s", silence.as_secs())
            })
            .collect();
        (!silent.is_empty()).then(|| silent.join(", "))
    }

    /// Whether the watches have synced.
    pub fn ready(&self) -> bool {
        self.state().synced
    }

    fn state(&self) -> MutexGuard<'_, Vitals> {
        // Nothing panics while it holds the lock, and the values are whole at all times.
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn livez(State((health, _)): State<(Health, Arc<Metrics>)>) -> impl IntoResponse {
    match health.dead() {
        None => (StatusCode::OK, "ok\n".to_string()),
        Some(reason) => (StatusCode::SERVICE_UNAVAILABLE, reason + "\n"),
    }
}

async fn readyz(State((health, _)): State<(Health, Arc<Metrics>)>) -> impl IntoResponse {
    if health.ready() {
        (StatusCode::OK, "ok\n")
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "the watches have not synced\n")
    }
}

async fn exposition(State((_, metrics)): State<(Health, Arc<Metrics>)>) -> impl IntoResponse {
    ([(CONTENT_TYPE, metrics::CONTENT_TYPE)], metrics.encode())
}

/// Serves until cancelled, then answers what was asked and returns within two seconds.
///
/// # Errors
/// If the listener fails for good.
pub async fn serve(
    listener: TcpListener,
    health: Health,
    metrics: Arc<Metrics>,
    cancel: CancellationToken,
) -> std::io::Result<()> {
    let router = Router::new()
        .route("/livez", get(livez))
        .route("/readyz", get(readyz))
        .route("/metrics", get(exposition))
        .with_state((health, metrics));
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
mod tests {
    use std::net::SocketAddr;

    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpStream,
        task::JoinHandle,
    };

    use super::*;

    struct Server {
        address: SocketAddr,
        health: Health,
        metrics: Arc<Metrics>,
        cancel: CancellationToken,
        task: JoinHandle<std::io::Result<()>>,
    }

    async fn start(bound: Duration) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (health, metrics) = (Health::new(bound), Arc::<Metrics>::default());
        let cancel = CancellationToken::new();
        let task = tokio::spawn(serve(listener, health.clone(), metrics.clone(), cancel.clone()));
        Server { address, health, metrics, cancel, task }
    }

    async fn get(address: SocketAddr, path: &str) -> (u16, String, String) {
        let mut socket = TcpStream::connect(address).await.unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
        socket.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        socket.read_to_string(&mut answer).await.unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head[9..12].parse().unwrap(), head.to_string(), body.to_string())
    }

    #[tokio::test]
    async fn ready_once_synced() {
        let server = start(Duration::from_secs(60)).await;
        assert_eq!(get(server.address, "/readyz").await.0, 503);
        server.health.synced(true);
        assert_eq!(get(server.address, "/readyz").await.0, 200);
        server.health.synced(false);
        let (code, _, body) = get(server.address, "/readyz").await;
        assert_eq!((code, body.as_str()), (503, "the watches have not synced\n"));
    }

    #[tokio::test]
    async fn alive_while_every_lane_beats() {
        let server = start(Duration::from_millis(200)).await;
        assert_eq!(get(server.address, "/livez").await.0, 200);
        server.health.beat("creates", 0);
        server.health.beat("updates", 3);
        assert_eq!(get(server.address, "/livez").await.0, 200);
        sleep(Duration::from_millis(300)).await;
        server.health.beat("updates", 3);
        let (code, _, body) = get(server.address, "/livez").await;
        assert_eq!((code, body.as_str()), (503, "task 0 of `creates` is silent for 0 s\n"));
        server.health.rests("creates", 0);
        assert_eq!(get(server.address, "/livez").await.0, 200);
    }

    #[tokio::test(start_paused = true)]
    async fn the_bound_is_the_last_moment() {
        let health = Health::new(Duration::from_secs(60));
        health.beat("timers", 0);
        sleep(Duration::from_secs(60)).await;
        assert_eq!(health.dead(), None);
        sleep(Duration::from_secs(1)).await;
        assert_eq!(health.dead().as_deref(), Some("task 0 of `timers` is silent for 61 s"));
    }

    #[tokio::test]
    async fn metrics_are_openmetrics() {
        let server = start(Duration::from_secs(60)).await;
        server.metrics.leader(true);
        let (code, head, body) = get(server.address, "/metrics").await;
        assert_eq!(code, 200);
        let content = "content-type: application/openmetrics-text; version=1.0.0; charset=utf-8";
        assert!(head.contains(content), "{head}");
        assert!(body.contains("kron_leader 1\n") && body.ends_with("# EOF\n"));
    }

    #[tokio::test]
    async fn nothing_else_is_served() {
        let server = start(Duration::from_secs(60)).await;
        assert_eq!(get(server.address, "/").await.0, 404);
    }

    #[tokio::test]
    async fn stops_even_if_a_connection_stays_open() {
        let server = start(Duration::from_secs(60)).await;
        let mut idle = TcpStream::connect(server.address).await.unwrap();
        idle.write_all(b"GET /livez HTTP/1.1\r\n").await.unwrap();
        sleep(Duration::from_millis(50)).await;
        server.cancel.cancel();
        tokio::time::timeout(Duration::from_secs(10), server.task).await.unwrap().unwrap().unwrap();
        assert!(TcpStream::connect(server.address).await.is_err());
    }
}
