//! The fields of a job file that say what a job runs: `command`, `cwd`, `env.NAME`, `timeout` and `user`.

use std::path::PathBuf;
use std::time::Duration;

use super::user::User;

/// Variables that start so are set by the runner.
const RESERVED: &str = "KRON_";
/// The fields with which a misspelled one is compared. `cwd` is not among them, because other short words, such as `cmd`, differ
/// from it by one letter.
const KNOWN: [&str; 3] = ["command", "timeout", "env."];

/// What a job runs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CommandFields {
    /// A command line for the shell.
    pub(crate) command: String,
    /// The directory in which it runs; `None` for that of the runner.
    pub(crate) cwd: Option<PathBuf>,
    /// Variables that are added to the environment of the runner, in order.
    pub(crate) env: Vec<(String, String)>,
    /// For how long it may run.
    pub(crate) timeout: Option<Duration>,
}

/// What is wrong with a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FieldError {
    /// The field; `None` if one is missing.
    pub(crate) key: Option<String>,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    /// Whether it is only a warning.
    pub(crate) warning: bool,
}

impl FieldError {
    fn new(key: &str, message: String, help: &str) -> FieldError {
        FieldError { key: Some(key.to_string()), message, help: Some(help.to_string()), warning: false }
    }
}

/// Reads the fields of a job, and says what is wrong with them. `runner` is the user as whom it would run.
pub(crate) fn read(fields: &[(String, String)], runner: &User) -> (Option<CommandFields>, Vec<FieldError>) {
    let mut errors = Vec::new();
    let (mut command, mut cwd, mut env, mut timeout) = (None, None, Vec::new(), None);
    for (key, value) in fields {
        let read = match key.as_str() {
            "command" => text(key, value).map(|value| command = Some(value)),
            "cwd" => directory(key, value).map(|value| cwd = Some(value)),
            "timeout" => length(key, value).map(|value| timeout = Some(value)),
            "user" => owner(key, value, runner),
            "env" => Err(FieldError::new(
                key,
                "`env` sets one variable for each field".to_string(),
                "write `env.NAME=value`",
            )),
            _ => match key.strip_prefix("env.") {
                Some(name) => variable(key, name, value).map(|variable| env.push(variable)),
                None => misspelled(key).map_or(Ok(()), Err),
            },
        };
        errors.extend(read.err());
    }
    if command.is_none() && !fields.iter().any(|(key, _)| key == "command") {
        errors.push(FieldError {
            key: None,
            message: "the job has no command".to_string(),
            help: Some("add `command=\"...\"` at the end of the line".to_string()),
            warning: false,
        });
    }
    (command.map(|command| CommandFields { command, cwd, env, timeout }), errors)
}

/// A text that a process can be given.
fn text(key: &str, value: &str) -> Result<String, FieldError> {
    if value.contains('\0') {
        let message = format!("`{key}` contains a NUL character");
        return Err(FieldError::new(key, message, "remove `\\u{0}`"));
    }
    if key == "command" && value.trim().is_empty() {
        let message = "`command` is empty".to_string();
        return Err(FieldError::new(key, message, "write for example `command=\"backup --all\"`"));
    }
    Ok(value.to_string())
}

fn directory(key: &str, value: &str) -> Result<PathBuf, FieldError> {
    let path = PathBuf::from(text(key, value)?);
    if path.is_absolute() {
        return Ok(path);
    }
    let message = format!("`cwd` is a relative path: `{value}`");
    Err(FieldError::new(key, message, "write an absolute path, such as `/srv/app`"))
}

fn length(key: &str, value: &str) -> Result<Duration, FieldError> {
    let duration = kron_core::Duration::parse(value).map_err(|error| FieldError {
        key: Some(key.to_string()),
        message: format!("`{key}`: {}", error.reason()),
        help: error.help(),
        warning: false,
    })?;
    match u64::try_from(duration.as_nanos()) {
        Ok(nanos @ 1..) => Ok(Duration::from_nanos(nanos)),
        _ => {
            let message = "`timeout` is zero, so the command would be stopped at once".to_string();
            Err(FieldError::new(key, message, "write for example `timeout=1h`, or leave it out"))
        }
    }
}

/// A command is not started as another user than its own.
fn owner(key: &str, value: &str, runner: &User) -> Result<(), FieldError> {
    if runner.is(value) {
        return Ok(());
    }
    let message = format!(
        "the command belongs to the user `{value}`, and this runner starts commands as its own user, `{runner}`"
    );
    let help = format!("start a runner as `{value}` with a file of its jobs, or remove `user=`");
    Err(FieldError::new(key, message, &help))
}

fn variable(key: &str, name: &str, value: &str) -> Result<(String, String), FieldError> {
    let well_formed = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !well_formed {
        let message = format!("`{name}` is not the name of an environment variable");
        return Err(FieldError::new(
            key,
            message,
            "a name has letters, digits and `_`, as in `env.LOG_LEVEL=debug`",
        ));
    }
    if name.starts_with(RESERVED) {
        let message =
            format!("`{name}` is reserved: `kron run` sets the variables that begin with `{RESERVED}`");
        return Err(FieldError::new(key, message, "choose another name"));
    }
    Ok((name.to_string(), text(key, value)?))
}

/// A warning about a key that one of the fields may have been meant with. All other keys are free.
fn misspelled(key: &str) -> Option<FieldError> {
    let near = |known: &&str| strsim::osa_distance(known.trim_end_matches('.'), key) == 1;
    let nearest = KNOWN.into_iter().find(near)?;
    Some(FieldError {
        warning: true,
        ..FieldError::new(
            key,
            format!("`kron run` ignores the field `{key}`"),
            &format!("did you mean `{nearest}`?"),
        )
    })
}

/// The bytes of a field in the line of a job file: key, `=` and value.
pub(crate) fn place(line: &str, key: &str) -> Option<std::ops::Range<usize>> {
    let (mut quoted, mut escaped, mut start, mut found) = (false, false, true, None);
    for (at, c) in line.char_indices() {
        let blank = !quoted && matches!(c, ' ' | '\t');
        match found {
            Some(from) if blank => return Some(from..at),
            None if start && !quoted => {
                let rest = line[at..].strip_prefix(key);
                found = rest.is_some_and(|rest| rest.starts_with('=')).then_some(at);
            }
            _ => {}
        }
        start = blank;
        if escaped {
            escaped = false;
        } else if quoted && c == '\\' {
            escaped = true;
        } else if c == '"' {
            quoted = !quoted;
        }
    }
    found.map(|from| from..line.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(line: &str) -> (Option<CommandFields>, Vec<FieldError>) {
        let text = format!("@daily name=a {line}");
        let runner = User::of(34, "backup:x:34:34::/:/bin/sh");
        read(&kron_core::text::parse_job_file(&text).unwrap()[0].fields, &runner)
    }

    /// The first message and its help.
    fn error(line: &str) -> (String, String) {
        let (_, errors) = fields(line);
        let error = errors.first().unwrap_or_else(|| panic!("{line} is accepted"));
        (error.message.clone(), error.help.clone().unwrap_or_default())
    }

    #[test]
    fn all_fields() {
        let line = r#"command="tar c \"$DIR\"" cwd=/srv env.DIR="my files" env._X="" timeout=1h30m owner=me"#;
        let want = CommandFields {
            command: "tar c \"$DIR\"".to_string(),
            cwd: Some(PathBuf::from("/srv")),
            env: vec![("DIR".to_string(), "my files".to_string()), ("_X".to_string(), String::new())],
            timeout: Some(Duration::from_secs(5400)),
        };
        assert_eq!(fields(line), (Some(want), Vec::new()));
        for user in ["user=backup", "user=34"] {
            assert_eq!(fields(&format!("command=true {user}")).1, []);
        }
        let (alone, errors) = fields("command=true");
        assert_eq!(errors, []);
        assert_eq!(
            alone.unwrap(),
            CommandFields { command: "true".to_string(), cwd: None, env: Vec::new(), timeout: None }
        );
    }

    #[test]
    fn every_error_has_its_help() {
        for (line, message, help) in [
            ("owner=me", "the job has no command", "add `command=\"...\"` at the end of the line"),
            ("command=\" \"", "`command` is empty", "write for example `command=\"backup --all\"`"),
            ("command=\"a\\u{0}\"", "`command` contains a NUL character", "remove `\\u{0}`"),
            (
                "command=a cwd=srv",
                "`cwd` is a relative path: `srv`",
                "write an absolute path, such as `/srv/app`",
            ),
            (
                "command=a timeout=0s",
                "`timeout` is zero, so the command would be stopped at once",
                "write for example `timeout=1h`, or leave it out",
            ),
            ("command=a env=A=1", "`env` sets one variable for each field", "write `env.NAME=value`"),
            (
                "command=a env.1A=b",
                "`1A` is not the name of an environment variable",
                "a name has letters, digits and `_`, as in `env.LOG_LEVEL=debug`",
            ),
            (
                "command=a env.KRON_JOB=b",
                "`KRON_JOB` is reserved: `kron run` sets the variables that begin with `KRON_`",
                "choose another name",
            ),
            (
                "command=a user=root",
                "the command belongs to the user `root`, and this runner starts commands as its own user, `backup`",
                "start a runner as `root` with a file of its jobs, or remove `user=`",
            ),
            ("command=a timout=1h", "`kron run` ignores the field `timout`", "did you mean `timeout`?"),
            ("comand=a", "`kron run` ignores the field `comand`", "did you mean `command`?"),
        ] {
            assert_eq!(error(line), (message.to_string(), help.to_string()), "{line}");
        }
        let (message, help) = error("command=a timeout=90");
        assert!(message.starts_with("`timeout`: ") && !help.is_empty(), "{message}; {help}");
        // A warning does not keep the job from running.
        let (read, errors) = fields("command=a timout=1h");
        assert!(read.is_some() && errors[0].warning);
        assert_eq!(fields("command=a note=x cmd=y").1, []);
    }

    #[test]
    fn places_of_fields() {
        let line =
            "0 3 * * * @seed(stable,salt=\"a timeout=1\") name=a env.X=\"b \\\" timeout=2\"\ttimeout=90 x=1";
        let at = |key| place(line, key).map(|place| &line[place]);
        assert_eq!(at("timeout"), Some("timeout=90"));
        assert_eq!(at("env.X"), Some("env.X=\"b \\\" timeout=2\""));
        assert_eq!((at("x"), at("command"), at("salt")), (Some("x=1"), None, None));
    }
}
