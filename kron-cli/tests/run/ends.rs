//! Ends of a runner that nothing may delay: a log that nobody reads, a state file that cannot be written.

use std::io::{PipeReader, PipeWriter, Read as _, pipe};
use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionbio;

use super::place::{Place, Runner, is_alive, jobs, until};

/// A runner whose output fills a pipe that nobody reads, and the process of a command that prints. `both`: standard error goes there,
/// too.
fn unread(place: &Place, args: &[&str], both: bool) -> (Runner, PipeReader, String) {
    let (reader, writer) = pipe().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_kron"));
    command.args([&["run", "jobs.kron"], args].concat());
    let err = both.then(|| Stdio::from(writer.try_clone().unwrap()));
    let room = writer.try_clone().unwrap();
    let runner = place.spawn_to("log", command, writer.into(), err);
    until_full(&room);
    let active = |job: serde_json::Value| Some(job["active"][0]["pid"].as_u64()?.to_string());
    let pid = until("an active command", || place.json(&["status"]).into_iter().find_map(active));
    (runner, reader, pid)
}

fn until_full(pipe: &PipeWriter) {
    until("a full pipe", || {
        let mut room = [PollFd::new(pipe, PollFlags::OUT)];
        poll(&mut room, Some(&Timespec::default())).unwrap();
        room[0].revents().is_empty().then_some(())
    });
}

#[test]
fn a_log_to_a_pipe_that_must_not_block_has_every_line() {
    let place = Place::new("no-block", "@yearly name=a command=\"seq 1 20000\"\n");
    let (mut reader, writer) = pipe().unwrap();
    // Whoever made the pipe and shares it can have asked for it.
    ioctl_fionbio(&writer, true).unwrap();
    let room = writer.try_clone().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_kron"));
    command.args(["run", "jobs.kron"]);
    let mut runner = place.spawn_to("log", command, writer.into(), None);
    runner.line("kron run: ready");
    assert!(place.output(&["run-now", "a"]).status.success());
    until_full(&room);
    drop(room);
    runner.signal("TERM");
    let mut text = String::new();
    reader.read_to_string(&mut text).unwrap();
    let numbers = text.lines().filter_map(|line| line.strip_prefix("a | "));
    let lost = (1..=20_000).zip(numbers.map(Some).chain(std::iter::repeat(None)));
    let lost = lost.filter(|(number, line)| *line != Some(&number.to_string())).count();
    assert_eq!((lost, runner.end()), (0, Some(0)), "{}", runner.text());
}

#[test]
fn an_end_waits_for_a_reader_of_the_log_that_reads() {
    // More than the log and its pipe hold, and less than that of the command.
    let place = Place::new("late-reader", "@yearly name=a command=\"seq 1 12000\"\n");
    let (mut reader, writer) = pipe().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_kron"));
    command.args(["run", "jobs.kron"]);
    let mut runner = place.spawn_to("log", command, writer.into(), None);
    runner.line("kron run: ready");
    assert!(place.output(&["run-now", "a"]).status.success());
    until("an ended command", || {
        place.json(&["history"]).iter().any(|entry| entry["result"] == "succeeded").then_some(())
    });
    runner.signal("TERM");
    std::thread::sleep(Duration::from_secs(1));
    let mut text = String::new();
    reader.read_to_string(&mut text).unwrap();
    let lines = text.lines().filter(|line| line.starts_with("a | ")).count();
    assert_eq!((lines, runner.end()), (12_000, Some(0)), "{}", runner.text());
}

#[test]
fn an_end_does_not_wait_for_the_reader_of_the_log() {
    let place = Place::new("unread", &jobs("", "command=\"exec yes\""));
    let (mut runner, _reader, pid) = unread(&place, &["--drain", "0s", "--grace", "0s"], false);
    runner.signal("TERM");
    assert_eq!(runner.end(), Some(0), "{}", runner.text());
    assert!(!is_alive(&pid));
    runner.line("kron run: warning: ended; lines of the log that were not written: ");
}

#[test]
fn a_second_signal_does_not_wait_for_the_reader_of_the_log() {
    let place = Place::new("unread-now", &jobs("", "command=\"exec yes\""));
    let (mut runner, mut reader, pid) = unread(&place, &["--drain", "1h", "--grace", "1h"], true);
    runner.signal("TERM");
    assert!(is_alive(&pid));
    // Two of one kind could count as one.
    runner.signal("INT");
    assert_eq!(runner.end(), Some(1));
    assert!(!is_alive(&pid));
    // The pipe had no room for a message, so it has what it had.
    let mut text = Vec::new();
    reader.read_to_end(&mut text).unwrap();
    assert!(!String::from_utf8_lossy(&text).contains("kron run: warning: ended"));
}

#[test]
fn a_second_signal_does_not_wait_for_the_state_file() {
    let script = "import sqlite3, sys\ndb = sqlite3.connect('kron.db', isolation_level=None)\ndb.execute('BEGIN IMMEDIATE')\n\
                  print('held', flush=True)\nsys.stdin.read()";
    let place = Place::new("locked", &jobs("", "command=\"echo process $$; exec sleep 3600\""));
    let mut runner = place.start("log", &["--drain", "1h", "--grace", "1h"]);
    let line = runner.line(" | process ");
    let (_, pid) = line.split_once(" | process ").unwrap();
    // Another program has the state file to itself, so that each write of the runner waits.
    let mut python = Command::new("python3");
    python.args(["-c", script]).current_dir(&place.0).stdin(Stdio::piped()).stdout(Stdio::piped());
    let Ok(mut holder) = python.spawn() else {
        println!("skipped: this machine has no python3");
        return;
    };
    let mut held = [0; 4];
    holder.stdout.as_mut().unwrap().read_exact(&mut held).unwrap();
    runner.signal("TERM");
    // Signals of one kind that come together count as one.
    until("an end", || {
        runner.signal("TERM");
        runner.child.try_wait().unwrap()
    });
    assert_eq!(runner.end(), Some(1), "{}", runner.text());
    runner.line("kron run: error: ended by a second signal; the state file may not have what happened last");
    assert!(!is_alive(pid));
    drop(holder.stdin.take());
    holder.wait().unwrap();
}
