//! Messages about CronJobs, and about manifests whose text is edited.

use kron_core::{ErrorCode, Finding, Severity};

use super::yaml::RENDER;
use super::{ConvertCode, note, refusal, shown, warning};

/// What a CronJob without a zone becomes.
pub(crate) const KRONJOBS_ARE_IN_UTC: &str =
    "KronJobs without `timezone` are in UTC, as most controller managers are";

/// What a source has that many CronJobs of, and what it means for them.
fn count(code: ConvertCode, count: usize, what: &str, help: &str) -> Finding {
    let (jobs, have) = if count == 1 { ("CronJob", "has") } else { ("CronJobs", "have") };
    note(code, format!("{count} {jobs} {have} {what}")).with_help(help)
}

pub(crate) fn without_zone(jobs: usize) -> Finding {
    count(
        ConvertCode::TimeZoneAssumed,
        jobs,
        "no `timeZone`, which means the time zone of the controller manager",
        KRONJOBS_ARE_IN_UTC,
    )
}

pub(crate) fn without_deadline(jobs: usize) -> Finding {
    count(
        ConvertCode::LateStarts,
        jobs,
        "no `startingDeadlineSeconds`, which means that no start is too late",
        "`policy.deadline: 8784h` means the same; shorten it where a late start does harm",
    )
}

pub(crate) fn forbid(jobs: usize) -> Finding {
    count(
        ConvertCode::ActiveRun,
        jobs,
        "`concurrencyPolicy: Forbid`",
        "the CronJob controller makes up for a skipped start when the active Job ends; a KronJob does not",
    )
}

/// A schedule that no date matches, by which CronJobs are switched off.
pub(crate) fn never(schedule: &str, instead: &str, annotation: &str) -> Finding {
    let message = format!(
        "`{}` matches no date, so the CronJob never starts: the KronJob is suspended, with the schedule `{instead}`",
        shown(schedule)
    );
    Finding::new(Severity::Warning, ErrorCode::CronNeverMatches, message)
        .with_help(format!("the annotation `{annotation}` keeps what was written"))
}

pub(crate) fn edits_overlap() -> Finding {
    refusal(ConvertCode::NotEditable, "the edits of this file overlap")
        .with_help("write one object a document")
}

pub(crate) fn stays_in_list() -> Finding {
    refusal(ConvertCode::NotEditable, "a CronJob that is refused cannot be taken out of this list")
        .with_help("write each object as a separate document, with `---` between them, and without aliases")
}

pub(crate) fn no_kind() -> Finding {
    refusal(ConvertCode::MissingField, "it has no `kind`, so it is unclear what it is")
        .with_help("write the list by `kubectl get cronjobs -o yaml`")
}

pub(crate) fn alias_of_another_object() -> Finding {
    refusal(ConvertCode::NotEditable, "it has an alias of an anchor in another object of the list")
        .with_help("write the value out where the alias is")
}

pub(crate) fn shared_lines() -> Finding {
    refusal(ConvertCode::NotEditable, "its fields share lines in a way that cannot be edited")
        .with_help("write one field a line")
}

pub(crate) fn not_one_kronjob() -> Finding {
    refusal(ConvertCode::NotEditable, "it does not read as one KronJob after it is edited")
}

pub(crate) fn repeated_name() -> Finding {
    refusal(ConvertCode::RepeatedName, "another CronJob has the same name")
        .with_help("convert each CronJob once")
}

/// Merge keys bring fields from elsewhere, which edits do not reach.
pub(crate) fn merge_key(map: &str) -> Finding {
    refusal(ConvertCode::NotEditable, format!("{map} has a merge key `<<`")).with_help("write its fields out")
}

pub(crate) fn repeated_by_alias(field: &str) -> Finding {
    refusal(ConvertCode::NotEditable, format!("`{field}` changes, and an alias elsewhere repeats its value"))
        .with_help("write the value out where the alias is")
}

pub(crate) fn is_an_alias(field: &str) -> Finding {
    refusal(ConvertCode::NotEditable, format!("`{field}` is an alias")).with_help("write its fields out")
}

pub(crate) fn missing(field: &str) -> Finding {
    refusal(ConvertCode::MissingField, format!("`{field}` is missing"))
}

pub(crate) fn not_an_object(field: &str) -> Finding {
    refusal(ConvertCode::BadValue, format!("`{field}` is not an object"))
}

pub(crate) fn not_a_scalar(field: &str) -> Finding {
    refusal(ConvertCode::BadValue, format!("{field}: expected a text or a number"))
}

/// A value that a template still has to write: `{{ .Values.schedule }}`, in quotes or not.
pub(crate) fn template(field: &str, text: &str) -> Finding {
    refusal(ConvertCode::NotRendered, format!("{field}: `{}` is a template", shown(text))).with_help(RENDER)
}

/// A field of an object that no object has.
pub(crate) fn field_of_no_object(field: &str) -> Finding {
    let message = format!("field `{}` is left out: objects have no such field", shown(field));
    warning(ConvertCode::LeftOut, message)
}

/// A field of a spec that KronJobs do not have.
pub(crate) fn field_of_no_kronjob(field: &str) -> Finding {
    let message = format!("field `spec.{}` is left out: KronJobs have no such field", shown(field));
    warning(ConvertCode::LeftOut, message)
}

pub(crate) fn owners() -> Finding {
    let message = "`metadata.ownerReferences` is left out: the owner made a CronJob, and will make it again";
    warning(ConvertCode::LeftOut, message)
}

pub(crate) fn finalizers() -> Finding {
    let message = "`metadata.finalizers` is left out: who set them for the CronJob does not know the KronJob";
    warning(ConvertCode::LeftOut, message)
}

pub(crate) fn two_zones() -> Finding {
    let message = "the schedule has a `TZ=` as well as a `timeZone`, which the CronJob controller refuses";
    refusal(ConvertCode::Conflict, message).with_help("take one of them out")
}

pub(crate) fn concurrency(word: &str) -> Finding {
    let message = format!("spec.concurrencyPolicy: `{}` is not `Allow`, `Forbid` or `Replace`", shown(word));
    refusal(ConvertCode::BadValue, message)
}

pub(crate) fn deadline(text: &str) -> Finding {
    let message = format!("spec.startingDeadlineSeconds: `{}` is not a whole number from 0 on", shown(text));
    refusal(ConvertCode::BadValue, message).with_help("write it in decimal digits, without quotes")
}

pub(crate) fn large_deadline(seconds: u64) -> Finding {
    let message = format!("spec.startingDeadlineSeconds: {seconds} is too large");
    let help = "write `31622400`, a year of seconds, or remove it: the newest missed start is made anyway";
    refusal(ConvertCode::BadValue, message).with_help(help)
}

pub(crate) fn zero_deadline() -> Finding {
    let message = "a CronJob with `startingDeadlineSeconds: 0` never starts; the KronJob starts in its second or not at all";
    warning(ConvertCode::LateStarts, message)
}
