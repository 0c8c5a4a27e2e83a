//! `kron lint`.

use serde_json::{Value, json};

use crate::support::{MARCH, Ran, file, kron, kron_with, refused, with_path_hidden};

const FLEET: &str = "../examples/fleet.kron";

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
    let err = "1 error, 0 jobs read\n";
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
    assert_eq!((ran.code, ran.err.as_str()), (1, "3 errors, 0 jobs read\n"));
}

#[test]
fn warnings_and_notes() {
    let text = "30 2 */2 * FRI @tz(Europe/Paris)";
    let ran = kron(&["lint", text, "--name", "team/job", "--at", MARCH]);
    assert_eq!(
        ran.out,
        "\
warning[step-in-day-field]: team/job: both day fields are restricted, and a day matches if either of them does: the next days are \
Sun 2026-03-01, Tue 2026-03-03 and Thu 2026-03-05; Kubernetes reads `*/2` in the same way, but cronie requires both \
fields to match
  |
1 | 30 2 */2 * FRI @tz(Europe/Paris)
  |      ^^^^^^^^^
  |
  = help: to start only on days that match both, write `30 2 */2 * *` and add `@days(dow=FRI)`

warning[skipped-by-clock-change]: team/job: 2026-03-29T02:30 does not exist and yields no period in Europe/Paris when clocks change at \
2026-03-29T01:00:00Z

warning[doubled-by-clock-change]: team/job: 2026-10-25T02:30 occurs twice and yields two periods in Europe/Paris when clocks change at \
2026-10-25T01:00:00Z

note[no-deadline]: team/job: the job has no deadline: a host that is a second late, say while its leader changes, misses the start
 = help: add `@policy(deadline=1m)`

"
    );
    assert_eq!((ran.code, ran.err.as_str()), (1, "3 warnings, 1 note, 1 job read\n"));
    // Notes alone are fine.
    let ran = kron(&["lint", "@daily", "--at", MARCH]);
    assert_eq!((ran.code, ran.err.as_str()), (0, "1 note, 1 job read\n"));
    let ran = kron(&["lint", "@daily @policy(deadline=1m)", "--at", MARCH]);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", "no findings, 1 job read\n"));
}

#[test]
fn warnings_have_their_lines() {
    let path = file("warnings.kron", "# jobs\n\n  0 3 31 * * @policy(deadline=1m) name=a/b\n");
    let ran = kron(&["lint", "-f", &path, "--at", MARCH]);
    assert!(
        with_path_hidden(&ran.out, &path).ends_with(
            "\n --> FILE:3:7\n  |\n3 |   0 3 31 * * @policy(deadline=1m) name=a/b\n  |       ^^\n  |\n  = help: to start on \
             the last day of each month, write `0 3 * * *` and add `@days(last=1)`\n\n"
        ),
        "{}",
        ran.out
    );
    assert_eq!(ran.code, 1);
}

#[test]
fn the_years_ahead() {
    let p = |years: &str| {
        let allow = ["--allow", "short-months-skipped"];
        let args =
            [&["lint", "0 0 29 2 * @policy(deadline=1m)", "--at", MARCH, "--years", years][..], &allow]
                .concat();
        let ran = kron(&args);
        (ran.code, ran.out.contains("no nominal time in the next year"))
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
    assert!(!ran.err.contains("error") && ran.err.ends_with(" 4 jobs read\n"), "{}", ran.err);
    // The fleet is clean: comments allow what its writers mean.
    for at in [MARCH, "2026-07-01", "2026-11-22", "2027-06-01"] {
        let ran = kron(&["lint", "-f", FLEET, "--at", at]);
        let err = "no findings, 58 jobs read\n";
        assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", err), "{at}");
    }
}

/// The codes and severities that `lint -o json` prints for a text with these arguments, and the exit code.
fn codes(args: &[&str]) -> (Vec<String>, u8) {
    let ran = kron(&[&["lint", "-o", "json", "-q", "--at", MARCH], args].concat());
    assert_eq!(ran.err, "");
    let found: Value = serde_json::from_str(&ran.out).expect("JSON");
    let word = |finding: &Value| format!("{} {}", finding["severity"], finding["code"]).replace('"', "");
    (found.as_array().expect("an array").iter().map(word).collect(), ran.code)
}

#[test]
fn codes_are_allowed_and_denied() {
    let text = "30 2 * * * @tz(Europe/Paris)";
    let p = |args: &[&str]| codes(&[&[text], args].concat());
    let of = |words: &[&str], code| (words.iter().map(ToString::to_string).collect::<Vec<_>>(), code);
    let (skipped, doubled, note) =
        ("warning skipped-by-clock-change", "warning doubled-by-clock-change", "note no-deadline");
    assert_eq!(p(&[]), of(&[skipped, doubled, note], 1));
    assert_eq!(p(&["--allow", "skipped-by-clock-change"]), of(&[doubled, note], 1));
    let both = ["--allow", "skipped-by-clock-change", "--allow", "doubled-by-clock-change"];
    assert_eq!(p(&both), of(&[note], 0));
    assert_eq!(p(&[&both[..], &["--deny", "no-deadline"]].concat()), of(&["error no-deadline"], 1));
    assert_eq!(p(&["--deny", "tzdb-old"]), of(&[skipped, doubled, note], 1));
    // Findings of files and of the time zone database too.
    let manifest = file(
        "nameless.yaml",
        "apiVersion: kron.io/v1alpha1\nkind: KronJob\nmetadata: {name: a}\nspec: {schedule: '@daily', policy: {deadline: 1m}, \
         jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: b}]}}}}}\n",
    );
    assert_eq!(codes(&["-f", &manifest]), of(&["warning namespace-assumed"], 1));
    assert_eq!(codes(&["-f", &manifest, "--allow", "namespace-assumed"]), of(&[], 0));
    assert_eq!(codes(&["-f", &manifest, "--deny", "namespace-assumed"]), of(&["error namespace-assumed"], 1));
    let old = ["@daily @policy(deadline=1m)", "--at", "2031-01-01", "-o", "json", "-q"];
    assert_eq!(kron(&[&["lint"], &old[..]].concat()).code, 1);
    assert_eq!(kron(&[&["lint"], &old[..], &["--allow", "tzdb-old"]].concat()).code, 0);

    let err = refused(&["lint", text, "--allow", "no-deadlin", "--at", MARCH]);
    let want = "error: `no-deadlin` is not a value of --allow: there is no code `no-deadlin`; did you mean `no-deadline`?\n";
    assert!(err.starts_with(want), "{err}");
    let err = refused(&["lint", text, "--deny", "cron-syntax", "--at", MARCH]);
    assert!(err.contains("`cron-syntax` is the code of an error"), "{err}");
    let err = refused(&["lint", text, "--allow", "tzdb-old", "--deny", "tzdb-old", "--at", MARCH]);
    assert_eq!(err, "error: --allow and --deny both name `tzdb-old`\n");
}

/// The codes of all warnings and notes: those of `lint`, and those of reading a file.
fn known_codes() -> impl Iterator<Item = (&'static str, &'static str)> {
    let of_lint = kron_fleet::lint::LintCode::ALL.iter().map(|code| (code.as_str(), code.summary()));
    of_lint.chain(kron_formats::LoadCode::ALL.iter().map(|code| (code.as_str(), code.summary())))
}

#[test]
fn the_help_lists_all_codes() {
    let out = kron(&["lint", "--help"]).out;
    for (code, summary) in known_codes() {
        // A long description has several lines.
        let line = format!("  {code:23}  ");
        let (_, rest) = out.split_once(&line).unwrap_or_else(|| panic!("{line}"));
        let said = rest.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.starts_with(summary), "{line}{summary}");
    }
}

#[test]
fn the_page_of_the_command_lists_all_codes() {
    let page = include_str!("../../docs/reference/command.md");
    let page = page.split("\n## ").find(|section| section.starts_with("Findings\n")).expect("the section");
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
    assert_eq!(
        rows,
        known_codes().map(|(code, summary)| format!("| `{code}` | {summary} |")).collect::<Vec<_>>()
    );
}

/// A fleet of 2,000 jobs in one second.
fn herd() -> String {
    (0..2000).map(|i| format!("0 0 * * * @policy(deadline=1m) name=report/{i}\n")).collect()
}

#[test]
fn many_starts_in_one_second_are_a_finding_about_the_file() {
    let path = file("herd.kron", herd());
    let ran = kron(&["lint", "-f", &path, "--at", MARCH]);
    assert_eq!(
        with_path_hidden(&ran.out, &path),
        "\
warning[same-second]: 2000 jobs without a window start at 2026-03-02T00:00:00Z, in the same second: `report/0`, `report/1`, \
`report/2` and 1997 more
--> FILE
 = help: add a window to each, such as `@win(after,34m)`, in which the starts are spread

"
    );
    assert_eq!((ran.code, ran.err.as_str()), (1, "1 warning, 2,000 jobs read\n"));
    assert_eq!(codes(&["-f", &path, "--allow", "same-second"]), (vec![], 0));
    assert_eq!(codes(&["-f", &path, "--deny", "same-second"]), (vec!["error same-second".to_string()], 1));
    // The help works in one step.
    let spread = file("herd-spread.kron", herd().replace("* * *", "* * * @win(after,34m)"));
    assert_eq!(codes(&["-f", &spread]), (vec![], 0));
    // Of two files, the finding is about neither alone.
    let herd_text = herd();
    let middle = herd_text.find("0 0 * * * @policy(deadline=1m) name=report/1000\n").expect("the job");
    let (one, two) = herd_text.split_at(middle);
    let (one, two) = (file("herd-1.kron", one), file("herd-2.kron", two));
    let out = kron(&["lint", "-f", &one, "-f", &two, "--at", MARCH, "-o", "github", "-q"]).out;
    assert!(out.starts_with("::warning::2000 jobs without a window"), "{out}");
    // A job that allows the finding is left out of it.
    let allowed = herd().replacen("0 0 *", "# kron: allow(same-second)\n0 0 *", 1950);
    let ran = kron_with(&["lint", "-f", "-", "--at", MARCH, "-o", "github", "-q"], allowed.as_bytes());
    assert!(ran.out.starts_with("::warning::50 jobs without a window"), "{}", ran.out);
    let allowed = herd().replacen("0 0 *", "# kron: allow(same-second)\n0 0 *", 1951);
    let ran = kron_with(&["lint", "-f", "-", "--at", MARCH, "-q"], allowed.as_bytes());
    assert_eq!((ran.code, ran.out.as_str()), (0, ""));
}

#[test]
fn identical_jobs_are_a_finding() {
    let jobs = "@daily @policy(deadline=1m) name=a command=\"x y\"\n\
                0 0 * * * @policy(deadline=1m) name=b owner=me command=\"x y\"\n\
                @daily @policy(deadline=1m) name=c command=z\n\
                @daily @policy(deadline=1m) name=d\n@daily @policy(deadline=1m) name=e\n";
    let ran = kron_with(&["lint", "-f", "-", "--at", MARCH, "-q"], jobs.as_bytes());
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (
            1,
            "warning[identical-jobs]: 2 jobs have the same text and the same command, which therefore runs 2 times: `a` and `b`\n\
             --> <stdin>\n = help: delete all of them but one\n\n"
        )
    );
    let allowed = format!("# kron: allow(identical-jobs)\n{jobs}");
    let ran = kron_with(&["lint", "-f", "-", "--at", MARCH, "-q"], allowed.as_bytes());
    assert_eq!((ran.code, ran.out.as_str()), (0, ""));
}

#[test]
fn schedules_of_manifests_have_findings_about_steps() {
    let manifest = "apiVersion: kron.io/v1alpha1\nkind: KronJob\nmetadata: {name: a, namespace: b}\nspec: {schedule: '*/40 * * * *', \
         policy: {deadline: 1m}, jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: b}]}}}}}\n";
    let ran = kron_with(&["lint", "-f", "-", "--at", MARCH, "-q"], manifest.as_bytes());
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (
            1,
            "warning[uneven-step]: b/a: `*/40` is not every 40 minutes, because it begins again each hour: 2026-03-01T01:00 is \
             only 20 minutes after 2026-03-01T00:40 in UTC\n--> <stdin>\n = help: write `*/30`, which divides the hour evenly, \
             or `0,40` if the gaps are meant\n\n"
        )
    );
}

#[test]
fn comments_allow_codes_for_one_job() {
    let jobs = "\
# kron: allow(no-deadline)
@daily name=a
@daily name=b
# kron: allow(no-deadline)

@daily name=c
\t#kron: allow(tzdb-old, no-deadline)
# The comment may be anywhere directly before the job.
@daily name=d
";
    let path = file("allow.kron", jobs);
    let ran = kron(&["lint", "-f", &path, "-o", "json", "--at", MARCH]);
    let found: Value = serde_json::from_str(&ran.out).expect("JSON");
    let names: Vec<&str> =
        found.as_array().expect("an array").iter().filter_map(|it| it["name"].as_str()).collect();
    assert_eq!((ran.code, names), (0, vec!["b", "c"]));
    let ran = kron(&["lint", "-f", &path, "-q", "-o", "github", "--deny", "no-deadline", "--at", MARCH]);
    assert_eq!((ran.code, ran.out.lines().count()), (1, 2));

    let wrong = "# kron: allow(tzdb-old, no-deadlines)\n@daily name=a\n# kron: ignore(x)\n@daily @policy(deadline=1m) name=b\n";
    let ran = kron_with(&["lint", "-f", "-", "--at", MARCH], wrong.as_bytes());
    assert_eq!(
        ran.out,
        "\
error: there is no code `no-deadlines`
 --> <stdin>:1:25
  |
1 | # kron: allow(tzdb-old, no-deadlines)
  |                         ^^^^^^^^^^^^
  |
  = help: did you mean `no-deadline`?

note[no-deadline]: a: the job has no deadline: a host that is a second late, say while its leader changes, misses the start
--> <stdin>:2
 = help: add `@policy(deadline=1m)`

error: expected `# kron: allow(code)`
 --> <stdin>:3:9
  |
3 | # kron: ignore(x)
  |         ^^^^^^^^^

"
    );
    assert_eq!((ran.code, ran.err.as_str()), (1, "2 errors, 1 note, 2 jobs read\n"));
}

#[test]
fn a_quiet_lint_prints_findings_alone() {
    let text = "@daily @policy(deadline=1m)";
    let ran = kron(&["lint", "-q", text, "--at", MARCH]);
    assert_eq!(ran, Ran { code: 0, out: String::new(), err: String::new() });
    let ran = kron(&["lint", "--quiet", "61 * * * *"]);
    assert!(ran.code == 1 && ran.out.starts_with("error: ") && ran.err.is_empty(), "{ran:?}");
}

const TWO_FINDINGS: &str = "# jobs\n  0 3 31 * * @policy(deadline=1m) name=日/夜\n@daily name=a @\n";

#[test]
fn findings_for_github() {
    let path = file("github.kron", TWO_FINDINGS);
    let ran = kron(&["lint", "-f", &path, "-f", "no/such/file", "-o", "github", "--at", MARCH]);
    assert_eq!(
        with_path_hidden(&ran.out, &path),
        "\
::error file=no/such/file::there is no such file
::error file=FILE,line=3,col=15::text: expected `key=value`, but found `@`
::warning file=FILE,line=2,col=7::日/夜: a month without a day 31 has no start: the next days are 2026-03-31, 2026-05-31 and \
2026-07-31%0Ahelp: to start on the last day of each month, write `0 3 * * *` and add `@days(last=1)`
"
    );
    assert_eq!(ran.code, 2);
    let ran = kron(&["lint", "@daily", "-o", "github", "-q", "--at", MARCH]);
    let out = "::notice::the job has no deadline: a host that is a second late, say while its leader changes, misses the start%0Ahelp: \
               add `@policy(deadline=1m)`\n";
    assert_eq!(ran, Ran { code: 0, out: out.to_string(), err: String::new() });
}

#[test]
fn findings_as_sarif() {
    let path = file("sarif one.kron", TWO_FINDINGS);
    let ran = kron(&["lint", "-f", &path, "-o", "sarif", "-q", "--at", MARCH]);
    let log: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!((ran.code, &log["version"]), (1, &json!("2.1.0")));
    let run = &log["runs"][0];
    assert_eq!(
        run["tool"]["driver"]["rules"],
        json!([
            {
                "id": "short-months-skipped",
                "shortDescription": { "text": "months that are too short for the day of month have no start" },
            },
            { "id": "text-syntax" },
        ])
    );
    assert_eq!(run["results"].as_array().map(Vec::len), Some(2));
    let uri = format!("file://{}", path.replace(' ', "%20"));
    let message = "日/夜: a month without a day 31 has no start: the next days are 2026-03-31, 2026-05-31 and 2026-07-31\nhelp: to \
                   start on the last day of each month, write `0 3 * * *` and add `@days(last=1)`";
    assert_eq!(
        run["results"][1],
        json!({
            "ruleId": "short-months-skipped", "level": "warning", "message": { "text": message },
            "locations": [{
                "physicalLocation": {
                    "artifactLocation": { "uri": uri },
                    "region": { "startLine": 2, "startColumn": 7, "endColumn": 9 },
                },
                "logicalLocations": [{ "fullyQualifiedName": "日/夜" }],
            }],
        })
    );
    // Without findings there is a log too.
    let ran = kron(&["lint", "@daily @policy(deadline=1m)", "-o", "sarif", "-q", "--at", MARCH]);
    let log: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!((ran.code, &log["runs"][0]["results"]), (0, &json!([])));
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
    assert!(ran.err.ends_with("\n1 error, 58 jobs read\n"), "{}", ran.err);
    let ran = kron_with(&["lint", "-f", "-", "--at", MARCH], b"");
    assert!(
        ran.code == 1 && ran.out.starts_with("warning: there are no jobs\n--> <stdin>\n = help: "),
        "{ran:?}"
    );
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
            terminal_size: &|| None,
            stderr_columns: None,
            environment: &|_| None,
            clock: &mut || unreachable!(),
            sleep: &mut |_| unreachable!(),
            host_name: &|| None,
            time_zone: &|| None,
        },
    );
    assert_eq!(code, kron_cli::ExitStatus::Failure);
    assert!(
        String::from_utf8_lossy(&out).starts_with("\u{1b}[1m\u{1b}[38;5;160merror"),
        "{}",
        String::from_utf8_lossy(&out)
    );
}

#[test]
fn a_file_that_cannot_be_read_is_a_finding_for_programs() {
    for form in ["json", "sarif", "github", "text"] {
        let ran = kron(&["lint", "-f", "no-such-file.kron", "-o", form]);
        assert_eq!((ran.code, ran.out.contains("there is no such file")), (2, form != "text"), "{form}");
        assert!(ran.err.contains("there is no such file"), "{}", ran.err);
        assert!(ran.err.ends_with("1 error, 0 jobs read\n"), "{}", ran.err);
    }
}

/// What many jobs have in common is said once, with how many there are; programs get each.
#[test]
fn equal_findings_are_one_for_people() {
    let jobs: String = (0..300).map(|number| format!("0 0 * * * name=a/{number}\n")).collect();
    let path = file("lint-equal.kron", jobs);
    let ran = kron(&["lint", &path, "--at", MARCH]);
    assert!(
        ran.out.starts_with("note[no-deadline]: a/0 and 299 more jobs: the job has no deadline"),
        "{}",
        ran.out
    );
    assert_eq!(ran.out.matches("no-deadline").count(), 1, "{}", ran.out);
    assert!(ran.err.contains("300 notes, 300 jobs read"), "{}", ran.err);
    let json: Value = serde_json::from_str(&kron(&["lint", &path, "--at", MARCH, "-o", "json"]).out).unwrap();
    let of = |code: &str| json.as_array().unwrap().iter().filter(|found| found["code"] == code).count();
    assert_eq!(of("no-deadline"), 300);
}
