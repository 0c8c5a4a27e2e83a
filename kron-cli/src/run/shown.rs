//! Lines of commands as a terminal may show them.

use std::borrow::Cow;

/// A line in which no byte controls a terminal: control characters but the tab are escaped, as `\r` or `\u{1b}`. Other text
/// stays as it is, and so do bytes that are not UTF-8, unless a terminal for eight bits takes them for control characters.
pub(super) fn shown(line: &[u8]) -> Cow<'_, [u8]> {
    let odd = |c: char| c.is_control() && c != '\t';
    if std::str::from_utf8(line).is_ok_and(|text| !text.contains(odd)) {
        return Cow::Borrowed(line);
    }
    let mut shown = Vec::with_capacity(line.len() + 16);
    for chunk in line.utf8_chunks() {
        for c in chunk.valid().chars() {
            match odd(c) {
                true => shown.extend(c.escape_default().map(|c| c as u8)),
                false => shown.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        for byte in chunk.invalid() {
            match byte {
                0x80..=0x9f => shown.extend(byte.escape_ascii()),
                _ => shown.push(*byte),
            }
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_controls_a_terminal() {
        for (line, expected) in [
            (&b"plain\ttext \\r"[..], &b"plain\ttext \\r"[..]),
            (
                "caf\u{e9} \u{65e5}\u{672c} \u{200f}".as_bytes(),
                "caf\u{e9} \u{65e5}\u{672c} \u{200f}".as_bytes(),
            ),
            (b"10%\r20%", b"10%\\r20%"),
            (b"\x1b[31mred\x1b]0;title\x07", b"\\u{1b}[31mred\\u{1b}]0;title\\u{7}"),
            (b"\0\x08\x7f", b"\\u{0}\\u{8}\\u{7f}"),
            // C1: as a character, and as a byte.
            ("\u{9b}31m".as_bytes(), b"\\u{9b}31m"),
            (b"\x9b31m \xe9\xff", b"\\x9b31m \xe9\xff"),
            // A character that is cut, with the byte of a control character in it.
            (b"a\xe2\x80", b"a\xe2\\x80"),
        ] {
            assert_eq!(shown(line), expected, "{}", line.escape_ascii());
        }
        for byte in 0..=u8::MAX {
            for line in [vec![byte], vec![b'a', byte, b'b'], vec![0xc3, byte]] {
                let shown = shown(&line);
                assert!(!shown.iter().any(|byte| matches!(byte, 0..=8 | 10..=31 | 127)), "{line:?}");
            }
        }
    }
}
