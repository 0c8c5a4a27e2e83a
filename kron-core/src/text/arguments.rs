//! The parser of what is inside the brackets of each modifier.
//!
//! ```text
//! clause   = part { ";" part } in @only, part { "&" part } in @avoid      part = name "=" value
//! value    = bare | '"' { character | escape } '"'
//! ```

use core::ops::Range;

use crate::constraint::{BadPart, Clause};
use crate::draw::algorithm::Algorithm;
use crate::draw::distribution::{BadParam, Builder as DistributionBuilder, Distribution};
use crate::draw::seed::{Seed, SeedKey, SeedStrategy};
use crate::draw::window::{Window, WindowMode};
use crate::error::{ConstraintError, Error, Snippet, TextError, ValueError, nearest};
use crate::job::modifier::Modifier;
use crate::job::policy::{Concurrency, Policy, PolicyKey};
use crate::limits::CLAUSES;
use crate::text::scan::{Scanner, Value, error};
use crate::time::duration::Duration;
use crate::time::zone::{TzDatabase, Zone};

pub(super) fn timezone(scanner: &mut Scanner<'_>, database: &TzDatabase) -> Result<Zone, Error> {
    // `America/New York` is better explained as a zone than as a value without quotes.
    let bare = scanner.rest().split(['"', ')', ',']).next().unwrap_or_default();
    if bare.trim() == bare && bare.contains(' ') {
        let error = database.zone(bare).err();
        return Err(error.map_or_else(|| scanner.stray(), |error| error.shifted(scanner.at)));
    }
    let value = required(scanner, "the zone in `@tz(...)`")?;
    only_one(scanner, Modifier::Timezone)?;
    database.zone(&value.text).map_err(|error| value.place(error))
}

pub(super) fn algorithm(scanner: &mut Scanner<'_>) -> Result<Algorithm, Error> {
    let value = required(scanner, "the name in `@alg(...)`")?;
    only_one(scanner, Modifier::Algorithm)?;
    Algorithm::parse(&value.text).map_err(|error| value.place(error))
}

/// Nothing follows the value of a modifier that has one.
fn only_one(scanner: &mut Scanner<'_>, modifier: Modifier) -> Result<(), Error> {
    if scanner.peek() == Some(',') { Err(too_many(scanner, modifier)) } else { Ok(()) }
}

/// A value that may not be empty.
fn required<'a>(scanner: &mut Scanner<'a>, what: &'static str) -> Result<Value<'a>, Error> {
    let open = scanner.at;
    let value = scanner.value(|c| c == ',')?;
    if !value.text.is_empty() {
        return Ok(value);
    }
    // An unclosed bracket is the larger mistake.
    if scanner.rest().is_empty() {
        return Err(error(TextError::Unclosed { open: '(' }, open.saturating_sub(1)..scanner.text.len()));
    }
    Err(error(TextError::Empty { what }, value.span))
}

pub(super) fn window(scanner: &mut Scanner<'_>) -> Result<Window, Error> {
    let what = "a value in `@win(...)`";
    let mode_value = required(scanner, what)?;
    let mode = WindowMode::parse(&mode_value.text).map_err(|error| {
        let alone = scanner.peek() == Some(')') && Duration::parse(&mode_value.text).is_ok();
        let kind = || ValueError::MissingMode { duration: Snippet::of(&mode_value.text) };
        mode_value.place(if alone {
            Error::new("window.mode", kind()).at(0..mode_value.text.len())
        } else {
            error
        })
    })?;
    if !scanner.eat(',') {
        let kind = ValueError::Missing { what: "the duration of `@win(mode,duration)`" };
        return Err(Error::new("window.duration", kind).at(scanner.at..scanner.at));
    }
    let value = required(scanner, what)?;
    let duration =
        Duration::parse_field(&value.text, "window.duration").map_err(|error| value.place(error))?;
    Window::new(mode, duration).map_err(|error| value.place(error))
}

pub(super) fn distribution(scanner: &mut Scanner<'_>) -> Result<Distribution, Error> {
    let name = required(scanner, "the name in `@dist(...)`")?;
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
    let name = required(scanner, "the strategy in `@seed(...)`")?;
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
                policy.with_deadline(Duration::parse_field(&value.text, "policy.deadline").map_err(place)?)
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
        Error::new(field, kind).at(0..text.len())
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

/// The parts of one clause, joined by `glue`: the clause of that index of a list.
pub(super) fn clause(
    scanner: &mut Scanner<'_>,
    glue: char,
    (list, index): (&'static str, usize),
) -> Result<Clause, Error> {
    let within = |error: Error| {
        if error.field() == "text" { error } else { error.within(&alloc::format!("{list}[{index}]")) }
    };
    if index >= CLAUSES {
        let kind = ConstraintError::TooManyClauses { max: CLAUSES };
        return Err(Error::new(list, kind).at(scanner.at..scanner.at));
    }
    if matches!(scanner.peek(), Some(')' | ';')) {
        return Err(within(Error::new("", ConstraintError::EmptyClause).at(scanner.at..scanner.at)));
    }
    let mut builder = Clause::builder();
    loop {
        let (name, name_span) = key(scanner, &[';', '&', ','])?;
        let value = scanner.value(|c| matches!(c, ';' | '&'))?;
        builder.set(name, &value.text).map_err(|bad| {
            within(match bad {
                BadPart::Name(error) => error.at(name_span),
                BadPart::Value(error) => value.place(error),
            })
        })?;
        if !scanner.eat(glue) {
            return builder.build().map_err(within);
        }
    }
}

/// How a modifier is written, for messages.
pub(super) const fn example(modifier: Modifier) -> &'static str {
    match modifier {
        Modifier::Timezone => "@tz(Europe/Paris)",
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
