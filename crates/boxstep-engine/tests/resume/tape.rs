//! Choices of a random case, written down: the same tape makes the same case, and a shorter tape a smaller one.

use boxstep_engine::services::Random;

/// Choices in order. Past its end a new tape draws more; one that is played again says 0, which always means the
/// least.
pub struct Tape {
    pub choices: Vec<u32>,
    at: usize,
    random: Option<Random>,
}

impl Tape {
    pub fn random(seed: u64) -> Self {
        Self { choices: Vec::new(), at: 0, random: Some(Random::new(seed)) }
    }

    pub fn again(choices: &[u32]) -> Self {
        Self { choices: choices.to_vec(), at: 0, random: None }
    }

    /// A number from 0 up to n, without it.
    pub fn below(&mut self, n: u64) -> u64 {
        let drawn = match (self.choices.get(self.at), &mut self.random) {
            (Some(choice), _) => u64::from(*choice) % n,
            (None, Some(random)) => {
                let drawn = random.next_u64() % n;
                self.choices.push(drawn as u32);
                drawn
            }
            (None, None) => 0,
        };
        self.at += 1;
        drawn
    }

    pub fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize].clone()
    }

    /// Yes in so many of 100 cases; 0 is no.
    pub fn in_100(&mut self, chance: u64) -> bool {
        self.below(100) >= 100 - chance
    }
}

/// Makes a tape smaller as long as it still fails: leaves parts out, then makes choices the least.
pub fn shrink(mut choices: Vec<u32>, fails: impl Fn(&[u32]) -> bool) -> Vec<u32> {
    let mut again = true;
    while std::mem::take(&mut again) {
        let mut size = choices.len().max(1);
        while size > 0 {
            let mut from = 0;
            while from < choices.len() {
                let to = (from + size).min(choices.len());
                let without: Vec<u32> = [&choices[..from], &choices[to..]].concat();
                if fails(&without) {
                    choices = without;
                    again = true;
                    continue;
                }
                let mut least = choices.clone();
                least[from..to].fill(0);
                if least != choices && fails(&least) {
                    choices = least;
                    again = true;
                }
                from = to;
            }
            size /= 2;
        }
        while choices.last() == Some(&0) {
            choices.pop();
        }
    }
    choices
}
