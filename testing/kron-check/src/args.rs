//! The command line.

use std::path::PathBuf;

use crate::case::Case;
use crate::explore::Search;
use crate::faults::{Budget, Fault};

/// Runs the operator's planning code through every interleaving of a small cluster with faults
#[derive(Clone, Debug, clap::Parser)]
#[command(name = "kron-check", version, max_term_width = 100)]
pub struct Args {
    /// What is checked; all cases if none is named
    #[arg(long = "case", value_name = "NAME", value_parser = Case::NAMES)]
    pub cases: Vec<String>,
    /// How many periods a run has
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=3))]
    pub periods: u8,
    /// How many KronJobs there are
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
    pub kronjobs: u8,
    /// Let no watch show a Job before the faults end
    #[arg(long)]
    pub blind: bool,
    /// How many faults and events happen in all; if not given, as many as --fault counts, or one
    #[arg(long, value_name = "N")]
    pub faults: Option<u8>,
    /// Which faults and events happen, and how many of each: `crash`, `lost=2`; all of them, each as often as --faults says,
    /// if none is named
    #[arg(long = "fault", value_name = "NAME[=N]", value_delimiter = ',', value_parser = fault)]
    pub each: Vec<(Fault, Option<u8>)>,
    /// Stop after so many states; the search is then not complete
    #[arg(long, value_name = "N", default_value_t = 50_000_000)]
    pub states: usize,
    /// On how many threads to search
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
    /// Put this error into the operator, to see how it is found
    #[cfg(feature = "planted-bugs")]
    #[arg(long, value_name = "NAME", value_parser = crate::PLANTED_BUGS, conflicts_with = "resume")]
    pub plant: Option<String>,
    /// Write each result to this file, and skip the searches whose results it has
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
}

fn fault(text: &str) -> Result<(Fault, Option<u8>), String> {
    let (name, count) = match text.split_once('=') {
        Some((name, count)) => {
            let count = count.parse().map_err(|_| format!("`{count}` is not a number up to 255"))?;
            (name, Some(count))
        }
        None => (text, None),
    };
    let names = || Fault::ALL.iter().map(|fault| fault.name()).collect::<Vec<_>>().join(", ");
    let found = Fault::ALL.iter().copied().find(|fault| fault.name() == name);
    found.map(|fault| (fault, count)).ok_or_else(|| format!("`{name}` is none of {}", names()))
}

impl Args {
    /// The searches, each with its bounds in words.
    ///
    /// ```
    /// use clap::Parser;
    /// use kron_check::args::Args;
    /// for (words, faults) in [
    ///     ("--faults 2 --fault crash=1,lost", "2 of crash=1,lost"),
    ///     ("--fault crash=1,lost=2", "3 of crash=1,lost=2"),
    ///     ("--fault crash", "1 of crash"),
    /// ] {
    ///     let args = Args::parse_from(format!("kron-check --case forbid {words}").split(' '));
    ///     assert_eq!(args.searches()[0].0, format!("case forbid, periods 2, KronJobs 1, faults {faults}"));
    /// }
    /// ```
    pub fn searches(&self) -> Vec<(String, Search)> {
        let named: Vec<&str> = self.cases.iter().map(String::as_str).collect();
        let names = if named.is_empty() { Case::NAMES.to_vec() } else { named };
        let search = |name: &str| {
            let mut case = Case::new(name, self.periods, self.kronjobs)?;
            case.blind = self.blind;
            let search = Search {
                case: case.into(),
                budget: self.budget(),
                most: self.states,
                threads: self.threads.into(),
            };
            Some((self.bounds(name), search))
        };
        names.into_iter().filter_map(search).collect()
    }

    /// How many faults may happen in all.
    fn most(&self) -> u8 {
        let counts: Option<Vec<u8>> = self.each.iter().map(|(_, count)| *count).collect();
        let counted = counts.filter(|counts| !counts.is_empty());
        let sum = counted.map(|counts| counts.into_iter().fold(0, u8::saturating_add));
        self.faults.or(sum).unwrap_or(1)
    }

    /// The faults that may happen.
    fn budget(&self) -> Budget {
        let most = self.most();
        let all: Vec<_> = Fault::ALL.iter().map(|fault| (*fault, None)).collect();
        let named = if self.each.is_empty() { &all[..] } else { &self.each };
        let each: Vec<_> = named.iter().map(|(fault, count)| (*fault, count.unwrap_or(most))).collect();
        Budget::new(most, &each)
    }

    /// The bounds of a search, as results name them.
    fn bounds(&self, case: &str) -> String {
        let each = self.each.iter().map(|(fault, count)| match count {
            Some(count) => format!("{}={count}", fault.name()),
            None => fault.name().to_string(),
        });
        let mut each: Vec<String> = each.collect();
        each.sort();
        let each = if each.is_empty() { "all".to_string() } else { each.join(",") };
        let (Args { periods, kronjobs, .. }, faults) = (self, self.most());
        let case = if self.blind { format!("{case}, blind") } else { case.to_string() };
        format!("case {case}, periods {periods}, KronJobs {kronjobs}, faults {faults} of {each}")
    }
}
