//! Markdown tables on standard output.

/// Prints a table row by row as they come; the first column is text, the others are numbers.
pub fn print(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) {
    let line = |cells: Vec<&str>| println!("| {} |", cells.join(" | "));
    line(head.to_vec());
    println!("|---{}|", "|---:".repeat(head.len() - 1));
    rows.into_iter().for_each(|row| line(row.iter().map(String::as_str).collect()));
    println!();
}

/// Nanoseconds with three significant digits, or a dash.
pub fn nanos(nanos: Option<f64>) -> String {
    match nanos {
        None => "–".into(),
        Some(nanos) if nanos < 10.0 => format!("{nanos:.2}"),
        Some(nanos) if nanos < 100.0 => format!("{nanos:.1}"),
        Some(nanos) => format!("{nanos:.0}"),
    }
}

/// A ratio, bold where it misses its target.
pub fn ratio(ratio: Option<f64>, met: impl Fn(f64) -> bool) -> String {
    match ratio {
        None => "–".into(),
        Some(ratio) if met(ratio) => format!("{ratio:.1}"),
        Some(ratio) => format!("**{ratio:.1}**"),
    }
}
