//! What is placed, and how.

use std::collections::BTreeSet;
use std::path::{Component, Path};

use kron_core::{Parser, Zone};

use super::expression::{NoExpression, of_crontab};
use crate::convert::{crontab, without_mark};

/// A text and where it is from.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Source<'a> {
    /// The path of the file, or another name; it says what kind of text it is.
    pub path: &'a str,
    /// The text.
    pub text: &'a str,
    /// Whether the text may be a crontab by its content alone, as a file that somebody names is.
    pub by_content: bool,
    /// The host that `{host}` in a name means, if it is known for this text.
    pub host: Option<&'a str>,
    /// What the names of adopted schedules begin with, such as `fleet/charts/web/values`.
    pub names: Option<&'a str>,
}

impl<'a> Source<'a> {
    /// A text that is what its path says: a crontab by its folder or its name, a workflow of GitHub, or another text.
    #[must_use]
    pub const fn new(path: &'a str, text: &'a str) -> Source<'a> {
        Source { path, text, by_content: false, host: None, names: None }
    }

    /// The source without the byte order mark that some editors write before a text.
    pub(super) fn without_mark(&self) -> Source<'a> {
        Source { text: without_mark(self.text), ..self.clone() }
    }

    /// A new text of this source, which begins as the old one does.
    pub(super) fn with_mark(&self, text: String) -> String {
        let mark = &self.text[..self.text.len() - without_mark(self.text).len()];
        if mark.is_empty() { text } else { format!("{mark}{text}") }
    }

    /// The same text, as one whose content may show that it is a crontab.
    ///
    /// ```
    /// use kron_formats::place::{Options, Source, place};
    /// let text = "# kron: 0 3 * * * @win(after,1h) name=web/clean\n0 3 * * * /usr/bin/clean\n";
    /// let placed = place(&[Source::new("-", text).by_content()], &Options::default());
    /// assert!(placed.texts[0].ends_with("\n11 3 * * * /usr/bin/clean\n"));
    /// ```
    #[must_use]
    pub const fn by_content(mut self) -> Source<'a> {
        self.by_content = true;
        self
    }

    /// The same text on a host.
    ///
    /// ```
    /// use kron_formats::place::{Options, Source, place};
    /// let text = "# kron: 0 3 * * * @win(after,1h) name={host}/clean\n0 3 * * * root /usr/bin/clean\n";
    /// let on = |host| place(&[Source::new("cron.d/clean", text).on_host(host)], &Options::default()).schedules[0].placed.clone();
    /// assert_ne!(on("web-1"), on("web-2"));
    /// ```
    #[must_use]
    pub const fn on_host(mut self, host: &'a str) -> Source<'a> {
        self.host = Some(host);
        self
    }

    /// The same text, whose adopted schedules have names that begin so; see [`adopt`](super::adopt()).
    #[must_use]
    pub const fn named(mut self, names: &'a str) -> Source<'a> {
        self.names = Some(names);
        self
    }

    /// Whether the schedules of the file open windows, as those of Renovate do.
    pub(super) fn opens_windows(&self) -> bool {
        let name = self.path.rsplit('/').next().unwrap_or_default();
        name.starts_with("renovate.") || name.starts_with(".renovaterc")
    }

    /// Whether the file is a document for people, by its path. Its language has no comments of the kind that is read, so what looks like a
    /// declaration in it is an example of one.
    ///
    /// ```
    /// use kron_formats::place::Source;
    /// assert!(Source::new("docs/README.md", "").is_prose() && !Source::new("values.yaml", "").is_prose());
    /// ```
    #[must_use]
    pub fn is_prose(&self) -> bool {
        let extension = self.path.rsplit('/').next().and_then(|name| name.rsplit_once('.'));
        let extension = extension.map_or(String::new(), |(_, extension)| extension.to_ascii_lowercase());
        ["md", "markdown", "mdx", "rst", "adoc", "asciidoc"].contains(&&*extension)
    }

    /// The syntax in which the text is read, if it has one.
    pub(super) fn syntax(&self) -> Option<Syntax> {
        if self.kind() == Kind::Crontab {
            return None;
        }
        let name = self.path.rsplit('/').next().unwrap_or_default();
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        match &*extension.to_ascii_lowercase() {
            "yaml" | "yml" => Some(Syntax::Yaml),
            "json" | "jsonc" | "json5" => Some(Syntax::Json),
            "toml" => Some(Syntax::Toml),
            _ if !self.by_content => None,
            _ if self.text.trim_start_matches('\u{feff}').trim_start().starts_with('{') => Some(Syntax::Json),
            _ => Some(Syntax::Yaml),
        }
    }

    pub(super) fn kind(&self) -> Kind {
        let path = Path::new(self.path);
        let folders: Vec<&str> = path
            .parent()
            .into_iter()
            .flat_map(Path::components)
            .filter_map(|part| match part {
                Component::Normal(name) => name.to_str(),
                _ => None,
            })
            .collect();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let extension = &*extension.to_ascii_lowercase();
        let is_yaml = matches!(extension, "yaml" | "yml");
        let in_folder = |folder: &str| folders.last() == Some(&folder);
        if name == "anacrontab" {
            Kind::Other
        } else if name == "crontab" || extension == "cron" || in_folder("cron.d") || in_folder("crontabs") {
            Kind::Crontab
        } else if is_yaml && folders.ends_with(&[".github", "workflows"]) {
            Kind::Workflow
        } else if self.by_content && is_crontab(self.text) {
            Kind::Crontab
        } else {
            Kind::Other
        }
    }
}

/// Whether a text has a line of a crontab, and its other lines could be lines of one: comments, settings, and times that this cron may
/// refuse.
pub(super) fn is_crontab(text: &str) -> bool {
    #[cfg(test)]
    LOOKED_AT.set(LOOKED_AT.get() + 1);
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut found = false;
    for line in lines {
        let has_command = |end: usize| !line[end..].trim().is_empty();
        let is_time = |c: char| c.is_ascii_digit() || matches!(c, '*' | '@' | '~' | 'H');
        match of_crontab(line) {
            Ok(schedule) if has_command(schedule.end) => found = true,
            Err(NoExpression::SixFields) if line.starts_with(is_time) => found = true,
            _ if line.strip_prefix('-').unwrap_or(line).starts_with(is_time) => {}
            _ if crontab::is_setting(line) || line.starts_with("export ") => {}
            _ => return false,
        }
    }
    found
}

#[cfg(test)]
thread_local! {
    /// How many texts this thread has looked at.
    pub(super) static LOOKED_AT: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// What kind of text a source is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Crontab,
    /// A workflow of GitHub.
    Workflow,
    Other,
}

/// A syntax in which a text is read again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    Yaml,
    Toml,
    /// Also with comments.
    Json,
}

/// What [`place`](super::place) does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Writes placed schedules.
    #[default]
    Place,
    /// Puts declared schedules back, and takes declarations away.
    Undo,
}

/// How schedules are placed.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What is done.
    pub mode: Mode,
    /// The names of schedules that are written although somebody edited them.
    pub force: BTreeSet<String>,
    /// The zone in which schedules are read whose text does not say it, if it is known.
    pub timezone: Option<Zone>,
    /// The namespace of objects that name none.
    pub namespace: Option<String>,
    /// The Unix time from which on changes of the clocks are looked at, for three years. Without it they are not.
    pub from: Option<i64>,
    /// Files that are only read, by their paths and texts: workflows and actions that the sources call, as
    /// [`called_files`](super::called_files) finds them. One that compares the texts of schedules keeps those of its callers.
    pub beside: Vec<(String, String)>,
    /// The parser of declarations.
    pub parser: Parser,
}
