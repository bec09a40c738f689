//! What a plan must keep, each law by name; all that is broken is told at once, with the way from the root.

use crate::puppet::{Log, Puppet, puppet};
use boxstep_kernel::runner::{
    Action, Behavior, Control, Delegates, Law, Plan, Progress, RootPolicy, Settings, outline,
};
use boxstep_types::Value;
use std::sync::Arc;

fn told(puppets: Vec<Puppet>, settings: Settings) -> Vec<String> {
    broken(puppets, settings).iter().map(ToString::to_string).collect()
}

fn broken(puppets: Vec<Puppet>, settings: Settings) -> Vec<Law> {
    let mut plan = Plan::new();
    for puppet in puppets {
        puppet.add_to(&mut plan, &Log::default());
    }
    plan.build(settings).err().unwrap_or_default()
}

fn root() -> Settings {
    Settings::new("R")
}

#[test]
fn a_sound_plan_breaks_none() {
    let all = vec![puppet("R", &["A", "B"]), puppet("A", &["S"]), puppet("B", &["S"]), puppet("S", &[])];
    assert!(told(all, root()).is_empty());
}

#[test]
fn unknown_id() {
    let all = vec![puppet("R", &["A"]), puppet("A", &["B"])];
    assert_eq!(told(all, root()), ["R → A: its delegate B does not exist"]);
}

#[test]
fn duplicate_id() {
    let all = vec![puppet("R", &["A"]), puppet("A", &["B"]), puppet("B", &[]), puppet("B", &[])];
    assert_eq!(told(all, root()), ["R → A → B: another behavior has the same name"]);
}

#[test]
fn undeclared_delegate() {
    let all = vec![puppet("R", &["A"]).together(&["A", "B"]), puppet("A", &["B"]), puppet("B", &[])];
    assert_eq!(told(all, root()), ["R: B, which it runs side by side with others, is not one of its delegates"]);
}

#[test]
fn a_behavior_that_is_its_own_descendant() {
    let all = vec![puppet("R", &["A"]), puppet("A", &["B"]), puppet("B", &["C"]), puppet("C", &["A"])];
    assert_eq!(told(all, root()), ["R → A → B → C → A: a behavior is its own descendant"]);
    assert_eq!(told(vec![puppet("R", &["R"])], root()), ["R → R: a behavior is its own descendant"]);
}

#[test]
fn a_way_leads_to_everybody() {
    let all = vec![puppet("R", &[]), puppet("A", &["B"]), puppet("B", &[])];
    assert_eq!(told(all, root()), ["A: not reachable from the root", "B: not reachable from the root"]);
}

#[test]
fn two_parallel_children_that_lock_one_resource() {
    let p = puppet("P", &["A", "B", "C"]).together(&["A", "B"]);
    let all = vec![
        puppet("R", &["P"]),
        p,
        puppet("A", &[]).locks(&["Head", "Legs"]),
        puppet("B", &[]).locks(&["Legs"]),
        puppet("C", &[]).locks(&["Legs"]),
    ];
    assert_eq!(told(all, root()), ["R → P: A and B run side by side and both lock Legs"]);
}

#[test]
fn a_root_that_does_not_exist() {
    let settings = Settings { at_end: RootPolicy::Idle("I".into()), safe: Some("S".into()), ..Settings::new("X") };
    let expected = ["root behavior X", "idle behavior I", "safe behavior S"].map(|w| format!("the {w} does not exist"));
    assert_eq!(told(vec![puppet("R", &[])], settings), expected);
}

#[test]
fn a_root_of_the_wrong_kind() {
    struct Nothing;
    impl Action for Nothing {
        fn start(&mut self, _: &mut Control<'_>, _: &Value) {}
        fn poll(&mut self, _: &mut Control<'_>) -> Progress {
            Progress::Running
        }
    }
    let mut plan = Plan::new();
    plan.action("R", Nothing);
    let law = Law::PlainRoot { what: "root", name: "R".into() };
    assert_eq!(plan.build(root()).err().unwrap(), [law]);
}

#[test]
fn too_deep() {
    let all = vec![puppet("R", &["B", "A"]), puppet("A", &["B"]), puppet("B", &["C"]), puppet("C", &[])];
    let settings = Settings { max_depth: 3, ..root() };
    assert_eq!(told(all, settings), ["R → A → B → C: more than 3 behaviors in a row"]);
}

#[test]
fn hooks_of_the_deepest_chain_that_is_allowed_fit_into_the_stack_of_a_small_thread() {
    let name = |n: usize| -> &'static str { Box::leak(format!("b{n}").into_boxed_str()) };
    let run = move || {
        let settings = Settings::new("b0");
        let last = settings.max_depth - 1;
        let mut plan = Plan::new();
        for n in 0..=last {
            let next = name(n + 1);
            let delegates: &'static [&'static str] = if n < last { Box::leak(Box::new([next])) } else { &[] };
            puppet(name(n), delegates).offers(delegates).add_to(&mut plan, &Log::default());
        }
        let mut runner = plan.build(settings).unwrap();
        runner.tick(boxstep_types::Time::ZERO);
        let active = runner.active().len();
        runner.stop();
        (active, last + 1)
    };
    let (active, deep) = std::thread::Builder::new().stack_size(1 << 20).spawn(run).unwrap().join().unwrap();
    assert_eq!(active, deep);
}

#[test]
fn all_that_is_broken_is_told_at_once() {
    let all =
        vec![puppet("R", &["A", "X"]).together(&["B"]), puppet("A", &["R"]), puppet("A", &[]), puppet("Alone", &["Y"])];
    let expected = [
        "R → A: another behavior has the same name",
        "R: its delegate X does not exist",
        "Alone: its delegate Y does not exist",
        "R: B, which it runs side by side with others, is not one of its delegates",
        "Alone: not reachable from the root",
        "R → A → R: a behavior is its own descendant",
    ];
    assert_eq!(told(all, root()), expected);
}

#[test]
fn a_delegate_declared_twice_is_one() {
    let mut plan = Plan::new();
    let log = Log::default();
    puppet("R", &["A", "A"]).add_to(&mut plan, &log);
    puppet("A", &[]).add_to(&mut plan, &log);
    let runner = plan.build(root()).unwrap();
    assert_eq!(runner.delegates(runner.find("R").unwrap()).len(), 1);
}

struct Says(Delegates);

impl Behavior for Says {
    fn all_delegates(&self, all: &mut Delegates) {
        *all = self.0.clone();
    }
}

#[test]
fn what_a_plan_would_break_is_known_before_anything_of_it_is_made() {
    let says = |delegates: &[&str], together: &[&str], locks: &[&str]| {
        let mut all = Delegates::default();
        delegates.iter().for_each(|name| _ = all.add(*name));
        all.together(together.iter().copied());
        locks.iter().for_each(|name| _ = all.lock(*name));
        all
    };
    let sound =
        vec![("R", says(&["A", "B", "A"], &[], &[])), ("A", says(&["B"], &[], &["arms"])), ("B", says(&[], &[], &[]))];
    let wrong = vec![
        ("R", says(&["A", "B"], &["A", "B", "C"], &[])),
        ("A", says(&["A", "D"], &[], &["arms"])),
        ("B", says(&[], &[], &["arms"])),
        ("B", says(&[], &[], &[])),
        ("C", says(&[], &[], &[])),
    ];
    let rootless = vec![("A", says(&["Z"], &[], &[]))];
    for (all, count) in [(sound, 0), (wrong, 6), (rootless, 1)] {
        let (names, declared): (Vec<Arc<str>>, Vec<Delegates>) = all.into_iter().map(|(n, d)| (n.into(), d)).unzip();
        let (by_name, broken) = outline(&names, &declared, &root());
        assert_eq!(broken.len(), count, "{broken:?}");
        let mut plan = Plan::new();
        let ids: Vec<_> = names.iter().zip(declared).map(|(name, all)| plan.add(name.clone(), Says(all))).collect();
        assert_eq!(plan.build(root()).err().unwrap_or_default(), broken);
        for name in &names {
            let first = names.iter().position(|other| other == name).unwrap();
            assert_eq!(by_name[name], ids[first]);
        }
    }
}
