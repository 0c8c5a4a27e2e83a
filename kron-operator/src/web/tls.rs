//! A listener whose connections are TLS.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::serve::Listener;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use tokio_util::sync::{CancellationToken, DropGuard};
use tracing::debug;

use super::guard::Guard;

/// How many TLS handshakes may be under way at once, and for how long each. A client that sends nothing then holds up no other for long.
const HANDSHAKES: usize = 64;
const HANDSHAKE_LIMIT: Duration = Duration::from_secs(5);

/// Accepts TLS connections, each with the certificate that the guard has then.
#[derive(Debug)]
pub(super) struct TlsListener {
    address: SocketAddr,
    greeted: mpsc::Receiver<(TlsStream<TcpStream>, SocketAddr)>,
    /// Ends the task that accepts.
    _accepting: DropGuard,
}

impl TlsListener {
    pub(super) fn new(mut listener: TcpListener, guard: Arc<Guard>) -> io::Result<TlsListener> {
        let address = listener.local_addr()?;
        let (sender, greeted) = mpsc::channel(HANDSHAKES);
        let (ended, places) = (CancellationToken::new(), Arc::new(Semaphore::new(HANDSHAKES)));
        let until = ended.clone();
        let accepting = async move {
            // OK because nobody closes the semaphore.
            while let Ok(place) = places.clone().acquire_owned().await {
                let (stream, peer) = Listener::accept(&mut listener).await;
                let (sender, handshake) = (sender.clone(), TlsAcceptor::from(guard.tls()).accept(stream));
                tokio::spawn(async move {
                    match tokio::time::timeout(HANDSHAKE_LIMIT, handshake).await {
                        // It fails if the server has stopped.
                        Ok(Ok(stream)) => drop(sender.send((stream, peer)).await),
                        Ok(Err(error)) => debug!(%peer, %error, "no TLS connection"),
                        Err(_) => debug!(%peer, "no TLS connection within {HANDSHAKE_LIMIT:?}"),
                    }
                    drop(place);
                });
            }
        };
        tokio::spawn(async move { until.run_until_cancelled(accepting).await });
        Ok(TlsListener { address, greeted, _accepting: ended.drop_guard() })
    }
}

impl Listener for TlsListener {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        match self.greeted.recv().await {
            Some(greeted) => greeted,
            // The task that accepts lives as long as self.
            None => std::future::pending().await,
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.address)
    }
}
