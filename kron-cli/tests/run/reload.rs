//! Files that are read again, and those that cannot be: what is no regular file is not waited for.

use std::process::{Command, Stdio};

use super::place::{Place, until};

fn make_fifo(place: &Place, name: &str) {
    let _ = std::fs::remove_file(place.path(name));
    assert!(Command::new("mkfifo").arg(place.path(name)).status().unwrap().success());
}

#[test]
fn a_fifo_is_an_error_at_the_start() {
    let place = Place::new("fifo-start", "");
    make_fifo(&place, "jobs.kron");
    let expected = |file: &str, kind: &str| {
        format!(
            "error: this is {kind}, not a regular file\n--> {file}\n = help: `kron run` reads its files again at SIGHUP; write \
             the jobs into a file, or pass them by `-`\n"
        )
    };
    for (argument, file, kind) in [
        ("jobs.kron", "jobs.kron", "a FIFO"),
        (".", "./jobs.kron", "a FIFO"),
        ("/dev/zero", "/dev/zero", "a device"),
    ] {
        let output = place.output(&["run", argument]);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), error), (Some(2), expected(file, kind)));
    }
    assert!(!place.path("kron.db").exists());
}

#[test]
fn a_fifo_at_a_hangup_delays_no_signal() {
    let place = Place::new("fifo", "@yearly name=a command=true\n");
    let mut runner = place.start("log", &[]);
    runner.line("kron run: ready");
    make_fifo(&place, "jobs.kron");
    runner.signal("HUP");
    runner.line("the files have errors; the jobs stay as they are");
    assert!(runner.text().contains("error: this is a FIFO, not a regular file\n"), "{}", runner.text());
    std::fs::remove_file(place.path("jobs.kron")).unwrap();
    place.write("@yearly name=b command=true\n");
    runner.signal("HUP");
    assert!(runner.line("read again: ").ends_with("read again: 1 added, 0 changed, 1 removed"));
    make_fifo(&place, "jobs.kron");
    runner.signal("HUP");
    runner.signal("TERM");
    assert_eq!(runner.end(), Some(0), "{}", runner.text());
}

#[test]
fn standard_input_is_read_at_the_start_only() {
    let place = Place::new("stdin", "@yearly name=a command=true\n");
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "exec \"$0\" run - < jobs.kron", env!("CARGO_BIN_EXE_kron")]).stdin(Stdio::null());
    let runner = place.spawn("log", command);
    runner.line("kron run: ready");
    runner.signal("HUP");
    runner.line("the files have errors; the jobs stay as they are");
    assert!(runner.text().contains("error: standard input can be read once only\n"), "{}", runner.text());
    until("the jobs", || (place.json(&["status"])[0]["name"] == "a").then_some(()));
}

#[test]
fn calendars_are_there_at_a_hangup() {
    let place = Place::new("calendar-hangup", "@yearly @avoid(calendar=off) name=a command=true\n");
    std::fs::write(place.path("off.txt"), "off = 2026-12-25\n").unwrap();
    let mut runner = place.start("log", &["--calendar", "off.txt"]);
    runner.line("kron run: ready");
    place.write("@yearly @avoid(calendar=off) name=b command=true\n");
    runner.signal("HUP");
    assert!(
        runner.line("read again: ").ends_with("read again: 1 added, 0 changed, 1 removed"),
        "{}",
        runner.text()
    );
    runner.signal("TERM");
    assert_eq!(runner.end(), Some(0), "{}", runner.text());
}
