//! Charts of the starts in a forecast: for a terminal by textplots, as SVG by plotters.

use std::io::{self, Write};

use kron_core::{Duration, Forecast};
use plotters::prelude::*;
use textplots::{Chart, LabelBuilder as _, LabelFormat, Plot as _, Shape};

use super::time;

/// The chart of a terminal in dots; a character has two in a row and four in a column.
const DOTS: (u32, u32) = (144, 32);
/// The size of one panel of a picture, in pixels.
const PANEL: (u32, u32) = (960, 240);
/// Text in pictures.
const FONT: (&str, u32) = ("sans-serif", 15);

/// At most `count` columns: the first second of each, and the most starts in one of its buckets.
fn columns(forecast: &Forecast, count: usize) -> Vec<(i64, u64)> {
    let buckets = forecast.buckets();
    let width = buckets.len().div_ceil(count).max(1);
    let most = |(index, buckets): (usize, &[kron_core::Bucket])| {
        let most = buckets.iter().map(|bucket| u64::from(bucket.starts)).max();
        (forecast.range().bucket(index * width).0, most.unwrap_or(0))
    };
    buckets.chunks(width).enumerate().map(most).collect()
}

/// A chart for a terminal, with an axis that ends at `peak`.
pub(crate) fn chart(forecast: &Forecast, peak: u64) -> String {
    let (from, until) = (forecast.range().from_timestamp(), forecast.range().to_timestamp());
    // A column of characters has two dots, and a bar needs one of them.
    let columns = columns(forecast, DOTS.0 as usize / 2);
    let points: Vec<(f32, f32)> =
        columns.iter().enumerate().map(|(i, (_, starts))| (i as f32, *starts as f32)).collect();
    let label = move |x: f32| time::utc_of(if x > 0.0 { until } else { from });
    let (shape, end) = (Shape::Bars(&points), points.len().max(2) as f32);
    let mut chart = Chart::new_with_y_range(DOTS.0, DOTS.1, 0.0, end, 0.0, peak.max(1) as f32);
    let chart = chart
        .lineplot(&shape)
        .x_label_format(LabelFormat::Custom(Box::new(label)))
        .y_label_format(LabelFormat::Custom(Box::new(|y| format!("{y:.0}"))));
    chart.axis();
    chart.figures();
    chart.to_string()
}

/// A picture with a panel for cron, if there is one, and a panel for Kron, on the same scale.
pub(crate) fn svg(out: &mut dyn Write, chosen: &Forecast, nominal: Option<&Forecast>) -> io::Result<()> {
    let panels: Vec<(&str, &Forecast, RGBColor)> = nominal
        .map(|nominal| ("cron: at the nominal time", nominal, RGBColor(200, 80, 40)))
        .into_iter()
        .chain([("Kron: spread over the windows", chosen, RGBColor(30, 110, 180))])
        .collect();
    let mut picture = String::new();
    draw(&mut picture, &panels).map_err(|error| io::Error::other(error.to_string()))?;
    out.write_all(picture.as_bytes())
}

fn draw(
    picture: &mut String,
    panels: &[(&str, &Forecast, RGBColor)],
) -> Result<(), Box<dyn std::error::Error>> {
    let height = PANEL.1 * u32::try_from(panels.len())?;
    let root = SVGBackend::with_string(picture, (PANEL.0, height)).into_drawing_area();
    root.fill(&WHITE)?;
    let columns: Vec<_> = panels.iter().map(|(_, forecast, _)| columns(forecast, PANEL.0 as usize)).collect();
    let peak = columns.iter().flatten().map(|(_, starts)| *starts).max().unwrap_or(0).max(1) as f64;
    let areas = root.split_evenly((panels.len(), 1));
    for (((title, forecast, color), columns), area) in panels.iter().zip(&columns).zip(&areas) {
        let (from, until) = (forecast.range().from_timestamp(), forecast.range().to_timestamp());
        let hours = |second: i64| (second - from) as f64 / 3600.0;
        let per = Duration::from_secs(u32::try_from(forecast.range().per_seconds())?);
        let label = |hours: &f64| {
            let text = time::utc_of(from + (hours * 3600.0).round() as i64);
            // 03-01 09:00
            format!("{} {}", text.get(5..10).unwrap_or_default(), text.get(11..16).unwrap_or_default())
        };
        let mut chart = ChartBuilder::on(area)
            .caption(format!("{title} (starts per {per}, UTC)"), FONT)
            .margin(8)
            .x_label_area_size(24)
            .y_label_area_size(48)
            .build_cartesian_2d(0.0..hours(until), 0.0..peak * 1.05)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .max_light_lines(1)
            .x_labels(10)
            .y_labels(5)
            .x_label_formatter(&label)
            .y_label_formatter(&|starts: &f64| format!("{starts:.0}"))
            .draw()?;
        let ends = columns.iter().skip(1).map(|(start, _)| *start).chain([until]);
        let steps = columns.iter().zip(ends);
        let bars = steps.filter(|((_, starts), _)| *starts > 0).map(|((start, starts), end)| {
            Rectangle::new([(hours(*start), 0.0), (hours(end), *starts as f64)], color.filled())
        });
        chart.draw_series(bars)?;
    }
    root.present()?;
    Ok(())
}
