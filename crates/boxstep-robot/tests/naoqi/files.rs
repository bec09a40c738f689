//! Files of the behavior that the robot's services request by path.

use super::*;
use boxstep_robot::naoqi::FilesAre;
use std::io::{Read as _, Write as _};
use std::path::PathBuf;

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("boxstep-naoqi-{name}-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("html")).unwrap();
    std::fs::write(folder.join("music.ogg"), "OggS…").unwrap();
    std::fs::write(folder.join("talk.top"), "topic: ~talk()\nlanguage: enu\n").unwrap();
    folder.canonicalize().unwrap()
}

fn with(stand_in: &StandIn, folder: &std::path::Path, files: FilesAre) -> Driven {
    let files = Some(files);
    Driven::new(NaoqiOptions {
        folder: Some(folder.to_owned()),
        files,
        package: "my-app".to_owned(),
        ..options(stand_in)
    })
}

fn fetch(url: &str) -> String {
    let (host, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut stream = std::net::TcpStream::connect(host).unwrap();
    write!(stream, "GET /{path} HTTP/1.1\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn a_sound_of_the_behavior_is_a_web_stream_for_the_robot() {
    let stand_in = StandIn::start().unwrap();
    let folder = folder("sound");
    let mut nao = with(&stand_in, &folder, FilesAre::Served);
    let path = Value::from(folder.join("music.ogg").to_string_lossy().into_owned());
    let id = nao.begin("ALAudioPlayer", "playFile", &[path.clone(), Value::Float(0.5), Value::Float(0.0)]).unwrap();
    assert!(stand_in.until_asked("ALAudioPlayer.playWebStream", 1));
    let (_, args) = stand_in.asked().pop().unwrap();
    assert_eq!(args[1].as_f64(), Some(0.5));
    let answer = fetch(args[0].as_str().unwrap());
    assert!(answer.contains("audio/ogg") && answer.ends_with("OggS…"), "{answer}");
    stand_in.end("ALAudioPlayer.playWebStream");
    assert_eq!(nao.answer(id), Ok(Value::Null));
    let late = nao.begin("ALAudioPlayer", "playFileFromPosition", &[path.clone(), Value::Float(3.0)]).unwrap_err();
    assert!(late.message("a", "b").contains("begins at its beginning"), "{late:?}");
    // In a loop it is played again when it ends, until it is canceled.
    let id = nao.begin("ALAudioPlayer", "playFileInLoop", &[path]).unwrap();
    for times in 2..4 {
        assert!(stand_in.until_asked("ALAudioPlayer.playWebStream", times));
        stand_in.end("ALAudioPlayer.playWebStream");
    }
    nao.cancel(id);
    assert!(stand_in.until_asked("ALAudioPlayer.stopAll", 1));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_topic_is_sent_as_text_and_other_files_are_refused_with_the_reason() {
    let stand_in = StandIn::start().unwrap();
    let folder = folder("other");
    let mut nao = with(&stand_in, &folder, FilesAre::Served);
    let path = |name: &str| Value::from(folder.join(name).to_string_lossy().into_owned());
    assert_eq!(nao.call("ALDialog", "loadTopic", &[path("talk.top")]), Ok(text("talk")));
    let (name, args) = stand_in.asked().pop().unwrap();
    assert_eq!(
        (name.as_str(), args[0].as_str()),
        ("ALDialog.loadTopicContent", Some("topic: ~talk()\nlanguage: enu\n"))
    );
    let here = Value::from(folder.to_string_lossy().into_owned());
    let refused = nao.begin("ALPhotoCapture", "takePicture", &[here, text("image")]).unwrap_err();
    let words = refused.message("ALPhotoCapture", "takePicture");
    assert!(words.contains("lies on this computer") && words.contains("looks for it on nao.local"), "{words}");
    // A path is like any other text where it is only stored.
    nao.call("ALMemory", "insertData", &[text("File"), path("music.ogg")]).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_robot_on_this_computer_finds_files_where_they_are() {
    let stand_in = StandIn::start().unwrap();
    let folder = folder("shared");
    let mut nao = Driven::new(NaoqiOptions { folder: Some(folder.clone()), ..options(&stand_in) });
    let path = Value::from(folder.join("music.ogg").to_string_lossy().into_owned());
    nao.begin("ALAudioPlayer", "playFile", &[path]).unwrap();
    assert!(stand_in.until_asked("ALAudioPlayer.playFile", 1));
    std::fs::remove_dir_all(&folder).unwrap();
}
