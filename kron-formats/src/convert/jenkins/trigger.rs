//! A trigger of a job in Jenkins.

use crate::convert::message::{Refusal, shown};

/// What starts builds.
#[derive(Debug)]
pub(super) struct Trigger {
    /// The line on which it begins.
    pub(super) line: usize,
    /// The lines of its schedule, each with its line in the file.
    pub(super) schedule: Result<Vec<(usize, String)>, Refusal>,
}

impl Trigger {
    /// A trigger with a schedule. Blank lines say nothing.
    pub(super) fn of_lines(line: usize, lines: Vec<(usize, String)>) -> Trigger {
        let schedule = lines.into_iter().filter(|(_, text)| !text.trim().is_empty()).collect();
        Trigger { line, schedule: Ok(schedule) }
    }

    pub(super) fn refused(line: usize, refusal: Refusal) -> Trigger {
        Trigger { line, schedule: Err(refusal) }
    }

    /// A trigger that is not a timer, by its name in a Jenkinsfile or the last part of its class.
    pub(super) fn of_another_kind(line: usize, name: &str) -> Trigger {
        let name = match name {
            "SCMTrigger" => "pollSCM",
            "ParameterizedTimerTrigger" => "parameterizedCron",
            other => other,
        };
        let (reason, help) = match name {
            "pollSCM" => ("builds only if the sources have changed", "leave it in Jenkins"),
            "parameterizedCron" => (
                "gives parameters to its builds, and a job of Kron has none",
                "write a job with these times, and the parameters in its `command=`",
            ),
            _ => ("is not a time", "leave it in Jenkins"),
        };
        Trigger::refused(line, Refusal::new(format!("`{}` {reason}", shown(name))).help(help))
    }
}
