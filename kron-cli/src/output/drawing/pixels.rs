//! A drawing as PNG, with two pixels for one of the drawing in each direction.
//!
//! It has no background, and colours that can be read on light and on dark pages. Positions of letters and edges of bars are not rounded
//! to pixels: a pixel is painted as much as it is covered.

use std::io::{self, Write};
use std::ops::Range;

use ab_glyph::{Font as _, FontRef, GlyphId, PxScale, ScaleFont as _, point};

use super::{Anchor, Drawing, Paint, Rect, Shape, widths};

/// The pixels of a pixel of the drawing.
const SCALE: f64 = 2.0;
/// How much wider the strokes of letters become, and those of bold ones, as a share of the size: the font is a light one.
const STROKE: (f64, f64) = (0.025, widths::STROKE);

/// Red, green, blue and how much they cover.
const fn color(paint: Paint) -> ([u8; 3], f32) {
    match paint {
        Paint::Text => ([0x6b, 0x75, 0x80], 1.0),
        Paint::Dim => ([0x73, 0x7d, 0x88], 1.0),
        Paint::Grid => ([0x80, 0x8a, 0x95], 0.3),
        Paint::Axis => ([0x80, 0x8a, 0x95], 1.0),
        Paint::Before => ([0xd7, 0x5f, 0x00], 1.0),
        Paint::After => ([0x00, 0x87, 0xd7], 1.0),
        Paint::Base => ([0x80, 0x8a, 0x95], 1.0),
    }
}

/// The font of pictures, as part of the program: a picture is the same everywhere.
#[derive(Debug)]
pub(crate) struct Font(FontRef<'static>);

impl Font {
    pub(crate) fn new() -> io::Result<Font> {
        FontRef::try_from_slice(epaint_default_fonts::UBUNTU_LIGHT).map(Font).map_err(io::Error::other)
    }

    /// The scale of a size in pixels.
    fn scale(&self, size: f64) -> PxScale {
        let units = self.0.units_per_em().unwrap_or(1000.0);
        PxScale::from(size as f32 * self.0.height_unscaled() / units)
    }

    /// The width of a text in pixels.
    pub(crate) fn width(&self, text: &str, size: f64, bold: bool) -> f64 {
        let stroke = if bold { STROKE.1 } else { STROKE.0 } * size;
        let mut end = 0.0;
        self.each(text, size, stroke, |_, _, next| end = next);
        f64::from(end)
    }

    /// Calls a function with each glyph, where it begins, and where the next one begins.
    fn each(&self, text: &str, size: f64, stroke: f64, mut found: impl FnMut(GlyphId, f32, f32)) {
        let font = self.0.as_scaled(self.scale(size));
        let (mut x, mut last) = (0.0, None);
        for letter in text.chars() {
            let glyph = font.glyph_id(letter);
            x += last.map_or(0.0, |last| font.kern(last, glyph));
            let next = x + font.h_advance(glyph) + stroke as f32;
            found(glyph, x, next);
            (x, last) = (next, Some(glyph));
        }
    }
}

/// Writes the picture.
pub(crate) fn write(out: &mut dyn Write, drawing: &Drawing, font: &Font) -> io::Result<()> {
    let mut pixels = Pixels::new(drawing);
    for shape in &drawing.shapes {
        pixels.draw(shape, font);
    }
    let mut encoder = png::Encoder::new(out, pixels.width as u32, pixels.height as u32);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&pixels.bytes())?;
    Ok(writer.finish()?)
}

/// The pixels, and how much of each the shape covers that is drawn.
struct Pixels {
    width: usize,
    height: usize,
    /// Red, green and blue, each times alpha, and alpha.
    colors: Vec<[f32; 4]>,
    covered: Vec<f32>,
    /// The columns and rows that it may cover.
    touched: (Range<usize>, Range<usize>),
}

impl Pixels {
    fn new(drawing: &Drawing) -> Pixels {
        let [width, height] = [drawing.width, drawing.height].map(|length| (length * SCALE).ceil() as usize);
        Pixels {
            width,
            height,
            colors: vec![[0.0; 4]; width * height],
            covered: vec![0.0; width * height],
            touched: (width..0, height..0),
        }
    }

    /// Notes that a shape covers some of these columns and rows.
    fn touch(&mut self, columns: Range<usize>, rows: Range<usize>) {
        let both =
            |one: &Range<usize>, other: Range<usize>| one.start.min(other.start)..one.end.max(other.end);
        self.touched = (both(&self.touched.0, columns), both(&self.touched.1, rows));
    }

    fn draw(&mut self, shape: &Shape, font: &Font) {
        match shape {
            Shape::Rect { rect, paint, quarters } => {
                self.cover(*rect);
                self.paint(*paint, f32::from(*quarters) / 4.0);
            }
            Shape::Bars { left, bottom, width, heights, paint } => {
                for (index, height) in heights.iter().enumerate() {
                    self.cover(Rect(left + index as f64 * width, bottom - height, *width, *height));
                }
                self.paint(*paint, 1.0);
            }
            Shape::Note { .. } => {}
            Shape::Text { x, y, anchor, size, bold, paint, text } => {
                let width = font.width(text, *size, *bold);
                let x = match anchor {
                    Anchor::Start => *x,
                    Anchor::Middle => x - width / 2.0,
                    Anchor::End => x - width,
                };
                self.letters((x * SCALE, y * SCALE), size * SCALE, *bold, text, font);
                self.paint(*paint, 1.0);
            }
        }
    }

    /// Adds what a rectangle covers of each pixel.
    fn cover(&mut self, Rect(x, y, width, height): Rect) {
        let ([left, right], [top, bottom]) =
            ([x, x + width].map(|x| x * SCALE), [y, y + height].map(|y| y * SCALE));
        let part = |pixel: usize, from: f64, to: f64| {
            (to.min(pixel as f64 + 1.0) - from.max(pixel as f64)).max(0.0) as f32
        };
        let rows = top.max(0.0) as usize..(bottom.ceil().max(0.0) as usize).min(self.height);
        let columns = left.max(0.0) as usize..(right.ceil().max(0.0) as usize).min(self.width);
        self.touch(columns.clone(), rows.clone());
        for row in rows {
            for column in columns.clone() {
                self.covered[row * self.width + column] += part(row, top, bottom) * part(column, left, right);
            }
        }
    }

    /// Adds what letters cover. Each is drawn some times, a little further to the right, so that its strokes become wider.
    fn letters(&mut self, (x, y): (f64, f64), size: f64, bold: bool, text: &str, font: &Font) {
        let stroke = if bold { STROKE.1 } else { STROKE.0 } * size;
        let times = (stroke / 0.4).ceil().max(1.0) as u32;
        let scale = font.scale(size);
        font.each(text, size, stroke, |glyph, at, _| {
            for time in 0..=times {
                let shift = stroke * f64::from(time) / f64::from(times);
                let position = point((x + shift) as f32 + at, y as f32);
                let Some(outlined) = font.0.outline_glyph(glyph.with_scale_and_position(scale, position))
                else {
                    continue;
                };
                let bounds = outlined.px_bounds();
                outlined.draw(|column, row, covered| {
                    let (column, row) = (bounds.min.x + column as f32, bounds.min.y + row as f32);
                    if column < 0.0 || row < 0.0 {
                        return;
                    }
                    let (column, row) = (column as usize, row as usize);
                    if column < self.width && row < self.height {
                        let found = &mut self.covered[row * self.width + column];
                        *found = found.max(covered);
                        self.touch(column..column + 1, row..row + 1);
                    }
                });
            }
        });
    }

    /// Paints what is covered.
    fn paint(&mut self, paint: Paint, share: f32) {
        let (rgb, alpha) = color(paint);
        let [red, green, blue] = rgb.map(f32::from);
        let (columns, rows) = std::mem::replace(&mut self.touched, (self.width..0, self.height..0));
        for row in rows {
            let places = row * self.width + columns.start..row * self.width + columns.end;
            for (pixel, covered) in self.colors[places.clone()].iter_mut().zip(&mut self.covered[places]) {
                let over = std::mem::take(covered).min(1.0) * alpha * share;
                for (below, color) in pixel.iter_mut().zip([red, green, blue, 255.0]) {
                    *below = color * over + *below * (1.0 - over);
                }
            }
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let byte = |[red, green, blue, alpha]: &[f32; 4]| {
            let whole = |part: &f32| if *alpha > 0.0 { (part * 255.0 / alpha).round() as u8 } else { 0 };
            [whole(red), whole(green), whole(blue), alpha.round() as u8]
        };
        self.colors.iter().flat_map(byte).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How much two colours differ, as the Web Content Accessibility Guidelines count it.
    fn contrast(one: [u8; 3], other: [u8; 3]) -> f64 {
        let linear = |part: u8| {
            let part = f64::from(part) / 255.0;
            if part <= 0.03928 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        let luminance = |[red, green, blue]: [u8; 3]| {
            0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue) + 0.05
        };
        let (one, other) = (luminance(one), luminance(other));
        one.max(other) / one.min(other)
    }

    #[test]
    fn colours_can_be_read_on_light_and_dark_pages() {
        for page in [[0xff; 3], [0x0d, 0x11, 0x17]] {
            for paint in [Paint::Text, Paint::Dim] {
                assert!(contrast(color(paint).0, page) > 4.0, "{paint:?} on {page:?}");
            }
            for paint in [Paint::Before, Paint::After, Paint::Base, Paint::Axis] {
                assert!(contrast(color(paint).0, page) > 3.0, "{paint:?} on {page:?}");
            }
        }
    }

    #[test]
    fn a_pixel_is_painted_as_much_as_it_is_covered() {
        let mut drawing = Drawing { width: 2.0, height: 1.0, title: String::new(), shapes: Vec::new() };
        // A quarter of the second column of pixels, and the upper one of the third.
        let heights = vec![0.5, 1.0];
        drawing.shapes.push(Shape::Bars {
            left: 0.0,
            bottom: 1.0,
            width: 0.75,
            heights,
            paint: Paint::After,
        });
        let mut pixels = Pixels::new(&drawing);
        pixels.draw(&drawing.shapes[0], &Font::new().unwrap());
        let alpha: Vec<u8> = pixels.bytes().chunks(4).map(|pixel| pixel[3]).collect();
        assert_eq!(alpha, [0, 128, 255, 0, 255, 255, 255, 0]);
        assert_eq!(&pixels.bytes()[4..7], [0x00, 0x87, 0xd7]);
    }

    #[test]
    fn letters_have_the_widths_of_the_font() {
        let font = Font::new().unwrap();
        let (one, ten) = (font.width("0", 13.0, false), font.width("0000000000", 13.0, false));
        assert!((ten - 10.0 * one).abs() < 1e-3 && (6.0..9.0).contains(&one), "{one} {ten}");
        // The widths for forms without a font.
        for letter in (' '..='~').map(String::from) {
            let (found, want) = (widths::width(&letter, 1000.0), font.width(&letter, 1000.0, true));
            assert!((found - want).abs() < 1.0, "{letter}: {found} {want}");
        }
        let apart = font.width("A", 13.0, false) + font.width("V", 13.0, false);
        assert!(font.width("AV", 13.0, false) < apart + 1e-3);
    }
}
