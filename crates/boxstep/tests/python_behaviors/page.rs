//! What docs/guides/python-behaviors.md shows plays as it stands there.

use super::*;

/// The blocks of the page: what stands behind the three backticks, and their text.
fn blocks() -> Vec<(String, String)> {
    let page = fs::read_to_string(root().join("docs/guides/python-behaviors.md")).unwrap();
    let (mut all, mut open): (Vec<(String, String)>, bool) = (Vec::new(), false);
    for line in page.lines() {
        match line.strip_prefix("```") {
            Some(_) if open => open = false,
            Some(of) => {
                all.push((of.to_owned(), String::new()));
                open = true;
            }
            None if open => all.last_mut().unwrap().1 += &format!("{line}\n"),
            None => {}
        }
    }
    all
}

fn block(of: &str) -> String {
    blocks().into_iter().find(|(name, _)| name == of).unwrap().1
}

#[test]
fn the_character_of_the_page_plays() {
    if !has_python() {
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python-behaviors").join("page");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("character.yaml"), block("yaml")).unwrap();
    fs::write(folder.join("greeter.py"), block("python greeter.py")).unwrap();
    let trace = both(&folder, 0, &["--event", "Faces=3@2"]);
    let at = |what: &str| trace.iter().position(|e| e["args"][0] == what || e["key"] == what).unwrap();
    assert!(at("Faces") < at("Good day") && at("Good day") < at("Waved"));
    let done = "ended done \"greeted\"".to_owned();
    assert!(happened(&trace, "main/1").contains(&done), "{:?}", happened(&trace, "main/1"));
}

#[test]
fn a_delegating_behavior_sits_inside_a_box() {
    if !has_python() {
        return;
    }
    let ports = xar::ports() + &xar::input(3, "onStop", 3);
    let only = xar::a_box(1, "Rounds", &block("python box"), &ports, "");
    let links = xar::link((0, 2), (1, 2)) + &xar::link((0, 3), (1, 3)) + &xar::link((1, 4), (0, 4));
    let inside = xar::flow(&(only + &links));
    let folder = xar::written("python-behaviors", "box", &xar::behavior(&ports, &inside));
    for more in [&[][..], &["--stimulate", "root:onStop@0.5"]] {
        let [first, second] = HOSTS.map(|host| {
            let trace = Temp::new("jsonl");
            let mut args = vec!["play", folder.to_str().unwrap(), "--virtual-time", "--for", "20"];
            args.extend(["--scripts", host, "--trace", trace.arg()]);
            args.extend(more);
            say(&args).code(0);
            let text = fs::read_to_string(&trace.0).unwrap();
            text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).collect::<Vec<_>>()
        });
        assert_eq!(first[1..], second[1..], "the hosts differ");
        let says = first.iter().any(|e| e["args"][0] == "I go my rounds");
        let moved = first.iter().any(|e| e["key"] == "Moved" || e["args"][0] == "Moved");
        assert_eq!((says, moved), (true, more.is_empty()));
        let end = happened(&first, "Rounds").into_iter().find(|line| line.starts_with("ended")).unwrap();
        assert!(end.starts_with(if more.is_empty() { "ended done" } else { "ended cancelled" }), "{end}");
    }
}
