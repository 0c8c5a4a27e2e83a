//! The builder of constraints.

use alloc::vec::Vec;

use super::{Clause, Constraints};
use crate::error::Error;

/// Collects clauses of [`Constraints`]; [`build`](ConstraintsBuilder::build) checks them. Whatever takes constraints, such as
/// [`JobSpecBuilder::constraints`](crate::job::JobSpecBuilder::constraints), takes the builder.
#[derive(Clone, Debug, Default)]
pub struct ConstraintsBuilder {
    only: Vec<Clause>,
    avoid: Vec<Clause>,
    error: Option<Error>,
}

impl ConstraintsBuilder {
    /// Adds a clause of which at least one must match: a [`Clause`], its builder, or the text of one.
    ///
    /// ```
    /// use kron_core::{Clause, Constraints};
    /// let nights = Constraints::new().only(Clause::hours(1..=5)).only("hours=22-23;dow=SUN").build()?;
    /// assert_eq!(nights.to_string(), "@only(hours=1-5) @only(hours=22,23;dow=0)");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub fn only<C>(mut self, clause: C) -> ConstraintsBuilder
    where
        C: TryInto<Clause>,
        Error: From<C::Error>,
    {
        add_clause(&mut self.only, &mut self.error, clause);
        self
    }

    /// Adds a clause that must not match: a [`Clause`], its builder, or the text of one.
    ///
    /// ```
    /// use kron_core::{Clause, Constraints};
    /// let quiet = Constraints::new().avoid(Clause::hours(9..=17)).avoid("dow=SAT,SUN").build()?;
    /// assert_eq!(quiet, "@avoid(hours=9-17) @avoid(dow=SAT,SUN)".parse()?);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    #[doc(alias = "skip")]
    #[doc(alias = "except")]
    pub fn avoid<C>(mut self, clause: C) -> ConstraintsBuilder
    where
        C: TryInto<Clause>,
        Error: From<C::Error>,
    {
        add_clause(&mut self.avoid, &mut self.error, clause);
        self
    }

    /// The constraints.
    ///
    /// # Errors
    ///
    /// That of the first bad clause, or those of [`Constraints::from_clauses`].
    ///
    /// ```
    /// use kron_core::{Clause, Constraints};
    /// let error = Constraints::new().avoid(Clause::hours(24)).build().unwrap_err();
    /// assert_eq!(error.to_string(), "hours: `24` at column 1 is not in 0 to 23");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn build(self) -> Result<Constraints, Error> {
        match self.error {
            Some(error) => Err(error),
            None => Constraints::from_clauses(self.only, self.avoid),
        }
    }
}

/// Adds what a builder of constraints or of rules of days takes as a clause, or keeps the error if it is the first one.
pub(crate) fn add_clause<T, C>(clauses: &mut Vec<T>, first_error: &mut Option<Error>, clause: C)
where
    C: TryInto<T>,
    Error: From<C::Error>,
{
    match clause.try_into() {
        Ok(clause) => clauses.push(clause),
        Err(error) => {
            first_error.get_or_insert(error.into());
        }
    }
}
