//! Messages about CronWorkflows.

use kron_core::Finding;

use super::{ConvertCode, note, refusal, shown, warning};

/// `setting` is what suspends a job.
pub(crate) fn suspended(count: usize, setting: &str) -> Finding {
    let are = match count {
        1 => "1 CronWorkflow is".to_string(),
        _ => format!("{count} CronWorkflows are"),
    };
    note(ConvertCode::Suspended, format!("{are} suspended, and so are the jobs"))
        .with_help(format!("remove `{setting}` from a job that is to start"))
}

pub(crate) fn jobs_submit() -> Finding {
    note(ConvertCode::StartsInSource, "the jobs submit the CronWorkflows with `argo submit --from`")
        .with_help("set `suspend: true` in the CronWorkflows, so that they do not start by themselves")
}

/// A field that decides whether a workflow starts.
pub(crate) fn decides_start(field: &str) -> Finding {
    let message = format!("`spec.{field}` decides whether a workflow starts");
    refusal(ConvertCode::NotExpressible, message).with_help("keep this CronWorkflow")
}

pub(crate) fn no_effect(field: &str) -> Finding {
    let message = format!("field `spec.{}` has no effect on workflows that are submitted", shown(field));
    warning(ConvertCode::LeftOut, message)
}

pub(crate) fn no_name() -> Finding {
    refusal(ConvertCode::MissingField, "`metadata.name` is missing")
}

pub(crate) fn no_schedule() -> Finding {
    refusal(ConvertCode::MissingField, "`spec.schedule` and `spec.schedules` are missing")
}

pub(crate) fn schedules_are_no_list() -> Finding {
    refusal(ConvertCode::BadValue, "`spec.schedules` is not a list")
        .with_help("write for example `schedules: ['0 3 * * *']`")
}

pub(crate) fn empty_zone(schedule: &str) -> Finding {
    let message = format!("the schedule `{}` has an empty time zone", shown(schedule));
    refusal(ConvertCode::BadValue, message).with_help("write for example `CRON_TZ=Europe/Paris 0 3 * * *`")
}

pub(crate) fn same_minute() -> Finding {
    let message =
        "Argo starts one workflow where schedules match the same minute, Kron one for each schedule";
    warning(ConvertCode::StartsTwice, message)
}

pub(crate) fn replace() -> Finding {
    let message = "spec.concurrencyPolicy: `Replace` stops the active workflow, and a job can only stop the command that \
                   submitted it";
    refusal(ConvertCode::NotExpressible, message).with_help("keep this CronWorkflow, or write `Forbid`")
}

pub(crate) fn concurrency(word: &str) -> Finding {
    let message = format!("spec.concurrencyPolicy: `{}` is not `Allow`, `Forbid` or `Replace`", shown(word));
    refusal(ConvertCode::BadValue, message)
}

pub(crate) fn deadline(text: &str) -> Finding {
    let message = format!("spec.startingDeadlineSeconds: `{}` is not a whole number from 0 on", shown(text));
    refusal(ConvertCode::BadValue, message)
}

pub(crate) fn suspend_is_no_scalar() -> Finding {
    refusal(ConvertCode::BadValue, "spec.suspend: expected `true` or `false`")
}
