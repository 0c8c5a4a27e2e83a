//! The time zones of the schedules of a workflow of GitHub.

use std::collections::BTreeMap;

use crate::convert::yaml::{Lines, Node, read};

/// The names of the zones in which the schedules of a workflow are read, by their lines from 1: `timezone` beside `cron`, else UTC.
pub(super) fn zones(text: &str) -> BTreeMap<usize, String> {
    let mut out = BTreeMap::new();
    let Ok(documents) = read(text) else { return out };
    let lines = Lines::new(text);
    for document in &documents {
        let schedules = document.root.get("on").and_then(|on| on.get("schedule")).and_then(Node::items);
        for item in schedules.unwrap_or_default() {
            let Some(cron) = item.get("cron") else { continue };
            let zone = item.get("timezone").and_then(|zone| document.scalar(zone));
            out.insert(lines.of(cron.start) + 1, zone.map_or("UTC", |(zone, _)| zone).to_string());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_of_schedules() {
        let text = "on:\n  schedule:\n    - cron: '0 0 * * *'\n    - timezone: Europe/Paris\n      cron: 0 1 * * *\n";
        let found: Vec<(usize, String)> = zones(text).into_iter().collect();
        assert_eq!(found, [(3, "UTC".to_string()), (5, "Europe/Paris".to_string())]);
        assert!(zones("on: [push]").is_empty() && zones("{{").is_empty());
    }
}
