//! Texts as Go reads them: durations, integers and floating-point numbers.

/// `time.ParseDuration`: a signed sequence of decimal numbers with units, in nanoseconds. Digits beyond the last that
/// counts are dropped, as Go drops them.
///
/// # Errors
///
/// The sentence of Go.
///
/// ```
/// assert_eq!(kron_api_schema::go::duration("1m0.5s"), Ok(60_500_000_000));
/// ```
pub fn duration(text: &str) -> Result<i64, String> {
    parse_duration(text).ok_or_else(|| format!("time: invalid duration {text:?}"))
}

fn parse_duration(text: &str) -> Option<i64> {
    let (negative, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if rest == "0" {
        return Some(0);
    }
    if rest.is_empty() {
        return None;
    }
    // Go sums in 64 bits without sign, of which 2^63 is allowed for the negative end alone.
    let limit = 1_u64 << 63;
    let mut sum: u64 = 0;
    while !rest.is_empty() {
        let (whole, after) = digits(rest);
        let (fraction, after, point) = match after.strip_prefix('.') {
            Some(after) => {
                let (fraction, after) = digits(after);
                (fraction, after, true)
            }
            None => ("", after, false),
        };
        if whole.is_empty() && fraction.is_empty() && (point || whole.is_empty()) {
            return None;
        }
        let end = after.find(|c: char| c == '.' || c.is_ascii_digit()).unwrap_or(after.len());
        let (unit, after) = after.split_at_checked(end)?;
        let nanos: u64 = match unit {
            "ns" => 1,
            "us" | "µs" | "μs" => 1_000,
            "ms" => 1_000_000,
            "s" => 1_000_000_000,
            "m" => 60_000_000_000,
            "h" => 3_600_000_000_000,
            _ => return None,
        };
        let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
        let whole = whole.checked_mul(nanos).filter(|part| *part <= limit)?;
        let part = whole.checked_add(fraction_of(fraction, nanos))?;
        sum = sum.checked_add(part).filter(|sum| *sum <= limit)?;
        rest = after;
    }
    if negative { 0_i64.checked_sub_unsigned(sum) } else { i64::try_from(sum).ok() }
}

/// The fraction of a unit, as Go computes it: digits are taken while they fit, the product is rounded down in `f64`.
fn fraction_of(digits: &str, unit: u64) -> u64 {
    let (mut value, mut scale) = (0_u64, 1.0_f64);
    for digit in digits.bytes() {
        let next = value.checked_mul(10).and_then(|v| v.checked_add(u64::from(digit - b'0')));
        match next.filter(|next| *next <= 1 << 63) {
            Some(next) => (value, scale) = (next, scale * 10.0),
            None => break,
        }
    }
    // OK because the value is below the scale: the product is below the unit.
    (value as f64 * (unit as f64 / scale)) as u64
}

fn digits(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// `strconv.ParseInt(text, 10, 64)`.
pub(crate) fn int(text: &str) -> Result<i64, String> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|c| c.is_ascii_digit()) {
        return Err(format!("strconv.ParseInt: parsing {text:?}: invalid syntax"));
    }
    text.parse().map_err(|_| format!("strconv.ParseInt: parsing {text:?}: value out of range"))
}

/// `strconv.ParseFloat(text, 64)`, without hexadecimal numbers. A number beyond the greatest is an error, one below the
/// least is 0.
pub(crate) fn float(text: &str) -> Result<f64, String> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text).to_ascii_lowercase();
    if ["inf", "infinity", "nan"].contains(&unsigned.as_str()) {
        let value: f64 = unsigned.parse().unwrap_or(f64::NAN);
        return Ok(if text.starts_with('-') { -value } else { value });
    }
    let value: f64 =
        text.parse().map_err(|_| format!("strconv.ParseFloat: parsing {text:?}: invalid syntax"))?;
    if value.is_infinite() {
        return Err(format!("strconv.ParseFloat: parsing {text:?}: value out of range"));
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        let p = parse_duration;
        assert_eq!(p("1h30m"), Some(5_400_000_000_000));
        assert_eq!(p("-1.5h"), Some(-5_400_000_000_000));
        assert_eq!(
            (p("0"), p("+0"), p(".5s"), p("1.s")),
            (Some(0), Some(0), Some(500_000_000), Some(1_000_000_000))
        );
        assert_eq!(p("8784.0000000001h"), Some(31_622_400_000_000_360));
        assert_eq!(p("2562047h47m16.854775807s"), Some(i64::MAX));
        assert_eq!(p("-2562047h47m16.854775808s"), Some(i64::MIN));
        assert_eq!((p("1µs"), p("1μs"), p("1us")), (Some(1000), Some(1000), Some(1000)));
        assert_eq!(
            (p("1.9ns"), p("0.99999999999999999999ns")),
            (Some(1), Some(1)),
            "the second rounds, as in Go"
        );
        for bad in [
            "",
            "-",
            ".s",
            "1",
            "1d",
            "1h ",
            "s",
            "1..5s",
            "2562047h47m16.854775808s",
            "9223372036855s",
            "1e3s",
        ] {
            assert_eq!(p(bad), None, "{bad}");
        }
    }

    #[test]
    fn numbers() {
        assert_eq!((int("007"), int("+5"), int("-5")), (Ok(7), Ok(5), Ok(-5)));
        for bad in ["", "+", "1.0", " 1", "1_0", "9223372036854775808"] {
            assert!(int(bad).is_err(), "{bad}");
        }
        assert_eq!((float("1."), float(".5e1"), float("1e-999")), (Ok(1.0), Ok(5.0), Ok(0.0)));
        assert_eq!(float("-Inf"), Ok(f64::NEG_INFINITY));
        assert!(float("nan").is_ok_and(f64::is_nan));
        for bad in ["", "1e999", "1_0", "0x1p4", "e5", "1e"] {
            assert!(float(bad).is_err(), "{bad}");
        }
    }
}
