//! `kron suspend` and `kron resume`.

use super::place::{Place, starts_in};

/// Two jobs, and a third one that is suspended in the file.
fn jobs(schedules: [&str; 2]) -> String {
    let job = |(schedule, name): (&str, &str)| {
        format!("{schedule} @policy(deadline=1h) name={name} command=\"echo {name} ran\"\n")
    };
    let both: String = schedules.into_iter().zip(["a", "b"]).map(job).collect();
    both + "@yearly @policy(suspend=true) name=c command=true\n"
}

#[test]
fn a_job_is_suspended_until_it_is_resumed() {
    let place = Place::new("suspend", &jobs(["@yearly"; 2]));
    // Of the command: exit code, standard output, standard error.
    let said = |args: &[&str]| {
        let output = place.output(args);
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    assert_eq!(said(&["suspend", "a"]).0, Some(2));
    let mut first = place.start("first", &[]);
    first.line("kron run: ready");
    for _ in 0..2 {
        assert_eq!(said(&["suspend", "a"]), (Some(0), "a: suspended\n".to_string(), String::new()));
    }
    first.line("a: suspended, until `kron resume a`");
    // Both start in the same second.
    place.write(&jobs([&starts_in(4, "a"), &starts_in(4, "b")]));
    first.signal("HUP");
    first.line("read again: 0 added, 2 changed, 0 removed");
    let status = place.json(&["status"]);
    let suspended = |job: &str| {
        let status = status.iter().find(|status| status["name"] == *job).unwrap();
        (status["suspended"] == true, status["suspendRequested"] == true)
    };
    assert_eq!(
        (suspended("a"), suspended("b"), suspended("c")),
        ((true, true), (false, false), (true, false))
    );
    assert!(said(&["status"]).1.contains("suspended             a "));
    let (code, why, error) = said(&["why", "a"]);
    let suspended = ": not started: the job is suspended, until `kron resume a`";
    assert!(why.contains(suspended), "{code:?} {why:?} {error}");
    let (code, _, error) = said(&["suspend", "d"]);
    assert!(code == Some(2) && error.starts_with("error: there is no job `d` in the state file"), "{error}");
    let (code, output, error) = said(&["resume", "c"]);
    assert_eq!((code, output.as_str()), (Some(0), ""));
    assert!(error.starts_with("warning: c stays suspended by its line in the job file"), "{error}");
    first.line("b: exit code 0, after ");
    first.kill();
    assert!(!first.text().contains("a ran"), "{}", first.text());
    for command in ["suspend", "resume"] {
        let (code, _, error) = said(&[command, "a"]);
        assert!(code == Some(1) && error.starts_with("error: no runner is running"), "{error}");
    }
    // The state file keeps it.
    place.write(&jobs([&starts_in(4, "a"), "@yearly"]));
    let second = place.start("second", &[]);
    second.line("a: suspended, until `kron resume a`");
    assert_eq!(said(&["resume", "a"]), (Some(0), "a: resumed\n".to_string(), String::new()));
    second.line("a: not suspended any more");
    second.line("a | a ran");
}
