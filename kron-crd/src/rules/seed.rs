//! The rule of `spec.seed.salt`.

use super::rule::Rule;

/// Its bound in bytes; maxLength counts characters.
pub(crate) fn salt() -> [Rule; 1] {
    [Rule::new("bytes(self).size() <= 1024", "must be at most 1024 bytes in UTF-8")]
}
