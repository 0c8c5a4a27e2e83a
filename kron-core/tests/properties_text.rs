//! Round trips: every spelling of a job is the same job, and its canonical text reads back and prints the same.

use kron_core::text::parse_job_file;
use kron_core::{Cron, Duration, Job, JobSpec};
use proptest::prelude::*;

use crate::generators::*;

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn spellings_of_an_expression_are_equal((model, a, b) in (cron(), any::<u64>(), any::<u64>())) {
        let texts = [model.plain(), model.spell(&mut Pick::new(a)), model.spell(&mut Pick::new(b))];
        let [plain, one, other] = texts.each_ref().map(|text| Cron::parse(text).map_err(|error| format!("{text}: {error}")));
        prop_assert_eq!(&plain, &one);
        prop_assert_eq!(&plain, &other);
        let canonical = plain.unwrap().to_string();
        prop_assert_eq!(Cron::parse(&canonical), Ok(one.unwrap()));
        prop_assert_eq!(Cron::parse(&canonical).unwrap().to_string(), canonical.clone());
        prop_assert!(!canonical.contains(|c: char| c.is_alphabetic() || c == '?' || c == '\t'), "{}", canonical);
        prop_assert!(canonical.len() <= 256);
    }

    #[test]
    fn durations_round_trip((nanos, seed) in (prop_oneof![0..=i64::MAX, 0..10_000_000_000i64, 0..2_000i64], any::<u64>())) {
        let spelled = spell_duration(nanos, &mut Pick::new(seed));
        prop_assert_eq!(Duration::parse(&spelled).map(Duration::as_nanos), Ok(nanos), "{}", spelled);
        let canonical = duration(nanos).to_string();
        prop_assert_eq!(Duration::parse(&canonical).map(Duration::as_nanos), Ok(nanos), "{}", canonical);
    }

    #[test]
    fn spellings_of_a_clause_are_equal((model, a, b) in (clause(), any::<u64>(), any::<u64>())) {
        let built = model.build();
        for seed in [a, b] {
            let text = format!("@daily @only({})", model.spell(";", &mut Pick::new(seed)));
            let spec = JobSpec::parse(&text).map_err(|error| TestCaseError::fail(format!("{text}: {error}")))?;
            prop_assert_eq!(spec.constraints().only(), std::slice::from_ref(&built), "{}", text);
        }
        let canonical = built.to_string();
        let again = JobSpec::parse(&format!("@daily @only({canonical})")).unwrap();
        prop_assert_eq!(&again.constraints().only()[0], &built);
        prop_assert_eq!(again.constraints().only()[0].to_string(), canonical);
        prop_assert!(built.parts().eq(kron_core::constraint::ClausePart::ALL.iter().copied().filter(|known| model.0.iter().any(|part| part.name() == known.as_str()))));
    }

    #[test]
    fn spellings_of_a_job_are_equal((model, a, b) in (job(), any::<u64>(), any::<u64>())) {
        let built = model.build();
        for seed in [a, b] {
            let text = model.spell(&mut Pick::new(seed));
            let parsed = JobSpec::parse(&text).map_err(|error| TestCaseError::fail(format!("{text}: {error}")))?;
            prop_assert_eq!(&parsed, &built, "{}", text);
        }
        let canonical = built.to_string();
        let again = JobSpec::parse(&canonical).map_err(|error| TestCaseError::fail(format!("{canonical}: {error}")))?;
        prop_assert_eq!(&again, &built, "{}", canonical);
        prop_assert_eq!(again.to_string(), canonical);
    }

    /// Canonical order, and nothing that is a default.
    #[test]
    fn canonical_texts_are_ordered_and_short(model in job()) {
        let text = model.build().to_string();
        let order = ["tz", "win", "dist", "seed", "policy", "alg", "only", "avoid"];
        // Quotes may hold anything, also what looks like a modifier.
        let mut bare = String::new();
        let mut quoted = false;
        let mut escaped = false;
        for c in text.chars() {
            match c {
                '"' if !escaped => {
                    quoted = !quoted;
                    bare.push(c);
                }
                c if !quoted => bare.push(c),
                _ => {}
            }
            escaped = quoted && c == '\\' && !escaped;
        }
        let words: Vec<&str> = bare.split(' ').collect();
        prop_assert!(words.iter().all(|word| !word.is_empty()), "one blank between: {}", text);
        let places: Vec<usize> = words[5..]
            .iter()
            .map(|word| order.iter().position(|name| word.starts_with(&format!("@{name}("))).expect("a modifier"))
            .collect();
        prop_assert!(places.is_sorted(), "{}", text);
        prop_assert_eq!(places.iter().filter(|place| **place == 6).count(), model.only.len());
        prop_assert_eq!(places.iter().filter(|place| **place == 7).count(), usize::from(!model.avoid.is_empty()));
        for default in ["@tz(UTC)", "@win(after,0s)", "@dist(uniform)", "@seed(stable)", "salt=)", "concurrency=forbid",
            "deadline=0s", "suspend=false", "siphash", "shape=2)", "shape=2 ", "lambda=1)", "lambda=1,", "dir=early"] {
            prop_assert!(!bare.contains(default), "{}", text);
        }
    }

    #[test]
    fn job_files_keep_jobs_and_fields((jobs, seed) in (proptest::collection::vec((job(), name(), salt()), 1..5), any::<u64>())) {
        let mut pick = Pick::new(seed);
        let mut file = String::from("# a comment\n\n");
        let mut names = std::collections::BTreeMap::new();
        let mut want = Vec::new();
        for (model, name, value) in &jobs {
            *names.entry(name.as_str()).or_insert(0) += 1;
            let text = model.spell(&mut pick);
            // A line ends at a line feed: within quotes it is written as an escape.
            let text = text.replace('\n', "\\n").replace('\r', "\\u{d}");
            let name_field = format!("name={}", quote(name, &mut pick).replace('\n', "\\n").replace('\r', "\\u{d}"));
            let mut fields = vec![name_field];
            if !value.is_empty() {
                fields.push(format!("x.y-z={}", quote(value, &mut pick).replace('\n', "\\n").replace('\r', "\\u{d}")));
            }
            pick.shuffle(&mut fields);
            file += &format!("{text} {}\t  \n  # more\n", fields.join("\t "));
            want.push((Job::new(name, model.build()).unwrap(), value));
        }
        let parsed = parse_job_file(&file);
        if names.values().any(|count| *count > 1) {
            prop_assert!(parsed.is_err());
            return Ok(());
        }
        let lines = parsed.map_err(|errors| TestCaseError::fail(format!("{file}: {errors:?}")))?;
        prop_assert_eq!(lines.len(), want.len());
        for (i, (line, (job, value))) in lines.iter().zip(want).enumerate() {
            prop_assert_eq!(line.job.name(), job.name());
            prop_assert_eq!(line.job.spec(), job.spec());
            prop_assert_eq!(line.line, 3 + 2 * i);
            prop_assert_eq!(&JobSpec::parse(&line.text).unwrap(), job.spec());
            let fields: Vec<&str> = line.fields.iter().map(|(_, value)| value.as_str()).collect();
            prop_assert_eq!(fields, if value.is_empty() { vec![] } else { vec![value.as_str()] });
        }
    }

    /// One changed, lost or doubled byte never panics, and whatever still reads round-trips.
    #[test]
    fn damaged_texts_are_refused_or_round_trip((model, seed, damage) in (job(), any::<u64>(), any::<u64>())) {
        let mut pick = Pick::new(damage);
        let mut chars: Vec<char> = model.spell(&mut Pick::new(seed)).chars().collect();
        for _ in 0..=pick.below(3) {
            let at = pick.below(chars.len());
            match pick.below(3) {
                0 => drop(chars.remove(at)),
                1 => chars.insert(at, chars[at]),
                _ => chars[at] = *pick.of(&['(', ')', '"', '\\', ',', ';', '&', '=', '@', ' ', '\0', '*', '/', '-', '9', '\u{661}', '\n']),
            }
            if chars.is_empty() {
                chars.push(' ');
            }
        }
        let text: String = chars.into_iter().collect();
        match JobSpec::parse(&text) {
            Ok(spec) => {
                let canonical = spec.to_string();
                prop_assert_eq!(JobSpec::parse(&canonical), Ok(spec), "{} from {}", canonical, text);
            }
            Err(error) => {
                prop_assert!(!error.to_string().is_empty());
                if let Some(span) = error.span() {
                    prop_assert!(text.get(span.clone()).is_some(), "{:?} is not a part of {}", span, text);
                }
            }
        }
    }
}

#[test]
fn macros_are_their_expressions() {
    for (name, text) in [
        ("@yearly", "0 0 1 1 *"),
        ("@annually", "0 0 1 1 *"),
        ("@monthly", "0 0 1 * *"),
        ("@weekly", "0 0 * * 0"),
        ("@daily", "0 0 * * *"),
        ("@midnight", "0 0 * * *"),
        ("@hourly", "0 * * * *"),
    ] {
        assert_eq!(Cron::parse(&format!(" \t{name} ")), Cron::parse(text));
        assert_eq!(JobSpec::parse(&format!("{name} @win(after,1h)")).unwrap().schedule().to_string(), text);
        assert!(Cron::parse(&name.to_uppercase()).is_err());
        assert!(Cron::parse(&format!("{name} *")).is_err());
    }
}

/// The longest canonical expression stays within what is read.
#[test]
fn the_longest_canonical_expression_is_read() {
    let list = |min: u32, max: u32| {
        (min..=max)
            .filter(|value| value % 3 != 2)
            .map(|value| value.to_string())
            .collect::<Vec<_>>()
            .join(",")
    };
    let text = format!("0/3,1/3 0/3,1/3 {} {} 0-1,3-4,6", list(1, 31), list(1, 12));
    let cron = Cron::parse(&text).unwrap();
    let canonical = cron.to_string();
    assert_eq!(
        canonical,
        format!("{} {} {} {} 0,1,3,4,6", list(0, 59), list(0, 23), list(1, 31), list(1, 12))
    );
    assert_eq!(Cron::parse(&canonical), Ok(cron));
}
