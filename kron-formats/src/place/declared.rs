//! The declarations of a text beside the schedules that stand there now.

use kron_core::place::Declaration;
use kron_core::{Finding, Zone};

use super::comment::{Says, comment};
use super::expression::{of_crontab, of_value};
use super::lines::{before_comment, lines, zone_of_lines_below};
use super::objects::{ANNOTATION, Object, Schedule};
use super::source::{Kind, Options, Source};
use crate::convert::yaml::{Lines, read};
use crate::error::place as messages;

/// A schedule that has a declaration.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DeclaredSchedule {
    /// The line of the schedule, from 1.
    pub line: usize,
    /// The schedule that stands there.
    pub text: String,
    /// The zone in which it is read, if the text says it.
    pub timezone: Option<Zone>,
    /// What is declared; or why this is not known. Its name has the host, or still `{host}` where the host is not known.
    pub declaration: Result<Declaration, Finding>,
}

/// Whether a text has a declaration.
///
/// ```
/// use kron_formats::place::has_declarations;
/// assert!(has_declarations("# kron: 0 3 * * * @win(after,1h) name=a\n0 3 * * * /usr/bin/clean\n"));
/// assert!(!has_declarations("# kron: allow(no-deadline)\n0 3 * * * name=a\n"));
/// ```
#[must_use]
pub fn has_declarations(text: &str) -> bool {
    let is_declared =
        |line: &str| comment(line).is_some_and(|found| matches!(found.says, Says::Declaration(_)));
    text.contains(ANNOTATION) || text.contains("kron:") && text.lines().any(is_declared)
}

/// The schedules of a text that have a declaration, in the order of their lines. Nothing is placed: what is wrong with the places is the
/// business of [`place`](super::place()).
///
/// ```
/// use kron_formats::place::{Options, Source, declared};
/// let text = "# kron: 0 3 * * * @win(after,1h) name=web/clean\n11 3 * * * root /usr/bin/clean\n";
/// let found = declared(&Source::new("/etc/cron.d/web", text), &Options::default());
/// assert_eq!((found[0].line, found[0].text.as_str()), (2, "11 3 * * *"));
/// let declaration = found[0].declaration.as_ref().expect("it can be read");
/// assert_eq!((declaration.job().name(), declaration.expression()), ("web/clean", "0 3 * * *"));
/// ```
#[must_use]
pub fn declared(source: &Source<'_>, options: &Options) -> Vec<DeclaredSchedule> {
    let mut found = Vec::new();
    if has_declarations(source.text) {
        of_comments(source, options, &mut found);
        of_annotations(source, options, &mut found);
        found.sort_by_key(|found| found.line);
    }
    found
}

fn of_comments(source: &Source<'_>, options: &Options, found: &mut Vec<DeclaredSchedule>) {
    let kind = source.kind();
    let schedule = |line| match kind {
        Kind::Crontab => of_crontab(line),
        Kind::Workflow | Kind::Other => of_value(line),
    };
    let mut zone = (kind == Kind::Workflow).then_some(Zone::UTC);
    let mut lines = lines(source.text).peekable();
    while let Some(line) = lines.next() {
        if kind == Kind::Crontab
            && let Some(name) = zone_of_lines_below(line.text)
        {
            zone = options.parser.tz_database().zone(name).ok();
        }
        let Some(comment) = comment(line.text) else { continue };
        let Says::Declaration(declared) = comment.says else { continue };
        let governed = match comment.own_line {
            true => lines.peek().map(|next| (before_comment(next.text), next.number)),
            false => Some((&line.text[..comment.start], line.number)),
        };
        if let Some((text, number)) = governed
            && let Ok(range) = schedule(text)
        {
            found.push(DeclaredSchedule {
                line: number,
                text: text[range].to_string(),
                timezone: zone.clone(),
                declaration: read_declaration(declared, None, source, options),
            });
        }
    }
}

fn of_annotations(source: &Source<'_>, options: &Options, found: &mut Vec<DeclaredSchedule>) {
    if !source.text.contains(ANNOTATION) {
        return;
    }
    let Ok(documents) = read(source.text) else { return };
    let lines = Lines::new(source.text);
    for object in Object::all(&documents) {
        let declared = object.text(&["metadata", "annotations", ANNOTATION]);
        let (Some(declared), Schedule::One(node)) = (declared, object.schedule()) else { continue };
        let Some((text, _)) = object.document.scalar(node) else { continue };
        let name = object.name(options.namespace.as_deref());
        found.push(DeclaredSchedule {
            line: lines.of(node.start) + 1,
            text: text.to_string(),
            timezone: object.zone().and_then(|zone| options.parser.tz_database().zone(zone).ok()),
            declaration: read_declaration(declared, name.as_deref(), source, options),
        });
    }
}

fn read_declaration(
    text: &str,
    name: Option<&str>,
    source: &Source<'_>,
    options: &Options,
) -> Result<Declaration, Finding> {
    let declaration =
        options.parser.declaration(text, name).map_err(|error| messages::declaration(&error))?;
    let name = declaration.job().name();
    match source.host {
        Some(host) if name.contains("{host}") => {
            let name = name.replace("{host}", host);
            declaration.with_name(&name).map_err(|error| messages::declaration(&error))
        }
        _ => Ok(declaration),
    }
}
