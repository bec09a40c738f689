//! Pictures in files, and sound for modules.

use crate::harness::{Harness, list, near, s, strings};
use crate::video::in_world;
use boxstep_bodies::BodyKind;
use boxstep_engine::services::{ServiceError, Services as _};
use boxstep_types::Value;

const WORLD: &str = "[[balls]]\nat = [1.0, 0.1, 0.5]\ndiameter = 0.2\n[[sounds]]\ntime = 0.3\nseconds = 0.3\nat = [1, 0, 0.5]\nlevel = 0.5\n";

#[test]
fn pictures_are_files_where_their_folder_exists() {
    let folder = std::env::temp_dir().join(format!("boxstep-photos-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let place = s(folder.to_str().unwrap());
    let mut h = in_world(BodyKind::Nao, WORLD);
    let magic: [(&str, &[u8]); 4] =
        [("png", b"\x89PNG\r\n\x1a\n"), ("jpg", b"\xff\xd8\xff"), ("bmp", b"BM"), ("ppm", b"P6\n320 240\n255\n")];
    for (format, head) in magic {
        h.get("ALPhotoCapture.setPictureFormat", &[s(format)]);
        let files = strings(&h.get("ALPhotoCapture.takePicture", &[place.clone(), s("me")]));
        let bytes = std::fs::read(&files[0]).unwrap();
        assert!(bytes.starts_with(head), "{format}");
        assert!(files[0].ends_with(&format!("me.{format}")));
    }
    let raw = std::fs::read(folder.join("me.ppm")).unwrap();
    assert_eq!(raw.len(), 15 + 320 * 240 * 3);
    let client = h.get("ALVideoDevice.subscribeCamera", &[s("x"), 0.into(), 1.into(), 11.into(), 30.into()]);
    let image = h.get("ALVideoDevice.getImageRemote", &[client]);
    assert_eq!(image.as_list().unwrap()[6], Value::Bytes(raw[15..].into()), "the picture is what the camera sees");
    let again = [place.clone(), s("me"), false.into()];
    assert!(h.why("ALPhotoCapture.takePicture", &again).contains("exists"));
    h.get("ALPhotoCapture.setResolution", &[0.into()]);
    h.get("ALPhotoCapture.setCaptureInterval", &[500.into()]);
    near(h.takes("ALPhotoCapture.takePictures", &[3.into(), place.clone(), s("row")]), 1.0);
    assert_eq!(std::fs::read(folder.join("row_2.ppm")).unwrap().len(), 15 + 160 * 120 * 3);
    // A folder of a robot is not made here.
    let gone = h.get("ALPhotoCapture.takePicture", &[s("/home/nao/no/such"), s("me")]);
    assert_eq!(strings(&gone), ["/home/nao/no/such/me.ppm"]);
    assert!(h.texts("photo").last().unwrap().contains("no file is made: its folder"));
    // A picture replaces a picture, and nothing else.
    h.get("ALPhotoCapture.takePicture", &[place.clone(), s("row_0")]);
    assert!(h.texts("photo").last().unwrap().ends_with("row_0.ppm"));
    std::fs::write(folder.join("mine.ppm"), "a text").unwrap();
    h.get("ALPhotoCapture.takePicture", &[place.clone(), s("mine")]);
    assert!(h.texts("photo").last().unwrap().contains("which is no picture"));
    assert_eq!(std::fs::read(folder.join("mine.ppm")).unwrap(), b"a text");
    let id = h.post("ALPhotoCapture.takePictures", &[3.into(), place, s("part")]);
    h.wait(0.6);
    h.cancel(id);
    h.wait(5.0);
    assert!(folder.join("part_1.ppm").exists() && !folder.join("part_2.ppm").exists());
    std::fs::remove_dir_all(&folder).unwrap();
}

fn loudest(bytes: &[u8]) -> i16 {
    bytes.chunks(2).map(|two| i16::from_le_bytes([two[0], two[1]]).saturating_abs()).max().unwrap_or(0)
}

#[test]
fn a_module_gets_the_sound_of_the_microphones() {
    for body in BodyKind::ALL {
        let mut h = in_world(body, WORLD);
        h.get("ALAudioDevice.setClientPreferences", &[s("Ear"), 16_000.into(), 3.into(), 0.into()]);
        h.get("ALAudioDevice.subscribe", &[s("Ear")]);
        h.wait(1.0);
        let calls: Vec<_> = h.asked.iter().filter(|ask| &*ask.service == "Ear").cloned().collect();
        assert_eq!(calls.len(), 11, "one every 85 ms");
        for call in &calls {
            assert_eq!(&*call.method, "processRemote");
            let Value::Bytes(bytes) = &call.args[3] else { panic!("no bytes") };
            assert_eq!(call.args[..2], [Value::Int(1), Value::Int(1365)]);
            assert_eq!(bytes.len(), 2 * 1365);
        }
        let level = |i: usize| match &calls[i].args[3] {
            Value::Bytes(bytes) => loudest(bytes),
            _ => 0,
        };
        assert!(level(0) == 0 && level(5) > 10_000 && level(10) == 0, "{body}: from 0.3 s to 0.6 s");
        assert_eq!(calls[0].args[2], list([1_577_836_800, 0]));
        h.get("ALAudioDevice.unsubscribe", &[s("Ear")]);
        h.wait(1.0);
        assert_eq!(h.asked.len(), 11);
        assert_eq!(h.timers_alive(), 0);
    }
}

#[test]
fn a_module_that_takes_no_sound_is_warned_about_once() {
    let mut h = Harness::nao();
    h.get("ALAudioDevice.subscribe", &[s("Nobody")]);
    h.wait(0.1);
    let ask = h.asked[0].clone();
    assert_eq!(ask.args[..2], [Value::Int(4), Value::Int(4096)], "all channels are usual");
    h.with(|robot, cx| robot.answered(cx, ask.number, Err(ServiceError::NoService)));
    assert!(h.warnings[0].contains("Nobody gets no more sound"), "{:?}", h.warnings);
    h.wait(1.0);
    assert_eq!((h.asked.len(), h.warnings.len()), (1, 1));
    let wrong = [s("Ear"), 44_100.into(), 0.into(), 0.into()];
    assert!(h.why("ALAudioDevice.setClientPreferences", &wrong).contains("16000 or 48000"));
    let all = [s("Ear"), 16_000.into(), 0.into(), 0.into()];
    assert!(h.why("ALAudioDevice.setClientPreferences", &all).contains("48000 Hz only"));
}

#[test]
fn a_video_says_what_it_would_have_written() {
    let mut h = Harness::nao();
    h.get("ALVideoRecorder.setFrameRate", &[10.into()]);
    h.get("ALVideoRecorder.startRecording", &[s("/home/nao"), s("film.avi")]);
    h.wait(2.55);
    assert_eq!(h.get("ALVideoRecorder.stopRecording", &[]), list([25.into(), s("/home/nao/film.avi")]));
    let weight = h.get("ALMemory.getData", &[s("Device/SubDeviceList/LFoot/FSR/TotalWeight/Sensor/Value")]);
    near(weight.as_f64().unwrap(), 2.65);
    let base = "Device/SubDeviceList/InertialSensorBase/AccelerometerZ/Sensor/Value";
    assert_eq!(Harness::pepper().get("ALMemory.getData", &[s(base)]), Value::Float(-9.81));
}
