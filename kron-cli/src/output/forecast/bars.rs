//! Bars of blocks for a terminal.

use crate::output::terminal::{Ink, Terminal};

/// The rows of the highest bar, if it has as many starts.
const ROWS: u64 = 3;
/// The steps of a row.
const STEPS: u64 = 8;
/// The characters of bars by the steps that they show in a row, from one to all.
const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Five that differ at a glance, and only a whole row is filled.
const ASCII_BLOCKS: [char; 8] = ['.', '.', ':', ':', '+', '*', '*', '#'];
/// The part of a bar that is there already.
const BASE: [char; 2] = ['░', '-'];

/// A bar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bar {
    /// All that starts, with the base.
    pub(super) starts: u64,
    /// What is there already.
    pub(super) base: u64,
}

/// The character of what is there already.
pub(super) fn base(terminal: &Terminal) -> char {
    BASE[usize::from(!terminal.unicode)]
}

/// The lines of bars, `width` columns each. A bar of `scale` starts has all rows. Rows that no bar reaches are left out. Every bar
/// that is not empty can be seen.
pub(super) fn lines(bars: &[Bar], scale: u64, width: usize, ink: Ink, terminal: &Terminal) -> Vec<String> {
    let most_rows = ROWS.min(scale.max(1));
    let full = most_rows * STEPS;
    // OK because a bar is at most as high as the scale.
    let steps = |starts: u64| (u128::from(starts) * u128::from(full)).div_ceil(scale.max(1).into()) as u64;
    let highest = bars.iter().map(|bar| steps(bar.starts)).max().unwrap_or(0);
    let rows = highest.div_ceil(STEPS).clamp(1, most_rows);
    let line = |row: u64| {
        let below = row * STEPS;
        let cell = |bar: &Bar| match steps(bar.starts).saturating_sub(below).min(STEPS) {
            0 => (Ink::Plain, ' '),
            // Whole rows of the base; the base of a row that has jobs, too, is a part of their bar.
            STEPS if steps(bar.base) >= below + STEPS => (Ink::Dim, base(terminal)),
            part => {
                let blocks = if terminal.unicode { BLOCKS } else { ASCII_BLOCKS };
                let is_base = bar.base == bar.starts;
                (if is_base { Ink::Dim } else { ink }, blocks[part as usize - 1])
            }
        };
        let cells: Vec<(Ink, char)> = bars.iter().map(cell).collect();
        let runs = cells.chunk_by(|one, next| one.0 == next.0);
        let painted = runs.map(|run| {
            let text: String = run.iter().flat_map(|(_, c)| std::iter::repeat_n(*c, width)).collect();
            (run[0].0, text)
        });
        let mut painted: Vec<(Ink, String)> = painted.collect();
        // No blanks at the end of a line.
        painted.pop_if(|(_, text)| text.trim().is_empty());
        painted.iter().map(|(ink, text)| terminal.paint(*ink, text)).collect::<String>()
    };
    (0..rows).rev().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNICODE: Terminal = Terminal { columns: 80, colored: false, unicode: true };
    const ASCII: Terminal = Terminal { unicode: false, ..UNICODE };

    fn bars(starts: &[u64]) -> Vec<Bar> {
        starts.iter().map(|starts| Bar { starts: *starts, base: 0 }).collect()
    }

    #[test]
    fn bars_have_one_scale_and_as_many_rows_as_they_need() {
        let p = |starts: &[u64], terminal| lines(&bars(starts), 24, 1, Ink::After, terminal);
        assert_eq!(p(&[24, 0, 1, 8, 9], &UNICODE), ["█", "█   ▁", "█ ▁██"]);
        assert_eq!(p(&[2, 5, 0], &UNICODE), ["▂▅"]);
        assert_eq!(p(&[24, 1, 12], &ASCII), ["#", "# :", "#.#"]);
        assert_eq!(p(&[1, 2, 3, 4, 5, 6, 7, 8], &ASCII), ["..::+**#"]);
        assert_eq!(p(&[0, 0], &UNICODE), [""]);
        assert_eq!(p(&[], &UNICODE), [""]);
        // One start of many is seen, and a scale of 0 is none.
        assert_eq!(lines(&bars(&[1]), u64::MAX, 3, Ink::After, &UNICODE), ["▁▁▁"]);
        assert_eq!(lines(&bars(&[0]), 0, 1, Ink::After, &UNICODE), [""]);
        assert_eq!(lines(&bars(&[1, 0, 1]), 1, 1, Ink::After, &UNICODE), ["█ █"]);
    }

    #[test]
    fn a_base_is_below_the_jobs() {
        let base = [Bar { starts: 24, base: 8 }, Bar { starts: 4, base: 4 }];
        assert_eq!(lines(&base, 24, 1, Ink::After, &UNICODE), ["█", "█", "░▄"]);
        let colored = Terminal { colored: true, ..UNICODE };
        let found = lines(&base, 24, 1, Ink::After, &colored);
        assert_eq!(found[0], "\u{1b}[38;5;32m█\u{1b}[0m");
        assert_eq!(found[2], "\u{1b}[2m░▄\u{1b}[0m");
    }
}
