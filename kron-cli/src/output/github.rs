//! Findings as workflow commands of GitHub Actions, which show them at their lines.

use kron_core::Severity;

use super::diagnostic::Diagnostic;

/// The command for one finding, without a line feed at its end.
pub(crate) fn command(diagnostic: &Diagnostic) -> String {
    let level = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let mut properties = Vec::new();
    // Standard input is not a file of the repository.
    if let Some(file) = diagnostic.file.as_deref().filter(|file| *file != "<stdin>") {
        properties.push(format!("file={}", property(file)));
        if let Some(line) = diagnostic.line {
            properties.push(format!("line={line}"));
            if let Some((column, _)) = diagnostic.columns() {
                properties.push(format!("col={column}"));
            }
        }
    }
    let blank = if properties.is_empty() { "" } else { " " };
    format!("::{level}{blank}{}::{}", properties.join(","), data(&diagnostic.full_message()))
}

/// A message: a command is one line.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A value of a property, which a colon or a comma would end.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_escaped() {
        let mut finding = Diagnostic::warning("100 %: a, b\r\nc");
        assert_eq!(command(&finding), "::warning::100 %25: a, b%0D%0Ac");
        finding.file = Some("C:\\a,b%.kron".to_string());
        finding.line = Some(3);
        finding.help = Some("try d".to_string());
        finding.name = Some("a/b".to_string());
        assert_eq!(
            command(&finding),
            "::warning file=C%3A\\a%2Cb%25.kron,line=3::a/b: 100 %25: a, b%0D%0Ac%0Ahelp: try d"
        );
        finding.file = Some("<stdin>".to_string());
        assert!(command(&finding).starts_with("::warning::a/b"));
    }
}
