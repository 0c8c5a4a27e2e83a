//! The screen of a terminal that is redrawn in place.

use std::io::{self, Write};

use crate::output::frame::Line;

/// A second screen, which leaves the first as it was; no cursor; lines that end at the edge.
const ENTER: &str = "\x1b[?1049h\x1b[?25l\x1b[?7l";
const LEAVE: &str = "\x1b[?7h\x1b[?25h\x1b[?1049l";

/// A screen. When it is dropped, the terminal is as it was.
pub(super) struct Screen<'a> {
    out: &'a mut dyn Write,
    colored: bool,
    entered: bool,
}

impl<'a> Screen<'a> {
    pub(super) fn new(out: &'a mut dyn Write, colored: bool) -> Screen<'a> {
        Screen { out, colored, entered: false }
    }

    /// Draws lines in place of those that are there.
    pub(super) fn draw(&mut self, lines: &[Line], (columns, rows): (usize, usize)) -> io::Result<()> {
        let mut frame = String::new();
        if !self.entered {
            frame.push_str(ENTER);
            self.entered = true;
        }
        frame.push_str("\x1b[H");
        for (index, line) in lines.iter().take(rows).enumerate() {
            let end = if index > 0 { "\r\n" } else { "" };
            frame.push_str(&format!("{end}{}\x1b[K", line.to_terminal(columns, self.colored)));
        }
        // What is below the lines.
        frame.push_str("\x1b[J");
        self.out.write_all(frame.as_bytes())?;
        self.out.flush()
    }

    /// Gives the terminal back, until it is drawn to again.
    pub(super) fn leave(&mut self) -> io::Result<()> {
        if !std::mem::take(&mut self.entered) {
            return Ok(());
        }
        self.out.write_all(LEAVE.as_bytes())?;
        self.out.flush()
    }
}

impl Drop for Screen<'_> {
    fn drop(&mut self) {
        // A terminal that is gone needs nothing.
        let _ = self.leave();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::terminal::Ink;

    #[test]
    fn a_frame_takes_the_place_of_the_last_one() {
        let mut out = Vec::new();
        let mut screen = Screen::new(&mut out, false);
        let lines = ["12s  db/backup", "1m 10s"].map(|text| Line::new(Ink::Plain, text));
        screen.draw(&lines, (5, 24)).unwrap();
        screen.draw(&lines, (80, 1)).unwrap();
        drop(screen);
        assert_eq!(
            String::from_utf8(out).unwrap(),
            format!("{ENTER}\x1b[H12s  \x1b[K\r\n1m 10\x1b[K\x1b[J\x1b[H12s  db/backup\x1b[K\x1b[J{LEAVE}")
        );
    }
}
