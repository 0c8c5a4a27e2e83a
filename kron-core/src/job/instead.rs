//! Methods that users of other libraries type first. Each has a bound that no type meets, and the compiler's error names the method
//! that there is. None can be called.

use crate::job::{Job, JobSpec, JobSpecBuilder};

/// A trait without an implementation for each word, and a method with it as its bound.
macro_rules! instead {
    ($(impl[$($generics:tt)*] $target:ty { $($Word:ident $word:ident($($argument:ident),*) => $right:literal;)* })*) => {
        $($(
            #[doc = concat!("Has no implementation: use ", $right, ".")]
            #[diagnostic::on_unimplemented(message = $right, label = "has another name here")]
            pub trait $Word {}
        )*
        impl<$($generics)*> $target {
            $(
                #[doc = concat!("Cannot be called: use ", $right, ".")]
                #[doc(hidden)]
                pub fn $word<T: $Word>(&self, _: T $(, $argument: impl Sized)*) {
                    $(drop($argument);)*
                }
            )*
        })*
    };
}

instead! {
    impl[S] JobSpecBuilder<S> {
        Tz tz() => "the method is `timezone`";
        TimeZone time_zone() => "the method is `timezone`";
        Jitter jitter() => "the method is `window`, such as `.window(Window::after(jitter))`";
        Dist dist() => "the method is `distribution`";
        Salt salt() => "the salt is part of the seed: `.seed(Seed::new(SeedStrategy::Stable, salt))`";
        Avoid avoid() => "clauses are part of the constraints: `.constraints(Constraints::new().avoid(clause))`";
        Only only() => "clauses are part of the constraints: `.constraints(Constraints::new().only(clause))`";
        Deadline deadline() => "the deadline is part of the policy: `.policy(Policy::default().with_deadline(deadline))`";
    }
    impl[S] JobSpec<S> {
        Named named() => "the function is `Job::new(name, spec)`";
        IntoJob into_job() => "the function is `Job::new(name, spec)`";
    }
    impl[S, D] Job<S, D> {
        Next next() => "the method is `next_start`; `starts(from..)` iterates";
        Upcoming upcoming() => "the method is `starts`: `starts(from..)` iterates from an instant on";
        After after() => "the method is `starts`: `starts(from..)` iterates from an instant on";
        IterAfter iter_after() => "the method is `starts`: `starts(from..)` iterates from an instant on";
        IterBefore iter_before() => "the method is `starts_back`: `starts_back(..to)` iterates backwards";
        FindNextOccurrence find_next_occurrence(inclusive) => "the method is `next_start`";
    }
}

/// Has no implementation: use `JobSpec::parse`, or `JobSpec::builder`.
#[diagnostic::on_unimplemented(
    message = "the function is `JobSpec::parse` for a text, and `JobSpec::builder` for a schedule",
    label = "has another name here"
)]
pub trait New {}

impl JobSpec {
    /// Cannot be called: use [`JobSpec::parse`], or [`JobSpec::builder`].
    ///
    /// # Errors
    ///
    /// None, as it cannot be called.
    #[doc(hidden)]
    pub fn new<T: New>(_: T) -> Result<JobSpec, crate::Error> {
        JobSpec::parse("@daily")
    }
}
