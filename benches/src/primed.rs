//! Schedules to prime: the costliest that were found, and random ones, of which the costliest are measured.

use kron_core::{Cron, Duration};

/// The costliest schedules that hill climbing found, with their leads.
pub const COSTLIEST: [(&str, &str); 3] = [
    (
        "1-3,5,9,11,14-16,18,19,22-24,27,30,34,36,37,39,41-44,46-49,52,56-59 0,1,3,5,6,8-15,17,19-23 \
         1,2,5,7-10,12-14,16,18,19,21,25-27,30,31 1-3,5-7,9,11 0,1,4",
        "18604m",
    ),
    (
        "0,3-5,7,9,12,16,18,21,23,25,27-29,31,34,38,39,45-47,49,51-54,56,58 * \
         1-3,6-8,11-15,17,18,21,23-25,27,29 2,3,5-7,9,11 0,1,3,5,6",
        "38818m",
    ),
    (
        "0-3,5-9,11-17,19-21,23-25,27,29,31-37,39,40,43-45,49,51-55,57-59 * \
         1-5,7-9,11-15,17,18,21,22,24-31 2,3,5-10,12 0,1,3,4",
        "29901m",
    ),
];

/// How many schedules the search for the costliest tries out.
pub const TRIED: usize = 20_000;

/// As many expressions with leads, always the same ones.
pub fn schedules(count: usize) -> impl Iterator<Item = (Cron, Duration)> {
    let mut random = Random(1);
    core::iter::repeat_with(move || random.schedule()).take(count)
}

/// A congruential generator with the constants of Knuth's MMIX.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    /// A star, a step, or a list of up to `items` values and ranges.
    fn field(&mut self, min: u64, max: u64, items: u64) -> String {
        match self.below(6) {
            0 | 1 => "*".to_string(),
            2 => format!("*/{}", 1 + self.below(max)),
            _ => {
                let item = |random: &mut Random| {
                    let low = min + random.below(max - min + 1);
                    let high = low + random.below(max - low + 1);
                    match random.below(4) {
                        0 | 1 => low.to_string(),
                        2 => format!("{low}-{high}"),
                        _ => format!("{low}-{high}/{}", 1 + random.below(7)),
                    }
                };
                let count = 1 + self.below(items);
                (0..count).map(|_| item(self)).collect::<Vec<_>>().join(",")
            }
        }
    }

    fn schedule(&mut self) -> (Cron, Duration) {
        let text = |random: &mut Random| {
            [(0, 59, 20), (0, 23, 8), (1, 31, 8), (1, 12, 5), (0, 6, 3)]
                .map(|(min, max, items)| random.field(min, max, items))
                .join(" ")
        };
        // Some name only days that never come, such as 31 April.
        let cron = loop {
            if let Ok(cron) = Cron::parse(&text(self)) {
                break cron;
            }
        };
        let minutes = match self.below(3) {
            0 => 1 + self.below(120),
            1 => 1 + self.below(1440),
            _ => 1 + self.below(31 * 1440),
        };
        // OK because a lead has at most 31 days.
        let lead = Duration::from_nanos(minutes as i64 * 60_000_000_000).unwrap_or_default();
        (cron, lead)
    }
}

#[cfg(test)]
mod tests {
    use kron_formats::prime::Prime as _;

    use super::*;

    #[test]
    fn the_costliest_schedules_are_read_and_have_a_cover() {
        for (cron, lead) in COSTLIEST {
            let (cron, lead) = (Cron::parse(cron).unwrap(), Duration::parse(lead).unwrap());
            assert!(cron.prime_cover(lead).unwrap().expressions().len() > 10, "{cron}");
        }
    }
}
