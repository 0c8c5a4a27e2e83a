//! Names, labels and annotations that hosts on Kubernetes write: the same for the same period, wherever and whenever they are
//! computed. Periods are named by their nominal times in Unix seconds.

use kron_core::time::Rfc3339;
use kron_core::{JobSpec, Outcome};
use kron_host::Trigger;
use siphasher::sip128::SipHasher24;

/// Label: the name of the KronJob, shortened by [`label_of_name`] where it is too long for a label.
pub const NAME_LABEL: &str = "kron.io/name";
/// Label: the period id, as [`label_time`] writes it.
pub const PERIOD_ID_LABEL: &str = "kron.io/period-id";
/// Label: the chosen time, as [`label_time`] writes it.
pub const CHOSEN_TIME_LABEL: &str = "kron.io/chosen-time";
/// Label of a primer: the period id of the start that it is for, as [`label_time`] writes it.
pub const PRIMER_FOR_LABEL: &str = "kron.io/primer-for";
/// Annotation on a KronJob and label on its Job: a token that asks for one Job now.
pub const RUN_NOW: &str = "kron.io/run-now";
/// Annotation of an Event about a period: the outcome of the period. Its period id is in [`PERIOD_ID_LABEL`].
pub const OUTCOME_ANNOTATION: &str = "kron.io/outcome";
/// Annotation of an Event about a period that was not executed: the [`MissCause`](crate::audit::MissCause).
pub const CAUSE_ANNOTATION: &str = "kron.io/cause";

/// As long as a label's value may be.
const LABEL_BYTES: usize = 63;
/// How much of a name stays in front of a hash.
const KEPT_BYTES: usize = 50;
/// SipHash takes a key of 16 bytes.
const KEY: &[u8; 16] = b"kron.name.v1\0\0\0\0";

/// The first 60 bits of SipHash-2-4-128 of a text, as 12 characters of RFC 4648 base 32 in lower case.
///
/// The bits are those of the hash's bytes in their order, most significant first, as base 32 reads them.
fn hash(text: &str) -> String {
    let hash = SipHasher24::new_with_key(KEY).hash(text.as_bytes());
    // Base 32 reads bytes from the first on; 60 bits are in the first eight, and the word has the first one lowest.
    let bits = hash.h1.swap_bytes();
    (0..12)
        .map(|index| match (bits >> (59 - 5 * index)) as u8 & 31 {
            digit @ 0..26 => char::from(b'a' + digit),
            digit => char::from(b'2' + digit - 26),
        })
        .collect()
}

/// The first bytes of a name, cut at a boundary of characters.
fn cut(name: &str) -> &str {
    let end = (0..=KEPT_BYTES.min(name.len())).rev().find(|end| name.is_char_boundary(*end));
    &name[..end.unwrap_or_default()]
}

fn job_name_of(name: &str, key: &str) -> String {
    let kept = cut(name);
    let hash = if kept.len() < name.len() { hash(&format!("{key}\n{name}")) } else { hash(key) };
    format!("{}-{hash}", kept.trim_end_matches(['-', '.']))
}

/// The name of the Job of a start, given that of its KronJob.
///
/// ```
/// use kron_formats::names::{job_name, name_of, run_now_job_name};
/// use kron_host::Trigger;
/// assert_eq!(name_of(&Trigger::Period { nominal: 0, chosen: 5 }, "db"), job_name("db", 0));
/// assert_eq!(name_of(&Trigger::RunNow { token: "a".into() }, "db"), run_now_job_name("db", "a"));
/// ```
pub fn name_of(trigger: &Trigger, kronjob: &str) -> String {
    match trigger {
        Trigger::Period { nominal, .. } => job_name(kronjob, *nominal),
        Trigger::RunNow { token } => run_now_job_name(kronjob, token),
    }
}

/// The labels of the Job of a start and of its pods, given the name of its KronJob.
///
/// ```
/// use kron_formats::names::{NAME_LABEL, RUN_NOW, labels_of};
/// use kron_host::Trigger;
/// let labels = labels_of(&Trigger::RunNow { token: "a".into() }, "db");
/// assert_eq!(labels, [(NAME_LABEL, "db".to_string()), (RUN_NOW, "a".to_string())]);
/// ```
pub fn labels_of(trigger: &Trigger, kronjob: &str) -> Vec<(&'static str, String)> {
    let mut labels = vec![(NAME_LABEL, label_of_name(kronjob))];
    match trigger {
        Trigger::Period { nominal, chosen } => {
            labels.push((PERIOD_ID_LABEL, label_time(*nominal)));
            labels.push((CHOSEN_TIME_LABEL, label_time(*chosen)));
        }
        Trigger::RunNow { token } => labels.push((RUN_NOW, token.clone())),
    }
    labels
}

/// The annotations of an Event about what became of a period, for programs. `cause`: the word of the
/// [`MissCause`](crate::audit::MissCause), if it was not executed.
///
/// ```
/// use kron_core::Outcome;
/// use kron_formats::names::{CAUSE_ANNOTATION, annotations_of};
/// let annotations = annotations_of(0, Outcome::Missed, Some("deadline"));
/// assert!(annotations.contains(&(CAUSE_ANNOTATION.to_string(), "deadline".to_string())));
/// ```
pub fn annotations_of(period: i64, outcome: Outcome, cause: Option<&str>) -> Vec<(String, String)> {
    let period = (PERIOD_ID_LABEL, label_time(period));
    let outcome = (OUTCOME_ANNOTATION, outcome.as_str().to_string());
    let cause = cause.map(|cause| (CAUSE_ANNOTATION, cause.to_string()));
    [period, outcome].into_iter().chain(cause).map(|(key, value)| (key.to_string(), value)).collect()
}

/// The name of the Job of a period: at most 63 bytes, a DNS-1123 subdomain.
///
/// ```
/// use kron_formats::names::job_name;
/// let name = job_name("db-backup", 1_772_323_200);
/// assert!(name.starts_with("db-backup-") && name.len() == "db-backup-".len() + 12);
/// assert_ne!(name, job_name("db-backup", 1_772_409_600));
/// ```
pub fn job_name(name: &str, period: i64) -> String {
    job_name_of(name, &Rfc3339(period).to_string())
}

/// The name of the Job of a run-now token.
///
/// ```
/// use kron_formats::names::run_now_job_name;
/// assert_ne!(run_now_job_name("db-backup", "1"), run_now_job_name("db-backup", "2"));
/// ```
pub fn run_now_job_name(name: &str, token: &str) -> String {
    job_name_of(name, &format!("run-now\n{token}"))
}

/// The name of the primer of a period.
///
/// ```
/// use kron_formats::names::{job_name, primer_job_name};
/// let period = 1_772_323_200;
/// assert_ne!(primer_job_name("db-backup", period), job_name("db-backup", period));
/// ```
pub fn primer_job_name(name: &str, period: i64) -> String {
    job_name_of(name, &format!("primer\n{}", Rfc3339(period)))
}

/// The value of the label `kron.io/name`: the name, or its first 50 bytes, `-` and a hash where it is too long for a label.
///
/// ```
/// use kron_formats::names::label_of_name;
/// assert_eq!(label_of_name("db-backup"), "db-backup");
/// assert_eq!(label_of_name(&"x".repeat(64)).len(), 63);
/// ```
pub fn label_of_name(name: &str) -> String {
    if name.len() <= LABEL_BYTES { name.to_string() } else { format!("{}-{}", cut(name), hash(name)) }
}

/// The hash in `status.configuration`: it changes when the schedule, the time zone or the seed strategy mean something else.
/// A KronJob has no clause of days.
///
/// ```
/// use kron_core::JobSpec;
/// use kron_formats::names::configuration_hash;
/// let hash = |text: &str| Ok::<_, kron_core::Error>(configuration_hash(&JobSpec::parse(text)?));
/// assert_eq!(hash("@daily")?, hash("0 0 * * * @win(after,1h)")?);
/// assert_ne!(hash("@daily")?, hash("@hourly")?);
/// # Ok::<(), kron_core::Error>(())
/// ```
pub fn configuration_hash(spec: &JobSpec) -> String {
    hash(&format!("{}\n{}\n{}", spec.schedule(), spec.timezone(), spec.seed().strategy()))
}

/// A Unix second as a label's value, which holds no colons: `20260301T000000Z`.
///
/// ```
/// use kron_formats::names::{label_time, time_of_label};
/// assert_eq!(label_time(1_772_323_200), "20260301T000000Z");
/// assert_eq!(time_of_label("20260301T000000Z"), Some(1_772_323_200));
/// ```
pub fn label_time(second: i64) -> String {
    Rfc3339(second).to_string().replace(['-', ':'], "")
}

/// The Unix second that a label's value says, if it says one.
///
/// ```
/// use kron_formats::names::time_of_label;
/// assert_eq!(time_of_label("20260301T000000Z"), Some(1_772_323_200));
/// assert_eq!(time_of_label("2026-03-01T00:00:00Z"), None);
/// ```
pub fn time_of_label(value: &str) -> Option<i64> {
    let time = chrono::NaiveDateTime::parse_from_str(value, "%Y%m%dT%H%M%SZ").ok()?;
    Some(time.and_utc().timestamp())
}

/// Whether a text can be the value of a label: at most 63 letters, digits, `-`, `_` and `.`, with a letter or digit at
/// both ends. An empty text can, but says nothing.
///
/// ```
/// use kron_formats::names::is_label_value;
/// assert!(is_label_value("v1.2") && !is_label_value("a b"));
/// ```
pub fn is_label_value(text: &str) -> bool {
    let inner = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let end = |c: Option<char>| c.is_none_or(|c| c.is_ascii_alphanumeric());
    text.len() <= LABEL_BYTES
        && text.chars().all(inner)
        && end(text.chars().next())
        && end(text.chars().next_back())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn second(value: &serde_json::Value) -> i64 {
        chrono::DateTime::parse_from_rfc3339(value.as_str().unwrap()).unwrap().timestamp()
    }

    /// Computed by `python3 testing/data/vectors/oracle.py`, from the published description of SipHash.
    #[test]
    fn hashes_are_those_of_an_independent_computation() {
        let vectors = include_str!("../../testing/data/vectors/names.json");
        let vectors: serde_json::Value = serde_json::from_str(vectors).unwrap();
        let rows = vectors["cases"].as_array().unwrap();
        assert!(rows.len() >= 8);
        for row in rows {
            let text = |key: &str| row[key].as_str().unwrap();
            let name = text("name");
            assert_eq!(label_of_name(name), text("label"), "{name}");
            if let Some(token) = row["token"].as_str() {
                assert_eq!(run_now_job_name(name, token), text("jobName"), "{name}");
            } else if !row["primerFor"].is_null() {
                let period = second(&row["primerFor"]);
                assert_eq!(primer_job_name(name, period), text("jobName"), "{name}");
            } else {
                let period = second(&row["periodID"]);
                assert_eq!(job_name(name, period), text("jobName"), "{name}");
            }
        }
    }

    #[test]
    fn long_names_are_cut_and_stay_apart() {
        let period = 0;
        let long = |end: &str| format!("{}{end}", "a".repeat(60));
        let (one, other) = (job_name(&long("x"), period), job_name(&long("y"), period));
        assert_eq!(one.len(), 63);
        assert_ne!(one, other);
        let dotted = format!("{}.-.{}", "a".repeat(47), "b".repeat(30));
        assert!(job_name(&dotted, period).starts_with(&format!("{}-", "a".repeat(47))));
        assert_eq!(job_name(&dotted, period).len(), 47 + 13);
    }

    #[test]
    fn names_of_jobs_are_dns_subdomains() {
        for name in ["a", "a.b", &"x".repeat(253), "a-b.c-d"] {
            let job = job_name(name, 86_400);
            assert!(job.len() <= 63 && !job.contains(".-") && !job.starts_with('-'), "{job}");
            assert!(is_label_value(&job) && is_label_value(&label_of_name(name)));
        }
    }

    #[test]
    fn label_values() {
        for good in ["", "a", "A.b_c-9", &"x".repeat(63)] {
            assert!(is_label_value(good), "{good}");
        }
        for bad in ["-a", "a.", "a b", "é", "a/b", &"x".repeat(64)] {
            assert!(!is_label_value(bad), "{bad}");
        }
    }
}
