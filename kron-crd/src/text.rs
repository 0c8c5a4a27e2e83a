//! Texts that are not longer than the API server takes.

/// The longest note of an Event, in bytes. Messages of conditions are no longer.
const NOTE_BYTES: usize = 1024;

/// Cuts a note to 1024 bytes, at a boundary of characters.
///
/// ```
/// let mut note = "ü".repeat(1000);
/// kron_crd::text::cut(&mut note);
/// assert_eq!((note.len(), note.ends_with("ü…")), (1023, true));
/// ```
pub fn cut(note: &mut String) {
    const END: &str = "…";
    if note.len() > NOTE_BYTES {
        note.truncate(first_bytes(note, NOTE_BYTES - END.len()).len());
        note.push_str(END);
    }
}

/// As much of a text as fits into a number of bytes.
///
/// ```
/// assert_eq!(kron_crd::text::first_bytes("aü", 2), "a");
/// ```
pub fn first_bytes(text: &str, bytes: usize) -> &str {
    // Position 0 is a boundary of characters at the latest.
    (0..=bytes.min(text.len())).rev().find_map(|end| text.get(..end)).unwrap_or_default()
}
