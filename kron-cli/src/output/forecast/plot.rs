//! Charts of the starts in a forecast, as SVG and PNG by plotters.

use std::error::Error;
use std::io::{self, Write};

use kron_fleet::forecast::Forecast;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::register_font;

use super::{Report, Side, WEEKDAYS};
use crate::output::time;

/// The width of a picture in pixels.
const WIDTH: u32 = 960;
/// The heights of its panels in pixels: starts over time, and a heat map.
const STARTS_HEIGHT: u32 = 240;
const HEAT_MAP_HEIGHT: u32 = 220;
/// What is there already.
const BASE: RGBColor = RGBColor(150, 150, 150);
/// The name under which the font of pictures is registered, and its size.
const FONT: (&str, u32) = ("sans-serif", 15);

/// At most `count` columns: the first second of each, and the most starts in one of its buckets.
pub(super) fn columns(forecast: &Forecast, count: usize) -> Vec<(i64, u64)> {
    let columns = forecast.columns(count);
    let column = |(index, fullest): (usize, &usize)| {
        let starts = forecast.buckets()[*fullest].starts.into();
        (forecast.range().bucket(index * columns.buckets).0, starts)
    };
    columns.fullest.iter().enumerate().map(column).collect()
}

/// A picture as SVG. It has the starts over time, and the heat map of ranges of a week or longer: of cron, if the report has
/// it, and of Kron, on the same scale.
pub(crate) fn svg(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    let mut picture = String::new();
    draw(SVGBackend::with_string(&mut picture, size(report)).into_drawing_area(), report)
        .map_err(|error| io::Error::other(error.to_string()))?;
    out.write_all(picture.as_bytes())
}

/// The same picture as PNG.
pub(crate) fn png(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    let (width, height) = size(report);
    let mut pixels = vec![0; 3 * width as usize * height as usize];
    draw(BitMapBackend::with_buffer(&mut pixels, (width, height)).into_drawing_area(), report)
        .map_err(|error| io::Error::other(error.to_string()))?;
    let mut encoder = png::Encoder::new(out, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&pixels)?;
    Ok(writer.finish()?)
}

fn size(report: &Report<'_>) -> (u32, u32) {
    let sides = if report.cron.is_some() { 2 } else { 1 };
    let heat_map = if report.has_week() { HEAT_MAP_HEIGHT } else { 0 };
    (WIDTH, sides * (STARTS_HEIGHT + heat_map))
}

fn draw<B: DrawingBackend>(root: DrawingArea<B, Shift>, report: &Report<'_>) -> Result<(), Box<dyn Error>>
where
    B::ErrorType: 'static,
{
    // A font of the program, so that a picture is the same everywhere.
    register_font(FONT.0, FontStyle::Normal, epaint_default_fonts::UBUNTU_LIGHT)
        .map_err(|_| "the font cannot be read")?;
    root.fill(&WHITE)?;
    let most = |side: &Side<'_>| side.forecast.buckets().iter().map(|bucket| bucket.starts).max();
    let peak = report.sides().filter_map(|(_, side)| most(side)).max().unwrap_or(0).max(1);
    let mut rest = root.clone();
    for (name, side) in report.sides() {
        let (title, color) = match name {
            "cron" => ("cron: at the nominal time", RGBColor(200, 80, 40)),
            _ => ("Kron: spread over the windows", RGBColor(30, 110, 180)),
        };
        let (panel, below) = rest.split_vertically(STARTS_HEIGHT);
        rest = below;
        draw_starts(
            &panel,
            report,
            side,
            &format!("{title} (starts per {}, UTC)", report.per()),
            color,
            peak,
        )?;
        if report.has_week() {
            let (panel, below) = rest.split_vertically(HEAT_MAP_HEIGHT);
            rest = below;
            let title = format!("{title} (most starts per {} in an hour, {})", report.per(), report.zone);
            draw_heat_map(&panel, side, &title, color, peak)?;
        }
    }
    root.present()?;
    Ok(())
}

/// The label of a number of starts. The places between whole numbers have none.
fn count(starts: &f64) -> String {
    if starts.fract() == 0.0 { format!("{starts:.0}") } else { String::new() }
}

fn draw_starts<B: DrawingBackend>(
    panel: &DrawingArea<B, Shift>,
    report: &Report<'_>,
    side: &Side<'_>,
    title: &str,
    color: RGBColor,
    peak: u32,
) -> Result<(), Box<dyn Error>>
where
    B::ErrorType: 'static,
{
    let range = report.kron.forecast.range();
    let (from, until) = (range.from_timestamp(), range.to_timestamp());
    let columns = columns(side.forecast, WIDTH as usize);
    let hours = |second: i64| (second - from) as f64 / 3600.0;
    let label = |hours: &f64| {
        let text = time::utc_of(from + (hours * 3600.0).round() as i64);
        // 03-01 09:00
        format!("{} {}", text.get(5..10).unwrap_or_default(), text.get(11..16).unwrap_or_default())
    };
    let mut chart = ChartBuilder::on(panel)
        .caption(title, FONT)
        .margin(8)
        .x_label_area_size(24)
        .y_label_area_size(48)
        .build_cartesian_2d(0.0..hours(until), 0.0..f64::from(peak) * 1.05)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .max_light_lines(1)
        .x_labels(10)
        .y_labels(5)
        .x_label_formatter(&label)
        .y_label_formatter(&count)
        .draw()?;
    let ends = columns.iter().skip(1).map(|(start, _)| *start).chain([until]);
    let steps = columns.iter().zip(ends);
    let bars = steps.filter(|((_, starts), _)| *starts > 0).map(|((start, starts), end)| {
        Rectangle::new([(hours(*start), 0.0), (hours(end), *starts as f64)], color.filled())
    });
    chart.draw_series(bars)?;
    // Below the jobs: the most that is there already in one of the buckets of a column.
    let base = report.base.unwrap_or_default();
    let width = base.len().div_ceil(WIDTH as usize).max(1);
    let below = base.chunks(width).enumerate().map(|(index, base)| {
        let (first, last) = (index * width, index * width + base.len() - 1);
        let most = base.iter().copied().max().unwrap_or(0);
        let ends = (hours(range.bucket(first).0), hours(range.bucket(last).1));
        Rectangle::new([(ends.0, 0.0), (ends.1, f64::from(most))], BASE.filled())
    });
    chart.draw_series(below)?;
    Ok(())
}

fn draw_heat_map<B: DrawingBackend>(
    panel: &DrawingArea<B, Shift>,
    side: &Side<'_>,
    title: &str,
    color: RGBColor,
    peak: u32,
) -> Result<(), Box<dyn Error>>
where
    B::ErrorType: 'static,
{
    let mut chart = ChartBuilder::on(panel)
        .caption(title, FONT)
        .margin(8)
        .x_label_area_size(24)
        .y_label_area_size(48)
        // Half an hour and half a day to the left and below, so that a label is at the middle of its cells.
        .build_cartesian_2d(-0.5..23.5, -6.5..0.5)?;
    // OK because labels are at whole numbers from -6 to 0.
    let weekday = |day: &f64| WEEKDAYS.get((-day).round() as usize).copied().unwrap_or_default().to_string();
    chart
        .configure_mesh()
        .disable_mesh()
        .x_labels(24)
        .y_labels(7)
        .x_label_formatter(&|hour: &f64| format!("{hour:02.0}"))
        .y_label_formatter(&weekday)
        .draw()?;
    let cells = side.heat_map.days().iter().enumerate().flat_map(|(day, hours)| {
        hours.iter().enumerate().filter(|(_, cell)| cell.peak > 0).map(move |(hour, cell)| {
            let (x, y) = (hour as f64, -(day as f64));
            let style = color.mix(f64::from(cell.peak) / f64::from(peak)).filled();
            Rectangle::new([(x - 0.5, y - 0.5), (x + 0.5, y + 0.5)], style)
        })
    });
    chart.draw_series(cells)?;
    Ok(())
}
