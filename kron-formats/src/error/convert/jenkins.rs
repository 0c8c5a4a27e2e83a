//! Messages about schedules of Jenkins, Jenkinsfiles and `config.xml`.

use kron_core::Finding;
use kron_core::cron::CronField;

use super::{ConvertCode, note, refusal, shown, warning};

pub(crate) fn disabled() -> Finding {
    note(ConvertCode::Suspended, "the job is disabled in Jenkins, so it is suspended here")
}

pub(crate) fn queue() -> Finding {
    let message =
        "Jenkins puts a build in its queue, or runs both, while an earlier one runs; Kron skips the start";
    note(ConvertCode::ActiveRun, message)
        .with_help("add `concurrency=allow` to `@policy(...)` for jobs that may overlap")
}

pub(crate) fn no_command() -> Finding {
    note(ConvertCode::NoCommand, "a schedule of Jenkins has no command")
        .with_help("add `command=\"...\"` to the jobs")
}

pub(crate) fn same_minute(line: usize) -> Finding {
    let message = format!(
        "this line and line {line} can match the same minute: Jenkins then builds once, Kron starts two jobs"
    );
    warning(ConvertCode::StartsTwice, message)
}

/// The line is the first one that is left out.
pub(crate) fn too_many_lines(max: usize) -> Finding {
    let message =
        format!("the job has more than {max} lines of schedules: this one and those after it are left out");
    refusal(ConvertCode::TooLong, message).with_help("split the job into several files")
}

/// A step that does not divide the range of its field, which has so many values of it at least and at most.
pub(crate) fn uneven_step(field: CronField, step: u32, least: u32, most: u32) -> Finding {
    let message = format!(
        "the step {step} does not divide the range of the {}: Jenkins builds {least} or {most} times in it, by a hash of the \
         name, and Kron starts {most} times",
        field.name()
    );
    warning(ConvertCode::HashedStep, message)
}

pub(crate) fn not_five_fields(line: &str) -> Finding {
    refusal(ConvertCode::BadSchedule, format!("`{}` does not have five fields", shown(line)))
        .with_help("write minute, hour, day of month, month and day of week")
}

/// A trigger whose schedule is not plain text. `what` is `the triggers` or `the times of ...`.
pub(crate) fn at_run_time(what: &str) -> Finding {
    refusal(ConvertCode::KnownAtRunTime, format!("{what} are known only when the pipeline runs")).with_help(
        "write the times into a file, one schedule a line, and convert that file with `--format jenkins`",
    )
}

pub(crate) fn trigger_as_map() -> Finding {
    refusal(ConvertCode::NotReadable, "the trigger is written as a map with `$class`")
        .with_help("write it as `cron('...')`")
}

/// A trigger that is not a timer, by its name in a Jenkinsfile.
pub(crate) fn not_a_timer(name: &str) -> Finding {
    let (what, help) = match name {
        "pollSCM" => ("builds only if the sources have changed", "leave it in Jenkins"),
        "parameterizedCron" => (
            "gives parameters to its builds, and a job of Kron has none",
            "write a job with these times, and the parameters in its `command=`",
        ),
        _ => ("is not a time", "leave it in Jenkins"),
    };
    refusal(ConvertCode::NotATime, format!("`{}` {what}", shown(name))).with_help(help)
}

pub(crate) fn broken_xml(reason: &str) -> Finding {
    refusal(ConvertCode::NotReadable, format!("the XML cannot be read: {reason}"))
        .with_help("copy the file `config.xml` of the job again")
}

pub(crate) fn open_element(name: &str) -> Finding {
    broken_xml(&format!("it ends inside of `{}`", shown(name)))
}
