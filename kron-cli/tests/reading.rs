//! Files in any format, read by every subcommand that asks for jobs.

use serde_json::Value;

use crate::support::{directory, file, kron, kron_in, kron_with, refused};

const FROM: [&str; 4] = ["--from", "2026-03-02", "--until", "2026-04-02"];

/// The formats with a text of each, whose schedules are all read.
const FORMATS: [(&str, &str); 13] = [
    (
        "cronjob",
        "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: a, namespace: b}\nspec:\n  schedule: 30 3 * * *\n  timeZone: UTC\n  \
         jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c}]}}}}\n",
    ),
    ("crontab", "CRON_TZ=UTC\n30 3 * * * /usr/bin/backup\n@daily /usr/bin/clean\n"),
    ("cron.d", "CRON_TZ=UTC\n30 3 * * * root /usr/bin/backup\n"),
    ("jenkins", "pipeline { triggers { cron('''TZ=UTC\nH 3 * * *''') } }\n"),
    ("systemd", "[Timer]\nOnCalendar=03:30 UTC\n"),
    (
        "argo",
        "apiVersion: argoproj.io/v1alpha1\nkind: CronWorkflow\nmetadata: {name: etl}\nspec:\n  schedules: [30 3 * * *, 30 4 * * *]\n  \
         timezone: UTC\n  workflowSpec: {}\n",
    ),
    ("quartz", "0 30 3 ? * 2-6\n"),
    ("spring", "0 30 3 * * 1-5\n"),
    ("eventbridge", "cron(30 3 ? * 2-6 *)\n"),
    ("croner", "30 3 L * *\n"),
    ("node-cron", "0 30 3 * * 1-5\n"),
    ("apscheduler", "CronTrigger(hour=3, minute=30, timezone='UTC')\n"),
    // The last one is a job file: each subcommand reads what it always read.
    ("", "30 3 * * * name=a command=/usr/bin/backup\n"),
];

fn arguments<'a>(subcommand: &'a str, path: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&[subcommand, path], more].concat()
}

/// How many jobs a subcommand saw.
fn seen(subcommand: &str, path: &str, format: &str) -> usize {
    let format: Vec<&str> = if format.is_empty() { Vec::new() } else { vec!["--format", format] };
    let with = |args: &[&str]| kron(&[args, &format[..]].concat());
    let json =
        |text: &str| serde_json::from_str::<Value>(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let args = |more: &[&'static str]| arguments(subcommand, path, more);
    match subcommand {
        "next" => {
            let ran = with(&args(&[&FROM[..], &["-o", "json"]].concat()));
            assert_eq!(ran.code, 0, "{ran:?}");
            let found = json(&ran.out);
            let names = found.as_array().expect("a list").iter().map(|start| start["name"].to_string());
            names.collect::<std::collections::BTreeSet<_>>().len()
        }
        "forecast" => {
            let ran = with(&args(&[&FROM[..], &["-o", "json"]].concat()));
            assert_eq!(ran.code, 0, "{ran:?}");
            usize::try_from(json(&ran.out)["jobs"].as_u64().expect("a number")).expect("a small number")
        }
        "lint" => {
            let ran = with(&args(&FROM));
            let summary = ran.err.lines().last().unwrap_or_default();
            let jobs = summary.rsplit(", ").next().and_then(|jobs| jobs.split(' ').next());
            jobs.and_then(|count| count.parse().ok()).unwrap_or_else(|| panic!("{ran:?}"))
        }
        "spread" => {
            // A budget of no start at all shows the jobs that are there.
            let ran = with(&args(&[&FROM[..], &["--budget", "1000000"]].concat()));
            assert_eq!(ran.code, 0, "{ran:?}");
            let ran = with(&args(&[&FROM[..], &["--budget", "0"]].concat()));
            assert_eq!(ran.code, 1, "{ran:?}");
            seen("lint", path, format.last().copied().unwrap_or_default())
        }
        "diff" => {
            let ran = with(&[&["diff", path, path][..], &FROM, &["-o", "json"]].concat());
            assert_eq!(ran.code, 0, "{ran:?}");
            usize::try_from(json(&ran.out)["unchanged"].as_u64().expect("a number")).expect("a small number")
        }
        "tz-report" => {
            let ran = with(&args(&FROM));
            let words = ran.out.split(" of ").nth(1).and_then(|rest| rest.split(' ').next());
            words.and_then(|count| count.parse().ok()).unwrap_or_else(|| panic!("{ran:?}"))
        }
        "export" => {
            let ran =
                kron_in(&[("TZ", "UTC")], &[&args(&["--cron", "cronie"])[..], &format[..]].concat(), b"");
            // A job that cannot be a line of a crontab is named.
            let lines =
                ran.out.lines().filter(|line| !line.contains('=') || line.contains(" --from ")).count();
            lines
                + ran.err.matches("the job has no command").count()
                + ran.err.matches("CronJobs have Jobs").count()
        }
        other => panic!("{other}"),
    }
}

/// What `convert` makes of the file.
fn converted(path: &str, format: &str) -> usize {
    let ran = kron(&["convert", path, "--format", format, "--tz", "UTC"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    ran.out.lines().filter(|line| line.contains("name=") || line.contains("kind: KronJob")).count()
}

#[test]
fn every_subcommand_sees_the_jobs_of_every_format() {
    for (format, text) in FORMATS {
        let path = file(&format!("reading-{format}.txt"), text);
        let want = if format.is_empty() { 1 } else { converted(&path, format) };
        assert!(want > 0, "{format}");
        for subcommand in ["next", "forecast", "lint", "spread", "diff", "tz-report", "export"] {
            assert_eq!(seen(subcommand, &path, format), want, "{subcommand} {format}");
        }
    }
}

#[test]
fn formats_are_recognized_by_content() {
    for (format, text) in FORMATS {
        let ran = kron_with(&[&["forecast", "-", "-o", "json"][..], &FROM].concat(), text.as_bytes());
        let is_unclear = ["quartz", "spring", "croner", "node-cron"].contains(&format);
        assert_eq!(ran.code, if is_unclear { 2 } else { 0 }, "{format}: {ran:?}");
        assert_eq!(ran.err.contains("the format is not clear"), is_unclear, "{format}: {ran:?}");
    }
    let err = refused(&["next", "30 3 * * *", "--format", "crontab", "--at", "2026-03-01"]);
    assert!(
        err.starts_with(
            "error: --format, --exclude, --declared and --host are for files, and a job text is given\n"
        ),
        "{err}"
    );
}

/// A repository with files of many kinds.
fn repository(name: &str) -> String {
    let root = directory(name);
    let text = |format: &str| FORMATS.iter().find(|(found, _)| *found == format).expect("a format").1;
    for (path, content) in [
        ("README.md", "30 3 * * * not a schedule\n"),
        ("deploy/cronjob.yaml", text("cronjob")),
        ("deploy/service.yaml", "apiVersion: v1\nkind: Service\nmetadata: {name: web}\n"),
        (
            "deploy/all.yml",
            &[text("argo"), "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n"].join("---\n"),
        ),
        ("chart/templates/job.yaml", "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: {{ .Name }}}\n"),
        ("hosts/etc/cron.d/backup", text("cron.d")),
        ("hosts/etc/anacrontab", "1\t5\tcron.daily\trun-parts x\n"),
        ("units/nightly.timer", text("systemd")),
        ("units/nightly.service", "[Service]\nExecStart=/usr/bin/nightly\n"),
        ("jobs/a.kron", "0 4 * * * @win(after,1h) name=team/a\n"),
        (".github/workflows/ci.yml", "on:\n  schedule:\n    - cron: 5 4 * * *\njobs: {}\n"),
        ("charts/web/values.yaml", "backup:\n  schedule: '@hourly'\n"),
        ("charts/web/Chart.yaml", "name: web\n"),
        (".gitignore", "/build/\n"),
        ("build/b.kron", "0 4 * * * name=team/b\n"),
        ("image.bin", "\u{0}"),
    ] {
        let path = std::path::Path::new(&root).join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, content).expect("a file");
    }
    root
}

#[test]
fn a_repository_is_read_as_a_whole() {
    let root = repository("reading-tree");
    let ran = kron(
        &[&["next", &root, "-o", "csv", "--columns", "name,chosenTime"][..], &FROM[..2], &["-c", "40"]]
            .concat(),
    );
    assert_eq!(ran.code, 0, "{ran:?}");
    let mut names: Vec<&str> = ran.out.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    names.sort_unstable();
    names.dedup();
    let keys =
        [".github/workflows/ci/on.schedule.0.cron", "b/a", "backup", "charts/web/values/backup.schedule"];
    assert_eq!(names, [&keys[..], &["etl", "etl-2", "nightly", "team/a"]].concat(), "{ran:?}");
    let err = ran.err.replace(&root, "ROOT");
    assert!(err.contains("--> ROOT/chart/templates/job.yaml\n"), "{err}");
    assert!(err.contains("render templates first"), "{err}");
    assert!(
        err.contains("note[foreign-document]: 1 object is not a job, and is ignored: v1 ConfigMap\n"),
        "{err}"
    );
    let schedules = "7 schedules of other systems are read as jobs: cronjob (1), cron.d (1), systemd (1), argo (2), keys such as `schedule` (2)";
    assert!(err.contains(schedules), "{err}");
    assert!(err.ends_with("note: 7 files hold no schedule\n"), "{err}");
    // Notes are no findings.
    std::fs::write(format!("{root}/jobs/a.kron"), "# none\n").expect("a file");
    let ran = kron(&[&["lint", &root][..], &FROM].concat());
    assert_eq!(ran.code, 0, "{ran:?}");
    // Kron does not start them, so how late a start may be is not its business.
    assert!(!ran.out.contains("no-deadline"), "{ran:?}");
}

#[test]
fn what_cannot_be_read_ends_the_command_if_it_is_named() {
    let root = repository("reading-named");
    let template = format!("{root}/chart/templates/job.yaml");
    let anacrontab = format!("{root}/hosts/etc/anacrontab");
    for path in [&template, &anacrontab, &format!("{root}/image.bin"), &format!("{root}/none")] {
        refused(&[&["next", path][..], &FROM].concat());
        // An error in the folder is one of the arguments.
        let ran = kron(&[&["lint", &root, "-f", path][..], &FROM].concat());
        assert!(ran.code != 0 && !ran.err.is_empty(), "{ran:?}");
    }
    // An error in a job of Kron is one, wherever it stands.
    std::fs::write(format!("{root}/jobs/b.kron"), "61 4 * * * name=team/b\n").expect("a file");
    assert!(refused(&[&["next", &root][..], &FROM].concat()).contains("schedule.minute"));
}

#[test]
fn crontabs_are_read_in_the_zone_of_the_machine() {
    let text = b"30 3 * * * /usr/bin/backup\n";
    let next = ["next", "-", "--from", "2026-03-02", "-c", "1", "-o", "csv", "--columns", "chosenTime"];
    let ran = kron_in(&[("TZ", "Europe/Paris")], &next, text);
    assert_eq!((ran.code, ran.out.lines().nth(1)), (0, Some("2026-03-02T02:30:00Z")), "{ran:?}");
    assert_eq!(ran.err.matches("the time zone of this machine").count(), 1, "{ran:?}");
    let ran = kron_in(&[("TZ", "Europe/Paris")], &[&next[..], &["--tz", "UTC"]].concat(), text);
    assert_eq!((ran.code, ran.out.lines().nth(1)), (0, Some("2026-03-02T03:30:00Z")), "{ran:?}");
    let err = refused(&[&["next", "-", "--tz", "Mars"][..], &FROM].concat());
    assert!(err.starts_with("error: --tz: "), "{err}");
}

#[test]
fn findings_have_the_lines_of_the_file() {
    let path = file(
        "reading-lines.crontab",
        "CRON_TZ=UTC\nMAILTO=x\n# nightly\n@reboot /bin/a\n0 3 31 * * /bin/b\n",
    );
    let ran = kron(&[&["lint", &path][..], &FROM, &["-o", "json"]].concat());
    let found: Value = serde_json::from_str(&ran.out).expect("JSON");
    let lines: Vec<(&str, u64)> = found
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|found| Some((found["code"].as_str()?, found["line"].as_u64()?)))
        .collect();
    assert!(lines.contains(&("not-a-time", 4)) && lines.contains(&("short-months-skipped", 5)), "{lines:?}");
    // What only `convert` would leave out does not matter here.
    assert!(!ran.out.contains("MAILTO"), "{}", ran.out);
    let allowed = file(
        "reading-allowed.crontab",
        "CRON_TZ=UTC\n# kron: keep\n# kron: allow(short-months-skipped)\n0 3 31 * * /bin/b\n",
    );
    let ran = kron(&["lint", &allowed, "--from", "2026-03-02"]);
    assert_eq!(ran.code, 0, "{ran:?}");
}

#[test]
fn placed_schedules_are_shown_as_they_stand_or_as_declared() {
    let text = "backup:\n  # kron: 0 0 * * * @win(after,2h) name=ops/backup\n  schedule: \"51 0 * * *\"\n";
    let path = file("reading-declared.yaml", text);
    let next = [
        "next",
        &path,
        "--from",
        "2026-03-02",
        "-c",
        "1",
        "-o",
        "csv",
        "--columns",
        "name,nominalTime,windowEnd",
    ];
    let ran = kron(&next);
    assert_eq!(
        ran.out.lines().nth(1),
        Some("ops/backup,2026-03-02T00:51:00Z,2026-03-02T00:51:00Z"),
        "{ran:?}"
    );
    let ran = kron(&[&next[..], &["--declared"]].concat());
    assert_eq!(
        ran.out.lines().nth(1),
        Some("ops/backup,2026-03-02T00:00:00Z,2026-03-02T02:00:00Z"),
        "{ran:?}"
    );
    // Who names the file knows what is in it.
    assert!(!ran.err.contains("other-system"), "{ran:?}");
    assert_eq!(ran.err.matches("times are read in UTC").count(), 1, "{ran:?}");
}

/// A copy of a file repeats its names, which is one mistake.
#[test]
fn many_repeated_names_are_one_error() {
    let jobs = |count: usize| (0..count).map(|i| format!("0 3 * * * name=a/{i}\n")).collect::<String>();
    let first = file("reading-first.kron", jobs(9));
    let few = file("reading-few.kron", jobs(3));
    let err = refused(&["next", &first, &few]).replace(&first, "FIRST");
    assert_eq!(err.matches("is already the name of another job (FIRST:").count(), 3, "{err}");
    let copy = file("reading-copy.kron", jobs(9));
    let err = refused(&["next", &first, &copy]).replace(&first, "FIRST").replace(&copy, "COPY");
    let want = "error: 9 names are already those of jobs in FIRST: `a/0` and others\n--> COPY\n";
    assert!(err.starts_with(want) && err.matches("error").count() == 1, "{err}");
}

/// A service starts when its timer says so.
#[test]
fn a_service_beside_its_timer_is_no_warning() {
    let folder = directory("reading-units");
    let write = |name: &str, text: &str| {
        std::fs::write(format!("{folder}/{name}"), text).unwrap();
        format!("{folder}/{name}")
    };
    let timer = write("a.timer", "[Timer]\nOnCalendar=*-*-* 03:00:00 UTC\n");
    let named = write("b.timer", "[Timer]\nOnCalendar=*-*-* 04:00:00 UTC\nUnit = clean.service\n");
    let service = |name: &str| write(name, "[Service]\nType=oneshot\nExecStart=/bin/true\n");
    let (own, other, alone) = (service("a.service"), service("clean.service"), service("alone.service"));
    let next = |files: &[&str]| kron(&[&["next"], files, &FROM[..2], &["-c", "1"]].concat());
    let ran = next(&[&timer, &own, &named, &other]);
    assert_eq!((ran.code, ran.err.contains("no jobs")), (0, false), "{ran:?}");
    let ran = next(&[&timer, &alone]);
    assert!(
        ran.err.contains("warning: there are no jobs\n--> ") && ran.err.contains("alone.service"),
        "{ran:?}"
    );
}

/// A forecast shows what `kron place` did: the plain schedules beside the declared ones.
#[test]
fn a_forecast_compares_placed_schedules_with_declared_ones() {
    let schedule = |number: usize| {
        format!(
            "j{number}:\n  # kron: 0 3 * * * @win(after,30m) name=ops/j{number}\n  schedule: {} 3 * * *\n",
            2 * number
        )
    };
    let path = file("reading-placed.yaml", (0..15).map(schedule).collect::<String>());
    let forecast = ["forecast", &path, "--from", "2026-03-02", "--for", "1d", "--tz", "UTC"];
    let ran = kron(&[&forecast[..], &["--per", "1m", "--by", "namespace"]].concat());
    let first = "Fullest minute, Mon 2 March: 15 starts as declared, 1 as placed (15 times fewer)\n";
    assert!(ran.code == 0 && ran.out.starts_with(first), "{ran:?}");
    for words in ["\nas declared", "\nas placed, same scale", "AS DECLARED", "15 x 0 3 * * *"] {
        assert!(ran.out.contains(words), "{words}: {}", ran.out);
    }
    // Where columns are longer than the windows, the fullest minute is the result, whatever the width.
    for columns in ["80", "100"] {
        let ran = kron_in(&[("COLUMNS", columns)], &forecast, b"");
        let head: String = ran.out.lines().take(3).collect::<Vec<_>>().join(" ");
        assert!(head.starts_with(first.trim_end()), "{columns}: {ran:?}");
        assert!(ran.out.contains("\nas declared, each column: its fullest minute\n"), "{columns}: {ran:?}");
    }
    let ran = kron(&["forecast", &path, "--from", "2026-03-02", "--for", "14d", "--tz", "UTC"]);
    let minute =
        "Fullest minute, Mon 2 to Sun 15 March: 15 starts as declared, 1 as placed\n(15 times fewer)\n";
    assert!(
        ran.out.starts_with(minute)
            && ran.out.contains("Fullest minute of each weekday and hour in all 14 days\n"),
        "{ran:?}"
    );
    // With the declared windows, the same starts are spread.
    let ran = kron(&[&forecast[..], &["--declared"]].concat());
    assert!(ran.out.contains(" starts as written, ") && !ran.out.contains("placed"), "{ran:?}");
    // A placed schedule gets no other window.
    let ran = kron(&[&forecast[..], &["--window", "1h"]].concat());
    assert!(ran.err.contains("every job has a window or is placed, so --window changes nothing"), "{ran:?}");
}

/// Files of folders that cannot be read are named, and the others count.
#[test]
fn a_repository_with_odd_files_is_read() {
    let repository = concat!(env!("CARGO_MANIFEST_DIR"), "/../testing/data/adopt");
    let ran =
        kron(&["forecast", repository, "--from", "2026-03-02", "--for", "1d", "--tz", "UTC", "-o", "json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let forecast: Value = serde_json::from_str(&ran.out).unwrap();
    assert!(forecast["jobs"].as_u64() > Some(100), "{}", forecast["jobs"]);
    // Values with a `kind` are no object.
    assert!(ran.err.contains("descheduler/values.yaml") && !ran.err.contains("error:"), "{}", ran.err);
}

/// An object and its patch in an overlay have one declaration each, and one name.
#[test]
fn declarations_of_one_name_are_a_warning() {
    let folder = directory("reading-same-name");
    for file in ["base.yaml", "overlay.yaml"] {
        let text = "# kron: 0 3 * * * @win(after,1h) name=ops/backup\nschedule: 0 3 * * *\n";
        std::fs::write(format!("{folder}/{file}"), text).unwrap();
    }
    let ran = kron(&["forecast", "--declared", "--from", "2026-03-01", &folder]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("warning") && ran.err.contains("already the name"), "{}", ran.err);
    assert!(ran.out.contains("\n2 jobs, 2 starts"), "{}", ran.out);
}
