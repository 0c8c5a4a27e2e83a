//! Errors, warnings and notes: a sentence, the place in the text, and the help.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use annotate_snippets::renderer::{Ansi256Color, Color, Style};
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet, normalize_untrusted_str};
use kron_core::error::FindingCode;
use kron_core::{Error, Finding, Severity};
use kron_fleet::lint::FindingObject;
use kron_formats::convert::ConvertFinding;
use serde::Serialize;
use unicode_width::UnicodeWidthChar as _;

use crate::codes;
use crate::output::table::printable;
use crate::output::terminal::{BLUE, ORANGE, RED, wrapped};

/// A title and a help have at least so many columns beside their labels.
const COLUMNS: usize = 20;
/// The columns beside a marked part: the line number, the bar, and the dots where the line is cut.
const BESIDE: usize = 24;
/// The columns of a tab.
const TAB: usize = 4;
/// Longer lines are cut to the part around the mark.
const EXCERPT_BYTES: usize = 2000;

/// An error, a warning or a note. It prints as text with a mark under the place, or as a JSON object.
#[derive(Clone, Debug)]
pub(crate) struct Diagnostic {
    pub(crate) severity: Severity,
    /// A stable code for programs; errors of arguments have none.
    pub(crate) code: Option<FindingCode>,
    /// Which job it is about.
    pub(crate) name: Option<String>,
    /// The file, and the line in it from 1.
    pub(crate) file: Option<String>,
    pub(crate) line: Option<usize>,
    /// The column in that line from 1, where no text is shown.
    pub(crate) column: Option<usize>,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    pub(crate) excerpt: Option<Excerpt>,
}

/// A piece of a text with a marked part: a line of a file, or all of a TEXT.
#[derive(Clone, Debug)]
pub(crate) struct Excerpt {
    text: String,
    span: Range<usize>,
    /// Characters from the beginning of the line to the mark, from 1.
    column: usize,
    /// The span in the text before it was cut.
    whole_span: Range<usize>,
}

impl Excerpt {
    /// The bytes of the span, limited to the text and to whole characters.
    pub(crate) fn new(text: &str, span: Range<usize>) -> Excerpt {
        let start = boundary_before(text, span.start);
        let end = boundary_after(text, span.end).max(start);
        let column = text[..start].chars().rev().take_while(|c| *c != '\n').count() + 1;
        let whole_span = start..end;
        if text.len() <= EXCERPT_BYTES {
            return Excerpt { text: text.to_string(), span: start..end, column, whole_span };
        }
        let first = boundary_before(text, start.saturating_sub(EXCERPT_BYTES / 2));
        let last = boundary_after(text, start + EXCERPT_BYTES / 2);
        let dots = |cut| if cut { "..." } else { "" };
        let before = dots(first > 0);
        let cut = format!("{before}{}{}", &text[first..last], dots(last < text.len()));
        let shift = |at: usize| at.min(last) - first + before.len();
        Excerpt { text: cut, span: shift(start)..shift(end), column, whole_span }
    }
}

impl Excerpt {
    /// The span, or so much of it that a terminal of so many columns shows its line beside the number.
    fn span_within(&self, columns: Option<usize>) -> Range<usize> {
        let Range { start, end } = self.span;
        let most = columns.map_or(usize::MAX, |columns| columns.saturating_sub(BESIDE).max(1));
        let mut taken = 0;
        let fits = |c: &char| {
            taken += c.width().unwrap_or(TAB);
            taken <= most
        };
        let length = self.text[start..end].chars().take_while(fits).map(char::len_utf8).sum::<usize>();
        start..start + length
    }
}

/// The greatest boundary between characters up to a byte.
fn boundary_before(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// The least boundary between characters from a byte on.
fn boundary_after(text: &str, at: usize) -> usize {
    (at..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

impl Diagnostic {
    fn new(severity: Severity, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity,
            code: None,
            name: None,
            file: None,
            line: None,
            column: None,
            message: message.into(),
            help: None,
            excerpt: None,
        }
    }

    pub(crate) fn error(message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, message)
    }

    pub(crate) fn warning(message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, message)
    }

    /// A finding of a conversion or an export about a file.
    pub(crate) fn of_conversion(found: &ConvertFinding, file: Option<&str>) -> Diagnostic {
        let mut diagnostic = Diagnostic::of_finding(found.finding.clone());
        diagnostic.name.clone_from(&found.job);
        diagnostic.file = file.map(str::to_string);
        diagnostic.line = found.line;
        diagnostic
    }

    pub(crate) fn note(message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Note, message)
    }

    /// The same with this help.
    pub(crate) fn help(self, help: impl Into<String>) -> Diagnostic {
        Diagnostic { help: Some(help.into()), ..self }
    }

    /// The same about this file.
    pub(crate) fn file(self, file: impl fmt::Display) -> Diagnostic {
        Diagnostic { file: Some(file.to_string()), ..self }
    }

    /// The same about the job of this name.
    pub(crate) fn job(self, name: impl Into<String>) -> Diagnostic {
        Diagnostic { name: Some(name.into()), ..self }
    }

    /// The same, said of an option: `--from: there is no such date`.
    pub(crate) fn of_option(self, option: &str) -> Diagnostic {
        Diagnostic { message: format!("{option}: {}", self.message), ..self }
    }

    /// An error of the core. The caller adds its place.
    pub(crate) fn of_error(error: &Error) -> Diagnostic {
        let mut diagnostic = Diagnostic::of_finding(Finding::from_error(error));
        if let Some(document) = error.document() {
            diagnostic.message = format!("document {document}: {}", diagnostic.message);
        }
        diagnostic
    }

    /// A finding of the core. The caller adds its place.
    pub(crate) fn of_finding(finding: Finding) -> Diagnostic {
        let mut diagnostic = Diagnostic::new(finding.severity, finding.message);
        diagnostic.code = Some(finding.code);
        diagnostic.help = finding.help;
        diagnostic
    }

    /// The same about so many more jobs or places.
    pub(crate) fn and_more(self, more: usize) -> Diagnostic {
        match &self.name {
            Some(name) => Diagnostic { name: Some(format!("{name} and {more} more jobs")), ..self },
            None => Diagnostic { message: format!("{} (and {more} more like it)", self.message), ..self },
        }
    }

    /// The message with the job before it, and the help after it on a separate line.
    pub(crate) fn full_message(&self) -> String {
        let help = self.help.as_ref().map(|help| format!("\nhelp: {help}")).unwrap_or_default();
        self.titled() + &help
    }

    /// The marked part of the text.
    pub(crate) fn marked(&self) -> Option<&str> {
        let excerpt = self.excerpt.as_ref()?;
        excerpt.text.get(excerpt.span.clone())
    }

    /// The characters of the marked part in its line: the first, from 1, and the one after the last.
    pub(crate) fn columns(&self) -> Option<(usize, usize)> {
        let (excerpt, marked) = (self.excerpt.as_ref()?, self.marked()?);
        Some((excerpt.column, excerpt.column + marked.chars().take_while(|c| *c != '\n').count()))
    }

    /// The message with the job before it.
    fn titled(&self) -> String {
        match &self.name {
            Some(name) => format!("{name}: {}", self.message),
            None => self.message.clone(),
        }
    }

    pub(crate) fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The text without a line feed at its end, for a terminal of so many columns or for what is none. Control characters are shown
    /// as Unicode control pictures.
    pub(crate) fn render(&self, colored: bool, columns: Option<usize>) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        // The user can allow or deny it by its code.
        let code = self.code.filter(|code| codes::is_of_lint(*code)).map(FindingCode::as_str);
        let label =
            self.severity.as_str().len() + code.map_or(0, |code| code.len() + "[]".len()) + ": ".len();
        let title = broken(&self.titled(), label, columns);
        let title_lines = title.lines().count();
        let mut title = level.primary_title(title);
        if let Some(code) = code {
            title = title.id(code);
        }
        let mut group = Group::with_title(title);
        // A line feed in a name would make its rest a line of its own.
        let file = self.file.as_deref().map(printable);
        if let Some(excerpt) = &self.excerpt {
            let text = &excerpt.text;
            let mark = AnnotationKind::Primary.span(excerpt.span_within(columns));
            let snippet = Snippet::source(Cow::from(text)).line_start(self.line.unwrap_or(1)).path(file);
            group = group.element(snippet.annotation(mark));
        } else if let Some(file) = file {
            let origin = Origin::path(file);
            group = group.element(match (self.line, self.column) {
                (Some(line), Some(column)) => origin.line(line).char_column(column),
                (Some(line), None) => origin.line(line),
                (None, _) => origin,
            });
        }
        if let Some(help) = &self.help {
            // The number of the line that is shown stands before it.
            let number = self.excerpt.as_ref().map(|_| self.line.unwrap_or(1).to_string());
            let label = number.map_or(0, |number| number.len()) + " = help: ".len();
            group = group.element(Level::HELP.message(broken(help, label, columns)));
        }
        let renderer = if colored { colors(Renderer::styled()) } else { Renderer::plain() };
        // A longer line is cut to the part around its mark.
        let renderer = match columns {
            Some(columns) => renderer.term_width(columns),
            None => renderer,
        };
        let text = renderer.render(&[group]);
        if self.excerpt.is_none() && self.file.is_none() && self.help.is_some() {
            return without_line(&text, title_lines);
        }
        text
    }
}

/// A text without control characters; beside a label of so many columns, broken between words.
fn broken(text: &str, label: usize, columns: Option<usize>) -> String {
    let text = normalize_untrusted_str(text);
    let Some(columns) = columns else { return text };
    let columns = columns.saturating_sub(label).max(COLUMNS);
    text.split('\n').flat_map(|line| wrapped(line, columns, "")).collect::<Vec<_>>().join("\n")
}

/// A text without one of its lines. The bar between a title and its help is of no use where no line of a file is shown.
fn without_line(text: &str, number: usize) -> String {
    let lines = text.lines().enumerate().filter(|(index, _)| *index != number);
    lines.map(|(_, line)| line).collect::<Vec<_>>().join("\n")
}

/// The colours of all outputs, for findings.
fn colors(renderer: Renderer) -> Renderer {
    let color = |number| Style::new().fg_color(Some(Color::Ansi256(Ansi256Color(number))));
    let [red, orange, blue] = [RED, ORANGE, BLUE].map(color);
    let renderer = renderer.error(red.bold()).warning(orange.bold()).note(blue.bold()).info(blue.bold());
    renderer.help(blue.bold()).line_num(blue.bold())
}

/// As the object of `lint -o json`.
impl Serialize for Diagnostic {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let excerpt = self.excerpt.as_ref();
        let object = FindingObject {
            severity: self.severity.as_str(),
            code: self.code.map(FindingCode::as_str),
            name: self.name.as_deref(),
            file: self.file.as_deref(),
            line: self.line,
            column: excerpt.map_or(self.column, |excerpt| Some(excerpt.column)),
            span: excerpt.map(|excerpt| [excerpt.whole_span.start, excerpt.whole_span.end]),
            message: &self.message,
            help: self.help.as_deref(),
        };
        object.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::terminal::width;

    #[test]
    fn titles_and_helps_break_between_words() {
        let found = Diagnostic::error("there is no such thing in any of the files")
            .help("name another thing, or another file that has it");
        let want = "error: there is no such thing in any of the files\n = help: name another thing, or another file that has it";
        assert_eq!(found.render(false, None), want);
        let narrow = "error: there is no such thing in any of\n       the files\n = help: name another thing, or another\n         file that has it";
        assert_eq!(found.render(false, Some(40)), narrow);
        let colored = found.render(true, Some(40));
        assert_eq!(
            colored.lines().map(width).collect::<Vec<_>>(),
            narrow.lines().map(width).collect::<Vec<_>>()
        );
        let of_file = found.file("a.kron");
        assert!(
            of_file.render(false, Some(40)).ends_with(
                "\n--> a.kron\n = help: name another thing, or another\n         file that has it"
            )
        );
        // A line of a file is cut, not broken, and its number moves the help.
        let line = "0 * * * * @win(after,2h)   db/backup -- pg_dump --all --into /backup";
        let marked =
            |span| Diagnostic { line: Some(100), excerpt: Some(Excerpt::new(line, span)), ..of_file.clone() };
        assert!(marked(10..24).render(false, Some(100)).contains(line));
        for span in [10..24, 60..68, 27..68, 0..68, 68..68] {
            let text = marked(span.clone()).render(false, Some(40));
            assert!(text.lines().all(|line| width(line) <= 40), "{text}");
            let begin: String = line[span].chars().take(12).collect();
            assert!(text.contains(&begin) && text.contains('^'), "{text}");
        }
        let text = marked(10..24).render(false, Some(40));
        assert!(
            text.ends_with("\n    = help: name another thing, or\n            another file that has it"),
            "{text}"
        );
    }

    #[test]
    fn marks_are_held_within_the_text() {
        let p = |text: &str, span| {
            let excerpt = Excerpt::new(text, span);
            (excerpt.text[excerpt.span.clone()].to_string(), excerpt.column)
        };
        assert_eq!(p("ab cd", 3..5), ("cd".to_string(), 4));
        assert_eq!(p("日本 cd", 1..4), ("日本".to_string(), 1));
        assert_eq!(p("x", 5..9), (String::new(), 2));
        assert_eq!(p("a\nbc", 3..4), ("c".to_string(), 2));
        let long = format!("{}é{}", "x".repeat(5000), "y".repeat(5000));
        assert_eq!(p(&long, 5000..5002), ("é".to_string(), 5001));
        assert_eq!(p(&long, 0..2), ("xx".to_string(), 1));
        assert!(Excerpt::new(&long, 5000..5002).text.len() < 2100);
    }
}
