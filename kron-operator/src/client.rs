//! The client of the API server, and the meaning of its errors for writes.

use std::{path::PathBuf, time::Duration};

use http::{HeaderValue, header::USER_AGENT};
use kube::config::{KubeConfigOptions, Kubeconfig, KubeconfigError};
use kube::core::response::{Status, reason};
use kube::{Client, Config};

/// The time limit for making a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a connection may be silent: longer than a watch, which ends after 290 s at the latest.
const READ_TIMEOUT: Duration = Duration::from_secs(330);
/// How long a connection may refuse to take bytes.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);

/// The address of the API server and the credentials.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientOptions {
    /// A kubeconfig file. Without one, and without a context, `KUBECONFIG` or `~/.kube/config` are read if they are there,
    /// and else the service account of the pod counts.
    pub kubeconfig: Option<PathBuf>,
    /// A context of the kubeconfig, other than its current one.
    pub context: Option<String>,
}

/// A client that sends every request at most once.
///
/// # Errors
/// If there is no configuration, or it makes no client. Nothing is sent yet.
pub async fn client(options: &ClientOptions) -> Result<Client, String> {
    let choice = KubeConfigOptions { context: options.context.clone(), ..KubeConfigOptions::default() };
    let mut config = match (&options.kubeconfig, &options.context) {
        (Some(path), _) => {
            let failed = |error: KubeconfigError| {
                format!("kubeconfig `{}`: {error} (check --kubeconfig and --context)", path.display())
            };
            let kubeconfig = Kubeconfig::read_from(path).map_err(failed)?;
            Config::from_custom_kubeconfig(kubeconfig, &choice).await.map_err(failed)?
        }
        (None, Some(context)) => {
            let usual = "the kubeconfig in `KUBECONFIG` or `~/.kube/config`";
            let failed = |error: KubeconfigError| format!("context `{context}` of {usual}: {error}");
            Config::from_kubeconfig(&choice).await.map_err(failed)?
        }
        (None, None) => {
            let help = "run in a pod with a service account, or give --kubeconfig FILE";
            Config::infer().await.map_err(|error| format!("{error} ({help})"))?
        }
    };
    config.connect_timeout = Some(CONNECT_TIMEOUT);
    config.write_timeout = Some(WRITE_TIMEOUT);
    // The answers to writes are awaited by `within`. A watch has a limit of its own, which the server keeps; what is silent
    // for longer has lost its server.
    config.read_timeout = Some(READ_TIMEOUT);
    // kube would send a POST again, up to 15 times and minutes late. Whether a period is still in time is ours to decide.
    config.default_retry = false;
    let agent = concat!("kron-operator/", env!("CARGO_PKG_VERSION"));
    config.headers.push((USER_AGENT, HeaderValue::from_static(agent)));
    Client::try_from(config).map_err(|error| format!("cannot make a client of the API server: {error}"))
}

/// Waits for an answer, but not longer than a limit: the server may have executed what it does not answer, so that is
/// [`Failure::Ambiguous`].
///
/// # Errors
/// Those of the request, and that there was no answer in time.
pub async fn within<T, E: Into<Refusal>>(
    limit: Duration,
    request: impl Future<Output = Result<T, E>>,
) -> Result<T, Refusal> {
    match tokio::time::timeout(limit, request).await {
        Ok(answer) => answer.map_err(E::into),
        Err(_) => {
            Err(Refusal { failure: Failure::Ambiguous, message: format!("no answer within {limit:?}") })
        }
    }
}

/// What an error means for the write that got it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Failure {
    /// The object is not in the version that was sent. Read it again first; an object quota under contention answers a
    /// create so, too.
    Conflict,
    /// There is an object of this name.
    AlreadyExists,
    /// There is no such object, or the namespace is not there.
    NotFound,
    /// What was sent is not valid, and will not be.
    Invalid,
    /// Not allowed: by a quota, an admission webhook or policy, or access rules.
    Forbidden,
    /// The namespace is being deleted.
    NamespaceTerminating,
    /// Not now; the server is busy.
    TooManyRequests {
        /// How long to wait, if the server says so.
        retry_after: Option<Duration>,
    },
    /// Certainly not executed, for a temporary reason: the server was not reached, is starting or stopping, a webhook
    /// did not answer, or credentials are being renewed.
    Refused,
    /// It may have been executed, or not, or may be later.
    Ambiguous,
    /// Certainly not executed, for a permanent reason.
    Other,
}

impl Failure {
    /// One word for labels of metrics.
    pub const fn code(&self) -> &'static str {
        match self {
            Failure::Conflict => "conflict",
            Failure::AlreadyExists => "already_exists",
            Failure::NotFound => "not_found",
            Failure::Invalid => "invalid",
            Failure::Forbidden => "forbidden",
            Failure::NamespaceTerminating => "namespace_terminating",
            Failure::TooManyRequests { .. } => "too_many_requests",
            Failure::Refused => "refused",
            Failure::Ambiguous => "ambiguous",
            Failure::Other => "other",
        }
    }

    /// Whether the same request may succeed later without a change of the KronJob. A `Forbidden` may: quotas are freed and
    /// permissions granted. After a `Conflict` an update needs a new resourceVersion first.
    pub const fn passing(&self) -> bool {
        matches!(
            self,
            Failure::Conflict
                | Failure::Forbidden
                | Failure::TooManyRequests { .. }
                | Failure::Refused
                | Failure::Ambiguous
        )
    }

    /// Whether the write was certainly not executed.
    pub const fn not_executed(&self) -> bool {
        !matches!(self, Failure::Ambiguous)
    }

    fn of_status(status: &Status) -> Failure {
        let details = status.details.as_ref();
        let caused_by = |cause: &str| {
            details.is_some_and(|details| details.causes.iter().any(|found| found.reason == cause))
        };
        match (status.code, status.reason.as_str()) {
            (_, reason::ALREADY_EXISTS) => Failure::AlreadyExists,
            (403, _)
                if caused_by("NamespaceTerminating") || status.message.contains("is being terminated") =>
            {
                Failure::NamespaceTerminating
            }
            (409, _) | (0, reason::CONFLICT) => Failure::Conflict,
            (404, _) | (0, reason::NOT_FOUND) => Failure::NotFound,
            (422, _) | (0, reason::INVALID) => Failure::Invalid,
            (403, _) | (0, reason::FORBIDDEN) => Failure::Forbidden,
            (401, _) => Failure::Refused,
            (429, _) => {
                let seconds = details.map_or(0, |details| details.retry_after_seconds);
                Failure::TooManyRequests {
                    retry_after: (seconds > 0).then(|| Duration::from_secs(seconds.into())),
                }
            }
            // The API server's own: it is not ready or is going. A proxy before it says 503, too, when the connection broke
            // after the request was passed on; its answer is not a Status, and kube gives it another reason.
            (503, reason::SERVICE_UNAVAILABLE) => Failure::Refused,
            // Admission comes before the store.
            (500, _) if status.message.contains("failed calling webhook") => Failure::Refused,
            (0 | 408 | 500.., _) => Failure::Ambiguous,
            _ => Failure::Other,
        }
    }
}

/// Why there is no good answer: what it means, and a sentence for users.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Refusal {
    /// What it means.
    pub failure: Failure,
    /// The sentence.
    pub message: String,
}

impl From<kube::Error> for Refusal {
    fn from(error: kube::Error) -> Refusal {
        let failure = Failure::from(&error);
        // Of an answer, only its message.
        let message = match error {
            kube::Error::Api(status) => status.message,
            error => error.to_string(),
        };
        Refusal { failure, message }
    }
}

impl From<&kube::Error> for Failure {
    fn from(error: &kube::Error) -> Failure {
        match error {
            kube::Error::Api(status) => Failure::of_status(status),
            // No connection, no request.
            kube::Error::Service(error)
                if error
                    .downcast_ref::<hyper_util::client::legacy::Error>()
                    .is_some_and(hyper_util::client::legacy::Error::is_connect) =>
            {
                Failure::Refused
            }
            kube::Error::Auth(_) => Failure::Refused,
            // Sent, and no answer, or none that can be read.
            kube::Error::HyperError(_)
            | kube::Error::Service(_)
            | kube::Error::FromUtf8(_)
            | kube::Error::SerdeError(_)
            | kube::Error::ReadEvents(_)
            | kube::Error::LinesCodecMaxLineLengthExceeded => Failure::Ambiguous,
            _ => Failure::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpListener,
    };

    use super::*;

    fn failure(status: serde_json::Value) -> Failure {
        let status: Status = serde_json::from_value(status).unwrap();
        Failure::from(&kube::Error::Api(Box::new(status)))
    }

    fn plain(code: u16) -> Failure {
        // What kube makes of an answer that is not a Status.
        Failure::from(&kube::Error::Api(Box::new(
            Status::failure("upstream reset", "Failed to parse error data").with_code(code),
        )))
    }

    #[test]
    fn answers_of_api_servers() {
        let exists = json!({"code": 409, "reason": "AlreadyExists",
            "message": "object is being deleted: jobs.batch \"a-b\" already exists"});
        assert_eq!(failure(exists), Failure::AlreadyExists);
        let quota = json!({"code": 409, "reason": "Conflict",
            "message": "Operation cannot be fulfilled on resourcequotas \"q\": the object has been modified"});
        assert_eq!(failure(quota), Failure::Conflict);
        let gone = json!({"code": 404, "reason": "NotFound", "message": "namespaces \"a\" not found"});
        assert_eq!(failure(gone), Failure::NotFound);
        assert_eq!(failure(json!({"code": 422, "reason": "Invalid", "message": ""})), Failure::Invalid);
        let quota = json!({"code": 403, "reason": "Forbidden",
            "message": "jobs.batch \"a\" is forbidden: exceeded quota: q, requested: count/jobs.batch=1"});
        assert_eq!(failure(quota), Failure::Forbidden);
        let going = json!({"code": 403, "reason": "Forbidden",
            "message": "unable to create new content in namespace a because it is being terminated",
            "details": {"causes": [{"reason": "NamespaceTerminating", "message": "", "field": "metadata.namespace"}]}});
        assert_eq!(failure(going), Failure::NamespaceTerminating);
        let busy = json!({"code": 429, "reason": "TooManyRequests", "message": "",
            "details": {"retryAfterSeconds": 3}});
        assert_eq!(failure(busy), Failure::TooManyRequests { retry_after: Some(Duration::from_secs(3)) });
        assert_eq!(
            failure(json!({"code": 401, "reason": "Unauthorized", "message": "Unauthorized"})),
            Failure::Refused
        );
        let webhook = json!({"code": 500, "reason": "InternalError", "message":
            "Internal error occurred: failed calling webhook \"a.b.c\": context deadline exceeded"});
        assert_eq!(failure(webhook), Failure::Refused);
        let etcd =
            json!({"code": 500, "reason": "InternalError", "message": "etcdserver: request timed out"});
        assert_eq!(failure(etcd), Failure::Ambiguous);
        assert_eq!(failure(json!({"code": 504, "reason": "Timeout", "message": ""})), Failure::Ambiguous);
        let stopping =
            json!({"code": 503, "reason": "ServiceUnavailable", "message": "apiserver is shutting down"});
        assert_eq!(failure(stopping), Failure::Refused);
        assert_eq!(failure(json!({"code": 400, "reason": "BadRequest", "message": ""})), Failure::Other);
    }

    #[test]
    fn answers_of_proxies_say_nothing_about_the_server() {
        assert_eq!(plain(503), Failure::Ambiguous);
        assert_eq!(plain(502), Failure::Ambiguous);
        assert_eq!(plain(429), Failure::TooManyRequests { retry_after: None });
        assert_eq!(plain(404), Failure::NotFound);
    }

    async fn kubeconfig(server: &str) -> (PathBuf, Client) {
        let text = format!(
            "apiVersion: v1\nkind: Config\ncurrent-context: one\n\
             clusters: [{{name: one, cluster: {{server: '{server}'}}}}]\n\
             contexts: [{{name: one, context: {{cluster: one, user: one, namespace: here}}}}]\n\
             users: [{{name: one, user: {{}}}}]\n"
        );
        let name = server.replace(['/', ':', '.'], "-");
        let path = std::env::temp_dir().join(format!("kron-client-{}-{name}", std::process::id()));
        std::fs::write(&path, text).unwrap();
        let options = ClientOptions { kubeconfig: Some(path.clone()), context: None };
        let client = client(&options).await.unwrap();
        (path, client)
    }

    /// Answers every connection with the same bytes, and counts the requests.
    async fn server(answer: &'static str) -> (String, tokio::task::JoinHandle<Vec<String>>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let task = tokio::spawn(async move {
            let mut requests = Vec::new();
            while let Ok(Ok((mut socket, _))) =
                tokio::time::timeout(Duration::from_millis(500), listener.accept()).await
            {
                let mut bytes = vec![0; 4096];
                let count = socket.read(&mut bytes).await.unwrap();
                requests.push(String::from_utf8_lossy(&bytes[..count]).to_string());
                socket.write_all(answer.as_bytes()).await.unwrap();
            }
            requests
        });
        (address, task)
    }

    fn request() -> http::Request<Vec<u8>> {
        http::Request::post("/apis/batch/v1/namespaces/a/jobs").body(b"{}".to_vec()).unwrap()
    }

    #[tokio::test]
    async fn nothing_is_sent_twice_and_the_agent_says_who_asks() {
        let answer = "HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n\r\n\
                      {\"kind\":\"Status\",\"code\":503,\"reason\":\"ServiceUnavailable\"}";
        let (address, requests) = server(answer).await;
        let (path, client) = kubeconfig(&address).await;
        let error = client.request::<serde_json::Value>(request()).await.unwrap_err();
        assert_eq!(Failure::from(&error), Failure::Refused, "{error}");
        let requests = requests.await.unwrap();
        assert_eq!(requests.len(), 1);
        let agent = format!("user-agent: kron-operator/{}", env!("CARGO_PKG_VERSION"));
        assert!(requests[0].contains(&agent), "{}", requests[0]);
        assert_eq!(client.default_namespace(), "here");
        std::fs::remove_file(path).unwrap();
    }

    #[tokio::test]
    async fn a_server_that_is_not_there_executed_nothing() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        drop(listener);
        let (path, client) = kubeconfig(&address).await;
        let error = client.request::<serde_json::Value>(request()).await.unwrap_err();
        assert_eq!(Failure::from(&error), Failure::Refused, "{error:?}");
        std::fs::remove_file(path).unwrap();
    }

    #[tokio::test]
    async fn a_connection_that_breaks_leaves_it_open() {
        let (address, _task) = server("").await;
        let (path, client) = kubeconfig(&address).await;
        let error = client.request::<serde_json::Value>(request()).await.unwrap_err();
        assert_eq!(Failure::from(&error), Failure::Ambiguous, "{error:?}");
        std::fs::remove_file(path).unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn no_answer_in_time_leaves_it_open() {
        let error = within(Duration::from_secs(5), std::future::pending::<Result<(), kube::Error>>())
            .await
            .unwrap_err();
        assert_eq!((error.failure, &*error.message), (Failure::Ambiguous, "no answer within 5s"));
    }

    #[tokio::test]
    async fn a_kubeconfig_that_is_not_there_is_named() {
        let options = ClientOptions { kubeconfig: Some("/no/such/file".into()), context: None };
        let error = client(&options).await.err().unwrap();
        assert!(error.starts_with("kubeconfig `/no/such/file`: "), "{error}");
    }
}
