//! What the runner tells the service manager that started it, such as systemd: the protocol of `sd_notify(3)`.
//!
//! The crate sd-notify waits while the queue of the service manager is full, opens a file for each message, and does not know
//! abstract addresses.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram as StdDatagram};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use tokio::net::UnixDatagram;
use tokio::runtime::Handle;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use crate::output::table::printable;

/// The variables that are meant for the runner alone. A command that had them could speak for it.
pub(crate) const VARIABLES: [&str; 3] = [SOCKET, WATCHDOG, WATCHDOG_PID];
const SOCKET: &str = "NOTIFY_SOCKET";
const WATCHDOG: &str = "WATCHDOG_USEC";
const WATCHDOG_PID: &str = "WATCHDOG_PID";

/// How many messages may wait until the service manager reads. Further ones are dropped.
const WAITING: usize = 64;

/// The service manager, which may not exist. Clones share it. Nothing waits for it, and its errors are ignored.
#[derive(Clone, Debug, Default)]
pub(crate) struct ServiceManager(Arc<Told>);

#[derive(Debug, Default)]
struct Told {
    /// `None` without a service manager, and at the end.
    line: Mutex<Option<Line>>,
    /// The time after which a silent runner is stuck.
    watchdog: Option<Duration>,
    status: Mutex<Status>,
}

/// What `systemctl status` shows.
#[derive(Debug, Default)]
struct Status {
    jobs: usize,
    /// Why the state file cannot be written.
    failure: Option<String>,
}

impl Status {
    fn line(&self) -> String {
        match &self.failure {
            Some(failure) => format!("STATUS=nothing is started: {}", printable(failure)),
            None => format!("STATUS=jobs: {}", self.jobs),
        }
    }
}

/// The way to the service manager.
#[derive(Debug)]
struct Line {
    messages: Sender<String>,
    sending: JoinHandle<()>,
}

impl ServiceManager {
    /// The one that the environment of this process names. Its messages are sent by `workers`.
    pub(crate) fn of_environment(workers: &Handle) -> ServiceManager {
        let variable = |name: &str| std::env::var_os(name);
        let _workers = workers.enter();
        let socket = variable(SOCKET).and_then(|address| connect(&address).ok());
        let watchdog = watchdog(variable, std::process::id());
        ServiceManager::new(socket, watchdog)
    }

    fn new(socket: Option<UnixDatagram>, watchdog: Option<Duration>) -> ServiceManager {
        let line = socket.map(|socket| {
            let (messages, waiting) = channel(WAITING);
            Line { messages, sending: tokio::spawn(send(socket, waiting)) }
        });
        ServiceManager(Arc::new(Told { line: Mutex::new(line), watchdog, status: Mutex::default() }))
    }

    /// The state file is opened, which can take long with `--wait`.
    pub(crate) fn opening(&self) {
        self.tell("STATUS=opening the state file".to_string());
    }

    /// The runner has so many jobs from now on.
    pub(crate) fn jobs(&self, jobs: usize) {
        lock(&self.0.status).jobs = jobs;
    }

    /// The runner is ready, or has done what a reload asked for.
    pub(crate) fn ready(&self) {
        let status = lock(&self.0.status).line();
        self.tell(format!("READY=1\n{status}"));
    }

    /// The files are read again, until the runner is [ready](ServiceManager::ready).
    pub(crate) fn reloading(&self) {
        let now = clock_gettime(ClockId::Monotonic);
        let microseconds = now.tv_sec * 1_000_000 + now.tv_nsec / 1000;
        self.tell(format!("RELOADING=1\nMONOTONIC_USEC={microseconds}"));
    }

    /// Whether the state file can be written, and why not.
    pub(crate) fn store(&self, failure: Option<String>) {
        let status = {
            let mut status = lock(&self.0.status);
            status.failure = failure;
            status.line()
        };
        self.tell(status);
    }

    /// The runner shuts down.
    pub(crate) fn stopping(&self) {
        self.tell("STOPPING=1\nSTATUS=shutting down".to_string());
    }

    /// Says that the runner is not stuck, each time that `answer` says so. It ends when `answer` says that the runner has ended.
    pub(crate) async fn watch<Answer: Future<Output = bool>>(self, answer: impl Fn() -> Answer) {
        let Some(limit) = self.0.watchdog else { return };
        loop {
            sleep(limit / 2).await;
            if !answer().await {
                return;
            }
            self.tell("WATCHDOG=1".to_string());
        }
    }

    /// Waits until all messages are sent, but no longer than `limit`. Later ones are dropped.
    pub(crate) async fn finish(&self, limit: Duration) {
        let line = lock(&self.0.line).take();
        if let Some(Line { messages, sending }) = line {
            drop(messages);
            let _ = timeout(limit, sending).await;
        }
    }

    fn tell(&self, message: String) {
        if let Some(line) = &*lock(&self.0.line) {
            let _ = line.messages.try_send(message);
        }
    }
}

/// Nothing panics while it holds one of these locks.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn send(socket: UnixDatagram, mut messages: Receiver<String>) {
    while let Some(message) = messages.recv().await {
        let _ = socket.send(message.as_bytes()).await;
    }
}

/// A socket that sends to a path, or to an abstract name after `@`.
fn connect(address: &OsStr) -> io::Result<UnixDatagram> {
    let address = match address.as_bytes() {
        [b'@', name @ ..] => SocketAddr::from_abstract_name(name)?,
        [b'/', ..] => SocketAddr::from_pathname(address)?,
        _ => return Err(io::ErrorKind::Unsupported.into()),
    };
    let socket = StdDatagram::unbound()?;
    socket.connect_addr(&address)?;
    socket.set_nonblocking(true)?;
    UnixDatagram::from_std(socket)
}

/// After which time without a sign the service manager takes this process for stuck.
fn watchdog(variable: impl Fn(&str) -> Option<OsString>, pid: u32) -> Option<Duration> {
    let number = |text: OsString| text.to_str()?.parse::<u64>().ok();
    // The variables may have been meant for the process that started this one.
    if variable(WATCHDOG_PID).is_some_and(|meant| number(meant) != Some(u64::from(pid))) {
        return None;
    }
    let microseconds = number(variable(WATCHDOG)?).filter(|microseconds| *microseconds > 0)?;
    Some(Duration::from_micros(microseconds))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[tokio::test]
    async fn a_runner_that_does_not_answer_is_not_vouched_for() {
        let address = format!("kron-watchdog-{}", std::process::id());
        let bound = StdDatagram::bind_addr(&SocketAddr::from_abstract_name(&address).unwrap()).unwrap();
        bound.set_nonblocking(true).unwrap();
        let socket = connect(OsStr::new(&format!("@{address}"))).unwrap();
        let manager = ServiceManager::new(Some(socket), Some(Duration::from_millis(2)));
        let (asked, (stuck, is_stuck)) = (Cell::new(0), tokio::sync::oneshot::channel());
        let stuck = &Cell::new(Some(stuck));
        let watching = manager.clone().watch(|| {
            asked.set(asked.get() + 1);
            let answers = asked.get() < 3;
            async move {
                if !answers {
                    stuck.take().map(|stuck| stuck.send(()));
                    std::future::pending::<()>().await;
                }
                true
            }
        });
        tokio::select! {
            () = watching => unreachable!(),
            stuck = is_stuck => stuck.unwrap(),
        }
        manager.finish(Duration::from_secs(60)).await;
        let mut buffer = [0; 100];
        for _ in 0..2 {
            let length = bound.recv(&mut buffer).unwrap();
            assert_eq!(&buffer[..length], b"WATCHDOG=1");
        }
        assert_eq!(bound.recv(&mut buffer).unwrap_err().kind(), io::ErrorKind::WouldBlock);
        // It has ended, so nothing is sent any more.
        manager.ready();
        assert_eq!(bound.recv(&mut buffer).unwrap_err().kind(), io::ErrorKind::WouldBlock);
    }

    #[tokio::test]
    async fn a_service_manager_that_does_not_read_delays_nothing() {
        let address = format!("kron-unread-{}", std::process::id());
        let _bound = StdDatagram::bind_addr(&SocketAddr::from_abstract_name(&address).unwrap()).unwrap();
        let socket = connect(OsStr::new(&format!("@{address}"))).unwrap();
        let manager = ServiceManager::new(Some(socket), None);
        // Far more than the queue of a socket has room for.
        for _ in 0..10_000 {
            manager.ready();
            tokio::task::yield_now().await;
        }
        manager.finish(Duration::from_millis(1)).await;
    }

    #[test]
    fn the_watchdog_is_meant_for_this_process() {
        let limit = |time: &'static str, pid: Option<&'static str>| {
            let variable = move |name: &str| match name {
                WATCHDOG => Some(OsString::from(time)),
                WATCHDOG_PID => pid.map(OsString::from),
                _ => None,
            };
            watchdog(variable, 7)
        };
        let minute = Some(Duration::from_secs(60));
        assert_eq!((limit("60000000", None), limit("60000000", Some("7"))), (minute, minute));
        assert_eq!((limit("60000000", Some("8")), limit("0", None), limit("x", None)), (None, None, None));
        assert_eq!(watchdog(|_| None, 7), None);
    }
}
