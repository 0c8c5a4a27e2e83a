//! `kron convert`: where it reads and writes, and its exit codes. What is converted into what: see the tests of kron-formats.

use crate::support::{directory, file, kron, kron_in, kron_now, kron_with, refused, with_path_hidden};

const CRONJOB: &str = "apiVersion: batch/v1
kind: CronJob
metadata: {name: backup, namespace: prod}
spec:
  schedule: 0 3 * * *  # at night
  timeZone: Europe/Paris
  startingDeadlineSeconds: 60
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: busybox}]}}}}
";

#[test]
fn manifests_go_to_stdout() {
    let ran = kron_with(&["convert", "-"], CRONJOB.as_bytes());
    let want = CRONJOB
        .replace("batch/v1", "kron.io/v1alpha1")
        .replace("CronJob", "KronJob")
        .replace(
            "timeZone: Europe/Paris\n",
            "timezone: Europe/Paris\n  policy:\n    concurrency: allow\n    deadline: 60s\n",
        )
        .replace("  startingDeadlineSeconds: 60\n", "");
    assert_eq!((ran.code, ran.err.as_str(), ran.out.as_str()), (0, "", want.as_str()));
    // What comes out goes in.
    let ran = kron_with(&["next", "-f", "-", "--at", "2026-03-01T00:00:00Z", "-c", "1"], want.as_bytes());
    assert!(ran.out.contains("2026-03-01T02:00:00Z"), "{ran:?}");
}

#[test]
fn a_window_is_added() {
    let path = file("convert-window.yaml", CRONJOB);
    let ran = kron(&["convert", &path, "--window", "30m", "--fixed", "--format", "cronjob"]);
    assert!(ran.out.contains("  window:\n    duration: 30m\n  seed:\n    strategy: fixed\n"), "{ran:?}");
    assert!(refused(&["convert", &path, "--fixed"]).contains("--window"));
}

#[test]
fn refusals_go_to_stderr() {
    let good = file("convert-good.yaml", CRONJOB);
    let bad = file(
        "convert-bad.yaml",
        CRONJOB.replace("name: backup", "name: other").replace("0 3 * * * ", "'@every 90s'"),
    );
    let ran = kron(&["convert", &good, &bad]);
    assert_eq!((ran.code, ran.out.matches("kind: KronJob").count()), (1, 1), "{ran:?}");
    assert_eq!(
        with_path_hidden(&ran.err, &bad),
        "error: prod/other: spec.schedule: `@every` is not a calendar schedule\n--> FILE:1\n \
         = help: write a step, such as `*/15 * * * *` for every 15 minutes\n"
    );
    let error = refused(&["convert", "nowhere.yaml"]);
    assert!(error.contains("there is no such file"), "{error}");
    let path = file("convert-broken.yaml", "kind: CronJob\nspec: [");
    assert!(refused(&["convert", &path]).contains("the bracket `[` is not closed"));
    let path = file("convert-unknown.yaml", "x: y");
    assert!(refused(&["convert", &path]).contains("--format"));
}

#[test]
fn crontabs_become_job_files() {
    let path =
        file("convert.crontab", "# nightly\n0 3 * * * /usr/bin/backup --full\n@reboot /usr/bin/clean\n");
    let ran = kron(&[
        "convert",
        &path,
        "--format",
        "crontab",
        "--tz",
        "Europe/Paris",
        "-n",
        "web-1",
        "--window",
        "1h",
    ]);
    assert_eq!(
        ran.out,
        "# nightly\n0 3 * * * @tz(Europe/Paris) @win(after,1h) @policy(concurrency=allow,deadline=1m) name=web-1/backup \
         command=\"/usr/bin/backup --full\"\n"
    );
    assert_eq!(ran.code, 1);
    assert!(ran.err.starts_with("error: `@reboot` is not a time\n"), "{}", ran.err);
    let error = refused(&["convert", &path, "--tz", "Europe/Pariss"]);
    assert!(error.contains("--tz: ") && error.contains("did you mean `Europe/Paris`?"), "{error}");
    let manifests = file("convert-mixed.yaml", CRONJOB);
    assert!(refused(&["convert", &path, &manifests]).contains("do not go into one file"));
}

/// The zone of this machine is that of `TZ` in tests.
#[test]
fn crontabs_and_timers_without_a_zone_are_in_that_of_this_machine() {
    let crontab = "# none\n0 3 * * * /usr/bin/backup\n";
    let of = |variables: &[(&str, &str)], args: &[&str], text: &str| {
        kron_in(variables, &[&["convert", "-"], args].concat(), text.as_bytes())
    };
    let paris = [("TZ", "Europe/Paris")];
    let ran = of(&paris, &[], crontab);
    assert!(ran.out.starts_with("# none\n0 3 * * * @tz(Europe/Paris) "), "{ran:?}");
    assert!(
        ran.err.starts_with("note: times are read in `Europe/Paris`, the time zone of this machine\n"),
        "{ran:?}"
    );
    let ran = of(&paris, &[], "[Timer]\nOnCalendar=*-*-* 03:00\n");
    assert!(ran.out.starts_with("0 3 * * * @tz(Europe/Paris) "), "{ran:?}");
    let ran = of(&paris, &["--tz", "Asia/Tokyo"], crontab);
    assert!(ran.out.contains(" @tz(Asia/Tokyo) ") && !ran.err.contains("read in"), "{ran:?}");
    // Servers of Jenkins are other machines.
    assert!(of(&paris, &[], "H 3 * * *\n").out.starts_with("0 3 * * * @win"));
    // A zone that the database does not have.
    for variables in [&[("TZ", "CET-1CEST")][..], &[]] {
        let ran = of(variables, &[], crontab);
        assert!(ran.err.starts_with("warning: times are read in UTC"), "{ran:?}");
    }
}

#[test]
fn files_of_cron_d_are_recognized_by_their_place() {
    let dir = directory("convert-cron-d");
    std::fs::create_dir_all(format!("{dir}/cron.d")).unwrap();
    let (one, none) = (format!("{dir}/cron.d/nightly"), format!("{dir}/cron.d/.placeholder"));
    std::fs::write(&one, "0 3 * * * backup full\n").unwrap();
    std::fs::write(&none, "# none\n").unwrap();
    let ran = kron(&["convert", &one, &none, "--tz", "UTC"]);
    let want = "0 3 * * * @policy(concurrency=allow,deadline=1m) name=nightly command=full user=backup\n";
    assert_eq!((ran.code, ran.out.as_str()), (0, want), "{ran:?}");
}

#[test]
fn units_find_each_other_by_the_names_of_their_files() {
    let dir = directory("convert-units");
    let (timer, service) = (format!("{dir}/backup.timer"), format!("{dir}/backup.service"));
    std::fs::write(&timer, "[Timer]\nOnCalendar=*-*-* 03:00 Europe/Paris\n").unwrap();
    std::fs::write(&service, "[Service]\nExecStart=/usr/bin/backup\n").unwrap();
    let ran = kron(&["convert", &service, &timer]);
    let want = "0 3 * * * @tz(Europe/Paris) @policy(deadline=1m) name=backup command=/usr/bin/backup\n";
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, want, ""));
}

#[test]
fn jobs_of_jenkins_are_named_after_their_directories() {
    let dir = directory("convert-jenkins");
    let (job, repository) = (format!("{dir}/nightly/config.xml"), format!("{dir}/shop.v2/Jenkinsfile"));
    for path in [&job, &repository] {
        std::fs::create_dir_all(std::path::Path::new(path).parent().unwrap()).unwrap();
    }
    let timer = "<hudson.triggers.TimerTrigger><spec>0 3 * * *</spec></hudson.triggers.TimerTrigger>";
    std::fs::write(&job, format!("<project><triggers>{timer}</triggers></project>")).unwrap();
    std::fs::write(&repository, "pipeline { triggers { cron('0 4 * * *') } }").unwrap();
    let ran = kron(&["convert", &job, &repository, "--tz", "UTC"]);
    let want = "0 3 * * * @policy(deadline=1m) name=nightly\n0 4 * * * @policy(deadline=1m) name=shop.v2\n";
    assert_eq!((ran.code, ran.out.as_str()), (0, want), "{ran:?}");
}

#[test]
fn job_files_are_not_converted() {
    for text in [
        "# jobs\n0 0 * * * @win(after,6h) name=a command=b\n",
        "0 0 * * * name=a command=b\n",
        "@daily @tz(Europe/Paris) name=a\n",
    ] {
        let ran = kron_with(&["convert", "-"], text.as_bytes());
        assert!(ran.code == 2 && ran.err.contains("this is a job file of Kron"), "{ran:?}");
    }
    let ran = kron_with(&["convert", "-", "--tz", "UTC"], b"0 0 * * * name=x ./run.sh\n");
    assert!(ran.code == 0 && ran.out.contains("command=\"name=x ./run.sh\""), "{ran:?}");
}

#[test]
fn job_files_are_exported() {
    let jobs = "0 3 * * * @win(after,1h) @policy(concurrency=allow) name=a/b command=backup\n";
    let ran = kron_with(&["export", "-"], jobs.as_bytes());
    let line = "0 3 * * * kron wait '0 3 * * * @win(after,1h0m0s) @policy(concurrency=allow,deadline=1m0s)' --name a/b && backup\n";
    assert_eq!((ran.code, ran.out, ran.err.as_str()), (0, line.to_string(), ""));
    let dir = directory("export-units");
    let ran = kron_with(
        &["export", "-o", "systemd", "-", "--save", &dir],
        jobs.replace("concurrency=allow", "").replace("@policy()", "").as_bytes(),
    );
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
    let timer = std::fs::read_to_string(format!("{dir}/a-b.timer")).unwrap();
    assert!(timer.contains("OnCalendar=*-*-* 3:0:00 UTC\n"), "{timer}");
    assert!(
        std::fs::read_to_string(format!("{dir}/a-b.service")).unwrap().contains("--name a/b && backup\"")
    );
    let ran = kron_with(&["export", "-o", "systemd", "-"], jobs.as_bytes());
    let want = "error: --save says which directory gets the units, and is missing\n \
                = help: write for example `kron export jobs.kron -o systemd --save /etc/systemd/system`\n";
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (2, "", want));
    // An error of the jobs comes first.
    assert!(
        kron_with(&["export", "-o", "systemd", "-"], b"61 * * * * name=a").err.contains("schedule.minute")
    );
    let saved = format!("{dir}/crontab");
    let ran = kron_with(&["export", "-", "--save", &saved], jobs.as_bytes());
    assert_eq!((ran.code, ran.out.as_str()), (0, ""));
    assert_eq!(std::fs::read_to_string(&saved).unwrap(), line.to_string());
    let ran = kron_with(&["export", "-"], b"@daily name=a");
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(ran.err.contains("the job has no command"), "{}", ran.err);
    let ran = kron_with(&["export", "-"], b"61 * * * * name=a");
    assert_eq!(ran.code, 2);
    let ran = kron_with(&["export", "-"], b"# none yet\n");
    assert!(ran.code == 2 && ran.out.is_empty(), "{ran:?}");
    assert!(ran.err.contains("there are no jobs to export"), "{ran:?}");
    assert!(ran.err.contains("there are no jobs"), "{ran:?}");
    let ran = kron_with(&["export", "-"], CRONJOB.as_bytes());
    assert!(ran.code == 2 && ran.err.contains("CronJobs have Jobs, not commands"), "{ran:?}");
    let error = refused(&["export", "0 3 * * *", "--name", "a"]);
    assert!(
        error.starts_with("error: a job text has no command, so there is nothing to export\n"),
        "{error}"
    );
    let manifest = kron_with(&["convert", "-"], CRONJOB.as_bytes()).out;
    let ran = kron_with(&["export", "-"], manifest.as_bytes());
    assert!(ran.code == 2 && ran.err.contains("KronJobs have Jobs, not commands"), "{ran:?}");
}

/// Debian's cron knows no `CRON_TZ`: a crontab for any cron has the times of the machine's zone.
#[test]
fn crontabs_have_the_times_of_the_machine() {
    let jobs = b"0 3 * * * @tz(Europe/Paris) @policy(concurrency=allow,deadline=1m) name=a command=a\n";
    let of = |zone: &str, args: &[&str]| kron_in(&[("TZ", zone)], &[&["export", "-"], args].concat(), jobs);
    let ran = of("Europe/Paris", &[]);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "0 3 * * * a\n", ""));
    let ran = of("Asia/Tokyo", &["--cron", "cronie"]);
    assert_eq!(
        (ran.code, ran.out.as_str(), ran.err.as_str()),
        (0, "CRON_TZ=Europe/Paris\n0 3 * * * a\n", "")
    );
    let path = file("export-zones.kron", std::str::from_utf8(jobs).expect("UTF-8"));
    // Without a zone of the machine, it is UTC.
    let ran = kron_now("2026-03-01T00:00:00Z", &["export", &path]);
    assert_eq!((ran.code, ran.out.as_str()), (0, "0 2 * * * a\n"));
    assert_eq!(
        with_path_hidden(&ran.err, &path),
        "warning: a: cron reads its line in `UTC`, the time zone of the machine: from 2026-03-29T01:00:00Z on, when clocks \
         change, it starts 60 minutes off the times of `Europe/Paris`\n--> FILE:1\n \
         = help: export it again then, or use `--cron cronie` if cron knows `CRON_TZ`\n"
    );
    let error = refused(&["export", &path, "-o", "systemd", "--cron", "any"]);
    assert!(error.starts_with("error: --cron is for `-o crontab`"), "{error}");
}
