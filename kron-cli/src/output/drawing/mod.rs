//! Pictures of plain shapes, which SVG and PNG draw in the same places.

#[cfg(feature = "command")]
pub(crate) mod pixels;
pub(crate) mod svg;
pub(crate) mod widths;

use crate::output::terminal::unbroken;

/// What a shape is painted with. Each form of a picture has its own colours of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Paint {
    Text,
    /// Text that a reader may pass over.
    Dim,
    /// Lines behind the bars.
    Grid,
    Axis,
    /// The starts as written.
    Before,
    /// The starts as spread.
    After,
    /// What is there already.
    Base,
}

/// Where a text begins or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A rectangle: left, top, width, height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rect(pub(crate) f64, pub(crate) f64, pub(crate) f64, pub(crate) f64);

/// A shape. Lengths are pixels of a picture that is not enlarged.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shape {
    /// A rectangle, with so many quarters of the colour.
    Rect { rect: Rect, paint: Paint, quarters: u8 },
    /// Bars beside each other, from the left on, with these heights.
    Bars { left: f64, bottom: f64, width: f64, heights: Vec<f64>, paint: Paint },
    /// What a reader is told who points at a part of the picture. PNG has no such part.
    Note { rect: Rect, text: String },
    /// A text whose letters stand on `y`.
    Text { x: f64, y: f64, anchor: Anchor, size: f64, bold: bool, paint: Paint, text: String },
}

/// A picture, drawn from top to bottom.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Drawing {
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// What the picture shows, for readers who do not see it.
    pub(crate) title: String,
    pub(crate) shapes: Vec<Shape>,
}

impl Drawing {
    pub(crate) fn rect(&mut self, rect: Rect, paint: Paint) {
        self.shapes.push(Shape::Rect { rect, paint, quarters: 4 });
    }

    pub(crate) fn text(&mut self, at: (f64, f64), anchor: Anchor, paint: Paint, text: impl Into<String>) {
        let (x, y) = at;
        self.shapes.push(Shape::Text { x, y, anchor, size: TEXT, bold: false, paint, text: text.into() });
    }

    pub(crate) fn bold(&mut self, at: (f64, f64), size: f64, paint: Paint, text: impl Into<String>) {
        let (x, y) = at;
        let (anchor, text) = (Anchor::Start, text.into());
        self.shapes.push(Shape::Text { x, y, anchor, size, bold: true, paint, text });
    }
}

/// The size of texts.
pub(crate) const TEXT: f64 = 13.0;

/// A bold text in lines of at most so many pixels, broken between words and not in a short remark in brackets.
pub(crate) fn lines(text: &str, size: f64, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in unbroken(text) {
        match lines.last_mut() {
            Some(line) if widths::width(&format!("{line} {word}"), size) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remark_in_brackets_stays_whole() {
        let found = lines("Fullest minute: 30 starts as written, 15 as spread (2 times fewer)", 20.0, 520.0);
        assert_eq!(found, ["Fullest minute: 30 starts as written, 15 as spread", "(2 times fewer)"]);
    }
}
