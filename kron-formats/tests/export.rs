//! Jobs become crontabs and units that start them at the beginning of their windows.

use chrono::NaiveDateTime;
use kron_core::Severity;
use kron_formats::convert::{CronProgram, ExportOptions, Exported, Format, Options, Target, export};
use kron_formats::{LoadOptions, load};

use crate::readers::{calendar, minutes, nominal_times, vixie};
use crate::support::{Random, converted, from, jobs};

fn for_cronie() -> ExportOptions {
    ExportOptions { cron: CronProgram::Cronie, ..ExportOptions::new(Target::Crontab) }
}

#[track_caller]
fn crontab(text: &str) -> String {
    let exported = export(&jobs(text), &for_cronie());
    assert_eq!(exported.refused, 0, "{:?}", exported.findings);
    exported.files[0].1.clone()
}

fn messages(exported: &Exported, severity: Severity) -> Vec<String> {
    exported
        .findings
        .iter()
        .filter(|found| found.finding.severity == severity)
        .map(ToString::to_string)
        .collect()
}

#[test]
fn crontabs() {
    let file = "0 3 * * * name=a command=\"date +%F\"\n\
                0 1 */2 * 1 @win(after,3h) name=b/c command=\"x; y\" cwd=/srv env.A=1 env.B=\"x y\"\n\
                0 3 * * * @tz(Asia/Tokyo) @win(before,1h) name=\"it's\" command=x timeout=90s\n\
                0 3 * * * @tz(Asia/Tokyo) @policy(suspend=true,deadline=1h) name=d command=x\n";
    assert_eq!(
        crontab(file),
        "CRON_TZ=UTC\n\
         0 3 * * * date +\\%F\n\
         0 1 1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31 * 1 kron wait '0 1 */2 * 1 @win(after,3h0m0s) @policy(deadline=1m0s)' \
         --name b/c && cd /srv && export A=1 B='x y' && sh -c 'x; y'\n\
         CRON_TZ=Asia/Tokyo\n\
         0 2 * * * kron wait '0 3 * * * @tz(Asia/Tokyo) @win(before,1h0m0s) @policy(deadline=1m0s)' --name 'it'\\''s' && \
         timeout 90 sh -c x\n\
         0 3 * * * kron wait '0 3 * * * @tz(Asia/Tokyo) @policy(deadline=1h0m0s,suspend=true)' --name d && x\n"
    );
    let exported = export(&jobs(file), &for_cronie());
    assert_eq!(
        messages(&exported, Severity::Warning),
        [
            "cron starts a command while the last one runs; 4 of 4 jobs do not allow that; put `flock -n FILE` before their commands",
            "cron makes up for no start that it missed; 1 of 4 jobs have a deadline longer than a minute; export to systemd, which \
             makes up for the last one, or use `kron run`"
        ]
    );
}

/// cron starts the wider expression, and `kron wait` judges the day; the calendars of a timer have the days themselves.
#[test]
fn rules_of_days() {
    let file = "0 9 * * * @days(dow=MON;dom=1-7) name=a command=x\n";
    assert_eq!(
        crontab(file),
        "CRON_TZ=UTC\n0 9 * * * kron wait '0 9 * * * @days(dow=1;dom=1-7) @policy(deadline=1m0s)' --name a && x\n"
    );
    let exported = export(&jobs(file), &ExportOptions::new(Target::Systemd));
    assert_eq!(calendars(&exported), ["Mon *-*-1..7 9:0:00 UTC"]);
    assert!(exported.files[1].1.contains("ExecStart=/bin/sh -c \"x\"\n"), "{}", exported.files[1].1);
}

/// The calendars of the first timer.
#[track_caller]
fn calendars(exported: &Exported) -> Vec<&str> {
    assert_eq!(exported.refused, 0, "{:?}", exported.findings);
    exported.files[0].1.lines().filter_map(|line| line.strip_prefix("OnCalendar=")).collect()
}

#[test]
fn rules_of_days_as_calendars() {
    for (text, want) in [
        ("0 9 * * * @days(last=1)", &["*-*~1 9:0:00 UTC"][..]),
        ("0 9 * * * @days(dow=FRI;last=1-7) @nodays(months=DEC)", &["Fri *-1..11~1..7 9:0:00 UTC"]),
        ("0 9 * * MON-FRI @days(last=1-28)", &["Mon,Tue,Wed,Thu,Fri *-*~1..28 9:0:00 UTC"]),
        ("0 9 13 * 5 @days(months=1-3)", &["*-1..3-13 9:0:00 UTC", "Fri *-1..3-* 9:0:00 UTC"]),
        ("0 9 * * * @days(dom=1) @days(last=1)", &["*-*-1 9:0:00 UTC", "*-*~1 9:0:00 UTC"]),
        ("0 9 * * * @days(last=1,2,28)", &["*-*~1..2 9:0:00 UTC", "*-*~28 9:0:00 UTC"]),
        ("0 9 * * * @days(date=2027-02-03)", &["2027-2-3 9:0:00 UTC"]),
        ("0 9 * * * @days(dow=MON;dates=2027-01-01..2028-12-31)", &["Mon 2027..2028-*-* 9:0:00 UTC"]),
        ("0 9 * * * @days(dates=0001-01-01..9999-12-31)", &["1970..2099-*-* 9:0:00 UTC"]),
        ("0 9 * * * @nodays(dow=SAT,SUN;dom=13)", &["Mon,Tue,Wed,Thu,Fri *-*-1..12,14..31 9:0:00 UTC"]),
        (
            "0 9 * * * @nodays(dow=FRI&dom=13)",
            &["Mon,Tue,Wed,Thu,Sat,Sun *-*-* 9:0:00 UTC", "*-*-1..12,14..31 9:0:00 UTC"],
        ),
        ("30 9 * * * @win(before,1h) @days(months=11-2)", &["*-1,2,11,12-* 8:30:00 UTC"]),
    ] {
        let jobs = jobs(&format!("{text} name=a command=x\n"));
        assert_eq!(calendars(&export(&jobs, &ExportOptions::new(Target::Systemd))), want, "{text}");
    }
}

#[test]
fn rules_of_days_that_no_calendar_says() {
    for (text, want) in [
        (
            "0 9 * * * @days(workday=1)",
            "no calendar of systemd says `workday=1` of `workday=1`; export it to a crontab",
        ),
        ("0 9 * * * @days(near=15;months=1)", "no calendar of systemd says `near=15` of `months=1;near=15`"),
        ("0 9 * * * @days(every=2w;from=2027-01-04)", "no calendar of systemd says `every=2w`"),
        ("0 9 * * * @days(last=29)", "no calendar of systemd says `last=29` of `last=29`"),
        ("0 9 * * * @nodays(last=1)", "no calendar of systemd says `last=1` of `@nodays(last=1)`"),
        ("0 9 * * * @nodays(date=2027-01-01)", "no calendar of systemd says `date=2027-01-01` of"),
        (
            "0 9 * * * @days(dates=2027-01-02..2027-12-31)",
            "no calendar of systemd says `dates=2027-01-02..2027-12-31`",
        ),
        (
            "0 9 1-14 * * @days(last=1-28)",
            "no calendar of systemd counts days from the beginning and from the end",
        ),
        ("0 9 1-14 * * @days(dom=15)", "its clauses of days leave no day; change its `@days`"),
        (
            "30 0 * * * @win(before,1h) @days(dow=1)",
            "the window begins on the day before the one that its clauses of days choose",
        ),
    ] {
        let exported =
            export(&jobs(&format!("{text} name=a command=x\n")), &ExportOptions::new(Target::Systemd));
        assert_eq!(exported.refused, 1, "{text}: {exported:?}");
        let found = messages(&exported, Severity::Error).remove(0);
        assert!(found.starts_with(&format!("line 1: a: {want}")), "{text}: {found}");
    }
    let many: String = (1..=101).map(|day| format!("@days(date={}-01-01) ", 1970 + day)).collect();
    let exported =
        export(&jobs(&format!("0 9 * * * {many}name=a command=x\n")), &ExportOptions::new(Target::Systemd));
    assert!(
        messages(&exported, Severity::Error)[0].contains("need more than 100 calendars of systemd"),
        "{exported:?}"
    );
}

/// Random rules of days.
fn rules(random: &mut Random) -> String {
    const PARTS: [&str; 10] = [
        "dow=1-5",
        "dow=6,0",
        "dow=FRI",
        "dom=1-7",
        "dom=13",
        "dom=29-31",
        "months=DEC",
        "months=11-2",
        "last=1-7",
        "last=1,28",
    ];
    let mut text = String::new();
    for _ in 0..random.below(3) {
        let (one, two) = (random.pick(&PARTS), random.pick(&PARTS));
        let is_one = one[..3] == two[..3] || random.one_in(2);
        text += &if is_one { format!(" @days({one})") } else { format!(" @days({one};{two})") };
    }
    if random.one_in(2) {
        text += &format!(" @nodays({})", random.pick(&["dow=SUN", "months=8", "dom=13", "dow=FRI&dom=13"]));
    }
    let dates = ["", "", " @days(date=2027-03-05)", " @days(dates=2028-01-01..2029-12-31;dow=2)"];
    text + *random.pick(&dates)
}

/// A second reading of the calendars, and that of systemd itself, where it is installed.
#[test]
fn random_rules_of_days_elapse_as_the_job_starts() {
    let mut random = Random::new(51);
    let (mut compared, mut returned, mut elapsed, mut is_installed) = (0, 0, 0, true);
    for _ in 0..200 {
        let fields = *random.pick(&["0 9 * * *", "0 9 * * *", "0 9 13 * 5", "0 9 */2 * *", "30 9 * 2 1-4"]);
        let text = format!("{fields}{}", rules(&mut random));
        let loaded = jobs(&format!("{text} name=a command=x\n"));
        let exported = export(&loaded, &ExportOptions::new(Target::Systemd));
        if exported.refused > 0 {
            continue;
        }
        let events = calendars(&exported);
        let mut found: Vec<NaiveDateTime> = events
            .iter()
            .flat_map(|event| minutes(calendar::reader(event.trim_end_matches(" UTC"))))
            .collect();
        found.sort_unstable();
        found.dedup();
        let want = nominal_times(&loaded[0].job);
        assert_eq!(found, want, "{text}\n{events:?}");
        // The timer is converted back into the same times, if it is sayable in one job.
        let back = converted(
            &exported.files[0].1,
            &Options { timezone: Some("UTC".into()), ..from(Format::Systemd) },
        );
        if back.converted == 1 {
            assert_eq!(nominal_times(&jobs(&back.text)[0].job), want, "{text}\n{}", back.text);
            returned += 1;
        }
        compared += 1;
        if is_installed && compared % 4 == 0 {
            match systemd(&events) {
                Ok(all) => {
                    let common = all.len().min(want.len());
                    assert_eq!(all[..common], want[..common], "{text}\n{events:?}");
                    elapsed += common;
                }
                Err(error) => {
                    println!("skipped: systemd-analyze: {error}");
                    is_installed = false;
                }
            }
        }
    }
    assert!(compared > 100 && returned * 3 > compared * 2, "{compared}, {returned}");
    assert!(!is_installed || elapsed > 200, "{elapsed}");
}

/// When calendars elapse from 2027 on: the first times, as systemd says.
fn systemd(events: &[&str]) -> std::io::Result<Vec<NaiveDateTime>> {
    const COUNT: usize = 10;
    let mut all = std::collections::BTreeSet::new();
    let mut until = None;
    for event in events {
        let out = std::process::Command::new("systemd-analyze")
            .args(["calendar", "--iterations=10", "--base-time=2026-12-31 23:59:59 UTC", event])
            .output()?;
        let out = String::from_utf8_lossy(&out.stdout).into_owned();
        let times = out.lines().filter(|line| line.contains("elapse: ") || line.contains("Iter. #"));
        let times: Vec<NaiveDateTime> = times
            .filter_map(|line| {
                let time = line.split(": ").nth(1)?.split_once(' ')?.1;
                NaiveDateTime::parse_from_str(time, "%Y-%m-%d %H:%M:%S UTC").ok()
            })
            .collect();
        if times.len() == COUNT {
            let last = *times.last().unwrap();
            until = Some(until.map_or(last, |until: NaiveDateTime| until.min(last)));
        }
        all.extend(times);
    }
    Ok(all.into_iter().filter(|at| until.is_none_or(|until| *at <= until)).collect())
}

/// A timer with `Persistent=true` makes up for a start that it missed, however late, so `kron wait` checks the deadline.
#[test]
fn the_deadline_of_a_job_without_a_window_is_kept() {
    for (policy, waits) in [("", false), ("@policy(deadline=1m) ", false), ("@policy(deadline=2h) ", true)] {
        let exported = export(
            &jobs(&format!("0 3 * * * {policy}name=a command=x\n")),
            &ExportOptions::new(Target::Systemd),
        );
        let text = |ending: &str| &exported.files.iter().find(|(name, _)| name.ends_with(ending)).unwrap().1;
        assert_eq!(text("timer").contains("Persistent=true"), waits, "{policy}");
        let wait = "kron wait '0 3 * * * @policy(deadline=2h0m0s)' --name a && x";
        assert_eq!(text("service").contains(wait), waits, "{}", text("service"));
    }
}

#[test]
fn units() {
    let file = "0,30 3 1-7 * * @win(after,20m) @policy(deadline=1h) name=db/backup command=\"echo \\\"$HOME\\\" 100%\" user=db\n\
                0 12 13 * 5 name=unlucky command=x\n";
    let exported = export(&jobs(file), &ExportOptions::new(Target::Systemd));
    assert_eq!((exported.refused, messages(&exported, Severity::Warning)), (0, vec![]));
    let files: Vec<(&str, &str)> =
        exported.files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    assert_eq!(
        files,
        [
            (
                "db-backup.timer",
                "[Unit]\nDescription=Start of db/backup by its schedule\n\n[Timer]\nOnCalendar=*-*-1..7 3:0,30:00 UTC\n\
                 AccuracySec=1s\nPersistent=true\n\n[Install]\nWantedBy=timers.target\n"
            ),
            (
                "db-backup.service",
                "[Unit]\nDescription=db/backup\n\n[Service]\nType=oneshot\nUser=db\nExecStart=/bin/sh -c \"kron wait \
                 '0,30 3 1-7 * * @win(after,20m0s) @policy(deadline=1h0m0s)' --name db/backup && sh -c 'echo \\\"$$HOME\\\" 100%%'\"\n"
            ),
            (
                "unlucky.timer",
                "[Unit]\nDescription=Start of unlucky by its schedule\n\n[Timer]\nOnCalendar=*-*-13 12:0:00 UTC\n\
                 OnCalendar=Fri *-*-* 12:0:00 UTC\nAccuracySec=1s\n\n[Install]\nWantedBy=timers.target\n"
            ),
            (
                "unlucky.service",
                "[Unit]\nDescription=unlucky\n\n[Service]\nType=oneshot\nExecStart=/bin/sh -c \"x\"\n"
            ),
        ]
    );
}

#[test]
fn refusals() {
    let p = |text: &str, target| {
        let exported = export(&jobs(text), &ExportOptions::new(target));
        assert_eq!(exported.refused, 1, "{exported:?}");
        messages(&exported, Severity::Error).remove(0)
    };
    for target in Target::ALL.iter().copied() {
        assert_eq!(
            p("@daily name=a", target),
            "line 1: a: the job has no command; add `command=\"...\"` to its line"
        );
        assert!(p("@daily name=a command=\"x\\ny\"", target).contains("several lines"));
        assert_eq!(
            p("@daily name=a command=\"x\\u{0}y\"", target),
            "line 1: a: the command contains a NUL character; remove `\\u{0}`"
        );
        assert!(
            p("0 0 1 3 * @win(before,10m) name=a command=x", target)
                .contains("the window begins 10m before the schedule")
        );
        assert!(
            p("@daily @win(around,30s) name=a command=x", target)
                .contains("the window begins 15s before the schedule")
        );
        assert!(p("@daily name=a command=x timeout=1500ms", target).contains("timeout: `1500ms`"));
    }
    for target in Target::ALL.iter().copied() {
        let windowed = |rest: &str| p(&format!("@daily @win(after,1h) {rest}"), target);
        assert!(windowed("name=\"a/{host}\" command=x").contains("the name has `{host}`"));
        assert!(windowed("name=a command=x env.A-B=1").contains("the shell cannot set the variable `A-B`"));
    }
    assert!(p("@daily name=a command=\"date +\\\\%F\"", Target::Crontab).contains("the command has `\\%`"));
    assert!(
        p("@daily name=a/b command=x\n@daily name=a-b command=x", Target::Systemd)
            .contains("another job has the unit `a-b`")
    );
    let exported = export(&jobs("@daily name=a command=x owner=me"), &ExportOptions::new(Target::Crontab));
    assert_eq!(messages(&exported, Severity::Warning)[0], "line 1: a: the field `owner=` is left out");
}

/// systemd starts no service that is active, so one that waits keeps later starts from being made.
#[test]
fn windows_that_reach_the_next_one_are_refused_for_systemd() {
    let refused = |text: &str| {
        let jobs = jobs(&format!("{text} name=a command=x"));
        assert_eq!(export(&jobs, &ExportOptions::new(Target::Crontab)).refused, 0, "{text}");
        messages(&export(&jobs, &ExportOptions::new(Target::Systemd)), Severity::Error)
    };
    for (text, window) in [
        ("*/5 * * * * @win(after,12m)", "12m"),
        ("*/5 * * * * @win(after,5m)", "5m"),
        ("0,30 * * * * @win(before,30m)", "30m"),
        ("0 0 * * * @win(around,24h)", "24h"),
    ] {
        assert_eq!(
            refused(text),
            [format!(
                "line 1: a: its window of {window} is as long as a gap of its schedule or longer: systemd starts no service that \
                 still waits, so starts would be lost; give it a shorter window, or use `-o crontab`"
            )]
        );
    }
    assert!(refused("*/5 * * * * @win(after,4m59s)").is_empty());
    assert!(refused("0 0 * * * @win(after,23h)").is_empty());
}

#[test]
fn jobs_with_calendars_are_refused() {
    let calendars = kron_core::Calendars::parse("holidays = 2026-12-25").unwrap();
    let text = "@daily @avoid(calendar=holidays) name=a command=x";
    let parser = kron_core::Parser::new().with_calendars(calendars);
    let loaded = load(&parser, text, &LoadOptions::default()).unwrap();
    for target in Target::ALL.iter().copied() {
        let exported = export(&loaded.jobs, &ExportOptions::new(target));
        assert_eq!(
            messages(&exported, Severity::Error),
            [
                "line 1: a: the job names the calendar `holidays`, which is in another file; write its dates into the job, as `@avoid(dates=...)`"
            ]
        );
    }
}

#[test]
fn a_name_that_looks_like_an_option_is_none() {
    assert!(crontab("@daily @win(after,1h) name=-foo command=x").contains(" --name=-foo && x"));
}

#[test]
fn exported_crontabs_are_converted_back() {
    let file = "0 3 * * 1-5 @policy(concurrency=allow,deadline=1m0s) name=x command=\"x +%F 'a b'\"\n";
    let options = Options { timezone: Some("UTC".into()), ..from(Format::Crontab) };
    let back = converted(&crontab(file), &options);
    let (back, file) = (jobs(&back.text), jobs(file));
    assert_eq!((back[0].job.spec(), &back[0].fields), (file[0].job.spec(), &file[0].fields));
}

/// A random schedule with a window in some mode, and how many minutes before the nominal time the window begins.
fn job(random: &mut Random) -> (String, i64) {
    let field = |random: &mut Random, choices: &[&str]| random.pick(choices).to_string();
    let minute = field(random, &["0", "*/20", "5,7,50", "10-40/3"]);
    let hour = field(random, &["*", "3", "*/7", "22,23,0"]);
    let dom = field(random, &["*", "*", "*/2", "1-31", "13", "1-7"]);
    let month = field(random, &["*", "*", "*/2", "4-6"]);
    let dow = field(random, &["*", "*", "1-5", "*/2", "0", "0-6"]);
    let (window, lead) =
        *random.pick(&[("", 0), ("@win(after,5m)", 0), ("@win(before,5m)", 5), ("@win(around,2h)", 60)]);
    (format!("{minute} {hour} {dom} {month} {dow} {window} name=a command=x\n"), lead)
}

#[test]
fn random_jobs_start_when_their_windows_begin() {
    let mut random = Random::new(5);
    let mut compared = [0, 0];
    for _ in 0..200 {
        let (text, lead) = job(&mut random);
        let loaded = jobs(&text);
        let first = chrono::NaiveDate::from_ymd_opt(2027, 1, 2).unwrap().and_hms_opt(0, 0, 0).unwrap();
        let last = first + chrono::TimeDelta::days(700);
        let within = |at: &NaiveDateTime| (first..last).contains(at);
        let shifted =
            nominal_times(&loaded[0].job).into_iter().map(|at| at - chrono::TimeDelta::minutes(lead));
        let want: Vec<NaiveDateTime> = shifted.filter(within).collect();
        for (target, compared) in Target::ALL.iter().copied().zip(&mut compared) {
            let exported = export(&loaded, &ExportOptions::new(target));
            if exported.refused > 0 {
                continue;
            }
            let lines = exported.files[0].1.lines();
            let mut found: Vec<NaiveDateTime> = match target {
                Target::Crontab => lines
                    .flat_map(|line| {
                        minutes(vixie::reader(&line.split(' ').take(5).collect::<Vec<_>>().join(" ")))
                    })
                    .collect(),
                _ => {
                    let events =
                        lines.filter_map(|line| line.strip_prefix("OnCalendar=")?.strip_suffix(" UTC"));
                    let mut all: Vec<NaiveDateTime> =
                        events.flat_map(|event| minutes(calendar::reader(event))).collect();
                    // A timer elapses once.
                    all.sort_unstable();
                    all.dedup();
                    all
                }
            };
            found.sort_unstable();
            found.retain(within);
            assert_eq!(found, want, "{text}\n{:?}", exported.files);
            *compared += 1;
        }
    }
    assert!(compared.iter().all(|compared| *compared > 60), "{compared:?}");
}

/// 2026-03-01T00:00:00Z.
const MARCH: i64 = 1_772_323_200;

/// The options for any cron on a machine in a zone.
fn on_machine(zone: &str) -> ExportOptions {
    let timezone = kron_core::Zone::parse(zone).unwrap();
    ExportOptions { timezone, now: MARCH, ..ExportOptions::new(Target::Crontab) }
}

/// In zones whose clocks never change, the lines start at the same instants as the jobs.
#[test]
fn random_jobs_start_at_the_same_instants_in_other_zones() {
    let mut random = Random::new(7);
    let (mut compared, mut refused) = (0, 0);
    let zones = [
        ("Asia/Tokyo", "America/Bogota", -14 * 60),
        ("America/Bogota", "Asia/Kathmandu", 645),
        ("UTC", "Asia/Kolkata", 330),
    ];
    for _ in 0..200 {
        let (text, lead) = job(&mut random);
        let (zone, host, ahead) = *random.pick(&zones);
        let loaded = jobs(&text.replacen(" name=", &format!(" @tz({zone}) name="), 1));
        let exported = export(&loaded, &on_machine(host));
        if exported.refused > 0 {
            let found = messages(&exported, Severity::Error).remove(0);
            assert!(found.contains("fall on other days") || found.contains("the window begins"), "{found}");
            refused += 1;
            continue;
        }
        let first = chrono::NaiveDate::from_ymd_opt(2027, 1, 2).unwrap().and_hms_opt(0, 0, 0).unwrap();
        let within = |at: &NaiveDateTime| (first..first + chrono::TimeDelta::days(700)).contains(at);
        let shift = chrono::TimeDelta::minutes(ahead - lead);
        let civil = nominal_times(&jobs(&text)[0].job).into_iter().map(|at| at + shift);
        let want: Vec<NaiveDateTime> = civil.filter(within).collect();
        let lines = exported.files[0].1.lines();
        let times = lines.map(|line| line.split(' ').take(5).collect::<Vec<_>>().join(" "));
        let mut found: Vec<NaiveDateTime> =
            times.flat_map(|times| minutes(vixie::reader(&times))).filter(within).collect();
        found.sort_unstable();
        assert_eq!(found, want, "{zone} {host} {text}\n{:?}", exported.files);
        compared += 1;
    }
    assert!(compared > 60 && refused > 10, "{compared} compared, {refused} refused");
}

#[test]
fn clock_changes_that_move_a_line_are_named() {
    let text = "0 3 * * * @tz(Europe/Paris) @policy(concurrency=allow) name=a command=x";
    let of = |zone: &str| export(&jobs(text), &on_machine(zone));
    let warned = of("UTC");
    assert_eq!(warned.files[0].1, "0 2 * * * x\n");
    assert_eq!(
        messages(&warned, Severity::Warning),
        [
            "line 1: a: cron reads its line in `UTC`, the time zone of the machine: from 2026-03-29T01:00:00Z on, when clocks change, \
             it starts 60 minutes off the times of `Europe/Paris`; export it again then, or use `--cron cronie` if cron knows `CRON_TZ`"
        ]
    );
    // New York is a week ahead with its clocks.
    assert!(messages(&of("America/New_York"), Severity::Warning)[0].contains("from 2026-03-08T07:00:00Z on"));
    // The same clocks by another name.
    let same = of("Europe/Berlin");
    assert_eq!((same.files[0].1.as_str(), same.findings.len()), ("0 3 * * * x\n", 0));
    let refused = export(&jobs(&text.replace("0 3 * * *", "0 0 1 * *")), &on_machine("UTC"));
    assert_eq!(
        messages(&refused, Severity::Error),
        [
            "line 1: a: times of `Europe/Paris` fall on other days in `UTC`, the time zone of the machine, which cron cannot say; use \
             `--cron cronie` if cron knows `CRON_TZ`, or give the job the time zone of the machine"
        ]
    );
}
