//! Lines from the output of a command, as it comes in pieces.

/// A line that is longer is cut into pieces of so many bytes.
pub(crate) const LINE_BYTES: usize = 16 * 1024;

/// Cuts a stream of bytes into lines of bounded length.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    /// The beginning of a line whose end has not come.
    held: Vec<u8>,
}

impl Lines {
    /// Takes the next bytes, and gives each line that they end, without its line feed. `partial` says that a line was cut
    /// because it is too long: the next one continues it.
    pub(crate) fn push(&mut self, mut bytes: &[u8], mut line: impl FnMut(&[u8], bool)) {
        while !bytes.is_empty() {
            let room = LINE_BYTES - self.held.len();
            let end = bytes.iter().take(room + 1).position(|byte| *byte == b'\n');
            match end {
                Some(end) => {
                    self.held.extend_from_slice(&bytes[..end]);
                    line(without_return(&self.held), false);
                    self.held.clear();
                    bytes = &bytes[end + 1..];
                }
                None if bytes.len() > room => {
                    self.held.extend_from_slice(&bytes[..room]);
                    // A character is not cut where that can be avoided.
                    let cut = whole_characters(&self.held);
                    line(&self.held[..cut], true);
                    self.held.drain(..cut);
                    bytes = &bytes[room..];
                }
                None => {
                    self.held.extend_from_slice(bytes);
                    return;
                }
            }
        }
    }

    /// The last line, if the stream does not end with a line feed.
    pub(crate) fn end(self) -> Option<Vec<u8>> {
        let line = without_return(&self.held).to_vec();
        (!self.held.is_empty()).then_some(line)
    }
}

/// Programs on terminals and those made for other systems write a carriage return before the line feed.
fn without_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// How many bytes there are up to the end of the last whole character; all of them if they are not UTF-8.
fn whole_characters(bytes: &[u8]) -> usize {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() && error.valid_up_to() > 0 => error.valid_up_to(),
        _ => bytes.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(pieces: &[&[u8]]) -> Vec<(Vec<u8>, bool)> {
        let (mut lines, mut found) = (Lines::default(), Vec::new());
        for piece in pieces {
            lines.push(piece, |line, partial| found.push((line.to_vec(), partial)));
        }
        found.extend(lines.end().map(|line| (line, false)));
        found
    }

    fn whole(lines: &[&str]) -> Vec<(Vec<u8>, bool)> {
        lines.iter().map(|line| (line.as_bytes().to_vec(), false)).collect()
    }

    #[test]
    fn pieces_do_not_matter() {
        let text = "one\ntwo \u{e9}\r\n\n\nlast";
        for size in 1..text.len() {
            let pieces: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
            assert_eq!(lines(&pieces), whole(&["one", "two \u{e9}", "", "", "last"]), "{size}");
        }
        assert_eq!(lines(&[b"a\n"]), whole(&["a"]));
        assert_eq!(lines(&[]), []);
        assert_eq!(lines(&[b"\xff\xfe\n"]), [(b"\xff\xfe".to_vec(), false)]);
    }

    #[test]
    fn long_lines_are_cut() {
        let text = [vec![b'x'; 2 * LINE_BYTES + 5], b"\nend\n".to_vec()].concat();
        for size in [1, 7, LINE_BYTES, text.len()] {
            let found = lines(&text.chunks(size).collect::<Vec<_>>());
            let lengths: Vec<(usize, bool)> =
                found.iter().map(|(line, partial)| (line.len(), *partial)).collect();
            assert_eq!(lengths, [(LINE_BYTES, true), (LINE_BYTES, true), (5, false), (3, false)], "{size}");
        }
        // A line of the full length is whole.
        let full = [vec![b'x'; LINE_BYTES], b"\n".to_vec()].concat();
        assert_eq!(lines(&[&full]), [(vec![b'x'; LINE_BYTES], false)]);
        assert_eq!(lines(&[&full[..LINE_BYTES], b"\n"]), [(vec![b'x'; LINE_BYTES], false)]);
        // Characters are kept whole.
        let text = format!("x{}\n", "\u{e9}".repeat(LINE_BYTES));
        for (line, _) in lines(&text.as_bytes().chunks(1000).collect::<Vec<_>>()) {
            assert!(String::from_utf8(line).is_ok());
        }
    }
}
