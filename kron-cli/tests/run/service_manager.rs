//! What a service manager hears from the runner.

use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::process::Command;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use super::place::{Place, Runner, jobs};

/// A service manager that the test plays.
struct Manager(Receiver<Vec<String>>);

impl Manager {
    fn at(address: &SocketAddr) -> Manager {
        let socket = UnixDatagram::bind_addr(address).unwrap();
        let (messages, received) = channel();
        // What nobody reads would be dropped at some time. The thread ends with the tests.
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(length) = socket.recv(&mut buffer) {
                let text = std::str::from_utf8(&buffer[..length]).unwrap();
                if messages.send(text.lines().map(str::to_string).collect()).is_err() {
                    break;
                }
            }
        });
        Manager(received)
    }

    /// The next message, line by line.
    fn any(&self) -> Vec<String> {
        self.0.recv_timeout(Duration::from_secs(300)).unwrap()
    }

    /// The next message that is no sign of life.
    fn next(&self) -> Vec<String> {
        std::iter::repeat_with(|| self.any()).find(|message| message != &["WATCHDOG=1"]).unwrap()
    }
}

/// Starts a runner that has the address in its environment, and a watchdog of so many microseconds.
fn start(place: &Place, address: &str, watchdog: &str) -> Runner {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "WATCHDOG_PID=$$ exec \"$0\" run jobs.kron", env!("CARGO_BIN_EXE_kron")]);
    command.env("NOTIFY_SOCKET", address).env("WATCHDOG_USEC", watchdog);
    place.spawn("log", command)
}

#[test]
fn a_service_manager_hears_what_the_runner_does() {
    let command = "command=\"echo env $(env | grep -c -e ^NOTIFY_ -e ^WATCHDOG_)\"";
    let place = Place::new("manager", &jobs("", command));
    let path = place.path("notify");
    let manager = Manager::at(&SocketAddr::from_pathname(&path).unwrap());
    let mut runner = start(&place, path.to_str().unwrap(), "100000");
    assert_eq!(manager.next(), ["STATUS=opening the state file"]);
    assert_eq!(manager.next(), ["READY=1", "STATUS=jobs: 60"]);
    for _ in 0..3 {
        assert_eq!(manager.any(), ["WATCHDOG=1"]);
    }
    // No command can speak for the runner.
    assert!(runner.line(" | env ").ends_with(" | env 0"), "{}", runner.text());

    place.write("@yearly name=a command=true\n");
    let before = monotonic();
    runner.signal("HUP");
    let reloading = manager.next();
    assert_eq!(reloading[0], "RELOADING=1");
    let time: u64 = reloading[1].strip_prefix("MONOTONIC_USEC=").unwrap().parse().unwrap();
    assert!((before..=monotonic()).contains(&time), "{time}");
    assert_eq!(manager.next(), ["READY=1", "STATUS=jobs: 1"]);
    // A reload that changes nothing ends as well.
    place.write("x name=a command=true\n");
    runner.signal("HUP");
    assert_eq!(manager.next()[0], "RELOADING=1");
    assert_eq!(manager.next(), ["READY=1", "STATUS=jobs: 1"]);

    runner.signal("TERM");
    assert_eq!(manager.next(), ["STOPPING=1", "STATUS=shutting down"]);
    assert_eq!(runner.end(), Some(0), "{}", runner.text());
}

fn monotonic() -> u64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    u64::try_from(now.tv_sec * 1_000_000 + now.tv_nsec / 1000).unwrap()
}

#[test]
fn an_abstract_address_and_no_watchdog() {
    let place = Place::new("abstract", "@yearly name=a command=true\n");
    let name = format!("kron-notify-{}", std::process::id());
    let manager = Manager::at(&SocketAddr::from_abstract_name(&name).unwrap());
    let mut runner = start(&place, &format!("@{name}"), "0");
    assert_eq!(manager.any(), ["STATUS=opening the state file"]);
    assert_eq!(manager.any(), ["READY=1", "STATUS=jobs: 1"]);
    runner.signal("TERM");
    assert_eq!(manager.any(), ["STOPPING=1", "STATUS=shutting down"]);
    assert_eq!(runner.end(), Some(0), "{}", runner.text());
}

#[test]
fn a_service_manager_that_is_not_there_changes_nothing() {
    for (name, address) in [("gone", "/no/such/socket"), ("odd", "vsock:2:1"), ("empty", "")] {
        let place = Place::new(&format!("manager-{name}"), "@yearly name=a command=true\n");
        let mut runner = start(&place, address, "1000");
        runner.line("kron run: ready");
        runner.signal("TERM");
        assert_eq!(runner.end(), Some(0), "{}", runner.text());
    }
}
