//! What notebooks show: the pictures of `kron explain` and `kron forecast`, and tables.

use kron_core::{Decision, Job};
use kron_fleet::HumanLength;

/// The rows of a table.
pub(crate) const ROWS: usize = 10;

/// The first decisions as a table of HTML, and a row of dots if there are more. Times are in UTC.
pub(crate) fn table<'a>(decisions: impl Iterator<Item = &'a Decision<'a>>, has_more: bool) -> String {
    let row = |decision: &Decision<'_>| {
        let show = |time: chrono::DateTime<chrono::Utc>| time.format("%Y-%m-%d %H:%M:%S").to_string();
        let start = match (decision.chosen_time(), decision.unschedulable()) {
            (Some(start), _) => show(start),
            (None, why) => format!("none: {}", why.map_or("", kron_core::Unschedulable::as_str)),
        };
        [start, decision.name().to_string(), show(decision.nominal_time())]
    };
    html_table(None, ["Start (UTC)", "Job", "Nominal time (UTC)"], decisions.map(row), has_more)
}

/// The first jobs as a table of HTML, with how many there are, and a row of dots if there are more.
pub(crate) fn jobs<'a>(jobs: impl ExactSizeIterator<Item = &'a Job>) -> String {
    let has_more = jobs.len() > ROWS;
    let row = |job: &'a Job| {
        let spec = job.spec();
        let window = spec.window();
        let window = match window.duration() {
            duration if duration.is_zero() => String::new(),
            duration => format!("{} {}", window.mode(), HumanLength::of(duration)),
        };
        [job.name().to_string(), spec.schedule().to_string(), spec.timezone().to_string(), window]
    };
    let caption = match jobs.len() {
        1 => "1 job".to_string(),
        count if has_more => format!("{count} jobs, the first {ROWS} of them"),
        count => format!("{count} jobs"),
    };
    let headings = ["Job", "Schedule", "Time zone", "Window"];
    html_table(Some(&caption), headings, jobs.take(ROWS).map(row), has_more)
}

fn html_table<const N: usize>(
    caption: Option<&str>,
    headings: [&str; N],
    rows: impl Iterator<Item = [String; N]>,
    has_more: bool,
) -> String {
    let cells = |tag: &str, cells: [String; N]| {
        cells.map(|cell| format!("<{tag}>{}</{tag}>", escaped(&cell))).concat()
    };
    let head = cells("th", headings.map(String::from));
    let dots = has_more.then(|| ["…"; N].map(String::from));
    let rows: String = rows.chain(dots).map(|row| format!("<tr>{}</tr>\n", cells("td", row))).collect();
    let caption = caption.map_or(String::new(), |caption| format!("<caption>{caption}</caption>\n"));
    format!("<table>\n{caption}<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>")
}

/// A picture with a text below it that is shown on demand, if there is one.
pub(crate) fn with_details(picture: &str, summary: &str, text: &str) -> String {
    match text {
        "" => picture.to_string(),
        text => {
            format!("{picture}<details><summary>{summary}</summary><pre>{}</pre></details>", escaped(text))
        }
    }
}

/// A text within HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
