//! `show`, `plot`, `diff`, `completions` and `man`, as the program does them.

use crate::common;
use crate::common::{Temp, boxstep, say};
use std::path::Path;
use std::process::Command;

const LAYERS: &str = "examples/timeline-layers";

#[test]
fn show_takes_its_format_from_the_option_or_the_file_name() {
    for (format, begins) in [
        ("tree", "timeline-layers\nbehavior, xar 3"),
        ("dot", "digraph \"root\" {"),
        ("mermaid", "flowchart LR"),
        ("svg", "<svg class=\"bx\""),
        ("html", "<!DOCTYPE html>"),
        ("json", "{\n  \"schema\": 1,"),
    ] {
        let shown = say(&["show", LAYERS, "--format", format]).code(0).out;
        assert!(shown.starts_with(begins), "{format}: {}", &shown[..80.min(shown.len())]);
    }
    for (ending, begins) in
        [("gv", "digraph"), ("mmd", "flowchart"), ("svg", "<svg"), ("htm", "<!DOCTYPE"), ("json", "{")]
    {
        let file = Temp::new(ending);
        say(&["show", LAYERS, "-o", file.0.to_str().unwrap()]).code(0);
        assert!(std::fs::read_to_string(&file.0).unwrap().starts_with(begins), "{ending}");
    }
    let odd = Temp::new("png");
    let said = say(&["show", LAYERS, "-o", odd.0.to_str().unwrap()]).code(2);
    assert!(said.err.contains("use one of .txt, .dot") && !odd.0.exists(), "{}", said.err);
}

#[test]
fn show_writes_over_a_file_only_if_told_to() {
    let file = Temp::new("svg");
    let name = file.0.to_str().unwrap();
    std::fs::write(&file.0, "mine").unwrap();
    let said = say(&["show", LAYERS, "-o", name]).code(2);
    assert!(said.err.contains("it is there already; replace it with --force"), "{}", said.err);
    assert_eq!(std::fs::read_to_string(&file.0).unwrap(), "mine");
    say(&["show", LAYERS, "-o", name, "--force"]).code(0);
    assert!(std::fs::read_to_string(&file.0).unwrap().starts_with("<svg"));
    let nowhere = say(&["show", LAYERS, "-o", "README.md/x.svg"]).code(4);
    assert!(nowhere.err.contains("cannot write README.md/x.svg: "), "{}", nowhere.err);
}

#[test]
fn show_goes_to_the_box_of_a_path() {
    let tree = say(&["show", LAYERS, "--box", "root/Dance/@talk:word/Say"]).code(0).out;
    assert!(tree.starts_with("Say\n├─ in: onLoad"), "{tree}");
    let drawing = say(&["show", LAYERS, "--box", "root/Dance/@talk:word", "--format", "svg"]).code(0).out;
    assert!(drawing.contains(">Say</text>") && !drawing.contains(">Bow</text>"));
    assert!(say(&["show", LAYERS, "--box", "root/Dnace"]).code(2).err.contains("--box: there is no `Dnace` in root"));
}

#[test]
fn plot_draws_curves_for_the_terminal_and_for_files() {
    let text = boxstep(&["plot", LAYERS, "--joint", "HeadYaw"]).env("COLUMNS", "80").output().unwrap();
    let text = common::Said::from(text).code(0).out;
    assert!(text.contains("HeadYaw  -20° … 20°") && text.contains("119.5°") && !text.contains("Shoulder"), "{text}");
    assert!(say(&["plot", LAYERS, "--format", "svg"]).code(0).out.contains("limits of nao"));
    assert!(say(&["plot", LAYERS, "--format", "html", "--body", "pepper"]).code(0).out.contains("limits of pepper"));
    assert!(say(&["plot", "examples/say-and-wait"]).code(2).err.contains("root has no joint curves"));
    let unknown = say(&["plot", LAYERS, "--joint", "LKneePitch"]).code(2);
    assert!(unknown.err.contains("no curve moves `LKneePitch`; there are curves for HeadYaw,"), "{}", unknown.err);
}

#[test]
fn diff_says_what_changed_in_its_exit_code_too() {
    let same = say(&["diff", LAYERS, LAYERS]).code(0);
    assert_eq!(same.out, "");
    let differ = say(&["diff", "examples/hello", "examples/say-and-wait"]).code(1).out;
    assert!(differ.starts_with("--- examples/hello\n+++ examples/say-and-wait\n\nroot\n"), "{differ}");
    assert!(differ.contains("~ box renamed: Say → Say one") && !differ.contains('\u{1b}'), "{differ}");
    assert_eq!(say(&["diff", "-q", "examples/hello", LAYERS]).code(1).out, "");
    assert!(say(&["diff", "examples/hello", LAYERS, "--format", "json"]).code(1).out.contains("\"same\": false"));
    assert!(say(&["diff", "examples/hello", LAYERS, "--format", "html"]).code(1).out.starts_with("<!DOCTYPE html>"));
    say(&["diff", "examples/hello", "examples/nothing"]).code(2);
}

/// A repository with the program as its diff driver, as `docs/guides/diff.md` says.
struct Repository(Temp);

impl Repository {
    /// `None` without git.
    fn new() -> Option<Self> {
        if Command::new("git").arg("--version").output().is_err() {
            eprintln!("skipped: there is no git");
            return None;
        }
        let documented = std::fs::read_to_string(common::root().join("docs/guides/diff.md")).unwrap();
        let attributes = "*.xar diff=boxstep";
        let command = "boxstep diff --git";
        assert!(
            documented.contains(attributes) && documented.contains(command),
            "docs/guides/diff.md says something else"
        );
        let folder = Temp::new("repository");
        std::fs::create_dir(&folder.0).unwrap();
        std::fs::write(folder.0.join(".gitattributes"), attributes).unwrap();
        let it = Self(folder);
        it.git(&["init", "-q"]);
        let program = Path::new(env!("CARGO_BIN_EXE_boxstep")).display().to_string();
        it.git(&["config", "diff.boxstep.command", &command.replace("boxstep", &format!("'{program}'"))]);
        Some(it)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut git = Command::new("git");
        git.current_dir(&self.0.0).args(["-c", "user.name=a", "-c", "user.email=a@b", "-c", "core.pager=cat"]);
        git.args(args).env("GIT_CONFIG_GLOBAL", "/dev/null").env_remove("GIT_PAGER_IN_USE").env_remove("NO_COLOR");
        git
    }

    fn git(&self, args: &[&str]) -> String {
        common::Said::from(self.command(args).output().unwrap()).code(0).out
    }

    fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", "one"]);
    }

    fn at(&self, name: &str) -> std::path::PathBuf {
        self.0.0.join(name)
    }

    fn copy(&self, from: &str, to: &str) {
        std::fs::copy(common::root().join(from).join("behavior.xar"), self.at(to)).unwrap();
    }
}

#[test]
fn diff_is_a_driver_for_git() {
    let Some(repository) = Repository::new() else { return };
    repository.copy("examples/hello", "behavior.xar");
    repository.commit();
    repository.copy("examples/say-and-wait", "behavior.xar");
    let shown = repository.git(&["diff"]);
    assert!(shown.contains("--- a/behavior.xar\n+++ b/behavior.xar\n"), "{shown}");
    assert!(shown.contains("~ box renamed: Say → Say one") && !shown.contains('\u{1b}'), "{shown}");
    // Git's pager shows colours, unless nobody wants any.
    let mut paged = repository.command(&["diff"]);
    assert!(common::Said::from(paged.env("GIT_PAGER_IN_USE", "true").output().unwrap()).out.contains("\u{1b}[31m---"));
    assert!(!common::Said::from(paged.env("NO_COLOR", "1").output().unwrap()).out.contains('\u{1b}'));
    // A file that is new or gone has nothing on the other side.
    std::fs::remove_file(repository.at("behavior.xar")).unwrap();
    let gone = repository.git(&["diff"]);
    assert!(gone.contains("behavior.xar: removed"), "{gone}");
}

#[test]
fn the_driver_tells_what_it_cannot_compare_and_goes_on() {
    let Some(repository) = Repository::new() else { return };
    repository.copy("examples/hello", "a.xar");
    repository.copy("examples/hello", "b.xar");
    repository.commit();
    let text = std::fs::read_to_string(repository.at("a.xar")).unwrap();
    std::fs::write(repository.at("a.xar"), text.replacen("</Box>", "</Bo>", 1)).unwrap();
    repository.copy("examples/say-and-wait", "b.xar");
    let shown = repository.git(&["diff"]);
    assert!(shown.starts_with("a/a.xar → b/a.xar: cannot be compared: "), "{shown}");
    assert_eq!(shown.lines().next().map(|l| l.contains("</Bo>") || l.contains("Bo")), Some(true), "{shown}");
    assert!(shown.contains("\n@@ ") && shown.lines().any(|l| l.starts_with('-') && l.ends_with("</Box>")), "{shown}");
    assert!(shown.contains("+++ b/b.xar\n"), "the next file is compared: {shown}");
}

#[test]
fn the_driver_says_in_a_word_what_is_no_change_of_the_behavior() {
    let Some(repository) = Repository::new() else { return };
    for name in ["layout.xar", "old.xar", "mode.xar"] {
        repository.copy("examples/hello", name);
    }
    let more = |name: &str, text: &str| {
        let old = std::fs::read_to_string(repository.at(name)).unwrap();
        std::fs::write(repository.at(name), old + text).unwrap();
    };
    more("old.xar", "\n\n");
    repository.commit();
    more("layout.xar", "\n");
    repository.git(&["mv", "old.xar", "new.xar"]);
    repository.git(&["update-index", "--chmod=+x", "mode.xar"]);
    let shown = repository.git(&["diff", "HEAD", "-M"]);
    assert!(shown.contains("a/layout.xar → b/layout.xar: only the layout changed\n"), "{shown}");
    let staged = repository.git(&["diff", "--cached", "-M"]);
    assert!(staged.contains("a/old.xar → b/new.xar: renamed\n"), "{staged}");
    assert!(staged.contains("a/mode.xar → b/mode.xar: mode 100644 → 100755\n"), "{staged}");
}

/// `boxstep … | head`: the reader has gone before anything is written.
#[test]
fn a_reader_who_has_read_enough_is_no_failure_of_any_command() {
    let closed = |args: &[&str]| {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = boxstep(args).stdout(writer).stderr(std::process::Stdio::piped()).spawn().unwrap();
        common::Said::from(output.wait_with_output().unwrap())
    };
    let hello = "examples/hello/behavior.xar";
    for (args, code) in [
        (vec!["show", LAYERS], 0),
        (vec!["plot", LAYERS], 0),
        (vec!["diff", "examples/hello", LAYERS], 1),
        (vec!["diff", "--git", "x.xar", hello, "0", "100644", "examples/touch/behavior.xar", "0", "100644"], 0),
        (vec!["check", LAYERS, "--notes"], 0),
        (vec!["check", "--explain", "BS0001"], 0),
        (vec!["fmt", "--check", hello], 0),
        (vec!["man"], 0),
        (vec!["test", "examples/hello"], 0),
        (vec!["completions", "bash"], 0),
        (vec!["play", LAYERS, "--virtual", "--scripts", "off"], 0),
    ] {
        let said = closed(&args);
        assert_eq!((said.code, said.err.as_str()), (Some(code), ""), "{args:?}");
    }
}

#[test]
fn completions_and_manual_know_every_command() {
    let commands = ["check", "completions", "diff", "man", "play", "plot", "show"];
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = say(&["completions", shell]).code(0).out;
        assert!(commands.iter().all(|c| script.contains(c)) && script.contains("virtual-time"), "{shell}");
    }
    let manual = say(&["man"]).code(0).out;
    assert!(manual.starts_with(".ie") || manual.starts_with(".TH"), "{}", &manual[..60]);
    assert!(commands.iter().all(|c| manual.contains(&format!("boxstep\\-{c}(1)"))), "{manual}");
    assert!(say(&["man", "diff"]).code(0).out.contains("Exit codes: 0 the same"));
    assert!(say(&["man", "nothing"]).code(2).err.contains("there is no command `nothing`"));
    let folder = Temp::new("man");
    say(&["man", "--all", folder.0.to_str().unwrap()]).code(0);
    assert!(commands.iter().all(|c| folder.0.join(format!("boxstep-{c}.1")).is_file()));
}
