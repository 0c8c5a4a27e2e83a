//! The page of an explanation: every step from the cron expression to the second, in plain words.
//!
//! All values come from the core's explanation. This file only formats them.

use std::cmp::Ordering;

use kron_core::constraint::Forbidden;
use kron_core::cron::ClockChange;
use kron_core::days::DayMatch;
use kron_core::proof::{DrawStep, Explanation};
use kron_core::{Calendar, Decision, Job, Schedule, SeedStrategy, Unschedulable, WindowMode, Zone};
use kron_fleet::HumanLength;

use super::clocks::clocks_go;
use super::forecast::words::grouped;
use super::job_text::short_text;
use super::page::Page;
use super::plural::plural;
use super::strip::Strip;
use super::strip::text::{cells, lines};
use super::table::{Table, printable};
use super::terminal::Terminal;
use super::time;

/// The most runs of allowed seconds that are listed.
const RUNS_SHOWN: usize = 6;

/// The page that `kron explain` prints for a decision of a job.
///
/// ```
/// let job = kron_core::Job::parse("prod/db-backup", "@daily @win(after,3h)")?;
/// let page = kron_cli::explanation_page(&job, &job.explain(0)?);
/// assert!(page.starts_with("prod/db-backup\n0 0 * * * @win(after,3h)\n\nResult       starts at 1970-01-01T0"));
/// # Ok::<(), kron_core::Error>(())
/// ```
pub fn explanation_page(job: &Job, explanation: &Explanation<'_>) -> String {
    page_for(job, explanation, Terminal::ANY, ResultPlace::First)
}

/// Where the result stands on a page: it is what a person looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResultPlace {
    First,
    /// For a screen that does not show the beginning of the page.
    Last,
}

/// The same page for this terminal.
pub(crate) fn page_for(
    job: &Job,
    explanation: &Explanation<'_>,
    terminal: Terminal,
    place: ResultPlace,
) -> String {
    let mut page =
        Page::new(&format!("{}\n{}", printable(job.name()), printable(&short_text(&job.spec().to_string()))));
    if place == ResultPlace::First {
        result(&mut page, job, explanation, terminal, place);
    }
    schedule(&mut page, job, explanation);
    // Without a window, nothing is drawn.
    if explanation.candidates > 1 {
        window(&mut page, job, explanation);
        constraints(&mut page, job, explanation);
        seed(&mut page, job, explanation);
        draws(&mut page, job, explanation);
    } else if !job.spec().constraints().is_empty() {
        constraints(&mut page, job, explanation);
    }
    clock_changes(&mut page, job, explanation);
    if place == ResultPlace::Last {
        result(&mut page, job, explanation, terminal, place);
    }
    page.into_text()
}

/// The schedule of a job in its zone.
pub(crate) fn schedule_of(job: &Job) -> Schedule {
    job.spec().in_zone()
}

/// A time in UTC and, if the zone is another, as its clocks show it.
fn both(timestamp: i64, zone: &Zone) -> String {
    let utc = time::utc_of(timestamp);
    if *zone == Zone::UTC { utc } else { format!("{utc}, {} in {zone}", time::local_of(timestamp, zone)) }
}

/// A time as the clocks of a zone show it, with its offset.
fn shown(timestamp: i64, zone: &Zone) -> String {
    if *zone == Zone::UTC { time::utc_of(timestamp) } else { time::local_of(timestamp, zone) }
}

fn schedule(page: &mut Page, job: &Job, explanation: &Explanation<'_>) {
    let spec = job.spec();
    page.head("Schedule", &format!("{} in the time zone {}", spec.schedule(), spec.timezone()));
    match explanation.day {
        DayMatch::EveryDay if spec.days().is_empty() => {}
        verdict => {
            page.head("Days", &spec.days().to_string());
            page.line(&match verdict {
                DayMatch::EveryDay => "The day is chosen: no clause of @nodays matches it.".to_string(),
                DayMatch::DaysClause(index) => {
                    format!("The day is chosen by @days({}).", spec.days().days()[index])
                }
                DayMatch::NoDaysClause => "The day is off: no clause of @days matches it.".to_string(),
                DayMatch::NodaysClause(index) => {
                    format!("The day is off: @nodays({}) matches it.", spec.days().nodays()[index])
                }
            });
            calendars(page, &spec.days().calendars());
        }
    }
    page.head("Period", &both(explanation.decision.nominal_timestamp(), spec.timezone()));
    page.line("This is the nominal time, the instant that the schedule names.");
    if !explanation.on_schedule {
        page.line("It is not on the schedule, so no host starts the job for it.");
    }
}

fn window(page: &mut Page, job: &Job, explanation: &Explanation<'_>) {
    let (spec, decision) = (job.spec(), &explanation.decision);
    let window = spec.window();
    let place = match window.mode() {
        WindowMode::After => "from the nominal time on",
        WindowMode::Around => "half before, half after the nominal time",
        WindowMode::Before => "up to the nominal time",
    };
    page.head("Window", &format!("{}, {place}", HumanLength::of(window.duration())));
    page.line(&format!("first {}", both(decision.window_start_timestamp(), spec.timezone())));
    page.line(&format!("last  {}", both(decision.window_end_timestamp(), spec.timezone())));
    let candidates = grouped(explanation.candidates);
    page.line(&format!(
        "{candidates} candidates, the whole seconds in it; distribution {}",
        spec.distribution()
    ));
}

/// The calendars that clauses name.
fn calendars(page: &mut Page, calendars: &[&Calendar]) {
    for calendar in calendars {
        let (name, ranges) = (calendar.name(), plural(calendar.dates().count(), "range"));
        page.line(&format!("calendar {name}: {ranges} of dates, SHA-256 {}", calendar.content_hash()));
    }
}

fn constraints(page: &mut Page, job: &Job, explanation: &Explanation<'_>) {
    let constraints = job.spec().constraints();
    if constraints.is_empty() {
        return page.head("Constraints", "none: every candidate is allowed");
    }
    let clauses = constraints.to_string();
    page.head("Constraints", &clauses);
    calendars(page, &constraints.calendars());
    let [allowed, candidates] = [explanation.allowed, explanation.candidates].map(grouped);
    page.line(&format!("allowed: {allowed} of {candidates} candidates"));
    let runs = &explanation.allowed_runs;
    let show = |at| shown(at, job.spec().timezone());
    for (first, last) in runs.iter().take(RUNS_SHOWN) {
        page.line(&format!("  {} to {}", show(*first), show(*last)));
    }
    if runs.len() > RUNS_SHOWN {
        page.line("  and more");
    }
}

fn seed(page: &mut Page, job: &Job, explanation: &Explanation<'_>) {
    let decision = &explanation.decision;
    let strategy = job.spec().seed().strategy();
    let shared = match strategy {
        SeedStrategy::Stable => "each period has its own draw",
        SeedStrategy::Daily => "all periods of a day in the job's zone share a draw",
        SeedStrategy::Weekly => "all periods of an ISO week in the job's zone share a draw",
        SeedStrategy::Fixed => "all periods share one draw",
    };
    page.head("Seed", &format!("{strategy}: {shared}; period key {}", decision.period_key()));
    // In debug form, because line feeds separate name, key and salt.
    page.line(&format!("input {}", quoted(&decision.seed_input())));
    page.line(&format!("hash  {}", decision.seed_hash()));
    page.line(&format!("by {}", decision.algorithm()));
}

/// In double quotes, with line feeds as `\n`.
fn quoted(text: &str) -> String {
    format!("\"{}\"", printable(&text.replace('\\', "\\\\").replace('"', "\\\"")))
}

fn draws(page: &mut Page, job: &Job, explanation: &Explanation<'_>) {
    if explanation.draws.is_empty() {
        return;
    }
    if explanation.allowed == 0 {
        // All lines would be equal.
        return page.head("Draws", &format!("{} draws, all forbidden", explanation.draws.len()));
    }
    let zone = job.spec().timezone();
    let rows: Vec<[String; 5]> = explanation
        .draws
        .iter()
        .enumerate()
        .map(|(i, draw)| row(i + 1, draw, job, &explanation.decision))
        .collect();
    let headings = ["DRAW", "U", "POSITION", "CANDIDATE", "ALLOWED"];
    let mut table = Table::new(headings);
    for [_, u, position, candidate, _] in &rows {
        table = table.fit(1, u).fit(2, position).fit(3, candidate);
    }
    page.head("Draws", "u is uniform from 0 to 1; the distribution makes it a position in the window.");
    let mut text = Vec::new();
    for row in std::iter::once(headings).chain(rows.iter().map(|row| row.each_ref().map(String::as_str))) {
        // Writing to a vector cannot fail.
        let _ = table.row(&mut text, row);
    }
    String::from_utf8_lossy(&text).lines().for_each(|line| page.line(line));

    if let Some(closed) = &explanation.closed_up {
        let u = closed.u.map_or_else(String::new, |u| format!("u {u:.4}, "));
        page.head(
            "Closed up",
            "None of 64 draws was allowed, so the allowed seconds, pushed together, take the place of the window, and one \
             more draw picks one of them.",
        );
        page.line(&format!(
            "{u}position {:.4} among {}: {}",
            closed.quantile,
            plural(explanation.allowed, "second"),
            shown(closed.chosen, zone)
        ));
    }
}

/// A candidate of a window as short as it is clear: with the day if the window has more than one, and with the offset if the clocks
/// change in it. The page has the rest above.
fn candidate(timestamp: i64, decision: &Decision<'_>, zone: &Zone) -> String {
    let ends = [decision.window_start_timestamp(), decision.window_end_timestamp()];
    let [first, last] = ends.map(|end| (time::day_of(end, zone), zone.offset_at(end)));
    let form = if first.0 == last.0 { "%H:%M:%S" } else { "%-d %b %H:%M:%S" };
    let clock = time::civil(timestamp, zone, form);
    if first.1 == last.1 { clock } else { clock + &time::offset(zone.offset_at(timestamp)) }
}

fn row(number: usize, draw: &DrawStep, job: &Job, decision: &Decision<'_>) -> [String; 5] {
    let verdict = match draw.forbidden {
        None => "yes".to_string(),
        Some(Forbidden::NoOnlyClause) => "no: outside @only".to_string(),
        Some(Forbidden::AvoidClause(index)) => {
            let clause =
                job.spec().constraints().avoid().get(index).map(ToString::to_string).unwrap_or_default();
            // In @avoid the parts of one clause are joined by `&`.
            format!("no: @avoid({})", clause.replace(';', "&"))
        }
    };
    let u = draw.u.map_or_else(String::new, |u| format!("{u:.4}"));
    let candidate = candidate(draw.candidate, decision, job.spec().timezone());
    [number.to_string(), u, format!("{:.4}", draw.quantile), candidate, verdict]
}

/// The start, and the strip of its window.
fn result(page: &mut Page, job: &Job, explanation: &Explanation<'_>, terminal: Terminal, place: ResultPlace) {
    start(page, job, explanation, place);
    let columns = terminal.columns.saturating_sub(Page::INDENT + 1);
    if let Some(strip) = Strip::new(job, explanation, cells(columns)) {
        page.line("");
        lines(&strip, Terminal { columns, ..terminal }).iter().for_each(|line| page.line(line));
    }
}

fn start(page: &mut Page, job: &Job, explanation: &Explanation<'_>, place: ResultPlace) {
    let decision = &explanation.decision;
    // Where the result is last, the name may have left the screen.
    let name = match place {
        ResultPlace::First => String::new(),
        ResultPlace::Last => format!("{} ", printable(job.name())),
    };
    let Some(chosen) = decision.chosen_timestamp() else {
        return page.head("Result", &format!("{name}does not start: {}", reason_in_words(decision)));
    };
    let zone = job.spec().timezone();
    let starts = match (explanation.on_schedule, job.spec().policy().suspend()) {
        (false, _) => "no host starts it; it would start",
        (true, true) => "is suspended; it would start",
        (true, false) => "starts",
    };
    page.head("Result", &format!("{name}{starts} at {}", time::utc_of(chosen)));
    // By itself, so that a terminal of 80 columns has room for it.
    if *zone != Zone::UTC {
        page.line(&format!("{} in {zone}", time::local_of(chosen, zone)));
    }
    page.line(&place_in_words(explanation, chosen));
}

/// Where the start of a period lies, and which draw chose it.
pub(super) fn place_in_words(explanation: &Explanation<'_>, chosen: i64) -> String {
    let place = apart_in_words(explanation.decision.nominal_timestamp(), chosen);
    match (explanation.draws.len(), explanation.closed_up) {
        // There was nothing to draw.
        (0, _) => place,
        (_, Some(_)) => format!("{place}, by a draw among the allowed seconds"),
        (count, None) => format!("{place}, by draw {count}"),
    }
}

/// Where a chosen time is beside its nominal time.
pub(super) fn apart_in_words(nominal: i64, chosen: i64) -> String {
    let apart = HumanLength::of_seconds(chosen - nominal);
    match chosen.cmp(&nominal) {
        Ordering::Less => format!("{apart} before its nominal time"),
        Ordering::Equal => "at its nominal time".to_string(),
        Ordering::Greater => format!("{apart} after its nominal time"),
    }
}

/// Why a period has no start.
pub(super) fn reason_in_words(decision: &Decision<'_>) -> &'static str {
    match decision.unschedulable() {
        Some(Unschedulable::DrawsExhausted) => {
            "none of its 64 draws is allowed, and this algorithm tries no further (drawsExhausted)"
        }
        // A decision without a chosen time has one of these two reasons.
        Some(Unschedulable::NoAllowedSecond) | None => {
            "the constraints allow no second of its window (noAllowedSecond)"
        }
    }
}

fn clock_changes(page: &mut Page, job: &Job, explanation: &Explanation<'_>) {
    let (schedule, nominal) = (schedule_of(job), explanation.decision.nominal_timestamp());
    let sentence =
        |change: ClockChange, what: &str| format!("{} {what}: {}", change.civil_text(), clocks_go(&change));
    let skipped =
        schedule.next_skipped(nominal).map(|change| sentence(change, "does not exist and has no period"));
    let doubled =
        schedule.next_doubled(nominal).map(|change| sentence(change, "occurs twice and has two periods"));
    let mut sentences = skipped.into_iter().chain(doubled);
    if let Some(first) = sentences.next() {
        page.head("Clocks", &first);
    }
    sentences.for_each(|next| page.line(&next));
}
