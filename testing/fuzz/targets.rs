//! What each fuzz target does with its bytes: untrusted text into every parser of the core.
//!
//! None may panic or loop. What parses must print a canonical form that parses to an equal value; what does not must say
//! so in a message, at a place inside the text. Jobs that parse must decide and search, whatever they are.

// Each fuzz binary uses one of these functions.
#![allow(dead_code)]

use kron_core::plan::HostState;
use kron_core::proof::Receipt;
use kron_core::text::parse_job_file;
use kron_core::{
    Calendar, Calendars, Clause, Cron, Duration, Error, ErrorCode, Job, JobSpec, Parser, TzDatabase, Zone,
};
use kron_fleet::compare::{ListedStart, compare_starts};
use kron_fleet::lint::{LintOptions, lint};
use kron_formats::icalendar::calendar_from_icalendar;
use kron_formats::prime::{Prime as _, lead_changes};
use kron_formats::snapshot::AuditSpan;
use kron_formats::snapshot::Snapshot;
use kron_formats::{LoadOptions, load};

/// 2026-03-01T00:00:00Z, before the clock changes of most zones.
const AT: i64 = 1_772_323_200;

fn text_of(data: &[u8]) -> Option<&str> {
    // Parsers take `&str`: bytes that are not UTF-8 never reach them.
    core::str::from_utf8(data).ok()
}

fn check_message(error: &Error) {
    let message = error.to_string();
    assert!(!message.is_empty() && !message.contains(char::is_control), "{message:?}");
    assert!(message.len() < 2000, "{} bytes of message", message.len());
}

fn check_error(error: &Error, input: &str) {
    check_message(error);
    if let Some(span) = error.span() {
        assert!(input.get(span.clone()).is_some(), "{span:?} is not a part of {input:?}");
    }
}

/// Decides and searches with a job. Constraints and windows are bounded, so this is, too.
fn use_job(job: &Job) {
    let nominal = job.next_period(AT).map_or(AT, |decision| decision.nominal_timestamp());
    let decision = job.decide(nominal).unwrap();
    if let Some(chosen) = decision.chosen_timestamp() {
        assert!((decision.window_start_timestamp()..=decision.window_end_timestamp()).contains(&chosen));
    }
    assert_eq!(job.explain(nominal).unwrap().decision, decision);
    assert!(
        Receipt::new(job, &decision).verify(&TzDatabase::COMPILED_IN, &Calendars::new()).unwrap().agrees()
    );
    // Long windows of frequent schedules hold hundreds of thousands of periods, which is lawful and slow.
    let day = 86_400_000_000_000;
    if job.spec().window().duration().as_nanos() <= day && job.spec().constraints().is_empty() {
        let _ = job.next_start(AT);
        let _ = job.prev_start(AT);
        let _ = job.plan(&HostState::new(AT - 86_400), AT);
    }
}

/// Cron expressions.
pub fn cron(data: &[u8]) {
    let Some(text) = text_of(data) else { return };
    match Cron::parse(text) {
        Ok(cron) => {
            assert_eq!(Cron::parse(&cron.to_string()), Ok(cron));
            let schedule = cron.in_zone(Zone::parse("Australia/Lord_Howe").unwrap());
            let next = schedule.next_timestamp(AT);
            if let Some(next) = next {
                assert_eq!(schedule.prev_timestamp(next), Some(next));
            }
            assert!(schedule.series_back(next.unwrap_or(i64::MAX)).next().is_some());
        }
        Err(error) => check_error(&error, text),
    }
}

/// Primed schedules: a lead in minutes of two bytes, then an expression.
pub fn prime(data: &[u8]) {
    let Some((lead, text)) = data.split_first_chunk().and_then(|(lead, rest)| Some((lead, text_of(rest)?)))
    else {
        return;
    };
    let minutes = i64::from(u16::from_le_bytes(*lead));
    let Some(lead) = Duration::from_nanos(minutes * 60_000_000_000) else { return };
    let Ok(cron) = Cron::parse(text) else { return };
    let found = cron.prime(lead);
    if !(1..=31 * 1440).contains(&minutes) {
        assert_eq!(found.as_ref().map_err(Error::code), Err(ErrorCode::OutOfBounds));
        assert!(cron.prime_cover(lead).is_err());
        return;
    }
    let cover = cron.prime_cover(lead).unwrap();
    match found {
        Ok(primed) => assert_eq!((primed.surplus(), &primed), (0, &cover)),
        Err(error) => {
            assert_eq!(error.code(), ErrorCode::PrimeImpossible);
            check_error(&error, text);
            assert!(cover.surplus() > 0);
        }
    }
    for (cron, text) in cover.expressions().iter().zip(cover.texts()) {
        assert_eq!(Cron::parse(text), Ok(*cron));
    }
    // A civil time without zone is one in UTC.
    let lead_seconds = minutes * 60;
    let start = cron.in_zone(Zone::UTC).next_timestamp(AT);
    let fires =
        |at| cover.expressions().iter().any(|it| it.in_zone(Zone::UTC).next_timestamp(at - 1) == Some(at));
    assert!(start.is_none_or(|start| fires(start - lead_seconds)));
    let schedule = cron.in_zone(Zone::parse("Australia/Lord_Howe").unwrap());
    let changes = lead_changes(&schedule, lead, AT, AT + 400 * 86_400).unwrap();
    assert!(
        changes
            .iter()
            .all(|change| !change.to_string().is_empty() && change.start - change.primed == lead_seconds)
    );
}

/// The text form.
pub fn text(data: &[u8]) {
    let Some(text) = text_of(data) else { return };
    match JobSpec::parse(text) {
        Ok(spec) => {
            assert_eq!(JobSpec::parse(&spec.to_string()).as_ref(), Ok(&spec));
            let json = serde_json::to_string(&spec).unwrap();
            assert_eq!(serde_json::from_str::<JobSpec>(&json).unwrap(), spec);
            let job = Job::new("fuzz/text", spec).unwrap();
            use_job(&job);
            for finding in lint(&job, Some(text), AT, &LintOptions::default().with_years(1)) {
                assert!(finding.span.is_none_or(|span| text.get(span).is_some()));
            }
        }
        Err(error) => check_error(&error, text),
    }
}

/// Job files.
pub fn job_file(data: &[u8]) {
    let Some(text) = text_of(data) else { return };
    match parse_job_file(text) {
        Ok(lines) => lines.iter().for_each(|line| assert!(JobSpec::parse(&line.text).is_ok())),
        Err(errors) => {
            for error in errors {
                let line = error.line().and_then(|line| text.lines().nth(line - 1)).unwrap_or_default();
                check_error(&error, line);
            }
        }
    }
}

/// Durations.
pub fn duration(data: &[u8]) {
    let Some(text) = text_of(data) else { return };
    match Duration::parse(text) {
        Ok(duration) => assert_eq!(Duration::parse(&duration.to_string()), Ok(duration)),
        Err(error) => check_error(&error, text),
    }
}

/// Constraint parts: the part's name, a line break, its value.
pub fn constraint(data: &[u8]) {
    let Some((name, value)) = text_of(data).and_then(|text| text.split_once('\n')) else { return };
    match Clause::builder().part(name, value).build() {
        Ok(clause) => {
            let (name, value) =
                clause.to_string().split_once('=').map(|(n, v)| (n.to_owned(), v.to_owned())).unwrap();
            assert_eq!(Clause::builder().part(&name, &value).build(), Ok(clause));
        }
        Err(error) => {
            let message = error.to_string();
            assert!(!message.is_empty() && message.len() < 2000);
        }
    }
}

/// Rules of days: a cron expression, a line break, and `@days` and `@nodays`, which may name the calendar `de`. Text that is no
/// expression stands for one, because `cron` has the errors of expressions.
pub fn days(data: &[u8]) {
    let Some((expression, rules)) = text_of(data).and_then(|text| text.split_once('\n')) else { return };
    let parser =
        Parser::new().with_calendars(Calendars::parse("de = 2026-04-03, 2026-04-06, 2026-05-01").unwrap());
    let read = match parser.day_rules(rules) {
        Ok(read) => read,
        Err(error) => return check_error(&error, rules),
    };
    assert_eq!(parser.day_rules(&read.to_string()).as_ref(), Ok(&read));
    // At noon in UTC, each date has one nominal time: the search finds those dates that the rules choose, and no others.
    let every_noon = Cron::parse("0 12 * * *").unwrap().in_zone(Zone::UTC);
    let end = AT + 100 * 86_400;
    let chosen = every_noon.series(AT).take_while(|time| time.timestamp() < end);
    let chosen = chosen.filter(|time| read.judge(time.timestamp()).is_chosen());
    let on_days = every_noon.clone().on_days(read.clone());
    assert!(on_days.series(AT).take_while(|time| time.timestamp() < end).eq(chosen));
    // With any expression, in a zone with clock changes: forward and back agree, and the rules choose each date.
    let cron = Cron::parse(expression).unwrap_or(Cron::parse("*/30 2,12 * * *").unwrap());
    let zone = Zone::parse("Australia/Lord_Howe").unwrap();
    let schedule = cron.in_zone(zone.clone()).on_days(read.clone());
    let mut at = AT;
    for _ in 0..5 {
        let Some(next) = schedule.next_timestamp(at) else { break };
        assert!(next > at && read.judge(next + i64::from(zone.offset_at(next))).is_chosen());
        assert_eq!(schedule.prev_timestamp(next), Some(next));
        // Nothing lies between them.
        assert_eq!(schedule.prev_timestamp(next - 1), schedule.prev_timestamp(at));
        at = next;
    }
    let job = parser.job("fuzz/days", &format!("{cron} @tz({zone}) {read}")).unwrap();
    let period = job.next_period(AT).ok().map(|period| period.nominal_timestamp());
    assert_eq!(period, schedule.next_timestamp(AT));
}

/// What every calendar keeps, however it was read.
fn check_calendar(calendar: &Calendar) {
    assert_eq!(calendar.content_hash().len(), 64);
    let again = Calendars::parse(&calendar.to_string()).unwrap();
    assert_eq!(again.get(calendar.name()), Some(calendar));
    let dates: Vec<_> = calendar.dates().collect();
    assert!((1..=10_000).contains(&dates.len()));
    assert!(dates.windows(2).all(|pair| (*pair[1].start() - *pair[0].end()).num_days() > 1));
}

/// Calendar files.
pub fn calendar(data: &[u8]) {
    let Some(text) = text_of(data) else { return };
    match Calendars::parse(text) {
        Ok(calendars) => calendars.iter().for_each(check_calendar),
        Err(errors) => {
            let text = text.strip_prefix('\u{feff}').unwrap_or(text);
            for error in errors {
                let line = error.line().and_then(|line| text.lines().nth(line - 1)).unwrap_or_default();
                check_error(&error, line);
            }
        }
    }
}

/// iCalendar files.
pub fn icalendar(data: &[u8]) {
    let Some(text) = text_of(data) else { return };
    match calendar_from_icalendar("fuzz", text) {
        Ok(calendar) => check_calendar(&calendar),
        // Its place is a part of a line, which may be folded in the file.
        Err(error) => check_message(&error),
    }
}

/// Manifests in YAML and JSON, and whatever else a file may hold.
pub fn manifest(data: &[u8]) {
    let Some(text) = text_of(data) else { return };
    match load(&Parser::new(), text, &LoadOptions::default()) {
        Ok(loaded) => loaded.jobs.iter().for_each(|loaded| use_job(&loaded.job)),
        Err(error) => error.errors.iter().for_each(|error| assert!(!error.to_string().is_empty())),
    }
}

/// Objects of a cluster, and their audit.
pub fn snapshot(data: &[u8]) {
    let Some(text) = text_of(data) else { return };
    let Ok(snapshot) = Snapshot::read(&Parser::new(), &[text]) else { return };
    for kronjob in &snapshot.kronjobs {
        for (from, has_all_jobs) in [(AT - 86_400, false), (AT, true)] {
            let audit = kronjob.audit(AuditSpan { from: Some(from), now: AT + 3600, has_all_jobs });
            assert!(kronjob.job().is_ok() || audit.periods.is_empty() && !audit.findings.is_empty());
        }
    }
}

/// Lists of decisions, in two parts that are compared.
pub fn starts(data: &[u8]) {
    let half = data.iter().position(|byte| *byte == 0).unwrap_or(data.len());
    let (old, new) = data.split_at(half);
    let (Ok(old), Ok(new)) =
        (ListedStart::read_list(old), ListedStart::read_list(new.strip_prefix(&[0]).unwrap_or(new)))
    else {
        return;
    };
    assert_eq!(compare_starts(old.clone(), old.clone()), []);
    let there = compare_starts(old.clone(), new.clone());
    let back = compare_starts(new, old);
    assert_eq!(there.len(), back.len());
    assert!(there.iter().all(|(_, change)| change.old != change.new));
}

/// Receipts.
pub fn receipt(data: &[u8]) {
    let Some(text) = text_of(data) else { return };
    if let Ok(receipt) = Receipt::from_json(text) {
        let _ = receipt.verify(&TzDatabase::COMPILED_IN, &Calendars::new());
    }
}

/// TZif data. What reads is a zone that every search can use.
pub fn tzif(data: &[u8]) {
    let database = match TzDatabase::from_tzif(None, [("Fuzz/Zone", data)]) {
        Ok(database) => database,
        Err(error) => return check_error(&error, ""),
    };
    let zone = database.zone("Fuzz/Zone").unwrap();
    let changes: Vec<_> = zone.changes(i64::MIN).collect();
    assert!(changes.windows(2).all(|pair| pair[0].timestamp < pair[1].timestamp));
    let schedule = Cron::parse("*/7 */5 * * *").unwrap().in_zone(zone.clone());
    for change in changes.iter().take(50) {
        assert_ne!(change.offset_before, change.offset_after);
        assert_eq!(zone.offset_at(change.timestamp), change.offset_after);
        assert_eq!(zone.offset_at(change.timestamp - 1), change.offset_before);
        if let Some(next) = schedule.next_timestamp(change.timestamp) {
            assert!(next > change.timestamp);
            assert_eq!(schedule.prev_timestamp(next), Some(next));
            assert_eq!((next + i64::from(zone.offset_at(next))) % 60, 0);
        }
    }
    assert_eq!(zone.fingerprint().len(), 64);
}
