//! Methods that people type first, as in `kron_core::job::instead`: each has a bound that no type meets, and the compiler's error names the
//! right word. None can be called.

use super::Fleet;

/// A trait without an implementation for each word.
macro_rules! words {
    ($($Word:ident => $right:literal;)*) => {
        $(
            #[doc = concat!("Has no implementation: ", $right, ".")]
            #[diagnostic::on_unimplemented(message = $right, label = "has another name here")]
            pub trait $Word {}
        )*
    };
}

words! {
    Add => "the method is `with_job`, which returns the fleet with another job; `Fleet::new` takes many";
    JobOf => "the method is `get(name)`";
    NextStart => "the method is `next_starts(after)`, one of each job; `starts(from..).next()` is the first of all";
    PlanOf => "each job has a plan: write `job.plan(&state, now)` for each job of the fleet, each with a state of its own";
    Load => "this crate reads no files: `Fleet::parse(&std::fs::read_to_string(path)?)`";
}

impl Fleet {
    /// Cannot be called: use [`with_job`](Fleet::with_job).
    #[doc(hidden)]
    pub fn add<T: Add>(&mut self, _: T) {}

    /// Cannot be called: use [`get`](Fleet::get).
    #[doc(hidden)]
    pub fn job<T: JobOf>(&self, _: T) {}

    /// Cannot be called: use [`next_starts`](Fleet::next_starts).
    #[doc(hidden)]
    pub fn next_start<T: NextStart>(&self, _: T) {}

    /// Cannot be called: use [`Job::plan`](kron_core::Job::plan).
    #[doc(hidden)]
    pub fn plan<T: PlanOf>(&self, _: T, now: impl Sized) {
        drop(now);
    }

    /// Cannot be called: use [`parse`](Fleet::parse).
    ///
    /// # Errors
    ///
    /// None, as it cannot be called.
    #[doc(hidden)]
    pub fn load<T: Load>(_: T) -> Result<Fleet, kron_core::Errors> {
        Ok(Fleet::default())
    }

    /// Cannot be called: use [`parse`](Fleet::parse).
    ///
    /// # Errors
    ///
    /// None, as it cannot be called.
    #[doc(hidden)]
    pub fn from_file<T: Load>(_: T) -> Result<Fleet, kron_core::Errors> {
        Ok(Fleet::default())
    }
}
