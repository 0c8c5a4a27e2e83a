//! Whole texts: what they mean, and the errors of those that are not valid.

use alloc::string::{String, ToString};
use alloc::{format, vec::Vec};

use crate::error::{Error, ErrorCode};
use crate::job::lookup::Lookup;
use crate::job::modifier::Modifier;
use crate::job::spec::JobSpec;

fn parse(text: &str) -> Result<JobSpec, Error> {
    super::parse(text, Lookup::compiled_in()).map(|(spec, _)| spec)
}

#[test]
fn ok_canonical_forms() {
    let p = |text: &str| {
        let spec = parse(text).unwrap();
        let canonical = spec.to_string();
        assert_eq!(parse(&canonical).as_ref(), Ok(&spec), "{canonical}");
        canonical
    };
    assert_eq!(p("@daily"), "0 0 * * *");
    assert_eq!(p("  @hourly\t@tz(UTC) @win(after,0) "), "0 * * * *");
    assert_eq!(
        p("0 0 * * * @only(hours=1-2) @tz(Europe/Paris) @win(after,3h)"),
        "0 0 * * * @tz(Europe/Paris) @win(after,3h0m0s) @only(hours=1,2)"
    );
    assert_eq!(p("0 0 * * * @win(around,0s)"), "0 0 * * * @win(around,0s)");
    assert_eq!(
        p("0 0 * * * @win(before,90m) @dist(skewLate)"),
        "0 0 * * * @win(before,1h30m0s) @dist(skewLate)"
    );
    assert_eq!(
        p("@daily @win(after,3h) @dist(normal,mu=mid,sigma=30m)"),
        "0 0 * * * @win(after,3h0m0s) @dist(normal)"
    );
    assert_eq!(
        p("@daily @win(around,3h) @dist(normal,sigma=31m,mu=mid)"),
        "0 0 * * * @win(around,3h0m0s) @dist(normal,mu=mid,sigma=31m0s)"
    );
    assert_eq!(p("@daily @seed(stable)"), "0 0 * * *");
    assert_eq!(p("@daily @seed(weekly,salt=\"a b\\n\\u{e9}\")"), "0 0 * * * @seed(weekly,salt=\"a b\\né\")");
    assert_eq!(
        p("@daily @policy(suspend=true,deadline=1h,concurrency=replace)"),
        "0 0 * * * @policy(concurrency=replace,deadline=1h0m0s,suspend=true)"
    );
    assert_eq!(p("@daily @alg(sha256-splitmix64/1)"), "0 0 * * * @alg(sha256-splitmix64/1)");
    assert_eq!(
        p(
            "@daily @avoid(dow=SAT,SUN;months=DEC&dom=24-26) @only(hours=9-17;dow=MON-FRI) @avoid(date=2026-05-01) @only(dom=1)"
        ),
        "0 0 * * * @only(hours=9-17;dow=1-5) @only(dom=1) @avoid(dow=0,6;dom=24-26&months=12;date=2026-05-01)"
    );
    assert_eq!(p("@daily @only(between=\"22:00-06:00\")"), "0 0 * * * @only(between=22:00-06:00)");
}

#[track_caller]
fn refuse(text: &str, code: ErrorCode, message: &str) {
    let error = parse(text).unwrap_err();
    assert_eq!(error.to_string(), message);
    assert_eq!(error.code(), code, "{message}");
    let span = error.span().unwrap();
    assert!(text.get(span).is_some());
}

#[test]
fn err_modifiers() {
    let syntax = ErrorCode::TextSyntax;
    refuse(
        "@daily @dists(uniform)",
        ErrorCode::TextUnknownModifier,
        "text: unknown modifier `@dists` at column 8; did you mean `@dist`?",
    );
    refuse(
        "@daily @when(5m)",
        ErrorCode::TextUnknownModifier,
        "text: unknown modifier `@when` at column 8; the modifiers are `@tz`, `@days`, `@nodays`, `@win`, `@dist`, `@seed`, `@policy`, \
         `@alg`, `@only`, `@avoid`",
    );
    refuse(
        "@daily @tz(UTC) @tz(UTC)",
        ErrorCode::TextRepeated,
        "text: `@tz` at column 17 appears twice; only `@days`, `@nodays`, `@only` and `@avoid` may repeat",
    );
    refuse(
        "@daily @tz UTC",
        syntax,
        "text: `@tz` at column 8 is not followed by `(`; write for example `@tz(Europe/Paris)`",
    );
    refuse("@daily @tz(UTC", syntax, "text: `(` at column 11 is never closed; write `@tz(UTC)`");
    refuse(
        "@daily @tz()",
        syntax,
        "text: the zone in `@tz(...)` at column 12 is empty; write for example `@tz(Europe/Paris)`",
    );
    refuse(
        "@daily @tz(UTC,UTC)",
        syntax,
        "text: `,UTC` at column 15 is more than `@tz` takes; write `@tz(Europe/Paris)`",
    );
    refuse(
        "@daily @tz(UTC)@win(after,1h)",
        syntax,
        "text: expected a modifier such as `@tz(...)`, but found `@win(after,1h)` at column 16; put a blank \
         before it",
    );
    refuse(
        "@daily @tz(UTC) x",
        syntax,
        "text: expected a modifier such as `@tz(...)`, but found `x` at column 17",
    );
    refuse(
        "@daily @win(after)",
        syntax,
        "window.duration: the duration of `@win(mode,duration)` is missing at column 18; write for example \
         `@win(after,3h)`",
    );
    refuse(
        "@daily @win(between,1h)",
        ErrorCode::Choice,
        "window.mode: expected `after`, `around` or `before`, but found `between` at column 13; write for example \
         `@win(after,3h)`",
    );
    refuse(
        "@daily @win(after,9000h)",
        ErrorCode::OutOfBounds,
        "window.duration: `9000h` at column 19 is longer than 8784h (366 days)",
    );
    refuse(
        "@daily @tz(Europe/Pariss)",
        ErrorCode::TimeZone,
        "timezone: unknown time zone `Europe/Pariss` at column 12; did you mean `Europe/Paris`?",
    );
    refuse(
        "@daily @seed(daily,sald=x)",
        ErrorCode::TextUnknownKey,
        "text: unknown key `sald` at column 20; `@seed` takes `salt`; did you mean `salt`?",
    );
    refuse(
        "@daily @policy(suspend=yes)",
        ErrorCode::Choice,
        "policy.suspend: expected `true` or `false`, but found `yes` at column 24; write `@policy(suspend=true)`",
    );
    refuse(
        "@daily @dist(exponential,lambda=\"x\")",
        ErrorCode::Number,
        "distribution.params.lambda: `x` at column 33 is not a finite decimal number above 0",
    );
    refuse(
        "@daily @win(after,1h) @dist(normal) @alg(sha256-splitmix64/1)",
        ErrorCode::AlgorithmUnsupported,
        "algorithm: algorithm `sha256-splitmix64/1` cannot compute distributions other than `uniform`, `skewEarly` and \
         `skewLate`; leave `@alg` out",
    );
    refuse(
        "  0 9 1,,15 * * @tz(UTC)",
        ErrorCode::CronSyntax,
        "schedule.dayOfMonth: an item of the list at column 9 is empty; write one comma between two items, and none at the \
         ends",
    );
    refuse(
        "61 * * * * @tz(UTC)",
        ErrorCode::CronOutOfRange,
        "schedule.minute: `61` at column 1 is not in 0 to 59",
    );
}

#[test]
fn the_modifiers_of_a_text_are_reported() {
    let p = |text: &str| super::parse(text, Lookup::compiled_in()).unwrap().1.to_string();
    assert_eq!(p("@daily"), "");
    assert_eq!(p("@daily @policy(suspend=false) @win(after,0s) @tz(UTC)"), "@tz @win @policy");
    assert_eq!(p("@daily @avoid(hours=1) @avoid(hours=2) @dist(uniform)"), "@dist @avoid");
}

#[test]
fn err_names_the_modifiers_that_may_repeat() {
    let repeated = parse("@daily @tz(UTC) @tz(UTC)").unwrap_err();
    let repeats: Vec<String> =
        Modifier::ALL.iter().filter(|it| it.may_repeat()).map(|it| format!("`@{it}`")).collect();
    let want = format!("only {} may repeat", repeats.join(", ")).replace(", `@avoid`", " and `@avoid`");
    assert_eq!(repeated.help().unwrap(), want);
}

#[test]
fn err_with_help_in_one_step() {
    let syntax = ErrorCode::TextSyntax;
    refuse(
        "0 3 * * * root /usr/bin/backup @tz(UTC)",
        ErrorCode::CronFieldCount,
        "schedule: `root /usr/bin/backup` at column 11 follows the schedule; a job has no command; write `command=` in a \
         job file: `0 3 * * * name=team/job command=\"...\"`",
    );
    let at = |text, column| format!("text: `{text}` at column {column} has no `@`; write `@{text}`");
    refuse("0 3 * * * win(after,3h)", syntax, &at("win(after,3h)", 11));
    refuse("@daily win(after,3h)", syntax, &at("win(after,3h)", 8));
    refuse("@daily @tz(UTC) win(after,3h)", syntax, &at("win(after,3h)", 17));
    refuse("0 3 * * tz(UTC)", syntax, &at("tz(UTC)", 9));
    let comment = "a comment cannot follow a job; write it on a separate line, in a job file";
    for (text, column) in [("0 3 * * * # daily", 11), ("@daily # daily", 8), ("@daily @tz(UTC) # daily", 17)]
    {
        refuse(text, syntax, &format!("text: `# daily` at column {column} is a comment; {comment}"));
    }
    refuse(
        "@daily @win(3h)",
        syntax,
        "window.mode: the mode of the window is missing before `3h` at column 13; write `@win(after,3h)`",
    );
    // The help for a window is a modifier that is read.
    let window = |text: &str, right: &str| {
        let help = parse(&format!("@daily {text}")).unwrap_err().help().unwrap();
        assert!(
            help == format!("write `{right}`") || help == format!("write for example `{right}`"),
            "{help}"
        );
        parse(&format!("@daily {right}")).unwrap();
    };
    window("@win(2d)", "@win(after,48h)");
    window("@win(1w)", "@win(after,168h)");
    window("@win(90 min)", "@win(after,1h30m)");
    window("@win(3)", "@win(after,3s)");
    window("@win (after,1h)", "@win(after,1h)");
    window("@win(before 3h)", "@win(before,3h)");
    window("@win(around;3h)", "@win(around,3h)");
    window("@win(after=2d)", "@win(after,48h)");
    window("@win(3h,Before)", "@win(before,3h)");
    for unclear in ["@win()", "@win", "@win(after)", "@win(1h,2h)", "@win(after;before)"] {
        window(unclear, "@win(after,3h)");
    }
    for (text, right) in [
        ("3 h", "write `3h`"),
        ("1 hour 30 min", "write `1h30m`"),
        ("400d", "a window has at most 366 days, `8784h`"),
    ] {
        let help = parse(&format!("@daily @win(after,{text})")).unwrap_err().help().unwrap();
        assert_eq!(help, right);
    }
    // A comment behind a command is a part of the command.
    let error = parse("30 2 * * * backup.sh # nightly").unwrap_err();
    assert_eq!(error.code(), ErrorCode::CronFieldCount);
    assert!(error.help().unwrap().ends_with("`30 2 * * * name=team/job command=\"...\"`"));
    refuse(
        "@daily @win(after,2d)",
        ErrorCode::Duration,
        "window.duration: `2d` at column 19 is not a duration: every number needs one of the units `ns`, `us`, `ms`, \
         `s`, `m`, `h`; write `48h`",
    );
    let blank = |text: &str, right: &str| {
        let message = format!("text: `{text}` at column 8 contains a blank outside quotes; write `{right}`");
        refuse(&format!("@daily {text}"), syntax, &message);
        parse(&format!("@daily @win(around,9h) {}", right.replace("@win(after,3h)", ""))).unwrap();
    };
    blank("@win(after, 3h)", "@win(after,3h)");
    blank("@win( after ,3h )", "@win(after,3h)");
    blank("@dist(normal, sigma = 3m)", "@dist(normal,sigma=3m)");
    blank("@only(hours=1; dow=MON)", "@only(hours=1;dow=MON)");
    blank("@tz( UTC )", "@tz(UTC)");
    refuse(
        "@daily @seed(daily,salt=a b)",
        syntax,
        "text: `a b)` at column 25 must be quoted; write it as `\"...\"`",
    );
    refuse(
        "@daily @tz(America/New York)",
        ErrorCode::TimeZone,
        "timezone: unknown time zone `America/New York` at column 12; did you mean `America/New_York`?",
    );
    refuse(
        "@daily @dist(skewearly)",
        ErrorCode::Choice,
        "distribution.name: expected `uniform`, `normal`, `skewEarly`, `skewLate` or `exponential`, but found \
         `skewearly` at column 14; did you mean `skewEarly`?",
    );
    refuse(
        "@daily @win(After,3h)",
        ErrorCode::Choice,
        "window.mode: expected `after`, `around` or `before`, but found `After` at column 13; did you mean `after`?",
    );
    refuse(
        "@daily @seed(stable,salt=)",
        syntax,
        "text: the salt at column 26 is empty; write `salt=\"\"` for an empty one, or leave it out",
    );
    assert_eq!(parse("@daily @seed(stable,salt=\"\")"), parse("@daily"));
    let dow = |text: &str, right: &str| {
        let error = parse(&format!("@daily @only(dow={text})")).unwrap_err();
        assert_eq!(error.help().unwrap(), format!("write `{right}`"));
        parse(&format!("@daily @only(dow={right})")).unwrap();
    };
    dow("weekday", "MON-FRI");
    dow("weekdays", "MON-FRI");
    dow("Weekend", "SAT,SUN");
    dow("weekends", "SAT,SUN");
    dow("Monday", "MON");
    dow("friday-monday", "FRI-MON");
    let cron = |field: &str, right: &str| {
        let error = parse(&format!("0 9 * * {field}")).unwrap_err();
        assert_eq!(error.help().unwrap(), format!("write `{right}`"));
        parse(&format!("0 9 * * {right}")).unwrap();
    };
    cron("weekday", "MON-FRI");
    cron("weekend", "SAT,SUN");
    cron("monday", "MON");
    cron("Monday-Friday", "MON-FRI");
    assert_eq!(parse("0 9 1 march *").unwrap_err().help().unwrap(), "write `MAR`");
    assert_eq!(parse("0 9 * * friday-monday").unwrap_err().help(), None);
    let months = parse("@daily @only(months=January)").unwrap_err();
    assert_eq!(months.help().unwrap(), "write `JAN`");
    assert_eq!(parse("@daily @only(dow=someday)").unwrap_err().help(), None);
    for (from, right) in [("31-1", "31,1"), ("31-2", "31,1-2"), ("30-1", "30-31,1"), ("25-5", "25-31,1-5")] {
        let error = parse(&format!("@daily @only(dom={from})")).unwrap_err();
        assert_eq!(error.help().unwrap(), format!("write `{right}`"));
        parse(&format!("@daily @only(dom={right})")).unwrap();
    }
    let file = "this is a job file: save it, and read it as a file";
    refuse(
        "@daily name=a\n@hourly name=b\n",
        syntax,
        &format!("text: a job text is one line, but this one has 2 lines; {file}"),
    );
    refuse(
        "# jobs\n@daily name=a",
        syntax,
        &format!("text: a job text is one line, but this one has 2 lines; {file}"),
    );
    refuse("@daily\n", syntax, "text: a line break at column 7 is not part of a job text; leave it out");
    refuse(
        "@daily name=db/backup",
        syntax,
        "text: expected a modifier such as `@tz(...)`, but found `name=db/backup` at column 8; fields such as `name=` \
         are written in job files only",
    );
}

#[test]
fn err_constraints() {
    refuse(
        "@daily @only(hours=25)",
        ErrorCode::ConstraintOutOfRange,
        "constraints.only[0].hours: `25` at column 20 is not in 0 to 23",
    );
    refuse(
        "@daily @avoid(dow=MON;hour=1)",
        ErrorCode::ConstraintUnknownPart,
        "constraints.avoid[1]: unknown part `hour` at column 23; the parts are `hours`, `dow`, `dom`, `months`, `between`, \
         `date`, `dates` or `calendar`; did you mean `hours`?",
    );
    refuse(
        "@daily @only()",
        ErrorCode::ConstraintEmpty,
        "constraints.only[0]: a clause at column 14 needs at least one part",
    );
    refuse(
        "@daily @only(hours=1;hours=2)",
        ErrorCode::TextRepeated,
        "constraints.only[0].hours: part `hours` at column 22 appears twice in one clause; join the values with commas",
    );
    refuse(
        "@daily @only(hours)",
        ErrorCode::TextSyntax,
        "text: expected `key=value`, but found `hours` at column 14",
    );
    let many = format!("@daily {}", "@only(hours=1) ".repeat(129));
    assert_eq!(parse(&many).unwrap_err().code(), ErrorCode::ConstraintTooLong);
}

#[test]
fn err_nonsense() {
    for text in [
        "",
        " ",
        ",",
        "@",
        "@(",
        "(",
        "\0",
        "\"",
        "@daily @",
        "@daily @only(hours=\"",
        "* * * * * @tz(\"UTC)",
    ] {
        let error = parse(text).unwrap_err();
        assert!(!error.to_string().is_empty());
    }
    assert_eq!(parse(&",".repeat(1 << 20)).unwrap_err().code(), ErrorCode::TextTooLong);
    assert_eq!(parse(&",".repeat(1 << 10)).unwrap_err().code(), ErrorCode::CronTooLong);
    let lines: String = "@daily\n@tz(UTC)".into();
    assert!(parse(&lines).is_err());
}
