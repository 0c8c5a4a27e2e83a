//! What notebooks show of decisions: the picture of `kron explain`, and tables.

use kron_core::Decision;

/// The rows of a table.
pub(crate) const ROWS: usize = 10;

/// The first decisions as a table of HTML, and a row of dots if there are more. Times are in UTC.
pub(crate) fn table<'a>(decisions: impl Iterator<Item = &'a Decision<'a>>, has_more: bool) -> String {
    let mut rows = String::new();
    let mut add = |cells: [&str; 3]| {
        let cells = cells.map(|cell| format!("<td>{}</td>", escaped(cell)));
        rows.push_str(&format!("<tr>{}</tr>\n", cells.concat()));
    };
    for decision in decisions {
        let show = |time: chrono::DateTime<chrono::Utc>| time.format("%Y-%m-%d %H:%M:%S").to_string();
        let start = match (decision.chosen_time(), decision.unschedulable()) {
            (Some(start), _) => show(start),
            (None, why) => format!("none: {}", why.map_or("", kron_core::Unschedulable::as_str)),
        };
        add([&start, decision.name(), &show(decision.nominal_time())]);
    }
    if has_more {
        add(["…"; 3]);
    }
    format!(
        "<table>\n<thead><tr><th>Start (UTC)</th><th>Job</th><th>Nominal time (UTC)</th></tr></thead>\n\
         <tbody>\n{rows}</tbody>\n</table>"
    )
}

/// A text within HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
