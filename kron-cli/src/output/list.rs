//! Lists of decisions in the form of `-o`, written one by one.

use std::io::{self, Write};

use chrono::DateTime;
use kron_core::{Decision, Job};
use serde::Serialize;

use super::form::ListForm;
use super::json::{self, Array};
use super::table::{Table, printable};
use super::{csv, time};

/// How a list is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ListStyle<'a> {
    /// The form.
    pub(crate) form: ListForm,
    /// Whether rows come by nominal time, not by chosen time.
    pub(crate) nominal: bool,
    /// Whether a table has the times in each job's zone.
    pub(crate) local: bool,
    /// Whether it has the times of primers.
    pub(crate) primers: bool,
    /// The columns of CSV; empty for the default ones.
    pub(crate) columns: &'a [String],
    /// The width of the terminal. A table that would be wider has times without a year, and then no windows.
    pub(crate) terminal_columns: Option<u16>,
}

/// A list that is being written, with the times of primers or without.
#[derive(Debug)]
pub(crate) struct List {
    form: Form,
    primers: bool,
}

/// The column of the times of primers in CSV, and their field in JSON.
const PRIMER_TIME: &str = "primerTime";

/// A decision and when the primer of its start is made.
#[derive(Serialize)]
struct WithPrimer<'d, 'j> {
    #[serde(flatten)]
    decision: &'d Decision<'j>,
    #[serde(rename = "primerTime")]
    primer_time: Option<String>,
}

#[derive(Debug)]
enum Form {
    /// Columns; with the order that rows come in and the zone they are shown in.
    Table {
        table: Table<5>,
        /// Until the first row: without one there is no table.
        headings: Option<[&'static str; 5]>,
        nominal: bool,
        local: bool,
        short: bool,
        windows: bool,
    },
    Json(Array),
    Ndjson,
    /// The names of its columns.
    Csv(Vec<String>),
}

impl List {
    /// Begins a list of decisions of these jobs.
    pub(crate) fn begin(style: ListStyle<'_>, jobs: &[Job], out: &mut dyn Write) -> io::Result<List> {
        let ListStyle { form, nominal, local, primers, columns, terminal_columns } = style;
        let form = match form {
            ListForm::Json => Form::Json(Array::default()),
            ListForm::Ndjson => Form::Ndjson,
            ListForm::Csv => {
                let columns = match columns {
                    [] => csv::DEFAULT_COLUMNS.map(str::to_string).to_vec(),
                    columns => columns.to_vec(),
                };
                let headings: Vec<&str> =
                    columns.iter().map(String::as_str).chain(primers.then_some(PRIMER_TIME)).collect();
                csv::row(out, &headings)?;
                Form::Csv(columns)
            }
            ListForm::Text => {
                let (first, third) = if nominal { ("NOMINAL", "START") } else { ("START", "NOMINAL") };
                // A column without a heading and cells prints nothing.
                let headings = [first, "JOB", third, "WINDOW", if primers { "PRIMER" } else { "" }];
                let sample = if local { "2026-03-01T01:19:37+01:00" } else { "2026-03-01T00:19:37Z" };
                let fitted = |sample: &str, windows: bool| {
                    let [first, job, third, window, made] = headings;
                    let headings = [first, job, third, if windows { window } else { "" }, made];
                    let table = Table::new(headings).fit(0, sample).fit(2, sample);
                    let table = if primers { table.fit(4, sample) } else { table };
                    let fit = |table: Table<5>, job: &Job| {
                        let table = table.fit(1, &printable(job.name()));
                        if windows { table.fit(3, &time::window(job.spec().window())) } else { table }
                    };
                    (jobs.iter().fold(table, fit), headings)
                };
                let is_wide =
                    |table: &Table<5>| terminal_columns.is_some_and(|columns| table.width() > columns.into());
                let (mut table, mut headings) = fitted(sample, true);
                let short = is_wide(&table);
                if short {
                    (table, headings) = fitted(&time::without_year(sample), true);
                }
                // A window says least about a start.
                let windows = !is_wide(&table);
                if !windows {
                    (table, headings) = fitted(&time::without_year(sample), false);
                }
                Form::Table { table, headings: Some(headings), nominal, local, short, windows }
            }
        };
        Ok(List { form, primers })
    }

    /// Writes one decision, and the Unix second at which its primer is made, if one is made.
    pub(crate) fn row(
        &mut self,
        job: &Job,
        decision: &Decision<'_>,
        primer: Option<i64>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let primers = self.primers;
        let with_primer = || WithPrimer { decision, primer_time: primer.map(time::utc_of) };
        match &mut self.form {
            Form::Json(array) if primers => array.item(out, &with_primer()),
            Form::Json(array) => array.item(out, decision),
            Form::Ndjson if primers => json::line(out, &with_primer()),
            Form::Ndjson => json::line(out, decision),
            Form::Csv(columns) => {
                let mut cells = csv::cells(decision, columns)?;
                cells.extend(primers.then(|| primer.map(time::utc_of).unwrap_or_default()));
                csv::row(out, &cells)
            }
            Form::Table { table, headings, nominal, local, short, windows } => {
                if let Some(headings) = headings.take() {
                    table.row(out, headings)?;
                }
                let show = |at| {
                    let text = if *local { time::local(at, job.spec().timezone()) } else { time::utc(at) };
                    if *short { time::without_year(&text) } else { text }
                };
                let names = show(decision.nominal_time());
                let starts = decision.chosen_time().map_or_else(|| "unschedulable".to_string(), show);
                let (first, third) = if *nominal { (&names, &starts) } else { (&starts, &names) };
                let made =
                    primer.and_then(|at| DateTime::from_timestamp(at, 0)).map(show).unwrap_or_default();
                let name = printable(job.name());
                let window = if *windows { time::window(job.spec().window()) } else { String::new() };
                table.row(out, [first, &name, third, &window, &made])
            }
        }
    }

    /// Ends the list.
    pub(crate) fn end(&self, out: &mut dyn Write) -> io::Result<()> {
        match &self.form {
            Form::Json(array) => array.end(out),
            Form::Table { .. } | Form::Ndjson | Form::Csv(_) => Ok(()),
        }
    }
}
