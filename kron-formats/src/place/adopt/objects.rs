//! Annotations for the declarations of CronJobs and CronWorkflows.

use super::judge::{self, Judged};
use super::keys::Keys;
use super::site::{Insertion, Site, SiteName};
use crate::convert::yaml::{Document, Lines, Node};
use crate::error::place::LeftReason;
use crate::place::live;
use crate::place::objects::{ANNOTATION, Object, Schedule, bytes_of_value};

/// Takes the schedule of an object. `of_cluster`: only objects of a cluster that nothing else keeps are taken.
pub(super) fn take(keys: &mut Keys<'_, '_>, object: &Object<'_>, of_cluster: bool) {
    let (text, lines) = (keys.text, keys.lines);
    let spec = object.root.get("spec");
    let node = match object.schedule() {
        Schedule::One(node) => node,
        // Nothing runs by it.
        Schedule::Missing => return,
        Schedule::Several => {
            let one = [spec.and_then(|spec| spec.get("schedule"))];
            let list = spec.and_then(|spec| spec.get("schedules")).and_then(Node::items);
            for node in one.into_iter().flatten().chain(list.unwrap_or_default()) {
                let value = object.document.scalar(node).map_or("", |(value, _)| value);
                keys.found.leave(lines.of(node.start) + 1, value, LeftReason::SeveralSchedules);
            }
            return;
        }
    };
    let Some((value, _)) = object.document.scalar(node) else {
        let is_template = text[node.start..].starts_with("{{");
        let reason = if is_template { LeftReason::Template } else { LeftReason::NotItsBytes };
        keys.found.leave(lines.of(node.start) + 1, lines.text(lines.of(node.start)).trim(), reason);
        return;
    };
    let said = keys.last.said(lines, lines.of(node.start));
    match said.map_or_else(|| site(text, object, node, lines, of_cluster), Err) {
        Ok(site) => keys.found.sites.push(site),
        Err(reason) => keys.found.leave(lines.of(node.start) + 1, value, reason),
    }
}

fn site(
    text: &str,
    object: &Object<'_>,
    node: &Node,
    lines: &Lines<'_>,
    of_cluster: bool,
) -> Result<Site, LeftReason> {
    let Object { document, root, .. } = object;
    let metadata = root.get("metadata").ok_or(LeftReason::NoName)?;
    let annotations = metadata.get("annotations");
    let has_declaration =
        annotations.is_some_and(|map| map.entries().iter().any(|entry| entry.is(ANNOTATION)));
    if has_declaration {
        return Err(LeftReason::Declared);
    }
    if of_cluster && !live::is_live(object) {
        return Err(LeftReason::NotLive);
    }
    if let Some(reason) = of_cluster.then(|| live::keeper(object)).flatten() {
        return Err(reason);
    }
    // Templates of Argo stand elsewhere in a CronWorkflow. Flux and others replace `${NAME}`.
    let is_made = |text: &str| judge::is_template(text) || text.contains("${");
    if text.get(metadata.start..metadata.end).is_some_and(is_made) {
        return Err(LeftReason::Template);
    }
    let value = document.scalar(node).map_or("", |(value, _)| value);
    match judge::of_value(value) {
        Judged::Plain => {}
        Judged::Left(reason) => return Err(reason),
        Judged::NoSchedule => return Err(LeftReason::NotPlain),
    }
    let list = root.get("spec").and_then(|spec| spec.get("schedules"));
    if list.is_some_and(|list| list.is_flow() && lines.of(list.start) == lines.of(node.start)) {
        return Err(LeftReason::OneLineList);
    }
    let schedule = bytes_of_value(text, document, node).ok_or(LeftReason::NotItsBytes)?;
    let name = object.text(&["metadata", "name"]).ok_or(LeftReason::NoName)?;
    let insertion = annotation(text, object.document, metadata, annotations, lines)?;
    let name = match object.name(None) {
        Some(whole) => SiteName::Whole(whole),
        None => SiteName::Object(name.to_string()),
    };
    let zone = object.zone().map(str::to_string);
    Ok(Site { line: lines.of(schedule.start) + 1, schedule, name, zone, insertion })
}

/// Where the annotation is written: before the first one, or as the first entry of the metadata.
fn annotation(
    text: &str,
    document: &Document,
    metadata: &Node,
    annotations: Option<&Node>,
    lines: &Lines<'_>,
) -> Result<Insertion, LeftReason> {
    let (map, is_new) = annotations.map_or((metadata, true), |map| (map, false));
    let has_merge_key = map.entries().iter().any(|entry| entry.is("<<"));
    if document.is_named(metadata) || document.is_named(map) || has_merge_key || !map.is_map() {
        return Err(LeftReason::Annotations);
    }
    let first = map.entries().first().ok_or(LeftReason::Annotations)?.key.start;
    let json = text[first..].starts_with('"') && map.is_flow();
    let key = |key: &str| if json { format!("\"{key}\": ") } else { format!("{key}: ") };
    if map.is_flow() {
        // The blanks before the first key stand before the second one, too.
        let gap = &text[text[..first].rfind('{').map_or(first, |at| at + 1)..first];
        let gap = if gap.is_empty() { " " } else { gap };
        let before = match is_new {
            true => format!("{}{{{}", key("annotations"), key(ANNOTATION)),
            false => key(ANNOTATION),
        };
        let close = if is_new { "}" } else { "" };
        return Ok(Insertion { at: first, before, after: format!("{close},{gap}"), quoted: true });
    }
    if !lines.is_first(first) {
        return Err(LeftReason::Annotations);
    }
    let at = lines.range(lines.of(first)).start;
    let (indentation, end) = (&text[at..first], lines.line_break());
    let before = match is_new {
        true => format!("{indentation}annotations:{end}{indentation}  {ANNOTATION}: "),
        false => format!("{indentation}{ANNOTATION}: "),
    };
    Ok(Insertion { at, before, after: end.to_string(), quoted: true })
}
