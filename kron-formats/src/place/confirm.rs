//! The second reading: a text that was changed has exactly the intended change.

use super::PlacedSchedule;
use super::source::{Mode, Source};

/// Whether a changed text, read again in its own syntax, differs from its source in the schedules alone.
///
/// A source that is not in the syntax that its path names, such as a template, has no second reader.
pub(super) fn is_confirmed(
    source: &Source<'_>,
    text: &str,
    schedules: &[PlacedSchedule],
    _mode: Mode,
) -> bool {
    let extension = source.path.rsplit_once('.').map_or("", |(_, extension)| extension);
    match extension {
        "yaml" | "yml" => match (yaml(source.text), yaml(text)) {
            (Some(old), Some(new)) => differ_in(&old, &new, schedules),
            (None, _) => true,
            (Some(_), None) => false,
        },
        "json" => match (json(source.text), json(text)) {
            (Some(old), Some(new)) => differ_in(&[old], &[new], schedules),
            (None, _) => true,
            (Some(_), None) => false,
        },
        _ => true,
    }
}

fn json(text: &str) -> Option<serde_json::Value> {
    serde_json::from_str(text).ok()
}

fn yaml(text: &str) -> Option<Vec<serde_json::Value>> {
    serde_saphyr::from_multiple(text).ok()
}

/// Whether two readings differ in texts that are schedules, and in nothing else.
fn differ_in(old: &[serde_json::Value], new: &[serde_json::Value], schedules: &[PlacedSchedule]) -> bool {
    old.len() == new.len() && old.iter().zip(new).all(|(old, new)| same(old, new, schedules))
}

fn same(old: &serde_json::Value, new: &serde_json::Value, schedules: &[PlacedSchedule]) -> bool {
    use serde_json::Value;
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            old.len() == new.len()
                && old
                    .iter()
                    .zip(new)
                    .all(|((name, old), (other, new))| name == other && same(old, new, schedules))
        }
        (Value::Array(old), Value::Array(new)) => {
            old.len() == new.len() && old.iter().zip(new).all(|(old, new)| same(old, new, schedules))
        }
        (Value::String(old), Value::String(new)) if old != new => {
            // A schedule can be a part of a text, such as that of a block scalar, in which a comment goes, too.
            schedules.iter().any(|schedule| old.contains(&schedule.present) && new.contains(&schedule.placed))
        }
        _ => old == new,
    }
}
