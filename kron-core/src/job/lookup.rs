//! What the names in texts and manifests are looked up in.

use crate::constraint::Calendars;
use crate::time::zone::TzDatabase;

/// The time zone database and the calendars of a parser.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lookup<'d> {
    pub(crate) tz_database: &'d TzDatabase,
    pub(crate) calendars: &'d Calendars,
}

impl Lookup<'static> {
    /// The compiled-in time zone database, and no calendars.
    pub(crate) fn compiled_in() -> Lookup<'static> {
        Lookup { tz_database: TzDatabase::compiled_in(), calendars: Calendars::none() }
    }
}
