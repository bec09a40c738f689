//! `boxstep talk`: a conversation with topics, without a robot.

use crate::args::TalkArgs;
use crate::failure::{Failure, system_message};
use crate::open::{self, rendered};
use crate::topic_errors::topic_errors;
use crate::walk::walk;
use crate::{exit, files, output, terminal, value_parsers};
use anstyle::{AnsiColor, Style};
use boxstep_dialog::codes::UNKNOWN_CONCEPT;
use boxstep_dialog::files::{self as dialog_files, TopicFiles};
use boxstep_dialog::{Conversation, DialogEvent, Known, lint, problems};
use boxstep_types::{Severity, languages, printable, printable_line};
use std::io::{self, BufRead as _, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

const ANSWER: Style = AnsiColor::Blue.on_default();
const NOTE: Style = Style::new().dimmed();
const ALARM: Style = AnsiColor::Yellow.on_default();

/// What can be typed beside sentences.
const COMMANDS: &str = "/event KEY=VALUE, /wait SECONDS, /focus TOPIC, /next, /quit";

/// How many rules are shown that came near.
const NEAR: usize = 4;

/// What a topic may say of the robot; there is none, so they are those of the simulated one.
const ROBOT: [&str; 2] = ["Dialog/RobotName", "Dialog/RobotModel"];

/// The most dialogs of a project that are loaded.
const MOST_DIALOGS: usize = 1_000;

/// Talks until the input ends.
pub(crate) fn run(args: &TalkArgs) -> Result<i32, Failure> {
    let language = args.language.as_deref().map(value_parsers::language).transpose().map_err(Failure::Usage)?;
    let topics = topics(&args.file, language.as_deref())?;
    let language = language.unwrap_or_else(|| spoken(&topics));
    let foreign = nobody_speaks(&topics, &language).or_else(|| stands_in(&topics, &language));
    let unread = topics.iter().flat_map(|files| &files.unread).map(ToString::to_string);
    for text in foreign.into_iter().chain(unread) {
        writeln!(terminal::stderr(), "{ALARM}{}{ALARM:#}", printable_line(&text))?;
    }
    let mut talk = Talk { conversation: Conversation::new(&language, args.seed), trace: args.trace };
    let focused = speaker(&topics, &language).filter(|_| files::is_dialog(&args.file)).map(str::to_owned);
    let names = talk.load(topics)?;
    talk.begin(focused.as_deref());
    let person = io::stdin().is_terminal() && io::stdout().is_terminal();
    let mut out = output::stdout();
    if person {
        let topics = names.join(", ");
        writeln!(out, "{NOTE}{} in {language}; {COMMANDS}, or end with Ctrl-D{NOTE:#}", printable_line(&topics))?;
    }
    for line in lines(person) {
        let line = line.map_err(|why| Failure::Run(format!("cannot read standard input: {}", system_message(&why))))?;
        let taken = match String::from_utf8(line) {
            Ok(line) => talk.take(line.trim(), &mut out),
            Err(_) => Err(Wrong::Line("this line is not text in UTF-8, so nobody hears it".into())),
        };
        match taken {
            Ok(true) => {}
            Ok(false) => break,
            Err(Wrong::Out(why)) => return Err(why.into()),
            Err(Wrong::Line(why)) => writeln!(out, "{ALARM}{}{ALARM:#}", printable_line(&why))?,
        }
        out.flush()?;
    }
    Ok(exit::OK)
}

/// What is wrong with a line.
enum Wrong {
    Line(String),
    Out(io::Error),
}

impl From<io::Error> for Wrong {
    fn from(why: io::Error) -> Self {
        Wrong::Out(why)
    }
}

/// The lines of standard input, with a prompt for people.
fn lines(person: bool) -> impl Iterator<Item = io::Result<Vec<u8>>> {
    let mut input = io::stdin().lock();
    std::iter::from_fn(move || {
        if person {
            let mut out = output::stdout();
            // A closed standard output ends the talk when something is written to it.
            let _ = write!(out, "> ").and_then(|()| out.flush());
        }
        let mut line = Vec::new();
        match input.read_until(b'\n', &mut line) {
            Ok(0) => None,
            Ok(_) => Some(Ok(line)),
            Err(why) => Some(Err(why)),
        }
    })
}

struct Talk {
    conversation: Conversation,
    trace: bool,
}

impl Talk {
    /// Loads and activates the topics; returns their names.
    fn load(&mut self, topics: Vec<TopicFiles>) -> Result<Vec<String>, Failure> {
        let mut errors = String::new();
        let mut names: Vec<String> = Vec::new();
        write!(terminal::stderr(), "{}", warnings(&topics))?;
        for TopicFiles { topic, includes, .. } in topics {
            errors.extend(std::iter::once(&topic).chain(&includes).map(topic_errors));
            if !errors.is_empty() {
                continue;
            }
            // The errors of texts are those above; a file without a name has one of its own.
            let name = self.conversation.add(topic, includes).map_err(|why| Failure::Usage(why.to_string()))?;
            if !names.contains(&name.to_string()) {
                names.push(name.to_string());
            }
        }
        if errors.is_empty() { Ok(names) } else { Err(Failure::Rendered(errors)) }
    }

    /// Prepares the memory, and gives a topic the focus: as in `boxstep play`, it has it from the start.
    fn begin(&mut self, topic: Option<&str>) {
        let Conversation { dialog, world } = &mut self.conversation;
        world.variables.extend(ROBOT.map(|key| (key.to_owned(), "nao".into())));
        if let Some(topic) = topic {
            // It is one of those that are loaded.
            let _ = dialog.set_focus(world, topic);
        }
        world.notes.clear();
    }

    /// Takes a line; returns whether the talk goes on.
    fn take(&mut self, line: &str, out: &mut dyn Write) -> Result<bool, Wrong> {
        if line.is_empty() {
            return Ok(true);
        }
        let Some(command) = line.strip_prefix('/') else {
            let near = if self.trace { self.near(line) } else { Vec::new() };
            self.conversation.hear(line);
            self.tell(out)?;
            for text in near {
                writeln!(out, "{NOTE}  {}{NOTE:#}", printable(&text))?;
            }
            return Ok(true);
        };
        let (word, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
        let rest = rest.trim();
        match word {
            "quit" => return Ok(false),
            "event" if !rest.is_empty() => {
                let (key, value) = rest.split_once('=').unwrap_or((rest, "1"));
                self.conversation.raise(key.trim(), value_parsers::json_or_text(value.trim()));
            }
            "wait" => {
                let time = value_parsers::seconds(rest).map_err(Wrong::Line)?;
                self.conversation.wait(time.as_secs_f64());
            }
            "focus" if !rest.is_empty() => {
                let Conversation { dialog, world } = &mut self.conversation;
                dialog.set_focus(world, rest).map_err(|why| Wrong::Line(why.to_string()))?;
            }
            "next" => {
                let Conversation { dialog, world } = &mut self.conversation;
                dialog.force_output(world);
                self.conversation.settle();
                let is_answer = |note: &DialogEvent| matches!(note, DialogEvent::Answer { .. });
                if !self.conversation.world.notes.iter().any(is_answer) {
                    return Err(Wrong::Line("no topic has a proposal left to say".into()));
                }
            }
            _ => {
                return Err(Wrong::Line(format!("the commands are {COMMANDS}")));
            }
        }
        self.tell(out)?;
        Ok(true)
    }

    /// The rules that come near a sentence that is about to be heard.
    fn near(&mut self, line: &str) -> Vec<String> {
        let Conversation { dialog, world } = &mut self.conversation;
        let near = dialog.explain(world, line, NEAR).into_iter();
        near.map(|near| format!("near: {}: {}", near.rule, near.why)).collect()
    }

    /// Prints what has happened.
    fn tell(&mut self, out: &mut dyn Write) -> io::Result<()> {
        // The rule that matches, its calls, the rules of their results, and what is said.
        let mut notes = std::mem::take(&mut self.conversation.world.notes);
        let follows = |note: &DialogEvent| match note {
            DialogEvent::Answer { .. } => true,
            DialogEvent::Matched { rule, .. } => rule.head.starts_with(['c', 'e']),
            _ => false,
        };
        let first = notes.iter().position(follows).unwrap_or(notes.len());
        let answers = notes.split_off(first);
        self.tell_notes(notes, out)?;
        for call in std::mem::take(&mut self.conversation.world.calls) {
            writeln!(out, "{NOTE}  {}{NOTE:#}", printable_line(&format!("calls {call}")))?;
        }
        for warning in std::mem::take(&mut self.conversation.world.warnings) {
            writeln!(out, "{ALARM}  {}{ALARM:#}", printable_line(&warning))?;
        }
        self.tell_notes(answers, out)
    }

    fn tell_notes(&self, notes: Vec<DialogEvent>, out: &mut dyn Write) -> io::Result<()> {
        for event in notes {
            match &event {
                DialogEvent::Answer { text } => {
                    writeln!(out, "{ANSWER}{}{ANSWER:#}", printable_line(text))?;
                }
                DialogEvent::Heard { .. } => {}
                DialogEvent::NotUnderstood { near, .. } => {
                    writeln!(out, "{ALARM}no rule answers{ALARM:#}")?;
                    for rule in near.iter().filter(|_| !self.trace) {
                        let text = format!("{}: {}", rule.rule, rule.why);
                        writeln!(out, "{NOTE}  {}{NOTE:#}", printable_line(&text))?;
                    }
                }
                DialogEvent::Unsayable { .. } | DialogEvent::Missed { .. } => {
                    writeln!(out, "{ALARM}{}{ALARM:#}", printable_line(&event.to_string()))?;
                }
                DialogEvent::Matched { .. } => writeln!(out, "{NOTE}  {}{NOTE:#}", printable_line(&event.to_string()))?,
                DialogEvent::Variable { .. } | DialogEvent::Scope { .. } | DialogEvent::Focus { .. } if self.trace => {
                    writeln!(out, "{NOTE}  {}{NOTE:#}", printable_line(&event.to_string()))?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// The topics of what the user names.
fn topics(file: &Path, language: Option<&str>) -> Result<Vec<TopicFiles>, Failure> {
    let code = language.and_then(languages::topic_code);
    if files::is_dialog(file) {
        return dialog_files::open_dialog(file, code).map_err(|why| Failure::Usage(why.to_string()));
    }
    let opened = open::project(file)?;
    let mut found = Vec::new();
    let mut topic_files: Vec<PathBuf> = Vec::new();
    let of_kind = |extension: &str| {
        let items = walk(&opened.folder).items.into_iter().map(|item| item.path().to_owned());
        items.filter(|path| path.extension().is_some_and(|e| e == extension)).take(MOST_DIALOGS).collect::<Vec<_>>()
    };
    for dialog in of_kind("dlg") {
        // A dialog that cannot be read is told of; the others can be talked to.
        match dialog_files::open_dialog(&dialog, code) {
            Ok(topics) => {
                topic_files.extend(topics.iter().flat_map(|topic| topic.paths.iter().cloned()));
                found.extend(topics);
            }
            Err(why) => drop(writeln!(terminal::stderr(), "{ALARM}{}{ALARM:#}", printable_line(&why.to_string()))),
        }
    }
    // Topics that no dialog names: those of programs, and of collaborative dialogs.
    for path in of_kind("top") {
        if !topic_files.contains(&path)
            && let Ok(topic) = dialog_files::open_topic(&path)
        {
            found.push(topic);
        }
    }
    if found.is_empty() {
        return Err(Failure::Usage(format!("{} has no topics (.top)", file.display())));
    }
    Ok(found)
}

/// The language to talk in: English if a topic has it, else that of the first topic that has one.
fn spoken(topics: &[TopicFiles]) -> String {
    let of = |files: &TopicFiles| files.topic.language.as_ref().and_then(|word| languages::language_name(&word.text));
    let mut all = topics.iter().filter_map(of);
    let first = topics.iter().find_map(of).unwrap_or("English");
    if all.any(|name| name == "English") { "English" } else { first }.to_owned()
}

/// The first topic that answers in a language.
fn speaker<'t>(topics: &'t [TopicFiles], language: &str) -> Option<&'t str> {
    let code = languages::topic_code(language);
    let speaks = |files: &&TopicFiles| files.code().is_none() || files.code() == code;
    topics.iter().find(speaks).map(|files| files.topic.name())
}

/// Tells that no topic is in a language, and in which they are.
fn nobody_speaks(topics: &[TopicFiles], language: &str) -> Option<String> {
    if speaker(topics, language).is_some() {
        return None;
    }
    let mut others: Vec<&str> = topics.iter().filter_map(|topic| languages::language_name(topic.code()?)).collect();
    others.sort_unstable();
    others.dedup();
    Some(format!("no topic is in {language}, so nobody answers; there are topics in {}", others.join(", ")))
}

/// Tells that topics in another language stand in for those in the language of the talk.
fn stands_in(topics: &[TopicFiles], language: &str) -> Option<String> {
    let topic = topics.iter().find(|files| files.stands_in.is_some())?;
    let own = topic.stands_in.as_deref()?;
    let own = languages::language_name(own).unwrap_or(own);
    Some(format!("the topic {} has no {language}: it answers in {own} instead", topic.topic.name()))
}

/// What is wrong with topics although they can be loaded: as `check` tells it, as far as it changes answers here.
fn warnings(topics: &[TopicFiles]) -> String {
    let mut text = String::new();
    for files in topics {
        let mut known = Known::default();
        let others = topics.iter().filter(|other| !std::ptr::eq(*other, files) && other.code() == files.code());
        others.flat_map(|other| other.includes.iter().chain([&other.topic])).for_each(|topic| known.add(topic));
        files.includes.iter().for_each(|topic| known.add(topic));
        let topic = &files.topic;
        let mut found = problems(topic);
        found.retain(|finding| finding.severity == Severity::Warning);
        let found_by_lint = lint(topic, &known).into_iter();
        found.extend(found_by_lint.filter(|f| f.code == UNKNOWN_CONCEPT && f.severity != Severity::Error));
        text += &rendered(&found, &topic.sources);
    }
    text
}
