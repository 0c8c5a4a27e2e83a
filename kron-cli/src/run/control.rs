//! The socket next to the state file, by which other commands ask the runner something: one line of JSON in each direction.

use std::ffi::OsString;
use std::fs::{File, Permissions};
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use kron_runner::{RunnerError, RunnerHandle};
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::time::{sleep, timeout};

use super::connections::Connections;

/// A request that is longer is refused.
const LONGEST: u64 = 1 << 16;
/// How long a client may take to send its request.
const SLOW: Duration = Duration::from_secs(10);
/// A runner that cannot write its state file does not answer before it can.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a runner is asked.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Request {
    /// To run a job now.
    RunNow {
        /// The name of the job.
        job: String,
    },
    /// To suspend a job.
    Suspend {
        /// The name of the job.
        job: String,
    },
    /// To end the suspension of a job.
    Resume {
        /// The name of the job.
        job: String,
    },
}

impl Request {
    /// The name of the job.
    pub(crate) fn job(&self) -> &str {
        match self {
            Request::RunNow { job } | Request::Suspend { job } | Request::Resume { job } => job,
        }
    }
}

/// What it answers.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Answer {
    /// The request is in the state file. One to run a job now has this token.
    Stored(Option<String>),
    /// An earlier request of the job, with this token, has no outcome yet.
    Waits(String),
    /// The runner has no such job.
    UnknownJob,
    /// It cannot run the job for another reason.
    Failed(String),
}

/// Where the socket is. The names of sockets are short, so it is reached by its directory.
struct Place {
    directory: File,
    name: OsString,
}

impl Place {
    fn of(state: &Path) -> io::Result<Place> {
        let state = state.canonicalize()?;
        let none = || io::Error::from(io::ErrorKind::InvalidInput);
        let mut name = state.file_name().ok_or_else(none)?.to_os_string();
        name.push(".sock");
        Ok(Place { directory: File::open(state.parent().ok_or_else(none)?)?, name })
    }

    fn path(&self) -> PathBuf {
        Path::new(&format!("/proc/self/fd/{}", self.directory.as_raw_fd())).join(&self.name)
    }
}

/// The socket of a runner. It is removed when it is dropped.
pub(crate) struct Control {
    place: Place,
    listener: tokio::net::UnixListener,
}

impl Drop for Control {
    fn drop(&mut self) {
        // A socket that is left behind is removed by the next runner.
        let _ = std::fs::remove_file(self.place.path());
    }
}

impl Control {
    /// Makes the socket of a state file that this process has the lock of.
    ///
    /// # Errors
    ///
    /// If the file system has no sockets, or another file has its name.
    pub(crate) fn new(state: &Path) -> io::Result<Control> {
        let place = Place::of(state)?;
        let path = place.path();
        // The socket of a runner that was killed.
        if std::fs::symlink_metadata(&path).is_ok_and(|found| found.file_type().is_socket()) {
            std::fs::remove_file(&path)?;
        }
        let listener = tokio::net::UnixListener::bind(&path)?;
        let control = Control { place, listener };
        // A user who can connect can start commands as this user.
        std::fs::set_permissions(&path, Permissions::from_mode(0o600))?;
        Ok(control)
    }

    /// Answers requests for ever.
    pub(crate) async fn serve(self, runner: RunnerHandle) {
        let mut connections = Connections::default();
        loop {
            match self.listener.accept().await {
                Ok((stream, _)) => {
                    let runner = runner.clone();
                    // A client that has gone needs no answer.
                    connections.serve(async move { drop(answer(stream, &runner).await) }).await;
                }
                // The process has no more files.
                Err(_) => sleep(Duration::from_secs(1)).await,
            }
        }
    }
}

async fn answer(mut stream: tokio::net::UnixStream, runner: &RunnerHandle) -> io::Result<()> {
    let user = stream.peer_cred()?.uid();
    if user != 0 && user != rustix::process::geteuid().as_raw() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let mut line = String::new();
    let (read, mut write) = stream.split();
    let mut read = tokio::io::BufReader::new(read.take(LONGEST));
    timeout(SLOW, read.read_line(&mut line)).await??;
    let answer = match serde_json::from_str(&line) {
        Ok(request) => {
            let stored = match request {
                Request::RunNow { job } => runner.run_now(&job).await.map(Some),
                Request::Suspend { job } => runner.suspend(&job).await.map(|()| None),
                Request::Resume { job } => runner.resume(&job).await.map(|()| None),
            };
            match stored {
                Ok(token) => Answer::Stored(token),
                Err(RunnerError::RunNowPending { token, .. }) => Answer::Waits(token),
                Err(RunnerError::UnknownJob { .. }) => Answer::UnknownJob,
                Err(error) => Answer::Failed(error.to_string()),
            }
        }
        Err(error) => Answer::Failed(format!("the request is not understood: {error}")),
    };
    write.write_all(format!("{}\n", serde_json::to_string(&answer)?).as_bytes()).await
}

/// Asks the runner that has a state file.
///
/// # Errors
///
/// `NotFound` and `ConnectionRefused` if no runner has it, `PermissionDenied` if another user's has it, `ConnectionReset` if it
/// closes the connection, `WouldBlock` if it does not answer.
pub(crate) fn ask(state: &Path, request: &Request) -> io::Result<Answer> {
    let mut stream = UnixStream::connect(Place::of(state)?.path())?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.write_all(format!("{}\n", serde_json::to_string(request)?).as_bytes())?;
    let mut line = String::new();
    BufReader::new(stream.take(LONGEST)).read_line(&mut line)?;
    if line.is_empty() {
        // It ended, it has too many connections, or this is another user.
        return Err(io::ErrorKind::ConnectionReset.into());
    }
    Ok(serde_json::from_str(&line)?)
}
