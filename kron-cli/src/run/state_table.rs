//! The tables of what a state file has.

use std::io::Write as _;

use crate::output::table::{Table, shortened};
use crate::output::terminal::{Terminal, width};
use crate::output::time;
use crate::session::{Session, Stop};

/// The columns of the names of jobs, and of what became of them.
const NAME: usize = 1;
const RESULT: usize = 4;
/// A shorter name or result says nothing.
const LEAST: usize = 8;
/// Most results are as short, such as `exit code 127` and `activeExecution`.
const SHORT: usize = 15;
/// The columns of a day before a time without its year.
const DAY: usize = 7;
/// The blanks between two columns.
const GAP: usize = 2;
/// The times keep their places when they change.
const SAMPLE: &str = "2026-03-01T00:19:37Z";

/// Prints a table whose first and third columns are times. Where it is wider than the terminal, times are without their years and days
/// that stand there already, and names lose their middle, so that each row is a line.
pub(crate) fn print(
    headings: [&str; 6],
    cells: Vec<[String; 6]>,
    session: &mut Session<'_>,
) -> Result<(), Stop> {
    let terminal = session.terminal_size().map(|_| session.terminal());
    for line in lines(headings, cells, terminal) {
        writeln!(session.out, "{line}")?;
    }
    Ok(())
}

fn lines(headings: [&str; 6], mut cells: Vec<[String; 6]>, terminal: Option<Terminal>) -> Vec<String> {
    let samples = match terminal {
        Some(terminal) => fit(headings, &mut cells, terminal),
        None => [SAMPLE; 2].map(str::to_string),
    };
    let table = Table::new(headings).fit(0, &samples[0]).fit(2, &samples[1]);
    let table = cells.iter().fold(table, |table, row| {
        (0..row.len()).fold(table, |table, column| table.fit(column, &row[column]))
    });
    let rows = cells.iter().map(|row| table.line(row.each_ref().map(String::as_str)));
    std::iter::once(table.line(headings)).chain(rows).collect()
}

/// Shortens cells until each row is a line of the terminal. Returns times as long as those of the first and of the third column.
pub(crate) fn fit(headings: [&str; 6], cells: &mut [[String; 6]], terminal: Terminal) -> [String; 2] {
    let mut samples = [SAMPLE; 2].map(str::to_string);
    let is_wide = |cells: &[[String; 6]], samples: &[String; 2]| {
        sum(widths(headings, samples, cells)) > terminal.columns
    };
    if is_wide(cells, &samples) {
        samples = samples.map(|sample| time::without_year(&sample));
        for [first, _, third, ..] in &mut *cells {
            (*first, *third) = (time::without_year(first), time::without_year(third));
        }
    }
    if is_wide(cells, &samples) {
        // The first time of a row shows the day already. A column has one form of times.
        let is_of_day = |[first, _, third, ..]: &[String; 6]| {
            third.len() < DAY || first.get(..DAY).is_some_and(|day| third.starts_with(day))
        };
        let drops_days = cells.iter().all(is_of_day);
        if drops_days {
            samples[1] = String::new();
        }
        for [first, _, third, outcome, result, _] in &mut *cells {
            // What was not started has no result, which leaves room for the cause.
            let why = outcome.strip_suffix(')').and_then(|outcome| outcome.split_once(" ("));
            if let Some((word, cause)) = why.filter(|_| result == "-") {
                (*outcome, *result) = (word.to_string(), cause.to_string());
            }
            let day = first.get(..DAY).filter(|_| drops_days);
            if let Some(clock) = day.and_then(|day| third.strip_prefix(day)) {
                *third = clock.to_string();
            }
        }
        shorten(widths(headings, &samples, cells), cells, terminal);
    }
    samples
}

/// The columns of the widest cell of each column.
fn widths(headings: [&str; 6], samples: &[String; 2], cells: &[[String; 6]]) -> [usize; 6] {
    let mut widths = headings.map(width);
    for (column, sample) in [0, 2].into_iter().zip(samples) {
        widths[column] = widths[column].max(width(sample));
    }
    for row in cells {
        widths.iter_mut().zip(row).for_each(|(widest, cell)| *widest = width(cell).max(*widest));
    }
    widths
}

/// The columns of a row. One without a heading and cells has none.
fn sum(widths: [usize; 6]) -> usize {
    widths.iter().filter(|width| **width > 0).map(|width| width + GAP).sum::<usize>().saturating_sub(GAP)
}

/// Shortens names to the room that the others leave. A result that is longer than most gives them some of its own.
fn shorten(widths: [usize; 6], cells: &mut [[String; 6]], terminal: Terminal) {
    let (name, result) = (widths[NAME], widths[RESULT]);
    let room = (terminal.columns + name + result).saturating_sub(sum(widths)).max(2 * LEAST);
    let of_result = result.min((room / 2).max(room.saturating_sub(name)).max(SHORT.min(room - LEAST)));
    for row in cells {
        row[NAME] = shortened(&row[NAME], room - of_result, terminal.unicode);
        row[RESULT] = shortened(&row[RESULT], of_result, terminal.unicode);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADINGS: [&str; 6] = ["NEXT START", "JOB", "LAST START", "OUTCOME", "RESULT", ""];
    const LONG: &str = "warehouse-production/reconciliation/nightly-export-of-orders-7";

    fn row(name: &str, result: &str, active: &str) -> [String; 6] {
        [SAMPLE, name, "-", "executed", result, active].map(str::to_string)
    }

    fn shown(rows: &[[String; 6]], columns: usize) -> Vec<String> {
        lines(HEADINGS, rows.to_vec(), Some(Terminal { columns, ..Terminal::ANY }))
    }

    #[test]
    fn a_row_is_a_line_of_the_terminal() {
        let thirty_three = &LONG[..33];
        for name in ["a/b", thirty_three, LONG] {
            for (result, active) in
                [("-", ""), ("exit code 3", "41"), ("the command was not found, which ends it", "")]
            {
                let rows = [row(name, result, active), row("c", "-", "")];
                for columns in [80, 100, 140, 200] {
                    let lines = shown(&rows, columns);
                    assert_eq!(lines.len(), 3);
                    assert!(lines.iter().all(|line| width(line) <= columns), "{columns}: {lines:#?}");
                }
            }
        }
    }

    #[test]
    fn names_differ_at_their_ends() {
        let short = shown(&[row(LONG, "-", "")], 80);
        assert_eq!(
            short[1],
            "01 Mar 00:19:37Z  warehouse-produ\u{2026}port-of-orders-7  -           executed  -"
        );
        // The day of the period stands there already.
        let of_day =
            shown(&[[SAMPLE, LONG, SAMPLE, "executed", "exit code 3", "417"].map(str::to_string)], 80);
        assert_eq!(
            of_day[1],
            "01 Mar 00:19:37Z  warehouse-\u{2026}of-orders-7  00:19:37Z   executed  exit code 3  417"
        );
        let skipped = [SAMPLE, LONG, "-", "skipped (activeExecution)", "-", "-"].map(str::to_string);
        let skipped = shown(&[skipped], 80);
        assert_eq!(
            skipped[1],
            "01 Mar 00:19:37Z  warehouse-\u{2026}f-orders-7  -           skipped  activeExecution  -"
        );
        // What fits is as it is.
        assert!(shown(&[row(LONG, "-", "")], 140)[1].starts_with(&format!("{SAMPLE}  {LONG}  -")));
        assert!(lines(HEADINGS, vec![row(LONG, "exit code 3", "")], None)[1].contains(LONG));
    }
}
