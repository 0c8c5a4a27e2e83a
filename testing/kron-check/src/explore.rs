//! The breadth-first search.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use crate::case::Case;
use crate::encode::Hash128;
use crate::faults::Budget;
use crate::process::Process;
use crate::step::Step;
use crate::world::World;

/// How many states are taken at once, before their successors are entered.
const BLOCK: usize = 4096;

/// A search.
#[derive(Clone, Debug)]
pub struct Search {
    /// What is checked.
    pub case: Arc<Case>,
    /// The faults.
    pub budget: Budget,
    /// The search stops after so many states, and is then not complete.
    pub most: usize,
    /// On how many threads it runs. The result does not depend on them.
    pub threads: usize,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Found {
    /// How many states there are; those that differ only in names count once.
    pub states: usize,
    /// How many steps lead from one of them to another.
    pub transitions: u64,
    /// How many steps the farthest state is away.
    pub depth: u32,
    /// Whether all states were seen.
    pub complete: bool,
    /// How long it took.
    pub took: Duration,
    /// The shortest way to something that must not be.
    pub violation: Option<Violation>,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.complete, &self.violation) {
            (_, Some(violation)) => write!(f, "VIOLATION: {}", violation.what)?,
            (true, None) => f.write_str("complete, no violation")?,
            (false, None) => f.write_str("NOT complete, no violation so far")?,
        }
        let Found { states, transitions, depth, took, .. } = self;
        write!(f, "; {states} states, {transitions} transitions, depth {depth}, {:.1} s", took.as_secs_f64())
    }
}

/// A violation of a property, with the steps that lead to it.
#[derive(Clone, Debug)]
pub struct Violation {
    /// What is wrong.
    pub what: String,
    /// The steps, each with its time.
    pub trace: Vec<String>,
}

/// Hashes are spread already.
#[derive(Clone, Copy, Debug, Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = self.0 << 8 | u64::from(*byte));
    }

    fn write_u128(&mut self, value: u128) {
        self.0 = value as u64;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

type Seen = HashSet<Hash128, BuildHasherDefault<Spread>>;

/// Processes that are alike in many states are kept once.
#[derive(Default)]
struct Pool(Mutex<HashMap<Hash128, Weak<Process>, BuildHasherDefault<Spread>>>);

impl Pool {
    fn share(&self, world: &mut World) {
        for index in [0, 1] {
            let hash = world.hash_of_process(index);
            let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            match known.get(&hash).and_then(Weak::upgrade) {
                Some(process) => world.processes[index] = process,
                None => {
                    known.insert(hash, Arc::downgrade(&world.processes[index]));
                }
            }
        }
    }

    /// Forgets those that no state has.
    fn purge(&self) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|_, process| process.strong_count() > 0);
    }
}

/// What a search knows besides the states.
#[derive(Default)]
struct Known {
    seen: Seen,
    /// States in runs without faults that end well.
    quiet: Mutex<Seen>,
    pool: Pool,
}

/// What comes of one state.
#[derive(Default)]
struct Expanded {
    next: Vec<(Hash128, Step, World)>,
    transitions: u64,
    violation: Option<(Option<Step>, String)>,
}

/// How each state was reached: from which one, by which step.
#[derive(Default)]
struct Ways(Vec<(u32, Step)>);

impl Ways {
    fn to(&self, mut state: u32) -> Vec<Step> {
        let mut steps = Vec::new();
        while state > 0 {
            let (before, step) = self.0[state as usize];
            steps.push(step);
            state = before;
        }
        steps.reverse();
        steps
    }
}

impl Search {
    /// Searches. Stops at the first violation: no shorter way leads to one.
    ///
    /// ```
    /// use kron_check::faults::Budget;
    /// use kron_check::case::Case;
    /// use kron_check::explore::Search;
    /// let case = Case::new("forbid", 1, 1).unwrap().into();
    /// let found = Search { case, budget: Budget::new(0, &[]), most: 1_000_000, threads: 1 }.run();
    /// assert!(found.complete && found.violation.is_none() && found.states > 10);
    /// ```
    pub fn run(&self) -> Found {
        let begun = Instant::now();
        let first = World::new(self.case.clone(), self.budget);
        let (mut known, mut ways) = (Known::default(), Ways::default());
        known.seen.insert(first.hash());
        ways.0.push((0, Step::Tick));
        let mut found = Found {
            states: 1,
            transitions: 0,
            depth: 0,
            complete: true,
            took: Duration::ZERO,
            violation: None,
        };
        let mut level = vec![(0, first)];
        'levels: while !level.is_empty() {
            let (mut next, mut rest) = (Vec::new(), level.into_iter());
            loop {
                // Taken out of the level: its states are dropped as soon as their successors are known.
                let block: Vec<_> = rest.by_ref().take(BLOCK).collect();
                if block.is_empty() {
                    break;
                }
                let all = self.expand(&block, &known);
                for ((state, _), expanded) in block.iter().zip(all) {
                    found.transitions += expanded.transitions;
                    if let Some((step, what)) = expanded.violation {
                        found.violation = Some(Violation { what, trace: self.trace(&ways.to(*state), step) });
                        break 'levels;
                    }
                    for (hash, step, world) in expanded.next {
                        if known.seen.insert(hash) {
                            next.push((ways.0.len() as u32, world));
                            ways.0.push((*state, step));
                        }
                    }
                }
                found.states = known.seen.len();
                if found.states > self.most {
                    found.complete = false;
                    break 'levels;
                }
            }
            if !next.is_empty() {
                found.depth += 1;
            }
            level = next;
            known.pool.purge();
        }
        found.complete &= found.violation.is_none();
        found.took = begun.elapsed();
        found
    }

    /// The successors of some states, on several threads.
    fn expand(&self, block: &[(u32, World)], known: &Known) -> Vec<Expanded> {
        let share = block.len().div_ceil(self.threads.max(1)).max(1);
        std::thread::scope(|scope| {
            let threads: Vec<_> = block
                .chunks(share)
                .map(|states| {
                    scope.spawn(move || {
                        states.iter().map(|(_, world)| successors(world, known)).collect::<Vec<_>>()
                    })
                })
                .collect();
            // A panic of a thread is one of the search.
            let results = threads.into_iter().map(|thread| thread.join());
            results.flat_map(|all| all.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
        })
    }

    /// The steps in words: those to a state, and the last one, or all that follow without further faults.
    fn trace(&self, steps: &[Step], last: Option<Step>) -> Vec<String> {
        let mut world = World::new(self.case.clone(), self.budget);
        let mut lines = Vec::new();
        for step in steps.iter().copied().chain(last) {
            lines.push(format!("{}  {}", world.clock(), step.describe(&world)));
            world.apply(step);
        }
        if last.is_none() {
            lines.push(format!("{}  no further faults", world.clock()));
            let quietly = world.run_quietly(
                |_| false,
                |world, step| {
                    let what = step.map_or("time goes on".to_string(), |step| step.describe(world));
                    lines.push(format!("{}  {what}", world.clock()));
                },
            );
            // OK because the caller has seen this run fail.
            drop(quietly);
        }
        lines
    }
}

fn successors(world: &World, known: &Known) -> Expanded {
    let mut expanded = Expanded::default();
    // A run without faults that joins one that ended well ends well.
    let mut passed = Vec::new();
    let is_known = |hash| {
        passed.push(hash);
        known.quiet.lock().unwrap_or_else(PoisonError::into_inner).contains(&hash)
    };
    let ends_well = world.run_quietly(is_known, |_, _| ());
    match ends_well {
        Ok(()) => known.quiet.lock().unwrap_or_else(PoisonError::into_inner).extend(passed),
        Err(what) => {
            expanded.violation = Some((None, what));
            return expanded;
        }
    }
    for step in world.steps() {
        let mut next = world.clone();
        next.apply(step);
        expanded.transitions += 1;
        if let Some(what) = next.violation() {
            expanded.violation = Some((Some(step), what.to_string()));
            return expanded;
        }
        let hash = next.hash();
        if !known.seen.contains(&hash) {
            known.pool.share(&mut next);
            expanded.next.push((hash, step, next));
        }
    }
    expanded
}
