//! What the robot notices of a world, in virtual time.

use crate::harness::{Harness, floats, list, near, s, strings};
use crate::video::in_world;
use boxstep_bodies::BodyKind;
use boxstep_types::Value;

const ADA: &str = "[[people]]\nid = 7\nname = \"Ada\"\nat = [1.5, 0.0]\nheight = 1.3\nsmile = 0.9\n";
/// Somebody whose face is at the height of NAO's head, or of Pepper's.
fn ada(body: BodyKind) -> String {
    let height = if body == BodyKind::Pepper { 1.3 } else { 0.75 };
    ADA.replace("height = 1.3", &format!("height = {height}"))
}

fn subscribe(h: &mut Harness, service: &str, period: i64) {
    h.get(&format!("{service}.subscribe"), &[s("test"), period.into(), 0.0.into()]);
}

fn at(value: &Value, path: &[usize]) -> Value {
    path.iter().fold(value.clone(), |value, i| value.as_list().expect("a list")[*i].clone())
}

#[test]
fn a_face_in_view_is_detected_in_the_documented_shape() {
    for body in BodyKind::ALL {
        let mut h = in_world(body, &ada(body));
        subscribe(&mut h, "ALFaceDetection", 500);
        h.listen("FaceDetected");
        h.wait(1.2);
        let seen = h.seen("FaceDetected");
        assert_eq!(seen.len(), 2, "{body}: one every half second");
        let value = &seen[0];
        assert_eq!(at(value, &[0]), list([1_577_836_800, 500_000]), "the robot's clock");
        let shape = floats(&at(value, &[1, 0, 0]));
        assert_eq!(shape.len(), 5);
        assert!(shape[1].abs() < 0.05 && shape[3] > 0.08 && shape[3] < 0.15, "{body}: {shape:?}");
        assert_eq!(at(value, &[1, 0, 1, 0]), Value::Int(7));
        assert_eq!(at(value, &[1, 0, 1, 2]), s(""), "nobody has learned it");
        assert_eq!(at(value, &[1, 1]), list::<i64>([]), "nothing new about who it is");
        assert_eq!((floats(&at(value, &[2])).len(), floats(&at(value, &[3])).len()), (6, 6));
        assert!(floats(&at(value, &[3]))[2] > floats(&at(value, &[2]))[2], "the torso is over the floor");
        assert_eq!(at(value, &[4]), Value::Int(0));
        // Turned away, the camera sees nobody, and says so once.
        h.get("ALMotion.setAngles", &[s("HeadYaw"), 1.5.into(), 1.0.into()]);
        h.wait(2.0);
        let seen = h.seen("FaceDetected");
        assert_eq!(seen.last(), Some(&Value::list([])), "{body}");
        assert_eq!(seen.iter().filter(|v| **v == Value::list([])).count(), 1);
    }
}

#[test]
fn a_learned_face_is_recognized() {
    let mut h = in_world(BodyKind::Nao, &ada(BodyKind::Nao));
    h.listen("FaceDetected");
    subscribe(&mut h, "ALFaceDetection", 100);
    h.wait(4.0);
    h.get("ALFaceDetection.ping", &[]);
    h.wait(5.0);
    let nobody = list([4]);
    let news: Vec<_> = h.seen("FaceDetected").iter().map(|v| at(v, &[1, 1])).filter(|v| v.truthy()).collect();
    assert_eq!(news, std::slice::from_ref(&nobody), "after eight seconds nobody was recognized");
    assert_eq!(h.get("ALFaceDetection.learnFace", &[s("Ada")]), Value::Bool(true));
    assert_eq!(h.get("ALFaceDetection.isFaceLearned", &[s("Ada")]), Value::Bool(true));
    h.wait(1.0);
    let last = h.seen("FaceDetected").last().cloned().unwrap();
    assert_eq!(at(&last, &[1, 0, 1, 2]), s("Ada"));
    let news: Vec<_> = h.seen("FaceDetected").iter().map(|v| at(v, &[1, 1])).filter(|v| v.truthy()).collect();
    assert_eq!(news, [nobody, list([2.into(), list([s("Ada")])])], "the name is told once");
    h.get("ALFaceDetection.forgetPerson", &[s("Ada")]);
    h.wait(1.0);
    assert_eq!(at(h.seen("FaceDetected").last().unwrap(), &[1, 0, 1, 2]), s(""));
    // Nobody can be learned who is not there.
    h.get("ALMotion.setAngles", &[s("HeadYaw"), 1.5.into(), 1.0.into()]);
    h.wait(1.0);
    assert_eq!(h.get("ALFaceDetection.learnFace", &[s("Bob")]), Value::Bool(false));
    let known = ada(BodyKind::Nao).replace("id = 7", "id = 7\nknown = true");
    let mut h = in_world(BodyKind::Nao, &known);
    assert_eq!(strings(&h.get("ALFaceDetection.getLearnedFacesList", &[])), ["Ada"]);
}

#[test]
fn people_arrive_come_nearer_and_leave() {
    let walker =
        "[[people]]\npath = [{ time = 2, at = [3.2, 0] }, { time = 8, at = [1.0, 0] }]\nfrom = 2\nuntil = 12\n";
    let mut h = in_world(BodyKind::Pepper, &format!("{walker}height = 1.4\n"));
    for key in ["JustArrived", "JustLeft", "PeopleList", "PeopleDetected", "VisiblePeopleList"] {
        h.listen(&format!("PeoplePerception/{key}"));
    }
    for key in ["PersonEnteredZone1", "PersonEnteredZone2", "PersonEnteredZone3", "PersonApproached", "PersonMovedAway"]
    {
        h.listen(&format!("EngagementZones/{key}"));
    }
    h.wait(1.9);
    assert_eq!(h.seen("PeoplePerception/PeopleDetected").len(), 0);
    h.wait(8.1);
    assert_eq!(h.seen("PeoplePerception/JustArrived"), [Value::Int(1)]);
    assert_eq!(h.seen("PeoplePerception/PeopleList"), [list([1])]);
    let zones = ["3", "2", "1"].map(|zone| h.seen(&format!("EngagementZones/PersonEnteredZone{zone}")).len());
    assert_eq!(zones, [1, 1, 1], "the person comes from zone to zone");
    assert!(h.seen("EngagementZones/PersonApproached").len() >= 4);
    assert_eq!(h.seen("EngagementZones/PersonMovedAway").len(), 0);
    let data =
        |h: &mut Harness, key: &str| h.get("ALMemory.getData", &[s(&format!("PeoplePerception/Person/1/{key}"))]);
    let place = floats(&data(&mut h, "PositionInWorldFrame"));
    assert!((place[0] - 1.0).abs() < 1e-6 && (place[2] - 1.29).abs() < 1e-6, "{place:?}");
    assert!((floats(&data(&mut h, "PositionInTorsoFrame"))[2] - (1.29 - 0.82)).abs() < 0.05);
    assert_eq!(data(&mut h, "IsVisible"), Value::Bool(true));
    assert_eq!(data(&mut h, "EngagementZone"), Value::Int(1));
    let (detected, distance) = (h.seen("PeoplePerception/PeopleDetected").last().cloned(), data(&mut h, "Distance"));
    assert_eq!(at(&detected.unwrap(), &[1, 0, 1]), distance);
    h.wait(20.0);
    assert_eq!(h.seen("PeoplePerception/JustLeft"), [] as [Value; 0], "nothing keeps the senses awake now");
    h.get("ALMemory.getData", &[s("PeoplePerception/PeopleList")]);
    assert_eq!(h.seen("PeoplePerception/JustLeft"), [Value::Int(1)], "a call lets them catch up");
    assert_eq!(h.seen("PeoplePerception/PeopleList").last(), Some(&Value::list([])));
}

#[test]
fn a_still_world_does_not_keep_a_run_alive() {
    let mut h = in_world(BodyKind::Nao, &ada(BodyKind::Nao));
    h.listen("FaceDetected");
    subscribe(&mut h, "ALFaceDetection", 100);
    h.wait(3.0);
    assert_eq!(h.timers_alive(), 1);
    let before = h.seen("FaceDetected").len();
    h.wait(60.0);
    assert_eq!(h.timers_alive(), 0);
    assert!((40..60).contains(&h.seen("FaceDetected").len()), "{before}: for five seconds after the last call");
    h.get("ALMemory.getData", &[s("FaceDetected")]);
    assert_eq!(h.timers_alive(), 1, "a call wakes the senses");
    h.get("ALFaceDetection.unsubscribe", &[s("test")]);
    let mut quiet = in_world(BodyKind::Nao, &ada(BodyKind::Nao));
    quiet.get("ALMotion.getSummary", &[]);
    assert_eq!(quiet.timers_alive(), 0, "nobody has subscribed");
    let mut empty = Harness::nao();
    subscribe(&mut empty, "ALFaceDetection", 100);
    empty.listen("FaceDetected");
    empty.wait(5.0);
    assert_eq!((empty.timers_alive(), empty.events.len()), (0, 0), "without a world nothing is seen");
}

#[test]
fn marks_balls_and_codes_are_seen_from_the_front() {
    let world = "[[marks]]\nnumber = 68\nat = [1.0, 0.1, 0.5]\n\n[[marks]]\nnumber = 80\nat = [1.0, -0.1, 0.5]\nfacing = 0\n
[[codes]]\ntext = \"hello\"\nat = [0.9, -0.2, 0.5]\n\n[[balls]]\nat = [0.8, 0.0, 0.4]\n\n[[balls]]\nat = [0.6, 0.1, 0.4]\ncolor = \"#2020d0\"\n";
    let mut h = in_world(BodyKind::Nao, world);
    for key in ["LandmarkDetected", "redBallDetected", "BarcodeReader/BarcodeDetected"] {
        h.listen(key);
    }
    h.wait(0.5);
    let marks = h.seen("LandmarkDetected").last().cloned().unwrap();
    assert_eq!(at(&marks, &[1]).as_list().unwrap().len(), 1, "the other one shows its back");
    assert_eq!(at(&marks, &[1, 0, 1]), list([68]));
    let shape = floats(&at(&marks, &[1, 0, 0]));
    assert!(shape[0] == 1.0 && shape[1] > 0.05 && (shape[3] - 0.095).abs() < 0.02, "{shape:?}");
    assert_eq!(at(&marks, &[4]), s("CameraTop"));
    let ball = h.seen("redBallDetected").last().cloned().unwrap();
    assert_eq!(at(&ball, &[1]).as_list().unwrap().len(), 4);
    let size = floats(&at(&ball, &[1]))[2];
    assert!((size - 0.08).abs() < 0.015, "the red one, not the blue one: {size}");
    let code = h.seen("BarcodeReader/BarcodeDetected").last().cloned().unwrap();
    assert_eq!(at(&code, &[0, 0]), s("hello"));
    let corner = floats(&at(&code, &[0, 1, 0]));
    assert!(corner[0] > 160.0 && corner[0] < 320.0, "it is to the right: {corner:?}");
}

#[test]
fn a_patch_of_a_colour_is_found() {
    let mut h = in_world(BodyKind::Nao, "[[balls]]\nat = [1, 0.2, 0.5]\ncolor = \"#20c040\"\ndiameter = 0.1\n");
    h.listen("ALTracker/ColorBlobDetected");
    h.get("ALColorBlobDetection.setColor", &[250.into(), 0.into(), 0.into(), 40.into()]);
    h.wait(0.5);
    assert_eq!(h.get("ALColorBlobDetection.getCircle", &[]), Value::list([]));
    h.get("ALColorBlobDetection.setColor", &[30.into(), 200.into(), 60.into(), 20.into()]);
    let circle = floats(&h.get("ALColorBlobDetection.getCircle", &[]));
    assert!(circle[0] < 0.4 && (circle[2] - 0.045).abs() < 0.01, "on the left: {circle:?}");
    h.wait(0.5);
    let told = h.seen("ALTracker/ColorBlobDetected");
    assert_eq!(floats(&at(&told[0], &[0])), circle);
}

#[test]
fn sounds_are_located_once_and_begin_and_end() {
    let world = "[[sounds]]\ntime = 2.0\nseconds = 1.0\nat = [0.0, 1.5, 0.55]\nlevel = 0.8\n";
    for body in BodyKind::ALL {
        let mut h = in_world(body, world);
        h.listen("ALSoundLocalization/SoundLocated");
        h.listen("SoundDetected");
        h.wait(1.9);
        assert_eq!(h.events.len(), 0);
        h.wait(0.5);
        let energy = h.get("ALAudioDevice.getLeftMicEnergy", &[]).as_f64().unwrap();
        assert!(energy > 1000.0, "{energy}");
        h.wait(3.0);
        let located = h.seen("ALSoundLocalization/SoundLocated");
        assert_eq!(located.len(), 1, "{body}");
        let [azimuth, _, confidence, energy] = floats(&at(&located[0], &[1]))[..] else { panic!() };
        assert!((azimuth - 1.57).abs() < 0.1 && confidence > 0.5 && energy > 0.3, "{body}: {azimuth}");
        let kinds: Vec<_> = h.seen("SoundDetected").iter().map(|v| at(v, &[0, 1])).collect();
        assert_eq!(kinds, [Value::Int(1), Value::Int(0)]);
        assert_eq!(h.get("ALAudioDevice.getLeftMicEnergy", &[]), Value::Float(0.0));
    }
}

#[test]
fn what_moves_and_who_looks_and_smiles_is_told() {
    let world = format!(
        "{}path = [{{ time = 0, at = [1.5, -0.4] }}, {{ time = 3, at = [1.5, 0.4] }}]\n",
        "[[people]]\nheight = 0.75\nsmile = 0.9\nage = 41\ngender = \"female\"\n"
    );
    let mut h = in_world(BodyKind::Nao, &world);
    for key in [
        "MovementDetection/MovementDetected",
        "MovementDetection/NoMovement",
        "GazeAnalysis/PersonStartsLookingAtRobot",
        "FaceCharacteristics/PersonSmiling",
    ] {
        h.listen(key);
    }
    h.wait(4.0);
    let moved = h.seen("MovementDetection/MovementDetected");
    assert!((20..31).contains(&moved.len()), "{}", moved.len());
    let [first, last] = [&moved[0], &moved[moved.len() - 1]].map(|v| floats(&at(v, &[1, 0, 0]))[0]);
    assert!(first < 0.0 && last > 0.0, "from the right to the left");
    assert_eq!(h.seen("MovementDetection/NoMovement").len(), 1);
    assert_eq!(h.seen("GazeAnalysis/PersonStartsLookingAtRobot"), [Value::Int(1)]);
    assert!(h.seen("FaceCharacteristics/PersonSmiling").len() > 5);
    assert_eq!(h.get("ALFaceCharacteristics.analyzeFaceCharacteristics", &[1.into()]), Value::Bool(true));
    assert_eq!(h.get("ALFaceCharacteristics.analyzeFaceCharacteristics", &[2.into()]), Value::Bool(false));
    let age = h.get("ALMemory.getData", &[s("PeoplePerception/Person/1/AgeProperties")]);
    assert_eq!(floats(&age), [41.0, 0.8]);
    let gender = h.get("ALMemory.getData", &[s("PeoplePerception/Person/1/GenderProperties")]);
    assert_eq!(floats(&gender)[0], 0.0);
    assert_eq!(h.get("ALEngagementZones.computeEngagementZone", &[0.0.into(), 0.0.into(), 1.0.into()]), Value::Int(1));
    assert_eq!(h.get("ALEngagementZones.computeEngagementZone", &[list([1.0, 0.0, 1.0])]), Value::Int(3));
}

#[test]
fn sonars_and_lasers_measure_the_walls() {
    let world = "[room]\nsize = [3, 4, 2.5]\n[[boxes]]\nat = [0.6, 0.3]\nsize = [0.2, 0.2, 1]\n";
    let mut h = in_world(BodyKind::Nao, world);
    let sonar = |h: &mut Harness, key: &str| {
        h.get("ALMemory.getData", &[s(&format!("Device/SubDeviceList/{key}/Sensor/Value"))]).as_f64().unwrap()
    };
    h.listen("SonarLeftDetected");
    let (left, right) = (sonar(&mut h, "US/Left"), sonar(&mut h, "US/Right"));
    assert!(left < 0.6 && right > 1.2, "{left} {right}: the box is on the left");
    h.get("ALMotion.moveTo", &[0.2.into(), 0.0.into(), 0.0.into()]);
    assert!(sonar(&mut h, "US/Left") < left - 0.1);
    assert_eq!(h.seen("SonarLeftDetected").len(), 1);
    let mut h = in_world(BodyKind::Pepper, world);
    near(sonar(&mut h, "Platform/Back/Sonar"), 1.35);
    let ahead = "Device/SubDeviceList/Platform/LaserSensor/Front/Horizontal/Seg08/X/Sensor/Value";
    near(h.get("ALMemory.getData", &[s(ahead)]).as_f64().unwrap(), 1.5 - 0.056);
    // Without a world the key has what was raised from outside.
    let mut h = Harness::nao();
    h.raise("Device/SubDeviceList/US/Left/Sensor/Value", 0.4.into());
    near(sonar(&mut h, "US/Left"), 0.4);
    let get = |h: &mut Harness, key: &str| h.get("ALMemory.getData", &[s(&format!("Device/SubDeviceList/{key}"))]);
    assert_eq!(get(&mut h, "US/Right/Sensor/Value9"), Value::Float(5.0), "no other echo");
    assert_eq!(get(&mut h, "HeadYaw/Temperature/Sensor/Status"), Value::Float(0.0));
    // Pepper's lasers see nothing.
    let left = "Platform/LaserSensor/Left/Horizontal/Seg01/X/Sensor/Value";
    let away = get(&mut Harness::pepper(), left).as_f64().unwrap();
    assert!(away > 2.5 && away <= 3.0, "{away}");
}

#[test]
fn the_tracker_follows_with_the_head_and_goes_there() {
    let ball = "[[balls]]\npath = [{ time = 0, at = [1.2, 0, 0.5] }, { time = 3, at = [1.2, 0.8, 0.5] }]\ndiameter = 0.1\nuntil = 20\n";
    let mut h = in_world(BodyKind::Nao, ball);
    for key in ["ALTracker/TargetDetected", "ALTracker/TargetLost", "ALTracker/TargetReached"] {
        h.listen(key);
    }
    h.get("ALTracker.registerTarget", &[s("RedBall"), 0.1.into()]);
    h.get("ALTracker.track", &[s("RedBall")]);
    assert_eq!(h.get("ALTracker.isTargetLost", &[]), Value::Bool(true));
    assert_eq!(h.get("ALTracker.getTargetPosition", &[0.into()]), Value::list([]));
    h.wait(4.0);
    assert_eq!(h.seen("ALTracker/TargetDetected"), [s("RedBall")]);
    let yaw = h.joint("HeadYaw");
    assert!((yaw - 0.8_f64.atan2(1.2)).abs() < 0.06, "{yaw}");
    let place = floats(&h.get("ALTracker.getTargetPosition", &[1.into()]));
    assert_eq!(place, [1.2, 0.8, 0.5]);
    assert_eq!(h.get("ALTracker.isNewTargetDetected", &[]), Value::Bool(true));
    assert_eq!(h.get("ALTracker.isNewTargetDetected", &[]), Value::Bool(false));
    h.get("ALTracker.setMode", &[s("Move")]);
    h.get("ALTracker.setRelativePosition", &[list([-0.5, 0.0, 0.0, 0.1, 0.1, 0.3])]);
    h.wait(14.0);
    assert_eq!(h.seen("ALTracker/TargetReached").first(), Some(&s("RedBall")));
    let here = floats(&h.get("ALMotion.getRobotPosition", &[true.into()]));
    let away = (1.2 - here[0]).hypot(0.8 - here[1]);
    assert!((away - 0.5).abs() < 0.2, "{away}");
    assert_eq!(h.seen("ALTracker/TargetLost").len(), 0);
    h.wait(8.0);
    assert_eq!(h.seen("ALTracker/TargetLost").len(), 1, "the ball is gone");
    h.get("ALTracker.stopTracker", &[]);
    assert_eq!(h.get("ALTracker.isActive", &[]), Value::Bool(false));
}

#[test]
fn awareness_turns_to_people() {
    let walker = "[[people]]\npath = [{ time = 1, at = [1.6, 0] }, { time = 5, at = [1.6, 0.9] }]\nfrom = 1\nuntil = 9\nheight = 1.4\n";
    let mut h = in_world(BodyKind::Pepper, walker);
    for key in ["ALBasicAwareness/HumanTracked", "ALBasicAwareness/HumanLost", "ALBasicAwareness.humanTracked"] {
        h.listen(key);
    }
    h.get("ALBasicAwareness.startAwareness", &[]);
    h.wait(6.0);
    assert_eq!(h.seen("ALBasicAwareness/HumanTracked"), [Value::Int(1)]);
    assert_eq!(h.seen("ALBasicAwareness.humanTracked"), [Value::Int(1)]);
    assert!(h.joint("HeadYaw") > 0.4, "{}", h.joint("HeadYaw"));
    h.wait(5.0);
    assert_eq!(h.seen("ALBasicAwareness/HumanLost"), [Value::Int(1)]);
    assert_eq!(h.seen("ALBasicAwareness/HumanTracked").last(), Some(&Value::Int(-1)));
    assert_eq!(h.get("ALBasicAwareness.engagePerson", &[1.into()]), Value::Bool(false));
}

#[test]
fn the_same_world_gives_the_same_run() {
    let run = || {
        let mut h =
            in_world(BodyKind::Pepper, &format!("{}[[sounds]]\ntime = 1\nat = [0, 1, 1]\n", ada(BodyKind::Pepper)));
        for key in ["FaceDetected", "PeoplePerception/PeopleDetected", "ALSoundLocalization/SoundLocated"] {
            h.listen(key);
        }
        h.get("ALBasicAwareness.startAwareness", &[]);
        h.get("ALMotion.moveTo", &[0.3.into(), 0.1.into(), 0.5.into()]);
        h.wait(5.0);
        format!("{:?} {:?}", h.events, h.acts)
    };
    assert_eq!(run(), run());
}

#[test]
fn a_session_is_open_for_each_person_in_view() {
    let known = ada(BodyKind::Nao) + "[[people]]\nid = 9\nname = \"Bob\"\nat = [-3.0, 0.0]\nknown = true\n";
    let mut h = in_world(BodyKind::Nao, &known);
    h.wait(0.5);
    assert_eq!(h.get("ALUserSession.getOpenUserSessions", &[]), list([7]));
    assert_eq!(h.get("ALUserSession.getFocusedUser", &[]), Value::Int(7));
    assert_eq!(h.get("ALUserSession.getUserList", &[]), list([7, 9]));
    assert_eq!(h.get("ALUserSession.doUsersExist", &[list([7, 9])]), Value::Bool(true));
    assert_eq!(h.get("ALUserSession.areUserSessionsOpen", &[list([7, 9])]), Value::Bool(false));
    h.get("ALUserSession.setUserData", &[7.into(), s("drink"), s("bar"), s("tea")]);
    h.get("ALUserSession.setUserData", &[71.into(), s("drink"), s("bar"), s("milk")]);
    assert_eq!(h.get("ALUserSession.getUserData", &[7.into(), s("drink"), s("bar")]), s("tea"));
    assert_eq!(h.get("ALUserSession.getUserData", &[7.into(), s("bar")]), Value::map([("drink", s("tea"))]));
    let mut alone = Harness::nao();
    assert_eq!(alone.get("ALUserSession.getFocusedUser", &[]), Value::Int(-1));
    assert_eq!(alone.get("ALUserSession.getUserList", &[]), Value::list([]));
}
