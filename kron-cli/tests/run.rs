//! `kron run` as a process, and the commands that read its state file.
//!
//! Every file of jobs here has 60 jobs with windows of a minute, so that one of them starts within a second or two. No test depends
//! on when: each waits for what it looks for.

use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use kron_core::Job;
use serde_json::Value;

use crate::support::directory;

const JOBS: usize = 60;

/// 60 jobs with these further modifiers and fields. `{}` stands for the number of the job.
fn jobs(modifiers: &str, fields: &str) -> String {
    (0..JOBS).fold(String::new(), |mut text, number| {
        let fields = fields.replace("{}", &number.to_string());
        writeln!(text, "* * * * * @win(after,59s) {modifiers} name=j/{number} {fields}").unwrap();
        text
    })
}

/// A directory with a job file and a state file, and the runners in it.
struct Place(PathBuf);

/// A runner, which is killed at the end of the test.
struct Runner {
    child: Child,
    log: PathBuf,
}

impl Place {
    fn new(name: &str, jobs: &str) -> Place {
        let place = Place(PathBuf::from(directory(&format!("run-{name}"))));
        place.write(jobs);
        place
    }

    fn write(&self, jobs: &str) {
        std::fs::write(self.path("jobs.kron"), jobs).unwrap();
    }

    fn path(&self, file: &str) -> PathBuf {
        self.0.join(file)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kron"));
        command.args(args).current_dir(&self.0).stdin(Stdio::null());
        command
    }

    /// Starts a runner, whose output is in a file.
    fn start(&self, log: &str, args: &[&str]) -> Runner {
        let file = || std::fs::File::options().create(true).append(true).open(self.path(log)).unwrap();
        let mut command = self.command(&[&["run", "jobs.kron"], args].concat());
        let child = command.stdout(file()).stderr(file()).spawn().unwrap();
        Runner { child, log: self.path(log) }
    }

    fn output(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    fn json(&self, args: &[&str]) -> Vec<Value> {
        let output = self.output(&[args, &["-o", "json"]].concat());
        let found: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
        found.as_array().unwrap().clone()
    }
}

/// Waits until something is there, and gives it. A minute and a half is longer than any job here waits.
#[track_caller]
fn until<T>(what: &str, mut found: impl FnMut() -> Option<T>) -> T {
    // Two starts of one job can be two minutes apart.
    for _ in 0..30_000 {
        if let Some(found) = found() {
            return found;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("there is no {what}");
}

impl Runner {
    fn text(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap()
    }

    /// The first line of the log with this part.
    #[track_caller]
    fn line(&self, part: &str) -> String {
        self.lines(part, 1).remove(0)
    }

    /// The first lines of the log with this part.
    #[track_caller]
    fn lines(&self, part: &str, count: usize) -> Vec<String> {
        until(&format!("`{part}` in the log"), || {
            let text = self.text();
            // The last line may not be whole.
            let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
            let lines: Vec<String> =
                whole.lines().filter(|line| line.contains(part)).map(str::to_string).collect();
            (lines.len() >= count).then_some(lines)
        })
    }

    fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &pid]).status().unwrap().success());
    }

    /// Waits for its end, and gives the exit code.
    fn end(&mut self) -> Option<i32> {
        until("end of the runner", || self.child.try_wait().unwrap()).code()
    }

    fn kill(&mut self) {
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

/// Commands that wait for a file end as well.
impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn is_alive(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    !stat.is_empty() && !stat.contains(") Z ")
}

#[test]
fn commands_are_started_at_their_chosen_times() {
    let command = "env.GREETING=\"good day\" cwd=/ command=\"echo $GREETING $PWD $KRON_JOB $KRON_PERIOD_ID $KRON_NOMINAL_TIME \
                   $KRON_CHOSEN_TIME $(date +%s); exit 3\"";
    let place = Place::new("start", &jobs("", command));
    let mut runner = place.start("log", &["--listen", "127.0.0.1:0"]);
    for line in runner.lines(" | good day / ", 3) {
        let words: Vec<&str> = line.split(' ').collect();
        let [job, "|", "good", "day", "/", same, period, nominal, chosen, date] = words[..] else {
            panic!("{line}")
        };
        assert_eq!((job, period), (same, nominal));
        let number = |time: &str| time.parse::<chrono::DateTime<chrono::Utc>>().unwrap().timestamp();
        let decided = Job::parse(job, "* * * * * @win(after,59s)").unwrap();
        let decision = decided.decide(number(nominal)).unwrap();
        assert_eq!(decision.chosen_timestamp(), Some(number(chosen)));
        // The deadline is 0s, so it was decided in that second.
        assert!(number(chosen) <= date.parse().unwrap(), "{line}");
    }
    runner.line(": exit code 3, after ");
    // The probes and the metrics, under the names of the operator.
    let address = runner.line("probes and metrics are on http://");
    let address = address.rsplit_once('/').unwrap().1;
    let get = |path: &str| {
        let mut socket = TcpStream::connect(address).unwrap();
        write!(socket, "GET {path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        socket.read_to_string(&mut answer).unwrap();
        answer
    };
    assert!(get("/livez").starts_with("HTTP/1.1 200") && get("/readyz").starts_with("HTTP/1.1 200"));
    let metrics = get("/metrics");
    for part in [
        "kron_operator_kronjobs 60\n",
        "kron_operator_build_info{version=",
        "_outcomes_total{outcome=\"missed\"} 0\n",
    ] {
        assert!(metrics.contains(part), "{part} is not in {metrics}");
    }
    assert!(!metrics.contains("kron_operator_outcomes_total{outcome=\"executed\"} 0\n"), "{metrics}");
    assert!(get("/").starts_with("HTTP/1.1 404"));

    let status = place.json(&["status"]);
    assert_eq!(status.len(), JOBS);
    let done = status.iter().find(|job| job["lastExitCode"] == 3).unwrap();
    assert_eq!((&done["lastOutcome"], &done["lastResult"]), (&"executed".into(), &"failed".into()));
    let history = place.json(&["history"]);
    let entry = history.iter().find(|entry| entry["exitCode"] == 3).unwrap();
    assert_eq!((&entry["outcome"], &entry["cause"]), (&"executed".into(), &"started".into()));
    let (name, period) = (entry["job"].as_str().unwrap(), entry["period"].as_str().unwrap());
    // The day of the period, should midnight pass.
    let why = place.json(&["why", name, "--day", &period[..10]]);
    let answer = why.iter().find(|answer| answer["period"] == *period).unwrap();
    let text = answer["text"].as_str().unwrap();
    assert!(text.starts_with("executed at ") && text.contains(": exit code 3, after "), "{text}");
    assert!(
        why.iter().any(|answer| answer["cause"] == "waiting" || answer["cause"] == "due") || why.len() < 1440
    );

    runner.signal("TERM");
    assert_eq!(runner.end(), Some(0), "{}", runner.text());
    let output = place.output(&["status"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        String::from_utf8_lossy(&output.stderr).starts_with("warning: no runner is running"),
        "{output:?}"
    );
}

#[test]
fn one_runner_has_the_state_file() {
    let place = Place::new("lock", "@yearly name=a command=true\n");
    let mut first = place.start("log", &[]);
    first.line("kron run: ready");
    let output = place.output(&["run", "jobs.kron"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: "), "{output:?}");
    let mut waiting = place.start("waiting", &["--wait"]);
    let mut ended = place.start("ended", &["--wait"]);
    std::thread::sleep(Duration::from_millis(300));
    assert!(waiting.child.try_wait().unwrap().is_none(), "{}", waiting.text());
    // A signal ends the wait.
    ended.signal("TERM");
    assert_eq!(ended.end(), Some(0));
    first.signal("INT");
    assert_eq!(first.end(), Some(0), "{}", first.text());
    waiting.line("kron run: ready");
    waiting.kill();
}

#[test]
fn files_are_read_again_at_a_hangup() {
    let place = Place::new("reload", "@yearly name=a command=true\n@yearly name=b command=true\n");
    let runner = place.start("log", &[]);
    runner.line("kron run: ready");
    place.write("@yearly name=c command=true\n@yearly name=a command=true timeout=5\n");
    runner.signal("HUP");
    runner.line("the files have errors; the jobs stay as they are");
    assert!(runner.text().contains("timeout=5"), "{}", runner.text());
    let names = || -> Vec<String> {
        place.json(&["status"]).iter().map(|job| job["name"].as_str().unwrap().to_string()).collect()
    };
    assert_eq!(names(), ["a", "b"]);
    place.write("@yearly name=c command=true\n@monthly name=a command=true timeout=5s\n");
    runner.signal("HUP");
    assert!(runner.line("read again: ").ends_with("read again: 1 added, 1 changed, 1 removed"));
    until("the new jobs", || (names() == ["a", "c"]).then_some(()));
}

#[test]
fn errors_of_fields_have_their_place() {
    let place = Place::new(
        "errors",
        "@daily name=a\n@daily name=b command=true cwd=x\n@daily name=c command=true timout=1h\n",
    );
    let output = place.output(&["run", "jobs.kron"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "\
error: a: the job has no command
 --> jobs.kron:1:14
  |
1 | @daily name=a
  |              ^
  |
  = help: add `command=\"...\"` at the end of the line
error: b: `cwd` is a relative path: `x`
 --> jobs.kron:2:28
  |
2 | @daily name=b command=true cwd=x
  |                            ^^^^^
  |
  = help: write an absolute path, such as `/srv/app`
warning: c: `kron run` ignores the field `timout`
 --> jobs.kron:3:28
  |
3 | @daily name=c command=true timout=1h
  |                            ^^^^^^^^^
  |
  = help: did you mean `timeout`?
"
    );
    // Nothing was opened.
    assert!(!place.path("kron.db").exists());
    let output = place.output(&["run", "../no/such/file"]);
    assert_eq!(output.status.code(), Some(2));
    place.write("@daily name=a command=true\n");
    let output = place.output(&["run", "jobs.kron", "--listen", "192.0.2.1:80"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&output.stderr).starts_with("error: --listen 192.0.2.1:80: "),
        "{output:?}"
    );
    for command in [&["status"][..], &["history"], &["why", "a"]] {
        let output = place.output(&[command, &["--state", "no.db"]].concat());
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(2), b"".as_slice()), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("no.db"), "{output:?}");
    }
}

#[test]
fn a_command_outlives_its_runner() {
    // It waits for a file, and prints once there is no runner.
    let command = "command=\"echo process $$; until test -e go-{} || ! test -e jobs.kron; do sleep 0.05; done; echo bye\"";
    let place = Place::new("survive", &jobs("@policy(deadline=1h)", command));
    let mut first = place.start("first", &[]);
    let line = first.line(" | process ");
    let (job, pid) = line.split_once(" | process ").unwrap();
    let number: u32 = pid.parse().unwrap();
    // Once it is in the state file.
    until("the process in the state", || {
        let status = place.json(&["status"]);
        status.iter().any(|row| row["name"] == *job && row["active"][0]["pid"] == number).then_some(())
    });
    first.kill();
    assert!(is_alive(pid));
    let second = place.start("second", &[]);
    second.line(&format!("{job}: process {pid} of an earlier runner is still active"));
    // It counts as active: the next period is skipped.
    second.line(&format!("{job}: the period "));
    let skipped = second.line(&format!("{job}: the period "));
    assert!(skipped.contains("is skipped: an earlier execution was active"), "{skipped}");
    assert!(is_alive(pid));
    let go = format!("go-{}", job.strip_prefix("j/").unwrap());
    std::fs::write(place.path(&go), "").unwrap();
    // What it prints is in the log of the runner that found it.
    second.line(&format!("{job} | bye"));
    second.line(&format!("{job}: the runner that started it ended before it did, after "));
    let entry = until("the end of the execution", || {
        let history = place.json(&["history", job]);
        history.into_iter().find(|entry| entry["pid"] == number && !entry["ended"].is_null())
    });
    assert_eq!((&entry["result"], &entry["exitCode"]), (&"unknown".into(), &Value::Null));
}

#[test]
fn shutdown_stops_whole_trees_and_a_second_signal_kills() {
    let command = "command=\"sleep 3600 & echo tree $!; wait\"";
    let place = Place::new("shutdown", &jobs("", command));
    let mut runner = place.start("log", &["--drain", "0s", "--grace", "1h"]);
    let line = runner.line(" | tree ");
    let (_, pid) = line.split_once(" | tree ").unwrap();
    runner.signal("TERM");
    assert_eq!(runner.end(), Some(0), "{}", runner.text());
    assert!(!is_alive(pid));
    assert!(runner.line("ended by signal 15 (TERM), after ").starts_with("j/"));
    // One that does not end.
    place.write(&jobs("", "command=\"trap '' TERM; echo stubborn $$; while :; do sleep 1; done\""));
    let mut runner = place.start("second", &["--drain", "1h", "--grace", "1h"]);
    let line = runner.line(" | stubborn ");
    let (_, pid) = line.split_once(" | stubborn ").unwrap();
    runner.signal("TERM");
    runner.line("shutting down; ");
    assert!(is_alive(pid));
    runner.signal("TERM");
    assert_eq!(runner.end(), Some(0), "{}", runner.text());
    assert!(!is_alive(pid));
}

#[test]
fn the_next_period_replaces_the_command_with_its_tree() {
    let command = "command=\"sleep 3600 & echo tree $!; wait\"";
    let place = Place::new("replace", &jobs("@policy(concurrency=replace,deadline=1h)", command));
    let runner = place.start("log", &[]);
    let first = runner.line(" | tree ");
    let (job, pid) = first.split_once(" | tree ").unwrap();
    runner.line(&format!("{job}: ended by signal 15 (TERM), after "));
    let lines = runner.lines(&format!("{job} | tree "), 2);
    assert!(!is_alive(pid) && is_alive(lines[1].rsplit_once(' ').unwrap().1));
    // The outcome is written after the command began.
    let history = || Some(place.json(&["history", job])).filter(|outcomes| outcomes.len() >= 2);
    let outcomes = until("second outcome", history);
    assert!(outcomes.iter().all(|entry| entry["outcome"] == "executed"), "{outcomes:?}");
}

#[test]
fn a_timeout_stops_the_command_and_json_lines_say_so() {
    let place =
        Place::new("timeout", &jobs("", "timeout=200ms command=\"echo out; echo err >&2; sleep 3600\""));
    let runner = place.start("log", &["--log", "json"]);
    let line = runner.line("\"event\":\"ended\"");
    let ended: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(ended["signal"], 15);
    let text = ended["text"].as_str().unwrap();
    assert!(text.starts_with("stopped after its timeout of 0.200s, after "), "{text}");
    assert!(ended["durationSeconds"].as_f64().unwrap() >= 0.2, "{line}");
    for stream in ["out", "err"] {
        let line = runner.line(&format!("\"stream\":\"std{stream}\""));
        let printed: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(printed["text"], stream);
        assert!(
            printed["job"].as_str().unwrap().starts_with("j/") && printed["period"].is_string(),
            "{line}"
        );
    }
}

#[test]
fn a_command_that_cannot_be_started_is_missed() {
    let place = Place::new("refused", &jobs("", "command=true cwd=/no/such/directory"));
    let runner = place.start("log", &[]);
    let line = runner.line(" is missed: ");
    assert!(
        line.contains("cannot be started: the directory of `cwd`, /no/such/directory, does not exist"),
        "{line}"
    );
    let (job, _) = line.split_once(": ").unwrap();
    let history = place.json(&["history", job]);
    assert_eq!((&history[0]["outcome"], &history[0]["cause"]), (&"missed".into(), &"refused".into()));
}

/// As process 1 of a container, the runner takes the exit codes of orphans.
#[test]
fn process_1_reaps_orphans() {
    let unshare = ["--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "--kill-child"];
    if !Command::new("unshare").args(unshare).arg("true").status().is_ok_and(|status| status.success()) {
        println!("passed over: this machine has no namespaces for users");
        return;
    }
    // The orphan ends after its parent, and says so before.
    let place = Place::new("orphans", &jobs("", "command=\"(sleep 0.2; echo orphan) & exit 0\""));
    let log = std::fs::File::create(place.path("log")).unwrap();
    let child = Command::new("unshare")
        .args(unshare)
        .args([env!("CARGO_BIN_EXE_kron"), "run", "jobs.kron"])
        .current_dir(&place.0)
        .stdin(Stdio::null())
        .stdout(log.try_clone().unwrap())
        .stderr(log)
        .spawn()
        .unwrap();
    let runner = Runner { child, log: place.path("log") };
    runner.lines(" | orphan", 2);
    let children = |pid: &str| -> Vec<String> {
        let list = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
        list.split_whitespace().map(str::to_string).collect()
    };
    let init = children(&runner.child.id().to_string()).remove(0);
    let zombies = || {
        children(&init)
            .iter()
            .filter(|pid| Path::new(&format!("/proc/{pid}")).exists() && !is_alive(pid))
            .count()
    };
    until("an end of all zombies", || (zombies() == 0).then_some(()));
    // A whole round without one that stays.
    runner.lines(" | orphan", 4);
    until("an end of all zombies", || (zombies() == 0).then_some(()));
}

/// The unit for systemd, and the job file beside it, are valid.
#[test]
fn the_examples_are_valid() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/runner");
    let jobs = std::fs::read_to_string(examples.join("jobs.kron")).unwrap();
    let page = include_str!("../../docs/run.md");
    assert!(jobs.lines().skip(1).all(|line| page.contains(line)), "docs/run.md has other jobs");
    let place = Place::new("examples", &jobs);
    let runner = place.start("log", &[]);
    runner.line("kron run: ready");
    let unit = std::fs::read_to_string(examples.join("kron.service")).unwrap();
    // It looks whether the program is there.
    let unit = unit.replace("/usr/local/bin/kron", env!("CARGO_BIN_EXE_kron"));
    std::fs::write(place.path("kron.service"), unit).unwrap();
    match Command::new("systemd-analyze").arg("verify").arg(place.path("kron.service")).output() {
        Ok(output) => assert!(output.status.success() && output.stderr.is_empty(), "{output:?}"),
        Err(error) => println!("passed over: systemd-analyze: {error}"),
    }
}

#[test]
fn a_shell_that_does_not_exist_is_an_error_at_the_start() {
    let place = Place::new("shell", "@yearly name=a command=true\n");
    for (shell, why) in [
        ("/no/such/shell", "No such file or directory (os error 2)"),
        ("no-such-shell", "there is no such program in the directories of PATH"),
        ("jobs.kron/", "Not a directory (os error 20)"),
        ("./jobs.kron", "it is not executable"),
    ] {
        let output = place.output(&["run", "jobs.kron", "--shell", shell]);
        let expected = format!(
            "error: --shell {shell}: {why}\n |\n = help: name a program that takes a command line after -c, such as /bin/sh\n"
        );
        assert_eq!(
            (output.status.code(), String::from_utf8_lossy(&output.stderr)),
            (Some(2), expected.into())
        );
    }
    assert!(!place.path("kron.db").exists());
}

#[test]
fn a_job_runs_on_request() {
    // It waits for a file, so that a second request meets an active execution.
    let command = "command=\"echo on request $KRON_JOB; until test -e go || ! test -e jobs.kron; do sleep 0.05; done; kill -9 $$\"";
    let place = Place::new(
        "now",
        &format!("@yearly name=a {command}\n@yearly @policy(suspend=true) name=b command=true\n"),
    );
    let output = place.output(&["run-now", "a"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let mut runner = place.start("log", &["--listen", "127.0.0.1:0"]);
    runner.line("kron run: ready");
    let requested = |job: &str| -> String {
        // The outcome of the last request may not be stored yet.
        let stored = || Some(place.output(&["run-now", job])).filter(|output| output.status.success());
        let output = until("a request that is stored", stored);
        let line = String::from_utf8(output.stdout).unwrap();
        line.trim_end().strip_prefix(&format!("{job}: requested, execution ")).unwrap().to_string()
    };
    let entry = |execution: &str| {
        let history = place.json(&["history", "a"]);
        history.into_iter().find(|entry| entry["execution"] == *execution)
    };
    let first = requested("a");
    runner.line("a | on request a");
    // The policy is `forbid`.
    let second = requested("a");
    runner.line("a: run now is skipped: an earlier execution was active");
    std::fs::write(place.path("go"), "").unwrap();
    runner.line("a: ended by signal 9 (KILL), after ");
    let ended = until("the end", || entry(&first).filter(|entry| !entry["ended"].is_null()));
    assert_eq!(
        (&ended["period"], &ended["outcome"], &ended["result"]),
        (&Value::Null, &"executed".into(), &"failed".into())
    );
    assert!(entry(&second).is_none_or(|entry| entry["outcome"] == "skipped"));
    // The signal has its name in both tables.
    for command in ["status", "history"] {
        let table = String::from_utf8(place.output(&[command]).stdout).unwrap();
        assert!(table.contains("  ended by signal 9 (KILL)"), "{table}");
    }
    let status = place.json(&["status"]);
    assert_eq!(status[0]["lastMessage"], "ended by signal 9 (KILL)");

    // A suspended job waits, and takes one request.
    let output = place.output(&["run-now", "b"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let warning = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        warning.starts_with("warning: the job is suspended; it runs when its suspension ends"),
        "{warning}"
    );
    let output = place.output(&["run-now", "b"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        error.starts_with("error: b has a request to run now that waits for its turn: run-now-"),
        "{error}"
    );
    let output = place.output(&["run-now", "c"]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(
        error.contains("there is no job `c` in the state file") && error.contains("the names are a, b"),
        "{error}"
    );

    // A request that is stored survives the runner, and the socket of a killed one is in nobody's way.
    runner.kill();
    let output = place.output(&["run-now", "a"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: no runner is running"), "{output:?}");
    place.write("@yearly name=a command=true\n@yearly name=b command=\"echo at last\"\n");
    let mut runner = place.start("second", &[]);
    runner.line("b | at last");
    requested("a");
    runner.line("a: exit code 0, after ");
    runner.signal("TERM");
    assert_eq!(runner.end(), Some(0), "{}", runner.text());
    assert!(!place.path("kron.db.sock").exists());
    let output = place.output(&["run-now", "a"]);
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: no runner is running"), "{output:?}");
}

#[test]
fn a_state_file_that_was_moved_is_noticed() {
    let place = Place::new("moved", &jobs("", "command=true"));
    let mut runner = place.start("log", &["--listen", "127.0.0.1:0"]);
    runner.line(": exit code 0, after ");
    let live = || {
        let address = runner.line("probes and metrics are on http://");
        let mut socket = TcpStream::connect(address.rsplit_once('/').unwrap().1).unwrap();
        write!(socket, "GET /livez HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        socket.read_to_string(&mut answer).unwrap();
        answer
    };
    assert!(live().starts_with("HTTP/1.1 200"));
    std::fs::rename(place.path("kron.db"), place.path("old.db")).unwrap();
    let moved = "kron.db: the state file was moved, deleted or replaced while a runner has it";
    let answer = live();
    assert!(answer.starts_with("HTTP/1.1 503") && answer.contains(moved), "{answer}");
    runner.line(moved);
    std::fs::rename(place.path("old.db"), place.path("kron.db")).unwrap();
    assert!(live().starts_with("HTTP/1.1 200"));
    runner.signal("TERM");
    assert_eq!(runner.end(), Some(0), "{}", runner.text());
}

/// Questions need no right to write, whether or not a runner has the file.
#[test]
fn another_user_can_ask() {
    use std::os::unix::fs::PermissionsExt as _;
    use std::os::unix::process::CommandExt as _;
    // Users without rights may not reach the directory of the tests, so this one is elsewhere.
    let place = Place(std::env::temp_dir().join(format!("kron-asked-{}", std::process::id())));
    std::fs::create_dir_all(&place.0).unwrap();
    let mode = |mode: u32| std::fs::set_permissions(&place.0, std::fs::Permissions::from_mode(mode)).unwrap();
    mode(0o755);
    place.write("@yearly name=a command=true\n");
    let program = place.path("kron");
    std::fs::copy(env!("CARGO_BIN_EXE_kron"), &program).unwrap();
    let root = std::fs::metadata("/proc/self").is_ok_and(|of| std::os::unix::fs::MetadataExt::uid(&of) == 0);
    let ask = |command: &[&str]| {
        let mut asked = Command::new(&program);
        asked.args(command).current_dir(&place.0).stdin(Stdio::null());
        if root {
            // Nobody.
            asked.uid(65534).gid(65534);
        }
        mode(0o555);
        let output = asked.output().unwrap();
        mode(0o755);
        output
    };
    let mut runner = place.start("log", &[]);
    runner.line("kron run: ready");
    for (running, code) in [(true, 0), (false, 1)] {
        if !running {
            runner.signal("TERM");
            assert_eq!(runner.end(), Some(0), "{}", runner.text());
        }
        let output = ask(&["status"]);
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stdout).contains("  a "), "{output:?}");
        assert_eq!(ask(&["history"]).status.code(), Some(1));
        assert_eq!(ask(&["why", "a", "--day", "2027-01-01"]).status.code(), Some(0));
    }
    if root {
        // Only the user of the runner may start commands.
        let runner = place.start("second", &[]);
        runner.lines("kron run: ready", 1);
        let output = ask(&["run-now", "a"]);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(
            String::from_utf8_lossy(&output.stderr)
                .starts_with("error: the runner takes requests of its own user"),
            "{output:?}"
        );
    }
    std::fs::remove_dir_all(&place.0).unwrap();
}

/// What the page shows of `kron status`, `kron history` and `kron why` are times of the jobs at its beginning.
#[test]
fn the_sample_of_the_page_is_of_its_jobs() {
    let jobs = include_str!("../../examples/runner/jobs.kron");
    let jobs = kron_core::parse_job_file(jobs).unwrap();
    let job = |name: &str| &jobs.iter().find(|line| line.job.name() == name).unwrap().job;
    let number = |time: &str| time.parse::<chrono::DateTime<chrono::Utc>>().unwrap().timestamp();
    let page = include_str!("../../docs/run.md");
    let (_, sample) = page.split_once("$ kron status\n").unwrap();
    let (sample, _) = sample.split_once("```").unwrap();
    let mut compared = 0;
    let mut same = |name: &str, period: &str, chosen: Option<&str>| {
        let found = job(name).periods(number(period), number(period) + 1).next();
        let found = found.unwrap_or_else(|| panic!("{name} has no period {period}"));
        if let Some(chosen) = chosen {
            assert_eq!(found.chosen_timestamp(), Some(number(chosen)), "{name} {period}");
            compared += 1;
        }
    };
    for line in sample.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let Some(period) = words[0].strip_suffix(':') {
            let after = |what: &str| line.split_once(what).map(|(_, rest)| &rest[..20]);
            let chosen = after("executed at ").or(after("chosen time was ")).or(after("starts at "));
            same("web/ping", period, chosen.or(after("its time, ")));
        } else if let Some(last) = after_word(&words, "to") {
            same("web/ping", last.trim_end_matches(','), None);
        } else if words.contains(&"executed") && words[0].ends_with(":00Z") {
            same(words[1], words[0], Some(words[2]));
        } else if words.len() > 1 && words[1].contains('/') && words[0].ends_with('Z') {
            let next = job(words[1]).next_start(number(words[0]) - 1).unwrap();
            assert!(
                next.chosen_timestamp() == Some(number(words[0])) || words[0].ends_with(":00Z"),
                "{line}"
            );
        }
    }
    assert!(compared >= 8, "{compared}");
}

/// The word after another one, in a line that begins with dots.
fn after_word<'w>(words: &[&'w str], word: &str) -> Option<&'w str> {
    let at = words.iter().position(|found| *found == word)?;
    (words[0] == "...").then(|| words[at + 1])
}

/// A real write that fails in its middle: the system refuses what is beyond the limit of the size of a file.
#[test]
fn a_disk_without_room_starts_nothing_until_there_is_room() {
    if Command::new("prlimit").arg("--version").output().is_err() {
        println!("skipped: this machine has no prlimit");
        return;
    }
    let place = Place::new("full", &jobs("@policy(deadline=1h)", "command=true"));
    let log = std::fs::File::create(place.path("log")).unwrap();
    // The shell lets the runner see the refusal, which would end it otherwise.
    let child = Command::new("/bin/sh")
        .args(["-c", "trap '' XFSZ; exec \"$0\" run jobs.kron", env!("CARGO_BIN_EXE_kron")])
        .current_dir(&place.0)
        .stdin(Stdio::null())
        .stdout(log.try_clone().unwrap())
        .stderr(log)
        .spawn()
        .unwrap();
    let mut runner = Runner { child, log: place.path("log") };
    runner.lines(": exit code 0, after ", 2);
    let limit = |size: &str| {
        let pid = runner.child.id().to_string();
        let status =
            Command::new("prlimit").args(["--pid", &pid, &format!("--fsize={size}:unlimited")]).status();
        assert!(status.unwrap().success());
    };
    // The next write gets a part of a page.
    let written = std::fs::metadata(place.path("kron.db-wal")).unwrap().len();
    limit(&(written + 1000).to_string());
    runner.line("nothing is started until it can be written");
    limit("unlimited");
    let before = place.json(&["history", "-c", "1000"]).len();
    until("more starts", || (place.json(&["history", "-c", "1000"]).len() > before + 2).then_some(()));
    let mut started: Vec<String> = runner
        .lines(": started for ", 1)
        .iter()
        .map(|line| line.split(", process ").next().unwrap().to_string())
        .collect();
    let all = started.len();
    started.sort();
    started.dedup();
    assert_eq!(started.len(), all, "a period was started twice");
    runner.signal("TERM");
    assert_eq!(runner.end(), Some(0), "{}", runner.text());
}
