//! `boxstep show character.yaml`

use crate::args::{ShowArgs, ShowFormat};
use crate::character::LoadedCharacter;
use crate::failure::Failure;
use crate::{exit, output};
use boxstep_draw::chart::{self, Chart, Edge, EdgeKind, Node};
use boxstep_engine::runner::RootPolicy;
use boxstep_runner::{Character, Child, Condition, Kind, Machine, Stacks, State};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;

/// How many stacks are tried at most: shared behaviors multiply them.
const MOST_STACKS: usize = 10_000;

/// A transition from any state is drawn from each state, up to this number of states.
const MOST_FROM_ANY: usize = 20;

/// Shows who may give control to whom in a character, or every stack that follows from that.
pub(super) fn show(file: &Path, args: &ShowArgs, format: ShowFormat) -> Result<i32, Failure> {
    let not = [("--box", args.level.is_some()), ("--body", args.body.is_some())];
    if let Some((option, _)) = not.iter().find(|(_, wanted)| *wanted) {
        return Err(Failure::Usage(format!("{option} is for behaviors, and {} is a character", file.display())));
    }
    let character = LoadedCharacter::read(file, &[])?.character;
    if args.stacks {
        return stacks(&character, args, format);
    }
    let chart = chart_of(&character);
    let text = match format {
        ShowFormat::Tree => chart::tree(&chart),
        ShowFormat::Dot => chart::dot(&chart),
        ShowFormat::Mermaid => chart::mermaid(&chart),
        ShowFormat::Svg => chart::svg(&chart),
        ShowFormat::Html => chart::page(&chart),
        ShowFormat::Json => chart::json(&chart),
    };
    output::write(&args.output, &text, format.reader())?;
    Ok(exit::OK)
}

fn stacks(character: &Character, args: &ShowArgs, format: ShowFormat) -> Result<i32, Failure> {
    let stacks = character.stacks(MOST_STACKS);
    let text = match format {
        ShowFormat::Tree => in_words(character, &stacks),
        ShowFormat::Json => in_json(character, &stacks),
        _ => return Err(Failure::Usage("--stacks supports the formats tree and json".to_owned())),
    };
    output::write(&args.output, &text, format.reader())?;
    Ok(if stacks.problems.is_empty() { exit::OK } else { exit::FINDINGS })
}

/// Writes a line for each stack: its last behavior, indented by the depth of the stack.
fn in_words(character: &Character, stacks: &Stacks) -> String {
    let kinds: HashMap<&str, &Kind> = character.behaviors.iter().map(|node| (&*node.name, &node.kind)).collect();
    let mut out = format!("{}\n", character.name);
    for way in &stacks.ways {
        let Some(last) = way.last() else { continue };
        let kind = kinds.get(&**last).map_or("", |kind| kind.word());
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{}{last}: {kind}", "  ".repeat(way.len() - 1));
    }
    let count = stacks.ways.len();
    let more = if stacks.cut { format!("; there are more than {MOST_STACKS}") } else { String::new() };
    let _ = writeln!(out, "{count} stack{}, each activated and taken back{more}", if count == 1 { "" } else { "s" });
    if character.behaviors.iter().any(|node| matches!(node.kind, Kind::Script(..))) {
        let _ = writeln!(out, "no Python was run: what hooks of its classes do is not tried");
    }
    for problem in &stacks.problems {
        let _ = writeln!(out, "problem: {problem}");
    }
    out
}

fn in_json(character: &Character, stacks: &Stacks) -> String {
    let ways: Vec<Vec<&str>> = stacks.ways.iter().map(|way| way.iter().map(|name| &**name).collect()).collect();
    let whole = serde_json::json!({
        "schema": 1,
        "name": &*character.name,
        "stacks": ways,
        "cut": stacks.cut,
        "problems": stacks.problems,
    });
    format!("{whole:#}\n")
}

/// Describes a character as a chart, from which the drawings are made.
pub(crate) fn chart_of(character: &Character) -> Chart {
    let mut chart = Chart { name: character.name.to_string(), ..Chart::default() };
    let numbers: HashMap<&str, usize> =
        character.behaviors.iter().enumerate().map(|(number, node)| (&*node.name, number)).collect();
    for node in &character.behaviors {
        chart.nodes.push(Node {
            name: node.name.to_string(),
            kind: node.kind.word().to_owned(),
            details: node.kind.details(),
            notes: notes(node),
        });
    }
    let mut roots = vec![(Some(&character.root), "root")];
    if let RootPolicy::Idle(name) = &character.at_end {
        roots.push((Some(name), "idle"));
    }
    roots.push((character.safe.as_ref(), "safe"));
    for (name, what) in roots {
        chart.roots.extend(name.and_then(|name| numbers.get(&**name)).map(|number| (*number, what.to_owned())));
    }
    for (number, node) in character.behaviors.iter().enumerate() {
        match &node.kind {
            Kind::Machine(machine) => states(&mut chart, character, &numbers, number, machine),
            kind => {
                for (at, child) in kind.children().into_iter().enumerate() {
                    child_of(&mut chart, character, &numbers, number, child, place(kind, at));
                }
            }
        }
        for silent in &node.silences {
            if let Some(to) = numbers.get(&*silent.name) {
                let label = "silences".to_owned();
                chart.edges.push(Edge { from: number, to: *to, kind: EdgeKind::Silences, label });
            }
        }
    }
    chart
}

fn notes(node: &boxstep_runner::Node) -> Vec<String> {
    let joined = |names: Vec<&str>| names.join(", ");
    let mut notes = Vec::new();
    if !node.claims.is_empty() {
        notes.push(format!("claims {}", joined(node.claims.iter().map(|claim| &**claim).collect())));
    }
    if !node.silences.is_empty() {
        notes.push(format!("silences {}", joined(node.silences.iter().map(|named| &*named.name).collect())));
    }
    notes.extend(node.timer_at_start.iter().map(|timer| format!("begins the timer {timer} at its start")));
    notes.extend(node.timer_at_end.iter().map(|timer| format!("begins the timer {timer} at its end")));
    if let Kind::Machine(machine) = &node.kind {
        let name = |state: usize| machine.states.get(state).map_or("", |state| &*state.name.name);
        for transition in &machine.transitions {
            let from = match &transition.from {
                None => "any".to_owned(),
                Some(from) => joined(from.iter().map(|state| name(*state)).collect()),
            };
            notes.push(format!("{from} → {} {}", name(transition.to), fires(transition)));
        }
    }
    notes
}

/// Returns when a transition fires, such as `at its end, when event Music`.
fn fires(transition: &boxstep_runner::Transition) -> String {
    match &transition.when {
        Condition::Always(true) => transition.at.words().to_owned(),
        when => format!("{}, when {when}", transition.at.words()),
    }
}

/// Returns the position of a child in its parent.
fn place(kind: &Kind, at: usize) -> String {
    match kind {
        Kind::Priority { .. } | Kind::Selector(_) | Kind::Queue(_) | Kind::Sequence { .. } | Kind::Fallback(_) => {
            (at + 1).to_string()
        }
        Kind::Random(children) => {
            let all: f64 = children.iter().map(|child| child.weight).sum();
            let weight = children.get(at).map_or(0.0, |child| child.weight);
            format!("weight {weight} of {all}")
        }
        Kind::If { .. } => if at == 0 { "then" } else { "else" }.to_owned(),
        _ => String::new(),
    }
}

fn child_of(
    chart: &mut Chart,
    character: &Character,
    numbers: &HashMap<&str, usize>,
    from: usize,
    child: &Child,
    place: String,
) {
    let Some(&to) = numbers.get(&*child.to.name) else { return };
    let when = character.behaviors[to].when.as_ref().map(|when| format!("when {when}"));
    let cooldown = child.cooldown.as_ref().map(ToString::to_string);
    let all = [Some(place), when, cooldown].into_iter().flatten().filter(|part| !part.is_empty());
    let label = all.collect::<Vec<_>>().join(", ");
    chart.edges.push(Edge { from, to, kind: EdgeKind::Child, label });
}

/// Adds the states of a machine: what runs in each, and the transitions between them.
fn states(chart: &mut Chart, character: &Character, numbers: &HashMap<&str, usize>, from: usize, machine: &Machine) {
    let mut done_in = Vec::with_capacity(machine.states.len());
    for (at, State { name, child }) in machine.states.iter().enumerate() {
        let first = if at == machine.start { " (first)" } else { "" };
        let place = format!("in {}{first}", name.name);
        match child {
            Some(child) => {
                done_in.push(numbers.get(&*child.to.name).copied());
                child_of(chart, character, numbers, from, child, place);
            }
            None => {
                // Nothing runs in this state; it gets a node nevertheless, so that transitions have an end.
                let to = chart.nodes.len();
                let name = format!("{}/{}", chart.nodes[from].name, name.name);
                chart.nodes.push(Node { name, kind: "nothing".to_owned(), ..Node::default() });
                chart.edges.push(Edge { from, to, kind: EdgeKind::Child, label: place });
                done_in.push(Some(to));
            }
        }
    }
    // With very many states the transitions from any state would be unreadable: the notes list them instead.
    let many = machine.states.len() > MOST_FROM_ANY;
    for transition in machine.transitions.iter().filter(|transition| transition.from.is_some() || !many) {
        let any = || (0..machine.states.len()).filter(|state| *state != transition.to).collect();
        for state in transition.from.clone().unwrap_or_else(any) {
            if let (Some(Some(one)), Some(Some(to))) = (done_in.get(state), done_in.get(transition.to)) {
                let label = fires(transition);
                chart.edges.push(Edge { from: *one, to: *to, kind: EdgeKind::Transition, label });
            }
        }
    }
}
