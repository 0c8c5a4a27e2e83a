//! Job files: one job a line, the text form followed by `name=...` and further `key=value` fields.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::ops::Range;

use super::parse::parse_spec;
use super::scan::{Scanner, Value, error, quoted_value};
use crate::error::list::ErrorList;
use crate::error::{Error, ErrorCode, Snippet, TextError};
use crate::job::lookup::Lookup;
use crate::job::{Job, JobSpec, Modifiers};
use crate::limits::{FILE_ERRORS, TEXT_BYTES};
use crate::text::meaning::with_meaning;

/// A job of a job file, with the fields that the core keeps without using them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct JobLine {
    /// The job; its name is the line's `name`.
    pub job: Job,
    /// The line's text without its fields, as it was written.
    pub text: String,
    /// The line in the file, from 1.
    pub line: usize,
    /// All fields but `name`, in order, quotes resolved: `command`, `owner` and so on.
    pub fields: Vec<(String, String)>,
}

impl Job {
    /// A line of a job file that reads as this job: its canonical text and its name.
    ///
    /// ```
    /// let job = kron_core::Job::parse("db backup", "@daily @win(after,3h)")?;
    /// assert_eq!(job.to_line(), "0 0 * * * @win(after,3h0m0s) name=\"db backup\"");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn to_line(&self) -> String {
        format!("{} name={}", self.spec(), quoted_value(self.name()))
    }
}

/// The valid lines of a job file and the errors of the first bad ones.
pub(crate) fn read_job_file(text: &str, lookup: Lookup<'_>) -> (Vec<JobLine>, Vec<Error>) {
    let (mut lines, mut errors) = (Vec::new(), ErrorList::default());
    let without_help = lookup.tz_database.without_suggestions();
    let without_help = Lookup { tz_database: &without_help, ..lookup };
    for (index, text) in text.lines().enumerate() {
        let trimmed = text.trim_matches([' ', '\t']);
        if trimmed.is_empty() || trimmed.starts_with('#') {
            continue;
        }
        match parse_line(text, if errors.is_full() { without_help } else { lookup }) {
            Ok((job, spec_text, fields)) => {
                lines.push(JobLine { job, text: spec_text, line: index + 1, fields })
            }
            Err(error) if errors.is_full() => errors.push(error.located(text).on_line(index + 1)),
            Err(error) => {
                let error = with_meaning(text, lookup, error, |_| false);
                errors.push(error.located(text).on_line(index + 1));
            }
        }
    }
    let mut names: Vec<(&str, usize)> =
        lines.iter().map(|line: &JobLine| (line.job.name(), line.line)).collect();
    names.sort_unstable();
    let pairs = names.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    let mut repeated: Vec<(usize, usize, &str)> =
        pairs.map(|pair| (pair[1].1, pair[0].1, pair[1].0)).collect();
    repeated.sort_unstable();
    let kept = repeated.iter().take(FILE_ERRORS).map(|(line, first, name)| {
        let kind = TextError::RepeatedName { name: Snippet::of(name), first: Some(*first) };
        Error::of("name", kind).on_line(*line)
    });
    errors.merge_by_line(kept.collect());
    if repeated.len() > FILE_ERRORS {
        errors.count(repeated.len() - FILE_ERRORS, ErrorCode::FileRepeatedName);
    }
    (lines, errors.finish("line"))
}

/// A line's job, its text form as written, and its further fields.
type Line = (Job, String, Vec<(String, String)>);

fn parse_line(text: &str, lookup: Lookup<'_>) -> Result<Line, Error> {
    let Fields { spec, modifiers: _, spec_text, name, others } = parse_fields(text, lookup)?;
    let Some(name) = name else {
        return Err(error(TextError::MissingName, text.len()..text.len()));
    };
    let job = Job::new(&name.text, spec).map_err(|error| name.place(error))?;
    Ok((job, spec_text.to_string(), others.into_iter().map(|(key, value, _)| (key, value)).collect()))
}

/// What a text says behind which fields may follow.
pub(crate) struct Fields<'a> {
    pub(crate) spec: JobSpec,
    pub(crate) modifiers: Modifiers,
    /// The text of schedule and modifiers as it is written.
    pub(crate) spec_text: &'a str,
    pub(crate) name: Option<Value<'a>>,
    /// All fields but the name, and the places of their keys.
    pub(crate) others: Vec<(String, String, Range<usize>)>,
}

/// Reads a text and its fields.
pub(crate) fn parse_fields<'a>(text: &'a str, lookup: Lookup<'_>) -> Result<Fields<'a>, Error> {
    if text.len() > TEXT_BYTES {
        return Err(error(TextError::TooLong { bytes: text.len(), max: TEXT_BYTES }, 0..text.len()));
    }
    let mut scanner = Scanner::new(text);
    let (spec, modifiers) = parse_spec(&mut scanner, lookup)?;
    let spec_text = text[..scanner.at].trim_matches([' ', '\t']);
    let mut name = None;
    let mut others: Vec<(String, String, Range<usize>)> = Vec::new();
    loop {
        let before = scanner.at;
        scanner.skip_blanks();
        if scanner.rest().is_empty() {
            break;
        }
        let (key, span) = scanner.until(|c| c == '=' || c == ' ' || c == '\t');
        let well_formed = key.starts_with(|c: char| c.is_ascii_alphabetic())
            && key.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
        let value_start = scanner.at;
        scanner.at = span.start;
        if let Some(error) = scanner.misplaced() {
            return Err(error);
        }
        if let Some(span) = scanner.modifier() {
            return Err(error(TextError::LateModifier { text: Snippet::of(&text[span.clone()]) }, span));
        }
        scanner.at = value_start;
        if before == span.start && well_formed && scanner.peek() == Some('=') {
            return Err(error(TextError::MissingBlank { text: Snippet::of(key) }, span));
        }
        if before == span.start || !well_formed || !scanner.eat('=') {
            return Err(error(TextError::MissingEquals { text: Snippet::of(key) }, span));
        }
        let value = scanner.value(|c| c == ' ' || c == '\t')?;
        if value.span.is_empty() {
            return Err(error(TextError::Empty { what: "the value", form: None }, value.span));
        }
        // A value ends at a blank: without this check, text directly after a closing quote or bracket would be lost.
        if !matches!(scanner.peek(), None | Some(' ' | '\t')) {
            let (_, rest) = scanner.until(|c| c == ' ' || c == '\t');
            let span = value.span.start..rest.end;
            return Err(error(TextError::Unquoted { text: Snippet::of(&text[span.clone()]) }, span));
        }
        if (key == "name" && name.is_some()) || others.iter().any(|(known, ..)| known == key) {
            return Err(error(TextError::RepeatedKey { text: Snippet::of(key) }, span));
        }
        if key == "name" {
            name = Some(value);
        } else {
            others.push((key.to_string(), value.text.into_owned(), span));
        }
    }
    Ok(Fields { spec, modifiers, spec_text, name, others })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parser::parse_job_file;

    #[test]
    fn ok_lines() {
        let file = "# comment\n\n  # another\r\n0 3 * * * @win(after,1h)\tname=a/b command=\"x \\\"y\\\"\" owner=me\r\n@daily name=c";
        let lines = parse_job_file(file).unwrap();
        assert_eq!(lines.len(), 2);
        assert_eq!((lines[0].line, lines[0].text.as_str()), (4, "0 3 * * * @win(after,1h)"));
        assert_eq!(lines[0].fields[0], ("command".to_string(), "x \"y\"".to_string()));
        assert_eq!(lines[1].job.name(), "c");
    }

    #[test]
    fn a_printed_line_reads_as_its_job() {
        for name in ["a/b", "a b", "ü=\"x\\", "#", "name=a", "(", "a\u{3000}b"] {
            let text = "0 3 * * 1 @tz(Europe/Paris) @win(after,1h) @seed(daily,salt=\"x y\") @only(hours=1&dow=MON-FRI)";
            let job = Job::parse(name, &text.replace('&', ";")).unwrap();
            let lines = parse_job_file(&job.to_line()).unwrap();
            assert_eq!((lines.len(), lines[0].job.name(), lines[0].job.spec()), (1, name, job.spec()));
        }
    }

    #[test]
    fn err_lines_are_bounded() {
        let errors = |file: &str| parse_job_file(file).unwrap_err();
        let many = errors(&"x\n".repeat(5000));
        assert_eq!(many.len(), 1001);
        assert_eq!(many[999].line(), Some(1000));
        assert_eq!(
            (many[1000].line(), many[1000].to_string().as_str()),
            (None, "and 4000 more lines with errors")
        );
        assert_eq!(many[1000].code(), many[0].code());
        assert_eq!(errors(&"x\n".repeat(1000)).len(), 1000);
        // Of both kinds of errors, the first by line are kept: every line except the first two is bad.
        let mixed = errors(&format!("@daily name=a\n{}", "@daily name=a\n61 * * * * name=b\n".repeat(3000)));
        let lines: Vec<Option<usize>> = mixed.iter().map(Error::line).collect();
        assert_eq!(lines[..1000], (2..1002).map(Some).collect::<Vec<_>>());
        assert_eq!(mixed[1000].to_string(), "and 5000 more lines with errors");
        // Help is not computed for errors that are only counted, and a valid line after many bad ones is still a job.
        let zones =
            format!("{}@daily @tz(Europe/Paris) name=a", "@daily @tz(Europe/Pariss) name=x\n".repeat(1001));
        let (lines, zones) = read_job_file(&zones, Lookup::compiled_in());
        assert_eq!((lines.len(), lines[0].line), (1, 1002));
        assert_eq!(zones[999].help().as_deref(), Some("did you mean `Europe/Paris`?"));
        assert_eq!(zones[1000].to_string(), "and 1 more line with errors");
    }

    #[test]
    fn err_lines() {
        let p = |text: &str| -> Vec<String> {
            parse_job_file(text).unwrap_err().iter().map(ToString::to_string).collect()
        };
        assert_eq!(
            p("@daily"),
            [
                "line 1: text: the job has no name; its start times depend on it; add `name=team/job` at the end of the line"
            ]
        );
        assert_eq!(
            p("@daily name=a\n61 * * * * name=b\n@daily name=a"),
            [
                "line 2: schedule.minute: `61` at column 1 is not in 0 to 59",
                "line 3: name: `a` is already the name of another job (line 1); give one of them another name"
            ]
        );
        assert_eq!(p("@daily name=a x=1 x=2"), ["line 1: text: key `x` at column 19 appears twice"]);
        assert_eq!(p("@daily name=a name=b"), ["line 1: text: key `name` at column 15 appears twice"]);
        assert_eq!(p("@daily name="), ["line 1: text: the value at column 13 is empty"]);
        assert_eq!(
            p("@daily name=a stray"),
            ["line 1: text: expected `key=value`, but found `stray` at column 15"]
        );
        assert_eq!(
            p("@daily @win(after,1h) prod/backup"),
            [
                "line 1: text: expected `key=value`, but found `prod/backup` at column 23; write a name as `name=...`, and a command as `command=\"...\"`"
            ]
        );
        assert_eq!(
            p("@daily @win(after,1h)name=a"),
            [
                "line 1: text: the field `name` at column 22 follows a modifier without a blank; put a blank before it"
            ]
        );
        let comment = "a comment cannot follow a job; write it on a separate line, in a job file";
        assert_eq!(
            p("@daily name=a # nightly"),
            [format!("line 1: text: `# nightly` at column 15 is a comment; {comment}")]
        );
        assert_eq!(
            p("@daily name=a win(after,3h)"),
            ["line 1: text: `win(after,3h)` at column 15 has no `@`; write `@win(after,3h)`"]
        );
        for late in ["@policy(deadline=1m)", "@only(dow=1; hours=8)"] {
            assert_eq!(
                p(&format!("@daily name=a command=true {late} x=1")),
                [format!(
                    "line 1: text: the modifier `{late}` at column 28 follows a field; write modifiers before `name=`, `command=` and other fields"
                )]
            );
        }
        // What is not a modifier is not a field either.
        assert_eq!(
            p("@daily name=a @x=1"),
            ["line 1: text: expected `key=value`, but found `@x` at column 15"]
        );
        assert_eq!(
            p("@daily name=\"a\"b"),
            ["line 1: text: `\"a\"b` at column 13 must be quoted; write it as `\"...\"`"]
        );
        assert_eq!(p("@daily name=\"\""), ["line 1: name: the name is empty; start times depend on it"]);
        assert_eq!(p("@daily name=\"a\\nb\"").len(), 1);
        assert_eq!(p("@dialy name=a").len(), 1);
    }
}
