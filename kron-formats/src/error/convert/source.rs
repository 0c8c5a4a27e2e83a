//! Messages about whole sources, whatever their format.

use kron_core::{Finding, Severity};

use super::{ConvertCode, note, refusal, warning};

pub(crate) fn too_long(max: usize) -> Finding {
    refusal(ConvertCode::TooLong, format!("the text is longer than {max} bytes"))
}

/// The jobs up to a line are longer than a job file can be.
pub(crate) fn jobs_too_long(max: usize) -> Finding {
    refusal(ConvertCode::TooLong, format!("the jobs up to here have more than {max} bytes"))
        .with_help("convert the sources in parts, or set fewer variables")
}

/// The jobs up to a line have more settings than are kept, each with a copy of its own.
pub(crate) fn too_many_settings(max: usize) -> Finding {
    let message = format!("the jobs up to here have more than {max} settings in all");
    refusal(ConvertCode::TooLong, message).with_help("read the files in parts, or set fewer variables")
}

pub(crate) fn job_file() -> Finding {
    refusal(ConvertCode::JobFile, "this is a job file of Kron: it is converted already")
        .with_help("add `--format crontab` if it is something else")
}

pub(crate) fn kronjobs() -> Finding {
    refusal(ConvertCode::JobFile, "this has KronJobs and nothing else to convert: they are converted already")
}

/// Lines of a crontab whose sixth words can be users or commands.
pub(crate) fn users_unclear() -> Finding {
    let message = "it is not clear whether the sixth word of a line is a user or its command";
    refusal(ConvertCode::FormatUnclear, message)
        .with_help("add `--format cron.d` if it is a user, or `--format crontab` if it is the command")
}

/// `candidates` are formats that the text may have, `words` all formats.
pub(crate) fn format_unclear(candidates: &[&str], words: &[&str]) -> Finding {
    let quoted = |words: &[&str]| words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
    let help = match candidates.split_last() {
        None => format!("add `--format` and one of {}", quoted(words)),
        Some((last, [])) => format!("add `--format {last}`, or another one"),
        Some((last, rest)) => {
            format!("add `--format` with the program that it is for: {} or `{last}`", quoted(rest))
        }
    };
    refusal(ConvertCode::FormatUnclear, "the format is not clear").with_help(help)
}

pub(crate) fn anacrontab() -> Finding {
    let message = "this is an anacrontab: anacron counts days since the last run, and names no times";
    refusal(ConvertCode::NotExpressible, message).with_help(
        "write a job that makes up for a missed start, such as \
         `@daily @win(after,1h) @policy(deadline=24h) name=cron.daily command=\"run-parts /etc/cron.daily\"`",
    )
}

/// Manifests come from one format, and a job file from the other.
pub(crate) fn mixed_outputs(one: &str, other: &str) -> Finding {
    refusal(ConvertCode::MixedOutputs, format!("`{one}` and `{other}` do not go into one file"))
        .with_help("convert them separately")
}

/// An object of a kind that this conversion does not make jobs of. `severity` is lower where the format was chosen.
pub(crate) fn of_another_format(kind: &str, format: &str, stays: bool, severity: Severity) -> Finding {
    let what = if stays {
        "is not converted to a KronJob: it can only be a line of a job file"
    } else {
        "is left out"
    };
    Finding::new(severity, ConvertCode::MixedOutputs, format!("this {kind} {what}"))
        .with_help(format!("convert it with `--format {format}`"))
}

/// A KronJob where a job file is made.
pub(crate) fn kronjob_left_out() -> Finding {
    warning(ConvertCode::LeftOut, "this KronJob is left out: it is a job of Kron already")
        .with_help("keep it in a file of its own")
}

pub(crate) fn other_objects(count: usize) -> Finding {
    let message = match count {
        1 => "1 object of another kind is left out".to_string(),
        _ => format!("{count} objects of another kind are left out"),
    };
    note(ConvertCode::LeftOut, message)
}

/// Lines end with carriage returns alone, which readers of YAML and editors count differently.
pub(crate) fn carriage_returns() -> Finding {
    refusal(ConvertCode::NotReadable, "the file has carriage returns without line feeds")
        .with_help("save it with line feeds")
}

pub(crate) fn none_of_kind(kind: &str) -> Finding {
    refusal(ConvertCode::NothingToConvert, format!("there is no {kind} in it"))
}

/// A crontab or a source of Jenkins: nothing in its text says that it must have a schedule.
pub(crate) fn no_schedule() -> Finding {
    warning(ConvertCode::NothingToConvert, "it has no schedule, so nothing is converted")
}
