//! The trees of the benchmark on bonsai-bt. Asked line by line: `count MOST FIRST TREE` gives what comes of each tick and how many nodes
//! were visited in it, `time MOST FIRST TREE` how many nanoseconds so many ticks take after the first ones, or all until the tree has ended.

use bonsai_bt::{ActionArgs, BT, Behavior, Event, RUNNING, Status, UpdateArgs};
use std::io::{BufRead, Write};
use std::time::Instant;

enum Tree {
    Leaf(usize),
    Node(Vec<Tree>),
}

/// A leaf: when it ends, and how.
struct Leaf {
    ticks: u64,
    end: Status,
    sum: u64,
}

/// What runs, and what is known of it: control nodes cannot be heard.
fn parse<'w>(words: &mut impl Iterator<Item = &'w str>, leaves: &mut Vec<Leaf>) -> Option<(Behavior<usize>, Tree)> {
    let word = words.next()?;
    if let Some(leaf) = word.strip_prefix('L') {
        let (ticks, fails) = leaf.split_at(leaf.len() - 1);
        let end = if fails == "-" { Status::Failure } else { Status::Success };
        let at = leaves.len();
        leaves.push(Leaf { ticks: ticks.parse().ok()?, end, sum: 0 });
        return Some((Behavior::Action(at), Tree::Leaf(at)));
    }
    let (kind, count) = word.split_at(1);
    let (mut children, mut trees) = (Vec::new(), Vec::new());
    for _ in 0..count.parse().ok()? {
        let (child, tree) = parse(words, leaves)?;
        children.push(child);
        trees.push(tree);
    }
    let made = match kind {
        "S" => Behavior::Sequence(children),
        "F" => Behavior::Select(children),
        _ => Behavior::WhenAll(children),
    };
    Some((made, Tree::Node(trees)))
}

/// How many nodes were visited: leaves that have added, and whoever has such a leaf below it.
fn visited(tree: &Tree, leaves: &[Leaf], before: &[u64]) -> u64 {
    match tree {
        Tree::Leaf(at) => u64::from(leaves[*at].sum > before[*at]),
        Tree::Node(children) => {
            let inner: u64 = children.iter().map(|child| visited(child, leaves, before)).sum();
            inner + u64::from(inner > 0)
        }
    }
}

fn tick(bt: &mut BT<usize, ()>, event: &Event, leaves: &mut [Leaf]) -> Status {
    let mut leaf = |args: ActionArgs<Event, usize>, _: &mut ()| {
        let leaf = &mut leaves[*args.action];
        leaf.sum += 1;
        if leaf.sum == leaf.ticks { (leaf.end, args.dt) } else { RUNNING }
    };
    bt.tick(event, &mut leaf).map_or(Status::Failure, |(status, _)| status)
}

fn main() {
    let event: Event = UpdateArgs { dt: 1.0 }.into();
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let mut words = line.split_whitespace();
        let what = words.next();
        let mut number = || words.next().and_then(|word| word.parse::<u64>().ok());
        let (most, first) = (number(), number());
        let mut leaves = Vec::new();
        let (Some(what), Some(most), Some(first), Some((made, tree))) =
            (what, most, first, parse(&mut words, &mut leaves)) else {
            eprintln!("not understood: {line}");
            return;
        };
        let mut bt = BT::new(made, ());
        let answer = if what == "count" {
            let (mut statuses, mut visits) = (String::new(), String::new());
            for _ in 0..most {
                let before: Vec<u64> = leaves.iter().map(|leaf| leaf.sum).collect();
                let status = tick(&mut bt, &event, &mut leaves);
                statuses.push(match status {
                    Status::Running => 'R',
                    Status::Success => 'S',
                    Status::Failure => 'F',
                });
                visits += &format!(" {}", visited(&tree, &leaves, &before));
                if status != Status::Running {
                    break;
                }
            }
            statuses + &visits
        } else {
            for _ in 0..first {
                tick(&mut bt, &event, &mut leaves);
            }
            let began = Instant::now();
            for _ in 0..most {
                if tick(&mut bt, &event, &mut leaves) != Status::Running {
                    break;
                }
            }
            began.elapsed().as_nanos().to_string()
        };
        if writeln!(out, "{answer}").and_then(|()| out.flush()).is_err() {
            return;
        }
    }
}
