//! Commands: when they start, what they see, and how they end.

use kron_core::Job;
use serde_json::Value;

use super::place::{JOBS, Place, is_alive, jobs, starts_in, until};

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
    for path in ["/livez", "/readyz"] {
        assert!(runner.get(path).starts_with("HTTP/1.1 200"), "{path}");
    }
    let metrics = runner.get("/metrics");
    for part in ["kron_jobs 60\n", "kron_build_info{version=", "_outcomes_total{outcome=\"missed\"} 0\n"] {
        assert!(metrics.contains(part), "{part} is not in {metrics}");
    }
    // An outcome is counted once it is stored, after the line that says it.
    until("outcome in the metrics", || {
        (!runner.get("/metrics").contains("kron_outcomes_total{outcome=\"executed\"} 0\n")).then_some(())
    });
    assert!(runner.get("/").starts_with("HTTP/1.1 404"));

    let status = place.json(&["status"]);
    assert_eq!(status.len(), JOBS);
    let done = status.iter().find(|job| job["lastExitCode"] == 3).unwrap();
    assert_eq!((&done["lastOutcome"], &done["lastResult"]), (&"executed".into(), &"failed".into()));
    let history = place.json(&["history"]);
    let entry = history.iter().find(|entry| entry["exitCode"] == 3).unwrap();
    assert_eq!((&entry["outcome"], &entry["cause"]), (&"executed".into(), &"started".into()));
    let (name, period) = (entry["job"].as_str().unwrap(), entry["period"].as_str().unwrap());
    // The day of the period, not today: midnight may have passed.
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
fn a_command_outlives_its_runner() {
    // The command waits for a file, which is written while the second runner runs.
    let command = "command=\"echo process $$; until test -e go-{} || ! test -e jobs.kron; do sleep 0.05; done; echo bye\"";
    let place = Place::new("survive", &jobs("@policy(deadline=1h)", command));
    let mut first = place.start("first", &[]);
    let line = first.line(" | process ");
    let (job, pid) = line.split_once(" | process ").unwrap();
    let number: u32 = pid.parse().unwrap();
    // The runner is killed once the process is in the state file.
    until("the process in the state", || {
        let status = place.json(&["status"]);
        status.iter().any(|row| row["name"] == *job && row["active"][0]["pid"] == number).then_some(())
    });
    first.kill();
    assert!(is_alive(pid));
    let second = place.start("second", &[]);
    second.line(&format!("{job}: process {pid} of an earlier runner is still active"));
    // It counts as active.
    until("a request that is stored", || place.output(&["run-now", job]).status.success().then_some(()));
    second.line(&format!("{job}: run now is skipped: an earlier execution was active"));
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
    // A command that ignores SIGTERM.
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
    // The command of the request is active when the job starts.
    let schedule = starts_in(4, "a");
    let job = format!(
        "{schedule} @policy(concurrency=replace,deadline=1h) name=a command=\"sleep 3600 & echo tree $!; wait\"\n"
    );
    let place = Place::new("replace", &job);
    let runner = place.start("log", &[]);
    runner.line("kron run: ready");
    until("a request that is stored", || place.output(&["run-now", "a"]).status.success().then_some(()));
    let first = runner.line("a | tree ");
    let (_, pid) = first.split_once(" | tree ").unwrap();
    runner.line("a: ended by signal 15 (TERM), after ");
    let lines = runner.lines("a | tree ", 2);
    assert!(!is_alive(pid) && is_alive(lines[1].rsplit_once(' ').unwrap().1));
    // The outcome is written after the command began.
    let history = || Some(place.json(&["history", "a"])).filter(|outcomes| outcomes.len() >= 2);
    let outcomes = until("second outcome", history);
    assert!(outcomes.iter().all(|entry| entry["outcome"] == "executed"), "{outcomes:?}");
}

#[test]
fn a_timeout_stops_the_command_and_json_lines_say_so() {
    let place =
        Place::new("timeout", &jobs("", "timeout=200ms command=\"echo out; echo err >&2; sleep 3600\""));
    let runner = place.start("log", &["-o", "json"]);
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
    // The files are read long before a command is started.
    runner.line("the directory of `cwd`, /no/such/directory, does not exist");
    let line = runner.line(" is missed: ");
    assert!(
        line.contains("cannot be started: the directory of `cwd`, /no/such/directory, does not exist"),
        "{line}"
    );
    let (job, _) = line.split_once(": ").unwrap();
    let history = place.json(&["history", job]);
    assert_eq!((&history[0]["outcome"], &history[0]["cause"]), (&"missed".into(), &"refused".into()));
}
