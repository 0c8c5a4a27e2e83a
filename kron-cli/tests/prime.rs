//! `kron prime`.

use serde_json::{Value, json};

use crate::support::{MARCH, Ran, file, fine, kron, kron_now, kron_with, refused};

/// A schedule with a lead of ten minutes, and no clock.
fn prime(text: &str, extra: &[&str]) -> Ran {
    kron(&[&["prime", text, "--lead", "10m", "--at", MARCH], extra].concat())
}

#[test]
fn one_expression_a_line_and_nothing_else() {
    assert_eq!(fine(&["prime", "0 9 * * MON-FRI", "--lead", "10m", "--at", MARCH]), "50 8 * * 1-5\n");
    assert_eq!(
        fine(&["prime", "0/15 0 * * MON-FRI", "--lead", "10m", "--at", MARCH]),
        "50 23 * * 0-4\n20,35,5 0 * * 1-5\n"
    );
    assert_eq!(fine(&["prime", "@daily", "--lead", "744h", "--at", MARCH]), "0 0 * * *\n");
    // The first of the month at midnight begins on the evening before.
    let ran = prime("0/15 * 1 * *", &[]);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
}

#[test]
fn the_expressions_read_as_schedules() {
    let out = fine(&["prime", "*/7 0,5-9/2 * * FRI", "--lead", "3m", "--at", MARCH]);
    assert!(out.lines().count() > 1);
    for line in out.lines() {
        let next = kron(&["next", line, "--name", "a/b", "--at", MARCH, "-c1"]);
        assert_eq!(next.code, 0, "{line}");
    }
}

#[test]
fn a_refusal_has_the_dates_and_the_help() {
    let err = "\
error: schedule: no cron expressions fire 10m before `0 0 1 3 *`: they would have to fire on 2001-02-28 but not on \
2000-02-28 (the same day of the month) and not on 2000-02-02 (the same day of the week in that month)
 = help: ask for a cover (`kron prime --cover`), which also fires at some other times, or use `spec.primer` of a KronJob
";
    assert_eq!(prime("0 0 1 3 *", &[]), Ran { code: 1, out: String::new(), err: err.to_string() });
    let cover = prime("0 0 1 3 *", &["--cover"]);
    assert_eq!((cover.code, cover.out.as_str()), (0, "50 23 28/1 2 *\n"));
    assert_eq!(cover.err, "warning: the expressions also fire at 0.25 other times a year on average\n");
    // Where an exact answer exists, it is the cover.
    assert_eq!(prime("0 0 1 5 *", &["--cover"]), prime("0 0 1 5 *", &[]));
}

#[test]
fn changes_of_the_clocks_are_warnings() {
    let paris = prime("0 3 * * *", &["--tz", "Europe/Paris"]);
    assert_eq!((paris.code, paris.out.as_str()), (0, "50 2 * * *\n"));
    let lines: Vec<&str> = paris.err.lines().collect();
    assert_eq!(lines.len(), 6);
    assert_eq!(
        lines[..2],
        [
            "warning: 2026-03-29T02:50 is skipped: nothing fires before the start at 2026-03-29T03:00",
            "warning: 2026-10-25T02:50 occurs twice: the first time comes 1h 10m before the start at 2026-10-25T03:00",
        ]
    );
    assert_eq!(prime("0 3 * * * @tz(Europe/Paris)", &[]), paris);
    assert_eq!(prime("0 3 * * * @tz(Europe/Paris)", &["--tz", "Europe/Paris"]), paris);
    assert_eq!(prime("0 3 * * *", &[]).err, "");
    // Without --at they are those of the next three years.
    let later =
        kron_now("2027-06-01T00:00:00Z", &["prime", "0 3 * * *", "--lead", "10m", "--tz", "Europe/Paris"]);
    assert!(later.err.starts_with("warning: 2027-10-31T02:50 occurs twice"), "{}", later.err);
    assert!(later.err.ends_with("before the start at 2030-03-31T03:00\n"), "{}", later.err);
    let err =
        refused(&["prime", "@daily @tz(Europe/Paris)", "--lead", "1m", "--tz", "Asia/Tokyo", "--at", MARCH]);
    assert_eq!(
        err,
        "\
error: --tz is Asia/Tokyo, and the text says Europe/Paris
 = help: leave out `--tz`, or `@tz` in the text
"
    );
    // UTC that is written is not UTC that is left out.
    let err = refused(&["prime", "@daily @tz(UTC)", "--lead", "1m", "--tz", "Asia/Tokyo", "--at", MARCH]);
    assert!(err.starts_with("error: --tz is Asia/Tokyo, and the text says UTC\n"), "{err}");
    assert_eq!(prime("@daily @tz(UTC)", &["--tz", "UTC"]), prime("@daily", &[]));
}

#[test]
fn files_have_names_and_refuse_windows_and_constraints() {
    let path = file(
        "prime.kron",
        "0 3 * * * name=a/b\n0 4 * * * @win(after,1h) name=c/d\n0 0 1 3 * name=e/f\n\
         @daily @only(dow=MON) name=g/h\n*/20 0 * * MON name=i/j\n",
    );
    let args = ["prime", "-f", &path, "--lead", "10m", "--at", MARCH];
    let ran = kron(&args);
    assert_eq!(ran.code, 1);
    assert_eq!(ran.out, "50 2 * * *\ta/b\n50 23 * * 0\ti/j\n10,30 0 * * 1\ti/j\n");
    assert_eq!(
        ran.err.split_inclusive("KronJob, which is exact for every job\n").next().unwrap(),
        "\
error: c/d: window: a job with a window does not start at its cron times, so no cron expression fires before its starts
 = help: use `spec.primer` of a KronJob, which is exact for every job
"
    );
    assert!(
        ran.err.contains("\nerror: e/f: schedule: no cron expressions fire 10m before `0 0 1 3 *`"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("\nerror: g/h: constraints: a job with constraints does not"), "{}", ran.err);
    let one = |name| kron(&[&args[..], &["--job", name]].concat());
    assert_eq!(one("a/b"), Ran { code: 0, out: "50 2 * * *\ta/b\n".to_string(), err: String::new() });
    assert_eq!(one("c/d").code, 1);
    let ran = one("x");
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.starts_with("error: there is no job `x`\n"), "{}", ran.err);
    // A cover does not make a window exact.
    let ran = kron(&[&args[..], &["--job", "c/d", "--cover"]].concat());
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    let ran = kron_with(&["prime", "-f", "-", "--lead", "1h", "--at", MARCH], b"@daily name=a/b\n");
    assert_eq!(ran, Ran { code: 0, out: "0 23 * * *\ta/b\n".to_string(), err: String::new() });
}

#[test]
fn the_same_reason_is_said_once() {
    let lines: String = (1..=300)
        .map(|n| {
            format!(
                "0 3 * * * @tz(Europe/Paris) {}name=a/{n}\n",
                if n % 100 == 0 { "" } else { "@win(after,1h) " }
            )
        })
        .collect();
    let path = file("prime-many.kron", lines);
    let ran = kron(&["prime", "-f", &path, "--lead", "90m", "--at", MARCH]);
    assert_eq!((ran.code, ran.out.lines().count()), (1, 3));
    let refused = "error: a/1 and 296 more jobs: window: a job with a window does not start at its cron times, so no cron expression fires before its starts\n";
    let errors: Vec<&str> = ran.err.lines().filter(|line| line.starts_with("error")).collect();
    assert_eq!(errors, [refused.trim_end()]);
    assert!(ran.err.ends_with("\nnote: 297 of 300 jobs have no such expressions\n"), "{}", ran.err);
}

#[test]
fn json() {
    let ran = prime("0 3 * * *", &["--tz", "Europe/Paris", "-o", "json"]);
    assert_eq!(ran.code, 0);
    let found: Value = serde_json::from_str(&ran.out).unwrap();
    let changes = found[0]["clockChanges"].as_array().unwrap();
    assert_eq!(changes.len(), 6);
    assert_eq!(
        changes[0],
        json!({"time": "2026-03-29T01:00:00Z", "kind": "skipped", "start": "2026-03-29T03:00", "primed": "2026-03-29T02:50"})
    );
    assert_eq!(changes[1]["leadSeconds"], 4200);
    let ran = prime("0 0 1 3 *", &["--cover", "-o", "json"]);
    assert_eq!(
        serde_json::from_str::<Value>(&ran.out).unwrap(),
        json!([{
            "schedule": "0 0 1 3 *", "timezone": "UTC", "lead": "10m0s", "expressions": ["50 23 28/1 2 *"],
            "minimal": true, "surplusPerYear": 32.0 / 130.0, "clockChanges": [],
        }])
    );
    // Jobs that are refused are not in the array, which is an array even if it is empty.
    let file = b"@daily name=a/b\n@daily @win(after,1h) name=c/d\n";
    let args = ["prime", "-f", "-", "--lead", "1h", "--at", MARCH, "-o", "json"];
    let ran = kron_with(&args, file);
    assert_eq!(ran.code, 1);
    assert_eq!(serde_json::from_str::<Value>(&ran.out).unwrap()[0]["name"], "a/b");
    let ran = kron_with(&args, b"@daily @win(after,1h) name=c/d\n");
    assert_eq!((ran.code, serde_json::from_str::<Value>(&ran.out).unwrap()), (1, json!([])));
}

#[test]
fn leads_that_are_none() {
    let lead = |lead: &str| refused(&["prime", "@daily", "--lead", lead, "--at", MARCH]);
    for bad in ["0s", "59s", "90s", "744h1m", "1h0m1s", "2540400h"] {
        let err = lead(bad);
        assert!(
            err.contains(" is not a lead: a lead is in whole minutes, from 1m to 744h\n"),
            "{bad}: {err}"
        );
        assert!(err.ends_with(" = help: write for example `10m`\n"), "{err}");
    }
    for bad in ["", "x", "10", "-10m", "1e3m", "10m ", "１m", "999999999999999999h"] {
        let err = lead(bad);
        assert!(err.contains("--lead"), "{bad}: {err}");
    }
    assert!(
        refused(&["prime", "@daily"])
            .starts_with("error: --lead says how long before each start, and is missing")
    );
    // The error is not repeated for each job.
    let ran =
        kron_with(&["prime", "-f", "-", "--lead", "5s", "--at", MARCH], b"@daily name=a\n@hourly name=b\n");
    assert_eq!((ran.code, ran.out.as_str(), ran.err.matches("error:").count()), (2, "", 1));
}

#[test]
fn nonsense_is_refused_as_elsewhere() {
    let commas = ",".repeat(1 << 17);
    for text in [
        "",
        "   ",
        "0 3 * *",
        "H 3 * * *",
        "0 0 31 2 *",
        "61 * * * *",
        "prod/x",
        "０ 0 * * *",
        "0 0 * * \0",
        "@reboot",
        &commas,
    ] {
        let err = refused(&["prime", text, "--lead", "10m", "--at", MARCH]);
        assert_eq!(refused(&["next", text, "--name", "a/b", "--at", MARCH]), err);
    }
    assert!(
        prime("H 3 * * *", &[])
            .err
            .starts_with("error: schedule.minute: `H` (a value chosen by hash) is not cron\n")
    );
    let err = refused(&["prime", "@daily", "--lead", "1m", "--tz", "Mars", "--at", MARCH]);
    assert!(err.starts_with("error: --tz: unknown time zone `Mars`\n"), "{err}");
    refused(&["prime", "@daily", "--lead", "1m", "--job", "a", "--at", MARCH]);
    let args = ["prime", "-", "--lead", "1m", "--tz", "UTC", "--at", MARCH];
    let ran = kron_with(&args, b"@daily name=a\n");
    assert!(
        ran.code == 2 && ran.err.starts_with("error: --tz is the zone of a schedule that is given as a text"),
        "{ran:?}"
    );
    refused(&["prime", "-f", "/nonexistent", "--lead", "1m", "--at", MARCH]);
    let ran = prime("0 3 * * * @win(after,1h)", &[]);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
}

/// A schedule with rules of days has no primed expressions, so no help leads to one.
#[test]
fn help_has_no_rules_of_days() {
    let ran = prime("0 9 L * *", &[]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("write `0 9 * * *` and check the day in the command"), "{}", ran.err);
    assert_eq!(prime("0 9 * * *", &[]).code, 0);
}
