//! Rules of `spec.timezone`: a name of the IANA time zone database.

use super::rule::Rule;

/// The shape of the name, and that the API server knows it.
pub(crate) fn timezone() -> [Rule; 2] {
    let shape =
        "self.matches('^[A-Z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$') && !(self in ['Local', 'Factory'])";
    // An unknown zone makes this rule fail with an error, which ratcheting does not forgive. The rule uses oldSelf, so
    // that the status of a stored object stays writable where the server does not know its zone (any more).
    let known = "
        (oldSelf.hasValue() && oldSelf.value() == self) ||
        !self.matches('^[A-Z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$') ||
        timestamp('2024-01-01T00:00:00Z').getHours(self) >= 0";
    let message = "must be an IANA time zone name such as UTC or Europe/Paris, not an offset or Local";
    [
        Rule::new(shape, message),
        Rule::new(known, "must be a time zone known to the API server").with_optional_old_self(),
    ]
}
