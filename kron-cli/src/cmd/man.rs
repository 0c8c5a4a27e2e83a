//! `kron man`: the manual pages of all commands, from what `--help` shows.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Command, ValueHint};
use clap_mangen::Man;

use crate::exit_status::ExitStatus;
use crate::output::diagnostic::Diagnostic;
use crate::output::system::system;
use crate::session::{Session, Stop};
use crate::subcommand::{Help, Save, Subcommand};

/// The arguments of `man`.
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The directory for the pages, which is made if it does not exist
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    dir: PathBuf,
}

impl Subcommand for ManArgs {
    const HELP: Help = Help {
        about: "Write the manual pages of all commands",
        example: "kron man ~/.local/share/man/man1",
        range: None,
        notes: || {
            "It writes kron.1 and a page for each command, such as kron-next.1; pages of an earlier version are replaced. \
             `man` finds the pages of ~/.local/share/man/man1 if ~/.local/bin is in PATH."
                .to_string()
        },
        exit_codes: "0 success; 2 bad arguments, or the pages cannot be written",
    };

    fn save(&self) -> Save<'_> {
        Save::Never
    }

    fn judges(&self) -> bool {
        false
    }

    fn run(&self, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
        run(self, session)
    }
}

fn run(args: &ManArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    fs::create_dir_all(&args.dir).map_err(|failed| unwritten(&args.dir, &failed))?;
    for (name, page) in pages((session.command_line)())? {
        let path = args.dir.join(name);
        fs::write(&path, page).map_err(|failed| unwritten(&path, &failed))?;
    }
    Ok(ExitStatus::Success)
}

fn unwritten(path: &Path, failed: &io::Error) -> Diagnostic {
    Diagnostic::error(format!("the manual pages cannot be written: {}", system(failed))).file(path.display())
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
        let notes = String::from_utf8_lossy(&notes).replacen(".SH EXTRA\n", ".SH NOTES\n", 1);
        page.extend_from_slice(tables_kept(&notes).as_bytes());
    }
    page.extend_from_slice(end.as_bytes());
    Ok((man.get_filename(), page))
}

/// A text of roff in which indented lines, those of tables and examples, keep their lines; others are filled.
fn tables_kept(text: &str) -> String {
    let mut kept = String::new();
    let mut is_table = false;
    for line in text.lines() {
        if line.starts_with(' ') != is_table {
            is_table = !is_table;
            kept += if is_table { ".nf\n" } else { ".fi\n" };
        }
        kept += line;
        kept.push('\n');
    }
    if is_table {
        kept += ".fi\n";
    }
    kept
}
