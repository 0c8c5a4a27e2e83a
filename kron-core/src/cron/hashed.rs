//! `H` of Jenkins, for the help of an expression that has one, and for programs that convert schedules of Jenkins.

use crate::time::calendar_field::{DAY_OF_MONTH, Field, number};

/// An item of a schedule of Jenkins, for which Jenkins chooses one value of a range by a hash of the job's name: `H`, `H(0-29)`,
/// `H/15`. Expressions of Kron have no such item; a job has a window instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HashedItem {
    /// The least value that can be chosen.
    pub low: u8,
    /// The greatest one.
    pub high: u8,
    /// The step, for which an offset below it is chosen; `None` if a single value is chosen, as it is for `H/1`.
    pub step: Option<u8>,
}

/// What is wrong with an item that begins with `H`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HashedItemError {
    /// Neither `H` nor `H(a-b)`, each with an optional step, or a value that the field does not have.
    Syntax,
    /// The range runs backwards: it has its greatest value first.
    Backwards {
        /// The value that is written first.
        first: u8,
        /// The value that is written last.
        last: u8,
    },
    /// The step is not in 1 to that number.
    Step {
        /// The largest step.
        most: u8,
    },
}

impl HashedItem {
    /// Reads an item; `None` if it does not begin with `H`.
    pub(super) fn parse(field: &Field, item: &str) -> Option<Result<HashedItem, HashedItemError>> {
        item.strip_prefix('H').map(|rest| read(field, rest))
    }
}

/// Reads what follows the `H`.
fn read(field: &Field, rest: &str) -> Result<HashedItem, HashedItemError> {
    let (least, greatest) = (field.min, field.max);
    let step_to = |most: u8| HashedItemError::Step { most };
    let (range, step) = match rest.split_once('/') {
        None => (rest, None),
        Some((range, step)) => {
            let step = number(step).filter(|step| *step > 0);
            (range, Some(step.ok_or(step_to(greatest - least + 1))?))
        }
    };
    let value = |text| {
        let value = number(text).and_then(|number| u8::try_from(number).ok());
        value.filter(|value| (least..=greatest).contains(value)).ok_or(HashedItemError::Syntax)
    };
    let (low, high) = if range.is_empty() {
        (least, if *field == DAY_OF_MONTH { 28 } else { greatest })
    } else {
        let inner = range.strip_prefix('(').and_then(|range| range.strip_suffix(')'));
        let (first, last) = inner.and_then(|inner| inner.split_once('-')).ok_or(HashedItemError::Syntax)?;
        (value(first)?, value(last)?)
    };
    if low > high {
        return Err(HashedItemError::Backwards { first: low, last: high });
    }
    let count = high - low + 1;
    let step = match step.map(u8::try_from) {
        None | Some(Ok(1)) => None,
        // Any offset leaves one value.
        Some(Ok(step)) if step == count => None,
        Some(Ok(step)) if step < count => Some(step),
        Some(_) => return Err(step_to(count)),
    };
    Ok(HashedItem { low, high, step })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::calendar_field::{DAY_OF_WEEK, HOUR, MINUTE, MONTH};

    #[test]
    fn items() {
        let p = |field, text| HashedItem::parse(field, text).unwrap();
        let ok = |low, high, step| Ok(HashedItem { low, high, step });
        assert_eq!(p(&MINUTE, "H"), ok(0, 59, None));
        assert_eq!(p(&MINUTE, "H/1"), ok(0, 59, None));
        assert_eq!(p(&MINUTE, "H/60"), ok(0, 59, None));
        assert_eq!(p(&MINUTE, "H/7"), ok(0, 59, Some(7)));
        assert_eq!(p(&HOUR, "H(22-23)"), ok(22, 23, None));
        assert_eq!(p(&MONTH, "H(1-12)/3"), ok(1, 12, Some(3)));
        assert_eq!(p(&DAY_OF_WEEK, "H"), ok(0, 6, None));
        assert_eq!(p(&DAY_OF_MONTH, "H(1-31)"), ok(1, 31, None));
    }

    #[test]
    fn err_items() {
        let p = |field, text| HashedItem::parse(field, text).unwrap().unwrap_err();
        for text in ["Hour", "H(5)", "H()", "H(0-29", "H(-)", "H(0-60)", "H(0-29)x", "H(0-999)", "H(+1-2)"] {
            assert_eq!(p(&MINUTE, text), HashedItemError::Syntax, "{text}");
        }
        assert_eq!(p(&DAY_OF_WEEK, "H(1-7)"), HashedItemError::Syntax);
        assert_eq!(p(&MINUTE, "H(9-5)"), HashedItemError::Backwards { first: 9, last: 5 });
        for (text, most) in
            [("H/0", 60), ("H/", 60), ("H/x", 60), ("H/61", 60), ("H/99999999999", 60), ("H(5-9)/6", 5)]
        {
            assert_eq!(p(&MINUTE, text), HashedItemError::Step { most }, "{text}");
        }
    }
}
