//! The schedules of a text, by its syntax.

use std::collections::BTreeSet;
use std::ptr;

use toml_edit::Document as Toml;

use super::Adoption;
use super::generated::Generated;
use super::judge;
use super::keys::{Keys, leave_lines};
use super::objects;
use super::site::{Found, LastLine, Site, SiteName, comment_above_entry};
use super::value;
use crate::convert::crontab;
use crate::convert::yaml::{Document, Lines, Node, read};
use crate::error::place::LeftReason;
use crate::place::json;
use crate::place::lines::zone_of_lines_below;
use crate::place::live::is_live;
use crate::place::objects::Object;
use crate::place::source::{Kind, Source, Syntax};

/// Finds the schedules of a source of a kind.
pub(super) fn find(source: &Source<'_>, kind: Kind, adoption: &Adoption<'_>) -> Found {
    let mut found = Found::default();
    let of_cluster = adoption.of_cluster;
    if kind == Kind::Crontab {
        of_crontab(source, &mut found);
        return found;
    }
    let lines = Lines::new(source.text);
    let Some(syntax) = source.syntax() else {
        if !source.is_prose() && !source.path.ends_with(".txt") {
            leave_lines(&lines, source.text, LeftReason::OtherSyntax, &mut found);
        }
        return found;
    };
    let mut keys = Keys {
        text: source.text,
        lines: &lines,
        mark: "#",
        keys: adoption.keys,
        refused: None,
        opens_windows: source.opens_windows(),
        is_workflow: kind == Kind::Workflow,
        last: LastLine::default(),
        found: &mut found,
    };
    let encrypted = match syntax {
        Syntax::Yaml => of_yaml(&mut keys, of_cluster),
        Syntax::Toml => of_toml(&mut keys),
        Syntax::Json => of_json(&mut keys, of_cluster),
    };
    let generated = Generated::new(source.text);
    found.leave_where(source.text, |site| {
        encrypted.or(generated.has(site.line - 1).then_some(LeftReason::Generated))
    });
    found.sites.sort_by_key(|site| site.schedule.start);
    found.left.sort_by_key(|left| left.line);
    found
}

/// The answer is why nothing of the text is changed.
fn of_yaml(keys: &mut Keys<'_, '_>, of_cluster: bool) -> Option<LeftReason> {
    let Ok(documents) = read(keys.text) else {
        let is_template = judge::is_template(keys.text);
        let reason = if is_template { LeftReason::InTemplate } else { LeftReason::Broken };
        leave_lines(keys.lines, keys.text, reason, keys.found);
        return None;
    };
    let all = Object::all(&documents);
    let is_live = of_cluster && all.iter().any(is_live);
    for object in &all {
        objects::take(keys, object, is_live);
    }
    if is_live {
        // Only those are applied.
        keys.refused = Some(LeftReason::NotLive);
    }
    let taken: BTreeSet<*const Node> = all.iter().map(|object| ptr::from_ref(object.root)).collect();
    for document in &documents {
        for (root, name) in roots(document) {
            let value =
                value::of_yaml(keys.text, document, root, &|node| taken.contains(&ptr::from_ref(node)));
            let before = keys.refused;
            if text(document, root, "kind") == Some("KronJob") {
                keys.refused = Some(LeftReason::KronJob);
            }
            keys.take(&value, &name.map_or(String::new(), |name| format!("{name}/")));
            keys.refused = before;
        }
    }
    let is_encrypted = |document: &Document| document.root.get("sops").is_some_and(Node::is_map);
    documents.iter().any(is_encrypted).then_some(LeftReason::Sops)
}

/// The objects of a document, or its root, with the names of objects.
pub(super) fn roots(document: &Document) -> Vec<(&Node, Option<&str>)> {
    let root = &document.root;
    let named = |node| {
        let metadata = Node::get(node, "kind").and_then(|_| node.get("metadata"));
        (node, metadata.and_then(|metadata| text(document, metadata, "name")))
    };
    match root.get("items").and_then(Node::items).filter(|_| root.get("kind").is_some()) {
        Some(items) => items.iter().map(named).collect(),
        None => vec![named(root)],
    }
}

pub(super) fn text<'d>(document: &'d Document, map: &'d Node, key: &str) -> Option<&'d str> {
    document.scalar(map.get(key)?).map(|(text, _)| text)
}

fn of_toml(keys: &mut Keys<'_, '_>) -> Option<LeftReason> {
    match Toml::parse(keys.text) {
        Ok(document) => {
            keys.take(&value::of_toml(keys.text, document.as_item()), "");
            document.get("sops").is_some_and(|sops| sops.is_table_like()).then_some(LeftReason::Sops)
        }
        Err(_) => {
            leave_lines(keys.lines, keys.text, LeftReason::Broken, keys.found);
            None
        }
    }
}

fn of_json(keys: &mut Keys<'_, '_>, of_cluster: bool) -> Option<LeftReason> {
    if serde_json::from_str::<serde::de::IgnoredAny>(keys.text).is_ok() {
        // Objects have annotations.
        keys.refused = Some(LeftReason::StrictJson);
        return of_yaml(keys, of_cluster);
    }
    keys.mark = "//";
    match json::parse(keys.text) {
        Some(parsed) => {
            if let Some(root) = &parsed.root {
                keys.take(&value::of_json(keys.text, root), "");
            }
        }
        None => leave_lines(keys.lines, keys.text, LeftReason::Broken, keys.found),
    }
    None
}

fn of_crontab(source: &Source<'_>, found: &mut Found) {
    let lines = Lines::new(source.text);
    let generated = Generated::new(source.text);
    let users = crontab::has_users(source.path, source.text);
    let mut names = crontab::names_of_lines(source.path, source.text).into_iter().peekable();
    let mut zone = None;
    for (index, line) in source.text.lines().enumerate() {
        if let Some(name) = zone_of_lines_below(line) {
            zone = Some(name.to_string());
        }
        let Some((_, name)) = names.next_if(|(line, _)| *line == index + 1) else { continue };
        let entry = comment_above_entry(&lines, index).and_then(|entry| match generated.has(index) {
            true => Err(LeftReason::Generated),
            false if !crontab::has_command(line, users) => Err(LeftReason::NoCommand),
            false => Ok(entry),
        });
        match entry {
            Ok((schedule, insertion)) => {
                let (line, name, zone) = (index + 1, SiteName::Key(name), zone.clone());
                found.sites.push(Site { schedule, line, name, zone, insertion });
            }
            Err(reason) => found.leave(index + 1, line, reason),
        }
    }
}
