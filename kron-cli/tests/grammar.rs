//! The grammar that all subcommands share: which arguments are jobs, which are ranges, and where the output goes.

use std::collections::BTreeSet;

use crate::man::commands;
use crate::support::{
    MARCH, Ran, directory, file, fine, kron, kron_now, kron_with, refused, with_path_hidden,
};

/// Every subcommand that takes jobs, with what else it needs to answer.
pub const TAKE_JOBS: &[(&str, &[&str])] = &[
    ("next", &["--from", MARCH, "-c", "2"]),
    ("explain", &["--from", MARCH]),
    ("forecast", &["--from", MARCH]),
    ("spread", &["--from", MARCH]),
    ("lint", &["--from", MARCH]),
    ("prime", &["--at", MARCH, "--lead", "10m"]),
    ("tz-report", &["--from", MARCH]),
    ("wait", &["--at", MARCH, "--print"]),
    ("export", &[]),
    #[cfg(target_os = "linux")]
    ("run", &["--state", "/no/such/folder/kron.db"]),
];

const LINE: &str = "0 0 * * * name=a/b command=true\n";

/// `diff` takes two files, of which either may be a text.
#[test]
fn the_commands_that_take_jobs_are_those_of_these_tests() {
    let take_jobs = |command: &String| fine(&[command, "--help"]).contains("[JOBS]...");
    let found: BTreeSet<String> = commands().into_iter().filter(take_jobs).collect();
    assert_eq!(found, TAKE_JOBS.iter().map(|(command, _)| command.to_string()).collect());
}

#[test]
fn files_directories_and_standard_input_are_read_alike() {
    let dir = directory("grammar");
    let path = format!("{dir}/jobs.kron");
    std::fs::write(&path, LINE).expect("the test directory can be written");
    for &(command, more) in TAKE_JOBS {
        let ran = |jobs: &[&str], input: &str| {
            let Ran { code, out, err } = kron_with(&[&[command], jobs, more].concat(), input.as_bytes());
            (code, with_path_hidden(&out, &path), with_path_hidden(&err, &path))
        };
        let named = ran(&[&path], "");
        assert!(
            !named.2.contains("no such file") && !named.1.is_empty() | !named.2.is_empty(),
            "{command}: {named:?}"
        );
        for jobs in [&["-f", &path][..], &[&dir], &["-f", &dir], &["--file", &path]] {
            assert_eq!(ran(jobs, ""), named, "{command} {jobs:?}");
        }
        let (code, out, err) = ran(&["-"], LINE);
        let named_file = |text: String| text.replace("<stdin>", "FILE");
        assert_eq!((code, named_file(out), named_file(err)), named, "{command} -");
        // Files may repeat, by themselves and behind -f.
        let other = file("grammar-other.kron", "0 1 * * * name=c command=true\n");
        let both = ran(&[&path, "-f", &other], "");
        assert_eq!(ran(&["-f", &other, &path], ""), both, "{command}");
        assert_eq!(ran(&["-f", &path, "--file", &other], ""), both, "{command}");
        assert!(!both.2.contains("cannot be used") && !both.2.contains("too many"), "{command}: {both:?}");
        let missing = refused(&[&[command, "absent.kron"], more].concat());
        assert!(
            missing.starts_with("error: there is no such file\n--> absent.kron\n"),
            "{command}: {missing}"
        );
    }
}

#[test]
fn jobs_are_picked_alike() {
    let path = file("grammar-pick.kron", format!("{LINE}0 1 * * * name=c/d command=false\n"));
    let one = file("grammar-pick-one.kron", LINE);
    for &(command, more) in TAKE_JOBS.iter().filter(|(command, _)| !["spread", "run"].contains(command)) {
        let all = kron(&[&[command, &path, "--job", "a/b"], more].concat());
        let alone = kron(&[&[command, &one], more].concat());
        let (picked, want) = (with_path_hidden(&all.out, &path), with_path_hidden(&alone.out, &one));
        assert_eq!((all.code, picked), (alone.code, want), "{command}: {}", all.err);
        let err = kron(&[&[command, &path, "--job", "a/c"], more].concat()).err;
        assert!(err.contains("error: there is no job `a/c`\n"), "{command}: {err}");
    }
}

#[test]
fn texts_are_read_alike() {
    for &(command, more) in TAKE_JOBS {
        for (text, name) in [("0 0 * * *", "a/b"), ("@daily", "a/b"), ("0 0 * * * @win(after,1h)", "a/b")] {
            let ran = kron(&[&[command, text, "--name", name], more].concat());
            for part in ["no such file", "neither", "option", "too many"] {
                assert!(!ran.err.contains(part), "{command} {text}: {ran:?}");
            }
        }
        // Errors of the text come before errors about what is missing.
        let ran = kron(&[command, "61 0 * * *"]);
        assert!((ran.out + &ran.err).starts_with("error: schedule.minute: "), "{command}");
        for text in ["", "0 0 * *", "*/5", "my jobs"] {
            let ran = kron(&[&[command, text], more].concat());
            let want = format!("error: `{text}` is neither a file nor the text of a job\n");
            assert!(ran.code == 2 && ran.err.starts_with(&want), "{command} {text:?}: {}", ran.err);
        }
    }
    // A file with such a name is read by -f.
    let dir = directory("grammar-names");
    let path = format!("{dir}/a b c d e.kron");
    std::fs::write(&path, LINE).expect("the test directory can be written");
    let err = kron(&["next", &path, "--at", MARCH]).err;
    assert!(
        err.starts_with("error: schedule") && err.contains("there is a file of this name, which `-f` reads"),
        "{err}"
    );
    assert_eq!(kron(&["next", "-f", &path, "--at", MARCH]).code, 0);
}

#[test]
fn versions_of_jobs_are_read_alike() {
    let (old, new) = (file("grammar-old.kron", LINE), file("grammar-new.kron", "0 1 * * * name=a/b\n"));
    let range = ["--from", MARCH, "--for", "1d"];
    let want = kron(&[&["diff", &old, &new], &range[..]].concat());
    assert!(want.code == 1 && want.out.contains("\n\nchanged a/b\n"), "{want:?}");
    assert_eq!(kron(&[&["diff", "-f", &old, "-f", &new], &range[..]].concat()), want);
    let texts = kron(&[&["diff", "0 0 * * *", "0 1 * * *", "--name", "a/b"], &range[..]].concat());
    assert_eq!(texts, want);
    let err = refused(&["diff", "-f", &old, &new]);
    assert!(err.contains("so their order is not clear"), "{err}");
    for (args, part) in [
        (&["diff"][..], "nothing to compare is given"),
        (&["diff", &old], "only one of the two"),
        (&["diff", &old, &new, &old], "two are compared, and 3 are given"),
    ] {
        let err = refused(args);
        assert!(
            err.contains(part) && err.contains("git show HEAD:jobs.kron | kron diff - jobs.kron"),
            "{err}"
        );
    }
}

#[test]
fn what_is_missing_is_shown_by_an_example() {
    for (args, message, example) in [
        (&["forecast"][..], "no jobs are given", "kron forecast jobs.kron"),
        (
            &["prime", "0 9 * * *"],
            "--lead says how long before each start, and is missing",
            "kron prime '0 9 * * MON-FRI' --lead 10m",
        ),
        (&["convert"], "no file is given", "crontab -l | kron convert - --window 30m --save jobs.kron"),
        (&["audit"], "no file is given", "kubectl get kronjobs,jobs,events -A -o json | kron audit -"),
        (&["compare-tz"], "nothing to compare is given", "kron compare-tz old.ndjson new.ndjson"),
        (&["completions"], "<SHELL> is missing", "echo 'source <(kron completions bash)' >> ~/.bashrc"),
        (&["man"], "<DIR> is missing", "kron man ~/.local/share/man/man1"),
    ] {
        let want = format!("error: {message}\n = help: write for example `{example}`\n");
        assert_eq!(refused(args), want);
    }
}

#[test]
fn questions_without_options_have_answers() {
    let path = file("grammar-bare.kron", LINE);
    let now = "2026-03-04T05:06:07Z";
    let forecast = kron_now(now, &["forecast", &path]);
    assert!(forecast.code == 0 && forecast.out.starts_with("One start, Thu 5 March "), "{forecast:?}");
    let tokyo = kron_now(now, &["forecast", &path, "--tz", "Asia/Tokyo", "-o", "json"]);
    assert!(tokyo.out.contains(r#""from":"2026-03-04T15:00:00Z""#), "{tokyo:?}");
    assert!(tokyo.out.contains(r#""until":"2026-03-05T15:00:00Z""#), "{tokyo:?}");
    let spread = kron_now(now, &["spread", &path]);
    assert_eq!((spread.code, spread.out.as_str()), (0, LINE));
    assert!(spread.err.contains(", Thu 5 to Wed 11 March"), "{spread:?}");
    assert_eq!(kron(&["export", &path]).code, 0);
    let report = kron_now(now, &["tz-report", &path]);
    let want = "no clock change skips or doubles a time of 1 job from 2026-03-04T05:06:07Z until \
                2029-03-04T05:06:07Z\n";
    assert_eq!((report.code, report.out.as_str(), report.err.as_str()), (0, want, ""));
    assert_eq!(kron(&["tz-report", &path, "--from", MARCH, "-o", "json"]).out, "[]\n");
}

#[test]
fn ranges_are_read_alike() {
    let path = file("grammar-range.kron", "0 0 * * * name=a/b\n");
    // What a command needs to answer alike.
    let ranges: [(&str, &[&str]); 6] = [
        ("next", &[]),
        ("explain", &["-o", "json"]),
        ("forecast", &[]),
        ("spread", &["--budget", "0"]),
        ("lint", &["--deny", "no-deadline"]),
        ("tz-report", &["-o", "json"]),
    ];
    let take_ranges = TAKE_JOBS.iter().filter(|(command, _)| fine(&[command, "--help"]).contains("--until "));
    let named: BTreeSet<&str> = ranges.iter().map(|(command, _)| *command).collect();
    assert_eq!(take_ranges.map(|(command, _)| *command).collect::<BTreeSet<&str>>(), named);
    for (command, more) in ranges {
        let ran = |range: &[&str]| kron(&[&[command, &path], more, range].concat());
        let want = ran(&["--from", "2026-03-01", "--until", "2026-03-02"]);
        assert!(want.code < 2, "{command}: {want:?}");
        for range in [
            &["--day", "2026-03-01"][..],
            &["--from", "2026-03-01", "--for", "1d"],
            &["--until", "2026-03-02", "--for", "24h"],
        ] {
            assert_eq!(ran(range), want, "{command} {range:?}");
        }
        assert!(
            ran(&["--from", "2026-03-02", "--until", "2026-03-02"]).err.contains("--until is not after"),
            "{command}"
        );
        assert!(
            ran(&["--day", "2026-03-02", "--for", "1d"]).err.contains("cannot be used with"),
            "{command}"
        );
    }
    // From T on, after T, before T.
    let starts =
        |range: &[&str]| kron(&[&["next", &path, "-o", "csv"], range].concat()).out.lines().count() - 1;
    let (first, third) = ("2026-03-01T00:00:00Z", "2026-03-03T00:00:00Z");
    assert_eq!(starts(&["--from", first, "--until", third]), 2);
    assert_eq!(starts(&["--at", first, "--until", third]), 1);
    assert_eq!(starts(&["--at", first, "--for", "2d"]), 1);
}

#[test]
fn output_goes_where_it_is_sent() {
    let dir = directory("grammar-save");
    let (path, saved) = (format!("{dir}/jobs.kron"), format!("{dir}/saved"));
    std::fs::write(&path, LINE).expect("the test directory can be written");
    for (command, more) in TAKE_JOBS.iter().copied().filter(|(command, _)| !["wait", "run"].contains(command))
    {
        let args = [&[command, &path], more].concat();
        let plain = kron(&args);
        let ran = kron(&[&args[..], &["--save", &saved]].concat());
        assert_eq!((ran.code, ran.out.as_str(), ran.err), (plain.code, "", plain.err), "{command}");
        assert_eq!(std::fs::read_to_string(&saved).expect("it was written"), plain.out, "{command}");
        // Only an edited file may take the place of its input.
        let ran = kron(&[&args[..], &["--save", &path]].concat());
        let want = if command == "spread" { 0 } else { 2 };
        assert_eq!(ran.code, want, "{command}: {}", ran.err);
        assert_eq!(ran.err.contains("--save would replace a file that is read"), want == 2, "{command}");
        assert_eq!(std::fs::read_to_string(&path).expect("it is there"), LINE, "{command}");
    }
    // An error leaves the file as it was.
    let before = std::fs::read_to_string(&saved).expect("it was written");
    assert_eq!(kron(&["next", "61 * * * *", "--save", &saved]).code, 2);
    assert_eq!(std::fs::read_to_string(&saved).expect("it is there"), before);
}

/// A file is replaced by an answer, and by nothing else.
#[test]
fn no_output_replaces_a_file_that_is_there() {
    let dir = directory("grammar-keep");
    let [jobs, linked, kept, new] =
        ["jobs.kron", "linked.kron", "kept", "new"].map(|name| format!("{dir}/{name}"));
    let read = |path: &str| std::fs::read_to_string(path).expect("it is there");
    std::fs::write(&jobs, "0 0 * * * @win(after,1h) @policy(deadline=1m) name=a/b\n")
        .expect("it can be written");
    std::fs::write(&kept, "kept\n").expect("it can be written");

    // A job without a command is not exported.
    let ran = kron(&["export", &jobs, "--save", &kept]);
    assert!(
        ran.code == 1 && ran.err.contains("note: there is no output, so this file stays as it is"),
        "{ran:?}"
    );
    assert_eq!(read(&kept), "kept\n");
    assert_eq!(kron(&["export", &jobs, "--save", &new]).code, 1);
    assert_eq!(read(&new), "");

    // A budget changes nothing.
    let ran = kron(&["spread", &jobs, "--budget", "9", "--save", &jobs]);
    assert!(ran.code == 2 && ran.err.contains("cannot be used with"), "{ran:?}");
    let ran = kron(&["spread", &jobs, "--from", MARCH, "--certificate", &kept, "--save", &kept]);
    assert!(ran.code == 2 && ran.err.contains("--save would replace the file of --certificate"), "{ran:?}");
    assert_eq!(read(&kept), "kept\n");

    std::fs::hard_link(&jobs, &linked).expect("the test directory has links");
    let ran = kron(&["next", &jobs, "--from", MARCH, "-c", "1", "--save", &linked]);
    assert!(ran.code == 2 && ran.err.contains("--save would replace a file that is read"), "{ran:?}");
    assert!(read(&jobs).ends_with("name=a/b\n"));
}
