//! The way of a request: network, faults, access, execution, answer.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response, header};
use http_body::Frame;
use http_body_util::{BodyExt, Full, StreamBody, combinators::UnsyncBoxBody};
use kube::client::Body;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::call::{Call, Verb};
use crate::fault::Step;
use crate::json;
use crate::log::Record;
use crate::network::Network;
use crate::objects::Objects;
use crate::options;
use crate::routes::{Path, Route};
use crate::server::Server;
use crate::status::Status;
use crate::store::Store;
use crate::verbs::{Reply, Target, create, delete, get, list, patch, update};
use crate::watch;

type Error = std::io::Error;
type Answer = Response<UnsyncBoxBody<Bytes, Error>>;

impl Server {
    /// A client of this server. The name distinguishes callers in faults, access rules and the log. Needs a running tokio
    /// runtime, as every client does.
    pub fn client(&self, name: &str) -> kube::Client {
        kube::Client::new(Service::new(self.clone(), name), "default")
    }
}

/// The server as one caller sees it.
#[derive(Clone, Debug)]
pub(crate) struct Service {
    server: Server,
    caller: String,
}

impl Service {
    pub(crate) fn new(server: Server, caller: &str) -> Service {
        Service { server, caller: caller.to_owned() }
    }
}

impl tower::Service<Request<Body>> for Service {
    type Response = Answer;
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<Answer, Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        Box::pin(answer(self.server.clone(), self.caller.clone(), request))
    }
}

/// What a server says of itself.
fn version() -> Value {
    json!({"major": "1", "minor": "36", "gitVersion": "v1.36.0-model", "gitCommit": "", "gitTreeState": "",
        "buildDate": "1970-01-01T00:00:00Z", "goVersion": "", "compiler": "", "platform": "linux/amd64"})
}

fn connection_lost() -> Error {
    Error::new(std::io::ErrorKind::ConnectionReset, "connection reset by peer")
}

async fn answer(server: Server, caller: String, request: Request<Body>) -> Result<Answer, Error> {
    let sent = Instant::now();
    let (head, body) = request.into_parts();
    let body = body.collect().await.map_err(Error::other)?.to_bytes();
    let route = Route::parse(head.uri.path());
    if !server.connected(&caller).await {
        return Err(connection_lost());
    }
    let path = match route {
        Route::Resource(path) => path,
        Route::Version => return Ok(respond(Ok(Reply::value(200, &version())))),
        Route::Nothing => return Ok(respond(Err(Status::no_such_path()))),
    };
    let parsed = match read_call(caller, sent, path, &head, &body) {
        Ok(call) => call,
        Err(status) => return Ok(respond(Err(status))),
    };
    let limit = match options::time_limit(&parsed) {
        Ok(limit) => limit,
        Err(status) => return Ok(respond(Err(status))),
    };
    let call = Arc::new(parsed);
    let (number, faults) = {
        let time = server.now();
        let mut network = server.network();
        let without_body = Call { body: Arc::new(Value::Null), ..(*call).clone() };
        let number = network.log.arrive(Record { time, call: without_body, executed: false, code: None });
        (number, network.faults.take(&call))
    };
    for steps in &faults {
        if let Some(end) = meet(&steps.before_execution, &server, &call, limit).await {
            return end.answer(&server, number);
        }
    }

    let answer = execute(&server, &call, number, media(&head));

    for steps in &faults {
        if let Some(end) = meet(&steps.after_execution, &server, &call, None).await {
            return end.answer(&server, number);
        }
    }
    // The way back is cut, too.
    if !server.connected(&call.caller).await {
        return Err(connection_lost());
    }
    server.network().log.amend(number, |record| record.code = Some(answer.status().as_u16()));
    Ok(answer)
}

/// How a fault ends a request.
enum End {
    Rejected(Status),
    Disconnected,
}

impl End {
    /// What the caller gets.
    fn answer(self, server: &Server, number: u64) -> Result<Answer, Error> {
        match self {
            End::Rejected(status) => {
                server.network().log.amend(number, |record| record.code = Some(status.code));
                Ok(respond(Err(status)))
            }
            End::Disconnected => Err(connection_lost()),
        }
    }
}

/// Lets a step of a fault happen to a request, which the server works on until a limit. What holds it up for ever is between
/// caller and server, where no limit counts.
async fn meet(step: &Step, server: &Server, call: &Arc<Call>, limit: Option<Duration>) -> Option<End> {
    match step {
        Step::Pass => {}
        Step::Answer(status) => return Some(End::Rejected(status.clone())),
        Step::Disconnect => return Some(End::Disconnected),
        Step::Wait(time) => match limit.filter(|limit| limit < time) {
            Some(limit) => {
                tokio::time::sleep(limit).await;
                let cause = "request did not complete within requested timeout - context deadline exceeded";
                return Some(End::Rejected(Status::gateway_timeout(cause)));
            }
            None => tokio::time::sleep(*time).await,
        },
        Step::WaitForever => std::future::pending().await,
        Step::Run(hook) => hook(Objects::clone(server), call.clone()).await,
    }
    None
}

/// What a caller wants to get back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Media {
    Json,
    Metadata,
    Unknown,
}

fn media(head: &http::request::Parts) -> Media {
    let accept = head.headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or("*/*");
    for item in accept.split(',').map(str::trim) {
        if item.contains("as=PartialObjectMetadata") {
            return Media::Metadata;
        }
        if !item.contains("as=")
            && ["application/json", "application/*", "*/*"].iter().any(|m| item.starts_with(m))
        {
            return Media::Json;
        }
    }
    Media::Unknown
}

fn read_call(
    caller: String,
    sent: Instant,
    path: Path,
    head: &http::request::Parts,
    body: &Bytes,
) -> Result<Call, Status> {
    let query: Vec<(String, String)> =
        form_urlencoded::parse(head.uri.query().unwrap_or_default().as_bytes()).into_owned().collect();
    let parameter = |name: &str| query.iter().rev().find(|(key, _)| key == name).map(|(_, v)| v.as_str());
    let watch = matches!(parameter("watch"), Some("true" | "1"));
    let verb = path.verb(&head.method, watch).ok_or_else(Status::method_not_allowed)?;
    let content_type = head.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let content_type = content_type.unwrap_or_default().split(';').next().unwrap_or_default().trim();
    let value: Value = if body.is_empty() {
        Value::Null
    } else if verb != Verb::Patch && !["", "application/json"].contains(&content_type) {
        return Err(Status::unsupported_media_type(&["application/json"]));
    } else {
        serde_json::from_slice(body)
            .map_err(|error| Status::bad_request(format!("the body cannot be read as JSON: {error}")))?
    };
    let mut name = path.name;
    if verb == Verb::Create && name.is_empty() {
        name = json::text_or_empty(&value, &["metadata", "name"]).to_owned();
    }
    let dry_runs: Vec<&str> =
        query.iter().filter(|(key, _)| key == "dryRun").map(|(_, value)| value.as_str()).collect();
    let dry_run = match verb {
        Verb::Create => options::dry_run(&dry_runs, "CreateOptions")?,
        Verb::Update => options::dry_run(&dry_runs, "UpdateOptions")?,
        Verb::Patch => options::dry_run(&dry_runs, "PatchOptions")?,
        Verb::Delete | Verb::DeleteCollection => {
            !dry_runs.is_empty() || !json::list(&value, &["dryRun"]).is_empty()
        }
        _ => false,
    };
    let field_manager = parameter("fieldManager").unwrap_or_default().to_owned();
    Ok(Call {
        caller,
        verb,
        group: path.group,
        version: path.version,
        resource: path.resource,
        subresource: path.subresource,
        namespace: path.namespace,
        name,
        dry_run,
        field_manager,
        content_type: content_type.to_owned(),
        query,
        body: Arc::new(value),
        sent,
    })
}

/// Executes a request. All of it happens at one moment.
fn execute(server: &Server, call: &Arc<Call>, number: u64, media: Media) -> Answer {
    let now = server.now();
    let mut network = server.network();
    let mut store = server.store();
    let done = match run(&network, &mut store, call, media, now) {
        Ok(done) => done,
        Err(status) => {
            network.log.amend(number, |record| record.executed = !matches!(status.code, 401 | 403));
            return respond(Err(status));
        }
    };
    network.log.amend(number, |record| record.executed = true);
    match done {
        Done::Reply(reply) => {
            server.release(store);
            respond(Ok(reply))
        }
        Done::Watch(opened) => {
            let control = network.start_watch(opened.number(), call.clone());
            drop((store, network));
            let stream = watch::Stream::new(server.clone(), opened, control);
            let frames = futures::stream::unfold(stream, async |mut stream| {
                let piece = stream.next().await?;
                Some((piece.map(Frame::data), stream))
            });
            let mut answer = Response::new(StreamBody::new(frames).boxed_unsync());
            json_content(&mut answer);
            answer
        }
    }
}

enum Done {
    Reply(Reply),
    Watch(watch::Opened),
}

fn run(
    network: &Network,
    store: &mut Store,
    call: &Call,
    media: Media,
    now: chrono::DateTime<chrono::Utc>,
) -> Result<Done, Status> {
    network.access.check(call, call.verb)?;
    let target = Target::find(store, call, media == Media::Metadata).ok_or_else(Status::no_such_path)?;
    if media == Media::Unknown {
        return Err(Status::not_acceptable());
    }
    let of_object = matches!(call.verb, Verb::Get | Verb::Update | Verb::Patch);
    if !call.subresource.is_empty() && !of_object {
        return Err(Status::method_not_allowed());
    }
    if makes_object(store, call, &target) {
        network.access.check(call, Verb::Create)?;
    }
    let stale = network.stale(&call.caller);
    Ok(Done::Reply(match call.verb {
        Verb::Get => get::get(store, call, &target, stale)?,
        Verb::List => list::list(store, call, &target, stale)?,
        Verb::Watch => return Ok(Done::Watch(watch::open(store, call, &target, stale)?)),
        Verb::Create => create::create(store, call, &target, now)?,
        Verb::Update => update::update(store, call, &target, now)?,
        Verb::Patch => patch::patch(store, call, &target, now)?,
        Verb::Delete => delete::delete(store, call, &target, now)?,
        Verb::DeleteCollection => delete::delete_collection(store, call, &target, now)?,
    }))
}

/// Whether an update will make the object: that takes the right to create, too.
fn makes_object(store: &Store, call: &Call, target: &Target) -> bool {
    call.verb == Verb::Update
        && target.resource.strategy.create_on_update()
        && store.get(target.table, &call.namespace, &call.name).is_none()
}

fn respond(answer: Result<Reply, Status>) -> Answer {
    let (code, body, warnings, retry_after) = match answer {
        Ok(reply) => (reply.code, reply.body, reply.warnings, None),
        Err(status) => {
            (status.code, status.to_value().to_string().into_bytes(), Vec::new(), status.retry_after())
        }
    };
    let mut response =
        Response::new(Full::new(Bytes::from(body)).map_err(|never| match never {}).boxed_unsync());
    *response.status_mut() =
        http::StatusCode::from_u16(code).unwrap_or(http::StatusCode::INTERNAL_SERVER_ERROR);
    json_content(&mut response);
    for warning in warnings {
        let text = warning.replace('\\', "\\\\").replace('"', "\\\"");
        if let Ok(value) = http::HeaderValue::from_str(&format!("299 - \"{text}\"")) {
            response.headers_mut().append(header::WARNING, value);
        }
    }
    if let Some(seconds) = retry_after {
        response.headers_mut().insert(header::RETRY_AFTER, http::HeaderValue::from(seconds));
    }
    response
}

fn json_content(answer: &mut Answer) {
    let json = http::HeaderValue::from_static("application/json");
    answer.headers_mut().insert(header::CONTENT_TYPE, json);
}
