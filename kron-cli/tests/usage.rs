//! Arguments, help and versions.

use crate::grammar::TAKE_JOBS;
use crate::support::{MARCH, file, fine, kron, refused};

#[test]
fn help_of_a_text_has_every_word() {
    use kron_core::constraint::ClausePart;
    use kron_core::draw::DistributionName;
    use kron_core::job::Modifier;
    use kron_core::plan::PolicyKey;
    use kron_core::{SeedStrategy, WindowMode};
    let out = fine(&["--help"]);
    let (_, text) = out.split_once("The text of a job has five fields").unwrap();
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
        "  next         List the next starts of jobs\n",
        "  tz-report    List the times of jobs that clock changes skip or double\n",
        "      --tzdb <DIR>",
        "Exit codes, the same in all releases:\n  0  success\n  1  failure: ",
    ] {
        assert!(out.contains(part), "{part:?} is not in\n{out}");
    }
    for (command, part) in [
        ("next", "JSON and CSV stay in UTC"),
        ("next", "Usage: kron next [OPTIONS] [JOBS]..."),
        ("next", "included; default range: from now on "),
        ("spread", "included; default range: 7 days from the coming midnight on, in --tz "),
        ("forecast", "included; default range: the day from the coming midnight on, in --tz "),
        ("diff", "Usage: kron diff [OPTIONS] <OLD> <NEW> "),
        ("lint", " no-deadline "),
        (
            "lint",
            "Exit codes: 0 no findings, or only notes; 1 errors or warnings; 2 bad arguments, or a file that cannot be read",
        ),
        (
            "wait",
            "Exit codes: 0 it is time to start; 2 bad arguments or input; 3 no window is open; 4 missed",
        ),
        ("completions", "echo 'source <(kron completions bash)' >> ~/.bashrc"),
    ] {
        let out = fine(&[command, "--help"]);
        let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(part), "{part:?} is not in\n{out}");
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
    for form in ["text", "csv"] {
        let at = ["--at", MARCH, "-c", "1", "-o", form];
        let named = fine(&[&["next", "@daily", "--name", "unnamed"], &at[..]].concat());
        assert_eq!(fine(&[&["next", "@daily"], &at[..]].concat()), named);
    }
    let err = refused(&["next", "@daily", "--name", "", "--at", MARCH]);
    assert_eq!(err, "error: name: the name is empty; start times depend on it\n");
}

#[test]
fn forgotten_quotes() {
    let want = "\
error: a part of a cron expression is given as an argument of its own
 = help: a job text is one argument; put it in quotes: '0 3 * * * @win(after,1h)'
";
    let take_jobs = TAKE_JOBS.iter().map(|(command, _)| *command).filter(|command| *command != "run");
    for command in take_jobs.chain(["diff"]) {
        assert_eq!(refused(&[command, "0", "1", "*", "*", "*", "--name", "a"]), want, "{command}");
        // The shell puts the names of files for each `*`.
        assert_eq!(refused(&[command, "0", "1", "Cargo.toml", "src", "Cargo.toml"]), want, "{command}");
    }
    let err = refused(&["next", "@daily", "a/b"]);
    assert!(err.starts_with("error: a job text cannot be given together with other jobs\n"), "{err}");
    assert!(!refused(&["next", "@daily", "--nmae", "a"]).contains("put it in quotes"));
}

#[test]
fn mistakes_in_arguments() {
    let p = |args: &[&str], part: &str| {
        let err = refused(args);
        assert!(err.starts_with("error: ") && err.contains(part), "{err}");
    };
    let example = "kron next '0 1 * * * @win(after,3h)' --name db/backup";
    p(&["next"], &format!("error: no jobs are given\n = help: write for example `{example}`\n"));
    p(&["next", "@daily", "-f", "x"], "a job text cannot be given together with other jobs");
    p(&["next", "@daily", "--name", "a", "-n", "prod"], "write the namespace into the name");
    p(&["next", "@daily", "--name", "a", "-c", "0"], "expected a whole number from 1 on");
    p(
        &["next", "@daily", "--name", "a", "-o", "xml"],
        "error: `xml` is not a value of --output\n = help: choose one of text, json, ndjson, csv\n",
    );
    p(&["next", "@daily", "--name", "a", "-o", "jsonn"], " = help: did you mean `json`?\n");
    p(
        &["next", "@daily", "--name", "a", "--at", "last week"],
        "expected RFC 3339, such as 2026-03-01T00:00:00Z",
    );
    // The names of other programs.
    p(&["next", "@daily", "--to", MARCH], "there is no option `--to`\n = help: did you mean `--until`?\n");
    p(&["forecast", "@daily", "--since", MARCH], " = help: did you mean `--from`?\n");
    p(&["next", "@daily", "--name", "a", "--at", "2026-02-29"], "there is no such date in the calendar");
    p(
        &["next", "@daily", "--name", "a", "--at", "+5parsecs"],
        "error: `+5parsecs` is not a value of --at: expected a length of time up to 292 years, such as 90s, 15m, 24h, 7d or 2w\n",
    );
    p(&["next", "@daily", "--name", "a", "--day", "now"], "expected a date, such as 2026-03-01, or today");
    for other in [["--from", MARCH], ["--day", "today"]] {
        let both = format!("--at cannot be used with {}", other[0]);
        p(&["next", "@daily", "--name", "a", "--at", MARCH, other[0], other[1]], &both);
    }
    p(&["next", "@daily", "--name", "a", "--day", "today", "--until", MARCH], "cannot be used with");
    p(&["next", "@daily", "--name", "a", "--day", "today", "--from", MARCH], "cannot be used with");
    p(&["next", "@daily", "--name", "a", "--at", MARCH, "--at", MARCH], "--at is given twice");
    p(
        &["next", "@daily", "--name", "a", "--at", "2026-03-01", "--tz", "Europe/Pariss"],
        "error: --tz: unknown time zone `Europe/Pariss`\n = help: ",
    );
    p(
        &["next", "@daily", "--nmae", "a"],
        "error: there is no option `--nmae`\n = help: did you mean `--name`?\n",
    );
    p(
        &["next", "--zzz"],
        "error: there is no option `--zzz`\n = help: `kron next --help` describes the arguments\n",
    );
    p(&["explain", "@daily", "--name", "a", "--at", MARCH, "--nominal", MARCH], "cannot be used with");
    p(&["lint", "@daily", "--years", "0"], "expected a whole number of years from 1 to 130");
    p(&["xyz"], "error: there is no command `xyz`\n = help: `kron --help` lists the commands\n");
    p(&["nxt"], "error: there is no command `nxt`\n = help: did you mean `next`?\n");
    p(&["zones", "-c", "3"], "<NAME>... is missing\n = help: write for example `kron zones Europe/Paris`\n");
    p(&["zones", "--all-changes", "--at", MARCH], "cannot be used with");
    p(&["completions", "bash", "zsh"], "`zsh` is one argument too many");
    p(&["--tzdb", "compiled-in"], "error: a command is missing\n = help: `kron --help` lists the commands\n");
    p(&["next", "@daily", "--name", "a", "--tzdb", ""], "error: --tzdb has no value\n");
    let ran = kron(&[]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(
        ran.err.ends_with("\nAll commands: kron --help\n") && ran.err.contains("\n  kron place -i .\n"),
        "{}",
        ran.err
    );
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
fn a_wrong_value_is_named_with_its_help() {
    let path = file("usage.kron", "0 0 * * * name=a\n");
    let cases: [(&[&str], &str); 9] = [
        (
            &["forecast", &path, "--per", "2d"],
            "a bucket is from 1s to 24h long; write for example `1s`, `1m` or `1h`",
        ),
        (
            &["forecast", &path, "--budget", "-1"],
            "`-1` is not a value of --budget: expected a whole number from 0 on",
        ),
        (
            &["next", "-f", &path, "-c", "-1"],
            "`-1` is not a value of --count: expected a whole number from 1 on",
        ),
        (&["tz-report", &path, "--years", "1.5"], "expected a whole number of years from 1 to 130"),
        (&["lint", "-f", &path, "--years", "0"], "expected a whole number of years from 1 to 130"),
        (&["prime", "@daily", "--lead", "-5m"], "`-5m` is not a value of --lead: expected a length of time"),
        (
            &["next", &path, "--for", "0s"],
            "`0s` is not a value of --for: a range has whole seconds, at least one",
        ),
        (&["next", &path, "--for", "1.5ns"], "a range has whole seconds"),
        (&["diff", &path, &path, "--for", "1y"], "such as 90s, 15m, 24h, 7d or 2w"),
    ];
    for (args, expected) in cases {
        let error = refused(args);
        assert!(error.contains(expected), "{args:?}: {error}");
    }
}
