//! Trial runs: a page sees them in place of the run, and goes back.

use super::*;
use boxstep_edit::{BoxFolders, EditFinding, EditRequest, EditState};
use boxstep_format::XarFile;
use boxstep_types::BoxPath;
use boxstep_view::Editor;

/// An editor with a trial run that is there already.
struct Tried(SharedStore);

impl Editor for Tried {
    fn state(&self, _: &str) -> Result<EditState, String> {
        Ok(EditState::default())
    }

    fn perform(&self, _: &str, _: EditRequest) -> Result<EditState, String> {
        Err("not here".to_owned())
    }

    fn copied(&self, _: &str, _: &[BoxPath]) -> Result<String, String> {
        Err("not here".to_owned())
    }

    fn findings(&self, _: &str) -> Result<Vec<EditFinding>, String> {
        Ok(Vec::new())
    }

    fn file(&self, _: &str) -> Result<Arc<XarFile>, String> {
        Err("not here".to_owned())
    }

    fn box_folders(&self) -> BoxFolders {
        BoxFolders::default()
    }

    fn has_trials(&self) -> bool {
        true
    }

    fn trial(&self, behavior: &str) -> Result<SharedStore, String> {
        if behavior == "hello" { Ok(self.0.clone()) } else { Err(format!("{behavior} is another one")) }
    }
}

const TRIAL: &str = r#"{"schema":1,"product":"test"}
{"n":1,"t":0,"cause":0,"path":"root/T","kind":"timeline","command":"play","frame":1}
{"n":2,"t":1500000000,"cause":1,"path":"root/T","kind":"print","text":"tried"}
{"n":3,"t":2000000000,"cause":1,"path":"root/T","kind":"timeline","command":"end","frame":21}
{"reason":"ended","t":2000000000,"events":3}
"#;

fn tried() -> Server {
    let show = Show {
        title: "a run".to_owned(),
        shared: SharedStore::new(TraceStore::read(TRACE).unwrap()),
        models: [model("hello"), model("other")].into_iter().collect(),
        controls: Some(Arc::new(Nothing)),
        robot: Robot::of(BodyKind::Nao.body()),
        editor: Some(Arc::new(Tried(SharedStore::new(TraceStore::read(TRIAL).unwrap())))),
        texts: None,
    };
    Server::start("127.0.0.1:0".parse().unwrap(), show, Access::default()).unwrap()
}

/// Controls that do nothing.
struct Nothing;

impl Controls for Nothing {
    fn command(&self, _: Command) -> Result<(), String> {
        Ok(())
    }

    fn alone(&self, _: &str, _: &str) -> Result<String, String> {
        Err("not here".to_owned())
    }
}

#[test]
fn a_trial_run_is_shown_at_a_frame_and_left() {
    let server = tried();
    let mut page = Client::new(&server);
    assert_eq!(page.next()["trials"], true);
    let run = page.next();
    assert_eq!((&run["live"], run.get("trial")), (&json!(true), None));
    let wish = |model: usize, frame: f64| json!({"do": "trial", "model": model, "path": "root/T", "frame": frame, "fps": 10.0});
    page.ask(&wish(0, 6.0));
    let tried = page.next();
    assert_eq!((&tried["trial"], &tried["t"], &tried["whole"]), (&json!("shows"), &json!(500_000_000), &json!(true)));
    assert_eq!((&tried["live"], &tried["told"], &tried["lines"]), (&json!(false), &json!(0), &json!(1)));
    page.ask(&wish(0, 17.0));
    let later = page.next();
    assert_eq!((&later["t"], &later["told"]), (&json!(1_600_000_000), &json!(1)));
    // What is asked is about the trial run.
    page.ask(&json!({"do": "log", "from": 0, "most": 9}));
    assert_eq!(page.next()["lines"][0]["text"], "tried");
    page.ask(&wish(0, 90.0));
    assert_eq!(page.next()["trial"], "never");
    page.ask(&json!({"do": "seek", "t": 0}));
    let first = page.next();
    assert_eq!((&first["trial"], &first["t"]), (&json!("shows"), &json!(0)));
    page.ask(&wish(1, 6.0));
    assert_eq!(page.next()["why"], "other is another one");
    page.ask(&json!({"do": "live"}));
    let run = page.next();
    assert_eq!(
        (&run["live"], &run["whole"], run.get("trial"), &run["end"]),
        (&json!(true), &json!(true), None, &json!(30))
    );
}

#[test]
fn a_page_that_changes_nothing_has_no_trial_runs() {
    let server = show(TraceStore::read(TRACE).unwrap());
    let mut page = Client::new(&server);
    assert_eq!(page.next()["trials"], false);
    page.next();
    page.ask(&json!({"do": "trial", "model": 0, "path": "root", "frame": 1, "fps": 25}));
    assert_eq!(page.next()["type"], "refused");
}
