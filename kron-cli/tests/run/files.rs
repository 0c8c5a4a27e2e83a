//! Job files and arguments: errors, reloads, and the examples of the documentation.

use std::path::Path;
use std::process::Command;

use super::place::{Place, until};

#[test]
fn files_are_read_again_at_a_hangup() {
    let place = Place::new("reload", "@yearly name=a command=true\n@yearly name=b command=true\n");
    let runner = place.start("log", &[]);
    runner.line("kron run: ready");
    place.write("@yearly name=c command=true\n@yearly name=a command=true timeout=5\n");
    runner.signal("HUP");
    runner.line("the files have errors; the jobs stay as they are");
    assert!(runner.text().contains("timeout=5"), "{}", runner.text());
    let names = || -> Vec<String> {
        place.json(&["status"]).iter().map(|job| job["name"].as_str().unwrap().to_string()).collect()
    };
    assert_eq!(names(), ["a", "b"]);
    // As it is for a moment while an editor writes it.
    place.write("");
    runner.signal("HUP");
    runner.line("the files have no jobs; the jobs stay as they are");
    assert_eq!(names(), ["a", "b"]);
    place.write("@yearly name=c command=true\n@monthly name=a command=true timeout=5s\n");
    runner.signal("HUP");
    assert!(runner.line("read again: ").ends_with("read again: 1 added, 1 changed, 1 removed"));
    until("the new jobs", || (names() == ["a", "c"]).then_some(()));
}

#[test]
fn nothing_is_started_without_jobs() {
    let place = Place::new("empty", "# later\n");
    let output = place.output(&["run", "jobs.kron"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "\
warning: there are no jobs
--> jobs.kron
error: the files have no jobs, so nothing is started
 = help: write a line for each job, such as `0 3 * * * name=backup command=...`
"
    );
    // A folder without files has none either.
    std::fs::create_dir(place.path("empty")).unwrap();
    let output = place.output(&["run", "empty"]);
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("error: the files have no jobs, so nothing is started"), "{text}");
    // No state file is made.
    assert!(!place.path("kron.db").exists());
}

#[test]
fn numbers_and_durations_of_any_size() {
    let place = Place::new("sizes", "@yearly name=a command=true\n");
    for (option, value, why) in [
        ("--parallel-starts", "0", "expected a whole number from 1 on"),
        ("--parallel-starts", "-1", "expected a whole number from 1 on"),
        ("--drain", "-1s", "expected a length of time"),
        ("--grace", "-1s", "expected a length of time"),
    ] {
        let output = place.output(&["run", "jobs.kron", option, value]);
        let text = String::from_utf8_lossy(&output.stderr);
        let expected = format!("error: `{value}` is not a value of {option}: {why}");
        assert!(output.status.code() == Some(2) && text.starts_with(&expected), "{output:?}");
    }
    let (most, long) = (u64::MAX.to_string(), "15000w");
    let mut runner = place.start("log", &["--parallel-starts", &most, "--drain", long, "--grace", long]);
    runner.line("kron run: ready");
    runner.signal("TERM");
    assert_eq!(runner.end(), Some(0), "{}", runner.text());
}

#[test]
fn a_crontab_is_one_error() {
    let place = Place::new("crontab", "0 0 * * * /opt/backup\n5 0 * * * /opt/report --all\n");
    let output = place.output(&["run", "jobs.kron"]);
    assert_eq!(
        (output.status.code(), String::from_utf8_lossy(&output.stderr)),
        (
            Some(2),
            "\
error: the format is crontab, and a runner reads job files and KronJobs
--> jobs.kron
 = help: make a job file of it: `kron convert jobs.kron > jobs.kron`
"
            .into()
        )
    );
    // A job file with a mistake is still one.
    place.write("0 0 * * * /opt/backup\n5 0 * * * name=a command=true\n");
    let output = place.output(&["run", "jobs.kron"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("jobs.kron:1:11"), "{output:?}");
}

#[test]
fn errors_of_fields_have_their_place() {
    let place = Place::new(
        "errors",
        "@daily name=a\n@daily name=b command=true cwd=x\n@daily name=c command=true timout=1h\n",
    );
    let output = place.output(&["run", "jobs.kron"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "\
error: a: the job has no command
 --> jobs.kron:1:14
  |
1 | @daily name=a
  |              ^
  |
  = help: add `command=\"...\"` at the end of the line
error: b: `cwd` is a relative path: `x`
 --> jobs.kron:2:28
  |
2 | @daily name=b command=true cwd=x
  |                            ^^^^^
  |
  = help: write an absolute path, such as `/srv/app`
warning: c: `kron run` ignores the field `timout`
 --> jobs.kron:3:28
  |
3 | @daily name=c command=true timout=1h
  |                            ^^^^^^^^^
  |
  = help: did you mean `timeout`?
"
    );
    // Nothing was opened.
    assert!(!place.path("kron.db").exists());
    let output = place.output(&["run", "../no/such/file"]);
    assert_eq!(output.status.code(), Some(2));
    place.write("@daily name=a command=true\n");
    let output = place.output(&["run", "jobs.kron", "--listen", "192.0.2.1:80"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&output.stderr)
            .starts_with("error: --listen 192.0.2.1:80: this machine has no such address\n"),
        "{output:?}"
    );
    for state in ["new/", "."] {
        let output = place.output(&["run", "jobs.kron", "--state", state]);
        let want = format!(
            "error: --state: this is a directory, not a file\n--> {state}\n = help: name a file in it\n"
        );
        assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr)), (Some(2), want.into()));
    }
    assert!(!place.path("new").exists());
    for command in [&["status"][..], &["history"], &["why", "a"]] {
        let output = place.output(&[command, &["--state", "no.db"]].concat());
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(2), b"".as_slice()), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("no.db"), "{output:?}");
    }
}

#[test]
fn a_shell_that_does_not_exist_is_an_error_at_the_start() {
    let place = Place::new("shell", "@yearly name=a command=true\n");
    for (shell, why) in [
        ("/no/such/shell", "it does not exist"),
        ("no-such-shell", "there is no such program in the directories of PATH"),
        ("jobs.kron/", "a part of the path is not a directory"),
        ("./jobs.kron", "it is not executable"),
    ] {
        let output = place.output(&["run", "jobs.kron", "--shell", shell]);
        let expected = format!(
            "error: --shell {shell}: {why}\n = help: name a program that takes a command line after -c, such as /bin/sh\n"
        );
        assert_eq!(
            (output.status.code(), String::from_utf8_lossy(&output.stderr)),
            (Some(2), expected.into())
        );
    }
    assert!(!place.path("kron.db").exists());
}

/// The unit for systemd and the job file next to it are valid.
#[test]
fn the_examples_are_valid() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/runner");
    let jobs = std::fs::read_to_string(examples.join("jobs.kron")).unwrap();
    let page = include_str!("../../../docs/guide/daemon.md");
    assert!(jobs.lines().skip(1).all(|line| page.contains(line)), "docs/guide/daemon.md has other jobs");
    let place = Place::new("examples", &jobs);
    let runner = place.start("log", &[]);
    runner.line("kron run: ready");
    let unit = std::fs::read_to_string(examples.join("kron.service")).unwrap();
    // `systemd-analyze verify` requires that the program exists.
    let unit = unit.replace("/usr/local/bin/kron", env!("CARGO_BIN_EXE_kron"));
    std::fs::write(place.path("kron.service"), unit).unwrap();
    match Command::new("systemd-analyze").arg("verify").arg(place.path("kron.service")).output() {
        Ok(output) => assert!(output.status.success() && output.stderr.is_empty(), "{output:?}"),
        Err(error) => println!("skipped: systemd-analyze: {error}"),
    }
}

/// The output of `kron status`, `kron history` and `kron why` on the page has times of the jobs at its beginning.
#[test]
fn the_sample_of_the_page_is_of_its_jobs() {
    let jobs = include_str!("../../../examples/runner/jobs.kron");
    let jobs = kron_core::text::parse_job_file(jobs).unwrap();
    let job = |name: &str| &jobs.iter().find(|line| line.job.name() == name).unwrap().job;
    let number = |time: &str| time.parse::<chrono::DateTime<chrono::Utc>>().unwrap().timestamp();
    let page = include_str!("../../../docs/guide/daemon.md");
    let (_, sample) = page.split_once("$ kron status\n").unwrap();
    let (sample, _) = sample.split_once("```").unwrap();
    let mut compared = 0;
    let mut same = |name: &str, period: &str, chosen: Option<&str>| {
        let found = job(name).periods(number(period)..number(period) + 1).next();
        let found = found.unwrap_or_else(|| panic!("{name} has no period {period}"));
        if let Some(chosen) = chosen {
            assert_eq!(found.chosen_timestamp(), Some(number(chosen)), "{name} {period}");
            compared += 1;
        }
    };
    for line in sample.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let Some(period) = words[0].strip_suffix(':') {
            let after = |what: &str| line.split_once(what).map(|(_, rest)| &rest[..20]);
            let chosen = after("executed at ").or(after("chosen time was ")).or(after("starts at "));
            same("web/ping", period, chosen.or(after("its time, ")));
        } else if let Some(last) = after_word(&words, "to") {
            same("web/ping", last.trim_end_matches(','), None);
        } else if words.contains(&"executed") && words[0].ends_with(":00Z") {
            same(words[1], words[0], Some(words[2]));
        } else if words.len() > 1 && words[1].contains('/') && words[0].ends_with('Z') {
            let next = job(words[1]).next_start(number(words[0]) - 1).unwrap();
            assert!(
                next.chosen_timestamp() == Some(number(words[0])) || words[0].ends_with(":00Z"),
                "{line}"
            );
        }
    }
    assert!(compared >= 8, "{compared}");
}

/// The word after `word`, in a line that begins with dots.
fn after_word<'w>(words: &[&'w str], word: &str) -> Option<&'w str> {
    let at = words.iter().position(|found| *found == word)?;
    (words[0] == "...").then(|| words[at + 1])
}
