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

/// A picture: its title, for readers who do not see it, the colours of its own classes, and its elements, one a line.
pub(crate) fn document(width: f64, height: f64, title: &str, style: &str, elements: &str) -> String {
    let (width, height, title) = (number(width), number(height), escaped(title));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" \
         style=\"max-width:100%;height:auto\">\n<title>{title}</title>\n<style>{STYLE}{style}</style>\n\
         <rect class=\"kron-bg\" width=\"{width}\" height=\"{height}\"/>\n{elements}</svg>\n"
    )
}

/// A length with one digit after the point where it needs one.
pub(crate) fn number(length: f64) -> String {
    let text = format!("{length:.1}");
    text.strip_suffix(".0").map(str::to_string).unwrap_or(text)
}

/// A text within XML. Characters that XML cannot have are escaped by `printable`.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
