//! Messages about days that clauses of `@days` cannot say.

use kron_core::Finding;

use super::{ConvertCode, refusal};

/// The workday nearest to a day from the end of the month that must be another day, too.
pub(crate) fn workday_and_days() -> Finding {
    let message = "a day must be the workday nearest to a day from the end of the month, and match the other day field, too";
    refusal(ConvertCode::NotExpressible, message).with_help("leave the other day field open")
}

/// The two day fields exclude each other.
pub(crate) fn no_day() -> Finding {
    refusal(ConvertCode::BadSchedule, "no day matches both day fields, so it never starts")
        .with_help("remove it, or change one of the day fields")
}
