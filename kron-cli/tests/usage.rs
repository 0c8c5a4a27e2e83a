//! Arguments, help and versions.

use crate::support::{MARCH, file, fine, kron, refused};

#[test]
fn help_of_a_text_has_every_word() {
    use kron_core::{ClausePart, DistributionName, Modifier, PolicyKey, SeedStrategy, WindowMode};
    let out = fine(&["next", "--help"]);
    let (_, text) = out.split_once("then any of").unwrap();
    let (text, _) = text.split_once("docs/reference/syntax.md").unwrap();
    for modifier in Modifier::WORDS {
        assert!(text.contains(&format!("@{modifier}(")), "@{modifier} is not in\n{text}");
    }
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
    let all = [
        ClausePart::WORDS,
        DistributionName::WORDS,
        PolicyKey::WORDS,
        SeedStrategy::WORDS,
        WindowMode::WORDS,
    ];
    for word in all.into_iter().flatten() {
        assert!(words.contains(word), "{word} is not in\n{text}");
    }
}

#[test]
fn help_teaches() {
    let out = fine(&["--help"]);
    for part in [
        "Start times for cron jobs, spread over a window and yet always the same.",
        "    0 1 * * * @tz(Europe/Paris) @win(after,3h)        named db/backup",
        "Usage: kron [OPTIONS] <COMMAND>",
        "  next         List the next starts",
        "  explain      Explain how a start was chosen",
        "  lint         Find errors and surprises",
        "  verify       Compute a receipt's decision again",
        "  wait         Sleep until the chosen time of the period whose window is open",
        "  zones        Show time zones and their changes",
        "      --tzdb <DIR>",
        "  completions  Print completions for a shell",
        "  kron next -f examples/fleet.kron --until +24h",
        "  diff         Compare the start times of two versions of job files",
        "  audit        Compare the periods of KronJobs with the Jobs of a cluster",
        "  tz-report    List the occurrences that clock changes skip or double",
        "  compare-tz   Compare the starts that two time zone databases give",
        "Exit codes, the same in all releases:\n  0  success\n  1  failure: lint has errors or warnings, verify finds",
    ] {
        assert!(out.contains(part), "{part:?} is not in\n{out}");
    }
    for (command, part) in [
        ("next", "JSON and CSV stay in UTC"),
        ("next", "@win(mode,duration)       the window: after, around or before the nominal time"),
        ("next", "Usage: kron next [OPTIONS] <TEXT|--file <FILE>>"),
        ("next", "kubectl get kronjobs -A -o yaml | kron next -f - -o ndjson"),
        ("explain", "Explain the period of this nominal time, with or without a start"),
        (
            "lint",
            "Exit codes: 0 no findings, or only notes; 1 errors or warnings; 2 bad arguments, or a file that cannot be read",
        ),
        ("verify", "kron explain '0 1 * * * @win(after,3h)' --name db/backup -o json | kron verify"),
        ("zones", "kron zones America/Vancouver --tzdb /usr/share/zoneinfo"),
        (
            "wait",
            "Exit codes: 0 it is time to start; 2 bad arguments or input; 3 no window is open; 4 missed",
        ),
        ("completions", "echo 'source <(kron completions bash)' >> ~/.bashrc"),
    ] {
        let out = fine(&[command, "--help"]);
        assert!(out.contains(part), "{part:?} is not in\n{out}");
        assert!(fine(&[command, "-h"]).len() < out.len());
    }
}

/// A first paragraph of two sentences would be printed whole, in the list and in the manual.
#[test]
fn the_list_of_commands_has_a_line_for_each() {
    let help = kron(&["--help"]).out;
    let list = help.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).unwrap();
    for line in list.lines() {
        assert!(line.starts_with("  ") && !line.starts_with("   "), "{line}");
    }
    assert!(list.lines().count() > 20, "{list}");
}

#[test]
fn help_fits_the_width_of_a_page() {
    let commands = [
        "next",
        "explain",
        "lint",
        "diff",
        "tz-report",
        "compare-tz",
        "verify",
        "wait",
        "zones",
        "completions",
    ];
    let of_runners: &[&str] = if cfg!(target_os = "linux") {
        &["run", "run-now", "suspend", "resume", "status", "history", "why"]
    } else {
        &[]
    };
    for command in commands.iter().chain(of_runners) {
        let out = fine(&[command, "--help"]);
        for line in out.lines() {
            assert!(line.len() <= 115, "{line}");
        }
        // Every command takes it.
        assert!(out.contains("--tzdb <DIR>"), "{out}");
    }
}

#[test]
fn versions_that_start_times_depend_on() {
    let want = format!(
        "kron {}\ntime zone database {} (compiled in)\nalgorithms siphash-chacha8/1 (default), sha256-splitmix64/1\n",
        env!("CARGO_PKG_VERSION"),
        kron_core::TzDatabase::COMPILED_IN_VERSION
    );
    assert_eq!((fine(&["--version"]), fine(&["-V"])), (want.clone(), want));
}

#[test]
fn the_name_matters() {
    let want = "\
error: a job needs a name, because its start times depend on it
 |
 = help: add --name team/job
";
    assert_eq!(refused(&["next", "@daily @win(after,1h)", "--at", MARCH]), want);
    for seeds in [&["-o", "json"][..], &["-o", "ndjson"], &["-o", "csv", "--columns", "seedHash"]] {
        assert_eq!(refused(&[&["next", "@daily", "--at", MARCH], seeds].concat()), want);
    }
    assert_eq!(refused(&["explain", "@daily", "--at", MARCH]), want);
    // An error in the text comes first, and a job without a window starts at its nominal times whatever its name is.
    for command in ["next", "explain"] {
        let err = refused(&[command, "@daily @win(3h)", "--at", MARCH]);
        assert!(err.starts_with("error: window.mode: the mode of the window is missing"), "{err}");
    }
    for form in ["table", "csv"] {
        let at = ["--at", MARCH, "-c", "1", "-o", form];
        let named = fine(&[&["next", "@daily", "--name", "unnamed"], &at[..]].concat());
        assert_eq!(fine(&[&["next", "@daily"], &at[..]].concat()), named);
    }
    let err = refused(&["next", "@daily", "--name", "", "--at", MARCH]);
    assert_eq!(err, "error: name: the name is empty; start times depend on it\n");
}

#[test]
fn forgotten_quotes() {
    let err = refused(&["next", "0", "1", "*", "*", "*", "--name", "a"]);
    assert!(err.starts_with("error: unexpected argument '1' found\n"), "{err}");
    assert!(
        err.ends_with("  tip: a job text is one argument; put it in quotes: '0 3 * * * @win(after,1h)'\n"),
        "{err}"
    );
    assert!(!refused(&["next", "@daily", "--nmae", "a"]).contains("put it in quotes"));
}

#[test]
fn mistakes_in_arguments() {
    let p = |args: &[&str], part: &str| {
        let err = refused(args);
        assert!(err.starts_with("error: ") && err.contains(part), "{err}");
    };
    p(&["next"], "<TEXT|--file <FILE>>");
    p(&["next", "@daily", "-f", "x"], "'[TEXT]' cannot be used with '--file <FILE>'");
    p(&["next", "@daily", "--name", "a", "-n", "prod"], "--file <FILE>");
    p(&["next", "@daily", "--name", "a", "-c", "0"], "expected a whole number from 1 on");
    p(&["next", "@daily", "--name", "a", "-o", "xml"], "[possible values: table, json, ndjson, csv]");
    p(
        &["next", "@daily", "--name", "a", "--at", "yesterday"],
        "expected RFC 3339, such as 2026-03-01T00:00:00Z",
    );
    p(&["next", "@daily", "--name", "a", "--at", "2026-02-29"], "there is no such date in the calendar");
    p(&["next", "@daily", "--name", "a", "--at", "+5parsecs"], "invalid value '+5parsecs' for '--at <TIME>'");
    p(&["next", "@daily", "--name", "a", "--day", "now"], "expected a date, such as 2026-03-01, or today");
    for other in [["--from", MARCH], ["--day", "today"]] {
        p(&["next", "@daily", "--name", "a", "--at", MARCH, other[0], other[1]], "cannot be used with");
    }
    p(&["next", "@daily", "--name", "a", "--day", "today", "--until", MARCH], "cannot be used with");
    p(&["next", "@daily", "--name", "a", "--day", "today", "--from", MARCH], "cannot be used with");
    p(
        &["next", "@daily", "--name", "a", "--at", "2026-03-01", "--tz", "Europe/Pariss"],
        "error: --tz: unknown time zone `Europe/Pariss`\n |\n = help: ",
    );
    p(&["explain", "@daily", "--name", "a", "--at", MARCH, "--nominal", MARCH], "cannot be used with");
    p(&["lint", "@daily", "--years", "0"], "expected a whole number of years from 1 to 130");
    p(&["frobnicate"], "unrecognized subcommand 'frobnicate'");
    p(&["zones", "-c", "3"], "the following required arguments were not provided:\n  <NAME>...");
    p(&["zones", "--all-changes", "--at", MARCH], "cannot be used with");
    p(&["--tzdb", "compiled-in"], "a command is required");
    p(&["next", "@daily", "--name", "a", "--tzdb", ""], "a value is required for '--tzdb <DIR>'");
    let ran = kron(&[]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.contains("Usage: kron [OPTIONS] <COMMAND>"), "{}", ran.err);
}

#[test]
fn completions_for_every_shell() {
    for (shell, part) in [
        ("bash", "complete -o nospace -o bashdefault -o nosort -F _clap_complete_kron kron"),
        ("zsh", "#compdef kron"),
        ("fish", "complete --keep-order --exclusive --command kron"),
        ("powershell", "Register-ArgumentCompleter"),
        ("elvish", "set edit:completion:arg-completer[kron]"),
    ] {
        let out = fine(&["completions", shell]);
        assert!(out.contains(part), "{shell}: {out}");
    }
    refused(&["completions", "cmd"]);
}

#[test]
fn a_file_needs_its_option() {
    let path = crate::support::file("usage-needs-f.kron", "@daily name=a/b\n");
    for (command, text) in
        [("next", &*path), ("explain", &*path), ("lint", &*path), ("next", "absent.yaml"), ("next", "-")]
    {
        let expected =
            format!("error: `{text}` is a file, not a job text\n |\n = help: add -f: `-f {text}`\n");
        assert_eq!(refused(&[command, text]), expected);
    }
}

#[test]
fn a_wrong_value_is_named_with_its_help() {
    let path = file("usage.kron", "0 0 * * * name=a\n");
    let range = ["--from", "2026-03-01", "--until", "2026-03-02"];
    let cases: [(&[&str], &str); 8] = [
        (
            &["forecast", &path, "--per", "1d"],
            "a bucket is from 1s to 1h long; write for example `1s`, `1m` or `1h`",
        ),
        (&["forecast", &path, "--budget", "-1"], "'--budget <N>': expected a whole number from 0 on"),
        (&["next", "-f", &path, "-c", "-1"], "'--count <N>': expected a whole number from 1 on"),
        (&["tz-report", &path, "--years", "1.5"], "expected a whole number of years from 1 to 130"),
        (&["lint", "-f", &path, "--years", "0"], "expected a whole number of years from 1 to 130"),
        (&["prime", "@daily", "--lead", "-5m"], "`-5m` is not a duration: a sign is not allowed"),
        (
            &["forecast", &path, "--for", "1d"],
            "tip: this range ends by --until, which takes a length, too: --until +24h",
        ),
        (&["diff", &path, &path, "--until", "2026-03-02"], "the length of this range is given by --for"),
    ];
    for (args, expected) in cases {
        let range = if args[0] == "forecast" { &range[..] } else { &[] };
        let error = refused(&[args, range].concat());
        assert!(error.contains(expected), "{args:?}: {error}");
    }
}
