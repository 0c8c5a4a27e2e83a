//! What a stream can show: how wide it is, whether it has colours, and which characters.

use std::ffi::OsString;

use unicode_width::UnicodeWidthStr as _;

/// The columns of a stream that is no terminal.
const COLUMNS: usize = 80;
/// Fewer columns are no picture, and more are no easier to read.
const LEAST_AND_MOST: (usize, usize) = (40, 400);
/// The variables that name the locale, the strongest first.
const LOCALE: [&str; 3] = ["LC_ALL", "LC_CTYPE", "LANG"];

/// What a stream can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Terminal {
    pub(crate) columns: usize,
    pub(crate) colored: bool,
    /// Whether it has more characters than those of ASCII.
    pub(crate) unicode: bool,
}

/// A colour or a weight of characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    Plain,
    /// What the reader should see first.
    Bold,
    /// What a reader may pass over.
    Dim,
    /// The starts as written, before anything is spread. The colours are those of the pictures, legible on dark and on light.
    Before,
    /// The starts as spread.
    After,
    /// What is chosen, or comes next.
    Chosen,
    /// What is wrong, or not allowed.
    Bad,
}

/// Of the 256 colours, those that are legible on dark and on light. Findings have them too.
pub(crate) const RED: u8 = 160;
pub(crate) const ORANGE: u8 = 166;
pub(crate) const BLUE: u8 = 32;
const GREEN: u8 = 28;

impl Ink {
    fn code(self) -> String {
        match self {
            Ink::Plain => String::new(),
            Ink::Bold => "1".to_string(),
            Ink::Dim => "2".to_string(),
            Ink::Before => format!("38;5;{ORANGE}"),
            Ink::After => format!("38;5;{BLUE}"),
            Ink::Chosen => format!("1;38;5;{GREEN}"),
            Ink::Bad => format!("38;5;{RED}"),
        }
    }

    /// A text in this ink, if there are colours.
    pub(crate) fn paint(self, colored: bool, text: &str) -> String {
        if colored && self != Ink::Plain && !text.trim().is_empty() {
            format!("\u{1b}[{}m{text}\u{1b}[0m", self.code())
        } else {
            text.to_string()
        }
    }
}

impl Terminal {
    /// For a text that may be shown anywhere.
    pub(crate) const ANY: Terminal = Terminal { columns: COLUMNS, colored: false, unicode: true };

    /// A stream with this width if it is a terminal, else with that of the variable COLUMNS.
    pub(crate) fn new(
        columns: Option<u16>,
        colored: bool,
        environment: &dyn Fn(&str) -> Option<OsString>,
    ) -> Terminal {
        let set = || environment("COLUMNS")?.to_str()?.parse().ok();
        let columns = columns.map(usize::from).or_else(set).unwrap_or(COLUMNS);
        Terminal {
            columns: columns.clamp(LEAST_AND_MOST.0, LEAST_AND_MOST.1),
            colored,
            // The console of Windows has no locale.
            unicode: cfg!(windows) || is_utf8(environment),
        }
    }

    /// A text in an ink.
    pub(crate) fn paint(&self, ink: Ink, text: &str) -> String {
        ink.paint(self.colored, text)
    }
}

/// Whether the locale has UTF-8. Without one, POSIX has ASCII.
fn is_utf8(environment: &dyn Fn(&str) -> Option<OsString>) -> bool {
    let set = LOCALE.iter().filter_map(|name| environment(name)).find(|locale| !locale.is_empty());
    set.is_some_and(|locale| {
        let locale = locale.to_string_lossy().to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

/// The columns of a text that may be painted.
pub(crate) fn width(text: &str) -> usize {
    let mut columns = 0;
    for (index, part) in text.split('\u{1b}').enumerate() {
        // A colour ends with its first `m`.
        let shown = part.split_once('m').filter(|_| index > 0).map_or(part, |(_, shown)| shown);
        columns += shown.width();
    }
    columns
}

/// The words of a text. A short remark in brackets is one of them.
pub(crate) fn unbroken(text: &str) -> Vec<&str> {
    const LONGEST: usize = 24;
    let (mut words, mut rest) = (Vec::new(), Some(text));
    while let Some(text) = rest {
        let remark = text.starts_with('(').then(|| text.find(')')).flatten().filter(|end| *end < LONGEST);
        let (from, to) = (remark.unwrap_or(0), text.len());
        let end = text[from..].find(' ').map_or(to, |end| from + end);
        words.push(&text[..end]);
        rest = text.get(end + 1..);
    }
    words
}

/// A text in lines of at most so many columns, broken between words and not in a short remark in brackets. Later lines begin with `indent`.
pub(crate) fn wrapped(text: &str, columns: usize, indent: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in unbroken(text) {
        let is_first = line.trim().is_empty();
        if !is_first && width(&line) + 1 + width(word) > columns {
            lines.push(std::mem::replace(&mut line, format!("{indent}{word}")));
        } else {
            if !line.is_empty() && !is_first {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_width_is_that_of_the_terminal_or_of_columns() {
        let p = |columns, variables: &[(&str, &str)]| {
            Terminal::new(columns, false, &|name| {
                variables.iter().find(|(variable, _)| *variable == name).map(|(_, value)| value.into())
            })
        };
        let widths = [p(Some(120), &[("COLUMNS", "90")]), p(None, &[("COLUMNS", "90")]), p(None, &[])];
        assert_eq!(widths.map(|terminal| terminal.columns), [120, 90, 80]);
        assert_eq!([p(Some(3), &[]).columns, p(None, &[("COLUMNS", "9999")]).columns], [40, 400]);
        assert_eq!(p(None, &[("COLUMNS", "x")]).columns, 80);
    }

    #[test]
    #[cfg(not(windows))]
    fn the_locale_says_which_characters_there_are() {
        let p = |variables: &[(&str, &str)]| {
            is_utf8(&|name| {
                variables.iter().find(|(variable, _)| *variable == name).map(|(_, value)| value.into())
            })
        };
        assert!(p(&[("LANG", "en_US.UTF-8")]) && p(&[("LC_ALL", "C.utf8"), ("LANG", "C")]));
        assert!(p(&[("LC_ALL", ""), ("LC_CTYPE", "C.UTF-8")]));
        assert!(!p(&[]) && !p(&[("LC_ALL", "C"), ("LANG", "en_US.UTF-8")]) && !p(&[("LANG", "de_DE")]));
    }

    #[test]
    fn texts_break_between_words() {
        assert_eq!(wrapped("one two three", 8, "  "), ["one two", "  three"]);
        assert_eq!(wrapped("one two", 80, ""), ["one two"]);
        assert_eq!(wrapped("exceedingly long", 4, " "), ["exceedingly", " long"]);
        assert_eq!(wrapped("30 starts (2 times fewer).", 20, ""), ["30 starts", "(2 times fewer)."]);
        assert_eq!(
            wrapped("(a remark that is rather long) x", 20, ""),
            ["(a remark that is", "rather long) x"]
        );
        let painted = Ink::Chosen.paint(true, "two");
        assert_eq!((width(&painted), width("two m"), width("\u{1b}[2m\u{2588}\u{1b}[0m")), (3, 5, 1));
        assert_eq!(
            wrapped(&format!("one {painted} three"), 8, "  "),
            [format!("one {painted}"), "  three".to_string()]
        );
    }
}
