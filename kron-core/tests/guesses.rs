//! What people write first who do not know the text form: it works, or the error names the right words.

use kron_core::JobSpec;

#[test]
fn a_guess_works_or_its_error_names_the_right_words() {
    let mut wrong = Vec::new();
    let mut guesses = 0;
    for line in include_str!("../../testing/guesses/text/guesses.txt").lines() {
        let Some((text, want)) = line.split_once(" => ").filter(|_| !line.starts_with("# ")) else {
            continue;
        };
        let (want, _meant) = want.rsplit_once(" | ").unwrap();
        guesses += 1;
        let found = JobSpec::parse(text).map_or_else(|error| error.to_string(), |_| "works".to_string());
        if !found.contains(want) || (want == "works") != (found == "works") {
            wrong.push(format!("{text}\n    wanted {want}\n    found  {found}"));
        }
    }
    assert!(guesses >= 140, "{guesses}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
