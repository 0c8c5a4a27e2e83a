//! The tables of what a state file has.

use crate::output::table::Table;
use crate::output::time;
use crate::session::{Session, Stop};

/// Prints a table whose first and third columns are times: without their years where it is wider than the terminal.
pub(crate) fn print(
    headings: [&str; 6],
    mut cells: Vec<[String; 6]>,
    session: &mut Session<'_>,
) -> Result<(), Stop> {
    // The times keep their places when they change.
    let sample = "2026-03-01T00:19:37Z";
    let fitted = |sample: &str, cells: &[[String; 6]]| {
        let table = Table::new(headings).fit(0, sample).fit(2, sample);
        cells.iter().fold(table, |table, row| {
            [1, 3, 4, 5].into_iter().fold(table, |table, column| table.fit(column, &row[column]))
        })
    };
    let mut table = fitted(sample, &cells);
    if session.terminal_size().is_some_and(|(columns, _)| table.width() > columns.into()) {
        table = fitted(&time::without_year(sample), &cells);
        for [first, _, third, ..] in &mut cells {
            (*first, *third) = (time::without_year(first), time::without_year(third));
        }
    }
    table.row(&mut session.out, headings)?;
    for row in &cells {
        table.row(&mut session.out, row.each_ref().map(String::as_str))?;
    }
    Ok(())
}
