//! The state file: who may have it, and what happens if it is moved or cannot be written.

use std::process::{Command, Stdio};
use std::time::Duration;

use kron_runner::{Change, ClockAhead, Store as _};

use super::place::{Place, jobs, until};

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
fn a_state_file_that_was_moved_is_noticed() {
    let place = Place::new("moved", &jobs("", "command=true"));
    let mut runner = place.start("log", &["--listen", "127.0.0.1:0"]);
    runner.line(": exit code 0, after ");
    assert!(runner.get("/livez").starts_with("HTTP/1.1 200"));
    std::fs::rename(place.path("kron.db"), place.path("old.db")).unwrap();
    let moved = "kron.db: the state file was moved, deleted or replaced while a runner has it";
    let answer = runner.get("/livez");
    assert!(answer.starts_with("HTTP/1.1 503") && answer.contains(moved), "{answer}");
    runner.line(moved);
    std::fs::rename(place.path("old.db"), place.path("kron.db")).unwrap();
    runner.line("kron run: the state file can be written again");
    assert!(runner.get("/livez").starts_with("HTTP/1.1 200"));
    runner.signal("TERM");
    assert_eq!(runner.end(), Some(0), "{}", runner.text());
}

/// What was started while the clock was ahead is not started again: the next runner and `kron status` know for which times.
#[test]
fn the_status_shows_which_starts_were_made_while_the_clock_was_ahead() {
    let place = Place::new("ahead", "@yearly name=a command=true\n");
    let mut runner = place.start("log", &[]);
    runner.line("kron run: ready");
    runner.signal("TERM");
    assert_eq!(runner.end(), Some(0), "{}", runner.text());
    let store = kron_runner::SqliteStore::open(place.path("kron.db")).unwrap();
    let ahead = vec![ClockAhead { after: 4_070_908_799, through: 4_070_912_400 }];
    let changes = vec![Change::Reopened { now: 4_070_908_000, recorded_from: 0, ahead }];
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(store.commit(changes)).unwrap();
    drop(store);
    let output = place.output(&["status"]);
    let text = String::from_utf8_lossy(&output.stderr);
    let warning = "warning: from 2099-01-01T00:00:00Z to 2099-01-01T01:00:00Z, what was started while the clock was ahead is not \
                   started again";
    assert!(text.contains(warning), "{output:?}");
}

/// The commands that read the state file need no permission to write, whether or not a runner has the file.
#[test]
fn another_user_can_ask() {
    use std::os::unix::fs::PermissionsExt as _;
    use std::os::unix::process::CommandExt as _;
    // Unprivileged users may not be able to enter the directory of the tests, so this one is elsewhere.
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
            // The user `nobody`.
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

/// A real write that fails halfway: the system refuses to write beyond the size limit of a file.
#[test]
fn a_disk_without_room_starts_nothing_until_there_is_room() {
    if Command::new("prlimit").arg("--version").output().is_err() {
        println!("skipped: this machine has no prlimit");
        return;
    }
    let place = Place::new("full", &jobs("@policy(deadline=1h)", "command=true"));
    // Without the trap, a write beyond the limit ends the runner by SIGXFSZ; with it, the write fails.
    let mut command = Command::new("/bin/sh");
    command.args([
        "-c",
        "trap '' XFSZ; exec \"$0\" run jobs.kron --listen 127.0.0.1:0",
        env!("CARGO_BIN_EXE_kron"),
    ]);
    let mut runner = place.spawn("log", command);
    runner.lines(": exit code 0, after ", 2);
    let limit = |size: &str| {
        let pid = runner.child.id().to_string();
        let status =
            Command::new("prlimit").args(["--pid", &pid, &format!("--fsize={size}:unlimited")]).status();
        assert!(status.unwrap().success());
    };
    assert!(runner.get("/readyz").starts_with("HTTP/1.1 200"));
    // Only part of a page fits, of the database as well as of its log. The log of the runner is shorter.
    limit("30000");
    runner.line("nothing is started until it can be written");
    for path in ["/livez", "/readyz"] {
        let answer = runner.get(path);
        assert!(answer.starts_with("HTTP/1.1 503") && answer.contains("kron.db: "), "{answer}");
    }
    let errors = || {
        let metrics = runner.get("/metrics");
        let count = metrics.lines().find(|line| line.contains("errors_total{code=\"store\"}")).unwrap();
        count.rsplit_once(' ').unwrap().1.parse::<u64>().unwrap()
    };
    until("more attempts", || (errors() > 4).then_some(()));
    // An error is not repeated at each attempt.
    let said = runner.lines("nothing is started until it can be written", 1);
    assert!(said.windows(2).all(|two| two[0] != two[1]), "{said:?}");
    limit("unlimited");
    runner.line("kron run: the state file can be written again");
    assert!(runner.get("/livez").starts_with("HTTP/1.1 200"));
    assert!(runner.get("/readyz").starts_with("HTTP/1.1 200"));
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

/// The file can be opened, and the first write fails: a disk with little room refuses it as this trigger does.
#[test]
fn a_runner_whose_first_write_fails_does_not_begin() {
    let place = Place::new("first-write", "@yearly name=a command=true\n");
    let mut runner = place.start("log", &[]);
    runner.line("kron run: ready");
    runner.signal("TERM");
    assert_eq!(runner.end(), Some(0), "{}", runner.text());
    let script = "import sqlite3\ndb = sqlite3.connect('kron.db')\n\
                  db.execute(\"CREATE TRIGGER t BEFORE INSERT ON runners BEGIN SELECT RAISE(ABORT, 'no room'); END\")\n";
    assert!(Command::new("python3").args(["-c", script]).current_dir(&place.0).status().unwrap().success());
    let mut runner = place.start("second", &[]);
    assert_eq!(runner.end(), Some(2), "{}", runner.text());
    assert!(
        runner.text().contains("no room") && !runner.text().contains("kron run: ready"),
        "{}",
        runner.text()
    );
}
