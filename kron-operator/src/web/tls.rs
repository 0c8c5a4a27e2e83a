//! A listener whose connections are TLS.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::serve::Listener;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use tracing::debug;

use super::guard::Guard;

/// How many TLS handshakes may be under way at once, and for how long each. A client that sends nothing then holds up no other for long.
const HANDSHAKES: usize = 64;
const HANDSHAKE_LIMIT: Duration = Duration::from_secs(5);

type Greeted = (TlsStream<TcpStream>, SocketAddr);

/// Accepts TLS connections, each with the certificate that the guard has then.
#[derive(Debug)]
pub(super) struct TlsListener {
    listener: TcpListener,
    guard: Arc<Guard>,
    /// Those that fail give nothing.
    handshakes: JoinSet<Option<Greeted>>,
}

impl TlsListener {
    pub(super) fn new(listener: TcpListener, guard: Arc<Guard>) -> TlsListener {
        TlsListener { listener, guard, handshakes: JoinSet::new() }
    }

    fn greet(&mut self, stream: TcpStream, peer: SocketAddr) {
        let handshake = TlsAcceptor::from(self.guard.tls()).accept(stream);
        self.handshakes.spawn(async move {
            match tokio::time::timeout(HANDSHAKE_LIMIT, handshake).await {
                Ok(Ok(stream)) => return Some((stream, peer)),
                Ok(Err(error)) => debug!(%peer, %error, "no TLS connection"),
                Err(_) => debug!(%peer, "no TLS connection within {HANDSHAKE_LIMIT:?}"),
            }
            None
        });
    }
}

impl Listener for TlsListener {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> Greeted {
        loop {
            tokio::select! {
                Some(ended) = self.handshakes.join_next() => {
                    if let Ok(Some(greeted)) = ended {
                        return greeted;
                    }
                }
                (stream, peer) = Listener::accept(&mut self.listener), if self.handshakes.len() < HANDSHAKES => {
                    self.greet(stream, peer);
                }
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}
