//! Lists of decisions in the form that was asked for, written as they come.

use std::io::{self, Write};

use kron_core::{Decision, Job};

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
    /// The columns of CSV; empty for the default ones.
    pub(crate) columns: &'a [String],
}

/// A list that is being written.
#[derive(Debug)]
pub(crate) enum List {
    /// Columns; with the order that rows come in and the zone they are shown in.
    Table {
        table: Table<4>,
        nominal: bool,
        local: bool,
    },
    Json(Array),
    Ndjson,
    /// The names of its columns.
    Csv(Vec<String>),
}

impl List {
    /// Begins a list of decisions of these jobs.
    pub(crate) fn begin(style: ListStyle<'_>, jobs: &[Job], out: &mut dyn Write) -> io::Result<List> {
        let ListStyle { form, nominal, local, columns } = style;
        Ok(match form {
            ListForm::Json => List::Json(Array::default()),
            ListForm::Ndjson => List::Ndjson,
            ListForm::Csv => {
                let columns = match columns {
                    [] => csv::DEFAULT_COLUMNS.map(str::to_string).to_vec(),
                    columns => columns.to_vec(),
                };
                csv::row(out, &columns)?;
                List::Csv(columns)
            }
            ListForm::Table => {
                let (first, third) = if nominal { ("NOMINAL", "START") } else { ("START", "NOMINAL") };
                let headings = [first, "JOB", third, "WINDOW"];
                let sample = if local { "2026-03-01T01:19:37+01:00" } else { "2026-03-01T00:19:37Z" };
                let table = Table::new(headings).fit(0, sample).fit(2, sample);
                let table = jobs.iter().fold(table, |table, job| table.fit(1, &printable(job.name())));
                table.row(out, headings)?;
                List::Table { table, nominal, local }
            }
        })
    }

    /// Writes one decision.
    pub(crate) fn row(&mut self, job: &Job, decision: &Decision<'_>, out: &mut dyn Write) -> io::Result<()> {
        match self {
            List::Json(array) => array.item(out, decision),
            List::Ndjson => json::line(out, decision),
            List::Csv(columns) => csv::row(out, &csv::cells(decision, columns)?),
            List::Table { table, nominal, local } => {
                let show = |at| if *local { time::local(at, job.spec().timezone()) } else { time::utc(at) };
                let names = show(decision.nominal_time());
                let starts = decision.chosen_time().map_or_else(|| "unschedulable".to_string(), show);
                let (first, third) = if *nominal { (&names, &starts) } else { (&starts, &names) };
                table.row(out, [first, &printable(job.name()), third, &job.spec().window().to_string()])
            }
        }
    }

    /// Ends the list.
    pub(crate) fn end(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            List::Json(array) => array.end(out),
            List::Table { .. } | List::Ndjson | List::Csv(_) => Ok(()),
        }
    }
}
