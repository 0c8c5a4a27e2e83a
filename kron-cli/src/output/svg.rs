//! What all pictures in SVG share.

/// The page and the texts, light or dark as the reader's programs are. The classes begin with `kron`, because notebooks put pictures
/// into their own page.
pub(crate) const STYLE: &str = "\
.kron-bg{fill:#fff}\
.kron-text{font:13px system-ui,-apple-system,'Segoe UI',sans-serif;fill:#1f2328}\
.kron-dim{fill:#59636e}\
@media (prefers-color-scheme:dark){\
.kron-bg{fill:#0d1117}\
.kron-text{fill:#f0f6fc}\
.kron-dim{fill:#9198a1}}";

/// A text within XML. Characters that XML cannot have are escaped by `printable`.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
