//! The heat maps of a week for a terminal: days by hours, before and after, on one scale.

use std::collections::BTreeSet;

use kron_fleet::forecast::{HeatMap, HeatMapCell};

use super::WEEKDAYS;
use super::words::grouped;
use crate::output::terminal::{Ink, Terminal};

/// Shades from no start to the most.
const SHADES: [char; 5] = ['·', '░', '▒', '▓', '█'];
const ASCII_SHADES: [char; 5] = ['.', '-', '+', '*', '#'];
/// The columns of a weekday.
const LABEL: usize = 4;
/// The columns between two maps.
const GAP: usize = 3;
/// The most columns of an hour: one map has 76 columns then.
const WIDEST: usize = 3;

/// The lines of one map or two, side by side. Each has a name and an ink.
pub(super) fn lines(maps: &[(&str, Ink, &HeatMap)], terminal: &Terminal) -> Vec<String> {
    let gaps = maps.len().saturating_sub(1) * GAP;
    let room = terminal.columns.saturating_sub(LABEL + gaps) / (24 * maps.len().max(1));
    let width = room.clamp(1, WIDEST);
    let most = maps.iter().map(|(_, _, map)| map.peak()).max().unwrap_or(0);
    let shades = if terminal.unicode { SHADES } else { ASCII_SHADES };
    let beside = |label: &str, parts: Vec<String>| {
        format!("{label:<LABEL$}{}", parts.join(&" ".repeat(GAP))).trim_end().to_string()
    };
    let mut lines = Vec::new();
    if maps.len() > 1 {
        let map_width = 24 * width;
        lines.push(beside("", maps.iter().map(|(name, ..)| format!("{name:<map_width$}")).collect()));
    }
    // Two digits and at least one blank.
    let every = [6, 3, 2][width - 1];
    let label_width = every * width;
    let hours = (0..24).step_by(every).map(|hour| format!("{:<label_width$}", format!("{hour:02}")));
    let hours: String = hours.collect();
    lines.push(beside("", vec![hours; maps.len()]));
    for (day, name) in WEEKDAYS.iter().enumerate() {
        let cells = |(_, ink, map): &(&str, Ink, &HeatMap)| {
            let shade = |cell: &HeatMapCell| match cell.buckets {
                0 => ' ',
                _ => shades[level(cell.peak, most)],
            };
            let hours = map.days()[day].iter();
            let text: String = hours.flat_map(|cell| std::iter::repeat_n(shade(cell), width)).collect();
            terminal.paint(*ink, &text)
        };
        lines.push(beside(name, maps.iter().map(cells).collect()));
    }
    let maps: Vec<&HeatMap> = maps.iter().map(|(_, _, map)| *map).collect();
    lines.push(format!("{}{}", " ".repeat(LABEL), legend(&levels(&maps), &shades)));
    lines
}

/// The most starts of a shade. Each has twice as many as the one before: one hour of midnights leaves the others apart.
fn last(level: usize, most: u32) -> u32 {
    most >> (4 - level)
}

/// The shade of a number: 0 for none, to 4 for the most.
pub(super) fn level(starts: u32, most: u32) -> usize {
    if starts == 0 { 0 } else { (1..4).find(|level| starts <= last(*level, most)).unwrap_or(4) }
}

/// The shades that maps have, with the numbers of each.
pub(super) fn levels(maps: &[&HeatMap]) -> Vec<(usize, String)> {
    let most = maps.iter().map(|map| map.peak()).max().unwrap_or(0);
    let cells = maps.iter().flat_map(|map| map.days().iter().flatten()).filter(|cell| cell.buckets > 0);
    let shown: BTreeSet<usize> = cells.map(|cell| level(cell.peak, most)).collect();
    shown.into_iter().map(|level| (level, numbers(level, most))).collect()
}

/// The numbers of a shade.
fn numbers(level: usize, most: u32) -> String {
    let (from, to) = match level {
        0 => (0, 0),
        1 => (1, last(1, most)),
        _ => (last(level - 1, most) + 1, last(level, most)),
    };
    let text = |number: u32| grouped(number.into());
    if from == to { text(to) } else { format!("{}-{}", text(from), text(to)) }
}

fn legend(levels: &[(usize, String)], shades: &[char; 5]) -> String {
    let parts = levels.iter().map(|(level, numbers)| format!("{} {numbers}", shades[*level]));
    parts.collect::<Vec<_>>().join("   ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_legend_says_what_a_shade_means() {
        let all: Vec<(usize, String)> = (0..5).map(|level| (level, numbers(level, 276))).collect();
        assert_eq!(legend(&all, &SHADES), "· 0   ░ 1-34   ▒ 35-69   ▓ 70-138   █ 139-276");
        for most in 1..40 {
            for starts in 1..=most {
                let of_shade = numbers(level(starts, most), most);
                let (from, to) = of_shade.split_once('-').unwrap_or((&of_shade, &of_shade));
                assert!(
                    (from.parse().unwrap()..=to.parse().unwrap()).contains(&starts),
                    "{starts} of {most}"
                );
            }
        }
    }

    #[test]
    fn one_map_has_76_columns_and_two_fit_beside_each_other() {
        let map = HeatMap::default();
        let p = |maps: usize, columns: usize| {
            let terminal = Terminal { columns, colored: false, unicode: true };
            let maps: Vec<_> = (0..maps).map(|_| ("name", Ink::After, &map)).collect();
            lines(&maps, &terminal)
        };
        let (one, two) = (p(1, 80), p(2, 80));
        assert_eq!((one.len(), two.len()), (9, 10));
        assert!(one[0].starts_with("    00    02    04    ") && one[0].len() <= 76, "{}", one[0]);
        assert_eq!(two[0], format!("    name{}name", " ".repeat(23)));
        assert_eq!(two[1], format!("    {0}       {0}", "00    06    12    18"));
    }
}
