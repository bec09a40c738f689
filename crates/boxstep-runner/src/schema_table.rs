//! The keys of a character file: one table, which drives the reader, its suggestions, the published schema and a test
//! of the documentation.
//!
//! A form is a map that one of its keys identifies: `{say: Hello}` is a leaf that says something.

/// The shape of a key's value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shape {
    Bool,
    /// A whole number, at least this.
    Count(i64),
    /// A number in this range, ends included.
    Number(f64, f64),
    Text,
    /// A text, or a list of texts.
    Texts,
    /// Any value.
    Value,
    /// A map of any values.
    Values,
    /// One of these texts.
    Choice(&'static [&'static str]),
    /// One of these texts, or a whole number of at least 1.
    ChoiceOrCount(&'static [&'static str]),
    Child,
    /// A list of at least one child; each may have those keys of [`ENTRY`] that are named here.
    Children(&'static [&'static str]),
    /// A map of names to children.
    States,
    /// A list of transitions.
    Transitions,
    Condition,
    Conditions,
    /// Seconds, or a map of [`COOLDOWN`].
    Cooldown,
    /// `restart`, `stop`, or `{idle: behavior}`.
    AtEnd,
    /// A map of names to behaviors.
    Behaviors,
}

/// A duration in seconds.
pub(crate) const SECONDS: Shape = Shape::Number(0.0, 1e9);

/// A key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    pub(crate) key: &'static str,
    pub(crate) shape: Shape,
    pub(crate) needed: bool,
    pub(crate) doc: &'static str,
}

/// A form of a map. The first field identifies it.
#[derive(Debug)]
pub(crate) struct MapSchema {
    pub(crate) doc: &'static str,
    pub(crate) fields: &'static [Field],
}

impl MapSchema {
    pub(crate) fn key(&self) -> &'static str {
        self.fields.first().map_or("", |field| field.key)
    }
}

const fn needs(key: &'static str, shape: Shape, doc: &'static str) -> Field {
    Field { key, shape, needed: true, doc }
}

const fn may(key: &'static str, shape: Shape, doc: &'static str) -> Field {
    Field { key, shape, needed: false, doc }
}

const ALL: &[&str] = &["cooldown"];
const WEIGHED: &[&str] = &["cooldown", "weight"];
const NONE: &[&str] = &[];

/// The keys of the file.
pub(crate) const CHARACTER: &[Field] = &[
    needs("character", Shape::Text, "The character's name."),
    may("root", Shape::Text, "The behavior that is given control first; `main` if nothing is said."),
    may(
        "at_end",
        Shape::AtEnd,
        "What follows when the root ends: `stop` (if nothing is said), `restart`, or `{idle: behavior}`.",
    ),
    may("safe", Shape::Text, "The behavior that takes over when control has gone round in no time."),
    may("parameters", Shape::Values, "Parameters with their values, which `$name` stands for anywhere."),
    may("scripts", Shape::Texts, "Python files beside this one, with the classes and conditions that it names."),
    needs("behaviors", Shape::Behaviors, "Behaviors by name."),
    may(
        "bindings",
        Shape::Behaviors,
        "More behaviors by name: what slots are bound to, which an importer has left open.",
    ),
];

/// The key of leaves that can act on another robot.
const ON: Field = may("on", Shape::Text, "Another robot of the show, which does it in place of this one.");

/// The keys of each behavior.
pub(crate) const COMMON: &[Field] = &[
    may("name", Shape::Text, "A name, by which others can refer to it, too."),
    may("when", Shape::Condition, "It wants to run only if this is true."),
    may("claims", Shape::Texts, "Resources that nobody else may have while it runs, but its own children."),
    may("silences", Shape::Texts, "Behaviors that do not run while it runs."),
    may("timer_at_start", Shape::Text, "A named timer that begins anew when it is given control."),
    may("timer_at_end", Shape::Text, "A named timer that begins anew when it has lost control."),
];

/// The keys of a child for its parent.
pub(crate) const ENTRY: &[Field] = &[
    may("cooldown", Shape::Cooldown, "How long it is not chosen again."),
    may("weight", Shape::Number(0.0, 1e9), "How likely it is chosen, compared with the others; 1 if nothing is said."),
];

pub(crate) const COOLDOWN: &[Field] = &[
    needs("seconds", SECONDS, "How long."),
    may("jitter", SECONDS, "So much longer or shorter at most, by chance."),
    may(
        "from",
        Shape::Choice(&["start", "end"]),
        "Counted from when it was given control, or has lost it (if nothing is said).",
    ),
    may("timer", Shape::Text, "A named timer that it shares with others; else it has one of its own."),
    may("reset", Shape::Bool, "Forgotten when the parent is given control anew."),
];

pub(crate) const TRANSITION: &[Field] = &[
    needs("from", Shape::Texts, "A state, a list of states, or `any`."),
    needs("to", Shape::Text, "A state."),
    may("when", Shape::Condition, "If this is true, or always."),
    may(
        "at",
        Shape::Choice(&["once", "end", "exit"]),
        "`once`: in the tick in which it is true, whatever runs (if nothing is said). `end`: as soon as the state's behavior has ended, \
         if it has been true since the state was entered. `exit`: if it is true when the state's behavior ends.",
    ),
];

/// An additional key of a behavior in the file's list: it makes the behavior a pattern for behaviors with other values.
pub(crate) const TAKES: Field = may(
    "takes",
    Shape::Values,
    "Parameters, with the values that they have if a reference gives none; `null`: it has to.",
);

const CHILDREN: Shape = Shape::Children(ALL);

/// The forms of behaviors.
pub(crate) const NODES: &[MapSchema] = &[
    MapSchema {
        doc: "The first child that wants to run. Never ends by itself.",
        fields: &[
            needs("priority", CHILDREN, "The children, most important first."),
            may(
                "interrupt",
                Shape::Bool,
                "A more important child takes over from one that runs (if nothing is said: true).",
            ),
        ],
    },
    MapSchema {
        doc: "The first child that wants to run, chosen once; ends as that ends, and fails if none wants to.",
        fields: &[needs("selector", CHILDREN, "The children, most important first.")],
    },
    MapSchema {
        doc: "Each child in order, without those that do not want to run when it is their turn. Failures do not matter.",
        fields: &[needs("queue", CHILDREN, "The children.")],
    },
    MapSchema {
        doc: "One of the children that want to run, by chance; ends as that ends, and fails if none wants to.",
        fields: &[needs("random", Shape::Children(WEIGHED), "The children, each with a weight.")],
    },
    MapSchema {
        doc: "A child again and again. Fails if the child fails or does not want to run.",
        fields: &[
            needs("repeat", Shape::Child, "The child."),
            may("times", Shape::Count(1), "How often; without end if nothing is said."),
        ],
    },
    MapSchema {
        doc: "A child, as it is; may watch.",
        fields: &[
            needs("pass", Shape::Child, "The child."),
            may("until", Shape::Condition, "It ends, with its child, when this is true."),
            may("fails", Shape::Bool, "It has failed when `until` is true, not done."),
        ],
    },
    MapSchema {
        doc: "A child again and again until it is done. A child that does not want to run has failed.",
        fields: &[
            needs("retry", Shape::Child, "The child."),
            may("times", Shape::Count(1), "How often at most, then it fails; without end if nothing is said."),
        ],
    },
    MapSchema {
        doc: "A child whose outcome counts as another one. A child that does not want to run has failed.",
        fields: &[
            needs("outcome", Shape::Child, "The child."),
            needs("as", Shape::Choice(&["opposite", "done", "failed"]), "What its outcome counts as."),
        ],
    },
    MapSchema {
        doc: "A child that runs until it has ended once. Given control again, this ends at once.",
        fields: &[
            needs("once", Shape::Child, "The child."),
            may(
                "again",
                Shape::Choice(&["same", "done", "failed"]),
                "How it ends then: as the child did (if nothing is said), done, or failed.",
            ),
        ],
    },
    MapSchema {
        doc: "One child if a condition is true, another one if not; ends as that child ends.",
        fields: &[
            needs("if", Shape::Condition, "The condition."),
            needs("then", Shape::Child, "The child if it is true."),
            may("else", Shape::Child, "The child if it is not; without, it fails then."),
            may(
                "watch",
                Shape::Bool,
                "The condition is looked at in each tick; when it has changed, the other child takes over.",
            ),
        ],
    },
    MapSchema {
        doc: "Done if a condition is true, failed if not.",
        fields: &[needs("check", Shape::Condition, "The condition.")],
    },
    MapSchema {
        doc: "States with a child each. Done when the child of a state has ended that no transition leads out of.",
        fields: &[
            needs("states", Shape::States, "States by name; `null` for one in which nothing is done."),
            needs(
                "transitions",
                Shape::Transitions,
                "What leads from state to state; those that stand first go first.",
            ),
            may("start", Shape::Text, "The first state; that which stands first if nothing is said."),
        ],
    },
    MapSchema {
        doc: "Each child in order. Fails if one fails or does not want to run.",
        fields: &[
            needs("sequence", Shape::Children(NONE), "The children."),
            may(
                "resume",
                Shape::Bool,
                "After a failure it goes on with the child that failed when it is given control again.",
            ),
            may(
                "resume_stopped",
                Shape::Bool,
                "After it was stopped it goes on with the child that ran when it is given control again.",
            ),
        ],
    },
    MapSchema {
        doc: "One child after the other until one is done. Fails if all do.",
        fields: &[needs("fallback", Shape::Children(NONE), "The children.")],
    },
    MapSchema {
        doc: "All children that want to run, side by side. One that does not want to has failed.",
        fields: &[
            needs("parallel", Shape::Children(NONE), "The children."),
            may(
                "success",
                Shape::ChoiceOrCount(&["all", "any"]),
                "How many have to be done for it to be done: `all` (if nothing is said), `any`, or a number.",
            ),
            may(
                "failure",
                Shape::ChoiceOrCount(&["all", "any"]),
                "How many have to fail for it to fail: `any` (if nothing is said), `all`, or a number.",
            ),
            may("whole", Shape::Bool, "It ends only when all children have ended."),
        ],
    },
    MapSchema {
        doc: "Another behavior of the file. Without `with` it is that very one, shared; with, one of its own.",
        fields: &[needs("use", Shape::Text, "Its name."), may("with", Shape::Values, "Values of its parameters.")],
    },
    MapSchema {
        doc: "Plays a behavior: a file, or one that is installed on the robot.",
        fields: &[
            needs("play", Shape::Text, "The file, beside this one, or the name."),
            may("parameters", Shape::Values, "Its parameters."),
            ON,
        ],
    },
    MapSchema {
        doc: "Talks by a topic until the topic sets `$onStopped`, or something else takes control.",
        fields: &[needs("talk", Shape::Text, "The topic: a `.top` or `.dlg` file, beside this one."), ON],
    },
    MapSchema {
        doc: "Waits until the robot hears a sentence. What the first `_` of the pattern captures is what it ends with.",
        fields: &[needs("hear", Shape::Text, "The pattern, as the input of a rule in QiChat: `my name is _*`.")],
    },
    MapSchema { doc: "Plays an animation.", fields: &[needs("animation", Shape::Text, "Its name."), ON] },
    MapSchema {
        doc: "Says something.",
        fields: &[
            needs("say", Shape::Texts, "What; of several one by chance."),
            may("animated", Shape::Bool, "With gestures."),
            ON,
        ],
    },
    MapSchema {
        doc: "Waits.",
        fields: &[
            needs("wait", SECONDS, "How long, in seconds."),
            may("jitter", SECONDS, "So much longer or shorter at most, by chance."),
            may("fails", Shape::Bool, "It has failed then, not done."),
        ],
    },
    MapSchema {
        doc: "Calls a service of the robot. Its answer is what it ends with.",
        fields: &[
            needs("call", Shape::Text, "`Service.method`."),
            may("args", Shape::Value, "A list of what it is called with."),
            ON,
        ],
    },
    MapSchema {
        doc: "An action written in Rust.",
        fields: &[
            needs("native", Shape::Text, "The name it is bound to."),
            may("args", Shape::Value, "What it is told."),
        ],
    },
    MapSchema {
        doc: "A behavior written in Python.",
        fields: &[
            needs("script", Shape::Text, "Its class."),
            may("args", Shape::Value, "What it is told."),
            may("delegates", Shape::Children(NONE), "Whom it may delegate to."),
        ],
    },
];

/// The keys of comparisons of values.
const COMPARES: [Field; 7] = [
    may("equals", Shape::Value, "It is this."),
    may("not_equals", Shape::Value, "It is there, and not this."),
    may("less", Shape::Number(f64::MIN, f64::MAX), "It is less."),
    may("more", Shape::Number(f64::MIN, f64::MAX), "It is more."),
    may("at_least", Shape::Number(f64::MIN, f64::MAX), "It is not less."),
    may("at_most", Shape::Number(f64::MIN, f64::MAX), "It is not more."),
    may("exists", Shape::Bool, "It is there, or is not."),
];

const fn compared(first: Field) -> [Field; 8] {
    let [a, b, c, d, e, f, g] = COMPARES;
    [first, a, b, c, d, e, f, g]
}

const MEMORY: [Field; 8] = compared(needs("memory", Shape::Text, "The key of the robot's memory."));
const EVENT: [Field; 8] = compared(needs("event", Shape::Text, "The event of the robot's memory."));

/// The forms of conditions; `true` and `false` are conditions, too.
pub(crate) const CONDITIONS: &[MapSchema] = &[
    MapSchema { doc: "All of them are true.", fields: &[needs("all", Shape::Conditions, "The conditions.")] },
    MapSchema { doc: "At least one of them is true.", fields: &[needs("any", Shape::Conditions, "The conditions.")] },
    MapSchema { doc: "It is not true.", fields: &[needs("not", Shape::Condition, "The condition.")] },
    MapSchema {
        doc: "So many seconds have passed since the condition was switched on.",
        fields: &[
            needs("elapsed", SECONDS, "From so many seconds on."),
            may("to", SECONDS, "Until so many have passed."),
        ],
    },
    MapSchema {
        doc: "So many seconds have passed since a named timer began. False if it never did.",
        fields: &[
            needs("timer", Shape::Text, "The timer."),
            may("from", SECONDS, "From so many seconds on."),
            may("to", SECONDS, "Until so many have passed."),
            may("unset", Shape::Bool, "What it is if the timer never began: true or false."),
        ],
    },
    MapSchema {
        doc: "It is true, and was not in the tick before.",
        fields: &[needs("became", Shape::Condition, "The condition.")],
    },
    MapSchema {
        doc: "It is true, and this has not been for so long.",
        fields: &[needs("dedup", Shape::Condition, "The condition."), needs("seconds", SECONDS, "How long.")],
    },
    MapSchema {
        doc: "How a value of the robot's memory compares; without a comparison: that it is true.",
        fields: &MEMORY,
    },
    MapSchema { doc: "An event was raised since the last tick, with a value that compares so.", fields: &EVENT },
    MapSchema {
        doc: "A sentence was heard since the last tick that fits a pattern.",
        fields: &[needs("heard", Shape::Text, "The pattern, as the input of a rule in QiChat: `[hi hello] robot`.")],
    },
    MapSchema { doc: "Nobody has a resource of the robot.", fields: &[needs("free", Shape::Text, "The resource.")] },
    MapSchema {
        doc: "True by chance.",
        fields: &[
            needs("chance", Shape::Number(0.0, 1.0), "How likely: 0 to 1."),
            may("every", SECONDS, "Drawn anew so often; in each tick if nothing is said."),
        ],
    },
    MapSchema {
        doc: "A condition of whoever runs the character.",
        fields: &[needs("custom", Shape::Text, "Its name."), may("args", Shape::Value, "What it is told.")],
    },
];
