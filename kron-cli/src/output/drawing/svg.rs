//! A drawing as SVG. It is light or dark as the reader's programs are.

use std::fmt::Write as _;

use super::{Anchor, Drawing, Paint, Rect, Shape};
use crate::output::svg::{self, escaped, number};

/// The colours of shapes.
const STYLE: &str = "\
.kron-grid{fill:#d1d9e0}\
.kron-zero{fill:#818b98}\
.kron-before{fill:#b8431b}\
.kron-after{fill:#1660a8}\
.kron-base{fill:#818b98}\
@media (prefers-color-scheme:dark){\
.kron-grid{fill:#30363d}\
.kron-zero{fill:#656c76}\
.kron-before{fill:#ff9b70}\
.kron-after{fill:#6cb6ff}\
.kron-base{fill:#8b949e}}";

const fn class(paint: Paint) -> &'static str {
    match paint {
        Paint::Text => "",
        Paint::Dim => "kron-dim",
        Paint::Grid => "kron-grid",
        Paint::Axis => "kron-zero",
        Paint::Before => "kron-before",
        Paint::After => "kron-after",
        Paint::Base => "kron-base",
    }
}

/// The picture.
pub(crate) fn text(drawing: &Drawing) -> String {
    // Writing to a string cannot fail.
    let elements = drawing.shapes.iter().fold(String::new(), |mut elements, shape| {
        let _ = writeln!(elements, "{}", element(shape));
        elements
    });
    svg::document(drawing.width, drawing.height, &drawing.title, STYLE, &elements)
}

fn element(shape: &Shape) -> String {
    match shape {
        Shape::Rect { rect: Rect(x, y, width, height), paint, quarters } => {
            let [x, y, width, height] = [*x, *y, *width, *height].map(number);
            let opacity = match quarters {
                1..4 => format!(" opacity=\"{}\"", f64::from(*quarters) / 4.0),
                _ => String::new(),
            };
            let class = class(*paint);
            format!(
                "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"{opacity}/>"
            )
        }
        Shape::Bars { left, bottom, width, heights, paint } => {
            let path = outline(heights, |index| left + index as f64 * width, |height| bottom - height);
            format!("<path class=\"{}\" d=\"{path}\"/>", class(*paint))
        }
        Shape::Note { rect: Rect(x, y, width, height), text } => {
            let [x, y, width, height] = [*x, *y, *width, *height].map(number);
            let text = escaped(text);
            format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"none\" pointer-events=\"all\"><title>{text}</title></rect>"
            )
        }
        Shape::Text { x, y, anchor, size, bold, paint, text } => {
            let anchor = match anchor {
                Anchor::Start => "",
                Anchor::Middle => " text-anchor=\"middle\"",
                Anchor::End => " text-anchor=\"end\"",
            };
            let style = match (*size == super::TEXT, bold) {
                (true, false) => String::new(),
                (true, true) => " style=\"font-weight:600\"".to_string(),
                (false, _) => format!(" style=\"font-size:{}px;font-weight:600\"", number(*size)),
            };
            let class = ["kron-text", class(*paint)].join(" ");
            let (class, text) = (class.trim_end(), escaped(text));
            format!(
                "<text class=\"{class}\" x=\"{}\" y=\"{}\"{anchor}{style}>{text}</text>",
                number(*x),
                number(*y)
            )
        }
    }
}

/// The outline of bars beside each other. Neighbours are one shape, so that no line is between them.
pub(crate) fn outline(heights: &[f64], x: impl Fn(usize) -> f64, y: impl Fn(f64) -> f64) -> String {
    let (bottom, mut path, mut at) = (number(y(0.0)), String::new(), 0);
    for run in heights.chunk_by(|one, next| (*one > 0.0) == (*next > 0.0)) {
        if run[0] > 0.0 {
            let _ = write!(path, "M{} {bottom}", number(x(at)));
            let mut end = at;
            for same in run.chunk_by(|one, next| one == next) {
                end += same.len();
                let _ = write!(path, "V{}H{}", number(y(same[0])), number(x(end)));
            }
            let _ = write!(path, "V{bottom}z");
        }
        at += run.len();
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outline_has_one_part_for_each_run() {
        let p = |heights: &[f64]| outline(heights, |index| index as f64 * 2.0, |height| 10.0 - height);
        assert_eq!(p(&[0.0, 4.0, 4.0, 1.25, 0.0, 3.0]), "M2 10V6H6V8.8H8V10zM10 10V7H12V10z");
        assert_eq!([p(&[]), p(&[0.0])], ["", ""]);
    }

    #[test]
    fn texts_are_escaped() {
        let mut drawing = Drawing { width: 10.0, height: 5.0, title: "a<b".into(), shapes: Vec::new() };
        drawing.text((1.0, 2.5), Anchor::End, Paint::Dim, "\"&\"");
        let text = text(&drawing);
        assert!(text.contains("<title>a&lt;b</title>"), "{text}");
        let element = "<text class=\"kron-text kron-dim\" x=\"1\" y=\"2.5\" text-anchor=\"end\">&quot;&amp;&quot;</text>";
        assert!(text.contains(element), "{text}");
    }
}
