//! The parser of modifiers: the name, the brackets, and the values of all modifiers of a text.
//!
//! ```text
//! modifier = "@tz(" zone ")" | "@win(" mode "," duration ")" | "@dist(" name { "," key "=" value } ")"
//!          | "@seed(" strategy [ ",salt=" value ] ")" | "@policy(" key "=" value { "," key "=" value } ")"
//!          | "@alg(" name ")" | "@only(" clause ")" | "@avoid(" clause { ";" clause } ")"
//!          | "@days(" clause ")" | "@nodays(" clause { ";" clause } ")"
//! ```
//!
//! What is inside the brackets is read in `arguments.rs`.

use alloc::{string::String, vec::Vec};
use core::ops::Range;

use crate::constraint::{Clause, ClauseBuilder, Constraints};
use crate::days::{DayRules, Days, DaysBuilder};
use crate::draw::algorithm::Algorithm;
use crate::draw::distribution::Distribution;
use crate::draw::seed::Seed;
use crate::draw::window::Window;
use crate::error::{Error, Snippet, TextError, nearest};
use crate::job::lookup::Lookup;
use crate::job::modifier::{Modifier, Modifiers};
use crate::job::spec::{JobSpec, JobSpecBuilder};
use crate::plan::policy::Policy;
use crate::text::arguments::{self, clauses, too_many};
use crate::text::scan::{Scanner, error};
use crate::time::zone::Zone;

/// The values of the modifiers read so far.
pub(super) struct Parts<'d> {
    lookup: Lookup<'d>,
    /// The modifiers read so far.
    pub(super) seen: Modifiers,
    /// Where the text has `@seed(...)`.
    pub(super) seed_place: Option<Range<usize>>,
    timezone: Option<Zone>,
    pub(super) window: Option<Window>,
    pub(super) distribution: Option<Distribution>,
    pub(super) seed: Option<Seed>,
    pub(super) policy: Option<Policy>,
    /// With its place: whether it can compute the rest is known only at the end.
    algorithm: Option<(Algorithm, Range<usize>)>,
    pub(super) days: Vec<Days>,
    pub(super) nodays: Vec<Days>,
    pub(super) only: Vec<Clause>,
    pub(super) avoid: Vec<Clause>,
}

impl<'d> Parts<'d> {
    pub(super) fn new(lookup: Lookup<'d>) -> Parts<'d> {
        Parts {
            lookup,
            seen: Modifiers::default(),
            seed_place: None,
            timezone: None,
            window: None,
            distribution: None,
            seed: None,
            policy: None,
            algorithm: None,
            days: Vec::new(),
            nodays: Vec::new(),
            only: Vec::new(),
            avoid: Vec::new(),
        }
    }

    /// The spec of a schedule and these parts.
    pub(super) fn build(self, builder: JobSpecBuilder) -> Result<JobSpec, Error> {
        // Every field by name, so that the compiler reports a new one here.
        let Parts {
            lookup,
            seen: _,
            seed_place: _,
            timezone,
            window,
            distribution,
            seed,
            policy,
            algorithm,
            days,
            nodays,
            only,
            avoid,
        } = self;
        let (algorithm, span) = algorithm.unwrap_or_default();
        builder
            .timezone(timezone.unwrap_or_else(|| lookup.tz_database.utc()))
            .days(DayRules::from_clauses(days, nodays)?)
            .window(window.unwrap_or_default())
            .distribution(distribution.unwrap_or_default())
            .seed(seed.unwrap_or_default())
            .policy(policy.unwrap_or_default())
            .constraints(Constraints::from_clauses(only, avoid)?)
            .algorithm(algorithm)
            .build()
            .map_err(|error| error.at(span))
    }

    /// Reads one modifier.
    pub(super) fn read(&mut self, scanner: &mut Scanner<'_>) -> Result<(), Error> {
        let start = scanner.at;
        scanner.eat('@');
        let (word, span) = scanner.until(|c| !c.is_alphanumeric() && c != '_');
        let span = start..span.end;
        let Some(modifier) = Modifier::from_word(word) else {
            let text = Snippet::of(&scanner.text[span.clone()]);
            let near = nearest(word, Modifier::WORDS.iter().copied());
            let kind = TextError::UnknownModifier { text, nearest: near, known: Modifier::WORDS };
            return Err(error(kind, span));
        };
        let name = modifier.as_str();
        if !self.seen.insert(modifier) && !modifier.may_repeat() {
            return Err(error(TextError::RepeatedModifier { name }, span));
        }
        if !scanner.eat('(') {
            return Err(error(TextError::MissingBracket { name, form: arguments::example(modifier) }, span));
        }
        let open = scanner.at - 1;
        self.inside(modifier, start, scanner)
            .and_then(|()| close(scanner, modifier, open))
            .map_err(|error| blanks_inside(scanner.text, start, open).unwrap_or(error))?;
        if modifier == Modifier::Seed {
            self.seed_place = Some(start..scanner.at);
        }
        Ok(())
    }

    /// Reads what is in the brackets of a modifier that begins at `start`.
    fn inside(&mut self, modifier: Modifier, start: usize, scanner: &mut Scanner<'_>) -> Result<(), Error> {
        let calendars = self.lookup.calendars;
        match modifier {
            Modifier::Timezone => {
                self.timezone = Some(arguments::timezone(scanner, self.lookup.tz_database)?)
            }
            Modifier::Window => self.window = Some(arguments::window(scanner)?),
            Modifier::Distribution => self.distribution = Some(arguments::distribution(scanner)?),
            Modifier::Seed => self.seed = Some(arguments::seed(scanner)?),
            Modifier::Policy => self.policy = Some(arguments::policy(scanner)?),
            Modifier::Algorithm => {
                let algorithm = arguments::algorithm(scanner)?;
                self.algorithm = Some((algorithm, start..scanner.at + 1));
            }
            Modifier::Days => clauses::<DaysBuilder>(scanner, ';', "days", &mut self.days, calendars)?,
            Modifier::Nodays => clauses::<DaysBuilder>(scanner, '&', "nodays", &mut self.nodays, calendars)?,
            Modifier::Only => {
                clauses::<ClauseBuilder>(scanner, ';', "constraints.only", &mut self.only, calendars)?;
            }
            Modifier::Avoid => {
                clauses::<ClauseBuilder>(scanner, '&', "constraints.avoid", &mut self.avoid, calendars)?;
            }
        }
        Ok(())
    }
}

/// Takes the closing bracket.
fn close(scanner: &mut Scanner<'_>, modifier: Modifier, open: usize) -> Result<(), Error> {
    if scanner.eat(')') {
        return Ok(());
    }
    if scanner.rest().is_empty() {
        return Err(error(TextError::Unclosed { open: '(' }, open..scanner.text.len()));
    }
    Err(too_many(scanner, modifier))
}

/// The error of blanks next to the punctuation of a modifier; called only for a modifier with an error.
#[cold]
fn blanks_inside(text: &str, start: usize, open: usize) -> Option<Error> {
    let length = text[open..].find(['"', ')']).filter(|end| text[open + end..].starts_with(')'))?;
    let end = open + length + 1;
    let punctuation = |c: char| "(),;&=".contains(c);
    let mut without = String::new();
    let mut words = text[start..end].split([' ', '\t']).filter(|word| !word.is_empty());
    without.push_str(words.next()?);
    for word in words {
        if !without.ends_with(punctuation) && !word.starts_with(punctuation) {
            // Blanks within a value have another error.
            return None;
        }
        without.push_str(word);
    }
    (without.len() < end - start).then(|| {
        let kind = TextError::Blanks { text: Snippet::of(&text[start..end]), without: Snippet::of(&without) };
        error(kind, start..end)
    })
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    #[test]
    fn examples_read() {
        for modifier in Modifier::ALL {
            let text = format!("@daily @win(after,1h) {}", arguments::example(*modifier))
                .replace("@win(after,1h) @win", "@win");
            let (_, modifiers) = crate::text::parse(&text, Lookup::compiled_in()).unwrap();
            assert!(modifiers.contains(*modifier), "{text}");
        }
    }
}
