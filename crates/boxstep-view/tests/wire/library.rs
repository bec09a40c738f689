//! Boxes that pages can add, and the user's own folders.

use super::files::json_at;
use super::*;
use boxstep_edit::{BoxFolder, BoxFolders, EditFinding, EditRequest, EditState};
use boxstep_format::XarFile;
use boxstep_types::BoxPath;
use boxstep_view::Editor;

/// An editor of the behavior of these tests, which changes nothing.
struct Reader(PathBuf);

impl Editor for Reader {
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
        Ok(Arc::new(read_xar("behavior.xar", XAR.as_bytes(), &Limits::default()).unwrap()))
    }

    fn box_folders(&self) -> BoxFolders {
        BoxFolders(vec![BoxFolder { name: "mine".to_owned(), folder: self.0.clone() }])
    }
}

fn edited(folder: &std::path::Path) -> Server {
    let show = Show {
        title: "a run".to_owned(),
        shared: SharedStore::new(TraceStore::new()),
        models: [model("hello")].into_iter().collect(),
        controls: None,
        robot: Robot::of(BodyKind::Nao.body()),
        editor: Some(Arc::new(Reader(folder.to_owned()))),
        texts: None,
    };
    Server::start("127.0.0.1:0".parse().unwrap(), show, Access::default()).unwrap()
}

fn keep(server: &Server, body: &Json) -> (u16, Json) {
    let body = body.to_string();
    let head = format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len());
    let (code, text) = http(server, "POST", "/keep/0", &head, &body);
    (code, serde_json::from_str(text.split_once("\r\n\r\n").unwrap().1).unwrap_or_default())
}

#[test]
fn a_page_that_changes_nothing_has_the_library_and_no_folders() {
    let server = show(TraceStore::new());
    assert_eq!(json_at(&server, "/library")[0]["name"], "Say");
    assert_eq!(json_at(&server, "/boxes"), json!({"boxes": [], "folders": [], "unread": []}));
    assert_eq!(get(&server, "/boxes/text?key=0/Say.xar", "").0, 404);
    assert_eq!(keep(&server, &json!({"box": "root", "folder": 0, "name": "x"})).0, 403);
}

#[test]
fn a_box_is_kept_and_then_offered() {
    let folder = std::env::temp_dir().join(format!("boxstep-view-boxes-{}", std::process::id()));
    let server = edited(&folder);
    let wish = json!({"box": "root/Say <b>", "folder": 0, "name": "Greet"});
    let (code, kept) = keep(&server, &wish);
    assert_eq!((code, &kept["needs"]), (200, &json!([])));
    assert!(kept["file"].as_str().unwrap().ends_with("Greet.xar"), "{kept}");
    let (code, again) = keep(&server, &wish);
    assert_eq!((code, &again["exists"]), (200, &json!(true)));
    assert!(again["refused"].as_str().unwrap().starts_with("there is a box of this name"));
    assert_eq!(keep(&server, &json!({"box": "root/No", "folder": 0, "name": "x"})).1["exists"], Json::Null);
    assert_eq!(keep(&server, &json!({"box": "root", "folder": 0, "name": "x", "other": 1})).0, 422);
    let offered = json_at(&server, "/boxes");
    let one = &offered["boxes"][0];
    assert_eq!((&one["name"], &one["group"], &one["key"]), (&json!("Greet"), &json!("mine"), &json!("0/Greet.xar")));
    assert!(one["icon"].as_str().unwrap().starts_with("<svg"));
    assert_eq!(offered["folders"][0]["name"], "mine");
    assert!(json_at(&server, "/boxes/text?key=0/Greet.xar")["xar"].as_str().unwrap().contains("name=\"Greet\""));
    assert!(json_at(&server, "/boxes/text?key=0/../x.xar")["refused"].is_string());
    std::fs::remove_dir_all(folder).unwrap();
}
