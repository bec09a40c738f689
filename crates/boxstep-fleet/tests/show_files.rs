//! Show files: what they mean, and what is wrong with them.

use boxstep_fleet::digest::Digest;
use boxstep_fleet::show::{Lost, Package, Role, Show, Signal};
use boxstep_fleet::show_file::{Packed, Packer, ShowFile, Wanted};
use boxstep_types::{BoxPath, Diagnostic, Sources};

const SHOW: &str = "\
show: Chörus
robots: { soprano: { body: nao }, alto: , bass: }
groups: { choir: [alto, bass] }
lost: hold
scenes:
  - name: Greeting
    play: { soprano: wave.xar, choir: wave.xar }
    at_most: 20
  - name: Song
    play: { soprano: { file: app.pml, behavior: sing } }
    sound: { choir: song.ogg }
    at: 12.5
cues:
  - { from: soprano, output: root/Say.onStopped, to: choir, raise: Clap, after: 0.2 }
";

/// Every file is there but `missing.xar`, and every box but `root/Nobody`.
struct Files;

impl Packer for Files {
    fn pack(&mut self, wanted: &Wanted<'_>) -> Result<Packed, String> {
        let (file, behavior) = match wanted {
            Wanted::Behavior { file, behavior, .. } => (file, behavior.unwrap_or("behavior_1")),
            Wanted::Sound { file } => (file, ""),
        };
        if *file == "missing.xar" {
            return Err("missing.xar: there is no such file".to_owned());
        }
        let package = Package { name: (*file).to_owned(), size: 3, digest: Digest::of(file.as_bytes()) };
        // A character names the robots in the name of its file.
        let character = file.strip_suffix(".yaml").map(|names| names.split('-').map(str::to_owned).collect());
        Ok(Packed { package, behavior: behavior.to_owned(), character })
    }

    fn check_guest(&mut self, file: &str, robot: &Role) -> Result<(), String> {
        match robot.body.as_deref() {
            Some("pepper") => Err(format!("{file}: {} cannot do this", robot.name)),
            _ => Ok(()),
        }
    }

    fn check_port(&self, robot: &Role, path: &BoxPath, _: &str) -> Result<(), String> {
        match path.name() {
            "Nobody" => Err(format!("{} plays nothing with a box {path}", robot.name)),
            _ => Ok(()),
        }
    }

    fn check_posture(&self, robot: &Role, posture: &str) -> Result<(), String> {
        match posture {
            "Crouch" => Ok(()),
            _ => Err(format!("{} has no posture {posture}", robot.name)),
        }
    }
}

fn read(text: &str) -> Result<Show, Vec<Diagnostic>> {
    let file = Sources::new().add("show.yaml", text);
    ShowFile::read(text, file)?.resolve(&mut Files)
}

/// Returns what is wrong, each with the line and column where it is.
fn wrong(text: &str) -> Vec<String> {
    let mut sources = Sources::new();
    let file = sources.add("show.yaml", text);
    let found = match ShowFile::read(text, file) {
        Ok(show) => show.resolve(&mut Files).err().unwrap_or_default(),
        Err(found) => found,
    };
    let line = |found: &Diagnostic| {
        let at = found.span.map(|span| sources.line_col(span.file, span.start));
        at.map_or_else(|| found.message.clone(), |at| format!("{}:{}: {}", at.line, at.col, found.message))
    };
    found.iter().map(line).collect()
}

#[test]
fn a_show_means_what_it_says() {
    let show = read(SHOW).unwrap();
    show.check().unwrap();
    assert_eq!((show.name.as_str(), show.robots.len(), show.lost, show.alone), ("Chörus", 3, Lost::Hold, 30.0));
    let packages: Vec<&str> = show.packages.iter().map(|package| package.name.as_str()).collect();
    assert_eq!(packages, ["wave.xar", "app.pml", "song.ogg"], "each file is there once");
    assert_eq!(show.scenes[0].parts.len(), 3);
    assert_eq!(show.part(1, 0).unwrap().play.as_ref().unwrap().behavior, "sing");
    assert_eq!((show.part(1, 2).unwrap().sound, show.scenes[1].at), (Some(2), Some(12.5)));
    assert_eq!((show.cues[0].from, show.cues[0].to.as_slice(), show.cues[0].after), (0, &[1, 2][..], 0.2));
    assert!(
        matches!(&show.cues[0].when, Signal::Port { path, port } if path.to_string() == "root/Say" && port == "onStopped")
    );
    assert_eq!(show.packages_of(2), [0, 2]);
    // What goes over the wire is the same show.
    assert_eq!(serde_json::from_slice::<Show>(&serde_json::to_vec(&show).unwrap()).unwrap(), show);
}

#[test]
fn what_is_wrong_with_a_show_is_told_with_its_place() {
    let with = |from: &str, to: &str| wrong(&SHOW.replacen(from, to, 1));
    assert_eq!(
        with("soprano: wave.xar", "sopran: wave.xar"),
        ["7:21: no robot and no group is called sopran; did you mean `soprano`?"]
    );
    assert_eq!(with("soprano: wave.xar", "soprano: missing.xar"), ["7:22: missing.xar: there is no such file"]);
    assert_eq!(
        with("choir: wave.xar", "choir: wave.xar, alto: wave.xar"),
        ["7:55: alto plays two behaviors in this scene"]
    );
    assert!(with("[alto, bass]", "[alto, tenor]").contains(&"3:25: no robot is called tenor".to_owned()));
    assert_eq!(
        with("root/Say.onStopped", "root"),
        ["14:30: `root` is not a box and its port, as in root/Say.onStopped"]
    );
    assert_eq!(
        with("root/Say.onStopped", "root/Nobody.onStopped"),
        ["14:30: soprano plays nothing with a box root/Nobody"]
    );
    assert_eq!(with(", raise: Clap", ""), ["14:5: a cue has either `input` or `raise`"]);
    assert_eq!(with("from: soprano", "from: choir"), ["14:13: a cue comes from one robot"]);
    assert_eq!(with("at: 12.5", "at: -1"), ["9:5: `at` and `at_most` are numbers of seconds"]);
    assert_eq!(with("lost: hold", "posture: Crouch"), [] as [&str; 0]);
    assert_eq!(with("lost: hold", "posture: Fly")[0], "4:10: soprano has no posture Fly");
    let unknown = with("lost: hold", "lost: cry");
    assert!(unknown[0].starts_with("4:7: ") && unknown[0].contains("go-on"), "{unknown:?}");
    let unknown = with("scenes:", "scene:");
    assert!(unknown[0].contains("scene"), "{unknown:?}");
    for text in ["", "show: [", "- 1", "\u{0}", "show: &a [*a]"] {
        assert!(!wrong(text).is_empty(), "{text:?}");
    }
}

#[test]
fn a_show_from_the_network_is_checked() {
    let show = read(SHOW).unwrap();
    let bad = |change: &dyn Fn(&mut Show)| {
        let mut show = show.clone();
        change(&mut show);
        show.check().unwrap_err()
    };
    assert_eq!(bad(&|show| show.scenes[0].parts[0].robot = 9), "it names a robot that it does not have");
    assert_eq!(bad(&|show| show.cues[0].to.push(3)), "it names a robot that it does not have");
    assert_eq!(bad(&|show| show.scenes[1].parts[0].sound = Some(7)), "it names a file that it does not have");
    assert_eq!(bad(&|show| show.alone = f64::NAN), "it has a time that is none");
}

#[test]
fn robots_that_a_character_names_act_for_it_and_for_nobody_else() {
    let with = |scene: &str| {
        let robots = "robots: { soprano: , alto: , bass: , giant: { body: pepper } }";
        read(&format!("show: S\n{robots}\nscenes:\n  - name: A\n    {scene}\n"))
    };
    let show = with("play: { soprano: alto-bass.yaml }\n    sound: { alto: song.ogg }").unwrap();
    let part = |robot| show.part(0, robot).unwrap();
    let lead = |robot| part(robot).character.as_ref().map(|character| character.lead);
    assert_eq!((lead(0), lead(1), lead(2)), (Some(0), Some(0), Some(0)));
    assert_eq!([0, 1, 2].map(|robot| part(robot).is_guest()), [false, true, true]);
    assert_eq!((show.packages_of(1).len(), show.packages_of(2).len()), (2, 1), "they have the character's files");
    let wrong = |scene: &str| {
        let found: Vec<String> = with(scene).unwrap_err().iter().map(ToString::to_string).collect();
        found.join("; ")
    };
    let unknown = wrong("play: { soprano: allto.yaml }");
    assert!(unknown.contains("no robot called allto") && unknown.contains("did you mean `alto`"), "{unknown}");
    assert!(wrong("play: { alto: alto.yaml }").contains("is for another robot"));
    let own = wrong("play: { soprano: alto.yaml, alto: wave.xar }");
    assert!(own.contains("soprano wants alto to act for it") && own.contains("a behavior of its own"), "{own}");
    let two = wrong("play: { soprano: bass.yaml, alto: bass.yaml }");
    assert!(two.contains("bass acts for soprano in this scene"), "{two}");
    assert!(wrong("play: { soprano: giant.yaml }").contains("giant cannot do this"));
}
