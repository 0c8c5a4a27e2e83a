//! The modifiers of the text form, and sets of them.

use core::fmt;

use crate::word_enum;

word_enum! {
    in "kron_core::job";
    /// A modifier of the text form: `@tz(...)`, `@win(...)` and so on, in the order of the canonical form.
    ///
    /// ```
    /// use kron_core::job::Modifier;
    /// assert_eq!(Modifier::Distribution.to_string(), "dist");
    /// assert!(Modifier::Avoid.may_repeat());
    /// ```
    pub Modifier {
        /// The time zone.
        Timezone = "tz",
        /// A clause of nominal days, unless another one of this kind chooses the day.
        Days = "days",
        /// Clauses of days that are no nominal days.
        Nodays = "nodays",
        /// The window.
        Window = "win",
        /// The distribution.
        Distribution = "dist",
        /// Seed strategy and salt.
        Seed = "seed",
        /// The policy.
        Policy = "policy",
        /// The algorithm.
        Algorithm = "alg",
        /// A clause that must match, unless another one of this kind does.
        Only = "only",
        /// Clauses that must not match.
        Avoid = "avoid",
    }
}

impl Modifier {
    /// Whether a text may have it more than once.
    ///
    /// ```
    /// use kron_core::job::Modifier;
    /// assert!(Modifier::Only.may_repeat() && !Modifier::Window.may_repeat());
    /// ```
    pub const fn may_repeat(self) -> bool {
        match self {
            Modifier::Only | Modifier::Avoid | Modifier::Days | Modifier::Nodays => true,
            Modifier::Timezone
            | Modifier::Window
            | Modifier::Distribution
            | Modifier::Seed
            | Modifier::Policy
            | Modifier::Algorithm => false,
        }
    }
}

/// A set of modifiers: those that a text has, even if they only repeat the default.
///
/// ```
/// use kron_core::Parser;
/// use kron_core::job::Modifier;
/// let (spec, modifiers) = Parser::new().spec_with_modifiers("@daily @win(after,0s)")?;
/// assert_eq!(spec.to_string(), "0 0 * * *");
/// assert!(modifiers.iter().eq([Modifier::Window]));
/// assert_eq!(modifiers.to_string(), "@win");
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Modifiers {
    /// One bit for each modifier, by its place in [`Modifier::ALL`].
    bits: u16,
}

impl Modifiers {
    /// Adds a modifier, and returns whether it was missing.
    pub(crate) fn insert(&mut self, modifier: Modifier) -> bool {
        let missing = !self.contains(modifier);
        self.bits |= bit(modifier);
        missing
    }

    /// Whether the modifier is in the set.
    ///
    /// ```
    /// use kron_core::Parser;
    /// use kron_core::job::Modifier;
    /// let (_, modifiers) = Parser::new().spec_with_modifiers("@daily @win(after,3h) @tz(Asia/Tokyo)")?;
    /// assert!(modifiers.contains(Modifier::Window) && !modifiers.contains(Modifier::Seed));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub const fn contains(self, modifier: Modifier) -> bool {
        self.bits & bit(modifier) != 0
    }

    /// Whether there are none.
    ///
    /// ```
    /// use kron_core::Parser;
    /// use kron_core::job::Modifier;
    /// let (_, modifiers) = Parser::new().spec_with_modifiers("@daily @win(after,3h) @tz(Asia/Tokyo)")?;
    /// assert!(!modifiers.is_empty());
    /// assert!(Parser::new().spec_with_modifiers("@daily")?.1.is_empty());
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub const fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// The modifiers, in the order of the canonical form.
    ///
    /// ```
    /// use kron_core::Parser;
    /// use kron_core::job::Modifier;
    /// let (_, modifiers) = Parser::new().spec_with_modifiers("@daily @win(after,3h) @tz(Asia/Tokyo)")?;
    /// assert!(modifiers.iter().eq([Modifier::Timezone, Modifier::Window]));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn iter(self) -> impl Iterator<Item = Modifier> {
        Modifier::ALL.iter().copied().filter(move |modifier| self.contains(*modifier))
    }
}

const _: () = assert!(Modifier::ALL.len() <= u16::BITS as usize, "a bit for each modifier");

const fn bit(modifier: Modifier) -> u16 {
    1 << modifier as u16
}

/// As in `@tz @win`.
impl fmt::Display for Modifiers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter()
            .enumerate()
            .try_for_each(|(i, modifier)| write!(f, "{}@{modifier}", if i == 0 { "" } else { " " }))
    }
}

impl fmt::Debug for Modifiers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Modifiers({self})")
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn sets_have_what_was_inserted() {
        let mut all = Modifiers::default();
        assert!(all.is_empty());
        for modifier in Modifier::ALL.iter().rev() {
            assert!(all.insert(*modifier) && !all.insert(*modifier));
        }
        assert!(all.iter().eq(Modifier::ALL.iter().copied()));
        assert_eq!(all.to_string(), "@tz @days @nodays @win @dist @seed @policy @alg @only @avoid");
        let mut one = Modifiers::default();
        one.insert(Modifier::Avoid);
        assert!(!one.is_empty() && Modifier::ALL.iter().filter(|it| one.contains(**it)).count() == 1);
    }
}
