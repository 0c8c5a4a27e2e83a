//! What the fuzz target of `--base` files does with its bytes: CSV, or JSON as Prometheus answers.
//!
//! Nothing may panic or loop. What is read ascends, has no value below zero, and is not longer than the text; what is not is said in a
//! message, at a line of the text.

use kron_formats::base::{BaseRows, read_base};

/// The rows of a file.
pub fn base_text(data: &[u8]) {
    let Ok(text) = core::str::from_utf8(data) else { return };
    match read_base(text) {
        Ok(BaseRows::Instants(rows)) => check(&rows, i64::MAX, text),
        Ok(BaseRows::OfDay(rows)) => check(&rows, 1440, text),
        Ok(BaseRows::OfWeek(rows)) => check(&rows, 7 * 1440, text),
        Err(found) => {
            let message = found.to_string();
            assert!(!message.is_empty() && !message.contains(char::is_control), "{message:?}");
            assert!(message.len() < 2000, "{} bytes of message", message.len());
            let lines = text.split('\n').count();
            assert!(found.line.is_none_or(|line| (1..=lines).contains(&line)), "{:?} of {lines}", found.line);
        }
    }
}

fn check<T: PartialOrd + Copy>(rows: &[(T, f64)], end: T, text: &str) {
    assert!((1..=text.len()).contains(&rows.len()));
    assert!(rows.windows(2).all(|pair| pair[0].0 < pair[1].0), "{text:?}");
    assert!(rows.iter().all(|(time, value)| *time < end && value.is_finite() && *value >= 0.0), "{text:?}");
}
