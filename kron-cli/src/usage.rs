//! Mistakes in arguments that clap finds, in the shape of all other errors.

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::cmd;
use crate::exit_status::ExitStatus;
use crate::output::diagnostic::Diagnostic;
use crate::output::table::printable;
use crate::session::{Session, Stop};

/// Names of options in other programs, and ours.
const OTHER_NAMES: [(&str, &str); 7] = [
    ("--to", "--until"),
    ("--end", "--until"),
    ("--since", "--from"),
    ("--start", "--from"),
    ("--days", "--for"),
    ("--timezone", "--tz"),
    ("--time-zone", "--tz"),
];

/// What the user called.
#[derive(Debug)]
pub(crate) struct CommandName {
    /// `kron`, or `kubectl kron`.
    pub(crate) program: &'static str,
    pub(crate) subcommand: Option<String>,
    /// The long options of the subcommand, such as `--until`.
    pub(crate) options: Vec<String>,
}

impl CommandName {
    fn full(&self) -> String {
        match &self.subcommand {
            Some(subcommand) => format!("{} {subcommand}", self.program),
            None => self.program.to_string(),
        }
    }
}

/// Prints what clap has to say: help on stdout, mistakes as errors.
pub(crate) fn usage(
    error: &clap::Error,
    command: &CommandName,
    session: &mut Session<'_>,
) -> Result<ExitStatus, Stop> {
    let text = error.render();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            session.print_styled(&text.to_string(), &text.ansi().to_string())?;
            Ok(ExitStatus::Success)
        }
        // `kron` alone is not what a script wants to run, and a person begins with a few commands.
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let program = command.program;
            session.remark(&cmd::first_steps(program));
            Ok(ExitStatus::Error)
        }
        _ => Err(mistake(error, command).into()),
    }
}

/// The error about a mistake.
fn mistake(error: &clap::Error, command: &CommandName) -> Diagnostic {
    let get = |kind| error.get(kind).map(words).unwrap_or_default();
    let (arg, value) = (get(ContextKind::InvalidArg), printable(&get(ContextKind::InvalidValue)));
    let more = format!("`{} --help` describes the arguments", command.full());
    let similar = |kind| match get(kind) {
        similar if similar.is_empty() => None,
        similar => Some(format!("did you mean `{similar}`?")),
    };
    match error.kind() {
        ErrorKind::UnknownArgument if arg.starts_with('-') => {
            let found = Diagnostic::error(format!("there is no option `{}`", printable(&arg)));
            let meant = OTHER_NAMES.iter().find(|(other, _)| *other == arg);
            let meant = meant.filter(|(_, name)| command.options.iter().any(|option| option == name));
            let meant = meant.map(|(_, name)| format!("did you mean `{name}`?"));
            found.help(meant.or_else(|| similar(ContextKind::SuggestedArg)).unwrap_or(more))
        }
        ErrorKind::UnknownArgument => {
            Diagnostic::error(format!("`{}` is one argument too many", printable(&arg))).help(more)
        }
        ErrorKind::InvalidSubcommand => {
            let name = printable(&get(ContextKind::InvalidSubcommand));
            let all = format!("`{} --help` lists the commands", command.program);
            Diagnostic::error(format!("there is no command `{name}`"))
                .help(similar(ContextKind::SuggestedSubcommand).unwrap_or(all))
        }
        ErrorKind::MissingRequiredArgument => {
            // An option that another one needs is not in the example.
            let is_option = arg.starts_with('-');
            let subcommand = command.subcommand.as_deref().filter(|_| !is_option);
            let example =
                subcommand.and_then(cmd::example).map(|example| format!("write for example `{example}`"));
            let needed = is_option.then(|| format!("add {arg}; {more}"));
            Diagnostic::error(format!("{arg} is missing")).help(example.or(needed).unwrap_or(more))
        }
        ErrorKind::InvalidValue if get(ContextKind::ValidValue).is_empty() => {
            Diagnostic::error(format!("{arg} has no value")).help(more)
        }
        ErrorKind::InvalidValue => {
            let found = Diagnostic::error(format!("`{value}` is not a value of {arg}"));
            let choices = format!("choose one of {}", get(ContextKind::ValidValue));
            found.help(similar(ContextKind::SuggestedValue).unwrap_or(choices))
        }
        ErrorKind::ValueValidation => {
            let why = std::error::Error::source(error).map(ToString::to_string).unwrap_or_default();
            Diagnostic::error(format!("`{value}` is not a value of {arg}: {why}"))
        }
        ErrorKind::ArgumentConflict => {
            let other = get(ContextKind::PriorArg);
            if other.is_empty() || other == arg {
                Diagnostic::error(format!("{arg} is given twice")).help("leave one of the two out")
            } else {
                Diagnostic::error(format!("{arg} cannot be used with {other}")).help(more)
            }
        }
        // The others are rare: their first paragraph says what is wrong.
        _ => {
            let text = error.render().to_string();
            let first = text.split("\n\n").next().unwrap_or_default();
            let first = first.strip_prefix("error: ").unwrap_or(first);
            let lines: Vec<&str> = first.lines().map(str::trim).collect();
            Diagnostic::error(printable(&lines.join(" "))).help(more)
        }
    }
}

/// A value of clap's context; of an argument with its value, such as `--at <TIME>`, only the argument.
fn words(value: &ContextValue) -> String {
    let argument = |text: &String| match text.split_once(" <") {
        Some((option, _)) if text.starts_with('-') => option.to_string(),
        _ => text.clone(),
    };
    match value {
        ContextValue::String(text) => argument(text),
        ContextValue::Strings(texts) => texts.iter().map(argument).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}
