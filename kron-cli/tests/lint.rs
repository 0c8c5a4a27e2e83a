//! `kron lint`.

use serde_json::{Value, json};

use crate::support::{MARCH, Ran, file, kron, kron_with, with_path_hidden};

#[test]
fn an_error_with_its_place_and_help() {
    let out = "\
error: schedule.dayOfWeek: range `FRI-SUN` runs backwards
  |
1 | 0 9 */2 * FRI-SUN @tz(Europe/Paris)
  |           ^^^^^^^
  |
  = help: write `FRI-7`

";
    let err = "1 error, 0 warnings, 0 notes, 0 jobs read\n";
    let ran = kron(&["lint", "0 9 */2 * FRI-SUN @tz(Europe/Paris)"]);
    assert_eq!(ran, Ran { code: 1, out: out.to_string(), err: err.to_string() });
}

#[test]
fn all_errors_of_a_file() {
    let path = file(
        "errors.kron",
        "# jobs\n61 * * * * name=a\n\n\t@daily @tz(Mars) name=日本\n@daily @win(after,1h)\n",
    );
    let ran = kron(&["lint", "-f", &path, "--at", MARCH]);
    assert_eq!(
        with_path_hidden(&ran.out, &path),
        "\
error: schedule.minute: `61` is not in 0 to 59
 --> FILE:2:1
  |
2 | 61 * * * * name=a
  | ^^

error: timezone: unknown time zone `Mars`
 --> FILE:4:13
  |
4 |     @daily @tz(Mars) name=日本
  |                ^^^^
  |
  = help: use an IANA name such as `Europe/Paris`

error: text: the job has no name; its start times depend on it
 --> FILE:5:22
  |
5 | @daily @win(after,1h)
  |                      ^
  |
  = help: add `name=team/job` at the end of the line

"
    );
    assert_eq!((ran.code, ran.err.as_str()), (1, "3 errors, 0 warnings, 0 notes, 0 jobs read\n"));
}

#[test]
fn warnings_and_notes() {
    let text = "30 2 */2 * FRI @tz(Europe/Paris)";
    let ran = kron(&["lint", text, "--name", "team/job", "--at", MARCH]);
    assert_eq!(
        ran.out,
        "\
warning: team/job: `*/2` restricts the day field: with both day fields restricted, a day matches when either does \
(as in Kubernetes; cronie takes `*/n` as unrestricted)
  |
1 | 30 2 */2 * FRI @tz(Europe/Paris)
  |      ^^^

warning: team/job: 2026-03-29T02:30 does not exist and yields no period in Europe/Paris when clocks change at \
2026-03-29T01:00:00Z

warning: team/job: 2026-10-25T02:30 occurs twice and yields two periods in Europe/Paris when clocks change at \
2026-10-25T01:00:00Z

note: team/job: the deadline is 0s: a host that is a second late, say while its leader changes, misses the start
 |
 = help: add `@policy(deadline=1m)`

"
    );
    assert_eq!((ran.code, ran.err.as_str()), (1, "0 errors, 3 warnings, 1 note, 1 job read\n"));
    // Notes alone are fine.
    let ran = kron(&["lint", "@daily", "--at", MARCH]);
    assert_eq!((ran.code, ran.err.as_str()), (0, "0 errors, 0 warnings, 1 note, 1 job read\n"));
    let ran = kron(&["lint", "@daily @policy(deadline=1m)", "--at", MARCH]);
    assert_eq!(
        (ran.code, ran.out.as_str(), ran.err.as_str()),
        (0, "", "0 errors, 0 warnings, 0 notes, 1 job read\n")
    );
}

#[test]
fn warnings_have_their_lines() {
    let path = file("warnings.kron", "# jobs\n\n  0 3 * * ?/2 @policy(deadline=1m) name=a/b\n");
    let ran = kron(&["lint", "-f", &path, "--at", MARCH]);
    assert!(
        with_path_hidden(&ran.out, &path).ends_with(
            "\n --> FILE:3:11\n  |\n3 |   0 3 * * ?/2 @policy(deadline=1m) name=a/b\n  |           ^^^\n\n"
        ),
        "{}",
        ran.out
    );
    assert_eq!(ran.code, 1);
}

#[test]
fn the_years_ahead() {
    let p = |years: &str| {
        let args = ["lint", "0 0 29 2 * @policy(deadline=1m)", "--at", MARCH, "--years", years];
        let ran = kron(&args);
        (ran.code, ran.out.contains("no nominal time in the next 1 years"))
    };
    assert_eq!((p("1"), p("5")), ((1, true), (0, false)));
}

#[test]
fn findings_as_json() {
    let path = file("json.kron", "@daily name=\"a b\" x\n");
    let args =
        ["lint", "-f", &path, "-f", "../examples/manifests/db-backup.yaml", "-o", "json", "--at", MARCH];
    let ran = kron(&args);
    let found: Value = serde_json::from_str(&with_path_hidden(&ran.out, &path)).expect("JSON");
    assert_eq!(
        found,
        json!([{
            "severity": "error", "code": "text-syntax", "name": null, "file": "FILE", "line": 1, "column": 19,
            "span": [18, 19], "message": "text: expected `key=value`, but found `x`", "help": null,
        }])
    );
    assert_eq!(ran.code, 1);

    let ran = kron(&["lint", "@daily", "--name", "a/b", "-o", "json", "--at", MARCH]);
    let found: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!((&found[0]["severity"], &found[0]["name"]), (&json!("note"), &json!("a/b")));
    assert_eq!((&found[0]["file"], &found[0]["help"]), (&Value::Null, &json!("add `@policy(deadline=1m)`")));
    let ran = kron(&["lint", "@daily @policy(deadline=1m)", "-o", "json", "--at", MARCH]);
    assert_eq!((ran.code, ran.out.as_str()), (0, "[]\n"));
}

#[test]
fn the_examples_have_no_errors() {
    let all =
        ["db-backup", "reports", "retrain-eta"].map(|name| format!("../examples/manifests/{name}.yaml"));
    let ran = kron(&["lint", "-f", &all[0], "-f", &all[1], "-f", &all[2], "--at", MARCH]);
    assert!(ran.err.starts_with("0 errors, ") && ran.err.ends_with(" 4 jobs read\n"), "{}", ran.err);
    let ran = kron(&["lint", "-f", "../examples/fleet.kron", "--at", MARCH]);
    assert!(ran.err.starts_with("0 errors, ") && ran.err.ends_with(" 58 jobs read\n"), "{}", ran.err);
    assert!(ran.out.contains("warning: billing/direct-debits: 2 of the next "), "{}", ran.out);
}

#[test]
fn bad_manifests() {
    let manifest = "apiVersion: kron.io/v1alpha1\nkind: KronJob\nmetadata: {name: a, namespace: b}\n\
                    spec:\n  schedule: '@daily'\n  window: {after: 3h}\n  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: b}]}}}}\n";
    let ran = kron_with(&["lint", "-f", "-", "--at", MARCH], manifest.as_bytes());
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (1, "error: spec.window: unknown field `after`\n--> <stdin>\n\n")
    );
    let two = format!("{manifest}---\n{}", manifest.replace("after: 3h", "duration: 3"));
    let ran = kron_with(&["lint", "-f", "-", "--at", MARCH], two.as_bytes());
    assert!(ran.out.contains("error: document 1: spec.window: unknown field `after`\n"), "{}", ran.out);
    assert!(ran.out.contains("error: document 2: spec.window.duration: "), "{}", ran.out);
    let ran = kron_with(&["lint", "-f", "-", "--at", MARCH], b"kind: [");
    assert_eq!(ran.code, 1);
    assert!(ran.out.starts_with("error: "), "{}", ran.out);
}

#[test]
fn unreadable_files_do_not_hide_the_others() {
    let ran = kron(&["lint", "-f", "no/such/file", "-f", "../examples/fleet.kron", "--at", MARCH]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.starts_with("error: there is no such file\n--> no/such/file\n"), "{}", ran.err);
    assert!(ran.err.ends_with(" 58 jobs read\n"), "{}", ran.err);
    let ran = kron_with(&["lint", "-f", "-", "--at", MARCH], b"");
    assert_eq!((ran.code, ran.out.as_str()), (1, "warning: there are no jobs in it\n--> <stdin>\n\n"));
}

#[test]
fn colours_where_they_are_wanted() {
    let mut out = Vec::new();
    let code = kron_cli::run(
        ["kron", "lint", "61 * * * *"],
        &mut kron_cli::Io {
            stdin: &mut std::io::empty(),
            stdout: &mut out,
            stderr: &mut std::io::sink(),
            colored_stdout: true,
            colored_stderr: false,
            environment: &|_| None,
            clock: &mut || unreachable!(),
        },
    );
    assert_eq!(code, kron_cli::ExitStatus::Failure);
    assert!(
        String::from_utf8_lossy(&out).starts_with("\u{1b}[1m\u{1b}[91merror"),
        "{}",
        String::from_utf8_lossy(&out)
    );
}
