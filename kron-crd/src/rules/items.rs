//! The grammar of what lists of schedules and of clauses have, as regular expressions.

pub(super) const MINUTE: &str = "0*[0-5]?[0-9]";
pub(super) const HOUR: &str = "0*(1?[0-9]|2[0-3])";
pub(super) const DAY_OF_MONTH: &str = "0*([1-9]|[12][0-9]|3[01])";
pub(super) const MONTH: &str = "(0*([1-9]|1[0-2])|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)";
pub(super) const DAY_OF_WEEK: &str = "(0*[0-7]|sun|mon|tue|wed|thu|fri|sat)";
pub(super) const DATE: &str = "([0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29)";
/// A range of numbers of two digits.
pub(super) const RANGE: &str = r"\b0*[0-9]{1,2}-0*[0-9]{1,2}\b";
/// A Go duration above or below 0, without a sign.
pub(super) const DURATION: &str = r"(([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+";
/// A decimal number without a sign.
pub(super) const DECIMAL: &str = r"([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?";
