//! Places for the schedules of other systems, where they stand: in any text in which one can write a comment.
//!
//! A comment `kron: TEXT` beside a schedule is a declaration, a job text with a name: it says what is wanted. [`place`] writes the placed
//! schedule, one plain expression, in place of the declared one, and changes no other byte. Placing a placed text changes nothing. With
//! [`Mode::Undo`], the declared schedules come back and the declarations go. [`adopt`](adopt()) writes declarations beside schedules that
//! have none.
//!
//! It reads no files, no clock and no environment; the places are chosen by [`kron_core::place`].
//!
//! ```
//! use kron_formats::place::{Options, Source, place};
//! let text = "\
//! jobs:
//!   ## kron: 0 0 * * * @win(after,2h) name=ops/backup
//!   - schedule: 0 0 * * *  # nightly
//! ";
//! let placed = place(&[Source::new("values.yaml", text)], &Options::default());
//! assert_eq!(placed.texts[0], text.replace("schedule: 0 0", "schedule: 51 0"));
//! assert_eq!(placed.schedules[0].name, "ops/backup");
//! assert!(placed.findings.is_empty());
//! ```

mod adopt;
mod comment;
mod confirm;
mod declared;
mod expression;
mod json;
mod krm;
mod lines;
mod live;
mod objects;
mod pass;
mod source;
mod workflow;

pub use self::adopt::{Adopted, AdoptedSchedule, Adoption, LeftAlone, PlainSchedule, adopt, plain_schedules};
pub(crate) use self::comment::words;
pub use self::declared::{DeclaredSchedule, declared, has_declarations};
pub use self::krm::function_config;
pub use self::live::{ApplyConfigurations, apply_configurations};
pub use self::source::{Mode, Options, Source};
pub use self::workflow::called_files;
pub use crate::error::place::{LeftReason, PlaceCode};

use std::collections::{BTreeMap, BTreeSet};

use kron_core::{Seed, Severity};

use crate::convert::ConvertFinding;
use crate::error::place as messages;

use self::pass::{Pass, open_step};
use self::source::Syntax;

/// The texts that [`place`] makes.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Placed {
    /// A text for each source. If a source has an error, its text is unchanged.
    pub texts: Vec<String>,
    /// The schedules that have a declaration, in the order of the sources and their lines.
    pub schedules: Vec<PlacedSchedule>,
    /// Errors, warnings and notes, with their lines.
    pub findings: Vec<ConvertFinding>,
}

impl Placed {
    /// Whether something is refused. Then nothing should be written.
    ///
    /// ```
    /// use kron_formats::place::{Options, Source, place};
    /// let text = "# kron: 0 0 * * * @win(after,1h) name=a\nmessage: hello\n";
    /// assert!(place(&[Source::new("a.yaml", text)], &Options::default()).is_refused());
    /// ```
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.findings.iter().any(|found| found.finding.severity == Severity::Error)
    }
}

/// A schedule with a declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlacedSchedule {
    /// In which source, from 0.
    pub source: usize,
    /// The line of the schedule, from 1.
    pub line: usize,
    /// The name that the declaration gives.
    pub name: String,
    /// The declaration as it is to stand there, without what opens its comment.
    pub declaration: String,
    /// The declaration that stands there.
    old_declaration: String,
    /// The schedule that the declaration asks for.
    pub declared: String,
    /// The schedule that stands there.
    pub present: String,
    /// The schedule that is to stand there.
    pub placed: String,
    /// By how many minutes the placed times are later than the declared ones.
    pub shift_minutes: i64,
    /// Among how many shifts the place was chosen.
    pub candidates: usize,
}

impl PlacedSchedule {
    /// Whether another schedule is to stand there.
    #[must_use]
    pub fn changes(&self) -> bool {
        self.present != self.placed
    }
}

/// Places the schedules of sources that have declarations, or undoes it.
///
/// ```
/// use kron_formats::place::{Mode, Options, Source, place};
/// let text = "# kron: 0 3 * * * @win(after,1h) name=web/clean\n0 3 * * * root /usr/bin/clean\n";
/// let options = Options::default();
/// let once = place(&[Source::new("/etc/cron.d/web", text)], &options);
/// assert_eq!(once.texts[0], text.replace("\n0 3 ", "\n11 3 "));
/// let again = place(&[Source::new("/etc/cron.d/web", &once.texts[0])], &options);
/// assert_eq!(again.texts, once.texts);
/// let undo = Options { mode: Mode::Undo, ..Options::default() };
/// let undone = place(&[Source::new("/etc/cron.d/web", &once.texts[0])], &undo);
/// assert_eq!(undone.texts[0], "0 3 * * * root /usr/bin/clean\n");
/// ```
#[must_use]
pub fn place(sources: &[Source<'_>], options: &Options) -> Placed {
    place_by(sources, options, &BTreeMap::new())
}

/// [`place`], in which some declarations get other seeds, by their names. Each schedule must be the declared one or the place of its
/// declaration before, and goes to the place of the new seed. Two declarations of one name are an error here, because one salt cannot
/// lead both to different places.
///
/// ```
/// use std::collections::BTreeMap;
/// use kron_core::{Seed, SeedStrategy};
/// use kron_formats::place::{Options, Source, place_with_seeds};
/// let text = "# kron: 0 3 * * * @win(after,1h) name=web/clean\n11 3 * * * root /usr/bin/clean\n";
/// let seeds = BTreeMap::from([("web/clean".to_string(), Seed::new(SeedStrategy::Fixed, "2")?)]);
/// let placed = place_with_seeds(&[Source::new("/etc/cron.d/web", text)], &Options::default(), &seeds);
/// assert_eq!(
///     placed.texts[0],
///     "# kron: 0 3 * * * @win(after,1h) @seed(fixed,salt=2) name=web/clean\n48 3 * * * root /usr/bin/clean\n"
/// );
/// # Ok::<(), kron_core::Error>(())
/// ```
#[must_use]
pub fn place_with_seeds(sources: &[Source<'_>], options: &Options, seeds: &BTreeMap<String, Seed>) -> Placed {
    let options = Options { mode: Mode::Place, ..options.clone() };
    let mut out = place_by(sources, &options, seeds);
    for found in out.findings.iter_mut().filter(|found| found.finding.code == PlaceCode::SameName.into()) {
        found.finding.severity = Severity::Error;
    }
    out
}

fn place_by(marked: &[Source<'_>], options: &Options, seeds: &BTreeMap<String, Seed>) -> Placed {
    let mut out = Placed::default();
    let sources = &*marked.iter().map(Source::without_mark).collect::<Vec<_>>();
    let comparing = match options.mode {
        Mode::Place => workflow::comparing(sources, &options.beside),
        Mode::Undo => BTreeSet::new(),
    };
    for (index, source) in sources.iter().enumerate() {
        let before = (out.schedules.len(), out.findings.len());
        let mut pass = Pass::new(index, source, options, seeds, &mut out);
        pass.compares = comparing.contains(&index);
        let text = text_of(pass);
        let refused = out.findings[before.1..].iter().any(|found| found.finding.severity == Severity::Error);
        if refused {
            out.schedules.truncate(before.0);
        } else if text != source.text
            && !confirm::is_confirmed(source, &text, &out.schedules[before.0..], options.mode)
        {
            out.schedules.truncate(before.0);
            out.findings.push(ConvertFinding::new(index, messages::not_confirmed()));
        } else if let Some(line) =
            no_comment(source, &text).filter(|_| !can_be_undone(source, &text, options))
        {
            out.schedules.truncate(before.0);
            out.findings.push(ConvertFinding::new(index, messages::no_comment_of_yaml()).at(line));
        } else {
            out.texts.push(text);
            continue;
        }
        out.texts.push(source.text.to_string());
    }
    if options.mode == Mode::Place {
        same_names(sources, &mut out);
    }
    out.findings.sort_by_key(|found| (found.source, found.line.unwrap_or(usize::MAX)));
    out.texts = marked.iter().zip(out.texts).map(|(source, text)| source.with_mark(text)).collect();
    out
}

/// The line, from 1, of the first declaration of YAML that is not a comment on a line of its own.
fn no_comment(source: &Source<'_>, text: &str) -> Option<usize> {
    let is_other = |line: &str| line.contains("kron:") && !line.trim_start().starts_with('#');
    let found = text.lines().position(is_other).filter(|_| source.syntax() == Some(Syntax::Yaml));
    found.map(|index| index + 1)
}

/// Whether the declarations of a placed text can be taken away. In YAML a declaration behind `//` is a part of a value, which may then
/// be another one.
fn can_be_undone(source: &Source<'_>, text: &str, options: &Options) -> bool {
    if options.mode == Mode::Undo {
        return true;
    }
    let options = Options { mode: Mode::Undo, ..options.clone() };
    !place_by(&[Source { text, ..source.clone() }], &options, &BTreeMap::new()).is_refused()
}

/// The text of a source with its schedules in their places.
fn text_of(mut pass: Pass<'_, '_>) -> String {
    objects::take_all(&mut pass);
    lines::take_all(&mut pass);
    let text = pass.source.text;
    match pass.edits.apply(text, 0..text.len()) {
        Some(text) => text,
        // Two declarations whose removals overlap.
        None => {
            let finding = ConvertFinding::new(pass.index, messages::not_confirmed());
            pass.out.findings.push(finding);
            text.to_string()
        }
    }
}

/// Warns of declarations that share a name, at all but the first.
fn same_names(sources: &[Source<'_>], out: &mut Placed) {
    let mut first: BTreeMap<&str, usize> = BTreeMap::new();
    let mut found = Vec::new();
    for (index, schedule) in out.schedules.iter().enumerate() {
        let first = *first.entry(&schedule.name).or_insert(index);
        if first != index {
            let other = &out.schedules[first];
            let path = (other.source != schedule.source).then_some(sources[other.source].path);
            let finding = messages::same_name(&schedule.name, path, other.line);
            found.push(ConvertFinding::new(schedule.source, finding).at(schedule.line));
        }
    }
    out.findings.extend(found);
}
