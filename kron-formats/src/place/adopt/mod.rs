//! Declarations for schedules that have none.
//!
//! `find.rs` finds the schedules of a text by its syntax, and says which of them are left alone (`inner.rs`: those of a text within it);
//! this file names them, and writes their declarations.

mod find;
mod generated;
mod inner;
mod judge;
mod keys;
mod objects;
mod plain;
mod site;
mod value;
mod walk;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use kron_core::place::{NotAdopted, WantedWindow, adopt as declare};
use kron_core::text::quoted_ascii_value;
use kron_core::{ErrorCode, WindowMode, Zone};

use super::confirm::has_more_declarations;
use super::source::{Kind, Options, Source};
use super::workflow::comparing;
use super::{Placed, open_step, place};
use crate::convert::ConvertFinding;
use crate::convert::yaml::Edits;
use crate::error::place as messages;
use crate::error::place::LeftReason;

use self::find::find;
use self::site::{Site, SiteName};

pub use self::plain::{PlainSchedule, plain_schedules};

/// What is adopted, and how.
#[derive(Clone, Copy)]
pub struct Adoption<'a> {
    /// The mode of the windows.
    pub mode: WindowMode,
    /// Their length, where it fits.
    pub window: WantedWindow,
    /// Whether a schedule is chosen, by its name.
    pub chosen: &'a dyn Fn(&str) -> bool,
    /// Keys that have schedules, beside `schedule`, `schedules`, `cron`, `crons` and `cronSchedule`.
    pub keys: &'a [String],
    /// Leave objects of a cluster alone that another program or object keeps.
    pub of_cluster: bool,
}

impl fmt::Debug for Adoption<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Adoption { mode, window, keys, of_cluster, .. } = self;
        f.debug_struct("Adoption")
            .field("mode", mode)
            .field("window", window)
            .field("keys", keys)
            .field("of_cluster", of_cluster)
            .finish_non_exhaustive()
    }
}

impl Adoption<'_> {
    /// All schedules, with windows after their times.
    #[must_use]
    pub const fn new(window: WantedWindow) -> Adoption<'static> {
        Adoption { mode: WindowMode::After, window, chosen: &|_| true, keys: &[], of_cluster: false }
    }
}

/// The texts that [`adopt`] makes.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Adopted {
    /// The texts with their declarations, all schedules in their places.
    pub placed: Placed,
    /// The schedules that have a declaration which they did not have.
    pub adopted: Vec<AdoptedSchedule>,
    /// The schedules that are left alone.
    pub left: Vec<LeftAlone>,
}

impl From<Placed> for Adopted {
    /// Nothing is adopted.
    fn from(placed: Placed) -> Adopted {
        Adopted { placed, ..Adopted::default() }
    }
}

/// A schedule beside which a declaration is written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AdoptedSchedule {
    /// In which source, from 0.
    pub source: usize,
    /// Its line before anything is written, from 1.
    pub line: usize,
    /// Its name, which follows from its object where the declaration has none.
    pub name: String,
    /// The declaration.
    pub declaration: String,
}

/// A schedule that adopting leaves alone.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftAlone {
    /// In which source, from 0.
    pub source: usize,
    /// Its line before anything is written, from 1.
    pub line: usize,
    /// What stands there.
    pub text: String,
    /// Why.
    pub reason: LeftReason,
}

/// Declares the schedules of sources that have no declaration yet, and places all of them.
///
/// A declaration repeats the expression and adds the window, in an annotation of a CronJob or a CronWorkflow and elsewhere in a comment
/// above the line. Its name is that of an object with a namespace; otherwise it begins with [`Source::names`], and ends with the name of
/// an object, with the one that a command gives, or with the keys. [`Mode::Undo`](super::Mode::Undo) gives the sources back.
///
/// ```
/// use kron_core::{Duration, place::WantedWindow};
/// use kron_formats::place::{Adoption, LeftReason, Options, Source, adopt};
/// let text = "backup:\n  schedule: \"0 0 * * *\"\nmail:\n  schedule: \"*/5 * * * *\"\n";
/// let source = Source::new("values.yaml", text).named("fleet/values");
/// let adoption = Adoption::new(WantedWindow::Long(Duration::parse("2h")?));
/// let adopted = adopt(&[source], &Options::default(), &adoption);
/// let placed = "backup:
///   ## kron: 0 0 * * * @win(after,2h) name=fleet/values/backup.schedule
///   schedule: \"26 0 * * *\"
/// mail:
///   schedule: \"*/5 * * * *\"
/// ";
/// assert_eq!(adopted.placed.texts[0], placed);
/// assert_eq!(adopted.left[0].reason, LeftReason::TooOften);
/// # Ok::<(), kron_core::Error>(())
/// ```
#[must_use]
pub fn adopt(marked: &[Source<'_>], options: &Options, adoption: &Adoption<'_>) -> Adopted {
    let sources = &*marked.iter().map(Source::without_mark).collect::<Vec<_>>();
    let known = place(sources, options).schedules.into_iter().map(|schedule| schedule.name);
    let mut run = Run {
        options,
        adoption,
        comparing: comparing(sources, &options.beside),
        names: known.collect(),
        numbers: BTreeMap::new(),
        out: Adopted::default(),
    };
    let mut refused = Vec::new();
    let texts: Vec<String> = sources
        .iter()
        .enumerate()
        .map(|(index, source)| {
            run.declare(index, source).unwrap_or_else(|finding| {
                refused.push(*finding);
                source.text.to_string()
            })
        })
        .collect();
    let declared = sources.iter().zip(&texts).map(|(source, text)| Source { text, ..source.clone() });
    let mut placed = place(&declared.collect::<Vec<_>>(), options);
    placed.findings.extend(refused);
    placed.texts = marked.iter().zip(placed.texts).map(|(source, text)| source.with_mark(text)).collect();
    Adopted { placed, ..run.out }
}

struct Run<'a> {
    options: &'a Options,
    adoption: &'a Adoption<'a>,
    /// The sources that compare the texts of their schedules.
    comparing: BTreeSet<usize>,
    /// Names that declarations have.
    names: BTreeSet<String>,
    /// The number that the next schedule of a name has.
    numbers: BTreeMap<String, usize>,
    out: Adopted,
}

impl Run<'_> {
    /// The text of a source with declarations.
    fn declare(&mut self, index: usize, source: &Source<'_>) -> Result<String, Box<ConvertFinding>> {
        let kind = source.kind();
        let mut found = find(source, kind, self.adoption);
        if self.comparing.contains(&index) {
            found.leave_where(source.text, |_| Some(LeftReason::Compared));
        }
        let mut left: Vec<LeftAlone> = Vec::new();
        let mut leave =
            |line, text: String, reason| left.push(LeftAlone { source: index, line, text, reason });
        let mut edits = Edits::default();
        let mut written = Vec::new();
        for site in found.sites {
            let expression = &source.text[site.schedule.clone()];
            let Some(name) = self.name(source, &site) else {
                // With a namespace, objects have names.
                if self.options.namespace.is_none() {
                    return Err(Box::new(ConvertFinding::new(index, messages::no_prefix()).at(site.line)));
                }
                leave(site.line, expression.to_string(), LeftReason::NoPrefix);
                continue;
            };
            match self.declaration(kind, &site, expression, &name) {
                Ok(declaration) => {
                    let Site { insertion, .. } = site;
                    let text = match insertion.quoted {
                        // ASCII, so that it is a string of YAML, too.
                        true => format!("\"{}\"", declaration.replace('\\', "\\\\").replace('"', "\\\"")),
                        false => declaration.clone(),
                    };
                    let text = format!("{}{text}{}", insertion.before, insertion.after);
                    edits.replace(insertion.at..insertion.at, text);
                    self.names.insert(name.clone());
                    let adopted = AdoptedSchedule { source: index, line: site.line, name, declaration };
                    written.push((adopted, expression.to_string()));
                }
                Err(reason) => leave(site.line, expression.to_string(), reason),
            }
        }
        for site::Left { line, text, reason } in found.left {
            leave(line, text, reason);
        }
        let is_template = kind != Kind::Crontab && judge::is_template(source.text);
        let unconfirmed = if is_template { LeftReason::Template } else { LeftReason::NotConfirmed };
        let text = edits.apply(source.text, 0..source.text.len());
        let confirmed = text.filter(|text| written.is_empty() || has_more_declarations(source, text));
        if confirmed.is_some() {
            self.out.adopted.extend(written.into_iter().map(|(adopted, _)| adopted));
        } else {
            for (adopted, text) in written {
                leave(adopted.line, text, unconfirmed);
            }
        }
        left.sort_by_key(|left| left.line);
        self.out.left.append(&mut left);
        Ok(confirmed.unwrap_or_else(|| source.text.to_string()))
    }

    /// The declaration of a schedule.
    fn declaration(
        &self,
        kind: Kind,
        site: &Site,
        expression: &str,
        name: &str,
    ) -> Result<String, LeftReason> {
        // Braces that mean no host.
        let own = match &site.name {
            SiteName::Whole(own) | SiteName::Object(own) | SiteName::Key(own) => own,
        };
        if own.contains("{host}") {
            return Err(LeftReason::BadName);
        }
        if !(self.adoption.chosen)(name) {
            return Err(LeftReason::NotChosen);
        }
        if kind == Kind::Crontab && open_step(expression).is_some() {
            return Err(LeftReason::CronsDiffer);
        }
        let zone: Option<Zone> = match &site.zone {
            Some(name) => {
                let zone = self.options.parser.tz_database().zone(name);
                Some(zone.map_err(|_| LeftReason::UnknownZone)?)
            }
            None => self.options.timezone.clone(),
        };
        let clocks = zone.as_ref().zip(self.options.from);
        let Adoption { mode, window, .. } = *self.adoption;
        let text = declare(expression, mode, window, clocks).map_err(|why| match why {
            NotAdopted::TooOften => LeftReason::TooOften,
            NotAdopted::NoRoom => LeftReason::NoRoom,
            NotAdopted::Refused(error) if error.code() == ErrorCode::CronNeverMatches => LeftReason::Never,
            NotAdopted::Refused(_) => LeftReason::NotPlain,
        })?;
        let text = match &site.name {
            SiteName::Whole(_) => text,
            SiteName::Object(_) | SiteName::Key(_) => format!("{text} name={}", quoted_ascii_value(name)),
        };
        let declaration = self.options.parser.declaration(&text, Some(name));
        declaration.map(|_| text).map_err(|_| LeftReason::BadName)
    }

    /// A name that no declaration has yet. `None` if nothing says how names begin.
    fn name(&mut self, source: &Source<'_>, site: &Site) -> Option<String> {
        let (own, namespace) = match &site.name {
            SiteName::Whole(name) => return Some(name.clone()),
            SiteName::Object(name) => (name, self.options.namespace.as_deref()),
            SiteName::Key(name) => (name, None),
        };
        let names = source.names.or(namespace)?;
        // A file of one job has the name of the job.
        let is_named = names.rsplit('/').next() == Some(own);
        let name = if is_named { names.to_string() } else { format!("{names}/{own}") };
        let mut free = name.clone();
        let next = self.numbers.entry(name.clone()).or_insert(2);
        while self.names.contains(&free) {
            free = format!("{name}-{next}");
            *next += 1;
        }
        Some(free)
    }
}

#[cfg(test)]
mod tests {
    use kron_core::Duration;

    use super::*;
    use crate::place::source::LOOKED_AT;

    /// What kind of text it is, all of its lines say.
    #[test]
    fn a_text_is_not_looked_at_for_each_schedule() {
        let adoption = Adoption::new(WantedWindow::Long(Duration::from_secs(3600)));
        let looks = |schedules: usize| {
            let text: String = (0..schedules).map(|i| format!("0 0 * * * /bin/a{i}\n")).collect();
            let before = LOOKED_AT.get();
            let source = Source::new("", &text).by_content().named("a");
            let adopted = adopt(&[source], &Options::default(), &adoption).adopted.len();
            assert_eq!(adopted, schedules);
            LOOKED_AT.get() - before
        };
        assert_eq!(looks(100), looks(1));
    }
}
