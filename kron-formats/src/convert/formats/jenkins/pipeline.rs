//! Jenkinsfiles: the triggers of a pipeline, declarative (`triggers { ... }`) or scripted (`pipelineTriggers([...])`).
//!
//! The file is a program in Groovy, and is not run: only texts between quotes are read.

use super::groovy::{Placed, Token, after_line_ends, closing, statement_end, tokens};
use super::trigger::Trigger;
use crate::error::convert::jenkins as messages;

/// The triggers of a Jenkinsfile; `None` if the text is not a Jenkinsfile.
pub(super) fn read(text: &str) -> Option<Vec<Trigger>> {
    // Most texts are not looked at any further.
    if !["pipeline", "triggers"].into_iter().any(|word| text.contains(word)) {
        return None;
    }
    let tokens = tokens(text);
    let (mut triggers, mut found, mut at) = (Vec::new(), false, 0);
    while at < tokens.len() {
        let is_member = at > 0 && matches!(tokens[at - 1].1, Token::Mark('.'));
        // Only words are followed by a bracket that counts. The line ends between two words are read once.
        let open = match tokens[at].1 {
            Token::Word(_) => after_line_ends(&tokens, at + 1),
            _ => at + 1,
        };
        let mark = match tokens.get(open) {
            Some((_, Token::Mark(mark))) => *mark,
            _ => ' ',
        };
        match (&tokens[at].1, mark) {
            (Token::Word("pipeline"), '{') if !is_member => found = true,
            (Token::Word("triggers"), '{') if !is_member => {
                found = true;
                let end = closing(&tokens, open);
                calls(&tokens[open + 1..end], &mut triggers);
                at = end;
            }
            (Token::Word("pipelineTriggers"), '(') => {
                found = true;
                let end = closing(&tokens, open);
                list(tokens[at].0, &tokens[open + 1..end], &mut triggers);
                at = end;
            }
            _ => {}
        }
        at += 1;
    }
    found.then_some(triggers)
}

/// The list of triggers of a scripted pipeline.
fn list(line: usize, tokens: &[Placed<'_>], triggers: &mut Vec<Trigger>) {
    let before = triggers.len();
    let is_condition = tokens.iter().any(|(_, token)| matches!(token, Token::Mark('?')));
    if !is_condition {
        calls(tokens, triggers);
    }
    let has_content = tokens.iter().any(|(_, token)| matches!(token, Token::Word(_) | Token::Text(_)));
    if triggers.len() == before && has_content {
        triggers.push(Trigger::refused(line, messages::at_run_time("the triggers")));
    }
}

/// The calls of triggers, such as `cron('H 3 * * *')`.
fn calls(tokens: &[Placed<'_>], triggers: &mut Vec<Trigger>) {
    let mut at = 0;
    while at < tokens.len() {
        let begins = match at.checked_sub(1).map(|before| &tokens[before].1) {
            None | Some(Token::LineEnd) => true,
            Some(Token::Mark(mark)) => "[,;".contains(*mark),
            Some(_) => false,
        };
        let (line, name) = match &tokens[at] {
            (line, Token::Word(name)) if begins => (*line, *name),
            // A block of something else.
            (_, Token::Mark('{')) => {
                at = closing(tokens, at) + 1;
                continue;
            }
            _ => {
                at += 1;
                continue;
            }
        };
        let (first, end) = match tokens.get(at + 1) {
            Some((_, Token::Mark('('))) => (at + 2, closing(tokens, at + 1)),
            Some((_, Token::Text(_) | Token::Word(_))) => (at + 1, statement_end(tokens, at + 1)),
            Some((_, Token::Mark(':'))) if name == "$class" => {
                triggers.push(Trigger::refused(line, messages::trigger_as_map()));
                // The other entries of the map.
                while at < tokens.len() && !matches!(tokens[at].1, Token::Mark(']')) {
                    at += 1;
                }
                continue;
            }
            _ => {
                at += 1;
                continue;
            }
        };
        triggers.push(match name {
            "cron" => schedule(line, &tokens[first.min(end)..end]),
            other => Trigger::of_another_kind(line, other),
        });
        at = end + 1;
    }
}

/// The trigger `cron` with these arguments.
fn schedule(line: usize, arguments: &[Placed<'_>]) -> Trigger {
    let arguments: Vec<&Token<'_>> =
        arguments.iter().map(|(_, token)| token).filter(|token| !matches!(token, Token::LineEnd)).collect();
    match arguments[..] {
        [Token::Text(text)] | [Token::Word("spec"), Token::Mark(':'), Token::Text(text)] if text.constant => {
            Trigger::of_lines(line, text.lines.clone())
        }
        _ => Trigger::refused(line, messages::at_run_time("the times of `cron`")),
    }
}
