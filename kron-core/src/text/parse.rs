//! The parser of the text form.
//!
//! ```text
//! text     = cron { blanks modifier } blanks
//! modifier = "@tz(" zone ")" | "@win(" mode "," duration ")" | "@dist(" name { "," key "=" value } ")"
//!          | "@seed(" strategy [ ",salt=" value ] ")" | "@policy(" key "=" value { "," key "=" value } ")"
//!          | "@alg(" name ")" | "@only(" clause ")" | "@avoid(" clause { ";" clause } ")"
//! clause   = part { ";" part } in @only, part { "&" part } in @avoid      part = name "=" value
//! value    = bare | '"' { character | escape } '"'
//! ```

use alloc::{string::String, vec::Vec};
use core::ops::Range;

use super::scan::{MODIFIERS, Scanner, Value, error};
use crate::constraint::{BadPart, Clause, Constraints};
use crate::cron;
use crate::draw::algorithm::Algorithm;
use crate::draw::distribution::{BadParam, Builder as DistributionBuilder, Distribution};
use crate::draw::seed::{Seed, SeedStrategy};
use crate::draw::window::{Window, WindowMode};
use crate::error::{ConstraintError, Error, Snippet, TextError, ValueError, nearest};
use crate::job::policy::{Concurrency, Policy};
use crate::job::spec::{JobSpec, JobSpecBuilder};
use crate::limits::{CLAUSES, TEXT_BYTES};
use crate::time::duration::Duration;
use crate::time::zone::{TzDatabase, Zone};

/// The longest canonical text: what the most clauses with the longest parts can print.
#[cfg(feature = "serde")]
const CANONICAL_BYTES: usize = 2 * TEXT_BYTES;

/// Parses a job's text form.
pub(crate) fn parse(text: &str, database: &TzDatabase) -> Result<JobSpec, Error> {
    parse_within(text, TEXT_BYTES, database)
}

/// Parses a canonical text, which may be longer than one that people write: a manifest's clauses, printed.
#[cfg(feature = "serde")]
pub(crate) fn parse_canonical(text: &str, database: &TzDatabase) -> Result<JobSpec, Error> {
    parse_within(text, CANONICAL_BYTES, database)
}

fn parse_within(text: &str, max: usize, database: &TzDatabase) -> Result<JobSpec, Error> {
    if text.len() > max {
        let kind = TextError::TooLong { bytes: text.len(), max };
        return Err(error(kind, 0..text.len()));
    }
    let mut scanner = Scanner::new(text);
    parse_spec(&mut scanner, database)
        .and_then(|spec| {
            scanner.skip_blanks();
            scanner.end().map(|()| spec)
        })
        .map_err(|error| several_lines(text).unwrap_or(error).located(text))
}

/// The error of a text with line breaks, such as that of a job file. Quotes may contain them, so it is asked for only
/// after another error.
#[cold]
fn several_lines(text: &str) -> Option<Error> {
    let first = text.find(['\n', '\r'])?;
    let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
    Some(error(TextError::Lines { lines }, first..first + 1))
}

/// Parses cron and modifiers, and stops at the end of the text or at the first word that is no modifier.
pub(super) fn parse_spec(scanner: &mut Scanner<'_>, database: &TzDatabase) -> Result<JobSpec, Error> {
    let schedule = parse_cron(scanner)?;
    let mut parts = Parts::new(database);
    loop {
        let before = scanner.at;
        scanner.skip_blanks();
        if scanner.peek() != Some('@') {
            scanner.at = before;
            break;
        }
        if before == scanner.at {
            return Err(scanner.stray());
        }
        parts.modifier(scanner)?;
    }
    parts.build(JobSpec::builder(schedule))
}

/// The expression runs up to the first modifier: an `@` word with a bracket, or any `@` word behind another word.
fn parse_cron(scanner: &mut Scanner<'_>) -> Result<cron::Cron, Error> {
    scanner.skip_blanks();
    let start = scanner.at;
    let mut end = start;
    let mut words = 0;
    loop {
        let (word, span) = scanner.until(|c| matches!(c, ' ' | '\t'));
        let modifier = word.starts_with('@') && (words > 0 || word.contains('('));
        // Fields of a job file may follow; they are no part of the expression, but `TZ=` at its start is.
        let field = words > 0 && word.contains('=');
        if word.is_empty() || modifier || field {
            scanner.at = end;
            break;
        }
        // After the last field only: `#` may also be an attempt at the n-th weekday.
        if (words >= 5 || words > 0 && scanner.text[start..].starts_with('@') || word.contains('('))
            && let Some(error) = (Scanner { text: scanner.text, at: span.start }).misplaced()
        {
            return Err(error);
        }
        words += 1;
        end = span.end;
        scanner.skip_blanks();
    }
    cron::parse(&scanner.text[start..end], &mut |_| {}).map_err(|error| match error.span() {
        Some(span) if span.is_empty() => error.at(start..scanner.text.len().min(start + 1)),
        _ => error.shifted(start),
    })
}

/// The modifiers seen so far.
pub(super) struct Parts<'d> {
    database: &'d TzDatabase,
    seen: u8,
    timezone: Option<Zone>,
    pub(super) window: Option<Window>,
    pub(super) distribution: Option<Distribution>,
    pub(super) seed: Option<Seed>,
    pub(super) policy: Option<Policy>,
    /// With its place: whether it can compute the rest is known at the end only.
    algorithm: Option<(Algorithm, Range<usize>)>,
    pub(super) only: Vec<Clause>,
    pub(super) avoid: Vec<Clause>,
}

impl<'d> Parts<'d> {
    pub(super) fn new(database: &'d TzDatabase) -> Parts<'d> {
        Parts {
            database,
            seen: 0,
            timezone: None,
            window: None,
            distribution: None,
            seed: None,
            policy: None,
            algorithm: None,
            only: Vec::new(),
            avoid: Vec::new(),
        }
    }

    fn build(self, mut builder: JobSpecBuilder) -> Result<JobSpec, Error> {
        let timezone = self.timezone.unwrap_or_else(|| self.database.utc());
        builder = builder.timezone(timezone).window(self.window.unwrap_or_default());
        builder =
            builder.distribution(self.distribution.unwrap_or_default()).seed(self.seed.unwrap_or_default());
        builder = builder.policy(self.policy.unwrap_or_default());
        builder = builder.constraints(Constraints::new(self.only, self.avoid)?);
        let (algorithm, span) = self.algorithm.unwrap_or_default();
        builder.algorithm(algorithm).build().map_err(|error| error.at(span))
    }

    pub(super) fn modifier(&mut self, scanner: &mut Scanner<'_>) -> Result<(), Error> {
        let start = scanner.at;
        scanner.eat('@');
        let (name, span) = scanner.until(|c| !c.is_alphanumeric() && c != '_');
        let Some(index) = MODIFIERS.iter().position(|known| *known == name) else {
            let text = Snippet::of(&scanner.text[start..span.end]);
            let kind = TextError::UnknownModifier { text, nearest: nearest(name, MODIFIERS) };
            return Err(error(kind, start..span.end));
        };
        let known = MODIFIERS[index];
        if known != "only" && known != "avoid" {
            if self.seen >> index & 1 == 1 {
                return Err(error(TextError::RepeatedModifier { name: known }, start..span.end));
            }
            self.seen |= 1 << index;
        }
        if !scanner.eat('(') {
            return Err(error(TextError::MissingBracket { name: known }, start..span.end));
        }
        let open = scanner.at - 1;
        self.inside(known, start, scanner)
            .and_then(|()| close(scanner, known, open))
            .map_err(|error| blanks_inside(scanner.text, start, open).unwrap_or(error))
    }

    /// Reads what is in the brackets of a modifier that begins at `start`.
    fn inside(&mut self, known: &'static str, start: usize, scanner: &mut Scanner<'_>) -> Result<(), Error> {
        match known {
            "tz" => {
                let zone = |name: &str| self.database.zone(name);
                // `America/New York` is better explained as a zone than as a value without quotes.
                let bare = scanner.rest().split(['"', ')', ',']).next().unwrap_or_default();
                if bare.trim() == bare && bare.contains(' ') {
                    return Err(zone(bare)
                        .map(|_| ())
                        .err()
                        .map_or_else(|| scanner.stray(), |error| error.shifted(scanner.at)));
                }
                self.timezone = Some(one(scanner, "@tz(Europe/Paris)", known, zone)?);
            }
            "win" => self.window = Some(window(scanner)?),
            "dist" => self.distribution = Some(distribution(scanner)?),
            "seed" => self.seed = Some(seed(scanner)?),
            "policy" => self.policy = Some(policy(scanner)?),
            "alg" => {
                let algorithm = one(scanner, "@alg(sha256-splitmix64/1)", known, Algorithm::parse)?;
                self.algorithm = Some((algorithm, start..scanner.at + 1));
            }
            "only" => self.only.push(clause(scanner, &[';'], ("constraints.only", self.only.len()))?),
            _ => loop {
                self.avoid.push(clause(scanner, &['&'], ("constraints.avoid", self.avoid.len()))?);
                if !scanner.eat(';') {
                    break;
                }
            },
        }
        Ok(())
    }
}

/// The error of blanks that are next to the punctuation of a modifier. Only a modifier that does not read has any.
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
            // Blanks within a value are another mistake.
            return None;
        }
        without.push_str(word);
    }
    (without.len() < end - start).then(|| {
        let kind = TextError::Blanks { text: Snippet::of(&text[start..end]), without: Snippet::of(&without) };
        error(kind, start..end)
    })
}

/// Takes the closing bracket.
fn close(scanner: &mut Scanner<'_>, name: &'static str, open: usize) -> Result<(), Error> {
    if scanner.eat(')') {
        return Ok(());
    }
    if scanner.rest().is_empty() {
        return Err(error(TextError::Unclosed { open: '(' }, open..scanner.text.len()));
    }
    let start = scanner.at;
    let (_, span) = scanner.until(|c| c == ')');
    let form = match name {
        "tz" => "@tz(Europe/Paris)",
        "win" => "@win(after,3h)",
        "alg" => "@alg(sha256-splitmix64/1)",
        "seed" => "@seed(daily,salt=x)",
        "only" => "@only(hours=1-2;dow=MON-FRI)",
        "avoid" => "@avoid(hours=1-2&dow=MON-FRI;dow=SUN)",
        _ => "@dist(normal,sigma=10m)",
    };
    let text = Snippet::of(&scanner.text[start..span.end]);
    Err(error(TextError::TooManyValues { name, text, form }, start..span.end))
}

/// A modifier of one value.
fn one<T>(
    scanner: &mut Scanner<'_>,
    form: &'static str,
    name: &'static str,
    read: impl Fn(&str) -> Result<T, Error>,
) -> Result<T, Error> {
    let value = required(scanner, name)?;
    if scanner.peek() == Some(',') {
        let (text, span) = scanner.until(|c| c == ')');
        return Err(error(TextError::TooManyValues { name, text: Snippet::of(text), form }, span));
    }
    read(&value.text).map_err(|error| value.place(error))
}

/// A value that may not be empty.
fn required<'a>(scanner: &mut Scanner<'a>, name: &'static str) -> Result<Value<'a>, Error> {
    let open = scanner.at;
    let value = scanner.value(|c| c == ',')?;
    if !value.text.is_empty() {
        return Ok(value);
    }
    // An unclosed bracket is the larger mistake.
    if scanner.rest().is_empty() {
        return Err(error(TextError::Unclosed { open: '(' }, open.saturating_sub(1)..scanner.text.len()));
    }
    let what = match name {
        "tz" => "the zone in `@tz(...)`",
        "win" => "a value in `@win(...)`",
        "dist" => "the name in `@dist(...)`",
        "seed" => "the strategy in `@seed(...)`",
        _ => "the name in `@alg(...)`",
    };
    Err(error(TextError::Empty { what }, value.span))
}

fn window(scanner: &mut Scanner<'_>) -> Result<Window, Error> {
    let mode_value = required(scanner, "win")?;
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
    let value = required(scanner, "win")?;
    let duration =
        Duration::parse_field(&value.text, "window.duration").map_err(|error| value.place(error))?;
    Window::new(mode, duration).map_err(|error| value.place(error))
}

fn distribution(scanner: &mut Scanner<'_>) -> Result<Distribution, Error> {
    let name = required(scanner, "dist")?;
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

fn seed(scanner: &mut Scanner<'_>) -> Result<Seed, Error> {
    let name = required(scanner, "seed")?;
    let strategy = SeedStrategy::parse(&name.text).map_err(|error| name.place(error))?;
    let mut salt: Option<Value<'_>> = None;
    while scanner.eat(',') {
        let (key, span, value) = pair(scanner)?;
        known_key("`@seed`", key, &span, &["salt"])?;
        if value.span.is_empty() {
            return Err(error(TextError::Empty { what: "the salt" }, value.span));
        }
        if salt.replace(value).is_some() {
            return Err(error(TextError::RepeatedKey { text: Snippet::of(key) }, span));
        }
    }
    match salt {
        None => Seed::new(strategy, ""),
        Some(salt) => Seed::new(strategy, &salt.text).map_err(|error| salt.place(error)),
    }
}

fn policy(scanner: &mut Scanner<'_>) -> Result<Policy, Error> {
    const KEYS: &[&str] = &["concurrency", "deadline", "suspend"];
    let mut policy = Policy::default();
    let mut seen: Vec<&str> = Vec::new();
    loop {
        let (key, span, value) = pair(scanner)?;
        known_key("`@policy`", key, &span, KEYS)?;
        if seen.contains(&key) {
            return Err(error(TextError::RepeatedKey { text: Snippet::of(key) }, span));
        }
        seen.push(key);
        let place = |error: Error| value.place(error);
        policy = match key {
            "concurrency" => policy.with_concurrency(Concurrency::parse(&value.text).map_err(place)?),
            "deadline" => {
                policy.with_deadline(Duration::parse_field(&value.text, "policy.deadline").map_err(place)?)
            }
            _ => policy.with_suspend(match &*value.text {
                "true" => true,
                "false" => false,
                text => {
                    let kind = ValueError::Choice { text: Snippet::of(text), allowed: &["true", "false"] };
                    return Err(Error::new("policy.suspend", kind).at(value.span));
                }
            }),
        };
        if !scanner.eat(',') {
            return Ok(policy);
        }
    }
}

fn known_key(
    name: &'static str,
    key: &str,
    span: &Range<usize>,
    allowed: &'static [&'static str],
) -> Result<(), Error> {
    if allowed.contains(&key) {
        return Ok(());
    }
    let near = nearest(key, allowed.iter().copied());
    let kind = TextError::UnknownKey { name, text: Snippet::of(key), allowed, nearest: near };
    Err(error(kind, span.clone()))
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

/// The parts of one clause, joined by `glue`.
fn clause(scanner: &mut Scanner<'_>, glue: &[char], (list, index): (&str, usize)) -> Result<Clause, Error> {
    let within = |error: Error| match error.field() {
        "text" => error,
        _ => error.within(&alloc::format!("{list}[{index}]")),
    };
    if index >= CLAUSES {
        let kind = ConstraintError::TooManyClauses { max: CLAUSES };
        let field = if list.ends_with("only") { "constraints.only" } else { "constraints.avoid" };
        return Err(Error::new(field, kind).at(scanner.at..scanner.at));
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
        if !glue.iter().any(|glue| scanner.eat(*glue)) {
            return builder.build().map_err(within);
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::ToString};

    use super::*;
    use crate::error::ErrorCode;

    fn parse(text: &str) -> Result<JobSpec, Error> {
        super::parse(text, TzDatabase::compiled_in())
    }

    #[test]
    fn ok_canonical_forms() {
        let p = |text: &str| {
            let spec = parse(text).unwrap();
            let canonical = spec.to_string();
            assert_eq!(parse(&canonical).as_ref(), Ok(&spec), "{canonical}");
            canonical
        };
        assert_eq!(p("@daily"), "0 0 * * *");
        assert_eq!(p("  @hourly\t@tz(UTC) @win(after,0) "), "0 * * * *");
        assert_eq!(
            p("0 0 * * * @only(hours=1-2) @tz(Europe/Paris) @win(after,3h)"),
            "0 0 * * * @tz(Europe/Paris) @win(after,3h0m0s) @only(hours=1,2)"
        );
        assert_eq!(p("0 0 * * * @win(around,0s)"), "0 0 * * * @win(around,0s)");
        assert_eq!(
            p("0 0 * * * @win(before,90m) @dist(skewLate)"),
            "0 0 * * * @win(before,1h30m0s) @dist(skewLate)"
        );
        assert_eq!(
            p("@daily @win(after,3h) @dist(normal,mu=mid,sigma=30m)"),
            "0 0 * * * @win(after,3h0m0s) @dist(normal)"
        );
        assert_eq!(
            p("@daily @win(around,3h) @dist(normal,sigma=31m,mu=mid)"),
            "0 0 * * * @win(around,3h0m0s) @dist(normal,mu=mid,sigma=31m0s)"
        );
        assert_eq!(p("@daily @seed(stable)"), "0 0 * * *");
        assert_eq!(
            p("@daily @seed(weekly,salt=\"a b\\n\\u{e9}\")"),
            "0 0 * * * @seed(weekly,salt=\"a b\\né\")"
        );
        assert_eq!(
            p("@daily @policy(suspend=true,deadline=1h,concurrency=replace)"),
            "0 0 * * * @policy(concurrency=replace,deadline=1h0m0s,suspend=true)"
        );
        assert_eq!(p("@daily @alg(sha256-splitmix64/1)"), "0 0 * * * @alg(sha256-splitmix64/1)");
        assert_eq!(
            p(
                "@daily @avoid(dow=SAT,SUN;months=DEC&dom=24-26) @only(hours=9-17;dow=MON-FRI) @avoid(date=2026-05-01) @only(dom=1)"
            ),
            "0 0 * * * @only(hours=9-17;dow=1-5) @only(dom=1) @avoid(dow=0,6;dom=24-26&months=12;date=2026-05-01)"
        );
        assert_eq!(p("@daily @only(between=\"22:00-06:00\")"), "0 0 * * * @only(between=22:00-06:00)");
    }

    #[track_caller]
    fn refuse(text: &str, code: ErrorCode, message: &str) {
        let error = parse(text).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert_eq!(error.code(), code, "{message}");
        let span = error.span().unwrap();
        assert!(text.get(span).is_some());
    }

    #[test]
    fn err_modifiers() {
        let syntax = ErrorCode::TextSyntax;
        refuse(
            "@daily @dists(uniform)",
            ErrorCode::TextUnknownModifier,
            "text: unknown modifier `@dists` at column 8; did you mean `@dist`?",
        );
        refuse(
            "@daily @jitter(5m)",
            ErrorCode::TextUnknownModifier,
            "text: unknown modifier `@jitter` at column 8; the modifiers are `@tz`, `@win`, `@dist`, `@seed`, `@policy`, \
             `@alg`, `@only` and `@avoid`",
        );
        refuse(
            "@daily @tz(UTC) @tz(UTC)",
            ErrorCode::TextRepeated,
            "text: `@tz` at column 17 stands twice; only `@only` and `@avoid` may repeat",
        );
        refuse("@daily @tz UTC", syntax, "text: `@tz` at column 8 is not followed by `(`; write `@tz(...)`");
        refuse("@daily @tz(UTC", syntax, "text: `(` at column 11 is never closed");
        refuse("@daily @tz()", syntax, "text: the zone in `@tz(...)` at column 12 is empty");
        refuse(
            "@daily @tz(UTC,UTC)",
            syntax,
            "text: `,UTC` at column 15 is more than `@tz` takes; write `@tz(Europe/Paris)`",
        );
        refuse(
            "@daily @tz(UTC)@win(after,1h)",
            syntax,
            "text: expected a modifier such as `@tz(...)`, but found `@win(after,1h)` at column 16",
        );
        refuse(
            "@daily @tz(UTC) x",
            syntax,
            "text: expected a modifier such as `@tz(...)`, but found `x` at column 17",
        );
        refuse(
            "@daily @win(after)",
            syntax,
            "window.duration: the duration of `@win(mode,duration)` is missing at column 18",
        );
        refuse(
            "@daily @win(between,1h)",
            ErrorCode::Choice,
            "window.mode: expected `after`, `around` or `before`, but found `between` at column 13",
        );
        refuse(
            "@daily @win(after,9000h)",
            ErrorCode::OutOfBounds,
            "window.duration: `9000h0m0s` at column 19 is longer than 8784h (366 days)",
        );
        refuse(
            "@daily @tz(Europe/Pariss)",
            ErrorCode::TimeZone,
            "timezone: unknown time zone `Europe/Pariss` at column 12; did you mean `Europe/Paris`?",
        );
        refuse(
            "@daily @seed(daily,sald=x)",
            ErrorCode::TextUnknownKey,
            "text: unknown key `sald` at column 20; `@seed` takes `salt`; did you mean `salt`?",
        );
        refuse(
            "@daily @policy(suspend=yes)",
            ErrorCode::Choice,
            "policy.suspend: expected `true` or `false`, but found `yes` at column 24",
        );
        refuse(
            "@daily @dist(exponential,lambda=\"x\")",
            ErrorCode::Number,
            "distribution.params.lambda: `x` at column 33 is not a finite decimal number above 0",
        );
        refuse(
            "@daily @win(after,1h) @dist(normal) @alg(sha256-splitmix64/1)",
            ErrorCode::AlgorithmUnsupported,
            "algorithm: algorithm `sha256-splitmix64/1` cannot compute distributions other than `uniform`, `skewEarly` and \
             `skewLate`; leave `@alg` out",
        );
        refuse(
            "61 * * * * @tz(UTC)",
            ErrorCode::CronOutOfRange,
            "schedule.minute: `61` at column 1 is not in 0 to 59",
        );
    }

    #[test]
    fn err_with_help_in_one_step() {
        let syntax = ErrorCode::TextSyntax;
        refuse(
            "0 3 * * * root /usr/bin/backup @tz(UTC)",
            ErrorCode::CronFieldCount,
            "schedule: `root /usr/bin/backup` at column 11 follows the schedule; a job has no command; write `command=` in a \
             job file: `0 3 * * * name=team/job command=\"...\"`",
        );
        let at = |text, column| format!("text: `{text}` at column {column} has no `@`; write `@{text}`");
        refuse("0 3 * * * win(after,3h)", syntax, &at("win(after,3h)", 11));
        refuse("@daily win(after,3h)", syntax, &at("win(after,3h)", 8));
        refuse("@daily @tz(UTC) win(after,3h)", syntax, &at("win(after,3h)", 17));
        refuse("0 3 * * tz(UTC)", syntax, &at("tz(UTC)", 9));
        let comment = "a comment cannot follow a job; write it on a line of its own, in a job file";
        for (text, column) in
            [("0 3 * * * # daily", 11), ("@daily # daily", 8), ("@daily @tz(UTC) # daily", 17)]
        {
            refuse(text, syntax, &format!("text: `# daily` at column {column} is a comment; {comment}"));
        }
        refuse(
            "@daily @win(3h)",
            syntax,
            "window.mode: the mode of the window is missing before `3h` at column 13; write `@win(after,3h)`",
        );
        refuse(
            "@daily @win(after,2d)",
            ErrorCode::Duration,
            "window.duration: `2d` at column 19 is not a duration: every number needs one of the units `ns`, `us`, `ms`, \
             `s`, `m`, `h`; write `48h`",
        );
        let blank = |text: &str, right: &str| {
            let message =
                format!("text: `{text}` at column 8 contains a blank outside quotes; write `{right}`");
            refuse(&format!("@daily {text}"), syntax, &message);
            parse(&format!("@daily @win(around,9h) {}", right.replace("@win(after,3h)", ""))).unwrap();
        };
        blank("@win(after, 3h)", "@win(after,3h)");
        blank("@win( after ,3h )", "@win(after,3h)");
        blank("@dist(normal, sigma = 3m)", "@dist(normal,sigma=3m)");
        blank("@only(hours=1; dow=MON)", "@only(hours=1;dow=MON)");
        blank("@tz( UTC )", "@tz(UTC)");
        refuse(
            "@daily @seed(daily,salt=a b)",
            syntax,
            "text: `a b)` at column 25 must be quoted; write it as `\"...\"`",
        );
        refuse(
            "@daily @tz(America/New York)",
            ErrorCode::TimeZone,
            "timezone: unknown time zone `America/New York` at column 12; did you mean `America/New_York`?",
        );
        refuse(
            "@daily @dist(skewearly)",
            ErrorCode::Choice,
            "distribution.name: expected `uniform`, `normal`, `skewEarly`, `skewLate` or `exponential`, but found \
             `skewearly` at column 14; did you mean `skewEarly`?",
        );
        refuse(
            "@daily @win(After,3h)",
            ErrorCode::Choice,
            "window.mode: expected `after`, `around` or `before`, but found `After` at column 13; did you mean `after`?",
        );
        refuse(
            "@daily @seed(stable,salt=)",
            syntax,
            "text: the salt at column 26 is empty; write `salt=\"\"` for an empty one, or leave it out",
        );
        assert_eq!(parse("@daily @seed(stable,salt=\"\")"), parse("@daily"));
        let dow = |text: &str, right: &str| {
            let error = parse(&format!("@daily @only(dow={text})")).unwrap_err();
            assert_eq!(error.help().unwrap(), format!("write `{right}`"));
            parse(&format!("@daily @only(dow={right})")).unwrap();
        };
        dow("weekday", "MON-FRI");
        dow("weekdays", "MON-FRI");
        dow("Weekend", "SAT-SUN");
        dow("weekends", "SAT-SUN");
        dow("Monday", "MON");
        dow("friday-monday", "FRI-MON");
        let months = parse("@daily @only(months=January)").unwrap_err();
        assert_eq!(months.help().unwrap(), "write `JAN`");
        assert_eq!(parse("@daily @only(dow=someday)").unwrap_err().help(), None);
        for (from, right) in
            [("31-1", "31,1"), ("31-2", "31,1-2"), ("30-1", "30-31,1"), ("25-5", "25-31,1-5")]
        {
            let error = parse(&format!("@daily @only(dom={from})")).unwrap_err();
            assert_eq!(error.help().unwrap(), format!("write `{right}`"));
            parse(&format!("@daily @only(dom={right})")).unwrap();
        }
        let file = "this is a job file: save it, and read it as a file";
        refuse(
            "@daily name=a\n@hourly name=b\n",
            syntax,
            &format!("text: a job text is one line, but this one has 2 lines; {file}"),
        );
        refuse(
            "# jobs\n@daily name=a",
            syntax,
            &format!("text: a job text is one line, but this one has 2 lines; {file}"),
        );
        refuse("@daily\n", syntax, "text: a line break at column 7 is not part of a job text; leave it out");
        refuse(
            "@daily name=db/backup",
            syntax,
            "text: expected a modifier such as `@tz(...)`, but found `name=db/backup` at column 8; fields such as `name=` \
             are written in job files only",
        );
    }

    #[test]
    fn err_constraints() {
        refuse(
            "@daily @only(hours=25)",
            ErrorCode::ConstraintOutOfRange,
            "constraints.only[0].hours: `25` at column 20 is not in 0 to 23",
        );
        refuse(
            "@daily @avoid(dow=MON;hour=1)",
            ErrorCode::ConstraintUnknownPart,
            "constraints.avoid[1]: unknown part `hour` at column 23; the parts are `hours`, `dow`, `dom`, `months`, `between`, \
             `date` or `dates`; did you mean `hours`?",
        );
        refuse(
            "@daily @only()",
            ErrorCode::ConstraintEmpty,
            "constraints.only[0]: a clause at column 14 needs at least one part",
        );
        refuse(
            "@daily @only(hours=1;hours=2)",
            ErrorCode::TextRepeated,
            "constraints.only[0].hours: part `hours` at column 22 stands twice in one clause; join the values with commas",
        );
        refuse(
            "@daily @only(hours)",
            ErrorCode::TextSyntax,
            "text: expected `key=value`, but found `hours` at column 14",
        );
        let many = format!("@daily {}", "@only(hours=1) ".repeat(129));
        assert_eq!(parse(&many).unwrap_err().code(), ErrorCode::ConstraintTooLong);
    }

    #[test]
    fn err_nonsense() {
        for text in [
            "",
            " ",
            ",",
            "@",
            "@(",
            "(",
            "\0",
            "\"",
            "@daily @",
            "@daily @only(hours=\"",
            "* * * * * @tz(\"UTC)",
        ] {
            let error = parse(text).unwrap_err();
            assert!(!error.to_string().is_empty());
        }
        assert_eq!(parse(&",".repeat(1 << 20)).unwrap_err().code(), ErrorCode::TextTooLong);
        assert_eq!(parse(&",".repeat(1 << 10)).unwrap_err().code(), ErrorCode::CronTooLong);
        let lines: String = "@daily\n@tz(UTC)".into();
        assert!(parse(&lines).is_err());
    }
}
