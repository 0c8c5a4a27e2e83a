//! Messages about whole sources, whatever their format.

use kron_core::Finding;

use super::{ConvertCode, refusal, warning};

pub(crate) fn too_long(max: usize) -> Finding {
    refusal(ConvertCode::TooLong, format!("the text is longer than {max} bytes"))
}

/// The jobs up to a line are longer than a job file can be.
pub(crate) fn jobs_too_long(max: usize) -> Finding {
    refusal(ConvertCode::TooLong, format!("the jobs up to here have more than {max} bytes"))
        .with_help("convert the sources in parts, or set fewer variables")
}

pub(crate) fn job_file() -> Finding {
    refusal(ConvertCode::JobFile, "this is a job file of Kron")
        .with_help("it needs no conversion; add `--format FORMAT` if it is something else")
}

pub(crate) fn format_unclear() -> Finding {
    refusal(ConvertCode::FormatUnclear, "the format is not clear").with_help("add `--format FORMAT`")
}

/// Manifests come from one format, and a job file from the other.
pub(crate) fn mixed_outputs(one: &str, other: &str) -> Finding {
    refusal(ConvertCode::MixedOutputs, format!("`{one}` and `{other}` do not go into one file"))
        .with_help("convert them separately")
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
