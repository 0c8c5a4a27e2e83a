//! The runner as process 1 of a container: of a namespace that `unshare` of util-linux makes, where the system allows that.

use std::path::Path;
use std::process::Command;

use super::place::{Place, is_alive, jobs, until};

/// The children of the first thread of a process.
pub(super) fn children(pid: &str) -> Vec<String> {
    let list = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    list.split_whitespace().map(str::to_string).collect()
}

#[test]
fn process_1_reaps_orphans_and_has_the_exit_codes_of_its_commands() {
    let unshare = ["--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "--kill-child"];
    if !Command::new("unshare").args(unshare).arg("true").status().is_ok_and(|status| status.success()) {
        println!("skipped: this machine has no namespaces for users");
        return;
    }
    // The second fork of each leaves an orphan, which prints and ends after the command has ended.
    let place = Place::new("orphans", &jobs("", "command=\"(sh -c 'sleep 0.2; echo orphan' &); exit 7\""));
    let mut command = Command::new("unshare");
    command.args(unshare).args([env!("CARGO_BIN_EXE_kron"), "run", "jobs.kron"]);
    let mut runner = place.spawn("log", command);
    runner.lines(" | orphan", 2);
    let init = children(&runner.child.id().to_string()).remove(0);
    let zombies = || {
        let ended = |pid: &&String| Path::new(&format!("/proc/{pid}")).exists() && !is_alive(pid);
        children(&init).iter().filter(ended).count()
    };
    until("an end of all zombies", || (zombies() == 0).then_some(()));
    // Two more orphans, and again no zombie remains.
    runner.lines(" | orphan", 4);
    until("an end of all zombies", || (zombies() == 0).then_some(()));
    // `unshare` ignores SIGTERM. A process 1 has the signals only that it asks for.
    assert!(Command::new("kill").args(["-s", "TERM", &init]).status().unwrap().success());
    assert_eq!(runner.end(), Some(0), "{}", runner.text());
    let text = runner.text();
    let (started, ended) =
        (text.matches(": started for ").count(), text.matches(": exit code 7, after ").count());
    assert!(started >= 4 && started == ended, "{text}");
}
