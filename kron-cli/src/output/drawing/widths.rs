//! The widths of bold letters, without the font itself, which only pixels need.

/// The thousandths of the size that each character of ASCII takes from the blank on.
const WIDTHS: [u16; 95] = [
    228, 274, 392, 653, 564, 831, 648, 240, 310, 310, 472, 564, 246, 282, 246, 359, 564, 564, 564, 564, 564,
    564, 564, 564, 564, 564, 246, 246, 564, 564, 564, 380, 940, 641, 630, 609, 702, 555, 520, 658, 692, 248,
    487, 599, 502, 865, 709, 774, 592, 774, 618, 517, 548, 680, 624, 921, 608, 569, 560, 310, 359, 310, 564,
    490, 376, 509, 583, 460, 583, 548, 376, 573, 569, 237, 237, 495, 255, 863, 569, 582, 583, 583, 374, 428,
    387, 569, 480, 775, 499, 474, 455, 319, 262, 319, 564,
];
/// Those of any other character.
const OTHER: u16 = 1000;
/// What bold strokes add.
pub(super) const STROKE: f64 = 0.07;

/// The width of a bold text in pixels. Pairs of letters that the font puts closer together are not known.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    let letter = |letter: char| {
        let place = u32::from(letter).checked_sub(u32::from(' ')).map(|place| place as usize);
        let width = place.and_then(|place| WIDTHS.get(place)).unwrap_or(&OTHER);
        f64::from(*width) / 1000.0 + STROKE
    };
    text.chars().map(letter).sum::<f64>() * size
}
