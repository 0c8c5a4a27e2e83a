//! The lines of a screen that is redrawn.

use unicode_width::UnicodeWidthChar as _;

use super::terminal::Ink;

/// A line without control characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) text: String,
    pub(crate) ink: Ink,
}

impl Line {
    pub(crate) fn new(ink: Ink, text: impl Into<String>) -> Line {
        Line { text: text.into(), ink }
    }

    /// As much of the line as a terminal of so many columns has room for.
    pub(crate) fn to_terminal(&self, columns: usize, colored: bool) -> String {
        let mut text = String::new();
        let mut free = columns;
        for c in self.text.chars() {
            let width = c.width().unwrap_or(0);
            if width > free {
                break;
            }
            free -= width;
            text.push(c);
        }
        self.ink.paint(colored, &text)
    }
}

/// For how many seconds a start that has come stays in a list.
pub(crate) const NOW: i64 = 5;

/// The time until a start: `12s`, `3m 12s`, `2h 03m`, `5d 03h`, and `now` from the start on.
pub(crate) fn countdown(now: i64, start: i64) -> String {
    let left = start.saturating_sub(now);
    let (minutes, hours) = (left / 60, left / 3600);
    match left {
        ..=0 => "now".to_string(),
        1..60 => format!("{left}s"),
        60..3600 => format!("{minutes}m {:02}s", left % 60),
        3600..172_800 => format!("{hours}h {:02}m", minutes % 60),
        _ => format!("{}d {:02}h", hours / 24, hours % 24),
    }
}

/// The ink of a row by the time until its start.
pub(crate) fn ink(now: i64, start: i64) -> Ink {
    if start.saturating_sub(now) <= 60 { Ink::Chosen } else { Ink::Plain }
}

/// What went wrong since the screen shows what was read last: its first lines.
pub(crate) fn failure(report: &str, most: usize) -> Vec<Line> {
    report
        .lines()
        .filter(|line| !line.trim().is_empty())
        .take(most)
        .map(|line| Line::new(Ink::Bad, line))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn countdowns() {
        let p = |left: i64| countdown(1000, 1000 + left);
        let found = [-3, 0, 1, 59, 60, 3599, 3600, 7380, 172_799, 172_800, 400_000].map(p);
        assert_eq!(
            found,
            [
                "now", "now", "1s", "59s", "1m 00s", "59m 59s", "1h 00m", "2h 03m", "47h 59m", "2d 00h",
                "4d 15h"
            ]
        );
    }

    #[test]
    fn lines_end_at_the_edge() {
        let line = Line::new(Ink::Chosen, "日本 12s");
        assert_eq!(line.to_terminal(3, false), "日");
        assert_eq!(line.to_terminal(80, true), "\x1b[1;38;5;28m日本 12s\x1b[0m");
    }
}
