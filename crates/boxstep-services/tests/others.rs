//! Services that mostly store values and answer.

use crate::harness::{Harness, list, near, s, strings};
use boxstep_types::Value;

#[test]
fn settings_are_stored_and_returned() {
    let mut h = Harness::nao();
    h.get("ALMotion.setBreathEnabled", &[s("Arms"), true.into()]);
    assert_eq!(h.get("ALMotion.getBreathEnabled", &[s("Arms")]), Value::Bool(true));
    assert_eq!(h.get("ALMotion.getBreathEnabled", &[s("Legs")]), Value::Bool(false));
    h.get("ALMotion.setMoveArmsEnabled", &[true.into(), false.into()]);
    assert_eq!(h.get("ALMotion.getMoveArmsEnabled", &[s("RArm")]), Value::Bool(false));
    assert_eq!(h.get("ALMotion.getWalkArmsEnabled", &[]), list([true, false]));
    let set = h.get("ALMotion.setCollisionProtectionEnabled", &[s("Arms"), false.into()]);
    assert_eq!(set, Value::Bool(true), "the stock box takes its output from the answer");
    assert_eq!(h.get("ALMotion.getCollisionProtectionEnabled", &[s("Arms")]), Value::Bool(false));
    h.get("ALVolumeSlider.increaseVolume", &[]);
    assert_eq!(h.get("ALAudioDevice.getOutputVolume", &[]), Value::Int(60));
    h.get("ALAudioDevice.setOutputVolume", &[70.into()]);
    assert_eq!(h.get("ALAudioDevice.getOutputVolume", &[]), Value::Int(70));
    h.get("ALAutonomousMoves.setExpressiveListeningEnabled", &[true.into()]);
    assert_eq!(h.get("ALAutonomousMoves.getExpressiveListeningEnabled", &[]), Value::Bool(true));
    h.get("ALPreferenceManager.setValue", &[s("domain"), s("key"), 5.into()]);
    assert_eq!(h.get("ALPreferenceManager.getValue", &[s("domain"), s("key")]), Value::Int(5));
    h.get("ALVideoDevice.setParameter", &[0.into(), 11.into(), 1.into()]);
    assert_eq!(h.get("ALVideoDevice.getParameter", &[0.into(), 11.into()]), Value::Int(1));
}

#[test]
fn life_and_awareness_are_off_by_default() {
    let mut h = Harness::nao();
    assert_eq!(h.get("ALAutonomousLife.getState", &[]), s("disabled"));
    h.listen("AutonomousLife/State");
    h.get("ALAutonomousLife.setState", &[s("solitary")]);
    assert_eq!(h.get("ALAutonomousLife.getState", &[]), s("solitary"));
    assert_eq!(h.seen("AutonomousLife/State"), [s("solitary")]);
    assert!(h.why("ALAutonomousLife.setState", &[s("asleep")]).contains("one of solitary"));
    h.get("ALBasicAwareness.startAwareness", &[]);
    assert_eq!(h.get("ALBasicAwareness.isAwarenessRunning", &[]), Value::Bool(true));
    h.get("ALBasicAwareness.stopAwareness", &[]);
    h.get("ALBasicAwareness.stopAwareness", &[]);
    assert_eq!(h.texts("awareness").len(), 2);
    assert!(h.why("ALBasicAwareness.setTrackingMode", &[s("Nose")]).contains("one of Head"));
}

#[test]
fn nothing_is_defective_unless_memory_says_so() {
    let mut h = Harness::nao();
    assert_eq!(h.get("ALDiagnosis.getActiveDiagnosis", &[]), Value::list([]));
    for (key, error) in
        [("Passive/LKneePitch", 2), ("Passive/CameraTop", 1), ("Passive/HeadYaw", 0), ("Active/RHand", 3)]
    {
        h.get("ALMemory.insertData", &[s(&format!("Diagnosis/{key}/Error")), error.into()]);
    }
    let of = |severity: i64, devices: &[&str]| Value::list([severity.into(), list(devices.iter().copied())]);
    assert_eq!(h.get("ALDiagnosis.getPassiveDiagnosis", &[]), of(1, &["CameraTop", "LKneePitch"]));
    assert_eq!(h.get("ALDiagnosis.getActiveDiagnosis", &[]), of(2, &["RHand"]));
    h.get("ALDiagnosis.setEnableNotification", &[false.into()]);
    assert_eq!(h.get("ALDiagnosis.isNotificationEnabled", &[]), Value::Bool(false));
}

#[test]
fn only_pepper_has_a_tablet() {
    let mut h = Harness::pepper();
    assert_eq!(h.get("ALTabletService.showImage", &[s("http://198.18.0.1/apps/x/y.png")]), Value::Bool(true));
    assert_eq!(h.texts("tablet"), ["image http://198.18.0.1/apps/x/y.png"]);
    assert_eq!(h.get("ALTabletService.robotIp", &[]), s("198.18.0.1"));
    assert_eq!(Harness::nao().why("ALTabletService.hideImage", &[]), "Cannot find service: ALTabletService");
}

#[test]
fn own_animations_play_and_others_are_unknown() {
    let mut h = Harness::nao();
    near(h.takes("ALAnimationPlayer.run", &[s("animations/Stand/Gestures/Hey_1")]), 3.0);
    assert!(h.why("ALAnimationPlayer.run", &[s("my/dance")]).contains("`my/dance` is not installed"));
    near(h.takes("ALAnimationPlayer.runTag", &[s("hello")]), 3.0);
    // They are behaviors, too.
    let hey = s("animations/Stand/Gestures/Hey_1");
    assert_eq!(h.get("ALBehaviorManager.isBehaviorInstalled", &[hey.clone()]), Value::Bool(true));
    near(h.takes("ALBehaviorManager.runBehavior", &[hey.clone()]), 3.0);
    h.get("ALBehaviorManager.startBehavior", &[hey]);
    assert_eq!(h.texts("animation").len(), 4);
}

#[test]
fn behaviors_and_services_of_others_are_not_installed() {
    let mut h = Harness::nao();
    assert_eq!(h.get("ALBehaviorManager.getInstalledBehaviors", &[]), Value::list([]));
    assert_eq!(h.get("ALBehaviorManager.isBehaviorInstalled", &[s("x/y")]), Value::Bool(false));
    assert!(h.why("ALBehaviorManager.runBehavior", &[s("x/y")]).contains("`x/y` is not installed"));
    assert!(h.why("ALServiceManager.startService", &[s("S")]).contains("not installed"));
}

#[test]
fn watching_services_keep_their_subscribers() {
    let mut h = Harness::nao();
    h.get("ALFaceDetection.subscribe", &[s("me"), 500.into(), 0.0.into()]);
    assert_eq!(h.get("ALFaceDetection.getCurrentPeriod", &[]), Value::Int(500));
    let info = h.get("ALFaceDetection.getSubscribersInfo", &[]);
    assert_eq!(info, Value::list([list([s("me"), 500.into(), 0.0.into()])]));
    assert_eq!(h.get("ALSonar.getSubscribersInfo", &[]), Value::list([]));
    h.get("ALFaceDetection.unsubscribe", &[s("me")]);
    h.get("ALFaceDetection.unsubscribe", &[s("me")]);
    assert!(h.why("ALFaceDetection.getMyPeriod", &[s("me")]).contains("has not subscribed"));
    assert_eq!(h.get("ALFaceDetection.learnFace", &[s("Ada")]), Value::Bool(true));
    assert_eq!(h.get("ALFaceDetection.learnFace", &[s("Ada")]), Value::Bool(false));
    assert_eq!(strings(&h.get("ALFaceDetection.getLearnedFacesList", &[])), ["Ada"]);
    assert_eq!(h.get("ALFaceDetection.reLearnFace", &[s("Bob")]), Value::Bool(false));
    assert_eq!(h.get("ALFaceDetection.forgetPerson", &[s("Ada")]), Value::Bool(true));
}

#[test]
fn cameras_and_microphones_record_nothing_and_say_so() {
    let mut h = Harness::nao();
    h.get("ALPhotoCapture.setPictureFormat", &[s("png")]);
    let files = h.get("ALPhotoCapture.takePicture", &[s("/home/nao/"), s("me")]);
    assert_eq!(strings(&files), ["/home/nao/me.png"]);
    assert!(h.texts("photo")[0].contains("no file is made"));
    assert_eq!(h.get("ALPhotoCapture.takePictures", &[2.into(), s("/a"), s("b")]), list(["/a/b_0.png", "/a/b_1.png"]));
    let id = h.get("ALVideoDevice.subscribeCamera", &[s("me"), 0.into(), 1.into(), 11.into(), 5.into()]);
    assert_eq!(id, s("me_0"));
    assert_eq!(h.get("ALVideoDevice.unsubscribe", &[id]), Value::Bool(true));
    h.get("ALAudioDevice.startMicrophonesRecording", &[s("/tmp/x.wav")]);
    assert!(h.why("ALAudioDevice.startMicrophonesRecording", &[s("/tmp/y.wav")]).contains("already"));
    h.get("ALAudioDevice.stopMicrophonesRecording", &[]);
    assert_eq!(h.texts("record").len(), 2);
}

#[test]
fn a_recording_makes_no_file_and_can_be_played() {
    let mut h = Harness::nao();
    let file = std::env::temp_dir().join("boxstep-test-no-such-recording.wav");
    let name = s(file.to_str().unwrap());
    assert!(h.why("ALAudioPlayer.playFile", &[name.clone()]).contains("no such file"));
    for seconds in [2.5, 1.0] {
        h.get("ALAudioRecorder.startMicrophonesRecording", &[name.clone(), s("wav"), 16000.into(), list([1, 0, 0, 0])]);
        h.wait(seconds);
        h.get("ALAudioRecorder.stopMicrophonesRecording", &[]);
        let began = h.now;
        h.get("ALAudioPlayer.playFile", &[name.clone()]);
        near((h.now - began).as_secs_f64(), seconds);
    }
    assert!(h.texts("record")[1].ends_with("ends after 2.5 s"), "{:?}", h.texts("record"));
    assert!(!file.exists());
    // A video is not a sound.
    h.get("ALVideoRecorder.startRecording", &[s("/home/nao"), s("film")]);
    h.get("ALVideoRecorder.stopRecording", &[]);
    assert!(h.why("ALAudioPlayer.playFile", &[s("/home/nao/film")]).contains("no such file"));
}

#[test]
fn the_clock_of_the_machine_is_the_engines() {
    let mut h = Harness::nao();
    h.wait(2.0);
    assert_eq!(h.get("DCM.getTime", &[500.into()]), Value::Int(2500));
    assert_eq!(h.get("ALAutonomousLife.getLifeTime", &[]), Value::Int(2));
    assert_eq!(h.get("ALSystem.robotName", &[]), s("nao"));
}

#[test]
fn the_directory_names_the_services_of_the_body() {
    let names = |h: &mut Harness| -> Vec<String> {
        let all = h.get("ServiceDirectory.services", &[]);
        all.as_list().unwrap().iter().map(|s| s.get("name").unwrap().as_str().unwrap().to_owned()).collect()
    };
    let (mut nao, mut pepper) = (Harness::nao(), Harness::pepper());
    let (of_nao, of_pepper) = (names(&mut nao), names(&mut pepper));
    assert!(of_nao.contains(&"ALMotion".to_owned()) && of_nao.contains(&"ServiceDirectory".to_owned()));
    let tablet = "ALTabletService".to_owned();
    assert!(of_pepper.contains(&tablet) && !of_nao.contains(&tablet));
    let speech = pepper.get("ServiceDirectory.service", &[s("ALTextToSpeech")]);
    assert_eq!(speech.get("name"), Some(&s("ALTextToSpeech")));
    assert!(nao.why("ServiceDirectory.service", &[s("ALTabletService")]).contains("there is no service"));
}

#[test]
fn the_robot_is_online_by_its_cable() {
    let mut h = Harness::nao();
    assert_eq!(h.get("ALConnectionManager.state", &[]), s("online"));
    h.get("ALConnectionManager.scan", &[]);
    let networks = h.get("ALConnectionManager.services", &[]);
    let [network] = networks.as_list().unwrap() else { panic!("{networks}") };
    let of = |key: &str| {
        let pairs = network.as_list().unwrap().iter().map(|pair| pair.as_list().unwrap());
        pairs.filter(|pair| pair[0] == s(key)).map(|pair| pair[1].clone()).next().unwrap()
    };
    assert_eq!([of("Type"), of("State")], [s("ethernet"), s("online")]);
    h.get("ALConnectionManager.connect", &[of("ServiceId")]);
    assert_eq!(&h.get("ALConnectionManager.service", &[of("ServiceId")]), network);
    assert!(h.why("ALConnectionManager.connect", &[s("wifi")]).contains("no network `wifi`"));
    assert!(h.why("ALConnectionManager.disconnect", &[of("ServiceId")]).contains("only network"));
}

#[test]
fn the_older_service_of_postures_tells_for_how_long() {
    let mut h = Harness::nao();
    h.wait(2.0);
    assert_eq!(h.get("ALRobotPose.getActualPoseAndTime", &[]), Value::list([s("StandInit"), 2.0.into()]));
    h.get("ALRobotPosture.goToPosture", &[s("Crouch"), 1.0.into()]);
    h.wait(3.0);
    assert_eq!(h.get("ALRobotPose.getActualPoseAndTime", &[]), Value::list([s("Crouch"), 3.0.into()]));
    let postures = h.get("ALRobotPosture.getPostureList", &[]);
    assert_eq!(h.get("ALRobotPose.getPoseNames", &[]), postures);
}
