//! Job texts for people. Files, JSON and CSV have the canonical text.

/// A canonical text with durations as people write them: `1h` for `1h0m0s`. It reads as the same job.
pub(crate) fn short_text(text: &str) -> String {
    let words: Vec<String> = text.split(' ').map(short_word).collect();
    words.join(" ")
}

/// A modifier without the zeros at the end of its durations. All other words stay as they are.
fn short_word(word: &str) -> String {
    let mut word = word.to_string();
    if ["@win(", "@dist(", "@policy("].iter().any(|modifier| word.starts_with(modifier)) {
        for end in [',', ')'] {
            word = word.replace(&format!("m0s{end}"), &format!("m{end}"));
            word = word.replace(&format!("h0m{end}"), &format!("h{end}"));
        }
    }
    word
}

#[cfg(test)]
mod tests {
    use kron_core::JobSpec;

    use super::*;

    #[test]
    fn durations_end_where_they_are_zero() {
        let p = |text: &str| {
            let spec = JobSpec::parse(text).unwrap();
            let short = short_text(&spec.to_string());
            assert_eq!(JobSpec::parse(&short).unwrap(), spec);
            short
        };
        assert_eq!(p("@daily @win(after,60m)"), "0 0 * * * @win(after,1h)");
        assert_eq!(p("@daily @win(after,10m)"), "0 0 * * * @win(after,10m)");
        assert_eq!(p("@daily @win(after,10h30s)"), "0 0 * * * @win(after,10h0m30s)");
        assert_eq!(
            p("@daily @win(around,90m) @policy(deadline=2h,suspend=true)"),
            "0 0 * * * @win(around,1h30m) @policy(deadline=2h,suspend=true)"
        );
        assert_eq!(p("@daily @seed(stable,salt=1h0m0s)"), "0 0 * * * @seed(stable,salt=1h0m0s)");
    }
}
