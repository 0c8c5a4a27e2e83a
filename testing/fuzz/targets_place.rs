//! What the fuzz target of places does with its bytes: the first byte chooses path and options, the rest is the text.
//!
//! Nothing may panic or loop. What is adopted can be undone, to the byte; what is placed is placed again without a change; and whatever
//! reads jobs reads every text.

use kron_core::place::WantedWindow;
use kron_core::{Duration, WindowMode, Zone};
use kron_formats::place::{Adoption, Mode, Options, Source, adopt, has_declarations, place};
use kron_formats::read::{self, read};

/// Paths by which a text is another kind of file.
const PATHS: [&str; 8] = [
    "values.yaml",
    "cron.d/backup",
    ".github/workflows/nightly.yml",
    "a.json",
    "a.toml",
    "notes.txt",
    "tsconfig.jsonc",
    "-",
];

/// Declarations: adopted, placed, undone and read.
pub fn place_text(data: &[u8]) {
    let Some((choice, text)) = data.split_first() else { return };
    let Ok(text) = core::str::from_utf8(text) else { return };
    let path = PATHS[usize::from(choice % 8)];
    let mut source = Source::new(path, text).named("fleet/a").on_host("web-1");
    source.by_content = path == "-";
    let mode = [WindowMode::After, WindowMode::Before, WindowMode::Around][usize::from(choice / 8 % 3)];
    let zone = if choice & 128 == 0 { "UTC" } else { "Europe/Paris" };
    let options = Options {
        timezone: Zone::parse(zone).ok(),
        from: Some(1_772_323_200),
        namespace: Some("team".to_string()),
        ..Options::default()
    };
    let adoption =
        Adoption { mode, ..Adoption::new(WantedWindow::Long(Duration::parse("90m").expect("a duration"))) };

    let out = adopt(&[source.clone()], &options, &adoption);
    for found in &out.placed.findings {
        let message = found.to_string();
        assert!(!message.is_empty() && !message.contains(char::is_control), "{message:?}");
    }
    let after = &out.placed.texts[0];
    let mut again = source.clone();
    again.text = after;
    let undo = Options { mode: Mode::Undo, ..options.clone() };
    if !has_declarations(text) {
        // A run of adopting never fails because of one schedule.
        assert!(!out.placed.is_refused(), "{path}: {text:?}: {:?}", out.placed.findings);
        assert_eq!(place(&[again.clone()], &undo).texts[0], text, "{path}: {after:?}");
    }
    if !out.placed.is_refused() {
        assert_eq!(&place(&[again.clone()], &options).texts[0], after, "{path}: {text:?}");
        let twice = adopt(&[again], &options, &adoption);
        assert_eq!((&twice.placed.texts[0], twice.adopted.len()), (after, 0), "{path}: {text:?}");
    }

    // Both texts can be read, and a schedule is there before and after. A text with errors is refused as a whole.
    let read = |text: &str| {
        let source = read::Source::new(path, text).with_names("fleet/a").on_host(Some("web-1"));
        let source = if choice & 64 == 0 { source } else { source.named() };
        read(&[source], &read::Options::default())
    };
    let (before, adopted) = (read(text), read(after));
    if before.unread.is_empty() && before.errors.is_empty() && !has_declarations(text) {
        assert!(
            adopted.jobs.len() >= before.jobs.len(),
            "{path}: {text:?}: {:?} {after:?}: {:?} {:?}",
            before.jobs.len(),
            adopted.jobs.len(),
            adopted.unread
        );
    }
}
