//! `kron suspend` and `kron resume`.

use super::place::Place;

#[test]
fn a_job_is_suspended_until_it_is_resumed() {
    let minutely =
        |name: &str| format!("* * * * * @policy(deadline=1h) name={name} command=\"echo {name} ran\"\n");
    let place = Place::new(
        "suspend",
        &format!("{}{}@yearly @policy(suspend=true) name=c command=true\n", minutely("a"), minutely("b")),
    );
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
    let status = place.json(&["status"]);
    let suspended = |job: usize| (status[job]["suspended"] == true, status[job]["suspendRequested"] == true);
    assert_eq!((suspended(0), suspended(1), suspended(2)), ((true, true), (false, false), (true, false)));
    assert!(said(&["status"]).1.contains("suspended             a "));
    let why = said(&["why", "a"]).1;
    assert!(why.contains(": not started: the job is suspended, until `kron resume a`"), "{why}");
    let (code, _, error) = said(&["suspend", "d"]);
    assert!(code == Some(2) && error.starts_with("error: there is no job `d` in the state file"), "{error}");
    let (code, output, error) = said(&["resume", "c"]);
    assert_eq!((code, output.as_str()), (Some(0), ""));
    assert!(error.starts_with("warning: c stays suspended by its line in the job file"), "{error}");
    // Both are due in the same second.
    first.line("b: exit code 0, after ");
    first.kill();
    assert!(!first.text().contains("a ran"), "{}", first.text());
    for command in ["suspend", "resume"] {
        let (code, _, error) = said(&[command, "a"]);
        assert!(code == Some(1) && error.starts_with("error: no runner is running"), "{error}");
    }
    // The state file keeps it.
    let second = place.start("second", &[]);
    second.line("a: suspended, until `kron resume a`");
    assert_eq!(said(&["resume", "a"]), (Some(0), "a: resumed\n".to_string(), String::new()));
    second.line("a: not suspended any more");
    second.line("a | a ran");
}
