//! Findings that say the same of many places, said once.

use std::collections::BTreeMap;

use kron_core::{ErrorCode, Severity};

use crate::output::diagnostic::Diagnostic;

/// From how many places on a finding is said once.
const MANY: usize = 4;

/// The findings, in order of their first ones: those that say the same of many jobs, and warnings and notes that say the same of many
/// places, become the first of them, with how many more there are.
pub(crate) fn grouped(all: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let all = calendars_once(all);
    let mut counts: BTreeMap<Said, usize> = BTreeMap::new();
    all.iter().filter_map(said).for_each(|said| *counts.entry(said).or_default() += 1);
    let mut out = Vec::new();
    for found in all {
        let count = said(&found).and_then(|said| counts.get_mut(&said));
        match count.map(|count| std::mem::replace(count, if *count < MANY { *count } else { 0 })) {
            Some(0) => {}
            Some(count @ MANY..) => out.push(found.and_more(count - 1)),
            _ => out.push(found),
        }
    }
    out
}

/// The findings, where a calendar that is not given is named once, at its first job.
fn calendars_once(all: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let unknown = |found: &Diagnostic| {
        let is_unknown = found.code.is_some_and(|code| code == ErrorCode::CalendarUnknown.into());
        found.marked().filter(|_| is_unknown).map(str::to_string)
    };
    let mut jobs: BTreeMap<String, usize> = BTreeMap::new();
    all.iter().filter_map(unknown).for_each(|name| *jobs.entry(name).or_default() += 1);
    let once = all.into_iter().filter_map(|found| match unknown(&found) {
        Some(name) => match jobs.remove(&name)? {
            1 => Some(found),
            jobs => {
                let message = format!("{jobs} jobs name the calendar `{name}`, which is not given");
                let found = Diagnostic { message, ..found };
                // The name of another calendar may be meant.
                let is_near = found.help.as_ref().is_some_and(|help| help.starts_with("did you mean"));
                let help = format!("add `--calendar FILE`, a file with a line such as `{name} = 2026-12-25`");
                Some(if is_near { found } else { found.help(help) })
            }
        },
        None => Some(found),
    });
    once.collect()
}

/// What a finding says, whatever it says it of.
type Said = (Severity, Option<&'static str>, bool, String, Option<String>);

/// Nothing of an error that is about no job, and of what shows its line.
fn said(found: &Diagnostic) -> Option<Said> {
    let Diagnostic { severity, code, name, message, help, .. } = found;
    let can_be_grouped = (*severity != Severity::Error || name.is_some()) && found.excerpt.is_none();
    let said = (*severity, code.map(|code| code.as_str()), name.is_some(), message.clone(), help.clone());
    can_be_grouped.then_some(said)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::diagnostic::Excerpt;

    fn printed(all: Vec<Diagnostic>) -> String {
        grouped(all).iter().map(|found| found.render(false, None) + "\n").collect()
    }

    #[test]
    fn equal_ones_are_said_once() {
        let of_files = |count: usize| (1..=count).map(|n| Diagnostic::warning("x").file(format!("{n}.cron")));
        assert_eq!(printed(of_files(3).collect()).lines().count(), 6);
        let mut all: Vec<Diagnostic> = of_files(40).collect();
        all.insert(1, Diagnostic::note("y"));
        all.extend((0..4).map(|_| Diagnostic::error("z")));
        let errors = "error: z\n".repeat(4);
        assert_eq!(printed(all), format!("warning: x (and 39 more like it)\n--> 1.cron\nnote: y\n{errors}"));
        let of_jobs = (1..=300).map(|n| Diagnostic::note("late").job(format!("job-{n}")));
        assert_eq!(printed(of_jobs.collect()), "note: job-1 and 299 more jobs: late\n");
        let errors = (1..=300).map(|n| Diagnostic::error("wrong").job(format!("job-{n}")));
        assert_eq!(printed(errors.collect()), "error: job-1 and 299 more jobs: wrong\n");
    }

    #[test]
    fn a_calendar_that_is_not_given_is_named_once() {
        let unknown = |line: usize, name: &str| {
            let text = format!("@daily @avoid(calendar={name}) name=a");
            let span = text.find(name).map(|at| at..at + name.len()).unwrap();
            let error = Diagnostic::error(format!("there is no calendar `{name}`")).file("a.kron");
            let code = Some(ErrorCode::CalendarUnknown.into());
            Diagnostic { code, line: Some(line), excerpt: Some(Excerpt::new(&text, span)), ..error }
        };
        let all = vec![
            unknown(1, "fr"),
            unknown(2, "de"),
            unknown(3, "fr"),
            Diagnostic::error("x"),
            unknown(4, "fr"),
        ];
        let text = printed(all);
        assert_eq!(text.matches("error: ").count(), 3, "{text}");
        assert!(text.starts_with("error: 3 jobs name the calendar `fr`, which is not given\n"), "{text}");
        assert!(text.contains(":1:24\n") && text.contains("help: add `--calendar FILE`"), "{text}");
        assert!(text.contains("error: there is no calendar `de`\n"), "{text}");
    }
}
