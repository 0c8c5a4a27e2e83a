//! Expressions of programs with more days than cron: Quartz, Spring, AWS EventBridge, croner and node-cron, one a line, and
//! triggers of APScheduler.

mod apscheduler;
mod day;
mod dialect;
mod eventbridge;
mod field;
mod lines;

use kron_core::Finding;
use kron_core::cron::CronField;

use self::dialect::{Dialect, Layout};
use self::lines::{Line, convert};
use crate::convert::conversion::{Conversion, Input};
use crate::convert::days::Years;
use crate::convert::finding::ConvertFinding;
use crate::convert::format::Format;
use crate::convert::reader::{Convert, Evidence, Reader};
use crate::convert::times::{KronTimes, kron_times};
use crate::error::convert::expression as messages;

pub(super) use self::apscheduler::READER as APSCHEDULER;
pub(super) use self::eventbridge::READER as EVENTBRIDGE;

pub(super) const QUARTZ: Reader =
    unnamed(|input, conversion| convert(input, conversion, |line| Dialect::QUARTZ.line(line)));
pub(super) const SPRING: Reader =
    unnamed(|input, conversion| convert(input, conversion, |line| Dialect::SPRING.line(line)));
pub(super) const CRONER: Reader =
    unnamed(|input, conversion| convert(input, conversion, |line| Dialect::CRONER.line(line)));
pub(super) const NODE_CRON: Reader =
    unnamed(|input, conversion| convert(input, conversion, |line| Dialect::NODE_CRON.line(line)));

/// The reader of a program whose expressions the others read, too, as other days. So no content shows which program it is for.
const fn unnamed(convert: fn(&Input<'_>, &mut Conversion<'_>) -> Result<(), Box<ConvertFinding>>) -> Reader {
    Reader { evidence: Evidence::Lines, recognizes: |_| false, convert: Convert::Each(convert) }
}

/// The formats without a mark of their own whose programs read an expression.
pub(super) fn readers_of(line: &str) -> impl Iterator<Item = Format> {
    let dialects = [
        (Format::Quartz, Dialect::QUARTZ),
        (Format::Spring, Dialect::SPRING),
        (Format::Croner, Dialect::CRONER),
        (Format::NodeCron, Dialect::NODE_CRON),
    ];
    dialects.into_iter().filter(|(_, dialect)| dialect.line(line).is_ok()).map(|(format, _)| format)
}

impl Dialect {
    /// The job of a line.
    fn line(&self, text: &str) -> Result<Line, Finding> {
        let text = if self.macros { expanded(text) } else { text };
        self.expression(text).map(Line::at)
    }

    /// The times of an expression.
    fn expression(&self, text: &str) -> Result<KronTimes, Finding> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (least, most) = self.fields;
        if !(least..=most).contains(&words.len()) {
            return Err(messages::fields(text, self.fields, self.layout.names()));
        }
        let has_seconds = match self.layout {
            Layout::Seconds => true,
            Layout::Years => false,
            Layout::OptionalSeconds => words.len() > 5,
        };
        let fields = match words.split_first() {
            Some((seconds, rest)) if has_seconds => {
                if !matches!(*seconds, "0" | "00") {
                    return Err(messages::seconds(seconds));
                }
                rest
            }
            _ => &words[..],
        };
        let [minute, hour, of_month, month, of_week, ref years @ ..] = *fields else {
            return Err(messages::fields(text, self.fields, self.layout.names()));
        };
        let years = match years {
            [years] => self.years(years)?,
            _ => Years::ANY,
        };
        let sets = [
            self.values(CronField::Minute, minute)?,
            self.values(CronField::Hour, hour)?,
            self.values(CronField::Month, month)?,
        ];
        kron_times(sets, &self.days(of_month, of_week)?, &years, None)
    }
}

impl Layout {
    const fn names(self) -> &'static str {
        match self {
            Layout::Seconds => "second, minute, hour, day of month, month and day of week",
            Layout::Years => "minute, hour, day of month, month, day of week and year",
            Layout::OptionalSeconds => "minute, hour, day of month, month and day of week",
        }
    }
}

/// An expression in place of a word such as `@daily`.
fn expanded(text: &str) -> &str {
    match text.to_ascii_lowercase().as_str() {
        "@yearly" | "@annually" => "0 0 0 1 1 *",
        "@monthly" => "0 0 0 1 * *",
        "@weekly" => "0 0 0 * * 0",
        "@daily" | "@midnight" => "0 0 0 * * *",
        "@hourly" => "0 0 * * * *",
        _ => text,
    }
}
