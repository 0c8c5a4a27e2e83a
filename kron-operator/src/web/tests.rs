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
    let task = tokio::spawn(serve(listener, health.clone(), Some(metrics.clone()), cancel.clone()));
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
    assert_eq!((code, body.as_str()), (503, "task 0 of `creates` has been silent for 0s\n"));
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
    assert_eq!(health.dead().as_deref(), Some("task 0 of `timers` has been silent for 1m 1s"));
}

#[tokio::test]
async fn metrics_are_openmetrics() {
    let server = start(Duration::from_secs(60)).await;
    server.metrics.leader.set(1);
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

/// Files of a guard in a folder of their own. `tests/tls` has two pairs of a certificate and its key, which nothing but these
/// tests trusts.
struct Files {
    folder: std::path::PathBuf,
}

const TOKENS: [&str; 2] = ["0123456789abcdef", "another-token-of-clients"];

impl Files {
    fn new(test: &str) -> Files {
        let folder = std::env::temp_dir().join(format!("kron-guard-{}-{test}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let files = Files { folder };
        files.put("tls.crt", &pem("one.crt"));
        files.put("tls.key", &pem("one.key"));
        files.put("token", &format!("{}\n", TOKENS[0]));
        files
    }

    fn put(&self, name: &str, text: &str) {
        std::fs::write(self.folder.join(name), text).unwrap();
    }

    fn paths(&self) -> GuardFiles {
        let [certificate, key, token] = ["tls.crt", "tls.key", "token"].map(|name| self.folder.join(name));
        GuardFiles { certificate, key, token }
    }

    fn refusal(&self, file: &str, text: &str) -> String {
        let before = std::fs::read(self.folder.join(file)).unwrap();
        self.put(file, text);
        let refused = Guard::new(self.paths()).unwrap_err();
        std::fs::write(self.folder.join(file), before).unwrap();
        refused.replace(&self.folder.display().to_string(), "")
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn pem(name: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tls").join(name);
    std::fs::read_to_string(path).unwrap()
}

/// A request over TLS, of a client that trusts one of the certificates. No answer if the server has another one.
async fn get_guarded(address: SocketAddr, trusted: &str, request: &str) -> Option<(u16, String)> {
    use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, pem::PemObject as _};
    use tokio_rustls::rustls::{ClientConfig, RootCertStore, crypto::ring::default_provider};
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(pem(trusted).as_bytes()).unwrap()).unwrap();
    let mut config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    // As Prometheus offers them.
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    let socket = TcpStream::connect(address).await.unwrap();
    let connector = tokio_rustls::TlsConnector::from(Arc::new(config));
    let mut socket = connector.connect(ServerName::try_from("metrics.test").unwrap(), socket).await.ok()?;
    socket.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).await.unwrap();
    Some((answer[9..12].parse().unwrap(), answer))
}

fn request(path: &str, authorization: Option<&str>) -> String {
    let header = authorization.map(|value| format!("authorization: {value}\r\n")).unwrap_or_default();
    format!("GET {path} HTTP/1.1\r\nhost: a\r\n{header}connection: close\r\n\r\n")
}

#[tokio::test]
async fn guarded_metrics_need_tls_and_the_token() {
    let files = Files::new("token");
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (guard, cancel) = (Arc::new(Guard::new(files.paths()).unwrap()), CancellationToken::new());
    let task = tokio::spawn(serve_guarded(listener, guard.clone(), Arc::default(), cancel.clone()));
    let code = async |trusted: &str, path: &str, authorization: Option<&str>| {
        get_guarded(address, trusted, &request(path, authorization)).await.map(|(code, _)| code)
    };
    // Someone who says nothing keeps nobody out.
    let _silent = TcpStream::connect(address).await.unwrap();
    let token = format!("Bearer {}", TOKENS[0]);
    assert_eq!(code("one.crt", "/metrics", Some(&token)).await, Some(200));
    assert_eq!(code("one.crt", "/metrics", Some(&token.replace("Bearer", "bearer"))).await, Some(200));
    let longer = format!("{token}0");
    let wrong = ["", "Bearer", "Bearer ", "Basic 0123456789abcdef", &token[..22], &longer, TOKENS[0]];
    for authorization in wrong.map(Some).into_iter().chain([None]) {
        assert_eq!(code("one.crt", "/metrics", authorization).await, Some(401), "{authorization:?}");
    }
    for path in ["/livez", "/readyz", "/"] {
        assert_eq!(code("one.crt", path, Some(&token)).await, Some(404), "{path}");
    }
    let (_, refused) = get_guarded(address, "one.crt", &request("/metrics", None)).await.unwrap();
    assert!(refused.contains("www-authenticate: Bearer\r\n"), "{refused}");
    assert!(!refused.contains("kron_"), "{refused}");
    assert_eq!(code("two.crt", "/metrics", Some(&token)).await, None);
    // Without TLS there is no answer.
    let mut plain = TcpStream::connect(address).await.unwrap();
    plain.write_all(request("/metrics", Some(&token)).as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let _ = plain.read_to_end(&mut answer).await;
    assert!(!answer.starts_with(b"HTTP"), "{}", String::from_utf8_lossy(&answer));

    // A new certificate without its key: what was read before stays.
    files.put("tls.crt", &pem("two.crt"));
    assert!(guard.refresh().unwrap_err().contains("do they belong together?"));
    assert_eq!(code("one.crt", "/metrics", Some(&token)).await, Some(200));
    files.put("tls.key", &pem("two.key"));
    files.put("token", TOKENS[1]);
    assert!(guard.refresh().unwrap() && !guard.refresh().unwrap());
    assert_eq!(code("one.crt", "/metrics", Some(&token)).await, None);
    assert_eq!(code("two.crt", "/metrics", Some(&token)).await, Some(401));
    let token = format!("Bearer {}", TOKENS[1]);
    assert_eq!(code("two.crt", "/metrics", Some(&token)).await, Some(200));

    cancel.cancel();
    tokio::time::timeout(Duration::from_secs(10), task).await.unwrap().unwrap().unwrap();
    assert!(TcpStream::connect(address).await.is_err());
}

#[tokio::test]
async fn where_metrics_are_guarded_the_open_port_has_probes_alone() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let health = Health::new(Duration::from_secs(60));
    let _task = tokio::spawn(serve(listener, health, None, CancellationToken::new()));
    assert_eq!(get(address, "/metrics").await.0, 404);
    assert_eq!(get(address, "/livez").await.0, 200);
}

#[test]
fn files_that_cannot_guard_are_named() {
    let files = Files::new("files");
    for (file, text, message) in [
        ("tls.crt", "", "--metrics-tls-cert /tls.crt: there is no certificate in PEM"),
        ("tls.crt", "-----BEGIN CERTIFICATE-----\n!", "--metrics-tls-cert /tls.crt: "),
        ("tls.crt", &pem("two.crt"), "--metrics-tls-cert and --metrics-tls-key: "),
        ("tls.key", &pem("one.crt"), "--metrics-tls-key /tls.key: there is no private key in PEM"),
        ("token", "\n", "--metrics-token /token: expected a token of 16 to 4096 letters"),
        ("token", "0123456789 abcdef", "--metrics-token /token: expected a token"),
        ("token", "0123456789abcde", "--metrics-token /token: expected a token"),
        ("token", &"a".repeat(4097), "--metrics-token /token: expected a token"),
        ("token", &"a".repeat(300_000), "--metrics-token /token: it has more than 262144 bytes"),
    ] {
        let refused = files.refusal(file, text);
        assert!(refused.starts_with(message), "{refused}");
        assert!(!refused.contains("0123456789"), "a message shows no token: {refused}");
    }
    std::fs::remove_file(files.folder.join("token")).unwrap();
    let refused = Guard::new(files.paths()).unwrap_err();
    assert!(refused.starts_with("--metrics-token ") && refused.contains("No such file"), "{refused}");
}
