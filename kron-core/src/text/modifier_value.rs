//! Values of modifiers, each written as inside its brackets. `Display` prints the same form.

use alloc::format;
use core::fmt;
use core::str::FromStr;

use super::meaning::with_meaning;
use super::modifier::Parts;
use super::scan::{Scanner, quoted_value};
use crate::constraint::{Clause, Constraints};
use crate::days::{DayRules, Days};
use crate::draw::distribution::Distribution;
use crate::draw::seed::{Seed, SeedKey};
use crate::draw::window::Window;
use crate::error::Error;
use crate::job::lookup::Lookup;
use crate::job::modifier::Modifier;
use crate::plan::policy::Policy;

/// Reads `text` as the text inside the brackets of a modifier. Places of errors are those of `text`.
fn inside(modifier: Modifier, text: &str) -> Result<Parts<'static>, Error> {
    let before = modifier.as_str().len() + 2;
    let wrapped = format!("@{modifier}({text})");
    let mut scanner = Scanner::new(&wrapped);
    let mut parts = Parts::new(Lookup::compiled_in());
    parts.read(&mut scanner).and_then(|()| scanner.end()).map_err(|error| {
        with_meaning(&wrapped, Lookup::compiled_in(), error, |_| false)
            .cut_to(before, text.len())
            .located(text)
    })?;
    Ok(parts)
}

impl FromStr for Window {
    type Err = Error;

    /// Reads `after,3h`, as in `@win(...)`.
    ///
    /// ```
    /// let window: kron_core::Window = "after,3h".parse()?;
    /// assert_eq!(window.to_string(), "after,3h0m0s");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    fn from_str(text: &str) -> Result<Window, Error> {
        inside(Modifier::Window, text).map(|parts| parts.window.unwrap_or_default())
    }
}

impl FromStr for Distribution {
    type Err = Error;

    /// Reads `normal,sigma=15m`, as in `@dist(...)`.
    ///
    /// ```
    /// let distribution: kron_core::Distribution = "skewEarly,shape=2.50".parse()?;
    /// assert_eq!(distribution.to_string(), "skewEarly,shape=2.5");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    fn from_str(text: &str) -> Result<Distribution, Error> {
        inside(Modifier::Distribution, text).map(|parts| parts.distribution.unwrap_or_default())
    }
}

/// Strategy and salt, as in `@seed(...)`.
impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.strategy())?;
        SeedKey::ALL.iter().try_for_each(|key| match key {
            SeedKey::Salt if self.salt().is_empty() => Ok(()),
            SeedKey::Salt => write!(f, ",{key}={}", quoted_value(self.salt())),
        })
    }
}

impl FromStr for Seed {
    type Err = Error;

    /// Reads `daily,salt=blue`, as in `@seed(...)`.
    ///
    /// ```
    /// let seed: kron_core::Seed = "daily,salt=blue".parse()?;
    /// assert_eq!(seed.salt(), "blue");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    fn from_str(text: &str) -> Result<Seed, Error> {
        inside(Modifier::Seed, text).map(|parts| parts.seed.unwrap_or_default())
    }
}

impl FromStr for Policy {
    type Err = Error;

    /// Reads `deadline=10m`, as in `@policy(...)`. The empty text, which the default prints, is the default.
    ///
    /// ```
    /// let policy: kron_core::Policy = "deadline=10m".parse()?;
    /// assert_eq!(policy.to_string(), "deadline=10m0s");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    fn from_str(text: &str) -> Result<Policy, Error> {
        if text.is_empty() {
            return Ok(Policy::default());
        }
        inside(Modifier::Policy, text).map(|parts| parts.policy.unwrap_or_default())
    }
}

impl FromStr for Clause {
    type Err = Error;

    /// Reads `hours=22-5;dow=MON-FRI`, as in `@only(...)`. Fields of errors are those of the clause.
    ///
    /// ```
    /// let clause: kron_core::Clause = "dow=SAT,SUN;hours=9-17".parse()?;
    /// assert_eq!(clause.to_string(), "hours=9-17;dow=0,6");
    /// let error = "hours=24".parse::<kron_core::Clause>().unwrap_err();
    /// assert_eq!(error.to_string(), "hours: `24` at column 7 is not in 0 to 23");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    fn from_str(text: &str) -> Result<Clause, Error> {
        let parts = inside(Modifier::Only, text).map_err(|error| error.relative_to("constraints.only[0]"))?;
        // OK because `@only` adds one clause; the default has no part and is an error of `inside`.
        Ok(parts.only.into_iter().next().unwrap_or_default())
    }
}

impl FromStr for Days {
    type Err = Error;

    /// Reads `dow=MON;dom=1-7`, as in `@days(...)`. Fields of errors are those of the clause.
    ///
    /// ```
    /// use kron_core::days::Days;
    /// let clause: Days = "dom=25;roll=previous".parse()?;
    /// assert_eq!(clause.to_string(), "dom=25;roll=previous");
    /// let error = "last=32".parse::<Days>().unwrap_err();
    /// assert_eq!(error.to_string(), "last: `32` at column 6 is not in 1 to 31");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    fn from_str(text: &str) -> Result<Days, Error> {
        let parts = inside(Modifier::Days, text).map_err(|error| error.relative_to("days[0]"))?;
        // OK because `@days` adds one clause; the default has no part and is an error of `inside`.
        Ok(parts.days.into_iter().next().unwrap_or_default())
    }
}

impl FromStr for DayRules {
    type Err = Error;

    /// Reads modifiers `@days(...)` and `@nodays(...)`. The empty text, which no rules print, has no modifiers.
    ///
    /// ```
    /// use kron_core::days::DayRules;
    /// let rules: DayRules = "@days(last=1) @nodays(months=DEC)".parse()?;
    /// assert_eq!(rules.to_string(), "@days(last=1) @nodays(months=12)");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    fn from_str(text: &str) -> Result<DayRules, Error> {
        parse_day_rules(text, Lookup::compiled_in())
    }
}

impl FromStr for Constraints {
    type Err = Error;

    /// Reads modifiers `@only(...)` and `@avoid(...)`. The empty text, which no constraints print, has no modifiers.
    ///
    /// ```
    /// let constraints: kron_core::Constraints = "@only(hours=9-17) @avoid(dow=SUN)".parse()?;
    /// assert_eq!(constraints.to_string(), "@only(hours=9-17) @avoid(dow=0)");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    fn from_str(text: &str) -> Result<Constraints, Error> {
        parse_constraints(text, Lookup::compiled_in())
    }
}

/// The same with the calendars of a parser.
pub(crate) fn parse_day_rules(text: &str, lookup: Lookup<'_>) -> Result<DayRules, Error> {
    let parts = only_modifiers(text, &["@days(", "@nodays("], lookup)?;
    DayRules::from_clauses(parts.days, parts.nodays)
}

/// The same with the calendars of a parser.
pub(crate) fn parse_constraints(text: &str, lookup: Lookup<'_>) -> Result<Constraints, Error> {
    let parts = only_modifiers(text, &["@only(", "@avoid("], lookup)?;
    Constraints::from_clauses(parts.only, parts.avoid)
}

/// Reads a text that has nothing but modifiers of some kinds.
fn only_modifiers<'d>(text: &str, kinds: &[&str], lookup: Lookup<'d>) -> Result<Parts<'d>, Error> {
    let mut scanner = Scanner::new(text);
    let mut parts = Parts::new(lookup);
    let read = |parts: &mut Parts<'_>, scanner: &mut Scanner<'_>| {
        scanner.skip_blanks();
        while kinds.iter().any(|kind| scanner.rest().starts_with(kind)) {
            parts.read(scanner)?;
            scanner.skip_blanks();
        }
        scanner.end()
    };
    read(&mut parts, &mut scanner).map_err(|error| error.located(text))?;
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use alloc::string::{String, ToString};

    use super::*;

    fn error<T: FromStr<Err = Error>>(text: &str) -> String {
        text.parse::<T>().err().unwrap().to_string()
    }

    #[test]
    fn parts_read_what_they_print() {
        let p = |text: &str| {
            assert_eq!(text.parse::<Seed>().unwrap().to_string(), text);
        };
        p("stable");
        p("weekly,salt=\"a,b)\"");
        assert_eq!("".parse(), Ok(Policy::default()));
        assert_eq!("".parse(), Ok(Constraints::default()));
        let clauses = "@only(hours=1,2) @only(dow=0) @avoid(dom=24&months=12;hours=3)";
        assert_eq!(clauses.parse::<Constraints>().unwrap().to_string(), clauses);
    }

    #[test]
    fn places_are_those_of_the_part() {
        assert!(error::<Window>("after,3x").starts_with("window.duration: `3x` at column 7 "));
        assert!(error::<Window>("aft,3h").contains("`aft` at column 1"));
        assert_eq!("after,3x".parse::<Window>().unwrap_err().span(), Some(6..8));
        assert!(error::<Policy>("deadlin=1m").contains("`deadlin` at column 1"));
        assert!(error::<Constraints>("@only(hours=24)").contains("`24` at column 13"));
    }

    #[test]
    fn nothing_follows_a_part() {
        for text in
            ["after,3h)", "after,3h) @tz(UTC", "after,3h ", " after,3h", "", "after", "after,3h,4h", "\""]
        {
            let error = text.parse::<Window>().unwrap_err();
            assert!(error.span().is_none_or(|span| span.end <= text.len()), "{text:?}: {error:?}");
        }
        for text in ["@tz(UTC)", "@only(hours=1) x", "@only(hours=1)@avoid(dow=1", "only", "@only()"] {
            assert!(text.parse::<Constraints>().is_err(), "{text:?}");
        }
    }
}
