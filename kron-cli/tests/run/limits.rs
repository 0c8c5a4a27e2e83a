//! What others can use up of a runner: its connections.

use std::io::Read as _;
use std::net::TcpStream;
use std::os::fd::AsRawFd as _;
use std::os::unix::net::UnixStream;
use std::process::Command;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::place::{Place, jobs, until};

/// How many connections send half a request.
const CONNECTIONS: usize = 1150;

#[test]
fn connections_that_say_nothing_delay_neither_probes_nor_starts() {
    // This process has an end of each connection.
    let files = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: files.maximum, ..files }).unwrap();
    let place = Place::new("connections", &jobs("@policy(deadline=1h)", "command=true"));
    let mut command = Command::new("/bin/sh");
    let script = "ulimit -n 256; exec \"$0\" run jobs.kron --listen 127.0.0.1:0";
    command.args(["-c", script, env!("CARGO_BIN_EXE_kron")]);
    let mut runner = place.spawn("log", command);
    runner.line("kron run: ready");
    let mut clients: Vec<TcpStream> = (0..CONNECTIONS).map(|_| runner.send("GET /livez HT")).collect();
    assert!(runner.get("/livez").starts_with("HTTP/1.1 200"), "{}", runner.text());
    // The oldest one was closed, the newest one was not.
    let mut byte = [0];
    let mut is_closed = |client: &mut TcpStream, wait: Duration| {
        client.set_read_timeout(Some(wait)).unwrap();
        !matches!(client.read(&mut byte), Err(error) if error.kind() == std::io::ErrorKind::WouldBlock)
    };
    assert!(is_closed(&mut clients[0], Duration::from_secs(60)));
    // The socket for other commands has a limit, too.
    // The names of sockets are short.
    let directory = std::fs::File::open(&place.0).unwrap();
    let socket = format!("/proc/self/fd/{}/kron.db.sock", directory.as_raw_fd());
    let asking: Vec<UnixStream> = (0..CONNECTIONS).map(|_| UnixStream::connect(&socket).unwrap()).collect();
    let before = runner.lines(": started for ", 1).len();
    until("a request that is stored", || place.output(&["run-now", "j/0"]).status.success().then_some(()));
    runner.lines(": started for ", before + 1);
    runner.line("j/0: started on request, ");
    assert!(!runner.text().contains("cannot be started"), "{}", runner.text());
    drop((clients, asking));
    runner.signal("TERM");
    assert_eq!(runner.end(), Some(0), "{}", runner.text());
}
