//! The trees on Boxstep's own runner: as behaviors in Rust, and as the character that the importer makes of a file of BehaviorTree.CPP,
//! with native leaves.

use crate::Failure;
use crate::tree::{Kind, Tree};
use boxstep_engine::runner::{
    Action, Behavior, BehaviorRunner as _, Control, Delegates, End, Plan, Progress, Runner, Settings, Ticket, What,
};
use boxstep_runner::{Character, InertWorld, Natives, import};
use boxstep_types::{Time, Value};
use std::time::{Duration, Instant};

/// One of the two ways.
#[derive(Clone, Copy)]
pub enum Ours {
    Rust,
    File,
}

impl Ours {
    /// What comes of each tick, and how many behaviors were updated in it.
    pub fn count(self, tree: &Tree, most: u64) -> Result<(String, Vec<u64>), Failure> {
        let mut runner = self.runner(tree)?;
        runner.keep_account(true);
        let (mut statuses, mut visits) = (String::new(), Vec::new());
        for tick in 0..most {
            runner.tick(Time(tick as i64));
            let now = runner.ticks();
            visits.push(runner.behaviors().filter(|id| runner.view(*id).updated == now).count() as u64);
            let root = runner.find("0");
            let status = runner.take_account().into_iter().find_map(|happened| match happened.what {
                What::Ended(_, end) if happened.of == root => Some(match end {
                    End::Done(_) => 'S',
                    End::Failed(_) => 'F',
                    End::Cancelled(_) => 'C',
                }),
                What::Livelock(..) => Some('L'),
                _ => None,
            });
            statuses.push(status.unwrap_or('R'));
            if runner.is_over() {
                break;
            }
        }
        Ok((statuses, visits))
    }

    /// How long so many ticks take after the first ones, or all until the tree has ended.
    pub fn time(self, tree: &Tree, first: u64, most: u64) -> Result<Duration, Failure> {
        let mut runner = self.runner(tree)?;
        (0..first).for_each(|tick| runner.tick(Time(tick as i64)));
        let began = Instant::now();
        for tick in first..first + most {
            runner.tick(Time(tick as i64));
            if runner.is_over() {
                break;
            }
        }
        let took = began.elapsed();
        drop(runner);
        Ok(took)
    }

    fn runner(self, tree: &Tree) -> Result<Runner, Failure> {
        match self {
            Ours::Rust => {
                let mut plan = Plan::new();
                add(tree, &mut 0, &mut plan);
                // Hundreds of children may end in one tick here.
                let settings = Settings { max_hops: 10_000, ..Settings::new("0") };
                plan.build(settings).map_err(|laws| format!("{:?}", laws.first()).into())
            }
            Ours::File => {
                let xml =
                    format!("<root BTCPP_format=\"4\"><BehaviorTree ID=\"0\">{}</BehaviorTree></root>", xml(tree));
                let text = import::behavior_tree(&xml, "tree.xml", None).character.ok_or("it is not imported")?;
                let bound = "native: leaf, args: [$ticks, $fails]";
                let text = text.replace("wait: 1 }", &format!("{bound} }}"));
                let first = |findings: Vec<boxstep_runner::Finding>| findings[0].to_string();
                let character = Character::read(&text, "tree.yaml", &[]).map_err(first)?;
                let natives = Natives::new().bind("leaf", |args: &Value| {
                    let word = |at: usize| args.as_list().and_then(|all| all.get(at)?.as_str()).unwrap_or_default();
                    Counter { ticks: word(0).parse().unwrap_or(0), fails: word(1) == "yes", sum: 0 }
                });
                Ok(character.build(InertWorld, &natives, 0).map_err(first)?.runner)
            }
        }
    }
}

/// Adds a node and all below it, named by numbers in their order.
fn add(tree: &Tree, next: &mut usize, plan: &mut Plan) -> String {
    let name = next.to_string();
    *next += 1;
    match tree {
        Tree::Leaf { ticks, fails } => {
            plan.action(name.clone(), Counter { ticks: u64::from(*ticks), fails: *fails, sum: 0 });
        }
        Tree::Node(kind, children) => {
            let children = children.iter().map(|child| add(child, next, plan)).collect();
            plan.add(name.clone(), Group { kind: *kind, children, left: 0, at: 0 });
        }
    }
    name
}

/// As BehaviorTree.CPP writes it.
fn xml(tree: &Tree) -> String {
    match tree {
        Tree::Leaf { ticks, fails } => {
            format!("<Action ID=\"Leaf\" ticks=\"{ticks}\" fails=\"{}\"/>", if *fails { "yes" } else { "no" })
        }
        Tree::Node(kind, children) => {
            let name = match kind {
                Kind::Sequence => "Sequence",
                Kind::Fallback => "Fallback",
                Kind::Parallel => "Parallel",
            };
            let children: String = children.iter().map(xml).collect();
            format!("<{name}>{children}</{name}>")
        }
    }
}

/// A leaf: its update does one addition, and looks whether that was the last.
struct Counter {
    ticks: u64,
    fails: bool,
    sum: u64,
}

impl Action for Counter {
    fn start(&mut self, _: &mut Control<'_>, _: &Value) {}

    fn poll(&mut self, _: &mut Control<'_>) -> Progress {
        self.sum += 1;
        match self.sum == self.ticks {
            true if self.fails => Progress::Failed("".into()),
            true => Progress::Done(Value::Null),
            false => Progress::Running,
        }
    }
}

/// A node with children.
struct Group {
    kind: Kind,
    children: Vec<String>,
    /// Whose turn it is, or how many still run.
    at: usize,
    left: usize,
}

impl Group {
    fn next(&mut self, cx: &mut Control<'_>) {
        let next = cx.delegates()[self.at];
        if cx.offer(next).is_err() {
            let _ = cx.fail("refused");
        }
    }
}

impl Behavior for Group {
    fn all_delegates(&self, all: &mut Delegates) {
        all.no_updates();
        for child in &self.children {
            all.add(child.as_str());
        }
        if self.kind == Kind::Parallel {
            all.together(self.children.iter().map(String::as_str));
        }
    }

    fn activated(&mut self, cx: &mut Control<'_>, _: &Value) {
        (self.at, self.left) = (0, self.children.len());
        if self.kind != Kind::Parallel {
            return self.next(cx);
        }
        let all = cx.delegates().to_vec();
        let asked = all.iter().all(|child| cx.ask(*child).is_ok());
        if !asked || cx.delegate(&all, Value::Null).is_err() {
            let _ = cx.fail("refused");
        }
    }

    fn on_delegate_ended(&mut self, cx: &mut Control<'_>, _: Ticket, end: &End) {
        let done = matches!(end, End::Done(_));
        (self.at, self.left) = (self.at + 1, self.left - 1);
        let over = match self.kind {
            Kind::Sequence | Kind::Parallel => !done || self.left == 0,
            Kind::Fallback => done || self.left == 0,
        };
        let _ = match (over, done) {
            (true, true) => cx.complete(Value::Null),
            (true, false) => cx.fail(""),
            (false, _) => {
                if self.kind != Kind::Parallel {
                    self.next(cx);
                }
                Ok(())
            }
        };
    }
}
