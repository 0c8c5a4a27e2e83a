//! What the programs that read expressions have in common, and where they differ.

use kron_core::cron::CronField;

/// How a program reads an expression.
#[derive(Debug)]
pub(crate) struct Dialect {
    /// The fewest and the most fields.
    pub(super) fields: (usize, usize),
    pub(super) layout: Layout,
    pub(super) both_days: BothDays,
    pub(super) weekdays: Weekdays,
    pub(super) question_mark: QuestionMark,
    /// Whether a range that runs backwards goes on at the lowest value.
    pub(super) wraps: bool,
    /// Whether `n/step` goes on to the highest value.
    pub(super) open_step: bool,
    /// Whether a step counts behind names, as in `MON-FRI/2`. The others ignore it.
    pub(super) steps_of_names: bool,
    /// Whether a day of the week with `L` or `#` can be in a list.
    pub(super) listed_weekdays: bool,
    /// Whether a range of days of the week can have a `#`.
    pub(super) ranges_of_nth: bool,
    /// Whether `L` alone is a day of the week: Saturday.
    pub(super) last_weekday: bool,
    /// The greatest `n` of `L-n`, if there are such days.
    pub(super) offsets: Option<u32>,
    /// The greatest `n` of `nW` that is a day in each month that has it.
    pub(super) most_near: u32,
    /// Whether `L-nW` is a day.
    pub(super) workday_offsets: bool,
    /// Whether `@daily` and the like are expressions.
    pub(super) macros: bool,
    /// Whether `monday` is a name, as `mon` is.
    pub(super) long_names: bool,
    /// The first year of `*`, from which steps count, if all versions of the program have the same one.
    pub(super) first_year: Option<u32>,
}

/// Which fields stand before and behind the five that all have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// Seconds before them, and maybe years behind.
    Seconds,
    /// Years behind them.
    Years,
    /// Seconds before them if there are six fields, and years behind if there are seven.
    OptionalSeconds,
}

/// What two day fields mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BothDays {
    /// One of them is `?`.
    One,
    /// A day matches both.
    And,
    /// A day matches one of them, unless one is `*`.
    Or,
}

/// What `?` is in a day field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QuestionMark {
    /// No value: the other day field decides.
    NoValue,
    /// The same as `*`.
    Star,
    /// The day on which the program starts, in some versions.
    Today,
}

/// The numbers of days of the week.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weekdays {
    /// Sunday is 1, and `*` is 1-7.
    FromSunday1,
    /// Sunday is 0 or 7, and `*` is 0-6.
    FromSunday0,
    /// Sunday is 7, or 0 at the beginning of a range, and `*` is 1-7.
    FromMonday1,
    /// Monday is 0.
    FromMonday0,
}

const QUARTZ: Dialect = Dialect {
    fields: (6, 7),
    layout: Layout::Seconds,
    both_days: BothDays::One,
    weekdays: Weekdays::FromSunday1,
    question_mark: QuestionMark::NoValue,
    wraps: true,
    open_step: true,
    steps_of_names: false,
    listed_weekdays: false,
    ranges_of_nth: false,
    last_weekday: true,
    offsets: Some(30),
    most_near: 31,
    workday_offsets: true,
    macros: false,
    long_names: false,
    first_year: Some(1970),
};

impl Dialect {
    pub(super) const QUARTZ: Dialect = QUARTZ;

    pub(super) const EVENTBRIDGE: Dialect = Dialect { fields: (6, 6), layout: Layout::Years, ..QUARTZ };

    pub(super) const SPRING: Dialect = Dialect {
        fields: (6, 6),
        both_days: BothDays::And,
        weekdays: Weekdays::FromMonday1,
        question_mark: QuestionMark::Star,
        wraps: false,
        steps_of_names: true,
        listed_weekdays: true,
        last_weekday: false,
        // In a shorter month, Spring goes on in the month before.
        offsets: Some(27),
        // From a Sunday at the end of a month, Spring goes on to the next month, and finds no day.
        most_near: 27,
        workday_offsets: false,
        macros: true,
        ..QUARTZ
    };

    pub(super) const CRONER: Dialect = Dialect {
        fields: (5, 7),
        layout: Layout::OptionalSeconds,
        both_days: BothDays::Or,
        weekdays: Weekdays::FromSunday0,
        question_mark: QuestionMark::Today,
        wraps: false,
        open_step: false,
        ranges_of_nth: true,
        // It is 0 in JavaScript and 1 in Rust.
        first_year: None,
        offsets: None,
        most_near: 31,
        ..Dialect::SPRING
    };

    pub(super) const NODE_CRON: Dialect = Dialect {
        fields: (5, 6),
        both_days: BothDays::And,
        question_mark: QuestionMark::Star,
        wraps: true,
        ranges_of_nth: false,
        offsets: Some(30),
        long_names: true,
        ..Dialect::CRONER
    };

    pub(super) const APSCHEDULER: Dialect = Dialect {
        weekdays: Weekdays::FromMonday0,
        open_step: true,
        wraps: false,
        steps_of_names: false,
        offsets: None,
        long_names: false,
        first_year: Some(1970),
        ..Dialect::NODE_CRON
    };
}

/// The numbers of the values of a field, as a program counts them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    /// The values of `*`.
    pub(super) low: u32,
    pub(super) high: u32,
    /// The values that are read.
    pub(super) least: u32,
    pub(super) most: u32,
}

impl Weekdays {
    pub(super) const fn scale(self) -> Scale {
        match self {
            Weekdays::FromSunday1 => Scale { low: 1, high: 7, least: 1, most: 7 },
            Weekdays::FromSunday0 => Scale { low: 0, high: 6, least: 0, most: 7 },
            Weekdays::FromMonday1 => Scale { low: 1, high: 7, least: 0, most: 7 },
            Weekdays::FromMonday0 => Scale { low: 0, high: 6, least: 0, most: 6 },
        }
    }

    /// The day in Kron, where Sunday is 0.
    pub(super) const fn day(self, number: u32) -> u32 {
        match self {
            Weekdays::FromSunday1 => (number + 6) % 7,
            Weekdays::FromSunday0 | Weekdays::FromMonday1 => number % 7,
            Weekdays::FromMonday0 => (number + 1) % 7,
        }
    }

    /// The number of a day that has this place in a week from Sunday on.
    pub(super) const fn number(self, place: u32) -> u32 {
        match self {
            Weekdays::FromSunday1 => place + 1,
            Weekdays::FromSunday0 => place,
            Weekdays::FromMonday1 => (place + 6) % 7 + 1,
            Weekdays::FromMonday0 => (place + 6) % 7,
        }
    }

    /// The lowest and the highest number with their names, for help.
    pub(super) const fn range(self) -> &'static str {
        match self {
            Weekdays::FromSunday1 => "1 (SUN) to 7 (SAT)",
            Weekdays::FromSunday0 => "0 (SUN) to 6 (SAT)",
            Weekdays::FromMonday1 => "1 (MON) to 7 (SUN)",
            Weekdays::FromMonday0 => "0 (mon) to 6 (sun)",
        }
    }
}

impl Dialect {
    pub(super) fn scale(&self, field: CronField) -> Scale {
        if field == CronField::DayOfWeek {
            return self.weekdays.scale();
        }
        let range = field.range();
        let (low, high) = ((*range.start()).into(), (*range.end()).into());
        Scale { low, high, least: low, most: high }
    }
}
