//! Manual pages: one for each command, with everything that `--help` shows.

use std::fs;
use std::path::Path;

use crate::support::{directory, fine, kron};

/// The text of a page without the escapes that only printers see.
fn plain(page: &str) -> String {
    page.replace("\\-", "-")
        .replace("\\fB", "")
        .replace("\\fI", "")
        .replace("\\fR", "")
        .replace("\\*(Aq", "'")
}

/// The commands that `kron --help` lists.
pub fn commands() -> Vec<String> {
    let help = fine(&["--help"]);
    let list = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names = list.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    names.filter(|name| !name.is_empty() && *name != "help").map(str::to_string).collect()
}

#[test]
fn every_command_has_a_page_with_its_options_and_notes() {
    let dir = directory("man");
    let path = Path::new(&dir).join("share/man1");
    assert_eq!(fine(&["man", path.to_str().unwrap()]), "");
    let read = |name: &str| plain(&fs::read_to_string(path.join(name)).unwrap());

    let commands = commands();
    assert!(commands.len() > 15, "{commands:?}");
    let main = read("kron.1");
    for command in &commands {
        let page = read(&format!("kron-{command}.1"));
        assert!(page.contains(&format!(".TH kron-{command} 1")), "{page}");
        assert!(main.contains(&format!("\nkron-{command}(1)\n")), "{command} is not in\n{main}");
        assert!(page.ends_with("\n.SH \"SEE ALSO\"\nkron(1)\n"), "{page}");
        let help = fine(&[command, "--help"]);
        // Options are at the beginning of their lines; others are in examples.
        let options = help.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
        let words = options.flat_map(|line| {
            line.split([' ', ',']).take_while(|word| !word.is_empty() || word.starts_with('-'))
        });
        let mut options = 0;
        for option in words.filter(|word| word.starts_with('-')) {
            assert!(page.contains(option), "{option} of {command} is not in\n{page}");
            options += 1;
        }
        assert!(options >= 3, "{command} has {options} options");
        let example = help.split("Example:\n").nth(1).and_then(|rest| rest.lines().next()).unwrap();
        let notes = help.lines().skip_while(|line| !line.starts_with("Exit codes: "));
        for line in std::iter::once(example).chain(notes) {
            assert!(page.contains(line), "{line:?} is not in\n{page}");
        }
    }
    // Prose is filled, and a table keeps its lines.
    let page = read("kron-run.1");
    assert!(page.contains("\nSignals:\n.nf\n  HUP ") && page.contains("\n.fi\n\nExit codes: 0 "), "{page}");
    // The main page and one for each command, and no page of clap's own `help`.
    assert_eq!(fs::read_dir(&path).unwrap().count(), commands.len() + 1);
}

#[test]
fn a_directory_that_cannot_be_made_is_named() {
    let file = crate::support::file("man-is-a-file", "");
    let ran = kron(&["man", &file]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.starts_with("error: the manual pages cannot be written: "), "{}", ran.err);
    assert!(ran.err.contains(&file), "{}", ran.err);
}

/// The rows of a table below a heading, up to the next one.
fn section<'t>(page: &'t str, heading: &str) -> &'t str {
    let rest = page.split(&format!("\n## {heading}\n")).nth(1).unwrap_or_else(|| panic!("no {heading}"));
    rest.split("\n## ").next().unwrap()
}

#[test]
fn pages_name_every_command() {
    let readme = include_str!("../README.md").lines().filter(|line| line.starts_with("| `"));
    let page = include_str!("../../docs/reference/command.md");
    let table = section(page, "Commands").lines().filter(|line| line.starts_with("| `"));
    for (place, rows) in
        [("kron-cli/README.md", readme.collect::<String>()), ("docs/reference/command.md", table.collect())]
    {
        for command in commands() {
            let times = rows.matches(&format!("`{command}`")).count();
            assert!(times >= 1, "`{command}` is not in the table of {place}");
        }
    }
    let ranges = section(page, "Times").split("\nDefault ranges: ").nth(1).unwrap();
    let ranges = ranges.split("\n\n").next().unwrap();
    for command in commands() {
        let has = fine(&[&command, "--help"]).contains("default range: ");
        assert_eq!(has, ranges.contains(&format!("`{command}`")), "the default range of {command}");
    }
}
