//! Hand-made nonsense gets a clear error, quickly, and never a panic.

use crate::support::{MARCH, directory, file, kron, kron_with, refused, with_path_hidden};

#[track_caller]
fn text(text: &str) -> String {
    let err = refused(&["next", text, "--name", "a/b", "--at", MARCH]);
    assert_eq!(refused(&["explain", text, "--name", "a/b", "--at", MARCH]), err);
    let lint = kron(&["lint", text, "--at", MARCH]);
    assert_eq!((lint.code, lint.out), (1, format!("{err}\n")));
    err
}

/// What is neither a text nor a file.
#[track_caller]
fn nothing(text: &str) -> String {
    let err = refused(&["next", text, "--name", "a/b", "--at", MARCH]);
    assert_eq!(refused(&["explain", text, "--name", "a/b", "--at", MARCH]), err);
    assert!(refused(&["lint", text, "--at", MARCH]).starts_with(&err));
    err
}

#[test]
fn empty() {
    assert_eq!(
        nothing(""),
        "\
error: `` is neither a file nor the text of a job
 = help: a text has five fields (minute, hour, day of month, month, day of week), such as '0 3 * * *', or a macro such as @daily
"
    );
    assert!(nothing("   ").starts_with("error: `   ` is neither a file nor the text of a job\n"));
}

#[test]
fn a_megabyte_of_commas() {
    let commas = ",".repeat(1 << 20);
    let err = nothing(&commas);
    assert!(
        err.starts_with("error: `,,,,") && err.contains(",...` is neither a file nor the text of a job\n"),
        "{err}"
    );
    assert!(err.len() < 1000, "{err}");
    let err = text(&format!("{commas} 0 * * *"));
    assert!(
        err.starts_with("error: text: the text has at most 65536 bytes, but this one has 1048584\n"),
        "{err}"
    );
    assert!(err.len() < 1000, "{err}");
    let path = file("commas.kron", &commas);
    let err = refused(&["next", "-f", &path, "--at", MARCH]);
    assert!(with_path_hidden(&err, &path).contains("\n --> FILE:1:1\n"), "{err}");
    // Only the first errors are shown. The last of the 1,001 problems says how many lines are not among them.
    let lines = ",\n".repeat(1 << 19);
    let ran = kron_with(&["next", "-f", "-", "--at", MARCH], lines.as_bytes());
    assert_eq!(ran.err.matches("error: ").count(), 20);
    assert!(ran.err.ends_with("\nnote: 981 more; `kron lint` shows all\n"));
}

#[test]
fn digits_that_are_not_ascii() {
    assert_eq!(
        text("０ 0 * * * @tz(UTC)"),
        "\
error: schedule.minute: `０` is none of `*`, `n` and `a-b`, each with an optional `/step`
  |
1 | ０ 0 * * * @tz(UTC)
  | ^^
"
    );
    let err = refused(&["next", "@daily", "--name", "a", "--at", "２026-03-01T00:00:00Z"]);
    assert!(err.contains("expected RFC 3339, such as 2026-03-01T00:00:00Z"), "{err}");
}

#[test]
fn control_characters_are_shown_as_pictures() {
    let err = text("0 0 * * \0");
    assert!(err.contains("1 | 0 0 * * ␀\n"), "{err}");
    assert!(!err.contains('\0'));
    let err = text("0 0 * * \u{1b}[31m*");
    assert!(err.contains("␛[31m") && !err.contains('\u{1b}'), "{err}");
    let err = refused(&["next", "@daily", "--name", "a\u{7}b", "--at", MARCH]);
    assert!(err.starts_with("error: name: "), "{err}");
    assert!(!err.contains('\u{7}'));
    // Neither in names that a table would show.
    let ran = kron_with(&["next", "-f", "-", "--at", MARCH, "-c1"], "@daily name=\"a\u{202e}b\"".as_bytes());
    assert!(ran.out.contains("a\\u{202e}b"), "{}", ran.out);
}

#[test]
fn years_without_periods() {
    // The years before the first period are skipped.
    let ran = kron(&["next", "@daily", "--name", "a", "--at", "0000-01-01T00:00:00Z", "-c1", "-o", "csv"]);
    assert_eq!((ran.code, ran.out.contains("1970-01-01T00:00:00Z")), (0, true), "{}{}", ran.out, ran.err);
    let ran = kron(&["next", "@daily", "--name", "a", "--at", "2100-01-01T00:00:00Z"]);
    let err = "warning: a: the schedule has no further nominal time up to 2099\n";
    assert_eq!((ran.code, ran.err.as_str()), (1, err));
    // The last period there is.
    let ran = kron(&["next", "@daily", "--name", "a", "--at", "2099-12-30T12:00:00Z", "-o", "csv"]);
    assert_eq!((ran.code, ran.out.lines().filter(|line| line.starts_with("a,")).count()), (0, 1));
    for command in ["lint", "explain"] {
        for at in ["0000-01-01T00:00:00Z", "2100-01-01T00:00:00Z", "9999-12-31T23:59:60Z"] {
            let is_found = command == "explain" && at.starts_with("0000");
            let ran = kron(&[command, "@daily", "--name", "a", "--at", at]);
            assert_eq!(ran.code, u8::from(!is_found), "{command} {at}");
        }
    }
}

#[test]
fn windows_over_a_year() {
    assert_eq!(
        text("@daily @win(after,8784h0m0.000000001s)"),
        "\
error: window.duration: `8784h0m0.000000001s` is longer than 8784h (366 days)
  |
1 | @daily @win(after,8784h0m0.000000001s)
  |                   ^^^^^^^^^^^^^^^^^^^
"
    );
    let ran =
        kron(&["next", "@daily @win(around,8784h)", "--name", "a", "--at", MARCH, "-c", "3", "-o", "ndjson"]);
    assert_eq!((ran.code, ran.out.lines().count()), (0, 3));
}

#[test]
fn other_nonsense() {
    for nonsense in [
        "@",
        "@daily @",
        "@daily @win",
        "@daily @win(",
        "@reboot",
        "@every 5m",
        "0 0 30 2 *",
        "* * * * * *",
        "TZ=UTC * * * * *",
        "@daily @seed(stable,salt=\"x",
        "@daily\n@tz(UTC)",
        "🦀 🦀 🦀 🦀 🦀",
        "0 0 * * * 日本",
        "+1 * * * *",
        "@daily @tz(Europe/Pari)",
    ] {
        assert!(text(nonsense).starts_with("error: "), "{nonsense}");
    }
    for nonsense in ["\"", "🦀", "61", "a b"] {
        nothing(nonsense);
    }
}

#[test]
fn files_that_cannot_be_read() {
    let p = |path: &str| with_path_hidden(&refused(&["next", "-f", path, "--at", MARCH]), path);
    assert_eq!(p("no/such.kron"), "error: there is no such file\n--> FILE\n");
    let ran = kron(&["verify", env!("CARGO_TARGET_TMPDIR")]);
    assert!(ran.code == 2 && ran.err.starts_with("error: this is a directory, not a file\n"), "{}", ran.err);
    let path = file("latin1.kron", b"@daily name=a\n@daily name=caf\xe9\n");
    assert_eq!(p(&path), "error: the file is not UTF-8: byte 0xe9 at offset 29\n--> FILE:2\n");
    let path = file("utf16.kron", b"\xff\xfe@\0d\0");
    assert_eq!(
        p(&path),
        "error: the file is not UTF-8: byte 0xff at offset 0\n--> FILE:1\n = help: it looks like UTF-16; save it as UTF-8\n"
    );
    let ran = kron(&["verify", &path]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
}

#[test]
fn a_byte_order_mark_is_passed_over() {
    let ran = kron_with(&["next", "-f", "-", "--at", MARCH], "\u{feff}61 * * * * name=a".as_bytes());
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("\n --> <stdin>:1:1\n  |\n1 | 61 * * * * name=a\n  | ^^\n"), "{}", ran.err);
}

#[test]
fn files_named_twice() {
    let dir = directory("named-twice");
    let path = format!("{dir}/a.kron");
    std::fs::write(&path, "@daily name=a\n").expect("the test directory can be written");
    let err = refused(&["next", "-f", &path, "-f", &path, "--at", MARCH]);
    let want = "error: this file was read already, as FILE\n--> FILE\n = help: name each file once, by itself or by its \
                directory\n";
    assert_eq!(with_path_hidden(&err, &path), want);
    // A file of a folder is read once.
    for (first, second) in [(&dir, &path), (&path, &dir), (&dir, &dir)] {
        let ran = kron(&["next", "-f", first, "-f", second, "--at", MARCH, "-c", "1"]);
        assert_eq!((ran.code, ran.out.matches("  a  ").count()), (0, 1), "{ran:?}");
    }
}

#[test]
fn numbers_of_things_to_list() {
    for number in ["0", "x", "-1", "1.5", "99999999999999999999", ""] {
        let err = refused(&["next", "@daily", "--name", "a", "--at", MARCH, &format!("-c={number}")]);
        assert!(err.ends_with(" --count: expected a whole number from 1 on\n"), "{err}");
    }
}

#[test]
fn what_is_not_a_receipt() {
    let err = |input: &str| kron_with(&["verify"], input.as_bytes()).err;
    let help = " = help: pass a receipt; `kron explain -o json` prints one\n";
    for input in ["", "@daily name=a\n", "{", "{} {}"] {
        assert!(err(input).ends_with(help), "{}", err(input));
    }
    let args = ["explain", "@daily", "--name", "a", "--day", "2026-03-01", "-o", "json"];
    assert_eq!(
        err(&kron(&args).out),
        "error: this is an array, not a receipt\n--> <stdin>\n = help: pass one receipt; `kron explain -o json` with --nominal \
         prints one\n"
    );
}
