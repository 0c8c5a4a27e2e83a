//! `--calendar`: calendar files and iCalendar files, in the commands that read jobs and in `verify`.

use std::process::Command;

use crate::support::{MARCH, directory, file, fine, kron, kron_with, refused};

const JOB: &str = "@daily @win(after,3h) @avoid(calendar=holidays-fr)";
const DATES: &str = "# days without starts\nholidays-fr = 2026-03-02..2026-03-04, 2026-03-06\n";

#[test]
fn starts_avoid_the_dates() {
    let path = file("avoid.calendar", DATES);
    let args = ["next", JOB, "--name", "a", "--at", MARCH, "-c", "3", "--calendar", &path, "-o", "csv"];
    let ran = kron(&args);
    let days: Vec<&str> = ran.out.lines().skip(1).filter_map(|line| line.split(',').nth(1)).collect();
    assert_eq!(ran.code, 0, "{}", ran.err);
    let day = |day: &str| days.iter().filter(|start| start.starts_with(day)).count();
    assert_eq!(
        (day("2026-03-01"), day("2026-03-05"), day("2026-03-07"), days.len()),
        (1, 1, 1, 3),
        "{}",
        ran.out
    );
    // Before the command as well, and with several files.
    let other = file("other.calendar", "other = 2026-01-01\n");
    let args = [
        "--calendar",
        &path,
        "--calendar",
        &other,
        "next",
        JOB,
        "--name",
        "a",
        "--at",
        MARCH,
        "-c",
        "3",
        "-o",
        "csv",
    ];
    assert_eq!(kron(&args).out, ran.out);
}

#[test]
fn an_icalendar_file_is_one_calendar() {
    let dir = directory("icalendar");
    let path = format!("{dir}/holidays-fr.ics");
    let event = "BEGIN:VEVENT\r\nSUMMARY:Week off\r\nDTSTART;VALUE=DATE:20260302\r\nDTEND;VALUE=DATE:20260305\r\nEND:VEVENT\r\n";
    let yearly = "BEGIN:VEVENT\r\nDTSTART;VALUE=DATE:20200306\r\nRRULE:FREQ=YEARLY\r\nEND:VEVENT\r\n";
    std::fs::write(&path, format!("BEGIN:VCALENDAR\r\n{event}{yearly}END:VCALENDAR\r\n")).unwrap();
    let args = ["next", JOB, "--name", "a", "--at", MARCH, "-c", "3", "-o", "csv", "--calendar"];
    let written = file("same.calendar", DATES);
    assert_eq!(kron(&[&args[..], &[&path]].concat()), kron(&[&args[..], &[&written]].concat()));
    // A name that texts cannot have.
    let blank = format!("{dir}/jours feries.ics");
    std::fs::copy(&path, &blank).unwrap();
    assert!(refused(&[&args[..], &[&blank]].concat()).contains("`jours feries` is not a name of a calendar"));
}

#[test]
fn a_file_of_the_other_extension_is_to_be_renamed() {
    let dir = directory("icalendar-extension");
    let ics = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20260302\nRRULE:FREQ=DAILY;COUNT=0\nEND:VEVENT\nEND:VCALENDAR\n";
    let error = |name: &str, text: &str| {
        let path = format!("{dir}/{name}");
        std::fs::write(&path, text).unwrap();
        refused(&["next", JOB, "--name", "a", "--at", MARCH, "--calendar", &path])
    };
    assert!(error("a.txt", ics).contains("rename an iCalendar file to `NAME.ics`"));
    assert!(
        error("b.ics", DATES).contains("rename a calendar file to another extension, such as `NAME.txt`")
    );
    // Another name would not help.
    let found = error("c.ics", ics);
    assert!(found.contains("COUNT `0` is not in 1 to 4294967295") && found.contains("c.ics:4:24"), "{found}");
    assert!(found.contains("leave COUNT out for a rule without end") && !found.contains("rename"), "{found}");
    let found = error("d.ics", "nothing\n");
    assert!(found.contains("`BEGIN:VCALENDAR`") && !found.contains("rename"), "{found}");
}

#[test]
fn errors_name_the_place() {
    let args = ["next", JOB, "--name", "a", "--at", MARCH];
    let unknown = refused(&args);
    assert!(
        unknown.contains("constraints.avoid[0].calendar: there is no calendar `holidays-fr`"),
        "{unknown}"
    );
    assert!(unknown.contains("with `--calendar FILE`"), "{unknown}");
    let bad = file("bad.calendar", "a = 2026-12-25\nb = 2026-02-30\n");
    let error = refused(&[&args[..], &["--calendar", &bad]].concat());
    assert!(
        error.contains("b: there is no date `2026-02-30`") && error.contains("bad.calendar:2"),
        "{error}"
    );
    let path = file("twice.calendar", DATES);
    let twice = refused(&[&args[..], &["--calendar", &path, "--calendar", &path]].concat());
    assert!(twice.contains("there are two calendars `holidays-fr`"), "{twice}");
    assert!(
        refused(&[&args[..], &["--calendar", "/no/such/file"]].concat()).contains("there is no such file")
    );
}

/// A folder whose calendars are not given: each is an error once, whatever the command.
#[test]
fn a_calendar_that_many_jobs_name_is_missed_once() {
    let folder = directory("calendar-missing");
    let job = |number: usize| format!("0 {number} * * * @avoid(calendar=holidays-fr) name=a/{number}\n");
    std::fs::write(format!("{folder}/a.kron"), (0..12).map(job).collect::<String>()).unwrap();
    std::fs::write(format!("{folder}/b.kron"), "@daily @days(calendar=other) name=b\n").unwrap();
    for command in [&["forecast"][..], &["next", "--at", MARCH]] {
        let error = refused(&[command, &[&folder]].concat());
        assert_eq!(error.matches("error: ").count(), 2, "{error}");
        assert!(
            error.starts_with("error: 12 jobs name the calendar `holidays-fr`, which is not given\n"),
            "{error}"
        );
        assert!(error.contains("a.kron:1:") && error.contains("help: add `--calendar FILE`"), "{error}");
        assert!(error.contains("there is no calendar `other`"), "{error}");
    }
    // Another name is meant.
    let near = file("calendar-near.calendar", "holidays-fi = 2026-12-25\n");
    let error = refused(&["forecast", &folder, "--calendar", &near]);
    assert!(error.contains("12 jobs name") && error.contains("did you mean `holidays-fi`?"), "{error}");
}

#[test]
fn explain_shows_the_hash_and_verify_compares_it() {
    let path = file("explain.calendar", DATES);
    let nominal = "2026-03-05T00:00:00Z";
    let args = ["explain", JOB, "--name", "a", "--nominal", nominal, "--calendar", &path];
    let page = fine(&args);
    // printf '2026-03-02..2026-03-04\n2026-03-06..2026-03-06\n' | sha256sum
    let hash = "c01bac1bb7f841ca896b9db7a247f853441f39044a99358844b201e1ed218ac1";
    assert!(page.contains(&format!("calendar holidays-fr: 2 ranges of dates, SHA-256 {hash}")), "{page}");
    let receipt = fine(&[&args[..], &["-o", "json"]].concat());
    assert!(receipt.contains(&format!("\"holidays-fr\": \"{hash}\"")), "{receipt}");

    let verify = |calendar: &str| kron_with(&["verify", "--calendar", calendar], receipt.as_bytes());
    assert_eq!((verify(&path).code, verify(&path).out.as_str()), (0, "agrees\n"));
    let other = verify(&file("changed.calendar", "holidays-fr = 2026-03-02..2026-03-04\n"));
    assert_eq!(other.code, 1);
    assert!(other.out.contains("calendars.holidays-fr") && other.out.contains(hash), "{}", other.out);
    let none = kron_with(&["verify"], receipt.as_bytes());
    assert_eq!(none.code, 2);
    assert!(none.err.contains("there is no calendar `holidays-fr`"), "{}", none.err);
}

#[test]
fn spread_takes_calendars_and_its_certificate_has_their_dates() {
    let path = file("spread.calendar", DATES);
    let jobs = file("spread-calendar.kron", "@daily @win(after,3h) @avoid(calendar=holidays-fr) name=a\n");
    let args = ["spread", &jobs, "--best", "--from", "2026-03-01", "--calendar", &path];
    let ran = kron(&args);
    assert_eq!((ran.code, ran.out.contains("@avoid(calendar=holidays-fr)")), (0, true), "{}", ran.err);
    let proof = file("spread-calendar.json", "");
    let ran = kron(&[&args[..], &["--certificate", &proof]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let edited = file("spread-calendar-edited.kron", &ran.out);
    let checker = concat!(env!("CARGO_MANIFEST_DIR"), "/../scripts/check_spread.py");
    let checked = Command::new("python3").args([checker, &proof, &edited]).output().expect("Python runs");
    assert_eq!(String::from_utf8_lossy(&checked.stdout), "peak 1, bound 1\n", "{checked:?}");
}

#[test]
fn job_files_and_diff_take_calendars() {
    let path = file("fleet.calendar", DATES);
    let jobs = file("calendar.kron", "@daily @win(after,3h) @avoid(calendar=holidays-fr) name=a\n");
    // The dates make some periods unschedulable, which is a note.
    let lint = kron(&["lint", "-f", &jobs, "--calendar", &path, "--at", MARCH]);
    assert!(lint.out.contains("periods (1 %) are unschedulable"), "{} {}", lint.out, lint.err);
    let plain = file("plain.kron", "@daily @win(after,3h) name=a\n");
    let ran = kron(&["diff", &plain, &jobs, "--from", MARCH, "--for", "168h", "--calendar", &path]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    for day in ["2026-03-02", "2026-03-03", "2026-03-04", "2026-03-06"] {
        assert!(ran.out.contains(day), "{day} is not in\n{}", ran.out);
    }
}
