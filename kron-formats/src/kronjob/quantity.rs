//! Quantities of resources, such as `1500m` and `2Gi`, as exact sums need them.

use std::fmt;

use serde_json::Value;

/// Units in one: the smallest part that Kubernetes knows is a nano.
const ONE: i128 = 1_000_000_000;

/// A quantity of a resource, such as `1500m` or `2Gi`, exactly. It is never negative. Displays as a whole number of ones,
/// thousandths (`m`), millionths (`u`) or billionths (`n`).
///
/// ```
/// use kron_formats::kronjob::Quantity;
/// let cpu = Quantity::read(&serde_json::json!("1.5")).unwrap();
/// assert_eq!(cpu.to_string(), "1500m");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Quantity(i128);

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
    /// Reads a quantity as Kubernetes writes it in JSON: a string or a number. `None` for other values, negative quantities
    /// and those beyond all resources; the API server rejects the Jobs of such a template.
    ///
    /// ```
    /// use kron_formats::kronjob::Quantity;
    /// use serde_json::json;
    /// assert_eq!(Quantity::read(&json!("2Ki")), Quantity::read(&json!(2048)));
    /// assert_eq!(Quantity::read(&json!("2 Ki")), None);
    /// ```
    pub fn read(value: &Value) -> Option<Quantity> {
        match value {
            Value::String(text) => parse(text),
            Value::Number(number) => parse(&number.to_string()),
            _ => None,
        }
    }

    /// How many thousandths it has, rounded up: the millicores of a CPU quantity.
    ///
    /// ```
    /// use kron_formats::kronjob::Quantity;
    /// assert_eq!(Quantity::read(&serde_json::json!("0.2501")).unwrap().thousandths(), 251);
    /// ```
    pub fn thousandths(self) -> u64 {
        self.in_units_of(ONE / 1_000)
    }

    /// How many times 1,048,576 it has, rounded up: the mebibytes of a memory quantity.
    ///
    /// ```
    /// use kron_formats::kronjob::Quantity;
    /// assert_eq!(Quantity::read(&serde_json::json!("1Gi")).unwrap().mebi(), 1024);
    /// ```
    pub fn mebi(self) -> u64 {
        self.in_units_of(ONE << 20)
    }

    /// How many units of so many billionths it has, rounded up.
    fn in_units_of(self, billionths: i128) -> u64 {
        let units = self.0 / billionths + i128::from(self.0 % billionths > 0);
        u64::try_from(units).unwrap_or(u64::MAX)
    }

    /// The sum.
    pub(super) fn plus(self, other: Quantity) -> Quantity {
        Quantity(self.0.saturating_add(other.0))
    }

    /// The quantity times a number.
    pub(super) fn times(self, count: u32) -> Quantity {
        Quantity(self.0.saturating_mul(count.into()))
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
impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
    fn units_are_rounded_up() {
        let p = |text: &str| Quantity::read(&json!(text)).unwrap();
        let counts = |text| (p(text).thousandths(), p(text).mebi());
        assert_eq!(counts("0"), (0, 0));
        assert_eq!(counts("1n"), (1, 1));
        assert_eq!(counts("250m"), (250, 1));
        assert_eq!(counts("1Mi"), (1_048_576_000, 1));
        assert_eq!(counts("1048577"), (1_048_577_000, 2));
        assert_eq!(p("9000000000E").thousandths(), u64::MAX);
        assert_eq!(p("300m").times(3), p("900m"));
    }

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
