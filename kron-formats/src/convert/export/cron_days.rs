//! Kron's five fields as sets of values, and as crontabs spell them.

use crate::convert::times::{Part, bits, list};

/// The sets of a cron expression in canonical form, and whether a day must match both day fields.
pub(super) fn sets(canonical: &str) -> Option<([u64; 5], bool)> {
    let mut sets = [0; 5];
    let mut unrestricted = false;
    let mut fields = canonical.split(' ');
    for (index, part) in Part::ALL.into_iter().enumerate() {
        let text = fields.next()?;
        sets[index] = set(text, part)?;
        unrestricted |= text == "*" && matches!(part, Part::DayOfMonth | Part::DayOfWeek);
    }
    fields.next().is_none().then_some((sets, unrestricted))
}

fn set(text: &str, part: Part) -> Option<u64> {
    let (low, high) = part.range();
    let mut all = 0;
    for item in text.split(',') {
        let (range, step) = item.split_once('/').unwrap_or((item, "1"));
        let (from, to) = match range.split_once('-') {
            _ if range == "*" => (low, high),
            Some((from, to)) => (from.parse().ok()?, to.parse().ok()?),
            None => (range.parse().ok()?, range.parse().ok()?),
        };
        all |= bits(from, to, step.parse().ok()?);
    }
    Some(all)
}

/// The expression for a crontab. There, a day field that begins with `*` counts as unrestricted, so it is spelled as a list.
pub(super) fn for_crontab(canonical: &str) -> Option<String> {
    let (sets, _) = sets(canonical)?;
    let fields = canonical.split(' ').zip(Part::ALL).zip(sets).map(|((text, part), set)| match part {
        Part::DayOfMonth | Part::DayOfWeek if text.starts_with("*/") => list(set, part),
        _ => text.to_string(),
    });
    Some(fields.collect::<Vec<_>>().join(" "))
}

/// Whether two expressions can match the same time.
pub(crate) fn overlap(one: &str, other: &str) -> bool {
    let (Some((one, first)), Some((other, second))) = (sets(one), sets(other)) else { return true };
    let common = |index: usize| one[index] & other[index] != 0;
    // A day of either field may be a day of any other set.
    let days = !first || !second || common(2) && common(4);
    common(0) && common(1) && common(3) && days
}
