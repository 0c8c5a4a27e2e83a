//! Conversions of texts into parts of a job, for everything that takes a part by [`TryInto`].

use alloc::string::String;
use core::convert::Infallible;

use crate::constraint::{Clause, ClauseBuilder, Constraints, ConstraintsBuilder};
use crate::cron::Cron;
use crate::days::{DayRules, DayRulesBuilder, Days, DaysBuilder};
use crate::draw::algorithm::Algorithm;
use crate::draw::distribution::Distribution;
use crate::draw::seed::{Seed, SeedStrategy};
use crate::draw::window::Window;
use crate::error::Error;
use crate::job::JobSpec;
use crate::plan::policy::Policy;
use crate::time::duration::Duration;
use crate::time::zone::Zone;

/// A value that has its type already converts without an error.
impl From<Infallible> for Error {
    fn from(never: Infallible) -> Error {
        match never {}
    }
}

/// A conversion that can fail.
macro_rules! try_from {
    ($(#[$doc:meta])* $from:ty => $part:ty, |$value:ident| $converted:expr) => {
        $(#[$doc])*
        impl TryFrom<$from> for $part {
            type Error = Error;

            fn try_from($value: $from) -> Result<$part, Error> {
                $converted
            }
        }
    };
}

macro_rules! try_from_text {
    ($($part:ty),*) => {$(
        try_from! {
            /// Reads the text form.
            &str => $part, |text| text.parse()
        }
        try_from! {
            /// Reads the text form.
            &String => $part, |text| text.parse()
        }
        try_from! {
            /// Reads the text form.
            String => $part, |text| text.parse()
        }
    )*};
}

try_from_text!(
    Algorithm,
    Clause,
    Constraints,
    Cron,
    DayRules,
    Days,
    Distribution,
    Duration,
    JobSpec,
    Policy,
    Seed,
    Window,
    Zone
);

macro_rules! try_from_result {
    ($($part:ty),*) => {$(
        try_from! {
            /// Takes the result of a constructor, so that a builder reports its error.
            Result<$part, Error> => $part, |result| result
        }
    )*};
}

try_from_result!(
    Clause,
    Constraints,
    Cron,
    DayRules,
    Days,
    Distribution,
    Duration,
    Policy,
    Seed,
    Window,
    Zone
);

/// The strategy without salt.
impl From<SeedStrategy> for Seed {
    fn from(strategy: SeedStrategy) -> Seed {
        Seed::without_salt(strategy)
    }
}

try_from!(ClauseBuilder => Clause, |builder| builder.build());
try_from!(ConstraintsBuilder => Constraints, |builder| builder.build());
try_from!(DaysBuilder => Days, |builder| builder.build());
try_from!(DayRulesBuilder => DayRules, |builder| builder.build());

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorCode;

    #[test]
    fn texts_and_values_are_parts() {
        let built = JobSpec::builder(String::from("@daily"))
            .timezone(String::from("Europe/Paris"))
            .window("after,3h")
            .distribution("skewEarly")
            .seed(SeedStrategy::Weekly)
            .constraints("@avoid(dow=SUN)")
            .policy("deadline=10m")
            .algorithm("siphash-chacha8/1")
            .build();
        let text = "@daily @tz(Europe/Paris) @win(after,3h) @dist(skewEarly) @seed(weekly) @avoid(dow=SUN) @policy(deadline=10m)";
        assert_eq!(built, JobSpec::parse(text));
    }

    #[test]
    fn the_first_part_that_is_not_valid_is_the_error() {
        let code = |builder: crate::job::JobSpecBuilder| builder.build().unwrap_err().code();
        assert_eq!(code(JobSpec::builder("@dialy").window("x")), ErrorCode::CronSyntax);
        assert_eq!(
            code(JobSpec::builder("@daily").window("after,9000h").timezone("x")),
            ErrorCode::OutOfBounds
        );
        assert_eq!(code(JobSpec::builder("@daily").timezone("x").window("after,9000h")), ErrorCode::TimeZone);
        let late = core::time::Duration::MAX;
        assert_eq!(code(JobSpec::builder("@daily").window(Window::after(late))), ErrorCode::Duration);
        assert_eq!(
            code(JobSpec::builder("@daily").policy(Policy::default().with_deadline(late))),
            ErrorCode::Duration
        );
    }
}
