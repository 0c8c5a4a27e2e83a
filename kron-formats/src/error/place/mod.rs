//! The messages of placing: each is a function that returns the whole finding. The caller adds its place.

mod code;
mod left;

use kron_core::place::ClockChange;
use kron_core::{Error, Finding, Severity};

pub use self::code::PlaceCode;
pub use self::left::LeftReason;

use super::convert::shown;

use crate::without_days::WithoutDays as _;

fn refusal(code: PlaceCode, message: impl Into<String>) -> Finding {
    Finding::new(Severity::Error, code, message)
}

fn warning(code: PlaceCode, message: impl Into<String>) -> Finding {
    Finding::new(Severity::Warning, code, message)
}

pub(crate) fn declaration(error: &Error) -> Finding {
    // A declaration has no rules of days.
    Finding::from_error(&error.clone().without_days())
}

pub(crate) fn no_schedule() -> Finding {
    refusal(PlaceCode::NoSchedule, "the declaration stands where no schedule is")
        .with_help("put the comment on the line above the schedule, or behind its value")
}

pub(crate) fn several_declarations() -> Finding {
    refusal(PlaceCode::SeveralDeclarations, "the schedule has two declarations")
        .with_help("take one of them away")
}

pub(crate) fn several_schedules() -> Finding {
    refusal(PlaceCode::SeveralSchedules, "the line has several schedules, and a declaration is about one")
        .with_help("give each schedule a line")
}

pub(crate) fn object_without_schedule() -> Finding {
    refusal(PlaceCode::NoSchedule, "the declaration's object has no schedule")
        .with_help("take the annotation away")
}

pub(crate) fn object_with_several() -> Finding {
    refusal(
        PlaceCode::SeveralSchedules,
        "the declaration's object has several schedules, and a declaration is about one",
    )
    .with_help("give each schedule an object")
}

pub(crate) fn no_text() -> Finding {
    refusal(PlaceCode::NoDeclaration, "the annotation is no text")
        .with_help("write the declaration in quotes")
}

pub(crate) fn other_bytes() -> Finding {
    refusal(PlaceCode::NotEditable, "the schedule cannot be replaced: its bytes are not its value")
        .with_help("write it in one line, without an anchor, an alias and escapes")
}

pub(crate) fn seed_not_editable() -> Finding {
    refusal(PlaceCode::NotEditable, "the declaration cannot get another salt: its bytes are not its value")
        .with_help("write it in one line, without an anchor, an alias and escapes")
}

pub(crate) fn six_fields() -> Finding {
    refusal(
        PlaceCode::SixFields,
        "the schedule has a field of seconds or of years, and only five fields are placed",
    )
    .with_help("take the declaration away, or write five fields")
}

/// What stands there, what is declared, and what would be written.
pub(crate) fn edited_by_hand(name: &str, present: &str, declared: &str, placed: &str) -> Finding {
    let message = format!(
        "the schedule is `{}`, which is neither the declared `{declared}` nor its place `{placed}`: somebody changed one of the two",
        shown(present)
    );
    let force = format!("--force '{}'", shown(name));
    refusal(PlaceCode::EditedByHand, message).with_help(format!(
        "write the declared schedule beside the declaration again, or use `{force}` to write `{placed}`"
    ))
}

/// The same where a declared schedule is to come back.
pub(crate) fn not_to_undo(name: &str, present: &str, declared: &str) -> Finding {
    let message =
        format!("the schedule is `{}`, which is no place of the declared `{declared}`", shown(present));
    let force = format!("--force '{}'", shown(name));
    refusal(PlaceCode::EditedByHand, message)
        .with_help(format!("correct the schedule, or use `{force}` to write `{declared}`"))
}

pub(crate) fn no_declaration() -> Finding {
    warning(
        PlaceCode::NoDeclaration,
        "the comment is no declaration: it begins neither with five fields nor with a macro",
    )
    .with_help("write for example `kron: 0 0 * * * @win(after,1h) name=team/job`")
}

pub(crate) fn behind_command() -> Finding {
    refusal(PlaceCode::BehindCommand, "a comment behind a line of a crontab is a part of the command")
        .with_help("put the declaration on a line of its own above it")
}

pub(crate) fn other_zone(declared: &str, zone: Option<&str>) -> Finding {
    match zone {
        Some(zone) => refusal(
            PlaceCode::OtherZone,
            format!(
                "the declaration names the time zone {}, and the schedule is read in {}",
                shown(declared),
                shown(zone)
            ),
        )
        .with_help("leave `@tz` out: a place is the same in every zone"),
        None => refusal(
            PlaceCode::OtherZone,
            format!(
                "the declaration names the time zone {}, and the other system does not know it",
                shown(declared)
            ),
        )
        .with_help("leave `@tz` out, or say by `--tz` in which zone the schedule is read"),
    }
}

pub(crate) fn crons_differ(item: &str) -> Finding {
    refusal(PlaceCode::CronsDiffer, format!("crons read `{}` in different ways", shown(item)))
        .with_help("write a range with the step, such as `5-59/15`")
}

pub(crate) fn compared_text() -> Finding {
    refusal(
        PlaceCode::ComparedText,
        "the workflow compares the text of its schedules, so another text would not be found",
    )
    .with_help("take the declaration away")
}

pub(crate) fn host_unknown(name: &str) -> Finding {
    let message =
        format!("`{}` is left as it is: its name has `{{host}}`, and no host is given", shown(name));
    Finding::new(Severity::Note, PlaceCode::HostUnknown, message).with_help("name the host by `--host`")
}

/// `path` is that of the other declaration, if it is in another file.
pub(crate) fn same_name(name: &str, path: Option<&str>, line: usize) -> Finding {
    let place = path.map_or(String::new(), |path| format!("{path}, "));
    warning(
        PlaceCode::SameName,
        format!(
            "another declaration has the name `{}`, so both have the same draw: {place}line {line}",
            shown(name)
        ),
    )
    .with_help(
        "give one of them another name, by `name=` in its declaration, or leave its file out by `--exclude`",
    )
}

pub(crate) fn few_places(name: &str, places: usize, window: u32, why: &str) -> Finding {
    let message = format!(
        "`{}` has {places} possible place{} in the {window} minutes of its window: {why}",
        shown(name),
        if places == 1 { "" } else { "s" }
    );
    warning(PlaceCode::FewPlaces, message).with_help("shorten the window, or loosen the constraints")
}

pub(crate) fn clock_change(name: &str, placed: &str, change: &ClockChange, zone: &str) -> Finding {
    let happens = if change.is_skipped() { "does not exist" } else { "exists twice" };
    let message = format!(
        "`{}` is placed at `{placed}`, and {} {happens} in {}, where the clocks change",
        shown(name),
        change.civil_time(),
        shown(zone)
    );
    let help = "keep such minutes free by `@avoid(between=02:00-02:59)`, or move the job by another salt";
    warning(PlaceCode::ClockChange, message).with_help(help)
}

/// A schedule whose name would have no beginning.
pub(crate) fn no_prefix() -> Finding {
    refusal(PlaceCode::NoPrefix, "the schedule needs a name, and nothing says how names begin")
        .with_help("give `--prefix`, or `--namespace` for objects of Kubernetes")
}

pub(crate) fn no_resource_list() -> Finding {
    refusal(
        PlaceCode::FunctionInput,
        "the input is no `ResourceList`, which kustomize and kpt give to a function",
    )
    .with_help("leave `--krm` out for other texts")
}

pub(crate) fn no_function_text(key: &str) -> Finding {
    refusal(PlaceCode::FunctionInput, format!("`{}` of the function's configuration is no text", shown(key)))
        .with_help("write the value in quotes")
}

pub(crate) fn no_comment_of_yaml() -> Finding {
    refusal(
        PlaceCode::NotConfirmed,
        "the declaration is no comment of YAML, so taking it away could change a value",
    )
    .with_help("put it behind `#`, on the line above the schedule")
}

pub(crate) fn not_confirmed() -> Finding {
    refusal(
        PlaceCode::NotConfirmed,
        "the file is left as it is: read again, it has another change than the intended one",
    )
    .with_help("report this as a bug, with the file")
}
