//! A trigger of a job in Jenkins.

use kron_core::Finding;

use crate::error::convert::jenkins as messages;

/// What starts builds.
#[derive(Debug)]
pub(super) struct Trigger {
    /// The line on which it begins.
    pub(super) line: usize,
    /// The lines of its schedule, each with its line in the file.
    pub(super) schedule: Result<Vec<(usize, String)>, Finding>,
}

impl Trigger {
    /// A trigger with a schedule. Blank lines say nothing.
    pub(super) fn of_lines(line: usize, lines: Vec<(usize, String)>) -> Trigger {
        let schedule = lines.into_iter().filter(|(_, text)| !text.trim().is_empty()).collect();
        Trigger { line, schedule: Ok(schedule) }
    }

    pub(super) fn refused(line: usize, finding: Finding) -> Trigger {
        Trigger { line, schedule: Err(finding) }
    }

    /// A trigger that is not a timer, by its name in a Jenkinsfile or the last part of its class.
    pub(super) fn of_another_kind(line: usize, name: &str) -> Trigger {
        let name = match name {
            "SCMTrigger" => "pollSCM",
            "ParameterizedTimerTrigger" => "parameterizedCron",
            other => other,
        };
        Trigger::refused(line, messages::not_a_timer(name))
    }
}
