//! Quantities of resources, such as `1500m` and `2Gi`, as exact sums need them.

use serde_json::Value;

/// Units in one: the smallest part that Kubernetes knows is a nano.
const ONE: i128 = 1_000_000_000;

/// A quantity that is not negative, in billionths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Quantity(i128);

/// Suffixes, and how many billionths one of them has.
const SUFFIXES: [(&str, i128); 16] = [
    ("", ONE),
    ("n", 1),
    ("u", 1_000),
    ("m", 1_000_000),
    ("k", ONE * 1_000),
    ("M", ONE * 1_000_000),
    ("G", ONE * 1_000_000_000),
    ("T", ONE * 1_000_000_000_000),
    ("P", ONE * 1_000_000_000_000_000),
    ("E", ONE * 1_000_000_000_000_000_000),
    ("Ki", ONE << 10),
    ("Mi", ONE << 20),
    ("Gi", ONE << 30),
    ("Ti", ONE << 40),
    ("Pi", ONE << 50),
    ("Ei", ONE << 60),
];

impl Quantity {
    /// Reads a quantity as Kubernetes writes it in JSON: a string or a number. `None` if it is none, is negative or is beyond
    /// all resources; the API server refuses the Jobs of such a template.
    pub(super) fn read(value: &Value) -> Option<Quantity> {
        match value {
            Value::String(text) => parse(text),
            Value::Number(number) => parse(&number.to_string()),
            _ => None,
        }
    }

    /// The sum.
    pub(super) fn plus(self, other: Quantity) -> Quantity {
        Quantity(self.0.saturating_add(other.0))
    }
}

fn parse(text: &str) -> Option<Quantity> {
    let text = text.strip_prefix('+').unwrap_or(text);
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, suffix) = text.split_at(end);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() && fraction.is_empty() || fraction.contains('.') {
        return None;
    }
    let digits: i128 = format!("{whole}{fraction}").parse().ok()?;
    let places = u32::try_from(fraction.len()).ok()?;
    let (of_suffix, exponent) = match SUFFIXES.iter().find(|(name, _)| *name == suffix) {
        Some((_, billionths)) => (*billionths, 0),
        None => (ONE, suffix.strip_prefix(['e', 'E'])?.parse::<i32>().ok()?),
    };
    let power = |exponent: u32| 10i128.checked_pow(exponent);
    let up = power(u32::try_from(exponent).unwrap_or(0))?;
    let down = power(places.checked_add(u32::try_from(-i64::from(exponent)).unwrap_or(0))?)?;
    let billionths = digits.checked_mul(of_suffix)?.checked_mul(up)?;
    // What is smaller than a billionth counts as one.
    Some(Quantity(billionths.div_euclid(down) + i128::from(billionths.rem_euclid(down) > 0)))
}

/// In the largest of one, milli, micro and nano in which it is a whole number.
impl std::fmt::Display for Quantity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let units = [(ONE, ""), (1_000_000, "m"), (1_000, "u"), (1, "n")];
        let (billionths, suffix) = units.into_iter().find(|(unit, _)| self.0 % unit == 0).unwrap_or((1, "n"));
        write!(f, "{}{suffix}", self.0 / billionths)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn quantities_are_read_exactly() {
        let p = |text: &str| Quantity::read(&json!(text)).map(|quantity| quantity.to_string());
        for (text, printed) in [
            ("0", "0"),
            ("1", "1"),
            ("+1", "1"),
            ("100m", "100m"),
            ("1500m", "1500m"),
            ("2000m", "2"),
            ("0.1", "100m"),
            (".5", "500m"),
            ("5.", "5"),
            ("1.5", "1500m"),
            ("250u", "250u"),
            ("1n", "1n"),
            ("0.1n", "1n"),
            ("1Ki", "1024"),
            ("1.5Gi", "1610612736"),
            ("64Mi", "67108864"),
            ("2Ei", "2305843009213693952"),
            ("1k", "1000"),
            ("3M", "3000000"),
            ("1E", "1000000000000000000"),
            ("1e3", "1000"),
            ("1E3", "1000"),
            ("12e-1", "1200m"),
            ("1e0", "1"),
        ] {
            assert_eq!(p(text).as_deref(), Some(printed), "{text}");
        }
        for text in ["", ".", "-1", "1x", "1 Gi", "1.2.3", "1ki", "1K", "e3", "1e", "1e99", "Gi", "1e-99"] {
            assert_eq!(p(text), None, "{text}");
        }
        assert_eq!(p(&"9".repeat(50)), None);
        assert_eq!(Quantity::read(&json!(2)).unwrap().to_string(), "2");
        assert_eq!(Quantity::read(&json!(0.5)).unwrap().to_string(), "500m");
        assert_eq!(Quantity::read(&json!(null)), None);
    }
}
