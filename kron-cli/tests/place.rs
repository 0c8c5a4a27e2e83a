//! `kron place`: which files it reads and writes, and its exit codes. What is placed: see the tests of kron-formats.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use crate::support::{Ran, binary, directory, file, kron_by};

/// Runs at a fixed time.
#[track_caller]
fn kron_with(args: &[&str], input: &[u8]) -> Ran {
    kron_by(&mut || "2026-03-01T00:00:00Z".parse().unwrap(), &[], args, input)
}

#[track_caller]
fn kron(args: &[&str]) -> Ran {
    kron_with(args, b"")
}

#[track_caller]
fn fine(args: &[&str]) -> String {
    let ran = kron(args);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    ran.out
}

#[track_caller]
fn refused(args: &[&str]) -> String {
    let ran = kron(args);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
    ran.err
}

const DECLARED: &str = "# kron: 0 0 * * * @win(after,2h) name=ops/backup\nschedule: 0 0 * * *\n";
const PLACED: &str = "# kron: 0 0 * * * @win(after,2h) name=ops/backup\nschedule: 51 0 * * *\n";
const CRONTAB: &str = "MAILTO=root\n# kron: 0 0 * * * @win(after,2h) name=ops/backup\n0 0 * * * x # y\n";

/// Writes a file below a directory of the test.
fn write(folder: &str, path: &str, text: impl AsRef<[u8]>) -> String {
    let path = Path::new(folder).join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_string()
}

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn one_file_is_printed() {
    let path = file("place-one.yaml", DECLARED);
    assert_eq!(fine(&["place", &path]), PLACED);
    assert_eq!(read(&path), DECLARED);
    assert_eq!(fine(&["place", "--undo", &file("place-undo.yaml", PLACED)]), "schedule: 0 0 * * *\n");
    // Standard input can be a crontab.
    let ran = kron_with(&["place", "-"], CRONTAB.as_bytes());
    assert_eq!((ran.code, ran.out), (0, CRONTAB.replace("\n0 0 ", "\n51 0 ")));
    let saved = Path::new(&path).with_file_name("place-saved.yaml");
    fine(&["place", &path, "--save", saved.to_str().unwrap()]);
    assert_eq!(fs::read_to_string(saved).unwrap(), PLACED);
}

#[test]
fn a_filter_loses_nothing() {
    let broken = CRONTAB.replace("@win", "@wni");
    let ran = kron_with(&["place", "-"], broken.as_bytes());
    assert_eq!((ran.code, ran.out.as_str()), (2, broken.as_str()));
    assert!(ran.err.contains("unknown modifier"), "{}", ran.err);
    let ran = kron_with(&["place", "-"], b"x: y\n");
    assert_eq!((ran.code, ran.out.as_str()), (0, "x: y\n"));
    assert!(ran.err.contains("no schedule has a declaration"), "{}", ran.err);
}

#[test]
fn bytes_that_are_no_text_pass_through() {
    let text = b"0 0 * * * caf\xe9\n";
    let mut kron = binary();
    let mut kron = kron
        .args(["place", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    kron.stdin.take().unwrap().write_all(text).unwrap();
    let ran = kron.wait_with_output().unwrap();
    assert_eq!((ran.status.code(), ran.stdout.as_slice()), (Some(2), &text[..]));
    assert!(String::from_utf8_lossy(&ran.stderr).contains("not UTF-8"), "{ran:?}");
}

#[test]
fn directories_are_written_back() {
    let folder = directory("place-tree");
    let changed = write(&folder, "values.yaml", DECLARED);
    let other = DECLARED.replace("schedule", "- cron").replace("ops/backup", "ops/workflow");
    let workflow = write(&folder, ".github/workflows/a.yml", &other);
    let ignored = write(&folder, "target/a.yaml", DECLARED);
    write(&folder, ".gitignore", "target/\n");
    // Not git's.
    write(&folder, ".ignore", "*.yaml\n");
    let git = write(&folder, ".git/a.yaml", DECLARED);
    let of_root = CRONTAB.replace(" x #", " root x #").replace("ops/backup", "ops/clean");
    let crontab = write(&folder, "cron.d/a", &of_root);
    write(&folder, "picture.png", b"\xff\xfe kron:");
    let same =
        write(&folder, "placed.yaml", PLACED.replace("ops/backup", "ops/recyclarr").replace("51 0", "49 1"));
    let ran = kron(&["place", "--check", &folder]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert_eq!(ran.out.lines().filter(|line| line.starts_with("--- ")).count(), 3, "{}", ran.out);
    assert!(ran.err.ends_with("3 of 4 schedules would move; 3 files would change\n"), "{}", ran.err);
    assert!(ran.out.contains("-schedule: 0 0 * * *\n+schedule: 51 0 * * *\n"), "{}", ran.out);
    assert_eq!(read(&changed), DECLARED, "--check writes nothing");
    let before = fs::metadata(&same).unwrap().modified().unwrap();
    let ran = kron(&["place", "-i", &folder]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""));
    assert!(ran.err.contains("4 schedules in place, 3 of them changed; 3 files written"), "{}", ran.err);
    assert_eq!(
        (read(&changed).as_str(), read(&ignored).as_str(), read(&git).as_str()),
        (PLACED, DECLARED, DECLARED)
    );
    assert!(read(&workflow) != other && read(&crontab) != of_root);
    assert_eq!(fs::metadata(&same).unwrap().modified().unwrap(), before, "a file that stays is not written");
    assert_eq!(kron(&["place", "--check", &folder]).code, 0);
    // No temporary file is left.
    assert!(
        fs::read_dir(&folder).unwrap().all(|entry| !entry
            .unwrap()
            .file_name()
            .to_string_lossy()
            .starts_with(".kron"))
    );
    kron(&["place", "-i", "--undo", &folder]);
    assert_eq!(read(&changed), "schedule: 0 0 * * *\n");
}

#[test]
fn an_error_writes_nothing() {
    let folder = directory("place-errors");
    let good = write(&folder, "a.yaml", DECLARED);
    let bad = write(
        &folder,
        "b.yaml",
        DECLARED.replace("schedule: 0 0", "schedule: 7 7").replace("backup", "other"),
    );
    let ran = kron(&["place", "-i", &folder]);
    assert_eq!((ran.code, read(&good).as_str()), (2, DECLARED));
    assert!(
        ran.err.contains("neither the declared `0 0 * * *`") && ran.err.contains("b.yaml:1"),
        "{}",
        ran.err
    );
    assert_eq!(kron(&["place", "--check", &folder]).code, 2);
    let ran = kron(&["place", "-i", &folder, "--force", "ops/other"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(read(&good) == PLACED && !read(&bad).contains("7 7"));
    let ran = kron(&["place", "-i", &folder, "--force", "nobody"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("no declaration has the name `nobody`"), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn mode_and_links_stay() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = directory("place-links");
    let target = write(&folder, "real/a.yaml", DECLARED);
    fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
    let link = format!("{folder}/link.yaml");
    symlink(&target, &link).unwrap();
    let other = write(&directory("place-outside"), "b.yaml", DECLARED);
    symlink(&other, format!("{folder}/outside.yaml")).unwrap();
    // Links in a directory are not followed; a named one has its target replaced.
    kron(&["place", "-i", &folder]);
    assert_eq!((read(&target).as_str(), read(&other).as_str()), (PLACED, DECLARED));
    fs::write(&target, DECLARED).unwrap();
    kron(&["place", "-i", &link]);
    assert_eq!(read(&target), PLACED);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn hosts_zones_and_namespaces() {
    let crontab = CRONTAB.replace("ops/backup", "{host}/backup");
    let of = |host| kron_with(&["place", "-", "--host", host], crontab.as_bytes()).out;
    assert_ne!(of("web-1"), of("web-2"));
    let ran = kron_with(&["place", "-"], crontab.as_bytes());
    assert_eq!((ran.code, ran.out.as_str()), (0, crontab.as_str()));
    assert!(ran.err.contains("note: ") && ran.err.contains("--host"), "{}", ran.err);
    let zoned = file("place-zone.yaml", DECLARED.replace("@win", "@tz(Europe/Paris) @win"));
    assert!(kron(&["place", &zoned]).err.contains("the other system does not know it"));
    assert!(fine(&["place", &zoned, "--tz", "Europe/Paris"]).contains("51 0"));
    let object = "apiVersion: batch/v1\nkind: CronJob\nmetadata:\n  name: backup\n  annotations:\n    kron.io/spread: 0 0 * * * @win(after,2h)\nspec:\n  schedule: 0 0 * * *\n";
    let path = file("place-object.yaml", object);
    assert!(fine(&["place", &path, "-n", "ops"]).contains("schedule: 51 0 * * *"));
    assert!(kron(&["place", &path]).err.contains("the job has no name"));
}

#[test]
fn err_arguments() {
    let folder = directory("place-arguments");
    let one = write(&folder, "a.yaml", DECLARED);
    for (args, message) in [
        (&["place"][..], "no file is given"),
        (&["place", &folder], "a directory has many files"),
        (&["place", &one, &one], "several are given"),
        (&["place", "-i", "-"], "standard input cannot be written back"),
        (&["place", "-i", "--check", &one], "--check"),
        (&["place", &format!("{folder}/none.yaml")], "there is no such file"),
        (&["place", &one, "--tz", "Mars"], "--tz"),
    ] {
        let error = refused(args);
        assert!(error.contains(message), "{args:?}: {error}");
    }
}

const VALUES: &str = "backup:\n  schedule: \"0 3 * * *\"\nmail:\n  schedule: \"*/5 * * * *\"\n";

#[test]
fn adopting_writes_declarations_and_names_what_it_leaves() {
    let folder = directory("place-adopt");
    fs::create_dir_all(Path::new(&folder).join("fleet/.git")).unwrap();
    let values = write(&folder, "fleet/charts/web/values.prod.yaml", VALUES);
    let crontab = write(&folder, "fleet/cron.d/clean", "0 4 * * * root /usr/bin/clean\n");
    let repository = format!("{folder}/fleet");
    let ran = kron(&["place", "--adopt", "--window", "1h", &repository]);
    assert!(ran.code == 2 && ran.err.contains("add `-i`"), "{}", ran.err);
    let ran = kron(&["place", "--adopt", "-i", &repository]);
    let help = "error: --adopt: how far may schedules move? --window is missing\n = help: add for example `--window 30m`";
    assert!(ran.code == 2 && ran.err.starts_with(help), "{}", ran.err);
    let ran = kron(&["place", "--adopt", "--window", "1h", "--check", &repository]);
    assert_eq!((ran.code, read(&values).as_str()), (1, VALUES));
    assert!(
        ran.err.ends_with("2 would be adopted; 2 of 2 schedules would move; 2 files would change\n"),
        "{}",
        ran.err
    );
    let ran = kron(&["place", "--adopt", "--window", "1h", "-i", &repository]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        ran.err.contains("1 left alone, because it runs more often than every 10 minutes:\n"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("values.prod.yaml:4  */5 * * * *\n"), "{}", ran.err);
    assert!(
        ran.err.contains("2 adopted; 2 schedules in place, 2 of them changed; 2 files written"),
        "{}",
        ran.err
    );
    assert!(
        read(&values).contains(
            "  # kron: 0 3 * * * @win(after,1h) name=fleet/charts/web/values.prod/backup.schedule\n"
        ),
        "{}",
        read(&values)
    );
    assert!(
        read(&crontab).starts_with("# kron: 0 4 * * * @win(after,1h) name=fleet/cron.d/clean\n"),
        "{}",
        read(&crontab)
    );
    let again = kron(&["place", "--adopt", "--window", "2h", "-i", &repository]).err;
    assert!(
        again.contains("\n2 left alone, because each has a declaration already\n")
            || again.starts_with("2 left alone, because each has a declaration already\n"),
        "{again}"
    );
    assert!(again.ends_with("0 adopted; 2 schedules in place; nothing to write\n"), "{again}");
    kron(&["place", "-i", "--undo", &repository]);
    assert_eq!(
        (read(&values).as_str(), read(&crontab).as_str()),
        (VALUES, "0 4 * * * root /usr/bin/clean\n")
    );
    // Chosen by name.
    let adopt = |more: &[&str]| {
        let ran = kron(&[&["place", "--adopt", "--window", "10%", "--check", &repository], more].concat());
        ran.out.matches("# kron:").count()
    };
    assert_eq!(adopt(&["--select", "fleet/cron.d/*"]), 1);
    assert_eq!(adopt(&["--select", "fleet/*"]), 2);
    assert_eq!(adopt(&["--skip", "*clean"]), 1);
    assert_eq!(adopt(&["--skip", "fleet/*"]), 0);
    for (option, value) in [("--window", "0%"), ("--window", "101%"), ("--window", "30s"), ("--select", "[a")]
    {
        let ran = kron(&["place", "--adopt", "--window", "1h", option, value, &values]);
        assert!(ran.code == 2 && ran.err.contains(option), "{option} {value}: {}", ran.err);
    }
}

#[test]
fn names_begin_with_the_prefix_or_the_host() {
    let folder = directory("place-names");
    fs::create_dir_all(Path::new(&folder).join(".git")).unwrap();
    let path = write(&folder, "a/values.yaml", VALUES);
    let name = |args: &[&str]| {
        let ran = kron(&[&["place", "--adopt", "--window", "1h"], args].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        let line = ran.out.lines().find(|line| line.contains("kron:")).unwrap_or_default().to_string();
        line.split_once("name=").unwrap_or_default().1.to_string()
    };
    assert_eq!(name(&[&path, "--prefix", "x"]), "x/a/values/backup.schedule");
    assert_eq!(
        name(&[&path, "--prefix", "{host}/", "--host", "web-1"]),
        "\"{host}/a/values/backup.schedule\""
    );
    let ran = kron(&["place", "--adopt", "--window", "1h", "--check", &folder, "--prefix", "x"]);
    assert!(ran.out.contains("name=x/a/values/backup.schedule"), "{}", ran.out);
    assert_eq!(name(&[&path]), "place-names/a/values/backup.schedule");
    // Standard input is in no repository.
    let ran = kron_with(&["place", "--adopt", "--window", "1h", "-"], VALUES.as_bytes());
    assert_eq!((ran.code, ran.out.as_str()), (2, VALUES));
    assert!(ran.err.contains("--prefix"), "{}", ran.err);
    let ran = kron_with(&["place", "--adopt", "--window", "1h", "-", "--prefix", "x"], VALUES.as_bytes());
    assert!(ran.code == 0 && ran.out.contains("name=x/backup.schedule"), "{}", ran.out);
}

#[test]
fn objects_of_a_cluster_are_apply_configurations() {
    let list = r#"{"apiVersion": "v1", "kind": "List", "items": [
        {"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": "a", "namespace": "n", "uid": "1"}, "spec": {"schedule": "0 3 * * *"}},
        {"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": "b", "namespace": "n", "uid": "2",
          "ownerReferences": [{"kind": "X"}]}, "spec": {"schedule": "0 3 * * *"}}]}"#;
    let ran = kron_with(&["place", "--adopt", "--window", "1h", "-"], list.as_bytes());
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(ran.out.matches("---\n").count(), 1, "{}", ran.out);
    assert!(ran.out.contains("\"kron.io/spread\":\"0 3 * * * @win(after,1h)\""), "{}", ran.out);
    assert!(
        ran.err.contains("another object owns") && ran.err.contains("startingDeadlineSeconds"),
        "{}",
        ran.err
    );
}

#[test]
fn a_check_for_github_names_the_lines() {
    let folder = directory("place-github");
    let path = write(&folder, "a,b.yaml", DECLARED.replace("ops/backup", "\"ops/50% ::error::x\""));
    let ran = kron(&["place", "--check", "-o", "github", &folder]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let file = path.replace(',', "%2C");
    assert!(
        ran.out.starts_with(&format!("::error file={file},line=2::`ops/50%25 ::error::x` is at `0 0 * * *`")),
        "{}",
        ran.out
    );
    assert_eq!(ran.out.lines().count(), 1);
    assert!(refused(&["place", "-o", "github", &path]).contains("--check"));
}

/// A line that adopting would move is named as it stands in the file, and so is what is refused.
#[test]
fn messages_for_github_have_lines_of_the_files() {
    let folder = directory("place-github-lines");
    write(&folder, "a.yaml", "x: 1\nbackup:\n  schedule: 0 3 * * *\nb:\n  schedule: 0 4 * * *\n");
    let adopt = ["place", "--adopt", "--window", "1h", "--prefix", "p", "--check", "-o", "github", &folder];
    let lines = |out: &str| -> Vec<String> {
        let places = out.lines().map(|command| command.split("line=").nth(1).unwrap_or_default());
        places.map(|rest| rest.split("::").next().unwrap_or_default().to_string()).collect()
    };
    let ran = kron(&adopt);
    assert_eq!((ran.code, lines(&ran.out)), (1, vec!["3".to_string(), "5".to_string()]), "{}", ran.out);
    assert!(ran.out.contains("%0Ahelp: run `kron place` with `-i` instead of `--check`"), "{}", ran.out);
    write(&folder, "b.yaml", "# kron: 0 0 * * * @win(after,1h) name=c\nmessage: hello\n");
    let ran = kron(&adopt);
    assert_eq!((ran.code, lines(&ran.out)), (2, ["1", "3", "5"].map(String::from).to_vec()), "{}", ran.out);
    assert!(ran.out.contains("b.yaml,line=1::the declaration stands where no schedule is"), "{}", ran.out);
}

#[test]
fn lines_are_those_before_adopting_and_before_undoing() {
    let folder = directory("place-lines");
    let declared = "b:\n  # kron: 0 4 * * * @win(after,1h) name=x\n  schedule: 0 4 * * *\n";
    let path = write(
        &folder,
        "a.yaml",
        format!("a:\n  schedule: 0 3 * * *\n{}", declared.replace("  sch", "  # sch")),
    );
    let adopt = ["place", "--adopt", "--window", "1h", "--prefix", "p", "--check", &path];
    let error = refused(&adopt);
    assert!(error.contains("a.yaml:4"), "{error}");
    write(&folder, "a.yaml", format!("{}{declared}", declared.replace("=x", "=y")));
    assert_eq!(kron(&["place", "-i", &path]).code, 0);
    let undone = kron(&["place", "--undo", "--check", "-o", "github", &path]);
    assert_eq!(undone.code, 1, "{}", undone.err);
    for (line, name) in [(3, "y"), (6, "x")] {
        assert!(undone.out.contains(&format!("a.yaml,line={line}::`{name}` is at `")), "{}", undone.out);
    }
    let wanted =
        "`, and the declared schedule is `0 4 * * *`%0Ahelp: run `kron place` with `-i` instead of `--check`";
    assert_eq!(undone.out.matches(wanted).count(), 2, "{}", undone.out);
}

#[test]
fn what_a_killed_command_left_is_passed_over() {
    let folder = directory("place-left-behind");
    write(&folder, "a.yaml", PLACED);
    write(&folder, ".kron-0SRbgZ.tmp", DECLARED);
    let ran = kron(&["place", "--check", &folder]);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", "1 schedule in place\n"));
    let forecast = kron(&["forecast", &folder, "--day", "2026-03-02"]);
    assert!(forecast.out.contains("1 job, 1 start"), "{}{}", forecast.out, forecast.err);
}

#[test]
fn the_name_of_a_file_is_no_line_of_its_own() {
    let folder = directory("place-file-names");
    let path = write(&folder, "a\n::warning::b.yaml", "# kron: 61 0 * * * name=a\nschedule: 0 0 * * *\n");
    let error = refused(&["place", "--check", &path]);
    assert!(error.contains("a\\n::warning::b.yaml:1\n"), "{error}");
}

#[test]
fn texts_in_other_encodings_are_named() {
    let folder = directory("place-encodings");
    write(&folder, "a.yaml", b"# gr\xfcn\nschedule: 0 3 * * *\n");
    write(&folder, "b.yaml", b"\xff\xfes\0c\0");
    write(&folder, "c.gz", b"\x1f\x8b\x08\x00");
    write(&folder, "d.yaml", DECLARED);
    let ran = kron(&["place", "--check", &folder]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let note = format!("note: texts that are not UTF-8 are passed over: {folder}/a.yaml, {folder}/b.yaml\n");
    assert!(ran.err.contains(&note), "{}", ran.err);
    let ran = kron(&["place", "--check", "--exclude", "*.yaml", &folder]);
    assert!(!ran.err.contains("UTF-8"), "{}", ran.err);
    // A file that is named has to be read.
    let refused = refused(&["place", "--check", &format!("{folder}/b.yaml")]);
    assert!(refused.contains("it looks like UTF-16; save it as UTF-8"), "{refused}");
}

/// Nominal times are the same on all hosts, so a forecast compares them where no host is named.
#[test]
fn a_forecast_needs_no_host() {
    let folder = directory("place-no-host");
    let jobs = |minute: u32| {
        let job = |name: u32| {
            format!(
                "# kron: 0 3 * * * @win(after,1h) name={{host}}/j{name}\n{} 3 * * * root /bin/j{name}\n",
                minute * name
            )
        };
        format!("CRON_TZ=UTC\n{}", (1..6).map(job).collect::<String>())
    };
    write(&folder, "cron.d/web", jobs(7));
    let ran = kron(&["forecast", &folder, "--from", "2026-03-02", "--for", "1d", "--per", "1m"]);
    assert!(
        ran.out
            .starts_with("Fullest minute, Mon 2 March: 5 starts as declared, 1 as placed (5 times fewer)\n"),
        "{}{}",
        ran.out,
        ran.err
    );
    let ran = kron(&["forecast", &folder, "--declared", "--from", "2026-03-02", "--for", "1d"]);
    assert!(ran.err.contains("its name has `{host}`, and no host is given"), "{}", ran.err);
}

#[test]
fn functions_of_kustomize_and_kpt() {
    let list = |config: &str| {
        format!(
            "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- apiVersion: batch/v1\n  kind: CronJob\n  metadata:\n    name: a\n    namespace: n\n  spec:\n    schedule: 0 3 * * *\nfunctionConfig:\n  apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: kron\n  data:\n{config}"
        )
    };
    let run = |text: &str| kron_with(&["place", "--krm"], text.as_bytes());
    let ran = run(&list("    window: 1h\n"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("      kron.io/spread: \"0 3 * * * @win(after,1h)\"\n"), "{}", ran.out);
    let again = run(&ran.out);
    assert_eq!((again.code, &again.out), (0, &ran.out));
    let undone = run(&ran.out.replace("window: 1h", "undo: \"true\""));
    assert_eq!(undone.out, list("    undo: \"true\"\n"));
    for (config, message) in [
        ("    widow: 1h\n", "unknown key `widow`"),
        ("    window: 0%\n", "0%"),
        ("    undo: maybe\n", "`undo` is `maybe`"),
        ("    window: [1h]\n", "is no text"),
        ("    mode: sideways\n    window: 1h\n", "sideways"),
    ] {
        let ran = run(&list(config));
        assert_eq!((ran.code, ran.out), (2, list(config)), "{config}");
        assert!(ran.err.contains(message), "{config}: {}", ran.err);
    }
    assert_eq!(run("a: 1\n").code, 2);
}

#[test]
fn nothing_of_a_cluster_is_printed_after_an_error() {
    let list = r#"{"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": "a", "namespace": "n", "uid": "1",
        "annotations": {"kron.io/spread": "0 3 * * * @win(after,1h)"}}, "spec": {"schedule": "7 7 * * *"}}"#;
    let ran = kron_with(&["place", "-"], list.as_bytes());
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
    let file = kron_with(&["place", "-"], list.replace("\"uid\": \"1\",", "").as_bytes());
    assert_eq!((file.code, file.out), (2, list.replace("\"uid\": \"1\",", "")));
}

/// A document has examples of declarations. Other files that have some are excluded.
#[test]
fn files_that_only_speak_of_declarations_are_passed_over() {
    let dir = directory("place-exclude");
    let example = "Write `# kron: 0 0 * * * @win(after,2h) name=ops/backup` above it.\n";
    write(&dir, "README.md", example);
    let values = write(&dir, "values.yaml", DECLARED);
    let ran = kron(&["place", "--check", &dir]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.err.contains("examples") && ran.err.contains("README.md"), "{}", ran.err);
    assert!(ran.out.contains("+schedule: 51 0 * * *"), "{}", ran.out);
    // A file that is named is no guess.
    let ran = kron(&["place", "--check", "--exclude", "*.md", &format!("{dir}/README.md")]);
    assert_eq!(ran.code, 2, "{}", ran.err);
    write(&dir, "docs/notes.txt", example);
    for arguments in [&["place", "--check", &dir][..], &["spread", "-i", "--from", "2026-03-01", &dir]] {
        assert_eq!(kron(arguments).code, 2);
        let ran = kron(&[arguments, &["--exclude", "docs/**"]].concat());
        assert!(ran.code < 2, "{}", ran.err);
    }
    assert_ne!(read(&values), DECLARED);
    assert_eq!(read(&format!("{dir}/README.md")), example);
    let ran = kron(&["forecast", "--from", "2026-03-01", &dir]);
    assert!(ran.code == 0 && ran.out.contains("\n1 job, "), "{} {}", ran.err, ran.out);
    let ran = kron(&["place", "--check", "--exclude", "[", &dir]);
    assert!(ran.code == 2 && ran.err.contains("--exclude"), "{}", ran.err);
    let ran = kron(&["place", "--check", "--host", "", &dir]);
    assert!(ran.code == 2 && ran.err.contains("--host"), "{}", ran.err);
}

#[test]
fn hosts_that_are_not_named_are_one_note() {
    let two = CRONTAB.replace("ops/backup", "{host}/backup")
        + "# kron: 0 1 * * * @win(after,2h) name={host}/b\n0 1 * * * y\n";
    let path = write(&directory("place-hosts"), "crontab", two);
    let ran = kron(&["place", "--check", &path]);
    assert_eq!((ran.code, ran.err.matches("note: ").count()), (0, 1), "{}", ran.err);
    assert!(ran.err.contains("2 schedules with `{host}` in the name"), "{}", ran.err);
    // The forecast of a host.
    let peaks =
        |host: &str| kron(&["forecast", "--declared", "--host", host, "--from", "2026-03-01", &path]).out;
    assert_ne!(peaks("web-1"), peaks("web-2"));
}

/// A FIFO would be waited for. What a shell passes is read.
#[cfg(unix)]
#[test]
fn a_fifo_is_named() {
    let folder = directory("place-fifo");
    let path = format!("{folder}/jobs");
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    for command in ["place", "next", "convert", "forecast"] {
        let error = refused(&[command, &path]);
        assert!(error.contains("FIFO") && error.contains("`-`"), "{command}: {error}");
    }
    let written = write(&folder, "values.yaml", DECLARED);
    let script = format!("'{}' place <(cat '{written}')", binary().get_program().to_str().unwrap());
    let ran = std::process::Command::new("bash").args(["-c", &script]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&ran.stdout), PLACED, "{ran:?}");
}

#[test]
fn undoing_names_what_forces_it() {
    let path = file("place-undo-force.yaml", PLACED.replace("51 0", "7 7"));
    let ran = kron(&["place", "--undo", &path]);
    assert!(ran.code == 2 && ran.err.contains("--force 'ops/backup'"), "{}", ran.err);
    let ran = kron(&["place", "--undo", "--force", "ops/backup", &path]);
    assert_eq!((ran.code, ran.out.as_str()), (0, "schedule: 0 0 * * *\n"), "{}", ran.err);
}

/// Whatever path is given: a comparison elsewhere in the repository would no longer match.
#[test]
fn what_a_workflow_calls_is_read_wherever_it_is() {
    const SCHEDULED: &str = "on:\n  schedule:\n  - cron: 0 3 * * *\njobs:\n  a:\n    steps:\n    - uses: ";
    let folder = directory("place-called");
    let action = "runs:\n  steps:\n  - if: github.event.schedule == '0 3 * * *'\n    run: x\n";
    write(&folder, ".github/actions/report/action.yml", action);
    write(
        &folder,
        "tools/between/action.yaml",
        "runs:\n  steps:\n  - {name: b, uses: ./.github/actions/report}\n",
    );
    write(&folder, "tools/other/action.yaml", "runs: {}\n");
    let called = ["direct", "between", "other"];
    for (name, path) in called.iter().zip([".github/actions/report", "tools/between", "tools/other"]) {
        write(&folder, &format!(".github/workflows/{name}.yml"), format!("{SCHEDULED}./{path}\n"));
    }
    let adopted = |paths: &[&str]| {
        let ran =
            kron(&[&["place", "--adopt", "--window", "1h", "--prefix", "x", "--check"], paths].concat());
        assert_eq!(ran.code, 1, "{}", ran.err);
        called.iter().filter(|name| ran.out.contains(&format!("{name}.yml"))).copied().collect::<Vec<_>>()
    };
    let below = |path: &str| format!("{folder}/{path}");
    assert_eq!(adopted(&[&folder]), ["other"]);
    assert_eq!(adopted(&["--exclude", "**/action.y*ml", &folder]), ["other"]);
    assert_eq!(adopted(&[&below(".github/workflows")]), ["other"]);
    assert_eq!(adopted(&[&below(".github/actions/../workflows")]), ["other"]);
    let files = called.map(|name| below(&format!(".github/workflows/{name}.yml")));
    assert_eq!(adopted(&files.each_ref().map(String::as_str)), ["other"]);
    // A declaration that somebody writes there is an error.
    let declared = SCHEDULED.replace("  - cron", "  # kron: 0 3 * * * @win(after,1h) name=x/a\n  - cron");
    let path =
        write(&folder, ".github/workflows/direct.yml", format!("{declared}./.github/actions/report\n"));
    let error = refused(&["place", "--check", &path]);
    assert!(error.contains("compares the text of its schedules"), "{error}");
    let ran = kron(&["spread", "--peak", "1", &path]);
    assert!(ran.code == 2 && ran.err.contains("compares the text of its schedules"), "{}", ran.err);
}

/// The crontab of each host, as `kron place --host NAME --save NAME.cron` writes it.
#[test]
fn crontabs_called_after_hosts_have_their_names() {
    let folder = directory("place-hosts");
    let crontab = write(&folder, "crontab", "0 0 * * * /usr/bin/report\n@reboot /usr/bin/warm\n");
    kron(&["place", "--adopt", "--window", "1h", "--prefix", "{host}/", "-i", &crontab]);
    let hosts = format!("{folder}/hosts");
    fs::create_dir_all(&hosts).unwrap();
    for number in 1..=4 {
        let host = format!("web-{number}.example.org");
        let saved = format!("{hosts}/{host}.cron");
        assert_eq!(kron(&["place", "--host", &host, "--save", &saved, &crontab]).code, 0);
    }
    let names = |args: &[&str]| {
        let ran = kron(&[args, &["-o", "json", "-c", "4", "--tz", "UTC"]].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        let found: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        // Between the host and the command stands the path of the test's folder.
        let short = |name: &str| {
            let host = name.split('/').next().unwrap();
            if name.ends_with("/crontab/report") { format!("{host}/report") } else { name.to_string() }
        };
        let names = found.as_array().unwrap().iter().map(|start| short(start["name"].as_str().unwrap()));
        (names.collect::<std::collections::BTreeSet<_>>(), ran.err)
    };
    let expected = (1..=4).map(|number| format!("web-{number}.example.org/report")).collect();
    for args in [&["next", &*hosts][..], &["next", &hosts, "--declared"]] {
        let (found, err) = names(args);
        assert_eq!(found, expected, "{args:?}");
        // What holds for each of them is said once.
        assert_eq!(err.matches("`@reboot` is not a time (and 3 more like it)").count(), 1, "{err}");
        assert_eq!(err.matches("warning").count(), 1, "{err}");
    }
    // The declared crontab belongs to no host until one is named.
    let (found, err) = names(&["next", &crontab, "--declared"]);
    assert!(found.contains("report") && err.contains("name the host by `--host`"), "{found:?} {err}");
    let (found, _) = names(&["next", &crontab, "--declared", "--host", "db-1"]);
    assert!(found.contains("db-1/report"), "{found:?}");
    let ran = kron(&["forecast", &hosts, "--declared", "--tz", "UTC"]);
    assert!(ran.out.contains("as spread") && !ran.err.contains("{host}"), "{}{}", ran.out, ran.err);
}
