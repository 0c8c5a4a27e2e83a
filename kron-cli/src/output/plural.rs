//! Counts with a noun in the singular or the plural.

/// "1 job", "2,000 jobs". `noun` is a noun that takes an `s`, in the singular.
pub(crate) fn plural(count: impl TryInto<u64>, noun: &str) -> String {
    // OK because nothing that is counted has more.
    let count = count.try_into().unwrap_or(u64::MAX);
    let ending = if count == 1 { "" } else { "s" };
    format!("{} {noun}{ending}", grouped(count))
}

/// `1,128`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::plural;

    #[test]
    fn only_one_is_singular() {
        assert_eq!(plural(0_usize, "job"), "0 jobs");
        assert_eq!(plural(1_u64, "job"), "1 job");
        assert_eq!(plural(2000_u32, "job"), "2,000 jobs");
    }
}
