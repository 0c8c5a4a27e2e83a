//! `config.xml` of a job in Jenkins.

use kron_core::Finding;
use quick_xml::Reader;
use quick_xml::errors::{Error, IllFormedError, SyntaxError};
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::Event;

use super::trigger::Trigger;
use crate::error::convert::{jenkins as messages, shown};

/// What is read of the file.
#[derive(Debug, Default)]
pub(super) struct Config {
    pub(super) triggers: Vec<Trigger>,
    /// Whether Jenkins builds nothing of the job.
    pub(super) disabled: bool,
}

/// The lines of a text, each with its line in the file.
#[derive(Debug)]
struct Lines(Vec<(usize, String)>);

impl Lines {
    fn at(line: usize) -> Lines {
        Lines(vec![(line, String::new())])
    }

    /// Adds a part that begins on that line. Its own line feeds are lines of the file, unless it is a reference such as `&#10;`.
    fn push(&mut self, part: &str, line: usize, is_reference: bool) {
        for (index, piece) in part.split('\n').enumerate() {
            match self.0.last_mut() {
                Some((_, last)) if index == 0 => last.push_str(piece),
                _ => self.0.push((if is_reference { line } else { line + index }, piece.to_string())),
            }
        }
    }

    fn is(&self, text: &str) -> bool {
        matches!(&self.0[..], [(_, only)] if only.trim() == text)
    }
}

/// The line of a place in a text. Places are asked for in their order, so that the text is read once.
struct LineAt<'t> {
    text: &'t str,
    counted: usize,
    line: usize,
}

impl LineAt<'_> {
    fn line(&mut self, position: u64) -> usize {
        let end = usize::try_from(position).unwrap_or(usize::MAX).min(self.text.len());
        if let Some(bytes) = self.text.as_bytes().get(self.counted..end) {
            self.line += bytes.iter().filter(|byte| **byte == b'\n').count();
            self.counted = end;
        }
        self.line
    }
}

/// What is wrong with a text of XML, for the person who reads it.
fn reason(error: &Error) -> String {
    let open = |what: &str, end: &str| format!("{what} has no `{end}`");
    match error {
        Error::Syntax(SyntaxError::UnclosedPI | SyntaxError::UnclosedXmlDecl) => open("`<?`", "?>"),
        Error::Syntax(SyntaxError::UnclosedComment) => open("a comment", "-->"),
        Error::Syntax(SyntaxError::UnclosedCData) => open("`<![CDATA[`", "]]>"),
        Error::Syntax(SyntaxError::UnclosedDoctype) => open("`<!DOCTYPE`", ">"),
        Error::Syntax(SyntaxError::UnclosedTag) => open("a tag", ">"),
        Error::Syntax(SyntaxError::UnclosedSingleQuotedAttributeValue) => open("a value", "'"),
        Error::Syntax(SyntaxError::UnclosedDoubleQuotedAttributeValue) => open("a value", "\""),
        Error::IllFormed(IllFormedError::UnclosedReference) => open("`&`", ";"),
        Error::IllFormed(IllFormedError::MismatchedEndTag { expected, found }) => {
            format!("`</{}>` stands where `</{}>` belongs", shown(found), shown(expected))
        }
        Error::IllFormed(IllFormedError::UnmatchedEndTag(tag)) => {
            format!("`</{}>` ends nothing", shown(tag))
        }
        _ => "it has a tag that is none of XML".to_string(),
    }
}

/// Reads the file. The error has its line.
pub(super) fn read(text: &str) -> Result<Config, (usize, Finding)> {
    let mut config = Config::default();
    let mut reader = Reader::from_str(text);
    let mut lines = LineAt { text, counted: 0, line: 1 };
    // The names of the elements that are open, and the text of the innermost one.
    let mut path: Vec<String> = Vec::new();
    let mut content = Lines::at(1);
    // The trigger that is open: its line and its schedule.
    let mut trigger: Option<(usize, Lines)> = None;
    loop {
        let line = lines.line(reader.buffer_position());
        let event = match reader.read_event() {
            Ok(event) => event,
            Err(error) => {
                return Err((lines.line(reader.error_position()), messages::broken_xml(&reason(&error))));
            }
        };
        match event {
            Event::Start(start) => {
                if is_trigger(&path) {
                    trigger = Some((line, Lines::at(line)));
                }
                path.push(start.name().as_ref().to_string());
                content = Lines::at(lines.line(reader.buffer_position()));
            }
            Event::Empty(empty) if is_trigger(&path) => {
                config.triggers.push(of_class(empty.name().as_ref(), line, Lines::at(line)));
            }
            Event::Text(part) => content.push(&part, line, false),
            Event::CData(part) => content.push(&part, line, false),
            Event::GeneralRef(reference) => {
                let character = reference.resolve_char_ref().ok().flatten().map(String::from);
                let text = character.or_else(|| resolve_xml_entity(&reference).map(str::to_string));
                content.push(&text.unwrap_or_else(|| format!("&{};", &*reference)), line, true);
            }
            Event::End(_) => {
                // The reader has checked that the names agree.
                let name = path.pop().unwrap_or_default();
                if is_trigger(&path) {
                    let (line, schedule) = trigger.take().unwrap_or((line, Lines::at(line)));
                    config.triggers.push(of_class(&name, line, schedule));
                } else if name == "disabled" && path.len() == 1 {
                    config.disabled = content.is("true");
                } else if let (Some((_, schedule)), "spec", Some((_, outer))) =
                    (&mut trigger, &name[..], path.split_last())
                    && is_trigger(outer)
                {
                    *schedule = std::mem::replace(&mut content, Lines::at(line));
                }
            }
            Event::Eof => {
                return match path.last() {
                    None => Ok(config),
                    Some(open) => Err((line, messages::open_element(open))),
                };
            }
            _ => {}
        }
    }
}

/// Whether the elements in this one are triggers.
fn is_trigger(path: &[String]) -> bool {
    path.len() > 1 && path.last().is_some_and(|name| name == "triggers")
}

/// The trigger of a class.
fn of_class(class: &str, line: usize, schedule: Lines) -> Trigger {
    match class.rsplit('.').next().unwrap_or(class) {
        "TimerTrigger" => Trigger::of_lines(line, schedule.0),
        other => Trigger::of_another_kind(line, other),
    }
}
