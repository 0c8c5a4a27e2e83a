//! The model behind a socket, for programs that are no part of the test.

use std::net::{Ipv4Addr, SocketAddr};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use kube::Client;
use tokio::net::TcpListener;

async fn forward(State(client): State<Client>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let Ok(bytes) = axum::body::to_bytes(body, usize::MAX).await else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let request = http::Request::from_parts(head, kube::client::Body::from(bytes.to_vec()));
    match client.send(request).await {
        Ok(answer) => answer.map(Body::new),
        Err(error) => (StatusCode::BAD_GATEWAY, error.to_string()).into_response(),
    }
}

/// A free port of this machine.
pub async fn local() -> TcpListener {
    TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await.unwrap()
}

/// Answers requests by a client, those of other routes first, until the runtime ends.
pub async fn serve(client: Client, others: axum::Router<Client>) -> SocketAddr {
    let listener = local().await;
    let address = listener.local_addr().unwrap();
    let router = others.fallback(forward).with_state(client);
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

/// The kubeconfig of a server without users.
pub fn kubeconfig(address: SocketAddr) -> String {
    format!(
        "apiVersion: v1\nkind: Config\nclusters: [{{name: model, cluster: {{server: 'http://{address}'}}}}]\n\
         users: [{{name: nobody, user: {{}}}}]\ncontexts: [{{name: model, context: {{cluster: model, user: nobody}}}}]\n\
         current-context: model\n"
    )
}
