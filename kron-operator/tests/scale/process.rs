//! The operator as a separate process, on the model behind a socket, so that its memory and processor time can be
//! measured.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use kron_api_model::Server;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::resident;
use crate::socket::{kubeconfig, local, serve};

/// A replica in a process, which is killed when this is dropped.
pub struct Replica {
    child: Child,
    pages: SocketAddr,
    kubeconfig: PathBuf,
}

impl Replica {
    /// Starts a replica, which the server knows as `name`.
    pub async fn start(server: &Server, name: &str, arguments: &[&str]) -> Replica {
        let address = serve(server.client(name), axum::Router::new()).await;
        // Freed before the replica takes it; nothing else on the machine asks for it by number.
        let pages = local().await.local_addr().unwrap();
        let file =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("scale-{name}-{}.yaml", std::process::id()));
        std::fs::write(&file, kubeconfig(address)).unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_kron-operator"))
            .args(["run", "--lease-namespace", "default", "--log", "error", "--identity", name])
            .args(["--listen", &pages.to_string(), "--kubeconfig"])
            .arg(&file)
            .args(arguments)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        Replica { child, pages, kubeconfig: file }
    }

    /// Whether it has read everything.
    pub async fn is_ready(&self) -> bool {
        self.page("/readyz").await.starts_with("HTTP/1.1 200")
    }

    /// One of its pages, with its head; empty if there is no answer.
    pub async fn page(&self, path: &str) -> String {
        let Ok(mut stream) = TcpStream::connect(self.pages).await else { return String::new() };
        let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        let mut answer = String::new();
        let sent = stream.write_all(request.as_bytes()).await;
        match sent.and(stream.read_to_string(&mut answer).await) {
            Ok(_) => answer,
            Err(_) => String::new(),
        }
    }

    /// A row of the `status` of the process in MiB: `VmRSS` now, `VmHWM` at its highest.
    pub fn resident(&self, row: &str) -> f64 {
        resident(&self.child.id().to_string(), row)
    }

    /// The time of processors that it has taken, in seconds; 0 on systems without `/proc`.
    pub fn processor_time(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap_or_default();
        // The fields after the name, which may hold spaces: `utime` and `stime` in hundredths.
        let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        fields.skip(11).take(2).filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() / 100.0
    }
}

impl Drop for Replica {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_file(&self.kubeconfig);
    }
}
