//! A forecast for a terminal: what it comes to in one sentence, a picture, and what stands in the fullest buckets.
//!
//! A row is there only if it says something.

use std::io::{self, Write};

use kron_core::Zone;
use kron_fleet::forecast::{ClockChangeDay, Forecast, HeatMap};

use super::fullest::{self, FullBucket};
use super::picture::Picture;
use super::start_list::{self, StartLine};
use super::words::{self, Sides, compared, grouped};
use super::{Group, week};
use crate::output::table::{Table, printable};
use crate::output::terminal::{Ink, Terminal, wrapped};

/// Days of clock changes that are listed.
const CLOCK_CHANGES: usize = 5;
/// What is between two hints.
const HINTS: &str = "    ";

/// A number before, if there is something to compare, and after.
pub(crate) type Pair = (Option<u64>, u64);

/// What the text shows.
#[derive(Debug)]
pub(crate) struct Shown<'a> {
    pub(crate) picture: Picture<'a>,
    /// The most executions at once, if somebody said how long they run.
    pub(crate) running: Option<Pair>,
    /// The greatest load with its unit, if somebody said what jobs weigh.
    pub(crate) load: Option<(Pair, &'static str)>,
    pub(crate) fullest: Vec<FullBucket<'a>>,
    /// The fullest minute, if the buckets are longer and say something else.
    pub(crate) minute: Option<Pair>,
    /// The fullest bucket of the second side, if the list above is of the first one.
    pub(crate) fullest_after: Option<String>,
    /// The starts, if they are few and nothing is fuller than the rest.
    pub(crate) starts: Vec<StartLine>,
    /// Of which side these are, if there are two.
    pub(crate) fullest_side: Option<&'static str>,
    pub(crate) names: bool,
    /// For a week or longer.
    pub(crate) week: Option<Week>,
    pub(crate) clock_changes: Vec<ClockChangeDay>,
    pub(crate) groups: Option<Vec<Group>>,
    /// What to do next: how to see jobs without a window spread, or how to spread them as the forecast shows.
    pub(crate) next: Option<String>,
    /// How to get the page.
    pub(crate) page: &'static str,
    /// How many lines are seen at once, if the text is for a screen.
    pub(crate) rows: Option<usize>,
}

/// How much a text shows.
#[derive(Clone, Copy, Debug)]
struct Detail {
    /// The most of the fullest buckets.
    fullest: usize,
    /// Whether the bars of a week stand beside its heat maps.
    bars: bool,
}

impl Detail {
    const ALL: Detail = Detail { fullest: usize::MAX, bars: true };
    /// From all to least. A week loses its bars first: its heat maps show the same.
    const OF_WEEK: [Detail; 5] = [
        Detail::ALL,
        Detail { bars: false, ..Detail::ALL },
        Detail { fullest: 2, bars: false },
        Detail { fullest: 1, bars: false },
        Detail { fullest: 0, bars: false },
    ];
    const OF_DAYS: [Detail; 4] = [
        Detail::ALL,
        Detail { fullest: 2, bars: true },
        Detail { fullest: 1, bars: true },
        Detail { fullest: 0, bars: true },
    ];
    /// Somebody asked for groups, and they are more than bars.
    const OF_GROUPS: [Detail; 3] =
        [Detail::ALL, Detail { fullest: 0, bars: true }, Detail { fullest: 0, bars: false }];
}

/// The fullest bucket in each hour of a week.
#[derive(Debug)]
pub(crate) struct Week {
    /// The seconds of a bucket.
    pub(crate) per: i64,
    /// The days of the range, if they are more than a week: a cell is then of several days.
    pub(crate) days: Option<i64>,
    pub(crate) before: Option<HeatMap>,
    pub(crate) after: HeatMap,
}

/// The range from which on there are heat maps, in seconds, and the seconds of the longest bucket that they can show.
pub(crate) const WEEK: i64 = 7 * 86_400;
const PER_MAX: i64 = 3600;

impl Week {
    /// The heat maps of a week or longer; `None` if a bucket is longer than an hour.
    pub(crate) fn new(before: Option<&Forecast>, after: &Forecast, zone: &Zone) -> Option<Week> {
        let (range, per) = (after.range(), after.range().per_seconds());
        let seconds = range.to_timestamp() - range.from_timestamp();
        // A day may have 25 hours. A week that begins within a day has one weekday twice.
        let has_weekday_twice = !words::begins_day(range.from_timestamp(), zone);
        let days = (seconds > WEEK + 3600 || has_weekday_twice).then(|| (seconds + 43_200) / 86_400);
        let map = |forecast: &Forecast| forecast.heat_map(zone);
        (per <= PER_MAX).then(|| Week { per, days, before: before.map(map), after: map(after) })
    }

    /// What a cell shows: `Fullest 15 minutes of each hour`.
    pub(super) fn caption(&self) -> String {
        match (self.per, self.days) {
            (3600, None) => "Starts of each hour".to_string(),
            (per, None) => format!("Fullest {} of each hour", words::bucket(per)),
            (3600, Some(days)) => format!("Most starts of each weekday and hour in all {days} days"),
            (per, Some(days)) => {
                format!("Fullest {} of each weekday and hour in all {days} days", words::bucket(per))
            }
        }
    }
}

/// Writes it. On a screen, the first line stays in sight: what has no room is left out.
pub(crate) fn write(out: &mut dyn Write, shown: &Shown<'_>, terminal: &Terminal) -> io::Result<()> {
    let details: &[Detail] = match (shown.rows, &shown.week, &shown.groups) {
        (None, ..) => &[Detail::ALL],
        (_, Some(_), _) => &Detail::OF_WEEK,
        (.., Some(_)) => &Detail::OF_GROUPS,
        _ => &Detail::OF_DAYS,
    };
    let mut text = String::new();
    for detail in details {
        text = text_with(shown, *detail, terminal)?;
        if shown.rows.is_none_or(|rows| text.lines().count() <= rows) {
            break;
        }
    }
    out.write_all(text.as_bytes())
}

fn text_with(shown: &Shown<'_>, detail: Detail, terminal: &Terminal) -> io::Result<String> {
    let zone = shown.picture.zone;
    // Starts that are listed one by one say more than a week, and more than the bars of one job.
    let is_listed = !shown.starts.is_empty() && shown.groups.is_none();
    let has_bars = if is_listed { shown.picture.jobs > 1 } else { detail.bars };
    let bars = if has_bars { shown.picture.bars(terminal) } else { Vec::new() };
    let mut blocks = vec![head(shown, terminal), bars];
    let buckets = &shown.fullest[..shown.fullest.len().min(detail.fullest)];
    let (mut fullest, mut hides_names) = fullest::lines(buckets, zone.name(), shown.names, terminal);
    if let Some(side) = shown.fullest_side.filter(|_| !fullest.is_empty()) {
        fullest.insert(0, format!("Fullest {side}"));
    }
    // Where a screen has no room for the list, a line says when it is and what starts.
    if let Some(first) = shown.fullest.first().filter(|_| buckets.is_empty()) {
        let side = shown.fullest_side.map_or(String::new(), |side| format!(" {side}"));
        let line = format!("Fullest{side}: {}", fullest::in_a_line(first));
        fullest.extend(wrapped(&line, terminal.columns, "  "));
        hides_names = true;
    }
    if let Some(after) = &shown.fullest_after {
        let line = format!("Fullest {}: {after}", shown.picture.sides.after);
        fullest.extend(wrapped(&line, terminal.columns, "  "));
    }
    blocks.push(fullest);
    if is_listed {
        let of = shown.picture.before.map_or("", |_| shown.picture.sides.after);
        blocks.push(start_list::lines(
            &shown.starts,
            shown.picture.starts.1,
            format!("Starts {of}").trim_end().to_string(),
        ));
    }
    let week = shown.week.as_ref().filter(|_| !is_listed);
    blocks.push(week.map_or(Vec::new(), |week| heat_maps(shown, week, terminal)));
    let clocks = clock_changes(&shown.clock_changes, CLOCK_CHANGES);
    blocks.push(clocks.iter().flat_map(|line| wrapped(line, terminal.columns, "  ")).collect());
    blocks.push(groups(shown)?);
    let mut hints: Vec<&str> = Vec::new();
    hints.extend(shown.next.as_deref());
    hints.extend(hides_names.then_some("Names: --names"));
    let has_starts = shown.picture.headline().starts > 0;
    hints.extend(has_starts.then_some(shown.page));
    let one = hints.join(HINTS);
    let hints = if one.len() <= terminal.columns {
        vec![one]
    } else {
        hints.iter().map(ToString::to_string).collect()
    };
    let hints: Vec<String> = hints.into_iter().filter(|line| !line.is_empty()).collect();
    blocks.push(hints.iter().map(|line| terminal.paint(Ink::Dim, line)).collect());
    let blocks = blocks.iter().filter(|block| !block.is_empty());
    let text: Vec<String> = blocks.map(|block| block.join("\n") + "\n").collect();
    Ok(text.join("\n"))
}

/// The sentence, how much there is, and the numbers that somebody asked for.
fn head(shown: &Shown<'_>, terminal: &Terminal) -> Vec<String> {
    let mut lines = shown.picture.head(terminal);
    lines.extend(shown.minute.map(|(before, after)| match before {
        None => format!("Fullest minute: {}", words::starts(after)),
        Some(before) => {
            format!(
                "Fullest minute: {}",
                compared(before, after, words::starts, shown.picture.sides, "", "fewer")
            )
        }
    }));
    lines.extend(demand(shown));
    lines
}

/// What runs at once, what it weighs, and what is there already, where somebody asked for it.
pub(super) fn demand(shown: &Shown<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    let both = |(before, after): Pair, what: &dyn Fn(u64) -> String, fewer: &str| match before {
        None => what(after),
        Some(before) => compared(before, after, what, shown.picture.sides, "", fewer),
    };
    lines.extend(shown.running.map(|pair| {
        format!("Most at once: {}", both(pair, &|count| format!("{} running", grouped(count)), "fewer"))
    }));
    lines.extend(shown.load.map(|(pair, unit)| {
        let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
        format!("Greatest load: {}", both(pair, &|load| format!("{}{unit}", grouped(load)), "less"))
    }));
    if let Some(base) = shown.picture.base {
        let most = base.iter().copied().max().unwrap_or(0);
        let per = words::bucket(shown.picture.after.range().per_seconds());
        lines.push(format!("Base alone: at most {} in the fullest {per}", grouped(most.into())));
    }
    lines
}

fn heat_maps(shown: &Shown<'_>, week: &Week, terminal: &Terminal) -> Vec<String> {
    let peak = |map: &HeatMap| map.peak();
    if peak(&week.after).max(week.before.as_ref().map_or(0, peak)) == 0 {
        return Vec::new();
    }
    let mut lines = vec![week.caption()];
    let Sides { before: name, after } = shown.picture.sides;
    let after = (after, Ink::After, &week.after);
    let maps = match &week.before {
        Some(before) if *before != week.after => vec![(name, Ink::Before, before), after],
        _ => vec![after],
    };
    lines.extend(week::lines(&maps, terminal));
    lines
}

/// The days on which a change of the clocks takes or adds nominal times.
pub(super) fn clock_changes(days: &[ClockChangeDay], most: usize) -> Vec<String> {
    let is_cause = |day: &&ClockChangeDay| day.nominal_times != day.nominal_times_without_change;
    let changed: Vec<&ClockChangeDay> = days.iter().filter(is_cause).collect();
    let line = |day: &&ClockChangeDay| {
        let at = words::day(day.change.timestamp, &day.zone);
        let (starts, usual) = (words::starts(day.nominal_times), grouped(day.nominal_times_without_change));
        format!("Clocks change on {at} in {}: {starts} instead of {usual}", day.zone.name())
    };
    let mut lines: Vec<String> = changed.iter().take(most).map(line).collect();
    if changed.len() > most {
        lines.push(format!("Clocks change {} more times", changed.len() - most));
    }
    lines
}

/// The peaks of groups.
fn groups(shown: &Shown<'_>) -> io::Result<Vec<String>> {
    let Some(groups) = &shown.groups else { return Ok(Vec::new()) };
    let mut out = Vec::new();
    let per = words::bucket(shown.picture.after.range().per_seconds());
    writeln!(out, "Fullest {per} of each group")?;
    let Sides { before, after } = shown.picture.sides;
    let (before, after) = (before.to_uppercase(), after.to_uppercase());
    let headings = match shown.picture.before {
        Some(_) => ["GROUP", "  JOBS", "  STARTS", &before, &after],
        None => ["GROUP", "  JOBS", "  STARTS", " FULLEST", ""],
    };
    let names = groups.iter().map(|group| match &*group.name {
        "" => "(none)".to_string(),
        name => printable(name),
    });
    let names: Vec<String> = names.collect();
    let table = names.iter().fold(Table::new(headings), |table, name| table.fit(0, name));
    table.row(&mut out, headings)?;
    for (name, Group { jobs, starts, peak, cron_peak, .. }) in names.iter().zip(groups) {
        let (jobs, starts) = (format!("{:>6}", grouped(*jobs as u64)), format!("{:>8}", grouped(*starts)));
        let (first, second) = match cron_peak.filter(|_| shown.picture.before.is_some()) {
            Some(before) => (format!("{:>10}", grouped(before)), format!("{:>9}", grouped(*peak))),
            None => (format!("{:>8}", grouped(*peak)), String::new()),
        };
        table.row(&mut out, [name, &jobs, &starts, &first, &second])?;
    }
    Ok(String::from_utf8_lossy(&out).lines().map(str::to_string).collect())
}
