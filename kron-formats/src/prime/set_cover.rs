//! The fewest sets that cover all elements.
//!
//! Elements and sets that cannot matter are removed first; then branch and bound tries the sets of the element that has
//! the fewest. The bound counts elements of which no two have a set in common. The work is limited.

use std::cmp::Reverse;

/// How often the search for the fewest sets looks at an open element before it ends with the best answer so far.
const WORK: u32 = 50_000;

/// A set of numbers from 0.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    pub(super) fn new(length: usize) -> Bits {
        Bits(vec![0; length.div_ceil(64)])
    }

    pub(super) fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    fn is_subset(&self, other: &Bits) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    fn meets(&self, other: &Bits) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    fn common(&self, other: &Bits) -> u32 {
        self.0.iter().zip(&other.0).map(|(a, b)| (a & b).count_ones()).sum()
    }

    fn remove_all(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= !b);
    }

    fn insert_all(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }

    fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.iter().enumerate().flat_map(|(i, word)| {
            let mut word = *word;
            std::iter::from_fn(move || {
                (word != 0).then(|| {
                    let bit = word.trailing_zeros() as usize;
                    word &= word - 1;
                    i * 64 + bit
                })
            })
        })
    }
}

/// Sets that cover all elements.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Cover {
    /// The chosen sets, ascending.
    pub(super) sets: Vec<usize>,
    /// Whether no smaller number of sets covers all elements.
    pub(super) is_least: bool,
}

/// Chooses sets; `elements` lists for each element the sets that hold it, at least one of `sets`.
///
/// If the limit of work ends the search, none of the chosen sets can be left out, and no single set can replace two.
pub(super) fn least_cover(elements: Vec<Bits>, sets: usize) -> Cover {
    least_cover_within(elements, sets, WORK)
}

fn least_cover_within(elements: Vec<Bits>, sets: usize, work: u32) -> Cover {
    let (elements, kept) = reduced(elements, sets);
    let covered_by = transposed(&elements, kept.len());
    let mut all = Bits::new(elements.len());
    (0..elements.len()).for_each(|i| all.insert(i));
    let mut best = greedy(&all, &covered_by);
    improve(&mut best, &all, &covered_by);
    let mut search = Search { elements: &elements, covered_by: &covered_by, best, chosen: Vec::new(), work };
    search.descend(&all);
    let is_least = search.work > 0;
    let mut best = search.best;
    if !is_least {
        improve(&mut best, &all, &covered_by);
    }
    let mut sets: Vec<usize> = best.into_iter().map(|set| kept[set]).collect();
    sets.sort_unstable();
    Cover { sets, is_least }
}

/// For each set its elements.
fn transposed(elements: &[Bits], sets: usize) -> Vec<Bits> {
    let mut covered_by = vec![Bits::new(elements.len()); sets];
    for (i, element) in elements.iter().enumerate() {
        element.iter().for_each(|set| covered_by[set].insert(i));
    }
    covered_by
}

/// The elements and sets that matter: an element is dropped if all sets of another hold it, a set if another holds all of
/// its elements. The elements come by the number of their sets, and their sets are numbered by their place in the list of
/// sets.
fn reduced(mut elements: Vec<Bits>, sets: usize) -> (Vec<Bits>, Vec<usize>) {
    let mut kept: Vec<usize> = (0..sets).collect();
    loop {
        let before = (elements.len(), kept.len());
        elements.sort_unstable();
        elements.sort_by_cached_key(Bits::len);
        elements.dedup();
        let mut needed: Vec<Bits> = Vec::new();
        for element in elements {
            if !needed.iter().any(|other| other.is_subset(&element)) {
                needed.push(element);
            }
        }
        elements = needed;
        let covered_by = transposed(&elements, kept.len());
        let mut order: Vec<usize> = (0..kept.len()).collect();
        order.sort_by_cached_key(|set| Reverse(covered_by[*set].len()));
        let mut largest: Vec<usize> = Vec::new();
        for set in order {
            let own = &covered_by[set];
            if !own.is_empty() && !largest.iter().any(|other| own.is_subset(&covered_by[*other])) {
                largest.push(set);
            }
        }
        largest.sort_unstable();
        let held: Vec<Bits> = largest.iter().map(|set| covered_by[*set].clone()).collect();
        elements = transposed(&held, elements.len());
        kept = largest.into_iter().map(|set| kept[set]).collect();
        if before == (elements.len(), kept.len()) {
            return (elements, kept);
        }
    }
}

/// Sets that cover all elements, the largest remainder first.
fn greedy(all: &Bits, covered_by: &[Bits]) -> Vec<usize> {
    let (mut open, mut chosen) = (all.clone(), Vec::new());
    while !open.is_empty() {
        let most = (0..covered_by.len()).max_by_key(|set| (covered_by[*set].common(&open), Reverse(*set)));
        let Some(set) = most.filter(|set| covered_by[*set].meets(&open)) else { break };
        open.remove_all(&covered_by[set]);
        chosen.push(set);
    }
    chosen
}

/// Removes sets whose elements the others cover, and replaces two sets by one as long as that is possible.
fn improve(chosen: &mut Vec<usize>, all: &Bits, covered_by: &[Bits]) {
    let open_without = |chosen: &[usize], left_out: &[usize]| {
        let mut covered = Bits::new(0);
        covered.0.resize(all.0.len(), 0);
        chosen
            .iter()
            .filter(|set| !left_out.contains(set))
            .for_each(|set| covered.insert_all(&covered_by[*set]));
        let mut open = all.clone();
        open.remove_all(&covered);
        open
    };
    'again: loop {
        for i in 0..chosen.len() {
            if open_without(chosen, &[chosen[i]]).is_empty() {
                chosen.remove(i);
                continue 'again;
            }
        }
        for i in 0..chosen.len() {
            for j in i + 1..chosen.len() {
                let open = open_without(chosen, &[chosen[i], chosen[j]]);
                if let Some(one) = covered_by.iter().position(|own| open.is_subset(own)) {
                    chosen[i] = one;
                    chosen.remove(j);
                    continue 'again;
                }
            }
        }
        return;
    }
}

struct Search<'a> {
    elements: &'a [Bits],
    covered_by: &'a [Bits],
    best: Vec<usize>,
    chosen: Vec<usize>,
    /// What is left of the limit of work.
    work: u32,
}

impl Search<'_> {
    /// Tries to cover the open elements with fewer sets than the best answer has.
    fn descend(&mut self, open: &Bits) {
        if open.is_empty() {
            if self.chosen.len() < self.best.len() {
                self.best.clone_from(&self.chosen);
            }
            return;
        }
        self.work = self.work.saturating_sub(open.len());
        let fewer = self.best.len().saturating_sub(self.chosen.len());
        if self.work == 0 || self.needs(open, fewer) {
            return;
        }
        // The first elements have the fewest sets.
        let Some(element) = open.iter().next() else { return };
        let common = |set: usize| self.covered_by[set].common(open);
        let mut sets: Vec<(Reverse<u32>, usize)> =
            self.elements[element].iter().map(|set| (Reverse(common(set)), set)).collect();
        sets.sort_unstable();
        let mut rest = open.clone();
        for (_, set) in sets {
            rest.0.clone_from(&open.0);
            rest.remove_all(&self.covered_by[set]);
            self.chosen.push(set);
            self.descend(&rest);
            self.chosen.pop();
        }
    }

    /// Whether the open elements are known to need this many sets: among them are as many of which no two share a set.
    fn needs(&self, open: &Bits, sets: usize) -> bool {
        let mut of_counted = Bits::new(self.covered_by.len());
        let mut counted = 0;
        for element in open.iter() {
            if counted == sets {
                break;
            }
            let sets = &self.elements[element];
            if !of_counted.meets(sets) {
                of_counted.insert_all(sets);
                counted += 1;
            }
        }
        counted == sets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Elements as lists of the sets that hold them.
    fn elements(lists: &[&[usize]], sets: usize) -> Vec<Bits> {
        lists
            .iter()
            .map(|list| {
                let mut bits = Bits::new(sets);
                list.iter().for_each(|set| bits.insert(*set));
                bits
            })
            .collect()
    }

    fn random(seed: &mut u64) -> u64 {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        *seed >> 33
    }

    fn is_cover(chosen: &[usize], elements: &[Bits]) -> bool {
        elements.iter().all(|element| element.iter().any(|set| chosen.contains(&set)))
    }

    #[test]
    fn the_fewest_sets_are_found() {
        let mut seed = 1;
        for _ in 0..300 {
            let sets = 2 + random(&mut seed) as usize % 9;
            let lists: Vec<Bits> = (0..1 + random(&mut seed) % 12)
                .map(|_| {
                    let mut bits = Bits::new(sets);
                    (0..1 + random(&mut seed) % 3)
                        .for_each(|_| bits.insert(random(&mut seed) as usize % sets));
                    bits
                })
                .collect();
            let fewest = (0..1u32 << sets)
                .filter(|mask| {
                    let chosen: Vec<usize> = (0..sets).filter(|set| mask >> set & 1 == 1).collect();
                    is_cover(&chosen, &lists)
                })
                .map(u32::count_ones)
                .min();
            let cover = least_cover(lists.clone(), sets);
            assert!(cover.is_least && is_cover(&cover.sets, &lists));
            assert_eq!(Some(cover.sets.len() as u32), fewest, "{lists:?}");
        }
    }

    #[test]
    fn an_ended_search_leaves_nothing_that_is_plainly_too_much() {
        let mut seed = 7;
        for _ in 0..100 {
            let lists: Vec<Bits> = (0..60)
                .map(|_| {
                    let mut bits = Bits::new(80);
                    (0..4).for_each(|_| bits.insert(random(&mut seed) as usize % 80));
                    bits
                })
                .collect();
            let cover = least_cover_within(lists.clone(), 80, 1);
            assert!(!cover.is_least && is_cover(&cover.sets, &lists));
            for left_out in &cover.sets {
                let fewer: Vec<usize> = cover.sets.iter().copied().filter(|set| set != left_out).collect();
                assert!(!is_cover(&fewer, &lists));
                for other in &fewer {
                    for one in 0..80 {
                        let replaced: Vec<usize> =
                            fewer.iter().map(|set| if set == other { one } else { *set }).collect();
                        assert!(!is_cover(&replaced, &lists));
                    }
                }
            }
        }
    }

    #[test]
    fn nothing_needs_nothing() {
        assert_eq!(least_cover(elements(&[], 3), 3), Cover { sets: Vec::new(), is_least: true });
        assert_eq!(least_cover(elements(&[&[2], &[1, 2]], 3), 3).sets, [2]);
    }
}
