//! Changes of job files that keep all other text as it is.

use alloc::{format, string::String};

use crate::draw::seed::Seed;
use crate::error::Error;
use crate::job::lookup::Lookup;
use crate::text::parse::parse_parts;
use crate::text::scan::Scanner;

/// The text of a job file in which the jobs on some lines, numbered from 1 and in order, have other seeds.
pub(crate) fn with_seeds(text: &str, seeds: &[(usize, &Seed)], lookup: Lookup<'_>) -> Result<String, Error> {
    let mut out = String::with_capacity(text.len() + 24 * seeds.len());
    let mut seeds = seeds.iter().peekable();
    for (index, line) in text.split_inclusive('\n').enumerate() {
        match seeds.next_if(|(number, _)| *number == index + 1) {
            None => out.push_str(line),
            Some((_, seed)) => {
                let edited = with_seed(line, seed, lookup);
                out.push_str(&edited.map_err(|error| error.located(line).on_line(index + 1))?);
            }
        }
    }
    Ok(out)
}

/// A line in which the job has another seed. The default seed needs no modifier.
pub(crate) fn with_seed(line: &str, seed: &Seed, lookup: Lookup<'_>) -> Result<String, Error> {
    // As the parser of job files sees it: a byte order mark and blanks may be before the job.
    let shift = line.len() - line.trim_start_matches('\u{feff}').len();
    let body = &line[shift..];
    let mut scanner = Scanner::new(body.trim_end_matches(['\n', '\r']));
    let (_, parts) = parse_parts(&mut scanner, lookup)?;
    let written = if *seed == Seed::DEFAULT { String::new() } else { format!("@seed({seed})") };
    let (before, after) = match parts.seed_place {
        Some(place) => (&body[..place.start], &body[place.end..]),
        None => body.split_at(scanner.at),
    };
    // The blank before a modifier is removed with it.
    let before = before.trim_end_matches([' ', '\t']);
    let blank = if written.is_empty() { "" } else { " " };
    Ok(format!("{}{before}{blank}{written}{after}", &line[..shift]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::seed::SeedStrategy;
    use crate::text::parser::parse_job_file;

    #[test]
    fn only_the_modifier_changes() {
        let text = "\u{feff}# @seed(fixed)\r\n0 3  * * *\t@win(after,1h)  name=a # x\r\n\n \
                    @daily @seed(daily,salt=\"a b\")  @tz(UTC) name=\"b@seed(fixed)\" note=@seed(weekly)\n@daily name=c";
        let fixed = Seed::new(SeedStrategy::Fixed, "7").unwrap();
        let p = |line, seed| with_seeds(text, &[(line, seed)], Lookup::compiled_in()).unwrap();
        assert_eq!(p(2, &fixed), text.replace("1h)  name=a", "1h) @seed(fixed,salt=7)  name=a"));
        assert_eq!(p(2, &Seed::DEFAULT), text);
        assert_eq!(p(4, &fixed), text.replace("@seed(daily,salt=\"a b\")", "@seed(fixed,salt=7)"));
        assert_eq!(p(4, &Seed::DEFAULT), text.replace(" @seed(daily,salt=\"a b\")", ""));
        assert_eq!(p(5, &fixed), text.replace("@daily name=c", "@daily @seed(fixed,salt=7) name=c"));
        let blank = Seed::new(SeedStrategy::Stable, "a\"b").unwrap();
        assert_eq!(
            p(5, &blank),
            text.replace("@daily name=c", "@daily @seed(stable,salt=\"a\\\"b\") name=c")
        );
    }

    #[test]
    fn the_edited_file_has_the_seeds() {
        let text = "0 3 * * * @win(after,1h) name=a\n# b\n@daily @seed(daily,salt=x) @tz(UTC) name=b\n";
        for seed in [
            Seed::default(),
            Seed::new(SeedStrategy::Weekly, "").unwrap(),
            Seed::new(SeedStrategy::Fixed, "x y").unwrap(),
        ] {
            let edited = with_seeds(text, &[(1, &seed), (3, &seed)], Lookup::compiled_in()).unwrap();
            let lines = parse_job_file(&edited).unwrap();
            assert!(lines.iter().all(|line| *line.job.spec().seed() == seed), "{edited}");
            assert_eq!((lines[0].line, lines[1].line), (1, 3));
        }
    }

    #[test]
    fn err_a_line_without_a_job() {
        let error =
            with_seeds("\n61 * * * * name=a\n", &[(2, &Seed::default())], Lookup::compiled_in()).unwrap_err();
        assert_eq!((error.line(), error.field()), (Some(2), "schedule.minute"));
    }
}
