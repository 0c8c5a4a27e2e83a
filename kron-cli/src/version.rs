//! `kron --version`: the version, and what start times depend on.

use std::io::Write as _;

use kron_core::{Algorithm, TzDatabase};

use crate::exit_status::ExitStatus;
use crate::session::{Session, Stop};

pub(crate) fn run(session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    let (default, others) = Algorithm::WORDS.split_first().unwrap_or((&"", &[]));
    let database = session.tz_database_name()?;
    let compiled_in = match session.tz_database()?.is_compiled_in() {
        true => String::new(),
        false => format!("; {} is compiled in", TzDatabase::COMPILED_IN_VERSION),
    };
    let out = &mut session.out;
    writeln!(out, "kron {}", env!("CARGO_PKG_VERSION"))?;
    writeln!(out, "time zone database {database}{compiled_in}")?;
    writeln!(out, "algorithms {default} (default), {}", others.join(", "))?;
    Ok(ExitStatus::Success)
}
