//! Crontabs as packages install them and people write them: how they are recognized, and what their jobs are called.

use kron_core::Severity;
use kron_formats::convert::{
    ConvertCode, Converted, Format, Options, Source, convert, recognize, recognize_file,
};

use crate::support::{converted, from, messages};

fn in_utc() -> Options {
    Options { timezone: Some("UTC".into()), ..Options::default() }
}

fn names(converted: &Converted) -> Vec<&str> {
    let rests = converted.text.lines().filter_map(|line| line.split(" name=").nth(1));
    rests.filter_map(|rest| rest.split(' ').next()).collect()
}

#[track_caller]
fn of_file(path: &str, text: &str) -> Converted {
    convert(&[Source { name: path, text }], &in_utc()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Lines as Debian's packages have them.
const WITH_USERS: [&str; 12] = [
    "*/10 * * * * www-data [ -x /usr/share/awstats/tools/update.sh ] && /usr/share/awstats/tools/update.sh\n",
    "*/5 * * * * munin if [ -x /usr/bin/munin-cron ]; then /usr/bin/munin-cron; fi\n",
    "2 * * * * logcheck if [ -x /usr/sbin/logcheck ]; then nice -n10 /usr/sbin/logcheck; fi\n",
    "18 */3 * * * amavis test -e /usr/sbin/amavisd-new-cronjob && /usr/sbin/amavisd-new-cronjob sa-sync\n",
    "0 8 * * * list [ -x /usr/lib/mailman/cron/checkdbs ] && /usr/lib/mailman/cron/checkdbs\n",
    "15 0 * * * news /usr/lib/news/bin/news.daily expireover\n",
    "5-55/10 * * * * root command -v debian-sa1 > /dev/null && debian-sa1 1 1\n",
    "@reboot Debian-exim /usr/sbin/exim-tidy\n0 4 * * * Debian-exim /usr/sbin/exim-tidy\n",
    "0 3 * * * deploy cd /srv/app && ./run.sh\n",
    "0 0 * * * git /usr/bin/git-mirror --all\n",
    // FreeBSD's /etc/crontab.
    "SHELL=/bin/sh\n#minute hour mday month wday who command\n*/11 * * * * operator /usr/libexec/save-entropy\n\
     0 * * * * root newsyslog\n1 3 * * * root periodic daily\n1,31 0-5 * * * root adjkerntz -a\n",
    "0 3 * * * root:wheel /usr/sbin/a\n",
];

const WITHOUT_USERS: [&str; 8] = [
    "*/5 * * * * cd /srv/app && ./run.sh\n",
    "0 3 * * * php /var/www/cron.php\n0 4 * * * backup full\n",
    "0 3 * * * sh /srv/a.sh\n",
    "@reboot /usr/bin/a\n",
    "0 3 * * sat-sun /usr/bin/a\n",
    "0 3 * * * nice /usr/bin/a\n",
    "0 3 * * * A=b /usr/bin/a\n",
    "0 3 * * * mail -s x ops\n",
];

#[test]
fn the_column_of_users_is_recognized_by_what_follows_it() {
    for text in WITH_USERS {
        assert_eq!(recognize(text), Some(Format::CronD), "{text}");
    }
    for text in WITHOUT_USERS {
        assert_eq!(recognize(text), Some(Format::Crontab), "{text}");
    }
    // A word that can be either, and both in one file.
    for text in ["0 3 * * * backup full\n", "0 3 * * * root a b\n0 3 * * * /usr/bin/c\n", "# none\n"] {
        assert_eq!(recognize(text), None, "{text}");
    }
}

#[test]
fn the_place_of_a_file_shows_its_format() {
    let text = "0 3 * * * backup full\n";
    assert_eq!(recognize_file("/etc/cron.d/backup", text), Some(Format::CronD));
    assert_eq!(recognize_file("/etc/crontab", text), Some(Format::CronD));
    assert_eq!(recognize_file("/var/spool/cron/crontabs/ann", text), Some(Format::Crontab));
    // What an object or a section says is stronger.
    assert_eq!(recognize_file("cron.d/a.yaml", "kind: CronJob\n"), Some(Format::CronJob));
    let job = of_file("etc/cron.d/backup", text);
    assert!(job.text.contains("name=backup command=full user=backup"), "{}", job.text);
}

#[test]
fn comments_alone_are_a_crontab_without_a_schedule() {
    for text in ["", "# m h dom mon dow command\n", "# a\nMAILTO=root\n#0 3 * * * root x\n"] {
        let converted = of_file("file", text);
        assert_eq!((converted.text.as_str(), converted.converted, converted.refused), ("", 0, 0));
        assert!(
            messages(&converted, Severity::Warning).iter().any(|found| found.contains("it has no schedule"))
        );
    }
}

#[test]
fn help_names_the_formats_that_are_likely() {
    let unclear = |text: &str| convert(&[Source { name: "file", text }], &in_utc()).unwrap_err();
    let found = unclear("0 3 * * * backup full\n");
    assert_eq!(found.finding.code, ConvertCode::FormatUnclear.into());
    assert_eq!(
        found.to_string(),
        "it is not clear whether the sixth word of a line is a user or its command; add `--format cron.d` if it is a user, or \
         `--format crontab` if it is the command"
    );
    let found = unclear("x: y\n").to_string();
    assert!(
        found.starts_with("the format is not clear; add `--format` and one of `cronjob`, `crontab`"),
        "{found}"
    );
}

#[test]
fn jobs_are_named_after_the_command_that_runs() {
    let text = "0 1 * * * [ -x /a ] && b\n0 2 * * * test -e x || c\n0 3 * * * if [ -x d ]; then d2; fi\n0 4 * * * cd x && ./e.sh\n\
                0 5 * * * flock f g\n0 6 * * * A=b h\n0 7 * * * command -v i > /dev/null && i\n";
    assert_eq!(
        names(&converted(text, &Options { format: Some(Format::Crontab), ..in_utc() })),
        ["b", "c", "d2", "e", "g", "h", "i"]
    );
}

#[test]
fn a_file_of_one_job_gives_it_its_name() {
    let line = "*/15 * * * * root [ -f /etc/sanoid/sanoid.conf ] && /usr/sbin/snapshots\n";
    assert_eq!(names(&of_file("/etc/cron.d/sanoid", line)), ["sanoid"]);
    assert_eq!(
        names(&of_file("/etc/cron.d/sanoid", &format!("{line}0 3 * * * root /bin/a\n"))),
        ["snapshots", "a"]
    );
    // A line that is refused is a job, too.
    assert_eq!(names(&of_file("/etc/cron.d/sanoid", &format!("@reboot root /bin/a\n{line}"))), ["snapshots"]);
    assert_eq!(names(&of_file("/etc/crontab", line)), ["snapshots"]);
}

/// Neither a line above nor another order changes the name of a line.
#[test]
fn equal_names_are_told_apart_by_their_lines() {
    let [one, two, three] = ["0 1 * * * /bin/x a\n", "0 2 * * * /bin/x b\n", "0 3 * * * /bin/x c\n"];
    let of = |text: String| {
        let jobs = converted(&text, &Options { format: Some(Format::Crontab), ..in_utc() });
        names(&jobs).into_iter().map(str::to_string).collect::<Vec<_>>()
    };
    let pair = of([one, two].concat());
    assert!(pair.iter().all(|name| name.starts_with("x-") && name.len() == 10), "{pair:?}");
    assert_eq!(of([three, two, one].concat())[1..], [pair[1].clone(), pair[0].clone()]);
    // Across files.
    let sources = [one, two].map(|text| Source { name: "file", text });
    assert_eq!(names(&convert(&sources, &in_utc()).unwrap()), pair);
    // Only equal lines are counted.
    let name = &pair[0];
    assert_eq!(of([one, one].concat()), [name.clone(), format!("{name}-2")]);
    let long = format!("0 1 * * * /bin/{0} a\n0 2 * * * /bin/{0} b\n", "y".repeat(100));
    assert!(of(long).iter().all(|name| name.len() == 64));
}

#[test]
fn random_delays_become_windows() {
    let line = |text: &str| {
        let converted = converted(text, &Options { format: Some(Format::Crontab), ..in_utc() });
        (converted.text.trim_end().to_string(), messages(&converted, Severity::Warning).join("\n"))
    };
    let policy = "@policy(concurrency=allow,deadline=1m)";
    for (delay, window) in [
        ("sleep $((RANDOM \\% 300)) &&", "4m59s"),
        ("sleep $(shuf -i 0-300 -n 1);", "5m"),
        ("perl -e 'sleep int(rand(300))' &&", "4m59s"),
    ] {
        let (job, warning) = line(&format!("0 3 * * * {delay} /bin/x --y\n"));
        assert_eq!(job, format!("0 3 * * * @win(after,{window}) {policy} name=x command=\"/bin/x --y\""));
        let written = delay.trim_end_matches([' ', '&', ';']).replace('\\', "");
        assert_eq!(
            warning,
            format!("line 1: `{written}` became a window of {window}: Kron chooses the second")
        );
    }
    // A line has one window.
    let (job, warning) = line("RANDOM_DELAY=5\n0 3 * * * sleep $((RANDOM \\% 300)) && x\n");
    assert_eq!(
        job,
        format!(
            "0 3 * * * @win(after,5m) @seed(fixed) {policy} name=x command=\"sleep $((RANDOM % 300)) && x\""
        )
    );
    assert_eq!(warning, "");
    let (job, _) = line("0 23 * * * sleep $((RANDOM \\% 20000)) && x\n");
    assert!(job.starts_with("0 23 * * * @win(after,5h33m19s) "), "{job}");
}

#[test]
fn an_anacrontab_is_refused_with_what_takes_its_place() {
    let text = "SHELL=/bin/sh\n1\t5\tcron.daily\tnice run-parts /etc/cron.daily\n@monthly 45 cron.monthly nice run-parts /etc/cron.monthly\n";
    for (name, text) in [("file", text), ("/etc/anacrontab", "# none\n")] {
        let found = convert(&[Source { name, text }], &in_utc()).unwrap_err();
        assert_eq!(found.finding.code, ConvertCode::NotExpressible.into());
        let help = found.finding.help.unwrap_or_default();
        let job = help.split('`').nth(1).unwrap_or_default();
        assert!(kron_core::Parser::new().job_file(job).is_ok(), "{help}");
    }
}

#[test]
fn what_is_kron_already_is_not_converted() {
    let kronjob =
        "apiVersion: kron.io/v1alpha1\nkind: KronJob\nmetadata: {name: a}\nspec: {schedule: '@daily'}\n";
    for text in ["0 0 * * * name=a\n", "0 0 * * * name=a key=b\n", "@daily cwd=/srv name=\"a b\"\n", kronjob]
    {
        let found = convert(&[Source { name: "file", text }], &in_utc()).unwrap_err();
        assert_eq!(found.finding.code, ConvertCode::JobFile.into(), "{text}");
        assert!(found.to_string().contains("converted already"), "{found}");
    }
    assert_eq!(converted("0 0 * * * name=a ./run.sh\n", &in_utc()).converted, 1);
}

#[test]
fn groups_and_login_classes_are_left_out() {
    let converted =
        converted("0 3 * * * root:wheel/daemon /bin/a\n", &Options { timezone: None, ..from(Format::CronD) });
    assert!(converted.text.ends_with("command=/bin/a user=root\n"), "{}", converted.text);
    let warnings = messages(&converted, Severity::Warning);
    assert!(warnings[0].starts_with("line 1: `wheel/daemon` behind the user is left out"), "{warnings:?}");
}

/// What holds for all files is said once, and what is counted is counted in all of them.
#[test]
fn findings_about_all_files_are_said_once() {
    let text = "~ 3 * * * root /bin/a\n";
    let sources = ["a", "b", "c"].map(|name| Source { name, text });
    let options = Options { host_timezone: Some("Europe/Paris".into()), ..from(Format::CronD) };
    let converted = convert(&sources, &options).unwrap();
    let found: Vec<String> = converted.findings.iter().map(ToString::to_string).collect();
    assert_eq!(
        found,
        [
            "times are read in `Europe/Paris`, the time zone of this machine; add `--tz ZONE` if the schedules are from another machine",
            "3 jobs have random times, which became a window with `@seed(fixed)`: the frequency is the same, the minute is another",
            "`kron run` starts commands as its own user; the user of each line is kept as `user=`; give each user a file and a `kron run`",
            "cron starts commands in the home directory of the user, `kron run` in its own directory; add `cwd=` to the jobs, or start `kron run` there",
        ]
    );
    assert_eq!(converted.text.matches("@tz(Europe/Paris)").count(), 3);
    // The options name another zone.
    let options = Options { timezone: Some("Asia/Tokyo".into()), ..options };
    let converted = convert(&sources, &options).unwrap();
    assert_eq!(converted.text.matches("@tz(Asia/Tokyo)").count(), 3);
    assert!(converted.findings.iter().all(|found| !found.to_string().contains("read in")));
}

/// `sun` at the end of a range is the last day of a week.
#[test]
fn ranges_of_weekdays_end_on_sunday() {
    for (range, days, want) in [
        ("sat-sun", "6,0", "0,2,6"),
        ("fri-sun", "5,6,0", "0,2,5,6"),
        ("Thu-SUN/2", "4,6", "2-6/2"),
        ("5-sun", "5,6,0", "0,2,5,6"),
    ] {
        let options = Options { format: Some(Format::Crontab), ..in_utc() };
        let converted = converted(&format!("0 3 * * 2,{range} /bin/a\n"), &options);
        let line = &converted.text;
        assert!(line.starts_with(&format!("0 3 * * {want} ")), "{line}");
        assert_eq!(
            messages(&converted, Severity::Warning),
            [format!(
                "line 1: day of week: `{range}` is read as `{days}`, as cronie and systemd-cron read it; other crons refuse it"
            )]
        );
    }
    let options = Options { format: Some(Format::Crontab), ..in_utc() };
    for range in ["sun-sat", "mon-sat"] {
        let converted = converted(&format!("0 3 * * {range} /bin/a\n"), &options);
        assert_eq!(messages(&converted, Severity::Warning), [""; 0]);
    }
    assert!(crate::support::refusal("0 3 * * sat-mon /bin/a\n", &options).contains("write `6,0,1`"));
}

/// People switch a line off by a date that does not come.
#[test]
fn a_line_that_never_starts_becomes_a_comment() {
    let options = Options { format: Some(Format::Crontab), ..in_utc() };
    let converted = converted("0 3 * * * /bin/a\n0 0 31 2 * /bin/b\n", &options);
    let policy = "@policy(concurrency=allow,deadline=1m)";
    assert_eq!(
        converted.text,
        format!(
            "0 3 * * * {policy} name=a command=/bin/a\n\
             # It never starts, because no date matches: 0 0 31 2 * {policy} name=b command=/bin/b\n"
        )
    );
    assert_eq!((converted.converted, converted.refused), (1, 0));
    assert_eq!(
        messages(&converted, Severity::Warning),
        ["line 2: `0 0 31 2 *` matches no date, so the job never starts, and is left out"]
    );
    let alone = crate::support::converted("0 0 30 2 * /bin/b\n", &options);
    assert_eq!((alone.text.as_str(), alone.findings.len()), ("", 1), "{alone:?}");
    // In every format.
    let argo = "kind: CronWorkflow\nmetadata: {name: a}\nspec: {schedule: 0 0 31 2 *, workflowSpec: {}}\n";
    for text in [argo, "H 3 31 2 *\n", "[Timer]\nOnCalendar=*-02-31 03:00\n"] {
        let converted = crate::support::converted(text, &in_utc());
        assert_eq!((converted.converted, converted.refused), (0, 0), "{converted:?}");
        let found = messages(&converted, Severity::Warning);
        assert!(found.iter().any(|found| found.contains("matches no date")), "{found:?}");
    }
}
