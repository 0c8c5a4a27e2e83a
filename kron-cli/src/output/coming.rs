//! The coming starts on a screen that is redrawn: `kron next --watch`.

use super::frame::{Line, NOW, countdown, failure, ink};
use super::plural::plural;
use super::table::{Table, printable};
use super::terminal::Ink;
use super::time::utc_of;

/// Lines that are no starts: the title, an empty line and the headings.
const HEAD: usize = 3;

/// A start.
#[derive(Clone, Debug)]
pub(crate) struct ComingStart {
    pub(crate) chosen: i64,
    pub(crate) name: String,
    /// Its chosen time and its nominal time, as they are shown.
    pub(crate) start: String,
    pub(crate) nominal: String,
    /// No host starts a suspended job.
    pub(crate) is_suspended: bool,
}

/// What the screen shows.
#[derive(Debug)]
pub(crate) struct Coming {
    /// The number of jobs.
    pub(crate) jobs: usize,
    /// In order of time.
    pub(crate) starts: Vec<ComingStart>,
    /// The Unix second of the last read without an error.
    pub(crate) read_at: i64,
    /// What the last read reported, if it failed.
    pub(crate) failure: Option<String>,
}

/// How many starts a screen of so many rows has.
pub(crate) fn capacity(rows: usize) -> usize {
    rows.saturating_sub(HEAD).max(1)
}

impl Coming {
    /// The starts that have not passed.
    pub(crate) fn upcoming(&self, now: i64) -> impl Iterator<Item = &ComingStart> {
        self.starts.iter().filter(move |start| start.chosen > now - NOW)
    }

    /// The lines at a time, at most as many as there are rows, with at most so many starts.
    pub(crate) fn lines(&self, now: i64, rows: usize, most: usize) -> Vec<Line> {
        let title =
            format!("The next starts of {} at {}; Ctrl-C ends", plural(self.jobs, "job"), utc_of(now));
        let mut lines = vec![Line::new(Ink::Bold, title)];
        if let Some(report) = &self.failure {
            let since = format!("The files cannot be read; this list is from {}:", utc_of(self.read_at));
            lines.push(Line::new(Ink::Bad, since));
            lines.extend(failure(report, rows / 4));
        }
        lines.push(Line::new(Ink::Plain, ""));
        let headings = ["IN", "START", "JOB", "NOMINAL"];
        let shown: Vec<(String, &ComingStart)> = self
            .upcoming(now)
            .take(rows.saturating_sub(lines.len() + 1).min(most))
            .map(|start| {
                let left =
                    if start.is_suspended { "suspended".to_string() } else { countdown(now, start.chosen) };
                (left, start)
            })
            .collect();
        if shown.is_empty() {
            lines.push(Line::new(Ink::Plain, "No job has a start to come."));
            return lines;
        }
        // The widest count-down, so that the columns stay where they are.
        let table = shown.iter().fold(Table::new(headings).fit(0, "59m 59s"), |table, (left, start)| {
            table.fit(0, left).fit(1, &start.start).fit(2, &printable(&start.name))
        });
        lines.push(Line::new(Ink::Dim, table.line(headings)));
        for (left, start) in shown {
            let ink = if start.is_suspended { Ink::Dim } else { ink(now, start.chosen) };
            let cells = [&*left, &start.start, &printable(&start.name), &start.nominal];
            lines.push(Line::new(ink, table.line(cells)));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-03-01T00:00:00Z.
    const MARCH: i64 = 1_772_323_200;

    fn start(name: &str, after: i64) -> ComingStart {
        ComingStart {
            chosen: MARCH + after,
            name: name.to_string(),
            start: utc_of(MARCH + after),
            nominal: utc_of(MARCH),
            is_suspended: name == "off",
        }
    }

    fn coming() -> Coming {
        let starts = vec![start("db/backup", 12), start("off", 100), start("web/report", 3720)];
        Coming { jobs: 3, starts, read_at: MARCH, failure: None }
    }

    fn text(lines: &[Line]) -> String {
        lines.iter().map(|line| line.text.clone() + "\n").collect()
    }

    #[test]
    fn starts_count_down() {
        let lines = coming().lines(MARCH, 24, 9);
        assert_eq!(
            text(&lines),
            "\
The next starts of 3 jobs at 2026-03-01T00:00:00Z; Ctrl-C ends

IN         START                 JOB         NOMINAL
12s        2026-03-01T00:00:12Z  db/backup   2026-03-01T00:00:00Z
suspended  2026-03-01T00:01:40Z  off         2026-03-01T00:00:00Z
1h 02m     2026-03-01T01:02:00Z  web/report  2026-03-01T00:00:00Z
"
        );
        let inks: Vec<Ink> = lines.iter().skip(3).map(|line| line.ink).collect();
        assert_eq!(inks, [Ink::Chosen, Ink::Dim, Ink::Plain]);
        // A start that has come stays for some seconds.
        assert!(text(&coming().lines(MARCH + 16, 24, 9)).contains("\nnow        2026-03-01T00:00:12Z"));
        assert!(!text(&coming().lines(MARCH + 17, 24, 9)).contains("db/backup"));
        assert!(text(&coming().lines(MARCH + 9000, 24, 9)).ends_with("\n\nNo job has a start to come.\n"));
    }

    #[test]
    fn a_low_screen_has_fewer_starts_and_errors() {
        assert_eq!(coming().lines(MARCH, 4, 9).len(), 4);
        assert_eq!(coming().lines(MARCH, 24, 2).len(), 5);
        assert_eq!(capacity(4), 1);
        let failure = Some("error: no such file\n--> jobs.kron\n\nmore\nand more".to_string());
        let lines = Coming { failure, ..coming() }.lines(MARCH + 60, 8, 9);
        let text = text(&lines);
        assert!(
            text.contains(
                "The files cannot be read; this list is from 2026-03-01T00:00:00Z:\nerror: no such file\n"
            ),
            "{text}"
        );
        assert_eq!((lines.len(), lines[1].ink), (8, Ink::Bad));
    }
}
