//! What the program says to people who are new: help, mistakes in paths and names, standard input, a browser.

use crate::common::{Said, Temp, boxstep, fixture, has_python, root, say, with_input, xar};
use std::fs;

const OFF: [&str; 3] = ["--virtual", "--scripts", "off"];

/// Plays without scripts.
fn play(file: &str, more: &[&str]) -> Said {
    say(&[&["play", file], &OFF[..], more].concat())
}

#[test]
fn help_and_manual_have_the_same_groups() {
    let (long, short) = (say(&["--help"]).code(0).out, say(&["-h"]).code(0).out);
    let manual = say(&["man"]).code(0).out;
    for (group, command) in [("Play", "play"), ("Test", "check"), ("Robots", "qi"), ("Convert", "pack")] {
        assert!(long.contains(&format!("\n{group}:\n")) && long.contains(&format!("\n  {command} ")), "{long}");
        // A group may have several lines; those after the first are indented.
        let mut lines = short.lines().skip_while(|line| !line.starts_with(&format!("{group}:")));
        let first = lines.next().unwrap();
        let of_group = lines.take_while(|line| line.starts_with(' ')).fold(first.to_owned(), |all, line| all + line);
        assert!(of_group.contains(command), "{of_group}");
        let section = manual.split(&format!("\n.SS {group}\n")).nth(1).unwrap().split("\n.S").next().unwrap();
        assert!(section.contains(&format!("boxstep\\-{command}(1)")), "{section}");
    }
    assert!(short.lines().count() < 18 && long.lines().count() > 40, "{short}");
    let (short, long) = (say(&["play", "-h"]).code(0).out, say(&["play", "--help"]).code(0).out);
    assert!(short.contains("--event") && !short.contains("--naoqi-numbers"), "{short}");
    assert!(short.contains("Example:\n  boxstep play examples/hello\n"), "{short}");
    assert!(long.contains("--naoqi-numbers") && long.contains("\nScripts:\n"), "{long}");
    assert!(say(&["qi", "-h"]).code(0).out.contains("\nCommands:\n  info"));
}

#[test]
fn a_folder_of_behaviors_lists_them() {
    for command in ["play", "show", "plot"] {
        let said = say(&[command, "examples"]).code(2).err;
        assert!(
            said.contains("error[BS0064]") || said.contains("examples is not a behavior, but a folder with"),
            "{said}"
        );
        assert!(said.contains("examples is not a behavior, but a folder with "), "{said}");
        assert!(said.contains("as in `boxstep play examples/chorus/answer.xar`; `boxstep open examples`"), "{said}");
        assert!(said.contains("examples/hello\n") && !said.contains("examples/hello/behavior.xar"), "{said}");
    }
    let said = say(&["check", "examples"]).code(2).out;
    assert!(said.contains("a folder with ") && said.contains("examples/touch\n"), "{said}");
}

#[test]
fn a_mistake_in_a_path_has_the_same_help_in_every_command() {
    let trace = Temp::new("jsonl");
    play("examples/touch", &["--trace", trace.arg()]).code(0);
    for args in [
        &["play", "examples/helo"][..],
        &["show", "examples/helo"],
        &["plot", "examples/helo"],
        &["check", "examples/helo"],
        &["diff", "examples/helo", "examples/touch"],
        &["convert", "examples/helo", "nowhere.crg"],
        &["migrate", "examples/helo"],
        &["retarget", "examples/helo", "--to", "pepper"],
        &["fmt", "examples/helo"],
        &["test", "examples/helo"],
        &["open", "examples/helo"],
        &["send", "examples/helo", "127.0.0.1"],
        &["why", "examples/helo"],
        &["replay", "examples/helo"],
        &["view", "examples/helo"],
        &["view", trace.arg(), "examples/helo"],
    ] {
        let said = say(args).code(2);
        let all = said.out + &said.err;
        assert!(all.contains("did you mean `examples/hello`?"), "{args:?}: {all}");
    }
    let said = play("examples/hello.xar", &[]).code(2).err;
    assert!(said.contains("did you mean `examples/hello`?"), "{said}");
    let said = play("helo", &[]).code(2).err;
    assert!(said.contains("did you mean `hello`?"), "{said}");
    let said = play("nothing/like/it.xar", &[]).code(2).err;
    assert!(!said.contains("did you mean"), "{said}");
}

#[test]
fn examples_are_played_by_name() {
    let said = say(&["examples"]).code(0).out;
    assert!(said.contains("\nsay-and-wait ") && said.contains("boxstep play hello"), "{said}");
    assert!(play("hello", &[]).code(0).out.contains("timeline end, frame 95"));
    assert!(say(&["test", "hello"]).code(0).out.contains("3 passed, 0 failed"));
    // A change of an installed example is not what anybody means.
    say(&["migrate", "python2", "--write"]).code(2);
}

#[test]
fn a_box_is_named_by_the_end_of_its_path_if_only_one_is_meant() {
    let said = play("examples/hello", &["--box", "Wave"]).code(0);
    assert!(said.out.starts_with("hello: root/Wave alone"), "{}", said.out);
    assert!(say(&["show", "examples/hello", "--box", "Wave"]).code(0).out.contains("Wave"));
    say(&["plot", "examples/hello", "--box", "Wave"]).code(0);

    let two = xar::a_box(1, "Arm", "", &xar::ports(), &xar::flow(&xar::a_box(1, "Wave", "", &xar::ports(), "")));
    let inside = two.clone() + &two.replace("\"Arm\" id=\"1\"", "\"Leg\" id=\"2\"");
    let folder = xar::written("newcomer", "two", &xar::behavior(&xar::ports(), &xar::flow(&inside)));
    let folder = folder.to_str().unwrap();
    let said = play(folder, &["--box", "Wave"]).code(2).err;
    assert!(said.contains("more than one box is meant: root/Arm/Wave, root/Leg/Wave"), "{said}");
    assert!(play(folder, &["--box", "Leg/Wave"]).code(0).out.contains("root/Leg/Wave alone"));

    for (wrong, help) in [
        ("Wav", "there is no box `Wav`; did you mean `root/Wave`?"),
        ("root/wave", "there is no `wave` in root, only root/Say, root/Wave, root/Say bye; did you mean `root/Wave`?"),
        ("root/Arm/Wave", "did you mean `root/Wave`?"),
        ("Nothing", "there is no box `Nothing`: the path of a box begins with `root`, and `boxstep show` lists them"),
    ] {
        for command in ["play", "show", "plot"] {
            let said = say(&[command, "examples/hello", "--box", wrong]).code(2).err;
            assert!(said.contains("--box: ") && said.contains(help), "{command} {wrong}: {said}");
        }
    }
}

#[test]
fn options_that_name_nothing_say_what_there_is() {
    let said = |more: &[&str]| play("examples/hello", more).code(2).err;
    let parameter = said(&["--set", "root/Say/text=x"]);
    assert!(parameter.contains("root/Say has no parameter `text`; did you mean `Text`?"), "{parameter}");
    let parameter = said(&["--set", "root/Say/Loudness=x"]);
    assert!(parameter.contains("has no parameter `Loudness`; it has ") && parameter.contains("Text"), "{parameter}");
    let of = said(&["--set", "root/Sya/Text=x"]);
    assert!(of.contains("did you mean `root/Say`?"), "{of}");
    let input = said(&["--stimulate", "root/Say:onstart@1"]);
    assert!(input.contains("did you mean `onStart`?"), "{input}");
    let language = said(&["--language", "Klingon"]);
    assert!(language.contains("there is no language `Klingon`; there are Arabic, "), "{language}");
    for (option, value, help) in [
        ("--for", "-3", "`-3` is not a number of seconds from 0 on"),
        ("--stop-within", "-1", "`-1` is not a number of seconds from 0 on"),
        ("--patience", "-1", "`-1` is not a number of seconds from 0 on"),
        ("--joints", "-5", "`-5` is not a rate between 0 and 1000 Hz"),
        ("--seed", "-1", "`-1` is not a whole number from 0 on"),
    ] {
        let said = said(&[option, value]);
        assert!(said.contains(help) && said.contains(option), "{said}");
    }
    assert!(say(&["test", "--jobs", "-2"]).code(2).err.contains("`-2` is not a whole number from 1 on"));
}

#[test]
fn a_file_in_place_of_a_command_is_to_be_played() {
    let said = say(&["examples/hello"]).code(2).err;
    assert!(said.contains("is not a command: `boxstep play examples/hello` plays it"), "{said}");
    assert!(say(&["plai"]).code(2).err.contains("'play'"));
}

#[test]
fn view_of_a_behavior_or_folder_names_the_command_for_it() {
    let said = say(&["view", "examples"]).code(2).err;
    assert!(said.contains("`boxstep open examples` shows its behaviors in a browser"), "{said}");
    let said = say(&["view", "examples/hello"]).code(2).err;
    assert!(said.contains("`boxstep play examples/hello --view`"), "{said}");
}

#[test]
fn a_zip_is_an_archive_like_the_others() {
    let (zip, folder, place) = (Temp::new("zip"), Temp::new("d"), Temp::new("d"));
    say(&["pack", "examples/hello", zip.arg()]).code(0);
    assert!(fs::read(&zip.0).unwrap().starts_with(b"PK"));
    assert_eq!(say(&["check", zip.arg()]).code(0).out, "0 errors, 0 warnings in 1 behavior\n");
    assert!(play(zip.arg(), &["--for", "1"]).code(0).out.contains("root/Wave"));
    say(&["unpack", zip.arg(), folder.arg()]).code(0);
    assert_eq!(
        fs::read(folder.0.join("behavior.xar")).unwrap(),
        fs::read(root().join("examples/hello/behavior.xar")).unwrap()
    );

    fs::create_dir(&place.0).unwrap();
    let inside = |name: &str| place.0.join(name).to_str().unwrap().to_owned();
    say(&["convert", zip.arg(), &inside("a.pkg")]).code(0);
    say(&["convert", &inside("a.pkg"), &inside("b.zip")]).code(0);
    assert_eq!(say(&["check", "-r", place.arg()]).out.lines().last(), Some("0 errors, 0 warnings in 2 behaviors"));
    // Any other zip in a folder is none of our business; one that is named is.
    let photos = inside("photos.zip");
    fs::create_dir(inside("photos")).unwrap();
    fs::write(inside("photos/cat.txt"), "a cat").unwrap();
    say(&["pack", &inside("photos"), &photos]).code(0);
    assert_eq!(say(&["check", "-r", place.arg()]).code(0).out, "0 errors, 0 warnings in 2 behaviors\n");
    assert!(say(&["show", &photos]).code(2).err.contains("an archive without .pml, manifest.xml and .xar"));
}

#[test]
fn standard_input_is_a_file_or_an_archive() {
    let text = fs::read(root().join("examples/hello/behavior.xar")).unwrap();
    let said = with_input(&[&["play", "-", "--for", "1"], &OFF[..]].concat(), &text).code(0);
    assert!(said.out.contains(" from <stdin>\n") && said.out.contains("root/Wave"), "{}", said.out);
    assert_eq!(with_input(&["check", "-"], &text).code(0).out, "0 errors, 0 warnings in 1 behavior\n");
    assert!(with_input(&["show", "-"], &text).code(0).out.contains("Say bye"));
    let archive = Temp::new("crg");
    say(&["pack", &fixture("two"), archive.arg()]).code(0);
    let archive = fs::read(&archive.0).unwrap();
    let args = [&["play", "-", "--behavior", "second", "--for", "1"], &OFF[..]].concat();
    assert!(with_input(&args, &archive).code(0).out.contains("two/second from <stdin>"));
    let several = with_input(&[&["play", "-"], &OFF[..]].concat(), &archive).code(2).err;
    assert!(several.contains("<stdin> has several behaviors; choose with --behavior:\n  first"), "{several}");

    let broken = fs::read(root().join(fixture("broken.xar"))).unwrap();
    for command in ["play", "check", "show"] {
        let said = with_input(&[command, "-"], &broken).code(2);
        let all = said.out + &said.err;
        assert!(all.contains("<stdin>:3:") && !all.contains("behavior.xar"), "{command}: {all}");
    }
    let dangling = fs::read(root().join(fixture("dangling.xar"))).unwrap();
    assert!(with_input(&["check", "-"], &dangling).code(1).out.contains("--> <stdin>:"));
    assert!(with_input(&["show", "-"], b"").code(2).err.contains("<stdin>"));
    // As with files, there is a limit, and one byte more is read.
    let long = vec![b' '; boxstep_format::Limits::default().bytes + 1];
    let said = with_input(&["show", "-"], &long).code(2).err;
    assert!(said.contains("<stdin>: too large: more than "), "{said}");
    for args in [&["fmt", "-"][..], &["migrate", "-"]] {
        assert!(with_input(args, &text).code(2).err.contains("standard input cannot be changed"), "{args:?}");
    }
    let watched = with_input(&["play", "-", "--watch", "--scripts", "process"], &text).code(2).err;
    assert!(watched.contains("standard input does not: name the file"), "{watched}");
}

#[test]
fn scripts_of_standard_input_run() {
    if !has_python() {
        return;
    }
    let text = fs::read(root().join("examples/hello/behavior.xar")).unwrap();
    for host in ["native", "process"] {
        let said = with_input(&["play", "-", "--virtual", "--scripts", host], &text).code(0);
        assert!(said.out.contains("says “Hello, I am a robot.”"), "{host}: {}", said.out);
    }
}

#[test]
fn statistics_count_the_findings() {
    let (dangling, broken) = (fixture("dangling.xar"), fixture("broken.xar"));
    let listed = say(&["check", "--format", "json", &dangling]).code(1).out;
    let said = say(&["check", "--statistics", "--notes", &dangling]).code(1).out;
    let counts = said.lines().take_while(|line| !line.is_empty());
    let counts: Vec<usize> = counts.map(|line| line.split_whitespace().next().unwrap().parse().unwrap()).collect();
    assert_eq!(counts.iter().sum::<usize>(), listed.lines().count(), "{said}");
    assert!(counts.is_sorted_by(|a, b| a >= b) && said.contains(" in 1 file\n") && !said.contains("-->"), "{said}");
    assert!(said.lines().last().unwrap().ends_with("in 1 behavior"), "{said}");
    let json = say(&["check", "--statistics", "--format", "json", &dangling, &broken]).code(2).out;
    for line in json.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(line["code"].as_str().unwrap().starts_with("BS") && line["name"].is_string(), "{line}");
        assert!(line["count"].as_u64() >= line["files"].as_u64() && line["files"].as_u64() >= Some(1), "{line}");
    }
    say(&["check", "--statistics", "--format", "sarif", &dangling]).code(2);
}

/// Runs the program on a terminal, and returns everything that appeared there. `done` is Python that gets `line`, what
/// has appeared so far, and ends the program when it has seen enough.
#[cfg(unix)]
fn on_terminal(args: &[&str], done: &str, set: &[(&str, &str)]) -> String {
    let code = format!(
        "import os, pty, signal, sys\n\
         pid, fd = pty.fork()\n\
         if pid == 0: os.execv(sys.argv[1], sys.argv[1:])\n\
         line = ''\n\
         while True:\n    \
             try: more = os.read(fd, 65536)\n    \
             except OSError: break\n    \
             if not more: break\n    \
             line += more.decode('utf-8', 'replace')\n    {done}\n\
         os.waitpid(pid, 0)\n\
         sys.stdout.write(line)\n"
    );
    let program = boxstep(args);
    let mut command = std::process::Command::new("python3");
    command.args(["-c", &code]).arg(program.get_program()).args(program.get_args()).current_dir(root());
    for name in ["CI", "DISPLAY", "WAYLAND_DISPLAY", "NO_COLOR"] {
        command.env_remove(name);
    }
    command.env("TERM", "xterm").envs(set.iter().copied());
    Said::from(command.output().unwrap()).code(0).out
}

#[cfg(unix)]
#[test]
fn long_work_shows_its_progress_on_a_terminal_only() {
    if !has_python() {
        return;
    }
    for args in [["check", "-r", "examples"], ["migrate", "-r", "examples"]] {
        let drawn = on_terminal(&args, "pass", &[]);
        assert!(drawn.contains("/11 ") || drawn.contains("examples/hello"), "{args:?}: {drawn:?}");
        assert!(drawn.contains("\u{1b}["), "{args:?}: {drawn:?}");
        assert!(drawn.contains('█') || drawn.contains('░'), "{args:?}: {drawn:?}");
        let dumb = on_terminal(&args, "pass", &[("TERM", "dumb")]);
        assert!(!dumb.contains('█') && !dumb.contains('░'), "{args:?}: {dumb:?}");
        assert_eq!(say(&args).err, "", "{args:?}");
    }
    let plain = on_terminal(&["check", "-r", "examples"], "pass", &[("NO_COLOR", "1")]);
    assert!(!plain.contains("\u{1b}[3") && !plain.contains("\u{1b}[1m"), "{plain:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn open_shows_the_page_in_the_browser_without_telling_the_token() {
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::PathBuf;
    if !has_python() {
        return;
    }
    let place = Temp::new("d");
    fs::create_dir(&place.0).unwrap();
    let (browser, told): (PathBuf, PathBuf) = (place.0.join("xdg-open"), place.0.join("told"));
    let told_arg = told.to_str().unwrap();
    fs::write(&browser, format!("#!/bin/sh\n{{ echo \"$@\"; cat \"$1\"; }} > {told_arg}.new\nmv {told_arg}.new {told_arg}\nkill -INT $PPID\n"))
        .unwrap();
    fs::set_permissions(&browser, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", place.arg(), std::env::var("PATH").unwrap());
    let display = [("PATH", path.as_str()), ("DISPLAY", ":0")];
    // The browser itself ends the program.
    let shown = on_terminal(&["open", "examples"], "pass", &display);
    let url = shown.split_whitespace().find(|word| word.contains("?token=")).unwrap();
    let url = url.split('\u{1b}').next().unwrap();
    let told_text = fs::read_to_string(&told).unwrap();
    let (args, page) = told_text.split_once('\n').unwrap();
    assert!(!args.contains("token") && args.trim_end().ends_with(".html"), "{args}");
    assert!(page.contains(&format!("url={url}\"")), "{page} {url}");
    assert!(!PathBuf::from(args.trim_end()).exists(), "it is removed at the end");
    fs::remove_file(&told).unwrap();

    let stop = "if 'token=' in line and '\\n' in line: os.kill(pid, signal.SIGINT)";
    let ci = [&display[..], &[("CI", "true")]].concat();
    for (args, set) in [
        (&["open", "examples", "--no-browser"][..], &display[..]),
        (&["open", "examples"], &ci),
        (&["open", "examples"], &display[..1]),
    ] {
        let shown = on_terminal(args, stop, set);
        assert!(shown.contains("?token=") && !told.exists(), "{args:?}: {shown}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn every_process_of_a_run_is_called_boxstep() {
    if !has_python() {
        return;
    }
    let script = "import os\n\
                  class MyClass(GeneratedClass):\n    \
                  def onInput_onStart(self):\n        \
                  for pid in (os.getpid(), os.getppid()):\n            \
                  print('%d called ' % (pid == os.getpid()) + open('/proc/%d/comm' % pid).read().strip())\n        \
                  self.onStopped()\n";
    let links = xar::link((0, 2), (1, 2)) + &xar::link((1, 4), (0, 4));
    let inside = xar::flow(&(xar::a_box(1, "Names", script, &xar::ports(), "") + &links));
    let folder = xar::written("newcomer", "names", &xar::behavior(&xar::ports(), &inside));
    for host in ["native", "process"] {
        let said = say(&["play", folder.to_str().unwrap(), "--virtual", "--scripts", host]).code(0).out;
        assert!(said.contains("1 called boxstep ("), "{host}: {said}");
        // The parent of the helper is the process that watches it; that of the run may be the one that plays the tests.
        assert!(host == "native" || said.contains("0 called boxstep ("), "{said}");
    }
}

#[test]
fn a_topic_is_talked_with_shown_compared_laid_out_and_played() {
    let folder = Temp::new("topic");
    fs::create_dir(&folder.0).unwrap();
    let text =
        "topic: ~greet()\nlanguage: enu\nu:(hello) Hi! Who are you?\nu1:(_*) Hi $1.   \nu:(bye) see you $onStopped=1\n";
    let (old, new) = (folder.0.join("old.top"), folder.0.join("new.top"));
    fs::write(&old, text).unwrap();
    fs::write(&new, text.replace("see you", "so long")).unwrap();
    let (old, new) = (old.to_str().unwrap(), new.to_str().unwrap());
    assert!(say(&["show", old]).code(0).out.contains("│  └─ 4  u1:(_*)  Hi $1."));
    assert_eq!(say(&["diff", old, old]).code(0).out, "");
    assert!(say(&["diff", old, new]).code(1).out.contains("~ 5: u:(bye) see you"));
    assert!(say(&["fmt", "--check", old]).code(1).out.contains("would change"));
    say(&["fmt", old]).code(0);
    assert!(fs::read_to_string(old).unwrap().contains("\n    u1:(_*) Hi $1.\n"));
    let played =
        say(&["play", new, "--virtual-time", "--must-end", "--hear", "hello", "--hear", "Ann", "--hear", "bye"]);
    let out = played.code(0).out;
    for said in ["“Hi! Who are you?”", "“Hi Ann.”", "“so long”"] {
        assert!(out.contains(said), "{said}: {out}");
    }
    let broken = folder.0.join("broken.top");
    fs::write(&broken, "topic: ~b()\nu:(a [b) c\n").unwrap();
    let broken = broken.to_str().unwrap();
    for command in ["talk", "check"] {
        let told = say(&[command, broken]);
        assert!(format!("{}{}", told.out, told.err).contains("broken.top:2:6"), "{command}: {} {}", told.out, told.err);
    }
}
