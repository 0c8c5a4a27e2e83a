//! The pictures of the page, and what it says about one of their columns.

use maud::{Markup, html};

use super::class;
use crate::output::drawing::svg::outline;
use crate::output::forecast::chart::{Chart, ChartSide, Column};
use crate::output::forecast::text::Shown;
use crate::output::forecast::words;

/// The height of a drawing in its own units.
const HEIGHT: f64 = 1000.0;

/// The bars of each side, and their axis.
pub(super) fn figures(chart: &Chart<'_>, shown: &Shown<'_>) -> Markup {
    html! {
        div.charts {
            @for (index, side) in chart.sides.iter().enumerate() {
                figure.(class(side)) data-side=(index) {
                    figcaption {
                        span.name { (side.name) }
                        span.dim { (chart.legend(side)) }
                    }
                    (plot(chart, side))
                }
            }
            div.axis aria-hidden="true" {
                @for (index, tick) in chart.ticks.iter().enumerate() {
                    span.minor[chart.ticks.len() > 7 && index % 2 == 1] style=(left(tick.share)) { (tick.label) }
                }
            }
            @if shown.picture.base.is_some() { p.dim.unit { span.swatch {} (words::BASE) } }
        }
    }
}

fn left(share: f64) -> String {
    format!("left:{:.2}%", share * 100.0)
}

fn plot(chart: &Chart<'_>, side: &ChartSide<'_>) -> Markup {
    let path = |of: fn(&Column) -> u64| {
        let height = |column: &Column| (chart.height(of(column), 144.0) * HEIGHT).round();
        let heights: Vec<f64> = side.columns.iter().map(height).collect();
        outline(&heights, |index| index as f64, |height| HEIGHT - height)
    };
    let base = path(|column| column.base);
    let part = chart.part(side);
    html! {
        div.plot style=(format!("--part:{part:.3}")) {
            @for (level, place) in chart.levels_of(side) {
                div.level aria-hidden="true" style=(format!("bottom:{:.2}%", place / part * 100.0)) {
                    span { (words::grouped(level)) }
                }
            }
            @for tick in &chart.ticks { div.tick style=(left(tick.share)) {} }
            svg role="img" aria-label=(label(chart, side)) preserveAspectRatio="none"
                viewBox=(format!("0 {:.1} {} {:.1}", HEIGHT * (1.0 - part), side.columns.len(), HEIGHT * part)) {
                path.bars d=(path(|column| column.starts)) {}
                @if !base.is_empty() { path.base d=(base) {} }
            }
            div.marker hidden {}
        }
    }
}

/// What the picture shows, for a reader who does not see it.
fn label(chart: &Chart<'_>, side: &ChartSide<'_>) -> String {
    format!("{}: at most {} {}", side.name, words::grouped(side.most()), chart.unit())
}

/// The part of the page that shows what starts in a column. The script fills it.
pub(super) fn readout(chart: &Chart<'_>) -> Markup {
    let last = chart.sides.first().map_or(0, |side| side.columns.len().saturating_sub(1));
    html! {
        section id="readout" hidden aria-label="What starts at a time" {
            label for="column" { "Point at the pictures, or choose a time with the arrow keys" }
            input type="range" id="column" min="0" max=(last) value="0" step="1";
            div aria-live="polite" hidden {
                @for (index, side) in chart.sides.iter().enumerate() {
                    div.(class(side)) data-list=(index) { p { b {} " " span {} } ul {} }
                }
            }
        }
    }
}
