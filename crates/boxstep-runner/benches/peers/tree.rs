//! Trees that every engine can run: sequences, fallbacks and parallels of leaves that end after so many ticks.

/// How a node comes to its outcome from those of its children.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Each in order, as long as they are done.
    Sequence,
    /// Each in order, until one is done.
    Fallback,
    /// All side by side: done when all are, failed as soon as one has.
    Parallel,
}

/// A node.
#[derive(Clone, Debug)]
pub enum Tree {
    /// Runs for so many ticks, of which the last is the one in which it ends; 0: it never does.
    Leaf { ticks: u32, fails: bool },
    /// With children.
    Node(Kind, Vec<Tree>),
}

impl Tree {
    /// How many nodes it has.
    pub fn count(&self) -> usize {
        match self {
            Tree::Leaf { .. } => 1,
            Tree::Node(_, children) => 1 + children.iter().map(Tree::count).sum::<usize>(),
        }
    }

    /// In words, each node before its children: `S2` (or `F2`, `P2`) has two children, `L5+` is done in its fifth tick, `L5-` fails then.
    pub fn words(&self) -> String {
        match self {
            Tree::Leaf { ticks, fails } => format!("L{ticks}{}", if *fails { '-' } else { '+' }),
            Tree::Node(kind, children) => {
                let letter = match kind {
                    Kind::Sequence => 'S',
                    Kind::Fallback => 'F',
                    Kind::Parallel => 'P',
                };
                let inner: String = children.iter().map(|child| format!(" {}", child.words())).collect();
                format!("{letter}{}{inner}", children.len())
            }
        }
    }

    /// 1,000 nodes, all of which run for ever: 37 parallels of 26 leaves each, side by side.
    pub fn steady() -> Tree {
        let leaves = || (0..26).map(|_| Tree::Leaf { ticks: 0, fails: false }).collect();
        Tree::Node(Kind::Parallel, (0..37).map(|_| Tree::Node(Kind::Parallel, leaves())).collect())
    }

    /// 1,000 nodes at random, the same for the same seed: ten parts in order, of which each goes on whatever comes of it.
    pub fn random(seed: u64) -> Tree {
        let mut dice = Dice(seed);
        let part = |at: usize, dice: &mut Dice| {
            let size = if at == 0 { 99 } else { 100 };
            let tried = some(size - 2, dice);
            Tree::Node(Kind::Fallback, vec![tried, Tree::Leaf { ticks: 1, fails: false }])
        };
        Tree::Node(Kind::Sequence, (0..10).map(|at| part(at, &mut dice)).collect())
    }
}

/// So many nodes.
fn some(nodes: usize, dice: &mut Dice) -> Tree {
    if nodes == 1 {
        return Tree::Leaf { ticks: 1 + dice.draw(8) as u32, fails: dice.draw(5) == 0 };
    }
    let kind = match dice.draw(20) {
        0..9 => Kind::Sequence,
        9..14 => Kind::Fallback,
        _ => Kind::Parallel,
    };
    let children = (2 + dice.draw(4) as usize).min(nodes - 1);
    let mut sizes = vec![1; children];
    (children..nodes - 1).for_each(|_| sizes[dice.draw(children as u64) as usize] += 1);
    Tree::Node(kind, sizes.into_iter().map(|size| some(size, dice)).collect())
}

struct Dice(u64);

impl Dice {
    fn draw(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}
