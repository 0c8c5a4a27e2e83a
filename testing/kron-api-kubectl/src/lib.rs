//! What kubectl and Helm ask of an API server beyond clients of kube, in front of the model of one: discovery, tables, bodies in
//! protobuf, strategic merge patches and server-side apply.
//!
//! ```
//! use kron_api_model::Server;
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let server = Server::new(std::sync::Arc::new(|| chrono::DateTime::UNIX_EPOCH));
//! let client = kron_api_kubectl::client(&server, "user");
//! let groups = client.list_api_groups().await?;
//! assert!(groups.groups.iter().any(|group| group.name == "batch"));
//! # Ok(())
//! # }
//! ```
//!
//! # What it does not
//!
//! * **Discovery**: not aggregated. The OpenAPI documents have no schemas: they say that patches know `fieldValidation`, and
//!   nothing else.
//! * **Tables**: columns of custom resources, of Jobs and of namespaces; all other kinds have a name and an age only. No tables in
//!   watches.
//! * **Bodies**: protobuf of Namespaces, ConfigMaps and Secrets only, and no protobuf answers.
//! * **Strategic merge patches** change objects, single values and containers by their names; other lists and directives are refused
//!   (501).
//! * **Server-side apply**: `managedFields` name those who apply, and no other writers: only they have conflicts, and an update that
//!   changes an applied field does not take it from its owner. Each list is one value.
//! * Both patches are made by reading the object and writing it: the model sees these requests, and its access rules and faults
//!   are for them.
#![forbid(unsafe_code)]

mod apply;
mod definition;
mod discovery;
mod protobuf;
mod strategic;
mod table;

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::request::Parts;
use http::{HeaderValue, Method, Request, Response, StatusCode, header};
use kron_api_model::{Server, Status};
use kube::client::Body;
use kube::{Client, Error};
use serde_json::Value;

/// Media types of patches that the model does not have.
const STRATEGIC_PATCH: &str = "application/strategic-merge-patch+json";
const APPLY: &str = "application/apply-patch+yaml";
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// [`Server::client`] for programs such as kubectl.
pub fn client(server: &Server, name: &str) -> Client {
    Client::new(Service { server: server.clone(), inner: server.client(name) }, "default")
}

#[derive(Clone)]
struct Service {
    server: Server,
    inner: Client,
}

impl tower::Service<Request<Body>> for Service {
    type Response = Response<Body>;
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let service = self.clone();
        Box::pin(async move { service.answer(request).await })
    }
}

impl Service {
    async fn answer(&self, request: Request<Body>) -> Result<Response<Body>, Error> {
        let (mut head, body) = request.into_parts();
        if let Some(answer) = discovery::answer(&self.server, head.uri.path()) {
            return Ok(answer.map_or_else(
                |status| respond(status.code, status.to_value().to_string().into()),
                |body| respond(200, body),
            ));
        }
        let mut body = body.collect_bytes().await?;
        let content_type = head.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        match (&head.method, content_type) {
            (&Method::PATCH, Some(APPLY)) => return self.patch(&head, &body, true).await,
            (&Method::PATCH, Some(STRATEGIC_PATCH)) => return self.patch(&head, &body, false).await,
            (_, Some(protobuf::MEDIA_TYPE)) => {
                // What cannot be read, the model refuses by its type.
                if let Some(object) = protobuf::read(&body) {
                    head.headers.insert(header::CONTENT_TYPE, JSON);
                    body = object.to_string().into();
                }
            }
            _ => {}
        }
        let as_table = table::is_wanted(&head);
        let answer = self.inner.send(Request::from_parts(head, body.to_vec().into())).await?;
        if !as_table || !answer.status().is_success() {
            return Ok(answer);
        }
        let (mut head, body) = answer.into_parts();
        head.headers.remove(header::CONTENT_LENGTH);
        let table = table::table(&self.server, &read(body).await?);
        Ok(Response::from_parts(head, table.to_string().into_bytes().into()))
    }

    /// Reads an object, changes it, and writes it.
    async fn patch(&self, head: &Parts, body: &[u8], applies: bool) -> Result<Response<Body>, Error> {
        let refuse = |status: Status| Ok(respond(status.code, status.to_value().to_string().into()));
        let patch: Value = match serde_json::from_slice(body) {
            Ok(patch) => patch,
            Err(error) => return refuse(Status::bad_request(format!("error decoding patch: {error}"))),
        };
        let path = head.uri.path();
        let answer = self.send(Method::GET, path.to_owned(), Vec::new()).await?;
        let old = match answer.status().as_u16() {
            200 => Some(read(answer.into_body()).await?),
            404 if applies => None,
            _ => return Ok(answer),
        };
        let query = head.uri.query().unwrap_or_default();
        let merged = match &old {
            Some(old) if !applies => strategic::patch(&self.server, old, &patch),
            old => apply::apply(old.as_ref(), &patch, query, self.server.now()),
        };
        let new = match merged {
            Ok(new) => new.to_string().into_bytes(),
            Err(status) => return refuse(status),
        };
        let (method, path) = match old {
            Some(_) => (Method::PUT, path),
            None => (Method::POST, path.rsplit_once('/').map_or("", |(collection, _)| collection)),
        };
        self.send(method, format!("{path}?{query}"), new).await
    }

    async fn send(&self, method: Method, uri: String, body: Vec<u8>) -> Result<Response<Body>, Error> {
        let request = Request::builder().method(method).uri(uri).header(header::CONTENT_TYPE, JSON);
        self.inner.send(request.body(body.into()).map_err(Error::HttpError)?).await
    }
}

/// The JSON of an answer, which the model has encoded itself.
async fn read(body: Body) -> Result<Value, Error> {
    serde_json::from_slice(&body.collect_bytes().await?).map_err(Error::SerdeError)
}

fn respond(code: u16, body: Bytes) -> Response<Body> {
    let mut answer = Response::new(Body::from(body.to_vec()));
    *answer.status_mut() = StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    answer.headers_mut().insert(header::CONTENT_TYPE, JSON);
    answer
}
