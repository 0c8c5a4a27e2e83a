//! Time spans: `1h 30min`, `90`.

/// The seconds of a time span, if they are whole.
pub(crate) fn seconds(text: &str) -> Option<u64> {
    let mut total = 0_u64;
    let mut rest = text.trim();
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let number: u64 = rest[..digits].parse().ok()?;
        let after = rest[digits..].trim_start();
        let letters = after.find(|c: char| !c.is_alphabetic()).unwrap_or(after.len());
        let unit = match &after[..letters] {
            "" | "s" | "sec" | "second" | "seconds" => 1,
            "m" | "min" | "minute" | "minutes" => 60,
            "h" | "hr" | "hour" | "hours" => 3600,
            "d" | "day" | "days" => 86_400,
            "w" | "week" | "weeks" => 604_800,
            "ms" | "msec" if number.is_multiple_of(1000) => {
                total = total.checked_add(number / 1000)?;
                0
            }
            _ => return None,
        };
        // `1.5h` and a number that follows nothing are not whole seconds.
        if after[letters..].starts_with('.') {
            return None;
        }
        total = total.checked_add(number.checked_mul(unit)?)?;
        rest = after[letters..].trim_start();
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ok_spans() {
        for (text, want) in [
            ("90", Some(90)),
            ("1h 30min", Some(5400)),
            ("1h30m5s", Some(5405)),
            ("2 hours", Some(7200)),
            ("1d 1w", Some(691_200)),
            ("2000ms", Some(2)),
            ("500ms", None),
            ("1.5h", None),
            ("", None),
            ("infinity", None),
            ("1M", None),
            ("99999999999999999999", None),
            ("9999999999999999999w", None),
        ] {
            assert_eq!(seconds(text), want, "{text}");
        }
    }
}
