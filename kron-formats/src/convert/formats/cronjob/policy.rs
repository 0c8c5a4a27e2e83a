//! Deadline, concurrency and suspension of a CronJob as the policy of a KronJob.

use kron_core::{Duration, Finding};

use super::counts::Counts;
use crate::convert::finding::ConvertFinding;
use crate::convert::manifest::{Comments, Editor, entry};
use crate::convert::yaml::{Edits, Entry, Node, boolean};
use crate::error::convert::cronjob as messages;

/// The deadline of a CronJob without `startingDeadlineSeconds`, which is never too late: only the newest start that was
/// missed is made, so a deadline longer than any gap between starts has the same effect as none.
const NO_DEADLINE: &str = "8784h";

impl<'a> Editor<'a> {
    pub(super) fn policy(
        &self,
        spec: &'a Node,
        never: bool,
        counts: &mut Counts,
        edits: &mut Edits,
        warnings: &mut Vec<ConvertFinding>,
    ) -> Result<Vec<(&'static str, String, Comments<'a>)>, Finding> {
        let mut policy = Vec::new();
        let comments = |entry: Option<&'a Entry>, edits: &mut Edits| {
            entry.map_or_else(Comments::default, |entry| self.take_comments(spec, entry, edits))
        };
        let concurrency = entry(spec, "concurrencyPolicy");
        let word = match self.given(spec, "concurrencyPolicy") {
            None => "allow",
            Some(entry) => match self.scalar("spec.concurrencyPolicy", &entry.value)?.0 {
                "Allow" | "" => "allow",
                "Replace" => "replace",
                "Forbid" => {
                    counts.forbid += 1;
                    "forbid"
                }
                other => return Err(messages::concurrency(other)),
            },
        };
        policy.push(("concurrency", word.to_string(), comments(concurrency, edits)));
        let deadline = match self.given(spec, "startingDeadlineSeconds") {
            None => {
                counts.without_deadline += 1;
                NO_DEADLINE.to_string()
            }
            Some(entry) => self.deadline(entry, warnings)?,
        };
        policy.push(("deadline", deadline, comments(entry(spec, "startingDeadlineSeconds"), edits)));
        let suspend = entry(spec, "suspend");
        let suspended = match self.given(spec, "suspend") {
            None => false,
            Some(entry) => boolean("spec.suspend", self.scalar("spec.suspend", &entry.value)?)?,
        };
        let suspended = suspended || self.options.suspend || never;
        let comments = comments(suspend, edits);
        if suspended || !comments.above.is_empty() || comments.right.is_some() {
            policy.push(("suspend", suspended.to_string(), comments));
        }
        Ok(policy)
    }

    fn deadline(&self, entry: &'a Entry, warnings: &mut Vec<ConvertFinding>) -> Result<String, Finding> {
        let (text, plain) = self.scalar("spec.startingDeadlineSeconds", &entry.value)?;
        let digits =
            text.bytes().all(|byte| byte.is_ascii_digit()) && !(text.len() > 1 && text.starts_with('0'));
        let seconds: u64 =
            text.parse().ok().filter(|_| plain && digits).ok_or_else(|| messages::deadline(text))?;
        if seconds == 0 {
            warnings.push(self.at_key(entry, messages::zero_deadline()));
        }
        let deadline = format!("{seconds}s");
        if Duration::parse(&deadline).is_err() {
            return Err(messages::large_deadline(seconds));
        }
        Ok(deadline)
    }
}
