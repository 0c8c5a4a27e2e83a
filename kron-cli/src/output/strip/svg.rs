//! An explanation as a picture: what starts when, and the strip of its window.

use std::fmt::Write as _;

use kron_core::proof::Explanation;
use kron_core::{Error, Job};

use super::Strip;
use crate::output::explanation::{apart_in_words, place_in_words, reason_in_words};
use crate::output::svg::{self, escaped};
use crate::output::table::printable;
use crate::output::time::{clock_of, day_of, local_of};

/// Pixels of the picture, and of the margin at each side.
const WIDTH: f64 = 760.0;
const MARGIN: f64 = 20.0;
/// The most cells: each has two pixels.
const CELLS: usize = 360;
/// Where the strip begins.
const TOP: f64 = 98.0;
/// The height of a strip whose seconds are all equally likely, and of another.
const HEIGHTS: (f64, f64) = (40.0, 96.0);
/// About how wide a letter is.
const LETTER: f64 = 6.8;
/// The letters that the title has room for, and those of a name that are always shown.
const TITLE: usize = 68;
const NAME: usize = 16;

/// The colours of a strip.
const STYLE: &str = "\
.kron-head{font-size:17px;font-weight:600}\
.kron-likely{fill:#0969da}\
.kron-forbidden{fill:#d1d9e0}\
.kron-draw{stroke:#cf222e;stroke-width:2;fill:none}\
.kron-start{fill:#1a7f37}\
.kron-start-text{fill:#1a7f37;font-weight:600}\
.kron-axis{stroke:#818b98}\
@media (prefers-color-scheme:dark){\
.kron-likely{fill:#4493f8}\
.kron-forbidden{fill:#3d444d}\
.kron-draw{stroke:#f85149}\
.kron-start{fill:#3fb950}\
.kron-start-text{fill:#3fb950}\
.kron-axis{stroke:#656c76}}";

/// The picture that `kron explain -o svg` prints for a decision of a job. It is light or dark as the reader's programs are.
///
/// ```
/// let job = kron_core::Job::parse("prod/db-backup", "@daily @win(after,3h)")?;
/// let picture = kron_cli::explanation_svg(&job, &job.explain(0)?);
/// assert!(picture.starts_with("<svg ") && picture.contains("prod/db-backup starts Thu 1 January 1970, 0"));
/// # Ok::<(), kron_core::Error>(())
/// ```
pub fn explanation_svg(job: &Job, explanation: &Explanation<'_>) -> String {
    let (title, subtitle) = words(job, explanation);
    document(&title, &subtitle, Strip::new(job, explanation, CELLS))
}

/// The strip of a schedule that another system runs in its place: the window of its period, and the chosen second is where it is placed.
/// `declared` is the job as it is declared, and `nominal` the time of the period.
///
/// # Errors
///
/// As [`Job::explain`].
///
/// ```
/// let job = kron_core::Job::parse("prod/db-backup", "0 0 * * * @win(after,3h)")?;
/// let picture = kron_cli::placed_svg(&job, 0, 3120)?;
/// assert!(picture.contains("prod/db-backup is placed at Thu 1 January 1970, 00:52"));
/// # Ok::<(), kron_core::Error>(())
/// ```
pub fn placed_svg(declared: &Job, nominal: i64, chosen: i64) -> Result<String, Error> {
    let explanation = declared.explain(nominal)?;
    let zone = declared.spec().timezone();
    let result = format!("is placed at {}, {}", day_of(chosen, zone), clock_of(chosen, zone));
    let title = format!("{} {result}", in_title(declared.name(), result.len()));
    let subtitle = format!("{}. Times in {zone}.", capitalized(&apart_in_words(nominal, chosen)));
    let strip = Strip::new(declared, &explanation, CELLS);
    Ok(document(&title, &subtitle, strip.map(|strip| strip.placed(chosen))))
}

/// A title, a line below it, and perhaps a strip.
fn document(title: &str, subtitle: &str, strip: Option<Strip<'_>>) -> String {
    let mut picture = Picture { body: String::new(), height: 66.0 };
    picture.text(MARGIN, 30.0, "kron-head", title);
    picture.text(MARGIN, 52.0, "kron-dim", subtitle);
    if let Some(strip) = strip {
        picture.strip(&strip);
    }
    svg::document(WIDTH, picture.height, &format!("{title}. {subtitle}"), STYLE, &picture.body)
}

/// A name, cut where a title has no room for it beside so many letters.
fn in_title(name: &str, letters: usize) -> String {
    let name = printable(name);
    match name.char_indices().nth(TITLE.saturating_sub(letters).max(NAME)) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name,
    }
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first: String = letters.next().map(|first| first.to_ascii_uppercase()).into_iter().collect();
    format!("{first}{}", letters.as_str())
}

/// The result in words.
fn words(job: &Job, explanation: &Explanation<'_>) -> (String, String) {
    let (decision, zone) = (&explanation.decision, job.spec().timezone());
    let when = |at| format!("{}, {}", day_of(at, zone), clock_of(at, zone));
    let (result, why) = match decision.chosen_timestamp() {
        Some(chosen) => {
            let starts = if job.spec().policy().suspend() { "is suspended, else starts" } else { "starts" };
            (format!("{starts} {}", when(chosen)), place_in_words(explanation, chosen))
        }
        None => {
            let period = when(decision.nominal_timestamp());
            (format!("does not start for {period}"), reason_in_words(decision).to_string())
        }
    };
    let name = in_title(job.name(), result.len());
    (format!("{name} {result}"), format!("{}. Times in {zone}.", capitalized(&why)))
}

/// A picture that is drawn from top to bottom.
struct Picture {
    body: String,
    height: f64,
}

impl Picture {
    fn add(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.body.write_fmt(element);
        self.body.push('\n');
    }

    fn text(&mut self, x: f64, y: f64, class: &str, text: &str) {
        self.add(format_args!(
            "<text class=\"kron-text {class}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>",
            escaped(text)
        ));
    }

    /// A label beside a sign at `x`: to the right if nothing is there, else to the left if nothing is there.
    /// Says whether there was room.
    fn label(&mut self, x: f64, y: f64, class: &str, text: &str, taken: &[f64]) -> bool {
        let length = text.chars().count() as f64 * LETTER;
        let is_free = |from: f64, to: f64| {
            from >= MARGIN
                && to <= WIDTH - MARGIN
                && !taken.iter().any(|x| (from - 6.0..to + 6.0).contains(x))
        };
        if is_free(x + 10.0, x + 10.0 + length) {
            self.text(x + 10.0, y, class, text);
            true
        } else if is_free(x - 10.0 - length, x - 10.0) {
            self.add(format_args!(
                "<text class=\"kron-text {class}\" x=\"{:.1}\" y=\"{y:.1}\" text-anchor=\"end\">{}</text>",
                x - 10.0,
                escaped(text)
            ));
            true
        } else {
            false
        }
    }

    fn strip(&mut self, strip: &Strip<'_>) {
        let height = if strip.is_uniform { HEIGHTS.0 } else { HEIGHTS.1 };
        let bottom = TOP + height;
        let width = (WIDTH - 2.0 * MARGIN) / strip.cells.len() as f64;
        let middle = |timestamp| MARGIN + (strip.cell_of(timestamp) as f64 + 0.5) * width;

        let x = middle(strip.nominal);
        self.add(format_args!("<path class=\"kron-dim\" d=\"M{:.1} {:.1}h12l-6 9z\"/>", x - 6.0, TOP - 14.0));
        self.label(x, TOP - 5.0, "kron-dim", "nominal time", &[]);

        // Cells that look the same are one part of a path.
        let (mut likely, mut forbidden) = (String::new(), String::new());
        let mut left = MARGIN;
        // What can happen is seen.
        let level =
            |cell: &super::Cell| cell.is_allowed.then(|| (cell.likelihood * height).max(1.5).round() as u32);
        for run in strip.cells.chunk_by(|one, other| level(one) == level(other)) {
            let length = run.len() as f64 * width;
            let (path, height) = match level(&run[0]) {
                Some(level) => (&mut likely, f64::from(level)),
                None => (&mut forbidden, height),
            };
            let _ = write!(path, "M{left:.1} {bottom:.1}v-{height:.1}h{length:.1}v{height:.1}z");
            left += length;
        }
        for (class, path) in [("kron-forbidden", &forbidden), ("kron-likely", &likely)] {
            if !path.is_empty() {
                self.add(format_args!("<path class=\"{class}\" d=\"{path}\"/>"));
            }
        }

        let mut taken = Vec::new();
        for cell in strip.forbidden_cells() {
            let x = MARGIN + (cell as f64 + 0.5) * width;
            taken.push(x);
            self.add(format_args!(
                "<path class=\"kron-draw\" d=\"M{:.1} {:.1}l8 8m0 -8l-8 8\"/>",
                x - 4.0,
                bottom + 8.0
            ));
        }
        let mut start = None;
        if let Some(chosen) = strip.chosen {
            let x = middle(chosen);
            self.add(format_args!(
                "<path class=\"kron-start\" d=\"M{x:.1} {:.1}l-6 10h12z\"><title>{}</title></path>",
                bottom + 7.0,
                local_of(chosen, strip.zone)
            ));
            let text = format!("start {}", clock_of(chosen, strip.zone));
            if !self.label(x, bottom + 17.0, "kron-start-text", &text, &taken) {
                start = Some(text);
            }
        }

        self.add(format_args!("<path class=\"kron-axis\" d=\"M{MARGIN} {bottom:.1}H{}\"/>", WIDTH - MARGIN));
        let mut end = f64::NEG_INFINITY;
        for tick in strip.ticks(|letters| (letters as f64 * LETTER + 24.0) / width) {
            let x = MARGIN + strip.cell_of(tick.timestamp) as f64 * width;
            let length = tick.label.chars().count() as f64 * LETTER;
            // Below its tick, but not beyond the edge.
            let left = (x - length / 2.0).clamp(2.0, WIDTH - MARGIN / 2.0 - length);
            self.add(format_args!("<path class=\"kron-axis\" d=\"M{x:.1} {bottom:.1}v6\"/>"));
            if left > end {
                self.text(left, bottom + 42.0, "kron-dim", &tick.label);
                end = left + length + 6.0;
            }
        }
        self.height = bottom + 58.0;
        self.legend(strip, bottom + 70.0, start.as_deref());
    }

    /// What the parts mean, of those that the strip has and that have no label. `start` is the label of the start if it has none.
    fn legend(&mut self, strip: &Strip<'_>, y: f64, start: Option<&str>) {
        let has_allowed = strip.cells.iter().any(|cell| cell.is_allowed);
        let entries = [
            (
                start.is_some(),
                "<path class=\"kron-start\" d=\"M{x} {y}h12l-6 -10z\"/>",
                start.unwrap_or_default(),
            ),
            (
                !strip.is_uniform && has_allowed,
                "<path class=\"kron-likely\" d=\"M{x} {y}v-3h4v-3h4v-4h4v10z\"/>",
                "how likely a start is",
            ),
            (
                strip.has_forbidden(),
                "<path class=\"kron-forbidden\" d=\"M{x} {y}v-10h12v10z\"/>",
                "forbidden",
            ),
            (
                !strip.forbidden.is_empty(),
                "<path class=\"kron-draw\" d=\"M{x} {y}m2 -9l8 8m0 -8l-8 8\"/>",
                "forbidden draw",
            ),
        ];
        let mut x = MARGIN;
        for (_, sign, meaning) in entries.into_iter().filter(|(is_shown, ..)| *is_shown) {
            let sign = sign.replace("{x}", &format!("{x:.1}")).replace("{y}", &format!("{y:.1}"));
            self.add(format_args!("{sign}"));
            self.text(x + 18.0, y, "kron-dim", meaning);
            x += 18.0 + meaning.len() as f64 * LETTER + 20.0;
            self.height = y + 16.0;
        }
    }
}
