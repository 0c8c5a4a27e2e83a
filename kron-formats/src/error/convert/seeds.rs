//! Messages about seeds that are written into manifests.

use kron_core::Finding;

use super::{ConvertCode, refusal};

pub(crate) fn no_such_kronjob() -> Finding {
    refusal(ConvertCode::NothingToConvert, "this file has no KronJob of that name")
        .with_help("convert CronJobs first: `kron convert FILE`")
}

pub(crate) fn not_written() -> Finding {
    refusal(ConvertCode::NotEditable, "the seeds cannot be written into this text")
        .with_help("write one field a line, without aliases")
}

pub(crate) fn not_a_map(field: &str) -> Finding {
    refusal(ConvertCode::NotEditable, format!("`{field}` is not a map")).with_help("write its fields out")
}
