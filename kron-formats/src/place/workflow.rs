//! What workflows of GitHub say about their schedules: the time zones, and whether they compare the texts.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::comment::{Says, comment};
use super::source::Source;
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

/// Whether a workflow or an action reads the schedule that started it. Declarations are no code: a name can be any text.
pub(super) fn reads_schedule(text: &str) -> bool {
    const WORDS: [&str; 4] = ["event.schedule", "payload.schedule", "github.event.*", "github.event.format("];
    // What has the whole event.
    const FILES: [&str; 3] = ["github_event_path", "event_path", "tojson(github.event)"];
    const OF_FILES: [&str; 3] = [".schedule", ".get(\"schedule\"", ".get('schedule'"];
    let code = |line| match comment(line) {
        Some(found) if matches!(found.says, Says::Declaration(_)) => &line[..found.start],
        _ => line,
    };
    let lines: Vec<String> = text.lines().map(code).map(with_dots).collect();
    let has = |words: &[&str]| lines.iter().any(|line| words.iter().any(|word| line.contains(word)));
    has(&WORDS) || has(&FILES) && has(&OF_FILES)
}

/// A line in lower case, as GitHub reads names, with `a.b` for `a['b']`, `a?.b` and `a . b`.
fn with_dots(line: &str) -> String {
    let (mut out, mut is_index) = (String::with_capacity(line.len()), false);
    let mut rest = line.chars().peekable();
    let blank = [' ', '\t'];
    while let Some(c) = rest.next() {
        match c {
            '[' => {
                is_index = true;
                if !out.ends_with('.') {
                    out.push('.');
                }
            }
            ']' => is_index = false,
            ' ' | '\t' | '\'' | '"' | '\\' if is_index => {}
            '?' if rest.peek() == Some(&'.') => {}
            // A sentence has no blank before its dot.
            '.' if out.ends_with(blank) => {
                out.truncate(out.trim_end_matches(blank).len());
                out.push('.');
                while rest.next_if(|c| blank.contains(c)).is_some() {}
            }
            c => out.push(c.to_ascii_lowercase()),
        }
    }
    out
}

/// Which of these sources are workflows that compare the texts of their schedules, by themselves, or by a workflow or an action of their
/// repository that they call. `beside` are further files of the repositories.
///
/// Each source is a path and a text.
pub(super) fn comparing(sources: &[Source<'_>], beside: &[(String, String)]) -> BTreeSet<usize> {
    let further = beside.iter().map(|(path, text)| (path.as_str(), text.as_str()));
    let sources: Vec<(&str, &str)> =
        sources.iter().map(|source| (source.path, source.text)).chain(further).collect();
    let roots: BTreeSet<&str> = sources.iter().filter_map(|(path, _)| root(path)).collect();
    let mut callers: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut found = BTreeSet::new();
    let mut new = Vec::new();
    for (index, (path, text)) in sources.iter().enumerate().filter(|(_, (path, _))| called(path).is_some()) {
        // The longest one: a repository can have another one in a folder.
        let root = roots.iter().rev().find(|root| path.starts_with(**root)).copied().unwrap_or_default();
        for path in calls(text) {
            callers.entry(format!("{root}{path}")).or_default().push(index);
        }
        if reads_schedule(text) {
            new.push(index);
        }
    }
    while let Some(index) = new.pop() {
        if found.insert(index) {
            let path = called(sources[index].0);
            new.extend(path.and_then(|path| callers.get(path)).into_iter().flatten());
        }
    }
    found
}

/// The workflows and actions that the workflows among these sources call in their own repositories, by their paths and texts, without the
/// sources themselves: what [`Options::beside`](super::Options::beside) wants to know. `read` gives the text of a file by its path, if it
/// is there.
///
/// ```
/// use kron_formats::place::{Source, called_files};
/// let text = "jobs:\n  a:\n    steps:\n    - uses: ./tools/report\n";
/// let read = |path: &str| (path == "web/tools/report/action.yml").then(|| "runs: {}".to_string());
/// let called = called_files(&[Source::new("web/.github/workflows/a.yml", text)], &read);
/// assert_eq!(called, [("web/tools/report/action.yml".to_string(), "runs: {}".to_string())]);
/// ```
pub fn called_files(sources: &[Source<'_>], read: &dyn Fn(&str) -> Option<String>) -> Vec<(String, String)> {
    let mut known: BTreeSet<String> = sources.iter().map(|source| source.path.to_string()).collect();
    let mut found: Vec<(String, String)> = Vec::new();
    for source in sources {
        let Some(root) = root(source.path).filter(|_| called(source.path).is_some()) else { continue };
        let mut texts = vec![Cow::Borrowed(source.text)];
        while let Some(text) = texts.pop() {
            for path in calls(&text).filter(|path| !path.split('/').any(|part| part == "..")) {
                for path in files(&format!("{root}{path}")) {
                    if !known.insert(path.clone()) {
                        continue;
                    }
                    if let Some(text) = read(&path) {
                        texts.push(Cow::Owned(text.clone()));
                        found.push((path, text));
                    }
                }
            }
        }
    }
    found
}

/// The files that a call can mean: a workflow, or the description of an action in a folder.
fn files(called: &str) -> Vec<String> {
    let is_workflow = called.ends_with(".yml") || called.ends_with(".yaml");
    let of_action = ["yml", "yaml"].map(|extension| format!("{called}/action.{extension}"));
    if is_workflow { vec![called.to_string()] } else { of_action.to_vec() }
}

/// The path of the repository that a file below `.github` belongs to, with `/` at the end unless it is empty.
fn root(path: &str) -> Option<&str> {
    let at = if path.starts_with(".github/") { 0 } else { path.rfind("/.github/")? + 1 };
    Some(&path[..at])
}

/// By what path others call a file, if it is a workflow or an action: its own, or that of its folder.
fn called(path: &str) -> Option<&str> {
    let (folder, name) = path.rsplit_once('/')?;
    let is_workflow = folder == ".github/workflows" || folder.ends_with("/.github/workflows");
    match name {
        "action.yml" | "action.yaml" => Some(folder),
        _ => is_workflow.then_some(path),
    }
}

/// The workflows and actions of its own repository that a text calls, by their paths in it.
fn calls(text: &str) -> impl Iterator<Item = &str> {
    let after_key = text.lines().filter(|line| !line.trim_start().starts_with('#')).flat_map(|line| {
        let keys = line.match_indices("uses");
        keys.filter_map(|(at, key)| {
            let value =
                line[at + key.len()..].trim_start_matches(['"', '\'']).trim_start().strip_prefix(':')?;
            Some(value.trim_start())
        })
    });
    after_key.filter_map(|value| {
        let quote = value.chars().next().filter(|first| matches!(first, '"' | '\''));
        let called = match quote {
            Some(quote) => value[1..].split(quote).next()?,
            None => value.split([' ', '\t', ',', '}']).next()?,
        };
        Some(called.strip_prefix("./")?.trim_end_matches('/'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_calls() {
        let text = "  uses: ./a/b/\n- uses: \"./c.yml\" # x\n- uses: actions/checkout@v5\n  uses: './d e'\n# uses: ./e\n\
                    - { name: uses, 'uses': ./f}\n";
        assert_eq!(calls(text).collect::<Vec<_>>(), ["a/b", "c.yml", "d e", "f"]);
        assert_eq!(called("r/.github/workflows/a.yml"), Some("r/.github/workflows/a.yml"));
        assert_eq!(
            (called("r/x/action.yml"), called("r/x/a.yml"), called("a.yml")),
            (Some("r/x"), None, None)
        );
        let roots = ["r/.github/workflows/a.yml", ".github/x/action.yml", "r/.githubs/a.yml"].map(root);
        assert_eq!(roots, [Some("r/"), Some(""), None]);
    }

    #[test]
    fn what_reads_the_schedule() {
        for text in [
            "if: github.event.schedule == '0 3 * * *'",
            "if: github.event['schedule'] == '0 3 * * *'",
            "if: github.event . schedule == '0 3 * * *'",
            "if: github.event\t.schedule == '0 3 * * *'",
            "if: github['event'][ \"schedule\" ] == '0 3 * * *'",
            "if: GitHub['event'].Schedule == '0 3 * * *'",
            "script: \"if (context.payload[\\\"schedule\\\"] == x) {}\"",
            "script: if (context.payload?.['schedule'] == x) {}",
            "run: jq -r .schedule \"$GITHUB_EVENT_PATH\"",
            "env: {E: '${{ toJSON(github.event) }}'}\nrun: jq -r .schedule <<< \"$E\"",
            "if: contains(github.event.*, '0 3 * * *')",
            "if: github.event[format('{0}ule', 'sched')] == '0 3 * * *'",
            "run: json.load(open(os.environ['GITHUB_EVENT_PATH'])).get(\"schedule\")",
        ] {
            assert!(reads_schedule(text), "{text}");
        }
        for text in [
            "if: github.event_name == 'schedule'",
            "if: github['event_name'] == 'schedule'",
            "on: [push, schedule] # an event. Schedules follow",
            "# kron: 0 3 * * * @win(after,1h) name=event.schedule",
            "run: jq -r .action \"$GITHUB_EVENT_PATH\"\non:\n  schedule:",
            "run: echo '${{ toJSON(github.event) }}'\non:\n  schedule:",
        ] {
            assert!(!reads_schedule(text), "{text}");
        }
    }

    #[test]
    fn zones_of_schedules() {
        let text = "on:\n  schedule:\n    - cron: '0 0 * * *'\n    - timezone: Europe/Paris\n      cron: 0 1 * * *\n";
        let found: Vec<(usize, String)> = zones(text).into_iter().collect();
        assert_eq!(found, [(3, "UTC".to_string()), (5, "Europe/Paris".to_string())]);
        assert!(zones("on: [push]").is_empty() && zones("{{").is_empty());
    }
}
