//! `kron wait`: exit codes, sleep, and clocks that are set.

use crate::support::{Ran, fine, kron, kron_now, kron_sleeping, refused};

/// Chosen at 2026-03-01T00:19:37Z.
const BACKUP: [&str; 4] =
    ["wait", "@daily @win(after,3h) @seed(stable,salt=backup)", "--name", "prod/db-backup"];

fn backup(more: &[&str]) -> Vec<&'static str> {
    BACKUP.into_iter().chain(more.iter().map(|word| -> &'static str { word.to_string().leak() })).collect()
}

fn silent(code: u8) -> Ran {
    Ran { code, out: String::new(), err: String::new() }
}

#[test]
fn it_sleeps_until_the_chosen_time() {
    let (ran, slept) = kron_sleeping(&["2026-03-01T00:00:00.4Z", "2026-03-01T00:19:37.01Z"], &backup(&[]));
    assert_eq!((ran, slept), (silent(0), vec!["2026-03-01T00:19:37+00:00".to_string()]));
    // Its time is now.
    let (ran, slept) = kron_sleeping(&["2026-03-01T00:19:37.9Z"], &backup(&[]));
    assert_eq!((ran, slept.len()), (silent(0), 0));
}

#[test]
fn it_sleeps_again_if_the_clock_was_set_back_or_a_signal_arrived() {
    let clock = [
        "2026-03-01T00:00:00Z",
        "2026-03-01T00:10:00Z",
        "2026-02-28T23:50:00Z",
        "2026-03-01T00:19:36.999Z",
        "2026-03-01T00:19:37Z",
    ];
    let (ran, slept) = kron_sleeping(&clock, &backup(&[]));
    assert_eq!((ran, slept), (silent(0), vec!["2026-03-01T00:19:37+00:00".to_string(); 4]));
}

#[test]
fn it_is_missed_if_the_machine_was_suspended_for_too_long() {
    let (ran, slept) = kron_sleeping(&["2026-03-01T00:00:00Z", "2026-03-01T00:19:38Z"], &backup(&[]));
    assert_eq!((ran.code, slept.len()), (4, 1));
    assert_eq!(
        ran.err,
        "\
error: the period 2026-03-01T00:00:00Z is missed: its chosen time was 2026-03-01T00:19:37Z, 1s ago, and its deadline is 0s
 = help: a deadline allows late starts: `@policy(deadline=10m)`
"
    );
    let text = "@daily @win(after,3h) @seed(stable,salt=backup) @policy(deadline=1s)";
    let (ran, _) = kron_sleeping(
        &["2026-03-01T00:00:00Z", "2026-03-01T00:19:38.9Z"],
        &["wait", text, "--name", "prod/db-backup"],
    );
    assert_eq!(ran, silent(0));
}

#[test]
fn a_start_after_the_chosen_time_is_missed_unless_the_deadline_allows_it() {
    let at = |deadline: &str, now: &str| {
        let text = format!("@daily @win(after,3h) @seed(stable,salt=backup) @policy(deadline={deadline})");
        kron_now(now, &["wait", &text, "--name", "prod/db-backup"]).code
    };
    assert_eq!(at("0s", "2026-03-01T01:00:00Z"), 4);
    assert_eq!(at("40m22s", "2026-03-01T01:00:00Z"), 4);
    assert_eq!(at("40m23s", "2026-03-01T01:00:00Z"), 0);
    // The deadline is longer than the window.
    assert_eq!(at("5h", "2026-03-01T05:19:37Z"), 0);
    assert_eq!(at("5h", "2026-03-01T05:19:38Z"), 3);
}

#[test]
fn no_window_is_open() {
    let ran = kron_now("2026-03-01T03:00:01Z", &backup(&[]));
    assert_eq!((ran.code, ran.out.as_str()), (3, ""));
    assert!(ran.err.starts_with("error: no window is open at 2026-03-01T03:00:01Z\n"), "{}", ran.err);
    assert!(ran.err.contains("the next window begins at 2026-03-02T00:00:00Z"), "{}", ran.err);
    // A window that ends with the nominal time.
    let before = ["wait", "0 6 * * * @win(before,2h)", "--name", "a", "--print", "--at"];
    let at = |time: &str| kron(&[&before[..], &[time]].concat()).code;
    assert_eq!(["2026-03-01T03:59:59Z", "2026-03-01T04:00:00Z", "2026-03-01T06:00:01Z"].map(at), [3, 0, 3]);
    let ran = kron(&["wait", "0 0 1 1 *", "--print", "--at", "2099-12-31T00:00:00Z"]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("the schedule has no more periods"), "{}", ran.err);
}

#[test]
fn unschedulable_and_suspended() {
    let at = ["--name", "a", "--print", "--at", "2026-03-01T01:00:00Z"];
    let ran = kron(&[&["wait", "@daily @win(after,3h) @only(hours=9)"], &at[..]].concat());
    assert_eq!((ran.code, ran.out.as_str()), (5, ""));
    let err = "error: the period 2026-03-01T00:00:00Z is unschedulable: the constraints allow no start from \
               2026-03-01T00:00:00Z to 2026-03-01T03:00:00Z\n";
    assert!(ran.err.starts_with(err), "{}", ran.err);
    let ran = kron(&[&["wait", "@daily @win(after,3h) @policy(suspend=true)"], &at[..]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (6, "error: a is suspended\n"));
}

#[test]
fn a_day_off_is_silent() {
    // 1 March 2026 is a Sunday.
    let wait = |now: &str, text: &str| kron_now(now, &["wait", text, "--name", "a/b", "--print"]);
    let fridays = "0 0 * * * @win(after,3h) @days(dow=FRI)";
    assert_eq!(wait("2026-03-01T00:00:00Z", fridays), silent(7));
    assert_eq!(wait("2026-03-01T00:00:59Z", fridays), silent(7));
    assert_eq!(wait("2026-03-01T00:01:00Z", fridays).code, 3);
    assert_eq!(wait("2026-03-06T00:00:00Z", fridays).code, 0);
    // The window of a chosen day does not stand in for a day that is off.
    assert_eq!(wait("2026-03-07T00:00:00Z", "0 0 * * * @win(after,30h) @days(dow=FRI)"), silent(7));
    // cron starts the program where the window begins, an hour before the nominal time.
    assert_eq!(wait("2026-03-01T00:00:00Z", "0 1 * * * @win(before,1h) @nodays(dow=SUN)"), silent(7));
}

#[test]
fn print_prints_the_time_and_does_not_sleep() {
    let print = |at: &str| kron(&backup(&["--print", "--at", at]));
    let want = Ran { code: 0, out: "2026-03-01T00:19:37Z\n".to_string(), err: String::new() };
    assert_eq!(print("2026-03-01T00:00:00Z"), want);
    assert_eq!(print("2026-03-01T00:19:37Z"), want);
    assert_eq!((print("2026-03-01T00:19:38Z").code, print("2026-03-01T00:19:38Z").out.as_str()), (4, ""));
    assert_eq!(kron_now("2026-03-01T00:00:01Z", &backup(&["--print"])), want);
    // A time without --print would be that of no sleep.
    assert!(refused(&backup(&["--at", "2026-03-01T00:00:00Z"])).contains("--print"));
}

#[test]
fn overlapping_windows() {
    // Each process waits for the period whose window began last when it was started.
    let at = |time: &str| {
        fine(&["wait", "*/10 * * * * @win(after,1h) @seed(fixed)", "--name", "a", "--print", "--at", time])
    };
    let (first, second) = (at("2026-03-01T00:00:00Z"), at("2026-03-01T00:10:00Z"));
    assert_eq!(at("2026-03-01T00:09:59Z"), first);
    let time = |text: &str| text.trim().parse::<chrono::DateTime<chrono::Utc>>().unwrap().timestamp();
    assert_eq!(time(&second) - time(&first), 600);
}

#[test]
fn the_host_name_is_part_of_the_name() {
    let at = |command: &str, name: &str| {
        let text = "@daily @win(after,3h)";
        let print: &[&str] = if command == "wait" { &["--print"] } else { &["-c", "1", "-o", "csv"] };
        fine(&[&[command, text, "--name", name, "--at", "2026-03-01T00:00:00Z"], print].concat())
    };
    // The tests run on web-1.
    assert_eq!(at("wait", "backup/{host}"), at("wait", "backup/web-1"));
    assert_ne!(at("wait", "backup/{host}"), at("wait", "backup/web-2"));
    let meant = kron(&[
        "wait",
        "@daily @win(after,1h)",
        "--name",
        "backup/{machine-id}",
        "--at",
        "2026-03-01",
        "--print",
    ]);
    assert!(meant.err.contains("warning: `{machine-id}` in --name is not replaced"), "{}", meant.err);
    assert_eq!(at("next", "backup/{host}"), at("next", "backup/web-1"));
    assert!(at("next", "backup/{host}").contains("backup/web-1,"));
}

#[test]
fn jobs_of_files() {
    let file = crate::support::file(
        "wait.kron",
        "@daily @win(after,3h) @seed(stable,salt=backup) name=prod/db-backup\n@hourly name=b\n",
    );
    let at = ["--print", "--at", "2026-03-01T00:00:00Z"];
    let out = fine(&[&["wait", "-f", &file, "--job", "prod/db-backup"], &at[..]].concat());
    assert_eq!(out, "2026-03-01T00:19:37Z\n");
    let err = refused(&[&["wait", "-f", &file], &at[..]].concat());
    assert!(err.starts_with("error: there are 2 jobs; --job NAME picks one\n"), "{err}");
    assert!(refused(&["wait", "@daily @win(after,3h)"]).contains("a job needs a name"));
}

/// The process itself, and the clock of the machine.
#[cfg(unix)]
#[test]
fn the_process_sleeps_until_a_signal() {
    use std::os::unix::process::ExitStatusExt as _;
    // The chosen time is at the end of a window of a year, and another window begins before.
    let text = "0 0 1 1 * @win(after,8784h) @dist(skewLate,shape=1000000)";
    let child = std::process::Command::new(env!("CARGO_BIN_EXE_kron"))
        .args(["wait", text, "--name", "a"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("it runs");
    let kill = std::process::Command::new("kill").arg(child.id().to_string()).status();
    assert!(kill.expect("kill runs").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.signal(), Some(15), "{output:?}");
}
