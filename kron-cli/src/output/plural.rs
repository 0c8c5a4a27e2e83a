//! Counts with a noun in the singular or the plural.

use std::fmt::Display;

/// "1 job", "2 jobs". `noun` is a noun that takes an `s`, in the singular.
pub(crate) fn plural<T: Display + PartialEq + From<u8>>(count: T, noun: &str) -> String {
    let ending = if count == T::from(1) { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

#[cfg(test)]
mod tests {
    use super::plural;

    #[test]
    fn only_one_is_singular() {
        assert_eq!(plural(0_usize, "job"), "0 jobs");
        assert_eq!(plural(1_u64, "job"), "1 job");
        assert_eq!(plural(21_u32, "job"), "21 jobs");
    }
}
