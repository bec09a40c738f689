//! Boxstep's runner and engines of behavior trees, on the same trees of 1,000 nodes: bonsai-bt, py_trees, BehaviorTree.CPP.
//!
//! First every engine runs twenty trees at random to their ends: what comes of each tick must be the same in all. Then rounds, in each of
//! which every engine runs the same trees, so that whatever else the machine does happens to all: *steady*, in which all 1,000
//! nodes run in each tick, and *random*, one of the twenty from its beginning to its end. Medians are printed, with what a tenth
//! of the rounds stays below and above, for each node that was visited, as each engine counts that, and for a tick. The bars: 10 ns for a
//! visited behavior in Rust, and a tick in less time than bonsai-bt takes for it in the same round.
//!
//! Without `--bench`, as a test, it does a hundredth of it once, and judges nothing.
//!
//! `cargo xtask bench-peers runner`, which gets the peers first; what it could not get is left out, in words. Alone: `cargo bench -p
//! boxstep-runner --bench peers`, with variables that name the peers ([`PEERS`]).

#![allow(missing_docs, unreachable_pub, reason = "a benchmark")]

#[path = "peers/ours.rs"]
mod ours;
#[path = "peers/tree.rs"]
mod tree;

use ours::Ours;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use tree::Tree;

type Failure = Box<dyn std::error::Error>;

/// Trees that have to come to the same, and as many ticks as none of them needs.
const TREES: u64 = 20;
const LONG: u64 = 100_000;
/// The peers, with the variable that names their program; a Python's, with what it runs there.
const PEERS: &[(&str, &str, Option<&str>)] = &[
    ("bonsai-bt 0.14.0, Rust", "BOXSTEP_PEER_BONSAI", None),
    ("BehaviorTree.CPP of this machine, C++", "BOXSTEP_PEER_BEHAVIORTREE_CPP", None),
    ("bonsai-bt 0.14.0, leaves in Python", "BOXSTEP_PEER_BONSAI_PYTHON", Some("bonsai")),
    ("py_trees 2.6.0, Python", "BOXSTEP_PEER_PY_TREES_PYTHON", Some("py_trees")),
    ("BehaviorTree.CPP 4, leaves in Python", "BOXSTEP_PEER_BEHAVIORTREEPY_PYTHON", Some("behaviortree_cpp")),
];
/// The bar, in nanoseconds for a visited node.
const BAR: f64 = 10.0;

fn main() -> Result<(), Failure> {
    let is_test = std::env::args().all(|word| word != "--bench");
    // Short ones, so that a round in which the machine was elsewhere is one of many.
    let (rounds, enough) = if is_test { (1, 100e3) } else { (201, 500e3) };
    let mut engines = engines()?;
    let longest = the_same_everywhere(&mut engines)?;

    let mut missed = false;
    let trees = [("steady", Tree::steady(), false), ("random", longest, true)];
    for (name, tree, ends) in &trees {
        let mut rows = Vec::new();
        for engine in &mut engines {
            let most = if *ends { LONG } else { 3 };
            let (statuses, visits) = engine.count(tree, most)?;
            let ticks = statuses.len() as u64;
            // One that goes on for ever is ticked as often as fills the round, once it has begun.
            let (first, mut times) = if *ends { (0, ticks) } else { (2, 1) };
            while !ends && engine.time(tree, first, times)? < enough {
                times *= 2;
            }
            let visits = visits.iter().sum::<u64>() as f64 / ticks as f64;
            rows.push(Row { first, times, visits, ticks: Vec::new() });
        }
        for _ in 0..rounds {
            for (engine, row) in engines.iter_mut().zip(&mut rows) {
                let took = engine.time(tree, row.first, row.times)?;
                row.ticks.push(took / row.times as f64);
            }
        }
        let peer = engines.iter().position(|engine| engine.name == PEERS[0].0);
        let ratio = peer.map(|peer| rows[0].beside(&rows[peer]));
        println!("\n{name}: {} nodes, {rounds} rounds", tree.count());
        println!("{:<44} {:>12} {:>28} {:>26}", "", "visited/tick", "ns for a visited node", "µs for a tick");
        for (engine, row) in engines.iter().zip(&mut rows) {
            row.print(&engine.name);
        }
        let mut judge = |bar: &str, reached: bool| {
            println!("bar: {bar}: {}", if reached { "reached" } else { "NOT REACHED" });
            missed |= !reached && !is_test;
        };
        if let Some(ratio) = ratio {
            judge(&format!("a tick in less time than {}; {ratio:.2} times its time", PEERS[0].0), ratio < 1.0);
        }
        if let Some(ours) = rows.first().filter(|_| *name == "steady") {
            judge(&format!("{BAR} ns for a visited behavior in Rust"), ours.middle() / ours.visits <= BAR);
        }
    }
    if missed { Err("the bar is not reached".into()) } else { Ok(()) }
}

/// Runs the trees in all engines; gives that which runs longest. What comes of every tick is the same, or it ends here.
fn the_same_everywhere(engines: &mut [Engine]) -> Result<Tree, Failure> {
    let (mut longest, mut most, mut all) = (Tree::steady(), 0, 0);
    let mut visits = vec![0; engines.len()];
    for seed in 0..TREES {
        let tree = Tree::random(seed);
        let mut first = String::new();
        for (engine, visits) in engines.iter_mut().zip(&mut visits) {
            let (statuses, counts) = engine.count(&tree, LONG)?;
            *visits += counts.iter().sum::<u64>();
            if first.is_empty() {
                first = statuses;
            } else if first != statuses {
                let why = format!("tree {seed} comes to\n{first}\nin ours, and in {} to\n{statuses}", engine.name);
                return Err(why.into());
            }
        }
        all += first.len();
        if first.len() > most {
            (most, longest) = (first.len(), tree);
        }
    }
    println!(
        "{TREES} trees at random: the same in all engines after each of {all} ticks; nodes visited in all of them:"
    );
    for (engine, visits) in engines.iter().zip(visits) {
        println!("  {:<44} {visits:>10}", engine.name);
    }
    Ok(longest)
}

/// What an engine takes for a tree.
struct Row {
    /// Ticks of a round, and those before it.
    times: u64,
    first: u64,
    /// Nodes visited in a tick, on average.
    visits: f64,
    /// Nanoseconds for a tick, by round.
    ticks: Vec<f64>,
}

impl Row {
    fn middle(&self) -> f64 {
        self.ticks.get(self.ticks.len() / 2).copied().unwrap_or(f64::NAN)
    }

    /// The median of what part this took of another one's time in the same round. Rounds are still in their order.
    fn beside(&self, other: &Row) -> f64 {
        let mut parts: Vec<f64> = self.ticks.iter().zip(&other.ticks).map(|(one, other)| one / other).collect();
        parts.sort_by(f64::total_cmp);
        parts.get(parts.len() / 2).copied().unwrap_or(f64::NAN)
    }

    fn print(&mut self, name: &str) {
        self.ticks.sort_by(f64::total_cmp);
        let part = |tenths: usize| self.ticks.get((self.ticks.len() - 1) * tenths / 10).copied().unwrap_or(f64::NAN);
        let (low, high) = (part(1), part(9));
        let middle = self.middle();
        let node = |of: f64| format!("{:.1}", of / self.visits);
        let node = format!("{} ({} … {})", node(middle), node(low), node(high));
        let tick = format!("{:.2} ({:.2} … {:.2})", middle / 1000.0, low / 1000.0, high / 1000.0);
        println!("{name:<44} {:>12.1} {node:>28} {tick:>26}", self.visits);
    }
}

/// Whoever runs trees.
struct Engine {
    name: String,
    how: How,
}

enum How {
    Ours(Ours),
    Peer(Peer),
}

/// Another program, which is asked line by line.
struct Peer {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn engines() -> Result<Vec<Engine>, Failure> {
    let ours = |name: &str, how| Engine { name: name.to_owned(), how: How::Ours(how) };
    let mut engines =
        vec![ours("Boxstep, behaviors in Rust", Ours::Rust), ours("Boxstep, a character, native leaves", Ours::File)];
    for (name, variable, script) in PEERS {
        let Some(program) = std::env::var_os(variable) else {
            println!("left out: {name} ({variable} names none)");
            continue;
        };
        let mut command = Command::new(program);
        if let Some(engine) = script {
            command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/peers/peer.py")).arg(engine);
        }
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else { continue };
        let how = How::Peer(Peer { child, input, output: BufReader::new(output) });
        engines.push(Engine { name: (*name).to_owned(), how });
    }
    Ok(engines)
}

impl Engine {
    /// What comes of each tick (R, S, F), and how many nodes were visited in it; until the tree ends, or for so many ticks.
    fn count(&mut self, tree: &Tree, most: u64) -> Result<(String, Vec<u64>), Failure> {
        match &mut self.how {
            How::Ours(ours) => ours.count(tree, most),
            How::Peer(peer) => {
                let answer = peer.ask(&format!("count {most} 0 {}", tree.words()))?;
                let mut words = answer.split_whitespace();
                let statuses = words.next().unwrap_or_default().to_owned();
                Ok((statuses, words.map(str::parse).collect::<Result<_, _>>()?))
            }
        }
    }

    /// Nanoseconds for so many ticks after the first ones, or until the tree ends.
    fn time(&mut self, tree: &Tree, first: u64, most: u64) -> Result<f64, Failure> {
        match &mut self.how {
            How::Ours(ours) => Ok(ours.time(tree, first, most)?.as_nanos() as f64),
            How::Peer(peer) => Ok(peer.ask(&format!("time {most} {first} {}", tree.words()))?.trim().parse()?),
        }
    }
}

impl Peer {
    fn ask(&mut self, what: &str) -> Result<String, Failure> {
        writeln!(self.input, "{what}")?;
        self.input.flush()?;
        let mut answer = String::new();
        self.output.read_line(&mut answer)?;
        if answer.is_empty() { Err("a peer has ended".into()) } else { Ok(answer) }
    }
}
