//! One line for each figure.

/// Only whether it works is wanted: cargo says `--bench` to what is to measure.
pub(crate) fn is_test() -> bool {
    !std::env::args().any(|word| word == "--bench")
}

/// A count of rounds, or of whatever else takes long.
pub(crate) fn count(measured: usize) -> usize {
    if is_test() { 1 } else { measured }
}

/// Something measured over several rounds.
pub(crate) struct Figure {
    pub(crate) name: &'static str,
    /// What the numbers are; `×` for a ratio of two measurements.
    pub(crate) unit: &'static str,
    /// One number for each round.
    pub(crate) rounds: Vec<f64>,
    /// What the median should not exceed.
    pub(crate) bar: f64,
    /// What it was compared with, or under which circumstances.
    pub(crate) note: String,
}

pub(crate) fn head() {
    println!("{:<32} {:>12} {:>12} {:>7}  {:<21} note", "figure", "median", "bar", "ratio", "spread over rounds");
}

impl Figure {
    pub(crate) fn print(&self) {
        let mut rounds = self.rounds.clone();
        rounds.sort_by(f64::total_cmp);
        let [low, high] = [rounds.first(), rounds.last()].map(|x| x.copied().unwrap_or(f64::NAN));
        let median = median(&rounds);
        let unit = self.unit;
        println!(
            "{:<32} {:>12} {:>12} {:>7.2}  {:<21} {}",
            self.name,
            format!("{} {unit}", short(median)),
            format!("{} {unit}", short(self.bar)),
            median / self.bar,
            format!("{} … {}", short(low), short(high)),
            self.note
        );
    }
}

/// The middle one, or what lies between the two in the middle.
pub(crate) fn median(rounds: &[f64]) -> f64 {
    let mut sorted = rounds.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = |i: usize| sorted.get(i).copied().unwrap_or(f64::NAN);
    if sorted.len() % 2 == 1 {
        at(sorted.len() / 2)
    } else {
        (at(sorted.len() / 2) + at((sorted.len() / 2).wrapping_sub(1))) / 2.0
    }
}

/// Three digits that count.
pub(crate) fn short(x: f64) -> String {
    match x.abs() {
        a if a >= 100.0 || a == 0.0 => format!("{x:.0}"),
        a if a >= 10.0 => format!("{x:.1}"),
        a if a >= 1.0 => format!("{x:.2}"),
        a if a >= 0.01 => format!("{x:.3}"),
        _ => format!("{x:.4}"),
    }
}
