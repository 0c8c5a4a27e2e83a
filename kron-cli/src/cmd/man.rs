//! `kron man`: the manual pages of all commands, from what `--help` shows.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Command, ValueHint};
use clap_mangen::Man;

use crate::exit_status::ExitStatus;
use crate::output::diagnostic::Diagnostic;
use crate::session::{Session, Stop};

/// Write the manual pages of all commands
///
/// Writes kron.1 and a page for each command, such as kron-next.1, into a directory. The directory is made if it
/// does not exist, and pages of an earlier version are replaced. `man` finds the pages of ~/.local/share/man/man1
/// if ~/.local/bin is in PATH.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = "\
Examples:
  kron man ~/.local/share/man/man1
      then: man kron-next"
)]
pub(crate) struct ManArgs {
    /// The directory of the pages
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) dir: PathBuf,
}

pub(crate) fn run(args: &ManArgs, command: Command, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    fs::create_dir_all(&args.dir).map_err(|failed| unwritten(&args.dir, &failed, session))?;
    for (name, page) in pages(command)? {
        let path = args.dir.join(name);
        fs::write(&path, page).map_err(|failed| unwritten(&path, &failed, session))?;
    }
    Ok(ExitStatus::Success)
}

fn unwritten(path: &Path, failed: &io::Error, session: &mut Session<'_>) -> Stop {
    let mut error = Diagnostic::error(format!("the manual pages cannot be written: {failed}"));
    error.file = Some(path.display().to_string());
    session.fail(&error, ExitStatus::Error)
}

/// The names and texts of all pages.
fn pages(command: Command) -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut command = command.disable_help_subcommand(true).subcommand_help_heading("COMMANDS");
    // Gives the commands their full names and the options of all commands.
    command.build();
    let mut pages = vec![page(&command, "")?];
    for subcommand in command.get_subcommands() {
        pages.push(page(subcommand, ".SH \"SEE ALSO\"\n\\fBkron\\fR(1)\n")?);
    }
    Ok(pages)
}

fn page(command: &Command, end: &str) -> io::Result<(String, Vec<u8>)> {
    let man =
        Man::new(command.clone()).source(concat!("kron ", env!("CARGO_PKG_VERSION"))).manual("User Commands");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    if command.get_after_long_help().is_some() {
        let mut notes = Vec::new();
        man.render_extra_section(&mut notes)?;
        // Examples and exit codes keep their lines.
        let notes = String::from_utf8_lossy(&notes).replacen(".SH EXTRA\n", ".SH NOTES\n.nf\n", 1);
        page.extend_from_slice(format!("{notes}.fi\n").as_bytes());
    }
    page.extend_from_slice(end.as_bytes());
    Ok((man.get_filename(), page))
}
