//! `kron run-now`.

use serde_json::Value;

use super::place::{Place, is_alive, until};

#[test]
fn a_job_runs_on_request() {
    // The command waits for a file, so that the second request is made while it is active.
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
    // Both tables name the signal.
    for command in ["status", "history"] {
        let table = String::from_utf8(place.output(&[command]).stdout).unwrap();
        assert!(table.contains("  ended by signal 9 (KILL)"), "{table}");
    }
    let status = place.json(&["status"]);
    assert_eq!(status[0]["lastMessage"], "ended by signal 9 (KILL)");

    // A request for a suspended job waits, and a second one is refused.
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

    // A stored request is executed by the next runner, which replaces the socket of the killed one.
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
fn a_command_that_ended_while_the_runner_was_halted_is_not_active() {
    // What the command leaves behind keeps its output open, so that the runner hears of its end half a second later.
    let command = "command=\"sleep 3 & until test -e go || ! test -e jobs.kron; do sleep 0.05; done\"";
    let place = Place::new("now-halted", &format!("@yearly name=a {command}\n"));
    let mut runner = place.start("log", &[]);
    runner.line("kron run: ready");
    assert!(place.output(&["run-now", "a"]).status.success());
    let started = runner.line("a: started on request, process ");
    let pid = started.rsplit_once(' ').unwrap().1;
    let stored = || place.json(&["history"]).iter().any(|entry| entry["outcome"] == "executed");
    until("outcome", || stored().then_some(()));
    runner.signal("STOP");
    std::fs::write(place.path("go"), "").unwrap();
    until("end of the command", || (!is_alive(pid)).then_some(()));
    std::thread::scope(|scope| {
        let request = scope.spawn(|| place.output(&["run-now", "a"]));
        // The request waits in the socket before the runner goes on.
        std::thread::sleep(std::time::Duration::from_millis(300));
        runner.signal("CONT");
        let output = request.join().unwrap();
        assert!(output.status.success(), "{output:?}");
    });
    // The policy is `forbid`.
    until("outcome of the second request", || {
        let text = runner.text();
        assert!(!text.contains("run now is skipped"), "{text}");
        (text.matches("a: started on request, process ").count() == 2).then_some(())
    });
    runner.signal("TERM");
    assert_eq!(runner.end(), Some(0), "{}", runner.text());
}
