//! What the fuzz target of conversions does with its bytes: the first byte chooses the format, the rest is the text.
//!
//! Nothing may panic or loop. What is converted is read again, and has as many jobs as the conversion says; what is exported
//! from it is one line for each line of a crontab.

use kron_core::{Duration, Parser};
use kron_formats::convert::{
    CronProgram, ExportOptions, Format, Options, Source, Target, convert, export, recognize,
};
use kron_formats::{LoadOptions, load};

/// Conversions, and exports of what comes out.
pub fn convert_text(data: &[u8]) {
    let Some((choice, text)) = data.split_first() else { return };
    let Ok(text) = core::str::from_utf8(text) else { return };
    let _ = recognize(text);
    // Numbers beyond the formats name none, so that the content decides.
    const { assert!(Format::ALL.len() < 16) };
    let format = Format::ALL.get(usize::from(choice % 16)).copied();
    // There are more options than bits.
    let odd = !choice.count_ones().is_multiple_of(2);
    let name = if odd { "/etc/cron.d/a" } else { "a.timer" };
    let options = Options {
        format,
        window: (choice & 16 != 0).then(|| Duration::parse("30m").unwrap()),
        fixed: choice & 32 != 0,
        suspend: choice & 64 != 0,
        namespace: (choice & 128 != 0).then(|| "team".to_string()),
        timezone: odd.then(|| "Europe/Paris".to_string()),
        host_timezone: (choice & 64 != 0).then(|| "Asia/Tokyo".to_string()),
        ..Options::default()
    };
    let converted = match convert(&[Source { name, text }], &options) {
        Ok(converted) => converted,
        Err(message) => return assert!(!message.to_string().is_empty()),
    };
    for found in &converted.findings {
        let text = found.to_string();
        assert!(!text.is_empty() && !text.contains(char::is_control), "{text:?}");
    }
    if converted.converted == 0 {
        return;
    }
    let loaded = match load(&Parser::new(), &converted.text, &LoadOptions::default()) {
        Ok(loaded) => loaded,
        // Other objects of a file stay as they are, with their errors.
        Err(_) if converted.text.contains("KronJob") => return,
        Err(error) => panic!("{error}\n{text}\n{}", converted.text),
    };
    assert!(loaded.jobs.len() >= converted.converted, "{}", converted.text);
    for target in Target::ALL {
        let cron = if choice & 16 != 0 { CronProgram::Cronie } else { CronProgram::Any };
        let exported = export(&loaded.jobs, &ExportOptions { cron, ..ExportOptions::new(*target) });
        assert!(exported.refused <= loaded.jobs.len());
    }
}
