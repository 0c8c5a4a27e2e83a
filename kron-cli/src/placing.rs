//! What is printed of placed schedules: the text of one file, and messages for reviews on GitHub.

use std::io::Write as _;
use std::path::Path;

use kron_core::Severity;
use kron_formats::place::{Placed, apply_configurations};
use similar::{DiffOp, TextDiff};

use crate::output::diagnostic::Diagnostic;
use crate::output::github;
use crate::output::plural::plural;
use crate::output::table::printable;
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

/// Numbers the lines of findings and schedules as those of the texts before they were adopted: `old` has these texts.
pub(crate) fn number_as_before(old: &[&str], placed: &mut Placed) {
    let mut known: Option<(usize, Lines)> = None;
    let mut before = |source: usize, line: usize| {
        let Some((text, new)) = old.get(source).zip(placed.texts.get(source)) else { return line };
        let lines = match &mut known {
            Some((of, lines)) if *of == source => lines,
            _ => &mut known.insert((source, Lines::new(text, new))).1,
        };
        lines.before(line)
    };
    for found in &mut placed.findings {
        found.line = found.line.map(|line| before(found.source, line));
    }
    for schedule in &mut placed.schedules {
        schedule.line = before(schedule.source, schedule.line);
    }
}

/// Writes workflow commands of GitHub for errors and for schedules that are not as `wanted`, such as "its place": `labels` names the
/// files. `help` says what changes the schedules.
pub(crate) fn write_commands(
    labels: &[&str],
    placed: &Placed,
    wanted: &str,
    help: &str,
    session: &mut Session<'_>,
) -> Result<(), Stop> {
    let mut errors = Vec::new();
    for found in placed.findings.iter().filter(|found| found.finding.severity == Severity::Error) {
        errors.push((found.source, Diagnostic::of_conversion(found, None)));
    }
    for schedule in placed.schedules.iter().filter(|schedule| schedule.changes()) {
        let message = format!(
            "`{}` is at `{}`, and {wanted} is `{}`",
            printable(&schedule.name),
            printable(&schedule.present),
            schedule.placed
        );
        let error = Diagnostic::error(message).help(help);
        errors.push((schedule.source, Diagnostic { line: Some(schedule.line), ..error }));
    }
    for (source, error) in errors {
        let file = labels.get(source).map(|label| in_repository(label));
        writeln!(session.out, "{}", github::command(&Diagnostic { file, ..error }))?;
    }
    Ok(())
}

/// A path as GitHub knows the file: it shows a message at its line only then. Commands run in the folder of the repository.
fn in_repository(path: &str) -> String {
    let below = std::env::current_dir().ok().and_then(|folder| {
        let below = Path::new(path).strip_prefix(folder).ok()?;
        Some(below.to_string_lossy().into_owned())
    });
    below.unwrap_or_else(|| path.strip_prefix("./").unwrap_or(path).to_string())
}

/// The lines of a text that got further ones.
struct Lines(Vec<DiffOp>);

impl Lines {
    fn new(old: &str, new: &str) -> Lines {
        Lines(TextDiff::from_lines(old, new).ops().to_vec())
    }

    /// The line, from 1, that a line of the new text was; for a further one, the line that follows it.
    fn before(&self, line: usize) -> usize {
        let index = line.saturating_sub(1);
        let Some(found) = self.0.iter().find(|found| found.new_range().contains(&index)) else { return line };
        let (old, new) = (found.old_range(), found.new_range());
        // Further lines stand before the one that is replaced.
        let from_end = new.end - index;
        old.end.saturating_sub(from_end.min(old.len())) + 1
    }
}
