//! `kron next`.

use crate::support::{BACKUP, MARCH, MORE, Ran, directory, file, fine, kron, kron_with, refused};

const ISSUE: &str = "0 0 * * * @tz(Europe/Paris) @win(after,3h) @only(hours=1-2)";
const FLEET: &str = "../examples/fleet.kron";

#[test]
fn constraints_in_another_zone() {
    let args = ["next", ISSUE, "--name", "prod/db-backup", "--at", MARCH, "-c", "5"];
    assert_eq!(
        fine(&args),
        "\
START                 JOB             NOMINAL               WINDOW
2026-03-01T01:27:20Z  prod/db-backup  2026-02-28T23:00:00Z  after 3h
2026-03-02T00:09:23Z  prod/db-backup  2026-03-01T23:00:00Z  after 3h
2026-03-03T00:04:31Z  prod/db-backup  2026-03-02T23:00:00Z  after 3h
2026-03-04T01:40:22Z  prod/db-backup  2026-03-03T23:00:00Z  after 3h
2026-03-05T01:37:38Z  prod/db-backup  2026-03-04T23:00:00Z  after 3h
"
    );
}

#[test]
fn local_times_carry_their_offsets() {
    let args =
        ["next", ISSUE, "--name", "prod/db-backup", "--at", "2026-03-28T12:00:00Z", "-c", "2", "--local"];
    let out = fine(&args);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], "START                      JOB             NOMINAL                    WINDOW");
    // On the 29th there is no hour of two; the 30th is in summer time.
    assert!(
        lines[1].starts_with("2026-03-29T01:")
            && lines[1].contains("+01:00  prod/db-backup  2026-03-29T00:00:00+01:00")
    );
    assert!(lines[2].contains("+02:00  prod/db-backup  2026-03-30T00:00:00+02:00"));
}

#[test]
fn one_array_of_decisions() {
    let [text, flag, name, at] = BACKUP;
    let args = ["next", text, flag, name, at, MARCH, "--count", "2", "-o", "json"];
    assert_eq!(
        fine(&args),
        r#"[
  {"name":"prod/db-backup","algorithm":"siphash-chacha8/1","periodId":"2026-03-01T00:00:00Z","periodKey":"2026-03-01T00:00:00Z","nominalTime":"2026-03-01T00:00:00Z","windowStart":"2026-03-01T00:00:00Z","windowEnd":"2026-03-01T03:00:00Z","chosenTime":"2026-03-01T00:19:37Z","seedInput":"prod/db-backup\n2026-03-01T00:00:00Z\nbackup","seedHash":"e75717035e7ac0adfe0bc39f8bbe783ae121909fd3536c06df96f4dd17d71efa","draws":1,"unschedulable":null},
  {"name":"prod/db-backup","algorithm":"siphash-chacha8/1","periodId":"2026-03-02T00:00:00Z","periodKey":"2026-03-02T00:00:00Z","nominalTime":"2026-03-02T00:00:00Z","windowStart":"2026-03-02T00:00:00Z","windowEnd":"2026-03-02T03:00:00Z","chosenTime":"2026-03-02T00:03:49Z","seedInput":"prod/db-backup\n2026-03-02T00:00:00Z\nbackup","seedHash":"434408d0d201e1bd3145d8626253f74c9873f33a13b4a4a215722641d1b57e60","draws":1,"unschedulable":null}
]
"#
    );
    // Local times are for the table; data stays in UTC.
    assert_eq!(fine(&[&args[..], &["--local"]].concat()), fine(&args));
}

#[test]
fn a_decision_a_line() {
    let args = ["next", "-f", FLEET, "--at", MARCH, "-o", "ndjson", "-c", "25"];
    let out = fine(&args);
    let decisions: Vec<serde_json::Value> =
        out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(decisions.len(), 25);
    assert!(
        decisions.is_sorted_by_key(|decision| decision["chosenTime"].as_str().expect("a text").to_string())
    );
    assert!(decisions.iter().all(|decision| decision["chosenTime"].as_str() > Some(MARCH)));
}

#[test]
fn comma_separated_values() {
    let [text, flag, name, at] = BACKUP;
    let args = ["next", text, flag, name, at, MARCH, "-c", "1", "-o", "csv"];
    assert_eq!(
        fine(&args),
        "name,nominalTime,windowStart,windowEnd,chosenTime,unschedulable\n\
         prod/db-backup,2026-03-01T00:00:00Z,2026-03-01T00:00:00Z,2026-03-01T03:00:00Z,2026-03-01T00:19:37Z,\n"
    );
    // In the order of the arguments, under the names that JSON uses.
    assert_eq!(
        fine(&[&args[..], &["--columns", "draws,seedInput,seedHash,algorithm"]].concat()),
        "draws,seedInput,seedHash,algorithm\n\
         1,\"prod/db-backup\n2026-03-01T00:00:00Z\nbackup\",\
         e75717035e7ac0adfe0bc39f8bbe783ae121909fd3536c06df96f4dd17d71efa,siphash-chacha8/1\n"
    );
    let out = fine(&[&args[..], &["--columns", "periodId", "--columns", "periodKey"]].concat());
    assert_eq!(out, "periodId,periodKey\n2026-03-01T00:00:00Z,2026-03-01T00:00:00Z\n");
    for wrong in ["start", "name,", "", "Name"] {
        let err = refused(&[&args[..], &["--columns", wrong]].concat());
        let columns = "name, algorithm, periodId, periodKey, nominalTime, windowStart, windowEnd, chosenTime, seedInput, \
                       seedHash, draws, unschedulable\n";
        assert!(err.contains(columns) || err.ends_with("did you mean `name`?\n"), "{err}");
    }
    let err = refused(&["next", text, flag, name, at, MARCH, "-o", "json", "--columns", "name"]);
    assert_eq!(err, "error: --columns is only for -o csv\n");
}

#[test]
fn another_algorithm_on_request() {
    let [text, flag, name, at] = BACKUP;
    let args = ["next", text, flag, name, at, MARCH, "-c", "1", "--algorithm", "sha256-splitmix64/1"];
    assert!(fine(&args).contains("2026-03-01T02:32:20Z  prod/db-backup"));
    let err =
        refused(&["next", "@daily @win(after,1h) @dist(normal)", flag, "a/b", at, MARCH, args[8], args[9]]);
    assert_eq!(
        err,
        "error: a/b: algorithm: algorithm `sha256-splitmix64/1` cannot compute distributions other than `uniform`, \
         `skewEarly` and `skewLate`\n"
    );
    let err = refused(&["next", text, flag, name, at, MARCH, args[8], "md5"]);
    assert!(err.contains("choose one of siphash-chacha8/1, sha256-splitmix64/1"), "{err}");
}

#[test]
fn the_fleet_in_order_of_time() {
    let ran = kron(&["next", "-f", FLEET, "--at", MARCH]);
    assert_eq!((ran.code, ran.err.as_str()), (0, MORE));
    assert_eq!(
        ran.out,
        "\
START                 JOB                            NOMINAL               WINDOW
2026-03-01T00:00:06Z  health/checkout                2026-03-01T00:00:00Z  after 20s
2026-03-01T00:01:41Z  cache/edge                     2026-03-01T00:00:00Z  after 3m
2026-03-01T00:03:35Z  db/replica-lag                 2026-03-01T00:00:00Z  after 4m
2026-03-01T00:05:08Z  etl/clickstream                2026-03-01T00:05:00Z  after 20m
2026-03-01T00:07:25Z  health/resolvers               2026-03-01T00:07:00Z  after 1m 30s
2026-03-01T00:10:09Z  health/checkout                2026-03-01T00:10:00Z  after 20s
2026-03-01T00:18:32Z  db/wal-archive                 2026-03-01T00:15:00Z  after 10m
2026-03-01T00:20:16Z  health/checkout                2026-03-01T00:20:00Z  after 20s
2026-03-01T00:21:41Z  cache/edge                     2026-03-01T00:20:00Z  after 3m
2026-03-01T00:22:33Z  cache/recommendations          2026-03-01T00:25:00Z  around 10m
"
    );
}

#[test]
fn manifests() {
    let all =
        ["db-backup", "reports", "retrain-eta"].map(|name| format!("../examples/manifests/{name}.yaml"));
    let args = [
        "next",
        "-f",
        &all[0],
        "-f",
        &all[1],
        "-f",
        &all[2],
        "--at",
        MARCH,
        "--until",
        "2026-03-03T00:00:00Z",
    ];
    assert_eq!(
        fine(&args),
        "\
START                 JOB                      NOMINAL               WINDOW
2026-03-01T00:19:37Z  prod/db-backup           2026-03-01T00:00:00Z  after 3h
2026-03-01T08:19:07Z  ml/retrain-eta           2026-03-01T01:00:00Z  after 10h
2026-03-02T00:03:49Z  prod/db-backup           2026-03-02T00:00:00Z  after 3h
2026-03-02T04:46:49Z  ml/retrain-eta           2026-03-02T01:00:00Z  after 10h
2026-03-02T05:23:08Z  reports/morning-figures  2026-03-02T05:30:00Z  around 40m
"
    );
    // The text form of the same job, as the manifest's own comment says it.
    let text = "0 0 * * * @win(after,3h) @seed(stable,salt=backup) @policy(deadline=30m)";
    let args = ["--name", "prod/db-backup", "--at", MARCH, "-c", "5", "-o", "json"];
    assert_eq!(
        fine(&[&["next", text], &args[..]].concat()),
        fine(&[&["next", "-f", &all[0]], &args[2..]].concat())
    );
}

#[test]
fn manifests_without_namespace() {
    let manifest = br#"{"apiVersion":"kron.io/v1alpha1","kind":"KronJob","metadata":{"name":"backup"},
                       "spec":{"schedule":"@daily","jobTemplate":{"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"a","image":"b"}]}}}}}}"#;
    let args = ["next", "-f", "-", "--at", MARCH, "-c", "1"];
    let table = |name: &str| {
        format!(
            "START                 JOB{}  NOMINAL               WINDOW\n\
             2026-03-02T00:00:00Z  {name}  2026-03-02T00:00:00Z  -\n",
            " ".repeat(name.len() - 3)
        )
    };
    let warning = "\
warning[namespace-assumed]: KronJob `backup` names no namespace; `default` is assumed, and start times depend on it
--> <stdin>
";
    let ran = kron_with(&args, manifest);
    assert_eq!(ran, Ran { code: 0, out: table("default/backup"), err: warning.to_string() });
    let ran = kron_with(&[&args[..], &["-n", "prod"]].concat(), manifest);
    assert_eq!(ran, Ran { code: 0, out: table("prod/backup"), err: String::new() });
}

#[test]
fn nominal_times_include_those_without_a_start() {
    let text = "0 20 * * * @win(after,1h) @avoid(dow=FRI)";
    let args = ["next", text, "--name", "ml/train", "--at", "2026-03-05T20:00:00Z", "-c", "2", "--nominal"];
    let out = fine(&args);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], "NOMINAL               JOB       START                 WINDOW");
    assert_eq!(lines[1], "2026-03-06T20:00:00Z  ml/train  unschedulable         after 1h");
    assert!(lines[2].starts_with("2026-03-07T20:00:00Z  ml/train  2026-03-07T20:"));
    let out = fine(&[&args[..], &["-o", "json"]].concat());
    let decisions: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((&decisions[0]["chosenTime"], &decisions[0]["draws"]), (&serde_json::Value::Null, &64.into()));
    assert_eq!(decisions[0]["unschedulable"], "noAllowedSecond");
    let out = fine(&[&args[..], &["-o", "csv"]].concat());
    assert!(out.contains(",2026-03-06T21:00:00Z,,noAllowedSecond\n"), "{out}");
}

#[test]
fn some_jobs_of_a_file() {
    let args = ["next", "-f", FLEET, "--at", MARCH, "-c", "3", "--job"];
    let out = fine(&[&args[..], &["db/vacuum", "--job", "db/ledger-backup"]].concat());
    let names: Vec<&str> = out.lines().skip(1).filter_map(|line| line.split_whitespace().nth(1)).collect();
    assert_eq!(names, ["db/ledger-backup", "db/vacuum", "db/ledger-backup"]);
    // Names are exact, and all must exist.
    for wrong in ["db/vacu", "DB/vacuum", ""] {
        let err = refused(&[&args[..], &["db/vacuum", "--job", wrong]].concat());
        assert!(err.starts_with(&format!("error: there is no job `{wrong}`\n")), "{err}");
        let help = if !wrong.is_empty() {
            "did you mean `db/vacuum`?\n"
        } else {
            "the names are db/orders-backup-eu, "
        };
        assert!(err.contains(&format!("help: {help}")), "{err}");
    }
    let err = refused(&["next", "@daily", "--name", "a", "--job", "a"]);
    assert!(err.starts_with("error: --job picks jobs of files, and a job text is given\n"), "{err}");
}

#[test]
fn directories_of_files() {
    let dir = directory("fleet-dir");
    let manifest = std::fs::read_to_string("../examples/manifests/db-backup.yaml").expect("it exists");
    std::fs::create_dir_all(format!("{dir}/inner.kron")).expect("the test directory can be written");
    for (name, content) in [
        ("b.kron", "0 1 * * * name=b\n"),
        ("a.yml", &manifest),
        ("c.json", "{\"kind\":\"List\",\"items\":[]}"),
        ("README.md", "not jobs"),
        ("z.KRON", "not jobs"),
        ("inner.kron/d.kron", "0 3 * * * name=d\n"),
    ] {
        std::fs::write(format!("{dir}/{name}"), content).expect("the test directory can be written");
    }
    let other = file("other.kron", "0 2 * * * name=c\n");
    let ran = kron(&["next", "-f", &dir, "-f", &other, "--day", "2026-03-01"]);
    let names: Vec<&str> =
        ran.out.lines().skip(1).filter_map(|line| line.split_whitespace().nth(1)).collect();
    assert_eq!((ran.code, names), (0, vec!["prod/db-backup", "b", "c", "d"]));
    assert_eq!(ran.err, "note: 3 files hold no schedule\n");
    // Names are unique in all of them, and files are read in order of their paths.
    std::fs::write(format!("{dir}/a.kron"), "0 1 * * * name=b\n").expect("the test directory can be written");
    let err = refused(&["next", "-f", &dir, "--at", MARCH]).replace(&dir, "DIR");
    assert!(
        err.contains(
            "error: name: `b` is already the name of another job (DIR/a.kron:1)\n--> DIR/b.kron:1\n = help: give one of them another name\n"
        ),
        "{err}"
    );
    let empty = directory("fleet-empty");
    let ran = kron(&["next", "-f", &empty, "--at", MARCH]);
    let help = "name a folder with job files, crontabs, manifests or other schedules";
    let err = format!("warning: there are no jobs\n--> {empty}\n = help: {help}\n");
    assert_eq!(ran, Ran { code: 1, out: String::new(), err });
}

#[test]
fn nothing_found() {
    let ran = kron(&[
        "next",
        "@daily",
        "--name",
        "a",
        "--at",
        MARCH,
        "--until",
        "2026-03-01T12:00:00Z",
        "-o",
        "json",
    ]);
    let err = "error: there is no start after 2026-03-01T00:00:00Z and before 2026-03-01T12:00:00Z\n";
    assert_eq!(ran, Ran { code: 1, out: "[]\n".to_string(), err: err.to_string() });
    let ran = kron(&[
        "next",
        "@daily @win(after,1h) @only(hours=12)",
        "--name",
        "a/b",
        "--at",
        MARCH,
        "-o",
        "ndjson",
    ]);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(
        ran.err.starts_with(
            "warning: a/b: no start in the five years up to 2031-03-02T00:00:00Z, as no second of the 1827 periods is \
             allowed\n"
        ),
        "{}",
        ran.err
    );
    let ran =
        kron(&["next", "@daily", "--name", "a", "--at", "2099-12-31T00:00:00Z", "-o", "ndjson", "--nominal"]);
    let err = "warning: a: the schedule has no further nominal time up to 2099\n";
    assert_eq!(ran, Ran { code: 1, out: String::new(), err: err.to_string() });
    let ran = kron_with(&["next", "-f", "-", "--at", MARCH], b"# nothing\n\n");
    let help = "write one in a line such as `0 3 * * * @win(after,1h) name=team/job`";
    let err = format!("warning: there are no jobs\n--> <stdin>\n = help: {help}\n");
    assert_eq!(ran, Ran { code: 1, out: String::new(), err });
}

#[test]
fn a_job_without_starts_leaves_the_others() {
    let jobs = b"@daily @win(after,1h) @only(hours=12) name=never\n@daily name=always\n";
    let ran = kron_with(&["next", "-f", "-", "--at", MARCH, "-c", "1"], jobs);
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains("2026-03-02T00:00:00Z  always"), "{}", ran.out);
    assert!(ran.err.starts_with("warning: never: no start in the five years up to "), "{}", ran.err);
}

#[test]
fn a_list_goes_on_to_until() {
    let text = "@daily @only(date=2026-03-05) @only(date=2034-03-05)";
    let p = |range: &[&str]| {
        let ran = kron(&[&["next", text, "--name", "a", "--at", MARCH, "-o", "ndjson"], range].concat());
        (
            ran.code,
            ran.out.lines().count(),
            ran.err.contains("warning: a: no start in the five years up to 2031-03-06T00:00:00Z"),
        )
    };
    assert_eq!(p(&["--until", "2030-01-01T00:00:00Z"]), (0, 1, false));
    assert_eq!(p(&["--until", "2035-01-01T00:00:00Z"]), (0, 2, false));
    // Without an end it looks five years ahead.
    assert_eq!(p(&[]), (0, 1, true));
}

#[test]
fn suspended_jobs_are_listed_with_a_note() {
    let jobs = b"@daily @policy(suspend=true) name=off\n@monthly @policy(suspend=true) name=unlisted\n";
    let ran = kron_with(&["next", "-f", "-", "--at", MARCH, "-c", "1"], jobs);
    assert_eq!((ran.code, ran.out.lines().count()), (0, 2));
    assert_eq!(ran.err, "note: off is suspended: these are its times, but a host starts nothing\n");
}

#[test]
fn names_are_distinct_over_all_files() {
    let one = file("one.kron", "@daily name=a\n@daily name=b\n");
    let two = file("two.kron", "# second\n@daily name=c\n@daily name=b\n");
    let err = refused(&["next", "-f", &one, "-f", &two, "--at", MARCH]);
    let err = err.replace(&one, "ONE").replace(&two, "TWO");
    let want = "error: name: `b` is already the name of another job (ONE:2)\n--> TWO:3\n \
                = help: give one of them another name\n";
    assert_eq!(err, want);
    let err = refused(&["next", "-f", "-", "-f", "-", "--at", MARCH]);
    assert!(err.contains("error: standard input can be read once only\n--> <stdin>\n"), "{err}");
}

#[test]
fn the_clock_is_read_where_at_is_absent() {
    let mut out = Vec::new();
    let mut read = 0;
    let code = kron_cli::run(
        ["kron", "next", "@daily", "--name", "a", "-c", "1", "-o", "csv"],
        &mut kron_cli::Io {
            stdin: &mut std::io::empty(),
            stdout: &mut out,
            stderr: &mut std::io::sink(),
            colored_stdout: false,
            colored_stderr: false,
            terminal_size: &|| None,
            stderr_columns: None,
            environment: &|_| None,
            clock: &mut || {
                read += 1;
                "2026-07-04T12:00:00.75Z".parse().expect("a time")
            },
            sleep: &mut |_| unreachable!(),
            host_name: &|| None,
            time_zone: &|| None,
        },
    );
    assert_eq!((code, read), (kron_cli::ExitStatus::Success, 1));
    assert!(String::from_utf8_lossy(&out).contains("a,2026-07-05T00:00:00Z,"));
}

#[test]
fn unschedulable_periods_are_counted() {
    let text = "0 20 * * * @win(after,1h) @avoid(dow=FRI)";
    let note = |periods: &str| {
        format!(
            "note: {periods} not listed, because the constraints allow no start\n = help: --nominal lists all periods\n"
        )
    };
    let err = |args: &[&str]| kron(&[&["next", text, "--name", "a", "--at", MARCH], args].concat()).err;
    // March 2026 begins on a Sunday. Fridays are the 6th, the 13th, the 20th and the 27th.
    assert_eq!(err(&["--until", "2026-04-01"]), note("4 unschedulable periods are"));
    assert_eq!(err(&["-c", "6"]), note("1 unschedulable period is"));
    assert_eq!(err(&["-c", "5"]), "");
    assert_eq!(
        err(&["--until", "2026-04-01", "-c", "7"]),
        MORE.to_string() + &note("1 unschedulable period is")
    );
    assert_eq!(err(&["--until", "2026-04-01", "--nominal"]), "");
    let ran = kron(&["next", text, "--name", "a", "--day", "2026-03-06"]);
    assert_eq!(
        (ran.code, ran.err),
        (1, note("1 unschedulable period is") + "error: there is no start on 2026-03-06 in UTC\n")
    );
    // The starts are those of the schedule without the days that are counted.
    let starts =
        kron(&["next", text, "--name", "a", "--at", MARCH, "--until", "2026-04-01", "-o", "ndjson"]).out;
    assert_eq!(starts.lines().count(), 31 - 4);
}
