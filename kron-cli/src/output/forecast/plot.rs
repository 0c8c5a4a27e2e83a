//! The picture of a forecast: its result as a title, the starts over time on one scale, and for a week the heat maps.

#[cfg(feature = "command")]
use std::io::{self, Write};

use kron_core::Zone;
use kron_fleet::forecast::HeatMap;

use super::chart::{Chart, ChartSide, Column};
use super::text::{Shown, Week};
use super::{WEEKDAYS, week, words};
#[cfg(feature = "command")]
use crate::output::drawing::pixels::{self, Font};
use crate::output::drawing::widths::width;
use crate::output::drawing::{Anchor, Drawing, Paint, Rect, Shape, TEXT, lines, svg};

/// The width of a picture, and the room at its edges.
const WIDTH: f64 = 960.0;
const MARGIN: f64 = 24.0;
/// Where the bars begin and end, and how high the highest one is.
const LEFT: f64 = 72.0;
const RIGHT: f64 = WIDTH - MARGIN;
const HEIGHT: f64 = 150.0;
/// The sizes of the title and its lines.
const TITLE: f64 = 19.0;
const TITLE_LINE: f64 = 26.0;
/// Programs that show SVG choose the font. Its letters can be so much wider.
const WIDER: f64 = 1.25;
/// The cells of heat maps, and the room between two of them.
const CELL: f64 = 16.0;
const GAP: f64 = 1.0;
/// Where the heat map of each side begins.
const MAPS: [f64; 2] = [LEFT, 520.0];

/// The picture as SVG.
pub(crate) fn svg(shown: &Shown<'_>) -> String {
    svg::text(&drawing(shown))
}

/// Writes the same picture as PNG.
#[cfg(feature = "command")]
pub(crate) fn write_png(out: &mut dyn Write, shown: &Shown<'_>) -> io::Result<()> {
    pixels::write(out, &drawing(shown), &Font::new()?)
}

fn drawing(shown: &Shown<'_>) -> Drawing {
    let (sentence, amount) = (shown.picture.headline().sentence(), shown.picture.amount());
    let title = format!("{sentence}. {amount}");
    let mut picture = Drawing { width: WIDTH, height: MARGIN, title, shapes: Vec::new() };
    for line in lines(&sentence, TITLE, (WIDTH - 2.0 * MARGIN) / WIDER) {
        picture.height += TITLE_LINE;
        picture.bold((MARGIN, picture.height - 6.0), TITLE, Paint::Text, line);
    }
    picture.height += 18.0;
    picture.text((MARGIN, picture.height - 2.0), Anchor::Start, Paint::Dim, amount);
    let chart = Chart::new(&shown.picture);
    if chart.scale > 0 {
        for side in &chart.sides {
            starts(&mut picture, &chart, side, shown.picture.zone);
        }
        axis(&mut picture, &chart);
        if shown.picture.base.is_some() {
            let y = picture.height + 20.0;
            swatch(&mut picture, LEFT, y, Paint::Base);
            picture.text((LEFT + 16.0, y), Anchor::Start, Paint::Dim, words::BASE);
            picture.height += 26.0;
        }
        if let Some(week) = &shown.week {
            heat_maps(&mut picture, &chart, week);
        }
    }
    picture.height += MARGIN - 6.0;
    picture
}

/// A square that shows the colour of the text beside it.
fn swatch(picture: &mut Drawing, x: f64, y: f64, paint: Paint) {
    picture.rect(Rect(x, y - 10.0, 10.0, 10.0), paint);
}

/// The name of a side, with its colour.
fn name(picture: &mut Drawing, x: f64, y: f64, side: &ChartSide<'_>) {
    swatch(picture, x, y, side.paint);
    picture.bold((x + 16.0, y), TEXT, side.paint, side.name);
}

/// The bars of one side.
fn starts(picture: &mut Drawing, chart: &Chart<'_>, side: &ChartSide<'_>, zone: &Zone) {
    picture.height += 32.0;
    name(picture, LEFT, picture.height, side);
    let length = width(side.name, TEXT);
    let legend = chart.legend(side);
    picture.text((LEFT + 16.0 + length * WIDER + 8.0, picture.height), Anchor::Start, Paint::Dim, legend);
    let top = picture.height + 10.0;
    let room = (chart.part(side) * HEIGHT).round();
    let bottom = top + room;
    let height = |starts: u64| (chart.height(starts, HEIGHT) * HEIGHT * 10.0).round() / 10.0;
    for (level, place) in chart.levels_of(side) {
        let y = bottom - place * HEIGHT;
        let paint = if level == 0 { Paint::Axis } else { Paint::Grid };
        picture.rect(Rect(LEFT, y - 0.5, RIGHT - LEFT, 1.0), paint);
        picture.text((LEFT - 8.0, y + 4.5), Anchor::End, Paint::Dim, words::grouped(level));
    }
    for tick in &chart.ticks {
        picture.rect(Rect(LEFT + tick.share * (RIGHT - LEFT) - 0.5, top, 1.0, room), Paint::Grid);
    }
    let column = (RIGHT - LEFT) / side.columns.len().max(1) as f64;
    let bars = |heights, paint| Shape::Bars { left: LEFT, bottom, width: column, heights, paint };
    picture.shapes.push(bars(side.columns.iter().map(|column| height(column.starts)).collect(), side.paint));
    if side.columns.iter().any(|column| column.base > 0) {
        let base = side.columns.iter().map(|column| height(column.base)).collect();
        picture.shapes.push(bars(base, Paint::Base));
    }
    for part in chart.parts(side) {
        let (left, right) = (LEFT + part.from * (RIGHT - LEFT), LEFT + part.to * (RIGHT - LEFT));
        let Column { bucket, starts, .. } = part.fullest;
        let text = words::fullest_of(bucket, starts, chart.has_base, side.forecast.range(), zone);
        picture.shapes.push(Shape::Note { rect: Rect(left, top, right - left, room), text });
    }
    picture.height = bottom;
}

/// The labels of the axis of time.
fn axis(picture: &mut Drawing, chart: &Chart<'_>) {
    picture.height += 18.0;
    for tick in &chart.ticks {
        let x = LEFT + tick.share * (RIGHT - LEFT);
        picture.text((x, picture.height), Anchor::Middle, Paint::Dim, tick.label.as_str());
    }
}

/// The heat maps of a week.
fn heat_maps(picture: &mut Drawing, chart: &Chart<'_>, week: &Week) {
    picture.height += 34.0;
    picture.bold((LEFT, picture.height), 15.0, Paint::Text, week.caption());
    let maps: Vec<&HeatMap> = week.before.iter().chain([&week.after]).collect();
    let most = maps.iter().map(|map| map.peak()).max().unwrap_or(0);
    let top = picture.height + 46.0;
    for ((map, side), left) in maps.iter().zip(&chart.sides).zip(MAPS) {
        name(picture, left, top - 22.0, side);
        for hour in (0..24).step_by(3) {
            let x = left + (f64::from(hour) + 0.5) * CELL;
            picture.text((x, top - 5.0), Anchor::Middle, Paint::Dim, format!("{hour:02}"));
        }
        for (day, hours) in map.days().iter().enumerate() {
            let y = top + day as f64 * CELL;
            picture.text((left - 8.0, y + CELL - 4.0), Anchor::End, Paint::Dim, WEEKDAYS[day]);
            for (hour, cell) in hours.iter().enumerate().filter(|(_, cell)| cell.buckets > 0) {
                let rect = Rect(left + hour as f64 * CELL, y, CELL - GAP, CELL - GAP);
                shade(picture, rect, side.paint, week::level(cell.peak, most));
            }
        }
    }
    let y = top + 7.0 * CELL + 18.0;
    let mut x = LEFT;
    for (level, numbers) in week::levels(&maps) {
        // Each side has its colour; no start has one for all.
        let sides = if level == 0 { &chart.sides[..1] } else { &chart.sides[..] };
        for side in sides {
            shade(picture, Rect(x, y - 11.0, 12.0, 12.0), side.paint, level);
            x += 14.0;
        }
        picture.text((x + 3.0, y), Anchor::Start, Paint::Dim, numbers.as_str());
        x += 3.0 + 8.5 * numbers.len() as f64 + 20.0;
    }
    picture.height = y;
}

/// A cell of a heat map.
fn shade(picture: &mut Drawing, rect: Rect, paint: Paint, level: usize) {
    let (paint, quarters) = match level {
        0 => (Paint::Grid, 2),
        level => (paint, level as u8),
    };
    picture.shapes.push(Shape::Rect { rect, paint, quarters });
}
