//! Values by themselves: each reads what it prints, and converts to other crates' types and back.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use kron_core::draw::{Direction, Mu};
use kron_core::{
    Algorithm, Concurrency, Duration, Error, ErrorCode, Outcome, Seed, SeedStrategy, Severity, Unschedulable,
    Window, WindowMode,
};
use proptest::prelude::*;

use crate::generators::*;

fn reads_what_it_prints<T>(value: &T) -> Result<(), TestCaseError>
where
    T: FromStr<Err = Error> + Display + Debug + PartialEq,
{
    let text = value.to_string();
    let read = text.parse::<T>().map_err(|error| TestCaseError::fail(format!("{text}: {error}")))?;
    prop_assert_eq!(&read, value, "{}", text);
    prop_assert_eq!(read.to_string(), text);
    Ok(())
}

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn values_read_what_they_print((model, salt, strategy, policy, zone) in (job(), salt(), strategy(), policy(), zone())) {
        let spec = model.build();
        reads_what_it_prints(&spec)?;
        reads_what_it_prints(spec.schedule())?;
        reads_what_it_prints(&spec.window())?;
        reads_what_it_prints(&spec.window().duration())?;
        reads_what_it_prints(spec.distribution())?;
        reads_what_it_prints(spec.constraints())?;
        for clause in spec.constraints().only().iter().chain(spec.constraints().avoid()) {
            reads_what_it_prints(clause)?;
        }
        reads_what_it_prints(&Seed::new(strategy, &salt).unwrap())?;
        reads_what_it_prints(&policy)?;
        reads_what_it_prints(&zone)?;
    }

    #[test]
    fn distributions_read_what_they_print(model in distribution()) {
        reads_what_it_prints(&model.build())?;
    }

    #[test]
    fn windows_read_what_they_print((mode, nanos) in (mode(), window_nanos(366 * 86_400))) {
        reads_what_it_prints(&Window::new(mode, duration(nanos)).unwrap())?;
    }

    /// Against `i128`: exactly the values from 0 to 2^63-1 nanoseconds convert.
    #[test]
    fn durations_convert_in_both_directions((seconds, nanos) in (
        prop_oneof![any::<i64>(), -2..3i64, 9_223_372_035..9_223_372_039i64] ,
        prop_oneof![0..1_000_000_000u32, Just(0), Just(999_999_999), Just(854_775_807), Just(854_775_808)],
    )) {
        let total = i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
        let want = i64::try_from(total).ok().and_then(Duration::from_nanos);
        if let Some(delta) = chrono::TimeDelta::new(seconds, nanos) {
            let got = Duration::try_from(delta);
            prop_assert_eq!(got.as_ref().ok(), want.as_ref());
            if let Err(error) = got {
                prop_assert_eq!(error.code(), ErrorCode::Duration);
            }
        }
        if let Ok(seconds) = u64::try_from(seconds) {
            let got = Duration::try_from(std::time::Duration::new(seconds, nanos));
            prop_assert_eq!(got.ok(), want);
        }
        if let Some(duration) = want {
            prop_assert_eq!(i128::from(chrono::TimeDelta::from(duration).num_nanoseconds().unwrap()), total);
            prop_assert_eq!(std::time::Duration::from(duration).as_nanos() as i128, total);
        }
    }
}

#[test]
fn words_read_what_they_print() {
    fn check<T: FromStr<Err = Error> + Display + Debug + PartialEq>(values: &[T], words: &[&str]) {
        assert_eq!(values.len(), words.len());
        for (value, word) in values.iter().zip(words) {
            assert_eq!(value.to_string(), *word);
            assert_eq!(word.parse::<T>().as_ref(), Ok(value));
            assert!(word.to_uppercase().parse::<T>().is_err());
        }
    }
    check(Algorithm::ALL, Algorithm::WORDS);
    check(Concurrency::ALL, Concurrency::WORDS);
    check(Direction::ALL, Direction::WORDS);
    check(Mu::ALL, Mu::WORDS);
    check(Outcome::ALL, Outcome::WORDS);
    check(SeedStrategy::ALL, SeedStrategy::WORDS);
    check(Severity::ALL, Severity::WORDS);
    check(Unschedulable::ALL, Unschedulable::WORDS);
    check(WindowMode::ALL, WindowMode::WORDS);
}
