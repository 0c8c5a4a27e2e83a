//! `docs/reference/errors.md` is generated here: every error code, its cause, and what the core says about examples.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use kron_core::proof::Receipt;
use kron_core::text::parse_job_file;
use kron_core::{Calendars, Cron, Duration, Error, ErrorCode, Job, Parser, TzDatabase};
use kron_formats::icalendar::calendar_from_icalendar;
use kron_formats::prime::Prime as _;
use kron_formats::{LoadOptions, load};

/// How the page is written again.
const RECORD: &str = "KRON_RECORD=1 cargo test -p kron-formats --all-features --test suite errors";

const HEAD: &str = "\
# Errors

Every error of Kron has a code: a number and a word that never get another meaning. This page lists each code, its cause, and
examples with the message. The part of a message before the colon is the field, by its path in the spec of a KronJob. `help`
says how to write it correctly, where that is known.

The command `kron` prints the message with the place in the text; `-o json` and `-o sarif` of `kron lint` have the word. In Rust
the code is `Error::code()`, in Python `KronError.code` (the number), and in C the result of the function: `cron-out-of-range`
is `KRON_ERROR_CRON_OUT_OF_RANGE`. Behind the errors are the words of findings, Events, conditions and causes; more about them is in
[command.md](command.md#findings) and [resource.md](resource.md#events).
";

/// The families of codes: each has the hundred numbers from its first one on.
const FAMILIES: [(u32, &str); 8] = [
    (100, "Cron expressions"),
    (200, "Job texts and job files"),
    (300, "Values"),
    (400, "Constraints"),
    (500, "Manifests"),
    (600, "Searches"),
    (700, "Primed schedules"),
    (800, "Calendars"),
];

/// What is wrong, as a reader of the page sees it, and what the core says.
struct Example {
    /// What it is: a job text, a job file.
    what: &'static str,
    /// The language of the code block.
    language: &'static str,
    shown: String,
    error: Error,
}

/// The error of a text that reads as something has none.
#[track_caller]
fn refused<T, E>(result: Result<T, E>, shown: &str) -> E {
    match result {
        Ok(_) => panic!("this is valid, and cannot be an example of an error: {shown}"),
        Err(error) => error,
    }
}

/// Job texts, one example each.
#[track_caller]
fn text(text: &str) -> Example {
    long_text(text, text)
}

/// A job text that is too long to be shown.
#[track_caller]
fn long_text(text: &str, shown: &str) -> Example {
    let error = refused(Job::parse("team/job", text), shown);
    Example { what: "Job text", language: "text", shown: shown.to_string(), error }
}

/// The first error of a file.
#[track_caller]
fn file(text: &str) -> Example {
    let error = refused(parse_job_file(text), text)[0].clone();
    Example { what: "Job file", language: "text", shown: text.to_string(), error }
}

/// The first error of a manifest.
#[track_caller]
fn manifest(text: &str) -> Example {
    let error = refused(load(&Parser::new(), text, &LoadOptions::default()), text).errors[0].clone();
    Example { what: "Manifest", language: "yaml", shown: text.to_string(), error }
}

/// The first error of a KronJob with these lines in its spec, and with everything else that it needs.
#[track_caller]
fn spec(lines: &str) -> Example {
    let indented: String = lines.lines().map(|line| format!("  {line}\n")).collect();
    let Example { error, .. } = manifest(&format!(
        "apiVersion: kron.io/v1alpha1\nkind: KronJob\nmetadata: {{name: report}}\nspec:\n{indented}  jobTemplate: {{spec: {{template: \
         {{spec: {{restartPolicy: Never, containers: [{{name: c, image: \"c:1\"}}]}}}}}}}}\n"
    ));
    Example { what: "In the `spec` of a KronJob", language: "yaml", shown: lines.to_string(), error }
}

/// The first error of a calendar file.
#[track_caller]
fn calendar(text: &str) -> Example {
    let error = refused(Calendars::parse(text), text)[0].clone();
    Example { what: "Calendar file", language: "text", shown: text.to_string(), error }
}

/// The error of an iCalendar file with these lines in one event.
#[track_caller]
fn event(lines: &str) -> Example {
    let text = format!("BEGIN:VCALENDAR\nBEGIN:VEVENT\n{lines}\nEND:VEVENT\nEND:VCALENDAR\n");
    let error = refused(calendar_from_icalendar("holidays", &text), lines);
    Example { what: "Event of an iCalendar file", language: "text", shown: lines.to_string(), error }
}

/// A call of the library, shown as it is written here.
macro_rules! call {
    ($call:expr) => {{
        let shown = stringify!($call).split_whitespace().collect::<Vec<_>>().join(" ");
        let error = refused($call, &shown);
        Example { what: "In Rust", language: "rust", shown, error }
    }};
}

/// The job of calls.
fn job(text: &str) -> Job {
    Job::parse("team/job", text).unwrap()
}

/// 2026-03-01T00:00:00Z.
const MARCH: i64 = 1_772_323_200;

/// A receipt whose nominal time is not one.
#[track_caller]
fn receipt() -> Example {
    let job = job("0 2 * * * @win(after,3h)");
    let receipt = Receipt::new(&job, &job.decide(MARCH + 7200).unwrap()).to_json();
    let mut json: serde_json::Value = serde_json::from_str(&receipt).unwrap();
    json["decision"]["nominalTime"] = "2026-03-01 02:00".into();
    let receipt = Receipt::from_json(&json.to_string()).unwrap();
    let shown = r#""nominalTime": "2026-03-01 02:00""#;
    let error = refused(receipt.verify(&TzDatabase::COMPILED_IN, &Calendars::new()), shown);
    Example { what: "In a receipt", language: "text", shown: shown.to_string(), error }
}

/// The examples of all codes, in the order in which the page shows those of one code.
fn examples() -> Vec<Example> {
    let mut all = of_texts();
    all.extend(of_constraints_and_calendars());
    all.extend(of_manifests());
    all.extend(of_calls());
    all
}

fn of_texts() -> Vec<Example> {
    vec![
        long_text(&format!("0{} * * * *", ",0".repeat(150)), "0,0,0,... * * * *     # 150 times `,0`"),
        text("0 9 * *"),
        text("0 9 * * MON /usr/bin/backup"),
        text("0 9 * * weekdays"),
        text("0 9 1,,15 * *"),
        text("@fortnightly"),
        text("61 * * * *"),
        text("*/0 * * * *"),
        text("0 9 * * FRI-SUN"),
        text("0 0 31 2 *"),
        text("@reboot"),
        text("@every 90m"),
        text("CRON_TZ=Europe/Paris 0 9 * * *"),
        text("H 3 * * *"),
        text("0 0 L * *"),
        text("0 0 9 * * *"),
        long_text(
            &format!("@daily @seed(stable,salt=\"{}\")", "x".repeat(65_536)),
            "@daily @seed(stable,salt=\"xxx...\")     # 65536 times `x`",
        ),
        text("@daily @win(3h)"),
        text("@daily @win(after, 3h)"),
        text("@daily @win(after,3h"),
        text("@daily win(after,3h)"),
        text("@daily @tz Europe/Paris"),
        text("@daily @win(after,3h) # nightly"),
        text("@daily @win(after,3h) name=db/backup"),
        text("@daily @dists(skewEarly)"),
        text("@daily @jitter(5m)"),
        text("@daily @policy(dedline=5m)"),
        text("@daily @win(after,1h) @win(after,2h)"),
        text("@daily @win(after,3h) @only(dow=MON;dow=TUE)"),
        file("@daily @win(after,1h)\n"),
        file("@daily name=db/backup\n@hourly name=db/backup\n"),
        text("@daily @win(after,90)"),
        text("@daily @win(after,2d)"),
        text("@daily @tz(Europe/Pariss)"),
        text("@daily @tz(CEST)"),
        text("@daily @tz(UTC+2)"),
        text("@daily @win(afer,3h)"),
        text("@daily @policy(suspend=yes)"),
        text("@daily @win(after,3h) @dist(exponential,lambda=fast)"),
        text("@daily @win(after,3h) @dist(normal,lambda=2)"),
        text("@daily @win(after,9000h)"),
        call!(Job::parse("", "@daily")),
        file("@daily name=\"a\\nb\"\n"),
        text("@daily @win(after,1h) @dist(normal) @alg(sha256-splitmix64/1)"),
    ]
}

fn of_constraints_and_calendars() -> Vec<Example> {
    vec![
        text("@daily @win(after,3h) @only()"),
        text("@daily @win(after,3h) @only(dow=MON;)"),
        text("@daily @win(after,3h) @only(hour=2)"),
        text("@daily @days(hours=9-17)"),
        text("@daily @win(after,3h) @only(dow=Monday)"),
        text("@daily @win(after,3h) @only(between=2-4)"),
        text("@daily @win(after,3h) @only(hours=24)"),
        text("@daily @win(after,3h) @avoid(date=2026-02-29)"),
        text("@daily @win(after,3h) @only(dom=20-10)"),
        text("@daily @win(after,3h) @avoid(dates=2026-12-31..2026-12-24)"),
        long_text(
            &format!("@daily @win(after,3h) @only(hours={}1)", "1,".repeat(64)),
            "@daily @win(after,3h) @only(hours=1,1,1,...)     # 65 hours",
        ),
        text("@daily @days(dow=TUE;every=2w)"),
        text("@daily @win(after,3h) @avoid(calendar=holidays-fr)"),
        calendar("holidays-fr 2026-12-25\n"),
        call!(calendar_from_icalendar("holidays", "2026-12-25")),
        event("SUMMARY:Meeting\nDTSTART:20261225T090000Z"),
        calendar("holidays =\n"),
        two_calendars(),
        too_many_ranges(),
    ]
}

/// Two calendars of one name, from two files.
#[track_caller]
fn two_calendars() -> Example {
    let mut calendars = Calendars::parse("holidays = 2026-12-25").unwrap();
    let more = Calendars::parse("holidays = 2026-12-26").unwrap();
    let shown =
        "kron next -f jobs.kron --calendar fr.txt --calendar de.txt     # both have a line `holidays = ...`";
    let error = refused(calendars.add(more.get("holidays").unwrap().clone()), shown);
    Example { what: "Command", language: "text", shown: shown.to_string(), error }
}

/// A calendar with a range more than it may have.
#[track_caller]
fn too_many_ranges() -> Example {
    let first = chrono::NaiveDate::from_ymd_opt(2000, 1, 1).unwrap();
    // Every other day: neighbouring dates would be one range.
    let dates: Vec<_> = first.iter_days().step_by(2).take(10_001).map(|day| day.to_string()).collect();
    let Example { what, language, error, .. } = calendar(&format!("odd-days = {}\n", dates.join(", ")));
    Example {
        what,
        language,
        shown: "odd-days = 2000-01-01, 2000-01-03, ...     # 10001 dates".to_string(),
        error,
    }
}

fn of_manifests() -> Vec<Example> {
    vec![
        manifest("apiVersion: kron.io/v1alpha1\nkind: KronJob\nmetadata: {name: report\n"),
        manifest("kind: KronJob\nmetadata: {name: report, name: figures}\n"),
        spec("schedule: '@daily'\nwindwo: {duration: 3h}"),
        spec("timezone: Europe/Paris"),
        spec("schedule: '@daily'\nwindow: {duration: 3}"),
        spec("schedule: '@daily'\npolicy: {suspend: 'true'}"),
        manifest("- apiVersion: kron.io/v1alpha1\n  kind: KronJob\n"),
        manifest("apiVersion: kron.io/v2\nkind: KronJob\nmetadata: {name: report}\nspec: {}\n"),
        spec("schedule: '@daily'\nwindow: {mode: before, duration: 3h}"),
        spec("schedule: '@daily'\nconstraints: {avoid: [{calendar: holidays-fr}]}"),
        spec("schedule: '* * * * *'\nwindow: {duration: 3h}"),
    ]
}

fn of_calls() -> Vec<Example> {
    vec![
        receipt(),
        call!(TzDatabase::from_tzif(None, [("Europe/Paris", b"TZif")])),
        call!(job("@daily").decide(-1)),
        call!(job("@daily @avoid(hours=0)").next_start(MARCH)),
        call!(job("* * * * * @only(date=2035-05-05)").next_start(MARCH)),
        call!(job("@daily").next_start(4_102_444_799)),
        call!(Cron::parse("0 0 1 3 *").unwrap().prime(Duration::from_secs(600))),
        call!(job("@daily @win(after,3h)").spec().prime(Duration::from_secs(600))),
        call!(job("@daily @days(last=1)").placed()),
        call!(job("@daily @seed(weekly)").placed()),
        call!(job("@daily @alg(sha256-splitmix64/1)").placed()),
        call!(Parser::new().declaration("@daily name=a command=x", None)),
        call!(job("0 9 * * * @win(after,1h) @only(hours=3)").placed()),
    ]
}

/// The doc comment of each code, which is its cause: the comments in the source, by the code's name.
fn causes() -> Vec<(String, String)> {
    let source = include_str!("../../kron-core/src/error/code.rs");
    let body = source.split("\ncodes! {").nth(1).unwrap().split("\n}").next().unwrap();
    let mut causes = Vec::new();
    let mut words: Vec<&str> = Vec::new();
    for line in body.lines().map(str::trim) {
        if let Some(words_of_line) = line.strip_prefix("///") {
            words.push(words_of_line.trim());
        } else if let Some((name, _)) = line.split_once(" = ") {
            causes.push((name.to_string(), std::mem::take(&mut words).join(" ")));
        }
    }
    causes
}

fn page() -> String {
    let examples = examples();
    let causes = causes();
    let missing: Vec<_> = ErrorCode::ALL
        .iter()
        .filter(|code| !examples.iter().any(|example| example.error.code() == **code))
        .collect();
    assert!(missing.is_empty(), "kron-formats/tests/errors.rs needs an example of each of {missing:?}");

    let mut page = String::from(HEAD);
    let _ = writeln!(page, "\n<!-- Generated: {RECORD} -->");
    for (first, family) in FAMILIES {
        let _ = writeln!(page, "\n## {family}");
        for code in ErrorCode::ALL.iter().filter(|code| code.number() / 100 * 100 == first) {
            let name = format!("{code:?}");
            let (_, cause) = causes.iter().find(|(of, _)| *of == name).expect("each code has a doc comment");
            let _ = writeln!(page, "\n### {} {}\n\n{cause}", code.number(), code.as_str());
            for Example { what, language, shown, error } in
                examples.iter().filter(|it| it.error.code() == *code)
            {
                let _ = writeln!(page, "\n{what}:\n\n```{language}\n{}\n```\n", shown.trim_end());
                let help = error.help();
                let message = error.to_string();
                let message = help
                    .as_ref()
                    .and_then(|help| message.strip_suffix(&format!("; {help}")))
                    .unwrap_or(&message);
                let _ = writeln!(page, "    {message}");
                if let Some(help) = help {
                    let _ = writeln!(page, "    help: {help}");
                }
            }
        }
    }
    for (heading, meaning, source) in TABLES {
        let _ = writeln!(page, "\n## {heading}\n\n{meaning}\n\n| Word | Meaning |\n|---|---|");
        for (word, meaning) in words_of(source) {
            let _ = writeln!(page, "| `{word}` | {} |", meaning.replace('|', "\\|"));
        }
    }
    page
}

/// The other words that outputs have beside their sentences: a heading, what they are, and the source that defines them.
const TABLES: [(&str, &str, &str); 7] = [
    (
        "Findings of lint",
        "Warnings and notes of `kron lint`.",
        include_str!("../../kron-fleet/src/lint/code.rs"),
    ),
    (
        "Findings of convert and export",
        "Errors, warnings and notes of `kron convert` and `kron export`. A job that Kron refuses has a code from above.",
        include_str!("../src/error/convert/code.rs"),
    ),
    ("Findings of place", "Warnings and notes of `kron place`.", include_str!("../src/error/place/code.rs")),
    (
        "Schedules that place leaves",
        "Why `kron place` leaves a schedule as it is.",
        include_str!("../src/error/place/left.rs"),
    ),
    ("Events", "The reasons of Events.", include_str!("../../kron-crd/src/reason.rs")),
    (
        "Conditions",
        "The reasons of conditions that have one message.",
        include_str!("../../kron-crd/src/condition.rs"),
    ),
    (
        "Causes",
        "Why a period was not executed, in audits, histories and annotations of Events.",
        include_str!("../src/audit/cause.rs"),
    ),
];

/// The words that a source defines, each with its doc comment or the sentence beside it:
/// `Code = "word", "Sentence";`, `/// Sentence.` above `Variant = "word",` or `Variant,`, `X: Says = ("Word", "sentence");`.
fn words_of(source: &str) -> Vec<(String, String)> {
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_uppercase()) && name.chars().all(|c| c.is_ascii_alphanumeric())
    };
    let quoted =
        |line: &str| -> Vec<String> { line.split('"').skip(1).step_by(2).map(String::from).collect() };
    let (mut found, mut doc) = (Vec::new(), Vec::new());
    for line in source.lines().map(str::trim) {
        if let Some(line) = line.strip_prefix("///") {
            doc.push(line.trim());
            continue;
        }
        let meaning = std::mem::take(&mut doc).join(" ");
        let meaning = meaning.trim_end_matches('.').to_string();
        let name = line.split([' ', ',']).next().unwrap_or_default();
        match &*quoted(line) {
            [word, sentence] if line.contains(": Says = (") || line.ends_with("\";") && is_name(name) => {
                found.push((word.clone(), sentence.clone()));
            }
            // A reason, with the type of its Events.
            [_] if [": NORMAL, ", ": WARNING, "].iter().any(|severity| line.contains(severity)) => {
                found.push((name.trim_end_matches(':').to_string(), meaning));
            }
            [word] if is_name(name) && line.contains(" = ") && !meaning.is_empty() => {
                found.push((word.clone(), meaning));
            }
            [] if is_name(name) && line == format!("{name},") && !meaning.is_empty() => {
                found.push((name.to_string(), meaning));
            }
            _ => {}
        }
    }
    // The types of Events are no reasons.
    found.retain(|(word, _)| !["Normal", "Warning"].contains(&&**word));
    assert!(found.len() > 3, "the source has another form: {found:?}");
    found
}

/// The page says what the core says.
#[test]
#[allow(clippy::disallowed_methods, reason = "the core does no I/O, but this test reads and writes its page")]
fn the_page_of_errors_is_current() {
    let page = page();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/reference/errors.md");
    if std::env::var_os("KRON_RECORD").is_some() {
        fs::write(&path, &page).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == page, "docs/reference/errors.md is not current: {RECORD}");
}

/// Every code is in a family of the page.
#[test]
fn every_code_is_on_the_page() {
    let page = page();
    for code in ErrorCode::ALL {
        assert!(page.contains(&format!("\n### {} {}\n", code.number(), code.as_str())), "{code:?}");
    }
}
