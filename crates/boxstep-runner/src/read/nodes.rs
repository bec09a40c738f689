//! Reads behaviors: those of the file's list, inline ones, and those that patterns make.

use super::fields::Fields;
use super::{MAX_CANDIDATES, MAX_PARALLEL, PathStep, Reader};
use crate::finding::Rule;
use crate::model::{As, Child, Condition, Cooldown, Do, Kind, Machine, Named, Node, State, Strength, Transition};
use crate::schema_table::{COMMON, COOLDOWN, ENTRY, Field, MapSchema, NODES, SECONDS, Shape, TAKES, TRANSITION};
use crate::tree::{Place, Tree, What};
use boxstep_engine::runner::resource_of;
use boxstep_types::{Value, meant};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;

/// The keys of [`ENTRY`] that a child may have at its place.
type Entry = &'static [&'static str];

const TAKEN: &[Field] = &[TAKES];

impl Reader {
    /// Reads a behavior of the file's list, or one that its pattern makes with these values.
    pub(super) fn read_definition(
        &mut self,
        tree: &Tree,
        name: &Arc<str>,
        with: Option<&[(Arc<str>, Tree)]>,
    ) -> Option<()> {
        let mut pattern: BTreeMap<Arc<str>, Tree> = BTreeMap::new();
        if let Some(What::Map(pairs)) = tree.get("takes").map(|takes| &takes.what) {
            pattern.extend(pairs.iter().map(|(key, value)| (key.text.clone(), value.clone())));
        }
        for (key, value) in with.unwrap_or_default() {
            if pattern.contains_key(key) {
                pattern.insert(key.clone(), value.clone());
            } else {
                let help = meant(key, pattern.keys().map(|known| &**known));
                self.add_finding(Rule::UnknownName, value.at, format!("the pattern takes no parameter `{key}`"), help);
            }
        }
        for (key, value) in pattern.iter().filter(|(_, value)| value.what == What::Null) {
            let (message, at) =
                (format!("`{name}` has to be given a value of `{key}`, with `use` and `with`"), value.at);
            self.add_finding(Rule::Missing, at, message, None);
        }
        let before = std::mem::replace(&mut self.pattern, pattern.into_iter().collect::<HashMap<_, _>>());
        match &tree.what {
            // The text is the name of another behavior.
            What::Text(_) => {
                let slot = self.slot();
                if let Some(child) = self.child(tree, name, PathStep::Word("use"), &[]) {
                    let kind = Kind::Pass { child, until: None, fails: false };
                    self.fill(slot, name, tree.at, Common::default(), Vec::new(), kind);
                }
            }
            _ => {
                if let Some(form) = self.form(tree, NODES, "behavior") {
                    self.node(tree, form, name, TAKEN, &[]);
                }
            }
        }
        self.pattern = before;
        Some(())
    }

    /// Reserves an index in the order of behaviors, before the behaviors inside.
    fn slot(&mut self) -> usize {
        self.nodes.push(None);
        self.nodes.len() - 1
    }

    fn fill(&mut self, slot: usize, name: &Arc<str>, at: Place, common: Common, named: Vec<Named>, kind: Kind) {
        let Common { when, claims, silences, timer_at_start, timer_at_end } = common;
        let name = name.clone();
        self.nodes[slot] = Some(Node { name, at, when, claims, silences, timer_at_start, timer_at_end, named, kind });
    }

    /// Reads a map as the behavior of this name, except for the keys for its parent.
    fn node(
        &mut self,
        tree: &Tree,
        form: &'static MapSchema,
        name: &Arc<str>,
        besides: &'static [Field],
        entry: Entry,
    ) {
        let fields = self.fields_of(tree, &[form.fields, COMMON, besides], |key| !entry.contains(&key));
        let slot = self.slot();
        let mut common = self.common(&fields);
        if let Some(mut kind) = self.kind(form, &fields, name, tree) {
            let named = match &kind {
                Kind::Do(Do::Play(..) | Do::Talk(_) | Do::Animation(_)) | Kind::Native(..) | Kind::Script(..) => {
                    let values =
                        fields.values("parameters").into_iter().map(|(name, value)| Named { name, at: value.at });
                    fields.named(form.key()).into_iter().chain(values).collect()
                }
                _ => Vec::new(),
            };
            if let (Kind::Do(what), Some(robot)) = (&kind, fields.named("on")) {
                for claim in &mut common.claims {
                    *claim = resource_of(&robot.name, claim);
                }
                kind = Kind::Do(Do::On(robot, Box::new(what.clone())));
            }
            self.fill(slot, name, tree.at, common, named, kind);
        }
    }

    fn common(&mut self, fields: &Fields) -> Common {
        Common {
            when: self.condition_of(fields, "when"),
            claims: fields.texts("claims"),
            silences: fields.all_named("silences"),
            timer_at_start: fields.text("timer_at_start"),
            timer_at_end: fields.text("timer_at_end"),
        }
    }

    /// Reads a child: a name, or an inline behavior, which is named by its place.
    fn child(&mut self, tree: &Tree, parent: &Arc<str>, label: PathStep, entry: Entry) -> Option<Child> {
        let tree = &*self.resolve(tree)?;
        if let Some(name) = tree.text() {
            self.shared.insert(name.clone());
            return Some(child(name.clone(), tree.at));
        }
        let form = self.form(tree, NODES, "behavior")?;
        self.under(label.clone(), tree.at, |r| {
            // The keys for its parent are read here, and the others with the table of behaviors.
            let What::Map(pairs) = &tree.what else { return None };
            if !pairs.iter().any(|(key, _)| entry.contains(&&*key.text)) {
                return r.read_inline(tree, form, parent, &label, entry);
            }
            let said = r.fields_of(tree, &[ENTRY], |key| entry.contains(&key));
            let mut read = r.read_inline(tree, form, parent, &label, entry)?;
            read.weight = said.number("weight").unwrap_or(1.0);
            read.cooldown = said.get("cooldown").and_then(|tree| r.cooldown(tree));
            Some(read)
        })
    }

    /// Reads an inline behavior.
    fn read_inline(
        &mut self,
        tree: &Tree,
        form: &'static MapSchema,
        parent: &Arc<str>,
        label: &PathStep,
        entry: Entry,
    ) -> Option<Child> {
        let What::Map(pairs) = &tree.what else { return None };
        let is_own = |key: &str| !entry.contains(&key);
        let mut own = pairs.iter().map(|(key, _)| &*key.text).filter(|key| is_own(key));
        if form.key() == "use" && own.all(|key| form.fields.iter().any(|field| field.key == key)) {
            let fields = self.fields_of(tree, &[form.fields], is_own);
            return self.read_reference(&fields, parent, label);
        }
        let own = tree.get("name").and_then(|name| Some((self.resolve(name)?.text()?.clone(), name.at)));
        let name = match own {
            Some((name, at)) if self.good_name(&name, at) => {
                if self.names.insert(name.clone(), at).is_some() {
                    self.add_finding(Rule::Duplicate, at, format!("another behavior is named `{name}`, too"), None);
                    return None;
                }
                name
            }
            _ => {
                let name = self.place_name(parent, label);
                self.names.insert(name.clone(), tree.at);
                name
            }
        };
        self.node(tree, form, &name, &[], entry);
        Some(child(name, tree.at))
    }

    /// Reads a reference by name; with values, a new behavior that the pattern makes.
    fn read_reference(&mut self, fields: &Fields, parent: &Arc<str>, label: &PathStep) -> Option<Child> {
        let named = fields.named("use")?;
        if fields.get("with").is_none() {
            self.shared.insert(named.name.clone());
            return Some(child(named.name, named.at));
        }
        let with = fields.values("with");
        let Some(at) = self.by_name.get(&named.name).copied() else {
            self.report_unknown_behavior(&named);
            return None;
        };
        self.patterns.insert(named.name.clone());
        if self.open.contains(&named.name) {
            let ring: Vec<&str> = self.open.iter().map(|name| &**name).collect();
            let message = format!("a pattern is its own descendant: {} → {}", ring.join(" → "), named.name);
            self.add_finding(Rule::Ring, named.at, message, None);
            return None;
        }
        let (tree, name) = (self.definitions[at].1.tree.clone(), self.place_name(parent, label));
        self.names.insert(name.clone(), named.at);
        self.open.push(named.name.clone());
        self.under(PathStep::Name(named.name), named.at, |r| r.read_definition(&tree, &name, Some(&with)));
        self.open.pop();
        Some(child(name, named.at))
    }

    fn children(&mut self, fields: &Fields, key: &str, name: &Arc<str>, entry: Entry) -> Option<Vec<Child>> {
        let What::List(items) = &fields.get(key)?.what else { return None };
        let mut children = Vec::with_capacity(items.len());
        for (at, item) in items.iter().enumerate() {
            children.extend(self.child(item, name, PathStep::Number(at + 1), entry));
        }
        Some(children)
    }

    fn kind(&mut self, form: &'static MapSchema, fields: &Fields, name: &Arc<str>, tree: &Tree) -> Option<Kind> {
        let key = form.key();
        let shape = form.fields.first().map(|field| field.shape);
        let mut all = Vec::new();
        if let Some(Shape::Children(entry)) = shape {
            all = self.children(fields, key, name, entry)?;
        }
        let one = |r: &mut Self| r.child(fields.get(key)?, name, PathStep::Word(key), &[]);
        let number = |key| fields.number(key).unwrap_or(0.0);
        let bool = |key| fields.bool(key).unwrap_or(false);
        let outcome = |key| match fields.text(key).as_deref() {
            Some("opposite") => Some(As::Opposite),
            Some("done") => Some(As::Done),
            Some("failed") => Some(As::Failed),
            _ => None,
        };
        let value = |key| fields.value(key).unwrap_or_default();
        Some(match key {
            "priority" => Kind::Priority { children: all, interrupt: fields.bool("interrupt").unwrap_or(true) },
            "selector" => Kind::Selector(all),
            "queue" => Kind::Queue(all),
            "random" => Kind::Random(all),
            "sequence" => {
                Kind::Sequence { children: all, resume: bool("resume"), resume_stopped: bool("resume_stopped") }
            }
            "fallback" => Kind::Fallback(all),
            "parallel" => self.parallel(all, fields, tree),
            "repeat" => Kind::Repeat(one(self)?, fields.count("times")),
            "retry" => Kind::Retry(one(self)?, fields.count("times")),
            "pass" => {
                let (child, until) = (one(self)?, self.condition_of(fields, "until"));
                Kind::Pass { child, until, fails: bool("fails") }
            }
            "use" => {
                let child = self.read_reference(fields, name, &PathStep::Word("use"))?;
                Kind::Pass { child, until: None, fails: false }
            }
            "outcome" => Kind::Outcome(one(self)?, outcome("as")?),
            "once" => Kind::Once(one(self)?, outcome("again")),
            "if" => {
                let test = self.condition_of(fields, key)?;
                let then = self.child(fields.get("then")?, name, PathStep::Word("then"), &[])?;
                let otherwise = match fields.get("else") {
                    Some(tree) => Some(self.child(tree, name, PathStep::Word("else"), &[])?),
                    None => None,
                };
                Kind::If { test, then, otherwise, watch: bool("watch") }
            }
            "check" => Kind::Check(self.condition_of(fields, key)?),
            "states" => self.machine(fields, name)?,
            "wait" => Kind::Wait { seconds: fields.number(key)?, jitter: number("jitter"), fails: bool("fails") },
            "play" => {
                let parameters = fields.values("parameters");
                let parameters = parameters.into_iter().map(|(key, tree)| (key, tree.value())).collect();
                Kind::Do(Do::Play(fields.text(key)?, parameters))
            }
            "talk" => self.talk(fields)?,
            "hear" => Kind::Hear(self.pattern(fields, key)?),
            "animation" => Kind::Do(Do::Animation(fields.text(key)?)),
            "say" => Kind::Do(Do::Say(fields.texts(key), fields.bool("animated").unwrap_or(false))),
            "call" => self.call(fields)?,
            "native" => Kind::Native(fields.text(key)?, value("args")),
            "script" => {
                let delegates = self.children(fields, "delegates", name, &[]).unwrap_or_default();
                Kind::Script(fields.text(key)?, value("args"), delegates)
            }
            _ => return None,
        })
    }

    fn parallel(&mut self, children: Vec<Child>, fields: &Fields, tree: &Tree) -> Kind {
        if children.len() > MAX_PARALLEL {
            self.add_finding(Rule::TooMuch, tree.at, format!("more than {MAX_PARALLEL} behaviors side by side"), None);
        }
        let count = children.len() as u32;
        let mut number = |key: &'static str, default| {
            let said = match (fields.count(key), fields.text(key).as_deref()) {
                (Some(n), _) => n,
                (_, Some("all")) => count,
                (_, Some(_)) => 1,
                (None, None) => default,
            };
            if said > count {
                let at = fields.get(key).map_or(tree.at, |tree| tree.at);
                self.add_finding(
                    Rule::WrongType,
                    at,
                    format!("`{key}` is {said}, and there are {count} children"),
                    None,
                );
            }
            said
        };
        let (success, failure) = (number("success", count), number("failure", 1));
        let whole = fields.bool("whole").unwrap_or(false);
        Kind::Parallel { children, success, failure, whole }
    }

    fn talk(&mut self, fields: &Fields) -> Option<Kind> {
        let file = fields.named("talk")?;
        let ending = Path::new(&*file.name).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if !matches!(ending.to_ascii_lowercase().as_str(), "top" | "dlg") {
            let help = Some(format!("`play: {}` plays a behavior", file.name));
            self.add_finding(Rule::WrongType, file.at, "this has to be a topic: a `.top` or `.dlg` file", help);
            return None;
        }
        Some(Kind::Do(Do::Talk(file.name)))
    }

    fn call(&mut self, fields: &Fields) -> Option<Kind> {
        let method = fields.text("call")?;
        let args = match fields.value("args") {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::List(args)) => args.to_vec(),
            Some(one) => vec![one],
        };
        match method.split_once('.') {
            Some((service, method)) if !service.is_empty() && !method.is_empty() => {
                Some(Kind::Do(Do::Call(service.into(), method.into(), args)))
            }
            _ => {
                let at = fields.get("call").map_or(Place::default(), |tree| tree.at);
                self.add_finding(Rule::WrongType, at, "this has to be `Service.method`", None);
                None
            }
        }
    }

    fn cooldown(&mut self, tree: &Tree) -> Option<Cooldown> {
        if let Some(seconds) = tree.number() {
            self.under(PathStep::Word("seconds"), tree.at, |r| r.check_shape(tree, SECONDS))?;
            return Some(Cooldown { seconds, jitter: 0.0, from_start: false, timer: None, reset: false });
        }
        let What::Map(_) = tree.what else {
            self.report_wrong_shape(tree, Shape::Cooldown);
            return None;
        };
        let fields = self.under(PathStep::Word("cooldown"), tree.at, |r| Some(r.fields(tree, &[COOLDOWN])))?;
        Some(Cooldown {
            seconds: fields.number("seconds")?,
            jitter: fields.number("jitter").unwrap_or(0.0),
            from_start: fields.text("from").as_deref() == Some("start"),
            timer: fields.text("timer"),
            reset: fields.bool("reset").unwrap_or(false),
        })
    }

    fn machine(&mut self, fields: &Fields, name: &Arc<str>) -> Option<Kind> {
        let (mut states, mut known) = (Vec::new(), StateIndex::new());
        let What::Map(pairs) = &fields.get("states")?.what else { return None };
        for (key, tree) in &**pairs {
            if !self.good_name(&key.text, key.at) || known.contains_key(&key.text) {
                continue;
            }
            known.insert(key.text.clone(), states.len());
            let child = match tree.what {
                What::Null => None,
                _ => self.child(tree, name, PathStep::Name(key.text.clone()), &[]),
            };
            states.push(State { name: Named { name: key.text.clone(), at: key.at }, child });
        }
        let start = match fields.named("start") {
            Some(named) => self.state(&known, &named)?,
            None => 0,
        };
        let mut transitions = Vec::new();
        if let Some(What::List(items)) = fields.get("transitions").map(|tree| &tree.what) {
            for (at, item) in items.iter().enumerate() {
                let label = PathStep::Part("transitions", at + 1);
                transitions.extend(self.under(label, item.at, |r| r.transition(&known, item)));
            }
        }
        (!states.is_empty()).then_some(Kind::Machine(Machine { states, start, transitions }))
    }

    fn transition(&mut self, states: &StateIndex, tree: &Tree) -> Option<Transition> {
        let tree = self.resolve(tree)?;
        let fields = self.fields(&tree, &[TRANSITION]);
        let any = fields.text("from").as_deref() == Some("any");
        let from: Option<Vec<usize>> = match any {
            true => None,
            false => Some(fields.all_named("from").iter().filter_map(|named| self.state(states, named)).collect()),
        };
        let when = match fields.get("when") {
            Some(_) => self.condition_of(&fields, "when")?,
            None => Condition::Always(true),
        };
        let at = match fields.text("at").as_deref() {
            Some("end") => Strength::End,
            Some("exit") => Strength::Exit,
            _ => Strength::Once,
        };
        let to = self.state(states, &fields.named("to")?)?;
        Some(Transition { from, to, when, at, place: tree.at })
    }

    fn state(&mut self, states: &StateIndex, named: &Named) -> Option<usize> {
        let found = states.get(&named.name).copied();
        if found.is_none() {
            let help = meant(&named.name, states.keys().take(MAX_CANDIDATES).map(|state| &**state));
            self.add_finding(Rule::UnknownName, named.at, format!("there is no state `{}`", named.name), help);
        }
        found
    }
}

/// The indices of states, by name.
type StateIndex = BTreeMap<Arc<str>, usize>;

fn child(name: Arc<str>, at: Place) -> Child {
    Child { to: Named { name, at }, weight: 1.0, cooldown: None }
}

#[derive(Default)]
struct Common {
    when: Option<Condition>,
    claims: Vec<Arc<str>>,
    silences: Vec<Named>,
    timer_at_start: Option<Arc<str>>,
    timer_at_end: Option<Arc<str>>,
}
