//! A working directory on a file system that does not answer, as a server of files that is gone: one of FUSE that nobody serves, in a
//! namespace that `unshare` of util-linux makes, where the system allows that.

use std::process::{Command, Output};

use super::place::{Place, until};
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

/// Whether this machine lets a test mount such a file system at `hung`.
fn is_possible(place: &Place) -> bool {
    let mounted = unshare(&format!("{MOUNT} && echo mounted"), place).output();
    let is_mounted = |output: Output| String::from_utf8_lossy(&output.stdout).contains("mounted");
    let possible = mounted.is_ok_and(is_mounted);
    if !possible {
        println!("skipped: no mounts of FUSE here");
    }
    possible
}

fn run_now(place: &Place, job: &str) {
    let output = place.output(&["run-now", job]);
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn a_directory_that_does_not_answer_delays_neither_other_starts_nor_the_end() {
    let place = Place::new("hung", "");
    std::fs::create_dir(place.path("hung")).unwrap();
    let hung = place.path("hung/x").display().to_string();
    let hung = (0..3).map(|number| format!("@yearly name=h/{number} command=true cwd={hung}\n"));
    let others = format!(
        "@yearly name=mount command=\"{MOUNT}\"\n\
         @yearly name=ok/1 command=\"(sh -c 'sleep 0.2; echo orphan' &); echo fine\"\n\
         @yearly name=ok/2 command=\"echo fine\"\n"
    );
    place.write(&hung.chain([others]).collect::<String>());
    if !is_possible(&place) {
        return;
    }
    let run = "exec \"$0\" run jobs.kron --parallel-starts 2 --drain 0s --grace 0s";
    let mut runner = place.spawn("log", unshare(run, &place));
    runner.line("kron run: ready");
    run_now(&place, "mount");
    runner.line("mount: exit code 0");
    // As many as are started side by side, and one more.
    (0..3).for_each(|number| run_now(&place, &format!("h/{number}")));
    runner.lines(": its start takes longer than 1s", 3);
    run_now(&place, "ok/1");
    runner.line("ok/1 | orphan");
    // Its orphan is reaped, and a further start is made.
    run_now(&place, "ok/2");
    runner.line("ok/2 | fine");
    // The files are read although the directory cannot be looked at.
    let init = children(&runner.child.id().to_string()).remove(0);
    let signal = |name: &str| Command::new("kill").args(["-s", name, &init]).status().unwrap();
    assert!(signal("HUP").success());
    runner.line("hung/x, does not answer");
    runner.line("the files were read again: 0 added, 0 changed, 0 removed");
    assert!(signal("TERM").success());
    assert_eq!(runner.end(), Some(0), "{}", runner.text());
    // No process is left that could begin later.
    assert!(!runner.text().contains("kron run: warning: ended"), "{}", runner.text());
}

/// A process whose standard output is on such a file system, and a directory there, which the next runner finds.
#[test]
fn output_that_does_not_answer_delays_no_next_runner() {
    let place = Place::new("hung-output", "");
    std::fs::create_dir(place.path("hung")).unwrap();
    let script = "import os, time\nos.dup2(os.open('hung', os.O_PATH), 1)\nopen('redirected', 'w')\ntime.sleep(3600)\n";
    std::fs::write(place.path("redirect.py"), script).unwrap();
    place.write(&format!(
        "@yearly name=mount command=\"{MOUNT}\"\n\
         @yearly name=redirects command=\"exec python3 redirect.py\"\n\
         @yearly name=kill command=\"kill -s KILL $PPID\"\n\
         @yearly name=a command=true cwd={}/hung/x\n",
        place.0.display()
    ));
    if !is_possible(&place) {
        return;
    }
    let run = "run jobs.kron --drain 0s --grace 0s";
    let mut runner = place.spawn("log", unshare(&format!("\"$0\" {run}; exec \"$0\" {run}"), &place));
    runner.line("kron run: ready");
    run_now(&place, "mount");
    runner.line("mount: exit code 0");
    run_now(&place, "redirects");
    until("a redirected output", || place.path("redirected").exists().then_some(()));
    // The answer may not come any more.
    place.output(&["run-now", "kill"]);
    runner.lines("kron run: ready", 2);
    runner.line(" of an earlier runner is still active");
    let init = children(&runner.child.id().to_string()).remove(0);
    assert!(Command::new("kill").args(["-s", "TERM", &init]).status().unwrap().success());
    assert_eq!(runner.end(), Some(0), "{}", runner.text());
}
