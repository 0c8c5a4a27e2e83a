//! Timers of systemd become job files that start the same units at the same times.

use kron_core::Severity;
use kron_formats::convert::{Converted, Format, Options, Source, convert};

use crate::readers::{calendar, minutes, starts};
use crate::support::{Random, converted, from, loaded, messages, refusal};

fn options() -> Options {
    Options { timezone: Some("UTC".to_string()), ..from(Format::Systemd) }
}

fn timer(lines: &str) -> String {
    format!("[Unit]\nDescription=x\n\n[Timer]\n{lines}\n[Install]\nWantedBy=timers.target\n")
}

#[track_caller]
fn units(units: &[(&str, &str)]) -> Converted {
    let sources: Vec<Source<'_>> = units.iter().map(|(name, text)| Source { name, text }).collect();
    convert(&sources, &options()).unwrap()
}

/// What the unit sections of both say about conditions is left out, with a warning.
#[test]
fn settings_of_the_unit_section_are_named() {
    let timer = "[Unit]\nDescription=x\nConditionACPower=true\n[Timer]\nOnCalendar=daily\n";
    let service = "[Unit]\nAfter=network.target\nConditionPathExists=/etc/flag\nOnFailure=alert.service\n[Service]\nExecStart=/bin/a\n";
    let converted = units(&[("a.timer", timer), ("a.service", service)]);
    let warnings = messages(&converted, Severity::Warning);
    let keys = ["ConditionACPower=", "ConditionPathExists=", "OnFailure="];
    let named = |key: &&str| warnings.iter().filter(|warning| warning.contains(*key)).count() == 1;
    assert!(warnings.len() == keys.len() && keys.iter().all(named), "{warnings:?}");
}

#[test]
fn timers() {
    let start = "command=\"systemctl start --wait file.service\"";
    for (lines, want) in [
        ("OnCalendar=daily\n", format!("0 0 * * * @policy(deadline=1m) name=file {start}")),
        (
            "OnCalendar=Mon..Fri 03:30 Europe/Paris\nPersistent=true\n",
            format!("30 3 * * 1-5 @tz(Europe/Paris) @policy(deadline=8784h) name=file {start}"),
        ),
        (
            "OnCalendar=*-*-* 00/6:00:00\nRandomizedDelaySec=1h 30min\n",
            format!("0 */6 * * * @win(after,1h30m) @policy(deadline=1m) name=file {start}"),
        ),
        (
            "OnCalendar=hourly\nRandomizedDelaySec=10m\nFixedRandomDelay=yes\n",
            format!("0 * * * * @win(after,10m) @seed(fixed) @policy(deadline=1m) name=file {start}"),
        ),
        (
            "OnCalendar=hourly\nRandomizedOffsetSec=90\n",
            format!("0 * * * * @win(after,1m30s) @seed(fixed) @policy(deadline=1m) name=file {start}"),
        ),
        (
            "OnCalendar=weekly\nOnCalendar=\nOnCalendar=Sat,Sun *-*-* 12:00\nUnit=b.target\n",
            "0 12 * * 0,6 @policy(deadline=1m) name=file command=\"systemctl start --wait b.target\""
                .to_string(),
        ),
        (
            "OnCalendar=Mon *-*-1..7 03:00\n",
            format!("0 3 * * * @days(dow=1;dom=1-7) @policy(deadline=1m) name=file {start}"),
        ),
        (
            "OnCalendar=quarterly\nAccuracySec=1us\n",
            format!("0 0 1 */3 * @policy(deadline=1m) name=file {start}"),
        ),
    ] {
        let converted = converted(&timer(lines), &options());
        assert_eq!(converted.text.trim_end(), want, "{:?}", converted.findings);
    }
    let two = converted(&timer("OnCalendar=Mon 03:00\nOnCalendar=Tue 04:00\n"), &options());
    let names: Vec<String> = loaded(&two).jobs.iter().map(|job| job.job.name().to_string()).collect();
    assert_eq!(names, ["file", "file-2"]);
}

#[test]
fn services_give_commands() {
    let service = "[Unit]\nAfter=network.target\n[Service]\nType=oneshot\nUser=backup\nWorkingDirectory=/srv\nEnvironment=A=1 \"B=x y\"\n\
                   Environment=A=2\nExecStart=/usr/bin/dump --to \\\n  'a b'\nExecStart=-/usr/bin/sync ${B}\nTimeoutStartSec=1h\nNice=5\n";
    let converted =
        units(&[("b.service", service), ("b.timer", &timer("OnCalendar=daily\n")), ("c.service", service)]);
    assert_eq!(
        converted.text,
        "0 0 * * * @policy(deadline=1m) name=b command=\"/usr/bin/dump --to 'a b' && (/usr/bin/sync \\\"${B}\\\" || true)\" \
         user=backup cwd=/srv timeout=3600s env.B=\"x y\" env.A=2\n"
    );
    assert_eq!(
        messages(&converted, Severity::Warning),
        [
            "line 5: `kron run` starts commands as its own user; `User=` is kept as `user=`",
            "line 13: Nice= is left out: the job runs the command alone",
        ]
    );
    assert_eq!(messages(&converted, Severity::Note), ["no timer starts `c.service`: it is ignored"]);
    let refused = units(&[
        ("b.timer", &timer("OnCalendar=daily\n")),
        ("b.service", "[Service]\nExecStart=/bin/x %h\n"),
    ]);
    assert_eq!(
        messages(&refused, Severity::Error),
        [
            "line 2: ExecStart: specifiers (`%`), escapes, `;`, and quotes that are within a word or not closed are systemd's own; leave the service out, and the job asks \
          systemd to start it"
        ]
    );
}

#[test]
fn templates_are_refused() {
    let text = timer("OnCalendar=daily\n");
    for (name, lines) in [("backup@.timer", ""), ("all.timer", "Unit=backup@.service\n")] {
        let text = timer(&format!("OnCalendar=daily\n{lines}"));
        let found = messages(&units(&[(name, &text)]), Severity::Error);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("this is a template: systemd starts its instances"), "{found:?}");
    }
    let instance = units(&[("backup@home.timer", &text)]);
    assert!(
        instance.text.contains("command=\"systemctl start --wait backup@home.service\""),
        "{}",
        instance.text
    );
}

#[test]
fn variables_of_the_runner_are_left_out() {
    let service = "[Service]\nExecStart=/bin/a\nEnvironment=KRON_JOB=x A=1\n";
    let converted = units(&[("a.timer", &timer("OnCalendar=daily\n")), ("a.service", service)]);
    assert!(converted.text.trim_end().ends_with("command=/bin/a env.A=1"), "{}", converted.text);
    assert_eq!(
        messages(&converted, Severity::Warning)[0],
        "line 3: `KRON_JOB` is left out: `kron run` sets the variables that begin with `KRON_`; choose another name"
    );
}

#[test]
fn refusals() {
    let p = |lines: &str| refusal(&timer(lines), &options()).replace("line 5: ", "");
    for trigger in ["OnBootSec", "OnActiveSec", "OnStartupSec", "OnUnitActiveSec", "OnUnitInactiveSec"] {
        assert_eq!(
            p(&format!("{trigger}=5min\n")),
            format!("{trigger}= is not a time of a calendar; keep this trigger in systemd")
        );
    }
    let p = |event: &str| p(&format!("OnCalendar={event}\n"));
    assert_eq!(p("03:00:30"), "OnCalendar: the second `30` is not 0; cron has no seconds; write `:00`");
    assert_eq!(p("*:*:*"), "OnCalendar: the second `*` is not 0; cron has no seconds; write `:00`");
    assert_eq!(p("03:00:60"), "OnCalendar: the second `60` is not 0; cron has no seconds; write `:00`");
    for (event, want) in [
        ("Mon..Fri 25:00", "OnCalendar: `25` is not a value of the hour; write values from 0 to 23"),
        ("Foo 03:00", "OnCalendar: `Foo` is not a weekday; write names such as `Mon` or `Monday`"),
        ("03:*/5", "OnCalendar: `*/5` is not a value of the minute; write `0/5`"),
        ("03:*,5", "OnCalendar: `*,5` is not a value of the minute; write values from 0 to 59"),
        (
            "*-*~29 03:00",
            "OnCalendar: `29` is not a list of days from the end of the month; write values from 1 to 28, such as `*-*~01` for the \
             last day and `*-*~01..07` for the last week",
        ),
        (
            "2027x-*-01 03:00",
            "OnCalendar: `2027x` is not a list of years; write for example `2027`, `2027..2029` or `2027/2`",
        ),
        (
            "2101-*-01 03:00",
            "OnCalendar: `2101` names no year from 1970 to 2099; write `*` for the year, or keep it in systemd",
        ),
        (
            "*-*-*-01 03:00",
            "OnCalendar: `*-*-*-01` is not a date; write for example `*-*-01`, or `*-*~01` for the last day of the month",
        ),
        ("03:0/0", "minute: `0/0` has a wrong step; write a step from 1 to 60"),
        ("22..3:00", "hour: `22..3` runs backwards; write `22,23,0..3`"),
        (
            "Sun..Tue 03:00",
            "OnCalendar: `Sun..Tue` is not a range of weekdays from Monday to Sunday; write `Sun,Mon,Tue`",
        ),
        (
            "saturday-Mon 03:00",
            "OnCalendar: `saturday-Mon` is not a range of weekdays from Monday to Sunday; write `Sat,Sun,Mon`",
        ),
    ] {
        assert_eq!(p(event), want);
    }
    assert!(p("03:00 Nowhere/City").starts_with("OnCalendar: `Nowhere/City` is not understood"));
    let p = |lines: &str| refusal(&timer(lines), &options());
    assert!(
        p("OnCalendar=daily\nRandomizedDelaySec=infinity\n")
            .contains("RandomizedDelaySec: `infinity` is not a time span")
    );
    assert!(p("OnCalendar=daily\nRandomizedDelaySec=1\nRandomizedOffsetSec=1\n").contains("are two windows"));
    assert_eq!(
        p("OnCalendar=Mon 00..12:00\nOnCalendar=Mon,Tue 12:00\n"),
        "line 6: lines 5 and 6 can match the same time, and two jobs would start twice; write lines that have no time in \
         common, in one time zone"
    );
    for none in ["", "Persistent=true\n", "OnCalendar=daily\nOnCalendar=\n"] {
        assert_eq!(p(none), "the timer has no OnCalendar=; write for example `OnCalendar=*-*-* 03:00`");
    }
    let sources = [Source { name: "x", text: "[Install]\n" }];
    assert_eq!(
        convert(&sources, &options()).unwrap_err().to_string(),
        "`x` has no section [Timer] or [Service]"
    );
}

#[test]
fn a_template_has_no_instance_and_its_name_is_shown_without_control_characters() {
    for (name, want) in [
        ("backup@.timer", "backup@INSTANCE.timer"),
        ("back\u{1b}[2Jup@.timer", "back\u{fffd}[2Jup@INSTANCE.timer"),
    ] {
        let refused = units(&[(name, &timer("OnCalendar=daily\n"))]);
        assert_eq!(
            messages(&refused, Severity::Error),
            [format!(
                "this is a template: systemd starts its instances, and it has no instance; convert a copy that has an \
                 instance in its name: `{want}`"
            )]
        );
    }
}

#[test]
fn keys_are_shown_without_control_characters_and_in_part() {
    let service = format!("[Unit]\nA\u{1b}[2Jb=x\n[Service]\nExecStart=/bin/x\n{}\0=y\n", "k".repeat(1000));
    let converted = units(&[("b.timer", &timer("OnCalendar=daily\n")), ("b.service", &service)]);
    let warnings = messages(&converted, Severity::Warning);
    let unit = "line 2: A\u{fffd}[2Jb= of the section [Unit] is left out: Kron starts the command without it";
    assert!(warnings.contains(&unit.to_string()), "{warnings:?}");
    let key = format!("line 5: {}…= is left out: the job runs the command alone", "k".repeat(64));
    assert!(warnings.contains(&key), "{warnings:?}");
}

#[test]
fn lines_of_one_timer_that_overlap_are_one_job_where_they_can_be() {
    for (lines, want) in [
        ("OnCalendar=daily\nOnCalendar=Mon 00:00\n", "0 0 * * *"),
        ("OnCalendar=Mon 03:00\nOnCalendar=Mon..Fri 03:00\nOnCalendar=03:00\n", "0 3 * * *"),
        // systemd says that both have these days.
        ("OnCalendar=*-*~10..23/3 03:00\n", "0 3 * * * @days(last=10,13,16,19,22)"),
        ("OnCalendar=*-*~09/2 03:00\n", "0 3 * * * @days(last=1,3,5,7,9)"),
        ("OnCalendar=Mon 03:00\nOnCalendar=Tue 03:00\n", "0 3 * * 1,2"),
        ("OnCalendar=*-*~01 03:00\nOnCalendar=Fri *-*-* 03:00\n", "0 3 * * * @days(last=1) @days(dow=5)"),
        (
            "OnCalendar=Fri *-*~1..7 03:00\nOnCalendar=*-*~1 03:00\nOnCalendar=Fri *-*~8 03:00\n",
            "0 3 * * * @days(dow=5;last=1-8) @days(last=1)",
        ),
        // What `kron export` writes for a day of the month or a day of the week.
        ("OnCalendar=*-*-13 12:0:00\nOnCalendar=Fri *-*-* 12:0:00\n", "0 12 13 * 5"),
        (
            "OnCalendar=Fri 12:00 Asia/Tokyo\nOnCalendar=*-*-13 12:00 Asia/Tokyo\n",
            "0 12 13 * 5 @tz(Asia/Tokyo)",
        ),
    ] {
        let converted = converted(&timer(lines), &options());
        assert_eq!(converted.converted, 1, "{lines}");
        assert!(converted.text.starts_with(&format!("{want} @policy")), "{}", converted.text);
        let job = &loaded(&converted).jobs[0].job;
        if !lines.contains("Tokyo") {
            let mut all: Vec<_> = lines
                .lines()
                .flat_map(|line| minutes(calendar::reader(line.strip_prefix("OnCalendar=").unwrap())))
                .collect();
            all.sort_unstable();
            all.dedup();
            assert_eq!(starts(job), all, "{lines}");
        }
    }
    // Other zones and other times stay apart.
    let apart = |lines: &str| refusal(&timer(lines), &options());
    assert!(
        apart("OnCalendar=*-*-13 12:00\nOnCalendar=Fri 12:00 Asia/Tokyo\n")
            .contains("can match the same time")
    );
    assert!(apart("OnCalendar=*-*-13 12,13:00\nOnCalendar=Fri 12:00\n").contains("can match the same time"));
}

#[test]
fn limits_of_a_service_are_timeouts_where_they_limit_its_command() {
    let with = |lines: &str| {
        units(&[
            ("b.timer", &timer("OnCalendar=daily\n")),
            ("b.service", &format!("[Service]\nExecStart=/bin/x\n{lines}")),
        ])
    };
    for (lines, timeout, warning) in [
        ("Type=oneshot\nTimeoutStartSec=1h\n", " timeout=3600s", None),
        ("Type=oneshot\nTimeoutSec=90\n", " timeout=90s", None),
        ("Type=oneshot\nTimeoutStartSec=infinity\n", "", None),
        ("Type=exec\nRuntimeMaxSec=5min\n", " timeout=300s", None),
        ("RuntimeMaxSec=5min\nRuntimeMaxSec=6min\n", " timeout=360s", None),
        (
            "TimeoutStartSec=30\n",
            "",
            Some(
                "line 3: TimeoutStartSec= is left out: it limits only the start of a service without Type=oneshot",
            ),
        ),
        (
            "RuntimeMaxSec=30\nType=oneshot\n",
            "",
            Some("line 3: RuntimeMaxSec= is left out: it limits no service with Type=oneshot"),
        ),
        (
            "RuntimeMaxSec=1ms\n",
            "",
            Some("line 3: RuntimeMaxSec= is left out: it is not a time span of whole seconds"),
        ),
    ] {
        let converted = with(lines);
        let want = format!("0 0 * * * @policy(deadline=1m) name=b command=/bin/x{timeout}\n");
        assert_eq!(converted.text, want, "{lines}");
        let warnings = messages(&converted, Severity::Warning);
        assert_eq!(warnings, warning.into_iter().collect::<Vec<_>>(), "{lines}");
    }
}

/// A random component of a date or time.
fn component(random: &mut Random, low: u32, high: u32) -> String {
    if random.one_in(5) {
        return "*".to_string();
    }
    let count = if random.one_in(3) { 2 } else { 1 };
    let items: Vec<String> = (0..count)
        .map(|_| {
            let (first, second) = (low + random.below(high - low + 1), low + random.below(high - low + 1));
            let (from, to) = (first.min(second), first.max(second));
            let step = 1 + random.below(high);
            match random.below(4) {
                0 => format!("{first:02}"),
                1 => format!("{from}..{to}"),
                2 => format!("{from}..{to}/{step}"),
                _ => format!("{first}/{step}"),
            }
        })
        .collect();
    items.join(",")
}

/// A random component of days before the end of a month.
fn from_end(random: &mut Random) -> String {
    component(random, 1, 28).replace('*', "1..28")
}

#[test]
fn random_timers_fire_as_before() {
    let mut random = Random::new(11);
    let (mut compared, mut constrained) = (0, 0);
    for _ in 0..200 {
        let days = random.pick(&["", "", "Mon..Fri ", "Sat,Sunday ", "wed ", "Mon,Wed..Fri "]).to_string();
        let date = match random.below(6) {
            0 => String::new(),
            1 => format!("*-{}-{} ", component(&mut random, 1, 12), component(&mut random, 1, 31)),
            2 => format!("*-{} ", component(&mut random, 1, 31)),
            3 => format!("*-*~{} ", from_end(&mut random)),
            4 => format!("{}-*~{} ", random.pick(&["2027", "2026/2", "2020..2027"]), from_end(&mut random)),
            _ => format!(
                "{}-*-{} ",
                random.pick(&["2028", "2021/3", "2027,2028"]),
                component(&mut random, 1, 31)
            ),
        };
        let hour = if random.one_in(2) { "03".into() } else { component(&mut random, 0, 23) };
        let seconds = *random.pick(&["", ":00", ":0"]);
        let event = format!("{days}{date}{hour}:{}{seconds}", component(&mut random, 0, 59));
        let event = if random.one_in(10) {
            random.pick(&["minutely", "hourly", "monthly", "semi-annually", "yearly"]).to_string()
        } else {
            event
        };
        let want = minutes(calendar::reader(&event));
        let converted = converted(&timer(&format!("OnCalendar={event}\n")), &options());
        if want.is_empty() {
            continue;
        }
        let jobs = loaded(&converted).jobs;
        constrained += usize::from(converted.text.contains("@days"));
        assert_eq!(starts(&jobs[0].job), want, "{event}\n{}", converted.text);
        compared += 1;
    }
    assert!(compared > 150 && constrained > 75, "{compared} compared, {constrained} constrained");
}

/// The days are those of the calendar, however far the window reaches.
#[test]
fn windows_of_any_length_are_judged() {
    let with = |delay: &str| timer(&format!("OnCalendar=Mon *-*-01 03:00\nRandomizedDelaySec={delay}\n"));
    let day = converted(&with("30h"), &options());
    assert!(day.text.starts_with("0 3 * * * @days(dow=1;dom=1) @win(after,30h) "), "{}", day.text);
    let refused = refusal(&with("18446744073709551615"), &options());
    assert!(refused.starts_with("line 5: window.duration: "), "{refused}");
}

#[test]
fn a_timer_that_is_refused_for_two_reasons_is_one_job() {
    let converted = converted(&timer("OnCalendar=Foo 03:00\nOnCalendar=25:00\nOnBootSec=5min\n"), &options());
    assert_eq!((messages(&converted, Severity::Error).len(), converted.refused), (3, 1));
    let service = "[Service]\nExecStart=/bin/x %h\n";
    let two = units(&[
        ("a.timer", &timer("OnCalendar=daily\nOnBootSec=1\n")),
        ("a.service", service),
        ("b.timer", &timer("")),
    ]);
    assert_eq!((messages(&two, Severity::Error).len(), two.refused), (3, 2));
}

/// Otherwise, this takes minutes.
#[test]
fn equal_lines_of_a_timer_count_once() {
    let lines: String = (0..300).map(|at| format!("OnCalendar={}:{}\n", at / 60, at % 60)).collect();
    let converted = converted(&timer(&(lines + &"OnCalendar=04:59\n".repeat(5000))), &options());
    assert_eq!((converted.converted, converted.refused), (300, 0));
    let many: String = (0..1001).map(|at| format!("OnCalendar={}:{}\n", at / 60, at % 60)).collect();
    assert_eq!(
        refusal(&timer(&many), &options()),
        "the timer has more than 1000 different lines OnCalendar=; split it into several timers"
    );
}

/// Each name is looked up, and not searched. Otherwise, the time grows with the square of their number.
#[test]
fn variables_are_set_in_any_number() {
    let variables: String =
        (0..100_000).map(|at| format!("Environment=A{at}=1\nWorkingDirectory=/a\n")).collect();
    let service = format!("[Service]\nExecStart=/bin/x\n{variables}");
    let refused = units(&[("b.timer", &timer("OnCalendar=daily\n")), ("b.service", &service)]);
    assert_eq!((refused.converted, refused.refused), (0, 1));
}

/// Without a random delay, systemd keeps the timer of each machine at a place in that span.
#[test]
fn a_long_accuracy_is_a_place_in_a_span() {
    let warning = |lines: &str| messages(&converted(&timer(lines), &options()), Severity::Warning).join("\n");
    assert_eq!(
        warning("OnCalendar=daily\nAccuracySec=1h\n"),
        "line 6: AccuracySec= is left out: systemd starts the timer at one place in a span of 1h, which stays and differs by machine; \
         Kron starts at the second; for such a place, add `@win(after,1h) @seed(fixed)`, and `{host}` to the name in \
         `kron wait --name {host}/file`"
    );
    assert!(!warning("OnCalendar=daily\nAccuracySec=1h\nRandomizedDelaySec=1h\n").contains("place"));
    assert_eq!(warning("OnCalendar=daily\nAccuracySec=1min\n"), "");
}
