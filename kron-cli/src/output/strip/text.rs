//! A strip as lines for a terminal or a text file.

use std::collections::BTreeSet;

use super::Strip;
use crate::output::terminal::{Ink, Terminal};
use crate::output::time::clock_of;

/// Rows of a distribution that is not uniform.
const ROWS: usize = 3;
/// Between two entries of the legend.
const GAP: &str = "   ";
/// A narrower strip shows nothing.
const NARROWEST: usize = 24;

/// The characters.
struct Signs {
    /// A ninth of a cell more in each.
    levels: [char; 9],
    forbidden: char,
    forbidden_draw: char,
    start: char,
    nominal: char,
}

const UNICODE: Signs = Signs {
    levels: [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
    forbidden: '░',
    forbidden_draw: '×',
    start: '▲',
    nominal: '▼',
};

const ASCII: Signs = Signs {
    levels: [' ', '.', '.', ':', ':', '+', '*', '*', '#'],
    forbidden: '/',
    forbidden_draw: 'x',
    start: '^',
    nominal: 'v',
};

/// A row of characters.
struct Row(Vec<(char, Option<Ink>)>);

impl Row {
    fn new(columns: usize) -> Row {
        Row(vec![(' ', None); columns])
    }

    fn put(&mut self, column: usize, sign: char, ink: Ink) {
        if let Some(place) = self.0.get_mut(column) {
            *place = (sign, Some(ink));
        }
    }

    /// Writes a text if its place and a column on each side are free.
    fn write(&mut self, column: usize, text: &str, ink: Ink) -> bool {
        let length = text.chars().count();
        let Some(place) = self.0.get(column.saturating_sub(1)..column + length) else { return false };
        let after = self.0.get(column + length);
        if place.iter().chain(after).any(|(_, ink)| ink.is_some()) {
            return false;
        }
        text.chars().enumerate().for_each(|(index, sign)| self.put(column + index, sign, ink));
        true
    }

    /// Puts a sign, and its label beside it where there is room: to the right, else to the left. Says whether there was room.
    fn mark(&mut self, column: usize, sign: char, label: &str, ink: Ink) -> bool {
        let length = label.chars().count();
        // The places beside the sign are free only while it is not there.
        let is_labeled = self.write(column + 2, label, ink)
            || column.checked_sub(length + 1).is_some_and(|left| self.write(left, label, ink));
        self.put(column, sign, ink);
        is_labeled
    }

    fn into_text(self, colored: bool) -> String {
        let mut text = String::new();
        let end = self.0.iter().rposition(|(sign, _)| *sign != ' ').map_or(0, |last| last + 1);
        for run in self.0[..end].chunk_by(|(_, one), (_, other)| one == other) {
            let signs: String = run.iter().map(|(sign, _)| *sign).collect();
            text.push_str(&run[0].1.unwrap_or(Ink::Plain).paint(colored, &signs));
        }
        text
    }
}

/// How many cells a strip of so many columns may have. A cell of a short window has several columns.
pub(crate) fn cells(columns: usize) -> usize {
    columns.clamp(NARROWEST, 400)
}

/// The lines of a strip.
pub(crate) fn lines(strip: &Strip<'_>, terminal: Terminal) -> Vec<String> {
    let signs = if terminal.unicode { &UNICODE } else { &ASCII };
    let width = cells(terminal.columns) / strip.cells.len();
    let columns = width * strip.cells.len();
    // The first column of a cell, where the label of a tick begins, too.
    let column = |timestamp| strip.cell_of(timestamp) * width;
    let mut rows = Vec::new();

    let mut above = Row::new(columns);
    above.mark(column(strip.nominal), signs.nominal, "nominal time", Ink::Plain);
    rows.push(above);

    let height = if strip.is_uniform { 1 } else { ROWS };
    let mut levels = BTreeSet::new();
    for row in (0..height).rev() {
        let mut line = Row::new(columns);
        for (index, cell) in strip.cells.iter().enumerate() {
            // What can happen is seen.
            let eighths = ((cell.likelihood * (8 * height) as f64).round() as usize).max(1);
            let (sign, ink) = match eighths.saturating_sub(8 * row).min(8) {
                _ if !cell.is_allowed && row > 0 => continue,
                _ if !cell.is_allowed => (signs.forbidden, Ink::Dim),
                0 => continue,
                level => {
                    levels.insert(level);
                    (signs.levels[level], Ink::After)
                }
            };
            (0..width).for_each(|column| line.put(index * width + column, sign, ink));
        }
        rows.push(line);
    }

    let mut below = Row::new(columns);
    for cell in strip.forbidden_cells() {
        below.put(cell * width, signs.forbidden_draw, Ink::Bad);
    }
    let start = strip.chosen.map(|chosen| (chosen, format!("start {}", clock_of(chosen, strip.zone))));
    let start = start.filter(|(chosen, label)| !below.mark(column(*chosen), signs.start, label, Ink::Chosen));
    if below.0.iter().any(|(sign, _)| *sign != ' ') {
        rows.push(below);
    }

    let mut axis = Row::new(columns);
    // A label begins at its tick, and two columns are between them.
    for tick in strip.ticks(|letters| (letters + 2) as f64 / width as f64) {
        axis.write(strip.cell_of(tick.timestamp) * width, &tick.label, Ink::Plain);
    }
    rows.push(axis);

    let mut lines: Vec<String> = rows.into_iter().map(|row| row.into_text(terminal.colored)).collect();
    let start = start.map(|(_, label)| label);
    let legend = legend(strip, signs, &levels, start, columns.max(terminal.columns));
    lines.extend(legend.into_iter().map(|legend| legend.into_text(terminal.colored)));
    lines
}

/// What the signs of a strip mean, of those that it has and that have no label, in rows of at most so many columns. `start` is the
/// label of the start if it has none.
fn legend(
    strip: &Strip<'_>,
    signs: &Signs,
    levels: &BTreeSet<usize>,
    start: Option<String>,
    columns: usize,
) -> Vec<Row> {
    // The lowest, the middle and the highest of those that are there.
    let mut shown: Vec<char> = levels.iter().map(|level| signs.levels[*level]).collect();
    shown.dedup();
    if let [first, .., last] = shown[..] {
        shown = vec![first, shown[shown.len() / 2], last];
        shown.dedup();
    }
    let entries = [
        (start.is_some(), signs.start.to_string(), Ink::Chosen, start.as_deref().unwrap_or_default()),
        (!strip.is_uniform && !shown.is_empty(), shown.iter().collect(), Ink::After, "how likely a start is"),
        (strip.has_forbidden(), signs.forbidden.to_string(), Ink::Dim, "forbidden"),
        (!strip.forbidden.is_empty(), signs.forbidden_draw.to_string(), Ink::Bad, "forbidden draw"),
    ];
    let mut rows: Vec<Row> = Vec::new();
    for (_, sign, ink, meaning) in entries.into_iter().filter(|(is_shown, ..)| *is_shown) {
        let mut entry: Vec<(char, Option<Ink>)> = sign.chars().map(|sign| (sign, Some(ink))).collect();
        entry.extend(format!(" {meaning}").chars().map(|sign| (sign, Some(Ink::Plain))));
        match rows.last_mut() {
            Some(row) if row.0.len() + GAP.len() + entry.len() <= columns => {
                row.0.extend(GAP.chars().map(|blank| (blank, None)));
                row.0.extend(entry);
            }
            _ => rows.push(Row(entry)),
        }
    }
    rows
}
