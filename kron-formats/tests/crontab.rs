//! Crontabs become job files that start the same commands at the same times.

use kron_core::Severity;
use kron_formats::convert::{ConvertCode, Format, Options, Source, convert};

use crate::readers::{minutes, starts, vixie};
use crate::support::{Random, converted, from, loaded, messages, refusal, with_window};

fn options() -> Options {
    Options { timezone: Some("UTC".to_string()), ..from(Format::Crontab) }
}

/// The line that a line of a crontab becomes.
#[track_caller]
fn line(text: &str) -> String {
    let converted = converted(text, &options());
    assert_eq!(messages(&converted, Severity::Error), [""; 0]);
    converted.text.trim_end().to_string()
}

#[test]
fn commands() {
    let policy = "@policy(concurrency=allow,deadline=1m)";
    for (text, want) in [
        ("0 3 * * * /usr/bin/backup", format!("0 3 * * * {policy} name=backup command=/usr/bin/backup")),
        ("@daily echo \"a b\"", format!("0 0 * * * {policy} name=echo command=\"echo \\\"a b\\\"\"")),
        ("*/5 * * * 1-5 date +\\%F", format!("*/5 * * * 1-5 {policy} name=date command=\"date +%F\"")),
        (
            "0 0 1 * * mail -s x%Dear it's%%Bye",
            format!(
                "0 0 1 * * {policy} name=mail command=\"printf '%s\\\\n' 'Dear it'\\\\''s' '' 'Bye' | (\\nmail -s x\\n)\""
            ),
        ),
        ("-0 3 * * * root", format!("0 3 * * * {policy} name=root command=root")),
        ("0 3 * * * -s -n sync", "0 3 * * * @policy(deadline=1m) name=sync command=sync".to_string()),
    ] {
        assert_eq!(line(text), want, "{text}");
    }
}

#[test]
fn settings_and_comments() {
    let text = "# all\nSHELL=/bin/bash\nMAILTO=ops\n\nHOME = \"/srv/a b\"\nPATH=/bin:/usr/bin\n  CRON_TZ=Europe/Paris\n# first\n0 3 * * * x\nCRON_TZ=UTC\nSHELL=/bin/sh\nRANDOM_DELAY=45\nPATH=/bin\n0 4 * * * x\n";
    let converted = converted(text, &options());
    let policy = "@policy(concurrency=allow,deadline=1m)";
    assert_eq!(
        converted.text,
        format!(
            "# all\n\n# first\n\
             0 3 * * * @tz(Europe/Paris) {policy} name=x-74d5b8df command=\"exec /bin/bash -c x\" cwd=\"/srv/a b\" env.HOME=\"/srv/a b\" env.PATH=/bin:/usr/bin\n\
             0 4 * * * @win(after,45m) @seed(fixed) {policy} name=x-daa12173 command=x cwd=\"/srv/a b\" env.HOME=\"/srv/a b\" env.PATH=/bin\n"
        )
    );
    assert_eq!(messages(&converted, Severity::Warning), ["line 3: MAILTO is left out: Kron sends no mail"]);
}

#[test]
fn settings_that_cannot_be_kept() {
    let of = |text: &str| {
        let converted = converted(text, &options());
        let all =
            [Severity::Error, Severity::Warning].map(|severity| messages(&converted, severity).join("\n"));
        let [refusals, warnings] = all;
        (converted.text.lines().last().unwrap_or_default().to_string(), refusals, warnings)
    };
    let policy = "@policy(concurrency=allow,deadline=1m)";
    let plain = format!("0 3 * * * {policy} name=x command=x");
    let (line, refusals, warnings) = of("KRON_X=1\nA-B=2\n0 3 * * * x\n");
    assert_eq!((line, refusals.as_str()), (plain.clone(), ""));
    assert_eq!(
        warnings,
        "line 1: `KRON_X` is left out: `kron run` sets the variables that begin with `KRON_`; choose another name\n\
         line 2: `A-B` is left out: it is not the name of an environment variable; a name has letters, digits and `_`, and \
         begins with a letter or `_`"
    );
    let (line, _, warnings) = of("SHELL=\n0 3 * * * x\n");
    assert_eq!(line, plain);
    assert_eq!(warnings, "line 1: SHELL is empty; it is ignored, so `/bin/sh` runs the commands");
    let (line, _, warnings) = of("RANDOM_DELAY=45\n0~30 3 * * * x\n");
    assert_eq!(line, format!("0 3 * * * @win(after,30m59s) @seed(fixed) {policy} name=x command=x"));
    assert_eq!(warnings, "line 2: RANDOM_DELAY is left out here: the line has a random time already");
    for (zone, why) in [
        ("", "CRON_TZ is empty; write for example `CRON_TZ=Europe/Paris`, or remove the line"),
        ("Mars/Olympus", "CRON_TZ: unknown time zone `Mars/Olympus`"),
    ] {
        let (_, refusals, warnings) = of(&format!("CRON_TZ={zone}\n0 3 * * * x\nCRON_TZ=UTC\n0 3 * * * x\n"));
        assert!(warnings.starts_with(&format!("line 1: {why}")), "{warnings}");
        assert_eq!(
            refusals,
            format!("line 2: `CRON_TZ={zone}` in line 1 names no time zone; correct that line")
        );
    }
}

#[test]
fn users() {
    let options = Options { format: Some(Format::CronD), namespace: Some("host".into()), ..options() };
    let converted =
        converted("17 * * * * root cd / && run-parts /etc/cron.hourly\n@hourly www-data\n", &options);
    assert_eq!(
        converted.text,
        "17 * * * * @policy(concurrency=allow,deadline=1m) name=host/run-parts command=\"cd / && run-parts /etc/cron.hourly\" user=root\n"
    );
    assert_eq!(
        messages(&converted, Severity::Error),
        [
            "line 2: the line has no user or no command; convert it with `--format crontab` if it has no column of users"
        ]
    );
    assert_eq!(messages(&converted, Severity::Warning).len(), 1);
}

#[test]
fn random_times_become_windows() {
    for (text, want) in [
        ("~ * * * * x", "0 * * * * @win(after,59m59s) @seed(fixed)"),
        ("0~29 3,4 * * * x", "0 3,4 * * * @win(after,29m59s) @seed(fixed)"),
        ("~10 3 * * * x", "0 3 * * * @win(after,10m59s) @seed(fixed)"),
        ("~/15 * * * * x", "*/15 * * * * @win(after,14m59s) @seed(fixed)"),
        ("10~40/10 * * * * x", "10-40/10 * * * * @win(after,59s) @seed(fixed)"),
        ("~ 2~5 * * 1 x", "0 2 * * 1 @win(after,3h59m59s) @seed(fixed)"),
        ("30 2~5 * * * x", "30 2 * * * @win(after,3h) @seed(fixed)"),
        ("~ 3 * * ~ x", "0 3 * * 0 @win(after,144h59m59s) @seed(fixed)"),
    ] {
        let line = line(text);
        let start = line.split(" @policy").next().unwrap();
        assert_eq!(start, want, "{text}");
        assert_eq!(line.contains("@only(hours=3)"), text.ends_with("~ x"), "{line}");
    }
}

#[test]
fn refusals() {
    let p = |text: &str| refusal(text, &options());
    assert_eq!(
        p("@reboot x"),
        "line 1: `@reboot` is not a time; start the command by the system's service manager"
    );
    assert_eq!(p("@every_second x"), "line 1: `@every_second` is not a time");
    assert_eq!(
        p("5/15 * * * * x"),
        "line 1: minute: crons read `5/15` in different ways; write `5-59/15` or `5`"
    );
    assert_eq!(p("0 22-3 * * * x"), "line 1: hour: `22-3` runs backwards; write `22,23,0-3`");
    for (text, want) in [
        ("0 24 * * * x", "hour: `24` is not a value of this field; write values from 0 to 23"),
        ("0 0 * foo * x", "month: `foo` is not a value of this field; write values from 1 to 12"),
        ("0 0 * * */0 x", "day of week: `*/0` has a wrong step; write a step from 1 to 7"),
        ("0 22-3/2 * * * x", "hour: `22-3/2` runs backwards; write `22,0,2`"),
        ("0 3 * * 6-1 x", "day of week: `6-1` runs backwards; write `6,0,1`"),
        ("0 3 * * 7-1 x", "day of week: `7-1` runs backwards; write `0,1`"),
        ("0 3 * nov-feb/4294967295 * x", "month: `nov-feb/4294967295` runs backwards; write `11`"),
        (
            "30~10 * * * * x",
            "minute: `30~10` runs backwards; write `30~59` or `0~10`; `10~30` has the other values",
        ),
        (
            "30~10/15 * * * * x",
            "minute: `30~10/15` runs backwards; write `30~59/15` or `0~10`; `10~30/15` has the other values",
        ),
        ("30~10/25 * * * * x", "minute: `30~10/25` has a wrong step; write a step from 1 to 21"),
        // Found by fuzzing: the help repeated a step that is none, with its control characters.
        (
            "11~1/*\"\u{1}\0 * * * * x",
            "minute: `11~1/*\"\u{fffd}\u{fffd}` has a wrong step; write a step from 1 to 11",
        ),
        ("5~9/6 * * * * x", "minute: `5~9/6` has a wrong step; write a step from 1 to 5"),
        ("5~70 * * * * x", "minute: `5~70` is not a value of this field; write values from 0 to 59"),
        ("1,5~9 * * * * x", "minute: `1,5~9` has `~` in a list; write a line for each item"),
    ] {
        assert_eq!(p(text), format!("line 1: {want}"), "{text}");
    }
    assert_eq!(p("0 0 * *"), "line 1: the line has fewer than five fields");
    assert_eq!(p("0 0 * * *"), "line 1: the line has no command");
    assert_eq!(p("# one\n0 0 * * * %input"), "line 2: the line has no command");
    assert!(
        p("0~5 2~5 * * * x")
            .starts_with("line 1: the hour is random, and the minute is random in a part of the hour")
    );
    assert!(
        p("0 3 1~7 * * x")
            .starts_with("line 1: the day is random, and the minute is not any minute of the hour")
    );
    assert!(p("CRON_TZ=Nowhere\n0 3 * * * x").contains("Nowhere"));
    let window = Options { window: Some(kron_core::Duration::parse("23h").unwrap()), ..options() };
    let both = converted("0 3 */2 * 1 x", &window);
    assert!(both.text.contains("@days(dow=1;dom=1,3,5,"), "{}", both.text);
}

/// Letters of other programs lead to the rule of days that says the same.
#[test]
fn letters_of_days_lead_on() {
    for (line, help) in [
        ("0 9 L * * x", "`0 9 * * * @days(last=1)`"),
        ("0 9 * * 5L x", "`0 9 * * * @days(dow=FRI;last=1-7)`"),
        ("0 9 15W * * x", "`0 9 * * * @days(near=15)`"),
        ("0 9 * * 5#2 x", "`0 9 * * * @days(dow=FRI;dom=8-14)`"),
    ] {
        let found = convert(&[Source { name: "-", text: line }], &options()).unwrap().findings;
        let text = found[0].finding.help.clone().unwrap_or_default();
        assert!(text.contains("check the day in the command") && text.contains(help), "{line}: {text}");
    }
    let found = convert(&[Source { name: "-", text: "0 9 32 * * x" }], &options()).unwrap().findings;
    assert_eq!(found[0].finding.help.as_deref(), Some("write values from 1 to 31"));
}

/// A job that Kron refuses has the code of the error, and no span: that of the error is one of the job's text.
#[test]
fn findings_have_the_code_of_their_cause() {
    let codes = |text: &str| {
        let findings = converted(text, &options()).findings;
        assert!(findings.iter().all(|found| found.finding.span.is_none()), "{findings:?}");
        findings.into_iter().map(|found| (found.line, found.finding.code.as_str())).collect::<Vec<_>>()
    };
    assert_eq!(
        codes("@reboot x\n0 0 30 2 * x\n"),
        [(Some(1), "not-a-time"), (Some(2), "cron-never-matches")]
    );
    assert_eq!(codes("MAILTO=a\n0 3 * * * x\n"), [(Some(1), "left-out"), (None, "working-directory")]);
}

#[test]
fn the_zone_of_the_host() {
    let text = "0 3 * * * x\n";
    let unknown = converted(text, &from(Format::Crontab));
    assert_eq!(
        messages(&unknown, Severity::Warning),
        [
            "times are read in UTC, because the source names no time zone; add `--tz ZONE` with the time zone of its host"
        ]
    );
    let known = converted(text, &Options { timezone: Some("Asia/Tokyo".into()), ..from(Format::Crontab) });
    assert!(known.text.starts_with("0 3 * * * @tz(Asia/Tokyo) "), "{}", known.text);
}

/// A random field, as Vixie cron takes it.
fn field(random: &mut Random, low: u32, high: u32, names: &[&str]) -> String {
    let count = if random.one_in(3) { 1 + random.below(3) } else { 1 };
    let items: Vec<String> = (0..count)
        .map(|_| {
            let (first, second) = (low + random.below(high - low + 1), low + random.below(high - low + 1));
            let (from, to) = (first.min(second), first.max(second));
            let word = |random: &mut Random, value: u32| match names.get((value - low) as usize) {
                Some(name) if random.one_in(3) => name.to_string(),
                _ => value.to_string(),
            };
            let step = 1 + random.below(high);
            match random.below(5) {
                0 => "*".into(),
                1 => format!("*/{step}"),
                2 => word(random, first),
                3 => format!("{}-{}", word(random, from), word(random, to)),
                _ => format!("{from}-{to}/{step}"),
            }
        })
        .collect();
    items.join(",")
}

#[test]
fn random_crontabs_fire_as_before() {
    let mut random = Random::new(3);
    let (mut compared, mut constrained) = (0, 0);
    let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
    for _ in 0..150 {
        let minute = if random.one_in(2) { "0".to_string() } else { field(&mut random, 0, 59, &[]) };
        let hour = if random.one_in(2) { "7,19".to_string() } else { field(&mut random, 0, 23, &[]) };
        let dom = field(&mut random, 1, 31, &[]);
        let month = field(&mut random, 1, 12, &months);
        let dow = field(&mut random, 0, 7, &days);
        let times = format!("{minute} {hour}\t{dom} {month}  {dow}");
        let want = minutes(vixie::reader(&times));
        let converted = converted(&format!("{times} x\n"), &options());
        if want.is_empty() {
            // It may fire in other years, or never, which is refused.
            continue;
        }
        let jobs = loaded(&converted).jobs;
        constrained += usize::from(converted.text.contains("@days"));
        assert_eq!(starts(&jobs[0].job), want, "{times}\n{}", converted.text);
        compared += 1;
    }
    assert!(compared > 100 && constrained > 10, "{compared} compared, {constrained} constrained");
}

#[test]
fn windows_that_reach_the_next_start_are_named() {
    let expected =
        "a window of 20m is as long as a gap of its schedule or longer, so starts can change their order";
    let text = "CRON_TZ=UTC\n*/15 * * * * /bin/a\n0 3 * * * /bin/b\n";
    let found = messages(&converted(text, &with_window(Format::Crontab, "20m", true)), Severity::Warning);
    assert_eq!(found.iter().filter(|message| message.contains(expected)).count(), 1, "{found:?}");
    let delayed = "CRON_TZ=UTC\nRANDOM_DELAY=20\n*/15 * * * * /bin/a\n";
    let found = messages(&converted(delayed, &from(Format::Crontab)), Severity::Warning);
    assert!(found.iter().any(|message| message.contains(expected)), "{found:?}");
}

#[test]
fn jobs_can_be_suspended() {
    let options = Options { suspend: true, ..from(Format::Crontab) };
    let converted = converted("CRON_TZ=UTC\n0 3 * * * /bin/a\n", &options);
    assert!(converted.text.contains(",suspend=true)"), "{}", converted.text);
    assert!(loaded(&converted).jobs.iter().all(|job| job.job.spec().policy().suspend()));
}

#[test]
fn a_crontab_without_jobs_has_a_warning() {
    for text in ["", "# one\n\n"] {
        let converted = converted(text, &options());
        assert_eq!((converted.text.as_str(), converted.refused), ("", 0));
        let warnings = messages(&converted, Severity::Warning);
        assert_eq!(warnings, ["it has no schedule, so nothing is converted"]);
    }
    let refused = converted("@reboot x\n", &options());
    assert_eq!(messages(&refused, Severity::Warning), [""; 0]);
}

/// Variables are repeated for each job, and the jobs have to fit into a job file.
#[test]
fn the_length_of_the_jobs_is_bounded() {
    let text = format!("A={}\n{}", "x".repeat(1 << 20), "0 3 * * * x\n".repeat(70));
    let converted = convert(&[Source { name: "file", text: &text }], &options());
    let found = converted.map(|converted| converted.refused).expect_err("the jobs are too long");
    assert_eq!(found.finding.code, ConvertCode::TooLong.into());
    assert_eq!(
        found.to_string(),
        "line 65: the jobs up to here have more than 67108864 bytes; convert the sources in parts, or set fewer variables"
    );
}

/// Each name is looked up, and not searched. Otherwise, the time grows with the square of their number.
#[test]
fn variables_are_set_in_any_number() {
    let variables: String = (0..100_000).map(|at| format!("A{at}=1\n")).collect();
    let refused = refusal(&format!("{variables}0 3 * * * x\n"), &options());
    assert!(refused.contains("65536 bytes"), "{refused}");
}
