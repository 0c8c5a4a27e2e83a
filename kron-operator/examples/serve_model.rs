//! Serves the model of an API server on the loopback, on the time of the machine, until it is killed:
//!
//! ```sh
//! cargo run --package kron-operator --example serve_model -- FOLDER
//! ```
//!
//! It writes two kubeconfigs into the folder: `admin.kubeconfig` may do everything; `operator.kubeconfig` may do what is bound to the
//! ServiceAccount of `deploy/`. `scripts/real_server.sh` runs it where there is no real server.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use kron_api_model::Server;

#[path = "../tests/installed.rs"]
mod installed;
#[path = "../tests/socket.rs"]
mod socket;

use installed::Rights;

/// How soon a new binding counts.
const BINDINGS: Duration = Duration::from_millis(100);
/// How many requests the model remembers.
const LOG: usize = 1000;

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let Some(folder) = std::env::args_os().nth(1) else {
        eprintln!("usage: serve_model FOLDER");
        std::process::exit(2);
    };
    let server = Server::new(Arc::new(chrono::Utc::now));
    server.set_log_limit(LOG);
    installed::serve_kinds(&server);
    let mut rights = Rights::of(&server, "operator");
    for caller in ["operator", "admin"] {
        let address = socket::serve(kron_api_kubectl::client(&server, caller), axum::Router::new()).await;
        let file = Path::new(&folder).join(format!("{caller}.kubeconfig"));
        // Complete as soon as it is there.
        let written = file.with_extension("new");
        std::fs::write(&written, socket::kubeconfig(address))?;
        std::fs::rename(&written, &file)?;
    }
    loop {
        rights.follow();
        tokio::time::sleep(BINDINGS).await;
    }
}
