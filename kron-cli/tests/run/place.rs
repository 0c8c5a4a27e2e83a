//! A directory with runners in it, which are processes of `kron run`.
//!
//! Most files of jobs have 60 jobs with windows of a minute, so that one of them starts within a second or two; others are
//! made to start within some seconds. No test depends on when: each waits for what it looks for. The clock is that of the machine,
//! so no test waits for two periods of one job.

use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use kron_core::Job;
use serde_json::Value;

use crate::support::directory;

pub(super) const JOBS: usize = 60;

/// A file of 60 jobs with these modifiers and fields. `{}` means the number of the job.
pub(super) fn jobs(modifiers: &str, fields: &str) -> String {
    (0..JOBS).fold(String::new(), |mut text, number| {
        let fields = fields.replace("{}", &number.to_string());
        writeln!(text, "* * * * * @win(after,59s) {modifiers} name=j/{number} {fields}").unwrap();
        text
    })
}

/// A schedule with which a job of that name starts so many seconds from now, and then about once a minute.
pub(super) fn starts_in(seconds: i64, name: &str) -> String {
    let now = chrono::DateTime::<chrono::Utc>::from(std::time::SystemTime::now()).timestamp();
    let schedules = (0..).map(|salt| format!("* * * * * @win(after,59s) @seed(stable,salt={salt})"));
    let starts = |schedule: &String| {
        let job = Job::parse(name, schedule).unwrap();
        job.next_start(now + seconds - 1).unwrap().chosen_timestamp() == Some(now + seconds)
    };
    schedules.into_iter().find(starts).unwrap()
}

/// A directory with a job file and a state file, and the runners in it.
pub(super) struct Place(pub(super) PathBuf);

/// A runner, which is killed at the end of the test.
pub(super) struct Runner {
    pub(super) child: Child,
    log: PathBuf,
}

impl Place {
    pub(super) fn new(name: &str, jobs: &str) -> Place {
        let place = Place(PathBuf::from(directory(&format!("run-{name}"))));
        place.write(jobs);
        place
    }

    pub(super) fn write(&self, jobs: &str) {
        std::fs::write(self.path("jobs.kron"), jobs).unwrap();
    }

    pub(super) fn path(&self, file: &str) -> PathBuf {
        self.0.join(file)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kron"));
        command.args(args).current_dir(&self.0).stdin(Stdio::null());
        command
    }

    /// Starts a runner. Its output goes to the file `log`.
    pub(super) fn start(&self, log: &str, args: &[&str]) -> Runner {
        self.spawn(log, self.command(&[&["run", "jobs.kron"], args].concat()))
    }

    /// Starts a runner with a command of its own, which may be a program that starts `kron`.
    pub(super) fn spawn(&self, log: &str, command: Command) -> Runner {
        self.spawn_to(log, command, self.log(log), None)
    }

    fn log(&self, log: &str) -> Stdio {
        std::fs::File::options().create(true).append(true).open(self.path(log)).unwrap().into()
    }

    /// The same with other streams; without `err`, standard error goes to the file `log`.
    pub(super) fn spawn_to(&self, log: &str, mut command: Command, out: Stdio, err: Option<Stdio>) -> Runner {
        let err = err.unwrap_or_else(|| self.log(log));
        command.current_dir(&self.0).stdin(Stdio::null()).stdout(out).stderr(err);
        Runner { child: command.spawn().unwrap(), log: self.path(log) }
    }

    pub(super) fn output(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    pub(super) fn json(&self, args: &[&str]) -> Vec<Value> {
        let output = self.output(&[args, &["-o", "json"]].concat());
        let found: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
        found.as_array().unwrap().clone()
    }
}

/// Waits until `found` returns something, and returns it.
#[track_caller]
pub(super) fn until<T>(what: &str, mut found: impl FnMut() -> Option<T>) -> T {
    // At least five minutes: on a slow machine a start can be seen only in the next minute.
    for _ in 0..30_000 {
        if let Some(found) = found() {
            return found;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("there is no {what}");
}

impl Runner {
    pub(super) fn text(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap()
    }

    /// Waits for a line of the log with this part, and returns the first one.
    #[track_caller]
    pub(super) fn line(&self, part: &str) -> String {
        self.lines(part, 1).remove(0)
    }

    /// Waits for so many lines of the log with this part, and returns all of them.
    #[track_caller]
    pub(super) fn lines(&self, part: &str, count: usize) -> Vec<String> {
        until(&format!("`{part}` in the log"), || {
            let text = self.text();
            // The last line may not be whole.
            let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
            let lines: Vec<String> =
                whole.lines().filter(|line| line.contains(part)).map(str::to_string).collect();
            (lines.len() >= count).then_some(lines)
        })
    }

    /// The answer to a request to its probes and metrics.
    pub(super) fn get(&self, path: &str) -> String {
        let mut socket = self.send(&format!("GET {path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n"));
        let mut answer = String::new();
        socket.set_read_timeout(Some(Duration::from_secs(300))).unwrap();
        socket.read_to_string(&mut answer).unwrap();
        answer
    }

    /// A connection to its probes and metrics on which this text was sent.
    pub(super) fn send(&self, text: &str) -> TcpStream {
        let address = self.line("probes and metrics are on http://");
        let mut socket = TcpStream::connect(address.rsplit_once('/').unwrap().1).unwrap();
        socket.write_all(text.as_bytes()).unwrap();
        socket
    }

    pub(super) fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &pid]).status().unwrap().success());
    }

    /// Waits until the runner ends, and returns its exit code.
    pub(super) fn end(&mut self) -> Option<i32> {
        until("end of the runner", || self.child.try_wait().unwrap()).code()
    }

    pub(super) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// The second signal makes the runner kill its commands, so that no test leaves any behind.
impl Drop for Runner {
    fn drop(&mut self) {
        let pid = self.child.id().to_string();
        for _ in 0..600 {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            let _ = Command::new("kill").args(["-s", "TERM", &pid]).status();
            std::thread::sleep(Duration::from_millis(50));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Commands that wait for a file in the directory end, too.
impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub(super) fn is_alive(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    !stat.is_empty() && !stat.contains(") Z ")
}
