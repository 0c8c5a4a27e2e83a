//! `kron zones`: the zones of the time zone database in use, their offsets and their changes.
//!
//! All offsets and changes come from the core; this file only prints them.

use std::io::{self, Write};

use clap::Args;
use kron_core::{TzDatabase, Zone};
use kron_fleet::zones::{OffsetChangeObject, ZoneObject};
use serde::Serialize;

use crate::args::time::{TzArgs, at_or_now};
use crate::args::{SaveArgs, count};
use crate::exit_status::ExitStatus;
use crate::output::form::ListForm;
use crate::output::json::{self, Array};
use crate::output::page::Page;
use crate::output::table::Table;
use crate::output::{csv, time};
use crate::session::{Session, Stop};
use crate::subcommand::{Help, Save, Subcommand};
use crate::time_arg::TimeArg;

/// How many changes of a zone are shown without `-c`.
const COUNT: u64 = 5;
/// Names of zones are broken into lines of this width.
const NAMES_WIDTH: usize = 88;
/// A zone's first offset is known from here on: 1968-12-01T00:00:00Z.
const FIRST: i64 = -34_214_400;

/// The arguments of `zones`.
#[derive(Debug, Args)]
pub(crate) struct ZonesArgs {
    /// The zones to describe, by their IANA names; default: a list of all
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// Show the offsets at this time, and changes after it; default: now
    #[arg(long, value_name = "TIME", value_parser = TimeArg::parse, allow_hyphen_values = true)]
    at: Option<TimeArg>,

    #[command(flatten)]
    tz: TzArgs,

    /// How many changes of each NAME to show; default: 5
    #[arg(short, long, value_name = "N", value_parser = count, allow_hyphen_values = true, requires = "names")]
    count: Option<u64>,

    /// Show all offsets of each zone from 1968-12-01 to 2101-02-01
    ///
    /// JSON has them as pairs [first Unix second, offset in seconds], CSV as rows. The first
    /// Unix second is -9223372036854775808, as in the lines that make the fingerprint.
    #[arg(long, conflicts_with_all = ["at", "count"])]
    all_changes: bool,

    /// The form of the list; default: what the ending of --save names, or text
    #[arg(short, long, value_name = "FORM", value_enum)]
    output: Option<ListForm>,

    #[command(flatten)]
    save: SaveArgs,
}

impl Subcommand for ZonesArgs {
    const HELP: Help = Help {
        about: "Show time zones, their offsets and their changes",
        example: "kron zones Europe/Paris",
        range: None,
        notes: || {
            "The fingerprint of a zone is equal for equal rules, whatever the version of the time zone database.".to_string()
        },
        exit_codes: "0 success; 2 bad arguments or input",
    };

    fn save(&self) -> Save<'_> {
        Save::To(self.save.save.as_deref())
    }

    fn judges(&self) -> bool {
        false
    }

    fn run(&self, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
        run(self, session)
    }
}

fn run(args: &ZonesArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    let form = args.save.form(args.output, session);
    let database = session.tz_database()?;
    let zones = choose(&database, &args.names)?;
    let title = session.tz_database_name()?;
    if args.all_changes {
        let out = &mut session.out;
        match form {
            ListForm::Text => pages(out, zones.iter().map(|zone| page_of_all(zone, &database, &title)))?,
            ListForm::Json => array(out, zones.iter().map(AllChanges::of))?,
            ListForm::Ndjson => lines(out, zones.iter().map(AllChanges::of))?,
            ListForm::Csv => {
                csv::row(out, &["name", "unixSecond", "offset"])?;
                for zone in &zones {
                    for (second, offset) in all_offsets(zone) {
                        csv::row(out, &(zone.name(), second, offset))?;
                    }
                }
            }
        }
        return Ok(ExitStatus::Success);
    }
    let at = at_or_now(args.at, &args.tz, session)?;
    let out = &mut session.out;
    if args.names.is_empty() {
        let rows = zones.iter().map(|zone| Row::of(zone, at));
        match form {
            ListForm::Text => table(out, rows, at, &title)?,
            ListForm::Json => array(out, rows)?,
            ListForm::Ndjson => lines(out, rows)?,
            ListForm::Csv => {
                csv::row(out, &["name", "tzdbVersion", "offset", "nextChange", "offsetAfter"])?;
                rows.into_iter().try_for_each(|row| csv::row(out, &row))?;
            }
        }
        return Ok(ExitStatus::Success);
    }
    let count = usize::try_from(args.count.unwrap_or(COUNT)).unwrap_or(usize::MAX);
    let details = zones.iter().map(|zone| ZoneObject::new(zone, &database, at, count));
    match form {
        ListForm::Text => pages(out, details.map(|details| page(&details, &title)))?,
        ListForm::Json => array(out, details)?,
        ListForm::Ndjson => lines(out, details)?,
        ListForm::Csv => {
            csv::row(out, &["name", "time", "offsetBefore", "offsetAfter"])?;
            for details in details {
                for OffsetChangeObject { time, offset_before, offset_after, .. } in &details.changes {
                    csv::row(out, &(details.name, time, offset_before, offset_after))?;
                }
            }
        }
    }
    Ok(ExitStatus::Success)
}

/// The zones of these names, or all zones.
fn choose(database: &TzDatabase, names: &[String]) -> Result<Vec<Zone>, kron_core::Error> {
    if names.is_empty() {
        return Ok(database.zones().collect());
    }
    names.iter().map(|name| database.zone(name)).collect()
}

/// A zone in the list of all.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row<'a> {
    name: &'a str,
    tzdb_version: Option<&'a str>,
    /// Seconds east of UTC, as in all these objects.
    offset: i32,
    next_change: Option<String>,
    offset_after: Option<i32>,
}

impl Row<'_> {
    fn of(zone: &Zone, at: i64) -> Row<'_> {
        let next = zone.changes(at).next();
        Row {
            name: zone.name(),
            tzdb_version: zone.tzdb_version(),
            offset: zone.offset_at(at),
            next_change: next.map(|change| time::utc(change.time())),
            offset_after: next.map(|change| change.offset_after),
        }
    }
}

fn table<'z>(
    out: &mut dyn Write,
    rows: impl Iterator<Item = Row<'z>>,
    at: i64,
    title: &str,
) -> io::Result<()> {
    writeln!(out, "time zone database {title}, at {}", time::utc_of(at))?;
    let rows: Vec<[String; 4]> = rows
        .map(|row| {
            let after = row.offset_after.map(time::offset).unwrap_or_default();
            [row.name.to_string(), time::offset(row.offset), row.next_change.unwrap_or_default(), after]
        })
        .collect();
    let headings = ["NAME", "OFFSET", "NEXT CHANGE", "OFFSET AFTER"];
    let table = rows.iter().fold(Table::new(headings), |table, [name, offset, change, _]| {
        table.fit(0, name).fit(1, offset).fit(2, change)
    });
    table.row(out, headings)?;
    rows.iter().try_for_each(|row| table.row(out, row.each_ref().map(String::as_str)))
}

/// The page of one zone.
fn page(zone: &ZoneObject<'_>, title: &str) -> String {
    let mut page = Page::new(zone.name);
    page.entry("Database", title);
    same_rules(&mut page, &zone.aliases);
    page.entry("Fingerprint", &zone.fingerprint);
    page.entry("Offset", &format!("{} at {}", time::offset(zone.offset), zone.at));
    changes(&mut page, &zone.changes);
    page.into_text()
}

/// Zone names, broken into lines.
fn same_rules(page: &mut Page, names: &[String]) {
    let mut rest = names;
    let mut heading = "Same rules";
    while !rest.is_empty() {
        let mut width = 0;
        let fits = |name: &&String| {
            width += name.len() + 2;
            width <= NAMES_WIDTH
        };
        // At least one name a line, however long it is.
        let count = rest.iter().take_while(fits).count().max(1);
        let (line, after) = rest.split_at(count);
        page.entry(heading, &(line.join(", ") + if after.is_empty() { "" } else { "," }));
        (rest, heading) = (after, "");
    }
}

fn changes(page: &mut Page, changes: &[OffsetChangeObject]) {
    if changes.is_empty() {
        return page.entry("Changes", "none up to 2101-02-01T00:00:00Z");
    }
    for (index, change) in changes.iter().enumerate() {
        let OffsetChangeObject { time, offset_before, offset_after, .. } = change;
        let (before, after) = (time::offset(*offset_before), time::offset(*offset_after));
        page.entry(if index == 0 { "Changes" } else { "" }, &format!("{time}  {before} to {after}"));
    }
}

/// Every offset of a zone, as its fingerprint has them.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AllChanges<'a> {
    name: &'a str,
    tzdb_version: Option<&'a str>,
    fingerprint: String,
    changes: Vec<(i64, i32)>,
}

impl AllChanges<'_> {
    fn of(zone: &Zone) -> AllChanges<'_> {
        AllChanges {
            name: zone.name(),
            tzdb_version: zone.tzdb_version(),
            fingerprint: zone.fingerprint(),
            changes: all_offsets(zone).collect(),
        }
    }
}

/// The first Unix second of each offset, and the offset.
fn all_offsets(zone: &Zone) -> impl Iterator<Item = (i64, i32)> {
    let changes = zone.changes(i64::MIN).map(|change| (change.timestamp, change.offset_after));
    std::iter::once((i64::MIN, zone.offset_at(i64::MIN))).chain(changes)
}

fn page_of_all(zone: &Zone, database: &TzDatabase, title: &str) -> String {
    page(&ZoneObject::new(zone, database, FIRST, usize::MAX), title)
}

/// Pages with empty lines between them.
fn pages(out: &mut dyn Write, pages: impl Iterator<Item = String>) -> io::Result<()> {
    for (index, page) in pages.enumerate() {
        out.write_all(if index > 0 { b"\n" } else { b"" })?;
        out.write_all(page.as_bytes())?;
    }
    Ok(())
}

fn array(out: &mut dyn Write, items: impl Iterator<Item = impl Serialize>) -> io::Result<()> {
    let mut array = Array::default();
    for item in items {
        array.item(out, &item)?;
    }
    array.end(out)
}

fn lines(out: &mut dyn Write, mut items: impl Iterator<Item = impl Serialize>) -> io::Result<()> {
    items.try_for_each(|item| json::line(out, &item))
}
