//! Show files: YAML, as people write it, read to a [`Show`].

use crate::show::{CharacterPart, Cue, Lost, MOST_PARTS, MOST_ROBOTS, Package, Part, Play, Role, Scene, Show, Signal};
use boxstep_types::{BoxPath, Code, Diagnostic, FileId, Span, meant};
use indexmap::IndexMap;
use serde::Deserialize;
use serde_saphyr::{Location, Spanned};

/// The text is not YAML, or has a key or value that a show does not have.
pub const NOT_READABLE: Code = Code::new(930, "show-not-readable");
/// A show names something that it does not have, or that cannot be played.
pub const NOT_PLAYABLE: Code = Code::new(931, "show-not-playable");

/// The codes of this crate, each with its description.
pub const CODES: &[(Code, &str)] = &[
    (NOT_READABLE, "The text is not YAML, or has a key or value that a show does not have."),
    (NOT_PLAYABLE, "A show names something that it does not have, or that cannot be played."),
];

/// The largest show file, in bytes.
const MOST_BYTES: usize = 4 << 20;
/// How long a robot goes on without the leader, if the show does not say it.
const ALONE: f64 = 30.0;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    show: String,
    robots: IndexMap<String, Option<WrittenRole>>,
    #[serde(default)]
    groups: IndexMap<String, Vec<Spanned<String>>>,
    #[serde(default)]
    lost: Lost,
    #[serde(default)]
    alone: Option<Spanned<f64>>,
    #[serde(default)]
    posture: Option<Spanned<String>>,
    scenes: Vec<Spanned<WrittenScene>>,
    #[serde(default)]
    cues: Vec<Spanned<WrittenCue>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenRole {
    #[serde(default)]
    body: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenScene {
    name: String,
    #[serde(default)]
    play: IndexMap<String, Spanned<WrittenPlay>>,
    #[serde(default)]
    sound: IndexMap<String, Spanned<String>>,
    #[serde(default)]
    at: Option<f64>,
    #[serde(default)]
    at_most: Option<f64>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum WrittenPlay {
    File(String),
    Behavior(WrittenBehavior),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenBehavior {
    file: String,
    behavior: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCue {
    from: Spanned<String>,
    #[serde(default)]
    output: Option<Spanned<String>>,
    #[serde(default)]
    event: Option<String>,
    to: Spanned<OneOrMore>,
    #[serde(default)]
    input: Option<Spanned<String>>,
    #[serde(default)]
    raise: Option<String>,
    #[serde(default)]
    after: f64,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

/// A file that a show wants.
pub enum Wanted<'a> {
    /// A behavior.
    Behavior {
        /// The file as the show names it.
        file: &'a str,
        /// Which of its behaviors; `None` if it has but one.
        behavior: Option<&'a str>,
        /// The robot that plays it.
        robot: &'a Role,
    },
    /// A sound.
    Sound {
        /// The file as the show names it.
        file: &'a str,
    },
}

/// What a show wants of the files that it names.
pub trait Packer {
    /// Packs a file, once for each robot that needs it.
    ///
    /// # Errors
    /// Why it cannot be played.
    fn pack(&mut self, wanted: &Wanted<'_>) -> Result<Packed, String>;

    /// Checks that one of the behaviors that were packed for a robot has a box with this input or output.
    ///
    /// # Errors
    /// Why none has it.
    fn check_port(&self, robot: &Role, path: &BoxPath, port: &str) -> Result<(), String>;

    /// Checks that a robot can do what a character, which was packed, wants of it.
    ///
    /// # Errors
    /// Why it cannot.
    fn check_guest(&mut self, file: &str, robot: &Role) -> Result<(), String>;

    /// Checks that the body of a robot has a posture, if the body is known.
    ///
    /// # Errors
    /// That it has none of this name.
    fn check_posture(&self, robot: &Role, posture: &str) -> Result<(), String>;
}

/// A file that is ready to be sent.
pub struct Packed {
    /// The archive, or the sound.
    pub package: Package,
    /// Of a behavior, the name by which robots know it; of a character, its file in the package.
    pub behavior: String,
    /// Of a character, the other robots that it names, each once.
    pub character: Option<Vec<String>>,
}

/// A show file that could be read.
pub struct ShowFile {
    written: Written,
    file: FileId,
}

impl ShowFile {
    /// Reads the text of a show file. `file` is its number in the sources of messages.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn read(text: &str, file: FileId) -> Result<Self, Vec<Diagnostic>> {
        let error = |message: String| Diagnostic::error(NOT_READABLE, message);
        if text.len() > MOST_BYTES {
            return Err(vec![error(format!("the file has {} bytes; {MOST_BYTES} are read at most", text.len()))]);
        }
        let mut options = serde_saphyr::Options::default();
        options.with_snippet = false;
        match serde_saphyr::from_str_with_options::<Written>(text, options) {
            Ok(written) => Ok(Self { written, file }),
            Err(why) => {
                let text = why.to_string();
                // The place stands beside the message.
                let words = text.split(" at line ").next().unwrap_or(&text).to_owned();
                let found = error(words);
                Err(vec![match why.location() {
                    Some(at) => found.at(span(at, file)),
                    None => found,
                }])
            }
        }
    }

    /// Makes a show of the file.
    ///
    /// # Errors
    /// Everything that is wrong with it, and where.
    pub fn resolve(&self, packer: &mut dyn Packer) -> Result<Show, Vec<Diagnostic>> {
        Resolver { file: self, packer, packages: Vec::new(), found: Vec::new() }.show()
    }
}

struct Resolver<'a> {
    file: &'a ShowFile,
    packer: &'a mut dyn Packer,
    packages: Vec<Package>,
    found: Vec<Diagnostic>,
}

impl Resolver<'_> {
    fn show(mut self) -> Result<Show, Vec<Diagnostic>> {
        let written = &self.file.written;
        let role = |(name, role): (&String, &Option<WrittenRole>)| Role {
            name: name.clone(),
            body: role.as_ref().and_then(|role| role.body.clone()),
        };
        let robots: Vec<Role> = written.robots.iter().map(role).collect();
        if robots.is_empty() || robots.len() > MOST_ROBOTS {
            self.wrong(None, format!("a show has 1 to {MOST_ROBOTS} robots"));
        }
        if written.scenes.is_empty() || written.scenes.len().max(written.cues.len()) > MOST_PARTS {
            self.wrong(None, format!("a show has 1 to {MOST_PARTS} scenes, and not more cues"));
        }
        for group in written.groups.keys().filter(|group| written.robots.contains_key(*group)) {
            self.wrong(None, format!("a group and a robot are called {group}"));
        }
        let alone = written.alone.as_ref().map_or(ALONE, |alone| alone.value);
        if let Some(at) = written.alone.as_ref().filter(|alone| !is_seconds(alone.value)) {
            self.wrong(Some(at.referenced), "`alone` is a number of seconds".to_owned());
        }
        if let Some(posture) = &written.posture {
            for role in &robots {
                if let Err(why) = self.packer.check_posture(role, &posture.value) {
                    self.wrong(Some(posture.referenced), why);
                }
            }
        }
        let scenes = written.scenes.iter().map(|scene| self.scene(scene, &robots)).collect();
        let cues = written.cues.iter().filter_map(|cue| self.cue(cue, &robots)).collect();
        let show = Show {
            name: written.show.clone(),
            robots,
            packages: self.packages,
            scenes,
            cues,
            lost: written.lost,
            alone,
            posture: written.posture.as_ref().map(|posture| posture.value.clone()),
        };
        if self.found.is_empty() { Ok(show) } else { Err(self.found) }
    }

    fn wrong(&mut self, at: Option<Location>, message: String) {
        let found = Diagnostic::error(NOT_PLAYABLE, message);
        self.found.push(match at {
            Some(at) => found.at(span(at, self.file.file)),
            None => found,
        });
    }

    /// Returns the robots of a name: a robot, or a group.
    fn robots(&mut self, name: &str, at: Location) -> Vec<usize> {
        let written = &self.file.written;
        if let Some(robot) = written.robots.get_index_of(name) {
            return vec![robot];
        }
        let Some(group) = written.groups.get(name) else {
            let names = written.robots.keys().chain(written.groups.keys());
            let near = meant(name, names.map(String::as_str)).map(|near| format!("; {near}")).unwrap_or_default();
            self.wrong(Some(at), format!("no robot and no group is called {name}{near}"));
            return Vec::new();
        };
        let mut robots = Vec::new();
        for member in group {
            match written.robots.get_index_of(&member.value) {
                Some(robot) => robots.push(robot),
                None => self.wrong(Some(member.referenced), format!("no robot is called {}", member.value)),
            }
        }
        robots
    }

    fn scene(&mut self, scene: &Spanned<WrittenScene>, roles: &[Role]) -> Scene {
        let Spanned { value: written, referenced: at, .. } = scene;
        let (mut parts, mut guests): (IndexMap<usize, Part>, _) = (IndexMap::new(), Vec::new());
        if [written.at, written.at_most].into_iter().flatten().any(|s| !is_seconds(s)) {
            self.wrong(Some(*at), "`at` and `at_most` are numbers of seconds".to_owned());
        }
        for (name, play) in &written.play {
            for robot in self.robots(name, play.referenced) {
                let (file, behavior) = match &play.value {
                    WrittenPlay::File(file) => (file.as_str(), None),
                    WrittenPlay::Behavior(of) => (of.file.as_str(), Some(of.behavior.as_str())),
                };
                let wanted = Wanted::Behavior { file, behavior, robot: &roles[robot] };
                let Some((package, behavior, others)) = self.package(&wanted, play.referenced) else { continue };
                let mut part = Part { robot, play: None, sound: None, character: None };
                match others {
                    None => part.play = Some(Play { package, behavior }),
                    Some(names) => {
                        let character = CharacterPart { package, file: behavior, lead: robot };
                        guests.push((character.clone(), names, file, play.referenced));
                        part.character = Some(character);
                    }
                }
                if parts.insert(robot, part).is_some() {
                    self.wrong(
                        Some(play.referenced),
                        format!("{} plays two behaviors in this scene", roles[robot].name),
                    );
                }
            }
        }
        for (character, names, file, at) in guests {
            for name in names {
                self.guest(&mut parts, (&character, &name, file), at, roles);
            }
        }
        for (name, sound) in &written.sound {
            for robot in self.robots(name, sound.referenced) {
                let wanted = Wanted::Sound { file: &sound.value };
                let Some((package, ..)) = self.package(&wanted, sound.referenced) else { continue };
                let silent = Part { robot, play: None, sound: None, character: None };
                parts.entry(robot).or_insert(silent).sound = Some(package);
            }
        }
        if parts.is_empty() && self.found.is_empty() {
            self.wrong(Some(*at), format!("in the scene {} no robot plays anything", written.name));
        }
        let parts = parts.into_values().collect();
        Scene { name: written.name.clone(), parts, at: written.at, at_most: written.at_most }
    }

    /// Gives a robot its part for the character of another one, which names it.
    fn guest(
        &mut self,
        parts: &mut IndexMap<usize, Part>,
        (character, name, file): (&CharacterPart, &str, &str),
        at: Location,
        roles: &[Role],
    ) {
        let lead = &roles[character.lead].name;
        let Some(robot) = roles.iter().position(|role| role.name == name) else {
            let near = meant(name, roles.iter().map(|role| role.name.as_str()));
            let near = near.map(|near| format!("; {near}")).unwrap_or_default();
            return self.wrong(Some(at), format!("{file}: the show has no robot called {name} (`on: {name}`){near}"));
        };
        if robot == character.lead {
            return self
                .wrong(Some(at), format!("{file}: {name} plays it itself, and `on: {name}` is for another robot"));
        }
        if let Some(other) = parts.get(&robot).filter(|part| part.play.is_some() || part.character.is_some()) {
            // One is in control of a robot.
            let what = match &other.character {
                Some(other) if other.lead != robot => format!("acts for {}", roles[other.lead].name),
                _ => "plays a behavior of its own".to_owned(),
            };
            let text =
                format!("{file}: {lead} wants {name} to act for it (`on: {name}`), and {name} {what} in this scene");
            return self.wrong(Some(at), text);
        }
        if let Err(why) = self.packer.check_guest(file, &roles[robot]) {
            self.wrong(Some(at), why);
        }
        let idle = Part { robot, play: None, sound: None, character: None };
        parts.entry(robot).or_insert(idle).character = Some(character.clone());
    }

    fn package(&mut self, wanted: &Wanted<'_>, at: Location) -> Option<(usize, String, Option<Vec<String>>)> {
        match self.packer.pack(wanted) {
            Ok(Packed { package, behavior, character }) => {
                let known = self.packages.iter().position(|other| *other == package);
                let index = known.unwrap_or_else(|| {
                    self.packages.push(package);
                    self.packages.len() - 1
                });
                Some((index, behavior, character))
            }
            Err(why) => {
                // Each robot of a group would tell the same.
                let same = |found: &Diagnostic| found.message == why && found.span == Some(span(at, self.file.file));
                if !self.found.iter().any(same) {
                    self.wrong(Some(at), why);
                }
                None
            }
        }
    }

    fn cue(&mut self, cue: &Spanned<WrittenCue>, roles: &[Role]) -> Option<Cue> {
        let Spanned { value: written, referenced: at, .. } = cue;
        let from = self.robots(&written.from.value, written.from.referenced);
        let names = match &written.to.value {
            OneOrMore::One(name) => std::slice::from_ref(name),
            OneOrMore::More(names) => names,
        };
        let mut to: Vec<usize> = names.iter().flat_map(|name| self.robots(name, written.to.referenced)).collect();
        to.sort_unstable();
        to.dedup();
        let of = |robots: &[usize]| robots.iter().filter_map(|robot| roles.get(*robot)).collect::<Vec<_>>();
        let when = self.signal(*at, &of(&from), ("output", &written.output), ("event", &written.event));
        let then = self.signal(*at, &of(&to), ("input", &written.input), ("raise", &written.raise));
        if !is_seconds(written.after) {
            self.wrong(Some(*at), "`after` is a number of seconds".to_owned());
        }
        let &[from] = from.as_slice() else {
            if from.len() > 1 {
                self.wrong(Some(written.from.referenced), "a cue comes from one robot".to_owned());
            }
            return None;
        };
        Some(Cue { from, when: when?, to, then: then?, after: written.after })
    }

    fn signal(
        &mut self,
        at: Location,
        robots: &[&Role],
        (port_key, port): (&str, &Option<Spanned<String>>),
        (event_key, event): (&str, &Option<String>),
    ) -> Option<Signal> {
        match (port, event) {
            (None, Some(key)) => Some(Signal::Event { key: key.clone() }),
            (Some(port), None) => match BoxPath::with_member(&port.value, '.') {
                Ok((path, name)) => {
                    let checked = robots.iter().try_for_each(|robot| self.packer.check_port(robot, &path, &name));
                    if let Err(why) = checked {
                        self.wrong(Some(port.referenced), why);
                    }
                    Some(Signal::Port { path, port: name })
                }
                Err(_) => {
                    let text = format!("`{}` is not a box and its port, as in root/Say.onStopped", port.value);
                    self.wrong(Some(port.referenced), text);
                    None
                }
            },
            _ => {
                self.wrong(Some(at), format!("a cue has either `{port_key}` or `{event_key}`"));
                None
            }
        }
    }
}

fn is_seconds(value: f64) -> bool {
    value.is_finite() && (0.0..=1e6).contains(&value)
}

fn span(at: Location, file: FileId) -> Span {
    let at = at.span();
    let start = at.byte_offset().unwrap_or(at.offset());
    let length = at.byte_len().unwrap_or(at.len());
    Span { file, start: start as u32, end: (start + length) as u32 }
}
