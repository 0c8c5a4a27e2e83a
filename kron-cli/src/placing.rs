//! The text of one file after its schedules were placed, as it is printed.

use std::io::Write as _;

use kron_formats::place::apply_configurations;

use crate::output::diagnostic::Diagnostic;
use crate::output::plural::plural;
use crate::session::{Session, Stop};

/// Prints a text in which schedules have their places; of objects that were read from a cluster, what changes.
pub(crate) fn print(old: &str, new: &str, session: &mut Session<'_>) -> Result<(), Stop> {
    let Some(applied) = apply_configurations(old, new) else {
        return Ok(session.out.write_all(new.as_bytes())?);
    };
    if applied.kept > 0 {
        let kept = plural(applied.kept, "object");
        session.remark(&format!("{kept} left out, because something else keeps them"));
    }
    if applied.may_start_at_once {
        let warning = Diagnostic::warning(
            "Kubernetes starts a CronJob without `startingDeadlineSeconds` at once if its new time lies between its last run and \
             now",
        );
        session.report(&warning);
    }
    Ok(session.out.write_all(applied.text.as_bytes())?)
}

/// Prints a text as it was, so that what reads the output loses nothing. A cluster has its objects already; to apply them as they are
/// would take them over.
pub(crate) fn print_unchanged(text: &str, session: &mut Session<'_>) -> Result<(), Stop> {
    if apply_configurations(text, text).is_none() {
        session.out.write_all(text.as_bytes())?;
    }
    Ok(())
}
