//! The schedules that stand under the keys by which files name them, whether or not somebody may edit them.

use std::collections::BTreeMap;
use std::ptr;

use toml_edit::Document as Toml;

use super::find::{roots, text};
use super::judge::{self, Judged};
use super::value::{self, Value};
use super::walk::{Role, walk};
use crate::convert::yaml::{Document, Lines, Node, read};
use crate::error::place::LeftReason;
use crate::place::json;
use crate::place::objects::Object;
use crate::place::source::{Kind, Source, Syntax};

/// Objects whose schedules have readers of their own.
const OTHERS: [&str; 3] = ["KronJob", "CronJob", "CronWorkflow"];

/// A schedule under a key.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlainSchedule {
    /// Its line, from 1.
    pub line: usize,
    /// The keys that lead to it, with points between them, below the name of its object and `/`.
    pub path: String,
    /// What stands there, which some crons may refuse.
    pub text: String,
    /// The name of the zone in which it is read, if the text says it.
    pub timezone: Option<String>,
    /// The namespace and the name of the CronJob that it is a patch of, with `/` between them.
    pub object: Option<String>,
}

/// The schedules of a text that is YAML, TOML or JSON, under the keys by which files name them, such as `schedule` and `cron`. A text that cannot be read
/// has none. Templates, times at which something ends, and the objects of Kubernetes that
/// [`convert`](crate::convert::convert) reads are passed over.
///
/// ```
/// use kron_formats::place::{Source, plain_schedules};
/// let text = "on:\n  schedule:\n    - cron: 0 3 * * *\n      timezone: Europe/Paris\n";
/// let found = plain_schedules(&Source::new(".github/workflows/nightly.yml", text));
/// assert_eq!((found[0].line, found[0].path.as_str()), (3, "on.schedule.0.cron"));
/// assert_eq!((found[0].text.as_str(), found[0].timezone.as_deref()), ("0 3 * * *", Some("Europe/Paris")));
/// ```
#[must_use]
pub fn plain_schedules(source: &Source<'_>) -> Vec<PlainSchedule> {
    let kind = source.kind();
    let Some(syntax) = source.syntax().filter(|_| kind != Kind::Crontab) else { return Vec::new() };
    let lines = Lines::new(source.text);
    let zone = (kind == Kind::Workflow).then_some("UTC");
    if source.opens_windows() {
        return Vec::new();
    }
    let mut plain = Plain { lines: &lines, zone, found: Vec::new() };
    match syntax {
        Syntax::Yaml => plain.of_yaml(source.text),
        Syntax::Toml => {
            if let Ok(document) = Toml::parse(source.text) {
                plain.take(&value::of_toml(source.text, document.as_item()), "");
            }
        }
        // YAML includes JSON without comments, and takes comments for texts.
        Syntax::Json => match json::parse(source.text) {
            Some(parsed) if parsed.has_comments || read(source.text).is_err() => {
                if let Some(root) = &parsed.root {
                    plain.take(&value::of_json(source.text, root), "");
                }
            }
            _ => plain.of_yaml(source.text),
        },
    }
    plain.found.sort_by_key(|found| found.line);
    plain.found
}

struct Plain<'a> {
    lines: &'a Lines<'a>,
    /// The zone of schedules beside which none stands.
    zone: Option<&'static str>,
    found: Vec<PlainSchedule>,
}

impl Plain<'_> {
    fn of_yaml(&mut self, source: &str) {
        let documents: Vec<Document> = read(source).unwrap_or_default();
        let all = Object::all(&documents);
        // Those that are no patches are read as what they are.
        let is_patch = |object: &&Object<'_>| !object.is_workflow && object.is_patch();
        let patches: BTreeMap<*const Node, &Object<'_>> =
            all.iter().filter(is_patch).map(|object| (ptr::from_ref(object.root), object)).collect();
        for document in &documents {
            for (root, name) in roots(document) {
                let patch = patches.get(&ptr::from_ref(root));
                let kind = text(document, root, "kind");
                if patch.is_none() && kind.is_some_and(|kind| OTHERS.contains(&kind)) {
                    continue;
                }
                let first = self.found.len();
                self.take(
                    &value::of_yaml(source, document, root, &|_| false),
                    &name.map_or(String::new(), |name| format!("{name}/")),
                );
                let object = patch.and_then(|patch| patch.name(None));
                self.found[first..].iter_mut().for_each(|found| found.object.clone_from(&object));
            }
        }
    }

    /// Takes the schedules of a value. `path` is its key path.
    fn take(&mut self, value: &Value<'_>, path: &str) {
        let Plain { lines, zone, found } = self;
        walk(value, path, lines, &[], &mut |entry| match judge::of_value(entry.value) {
            Judged::NoSchedule | Judged::Left(LeftReason::Template) => {}
            // Nothing starts then, or nobody knows what.
            _ if entry.opens_window || entry.role != Role::Schedule => {}
            Judged::Plain | Judged::Left(_) => found.push(PlainSchedule {
                line: lines.of(entry.start) + 1,
                path: entry.path,
                text: entry.value.to_string(),
                timezone: entry.zone.or(*zone).map(str::to_string),
                object: None,
            }),
        });
    }
}
