//! The schedules that stand under the keys by which files name them, whether or not somebody may edit them.

use std::collections::BTreeSet;
use std::ptr;

use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use toml_edit::Document as Toml;

use super::find::{roots, text};
use super::judge::{self, Judged};
use super::keys::{below, is_schedule};
use super::value::{self, Value};
use crate::convert::yaml::{Document, Lines, Node, read};
use crate::error::place::LeftReason;
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
}

/// The schedules of a text that is YAML, TOML or JSON, under the keys `schedule`, `cron` and `cronSchedule`. A text that cannot be read
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
    let mut plain = Plain { lines: &lines, zone, found: Vec::new() };
    match syntax {
        Syntax::Yaml => plain.of_yaml(source.text),
        Syntax::Toml => {
            if let Ok(document) = Toml::parse(source.text) {
                plain.take(&value::of_toml(source.text, document.as_item()), "");
            }
        }
        // YAML includes JSON without comments.
        Syntax::Json if read(source.text).is_ok() => plain.of_yaml(source.text),
        Syntax::Json => {
            if let Ok(parsed) =
                parse_to_ast(source.text, &CollectOptions::default(), &ParseOptions::default())
                && let Some(root) = &parsed.value
            {
                plain.take(&value::of_json(source.text, root), "");
            }
        }
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
        let taken: BTreeSet<*const Node> = all.iter().map(|object| ptr::from_ref(object.root)).collect();
        for document in &documents {
            for (root, name) in roots(document) {
                if text(document, root, "kind").is_some_and(|kind| OTHERS.contains(&kind)) {
                    continue;
                }
                let value =
                    value::of_yaml(source, document, root, &|node| taken.contains(&ptr::from_ref(node)));
                self.take(&value, &name.map_or(String::new(), |name| format!("{name}/")));
            }
        }
    }

    /// Takes the schedules of a value. `path` is its key path.
    fn take(&mut self, value: &Value<'_>, path: &str) {
        match value {
            Value::Map(entries) => {
                let get = |keys: [&str; 2]| entries.iter().find(|(name, _)| keys.contains(&name.as_str()));
                let zone = match get(["timezone", "timeZone"]) {
                    Some((_, Value::Text { value, .. })) => Some(*value),
                    _ => self.zone,
                };
                // A window opens then, and nothing starts.
                let opens_window = get(["duration", "end"]).is_some();
                for (key, value) in entries {
                    let path = below(path, key);
                    if is_schedule(key) && !opens_window {
                        self.schedule(value, &path, zone);
                    }
                    self.take(value, &path);
                }
            }
            Value::List { items, .. } => {
                for (index, item) in items.iter().enumerate() {
                    self.take(item, &below(path, &index.to_string()));
                }
            }
            Value::Text { .. } | Value::Other => {}
        }
    }

    /// The value of a key of a schedule.
    fn schedule(&mut self, value: &Value<'_>, path: &str, zone: Option<&str>) {
        match value {
            Value::Text { value, start, .. } => match judge::of_value(value) {
                Judged::NoSchedule | Judged::Left(LeftReason::Template) => {}
                Judged::Plain | Judged::Left(_) => self.found.push(PlainSchedule {
                    line: self.lines.of(*start) + 1,
                    path: path.to_string(),
                    text: (*value).to_string(),
                    timezone: zone.map(str::to_string),
                }),
            },
            Value::List { items, .. } => {
                for (index, item) in items.iter().enumerate() {
                    if matches!(item, Value::Text { .. }) {
                        self.schedule(item, &below(path, &index.to_string()), zone);
                    }
                }
            }
            Value::Map(_) | Value::Other => {}
        }
    }
}
