//! Lists of words in messages.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Words as an enumeration: `a`, `a and b`, `a, b and c`.
pub(super) fn enumeration(words: &[impl ToString]) -> String {
    let words: Vec<String> = words.iter().map(ToString::to_string).collect();
    match words.as_slice() {
        [] => String::new(),
        [word] => word.clone(),
        [head @ .., last] => format!("{} and {last}", head.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::enumeration;

    #[test]
    fn enumerations_read_as_sentences_do() {
        assert_eq!(enumeration(&["a"]), "a");
        assert_eq!(enumeration(&["a", "b", "c"]), "a, b and c");
    }
}
