//! A working directory on a file system that does not answer, as a server of files that is gone: one of FUSE that nobody serves, in a
//! namespace that `unshare` of util-linux makes, where the system allows that.

use std::process::{Command, Output};

use super::place::Place;
use super::process_1::children;

const UNSHARE: [&str; 6] = ["--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "--kill-child"];
/// The file of FUSE stays open as number 7, and nobody reads it.
const MOUNT: &str = "mount -t fuse -o fd=7,rootmode=40000,user_id=0,group_id=0 none hung";

/// The same with a shell in the namespace.
fn unshare(script: &str, place: &Place) -> Command {
    let script = format!("exec 7<>/dev/fuse; {script}");
    let mut command = Command::new("unshare");
    command.args(UNSHARE).args(["sh", "-c", &script, env!("CARGO_BIN_EXE_kron")]).current_dir(&place.0);
    command
}

#[test]
fn a_directory_that_does_not_answer_delays_neither_other_starts_nor_the_end() {
    let place = Place::new("hung", "");
    std::fs::create_dir(place.path("hung")).unwrap();
    let hung = place.path("hung/x").display().to_string();
    let hung = (0..3).map(|number| format!("@yearly name=h/{number} command=true cwd={hung}\n"));
    let others = format!(
        "@yearly name=mount command=\"{MOUNT}\"\n\
         @yearly name=ok command=\"(sh -c 'sleep 0.2; echo orphan' &); echo fine\"\n"
    );
    place.write(&hung.chain([others]).collect::<String>());
    let possible = unshare(&format!("{MOUNT} && echo mounted"), &place).output();
    let is_mounted = |output: Output| String::from_utf8_lossy(&output.stdout).contains("mounted");
    if !possible.is_ok_and(is_mounted) {
        println!("skipped: no mounts of FUSE here");
        return;
    }
    let run = "exec \"$0\" run jobs.kron --parallel-starts 2 --drain 0s --grace 0s";
    let mut runner = place.spawn("log", unshare(run, &place));
    runner.line("kron run: ready");
    let run_now = |job: &str| {
        let output = place.output(&["run-now", job]);
        assert!(output.status.success(), "{output:?}");
    };
    run_now("mount");
    runner.line("mount: exit code 0");
    // As many as are started side by side, and one more.
    (0..3).for_each(|number| run_now(&format!("h/{number}")));
    runner.lines(": its start takes longer than 1s", 3);
    run_now("ok");
    runner.line("ok | orphan");
    // Its orphan is reaped, and a further start is made.
    run_now("ok");
    runner.lines("ok | fine", 2);
    let init = children(&runner.child.id().to_string()).remove(0);
    assert!(Command::new("kill").args(["-s", "TERM", &init]).status().unwrap().success());
    assert_eq!(runner.end(), Some(0), "{}", runner.text());
    runner.line("kron run: warning: ended; a command is perhaps being started");
}
