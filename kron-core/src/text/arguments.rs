//! The parser of what is inside the brackets of each modifier.
//!
//! ```text
//! clause   = part { ";" part } in @only and @days, part { "&" part } in @avoid and @nodays      part = name "=" value
//! value    = bare | '"' { character | escape } '"'
//! ```

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;

use crate::constraint::{BadPart, Calendars, ClauseParts};
use crate::draw::algorithm::Algorithm;
use crate::draw::distribution::{BadParam, Builder as DistributionBuilder, Distribution};
use crate::draw::seed::{Seed, SeedKey, SeedStrategy};
use crate::draw::window::{Window, WindowMode};
use crate::error::{ConstraintError, Error, Snippet, TextError, ValueError, in_known_units, nearest};
use crate::job::modifier::Modifier;
use crate::limits::CLAUSES;
use crate::plan::policy::{Concurrency, Policy, PolicyKey};
use crate::text::scan::{Scanner, Value, error};
use crate::time::duration::Duration;
use crate::time::zone::{TzDatabase, Zone};

pub(super) fn timezone(scanner: &mut Scanner<'_>, database: &TzDatabase) -> Result<Zone, Error> {
    // For `America/New York`, the error is about the zone, not about missing quotes.
    let bare = scanner.rest().split(['"', ')', ',']).next().unwrap_or_default();
    if bare.trim() == bare && bare.contains(' ') {
        let error = database.zone(bare).err();
        return Err(error.map_or_else(|| scanner.stray(), |error| error.shifted(scanner.at)));
    }
    let value = required(scanner, "the zone in `@tz(...)`", Modifier::Timezone)?;
    only_one(scanner, Modifier::Timezone)?;
    database.zone(&value.text).map_err(|error| value.place(error))
}

pub(super) fn algorithm(scanner: &mut Scanner<'_>) -> Result<Algorithm, Error> {
    let value = required(scanner, "the name in `@alg(...)`", Modifier::Algorithm)?;
    only_one(scanner, Modifier::Algorithm)?;
    Algorithm::parse(&value.text).map_err(|error| value.place(error))
}

/// Nothing follows the value of a modifier that has one.
fn only_one(scanner: &mut Scanner<'_>, modifier: Modifier) -> Result<(), Error> {
    if scanner.peek() == Some(',') { Err(too_many(scanner, modifier)) } else { Ok(()) }
}

/// A value that may not be empty.
fn required<'a>(
    scanner: &mut Scanner<'a>,
    what: &'static str,
    modifier: Modifier,
) -> Result<Value<'a>, Error> {
    let open = scanner.at;
    let value = scanner.value(|c| c == ',')?;
    if !value.text.is_empty() {
        return Ok(value);
    }
    // An unclosed bracket is reported first.
    if scanner.rest().is_empty() {
        return Err(error(TextError::Unclosed { open: '(' }, open.saturating_sub(1)..scanner.text.len()));
    }
    Err(error(TextError::Empty { what, form: Some(example(modifier)) }, value.span))
}

pub(super) fn window(scanner: &mut Scanner<'_>) -> Result<Window, Error> {
    let what = "a value in `@win(...)`";
    let start = scanner.at;
    if let Some((first, kind)) = not_a_mode(in_brackets(scanner)) {
        return Err(Error::of("window.mode", kind).at(start..start + first.len()));
    }
    let value = required(scanner, what, Modifier::Window)?;
    let mode = WindowMode::parse(&value.text).map_err(|error| value.place(error))?;
    if !scanner.eat(',') {
        return Err(Error::of("window.duration", ValueError::MissingDuration).at(scanner.at..scanner.at));
    }
    // For `3 h`, the error is about the duration, not about missing quotes.
    let (start, bare) = (scanner.at, in_brackets(scanner));
    if bare.contains(' ') && !bare.contains(['"', ',']) {
        Duration::parse_field(bare, "window.duration").map_err(|error| error.shifted(start))?;
    }
    let value = required(scanner, what, Modifier::Window)?;
    let duration =
        Duration::parse_field(&value.text, "window.duration").map_err(|error| value.place(error))?;
    Window::new(mode, duration).map_err(|error| value.place(error))
}

/// The text up to the closing bracket.
fn in_brackets<'a>(scanner: &Scanner<'a>) -> &'a str {
    scanner.rest().split(')').next().unwrap_or_default()
}

/// The first value of a window's text and its error, if it is not a mode. Quoted and empty values have other errors.
fn not_a_mode(text: &str) -> Option<(&str, ValueError)> {
    let first = text.split(',').next().filter(|first| !first.is_empty())?;
    if text.contains('"') || WindowMode::from_word(first).is_some() {
        return None;
    }
    // A mode and a duration in any order, with other punctuation between them.
    let mut mode = None;
    let mut duration = None;
    let mut clear = true;
    for word in text.split([',', ';', '=', ':', ' ', '\t']).filter(|word| !word.is_empty()) {
        if let Some(found) = WindowMode::from_word(&word.to_ascii_lowercase()) {
            clear &= mode.replace(found).is_none();
        } else {
            let found = in_hours_and_minutes(word);
            clear &= found.is_some() && duration.is_none();
            duration = found;
        }
    }
    let meant = duration
        .filter(|_| clear)
        .map(|duration| alloc::format!("@win({},{duration})", mode.unwrap_or_default()));
    let found = Snippet::of(first);
    Some(match meant {
        Some(meant) if first == text && mode.is_none() => (first, ValueError::MissingMode { found, meant }),
        meant => (first, ValueError::NotAMode { found, allowed: WindowMode::WORDS, meant }),
    })
}

/// A duration as it was written, or converted from other units.
fn in_hours_and_minutes(word: &str) -> Option<String> {
    if Duration::parse(word).is_ok() { Some(word.to_string()) } else { in_known_units(word) }
}

pub(super) fn distribution(scanner: &mut Scanner<'_>) -> Result<Distribution, Error> {
    let name = required(scanner, "the name in `@dist(...)`", Modifier::Distribution)?;
    let mut builder = DistributionBuilder::new(&name.text).map_err(|error| name.place(error))?;
    while scanner.eat(',') {
        let (key, key_span, value) = pair(scanner)?;
        builder.set(key, &value.text).map_err(|bad| match bad {
            BadParam::Key(error) => error.at(key_span),
            BadParam::Value(error) => value.place(error),
        })?;
    }
    Ok(builder.build())
}

pub(super) fn seed(scanner: &mut Scanner<'_>) -> Result<Seed, Error> {
    let name = required(scanner, "the strategy in `@seed(...)`", Modifier::Seed)?;
    let strategy = SeedStrategy::parse(&name.text).map_err(|error| name.place(error))?;
    let mut salt: Option<Value<'_>> = None;
    while scanner.eat(',') {
        let (word, span, value) = pair(scanner)?;
        let Some(key) = SeedKey::from_word(word) else {
            return Err(unknown_key(Modifier::Seed, word, span, SeedKey::WORDS));
        };
        match key {
            SeedKey::Salt => {
                if value.span.is_empty() {
                    return Err(error(TextError::EmptySalt, value.span));
                }
                if salt.replace(value).is_some() {
                    return Err(error(TextError::RepeatedKey { text: Snippet::of(word) }, span));
                }
            }
        }
    }
    match salt {
        None => Seed::new(strategy, ""),
        Some(salt) => Seed::new(strategy, &salt.text).map_err(|error| salt.place(error)),
    }
}

pub(super) fn policy(scanner: &mut Scanner<'_>) -> Result<Policy, Error> {
    let mut policy = Policy::default();
    let mut seen = [false; PolicyKey::ALL.len()];
    loop {
        let (word, span, value) = pair(scanner)?;
        let Some(key) = PolicyKey::from_word(word) else {
            return Err(unknown_key(Modifier::Policy, word, span, PolicyKey::WORDS));
        };
        if core::mem::replace(&mut seen[key as usize], true) {
            return Err(error(TextError::RepeatedKey { text: Snippet::of(word) }, span));
        }
        let place = |error: Error| value.place(error);
        policy = match key {
            PolicyKey::Concurrency => {
                policy.with_concurrency(Concurrency::parse(&value.text).map_err(place)?)
            }
            PolicyKey::Deadline => {
                policy.with_deadline(Duration::parse_field(&value.text, "policy.deadline").map_err(place)?)?
            }
            PolicyKey::Suspend => policy.with_suspend(boolean(&value.text, "policy.suspend").map_err(place)?),
        };
        if !scanner.eat(',') {
            return Ok(policy);
        }
    }
}

fn boolean(text: &str, field: &'static str) -> Result<bool, Error> {
    text.parse().map_err(|_| {
        let kind = ValueError::Choice { text: Snippet::of(text), allowed: &["true", "false"] };
        Error::of(field, kind).at(0..text.len())
    })
}

fn unknown_key(modifier: Modifier, key: &str, span: Range<usize>, allowed: &'static [&'static str]) -> Error {
    let near = nearest(key, allowed.iter().copied());
    let (name, text) = (modifier.as_str(), Snippet::of(key));
    error(TextError::UnknownKey { name, text, allowed, nearest: near }, span)
}

/// `key=value` up to a comma or the closing bracket.
fn pair<'a>(scanner: &mut Scanner<'a>) -> Result<(&'a str, Range<usize>, Value<'a>), Error> {
    let (key, span) = key(scanner, &[','])?;
    let value = scanner.value(|c| c == ',')?;
    Ok((key, span, value))
}

/// The key of `key=`, with the equals sign taken.
fn key<'a>(scanner: &mut Scanner<'a>, stops: &[char]) -> Result<(&'a str, Range<usize>), Error> {
    let (key, span) =
        scanner.until(|c| c == '=' || c == ')' || c == '"' || c.is_whitespace() || stops.contains(&c));
    if scanner.eat('=') && !key.is_empty() {
        return Ok((key, span));
    }
    if scanner.rest().is_empty() && key.is_empty() {
        return Err(error(
            TextError::Unclosed { open: '(' },
            span.start.saturating_sub(1)..scanner.text.len(),
        ));
    }
    Err(error(TextError::MissingEquals { text: Snippet::of(key) }, span))
}

/// The clauses of a modifier, which are added to those of its list. Their parts are joined by `glue`; if this is `;`, there is one
/// clause, and otherwise there are several, which `;` joins.
pub(super) fn clauses<B: ClauseParts>(
    scanner: &mut Scanner<'_>,
    glue: char,
    list: &'static str,
    clauses: &mut Vec<B::Clause>,
    calendars: &Calendars,
) -> Result<(), Error> {
    loop {
        clauses.push(clause::<B>(scanner, glue, (list, clauses.len()), calendars)?);
        if !scanner.eat(';') {
            return Ok(());
        }
    }
}

/// The parts of one clause, joined by `glue`: the clause of that index of a list.
fn clause<B: ClauseParts>(
    scanner: &mut Scanner<'_>,
    glue: char,
    (list, index): (&'static str, usize),
    calendars: &Calendars,
) -> Result<B::Clause, Error> {
    let within = |error: Error| {
        if error.field() == "text" { error } else { error.within(&alloc::format!("{list}[{index}]")) }
    };
    if index >= CLAUSES {
        let kind = ConstraintError::TooManyClauses { max: CLAUSES };
        return Err(Error::of(list, kind).at(scanner.at..scanner.at));
    }
    if matches!(scanner.peek(), Some(')' | ';')) {
        return Err(within(Error::of("", ConstraintError::EmptyClause).at(scanner.at..scanner.at)));
    }
    let mut builder = B::default();
    loop {
        let (name, name_span) = key(scanner, &[';', '&', ','])?;
        let value = scanner.value(|c| matches!(c, ';' | '&'))?;
        builder.set(name, &value.text, calendars).map_err(|bad| {
            within(match bad {
                BadPart::Name(error) => error.at(name_span),
                BadPart::Value(error) => value.place(error),
            })
        })?;
        if !scanner.eat(glue) {
            return builder.finish().map_err(within);
        }
    }
}

/// How a modifier is written, for messages.
pub(super) const fn example(modifier: Modifier) -> &'static str {
    match modifier {
        Modifier::Timezone => "@tz(Europe/Paris)",
        Modifier::Days => "@days(dow=MON;dom=1-7)",
        Modifier::Nodays => "@nodays(months=8;date=2026-12-24)",
        Modifier::Window => "@win(after,3h)",
        Modifier::Distribution => "@dist(normal,sigma=10m)",
        Modifier::Seed => "@seed(daily,salt=x)",
        Modifier::Policy => "@policy(concurrency=allow,deadline=10m)",
        Modifier::Algorithm => "@alg(sha256-splitmix64/1)",
        Modifier::Only => "@only(hours=1-2;dow=MON-FRI)",
        Modifier::Avoid => "@avoid(hours=1-2&dow=MON-FRI;dow=SUN)",
    }
}

/// The error of what comes next, up to the closing bracket, in a modifier that is complete.
pub(super) fn too_many(scanner: &mut Scanner<'_>, modifier: Modifier) -> Error {
    let (text, span) = scanner.until(|c| c == ')');
    let (name, text) = (modifier.as_str(), Snippet::of(text));
    error(TextError::TooManyValues { name, text, form: example(modifier) }, span)
}
